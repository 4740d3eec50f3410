//! The numbered parts beside the directory of a VPK.

use navmap_core::Limits;
use navmap_core::bytes::{Backing, Opener};
use navmap_core::error::{Error, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The source of the parts' bytes. Called from several threads.
pub trait Parts: Sync + std::fmt::Debug {
    /// Length of a part.
    ///
    /// # Errors
    /// If it is missing.
    fn len(&self, part: u16) -> Result<u64>;

    /// Bytes of all parts that were asked for so far: they are as much of the archive as its directory is.
    fn bytes(&self) -> u64;

    /// A whole part, if it lies in memory; `None` if it has to be read.
    ///
    /// # Errors
    /// If it is missing.
    fn view(&self, part: u16) -> Result<Option<&[u8]>>;

    /// Reads `into.len()` bytes from `offset` of a part.
    ///
    /// # Errors
    /// If the part is missing or shorter.
    fn read(&self, part: u16, offset: u64, into: &mut [u8]) -> Result<()>;
}

/// Parts as files beside the directory: `pak01_003.vpk` beside `pak01_dir.vpk`. Each is opened when a member first needs it. It
/// is mapped if `opener` allows that, else only the bytes of the member are read.
#[derive(Debug)]
pub struct PartFiles {
    /// Path of the directory without `_dir.vpk`.
    base: OsString,
    opener: Opener,
    /// Rows of [`ROW`] parts, allocated on demand: a directory may name 32,767 parts.
    rows: [OnceLock<Box<[OnceLock<Part>]>>; ROWS],
    bytes: AtomicU64,
}

const ROW: usize = 256;
const ROWS: usize = 128;

#[derive(Debug)]
enum Part {
    Mapped(Backing<'static>),
    Readable { len: u64 },
    Missing(String),
}

impl PartFiles {
    /// The parts of the VPK whose directory file is `directory`. Opens nothing yet.
    pub fn beside(directory: &Path, opener: Opener) -> Self {
        let stem = directory.file_stem().unwrap_or_default();
        let stem = stem.to_str().and_then(|s| s.strip_suffix("_dir")).map_or(stem, OsStr::new);
        let base = directory.with_file_name(stem).into_os_string();
        Self { base, opener, rows: [const { OnceLock::new() }; ROWS], bytes: AtomicU64::new(0) }
    }

    /// Path of a part.
    pub fn path(&self, part: u16) -> PathBuf {
        let mut path = self.base.clone();
        path.push(format!("_{part:03}.vpk"));
        path.into()
    }

    /// Checks that every byte handed out so far came from the parts: see [`Backing::intact`].
    ///
    /// # Errors
    /// That of the first part that was truncated while mapped.
    pub fn intact(&self) -> Result<()> {
        let parts = self.rows.iter().filter_map(OnceLock::get).flatten().filter_map(OnceLock::get);
        parts.into_iter().try_for_each(|part| match part {
            Part::Mapped(map) => map.intact(),
            Part::Readable { .. } | Part::Missing(_) => Ok(()),
        })
    }

    fn part(&self, part: u16) -> Result<&Part> {
        let (row, column) = (usize::from(part) / ROW, usize::from(part) % ROW);
        let row =
            self.rows.get(row).map(|row| row.get_or_init(|| (0..ROW).map(|_| OnceLock::new()).collect()));
        match row.and_then(|row| row.get(column)).map(|slot| slot.get_or_init(|| self.open(part))) {
            Some(Part::Missing(why)) => Err(Error::invalid("VPK part", why.clone())),
            Some(found) => Ok(found),
            None => Err(Error::invalid("VPK part", format!("{part} is no number of a part"))),
        }
    }

    fn open(&self, part: u16) -> Part {
        let path = self.path(part);
        let name = path.file_name().unwrap_or_default().display();
        let len = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            Ok(_) => return Part::Missing(format!("{name} is no file")),
            Err(error) => return Part::Missing(format!("{name}: {error}")),
        };
        self.bytes.fetch_add(len, Relaxed);
        if self.opener.mode.maps(len) {
            // A part is mapped or read piecewise, never read whole: parts are 100 to 200 MB.
            let mut limits = Limits::default();
            limits.file_bytes = 0;
            if let Ok(backing) = self.opener.open(&path, &limits) {
                return Part::Mapped(backing);
            }
        }
        Part::Readable { len }
    }
}

impl Parts for PartFiles {
    fn len(&self, part: u16) -> Result<u64> {
        Ok(match self.part(part)? {
            Part::Mapped(map) => map.len() as u64,
            Part::Readable { len } => *len,
            Part::Missing(_) => 0,
        })
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    fn view(&self, part: u16) -> Result<Option<&[u8]>> {
        Ok(match self.part(part)? {
            Part::Mapped(map) => Some(map),
            Part::Readable { .. } | Part::Missing(_) => None,
        })
    }

    fn read(&self, part: u16, offset: u64, into: &mut [u8]) -> Result<()> {
        let path = self.path(part);
        let mut read = || {
            let mut file = File::open(&path)?;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(into)
        };
        read().map_err(|error| {
            let name = path.file_name().unwrap_or_default().display();
            Error::invalid("VPK part", format!("{name}: {error}")).at(offset)
        })
    }
}
