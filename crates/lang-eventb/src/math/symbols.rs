//! The operators of Event-B: spelling in Unicode and ASCII, group, and what may stand beside what without
//! parentheses.
//!
//! Reference: the parser tables of the Rodin core. Groups bind tighter with growing number; inside a group two
//! operators combine only where [`combines`] says so, the left one first.
//! Differs from classical B: `×` is `**`, `^` is power, `\` is set minus, `-` is arithmetic only, `;` and `∥` are
//! ordinary infix operators, `id`, `prj1` and `prj2` are constants.

use lang_math::Op;

/// How tightly an infix operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// `⇒ ⇔`
    Implication,
    /// `∧ ∨`
    Junction,
    /// `= ∈ ⊆ < …`
    Relation,
    /// `↦`
    Pair,
    /// `⦂`
    OfType,
    /// `↔ → ⇸ …`
    Arrow,
    /// `∪ ∩ ∖ × ; …`
    Set,
    /// `‥`
    Interval,
    /// `+ − ∗ ÷ mod ^`
    Arithmetic,
}

/// An infix operator.
#[derive(Clone, Copy, Debug)]
pub struct Infix {
    /// The operator.
    pub op: Op,
    /// Its Unicode spelling.
    pub unicode: &'static str,
    /// Its ASCII spelling.
    pub ascii: &'static str,
    /// How tightly it binds.
    pub group: Group,
}

macro_rules! infixes {
    ($($op:ident $unicode:literal $ascii:literal $group:ident;)*) => {
        /// All infix operators.
        pub const INFIX: &[Infix] = &[$(Infix {
            op: Op::$op,
            unicode: $unicode,
            ascii: $ascii,
            group: Group::$group,
        }),*];
    };
}

infixes! {
    Implies "⇒" "=>" Implication;
    Equivalent "⇔" "<=>" Implication;
    And "∧" "&" Junction;
    Or "∨" "or" Junction;
    Equal "=" "=" Relation;
    NotEqual "≠" "/=" Relation;
    Member "∈" ":" Relation;
    NotMember "∉" "/:" Relation;
    Subset "⊆" "<:" Relation;
    NotSubset "⊈" "/<:" Relation;
    StrictSubset "⊂" "<<:" Relation;
    NotStrictSubset "⊄" "/<<:" Relation;
    Less "<" "<" Relation;
    LessEqual "≤" "<=" Relation;
    Greater ">" ">" Relation;
    GreaterEqual "≥" ">=" Relation;
    Maplet "↦" "|->" Pair;
    OfType "⦂" "oftype" OfType;
    Relations "↔" "<->" Arrow;
    TotalRelations "\u{e100}" "<<->" Arrow;
    SurjectiveRelations "\u{e101}" "<->>" Arrow;
    TotalSurjectiveRelations "\u{e102}" "<<->>" Arrow;
    PartialFunctions "⇸" "+->" Arrow;
    TotalFunctions "→" "-->" Arrow;
    PartialInjections "⤔" ">+>" Arrow;
    TotalInjections "↣" ">->" Arrow;
    PartialSurjections "⤀" "+->>" Arrow;
    TotalSurjections "↠" "-->>" Arrow;
    TotalBijections "⤖" ">->>" Arrow;
    Union "∪" "\\/" Set;
    Intersection "∩" "/\\" Set;
    SetMinus "∖" "\\" Set;
    Cartesian "×" "**" Set;
    Composition ";" ";" Set;
    Ring "∘" "circ" Set;
    Overwrite "\u{e103}" "<+" Set;
    ParallelProduct "∥" "||" Set;
    DirectProduct "⊗" "><" Set;
    DomainRestriction "◁" "<|" Set;
    DomainSubtraction "⩤" "<<|" Set;
    RangeRestriction "▷" "|>" Set;
    RangeSubtraction "⩥" "|>>" Set;
    Interval "‥" ".." Interval;
    Add "+" "+" Arithmetic;
    Minus "−" "-" Arithmetic;
    Times "∗" "*" Arithmetic;
    Divide "÷" "/" Arithmetic;
    Modulo "mod" "mod" Arithmetic;
    Power "^" "^" Arithmetic;
}

/// Words that stand before an argument in parentheses.
pub const FUNCTIONS: &[(Op, &str, &str)] = &[
    (Op::Finite, "finite", "finite"),
    (Op::Partition, "partition", "partition"),
    (Op::PowerSet, "ℙ", "POW"),
    (Op::PowerSet1, "ℙ1", "POW1"),
    (Op::Card, "card", "card"),
    (Op::GeneralUnion, "union", "union"),
    (Op::GeneralIntersection, "inter", "inter"),
    (Op::Domain, "dom", "dom"),
    (Op::Range, "ran", "ran"),
    (Op::Min, "min", "min"),
    (Op::Max, "max", "max"),
];

/// Words and symbols that stand for themselves. [`Op::Identity`] without operands is `id`.
pub const CONSTANTS: &[(Op, &str, &str)] = &[
    (Op::Truth, "⊤", "true"),
    (Op::Falsity, "⊥", "false"),
    (Op::True, "TRUE", "TRUE"),
    (Op::False, "FALSE", "FALSE"),
    (Op::Booleans, "BOOL", "BOOL"),
    (Op::Integers, "ℤ", "INT"),
    (Op::Naturals, "ℕ", "NAT"),
    (Op::Naturals1, "ℕ1", "NAT1"),
    (Op::EmptySet, "∅", "{}"),
    (Op::Successor, "succ", "succ"),
    (Op::Predecessor, "pred", "pred"),
    (Op::Identity, "id", "id"),
    (Op::Projection1, "prj1", "prj1"),
    (Op::Projection2, "prj2", "prj2"),
];

/// The entry of an infix operator.
pub fn infix(op: Op) -> Option<&'static Infix> {
    INFIX.iter().find(|infix| infix.op == op)
}

/// How tightly arithmetic operators bind among themselves.
pub fn strength(op: Op) -> u8 {
    match op {
        Op::Add | Op::Minus | Op::Negate => 0,
        Op::Times | Op::Divide | Op::Modulo => 1,
        _ => 2,
    }
}

/// Whether `a left b right c` is `(a left b) right c` without parentheses, for two operators of one group; for
/// arithmetic operators, of the same strength.
pub fn combines(left: Op, right: Op) -> bool {
    use Op::*;
    matches!(
        (left, right),
        (And, And)
            | (Or, Or)
            | (Maplet, Maplet)
            | (Union, Union)
            | (Ring, Ring)
            | (Overwrite, Overwrite)
            | (Cartesian, Cartesian)
            | (
                Intersection,
                Intersection | SetMinus | RangeRestriction | RangeSubtraction
            )
            | (
                Composition,
                Composition | RangeRestriction | RangeSubtraction
            )
            | (
                DomainRestriction | DomainSubtraction,
                Intersection
                    | SetMinus
                    | Composition
                    | DirectProduct
                    | RangeRestriction
                    | RangeSubtraction
            )
            | (Add | Minus | Negate, Add | Minus)
            | (Times, Times | Divide | Modulo)
            | (Divide, Times | Modulo)
            | (Modulo, Times | Divide)
    )
}

/// Words of the mathematical language that name nothing else.
pub fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "bool" | "mod" | "or" | "not" | "circ" | "oftype" | "UNION" | "INTER"
    ) || FUNCTIONS
        .iter()
        .chain(CONSTANTS)
        .any(|(_, unicode, ascii)| *unicode == word || *ascii == word)
}
