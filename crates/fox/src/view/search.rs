//! NavSystem: the search space, a grid of buckets that list the segments in them. `docs/formats/fox.md`, section 8.

use super::stretch::{Stretch, out_of_range};
use crate::record::{Bucket, PackedId, SearchHeader};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use std::iter::FusedIterator;
use zerocopy::byteorder::little_endian::{U16, U32};

/// The search grid of one file. It finds the segments that may contain a point.
#[derive(Clone, Copy, Debug)]
pub struct SearchSpace<'a> {
    header: &'a SearchHeader,
    buckets: &'a [Bucket],
    at: Stretch<'a>,
}

impl<'a> SearchSpace<'a> {
    pub(crate) fn parse(at: Stretch<'a>) -> Result<Self> {
        let header: &SearchHeader = at.record(0, "NavSystem")?;
        let [nx, ny, nz] = header.counts().map(u64::from);
        let count = nx.checked_mul(ny).and_then(|n| n.checked_mul(nz)).unwrap_or(u64::MAX);
        let offset = u64::from(header.buckets_offset());
        let buckets = match usize::try_from(count) {
            Ok(count) => at.slice(offset, count, "buckets")?,
            Err(_) => return Err(at.after(offset, "buckets")?.cursor().overclaim("buckets", count)),
        };
        Ok(Self { header, buckets, at })
    }

    /// The head.
    pub fn header(&self) -> &'a SearchHeader {
        self.header
    }
    /// The buckets, in place: x runs fastest, then y (always one layer), then z.
    pub fn buckets(&self) -> &'a [Bucket] {
        self.buckets
    }
    /// Offset of the section in the file.
    pub fn offset(&self) -> u64 {
        self.at.base()
    }
    /// Offset in the file of a bucket's record.
    pub fn bucket_offset(&self, bucket: usize) -> u64 {
        self.at.absolute(self.bucket_at(bucket))
    }

    fn bucket_at(&self, bucket: usize) -> u64 {
        let record = (bucket as u64).saturating_mul(size_of::<Bucket>() as u64);
        u64::from(self.header.buckets_offset()).saturating_add(record)
    }

    /// The listings of bucket `index`, one for each group. In a damaged file buckets may share bytes, so a walk over all of them
    /// is only certain to be linear if [`NavFile::survey`](navmap_core::format::NavFile::survey) passes.
    ///
    /// # Errors
    /// If there is no such bucket, or its listings begin outside the file.
    pub fn listings(&self, index: usize) -> Result<Listings<'a>> {
        let Some(bucket) = self.buckets.get(index) else {
            return Err(out_of_range("bucket", index, self.buckets.len(), self.at.base()));
        };
        if bucket.count() == 0 {
            return Ok(Listings::new(self.at.cursor(), 0));
        }
        let offset = self.bucket_at(index).saturating_add(u64::from(bucket.offset()));
        let rest = self.at.after(offset, "listings").map_err(|e| e.in_record("bucket", index as u64))?;
        Ok(Listings::new(rest.cursor(), bucket.count()))
    }

    /// The bucket over a point in metres, at any y; `None` outside the grid.
    ///
    /// # Errors
    /// If the grid's side is 0.
    pub fn bucket_at_world(&self, x: f32, z: f32) -> Result<Option<usize>> {
        let side = self.header.side();
        if side == 0 {
            return Err(Error::invalid("bucket side", "it is 0").at(self.at.absolute(28)));
        }
        let [ox, _, oz] = self.header.origin();
        let [nx, _, nz] = self.header.counts();
        let cell = |at: f32, from: f32, cells: u32| {
            let cell = ((at - from) / side as f32).floor();
            (cell >= 0.0 && cell < cells as f32).then_some(cell as u64)
        };
        let (Some(column), Some(row)) = (cell(x, ox, nx), cell(z, oz, nz)) else { return Ok(None) };
        let index = row.checked_mul(u64::from(nx)).and_then(|first| first.checked_add(column));
        Ok(index.and_then(|i| usize::try_from(i).ok()).filter(|i| *i < self.buckets.len()))
    }
}

/// Segments of one group that a bucket lists.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// Group and tile.
    pub id: PackedId,
    /// The segments, ascending; in place.
    pub segments: &'a [U16],
}

/// The listings of one bucket of the search space.
#[derive(Clone, Debug)]
pub struct Listings<'a> {
    cursor: Cursor<'a>,
    left: u16,
}

impl<'a> Listings<'a> {
    fn new(cursor: Cursor<'a>, count: u16) -> Self {
        Self { cursor, left: count }
    }

    /// Offset in the file of the next listing.
    pub fn offset(&self) -> u64 {
        self.cursor.offset()
    }
}

impl<'a> Iterator for Listings<'a> {
    type Item = Result<Listing<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let mut read = || {
            let id: &PackedId = self.cursor.record("listing")?;
            let count = self.cursor.record::<U32>("listing")?.get();
            let segments: &[U16] =
                self.cursor.slice(usize::try_from(count).unwrap_or(usize::MAX), "listed segments")?;
            Ok(Listing { id: *id, segments })
        };
        let listing = read();
        if listing.is_err() {
            self.left = 0;
        }
        Some(listing)
    }
}

impl FusedIterator for Listings<'_> {}
