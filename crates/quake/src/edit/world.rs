//! The graph under edit: nodes that own their links. Slots keep their numbers, and overwritten values are recorded for undo.

use super::near::Near;
use crate::iter::EdictKey;
use crate::record::{Bounds, LadderTraversal, Link, Vector};
use crate::write::{EdictBuf, QuakeBuf};
use navmap_core::edit::{Deltas, Weighed};
use navmap_core::error::{Error, Result};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use zerocopy::IntoBytes;

/// The number of a node: its position in the opened file, or the number it got when it was made.
pub(super) type Slot = u32;

/// More slots than 16 bits can number, so that nodes can be made before others are deleted.
pub(super) const MOST: Slot = 1 << 17;

/// A node with its links.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Waypoint {
    pub(super) origin: Vector,
    pub(super) flags: u16,
    pub(super) radius: u16,
    pub(super) links: Vec<Way>,
}

/// A target that the file has no node for: this and the stored number. No slot is as large.
const NOWHERE: Slot = 1 << 31;

/// A link with its traversal and edict.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// Where it leads: a node, unless it leads [nowhere](Way::leads).
    pub(super) to: Slot,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) traversal: Option<LadderTraversal>,
    pub(super) edicts: Vec<(Bounds, EdictKey)>,
}

impl Way {
    /// Whether it leads to a node.
    pub(super) fn leads(&self) -> bool {
        self.to < NOWHERE
    }

    /// The target to write for a link that leads nowhere, in a graph of so many nodes: the stored one, if it is no node still.
    fn nowhere(&self, nodes: usize) -> Option<u16> {
        let stored = self.to.checked_sub(NOWHERE).and_then(|stored| u16::try_from(stored).ok())?;
        [stored, u16::MAX].into_iter().find(|target| usize::from(*target) >= nodes)
    }

    /// Its values without where it leads, to be compared.
    pub(super) fn bits(&self) -> Vec<u8> {
        let traversal = self.traversal.as_ref().map_or(&[][..], IntoBytes::as_bytes);
        let mut bits = [&[self.kind, self.flags], traversal].concat();
        for (bounds, key) in &self.edicts {
            bits.extend_from_slice(bounds.as_bytes());
            bits.extend_from_slice(format!("{key:?}").as_bytes());
        }
        bits
    }
}

/// The values that one command overwrote, in order.
#[derive(Debug)]
pub struct Change(Deltas<Delta>);

impl Change {
    pub(super) fn weight(&self) -> u64 {
        self.0.weight()
    }
}

#[derive(Debug)]
enum Delta {
    Node(Slot, Option<Box<Waypoint>>),
    Heuristic(u32),
}

/// Eight values for a node, and those of its links.
impl Weighed for Delta {
    fn weight(&self) -> u64 {
        let edict = size_of::<(Bounds, EdictKey)>().div_ceil(16);
        let way =
            |way: &Way| way.edicts.len().saturating_mul(edict).saturating_add(size_of::<Way>().div_ceil(16));
        match self {
            Self::Node(_, node) => {
                node.iter().flat_map(|node| &node.links).map(way).fold(8, usize::saturating_add) as u64
            }
            Self::Heuristic(_) => 1,
        }
    }
}

/// Parts of a graph that its nodes do not lead to, or that are in another order than the nodes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Astray {
    /// Links and traversals that are not in the file, dropped if that is allowed.
    pub(super) missing: usize,
    /// Links that belong to no node.
    pub(super) idle: usize,
    /// Traversals that no link uses.
    pub(super) orphans: usize,
    /// Traversals shared by several links; each link gets its own copy.
    pub(super) shared: usize,
    /// Edicts of missing links.
    pub(super) edicts: usize,
}

/// Reads the nodes of a graph. Parts that cannot be kept are counted. Links and traversals that are not in the file are an error
/// unless `lenient`; a link to a missing node is kept.
pub(super) fn read(graph: &QuakeBuf, lenient: bool) -> Result<(Vec<Waypoint>, Astray)> {
    let mut astray = Astray::default();
    let mut edicts: BTreeMap<usize, Vec<(Bounds, EdictKey)>> = BTreeMap::new();
    for edict in &graph.edicts {
        edicts.entry(edict.link.into()).or_default().push((edict.bounds, edict.key));
    }
    let mut used = vec![0_usize; graph.traversals.len()];
    let mut owned = vec![false; graph.links.len()];
    let mut nodes = Vec::with_capacity(graph.nodes.len());
    for (index, (node, origin)) in graph.nodes.iter().zip(&graph.origins).enumerate() {
        let first = usize::from(node.first_link());
        let range = first..first.saturating_add(node.link_count().into());
        let in_node = |error: Error| error.in_record("node", index as u64);
        let outside = || {
            let why = format!("{}..{} are outside 0..{}", range.start, range.end, graph.links.len());
            in_node(Error::invalid("links", why))
        };
        let links = match graph.links.get(range.clone()) {
            Some(links) => links,
            None if lenient => {
                astray.missing = astray.missing.saturating_add(node.link_count().into());
                &[]
            }
            None => return Err(outside()),
        };
        let mut ways = Vec::with_capacity(links.len());
        for (link, at) in links.iter().zip(range) {
            if let Some(owned) = owned.get_mut(at)
                && std::mem::replace(owned, true)
            {
                // Copying a link for each of two nodes would let a small file ask for much memory.
                return Err(in_node(Error::invalid(
                    "links",
                    format!("link {at} belongs to another node as well"),
                )));
            }
            let in_link = |error: Error| error.in_record("link", at as u64);
            let is_node = usize::from(link.target()) < graph.nodes.len();
            let stored = link.traversal().map(usize::from);
            let traversal = stored.and_then(|index| graph.traversals.get(index)).copied();
            if let Some(index) = stored.filter(|_| traversal.is_none()) {
                if !lenient {
                    let why = format!("{index} is outside 0..{}", graph.traversals.len());
                    return Err(in_link(Error::invalid("traversal", why)));
                }
                astray.missing = astray.missing.saturating_add(1);
            }
            if let Some(used) = stored.and_then(|index| used.get_mut(index)) {
                *used = used.saturating_add(1);
            }
            ways.push(Way {
                to: Slot::from(link.target()) | if is_node { 0 } else { NOWHERE },
                kind: link.kind(),
                flags: link.flags(),
                traversal,
                edicts: edicts.remove(&at).unwrap_or_default(),
            });
        }
        nodes.push(Waypoint { origin: *origin, flags: node.flags(), radius: node.radius(), links: ways });
    }
    astray.idle = owned.iter().filter(|owned| !**owned).count();
    astray.orphans = used.iter().filter(|used| **used == 0).count();
    astray.shared = used.iter().filter(|used| **used > 1).count();
    astray.edicts = edicts.values().map(Vec::len).sum();
    Ok((nodes, astray))
}

/// The nodes of a graph whose links all lead somewhere.
///
/// # Errors
/// If a link leads nowhere, or belongs to two nodes.
pub(super) fn read_sound(graph: &QuakeBuf) -> Result<Vec<Waypoint>> {
    let (nodes, _) = read(graph, false)?;
    let missing = |target: u16| usize::from(target) >= graph.nodes.len();
    if let Some((at, link)) = graph.links.iter().enumerate().find(|(_, link)| missing(link.target())) {
        let why = format!("{} is outside 0..{}", link.target(), graph.nodes.len());
        return Err(Error::invalid("target", why).in_record("link", at as u64));
    }
    Ok(nodes)
}

/// Exchanging a node costs as much as looking at so many, and at its links.
const EXCHANGED: usize = 64;

/// An owned graph with holes. A node keeps its slot for as long as it exists; slots are in file order.
#[derive(Debug)]
pub(super) struct World {
    nodes: Vec<Option<Waypoint>>,
    pub(super) heuristic: f32,
    /// The number of links from one node to another, by target.
    incoming: BTreeMap<(Slot, Slot), u32>,
    alive: usize,
    changes: Deltas<Delta>,
    /// Where the nodes are, once that was asked for.
    near: OnceCell<Near>,
    /// How many nodes commands have looked at, so that a script of commands about all of them comes to an end.
    looked_at: Cell<u64>,
}

impl World {
    pub(super) fn new(nodes: Vec<Waypoint>, heuristic: f32) -> Self {
        let mut incoming = BTreeMap::new();
        for (slot, node) in (0..).zip(&nodes) {
            for link in &node.links {
                let count: &mut u32 = incoming.entry((link.to, slot)).or_default();
                *count = count.saturating_add(1);
            }
        }
        let alive = nodes.len();
        let nodes = nodes.into_iter().map(Some).collect();
        let (near, looked_at) = (OnceCell::new(), Cell::new(0));
        Self { nodes, heuristic, incoming, alive, changes: Deltas::default(), near, looked_at }
    }

    pub(super) fn len(&self) -> usize {
        self.alive
    }

    pub(super) fn node(&self, slot: Slot) -> Option<&Waypoint> {
        self.nodes.get(slot as usize)?.as_ref()
    }

    /// Nodes with their slots, in file order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (Slot, &Waypoint)> + Clone {
        self.look_at(self.nodes.len());
        (0..).zip(&self.nodes).filter_map(|(slot, node)| Some((slot, node.as_ref()?)))
    }

    /// Counts nodes that a command looks at.
    pub(super) fn look_at(&self, nodes: usize) {
        self.looked_at.set(self.looked_at.get().saturating_add(nodes as u64));
    }

    pub(super) fn looked_at(&self) -> u64 {
        self.looked_at.get()
    }

    /// The node whose origin is nearest, of several the first.
    pub(super) fn nearest(&self, at: [f32; 3]) -> Option<Slot> {
        let near = self.near.get_or_init(|| {
            let mut near = Near::default();
            self.nodes().for_each(|(slot, node)| near.add(slot, node.origin.to_array()[0]));
            near
        });
        let (found, looked) = near.nearest(at, |slot| Some(self.node(slot)?.origin.to_array()));
        self.look_at(looked);
        found
    }

    /// One more than the largest number that a node ever had.
    pub(super) fn next(&self) -> Slot {
        self.nodes.len() as Slot
    }

    /// The nodes with a link to this one, each once.
    pub(super) fn sources(&self, slot: Slot) -> Vec<Slot> {
        self.incoming.range((slot, 0)..=(slot, Slot::MAX)).map(|((_, from), _)| *from).collect()
    }

    /// Makes, replaces or removes a node.
    pub(super) fn set(&mut self, slot: Slot, node: Option<Waypoint>) {
        if self.node(slot) != node.as_ref() {
            self.note(Delta::Node(slot, node.map(Box::new)));
        }
    }

    /// Changes a node. Returns whether it is different afterwards.
    pub(super) fn change(&mut self, slot: Slot, change: impl FnOnce(&mut Waypoint)) -> bool {
        let Some(now) = self.node(slot) else { return false };
        let mut node = now.clone();
        change(&mut node);
        let new = *now != node;
        self.set(slot, Some(node));
        new
    }

    pub(super) fn set_heuristic(&mut self, heuristic: f32) {
        if heuristic.to_bits() != self.heuristic.to_bits() {
            self.note(Delta::Heuristic(heuristic.to_bits()));
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

    /// Swaps current and overwritten values, last first.
    pub(super) fn swap(&mut self, change: &mut Change) {
        change.0.swap(|delta| self.exchange(delta));
    }

    fn exchange(&mut self, delta: &mut Delta) {
        match delta {
            Delta::Heuristic(bits) => {
                let before = self.heuristic.to_bits();
                self.heuristic = f32::from_bits(std::mem::replace(bits, before));
            }
            Delta::Node(slot, other) => {
                let at = *slot as usize;
                if self.nodes.len() <= at {
                    self.nodes.resize(at.saturating_add(1), None);
                }
                let Some(place) = self.nodes.get_mut(at) else { return };
                let before = std::mem::replace(place, other.take().map(|node| *node));
                let links = before.iter().chain(&*place).map(|node| node.links.len());
                let looked = links.fold(EXCHANGED, usize::saturating_add) as u64;
                self.looked_at.set(self.looked_at.get().saturating_add(looked));
                if let Some(near) = self.near.get_mut() {
                    let x = |node: &Waypoint| node.origin.to_array()[0];
                    before.iter().for_each(|node| near.remove(*slot, x(node)));
                    place.iter().for_each(|node| near.add(*slot, x(node)));
                }
                for link in before.iter().flat_map(|node| &node.links) {
                    let key = (link.to, *slot);
                    let left = self.incoming.get(&key).map_or(0, |count| count.saturating_sub(1));
                    match left {
                        0 => _ = self.incoming.remove(&key),
                        left => _ = self.incoming.insert(key, left),
                    }
                }
                for link in place.iter().flat_map(|node| &node.links) {
                    let count = self.incoming.entry((link.to, *slot)).or_default();
                    *count = count.saturating_add(1);
                }
                let alive = self.alive.saturating_add(place.is_some().into());
                self.alive = alive.saturating_sub(before.is_some().into());
                *other = before.map(Box::new);
            }
        }
    }

    /// The graph as it would be written: nodes in the order of their slots, everything else in the order of the nodes.
    pub(super) fn to_graph(&self, like: &QuakeBuf) -> Result<QuakeBuf> {
        let mut graph = QuakeBuf::new(like.version);
        graph.layout = like.layout;
        graph.heuristic = self.heuristic;
        let numbers: BTreeMap<Slot, usize> = self.nodes().map(|(slot, _)| slot).zip(0..).collect();
        for (_, node) in self.nodes() {
            graph.push_node(node.origin.to_array(), node.flags, node.radius)?;
            if let Some(last) = graph.origins.last_mut() {
                *last = node.origin;
            }
            for way in &node.links {
                let target = match numbers.get(&way.to) {
                    Some(to) => u16::try_from(*to).ok(),
                    None => way.nowhere(numbers.len()),
                };
                let target = target.ok_or_else(|| {
                    Error::invalid("nodes", format!("{} of them, links reach 65536", numbers.len()))
                })?;
                let traversal = way.traversal.map(|_| graph.traversals.len());
                let traversal = match traversal.map(u16::try_from) {
                    None => None,
                    Some(Ok(index)) if index != Link::NO_TRAVERSAL => Some(index),
                    Some(_) => return Err(crate::write::beyond("traversals", 65_536)),
                };
                graph.traversals.extend(way.traversal);
                let at = graph.links.len();
                graph.push_link(Link::new(target, way.kind, way.flags, traversal))?;
                for (bounds, key) in &way.edicts {
                    let link = u16::try_from(at);
                    let link = link.map_err(|_| crate::write::beyond("links", at))?;
                    graph.edicts.push(EdictBuf { link, bounds: *bounds, key: *key });
                }
            }
        }
        Ok(graph)
    }
}
