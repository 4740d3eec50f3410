//! Links that appeared, disappeared, or changed.

use super::matching::{Matching, NONE};
use navmap_core::graph::{FlatGraph, Link, LinkKind};

/// What changed in links.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Links {
    /// Changed links between nodes that both meshes have, ordered by source (in old numbers).
    pub changed: Vec<LinkChange>,
    /// Links that disappeared with a node at either end.
    pub gone_with_nodes: u32,
    /// Links that appeared with a node at either end.
    pub come_with_nodes: u32,
    /// The numbers of links between nodes that both meshes have, before and after.
    pub kept: [u32; 2],
}

impl Links {
    /// Whether all links are unchanged.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone_with_nodes == 0 && self.come_with_nodes == 0
    }
}

/// A link between two nodes that both meshes have, in old numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkChange {
    /// The node it leaves.
    pub from: u32,
    /// The target; `None` if that is in another file.
    pub to: Option<u32>,
    /// Its kind and whether the game could close it before; `None` if it did not exist.
    pub before: Option<(LinkKind, bool)>,
    /// Its kind and whether the game can close it now; `None` if it no longer exists.
    pub after: Option<(LinkKind, bool)>,
}

/// A link in a form comparable between both meshes: ends in old numbers, target beyond the file, kind, take-off and landing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    from: u32,
    to: u32,
    beyond: Option<u64>,
    kind: LinkKind,
    gated: bool,
    ends: Option<[[u32; 3]; 2]>,
}

impl Key {
    fn new(link: &Link, from: u32, to: u32) -> Self {
        let ends = link.path.map(|ends| ends.map(|end| end.to_array().map(f32::to_bits)));
        Self { from, to, beyond: link.passage.beyond, kind: link.kind, gated: link.gated, ends }
    }

    fn way(&self) -> (u32, u32, Option<u64>) {
        (self.from, self.to, self.beyond)
    }
}

/// The links between nodes that both have, sorted, and the number of others. `rename` gives the old number of a node, or
/// [`NONE`].
fn keys(graph: &FlatGraph, rename: impl Fn(u32) -> u32) -> (Vec<Key>, u32) {
    let mut others = 0;
    let mut keys = Vec::with_capacity(graph.links().len());
    for link in graph.links() {
        let (from, to) = (rename(link.from), link.to.map(&rename));
        if from == NONE || to == Some(NONE) {
            others += 1;
        } else {
            keys.push(Key::new(link, from, to.unwrap_or(NONE)));
        }
    }
    keys.sort_unstable();
    (keys, others)
}

pub(super) fn changes(before: &FlatGraph, after: &FlatGraph, matching: &Matching) -> Links {
    let partner = |of: &[u32], at: u32| of.get(at as usize).copied().unwrap_or(NONE);
    let kept = |at: u32| if partner(&matching.after, at) == NONE { NONE } else { at };
    let (left, gone_with_nodes) = keys(before, kept);
    let (right, come_with_nodes) = keys(after, |at| partner(&matching.before, at));
    let kept = [left.len() as u32, right.len() as u32];
    let (gone, come) = only_in_one(&left, &right);
    let mut changed = Vec::new();
    let (mut gone, mut come) = (gone.into_iter().peekable(), come.into_iter().peekable());
    while gone.peek().is_some() || come.peek().is_some() {
        let (was, is) = match (gone.peek(), come.peek()) {
            (Some(was), Some(is)) if was.way() == is.way() => (gone.next(), come.next()),
            (Some(was), Some(is)) if was.way() > is.way() => (None, come.next()),
            (Some(_), _) => (gone.next(), None),
            (None, _) => (None, come.next()),
        };
        let Some(key) = was.or(is) else { break };
        changed.push(LinkChange {
            from: key.from,
            to: (key.to != NONE).then_some(key.to),
            before: was.map(|key| (key.kind, key.gated)),
            after: is.map(|key| (key.kind, key.gated)),
        });
    }
    Links { changed, gone_with_nodes, come_with_nodes, kept }
}

/// Multiset difference of two sorted lists, both ways.
pub(super) fn only_in_one<T: Ord + Copy>(left: &[T], right: &[T]) -> (Vec<T>, Vec<T>) {
    let (mut only_left, mut only_right) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (left.iter().copied().peekable(), right.iter().copied().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (Some(l), Some(r)) if l == r => {
                left.next();
                right.next();
            }
            (Some(l), Some(r)) if l > r => only_right.extend(right.next()),
            (Some(_), _) => only_left.extend(left.next()),
            (None, Some(_)) => only_right.extend(right.next()),
            (None, None) => return (only_left, only_right),
        }
    }
}
