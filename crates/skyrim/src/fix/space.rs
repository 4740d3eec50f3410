//! Cells and worldspaces as overrides in a patch: records that say what the winning version says.

use super::output::forms;
use crate::form::{FormId, Tag};
use crate::walk::Record;
use crate::write::field;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};

/// Fields of cells that hold FormIDs and nothing else.
const CELL_FORMS: &[&[u8; 4]] = &[
    b"LTMP", b"XCLR", b"XLCN", b"XCWT", b"XOWN", b"XILL", b"XCCM", b"XCAS", b"XEZN", b"XCMO", b"XCIM",
    b"XGLB",
];
/// Fields of cells that hold none.
const CELL_PLAIN: &[&[u8; 4]] = &[
    b"EDID", b"DATA", b"XCLC", b"XCLL", b"TVDT", b"MHDT", b"LNAM", b"XCLW", b"XNAM", b"XWCN", b"XWCS",
    b"XWCU", b"XRNK", b"XWEM",
];
/// The same for worldspaces.
const WORLD_FORMS: &[&[u8; 4]] = &[b"LTMP", b"XEZN", b"XLCN", b"WNAM", b"CNAM", b"NAM2", b"NAM3", b"ZNAM"];
const WORLD_PLAIN: &[&[u8; 4]] = &[
    b"EDID", b"MHDT", b"WCTR", b"PNAM", b"NAM4", b"DNAM", b"ICON", b"MODL", b"MNAM", b"NAMA", b"DATA",
    b"NAM0", b"NAM9", b"ONAM", b"NNAM", b"TNAM", b"UNAM", b"XWEM",
];
/// Tables of large references and of offsets, which belong to the file they stand in.
const WORLD_LEFT_OUT: &[&[u8; 4]] = &[b"RNAM", b"OFST"];

/// The data of a cell or worldspace with the FormIDs of a patch.
///
/// # Errors
/// If a field is not known, names a file that the patch does not know, or lies in the string tables of a localized plugin.
pub(super) fn space_data(
    record: &Record<'_>,
    localized: bool,
    mut to: impl FnMut(FormId) -> Option<FormId>,
) -> Result<Vec<u8>> {
    let refuse =
        |why: String| Err(Error::invalid("patch", format!("{} {}: {why}", record.tag(), record.form_id())));
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
        if tag == b"FULL" && localized {
            return refuse(
                "its name lies in the string tables of its plugin, which a patch cannot name".to_owned(),
            );
        }
        if with_forms.contains(&tag) {
            match forms(each.data, &mut to) {
                Some(payload) => field(&mut data, each.tag, &payload)?,
                None => {
                    return refuse(format!("field {} names a file that is not in the load order", each.tag));
                }
            }
        } else if plain.contains(&tag) || tag == b"FULL" {
            field(&mut data, each.tag, each.data)?;
        } else {
            return refuse(format!("field {} is not known, and may name records", each.tag));
        }
    }
    Ok(data)
}
