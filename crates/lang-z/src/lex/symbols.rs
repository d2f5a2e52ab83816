//! The table of symbols: how each is spelled in LaTeX and in Unicode.
//!
//! The Unicode spelling is the canonical one: whatever the notation of a text, its names are those of this table.
//! Aliases are spellings that are read and never written (other style files, older drafts of the standard).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::token::Key;

/// What a symbol is for the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A reserved symbol.
    Key(Key),
    /// A name.
    Word,
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// The canonical spelling.
    pub unicode: &'static str,
    /// The LaTeX command or characters.
    pub latex: &'static str,
    /// Other spellings, separated by blanks.
    pub aliases: &'static str,
    /// What it is.
    pub role: Role,
}

const fn word(unicode: &'static str, latex: &'static str, aliases: &'static str) -> Symbol {
    Symbol {
        unicode,
        latex,
        aliases,
        role: Role::Word,
    }
}

const fn key(
    key: Key,
    unicode: &'static str,
    latex: &'static str,
    aliases: &'static str,
) -> Symbol {
    Symbol {
        unicode,
        latex,
        aliases,
        role: Role::Key(key),
    }
}

/// All symbols.
pub(crate) const SYMBOLS: &[Symbol] = &[
    // Structure.
    key(Key::Where, "|", "\\where", "\\ST"),
    key(Key::Bar, "|", "|", "\\mid \\bbar \\zbar ∣ │"),
    key(Key::Spot, "⦁", "@", "\\spot \\dot \\bullet • ●"),
    key(Key::Defs, "≙", "\\defs", "\\sdef"),
    key(Key::EqEq, "==", "==", "\\eqdef"),
    key(Key::FreeEq, "::=", "::=", "\\ddef"),
    key(Key::Colon, ":", ":", ""),
    key(Key::Semicolon, ";", ";", ""),
    key(Key::Comma, ",", ",", ""),
    key(Key::Dot, ".", ".", ""),
    key(Key::Slash, "/", "/", ""),
    key(Key::Amp, "&", "\\&", ""),
    key(Key::LParen, "(", "(", ""),
    key(Key::RParen, ")", ")", ""),
    key(Key::LBracket, "[", "[", "\\lbrack"),
    key(Key::RBracket, "]", "]", "\\rbrack"),
    key(Key::LBrace, "{", "\\{", "\\lbrace"),
    key(Key::RBrace, "}", "\\}", "\\rbrace"),
    key(Key::LAngle, "⟨", "\\langle", "\\lseq 〈 〈"),
    key(Key::RAngle, "⟩", "\\rangle", "\\rseq 〉 〉"),
    key(Key::LBag, "⟦", "\\lbag", "\\lbbrack"),
    key(Key::RBag, "⟧", "\\rbag", "\\rbbrack"),
    key(Key::LData, "⟪", "\\ldata", "\\lang 《 ⟪"),
    key(Key::RData, "⟫", "\\rdata", "\\rang 》 ⟫"),
    key(Key::LImage, "⦇", "\\limg", ""),
    key(Key::RImage, "⦈", "\\rimg", ""),
    key(Key::LBind, "⦉", "\\lblot", "\\lbind"),
    key(Key::RBind, "⦊", "\\rblot", "\\rbind"),
    key(Key::BindTo, "≘", "\\bind", ""),
    key(Key::BSup, "↗", "\\bsup", ""),
    key(Key::ESup, "↖", "\\esup", ""),
    key(Key::Underscore, "_", "\\_", "\\varg"),
    key(Key::ListArgument, ",,", "\\listarg", ""),
    key(Key::Conjecture, "⊢?", "\\vdash?", "\\vdash ⊢"),
    // Logic.
    key(Key::Equals, "=", "=", ""),
    key(Key::In, "∈", "\\in", "\\mem \\inset"),
    key(Key::And, "∧", "\\land", "\\zand \\wedge \\and"),
    key(Key::Or, "∨", "\\lor", "\\zor \\vee \\or"),
    key(Key::Implies, "⇒", "\\implies", "\\zimp \\Rightarrow \\imp"),
    key(Key::Iff, "⇔", "\\iff", "\\ziff \\Leftrightarrow"),
    key(Key::Not, "¬", "\\lnot", "\\znot \\neg \\zneg"),
    key(Key::Forall, "∀", "\\forall", "\\zall \\all"),
    key(Key::Exists, "∃", "\\exists", "\\zexi \\exi"),
    key(Key::ExistsOne, "∃_1", "\\exists_1", "\\exione \\zexione"),
    key(Key::Lambda, "λ", "\\lambda", ""),
    key(Key::Mu, "μ", "\\mu", ""),
    key(Key::Theta, "θ", "\\theta", ""),
    key(Key::Let, "let", "\\LET", "\\zlet \\LET"),
    key(Key::If, "if", "\\IF", "\\zif"),
    key(Key::Then, "then", "\\THEN", "\\zthen"),
    key(Key::Else, "else", "\\ELSE", "\\zelse"),
    key(Key::True, "true", "\\true", ""),
    key(Key::False, "false", "\\false", ""),
    // Schemas.
    key(Key::Pre, "pre", "\\pre", ""),
    key(Key::Hide, "⧹", "\\hide", "\\zhide"),
    key(Key::Project, "⨡", "\\project", "\\zproject"),
    key(Key::Semi, "⨟", "\\semi", "\\zcmp"),
    key(Key::Pipe, "⨠", "\\pipe", "\\zpipe"),
    key(Key::Power, "ℙ", "\\power", "\\pset"),
    key(Key::Cross, "×", "\\cross", "\\prod \\times"),
    // Sections and templates.
    key(Key::Section, "section", "\\SECTION", ""),
    key(Key::Parents, "parents", "\\parents", ""),
    key(Key::Function, "function", "\\function", ""),
    key(Key::Relation, "relation", "\\relation", ""),
    key(Key::Generic, "generic", "\\generic", ""),
    key(Key::LeftAssoc, "leftassoc", "\\leftassoc", ""),
    key(Key::RightAssoc, "rightassoc", "\\rightassoc", ""),
    // Sets.
    word("∅", "\\emptyset", "\\empty \\varnothing"),
    word("≠", "\\neq", "\\ne"),
    word("∉", "\\notin", "\\nem \\nmem"),
    word("⊆", "\\subseteq", "\\subs"),
    word("⊂", "\\subset", "\\psubs"),
    word("∪", "\\cup", "\\union \\uni"),
    word("∩", "\\cap", "\\inter \\int"),
    word("∖", "\\setminus", "\\diff"),
    word("⊖", "\\symdiff", ""),
    word("⋃", "\\bigcup", "\\duni"),
    word("⋂", "\\bigcap", "\\dint"),
    word("ℙ_1", "\\power_1", "\\psetone"),
    word("𝔽", "\\finset", "\\fset \\finite"),
    word("𝔽_1", "\\finset_1", "\\fsetone"),
    // Relations and functions.
    word("↔", "\\rel", ""),
    word("↦", "\\mapsto", "\\map"),
    word("dom", "\\dom", ""),
    word("ran", "\\ran", ""),
    word("id", "\\id", ""),
    word("⨾", "\\comp", "\\fcmp \\cmp"),
    word("∘", "\\circ", ""),
    word("◁", "\\dres", ""),
    word("▷", "\\rres", ""),
    word("⩤", "\\ndres", "\\dsub"),
    word("⩥", "\\nrres", "\\rsub"),
    word("∼", "\\inv", "\\sim"),
    word("⊕", "\\oplus", "\\fovr"),
    word("⁺", "\\plus", ""),
    word("*", "*", "\\ast ∗"),
    word("⋆", "\\star", ""),
    word("⇸", "\\pfun", ""),
    word("→", "\\fun", "\\tfun \\to"),
    word("⤔", "\\pinj", ""),
    word("↣", "\\inj", "\\tinj"),
    word("⤀", "\\psurj", ""),
    word("↠", "\\surj", "\\tsurj"),
    word("⤖", "\\bij", ""),
    word("⇻", "\\ffun", ""),
    word("⤕", "\\finj", ""),
    word("disjoint", "\\disjoint", ""),
    word("partition", "\\partition", ""),
    // Numbers.
    word("𝔸", "\\arithmos", ""),
    word("ℕ", "\\nat", "\\natural"),
    word("ℕ_1", "\\nat_1", "\\natone"),
    word("ℤ", "\\num", "\\integer"),
    word("ℚ", "\\rat", ""),
    word("ℝ", "\\real", ""),
    word("+", "+", ""),
    word("-", "-", "− –"),
    word("negate", "\\negate", ""),
    word("div", "\\div", ""),
    word("mod", "\\mod", ""),
    word("<", "<", ""),
    word(">", ">", ""),
    word("≤", "\\leq", "\\leqslant \\le"),
    word("≥", "\\geq", "\\geqslant \\ge"),
    word("..", "\\upto", ""),
    word("#", "\\#", "\\zcard"),
    // Sequences and bags.
    word("seq", "\\seq", ""),
    word("seq_1", "\\seq_1", "\\seqone"),
    word("iseq", "\\iseq", ""),
    word("bag", "\\bag", ""),
    word("⁀", "\\cat", "⌢"),
    word("⁀/", "\\dcat", ""),
    word("↿", "\\extract", ""),
    word("↾", "\\filter", ""),
    word("prefix", "\\prefix", ""),
    word("suffix", "\\suffix", ""),
    word("infix", "\\infix", "\\inseq"),
    word("⊎", "\\uplus", ""),
    word("⩁", "\\uminus", ""),
    word("♯", "\\bcount", ""),
    word("⊗", "\\otimes", ""),
    word("⋿", "\\inbag", ""),
    word("⊑", "\\subbageq", "\\sqsubseteq"),
];

/// Greek letters that are letters of names.
pub(crate) const GREEK: &[(&str, &str)] = &[
    ("\\Delta", "Δ"),
    ("\\Xi", "Ξ"),
    ("\\Phi", "Φ"),
    ("\\Psi", "Ψ"),
    ("\\Gamma", "Γ"),
    ("\\Theta", "Θ"),
    ("\\Lambda", "Λ"),
    ("\\Sigma", "Σ"),
    ("\\Pi", "Π"),
    ("\\Omega", "Ω"),
    ("\\Upsilon", "Υ"),
    ("\\alpha", "α"),
    ("\\beta", "β"),
    ("\\gamma", "γ"),
    ("\\delta", "δ"),
    ("\\epsilon", "ε"),
    ("\\zeta", "ζ"),
    ("\\eta", "η"),
    ("\\iota", "ι"),
    ("\\kappa", "κ"),
    ("\\nu", "ν"),
    ("\\xi", "ξ"),
    ("\\pi", "π"),
    ("\\rho", "ρ"),
    ("\\sigma", "σ"),
    ("\\tau", "τ"),
    ("\\upsilon", "υ"),
    ("\\phi", "φ"),
    ("\\chi", "χ"),
    ("\\psi", "ψ"),
    ("\\omega", "ω"),
];

/// The symbol with a LaTeX spelling.
pub(crate) fn by_latex(text: &str) -> Option<&'static Symbol> {
    static KNOWN: LazyLock<FxHashMap<&str, &Symbol>> = LazyLock::new(|| {
        let mut known = FxHashMap::default();
        for symbol in SYMBOLS {
            for spelling in std::iter::once(symbol.latex).chain(symbol.aliases.split(' ')) {
                known.entry(spelling).or_insert(symbol);
            }
        }
        known
    });
    KNOWN.get(text).copied()
}

/// The symbol with a Unicode spelling.
pub(crate) fn by_unicode(text: &str) -> Option<&'static Symbol> {
    static KNOWN: LazyLock<FxHashMap<&str, &Symbol>> = LazyLock::new(|| {
        let mut known = FxHashMap::default();
        for symbol in SYMBOLS {
            if !matches!(symbol.role, Role::Key(Key::Where)) {
                known.entry(symbol.unicode).or_insert(symbol);
            }
        }
        for symbol in SYMBOLS {
            let aliases = symbol.aliases.split(' ');
            for spelling in aliases.filter(|alias| !alias.is_ascii()) {
                known.entry(spelling).or_insert(symbol);
            }
        }
        known
    });
    KNOWN.get(text).copied()
}
