//! Colours: for each point a number that says where it stands in a vector, whatever the points are called.
//!
//! Technique: colour refinement. What a spot holds is added to the colours of the points that name its place and of the one that it holds,
//! so the colours of a successor follow from what differs; refining looks at what points stand beside.
//! Invariant: permuting a vector permutes its colours.

use canon::mix;

use super::{Acting, NONE, Spot};

impl Acting<'_> {
    /// For each point a number that says where it stands in a vector, and depends on the orbit of the vector only.
    pub(super) fn colours(&self, vector: &[u32], colours: &mut Vec<u64>) {
        colours.clear();
        colours.extend(self.orbits.iter().map(|orbit| u64::from(*orbit)));
        for spot in &self.spots {
            self.contribute(
                spot,
                vector,
                |colour, more| colour.wrapping_add(more),
                colours,
            );
        }
    }

    /// The colours of a vector from those of another one: only what differs is looked at.
    pub(super) fn follow(&self, from: &[u32], vector: &[u32], colours: &mut [u64]) {
        for (slot, spots) in self.by_slot.iter().enumerate() {
            if from[slot] == vector[slot] {
                continue;
            }
            for spot in spots {
                let spot = &self.spots[*spot as usize];
                let own = spot.field.slot;
                // What is met by its length and by its own slot counts once.
                if own != slot && from[own] != vector[own] {
                    continue;
                }
                self.contribute(
                    spot,
                    from,
                    |colour, less| colour.wrapping_sub(less),
                    colours,
                );
                self.contribute(
                    spot,
                    vector,
                    |colour, more| colour.wrapping_add(more),
                    colours,
                );
            }
        }
    }

    /// Puts what belongs to processes into their colours. Processes that move together are left to `refine`: colours that
    /// change are not read here.
    pub(super) fn gather(&self, colours: &mut [u64]) {
        let processes = self.action.processes as u32;
        let own = self.companions.iter();
        let own = own.filter(|(_, _, point)| self.names[*point as usize] >= processes);
        for (tag, process, point) in own {
            let more = mix(*tag, colours[*point as usize]);
            let colour = &mut colours[*process as usize];
            *colour = colour.wrapping_add(more);
        }
    }

    #[inline]
    fn contribute(
        &self,
        spot: &Spot,
        vector: &[u32],
        change: impl Fn(u64, u64) -> u64,
        colours: &mut [u64],
    ) {
        let bits = spot.field.get(vector);
        let held = self.held(spot, vector, bits);
        let index = &spot.index[..spot.arity as usize];
        for (at, point) in index.iter().enumerate() {
            let what = match held {
                NONE => u64::from(bits),
                held if held == *point => ITSELF,
                _ => ANOTHER,
            };
            let colour = &mut colours[*point as usize];
            *colour = change(*colour, mix(spot.salt + at as u64, what));
        }
        if held != NONE {
            let colour = &mut colours[held as usize];
            *colour = change(*colour, mix(spot.salt, HELD));
        }
    }

    /// Refines colours once by what points stand beside.
    pub(super) fn refine(&self, vector: &[u32], colours: &mut Vec<u64>, spare: &mut Vec<u64>) {
        spare.clone_from(colours);
        for spot in &self.tied {
            let spot = &self.spots[*spot as usize];
            let bits = spot.field.get(vector);
            let held = self.held(spot, vector, bits);
            if usize::from(spot.arity) + usize::from(held != NONE) < 2 {
                continue;
            }
            let index = &spot.index[..spot.arity as usize];
            let mut all = [NONE; 3];
            all[..index.len()].copy_from_slice(index);
            all[2] = held;
            let plain = if held == NONE { u64::from(bits) } else { HELD };
            for (at, point) in all.iter().enumerate().filter(|(_, p)| **p != NONE) {
                let others = all.iter().enumerate();
                let others = others.filter(|(other, p)| *other != at && **p != NONE);
                let mut own = mix(spot.salt + at as u64, plain);
                for (other, point) in others {
                    own = mix(own + other as u64, spare[*point as usize]);
                }
                let colour = &mut colours[*point as usize];
                *colour = colour.wrapping_add(own);
            }
        }
        for (tag, process, point) in &self.companions {
            let both = [spare[*process as usize], spare[*point as usize]];
            for (at, point) in [(1, process), (0, point)] {
                let colour = &mut colours[*point as usize];
                *colour = colour.wrapping_add(mix(tag + at as u64, both[at]));
            }
        }
    }
}

/// Marks of colours.
const ITSELF: u64 = 0xd1b5_4a32_d192_ed03;
const ANOTHER: u64 = 0x8cb9_2ba7_2f3d_8dd7;
const HELD: u64 = 0xaef1_7502_108e_f2d9;
