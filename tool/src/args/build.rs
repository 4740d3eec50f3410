//! The arguments of `navmap convert` for polygons: what a mesh is built from them with.

use crate::values::{Point, Spot};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(next_help_heading = "From .obj and .glb")]
pub(crate) struct Build {
    /// Which way is up in FILE
    #[arg(long, value_enum, default_value_t = UpAxis::Game)]
    pub(crate) axes: UpAxis,
    /// Fox: side of a sector in metres; no segment crosses the border of a sector [default: 16]
    #[arg(long, value_name = "METRES", value_parser = crate::values::length)]
    pub(crate) sector: Option<f64>,
    /// Fox: side of a search bucket in metres [default: 10]
    #[arg(long, value_name = "METRES", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub(crate) bucket: Option<u32>,
    /// Fox: the tile, by X and Z of its name: 139,127
    #[arg(long, value_name = "X,Z")]
    pub(crate) tile: Option<Spot>,
    /// Fox: columns of the map that --tile is of, or that --tile-set makes [default: 64]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(1..=255))]
    pub(crate) grid: Option<u16>,
    /// Fox: cut one mesh into the tiles of a map, into this folder; no game was seen running such a map
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "tile", "origin"])]
    pub(crate) tile_set: Option<PathBuf>,
    /// Fox: split the body of a tile of a set into parts of about so many KiB
    #[arg(long, value_name = "KIB", requires = "tile_set", value_parser = clap::value_parser!(u32).range(16..))]
    pub(crate) limit: Option<u32>,
    /// Fox: minimum corner in metres [default: that of the faces]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) origin: Option<Point>,
    /// Fox: the opaque id, 32 hex digits [default: it follows from the mesh]
    #[arg(long, value_name = "HEX", value_parser = crate::values::opaque)]
    pub(crate) opaque: Option<[u8; 16]>,
    /// Fox: make an island graph, whose link weights are a guess
    #[arg(long)]
    pub(crate) islands: bool,
    /// Fox: take origin, divisors, tile, opaque id, feature flags and search grid from this file. Bethesda: put the triangles into this NVNM, or into the navmeshes of this plugin that objects name
    #[arg(long, value_name = "MESH", conflicts_with_all = ["tile", "origin", "tile_set"])]
    pub(crate) like: Option<PathBuf>,
    /// Fox: what names of materials mean, a line each: road = 0x0001
    #[arg(long, value_name = "FILE")]
    pub(crate) attributes: Option<PathBuf>,
    /// Source: the highest step that can be walked up, in units [default: 18]
    #[arg(long, value_name = "UNITS", value_parser = crate::values::length)]
    pub(crate) step: Option<f64>,
    /// Source: the deepest fall that a link leads down, in units [default: 200]
    #[arg(long, value_name = "UNITS", value_parser = crate::values::length)]
    pub(crate) fall: Option<f64>,
    /// Source: approximate faces that are no rectangles by a grid of cells with this side, in units; the games use 25
    #[arg(long, value_name = "UNITS", value_parser = crate::values::length)]
    pub(crate) rasterise: Option<f64>,
    /// Quake, YaPB: radius of the waypoints, in units [default: 36 for Quake; 0, the exact place, for YaPB]
    #[arg(long, value_name = "UNITS")]
    pub(crate) radius: Option<u16>,
    /// Fox: where characters appear; warns if the mesh is not below. May be given many times
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) spawn: Vec<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpAxis {
    /// As in the game that the mesh is for; an OBJ that `navmap export` wrote says itself which way is up, and its unit
    Game,
    /// Z up, as in Blender: x, y, z becomes x, z, -y
    Blender,
    /// Metres with y up, as GLB always has and `export --y-up` writes; for other games than those of the Fox Engine
    Metres,
}
