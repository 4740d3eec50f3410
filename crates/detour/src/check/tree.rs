//! Checks the tree of boxes: every step leads forward and stays inside, every ground polygon has its leaf, boxes cover their
//! contents.

use super::Report;
use crate::iter::TileEntry;
use crate::layout::Section;
use crate::record::BvNode;
use navmap_core::Severity::Error;

impl Report<'_> {
    pub(super) fn tree(&mut self, entry: &TileEntry<'_>) {
        let tile = &entry.tile;
        let (tree, ground) = (tile.tree(), tile.ground());
        if tree.is_empty() {
            return;
        }
        // In an even number of nodes the last is unused.
        let last = tree.len().saturating_sub(1);
        let spare = |index: usize, node: &BvNode| index == last && *node == BvNode::default() && index > 0;
        let mut leaves = vec![false; ground];
        let mut sound = true;
        for (index, node) in tree.iter().enumerate().filter(|(index, node)| !spare(*index, node)) {
            let at = (Section::Tree, index);
            let stored = node.index();
            if let Ok(polygon) = usize::try_from(stored) {
                match leaves.get_mut(polygon).map(|leaf| std::mem::replace(leaf, true)) {
                    Some(true) => {
                        sound = false;
                        self.say(
                            (Error, "tree-leaf"),
                            entry,
                            at,
                            format!("polygon {polygon} has a leaf already"),
                        );
                    }
                    Some(false) => self.leaf(entry, index, node, polygon),
                    None => {
                        sound = false;
                        let message = format!("its polygon {polygon} is outside 0..{ground}");
                        self.say((Error, "tree-index"), entry, at, message);
                    }
                }
            } else {
                let ends = (stored.unsigned_abs() as usize).saturating_add(index);
                if ends > tree.len() {
                    sound = false;
                    let message = format!("leads on to node {ends}, there are {}", tree.len());
                    self.say((Error, "tree-skip"), entry, at, message);
                }
            }
        }
        let missing = leaves.iter().filter(|leaf| !**leaf).count();
        if sound && missing > 0 {
            let message = format!("{missing} of {ground} ground polygons have no leaf");
            self.say((Error, "tree-leaf"), entry, (Section::Tree, 0), message);
        }
    }

    /// Checks that the box of a leaf covers its polygon, within a cell.
    fn leaf(&mut self, entry: &TileEntry<'_>, index: usize, node: &BvNode, polygon: usize) {
        let tile = &entry.tile;
        let head = tile.head();
        let Some(stored) = tile.polygons().get(polygon) else { return };
        let covers = |mirrored: bool| {
            (0..stored.corners().len()).filter_map(|corner| tile.corner(&stored, corner)).all(|corner| {
                let mut axes = corner.into_iter().zip(head.min).zip(head.max).zip(node.min()).zip(node.max());
                let mut axis = 0;
                axes.all(|((((value, min), max), low), high)| {
                    let from = if mirrored && axis == 0 { max - value } else { value - min };
                    axis = 1;
                    let cell = from * head.factor;
                    // Boxes are truncated to 16 bits.
                    let cell = if cell.is_nan() { 0.0 } else { cell.clamp(0.0, 65_535.0) };
                    f32::from(low) - 1.5 <= cell && cell <= f32::from(high) + 1.5
                })
            })
        };
        if !(covers(false) || tile.layout().z_up() && covers(true)) {
            let message = format!("its box does not cover polygon {polygon}");
            self.say((Error, "tree-box"), entry, (Section::Tree, index), message);
        }
    }
}
