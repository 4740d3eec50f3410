//! Finds what is odd but readable in `.nod` files.

use super::check::sizes;
use super::flags::LinkFlags;
use super::graph::NodGraph;
use super::nod::NodNav;
use super::record::{NodLink, NodNode};
use navmap_core::Finding;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::graph;
use std::collections::{HashMap, HashSet};

/// The work that comparing the routes may take, for each byte of a small file, and all of it. Of public files all targets take up to 330
/// for each byte (53 million for 310 nodes with 2,573 links in 160 KB), as the work grows with the square of the file.
const WORK: (u64, u64) = (384, 128_000_000);
/// For each byte of a larger file, and of the smallest one.
const LEAST: (u64, u64) = (128, 2_000_000);

/// Reports what concerns the file as a whole. Constant time.
pub(super) fn file(nav: &NodNav<'_>, found: &mut dyn FnMut(Finding)) {
    let [present, _, routed] = nav.flags();
    if !present || !routed {
        let what = if present { "its routes are not done" } else { "it says that there is no graph" };
        found(Finding::new(Warning, "not-routed", what).at(4));
    }
    sizes(nav.nodes().len(), nav.links().len(), 0, found);
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.end()));
    }
}

/// Reports links that reach a node that does not exist.
pub(super) fn errors(nav: &NodNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, found };
    nav.links().iter().enumerate().for_each(|(index, link)| report.ends(index, &link));
}

/// All findings.
pub(super) fn check(nav: &NodNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, found };
    let mut places = HashMap::with_capacity(nav.nodes().len());
    // Which node a link belongs to, and how many links may still be walked: overlapping runs would take long.
    let mut owners = vec![None; nav.links().len()];
    let mut left = nav.links().len();
    for (index, node) in nav.nodes().iter().enumerate() {
        report.node(index, &node);
        if let Some(other) = places.insert(node.origin().map(f32::to_bits), index) {
            report.say(Info, "shared-origin", index, format!("node #{other} lies here as well"));
        }
        report.run(index, &node, &mut owners, &mut left);
    }
    let pair = |link: &NodLink<'_>| (link.source(), link.target());
    let mut pairs = HashSet::with_capacity(nav.links().len());
    let all: HashSet<(i32, i32)> = nav.links().iter().map(|link| pair(&link)).collect();
    for (index, link) in nav.links().iter().enumerate() {
        report.link(index, &link);
        let (source, target) = pair(&link);
        if !pairs.insert((source, target)) {
            let message = format!("it leads from node #{source} to #{target} once more");
            report.say_link(Warning, "repeated-link", index, message);
        }
        if source != target && !all.contains(&(target, source)) {
            let message = format!("no link leads back from node #{target} to #{source}");
            report.say_link(Info, "one-way", index, message);
        }
    }
    report.tables();
    report.routes();
    if !nav.links().is_empty() {
        let offset = |node: u32| Some(nav.node_offset(node as usize));
        graph::check(&NodGraph::new(nav), false, offset, report.found);
    }
}

struct Report<'r, 'n> {
    nav: &'r NodNav<'n>,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn say(&mut self, severity: Severity, code: &'static str, node: usize, message: impl Into<String>) {
        let finding =
            Finding::new(severity, code, message).in_record("node", node as u64).with_id(node as u32);
        let place = self.nav.nodes().get(node).map(|node| node.origin());
        (self.found)(finding.at(self.nav.node_offset(node)).placed(place));
    }

    fn say_link(&mut self, severity: Severity, code: &'static str, link: usize, message: String) {
        let finding = Finding::new(severity, code, message).in_record("link", link as u64);
        let source = self.nav.links().get(link).and_then(|link| usize::try_from(link.source()).ok());
        let place = source.and_then(|node| self.nav.nodes().get(node)).map(|node| node.origin());
        (self.found)(finding.at(self.nav.link_offset(link)).placed(place));
    }

    fn say_table(&mut self, code: &'static str, at: u64, message: String) {
        (self.found)(Finding::new(Warning, code, message).at(at));
    }

    fn node(&mut self, index: usize, node: &NodNode<'_>) {
        let numbers = node.origin().into_iter().chain(node.peek()).chain([node.yaw()]);
        if !numbers.into_iter().all(f32::is_finite) {
            let message = format!("its origin is {:?}, its yaw {}", node.origin(), node.yaw());
            self.say(Warning, "not-finite", index, message);
        }
        if node.kind().name().is_none() {
            self.say(Info, "unknown-kind", index, format!("its kind is {}", node.kind()));
        }
        if node.hint().name().is_none() {
            self.say(Info, "unknown-hint", index, format!("its hint is {}", node.hint()));
        }
    }

    /// Checks that the run of a node lies in the pool.
    fn run(&mut self, index: usize, node: &NodNode<'_>, owners: &mut [Option<usize>], left: &mut usize) {
        let Some(run) = self.nav.run(node) else {
            let (first, count, links) = (node.first_link(), node.link_count(), self.nav.links().len());
            let message = format!("{count} links from {first} on, the pool has {links}");
            return self.say(Warning, "link-run", index, message);
        };
        for number in run {
            let Some(more) = left.checked_sub(1) else {
                return self.say(
                    Warning,
                    "link-run",
                    index,
                    "runs overlap so often that they are not looked at",
                );
            };
            *left = more;
            let source = self.nav.links().get(number).map_or(-1, |link| link.source());
            if usize::try_from(source) != Ok(index) {
                let message = format!("link {number} in its run leaves node #{source}");
                self.say(Warning, "link-run", index, message);
            }
            let Some(owner) = owners.get_mut(number) else { continue };
            if let Some(other) = owner.replace(index) {
                self.say(
                    Warning,
                    "link-run",
                    index,
                    format!("link {number} belongs to node #{other} as well"),
                );
            }
        }
    }

    fn ends(&mut self, index: usize, link: &NodLink<'_>) {
        let count = self.nav.nodes().len();
        for (end, word) in [(link.source(), "source"), (link.target(), "target")] {
            if usize::try_from(end).map_or(true, |end| end >= count) {
                self.say_link(
                    Error,
                    "dangling-target",
                    index,
                    format!("its {word} is node {end} of {count}"),
                );
            }
        }
    }

    fn link(&mut self, index: usize, link: &NodLink<'_>) {
        self.ends(index, link);
        if link.source() == link.target() {
            self.say_link(
                Warning,
                "self-link",
                index,
                format!("it joins node #{} with itself", link.source()),
            );
        }
        let hulls = LinkFlags::SMALL | LinkFlags::HUMAN | LinkFlags::LARGE | LinkFlags::FLY;
        if !link.flags().any(hulls) {
            let message = format!("no hull passes from node #{} to #{}", link.source(), link.target());
            self.say_link(Warning, "no-move", index, message);
        }
        if link.flags().unnamed() != 0 {
            let message = format!("bits {:#x} set, meaning unknown", link.flags().unnamed());
            self.say_link(Info, "unknown-flag", index, message);
        }
        if !link.weight().is_finite() {
            self.say_link(Warning, "not-finite", index, format!("its weight is {}", link.weight()));
        }
    }

    /// Checks the sort table and the hash table against nodes and links.
    fn tables(&mut self) {
        for column in 0..3 {
            let order = self.nav.sort_table().iter().filter_map(|row| row.order().get(column).copied());
            let twice = strays(order, self.nav.nodes().len());
            if twice > 0 {
                let message = match twice {
                    1 => format!("a row of column {column} names no node, or one that another row names"),
                    _ => {
                        format!("{twice} rows of column {column} name no node, or one that another row names")
                    }
                };
                self.say_table("sort-table", self.nav.sort_offset(0), message);
            }
        }
        let links = self.nav.links().len();
        let used = self.nav.hash_table().iter().map(|slot| i32::from(slot.get())).filter(|link| *link != -1);
        let (strays, count) = (strays(used.clone(), links), used.count());
        if strays > 0 || count != links {
            let message = format!(
                "{count} slots for {links} links, {strays} of them no link or one that is there before"
            );
            self.say_table("hash-table", self.nav.hash_offset(0), message);
        }
    }

    fn routes(&mut self) {
        let len = self.nav.end();
        let [small, large] = [WORK, LEAST].map(|(a_byte, _)| len.saturating_mul(a_byte));
        let report = self.nav.compare_routes(small.min(WORK.1).max(large).max(LEAST.1));
        let at = self.nav.routes_offset();
        let wrong = report.broken.saturating_add(report.astray).saturating_add(report.lost);
        if wrong > 0 {
            let message = format!(
                "of {} answers {} are not there, {} lead nowhere, {} miss a way",
                report.asked, report.broken, report.astray, report.lost
            );
            self.say_table("route-table", at, message);
        }
        if report.one_sided > 0 {
            let message =
                format!("{} of {} answers deny a way that has none back", report.one_sided, report.asked);
            (self.found)(Finding::new(Info, "one-sided-route", message).at(at));
        }
        if report.longer > 0 {
            let message = format!(
                "{} of {} answers lead along a longer way, at most {:.2} times as long",
                report.longer, report.asked, report.worst
            );
            (self.found)(Finding::new(Info, "detour", message).at(at));
        }
    }
}

/// How many of these numbers lie outside a list or are repeated.
fn strays(numbers: impl Iterator<Item = i32>, count: usize) -> usize {
    let mut seen = vec![false; count];
    let mut is_fresh = |number: i32| {
        let slot = usize::try_from(number).ok().and_then(|number| seen.get_mut(number));
        slot.is_some_and(|slot| !std::mem::replace(slot, true))
    };
    numbers.filter(|number| !is_fresh(*number)).count()
}
