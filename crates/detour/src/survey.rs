//! One walk: counts, and what is odd in passing.

use super::grid::{Bits, Grid};
use super::iter::TileEntry;
use super::layout::Refs;
use super::record::Across;
use super::tile::Tile;
use super::view::DetourNav;
use navmap_core::Counts;
use navmap_core::Finding;
use navmap_core::Severity::Warning;
use navmap_core::error::Result;

/// The counts of a scan, in order.
pub(super) const COUNTS: [&str; 7] =
    ["tiles", "polygons", "vertices", "inner_links", "portal_links", "off_mesh", "detail_triangles"];

/// Counts, and reports findings about the file as a whole.
///
/// Keeps tiles to join their portals: 400 bytes per tile and 80 per portal edge.
pub(super) fn survey(nav: &DetourNav<'_>, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
    COUNTS.iter().for_each(|name| counts.add(name, 0));
    if nav.is_experimental() {
        let message =
            format!("set version {} is read with the layout of version 1", nav.version().unwrap_or(0));
        found(Finding::new(Warning, "experimental-layout", message).at(4));
    }
    let end = if nav.dialect().is_cache() {
        let mut layers = nav.layers();
        for layer in layers.by_ref() {
            layer?;
            counts.add("tiles", 1);
        }
        layers.end()
    } else {
        let mut entries: Vec<TileEntry<'_>> = Vec::new();
        let mut tiles = nav.tiles();
        let mut damage = None;
        for entry in tiles.by_ref() {
            match entry {
                Ok(entry) => {
                    tile(&entry, counts, found);
                    entries.push(entry);
                }
                Err(error) => damage = Some(error),
            }
        }
        let grid = Grid::new(entries, Bits::for_mesh(nav.parameters(), nav.refs() == Refs::Wide));
        counts.add("portal_links", grid.joints().list.len() as u64);
        match damage {
            Some(error) => return Err(error),
            None => nav.after(tiles.end())?,
        }
    };
    if let Some(left) = (nav.bytes().len() as u64).checked_sub(end).filter(|left| *left > 0) {
        found(Finding::trailing(left, end));
    }
    Ok(())
}

fn tile(entry: &TileEntry<'_>, counts: &mut Counts, found: &mut dyn FnMut(Finding)) {
    let tile = &entry.tile;
    counts.add("tiles", 1);
    counts.add("polygons", tile.polygons().len() as u64);
    counts.add("vertices", tile.vertices().len() as u64);
    counts.add("inner_links", inner_links(tile));
    counts.add("off_mesh", tile.off_mesh().len() as u64);
    counts.add("detail_triangles", tile.triangles().len() as u64);
    if tile.is_experimental() {
        let version = tile.head().version;
        let message = format!("tile version {version} is read with the layout of another version");
        let finding = Finding::new(Warning, "experimental-layout", message);
        found(finding.at(tile.offset().saturating_add(4)).in_record("tile", entry.index.0.into()));
    }
}

/// The number of links from polygons to neighbours in the same tile, counting each direction.
fn inner_links(tile: &Tile<'_>) -> u64 {
    let len = tile.polygons().len();
    let within = |stored: &zerocopy::byteorder::little_endian::U16| matches!(Across::decode(stored.get()), Across::Inner(to) if usize::from(to) < len);
    tile.polygons()
        .iter()
        .map(|polygon| polygon.neighbours().iter().filter(|stored| within(stored)).count() as u64)
        .fold(0, u64::saturating_add)
}
