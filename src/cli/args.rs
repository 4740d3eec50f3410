//! What was typed.

#![forbid(unsafe_code)]

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Reads the navigation meshes of real games, in place.
///
/// Valve .nav (GoldSrc, Source, Source 2), Quake NAV2 and NAV3, Fox Engine .nav2, and the navmeshes in Bethesda plugins.
#[derive(Debug, Parser)]
#[command(name = "navmap", version, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 all is well, 1 findings or unreadable meshes, 2 the run itself failed."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// One row for every mesh in files, folders and archives
    Scan(Scan),
    /// One file, for a person
    Info(One),
    /// What is odd or broken: severity, record and byte
    Check(Check),
    /// The members of an archive
    List(List),
    /// Write the meshes of an archive out as files
    Extract(Extract),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page (roff)
    Man,
}

#[derive(Debug, Args)]
pub(super) struct Scan {
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(super) format: Rows,
    /// Read one page of each file, and print only what its head tells
    #[arg(long)]
    pub(super) headers: bool,
    /// Count findings as errors
    #[arg(long)]
    pub(super) strict: bool,
    /// Skip what an earlier run has JSON rows for in this file. May be the file that rows are appended to
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: Run,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(super) format: Lines,
    /// The least severity that is printed
    #[arg(long, value_enum, default_value_t = Least::Info)]
    pub(super) least: Least,
    /// Let every finding that is printed count for the exit status, information too
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) run: Run,
}

#[derive(Debug, Args)]
pub(super) struct One {
    /// The file
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Dump {
    /// The file
    pub(super) path: PathBuf,
    /// Indent the JSON
    #[arg(long)]
    pub(super) pretty: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

/// What is looked at.
#[derive(Debug, Args)]
pub(super) struct Paths {
    /// Files, folders and archives
    #[arg(required_unless_present = "files_from")]
    pub(super) paths: Vec<PathBuf>,
    /// Read paths from a file as well, one a line, or each with a NUL behind it; - is standard input
    #[arg(long, value_name = "LIST")]
    pub(super) files_from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Archive {
    /// The archive
    pub(super) path: PathBuf,
    /// Test the first bytes of every member, instead of choosing by name
    #[arg(long)]
    pub(super) deep: bool,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) archive: Archive,
    /// How members are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(super) format: Lines,
    /// Only the meshes, those in archives inside the archive too
    #[arg(long)]
    pub(super) meshes: bool,
}

#[derive(Debug, Args)]
pub(super) struct Extract {
    #[command(flatten)]
    pub(super) archive: Archive,
    /// Where to
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(super) output: PathBuf,
    /// Replace files that are there already
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct Run {
    #[command(flatten)]
    pub(super) paths: Paths,
    /// Test the first bytes of every member of an archive, instead of choosing members by name
    #[arg(long)]
    pub(super) deep: bool,
    /// Worker threads [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Print rows as they come instead of in path order
    #[arg(long)]
    pub(super) unordered: bool,
    /// No progress and no summary on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Open {
    /// When files are memory-mapped rather than read
    #[arg(long, value_enum, default_value_t = Mmap::Auto, value_name = "WHEN")]
    pub(super) mmap: Mmap,
    /// Read on where only the end of a file is wrong, and report that as a finding
    #[arg(long)]
    pub(super) lenient: bool,
    /// Take files for this kind, whatever they look like
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub(super) kind: Option<As>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum As {
    /// Valve .nav
    Source,
    /// Quake NAV2, NAV3
    Quake,
    /// A Quake graph as JSON
    Navjson,
    /// Fox Engine .nav2
    Fox,
    /// A Bethesda plugin
    Plugin,
    /// One raw NVNM field
    Nvnm,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Mmap {
    /// Large files
    Auto,
    /// Every file
    Always,
    /// No file
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Rows {
    /// Columns for a person
    Table,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Lines {
    /// One line a finding for a person
    Text,
    /// One JSON object a line
    Jsonl,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Least {
    Info,
    Deviation,
    Warning,
    Error,
}
