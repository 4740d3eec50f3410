//! Links that appeared, disappeared, or changed.

use super::matching::{Matching, NONE};
use super::near::{Ends, take_near};
use navmap_core::graph::{FlatGraph, Link, LinkIter, LinkKind};

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
    ends: Option<Ends>,
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

/// Replaces `keys` by those of links between nodes that both have, sorted. `rename` gives the old number of a node, or [`NONE`].
fn take_keys(keys: &mut Vec<Key>, links: LinkIter<'_>, rename: impl Fn(u32) -> u32) {
    keys.clear();
    for link in links {
        let (from, to) = (rename(link.from), link.to.map(&rename));
        if from != NONE && to != Some(NONE) {
            keys.push(Key::new(&link, from, to.unwrap_or(NONE)));
        }
    }
    keys.sort_unstable();
}

/// Hands out the sorted links between nodes that both have, before and after: those of one node after the other, so that few are
/// held, if both graphs are ordered by source.
fn each_source(
    before: &FlatGraph,
    after: &FlatGraph,
    matching: &Matching,
    each: &mut dyn FnMut(&[Key], &[Key]),
) {
    let partner = |of: &[u32], at: u32| of.get(at as usize).copied().unwrap_or(NONE);
    let kept = |at: u32| if partner(&matching.after, at) == NONE { NONE } else { at };
    let former = |at: u32| partner(&matching.before, at);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let [old, new] = [before, after].map(FlatGraph::links);
    if ![old, new].iter().all(|links| links.iter().is_sorted_by_key(|link| link.from)) {
        take_keys(&mut left, old.iter(), kept);
        take_keys(&mut right, new.iter(), former);
        return each(&left, &right);
    }
    for (a, b) in matching.pairs() {
        take_keys(&mut left, old.range(old.leaving(a)), kept);
        take_keys(&mut right, new.range(new.leaving(b)), former);
        each(&left, &right);
    }
}

/// Links whose ends moved by no more than `noise` are counted apart.
pub(super) fn changes(
    before: &FlatGraph,
    after: &FlatGraph,
    matching: &Matching,
    noise: Option<f32>,
) -> (Links, usize) {
    let (mut gone, mut come, mut kept) = (Vec::new(), Vec::new(), [0, 0]);
    each_source(before, after, matching, &mut |left, right| {
        let (of_left, of_right) = only_in_one(left, right);
        gone.extend(of_left);
        come.extend(of_right);
        kept = [kept[0] + left.len() as u32, kept[1] + right.len() as u32];
    });
    let [gone_with_nodes, come_with_nodes] =
        [before.links().len() as u32 - kept[0], after.links().len() as u32 - kept[1]];
    let of = |key: &Key| ((key.way(), key.kind, key.gated, key.ends.is_some()), key.ends.unwrap_or_default());
    let near = noise.map_or(0, |least| take_near(least, &mut gone, &mut come, of));
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
    (Links { changed, gone_with_nodes, come_with_nodes, kept }, near)
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
