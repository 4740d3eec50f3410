//! The command line tool. It reads arguments, plans, runs and prints.

mod alike;
mod analyze;
mod args;
mod ask;
mod beside;
mod build;
mod built;
mod check;
mod columns;
mod common;
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
mod heeded;
mod history;
mod info;
mod inputs;
mod keys;
mod level;
mod limited;
mod list;
mod loadorder;
mod looked;
mod losses;
mod manpage;
mod manual;
mod mapped;
mod merge;
mod nodes;
mod orders;
mod out;
mod patch;
mod paths;
mod piped;
mod plan;
mod progress;
mod repair;
mod report;
mod row;
mod save;
mod scan;
mod show;
mod signals;
mod slim;
mod sql;
mod status;
mod tables;
mod target;
mod terminal;
mod tiles;
mod trace;
mod values;
mod view;
mod watch;
mod wrap;

use clap::FromArgMatches;
use out::complain;
use status::{Exit, Failure, exit, is_bad_file, left_out, print, readable, unread, unreadable};
use std::io::{self, Write};
use std::process::ExitCode;

/// Memory without which no verb can run: for the thread that waits for signals, and the parsed arguments.
const LEAST: usize = 4 << 20;

/// Runs the program: reads the arguments of the process and returns its exit status. This is 0 if all is well, 1 for
/// findings or unreadable meshes, 2 if the run itself failed, and 128 plus the signal's number if a signal ended it.
fn main() -> ExitCode {
    if let Err(error) = navmap::bytes::room("navmap", LEAST) {
        return ExitCode::from(failed(&error));
    }
    let program = groups::grouped(args::program());
    let typed = program.try_get_matches_from(ask::points_are_values(std::env::args_os()));
    let parsed = typed.and_then(|typed| Ok((args::Cli::from_arg_matches(&typed)?, typed)));
    let (cli, typed) = match parsed {
        Ok(parsed) => parsed,
        Err(asked) => return ExitCode::from(answer(&asked)),
    };
    save_memory(&cli.verb);
    if !signals::watch() {
        // So none can be started to share in the work either.
        navmap::threads::alone();
    }
    common::note(&typed);
    if let Err(error) = inputs::note(&typed) {
        return ExitCode::from(failed(&error));
    }
    let done = match cli.verb {
        args::Verb::Scan(args::Full(typed)) => scan::run(&typed),
        args::Verb::Dump(args::Full(typed)) => dump::run(&typed),
        args::Verb::Check(args::Full(typed)) if typed.load_order => loadorder::run(&typed),
        args::Verb::Check(args::Full(typed)) => check::run(&typed),
        args::Verb::Diff(args::Full(typed)) => diff::run(&typed),
        args::Verb::Patch(args::Full(typed)) => patch::run(typed),
        args::Verb::Merge(args::Full(typed)) => merge::run(&typed),
        args::Verb::Show(args::Full(typed)) => show::run(&typed),
        args::Verb::Watch(args::Full(typed)) => watch::run(&typed),
        args::Verb::Draw(args::Full(typed)) => draw::run(&typed),
        args::Verb::View(args::Full(typed)) => view::run(typed),
        args::Verb::Export(args::Full(typed)) => export::run(&typed),
        args::Verb::List(args::Full(typed)) => list::run(&typed),
        args::Verb::Extract(args::Full(typed)) => extract::run(&typed),
        args::Verb::Info(args::Full(typed)) if typed.tiles => tiles::run(&typed.one),
        args::Verb::Info(args::Full(typed)) => info::run(&typed),
        args::Verb::Convert(args::Full(typed)) => convert::run(&typed),
        args::Verb::Edit(args::Full(typed)) => edit::run(&typed),
        args::Verb::Conflicts(args::Full(typed)) => conflicts::run(&typed),
        args::Verb::Fix(args::Full(typed)) => repair::run(&typed),
        args::Verb::Slim(args::Full(typed)) => slim::run(&typed),
        args::Verb::Tables(args::Full(typed)) => tables::run(&typed),
        args::Verb::Sql(args::Full(typed)) => sql::run(&typed),
        args::Verb::Analyze(args::Full(typed)) => analyze::run(&typed),
        args::Verb::Generate(args::Full(typed)) => generate::run(&typed),
        args::Verb::Build(args::Full(typed)) => level::run(&typed),
        args::Verb::Trace(args::Full(typed)) => trace::run(&typed),
        args::Verb::Locate(args::Full(typed)) => ask::locate(&typed),
        args::Verb::Path(args::Full(typed)) => ask::path(&typed),
        args::Verb::Reach(args::Full(typed)) => ask::reach(&typed),
        args::Verb::Completions(args::Full(typed)) => print(&completions::script(typed.shell)),
        args::Verb::Man(args::Full(typed)) => match (&typed.all, typed.verb.as_deref()) {
            (Some(folder), _) => manpage::write_all(folder).map(|()| Exit::Clean).map_err(Failure::from),
            (None, verb) => manpage::page(verb).map_err(Failure::from).and_then(|page| print(&page)),
        },
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

/// Keeps verbs small that need few threads, and those that put large meshes aside.
fn save_memory(verb: &args::Verb) {
    match verb {
        args::Verb::View(_) => navmap::bytes::keep_little(true),
        args::Verb::Diff(args::Full(typed)) if typed.draw.is_some() => navmap::bytes::keep_little(true),
        args::Verb::Draw(args::Full(typed)) if typed.around.is_some() => navmap::bytes::keep_little(true),
        args::Verb::Path(args::Full(args::Way { picture, .. }))
        | args::Verb::Reach(args::Full(args::Reach { picture, .. }))
            if picture.draw.is_some() =>
        {
            navmap::bytes::keep_little(true);
        }
        args::Verb::Convert(_) | args::Verb::Edit(_) => navmap::bytes::keep_little(true),
        args::Verb::Sql(_) => navmap::bytes::keep_little(false),
        _ => {}
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn answer(asked: &clap::Error) -> u8 {
    let plain = asked.render().to_string();
    let lines: Vec<String> = plain.lines().map(|line| navmap::text::printable(line.as_bytes())).collect();
    // What was typed is part of the text, and may hold what drives a terminal.
    let shown = match asked.use_stderr() && !plain.lines().eq(&lines) {
        true => writeln!(io::stderr(), "{}", lines.join("\n")),
        false => asked.print(),
    };
    match shown.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe && !asked.use_stderr() => failed(&error),
        _ => u8::try_from(asked.exit_code()).unwrap_or(2),
    }
}

fn failed(error: &dyn std::error::Error) -> u8 {
    complain(format_args!("navmap: {error}"));
    2
}
