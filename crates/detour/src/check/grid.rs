//! Checks across tiles: places, references, seams, and where off-mesh connections end.

use super::Report;
use crate::grid::{Bits, Grid};
use crate::iter::TileEntry;
use crate::layout::{Dialect, Layout, Refs, Section};
use crate::record::Across;
use crate::tile::Tile;
use crate::view::DetourNav;
use navmap_core::Finding;
use navmap_core::Severity::{Error, Info, Warning};

/// The fewest bits of salt with which the engine starts.
const FEWEST_SALT_BITS: u32 = 10;

/// Checks the container's claims, and whether its tiles agree.
pub(super) fn container(nav: &DetourNav<'_>, entries: &[TileEntry<'_>], bits: Bits, report: &mut Report<'_>) {
    let listed =
        matches!(nav.dialect(), Dialect::Set | Dialect::BoundedSet | Dialect::Kbe | Dialect::Respawn);
    if listed && entries.len() as u64 != u64::from(nav.claimed()) {
        let message = format!("{} tiles claimed, {} there", nav.claimed(), entries.len());
        let at = if nav.dialect() == Dialect::Kbe { 4 } else { 8 };
        (report.found)(Finding::new(Error, "tile-count", message).at(at));
    }
    let Some(parameters) = nav.parameters() else { return };
    let floats = [parameters.tile_width(), parameters.tile_depth()];
    let start = (nav.head.start as u64).saturating_sub(28);
    if !parameters.origin().iter().chain(&floats).all(|value| value.is_finite()) {
        (report.found)(Finding::new(Error, "not-finite", "the parameters hold NaN or infinity").at(start));
    }
    if !listed {
        return;
    }
    let salt = 32u32.saturating_sub(bits.tile.saturating_add(bits.polygon));
    if nav.refs() == Refs::Narrow && salt < FEWEST_SALT_BITS {
        let message = format!(
            "{} tiles and {} polygons leave {salt} bits of a reference, the engine needs {FEWEST_SALT_BITS}",
            parameters.max_tiles(),
            parameters.max_polygons()
        );
        (report.found)(Finding::new(Error, "reference-bits", message).at(start.saturating_add(20)));
    }
    for entry in entries {
        let (number, _) = bits.split(entry.reference);
        if number >= parameters.max_tiles().into() {
            let most = parameters.max_tiles();
            let finding =
                Finding::new(Error, "tile-number", format!("its reference names tile {number} of {most}"));
            (report.found)(finding.at(entry.record).in_record("tile", entry.index.0.into()));
        }
        let room = 1u64.checked_shl(bits.polygon).unwrap_or(u64::MAX);
        if entry.tile.polygons().len() as u64 > room {
            let message =
                format!("{} polygons, references have room for {room}", entry.tile.polygons().len());
            report.say_head((Error, "many-polygons"), entry, 24, message);
        }
        place(nav, entry, report);
        if entries.len() > 1 {
            size(nav, entry, report);
        }
    }
}

/// Checks that a tile lies where the grid puts it.
fn place(nav: &DetourNav<'_>, entry: &TileEntry<'_>, report: &mut Report<'_>) {
    let (Some(parameters), head) = (nav.parameters(), entry.tile.head()) else { return };
    let ([x, y], [ox, oy, oz]) = (head.at, parameters.origin());
    let (width, depth) = (parameters.tile_width(), parameters.tile_depth());
    let ([min_x, min_y, min_z], [max_x, ..]) = (head.min, head.max);
    let (wanted, found) = if nav.dialect() == Dialect::Respawn {
        ([ox - x as f32 * width, oy + y as f32 * depth], [max_x, min_y])
    } else {
        ([ox + x as f32 * width, oz + y as f32 * depth], [min_x, min_z])
    };
    let off =
        wanted.iter().zip(found).any(|(wanted, found)| (wanted - found).abs() > 0.05 + wanted.abs() * 1e-5);
    if off {
        let message = format!("tile {x}, {y} lies at {found:?}, its place in the grid is {wanted:?}");
        report.say_head((Error, "tile-place"), entry, 8, message);
    }
}

/// Checks that a tile fills its place in the grid and does not cover neighbouring ones.
fn size(nav: &DetourNav<'_>, entry: &TileEntry<'_>, report: &mut Report<'_>) {
    let (Some(parameters), head) = (nav.parameters(), entry.tile.head()) else { return };
    let room = [parameters.tile_width(), parameters.tile_depth()];
    let ([min_x, min_y, min_z], [max_x, max_y, max_z]) = (head.min, head.max);
    let deep = if nav.dialect() == Dialect::Respawn { max_y - min_y } else { max_z - min_z };
    let found = [max_x - min_x, deep];
    if room.iter().zip(found).any(|(room, found)| found - room > 0.05 + room.abs() * 1e-3) {
        let message = format!("its box is {found:?}, a place of the grid {room:?}: it overlaps other tiles");
        report.say_head((Error, "tile-overlap"), entry, 84, message);
    }
}

/// Tiles side by side.
pub(super) fn check(grid: &Grid<'_>, whole: bool, respawn: bool, report: &mut Report<'_>) {
    for (first, second) in grid.twins() {
        let (first, second) = (grid.entries().get(first as usize), grid.entries().get(second as usize));
        if let (Some(first), Some(second)) = (first, second) {
            let [x, y] = second.tile.head().at;
            let message = format!("tile {} lies at {x}, {y} already: the engine drops this one", first.index);
            report.say_head((Error, "twin-tile"), second, 8, message);
        }
    }
    let joints = grid.joints();
    let entry = |tile: u32| grid.entries().get(tile as usize);
    if joints.exhausted {
        let message = "portal edges overlap each other so often that not all were joined";
        (report.found)(Finding::new(Warning, "seam-limit", message));
    }
    for (tile, polygon, edge) in &joints.crowded {
        if let Some(entry) = entry(*tile) {
            let at = (Section::Polygons, *polygon as usize);
            let message =
                format!("portal edge {edge} has more than 4 partners in a tile: the engine drops the rest");
            report.say((Warning, "crowded-portal"), entry, at, message);
        }
    }
    if whole {
        for (list, code, what) in [
            (&joints.apart, "open-seam", "joins nothing, although a tile lies there"),
            (&joints.rim, "rim", "leads over the rim of the mesh"),
        ] {
            for (tile, polygon, edge) in list {
                if let Some(entry) = entry(*tile) {
                    let at = (Section::Polygons, *polygon as usize);
                    report.say((Info, code), entry, at, format!("portal edge {edge} {what}"));
                }
            }
        }
    }
    // How many links of each tile lead out of it or are of its connections.
    let mut links = vec![0u64; grid.entries().len()];
    let mut link = |tile: u32, more: u64| {
        let count = links.get_mut(tile as usize);
        count.into_iter().for_each(|count| *count = count.saturating_add(more));
    };
    for joint in &joints.list {
        link(joint.tile, 1);
    }
    for jump in grid.jumps() {
        let Some(entry) = entry(jump.tile) else { continue };
        let outside = jump.connection.side().is_some() && !whole;
        for (end, at) in [("start", jump.from), ("end", jump.to)] {
            if at.is_none() && !(outside && end == "end") {
                let message = format!("its {end} lies on no polygon");
                report.say(
                    (Warning, "off-mesh-nowhere"),
                    entry,
                    (Section::OffMesh, jump.index as usize),
                    message,
                );
            }
        }
        // The start is linked both ways; the end always from the connection, and back if one may pass it so.
        if let Some((tile, _)) = jump.from {
            link(jump.tile, 1);
            link(tile, 1);
        }
        if let Some((tile, _)) = jump.to {
            link(jump.tile, 1);
            link(tile, jump.connection.both_ways().into());
        }
    }
    for (entry, others) in grid.entries().iter().zip(links) {
        let needed = links_needed(&entry.tile, others);
        let room = u64::from(entry.tile.head().max_links);
        if room > 0 && room < needed && !respawn && entry.tile.layout() != Layout::V16 {
            let message = format!("room for {room} links, {needed} are needed: the engine drops the rest");
            report.say_head((Warning, "few-links"), entry, 32, message);
        }
    }
}

/// How many links the engine builds in a tile: one per inner edge, and the others, of portals and connections.
fn links_needed(tile: &Tile<'_>, others: u64) -> u64 {
    let inner = tile.polygons().iter().map(|polygon| {
        let linked = polygon
            .neighbours()
            .iter()
            .filter(|stored| matches!(Across::decode(stored.get()), Across::Inner(_)));
        linked.count() as u64
    });
    inner.fold(others, u64::saturating_add)
}
