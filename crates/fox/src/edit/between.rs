//! The difference of two versions of a tile, as commands.

use super::compare::compare;
use super::editor::{FoxEditor, corners_of};
use super::join::leads;
use crate::buf::{FoxBuf, GroupBuf};
use crate::flags::TILE_SIDE;
use crate::record::{Position, TileId};
use navmap_core::edit::{Changes, Deed, MOST_NAMES, Name, Session, SessionOptions, Step, spell_commands};
use navmap_core::error::Result;
use navmap_core::graph::{Axes, FlatGraph, Point, Shape};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Map widths in tiles to try, the usual one first.
const COLUMNS: [u16; 6] = [64, 32, 16, 96, 128, 2];

/// A face or a segment: its group and its number there, both by position.
type Part = (usize, usize);

/// The commands that turn `before` into `after`: another tile id and place, attributes, islands dropped, merged or rebuilt, links
/// between segments, faces deleted. `matching` pairs faces that are the same in two graphs, by position.
///
/// The commands are run on a copy. Remaining differences are counted as unreached: new and moved faces, weights made by the
/// games, exits of the tile. Linear in faces, apart from `matching`.
///
/// # Errors
/// If the old tile does not fit its format.
pub fn difference(
    before: &FoxBuf,
    after: &FoxBuf,
    matching: impl Fn(&FlatGraph, &FlatGraph) -> Vec<(u32, u32)>,
) -> Result<Changes> {
    let (old, new) = (faces(before), faces(after));
    let pairs = matching(&flat(before, &old), &flat(after, &new));
    let pairs: Vec<(Part, Part)> = pairs
        .into_iter()
        .filter_map(|(a, b)| Some((*old.get(a as usize)?, *new.get(b as usize)?)))
        .filter(|((a, _), (b, _))| {
            let id = |tile: &FoxBuf, at: usize| tile.groups.get(at).map(|group| group.id.group());
            id(before, *a) == id(after, *b)
        })
        .collect();
    let plan = |islands: Islands| -> Result<(Vec<Step>, Vec<String>)> {
        let session = Session::new(FoxEditor::new(before.clone())?, SessionOptions::default());
        let mut work = Work { before, after, pairs: &pairs, session, steps: Vec::new() };
        work.run(islands);
        let unreached = compare(work.session.editor(), after)?;
        Ok((work.steps, unreached))
    };
    let (had, has) = (!before.islands.is_empty(), !after.islands.is_empty());
    let (mut steps, mut unreached) = plan(if had && !has { Islands::Drop } else { Islands::Keep })?;
    if has && !unreached.is_empty() {
        let (other, left) = plan(Islands::Renew)?;
        if left.len() < unreached.len() {
            (steps, unreached) = (other, left);
        }
    }
    Ok(Changes::new(steps, unreached, spell_commands))
}

fn faces(tile: &FoxBuf) -> Vec<Part> {
    let groups = tile.groups.iter().enumerate();
    groups.flat_map(|(group, buf)| (0..buf.mesh.faces.len()).map(move |face| (group, face))).collect()
}

/// The faces of a tile, in metres from its corner. Ids are numbers of faces and groups, without the tile.
fn flat(tile: &FoxBuf, faces: &[Part]) -> FlatGraph {
    let mut graph = FlatGraph::new("face", Axes::y_up(1.0));
    let mut frame = tile.head.frame();
    frame.origin = [0.0; 3];
    for (group, face) in faces {
        let Some(buf) = tile.groups.get(*group) else { continue };
        let corners = corners_of(buf, *face).unwrap_or_default();
        let corners: Vec<Point> = corners.iter().map(|at: &Position| frame.world(at).into()).collect();
        let id = u64::from(buf.id.index()) << 32 | *face as u64;
        graph.add_node(id, Shape::Polygon(&corners));
    }
    graph
}

/// The fate of the island graphs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Islands {
    Keep,
    Drop,
    /// Dropped first and rebuilt last.
    Renew,
}

struct Work<'m> {
    before: &'m FoxBuf,
    after: &'m FoxBuf,
    /// Faces that are the same, before and after.
    pairs: &'m [(Part, Part)],
    session: Session<FoxEditor>,
    steps: Vec<Step>,
}

impl Work<'_> {
    fn run(&mut self, islands: Islands) {
        self.place();
        if islands != Islands::Keep {
            self.command("drop_islands".to_owned());
        }
        self.attributes();
        if islands == Islands::Keep {
            self.merge_islands();
        }
        self.links();
        self.delete();
        if islands == Islands::Renew {
            self.command("rebuild_islands".to_owned());
        }
    }

    /// Runs a command on the copy. A command that is refused or changes nothing is dropped.
    fn command(&mut self, text: String) -> bool {
        let steps = self.session.steps();
        let done = self.session.line(&text).is_ok();
        if done && self.session.steps() > steps {
            self.steps.push(Step { item: Name::new(0), deed: Deed::Command(text) });
        }
        done
    }

    /// Adds a command that is refused if another part of the tile would have to change with it.
    fn alone(&mut self, text: String) {
        if !self.command(text.clone()) {
            self.command(format!("{text} --alone"));
        }
    }

    fn now(&self) -> &FoxBuf {
        self.session.editor().tile()
    }

    /// Sets the number of the tile, then its position.
    fn place(&mut self) {
        let (was, is) = (self.before.head, self.after.head);
        if was.tile() != is.tile()
            && let Some((columns, (x, z))) = self.columns(was.tile(), is.tile())
        {
            let links =
                if super::place::crossings(self.after) > 0 { "--shift-links" } else { "--drop-links" };
            let grid = if columns == 64 { String::new() } else { format!(" --grid {columns}") };
            self.command(format!("tile {x},{z}{grid} {links}"));
        }
        let [from, to] = [self.now().head.origin, is.origin].map(|origin| origin.map(|v| v.get()));
        let ([ax, ay, az], [bx, by, bz]) = (from, to);
        if from.map(f32::to_bits) != to.map(f32::to_bits) {
            self.command(format!("move {} {} {}", bx - ax, by - ay, bz - az));
        }
    }

    /// The number of columns for which both tiles are where their numbers say, and the name of the second.
    fn columns(&self, was: TileId, is: TileId) -> Option<(u16, (u16, u16))> {
        let [a, b] = [self.before, self.after].map(|tile| tile.head.origin.map(|v| v.get()));
        let ([ax, _, az], [bx, _, bz]) = (a, b);
        let fits = |columns: &u16| {
            let (Some(from), Some(to)) = (was.cell(*columns), is.cell(*columns)) else { return false };
            let [dx, dz] = [(to.0, from.0), (to.1, from.1)]
                .map(|(to, from)| (f32::from(to) - f32::from(from)) * TILE_SIDE);
            (bx - ax - dx).abs() < 1.0 && (bz - az - dz).abs() < 1.0
        };
        let columns = COLUMNS.iter().find(|columns| fits(columns)).or(COLUMNS.first())?;
        Some((*columns, is.coordinates(*columns)?))
    }

    /// The segment of a face, in a tile.
    fn segment(tile: &FoxBuf, (group, face): Part) -> Option<Part> {
        let segment = tile.groups.get(group)?.mesh.faces.get(face)?.segment.index();
        Some((group, segment))
    }

    fn attribute(tile: &FoxBuf, (group, segment): Part) -> Option<u16> {
        tile.groups.get(group)?.world.attributes.get(segment).map(|attribute| attribute.get())
    }

    /// The old segments, each with one that it has become.
    fn segments(&self) -> BTreeMap<Part, Part> {
        let mut segments = BTreeMap::new();
        for (was, is) in self.pairs {
            if let (Some(was), Some(is)) = (Self::segment(self.before, *was), Self::segment(self.after, *is))
            {
                segments.entry(was).or_insert(is);
            }
        }
        segments
    }

    fn name(&self, space: &str, (group, number): Part) -> String {
        let id = self.before.groups.get(group).map_or(0, |group| group.id.index());
        format!("{space}#{id}.{number}")
    }

    fn attributes(&mut self) {
        let mut wanted: BTreeMap<u16, Vec<Part>> = BTreeMap::new();
        for (was, is) in self.segments() {
            if let (Some(from), Some(to)) =
                (Self::attribute(self.before, was), Self::attribute(self.after, is))
                && from != to
            {
                wanted.entry(to).or_default().push(was);
            }
        }
        for (value, segments) in wanted {
            // An island changes completely or not at all.
            let mut islands: BTreeMap<Option<u16>, Vec<Part>> = BTreeMap::new();
            for part in segments {
                let node = self.now().groups.get(part.0).and_then(|group| group.graph.nodes.get(part.1));
                let island = node.map(|node| node.islands).map(|[first, ..]| first);
                let island = island.filter(|_| !self.now().islands.is_empty());
                islands.entry(island).or_default().push(part);
            }
            for (island, parts) in islands {
                let names: Vec<String> = parts.iter().map(|part| self.name("", *part)).collect();
                match island {
                    Some(island) if self.session.editor().of_island(island.into()) == parts => {
                        self.alone(format!("attribute 0x{value:04X} I#{island}"));
                    }
                    _ => names.chunks(MOST_NAMES).for_each(|names| {
                        self.alone(format!("attribute 0x{value:04X} {}", names.join("+")));
                    }),
                }
            }
        }
    }

    /// Merges islands that are one island afterwards.
    fn merge_islands(&mut self) {
        let island = |tile: &FoxBuf, (group, segment): Part| {
            let [first, ..] = tile.groups.get(group)?.graph.nodes.get(segment)?.islands;
            (first != 0xFFFF).then_some(first)
        };
        let mut parts: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
        for (was, is) in self.segments() {
            if let (Some(from), Some(to)) = (island(self.before, was), island(self.after, is)) {
                parts.entry(to).or_default().insert(from);
            }
        }
        let merged = parts.values().filter(|parts| parts.len() > 1);
        let mut merged: Vec<(u16, u16)> = merged
            .flat_map(|parts| {
                let first = parts.first().copied().unwrap_or(0);
                parts.iter().skip(1).map(move |part| (*part, first))
            })
            .collect();
        // Highest number first, so that lower ones stay valid.
        merged.sort_unstable();
        for (gone, kept) in merged.into_iter().rev() {
            self.command(format!("merge_islands I#{kept} I#{gone}"));
        }
    }

    /// Segments joined by sides of faces, each pair once with those sides.
    fn joints(groups: &[GroupBuf], rename: impl Fn(Part) -> Option<Part>) -> BTreeSet<(Part, Part)> {
        let mut joints = BTreeSet::new();
        for (at, group) in groups.iter().enumerate() {
            for (face, buf) in group.mesh.faces.iter().enumerate() {
                for side in 0..buf.sides() {
                    let there = leads(groups, (at, face, side)).and_then(&rename);
                    if let (Some(here), Some(there)) = (rename((at, face)), there) {
                        joints.insert((here.min(there), here.max(there)));
                    }
                }
            }
        }
        joints
    }

    fn links(&mut self) {
        let (stay, back): (BTreeSet<Part>, HashMap<Part, Part>) = (
            self.pairs.iter().map(|(was, _)| *was).collect(),
            self.pairs.iter().map(|(a, b)| (*b, *a)).collect(),
        );
        let old = Self::joints(&self.before.groups, |face| stay.contains(&face).then_some(face));
        let new = Self::joints(&self.after.groups, |face| back.get(&face).copied());
        for (verb, joints) in [("unlink", old.difference(&new)), ("link", new.difference(&old))] {
            let segments: BTreeSet<(Part, Part)> = joints
                .filter_map(|(a, b)| {
                    let (a, b) = (Self::segment(self.before, *a)?, Self::segment(self.before, *b)?);
                    (a != b).then_some((a.min(b), a.max(b)))
                })
                .collect();
            for (a, b) in segments {
                self.command(format!("{verb} {} {}", self.name("", a), self.name("", b)));
            }
        }
    }

    /// Deletes faces, those of the last segments first: a deletion renumbers everything after it.
    fn delete(&mut self) {
        let stay: BTreeSet<Part> = self.pairs.iter().map(|(was, _)| *was).collect();
        let mut gone: BTreeMap<Part, Vec<Part>> = BTreeMap::new();
        for face in faces(self.before).into_iter().filter(|face| !stay.contains(face)) {
            if let Some(segment) = Self::segment(self.before, face) {
                gone.entry(segment).or_default().push(face);
            }
        }
        let mut names: Vec<String> = Vec::new();
        for (segment, faces) in gone.into_iter().rev() {
            let all = self.before.groups.get(segment.0).and_then(|group| group.segments.get(segment.1));
            match all.is_some_and(|all| all.faces().len() == faces.len()) {
                true => names.push(self.name("", segment)),
                false => names.extend(faces.iter().rev().map(|face| self.name("F", *face))),
            }
            if names.len() >= MOST_NAMES {
                self.alone(format!("delete {}", names.join("+")));
                names.clear();
            }
        }
        if !names.is_empty() {
            self.alone(format!("delete {}", names.join("+")));
        }
    }
}
