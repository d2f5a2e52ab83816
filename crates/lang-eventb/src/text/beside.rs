//! The files beside a text that hold the components it refers to.

use std::path::Path;

use base::{Diagnostics, Name, Sources};

use super::{components, is_text};
use crate::rodin;
use crate::syntax::Project;

/// A component that is referred to and not there, unless it was looked for.
pub(super) fn missing(project: &Project, done: &[Name]) -> Option<(Name, bool)> {
    let machines = project
        .machines
        .iter()
        .filter_map(|machine| machine.refines);
    let machines = machines.map(|reference| (reference.name, true));
    let seen = project.machines.iter().flat_map(|machine| &machine.sees);
    let extended = project.contexts.iter().flat_map(|context| &context.extends);
    let contexts = seen
        .chain(extended)
        .map(|reference| (reference.name, false));
    machines.chain(contexts).find(|(name, is_machine)| {
        let known = match is_machine {
            true => project.machine(*name),
            false => project.context(*name),
        };
        known.is_none() && !done.contains(name)
    })
}

pub(super) fn beside(
    path: &Path,
    name: Name,
    is_machine: bool,
    project: &mut Project,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) {
    if name.as_str().contains(['/', '\\']) {
        return;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let extensions = match is_machine {
        true => ["eventb", "bumx", "bum"],
        false => ["eventb", "bucx", "buc"],
    };
    for extension in extensions {
        let file = folder.join(format!("{name}.{extension}"));
        let Ok(text) = sources.files().read_text(&file) else {
            continue;
        };
        if text.trim_start().starts_with('<') {
            let mut reader = rodin::Reader::new(project, sources, diagnostics);
            reader.read(&file.display().to_string(), name.as_str(), text);
            reader.finish();
        } else if is_text(&text) {
            components(&file, text, project, sources, diagnostics);
        }
        return;
    }
}
