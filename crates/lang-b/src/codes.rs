//! The kinds of diagnostics of classical B, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`syntax`] (the parser), [`structure`] (files and references), [`definitions`],
//! [`scope`] (names), [`typing`], [`hints`] (warnings). Ids are never reused.

use base::Code;

pub mod definitions;
pub mod hints;
pub mod scope;
pub mod structure;
pub mod syntax;
pub mod typing;

/// Declares codes: `NAME "id" Class "title" "explanation";`, and the list `ALL` of the table.
macro_rules! codes {
    ($($name:ident $id:literal $class:ident $title:literal $explain:literal;)*) => {
        $(
            #[doc = $title]
            pub static $name: base::Code = base::Code {
                id: $id,
                class: base::Class::$class,
                title: $title,
                explain: $explain,
            };
        )*
        /// Every code of this table.
        pub static ALL: &[&base::Code] = &[$(&$name),*];
    };
}
pub(crate) use codes;

/// "no arguments", "1 argument", "2 arguments".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// "none is given", "1 is given", "2 are given".
pub(crate) fn given(count: usize) -> String {
    match count {
        0 => "none is given".to_owned(),
        1 => "1 is given".to_owned(),
        _ => format!("{count} are given"),
    }
}

/// Every code of classical B.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        syntax::ALL,
        structure::ALL,
        definitions::ALL,
        scope::ALL,
        typing::ALL,
        hints::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}
