//! The ways through areas, and the hiding spots that come into view on each.

use super::hiding::Places;

/// A spot that comes into view on a way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watched {
    /// Position of the spot.
    pub(super) spot: u32,
    /// After this share of the way.
    pub(super) along: f32,
}

/// The ways through every area.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    /// Area, from, to. Ascending; the first of the file counts where one is told twice.
    keys: Vec<[u32; 3]>,
    /// The spots of way `w` are `watched[starts[w]..starts[w + 1]]`.
    starts: Vec<u32>,
    watched: Vec<Watched>,
}

impl Ways {
    /// Sorts ways, each with the position of its first spot in `told`. A spot that no area has is left out.
    pub(super) fn new(ways: &[[u32; 4]], told: &[(u32, f32)], places: &Places) -> Self {
        // The end of each way is the beginning of the one after it, which sorting would lose.
        let ends = ways.iter().skip(1).map(|way| way[3]).chain([told.len() as u32]).collect::<Vec<_>>();
        let mut order: Vec<u32> = (0..ways.len() as u32).collect();
        let key = |way: u32| {
            let [area, from, to, _] = ways[way as usize];
            [area, from, to]
        };
        order.sort_by_key(|&way| key(way));
        order.dedup_by_key(|way| key(*way));
        let mut made = Self { keys: Vec::new(), starts: vec![0], watched: Vec::new() };
        made.keys.reserve_exact(order.len());
        for way in order {
            made.keys.push(key(way));
            let range = ways[way as usize][3] as usize..ends[way as usize] as usize;
            let spots = told.get(range).unwrap_or_default().iter();
            made.watched.extend(spots.filter_map(|&(id, along)| {
                let along = if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 };
                Some(Watched { spot: places.by_id(id)?, along })
            }));
            made.starts.push(made.watched.len() as u32);
        }
        made
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.keys[..]) + size_of_val(&self.starts[..]) + size_of_val(&self.watched[..])
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The spots on the way through an area from one neighbour to another. `None` if the file has no such way.
    pub(super) fn watched(&self, area: u32, from: u32, to: u32) -> Option<&[Watched]> {
        let at = self.keys.binary_search(&[area, from, to]).ok()?;
        self.watched.get(self.starts[at] as usize..self.starts[at + 1] as usize)
    }
}
