//! What a command overwrites.

use super::editor::World;
use crate::buf::{GroupBuf, HeadBuf, IslandGraphBuf, SearchBuf, SegmentNodeBuf};
use navmap_core::edit::{Deltas, Weighed};
use std::mem::swap;

/// The values that one command overwrote, for undo and redo. An attribute takes a few bytes; a command that renumbers a group
/// keeps the whole group.
#[derive(Debug)]
pub struct Change(pub(super) Deltas<Delta>);

/// One overwritten value.
#[derive(Debug)]
pub(super) enum Delta {
    /// Of one file of the tile.
    Head(usize, HeadBuf),
    /// Group, segment, attribute.
    Attributes(Vec<(usize, usize, u16)>),
    /// Island, attribute.
    Islands(Box<(Vec<IslandGraphBuf>, Vec<u32>)>),
    IslandAttributes(Vec<(usize, u16)>),
    Nodes(usize, Vec<SegmentNodeBuf>),
    Group(usize, Box<(GroupBuf, Slots)>),
    /// Of one file of the tile.
    Search(usize, Option<SearchBuf>),
}

impl Weighed for Delta {
    fn weight(&self) -> u64 {
        let more = match self {
            Self::Attributes(list) => list.len().saturating_mul(2),
            Self::IslandAttributes(list) => list.len(),
            Self::Islands(both) => both.1.len().saturating_mul(8),
            Self::Nodes(_, nodes) => nodes.len(),
            Self::Group(_, group) => {
                group.1.faces.len().saturating_add(group.1.vertices.len()).saturating_mul(4)
            }
            Self::Search(_, search) => search.as_ref().map_or(0, |search| {
                let lists = search.buckets.len().saturating_add(search.listings.len());
                lists.saturating_add(search.segments.len()) / 2
            }),
            Self::Head(..) => 0,
        };
        8_u64.saturating_add(more as u64)
    }
}

/// Permanent names of a group's segments, faces and vertices, independent of renumbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slots {
    pub(super) segments: Vec<u32>,
    pub(super) faces: Vec<u32>,
    pub(super) vertices: Vec<u32>,
}

impl World {
    /// Swaps the current value with that of a delta.
    pub(super) fn exchange(&mut self, delta: &mut Delta) {
        match delta {
            Delta::Head(file, head) => {
                if let Some(own) = self.head_mut(*file) {
                    swap(own, head);
                }
            }
            Delta::Attributes(list) => {
                for (group, segment, value) in list {
                    let group = self.tile.groups.get_mut(*group);
                    if let Some(attribute) = group.and_then(|g| g.world.attributes.get_mut(*segment)) {
                        let before = attribute.get();
                        attribute.set(*value);
                        *value = before;
                    }
                }
            }
            Delta::Islands(both) => {
                swap(&mut self.tile.islands, &mut both.0);
                swap(&mut self.island_slots, &mut both.1);
            }
            Delta::IslandAttributes(list) => {
                for (island, value) in list {
                    let graph = self.tile.islands.first_mut();
                    if let Some(island) = graph.and_then(|graph| graph.islands.get_mut(*island)) {
                        swap(&mut island.attribute, value);
                    }
                }
            }
            Delta::Nodes(group, nodes) => {
                if let Some(group) = self.tile.groups.get_mut(*group) {
                    swap(&mut group.graph.nodes, nodes);
                }
            }
            Delta::Group(index, both) => {
                if let (Some(group), Some(slots)) =
                    (self.tile.groups.get_mut(*index), self.slots.get_mut(*index))
                {
                    swap(group, &mut both.0);
                    swap(slots, &mut both.1);
                }
                self.forget();
            }
            Delta::Search(file, search) => {
                if let Some(own) = self.search_mut(*file) {
                    swap(own, search);
                }
            }
        }
    }

    /// Makes a change and records what it overwrites, unless no more of that may be kept.
    pub(super) fn record(&mut self, mut delta: Delta) {
        if !self.changes.is_full() {
            self.exchange(&mut delta);
            self.changes.push(delta);
        }
    }

    pub(super) fn set_head(&mut self, file: usize, head: HeadBuf) {
        if self.head_mut(file).is_some_and(|own| *own != head) {
            self.record(Delta::Head(file, head));
        }
    }

    pub(super) fn set_islands(&mut self, islands: Vec<IslandGraphBuf>, slots: Vec<u32>) {
        if self.tile.islands != islands {
            self.record(Delta::Islands(Box::new((islands, slots))));
        }
    }

    pub(super) fn set_nodes(&mut self, group: usize, nodes: Vec<SegmentNodeBuf>) {
        if self.tile.groups.get(group).is_some_and(|group| group.graph.nodes != nodes) {
            self.record(Delta::Nodes(group, nodes));
        }
    }

    pub(super) fn set_group(&mut self, index: usize, group: GroupBuf, slots: Slots) {
        if self.tile.groups.get(index).is_some_and(|now| *now != group) {
            self.record(Delta::Group(index, Box::new((group, slots))));
        }
    }

    pub(super) fn set_search(&mut self, file: usize, search: Option<SearchBuf>) {
        if self.search_mut(file).is_some_and(|own| *own != search) {
            self.record(Delta::Search(file, search));
        }
    }
}
