//! Raises and lowers vertices, and updates everything that depends on their positions. `docs/fox-write.md`.

use super::editor::{FoxEditor, Item, World};
use super::renew::{around, is_sound};
use crate::buf::{GroupBuf, IslandGraphBuf};
use crate::build::{Ways, frame_of_heights, heights_of_space, weight};
use crate::record::{NavEdge, Position, SegmentGroupLink, SegmentIndex, SegmentInsideLink, SegmentTileLink};
use crate::view::Frame;
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::format::Store;
use std::collections::{BTreeSet, HashMap};

/// The new height of each position, in quanta.
type Heights = HashMap<[u16; 3], u16>;

impl FoxEditor {
    pub(super) fn raise(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let by = f64::from(c.number("DY")?);
        self.heights(c, s, &|height| height + by)
    }

    pub(super) fn height(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let to = f64::from(c.number("Y")?);
        self.heights(c, s, &|_| to)
    }

    /// Sets the heights of the selected vertices. All vertices at one position move together, so that neighbours stay neighbours.
    fn heights(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
        new: &dyn Fn(f64) -> f64,
    ) -> Result<(), Refusal> {
        let (alone, rescale) = (c.flag("--alone"), c.flag("--rescale"));
        let items = match c.take() {
            Some(word) => s.select(self, &word)?,
            None if s.selection.is_empty() => return Err(Refusal::new("nothing is named or selected")),
            None => s.selection.items(),
        };
        c.finish()?;
        if let Some(bad) = self.world.tile.groups.iter().find(|group| !is_sound(group)) {
            return Err(Refusal::new(format!(
                "group {} does not say which vertices are whose, as files of other tools do not: build it anew (navmap export, then convert --like)",
                bad.id.index()
            )));
        }
        let places = self.places(&items);
        if places.is_empty() {
            s.say("no vertex is named");
            return Ok(());
        }
        if !alone {
            self.held(&places)?;
        }
        let frame = self.world.tile.head.frame();
        let mut heights = wanted(&frame, &places, new);
        if heights.is_err() && rescale {
            self.rescale(&places, new, s)?;
            let places = self.places(&items);
            heights = wanted(&self.world.tile.head.frame(), &places, new);
        }
        let heights = heights?;
        let (vertices, segments) = self.world.lift(&heights);
        s.say(format!("{vertices} vertices at {} places, of {segments} segments", heights.len()));
        Ok(())
    }

    /// The positions of the selected vertices, and of the corners of other selected items.
    fn places(&self, items: &[Item]) -> BTreeSet<[u16; 3]> {
        let mut places = BTreeSet::new();
        for item in items {
            let segments = match item {
                Item::Vertex(slot) => {
                    let at = self.world.vertex(*slot).and_then(|(group, vertex)| {
                        self.world.tile.groups.get(group)?.mesh.vertices.get(vertex).copied()
                    });
                    places.extend(at.map(|at| at.quantised()));
                    continue;
                }
                Item::Face(slot) => {
                    let corners = self.world.face(*slot).and_then(|(group, face)| {
                        super::editor::corners_of(self.world.tile.groups.get(group)?, face)
                    });
                    places.extend(corners.into_iter().flatten().map(|at| at.quantised()));
                    continue;
                }
                Item::Segment(slot) => self.world.segment(*slot).into_iter().collect(),
                Item::Island(slot) => {
                    self.world.island(*slot).map(|island| self.of_island(island)).unwrap_or_default()
                }
            };
            for (group, segment) in segments {
                let Some(group) = self.world.tile.groups.get(group) else { continue };
                let range = group.segments.get(segment).map(|own| own.vertices()).unwrap_or_default();
                let vertices = group.mesh.vertices.get(range).unwrap_or_default();
                places.extend(vertices.iter().map(Position::quantised));
            }
        }
        places
    }

    /// Refuses to move positions that other files refer to.
    fn held(&self, places: &BTreeSet<[u16; 3]>) -> Result<(), Refusal> {
        let groups = &self.world.tile.groups;
        let (mut tiles, mut parts) = (0_usize, 0_usize);
        for group in groups {
            for (number, face) in group.mesh.faces.iter().enumerate().filter(|(_, face)| face.is_crossing()) {
                let Some(corners) = super::editor::corners_of(group, number) else { continue };
                let next = corners.iter().cycle().skip(1);
                for (side, (a, b)) in corners.iter().zip(next).enumerate() {
                    let moves = places.contains(&a.quantised()) || places.contains(&b.quantised());
                    let (word, id) = (face.neighbours.get(side), face.groups.get(side));
                    match word.filter(|word| moves && **word != 0xFFFF).map(|word| word >> 14) {
                        Some(2) => tiles = tiles.saturating_add(1),
                        Some(1) if !groups.iter().any(|group| Some(&group.id.index()) == id) => {
                            parts = parts.saturating_add(1);
                        }
                        _ => {}
                    }
                }
            }
        }
        let of = match (tiles, parts) {
            (0, 0) => return Ok(()),
            (0, parts) => format!("{parts} sides are shared with another part of the tile"),
            (tiles, _) => format!("{tiles} sides lie on the border to other tiles"),
        };
        Err(Refusal::new(format!("{of}, which find them by place: --alone moves them all the same")))
    }

    /// Re-encodes all heights, so that the new ones fit.
    fn rescale(
        &mut self,
        places: &BTreeSet<[u16; 3]>,
        new: &dyn Fn(f64) -> f64,
        s: &mut Scope<Item>,
    ) -> Result<(), Refusal> {
        let before = self.world.tile.head.frame();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for at in self.world.tile.groups.iter().flat_map(|group| &group.mesh.vertices) {
            let at = at.quantised();
            let now = metres(&before, at);
            let height = if places.contains(&at) { new(now) } else { now };
            (low, high) = (low.min(height), high.max(height));
        }
        let Some(after) = frame_of_heights(before, low, high) else {
            return Err(Refusal::new(format!("heights from {low} to {high} m do not fit a tile")));
        };
        let ([_, was, _], [_, is, _]) = (before.divisors, after.divisors);
        if is < 100 && super::place::crossings(&self.world.tile) > 0 {
            return Err(Refusal::new(format!(
                "the tile would store {is} heights a metre, too few to find the tiles around it by place"
            )));
        }
        let moved = |at: Position| {
            let [x, y, z] = at.quantised();
            Position::new([x, quanta(&after, metres(&before, [x, y, z])).unwrap_or(u16::MAX), z])
        };
        let mut islands = self.world.tile.islands.clone();
        for index in 0..self.world.tile.groups.len() {
            let Some(old) = self.world.tile.groups.get(index) else { continue };
            let mut group = old.clone();
            let lists = [&mut group.mesh.vertices, &mut group.world.positions, &mut group.graph.positions];
            lists.into_iter().flatten().for_each(|at| *at = moved(*at));
            for bounds in &mut group.bounds {
                let (min, max) = (moved(*bounds.min()), moved(*bounds.max()));
                *bounds = crate::record::Bounds::new(min.quantised(), max.quantised());
            }
            let all: Vec<usize> = (0..old.segments.len()).collect();
            follow(old, &mut group, &all, &after, true, &mut islands);
            let slots = self.world.slots.get(index).cloned().unwrap_or_default();
            self.world.set_group(index, group, slots);
        }
        let slots = self.world.island_slots.clone();
        self.world.set_islands(islands, slots);
        for (file, mut head) in self.world.heads().into_iter().enumerate() {
            head.origin = after.origin.store();
            head.divisors = after.divisors;
            self.world.set_head(file, head);
            let search = self.world.search(file).map(|space| heights_of_space(space, &after, high));
            self.world.set_search(file, search);
        }
        self.world.renew_search();
        s.say(format!("all heights are stored anew: {is} to a metre instead of {was}"));
        Ok(())
    }
}

/// A height in metres.
fn metres(frame: &Frame, [_, y, _]: [u16; 3]) -> f64 {
    let ([_, origin, _], [_, divisor, _]) = (frame.origin, frame.divisors);
    f64::from(y) / f64::from(divisor) + f64::from(origin)
}

/// A height in quanta; `None` if a tile cannot store it.
fn quanta(frame: &Frame, height: f64) -> Option<u16> {
    let ([_, origin, _], [_, divisor, _]) = (frame.origin, frame.divisors);
    let quanta = ((height - f64::from(origin)) * f64::from(divisor)).round();
    (0.0..=65_535.0).contains(&quanta).then_some(quanta as u16)
}

/// The new height of each changed position. Refuses heights that the tile cannot store.
fn wanted(frame: &Frame, places: &BTreeSet<[u16; 3]>, new: &dyn Fn(f64) -> f64) -> Result<Heights, Refusal> {
    let each = |at: &[u16; 3]| {
        let height = new(metres(frame, *at));
        let stored = quanta(frame, height).ok_or_else(|| {
            let [low, high] = [0, u16::MAX].map(|y| metres(frame, [0, y, 0]));
            Refusal::new(format!(
                "a vertex would lie at {height:.3} m, the tile holds heights from {low:.3} to {high:.3} m: --rescale stores all heights anew"
            ))
        })?;
        Ok((*at, stored))
    };
    places.iter().map(each).collect()
}

impl World {
    /// Applies new heights in all groups. Returns the numbers of vertices and segments changed.
    fn lift(&mut self, heights: &Heights) -> (usize, usize) {
        let frame = self.tile.head.frame();
        let (mut vertices, mut segments) = (0_usize, 0_usize);
        let mut islands = self.tile.islands.clone();
        for index in 0..self.tile.groups.len() {
            let Some(old) = self.tile.groups.get(index) else { continue };
            let mut group = old.clone();
            let touched = corners(&mut group, heights);
            if touched.is_empty() {
                continue;
            }
            segments = segments.saturating_add(touched.len());
            for segment in &touched {
                vertices = vertices.saturating_add(old.segments.get(*segment).map_or(0, |own| {
                    let all = old.mesh.vertices.get(own.vertices()).unwrap_or_default();
                    all.iter().filter(|at| heights.contains_key(&at.quantised())).count()
                }));
            }
            follow(old, &mut group, &touched, &frame, false, &mut islands);
            let slots = self.slots.get(index).cloned().unwrap_or_default();
            self.set_group(index, group, slots);
        }
        let slots = self.island_slots.clone();
        self.set_islands(islands, slots);
        self.renew_search();
        (vertices, segments)
    }
}

/// Moves vertices and updates the boxes of their segments. Returns the changed segments.
fn corners(group: &mut GroupBuf, heights: &Heights) -> Vec<usize> {
    let mut touched = Vec::new();
    for (number, segment) in group.segments.iter().enumerate() {
        let Some(vertices) = group.mesh.vertices.get_mut(segment.vertices()) else { continue };
        let mut moves = false;
        for vertex in vertices.iter_mut() {
            let [x, y, z] = vertex.quantised();
            if let Some(to) = heights.get(&[x, y, z]) {
                *vertex = Position::new([x, *to, z]);
                moves = true;
            }
        }
        if moves {
            let bounds = around(vertices);
            group.bounds.get_mut(number).into_iter().for_each(|slot| *slot = bounds);
            touched.push(number);
        }
    }
    touched
}

/// Updates everything that depends on the vertices of moved segments.
fn follow(
    old: &GroupBuf,
    group: &mut GroupBuf,
    touched: &[usize],
    frame: &Frame,
    anew: bool,
    islands: &mut [IslandGraphBuf],
) {
    nodes(old, group, touched, anew);
    touched.iter().for_each(|segment| edges(old, group, *segment, frame));
    coarse(old, group, touched);
    for island in islands.iter_mut().flat_map(|graph| &mut graph.islands) {
        let node = island.low.node().index();
        if island.low.id() == group.id && old.world.positions.get(node) == Some(&island.position) {
            island.position = group.world.positions.get(node).copied().unwrap_or(island.position);
        }
    }
}

/// Moves the nodes at the middles of sides. The node of a side that is raised as a whole keeps its offset, unless all are
/// recomputed.
fn nodes(old: &GroupBuf, group: &mut GroupBuf, touched: &[usize], anew: bool) {
    for number in touched {
        let Some(segment) = old.segments.get(*number) else { continue };
        let base = segment.nodes().start;
        for face in segment.faces() {
            let Some(record) = old.mesh.faces.get(face) else { continue };
            let (Some(before), Some(after)) =
                (super::editor::corners_of(old, face), super::editor::corners_of(group, face))
            else {
                continue;
            };
            let height = |corners: &[Position], at: usize| {
                let at = if at >= corners.len() { 0 } else { at };
                corners.get(at).map_or(0, |at| at.quantised()[1])
            };
            let count = if record.four_nodes { 4 } else { 3 };
            for (side, node) in record.nodes.iter().enumerate().take(count) {
                let node = base.saturating_add(usize::from(*node));
                let ends = [side, side.saturating_add(1)];
                let [a, b] = ends.map(|end| height(&before, end));
                let [p, q] = ends.map(|end| height(&after, end));
                let (Some(was), Some(slot)) =
                    (old.world.positions.get(node), group.world.positions.get_mut(node))
                else {
                    continue;
                };
                let [x, y, z] = was.quantised();
                let (up, other) = (i32::from(p).wrapping_sub(a.into()), i32::from(q).wrapping_sub(b.into()));
                if (up, other) == (0, 0) && !anew {
                    continue;
                }
                let along = i32::from(y).saturating_add(up);
                let y = match u16::try_from(along) {
                    Ok(along) if up == other && !anew => along,
                    _ => u16::midpoint(p, q),
                };
                *slot = Position::new([x, y, z]);
            }
        }
    }
}

/// Recomputes the weights of edges at moved nodes.
fn edges(old: &GroupBuf, group: &mut GroupBuf, number: usize, frame: &Frame) {
    let Some(segment) = old.segments.get(number) else { return };
    let base = segment.nodes().start;
    let positions = &group.world.positions;
    for edge in group.world.edges.get_mut(segment.edges()).unwrap_or_default() {
        let local = edge.local_nodes();
        let ends = local.map(|node| base.saturating_add(usize::from(node)));
        let at = |all: &[Position]| ends.map(|end| all.get(end).copied().unwrap_or_default());
        if at(&old.world.positions) != at(positions) {
            let stored = SegmentIndex(edge.segment().0 | edge.kind() << 12);
            *edge = NavEdge::new(weight(at(positions), frame), stored, local);
        }
    }
}

/// Updates the positions of segments, which are those of one of their nodes, and recomputes the weights of their links.
fn coarse(old: &GroupBuf, group: &mut GroupBuf, touched: &[usize]) {
    let mut ways = Ways::default();
    let [mut inside, mut across, mut tiles, mut index] = [0_usize; 4];
    for (number, node) in old.graph.nodes.iter().enumerate() {
        let counts = [node.inside, node.groups, node.tiles].map(usize::from);
        let heart =
            old.segments.get(number).filter(|_| touched.binary_search(&number).is_ok()).and_then(|segment| {
                let place = old.graph.positions.get(number)?;
                let local = old.world.positions.get(segment.nodes())?.iter().position(|at| at == place)?;
                ways.measure(&group.world, segment, local);
                group.world.positions.get(segment.nodes().start.checked_add(local)?).copied()
            });
        if let (Some(place), Some(slot)) = (heart, group.graph.positions.get_mut(number)) {
            *slot = place;
        }
        let mut mean = |crossings: usize| {
            let to = index.saturating_add(crossings);
            let nodes = old.graph.indices.get(index..to).unwrap_or_default();
            index = to;
            heart.map(|_| ways.mean(nodes))
        };
        let [a, b, c] = counts;
        for link in group.graph.inside.iter_mut().skip(inside).take(a) {
            if let Some(weight) = mean(link.crossings()) {
                *link = SegmentInsideLink::new(weight, link.segment(), link.crossings() as u8, link.back());
            }
        }
        for link in group.graph.groups.iter_mut().skip(across).take(b) {
            if let Some(weight) = mean(link.crossings()) {
                let (to, back) = (link.segment(), link.back());
                *link = SegmentGroupLink::new(link.group(), weight, to, link.crossings() as u8, back);
            }
        }
        for link in group.graph.tiles.iter_mut().skip(tiles).take(c) {
            if let Some(weight) = mean(link.crossings()) {
                *link = SegmentTileLink::new(link.tile(), link.group(), weight, link.crossings() as u8);
            }
        }
        inside = inside.saturating_add(a);
        across = across.saturating_add(b);
        tiles = tiles.saturating_add(c);
    }
}
