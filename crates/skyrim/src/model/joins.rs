//! Neighbours of triangles that a model brought.

use super::heirs::sides;
use crate::buf::NavMeshBuf;
use crate::record::Edge;
use std::collections::{BTreeSet, HashMap};

/// What is wrong with a side of a new triangle.
pub(super) struct Crowded {
    /// The triangle.
    pub(super) triangle: u16,
    /// The ends of the side.
    pub(super) side: (u32, u32),
    pub(super) why: &'static str,
}

/// Makes neighbours of new triangles and those that have a side in common with them the other way round.
///
/// # Errors
/// If more than two triangles have a side in common.
pub(super) fn join(mesh: &mut NavMeshBuf, places: &[Option<[u32; 3]>], fresh: &[u16]) -> Result<(), Crowded> {
    let mut is_fresh = vec![false; mesh.triangles.len()];
    for index in fresh {
        is_fresh.get_mut(usize::from(*index)).into_iter().for_each(|is| *is = true);
    }
    let mut owners: HashMap<(u32, u32), (u16, u8)> = HashMap::new();
    for new in [false, true] {
        for ((index, places), is_fresh) in (0_u16..).zip(places).zip(&is_fresh) {
            let Some(places) = places.filter(|_| *is_fresh == new) else { continue };
            for (edge, side) in (0_u8..).zip(sides(places)) {
                if new && owners.contains_key(&side) {
                    let why = "two triangles lie on the same side of it";
                    return Err(Crowded { triangle: index, side, why });
                }
                owners.entry(side).or_insert((index, edge));
            }
        }
    }
    for index in fresh {
        let Some(places) = places.get(usize::from(*index)).copied().flatten() else { continue };
        for (edge, (from, to)) in (0_u8..).zip(sides(places)) {
            let Some((other, back)) = owners.get(&(to, from)).copied() else { continue };
            match (mesh.edge(*index, edge), mesh.edge(other, back)) {
                (Some(Edge::Border), Some(Edge::Border)) => {
                    for (triangle, edge, to) in [(*index, edge, other), (other, back, *index)] {
                        mesh.clear_cover(triangle, edge);
                        if let Some(triangle) = mesh.triangles.get_mut(usize::from(triangle)) {
                            triangle.set_edge(usize::from(edge), Edge::Neighbour(to));
                        }
                    }
                }
                (Some(Edge::Border), Some(Edge::Neighbour(third))) if third != *index => {
                    let why = "three triangles share it";
                    return Err(Crowded { triangle: *index, side: (from, to), why });
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// How many sides two neighbours shared that are borders now, though both are still there, as they were or as a new triangle: in
/// a model where each face has corners of its own, one of them moved alone. `replaced` is old triangles with the new ones that
/// lie there, before what is left of `dead` ones is taken out.
pub(super) fn torn(
    old: &NavMeshBuf,
    mesh: &NavMeshBuf,
    dead: &[u16],
    replaced: &BTreeSet<(u16, u16)>,
) -> usize {
    let is_dead = |index: u16| dead.binary_search(&index).is_ok();
    let is_replaced = |index: u16| replaced.range((index, 0)..=(index, u16::MAX)).next().is_some();
    let edges = |mesh: &NavMeshBuf, index: u16| {
        mesh.triangles.get(usize::from(index)).map(|triangle| triangle.edges()).unwrap_or([Edge::Border; 3])
    };
    // Edges of a new triangle may have other numbers.
    let opened = |index: u16| {
        let borders = |mesh| edges(mesh, index).iter().filter(|edge| **edge == Edge::Border).count();
        replaced.contains(&(index, index)) && borders(mesh) > borders(old)
    };
    let mut torn = 0_usize;
    for (index, triangle) in (0_u16..).zip(&old.triangles) {
        for (edge, to) in (0_u8..).zip(triangle.edges()) {
            let Edge::Neighbour(other) = to else { continue };
            let parted = match (is_dead(index), is_dead(other)) {
                (false, true) => is_replaced(other) && mesh.edge(index, edge) == Some(Edge::Border),
                (true, true) => {
                    let apart = !edges(mesh, index).contains(&Edge::Neighbour(other));
                    index < other && apart && opened(index) && opened(other)
                }
                _ => false,
            };
            torn = torn.saturating_add(parted.into());
        }
    }
    torn
}
