//! What editors ask of Murphi: the checker's symbols, rules and properties by their names.

use std::collections::BTreeMap;

use base::{Id, Name, Span};
use lang_murphi::check::{Checked, Form, SymbolKind};
use lang_murphi::lex::Word;
use lang_murphi::syntax::{ExprId, Item, Rule, Text, Tree};
use subject::editor::{Definition, DefinitionKind, Lexicon, Names, Operator};

/// The words of Murphi.
pub(crate) fn lexicon() -> Lexicon {
    let operators = OPERATORS
        .iter()
        .map(|(ascii, unicode)| Operator { ascii, unicode });
    Lexicon {
        keywords: Word::ALL.iter().map(|word| word.text()).collect(),
        operators: operators.collect(),
        line_comments: &["--"],
        block_comments: &[("/*", "*/")],
        blocks: BLOCKS,
        ..Lexicon::default()
    }
}

const BLOCKS: &[(&str, &str)] = &[
    ("begin", "end"),
    ("record", "end"),
    ("if", "end"),
    ("do", "end"),
    ("switch", "end"),
];

const OPERATORS: &[(&str, &str)] = &[
    ("==>", "==>"),
    (":=", "≔"),
    ("->", "→"),
    ("!=", "≠"),
    ("<=", "≤"),
    (">=", "≥"),
    ("..", ".."),
];

/// What a program declares and uses.
pub(crate) fn names(tree: &Tree, checked: &Checked) -> Names {
    let mut names = Names::default();
    let mut items: Vec<Span> = Vec::new();
    for item in &tree.items {
        match item {
            Item::Decl(_) => {}
            Item::Routine(routine) => items.push(routine.span),
            Item::Rule(rule) => rules(rule, &mut items, &mut names),
        }
    }
    let inside = |span: Span| items.iter().copied().find(|item| item.contains(span));
    let mut of_symbol = BTreeMap::new();
    for (id, symbol) in checked.symbols.iter() {
        let (kind, is_local) = match symbol.kind {
            SymbolKind::Constant(_) => (DefinitionKind::Constant, false),
            SymbolKind::Type => (DefinitionKind::Set, false),
            SymbolKind::Global => (DefinitionKind::Variable, false),
            SymbolKind::Routine(_) => (DefinitionKind::Event, false),
            SymbolKind::Parameter | SymbolKind::Reference => (DefinitionKind::Parameter, true),
            SymbolKind::Local | SymbolKind::Bound | SymbolKind::Element | SymbolKind::Alias(_) => {
                (DefinitionKind::Local, true)
            }
        };
        if symbol.span.start == symbol.span.end {
            // `true`, `false` and `boolean` are declared nowhere.
            continue;
        }
        of_symbol.insert(id, names.definitions.len());
        let scope = inside(symbol.span);
        names.definitions.push(Definition {
            name: symbol.name,
            kind,
            span: symbol.span,
            whole: match kind {
                DefinitionKind::Event => scope.unwrap_or(symbol.span),
                _ => symbol.span,
            },
            scope: scope.filter(|_| is_local),
            type_text: type_text(checked, symbol.ty),
            is_typed: !matches!(symbol.kind, SymbolKind::Alias(_)),
        });
    }
    for (at, symbol) in checked.uses.iter().enumerate() {
        let definition = symbol.and_then(|symbol| of_symbol.get(&symbol));
        if let Some(definition) = definition {
            let id: ExprId = Id::new(at);
            names.uses.push((tree.exprs[id].span, *definition));
        }
    }
    names
}

/// Rules, start states and properties with names, and all their extents.
fn rules(rule: &Rule, items: &mut Vec<Span>, names: &mut Names) {
    let mut named = |name: &Option<Text>, kind, whole: Span| {
        items.push(whole);
        if let Some(name) = name {
            names.definitions.push(Definition {
                name: Name::new(name.text.as_str()),
                kind,
                span: name.span,
                whole,
                scope: None,
                type_text: None,
                is_typed: true,
            });
        }
    };
    match rule {
        Rule::Simple(rule) => named(&rule.name, DefinitionKind::Event, rule.span),
        Rule::Start(start) => named(&start.name, DefinitionKind::Event, start.span),
        Rule::Property(property) => named(&property.name, DefinitionKind::Property, property.span),
        Rule::Ruleset(_, inner) | Rule::Alias(_, inner) | Rule::Choose(_, _, inner) => {
            for rule in inner {
                base::deep::recurse(|| rules(rule, items, names));
            }
        }
    }
}

/// How a type is written, where it is known.
fn type_text(checked: &Checked, ty: lang_murphi::check::TypeId) -> Option<String> {
    let is_known = !matches!(checked.types[ty].form, Form::Unknown);
    is_known.then(|| checked.describe(ty))
}
