//! Nodes that were split into several, or merged from several.

use super::matching::{Matching, NONE, Near, Side};

/// The share of the surface that is enough: corners of cuts are rounded.
const WHOLE: f64 = 0.99;

/// One node of a mesh that is several nodes of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The whole.
    pub whole: u32,
    /// The parts it was split into or merged from, at least two, in file order.
    pub parts: Vec<u32>,
}

/// Finds the nodes of `side` that are several nodes of `other`: each of those lies in the node, and together they cover it. Only
/// nodes that changed or have no partner are examined: `partners` and `theirs` are those of both meshes.
pub(super) fn find(
    side: &Side<'_>,
    other: &Side<'_>,
    partners: &[u32],
    theirs: &[u32],
    apart: f64,
) -> Vec<Parts> {
    if !theirs.contains(&NONE) {
        return Vec::new();
    }
    // A part has no partner, or the whole itself, whose shape is then another.
    let near = Near::new(other, |part| match theirs[part as usize] {
        NONE => true,
        partner => !other.has_shape_of(part, side, partner),
    });
    let mut found = Vec::new();
    let mut taken = vec![false; theirs.len()];
    for (whole, &partner) in (0..).zip(partners) {
        if partner != NONE && side.has_shape_of(whole, other, partner) {
            continue;
        }
        let Some(outline) = side.outline(whole).filter(|outline| outline.has_surface()) else { continue };
        let (mut parts, mut covered) = (Vec::new(), 0.0);
        near.visit(outline, apart, &mut |part| {
            let free = theirs[part as usize] == NONE || part == partner;
            if !free || taken[part as usize] {
                return;
            }
            let Some(piece) = other.outline(part).filter(|piece| piece.has_surface()) else { return };
            let shared = side.shared(whole, (other, part), apart);
            if shared >= WHOLE * piece.area {
                covered += shared;
                parts.push(part);
            }
        });
        if parts.len() >= 2 && covered >= WHOLE * outline.area {
            parts.sort_unstable();
            parts.iter().for_each(|&part| taken[part as usize] = true);
            found.push(Parts { whole, parts });
        }
    }
    found
}

/// Both directions: splits and merges.
pub(super) fn both(
    before: &Side<'_>,
    after: &Side<'_>,
    matching: &Matching,
    apart: f64,
) -> (Vec<Parts>, Vec<Parts>) {
    let split = find(before, after, &matching.after, &matching.before, apart);
    let merged = find(after, before, &matching.before, &matching.after, apart);
    (split, merged)
}
