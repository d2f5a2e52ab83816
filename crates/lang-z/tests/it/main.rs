//! The tests of the reader of Z, in one program.

mod email;
mod oracle;
