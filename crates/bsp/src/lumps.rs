//! The head of a map and its lumps.

use navmap_core::Limits;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::borrow::Cow;
use zerocopy::byteorder::little_endian::U32;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The engine of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Half-Life and Counter-Strike 1.6: version 30.
    GoldSrc,
    /// Source: `VBSP`, 17 to 21.
    Source,
}

/// Where a lump lies.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    offset: u32,
    len: u32,
    version: u32,
    /// The unpacked size of a packed lump; else 0.
    unpacked: u32,
}

/// The head of a lump packed with LZMA.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Packed {
    magic: [u8; 4],
    _unpacked: U32,
    /// The length of what follows the head.
    packed: U32,
    _properties: [u8; 5],
}

const MAGIC: [u8; 4] = *b"LZMA";
const _: () = assert!(size_of::<Packed>() == 17);

/// The lumps of a map, borrowed from its bytes.
#[derive(Clone, Debug)]
pub struct Lumps<'a> {
    parts: Parts<'a>,
    engine: Engine,
    version: u32,
    revision: i32,
}

/// The lumps of a map of any engine.
#[derive(Clone, Debug)]
pub(super) struct Parts<'a> {
    bytes: &'a [u8],
    spans: Vec<Span>,
}

const GOLD_LUMPS: usize = 15;
const SOURCE_LUMPS: usize = 64;
const QUAKE3_LUMPS: usize = 17;

/// The version of a map of Quake III, if these bytes begin as one of 46 or 47.
pub(super) fn quake3_version(bytes: &[u8]) -> Option<u32> {
    let version = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
    (bytes.starts_with(b"IBSP") && (46..=47).contains(&version)).then_some(version)
}

impl<'a> Parts<'a> {
    /// Reads the head of a map of Quake III. Touches no lump.
    ///
    /// # Errors
    /// If the bytes are no such map, or end within the head.
    pub(super) fn of_quake3(bytes: &'a [u8]) -> Result<Self> {
        if quake3_version(bytes).is_none() {
            return Err(Error::invalid("map", "no IBSP of version 46 or 47").at(0));
        }
        let mut head = Cursor::new(bytes, 0);
        head.record::<[U32; 2]>("BSP head")?;
        let mut spans = Vec::with_capacity(QUAKE3_LUMPS);
        for _ in 0..QUAKE3_LUMPS {
            let [offset, len] = head.record::<[U32; 2]>("BSP lumps")?.map(U32::get);
            spans.push(Span { offset, len, ..Span::default() });
        }
        Ok(Self { bytes, spans })
    }
}

impl<'a> Lumps<'a> {
    /// Reads the head of a map. Touches no lump.
    ///
    /// # Errors
    /// If the bytes are not a map of a supported version, or end within the head.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut head = Cursor::new(bytes, 0);
        let first = head.record::<U32>("BSP head")?.get();
        let (engine, version, count) = match first {
            30 => (Engine::GoldSrc, 30, GOLD_LUMPS),
            0x5053_4256 => (Engine::Source, head.record::<U32>("BSP head")?.get(), SOURCE_LUMPS),
            _ => return Err(Error::invalid("map", "neither BSP of version 30 nor VBSP").at(0)),
        };
        if engine == Engine::Source && !(17..=21).contains(&version) {
            let why = "VBSP is read from 17 to 21";
            return Err(Error::new(ErrorKind::Version {
                format: "VBSP",
                found: version,
                subversion: None,
                why,
            })
            .at(4));
        }
        let mut words = Vec::with_capacity(count);
        for _ in 0..count {
            let record: [u32; 4] = match engine {
                Engine::GoldSrc => {
                    let [offset, len] = head.record::<[U32; 2]>("BSP lumps")?.map(U32::get);
                    [offset, len, 0, 0]
                }
                Engine::Source => head.record::<[U32; 4]>("BSP lumps")?.map(U32::get),
            };
            words.push(record);
        }
        // Left 4 Dead 2 puts the version first, so its lumps seem to begin within the head.
        let swapped = engine == Engine::Source
            && version == 21
            && words.iter().all(|[a, b, ..]| *a < 8 || *b == 0)
            && words.iter().any(|[_, b, c, _]| *b >= 1036 && *c > 0);
        let span = |[a, b, c, d]: [u32; 4]| match swapped {
            true => Span { offset: b, len: c, version: a, unpacked: d },
            false => Span { offset: a, len: b, version: c, unpacked: d },
        };
        // A map that ends here has lumps beyond its end, which is told where they are read.
        let last = (engine == Engine::Source).then(|| head.record::<U32>("map revision").ok()).flatten();
        let revision = last.map_or(0, |revision| revision.get().cast_signed());
        let parts = Parts { bytes, spans: words.into_iter().map(span).collect() };
        Ok(Self { parts, engine, version, revision })
    }

    /// The map's engine.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// 30, or 17 to 21.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// How often the map was saved in its editor: the number at the end of its head, by which node graphs name it. 0 in GoldSrc.
    pub fn revision(&self) -> i32 {
        self.revision
    }

    /// How many bytes the file has.
    pub(super) fn len(&self) -> u64 {
        self.parts.bytes.len() as u64
    }

    /// The version of a lump; 0 in GoldSrc.
    pub fn lump_version(&self, number: usize) -> u32 {
        self.parts.spans.get(number).map_or(0, |span| span.version)
    }

    /// The bytes of a lump, unpacked if necessary. Empty if the map has no such lump.
    ///
    /// # Errors
    /// If the lump reaches beyond the end of the file, cannot be unpacked, or would be larger than `limits` allow.
    pub fn lump(&self, number: usize, limits: &Limits) -> Result<Cow<'a, [u8]>> {
        self.parts.lump(number, limits)
    }

    /// A game lump, which lies outside of the lumps, as it is unpacked: `len` bytes. One that is `packed` says in its head how long
    /// it is.
    ///
    /// # Errors
    /// Those of [`lump`](Self::lump).
    pub(super) fn game_lump(
        &self,
        offset: u32,
        len: u32,
        packed: bool,
        limits: &Limits,
    ) -> Result<Cow<'a, [u8]>> {
        let left = self.parts.bytes.get(offset as usize..).unwrap_or_default();
        let head = Packed::ref_from_prefix(left).ok().filter(|(head, _)| packed && head.magic == MAGIC);
        let stored = match head {
            Some((head, _)) => u64::from(head.packed.get()).saturating_add(size_of::<Packed>() as u64),
            None => len.into(),
        };
        let Some(lump) = usize::try_from(stored).ok().and_then(|stored| left.get(..stored)) else {
            return Err(Cursor::new(left, offset.into()).short("game lump", stored));
        };
        if head.is_none() {
            return Ok(Cow::Borrowed(lump));
        }
        let unpacked = self.parts.unpack("game lump", lump, len, limits);
        unpacked.map(Cow::Owned).map_err(|error| error.at(offset.into()))
    }

    /// A lump as records of fixed size.
    pub(super) fn records<T, R>(
        &self,
        number: usize,
        what: &'static str,
        limits: &Limits,
        make: impl FnMut(&T) -> Result<R>,
    ) -> Result<Vec<R>>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        self.parts.records(number, what, limits, make)
    }
}

impl<'a> Parts<'a> {
    /// The bytes of a lump, unpacked if necessary. Empty if the map has no such lump.
    ///
    /// # Errors
    /// If the lump reaches beyond the end of the file, cannot be unpacked, or would be larger than `limits` allow.
    pub(super) fn lump(&self, number: usize, limits: &Limits) -> Result<Cow<'a, [u8]>> {
        let Some(Span { offset, len, unpacked, .. }) = self.spans.get(number).copied() else {
            return Ok(Cow::Borrowed(&[]));
        };
        if len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let at = u64::from(offset);
        let within = |error: Error| error.at(at).in_record("lump", number as u64);
        let left = self.bytes.get(offset as usize..).unwrap_or_default();
        let Some(lump) = left.get(..len as usize) else {
            let left = left.len() as u64;
            return Err(within(Error::new(ErrorKind::Truncated {
                what: "BSP lump",
                needed: len.into(),
                left,
            })));
        };
        if unpacked == 0 || !lump.starts_with(&MAGIC) {
            return Ok(Cow::Borrowed(lump));
        }
        self.unpack("BSP lump", lump, unpacked, limits).map(Cow::Owned).map_err(within)
    }

    /// Unpacks a lump packed with LZMA, which the map says has this many bytes.
    fn unpack(&self, what: &'static str, lump: &[u8], size: u32, limits: &Limits) -> Result<Vec<u8>> {
        let size = u64::from(size);
        let allowed = limits.inflated_bytes.min(limits.held_of(self.bytes.len() as u64));
        Limits::charge("inflated lump", size, allowed)?;
        let out = navmap_archive::unpacked_lump(lump, size)?;
        if out.len() as u64 != size {
            let why = format!("unpacks to {} bytes, the map says {size}", out.len());
            return Err(Error::invalid(what, why));
        }
        Ok(out)
    }

    /// A lump as records of fixed size.
    pub(super) fn records<T, R>(
        &self,
        number: usize,
        what: &'static str,
        limits: &Limits,
        mut make: impl FnMut(&T) -> Result<R>,
    ) -> Result<Vec<R>>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let lump = self.lump(number, limits)?;
        let at = u64::from(self.spans.get(number).map_or(0, |span| span.offset));
        let Ok(records) = <[T]>::ref_from_bytes(&lump) else {
            let why = format!("{} bytes are no whole number of records of {}", lump.len(), size_of::<T>());
            return Err(Error::invalid(what, why).at(at).in_record("lump", number as u64));
        };
        let mut made = Vec::with_capacity(records.len());
        for (index, record) in records.iter().enumerate() {
            let offset = at.saturating_add((index as u64).saturating_mul(size_of::<T>() as u64));
            made.push(make(record).map_err(|error| error.at(offset).in_record(what, index as u64))?);
        }
        Ok(made)
    }
}
