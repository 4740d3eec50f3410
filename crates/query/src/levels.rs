//! The upper of two levels: finds the groups of a mesh that a path leads through, without the mesh itself.

use super::ground::{Vec3, distance};
use super::reach::strong;
use navmap_core::graph::{Axes, Link, LinkKind, NavGraph, Node, Partial, Point, Visitor, Wants};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// The upper level of a world of many small meshes: the links between its groups (meshes, segments). It plans which groups a path
/// leads through. Then only those are read, and the path is found in a [`NavIndex`](super::NavIndex) of them.
///
/// Inside a group, nodes that can reach each other form a part. Parts are joined by the links between them, so there is a plan
/// exactly if there is a path. A plan measures the inside of a part in straight lines, so the path in its groups may not be the
/// shortest: over the navmeshes of real plugins the sum of all paths is within 2 % of the shortest ones.
///
/// It takes 4 bytes a node and 32 for each link between parts, which is little beside an index: most links of a mesh
/// stay inside of it. `skyrim::OrderMeshes` reads the meshes of a plan.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::open::Mesh;
/// use navmap::query::Levels;
///
/// let mesh = Mesh::open("corpus/source/town.nav")?;
/// for item in mesh.items() {
///     let graph = item.flat_graph().ok_or("no graph")?.value;
///     let levels = Levels::build(&graph).whole()?;
///     assert_eq!(levels.len(), graph.nodes().len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Levels {
    axes: Axes,
    /// The part of each node.
    part_of: Vec<u32>,
    /// The group of each part; `u32::MAX` for none.
    groups: Vec<u32>,
    /// The links out of part `p` are `crossings[starts[p]..starts[p + 1]]`.
    starts: Vec<u32>,
    crossings: Vec<Crossing>,
}

/// A link between two parts.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    to: u32,
    length: f32,
    /// The centers of the nodes that it joins.
    ends: [Vec3; 2],
}

/// The groups that a path leads through.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// The groups in order. A group that is entered twice is repeated.
    pub groups: Vec<u32>,
    /// The approximate length of the path, in units: straight inside each part.
    pub length: f32,
}

/// An end of a plan: a node, by its number in the graph, and a point in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// The number of the node.
    pub node: u32,
    /// The point from which distances count, such as the center of the node.
    pub point: Point,
}

/// The state of a part in one search.
#[derive(Debug, Clone, Copy)]
struct Reached {
    length: f32,
    /// Where it is entered.
    at: Vec3,
    /// The part before.
    before: u32,
}

/// The memory of plans, one per thread. It grows to the needs of the largest plan.
#[derive(Debug, Clone, Default)]
pub struct LevelScratch {
    reached: Vec<Reached>,
    heap: BinaryHeap<(Reverse<u32>, u32)>,
}

/// Receives a visit.
struct Taken {
    axes: Axes,
    centers: Vec<Vec3>,
    groups: Vec<u32>,
    links: Vec<(u32, u32, f32)>,
}

impl Visitor for Taken {
    const WANTS: Wants = Wants { portals: false, marks: false, ..Wants::ALL };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        let center = node.shape.center().filter(|center| center.is_finite());
        self.centers.push(self.axes.plan(center.unwrap_or_default()));
        self.groups.push(node.group.unwrap_or(u32::MAX));
        ControlFlow::Continue(())
    }

    fn link(&mut self, link: &Link) {
        if let Some(to) = link.to {
            let door = if link.kind == LinkKind::Door { Some(0.0) } else { None };
            let length = link.passage.length.filter(|length| *length >= 0.0).or(door);
            self.links.push((link.from, to, length.unwrap_or(f32::NAN)));
        }
    }
}

impl Levels {
    /// Builds the upper level of a graph; for a damaged one, of the part before the damage.
    ///
    /// One visit, then linear in nodes and links. Keeps nothing of the graph.
    pub fn build(graph: &impl NavGraph) -> Partial<Self> {
        let axes = graph.axes();
        let mut taken = Taken { axes, centers: Vec::new(), groups: Vec::new(), links: Vec::new() };
        let error = graph.visit(&mut taken).err();
        let Taken { centers, groups: of, mut links, .. } = taken;
        let nodes = centers.len();
        links.retain(|(from, to, _)| (*from as usize) < nodes && (*to as usize) < nodes);
        links.sort_by_key(|(from, ..)| *from);
        // Parts: nodes that can reach each other inside their group.
        let inside = |link: &&(u32, u32, f32)| of[link.0 as usize] == of[link.1 as usize];
        let mut rows = vec![0u32; nodes + 1];
        links.iter().filter(inside).for_each(|link| rows[link.0 as usize + 1] += 1);
        (0..nodes).for_each(|node| rows[node + 1] += rows[node]);
        let targets: Vec<u32> = links.iter().filter(inside).map(|link| link.1).collect();
        let row = |node: usize| rows[node] as usize..rows[node + 1] as usize;
        let (part_of, count, _) = strong(nodes, row, &targets, |to| Some(*to as usize));
        drop((rows, targets));
        let mut groups = vec![u32::MAX; count];
        part_of.iter().zip(&of).for_each(|(part, group)| groups[*part as usize] = *group);
        links.retain(|(from, to, _)| part_of[*from as usize] != part_of[*to as usize]);
        links.sort_by_key(|(from, ..)| part_of[*from as usize]);
        let mut starts = vec![0u32; count + 1];
        links.iter().for_each(|link| starts[part_of[link.0 as usize] as usize + 1] += 1);
        (0..count).for_each(|part| starts[part + 1] += starts[part]);
        let crossing = |&(from, to, length): &(u32, u32, f32)| {
            let ends = [from, to].map(|node| centers[node as usize]);
            let length = if length.is_nan() { distance(ends[0], ends[1]) } else { length };
            Crossing { to: part_of[to as usize], length, ends }
        };
        let crossings = links.iter().map(crossing).collect();
        Partial { value: Self { axes, part_of, groups, starts, crossings }, error }
    }

    /// The number of nodes in the graph.
    pub fn len(&self) -> usize {
        self.part_of.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.part_of.is_empty()
    }

    /// The number of parts of all groups.
    pub fn parts(&self) -> usize {
        self.groups.len()
    }

    /// The number of links between parts.
    pub fn crossings(&self) -> usize {
        self.crossings.len()
    }

    /// Memory on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.part_of[..])
            + size_of_val(&self.groups[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.crossings[..])
    }

    /// The group of a node.
    pub fn group(&self, node: u32) -> Option<u32> {
        let part = *self.part_of.get(node as usize)?;
        self.groups.get(part as usize).copied().filter(|group| *group != u32::MAX)
    }

    /// The groups that a path between two nodes leads through. `None` if there is no path, or no such node.
    ///
    /// A search over parts, nearest first.
    pub fn plan(&self, from: End, to: End, scratch: &mut LevelScratch) -> Option<Plan> {
        let [start, goal] = [from.node, to.node].map(|node| self.part_of.get(node as usize).copied());
        let (start, goal) = (start?, goal?);
        let unknown = Reached { length: f32::INFINITY, at: [0.0; 3], before: u32::MAX };
        let LevelScratch { reached, heap } = scratch;
        reached.clear();
        reached.resize(self.groups.len(), unknown);
        heap.clear();
        reached[start as usize] = Reached { length: 0.0, at: self.axes.plan(from.point), ..unknown };
        heap.push((Reverse(0), start));
        while let Some((Reverse(bits), part)) = heap.pop() {
            let Reached { length, at, .. } = reached[part as usize];
            if bits != length.to_bits() {
                continue;
            }
            if part == goal {
                let length = length + distance(at, self.axes.plan(to.point));
                return Some(Plan { groups: self.groups_to(goal, reached), length });
            }
            let row = self.starts[part as usize] as usize..self.starts[part as usize + 1] as usize;
            for crossing in &self.crossings[row] {
                // A sum that is not finite comes from a node without a position. Paths through it are tried last.
                let sum = length + distance(at, crossing.ends[0]) + crossing.length;
                let sum = if sum.is_finite() { sum } else { f32::MAX };
                let known = &mut reached[crossing.to as usize];
                if sum < known.length {
                    *known = Reached { length: sum, at: crossing.ends[1], before: part };
                    heap.push((Reverse(sum.to_bits()), crossing.to));
                }
            }
        }
        None
    }

    fn groups_to(&self, goal: u32, reached: &[Reached]) -> Vec<u32> {
        let mut groups = Vec::new();
        let mut part = goal;
        while part != u32::MAX {
            let group = self.groups[part as usize];
            if groups.last() != Some(&group) {
                groups.push(group);
            }
            part = reached[part as usize].before;
        }
        groups.reverse();
        groups
    }
}
