//! Deletes faces.

use super::editor::{FoxEditor, Item};
use super::renew::none;
use crate::view::Crossing;
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;

/// Giving a face another number costs as much as looking at so many.
const RENEWED: u64 = 16;

impl FoxEditor {
    /// Deletes the selected faces, and all faces of selected segments and islands.
    pub(super) fn delete(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let alone = c.flag("--alone");
        let word = c.need("what to delete")?;
        c.finish()?;
        let items = s.select(self, &word)?;
        let mut gone = none(&self.world.tile);
        for item in items {
            let segments = match item {
                Item::Vertex(_) => {
                    let name = navmap_core::edit::Editor::name(self, item);
                    return Err(Refusal::new(format!("{name} where faces or segments were expected")));
                }
                Item::Face(slot) => {
                    if let Some((group, face)) = self.world.face(slot) {
                        mark(&mut gone, group, face..face.saturating_add(1));
                    }
                    continue;
                }
                Item::Segment(slot) => self.world.segment(slot).into_iter().collect(),
                Item::Island(slot) => {
                    self.world.island(slot).map(|island| self.of_island(island)).unwrap_or_default()
                }
            };
            for (group, segment) in segments {
                let segment = self.world.tile.groups.get(group).and_then(|group| group.segments.get(segment));
                mark(&mut gone, group, segment.map(|segment| segment.faces()).unwrap_or_default());
            }
        }
        let count = gone.iter().flatten().filter(|gone| **gone).count();
        if count == 0 {
            s.say("no face is named");
            return Ok(());
        }
        let tile = &self.world.tile;
        let all: usize = tile.groups.iter().map(|group| group.mesh.faces.len()).sum();
        if count == all {
            return Err(Refusal::new(format!("these are all {all} faces, and a tile without any is none")));
        }
        for (group, gone) in tile.groups.iter().zip(&gone) {
            if gone.iter().any(|gone| *gone) && gone.iter().all(|gone| *gone) {
                return Err(Refusal::new(format!(
                    "these are all {} faces of group {}, and a group without any was never seen",
                    gone.len(),
                    group.id.index()
                )));
            }
        }
        // Faces of other files refer to these by number.
        let changed: Vec<u16> = tile
            .groups
            .iter()
            .zip(&gone)
            .filter(|(_, gone)| gone.contains(&true))
            .map(|(g, _)| g.id.index())
            .collect();
        let absent = |group: u16| !tile.groups.iter().any(|own| own.id.index() == group);
        let outside = tile
            .groups
            .iter()
            .filter(|group| changed.contains(&group.id.index()))
            .flat_map(|group| group.world.crossings());
        let outside = outside
            .filter(|crossing| matches!(crossing, Some(Crossing::Group { group, .. }) if absent(group.0)))
            .count();
        if outside > 0 && !alone {
            return Err(Refusal::new(format!(
                "{outside} nodes of these groups are joined to another part of the tile, which names faces and nodes by number: --alone renumbers this part all the same"
            )));
        }
        let strips =
            tile.groups.iter().zip(&gone).flat_map(|(group, gone)| group.mesh.faces.iter().zip(gone));
        let borders = strips.filter(|(face, gone)| **gone && face.neighbours.contains(&0xBFFF)).count();
        // All that is left gets other numbers.
        s.look(RENEWED.saturating_mul(all as u64), self)?;
        let groups = self.world.tile.groups.clone();
        let segments =
            |editor: &Self| editor.world.tile.groups.iter().map(|group| group.segments.len()).sum::<usize>();
        let before = segments(self);
        self.world.lost.clear();
        self.world.renew(&groups, &gone)?;
        let after = segments(self);
        let faces = counted(count as u64, "face", "faces");
        s.say(format!("{faces} deleted, {} became {after}", counted(before as u64, "segment", "segments")));
        if borders > 0 {
            s.say(format!(
                "warning: {borders} of them were joined to other tiles, which still name this one"
            ));
        }
        if !self.world.lost.is_empty() {
            let lost: Vec<String> = self.world.lost.iter().map(usize::to_string).collect();
            s.say(format!(
                "islands without segments are gone: {}; those after them have moved up",
                lost.join(", ")
            ));
        }
        Ok(())
    }
}

fn mark(gone: &mut [Vec<bool>], group: usize, faces: std::ops::Range<usize>) {
    let own = gone.get_mut(group).and_then(|own| own.get_mut(faces));
    own.into_iter().flatten().for_each(|gone| *gone = true);
}
