//! Distances between places, before and after.

use super::Diff;
use navmap_core::graph::{Csr, FlatGraph, NavGraph, Point};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The most nodes and links visited on each side, so that hundreds of places in a large mesh take bounded time.
const WORK: usize = 4_000_000;

/// The shortest path from one place to another, before and after.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlaceChange {
    /// The name of the place where the path begins.
    pub from: String,
    /// The name of the place where it ends.
    pub to: String,
    /// Its old length in units, over the middles of nodes; `None` if there was no path.
    pub before: Option<f64>,
    /// Its new length; `None` if there is no path.
    pub after: Option<f64>,
}

impl PlaceChange {
    /// The increase in length; `None` if either path is missing.
    pub fn by(&self) -> Option<f64> {
        Some(self.after? - self.before?)
    }
}

/// Changes of the paths between places.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Places {
    /// Paths that appeared or disappeared, ordered by the names of both ends.
    pub ends: Vec<PlaceChange>,
    /// Paths that are longer or shorter by more than a step, largest change first.
    pub lengths: Vec<PlaceChange>,
    /// The number of places left out because the mesh is large.
    pub left_out: u32,
}

impl Places {
    /// Measures the paths between the places that both meshes have: from the node nearest to the middle of one place, among those
    /// that both meshes have, to the nearest node of the other. Runs one shortest-path search for each place and side, for as
    /// many of the largest places as four million steps allow.
    pub fn measure(diff: &Diff, before: &FlatGraph, after: &FlatGraph) -> Self {
        let mut places = Self::default();
        if diff.is_same() {
            return places;
        }
        let mut starts: Vec<(usize, &str, (u32, u32))> = Vec::new();
        let mut paired: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for &(a, b) in &diff.pairs {
            if let (Some(was), Some(is)) = (place(before, a), place(after, b))
                && was == is
            {
                paired.entry(was).or_default().push((a, b));
            }
        }
        // Most meshes have no places, and then nothing is made for them.
        if paired.len() < 2 {
            return places;
        }
        let sides = [Side::new(before), Side::new(after)];
        for (name, pairs) in &paired {
            let middle = middle(before, pairs.iter().map(|(a, _)| *a));
            let far = |a: u32| center(before, a).map_or(f32::INFINITY, |p| p.distance(middle));
            let nearest = pairs.iter().min_by(|(a, _), (b, _)| far(*a).total_cmp(&far(*b)));
            starts.extend(nearest.map(|pair| (pairs.len(), *name, *pair)));
        }
        starts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let cost = sides.iter().map(|side| side.csr.len() + side.csr.links()).max().unwrap_or(0).max(1);
        let most = (WORK / cost).max(1).min(starts.len());
        places.left_out = (starts.len() - most) as u32;
        let step = f64::from(before.rules().step);
        for &(_, from, (a, b)) in &starts[..most] {
            let [was, is] = [sides[0].ways(a), sides[1].ways(b)];
            for &(_, to, _) in starts.iter().filter(|(_, to, _)| *to != from) {
                let (before, after) = (was.get(to).copied(), is.get(to).copied());
                let change = PlaceChange { from: from.to_owned(), to: to.to_owned(), before, after };
                match change.by() {
                    Some(by) if by.abs() > step => places.lengths.push(change),
                    None if before.is_some() != after.is_some() => places.ends.push(change),
                    _ => {}
                }
            }
        }
        let size = |change: &PlaceChange| change.by().unwrap_or(0.0).abs();
        places.ends.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
        places.lengths.sort_by(|a, b| {
            size(b).total_cmp(&size(a)).then_with(|| (&a.from, &a.to).cmp(&(&b.from, &b.to)))
        });
        places
    }

    /// Whether every path is unchanged.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty() && self.lengths.is_empty()
    }
}

fn place(graph: &FlatGraph, node: u32) -> Option<&str> {
    let place = graph.nodes().get(node as usize)?.place?;
    graph.places().get(&place).map(String::as_str)
}

fn center(graph: &FlatGraph, node: u32) -> Option<Point> {
    graph
        .shape(graph.nodes().get(node as usize)?)
        .center()
        .filter(|p| p.to_array().iter().all(|v| v.is_finite()))
}

fn middle(graph: &FlatGraph, nodes: impl Iterator<Item = u32>) -> Point {
    let (mut sum, mut count) = ([0.0_f64; 3], 0.0_f64);
    for at in nodes.filter_map(|node| center(graph, node)) {
        for (sum, value) in sum.iter_mut().zip(at.to_array()) {
            *sum += f64::from(value);
        }
        count += 1.0;
    }
    Point::from(sum.map(|sum| (sum / count.max(1.0)) as f32))
}

struct Side<'g> {
    graph: &'g FlatGraph,
    csr: Csr,
    centers: Vec<Option<Point>>,
}

impl<'g> Side<'g> {
    fn new(graph: &'g FlatGraph) -> Self {
        let centers = (0..graph.nodes().len() as u32).map(|node| center(graph, node)).collect();
        Self { graph, csr: Csr::of(graph).value, centers }
    }

    /// The lengths of the shortest paths from a node to the nearest node of each place.
    fn ways(&self, start: u32) -> BTreeMap<&'g str, f64> {
        let mut found = BTreeMap::new();
        let mut done = vec![false; self.csr.len()];
        let mut best = vec![f64::INFINITY; self.csr.len()];
        // Lengths are not negative, so their bits are ordered like their values.
        let mut heap = BinaryHeap::from([Reverse((0_u64, start))]);
        while let Some(Reverse((bits, node))) = heap.pop() {
            let length = f64::from_bits(bits);
            if std::mem::replace(&mut done[node as usize], true) {
                continue;
            }
            if let Some(place) = place(self.graph, node) {
                found.entry(place).or_insert(length);
            }
            for &to in self.csr.targets(node) {
                let far = match (self.centers[node as usize], self.centers[to as usize]) {
                    (Some(a), Some(b)) => f64::from(a.distance(b)),
                    _ => 0.0,
                };
                let there = length + far;
                if there < best[to as usize] {
                    best[to as usize] = there;
                    heap.push(Reverse((there.to_bits(), to)));
                }
            }
        }
        found
    }
}
