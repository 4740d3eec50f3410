//! Island graphs and search space. `docs/formats/fox.md`, sections 8 and 9.

use super::limit::{paired, within};
use super::out::{Out, align16, copy, copy_few};
use crate::buf::{IslandBuf, IslandGraphBuf, SearchBuf};
use crate::record::IslandNode;
use navmap_core::error::Result;
use zerocopy::IntoBytes;

impl IslandBuf {
    fn links_len(&self) -> usize {
        size_of_val(self.groups.as_slice())
            .saturating_add(size_of_val(self.inside.as_slice()))
            .saturating_add(size_of_val(self.tiles.as_slice()))
    }
}

impl IslandGraphBuf {
    /// The start of links, low nodes, segment counts, sides and infos, and the length.
    fn parts(&self) -> [usize; 6] {
        let n = self.islands.len();
        let bytes = self.islands.iter().fold(0, |sum: usize, island| sum.saturating_add(island.links_len()));
        let links = align16(n.saturating_mul(14).saturating_add(16));
        let low = align16(links.saturating_add(bytes));
        let segments = low.saturating_add(n.saturating_mul(8));
        let sides = segments.saturating_add(n << 1);
        let infos = sides.saturating_add(24);
        [links, low, segments, sides, infos, align16(infos.saturating_add(self.infos.len() << 2))]
    }

    pub(super) fn measure(&self) -> Result<usize> {
        for (index, island) in self.islands.iter().enumerate() {
            let counted = |what, list: usize, most| within(what, list, most);
            counted("links of an island", island.inside.len(), 255)
                .and_then(|_| counted("links of an island to groups", island.groups.len(), 255))
                .and_then(|_| counted("links of an island to tiles", island.tiles.len(), 65_535))
                .map_err(|error| error.in_record("island", index as u64))?;
        }
        let [.., len] = self.parts();
        within("bytes of an island graph", len, 65_535)
    }

    pub(super) fn write(&self, out: &mut Out<'_>) {
        let from = out.len();
        let [links, low, segments, sides, infos, len] = self.parts();
        let head = [len, 16, self.islands.len(), links, low, segments, sides, infos];
        head.iter().for_each(|v| out.u16(*v as u16));
        let mut offset = 0_usize;
        for island in &self.islands {
            let counts = [island.inside.len() as u8, island.groups.len() as u8];
            let tiles = island.tiles.len() as u16;
            let node = IslandNode::new(island.position, island.attribute, offset as u16, tiles, counts);
            out.raw(node.as_bytes());
            offset = offset.saturating_add(island.links_len());
        }
        out.align(16);
        for island in &self.islands {
            out.records(&island.groups);
            out.records(&island.inside);
            out.records(&island.tiles);
        }
        out.align(16);
        self.islands.iter().for_each(|island| out.raw(island.low.as_bytes()));
        self.islands.iter().for_each(|island| out.u16(island.segments));
        out.records(&self.sides);
        out.records(&self.infos);
        out.pad_to(from.saturating_add(len));
    }
}

impl SearchBuf {
    fn data_len(&self) -> usize {
        (self.listings.len() << 3).saturating_add(self.segments.len() << 1)
    }

    pub(super) fn measure(&self) -> Result<usize> {
        let [nx, ny, nz] = self.counts.map(u64::from);
        let cells = nx.checked_mul(ny).and_then(|n| n.checked_mul(nz)).unwrap_or(u64::MAX);
        paired("buckets", self.buckets.len(), usize::try_from(cells).unwrap_or(usize::MAX))?;
        let listed = self.buckets.iter().fold(0, |sum: usize, b| sum.saturating_add(usize::from(b.listings)));
        paired("listings", self.listings.len(), listed)?;
        let segments = self.listings.iter().fold(0, |sum: usize, l| sum.saturating_add(l.segments as usize));
        paired("listed segments", self.segments.len(), segments)?;
        let at = 48_usize.saturating_add(self.buckets.len() << 3);
        within("bytes of the search space", align16(at.saturating_add(self.data_len())), u32::MAX as usize)
    }

    pub(super) fn write(&self, out: &mut Out<'_>) {
        let entries = 48_usize.saturating_add(self.buckets.len() << 3);
        let len = align16(entries.saturating_add(self.data_len()));
        out.raw(self.origin.as_bytes());
        out.u16(self.y_range);
        out.u16(self.unknown_0x0e);
        self.counts.iter().for_each(|count| out.u32(*count));
        [self.side, self.height, 48, entries as u32, len as u32].iter().for_each(|v| out.u32(*v));
        let len = self.buckets.len() << 3;
        let Some((records, data)) = out.rest().split_at_mut_checked(len) else { return };
        let (mut listings, mut segments) = (self.listings.as_slice(), self.segments.as_bytes());
        let (mut left, mut at) = (len, 0_usize);
        for (record, bucket) in records.as_chunks_mut::<8>().0.iter_mut().zip(&self.buckets) {
            // An offset is relative to its own record.
            let offset = left.saturating_add(at);
            left = left.saturating_sub(8);
            let [low, high] = bucket.heights.map(u64::from);
            let word = u64::from(offset as u32) | u64::from(bucket.listings) << 32 | low << 48 | high << 56;
            *record = word.to_le_bytes();
            let (these, later) =
                listings.split_at_checked(usize::from(bucket.listings)).unwrap_or((listings, &[]));
            listings = later;
            for listing in these {
                let head = u64::from(listing.id.bits()) | u64::from(listing.segments) << 32;
                copy(data, at, &head.to_le_bytes());
                at = at.saturating_add(8);
                let len = (listing.segments as usize) << 1;
                copy_few(data, at, segments, len);
                segments = segments.get(len..).unwrap_or_default();
                at = at.saturating_add(len);
            }
        }
        // Clears the excess after the last one.
        data.get_mut(at..).into_iter().flatten().take(16).for_each(|byte| *byte = 0);
        out.skip(len.saturating_add(at));
        out.align(16);
    }
}
