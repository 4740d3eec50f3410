//! Decoders, and the single buffer they write to.

use super::lzma::{self, MOST_DICTIONARY};
use super::meter::{BZIP2_STREAM, Bound};
use super::roomy::{Ahead, Roomy};
use super::{Entry, Meter, Method};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use navmap_core::bytes::{Cursor, room};
use navmap_core::error::{Error, ErrorKind, Result};
use std::io::{self, Read};
use std::ops::Range;

const WHAT: &str = "compressed data";

/// Decoder state and output buffer of a worker, reused from member to member, so that memory use is that of the largest member.
/// Borrowed bytes are valid until the next use.
///
/// Archives in archives need one per level: the outer one holds the bytes of the inner archive.
#[derive(Default)]
pub struct Unpacker {
    /// Zero-initialised up to its largest use; the first `len` bytes are valid.
    out: Vec<u8>,
    len: usize,
    deflate: Option<Decompress>,
}

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacker").field("capacity", &self.out.len()).finish_non_exhaustive()
    }
}

impl Unpacker {
    /// Empty. The first members allocate.
    pub fn new() -> Self {
        Self::default()
    }

    fn bytes(&self) -> &[u8] {
        self.out.get(..self.len).unwrap_or_default()
    }

    /// The bytes at these addresses, if they are among those that were unpacked last. Nothing of what else was unpacked is kept.
    #[doc(hidden)]
    pub fn take(&mut self, lent: &Range<*const u8>) -> Option<Vec<u8>> {
        let all = self.bytes().as_ptr_range();
        if lent.start < all.start || lent.end > all.end {
            return None;
        }
        let from = (lent.start as usize).checked_sub(all.start as usize)?;
        let len = (lent.end as usize).checked_sub(lent.start as usize)?;
        self.len = 0;
        let mut out = std::mem::take(&mut self.out);
        // In place: another copy would be as large.
        out.truncate(from.saturating_add(len));
        out.drain(..from.min(out.len()));
        out.shrink_to_fit();
        Some(out)
    }

    /// Joins two pieces; `fill` gets the space for the second.
    pub(super) fn join(
        &mut self,
        head: &[u8],
        rest: u64,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<&[u8]> {
        let rest = usize::try_from(rest).map_err(|_| Error::invalid("member", "larger than memory"))?;
        self.len = 0;
        self.grow(head.len().saturating_add(rest))?;
        let whole = self.out.get_mut(..head.len().saturating_add(rest)).unwrap_or_default();
        let (first, second) = whole.split_at_mut_checked(head.len()).unwrap_or_default();
        first.copy_from_slice(head);
        fill(second)?;
        self.len = head.len().saturating_add(rest);
        Ok(self.bytes())
    }

    /// Inflates a member of known size, and checks size and checksum against the declared ones.
    pub(super) fn inflate(&mut self, entry: &Entry, packed: &[u8], meter: &Meter) -> Result<&[u8]> {
        // A claim over a limit is refused at once. The actual bytes are counted as they come.
        meter.bound().charge(entry.size)?;
        meter.spend(packed.len() as u64)?;
        let decoded = self.decode(entry, packed, entry.size, true, meter);
        // Bytes produced before an error count too.
        meter.spend(self.len as u64)?;
        decoded?;
        if let Some(declared) = entry.crc {
            let mut crc = Crc::new();
            crc.update(self.bytes());
            if crc.sum() != declared {
                let why = format!("checksum is {:08x}, {declared:08x} was declared", crc.sum());
                return Err(Error::invalid(WHAT, why));
            }
        }
        Ok(self.bytes())
    }

    /// Inflates the first bytes of a member.
    pub(super) fn inflate_head(
        &mut self,
        entry: &Entry,
        packed: &[u8],
        most: usize,
        meter: &Meter,
    ) -> Result<&[u8]> {
        // The largest block of any method fits. A method that needs more for its first bytes yields none.
        let packed = packed.get(..MOST_FOR_HEAD).unwrap_or(packed);
        meter.spend(packed.len() as u64)?;
        self.decode(entry, packed, entry.size.min(most as u64), false, meter)?;
        Ok(self.bytes())
    }

    /// Decodes `size` bytes. With `whole`, the stream has to end there.
    fn decode(&mut self, entry: &Entry, packed: &[u8], size: u64, whole: bool, meter: &Meter) -> Result<()> {
        self.len = 0;
        match entry.method {
            Method::Deflate => {
                let mut state = match self.deflate.take() {
                    Some(state) => state,
                    None => {
                        room(WHAT, INFLATER)?;
                        Decompress::new(false)
                    }
                };
                state.reset(false);
                let result = self.fill(&mut Deflate { state: &mut state, rest: packed }, size, whole);
                self.deflate = Some(state);
                result
            }
            Method::Lzma => self.fill(&mut lzma::of_zip(packed, entry.size)?, size, whole),
            Method::ValveLzma => self.fill(&mut lzma::of_lump(packed)?, size, whole),
            Method::Bzip2 => self.fill(&mut stream(Method::Bzip2, packed, meter)?, size, whole),
            Method::Xz => self.fill(&mut stream(Method::Xz, packed, meter)?, size, whole),
            Method::Zstd => self.fill(&mut stream(Method::Zstd, packed, meter)?, size, whole),
            Method::Encrypted => Err(Error::invalid("member", "is encrypted")),
            Method::Stored | Method::Other(_) => {
                Err(Error::invalid("member", format!("packed by {}, which is not read", entry.method)))
            }
        }
    }

    /// Reads exactly `size` bytes. The claim sets the goal, but the buffer grows only with the bytes that arrive.
    fn fill(&mut self, source: &mut dyn Read, size: u64, whole: bool) -> Result<()> {
        let size = usize::try_from(size).map_err(|_| Error::invalid(WHAT, "larger than memory"))?;
        self.len = 0;
        while self.len < size {
            let read = self.more(source, size)?;
            if read == 0 {
                let why = format!("ends early: {} of {size} bytes", self.len);
                return Err(Error::invalid(WHAT, why));
            }
        }
        // Reading past the end also makes a decoder check its trailer.
        if whole && read_some(source, &mut [0])? != 0 {
            return Err(Error::invalid(WHAT, format!("inflates to more than the {size} bytes declared")));
        }
        Ok(())
    }

    /// Takes `size` bytes from a stream that continues after them.
    pub(super) fn take_exactly(&mut self, source: &mut dyn Read, size: u64) -> Result<&[u8]> {
        self.fill(source, size, false)?;
        Ok(self.bytes())
    }

    /// Reads a stream of unknown size to its end.
    pub(super) fn drain(&mut self, source: &mut dyn Read, bound: Bound) -> Result<&[u8]> {
        self.len = 0;
        let most = usize::try_from(bound.most).unwrap_or(usize::MAX);
        // One byte more than allowed proves that there is more.
        while self.more(source, most.saturating_add(1))? != 0 {
            bound.charge(self.len as u64)?;
        }
        Ok(self.bytes())
    }

    /// Reads once into the buffer, which grows towards `goal` as bytes arrive. Returns 0 at the end of the stream.
    fn more(&mut self, source: &mut dyn Read, goal: usize) -> Result<usize> {
        const STEP: usize = 64 << 10;
        if self.len == self.out.len() {
            self.grow(self.len.saturating_mul(2).max(STEP).min(goal))?;
        }
        let end = self.out.len().min(goal);
        let read = read_some(source, self.out.get_mut(self.len..end).unwrap_or_default())?;
        self.len = self.len.saturating_add(read);
        Ok(read)
    }

    fn grow(&mut self, len: usize) -> Result<()> {
        let more = len.saturating_sub(self.out.len());
        self.out
            .try_reserve_exact(more)
            .map_err(|_| Error::invalid("member", format!("{len} bytes do not fit into memory")))?;
        room("member", 0)?;
        self.out.resize(self.out.len().max(len), 0);
        Ok(())
    }
}

pub(super) fn read_some(source: &mut dyn Read, into: &mut [u8]) -> Result<usize> {
    loop {
        match source.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A limit or a failed allocation inside a decoder comes back as itself.
            Err(error) => return Err(error.downcast::<Error>().unwrap_or_else(|error| damaged(&error))),
            Ok(read) => return Ok(read),
        }
    }
}

/// The error of a decoder. Its input is in memory, so the data is damaged, not the disk.
#[cold]
pub(super) fn damaged(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Invalid { what: WHAT, why: error.to_string() })
}

/// Raw deflate as a reader, over reused state.
struct Deflate<'a, 'p> {
    state: &'a mut Decompress,
    rest: &'p [u8],
}

impl Read for Deflate<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let (before_in, before_out) = (self.state.total_in(), self.state.total_out());
        let status = self.state.decompress(self.rest, into, FlushDecompress::Finish)?;
        let taken = self.state.total_in().saturating_sub(before_in);
        let made = self.state.total_out().saturating_sub(before_out);
        self.rest = self.rest.get(usize::try_from(taken).unwrap_or(usize::MAX)..).unwrap_or_default();
        if made == 0 && status != Status::StreamEnd {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "ends in the middle"));
        }
        usize::try_from(made).map_err(io::Error::other)
    }
}

/// A decoder over a whole stream with a header of its own: `.gz`, `.bz2`, `.xz`, `.zst`, `.lzma`.
pub(crate) fn stream<'p>(method: Method, packed: &'p [u8], meter: &'p Meter) -> Result<Box<dyn Read + 'p>> {
    room(WHAT, INFLATER)?;
    Ok(match method {
        Method::Deflate => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Method::Bzip2 => Box::new(Bzip2 { stream: None, rest: packed, meter }),
        Method::Xz => {
            let xz = lzma_rust2::XzReader::new_mem_limit(packed, true, MOST_DICTIONARY >> 10);
            Box::new(Roomy::new(xz, USUAL_DICTIONARY))
        }
        Method::Zstd => Box::new(Zstd { frame: None, rest: packed }),
        Method::Lzma => {
            let mut header = Cursor::new(packed, 0);
            let (props, dictionary) = (header.u8(WHAT)?, header.u32(WHAT)?);
            let size = header.u64(WHAT)?;
            Box::new(lzma::raw(header.rest(), size, props, dictionary)?)
        }
        _ => return Err(Error::invalid(WHAT, format!("{method} has no stream of its own"))),
    })
}

/// Packed bytes read to get the first bytes of a member. A block of bzip2 holds 900 kB.
const MOST_FOR_HEAD: usize = 1 << 20;

/// Streams of bzip2, one after the other. Each sets up a decoder with tables of 4 MB, even if it is empty, so each is charged.
struct Bzip2<'p> {
    stream: Option<bzip2::bufread::BzDecoder<&'p [u8]>>,
    rest: &'p [u8],
    meter: &'p Meter,
}

impl Read for Bzip2<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            let stream = match &mut self.stream {
                Some(stream) => stream,
                None if self.rest.is_empty() => return Ok(0),
                none => {
                    self.meter.spend(BZIP2_STREAM).map_err(io::Error::other)?;
                    room(WHAT, BZIP2).map_err(io::Error::other)?;
                    none.insert(bzip2::bufread::BzDecoder::new(self.rest))
                }
            };
            match stream.read(into)? {
                0 => self.rest = self.stream.take().map_or(&[], bzip2::bufread::BzDecoder::into_inner),
                read => return Ok(read),
            }
        }
    }
}

/// Memory of the deflate decoder, and of the tables of all others.
const INFLATER: usize = 64 << 10;

/// Memory of the bzip2 decoder for blocks of 900 kB: four bytes per byte of a block, and tables.
const BZIP2: usize = 4 << 20;

/// The largest window of an xz stream to check memory for in advance: that of `xz -9`.
pub(super) const USUAL_DICTIONARY: usize = 64 << 20;

/// Zstandard frames, one after the other. Skippable frames are skipped.
struct Zstd<'p> {
    frame: Option<(Box<ruzstd::decoding::FrameDecoder>, Ahead)>,
    rest: &'p [u8],
}

impl Read for Zstd<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
        use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
        loop {
            let (frame, ahead) = match &mut self.frame {
                Some(frame) => frame,
                None if self.rest.is_empty() => return Ok(0),
                empty => {
                    room(WHAT, 1 << 20).map_err(io::Error::other)?;
                    let mut frame = Box::new(FrameDecoder::new());
                    let window = window(self.rest);
                    match frame.init(&mut self.rest) {
                        Ok(()) => empty.insert((frame, Ahead::new(window, true))),
                        Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                            length,
                            ..
                        })) => {
                            let length = usize::try_from(length).unwrap_or(usize::MAX);
                            self.rest = self.rest.get(length..).ok_or(io::ErrorKind::UnexpectedEof)?;
                            continue;
                        }
                        Err(error) => return Err(io::Error::other(error.to_string())),
                    }
                }
            };
            while frame.can_collect() == 0 && !frame.is_finished() {
                // Its ring buffer doubles, and during the copy there are two.
                ahead.ask(ZSTD_STEP * 3)?;
                frame
                    .decode_blocks(&mut self.rest, BlockDecodingStrategy::UptoBytes(ZSTD_STEP))
                    .map_err(|error| io::Error::other(error.to_string()))?;
            }
            let read = frame.read(into)?;
            ahead.made(read);
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let declared = frame.get_checksum_from_data();
            if declared.is_some() && declared != frame.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "checksum is wrong"));
            }
            self.frame = None;
        }
    }
}

/// Decoded bytes of a Zstandard frame at a time: about one block.
const ZSTD_STEP: usize = 128 << 10;

/// The window that the head of a Zstandard frame declares: RFC 8878, section 3.1.1.1. A frame without one keeps all of its bytes;
/// the decoder refuses more than 128 MiB.
fn window(frame: &[u8]) -> usize {
    const MOST: u64 = 128 << 20;
    let declared = match frame {
        [_, _, _, _, head, window, ..] if head & 0x20 == 0 => {
            let base = 1_u64 << (10 + u32::from(window >> 3));
            (base >> 3).saturating_mul(8_u64.saturating_add(u64::from(window & 7)))
        }
        _ => MOST,
    };
    declared.min(MOST) as usize
}
