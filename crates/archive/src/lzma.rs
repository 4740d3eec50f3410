//! LZMA1, as raw streams, in ZIPs, and in the lumps of a BSP.

use super::roomy::Roomy;
use navmap_core::Limits;
use navmap_core::bytes::room;
use navmap_core::error::{Error, Result};

const WHAT: &str = "compressed data";

/// The largest dictionary that a stream may request: `xz -9` and 7-Zip's ultra setting use 64 MiB.
pub(super) const MOST_DICTIONARY: u32 = 256 << 20;

/// Raw LZMA1. A `size` of `u64::MAX` means that the stream marks its own end.
pub(crate) fn raw(
    packed: &[u8],
    size: u64,
    props: u8,
    dictionary: u32,
) -> Result<Roomy<lzma_rust2::LzmaReader<&[u8]>>> {
    // No match reaches back beyond the first byte, so a dictionary larger than the output is never used.
    let useful = u32::try_from(size).unwrap_or(u32::MAX).max(4096);
    let dictionary = dictionary.min(useful);
    Limits::charge("LZMA dictionary", dictionary.into(), MOST_DICTIONARY.into())?;
    // Its probabilities: at most 0x300 << (lc + lp) numbers of 2 bytes, with lc + lp at most 12.
    room(WHAT, 0x600 << 12)?;
    let lzma = lzma_rust2::LzmaReader::new_with_props(packed, size, props, dictionary, None);
    Ok(Roomy::new(lzma.map_err(|e| Error::invalid(WHAT, e.to_string()))?, dictionary as usize))
}

/// LZMA as ZIP stores it: version of the SDK, size of the properties, properties, raw LZMA1.
pub(super) fn of_zip(packed: &[u8], size: u64) -> Result<Roomy<lzma_rust2::LzmaReader<&[u8]>>> {
    let Some((&[_, _, len, 0, props, d0, d1, d2, d3], stream)) = packed.split_first_chunk::<9>() else {
        return Err(Error::invalid("ZIP LZMA head", "is cut short, or has no 5 bytes of properties"));
    };
    if len != 5 {
        return Err(Error::invalid("ZIP LZMA head", format!("{len} bytes of properties instead of 5")));
    }
    raw(stream, size, props, u32::from_le_bytes([d0, d1, d2, d3]))
}

/// The head of a lump that Valve compressed as a whole: tag, size, packed size, 5 bytes of LZMA properties.
pub(super) fn lump_head(lump: &[u8]) -> Option<([u8; 13], &[u8])> {
    lump.strip_prefix(b"LZMA")?.split_first_chunk::<13>().map(|(head, raw)| (*head, raw))
}

/// The decoder of such a lump.
pub(super) fn of_lump(lump: &[u8]) -> Result<Roomy<lzma_rust2::LzmaReader<&[u8]>>> {
    let Some(([s0, s1, s2, s3, p0, p1, p2, p3, props, d0, d1, d2, d3], stream)) = lump_head(lump) else {
        return Err(Error::invalid("BSP pak lump", "its LZMA head is cut short"));
    };
    let size = u32::from_le_bytes([s0, s1, s2, s3]);
    let packed = usize::try_from(u32::from_le_bytes([p0, p1, p2, p3])).unwrap_or(usize::MAX);
    raw(stream.get(..packed).unwrap_or(stream), size.into(), props, u32::from_le_bytes([d0, d1, d2, d3]))
}
