//! What is wrong with declarations, names and kinds of values.

base::codes! {
    UNDECLARED "P0301" Type
        "undeclared name"
        "A variable is declared before it is used, and known only in the block of its declaration (between braces) and in \
         blocks inside that. Variables of one proctype are not known in another.\n\n\
         Example: x = 1\nFix:     byte x; x = 1";
    REDECLARED "P0302" Type
        "name declared twice"
        "A name is declared once: a local variable may not have the name of a global one, of a parameter or of a variable \
         of an enclosing block. Other proctypes and blocks side by side may use the same name.\n\n\
         Example: byte x;  active proctype P() { byte x; … }\nFix:     rename one of the two";
    UNKNOWN_PROCTYPE "P0303" Type
        "unknown proctype"
        "run, P@L and P:x need the name of a proctype.";
    NOT_RUNNABLE "P0304" Type
        "run of something that is no proctype"
        "A never claim and a formula are not started by run; a check chooses them.";
    ARGUMENTS "P0305" Type
        "wrong number of arguments"
        "run gives one value for each parameter of the proctype; a structure counts as many as it has fields.";
    UNKNOWN_FIELD "P0306" Type
        "unknown field"
        "The structure has no field of this name.";
    NO_STRUCTURE "P0307" Type
        "field of something that is no structure"
        "Only variables of a type declared by typedef have fields.";
    WHOLE_STRUCTURE "P0308" Type
        "whole structure where a value is needed"
        "Structures are assigned and compared field by field. As a whole they can be sent, received and given to run.\n\n\
         Example: s = t\nFix:     s.a = t.a; s.b = t.b";
    NO_ARRAY "P0309" Type
        "index of something that is no array"
        "The variable was declared without a size.\n\nExample: byte x;  x[1] = 2\nFix:     byte x[2];";
    MISSING_INDEX "P0310" Type
        "array without an index"
        "An array is used element by element.\n\nExample: byte a[3];  x = a\nFix:     x = a[0]";
    NO_CHANNEL "P0311" Type
        "something else than a channel"
        "Only channels can be sent to, received from and asked about their messages.\n\n\
         Example: byte c;  c!1\nFix:     chan c = [1] of { byte };";
    TOO_MANY_FIELDS "P0312" Type
        "message with too many fields"
        "No channel of the program takes so many fields. A channel declared without \"= [n] of { … }\" takes none.";
    ARITHMETIC_ON_CHANNEL "P0313" Type
        "arithmetic on a channel"
        "A channel variable can be assigned another channel, but not computed with.";
    NOT_CONSTANT "P0314" Type
        "value that is no constant"
        "The size of an array, the capacity of a channel, a width, a priority and the number of active processes are \
         numbers known when the program is read: constants, macros and arithmetic on them.\n\n\
         Example: chan c = [n] of { byte };\nFix:     #define N 2\n         chan c = [N] of { byte };";
    BAD_SIZE "P0315" Type
        "size that makes no sense"
        "An array has at least one element, an unsigned has 1 to 31 bits, a channel holds at most 255 messages.";
    WIDTH "P0316" Type
        "width of a type that takes none"
        "A width is given for unsigned only, and has to be given there.\n\nExample: byte x : 3\nFix:     unsigned x : 3";
    INITIALISER "P0317" Type
        "first value that does not fit"
        "A list in braces is for arrays, [n] of { … } is for channels, parameters have none, and run cannot stand in \
         one.\n\nExample: byte c = [1] of { byte };\nFix:     chan c = [1] of { byte };";
    PARAMETER "P0318" Type
        "parameter that cannot be one"
        "A parameter is a single value, a channel or a structure: no array.";
    HIDDEN "P0319" Type
        "variable that cannot be hidden"
        "hidden is for global variables that are neither bit, bool nor chan.";
    PREDEFINED "P0320" Type
        "misuse of a predefined variable"
        "_pid, _nr_pr and _last are set by the run and can only be read; _ takes values and has none.";
    MTYPE "P0321" Type
        "wrong list of symbolic names"
        "The names of one mtype list do not fit a variable of another list.\n\n\
         Example: mtype:fruit f = hammer\nFix:     a name of mtype:fruit";
    MTYPE_LIST "P0322" Type
        "list of symbolic names that cannot be used"
        "A symbolic name stands once in all lists, and one kind of list has at most 255 names.";
    FOR_VARIABLE "P0323" Type
        "for or select over the wrong thing"
        "The variable of for and select is a plain number; \"in\" needs an array, or a channel of one structure together with \
         a variable of that structure; constant bounds must not be in the wrong order.";
    UNKNOWN_LABEL "P0324" Type
        "unknown label"
        "goto needs a label of the same proctype, P@L one of the proctype P.";
    DUPLICATE_LABEL "P0325" Type
        "label given twice"
        "A label stands once in a block.";
    REMOTE_VARIABLE "P0326" Type
        "unknown variable of another process"
        "P[p]:x needs a variable x that is declared in the proctype P.";
    TWICE_RECEIVED "P0327" Type
        "one variable for two fields"
        "A receive stores each field in a variable of its own.\n\nExample: c?x,x\nFix:     c?x,_";
    RUN_IN_EXPRESSION "P0328" Type
        "run inside an expression"
        "run stands alone, or alone on the right of an assignment: creating a process is an effect.\n\n\
         Example: x == 1 && run P()\nFix:     x == 1 -> run P()";
    DUPLICATE "P0329" Type
        "defined twice"
        "Proctypes, structures, formulas and traces have one definition each.";
    FEW_ARGUMENTS "P0330" Type
        "parameters without a value"
        "run gives fewer values than the proctype has parameters; the others are 0.";
    FIELD_COUNT "P0331" Type
        "message with the wrong number of fields"
        "The message has more or fewer fields than the channel. That is an error when the statement is executed.";
}
