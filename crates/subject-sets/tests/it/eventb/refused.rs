//! What is wrong with a project, an archive or a package is said with its place.

use super::*;

#[test]
fn bad_projects_are_diagnostics_with_a_file() {
    for (name, file, from, to, exit, message) in [
        (
            "missing",
            "M2.bum",
            "target=\"C1\"",
            "target=\"C9\"",
            151,
            "there is no context `C9`",
        ),
        (
            "circle",
            "C0.buc",
            "<org.eventb.core.carrierSet",
            "<org.eventb.core.extendsContext name=\"x\" org.eventb.core.target=\"C1\"/><org.eventb.core.carrierSet",
            151,
            "extends itself",
        ),
        (
            "itself",
            "M0.bum",
            "<org.eventb.core.seesContext",
            "<org.eventb.core.refinesMachine name=\"x\" org.eventb.core.target=\"M2\"/><org.eventb.core.seesContext",
            151,
            "refines itself",
        ),
        (
            "cut",
            "M1.bum",
            "</org.eventb.core.machineFile>",
            "",
            150,
            "no XML",
        ),
        (
            "priority",
            "M2.bum",
            "light = green ⇒ n &lt; places",
            "light = green ⇒ n &lt; places ⇒ ⊤",
            150,
            "need parentheses",
        ),
        ("types", "M1.bum", "n ≔ 0", "n ≔ TRUE", 151, "BOOL"),
        (
            "event",
            "M2.bum",
            "target=\"board\"",
            "target=\"bored\"",
            151,
            "no event `bored`",
        ),
    ] {
        let path = broken(&format!("bad-{name}"), file, from, to);
        let found = lint(&bench(), &path);
        assert_eq!(found.exit(), exit, "{name}: {:?}", found.diagnostics);
        let mut messages = found.diagnostics.iter().map(|d| d.message.as_str());
        assert!(
            messages.any(|text| text.contains(message)),
            "{name}: {:?}",
            found.diagnostics
        );
    }
}

#[test]
fn bad_archives_and_packages_are_diagnostics() {
    let folder = folder("hostile");
    let package = std::fs::read_to_string(example("ferry.eventb")).expect("the package");
    for (name, bytes, exit) in [
        ("a.zip", b"PK\x03\x04\x00\xff".to_vec(), 2),
        ("b.zip", Vec::new(), 150),
        (
            "a.eventb",
            package.as_bytes()[..package.len() / 2].to_vec(),
            150,
        ),
        ("b.eventb", b"package(x).".to_vec(), 150),
        (
            "c.eventb",
            package
                .replace("exporter_version(3)", "exporter_version(99)")
                .into_bytes(),
            152,
        ),
        (
            "d.eventb",
            package.replace("interval(", "spiral(").into_bytes(),
            152,
        ),
        ("a.bum", b"<x/>".to_vec(), 150),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        let found = lint(&bench(), &path);
        assert_eq!(found.exit(), exit, "{name}: {:?}", found.diagnostics);
    }
}
