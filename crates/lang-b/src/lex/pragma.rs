//! Pragmas: comments that mean something, and what their contents must look like.

use super::is_blank;

/// The pragmas that mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pragma {
    /// `/*@symbolic*/`
    Symbolic,
    /// `/*@label L*/`
    Label,
    /// `/*@desc text*/`
    Desc,
    /// `/*@file "path"*/`
    File,
    /// `/*@package a.b*/`
    Package,
    /// `/*@import-package a.b*/`
    ImportPackage,
    /// `/*@generated*/`
    Generated,
}

impl Pragma {
    fn named(name: &str) -> Option<Pragma> {
        Some(match name {
            "symbolic" => Pragma::Symbolic,
            "label" => Pragma::Label,
            "desc" => Pragma::Desc,
            "file" => Pragma::File,
            "package" => Pragma::Package,
            "import-package" => Pragma::ImportPackage,
            "generated" => Pragma::Generated,
            _ => return None,
        })
    }
}

/// The name of a pragma and what follows it, from the whole text of the comment.
pub(crate) fn pragma_parts(comment: &str) -> Option<(Pragma, &str)> {
    let inner = comment.strip_prefix("/*@")?;
    let inner = inner.strip_suffix("*/").unwrap_or(inner).trim();
    let length = inner
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .unwrap_or(inner.len());
    let (name, rest) = inner.split_at(length);
    Some((Pragma::named(name)?, rest.trim()))
}

/// What is wrong with the contents of a pragma.
pub(super) fn malformed(pragma: Pragma, content: &str) -> Option<&'static str> {
    let quoted = content.len() >= 2 && content.starts_with('"') && content.ends_with('"');
    match pragma {
        Pragma::Label if content.is_empty() => Some("write /*@label name*/"),
        Pragma::Label if !quoted && content.contains('"') => Some("close the quotes of the label"),
        Pragma::Label if !quoted && content.contains(is_blank) => {
            Some("put a label of several words in quotes: /*@label \"two words\"*/")
        }
        Pragma::Generated if !content.is_empty() => {
            Some("nothing follows \"generated\"; drop the \"@\" to make this a comment")
        }
        _ => None,
    }
}
