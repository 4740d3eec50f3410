//! New navmeshes of cells.

use super::faces::refused;
use crate::buf::NavMeshBuf;
use crate::edit::Slot;
use crate::fields::exactly;
use crate::form::{FormId, Tag};
use crate::groups::{CellGroups, cell_groups};
use crate::owners::Origin;
use crate::plugin::{Plugin, Scale};
use crate::record::{Parent, PathingCell, Xclc};
use crate::walk::Wanted;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::graph::{Polygon, Scene};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The cells of a plugin that get navmeshes, by their canonical FormIDs, and the next free FormID.
pub(super) struct Cells {
    groups: BTreeMap<FormId, CellGroups>,
    /// `None` for an exterior cell without a place in its worldspace.
    parents: HashMap<FormId, Option<Parent>>,
    version: Option<u32>,
    next: u32,
    most: u32,
    own: u32,
}

impl Cells {
    /// Looks cells up: three passes over the plugin, of which two are over headers alone.
    pub(super) fn find(plugin: &Plugin<'_>, wanted: &HashSet<FormId>) -> Self {
        let mut scratch = Scratch::new();
        let mut parents = HashMap::new();
        let mut records = plugin.walk(Wanted::SPACES);
        while let Some(record) = records.next() {
            let Ok(record) = record else { continue };
            let cell = plugin.canonical(record.form_id());
            if record.tag() != Tag::CELL || !wanted.contains(&cell) {
                continue;
            }
            let mut square = || {
                let fields = record.fields(&mut scratch).ok()?;
                let field = fields.clone().find_tag(Tag(*b"XCLC")).ok()??;
                let data = field.data.get(..size_of::<Xclc>())?;
                exactly::<Xclc>(&crate::fields::Field { data, ..field }, "XCLC").ok().map(Xclc::grid)
            };
            let parent = match records.place().world {
                None => Some(Parent::Interior { cell }),
                Some(world) => square().and_then(|(x, y)| {
                    Some(Parent::Exterior { world, x: x.try_into().ok()?, y: y.try_into().ok()? })
                }),
            };
            parents.insert(cell, parent);
        }
        let own = u32::try_from(plugin.master_count()).unwrap_or(u32::MAX).min(0xFF);
        let is_own = |form: &FormId| plugin.origin(*form) == Origin::Own;
        let forms = plugin.records().flatten().map(|record| record.form_id()).filter(is_own);
        let last = forms.map(|form| form.object_id()).max().unwrap_or_default();
        Self {
            groups: cell_groups(plugin, wanted.len(), |form| wanted.contains(&form)),
            parents,
            version: plugin.game().nvnm_version(),
            next: plugin.hedr().next_object_id().max(last.saturating_add(1)).max(0x800),
            most: match plugin.scale() {
                Scale::Full => 0x00FF_FFFF,
                Scale::Medium => 0xFFFF,
                Scale::Light => 0xFFF,
            },
            own,
        }
    }

    /// A new mesh without triangles in a cell.
    ///
    /// # Errors
    /// If the plugin has no such cell, or nothing in it, or no FormID is left. The error names the object.
    pub(super) fn make(&mut self, scene: &Scene, polygon: &Polygon, cell: FormId) -> Result<Slot> {
        let refuse = |why: &str| refused(scene, polygon, why);
        let parent = self.parents.get(&cell).ok_or_else(|| {
            refuse("the plugin has no record of that cell: copy it into the plugin with an editor first")
        })?;
        let owner = parent.and_then(PathingCell::of);
        let owner = owner.ok_or_else(|| refuse("that cell has no place in its worldspace"))?;
        let groups = self.groups.get(&cell).ok_or_else(|| {
            refuse("the plugin has nothing in that cell: place something there with an editor first")
        })?;
        let version = self.version.ok_or_else(|| refuse("the game keeps no meshes in NVNM fields"))?;
        if self.next > self.most {
            return Err(refuse("the plugin has no FormID left"));
        }
        let form = FormId::new(self.own << 24 | self.next);
        self.next = self.next.saturating_add(1);
        let mesh = NavMeshBuf::empty(version, owner);
        let mut slot = Slot::new(form, mesh);
        slot.new_in = Some(*groups);
        Ok(slot)
    }
}
