//! The normalised form of one machine, exactly: order of clauses, line ends, indentation, parentheses.

use base::Id;
use lang_b::parse;
use lang_b::print::{self, Style};

const WRITTEN: &str = r#"
/*@package shop.stock */
MACHINE Shelf(ITEM, limit) OPERATIONS
 put(i) = PRE ((i:ITEM) & (i/:stored)) & card(stored)<limit THEN stored:=(stored\/{i})||newest:=i END;
 r<--count=r:=card(stored) /*@desc how many*/;
 clear = BEGIN stored:={}; IF limit> -1 THEN skip ELSIF limit=2 THEN skip ELSE newest::ITEM END END;
 guess = ANY x,y WHERE x:ITEM & y=x|->(1,2) THEN CASE limit OF EITHER 1,2 THEN skip OR 3 THEN newest:(newest:ITEM & newest$0/=newest) END END END
INITIALISATION stored:={} || newest::ITEM
INVARIANT stored<:ITEM & newest:ITEM & !(x).(x:stored => x:ITEM & (x=newest or x/=newest) & not(x:(ITEM-ITEM)) & ({newest}<|(id(ITEM);id(ITEM)))(newest)=newest)
DEFINITIONS full==(card(stored)=limit); "Library.def"; twice(a)==a;
 both==x,y
VARIABLES stored /*@desc what is on the shelf*/, newest
CONSTRAINTS limit:NAT1
END
"#;

const PRINTED: &str = r#"/*@package shop.stock*/
MACHINE Shelf(ITEM, limit)
CONSTRAINTS
  limit : NAT1
VARIABLES
  stored /*@desc what is on the shelf*/, newest
INVARIANT
  stored <: ITEM &
  newest : ITEM &
  !x.(
    x : stored =>
    x : ITEM &
    (x = newest or x /= newest) &
    not(x : ITEM - ITEM) &
    ({newest} <| (id(ITEM) ; id(ITEM)))(newest) = newest
  )
DEFINITIONS
  full == card(stored) = limit;
  "Library.def";
  twice(a) == a;
  both == x, y
INITIALISATION
  stored := {} || newest :: ITEM
OPERATIONS
  put(i) =
    PRE i : ITEM & i /: stored & card(stored) < limit THEN
      stored := stored \/ {i} || newest := i
    END;

  r <-- count =
    r := card(stored) /*@desc how many*/;

  clear =
    BEGIN
      stored := {};
      IF limit > -1 THEN
        skip
      ELSIF limit = 2 THEN
        skip
      ELSE
        newest :: ITEM
      END
    END;

  guess =
    ANY x, y
    WHERE x : ITEM & y = x |-> (1 |-> 2) THEN
      CASE limit OF
        EITHER 1, 2 THEN
          skip
        OR 3 THEN
          newest : (newest : ITEM & newest$0 /= newest)
        END
      END
    END
END
"#;

#[test]
fn a_machine_prints_in_normal_form() {
    let parsed = parse::component(Id::new(0), WRITTEN);
    let messages: Vec<_> = parsed.diagnostics.iter().map(|d| &d.message).collect();
    assert!(messages.is_empty(), "{messages:?}");
    let printed = print::component(&parsed.component, &Style::default());
    assert_eq!(printed, PRINTED);
}

#[test]
fn the_normal_form_is_printed_as_it_is() {
    let parsed = parse::component(Id::new(0), PRINTED);
    assert_eq!(
        print::component(&parsed.component, &Style::default()),
        PRINTED
    );
}
