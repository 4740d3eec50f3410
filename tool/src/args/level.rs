//! The arguments of `navmap build`.

use super::shared::Open;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[cfg_attr(not(feature = "build"), allow(dead_code))]
pub(crate) struct Level {
    /// The level: a model (.obj, .glb) or a map of GoldSrc, Source or Quake III (.bsp), loose or in an archive
    pub(crate) path: PathBuf,
    /// The mesh that is written, a set of Detour (.navmesh)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Who walks: radius, height and climb in metres, and the steepest slope in degrees; the last ones may be left out
    #[arg(long, value_name = "RADIUS,HEIGHT,CLIMB,SLOPE", default_value = "0.4,1.8,0.5,45", value_parser = crate::values::agent)]
    pub(crate) agent: [f32; 4],
    /// Side of a voxel in metres [default: half of the radius]
    #[arg(long, value_name = "METRES", value_parser = crate::values::length)]
    pub(crate) cell_size: Option<f64>,
    /// Height of a voxel in metres [default: half of its side]
    #[arg(long, value_name = "METRES", value_parser = crate::values::length)]
    pub(crate) cell_height: Option<f64>,
    /// Side of a tile in voxels [default: 64; 128 or 256 for large levels]
    #[arg(long, value_name = "VOXELS", value_parser = clap::value_parser!(u16).range(16..=1024))]
    pub(crate) tile_size: Option<u16>,
    /// Leave out regions of fewer voxels than the square of this
    #[arg(long, value_name = "VOXELS", default_value_t = 8)]
    pub(crate) region_min: u16,
    /// Merge regions of fewer voxels than the square of this with others
    #[arg(long, value_name = "VOXELS", default_value_t = 20)]
    pub(crate) region_merge: u16,
    /// The longest edge along a wall, in metres; 0 is no limit
    #[arg(long, value_name = "METRES", default_value_t = 12.0)]
    pub(crate) edge_max: f32,
    /// How far edges may stray from the voxels that they go around, in voxels
    #[arg(long, value_name = "VOXELS", default_value_t = 1.3)]
    pub(crate) edge_error: f32,
    /// How far apart heights are measured inside of polygons, in voxels, 0.9 at least; 0 measures none
    #[arg(long, value_name = "VOXELS", default_value_t = 6.0)]
    pub(crate) detail_step: f32,
    /// How far the ground may be from the mesh before heights are added, in voxels
    #[arg(long, value_name = "VOXELS", default_value_t = 1.0)]
    pub(crate) detail_error: f32,
    /// Which way is up in an .obj [default: what one that navmap wrote says, else y]; GLB has y up always, maps z
    #[arg(long, value_enum)]
    pub(crate) up: Option<Up>,
    /// The metres of a unit of an .obj [default: what one that navmap wrote says, else 1]
    #[arg(long, value_name = "METRES", value_parser = crate::values::length)]
    pub(crate) unit: Option<f64>,
    /// The area of ground with this material, 0 to 63, or none for ground that nobody walks on. May be given many times
    #[arg(long, value_name = "MATERIAL=ID", value_parser = crate::values::area)]
    pub(crate) area: Vec<(String, Option<u8>)>,
    /// Where models of static props lie: a folder of the game (with models/ in it), a VPK or another archive. May be given many times
    #[arg(long, value_name = "PATH")]
    pub(crate) models: Vec<PathBuf>,
    /// Worker threads [default: all cores]; the mesh is the same for any number
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The most triangles of the level
    #[arg(long, value_name = "COUNT", default_value_t = 1 << 24)]
    pub(crate) max_triangles: u64,
    /// The most tiles
    #[arg(long, value_name = "COUNT", default_value_t = 1 << 16)]
    pub(crate) max_tiles: u64,
    /// The most cells that triangles cover, which is what takes time [default: 268435456, and 1024 for each triangle]
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_cells: Option<u64>,
    /// The most voxels of a tile, which is what takes memory
    #[arg(long, value_name = "COUNT", default_value_t = 1 << 22)]
    pub(crate) max_voxels: u64,
    /// Replace FILE if it exists
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) open: Open,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Up {
    /// As in games and glTF
    Y,
    /// As in Blender and in maps: x, y, z becomes x, z, -y
    Z,
}
