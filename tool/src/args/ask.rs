//! The arguments of the verbs that ask a mesh.

use super::shared::{Open, Rows};
use clap::{Args, ValueEnum};
use navmap::format::HullName;
use std::path::PathBuf;

/// The mesh that is asked.
#[derive(Debug, Args)]
pub(crate) struct Whole {
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(crate) space: Option<String>,
    /// Plugins that load before MESH, masters first; MESH then is the last of the load order. Each may also be a plugins.txt
    /// or loadorder.txt, or the folder of a profile of Mod Organizer 2, and so may MESH
    #[arg(long, value_name = "PLUGIN", value_delimiter = ',')]
    pub(crate) load_order: Vec<PathBuf>,
    /// Where the plugins of a list or a profile lie; may be given many times, the last wins
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Vec<PathBuf>,
    /// Whose ways: the size of a creature, of a node graph by name or number [default: human]; the hull of a Source 2 mesh by
    /// number [default: 0]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) hull: Option<HullName>,
    /// No progress and no summary on stderr
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Locate {
    /// A mesh, archive!member, a folder or archive with the tiles of a Fox map, a plugin or a folder of plugins
    #[arg(value_name = "MESH")]
    pub(crate) path: PathBuf,
    /// Points, each as X Y Z or x,y,z; - reads them from standard input
    #[arg(value_name = "POINT")]
    pub(crate) points: Vec<String>,
    /// Read points from a file: lines of x,y,z (a header may name the columns), of JSON ({"x":1,"y":2,"z":3} or [1,2,3]), or
    /// of a game's console (setpos 1 2 3); - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) points_from: Option<PathBuf>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(crate) format: Rows,
    /// How far the ground may lie below a point, in file units [default: as in the game]
    #[arg(long, value_name = "UNITS")]
    pub(crate) reach: Option<f32>,
    /// How far the nearest one may be if none is under a point, in file units [default: any distance]
    #[arg(long, value_name = "UNITS")]
    pub(crate) max: Option<f32>,
    /// Which one is nearest
    #[arg(long, value_enum, default_value_t = Near::Exact)]
    pub(crate) nearest: Near,
    #[command(flatten)]
    pub(crate) whole: Whole,
}

/// How the nearest area is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Near {
    /// The nearest there is
    Exact,
    /// The one that the game finds, which may be farther
    Engine,
}

#[derive(Debug, Args)]
pub(crate) struct Way {
    /// A mesh, archive!member, a folder or archive with the tiles of a Fox map, a plugin or a folder of plugins
    #[arg(value_name = "MESH")]
    pub(crate) path: PathBuf,
    /// FROM and TO: each a point x,y,z, an id #17, or the name of a place, which stands for its area closest to the middle; in a plugin
    /// a point may end in @SPACE. With --table as many as --max-spots allows, or none for all places of the mesh
    #[arg(value_name = "SPOT")]
    pub(crate) spots: Vec<String>,
    /// How rows are printed [default: table; with --table csv, on a terminal a matrix in columns]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Rows>,
    /// What a way costs
    #[arg(long, value_enum, default_value_t = Cost::Engine)]
    pub(crate) cost: Cost,
    /// Do not pass here: a place, an area #17, or everything with a flag
    #[arg(long, value_name = "PLACE|#ID|FLAG", allow_hyphen_values = true)]
    pub(crate) avoid: Vec<String>,
    /// Do not pass links that the game can open and close
    #[arg(long)]
    pub(crate) no_gates: bool,
    /// The way that the game takes by the table of routes of a .nod file, and where it differs from the shortest
    #[arg(long, conflicts_with_all = ["cost", "avoid", "partial", "corners", "table", "draw"])]
    pub(crate) as_game: bool,
    /// If there is no way, print the way to the area closest to the goal
    #[arg(long, conflicts_with = "table")]
    pub(crate) partial: bool,
    /// Print the corners of the shortest walk along the way (x y z) instead of its steps
    #[arg(long, conflicts_with = "table")]
    pub(crate) corners: bool,
    /// Print the cost of the way from every spot to every other, as a matrix; empty (- on a terminal) where there is no way
    #[arg(long)]
    pub(crate) table: bool,
    /// Read further spots from a file, one a line; - is standard input
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) spots_from: Option<PathBuf>,
    /// The most spots of a table [default: 1000]
    #[arg(long, value_name = "COUNT", requires = "table")]
    pub(crate) max_spots: Option<u64>,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) whole: Whole,
}

/// What a way costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cost {
    /// What the game charges, and the way that the game takes
    Engine,
    /// Its length in file units, and the shortest way
    Length,
}

#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// A mesh, archive!member, a folder or archive with the tiles of a Fox map, a plugin or a folder of plugins
    #[arg(value_name = "MESH")]
    pub(crate) path: PathBuf,
    /// Where to start: points x,y,z, ids #17, names of places [default: places and flags of spawns, or else the largest part]
    #[arg(value_name = "SPOT")]
    pub(crate) from: Vec<String>,
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(crate) format: Rows,
    /// A row for every area without a way there or a way back, instead of one for each part
    #[arg(long)]
    pub(crate) each: bool,
    /// Do not pass here: a place, an area #17, or everything with a flag
    #[arg(long, value_name = "PLACE|#ID|FLAG", allow_hyphen_values = true)]
    pub(crate) avoid: Vec<String>,
    /// Do not pass links that the game can open and close
    #[arg(long)]
    pub(crate) no_gates: bool,
    #[command(flatten)]
    pub(crate) picture: Pictured,
    #[command(flatten)]
    pub(crate) whole: Whole,
}

/// A picture beside the rows.
#[derive(Debug, Args)]
pub(crate) struct Pictured {
    /// Draw the answer on the map too: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) draw: Option<PathBuf>,
    /// Replace the picture if it exists
    #[arg(long, requires = "draw")]
    pub(crate) force: bool,
    /// Light on dark
    #[arg(long, requires = "draw")]
    pub(crate) dark: bool,
    /// The map of the mesh (.bsp of GoldSrc or Source): draw its floor plan below
    #[arg(long, value_name = "MAP", requires = "draw")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
}
