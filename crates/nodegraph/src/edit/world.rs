//! The graph under edit: nodes and links in slots, some of them empty. Slots keep their numbers, and everything that is
//! overwritten is noted for undo.

use crate::buf::{LinkBuf, NodeBuf, NodeGraphBuf};
use navmap_core::edit::{Deltas, Weighed};
use navmap_core::error::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a node: its position in the file that was opened, or the number that it got when it was made.
pub(super) type Slot = u32;

/// The number of a link, of the same kind.
pub(super) type LinkSlot = u32;

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// A node.
    Node(Slot),
    /// No node that the file has: the stored number.
    Nowhere(i16),
}

impl End {
    /// What a stored number means in a file of so many nodes.
    pub(super) fn of(stored: i16, count: usize) -> Self {
        let known = Slot::try_from(stored).ok().filter(|slot| (*slot as usize) < count);
        known.map_or(Self::Nowhere(stored), Self::Node)
    }

    /// The node, if it is one.
    pub(super) fn slot(self) -> Option<Slot> {
        match self {
            Self::Node(slot) => Some(slot),
            Self::Nowhere(_) => None,
        }
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tie {
    pub(super) ends: [End; 2],
    pub(super) moves: Vec<u8>,
}

/// What one command has overwritten, in order.
#[derive(Debug)]
pub struct Change(Deltas<Delta>);

impl Change {
    pub(super) fn weight(&self) -> u64 {
        self.0.weight()
    }
}

#[derive(Debug)]
enum Delta {
    Node(Slot, Option<Box<NodeBuf>>),
    Link(LinkSlot, Option<Tie>),
}

/// Twelve values for a node or a link.
impl Weighed for Delta {
    fn weight(&self) -> u64 {
        12
    }
}

/// A graph in slots, which may be empty. A node keeps its slot for as long as it exists; slots are in file order.
#[derive(Debug)]
pub(super) struct World {
    nodes: Vec<Option<NodeBuf>>,
    links: Vec<Option<Tie>>,
    /// The links of each node.
    touching: BTreeSet<(Slot, LinkSlot)>,
    alive: usize,
    changes: Deltas<Delta>,
}

impl World {
    /// Takes the nodes and links of a graph.
    pub(super) fn new(graph: NodeGraphBuf) -> Self {
        let count = graph.nodes.len();
        let tie = |link: LinkBuf| Tie {
            ends: [link.source, link.target].map(|end| End::of(end, count)),
            moves: link.moves,
        };
        let links: Vec<Option<Tie>> = graph.links.into_iter().map(|link| Some(tie(link))).collect();
        let mut touching = BTreeSet::new();
        for (slot, link) in (0..).zip(&links) {
            touching.extend(nodes_of(link.as_ref()).map(|node| (node, slot)));
        }
        let nodes = graph.nodes.into_iter().map(Some).collect();
        Self { nodes, links, touching, alive: count, changes: Deltas::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.alive
    }
    pub(super) fn node(&self, slot: Slot) -> Option<&NodeBuf> {
        self.nodes.get(slot as usize)?.as_ref()
    }
    pub(super) fn link(&self, slot: LinkSlot) -> Option<&Tie> {
        self.links.get(slot as usize)?.as_ref()
    }
    /// Nodes with their slots, in file order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (Slot, &NodeBuf)> + Clone {
        (0..).zip(&self.nodes).filter_map(|(slot, node)| Some((slot, node.as_ref()?)))
    }
    /// Links with their slots, in file order.
    pub(super) fn links(&self) -> impl Iterator<Item = (LinkSlot, &Tie)> + Clone {
        (0..).zip(&self.links).filter_map(|(slot, link)| Some((slot, link.as_ref()?)))
    }
    /// The links of a node, each once.
    pub(super) fn links_of(&self, slot: Slot) -> Vec<LinkSlot> {
        self.touching.range((slot, 0)..=(slot, LinkSlot::MAX)).map(|(_, link)| *link).collect()
    }
    /// The links that join two nodes.
    pub(super) fn between(&self, a: Slot, b: Slot) -> Vec<LinkSlot> {
        let [a_end, b_end] = [a, b].map(End::Node);
        let joins = |link: &LinkSlot| {
            self.link(*link).is_some_and(|tie| tie.ends == [a_end, b_end] || tie.ends == [b_end, a_end])
        };
        self.links_of(a).into_iter().filter(joins).collect()
    }
    /// The number after the last that any node ever had.
    pub(super) fn next_node(&self) -> Slot {
        self.nodes.len() as Slot
    }
    /// The number after the last that any link ever had.
    pub(super) fn next_link(&self) -> LinkSlot {
        self.links.len() as LinkSlot
    }

    /// Makes, replaces or removes a node.
    pub(super) fn set_node(&mut self, slot: Slot, node: Option<NodeBuf>) {
        let same = match (self.node(slot), &node) {
            (Some(was), Some(now)) => !differs(was, now),
            (was, now) => was.is_none() && now.is_none(),
        };
        if !same {
            self.note(Delta::Node(slot, node.map(Box::new)));
        }
    }

    /// Changes a node. Returns whether it differs now.
    pub(super) fn change_node(&mut self, slot: Slot, change: impl FnOnce(&mut NodeBuf)) -> bool {
        let Some(now) = self.node(slot) else { return false };
        let mut node = now.clone();
        change(&mut node);
        let new = differs(now, &node);
        self.set_node(slot, Some(node));
        new
    }

    /// Makes, replaces or removes a link.
    pub(super) fn set_link(&mut self, slot: LinkSlot, link: Option<Tie>) {
        if self.link(slot) != link.as_ref() {
            self.note(Delta::Link(slot, link));
        }
    }

    fn note(&mut self, mut delta: Delta) {
        if !self.changes.is_full() {
            self.exchange(&mut delta);
            self.changes.push(delta);
        }
    }

    pub(super) fn allow(&mut self, values: u64) {
        self.changes.allow(values);
    }

    pub(super) fn is_full(&self) -> bool {
        self.changes.is_full()
    }

    pub(super) fn take_change(&mut self) -> Option<Change> {
        self.changes.take().map(Change)
    }

    /// Swaps the present values with those that were overwritten, last first.
    pub(super) fn swap(&mut self, change: &mut Change) {
        change.0.swap(|delta| self.exchange(delta));
    }

    fn exchange(&mut self, delta: &mut Delta) {
        match delta {
            Delta::Node(slot, other) => {
                let Some(place) = place(&mut self.nodes, *slot) else { return };
                let before = std::mem::replace(place, other.take().map(|node| *node));
                let alive = self.alive.saturating_add(place.is_some().into());
                self.alive = alive.saturating_sub(before.is_some().into());
                *other = before.map(Box::new);
            }
            Delta::Link(slot, other) => {
                let Some(place) = place(&mut self.links, *slot) else { return };
                std::mem::swap(place, other);
                for node in nodes_of(other.as_ref()) {
                    self.touching.remove(&(node, *slot));
                }
                self.touching.extend(nodes_of(place.as_ref()).map(|node| (node, *slot)));
            }
        }
    }

    /// The graph as it would be written, with the zones that the nodes have. A link that leads nowhere leads there still: to -1 if
    /// there is a node of its number by now.
    pub(super) fn to_graph(&self, like: &NodeGraphBuf) -> Result<NodeGraphBuf> {
        let numbers: BTreeMap<Slot, i16> = self.nodes().map(|(slot, _)| slot).zip(0..=i16::MAX).collect();
        let end = |end: End| {
            let why = || format!("{} of them, links reach {}", self.alive, crate::layout::MOST_NODES);
            match end {
                End::Node(slot) => numbers.get(&slot).copied().ok_or_else(|| Error::invalid("nodes", why())),
                End::Nowhere(stored) => {
                    Ok(if End::of(stored, self.alive).slot().is_some() { -1 } else { stored })
                }
            }
        };
        let mut graph = like.clone();
        graph.nodes = self.nodes().map(|(_, node)| node.clone()).collect();
        for (_, tie) in self.links() {
            let [source, target] = tie.ends;
            graph.links.push(LinkBuf {
                source: end(source)?,
                target: end(target)?,
                moves: tie.moves.clone(),
            });
        }
        Ok(graph)
    }
}

/// The nodes that a link joins.
fn nodes_of(link: Option<&Tie>) -> impl Iterator<Item = Slot> + use<> {
    link.map(|tie| tie.ends).into_iter().flatten().filter_map(End::slot)
}

/// The place of a slot. The slot after the last is added.
fn place<T: Clone>(list: &mut Vec<Option<T>>, slot: u32) -> Option<&mut Option<T>> {
    let at = slot as usize;
    if list.len() <= at {
        list.resize(at.saturating_add(1), None);
    }
    list.get_mut(at)
}

/// Whether a node differs, by bits: a number that is none is as it was.
pub(super) fn differs(was: &NodeBuf, now: &NodeBuf) -> bool {
    let bits = |node: &NodeBuf| {
        let numbers = node.origin.iter().chain([&node.yaw]).chain(&node.offsets);
        numbers.map(|value| value.to_bits()).collect::<Vec<_>>()
    };
    let rest = |node: &NodeBuf| (node.kind, node.info, node.zone, node.hammer_id);
    rest(was) != rest(now) || bits(was) != bits(now)
}
