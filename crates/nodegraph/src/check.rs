//! Finds what is odd but readable in `.ain` files of any version.

use super::flags::{Hull, Moves, NodeInfo, NodeKind};
use super::graph::AinGraph;
use super::points::{Parts, Point, Points};
use super::sets::{self, Sets};
use super::text::TextNav;
use super::view::{AinNav, ENGINE_LINKS, ENGINE_NODES};
use navmap_core::Finding;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::graph;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The greatest length of a link: on the ground, and in the air.
const LONGEST: [f32; 2] = [720.0, 1_440.0];

/// How far above the floor a node may lie. Creatures are 72 high.
const HIGH: f32 = 75.0;

/// Reports what concerns a binary file as a whole. Constant time.
pub(super) fn ain_file(nav: &AinNav<'_>, found: &mut dyn FnMut(Finding)) {
    let (nodes, hulls) = (nav.nodes().len(), nav.hulls());
    if nodes > ENGINE_NODES {
        let message = format!("{nodes} nodes, the engine stops at more than {ENGINE_NODES}");
        found(Finding::new(Error, "too-many-nodes", message).at(8));
    }
    let usual = if nav.version() == 41 { [12, 13] } else { [10, 10] };
    if nodes > 0 && !usual.contains(&hulls) {
        found(Finding::new(Info, "odd-hulls", format!("{hulls} hulls")).at(12));
    }
    sizes(nodes, nav.links().len(), 8, found);
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.end()));
    }
}

/// Reports what concerns a text as a whole.
pub(super) fn text_file(nav: &TextNav<'_>, found: &mut dyn FnMut(Finding)) {
    sizes(nav.nodes().len(), nav.links().len(), 0, found);
    if nav.trailing() > 0 {
        found(Finding::trailing(nav.trailing() as u64, nav.end()));
    }
}

pub(super) fn sizes(nodes: usize, links: usize, at: u64, found: &mut dyn FnMut(Finding)) {
    if nodes == 0 {
        found(Finding::new(Info, "empty-graph", "no nodes").at(at));
    } else if links == 0 {
        found(Finding::new(Info, "no-links", "no links").at(at));
    }
}

/// Reports links that join a node that does not exist.
pub(super) fn errors(points: Points<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { points, found };
    (0..points.links()).for_each(|link| report.ends(link));
}

/// Compares the numbers of links that a text states with its links.
pub(super) fn counted(nav: &TextNav<'_>, found: &mut dyn FnMut(Finding)) {
    let graph = AinGraph::of_text(nav);
    for (node, claimed) in nav.counted_links().iter().enumerate() {
        let real = graph.ties_of(node).len();
        if usize::try_from(*claimed) != Ok(real) {
            let message = format!("{claimed} links are stated, {real} join it");
            found(
                Finding::new(Warning, "link-count", message)
                    .in_record("node", node as u64)
                    .with_id(node as u32),
            );
        }
    }
}

/// Reports ids of the map's source that several nodes share.
pub(super) fn ids(parts: Parts<'_>, found: &mut dyn FnMut(Finding)) {
    let mut known = HashMap::with_capacity(parts.ids.len());
    for (node, id) in parts.ids.iter().enumerate().filter(|(_, id)| id.get() > 0) {
        let Some(other) = known.insert(id.get(), node) else { continue };
        let message = format!("its id in the map's source is {id}, as that of node #{other}");
        let mut finding = Finding::new(Warning, "repeated-hammer-id", message)
            .in_record("node", node as u64)
            .with_id(node as u32);
        finding.at.offset = parts.id_offset(node);
        found(finding.placed(parts.nodes().get(node).map(|node| node.origin())));
    }
}

/// All findings of nodes and links, in file order; then those of the graph.
pub(super) fn check(points: Points<'_>, found: &mut dyn FnMut(Finding)) {
    let graph = AinGraph::new(points);
    let mut report = Report { points, found };
    let mut places = HashMap::with_capacity(points.nodes());
    for (index, node) in (0..points.nodes()).filter_map(|index| Some((index, points.node(index)?))) {
        report.node(index, &node);
        let links = graph.ties_of(index).len();
        if points.is_source() && links > ENGINE_LINKS {
            report.say(Warning, "many-links", index, format!("{links} links"));
        }
        if let Some(other) = places.insert(node.origin.map(f32::to_bits), index) {
            report.say(Info, "shared-origin", index, format!("node #{other} lies here as well"));
        }
    }
    let mut pairs = HashMap::with_capacity(points.links());
    for link in 0..points.links() {
        report.link(link, &mut pairs);
    }
    report.zones();
    report.hulls();
    if points.links() > 0 {
        graph::check(&graph, false, |node| points.node_offset(node as usize), report.found);
    }
}

struct Report<'r, 'n> {
    points: Points<'n>,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn say(&mut self, severity: Severity, code: &'static str, node: usize, message: impl Into<String>) {
        let mut finding =
            Finding::new(severity, code, message).in_record("node", node as u64).with_id(node as u32);
        finding.at.offset = self.points.node_offset(node);
        (self.found)(finding.placed(self.points.node(node).map(|node| node.origin)));
    }

    fn say_link(&mut self, severity: Severity, code: &'static str, link: usize, message: String) {
        let mut finding = Finding::new(severity, code, message).in_record("link", link as u64);
        finding.at.offset = self.points.link_offset(link);
        let [source, target] = self.origins(link);
        (self.found)(finding.placed(source.or(target)));
    }

    /// Where the ends of a link are.
    fn origins(&self, link: usize) -> [Option<[f32; 3]>; 2] {
        let Some(tie) = self.points.link(link) else { return [None; 2] };
        tie.ends(self.points.nodes()).map(|end| Some(self.points.node(end?)?.origin))
    }

    fn node(&mut self, index: usize, node: &Point) {
        let offsets = (0..self.points.hulls()).filter_map(|hull| self.points.offset_of_hull(index, hull));
        let finite = [node.yaw].into_iter().chain(node.origin).chain(offsets).all(f32::is_finite);
        if !finite {
            let message =
                format!("its origin is {:?}, its yaw {}, or a height is no number", node.origin, node.yaw);
            self.say(Warning, "not-finite", index, message);
        }
        if node.kind.name().is_none() {
            self.say(Info, "unknown-kind", index, format!("its kind is {}", node.kind));
        }
        let unknown = NodeInfo(node.info).unnamed();
        if self.points.is_source() && unknown != 0 {
            self.say(Info, "unknown-info", index, format!("bits {unknown:#x} set, meaning unknown"));
        }
        let below = self.points.floor_below(index).filter(|below| *below > HIGH && self.points.is_source());
        if let Some(below) = below {
            self.say(Info, "in-the-air", index, format!("the floor lies {below} units below"));
        }
    }

    fn ends(&mut self, link: usize) {
        let Some(tie) = self.points.link(link) else { return };
        let count = self.points.nodes();
        for (end, word) in tie.ends(count).into_iter().zip(["source", "target"]) {
            if end.is_none() {
                let node = if word == "source" { tie.source } else { tie.target };
                let message = format!("its {word} is node {node} of {count}");
                self.say_link(Error, "dangling-target", link, message);
            }
        }
    }

    fn link(&mut self, link: usize, pairs: &mut HashMap<[i16; 2], usize>) {
        self.ends(link);
        let Some(tie) = self.points.link(link) else { return };
        let (source, target) = (tie.source, tie.target);
        if source == target {
            self.say_link(Warning, "self-link", link, format!("it joins node #{source} with itself"));
        }
        if let Some(other) = pairs.insert([source.min(target), source.max(target)], link) {
            let message = format!("it joins nodes #{source} and #{target}, as link {other} does");
            self.say_link(Warning, "repeated-link", link, message);
        }
        if tie.moves.iter().all(|moves| *moves == 0) {
            let message = format!("no hull passes from node #{source} to #{target}");
            self.say_link(Warning, "no-move", link, message);
        }
        let unknown = tie.moves.iter().fold(0, |all, moves| all | Moves(*moves).unnamed());
        if unknown != 0 {
            self.say_link(Info, "unknown-moves", link, format!("bits {unknown:#x} set, meaning unknown"));
        }
        let [a, b] = self.origins(link);
        let Some((a, b)) = a.zip(b).filter(|_| self.points.is_source()) else { return };
        let length = graph::Point::from(a).distance(b.into());
        let flies = tie.ends(self.points.nodes()).into_iter().flatten().any(|end| self.is_air(end));
        let [ground, air] = LONGEST;
        if length > if flies { air } else { ground } {
            self.say_link(
                Info,
                "long-link",
                link,
                format!("{length} units from node #{source} to #{target}"),
            );
        }
    }

    fn is_air(&self, node: usize) -> bool {
        self.points.node(node).is_some_and(|node| node.kind == NodeKind::AIR)
    }

    /// Compares the zones with the connected parts: each part has one zone, which no other node has. It is that of most of its nodes.
    fn zones(&mut self) {
        if !self.points.is_source() {
            return;
        }
        let parts = sets::zones(self.points.nodes(), self.points.joined(None));
        let stored = |index: usize| self.points.node(index).map(|node| node.group);
        // How many nodes of a part have a zone, and which is the first.
        let mut counts: HashMap<(i16, i16), (u64, usize)> = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            if let Some(stored) = stored(index).filter(|stored| *part != 1 && *stored > 3) {
                let (count, _) = counts.entry((*part, stored)).or_insert((0, index));
                *count = count.saturating_add(1);
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(_, (count, first))| (Reverse(*count), *first));
        let (mut stored_of, mut part_of) = (HashMap::new(), HashMap::new());
        for ((part, stored), _) in counts {
            if !stored_of.contains_key(&part) && !part_of.contains_key(&stored) {
                stored_of.insert(part, stored);
                part_of.insert(stored, part);
            }
        }
        let (mut wrong, mut first) = (0_u64, None);
        for (index, part) in parts.into_iter().enumerate() {
            let Some(stored) = stored(index) else { continue };
            let right = match (part, stored) {
                // A universal node belongs to every part.
                (_, 3) | (1, 1) => true,
                (_, i16::MIN..=2) | (1, _) => false,
                _ => stored_of.get(&part) == Some(&stored),
            };
            if !right {
                wrong = wrong.saturating_add(1);
                first.get_or_insert(index);
            }
        }
        if let Some(first) = first {
            let message =
                format!("{wrong} nodes, from this one on, have a zone that is not their part of the graph");
            self.say(Warning, "wrong-zone", first, message);
        }
    }

    /// Reports for each hull but the first the parts between which it cannot go. Those of the first hull are islands.
    fn hulls(&mut self) {
        for hull in 1..self.points.hulls() {
            let mut sets = Sets::new(self.points.nodes());
            let mut linked = vec![false; self.points.nodes()];
            for [a, b] in self.points.joined(Some(hull)) {
                sets.join(a, b);
                for end in [a, b] {
                    linked.get_mut(end).into_iter().for_each(|linked| *linked = true);
                }
            }
            let nodes = || linked.iter().enumerate().filter(|(_, linked)| **linked).map(|(node, _)| node);
            let parts = nodes().filter(|node| sets.find(*node) == *node).count();
            if parts > 1 {
                let name = u8::try_from(hull).map(|hull| self.points.hull_names().name(Hull(hull)));
                let name = name.unwrap_or_default();
                let message = format!("{name}: {} nodes with links, in {parts} parts", nodes().count());
                (self.found)(Finding::new(Info, "hull-islands", message));
            }
        }
    }
}
