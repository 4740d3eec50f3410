//! The command line tool. It reads arguments, plans, runs and prints.

mod analyze;
mod args;
mod ask;
mod beside;
mod build;
mod built;
mod check;
mod columns;
mod completions;
mod conflicts;
mod convert;
mod diff;
mod draw;
mod dump;
mod edit;
mod export;
mod extract;
mod findings;
mod fits;
mod fix;
mod floor;
mod generate;
mod graphrow;
mod graphs;
mod groups;
mod history;
mod info;
mod limited;
mod list;
mod loadorder;
mod manpage;
mod manual;
mod mapped;
mod merge;
mod orders;
mod out;
mod patch;
mod paths;
mod piped;
mod plan;
mod progress;
mod repair;
mod row;
mod save;
mod scan;
mod signals;
mod slim;
mod sql;
mod tables;
mod target;
mod tiles;
mod trace;
mod values;
mod wrap;

use clap::{CommandFactory, FromArgMatches};
use navmap::error::Error;
use out::{Out, complain};
use std::io::{self, Write};
use std::process::ExitCode;

/// The result of a run, which becomes the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    Clean,
    Findings,
    Failed,
    /// A signal ended it early.
    Stopped,
}

/// Why a run failed.
#[derive(Debug)]
enum Failure {
    /// The reader of our output has closed it.
    ClosedPipe,
    Io(io::Error),
    Nav(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Io(error) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error.kind() {
            navmap::ErrorKind::Io(io) if io.kind() == io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Nav(error),
        }
    }
}

/// Memory without which no verb can do anything: for the thread that waits for signals, and what the arguments become.
const LEAST: usize = 4 << 20;

/// Runs the program: reads the arguments of the process and returns its exit status. This is 0 if all is well, 1 for
/// findings or unreadable meshes, 2 if the run itself failed, and 128 plus the signal's number if a signal ended it.
fn main() -> ExitCode {
    if let Err(error) = navmap::bytes::room("navmap", LEAST) {
        return ExitCode::from(failed(&error));
    }
    signals::watch();
    let program = groups::grouped(args::Cli::command());
    let typed = program.try_get_matches_from(ask::points_are_values(std::env::args_os()));
    let cli = match typed.and_then(|typed| args::Cli::from_arg_matches(&typed)) {
        Ok(cli) => cli,
        Err(asked) => return ExitCode::from(answer(&asked)),
    };
    let done = match cli.verb {
        args::Verb::Scan(typed) => scan::run(&typed),
        args::Verb::Dump(typed) => dump::run(&typed),
        args::Verb::Check(typed) if typed.load_order => loadorder::run(&typed),
        args::Verb::Check(typed) => check::run(&typed),
        args::Verb::Diff(typed) => diff::run(&typed),
        args::Verb::Patch(typed) => patch::run(typed),
        args::Verb::Merge(typed) => merge::run(&typed),
        args::Verb::Draw(typed) => draw::run(&typed),
        args::Verb::Export(typed) => export::run(&typed),
        args::Verb::List(typed) => list::run(&typed),
        args::Verb::Extract(typed) => extract::run(&typed),
        args::Verb::Info(typed) if typed.tiles => tiles::run(&typed.one),
        args::Verb::Info(typed) => info::run(&typed),
        args::Verb::Convert(typed) => convert::run(&typed),
        args::Verb::Edit(typed) => edit::run(&typed),
        args::Verb::Conflicts(typed) => conflicts::run(&typed),
        args::Verb::Fix(typed) => repair::run(&typed),
        args::Verb::Slim(typed) => slim::run(&typed),
        args::Verb::Tables(typed) => tables::run(&typed),
        args::Verb::Sql(typed) => sql::run(&typed),
        args::Verb::Analyze(typed) => analyze::run(&typed),
        args::Verb::Generate(typed) => generate::run(&typed),
        args::Verb::Trace(typed) => trace::run(&typed),
        args::Verb::Locate(typed) => ask::locate(&typed),
        args::Verb::Path(typed) => ask::path(&typed),
        args::Verb::Reach(typed) => ask::reach(&typed),
        args::Verb::Completions { shell } => print(&completions::script(shell)),
        args::Verb::Man { all: Some(folder), .. } => {
            manpage::write_all(&folder).map(|()| Exit::Clean).map_err(Failure::from)
        }
        args::Verb::Man { verb, .. } => {
            manpage::page(verb.as_deref()).map_err(Failure::from).and_then(|page| print(&page))
        }
    };
    ExitCode::from(match done {
        Ok(Exit::Clean) | Err(Failure::ClosedPipe) => 0,
        Ok(Exit::Findings) => 1,
        Ok(Exit::Failed) => 2,
        Ok(Exit::Stopped) => signals::status().unwrap_or(2),
        Err(Failure::Io(error)) => failed(&error),
        Err(Failure::Nav(error)) if is_bad_file(&error) => failed(&error).min(1),
        Err(Failure::Nav(error)) => failed(&error),
    })
}

/// Whether the fault lies in a file that was read: in its bytes, which every verb answers with the same status, or in what
/// was asked for.
fn is_bad_file(error: &Error) -> bool {
    use navmap::ErrorKind::{Count, OutOfRange, Text, Trailing, Truncated, Version};
    error.is_not_mesh()
        || error.position().offset.is_some()
        || matches!(
            error.kind(),
            Count { .. }
                | OutOfRange { .. }
                | Text { .. }
                | Trailing { .. }
                | Truncated { .. }
                | Version { .. }
        )
}

/// Prints help, the version, or what is wrong with the arguments.
fn answer(asked: &clap::Error) -> u8 {
    match asked.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !asked.use_stderr() => failed(&error),
        _ => u8::try_from(asked.exit_code()).unwrap_or(2),
    }
}

fn failed(error: &dyn std::error::Error) -> u8 {
    complain(format_args!("navmap: {error}"));
    2
}

fn print(text: &[u8]) -> Result<Exit, Failure> {
    let mut out = Out::new();
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Clean)
}

/// The exit status of a run over many files.
fn exit(totals: &navmap::scan::Totals) -> Exit {
    match totals {
        totals if totals.stopped => Exit::Stopped,
        totals if totals.errors > 0 || totals.findings > 0 => Exit::Findings,
        _ => Exit::Clean,
    }
}

/// The failure of a single file that is no mesh, or that cannot be read. If it could not even be opened the run failed.
fn unreadable(error: Error, path: &std::path::Path) -> Exit {
    let exit = if matches!(error.kind(), navmap::ErrorKind::Io(_)) { Exit::Failed } else { Exit::Findings };
    complain(format_args!("navmap: {}", error.in_file(path)));
    exit
}

/// Says what could not be read. Returns how a run ends that goes on without it.
fn left_out<'e>(errors: impl IntoIterator<Item = &'e navmap::Error>) -> Exit {
    let mut exit = Exit::Clean;
    for error in errors {
        complain(format_args!("navmap: {error}"));
        exit = Exit::Findings;
    }
    exit
}

/// The result of reading a single file, after everything readable has been printed.
fn readable(read: navmap::Result<()>, path: &std::path::Path) -> Result<Exit, Failure> {
    match read {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => match Failure::from(error) {
            Failure::Nav(error) => Ok(unreadable(error, path)),
            closed => Err(closed),
        },
    }
}
