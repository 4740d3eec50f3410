//! An open list: a heap with four children per node, whose entries are one number each.

/// A heap, smallest first. An entry is a cost and an area, in a u64 or, with costs in f64, in a u128. Costs are not negative, so
/// their bits are ordered like the floats.
#[derive(Debug, Clone, Default)]
pub(super) struct Heap<E = u64> {
    entries: Vec<E>,
}

/// The cost and area of an entry.
#[inline(always)]
pub(super) fn unpacked(entry: u64) -> (f32, usize) {
    (f32::from_bits((entry >> 32) as u32), (entry as u32) as usize)
}

#[inline(always)]
fn packed(cost: f32, area: usize) -> u64 {
    // Adding 0.0 turns -0.0 into 0.0, whose bits are the smallest.
    u64::from((cost + 0.0).to_bits()) << 32 | area as u64
}

impl Heap {
    /// A heap with capacity for this many areas, and a quarter more for outdated entries.
    pub(super) fn with_areas(areas: usize) -> Self {
        Self { entries: Vec::with_capacity(areas + areas / 4 + 64) }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u64>()
    }

    /// Adds an area. If the heap is full, drops entries that `fresh` says are outdated. At most one entry per area is fresh, so
    /// this makes room.
    #[inline(always)]
    pub(super) fn push(&mut self, cost: f32, area: usize, fresh: impl Fn(f32, usize) -> bool) {
        if self.entries.len() == self.entries.capacity() {
            self.compact(fresh);
        }
        self.add(packed(cost, area));
    }

    #[cold]
    fn compact(&mut self, fresh: impl Fn(f32, usize) -> bool) {
        self.entries.retain(|&entry| {
            let (cost, area) = unpacked(entry);
            fresh(cost, area)
        });
        // A sorted list is a heap. Equal entries are the same area twice.
        self.entries.sort_unstable();
        self.entries.dedup();
    }

    /// Takes the smallest out.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(f32, usize)> {
        self.take().map(unpacked)
    }

    /// Lends the memory of the heap for another use, once a search is over.
    pub(super) fn reuse(&mut self) -> &mut Vec<u64> {
        self.entries.clear();
        &mut self.entries
    }

    /// The content that [`reuse`](Self::reuse) was filled with.
    pub(super) fn reused(&self) -> &[u64] {
        &self.entries
    }
}

impl<E: Copy + Ord> Heap<E> {
    /// Adds an entry.
    #[inline(always)]
    pub(super) fn add(&mut self, entry: E) {
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let parent = (at - 1) / 4;
            let above = self.entries[parent];
            if above <= entry {
                break;
            }
            self.entries[at] = above;
            at = parent;
        }
        self.entries[at] = entry;
    }

    /// Takes the smallest out.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<E> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else { return Some(last) };
        let entries = &mut self.entries[..];
        let mut at = 0;
        loop {
            let child = at * 4 + 1;
            let (least, value) = if let Some(four) = entries.get(child..child + 4) {
                // Two rounds of a tournament, without a branch to predict.
                let (a, b) = (usize::from(four[1] < four[0]), 2 + usize::from(four[3] < four[2]));
                let best = if four[b] < four[a] { b } else { a };
                (child + best, four[best])
            } else {
                let rest = entries.get(child..).unwrap_or_default();
                match rest.iter().enumerate().min_by_key(|(_, value)| **value) {
                    Some((best, value)) => (child + best, *value),
                    None => break,
                }
            };
            if last <= value {
                break;
            }
            entries[at] = value;
            at = least;
        }
        entries[at] = last;
        Some(first)
    }
}
