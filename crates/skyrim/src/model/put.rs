//! Puts a model into the meshes of an editor.

use super::bill::{MeshBill, ModelBill};
use super::corners::Corners;
use super::faces::{Aimed, aims, faces, refused, starts};
use super::fresh::{Rebuild, Rebuilt};
use super::made::Cells;
use super::names::Aim;
use super::neighbours::relink;
use crate::edit::{SkyrimEditor, Slot};
use crate::form::FormId;
use crate::plugin::Plugin;
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use std::collections::HashSet;

/// How far a corner that went through another program may lie from its vertex, in sixty-fourths of a yard. What metres in `f32` cost
/// at the rim of a worldspace is a third of it.
const NEAR: f32 = 0.0625;

impl SkyrimEditor {
    /// Puts the triangles of a model, in units with z up, into the navmeshes of a plugin: see [`model`](crate::model). The meshes of
    /// objects become those of the model, edge links to and from them lead on, neighbours of new borders are linked, and
    /// [`encode`](navmap_core::edit::Editor::encode) writes the plugin with grids, bounds, entries of the info map and doors.
    ///
    /// Linear time, but for triangles and doors that share no corner with what was there, of which 2²⁶ pairs a mesh are compared.
    ///
    /// ```
    /// use navmap::Limits;
    /// use navmap::edit::Editor;
    /// use navmap::format::skyrim::{Plugin, edit::SkyrimEditor};
    /// use navmap::import::{Format, read};
    ///
    /// let bytes = include_bytes!("../../../../corpus/skyrim/se/village.esp");
    /// let mut editor = SkyrimEditor::of_plugin(&Plugin::parse(bytes, &Limits::default())?)?;
    /// let obj = b"v 0 0 0\nv 256 0 0\nv 0 256 0\no NAVM 01000999\nf 1 2 3\n";
    /// let error = editor.put_model(&read(obj, Format::Obj)?).unwrap_err();
    /// assert_eq!(error.to_string(), "model: object NAVM 01000999, line 5: the plugin has no navmesh 01000999 that can be read");
    /// assert_eq!(editor.encode()?, bytes);
    /// # Ok::<(), navmap::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the name of an object says no record, or there is no such navmesh or cell, a face has no area seen from above, a side is
    /// shared by three, a material names no flag, or the editor could not number the parts. The error names the object and the
    /// face. Nothing has changed then, unless it is links to found neighbours that cannot be numbered.
    pub fn put_model(&mut self, scene: &Scene) -> Result<ModelBill> {
        if !self.is_plugin {
            return Err(Error::invalid("model", "names records, which one field by itself does not have"));
        }
        let aims = aims(scene, self.owners)?;
        let starts = starts(scene);
        let wanted: HashSet<FormId> = aims
            .iter()
            .filter_map(|aimed| match aimed.aim {
                Aim::Cell(cell) => Some(self.owners.canonical(cell)),
                Aim::Mesh(_) => None,
            })
            .collect();
        let mut cells = match wanted.is_empty() {
            true => None,
            false => Some(Cells::find(&Plugin::parse(&self.original, &self.limits)?, &wanted)),
        };
        let mut made = Vec::new();
        let mut done: Vec<(u32, Rebuilt)> = Vec::new();
        for aimed in &aims {
            let first = first_of(scene, aimed);
            let at = match (aimed.aim, &mut cells) {
                (Aim::Cell(cell), Some(cells)) => {
                    made.push(cells.make(scene, &first, self.owners.canonical(cell))?);
                    self.slots.len().saturating_add(made.len()).saturating_sub(1) as u32
                }
                (Aim::Mesh(form) | Aim::Cell(form), _) => self.named_by(form).ok_or_else(|| {
                    let why = format_args!("the plugin has no navmesh {form} that can be read");
                    refused(scene, &first, why)
                })?,
            };
            let slot = self.slots.get(at as usize).or(made.last());
            let Some(old) = slot.map(|slot| &slot.mesh) else { continue };
            let new_in = match aimed.aim {
                Aim::Cell(cell) => Some(cell),
                Aim::Mesh(_) => None,
            };
            let mut corners = Corners::new(NEAR * old.scale());
            let vertices: Vec<u32> = old.vertices.iter().map(|vertex| corners.add(*vertex)).collect();
            let vertices: Vec<u32> = vertices.into_iter().map(|place| corners.number(place)).collect();
            let faces = faces(scene, &starts, &aimed.polygons, &mut corners)?;
            let bill = MeshBill::new(slot.map_or(FormId::NULL, |slot| slot.form), new_in);
            let rebuild = Rebuild { scene, old, vertices: &vertices };
            let rebuilt = rebuild.run(faces, &corners, bill)?;
            rebuilt.mesh.fits().map_err(|error| refused(scene, &first, error))?;
            done.push((at, rebuilt));
        }
        made.into_iter().for_each(|slot| self.add(slot));
        for (at, rebuilt) in &mut done {
            let Some(slot) = self.slots.get_mut(*at as usize) else { continue };
            let old = std::mem::replace(&mut slot.mesh, rebuilt.mesh.clone());
            slot.before.get_or_insert_with(|| Box::new(old));
            slot.ids = std::mem::take(&mut rebuilt.ids);
            slot.seats = std::mem::take(&mut rebuilt.seats);
            self.listed.insert(slot.form);
        }
        relink(self, &mut done)?;
        for (at, rebuilt) in &mut done {
            rebuilt.bill.changed = self.slots.get(*at as usize).is_some_and(Slot::differs);
        }
        Ok(ModelBill { meshes: done.into_iter().map(|(_, rebuilt)| rebuilt.bill).collect() })
    }
}

/// The first polygon of an object.
fn first_of(scene: &Scene, aimed: &Aimed) -> navmap_core::graph::Polygon {
    aimed.polygons.first().and_then(|first| scene.polygons.get(*first)).copied().unwrap_or_default()
}
