//! Every real mesh against itself, and against itself in another place, in another order.

use navmap::diff::{Diff, Method};
use navmap::format::{AnyNav, Options};
use navmap::graph::{FlatGraph, NavGraph, Point, Shape};
use navmap_testkit::corpus::{manifest, real};

/// The graph with its nodes in reverse order, other ids, and everything moved.
fn turned(graph: &FlatGraph, by: [f32; 3]) -> FlatGraph {
    let last = graph.nodes().len() as u32 - 1;
    let mut turned = FlatGraph::new(graph.node_word(), graph.axes());
    turned.set_rules(graph.rules());
    for (place, name) in graph.places() {
        turned.name_place(*place, name.clone());
    }
    for (group, name) in graph.groups() {
        turned.name_group(*group, name.clone());
    }
    for node in graph.nodes().iter().rev() {
        let corners: Vec<Point> =
            graph.corners(node).iter().map(|p| Point::new(p.x + by[0], p.y + by[1], p.z + by[2])).collect();
        let shape = match graph.shape(node) {
            Shape::Point { radius, .. } => Shape::Point { at: corners[0], radius },
            Shape::Polygon(_) => Shape::Polygon(&corners),
        };
        let at = turned.add_node(node.id ^ 0x4000_0000, shape);
        let copy = &mut turned.nodes_mut()[at as usize];
        (copy.place, copy.group, copy.flags) = (node.place, node.group, node.flags);
    }
    for link in graph.links() {
        let mut copy = *link;
        (copy.from, copy.to) = (last - link.from, link.to.map(|to| last - to));
        turned.add_link(copy);
    }
    for mark in graph.marks() {
        let mut copy = *mark;
        copy.node = mark.node.map(|node| last - node);
        turned.add_mark(copy);
    }
    turned
}

#[test]
fn every_real_mesh_is_itself_and_itself_renumbered() {
    let Some(corpus) = real() else { return };
    let mut meshes = 0;
    for family in ["source", "quake", "fox"] {
        for row in manifest(&corpus.join(family)) {
            let bytes = row.read();
            let Ok(nav) = AnyNav::parse(&bytes, None, &Options::new()) else { continue };
            let Ok(graph) = nav.flat_graph().whole() else { continue };
            if graph.nodes().is_empty() {
                continue;
            }
            meshes += 1;
            assert!(Diff::of(&graph, &graph).is_identical(), "{}", row.name());
            let turned = turned(&graph, [0.0; 3]);
            let diff = Diff::of(&graph, &turned);
            assert_eq!((diff.removed.len(), diff.added.len()), (0, 0), "{}", row.name());
            assert_eq!(diff.method, Method::Geometry, "{}", row.name());
            // Nodes that lie in one place to the bit cannot be told apart but by their order.
            let mut shapes: Vec<_> = graph.nodes().iter().map(|node| key(graph.corners(node))).collect();
            shapes.sort_unstable();
            shapes.dedup();
            if shapes.len() == graph.nodes().len() {
                assert!(diff.is_same(), "{}: {:?}", row.name(), diff.changed.first());
            }
        }
    }
    assert!(meshes > 100, "{meshes}");
}

fn key(corners: &[Point]) -> Vec<[u32; 3]> {
    corners.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

#[test]
fn real_meshes_against_each_other_end() {
    let Some(corpus) = real() else { return };
    let graphs: Vec<FlatGraph> = ["source", "quake", "fox"]
        .iter()
        .flat_map(|family| manifest(&corpus.join(family)).into_iter().step_by(29))
        .filter_map(|row| {
            let bytes = row.read();
            Some(AnyNav::parse(&bytes, None, &Options::new()).ok()?.flat_graph().value)
        })
        .filter(|graph| graph.nodes().len() < 3000)
        .collect();
    for before in &graphs {
        for after in &graphs {
            let diff = Diff::of(before, after);
            let known = diff.pairs.len() + diff.removed.len();
            assert!(known <= before.nodes().len());
            assert_eq!(diff.nodes, [before.nodes().len() as u32, after.nodes().len() as u32]);
        }
    }
}
