//! Whether an entry of the navmesh info map fits its mesh.

use crate::derive::{center, preferred_share};
use crate::flags::TriangleFlags;
use crate::form::FormId;
use crate::navi::MapEntry;
use crate::owners::Owners;
use crate::record::Vertex;
use crate::view::NavMesh;

/// Compares entries with meshes, in buffers that are reused.
#[derive(Debug, Default)]
pub(crate) struct Fit {
    found: Vec<FormId>,
    known: Vec<FormId>,
}

impl Fit {
    /// Whether an entry disagrees with its mesh about linked meshes, doors, owner, or position. `renamed` makes a FormID of the entry
    /// one of the mesh's plugin, null if there is none.
    pub(crate) fn is_stale(
        &mut self,
        entry: &MapEntry<'_>,
        mesh: &NavMesh<'_>,
        owners: Owners,
        renamed: impl Fn(FormId) -> FormId,
    ) -> bool {
        let canonical = |form: FormId| owners.canonical(form);
        let theirs = |form: FormId| canonical(renamed(form));
        let own = theirs(entry.head.navmesh());
        let linked = mesh.edge_links().iter().map(|link| canonical(link.navmesh()));
        let known = entry.links.iter().chain(entry.preferred_links).copied().map(theirs);
        let cell = entry.pathing_cell.renamed(|form| Some(renamed(form)));
        if mesh.pathing_cell().zip(cell).is_none_or(|(cell, known)| !cell.same(known, owners))
            || self.differ(linked.filter(|form| *form != own), known)
        {
            return true;
        }
        let doors = mesh.door_triangles().iter().map(|(_, door)| canonical(door));
        if self.differ(doors, entry.doors.iter().map(|door| theirs(door.reference()))) {
            return true;
        }
        let center = center(mesh.vertices().iter().map(Vertex::to_array));
        let far = center
            .iter()
            .zip(entry.head.center().to_array())
            .any(|(a, b)| (a - b).abs() > 0.05 + a.abs() * 1e-3);
        let triangles = mesh.triangles();
        let preferred = triangles.iter().filter(|t| t.flags().contains(TriangleFlags::PREFERRED)).count();
        let share = preferred_share(preferred, triangles.len());
        far || (share - entry.head.preferred_share()).abs() > 1e-4
    }

    /// Whether one list has an item that the other lacks.
    fn differ(&mut self, one: impl Iterator<Item = FormId>, two: impl Iterator<Item = FormId>) -> bool {
        fn fill(list: &mut Vec<FormId>, forms: impl Iterator<Item = FormId>) {
            list.clear();
            for form in forms {
                // Most meshes are linked to four or eight others. Of a long list only the end is searched.
                let start = list.len().saturating_sub(16);
                if !list.get(start..).unwrap_or_default().contains(&form) {
                    list.push(form);
                }
            }
            list.sort_unstable();
            list.dedup();
        }
        fill(&mut self.found, one);
        fill(&mut self.known, two);
        self.found != self.known
    }
}
