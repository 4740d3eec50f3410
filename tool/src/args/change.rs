//! The arguments of the verbs that write meshes.

use super::shared::{Goal, Open};
use crate::values::Target;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The file (.nav, .navjson, .graph, .pwf, .rcw, .ain; .nod and .aas become waypoints), or archive!member; .obj and .glb become
    /// .nav2, .nav, .nvnm, .navmesh, .graph, .pwf, or navmeshes of a plugin: -o new/Mod.esp --like Mod.esp
    pub(crate) path: PathBuf,
    /// What is written
    #[arg(long, short, required_unless_present = "tile_set")]
    pub(crate) output: Option<PathBuf>,
    /// nav2-12 to nav2-18, nav3-1 to nav3-6, navjson-1 to navjson-3 [default: as near to FILE as OUTPUT's extension allows];
    /// of a Source mesh source-3, -4, -5, -9, -16/0, -16/1, -16/2, -16/14; ain-37 or ain-41 of it
    /// and of a node graph; waypoints of all that has the units of Source: graph-1, graph-2, pwf-7, rcw-4
    #[arg(long, value_name = "VERSION", value_parser = crate::values::target)]
    pub(crate) to: Option<Target>,
    /// Take map, contributors and comments from this navjson file
    #[arg(long, value_name = "NAVJSON")]
    pub(crate) head: Option<PathBuf>,
    /// End lines of navjson with CR LF
    #[arg(long)]
    pub(crate) crlf: bool,
    /// Write nothing if anything would be lost
    #[arg(long)]
    pub(crate) lossless: bool,
    /// Write a .pwf of more than 1,024 nodes, which POD-Bot does not load
    #[arg(long)]
    pub(crate) large: bool,
    /// How many hulls a node graph has [default: as FILE; 10 in ain-37, 12 in ain-41]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=32))]
    pub(crate) hulls: Option<u8>,
    /// The map of a mesh that becomes a node graph: tells its revision, and which hulls get through
    #[arg(long, value_name = "MAP")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Replace OUTPUT if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) open: Open,
    #[command(flatten)]
    pub(crate) build: super::build::Build,
}

impl Convert {
    /// What is written; an empty path if a folder is.
    pub(crate) fn output(&self) -> &std::path::Path {
        self.output.as_deref().unwrap_or(std::path::Path::new(""))
    }

    /// Which waypoints of a bot are to be made, if any are: as said, or by the name of the output.
    pub(crate) fn waypoints(&self) -> Option<Target> {
        let is = |extension| navmap::format::has_extension(self.output(), &[extension]);
        match self.to {
            Some(target) => matches!(target, Target::Graph(_) | Target::Pwf | Target::Rcw).then_some(target),
            None if is("graph") => Some(Target::Graph(2)),
            None if is("pwf") => Some(Target::Pwf),
            None => is("rcw").then_some(Target::Rcw),
        }
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("lenient", |lenient| lenient.help(super::CUT)))]
pub(crate) struct Edit {
    /// The mesh
    pub(crate) path: PathBuf,
    /// Run this command, or several with ; between them; after all scripts
    #[arg(long, short, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) command: Vec<String>,
    /// Run the commands in this file; - is standard input
    #[arg(long = "file", short = 'f', value_name = "SCRIPT")]
    pub(crate) script: Vec<PathBuf>,
    /// Run the journal of another run first; its items are found by id, then by shape
    #[arg(long, value_name = "JOURNAL")]
    pub(crate) replay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: Goal,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Go on after a command that is refused, and write what the others did
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Write what was done to this file, as a script that --replay runs on another version of the mesh
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Last, compute anew what follows from the mesh: spots, encounters, visibility-encoding, as nav_analyze does
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = ["spots", "encounters", "visibility-encoding"])]
    pub(crate) recompute: Vec<String>,
    /// The map of a mesh of Source or GoldSrc, for commands that need it: ground, stairs, ladders, clip brushes, nav_analyze
    #[arg(long, value_name = "MAP")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Take a map of another size than the mesh was made for
    #[arg(long, requires = "bsp")]
    pub(crate) any_map: bool,
    /// Do what the game does, bugs included
    #[arg(long)]
    pub(crate) game_exact: bool,
    /// Keep the bytes after the end of the mesh that an older, longer file left
    #[arg(long)]
    pub(crate) keep_tail: bool,
    /// Write even what a game would refuse or crash on
    #[arg(long)]
    pub(crate) force_odd: bool,
    /// Keep visibility when areas die, are cut or merged, instead of dropping all of it as the game does
    #[arg(long)]
    pub(crate) keep: bool,
    /// The game's NavPlace.db: names of places, one a line; names that are not in it are reported
    #[arg(long, value_name = "FILE")]
    pub(crate) places: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Patch {
    /// The mesh
    pub(crate) path: PathBuf,
    /// The script that `navmap diff --script` made; - is standard input
    pub(crate) script: PathBuf,
    #[command(flatten)]
    pub(crate) goal: Goal,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Go on after a line that does not fit this mesh, and write what the others did
    #[arg(long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// The mesh that both began from
    pub(crate) base: PathBuf,
    /// One line of change; where both changed the same, it stays as it is here
    pub(crate) ours: PathBuf,
    /// The other line of change
    pub(crate) theirs: PathBuf,
    /// Output file; without it nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw what each side changed on one map, with the conflicts: a name that ends in .svg or .png
    #[arg(long, value_name = "PICTURE")]
    pub(crate) draw: Option<PathBuf>,
    /// Replace OUTPUT and PICTURE if they exist; OUTPUT may be OURS
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Slim {
    /// The mesh (Source or GoldSrc)
    pub(crate) path: PathBuf,
    /// What to leave out: encounters, approaches, visibility, tail [default: what the game does not use]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = crate::values::ballast)]
    pub(crate) drop: Vec<crate::values::Ballast>,
    #[command(flatten)]
    pub(crate) goal: Goal,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// The mesh (Source or GoldSrc) [default: the one inside the map of --bsp]
    #[arg(required_unless_present = "bsp")]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) goal: Goal,
    /// The map that the mesh is of, for what the mesh alone cannot tell: cover, encounters, snipers, approaches, visibility
    #[arg(long, value_name = "MAP")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Take a map of another size than the mesh was made for
    #[arg(long, requires = "bsp")]
    pub(crate) any_map: bool,
    /// Analyse in full, as with nav_quicksave 0 [default: for Counter-Strike]
    #[arg(long, conflicts_with = "quick")]
    pub(crate) full: bool,
    /// Analyse quickly, as with nav_quicksave 1: without encounter paths [default: for other games]
    #[arg(long)]
    pub(crate) quick: bool,
    /// Only these parts, in full: hiding, approach, encounters, snipers, visibility, times
    #[arg(long, value_name = "PART", value_delimiter = ',', conflicts_with_all = ["full", "quick"], value_parser = crate::values::phases())]
    pub(crate) only: Vec<navmap::format::source::analyze::Phase>,
    /// Where a team begins, for times: t or ct, and a point. May be given many times
    #[arg(long, value_name = "TEAM:X,Y,Z")]
    pub(crate) spawn: Vec<crate::values::Spawn>,
    /// Take places from an older mesh of the same map
    #[arg(long, value_name = "MESH")]
    pub(crate) places_from: Option<PathBuf>,
    /// Give areas without a place that of the areas they are connected to
    #[arg(long)]
    pub(crate) flood_places: bool,
    /// Keep the bytes after the end of the mesh that an older, longer file left
    #[arg(long)]
    pub(crate) keep_tail: bool,
    /// The most steps of the analysis, of which a second has some hundred million [default: what maps and meshes of their sizes take]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_steps: Option<u64>,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("where").multiple(true)))]
pub(crate) struct Generate {
    /// The map (.bsp of GoldSrc or Source), loose or in an archive
    pub(crate) path: PathBuf,
    /// The mesh that is written
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// The game that the mesh is for [default: with --into that of the mesh, else the one that the map tells, if it does]
    #[arg(long, value_name = "GAME", value_parser = crate::values::games())]
    pub(crate) game: Option<navmap::format::source::generate::Game>,
    /// Generate into this mesh of the map: areas are made where it has none, around --seed or in --box, and linked with
    /// those beside them
    #[arg(long, value_name = "MESH", requires = "where")]
    pub(crate) into: Option<PathBuf>,
    /// With --into: take a map of another size than the mesh was made for
    #[arg(long, requires = "into")]
    pub(crate) any_map: bool,
    /// Explore the map from here, and not from where players begin. May be given many times
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, group = "where")]
    pub(crate) seed: Vec<crate::values::Point>,
    /// Stay within this box: low corner, high corner. Without --seed, all ground in it is explored
    #[arg(long = "box", value_name = "X,Y,Z..X,Y,Z", allow_hyphen_values = true, group = "where", value_parser = crate::values::within)]
    pub(crate) within: Option<navmap::format::source::generate::Within>,
    /// With --into: explore no farther than this from a --seed; 0 is no limit
    #[arg(long, value_name = "UNITS", default_value_t = 2000.0, requires = "into", value_parser = crate::values::reach)]
    pub(crate) range: f64,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH")]
    pub(crate) models: Vec<PathBuf>,
    /// End after this stage, to look at what it makes; nothing is analysed then
    #[arg(long, value_name = "STAGE", value_parser = crate::values::stages())]
    pub(crate) stop_after: Option<navmap::format::source::generate::Stage>,
    /// Do not analyse the mesh: no hiding spots, encounters, visibility
    #[arg(long)]
    pub(crate) quick: bool,
    /// The most nodes to explore, 25 units apart [default: 262,144, and one for each 16 bytes of the map]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_nodes: Option<u32>,
    /// The most steps of the analysis, of which a second has some hundred million [default: what maps and meshes of their sizes take]
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["quick", "stop_after"])]
    pub(crate) max_steps: Option<u64>,
    /// Replace FILE if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}
