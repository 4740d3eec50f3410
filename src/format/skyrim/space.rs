//! Names of the spaces of a plugin: the editor IDs of its worldspaces and interior cells.

#![forbid(unsafe_code)]

use super::form::{FormId, Tag};
use super::graph::Space;
use super::plugin::Plugin;
use super::text::shown;
use super::walk::{Record, Wanted};
use crate::bytes::Scratch;
use std::collections::HashMap;

impl Plugin<'_> {
    /// The editor IDs of these spaces (`Tamriel`, `WhiterunJorrvaskr`), in their order. `None` if the plugin has no
    /// record of the space, or one without a name.
    ///
    /// Walks over the headers of records once. Only the records of these spaces are inflated, if they are compressed.
    pub fn editor_ids(&self, spaces: &[Space]) -> Vec<Option<String>> {
        let form = |space: &Space| match *space {
            Space::World(form) | Space::Cell(form) => form,
        };
        let mut names: HashMap<FormId, Option<String>> =
            spaces.iter().map(|space| (form(space), None)).collect();
        let mut scratch = Scratch::new();
        for record in self.walk(Wanted::SPACES).flatten() {
            if let Some(name @ None) = names.get_mut(&record.form_id()) {
                *name = editor_id(&record, &mut scratch);
            }
        }
        spaces.iter().map(|space| names.get(&form(space)).cloned().flatten()).collect()
    }
}

/// The editor ID of a record.
fn editor_id(record: &Record<'_>, scratch: &mut Scratch) -> Option<String> {
    let field = record.fields(scratch).ok()?.find_tag(Tag(*b"EDID")).ok()??;
    let name = field.data.split(|byte| *byte == 0).next().unwrap_or_default();
    Some(shown(name)).filter(|name| !name.is_empty())
}
