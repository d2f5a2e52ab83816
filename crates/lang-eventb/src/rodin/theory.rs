//! Theories of a Rodin project (`.tuf`): type parameters, data types, and operators with their definitions.
//!
//! The theory plug-in keeps definitions as texts in which operators are written like functions, so a formula
//! tells operators from names only when all theories are known: [`crate::theory::mark`].
//! Invariant: a definition that cannot be read is no error here but where it is used, since a project may hold
//! theories that a machine has nothing to do with.

use base::{Diagnostics, Name};
use lang_math::{ExprId, ExprKind};
use roxmltree::Node;

use super::{Reader, attribute, children, element};
use crate::math::parse::{self, Place};
use crate::syntax::{Case, Datatype, Definition, Operator, Theory};

impl Reader<'_> {
    /// The theory of a file.
    pub(super) fn theory(&mut self, root: Node<'_, '_>, name: Name) -> Theory {
        let mut theory = Theory {
            name,
            parameters: Vec::new(),
            datatypes: Vec::new(),
            operators: Vec::new(),
        };
        for node in children(root) {
            match element(node) {
                "typeParameter" => theory.parameters.extend(identifier(node)),
                "datatypeDefinition" => theory.datatypes.extend(self.datatype(node)),
                "newOperatorDefinition" => theory.operators.extend(self.operator(node)),
                "axiomaticDefinitionsBlock" => {
                    for node in children(node) {
                        match element(node) {
                            "axiomaticTypeDefinition" => {
                                let named = identifier(node).map(|name| Operator {
                                    name,
                                    arguments: Vec::new(),
                                    definition: Definition::Axiomatic,
                                });
                                theory.operators.extend(named);
                            }
                            "axiomaticOperatorDefinition" => {
                                theory.operators.extend(self.operator(node));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        theory
    }

    /// A formula of a theory; `None` where it cannot be read.
    fn definition(&mut self, owner: Name, text: Option<&str>) -> Option<ExprId> {
        let text = text?;
        let file = self.text(owner.as_str(), text);
        let mut errors = Diagnostics::new();
        let place = Place::whole(file, text);
        let formula = parse::formula(place, &mut self.project.exprs, &mut errors);
        errors.iter().next().is_none().then_some(formula)
    }

    fn datatype(&mut self, node: Node<'_, '_>) -> Option<Datatype> {
        let name = identifier(node)?;
        let mut datatype = Datatype {
            name,
            parameters: Vec::new(),
            constructors: Vec::new(),
        };
        for node in children(node) {
            match element(node) {
                "typeArgument" => {
                    let parameter = attribute(node, "givenType").map(|name| Name::new(name.trim()));
                    datatype.parameters.extend(parameter);
                }
                "datatypeConstructor" => {
                    let mut fields = Vec::new();
                    for part in children(node).filter(|n| element(*n) == "constructorArgument") {
                        let ty = self.definition(name, attribute(part, "type"))?;
                        fields.push((identifier(part)?, ty));
                    }
                    datatype.constructors.push((identifier(node)?, fields));
                }
                _ => {}
            }
        }
        Some(datatype)
    }

    fn operator(&mut self, node: Node<'_, '_>) -> Option<Operator> {
        let name = Name::new(attribute(node, "label")?.trim());
        let mut arguments = Vec::new();
        let mut is_read = true;
        for part in children(node).filter(|part| element(*part) == "operatorArgument") {
            match self.definition(name, attribute(part, "expression")) {
                Some(ty) => arguments.push((identifier(part)?, ty)),
                None => is_read = false,
            }
        }
        let definition = is_read.then(|| self.meaning(node, name)).flatten();
        Some(Operator {
            name,
            arguments,
            definition: definition.unwrap_or(Definition::Unreadable),
        })
    }

    /// What an operator means; `None` where that cannot be read.
    fn meaning(&mut self, node: Node<'_, '_>, name: Name) -> Option<Definition> {
        for part in children(node) {
            match element(part) {
                "directOperatorDefinition" => {
                    let body = self.definition(name, attribute(part, "formula"))?;
                    return Some(Definition::Direct(body));
                }
                "recursiveOperatorDefinition" => {
                    let argument = Name::new(attribute(part, "inductiveArgument")?.trim());
                    let cases = children(part).filter(|n| element(*n) == "recursiveDefinitionCase");
                    let cases = cases.map(|case| {
                        let pattern = self.definition(name, attribute(case, "expression"))?;
                        Some(Case {
                            argument,
                            names: self.bound(pattern),
                            pattern,
                            value: self.definition(name, attribute(case, "formula"))?,
                        })
                    });
                    return Some(Definition::Cases(cases.collect::<Option<_>>()?));
                }
                _ => {}
            }
        }
        Some(Definition::Axiomatic)
    }

    /// The names that a pattern binds.
    fn bound(&self, pattern: ExprId) -> Vec<Name> {
        let exprs = &self.project.exprs;
        let ExprKind::Apply(_, args) = exprs.kind(pattern) else {
            return Vec::new();
        };
        let names = args.iter().filter_map(|arg| match exprs.kind(*arg) {
            ExprKind::Name(name) => Some(*name),
            _ => None,
        });
        names.collect()
    }
}

fn identifier(node: Node<'_, '_>) -> Option<Name> {
    attribute(node, "identifier").map(|name| Name::new(name.trim()))
}
