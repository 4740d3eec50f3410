//! Links that are not walked over an edge, as off-mesh connections.

#![forbid(unsafe_code)]

use super::Bill;
use super::mapping::Mapping;
use super::soup::{Soup, area};
use crate::graph::{FlatGraph, Link, NavGraph};
use std::collections::{BTreeMap, BTreeSet};

/// How far inside of a polygon a connection starts or ends, in metres.
const INSIDE: f32 = 0.15;

/// A connection: where it starts and ends, both on the mesh, and what it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Connection {
    pub(super) ends: [[f32; 3]; 2],
    pub(super) both_ways: bool,
    pub(super) area: u8,
    pub(super) flags: u16,
    /// The link that it was made of.
    pub(super) link: u32,
}

/// Makes a connection of each link that is not walked over an edge. Two links that lead back and forth over the same way
/// are one.
pub(super) fn connections(
    graph: &FlatGraph,
    soup: &Soup,
    unjoined: &BTreeSet<usize>,
    mapping: &Mapping,
    bill: &mut Bill,
) -> Vec<Connection> {
    let mut made: Vec<Connection> = Vec::new();
    let mut known: BTreeMap<(u32, u32, crate::graph::LinkKind), usize> = BTreeMap::new();
    for &index in unjoined {
        let link = &graph.links()[index];
        let Some(to) = link.to.filter(|to| *to != link.from) else {
            Bill::add(&mut bill.dropped, "links from a node to itself", 1);
            continue;
        };
        let back = link.path.is_none_or(|_| true).then(|| known.get(&(to, link.from, link.kind))).flatten();
        let Some(ends) = ends(graph, soup, link, to) else {
            Bill::add(&mut bill.dropped, "links of nodes that are not written", 1);
            continue;
        };
        if let Some(other) = back.and_then(|at| made.get_mut(*at)).filter(|other| !other.both_ways) {
            let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.5);
            let [start, end] = other.ends;
            if link.path.is_none() || near(ends[0], end) && near(ends[1], start) {
                other.both_ways = true;
                continue;
            }
        }
        let (area, flags) = mapping.link(link.kind);
        known.entry((link.from, to, link.kind)).or_insert(made.len());
        if link.kind.on_foot() {
            Bill::add(
                &mut bill.approximated,
                "links on foot that are one-way or have no common edge, as connections",
                1,
            );
        }
        made.push(Connection { ends, both_ways: false, area, flags, link: index as u32 });
    }
    made
}

/// Where a link starts and ends: the ends of its path, otherwise near the edge that is crossed, put onto the polygons of
/// both nodes.
fn ends(graph: &FlatGraph, soup: &Soup, link: &Link, to: u32) -> Option<[[f32; 3]; 2]> {
    let axes = graph.axes();
    let metres = |p: crate::graph::Point| axes.to_metres_y_up(p).to_array();
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

/// The point of a node's polygons that is nearest in plan, a little inside.
fn onto(soup: &Soup, node: u32, at: [f32; 3]) -> Option<[f32; 3]> {
    let mut best: Option<(f32, [f32; 3])> = None;
    for polygon in soup.loops_of(node) {
        let corners: Vec<[f32; 3]> = polygon.corners.iter().map(|v| soup.vertices[*v as usize]).collect();
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

fn inside(corners: &[[f32; 3]], at: [f32; 3]) -> bool {
    let ahead = corners.iter().cycle().skip(1);
    corners.iter().zip(ahead).all(|(a, b)| area([*a, *b, at].into_iter()) <= 0.0)
}

fn on_rim(corners: &[[f32; 3]], at: [f32; 3]) -> [f32; 3] {
    let ahead = corners.iter().cycle().skip(1);
    let near = corners.iter().zip(ahead).map(|(a, b)| {
        let (dx, dz) = (b[0] - a[0], b[2] - a[2]);
        let length = dx * dx + dz * dz;
        let t = if length > 0.0 { ((at[0] - a[0]) * dx + (at[2] - a[2]) * dz) / length } else { 0.0 };
        let t = t.clamp(0.0, 1.0);
        [a[0] + t * dx, a[1] + t * (b[1] - a[1]), a[2] + t * dz]
    });
    let far = |p: &[f32; 3]| (p[0] - at[0]).hypot(p[2] - at[2]);
    near.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(at)
}

/// The height of a polygon's fan at a point.
fn height(corners: &[[f32; 3]], at: [f32; 3]) -> f32 {
    let first = corners[0];
    for pair in corners[1..].windows(2) {
        let whole = area([first, pair[0], pair[1]].into_iter());
        if whole < 0.0 && inside(&[first, pair[0], pair[1]], at) {
            let u = area([first, at, pair[1]].into_iter()) / whole;
            let v = area([first, pair[0], at].into_iter()) / whole;
            return first[1] + (u as f32) * (pair[0][1] - first[1]) + (v as f32) * (pair[1][1] - first[1]);
        }
    }
    on_rim(corners, at)[1]
}
