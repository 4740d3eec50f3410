//! Who is near whom: a grid without bounds, made anew in every tick.

use crate::flat::Flat;

/// Agents by cell. Cells share buckets, so a bucket may hold agents of far cells too.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    side: f32,
    /// The agents of bucket `b` are `items[starts[b]..starts[b + 1]]`.
    starts: Vec<u32>,
    items: Vec<u32>,
    mask: u32,
}

impl Grid {
    /// A grid with room for this many agents.
    pub(crate) fn new(agents: usize) -> Self {
        let buckets = (agents.max(8) * 2).next_power_of_two();
        Self {
            side: 1.0,
            starts: vec![0; buckets + 1],
            items: Vec::with_capacity(agents),
            mask: buckets as u32 - 1,
        }
    }

    fn cell(&self, p: Flat) -> [i32; 2] {
        // Far coordinates share the last cells.
        p.map(|v| (v / self.side).floor() as i32)
    }

    fn bucket(&self, [x, y]: [i32; 2]) -> usize {
        let hash = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
        ((hash ^ hash >> 15) & self.mask) as usize
    }

    /// Sorts agents into cells of this side. Two passes.
    pub(crate) fn fill(&mut self, side: f32, agents: impl Iterator<Item = (u32, Flat)> + Clone) {
        self.side = side;
        self.starts.fill(0);
        let mut count = 0;
        for (_, at) in agents.clone() {
            let bucket = self.bucket(self.cell(at));
            self.starts[bucket + 1] += 1;
            count += 1;
        }
        for bucket in 1..self.starts.len() {
            self.starts[bucket] += self.starts[bucket - 1];
        }
        self.items.clear();
        self.items.resize(count, 0);
        // Each start moves to the end of its bucket while that is filled; backwards, so that agents keep their order.
        let mut next = std::mem::take(&mut self.starts);
        for (agent, at) in agents {
            let bucket = self.bucket(self.cell(at));
            self.items[next[bucket] as usize] = agent;
            next[bucket] += 1;
        }
        next.rotate_right(1);
        next[0] = 0;
        self.starts = next;
    }

    /// Calls `each` with the agents in the nine cells around a point, and perhaps with others.
    pub(crate) fn around(&self, p: Flat, mut each: impl FnMut(u32)) {
        let [x, y] = self.cell(p);
        let (mut seen, mut count) = ([usize::MAX; 9], 0);
        for dy in -1..=1 {
            for dx in -1..=1 {
                let bucket = self.bucket([x.saturating_add(dx), y.saturating_add(dy)]);
                if seen[..count].contains(&bucket) {
                    continue;
                }
                seen[count] = bucket;
                count += 1;
                let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                self.items[range].iter().for_each(|agent| each(*agent));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_near_is_found_once() {
        let mut grid = Grid::new(200);
        let at: Vec<Flat> =
            (0..200u32).map(|i| [(i * 37 % 101) as f32 - 50.0, (i * 53 % 97) as f32 - 48.0]).collect();
        grid.fill(10.0, (0..200).map(|i| (i, at[i as usize])));
        for p in &at {
            let mut found = Vec::new();
            grid.around(*p, |agent| found.push(agent));
            for (agent, other) in (0..).zip(&at) {
                let near = (p[0] - other[0]).hypot(p[1] - other[1]) <= 10.0;
                let times = found.iter().filter(|found| **found == agent).count();
                assert!(times <= 1 && (!near || times == 1), "{agent} is found {times} times");
            }
        }
    }
}
