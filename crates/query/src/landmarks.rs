//! Distances to and from a few distant areas, which give good estimates.

use super::heap::Heap;
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
        let mut search = Spread::new(links);
        // The distance to the nearest landmark. At first, that to an arbitrary area.
        let mut nearest = vec![f64::INFINITY; areas];
        search.run(members[0], false);
        members.iter().for_each(|&area| nearest[area] = search.cost[area]);
        let mut most = 0f64;
        for number in 0..COUNT {
            let next = members.iter().copied().max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
            let landmark = next.unwrap_or(members[0]);
            chosen[number] = landmark as u32;
            for (backward, column) in [(false, number), (true, COUNT + number)] {
                search.run(landmark, backward);
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
    /// Links out of areas, and into them.
    ways: [Ways; 2],
    cost: Vec<f64>,
    heap: Heap<u128>,
}

/// For each area where it leads, or who leads to it, and at what cost.
struct Ways {
    starts: Vec<u32>,
    list: Vec<(u32, f32)>,
}

impl Spread {
    fn new(rows: &Rows) -> Self {
        // The lesser of both costs is a lower bound for both.
        let least = |link: usize| rows.links()[link].length.min(rows.charge(link));
        let mut ways = [(); 2].map(|()| Ways {
            starts: Vec::with_capacity(rows.areas() + 1),
            list: Vec::with_capacity(rows.links().len()),
        });
        for area in 0..rows.areas() {
            ways.iter_mut().for_each(|ways| ways.starts.push(ways.list.len() as u32));
            ways[0].list.extend(rows.row(area).map(|link| (rows.links()[link].to() as u32, least(link))));
            ways[1].list.extend(rows.incoming(area).map(|(from, link)| (from as u32, least(link))));
        }
        ways.iter_mut().for_each(|ways| ways.starts.push(ways.list.len() as u32));
        Self { ways, cost: vec![f64::INFINITY; rows.areas()], heap: Heap::default() }
    }

    fn run(&mut self, start: usize, backward: bool) {
        let Self { ways, cost, heap } = self;
        let Ways { starts, list } = &ways[usize::from(backward)];
        let entry = |cost: f64, area: u32| u128::from(cost.to_bits()) << 32 | u128::from(area);
        cost.fill(f64::INFINITY);
        cost[start] = 0.0;
        heap.add(entry(0.0, start as u32));
        while let Some(next) = heap.take() {
            let (reached, area) = (f64::from_bits((next >> 32) as u64), next as u32 as usize);
            if reached > cost[area] {
                continue;
            }
            for &(to, least) in &list[starts[area] as usize..starts[area + 1] as usize] {
                let sum = reached + f64::from(least);
                if sum < cost[to as usize] {
                    cost[to as usize] = sum;
                    heap.add(entry(sum, to));
                }
            }
        }
    }
}
