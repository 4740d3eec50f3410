//! Finds what is odd but readable.

use super::flags::{LinkFlags, NodeFlags};
use super::graph::WaypointGraph;
use super::iter::Nodes;
use super::pwf::{PWF_NODES, PwfNav};
use super::record::{Link, Node};
use super::view::{GRAPH_NODES, YapbNav};
use navmap_core::Finding;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::graph::Point;
use std::collections::HashMap;

/// How many nodes the bot loads.
const BOT_NODES: std::ops::RangeInclusive<usize> = 8..=GRAPH_NODES;

/// How far a stored distance may be from the real one, because of rounding and the editor's grid.
const SLACK: f32 = 8.0;

/// Reports what concerns a `.graph` file as a whole. Constant time.
pub(super) fn graph_file(nav: &YapbNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut say = |code, at, message: String| found(Finding::new(Warning, code, message).at(at));
    if nav.is_experimental() {
        say("experimental-layout", 4, format!("version {} is read as version 2", nav.version()));
    }
    let nodes = nav.nodes().len();
    if !BOT_NODES.contains(&nodes) {
        say("bot-refuses", 12, format!("{nodes} nodes, the bot loads 8 to 4096"));
    }
    let (left, end) = (nav.trailing().len() as u64, nav.end());
    if nav.extension().is_missing(nav.header()) {
        say("extension-size", end, format!("an author is announced, {left} bytes follow the nodes"));
    } else if left > 0 {
        found(Finding::trailing(left, end));
    }
    no_links(nav.waypoints(), 12, found);
}

/// Reports what concerns a `.pwf` file as a whole. Constant time.
pub(super) fn pwf_file(nav: &PwfNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut say = |code, at, message: String| found(Finding::new(Warning, code, message).at(at));
    if nav.is_experimental() {
        let message =
            format!("version {} is read with the layout of version {}", nav.version(), nav.layout());
        say("experimental-layout", 8, message);
    }
    let nodes = nav.waypoints().len();
    if nodes > PWF_NODES {
        say("bot-refuses", 12, format!("{nodes} nodes, POD-Bot loads {PWF_NODES} at most"));
    }
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.end()));
    }
    no_links(nav.waypoints(), 12, found);
}

fn no_links(nodes: Nodes<'_>, at: u64, found: &mut dyn FnMut(Finding)) {
    if !nodes.is_empty() && nodes.links().0 == 0 {
        found(Finding::new(Info, "no-links", "no links").at(at));
    }
}

/// Reports links whose target does not exist.
pub(super) fn errors(nodes: Nodes<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nodes, found };
    for (index, node) in nodes.iter().enumerate() {
        node.links().for_each(|(slot, link)| report.target(index, &node, slot, link));
    }
}

/// All findings of the nodes, in file order; then those of the graph.
pub(super) fn check(nodes: Nodes<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nodes, found };
    let mut places = HashMap::with_capacity(nodes.len());
    let mut stale = 0_u64;
    for (index, node) in nodes.iter().enumerate() {
        report.node(index, &node);
        let place = node.origin().map(f32::to_bits);
        if let Some(other) = places.insert(place, index) {
            report.say(Info, "shared-origin", index, &node, format!("node #{other} lies here as well"));
        }
        for (slot, link) in node.links() {
            report.link(index, &node, slot, link);
            stale = stale.saturating_add(is_stale(nodes, &node, link).into());
        }
    }
    let (links, _) = nodes.links();
    if stale > 0 {
        let message = format!("{stale} of {links} stored distances are off by more than {SLACK} units");
        (report.found)(Finding::new(Info, "stale-distance", message));
    }
    if links > 0 {
        let offset = |node: u32| Some(nodes.offset(node as usize));
        navmap_core::graph::check(&WaypointGraph(nodes), false, offset, report.found);
    }
}

/// Whether the stored distance differs from the real one.
fn is_stale(nodes: Nodes<'_>, node: &Node, link: &Link) -> bool {
    let target = usize::try_from(link.target()).ok().and_then(|to| nodes.get(to));
    target.is_some_and(|target| {
        let real = Point::from(node.origin()).distance(target.origin().into());
        #[allow(clippy::cast_precision_loss)] // lengths on a map
        let stored = link.distance() as f32;
        (real - stored).abs() > SLACK
    })
}

struct Report<'r, 'n> {
    nodes: Nodes<'n>,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        index: usize,
        node: &Node,
        message: impl Into<String>,
    ) {
        self.say_at(severity, code, index, node, self.nodes.offset(index), message.into());
    }

    fn say_at(
        &mut self,
        severity: Severity,
        code: &'static str,
        index: usize,
        node: &Node,
        at: u64,
        message: String,
    ) {
        let finding = Finding::new(severity, code, message)
            .at(at)
            .in_record("node", index as u64)
            .with_id(index as u32);
        (self.found)(finding.placed(node.origin()));
    }

    fn node(&mut self, index: usize, node: &Node) {
        if usize::try_from(node.number()) != Ok(index) {
            self.say(Warning, "node-number", index, node, format!("its number is {}", node.number()));
        }
        let flags = node.flags();
        let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        let camps = flags.contains(NodeFlags::CAMP);
        let angles = [node.camp_start(), node.camp_end()];
        if !finite(&node.origin()) {
            self.say(Warning, "not-finite", index, node, format!("its origin is {:?}", node.origin()));
        } else if camps && !angles.iter().all(|angles| finite(angles)) {
            self.say(
                Warning,
                "not-finite",
                index,
                node,
                "the directions of its camping place are no numbers",
            );
        } else if node.light().is_some_and(|light| !light.is_finite()) {
            self.say(Warning, "not-finite", index, node, "its light is no number");
        }
        if node.radius().is_none() {
            let message = format!("its radius is {}", node.stored_radius());
            self.say(Warning, "wild-radius", index, node, message);
        }
        if flags.unnamed() != 0 {
            let bits = (0..32).filter(|bit| flags.unnamed() >> bit & 1 != 0).map(|bit| format!("bit{bit}"));
            let bits = bits.collect::<Vec<_>>().join(", ");
            self.say(Info, "unknown-node-flag", index, node, format!("{bits} set, meaning unknown"));
        }
        if flags.contains(NodeFlags::TERRORISTS | NodeFlags::COUNTER_TERRORISTS) {
            self.say(Info, "both-teams", index, node, "it is for each team only");
        }
        if camps && angles.iter().flatten().any(|angle| angle.abs() > 360.0) {
            self.say(Info, "camp-angles", index, node, "the directions of its camping place are no angles");
        }
    }

    fn target(&mut self, index: usize, node: &Node, slot: usize, link: &Link) {
        let target = link.target();
        if usize::try_from(target).map_or(true, |to| to >= self.nodes.len()) {
            let message = format!("link {slot} leads to node #{target} of {}", self.nodes.len());
            let at = self.nodes.slot_offset(index, slot);
            self.say_at(Error, "dangling-target", index, node, at, message);
        }
    }

    fn link(&mut self, index: usize, node: &Node, slot: usize, link: &Link) {
        self.target(index, node, slot, link);
        let at = self.nodes.slot_offset(index, slot);
        let mut say = |severity, code, message| self.say_at(severity, code, index, node, at, message);
        if usize::try_from(link.target()) == Ok(index) {
            say(Warning, "self-link", format!("link {slot} leads to its own node"));
        }
        let before = |(other, same): (usize, &Link)| other < slot && same.target() == link.target();
        if node.links().any(before) {
            say(Warning, "repeated-link", format!("link {slot} leads to node #{} once more", link.target()));
        }
        let velocity = link.velocity();
        let still = velocity.iter().all(|value| *value == 0.0);
        if !velocity.iter().all(|value| value.is_finite()) {
            say(Warning, "not-finite", format!("the velocity of link {slot} is {velocity:?}"));
        } else if link.is_jump() == still {
            let what = if still { "is a jump without velocity" } else { "has a velocity and is no jump" };
            say(Info, "jump-velocity", format!("link {slot} {what}"));
        }
        let unknown = LinkFlags(link.flags().unnamed());
        if !unknown.is_empty() {
            say(Info, "unknown-link-flag", format!("link {slot} has flags {unknown}, meaning unknown"));
        }
    }
}
