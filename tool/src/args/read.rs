//! The arguments of the verbs that tell what is in files.

use super::shared::{Archive, Lines, One, Open, Paths, Rows, Run};
use crate::values::{Hull, Mask, Point};
use clap::{Args, ValueEnum};
use navmap::format::HullName;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(crate) format: Rows,
    /// Read one page of each file, and print only what its head tells
    #[arg(long)]
    pub(crate) headers: bool,
    /// Look at each mesh as a graph too: islands, strong components, one-way links, what nothing reaches, dead ends,
    /// degrees, area and extent
    #[arg(long, conflicts_with = "headers")]
    pub(crate) graph: bool,
    /// What the table of --graph gives areas and extents in [default: metres]
    #[arg(long, value_enum, requires = "graph")]
    pub(crate) units: Option<crate::values::Units>,
    /// With --graph: whose links of node graphs, by name or number [default: human]; which hull of meshes of Source 2, by number
    /// [default: all]. One without such a hull is an error
    #[arg(long, value_name = "NAME|N", requires = "graph")]
    pub(crate) hull: Option<HullName>,
    /// Count findings as errors
    #[arg(long)]
    pub(crate) strict: bool,
    /// Skip meshes that have a row in this JSON file of an earlier run. New rows may be appended to the same file
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Run,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
    /// The least severity that is printed
    #[arg(long, value_enum, default_value_t = Least::Info)]
    pub(crate) least: Least,
    /// Print and count only findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = crate::values::code_names())]
    pub(crate) code: Vec<String>,
    /// Neither print nor count findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = crate::values::code_names())]
    pub(crate) ignore: Vec<String>,
    /// Also print findings that are normal and frequent: one-way drops that no jump leads back up
    #[arg(long)]
    pub(crate) all: bool,
    /// Print what a code means and what to do about it; `all` prints every code
    #[arg(long, value_name = "CODE", exclusive = true, hide_possible_values = true,
        value_parser = crate::values::explained_names())]
    pub(crate) explain: Option<String>,
    /// Hold the nodes of one node graph or waypoint graph against the mesh of the same map: nodes off the mesh or on another
    /// floor, areas without nodes
    #[arg(long, value_name = "MESH", conflicts_with_all = ["fix", "explain"])]
    pub(crate) mesh: Option<PathBuf>,
    /// Say, as a script, which commands mend what was found; with -o or --in-place run them (meshes that can be edited)
    #[arg(long, conflicts_with_all = ["format", "least", "strict", "all", "deep", "threads", "unordered"])]
    pub(crate) fix: bool,
    /// With --fix: the mended mesh; of a folder or of several meshes, a folder for their scripts
    #[arg(long, short, value_name = "FILE", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
    /// With --fix: write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub(crate) in_place: bool,
    /// With --fix: replace FILE if it exists; with --in-place write over a mesh that is read-only
    #[arg(long, requires = "fix")]
    pub(crate) force: bool,
    /// Let every finding that is printed count for the exit status, information too
    #[arg(long)]
    pub(crate) strict: bool,
    /// Treat the paths as plugins in load order, masters first (those of a folder are put in order), and check what leads
    /// from one to another: masters, overrides, and the edge links of the winning version of each navmesh. A path is also a
    /// plugins.txt or loadorder.txt, or the folder of a profile of Mod Organizer 2
    #[arg(long, conflicts_with_all = ["mesh", "deep", "threads", "unordered"])]
    pub(crate) load_order: bool,
    /// With --load-order: where the plugins of a list or a profile lie; may be given many times, the last wins
    #[arg(long, value_name = "DIR", requires = "load_order")]
    pub(crate) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Run,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) one: One,
    /// List the navmesh records of a plugin: FormID, place, counts, flags
    #[arg(long)]
    pub(crate) records: bool,
    /// List the flags that nodes have, with how many have each; `navmap draw --color` takes their names
    #[arg(long, conflicts_with_all = ["tiles", "records"])]
    pub(crate) flags: bool,
    /// What areas and sizes are given in [default: both]
    #[arg(long, value_enum, conflicts_with_all = ["flags", "tiles"])]
    pub(crate) units: Option<crate::values::Units>,
    /// Treat the path as a folder or archive of Fox Engine tiles, loose or packed: print a map of them, their counts, and
    /// the links that reach nothing
    #[arg(long, conflicts_with = "records")]
    pub(crate) tiles: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Dump {
    /// The file
    pub(crate) path: PathBuf,
    /// Indent the JSON
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) archive: Archive,
    /// How members are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
    /// Only the meshes, those in archives inside the archive too
    #[arg(long)]
    pub(crate) meshes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A mesh, or archive!member
    pub(crate) path: PathBuf,
    /// Which ones: an id (#2023), a point (@x,y,z), place(Name) and others, joined by , + - & !; without it, all of these are listed
    pub(crate) selector: Option<String>,
    /// How they are printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
    /// Whose links: the size of a creature, of a node graph by name or number [default: human]; only this hull of a Source 2 mesh,
    /// by number [default: all]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) hull: Option<HullName>,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) paths: Paths,
    /// What is run on a change: a verb of navmap and its options; {} is the mesh, {name} its name without folder and ending.
    /// Without {}, the mesh comes last. May be given many times [default: check]
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) then: Vec<String>,
    /// Run it for every mesh first
    #[arg(long)]
    pub(crate) now: bool,
    /// End after the first change, with the status of what was run
    #[arg(long)]
    pub(crate) once: bool,
    /// Milliseconds between two looks at the files
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(20..=3_600_000))]
    pub(crate) every: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    pub(crate) archive: Archive,
    /// Where to
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// The map (.bsp), loose or archive!member
    pub(crate) path: PathBuf,
    /// Where the trace begins
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) from: Point,
    /// Where it is to go
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) to: Point,
    /// Trace a box instead of a line: human, crouching, or LOW..HIGH with two corners around the point
    #[arg(long, value_name = "BOX", allow_hyphen_values = true)]
    pub(crate) hull: Option<Hull>,
    /// What stops the trace
    #[arg(long, value_enum, default_value_t = Mask::Walk)]
    pub(crate) mask: Mask,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH")]
    pub(crate) models: Vec<PathBuf>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Lines::Text)]
    pub(crate) format: Lines,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Least {
    Info,
    Deviation,
    Warning,
    Error,
}
