//! Makes a navigation mesh of Detour from the triangles of a level, as Recast does: voxels, regions, contours, polygons.
//!
//! The ground is cut into square tiles, which are built on all threads. The bytes are the same for any number of them.
//!
//! ```
//! use navmap::build::{BuildOptions, build};
//! use navmap::import::{Format, read};
//!
//! let floor = read(b"v 0 0 0\nv 8 0 0\nv 8 0 8\nv 0 0 8\nf 1 4 3 2\n", Format::Obj)?;
//! let (bytes, bill) = build(&floor, &BuildOptions::default())?;
//! assert_eq!((bill.triangles, bill.walkable), (2, 2));
//! assert!(bill.polygons > 0 && bytes.starts_with(b"TESM"));
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! | step | who |
//! |---|---|
//! | triangles checked, sorted into tiles | `soup`, `grid` |
//! | voxels, regions, contours, polygons of a tile | the crate `rerecast`, a port of Recast to Rust |
//! | heights inside of polygons | `heights`; those of the port read a list that is not the mesh's |
//! | tiles as bytes | `navmap-detour` |
//!
//! Whatever the triangles are, a build ends with a mesh or with an error: numbers that are none are refused, and so is what would
//! need more than [`BuildLimits`] allow. What the 8 and 16 bits of the port cannot count is refused before it is asked, where that can be
//! known; should it panic all the same, the build ends with an error that names the tile (with `panic = "abort"`, the program ends).

mod bill;
mod grid;
mod heights;
mod mesh;
mod options;
mod soup;
mod tile;

pub use bill::Bill;
pub use options::{Agent, BuildLimits, BuildOptions, Progress};

use bill::Part;
use grid::Grid;
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use navmap_core::threads::spread;
use navmap_detour::{DetourBuf, TileBuf};
use options::Voxels;
use rayon::prelude::*;
use soup::Soup;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;

/// A mesh of the faces of a level, in metres with y up: a set of Detour, version 7, with 32-bit references.
///
/// Faces are anticlockwise seen from above what they face; those of more than three corners are
/// [cut into triangles](Scene::triangles). Time grows with the cells that triangles cover, memory with the triangles and, a thread,
/// with the voxels of a tile.
///
/// # Errors
/// If an option makes no sense, a number is none, nothing can be walked on, a [limit](BuildLimits) would be exceeded, or the build
/// was [stopped](Progress::stop).
pub fn build(scene: &Scene, options: &BuildOptions<'_>) -> Result<(Vec<u8>, Bill)> {
    let voxels = Voxels::new(options)?;
    let mut bill = Bill::default();
    let soup = Soup::new(scene, &voxels, options, &mut bill)?;
    let grid = Grid::new(&soup, &voxels, options)?;
    if let Some(progress) = options.progress {
        progress.total.store(grid.tiles() as u64, Relaxed);
    }
    let work = tile::Work { soup: &soup, grid: &grid, voxels: &voxels, options };
    let one = |number: usize| {
        // The port counts and indexes as the C++ does; nothing of a tile outlives a fault in it.
        let part = catch_unwind(AssertUnwindSafe(|| tile::tile(work, number)));
        let part = part.unwrap_or_else(|_| Err(Error::invalid("model", fault(grid.at(number)))));
        options.progress.inspect(|progress| _ = progress.done.fetch_add(1, Relaxed));
        part
    };
    let parts: Vec<Result<Part>> = spread(|| (0..grid.tiles()).into_par_iter().map(one).collect());
    let mut tiles = Vec::new();
    for part in parts {
        let part = part?;
        bill.add(&part);
        tiles.extend(part.tile);
    }
    if tiles.is_empty() {
        let why = format!("has no place where the agent can stand\n{bill}");
        return Err(Error::invalid("model", why.trim_end().replace('\n', "; ")));
    }
    close_rim(&mut tiles, &grid);
    let set = DetourBuf::of_tiles(grid.origin(), grid.side_metres(), tiles)?;
    Ok((set.encode()?, bill))
}

/// What is said of a tile that the port could not build.
fn fault([x, y]: [i32; 2]) -> String {
    format!(
        "cannot be built at tile {x}, {y}: the port of Recast failed; other sizes of voxels or tiles may help"
    )
}

/// Makes walls of portals to places without a tile.
fn close_rim(tiles: &mut [TileBuf], grid: &Grid) {
    let there: std::collections::HashSet<[i32; 2]> = tiles.iter().map(|tile| tile.head.at).collect();
    for tile in tiles {
        let at = tile.head.at;
        mesh::close(tile, |side| there.contains(&grid.beside(at, side)));
    }
}
