//! ZIP and formats based on it: PK3, KPF, `.mgsv`, the pak lump of a BSP. `rawzip` reads the directory.

use super::member::Location;
use super::{Entry, Member, Method, Name};
use navmap_core::error::{Error, Result};
use navmap_core::text::counted;
use rawzip::{ZipLocator, ZipSliceArchive, ZipSliceEntries};
use std::ops::Range;

/// The directory of a ZIP that may lie inside a larger file.
#[derive(Debug)]
pub(super) struct Directory<'a> {
    zip: ZipSliceArchive<&'a [u8]>,
    /// The offset of the ZIP in its file.
    base: u64,
}

impl<'a> Directory<'a> {
    /// Finds the end record, and reads nothing else yet.
    pub(super) fn open(bytes: &'a [u8], base: u64) -> Result<Self> {
        let zip = ZipLocator::new().locate_in_slice(bytes).map_err(|(_, error)| {
            Error::invalid("ZIP directory", error.to_string()).at(base.saturating_add(bytes.len() as u64))
        })?;
        // If a truncated ZIP holds a stored ZIP, the only end record is the inner one. The outer data continues after it.
        let end = zip.end_offset();
        let rest = usize::try_from(end).ok().and_then(|end| bytes.get(end..)).unwrap_or_default();
        if rest.starts_with(b"PK") {
            let why = "is cut short: the end record found belongs to an archive inside it";
            return Err(Error::invalid("ZIP directory", why).at(base.saturating_add(end)));
        }
        Ok(Self { zip, base })
    }

    /// The range of the records and the end record.
    pub(super) fn place(&self) -> Range<u64> {
        let at = |offset| self.base.saturating_add(offset);
        at(self.zip.directory_offset())..at(self.zip.end_offset())
    }

    pub(super) fn members(&self) -> Members<'_> {
        Members {
            entries: self.zip.entries(),
            base: self.base,
            directory: self.base.saturating_add(self.zip.directory_offset()),
            index: 0,
            left: self.zip.entries_hint(),
        }
    }
}

/// A lazy walk over the directory, without folders. Local headers are not touched.
#[derive(Debug, Clone)]
pub(super) struct Members<'s> {
    entries: ZipSliceEntries<'s>,
    base: u64,
    directory: u64,
    index: u64,
    /// Promised records that have not come yet.
    left: u64,
}

impl<'s> Iterator for Members<'s> {
    type Item = Result<Member<'s>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let index = self.index;
            let header = match self.entries.next_entry() {
                Ok(Some(header)) => header,
                Ok(None) if self.left > 0 => {
                    let why = format!(
                        "ends {} before the number it declares",
                        counted(self.left, "record", "records")
                    );
                    self.left = 0;
                    return Some(Err(Error::invalid("ZIP directory", why).at(self.directory)));
                }
                Ok(None) => return None,
                Err(error) => {
                    self.left = 0;
                    let error = Error::invalid("ZIP directory", error.to_string());
                    return Some(Err(error.in_record("member", index).at(self.directory)));
                }
            };
            self.index = self.index.saturating_add(1);
            self.left = self.left.saturating_sub(1);
            if header.is_dir() {
                continue;
            }
            let method = match header.compression_method().as_u16() {
                _ if header.flags().is_encrypted() => Method::Encrypted,
                0 => Method::Stored,
                8 => Method::Deflate,
                12 => Method::Bzip2,
                14 => Method::Lzma,
                93 => Method::Zstd,
                95 => Method::Xz,
                other => Method::Other(other),
            };
            let packed = header.compressed_size_hint();
            let stored = method == Method::Stored;
            return Some(Ok(Member {
                name: Name::Whole(header.file_path().as_bytes()),
                entry: Entry {
                    index,
                    size: if stored { packed } else { header.uncompressed_size_hint() },
                    packed,
                    method,
                    place: Location::Local(self.base.saturating_add(header.local_header_offset())),
                    crc: Some(header.crc32()),
                },
            }));
        }
    }
}
