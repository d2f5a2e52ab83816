//! Theories in a package: type parameters, data types and operators with their definitions.

use base::Name;

use super::term::Term;
use super::{Reader, Result};
use crate::syntax::{Case, Datatype, Definition, Operator, Theory};

impl Reader<'_> {
    /// The theory of an entry, if it is one. Later versions add a name, imports, axioms and mappings.
    pub(super) fn theory(&mut self, info: &Term) -> Result<Option<Theory>> {
        let Term::Compound(functor, args) = info else {
            return Ok(None);
        };
        if functor.as_str() != "theory" {
            return Ok(None);
        }
        let none = Term::List(Vec::new());
        let (name, parameters, datatypes, operators, blocks, mappings) = match args.as_slice() {
            [parameters, datatypes, operators] => (
                Name::new("theory"),
                parameters,
                datatypes,
                operators,
                &none,
                &none,
            ),
            [name, _, parameters, datatypes, operators, rest @ ..] => {
                let name = match name {
                    Term::Compound(_, parts) => parts.last().unwrap_or(name),
                    name => name,
                };
                (
                    self.atom("the name of a theory", name)?,
                    parameters,
                    datatypes,
                    operators,
                    rest.first().unwrap_or(&none),
                    rest.get(1).unwrap_or(&none),
                )
            }
            _ => return Err(self.misplaced("a theory", info)),
        };
        self.path = name.to_string();
        let mut theory = Theory {
            name,
            parameters: self.atoms(parameters)?,
            datatypes: Vec::new(),
            operators: Vec::new(),
        };
        for datatype in self.list("data types", datatypes)? {
            let datatype = self.datatype(datatype)?;
            theory.datatypes.push(datatype);
        }
        let mut tags = Vec::new();
        for mapping in self.list("mappings", mappings)? {
            if let Term::Compound(_, args) = mapping
                && let [Term::Atom(operator), Term::Atom(tag), ..] = args.as_slice()
            {
                tags.push((*operator, *tag));
            }
        }
        for operator in self.list("operators", operators)? {
            let operator = self.operator(operator)?;
            theory.operators.push(operator);
        }
        for block in self.list("blocks of axioms", blocks)? {
            let args = self.compound("axiomatic_def_block", block)?;
            if let Some(definitions) = args.get(2) {
                for definition in self.list("operators", definitions)? {
                    let args = self.compound("opdef", definition)?;
                    let operator = Operator {
                        name: self
                            .atom("the name of an operator", args.first().unwrap_or(block))?,
                        arguments: self.arguments(args.get(1).unwrap_or(&none))?,
                        definition: Definition::Axiomatic,
                    };
                    theory.operators.push(operator);
                }
            }
        }
        for operator in &mut theory.operators {
            if let Some((_, tag)) = tags.iter().find(|(name, _)| *name == operator.name) {
                operator.definition = Definition::BuiltIn(*tag);
            }
        }
        self.path.clear();
        Ok(Some(theory))
    }

    fn atoms(&self, list: &Term) -> Result<Vec<Name>> {
        let terms = self.list("names", list)?;
        terms
            .iter()
            .map(|term| match term {
                Term::Compound(_, args) => self.atom("a name", args.last().unwrap_or(term)),
                term => self.atom("a name", term),
            })
            .collect()
    }

    fn datatype(&mut self, term: &Term) -> Result<Datatype> {
        let args = self.compound("datatype", term)?;
        let [name, parameters, constructors] = args else {
            return Err(self.misplaced("a data type with three parts", term));
        };
        let mut datatype = Datatype {
            name: self.atom("the name of a data type", name)?,
            parameters: self.atoms(parameters)?,
            constructors: Vec::new(),
        };
        for constructor in self.list("constructors", constructors)? {
            let args = self.compound("constructor", constructor)?;
            let [name, destructors] = args else {
                return Err(self.misplaced("a constructor with two parts", constructor));
            };
            let name = self.atom("the name of a constructor", name)?;
            let mut fields = Vec::new();
            for destructor in self.list("destructors", destructors)? {
                let args = self.compound("destructor", destructor)?;
                let [name, ty] = args else {
                    return Err(self.misplaced("a destructor with two parts", destructor));
                };
                let name = self.atom("the name of a destructor", name)?;
                fields.push((name, self.formula(ty)?));
            }
            datatype.constructors.push((name, fields));
        }
        Ok(datatype)
    }

    fn arguments(&mut self, list: &Term) -> Result<Vec<(Name, lang_math::ExprId)>> {
        let mut found = Vec::new();
        for argument in self.list("arguments", list)? {
            let args = self.compound("argument", argument)?;
            let [name, ty] = args else {
                return Err(self.misplaced("an argument with two parts", argument));
            };
            let name = self.atom("the name of an argument", name)?;
            found.push((name, self.formula(ty)?));
        }
        Ok(found)
    }

    fn operator(&mut self, term: &Term) -> Result<Operator> {
        let args = self.compound("operator", term)?;
        let [name, arguments, _, direct, cases] = args else {
            return Err(self.misplaced("an operator with five parts", term));
        };
        let name = self.atom("the name of an operator", name)?;
        let arguments = self.arguments(arguments)?;
        let definition = match (
            self.list("definitions", direct)?,
            self.list("cases", cases)?,
        ) {
            ([direct, ..], _) => Definition::Direct(self.formula(direct)?),
            ([], []) => Definition::Axiomatic,
            ([], cases) => {
                let mut found = Vec::new();
                for case in cases {
                    let args = self.compound("case", case)?;
                    let [argument, names, pattern, value] = args else {
                        return Err(self.misplaced("a case with four parts", case));
                    };
                    found.push(Case {
                        argument: self.atom("an argument", argument)?,
                        names: self.atoms(names)?,
                        pattern: self.formula(pattern)?,
                        value: self.formula(value)?,
                    });
                }
                Definition::Cases(found)
            }
        };
        Ok(Operator {
            name,
            arguments,
            definition,
        })
    }
}
