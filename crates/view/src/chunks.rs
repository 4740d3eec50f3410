//! Puts neighbouring nodes together.

use navmap_core::graph::{FlatGraph, NavGraph};

/// The most nodes of a chunk.
pub const CHUNK: usize = 1 << BITS;
/// The bits of a code that say which node of its chunk is meant.
const BITS: u32 = 9;
/// How many nodes a chunk has at first: what is left is room for nodes that are made later.
const FILL: usize = CHUNK - CHUNK / 8;

/// The nodes of a graph in the order in which a scene numbers them, chunk after chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    order: Vec<u32>,
    /// Where each chunk ends in the order. One that has lost its nodes stays, so that the others keep their numbers.
    ends: Vec<u32>,
}

impl Chunks {
    /// Divides a graph into chunks that each lie in one part of the plan. Nodes without a finite center come last.
    pub(super) fn of(graph: &FlatGraph) -> Self {
        let middles = middles(graph);
        let middle = |node: u32| middles.get(node as usize).copied().flatten();
        let (mut order, nowhere): (Vec<u32>, Vec<u32>) =
            (0..middles.len() as u32).partition(|node| middle(*node).is_some());
        split(&mut order, &|node, axis| middle(node).map_or(0.0, |at| at[axis]));
        order.extend(nowhere);
        // What was moved only to find the middle goes back into the order of the file.
        order.chunks_mut(FILL).for_each(<[u32]>::sort_unstable);
        let ends = order.chunks(FILL).scan(0u32, |end, chunk| {
            *end += chunk.len() as u32;
            Some(*end)
        });
        Self { ends: ends.collect(), order }
    }

    /// The chunks of a graph that was changed. Nodes stay in the chunk in which the node with their id was, unless they have left
    /// it. New ones go to the nearest that has room, so a change is one of few chunks. Where there are too many of them, all is
    /// divided anew.
    pub(super) fn following(graph: &FlatGraph, before: (&FlatGraph, &Self)) -> Self {
        let (old, known) = before;
        let mut boxes = known.boxes(old);
        let homes = known.homes(old);
        let home = |id: u64| {
            let at = homes.partition_point(|(of, _)| *of < id);
            homes.get(at).filter(|(of, _)| *of == id).map(|(_, chunk)| *chunk as usize)
        };
        let mut chunks = vec![Vec::new(); boxes.len()];
        let mut new = Vec::new();
        for ((node, row), middle) in (0u32..).zip(graph.nodes()).zip(middles(graph)) {
            let stays =
                |chunk: &usize| chunks[*chunk].len() < CHUNK && distance(&boxes[*chunk], middle) == 0.0;
            match home(row.id).filter(stays) {
                Some(chunk) => chunks[chunk].push(node),
                None => new.push((node, middle)),
            }
        }
        if new.len() > CHUNK {
            return Self::of(graph);
        }
        for (node, middle) in new {
            let far = |chunk: &usize| distance(&boxes[*chunk], middle);
            let room = (0..chunks.len()).filter(|chunk| chunks[*chunk].len() < CHUNK);
            match room.min_by(|a, b| far(a).total_cmp(&far(b))) {
                Some(chunk) => chunks[chunk].push(node),
                None => {
                    chunks.push(vec![node]);
                    boxes.push(middle.map_or(NOWHERE, |[u, v]| [u, v, u, v]));
                }
            }
        }
        let mut next = Self::default();
        for mut chunk in chunks {
            chunk.sort_unstable();
            next.order.append(&mut chunk);
            next.ends.push(next.order.len() as u32);
        }
        next
    }

    /// The nodes of the graph in order.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The nodes of each chunk.
    pub(super) fn each(&self) -> impl Iterator<Item = &[u32]> {
        self.ends.iter().scan(0u32, move |start, end| {
            let nodes = &self.order[*start as usize..*end as usize];
            *start = *end;
            Some(nodes)
        })
    }

    /// How each node of the graph is named in columns: by its chunk and its place there, which stay when other chunks change.
    pub(super) fn codes(&self) -> Vec<u32> {
        let mut codes = vec![0; self.order.len()];
        for (chunk, nodes) in (0u32..).zip(self.each()) {
            (0u32..).zip(nodes).for_each(|(at, node)| codes[*node as usize] = chunk << BITS | at);
        }
        codes
    }

    /// The chunk of each id, by id.
    fn homes(&self, graph: &FlatGraph) -> Vec<(u64, u32)> {
        let mut homes: Vec<(u64, u32)> = (0u32..)
            .zip(self.each())
            .flat_map(|(chunk, nodes)| {
                nodes.iter().map(move |node| (graph.nodes()[*node as usize].id, chunk))
            })
            .collect();
        homes.sort_unstable();
        homes
    }

    /// The box of the centers of each chunk.
    fn boxes(&self, graph: &FlatGraph) -> Vec<[f32; 4]> {
        let middles = middles(graph);
        let grown = |[left, below, right, above]: [f32; 4], [u, v]: [f32; 2]| {
            [left.min(u), below.min(v), right.max(u), above.max(v)]
        };
        let of = |nodes: &[u32]| nodes.iter().filter_map(|node| middles[*node as usize]).fold(NOWHERE, grown);
        self.each().map(of).collect()
    }
}

/// The box around nothing.
const NOWHERE: [f32; 4] = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// The square of how far a point is from a box; what has no place is in every box.
fn distance([left, below, right, above]: &[f32; 4], middle: Option<[f32; 2]>) -> f32 {
    let Some([u, v]) = middle else { return 0.0 };
    let beside = [left - u, u - right].into_iter().fold(0.0, f32::max);
    let beyond = [below - v, v - above].into_iter().fold(0.0, f32::max);
    beside * beside + beyond * beyond
}

/// The center of each node from above, if it is finite.
fn middles(graph: &FlatGraph) -> Vec<Option<[f32; 2]>> {
    let axes = graph.axes();
    let center = |node| graph.shape(node).center().filter(|at| at.is_finite());
    graph.nodes().iter().map(|node| center(node).map(|at| axes.plan(at)).map(|[u, v, _]| [u, v])).collect()
}

/// Divides nodes across the longer side of their box until no part is larger than a chunk. Every part but the last is a whole
/// number of chunks.
fn split(nodes: &mut [u32], at: &impl Fn(u32, usize) -> f32) {
    let mut parts = vec![nodes];
    while let Some(part) = parts.pop() {
        if part.len() <= FILL {
            continue;
        }
        let side = |axis: usize| {
            let ends = part.iter().map(|node| at(*node, axis));
            let [low, high] = ends.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            });
            high - low
        };
        let axis = usize::from(side(1) > side(0));
        let half = part.len().div_ceil(FILL) / 2 * FILL;
        part.select_nth_unstable_by(half, |a, b| at(*a, axis).total_cmp(&at(*b, axis)).then(a.cmp(b)));
        let (low, high) = part.split_at_mut(half);
        parts.extend([low, high]);
    }
}
