//! Texts are recognised by how they begin, for files whose names say nothing.

use subject::Language as _;
use subject_processes::Promela;

#[test]
fn promela_is_recognised_by_its_first_line() {
    for text in [
        "#define N 3\nbyte x;",
        "# include \"other\"",
        "mtype = { red };",
        "active proctype P() { skip }",
        "ltl p { true }",
    ] {
        assert!(Promela.recognises(text), "{text}");
    }
    for text in ["# A heading", "MACHINE M", "#!/bin/sh", "\\documentclass"] {
        assert!(!Promela.recognises(text), "{text}");
    }
}
