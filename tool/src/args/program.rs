//! The program with all of its options: those that mean the same for many verbs are added here.

use super::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory};

/// Verbs that say on stderr what they did, or show how far they are.
const TALK: [&str; 18] = [
    "diff",
    "draw",
    "view",
    "export",
    "extract",
    "convert",
    "edit",
    "analyze",
    "slim",
    "fix",
    "conflicts",
    "patch",
    "merge",
    "generate",
    "locate",
    "path",
    "reach",
    "trace",
];

/// Verbs that write files.
const WRITE: [&str; 14] = [
    "diff",
    "draw",
    "export",
    "extract",
    "convert",
    "analyze",
    "slim",
    "conflicts",
    "merge",
    "generate",
    "locate",
    "path",
    "reach",
    "tables",
];

/// The program with its verbs and all of their options.
pub(crate) fn program() -> Command {
    let quiet = || {
        let help = "No progress, and no word on stderr of what went well";
        Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help(help)
    };
    let dry = || {
        let help = "Say which files would be written, and write none";
        Arg::new("dry_run").long("dry-run").action(ArgAction::SetTrue).help(help)
    };
    let mut program = Cli::command();
    let lacks = |verb: &Command, id: &str| verb.get_arguments().all(|arg| arg.get_id() != id);
    for verb in TALK {
        program =
            program.mut_subcommand(verb, |verb| if lacks(&verb, "quiet") { verb.arg(quiet()) } else { verb });
    }
    for verb in WRITE {
        program =
            program.mut_subcommand(verb, |verb| if lacks(&verb, "dry_run") { verb.arg(dry()) } else { verb });
    }
    let only_with = |verb: Command, id: &'static str| {
        let help = format!("With --{id}: say which files would be written, and write none");
        verb.arg(dry().requires(id).help(help))
    };
    program
        .mut_subcommand("check", |check| only_with(check, "fix"))
        .mut_subcommand("view", |view| only_with(view, "html"))
}
