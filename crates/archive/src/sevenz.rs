//! 7z, by `sevenz-rust2`. Often solid: reaching a member means decoding everything before it in its block.

use super::member::check_name;
use super::roomy::Roomy;
use super::stream::Counted;
use super::unpack::USUAL_DICTIONARY;
use super::{Chosen, Entry, Member, Meter, Method, Name, Unpacker, unpack};
use navmap_core::bytes::room;
use navmap_core::error::{Error, Result};
use sevenz_rust2::{ArchiveEntry, BlockDecoder, Password};
use std::io::Cursor;
use std::ops::ControlFlow;

/// Memory allowed for an archive's lists: a few times the archive's size, capped at this.
const HEADERS: usize = 16 << 20;

/// Memory that a decoder allocates before the first byte; bzip2 needs the most.
const TABLES: usize = 5 << 20;

/// Visits the wanted members, block by block. Blocks without any are not decoded.
pub(crate) fn each(
    bytes: &[u8],
    meter: &Meter,
    unpacker: &mut Unpacker,
    wanted: &mut dyn FnMut(&Member<'_>) -> bool,
    visit: &mut dyn FnMut(Chosen<'_>) -> ControlFlow<()>,
) -> Result<()> {
    let password = Password::empty();
    let mut source = Cursor::new(bytes);
    room("compressed data", bytes.len().min(HEADERS))?;
    let archive = sevenz_rust2::Archive::read(&mut source, &password).map_err(damaged)?;
    meter.spend(bytes.len() as u64)?;
    let mut index = 0u64;
    for block in 0..archive.blocks.len() {
        let decoder = BlockDecoder::new(1, block, &archive, &password, &mut source);
        let chosen: Vec<bool> = decoder
            .entries()
            .iter()
            .enumerate()
            .map(|(i, entry)| !entry.is_directory() && wanted(&member(entry, index.saturating_add(i as u64))))
            .collect();
        let first = index;
        index = index.saturating_add(chosen.len() as u64);
        chosen.iter().try_for_each(|_| meter.entry())?;
        let Some(last) = chosen.iter().rposition(|&chosen| chosen) else { continue };
        room("compressed data", TABLES)?;
        let mut at = 0usize;
        let mut flow = ControlFlow::Continue(());
        let mut failed = None;
        let decoded = decoder.for_each_entries(&mut |entry: &ArchiveEntry, data: &mut dyn std::io::Read| {
            let here = at;
            at = at.saturating_add(1);
            let mut data = Counted { source: Box::new(Roomy::new(data, USUAL_DICTIONARY)), meter };
            if chosen.get(here) == Some(&true) {
                let member = member(entry, first.saturating_add(here as u64));
                let bytes = check_name(member.name.len() as u64)
                    .and_then(|()| meter.look(member.name.len()))
                    .and_then(|()| meter.bound().charge(entry.size()))
                    .and_then(|()| unpacker.take_exactly(&mut data, entry.size()));
                let bytes = bytes.map_err(|e| e.in_record("member", member.entry.index));
                flow = visit(Chosen { member, bytes });
            } else {
                failed = data.skip(entry.size()).err();
            }
            Ok(flow.is_continue() && failed.is_none() && here < last)
        });
        decoded.map_err(damaged)?;
        if let Some(error) = failed {
            return Err(error);
        }
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

fn member(entry: &ArchiveEntry, index: u64) -> Member<'_> {
    let crc = entry.has_crc.then_some(entry.crc).and_then(|crc| u32::try_from(crc).ok());
    Member {
        name: Name::Whole(entry.name().as_bytes()),
        entry: Entry { index, method: Method::Lzma, crc, ..Entry::stored(index, 0, entry.size()) },
    }
}

#[cold]
fn damaged(error: sevenz_rust2::Error) -> Error {
    unpack::damaged(&format_args!("7z: {error}"))
}
