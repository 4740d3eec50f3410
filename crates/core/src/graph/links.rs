//! The links of a flat graph, most of which take 16 bytes: they have two ends, a kind, and a portal that is a side of their
//! polygon.

use super::flatnode::Ground;
use super::{Link, LinkKind, Passage, Point};
use std::fmt;
use std::ops::Range;

/// A link, and which values it has.
#[derive(Debug, Clone, Copy)]
struct Packed {
    from: u32,
    to: u32,
    /// Where its values begin.
    first: u32,
    has: u16,
    kind: LinkKind,
    side: u8,
}

const TO: u16 = 1;
const GATED: u16 = 1 << 1;
const SIDE: u16 = 1 << 2;
/// Its portal is the side of its polygon, to the bit.
const OWN_PORTAL: u16 = 1 << 3;
// These lie among the values, in this order.
const PORTAL: u16 = 1 << 4;
const PATH: u16 = 1 << 5;
const LENGTH: u16 = 1 << 6;
const COST: u16 = 1 << 7;
const BEYOND: u16 = 1 << 8;
const NUMBER: u16 = 1 << 9;

/// Links, and the bits of what only some of them have.
#[derive(Debug, Clone, Default)]
pub(super) struct PackedLinks {
    links: Vec<Packed>,
    values: Vec<u32>,
}

impl PackedLinks {
    /// Makes room for so many links more.
    pub(super) fn reserve(&mut self, links: usize) {
        self.links.reserve_exact(links);
    }

    /// Adds a link. `corners` are those of the node that it leaves, as far as they are known.
    pub(super) fn push(&mut self, link: &Link, corners: &[Point]) {
        let Link { from, to, kind, gated, portal, path, passage } = *link;
        let Passage { side, length, cost, number, beyond } = passage;
        let portal = portal.map(bits);
        let is_own = portal.is_some() && side.and_then(|side| side_of(corners, side)).map(bits) == portal;
        let of = |bit: u16, is: bool| if is { bit } else { 0 };
        let mut has = of(TO, to.is_some()) | of(GATED, gated) | of(SIDE, side.is_some());
        has |= of(OWN_PORTAL, is_own);
        let first = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let mut keep = |bit: u16, values: Option<&[u32]>| {
            // Past 16 GiB of values, links have none.
            if let Some(values) = values.filter(|_| first < u32::MAX) {
                has |= bit;
                self.values.extend_from_slice(values);
            }
        };
        keep(PORTAL, portal.filter(|_| !is_own).as_ref().map(|portal| &portal[..]));
        keep(PATH, path.map(bits).as_ref().map(|path| &path[..]));
        keep(LENGTH, length.map(|length| [length.to_bits()]).as_ref().map(|bits| &bits[..]));
        keep(COST, cost.map(|cost| [cost.to_bits()]).as_ref().map(|bits| &bits[..]));
        let halves = |beyond: u64| [beyond as u32, (beyond >> 32) as u32];
        keep(BEYOND, beyond.map(halves).as_ref().map(|halves| &halves[..]));
        keep(NUMBER, number.map(|number| [number]).as_ref().map(|number| &number[..]));
        let (to, side) = (to.unwrap_or(0), side.unwrap_or(0));
        self.links.push(Packed { from, to, first, has, kind, side });
    }

    fn get(&self, index: usize, ground: Ground<'_>) -> Option<Link> {
        let Packed { from, to, first, has, kind, side } = *self.links.get(index)?;
        let is = |bit: u16| has & bit != 0;
        let mut left = self.values.get(first as usize..).unwrap_or_default();
        let portal = take(&mut left, is(PORTAL)).map(points);
        let path = take(&mut left, is(PATH)).map(points);
        let length = take(&mut left, is(LENGTH)).map(|[bits]| f32::from_bits(bits));
        let cost = take(&mut left, is(COST)).map(|[bits]| f32::from_bits(bits));
        let beyond = take(&mut left, is(BEYOND)).map(|[low, high]| u64::from(high) << 32 | u64::from(low));
        let portal = if is(OWN_PORTAL) { side_of(ground.of(from), side) } else { portal };
        let number = take(&mut left, is(NUMBER)).map(|[number]| number);
        let side = is(SIDE).then_some(side);
        let passage = Passage { side, length, cost, number, beyond };
        Some(Link { from, to: is(TO).then_some(to), kind, gated: is(GATED), portal, path, passage })
    }

    /// Replaces each link by what `with` makes of it, or drops it. A link may only be given to another node if that gets the
    /// corners of its node.
    pub(super) fn rewrite(&mut self, ground: Ground<'_>, mut with: impl FnMut(&mut Link) -> bool) {
        let old = std::mem::take(self);
        for mut link in Links::new(&old, ground) {
            let corners = ground.of(link.from);
            if with(&mut link) {
                self.push(&link, corners);
            }
        }
    }

    /// Moves the ends of portals and paths, each with the node that it belongs to. A portal that is a side is where its polygon is, so
    /// it is left alone.
    pub(super) fn move_points(&mut self, mut with: impl FnMut(u32, &mut Point)) {
        for &Packed { from, to, first, has, .. } in &self.links {
            let mut left = self.values.get_mut(first as usize..).unwrap_or_default();
            let to = if has & TO != 0 { to } else { from };
            for (bit, nodes) in [(PORTAL, [from; 2]), (PATH, [from, to])] {
                if has & bit == 0 {
                    continue;
                }
                let Some((stored, after)) = left.split_first_chunk_mut() else { break };
                let mut ends = points(*stored);
                nodes.into_iter().zip(&mut ends).for_each(|(node, end)| with(node, end));
                *stored = bits(ends);
                left = after;
            }
        }
    }
}

/// The values at the front, if they are there to be taken.
fn take<const N: usize>(left: &mut &[u32], is: bool) -> Option<[u32; N]> {
    let (values, after) = left.split_first_chunk().filter(|_| is)?;
    *left = after;
    Some(*values)
}

fn bits([a, b]: [Point; 2]) -> [u32; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z].map(f32::to_bits)
}

fn points(bits: [u32; 6]) -> [Point; 2] {
    let [ax, ay, az, bx, by, bz] = bits.map(f32::from_bits);
    [Point::new(ax, ay, az), Point::new(bx, by, bz)]
}

/// The side of a polygon that runs from this corner to the next one.
fn side_of(corners: &[Point], side: u8) -> Option<[Point; 2]> {
    let side = usize::from(side);
    let next = corners.get(side.saturating_add(1)).or(corners.first());
    corners.get(side).zip(next).map(|(a, b)| [*a, *b])
}

/// The links of a [`FlatGraph`](super::FlatGraph), made when they are asked for.
#[derive(Clone, Copy)]
pub struct Links<'g> {
    links: &'g PackedLinks,
    ground: Ground<'g>,
}

impl<'g> Links<'g> {
    pub(super) fn new(links: &'g PackedLinks, ground: Ground<'g>) -> Self {
        Self { links, ground }
    }

    /// How many.
    #[inline]
    pub fn len(self) -> usize {
        self.links.links.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The link at a position.
    pub fn get(self, index: usize) -> Option<Link> {
        self.links.get(index, self.ground)
    }

    /// All of them, in order.
    pub fn iter(self) -> LinkIter<'g> {
        self.range(0..self.len())
    }

    /// Those at these positions, as far as there are any.
    pub fn range(self, range: Range<usize>) -> LinkIter<'g> {
        let end = range.end.min(self.len());
        LinkIter { links: self, left: range.start.min(end)..end }
    }

    /// The positions of those that leave a node. Links have to be ordered by source.
    pub fn leaving(self, node: u32) -> Range<usize> {
        let links = &self.links.links;
        let start = links.partition_point(|link| link.from < node);
        let len = links.get(start..).unwrap_or_default().partition_point(|link| link.from == node);
        start..start.saturating_add(len)
    }
}

impl fmt::Debug for Links<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

impl PartialEq for Links<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'g> IntoIterator for Links<'g> {
    type Item = Link;
    type IntoIter = LinkIter<'g>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Some of the links of a [`FlatGraph`](super::FlatGraph) in order.
#[derive(Debug, Clone)]
pub struct LinkIter<'g> {
    links: Links<'g>,
    left: Range<usize>,
}

impl Iterator for LinkIter<'_> {
    type Item = Link;

    #[inline]
    fn next(&mut self) -> Option<Link> {
        self.links.get(self.left.next()?)
    }

    fn nth(&mut self, n: usize) -> Option<Link> {
        self.links.get(self.left.nth(n)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for LinkIter<'_> {
    fn next_back(&mut self) -> Option<Link> {
        self.links.get(self.left.next_back()?)
    }
}

impl ExactSizeIterator for LinkIter<'_> {}

impl std::iter::FusedIterator for LinkIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Axes, FlatGraph, Shape};

    #[test]
    fn a_link_is_what_was_added() {
        let at = |x: f32| Point::new(x, -0.0, f32::INFINITY);
        let corners = [at(0.0), at(1.0), at(2.0)];
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        (0..2).for_each(|id| _ = graph.add_node(id, Shape::Polygon(&corners)));
        let bare = Link::new(1, u32::MAX, LinkKind::Walk);
        let side = |side: u8| Passage { side: Some(side), ..Passage::NONE };
        let full = Passage {
            side: Some(7),
            length: Some(-1.5),
            cost: Some(0.0),
            number: Some(u32::MAX),
            beyond: Some(u64::MAX - 1),
        };
        let all = [
            bare,
            Link { gated: true, portal: Some([at(2.0), at(0.0)]), passage: side(2), ..bare },
            Link { portal: Some([at(2.0), at(0.5)]), passage: side(2), ..bare },
            Link { portal: Some([at(0.0), at(1.0)]), path: Some([at(8.0), at(9.0)]), passage: full, ..bare },
            Link {
                passage: Passage { beyond: Some(5), ..Passage::NONE },
                ..Link::outside(1, LinkKind::Door)
            },
            Link { path: Some([at(8.0), at(9.0)]), from: 9, ..bare },
        ];
        all.iter().for_each(|link| graph.add_link(*link));
        assert_eq!(graph.links().iter().collect::<Vec<_>>(), all);
        assert_eq!(graph.links().iter().rev().nth(1), Some(all[4]));
        assert_eq!((graph.links().leaving(1), graph.links().leaving(9)), (0..5, 5..6));
        assert_eq!((graph.links().range(4..99).len(), graph.links().get(6)), (2, None));
        graph.rename_beyond(&mut |beyond| beyond + 1);
        let beyond: Vec<_> = graph.links().iter().map(|link| link.passage.beyond).collect();
        assert_eq!(beyond, [None, None, None, Some(u64::MAX), Some(6), None]);
        graph.retain(|node| node.id == 1);
        let kept: Vec<_> = graph.links().iter().collect();
        assert!(kept.len() == 5 && kept.iter().all(|link| link.from == 0 && link.to.is_none()));
        assert_eq!(kept[1].portal, all[1].portal);
    }

    #[test]
    fn a_portal_is_put_on_the_floor_once_wherever_it_is_stored() {
        let at = |x: f32, z: f32| Point::new(x, 0.0, z);
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        graph.add_node(0, Shape::Polygon(&[at(0.0, 24.0), at(1.0, 24.0), at(2.0, 24.0)]));
        graph.add_node(1, Shape::Polygon(&[at(5.0, 7.0)]));
        graph.nodes_mut()[0].above_floor = 24.0;
        let passage = Passage { side: Some(0), ..Passage::NONE };
        // The second is the side after the move.
        for high in [24.0, 48.0, 30.0] {
            let portal = Some([at(0.0, high), at(1.0, high)]);
            let path = Some([at(0.0, high), at(5.0, 7.0)]);
            graph.add_link(Link { portal, path, passage, ..Link::new(0, 1, LinkKind::Walk) });
        }
        assert_eq!(graph.put_on_floor(), Some([0.0, 24.0]));
        assert_eq!(graph.put_on_floor(), None);
        let (low, links) = ([0.0, 24.0, 6.0], graph.links());
        for (link, low) in links.iter().zip(low) {
            assert_eq!(link.portal, Some([at(0.0, low), at(1.0, low)]));
            assert_eq!(link.path, Some([at(0.0, low), at(5.0, 7.0)]));
        }
    }
}
