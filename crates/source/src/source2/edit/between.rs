//! Two versions of a mesh: the commands that turn one into the other.

use super::super::buf::{PolygonAreaBuf, Source2Buf};
use super::super::record::EdgeLink;
use super::super::view::Source2Nav;
use super::editor::{Source2Editor, by_id, corners};
use super::outlines::Outlines;
use super::values::{END_KEYS, areas_of, spelt, spelt_bits};
use crate::check::values::beyond;
use crate::record::{LadderId, Vec3};
use navmap_core::edit::{
    Changes, Deed, Name, Session, SessionOptions, Step, Steps, Unreached, Value, Values, spell_values,
};
use navmap_core::error::Result;
use navmap_core::format::ids::Positions;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

const ORDER: &str = "order of areas and ladders";
const NUMBERS: &str = "numbers of corners and polygons";

/// Kinds that concern the mesh as a whole.
const WHOLE: &[&str] = &[
    "version and flags",
    "moving meshes",
    "generation parameters and boxes",
    "game data",
    "bytes after the end",
    "ladders that are new",
    "values of ladders that no command has",
    ORDER,
    NUMBERS,
];

/// A mesh as one version of several.
#[derive(Debug)]
pub struct Source2Version {
    pub(super) buf: Source2Buf,
    pub(super) outlines: Outlines,
    corners: Vec<Vec3>,
    ids: [Positions; 2],
}

/// What became of a mesh.
pub(super) struct Told {
    pub(super) changes: Changes,
    /// Corners that are elsewhere, by the bits of their places.
    pub(super) moves: BTreeMap<u32, [u32; 3]>,
}

/// A corner by its number.
pub(super) fn corner(number: u32) -> Name {
    Name { space: "V", id: number.into() }
}

/// A ladder by its id.
pub(super) fn ladder(id: u32) -> Name {
    Name { space: "L", id: id.into() }
}

impl Source2Version {
    pub(super) fn read(nav: &Source2Nav<'_>) -> Result<Self> {
        let buf = Source2Buf::read(nav)?;
        let (outlines, corners, ids) = (Outlines::new(&buf), corners(&buf), by_id(&buf)?);
        Ok(Self { buf, outlines, corners, ids })
    }

    /// The id of the area at a position.
    pub(super) fn name(&self, position: u32) -> Option<Name> {
        self.buf.areas.get(position as usize).map(|area| Name::new(area.id().get()))
    }

    pub(super) fn at(&self, corner: u32) -> Option<[f32; 3]> {
        self.corners.get(corner as usize).map(|at| at.to_array())
    }

    fn has(&self, space: usize, id: u32) -> bool {
        self.ids.get(space).is_some_and(|ids| ids.get(id).is_some())
    }

    fn id(&self, at: u32) -> Option<u32> {
        self.buf.areas.get(at as usize).map(|area| area.id().get())
    }

    /// Pairs of areas, with those that no pair has and whose id the other version has too: they moved, and a script that
    /// deleted them would lose them. Where that id is now the one of another area of this version, the id that this had
    /// before is looked for, and so on. Every area of the other version is looked at once.
    pub(super) fn pairs(&self, after: &Self, pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let [ids, _] = &after.ids;
        let mut all = pairs.to_vec();
        let stays: BTreeSet<u32> = pairs.iter().map(|(a, _)| *a).collect();
        let came: BTreeMap<u32, u32> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let mut seen = BTreeSet::new();
        for area in (0..self.buf.areas.len() as u32).filter(|at| !stays.contains(at)) {
            let mut at = area;
            while let Some(there) = self.id(at).and_then(|id| ids.get(id)).filter(|there| seen.insert(*there))
            {
                let Some(other) = came.get(&there) else {
                    all.push((area, there));
                    break;
                };
                at = *other;
            }
        }
        all
    }

    /// What turns this version into another. `pairs` are the positions of areas that both have, from [`pairs`](Self::pairs).
    pub(super) fn told(&self, after: &Self, pairs: &[(u32, u32)]) -> Result<Told> {
        let is = after.buf.encode_all()?;
        if self.buf.encode_all()? == is {
            return Ok(Told { changes: Changes::new(Vec::new(), Vec::new(), spell), moves: BTreeMap::new() });
        }
        let mut work = Work::new(self, after, pairs);
        work.whole();
        work.areas(pairs);
        work.ladders();
        let moves = work.corners(pairs);
        let Work { steps, mut unreached, .. } = work;
        let changes = Changes::new(steps.in_order(), Vec::new(), spell);
        let mut editor = Source2Editor::new(self.buf.clone())?;
        editor.force_odd(true);
        let mut session = Session::new(editor, SessionOptions::default());
        let mut refused = false;
        session.script(&changes.to_string(), |fared| {
            refused |= fared.is_err();
            ControlFlow::Continue(())
        });
        let reached = !refused && session.editor().to_buf().encode_all()? == is;
        if !reached && unreached.words(["area", "areas"], WHOLE).is_empty() {
            unreached.note(NUMBERS, true);
        }
        let unreached = unreached.words(["area", "areas"], WHOLE);
        Ok(Told { changes: Changes::new(changes.steps, unreached, spell), moves })
    }
}

/// Writes a step as a command.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    match &step.deed {
        Deed::Delete => write!(f, "delete {item}"),
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(edge, to) => write!(f, "disconnect {item} {to} --edge {edge}"),
        Deed::Link(edge, to, values) | Deed::Relink(edge, to, values) => {
            write!(f, "connect {item} {to} --edge {edge}")?;
            values.get("To").map_or(Ok(()), |there| write!(f, " --to {there}"))
        }
        Deed::Command(text) => f.write_str(text),
        // Areas are not made.
        Deed::Add(_) => Ok(()),
    }
}

struct Work<'w> {
    before: &'w Source2Version,
    after: &'w Source2Version,
    /// What the old file calls the areas of the new one.
    names: BTreeMap<u32, u32>,
    /// Ids of areas and of ladders that are gone.
    gone: [BTreeSet<u32>; 2],
    unreached: Unreached,
    steps: Steps,
}

/// Links of an area to others, each with its edge and the name of the other.
type Linked = Vec<((usize, u32), u32)>;

impl<'w> Work<'w> {
    fn new(before: &'w Source2Version, after: &'w Source2Version, pairs: &[(u32, u32)]) -> Self {
        let id = |version: &Source2Version, at: u32| {
            version.buf.areas.get(at as usize).map(|area| area.id().get())
        };
        let names = pairs.iter().filter_map(|(a, b)| Some((id(after, *b)?, id(before, *a)?))).collect();
        let stays: BTreeSet<u32> = pairs.iter().map(|(a, _)| *a).collect();
        let areas = (0_u32..).zip(&before.buf.areas).filter(|(at, _)| !stays.contains(at));
        let ladders = before.buf.ladders.iter().map(|each| each.ladder().id().get());
        let gone = [
            areas.map(|(_, area)| area.id().get()).collect(),
            ladders.filter(|id| !after.has(1, *id)).collect(),
        ];
        Self { before, after, names, gone, unreached: Unreached::default(), steps: Steps::default() }
    }

    fn whole(&mut self) {
        let (was, is) = (&self.before.buf, &self.after.buf);
        let game = |buf: &Source2Buf| -> Vec<Vec<u8>> {
            buf.second.iter().chain(&buf.blocks).map(|block| block.bytes.clone()).collect()
        };
        self.unreached.note("version and flags", was.version != is.version || was.head != is.head);
        self.unreached.note("moving meshes", was.middle != is.middle);
        self.unreached.note("generation parameters and boxes", was.after != is.after);
        self.unreached.note("game data", game(was) != game(is));
        self.unreached.note("bytes after the end", was.trailing != is.trailing);
        let [areas, ladders] = &self.gone;
        let delete = |item: Name| Step { item, deed: Deed::Delete };
        self.steps.gone.extend(areas.iter().map(|id| delete(Name::new(*id))));
        self.steps.gone.extend(ladders.iter().map(|id| delete(ladder(*id))));
    }

    fn areas(&mut self, pairs: &[(u32, u32)]) {
        let came: BTreeSet<u32> = pairs.iter().map(|(_, b)| *b).collect();
        let fresh = (0..self.after.buf.areas.len() as u32).filter(|at| !came.contains(at));
        fresh.for_each(|_| self.unreached.note("outlines of new ones", true));
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        self.unreached.note(ORDER, !sorted.is_sorted_by_key(|(_, b)| *b));
        for (a, b) in sorted {
            let areas = (self.before.buf.areas.get(a as usize), self.after.buf.areas.get(b as usize));
            if let (Some(was), Some(is)) = areas {
                self.area(was, is);
            }
        }
    }

    fn area(&mut self, was: &PolygonAreaBuf, is: &PolygonAreaBuf) {
        let item = Name::new(was.id().get());
        self.unreached.note("ids", was.id() != is.id());
        self.unreached.note("hulls", was.hull() != is.hull());
        self.unreached.note("the number after the polygon", was.unknown != is.unknown);
        let mut values = Values::new();
        if was.attributes != is.attributes {
            values.insert("Attributes", Value::Text(spelt_bits(is.attributes)));
        }
        let lists =
            [("Up", &was.ladders_above, &is.ladders_above), ("Down", &was.ladders_below, &is.ladders_below)];
        let [_, gone] = &self.gone;
        for (key, was, is) in lists {
            let left = was.iter().filter(|ladder| !gone.contains(&ladder.get()));
            if left.eq(is) {
                continue;
            }
            let exist =
                is.iter().all(|ladder| self.before.has(1, ladder.get()) && !gone.contains(&ladder.get()));
            self.unreached.note("ladders that do not exist, at one", !exist);
            if exist {
                let items = is.iter().map(|of: &LadderId| ladder(of.get())).collect();
                values.insert(key, Value::Items(items));
            }
        }
        if !values.is_empty() {
            self.steps.sets.push(Step { item, deed: Deed::Set(values) });
        }
        if was.edges.len() == is.edges.len() {
            self.links(item, was, is);
        }
    }

    /// The links to areas that both have, and the others.
    fn linked(area: &PolygonAreaBuf, name: impl Fn(u32) -> Option<u32>) -> (Linked, Vec<(usize, EdgeLink)>) {
        let (mut linked, mut astray) = (Vec::new(), Vec::new());
        for (edge, link) in
            area.edges.iter().enumerate().flat_map(|(edge, list)| list.iter().map(move |link| (edge, *link)))
        {
            match name(link.area().get()) {
                Some(name) => linked.push(((edge, name), link.edge())),
                None => astray.push((edge, link)),
            }
        }
        (linked, astray)
    }

    fn links(&mut self, item: Name, was: &PolygonAreaBuf, is: &PolygonAreaBuf) {
        let [gone, _] = &self.gone;
        let (old, mut lost) =
            Self::linked(was, |id| Some(id).filter(|id| self.before.has(0, *id) && !gone.contains(id)));
        let (new, astray) = Self::linked(is, |id| self.names.get(&id).copied());
        lost.retain(|(_, link)| !gone.contains(&link.area().get()));
        self.unreached.note("links that lead nowhere or to new areas", lost != astray);
        let (had, has): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (old.iter().rev().copied().collect(), new.iter().rev().copied().collect());
        if had.len() < old.len() || has.len() < new.len() {
            self.unreached.note("links that are there twice", old != new);
            return;
        }
        let mut left: Vec<(usize, u32)> =
            old.iter().map(|(key, _)| *key).filter(|key| has.contains_key(key)).collect();
        let mut step = |list: &mut Vec<Step>, (edge, _): (usize, u32), deed: &dyn Fn(u8) -> Deed| {
            let edge = u8::try_from(edge).ok();
            self.unreached.note("links over edges beyond 255", edge.is_none());
            list.extend(edge.map(|edge| Step { item, deed: deed(edge) }));
        };
        for (key, _) in old.iter().filter(|(key, _)| !has.contains_key(key)) {
            step(&mut self.steps.unlinks, *key, &|edge| Deed::Unlink(edge, Name::new(key.1)));
        }
        for (key, there) in &new {
            let to = Name::new(key.1);
            let values = || Values::from([("To", Value::Text(there.to_string()))]);
            match had.get(key) {
                Some(same) if same == there => {}
                Some(_) => step(&mut self.steps.links, *key, &|edge| Deed::Relink(edge, to, values())),
                None => {
                    left.push(*key);
                    step(&mut self.steps.links, *key, &|edge| Deed::Link(edge, to, values()));
                }
            }
        }
        // Links of an edge keep their order, and new ones come last.
        left.sort_by_key(|(edge, _)| *edge);
        self.unreached.note("order of links", !left.into_iter().eq(new.iter().map(|(key, _)| *key)));
    }

    fn ladders(&mut self) {
        let [gone, lost] = self.gone.clone();
        let ids = |buf: &Source2Buf| -> Vec<u32> {
            buf.ladders.iter().map(|each| each.ladder().id().get()).collect()
        };
        let (was, is) = (ids(&self.before.buf), ids(&self.after.buf));
        self.unreached.note("ladders that are new", is.iter().any(|id| !self.before.has(1, *id)));
        let stay = was.iter().filter(|id| !lost.contains(id));
        self.unreached.note(ORDER, !stay.eq(is.iter().filter(|id| self.before.has(1, **id))));
        let new: BTreeMap<u32, _> = is.into_iter().zip(&self.after.buf.ladders).collect();
        for old in &self.before.buf.ladders {
            let (was, id) = (old.ladder(), old.ladder().id().get());
            let Some(new) = new.get(&id) else { continue };
            let is = new.ladder();
            let mut values = Values::new();
            let mut whole = is.direction_stored() == was.direction_stored() || is.direction().is_some();
            let mut set = |key, same: bool, text: String| {
                if !same {
                    values.insert(key, Value::Text(text));
                }
            };
            let same = |a: [f32; 3], b: [f32; 3]| a.map(f32::to_bits) == b.map(f32::to_bits);
            let numbers = [("Width", was.width(), is.width()), ("Length", was.length(), is.length())];
            for (key, was, is) in numbers {
                let kept = was.to_bits() == is.to_bits();
                whole &= kept || is.is_finite() && is >= 0.0;
                set(key, kept, is.to_string());
            }
            for (key, was, is) in [("Top", was.top(), is.top()), ("Bottom", was.bottom(), is.bottom())] {
                whole &= same(was, is) || is.iter().all(|value| value.is_finite());
                set(key, same(was, is), spelt(is));
            }
            let way = is.direction().map_or("", |way| way.name());
            set("Direction", was.direction_stored() == is.direction_stored(), way.to_owned());
            for ((key, was), is) in END_KEYS.into_iter().zip(areas_of(old)).zip(areas_of(new)) {
                let left = if gone.contains(&was.get()) { 0 } else { was.get() };
                let name = if is.get() == 0 { Some(0) } else { self.names.get(&is.get()).copied() };
                if Some(left) != name {
                    whole &= name.is_some();
                    let items = name.into_iter().filter(|name| *name != 0).map(Name::new).collect();
                    values.insert(key, Value::Items(items));
                }
            }
            self.unreached.note("values of ladders that no command has", !whole);
            if whole && !values.is_empty() {
                self.steps.sets.push(Step { item: ladder(id), deed: Deed::Set(values) });
            }
        }
    }

    /// Corners that are elsewhere: one step for all at one place, where all of them go to one place.
    fn corners(&mut self, pairs: &[(u32, u32)]) -> BTreeMap<u32, [u32; 3]> {
        let bits = |at: [f32; 3]| at.map(f32::to_bits);
        let mut places: BTreeMap<u32, [f32; 3]> = BTreeMap::new();
        // Corners by their places, hulls and moving meshes, without areas that are gone.
        let mut spots: BTreeMap<([u32; 3], u8), BTreeSet<u32>> = BTreeMap::new();
        let mut moving = BTreeSet::new();
        for (a, b) in pairs {
            let (old, new) = (self.before.outlines.of(*a), self.after.outlines.of(*b));
            let same = old.len() == new.len();
            self.unreached.note("outlines", !same);
            let Some(area) = self.before.buf.areas.get(*a as usize) else { continue };
            let mesh = self.before.buf.movable_mesh(area);
            for number in old {
                let Some(was) = self.before.at(*number) else { continue };
                spots.entry((bits(was), area.hull())).or_default().insert(*number);
                if mesh.is_some() {
                    moving.insert(*number);
                }
            }
            // Of another number of corners nobody knows which is which: the outline stays.
            for (number, now) in old.iter().zip(new).filter(|_| same) {
                let Some(is) = self.after.at(*now).filter(|_| self.before.at(*number).is_some()) else {
                    continue;
                };
                let told = *places.entry(*number).or_insert(is);
                self.unreached.note("corners that parted, one", bits(told) != bits(is));
            }
        }
        places.retain(|number, is| self.before.at(*number).is_some_and(|was| bits(was) != bits(*is)));
        let targets: BTreeSet<[u32; 3]> = places.values().copied().map(bits).collect();
        let mut done = BTreeSet::new();
        let hulls: BTreeSet<u8> = spots.keys().map(|(_, hull)| *hull).collect();
        for (number, is) in &places {
            let Some(was) = self.before.at(*number).filter(|_| !done.contains(number)) else { continue };
            let reached = !moving.contains(number)
                && is.iter().zip(was).all(|(now, was)| now.is_finite() && (!beyond(now) || beyond(&was)));
            self.unreached.note("corners out of reach, one", !reached);
            if !reached {
                continue;
            }
            let here = hulls.iter().filter_map(|hull| spots.get(&(bits(was), *hull)));
            let here: BTreeSet<u32> = here.filter(|here| here.contains(number)).flatten().copied().collect();
            let all = here.iter().all(|other| places.get(other).map(|at| bits(*at)) == Some(bits(*is)));
            let key = if all && !targets.contains(&bits(was)) { "At" } else { "Own" };
            done.extend(if key == "At" { here } else { [*number].into() });
            let values = Values::from([(key, Value::Text(spelt(*is)))]);
            self.steps.sets.push(Step { item: corner(*number), deed: Deed::Set(values) });
        }
        places.into_iter().map(|(number, at)| (number, bits(at))).collect()
    }
}
