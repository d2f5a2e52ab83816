//! The options of a model and of a check as JSON has them; each means what the option of that name means on the command line.
//!
//! Invariant: no option here writes a file, reads one outside the folder, or talks to other machines.

use std::collections::BTreeMap;
use std::str::FromStr;

use base::Name;
use serde::{Deserialize, Serialize};
use subject::setting::{Obligations, Part, Reading};
use subject::{Scopes, Setting};
use workbench::plan::{Definitions, Options};
use workbench::{Cover, SuiteWanted, Workbench};

/// So many states are looked at for test cases when nobody says.
const MAX_STATES: usize = 10_000;

/// What is fixed about a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// `--language`
    pub language: Option<String>,
    /// `--card SET=N`
    pub card: BTreeMap<String, usize>,
    /// `--pref NAME=VALUE`
    pub pref: BTreeMap<String, String>,
    /// `--wd`
    pub wd: Option<String>,
    /// `--machine`
    pub machine: Option<String>,
    /// `--level`
    pub level: Option<u32>,
    /// `-D NAME[=VALUE]`
    pub define: Vec<String>,
    /// `--state`
    pub state: Option<String>,
    /// `--init`
    pub init: Option<String>,
    /// `--operation`
    pub operations: Vec<String>,
}

/// What is checked, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    /// `--no-invariant`
    pub no_invariant: bool,
    /// `--no-deadlock`
    pub no_deadlock: bool,
    /// `--no-assertions`
    pub no_assertions: bool,
    /// `--no-refinement`
    pub no_refinement: bool,
    /// `--goal`
    pub goal: Option<String>,
    /// `--goal-is-error`
    pub goal_is_error: bool,
    /// `--ltl`
    pub ltl: Vec<String>,
    /// `--ctl`
    pub ctl: Vec<String>,
    /// `--definitions`
    pub definitions: bool,
    /// `--only`
    pub only: Option<String>,
    /// `--all-findings`
    pub all_findings: Option<usize>,
    /// `--engine`
    pub engine: Option<String>,
    /// `--search`
    pub search: Option<String>,
    /// `--store`
    pub store: Option<String>,
    /// `--symmetry`
    pub symmetry: Option<String>,
    /// `--por`
    pub por: Option<String>,
    /// `--threads`
    pub threads: Option<usize>,
    /// `--max-states`
    pub max_states: Option<u64>,
    /// `--max-depth`
    pub max_depth: Option<u64>,
    /// `--max-time`, in seconds.
    pub max_time: Option<f64>,
    /// `--max-memory`, in bytes.
    pub max_memory: Option<u64>,
}

/// Which test cases are wanted, as the options of `tests`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tests {
    /// `--cover`
    pub cover: Option<String>,
    /// `--only`
    pub only: Vec<String>,
    /// `--end`
    pub end: Option<String>,
    /// `--max-states`
    pub max_states: Option<usize>,
    /// `--max-depth`
    pub max_depth: Option<usize>,
}

impl Tests {
    /// What the workbench needs to know about them.
    ///
    /// # Errors
    /// A sentence about a value that is none of its option.
    pub fn wanted(&self) -> Result<SuiteWanted, String> {
        Ok(SuiteWanted {
            cover: match self.cover.as_deref() {
                None | Some("operations") => Cover::Events,
                Some("guards") => Cover::Guards,
                Some(other) => {
                    return Err(format!(
                        "cover: \"{other}\" is neither operations nor guards"
                    ));
                }
            },
            only: self.only.clone(),
            end: self.end.clone(),
            max_states: self.max_states.unwrap_or(MAX_STATES),
            max_depth: self.max_depth.unwrap_or(usize::MAX),
        })
    }
}

impl Model {
    /// What the workbench needs to know about the model.
    ///
    /// # Errors
    /// A sentence about a value that is none of its option.
    pub fn setting(&self) -> Result<Setting, String> {
        let cards = self.card.iter().map(|(set, size)| match size {
            0 => Err(format!("card {set}: a set has at least one element")),
            size => Ok((Name::new(set), *size)),
        });
        let preferences = self.pref.iter();
        Ok(Setting {
            scopes: Scopes {
                cards: cards.collect::<Result<_, _>>()?,
                preferences: preferences
                    .map(|(name, value)| (Name::new(name), value.clone()))
                    .collect(),
            },
            wd: word("wd", self.wd.as_deref())?,
            part: Part {
                machine: self.machine.clone(),
                level: self.level,
                concrete_only: false,
                state: self.state.clone(),
                init: self.init.clone(),
                operations: self.operations.clone(),
            },
            ..Setting::default()
        })
    }

    /// What reads the file.
    ///
    /// # Errors
    /// When there is no such language.
    pub fn bench(&self, bench: &Workbench) -> Result<Workbench, String> {
        let language = match &self.language {
            None => None,
            Some(id) => {
                let known = bench.languages.by_id(id);
                Some(known.ok_or_else(|| format!("there is no language \"{id}\""))?)
            }
        };
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        Ok(Workbench {
            language,
            reading: Reading {
                defines: self.define.iter().map(define).collect(),
                ..Reading::default()
            },
            ..bench.clone()
        })
    }
}

impl Choices {
    /// What the workbench needs to know about the check.
    ///
    /// # Errors
    /// A sentence about a value that is none of its option.
    pub fn options(&self, model: &Model) -> Result<Options, String> {
        let usual = Options::default();
        let setting = Setting {
            obligations: Obligations {
                refinement: !self.no_refinement,
                assertions: !self.no_assertions,
                ..Obligations::default()
            },
            ..model.setting()?
        };
        if self.engine.as_deref() == Some("distributed") {
            return Err("engine: a session runs in one process".to_owned());
        }
        if self
            .max_time
            .is_some_and(|time| !(0.0..1e9).contains(&time))
        {
            return Err("max_time is not a number of seconds".to_owned());
        }
        Ok(Options {
            invariant: !self.no_invariant,
            deadlock: !self.no_deadlock,
            goal: self.goal.clone(),
            goal_is_error: self.goal_is_error,
            ltl: self.ltl.clone(),
            ctl: self.ctl.clone(),
            definitions: match self.definitions {
                true => Definitions::On,
                false => Definitions::Auto,
            },
            only: self.only.clone(),
            all_findings: self.all_findings.unwrap_or(1).max(1),
            setting,
            engine: word("engine", self.engine.as_deref())?,
            search: word("search", self.search.as_deref())?,
            store: word("store", self.store.as_deref())?,
            symmetry: word("symmetry", self.symmetry.as_deref())?,
            por: word("por", self.por.as_deref())?,
            threads: self.threads.unwrap_or(1).clamp(1, 64),
            max_states: self.max_states,
            max_depth: self.max_depth,
            max_time: self.max_time,
            max_memory: self.max_memory,
            ..usual
        })
    }
}

/// The value of an option that is one of several words.
fn word<T: FromStr<Err = String> + Default>(option: &str, word: Option<&str>) -> Result<T, String> {
    match word {
        None => Ok(T::default()),
        Some(word) => word.parse().map_err(|why| format!("{option}: {why}")),
    }
}
