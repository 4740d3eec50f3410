//! Finds what is odd in a mesh: dangling ids, shapes without area, unexpected bytes.

mod known;
pub(super) mod values;

use super::area::Area;
use super::climb::Climbs;
use super::flags::{Direction, Extension, Visibility};
use super::graph::rise;
use super::index::AreaIndex;
use super::record::{AreaId, VisibleArea};
use super::view::SourceNav;
use Severity::{Error, Info, Warning};
use known::Known;
use navmap_core::error::Result;
use navmap_core::graph::{About, LinkCheck, Point, Shape};
use navmap_core::{Finding, Severity};
use values::Repeats;

/// The highest ledge that a crouch-jump takes in any of the games, in units: 58 in Counter-Strike, 64 elsewhere.
pub(super) const CROUCH_JUMP: f32 = 64.0;

type Sink<'f> = dyn FnMut(Finding) + 'f;

/// All findings, area by area.
pub(super) fn check(nav: &SourceNav<'_>, found: &mut Sink<'_>) -> Result<()> {
    let mut known = Known::default();
    let index = match AreaIndex::build_with(nav, |area| known.add(area)) {
        Ok(index) => index,
        Err(error) => {
            // Without an index the existing ids are unknown, but each area can still be checked by itself.
            for area in nav.areas().map_while(Result::ok) {
                Checker { nav, area, found }.itself(Seen::default());
            }
            return Err(error);
        }
    };
    values::head(nav, found);
    let known = known.finish(&index);
    let node_of = |id: AreaId| index.position(id).map(|position| position as u32);
    let climbs = Climbs::of(index.after_areas()).between(known.listed(), node_of);
    let twins = values::twins(&index);
    let (mut repeats, mut links) = (Repeats::default(), LinkCheck::default());
    let mut areas = nav.areas();
    loop {
        // Paths are most of a mesh of CS:GO and nearly all are sound, so they are tested while their area is measured.
        let mut sound = true;
        let area = areas.next_with_paths(|path| sound &= known.is_sound(&path));
        let Some(Ok(area)) = area else { break };
        let seen = Seen::of(area.visible_areas(), nav.extension(), &known, index.len());
        let mut checker = Checker { nav, area, found };
        checker.itself(seen);
        checker.identity(&index);
        checker.twin(&twins, &index);
        checker.connections(&known, &index, &climbs, &mut links);
        checker.repeats(&mut repeats);
        checker.hiding_spots(&known);
        checker.approaches(&known);
        if !sound {
            checker.encounters(&known);
        }
        checker.ladders(&known);
        if !seen.exist {
            checker.visible_areas(&known, index.len());
        }
        checker.inherited(&known, &index);
    }
    ladders(&index, &known, found);
    nav.remark(index.after_areas(), found);
    // If the bytes have changed since, the walk ended early, and links are missing.
    if areas.index() as usize == index.len() {
        links.report("area", &|node| about(&index, node), found);
    }
    Ok(())
}

/// An area as a node of the graph.
fn about(index: &AreaIndex<'_>, node: u32) -> About {
    let Some(area) = index.get(node as usize) else { return About::default() };
    let corners = area.corners().map(Point::from);
    About {
        offset: Some(area.offset().into()),
        id: Some(area.id().get().into()),
        place: Shape::Polygon(&corners).center().map(|center| center.to_array()),
    }
}

/// What one pass over the visible areas of an area has seen of them: all of a mesh of Team Fortress 2 but a tenth are such entries, and
/// nearly all are sound, so they are gone through again only if one is not.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// Whether all of them exist.
    exist: bool,
    /// Whether all their bits have a name.
    named: bool,
}

impl Seen {
    /// Reads each entry once, and takes no branch: what they are is told by all together. By itself, so that what it counts with
    /// stays in registers.
    #[inline(never)]
    fn of(list: &[VisibleArea], extension: Extension, known: &Known, areas: usize) -> Self {
        let (mut bits, mut exist) = (0, true);
        match extension {
            Extension::LeftForDead => {
                for entry in list {
                    bits |= entry.visibility().bits();
                    exist &= (entry.target() as usize) < areas;
                }
            }
            _ => {
                for entry in list {
                    bits |= entry.visibility().bits();
                    exist &= known.has_area(AreaId::new(entry.target()));
                }
            }
        }
        Self { exist, named: Visibility(bits).unnamed() == 0 }
    }
}

struct Checker<'c, 'a, 'f> {
    nav: &'c SourceNav<'a>,
    area: Area<'a>,
    found: &'c mut Sink<'f>,
}

impl Checker<'_, '_, '_> {
    #[cold]
    fn report(&mut self, severity: Severity, code: &'static str, at: u32, what: String) {
        let finding = Finding::new(severity, code, what);
        let finding = finding.at(u64::from(at)).in_record("area", u64::from(self.area.index()));
        let finding = finding.with_id(self.area.id().get());
        (self.found)(finding.placed(self.area.shape().center()));
    }

    /// Checks that need no other area.
    fn itself(&mut self, seen: Seen) {
        let area = self.area;
        let shape = area.shape();
        let at = area.offset().saturating_add(self.nav.layout().shape_at() as u32);
        let within = values::is_within_world(shape);
        if !within && !area.corners().iter().flatten().all(|value| value.is_finite()) {
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
        self.values(within);
        if !seen.named {
            self.visible_bits();
        }
    }

    fn identity(&mut self, index: &AreaIndex<'_>) {
        let (id, at) = (self.area.id(), self.area.offset());
        if id.get() == 0 {
            self.report(Warning, "zero-area-id", at, "the id is 0, which means \"no area\"".to_owned());
        }
        if let Some(first) = index.position(id).filter(|first| *first as u64 != u64::from(self.area.index()))
        {
            let what = format!("#{id} is also record {first}");
            self.report(Error, "duplicate-area-id", at, what);
        }
    }

    /// Checks connections, and adds them and ladders to the links of the graph. `climbs` are the areas that ladders lead from and to, by
    /// position, sorted.
    fn connections(
        &mut self,
        known: &Known,
        index: &AreaIndex<'_>,
        climbs: &[(u32, u32)],
        links: &mut LinkCheck,
    ) {
        let (id, node) = (self.area.id(), self.area.index());
        links.node();
        let first = climbs.partition_point(|(from, _)| *from < node);
        let own = climbs.iter().skip(first).take_while(|(from, _)| *from == node);
        own.for_each(|(_, to)| links.link(*to));
        // A ladder back counts as a way back, as in the statistics of the graph.
        let climbs = |from: usize| climbs.binary_search(&(from as u32, node)).is_ok();
        for (direction, start) in Direction::ALL.into_iter().zip(self.area.spans().connections) {
            for (i, target) in self.area.connections(direction).iter().enumerate() {
                let position = index.position(*target);
                if let Some(to) = position {
                    links.link(to as u32);
                }
                let (severity, code, what) = match position {
                    _ if *target == id => (Warning, "self-connection", "connected to itself".to_owned()),
                    None => {
                        let what = format!("connected {direction} to #{target}, which does not exist");
                        (Error, "dangling-connection", what)
                    }
                    Some(position) if !known.leads_back(id, (*target, position)) && !climbs(position) => {
                        let drop =
                            index.shape(position).map_or(0.0, |to| -rise(self.area.shape(), to, direction));
                        if drop > CROUCH_JUMP {
                            let what = format!("drops {drop} units {direction} to #{target}");
                            (Info, "one-way-drop", what)
                        } else {
                            (Info, "one-way-connection", format!("one way {direction} to #{target}"))
                        }
                    }
                    Some(_) => continue,
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
                let what = format!("hiding spot id {id} is also one of #{owner}");
                self.report(Warning, "duplicate-hiding-spot-id", at, what);
            }
            self.placed(spot.position(), at);
        }
        for (i, position) in self.area.old_hiding_spots().iter().enumerate() {
            self.placed(position.to_array(), nth(start, 1, 12, i));
        }
    }

    fn placed(&mut self, position: [f32; 3], at: u32) {
        if position.iter().all(|value| value.is_finite()) {
            self.inside(position, at);
        } else {
            let what = "the position of a hiding spot is not finite".to_owned();
            self.report(Error, "non-finite-coordinate", at, what);
        }
    }

    fn approaches(&mut self, known: &Known) {
        let spans = self.area.spans();
        let in_middle = self.nav.layout().has_middle_approaches();
        let start = if in_middle { spans.middle_approaches } else { spans.tail };
        for (i, approach) in self.area.approaches().iter().enumerate() {
            let ids =
                [("here", approach.here()), ("previous", approach.previous()), ("next", approach.next())];
            for (role, id) in ids {
                if id.get() != 0 && !known.has_area(id) {
                    let what = format!("approach area {i}: {role} is #{id}, which does not exist");
                    self.report(Warning, "dangling-approach", nth(start, 1, 14, i), what);
                }
            }
            for (role, how, end) in [
                ("previous to here", approach.previous_to_here(), approach.previous()),
                ("here to next", approach.here_to_next(), approach.next()),
            ] {
                if how.name().is_none() && end.get() != 0 {
                    let what = format!("approach area {i}: {role} is way {how}, of 0 to 8");
                    self.report(Warning, "approach-way", nth(start, 1, 14, i), what);
                }
            }
        }
    }

    fn encounters(&mut self, known: &Known) {
        let mut at = self.area.spans().paths.saturating_add(4);
        for (i, path) in self.area.encounter_paths().enumerate() {
            for (role, id) in [("from", path.from()), ("to", path.to())] {
                if !known.has_area(id) {
                    let what = format!("encounter path {i} leads {role} #{id}, which does not exist");
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
                if known.has_spot_of_path(id) {
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
                let what = format!("{way} L#{id}, which does not exist");
                self.report(Error, "dangling-ladder", nth(start, 4, 4, i), what);
            }
        }
    }

    /// Reports those that do not exist.
    #[cold]
    fn visible_areas(&mut self, known: &Known, areas: usize) {
        let start = self.area.spans().visible;
        let by_record = self.nav.extension() == Extension::LeftForDead;
        for (i, entry) in self.area.visible_areas().iter().enumerate() {
            let to = entry.target();
            let what = match by_record {
                true if to as usize >= areas => format!("sees record {to} of {areas}"),
                false if !known.has_area(AreaId::new(to)) => format!("sees #{to}, which does not exist"),
                _ => continue,
            };
            self.report(Warning, "dangling-visible-area", nth(start, 4, 5, i), what);
        }
    }

    fn inherited(&mut self, known: &Known, index: &AreaIndex<'_>) {
        let spans = *self.area.spans();
        let Some(anchor) = self.area.inherits_visibility_from() else { return };
        match index.position(anchor) {
            None => {
                let what = format!("inherits visibility from #{anchor}, which does not exist");
                self.report(Warning, "dangling-inherited-visibility", spans.inherit, what);
            }
            Some(position) if position as u64 == u64::from(self.area.index()) => {
                let what = "inherits visibility from itself".to_owned();
                self.report(Warning, "self-inherited-visibility", spans.inherit, what);
            }
            Some(position) if known.inherits(position) => {
                let what =
                    format!("inherits visibility from #{anchor}, which inherits too: one level counts");
                self.report(Warning, "chained-visibility", spans.inherit, what);
            }
            Some(_) => {}
        }
    }
}

/// The offset of entry `i` of a list: `before` bytes for its count, `size` bytes per entry.
fn nth(start: u32, before: u32, size: u32, i: usize) -> u32 {
    start.saturating_add(before).saturating_add(size.saturating_mul(i as u32))
}

fn ladders(index: &AreaIndex<'_>, known: &Known, found: &mut Sink<'_>) {
    let after = index.after_areas();
    if let Some(range) = after.visibility_range().filter(|range| !range.is_finite()) {
        let at = u64::from(after.trailing_offset()).saturating_sub(4);
        let what = format!("the visibility range is {range}");
        found(Finding::new(Warning, "non-finite-value", what).at(at));
    }
    macro_rules! parts {
        ($list:expr) => {
            $list.iter().map(|l| {
                let sizes = ([l.width(), l.length()], [l.top(), l.bottom()]);
                (l.id(), l.direction_stored(), l.areas(), sizes)
            })
        };
    }
    let (new, old) = (parts!(after.ladders()), parts!(after.old_ladders()));
    let size = if after.old_ladders().is_empty() { 60 } else { 61 };
    for (i, (id, direction, areas, (sizes, ends))) in new.chain(old).enumerate() {
        let at = u64::from(nth(after.offset(), 4, size, i));
        let mut report = |severity, code, what: String| {
            let finding =
                Finding::new(severity, code, what).at(at).in_record("ladder", i as u64).with_id(id.get());
            found(finding.placed(ends.into_iter().next_back()));
        };
        if let Some(first) = known.first_ladder(id).filter(|first| *first as usize != i) {
            report(Error, "duplicate-ladder-id", format!("L#{id} is also record {first}"));
        }
        if Direction::from_stored(direction).is_none() {
            report(Warning, "ladder-direction", format!("faces direction {direction}, of 0 to 3"));
        }
        values::ladder(sizes, ends, &mut report);
        for (end, area) in areas {
            if area.get() != 0 && !known.has_area(area) {
                let what = format!("{end} is #{area}, which does not exist");
                report(Error, "dangling-ladder-area", what);
            }
        }
    }
}
