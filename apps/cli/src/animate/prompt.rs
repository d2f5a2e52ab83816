//! The prompt of the animator: line editing, history, completion of events and commands.

use rustyline::completion::Completer;
use rustyline::config::Configurer as _;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};
use workbench::animate::{Animator, Reply, Tone};

use super::say;
use crate::console::Console;
use crate::patience::Patience;

/// Asks for commands until the user has enough.
pub(super) fn run(
    animator: &mut Animator,
    patience: &Patience,
    console: &mut Console,
    color: bool,
) {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .build();
    let history = MemHistory::new();
    let mut editor: Editor<Words, MemHistory> = match Editor::with_history(config, history) {
        Ok(editor) => editor,
        Err(error) => {
            console.say(&format!("error: the terminal cannot be used: {error}"));
            return;
        }
    };
    if !color {
        editor.set_color_mode(ColorMode::Disabled);
    }
    editor.set_helper(Some(Words(animator.words())));
    animator.heed(patience.begin());
    let begin = animator.begin();
    show(&begin, animator, color, console);
    console.line("help shows the commands");
    loop {
        match editor.readline(&format!("{}> ", animator.steps())) {
            Ok(line) => {
                let _ = editor.add_history_entry(line.as_str());
                // Ctrl-C ends the command under way, not the session.
                animator.heed(patience.begin());
                let reply = animator.obey(&line);
                show(&reply, animator, color, console);
                if reply.quit || !console.is_open() {
                    return;
                }
            }
            // Ctrl-C empties the line, Ctrl-D ends.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return,
            Err(error) => {
                console.say(&format!("error: {error}"));
                return;
            }
        }
    }
}

/// Shows a reply, and after a move where the animation is now.
fn show(reply: &Reply, animator: &Animator, color: bool, console: &mut Console) {
    if !reply.moved {
        return say(reply, color, console);
    }
    let mut lines = reply.lines.clone();
    // The table shows what the last step changed.
    lines.retain(|line| line.tone != Tone::Changed);
    lines.extend(animator.view().lines);
    let reply = Reply {
        lines,
        ..Reply::default()
    };
    say(&reply, color, console);
}

/// Completes the first word of a line.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..position).unwrap_or(line);
        let start = typed.rfind(' ').map_or(0, |blank| blank + 1);
        let after_word = ["do", "why", "events"].contains(&typed[..start].trim());
        if start > 0 && !after_word {
            return Ok((position, Vec::new()));
        }
        let words = self
            .0
            .iter()
            .filter(|word| word.starts_with(&typed[start..]));
        Ok((start, words.cloned().collect()))
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}
impl Hinter for Words {
    type Hint = String;
}
