//! Reads a component and every file it refers to.
//!
//! A referenced machine `M` is searched as `M.ref`, `M.mch`, `M.sys`, `M.imp` beside the referring file and
//! in imported packages; a definition file beside the including file and in the built-in library.
//! Invariant: every file is read and parsed once, however many references lead to it, and the graph of
//! units has no cycles: a reference that would close one is reported and left out.

mod definitions;
mod files;

use self::files::{near_file, read, show_folder};
use std::path::{Path, PathBuf};

use base::files::canonical;
use base::{Arena, Code, Diagnostic, Diagnostics, FileId, Id, Name, Sources, Span};
use rustc_hash::FxHashMap;

use crate::codes::structure as codes;
use crate::parse;
use crate::stdlib;
use crate::syntax::{ClauseBody, Component, Definition, FilePragmaKind, Link, MachineRef};

/// Files larger than this are refused unread.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// How many files one machine may draw in.
const MAX_FILES: usize = 2_000;

/// Extensions of a referenced machine, in the order they are tried.
const EXTENSIONS: [&str; 4] = ["ref", "mch", "sys", "imp"];

/// Names a loaded component.
pub type UnitId = Id<Unit>;

/// A loaded component with its resolved references.
#[derive(Debug)]
pub struct Unit {
    /// Its file.
    pub file: FileId,
    /// Its syntax tree.
    pub component: Component,
    /// What it refers to, in the order of the text; references that were not found are left out.
    pub references: Vec<Reference>,
    /// The component it refines.
    pub refines: Option<UnitId>,
    /// The definition files it draws in, each once, innermost first.
    pub definition_files: Vec<DefinitionFileId>,
    /// Whether a reference could not be followed or declarations could not be read, here or further on, so
    /// that unknown names are no surprise.
    pub incomplete: bool,
    /// Whether the file has syntax errors.
    pub broken: bool,
}

/// A reference to another component.
#[derive(Clone, Debug)]
pub struct Reference {
    /// How.
    pub link: Link,
    /// The reference as written.
    pub written: MachineRef,
    /// What it leads to.
    pub unit: UnitId,
}

/// Names a loaded definition file.
pub type DefinitionFileId = Id<DefinitionFile>;

/// A loaded definition file; of a machine named in DEFINITIONS only the definitions are used.
#[derive(Debug)]
pub struct DefinitionFile {
    /// Its syntax tree.
    pub component: Component,
    /// Whether it is part of the built-in library.
    pub built_in: bool,
    /// Whether definitions could not be read.
    pub incomplete: bool,
}

/// All components reached from one file.
#[derive(Debug, Default)]
pub struct Project {
    /// The components; what a component refers to has a smaller id.
    pub units: Arena<Unit>,
    /// The definition files.
    pub definition_files: Arena<DefinitionFile>,
    /// The component that was asked for.
    pub main: Option<UnitId>,
    /// The reference that first led to each file but the main one.
    pub led_to: FxHashMap<FileId, Span>,
}

/// Loads `path` and everything it refers to.
pub fn load(path: &Path, sources: &mut Sources, diagnostics: &mut Diagnostics) -> Project {
    match Loader::new(sources, diagnostics).read_main(path) {
        Some(text) => load_text(path, text, sources, diagnostics),
        None => Project::default(),
    }
}

/// Loads a text as if it were the file at `path`, and everything it refers to.
pub fn load_text(
    path: &Path,
    text: String,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Project {
    let file = sources.add(path, text);
    let mut loader = Loader::new(sources, diagnostics);
    let main = loader.unit(file, path);
    loader.project.main = Some(main);
    loader.project
}

/// What is known about a file on the way.
#[derive(Clone, Copy)]
enum Progress {
    /// It is being loaded: meeting it again closes a cycle.
    Open,
    /// It could not be loaded; that was reported.
    Failed,
    /// It is there.
    Done(UnitId),
}

struct Loader<'a> {
    sources: &'a mut Sources,
    diagnostics: &'a mut Diagnostics,
    project: Project,
    known: FxHashMap<PathBuf, Progress>,
    known_definitions: FxHashMap<PathBuf, Option<DefinitionFileId>>,
    /// The machines being loaded, outermost first.
    open: Vec<(PathBuf, Name)>,
    /// The definition files being loaded, outermost first.
    open_definitions: Vec<PathBuf>,
}

impl<'a> Loader<'a> {
    fn new(sources: &'a mut Sources, diagnostics: &'a mut Diagnostics) -> Loader<'a> {
        Loader {
            sources,
            diagnostics,
            project: Project::default(),
            known: FxHashMap::default(),
            known_definitions: FxHashMap::default(),
            open: Vec::new(),
            open_definitions: Vec::new(),
        }
    }

    /// Reads the main file; its problems have no place in a text.
    fn read_main(&mut self, path: &Path) -> Option<String> {
        self.read(path, Diagnostic::global)
    }

    /// Reads a file that `at` asks for.
    fn read_referenced(&mut self, path: &Path, at: Span) -> Option<String> {
        self.read(path, |code, message| Diagnostic::error(code, at, message))
    }

    fn read(
        &mut self,
        path: &Path,
        report: impl Fn(&'static Code, String) -> Diagnostic,
    ) -> Option<String> {
        match read(path, self.sources.files()) {
            Ok((text, lossy)) => {
                if let Some(offset) = lossy {
                    let message = format!("{} is not valid UTF-8 at byte {offset}", path.display());
                    let mut warning = report(&codes::NOT_UTF8, message);
                    warning.severity = base::Severity::Warning;
                    self.diagnostics
                        .push(warning.help("save the file as UTF-8; the bytes are read as U+FFFD"));
                }
                Some(text)
            }
            Err((code, message)) => {
                self.diagnostics.push(report(code, message));
                None
            }
        }
    }

    /// Parses a file and follows its references.
    fn unit(&mut self, file: FileId, path: &Path) -> UnitId {
        let key = canonical(path);
        self.known.insert(key.clone(), Progress::Open);
        let parsed = parse::component(file, self.sources.text(file));
        let broken = parsed.diagnostics.has_errors();
        self.diagnostics.extend(parsed.diagnostics);
        let component = parsed.component;
        self.open.push((key.clone(), component.name));
        let directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let packages = self.packages(&component, &directory);

        let mut references = Vec::new();
        let mut refines = None;
        let mut definition_files = Vec::new();
        let mut incomplete = parsed.names_lost;
        for clause in &component.clauses {
            match &clause.body {
                ClauseBody::Refines(written) => {
                    refines = self.reference(written, &directory, &packages);
                    incomplete |= refines.is_none_or(|unit| self.is_incomplete(unit));
                }
                ClauseBody::References(link, list) => {
                    for written in list {
                        match self.reference(written, &directory, &packages) {
                            Some(unit) => {
                                incomplete |= self.is_incomplete(unit);
                                references.push(Reference {
                                    link: *link,
                                    written: written.clone(),
                                    unit,
                                });
                            }
                            None => incomplete = true,
                        }
                    }
                }
                ClauseBody::Definitions(definitions) => {
                    // The file itself may be named as a definition file further on.
                    let outer = std::mem::replace(&mut self.open_definitions, vec![key.clone()]);
                    for definition in definitions {
                        if let Definition::File(written) = definition {
                            incomplete |=
                                !self.definitions(written, &directory, &mut definition_files);
                        }
                    }
                    self.open_definitions = outer;
                }
                _ => {}
            }
        }
        self.open.pop();
        let files = &self.project.definition_files;
        incomplete |= definition_files.iter().any(|id| files[*id].incomplete);
        let unit = self.project.units.push(Unit {
            file,
            component,
            references,
            refines,
            definition_files,
            incomplete,
            broken,
        });
        self.known.insert(key, Progress::Done(unit));
        unit
    }

    fn is_incomplete(&self, unit: UnitId) -> bool {
        self.project.units[unit].incomplete
    }

    /// The folders of imported packages.
    fn packages(&mut self, component: &Component, directory: &Path) -> Vec<PathBuf> {
        let mut root = directory.to_path_buf();
        let mut folders = Vec::new();
        for pragma in &component.pragmas {
            let mismatch =
                |message: String| Diagnostic::error(&codes::PACKAGE_MISMATCH, pragma.span, message);
            match pragma.kind {
                FilePragmaKind::Package(name) => {
                    let absolute = canonical(directory);
                    let parts: Vec<&str> = name.as_str().split('.').collect();
                    let fits = absolute
                        .components()
                        .rev()
                        .zip(parts.iter().rev())
                        .filter(|(folder, part)| folder.as_os_str() == **part)
                        .count()
                        == parts.len();
                    if fits {
                        root = absolute;
                        for _ in parts {
                            root.pop();
                        }
                    } else {
                        self.diagnostics.push(
                            mismatch(format!("package `{name}` does not fit the folder"))
                                .note(format!("the file lies in {}", directory.display())),
                        );
                    }
                }
                FilePragmaKind::ImportPackage(name) => {
                    let folder = root.join(name.as_str().replace('.', "/"));
                    if folder.is_dir() {
                        folders.push(folder);
                    } else {
                        self.diagnostics.push(
                            mismatch(format!("imported package `{name}` does not exist"))
                                .note(format!("looked for {}", folder.display())),
                        );
                    }
                }
                FilePragmaKind::Generated => {}
            }
        }
        folders
    }

    /// Follows a reference to another component.
    fn reference(
        &mut self,
        written: &MachineRef,
        directory: &Path,
        packages: &[PathBuf],
    ) -> Option<UnitId> {
        let (path, built_in) = self.find(written, directory, packages)?;
        let key = canonical(&path);
        match self.known.get(&key) {
            Some(Progress::Done(unit)) => return Some(*unit),
            Some(Progress::Failed) => return None,
            Some(Progress::Open) => {
                let from = self.open.iter().position(|(open, _)| *open == key);
                let mut names: Vec<&str> = self.open[from.unwrap_or(0)..]
                    .iter()
                    .map(|(_, name)| name.as_str())
                    .collect();
                names.push(written.machine.as_str());
                let error =
                    |message: String| Diagnostic::error(&codes::CYCLE, written.span, message);
                self.diagnostics.push(if names.len() == 2 {
                    error(format!("machine `{}` refers to itself", written.machine))
                } else {
                    error(format!(
                        "machines refer to each other in a cycle: {}",
                        names.join(" -> ")
                    ))
                    .help("move what both machines need into a third one that both see")
                });
                return None;
            }
            None => {}
        }
        if self.known.len() >= MAX_FILES {
            self.diagnostics.push(Diagnostic::error(
                &codes::TOO_MANY_FILES,
                written.span,
                format!("more than {MAX_FILES} files are drawn in"),
            ));
            return None;
        }
        let text = match built_in {
            Some(text) => Some(text.to_owned()),
            None => self.read_referenced(&path, written.span),
        };
        let Some(text) = text else {
            self.known.insert(key, Progress::Failed);
            return None;
        };
        let file = self.sources.add(&path, text);
        self.project.led_to.insert(file, written.span);
        let unit = base::deep::recurse(|| self.unit(file, &path));
        let found = &self.project.units[unit].component;
        if found.name != written.machine {
            self.diagnostics.push(
                Diagnostic::error(
                    &codes::NAME_DIFFERS,
                    written.span,
                    format!(
                        "{} holds machine `{}`, not `{}`",
                        path.display(),
                        found.name,
                        written.machine
                    ),
                )
                .also(found.name_span, "the name in that file")
                .help("rename the file or the machine so that both agree"),
            );
        }
        Some(unit)
    }

    /// The file of a referenced machine, with its text when it is built in.
    fn find(
        &mut self,
        written: &MachineRef,
        directory: &Path,
        packages: &[PathBuf],
    ) -> Option<(PathBuf, Option<&'static str>)> {
        if let Some(given) = written.file {
            let path = directory.join(given.as_str());
            if path
                .file_stem()
                .is_none_or(|stem| *stem != *written.machine.as_str())
            {
                self.diagnostics.push(
                    Diagnostic::error(
                        &codes::FILE_PRAGMA,
                        written.span,
                        format!("the file pragma of `{}` names {given}", written.machine),
                    )
                    .help(format!(
                        "the file of a machine has its name: rename it to {}.mch, or refer to its machine",
                        written.machine
                    )),
                );
                return None;
            }
            if self.sources.files().is_file(&path) {
                return Some((path, None));
            }
            self.diagnostics.push(Diagnostic::error(
                &codes::MACHINE_NOT_FOUND,
                written.span,
                format!("machine `{}` is not found at {given}", written.machine),
            ));
            return None;
        }
        let folders = || std::iter::once(directory).chain(packages.iter().map(PathBuf::as_path));
        for folder in folders() {
            for extension in EXTENSIONS {
                let path = folder.join(format!("{}.{extension}", written.machine));
                if self.sources.files().is_file(&path) {
                    return Some((path, None));
                }
            }
        }
        if let Some(text) = stdlib::machine_file(written.machine.as_str()) {
            return Some((
                PathBuf::from(format!("<{}.mch>", written.machine)),
                Some(text),
            ));
        }
        let mut error = Diagnostic::error(
            &codes::MACHINE_NOT_FOUND,
            written.span,
            format!("machine `{}` is not found", written.machine),
        )
        .note(format!(
            "looked for {0}.ref, {0}.mch, {0}.sys and {0}.imp in {1}",
            written.machine,
            show_folder(directory)
        ));
        if let Some(near) = near_file(written.machine, folders()) {
            error = error.help(format!("there is {near}: file names are matched exactly"));
        }
        self.diagnostics.push(error);
        None
    }
}

#[cfg(test)]
mod tests;
