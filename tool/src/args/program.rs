//! The program with all of its options: those that mean the same for many verbs are added here.

use super::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory};

/// Verbs that say on stderr what they did, or show how far they are.
const TALK: [&str; 20] = [
    "watch",
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
    "build",
    "locate",
    "path",
    "reach",
    "trace",
];

/// Verbs that write files.
const WRITE: [&str; 15] = [
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
    "build",
    "locate",
    "path",
    "reach",
    "tables",
];

/// Verbs that write over a mesh, and keep it as it was.
const IN_PLACE: [&str; 6] = ["check", "edit", "analyze", "slim", "patch", "fix"];

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
    let backups = |verb: Command| {
        let help =
            "With --in-place: keep the files as they were in this folder, which is made if it is not there";
        let folder = Arg::new("backup_dir").long("backup-dir").value_name("DIR");
        verb.arg(folder.value_parser(clap::value_parser!(std::path::PathBuf)).requires("in_place").help(help))
    };
    for verb in IN_PLACE {
        program = program.mut_subcommand(verb, backups);
    }
    let only_with = |verb: Command, id: &'static str| {
        let help = format!("With --{id}: say which files would be written, and write none");
        verb.arg(dry().requires(id).help(help))
    };
    let program = program
        .mut_subcommand("check", |check| only_with(check, "fix"))
        .mut_subcommand("view", |view| only_with(view, "html"));
    let verbs: Vec<String> = program.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    verbs.into_iter().fold(program, |program, verb| program.mut_subcommand(verb, under_headings))
}

/// The options of a verb under headings by what they do. Others, which are the verb's own, stand first.
fn under_headings(verb: Command) -> Command {
    verb.mut_args(|arg| {
        let id = arg.get_id().as_str();
        let heading = HEADINGS.iter().find(|(_, ids)| ids.contains(&id)).map(|(heading, _)| *heading);
        let own = arg.get_help_heading().filter(|own| *own == MODELS).map(str::to_owned);
        match (heading, own) {
            (Some(heading), _) => arg.help_heading(heading),
            // A heading of a group of options goes on behind it.
            (None, None) => arg.help_heading(None),
            (None, Some(_)) => arg,
        }
    })
}

/// The heading of the options for models, which are declared last.
const MODELS: &str = "From .obj and .glb";

/// Options of many verbs, by what they do.
const HEADINGS: [(&str, &[&str]); 4] = [
    (
        "What is read",
        &[
            "files_from",
            "deep",
            "kind",
            "mmap",
            "lenient",
            "load_order",
            "data",
            "space",
            "hull",
            "bsp",
            "models",
        ],
    ),
    (
        "What is printed",
        &["format", "least", "code", "ignore", "all", "units", "unordered", "quiet", "threads"],
    ),
    (
        "What is written",
        &[
            "output",
            "in_place",
            "backup_dir",
            "force",
            "force_odd",
            "dry_run",
            "journal",
            "draw",
            "html",
            "report",
        ],
    ),
    (
        "Limits",
        &[
            "max_file_bytes",
            "max_inflated",
            "max_bytes",
            "max_ratio",
            "max_members",
            "max_depth",
            "max_memory",
        ],
    ),
];
