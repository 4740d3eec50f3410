//! The mesh under construction: areas to be linked, joined and cut.

use super::super::geometry::{Axis, closest_point, edges, halves, length, minus, overlap};
use super::super::grid::Grid;
use super::nodes::NONE;
use crate::buf::SourceBuf;
use crate::flags::{Attributes, Direction};
use crate::record::{AreaId, Shape};
use std::collections::HashMap;
use std::ops::Range;

/// The least overlap of areas that counts: edges set by hand are rarely on the grid.
const SLACK: f32 = 1.0;
/// The height of a crouching human. With less space between two floors nobody fits.
const CROUCHING: f32 = 55.0;

/// Whether two areas cover the same ground.
fn covers(a: &Shape, b: &Shape) -> bool {
    let spans = Axis::BOTH.map(|axis| {
        let ([a0, a1], [b0, b1]) = (edges(a, axis), edges(b, axis));
        (a0.max(b0), a1.min(b1))
    });
    let [x, y] = spans.map(|(low, high)| 0.5 * (low + high));
    spans.iter().all(|(low, high)| high - low > SLACK)
        && (a.height_at(x, y) - b.height_at(x, y)).abs() < CROUCHING
}

/// The nodes at the corners of an area: north-west, north-east, south-east, south-west.
pub(super) type Corners = [u32; 4];

/// An area under construction.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) shape: Shape,
    pub(super) attributes: Attributes,
    pub(super) corners: Corners,
    /// Neighbours over each side: north, east, south, west.
    links: [Vec<u32>; 4],
    /// The sources of links to this area, unordered.
    incoming: Vec<(u32, Direction)>,
}

impl Piece {
    pub(super) fn new(shape: Shape, attributes: Attributes, corners: Corners) -> Self {
        Self { shape, attributes, corners, links: Default::default(), incoming: Vec::new() }
    }

    pub(super) fn links(&self, direction: Direction) -> &[u32] {
        self.links.get(direction as usize).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Areas in the order in which they were made. An area keeps its number; a removed one leaves a hole.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pieces: Vec<Option<Piece>>,
    grid: Grid,
    /// The number of existing areas, which come first. They stay as they are, and only gain links.
    old: u32,
}

impl Draft {
    /// A draft around an existing mesh.
    pub(super) fn around(mesh: &SourceBuf) -> Self {
        let mut draft = Self::default();
        let mut by_id: HashMap<AreaId, u32> = HashMap::with_capacity(mesh.areas.len());
        for area in &mesh.areas {
            let at = draft.push(Piece::new(area.shape, area.attributes, [NONE; 4]));
            by_id.entry(area.id).or_insert(at);
        }
        for (at, area) in (0..).zip(&mesh.areas) {
            let known = area.all_connections().filter_map(|(side, id)| Some((side, *by_id.get(&id)?)));
            known.for_each(|(side, to)| draft.link(at, side, to));
        }
        draft.old = draft.numbers();
        draft
    }

    /// The number of existing areas, which come first.
    pub(super) fn old(&self) -> u32 {
        self.old
    }

    /// The new areas, in order.
    pub(super) fn fresh(&self) -> impl Iterator<Item = (u32, &Piece)> {
        let all = (0..).zip(&self.pieces).skip(self.old as usize);
        all.filter_map(|(at, piece)| Some((at, piece.as_ref()?)))
    }

    /// The numbers of new areas, including removed ones.
    pub(super) fn fresh_numbers(&self) -> Range<u32> {
        self.old..self.numbers()
    }

    /// Whether an existing area covers the ground of a rectangle, with too little height between them for a human.
    pub(super) fn is_taken(&self, shape: &Shape) -> bool {
        if self.old == 0 {
            return false;
        }
        let ([x, y, _], [wide, deep]) = (shape.center(), shape.extent());
        let over =
            |at: &u32| *at < self.old && self.get(*at).is_some_and(|piece| covers(&piece.shape, shape));
        self.grid.near([x, y], 0.5 * wide.max(deep)).iter().any(over)
    }

    pub(super) fn push(&mut self, piece: Piece) -> u32 {
        let at = self.pieces.len() as u32;
        self.grid.insert(at, &piece.shape);
        self.pieces.push(Some(piece));
        at
    }

    /// The number of numbers given out.
    pub(super) fn numbers(&self) -> u32 {
        self.pieces.len() as u32
    }

    pub(super) fn get(&self, at: u32) -> Option<&Piece> {
        self.pieces.get(at as usize)?.as_ref()
    }

    /// The remaining areas, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Piece)> {
        (0..).zip(&self.pieces).filter_map(|(at, piece)| Some((at, piece.as_ref()?)))
    }

    pub(super) fn set_attributes(&mut self, at: u32, attributes: Attributes) {
        if let Some(Some(piece)) = self.pieces.get_mut(at as usize) {
            piece.attributes = attributes;
        }
    }

    /// Changes the rectangle of an area, which then no longer matches its nodes.
    pub(super) fn reshape(&mut self, at: u32, shape: Shape) {
        self.set_shape(at, shape, [NONE; 4]);
    }

    fn set_shape(&mut self, at: u32, shape: Shape, corners: Corners) {
        if let Some(Some(piece)) = self.pieces.get_mut(at as usize) {
            self.grid.change(at, &piece.shape, &shape);
            (piece.shape, piece.corners) = (shape, corners);
        }
    }

    /// Whether there is a link from one area over this side to the other.
    pub(super) fn is_linked(&self, from: u32, direction: Direction, to: u32) -> bool {
        self.get(from).is_some_and(|piece| piece.links(direction).contains(&to))
    }

    /// Appends a link, unless it exists or leads back to its source.
    pub(super) fn link(&mut self, from: u32, direction: Direction, to: u32) {
        if from == to || self.get(to).is_none() || self.is_linked(from, direction, to) {
            return;
        }
        let Some(Some(piece)) = self.pieces.get_mut(from as usize) else { return };
        if let Some(list) = piece.links.get_mut(direction as usize) {
            list.push(to);
        }
        if let Some(Some(other)) = self.pieces.get_mut(to as usize) {
            other.incoming.push((from, direction));
        }
    }

    pub(super) fn unlink(&mut self, from: u32, direction: Direction, to: u32) {
        if let Some(Some(piece)) = self.pieces.get_mut(from as usize)
            && let Some(list) = piece.links.get_mut(direction as usize)
        {
            list.retain(|other| *other != to);
        }
        if let Some(Some(other)) = self.pieces.get_mut(to as usize) {
            other.incoming.retain(|link| *link != (from, direction));
        }
    }

    /// The areas with links to one.
    pub(super) fn naming(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        self.get(at).into_iter().flat_map(|piece| piece.incoming.iter().map(|(from, _)| *from))
    }

    /// The areas with links to one over this side of theirs.
    pub(super) fn naming_over(&self, at: u32, side: Direction) -> impl Iterator<Item = u32> + '_ {
        let all = self.get(at).into_iter().flat_map(|piece| &piece.incoming);
        all.filter(move |(_, direction)| *direction == side).map(|(from, _)| *from)
    }

    /// Removes an area with all links from it and to it.
    pub(super) fn remove(&mut self, at: u32) {
        let Some(piece) = self.pieces.get_mut(at as usize).and_then(Option::take) else { return };
        self.grid.remove(at, &piece.shape);
        for (from, direction) in piece.incoming {
            if let Some(Some(other)) = self.pieces.get_mut(from as usize)
                && let Some(list) = other.links.get_mut(direction as usize)
            {
                list.retain(|other| *other != at);
            }
        }
        for (direction, to) in Direction::ALL
            .into_iter()
            .zip(piece.links)
            .flat_map(|(d, l)| l.into_iter().map(move |to| (d, to)))
        {
            if let Some(Some(other)) = self.pieces.get_mut(to as usize) {
                other.incoming.retain(|link| *link != (at, direction));
            }
        }
    }

    /// Merges two areas: the first takes the rectangle and the links of both, and keeps its number. Returns it and the areas
    /// linked to it.
    pub(super) fn absorb(&mut self, keep: u32, gone: u32, shape: Shape, corners: Corners) -> Vec<u32> {
        let Some(piece) = self.get(gone) else { return Vec::new() };
        let (links, incoming) = (piece.links.clone(), piece.incoming.clone());
        self.set_shape(keep, shape, corners);
        for (direction, list) in Direction::ALL.into_iter().zip(&links) {
            list.iter().for_each(|to| self.link(keep, direction, *to));
        }
        for (from, direction) in incoming.into_iter().filter(|(from, _)| *from != keep) {
            self.unlink(from, direction, gone);
            self.unlink(from, direction, keep);
            self.link(from, direction, keep);
        }
        self.remove(gone);
        self.naming(keep).chain([keep]).collect()
    }

    /// Cuts an area in two. The parts are the last two areas, the one with the lower coordinates first. `None` if the cut is not
    /// well inside.
    pub(super) fn split(&mut self, at: u32, axis: Axis, cut: f32) -> Option<[u32; 2]> {
        let whole = self.get(at)?.clone();
        let [low, high] = edges(&whole.shape, axis);
        if !(cut > low + 1.0 && cut < high - 1.0) {
            return None;
        }
        let parts = halves(&whole.shape, axis, cut, true);
        let inward = match axis {
            Axis::Y => [Direction::South, Direction::North],
            Axis::X => [Direction::East, Direction::West],
        };
        let made = parts.map(|shape| self.push(Piece::new(shape, whole.attributes, [NONE; 4])));
        let [first, second] = made;
        for ((from, to), way) in [(first, second), (second, first)].into_iter().zip(inward) {
            self.link(from, way, to);
        }
        for ((part, shape), inward) in made.into_iter().zip(parts).zip(inward) {
            for direction in Direction::ALL.into_iter().filter(|direction| *direction != inward) {
                let faces = |other: &Piece| overlap(&shape, &other.shape, Axis::along(direction)) > 0.0;
                for to in whole.links(direction) {
                    if !self.get(*to).is_some_and(faces) {
                        continue;
                    }
                    self.link(part, direction, *to);
                    if self.is_linked(*to, direction.opposite(), at) {
                        self.link(*to, direction.opposite(), part);
                    }
                }
            }
        }
        if self.old > 0 {
            self.keep_incoming(&whole, made.into_iter().zip(parts));
        }
        self.remove(at);
        Some(made)
    }

    /// Redirects the links of existing areas to those parts of an area that they face. Otherwise one-way links to an area would
    /// be lost, as in the engine.
    fn keep_incoming(&mut self, whole: &Piece, parts: impl Iterator<Item = (u32, Shape)>) {
        let old = self.old;
        for (part, shape) in parts {
            for (from, way) in whole.incoming.iter().filter(|(from, _)| *from < old) {
                let Some(other) = self.get(*from).map(|piece| piece.shape) else { continue };
                if overlap(&shape, &other, Axis::along(*way)) > 0.0 {
                    self.link(*from, *way, part);
                }
            }
        }
    }

    /// Every area that may lie within `reach` of a point seen from above, in their order.
    pub(super) fn near(&self, point: [f32; 2], reach: f32) -> Vec<u32> {
        self.grid.near(point, reach)
    }

    /// The area whose nearest point, seen from above, is nearest to a point.
    pub(super) fn nearest(&self, point: [f32; 3]) -> Option<u32> {
        let far = |piece: &Piece| length(minus(closest_point(&piece.shape, point), point));
        let all = self.iter().map(|(at, piece)| (at, far(piece)));
        all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(at, _)| at)
    }

    /// The area at a point whose ground there is highest, from `below` under the point to 5 above it.
    pub(super) fn area_at(&self, [x, y, z]: [f32; 3], below: f32) -> Option<u32> {
        let mut best: Option<(u32, f32)> = None;
        for at in self.grid.near([x, y], 0.0) {
            let Some(piece) = self.get(at).filter(|piece| piece.shape.contains_xy(x, y)) else { continue };
            let height = piece.shape.height_at(x, y);
            if height <= z + 5.0 && height >= z - below && best.is_none_or(|(_, highest)| height > highest) {
                best = Some((at, height));
            }
        }
        best.map(|(at, _)| at)
    }
}
