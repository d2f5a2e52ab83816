//! The program that `cargo xtask dist` made is static.

use std::path::PathBuf;

use xtask::dist;

#[test]
fn what_a_program_needs_is_seen() {
    let own = std::env::current_exe().and_then(std::fs::read);
    let own = own.unwrap_or_default();
    if !own.starts_with(b"\x7fELF\x02") {
        println!("skipped: programs are no 64-bit ELF files here");
        return;
    }
    let needs = dist::needs(&own);
    assert_eq!(needs, Ok(vec!["a loader", "a shared library"]));
    assert!(dist::needs(b"#!/bin/sh").is_err());
    assert!(dist::needs(&own[..70]).is_err());
}

#[test]
fn the_distributed_program_is_static() {
    let program: PathBuf = dist::program();
    match std::fs::read(&program) {
        Err(_) => println!(
            "skipped: there is no {}; run cargo xtask dist",
            program.display()
        ),
        Ok(bytes) => assert_eq!(dist::needs(&bytes), Ok(Vec::new())),
    }
}
