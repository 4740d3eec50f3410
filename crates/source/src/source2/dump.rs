//! A Source 2 mesh as data: `Serialize`, walked lazily, never collected.

use super::after::AfterPolygonAreas;
use super::area::PolygonArea;
use super::kv3::Kv3Block;
use super::layout::{MovableMesh, Polygon};
use super::params::{GenerationParameters, Hull};
use super::view::Source2Nav;
use crate::dump::{climb, message, object};
use crate::record::{AreaId, Ladder};
use navmap_core::error::Result;
use navmap_core::format::{LadderRecord, LadderRecords, NodeRecords, chosen, span};
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::cell::RefCell;

object! { MovableMesh<'_>, mesh => {
    name: String::from_utf8_lossy(mesh.name()),
    matrix: mesh.matrix(),
}}

object! { Polygon<'_>, polygon => {
    vertices: List(|| polygon.vertices().iter().map(|index| index.get())),
    movable_mesh: polygon.movable_mesh(),
}}

object! { Kv3Block<'_>, block => {
    offset: block.offset(),
    bytes: block.bytes().len(),
    compression: block.compression(),
    unpacked_bytes: block.unpacked_size(),
}}

object! { Hull, hull => {
    enabled: hull.enabled,
    radius: hull.radius,
    height: hull.height,
    short_height: hull.short_height,
    crawl_height: hull.crawl_height,
    max_climb: hull.max_climb,
    max_slope: hull.max_slope,
    max_jump_down: hull.max_jump_down,
    max_jump_horizontal: hull.max_jump_horizontal,
    max_jump_up: hull.max_jump_up,
    border_erosion: hull.border_erosion,
}}

object! { GenerationParameters<'_>, parameters => {
    version: parameters.version,
    use_project_defaults: parameters.use_project_defaults,
    tile_size: parameters.tile_size,
    cell_size: parameters.cell_size,
    cell_height: parameters.cell_height,
    min_region_size: parameters.min_region_size,
    merged_region_size: parameters.merged_region_size,
    mesh_sample_distance: parameters.mesh_sample_distance,
    max_sample_error: parameters.max_sample_error,
    max_edge_length: parameters.max_edge_length,
    max_edge_error: parameters.max_edge_error,
    verts_per_polygon: parameters.verts_per_polygon,
    small_area_threshold: parameters.small_area_threshold,
    hull_preset: parameters.hull_preset.map(String::from_utf8_lossy),
    hull_definitions: parameters.hull_definitions.map(String::from_utf8_lossy),
    hull_count: parameters.hull_count,
    hulls: List(|| parameters.hulls()),
    unknown_last: parameters.unknown_last,
}}

object! { PolygonArea<'_>, area => {
    index: area.index(),
    offset: area.offset(),
    id: area.id(),
    attributes: area.attributes(),
    hull: area.hull(),
    polygon: area.polygon(),
    corners: List(|| area.corners()),
    unknown_after_polygon: area.unknown_after_polygon(),
    edges: List(|| area.edges()),
    ladders_above: area.ladders_above(),
    ladders_below: area.ladders_below(),
}}

/// The areas, up to the end or to the first that cannot be read. `after` takes what follows them.
struct Areas<'c, 'a> {
    nav: &'c Source2Nav<'a>,
    after: &'c RefCell<Option<Result<AfterPolygonAreas<'a>>>>,
}

impl Serialize for Areas<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        let mut areas = self.nav.areas();
        for area in areas.by_ref().map_while(Result::ok) {
            seq.serialize_element(&area)?;
        }
        *self.after.borrow_mut() = Some(areas.finish());
        seq.end()
    }
}

/// Everything in the file, streamed, except the content of KV3 blocks: they have only place and size. If the file is damaged,
/// the list ends there and the last field, `error`, says why; otherwise `error` is null.
impl Serialize for Source2Nav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let after = RefCell::new(None);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &self.version())?;
        map.serialize_entry("subversion", &self.subversion())?;
        map.serialize_entry("game", &self.game())?;
        map.serialize_entry("flags", &self.flags())?;
        map.serialize_entry("first_block", &self.first_block())?;
        map.serialize_entry("vertices", self.vertices())?;
        map.serialize_entry("polygons", &List(|| self.polygons()))?;
        map.serialize_entry("unknown_after_polygons", &self.unknown_after_polygons())?;
        map.serialize_entry("movable_meshes", &List(|| self.movable_meshes()))?;
        map.serialize_entry("second_block", &self.second_block())?;
        map.serialize_entry("area_count", &self.area_count())?;
        map.serialize_entry("areas", &Areas { nav: self, after: &after })?;
        let (after, error) = match after.into_inner() {
            Some(Ok(after)) => (Some(after), None),
            Some(Err(error)) => (None, Some(message(error))),
            None => (None, None),
        };
        match self.version() {
            ..35 => {
                map.serialize_entry("ladders", &List(|| after.iter().flat_map(AfterPolygonAreas::ladders)))?;
            }
            35.. => {
                let ladders = || after.iter().flat_map(AfterPolygonAreas::wide_ladders);
                map.serialize_entry("ladders", &List(ladders))?;
            }
        }
        let boxes = || after.iter().flat_map(AfterPolygonAreas::unknown_boxes);
        map.serialize_entry("unknown_boxes", &List(boxes))?;
        map.serialize_entry("parameters", &after.as_ref().map(AfterPolygonAreas::parameters))?;
        map.serialize_entry("third_block", &after.as_ref().and_then(AfterPolygonAreas::third_block))?;
        map.serialize_entry("game_data", &after.as_ref().and_then(AfterPolygonAreas::game_data))?;
        map.serialize_entry("end", &after.as_ref().map(AfterPolygonAreas::trailing_offset))?;
        map.serialize_entry("trailing_bytes", &after.as_ref().map(|after| after.trailing().len()))?;
        map.serialize_entry("error", &error)?;
        map.end()
    }
}

impl Source2Nav<'_> {
    /// The records of areas.
    pub(super) fn node_records(&self, nodes: &[u32], each: &mut dyn NodeRecords) -> Result<()> {
        for (node, area) in chosen(nodes, self.areas()) {
            let area = area?;
            each.record(node, Some(area.offset().into()..area.end().into()), &area);
        }
        Ok(())
    }

    /// The records of ladders.
    pub(super) fn ladder_records(&self, each: &mut dyn LadderRecords) -> Result<()> {
        let after = self.after_areas()?;
        let first = u64::from(after.offset()).saturating_add(4);
        let lie = |at: u64, len: usize| span(first.saturating_add(at.saturating_mul(len as u64)), len);
        for (ladder, at) in after.ladders().iter().zip(0..) {
            each.ladder(climbed(ladder, &[]), lie(at, size_of_val(ladder)), ladder);
        }
        for (wide, at) in after.wide_ladders().iter().zip(0..) {
            let more = [wide.bottom_left(), wide.bottom_right()];
            each.ladder(climbed(wide.ladder(), &more), lie(at, size_of_val(wide)), wide);
        }
        Ok(())
    }
}

fn climbed(ladder: &Ladder, more: &[AreaId]) -> LadderRecord {
    let areas = ladder.areas().into_iter().map(|(_, area)| area).chain(more.iter().copied());
    climb(ladder.id(), [ladder.bottom(), ladder.top()], &areas.collect::<Vec<_>>())
}
