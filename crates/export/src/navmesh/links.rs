//! Off-mesh connections for links that do not cross a shared edge.

use super::Bill;
use super::floors::Floors;
use super::mapping::Mapping;
use super::plan::{height, inside, on_rim};
use super::soup::Soup;
use navmap_core::graph::{FlatGraph, Link, LinkKind, NavGraph};
use std::collections::{BTreeMap, BTreeSet};

/// How far inside a polygon a connection starts or ends, in metres.
const INSIDE: f32 = 0.15;

/// A connection: its two ends, both on the mesh, and its properties.
#[derive(Debug, Clone, Copy)]
pub(super) struct Connection {
    pub(super) ends: [[f32; 3]; 2],
    /// The nodes of both ends.
    pub(super) nodes: [u32; 2],
    pub(super) both_ways: bool,
    pub(super) area: u8,
    pub(super) flags: u16,
    /// The link it was made from.
    pub(super) link: u32,
}

/// The most consecutive nodes without an area that a connection may bridge, and that are visited from one link.
const MOST_BRIDGED: usize = 16;

/// The connections so far.
#[derive(Default)]
struct Made {
    list: Vec<Connection>,
    known: BTreeMap<(u32, u32, LinkKind), usize>,
}

impl Made {
    /// Adds a connection, or makes its reverse bidirectional if that is already there.
    fn add(&mut self, [from, to]: [u32; 2], kind: LinkKind, any_way: bool, new: Connection) {
        let back = self.known.get(&(to, from, kind)).and_then(|at| self.list.get_mut(*at));
        if let Some(other) = back.filter(|other| !other.both_ways) {
            let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.5);
            let [start, end] = other.ends;
            if any_way || near(new.ends[0], end) && near(new.ends[1], start) {
                other.both_ways = true;
                return;
            }
        }
        self.known.entry((from, to, kind)).or_insert(self.list.len());
        self.list.push(new);
    }
}

/// Makes a connection of each link that does not cross a shared edge. Two links that lead back and forth over the same path
/// become one. Paths over nodes without an area, and so without a polygon, become connections as well. No end is put where two
/// floors are within the agent's climb, if its node has a place without another floor.
pub(super) fn connections(
    graph: &FlatGraph,
    soup: &Soup,
    unjoined: &[u32],
    mapping: &Mapping,
    floors: &Floors<'_>,
    bill: &mut Bill,
) -> Vec<Connection> {
    let mut made = Made::default();
    let apart = |node: u32, end: [f32; 3]| match floors.cover(node, end) {
        true => apart(soup, floors, node, end).unwrap_or(end),
        false => end,
    };
    for &index in unjoined {
        let Some(link) = graph.links().get(index as usize) else { continue };
        let Some(to) = link.to.filter(|to| *to != link.from) else {
            Bill::add(&mut bill.dropped, "links from a node to itself", 1);
            continue;
        };
        // The caller asks whether that was too much.
        if !floors.takes([link.from, to].map(|node| soup.loops_of(node).len()).iter().sum()) {
            break;
        }
        let Some([start, end]) = ends(graph, soup, &link, to) else {
            Bill::add(&mut bill.dropped, "links of nodes that are not written", 1);
            continue;
        };
        let (area, flags) = mapping.link(link.kind);
        if link.kind.on_foot() {
            Bill::add(
                &mut bill.approximated,
                "links on foot that are one-way or have no common edge, as connections",
                1,
            );
        }
        let ends = [apart(link.from, start), apart(to, end)];
        let new = Connection { ends, nodes: [link.from, to], both_ways: false, area, flags, link: index };
        made.add([link.from, to], link.kind, link.path.is_none(), new);
    }
    let (area, flags) = mapping.link(LinkKind::Walk);
    for Bridge { nodes: [from, to], over, link } in bridges(graph, soup) {
        let [Some(start), Some(end)] =
            [(from, over[0]), (to, over[1])].map(|(node, at)| onto(soup, node, at))
        else {
            continue;
        };
        Bill::add(&mut bill.approximated, "ways over nodes without an area, as connections", 1);
        let ends = [apart(from, start), apart(to, end)];
        made.add(
            [from, to],
            LinkKind::Walk,
            true,
            Connection { ends, nodes: [from, to], both_ways: false, area, flags, link },
        );
    }
    made.list
}

/// A path on foot between two written nodes, over others that are not written.
struct Bridge {
    nodes: [u32; 2],
    /// The positions of the first and the last of the others.
    over: [[f32; 3]; 2],
    /// The link to the first.
    link: u32,
}

/// The paths over nodes with a position but no area: slivers, which a game walks over like any other polygon.
fn bridges(graph: &FlatGraph, soup: &Soup) -> Vec<Bridge> {
    let walked = |link: &Link| link.to.filter(|_| link.kind.on_foot() && link.path.is_none());
    let written = |node: u32| soup.loops_of(node).next().is_some();
    let place = |node: u32| {
        let center = graph.shape(graph.nodes().get(node as usize)?).center()?;
        let at = graph.axes().to_metres_y_up(center).to_array();
        at.iter().all(|value| value.is_finite()).then_some(at)
    };
    let mut of_sliver: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut begun: Vec<(u32, u32, u32)> = Vec::new();
    let mut direct: BTreeSet<[u32; 2]> = BTreeSet::new();
    for (index, link) in (0u32..).zip(graph.links()) {
        match (walked(&link), written(link.from)) {
            (Some(to), true) if !written(to) => begun.push((link.from, to, index)),
            (Some(to), false) => of_sliver.entry(link.from).or_default().push(to),
            (Some(to), true) => {
                direct.insert([link.from, to]);
            }
            (None, _) => {}
        }
    }
    let mut found = Vec::new();
    for (from, first, link) in begun {
        let Some(start) = place(first) else { continue };
        let mut seen = vec![first];
        let mut next = 0;
        while let Some(&sliver) = seen.get(next) {
            next += 1;
            let Some(end) = place(sliver) else { continue };
            for &to in of_sliver.get(&sliver).into_iter().flatten().take(MOST_BRIDGED) {
                if written(to) {
                    if to != from && direct.insert([from, to]) {
                        found.push(Bridge { nodes: [from, to], over: [start, end], link });
                    }
                } else if seen.len() < MOST_BRIDGED && !seen.contains(&to) {
                    seen.push(to);
                }
            }
        }
    }
    found
}

/// The ends of a link: those of its path, else points near the crossed edge, snapped to the polygons of both nodes.
fn ends(graph: &FlatGraph, soup: &Soup, link: &Link, to: u32) -> Option<[[f32; 3]; 2]> {
    let axes = graph.axes();
    let metres = |p: navmap_core::graph::Point| axes.to_metres_y_up(p).to_array();
    let center = |node: u32| graph.shape(graph.nodes().get(node as usize)?).center().map(metres);
    let (from_center, to_center) = (center(link.from)?, center(to)?);
    let finite = |p: &[f32; 3]| p.iter().all(|value| value.is_finite());
    let path = link.path.map(|path| path.map(metres)).filter(|path| path.iter().all(finite));
    let portal = link.portal.map(|[a, b]| metres(a.midway(b))).filter(finite);
    let [start, end] = match (path, portal) {
        (Some(path), _) => path,
        (None, Some(middle)) => [middle, middle],
        (None, None) => [from_center, to_center],
    };
    Some([onto(soup, link.from, start)?, onto(soup, to, end)?])
}

/// The point of a node's polygons nearest in plan, moved slightly inside.
fn onto(soup: &Soup, node: u32, at: [f32; 3]) -> Option<[f32; 3]> {
    let mut best: Option<(f32, [f32; 3])> = None;
    for polygon in soup.loops_of(node) {
        let corners: Vec<[f32; 3]> = soup.corners(polygon).collect();
        let count = corners.len() as f32;
        let middle = corners.iter().fold([0.0; 3], |sum: [f32; 3], c| {
            [sum[0] + c[0] / count, sum[1] + c[1] / count, sum[2] + c[2] / count]
        });
        let mut nearest = if inside(&corners, at) { at } else { on_rim(&corners, at) };
        let off = (nearest[0] - at[0]).hypot(nearest[2] - at[2]);
        let rim = on_rim(&corners, nearest);
        let depth = (rim[0] - nearest[0]).hypot(rim[2] - nearest[2]);
        let way = [middle[0] - nearest[0], middle[2] - nearest[2]];
        let length = way[0].hypot(way[1]);
        if depth < INSIDE && length > 1e-4 {
            let by = (INSIDE - depth).min(length * 0.9) / length;
            nearest = [nearest[0] + way[0] * by, nearest[1], nearest[2] + way[1] * by];
        }
        nearest[1] = height(&corners, nearest);
        let far = off + (nearest[1] - at[1]).abs() * 0.01;
        if best.is_none_or(|(least, _)| far < least) {
            best = Some((far, nearest));
        }
    }
    best.map(|(_, at)| at)
}

/// The place on a node's polygons nearest to `at` that no other floor covers, among several candidates.
fn apart(soup: &Soup, floors: &Floors<'_>, node: u32, at: [f32; 3]) -> Option<[f32; 3]> {
    let mut best: Option<(f32, [f32; 3])> = None;
    for polygon in soup.loops_of(node) {
        let corners: Vec<[f32; 3]> = soup.corners(polygon).collect();
        let count = corners.len() as f32;
        let middle = corners.iter().fold([0.0; 2], |[x, z], c| [x + c[0] / count, z + c[2] / count]);
        let outward = corners.iter().map(|corner| [corner[0], corner[2]]);
        for goal in outward.chain([[at[0], at[2]]]) {
            for share in [0.0, 0.3, 0.6, 0.85, 0.95] {
                if !floors.takes(1) {
                    return None;
                }
                let [x, z] = [0, 1].map(|axis| middle[axis] + (goal[axis] - middle[axis]) * share);
                let mut place = [x, at[1], z];
                let far = (x - at[0]).hypot(z - at[2]);
                if !best.is_none_or(|(least, _)| far < least) || !inside(&corners, place) {
                    continue;
                }
                place[1] = height(&corners, place);
                if !floors.cover(node, place) {
                    best = Some((far, place));
                }
            }
        }
    }
    best.map(|(_, place)| place)
}
