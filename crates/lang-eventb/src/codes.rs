//! The kinds of diagnostics of Event-B, with the long texts of `burnside --explain`. Ids are never reused.

use base::Code;

base::codes! {
    PACKAGE "E0001" Syntax "a package cannot be read"
        "A ProB package is one Prolog fact, `package(load_event_b_project(Machines, Contexts, Infos, Error)).`, as ProB and its plug-in for Rodin write it. This file ends too early, is no such fact, or has a part that is not where it must be. Export the model again.";
    UNKNOWN_TERM "E0002" Unsupported "a package holds a construct that is not known"
        "The package was written by an exporter that knows more constructs than this version, or holds an operator of a theory whose definition it does not carry. The message names the construct.";
    SYNTAX "E0003" Syntax "a formula or a component cannot be read"
        "The text is no formula of Event-B, or no component in one of the notations that are read. Differences from classical B: pairs are `a ↦ b`, never `(a,b)`; `×` or `**` is the product of sets; `∖` or `\\` is set difference; quantifiers are `∀x·P`; the parts of a comprehension are `{x·P∣E}`.";
    PARENTHESES "E0004" Syntax "parentheses are needed"
        "Event-B has no priority between operators of one group, except where everybody agrees: `P ∧ Q ∨ R`, `A ∪ B ∩ C` and `P ⇒ Q ⇒ R` are not formulas. Put parentheses around what comes first.";
    UNREADABLE "E0005" Usage "a file cannot be read"
        "The file, or a file in the folder or archive, cannot be read.";
    XML "E0006" Syntax "a Rodin file cannot be read"
        "A `.bum`, `.buc`, `.bcm` or `.bcc` file is XML whose root element is a context or a machine. This file is cut off, is no XML, or lacks an attribute that Rodin always writes.";
    INACCURATE "E0007" Type "Rodin found errors in a component"
        "Rodin marks a checked file whose source has errors; the elements with errors are missing in it. Mend them in Rodin, or check the source: Burnside reports what is wrong with it.";
    COMPOSITION "E0302" Unsupported "machines are composed"
        "The inclusion and synchronisation of machines (CamilleX `includes`, `synchronises`) cannot be read. Let the tool that supports it write the composed machine.";
    DUPLICATE "E0101" Type "a name is declared twice"
        "Carrier sets, constants, variables and the parameters of an event have different names, also across the contexts that a machine sees. A variable of a refined machine may be declared again: it is kept. A constant or set may not.";
    UNKNOWN_NAME "E0102" Type "a name is not declared"
        "The formula uses a name that is no carrier set, constant, variable or parameter here. A machine sees the contexts under SEES and what those extend; invariants see the variables of the refined machine too, guards and actions do not; a primed name is a variable after the event and belongs into `:∣` and witnesses.";
    UNKNOWN_COMPONENT "E0103" Type "a component is not there"
        "EXTENDS, SEES or REFINES names a context or machine that is neither in the package, the project folder or the archive. Check the spelling, or add the file.";
    CYCLE "E0104" Type "components depend on each other in a circle"
        "A context cannot extend itself, and a machine cannot refine itself, through however many steps.";
    UNKNOWN_EVENT "E0105" Type "a refined event is not there"
        "An event refines an event that the refined machine does not have.";
    TYPE_MISMATCH "E0201" Type "types do not fit"
        "The two sides of an operator, or an operand and its operator, have types that cannot be equal.";
    NO_TYPE "E0202" Type "a type cannot be inferred"
        "The type of a name follows from the axioms, invariants or guards: membership, inclusion or equality with something whose type is known. Nothing here decides it. Add, for example, an axiom `x ∈ S`. The empty set and `id`, `prj1`, `prj2` may be given a type with `⦂`.";
    WRONG_SORT "E0203" Type "a predicate stands for an expression, or the other way round"
        "`bool(P)` turns a predicate into a value; `E = TRUE` turns a boolean value into a predicate.";
    ASSIGNED_TWICE "E0204" Type "an action is not possible here"
        "The actions of an event happen at once, so each variable is assigned by one of them; and only variables of this machine can be assigned.";
    WITNESS "E0205" Type "a witness belongs to nothing"
        "The label of a witness is a parameter of the refined event that this event does not have, or a variable of the refined machine that is no longer there, with a prime.";
    EXTENDED "E0206" Type "an extended event needs one event to extend"
        "An extended event takes over parameters, guards and actions of exactly one event of the refined machine.";
    THEORY "E0301" Unsupported "an operator of a theory cannot be used"
        "Operators with a direct definition, and data types with their constructors and destructors, are supported when the package carries the theory or its source (.tuf) lies beside the machine. Operators that are defined by axioms only, or by recursion without cases, cannot be run.";
}

/// Every code of Event-B.
pub fn all() -> impl Iterator<Item = &'static Code> {
    ALL.iter().copied()
}
