//! The program with all of its options: those that mean the same for many verbs are added here.

use super::Cli;
use crate::manual;
use clap::builder::Resettable;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches};

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
    "build",
    "path",
    "reach",
    "tables",
];

/// Verbs that write files with an option alone.
const WRITE_WITH: [(&str, &str); 3] = [("check", "fix"), ("sql", "output"), ("view", "html")];

/// Verbs that write over a mesh, and keep it as it was.
const IN_PLACE: [&str; 6] = ["check", "edit", "analyze", "slim", "patch", "fix"];

/// The program with its verbs. What options a verb has is not worked out before somebody asks for them: of the thirty verbs, a run
/// has one.
pub(crate) fn program() -> Command {
    Cli::command()
}

/// The arguments of a verb: its own, and those that mean the same for many verbs.
#[derive(Debug)]
pub(crate) struct Full<T>(pub(crate) T);

impl<T: Args> Args for Full<T> {
    fn augment_args(verb: Command) -> Command {
        full(said_once(verb, T::augment_args))
    }

    fn augment_args_for_update(verb: Command) -> Command {
        full(said_once(verb, T::augment_args_for_update))
    }
}

/// Adds arguments to a verb. What the verb does stays said: a group of arguments would say in its place what the group is.
fn said_once(verb: Command, augment: impl FnOnce(Command) -> Command) -> Command {
    let [short, long] = [verb.get_about(), verb.get_long_about()].map(|said| Resettable::from(said.cloned()));
    augment(verb).about(short).long_about(long)
}

impl<T: FromArgMatches> FromArgMatches for Full<T> {
    fn from_arg_matches(typed: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(typed).map(Self)
    }

    fn from_arg_matches_mut(typed: &mut ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches_mut(typed).map(Self)
    }

    fn update_from_arg_matches(&mut self, typed: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(typed)
    }

    fn update_from_arg_matches_mut(&mut self, typed: &mut ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches_mut(typed)
    }
}

/// Adds to a verb the options that it shares with others, and its examples.
fn full(mut verb: Command) -> Command {
    let name = verb.get_name().to_owned();
    let lacks = |verb: &Command, id: &str| verb.get_arguments().all(|arg| arg.get_id() != id);
    let dry = || Arg::new("dry_run").long("dry-run").action(ArgAction::SetTrue);
    if TALK.contains(&&*name) && lacks(&verb, "quiet") {
        let help = "No progress, and no word of what went well";
        verb = verb.arg(Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue).help(help));
    }
    if WRITE.contains(&&*name) && lacks(&verb, "dry_run") {
        verb = verb.arg(dry().help("Say which files would be written, and write none"));
    }
    if IN_PLACE.contains(&&*name) {
        let help =
            "With --in-place: keep the files as they were in this folder, which is made if it is not there";
        let folder = Arg::new("backup_dir").long("backup-dir").value_name("DIR");
        let folder = folder.value_parser(clap::value_parser!(std::path::PathBuf));
        verb = verb.arg(folder.requires("in_place").help(help));
    }
    if let Some((_, id)) = WRITE_WITH.iter().find(|(verb, _)| *verb == name) {
        let help = format!("With --{id}: say which files would be written, and write none");
        verb = verb.arg(dry().requires(*id).help(help));
    }
    under_headings(verb).after_help(manual::examples(&name))
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
            "any_map",
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
