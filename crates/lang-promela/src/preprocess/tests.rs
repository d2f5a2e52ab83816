//! The preprocessor against texts whose outcome the C standard fixes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::Sources;

use super::{Definition, Options, run};

/// The tokens of `m.pml` with blanks between them, and the ids of what was reported.
fn read(files: &[(&str, &str)], options: &Options) -> (String, Vec<&'static str>) {
    let texts: BTreeMap<PathBuf, String> = files
        .iter()
        .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
        .collect();
    let mut sources = Sources::new();
    let read = run(Path::new("m.pml"), options, &texts, &mut sources).expect("there is a text");
    let texts: Vec<_> = read
        .tokens
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    (
        texts.join(" ").trim().to_owned(),
        read.diagnostics.iter().map(|found| found.code.id).collect(),
    )
}

fn one(text: &str) -> (String, Vec<&'static str>) {
    read(&[("m.pml", text)], &Options::default())
}

#[test]
fn macros_are_replaced_as_in_c() {
    assert_eq!(
        one("#define N 3\n#define F(x,y) x+y*N\nF(a, (b,c)) N").0,
        "a + ( b , c ) * 3 3"
    );
    assert_eq!(one("#define f(x) x f\nf(1)(2)").0, "1 f ( 2 )");
    assert_eq!(one("#define G(a) P ## a #a\nG(x  y)").0, "Px y \"x y\"");
    assert_eq!(one("#define a b\n#define b a\na b").0, "a b");
    assert_eq!(one("#define LONG x \\\n y\nLONG z").0, "x y z");
    assert_eq!(
        one("#define V(x, ...) x(__VA_ARGS__)\nV(p, 1, 2)").0,
        "p ( 1 , 2 )"
    );
    assert_eq!(
        one("#define R(x, rest...) x(rest)\nR(p, 1, 2)").0,
        "p ( 1 , 2 )"
    );
}

#[test]
fn conditionals_keep_one_branch() {
    let text = "#define A 2\n#if A*2 > 3 && !defined(B)\nyes\n#elif 1\nno\n#else\nno\n#endif\n#ifndef A\nno\n#endif";
    assert_eq!(one(text).0, "yes");
    assert_eq!(
        one("#if 0\n\"open 'and\n#else\nok\n#endif"),
        ("ok".to_owned(), vec![])
    );
    assert_eq!(one("#if 0x10 == 16 ? 1 : 0\nok\n#endif").0, "ok");
}

#[test]
fn the_command_line_defines_and_files_are_included() {
    let options = Options {
        macros: vec![
            Definition::Define("N".into(), "5".into()),
            Definition::Define("M".into(), "1".into()),
            Definition::Undefine("M".into()),
        ],
        folders: vec!["lib".into()],
    };
    let files = [
        ("m.pml", "#include \"a.h\"\nN M"),
        ("lib/a.h", "#define M K\nfrom_a\n"),
    ];
    assert_eq!(read(&files, &options).0, "from_a 5 K");
}

#[test]
fn mistakes_are_reported_where_they_stand() {
    assert_eq!(one("#if 1\nx").1, ["P0101"]);
    assert_eq!(one("#endif").1, ["P0102"]);
    assert_eq!(one("#include \"gone.h\"").1, ["P0103"]);
    assert_eq!(one("#defin X").1, ["P0104"]);
    assert_eq!(one("#define F(x) x\nF(1").1, ["P0107"]);
    assert_eq!(one("#define F(x) x\nF(1,2)").1, ["P0108"]);
}

#[test]
fn bombs_end_in_a_diagnostic() {
    let mut text = String::from("#define m0 x x x x x x x x\n");
    for i in 1..40 {
        text += &format!("#define m{i} m{0} m{0} m{0} m{0}\n", i - 1);
    }
    text += "m39\n";
    assert_eq!(one(&text).1, ["P0109"]);
    assert_eq!(
        read(&[("m.pml", "#include \"m.pml\"")], &Options::default()).1,
        ["P0109"]
    );
}
