//! The encoder.

use super::buf::{AasBuf, SettingsBuf};
use super::layout::{HEAD, veil};
use super::view::AasNav;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

impl AasBuf {
    /// The file as bytes. If no lump has changed its length, lumps stay where they were read, with the bytes between them.
    /// Otherwise they are written in order and without gaps, as the compiler does.
    ///
    /// # Errors
    /// If the counts of settings and areas differ, if settings are not in the layout's form, or if the file would be larger than
    /// 2 GiB.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let settings = match &self.settings {
            SettingsBuf::Plain(list) => (list.len(), false),
            SettingsBuf::Steep(list) => (list.len(), true),
        };
        if settings != (self.areas.len(), self.layout.steep) {
            let why =
                format!("{} of them for {} areas, or not in the layout's form", settings.0, self.areas.len());
            return Err(Error::invalid("settings", why));
        }
        match self.in_place() {
            Some(bytes) => Ok(bytes),
            None => self.in_order(),
        }
    }

    /// The lumps, as bytes.
    fn lumps(&self) -> [&[u8]; 14] {
        [
            self.boxes.as_bytes(),
            self.vertices.as_bytes(),
            self.planes.as_bytes(),
            self.edges.as_bytes(),
            self.edge_index.as_bytes(),
            self.faces.as_bytes(),
            self.face_index.as_bytes(),
            self.areas.as_bytes(),
            match &self.settings {
                SettingsBuf::Plain(list) => list.as_bytes(),
                SettingsBuf::Steep(list) => list.as_bytes(),
            },
            self.reachabilities.as_bytes(),
            self.nodes.as_bytes(),
            self.portals.as_bytes(),
            self.portal_index.as_bytes(),
            self.clusters.as_bytes(),
        ]
    }

    fn head(&self, table: &[[i32; 2]]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        let words = [self.version.cast_unsigned(), self.checksum].into_iter();
        let words =
            words.chain(table.iter().flatten().map(|word| word.cast_unsigned())).flat_map(u32::to_le_bytes);
        head.iter_mut().zip(b"EAAS".iter().copied().chain(words)).for_each(|(to, from)| *to = from);
        if self.layout.hidden {
            veil(&mut head);
        }
        head
    }

    /// The original file with the lumps replaced; `None` if they do not fit, or if lumps that share bytes now differ.
    fn in_place(&self) -> Option<Vec<u8>> {
        let before = AasNav::parse(&self.original).ok().filter(|nav| nav.layout() == self.layout)?;
        let table = before.header().lumps;
        if before.trailing() != self.trailing {
            return None;
        }
        let mut bytes = self.original.clone();
        for (lump, of) in self.lumps().into_iter().zip(table) {
            let there = bytes.get_mut(of.offset..of.end()).filter(|there| there.len() == lump.len())?;
            there.copy_from_slice(lump);
        }
        let word = |value: usize| i32::try_from(value).ok();
        let mut stored = [[0; 2]; 14];
        for (row, of) in stored.iter_mut().zip(table) {
            *row = [word(of.offset)?, word(of.len)?];
        }
        bytes.first_chunk_mut::<HEAD>()?.copy_from_slice(&self.head(&stored));
        let kept = |(lump, of): (&[u8], super::Lump)| bytes.get(of.offset..of.end()) == Some(lump);
        self.lumps().into_iter().zip(table).all(kept).then_some(bytes)
    }

    pub(super) fn in_order(&self) -> Result<Vec<u8>> {
        let mut table = [[0; 2]; 14];
        let mut end = HEAD;
        let large = |_| Error::invalid("lumps", "the file would be larger than 2 GiB");
        for (row, lump) in table.iter_mut().zip(self.lumps()) {
            *row = [i32::try_from(end).map_err(large)?, i32::try_from(lump.len()).map_err(large)?];
            end = end.saturating_add(lump.len());
        }
        i32::try_from(end).map_err(large)?;
        let mut bytes = Vec::with_capacity(end.saturating_add(self.trailing.len()));
        bytes.extend_from_slice(&self.head(&table));
        self.lumps().into_iter().for_each(|lump| bytes.extend_from_slice(lump));
        bytes.extend_from_slice(&self.trailing);
        Ok(bytes)
    }
}
