//! Quickly screens a mesh for anything a check would find and a plan would repair. Most meshes are sound, and a check also finds
//! what nobody repairs.

use crate::check::{Report, Room, cover, ends, grid_in};
use crate::flags::{LinkKind, TriangleFlags};
use crate::iter::{Cover, TriangleRef, Triangles};
use crate::record::{Edge, EdgeLink, NO_NEIGHBOUR, Vertex};
use crate::view::NavMesh;

/// The most vertices or triangles that the signed indices of the editor can count.
const MOST_INDICES: usize = 32_767;

/// Buffers of a screening, reused.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// The number of edges that name each link.
    named: Vec<u8>,
    room: Room,
}

impl Screen {
    /// Hands every edge that is a link to `put`, as triangle, edge and link. If `mends`, returns whether the mesh has no internal
    /// errors that are, or should be, repaired; a check finds the details. One pass over the triangles.
    pub(super) fn look(
        &mut self,
        mesh: &NavMesh<'_>,
        mends: bool,
        mut put: impl FnMut(u16, u8, u16),
    ) -> bool {
        let (vertices, triangles, links) = (mesh.vertices(), mesh.triangles(), mesh.edge_links().len());
        if !mends && links == 0 {
            return true;
        }
        let finite = |vertex: &Vertex| vertex.to_array().iter().all(|value| value.is_finite());
        let mut sound = mends
            && vertices.len().max(triangles.len()) <= MOST_INDICES
            && vertices.iter().all(finite)
            && has_sound_doors(mesh)
            && has_sound_rest(mesh);
        self.named.clear();
        self.named.resize(links, 0);
        let mut covered = match mesh.cover() {
            Cover::Triangles(list) => list.iter(),
            _ => [].iter(),
        };
        for (index, triangle) in (0_u16..=u16::MAX).zip(triangles.iter()) {
            for (edge, to) in (0_u8..).zip(triangle.edges()) {
                match to {
                    Edge::Border => {}
                    Edge::Neighbour(other) => {
                        sound = sound && meets(triangles, (index, triangle, edge), other);
                    }
                    Edge::Link(link) => {
                        put(index, edge, link);
                        let named = self.named.get_mut(usize::from(link));
                        sound &= named.is_some_and(|named| std::mem::replace(named, 1) == 0);
                    }
                }
            }
            if !sound {
                continue;
            }
            let [Some(a), Some(b), Some(c)] = triangle.vertices().map(|vertex| vertices.get(vertex.into()))
            else {
                sound = false;
                continue;
            };
            let [ax, ay, bx, by, cx, cy] = [a.x(), a.y(), b.x(), b.y(), c.x(), c.y()].map(f64::from);
            let doubled = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
            let in_list = match triangle {
                TriangleRef::V12(triangle) if triangle.cover().any() => {
                    covered.next().is_some_and(|listed| listed.get() == index)
                }
                _ => true,
            };
            sound = doubled > 0.0 && in_list;
        }
        sound &= covered.next().is_none() && self.named.iter().all(|named| *named == 1);
        if sound && !matches!((mesh.cover(), triangles), (Cover::Triangles(_), Triangles::V12(_))) {
            cover(mesh, &mut Report::new(&mut |_| sound = false));
        }
        if sound {
            grid_in(&mut self.room, mesh, &mut Report::new(&mut |_| sound = false));
        }
        sound || !mends
    }
}

/// Whether a neighbour points back, over an edge with the same ends.
fn meets(
    triangles: Triangles<'_>,
    (index, triangle, edge): (u16, TriangleRef<'_>, u8),
    neighbour: u16,
) -> bool {
    let Some(there) = triangles.get(neighbour.into()) else { return false };
    let (a, b) = ends(triangle, edge.into());
    let back = |(at, to): (usize, Edge)| to == Edge::Neighbour(index) && ends(there, at) == (b, a);
    there.edges().into_iter().enumerate().any(back)
}

/// Whether waypoints stand on triangles that exist, and links are of known kinds.
fn has_sound_rest(mesh: &NavMesh<'_>) -> bool {
    let len = mesh.triangles().len();
    let stands = |triangle: u16| triangle == NO_NEIGHBOUR || usize::from(triangle) < len;
    mesh.waypoints().iter().all(|waypoint| stands(waypoint.triangle()))
        && !mesh.edge_links().iter().map(EdgeLink::kind).any(|kind| matches!(kind, LinkKind::Unknown(_)))
}

fn has_sound_doors(mesh: &NavMesh<'_>) -> bool {
    let triangles = mesh.triangles();
    mesh.door_triangles().iter().all(|(triangle, _)| {
        triangles.get(triangle.into()).is_some_and(|triangle| triangle.flags().contains(TriangleFlags::DOOR))
    })
}
