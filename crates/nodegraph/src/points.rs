//! Nodes and links of `.ain` files of any version.

use super::flags::{Hulls, NodeKind, RESPAWN_HULLS, SOURCE_HULLS};
use super::iter::{AinLinks, AinNodes};
use super::layout::Layout;
use super::record::HammerId;
use super::respawn::{Body, HULLS};
use super::solve::solve;
use navmap_core::bytes::Cursor;
use navmap_core::error::Result;

/// Nodes, links and Hammer ids: in place, or unpacked from a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) layout: Layout,
    pub(super) nodes: &'a [u8],
    pub(super) node_count: usize,
    pub(super) links: &'a [u8],
    pub(super) link_count: usize,
    pub(super) ids: &'a [HammerId],
    /// The byte of the first node; `None` in a text, whose lines have no fixed place.
    pub(super) start: Option<u64>,
}

impl<'a> Parts<'a> {
    /// Takes them from the bytes after the head.
    pub(super) fn take(cursor: &mut Cursor<'a>, version: i32, node_count: usize) -> Result<Self> {
        let solved = solve(cursor, version, node_count)?;
        let (layout, start) = (solved.layout, Some(cursor.offset()));
        let nodes = cursor.bytes(node_count.saturating_mul(layout.node_len()), "nodes")?;
        cursor.skip(4, "number of links")?;
        let links = cursor.bytes(solved.links.saturating_mul(layout.link_len()), "links")?;
        let ids = cursor.slice(node_count, "Hammer ids")?;
        Ok(Self { layout, nodes, node_count, links, link_count: solved.links, ids, start })
    }

    pub(super) fn nodes(self) -> AinNodes<'a> {
        AinNodes::new(self.nodes, self.node_count, self.layout)
    }
    pub(super) fn links(self) -> AinLinks<'a> {
        AinLinks::new(self.links, self.link_count, self.layout)
    }
    /// The byte of a node.
    pub(super) fn node_offset(self, index: usize) -> Option<u64> {
        let before = (index as u64).saturating_mul(self.layout.node_len() as u64);
        Some(self.start?.saturating_add(before))
    }
    /// The byte of a link.
    pub(super) fn link_offset(self, index: usize) -> Option<u64> {
        let before = (index as u64).saturating_mul(self.layout.link_len() as u64);
        Some(self.node_offset(self.node_count)?.saturating_add(4).saturating_add(before))
    }
    /// The byte of a Hammer id.
    pub(super) fn id_offset(self, index: usize) -> Option<u64> {
        Some(self.link_offset(self.link_count)?.saturating_add((index as u64).saturating_mul(4)))
    }
}

/// The nodes and links of an `.ain` file of any version.
#[derive(Debug, Clone, Copy)]
pub(super) enum Points<'a> {
    Source(Parts<'a>),
    Respawn(Body<'a>),
}

/// What every version says of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) origin: [f32; 3],
    pub(super) yaw: f32,
    pub(super) kind: NodeKind,
    pub(super) info: u32,
    /// The zone, or the cluster.
    pub(super) group: i16,
}

/// What every version says of a link. It works both ways.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie<'a> {
    pub(super) source: i16,
    pub(super) target: i16,
    pub(super) moves: &'a [u8],
}

impl Tie<'_> {
    /// Both ends as indices; `None` for an end that no node has.
    pub(super) fn ends(&self, nodes: usize) -> [Option<usize>; 2] {
        [self.source, self.target].map(|end| usize::try_from(end).ok().filter(|end| *end < nodes))
    }
}

impl<'a> Points<'a> {
    pub(super) fn nodes(&self) -> usize {
        match self {
            Self::Source(parts) => parts.node_count,
            Self::Respawn(body) => body.nodes.len(),
        }
    }
    pub(super) fn links(&self) -> usize {
        match self {
            Self::Source(parts) => parts.link_count,
            Self::Respawn(body) => body.links.len(),
        }
    }
    pub(super) fn hulls(&self) -> usize {
        match self {
            Self::Source(parts) => parts.layout.hulls.into(),
            Self::Respawn(_) => HULLS,
        }
    }
    pub(super) fn hull_names(&self) -> Hulls {
        match self {
            Self::Source(_) => SOURCE_HULLS,
            Self::Respawn(_) => RESPAWN_HULLS,
        }
    }
    pub(super) fn is_source(&self) -> bool {
        matches!(self, Self::Source(_))
    }

    #[inline]
    pub(super) fn node(&self, index: usize) -> Option<Point> {
        match self {
            Self::Source(parts) => {
                let node = parts.nodes().get(index)?;
                let (kind, info, group) = (node.kind(), node.info(), node.zone());
                Some(Point { origin: node.origin(), yaw: node.yaw(), kind, info, group })
            }
            Self::Respawn(body) => {
                let node = body.nodes.get(index)?;
                let (kind, info, group) = (node.kind(), node.info(), node.cluster());
                Some(Point { origin: node.origin(), yaw: node.yaw(), kind, info, group })
            }
        }
    }

    /// How far above the node a hull stands.
    #[inline]
    pub(super) fn offset_of_hull(&self, node: usize, hull: usize) -> Option<f32> {
        match self {
            Self::Source(parts) => Some(parts.nodes().get(node)?.offsets().get(hull)?.get()),
            Self::Respawn(body) => Some(body.nodes.get(node)?.offsets().get(hull)?.get()),
        }
    }

    #[inline]
    pub(super) fn link(&self, index: usize) -> Option<Tie<'a>> {
        match self {
            Self::Source(parts) => {
                let link = parts.links().get(index)?;
                Some(Tie { source: link.source(), target: link.target(), moves: link.moves_of_hulls() })
            }
            Self::Respawn(body) => {
                let link = body.links.get(index)?;
                Some(Tie { source: link.source(), target: link.target(), moves: link.moves() })
            }
        }
    }

    /// Pairs of existing nodes whose link a hull passes.
    pub(super) fn joined(self, hull: Option<usize>) -> impl Iterator<Item = [usize; 2]> + use<'a> {
        (0..self.links()).filter_map(move |link| {
            let tie = self.link(link)?;
            let [a, b] = tie.ends(self.nodes());
            let passes = hull.is_none_or(|hull| tie.moves.get(hull).is_some_and(|moves| *moves != 0));
            Some([a?, b?]).filter(|_| passes)
        })
    }

    /// The byte of a node.
    pub(super) fn node_offset(&self, index: usize) -> Option<u64> {
        match self {
            Self::Source(parts) => parts.node_offset(index),
            Self::Respawn(body) => Some(body.node_offset(index)),
        }
    }

    /// The byte of a link.
    pub(super) fn link_offset(&self, index: usize) -> Option<u64> {
        match self {
            Self::Source(parts) => parts.link_offset(index),
            Self::Respawn(body) => Some(body.link_offset(index)),
        }
    }

    /// How far the floor lies below a node; `None` in the air. The engine puts a human 0.1 above the floor. If no human fits, it
    /// leaves the height at 0.1, so the lowest hull is used instead.
    pub(super) fn floor_below(&self, index: usize) -> Option<f32> {
        self.node(index).filter(|node| node.kind == NodeKind::GROUND)?;
        let fit = |hull: usize| {
            let offset = self.offset_of_hull(index, hull)? + self.hull_names().min_z(hull);
            Some(DROPPED - offset).filter(|below| below.is_finite())
        };
        let human = fit(0)?;
        if human.abs() > 0.001 {
            return Some(human);
        }
        Some((1..self.hulls()).filter_map(fit).fold(human, f32::max))
    }
}

/// How far above the floor the engine puts a hull.
const DROPPED: f32 = 0.1;
