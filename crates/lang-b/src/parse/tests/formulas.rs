//! Claims about the structure of predicates and expressions.

use super::{read, refused, tree};

#[test]
fn and_or_share_a_level_and_equivalence_binds_tighter() {
    assert_eq!(
        tree("a=1 or b=2 & c=3"),
        "(And (Or (Equal a 1) (Equal b 2)) (Equal c 3))"
    );
    assert_eq!(
        tree("a=1 & b=2 <=> c=3"),
        "(And (Equal a 1) (Equivalent (Equal b 2) (Equal c 3)))"
    );
    assert_eq!(
        tree("a=1 => b=2 => c=3"),
        "(Implies (Implies (Equal a 1) (Equal b 2)) (Equal c 3))"
    );
}

#[test]
fn expression_operators_follow_the_table() {
    assert_eq!(tree("-2**2"), "(Power (Negate 2) 2)");
    assert_eq!(tree("2**3**2"), "(Power 2 (Power 3 2))");
    assert_eq!(tree("-f(x)"), "(Negate (f @ x))");
    assert_eq!(tree("9--2"), "(Minus 9 (Negate 2))");
    assert_eq!(tree("2**-1"), "(Power 2 (Negate 1))");
    assert_eq!(tree("1..n-1\\/S"), "(Union (Interval 1 (Minus n 1)) S)");
    assert_eq!(tree("a|->b|->c"), "(Maplet (Maplet a b) c)");
    assert_eq!(tree("(a,b,c)"), "(Maplet (Maplet a b) c)");
    assert_eq!(
        tree("A-->B\\/C-->D"),
        "(TotalFunctions (TotalFunctions A (Union B C)) D)"
    );
    assert_eq!(tree("x=3|->1"), "(Equal x (Maplet 3 1))");
    assert_eq!(tree("x<-1"), "(InsertTail x 1)");
    assert_eq!(tree("r~[S](x)'a"), "(((Image (Inverse r) S) @ x)'a)");
    assert_eq!(tree("S ∋ x"), "(Member x S)");
}

#[test]
fn composition_needs_brackets_of_its_own_or_of_a_keyword() {
    assert_eq!(tree("(r;s)"), "(Composition r s)");
    assert_eq!(tree("dom(r;s)"), "(Domain (Composition r s))");
    assert_eq!(tree("(r||s;t)"), "(Composition (ParallelProduct r s) t)");
    assert_eq!(tree("(r /*@symbolic*/ ; s)"), "(SymbolicComposition r s)");
    assert!(refused("f(r;s)"));
    assert!(refused("r;s"));
    assert!(refused("[r;s]"));
}

#[test]
fn braces_hold_elements_or_bind_names() {
    assert_eq!(tree("{}"), "{}");
    assert_eq!(tree("{1,2}"), "(SetExtension 1 2)");
    assert_eq!(tree("{x,y|x=y}"), "(Comprehension x,y . (Equal x y))");
    assert_eq!(tree("{(x,y)|x=y}"), "(Comprehension x,y . (Equal x y))");
    assert_eq!(tree("{x·x:S|x+1}"), "(Image x . (Member x S) | (Add x 1))");
    assert_eq!(
        tree("{(x).x:S|x+1}"),
        "(Image x . (Member x S) | (Add x 1))"
    );
    assert_eq!(
        tree("/*@symbolic*/ {x|x>0}"),
        "(symbolic Comprehension x . (Greater x 0))"
    );
    assert!(refused("{x+1|x:S}"));
    assert!(refused("{x:S}"));
}

#[test]
fn binders_take_names_with_or_without_parentheses() {
    for text in ["!x,y.(x=y)", "!(x,y).(x=y)", "∀x,y·(x=y)"] {
        assert_eq!(tree(text), "(Forall x,y . (Equal x y))");
    }
    assert_eq!(tree("%x.(x:S|x)(3)"), "((Lambda x . (Member x S) | x) @ 3)");
    assert!(refused("!x.x:S=>x>0"));
    assert!(refused("%x.(x:S)"));
    assert!(refused("!a.b.(x=1)"));
}

#[test]
fn keywords_need_their_arguments() {
    assert_eq!(tree("prj1(p)"), "(Component1 p)");
    assert_eq!(tree("prj1(S,T)"), "(Prj1 S T)");
    assert_eq!(tree("succ"), "succ");
    assert_eq!(tree("bin(1)"), "(BinaryLeaf 1)");
    assert_eq!(tree("bin(l,1,r)"), "(BinaryNode l 1 r)");
    assert_eq!(tree("left(t)"), "(BinaryLeft t)");
    assert_eq!(tree("`left`(t)"), "(left @ t)");
    assert_eq!(tree("left"), "left");
    for text in [
        "card(S,T)",
        "card()",
        "card",
        "max S",
        "iterate(r)",
        "not x=3",
    ] {
        assert!(refused(text), "{text}");
    }
}

#[test]
fn sorts_are_not_mixed() {
    for text in [
        "TRUE & FALSE",
        "(x=3)+1",
        "{x=3}",
        "bool(3)",
        "not(TRUE)",
        "IF 1=1 THEN 2 ELSE 1=2 END",
        "f(x=3)",
    ] {
        assert!(refused(text), "{text}");
    }
    for text in ["1=TRUE", "p & q(x)", "bool(p)", "bool(x=3)=b"] {
        assert!(!refused(text), "{text}");
    }
}

#[test]
fn comparisons_and_signs_do_not_chain() {
    for text in ["a<b<c", "x=y=z", "- -1", "--1", "r~~"] {
        assert!(refused(text), "{text}");
    }
    assert_eq!(tree("(r~)~"), "(Inverse (Inverse r))");
}

#[test]
fn conditionals_records_labels_and_the_rest() {
    assert_eq!(
        tree("IF a=1 THEN 1 ELSIF a=2 THEN 2 ELSE 3 END + 1"),
        "(Add (if (Equal a 1) -> 1 (Equal a 2) -> 2 else 3) 1)"
    );
    assert_eq!(tree("rec(a:1,b:2)'a"), "((record a:1 b:2)'a)");
    assert_eq!(tree("struct((a:S))"), "(record a:S)");
    assert_eq!(
        tree("/*@label one*/ a=1 & b=2 /*@desc two*/"),
        "(And (label one (Equal a 1)) (desc (Equal b 2) two))"
    );
    assert_eq!(
        tree("a=1 <=> b=2 /*@desc both*/ & c=3"),
        "(And (desc (Equivalent (Equal a 1) (Equal b 2)) both) (Equal c 3))"
    );
    assert!(refused("a=1 /*@desc one*/ <=> b=2"));
    assert_eq!(tree("[x:=1](x>0)"), "(after x := 1 (Greater x 0))");
    assert_eq!(
        tree("[x:=2] x=2 & y=1"),
        "(And (after x := 2 (Equal x 2)) (Equal y 1))"
    );
    assert_eq!(tree("x$0 + inst.y"), "(Add x$0 inst.y)");
    assert_eq!(tree("0xFF + 1.5"), "(Add 255 1.5)");
    assert_eq!(tree(r#""a\tb\q""#), r#""a\tb\\q""#);
}

#[test]
fn a_template_holds_formulas() {
    let text = tree("```a${x+1}b$d{y}```");
    assert!(text.starts_with("Template([Text(a), Value("), "{text}");
    let text = tree(r#"```${"a\"}"}b```"#);
    assert!(text.ends_with(", Text(b)])"), "{text}");
    assert!(refused("```${1+}```"));
    assert!(refused("```${x=1}```"));
}

#[test]
fn a_place_covers_the_parentheses_of_its_operands() {
    for text in ["(a) + (b)", "(f)(x)", "(r)~", "((a),(b)) |-> (c)", "(r)[S]"] {
        let (id, exprs, _) = read(text);
        let span = exprs.span(id);
        assert_eq!(
            (span.start as usize, span.end as usize),
            (0, text.len()),
            "{text}"
        );
    }
}
