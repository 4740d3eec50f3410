//! What became of the parts of the meshes that a model replaced.

use crate::form::FormId;
use std::fmt;

/// What a model did to the navmeshes of a plugin. It prints a line or more for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelBill {
    /// A bill for each mesh, in the order of the model's objects.
    pub meshes: Vec<MeshBill>,
}

/// What a model did to one navmesh.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshBill {
    /// The navmesh.
    pub form: FormId,
    /// The cell, if the mesh is new.
    pub new_in: Option<FormId>,
    /// Triangles that stayed.
    pub kept: usize,
    /// Triangles that the model brought.
    pub fresh: usize,
    /// Triangles that the model lacks.
    pub gone: usize,
    /// Faces that faced down and were turned over.
    pub turned: usize,
    /// Whether the mesh is written otherwise than it was read.
    pub changed: bool,
    /// Triangles of the model that took over flags.
    pub flags: usize,
    /// Triangles that stayed, to which a material gave other flags.
    pub set: usize,
    /// Edge links that went over to a triangle of the model.
    pub links: usize,
    /// Edge links to neighbours that were found.
    pub found: usize,
    /// Doors that went over to another triangle.
    pub doors: usize,
    /// Edges whose cover went over to a triangle of the model.
    pub cover: usize,
    /// What is lost, a line each.
    pub lost: Vec<String>,
}

impl ModelBill {
    /// How many things are lost in all meshes.
    pub fn lost(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.lost.len()).fold(0, usize::saturating_add)
    }
}

impl MeshBill {
    pub(super) fn new(form: FormId, new_in: Option<FormId>) -> Self {
        Self {
            form,
            new_in,
            kept: 0,
            fresh: 0,
            gone: 0,
            turned: 0,
            changed: false,
            flags: 0,
            set: 0,
            links: 0,
            found: 0,
            doors: 0,
            cover: 0,
            lost: Vec::new(),
        }
    }
}

impl fmt::Display for ModelBill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, mesh) in self.meshes.iter().enumerate() {
            if nth > 0 {
                writeln!(f)?;
            }
            write!(f, "{mesh}")?;
        }
        Ok(())
    }
}

/// A count with its noun.
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl fmt::Display for MeshBill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("[NAVM:{}]", self.form);
        match self.new_in {
            Some(cell) => {
                let triangles = counted(self.fresh, "triangle", "triangles");
                write!(f, "{name}: new in [CELL:{cell}], {triangles}")?;
            }
            None if !self.changed => {
                return write!(f, "{name}: as it was, {}", counted(self.kept, "triangle", "triangles"));
            }
            None => {
                let kept = counted(self.kept, "triangle", "triangles");
                write!(f, "{name}: {kept} as before, {} new, {} gone", self.fresh, self.gone)?;
            }
        }
        if self.turned > 0 {
            write!(f, "; turned over, since facing down: {}", counted(self.turned, "face", "faces"))?;
        }
        let carried: Vec<String> = [
            (self.links, "edge link", "edge links"),
            (self.doors, "door", "doors"),
            (self.cover, "edge with cover", "edges with cover"),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(count, one, many))
        .chain((self.flags > 0).then(|| format!("flags of {}", counted(self.flags, "triangle", "triangles"))))
        .collect();
        if !carried.is_empty() {
            write!(f, "; taken over: {}", carried.join(", "))?;
        }
        if self.set > 0 {
            write!(f, "; set by material: flags of {}", counted(self.set, "triangle", "triangles"))?;
        }
        if self.found > 0 {
            write!(f, "; found: {}", counted(self.found, "edge link", "edge links"))?;
        }
        self.lost.iter().try_for_each(|lost| write!(f, "\n{name}: lost: {lost}"))
    }
}
