//! Finds what is odd but readable. The table of codes explains each finding.
//!
//! The engine trusts a tile without checking it. Errors here make it access memory out of bounds, or drop the tile.

mod details;
mod grid;
mod tile;
mod tree;

use super::fastlz;
use super::graph::DetourGraph;
use super::grid::{Bits, Grid};
use super::iter::TileEntry;
use super::layout::{Dialect, Refs, Section};
use super::unity::UnityMesh;
use super::view::DetourNav;
use navmap_core::Finding;
use navmap_core::Severity::{self, Info, Warning};
use navmap_core::graph::Ids;
use std::fmt::Display;

/// Reports the findings of each tile in order, then those of the whole.
pub(super) fn check(nav: &DetourNav<'_>, found: &mut dyn FnMut(Finding)) {
    layers(nav, found);
    let entries: Vec<TileEntry<'_>> = nav.tiles().map_while(Result::ok).collect();
    let bits = Bits::for_mesh(nav.parameters(), nav.refs() == Refs::Wide);
    let before = entries.iter().scan(0_usize, |sum, entry| {
        let before = *sum;
        *sum = sum.saturating_add(entry.tile.off_mesh().len());
        Some(before)
    });
    let mut report = Report { before: before.collect(), found, frames: nav.unity() };
    entries.iter().for_each(|entry| report.tile(entry));
    grid::container(nav, &entries, bits, &mut report);
    let grid = Grid::new(entries, bits);
    grid::check(&grid, nav.dialect().is_whole(), nav.dialect() == Dialect::Respawn, &mut report);
    reach(nav, &grid, found);
}

/// Reports islands. Single isolated polygons are not reported: Recast leaves them on roofs and rocks.
fn reach(nav: &DetourNav<'_>, grid: &Grid<'_>, found: &mut dyn FnMut(Finding)) {
    let graph = DetourGraph::of_file(nav);
    let mut starts = vec![0u32];
    let mut next = 0u32;
    for entry in grid.entries() {
        next = next.saturating_add(u32::try_from(entry.tile.ground()).unwrap_or(u32::MAX));
        starts.push(next);
    }
    let offset = |node: u32| {
        let tile = starts.partition_point(|start| *start <= node).checked_sub(1)?;
        let within = node.checked_sub(*starts.get(tile)?)?;
        Some(grid.entries().get(tile)?.tile.offset_of(Section::Polygons, within as usize))
    };
    let mut islands = |finding: Finding| {
        if finding.code == "island" {
            found(finding);
        }
    };
    navmap_core::graph::check(&graph, false, offset, &mut islands);
}

/// Checks that each layer of a tile cache unpacks.
fn layers(nav: &DetourNav<'_>, found: &mut dyn FnMut(Finding)) {
    for layer in nav.layers().map_while(Result::ok) {
        if layer.head.version() != 1 {
            let message = format!("layer version {}, 1 is known", layer.head.version());
            let finding = Finding::new(Warning, "layer-version", message);
            found(finding.at(layer.offset.saturating_add(4)).in_record("layer", layer.index.into()));
        }
        if !fastlz::unpacks(layer.packed, layer.head.unpacked()) {
            let at = layer.offset.saturating_add(56);
            let message = "does not unpack by FastLZ, the stock compression";
            let finding = Finding::new(Info, "unknown-compression", message);
            found(finding.at(at).in_record("layer", layer.index.into()));
        }
    }
}

/// Adds the tile to findings and passes them on.
struct Report<'r> {
    found: &'r mut dyn FnMut(Finding),
    frames: &'r [UnityMesh],
    /// How many off-mesh connections the tiles before each have, which editors count through the file.
    before: Vec<usize>,
}

impl Report<'_> {
    /// Reports a finding about a record of a tile.
    fn say(
        &mut self,
        what: (Severity, &'static str),
        entry: &TileEntry<'_>,
        at: (Section, usize),
        message: impl Display,
    ) {
        let (section, index) = at;
        let own = matches!(section, Section::Polygons | Section::Map | Section::Details);
        self.say_of(what, entry, at, own.then_some(index), message);
    }

    /// The same, about a record that belongs to a polygon.
    fn say_of(
        &mut self,
        (severity, code): (Severity, &'static str),
        entry: &TileEntry<'_>,
        (section, index): (Section, usize),
        polygon: Option<usize>,
        message: impl Display,
    ) {
        let at = entry.tile.offset_of(section, index);
        let word = match section {
            Section::Vertices => "vertex",
            Section::Polygons | Section::Map => "polygon",
            Section::Links => "link",
            Section::Details => "detail mesh",
            Section::DetailVertices => "detail vertex",
            Section::Triangles => "detail triangle",
            Section::Tree => "tree node",
            Section::OffMesh => "off-mesh connection",
        };
        // Polygons on the ground are nodes, under these ids; those of off-mesh connections are not.
        let node = polygon
            .filter(|polygon| *polygon < entry.tile.ground())
            .map(|polygon| u64::from(entry.index.0) << 32 | polygon as u64);
        let of = node.map(|id| Ids::Numbers.name(id));
        let subject = match (section, of) {
            (Section::Polygons | Section::Map, Some(of)) => format!("{word} {of}"),
            (Section::Details, Some(of)) => format!("{word} of polygon {of}"),
            (_, Some(of)) => format!("{word} {index} of polygon {of}"),
            (Section::OffMesh, None) => {
                let before = self.before.get(entry.index.0 as usize).copied().unwrap_or(0);
                format!("{word} {}", Ids::Lettered("C").name(before.saturating_add(index) as u64))
            }
            (_, None) => format!("{word} {index}"),
        };
        let mut finding = Finding::new(severity, code, format!("{subject}: {message}")).at(at);
        if let Some(id) = node {
            finding = finding.about(Ids::Numbers, id);
        }
        let place = match section {
            Section::OffMesh => entry.tile.off_mesh().get(index).map(|connection| connection.start()),
            Section::Map => None,
            _ => polygon.and_then(|polygon| self.polygon_place(entry, polygon)),
        };
        (self.found)(finding.in_record("tile", entry.index.0.into()).placed(place));
    }

    /// Reports a finding about the head of a tile, at one of its bytes.
    fn say_head(
        &mut self,
        (severity, code): (Severity, &'static str),
        entry: &TileEntry<'_>,
        byte: u64,
        message: impl Display,
    ) {
        let at = entry.tile.offset().saturating_add(byte);
        let finding = Finding::new(severity, code, message.to_string()).at(at);
        (self.found)(finding.in_record("tile", entry.index.0.into()));
    }

    /// The mean of the corners of a polygon, in the world.
    fn polygon_place(&self, entry: &TileEntry<'_>, polygon: usize) -> Option<[f32; 3]> {
        let stored = entry.tile.polygons().get(polygon)?;
        let corners = (0..stored.corners().len()).filter_map(|corner| entry.tile.corner(&stored, corner));
        let (mut sum, mut count) = ([0.0f32; 3], 0.0f32);
        for corner in corners {
            sum.iter_mut().zip(corner).for_each(|(sum, value)| *sum += value);
            count += 1.0;
        }
        let mean = (count > 0.0).then(|| sum.map(|value| value / count))?;
        Some(self.frames.get(entry.mesh as usize).map_or(mean, |frame| frame.to_world(mean)))
    }
}
