//! Static props of Source. Their shapes are in models outside of the map, so that traces pass through them; what is read is
//! which there are.

#![forbid(unsafe_code)]

use super::lumps::Lumps;
use crate::bytes::Cursor;
use crate::error::{Error, Result};
use crate::limits::Limits;
use std::collections::BTreeMap;
use zerocopy::byteorder::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// An entry of the lump that games fill as they like. Offsets count from the beginning of the file.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawGame {
    id: [u8; 4],
    flags: U16,
    _version: U16,
    offset: U32,
    len: U32,
}

const _: () = assert!(size_of::<RawGame>() == 16);

/// `sprp`, as stored.
const STATIC_PROPS: [u8; 4] = *b"prps";
const PACKED: u16 = 1;
const NAME: usize = 128;
/// Where a prop says how it is solid: 0 not, 2 as a box, 6 as its model is shaped. The place is the same in every version.
const SOLID_AT: usize = 30;
const MODEL_AT: usize = 24;

/// Paths of models, each with how many solid props are made of it.
pub(super) fn solid(lumps: &Lumps<'_>, limits: &Limits) -> Result<BTreeMap<Box<str>, u32>> {
    let lump = lumps.lump(35, limits)?;
    let mut found = BTreeMap::new();
    if lump.is_empty() {
        return Ok(found);
    }
    let within = |error: Error| error.in_record("lump", 35);
    let mut cursor = Cursor::new(&lump, 0);
    for game in cursor.list32::<RawGame>("game lumps").map_err(within)? {
        // Packed ones end where the next begins, which few maps have.
        if game.id == STATIC_PROPS && game.flags.get() & PACKED == 0 {
            count(lumps.slice(game.offset.get(), game.len.get()).map_err(within)?, &mut found)
                .map_err(within)?;
        }
    }
    Ok(found)
}

fn count(lump: &[u8], found: &mut BTreeMap<Box<str>, u32>) -> Result<()> {
    let mut cursor = Cursor::new(lump, 0);
    let names = cursor.list32::<[u8; NAME]>("models of static props")?;
    cursor.list32::<U16>("leaves of static props")?;
    let props = cursor.u32("static props")? as usize;
    let rest = cursor.rest();
    let size = rest.len().checked_div(props).unwrap_or(0);
    if props == 0 || size <= SOLID_AT {
        return match props {
            0 => Ok(()),
            _ => Err(cursor.overclaim("static props", props as u64)),
        };
    }
    for prop in rest.chunks_exact(size).take(props) {
        let model = prop.get(MODEL_AT..).and_then(|at| at.first_chunk::<2>());
        let (Some(model), Some(kind)) = (model, prop.get(SOLID_AT)) else { continue };
        if *kind == 0 {
            continue;
        }
        let name = names.get(usize::from(u16::from_le_bytes(*model)));
        let name = name.map(|name| name.split(|byte| *byte == 0).next().unwrap_or_default());
        let name = String::from_utf8_lossy(name.unwrap_or(b"?")).into_owned().into_boxed_str();
        let sum = found.entry(name).or_default();
        *sum = sum.saturating_add(1);
    }
    Ok(())
}
