//! A mesh as data: `Serialize` for the views and their parts, walked lazily, never collected.

use super::after::AfterAreas;
use super::area::{Area, VisibleTarget};
use super::encounter::EncounterPath;
use super::flags::{Direction, Traverse};
use super::record::{AreaId, EncounterSpot, Ladder, LadderId, OldLadder, Vec3, VisibleArea};
use super::view::{Place, SourceNav};
use navmap_core::error::{Error, Result};
use navmap_core::format::{LadderRecord, LadderRecords, NodeRecords, chosen, span};
use navmap_core::graph::Point;
use navmap_core::stream::List;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::cell::RefCell;

/// Implements `Serialize` as a map of named values.
macro_rules! object {
    ($type:ty, $this:ident => { $($key:ident: $value:expr,)* }) => {
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeMap;
                let $this = self;
                let mut map = serializer.serialize_map(None)?;
                $(map.serialize_entry(stringify!($key), &$value)?;)*
                map.end()
            }
        }
    };
}
pub(super) use object;

impl Serialize for Direction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The name, or the number if it has none.
impl Serialize for Traverse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.name() {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_u8(self.0),
        }
    }
}

/// A side as its name, or the number if it has none.
struct Side(u32);

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Direction::from_stored(self.0) {
            Some(direction) => direction.serialize(serializer),
            None => serializer.serialize_u32(self.0),
        }
    }
}

impl Serialize for Vec3 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_array().serialize(serializer)
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_str())
    }
}

object! { EncounterSpot, spot => {
    spot: spot.spot(),
    t: spot.t(),
}}

object! { EncounterPath<'_>, path => {
    from: path.from(),
    from_direction: path.from_direction_stored().map(|side| Side(side.into())),
    to: path.to(),
    to_direction: path.to_direction_stored().map(|side| Side(side.into())),
    ends: path.ends(),
    spots: path.spots(),
    old_spots: path.old_spots(),
}}

object! { Ladder, ladder => {
    id: ladder.id(),
    width: ladder.width(),
    top: ladder.top(),
    bottom: ladder.bottom(),
    length: ladder.length(),
    direction: Side(ladder.direction_stored()),
    dangling: None::<u8>,
    top_forward: ladder.top_forward(),
    top_left: ladder.top_left(),
    top_right: ladder.top_right(),
    top_behind: ladder.top_behind(),
    bottom_area: ladder.bottom_area(),
}}

object! { OldLadder, ladder => {
    id: ladder.id(),
    width: ladder.width(),
    top: ladder.top(),
    bottom: ladder.bottom(),
    length: ladder.length(),
    direction: Side(ladder.direction_stored()),
    dangling: Some(ladder.dangling()),
    top_forward: ladder.top_forward(),
    top_left: ladder.top_left(),
    top_right: ladder.top_right(),
    top_behind: ladder.top_behind(),
    bottom_area: ladder.bottom_area(),
}}

/// Connections by side.
struct Connections<'c, 'a>(&'c Area<'a>);

impl Serialize for Connections<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_map(Direction::ALL.map(|direction| (direction.name(), self.0.connections(direction))))
    }
}

/// `{"area": id, "visibility": bits}`, or `index` instead of `area` in Left 4 Dead (2).
struct Visible<'c, 'a>(&'c Area<'a>, &'a VisibleArea);

impl Serialize for Visible<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        match self.0.visible_target(self.1) {
            VisibleTarget::Id(id) => map.serialize_entry("area", &id)?,
            VisibleTarget::Index(index) => map.serialize_entry("index", &index)?,
        }
        map.serialize_entry("visibility", &self.1.visibility().bits())?;
        map.end()
    }
}

impl Serialize for Area<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", &self.index())?;
        map.serialize_entry("offset", &self.offset())?;
        map.serialize_entry("id", &self.id())?;
        match self.l4d_attributes() {
            Some(attributes) => map.serialize_entry("attributes", &attributes)?,
            None => map.serialize_entry("attributes", &self.attributes())?,
        }
        map.serialize_entry("corners", &self.corners())?;
        map.serialize_entry("connections", &Connections(self))?;
        map.serialize_entry("hiding_spots", self.hiding_spots())?;
        map.serialize_entry("old_hiding_spots", self.old_hiding_spots())?;
        map.serialize_entry("approach_areas", self.approaches())?;
        map.serialize_entry("encounter_paths", &List(|| self.encounter_paths()))?;
        map.serialize_entry("place", &self.place())?;
        map.serialize_entry("ladders_up", self.ladders_up())?;
        map.serialize_entry("ladders_down", self.ladders_down())?;
        map.serialize_entry("earliest_occupy_times", &self.earliest_occupy_times())?;
        map.serialize_entry("light", &self.light())?;
        map.serialize_entry("spawn_attributes", &self.spawn_attributes())?;
        map.serialize_entry("unknown_after_spawn_attributes", &self.unknown_after_spawn_attributes())?;
        let visible = || self.visible_areas().iter().map(|entry| Visible(self, entry));
        map.serialize_entry("visible_areas", &List(visible))?;
        map.serialize_entry("inherits_visibility_from", &self.inherits_visibility_from())?;
        map.serialize_entry("tf_attributes", &self.tf_attributes())?;
        map.serialize_entry("insurgency_attributes", &self.insurgency_attributes())?;
        map.end()
    }
}

/// The areas, up to the end or to the first unreadable one. `after` receives the part after them.
struct Areas<'c, 'a> {
    nav: &'c SourceNav<'a>,
    after: &'c RefCell<Option<Result<AfterAreas<'a>>>>,
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

/// The text of an error, for the field of that name.
pub(super) fn message(error: Error) -> String {
    error.without_file().to_string()
}

/// Everything in the file, streamed: areas are walked while they are written. Fields missing in a version are null or empty. If
/// the file cannot be read to its end, the list ends and the last field, `error`, says why; otherwise `error` is null.
impl Serialize for SourceNav<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let after = RefCell::new(None);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", &self.version())?;
        map.serialize_entry("subversion", &self.subversion())?;
        map.serialize_entry("game", &self.game())?;
        map.serialize_entry("bsp_size", &self.bsp_size())?;
        map.serialize_entry("analyzed", &self.analyzed())?;
        map.serialize_entry("places", &List(|| self.places()))?;
        map.serialize_entry("has_unnamed_areas", &self.has_unnamed_areas())?;
        map.serialize_entry("default_population", &self.default_population().map(String::from_utf8_lossy))?;
        map.serialize_entry("unknown_after_population", &self.unknown_after_population())?;
        map.serialize_entry("area_count", &self.area_count())?;
        map.serialize_entry("areas", &Areas { nav: self, after: &after })?;
        let (after, error) = match after.into_inner() {
            Some(Ok(after)) => (Some(after), None),
            Some(Err(error)) => (None, Some(message(error))),
            None => (None, None),
        };
        let ladders = || after.iter().flat_map(AfterAreas::ladders);
        let old_ladders = || after.iter().flat_map(AfterAreas::old_ladders);
        match self.version() {
            6 => map.serialize_entry("ladders", &List(old_ladders))?,
            _ => map.serialize_entry("ladders", &List(ladders))?,
        }
        map.serialize_entry("visibility_range", &after.as_ref().and_then(AfterAreas::visibility_range))?;
        map.serialize_entry("end", &after.as_ref().map(AfterAreas::trailing_offset))?;
        map.serialize_entry("trailing_bytes", &after.as_ref().map(|after| after.trailing().len()))?;
        map.serialize_entry("error", &error)?;
        map.end()
    }
}

/// What all ladders have, of one.
pub(super) fn climb(id: LadderId, ends: [[f32; 3]; 2], areas: &[AreaId]) -> LadderRecord {
    let nodes = areas.iter().map(|area| area.get().into()).collect();
    LadderRecord { id: id.get().into(), ends: ends.map(Point::from), nodes }
}

impl SourceNav<'_> {
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
        // Two types of records, with getters of the same names.
        macro_rules! tell {
            ($ladders:expr) => {
                for (ladder, at) in $ladders.iter().zip(0..) {
                    let nodes = ladder.areas().map(|(_, area)| area);
                    let climb = climb(ladder.id(), [ladder.bottom(), ladder.top()], &nodes);
                    each.ladder(climb, lie(at, size_of_val(ladder)), ladder);
                }
            };
        }
        tell!(after.ladders());
        tell!(after.old_ladders());
        Ok(())
    }
}
