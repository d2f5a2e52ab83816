//! Brings together the processes of a distributed check, and the model to each of them.
//!
//! With `--processes` they are started here and hear the secret on their standard input; with `--hosts` they wait already.
//! Invariant: whoever was started here is gone when the check is over.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use workbench::{PATIENCE, Secret, Team};

use crate::args::check::{CheckArgs, Many};

/// How many processes there are when nobody says.
const PROCESSES: usize = 2;
/// How long a process that was started may take to end by itself.
const GRACE: Duration = Duration::from_secs(5);

const ENDED: &str = "a worker that was started ended before it listened";

/// The processes of a check.
pub(crate) struct Gathered {
    /// The team.
    pub(crate) team: Arc<Team>,
    children: Vec<Child>,
}

impl Drop for Gathered {
    fn drop(&mut self) {
        // Nothing more is wanted of the others.
        self.team.hang_up();
        for child in &mut self.children {
            drop(child.stdin.take());
        }
        let begun = Instant::now();
        for child in &mut self.children {
            while matches!(child.try_wait(), Ok(None)) {
                if begun.elapsed() > GRACE {
                    // It may have ended meanwhile.
                    let _ = child.kill();
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// What a worker is to do: the command line, and the files of the model.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The words after `burnside`.
    pub(crate) arguments: Vec<String>,
    /// The model, among the files.
    pub(crate) main: PathBuf,
    /// The file of formulas, among the files.
    pub(crate) formulas: Option<PathBuf>,
    /// Each file with its length; their bytes follow.
    pub(crate) files: Vec<(PathBuf, usize)>,
}

/// The team of a check, when it has one; an error is a sentence for the user.
pub(crate) fn gather(args: &CheckArgs) -> Result<Option<Gathered>, String> {
    let many = &args.many;
    if !args.is_distributed() {
        let is_given = many.processes.is_some() || many.hosts.is_some() || many.secret.is_some();
        return match is_given {
            true => {
                Err("--processes, --hosts and --secret belong to --engine distributed".to_owned())
            }
            false => Ok(None),
        };
    }
    let mut children = Vec::new();
    let (addresses, secret) = match &many.hosts {
        Some(_) => (hosts(many)?.split_off(1), secret(many)?),
        None => {
            let text = Secret::fresh().map_err(|refused| refused.to_string())?;
            let count = many.processes.unwrap_or(PROCESSES);
            let mut addresses = Vec::new();
            for _ in 1..count {
                let (child, address) = start(&text)?;
                children.push(child);
                addresses.push(address);
            }
            (addresses, Secret::new(&text))
        }
    };
    let mut gathered = Gathered {
        team: Arc::new(Team::alone()),
        children,
    };
    if !addresses.is_empty() {
        let started = &mut gathered.children;
        let is_gone = |at: usize| {
            let child = started.get_mut(at).map(Child::try_wait);
            matches!(child, Some(Ok(Some(_))))
        };
        let team = Team::lead(&addresses, &secret, PATIENCE, is_gone);
        let team = team.map_err(|why| why.to_string())?;
        let job = job(args)?;
        for process in 1..team.processes() {
            team.send(process, &job).map_err(|why| why.to_string())?;
        }
        gathered.team = Arc::new(team);
    }
    Ok(Some(gathered))
}

/// The addresses of all processes.
pub(crate) fn hosts(many: &Many) -> Result<Vec<String>, String> {
    let Some(path) = &many.hosts else {
        return Err("--me needs --hosts".to_owned());
    };
    let text = read(path)?;
    let lines = text.lines().map(str::trim);
    let hosts = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let hosts: Vec<String> = hosts.map(str::to_owned).collect();
    match hosts.len() > many.me {
        true => Ok(hosts),
        false => Err(format!(
            "\"{}\" names {} processes; there is no process {}",
            path.display(),
            hosts.len(),
            many.me
        )),
    }
}

/// The secret in a file.
pub(crate) fn secret(many: &Many) -> Result<Secret, String> {
    let Some(path) = &many.secret else {
        return Err("--hosts needs --secret".to_owned());
    };
    Ok(Secret::new(&read(path)?))
}

fn read(path: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(path);
    text.map_err(|error| format!("cannot read \"{}\": {error}", path.display()))
}

/// Starts a worker on this machine; where it listens.
fn start(secret: &str) -> Result<(Child, String), String> {
    let told = |error: std::io::Error| format!("a worker cannot be started: {error}");
    let program = std::env::current_exe().map_err(told)?;
    let mut child = Command::new(program)
        .args(["worker", "--once", "--tied"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(told)?;
    let mut line = String::new();
    // The input stays open as long as this process lives.
    if let (Some(input), Some(output)) = (&mut child.stdin, child.stdout.take()) {
        // Whoever ended before it could be written to says nothing.
        let written = writeln!(input, "{secret}");
        let read = BufReader::new(output).read_line(&mut line);
        written.and(read.map(drop)).map_err(|_| ENDED.to_owned())?;
    }
    match line.trim().rsplit_once(' ') {
        Some((_, address)) => Ok((child, address.to_owned())),
        None => Err(ENDED.to_owned()),
    }
}

/// The command line and the files that were read, for workers.
fn job(args: &CheckArgs) -> Result<Vec<u8>, String> {
    let linted = workbench::lint(&args.model.bench(), &args.file);
    let known = (0..linted.sources.count()).map(|at| linted.sources.path(base::Id::new(at)));
    let mut files: Vec<PathBuf> = known.map(Path::to_path_buf).collect();
    files.push(args.file.clone());
    files.extend(args.formulas().cloned());
    let mut paths = Vec::new();
    for file in files {
        collect(&file, &mut paths);
    }
    paths.sort();
    paths.dedup();
    let unreadable = || format!("cannot read \"{}\"", args.file.display());
    let main = args.file.canonicalize().map_err(|_| unreadable())?;
    let mut root = main.parent().map(Path::to_path_buf).unwrap_or_default();
    while paths.iter().any(|path| !path.starts_with(&root)) && root.pop() {}
    let below = |path: &Path| path.strip_prefix(&root).map(Path::to_path_buf).ok();
    let mut bytes = Vec::new();
    let mut listed = Vec::new();
    for path in &paths {
        let text = std::fs::read(path);
        let text = text.map_err(|error| format!("cannot read \"{}\": {error}", path.display()))?;
        listed.push((below(path).ok_or_else(unreadable)?, text.len()));
        bytes.extend(text);
    }
    let job = Job {
        arguments: std::env::args().skip(1).collect(),
        main: below(&main).ok_or_else(unreadable)?,
        formulas: args
            .formulas()
            .and_then(|file| below(&file.canonicalize().ok()?)),
        files: listed,
    };
    let head = serde_json::to_vec(&job).map_err(|error| error.to_string())?;
    let len = (head.len() as u32).to_le_bytes();
    Ok([&len[..], &head, &bytes].concat())
}

/// The files at a path, in folders too.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), files));
    } else if path.is_file() {
        // A text that was never a file, such as a goal, has no such path.
        files.extend(path.canonicalize());
    }
}
