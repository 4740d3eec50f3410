//! What a visit to a Bethesda mesh touches.

use navmap::format::skyrim::NavMesh;

/// Touches every record of a mesh through its getters.
pub(crate) fn touch(mesh: &NavMesh<'_>) -> u64 {
    let mut sum = 0u64;
    for vertex in mesh.vertices().iter() {
        sum = sum.wrapping_add(u64::from((vertex.x() + vertex.y() + vertex.z()).to_bits()));
    }
    for triangle in mesh.triangles().iter() {
        let [a, b, c] = triangle.vertices();
        let [d, e, f] = triangle.corners().edge_values();
        let words = [a, b, c, d, e, f, triangle.flags().0, triangle.cover_word()];
        sum = words.into_iter().fold(sum, |sum, word| sum.wrapping_add(word.into()));
    }
    for link in mesh.edge_links().iter() {
        sum = sum.wrapping_add(u64::from(link.navmesh().get()) + u64::from(link.triangle()));
    }
    for (triangle, door) in mesh.door_triangles().iter() {
        sum = sum.wrapping_add(u64::from(triangle) + u64::from(door.get()));
    }
    for triangle in mesh.cover().triangles() {
        sum = sum.wrapping_add(triangle.get().into());
    }
    for list in mesh.grid().unwrap().lists() {
        sum = list.iter().fold(sum, |sum, triangle| sum.wrapping_add(triangle.get().into()));
    }
    sum
}
