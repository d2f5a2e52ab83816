//! What is recognised and not supported.

base::codes! {
    REAL "M0401" Unsupported
        "real numbers"
        "real(m, e) and numbers with a point belong to CMurphi's extension for hybrid systems. Burnside has no \
         real numbers in Murphi programs.\n\nFix: scale to integers.";
    PROBABILITY "M0402" Unsupported
        "probabilistic rules and PCTL"
        "Rules with probabilities and pctl properties belong to FHP-Murphi. Burnside does not evaluate them.";
    EXTERN "M0403" Unsupported
        "external functions"
        "externfun and externproc call C++ code, which Burnside cannot run or permute.\n\nFix: write the function in Murphi.";
    TOO_MANY_CELLS "M0404" Unsupported
        "state too large"
        "A state may have a million simple values. Arrays and multisets count all their elements.\n\nFix: smaller index types.";
    WIDE_RANGE "M0405" Unsupported
        "range too wide for a variable"
        "A variable holds one of at most 4,294,967,294 values. Constants and intermediate values may be larger.";
    LONG_LOOP "M0408" Unsupported
        "loop over too many values"
        "for, forall and exists go through at most 1,048,576 values of a type.\n\nFix: a smaller type, or for x := a to b.";
    WHOLE_CHOICE "M0407" Unsupported
        "choice between values with parts"
        "\"? :\" chooses between simple values here, not between records, arrays or multisets, and parts are taken of variables \
         and of results of functions only.\n\nFix: use if, or choose between the parts.";
    TOO_MANY_INSTANCES "M0406" Unsupported
        "too many rule instances"
        "The parameters of rulesets give more than sixteen million rule instances.\n\nFix: smaller types of parameters.";
}
