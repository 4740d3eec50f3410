//! Finds what is odd but readable.

use super::graph::GridGraph;
use super::iter::Node;
use super::tally::{Tally, tally};
use super::view::XrayNav;
use navmap_core::Finding;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::graph::check as check_graph;

/// A drop that is worth a word, metres.
const DEEP: f32 = 4.0;

/// Reports what concerns the file as a whole. Constant time.
pub(super) fn file(nav: &XrayNav<'_>, found: &mut dyn FnMut(Finding)) {
    let header = nav.header();
    if nav.is_experimental() {
        let message = format!("version {} is read as version 13", nav.version());
        found(Finding::new(Warning, "experimental-layout", message).at(0));
    }
    let ([_, low, _], [_, high, _]) = (header.min(), header.max());
    if (header.height() - (high - low + 0.001)).abs() > 0.01 {
        let message = format!("heights reach over {} m, the box is {} m high", header.height(), high - low);
        found(Finding::new(Warning, "height-range", message).at(12));
    }
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.offset(nav.nodes().len())));
    }
    if nav.nodes().is_empty() {
        found(Finding::new(Info, "empty-graph", "no nodes").at(4));
    }
}

fn say(
    nav: &XrayNav<'_>,
    (index, node): (usize, &Node<'_>),
    severity: Severity,
    code: &'static str,
    message: String,
    found: &mut dyn FnMut(Finding),
) {
    let finding = Finding::new(severity, code, message).at(nav.offset(index)).in_record("node", index as u64);
    found(finding.with_id(index as u32).placed(nav.middle(node)));
}

fn dangling(
    nav: &XrayNav<'_>,
    at: (usize, &Node<'_>),
    link: usize,
    target: u32,
    found: &mut dyn FnMut(Finding),
) {
    let message = format!("link {link} leads to node {target} of {}", nav.nodes().len());
    say(nav, at, Error, "dangling-target", message, found);
}

/// Counts links, and reports those whose target does not exist.
pub(super) fn links(nav: &XrayNav<'_>, found: &mut dyn FnMut(Finding)) -> u64 {
    match tally(nav.nodes()) {
        Some(Tally { links, astray: false }) => links,
        _ => links_one_by_one(nav, found),
    }
}

fn links_one_by_one(nav: &XrayNav<'_>, found: &mut dyn FnMut(Finding)) -> u64 {
    let (nodes, mut count) = (nav.nodes(), 0_u64);
    for (index, node) in nodes.iter().enumerate() {
        for (link, target) in node.links().into_iter().enumerate() {
            let Some(target) = target else { continue };
            count = count.saturating_add(1);
            if target as usize >= nodes.len() {
                dangling(nav, (index, &node), link, target, found);
            }
        }
    }
    count
}

/// Where a link leads: how many squares along x and along z.
const WAYS: [[i64; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/// All findings of the nodes, in file order; then those of the graph.
pub(super) fn check(nav: &XrayNav<'_>, found: &mut dyn FnMut(Finding)) {
    let nodes = nav.nodes();
    let [columns, _] = nav.squares();
    let (mut count, mut one_way) = (0_u64, 0_u64);
    let mut before: Option<Node<'_>> = None;
    for (index, node) in nodes.iter().enumerate() {
        let at = (index, &node);
        if let Some(before) = before.replace(node) {
            if node.square() < before.square() {
                let message = format!("its square is {}, after {}", node.square(), before.square());
                say(nav, at, Error, "node-order", message, found);
            } else if (node.square(), node.height()) == (before.square(), before.height()) {
                say(nav, at, Warning, "shared-origin", "the node before lies here as well".to_owned(), found);
            }
        }
        let [x, z] = nav.square(&node);
        if x >= columns {
            let message = format!("its square is {x} along x, the box has {columns}");
            say(nav, at, Warning, "outside-box", message, found);
        }
        let here = nav.middle(&node);
        for ((link, target), way) in node.links().into_iter().enumerate().zip(WAYS) {
            let Some(target) = target else { continue };
            count = count.saturating_add(1);
            let Some(end) = nodes.get(target as usize) else {
                dangling(nav, at, link, target, found);
                continue;
            };
            let [to_x, to_z] = nav.square(&end);
            let apart = [i64::from(to_x).saturating_sub(x.into()), i64::from(to_z).saturating_sub(z.into())];
            if apart != way {
                let message = format!(
                    "link {link} leads to node #{target}, {} squares along x and {} along z",
                    apart[0], apart[1]
                );
                say(nav, at, Error, "wrong-neighbour", message, found);
                continue;
            }
            let back = end.links().get(link ^ 2).copied().flatten();
            one_way = one_way.saturating_add((back != u32::try_from(index).ok()).into());
            let fall = here[1] - nav.middle(&end)[1];
            if fall > DEEP {
                let message = format!("link {link} leads {fall:.1} m down");
                say(nav, at, Info, "deep-drop", message, found);
            }
        }
    }
    if one_way > 0 {
        let message = format!("{one_way} of {count} links have none back");
        found(Finding::new(Info, "one-way", message));
    }
    if count == 0 {
        if !nodes.is_empty() {
            found(Finding::new(Info, "no-links", "no links").at(4));
        }
        return;
    }
    check_graph(&GridGraph(*nav), false, |node| Some(nav.offset(node as usize)), found);
}
