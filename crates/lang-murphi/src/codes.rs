//! The kinds of diagnostics of Murphi, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`syntax`] (the parser), [`scope`] (names), [`typing`], [`support`] (what is recognised but not
//! supported), [`hints`] (warnings). Ids are never reused.

use base::Code;

pub mod hints;
pub mod scope;
pub mod support;
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

/// Every code of Murphi.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        syntax::ALL,
        scope::ALL,
        typing::ALL,
        support::ALL,
        hints::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}
