//! Functions of the host that depend on nothing but their arguments: strings, numbers, order.
//!
//! What reads clocks, files or the run itself is not evaluated here: asking for it is a fault of kind
//! `Unsupported`.

mod cores;
mod numbers;
mod order;
mod strings;

use base::Name;
use model::Tys;

use crate::cx::{Cx, R};
use crate::ops::OpTy;
use crate::trap::Cause;
use crate::value::V;

/// Whether a function depends on nothing but its arguments.
pub(crate) fn is_pure(name: Name) -> bool {
    let name = name.as_str();
    !(name.starts_with("random")
        || name.starts_with("RANDOM")
        || matches!(
            name,
            "TIME"
                | "WALLTIME"
                | "RUNTIME"
                | "DELTA_WALLTIME"
                | "STORE"
                | "STORE_VALUE"
                | "RECALL_VALUE"
                | "READ_LINE"
                | "GET_CODE"
                | "GET_CODE_STDIN"
                | "HISTORY"
        )
        || name.starts_with("READ_")
        || name.ends_with("FILES")
        || name.ends_with("DIRECTORIES"))
}

/// The value of a function, or the truth of a predicate of the host as a boolean.
pub(crate) fn call(cx: &mut Cx<'_>, name: Name, ty: &OpTy, args: &[V], tys: &Tys) -> R<V> {
    let text = name.as_str();
    if let Some(result) = numbers::call(text, args) {
        return result;
    }
    if let Some(result) = strings::call(cx, text, ty, args, tys) {
        return result;
    }
    if let Some(result) = order::call(cx, text, ty, args) {
        return result;
    }
    if let Some(result) = cores::call(cx, text, ty, args) {
        return result;
    }
    match (text, args) {
        // Output: always true, and not shown here.
        (
            "printf" | "print1" | "printf_nonvar" | "tprintf" | "printf_opt_trace" | "iprintf"
            | "printf_two" | "dprintf" | "fprintf" | "observe" | "observe_silent"
            | "observe_indent" | "tobserve" | "observe_fun" | "ENUMERATE" | "DO_NOT_ENUMERATE"
            | "LINKED_ENUMERATION" | "CHECK_DET" | "TRACE" | "LEQ_SYM" | "LEQ_SYM_BREAK",
            _,
        ) => Ok(V::bool(true)),
        ("vprintf" | "fvprintf", [.., value]) => Ok(value.clone()),
        ("FORCE" | "ENUM", [value]) => Ok(value.clone()),
        ("ASSERT_TRUE", [holds, _]) => {
            if holds.word() == 1 {
                Ok(V::bool(true))
            } else {
                Err(Cause::Assert.trap())
            }
        }
        ("ASSERT_EXPR", [holds, _, value]) => {
            if holds.word() == 1 {
                Ok(value.clone())
            } else {
                Err(Cause::Assert.trap())
            }
        }
        _ => Err(Cause::External.trap()),
    }
}
