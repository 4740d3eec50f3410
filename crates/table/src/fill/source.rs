//! Source, versions 1 to 16.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::source::*;
use navmap_core::error::Result;
use navmap_core::graph::{Point, Up};
use navmap_source::{Area, Direction, Extension, SourceNav, VisibleTarget};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Fills the tables of one mesh, in one walk.
///
/// # Errors
/// If the file is damaged: the first place at which reading cannot continue. The rows before it are written.
pub(super) fn fill(nav: &SourceNav<'_>, out: &mut Out<'_>) -> Result<()> {
    let tables = [
        &SOURCE_AREAS,
        &SOURCE_CONNECTIONS,
        &SOURCE_LADDER_LINKS,
        &SOURCE_HIDING_SPOTS,
        &SOURCE_ENCOUNTER_PATHS,
        &SOURCE_ENCOUNTER_SPOTS,
        &SOURCE_APPROACHES,
        &SOURCE_VISIBILITY,
    ];
    let mut of_areas = OfAreas::new(nav, out.wants(&SOURCE_MESHES), out.wants(&SOURCE_PLACES));
    let after = out.with(tables, |sheets| of_areas.walk(sheets));
    out.with([&SOURCE_MESHES, &SOURCE_PLACES, &SOURCE_LADDERS], |[meshes, places, ladders]| {
        meshes.push(of_areas.mesh(&after));
        of_areas.places(places);
        if let (Ok(after), true) = (&after, ladders.is_wanted()) {
            push_ladders(after, ladders);
        }
    });
    after.map(drop)
}

/// What a walk over the areas collects besides their rows.
struct OfAreas<'n, 'a> {
    nav: &'n SourceNav<'a>,
    names: Vec<std::borrow::Cow<'a, str>>,
    /// Whether the parts of areas are counted.
    counted: bool,
    /// Areas of each place, if requested.
    of_place: Option<Vec<u32>>,
    population: Option<String>,
    counts: Counted,
    /// Ids of all areas by position, for visibility lists that name positions.
    ids: OnceCell<Vec<u32>>,
}

#[derive(Default)]
struct Counted {
    areas: u32,
    connections: u32,
    hiding_spots: u32,
    approaches: u32,
    encounter_paths: u32,
    encounter_spots: u32,
    ladder_links: u32,
    visible: u64,
}

impl<'n, 'a> OfAreas<'n, 'a> {
    fn new(nav: &'n SourceNav<'a>, count_parts: bool, count_places: bool) -> Self {
        let names: Vec<_> = nav.places().map(|place| place.to_str()).collect();
        Self {
            nav,
            counted: count_parts || count_places,
            of_place: count_places.then(|| vec![0; names.len()]),
            names,
            population: nav.default_population().map(|name| String::from_utf8_lossy(name).into_owned()),
            counts: Counted::default(),
            ids: OnceCell::new(),
        }
    }

    fn walk(&mut self, sheets: &mut [Sheet<'_>; 8]) -> Result<navmap_source::AfterAreas<'a>> {
        let [areas, connections, ladder_links, spots, paths, path_spots, approaches, visibility] = sheets;
        let mut one_way = OneWay::new(connections);
        let mut walk = self.nav.areas();
        let mut end = Ok(());
        for area in walk.by_ref() {
            let area = match area {
                Ok(area) => area,
                Err(error) => {
                    end = Err(error);
                    break;
                }
            };
            if self.counted {
                self.count(&area);
            }
            let id = area.id().get();
            if areas.is_wanted() {
                let corners = area.corners().map(Point::from);
                areas.push(self.area(&area, &corners));
            }
            if connections.is_wanted() {
                one_way.area(id);
                for (direction, to) in area.all_connections() {
                    one_way.connection(direction, to.get(), connections);
                }
            }
            if ladder_links.is_wanted() {
                let both = [("up", area.ladders_up()), ("down", area.ladders_down())];
                for (direction, ladders) in both {
                    for ladder in ladders {
                        ladder_links.push(LadderLinkRow { area_id: id, ladder_id: ladder.get(), direction });
                    }
                }
            }
            if spots.is_wanted() {
                push_spots(&area, spots);
            }
            if paths.is_wanted() || path_spots.is_wanted() {
                push_paths(&area, paths, path_spots);
            }
            if approaches.is_wanted() {
                push_approaches(&area, approaches);
            }
            if visibility.is_wanted() {
                self.visibility(&area, visibility);
            }
        }
        one_way.finish(connections);
        end?;
        walk.finish()
    }

    fn count(&mut self, area: &Area<'a>) {
        let counts = &mut self.counts;
        let add = |to: &mut u32, more: usize| *to = to.saturating_add(more as u32);
        add(&mut counts.areas, 1);
        add(&mut counts.connections, area.connection_count() as usize);
        add(&mut counts.hiding_spots, area.hiding_spot_count() as usize);
        add(&mut counts.approaches, area.approaches().len());
        add(&mut counts.encounter_paths, area.encounter_path_count() as usize);
        add(&mut counts.encounter_spots, area.encounter_spot_count() as usize);
        add(&mut counts.ladder_links, area.ladders_up().len().saturating_add(area.ladders_down().len()));
        counts.visible = counts.visible.saturating_add(area.visible_areas().len() as u64);
        let place = area.place().map(|place| usize::from(place.get()) - 1);
        if let (Some(of_place), Some(place)) = (&mut self.of_place, place)
            && let Some(count) = of_place.get_mut(place)
        {
            *count = count.saturating_add(1);
        }
    }

    fn area<'r>(&'r self, area: &Area<'a>, corners: &'r [Point]) -> AreaRow<'r> {
        let (version, extension) = (self.nav.version(), self.nav.extension());
        let shape = area.shape();
        let ([nw_x, nw_y, nw_z], [se_x, se_y, se_z]) = (shape.north_west(), shape.south_east());
        let [center_x, center_y, center_z] = shape.center();
        let [width, depth] = shape.extent();
        let side = |direction| Some(area.connections(direction).len() as u32);
        let place = area.place();
        let times = area.earliest_occupy_times();
        let light = area.light();
        let light = |corner: usize| light.map(|light| light[corner]);
        let has_approaches = version < 15 || extension == Extension::CounterStrikeGo;
        AreaRow {
            record_index: area.index(),
            id: area.id().get(),
            flags: area.attributes().bits().into(),
            nw_x,
            nw_y,
            nw_z: Some(nw_z),
            se_x,
            se_y,
            se_z: Some(se_z),
            ne_z: Some(shape.north_east_z()),
            sw_z: Some(shape.south_west_z()),
            center_x,
            center_y,
            center_z,
            width,
            depth,
            surface: shape.square_units(),
            north: side(Direction::North),
            east: side(Direction::East),
            south: side(Direction::South),
            west: side(Direction::West),
            hiding_spots: area.hiding_spot_count() as u8,
            encounter_paths: Some(area.encounter_path_count()),
            approaches: has_approaches.then(|| area.approaches().len() as u8),
            place_index: (version >= 5).then(|| place.map_or(0, |place| place.get())),
            place: place.and_then(|place| self.names.get(usize::from(place.get()) - 1)).map(|name| &**name),
            ladders_up: (version >= 7).then(|| area.ladders_up().len() as u32),
            ladders_down: (version >= 7).then(|| area.ladders_down().len() as u32),
            occupy_t0: times.map(|[first, _]| first),
            occupy_t1: times.map(|[_, second]| second),
            light_nw: light(0),
            light_ne: light(1),
            light_se: light(2),
            light_sw: light(3),
            visible: (version >= 16).then(|| area.visible_areas().len() as u32),
            inherit_id: area.inherits_visibility_from().map(|id| id.get()),
            game_flags: (area.tf_attributes().map(|flags| flags.bits()))
                .or_else(|| area.spawn_attributes().map(|flags| flags.bits()))
                .or_else(|| area.insurgency_attributes()),
            byte_offset: area.offset().into(),
            byte_len: area.end().saturating_sub(area.offset()),
            hull: None,
            corners: 4,
            connections: area.connection_count(),
            geometry: Some(Geometry::polygon(corners, Up::Z)),
        }
    }

    fn visibility(&self, area: &Area<'a>, out: &mut Sheet<'_>) {
        let src = area.id().get();
        for entry in area.visible_areas() {
            let (dst, dst_index) = match area.visible_target(entry) {
                VisibleTarget::Id(id) => (Some(id.get()), None),
                VisibleTarget::Index(index) => (self.ids().get(index as usize).copied(), Some(index)),
            };
            out.push(VisibilityRow {
                src_id: src,
                dst_id: dst,
                dst_index,
                visible: entry.visibility().bits(),
            });
        }
    }

    fn ids(&self) -> &[u32] {
        self.ids.get_or_init(|| self.nav.areas().map_while(Result::ok).map(|area| area.id().get()).collect())
    }

    fn mesh(&self, after: &Result<navmap_source::AfterAreas<'a>>) -> MeshRow<'_> {
        let (nav, counts) = (self.nav, &self.counts);
        let after = after.as_ref().ok();
        MeshRow {
            version: nav.version(),
            subversion: nav.subversion(),
            bsp_bytes: nav.bsp_size(),
            analyzed: nav.analyzed().map(|stored| stored != 0),
            has_unnamed_areas: nav.has_unnamed_areas().map(|stored| stored != 0),
            areas: counts.areas,
            ladders: after.map_or(0, |after| after.ladder_count() as u32),
            places: self.names.len() as u32,
            connections: counts.connections,
            hiding_spots: counts.hiding_spots,
            approaches: counts.approaches,
            encounter_paths: counts.encounter_paths,
            encounter_spots: counts.encounter_spots,
            ladder_links: counts.ladder_links,
            visible: counts.visible,
            population: self.population.as_deref(),
            visibility_range: after.and_then(|after| after.visibility_range()),
            stale_tail_bytes: after.map(|after| after.trailing().len() as u64),
        }
    }

    fn places(&self, out: &mut Sheet<'_>) {
        if let Some(of_place) = &self.of_place {
            for ((name, areas), place_index) in self.names.iter().zip(of_place).zip(1..=u16::MAX) {
                out.push(PlaceRow { place_index, name, areas: *areas });
            }
        }
    }
}

/// Connections wait for the end of the mesh if the one-way column is requested, because it needs all of them.
struct OneWay {
    waiting: Option<Vec<(u8, u32)>>,
    /// Area ids, and the start of their connections among the waiting ones.
    areas: Vec<(u32, u32)>,
    src: u32,
}

impl OneWay {
    fn new(connections: &Sheet<'_>) -> Self {
        Self { waiting: connections.wants("one_way").then(Vec::new), areas: Vec::new(), src: 0 }
    }

    fn area(&mut self, id: u32) {
        self.src = id;
        if let Some(waiting) = &self.waiting {
            self.areas.push((id, waiting.len() as u32));
        }
    }

    fn connection(&mut self, direction: Direction, dst: u32, out: &mut Sheet<'_>) {
        let direction = direction.stored() as u8;
        match &mut self.waiting {
            Some(waiting) => waiting.push((direction, dst)),
            None => out.push(ConnectionRow { src_id: self.src, direction, dst_id: dst, one_way: false }),
        }
    }

    fn finish(self, out: &mut Sheet<'_>) {
        let Some(waiting) = self.waiting else { return };
        let ends = self.areas.iter().skip(1).map(|(_, begin)| *begin).chain([waiting.len() as u32]);
        let spans = || self.areas.iter().zip(ends.clone());
        let span = |begin: u32, end: u32| waiting.get(begin as usize..end as usize).unwrap_or_default();
        // Ids are dense in nearly all files.
        let places: HashMap<u32, (u32, u32)> =
            spans().map(|((id, begin), end)| (*id, (*begin, end))).collect();
        let dense = self.areas.len().saturating_mul(4).max(1024);
        let mut table = vec![(0, 0); dense];
        for (id, place) in &places {
            if let Some(slot) = table.get_mut(*id as usize) {
                *slot = *place;
            }
        }
        let place = |id: u32| table.get(id as usize).copied().or_else(|| places.get(&id).copied());
        for ((src, begin), end) in spans() {
            for (direction, dst) in span(*begin, end) {
                let back = place(*dst).unwrap_or((0, 0));
                let one_way = !span(back.0, back.1).iter().any(|(_, to)| to == src);
                out.push(ConnectionRow { src_id: *src, direction: *direction, dst_id: *dst, one_way });
            }
        }
    }
}

fn push_spots(area: &Area<'_>, out: &mut Sheet<'_>) {
    let area_id = area.id().get();
    for (spot, old) in (0..=u8::MAX).zip(area.old_hiding_spots()) {
        let [x, y, z] = old.to_array();
        out.push(HidingSpotRow { area_id, spot, id: None, x, y, z, flags: None });
    }
    for (spot, hiding) in (0..=u8::MAX).zip(area.hiding_spots()) {
        let [x, y, z] = hiding.position();
        let (id, flags) = (Some(hiding.id().get()), Some(hiding.flags().bits()));
        out.push(HidingSpotRow { area_id, spot, id, x, y, z, flags });
    }
}

fn push_paths(area: &Area<'_>, paths: &mut Sheet<'_>, spots: &mut Sheet<'_>) {
    let area_id = area.id().get();
    for (encounter, path) in (0..).zip(area.encounter_paths()) {
        let ends = path.ends();
        let end = |at: usize, axis: usize| ends.map(|ends| ends[at][axis]);
        let (new, old) = (path.spots(), path.old_spots());
        paths.push(EncounterPathRow {
            area_id,
            encounter,
            src_id: path.from().get(),
            src_direction: path.from_direction_stored(),
            dst_id: path.to().get(),
            dst_direction: path.to_direction_stored(),
            src_x: end(0, 0),
            src_y: end(0, 1),
            src_z: end(0, 2),
            dst_x: end(1, 0),
            dst_y: end(1, 1),
            dst_z: end(1, 2),
            spots: new.len().saturating_add(old.len()) as u8,
        });
        if !spots.is_wanted() {
            continue;
        }
        for (spot, passed) in (0..=u8::MAX).zip(new) {
            spots.push(EncounterSpotRow {
                area_id,
                encounter,
                spot,
                hiding_spot_id: Some(passed.spot().get()),
                t: passed.t(),
                t_raw: Some(passed.t_stored()),
                x: None,
                y: None,
                z: None,
            });
        }
        for (spot, passed) in (0..=u8::MAX).zip(old) {
            let [x, y, z] = passed.position().map(Some);
            let t = passed.t();
            spots.push(EncounterSpotRow {
                area_id,
                encounter,
                spot,
                hiding_spot_id: None,
                t,
                t_raw: None,
                x,
                y,
                z,
            });
        }
    }
}

fn push_approaches(area: &Area<'_>, out: &mut Sheet<'_>) {
    let some = |id: navmap_source::AreaId| Some(id.get()).filter(|id| *id != 0);
    for (approach, stored) in (0..=u8::MAX).zip(area.approaches()) {
        out.push(ApproachRow {
            area_id: area.id().get(),
            approach,
            here_id: some(stored.here()),
            previous_id: some(stored.previous()),
            next_id: some(stored.next()),
            previous_how: stored.previous_to_here().0,
            next_how: stored.here_to_next().0,
        });
    }
}

/// A ladder's row, for any version of its record.
macro_rules! ladder_row {
    ($row:ident, $at:expr, $ladder:expr $(, $field:ident: $value:expr)*) => {{
        let ladder = $ladder;
        let ([top_x, top_y, top_z], [bottom_x, bottom_y, bottom_z]) = (ladder.top(), ladder.bottom());
        let some = |id: navmap_source::AreaId| Some(id.get()).filter(|id| *id != 0);
        $row {
            record_index: $at,
            id: ladder.id().get(),
            width: ladder.width(),
            length: ladder.length(),
            top_x,
            top_y,
            top_z,
            bottom_x,
            bottom_y,
            bottom_z,
            direction: ladder.direction_stored(),
            $($field: $value,)*
            top_forward_id: some(ladder.top_forward()),
            top_left_id: some(ladder.top_left()),
            top_right_id: some(ladder.top_right()),
            top_behind_id: some(ladder.top_behind()),
            bottom_id: some(ladder.bottom_area()),
        }
    }};
}
pub(super) use ladder_row;

fn push_ladders(after: &navmap_source::AfterAreas<'_>, out: &mut Sheet<'_>) {
    for (at, ladder) in (0..).zip(after.ladders()) {
        out.push(ladder_row!(LadderRow, at, ladder, dangling: None));
    }
    for (at, ladder) in (0..).zip(after.old_ladders()) {
        out.push(ladder_row!(LadderRow, at, ladder, dangling: Some(ladder.dangling() != 0)));
    }
}
