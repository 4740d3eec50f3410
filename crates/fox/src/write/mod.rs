//! The encoder: writes an owned tile in the layout of the game's tools.
//!
//! Two passes: the first measures every section and checks it against its limits, the second writes. So a tile that does not fit
//! is never partly written. Source of the layout: `docs/formats/fox.md`, sections 2 to 9 and 17.

mod group;
mod limit;
mod out;
mod whole;

use super::buf::{FoxBuf, GroupBuf};
use super::flags::EntryKind;
use super::record::PackedId;
use limit::within;
pub(super) use limit::{FACES, SEGMENTS};
use navmap_core::error::Result;
use out::{Out, align16};
use zerocopy::IntoBytes;

/// Length of the header with the opaque id. The manifest follows it.
const HEAD: usize = 0x60;
/// Length of an entry's head.
const ENTRY_HEAD: usize = 16;
/// The kinds listed in the manifest, in order.
const LISTED: [EntryKind; 3] = [EntryKind::NavWorld, EntryKind::SegmentGraph, EntryKind::NavmeshChunk];

/// The planned location of an entry.
#[derive(Clone, Copy, Debug)]
struct Planned {
    kind: EntryKind,
    id: PackedId,
    at: usize,
    len: usize,
}

impl FoxBuf {
    /// The file as bytes. A tile with the same values as the file it was read from gives that file, whatever its layout;
    /// otherwise the layout is that of the game's tools.
    ///
    /// # Errors
    /// If something exceeds the field that stores or addresses it: more than 4,095 segments, 16,383 faces, 65,535 vertices, nodes
    /// or edges in a group, 128 KiB of node links, 2 MiB of coarse links, 512 KiB of face records, an entry of 16 MiB, an island
    /// graph of 64 KiB. Also if corresponding lists differ in length. `docs/formats/fox.md`, section 13.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes)?;
        Ok(bytes)
    }

    /// Like [`encode`](Self::encode), into a reused buffer. Its old content is lost; on an error it is empty.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode).
    pub fn encode_into(&self, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        if let Some(before) = self.verbatim()
            && Self::from_bytes(before).is_ok_and(|file| file.same_values(self))
        {
            bytes.extend_from_slice(before);
            return Ok(());
        }
        self.write(bytes)
    }

    /// The bytes of the file in the layout of the game's tools, whatever file this was read from.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode).
    pub fn encode_canonical(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&self, bytes: &mut Vec<u8>) -> Result<()> {
        let count = self.groups.len();
        within("groups", count, super::view::MOST_ENTRIES as usize >> 2)?;
        let manifest = count.saturating_mul(36).saturating_add(4);
        let first = align16(HEAD.saturating_add(manifest));
        self.groups.iter().for_each(GroupBuf::warm);
        let mut plan = Vec::with_capacity(count.saturating_mul(4));
        let mut at = first;
        for kind in EntryKind::ALL {
            for group in &self.groups {
                let payload = group.measure(kind);
                let payload = payload.map_err(|e| e.in_record("group", u64::from(group.id.index())))?;
                let len = align16(payload.saturating_add(ENTRY_HEAD));
                within("bytes of an entry", len, (1 << 24) - 1)
                    .map_err(|e| e.in_record("group", u64::from(group.id.index())))?;
                plan.push(Planned { kind, id: group.id, at, len });
                at = at.saturating_add(len);
            }
        }
        let islands = at;
        within("island graphs", self.islands.len(), 255)?;
        for (index, graph) in self.islands.iter().enumerate() {
            let len = graph.measure().map_err(|e| e.in_record("island graph", index as u64))?;
            at = at.saturating_add(len);
        }
        let connect = at;
        at = at.saturating_add(align16(self.connect.len()));
        let search = at;
        if let Some(space) = &self.search {
            at = at.saturating_add(space.measure()?);
        }
        let size = within("bytes of the file", at, u32::MAX as usize)?;

        let mut out = Out::new(bytes, size);
        self.write_head(&mut out, size, first, manifest, [islands, connect, search]);
        out.u32(count as u32);
        for kind in LISTED {
            for entry in plan.iter().filter(|entry| entry.kind == kind) {
                out.u32(entry.id.bits());
                out.u32(entry.at.saturating_add(ENTRY_HEAD) as u32);
                out.u32(kind.code() | (entry.len as u32) << 8);
            }
        }
        out.align(16);
        let mut entries = plan.iter();
        for kind in EntryKind::ALL {
            for (group, entry) in self.groups.iter().zip(&mut entries) {
                out.u32(kind.code());
                out.u32(entry.len as u32);
                out.u32(ENTRY_HEAD as u32);
                out.u32(group.id.bits());
                group.write(kind, entry.len.saturating_sub(ENTRY_HEAD), &mut out);
                out.pad_to(entry.at.saturating_add(entry.len));
            }
        }
        for graph in &self.islands {
            graph.write(&mut out);
        }
        out.raw(&self.connect);
        out.align(16);
        if let Some(space) = &self.search {
            space.write(&mut out);
        }
        debug_assert_eq!(out.len(), size, "what was measured was written");
        Ok(())
    }

    fn write_head(&self, out: &mut Out<'_>, size: usize, first: usize, manifest: usize, rest: [usize; 3]) {
        let head = &self.head;
        let [islands, connect, search] = rest;
        let [a, b, c, d, e, f] = head.unknown;
        let there = |yes: bool, at: usize| if yes { at as u32 } else { 0 };
        out.u32(head.version);
        out.u32(size as u32);
        out.u32(first as u32);
        out.u32((self.groups.len() as u32) << 2);
        out.u32(there(self.search.is_some(), search));
        out.u32(head.id.bits());
        out.u32(there(!self.islands.is_empty(), islands));
        out.u32(a);
        out.raw(head.origin.as_bytes());
        out.u32(there(!self.connect.is_empty(), connect));
        out.u32(b);
        out.u32(HEAD as u32);
        out.u32(manifest as u32);
        out.u32(c);
        out.u32(d);
        head.divisors.iter().for_each(|divisor| out.u16(*divisor));
        out.u16(head.weight_divisor);
        out.raw(&[head.features, self.islands.len() as u8, e as u8, f as u8]);
        out.raw(&head.opaque);
    }
}
