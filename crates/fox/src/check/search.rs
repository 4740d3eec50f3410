//! Checks the search space: each segment is in every bucket that it touches, and in no other. `docs/formats/fox.md`, section 8.

use super::prepared::Groups;
use super::report::{Report, at, record};
use crate::record::{Bounds, GroupId};
use crate::view::{FoxNav, SearchSpace};
use navmap_core::error::Result;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

pub(super) fn check(nav: FoxNav<'_>, groups: &Groups<'_>, report: &mut Report<'_>) -> Result<()> {
    let Some(space) = nav.search()? else {
        if nav.group_count() > 0 {
            report.warning("search-absent", at(0x10), || "there are groups, and no search space".into());
        }
        return Ok(());
    };
    let header = space.header();
    let place = at(space.offset());
    let ([sx, _, sz], [ox, _, oz]) = (header.origin(), nav.header().origin());
    if [sx, sz].map(f32::to_bits) != [ox, oz].map(f32::to_bits) {
        report.warning("search-origin", place, || format!("origin {sx}, {sz}, the file's is {ox}, {oz}"));
    }
    let [nx, ny, nz] = header.counts();
    if ny != 1 || header.unknown_0x0e() != 0 {
        report.deviation("search-layers", place, || {
            format!("{ny} layers, {:#x} reserved", header.unknown_0x0e())
        });
    }
    let entries = (space.buckets().len() as u64).saturating_mul(8).saturating_add(48);
    let found = [header.buckets_offset(), header.entries_offset()].map(u64::from);
    if found != [48, entries] {
        report.deviation("search-layout", place, || {
            format!("buckets and listings at {found:x?}, the game has [30, {entries:x}]")
        });
    }
    let highest = groups.iter().flat_map(|group| group.group.segment_chunk().bounds());
    let highest = highest
        .map(|bounds| {
            let [_, y, _] = bounds.max().quantised();
            y
        })
        .max();
    if let Some(highest) = highest.filter(|highest| highest.abs_diff(header.y_range()) > 1) {
        report.warning("search-height", place, || {
            format!("Y range {}, vertices reach {highest}", header.y_range())
        });
    }
    if header.side() == 0 {
        report.warning("search-side", place, || "buckets of 0 metres".into());
        return Ok(());
    }
    listings(nav, &space, groups, [nx, nz], report)
}

/// Compares the number of listings of each segment with the number of buckets its box touches.
fn listings(
    nav: FoxNav<'_>,
    space: &SearchSpace<'_>,
    groups: &Groups<'_>,
    counts: [u32; 2],
    report: &mut Report<'_>,
) -> Result<()> {
    let grid = Grid {
        quanta: nav.frame().divisors.map(|d| u64::from(d).saturating_mul(u64::from(space.header().side()))),
        counts,
    };
    let mut listed: BTreeMap<GroupId, Vec<u64>> = groups
        .iter()
        .map(|group| (group.id(), vec![0; group.group.segment_chunk().segments().len()]))
        .collect();
    for (index, bucket) in space.buckets().iter().enumerate() {
        let place = record("bucket", index, space.bucket_offset(index));
        let cell = grid.cell(index);
        let (mut last, mut heights) = (None, [u8::MAX, 0]);
        for listing in space.listings(index)? {
            let listing = listing?;
            let id = listing.id.group();
            if last.is_some_and(|last| last >= id) || listing.id.tile() != nav.tile() {
                report.warning("listing-group", place, || {
                    format!("group {id} of tile {} out of place", listing.id.tile())
                });
            }
            last = Some(id);
            let (Some(group), Some(seen)) = (groups.find(id), listed.get_mut(&id)) else {
                report.warning("listing-group", place, || format!("group {id} is not in the file"));
                continue;
            };
            let bounds = group.group.segment_chunk().bounds();
            for segment in listing.segments.iter().map(|segment| usize::from(segment.get())) {
                let (Some(bounds), Some(seen)) = (bounds.get(segment), seen.get_mut(segment)) else {
                    report.warning("listing-segment", place, || format!("segment #{id}.{segment} is none"));
                    continue;
                };
                *seen = seen.saturating_add(1);
                let ([_, low, _], [_, high, _]) = (bounds.min().quantised(), bounds.max().quantised());
                let [min, max] = heights;
                heights = [min.min((low >> 8) as u8), max.max((high >> 8) as u8)];
                let [columns, rows] = grid.touched(bounds);
                if !cell.is_some_and(|[column, row]| columns.contains(&column) && rows.contains(&row)) {
                    report
                        .warning("listing-extra", place, || format!("segment #{id}.{segment} is elsewhere"));
                }
            }
        }
        if bucket.count() > 0 && bucket.heights() != heights {
            report.warning("bucket-heights", place, || {
                format!("heights {:?}, those of its segments are {heights:?}", bucket.heights())
            });
        }
    }
    for group in groups.iter() {
        report.within(group.id());
        let chunk = group.group.segment_chunk();
        let seen = listed.get(&group.id()).map(Vec::as_slice).unwrap_or_default();
        for (index, (bounds, seen)) in chunk.bounds().iter().zip(seen).enumerate() {
            let [columns, rows] = grid.touched(bounds).map(|range| {
                range.end().checked_sub(*range.start()).map_or(0, |span| span.saturating_add(1))
            });
            let touched = columns.saturating_mul(rows);
            if *seen != touched {
                let place =
                    record("segment", index, chunk.segment_offset(index)).around(group.segment_point(index));
                report.warning("listing-missing", place, || {
                    format!("listed in {seen} buckets, its box touches {touched}")
                });
            }
        }
    }
    Ok(())
}

/// The grid in quanta.
struct Grid {
    /// Quanta of a bucket's side, along x, y, z.
    quanta: [u64; 3],
    /// Buckets along x and z.
    counts: [u32; 2],
}

impl Grid {
    fn cell(&self, index: usize) -> Option<[u64; 2]> {
        let [nx, _] = self.counts.map(u64::from);
        let index = index as u64;
        Some([index.checked_rem(nx)?, index.checked_div(nx)?])
    }

    /// Columns and rows that a box touches, borders included.
    fn touched(&self, bounds: &Bounds) -> [RangeInclusive<u64>; 2] {
        let ([x0, _, z0], [x1, _, z1]) = (bounds.min().quantised(), bounds.max().quantised());
        let [qx, _, qz] = self.quanta;
        let [nx, nz] = self.counts;
        let span = |low: u16, high: u16, quanta: u64, count: u32| {
            let first = u64::from(low).div_ceil(quanta.max(1)).saturating_sub(1);
            let last = u64::from(high).checked_div(quanta).unwrap_or(0);
            first..=last.min(u64::from(count).saturating_sub(1))
        };
        [span(x0, x1, qx, nx), span(z0, z1, qz, nz)]
    }
}
