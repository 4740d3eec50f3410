//! Looks up ids: whether one exists, and the position of its record.

/// Maps an id to the position of the record that has it.
///
/// Ids are dense in nearly every file, so those below a few times the number of records are in a table, found with one read. A
/// file may claim any id, so a table up to the largest could have any size: larger ids are sorted, and found by binary search among
/// those that have their upper bits in common. Where ids are spread evenly, as in Left 4 Dead 2, these are one or two.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Positions {
    /// Position + 1 at each id, 0 for a missing id.
    table: Vec<u32>,
    /// Id and position, in this order.
    sparse: Vec<(u32, u32)>,
    /// For each number of upper bits, where in `sparse` the ids with it begin, and where the last of all end.
    starts: Vec<u32>,
    /// How many bits the others are.
    lower: u32,
}

impl Positions {
    /// Builds the map from ids in the order of their records. Takes 4 KiB plus four bytes per record if ids are dense, 28 at
    /// most.
    #[doc(hidden)]
    pub fn new(ids: impl Iterator<Item = u32> + Clone) -> Self {
        let (count, most) =
            ids.clone().fold((0usize, 0), |(n, most), id| (n.saturating_add(1), id.max(most)));
        let bound = count.saturating_mul(4).saturating_add(1024);
        let mut table = vec![0; bound.min((most as usize).saturating_add(1))];
        let mut sparse = Vec::new();
        for (id, position) in ids.zip(0u32..) {
            match table.get_mut(id as usize) {
                Some(slot) if *slot == 0 => *slot = position.wrapping_add(1),
                Some(_) => {}
                None => sparse.push((id, position)),
            }
        }
        sparse.sort_unstable();
        let mut found = Self { table, ..Self::default() };
        if let (Some((most, _)), Some(bits)) = (sparse.last(), sparse.len().checked_ilog2()) {
            // No more numbers than ids.
            let all = u32::BITS.saturating_sub(most.leading_zeros());
            found.lower = all.saturating_sub(bits).min(31);
            for (at, (id, _)) in (0u32..).zip(&sparse) {
                found.starts.resize((id >> found.lower) as usize + 1, at);
            }
            found.starts.push(sparse.len() as u32);
        }
        Self { sparse, ..found }
    }

    /// The position, from 0, of the first record with this id.
    #[inline]
    #[doc(hidden)]
    pub fn get(&self, id: u32) -> Option<u32> {
        match self.table.get(id as usize) {
            Some(slot) => slot.checked_sub(1),
            None => self.search(id),
        }
    }

    #[inline(never)]
    fn search(&self, id: u32) -> Option<u32> {
        let [start, end] = *self.starts.get((id >> self.lower) as usize..)?.first_chunk::<2>()?;
        let alike = self.sparse.get(start as usize..end as usize)?;
        let at = alike.partition_point(|(other, _)| *other < id);
        alike.get(at).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }
}

/// The set of existing ids: a bit for each below a bound that follows from their number, and a sorted list of the others.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct IdSet {
    words: Vec<u64>,
    sparse: Vec<u32>,
    twins: bool,
}

impl IdSet {
    /// Builds the set from ids in any order. Takes 4 KiB plus at most 12 bytes per id.
    #[doc(hidden)]
    pub fn new(ids: impl Iterator<Item = u32> + Clone) -> Self {
        let (count, most) =
            ids.clone().fold((0usize, 0), |(n, most), id| (n.saturating_add(1), id.max(most)));
        let bound = count.saturating_add(512);
        let mut set =
            Self { words: vec![0; bound.min((most as usize / 64).saturating_add(1))], ..Self::default() };
        for id in ids {
            match set.words.get_mut(id as usize / 64) {
                Some(word) => {
                    let bit = 1u64 << (id % 64);
                    set.twins |= *word & bit != 0;
                    *word |= bit;
                }
                None => set.sparse.push(id),
            }
        }
        set.sparse.sort_unstable();
        set.twins |= set.sparse.windows(2).any(|pair| matches!(pair, [a, b] if a == b));
        set
    }

    /// Whether some id was given more than once.
    #[doc(hidden)]
    pub fn has_twins(&self) -> bool {
        self.twins
    }

    /// Whether the id exists.
    #[inline]
    #[doc(hidden)]
    pub fn contains(&self, id: u32) -> bool {
        match self.words.get(id as usize / 64) {
            Some(word) => word >> (id % 64) & 1 != 0,
            None => self.search(id),
        }
    }

    #[cold]
    fn search(&self, id: u32) -> bool {
        self.sparse.binary_search(&id).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&[u32]; 7] = [
        &[],
        &[0],
        &[7, 3, 7, 0],
        &[u32::MAX, 5, u32::MAX, 5],
        &[1, 2, 3, 100_000, 99_999],
        &[u32::MAX],
        &[90_000, 2_000, 2_001, 40_000, 5, 90_000, 99_998, 1_500_000, 39_999],
    ];

    #[test]
    fn every_id_is_found_at_its_first_position_and_no_other_is() {
        for ids in IDS {
            let (positions, set) = (Positions::new(ids.iter().copied()), IdSet::new(ids.iter().copied()));
            let others = [0, 1, 4, 6, 8, 1_023, 1_024, 1_025, 32_767, 32_768, 99_998, 100_001, u32::MAX - 1];
            for id in ids.iter().copied().chain(others) {
                let first = ids.iter().position(|other| *other == id).map(|first| first as u32);
                assert_eq!(
                    (positions.get(id), set.contains(id)),
                    (first, first.is_some()),
                    "{id} of {ids:?}"
                );
            }
        }
    }

    #[test]
    fn ids_that_are_given_twice_are_told() {
        let twins = IDS.map(|ids| IdSet::new(ids.iter().copied()).has_twins());
        assert_eq!(twins, [false, false, true, true, false, false, true]);
    }

    #[test]
    fn the_largest_id_costs_no_table() {
        let ids = [u32::MAX, 1 << 30, 0];
        let (positions, set) = (Positions::new(ids.into_iter()), IdSet::new(ids.into_iter()));
        assert_eq!((positions.table.len(), set.words.len()), (1036, 515));
        assert_eq!((positions.sparse.len(), set.sparse.len()), (2, 2));
    }
}
