//! The rules of SPIN about where statements may stand.

base::codes! {
    BREAK "P0401" Type
        "break outside of a loop"
        "break leaves the innermost do or for around it; here is none.";
    LABEL_PLACE "P0402" Type
        "label on the first statement of a block"
        "A block, an atomic or d_step sequence and both sides of unless have no state of their own before their first \
         statement, so the label has to stand before the block.\n\n\
         Example: atomic { L: x = 1; … }\nFix:     L: atomic { x = 1; … }";
    LABEL_IN_OPTION "P0403" Type
        "label on the first statement of an option"
        "The first statement of an option has no state of its own: the process is at the if or do. The label is never \
         reached by P@L; as end, progress or accept label it counts for the if or do.\n\nFix: put it before the if or do.";
    JUMP "P0404" Type
        "jump to, into or out of a d_step"
        "A d_step is one step: goto and break stay inside of it or outside of it. SPIN refuses also those that lead to \
         its beginning, the break of a loop before it among them.\n\n\
         Example: do … :: else -> break od; d_step { … }\nFix:     do … :: else -> break od; skip; d_step { … }";
    D_STEP "P0405" Type
        "statement that a d_step cannot contain"
        "A d_step is deterministic and has no effect on other processes: it has no run, no unless and no remote \
         references.\n\nFix: use atomic.";
    TWO_ELSE "P0406" Type
        "two else in one selection"
        "if and do have at most one else.";
    ELSE_WITH_EXCLUSIVE "P0407" Type
        "else beside channel operations, with xr or xs"
        "else is possible when no other option is. Where another option sends or receives, that depends on other processes, \
         and xr and xs promise that it does not.\n\nFix: remove the else, or the xr and xs.";
    CLAIM "P0408" Type
        "statement that a never claim cannot contain"
        "A claim observes: it sends and receives nothing and starts no process.";
    TRACE "P0409" Type
        "statement that a trace cannot contain"
        "A trace consists of send and receive events on global channels, selections, loops, goto, break and labels.";
    NON_PROGRESS "P0410" Type
        "np_ outside of a claim"
        "np_ is true when no process is at a progress label; only claims and formulas can see that.";
    NO_PROCESS "P0411" Type
        "no process"
        "Nothing runs: a program needs init or an active proctype.\n\nExample: proctype P() { skip }\n\
         Fix:     active proctype P() { skip }";
    GOTO_CYCLE "P0412" Type
        "gotos that lead to each other"
        "Labels and gotos form a circle without any statement.";
    TEMPORAL_OPERAND "P0413" Type
        "temporal operator inside arithmetic"
        "[], <>, U and their kin bind more tightly than ==, so [] x == 1 compares [] x with 1.\n\n\
         Example: [] x == 1\nFix:     [] (x == 1)";
    PROVIDED "P0414" Type
        "condition that provided cannot have"
        "A condition after provided is about global variables, _pid and constants.";
    LATE_CHANNEL "P0415" Type
        "channel declared after a statement"
        "A channel with \"= [n] of { … }\" is created with its process, so its declaration stands before the first \
         statement and outside of blocks.";
    NEAR_ELSE "P0416" Type
        "else beside channel operations"
        "else is possible when no other option is; where another option sends or receives, that depends on what other \
         processes do at this moment.";
    NOT_EXCLUSIVE "P0417" Type
        "xr or xs of a channel that others use, too"
        "xr and xs promise that this process alone receives from the channel, or sends to it. SPIN's partial order reduction \
         believes it and stops with an error when a run shows that it is not so. Here nothing depends on the promise.\n\n\
         Fix: remove the xr or xs.";
}
