//! The words that options of `check` take, as types.
//!
//! Invariant: the command line, the report and the tables of [`crate::plan`] spell a choice the same way.

pub use subject::{Evaluator, Solver, Wd};

base::choices! {
    /// What a choice of the report is about.
    Topic {
        /// How states are kept and visited.
        Engine = "engine",
        /// The order of visits.
        Search = "search",
        /// What keeps states.
        Store = "store",
        /// How dependence of events is decided.
        Dependence = "dependence",
        /// What finds values.
        Solver = "solver",
        /// What computes values.
        Evaluator = "evaluator",
        /// What has no value.
        Wd = "wd",
        /// The order in which images are taken.
        Order = "order",
        /// The order of levels of diagrams.
        Reorder = "reorder",
        /// Whether variables lie in parts.
        Split = "split",
        /// How many work at once.
        Threads = "threads",
        /// Which paths count.
        Fair = "fair",
    } default Engine;

    /// `--engine`
    Engine {
        /// Chosen by the plan.
        Auto = "auto",
        /// State by state.
        Explicit = "explicit",
        /// Sets of states as decision diagrams.
        Symbolic = "symbolic",
        /// State by state, on several machines.
        Distributed = "distributed",
        /// Bounded, by constraints.
        Bmc = "bmc",
    } default Auto;

    /// `--fair`
    Fair {
        /// Every path counts.
        None = "none",
        /// Only paths on which nobody can move for ever and does not.
        Weak = "weak",
        /// Only paths on which nobody can move again and again and does not.
        Strong = "strong",
    } default None;

    /// `--search`
    Order {
        /// Breadth-first: paths are shortest.
        Bfs = "bfs",
        /// Depth-first.
        Dfs = "dfs",
        /// Breadth-first and depth-first in turn.
        Mixed = "mixed",
    } default Bfs;

    /// `--store`
    Store {
        /// States share their parts.
        Tree = "tree",
        /// States as they are.
        Plain = "plain",
        /// A fingerprint for each state.
        Fingerprint = "fingerprint",
        /// A few bits for each state.
        Bitstate = "bitstate",
        /// States as they are, in sorted files.
        Disk = "disk",
    } default Tree;

    /// `--symmetry`
    Symmetry {
        /// Chosen by the plan.
        Auto = "auto",
        /// No reduction.
        Off = "off",
        /// All permutations of a state are stored.
        Flood = "flood",
        /// States with equal markers count as one.
        Markers = "markers",
        /// The least permutation of a state is stored.
        Canonical = "canonical",
        /// Markers first, canonical form where they do not decide.
        Exact = "exact",
        /// Sorted: several states of an orbit may remain; elements as with CMurphi, processes by an array that they index.
        Sorted = "sorted",
        /// Scalar constants of deferred sets are fixed, as ProB does.
        Static = "static",
        /// What events that name elements leave of the symmetry, state by state.
        Adaptive = "adaptive",
        /// Of the symbolic engine: columns are sorted after every image.
        Dynamic = "dynamic",
        /// Of the symbolic engine: the least column goes to the front.
        Multiple = "multiple",
        /// How many elements are in each local state, instead of which.
        Counters = "counters",
        /// Processes: the least image under all permutations.
        Enumerate = "enumerate",
        /// Processes: the least image under the permutations that sort it.
        Segmented = "segmented",
        /// Processes: the places where they are are sorted.
        PcSorted = "pc-sorted",
        /// Processes: the least image under the permutations that sort them.
        PcSegmented = "pc-segmented",
        /// Processes: exchanged while that makes the state smaller.
        Local = "local",
        /// Processes: what names them is left out. Approximate.
        Flattened = "flattened",
        /// Processes: markers, as a permutation.
        ExactMarkers = "exact-markers",
        /// Processes: equal markers count as one. Approximate.
        ApproxMarkers = "approx-markers",
    } default Auto;

    /// `--por`
    Por {
        /// Chosen by the plan.
        Auto = "auto",
        /// No reduction.
        Off = "off",
        /// Ample sets.
        Ample = "ample",
        /// Stubborn sets.
        Stubborn = "stubborn",
        /// Stubborn sets by the deletion algorithm.
        Deletion = "deletion",
    } default Auto;

    /// `--dependence`
    Dependence {
        /// Events are independent when a solver shows it.
        Solver = "solver",
        /// Events are independent when they share no variable.
        Syntactic = "syntactic",
    } default Solver;

    /// `--order`, of the symbolic engine.
    SymbolicOrder {
        /// Level by level.
        Bfs = "bfs",
        /// Groups one after the other.
        Chaining = "chaining",
        /// Bottom-up fixed points.
        Saturation = "saturation",
    } default Bfs;

    /// `--reorder`, of the symbolic engine.
    Reorder {
        /// As declared.
        None = "none",
        /// Sloan's profile reduction.
        Sloan = "sloan",
        /// Cuthill and McKee's bandwidth reduction.
        CuthillMckee = "cuthill-mckee",
        /// Aloul's forces.
        Force = "force",
        /// Slots exchanged at random, less and less where that costs.
        Anneal = "anneal",
    } default None;

    /// `--split`, of the symbolic engine.
    Split {
        /// Chosen by the plan.
        Auto = "auto",
        /// Functions become one slot for each argument.
        On = "on",
        /// A variable is one slot.
        Off = "off",
    } default Auto;

    /// `export --to`
    ExportFormat {
        /// Graphviz.
        Dot = "dot",
        /// A drawing.
        Svg = "svg",
        /// Aldebaran.
        Aut = "aut",
        /// Everything, for programs.
        Json = "json",
        /// A table.
        Csv = "csv",
        /// GraphML.
        Graphml = "graphml",
    } default Dot;

    /// `export --what`
    ExportWhat {
        /// The state space.
        States = "states",
        /// Classes of states with the same value of an expression.
        Projection = "projection",
        /// Which event makes which one possible.
        Enabling = "enabling",
        /// Which event reads and writes which variable.
        Matrix = "matrix",
        /// Which machine refers to which.
        Hierarchy = "hierarchy",
        /// The graphs of the parts of the text, such as kinds of processes.
        Automata = "automata",
    } default States;

    /// `analyse --relations --to`
    RelationsFormat {
        /// Pictures in letters.
        Text = "text",
        /// One object.
        Json = "json",
        /// One line for each pair.
        Csv = "csv",
        /// A graph for Graphviz.
        Dot = "dot",
    } default Text;

}

#[cfg(test)]
mod tests {
    use super::{Engine, Store};

    #[test]
    fn words_are_read_back() {
        for store in Store::ALL {
            assert_eq!(store.word().parse(), Ok(*store));
        }
        assert!("quantum".parse::<Engine>().is_err());
    }
}
