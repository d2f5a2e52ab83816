//! The commands of an animation, as words.

/// What `help` shows.
pub const HELP: &str = "\
  NUMBER | EVENT | EVENT(VALUES)   do it: 3, fill, start(PUMP1), start(p = PUMP1)
  do TEXT            the same, when an event has the name of a command
  events [FILTER]    what can happen here; ! marks what breaks the invariant
  why EVENT[(…)]     why it cannot happen here
  state              values of constants and variables; * marks what changed
  view               both
  schema [NAME]      the paragraphs of the text, or one, as they are set
  undo [N], redo [N] back and forth
  goto STEP          to a step of the path; 0 is the beginning
  path               all steps
  branches           other ways that were gone from here or before
  branch N           to the end of one of them
  find PREDICATE     to the nearest state from here that satisfies it
  random [N]         N random steps
  eval FORMULA       its value here
  watch [FORMULA]    its value at every step; without a formula, show all that are watched
  unwatch N          no longer
  invariant          each conjunct and assertion with its truth here
  save FILE          keep the path: .json .itf.json .prob2trace .md
  load FILE          walk a saved path from the beginning
  append FILE        walk the events of a saved path from here
  expect PREDICATE   fail unless it holds here
  quit
  # …                a comment
";

/// The words of the commands.
pub const WORDS: &[&str] = &[
    "append",
    "branch",
    "branches",
    "do",
    "eval",
    "events",
    "expect",
    "find",
    "goto",
    "help",
    "invariant",
    "load",
    "path",
    "quit",
    "random",
    "redo",
    "save",
    "schema",
    "state",
    "undo",
    "unwatch",
    "view",
    "watch",
    "why",
];

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Nothing,
    Help,
    Quit,
    Do(&'a str),
    Undo(usize),
    Redo(usize),
    Goto(usize),
    View,
    State,
    Events(&'a str),
    Why(&'a str),
    Find(&'a str),
    Random(usize),
    Eval(&'a str),
    Watch(&'a str),
    Unwatch(usize),
    Invariant,
    Schema(&'a str),
    Path,
    Branches,
    Branch(usize),
    Save(&'a str),
    Load(&'a str),
    Append(&'a str),
    Expect(&'a str),
}

/// Reads a command; an error says what is wrong with it.
pub(super) fn parse(line: &str, is_event: impl Fn(&str) -> bool) -> Result<Command<'_>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Command::Nothing);
    }
    let end = line
        .find(|c: char| c.is_whitespace() || c == '(')
        .unwrap_or(line.len());
    let (word, rest) = (&line[..end], line[end..].trim());
    let needed = |what: &str| match rest.is_empty() {
        true => Err(format!("{word} needs {what}")),
        false => Ok(rest),
    };
    let number = |otherwise: Option<usize>| match (rest.parse(), otherwise) {
        (Ok(number), _) => Ok(number),
        (Err(_), Some(otherwise)) if rest.is_empty() => Ok(otherwise),
        _ => Err(format!("{word} needs a number")),
    };
    let alone = |command| match rest.is_empty() {
        true => Ok(command),
        false => Err(format!("{word} takes nothing")),
    };
    match word {
        "do" => Ok(Command::Do(needed("an event")?)),
        "undo" => Ok(Command::Undo(number(Some(1))?)),
        "redo" => Ok(Command::Redo(number(Some(1))?)),
        "goto" => Ok(Command::Goto(number(None)?)),
        "view" => alone(Command::View),
        "state" => alone(Command::State),
        "events" => Ok(Command::Events(rest)),
        "why" => Ok(Command::Why(needed("an event")?)),
        "find" => Ok(Command::Find(needed("a predicate")?)),
        "random" => Ok(Command::Random(number(Some(1))?)),
        "eval" => Ok(Command::Eval(needed("a formula")?)),
        "watch" => Ok(Command::Watch(rest)),
        "unwatch" => Ok(Command::Unwatch(number(None)?)),
        "invariant" => alone(Command::Invariant),
        "schema" => Ok(Command::Schema(rest)),
        "path" => alone(Command::Path),
        "branches" => alone(Command::Branches),
        "branch" => Ok(Command::Branch(number(None)?)),
        "save" => Ok(Command::Save(needed("a file")?)),
        "load" => Ok(Command::Load(needed("a file")?)),
        "append" => Ok(Command::Append(needed("a file")?)),
        "expect" => Ok(Command::Expect(needed("a predicate")?)),
        "help" | "?" => alone(Command::Help),
        "quit" | "exit" => alone(Command::Quit),
        word if is_event(word) || word.parse::<usize>().is_ok() => Ok(Command::Do(line)),
        word => {
            let near = base::near::nearest(word, WORDS.iter().copied());
            let near = near.map(|near| format!("; did you mean {near}?"));
            Err(format!(
                "there is no event or command \"{}\"{}",
                word.escape_debug(),
                near.unwrap_or_else(|| "; help shows all".to_owned())
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, WORDS, parse};

    #[test]
    fn lines_are_commands_events_or_neither() {
        let event = |word: &str| word == "fill" || word == "state";
        assert_eq!(parse("  ", event), Ok(Command::Nothing));
        assert_eq!(parse("# undo", event), Ok(Command::Nothing));
        assert_eq!(parse("undo", event), Ok(Command::Undo(1)));
        assert_eq!(parse("undo 3", event), Ok(Command::Undo(3)));
        assert_eq!(parse("find x = 1", event), Ok(Command::Find("x = 1")));
        assert_eq!(parse("fill(1, 2)", event), Ok(Command::Do("fill(1, 2)")));
        assert_eq!(parse("12", event), Ok(Command::Do("12")));
        assert_eq!(parse("do state", event), Ok(Command::Do("state")));
        assert_eq!(parse("state", event), Ok(Command::State));
        for wrong in ["find", "goto", "undo x", "quit now", "fil"] {
            assert!(parse(wrong, event).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_word_is_a_command_and_is_explained() {
        for word in WORDS {
            let line = format!("{word} 1");
            let known = parse(word, |_| false).is_ok() || parse(&line, |_| false).is_ok();
            assert!(known, "{word}");
            assert!(*word == "help" || super::HELP.contains(word), "{word}");
        }
    }
}
