//! Tables of diagnostic codes, and the words for counts in their messages.

/// Declares codes: `NAME "id" Class "title" "explanation";`, and the list `ALL` of the table. A code without a comment of its
/// own is documented by its title.
#[macro_export]
macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident $id:literal $class:ident $title:literal $explain:literal;)*) => {
        $(
            $(#[doc = $doc])*
            #[doc = $title]
            pub static $name: $crate::Code = $crate::Code {
                id: $id,
                class: $crate::Class::$class,
                title: $title,
                explain: $explain,
            };
        )*
        /// Every code of this table.
        pub static ALL: &[&$crate::Code] = &[$(&$name),*];
    };
}

/// "no arguments", "1 argument", "2 arguments".
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
