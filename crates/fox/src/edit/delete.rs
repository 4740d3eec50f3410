//! Deletes faces.

use super::editor::{FoxEditor, Item};
use super::renew::none;
use crate::buf::GroupBuf;
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
        let gone = self.faces_of(items)?;
        let count = gone.iter().flatten().filter(|gone| **gone).count();
        if count == 0 {
            s.say("no face is named");
            return Ok(());
        }
        let tile = &self.world.tile;
        refuse_empty(&tile.groups, &gone)?;
        let outside = joined_to_other_parts(&tile.groups, &gone);
        if outside > 0 && !alone {
            return Err(Refusal::new(format!(
                "{outside} nodes of these groups are joined to another part of the tile, which names faces and nodes by number: --alone renumbers this part all the same"
            )));
        }
        let borders = at_other_tiles(&tile.groups, &gone);
        // All that is left gets other numbers.
        let all = gone.iter().map(Vec::len).sum::<usize>();
        s.look(RENEWED.saturating_mul(all as u64), self)?;
        let groups = self.world.tile.groups.clone();
        let before = self.segment_count();
        self.world.lost.clear();
        self.world.renew(&groups, &gone)?;
        let after = self.segment_count();
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

    /// The faces of items, marked in the list of each group.
    fn faces_of(&self, items: Vec<Item>) -> Result<Vec<Vec<bool>>, Refusal> {
        let mut marked = none(&self.world.tile);
        for item in items {
            let segments = match item {
                Item::Vertex(_) => {
                    let name = navmap_core::edit::Editor::name(self, item);
                    return Err(Refusal::new(format!("{name} where faces or segments were expected")));
                }
                Item::Face(slot) => {
                    if let Some((group, face)) = self.world.face(slot) {
                        mark(&mut marked, group, face..face.saturating_add(1));
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
                mark(&mut marked, group, segment.map(|segment| segment.faces()).unwrap_or_default());
            }
        }
        Ok(marked)
    }

    fn segment_count(&self) -> usize {
        self.world.tile.groups.iter().map(|group| group.segments.len()).sum()
    }
}

fn mark(marked: &mut [Vec<bool>], group: usize, faces: std::ops::Range<usize>) {
    let own = marked.get_mut(group).and_then(|own| own.get_mut(faces));
    own.into_iter().flatten().for_each(|marked| *marked = true);
}

/// Refuses to delete all faces of a tile, or of a group.
fn refuse_empty(groups: &[GroupBuf], gone: &[Vec<bool>]) -> Result<(), Refusal> {
    let all: usize = groups.iter().map(|group| group.mesh.faces.len()).sum();
    if gone.iter().flatten().filter(|gone| **gone).count() == all {
        return Err(Refusal::new(format!("these are all {all} faces, and a tile without any is none")));
    }
    for (group, gone) in groups.iter().zip(gone) {
        if gone.iter().any(|gone| *gone) && gone.iter().all(|gone| *gone) {
            return Err(Refusal::new(format!(
                "these are all {} faces of group {}, and a group without any was never seen",
                gone.len(),
                group.id.index()
            )));
        }
    }
    Ok(())
}

/// How many nodes of the changed groups lead to groups in other files, which refer to these by number.
fn joined_to_other_parts(groups: &[GroupBuf], gone: &[Vec<bool>]) -> usize {
    let changed = groups.iter().zip(gone).filter(|(_, gone)| gone.contains(&true));
    let absent = |group: u16| !groups.iter().any(|own| own.id.index() == group);
    changed
        .flat_map(|(group, _)| group.world.crossings())
        .filter(|crossing| matches!(crossing, Some(Crossing::Group { group, .. }) if absent(group.0)))
        .count()
}

/// How many of the deleted faces are joined to other tiles.
fn at_other_tiles(groups: &[GroupBuf], gone: &[Vec<bool>]) -> usize {
    let faces = groups.iter().zip(gone).flat_map(|(group, gone)| group.mesh.faces.iter().zip(gone));
    faces.filter(|(face, gone)| **gone && face.neighbours.contains(&0xBFFF)).count()
}
