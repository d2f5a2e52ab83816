//! The kinds of diagnostics about temporal formulas. Ids are never reused.

use base::{Class, Code};

/// A formula cannot be read.
pub static SYNTAX: Code = Code {
    id: "F0001",
    class: Class::Syntax,
    title: "a temporal formula cannot be read",
    explain: "\
The text is not a formula of LTL or CTL. In short:

    atoms     {P}  [Op(1,_)]  e(Op)  deadlock  deadlock(Op,Op)  controller(…)  deterministic(…)  sink  goal
              changed({E})  unchanged({E})  increasing({E})  decreasing({E})  before_after({P})
    boolean   not  &  or  =>  <=>  true  false
    future    G  F  X  U  W  R            (CTL: AG AF AX EG EF EX  E f U g)
    past      H  O  Y  S  T
    all/some  !x.({P} => f)   #x.({P} & f)
    fairness  WF(Op)  SF(Op)  WEF  SEF    left of the outermost =>

From weak to strong: <=>, then =>, then & and or, then U W R S T, then not G F X H O Y. All but <=> group to the left.
docs/temporal.md has every spelling.",
};

/// A formula is nested too deeply.
pub static NESTED: Code = Code {
    id: "F0002",
    class: Class::Unsupported,
    title: "a temporal formula is nested too deeply",
    explain: "\
A formula may be nested 500 levels deep; long chains of one operator count one level for each operand. The automaton of
a formula grows much faster than that, so a deeper one could not be checked anyway. Split it into several formulas.",
};

/// Fairness stands where it has no meaning.
pub static FAIRNESS_PLACE: Code = Code {
    id: "F0003",
    class: Class::Syntax,
    title: "fairness stands where it has no meaning",
    explain: "\
WF(Op), SF(Op), WEF and SEF are assumptions about paths. They stand left of the outermost =>, combined with &, or and
parentheses, and with nothing else: `WF(a) & SF(b) => G F {done=TRUE}`. An ordinary premise goes to the right:
`WF(a) => (G {p} => F {q})`.",
};

/// `&` and `or` are mixed.
pub static MIXED: Code = Code {
    id: "F0004",
    class: Class::Syntax,
    title: "& and or are mixed without parentheses",
    explain: "\
In temporal formulas & and or have one priority and group to the left: `a or b & c` is `(a or b) & c`. The formula is
read that way. Add parentheses to say what is meant.",
};

/// A spelling of another tool.
pub static FOREIGN: Code = Code {
    id: "F0005",
    class: Class::Syntax,
    title: "a spelling of another tool",
    explain: "\
`[]` is read as G and `!` before a formula as not, although ProB knows neither. Write G and not, so that the formula means
the same everywhere.",
};

/// A name or a type in a formula does not fit the model.
pub static MISFIT: Code = Code {
    id: "F0101",
    class: Class::Type,
    title: "a temporal formula does not fit the model",
    explain: "\
A formula names an operation that the model does not have, gives an operation more arguments than it has parameters, or
puts an expression where a predicate is needed. Arguments may be left out at the end; `_` stands for any value.",
};

/// An atom is not supported.
pub static UNSUPPORTED: Code = Code {
    id: "F0102",
    class: Class::Unsupported,
    title: "a part of a temporal formula is not supported",
    explain: "\
The atom or construct is understood but has no meaning that can be checked here; the message says why. docs/warts.md lists
these with what to write instead.",
};

/// All codes, for `--explain`.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        &SYNTAX,
        &NESTED,
        &FAIRNESS_PLACE,
        &MIXED,
        &FOREIGN,
        &MISFIT,
        &UNSUPPORTED,
    ]
    .into_iter()
}
