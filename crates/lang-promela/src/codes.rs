//! The kinds of diagnostics of Promela, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`preprocess`], [`syntax`] (the parser), [`names`] (declarations and kinds), [`structure`] (the
//! rules of SPIN about statements). Ids are never reused.

use base::Code;

pub mod names;
pub mod preprocess;
pub mod structure;
pub mod syntax;

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

/// Every code of Promela.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [preprocess::ALL, syntax::ALL, names::ALL, structure::ALL]
        .into_iter()
        .flatten()
        .copied()
}
