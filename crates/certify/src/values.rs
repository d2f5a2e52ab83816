//! The values of a certificate that fits a model, by their numbers.

use std::collections::BTreeMap;

use crate::file::{Certificate, fingerprint};
use crate::{Rejected, Semantics};

/// The values of the components.
pub struct Values<'a, S: Semantics> {
    /// The meaning of the model.
    pub semantics: &'a S,
    /// What was read.
    pub certificate: &'a Certificate,
    /// For each component its values by their numbers.
    values: Vec<Vec<S::Value>>,
    /// The other way round.
    numbers: Vec<BTreeMap<S::Value, u32>>,
}

impl<'a, S: Semantics> Values<'a, S> {
    /// Reads the values of a certificate of the model with this normal form.
    pub fn read(
        semantics: &'a S,
        (text, certificate): (&str, &'a Certificate),
    ) -> Result<Values<'a, S>, Rejected> {
        if certificate.header.model != fingerprint(text) {
            return Err(Rejected::OtherModel);
        }
        fits(semantics, certificate)?;
        let (mut all, mut numbers) = (Vec::new(), Vec::new());
        for (component, texts) in certificate.values.iter().enumerate() {
            let (mut values, mut known) = (Vec::new(), BTreeMap::new());
            for (number, text) in texts.iter().enumerate() {
                let value = semantics.read(component, text);
                let value = value.ok_or_else(|| Rejected::NoValue(component, text.clone()))?;
                if known.insert(value.clone(), number as u32).is_some() {
                    return Err(Rejected::Damaged("a value has two numbers"));
                }
                values.push(value);
            }
            all.push(values);
            numbers.push(known);
        }
        Ok(Values {
            semantics,
            certificate,
            values: all,
            numbers,
        })
    }

    /// The values of a state.
    pub fn of(&self, numbers: &[u32]) -> Vec<S::Value> {
        let values = numbers.iter().zip(&self.values);
        values
            .map(|(number, values)| values[*number as usize].clone())
            .collect()
    }

    /// The number of a value of a component.
    pub fn number(&self, component: usize, value: &S::Value) -> Option<u32> {
        self.numbers[component].get(value).copied()
    }

    /// The numbers of the values of a state, if all have one.
    pub fn numbers(&self, state: &[S::Value]) -> Option<Vec<u32>> {
        let numbers = state.iter().zip(&self.numbers);
        let numbers = numbers.map(|(value, numbers)| numbers.get(value).copied());
        let numbers: Vec<u32> = numbers.collect::<Option<_>>()?;
        (state.len() == self.numbers.len()).then_some(numbers)
    }
}

/// What the header says can be said of the model.
fn fits<S: Semantics>(semantics: &S, certificate: &Certificate) -> Result<(), Rejected> {
    let header = &certificate.header;
    if !semantics.fits(header.components) {
        return Err(Rejected::Misfit("the number of components differs"));
    }
    let claim = &header.claim;
    let mut labels = claim.labels.iter().chain(&claim.setup_labels);
    let mut ends = claim.ends.iter();
    let is_new = |label: &u32| *label as usize >= semantics.labels();
    if labels.any(is_new) || ends.any(is_new) {
        return Err(Rejected::Misfit("it claims a label that there is not"));
    }
    let Some(claimed) = &header.symmetry else {
        return Ok(());
    };
    let known = semantics.classes();
    let is_finer = |(claimed, known): (&Vec<u32>, &Vec<u32>)| {
        let is_kept = |a: usize, b: usize| claimed[a] != claimed[b] || known[a] == known[b];
        claimed.len() == known.len() && (0..claimed.len()).all(|a| (0..a).all(|b| is_kept(a, b)))
    };
    match claimed.len() == known.len() && claimed.iter().zip(&known).all(is_finer) {
        true => Ok(()),
        false => Err(Rejected::Misfit(
            "it exchanges elements that the model tells apart",
        )),
    }
}
