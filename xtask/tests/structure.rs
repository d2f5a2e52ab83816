//! The crates keep to the picture in `docs/architecture.md`: who may know whom, and nobody declares what it does not use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A crate of the workspace.
struct Package {
    folder: PathBuf,
    /// What it depends on, and whether only its tests do.
    dependencies: Vec<(String, bool)>,
    /// What is built from `src`: its library or its program, whether that has tests inside and in its documentation.
    targets: Vec<Target>,
}

struct Target {
    is_library: bool,
    has_tests: bool,
    has_examples: bool,
}

fn packages() -> BTreeMap<String, Package> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be started");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    packages.iter().map(package).collect()
}

fn package(package: &Value) -> (String, Package) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let dependencies = dependencies.map(|one| {
        let name = match one["rename"].as_str() {
            Some(rename) => rename.to_owned(),
            None => text(&one["name"]),
        };
        (name, one["kind"] == "dev")
    });
    let targets = package["targets"].as_array().into_iter().flatten();
    let targets = targets.filter_map(|one| {
        let is_library = one["kind"][0] == "lib";
        let target = Target {
            is_library,
            has_tests: one["test"] == true,
            has_examples: one["doctest"] == true,
        };
        (is_library || one["kind"][0] == "bin").then_some(target)
    });
    let package_itself = Package {
        folder: manifest
            .parent()
            .expect("a manifest lies in a folder")
            .to_owned(),
        dependencies: dependencies.collect(),
        targets: targets.collect(),
    };
    (text(&package["name"]), package_itself)
}

/// What a crate reaches, tests left out, with the way to it.
fn reached(packages: &BTreeMap<String, Package>, from: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut queue = vec![(from.to_owned(), from.to_owned())];
    while let Some((name, way)) = queue.pop() {
        let Some(package) = packages.get(&name) else {
            continue;
        };
        for (next, is_dev) in &package.dependencies {
            if !is_dev && !found.contains_key(next) {
                let way = format!("{way} -> {next}");
                found.insert(next.clone(), way.clone());
                queue.push((next.clone(), way));
            }
        }
    }
    found
}

/// Whether a crate belongs to a language or to a model of one.
fn is_language(name: &str) -> bool {
    let families = ["lang-", "lower-", "model-", "program-", "subject-"];
    let is_family = families.iter().any(|family| name.starts_with(family));
    let others = ["certify-programs", "certify-sets", "model", "program"];
    // The formulas of temporal logic know no model.
    (is_family && name != "lang-formula") || others.contains(&name)
}

#[test]
fn what_stands_between_and_above_the_waists_knows_no_language() {
    let packages = packages();
    for above in [
        "pins",
        "reduce",
        "search",
        "subject",
        "verdict",
        "workbench",
        "session",
        "mcp",
        "dap",
        "lsp",
        "web",
    ] {
        assert!(packages.contains_key(above), "there is no crate {above}");
        for (name, way) in reached(&packages, above) {
            assert!(!is_language(&name), "{above} knows a language: {way}");
        }
    }
}

#[test]
fn what_stands_below_the_lower_waist_knows_no_engine() {
    let packages = packages();
    let engines: BTreeSet<&str> = ["reduce", "search", "verdict", "workbench"].into();
    for below in packages.keys() {
        let is_below = is_language(below) && !below.starts_with("subject-");
        for (name, way) in reached(&packages, below) {
            let is_engine = engines.contains(name.as_str());
            assert!(!(is_below && is_engine), "{below} knows an engine: {way}");
        }
    }
}

/// Who checks evidence, with the most lines that each may have, comments left out: a reader can look through every one
/// (`docs/certificates.md`).
const CHECKERS: &[(&str, usize)] = &[
    ("certify", 800),
    ("certify-clauses", 200),
    ("certify-diagrams", 500),
    ("certify-programs", 500),
    ("certify-sets", 400),
    ("certify-temporal", 700),
];

#[test]
fn who_checks_certificates_knows_neither_engines_nor_the_fast_evaluators() {
    let packages = packages();
    let forbidden = [
        "search",
        "reduce",
        "pins",
        "canon",
        "model-compile",
        "model-solve",
        "program-compile",
    ];
    for (checker, most) in CHECKERS {
        for (name, way) in reached(&packages, checker) {
            assert!(!forbidden.contains(&name.as_str()), "{way}");
        }
        let text = sources(&packages[*checker].folder.join("src"));
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        let lines = text.lines().filter(is_code).count();
        assert!(
            lines <= *most,
            "{checker} has {lines} lines, {most} at most"
        );
    }
    // Whoever writes what they check is none of them.
    for (checker, _) in CHECKERS {
        assert!(
            !reached(&packages, checker).contains_key("evidence"),
            "{checker}"
        );
    }
}

#[test]
fn data_structures_know_nothing_of_the_pipeline() {
    let packages = packages();
    for (name, package) in &packages {
        let is_library = package
            .folder
            .parent()
            .is_some_and(|folder| folder.ends_with("lib"));
        let mut others = package.dependencies.iter().filter(|(_, is_dev)| !is_dev);
        let known = others.find(|(other, _)| {
            let folder = packages.get(other).map(|package| &package.folder);
            folder.is_some_and(|folder| !folder.parent().is_some_and(|up| up.ends_with("lib")))
        });
        assert!(!(is_library && known.is_some()), "{name} knows {known:?}");
    }
}

/// The Rust texts below a folder.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    let mut queue = vec![folder.to_owned()];
    while let Some(path) = queue.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            queue.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
    text
}

/// Whether a text names a crate: `name::`, or `use name`.
fn names(text: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    text.match_indices(&name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let begins = !before.ends_with(is_word) && !before.ends_with("crate::");
        let is_use = before.ends_with("use ") && !after.starts_with(is_word);
        begins && (after.starts_with("::") || is_use)
    })
}

#[test]
fn every_dependency_is_used() {
    let mut idle = Vec::new();
    for (name, package) in packages() {
        let inside = sources(&package.folder.join("src"));
        let build = std::fs::read_to_string(package.folder.join("build.rs")).unwrap_or_default();
        let outside: String = ["tests", "benches", "examples"]
            .iter()
            .map(|folder| sources(&package.folder.join(folder)))
            .collect();
        for (dependency, is_dev) in &package.dependencies {
            let is_used = match is_dev {
                true => names(&inside, dependency) || names(&outside, dependency),
                false => names(&inside, dependency) || names(&build, dependency),
            };
            if !is_used {
                idle.push(format!("{name} does not use {dependency}"));
            }
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

/// A program of tests is compiled and linked for every library and program that does not say that it has none (decision 0295). A
/// library and a program beside it share a folder: tests stand in the library.
#[test]
fn programs_of_tests_are_built_where_there_are_tests() {
    let mut wrong = Vec::new();
    for (name, package) in packages() {
        let inside = sources(&package.folder.join("src"));
        let has_library = package.targets.iter().any(|target| target.is_library);
        for target in &package.targets {
            let may_test = target.is_library || !has_library;
            let has_tests = may_test && inside.contains("#[test]");
            if target.has_tests != has_tests {
                wrong.push(format!("{name} has tests: {has_tests}"));
            }
            if target.has_examples {
                wrong.push(format!("{name} has no examples in its documentation"));
            }
        }
        let is_example = |line: &&str| {
            let text = line.trim_start().trim_start_matches(['/', '!']).trim();
            line.trim_start().starts_with("//") && text.starts_with("```rust")
        };
        if let Some(line) = inside.lines().find(is_example) {
            wrong.push(format!("{name} has an example that nobody runs: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The citations of a text: `[Authors 2014]`.
fn citations(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').skip(1).filter_map(|rest| {
        let inside = rest.split_once(']')?.0;
        let (authors, year) = inside.rsplit_once(' ')?;
        let is_year = year.len() == 4 && year.starts_with(['1', '2']);
        let is_year = is_year && year.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = |c: char| c.is_alphabetic() || " ,.-'".contains(c);
        (is_year && authors.chars().all(is_name)).then_some(inside)
    })
}

#[test]
fn every_paper_that_is_cited_is_in_the_bibliography() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let known = std::fs::read_to_string(root.join("docs/bibliography.md"));
    let known = known.expect("there is a bibliography");
    let text = sources(&root.join("crates")) + &sources(&root.join("lib"));
    let missing: BTreeSet<&str> = citations(&text)
        .filter(|citation| !known.contains(&format!("[{citation}]")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let cited: BTreeSet<&str> = citations(&text).collect();
    assert!(cited.len() > 20, "{} papers are cited", cited.len());
}

/// The most lines of a file, lines of a function and arguments, the receiver included (`docs/style.md`).
const MOST: (usize, usize, usize) = (500, 80, 6);

/// The Rust files of the project, by their paths from its root.
fn files() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = BTreeMap::new();
    let mut queue: Vec<PathBuf> = ["apps", "crates", "lib", "tests", "xtask"]
        .map(|folder| root.join(folder))
        .into();
    while let Some(path) = queue.pop() {
        if let Ok(entries) = std::fs::read_dir(&path) {
            queue.extend(entries.flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(&root).expect("it lies below the root");
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            files.insert(name.to_string_lossy().into_owned(), text);
        }
    }
    files
}

/// How many arguments the parentheses have with which a text begins.
fn arguments(text: &str) -> usize {
    let (mut depth, mut count, mut is_empty, mut before) = (0, 0, true, ' ');
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if before != '-' => depth -= 1,
            ',' if depth == 1 => {
                count += usize::from(!is_empty);
                is_empty = true;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        is_empty &= c.is_whitespace() || c == '(' && before == ' ';
        before = c;
    }
    count + usize::from(!is_empty)
}

/// What is too large in a formatted file and gives no reason above a function: `// Long: …`, `// Seven arguments: …`, or the
/// reason of a lint that is switched off.
fn large(name: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    if lines.len() > MOST.0 {
        found.push(name.to_owned());
    }
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let Some((before, rest)) = line.trim_start().split_once("fn ") else {
            continue;
        };
        let is_start = before.split(' ').all(|word| {
            let is_word = ["", "pub", "const", "unsafe", "async"].contains(&word);
            is_word || word.starts_with("pub(")
        });
        let named = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let Some(named) = named.filter(|_| is_start) else {
            continue;
        };
        let above = lines[..at].iter().rev();
        let above = above.take_while(|line| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('}')
        });
        let reasons: Vec<&str> = above.copied().collect();
        let has = |reason: &str| reasons.iter().any(|line| line.contains(reason));
        let tail = lines[at..].join("\n");
        let tail = &tail[indent + before.len() + 3 + named..];
        // Behind the parameters of types.
        let open = match tail.starts_with('<') {
            true => tail.find(">(").map_or(0, |end| end + 1),
            false => 0,
        };
        let is_crowded =
            arguments(&tail[open..]) > MOST.2 && !(has(" arguments: ") || has("reason = "));
        let end = format!("{}}}", " ".repeat(indent));
        let length = 1 + lines[at..]
            .iter()
            .position(|line| **line == end)
            .unwrap_or(0);
        let is_declared = lines[at..at + length.min(lines.len() - at)]
            .iter()
            .find(|line| line.ends_with([';', '{']))
            .is_none_or(|line| line.ends_with(';'));
        let is_long = length > MOST.1 && !line.ends_with('}') && !is_declared && !has("// Long: ");
        if is_crowded || is_long {
            found.push(format!("{name} {}", &rest[..named]));
        }
    }
    found
}

#[test]
fn files_and_functions_are_small_or_say_why_not() {
    let known = include_str!("large.txt");
    let known: BTreeSet<&str> = known.lines().collect();
    let files = files();
    assert!(files.len() > 1000, "{} files were found", files.len());
    let found = files.iter().flat_map(|(name, text)| large(name, text));
    let new: Vec<String> = found.filter(|one| !known.contains(one.as_str())).collect();
    assert!(new.is_empty(), "too large:\n{}", new.join("\n"));
}
