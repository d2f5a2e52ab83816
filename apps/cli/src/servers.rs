//! The commands that serve other programs on standard streams: `session`, `mcp`, `lsp`, `dap`; and `serve`.
//!
//! Invariant: they write to standard output themselves, from several threads: no console is open then.

use std::io;
use std::time::Duration;

use mcp::{Page, Server};
use session::Child;

use crate::args::Command;
use crate::args::servers::{McpArgs, ServeArgs, SessionArgs};
use crate::bug;
use crate::languages;
use crate::reference;

/// The exit code of a server that cannot begin.
const USAGE: u8 = 2;

/// Runs a command if it is one of these.
pub(crate) fn run(command: &Command) -> Option<u8> {
    let ended = match command {
        Command::Session(args) => session(args),
        Command::Mcp(args) => mcp(args),
        Command::Lsp(_) => lsp(),
        Command::Dap(_) => dap(),
        Command::Serve(args) => serve(args),
        _ => return None,
    };
    Some(match ended {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("error: {error}");
            USAGE
        }
    })
}

fn session(args: &SessionArgs) -> io::Result<()> {
    session::serve(&languages::workbench(), &args.folder, args.max_memory)
}

fn mcp(args: &McpArgs) -> io::Result<()> {
    let max_time = Duration::try_from_secs_f64(args.max_time).map_err(io::Error::other)?;
    mcp::serve(Server {
        program: Child::program()?,
        folder: args.folder.canonicalize()?,
        max_time,
        max_memory: args.max_memory,
        pages: pages(),
    })
}

fn lsp() -> io::Result<()> {
    // A bug that a text shows must not end the server: it is told, and the next request is answered.
    bug::tell_only();
    lsp::serve(&languages::workbench(), Child::program()?)
}

fn dap() -> io::Result<()> {
    // A text that shows a bug has no events; the animation itself is in a session.
    bug::tell_only();
    dap::serve(&languages::workbench(), Child::program()?)
}

fn serve(args: &ServeArgs) -> io::Result<()> {
    session::lean::begin_again();
    let given = args.file.canonicalize().map_err(|error| {
        let shown = args.file.display();
        io::Error::other(format!("cannot open \"{shown}\": {error}"))
    })?;
    let (folder, file) = match (given.is_dir(), given.parent(), given.file_name()) {
        (false, Some(folder), Some(name)) => {
            (folder.to_owned(), Some(name.to_string_lossy().into_owned()))
        }
        _ => (given, None),
    };
    // What a session cannot contain is a bug of the server itself: it is told, and other requests go on.
    bug::tell_only();
    let server = web::Server {
        program: Child::program()?,
        folder,
        file,
        port: args.port,
        max_time: Duration::try_from_secs_f64(args.max_time).map_err(io::Error::other)?,
        max_memory: args.max_memory,
        extensions: extensions(),
    };
    web::serve(server, |address| println!("{address}"))
}

/// The extensions of models.
fn extensions() -> Vec<String> {
    let languages = languages::LANGUAGES.read.iter();
    let all = languages.flat_map(|language| language.extensions());
    all.map(|extension| (*extension).to_owned()).collect()
}

/// The cheat sheets of the languages, and the reference of options.
fn pages() -> Vec<Page> {
    let languages = languages::LANGUAGES.read.iter();
    let sheets = languages.filter(|language| !language.sheet().is_empty());
    let sheets = sheets.map(|language| Page {
        uri: format!("burnside://language/{}", language.id()),
        name: format!("{} cheat sheet", language.name()),
        about: format!("{} in one page, for writing models", language.name()),
        text: language.sheet().to_owned(),
    });
    let text = reference::text();
    // The whole reference is long: who needs one command reads that alone.
    let commands = text.split("\n## `").skip(1).filter_map(|part| {
        let (command, _) = part.split_once('`')?;
        Some(Page {
            uri: format!("burnside://options/{command}"),
            name: format!("options of {command}"),
            about: format!("what the options of {command} mean"),
            text: format!("## `{}\n", part.trim_end()),
        })
    });
    let commands: Vec<Page> = commands.collect();
    let options = Page {
        uri: "burnside://options".to_owned(),
        name: "options".to_owned(),
        about: "what every option means, by command: long".to_owned(),
        text,
    };
    sheets.chain([options]).chain(commands).collect()
}
