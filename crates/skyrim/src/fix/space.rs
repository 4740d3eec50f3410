//! Cells and worldspaces as overrides in a patch: records that repeat the winning version.

use super::output::forms;
use crate::form::{FormId, Tag};
use crate::loadorder::LoadOrder;
use crate::walk::Record;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};

/// Fields of cells that contain only FormIDs.
const CELL_FORMS: &[&[u8; 4]] = &[
    b"LTMP", b"XCLR", b"XLCN", b"XCWT", b"XOWN", b"XILL", b"XCCM", b"XCAS", b"XEZN", b"XCMO", b"XCIM",
    b"XGLB",
];
/// Fields of cells without FormIDs.
const CELL_PLAIN: &[&[u8; 4]] = &[
    b"EDID", b"DATA", b"XCLC", b"XCLL", b"TVDT", b"MHDT", b"LNAM", b"XCLW", b"XNAM", b"XWCN", b"XWCS",
    b"XWCU", b"XRNK", b"XWEM",
];
/// The same for worldspaces.
const WORLD_FORMS: &[&[u8; 4]] = &[b"LTMP", b"XEZN", b"XLCN", b"WNAM", b"CNAM", b"NAM2", b"NAM3", b"ZNAM"];
const WORLD_PLAIN: &[&[u8; 4]] = &[
    b"EDID", b"MHDT", b"WCTR", b"PNAM", b"NAM4", b"DNAM", b"ICON", b"MODL", b"MODT", b"MNAM", b"NAMA",
    b"DATA", b"NAM0", b"NAM9", b"ONAM", b"NNAM", b"TNAM", b"UNAM", b"XWEM",
];
/// Tables of large references, and of the offsets and sizes of cells, which are valid only in their own file.
const WORLD_LEFT_OUT: &[&[u8; 4]] = &[b"RNAM", b"OFST", b"CLSZ"];

/// The plugin that a space is carried from.
#[derive(Clone, Copy)]
pub(super) struct From<'f, 'a> {
    pub(super) order: &'f LoadOrder<'a>,
    /// Its index there.
    pub(super) plugin: usize,
    /// Whether it numbers all files as the patch does, so that a FormID is the same in both.
    pub(super) same_numbers: bool,
}

/// The data of a cell or worldspace with the FormIDs of a patch, and how many fields of it are not known and are carried as
/// they are.
///
/// # Errors
/// If a field is not known and its FormIDs, if it has any, would have to change, if one names a file that the patch does not
/// know, or lies in the string tables of a localized plugin.
pub(super) fn space_data(
    record: &Record<'_>,
    from: From<'_, '_>,
    mut to: impl FnMut(FormId) -> Option<FormId>,
) -> Result<(Vec<u8>, u64)> {
    let Some((file, plugin)) = from.order.get(from.plugin) else {
        return Err(Error::invalid("load order", format!("has no plugin {}", from.plugin)));
    };
    let refuse = |why: String| {
        let record = format!("{} {} of {file}", record.tag(), record.form_id());
        Err(Error::invalid("patch", format!("{record}: {why}")))
    };
    let mut carried = 0_u64;
    let (mut data, mut scratch) = (Vec::new(), Scratch::new());
    let (with_forms, plain, left_out) = match record.tag() {
        Tag::CELL => (CELL_FORMS, CELL_PLAIN, &[][..]),
        _ => (WORLD_FORMS, WORLD_PLAIN, WORLD_LEFT_OUT),
    };
    for each in record.fields(&mut scratch)? {
        let each = each?;
        let tag = &each.tag.0;
        if left_out.contains(&tag) {
            continue;
        }
        if tag == b"FULL" && plugin.is_localized() {
            return refuse(
                "its name lies in the string tables of its plugin, which a patch cannot name".to_owned(),
            );
        }
        if with_forms.contains(&tag) {
            let mut stranger = None;
            let payload = forms(each.data, &mut |form| {
                let now = to(form);
                stranger = now.is_none().then_some(form);
                now
            });
            match payload {
                Some(payload) => field(&mut data, each.tag, &payload)?,
                None => {
                    let key = stranger.and_then(|form| from.order.key(from.plugin, form));
                    let name = key.and_then(|key| from.order.file_name(key.file));
                    return refuse(match name {
                        Some(name) => {
                            format!("field {} names {name}, which is not in the load order", each.tag)
                        }
                        None => format!("field {} is no list of FormIDs", each.tag),
                    });
                }
            }
        } else if plain.contains(&tag) || tag == b"FULL" {
            field(&mut data, each.tag, each.data)?;
        } else if from.same_numbers {
            field(&mut data, each.tag, each.data)?;
            carried = carried.saturating_add(1);
        } else {
            return refuse(format!("field {} is not known, and may name records", each.tag));
        }
    }
    Ok((data, carried))
}
