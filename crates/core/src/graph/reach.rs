//! Finds problems that links alone show: nodes without any link, nodes that no link reaches, nodes that no link leaves, and
//! islands.

use super::csr::Rows;
use super::{Csr, Islands, Link, LinkKind, NavGraph, Node, Visitor, Wants};
use crate::finding::{Finding, Severity};
use crate::ids::Ids;
use crate::text::Grouped;
use crate::text::plural;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A node's connection to the rest. [`Stats`](super::Stats) counts these and `check` reports them, so that both agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Links lead to it and away from it.
    Both,
    /// No link at all.
    Isolated,
    /// Links lead away from it, but none to it.
    Unreachable,
    /// Links lead to it, but none away.
    DeadEnd,
}

impl Reach {
    /// Classifies a node by its numbers of incoming and outgoing links.
    pub(super) fn classify(reached: u32, leaving: usize) -> Self {
        match (reached, leaving) {
            (0, 0) => Self::Isolated,
            (0, _) => Self::Unreachable,
            (_, 0) => Self::DeadEnd,
            _ => Self::Both,
        }
    }
}

/// Reports `isolated`, `unreachable` and `dead-end` for nodes, and `island` for each part of two or more nodes that is not
/// connected to the largest one. If `apart`, each group is a mesh of its own with its own largest part (the hulls of Source 2).
/// `offset_of` gives the byte of a node.
///
/// Reports nothing for a file that cannot be read to its end, since links may be missing. Linear. Islands are found over links in
/// both directions, which takes 5 bytes per link and about 40 per node; 60 if each node is an island of its own.
#[doc(hidden)]
pub fn check(
    graph: &impl NavGraph,
    apart: bool,
    offset_of: impl Fn(u32) -> Option<u64>,
    found: &mut dyn FnMut(Finding),
) {
    let mut pass =
        Pass { rows: Rows::default(), places: Vec::new(), ids: Vec::new(), groups: Vec::new(), apart };
    if graph.visit(&mut pass).is_err() {
        return;
    }
    let Pass { rows, places, ids, groups, .. } = pass;
    let about = |node: u32| About {
        offset: offset_of(node),
        id: ids.get(node as usize).copied(),
        place: places.get(node as usize).copied(),
    };
    report(rows, &groups, graph.node_word(), graph.ids(), &about, found);
}

/// What findings say of a node.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    /// Its byte.
    pub offset: Option<u64>,
    /// Its id.
    pub id: Option<u64>,
    /// Its center.
    pub place: Option<[f32; 3]>,
}

/// What [`check`] takes from a graph, for whoever passes nodes and links anyway: a visit would be another walk over the file.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct LinkCheck(Rows);

impl LinkCheck {
    /// Adds the next node.
    pub fn node(&mut self) {
        // More nodes than 32 bits count are in no file.
        let _ = self.0.add_node();
    }

    /// Adds a link of the last node.
    #[inline]
    pub fn link(&mut self, to: u32) {
        self.0.add_to(to, LinkKind::Other);
    }

    /// Reports what [`check`] does, of a graph whose ids are numbers.
    pub fn report(self, word: &'static str, about: &dyn Fn(u32) -> About, found: &mut dyn FnMut(Finding)) {
        report(self.0, &[], word, Ids::Numbers, about, found);
    }
}

fn report(
    rows: Rows,
    groups: &[u32],
    word: &'static str,
    kind: Ids,
    about: &dyn Fn(u32) -> About,
    found: &mut dyn FnMut(Finding),
) {
    let csr = rows.finish();
    let mut say = |node: u32, code, message: String| {
        let About { offset, id, place } = about(node);
        let mut finding = Finding::new(Severity::Info, code, message).in_record(word, node.into());
        (finding.at.offset, finding.at.id, finding.at.ids) = (offset, id, kind);
        found(finding.placed(place));
    };
    for (node, &reached) in (0u32..).zip(&csr.in_degrees()) {
        match Reach::classify(reached, csr.out_degree(node)) {
            Reach::Both => {}
            Reach::Isolated => say(node, "isolated", "no link leads to it or away from it".into()),
            Reach::Unreachable => say(node, "unreachable", "no link leads to it".into()),
            Reach::DeadEnd => say(node, "dead-end", "no link leads away from it".into()),
        }
    }
    for (first, nodes) in islands(&csr, groups) {
        let what = plural(word, nodes.into());
        say(
            first,
            "island",
            format!("an island of {} {what}, joined to nothing else", Grouped(nodes.into())),
        );
    }
}

/// The first node and the size of every island of two or more nodes, except the largest of each group. Largest first.
fn islands(csr: &Csr, groups: &[u32]) -> Vec<(u32, u32)> {
    let islands = Islands::weak(csr);
    let mut first = vec![None; islands.len()];
    for node in 0..csr.len() as u32 {
        if let Some(first) = islands.of(node).and_then(|island| first.get_mut(island as usize)) {
            first.get_or_insert(node);
        }
    }
    // Islands come largest first, so the first of each group is the main mesh.
    let mut largest = HashMap::new();
    let sizes = first.into_iter().zip(islands.sizes()).enumerate();
    let apart = sizes.filter_map(|(island, (first, &nodes))| {
        let first = first?;
        let group = groups.get(first as usize).copied().unwrap_or(0);
        (*largest.entry(group).or_insert(island) != island && nodes > 1).then_some((first, nodes))
    });
    apart.collect()
}

struct Pass {
    rows: Rows,
    places: Vec<[f32; 3]>,
    ids: Vec<u64>,
    groups: Vec<u32>,
    apart: bool,
}

impl Visitor for Pass {
    const WANTS: Wants = Wants { corners: true, links: true, ..Wants::NOTHING };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        self.places.push(node.shape.center().map_or([f32::NAN; 3], |center| center.to_array()));
        self.ids.push(node.id);
        if self.apart {
            self.groups.push(node.group.unwrap_or(0));
        }
        self.rows.add_node()
    }

    fn link(&mut self, link: &Link) {
        self.rows.add_link(link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Axes, FlatGraph, LinkKind, Point, Shape, Stats};

    /// Points in a row, in groups, with these links.
    fn graph(groups: &[u32], links: &[(u32, u32)]) -> FlatGraph {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for (id, group) in groups.iter().enumerate() {
            let at = Point::new(id as f32, 2.0, 3.0);
            graph.add_node(id as u64, Shape::Point { at, radius: None });
            graph.nodes_mut()[id].group = Some(*group);
        }
        links.iter().for_each(|&(from, to)| graph.add_link(Link::new(from, to, LinkKind::Walk)));
        graph
    }

    fn findings(graph: &FlatGraph, apart: bool) -> Vec<(&'static str, u64, String)> {
        let mut rows = Vec::new();
        check(graph, apart, |node| Some(u64::from(node) * 10), &mut |finding| {
            let (word, index) = finding.at.record.unwrap();
            assert_eq!(finding.at.id, Some(index));
            assert_eq!((word, finding.at.offset), ("area", Some(index * 10)));
            assert_eq!(finding.place, Some([index as f32, 2.0, 3.0]));
            rows.push((finding.code, index, finding.message));
        });
        rows
    }

    #[test]
    fn what_is_reported_is_what_info_counts() {
        // 0 and 1 are linked both ways, 2 has only outgoing links, 3 only incoming ones, 4 none, and 5 to 7 are an island of
        // three.
        let graph = graph(&[0; 8], &[(0, 1), (1, 0), (2, 0), (1, 3), (5, 6), (6, 7), (7, 5)]);
        let found = findings(&graph, false);
        let rows: Vec<_> = found.iter().map(|(code, index, _)| (*code, *index)).collect();
        assert_eq!(rows, [("unreachable", 2), ("dead-end", 3), ("isolated", 4), ("island", 5)]);
        assert_eq!(found[3].2, "an island of 3 areas, joined to nothing else");
        let stats = Stats::of(&graph).whole().unwrap();
        let count = |code| rows.iter().filter(|(found, _)| *found == code).count() as u64;
        assert_eq!(
            (stats.unreachable, stats.dead_ends, stats.isolated),
            (count("unreachable"), count("dead-end"), count("isolated"))
        );
        assert_eq!(stats.components, 1 + count("island") + count("isolated"));
    }

    #[test]
    fn groups_that_stand_apart_have_a_largest_part_each() {
        let graph = graph(&[0, 0, 1, 1, 1, 1], &[(0, 1), (1, 0), (2, 3), (3, 2), (4, 5), (5, 4)]);
        let codes =
            |apart| findings(&graph, apart).into_iter().map(|(_, index, _)| index).collect::<Vec<_>>();
        assert_eq!((codes(false), codes(true)), (vec![2, 4], vec![4]));
    }
}
