//! Recognises the definitions by which a model talks to the tool instead of to its reader.
//!
//! ProB models carry settings as definitions with agreed names (`SET_PREF_MAXINT == 10`, `GOAL == P`). Nothing
//! in the model refers to them, so a front end that does not know the names would call them unused, and later
//! stages would not find them.
//! Invariant: a name is classified by its spelling alone; whether the body fits is for the reader of the setting.

use base::near::nearest;

use crate::stdlib::Kind;

/// What a definition with a special name is for; `None` for an ordinary definition.
pub fn setting(name: &str) -> Option<Setting<'_>> {
    let whole = WHOLE_NAMES
        .iter()
        .find(|(special, _)| *special == name)
        .map(|(_, setting)| *setting);
    whole
        .or_else(|| prefixed(name))
        .or_else(|| Kind::of_declaration(name).map(|(kind, name)| Setting::External(kind, name)))
}

/// A definition with a special name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting<'a> {
    /// `GOAL`: a predicate; reaching a state that satisfies it is reported.
    Goal,
    /// `SCOPE`: a predicate; states that violate it are not explored further.
    Scope,
    /// `scope_S`: the size of the deferred set `S`.
    SetSize(&'a str),
    /// `SET_PREF_X`: a known preference.
    Preference(&'static Preference),
    /// `SET_PREF_X`: a preference nobody knows.
    UnknownPreference(&'a str),
    /// `MAX_OPERATIONS_op`: how many ways to execute the operation are computed in a state.
    MaxOperations(&'a str),
    /// `ASSERT_LTL…`: a text with a formula of linear temporal logic.
    AssertLtl(&'a str),
    /// `ASSERT_CTL…`: a text with a formula of branching temporal logic.
    AssertCtl(&'a str),
    /// `HEURISTIC_FUNCTION…`: an expression; states with a small value are explored first.
    Heuristic,
    /// `FORCE_SYMMETRY_S`: the elements of `S` are to be treated as interchangeable.
    ForceSymmetry(&'a str),
    /// `OPERATION_REUSE_OFF_op`: results of the operation are not to be reused between states.
    OperationReuseOff(&'a str),
    /// `PROB_REQUIRED_VERSION`: the version of ProB the model was written for.
    RequiredVersion,
    /// `EXTERNAL_FUNCTION_X` and the like: the type of the external `X`.
    External(Kind, &'a str),
    /// A definition that only concerns pictures of states and runs.
    Picture(Picture),
    /// `GAME_…`: who moves and who has won, for playing against the model.
    Game(&'a str),
    /// `SHIELD_INTERVENTION`: what replaces a forbidden action of a learning agent.
    ShieldIntervention,
}

/// The ways to draw states and runs that definitions describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Picture {
    /// `ANIMATION_FUNCTION`, `ANIMATION_IMG1`, …: a state as a grid of images.
    Animation,
    /// `VISB_…`: a state as an SVG image.
    VisB,
    /// `CUSTOM_GRAPH…`: a state as a graph.
    Graph,
    /// `SEQUENCE_CHART_…`: a run as a sequence chart.
    SequenceChart,
}

/// A setting of ProB that a model may change with `SET_PREF_<name>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preference {
    /// Its name, without `SET_PREF_`.
    pub name: &'static str,
    /// Which values it takes.
    pub values: Values,
    /// What it is about.
    pub concern: Concern,
    /// Its value when nothing sets it, where that matters to us.
    pub default: Option<&'static str>,
}

/// Which values a preference takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Values {
    /// `TRUE` or `FALSE`.
    Boolean,
    /// An integer.
    Integer,
    /// An integer that is not negative.
    Natural,
    /// A word, possibly written as a string.
    Word,
}

/// What a preference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Concern {
    /// Which models are accepted.
    Language,
    /// Which values and states there are, or what is checked on them.
    Meaning,
    /// How much is computed before giving up.
    Limit,
    /// How ProB finds its answers; the answers do not depend on it.
    Solver,
    /// What the user sees.
    Display,
}

/// The preference with this name (without `SET_PREF_`).
pub fn preference(name: &str) -> Option<&'static Preference> {
    PREFERENCES.iter().find(|known| known.name == name)
}

/// The known preference whose name is closest to an unknown one, to suggest it.
pub fn nearest_preference(name: &str) -> Option<&'static str> {
    nearest(name, PREFERENCES.iter().map(|known| known.name))
}

const WHOLE_NAMES: &[(&str, Setting<'static>)] = &[
    ("GOAL", Setting::Goal),
    ("SCOPE", Setting::Scope),
    ("PROB_REQUIRED_VERSION", Setting::RequiredVersion),
    ("SHIELD_INTERVENTION", Setting::ShieldIntervention),
];

/// The setting announced by the first letters of a name.
fn prefixed(name: &str) -> Option<Setting<'_>> {
    // What follows these must name something.
    let named = |prefix| {
        name.strip_prefix(prefix)
            .filter(|rest: &&str| !rest.is_empty())
    };
    // What follows these only tells several definitions apart.
    let numbered = |prefix| name.strip_prefix(prefix);
    let preference = |wanted| match preference(wanted) {
        Some(known) => Setting::Preference(known),
        None => Setting::UnknownPreference(wanted),
    };
    None.or_else(|| named("scope_").map(Setting::SetSize))
        .or_else(|| named("SET_PREF_").map(preference))
        .or_else(|| named("MAX_OPERATIONS_").map(Setting::MaxOperations))
        .or_else(|| numbered("ASSERT_LTL").map(Setting::AssertLtl))
        .or_else(|| numbered("ASSERT_CTL").map(Setting::AssertCtl))
        .or_else(|| numbered("HEURISTIC_FUNCTION").map(|_| Setting::Heuristic))
        .or_else(|| named("FORCE_SYMMETRY_").map(Setting::ForceSymmetry))
        .or_else(|| named("OPERATION_REUSE_OFF_").map(Setting::OperationReuseOff))
        .or_else(|| named("ANIMATION_").map(|_| Setting::Picture(Picture::Animation)))
        .or_else(|| named("VISB_").map(|_| Setting::Picture(Picture::VisB)))
        .or_else(|| numbered("CUSTOM_GRAPH").map(|_| Setting::Picture(Picture::Graph)))
        .or_else(|| named("SEQUENCE_CHART_").map(|_| Setting::Picture(Picture::SequenceChart)))
        .or_else(|| named("GAME_").map(Setting::Game))
}

macro_rules! preferences {
    ($($concern:ident $values:ident: $($name:ident $(= $default:literal)?),+;)+) => {
        &[$($(Preference {
            name: stringify!($name),
            values: Values::$values,
            concern: Concern::$concern,
            default: preferences!(@ $($default)?),
        }),+),+]
    };
    (@) => { None };
    (@ $default:literal) => { Some($default) };
}

/// The preferences of ProB, with the defaults that decide what a model means.
const PREFERENCES: &[Preference] = preferences! {
    Language Boolean:
        ALLOW_COMPLEX_LETS = "FALSE", ALLOW_INCOMPLETE_SETUP_CONSTANTS = "FALSE",
        ALLOW_INIT_OVERRIDE = "FALSE", ALLOW_LOCAL_OPERATION_CALLS = "FALSE",
        ALLOW_NEW_OPERATIONS_IN_REFINEMENT = "FALSE", ALLOW_OPERATION_CALLS_IN_EXPRESSIONS = "FALSE",
        ALLOW_OUTPUT_READING = "FALSE", ALLOW_REALS = "TRUE", ALLOW_SIMULTANEOUS_ASSIGNMENTS = "FALSE",
        ALLOW_UNTYPED_IDENTIFIERS = "FALSE", BOOL_AS_PREDICATE = "FALSE", IGNORE_PRJ_TYPES = "FALSE",
        REQUIRE_OUTPUT_ASSIGNMENT = "FALSE", STRICT_CLASH_CHECKING = "FALSE", STRING_AS_SEQUENCE = "TRUE",
        TYPE_CHECK_DEFINITIONS, USE_IGNORE_PRAGMAS, WARN_IF_DEFINITION_HIDES_VARIABLE;
    Meaning Boolean:
        ASSERT_CHECKING = "TRUE", DATA_VALIDATION, ENUMERATE_INFINITE_TYPES = "TRUE",
        INVARIANT_CHECKING = "TRUE", PROOF_INFO = "TRUE", STATIC_SYMMETRY_DETECTION = "TRUE",
        TRY_FIND_ABORT = "FALSE", USE_SCOPE_DEFINITION = "TRUE", WD_ANALYSIS_FOR_ANIMATION;
    Meaning Integer:
        MAXINT = "3", MININT = "-1";
    Meaning Natural:
        DEFAULT_SETSIZE = "2", NUMBER_OF_ANIMATED_ABSTRACTIONS = "20",
        NUMBER_OF_SKIPPED_REFINEMENTS = "0";
    Meaning Word:
        RAISE_ABORT_IMMEDIATELY = "FALSE", SYMMETRY_MODE = "off";
    Limit Natural:
        EXPAND_FORALL_UPTO = "100", MAX_INITIALISATIONS = "4", MAX_OPERATIONS = "10",
        SYMBOLIC_LIMIT = "20000", TIME_OUT = "2500";
    Solver Boolean:
        CHR, CLPFD, COMPRESSION, CSE, CSE_PRED, CSE_SUBST, DISPROVER_MODE, DOUBLE_EVALUATION,
        EXPAND_CLOSURES_FOR_STATE, FORGET_STATE_SPACE, IGNORE_HASH_COLLISIONS, KODKOD,
        KODKOD_ONLY_FULL, KODKOD_RAISE_WARNINGS, LIFT_EXISTS, LTL_SAFETY_MODEL_CHECK, MEMO,
        MEMOIZE_FUNCTIONS, NORMALIZE_AST, OPTIMIZE_AST, PARTITION_PREDICATES, PERFORMANCE_INFO,
        RANDOMISED_RESTART_INIT, RANDOMISE_ENUMERATION_ORDER, RANDOMISE_OPERATION_ORDER, RECURSIVE,
        REMOVE_IMPLIED_CONSTRAINTS, SAFETY_MODEL_CHECK, SMT, SMT_SUPPORTED_INTERPRETER, STORE_DETAILED_TRANSITION_INFOS,
        SYMBOLIC, TRACE_UPON_ERROR, USE_CHR_SOLVER, USE_CLPFD_SOLVER, USE_RECORD_CONSTRUCTION,
        USE_SMT_MODE, USE_STATIC_ORDERING;
    Solver Natural:
        KODKOD_MAX_NR_SOLS, KODKOD_SYMMETRY, SOLVER_STRENGTH;
    Solver Word:
        KODKOD_SAT_SOLVER, OPERATION_REUSE, PGE, POR, REAL_SOLVER;
    Display Boolean:
        DOT_ARGUMENTS, DOT_COLOR_ARC_LABELS, DOT_DECOMPOSE_NODES, DOT_DEFINITIONS_USE_SUB_GRAPH,
        DOT_DIRECTED_EDGES, DOT_EDGE_LABELS, DOT_HORIZONTAL_LAYOUT, DOT_LIMIT_PAGE_SIZE, DOT_LOOPS,
        DOT_PRINT_SELF_LOOPS, DOT_ROOT, DOT_SHOW_OP_READ_WRITES, DOT_USE_PS_VIEWER, DOT_USE_UNICODE,
        DTVARS_IN_SECTION, PP_FRESH_DEFERRED_SET_ELEMENTS, PP_SEQUENCES, PP_WITH_TERMINAL_COLOURS,
        REPL_CACHE_PARSING, REPL_UNICODE, SHOW_EVENTB_ANY_VALUES = "FALSE", SHOW_FUNCTION_TUPLES_IN_PROPERTY,
        TRACE_INFO, UNICODE_OUTPUT, USE_SVG_VIEWER;
    Display Natural:
        DOT_FUNCTION_TREE, JVM_PARSER_HEAP_MB, MAX_DISPLAY_SET = "100", TK_CUSTOM_STATE_VIEW_FONT_SIZE,
        TK_CUSTOM_STATE_VIEW_PADDING, TK_CUSTOM_STATE_VIEW_STRING_PADDING;
    Display Word:
        DOT, DOT_ENGINE, DOT_FONT, DOT_NODE_FONT_SIZE, DOT_EDGE_FONT_SIZE, TK_CUSTOM_STATE_VIEW_FONT_NAME;
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_names_are_told_from_ordinary_ones() {
        assert_eq!(setting("GOAL"), Some(Setting::Goal));
        assert_eq!(setting("SCOPE"), Some(Setting::Scope));
        assert_eq!(setting("scope_PID"), Some(Setting::SetSize("PID")));
        assert_eq!(
            setting("MAX_OPERATIONS_new"),
            Some(Setting::MaxOperations("new"))
        );
        assert_eq!(setting("ASSERT_LTL"), Some(Setting::AssertLtl("")));
        assert_eq!(
            setting("ASSERT_LTL_live"),
            Some(Setting::AssertLtl("_live"))
        );
        assert_eq!(setting("ASSERT_CTL2"), Some(Setting::AssertCtl("2")));
        assert_eq!(setting("HEURISTIC_FUNCTION"), Some(Setting::Heuristic));
        assert_eq!(
            setting("FORCE_SYMMETRY_ID"),
            Some(Setting::ForceSymmetry("ID"))
        );
        assert_eq!(
            setting("OPERATION_REUSE_OFF_op"),
            Some(Setting::OperationReuseOff("op"))
        );
        assert_eq!(
            setting("PROB_REQUIRED_VERSION"),
            Some(Setting::RequiredVersion)
        );
        assert_eq!(setting("GAME_OVER"), Some(Setting::Game("OVER")));
        assert_eq!(
            setting("SHIELD_INTERVENTION"),
            Some(Setting::ShieldIntervention)
        );
        for (name, picture) in [
            ("ANIMATION_IMG1", Picture::Animation),
            ("VISB_SVG_OBJECTS", Picture::VisB),
            ("CUSTOM_GRAPH", Picture::Graph),
            ("CUSTOM_GRAPH_NODES1", Picture::Graph),
            ("SEQUENCE_CHART_main", Picture::SequenceChart),
        ] {
            assert_eq!(setting(name), Some(Setting::Picture(picture)), "{name}");
        }
        for ordinary in [
            "goal",
            "scope",
            "scope_",
            "GOALS",
            "SET_PREF_",
            "EXTERNAL_FUNCTION_",
            "x",
        ] {
            assert_eq!(setting(ordinary), None, "{ordinary}");
        }
    }

    #[test]
    fn declarations_of_externals_are_settings() {
        assert_eq!(
            setting("EXTERNAL_PREDICATE_printf"),
            Some(Setting::External(Kind::Predicate, "printf"))
        );
    }

    #[test]
    fn unknown_preferences_are_recognised_as_such() {
        let maxint = preference("MAXINT").expect("MAXINT is known");
        assert_eq!(
            setting("SET_PREF_MAXINT"),
            Some(Setting::Preference(maxint))
        );
        assert_eq!(maxint.default, Some("3"));
        assert_eq!(
            setting("SET_PREF_MINIT"),
            Some(Setting::UnknownPreference("MINIT"))
        );
        assert_eq!(nearest_preference("MINIT"), Some("MININT"));
        assert_eq!(nearest_preference("NOTHING_LIKE_IT"), None);
    }

    #[test]
    fn preferences_are_listed_once() {
        let mut names: Vec<_> = PREFERENCES.iter().map(|known| known.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
