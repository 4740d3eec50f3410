//! The source of a file's bytes: a map, a buffer, or the caller.

use super::map;
use super::page::PageBuf;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::Deref;
use std::path::Path;

/// The choice between mapping and reading a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Files of [`Mode::CROSSOVER`] bytes and more are mapped, smaller ones are read.
    #[default]
    Auto,
    /// Every file is mapped if the system can.
    Always,
    /// No file is mapped.
    Never,
}

impl Mode {
    /// Size from which mapping beats reading into a reused page-aligned buffer (bench `backing`).
    pub const CROSSOVER: u64 = 4 << 20;

    /// Whether to map a file of this size. An empty file cannot be mapped.
    pub fn maps(self, len: u64) -> bool {
        match self {
            Self::Auto => len >= Self::CROSSOVER,
            Self::Always => len > 0,
            Self::Never => false,
        }
    }
}

/// The bytes of one file. Dereferences to `[u8]`.
///
/// ```
/// use navmap::bytes::Backing;
///
/// let bytes = Backing::snapshot("Cargo.toml")?;
/// assert!(bytes.starts_with(b"[package]") && !bytes.is_mapped());
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct Backing<'a>(Kind<'a>);

#[derive(Debug)]
enum Kind<'a> {
    Mapped(map::Map),
    Snapshot(PageBuf),
    Kept(Keeper),
    Borrowed(&'a [u8]),
}

/// The owner of bytes that are lent to a backing.
struct Keeper(Box<dyn AsRef<[u8]> + Send + Sync>);

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").field("len", &(*self.0).as_ref().len()).finish()
    }
}

impl<'a> Backing<'a> {
    /// Reads the file once into memory. Later changes to the file do not matter, which makes this the right choice for a server.
    /// Works for anything that can be read to an end, pipes included.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), or [`Limit`](crate::ErrorKind::Limit) over [`Limits::file_bytes`]. Names the file.
    pub fn snapshot(path: impl AsRef<Path>) -> Result<Backing<'static>> {
        Opener::reading().open(path, &Limits::default())
    }

    /// Takes bytes that the caller owns.
    pub fn owned(bytes: Vec<u8>) -> Backing<'static> {
        Backing(Kind::Snapshot(bytes.into()))
    }

    /// Takes bytes that another value owns, such as an object of another language, and keeps that value alive. Its [`AsRef`]
    /// should return the same bytes on each call.
    ///
    /// ```
    /// use navmap::bytes::Backing;
    ///
    /// let bytes = Backing::from_owner(String::from("NAV2"));
    /// assert!(bytes.starts_with(b"NAV2") && !bytes.is_mapped());
    /// ```
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Backing<'static> {
        Backing(Kind::Kept(Keeper(Box::new(owner))))
    }

    /// Borrows bytes that the caller owns.
    pub fn borrowed(bytes: &'a [u8]) -> Self {
        Self(Kind::Borrowed(bytes))
    }

    /// Whether the bytes are a map of the file.
    pub fn is_mapped(&self) -> bool {
        match &self.0 {
            Kind::Mapped(_) => true,
            Kind::Snapshot(_) | Kind::Kept(_) | Kind::Borrowed(_) => false,
        }
    }

    /// Checks that every byte handed out so far came from the file. Call it after the work, and discard the result if it returns
    /// an error.
    ///
    /// Snapshots and borrowed bytes are always intact, and so is a map that a caller [vouches](Mapping) for. For a guarded map,
    /// as the command line makes them, the file is examined again:
    ///
    /// - A file that has become shorter, even by a byte, is an error: the missing bytes read as zeros.
    /// - A file that has become longer or has another modification time is an error too: the bytes may mix the old and the new
    ///   content. This includes a file that was only touched.
    ///
    /// A file that is *replaced* (another one renamed over it) stays intact: the map still holds the old one. Two writes within
    /// one tick of the file system's clock (1 to 10 ms on Linux) have the same modification time, so a write that keeps the
    /// length can go unseen right after another one. Costs one system call.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) of kind `UnexpectedEof`: truncated while mapped; of kind `InvalidData`: written to
    /// while mapped.
    pub fn intact(&self) -> Result<()> {
        match &self.0 {
            Kind::Mapped(map) => Ok(map.intact()?),
            Kind::Snapshot(_) | Kind::Kept(_) | Kind::Borrowed(_) => Ok(()),
        }
    }
}

impl Deref for Backing<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Kind::Mapped(map) => map.as_slice(),
            Kind::Snapshot(buffer) => buffer.as_slice(),
            Kind::Kept(keeper) => (*keeper.0).as_ref(),
            Kind::Borrowed(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Backing<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// Permission to map files, given by someone who vouches for them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mapping(pub(super) Voucher);

#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Voucher {
    #[default]
    None,
    Caller(map::Trust),
    #[cfg(target_os = "linux")]
    Guard(map::Guard),
}

impl Mapping {
    /// Nobody vouches, so files are read instead.
    pub const fn forbidden() -> Self {
        Self(Voucher::None)
    }

    /// The process protects itself: from now on a missing page of a truncated file reads as zeros, and [`Backing::intact`]
    /// reports it. Installs a handler for SIGBUS, which is why only the command line may ask. The same as `forbidden` on
    /// platforms without the guard.
    #[doc(hidden)]
    pub fn guarded() -> Self {
        #[cfg(target_os = "linux")]
        if let Some(guard) = map::Guard::install() {
            return Self(Voucher::Guard(guard));
        }
        Self::forbidden()
    }

    /// Maps the file, if that is permitted and the system can map it.
    fn map(self, file: &File) -> Option<map::Map> {
        match self.0 {
            Voucher::None => None,
            Voucher::Caller(trust) => map::Map::trusted(file, trust),
            #[cfg(target_os = "linux")]
            Voucher::Guard(guard) => map::Map::guarded(file, guard),
        }
    }
}

/// The way to open files: when to map, and with whose permission.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opener {
    /// When to map.
    pub mode: Mode,
    /// Whether mapping is allowed at all.
    pub mapping: Mapping,
}

impl Opener {
    /// Reads every file.
    pub fn reading() -> Self {
        Self { mode: Mode::Never, mapping: Mapping::forbidden() }
    }

    /// Opens a file into bytes of its own. `limits` bound what is read into memory.
    ///
    /// # Errors
    /// Those of [`Backing::snapshot`].
    pub fn open(&self, path: impl AsRef<Path>, limits: &Limits) -> Result<Backing<'static>> {
        let path = path.as_ref();
        let mut buffer = PageBuf::default();
        let kind = match self.open_into(path, &mut buffer, limits).map_err(|e| e.in_file(path))? {
            Some(map) => Kind::Mapped(map),
            _ => Kind::Snapshot(buffer),
        };
        Ok(Backing(kind))
    }

    fn open_into(&self, path: &Path, buffer: &mut PageBuf, limits: &Limits) -> Result<Option<map::Map>> {
        let (file, len) = open(path)?;
        if self.mode.maps(len)
            && let Some(map) = self.mapping.map(&file)
        {
            return Ok(Some(map));
        }
        buffer.fill(file, len, limits).map(|()| None)
    }
}

fn open(path: &Path) -> Result<(File, u64)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(of_folder(io::Error::from(io::ErrorKind::IsADirectory).into()));
    }
    Ok((file, if metadata.is_file() { metadata.len() } else { 0 }))
}

/// What the system says of a folder, in our words.
fn of_folder(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Io(io) if io.kind() == io::ErrorKind::IsADirectory => {
            Error::from(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file"))
        }
        _ => error,
    }
}

/// Opens files one after another into one reused buffer. Each worker of a scan has one. Memory use is that of the largest file
/// read.
#[derive(Debug, Default)]
pub struct BackingPool {
    opener: Opener,
    limits: Limits,
    buffer: PageBuf,
}

impl BackingPool {
    /// Opens as `opener` says. `limits` bound what is read into memory.
    pub fn new(opener: Opener, limits: Limits) -> Self {
        Self { opener, limits, buffer: PageBuf::default() }
    }

    /// How it opens.
    pub fn opener(&self) -> &Opener {
        &self.opener
    }

    /// Opens a file; the bytes are lent until the next call.
    ///
    /// # Errors
    /// Those of [`Backing::snapshot`].
    pub fn open(&mut self, path: impl AsRef<Path>) -> Result<Backing<'_>> {
        let path = path.as_ref();
        Ok(
            match self.opener.open_into(path, &mut self.buffer, &self.limits).map_err(|e| e.in_file(path))? {
                Some(map) => Backing(Kind::Mapped(map)),
                _ => Backing::borrowed(self.buffer.as_slice()),
            },
        )
    }

    /// Reads the first `most` bytes of a file. Returns them and the length of the whole file.
    ///
    /// # Errors
    /// Those of [`Backing::snapshot`].
    pub fn open_head(&mut self, path: impl AsRef<Path>, most: usize) -> Result<(&[u8], u64)> {
        let path = path.as_ref();
        let len = self.fill_head(path, most).map_err(|error| error.in_file(path))?;
        Ok((self.buffer.as_slice(), len))
    }

    fn fill_head(&mut self, path: &Path, most: usize) -> Result<u64> {
        let mut file = File::open(path)?;
        let ended = self.buffer.fill_head(&file, most).map_err(of_folder)?;
        let read = self.buffer.as_slice().len() as u64;
        // Where the file ends is asked only of one that goes on. What has no end, as a pipe, is as long as what was read.
        let len = if ended { 0 } else { file.seek(SeekFrom::End(0)).unwrap_or(0) };
        Ok(len.max(read))
    }
}
