//! The groups of cells in a plugin, where new records go.

use super::flags::GroupKind;
use super::form::{FormId, Tag};
use super::plugin::Plugin;
use super::record::{GroupHeader, RecordHeader};
use super::rewrite::{Changes, group};
use navmap_core::error::Result;
use std::collections::BTreeMap;
use zerocopy::{FromBytes, IntoBytes};

/// The groups of a cell in a plugin, by their offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CellGroups {
    pub(crate) children: u64,
    pub(crate) temporary: Option<u64>,
    pub(crate) label: FormId,
}

impl CellGroups {
    /// Adds a group of temporary children to a cell that has none.
    ///
    /// # Errors
    /// If the records are too large for one group.
    pub(crate) fn append_temporary(&self, records: &[Vec<u8>], changes: &mut Changes) -> Result<()> {
        let count = i32::try_from(records.len()).unwrap_or(i32::MAX).saturating_add(1);
        let label = *self.label.as_bytes().first_chunk().unwrap_or(&[0; 4]);
        let bytes = group(label, GroupKind::TemporaryChildren.to_stored(), records)?;
        changes.append_group(self.children, bytes, count);
        Ok(())
    }
}

/// The groups of the children of wanted cells, `most` of them, by canonical FormIDs: one pass over the headers of groups down to
/// those of cells. It ends where a header is damaged.
pub(crate) fn cell_groups(
    plugin: &Plugin<'_>,
    most: usize,
    wanted: impl Fn(FormId) -> bool,
) -> BTreeMap<FormId, CellGroups> {
    let bytes = plugin.as_bytes();
    let mut at = plugin.body_offset();
    let mut found = BTreeMap::new();
    // The wanted cell that is being passed, and where it ends.
    let mut open: Option<(CellGroups, usize)> = None;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((groups, _)) = open.take_if(|(_, end)| at >= *end) {
            found.entry(plugin.canonical(groups.label)).or_insert(groups);
            if found.len() >= most {
                return found;
            }
        }
        let Ok((header, _)) = RecordHeader::ref_from_prefix(rest) else { break };
        let head = size_of::<RecordHeader>();
        if header.tag() != Tag::GRUP {
            at = at.saturating_add(head).saturating_add(header.size() as usize);
            continue;
        }
        let Ok((header, _)) = GroupHeader::ref_from_prefix(rest) else { break };
        let size = (header.size() as usize).max(head);
        let label = header.label_form();
        let inside = match header.kind() {
            GroupKind::TopLevel => [Tag::CELL, Tag::WRLD].contains(&header.label_tag()),
            GroupKind::CellChildren if open.is_none() && wanted(plugin.canonical(label)) => {
                let groups = CellGroups { children: at as u64, temporary: None, label };
                open = Some((groups, at.saturating_add(size)));
                true
            }
            GroupKind::TemporaryChildren => {
                if let Some((groups, _)) = &mut open {
                    groups.temporary = Some(at as u64);
                }
                false
            }
            kind => !kind.is_of_cell(),
        };
        at = at.saturating_add(if inside { head } else { size });
    }
    found.extend(open.map(|(groups, _)| (plugin.canonical(groups.label), groups)));
    found
}
