//! Elements and attributes of Rodin's XML, handles and places.

use base::Name;
use roxmltree::Node;

/// What all element and attribute names start with; those of the theory plug-in first.
const PREFIXES: [&str; 2] = ["org.eventb.theory.core.", "org.eventb.core."];

/// The kind of an element, without the prefix.
pub(super) fn element<'n>(node: Node<'n, '_>) -> &'n str {
    let name = node.tag_name().name();
    without_prefix(name).unwrap_or(name)
}

pub(super) fn without_prefix(name: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))
}

pub(super) fn attribute<'n>(node: Node<'n, '_>, name: &str) -> Option<&'n str> {
    node.attributes()
        .find(|attribute| without_prefix(attribute.name()) == Some(name))
        .map(|attribute| attribute.value())
}

pub(super) fn children<'n, 'd: 'n>(node: Node<'n, 'd>) -> impl Iterator<Item = Node<'n, 'd>> {
    node.children().filter(|child| child.is_element())
}

/// Whether an element belongs to a checked file.
pub(super) fn is_checked(node: Node<'_, '_>) -> bool {
    element(node).starts_with("sc")
}

/// Whether an element of a checked machine comes from the machine's own source.
pub(super) fn is_own(node: Node<'_, '_>, machine: Name) -> bool {
    match attribute(node, "source") {
        Some(handle) => {
            let file = handle.split('|').next().unwrap_or("");
            stem(file) == machine.as_str()
        }
        None => true,
    }
}

/// The name at the end of a handle: `/P/M.bcm|…scMachineFile#M|…scEvent#evt` is `evt`, `/P/C.bcc` is `C`.
pub(super) fn handle_name(handle: &str) -> String {
    // A `#` in a name is escaped.
    let mut name = None;
    let mut escaped = false;
    for (at, c) in handle.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '#' => name = Some(at + 1),
            _ => {}
        }
    }
    match name {
        Some(at) => unescaped(&handle[at..]),
        None => stem(handle).to_owned(),
    }
}

pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

/// A file name without folder and extension.
pub(super) fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// The byte at a position of an XML error.
pub(super) fn offset(text: &str, position: roxmltree::TextPos) -> u32 {
    let before: usize = text
        .split_inclusive('\n')
        .take((position.row as usize).saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text.get(before..).unwrap_or("");
    let column = (position.col as usize).saturating_sub(1);
    let within = line
        .char_indices()
        .nth(column)
        .map_or(line.len(), |(at, _)| at);
    (before + within) as u32
}
