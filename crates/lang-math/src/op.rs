//! The table of operators: spelling, priority, associativity and type of each.
//!
//! Parsers, printers and the type checker read this table; adding an operator is adding a line.
//! Type schemes are explained in [`crate::scheme`].

use crate::expr::Sort;

/// How operators of one priority group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assoc {
    /// `a∘b∘c` is `(a∘b)∘c`.
    Left,
    /// `a∘b∘c` is `a∘(b∘c)`.
    Right,
    /// `a∘b∘c` is an error.
    None,
}

/// How an operator is written. Priorities are those of classical B: bigger binds tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A word or symbol by itself.
    Constant,
    /// `word(a, b)`
    Function,
    /// `a ∘ b`
    Infix(u16, Assoc),
    /// `∘ a`
    Prefix(u16),
    /// `a ∘`
    Postfix(u16),
    /// Brackets of its own: `{a, b}`, `[a, b]`, `r[S]`.
    Brackets,
}

macro_rules! operators {
    ($($(#[doc = $doc:literal])* $op:ident $ascii:literal $unicode:literal $notation:expr, $scheme:literal;)*) => {
        /// An operator of the mathematical language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op {
            $(#[doc = $ascii] $(#[doc = $doc])* $op,)*
        }

        impl Op {
            /// Every operator, in the order of the table.
            pub const ALL: &'static [Op] = &[$(Op::$op),*];

            /// The ASCII spelling.
            pub fn ascii(self) -> &'static str {
                match self { $(Op::$op => $ascii),* }
            }

            /// The Unicode spelling; the ASCII one where there is no other.
            pub fn unicode(self) -> &'static str {
                match self { $(Op::$op => if $unicode.is_empty() { $ascii } else { $unicode }),* }
            }

            /// How it is written.
            pub fn notation(self) -> Notation {
                use Assoc::{Left, Right};
                use Notation::{Brackets, Constant, Function, Infix, Postfix, Prefix};
                match self { $(Op::$op => $notation),* }
            }

            /// Its type, as text.
            pub fn scheme_text(self) -> &'static str {
                match self { $(Op::$op => $scheme),* }
            }
        }
    };
}

operators! {
    // Predicates.
    Implies "=>" "⇒" Infix(30, Left), "pred, pred -> pred";
    And "&" "∧" Infix(40, Left), "pred, pred -> pred";
    Or "or" "∨" Infix(40, Left), "pred, pred -> pred";
    Equivalent "<=>" "⇔" Infix(60, Left), "pred, pred -> pred";
    Not "not" "¬" Function, "pred -> pred";
    Equal "=" "" Infix(70, Assoc::None), "a, a -> pred";
    NotEqual "/=" "≠" Infix(70, Assoc::None), "a, a -> pred";
    Member ":" "∈" Infix(70, Assoc::None), "a, POW(a) -> pred";
    NotMember "/:" "∉" Infix(70, Assoc::None), "a, POW(a) -> pred";
    Subset "<:" "⊆" Infix(70, Assoc::None), "POW(a), POW(a) -> pred";
    NotSubset "/<:" "⊈" Infix(70, Assoc::None), "POW(a), POW(a) -> pred";
    StrictSubset "<<:" "⊂" Infix(70, Assoc::None), "POW(a), POW(a) -> pred";
    NotStrictSubset "/<<:" "⊄" Infix(70, Assoc::None), "POW(a), POW(a) -> pred";
    Less "<" "" Infix(70, Assoc::None), "n, n -> pred";
    LessEqual "<=" "≤" Infix(70, Assoc::None), "n, n -> pred";
    Greater ">" "" Infix(70, Assoc::None), "n, n -> pred";
    GreaterEqual ">=" "≥" Infix(70, Assoc::None), "n, n -> pred";
    Truth "btrue" "⊤" Constant, "-> pred";
    Falsity "bfalse" "⊥" Constant, "-> pred";
    Finite "@finite" "" Function, "POW(a) -> pred";
    Partition "@partition" "" Function, "POW(a).. -> pred";

    // Constants.
    True "TRUE" "" Constant, "-> BOOL";
    False "FALSE" "" Constant, "-> BOOL";
    Booleans "BOOL" "𝔹" Constant, "-> POW(BOOL)";
    Integers "INTEGER" "ℤ" Constant, "-> POW(INTEGER)";
    Naturals "NATURAL" "ℕ" Constant, "-> POW(INTEGER)";
    Naturals1 "NATURAL1" "ℕ1" Constant, "-> POW(INTEGER)";
    /// The implementable integers, `MININT..MAXINT`.
    Int "INT" "" Constant, "-> POW(INTEGER)";
    Nat "NAT" "" Constant, "-> POW(INTEGER)";
    Nat1 "NAT1" "" Constant, "-> POW(INTEGER)";
    MaxInt "MAXINT" "" Constant, "-> INTEGER";
    MinInt "MININT" "" Constant, "-> INTEGER";
    Strings "STRING" "" Constant, "-> POW(STRING)";
    Reals "REAL" "ℝ" Constant, "-> POW(REAL)";
    Floats "FLOAT" "" Constant, "-> POW(REAL)";
    EmptySet "{}" "∅" Constant, "-> POW(a)";
    EmptySequence "[]" "" Constant, "-> SEQ(a)";
    Successor "succ" "" Constant, "-> POW(INTEGER*INTEGER)";
    Predecessor "pred" "" Constant, "-> POW(INTEGER*INTEGER)";
    /// The first component of any pair of its type, as a function.
    Projection1 "@prj1" "" Constant, "-> POW((a*b)*a)";
    Projection2 "@prj2" "" Constant, "-> POW((a*b)*b)";

    // Loosest expressions: only inside brackets.
    Composition ";" "" Infix(20, Left), "POW(a*b), POW(b*c) -> POW(a*c)";
    /// Composition kept symbolic by a pragma.
    SymbolicComposition "/*@symbolic*/;" "" Infix(20, Left), "POW(a*b), POW(b*c) -> POW(a*c)";
    ParallelProduct "||" "∥" Infix(20, Left), "POW(a*b), POW(c*e) -> POW((a*c)*(b*e))";

    OfType "⦂" "" Infix(120, Assoc::None), "a, POW(a) -> a";

    // Arrows.
    Relations "<->" "↔" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalRelations "<<->" "\u{e100}" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    SurjectiveRelations "<->>" "\u{e101}" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalSurjectiveRelations "<<->>" "\u{e102}" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    PartialFunctions "+->" "⇸" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalFunctions "-->" "→" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    PartialInjections ">+>" "⤔" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalInjections ">->" "↣" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    PartialSurjections "+->>" "⤀" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalSurjections "-->>" "↠" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    PartialBijections ">+>>" "" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";
    TotalBijections ">->>" "⤖" Infix(125, Left), "POW(a), POW(b) -> POW(POW(a*b))";

    // Sets, relations, sequences: one level.
    Overwrite "<+" "\u{e103}" Infix(160, Left), "POW(a*b), POW(a*b) -> POW(a*b)";
    DirectProduct "><" "⊗" Infix(160, Left), "POW(a*b), POW(a*c) -> POW(a*(b*c))";
    /// Backward composition: `r∘s` is `(s;r)`.
    Ring "∘" "" Infix(160, Left), "POW(b*c), POW(a*b) -> POW(a*c)";
    Concat "^" "⌒" Infix(160, Left), "q, q -> q";
    DomainRestriction "<|" "◁" Infix(160, Left), "POW(a), POW(a*b) -> POW(a*b)";
    DomainSubtraction "<<|" "⩤" Infix(160, Left), "POW(a), POW(a*b) -> POW(a*b)";
    RangeRestriction "|>" "▷" Infix(160, Left), "POW(a*b), POW(b) -> POW(a*b)";
    RangeSubtraction "|>>" "⩥" Infix(160, Left), "POW(a*b), POW(b) -> POW(a*b)";
    InsertFront "->" "⇾" Infix(160, Left), "a, SEQ(a) -> SEQ(a)";
    InsertTail "<-" "⇽" Infix(160, Left), "SEQ(a), a -> SEQ(a)";
    Union "\\/" "∪" Infix(160, Left), "POW(a), POW(a) -> POW(a)";
    Intersection "/\\" "∩" Infix(160, Left), "POW(a), POW(a) -> POW(a)";
    TakeFirst "/|\\" "↑" Infix(160, Left), "SEQ(a), INTEGER -> SEQ(a)";
    DropFirst "\\|/" "↓" Infix(160, Left), "SEQ(a), INTEGER -> SEQ(a)";
    Maplet "|->" "↦" Infix(160, Left), "a, b -> a*b";
    Interval ".." "‥" Infix(170, Left), "INTEGER, INTEGER -> POW(INTEGER)";

    // Arithmetic.
    Add "+" "" Infix(180, Left), "n, n -> n";
    /// Difference of numbers or of sets: the type decides.
    Minus "-" "−" Infix(180, Left), "d, d -> d";
    SetMinus "\\" "∖" Infix(180, Left), "POW(a), POW(a) -> POW(a)";
    /// Product of numbers or of sets: the type decides; see the checker.
    Times "*" "∗" Infix(190, Left), "a, b -> c";
    Cartesian "×" "" Infix(190, Left), "POW(a), POW(b) -> POW(a*b)";
    Divide "/" "÷" Infix(190, Left), "n, n -> n";
    Modulo "mod" "" Infix(190, Left), "INTEGER, INTEGER -> INTEGER";
    /// The quotient rounded down, as in Z.
    FloorDivide "@div" "" Infix(190, Left), "INTEGER, INTEGER -> INTEGER";
    /// The remainder of [`Op::FloorDivide`]: it has the sign of the divisor.
    FloorModulo "@mod" "" Infix(190, Left), "INTEGER, INTEGER -> INTEGER";
    Power "**" "˄" Infix(200, Right), "n, INTEGER -> n";
    Negate "-" "−" Prefix(210), "n -> n";
    Inverse "~" "∼" Postfix(230), "POW(a*b) -> POW(b*a)";
    Image "[]" "" Brackets, "POW(a*b), POW(a) -> POW(b)";

    // Extensions.
    SetExtension "{}" "" Brackets, "a.. -> POW(a)";
    SequenceExtension "[]" "" Brackets, "a.. -> SEQ(a)";

    // Functions of the notation.
    ToBool "bool" "" Function, "pred -> BOOL";
    Max "max" "" Function, "POW(n) -> n";
    Min "min" "" Function, "POW(n) -> n";
    Card "card" "" Function, "POW(a) -> INTEGER";
    PowerSet "POW" "ℙ" Function, "POW(a) -> POW(POW(a))";
    PowerSet1 "POW1" "ℙ1" Function, "POW(a) -> POW(POW(a))";
    FiniteSubsets "FIN" "" Function, "POW(a) -> POW(POW(a))";
    FiniteSubsets1 "FIN1" "" Function, "POW(a) -> POW(POW(a))";
    GeneralUnion "union" "" Function, "POW(POW(a)) -> POW(a)";
    GeneralIntersection "inter" "" Function, "POW(POW(a)) -> POW(a)";
    Identity "id" "" Function, "POW(a) -> POW(a*a)";
    Domain "dom" "" Function, "POW(a*b) -> POW(a)";
    Range "ran" "" Function, "POW(a*b) -> POW(b)";
    /// First projection of a product of two given sets.
    Prj1 "prj1" "" Function, "POW(a), POW(b) -> POW((a*b)*a)";
    Prj2 "prj2" "" Function, "POW(a), POW(b) -> POW((a*b)*b)";
    /// The first component of one pair.
    Component1 "prj1" "" Function, "a*b -> a";
    Component2 "prj2" "" Function, "a*b -> b";
    Iterate "iterate" "" Function, "POW(a*a), INTEGER -> POW(a*a)";
    /// Reflexive and transitive closure.
    Closure "closure" "" Function, "POW(a*a) -> POW(a*a)";
    Closure1 "closure1" "" Function, "POW(a*a) -> POW(a*a)";
    ToFunction "fnc" "" Function, "POW(a*b) -> POW(a*POW(b))";
    ToRelation "rel" "" Function, "POW(a*POW(b)) -> POW(a*b)";
    Sequences "seq" "" Function, "POW(a) -> POW(SEQ(a))";
    Sequences1 "seq1" "" Function, "POW(a) -> POW(SEQ(a))";
    InjectiveSequences "iseq" "" Function, "POW(a) -> POW(SEQ(a))";
    InjectiveSequences1 "iseq1" "" Function, "POW(a) -> POW(SEQ(a))";
    Permutations "perm" "" Function, "POW(a) -> POW(SEQ(a))";
    Size "size" "" Function, "q -> INTEGER";
    First "first" "" Function, "SEQ(a) -> a";
    Last "last" "" Function, "SEQ(a) -> a";
    Front "front" "" Function, "SEQ(a) -> SEQ(a)";
    Tail "tail" "" Function, "SEQ(a) -> SEQ(a)";
    Reverse "rev" "" Function, "q -> q";
    Flatten "conc" "" Function, "SEQ(q) -> q";
    Floor "floor" "" Function, "REAL -> INTEGER";
    Ceiling "ceiling" "" Function, "REAL -> INTEGER";
    ToReal "real" "" Function, "INTEGER -> REAL";

    // Trees: context keywords.
    Trees "tree" "" Function, "POW(a) -> POW(TREE(a))";
    BinaryTrees "btree" "" Function, "POW(a) -> POW(TREE(a))";
    TreeNode "const" "" Function, "a, SEQ(TREE(a)) -> TREE(a)";
    TreeTop "top" "" Function, "TREE(a) -> a";
    TreeSons "sons" "" Function, "TREE(a) -> SEQ(TREE(a))";
    TreePrefix "prefix" "" Function, "TREE(a) -> SEQ(a)";
    TreePostfix "postfix" "" Function, "TREE(a) -> SEQ(a)";
    TreeSize "sizet" "" Function, "TREE(a) -> INTEGER";
    TreeMirror "mirror" "" Function, "TREE(a) -> TREE(a)";
    TreeRank "rank" "" Function, "TREE(a), SEQ(INTEGER) -> INTEGER";
    TreeFather "father" "" Function, "TREE(a), SEQ(INTEGER) -> SEQ(INTEGER)";
    TreeSon "son" "" Function, "TREE(a), SEQ(INTEGER), INTEGER -> SEQ(INTEGER)";
    Subtree "subtree" "" Function, "TREE(a), SEQ(INTEGER) -> TREE(a)";
    TreeArity "arity" "" Function, "TREE(a), SEQ(INTEGER) -> INTEGER";
    BinaryLeaf "bin" "" Function, "a -> TREE(a)";
    BinaryNode "bin" "" Function, "TREE(a), a, TREE(a) -> TREE(a)";
    BinaryLeft "left" "" Function, "TREE(a) -> TREE(a)";
    BinaryRight "right" "" Function, "TREE(a) -> TREE(a)";
    TreeInfix "infix" "" Function, "TREE(a) -> SEQ(a)";
}

impl Op {
    /// Whether it compares values that may be sets kept as rules: arithmetic may decide what a look at elements leaves open.
    pub fn compares_values(self) -> bool {
        use Op::*;
        matches!(
            self,
            Equal
                | NotEqual
                | Member
                | NotMember
                | Subset
                | NotSubset
                | StrictSubset
                | NotStrictSubset
                | Finite
        )
    }

    /// Whether it builds the relations or functions between two sets: `<->`, `+->`, `-->`, …
    pub fn is_arrow(self) -> bool {
        matches!(self.notation(), Notation::Infix(125, _))
    }

    /// Whether it forms a predicate or an expression.
    pub fn sort(self) -> Sort {
        if self.scheme_text().ends_with("-> pred") {
            Sort::Predicate
        } else {
            Sort::Expression
        }
    }

    /// The sort its operands must have. No operator mixes the two.
    pub fn operand_sort(self) -> Sort {
        if self.scheme_text().starts_with("pred") {
            Sort::Predicate
        } else {
            Sort::Expression
        }
    }

    /// How many operands it takes; `None` for any number.
    pub fn arity(self) -> Option<usize> {
        let (operands, _) = self.scheme_text().split_once("->")?;
        let operands = operands.trim();
        if operands.ends_with("..") {
            return None;
        }
        let mut depth = 0_usize;
        let mut count = usize::from(!operands.is_empty());
        for c in operands.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => count += 1,
                _ => {}
            }
        }
        Some(count)
    }
}
