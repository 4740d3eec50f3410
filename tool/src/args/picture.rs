//! The arguments of the verbs that make pictures and models.

use super::shared::Open;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use navmap::draw::Layers;
use navmap::format::HullName;
use navmap::graph::LinkKind;
use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub(crate) struct Draw {
    /// A mesh, archive!member, an archive, or a folder (the tiles of a map of Fox or of a server, loose or packed,
    /// become one picture)
    pub(crate) path: PathBuf,
    /// Output file: a name that ends in .svg or .png; - is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Format to write, whatever the extension of OUTPUT [default: from the extension; svg on standard output]
    #[arg(long, value_enum)]
    pub(crate) format: Option<crate::values::Image>,
    /// What colours mean: height, place, island, flag, group (segment, navmesh, hull), plain, a value that the file tells of nodes
    /// (cover of X-Ray, light of Source), or names of flags with commas between them, each with its colour (`navmap info --flags`
    /// lists them)
    #[arg(long, value_name = "WHAT", value_parser = Suggested(&COLOURS))]
    pub(crate) color: Option<String>,
    /// An earlier version of the mesh: draw both on one picture, coloured by what changed
    #[arg(long, value_name = "MESH")]
    pub(crate) before: Option<PathBuf>,
    /// The map of the mesh (.bsp of GoldSrc or Source): draw its floor plan below. For a sheet, a folder of maps
    #[arg(long, value_name = "MAP")]
    pub(crate) bsp: Option<PathBuf>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH", requires = "bsp")]
    pub(crate) models: Vec<PathBuf>,
    /// Add layers to the usual ones: links, one-way, traversals, ladders, spots, doors, cover, entities, names, ids, grid, ceilings, all;
    /// none removes the usual ones, and no-jump, no-drop, no-teleport and so on the links of a kind
    #[arg(long, value_name = "LAYER", value_delimiter = ',', value_parser = layers())]
    pub(crate) layer: Vec<Layers>,
    /// Points to show over the mesh, what happened where: lines of CSV with columns x, y and z, of JSON, or of a game's console, or
    /// a file of Parquet with these columns; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// What shows how many points there are
    #[arg(long, value_enum, default_value_t = By::Point, requires = "points")]
    pub(crate) by: By,
    /// The column of a value for each point, which are added up [default: points are counted]. With --by track it is the time
    #[arg(long, alias = "values", value_name = "COLUMN", requires = "points")]
    pub(crate) value: Option<String>,
    /// With --by track, the column that says whose point it is [default: all are of one]
    #[arg(long, value_name = "COLUMN", requires = "points")]
    pub(crate) track: Option<String>,
    /// A panel for each name in this column, up to 64 on one page, all with the same scale; --columns says how many are in a row
    #[arg(long, value_name = "COLUMN", requires = "points", conflicts_with_all = ["around", "before"])]
    pub(crate) panels: Option<String>,
    /// Side of a cell, and spread of the density, in file units [default: 2.5 m]
    #[arg(long, value_name = "UNITS", requires = "points")]
    pub(crate) cell: Option<f32>,
    /// Equal ratios of the numbers of points, or of the values, look equally far apart
    #[arg(long, requires = "points")]
    pub(crate) log: bool,
    /// The ends of the scale [default: 0 and the highest number; of times the first and the last]
    #[arg(long, value_name = "LOW..HIGH", requires = "points")]
    pub(crate) clip: Option<Range<f64>>,
    /// Size of the page in pixels: WIDTH, or WIDTHxHEIGHT [default: 1600; that of a sheet follows from its thumbnails]
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<Size>,
    /// With a given height, cut off the part of the page that the mesh leaves empty
    #[arg(long)]
    pub(crate) fit: bool,
    /// The part to show: two corners in file units (x and y; x and z if y is up)
    #[arg(long = "box", value_name = "X0,Y0,X1,Y1", allow_hyphen_values = true)]
    pub(crate) area: Option<Corners>,
    /// Show the surroundings of these, marked: an id (#2023), a point (@x,y,z) or another selector, as `navmap show` takes it
    #[arg(long, value_name = "SELECTOR", conflicts_with_all = ["area", "before"])]
    pub(crate) around: Option<String>,
    /// Heights to show, in file units; the rest becomes a faint outline
    #[arg(long, value_name = "Z0..Z1", allow_hyphen_values = true)]
    pub(crate) floor: Option<Range<f32>>,
    /// Light on dark
    #[arg(long)]
    pub(crate) dark: bool,
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(crate) space: Option<String>,
    /// Whose links: the size of a creature, of a node graph by name or number [default: human]; the hull of a Source 2 mesh by
    /// number [default: 0]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) hull: Option<HullName>,
    /// Thumbnails in a row of a sheet [default: as many as make a page that is wider than high, up to 6000 pixels]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) columns: Option<u16>,
    /// Rows on a page of a sheet; further maps go on further pages, beside OUTPUT.png, as OUTPUT-2.png and so on [default: up to
    /// 6000 pixels]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) rows: Option<u16>,
    /// Size of a thumbnail of a sheet in pixels [default: 320]
    #[arg(long, value_name = "PIXELS")]
    pub(crate) thumbnail: Option<u32>,
    #[command(flatten)]
    pub(crate) open: Open,
}

/// What shows how many points there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// Each point is a dot
    Point,
    /// Areas have the colour of the points in them
    Area,
    /// Squares of the ground
    Cell,
    /// A smooth density
    Density,
    /// Lines from point to point through time
    Track,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A mesh, archive!member, or a folder or archive with the tiles of a Fox map
    pub(crate) path: PathBuf,
    /// Output file: a name that ends in .obj, .glb, .dot, .graphml, .geojson, .navmesh (Detour) or .tres (Godot); - is standard
    /// output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// Format to write, whatever the extension of OUTPUT: obj, glb, dot, graphml, geojson, navmesh, tres
    #[arg(long, value_parser = crate::values::export_format)]
    pub(crate) format: Option<navmap::export::Format>,
    /// Worldspace or cell of a plugin, by FormID or editor ID; map of a Fox tile set, by name
    #[arg(long, value_name = "NAME")]
    pub(crate) space: Option<String>,
    /// OBJ with y up and metres, instead of the file's own axes and units
    #[arg(long)]
    pub(crate) y_up: bool,
    /// Heights of Quake III areas and GoldSrc waypoints, which are stored for the origin of a player: as stored, or moved
    /// down onto the floor [default: floor for .navmesh, .tres and .glb, stored for the others]
    #[arg(long, value_name = "WHICH")]
    pub(crate) heights: Option<Heights>,
    /// Side of the tiles of a .navmesh in metres [default: one tile, several for large meshes]
    #[arg(long, value_name = "METRES")]
    pub(crate) tile: Option<f32>,
    /// Areas and flags of a .navmesh: a text with a rule a line (docs/export-navmesh.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
    /// Name the meshes of a GLB so that Godot imports them as navigation meshes
    #[arg(long)]
    pub(crate) godot: bool,
    /// Whose links of a node graph, by name or number [default: human]; the hull of a Source 2 mesh by number [default: all, and
    /// in .navmesh and .tres 0]
    #[arg(long, value_name = "NAME|N")]
    pub(crate) hull: Option<HullName>,
    #[command(flatten)]
    pub(crate) open: Open,
}

/// Which heights an export has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Heights {
    /// As the file has them
    Stored,
    /// On the floor
    Floor,
}

/// `1600` or `1600x1200`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: Option<u32>,
}

impl FromStr for Size {
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
pub(crate) struct Range<T> {
    pub(crate) low: T,
    pub(crate) high: T,
}

impl<T: FromStr + PartialOrd + fmt::Display + From<f32>> FromStr for Range<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (low, high) = text.split_once("..").ok_or("two heights with .. between them are needed")?;
        let height = |text: &str, open: f32| match text {
            "" => Ok(open.into()),
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
pub(crate) struct Corners(pub(crate) [f32; 4]);

impl FromStr for Corners {
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
    let names =
        Layers::NAMED.iter().map(|(name, _)| (*name).to_owned()).chain(["all", "none"].map(str::to_owned));
    let kinds = LinkKind::ALL.iter().map(|kind| format!("no-{kind}"));
    PossibleValuesParser::new(names.chain(kinds).map(PossibleValue::new))
        .try_map(|name| Layers::named(&name).ok_or("no such layer"))
}
