//! Every real mesh against itself, and against itself in another place, in another order.

use navmap::diff::{Diff, Method};
use navmap::format::{AnyNav, ParseOptions};
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
        let mut copy = link;
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
    for family in ["source", "quake", "fox", "detour", "aas", "yapb"] {
        for row in manifest(&corpus.join(family)) {
            // Some sets have tens of thousands of polygons.
            if !row.path.is_file() || std::fs::metadata(&row.path).unwrap().len() > 1_500_000 {
                continue;
            }
            let bytes = row.read();
            let Ok(nav) = AnyNav::parse(&bytes, None, &ParseOptions::new()) else { continue };
            let Ok(graph) = nav.flat_graph().whole() else { continue };
            if graph.nodes().is_empty() {
                continue;
            }
            meshes += 1;
            assert!(Diff::between(&graph, &graph).is_identical(), "{}", row.name());
            let turned = turned(&graph, [0.0; 3]);
            let diff = Diff::between(&graph, &turned);
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
    assert!(meshes > 170, "{meshes}");
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
            Some(AnyNav::parse(&bytes, None, &ParseOptions::new()).ok()?.flat_graph().value)
        })
        .filter(|graph| graph.nodes().len() < 3000)
        .collect();
    for before in &graphs {
        for after in &graphs {
            let diff = Diff::between(before, after);
            let known = diff.pairs.len() + diff.removed.len();
            assert!(known <= before.nodes().len());
            assert_eq!(diff.nodes, [before.nodes().len() as u32, after.nodes().len() as u32]);
        }
    }
}

/// A mesh in other forms of the same: read and written again, with ids that run on, moved as a whole, and as another
/// version. Every sixteenth real mesh, and the bundled ones; `NAVMAP_FORMS=all` takes every one.
#[test]
fn real_source_meshes_are_the_same_in_other_forms() {
    use super::scripts::{Version, run};
    let mut rows = manifest(&navmap_testkit::corpus::bundled().join("source"));
    if let Some(corpus) = real() {
        let every = if std::env::var_os("NAVMAP_FORMS").is_some() { 1 } else { 16 };
        rows.extend(manifest(&corpus.join("source")).into_iter().step_by(every));
    }
    let mut meshes = 0;
    for row in rows {
        let bytes = row.read();
        let Some(before) = Version::parse(&bytes) else { continue };
        if before.0.areas.is_empty() {
            continue;
        }
        meshes += 1;
        let name = row.name();
        let graph = |mesh: &navmap::format::source::SourceBuf| super::flat(&mesh.encode().unwrap());
        assert!(Diff::between(&before.1, &graph(&before.0)).is_identical(), "{name}");
        let ids: std::collections::BTreeSet<u32> = before.0.areas.iter().map(|area| area.id.get()).collect();
        if ids.len() == before.0.areas.len() {
            let (compressed, refused) = run(&before.0, "nav_compress_id");
            if refused.is_empty() {
                let diff = Diff::between(&before.1, &graph(&compressed));
                assert!(diff.is_same(), "{name}: {:?}", diff.changed.first());
            }
        }
        let (moved, refused) = run(&before.0, "move 1024 -512 64");
        if refused.is_empty() && ids.len() == before.0.areas.len() {
            let diff = Diff::between(&before.1, &graph(&moved));
            assert_eq!((diff.method, diff.pairs.len()), (Method::Ids, before.0.areas.len()), "{name}");
            assert!(diff.split.is_empty() && diff.merged.is_empty(), "{name}");
            let away = |change: &navmap::diff::NodeChange| {
                matches!(change.shape, Some(navmap::diff::Shaped::Moved([x, y, z]))
                    if (x - 1024.0).abs() < 0.1 && (y + 512.0).abs() < 0.1 && (z - 64.0).abs() < 0.1)
            };
            let far = diff.changed.iter().filter(|change| away(change)).count();
            assert!(far * 10 >= before.0.areas.len() * 9, "{name}: {far} of {}", before.0.areas.len());
        }
        if let Ok(other) = before.0.convert(16, Some(0), &mut |_| {}) {
            let diff = Diff::between(&before.1, &graph(&other));
            assert_eq!((diff.removed.len(), diff.added.len()), (0, 0), "{name}");
            assert!(
                diff.changed.iter().all(|change| change.shape.is_none()),
                "{name}: {:?}",
                diff.changed.first()
            );
        }
    }
    assert!(meshes > 10, "{meshes}");
}
