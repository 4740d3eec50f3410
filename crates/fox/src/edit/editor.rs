//! The editor: a tile, the names of its parts, and the verbs.

use super::change::{Change, Delta, Slots};
use super::parts::Later;
use crate::buf::{FoxBuf, HeadBuf};
use crate::record::{GroupId, Position};
use navmap_core::edit::{Apply, Atom, Command, Deltas, Editor, Refusal, Report, Role, Scope, Verb, verb};
use navmap_core::error::Result;
use navmap_core::keys;
use std::cell::OnceCell;
use std::collections::HashMap;

/// A part of a tile. It keeps its name over undo and redo, whatever its number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// A segment: `#4.17`.
    Segment(u32),
    /// A face: `F#4.120`.
    Face(u32),
    /// An island: `I#3`.
    Island(u32),
    /// A vertex: `V#4.12`.
    Vertex(u32),
}

keys!(Item { Segment, 1 => Face, 2 => Island, 3 => Vertex });

/// The tile, and what has been overwritten in it.
#[derive(Debug)]
pub(super) struct World {
    /// The groups of all files; head, island graphs and search space of the first.
    pub(super) tile: FoxBuf,
    pub(super) later: Vec<Later>,
    /// How many groups each file has.
    pub(super) counts: Vec<usize>,
    pub(super) slots: Vec<Slots>,
    pub(super) island_slots: Vec<u32>,
    pub(super) changes: Deltas<Delta>,
    /// How many names were given to pieces of segments.
    pub(super) made: u32,
    /// The islands that the last command has removed.
    pub(super) lost: Vec<usize>,
    /// Where each slot is: group and number. Made when it is first asked for.
    places: OnceCell<[HashMap<u32, (usize, usize)>; 3]>,
}

/// Where the numbers of slots go on for segments that a command makes of others.
pub(super) const MADE: u32 = 1 << 31;

impl World {
    fn new(first: FoxBuf, rest: Vec<FoxBuf>) -> Self {
        let (tile, later, counts) = Self::joined(first, rest);
        let mut next = [0_u32; 3];
        let mut take = |kind: usize, count: usize| {
            let from = next.get(kind).copied().unwrap_or(0);
            let to = from.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
            next.get_mut(kind).into_iter().for_each(|next| *next = to);
            (from..to).collect::<Vec<u32>>()
        };
        let groups = tile.groups.iter();
        let slots = groups
            .map(|g| Slots {
                segments: take(0, g.segments.len()),
                faces: take(1, g.mesh.faces.len()),
                vertices: take(2, g.mesh.vertices.len()),
            })
            .collect();
        let islands = tile.islands.first().map_or(0, |graph| graph.islands.len());
        let island_slots = (0..u32::try_from(islands).unwrap_or(u32::MAX)).collect();
        Self {
            tile,
            later,
            counts,
            slots,
            island_slots,
            changes: Deltas::default(),
            made: 0,
            lost: Vec::new(),
            places: OnceCell::new(),
        }
    }

    /// Forgets where slots are.
    pub(super) fn forget(&mut self) {
        self.places = OnceCell::new();
    }

    fn place(&self, kind: usize, slot: u32) -> Option<(usize, usize)> {
        let places = self.places.get_or_init(|| {
            let of = |pick: fn(&Slots) -> &Vec<u32>| {
                let groups = self.slots.iter().enumerate();
                groups
                    .flat_map(|(group, slots)| {
                        pick(slots).iter().enumerate().map(move |(n, slot)| (*slot, (group, n)))
                    })
                    .collect()
            };
            [of(|slots| &slots.segments), of(|slots| &slots.faces), of(|slots| &slots.vertices)]
        });
        places.get(kind)?.get(&slot).copied()
    }

    /// Group and number of a segment.
    pub(super) fn segment(&self, slot: u32) -> Option<(usize, usize)> {
        self.place(0, slot)
    }

    /// Group and number of a face.
    pub(super) fn face(&self, slot: u32) -> Option<(usize, usize)> {
        self.place(1, slot)
    }

    /// Group and number of a vertex.
    pub(super) fn vertex(&self, slot: u32) -> Option<(usize, usize)> {
        self.place(2, slot)
    }

    /// The number of an island.
    pub(super) fn island(&self, slot: u32) -> Option<usize> {
        self.island_slots.iter().position(|own| *own == slot)
    }

    /// The position of a group in the file.
    pub(super) fn group_at(&self, id: GroupId) -> Option<usize> {
        self.tile.groups.iter().position(|group| group.id.group() == id)
    }
}

/// A tile under edit.
#[derive(Debug)]
pub struct FoxEditor {
    pub(super) world: World,
    pub(super) before: FoxBuf,
    pub(super) heads: Vec<HeadBuf>,
    /// The bytes of each file that was opened.
    originals: Vec<Vec<u8>>,
    /// The file that is written as the mesh itself.
    named: usize,
    /// What was said once about the layout of the file.
    pub(super) rewritten: usize,
}

/// Every verb with what applies it.
const VERBS: &[(Verb, Apply<FoxEditor>)] = &[
    (
        verb(
            "attribute",
            "VALUE [SELECTOR] [--drop-islands] [--rebuild-islands] [--alone]",
            "set who may use segments; without a selector, the selected ones",
        ),
        FoxEditor::attribute,
    ),
    (
        verb("merge_islands", "ISLAND ISLAND", "make one island of two with the same attribute"),
        FoxEditor::merge_islands,
    ),
    (
        verb("drop_islands", "", "remove the island graphs, as files without islands have none"),
        FoxEditor::drop_islands,
    ),
    (
        verb("rebuild_islands", "", "make the island graph anew from segments; link weights are a guess"),
        FoxEditor::rebuild_islands,
    ),
    (
        verb(
            "move",
            "DX DY DZ [SELECTOR]",
            "move the whole tile, in metres; x and z of a tile that is joined to others cannot change",
        ),
        FoxEditor::move_,
    ),
    (
        verb(
            "tile",
            "X,Z [--grid COLUMNS] [--shift-links] [--drop-links]",
            "make it another tile of the map, by X and Z of its name",
        ),
        FoxEditor::renumber,
    ),
    (verb("link", "SEGMENT SEGMENT", "join two segments over the sides that they share"), FoxEditor::link),
    (verb("unlink", "SEGMENT SEGMENT", "cut what joins two segments"), FoxEditor::unlink),
    (
        verb(
            "delete",
            "SELECTOR [--alone]",
            "delete faces, or all faces of segments; numbers behind them become lower",
        ),
        FoxEditor::delete,
    ),
    (
        verb(
            "raise",
            "DY [SELECTOR] [--rescale] [--alone]",
            "raise vertices, or all corners of faces, segments and islands, by metres; what shares them follows",
        ),
        FoxEditor::raise,
    ),
    (
        verb("height", "Y [SELECTOR] [--rescale] [--alone]", "as raise, to a height in metres"),
        FoxEditor::height,
    ),
];

impl FoxEditor {
    /// Begins to edit a tile.
    ///
    /// # Errors
    /// If the tile does not fit its format.
    pub fn new(tile: FoxBuf) -> Result<Self> {
        Self::over(tile, Vec::new(), 0)
    }

    pub(super) fn over(first: FoxBuf, rest: Vec<FoxBuf>, named: usize) -> Result<Self> {
        let files = || std::iter::once(&first).chain(&rest);
        let originals = files().map(FoxBuf::encode).collect::<Result<_>>()?;
        let rewritten = files().map(FoxBuf::rewritten_sections).sum::<Result<usize>>()?;
        let world = World::new(first, rest);
        Ok(Self { before: world.tile.clone(), heads: world.heads(), originals, named, rewritten, world })
    }

    /// The tile as it is now. Of a split tile, the groups of all parts that are edited, and all else of the first.
    pub fn tile(&self) -> &FoxBuf {
        &self.world.tile
    }

    /// The bytes that were opened.
    pub fn original(&self) -> &[u8] {
        self.originals.get(self.named).map(Vec::as_slice).unwrap_or_default()
    }

    /// The segments that a command works on: those that are named, else the selected ones.
    pub(super) fn segments(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
    ) -> std::result::Result<Vec<(usize, usize)>, Refusal> {
        let items = match c.take() {
            Some(word) => s.select(self, &word)?,
            None if s.selection.is_empty() => {
                return Err(Refusal::new("no segment is named or selected"));
            }
            None => s.selection.items(),
        };
        let mut segments = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Segment(slot) => segments.extend(self.world.segment(slot)),
                Item::Island(slot) => {
                    let island = self.world.island(slot);
                    segments.extend(island.into_iter().flat_map(|island| self.of_island(island)));
                }
                Item::Face(_) | Item::Vertex(_) => {
                    return Err(Refusal::new(format!("{} where segments were expected", self.name(item))));
                }
            }
        }
        segments.sort_unstable();
        segments.dedup();
        Ok(segments)
    }

    /// The segments of an island.
    pub(super) fn of_island(&self, island: usize) -> Vec<(usize, usize)> {
        let groups = self.world.tile.groups.iter().enumerate();
        let of = |group: usize, nodes: &[crate::buf::SegmentNodeBuf]| {
            let own = nodes.iter().enumerate().filter(|(_, node)| {
                let [first, ..] = node.islands;
                usize::from(first) == island
            });
            own.map(|(segment, _)| (group, segment)).collect::<Vec<_>>()
        };
        groups.flat_map(|(group, buf)| of(group, &buf.graph.nodes)).collect()
    }

    /// `#4.17`.
    pub(super) fn segment_name(&self, group: usize, segment: usize) -> String {
        let id = self.world.tile.groups.get(group).map_or(0, |group| group.id.index());
        format!("#{id}.{segment}")
    }

    /// Metres of a quantised position.
    pub(super) fn metres(&self, position: &Position) -> [f32; 3] {
        self.world.tile.head.frame().world(position)
    }
}

impl Editor for FoxEditor {
    type Key = Item;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = super::select::SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn apply(
        &mut self,
        apply: Apply<Self>,
        command: &mut Command<'_>,
        scope: &mut Scope<Item>,
    ) -> std::result::Result<(), Refusal> {
        apply(self, command, scope)?;
        if !self.world.changes.is_empty() && !self.world.changes.is_full() {
            // What does not fit the format is refused at once, not when it is saved.
            for file in 0..self.world.files() {
                self.world.with_file(file, FoxBuf::encode_canonical)?;
            }
        }
        Ok(())
    }

    fn take_change(&mut self) -> Option<Change> {
        self.world.changes.take().map(Change)
    }

    fn weight(change: &Change) -> u64 {
        change.0.weight()
    }

    fn allow(&mut self, values: u64) {
        self.world.changes.allow(values);
    }

    fn is_full(&self) -> bool {
        self.world.changes.is_full()
    }

    fn swap(&mut self, change: &mut Change) {
        change.0.swap(|delta| self.world.exchange(delta));
    }

    fn all(&self) -> Vec<Item> {
        self.world.slots.iter().flat_map(|slots| &slots.segments).copied().map(Item::Segment).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Item> {
        if matches!(space, "I" | "i") {
            let slot = self.world.island_slots.get(id.parse::<usize>().ok()?);
            return slot.copied().map(Item::Island);
        }
        let (group, number) = self.numbered(id)?;
        let slots = self.world.slots.get(group)?;
        match space {
            "" => slots.segments.get(number).copied().map(Item::Segment),
            "F" | "f" => slots.faces.get(number).copied().map(Item::Face),
            "V" | "v" => slots.vertices.get(number).copied().map(Item::Vertex),
            _ => None,
        }
    }

    fn name(&self, key: Item) -> String {
        match key {
            Item::Segment(slot) => match self.world.segment(slot) {
                Some((group, segment)) => self.segment_name(group, segment),
                None => "#?".into(),
            },
            Item::Face(slot) => match self.world.face(slot) {
                Some((group, face)) => format!("F{}", self.segment_name(group, face)),
                None => "F#?".into(),
            },
            Item::Vertex(slot) => match self.world.vertex(slot) {
                Some((group, vertex)) => format!("V{}", self.segment_name(group, vertex)),
                None => "V#?".into(),
            },
            Item::Island(slot) => {
                self.world.island(slot).map_or_else(|| "I#?".into(), |island| format!("I#{island}"))
            }
        }
    }

    fn footprint(&self, key: Item) -> Option<String> {
        let numbers = |id: u16, parts: &mut dyn Iterator<Item = u16>| {
            let mut text = id.to_string();
            parts.for_each(|part| text.push_str(&format!(" {part}")));
            text
        };
        match key {
            Item::Segment(slot) => {
                let (group, segment) = self.world.segment(slot)?;
                let group = self.world.tile.groups.get(group)?;
                let bounds = group.bounds.get(segment)?;
                let attribute = group.world.attributes.get(segment).map_or(0, |a| a.get());
                let corners = [bounds.min().quantised(), bounds.max().quantised()].concat();
                Some(numbers(group.id.index(), &mut corners.into_iter().chain([attribute])))
            }
            Item::Face(slot) => {
                let (group, face) = self.world.face(slot)?;
                let group = self.world.tile.groups.get(group)?;
                let corners = corners_of(group, face)?;
                Some(numbers(group.id.index(), &mut corners.iter().flat_map(|at| at.quantised())))
            }
            Item::Vertex(slot) => {
                let (group, vertex) = self.world.vertex(slot)?;
                let group = self.world.tile.groups.get(group)?;
                let at = group.mesh.vertices.get(vertex)?;
                Some(numbers(group.id.index(), &mut at.quantised().into_iter()))
            }
            Item::Island(slot) => {
                let island = self.world.tile.islands.first()?.islands.get(self.world.island(slot)?)?;
                Some(numbers(island.attribute, &mut island.position.quantised().into_iter()))
            }
        }
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Item> {
        let all: Vec<Item> = match space {
            "" => self.all(),
            "F" | "f" => {
                self.world.slots.iter().flat_map(|slots| &slots.faces).copied().map(Item::Face).collect()
            }
            "V" | "v" => {
                self.world.slots.iter().flat_map(|slots| &slots.vertices).copied().map(Item::Vertex).collect()
            }
            _ => self.world.island_slots.iter().copied().map(Item::Island).collect(),
        };
        all.into_iter().find(|item| self.footprint(*item).is_some_and(|other| other == footprint))
    }

    fn select(&self, atom: &Atom<'_>) -> std::result::Result<Vec<Item>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        self.suggested(verb, place)
    }

    fn encode(&self) -> Result<Vec<u8>> {
        self.world.with_file(self.named, FoxBuf::encode)
    }

    fn further(&self) -> Result<Vec<(usize, Vec<u8>)>> {
        let others = (0..self.world.files()).filter(|file| *file != self.named);
        let others = others.map(|file| Ok((file, self.world.with_file(file, FoxBuf::encode)?)));
        let changed = |(file, bytes): &(usize, Vec<u8>)| self.originals.get(*file) != Some(bytes);
        others.filter(|other| other.as_ref().map_or(true, changed)).collect()
    }

    fn report(&self) -> Report {
        self.reported()
    }
}

/// The corners of a face of a group.
pub(super) fn corners_of(group: &crate::buf::GroupBuf, face: usize) -> Option<Vec<Position>> {
    let record = group.mesh.faces.get(face)?;
    let base = group.segments.get(record.segment.index()).map_or(0, |segment| segment.vertices().start);
    let corners = record.corners.iter().take(record.sides());
    corners.map(|corner| group.mesh.vertices.get(base.checked_add(usize::from(*corner))?).copied()).collect()
}
