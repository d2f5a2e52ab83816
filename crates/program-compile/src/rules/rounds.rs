//! Rounds of loops, quantifiers and parameters: the values they go through, one after the other, within a budget.

use base::Span;
use pins::Halt;
use program::Reason;

use super::code::{Rounds, Run, Stop, Target};
use super::run::Machine;

/// Rounds of loops that one step may take altogether; beyond that the run is open.
const MOST_ROUNDS: u64 = 100_000_000;

impl Machine<'_> {
    /// Goes through values; `body` says whether to go on.
    pub fn each(
        &mut self,
        rounds: &Rounds,
        target: Target,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Run<bool>,
    ) -> Run<()> {
        match rounds {
            Rounds::Values(ranges) => {
                for (low, high) in ranges {
                    for value in *low..=*high {
                        if !self.round(value, target, span, body)? {
                            return Ok(());
                        }
                    }
                }
            }
            Rounds::Count(from, to, by) => {
                let (from_at, mut value) = (*from, self.eval(*from)?);
                let to = self.eval(*to)?;
                let (by, place) = match by {
                    Some(by) => (self.eval(*by)?, *by),
                    None => (1, from_at),
                };
                let place = self.code.spans[place as usize];
                if by == 0 {
                    return self.fault(Reason::StepZero, place);
                }
                while if by > 0 { value <= to } else { value >= to } {
                    if !self.round(value, target, span, body)? {
                        return Ok(());
                    }
                    let Some(next) = value.checked_add(by) else {
                        return Ok(());
                    };
                    value = next;
                }
            }
            Rounds::Places(multiset, bag) => {
                let base = self.at(*multiset)?;
                // The places are those taken before the first round.
                let taken: Vec<u32> = (0..bag.capacity)
                    .filter(|place| self.memory[(base + place * bag.stride) as usize] != 0)
                    .collect();
                for place in taken {
                    if !self.round(i64::from(place), target, span, body)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The values that a parameter goes through.
    pub fn values(&mut self, rounds: &Rounds) -> Run<Vec<i64>> {
        let mut values = Vec::new();
        let target = Target::Counter(0);
        if self.counters.is_empty() {
            self.counters.push(0);
        }
        let kept = self.counters[self.counter];
        let nowhere = self.code.op_spans[0];
        let done = self.each(rounds, target, nowhere, &mut |machine| {
            values.push(machine.counters[machine.counter]);
            Ok(true)
        });
        self.counters[self.counter] = kept;
        done.map(|()| values)
    }

    fn round(
        &mut self,
        value: i64,
        target: Target,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Run<bool>,
    ) -> Run<bool> {
        self.count_round(span)?;
        self.set(target, value);
        body(self)
    }

    /// Counts a round of a loop; too many, or a halt, end the step.
    pub fn count_round(&mut self, span: Span) -> Run<()> {
        self.rounds += 1;
        if self.rounds.is_multiple_of(1024) {
            if self.halt.as_ref().is_some_and(Halt::is_set) {
                return Err(Box::new(Stop::Halted));
            }
            if self.rounds > MOST_ROUNDS {
                return Err(Box::new(Stop::Budget(span)));
            }
        }
        Ok(())
    }

    /// Gives a bound name its value.
    pub fn set(&mut self, target: Target, value: i64) {
        match target {
            Target::Counter(counter) => self.counters[self.counter + counter as usize] = value,
            Target::Word(word, bias) => {
                self.memory[self.frame + word as usize] = (value - bias) as u32
            }
        }
    }
}
