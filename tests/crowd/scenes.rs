//! Six scenes: who walks where, on what.

use navmap::crowd::{AgentId, Body, Crowd, CrowdOptions, Doing};
use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Rules, Shape, Surface};
use navmap::query::{NavIndex, PathScratch, Query};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled;

/// 20 ticks a second.
pub(crate) const TICK: f32 = 0.05;

pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) graph: FlatGraph,
    /// From where to where, in units of the graph.
    pub(crate) walks: Vec<[Point; 2]>,
    /// How near to its goal an agent has to come, in metres.
    pub(crate) near: f32,
    pub(crate) seconds: f32,
}

/// An empty graph of upright rectangles.
pub(crate) fn rectangles(metres_per_unit: f32) -> FlatGraph {
    let axes = Axes::z_up(metres_per_unit);
    let mut graph = FlatGraph::new("area", axes);
    graph.set_rules(Rules { surface: Surface::Bilinear, ..Rules::of_axes(axes) });
    graph
}

/// Adds rectangles (x and y of two corners) at a height; those that share a side are linked both ways.
pub(crate) fn floor(graph: &mut FlatGraph, rooms: &[[f32; 4]], z: f32) {
    let first = graph.nodes().len() as u32;
    for (at, [x0, y0, x1, y1]) in (first..).zip(rooms) {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(*x, *y, z));
        graph.add_node(at.into(), Shape::Polygon(&corners));
    }
    for (from, a) in (first..).zip(rooms) {
        for (to, b) in (first..).zip(rooms) {
            let shared = |axis: usize| a[axis + 2].min(b[axis + 2]) - a[axis].max(b[axis]);
            let side = match () {
                () if from == to => continue,
                () if a[1] == b[3] && shared(0) > 0.0 => 0,
                () if a[2] == b[0] && shared(1) > 0.0 => 1,
                () if a[3] == b[1] && shared(0) > 0.0 => 2,
                () if a[0] == b[2] && shared(1) > 0.0 => 3,
                () => continue,
            };
            let mut link = Link::new(from, to, LinkKind::Walk);
            link.passage.side = Some(side);
            graph.add_link(link);
        }
    }
}

/// Rectangles of a grid.
pub(crate) fn tiled(x0: f32, y0: f32, columns: usize, rows: usize, side: f32) -> Vec<[f32; 4]> {
    let tile = |column: usize, row: usize| {
        let [x, y] = [x0 + column as f32 * side, y0 + row as f32 * side];
        [x, y, x + side, y + side]
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| tile(column, row))).collect()
}

fn scene(
    name: &'static str,
    rooms: &[[f32; 4]],
    walks: Vec<[[f32; 2]; 2]>,
    near: f32,
    seconds: f32,
) -> Scene {
    let mut graph = rectangles(1.0);
    floor(&mut graph, rooms, 0.0);
    let walks = walks.iter().map(|walk| walk.map(|[x, y]| Point::new(x, y, 0.0))).collect();
    Scene { name, graph, walks, near, seconds }
}

/// A square of people, `across` of them in a row.
fn block(count: usize, across: usize, at: [f32; 2]) -> impl Iterator<Item = [f32; 2]> {
    (0..count).map(move |i| [at[0] + (i % across) as f32 * 1.2, at[1] + (i / across) as f32 * 1.2])
}

/// The bundled map.
pub(crate) fn town() -> FlatGraph {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    FlatGraph::of(&SourceGraph::new(&SourceNav::parse(&bytes).unwrap())).whole().unwrap()
}

pub(crate) fn all() -> Vec<Scene> {
    let ring = (0..24).map(|i| {
        let (sin, cos) = (i as f32 / 24.0 * std::f32::consts::TAU).sin_cos();
        [[20.0 + 14.0 * cos, 20.0 + 14.0 * sin], [20.0 - 14.0 * cos, 20.0 - 14.0 * sin]]
    });
    let hall = block(8, 4, [1.0, 1.0]).map(|p| [p, [p[0] + 34.0, p[1]]]);
    let hall = hall.chain(block(8, 4, [35.0, 1.1]).map(|p| [p, [p[0] - 34.0, p[1] - 0.1]]));
    let rooms = [[0.0, 0.0, 12.0, 12.0], [12.0, 5.2, 13.0, 6.8], [13.0, 0.0, 25.0, 12.0]];
    let door = block(24, 6, [2.0, 2.0]).map(|[x, y]| [[x, y], [x + 14.0, y + 1.0]]);
    let bend = [[0.0, 0.0, 20.0, 2.4], [20.0, 0.0, 22.4, 2.4], [20.0, 2.4, 22.4, 22.0]];
    let corner = block(10, 5, [1.0, 0.6]).map(|[x, y]| [[x, y], [20.5 + (y - 0.6), 15.0 + x]]);
    let corner = corner.chain(block(6, 2, [20.6, 14.0]).map(|[x, y]| [[x, y], [y - 12.0, x - 20.2]]));
    let meet = block(30, 6, [1.0, 1.0]).map(|p| [p, [20.0, 20.0]]);

    let graph = town();
    let index = NavIndex::build(&graph).whole().unwrap();
    let (mut rng, mut scratch, spots) = (Rng(3), PathScratch::new(&index), index.spots());
    let mut across = Vec::new();
    while across.len() < 40 {
        let mut random = || index.random_point(&spots, || rng.f32(0.0, 1.0).into()).unwrap();
        let [(a, from), (b, to)] = [random(), random()];
        // On foot, since Detour's off-mesh connections are not all of a ladder.
        let walked = scratch.path(&index, a, b, &Query::shortest()).unwrap().cost().is_some()
            && scratch.steps(&index).all(|step| step.way.is_none_or(|way| way.kind == LinkKind::Walk));
        if walked && across.iter().all(|[other, _]: &[Point; 2]| other.distance(from) > 40.0) {
            across.push([from, to]);
        }
    }
    vec![
        scene("ring", &tiled(0.0, 0.0, 10, 10, 4.0), ring.collect(), 1.0, 60.0),
        scene("hall", &[[0.0, 0.0, 20.0, 3.6], [20.0, 0.0, 40.0, 3.6]], hall.collect(), 1.0, 90.0),
        scene("door", &rooms, door.collect(), 1.5, 90.0),
        scene("corner", &bend, corner.collect(), 1.5, 120.0),
        scene("meeting", &tiled(0.0, 0.0, 10, 10, 4.0), meet.collect(), 5.0, 60.0),
        Scene { name: "town", graph, walks: across, near: 1.5, seconds: 120.0 },
    ]
}

/// Lets our crowd walk a scene. The seconds after which each came near to its goal.
pub(crate) fn walk(scene: &Scene) -> Vec<Option<f32>> {
    let index = NavIndex::build(&scene.graph).whole().unwrap();
    let metre = 1.0 / index.axes().metres_per_unit;
    let mut crowd = Crowd::new(&index, &CrowdOptions::default().with_agents(scene.walks.len()));
    let add = |[from, to]: &[Point; 2]| {
        let id = crowd.add(&index, *from, Body::person(&index)).unwrap();
        crowd.go(&index, id, *to).unwrap();
        id
    };
    let ids: Vec<AgentId> = scene.walks.iter().map(add).collect();
    let mut done = vec![None; ids.len()];
    for tick in 1..=(scene.seconds / TICK) as u32 {
        crowd.tick(&index, TICK, &Query::default()).unwrap();
        for ((id, [_, to]), done) in ids.iter().zip(&scene.walks).zip(&mut done) {
            let agent = crowd.agent(*id).unwrap();
            if !matches!(agent.doing, Doing::OnLeg { .. }) {
                // Nobody is ever outside of the mesh.
                let area = agent.area.unwrap();
                let closest = index.closest_point(area, agent.at).unwrap();
                assert!(closest.distance(agent.at) <= 1e-3 * metre, "{}: {agent:?}", scene.name);
            }
            if done.is_none() && agent.at.distance(*to) <= scene.near * metre {
                *done = Some(tick as f32 * TICK);
            }
        }
    }
    done
}

#[test]
fn everybody_gets_through_every_scene_and_stays_on_the_mesh() {
    for scene in all() {
        let done = walk(&scene);
        let stuck: Vec<usize> = (0..done.len()).filter(|at| done[*at].is_none()).collect();
        assert!(stuck.is_empty(), "{}: {} of {} are stuck: {stuck:?}", scene.name, stuck.len(), done.len());
        let times: Vec<f32> = done.into_iter().flatten().collect();
        let mean = times.iter().sum::<f32>() / times.len() as f32;
        println!("{}: mean {mean:.1} s, last {:.1} s", scene.name, times.iter().copied().fold(0.0, f32::max));
    }
}
