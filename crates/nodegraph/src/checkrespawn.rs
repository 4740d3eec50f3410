//! Finds what is odd but readable in the clusters, script nodes and hints of version 57.

use super::check::sizes;
use super::respawn::{Cluster, RespawnNav};
use navmap_core::Finding;
use navmap_core::Severity::{self, Info, Warning};
use navmap_core::error::Result;
use navmap_core::graph::Point;
use navmap_core::text::counted;

/// The tolerance of a stored centre against the mean of its nodes, and of a stored length against the distance.
const SLACK: f32 = 1.0;

/// Reports what concerns the file as a whole. Constant time.
pub(super) fn file(nav: &RespawnNav<'_>, found: &mut dyn FnMut(Finding)) {
    // A file that holds script nodes alone is not empty.
    if !nav.nodes().is_empty() || nav.script_nodes().is_empty() {
        sizes(nav.nodes().len(), nav.links().len(), 12, found);
    }
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.end()));
    }
}

/// Reports clusters, their links, script nodes and hints.
pub(super) fn check(nav: &RespawnNav<'_>, found: &mut dyn FnMut(Finding)) -> Result<()> {
    // Where the nodes of each cluster are, and which links touch it, in order.
    let mut touching: Vec<Vec<i16>> = vec![Vec::new(); nav.cluster_count()];
    for (link, number) in nav.cluster_links().iter().zip(0_i16..=i16::MAX) {
        for end in [link.source(), link.target()] {
            let list = usize::try_from(end).ok().and_then(|end| touching.get_mut(end));
            list.into_iter().filter(|list| list.last() != Some(&number)).for_each(|list| list.push(number));
        }
    }
    let mut centres = Vec::new();
    let mut named = vec![false; nav.nodes().len()];
    for (cluster, index) in nav.clusters().zip(0_usize..) {
        let cluster = cluster?;
        centres.push(cluster.centre.to_array());
        let mut report = Report { nav, found };
        report.cluster(index, &cluster, touching.get(index).map_or(&[], Vec::as_slice));
        for node in cluster.nodes {
            let node = usize::try_from(node.get()).ok().and_then(|node| named.get_mut(node));
            node.into_iter().for_each(|named| *named = true);
        }
    }
    for (index, node) in nav.nodes().iter().enumerate() {
        let inside = usize::try_from(node.cluster()).is_ok_and(|cluster| cluster < centres.len());
        let wrong = match (node.cluster(), inside) {
            (-1, _) => None,
            (cluster, false) => {
                Some(("dangling-cluster", format!("its cluster is {cluster} of {}", centres.len())))
            }
            (cluster, true) => {
                let missing = named.get(index) == Some(&false);
                missing.then(|| ("cluster-lists", format!("no cluster holds it, and it names {cluster}")))
            }
        };
        if let Some((code, message)) = wrong {
            let finding =
                Finding::new(Warning, code, message).in_record("node", index as u64).with_id(index as u32);
            found(finding.at(nav.body().node_offset(index)).placed(node.origin()));
        }
    }
    for (index, link) in nav.cluster_links().iter().enumerate() {
        let at = |end: i16| usize::try_from(end).ok().and_then(|end| centres.get(end)).copied();
        let mut say = |severity, code, message: String| {
            let finding = Finding::new(severity, code, message).in_record("cluster link", index as u64);
            found(finding.at(nav.cluster_link_offset(index)));
        };
        match (at(link.source()), at(link.target())) {
            (Some(a), Some(b)) => {
                let real = Point::from(a).distance(b.into());
                if (real - link.distance()).abs() > SLACK {
                    let message = format!("its length is {}, the centres are {real} apart", link.distance());
                    say(Info, "cluster-centre", message);
                }
            }
            _ => {
                let (a, b, count) = (link.source(), link.target(), centres.len());
                say(Warning, "dangling-cluster", format!("it joins clusters {a} and {b} of {count}"));
            }
        }
    }
    rows(nav, found);
    Ok(())
}

/// Reports script nodes and hints.
fn rows(nav: &RespawnNav<'_>, found: &mut dyn FnMut(Finding)) {
    for (index, node) in nav.script_nodes().iter().enumerate() {
        if !node.origin().into_iter().all(f32::is_finite) {
            let message = format!("its origin is {:?}", node.origin());
            let finding = Finding::new(Warning, "not-finite", message).in_record("script node", index as u64);
            found(finding.at(nav.script_offset(index)));
        }
    }
    let (hints, nodes) = (nav.hints().len(), nav.nodes().len());
    if hints > 0 && hints != nodes {
        let message = format!(
            "{} for {}",
            counted(hints as u64, "hint", "hints"),
            counted(nodes as u64, "node", "nodes")
        );
        found(Finding::new(Info, "hint-count", message).at(nav.hint_offset(0)));
    }
    for (index, hint) in nav.hints().iter().enumerate() {
        if !(0..=1).contains(&hint.get()) {
            let finding = Finding::new(Info, "unknown-hint", format!("its value is {hint}"));
            found(finding.in_record("hint", index as u64).at(nav.hint_offset(index)));
        }
    }
}

struct Report<'r, 'n> {
    nav: &'r RespawnNav<'n>,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn cluster(&mut self, index: usize, cluster: &Cluster<'_>, touching: &[i16]) {
        let (at, place) = (cluster.offset, cluster.centre.to_array());
        let mut say = |severity: Severity, code, message: String| {
            let finding = Finding::new(severity, code, message).in_record("cluster", index as u64);
            (self.found)(finding.at(at).placed(place));
        };
        if usize::try_from(cluster.index) != Ok(index) {
            say(Warning, "cluster-lists", format!("its number is {}", cluster.index));
        }
        let (mut sum, mut known) = ([0.0_f64; 3], 0_u32);
        for number in cluster.nodes {
            let node = usize::try_from(number.get()).ok().and_then(|number| self.nav.nodes().get(number));
            let Some(node) = node else {
                let message = format!("it holds node {number} of {}", self.nav.nodes().len());
                say(Warning, "dangling-cluster", message);
                continue;
            };
            if usize::try_from(node.cluster()) != Ok(index) {
                let message = format!("node #{number} in it says that its cluster is {}", node.cluster());
                say(Warning, "cluster-lists", message);
            }
            known = known.saturating_add(1);
            for (sum, value) in sum.iter_mut().zip(node.origin()) {
                *sum += f64::from(value);
            }
        }
        let mean = sum.map(|sum| (sum / f64::from(known.max(1))) as f32);
        if known > 0 && Point::from(mean).distance(place.into()) > SLACK {
            say(Info, "cluster-centre", format!("its centre is {place:?}, the mean of its nodes {mean:?}"));
        }
        let links = self.nav.cluster_links().len();
        let outside = |link: i16| usize::try_from(link).is_ok_and(|link| link < links);
        if let Some(link) = cluster.links.iter().find(|link| !outside(link.get())) {
            say(Warning, "dangling-cluster", format!("it names link {link} of {links}"));
        }
        let mut named: Vec<i16> = cluster.links.iter().map(|link| link.get()).collect();
        named.sort_unstable();
        if named != touching {
            let message = format!("it names {} links, {} touch it", named.len(), touching.len());
            say(Warning, "cluster-lists", message);
        }
    }
}
