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
    TOO_MANY_INSTANCES "M0406" Unsupported
        "too many rule instances"
        "The parameters of rulesets give more than sixteen million rule instances.\n\nFix: smaller types of parameters.";
}
