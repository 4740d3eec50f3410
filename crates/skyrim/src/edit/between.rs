//! The difference of two versions of a plugin's navmeshes, as commands.

use super::compare::{compare, only_in_one};
use super::editor::SkyrimEditor;
use super::slot::Slot;
use crate::buf::{DoorBuf, NavMeshBuf};
use crate::change::doubled_area;
use crate::flags::{BOUND, TriangleFlags};
use crate::form::FormId;
use crate::graph::metres_per_unit;
use navmap_core::edit::{
    Changes, Deed, Editor, MOST_NAMES, Name, Session, SessionOptions, Step, Unreached, spell_commands,
};
use navmap_core::error::Result;
use navmap_core::graph::{Axes, FlatGraph, Point, Shape};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The commands that turn `before` into `after`: triangles deleted and flipped, corners, flags, cover words of version 12, links
/// and doors. `matching` pairs the triangles that are the same in two graphs of a mesh, by position.
///
/// The commands are run on a copy. Remaining differences are counted as unreached: new triangles, cover of version 13 and later,
/// other records. Linear in triangles, apart from `matching`. FormIDs are those of `before`: see [`Renumbered`](crate::Renumbered).
///
/// # Errors
/// If the old file cannot be written again.
pub fn difference(
    before: &SkyrimEditor,
    after: &SkyrimEditor,
    matching: impl Fn(&FlatGraph, &FlatGraph) -> Vec<(u32, u32)>,
) -> Result<Changes> {
    let renumbered = after.numbered_as(before)?;
    let after = renumbered.as_ref().unwrap_or(after);
    let mut meshes = Vec::new();
    for (here, slot) in (0_u32..).zip(&before.slots) {
        // Of two records with one FormID the first is named.
        // As it stands: of a plugin and its master, what is of a master in one may be the other's own.
        let there = after.forms.get(&slot.form).copied().filter(|_| before.is_named(here));
        let Some((there, other)) = there.and_then(|there| Some((there, after.slot(there)?))) else {
            continue;
        };
        let same = slot.mesh.same(&other.mesh);
        let pairs = match same {
            true => slot.ids.iter().map(|id| (*id, *id)).collect(),
            false => {
                let counts = [slot.mesh.triangles.len(), other.mesh.triangles.len()].map(|len| len as u32);
                filled(matching(&flat(&slot.mesh), &flat(&other.mesh)), counts)
            }
        };
        let back = pairs.iter().map(|(id, place)| (*place, *id)).collect();
        meshes.push(Pair { here, there, same, pairs, back });
    }
    let session = Session::new(before.again()?, SessionOptions::default());
    let by_there = (0..).zip(&meshes).map(|(at, pair)| (pair.there, at)).collect();
    let mut work = Work { after, session, meshes, by_there, steps: Vec::new() };
    work.run();
    let unreached = work.unreached(before)?;
    Ok(Changes::new(work.steps, unreached, spell_commands))
}

/// Adds triangles that moved too far to be matched. Triangles keep their order: equal numbers of them between two matched ones
/// are the same.
fn filled(mut pairs: Vec<(u32, u32)>, [before, after]: [u32; 2]) -> Vec<(u32, u32)> {
    pairs.sort_unstable();
    let mut more = Vec::new();
    let (mut a, mut b) = (0, 0);
    for (to_a, to_b) in pairs.iter().copied().chain([(before, after)]) {
        if to_b < b {
            // The order differs here.
            continue;
        }
        if to_a.checked_sub(a) == to_b.checked_sub(b) {
            more.extend((a..to_a).zip(b..to_b));
        }
        (a, b) = (to_a.saturating_add(1), to_b.saturating_add(1));
    }
    let taken: BTreeSet<u32> = pairs.iter().map(|(_, place)| *place).collect();
    pairs.extend(more.into_iter().filter(|(_, place)| !taken.contains(place)));
    pairs.sort_unstable();
    pairs
}

/// The triangles of a mesh, by their places, each from its first corner and facing up: one that was turned over lies where
/// it lay.
fn flat(mesh: &NavMeshBuf) -> FlatGraph {
    let mut graph = FlatGraph::new("triangle", Axes::z_up(metres_per_unit(mesh.version)));
    for (place, triangle) in (0..).zip(&mesh.triangles) {
        let mut corners = mesh.corners(triangle);
        if doubled_area(corners) < 0.0 {
            corners.swap(1, 2);
        }
        let order = |[ax, ay, az]: &[f32; 3], [bx, by, bz]: &[f32; 3]| {
            ax.total_cmp(bx).then(ay.total_cmp(by)).then(az.total_cmp(bz))
        };
        let first = corners.iter().enumerate().min_by(|(_, a), (_, b)| order(a, b)).map_or(0, |(at, _)| at);
        corners.rotate_left(first);
        let corners = corners.map(Point::from);
        graph.add_node(place, Shape::Polygon(&corners));
    }
    graph
}

/// Whether moving a whole mesh brings everything to where another version has it. `used` vertices are corners of triangles,
/// which have been compared.
fn lands(now: &NavMeshBuf, is: &NavMeshBuf, by: [f32; 3], used: usize) -> bool {
    let mut moved = now.clone();
    let all = (0_u16..).zip(&now.triangles).map(|(index, _)| index).collect();
    if moved.shift(by, &all).is_none() {
        return false;
    }
    let vertices = |mesh: &NavMeshBuf| -> Vec<_> {
        mesh.vertices.iter().map(|vertex| vertex.map(f32::to_bits)).collect()
    };
    let waypoints = |mesh: &NavMeshBuf| -> Vec<_> {
        mesh.waypoints.iter().map(|waypoint| waypoint.point().to_array().map(f32::to_bits)).collect()
    };
    let whole = used == now.vertices.len() || vertices(&moved) == vertices(is);
    whole && waypoints(&moved) == waypoints(is)
}

/// A mesh that both have.
pub(super) struct Pair {
    /// Its index among the old meshes, and among the new ones.
    pub(super) here: u32,
    pub(super) there: u32,
    same: bool,
    /// Pairs of triangles that are the same: the old number, the new index.
    pub(super) pairs: Vec<(u32, u32)>,
    /// The same, by the place after.
    pub(super) back: HashMap<u32, u32>,
}

pub(super) struct Work<'m> {
    pub(super) after: &'m SkyrimEditor,
    pub(super) session: Session<SkyrimEditor>,
    pub(super) meshes: Vec<Pair>,
    /// The index in `meshes` of a new mesh.
    pub(super) by_there: HashMap<u32, usize>,
    steps: Vec<Step>,
}

impl Work<'_> {
    fn run(&mut self) {
        self.delete();
        self.each(Self::flip);
        self.each(Self::unlink);
        self.each(Self::part);
        self.each(Self::join);
        self.remove_doors();
        self.each(Self::corners);
        self.flags();
        self.cover();
        self.each(Self::link);
        self.each(Self::add_doors);
    }

    /// Runs a command on the copy. A command that is refused or changes nothing is dropped.
    pub(super) fn command(&mut self, text: String) {
        let steps = self.session.steps();
        if self.session.line(&text).is_ok() && self.session.steps() > steps {
            self.steps.push(Step { item: Name::new(0), deed: Deed::Command(text) });
        }
    }

    /// Commands with the names of many triangles, several per line.
    fn commands(&mut self, head: &str, names: &[String]) {
        for names in names.chunks(MOST_NAMES) {
            self.command(format!("{head} {}", names.join("+")));
        }
    }

    /// Runs a step for each mesh that differs.
    fn each(&mut self, run: fn(&mut Self, usize)) {
        for at in 0..self.meshes.len() {
            if self.meshes.get(at).is_some_and(|pair| !pair.same) {
                run(self, at);
            }
        }
    }

    pub(super) fn now(&self, mesh: u32) -> Option<&Slot> {
        self.session.editor().slot(mesh)
    }

    pub(super) fn slots(&self, at: usize) -> Option<(&Pair, &Slot, &Slot)> {
        let pair = self.meshes.get(at)?;
        Some((pair, self.now(pair.here)?, self.after.slot(pair.there)?))
    }

    pub(super) fn name(slot: &Slot, id: u32) -> String {
        match slot.form.is_null() {
            true => format!("#{id}"),
            false => format!("{}#{id}", slot.form),
        }
    }

    fn delete(&mut self) {
        for at in 0..self.meshes.len() {
            let Some((pair, now, _)) = self.slots(at).filter(|(pair, ..)| !pair.same) else { continue };
            let stays: BTreeSet<u32> = pair.pairs.iter().map(|(id, _)| *id).collect();
            let gone = now.ids.iter().filter(|id| !stays.contains(id));
            let names: Vec<String> = gone.map(|id| Self::name(now, *id)).collect();
            self.commands("delete", &names);
        }
    }

    /// Flips triangles that now face the other way.
    fn flip(&mut self, at: usize) {
        let Some((pair, now, is)) = self.slots(at) else { return };
        let bits = |corners: [[f32; 3]; 3]| corners.map(|corner| corner.map(f32::to_bits));
        let turned = pair.pairs.iter().filter(|(id, place)| {
            let (Some(was), Some(is_now)) = (now.triangle(*id), is.mesh.triangles.get(*place as usize))
            else {
                return false;
            };
            let (was, is_now) = (now.mesh.corners(was), is.mesh.corners(is_now));
            let ([a, b, c], other) = (bits(was), bits(is_now));
            if doubled_area(was) * doubled_area(is_now) >= 0.0 {
                return false;
            }
            // A corner that moved over the opposite side flips a triangle too, but its edges stay.
            let [[first, third], [_, other_third]] =
                [self.beside(at, *id, *place, 0), self.beside(at, *id, *place, 2)];
            [a, c, b] == other || first.is_some() && first == other_third && first != third
        });
        let names: Vec<String> = turned.map(|(id, _)| Self::name(now, *id)).collect();
        self.commands("flip", &names);
    }

    /// Moves vertices: one command moves the whole mesh if all moved alike, else one command for each.
    fn corners(&mut self, at: usize) {
        let Some((pair, now, is)) = self.slots(at) else { return };
        let mut wanted: BTreeMap<u16, ([f32; 3], u32, usize)> = BTreeMap::new();
        for (id, place) in &pair.pairs {
            let (Some(was), Some(is_now)) = (now.triangle(*id), is.mesh.triangles.get(*place as usize))
            else {
                continue;
            };
            for (corner, (vertex, to)) in was.vertices.into_iter().zip(is.mesh.corners(is_now)).enumerate() {
                wanted.entry(vertex).or_insert((to, *id, corner));
            }
        }
        let moves: Vec<([f32; 3], [f32; 3], u32, usize)> = wanted
            .into_iter()
            .filter_map(|(vertex, (to, id, corner))| {
                Some((*now.mesh.vertices.get(usize::from(vertex))?, to, id, corner))
            })
            .collect();
        let way = |(from, to, ..): &([f32; 3], [f32; 3], u32, usize)| {
            let ([ax, ay, az], [bx, by, bz]) = (from, to);
            [bx - ax, by - ay, bz - az]
        };
        let same = |a: [f32; 3], b: [f32; 3]| a.map(f32::to_bits) == b.map(f32::to_bits);
        let as_one = moves.first().map(way).filter(|[dx, dy, dz]| {
            moves.iter().any(|(from, to, ..)| !same(*from, *to))
                && moves.iter().all(|([x, y, z], to, ..)| same([x + dx, y + dy, z + dz], *to))
                && lands(&now.mesh, &is.mesh, [*dx, *dy, *dz], moves.len())
        });
        let lines: Vec<String> = match as_one {
            Some([dx, dy, dz]) if now.form.is_null() => vec![format!("move {dx} {dy} {dz}")],
            Some([dx, dy, dz]) => vec![format!("move {dx} {dy} {dz} mesh({})", now.form)],
            None => moves
                .iter()
                .filter(|(from, to, ..)| !same(*from, *to))
                .map(|(_, [x, y, z], id, corner)| {
                    format!("corner {} {corner} {x},{y},{z}", Self::name(now, *id))
                })
                .collect(),
        };
        lines.into_iter().for_each(|line| self.command(line));
    }

    /// Names of triangles, grouped by the change they need.
    fn grouped<K: Ord>(&self, each: impl Fn(&Slot, &Slot, u16, u16) -> Vec<K>) -> BTreeMap<K, Vec<String>> {
        let mut groups: BTreeMap<K, Vec<String>> = BTreeMap::new();
        for at in 0..self.meshes.len() {
            let Some((pair, now, is)) = self.slots(at).filter(|(pair, ..)| !pair.same) else { continue };
            for (id, place) in &pair.pairs {
                let (Some(here), Ok(there)) = (now.place(*id), u16::try_from(*place)) else { continue };
                for key in each(now, is, here, there) {
                    groups.entry(key).or_default().push(Self::name(now, *id));
                }
            }
        }
        groups
    }

    fn flags(&mut self) {
        let of = |slot: &Slot, place: u16| {
            slot.mesh.triangles.get(usize::from(place)).map_or(0, |triangle| triangle.flags.0 & !BOUND)
        };
        let groups = self.grouped(|now, is, here, there| {
            let (was, is) = (of(now, here), of(is, there));
            let both = [(true, is & !was), (false, was & !is)];
            both.into_iter().filter(|(_, bits)| *bits != 0).collect()
        });
        for ((on, bits), names) in groups {
            let verb = if on { "set" } else { "clear" };
            self.commands(&format!("{verb} {}", flag_names(bits)), &names);
        }
    }

    fn cover(&mut self) {
        let of = |slot: &Slot, place: u16| slot.mesh.triangles.get(usize::from(place)).map(|t| t.cover);
        let groups = self.grouped(|now, is, here, there| {
            let differs = !now.mesh.shape.tall && of(now, here) != of(is, there);
            of(is, there).filter(|_| differs).into_iter().collect()
        });
        for (word, names) in groups {
            self.commands(&format!("cover {word:04X}"), &names);
        }
    }

    /// The doors of a new mesh, by old triangle numbers, in stored order.
    fn doors_then(&self, at: usize) -> Vec<(u32, FormId)> {
        let Some((pair, _, is)) = self.slots(at) else { return Vec::new() };
        let form = |door: &DoorBuf| self.after.owners.canonical(door.reference);
        let doors = is.mesh.doors.iter();
        doors.filter_map(|door| Some((*pair.back.get(&door.triangle.into())?, form(door)))).collect()
    }

    fn doors_now(&self, at: usize) -> BTreeSet<(u32, FormId)> {
        let Some((_, now, _)) = self.slots(at) else { return BTreeSet::new() };
        let owners = self.session.editor().owners;
        let form = |door: &DoorBuf| owners.canonical(door.reference);
        let doors = now.mesh.doors.iter();
        doors.filter_map(|door| Some((*now.ids.get(usize::from(door.triangle))?, form(door)))).collect()
    }

    fn remove_doors(&mut self) {
        let mut gone = BTreeSet::new();
        for at in 0..self.meshes.len() {
            let then: BTreeSet<_> = self.doors_then(at).into_iter().collect();
            gone.extend(self.doors_now(at).difference(&then).map(|(_, reference)| *reference));
        }
        gone.into_iter().for_each(|reference| self.command(format!("door remove {reference}")));
    }

    fn add_doors(&mut self, at: usize) {
        let now = self.doors_now(at);
        let new = self.doors_then(at).into_iter().filter(|door| !now.contains(door));
        // A door of a file that the old one does not know cannot be named there: its index would mean the old one itself.
        let owners = self.session.editor().owners;
        for (id, reference) in new.filter(|(_, reference)| owners.canonical(*reference) == *reference) {
            let Some((_, slot, _)) = self.slots(at) else { return };
            let name = Self::name(slot, id);
            self.command(format!("door add {name} {reference}"));
        }
    }

    /// The differences left by the commands.
    fn unreached(&self, before: &SkyrimEditor) -> Result<Vec<String>> {
        let made = self.session.editor().encode()?;
        if made == self.after.original {
            return Ok(Vec::new());
        }
        let mut unreached = Unreached::default();
        for at in 0..self.meshes.len() {
            if let Some((_, now, is)) = self.slots(at).filter(|(pair, ..)| !pair.same) {
                compare(self, at, now, &is.mesh, &mut unreached);
            }
        }
        let mut words = unreached.words(["navmesh", "navmeshes"], &[]);
        words.extend(only_in_one(before, self.after));
        if words.is_empty() {
            words.push("records other than navmeshes, or how records are packed".to_owned());
        }
        Ok(words)
    }
}

/// Flags in the form that `set` takes. Unnamed bits are numbers.
fn flag_names(bits: u16) -> String {
    let named = TriangleFlags::NAMED.iter().filter(|(_, flag)| bits & flag.0 != 0);
    let mut names: Vec<String> = named.clone().map(|(name, _)| (*name).to_owned()).collect();
    let rest = named.fold(bits, |rest, (_, flag)| rest & !flag.0);
    names.extend((rest != 0).then(|| format!("0x{rest:04X}")));
    names.join(",")
}
