//! Finds what is odd but readable.

use super::flags::NodeFlags;
use super::graph::WaypointGraph;
use super::iter::Waypoint;
use super::layout::BOT_NODES;
use super::view::RcbotNav;
use navmap_core::Finding;
use navmap_core::Severity::{self, Error, Info, Warning};
use navmap_core::graph::check as check_graph;
use navmap_core::text::counted;
use std::collections::HashMap;

/// The largest radius of a real waypoint is half of this.
const WILD: f32 = 1_024.0;

/// Reports what concerns the file as a whole.
pub(super) fn file(nav: &RcbotNav<'_>, found: &mut dyn FnMut(Finding)) {
    let version = nav.version();
    if nav.is_experimental() {
        // 1 and 2 are known from the bot's source, and never seen.
        let (severity, layout) = if (1..=2).contains(&version) { (Info, version) } else { (Warning, 4) };
        let message = format!("version {version} is read with the layout of version {layout}");
        found(Finding::new(severity, "experimental-layout", message).at(80));
    }
    if nav.len() > BOT_NODES {
        let message = format!("{} waypoints, the bot loads {BOT_NODES} at most", nav.len());
        found(Finding::new(Warning, "bot-refuses", message).at(84));
    }
    if !nav.trailing().is_empty() {
        found(Finding::trailing(nav.trailing().len() as u64, nav.end()));
    }
}

/// Reports links whose target does not exist.
pub(super) fn errors(nav: &RcbotNav<'_>, found: &mut dyn FnMut(Finding)) {
    let len = nav.len();
    for waypoint in nav.waypoints() {
        dangling(&waypoint, len, found);
    }
}

fn dangling(waypoint: &Waypoint<'_>, len: usize, found: &mut dyn FnMut(Finding)) {
    for (link, target) in waypoint.targets().iter().enumerate() {
        if usize::try_from(target.get()).map_or(true, |to| to >= len) {
            let message = format!("link {link} leads to waypoint {} of {len}", target.get());
            say(waypoint, Error, "dangling-target", waypoint.target_offset(link), message, found);
        }
    }
}

fn say(
    waypoint: &Waypoint<'_>,
    severity: Severity,
    code: &'static str,
    at: u64,
    message: String,
    found: &mut dyn FnMut(Finding),
) {
    let finding = Finding::new(severity, code, message).at(at);
    let finding = finding.in_record("waypoint", waypoint.number().into()).with_id(waypoint.number());
    found(finding.placed(waypoint.origin()));
}

/// All findings of the waypoints, in file order; then those of the graph.
pub(super) fn check(nav: &RcbotNav<'_>, found: &mut dyn FnMut(Finding)) {
    // Where each waypoint begins, and whether it is used; who has linked to it last.
    let ends: Vec<(u64, bool)> = nav.waypoints().map(|point| (point.offset(), point.is_used())).collect();
    let mut linked = vec![u32::MAX; ends.len()];
    let mut places = HashMap::new();
    let mut links = 0_usize;
    for waypoint in nav.waypoints() {
        dangling(&waypoint, ends.len(), found);
        values(&waypoint, found);
        if waypoint.is_used() {
            links = links.saturating_add(waypoint.targets().len());
            let place = waypoint.origin().map(f32::to_bits);
            if let Some(other) = places.insert(place, waypoint.number()) {
                let message = format!("waypoint #{other} lies here as well");
                say(&waypoint, Info, "shared-origin", waypoint.offset(), message, found);
            }
        }
        for (link, target) in waypoint.targets().iter().enumerate() {
            let to =
                usize::try_from(target.get()).ok().and_then(|to| Some((ends.get(to)?, linked.get_mut(to)?)));
            let Some(((_, used), last)) = to else { continue };
            let at = waypoint.target_offset(link);
            let mut say = |code, message| say(&waypoint, Warning, code, at, message, found);
            if u32::try_from(target.get()) == Ok(waypoint.number()) {
                say("self-link", format!("link {link} leads to its own waypoint"));
            }
            if !used && waypoint.is_used() {
                say(
                    "link-to-unused",
                    format!("link {link} leads to waypoint {}, which was deleted", target.get()),
                );
            }
            if std::mem::replace(last, waypoint.number()) == waypoint.number() {
                let message = format!("link {link} leads to waypoint #{} once more", target.get());
                say("repeated-link", message);
            }
        }
    }
    if links == 0 {
        if ends.iter().any(|(_, used)| *used) {
            found(Finding::new(Info, "no-links", "no links").at(84));
        }
        return;
    }
    // The graph leaves deleted waypoints out.
    let offsets: Vec<u64> = ends.iter().filter(|(_, used)| *used).map(|(at, _)| *at).collect();
    let offset = |node: u32| offsets.get(node as usize).copied();
    check_graph(&WaypointGraph::new(nav), false, offset, &mut |finding| found(finding.numbered()));
}

/// Reports odd values of a waypoint.
fn values(waypoint: &Waypoint<'_>, found: &mut dyn FnMut(Finding)) {
    let mut say = |severity, code, message| say(waypoint, severity, code, waypoint.offset(), message, found);
    if !waypoint.is_used() {
        if !waypoint.targets().is_empty() {
            let links = counted(waypoint.targets().len() as u64, "link", "links");
            let message = format!("it was deleted and has {links}");
            say(Info, "unused-links", message);
        }
        return;
    }
    let flags = waypoint.flags();
    if !waypoint.origin().iter().all(|value| value.is_finite()) {
        say(Warning, "not-finite", format!("its origin is {:?}", waypoint.origin()));
    }
    if let Some(radius) = waypoint.stored_radius().filter(|radius| !(0.0..=WILD).contains(radius)) {
        say(Info, "wild-radius", format!("its radius is {radius}"));
    }
    if !(-180..=180).contains(&waypoint.yaw()) {
        say(Info, "wild-angle", format!("its angle is {} degrees", waypoint.yaw()));
    }
    let unseen = NodeFlags(flags.unnamed() | flags.0 & NodeFlags::TELEPORT_CHEAT.0);
    if !unseen.is_empty() {
        say(Info, "unknown-flag", format!("flags {unseen}, which no real waypoint has"));
    }
    if flags.contains(NodeFlags::NO_BLUE | NodeFlags::NO_RED) {
        say(Info, "both-teams", "it is for neither team".to_owned());
    }
}
