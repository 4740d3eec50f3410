//! The pre-cut map of a navmesh (`MNAM`, Fallout 4 and later): triangles that placed objects cut, by their numbers.

use super::buf::NavMeshBuf;
use super::fields::Fields;
use super::form::{FormId, Tag};
use super::navm::NavmRecord;
use super::rewrite::{Changes, with_field};
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use zerocopy::IntoBytes;

pub(super) const MNAM: Tag = Tag(*b"MNAM");

/// The map with other FormIDs and triangles. Triangles without a number are left out, and objects that cut no other. `None` if
/// the map cannot be read, or a FormID has no replacement.
pub(super) fn precut(
    data: &[u8],
    mut form: impl FnMut(FormId) -> Option<FormId>,
    triangle: impl Fn(u16) -> Option<u16>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(data.len());
    let mut rest = data;
    while !rest.is_empty() {
        let (id, behind) = rest.split_first_chunk()?;
        let (count, behind) = behind.split_first_chunk()?;
        let count = usize::from(u16::from_le_bytes(*count));
        let (stored, behind) = behind.split_at_checked(count.checked_mul(2)?)?;
        rest = behind;
        let stored = stored.chunks_exact(2).filter_map(<[u8]>::first_chunk).copied().map(u16::from_le_bytes);
        let left: Vec<u16> = stored.filter_map(&triangle).collect();
        if left.is_empty() && count > 0 {
            continue;
        }
        let id = FormId::new(u32::from_le_bytes(*id));
        out.extend((if id.is_null() { id } else { form(id)? }).as_bytes());
        out.extend(u16::try_from(left.len()).ok()?.to_le_bytes());
        out.extend(left.iter().flat_map(|index| index.to_le_bytes()));
    }
    Some(out)
}

impl Changes {
    /// Like [`set_mesh`](Self::set_mesh) for a mesh whose triangles have new numbers: its pre-cut map follows.
    ///
    /// # Errors
    /// Those of `set_mesh`, and if the map cannot be read.
    pub(super) fn set_renumbered(
        &mut self,
        navm: &NavmRecord<'_>,
        mesh: &NavMeshBuf,
        triangle: impl Fn(u16) -> Option<u16>,
        scratch: &mut Scratch,
    ) -> Result<()> {
        let record = navm.record();
        let fields = record.fields(scratch)?;
        let mut data = with_field(fields.clone(), Tag(*b"NVNM"), Some(&mesh.encode()?))?;
        if let Some(map) = fields.clone().find_tag(MNAM)? {
            let Some(map) = precut(map.data, Some, triangle) else {
                let form = navm.form_id();
                let why =
                    format!("of navmesh {form} cannot be read, and names triangles that have new numbers");
                return Err(Error::invalid("pre-cut map (MNAM)", why).at(map.offset));
            };
            data = with_field(Fields::new(&data, 0), MNAM, Some(&map))?;
        }
        self.set_changed(record, data, scratch)
    }
}
