//! Joins segments along shared sides, and separates them.

use super::editor::{FoxEditor, Item};
use super::renew::{none, tidy};
use crate::buf::GroupBuf;
use crate::record::NodeIndex;
use crate::view::Crossing;
use navmap_core::edit::{Command, Refusal, Scope};

/// A side of a face: group, face, side.
pub(super) type Side = (usize, usize, usize);

impl FoxEditor {
    fn two(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<[(usize, usize); 2], Refusal> {
        let (a, b) = (c.need("a segment")?, c.need("a second segment")?);
        c.finish()?;
        let mut one = |word| match s.one(self, &word)? {
            Item::Segment(slot) => {
                self.world.segment(slot).ok_or_else(|| Refusal::new("there is no such segment"))
            }
            other => {
                Err(Refusal::new(format!("{} is no segment", navmap_core::edit::Editor::name(self, other)))
                    .at(word.at))
            }
        };
        let both = [one(a)?, one(b)?];
        if both.first() == both.last() {
            return Err(Refusal::new("that is one segment"));
        }
        Ok(both)
    }

    /// The sides of a segment's faces, with their quantised ends.
    fn sides(&self, (group, segment): (usize, usize)) -> Vec<(Side, [u16; 3], [u16; 3])> {
        let Some(buf) = self.world.tile.groups.get(group) else { return Vec::new() };
        let faces = buf.segments.get(segment).map(|segment| segment.faces()).unwrap_or_default();
        let mut sides = Vec::new();
        for face in faces {
            let Some(corners) = super::editor::corners_of(buf, face) else { continue };
            let next = corners.iter().cycle().skip(1);
            for (side, (a, b)) in corners.iter().zip(next).enumerate() {
                sides.push(((group, face, side), a.quantised(), b.quantised()));
            }
        }
        sides
    }

    pub(super) fn link(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let [a, b] = self.two(c, s)?;
        let (of_a, of_b) = (self.sides(a), self.sides(b));
        let mut groups = self.world.tile.groups.clone();
        let open = |groups: &[GroupBuf], side: Side| word(groups, side) == Some(0xFFFF);
        let (mut joined, mut shared) = (0_usize, 0_usize);
        for (from, p, q) in &of_a {
            // Neighbours traverse a side in opposite directions.
            for (to, ..) in of_b.iter().filter(|(_, r, t)| (p, q) == (t, r)) {
                shared = shared.saturating_add(1);
                if open(&groups, *from) && open(&groups, *to) {
                    set(&mut groups, *from, Some(*to));
                    set(&mut groups, *to, Some(*from));
                    joined = joined.saturating_add(1);
                }
            }
        }
        if joined == 0 {
            let why = match shared {
                0 => "they share no side".to_owned(),
                _ => format!("the {shared} sides that they share are joined already"),
            };
            return Err(Refusal::new(why));
        }
        let gone = none(&self.world.tile);
        self.world.renew(&groups, &gone)?;
        s.say(format!("joined over {joined} sides"));
        self.merge_twins(s);
        Ok(())
    }

    pub(super) fn unlink(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let [a, b] = self.two(c, s)?;
        let mut groups = self.world.tile.groups.clone();
        let mut cut = 0_usize;
        let of_b = self.sides(b);
        for (from, p, q) in self.sides(a) {
            let Some(there) = leads(&groups, from).filter(|(group, face)| {
                let segment = groups
                    .get(*group)
                    .and_then(|group| group.mesh.faces.get(*face))
                    .map(|face| face.segment.index());
                (*group, segment) == (b.0, Some(b.1))
            }) else {
                continue;
            };
            let back = of_b.iter().find(|(side, r, t)| (side.0, side.1) == there && (p, q) == (*t, *r));
            set(&mut groups, from, None);
            if let Some((to, ..)) = back {
                set(&mut groups, *to, None);
            }
            cut = cut.saturating_add(1);
        }
        if cut == 0 {
            return Err(Refusal::new("nothing joins them"));
        }
        let gone = none(&self.world.tile);
        self.world.renew(&groups, &gone)?;
        s.say(format!("cut apart over {cut} sides"));
        Ok(())
    }
}

fn word(groups: &[GroupBuf], (group, face, side): Side) -> Option<u16> {
    groups.get(group)?.mesh.faces.get(face)?.neighbours.get(side).copied()
}

/// The group and face that a side leads to, if they are in this file.
pub(super) fn leads(groups: &[GroupBuf], side: Side) -> Option<(usize, usize)> {
    let word = word(groups, side).filter(|word| *word != 0xFFFF)?;
    let face = usize::from(word & 0x3FFF);
    match word >> 14 {
        0 => Some((side.0, face)),
        1 => {
            let id = groups.get(side.0)?.mesh.faces.get(side.1)?.groups.get(side.2).copied()?;
            Some((groups.iter().position(|group| group.id.index() == id)?, face))
        }
        _ => None,
    }
}

/// The node at the middle of a side, numbered in its group.
fn node(groups: &[GroupBuf], (group, face, side): Side) -> Option<usize> {
    let group = groups.get(group)?;
    let face = group.mesh.faces.get(face)?;
    let base = group.segments.get(face.segment.index())?.nodes().start;
    base.checked_add(usize::from(*face.nodes.get(side)?))
}

/// Makes a side lead to another one, or nowhere.
fn set(groups: &mut [GroupBuf], from: Side, to: Option<Side>) {
    let at = node(groups, from);
    let there = to.and_then(|to| {
        let id = groups.get(to.0)?.id.group();
        Some((to, id, NodeIndex(u16::try_from(node(groups, to)?).ok()?)))
    });
    let Some(group) = groups.get_mut(from.0) else { return };
    let Some(mut face) = group.mesh.faces.get(from.1) else { return };
    let (word, id, crossing) = match there {
        None => (0xFFFF, 0xFFFF, None),
        Some((to, _, node)) if to.0 == from.0 => {
            (to.1 as u16 & 0x3FFF, 0xFFFF, Some(Crossing::Segment { node }))
        }
        Some((to, id, node)) => {
            (0x4000 | to.1 as u16 & 0x3FFF, id.0, Some(Crossing::Group { group: id, node }))
        }
    };
    face.neighbours.get_mut(from.2).into_iter().for_each(|slot| *slot = word);
    face.groups.get_mut(from.2).into_iter().for_each(|slot| *slot = id);
    tidy(&mut face);
    group.mesh.faces.set(from.1, face);
    if let Some(at) = at {
        group.world.set_crossings(|node, before| if node == at { crossing } else { before });
    }
}
