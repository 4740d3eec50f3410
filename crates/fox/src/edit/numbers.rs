//! The remains of a group, by old numbers.

use super::pieces::pieces;
use crate::buf::GroupBuf;
use crate::record::NodeIndex;

/// A segment of the new tile: the old segment that it is, or is a piece of, and its old faces.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) old: usize,
    pub(super) faces: Vec<usize>,
    /// Whether the old segment lost nothing.
    pub(super) whole: bool,
    /// Whether it is the first piece of its old segment.
    pub(super) first: bool,
}

/// The renumbering of a group: what remains, by old numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) id: u16,
    pub(super) pieces: Vec<Piece>,
    pub(super) faces: Vec<Option<u16>>,
    pub(super) nodes: Vec<Option<u16>>,
    /// The old nodes of every new segment.
    pub(super) old_nodes: Vec<Vec<usize>>,
    /// The new segment of every new node.
    pub(super) segment_of: Vec<u16>,
}

impl Numbers {
    /// The remains of a group without some of its faces.
    pub(super) fn new(group: &GroupBuf, gone: &[bool]) -> Self {
        let mut own = Self {
            id: group.id.index(),
            faces: vec![None; group.mesh.faces.len()],
            nodes: vec![None; group.world.nodes.len()],
            ..Self::default()
        };
        for (old, segment) in group.segments.iter().enumerate() {
            let left: Vec<usize> = segment.faces().filter(|face| gone.get(*face) != Some(&true)).collect();
            let whole = left.len() == segment.faces().len();
            if whole {
                own.pieces.push(Piece { old, faces: left, whole, first: true });
                own.old_nodes.push(segment.nodes().collect());
                continue;
            }
            for (number, (faces, nodes)) in pieces(group, segment, &left).into_iter().enumerate() {
                own.pieces.push(Piece { old, faces, whole, first: number == 0 });
                own.old_nodes.push(nodes);
            }
        }
        let mut next = 0_u16;
        for (piece, nodes) in (0_u16..).zip(&own.old_nodes) {
            for node in nodes {
                own.nodes.get_mut(*node).into_iter().for_each(|slot| *slot = Some(next));
                own.segment_of.push(piece);
                next = next.saturating_add(1);
            }
        }
        for (new, old) in (0_u16..).zip(own.pieces.iter().flat_map(|piece| &piece.faces)) {
            own.faces.get_mut(*old).into_iter().for_each(|slot| *slot = Some(new));
        }
        own
    }

    pub(super) fn node(&self, old: NodeIndex) -> Option<NodeIndex> {
        self.nodes.get(old.index()).copied().flatten().map(NodeIndex)
    }
}
