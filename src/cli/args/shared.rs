//! What several verbs take: paths, how files are opened, how rows are printed.

#![forbid(unsafe_code)]

use crate::cli::limited::Limited;
use crate::format::Kind;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct One {
    /// The file; - is standard input
    pub(in crate::cli) path: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) open: Open,
}

/// What is looked at.
#[derive(Debug, Args)]
pub(in crate::cli) struct Paths {
    /// Files, folders and archives; - is standard input
    #[arg(required_unless_present = "files_from")]
    pub(in crate::cli) paths: Vec<PathBuf>,
    /// Read paths from a file as well, one a line, or each with a NUL behind it; - is standard input
    #[arg(long, value_name = "LIST")]
    pub(in crate::cli) files_from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Archive {
    /// The archive
    pub(in crate::cli) path: PathBuf,
    /// Test the first bytes of every member, instead of choosing by name
    #[arg(long)]
    pub(in crate::cli) deep: bool,
    #[command(flatten)]
    pub(in crate::cli) limits: Limited,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Run {
    #[command(flatten)]
    pub(in crate::cli) paths: Paths,
    /// Test the first bytes of every member of an archive, instead of choosing members by name
    #[arg(long)]
    pub(in crate::cli) deep: bool,
    /// Worker threads [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Print rows as they come instead of in path order
    #[arg(long)]
    pub(in crate::cli) unordered: bool,
    /// No progress and no summary on stderr
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
    #[command(flatten)]
    pub(in crate::cli) open: Open,
}

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Open {
    /// When files are memory-mapped rather than read
    #[arg(long, value_enum, default_value_t = Mmap::Auto, value_name = "WHEN")]
    pub(in crate::cli) mmap: Mmap,
    /// Bytes after the end of a mesh do not count against it: information, not a warning
    #[arg(long)]
    pub(in crate::cli) lenient: bool,
    /// Take files for this kind, whatever they look like
    #[arg(long = "as", value_name = "KIND", value_parser = kinds())]
    pub(in crate::cli) kind: Option<Kind>,
    #[command(flatten)]
    pub(in crate::cli) limits: Limited,
}

/// Where a changed mesh goes.
#[derive(Debug, Args)]
pub(in crate::cli) struct Goal {
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(in crate::cli) in_place: bool,
    /// Replace files that exist: FILE, and a journal
    #[arg(long)]
    pub(in crate::cli) force: bool,
}

impl Goal {
    /// Refuses an output that exists, before the work for it is done.
    pub(in crate::cli) fn vacant(&self) -> crate::Result<()> {
        self.output.as_deref().map_or(Ok(()), |output| crate::cli::save::vacant(output, self.force))
    }

    /// Whether standard output is for the mesh, so that everything else goes to stderr.
    pub(in crate::cli) fn is_stdout(&self) -> bool {
        self.output.as_deref().is_some_and(crate::cli::out::is_stdout)
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Mmap {
    /// Large files
    Auto,
    /// Every file
    Always,
    /// No file
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Rows {
    /// Columns for a person
    Table,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Lines {
    /// Lines for a person
    Text,
    /// One JSON object a line
    Jsonl,
}

/// The kinds of files by name, as the table of families has them.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    let values = Kind::ALL.iter().map(|kind| PossibleValue::new(kind.name()).help(kind.title()));
    PossibleValuesParser::new(values).try_map(|name| Kind::named(&name).ok_or("no such kind"))
}
