//! `cargo xtask dist`: the program as one static file, and the proof that it is one.
//!
//! The C library is linked in (`crt-static`). With the musl target and a C compiler for it that target is used, otherwise the
//! usual one.
//! Invariant: a program that asks for a loader or a shared library is refused, whatever the build said.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::places;

/// Where the program is put.
pub fn program() -> PathBuf {
    places::root().join("target/dist/burnside")
}

/// Builds the program and looks into it; an error is one line.
pub fn run() -> Result<PathBuf, String> {
    let target = target()?;
    println!("building for {target}");
    let folder = places::root().join("target/dist/build");
    let status = Command::new("cargo")
        .args([
            "build",
            "--profile",
            "dist",
            "--package",
            "burnside",
            "--target",
        ])
        .arg(&target)
        .arg("--target-dir")
        .arg(&folder)
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .current_dir(places::root())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err("the build failed".to_owned());
    }
    let built = folder.join(target).join("dist/burnside");
    let bytes = std::fs::read(&built).map_err(|error| format!("{}: {error}", built.display()))?;
    let needs = needs(&bytes)?;
    if !needs.is_empty() {
        return Err(format!("the program needs {}", needs.join(" and ")));
    }
    std::fs::copy(&built, program()).map_err(|error| format!("cannot copy it: {error}"))?;
    Ok(program())
}

/// The musl target where it is installed with a C compiler, else the target of this machine.
fn target() -> Result<String, String> {
    let told = Command::new("rustc").arg("-vV").output();
    let told = told.map_err(|error| format!("cannot start rustc: {error}"))?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host
        .ok_or("rustc does not say what it builds for")?
        .to_owned();
    let musl = host.replace("-gnu", "-musl");
    let root = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", &musl])
        .output();
    let is_installed = root.is_ok_and(|root| {
        let folder = String::from_utf8_lossy(&root.stdout).trim().to_owned();
        !folder.is_empty() && Path::new(&folder).is_dir()
    });
    let compilers = [musl.replace("-unknown", "") + "-gcc", "musl-gcc".to_owned()];
    let works = |compiler: &String| Command::new(compiler).arg("--version").output().is_ok();
    let has_compiler = compilers.iter().any(works);
    Ok(match is_installed && has_compiler {
        true => musl,
        false => host,
    })
}

/// Kinds of program headers, and the entry of the dynamic section that names a library.
const LOADER: u32 = 3;
const DYNAMIC: u32 = 2;
const LIBRARY: u64 = 1;

/// What a 64-bit ELF program asks for when it is started; an error for anything else.
pub fn needs(program: &[u8]) -> Result<Vec<&'static str>, String> {
    let number = |at: usize, size: usize| -> Result<u64, String> {
        let bytes = program.get(at..at + size).ok_or("the program is cut")?;
        let digits = bytes.iter().rev();
        Ok(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    // 64 bits, least significant byte first.
    if !program.starts_with(b"\x7fELF\x02\x01") {
        return Err("this is no 64-bit ELF program".to_owned());
    }
    let mut found = Vec::new();
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for header in 0..count {
        let at = (table + header * size) as usize;
        let (kind, offset, length) = (number(at, 4)?, number(at + 8, 8)?, number(at + 32, 8)?);
        if kind == u64::from(LOADER) {
            found.push("a loader");
        }
        let mut entries = (offset..offset + length).step_by(16);
        let is_library = |entry: u64| number(entry as usize, 8).is_ok_and(|tag| tag == LIBRARY);
        if kind == u64::from(DYNAMIC) && entries.any(is_library) {
            found.push("a shared library");
        }
    }
    Ok(found)
}
