//! What turns one version of a mesh into another, as commands.

#![forbid(unsafe_code)]

use crate::error::{Error, Result};
use crate::format::source::buf::{AreaBuf, SourceBuf};
use crate::format::source::flags::Direction;
use crate::format::source::record::AreaId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Write};

/// What turns one version of a mesh into another. Its [`Display`](fmt::Display) is a script for
/// [`Session::script`](crate::edit::Session::script).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// The commands, in the order in which they are run. Areas have the ids of the mesh before.
    pub steps: Vec<Step>,
    /// What no command can reach, in words: `visibility of 12 areas`.
    pub unreached: Vec<String>,
}

/// One command.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The area that it is about.
    pub area: AreaId,
    /// What it does to the area.
    pub deed: Deed,
}

/// What a command does to an area.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// Removes it, and the links that lead to it.
    Delete,
    /// Makes it, with these values.
    Add(BTreeMap<&'static str, String>),
    /// Sets these values.
    Set(BTreeMap<&'static str, String>),
    /// Removes a link.
    Unlink(Direction, AreaId),
    /// Adds a link.
    Link(Direction, AreaId),
    /// Sets its hiding spots.
    Spots(String),
}

impl Difference {
    /// What turns `before` into `after`. `pairs` are positions of areas that are the same one in both, before and after.
    /// Areas that both have keep the ids of the mesh before. Linear, but for sorting.
    ///
    /// # Errors
    /// If areas of the mesh before share an id, so that no command could name them.
    pub fn of(before: &SourceBuf, after: &SourceBuf, pairs: &[(u32, u32)]) -> Result<Self> {
        let ids: BTreeSet<u32> = before.areas.iter().map(|area| area.id.get()).collect();
        if ids.len() != before.areas.len() {
            return Err(Error::invalid("ids", "several areas share one: nav_compress_id gives each its own"));
        }
        let names = names(before, after, pairs, &ids);
        let there = names.values().map(|id| id.get()).collect();
        let work = Work { before, after, names, there, unreached: Unreached::default() };
        Ok(work.run(pairs))
    }

    /// The commands with areas called as `rename` says, which gives the id of another version for that of the mesh
    /// before.
    #[must_use]
    pub fn renamed(&self, rename: impl Fn(AreaId) -> AreaId) -> Self {
        let step = |step: &Step| Step {
            area: rename(step.area),
            deed: match &step.deed {
                Deed::Unlink(side, to) => Deed::Unlink(*side, rename(*to)),
                Deed::Link(side, to) => Deed::Link(*side, rename(*to)),
                other => other.clone(),
            },
        };
        Self { steps: self.steps.iter().map(step).collect(), unreached: self.unreached.clone() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let area = self.area;
        let values = |f: &mut fmt::Formatter<'_>, values: &BTreeMap<&'static str, String>| {
            values.iter().try_for_each(|(key, value)| match value.contains(' ') {
                true => write!(f, " \"{key}={value}\""),
                false => write!(f, " {key}={value}"),
            })
        };
        match &self.deed {
            Deed::Delete => write!(f, "nav_delete #{area}"),
            Deed::Add(all) => {
                write!(f, "area add #{area}")?;
                values(f, all)
            }
            Deed::Set(some) => {
                write!(f, "area set #{area}")?;
                values(f, some)
            }
            Deed::Unlink(side, to) => write!(f, "area unlink #{area} {side} #{to}"),
            Deed::Link(side, to) => write!(f, "area link #{area} {side} #{to}"),
            Deed::Spots(spots) => write!(f, "area spots #{area}{spots}"),
        }
    }
}

/// How the commands call the areas of the mesh after.
fn names(
    before: &SourceBuf,
    after: &SourceBuf,
    pairs: &[(u32, u32)],
    ids: &BTreeSet<u32>,
) -> HashMap<u32, AreaId> {
    let mut names = HashMap::with_capacity(after.areas.len());
    for &(a, b) in pairs {
        if let (Some(was), Some(is)) = (before.areas.get(a as usize), after.areas.get(b as usize)) {
            names.insert(is.id.get(), was.id);
        }
    }
    let kept: BTreeSet<u32> = names.values().map(|id| id.get()).collect();
    let others = after.areas.iter().map(|area| area.id.get());
    let mut next = ids.iter().copied().chain(others).max().unwrap_or(0);
    for area in &after.areas {
        let id = area.id.get();
        if names.contains_key(&id) {
            continue;
        }
        // Its own id, unless an area that stays has it.
        let free = !kept.contains(&id) && id != 0 && id != u32::MAX;
        if !free {
            next = next.saturating_add(1);
        }
        names.insert(id, if free { area.id } else { AreaId::new(next) });
    }
    names
}

#[derive(Default)]
struct Unreached(BTreeMap<&'static str, u64>);

impl Unreached {
    fn note(&mut self, what: &'static str, differs: bool) {
        if differs {
            let count = self.0.entry(what).or_default();
            *count = count.saturating_add(1);
        }
    }
}

struct Work<'m> {
    before: &'m SourceBuf,
    after: &'m SourceBuf,
    names: HashMap<u32, AreaId>,
    /// The ids that areas have in the end.
    there: BTreeSet<u32>,
    unreached: Unreached,
}

impl Work<'_> {
    fn run(mut self, pairs: &[(u32, u32)]) -> Difference {
        let (mut gone, mut made) = (Vec::new(), Vec::new());
        let stays: BTreeSet<u32> = pairs.iter().map(|(a, _)| *a).collect();
        let had: BTreeSet<u32> = pairs.iter().map(|(_, b)| *b).collect();
        let mut deleted = BTreeSet::new();
        for (at, area) in (0..).zip(&self.before.areas) {
            if !stays.contains(&at) {
                gone.push(Step { area: area.id, deed: Deed::Delete });
                deleted.insert(area.id.get());
            }
        }
        let (mut sets, mut unlinks, mut links, mut spots) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, area) in (0..).zip(&self.after.areas) {
            if had.contains(&at) {
                continue;
            }
            let name = self.name(area.id);
            let values = self.values(area, None);
            made.push(Step { area: name, deed: Deed::Add(values) });
            let empty = AreaBuf::new(name, area.shape);
            self.links(&empty, area, &deleted, &mut unlinks, &mut links);
            self.spots(&empty, area, &mut spots);
            self.rest(&empty, area);
        }
        for &(a, b) in pairs {
            let (Some(was), Some(is)) = (self.before.areas.get(a as usize), self.after.areas.get(b as usize))
            else {
                continue;
            };
            let values = self.values(is, Some(was));
            if !values.is_empty() {
                sets.push(Step { area: was.id, deed: Deed::Set(values) });
            }
            self.links(was, is, &deleted, &mut unlinks, &mut links);
            self.spots(was, is, &mut spots);
            self.rest(was, is);
            self.unreached.note("ids", was.id != is.id);
        }
        self.whole(pairs);
        let steps = [gone, made, sets, unlinks, links, spots].concat();
        let words = |(what, count): (&&str, &u64)| match *what {
            "ladders" | "head" | "order" => (*what).to_owned(),
            _ => format!("{what} of {}", crate::text::counted(*count, "area", "areas")),
        };
        Difference { steps, unreached: self.unreached.0.iter().map(words).collect() }
    }

    fn name(&self, after: AreaId) -> AreaId {
        self.names.get(&after.get()).copied().unwrap_or(after)
    }

    /// The values of an area that differ from those it had.
    fn values(&mut self, is: &AreaBuf, was: Option<&AreaBuf>) -> BTreeMap<&'static str, String> {
        let mut values = BTreeMap::new();
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
                values.insert(key, text);
            }
        }
        let none = AreaBuf::new(is.id, is.shape);
        let was = was.unwrap_or(&none);
        if was.attributes != is.attributes {
            values.insert("attributes", format!("0x{:x}", is.attributes.bits()));
        }
        if was.game_attributes != is.game_attributes {
            values.insert("game", format!("0x{:x}", is.game_attributes));
        }
        let (old, new) = (place(self.before, was.place), place(self.after, is.place));
        if old != new {
            match std::str::from_utf8(new) {
                Ok(name) if !name.contains(['"', '\n', '\r']) => {
                    values.insert("place", name.to_owned());
                }
                _ => self.unreached.note("places with unusual names", true),
            }
        }
        values
    }

    fn links(
        &mut self,
        was: &AreaBuf,
        is: &AreaBuf,
        deleted: &BTreeSet<u32>,
        unlinks: &mut Vec<Step>,
        links: &mut Vec<Step>,
    ) {
        for side in Direction::ALL {
            let old: Vec<AreaId> =
                was.connections(side).iter().copied().filter(|id| !deleted.contains(&id.get())).collect();
            let new: Vec<AreaId> = is.connections(side).iter().map(|id| self.name(*id)).collect();
            if old == new {
                continue;
            }
            let (had, has) = (set(&old), set(&new));
            let mut told: Vec<AreaId> = old.clone();
            for to in &old {
                if !has.contains(&to.get()) {
                    unlinks.push(Step { area: was.id, deed: Deed::Unlink(side, *to) });
                    told.retain(|other| other != to);
                }
            }
            for to in &new {
                let dangles = !self.there.contains(&to.get());
                if !had.contains(&to.get()) && !told.contains(to) && *to != was.id && !dangles {
                    links.push(Step { area: was.id, deed: Deed::Link(side, *to) });
                    told.push(*to);
                }
            }
            self.unreached.note("order of links", told != new);
        }
    }

    fn spots(&mut self, was: &AreaBuf, is: &AreaBuf, spots: &mut Vec<Step>) {
        if was.hiding_spots == is.hiding_spots {
            return;
        }
        let mut text = String::new();
        for spot in &is.hiding_spots {
            let [x, y, z] = spot.position();
            let _ = write!(text, " {}:{}:{x},{y},{z}", spot.id(), spot.flags().bits());
        }
        spots.push(Step { area: was.id, deed: Deed::Spots(text) });
    }

    /// What no command sets.
    fn rest(&mut self, was: &AreaBuf, is: &AreaBuf) {
        let parts = [
            ("encounter paths", was.encounters != is.encounters),
            ("approach areas", was.approaches != is.approaches),
            ("visibility", was.visible_areas != is.visible_areas || was.inherits != is.inherits),
            ("light", was.light != is.light),
            ("occupy times", was.occupy_times != is.occupy_times),
            ("spawn attributes", was.spawn_attributes != is.spawn_attributes),
            ("lists of ladders", was.ladders_up != is.ladders_up || was.ladders_down != is.ladders_down),
        ];
        parts.into_iter().for_each(|(what, differs)| self.unreached.note(what, differs));
    }

    fn whole(&mut self, pairs: &[(u32, u32)]) {
        let (mut was, mut is) = (self.before.head.clone(), self.after.head.clone());
        // Areas bring their places along, and a changed mesh counts as not analysed.
        (was.places, is.places) = (Vec::new(), Vec::new());
        (was.analyzed, is.analyzed) = (0, 0);
        self.unreached.note("head", was != is);
        self.unreached.note("ladders", self.before.ladders != self.after.ladders);
        self.unreached.note("order", !pairs.is_sorted_by_key(|(_, b)| *b));
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
