//! A way across the tiles of a Fox Engine map, and what happens where a tile is not loaded.
//!
//! `cargo run --example tiles -- ssav/`: a folder of `.nav2` files.

use navmap::format::fox::{FoxGraph, TileSet};
use navmap::graph::LinkKind;
use navmap::query::{Area, NavIndex, Outcome, PathScratch, Query};
use std::error::Error;
use std::path::{Path, PathBuf};

/// What a way over tiles came to.
#[derive(Debug, Default)]
pub(crate) struct Crossed {
    /// The tiles that the way leads through, in order.
    pub(crate) tiles: Vec<u64>,
    pub(crate) borders: usize,
    pub(crate) metres: f32,
    /// The tile that a way leads into when it is not loaded.
    pub(crate) leaves: Option<u64>,
}

fn index(files: &[PathBuf]) -> Result<NavIndex, Box<dyn Error>> {
    let set = TileSet::open(files)?;
    if let Some(failure) = set.failures().first() {
        return Err(failure.to_string().into());
    }
    let layer = set.layers().next().ok_or("no tiles")?;
    // The links over borders are resolved between tiles, so that a set of them is one graph.
    Ok(NavIndex::build(&FoxGraph::of_layer(&layer)).whole()?)
}

/// The tile of a face, which its id has above its group and number.
fn tile_of(index: &NavIndex, area: Area) -> u64 {
    index.id(area).map_or(0, |id| id >> 48)
}

/// Walks the longest of the shortest ways from the first face, then again with the first and the last tile alone.
pub(crate) fn cross(files: &[PathBuf]) -> Result<Crossed, Box<dyn Error>> {
    let whole = index(files)?;
    let mut scratch = PathScratch::new(&whole);
    let from = whole.of_node(0).ok_or("no faces")?;
    let mut costs = vec![0.0; whole.len()];
    scratch.distance_map(&whole, from, &Query::shortest(), &mut costs)?;
    let far =
        |area: &Area| Some(costs[area.position() as usize]).filter(|cost| cost.is_finite()).unwrap_or(-1.0);
    let to = whole.areas().max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(from);
    let mut crossed = Crossed::default();
    if let Outcome::Found { cost } = scratch.path(&whole, from, to, &Query::shortest())? {
        crossed.metres = cost * whole.axes().metres_per_unit;
    }
    for step in scratch.steps(&whole) {
        crossed.borders += usize::from(step.way.is_some_and(|way| way.kind == LinkKind::Border));
        let tile = tile_of(&whole, step.area);
        if crossed.tiles.last() != Some(&tile) {
            crossed.tiles.push(tile);
        }
    }
    // With the first and the last tile alone, the same question has another answer: it says what to load.
    let ends = [crossed.tiles.first(), crossed.tiles.last()].map(Option::<&u64>::copied);
    let kept: Vec<PathBuf> =
        files.iter().filter(|file| ends.contains(&tile_of_file(file))).cloned().collect();
    let torn = index(&kept)?;
    let ids = [from, to].map(|area| whole.id(area).unwrap_or_default());
    if let [Some(from), Some(to)] = ids.map(|id| torn.by_id(id)) {
        let outcome = PathScratch::new(&torn).path(&torn, from, to, &Query::shortest())?;
        if let Outcome::LeavesLoadedTiles { tile, .. } = outcome {
            crossed.leaves = tile;
        }
    }
    Ok(crossed)
}

/// The number of the tile that a file is of.
fn tile_of_file(file: &Path) -> Option<u64> {
    let set = TileSet::open([file]).ok()?;
    let tile = set.layers().next()?.tiles().next()?;
    Some(tile.id().0.into())
}

#[allow(dead_code)] // a test calls `cross` instead
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "corpus/fox/set".into());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    let Crossed { tiles, borders, metres, leaves } = cross(&files)?;
    println!("{metres:.0} m over {borders} borders, through the tiles {tiles:?}");
    if let Some(tile) = leaves {
        println!("with the first and the last alone, the way leads into tile {tile}, which is not loaded");
    }
    Ok(())
}
