//! New navmeshes of cells.

use super::faces::refused;
use crate::buf::NavMeshBuf;
use crate::edit::Slot;
use crate::fields::exactly;
use crate::form::{FormId, Tag};
use crate::groups::{CellGroups, cell_groups};
use crate::owners::Origin;
use crate::plugin::Plugin;
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
    ids: ObjectIds,
    own: u32,
}

/// The object ids that no record has.
struct ObjectIds {
    used: HashSet<u32>,
    most: u32,
    /// Where to look for the next one: first from that which the file header names, if it is behind all that are used, then behind
    /// the last that is used, then from the first that editors hand out, then from the first that there is.
    starts: [u32; 4],
}

impl ObjectIds {
    /// Those of a plugin's own records. One pass over headers.
    fn of(plugin: &Plugin<'_>) -> Self {
        const FIRST: u32 = 0x800;
        let is_own = |form: &FormId| plugin.origin(*form) == Origin::Own;
        let forms = plugin.records().flatten().map(|record| record.form_id()).filter(is_own);
        let used: HashSet<u32> = forms.map(FormId::object_id).collect();
        let ids = plugin.object_ids();
        let behind = used.iter().max().map_or(FIRST, |last| last.saturating_add(1).max(FIRST));
        let named = plugin.hedr().next_object_id().max(behind);
        // No record has the number 0 of its plugin.
        let starts = [named, behind, FIRST, (*ids.start()).max(1)];
        Self { used, most: *ids.end(), starts }
    }

    /// The next one; `None` if all are used.
    fn take(&mut self) -> Option<u32> {
        let Self { used, most, starts } = self;
        let id = starts.iter_mut().find_map(|from| {
            let id = (*from..=*most).find(|id| !used.contains(id));
            *from = id.map_or(u32::MAX, |id| id.saturating_add(1));
            id
        })?;
        used.insert(id);
        Some(id)
    }
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
        Self {
            groups: cell_groups(plugin, wanted.len(), |form| wanted.contains(&form)),
            parents,
            version: plugin.game().nvnm_version(),
            ids: ObjectIds::of(plugin),
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
        let id = self.ids.take().ok_or_else(|| refuse("the plugin has no FormID left"))?;
        let form = FormId::new(self.own << 24 | id);
        let mesh = NavMeshBuf::empty(version, owner);
        let mut slot = Slot::new(form, mesh);
        slot.new_in = Some(*groups);
        Ok(slot)
    }
}
