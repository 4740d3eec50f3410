//! The arguments of the command line.

mod ask;
mod build;
mod change;
mod diff;
mod level;
mod orders;
mod picture;
mod program;
mod read;
mod shared;
mod table;
mod view;

pub(super) use ask::{Cost, Locate, Near, Pictured, Reach, Way, Whole};
pub(super) use build::{Build, UpAxis};
pub(super) use change::{Analyze, Convert, Edit, Generate, Merge, Patch, Slim};
pub(super) use diff::{Diff, Form, Inputs};
pub(super) use level::Level;
#[cfg(feature = "build")]
pub(super) use level::Up;
pub(super) use orders::{Conflicts, Fix, Order};
pub(super) use picture::{By, Draw, Export, Heights};
pub(super) use program::{Full, program};
pub(super) use read::{Check, Dump, Extract, Info, Least, List, Scan, Show, Trace, Watch};
pub(super) use shared::{Goal, Lines, Mmap, One, Open, Paths, Rows, Run};
#[cfg(feature = "sql")]
pub(super) use table::Answer;
pub(super) use table::{Sql, TableFormat, Tables};
pub(super) use view::View;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// What `--lenient` is to an editor.
const CUT: &str = "Take a mesh that cannot be read to its end, and say what is lost; bytes after the end do not count against it";

/// What `--version` says beside the version: the encoder decides which bytes a repaired plugin gets.
fn long_version() -> String {
    format!("{}\nrecords of plugins are compressed by {}", env!("CARGO_PKG_VERSION"), navmap::bytes::ENCODER)
}

/// Reads the navigation meshes of real games, in place.
///
/// Valve .nav (GoldSrc, Source, Source 2), Quake NAV2 and NAV3, Fox Engine .nav2, Detour sets and tiles, the navmeshes in
/// Bethesda plugins, .aas of the Quake III line, the waypoints of bots (.graph, .pwf, .rcw), Valve's node graphs (.ain, .nod), and
/// level.ai of the X-Ray engine.
#[derive(Debug, Parser)]
#[command(name = "navmap", version, long_version = long_version(), max_term_width = 100)]
#[command(
    after_help = super::manual::examples("")
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Verb {
    /// Print one row for every mesh in files, folders and archives
    ///
    /// A mesh is ok if it was read to its last byte, and nothing odd was seen on the way; `navmap check` looks further.
    Scan(Full<Scan>),
    /// Describe one file for a person
    Info(Full<Info>),
    /// Show everything about chosen areas: shape, neighbours, spots, findings, bytes
    Show(Full<Show>),
    /// Check meshes again whenever they change, or run another verb on them
    Watch(Full<Watch>),
    /// Draw a mesh from above, as SVG or PNG; a folder or an archive becomes a sheet of thumbnails
    Draw(Full<Draw>),
    /// Show meshes in a browser; or write one file that shows a mesh
    View(Full<View>),
    /// Export a mesh for other programs: OBJ, GLB, DOT, GraphML, GeoJSON, Detour, Godot
    Export(Full<Export>),
    /// Print everything in one file as JSON
    Dump(Full<Dump>),
    /// List what is odd or broken: severity, record and byte
    Check(Full<Check>),
    /// List the members of an archive
    List(Full<List>),
    /// Write the meshes of an archive out as files
    Extract(Full<Extract>),
    /// Convert meshes between forms and versions, and models into meshes
    Convert(Full<Convert>),
    /// Change a mesh by commands and scripts, with undo
    Edit(Full<Edit>),
    /// Write the meshes in files, folders and archives as tables: CSV, JSON lines, Parquet, Arrow, SQLite
    Tables(Full<Tables>),
    /// Answer questions in SQL over the meshes in files, folders and archives
    Sql(Full<Sql>),
    /// Repair the navmeshes of Bethesda plugins as a load order uses them: deleted meshes, links, entries of the info map
    Fix(Full<Fix>),
    /// List the navmeshes that several plugins override: what each changes, which wins, what can be merged
    Conflicts(Full<Conflicts>),
    /// Leave out of a mesh what its game does not use
    Slim(Full<Slim>),
    /// Compute anew what follows from a mesh: hiding spots, encounter paths, lists of visible areas
    Analyze(Full<Analyze>),
    /// Make a mesh from a map alone, as nav_generate does in the game
    Generate(Full<Generate>),
    /// Make a mesh of Detour from the triangles of a level: a model, or a map of GoldSrc or Source
    Build(Full<Level>),
    /// Trace a line or a box through a map of GoldSrc or Source
    Trace(Full<Trace>),
    /// Tell for points in which area they are, or which one is nearest
    Locate(Full<Locate>),
    /// Print the way from one spot to another, or a table of what ways cost
    Path(Full<Way>),
    /// Tell what can be reached, and from where nothing leads back
    Reach(Full<Reach>),
    /// Say what changed between two meshes, folders, archives or plugins
    Diff(Full<Diff>),
    /// Run a script that turns one version of a mesh into another on a third
    Patch(Full<Patch>),
    /// Bring two lines of change to one mesh together
    Merge(Full<Merge>),
    /// Print a completion script for a shell
    Completions(Full<Completions>),
    /// Print a manual page (roff): of the program, or of one verb
    Man(Full<Man>),
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// The verb
    #[arg(value_parser = verbs())]
    pub(super) verb: Option<String>,
    /// Write the pages of all verbs into this folder instead: navmap.1, navmap-scan.1, …
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    pub(super) all: Option<PathBuf>,
}

/// The verbs that have a manual page of their own.
fn verbs() -> PossibleValuesParser {
    PossibleValuesParser::new(super::manual::PAGES.iter().map(|(verb, _)| *verb))
}
