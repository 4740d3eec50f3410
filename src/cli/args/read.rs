//! The arguments of the verbs that tell what is in files.

#![forbid(unsafe_code)]

use super::shared::{Archive, Lines, One, Open, Rows, Run};
use crate::cli::values::{Hull, Mask, Point};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct Scan {
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(in crate::cli) format: Rows,
    /// Read one page of each file, and print only what its head tells
    #[arg(long)]
    pub(in crate::cli) headers: bool,
    /// Look at each mesh as a graph too: islands, strong components, one-way links, what nothing reaches, dead ends,
    /// degrees, area and extent
    #[arg(long, conflicts_with = "headers")]
    pub(in crate::cli) graph: bool,
    /// What the table of --graph gives areas and extents in [default: metres]
    #[arg(long, value_enum, requires = "graph")]
    pub(in crate::cli) units: Option<crate::cli::values::Units>,
    /// Count findings as errors
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Skip meshes that have a row in this JSON file of an earlier run. New rows may be appended to the same file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) run: Run,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(in crate::cli) format: Lines,
    /// The least severity that is printed
    #[arg(long, value_enum, default_value_t = Least::Info)]
    pub(in crate::cli) least: Least,
    /// Print and count only findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = crate::cli::values::code_names())]
    pub(in crate::cli) code: Vec<String>,
    /// Neither print nor count findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = crate::cli::values::code_names())]
    pub(in crate::cli) ignore: Vec<String>,
    /// Also print findings that are normal and frequent: one-way drops that no jump leads back up
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Print what a code means and what to do about it; `all` prints every code
    #[arg(long, value_name = "CODE", exclusive = true, hide_possible_values = true,
        value_parser = crate::cli::values::explained_names())]
    pub(in crate::cli) explain: Option<String>,
    /// Say, as a script, which commands mend what was found; with -o or --in-place run them (Source, one mesh)
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// With --fix: the mended mesh
    #[arg(long, short, value_name = "FILE", requires = "fix")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// With --fix: write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub(in crate::cli) in_place: bool,
    /// With --fix: replace FILE if it exists
    #[arg(long, requires = "fix")]
    pub(in crate::cli) force: bool,
    /// Let every finding that is printed count for the exit status, information too
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Treat the paths as plugins in load order, masters first (those of a folder are put in order), and check what leads
    /// from one to another: masters, overrides, and the edge links of the winning version of each navmesh. A path is also a
    /// plugins.txt or loadorder.txt, or the folder of a profile of Mod Organizer 2
    #[arg(long)]
    pub(in crate::cli) load_order: bool,
    /// With --load-order: where the plugins of a list or a profile lie; may be given many times, the last wins
    #[arg(long, value_name = "DIR", requires = "load_order")]
    pub(in crate::cli) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) run: Run,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Info {
    #[command(flatten)]
    pub(in crate::cli) one: One,
    /// List the navmesh records of a plugin: FormID, place, counts, flags
    #[arg(long)]
    pub(in crate::cli) records: bool,
    /// List the flags that nodes have, with how many have each; `navmap draw --color` takes their names
    #[arg(long, conflicts_with = "tiles")]
    pub(in crate::cli) flags: bool,
    /// What areas and sizes are given in [default: both]
    #[arg(long, value_enum, conflicts_with_all = ["flags", "tiles"])]
    pub(in crate::cli) units: Option<crate::cli::values::Units>,
    /// Treat the path as a folder or archive of Fox Engine tiles, loose or packed: print a map of them, their counts, and
    /// the links that reach nothing
    #[arg(long, conflicts_with = "records")]
    pub(in crate::cli) tiles: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Dump {
    /// The file
    pub(in crate::cli) path: PathBuf,
    /// Indent the JSON
    #[arg(long)]
    pub(in crate::cli) pretty: bool,
    #[command(flatten)]
    pub(in crate::cli) open: Open,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    pub(in crate::cli) archive: Archive,
    /// How members are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(in crate::cli) format: Lines,
    /// Only the meshes, those in archives inside the archive too
    #[arg(long)]
    pub(in crate::cli) meshes: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Extract {
    #[command(flatten)]
    pub(in crate::cli) archive: Archive,
    /// Where to
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(in crate::cli) output: PathBuf,
    /// Replace files that exist
    #[arg(long)]
    pub(in crate::cli) force: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Trace {
    /// The map (.bsp), loose or archive!member
    pub(in crate::cli) path: PathBuf,
    /// Where the trace begins
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(in crate::cli) from: Point,
    /// Where it is to go
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(in crate::cli) to: Point,
    /// Trace a box instead of a line: human, crouching, or LOW..HIGH with two corners around the point
    #[arg(long, value_name = "BOX", allow_hyphen_values = true)]
    pub(in crate::cli) hull: Option<Hull>,
    /// What stops the trace
    #[arg(long, value_enum, default_value_t = Mask::Walk)]
    pub(in crate::cli) mask: Mask,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) models: Vec<PathBuf>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(in crate::cli) format: Lines,
    #[command(flatten)]
    pub(in crate::cli) open: Open,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Least {
    Info,
    Deviation,
    Warning,
    Error,
}
