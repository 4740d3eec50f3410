//! What several verbs take: paths, how files are opened, how rows are printed.

use crate::limited::Limited;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use navmap::format::Kind;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct One {
    /// The file; - is standard input
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) open: Open,
}

/// What is looked at.
#[derive(Debug, Args)]
pub(crate) struct Paths {
    /// Files, folders, archives and members (archive!member); - is standard input
    #[arg(required_unless_present = "files_from")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read paths from a file as well, one a line, or each with a NUL behind it; - is standard input
    #[arg(long, value_name = "LIST")]
    pub(crate) files_from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Archive {
    /// The archive, which may be a member of another (archive!member)
    pub(crate) path: PathBuf,
    /// Test the first bytes of every member, instead of choosing by name
    #[arg(long)]
    pub(crate) deep: bool,
    #[command(flatten)]
    pub(crate) limits: Limited,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// Test the first bytes of every member of an archive, instead of choosing members by name
    #[arg(long)]
    pub(crate) deep: bool,
    /// Worker threads [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print rows as they come instead of in path order
    #[arg(long)]
    pub(crate) unordered: bool,
    /// No progress and no summary on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Open {
    /// When files are memory-mapped rather than read; on other systems than Linux they are always read
    #[arg(long, value_enum, default_value_t = Mmap::Auto, value_name = "WHEN")]
    pub(crate) mmap: Mmap,
    /// Bytes after the end of a mesh do not count against it: information, not a warning
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Treat files as this kind, whatever they look like
    #[arg(long = "as", value_name = "KIND", value_parser = kinds())]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) limits: Limited,
}

/// Where a changed mesh goes.
#[derive(Debug, Args)]
pub(crate) struct Goal {
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(crate) in_place: bool,
    /// Replace files that exist: FILE, and a journal; with --in-place write over a mesh that is read-only
    #[arg(long)]
    pub(crate) force: bool,
}

impl Goal {
    /// Refuses an output that exists, before the work for it is done.
    pub(crate) fn vacant(&self) -> navmap::Result<()> {
        self.output.as_deref().map_or(Ok(()), |output| crate::save::vacant(output, self.force))
    }

    /// Whether standard output is for the mesh, so that everything else goes to stderr.
    pub(crate) fn is_stdout(&self) -> bool {
        self.output.as_deref().is_some_and(crate::out::is_stdout)
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Mmap {
    /// Large files
    Auto,
    /// Every file
    Always,
    /// No file
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// Columns for a person
    #[value(alias = "text")]
    Table,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lines {
    /// Lines for a person
    #[value(alias = "table")]
    Text,
    /// One JSON object a line
    Jsonl,
}

/// The kinds of files by name, as the table of families has them.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    let values = Kind::ALL.iter().map(|kind| PossibleValue::new(kind.name()).help(kind.title()));
    PossibleValuesParser::new(values).try_map(|name| Kind::named(&name).ok_or("no such kind"))
}
