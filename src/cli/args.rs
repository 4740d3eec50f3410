//! The arguments of the command line.

#![forbid(unsafe_code)]

use super::ask::args::{Locate, Reach, Way};
use super::limited::Limited;
use crate::draw::Layers;
use crate::format::Kind;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Reads the navigation meshes of real games, in place.
///
/// Valve .nav (GoldSrc, Source, Source 2), Quake NAV2 and NAV3, Fox Engine .nav2, and the navmeshes in Bethesda plugins.
#[derive(Debug, Parser)]
#[command(name = "navmap", version, max_term_width = 100)]
#[command(
    after_help = super::manual::examples("")
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Print one row for every mesh in files, folders and archives
    #[command(after_help = super::manual::examples("scan"))]
    Scan(Scan),
    /// Describe one file for a person
    #[command(after_help = super::manual::examples("info"))]
    Info(Info),
    /// Draw a mesh from above, as SVG or PNG; a folder or an archive becomes a sheet of thumbnails
    #[command(after_help = super::manual::examples("draw"))]
    Draw(Draw),
    /// Export a mesh for other programs: OBJ, GLB, DOT, GraphML, GeoJSON
    #[command(after_help = super::manual::examples("export"))]
    Export(Export),
    /// Print everything in one file as JSON
    #[command(after_help = super::manual::examples("dump"))]
    Dump(Dump),
    /// List what is odd or broken: severity, record and byte
    #[command(after_help = super::manual::examples("check"))]
    Check(Check),
    /// List the members of an archive
    #[command(after_help = super::manual::examples("list"))]
    List(List),
    /// Write the meshes of an archive out as files
    #[command(after_help = super::manual::examples("extract"))]
    Extract(Extract),
    /// Convert Quake graphs between forms and versions, and Source meshes between versions
    #[command(after_help = super::manual::examples("convert"))]
    Convert(Convert),
    /// Change a mesh by commands and scripts, with undo
    #[command(after_help = super::manual::examples("edit"))]
    Edit(Edit),
    /// Leave out of a mesh what its game does not use
    #[command(after_help = super::manual::examples("slim"))]
    Slim(Slim),
    /// Compute anew what follows from a mesh: hiding spots, encounter paths, lists of visible areas
    #[command(after_help = super::manual::examples("analyze"))]
    Analyze(Analyze),
    /// Tell for points in which area they are, or which one is nearest
    #[command(after_help = super::manual::examples("locate"))]
    Locate(Locate),
    /// Print the way from one spot to another, or a table of what ways cost
    #[command(after_help = super::manual::examples("path"))]
    Path(Way),
    /// Tell what can be reached from the spawns or from a spot, and from where nothing leads back
    #[command(after_help = super::manual::examples("reach"))]
    Reach(Reach),
    /// Say what changed between two meshes, folders, archives or plugins
    #[command(after_help = super::manual::examples("diff"))]
    Diff(super::diff::Diff),
    /// Run a script that turns one version of a mesh into another on a third
    #[command(after_help = super::manual::examples("patch"))]
    Patch(Patch),
    /// Bring two lines of change to one mesh together
    #[command(after_help = super::manual::examples("merge"))]
    Merge(Merge),
    /// Print a completion script for a shell
    #[command(after_help = super::manual::examples("completions"))]
    Completions {
        /// The shell
        shell: Shell,
    },
    #[command(after_help = super::manual::examples("man"))]
    /// Print a manual page (roff): of the program, or of one verb
    Man {
        /// The verb
        #[arg(value_parser = verbs())]
        verb: Option<String>,
        /// Write the pages of all verbs into this folder instead: navmap.1, navmap-scan.1, …
        #[arg(long, value_name = "DIR", conflicts_with = "verb")]
        all: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(super) struct Scan {
    /// How rows are printed
    #[arg(long, value_enum, default_value_t = Rows::Table)]
    pub(super) format: Rows,
    /// Read one page of each file, and print only what its head tells
    #[arg(long)]
    pub(super) headers: bool,
    /// Look at each mesh as a graph too: islands, strong components, one-way links, what nothing reaches, dead ends,
    /// degrees, area and extent
    #[arg(long, conflicts_with = "headers")]
    pub(super) graph: bool,
    /// What the table of --graph gives areas and extents in [default: metres]
    #[arg(long, value_enum, requires = "graph")]
    pub(super) units: Option<super::values::Units>,
    /// Count findings as errors
    #[arg(long)]
    pub(super) strict: bool,
    /// Skip meshes that have a row in this JSON file of an earlier run. New rows may be appended to the same file
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
    /// Print and count only findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = super::findings::code_names())]
    pub(super) code: Vec<String>,
    /// Neither print nor count findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', hide_possible_values = true,
        value_parser = super::findings::code_names())]
    pub(super) ignore: Vec<String>,
    /// Also print findings that are normal and frequent: one-way drops that no jump leads back up
    #[arg(long)]
    pub(super) all: bool,
    /// Print what a code means and what to do about it; `all` prints every code
    #[arg(long, value_name = "CODE", exclusive = true, hide_possible_values = true,
        value_parser = super::findings::explained_names())]
    pub(super) explain: Option<String>,
    /// Say, as a script, which commands mend what was found; with -o or --in-place run them (Source, one mesh)
    #[arg(long)]
    pub(super) fix: bool,
    /// With --fix: the mended mesh
    #[arg(long, short, value_name = "FILE", requires = "fix")]
    pub(super) output: Option<PathBuf>,
    /// With --fix: write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub(super) in_place: bool,
    /// With --fix: replace FILE if it exists
    #[arg(long, requires = "fix")]
    pub(super) force: bool,
    /// Let every finding that is printed count for the exit status, information too
    #[arg(long)]
    pub(super) strict: bool,
    /// Treat the paths as plugins in load order, masters first (those of a folder are put in order), and check what leads
    /// from one to another: masters, overrides, and the edge links of the winning version of each navmesh
    #[arg(long)]
    pub(super) load_order: bool,
    #[command(flatten)]
    pub(super) run: Run,
}

#[derive(Debug, Args)]
pub(super) struct Info {
    #[command(flatten)]
    pub(super) one: One,
    /// List the navmesh records of a plugin: FormID, place, counts, flags
    #[arg(long)]
    pub(super) records: bool,
    /// List the flags that nodes have, with how many have each; `navmap draw --color` takes their names
    #[arg(long, conflicts_with = "tiles")]
    pub(super) flags: bool,
    /// What areas and sizes are given in [default: both]
    #[arg(long, value_enum, conflicts_with_all = ["flags", "tiles"])]
    pub(super) units: Option<super::values::Units>,
    /// Treat the path as a folder or archive of Fox Engine tiles, loose or packed: print a map of them, their counts, and
    /// the links that reach nothing
    #[arg(long, conflicts_with = "records")]
    pub(super) tiles: bool,
}

#[derive(Debug, Args)]
pub(super) struct One {
    /// The file; - is standard input
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Draw {
    /// A mesh, archive!member, an archive, or a folder (the tiles of a map of Fox or of a server, loose or packed,
    /// become one picture)
    pub(super) path: PathBuf,
    /// Output file: a name that ends in .svg or .png; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    pub(super) force: bool,
    /// Format to write, whatever the extension of OUTPUT [default: from the extension; svg on standard output]
    #[arg(long, value_enum)]
    pub(super) format: Option<super::values::Image>,
    /// What colours mean: height, place, island, flag, group (segment, navmesh, hull), plain, or names of flags with commas
    /// between them, each with its colour (`navmap info --flags` lists them)
    #[arg(long, value_name = "WHAT", value_parser = Suggested(&COLOURS))]
    pub(super) color: Option<String>,
    /// An earlier version of the mesh: draw both on one picture, coloured by what changed
    #[arg(long, value_name = "MESH")]
    pub(super) before: Option<PathBuf>,
    /// Add layers to the usual ones: links, one-way, traversals, ladders, spots, doors, cover, entities, names, ids, grid, ceilings, all;
    /// none removes the usual ones
    #[arg(long, value_name = "LAYER", value_delimiter = ',', value_parser = layers())]
    pub(super) layer: Vec<Layers>,
    /// Size of the page in pixels: WIDTH, or WIDTHxHEIGHT (that of a sheet follows from its thumbnails)
    #[arg(long, value_name = "SIZE", default_value = "1600")]
    pub(super) size: Size,
    /// With a given height, cut off the part of the page that the mesh leaves empty
    #[arg(long)]
    pub(super) fit: bool,
    /// The part to show: two corners in file units (x and y; x and z if y is up)
    #[arg(long = "box", value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub(super) area: Option<Corners>,
    /// Heights to show, in file units; the rest becomes a faint outline
    #[arg(long, value_name = "Z0..Z1", allow_hyphen_values = true)]
    pub(super) floor: Option<Range>,
    /// Light on dark
    #[arg(long)]
    pub(super) dark: bool,
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(super) space: Option<String>,
    /// The hull of a Source 2 mesh [default: 0]
    #[arg(long, value_name = "N")]
    pub(super) hull: Option<u8>,
    /// Thumbnails in a row of a sheet [default: as many as make a page that is wider than high, up to 6000 pixels]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) columns: Option<u16>,
    /// Rows on a page of a sheet; further maps go on further pages, beside OUTPUT.png, as OUTPUT-2.png and so on [default: up to
    /// 6000 pixels]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rows: Option<u16>,
    /// Size of a thumbnail in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 320)]
    pub(super) thumbnail: u32,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Convert {
    /// The file (.nav or .navjson)
    pub(super) path: PathBuf,
    /// What is written
    #[arg(long, short)]
    pub(super) output: PathBuf,
    /// nav2-12 to nav2-18, nav3-1 to nav3-6, navjson-1 to navjson-3 [default: as near to FILE as OUTPUT's extension allows];
    /// of a Source mesh source-3, -4, -5, -9, -16/0, -16/1, -16/2, -16/14
    #[arg(long, value_name = "VERSION", value_parser = super::values::target)]
    pub(super) to: Option<super::values::Target>,
    /// Take map, contributors and comments from this navjson file
    #[arg(long, value_name = "NAVJSON")]
    pub(super) head: Option<PathBuf>,
    /// End lines of navjson with CR LF
    #[arg(long)]
    pub(super) crlf: bool,
    /// Write nothing if anything would be lost
    #[arg(long)]
    pub(super) lossless: bool,
    /// Replace OUTPUT if it exists
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Edit {
    /// The mesh
    pub(super) path: PathBuf,
    /// Run this command, or several with ; between them; after all scripts
    #[arg(long, short, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(super) command: Vec<String>,
    /// Run the commands in this file; - is standard input
    #[arg(long = "file", short = 'f', value_name = "SCRIPT")]
    pub(super) script: Vec<PathBuf>,
    /// Run the journal of another run first; its items are found by id, then by shape
    #[arg(long, value_name = "JOURNAL")]
    pub(super) replay: Option<PathBuf>,
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(super) in_place: bool,
    /// Replace OUTPUT and JOURNAL if they exist
    #[arg(long)]
    pub(super) force: bool,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Go on after a command that is refused, and write what the others did
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Write what was done to this file, as a script that --replay runs on another version of the mesh
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Last, compute anew what follows from the mesh: spots, encounters, visibility-encoding, as nav_analyze does
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = ["spots", "encounters", "visibility-encoding"])]
    pub(super) recompute: Vec<String>,
    /// Do what the game does, bugs included
    #[arg(long)]
    pub(super) game_exact: bool,
    /// Keep what an older, longer file has left behind the end of the mesh
    #[arg(long)]
    pub(super) keep_tail: bool,
    /// Write even what a game would refuse or crash on
    #[arg(long)]
    pub(super) force_odd: bool,
    /// Keep visibility when areas die, are cut or merged, instead of dropping all of it as the game does
    #[arg(long)]
    pub(super) keep: bool,
    /// The game's NavPlace.db: names of places, one a line; what is not among them is told
    #[arg(long, value_name = "FILE")]
    pub(super) places: Option<PathBuf>,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Patch {
    /// The mesh
    pub(super) path: PathBuf,
    /// The script that `navmap diff --script` made; - is standard input
    pub(super) script: PathBuf,
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(super) in_place: bool,
    /// Replace OUTPUT if it exists
    #[arg(long)]
    pub(super) force: bool,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Go on after a line that does not fit this mesh, and write what the others did
    #[arg(long)]
    pub(super) keep_going: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Merge {
    /// The mesh that both began from
    pub(super) base: PathBuf,
    /// One line of change; where both changed the same, it stays as it is here
    pub(super) ours: PathBuf,
    /// The other line of change
    pub(super) theirs: PathBuf,
    /// Output file; without it nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace OUTPUT if it exists; it may be OURS
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Slim {
    /// The mesh (Source or GoldSrc)
    pub(super) path: PathBuf,
    /// What to leave out: encounters, approaches, visibility, tail [default: what the game does not use]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = super::values::ballast)]
    pub(super) drop: Vec<super::values::Ballast>,
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(super) in_place: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Analyze {
    /// The mesh (Source or GoldSrc)
    pub(super) path: PathBuf,
    /// Output file; without it, and without --in-place, nothing is written
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write over the mesh, and keep the file as it was beside it (.bak)
    #[arg(long, conflicts_with = "output")]
    pub(super) in_place: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub(super) force: bool,
    /// Analyse in full, as with nav_quicksave 0 [default: for Counter-Strike]
    #[arg(long, conflicts_with = "quick")]
    pub(super) full: bool,
    /// Analyse quickly, as with nav_quicksave 1: without encounter paths [default: for other games]
    #[arg(long)]
    pub(super) quick: bool,
    /// Only these parts, in full: hiding, approach, encounters, snipers, visibility, times
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = super::values::phases())]
    pub(super) only: Vec<crate::format::source::analyze::Phase>,
    /// Where a team begins, for times: t or ct, and a point. May be given many times
    #[arg(long, value_name = "TEAM:X,Y,Z")]
    pub(super) spawn: Vec<super::values::Spawn>,
    /// Take places from an older mesh of the same map
    #[arg(long, value_name = "MESH")]
    pub(super) places_from: Option<PathBuf>,
    /// Give areas without a place that of the areas they are connected to
    #[arg(long)]
    pub(super) flood_places: bool,
    /// Keep what an older, longer file has left behind the end of the mesh
    #[arg(long)]
    pub(super) keep_tail: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    /// A mesh, archive!member, or a folder or archive with the tiles of a Fox map
    pub(super) path: PathBuf,
    /// Output file: a name that ends in .obj, .glb, .dot, .graphml, .geojson, .navmesh (Detour) or .tres (Godot); - is standard
    /// output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    pub(super) force: bool,
    /// Format to write, whatever the extension of OUTPUT: obj, glb, dot, graphml, geojson, navmesh, tres
    #[arg(long, value_parser = super::values::export_format)]
    pub(super) format: Option<crate::export::Format>,
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(super) space: Option<String>,
    /// OBJ with y up and metres, instead of the file's own axes and units
    #[arg(long)]
    pub(super) y_up: bool,
    /// Side of the tiles of a .navmesh in metres [default: one tile, several for large meshes]
    #[arg(long, value_name = "METRES")]
    pub(super) tile: Option<f32>,
    /// Areas and flags of a .navmesh: a text with a rule a line (docs/export-navmesh.md)
    #[arg(long, value_name = "FILE")]
    pub(super) mapping: Option<PathBuf>,
    /// Name the meshes of a GLB so that Godot imports them as navigation meshes
    #[arg(long)]
    pub(super) godot: bool,
    #[command(flatten)]
    pub(super) open: Open,
}

/// `1600` or `1600x1200`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) width: u32,
    pub(super) height: Option<u32>,
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pixels = |text: &str| match text.parse() {
            Ok(pixels @ 64..=16_384) => Ok(pixels),
            _ => Err(format!("{text} is no number of pixels from 64 to 16384")),
        };
        Ok(match text.split_once('x') {
            None => Self { width: pixels(text)?, height: None },
            Some((width, height)) => Self { width: pixels(width)?, height: Some(pixels(height)?) },
        })
    }
}

/// `-100..250.5`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) low: f32,
    pub(super) high: f32,
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (low, high) = text.split_once("..").ok_or("two heights with .. between them are needed")?;
        let height = |text: &str, open: f32| match text {
            "" => Ok(open),
            _ => text.parse().map_err(|_| format!("{text} is no height")),
        };
        let (low, high) = (height(low, f32::NEG_INFINITY)?, height(high, f32::INFINITY)?);
        match low <= high {
            true => Ok(Self { low, high }),
            false => Err(format!("{low} is above {high}: the lower height comes first")),
        }
    }
}

/// `x0,y0,x1,y1`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corners(pub(super) [f32; 4]);

impl std::str::FromStr for Corners {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f32> = text.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        let four: Result<[f32; 4], _> = numbers.try_into();
        four.ok()
            .filter(|four| four.iter().all(|n| n.is_finite()) && four[0] != four[2] && four[1] != four[3])
            .map(Self)
            .ok_or_else(|| "four numbers are needed: x0,y0,x1,y1, two different corners".to_owned())
    }
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
    /// Files, folders and archives; - is standard input
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
    #[command(flatten)]
    pub(super) limits: Limited,
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
    /// Replace files that exist
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
    /// Bytes after the end of a mesh do not count against it: information, not a warning
    #[arg(long)]
    pub(super) lenient: bool,
    /// Take files for this kind, whatever they look like
    #[arg(long = "as", value_name = "KIND", value_parser = kinds())]
    pub(super) kind: Option<Kind>,
    #[command(flatten)]
    pub(super) limits: Limited,
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
    /// Lines for a person
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

/// The verbs that have a manual page of their own.
fn verbs() -> PossibleValuesParser {
    PossibleValuesParser::new(super::manual::PAGES.iter().map(|(verb, _)| *verb))
}

/// What `draw --color` knows besides names of flags.
const COLOURS: [&str; 6] = ["height", "place", "island", "flag", "group", "plain"];

/// Takes any word, and tells shells which ones to offer.
#[derive(Debug, Clone, Copy)]
struct Suggested(&'static [&'static str]);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// Layers of a picture by name.
fn layers() -> impl TypedValueParser<Value = Layers> {
    let names = Layers::NAMED.iter().map(|(name, _)| *name).chain(["all", "none"]);
    PossibleValuesParser::new(names).try_map(|name| Layers::named(&name).ok_or("no such layer"))
}

/// The kinds of files by name, as the table of families has them.
fn kinds() -> impl TypedValueParser<Value = Kind> {
    let values = Kind::ALL.iter().map(|kind| PossibleValue::new(kind.name()).help(kind.title()));
    PossibleValuesParser::new(values).try_map(|name| Kind::named(&name).ok_or("no such kind"))
}
