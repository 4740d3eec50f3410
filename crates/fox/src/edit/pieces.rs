//! Divides a segment that has lost faces.

use crate::buf::GroupBuf;
use crate::record::Segment;

/// The connected pieces that remain of a segment, each as its faces and their nodes.
pub(super) fn pieces(group: &GroupBuf, segment: &Segment, left: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let base = segment.nodes().start;
    let nodes_of = |face: usize| {
        let face = group.mesh.faces.get(face).unwrap_or_default();
        let count = if face.four_nodes { 4 } else { 3 };
        face.nodes.into_iter().take(count).map(usize::from)
    };
    // For each node of the segment, its piece, identified by the lowest face.
    let mut owner: Vec<Option<usize>> = vec![None; 256];
    let mut labels: Vec<usize> = (0..left.len()).collect();
    for (index, face) in left.iter().enumerate() {
        for node in nodes_of(*face) {
            let slot = owner.get_mut(node);
            let Some(slot) = slot else { continue };
            match *slot {
                None => *slot = Some(index),
                Some(other) => {
                    let (a, b) = (root(&labels, index), root(&labels, other));
                    labels.get_mut(a.max(b)).into_iter().for_each(|label| *label = a.min(b));
                }
            }
        }
    }
    let mut found: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
    for (index, face) in left.iter().enumerate() {
        let label = root(&labels, index);
        let at = found.iter().position(|(own, ..)| *own == label).unwrap_or_else(|| {
            found.push((label, Vec::new(), Vec::new()));
            found.len().saturating_sub(1)
        });
        if let Some((_, faces, nodes)) = found.get_mut(at) {
            faces.push(*face);
            nodes.extend(nodes_of(*face).map(|node| base.saturating_add(node)));
        }
    }
    found
        .into_iter()
        .map(|(_, faces, mut nodes)| {
            nodes.sort_unstable();
            nodes.dedup();
            (faces, nodes)
        })
        .collect()
}

fn root(labels: &[usize], mut of: usize) -> usize {
    while let Some(up) = labels.get(of).filter(|up| **up != of) {
        of = *up;
    }
    of
}
