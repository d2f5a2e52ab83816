//! The models that inputs are made from.

use std::path::PathBuf;

use super::mutate::{Material, Vocabulary, mutate};
use super::random::Random;
use super::z;
use crate::places;

/// The models, small ones apart: a small model is tried in a fraction of the time.
#[derive(Debug, Default)]
pub struct Seeds {
    small: Vec<Seed>,
    large: Vec<Seed>,
    vocabulary: Vocabulary,
}

#[derive(Debug)]
struct Seed {
    text: String,
    extension: &'static str,
    neighbours: Option<PathBuf>,
}

/// A broken model.
#[derive(Debug)]
pub struct Input {
    /// The text.
    pub text: String,
    /// What its file is called at the end.
    pub extension: &'static str,
    /// The folder of the model it was made from, when that refers to other files.
    pub neighbours: Option<PathBuf>,
}

/// A model up to this size is small.
pub(super) const SMALL: usize = 2_000;

/// A larger model is not used: its time is better spent on a thousand small ones.
const LARGEST: usize = 60_000;

/// Words by which a model refers to other files.
const LINKS: &[&str] = &[
    "REFINES", "SEES", "USES", "INCLUDES", "EXTENDS", "IMPORTS", ".def", "#include",
];

/// One input in so many is made from a large model.
const LARGE_EVERY: usize = 25;

impl Seeds {
    /// Reads every model of classical B below the folders, in a fixed order.
    pub fn read(folders: &[PathBuf]) -> Seeds {
        Seeds::of(folders, places::B_EXTENSIONS)
    }

    /// Reads every package, text and Rodin file of Event-B below the folders, in a fixed order.
    pub fn event_b(folders: &[PathBuf]) -> Seeds {
        Seeds::of(folders, places::EVENT_B_EXTENSIONS)
    }

    /// Reads every program of Promela below the folders, in a fixed order.
    pub fn promela(folders: &[PathBuf]) -> Seeds {
        Seeds::of(folders, places::PROMELA_EXTENSIONS)
    }

    /// Reads every program of Murphi below the folders, in a fixed order.
    pub fn murphi(folders: &[PathBuf]) -> Seeds {
        Seeds::of(folders, places::MURPHI_EXTENSIONS)
    }

    /// Reads every specification in Z below the folders, in a fixed order.
    pub fn z(folders: &[PathBuf]) -> Seeds {
        Seeds {
            vocabulary: z::VOCABULARY,
            ..Seeds::of(folders, places::Z_EXTENSIONS)
        }
    }

    fn of(folders: &[PathBuf], extensions: &[&'static str]) -> Seeds {
        let mut seeds = Seeds::default();
        for folder in folders {
            for path in places::files_below(folder, extensions) {
                let Ok(bytes) = std::fs::read(&path) else {
                    continue;
                };
                let extension = extensions
                    .iter()
                    .copied()
                    .find(|extension| path.extension().is_some_and(|e| e == *extension))
                    .unwrap_or("mch");
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let refers = LINKS.iter().any(|word| text.contains(word));
                let seed = Seed {
                    neighbours: refers.then(|| path.parent().map(PathBuf::from)).flatten(),
                    text,
                    extension,
                };
                if seed.text.len() <= SMALL {
                    seeds.small.push(seed);
                } else if seed.text.len() <= LARGEST {
                    seeds.large.push(seed);
                }
            }
        }
        seeds
    }

    /// How many models there are.
    pub fn len(&self) -> usize {
        self.small.len() + self.large.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The input with this number.
    pub fn input(&self, seed: u64, number: u64) -> Input {
        let mut random = Random::new(seed, number);
        let large = !self.large.is_empty() && random.one_in(LARGE_EVERY);
        let pool = if large || self.small.is_empty() {
            &self.large
        } else {
            &self.small
        };
        let Some(model) = random.pick(pool) else {
            return Input {
                text: String::new(),
                extension: "mch",
                neighbours: None,
            };
        };
        let material = Material {
            other: &random.pick(&self.small).unwrap_or(model).text,
            vocabulary: self.vocabulary,
        };
        Input {
            text: mutate(&model.text, material, &mut random),
            extension: model.extension,
            neighbours: model.neighbours.clone(),
        }
    }
}
