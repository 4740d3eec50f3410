//! Hiding spots by area and by id.

use navmap_core::graph::{HidingKinds, Point};
use std::ops::Range;

/// A hiding spot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hidden {
    pub(super) id: Option<u32>,
    pub(super) area: u32,
    pub(super) at: Point,
    pub(super) kinds: HidingKinds,
}

/// All hiding spots, grouped by area, those of one area in file order.
#[derive(Debug, Clone)]
pub(super) struct Places {
    spots: Vec<Hidden>,
    /// Those of area `a` are `spots[starts[a]..starts[a + 1]]`. Empty if there is none.
    starts: Vec<u32>,
    /// Id and position, ascending. Of two with one id the first of the file is first.
    by_id: Vec<(u32, u32)>,
}

impl Places {
    /// Groups spots that come in file order.
    pub(super) fn new(areas: usize, spots: Vec<Hidden>) -> Self {
        if spots.is_empty() {
            return Self { spots, starts: Vec::new(), by_id: Vec::new() };
        }
        let mut order: Vec<u32> = (0..spots.len() as u32).collect();
        order.sort_by_key(|&spot| spots[spot as usize].area);
        let mut by_id: Vec<(u32, u32, u32)> = Vec::new();
        for (position, &file) in order.iter().enumerate() {
            by_id.extend(spots[file as usize].id.map(|id| (id, file, position as u32)));
        }
        by_id.sort_unstable();
        let by_id = by_id.into_iter().map(|(id, _, position)| (id, position)).collect();
        let spots: Vec<Hidden> = order.into_iter().map(|spot| spots[spot as usize]).collect();
        let mut starts = vec![0];
        let mut at = 0;
        for area in 0..areas as u32 {
            while spots.get(at).is_some_and(|spot| spot.area <= area) {
                at += 1;
            }
            starts.push(at as u32);
        }
        Self { spots, starts, by_id }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.spots[..]) + size_of_val(&self.starts[..]) + size_of_val(&self.by_id[..])
    }

    pub(super) fn len(&self) -> usize {
        self.spots.len()
    }

    /// The spot at a position that [`within`](Self::within) or [`by_id`](Self::by_id) gave.
    pub(super) fn spot(&self, spot: usize) -> &Hidden {
        &self.spots[spot]
    }

    /// The positions of the spots in an area.
    pub(super) fn within(&self, area: usize) -> Range<usize> {
        match self.starts.get(area..area + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The position of the spot with this id.
    pub(super) fn by_id(&self, id: u32) -> Option<u32> {
        let at = self.by_id.partition_point(|(other, _)| *other < id);
        self.by_id.get(at).filter(|(other, _)| *other == id).map(|(_, position)| *position)
    }
}
