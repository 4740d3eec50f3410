//! The meshes of a plugin as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::slot::{Change, Delta, Item, Slot};
use crate::buf::NavMeshBuf;
use crate::form::FormId;
use crate::owners::Owners;
use crate::plugin::Plugin;
use crate::renumber::{Renumbered, rename_mesh};
use crate::survey::damage;
use crate::view::NavMesh;
use navmap_core::Finding;
use navmap_core::Limits;
use navmap_core::bytes::Scratch;
use navmap_core::edit::{Apply, Atom, Editor, Refusal, Report, ReportRow, Verb};
use navmap_core::error::Result as MeshResult;
use std::collections::{BTreeSet, HashMap};

/// The navmeshes of a plugin, or one NVNM field, that are edited.
///
/// It holds the bytes that were opened and every mesh inflated, those that are changed twice.
#[derive(Debug)]
pub struct SkyrimEditor {
    pub(crate) original: Vec<u8>,
    pub(crate) limits: Limits,
    pub(crate) is_plugin: bool,
    pub(crate) slots: Vec<Slot>,
    pub(crate) owners: Owners,
    /// The mesh of each record, by its [canonical](Owners::canonical) FormID.
    pub(super) forms: HashMap<FormId, u32>,
    /// Meshes that get an entry of the info map even if it has none.
    pub(crate) listed: BTreeSet<FormId>,
    pub(super) change: Change,
    carried: Vec<Finding>,
}

impl SkyrimEditor {
    /// Starts editing the meshes of a plugin. Meshes that cannot be read are carried on as they are.
    ///
    /// # Errors
    /// If groups of the plugin are damaged, so that it could not be written again.
    pub fn of_plugin(plugin: &Plugin<'_>) -> MeshResult<Self> {
        crate::Changes::new().apply(plugin)?;
        let mut editor = Self::empty(plugin.as_bytes(), plugin.limits(), Some(plugin.owners()));
        let mut scratch = Scratch::new();
        for (record, navm) in plugin.navmeshes().enumerate() {
            let navm = navm?;
            let read =
                navm.mesh(&mut scratch).and_then(|mesh| mesh.as_ref().map(NavMeshBuf::read).transpose());
            match read {
                Ok(Some(mesh)) => {
                    editor.add(Slot { record: Some(record), ..Slot::new(navm.form_id(), mesh) })
                }
                Ok(None) => {}
                Err(error) => editor.carried.push(damage(&error, "damaged-navmesh")),
            }
        }
        Ok(editor)
    }

    /// Starts editing a field that stands alone.
    ///
    /// # Errors
    /// For a mesh of Fallout 3 or New Vegas.
    pub fn of_mesh(mesh: &NavMesh<'_>) -> MeshResult<Self> {
        let mut editor = Self::empty(mesh.as_bytes(), &Limits::default(), None);
        editor.add(Slot::new(FormId::NULL, NavMeshBuf::read(mesh)?));
        Ok(editor)
    }

    /// The file as it was opened, opened again.
    ///
    /// # Errors
    /// None that opening it did not have.
    pub(super) fn again(&self) -> MeshResult<Self> {
        match self.is_plugin {
            true => Self::of_plugin(&Plugin::parse(&self.original, &self.limits)?),
            false => Self::of_mesh(&NavMesh::parse(&self.original)?),
        }
    }

    /// The same with the FormIDs that another version of the plugin has for the same records; `None` if it has these.
    ///
    /// # Errors
    /// None that opening both did not have.
    pub(super) fn numbered_as(&self, other: &Self) -> MeshResult<Option<Self>> {
        if !self.is_plugin || !other.is_plugin {
            return Ok(None);
        }
        let [before, after] = [other, self].map(|editor| Plugin::parse(&editor.original, &editor.limits));
        let Some(renumbered) = Renumbered::between(&before?, &after?) else { return Ok(None) };
        // These are canonical in the other version, and have an index of their own for files that it does not know.
        let mut editor = Self::empty(&self.original, &self.limits, Some(Owners::UNKNOWN));
        for slot in &self.slots {
            let mut mesh = slot.mesh.clone();
            // Every FormID has one there.
            let _ = rename_mesh(&mut mesh, |form| Some(renumbered.form(form)));
            let (form, ids) = (renumbered.form(slot.form), slot.ids.clone());
            editor.add(Slot { ids, record: slot.record, ..Slot::new(form, mesh) });
        }
        editor.carried = self.carried.clone();
        Ok(Some(editor))
    }

    /// No meshes yet, of a plugin or of a field that stands alone.
    fn empty(bytes: &[u8], limits: &Limits, plugin: Option<Owners>) -> Self {
        Self {
            original: bytes.to_vec(),
            limits: *limits,
            is_plugin: plugin.is_some(),
            slots: Vec::new(),
            owners: plugin.unwrap_or(Owners::UNKNOWN),
            forms: HashMap::new(),
            listed: BTreeSet::new(),
            change: Change::default(),
            carried: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, slot: Slot) {
        let Ok(at) = u32::try_from(self.slots.len()) else { return };
        let form = self.owners.canonical(slot.form);
        // Of two records with one FormID the first is named.
        self.forms.entry(form).or_insert(at);
        self.slots.push(Slot { form, ..slot });
    }

    /// What is written as it was read, since it cannot be understood.
    pub fn carried(&self) -> &[Finding] {
        &self.carried
    }

    /// The mesh of a record as it is now; the null FormID is a field that stands alone.
    pub fn mesh(&self, form: FormId) -> Option<&NavMeshBuf> {
        self.slot(self.named_by(form)?).map(|slot| &slot.mesh)
    }

    /// The mesh that a FormID names.
    pub(crate) fn named_by(&self, form: FormId) -> Option<u32> {
        self.forms.get(&self.owners.canonical(form)).copied()
    }

    /// Whether a mesh is the one that its FormID names.
    pub(crate) fn is_named(&self, mesh: u32) -> bool {
        self.slot(mesh).is_some_and(|slot| self.named_by(slot.form) == Some(mesh))
    }

    pub(super) fn slot(&self, mesh: u32) -> Option<&Slot> {
        self.slots.get(mesh as usize)
    }

    /// A mesh that is about to be changed.
    ///
    /// # Errors
    /// If there is none, or the command has overwritten more than may be kept.
    pub(super) fn touch(&mut self, mesh: u32) -> Result<&mut Slot, Refusal> {
        if self.change.0.is_full() {
            return Err(Refusal::full());
        }
        let slot =
            self.slots.get_mut(mesh as usize).ok_or_else(|| Refusal::new("there is no such navmesh"))?;
        if slot.before.is_none() {
            slot.before = Some(Box::new(slot.mesh.clone()));
        }
        Ok(slot)
    }

    /// Notes a whole mesh before it gets other numbers.
    pub(super) fn note_whole(&mut self, mesh: u32) -> Result<(), Refusal> {
        let slot = self.touch(mesh)?;
        let whole = Box::new((slot.mesh.clone(), slot.ids.clone()));
        self.change.0.push(Delta::Whole(mesh, whole));
        Ok(())
    }
}

impl Editor for SkyrimEditor {
    type Key = Item;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = super::select::SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn weight(change: &Change) -> u64 {
        change.0.weight()
    }

    fn allow(&mut self, values: u64) {
        self.change.0.allow(values);
    }

    fn is_full(&self) -> bool {
        self.change.0.is_full()
    }

    fn take_change(&mut self) -> Option<Change> {
        self.change.0.take().map(Change)
    }

    fn swap(&mut self, change: &mut Change) {
        change.0.swap(|delta| delta.swap(&mut self.slots));
    }

    fn all(&self) -> Vec<Item> {
        let slots = (0_u32..).zip(&self.slots);
        slots.flat_map(|(mesh, slot)| slot.ids.iter().map(move |id| Item { mesh, id: *id })).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Item> {
        let mesh = self.mesh_named(space)?;
        let id = id.parse().ok()?;
        self.slot(mesh)?.place(id).map(|_| Item { mesh, id })
    }

    fn name(&self, key: Item) -> String {
        match self.slot(key.mesh) {
            Some(slot) if !slot.form.is_null() => format!("{}#{}", slot.form, key.id),
            _ => format!("#{}", key.id),
        }
    }

    fn footprint(&self, key: Item) -> Option<String> {
        let slot = self.slot(key.mesh)?;
        let corners = slot.mesh.corners(slot.triangle(key.id)?);
        Some(corners.as_flattened().iter().map(f32::to_string).collect::<Vec<_>>().join(" "))
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Item> {
        let mesh = self.mesh_named(space)?;
        let slot = self.slot(mesh)?;
        let mut items = slot.ids.iter().map(|id| Item { mesh, id: *id });
        items.find(|item| self.footprint(*item).as_deref() == Some(footprint))
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        self.select_atom(atom)
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.written()
    }

    fn report(&self) -> Report {
        let mut rows = [ReportRow { what: "triangles", ..ReportRow::default() }; 4];
        for (row, what) in rows.iter_mut().zip(["triangles", "vertices", "links", "doors"]) {
            row.what = what;
        }
        let mut notes = self.new_entries();
        for slot in &self.slots {
            let now = &slot.mesh;
            let was = slot.before.as_deref().unwrap_or(now);
            let sizes = |mesh: &NavMeshBuf| {
                [mesh.triangles.len(), mesh.vertices.len(), mesh.links.len(), mesh.doors.len()]
            };
            let bits = |vertex: &[f32; 3]| vertex.map(f32::to_bits);
            let differing = [
                was.triangles.iter().zip(&now.triangles).filter(|(a, b)| !a.same(b)).count(),
                was.vertices.iter().zip(&now.vertices).filter(|(a, b)| bits(a) != bits(b)).count(),
                was.links.iter().zip(&now.links).filter(|(a, b)| a != b).count(),
                was.doors.iter().zip(&now.doors).filter(|(a, b)| a != b).count(),
            ];
            let counts = sizes(was).into_iter().zip(sizes(now)).zip(differing);
            for (row, ((before, after), changed)) in rows.iter_mut().zip(counts) {
                row.before = row.before.saturating_add(before as u64);
                row.after = row.after.saturating_add(after as u64);
                row.made = row.made.saturating_add(after.saturating_sub(before) as u64);
                row.removed = row.removed.saturating_add(before.saturating_sub(after) as u64);
                if before == after {
                    row.changed = row.changed.saturating_add(changed as u64);
                }
            }
            if slot.differs() && was.triangles.len() != now.triangles.len() && self.is_plugin {
                notes.push(format!(
                    "{}: triangles have new numbers; meshes and doors of other plugins that name them are not changed",
                    slot.form
                ));
            }
            for (len, most, what) in [(now.triangles.len(), 5_000, "triangles")] {
                if len > most && slot.differs() {
                    notes.push(format!("{}: {len} {what}, the editor warns above {most}", slot.form));
                }
            }
        }
        Report { rows: rows.to_vec(), notes }
    }
}
