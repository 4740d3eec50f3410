//! The arguments of the verbs that make tables.

use super::shared::{Open, Run};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Tables {
    /// Output folder, which is made if it does not exist; a folder with files of others in it is left alone. NAME.sqlite or NAME.db
    /// is one database
    #[arg(long, short, value_name = "DIR", required_unless_present = "schema")]
    pub(crate) output: Option<PathBuf>,
    /// What is written: a file for each table, or one database [default: csv, or sqlite by the name of the output]
    #[arg(long, value_enum)]
    pub(crate) format: Option<TableFormat>,
    /// Which tables: names, a family (source, quake …) for all of its own, all [default: all that have rows, but for
    /// visibility, which is large and has to be named]
    #[arg(long, value_name = "TABLE", value_delimiter = ',')]
    pub(crate) tables: Vec<String>,
    /// Write parts, and at the next run read again only the meshes that have changed since
    #[arg(long, conflicts_with = "force")]
    pub(crate) update: bool,
    /// Replace tables that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Read only the meshes whose path fits: * stands for any letters, ? for one, and archive!member is the path of a member
    #[arg(long = "where", value_name = "GLOB", conflicts_with = "update")]
    pub(crate) glob: Option<String>,
    /// Give no rows of damaged meshes, instead of the rows before the damage; the table files lists them in any case
    #[arg(long, conflicts_with = "update")]
    pub(crate) strict: bool,
    /// Print the columns of this table, or of all, and what they mean
    #[arg(long, value_name = "TABLE", num_args = 0..=1, exclusive = true)]
    pub(crate) schema: Option<Option<String>>,
    #[command(flatten)]
    pub(crate) run: Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Comma-separated values with a header
    Csv,
    /// One JSON object a line
    Jsonl,
    /// Parquet files
    Parquet,
    /// Arrow IPC streams (.arrows)
    Arrow,
    /// One SQLite database
    Sqlite,
}

#[derive(Debug, Args)]
pub(crate) struct Sql {
    /// The query, - to read it from standard input, and then files, folders and archives; paths alone open a prompt
    #[arg(value_name = "QUERY|PATH")]
    pub(crate) words: Vec<PathBuf>,
    /// Run the statements in this file; - is standard input
    #[arg(long, short = 'f', value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// How rows are printed [default: by the ending of the output file, or else table]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Answer>,
    /// Output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the output if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Give no rows of damaged meshes, instead of the rows before the damage; the table files lists them in any case
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say how the query would be answered: which tables are walked, and what is looked up
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print the names of all tables and functions
    #[arg(long, exclusive = true)]
    pub(crate) tables: bool,
    /// Print the columns of this table, or of all, and what they mean
    #[arg(long, value_name = "TABLE", num_args = 0..=1, exclusive = true)]
    pub(crate) schema: Option<Option<String>>,
    /// Test the first bytes of every member of an archive, instead of choosing members by name
    #[arg(long)]
    pub(crate) deep: bool,
    /// Threads that read ahead [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// No progress and no summary on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Bytes that a statement may hold at one time, what it sorts and gathers included
    #[arg(long, value_name = "BYTES", value_parser = crate::limited::bytes, default_value = "2G", help_heading = "Limits", hide_short_help = true)]
    pub(crate) max_memory: u64,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Answer {
    /// Columns for a person
    #[value(alias = "text")]
    Table,
    /// Comma-separated values with a header
    Csv,
    /// One JSON array of objects
    Json,
    /// One JSON object a line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// An Arrow IPC stream
    Arrow,
}
