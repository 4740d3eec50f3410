//! Tables of where the cells of a worldspace begin, kept right in a file in which records move.

use super::fields::Fields;
use super::flags::RecordFlags;
use super::form::Tag;
use super::plugin::Plugin;
use super::record::RecordHeader;
use std::collections::BTreeSet;
use zerocopy::FromBytes;

/// Where what begins at a byte of a plugin begins in the output.
#[derive(Default)]
pub(super) struct Moved(Vec<(usize, usize)>);

impl Moved {
    /// Notes where something begins now. Calls are in the order of the plugin's bytes.
    pub(super) fn note(&mut self, was: usize, now: usize) {
        let moves = |(a, b): &(usize, usize)| now.wrapping_sub(*b) != was.wrapping_sub(*a);
        if self.0.last().is_none_or(moves) {
            self.0.push((was, now));
        }
    }

    /// Where something that was not removed begins now.
    fn now(&self, at: usize) -> Option<usize> {
        let after = self.0.partition_point(|(was, _)| *was <= at);
        let (was, now) = self.0.get(after.checked_sub(1)?)?;
        now.checked_add(at.checked_sub(*was)?)
    }
}

/// Writes into the table of each worldspace (`OFST`) where its cells begin in the output, counted from the record of the
/// worldspace. An entry that names no cell of the plugin stays as it is: the plugin was changed by a tool that left the table
/// behind. So does a table in a compressed record, of which none is known.
pub(super) fn settle(plugin: &Plugin<'_>, gone: &BTreeSet<u64>, moved: &Moved, out: &mut [u8]) {
    for world in plugin.worldspaces() {
        let was = usize::try_from(world.offset()).unwrap_or(usize::MAX);
        let Some(now) = moved.now(was).filter(|_| !gone.contains(&world.offset())) else { continue };
        for (start, end) in tables(out, now) {
            let Some(table) = out.get_mut(start..end) else { continue };
            for entry in table.as_chunks_mut::<4>().0 {
                if let Some(fresh) = cell(plugin, gone, moved, (was, now), u32::from_le_bytes(*entry)) {
                    *entry = fresh.to_le_bytes();
                }
            }
        }
    }
}

/// Where the tables of the worldspace record at a byte begin and end.
fn tables(out: &[u8], at: usize) -> Vec<(usize, usize)> {
    let record = out.get(at..).and_then(|rest| RecordHeader::ref_from_prefix(rest).ok());
    let Some((header, data)) = record.filter(|(header, _)| header.tag() == Tag::WRLD) else {
        return Vec::new();
    };
    if header.flags().contains(RecordFlags::COMPRESSED) {
        return Vec::new();
    }
    let data = data.get(..header.size() as usize).unwrap_or_default();
    let start = at.saturating_add(size_of::<RecordHeader>());
    let tables = Fields::new(data, start as u64).flatten().filter(|field| field.tag == Tag(*b"OFST"));
    let tables = tables.filter_map(|field| {
        let start = usize::try_from(field.offset).ok()?;
        Some((start, start.checked_add(field.data.len())?))
    });
    tables.collect()
}

/// The entry of a cell that has this one in a worldspace that began at a byte and begins at another: 0 if it was removed.
fn cell(
    plugin: &Plugin<'_>,
    gone: &BTreeSet<u64>,
    moved: &Moved,
    (was, now): (usize, usize),
    entry: u32,
) -> Option<u32> {
    let at = was.checked_add(entry as usize)?;
    if !plugin.as_bytes().get(at..)?.starts_with(&Tag::CELL.0) {
        return None;
    }
    if gone.contains(&(at as u64)) {
        return Some(0);
    }
    u32::try_from(moved.now(at)?.checked_sub(now)?).ok()
}
