//! What changed between two meshes, as arrays.

use crate::Point;
use crate::area::{NAVMAP_NONE, kind};
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::put;
use crate::world::count as few;
use navmap::diff::{CompareOptions, Compared, LinkChange, NodeChange, Part, Parts, Shaped};
use navmap::graph::{FlatGraph, Ids, LinkKind, MarkKind, NavGraph};
use std::ffi::c_char;
use std::fmt::Write;

/// What changed between two meshes. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct Diff {
    changes: Vec<Change88>,
    totals: DiffTotals,
    /// What the heads say and the like, a line each.
    text: String,
    /// What an area is called, and how its id is written.
    names: (&'static str, Ids),
}

/// `flags` of `navmap_diff_open`: files of two families are compared by what they have in common.
pub const NAVMAP_NEUTRAL: u32 = 1;
/// `flags` of `navmap_diff_open`: areas, links and marks that moved by no more than noise have moved.
pub const NAVMAP_NOISE: u32 = 2;

/// An area is gone.
pub const NAVMAP_REMOVED: u32 = 0;
/// An area is new.
pub const NAVMAP_ADDED: u32 = 1;
/// An area became several: `parts` says how many, `after` is the first.
pub const NAVMAP_SPLIT: u32 = 2;
/// An area was made of several: `parts` says how many, `before` is the first.
pub const NAVMAP_MERGED: u32 = 3;
/// An area is another: `flags` says in what.
pub const NAVMAP_CHANGED: u32 = 4;
/// A link is gone: `before` and `to` are its ends.
pub const NAVMAP_LINK_REMOVED: u32 = 5;
/// A link is new.
pub const NAVMAP_LINK_ADDED: u32 = 6;
/// A link is of another kind, or the game can close it now and could not before.
pub const NAVMAP_LINK_CHANGED: u32 = 7;
/// A mark is gone: a hiding spot, a ladder. `kind` says which.
pub const NAVMAP_MARK_REMOVED: u32 = 8;
/// A mark is new.
pub const NAVMAP_MARK_ADDED: u32 = 9;

/// `navmap_change88.flags`: all corners moved, by `moved`.
pub const NAVMAP_AREA_MOVED: u32 = 1;
/// `navmap_change88.flags`: it has another shape.
pub const NAVMAP_AREA_RESHAPED: u32 = 2;
/// `navmap_change88.flags`: it has other flags: those of `set` and not those of `cleared`.
pub const NAVMAP_AREA_FLAGS: u32 = 4;
/// `navmap_change88.flags`: it is in another place.
pub const NAVMAP_AREA_PLACE: u32 = 8;
/// `navmap_change88.flags`: it is in another group.
pub const NAVMAP_AREA_GROUP: u32 = 16;

/// `navmap_change88.kind` of a mark: a spot to hide.
pub const NAVMAP_MARK_HIDING: u32 = 0;
/// `navmap_change88.kind` of a mark: a hiding spot that is good for a sniper.
pub const NAVMAP_MARK_SNIPER: u32 = 1;
/// `navmap_change88.kind` of a mark: a ladder.
pub const NAVMAP_MARK_LADDER: u32 = 2;
/// `navmap_change88.kind` of a mark: a door.
pub const NAVMAP_MARK_DOOR: u32 = 3;
/// `navmap_change88.kind` of a mark: an edge behind which one can take cover.
pub const NAVMAP_MARK_COVER: u32 = 4;
/// `navmap_change88.kind` of a mark: an edge one can drop from.
pub const NAVMAP_MARK_LEDGE: u32 = 5;
/// `navmap_change88.kind` of a mark: a point that the makers placed.
pub const NAVMAP_MARK_WAYPOINT: u32 = 6;
/// `navmap_change88.kind` of a mark: the box of an entity that links are bound to.
pub const NAVMAP_MARK_ENTITY: u32 = 7;

/// One change. Numbers of areas are positions in the file of their side. 88 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change88 {
    /// The id of the area before; of a link the one it leaves. 0 if there was none.
    pub before_id: u64,
    /// The id of the area after; of a link the one it leads to, as before. 0 if there is none.
    pub after_id: u64,
    /// Flags that were added.
    pub set: u64,
    /// Flags that it had.
    pub cleared: u64,
    /// `NAVMAP_REMOVED` and so on.
    pub what: u32,
    /// `NAVMAP_AREA_MOVED` and so on.
    pub flags: u32,
    /// The area before, or `NAVMAP_NONE`; of a link the one it leaves.
    pub before: u32,
    /// The area after, or `NAVMAP_NONE`.
    pub after: u32,
    /// Of a link: where it leads, in numbers of before; `NAVMAP_NONE` if out of the file, and for all else.
    pub to: u32,
    /// Of a link its kind, that of after if there are two: `NAVMAP_WALK` and so on; of a mark `NAVMAP_MARK_HIDING` and so on; else
    /// `NAVMAP_NONE`.
    pub kind: u32,
    /// Of a split or merge: into or of how many. Else 0.
    pub parts: u32,
    /// Which mesh of the file: a plugin has one for each of its spaces.
    pub mesh: u32,
    /// Where it is: the middle of the area after, or of the one before.
    pub at: Point,
    /// How far all corners moved.
    pub moved: Point,
}

/// How much changed. Set `size` before the call.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct DiffTotals {
    /// `sizeof(navmap_diff_totals)`.
    pub size: u32,
    /// 1 if both are one mesh: other ids and another order do not count.
    pub same: u32,
    /// 1 if the files are the same, byte for byte.
    pub same_bytes: u32,
    /// How many changes are kept.
    pub kept: u32,
    /// How many there are.
    pub changes: u64,
    /// Areas before, of all meshes of the file.
    pub areas_before: u64,
    /// Areas after.
    pub areas_after: u64,
    /// Areas that both have.
    pub pairs: u64,
    /// Areas with another id and no other change. They are no changes.
    pub renumbered: u64,
    /// Links that are gone with an area at either end. They are no changes.
    pub links_gone: u64,
    /// Links that came with an area at either end. They are no changes.
    pub links_come: u64,
    /// Areas, links and marks that moved by no more than noise, which is left out.
    pub noise: u64,
    /// Where a file could not be read on; it was compared up to there, and the text says where.
    pub damage: u64,
}
sized32!(DiffTotals: size_of::<DiffTotals>());

/// How many changes are kept if nobody says.
const KEPT: u32 = 1 << 20;

const NOTHING: Change88 = Change88 {
    before_id: 0,
    after_id: 0,
    set: 0,
    cleared: 0,
    what: 0,
    flags: 0,
    before: NAVMAP_NONE,
    after: NAVMAP_NONE,
    to: NAVMAP_NONE,
    kind: NAVMAP_NONE,
    parts: 0,
    mesh: 0,
    at: Point::new(0.0, 0.0, 0.0),
    moved: Point::new(0.0, 0.0, 0.0),
};

/// Both graphs of a mesh that changed.
struct Sides<'p> {
    before: &'p FlatGraph,
    after: &'p FlatGraph,
    mesh: u32,
}

impl<'p> Sides<'p> {
    fn new(part: &'p Part, mesh: u32) -> Self {
        Self { before: &part.before, after: &part.after, mesh }
    }

    /// A change of an area with its ids and its middle.
    fn area(&self, what: u32, before: Option<u32>, after: Option<u32>) -> Change88 {
        let node = |graph: &'p FlatGraph, at: Option<u32>| graph.nodes().get(at? as usize);
        let (was, is) = (node(self.before, before), node(self.after, after));
        let middle = is.map(|node| self.after.shape(node)).or(was.map(|node| self.before.shape(node)));
        Change88 {
            what,
            mesh: self.mesh,
            before: before.unwrap_or(NAVMAP_NONE),
            after: after.unwrap_or(NAVMAP_NONE),
            before_id: was.map_or(0, |node| node.id),
            after_id: is.map_or(0, |node| node.id),
            at: middle.and_then(|shape| shape.center()).unwrap_or_default(),
            ..NOTHING
        }
    }

    fn changed(&self, change: &NodeChange) -> Change88 {
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        let (shape, moved) = match change.shape {
            None => (0, [0.0; 3]),
            Some(Shaped::Moved(by)) => (NAVMAP_AREA_MOVED, by),
            Some(_) => (NAVMAP_AREA_RESHAPED, [0.0; 3]),
        };
        Change88 {
            set: change.set,
            cleared: change.cleared,
            flags: shape
                | flag(change.set | change.cleared != 0, NAVMAP_AREA_FLAGS)
                | flag(change.place.is_some(), NAVMAP_AREA_PLACE)
                | flag(change.group.is_some(), NAVMAP_AREA_GROUP),
            moved: Point::from(moved),
            ..self.area(NAVMAP_CHANGED, Some(change.before), Some(change.after))
        }
    }

    fn split(&self, parts: &Parts) -> Change88 {
        let change = self.area(NAVMAP_SPLIT, Some(parts.whole), parts.parts.first().copied());
        Change88 { parts: few(parts.parts.len()), ..change }
    }

    fn merged(&self, parts: &Parts) -> Change88 {
        let change = self.area(NAVMAP_MERGED, parts.parts.first().copied(), Some(parts.whole));
        Change88 { parts: few(parts.parts.len()), ..change }
    }

    fn link(&self, link: &LinkChange) -> Change88 {
        let what = match (link.before, link.after) {
            (_, None) => NAVMAP_LINK_REMOVED,
            (None, _) => NAVMAP_LINK_ADDED,
            _ => NAVMAP_LINK_CHANGED,
        };
        let target = link.to.and_then(|to| self.before.nodes().get(to as usize));
        let of = |(kind, _): (LinkKind, bool)| self::kind(kind);
        Change88 {
            to: link.to.unwrap_or(NAVMAP_NONE),
            after_id: target.map_or(0, |node| node.id),
            kind: link.after.or(link.before).map_or(NAVMAP_NONE, of),
            ..self.area(what, Some(link.from), None)
        }
    }

    fn mark(&self, what: u32, kind: MarkKind, at: Point) -> Change88 {
        let number = MarkKind::ALL.iter().position(|known| *known == kind);
        Change88 { what, mesh: self.mesh, kind: number.map_or(NAVMAP_NONE, few), at, ..NOTHING }
    }
}

impl Diff {
    fn new(compared: &Compared, most: u32) -> Self {
        let mut all = Self {
            changes: Vec::new(),
            totals: DiffTotals {
                size: size_of::<DiffTotals>() as u32,
                same: u32::from(compared.is_same()),
                same_bytes: u32::from(compared.same_bytes),
                noise: compared.noise as u64,
                damage: compared.damage.len() as u64,
                ..DiffTotals::default()
            },
            text: text(compared),
            names: compared
                .parts
                .first()
                .map_or(("area", Ids::Numbers), |part| (part.after.node_word(), part.after.ids())),
        };
        for (mesh, part) in (0..).zip(&compared.parts) {
            all.count(part);
            all.part(part, mesh, if most == 0 { KEPT } else { most });
        }
        all
    }

    fn count(&mut self, part: &Part) {
        let (totals, diff) = (&mut self.totals, &part.diff);
        totals.areas_before += u64::from(diff.nodes[0]);
        totals.areas_after += u64::from(diff.nodes[1]);
        totals.pairs += diff.pairs.len() as u64;
        totals.renumbered += u64::from(diff.renumbered);
        totals.links_gone += u64::from(diff.links.gone_with_nodes);
        totals.links_come += u64::from(diff.links.come_with_nodes);
    }

    fn part(&mut self, part: &Part, mesh: u32, most: u32) {
        let (sides, diff) = (Sides::new(part, mesh), &part.diff);
        let mut keep = |change: Change88| {
            self.totals.changes += 1;
            if self.totals.kept < most {
                self.totals.kept += 1;
                self.changes.push(change);
            }
        };
        diff.removed.iter().for_each(|&at| keep(sides.area(NAVMAP_REMOVED, Some(at), None)));
        diff.added.iter().for_each(|&at| keep(sides.area(NAVMAP_ADDED, None, Some(at))));
        diff.split.iter().for_each(|parts| keep(sides.split(parts)));
        diff.merged.iter().for_each(|parts| keep(sides.merged(parts)));
        diff.changed.iter().for_each(|change| keep(sides.changed(change)));
        diff.links.changed.iter().for_each(|link| keep(sides.link(link)));
        for marks in &diff.marks {
            // One that moved is gone from one place and new in another.
            let [was, is] = [0, 1].map(|side| marks.moved.iter().map(move |ends| ends[side]));
            let gone = marks.removed.iter().copied().chain(was);
            gone.for_each(|at| keep(sides.mark(NAVMAP_MARK_REMOVED, marks.kind, at)));
            let new = marks.added.iter().copied().chain(is);
            new.for_each(|at| keep(sides.mark(NAVMAP_MARK_ADDED, marks.kind, at)));
        }
    }

    /// A change in words.
    fn words(&self, change: &Change88) -> String {
        let (word, ids) = self.names;
        let (before, after) = (ids.name(change.before_id), ids.name(change.after_id));
        match change.what {
            NAVMAP_REMOVED => format!("{word} {before} is gone"),
            NAVMAP_ADDED => format!("{word} {after} is new"),
            NAVMAP_SPLIT => format!("{word} {before} became {}", change.parts),
            NAVMAP_MERGED => format!("{word} {after} was made of {}", change.parts),
            NAVMAP_CHANGED => format!("{word} {before}: {}", aspects(change.flags).join(", ")),
            NAVMAP_LINK_REMOVED => format!("the link from {word} {before} to {after} is gone"),
            NAVMAP_LINK_ADDED => format!("a link from {word} {before} to {after} is new"),
            NAVMAP_LINK_CHANGED => format!("the link from {word} {before} to {after} is another"),
            what => {
                let kind = MarkKind::ALL.get(change.kind as usize).map_or("mark", |kind| kind.name());
                let Point { x, y, z } = change.at;
                let is = if what == NAVMAP_MARK_ADDED { "new" } else { "gone" };
                format!("the {kind} at {x}, {y}, {z} is {is}")
            }
        }
    }
}

/// What is no area, link or mark: a line each.
fn text(compared: &Compared) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| _ = writeln!(text, "{line}");
    for fact in &compared.facts {
        line(format_args!("{}: {} before, {} after", fact.name, fact.before, fact.after));
    }
    for (severity, code, [before, after]) in &compared.findings {
        line(format_args!("{severity} {code}: {before} before, {after} after"));
    }
    for (space, is_after) in &compared.alone {
        line(format_args!("{space}: only {}", if *is_after { "after" } else { "before" }));
    }
    compared.damage.iter().for_each(|damage| line(format_args!("{damage}")));
    text
}

fn aspects(flags: u32) -> Vec<&'static str> {
    let names = [
        (NAVMAP_AREA_MOVED, "moved"),
        (NAVMAP_AREA_RESHAPED, "another shape"),
        (NAVMAP_AREA_FLAGS, "other flags"),
        (NAVMAP_AREA_PLACE, "another place"),
        (NAVMAP_AREA_GROUP, "another group"),
    ];
    names.into_iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| name).collect()
}

entries! {
    /// Compares two files, mesh by mesh: what is gone and new, then what was split, merged and changed, then links and marks, each in file
    /// order. Ids are no identity: areas are matched by where they lie if ids do not mean the same. `most` changes are kept, or
    /// 1,048,576 if it is 0; all are counted. `flags` is 0, or `NAVMAP_NEUTRAL`, `NAVMAP_NOISE`. `options` may be NULL. Its time and
    /// memory grow with both files.
    fn navmap_diff_open(
        before: *const c_char, after: *const c_char, options: *const OpenOptions, flags: u32, most: u32,
        diff: *mut *mut Diff; error
    ) {
        let (before, after, place) = (before.path()?, after.path()?, diff.handle_place()?);
        let options = options.options()?.open()?;
        if flags & !(NAVMAP_NEUTRAL | NAVMAP_NOISE) != 0 {
            return Err(Failure::Bare(Status::Invalid, "flags"));
        }
        let asked = CompareOptions {
            neutral: flags & NAVMAP_NEUTRAL != 0,
            exact: flags & NAVMAP_NOISE != 0,
            ..CompareOptions::default()
        };
        place.give(Diff::new(&Compared::open(&before, &after, &asked, &options)?, most));
        Ok(Status::Ok)
    }

    /// Frees a difference. NULL is none.
    fn navmap_diff_free(diff: *mut Diff) {
        diff.free()
    }

    /// How much changed.
    fn navmap_diff_count(diff: *const Diff, totals: *mut DiffTotals) {
        let diff = diff.handle()?;
        totals.put_sized(diff.totals)?;
        Ok(Status::Ok)
    }

    /// The changes that are kept, from position `first` on. `count` is how many there are from there.
    fn navmap_diff_get(diff: *const Diff, first: u32, changes[capacity]: *mut Change88, count: *mut u32) {
        let (diff, mut room) = (diff.handle()?, changes?);
        room.fill(diff.changes.get(first as usize..).unwrap_or_default());
        room.end(count)
    }

    /// A change in words, by its position, with a NUL; with `NAVMAP_NONE` what the heads, the counts and `check` say otherwise than before,
    /// and where a file could not be read on, a line each. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is no such change.
    fn navmap_diff_text(diff: *const Diff, at: u32, text[capacity]: *mut c_char, count: *mut u32) {
        let (diff, room) = (diff.handle()?, text?);
        match diff.changes.get(at as usize) {
            Some(change) => put(room, &diff.words(change), count),
            None if at == NAVMAP_NONE => put(room, &diff.text, count),
            None => Ok(Status::Nothing),
        }
    }
}
