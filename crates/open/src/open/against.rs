//! Points of a graph held against the mesh of the same map.

use navmap_core::graph::{FlatGraph, FlatNode, NavGraph, Point};
use navmap_core::{Finding, Severity};
use navmap_query::NavIndex;

/// How far a point may be from the mesh.
const BESIDE: f32 = 64.0;

/// How far two floors may be apart.
const SAME: f32 = 2.0;

/// How far an area may be from every node.
const SERVED: f32 = 300.0;

/// How far below the top of a step the ground is looked for.
const STEP: f32 = 18.0;

/// How the points of a graph lie on a mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OnMesh {
    /// Points on the ground: all but those in the air, in water and on ladders.
    pub ground: usize,
    /// How many have an area under them.
    pub over: usize,
    /// How many of these have their floor within 2 units of the area's.
    pub same_floor: usize,
    /// How many points are more than 64 units from every area.
    pub off: usize,
    /// How many areas there are, and how many of them have no point within 300 units.
    pub areas: usize,
    /// See [`areas`](Self::areas).
    pub without: usize,
}

impl OnMesh {
    /// Holds the points of a graph against the mesh of the same map, and reports those off it (`off-mesh`), those whose floor is
    /// another (`other-floor`), and areas that no point serves (`area-without-node`). The two files share units and axes.
    ///
    /// Costs a search for each point and each area.
    pub fn of(graph: &FlatGraph, mesh: &NavIndex, found: &mut dyn FnMut(Finding)) -> Self {
        let mut seen = Self { areas: mesh.len(), ..Self::default() };
        let mut say = |index: usize, code, at: Point, message: String| {
            let finding =
                Finding::new(Severity::Info, code, message).in_record(graph.node_word(), index as u64);
            let finding = match u32::try_from(graph.nodes().get(index).map_or(u64::MAX, |node| node.id)) {
                Ok(id) => finding.with_id(id),
                Err(_) => finding,
            };
            found(finding.placed(at.to_array()));
        };
        let mut floors = graph.clone();
        floors.put_on_floor();
        let mut points = FlatGraph::new("node", graph.axes());
        for (index, (node, low)) in graph.nodes().iter().zip(floors.nodes()).enumerate() {
            let Some(at) = floors.shape(low).center().filter(|at| at.is_finite()) else { continue };
            points.add_node(index as u64, graph.shape(node));
            if !on_ground(graph, node) {
                continue;
            }
            seen.ground += 1;
            let floor = at.z;
            let feet = Point { z: floor + STEP, ..at };
            match mesh.ground_at(feet, STEP + BESIDE) {
                Some((_, ground)) if (ground - floor).abs() <= SAME => {
                    (seen.over, seen.same_floor) = (seen.over + 1, seen.same_floor + 1);
                }
                Some((area, ground)) => {
                    seen.over += 1;
                    let id = mesh.id(area).unwrap_or_default();
                    let message =
                        format!("its floor is at {floor}, that of area #{id} of the mesh at {ground}");
                    say(index, "other-floor", at, message);
                }
                None if mesh.nearest(at, BESIDE).is_none() => {
                    seen.off += 1;
                    say(index, "off-mesh", at, format!("no area of the mesh lies within {BESIDE} units"));
                }
                None => {}
            }
        }
        let served = NavIndex::build(&points).value;
        let is_alone = |at: Point| served.nearest(at, SERVED).is_none();
        let mut alone = mesh.areas().filter(|area| mesh.center(*area).is_some_and(is_alone));
        if let Some(first) = alone.next() {
            seen.without = alone.count() + 1;
            let (without, areas, id) = (seen.without, seen.areas, mesh.id(first).unwrap_or_default());
            let message = format!(
                "{without} of {areas} areas of the mesh, from #{id} on, have no node within {SERVED} units"
            );
            let finding = Finding::new(Severity::Info, "area-without-node", message);
            found(finding.placed(mesh.center(first).map(Point::to_array)));
        }
        seen
    }
}

/// Whether a point is on the ground, as far as its flags tell.
fn on_ground(graph: &FlatGraph, node: &FlatNode) -> bool {
    let names = (0..64).filter(|bit| node.flags >> bit & 1 == 1).filter_map(|bit| graph.flag(bit));
    !names.into_iter().any(|name| ["air", "water", "climb", "deleted"].contains(&name))
}
