//! The engine's rules, slow and plain, over meshes that a reader of its own has read. Shares nothing with navmap.

use navmap_testkit::source::{Area, Mesh};
use std::collections::HashMap;

pub(crate) const CELL: f32 = 300.0;

/// A mesh as the engine holds it.
pub(crate) struct Engine {
    pub(crate) mesh: Mesh,
    pub(crate) by_id: HashMap<u32, usize>,
    /// Areas of each cell, in the order of the file.
    cells: HashMap<(i32, i32), Vec<usize>>,
    min: [f32; 2],
    size: (i32, i32),
}

pub(crate) fn overlaps(a: &Area, x: f32, y: f32) -> bool {
    x >= a.nw[0] && x <= a.se[0] && y >= a.nw[1] && y <= a.se[1]
}

pub(crate) fn z(a: &Area, x: f32, y: f32) -> f32 {
    let dx = a.se[0] - a.nw[0];
    let dy = a.se[1] - a.nw[1];
    let (inv_dx, inv_dy) = if dx > 0.0 && dy > 0.0 { (1.0 / dx, 1.0 / dy) } else { (0.0, 0.0) };
    if inv_dx == 0.0 || inv_dy == 0.0 {
        return a.ne_z;
    }
    let mut u = (x - a.nw[0]) * inv_dx;
    let mut v = (y - a.nw[1]) * inv_dy;
    u = u.clamp(0.0, 1.0);
    v = v.clamp(0.0, 1.0);
    let north_z = a.nw[2] + u * (a.ne_z - a.nw[2]);
    let south_z = a.sw_z + u * (a.se[2] - a.sw_z);
    north_z + v * (south_z - north_z)
}

pub(crate) fn closest(a: &Area, p: [f32; 3]) -> [f32; 3] {
    let mut q = [p[0], p[1], 0.0];
    for axis in 0..2 {
        if p[axis] < a.nw[axis] {
            q[axis] = a.nw[axis];
        } else if p[axis] > a.se[axis] {
            q[axis] = a.se[axis];
        }
    }
    q[2] = z(a, q[0], q[1]);
    q
}

pub(crate) fn center(a: &Area) -> [f32; 3] {
    [0, 1, 2].map(|i| (a.nw[i] + a.se[i]) / 2.0)
}

fn length2(a: [f32; 3], b: [f32; 3]) -> f32 {
    let d = [0, 1, 2].map(|i| a[i] - b[i]);
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

pub(crate) fn length(a: [f32; 3], b: [f32; 3]) -> f32 {
    length2(a, b).sqrt()
}

/// An open list as the engine's: sorted by total cost, of equal ones the earlier first.
#[derive(Clone, Copy)]
struct Node {
    cost: f32,
    total: f32,
    open: bool,
    closed: bool,
    parent: Option<usize>,
}

impl Engine {
    pub(crate) fn new(mesh: Mesh) -> Self {
        let mut by_id = HashMap::new();
        for (at, area) in mesh.areas.iter().enumerate() {
            by_id.entry(area.id).or_insert(at);
        }
        let mut min = [f32::INFINITY; 2];
        let mut max = [f32::NEG_INFINITY; 2];
        for area in &mesh.areas {
            for axis in 0..2 {
                min[axis] = min[axis].min(area.nw[axis]).min(area.se[axis]);
                max[axis] = max[axis].max(area.se[axis]).max(area.nw[axis]);
            }
        }
        let count = |axis: usize| ((max[axis] - min[axis]) / CELL) as i32 + 1;
        let mut engine = Self { by_id, cells: HashMap::new(), min, size: (count(0), count(1)), mesh };
        for at in 0..engine.mesh.areas.len() {
            let area = &engine.mesh.areas[at];
            let (lo, hi) = (engine.cell(area.nw), engine.cell(area.se));
            for x in lo.0..=hi.0 {
                for y in lo.1..=hi.1 {
                    engine.cells.entry((x, y)).or_default().push(at);
                }
            }
        }
        engine
    }

    fn cell(&self, p: [f32; 3]) -> (i32, i32) {
        let one = |axis: usize, size: i32| (((p[axis] - self.min[axis]) / CELL) as i32).clamp(0, size - 1);
        (one(0, self.size.0), one(1, self.size.1))
    }

    /// `GetNavArea`.
    pub(crate) fn area_at(&self, p: [f32; 3], reach: f32) -> Option<(usize, f32)> {
        let mut used = None;
        let mut used_z = -99_999_999.9f32;
        for (at, area) in self.mesh.areas.iter().enumerate() {
            if !overlaps(area, p[0], p[1]) {
                continue;
            }
            let z = z(area, p[0], p[1]);
            if z > p[2] + 5.0 || z < p[2] - reach {
                continue;
            }
            if z > used_z {
                (used, used_z) = (Some((at, z)), z);
            }
        }
        used
    }

    /// The nearest by a look at every area: its distance.
    pub(crate) fn nearest(&self, p: [f32; 3]) -> f32 {
        self.mesh.areas.iter().map(|area| length2(closest(area, p), p)).fold(f32::INFINITY, f32::min)
    }

    /// `GetNearestNavArea` without traces.
    pub(crate) fn nearest_as_game(&self, p: [f32; 3], max: f32) -> Option<usize> {
        if let Some((at, _)) = self.area_at(p, 120.0) {
            return Some(at);
        }
        let mut close = None;
        let mut close2 = max * max;
        let (ox, oy) = self.cell(p);
        let mut limit = (max / CELL).ceil() as i32;
        let mut seen = vec![false; self.mesh.areas.len()];
        let mut shift = 0;
        while shift <= limit && shift <= self.size.0.max(self.size.1) {
            for x in ox - shift..=ox + shift {
                for y in oy - shift..=oy + shift {
                    if x > ox - shift && x < ox + shift && y > oy - shift && y < oy + shift {
                        continue;
                    }
                    for &at in self.cells.get(&(x, y)).map(Vec::as_slice).unwrap_or_default() {
                        if std::mem::replace(&mut seen[at], true) {
                            continue;
                        }
                        let d2 = length2(closest(&self.mesh.areas[at], p), p);
                        if d2 >= close2 {
                            continue;
                        }
                        (close2, close) = (d2, Some(at));
                        limit = shift + 1;
                    }
                }
            }
            shift += 1;
        }
        close
    }

    /// Links out of an area, in the engine's order, with the length of the ladder for one over a ladder.
    pub(crate) fn links(&self, at: usize) -> Vec<(usize, Option<f32>)> {
        let area = &self.mesh.areas[at];
        let mut links = Vec::new();
        for side in &area.connections {
            links.extend(side.iter().filter_map(|id| Some((*self.by_id.get(id)?, None))));
        }
        let ladder = |id: &u32| self.mesh.ladders.iter().find(|ladder| ladder.id == *id);
        for ladder in area.ladders_up.iter().filter_map(ladder) {
            // Ahead, left, right; never behind.
            for id in &ladder.areas[..3] {
                links.extend(self.by_id.get(id).filter(|_| *id != 0).map(|&to| (to, Some(ladder.length))));
            }
        }
        for ladder in area.ladders_down.iter().filter_map(ladder) {
            let id = ladder.areas[4];
            links.extend(self.by_id.get(&id).filter(|_| id != 0).map(|&to| (to, Some(ladder.length))));
        }
        links
    }

    /// `ShortestPathCost`.
    fn cost(&self, from: usize, to: usize, ladder: Option<f32>, so_far: f32) -> f32 {
        let (from, to) = (&self.mesh.areas[from], &self.mesh.areas[to]);
        let dist = ladder.unwrap_or_else(|| length(center(to), center(from)));
        let mut cost = dist + so_far;
        if to.attributes & 1 != 0 {
            cost += 20.0 * dist;
        }
        if to.attributes & 2 != 0 {
            cost += 5.0 * dist;
        }
        cost
    }

    /// `NavAreaBuildPath` with the stock cost and no blocked areas: the cost and the areas.
    pub(crate) fn path(&self, start: usize, goal: usize) -> Option<(f32, Vec<usize>)> {
        let aim = center(&self.mesh.areas[goal]);
        let new = Node { cost: 0.0, total: 0.0, open: false, closed: false, parent: None };
        let mut nodes = vec![new; self.mesh.areas.len()];
        let mut open = vec![start];
        nodes[start].open = true;
        nodes[start].total = length(center(&self.mesh.areas[start]), aim);
        while !open.is_empty() {
            let at = open.remove(0);
            nodes[at].open = false;
            if at == goal {
                let mut way = vec![goal];
                while let Some(parent) = nodes[way[way.len() - 1]].parent {
                    way.push(parent);
                }
                way.reverse();
                return Some((nodes[goal].cost, way));
            }
            for (to, ladder) in self.links(at) {
                if Some(to) == nodes[at].parent || to == at {
                    continue;
                }
                let mut cost = self.cost(at, to, ladder, nodes[at].cost);
                cost = cost.max(nodes[at].cost * 1.00001 + 0.00001);
                if (nodes[to].open || nodes[to].closed) && nodes[to].cost <= cost {
                    continue;
                }
                let rest = length(center(&self.mesh.areas[to]), aim);
                if nodes[to].open {
                    open.retain(|other| *other != to);
                }
                nodes[to] = Node { cost, total: cost + rest, open: true, closed: false, parent: Some(at) };
                let place = open.iter().position(|&other| nodes[to].total < nodes[other].total);
                open.insert(place.unwrap_or(open.len()), to);
            }
            nodes[at].closed = true;
        }
        None
    }
}
