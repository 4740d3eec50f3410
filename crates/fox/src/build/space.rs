//! The search space: the segments in each bucket.

use super::frame::{Grid, Plan};
use super::frame::{floor, tall};
use crate::buf::{BucketBuf, FoxBuf, GroupBuf, ListingBuf, SearchBuf};
use crate::view::Frame;
use navmap_core::format::{Store, Stored};
use std::ops::RangeInclusive;
use zerocopy::byteorder::little_endian::F32;

/// The search space of a tile over the grid of its plan.
pub(super) fn space(tile: &FoxBuf, plan: &Plan) -> SearchBuf {
    of_grid(&tile.groups, tile.head.divisors, &plan.grid)
}

/// A new search space over the same grid, for groups that already had one.
pub(crate) fn again(groups: &[GroupBuf], divisors: [u16; 3], before: &SearchBuf) -> SearchBuf {
    let grid = Grid {
        origin: Stored::value(&before.origin),
        cells: before.counts,
        side: before.side,
        height: before.height,
    };
    SearchBuf { unknown_0x0e: before.unknown_0x0e, ..of_grid(groups, divisors, &grid) }
}

/// A search space whose buckets cover all heights of a tile in another frame.
pub(crate) fn heights_of_space(before: &SearchBuf, frame: &Frame, top: f64) -> SearchBuf {
    let ([x, _, z], [_, y, _]) = (before.origin, frame.origin);
    let low = floor(y);
    SearchBuf { origin: [x, F32::new(low), z], height: tall(low, top), ..before.clone() }
}

fn of_grid(groups: &[GroupBuf], [dx, _, dz]: [u16; 3], grid: &Grid) -> SearchBuf {
    let [nx, ny, nz] = grid.cells;
    let columns = nx as usize;
    let cells = columns.saturating_mul(ny as usize).saturating_mul(nz as usize);
    // By bucket, group and segment: the order of writing.
    let mut listed: Vec<(u32, u16, u16)> = Vec::new();
    let mut heights = vec![[u8::MAX, 0]; cells];
    let mut highest = 0;
    for (slot, group) in (0..=u16::MAX).zip(groups) {
        for (number, bounds) in (0..=u16::MAX).zip(&group.bounds) {
            let ([ax, ay, az], [bx, by, bz]) = (bounds.min().quantised(), bounds.max().quantised());
            highest = by.max(highest);
            if group.segments.get(usize::from(number)).is_none_or(|segment| segment.is_empty()) {
                continue;
            }
            for row in touched(az, bz, dz, grid.side, nz) {
                for column in touched(ax, bx, dx, grid.side, nx) {
                    let cell = (row as usize).saturating_mul(columns).saturating_add(column as usize);
                    listed.push((cell as u32, slot, number));
                    if let Some([low, high]) = heights.get_mut(cell) {
                        *low = (*low).min((ay >> 8) as u8);
                        *high = (*high).max((by >> 8) as u8);
                    }
                }
            }
        }
    }
    listed.sort_unstable();
    let mut space = SearchBuf {
        origin: grid.origin.store(),
        y_range: highest,
        counts: grid.cells,
        side: grid.side,
        height: grid.height,
        buckets: vec![BucketBuf::default(); cells],
        ..SearchBuf::default()
    };
    for of_group in listed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let Some((cell, slot, _)) = of_group.first() else { continue };
        let id = groups.get(usize::from(*slot)).map(|group| group.id).unwrap_or_default();
        space.listings.push(ListingBuf::new(id, u32::try_from(of_group.len()).unwrap_or(u32::MAX)));
        space.segments.extend(
            of_group.iter().map(|(.., segment)| zerocopy::byteorder::little_endian::U16::new(*segment)),
        );
        let heights = heights.get(*cell as usize).copied().unwrap_or_default();
        if let Some(bucket) = space.buckets.get_mut(*cell as usize) {
            *bucket = BucketBuf::new(bucket.listings.saturating_add(1), heights);
        }
    }
    space
}

/// The buckets along an axis that a range touches, borders included.
fn touched(low: u16, high: u16, divisor: u16, side: u32, buckets: u32) -> RangeInclusive<u32> {
    let quanta = u64::from(divisor).saturating_mul(u64::from(side)).max(1);
    // A range that begins on a border touches the bucket before it as well.
    let first = u64::from(low).div_ceil(quanta).saturating_sub(1);
    let last = u64::from(high).checked_div(quanta).unwrap_or(0);
    let within = |at: u64| u32::try_from(at).unwrap_or(u32::MAX).min(buckets.saturating_sub(1));
    within(first)..=within(last)
}
