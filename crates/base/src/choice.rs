//! The words that an option takes, as a type: one list for the command line, reports and tables.

/// Makes types whose values are words: `Name { Variant = "word" } default Variant;`.
#[macro_export]
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? } default $default:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name { $($(#[$variant_doc])* $variant),+ }

            impl $name {
                /// Every choice, in the order of the documentation.
                pub const ALL: &'static [$name] = &[$($name::$variant),+];
                /// Their words.
                pub const WORDS: &'static [&'static str] = &[$($word),+];

                /// The word on the command line and in reports.
                pub fn word(self) -> &'static str {
                    match self { $($name::$variant => $word),+ }
                }
            }

            impl std::str::FromStr for $name {
                type Err = String;
                fn from_str(word: &str) -> Result<$name, String> {
                    match word {
                        $($word => Ok($name::$variant),)+
                        _ => Err(format!("\"{word}\" is none of {}", Self::WORDS.join(", "))),
                    }
                }
            }

            impl Default for $name {
                fn default() -> $name {
                    $name::$default
                }
            }
        )+
    };
}
