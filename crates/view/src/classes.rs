//! Meanings of colours that follow from more than a node: what a check finds there, and how one leaves it.

use navmap_core::graph::{FlatGraph, LinkKind, NavGraph};
use navmap_core::{Finding, Severity};
use navmap_draw::Classes;
use std::collections::{BTreeMap, HashMap};

/// Findings that a page does not list, but colours nodes by.
#[derive(Debug, Clone, Default)]
pub struct Unlisted {
    /// How many there are.
    pub count: usize,
    /// The worst of each node: the word for the record whose id it has, if it is one, and the id.
    pub worst: HashMap<(Option<&'static str>, u64), Severity>,
}

/// The node that a finding may be about: the word for the record whose id it has, if it is one, and the id.
pub(super) fn about(finding: &Finding) -> Option<(Option<&'static str>, u64)> {
    let of_record = || Some((Some(finding.at.record?.0), finding.at.id?));
    finding.at.node.map(|id| (None, id)).or_else(of_record)
}

/// The most severe finding about each node; `None` if there is none about a node.
pub(super) fn findings(graph: &FlatGraph, findings: &[Finding], unlisted: &Unlisted) -> Option<Classes> {
    let word = graph.node_word();
    let mut worst: BTreeMap<u64, Severity> = BTreeMap::new();
    let listed = findings.iter().filter_map(|finding| {
        let (record, id) = about(finding)?;
        Some((record, id, finding.severity))
    });
    for (record, id, severity) in
        listed.chain(unlisted.worst.iter().map(|((record, id), severity)| (*record, *id, *severity)))
    {
        // A ladder has ids of its own.
        if record.is_none_or(|record| record == word) {
            worst.entry(id).and_modify(|known| *known = (*known).max(severity)).or_insert(severity);
        }
    }
    // In the order of the colours: errors are red, warnings yellow.
    let known = [Severity::Info, Severity::Error, Severity::Warning];
    let class = |severity: &Severity| known.iter().position(|known| known == severity).map(|at| at as u32);
    let of: Vec<Option<u32>> = graph.nodes().iter().map(|node| worst.get(&node.id).and_then(class)).collect();
    of.iter().any(Option::is_some).then(|| Classes {
        title: "finding".to_owned(),
        names: known.map(|severity| severity.name().to_owned()).into(),
        of,
        without: "none".to_owned(),
    })
}

/// How one leaves each node other than on foot, by the kind of link that the fewest nodes have; `None` if all links are walks.
pub(super) fn link_kinds(graph: &FlatGraph) -> Option<Classes> {
    let count = graph.nodes().len();
    let mut has = vec![0u32; count];
    for link in graph.links() {
        if let Some(has) = has.get_mut(link.from as usize) {
            *has |= 1 << link.kind as u32;
        }
    }
    let others: Vec<LinkKind> = LinkKind::ALL.into_iter().filter(|kind| *kind != LinkKind::Walk).collect();
    let nodes = |kind: LinkKind| has.iter().filter(|has| *has >> kind as u32 & 1 == 1).count();
    let mut kinds: Vec<(usize, LinkKind)> = others.into_iter().map(|kind| (nodes(kind), kind)).collect();
    kinds.retain(|(nodes, _)| *nodes > 0);
    kinds.sort_by_key(|(nodes, kind)| (*nodes, *kind as u32));
    let class =
        |has: &u32| kinds.iter().position(|(_, kind)| *has >> *kind as u32 & 1 == 1).map(|at| at as u32);
    (!kinds.is_empty()).then(|| Classes {
        title: "link kind".to_owned(),
        names: kinds.iter().map(|(_, kind)| kind.name().to_owned()).collect(),
        of: has.iter().map(class).collect(),
        without: "walk, or none".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::{Axes, Link, Point, Shape};

    #[test]
    fn nodes_are_told_apart_by_findings_and_by_how_one_leaves_them() {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for (id, x) in [(7, 0.0), (8, 10.0), (9, 20.0)] {
            let square = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)].map(|(dx, y)| Point::new(x + dx, y, 0.0));
            graph.add_node(id, Shape::Polygon(&square));
        }
        graph.add_link(Link::new(0, 1, LinkKind::Walk));
        assert_eq!((findings(&graph, &[], &Unlisted::default()), link_kinds(&graph)), (None, None));
        graph.add_link(Link::new(0, 1, LinkKind::Jump));
        graph.add_link(Link::new(1, 2, LinkKind::Jump));
        graph.add_link(Link::new(1, 2, LinkKind::Ladder));
        let kinds = link_kinds(&graph).unwrap();
        let names = [LinkKind::Ladder, LinkKind::Jump].map(|kind| kind.name().to_owned());
        assert_eq!((kinds.names, kinds.of), (names.into(), vec![Some(1), Some(0), None]));
        let about =
            |severity, record, id| Finding::new(severity, "odd", "is odd").in_record(record, 0).with_id(id);
        let found = [
            about(Severity::Info, "area", 8),
            about(Severity::Error, "area", 8),
            about(Severity::Error, "ladder", 9),
            about(Severity::Info, "area", 70),
        ];
        assert_eq!(findings(&graph, &found, &Unlisted::default()).unwrap().of, [None, Some(1), None]);
    }
}
