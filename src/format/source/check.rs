//! What is odd in a mesh: ids that lead nowhere, shapes without a surface, bytes that should not be there.

#![forbid(unsafe_code)]

use super::area::{Area, VisibleTarget};
use super::flags::Direction;
use super::index::AreaIndex;
use super::record::{AreaId, HidingSpotId, LadderId};
use super::view::SourceNav;
use crate::error::Result;
use crate::finding::{Finding, Severity};
use Severity::{Error, Info, Warning};

type Found<'f> = dyn FnMut(Finding) + 'f;

/// All findings, area by area.
pub(super) fn check(nav: &SourceNav<'_>, found: &mut Found<'_>) -> Result<()> {
    let index = match AreaIndex::build(nav) {
        Ok(index) => index,
        Err(error) => {
            // Which ids exist is not known; what an area says of itself is.
            for area in nav.areas().map_while(Result::ok) {
                Checker { nav, area, found }.itself();
            }
            return Err(error);
        }
    };
    let known = Known::gather(&index);
    for area in index.iter() {
        let mut checker = Checker { nav, area, found };
        checker.itself();
        checker.identity(&index);
        checker.connections(&known, &index);
        checker.hiding_spots(&known);
        checker.approaches(&index);
        checker.encounters(&known, &index);
        checker.ladders(&known);
        checker.visibility(&known, &index);
    }
    ladders(&index, &known, found);
    nav.remark(index.after_areas(), found);
    Ok(())
}

/// Everything that references are looked up in, sorted.
struct Known {
    /// Owner, direction, target.
    connections: Vec<(u32, Direction, u32)>,
    hiding_spots: Vec<(HidingSpotId, u32)>,
    ladders: Vec<(LadderId, u32)>,
    /// Whether an area inherits visibility, by position.
    inherits: Vec<bool>,
}

impl Known {
    fn gather(index: &AreaIndex<'_>) -> Self {
        let (mut connections, mut hiding_spots) = (Vec::new(), Vec::new());
        let mut inherits = Vec::with_capacity(index.len());
        for area in index.iter() {
            let id = area.id().get();
            connections
                .extend(area.all_connections().map(|(direction, target)| (id, direction, target.get())));
            inherits.push(area.inherits_visibility_from().is_some());
            hiding_spots.extend(area.hiding_spots().iter().map(|spot| (spot.id(), area.index())));
        }
        let after = index.after_areas();
        let ladders = after.ladders().iter().map(|ladder| ladder.id());
        let old_ladders = after.old_ladders().iter().map(|ladder| ladder.id());
        let mut ladders: Vec<_> = ladders.chain(old_ladders).zip(0..).collect();
        connections.sort_unstable();
        hiding_spots.sort_unstable();
        ladders.sort_unstable();
        Self { connections, hiding_spots, ladders, inherits }
    }

    fn leads_back(&self, from: AreaId, direction: Direction, to: AreaId) -> bool {
        self.connections.binary_search(&(to.get(), direction.opposite(), from.get())).is_ok()
    }

    /// An area that has a hiding spot of this id besides the one that `mine` has; `mine` itself if it has two.
    fn other_owner(&self, id: HidingSpotId, mine: u32) -> Option<u32> {
        let at = self.hiding_spots.partition_point(|(other, _)| *other < id);
        let same = self.hiding_spots.get(at..)?.iter().take_while(|(other, _)| *other == id);
        // The least owner, or the second where that is `mine`.
        let mut owners = same.map(|(_, owner)| *owner).take(2);
        owners.next().filter(|owner| *owner != mine).or_else(|| owners.next())
    }

    fn has_hiding_spot(&self, id: HidingSpotId) -> bool {
        first(&self.hiding_spots, id).is_some()
    }

    fn has_ladder(&self, id: LadderId) -> bool {
        first(&self.ladders, id).is_some()
    }
}

/// The least owner of an id.
fn first<T: Ord + Copy>(sorted: &[(T, u32)], id: T) -> Option<u32> {
    let at = sorted.partition_point(|(other, _)| *other < id);
    sorted.get(at).filter(|(other, _)| *other == id).map(|(_, owner)| *owner)
}

struct Checker<'c, 'a, 'f> {
    nav: &'c SourceNav<'a>,
    area: Area<'a>,
    found: &'c mut Found<'f>,
}

impl Checker<'_, '_, '_> {
    #[cold]
    fn report(&mut self, severity: Severity, code: &'static str, at: u32, what: String) {
        let finding = Finding::new(severity, code, what);
        (self.found)(finding.at(u64::from(at)).in_record("area", u64::from(self.area.index())));
    }

    /// What needs no other area.
    fn itself(&mut self) {
        let area = self.area;
        let shape = area.shape();
        let at = area.offset().saturating_add(self.nav.layout().shape_at() as u32);
        if !area.corners().iter().flatten().all(|value| value.is_finite()) {
            self.report(Error, "non-finite-coordinate", at, "a corner is not a finite number".to_owned());
        } else if shape.is_degenerate() {
            let [x, y] = shape.extent();
            self.report(Warning, "degenerate-area", at, format!("{x} by {y} units: no surface"));
        }
        let places = self.nav.places().len();
        if let Some(place) = area.place()
            && usize::from(place.get()) > places
        {
            let what = format!("place {place} of {places}");
            self.report(Error, "place-out-of-range", area.spans().place, what);
        }
    }

    fn identity(&mut self, index: &AreaIndex<'_>) {
        let (id, at) = (self.area.id(), self.area.offset());
        if id.get() == 0 {
            self.report(Warning, "zero-area-id", at, "the id is 0, which means \"no area\"".to_owned());
        }
        if let Some(first) = index.position(id).filter(|first| *first as u64 != u64::from(self.area.index()))
        {
            let what = format!("id {id} is also that of area {first}");
            self.report(Error, "duplicate-area-id", at, what);
        }
    }

    fn connections(&mut self, known: &Known, index: &AreaIndex<'_>) {
        let id = self.area.id();
        for (direction, start) in Direction::ALL.into_iter().zip(self.area.spans().connections) {
            for (i, target) in self.area.connections(direction).iter().enumerate() {
                let (severity, code, what) = if *target == id {
                    (Warning, "self-connection", "connected to itself".to_owned())
                } else if index.position(*target).is_none() {
                    let what = format!("connected {direction} to area id {target}, which does not exist");
                    (Error, "dangling-connection", what)
                } else if !known.leads_back(id, direction, *target) {
                    let what = format!("one way {direction} to area id {target}");
                    (Info, "one-way-connection", what)
                } else {
                    continue;
                };
                self.report(severity, code, nth(start, 4, 4, i), what);
            }
        }
    }

    fn hiding_spots(&mut self, known: &Known) {
        let start = self.area.spans().hiding_spots;
        let mine = self.area.index();
        for (i, spot) in self.area.hiding_spots().iter().enumerate() {
            let (id, at) = (spot.id(), nth(start, 1, 17, i));
            if let Some(owner) = known.other_owner(id, mine).filter(|_| id.get() != 0) {
                let what = format!("hiding spot id {id} is also one of area {owner}");
                self.report(Warning, "duplicate-hiding-spot-id", at, what);
            }
            self.finite(spot.position(), at);
        }
        for (i, position) in self.area.old_hiding_spots().iter().enumerate() {
            self.finite(position.to_array(), nth(start, 1, 12, i));
        }
    }

    fn finite(&mut self, position: [f32; 3], at: u32) {
        if !position.iter().all(|value| value.is_finite()) {
            let what = "the position of a hiding spot is not finite".to_owned();
            self.report(Error, "non-finite-coordinate", at, what);
        }
    }

    fn approaches(&mut self, index: &AreaIndex<'_>) {
        let spans = self.area.spans();
        let in_middle = self.nav.layout().has_middle_approaches();
        let start = if in_middle { spans.middle_approaches } else { spans.tail };
        for (i, approach) in self.area.approaches().iter().enumerate() {
            let ids =
                [("here", approach.here()), ("previous", approach.previous()), ("next", approach.next())];
            for (role, id) in ids {
                if id.get() != 0 && index.position(id).is_none() {
                    let what = format!("approach area {i}: {role} is area id {id}, which does not exist");
                    self.report(Warning, "dangling-approach", nth(start, 1, 14, i), what);
                }
            }
        }
    }

    fn encounters(&mut self, known: &Known, index: &AreaIndex<'_>) {
        let mut at = self.area.spans().paths.saturating_add(4);
        for (i, path) in self.area.encounter_paths().enumerate() {
            for (role, id) in [("from", path.from()), ("to", path.to())] {
                if index.position(id).is_none() {
                    let what = format!("encounter path {i} leads {role} area id {id}, which does not exist");
                    self.report(Warning, "dangling-encounter-path", at, what);
                }
            }
            for (side, stored) in [("from", path.from_direction_stored()), ("to", path.to_direction_stored())]
            {
                if let Some(stored) =
                    stored.filter(|stored| Direction::from_stored((*stored).into()).is_none())
                {
                    let what = format!("encounter path {i}: the {side} direction is {stored}, of 0 to 3");
                    self.report(Warning, "encounter-direction", at, what);
                }
            }
            for (j, spot) in path.spots().iter().enumerate() {
                let id = spot.spot();
                if id.get() == 0 || known.has_hiding_spot(id) {
                    continue;
                }
                let what = format!("encounter path {i} passes hiding spot id {id}, which does not exist");
                self.report(Warning, "dangling-encounter-spot", nth(at, 11, 5, j), what);
            }
            at = at.saturating_add(path.stored_len());
        }
    }

    fn ladders(&mut self, known: &Known) {
        let spans = *self.area.spans();
        let lists = [
            ("up", spans.ladders_up, self.area.ladders_up()),
            ("down", spans.ladders_down, self.area.ladders_down()),
        ];
        for (way, start, list) in lists {
            for (i, id) in list.iter().enumerate().filter(|(_, id)| !known.has_ladder(**id)) {
                let what = format!("{way} ladder id {id}, which does not exist");
                self.report(Error, "dangling-ladder", nth(start, 4, 4, i), what);
            }
        }
    }

    fn visibility(&mut self, known: &Known, index: &AreaIndex<'_>) {
        let spans = *self.area.spans();
        for (i, entry) in self.area.visible_areas().iter().enumerate() {
            let what = match self.area.visible_target(entry) {
                VisibleTarget::Id(id) if index.position(id).is_none() => {
                    format!("sees area id {id}, which does not exist")
                }
                VisibleTarget::Index(to) if to as usize >= index.len() => {
                    format!("sees area {to} of {}", index.len())
                }
                _ => continue,
            };
            self.report(Warning, "dangling-visible-area", nth(spans.visible, 4, 5, i), what);
        }
        let Some(anchor) = self.area.inherits_visibility_from() else { return };
        match index.position(anchor) {
            None => {
                let what = format!("inherits visibility from area id {anchor}, which does not exist");
                self.report(Warning, "dangling-inherited-visibility", spans.inherit, what);
            }
            Some(position) if position as u64 == u64::from(self.area.index()) => {
                let what = "inherits visibility from itself".to_owned();
                self.report(Warning, "self-inherited-visibility", spans.inherit, what);
            }
            Some(position) if known.inherits.get(position) == Some(&true) => {
                let what = format!(
                    "inherits visibility from area id {anchor}, which inherits too: one level counts"
                );
                self.report(Warning, "chained-visibility", spans.inherit, what);
            }
            Some(_) => {}
        }
    }
}

/// Where entry `i` of a list begins: `before` bytes for its count, `size` bytes an entry.
fn nth(start: u32, before: u32, size: u32, i: usize) -> u32 {
    start.saturating_add(before).saturating_add(size.saturating_mul(i as u32))
}

fn ladders(index: &AreaIndex<'_>, known: &Known, found: &mut Found<'_>) {
    let after = index.after_areas();
    let new = after.ladders().iter().map(|l| (l.id(), l.direction_stored(), l.areas()));
    let old = after.old_ladders().iter().map(|l| (l.id(), l.direction_stored(), l.areas()));
    let size = if after.old_ladders().is_empty() { 60 } else { 61 };
    for (i, (id, direction, areas)) in new.chain(old).enumerate() {
        let at = u64::from(nth(after.offset(), 4, size, i));
        let mut report = |severity, code, what: String| {
            found(Finding::new(severity, code, what).at(at).in_record("ladder", i as u64));
        };
        if let Some(first) = first(&known.ladders, id).filter(|first| *first as usize != i) {
            report(Error, "duplicate-ladder-id", format!("id {id} is also that of ladder {first}"));
        }
        if Direction::from_stored(direction).is_none() {
            report(Warning, "ladder-direction", format!("faces direction {direction}, of 0 to 3"));
        }
        for (end, area) in areas {
            if area.get() != 0 && index.position(area).is_none() {
                let what = format!("{end} is area id {area}, which does not exist");
                report(Error, "dangling-ladder-area", what);
            }
        }
    }
}
