//! Minimal sets for which a function says FALSE, and maximal ones for which it says TRUE: elements are taken out, or put in,
//! one after the other.

use model::Value;

use crate::Interp;
use crate::set::V;
use crate::stop::{Run, Stop};

impl Interp<'_> {
    /// The value of one of these functions.
    pub(super) fn cores(&mut self, name: &str, arguments: &[V]) -> Option<Run<V>> {
        Some(match (name, arguments) {
            ("UNSAT_CORE", [function, set]) => self.core(function, set, None),
            ("UNSAT_CORE_ACC", [function, set, kept]) => self.core(function, set, Some(kept)),
            ("MAX_SAT", [function, set]) => self.most(function, set),
            _ => return None,
        })
    }

    /// Whether the function says TRUE for these elements.
    fn accepts(&mut self, function: &V, elements: &[Value]) -> Run<bool> {
        let set = V::Plain(Value::set(elements.to_vec()));
        let truth = self.apply(function, &set)?;
        Ok(self.force(&truth)? == Value::Bool(true))
    }

    fn core(&mut self, function: &V, set: &V, kept: Option<&V>) -> Run<V> {
        let kept = match kept {
            Some(kept) => self.elements(kept)?.to_vec(),
            None => Vec::new(),
        };
        let mut elements = kept.clone();
        for element in self.elements(set)?.to_vec() {
            if !kept.contains(&element) {
                elements.push(element);
            }
        }
        if self.accepts(function, &elements)? {
            return Err(Stop::undefined("a core of a set that is not refused"));
        }
        let mut at = kept.len();
        while at < elements.len() {
            let element = elements.remove(at);
            if self.accepts(function, &elements)? {
                elements.insert(at, element);
                at += 1;
            }
        }
        Ok(V::Plain(Value::set(elements)))
    }

    fn most(&mut self, function: &V, set: &V) -> Run<V> {
        let mut elements = Vec::new();
        if !self.accepts(function, &elements)? {
            return Err(Stop::undefined("MAX_SAT where the empty set is refused"));
        }
        for element in self.elements(set)?.to_vec() {
            elements.push(element);
            if !self.accepts(function, &elements)? {
                elements.pop();
            }
        }
        Ok(V::Plain(Value::set(elements)))
    }
}
