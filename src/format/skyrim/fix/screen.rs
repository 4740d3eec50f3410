//! A quick look at a mesh: whether a check would find anything that is repaired. Most meshes are sound, and a check also looks
//! for what nobody repairs.

#![forbid(unsafe_code)]

use crate::format::skyrim::check::{Report, grid};
use crate::format::skyrim::derive::{center, preferred_share};
use crate::format::skyrim::flags::TriangleFlags;
use crate::format::skyrim::form::FormId;
use crate::format::skyrim::iter::{Cover, TriangleRef};
use crate::format::skyrim::mapbuf::MapEntryBuf;
use crate::format::skyrim::record::{Edge, Vertex};
use crate::format::skyrim::view::NavMesh;

/// The most vertices or triangles that the signed indices of the editor can count.
const MOST_INDICES: usize = 32_767;

/// What a look at a mesh needs, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// How many edges name each link.
    named: Vec<u8>,
    found: Vec<FormId>,
    known: Vec<FormId>,
}

impl Screen {
    /// Whether nothing is wrong with a mesh by itself that is repaired, or should be. If something is, the check says what.
    pub(super) fn is_sound(&mut self, mesh: &NavMesh<'_>) -> bool {
        let mut sound = self.has_sound_triangles(mesh) && has_sound_doors(mesh);
        if sound {
            grid(mesh, &mut Report::new(&mut |_| sound = false));
        }
        sound
    }

    fn has_sound_triangles(&mut self, mesh: &NavMesh<'_>) -> bool {
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        let finite = |vertex: &Vertex| vertex.to_array().iter().all(|value| value.is_finite());
        if vertices.len().max(triangles.len()) > MOST_INDICES || !vertices.iter().all(finite) {
            return false;
        }
        self.named.clear();
        self.named.resize(mesh.edge_links().len(), 0);
        let mut covered = match mesh.cover() {
            Cover::Triangles(list) => list.iter(),
            _ => [].iter(),
        };
        for (index, triangle) in triangles.iter().enumerate() {
            let [Some(a), Some(b), Some(c)] = triangle.vertices().map(|vertex| vertices.get(vertex.into()))
            else {
                return false;
            };
            let [ax, ay, bx, by, cx, cy] = [a.x(), a.y(), b.x(), b.y(), c.x(), c.y()].map(f64::from);
            let doubled = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
            let in_list = match triangle {
                TriangleRef::V12(triangle) if triangle.cover().any() => {
                    covered.next().is_some_and(|listed| usize::from(listed.get()) == index)
                }
                _ => true,
            };
            let sound = triangle.edges().into_iter().all(|edge| match edge {
                Edge::Border => true,
                Edge::Neighbour(other) => usize::from(other) < triangles.len(),
                Edge::Link(link) => self.named.get_mut(usize::from(link)).is_some_and(|named| {
                    *named = named.saturating_add(1);
                    *named == 1
                }),
            });
            if doubled <= 0.0 || !in_list || !sound {
                return false;
            }
        }
        covered.next().is_none() && self.named.iter().all(|named| *named == 1)
    }

    /// Whether an entry names other linked meshes, other doors or another owner than its mesh, or says that it lies
    /// elsewhere.
    pub(super) fn is_stale(&mut self, entry: &MapEntryBuf, mesh: &NavMesh<'_>) -> bool {
        let linked = mesh.edge_links().iter().map(|link| link.navmesh());
        let linked = linked.filter(|form| *form != entry.navmesh);
        let known = entry.links.iter().chain(&entry.preferred_links).copied();
        if mesh.pathing_cell() != Some(&entry.pathing_cell) || self.differ(linked, known) {
            return true;
        }
        let doors = mesh.door_triangles().iter().map(|(_, door)| door);
        if self.differ(doors, entry.doors.iter().map(|(_, door)| *door)) {
            return true;
        }
        let center = center(mesh.vertices().iter().map(Vertex::to_array));
        let far = center.iter().zip(entry.center).any(|(a, b)| (a - b).abs() > 0.05 + a.abs() * 1e-3);
        let triangles = mesh.triangles();
        let preferred = triangles.iter().filter(|t| t.flags().contains(TriangleFlags::PREFERRED)).count();
        let share = preferred_share(preferred, triangles.len());
        far || (share - entry.preferred).abs() > 1e-4
    }

    /// Whether one list names something that the other does not.
    fn differ(&mut self, one: impl Iterator<Item = FormId>, two: impl Iterator<Item = FormId>) -> bool {
        fn fill(list: &mut Vec<FormId>, forms: impl Iterator<Item = FormId>) {
            list.clear();
            for form in forms {
                // Links to one mesh mostly follow each other.
                if list.last() != Some(&form) {
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

fn has_sound_doors(mesh: &NavMesh<'_>) -> bool {
    let triangles = mesh.triangles();
    mesh.door_triangles().iter().all(|(triangle, _)| {
        triangles.get(triangle.into()).is_some_and(|triangle| triangle.flags().contains(TriangleFlags::DOOR))
    })
}
