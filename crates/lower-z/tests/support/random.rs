//! Random specifications: a state of a few components, operations that change some of them in the ways people write.

/// Numbers that depend on a seed only.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// A component: its name, its set, how it begins, and what operations may say of it.
struct Component {
    name: &'static str,
    set: &'static str,
    begin: &'static str,
    /// Inputs, and predicates over the values before and after.
    changes: &'static [(&'static str, &'static str)],
}

const COMPONENTS: &[Component] = &[
    Component {
        name: "n",
        set: r"0 \upto 2",
        begin: "n' = 0",
        changes: &[
            ("", r"n' = n + 1"),
            ("", r"n' = (n + 1) \mod 3"),
            ("", r"n' < n"),
            (
                "k? : 0 \\upto 1",
                r"n = k? \implies n' = 2 \\ n \neq k? \implies n' = k?",
            ),
            ("", r"(n = 0 \land n' = 1) \lor (n > 0 \land n' = 0)"),
            ("", r"\exists m : 0 \upto 2 @ m > n \land n' = m"),
        ],
    },
    Component {
        name: "s",
        set: r"\finset ID",
        begin: r"s' = \emptyset",
        changes: &[
            ("i? : ID", r"i? \notin s \\ s' = s \cup \{i?\}"),
            ("i? : ID", r"i? \in s \\ s' = s \setminus \{i?\}"),
            ("", r"s' = ID \setminus s"),
            ("", r"\# s' = 1"),
            ("i? : ID", r"i? \in s' \\ s' \subseteq s \cup \{i?\}"),
        ],
    },
    Component {
        name: "f",
        set: r"ID \pfun Col",
        begin: r"f' = \emptyset",
        changes: &[
            ("i? : ID; c? : Col", r"f' = f \oplus \{i? \mapsto c?\}"),
            ("i? : ID", r"i? \in \dom f \\ f' = \{i?\} \ndres f"),
            (
                "i? : ID",
                r"\{i?\} \ndres f' = \{i?\} \ndres f \\ f'~i? = red",
            ),
            (
                "i? : ID",
                r"\dom f' = \dom f \cup \{i?\} \\ \forall j : \dom f @ f'~j = f~j",
            ),
            ("", r"f' = f \rres \{red\}"),
        ],
    },
    Component {
        name: "q",
        set: r"\seq Col",
        begin: r"q' = \langle \rangle",
        changes: &[
            ("c? : Col", r"q' = q \cat \langle c? \rangle"),
            ("", r"q \neq \langle \rangle \\ q' = tail~q"),
            ("", r"\exists c : Col @ q = \langle c \rangle \cat q'"),
            (
                "c? : Col",
                r"q' \neq \langle \rangle \\ front~q' = q \\ last~q' = c?",
            ),
            ("", r"q' = rev~q"),
        ],
    },
    Component {
        name: "b",
        set: "Part",
        begin: r"b' = (\mu p : Part | p.c = red \land p.k = 0)",
        changes: &[
            ("", r"b'.c = b.c \\ b'.k = 1 - b.k"),
            (
                "c? : Col",
                r"b' = (\mu p : Part | p.c = c? \land p.k = b.k)",
            ),
            (
                "",
                r"\exists p : Part @ p.k = 0 \land p.c \neq b.c \land b' = p",
            ),
            ("c? : Col", r"b'.c = c?"),
            (
                "",
                r"(\LET p == b @ \exists Part @ k = p.k \land c = blue \land b' = \theta Part)",
            ),
        ],
    },
    Component {
        name: "t",
        set: r"ID \pfun Part",
        begin: r"t' = \emptyset",
        changes: &[
            (
                "i? : ID",
                r"t' = t \oplus \{i? \mapsto (\mu p : Part | p.c = red \land p.k = 1)\}",
            ),
            (
                "i? : ID",
                r"i? \in \dom t \\ \dom t' = \dom t \\ (\forall j : \dom t | j \neq i? @ t'~j = t~j) \\ (t'~i?).c = blue \\ (t'~i?).k = (t~i?).k",
            ),
            ("", r"t' = \{~i : \dom t | (t~i).k = 1 @ i \mapsto t~i~\}"),
            (
                "p? : Part; i? : ID",
                r"i? \notin \dom t \\ t' = t \cup \{i? \mapsto p?\}",
            ),
        ],
    },
];

/// What a state may satisfy besides.
const CONSTRAINTS: &[(&str, &[&str])] = &[
    (r"n \leq \# s + 1", &["n", "s"]),
    (r"\dom f \subseteq s", &["f", "s"]),
    (r"b.k = 1 \implies n > 0", &["b", "n"]),
    (r"\forall i : \dom t @ (t~i).k \leq n", &["t", "n"]),
];

/// A specification.
pub fn specification(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut chosen: Vec<&Component> = COMPONENTS.iter().collect();
    while chosen.len() > 3 {
        let gone = dice.below(chosen.len());
        chosen.remove(gone);
    }
    let mut text = String::from(
        "\\begin{zed} [ID] \\\\ Col ::= red | blue \\end{zed}\n\
         \\begin{schema}{Part} c : Col \\\\ k : \\nat \\where k \\leq 1 \\end{schema}\n",
    );
    let has = |name: &str| chosen.iter().any(|component| component.name == name);
    let mut predicates: Vec<&str> = CONSTRAINTS
        .iter()
        .filter(|(_, names)| names.iter().all(|name| has(name)))
        .map(|(text, _)| *text)
        .filter(|_| dice.below(2) == 0)
        .collect();
    if has("q") {
        predicates.push(r"\# q \leq 2");
    }
    let declarations: Vec<String> = chosen
        .iter()
        .map(|component| format!("{} : {}", component.name, component.set))
        .collect();
    text.push_str(&boxed("State", &declarations, &predicates));
    let begin: Vec<&str> = chosen.iter().map(|component| component.begin).collect();
    text.push_str(&boxed("Init", &["State'".to_owned()], &begin));
    for number in 0..2 + dice.below(3) {
        text.push_str(&operation(&mut dice, &chosen, number));
    }
    if dice.below(3) == 0 {
        text.push_str("\\begin{zed} Both \\defs Op0 \\lor Op1 \\end{zed}\n");
    }
    if has("n") && dice.below(2) == 0 {
        text.push_str(&boxed("Invariant", &["State".to_owned()], &["n < 2"]));
    }
    text
}

fn operation(dice: &mut Dice, chosen: &[&Component], number: usize) -> String {
    let mut declarations = vec![r"\Delta State".to_owned()];
    let mut predicates = Vec::new();
    let changed = dice.below(chosen.len());
    for (at, component) in chosen.iter().enumerate() {
        let name = component.name;
        if at != changed && dice.below(4) > 0 {
            predicates.push(format!("{name}' = {name}"));
            continue;
        }
        let changes: Vec<&(&str, &str)> = component.changes.iter().collect();
        let (inputs, change) = dice.pick(&changes);
        for input in inputs.split("; ").filter(|input| !input.is_empty()) {
            if !declarations.iter().any(|known| known == input) {
                declarations.push(input.replace("\\\\", "\\"));
            }
        }
        predicates.push((*change).to_owned());
    }
    let predicates: Vec<&str> = predicates.iter().map(String::as_str).collect();
    boxed(&format!("Op{number}"), &declarations, &predicates)
}

fn boxed(name: &str, declarations: &[String], predicates: &[&str]) -> String {
    let mut text = format!(
        "\\begin{{schema}}{{{name}}}\n{}",
        declarations.join(" \\\\\n")
    );
    if !predicates.is_empty() {
        text.push_str("\n\\where\n");
        text.push_str(&predicates.join(" \\\\\n"));
    }
    text.push_str("\n\\end{schema}\n");
    text
}
