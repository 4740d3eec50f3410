//! Determines whether there is any path.

use super::rows::{Packed, Rows};
use std::ops::Range;

/// Strong components, and for each a row of bits for the components it can reach.
///
/// There is no path between two islands, and always one inside a component. Between the components of an island a triangle of
/// bits decides. An island with so many components that its bits would outgrow the mesh has no bits.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// Component of each area. The components of an island have consecutive numbers, and none reaches one with a higher number.
    of: Vec<u32>,
    components: Vec<Component>,
    bits: Vec<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Component {
    /// First component of its island.
    island: u32,
    /// Start of its row in `bits`: a bit for each earlier component of the island.
    row: u32,
}

/// No bits.
const NONE: u32 = u32::MAX;

impl Reach {
    /// Linear in areas and links, and in words of bits (at most four per area, plus 4,096).
    pub(super) fn new(rows: &Rows) -> Self {
        let (of, count, across) = components(rows);
        Self::of_components(of, count, across)
    }

    /// The same for components that are known: that of each area, their number, and the links between them.
    pub(super) fn of_components(mut of: Vec<u32>, count: usize, mut across: Vec<[u32; 2]>) -> Self {
        let areas = of.len();
        // Find the islands of components: union by smaller root.
        let mut root: Vec<u32> = (0..count as u32).collect();
        let find = |root: &mut Vec<u32>, mut at: u32| {
            while root[at as usize] != at {
                root[at as usize] = root[root[at as usize] as usize];
                at = root[at as usize];
            }
            at
        };
        for [a, b] in &across {
            let (a, b) = (find(&mut root, *a), find(&mut root, *b));
            root[a.max(b) as usize] = a.min(b);
        }
        // Number them by island, then as before: sinks first.
        let mut order: Vec<(u32, u32)> = (0..count as u32).map(|c| (find(&mut root, c), c)).collect();
        order.sort_unstable();
        let mut number = vec![0u32; count];
        let mut components = vec![Component::default(); count];
        let mut budget = areas * 4 + 4096;
        let mut words = 0usize;
        let mut start = 0;
        while start < count {
            let island = order[start].0;
            let end = start + order[start..].iter().take_while(|(other, _)| *other == island).count();
            let size = end - start;
            let needed = (0..size).map(|local| local.div_ceil(64)).sum::<usize>();
            let fits = needed <= budget;
            if fits {
                budget -= needed;
            }
            for local in 0..size {
                number[order[start + local].1 as usize] = (start + local) as u32;
                let row = if fits { words as u32 } else { NONE };
                components[start + local] = Component { island: start as u32, row };
                if fits {
                    words += local.div_ceil(64);
                }
            }
            start = end;
        }
        of.iter_mut().for_each(|component| *component = number[*component as usize]);
        across.iter_mut().flatten().for_each(|component| *component = number[*component as usize]);
        across.sort_unstable();
        across.dedup();
        let mut reach = Self { of, components, bits: vec![0; words] };
        reach.fill(&across);
        reach
    }

    /// Fills the rows from sinks to sources: a component reaches its neighbors and what they reach.
    fn fill(&mut self, across: &[[u32; 2]]) {
        for &[c, to] in across {
            let Component { island, row } = self.components[c as usize];
            if row == NONE {
                continue;
            }
            let (row, there) = (row as usize, (to - island) as usize);
            debug_assert!(to < c, "components are numbered sinks first");
            if self.bits[row + there / 64] >> (there % 64) & 1 == 1 {
                continue;
            }
            self.bits[row + there / 64] |= 1 << (there % 64);
            let from = self.components[to as usize].row as usize;
            for word in 0..there.div_ceil(64) {
                self.bits[row + word] |= self.bits[from + word];
            }
        }
    }

    /// Whether there is a path; `None` if only a search can decide.
    #[inline(always)]
    pub(super) fn known(&self, from: usize, to: usize) -> Option<bool> {
        let (from, to) = (self.of[from], self.of[to]);
        if from == to {
            return Some(true);
        }
        let (here, there) = (self.components[from as usize], self.components[to as usize]);
        if here.island != there.island || to > from {
            return Some(false);
        }
        if here.row == NONE {
            return None;
        }
        let local = to - here.island;
        Some(self.bits[(here.row + local / 64) as usize] >> (local % 64) & 1 == 1)
    }

    /// Like [`known`](Self::known), but searches if there are no bits, which allocates.
    pub(super) fn search(&self, rows: &Rows, from: usize, to: usize) -> bool {
        if let Some(known) = self.known(from, to) {
            return known;
        }
        let goal = self.of[to];
        let mut seen = vec![false; rows.areas()];
        let mut stack = vec![from];
        seen[from] = true;
        while let Some(area) = stack.pop() {
            for next in rows.leads(area) {
                if self.of[next] == goal {
                    return true;
                }
                if !seen[next] && self.of[next] > goal {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
        false
    }

    /// Strong component of an area.
    pub(super) fn component(&self, area: usize) -> u32 {
        self.of[area]
    }

    /// First component of the island of an area.
    pub(super) fn island(&self, area: usize) -> u32 {
        self.components[self.of[area] as usize].island
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.of[..]) + size_of_val(&self.components[..]) + size_of_val(&self.bits[..])
    }
}

/// The strong component of each area, their number, and the links between them, of which those that follow each other differ.
pub(super) fn components(rows: &Rows) -> (Vec<u32>, usize, Vec<[u32; 2]>) {
    let (of, count, mut across) = strong(rows.areas(), |area| rows.row(area), rows.links(), Packed::leads);
    across.iter_mut().flatten().for_each(|area| *area = of[*area as usize]);
    across.dedup();
    (of, count, across)
}

/// The strong component of each area, their number, sinks first, and the links from one to another, as pairs of areas (Tarjan's
/// algorithm, without recursion). `row` tells which of the links are those of an area, `target` gives the target of a link that
/// can be taken.
pub(super) fn strong<L>(
    areas: usize,
    row: impl Fn(usize) -> Range<usize>,
    links: &[L],
    target: impl Fn(&L) -> Option<usize>,
) -> (Vec<u32>, usize, Vec<[u32; 2]>) {
    // When each was found. What is in a component already is found later than everything, and so changes no `low`.
    const NEW: u32 = u32::MAX;
    const CLOSED: u32 = u32::MAX - 1;
    let mut found = vec![NEW; areas];
    let mut of = vec![0u32; areas];
    let mut across: Vec<[u32; 2]> = Vec::new();
    let mut stack: Vec<u32> = Vec::new();
    // The way here: each node, how many of its links are passed, and the earliest that it reaches.
    let mut path: Vec<(u32, u32, u32)> = Vec::new();
    let (mut clock, mut count) = (0u32, 0u32);
    for start in 0..areas {
        if found[start] != NEW {
            continue;
        }
        let (mut node, mut passed, mut low) = (start as u32, 0, NEW);
        loop {
            let n = node as usize;
            if passed == 0 {
                (found[n], low) = (clock, clock);
                clock += 1;
                stack.push(node);
            }
            let deeper = (passed + 1..).zip(&links[row(n)][passed as usize..]).find_map(|(passed, link)| {
                let to = target(link)?;
                let when = found[to];
                if when == CLOSED {
                    across.push([node, to as u32]);
                }
                low = low.min(when);
                (when == NEW).then_some((passed, to))
            });
            if let Some((passed_here, to)) = deeper {
                path.push((node, passed_here, low));
                (node, passed, low) = (to as u32, 0, NEW);
                continue;
            }
            let is_root = low == found[n];
            if is_root {
                while let Some(member) = stack.pop() {
                    of[member as usize] = count;
                    found[member as usize] = CLOSED;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
            let Some((parent, after, above)) = path.pop() else { break };
            if is_root {
                across.push([parent, node]);
            }
            (node, passed, low) = (parent, after, low.min(above));
        }
    }
    (of, count as usize, across)
}
