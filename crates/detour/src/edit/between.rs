//! Tiles as one version of several: scripts of differences, and merges.

use super::editor::DetourEditor;
use super::parts::{Jump, connections, ground, polygon};
use super::values::jump_values;
use crate::buf::{DetourBuf, TileBuf};
use crate::record::{Across, Polygon};
use crate::view::DetourNav;
use navmap_core::edit::{
    Changes, Deed, Matching, Merge, Merger, Name, OTHERS, Step, Steps, Unreached, Value, Values, Version,
    spell_values,
};
use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, Point};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// Kinds that concern the mesh as a whole.
const WHOLE: &[&str] = &["form", "grid of tiles", "number of tiles"];

/// Tiles as one version of several.
#[derive(Debug)]
pub struct DetourVersion {
    buf: DetourBuf,
    /// Tile and number of every ground polygon, in the order of the graph's nodes.
    places: Vec<(u32, u32)>,
    jumps: Vec<Jump>,
}

impl DetourVersion {
    /// Reads the tiles.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(super) fn read(nav: &DetourNav<'_>) -> Result<Self> {
        let buf = DetourBuf::try_from(nav)?;
        let tiles = || (0_u32..).zip(&buf.tiles);
        let all = |(number, tile): (u32, &TileBuf)| {
            (0..ground(tile)).map(move |index| (number, u32::try_from(index).unwrap_or(u32::MAX)))
        };
        let places = tiles().flat_map(all).collect();
        let jumps = tiles().flat_map(|(number, tile)| connections(tile, number)).collect();
        Ok(Self { places, jumps, buf })
    }

    fn name(&self, position: u32) -> Option<Name> {
        let (tile, index) = self.places.get(position as usize)?;
        Some(Name::wide(u64::from(*tile) << 32 | u64::from(*index)))
    }

    fn polygon(&self, position: u32) -> Option<(&TileBuf, Polygon<'_>)> {
        let (tile, index) = self.places.get(position as usize)?;
        let tile = self.buf.tiles.get(*tile as usize)?;
        Some((tile, polygon(tile, *index as usize)?))
    }
}

/// An off-mesh connection by its number.
fn connection(number: u32) -> Name {
    Name { space: "C", id: number.into() }
}

/// Writes a step as a command.
fn spell(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let item = step.item;
    match &step.deed {
        Deed::Delete => write!(f, "delete {item}"),
        Deed::Add(values) => {
            let mut rest = values.clone();
            let mut end =
                |key| rest.remove(key).map_or_else(|| "0,0,0".to_owned(), |at: Value| at.to_string());
            write!(f, "connect {} {}", end("Start"), end("End")).and_then(|()| spell_values(&rest, f))
        }
        Deed::Set(values) => write!(f, "set {item}").and_then(|()| spell_values(values, f)),
        Deed::Unlink(..) | Deed::Link(..) | Deed::Relink(..) => Ok(()),
        Deed::Command(text) => f.write_str(text),
    }
}

/// The connections that are the same in both: those with both ends in common, then those with one.
fn same_jumps(before: &[Jump], after: &[Jump]) -> Vec<(u32, u32)> {
    type Key = [Option<[u32; 3]>; 2];
    let bits = |at: [f32; 3]| at.map(f32::to_bits);
    let ends = |jump: &Jump| [Some(bits(jump.record.start())), Some(bits(jump.record.end()))];
    let keys: [fn(Key) -> Key; 3] = [|both| both, |[start, _]| [start, None], |[_, end]| [None, end]];
    let (mut pairs, mut had, mut has) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for key in keys {
        let mut free: BTreeMap<Key, VecDeque<u32>> = BTreeMap::new();
        for (at, jump) in (0_u32..).zip(after).filter(|(at, _)| !has.contains(at)) {
            free.entry(key(ends(jump))).or_default().push_back(at);
        }
        for (at, jump) in (0_u32..).zip(before) {
            if had.contains(&at) {
                continue;
            }
            if let Some(to) = free.get_mut(&key(ends(jump))).and_then(VecDeque::pop_front) {
                had.insert(at);
                has.insert(to);
                pairs.push((at, to));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The connections that each side of a merge has of the base. One of which neither end is in its place is the one that has its
/// number, if nothing else of it differs or the other side deleted it: it moved, and is not deleted by both.
fn jumps_of_both(base: &[Jump], sides: [&[Jump]; 2]) -> [Vec<(u32, u32)>; 2] {
    let same = sides.map(|side| same_jumps(base, side));
    let stay = [&same[0], &same[1]].map(|pairs| pairs.iter().map(|(was, _)| *was).collect::<BTreeSet<u32>>());
    let moved = |own: &Vec<(u32, u32)>, side: &[Jump], stays: &BTreeSet<u32>, others: &BTreeSet<u32>| {
        let taken: BTreeSet<u32> = own.iter().map(|(_, is)| *is).collect();
        let alike = |was: &Jump, is: &Jump| {
            jump_values(Some(was), is).keys().all(|key| ["Start", "End"].contains(key))
        };
        let both = (0_u32..).zip(base.iter().zip(side));
        let both = both.filter(|(at, _)| !stays.contains(at) && !taken.contains(at));
        let both = both.filter(|(at, (was, is))| !others.contains(at) || alike(was, is));
        let mut all: Vec<(u32, u32)> = both.map(|(at, _)| (at, at)).chain(own.iter().copied()).collect();
        all.sort_unstable();
        all
    };
    [moved(&same[0], sides[0], &stay[0], &stay[1]), moved(&same[1], sides[1], &stay[1], &stay[0])]
}

/// What both versions have: polygons by their positions, and connections by their numbers.
type Both<'p> = [&'p [(u32, u32)]; 2];

/// The commands that turn `before` into `after`, and what they leave.
///
/// # Errors
/// If a version cannot be written again.
fn difference(before: &DetourVersion, after: &DetourVersion, both: Both<'_>) -> Result<Changes> {
    let mut changes = commands(before, after, both);
    let known = !changes.unreached.is_empty();
    match left(before, after, &mut changes) {
        Ok(left) if !known => changes.unreached.extend(left),
        Err(error) if !known => return Err(error),
        _ => {}
    }
    Ok(changes)
}

/// What differs after the commands, which are tried on a copy. Those that are refused are taken out.
fn left(before: &DetourVersion, after: &DetourVersion, changes: &mut Changes) -> Result<Vec<String>> {
    let (bytes, wanted) = (before.buf.encode()?, after.buf.encode()?);
    let others = || Ok(vec![OTHERS.to_owned()]);
    let made = match DetourEditor::of_nav(&DetourNav::parse(&bytes)?, &bytes) {
        Ok(editor) => changes.tried(editor).editor().to_buf(),
        // Layers of a tile cache are not edited.
        Err(_) => Ok(before.buf.clone()),
    };
    let Ok(made) = made else { return others() };
    if made.encode()? == wanted {
        return Ok(Vec::new());
    }
    let mut unreached = Unreached::default();
    made.tiles.iter().zip(&after.buf.tiles).for_each(|(made, wanted)| sections(made, wanted, &mut unreached));
    match unreached.words(["tile", "tiles"], &[]) {
        words if words.is_empty() => others(),
        words => Ok(words),
    }
}

/// Names the sections in which two tiles differ.
fn sections(a: &TileBuf, b: &TileBuf, unreached: &mut Unreached) {
    let head = |tile: &TileBuf| {
        let head = &tile.head;
        let bits = |numbers: [f32; 3]| numbers.map(f32::to_bits);
        let space = (head.agent.map(bits), bits(head.min), bits(head.max), head.factor.to_bits());
        (head.version, head.at, head.layer, head.user_id, head.max_links, space)
    };
    unreached.note("head", head(a) != head(b));
    unreached.note("reference", (a.reference, a.padding) != (b.reference, b.padding));
    unreached.note("vertices", a.vertices != b.vertices);
    unreached.note("kinds of polygons", a.polygons.as_bytes() != b.polygons.as_bytes());
    unreached.note("links", a.links.as_bytes() != b.links.as_bytes());
    unreached.note("detail meshes", a.details != b.details || a.detail_vertices != b.detail_vertices);
    unreached.note("detail triangles", a.triangles.as_bytes() != b.triangles.as_bytes());
    unreached.note("tree", a.tree != b.tree);
    unreached.note("off-mesh connections", a.off_mesh.as_bytes() != b.off_mesh.as_bytes());
    unreached.note("map and rest", a.map != b.map || a.rest != b.rest);
}

fn commands(before: &DetourVersion, after: &DetourVersion, [pairs, same]: Both<'_>) -> Changes {
    let (mut steps, mut unreached) = (Steps::default(), Unreached::default());
    let (old, new) = (&before.buf, &after.buf);
    let form = |buf: &DetourBuf| (buf.dialect, buf.order, buf.refs, buf.version);
    unreached.note("form", form(old) != form(new));
    unreached.note("grid of tiles", old.parameters != new.parameters || old.bounds != new.bounds);
    unreached.note("number of tiles", old.tiles.len() != new.tiles.len());
    let to_new: BTreeMap<u32, u32> = pairs.iter().copied().collect();
    let to_old: BTreeSet<u32> = pairs.iter().map(|(_, to)| *to).collect();
    for at in 0..u32::try_from(before.places.len()).unwrap_or(u32::MAX) {
        let Some(item) = before.name(at) else { continue };
        let Some(to) = to_new.get(&at) else {
            steps.gone.push(Step { item, deed: Deed::Delete });
            continue;
        };
        let (Some((was_tile, was)), Some((is_tile, is))) = (before.polygon(at), after.polygon(*to)) else {
            continue;
        };
        let mut values = Values::new();
        if was.area() != is.area() {
            values.insert("Area", Value::Text(is.area().to_string()));
        }
        if was.flags() != is.flags() {
            values.insert("Flags", Value::Text(is.flags().to_string()));
        }
        if !values.is_empty() {
            steps.sets.push(Step { item, deed: Deed::Set(values) });
        }
        unreached.note("shape", shape(was_tile, &was) != shape(is_tile, &is));
        // A neighbour that is gone leaves a wall.
        let of = |position: u32, list: &DetourVersion, stored: u16| match Across::decode(stored) {
            Across::Inner(to) => {
                let (_, index) = list.places.get(position as usize).copied().unwrap_or_default();
                position.checked_sub(index).and_then(|base| base.checked_add(to.into()))
            }
            Across::Wall | Across::Portal(_) => None,
        };
        let differs = was.neighbours().iter().zip(is.neighbours()).any(|(was, is)| {
            let (was, is) = (was.get(), is.get());
            match of(at, before, was) {
                Some(neighbour) => to_new.get(&neighbour).copied() != of(*to, after, is),
                None => was != is,
            }
        });
        unreached.note("neighbours", differs);
    }
    let fresh = (0..u32::try_from(after.places.len()).unwrap_or(u32::MAX)).filter(|at| !to_old.contains(at));
    fresh.for_each(|_| unreached.note("outlines of new ones", true));
    // A connection needs the polygons under its ends, which may be among those that go.
    let polygons = std::mem::take(&mut steps.gone);
    jumps(&before.jumps, &after.jumps, same, &mut steps, &mut unreached);
    let steps = [steps.in_order(), polygons].concat();
    Changes::new(steps, unreached.words(["polygon", "polygons"], WHOLE), spell)
}

fn jumps(before: &[Jump], after: &[Jump], same: &[(u32, u32)], steps: &mut Steps, unreached: &mut Unreached) {
    let (stays, had): (BTreeSet<u32>, BTreeSet<u32>) = same.iter().copied().unzip();
    let whole = |jump: &Jump| {
        let row = &jump.record;
        let ends = [row.start(), row.end()];
        ends.iter().flatten().chain([&row.radius()]).all(|value| value.is_finite())
    };
    for at in (0..u32::try_from(before.len()).unwrap_or(u32::MAX)).filter(|at| !stays.contains(at)) {
        steps.gone.push(Step { item: connection(at), deed: Deed::Delete });
    }
    for &(was_at, is_at) in same {
        let (Some(was), Some(is)) = (before.get(was_at as usize), after.get(is_at as usize)) else {
            continue;
        };
        let values = jump_values(Some(was), is);
        unreached.note("connections with values that are no numbers, one", !values.is_empty() && !whole(is));
        if !values.is_empty() && whole(is) {
            steps.sets.push(Step { item: connection(was_at), deed: Deed::Set(values) });
        }
    }
    let mut number = u32::try_from(before.len()).unwrap_or(u32::MAX);
    for (_, jump) in (0_u32..).zip(after).filter(|(at, _)| !had.contains(at)) {
        unreached.note("connections with values that are no numbers, one", !whole(jump));
        if whole(jump) {
            steps.made.push(Step { item: connection(number), deed: Deed::Add(jump_values(None, jump)) });
            number = number.saturating_add(1);
        }
    }
}

/// The corners of a polygon.
fn shape(tile: &TileBuf, polygon: &Polygon<'_>) -> Vec<Option<[u32; 3]>> {
    let corner = |stored: usize| tile.vertices.get(stored).map(|vertex| vertex.to_array().map(f32::to_bits));
    polygon.corners().iter().map(|stored| corner(usize::from(stored.get()))).collect()
}

impl Version for DetourVersion {
    const MERGE: Option<Merger<Self>> = Some(|base, [ours, theirs], [to_ours, to_theirs]| {
        let [of_ours, of_theirs] = jumps_of_both(&base.jumps, [&ours.jumps, &theirs.jumps]);
        let mine = commands(base, ours, [to_ours, &of_ours]);
        let wanted = difference(base, theirs, [to_theirs, &of_theirs])?;
        let polygons = to_ours.iter().filter_map(|(a, b)| Some((base.name(*a)?, ours.name(*b)?)));
        let jumps = of_ours.iter().map(|(a, b)| (connection(*a), connection(*b)));
        let names = polygons.chain(jumps).collect();
        let most = u32::try_from(base.jumps.len().max(ours.jumps.len())).unwrap_or(u32::MAX);
        Ok(Merge::new(mine.into(), wanted.into(), names, (0..most).map(connection), &["Start", "End"]))
    });

    fn difference(
        &self,
        after: &Self,
        [before, now]: [&FlatGraph; 2],
        matching: &dyn Matching,
    ) -> Result<Changes> {
        let same = same_jumps(&self.jumps, &after.jumps);
        difference(self, after, [&matching.pairs(before, now), &same])
    }

    fn place(&self, item: Name) -> Option<Point> {
        let jump = self.jumps.get(usize::try_from(item.id).ok()?).filter(|_| item.space == "C")?;
        Some(jump.record.start().into())
    }
}
