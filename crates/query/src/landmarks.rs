//! Distances to and from a few distant areas, which give good estimates.

use super::reach::Reach;
use super::rows::Rows;

/// The number of landmarks. Eight distances to and eight from fill a cache line.
pub(super) const COUNT: usize = 8;
/// Stands for "no path". The difference of two is 0, and that of one and a distance exceeds every bound.
const FAR: f32 = 1e30;

/// For each area, the distances from all landmarks to it, then the distances from it to all landmarks.
#[derive(Debug, Clone)]
pub(super) struct Landmarks {
    rows: Vec<[f32; 2 * COUNT]>,
    areas: [u32; COUNT],
    /// The possible rounding error.
    slack: f32,
}

impl Landmarks {
    /// Chooses landmarks far from each other, in the largest strong component.
    pub(super) fn new(links: &Rows, reach: &Reach) -> Self {
        let areas = links.areas();
        let mut sizes = vec![0u32; areas];
        (0..areas).for_each(|area| sizes[reach.component(area) as usize] += 1);
        let largest = (0..areas).max_by_key(|&component| (sizes[component], std::cmp::Reverse(component)));
        let members: Vec<usize> =
            (0..areas).filter(|&area| Some(reach.component(area) as usize) == largest).collect();
        let mut rows = vec![[FAR; 2 * COUNT]; areas];
        let mut chosen = [0u32; COUNT];
        let mut search = Spread::new(areas);
        // The distance to the nearest landmark. At first, that to an arbitrary area.
        let mut nearest = vec![f64::INFINITY; areas];
        search.run(links, members[0], false);
        members.iter().for_each(|&area| nearest[area] = search.cost[area]);
        let mut most = 0f64;
        for number in 0..COUNT {
            let next = members.iter().copied().max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
            let landmark = next.unwrap_or(members[0]);
            chosen[number] = landmark as u32;
            for (backward, column) in [(false, number), (true, COUNT + number)] {
                search.run(links, landmark, backward);
                for (row, &cost) in rows.iter_mut().zip(&search.cost) {
                    if cost < f64::from(FAR) {
                        row[column] = cost as f32;
                        most = most.max(cost);
                    }
                }
                if !backward {
                    for &area in &members {
                        let before = if number == 0 { f64::INFINITY } else { nearest[area] };
                        nearest[area] = before.min(search.cost[area]);
                    }
                }
            }
        }
        Self { rows, areas: chosen, slack: (most * 3e-7) as f32 }
    }

    #[inline(always)]
    pub(super) fn row(&self, area: usize) -> &[f32; 2 * COUNT] {
        &self.rows[area]
    }

    /// A lower bound on the cost of a path from an area to the goal, by sixteen triangle inequalities.
    #[inline(always)]
    pub(super) fn estimate(&self, area: usize, goal: &[f32; 2 * COUNT]) -> f32 {
        let row = &self.rows[area];
        let mut best = [0f32; COUNT];
        for at in 0..COUNT {
            let (from, to) = (goal[at] - row[at], row[COUNT + at] - goal[COUNT + at]);
            let larger = if from > to { from } else { to };
            best[at] = if larger > best[at] { larger } else { best[at] };
        }
        best.into_iter().fold(0f32, |most, v| if v > most { v } else { most }) - self.slack
    }

    pub(super) fn areas(&self) -> [u32; COUNT] {
        self.areas
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.rows[..])
    }
}

/// Costs from one area to all others, in f64 so that sums do not drift.
struct Spread {
    cost: Vec<f64>,
    heap: std::collections::BinaryHeap<(std::cmp::Reverse<u64>, u32)>,
}

impl Spread {
    fn new(areas: usize) -> Self {
        Self { cost: vec![f64::INFINITY; areas], heap: std::collections::BinaryHeap::new() }
    }

    fn run(&mut self, rows: &Rows, start: usize, backward: bool) {
        use std::cmp::Reverse;
        // The lesser of both costs is a lower bound for both.
        let least = |link: usize| {
            let length = rows.links()[link].length;
            f64::from(length.min(rows.charge(link)))
        };
        self.cost.fill(f64::INFINITY);
        self.cost[start] = 0.0;
        self.heap.push((Reverse(0f64.to_bits()), start as u32));
        while let Some((Reverse(bits), area)) = self.heap.pop() {
            let (cost, area) = (f64::from_bits(bits), area as usize);
            if cost > self.cost[area] {
                continue;
            }
            let mut relax = |to: usize, link: usize| {
                let sum = cost + least(link);
                if sum < self.cost[to] {
                    self.cost[to] = sum;
                    self.heap.push((Reverse(sum.to_bits()), to as u32));
                }
            };
            if backward {
                rows.incoming(area).for_each(|(from, link)| relax(from, link));
            } else {
                rows.row(area).for_each(|link| relax(rows.links()[link].to(), link));
            }
        }
    }
}
