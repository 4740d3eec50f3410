//! The difference of two versions of a mesh, as commands.

use super::exact::ladder_key;
use super::stored::Stored;
use crate::buf::{AreaBuf, LadderBuf, SourceBuf};
use crate::flags::Direction;
use crate::record::{AreaId, HidingSpot, LadderId, LadderSlot};
use navmap_core::edit::{Changes, Deed, Name, Step, Unreached, Values, in_order, names, spell_values};
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// Kinds that concern the mesh as a whole.
const WHOLE: [&str; 5] = ["head", "order of areas", "order of ladders", ANALYZED, STALE];

const ANALYZED: &str = "whether it counts as analysed";
const STALE: &str = "the analysis of what the commands change: it counts as not analysed after them";

/// Makes a mesh count as not analysed, and changes nothing else.
const NOT_ANALYZED: &str = "nav_strip --keep-paths";

/// The commands that turn `before` into `after`. `pairs` are the positions, before and after, of areas that are the same in both.
/// Areas and ladders in both keep their old ids. Linear, apart from sorting.
///
/// # Errors
/// If areas or ladders of the old mesh share an id, so that no command could name them.
pub fn difference(before: &SourceBuf, after: &SourceBuf, pairs: &[(u32, u32)]) -> Result<Changes> {
    let ids: BTreeSet<u32> = before.areas.iter().map(|area| area.id.get()).collect();
    if ids.len() != before.areas.len() {
        return Err(Error::invalid("ids", "several areas share one: nav_compress_id gives each its own"));
    }
    let ladder_ids: BTreeSet<u32> = before.ladders.iter().map(|each| each.ladder.id().get()).collect();
    if ladder_ids.len() != before.ladders.len() {
        return Err(Error::invalid("ids", "several ladders share one: nav_compress_id gives each its own"));
    }
    let kept = pairs.iter().filter_map(|&(a, b)| {
        Some((before.areas.get(a as usize)?.id.get(), after.areas.get(b as usize)?.id.get()))
    });
    let others = after.areas.iter().map(|area| area.id.get());
    let areas = names(kept, ids.iter().copied(), others, |id| id != 0 && id != u32::MAX);
    let same_ladders = same_ladders(before, after);
    let kept = same_ladders.iter().filter_map(|&(a, b)| {
        Some((before.ladders.get(a)?.ladder.id().get(), after.ladders.get(b)?.ladder.id().get()))
    });
    let others = after.ladders.iter().map(|each| each.ladder.id().get());
    let ladders = names(kept, ladder_ids.iter().copied(), others, |id| id != u32::MAX);
    let there = areas.values().copied().collect();
    let work = Work { before, after, areas, ladders, there, unreached: Unreached::default() };
    Ok(work.run(pairs, &same_ladders))
}

/// A ladder by its id.
pub(super) fn ladder(id: u32) -> Name {
    Name { space: "L", id: id.into() }
}

/// Writes a step as a command.
pub(super) fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    let what = if item.space == "L" { "ladder" } else { "area" };
    let side = |way: u8| Direction::ALL.get(usize::from(way)).map_or("", |side| side.name());
    match &step.deed {
        Deed::Delete => write!(f, "nav_delete {item}"),
        Deed::Add(all) => {
            write!(f, "{what} add {item}")?;
            spell_values(all, f)
        }
        Deed::Set(some) => {
            write!(f, "{what} set {item}")?;
            spell_values(some, f)
        }
        Deed::Unlink(way, to) => write!(f, "area unlink {item} {} {to}", side(*way)),
        Deed::Link(way, to, _) => write!(f, "area link {item} {} {to}", side(*way)),
        // Links of Source have no values.
        Deed::Relink(..) => Ok(()),
        Deed::Command(text) => f.write_str(text),
    }
}

/// The positions of ladders that are the same in both: those at the same place, then those with the same id.
pub(super) fn same_ladders(before: &SourceBuf, after: &SourceBuf) -> Vec<(usize, usize)> {
    type Key = ([u32; 3], [u32; 3]);
    let bits = |point: [f32; 3]| point.map(f32::to_bits);
    let key = |each: &LadderBuf| -> Key { (bits(each.ladder.top()), bits(each.ladder.bottom())) };
    let mut at: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, each) in after.ladders.iter().enumerate().rev() {
        at.entry(key(each)).or_default().push(index);
    }
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (index, each) in before.ladders.iter().enumerate() {
        match at.get_mut(&key(each)).and_then(Vec::pop) {
            Some(there) => pairs.push((index, there)),
            None => left.push((index, each.ladder.id())),
        }
    }
    let mut others: BTreeMap<LadderId, usize> = BTreeMap::new();
    for index in at.into_values().flatten() {
        others.extend(after.ladders.get(index).map(|each| (each.ladder.id(), index)));
    }
    pairs.extend(left.into_iter().filter_map(|(index, id)| Some((index, others.remove(&id)?))));
    pairs.sort_unstable();
    pairs
}

/// Whether a mesh counts as not analysed after a step: where areas and ladders are and where they lead is what the game
/// analyses.
pub(super) fn is_stale_after(step: &Step) -> bool {
    match &step.deed {
        Deed::Set(values) if step.item.space.is_empty() => {
            let keys = ["nw", "se", "ne", "sw", "ladders-up", "ladders-down"];
            keys.iter().any(|key| values.contains_key(key))
        }
        _ => true,
    }
}

/// The step that makes a mesh count as not analysed.
pub(super) fn not_analyzed() -> Step {
    Step { item: Name::new(0), deed: Deed::Command(NOT_ANALYZED.to_owned()) }
}

struct Work<'m> {
    before: &'m SourceBuf,
    after: &'m SourceBuf,
    /// The names of the new mesh's areas and ladders in commands.
    areas: BTreeMap<u32, u32>,
    ladders: BTreeMap<u32, u32>,
    /// The ids that areas have in the end.
    there: BTreeSet<u32>,
    unreached: Unreached,
}

/// The steps by kind, in an order in which each finds the items it names.
#[derive(Default)]
struct Steps {
    gone: Vec<Step>,
    made: Vec<Step>,
    ladders: Vec<Step>,
    sets: Vec<Step>,
    unlinks: Vec<Step>,
    links: Vec<Step>,
}

impl Work<'_> {
    fn run(mut self, pairs: &[(u32, u32)], ladders: &[(usize, usize)]) -> Changes {
        let mut steps = Steps::default();
        let stays: BTreeSet<u32> = pairs.iter().map(|(a, _)| *a).collect();
        let had: BTreeSet<u32> = pairs.iter().map(|(_, b)| *b).collect();
        let mut deleted = BTreeSet::new();
        for (at, area) in (0..).zip(&self.before.areas) {
            if !stays.contains(&at) {
                steps.gone.push(Step { item: Name::new(area.id.get()), deed: Deed::Delete });
                deleted.insert(area.id.get());
            }
        }
        let lost = self.ladder_steps(ladders, &deleted, &mut steps);
        let (before, after) = (self.before, self.after);
        for (at, area) in (0..).zip(&after.areas) {
            if had.contains(&at) {
                continue;
            }
            let id = self.name(area.id);
            let name = Name::new(id.get());
            let mut values = self.values(area, None);
            // Ladders are made after areas, so that their targets exist.
            let lists = self.lists(None, area, &lost);
            let empty = AreaBuf::new(id, area.shape);
            values.extend(self.spots(&empty, area));
            steps.made.push(Step { item: name, deed: Deed::Add(values) });
            if !lists.is_empty() {
                steps.sets.push(Step { item: name, deed: Deed::Set(lists) });
            }
            self.links(&empty, area, &deleted, &mut steps);
            self.rest(&empty, area);
        }
        for &(a, b) in pairs {
            let (Some(was), Some(is)) = (before.areas.get(a as usize), after.areas.get(b as usize)) else {
                continue;
            };
            let mut values = self.values(is, Some(was));
            values.extend(self.lists(Some(was), is, &lost));
            values.extend(self.spots(was, is));
            if !values.is_empty() {
                steps.sets.push(Step { item: Name::new(was.id.get()), deed: Deed::Set(values) });
            }
            self.links(was, is, &deleted, &mut steps);
            self.rest(was, is);
            self.unreached.note("ids", was.id != is.id);
        }
        self.whole(pairs, ladders);
        let Steps { gone, made, ladders, sets, unlinks, links } = steps;
        let mut steps = in_order([gone, made, ladders, sets, unlinks, links]);
        let (was, is) = (before.head.analyzed, after.head.analyzed);
        let stale = steps.iter().any(is_stale_after);
        if was != 0 && is == 0 && !stale {
            steps.push(not_analyzed());
        }
        self.unreached.note(STALE, stale && is != 0 && is == was);
        self.unreached.note(ANALYZED, is != 0 && is != was);
        Changes::new(steps, self.unreached.words(["area", "areas"], &WHOLE), spell)
    }

    fn name(&self, after: AreaId) -> AreaId {
        self.areas.get(&after.get()).copied().map_or(after, AreaId::new)
    }

    /// Adds the steps for ladders. Returns the ids of removed ladders.
    fn ladder_steps(
        &mut self,
        pairs: &[(usize, usize)],
        deleted: &BTreeSet<u32>,
        steps: &mut Steps,
    ) -> BTreeSet<LadderId> {
        let (before, after) = (self.before, self.after);
        let stays: BTreeSet<usize> = pairs.iter().map(|(a, _)| *a).collect();
        let had: BTreeMap<usize, usize> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let mut lost = BTreeSet::new();
        for (at, each) in before.ladders.iter().enumerate() {
            if !stays.contains(&at) {
                lost.insert(each.ladder.id());
                steps.gone.push(Step { item: ladder(each.ladder.id().get()), deed: Deed::Delete });
            }
        }
        for (at, is) in after.ladders.iter().enumerate() {
            let was = had.get(&at).and_then(|at| before.ladders.get(*at));
            let values = self.ladder_values(was, is, deleted);
            let id = self.ladders.get(&is.ladder.id().get()).copied();
            let item = ladder(was.map_or(id.unwrap_or_default(), |was| was.ladder.id().get()));
            match was {
                None => steps.ladders.push(Step { item, deed: Deed::Add(values) }),
                Some(_) if values.is_empty() => {}
                Some(_) => steps.ladders.push(Step { item, deed: Deed::Set(values) }),
            }
            self.unreached.note("ids of ladders", was.is_some_and(|was| was.ladder.id() != is.ladder.id()));
        }
        lost
    }

    fn ladder_values(&mut self, was: Option<&LadderBuf>, is: &LadderBuf, deleted: &BTreeSet<u32>) -> Values {
        let mut values = Values::new();
        let old = was.map(|was| was.ladder);
        let point = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
        let bits = |point: [f32; 3]| point.map(f32::to_bits);
        let ladder = &is.ladder;
        let ends = [
            ("top", ladder.top(), old.map(|old| old.top())),
            ("bottom", ladder.bottom(), old.map(|old| old.bottom())),
        ];
        for (key, end, old) in ends {
            if old.map(bits) != Some(bits(end)) {
                let finite = end.iter().all(|value| value.is_finite());
                self.unreached.note("ladders with ends that are no numbers", !finite);
                values.extend(finite.then(|| (key, point(end).into())));
            }
        }
        let sizes = [
            ("width", ladder.width(), old.map(|old| old.width())),
            ("length", ladder.length(), old.map(|old| old.length())),
        ];
        for (key, size, old) in sizes {
            if old.map(f32::to_bits) != Some(size.to_bits()) {
                self.unreached.note("ladders with sizes that are no numbers", !size.is_finite());
                values.extend(size.is_finite().then(|| (key, size.to_string().into())));
            }
        }
        if old.map(|old| old.direction_stored()) != Some(ladder.direction_stored()) {
            self.unreached.note("ladders with an unknown direction", ladder.direction().is_none());
            values.extend(ladder.direction().map(|side| ("direction", side.name().to_owned().into())));
        }
        if was.map_or(0, |was| was.dangling) != is.dangling {
            values.insert("dangling", is.dangling.to_string().into());
        }
        for place in LadderSlot::ALL {
            let old = old.map(|old| old.area(place)).filter(|id| !deleted.contains(&id.get()));
            let new = match ladder.area(place) {
                none if none == AreaId::default() => none,
                area => self.name(area),
            };
            if old.unwrap_or_default() == new {
                continue;
            }
            let none = new == AreaId::default();
            if none || self.there.contains(&new.get()) {
                let items = if none { Vec::new() } else { vec![Name::new(new.get())] };
                values.insert(ladder_key(place), navmap_core::edit::Value::Items(items));
            } else {
                self.unreached.note("ladders that lead to areas that are not there", true);
            }
        }
        values
    }

    /// Sets the ladders that an area lists, if they differ.
    fn lists(&mut self, was: Option<&AreaBuf>, is: &AreaBuf, lost: &BTreeSet<LadderId>) -> Values {
        let mut values = Values::new();
        let empty = Vec::new();
        let lists = [
            ("ladders-up", was.map_or(&empty, |was| &was.ladders_up), &is.ladders_up),
            ("ladders-down", was.map_or(&empty, |was| &was.ladders_down), &is.ladders_down),
        ];
        for (key, old, new) in lists {
            let old: Vec<u32> = old.iter().filter(|id| !lost.contains(id)).map(|id| id.get()).collect();
            let named = new.iter().map(|id| self.ladders.get(&id.get()).copied());
            // A list may name missing ladders; an unchanged list stays as it is.
            let raw: Vec<u32> = new.iter().map(|id| id.get()).collect();
            match named.collect::<Option<Vec<u32>>>() {
                Some(new) if old == new => {}
                None if old == raw => {}
                Some(new) => {
                    let items = new.into_iter().map(ladder).collect();
                    values.insert(key, navmap_core::edit::Value::Items(items));
                }
                None => self.unreached.note("lists of ladders that are not there", true),
            }
        }
        values
    }

    /// The values of an area that differ from the old ones.
    fn values(&mut self, is: &AreaBuf, was: Option<&AreaBuf>) -> Values {
        let mut values = Values::new();
        let corners = |area: &AreaBuf| {
            let shape = &area.shape;
            let flat = |height: f32| [height, 0.0, 0.0];
            [shape.north_west(), shape.south_east(), flat(shape.north_east_z()), flat(shape.south_west_z())]
        };
        let old = was.map(corners);
        for (at, (key, corner)) in ["nw", "se", "ne", "sw"].into_iter().zip(corners(is)).enumerate() {
            let bits = |corner: &[f32; 3]| corner.map(f32::to_bits);
            if old.as_ref().and_then(|old| old.get(at)).is_some_and(|old| bits(old) == bits(&corner)) {
                continue;
            }
            let [x, y, z] = corner;
            let text = if at < 2 { format!("{x},{y},{z}") } else { x.to_string() };
            let finite = corner.iter().all(|value| value.is_finite());
            self.unreached.note("corners that are no numbers", !finite);
            if finite {
                values.insert(key, text.into());
            }
        }
        let none = AreaBuf::new(is.id, is.shape);
        let was = was.unwrap_or(&none);
        if was.attributes != is.attributes {
            values.insert("attributes", format!("0x{:x}", is.attributes.bits()).into());
        }
        if was.game_attributes != is.game_attributes {
            values.insert("game", format!("0x{:x}", is.game_attributes).into());
        }
        let layout = self.before.head.layout();
        values.extend(Stored::new(is).values(&Stored::new(was), layout, &mut self.unreached));
        let (old, new) = (place(self.before, was.place), place(self.after, is.place));
        if old != new {
            match std::str::from_utf8(new) {
                Ok(name) if !name.contains(['"', '\n', '\r']) => {
                    values.insert("place", name.to_owned().into());
                }
                _ => self.unreached.note("places with unusual names", true),
            }
        }
        values
    }

    fn links(&mut self, was: &AreaBuf, is: &AreaBuf, deleted: &BTreeSet<u32>, steps: &mut Steps) {
        let item = Name::new(was.id.get());
        for (way, side) in (0..).zip(Direction::ALL) {
            let alive = |id: &&AreaId| !deleted.contains(&id.get());
            let old: Vec<AreaId> = was.connections(side).iter().filter(alive).copied().collect();
            let new: Vec<AreaId> = is.connections(side).iter().map(|id| self.name(*id)).collect();
            if old == new {
                continue;
            }
            let (had, has) = (set(&old), set(&new));
            let mut told: Vec<AreaId> = old.iter().filter(|to| has.contains(&to.get())).copied().collect();
            for to in had.difference(&has).copied() {
                steps.unlinks.push(Step { item, deed: Deed::Unlink(way, Name::new(to)) });
            }
            let mut made = BTreeSet::new();
            for to in &new {
                let dangles = !self.there.contains(&to.get());
                if !had.contains(&to.get()) && *to != was.id && !dangles && made.insert(*to) {
                    steps
                        .links
                        .push(Step { item, deed: Deed::Link(way, Name::new(to.get()), Values::new()) });
                    told.push(*to);
                }
            }
            self.unreached.note("order of links", told != new);
        }
    }

    fn spots(&mut self, was: &AreaBuf, is: &AreaBuf) -> Values {
        let mut values = Values::new();
        if was.hiding_spots == is.hiding_spots {
            return values;
        }
        let finite = |spot: &HidingSpot| spot.position().iter().all(|value| value.is_finite());
        if !is.hiding_spots.iter().all(finite) {
            self.unreached.note("hiding spots that are no numbers", true);
            return values;
        }
        let mut text = String::new();
        for spot in &is.hiding_spots {
            let [x, y, z] = spot.position();
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{}:{}:{x},{y},{z}", spot.id(), spot.flags().bits());
        }
        let none = text.is_empty();
        values.insert("spots", if none { "none".to_owned() } else { text }.into());
        values
    }

    /// What no command sets.
    fn rest(&mut self, was: &AreaBuf, is: &AreaBuf) {
        let parts = [
            ("encounter paths", was.encounters != is.encounters),
            ("approach areas", was.approaches != is.approaches),
            ("visibility", was.visible_areas != is.visible_areas || was.inherits != is.inherits),
        ];
        parts.into_iter().for_each(|(what, differs)| self.unreached.note(what, differs));
    }

    fn whole(&mut self, pairs: &[(u32, u32)], ladders: &[(usize, usize)]) {
        let (mut was, mut is) = (self.before.head.clone(), self.after.head.clone());
        // Areas bring their places along, and what becomes of the analysis depends on the steps.
        (was.places, is.places) = (Vec::new(), Vec::new());
        (was.analyzed, is.analyzed) = (0, 0);
        (was.has_unnamed_areas, is.has_unnamed_areas) = (0, 0);
        self.unreached.note("head", was != is);
        self.unreached.note("order of areas", !pairs.is_sorted_by_key(|(_, b)| *b));
        self.unreached.note("order of ladders", !ladders.is_sorted_by_key(|(_, b)| *b));
    }
}

fn set(ids: &[AreaId]) -> BTreeSet<u32> {
    ids.iter().map(|id| id.get()).collect()
}

/// The name of a place without its NUL; empty for none.
fn place(mesh: &SourceBuf, number: u16) -> &[u8] {
    let at = usize::from(number).checked_sub(1);
    let name = at.and_then(|at| mesh.head.places.get(at)).map_or(&[][..], |name| &name[..]);
    name.strip_suffix(&[0]).unwrap_or(name)
}
