//! Calls: a frame behind the caller's, arguments passed as addresses or copied into it, a result left there.

use base::deep;
use program::Reason;

use super::code::{Argument, Run};
use super::run::Machine;

/// Words that frames may take: deep recursion with large local variables ends there.
const MOST_WORDS: usize = 1 << 26;

impl Machine<'_> {
    /// Calls a function; where its result with parts lies, if it has one.
    pub fn call(&mut self, id: u32) -> Run<u32> {
        deep::recurse(|| self.call_inner(id))
    }

    fn call_inner(&mut self, id: u32) -> Run<u32> {
        let code = self.code;
        let call = &code.calls[id as usize];
        let routine = &code.routines[call.routine as usize];
        let start = self.frame + call.frame as usize;
        let end = start + routine.frame as usize;
        // The rule itself is a frame, as in the reference evaluator.
        if self.depth + 1 > program::CALL_LIMIT || end > MOST_WORDS {
            return self.fault(Reason::EndlessRecursion, routine.span);
        }
        let passed = self.arguments(&call.arguments)?;
        if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        self.memory[start..end].fill(0);
        for (position, value) in passed.into_iter().enumerate() {
            self.memory[start + position] = match value {
                Passed::Reference(at) => at,
                Passed::Words(word, words) => {
                    let at = start + word as usize;
                    self.memory[at..at + words.len()].copy_from_slice(&words);
                    at as u32
                }
                Passed::Word(word, value) => {
                    let at = start + word as usize;
                    self.memory[at] = value;
                    at as u32
                }
            };
        }
        let counter = self.counter + call.counters as usize;
        let counters_end = counter + routine.counters as usize;
        if self.counters.len() < counters_end {
            self.counters.resize(counters_end, 0);
        }
        let outer = (self.frame, self.counter);
        (self.frame, self.counter) = (start, counter);
        self.depth += 1;
        let done = self.exec(routine.body);
        self.depth -= 1;
        (self.frame, self.counter) = outer;
        let returned = done?;
        if routine.is_function && !returned {
            return self.fault(Reason::NoResult, routine.span);
        }
        Ok(routine.result.map_or(0, |at| start as u32 + at))
    }

    fn arguments(&mut self, arguments: &[Argument]) -> Run<Vec<Passed>> {
        let mut passed = Vec::with_capacity(arguments.len());
        for argument in arguments {
            passed.push(match argument {
                Argument::Reference(address) => Passed::Reference(self.at(*address)?),
                Argument::Value(node, word, store) => {
                    let value = self.eval(*node)?;
                    Passed::Word(*word, self.encode(value, *store, *node)?)
                }
                Argument::Block(block, word, words) => {
                    let at = self.block(*block)? as usize;
                    Passed::Words(*word, self.memory[at..at + *words as usize].to_vec())
                }
            });
        }
        Ok(passed)
    }
}

/// An argument on its way.
enum Passed {
    /// An address.
    Reference(u32),
    /// A word and where it goes.
    Word(u32, u32),
    /// Words and where they go.
    Words(u32, Vec<u32>),
}
