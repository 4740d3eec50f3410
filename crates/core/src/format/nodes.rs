//! The records of chosen nodes, as they lie in a file.

use crate::graph::Point;
use crate::stream::Stream;
use std::ops::Range;

/// What takes the records of nodes from [`NavFile::records`](super::NavFile::records).
pub trait NodeRecords {
    /// Takes the record of a node, by its position in the graph: the bytes of the file in which it lies (`None` if they lie
    /// compressed or scattered), and everything in it under the names that a dump has.
    fn record(&mut self, node: u32, bytes: Option<Range<u64>>, fields: &dyn Stream);
}

/// What all ladders have.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderRecord {
    /// Its id.
    pub id: u64,
    /// Its lower and its upper end.
    pub ends: [Point; 2],
    /// The ids of the nodes at its ends, with 0 where there is none.
    pub nodes: Vec<u64>,
}

/// What takes the ladders of a file from [`NavFile::ladders`](super::NavFile::ladders).
pub trait LadderRecords {
    /// Takes a ladder, the bytes of the file in which it lies, and everything in it under the names that a dump has.
    fn ladder(&mut self, ladder: LadderRecord, bytes: Option<Range<u64>>, fields: &dyn Stream);
}

/// Of items in the order of their nodes, those of the chosen ones, each with its node. `nodes` are ascending. Ends with the last of
/// them.
#[doc(hidden)]
pub fn chosen<T>(nodes: &[u32], items: impl Iterator<Item = T>) -> impl Iterator<Item = (u32, T)> {
    let mut wanted = nodes.iter().copied().peekable();
    items
        .zip(0_u32..)
        .map_while(move |(item, at)| {
            wanted.peek()?;
            Some(wanted.next_if_eq(&at).map(|node| (node, item)))
        })
        .flatten()
}

/// The bytes of a record of fixed size: the first, and how many.
#[doc(hidden)]
pub fn span(at: u64, len: usize) -> Option<Range<u64>> {
    Some(at..at.saturating_add(len as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_items_come_with_their_nodes_and_no_more_are_looked_at() {
        let mut looked = 0;
        let items = ["a", "b", "c", "d", "e"].into_iter().inspect(|_| looked += 1);
        let found: Vec<_> = chosen(&[1, 3], items).collect();
        assert_eq!(found, [(1, "b"), (3, "d")]);
        assert_eq!(looked, 5, "one more, to see that none is wanted");
        assert_eq!(chosen(&[], ["a"].into_iter()).count(), 0);
        assert_eq!(chosen(&[7], ["a"].into_iter()).count(), 0);
        assert_eq!(span(u64::MAX, 3), Some(u64::MAX..u64::MAX));
    }
}
