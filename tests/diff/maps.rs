//! Two meshes, or both sides of a merge, on one map.

use navmap::diff::{Diff, merged_on_one_map, on_one_map};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Point, Shape, Up};

/// Squares in rows of eight, by id, each linked to the next. `change` may move one up, or give it flags.
fn squares(
    axes: Axes,
    ids: impl Iterator<Item = u64>,
    change: &dyn Fn(u64) -> (f32, u64),
    cut: &[u64],
) -> FlatGraph {
    let mut graph = FlatGraph::new("area", axes);
    for id in ids {
        let (up, flags) = change(id);
        let (x, y) = ((id % 8) as f32 * 50.0, (id / 8) as f32 * 50.0);
        let corner = |[x, y]: [f32; 2]| match axes.up {
            Up::Z => Point::new(x, y, up),
            Up::Y => Point::new(x, up, -y),
        };
        let corners = [[x, y], [x + 50.0, y], [x + 50.0, y + 50.0], [x, y + 50.0]].map(corner);
        graph.add_node(id, Shape::Polygon(&corners));
        graph.nodes_mut().last_mut().unwrap().flags = flags;
    }
    for node in 1..graph.nodes().len() as u32 {
        if !cut.contains(&graph.nodes()[node as usize].id) {
            graph.add_link(Link::new(node - 1, node, LinkKind::Walk));
        }
    }
    graph
}

/// All nodes that are not as they were: their ids, what is said of them, and how high they lie.
fn told(graph: &FlatGraph) -> Vec<(u64, &str, f32)> {
    let of = |node: &navmap::graph::FlatNode| {
        let at = graph.corners(node)[0];
        let up = match graph.axes().up {
            Up::Z => at.z,
            Up::Y => at.y,
        };
        (node.id, &*graph.groups()[&node.group.unwrap()], up)
    };
    let mut all: Vec<_> = graph.nodes().iter().map(of).filter(|(_, said, _)| *said != "unchanged").collect();
    all.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    all
}

const NONE: fn(u64) -> (f32, u64) = |_| (0.0, 0);

#[test]
fn what_went_and_where_it_was_lies_below_what_is_there_now() {
    for axes in [Axes::z_up(1.0), Axes::y_up(1.0)] {
        let change = |id| if id == 13 { (90.0, 0) } else { (0.0, u64::from(id == 20)) };
        let before = squares(axes, 0..48, &NONE, &[]);
        let after = squares(axes, (0..50).filter(|id| *id != 5), &change, &[31]);
        let diff = Diff::between(&before, &after);
        let both = on_one_map(&diff, &before, after.clone());
        assert_eq!(
            told(&both),
            [
                (4, "other links", 0.0),
                (5, "removed", -4.0),
                (13, "moved or reshaped", 90.0),
                (13, "where it was", -4.0),
                (20, "other flags or place", 0.0),
                (30, "other links", 0.0),
                (48, "added", 0.0),
                (49, "added", 0.0),
            ]
        );
        assert_eq!((both.links().len(), both.group_word()), (after.links().len(), Some("change")));
    }
}

#[test]
fn a_merge_says_of_each_node_whose_it_is() {
    for axes in [Axes::z_up(1.0), Axes::y_up(1.0)] {
        let base = squares(axes, 0..48, &NONE, &[]);
        let ours = |id: u64| match id {
            10 => (90.0, 0),
            14 | 22 => (0.0, 2),
            _ => (0.0, 0),
        };
        let theirs = |id: u64| if [12, 14, 22].contains(&id) { (0.0, 4) } else { (0.0, 0) };
        let ours = squares(axes, 0..49, &ours, &[]);
        let theirs = squares(axes, (0..48).chain([56]), &theirs, &[40]);
        let both = merged_on_one_map(&base, [&ours, &theirs], &[22]);
        assert_eq!(
            told(&both),
            [
                (10, "changed in ours", 0.0),
                (12, "changed in theirs", 0.0),
                (14, "changed in both", 0.0),
                (22, "conflict", 0.0),
                (39, "changed in theirs", 0.0),
                (48, "added in ours", -4.0),
                (56, "added in theirs", -4.0),
            ]
        );
        assert_eq!((both.links().len(), both.group_word()), (base.links().len(), Some("change")));
    }
}
