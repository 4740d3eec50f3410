//! One version of waypoints of several.

use super::editor::RcbotEditor;
use crate::buf::{RcbotBuf, WaypointBuf};
use crate::layout::Layout;
use navmap_core::edit::listed::{self, Listed, Tie};
use navmap_core::edit::{Changes, Matching, Merger, Unreached, Value, Values, Version};
use navmap_core::error::Result;
use navmap_core::graph::FlatGraph;

/// Waypoints as one version of several.
#[derive(Debug)]
pub struct RcbotVersion(pub(super) RcbotBuf);

impl RcbotVersion {
    fn changes(&self, after: &Self, pairs: &[(u32, u32)]) -> Result<Changes> {
        let changes = listed::difference(&self.0, &after.0, pairs);
        changes.proven(RcbotEditor::new(self.0.clone()), &after.0.encode()?)
    }
}

impl Version for RcbotVersion {
    const MERGE: Option<Merger<Self>> = Some(|base, [ours, theirs], matched| {
        let mut merge = listed::merge(&base.0, [&ours.0, &theirs.0], matched);
        let [_, to_theirs] = matched;
        merge.changes.unreached = base.changes(theirs, to_theirs)?.unreached;
        Ok(merge)
    });

    fn difference(
        &self,
        after: &Self,
        [before, now]: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Result<Changes> {
        self.changes(after, &matching.pairs(before, now))
    }
}

impl RcbotBuf {
    fn waypoint(&self, slot: u32) -> Option<&WaypointBuf> {
        self.waypoints.get(slot as usize).filter(|point| point.used != 0)
    }
}

impl Listed for RcbotBuf {
    const WHOLE: &'static [&'static str] = &["version", "map and authors"];

    fn slots(&self) -> u32 {
        self.waypoints.len() as u32
    }

    fn is_used(&self, slot: u32) -> bool {
        self.waypoint(slot).is_some()
    }

    fn note(&self, after: &Self, unreached: &mut Unreached) {
        unreached.note("version", self.version != after.version);
        let head = |buf: &Self| (buf.magic, buf.map, buf.flags, buf.authors, buf.trailing.clone());
        unreached.note("map and authors", head(self) != head(after));
    }

    fn values(&self, was: Option<u32>, after: &Self, is: u32, unreached: &mut Unreached) -> Values {
        let Some(now) = after.waypoint(is) else { return Values::new() };
        let old = was.and_then(|was| self.waypoint(was));
        let numbers = |point: &WaypointBuf| [point.origin.as_slice(), &[point.radius]].concat();
        let had = old.map(numbers).unwrap_or_default();
        let differs = |(at, is): (usize, &f32)| had.get(at).is_none_or(|was| was.to_bits() != is.to_bits());
        let strays = numbers(now).iter().enumerate().any(|each| !each.1.is_finite() && differs(each));
        unreached.note("values that are no numbers", strays);
        values(old, now, Layout::for_version(self.version))
    }

    fn ties(&self, slot: u32) -> Vec<Tie> {
        let tie = |to: &i32| u32::try_from(*to).map_or(Tie::Nowhere(i64::from(*to)), Tie::To);
        self.waypoint(slot).map_or_else(Vec::new, |point| point.targets.iter().map(tie).collect())
    }
}

/// The values of a waypoint that are not those of `was`, or not those of a new one.
fn values(was: Option<&WaypointBuf>, is: &WaypointBuf, layout: Layout) -> Values {
    let bare = WaypointBuf::new([0.0; 3], Default::default());
    let from = was.unwrap_or(&bare);
    let mut values = Values::new();
    let mut set = |key: &'static str, differs: bool, text: String| {
        if differs {
            values.insert(key, Value::Text(text));
        }
    };
    let [x, y, z] = is.origin;
    let moved = from.origin.map(f32::to_bits) != is.origin.map(f32::to_bits);
    let whole = is.origin.iter().all(|value| value.is_finite());
    set("Origin", whole && (was.is_none() || moved), format!("{x},{y},{z}"));
    set("Yaw", from.yaw != is.yaw, is.yaw.to_string());
    set("Flags", from.flags != is.flags, is.flags.0.to_string());
    set("Area", layout.area && from.area != is.area, is.area.to_string());
    let wider = from.radius.to_bits() != is.radius.to_bits() && is.radius.is_finite();
    set("Radius", layout.radius && wider, is.radius.to_string());
    values
}
