//! Edge links between meshes of a plugin, after a model replaced some of them.

use super::fresh::Rebuilt;
use crate::buf::LinkBuf;
use crate::edit::{SkyrimEditor, Slot};
use crate::form::FormId;
use crate::owners::Owners;
use crate::record::{Edge, Parent};
use navmap_core::error::Result;
use std::collections::{HashMap, HashSet};

/// The most edges of one square of the plan that are compared.
const MOST_NEAR: usize = 64;

/// An edge of a mesh: its slot, triangle and number.
type Side = (u32, u16, u8);

/// What happens to a link of a mesh to one that was replaced.
enum Fate {
    /// It leads to the same triangle, which has another number, or to the edge that took its place.
    Leads(u16, Option<u8>),
    /// The edge that it led to is gone.
    Ends,
}

/// Meshes that share coordinates.
fn space(slot: &Slot, owners: Owners) -> (bool, FormId) {
    match slot.mesh.pathing_cell.parent() {
        Parent::Interior { cell } | Parent::Cell { cell } => (false, owners.canonical(cell)),
        Parent::Exterior { world, .. } => (true, owners.canonical(world)),
    }
}

/// Leads the links of all meshes to where the triangles of the replaced ones are now, and finds neighbours of what is open.
///
/// # Errors
/// If a mesh would have more links than can be numbered.
pub(super) fn relink(editor: &mut SkyrimEditor, rebuilt: &mut [(u32, Rebuilt)]) -> Result<()> {
    let numbers: HashMap<u32, usize> = (rebuilt.iter().enumerate())
        .filter(|(_, (at, _))| editor.is_named(*at))
        .map(|(number, (at, _))| (*at, number))
        .collect();
    let owners = editor.owners;
    let mut open: Vec<Side> = Vec::new();
    let mut fates: Vec<(Side, LinkBuf, Fate)> = Vec::new();
    for (at, slot) in (0_u32..).zip(&editor.slots) {
        for (triangle, edge, link) in slot.mesh.linked_edges() {
            let number = editor.named_by(link.navmesh).and_then(|at| numbers.get(&at));
            let Some((other, there)) = number.and_then(|number| rebuilt.get(*number)) else { continue };
            let before = editor.slots.get(*other as usize).and_then(|slot| slot.before.as_deref());
            let Some(stays) = there.stayed.get(usize::from(link.triangle)) else { continue };
            let fate = match stays {
                Some(now) if *now == link.triangle => continue,
                Some(now) => Fate::Leads(*now, None),
                None => {
                    let leads_here = |edge: &u8| {
                        let back = before.and_then(|before| before.link(link.triangle, *edge));
                        let named = !slot.mesh.is_tall() || *edge == link.edge;
                        named && back.is_some_and(|back| owners.same(back.navmesh, slot.form))
                    };
                    let went = (0..3).filter(leads_here);
                    let mut went = went.filter_map(|edge| there.carried.get(&(link.triangle, edge)));
                    went.next().map_or(Fate::Ends, |(now, edge)| Fate::Leads(*now, Some(*edge)))
                }
            };
            fates.push(((at, triangle, edge), link, fate));
        }
    }
    for ((at, triangle, edge), link, fate) in fates {
        let Some(slot) = editor.slots.get_mut(at as usize) else { continue };
        touch(slot);
        match fate {
            Fate::Leads(now, to) => {
                let link = LinkBuf { triangle: now, edge: to.unwrap_or(link.edge), ..link };
                slot.mesh.set_link(triangle, edge, link)?;
            }
            Fate::Ends => {
                slot.mesh.unlink(triangle, edge);
                open.push((at, triangle, edge));
            }
        }
    }
    for (at, there) in rebuilt.iter() {
        open.extend(there.fresh.iter().flat_map(|triangle| (0..3).map(|edge| (*at, *triangle, edge))));
    }
    stitch(editor, rebuilt, &open)
}

fn touch(slot: &mut Slot) {
    if slot.before.is_none() {
        slot.before = Some(Box::new(slot.mesh.clone()));
    }
}

/// The square of the plan that the middle of an edge lies in.
fn square([[ax, ay, _], [bx, by, _]]: [[f32; 3]; 2], side: f32) -> (i64, i64) {
    let of = |a: f32, b: f32| ((f64::from(a) + f64::from(b)) / 2.0 / f64::from(side)).floor() as i64;
    (of(ax, bx), of(ay, by))
}

/// Links open edges to borders of other meshes that run in the opposite direction within the editor's tolerances.
fn stitch(editor: &mut SkyrimEditor, rebuilt: &mut [(u32, Rebuilt)], open: &[Side]) -> Result<()> {
    // All meshes of a plugin are of one game.
    let scale = editor.slots.first().map_or(1.0, |slot| slot.mesh.scale());
    let side = 32.0 * scale;
    let owners = editor.owners;
    let seeking = |editor: &SkyrimEditor, (at, triangle, edge): Side| {
        let slot = editor.slots.get(at as usize)?;
        let is_open = slot.mesh.edge(triangle, edge) == Some(Edge::Border);
        let ends = slot.mesh.edge_ends(triangle, edge).filter(|_| is_open)?;
        Some((space(slot, owners), ends))
    };
    let spaces: HashSet<_> =
        open.iter().filter_map(|open| seeking(editor, *open)).map(|(space, _)| space).collect();
    type Squares = HashMap<((bool, FormId), (i64, i64)), Vec<Side>>;
    let mut borders: Squares = HashMap::new();
    let slots = (0_u32..).zip(&editor.slots);
    for (at, slot) in slots.filter(|(_, slot)| spaces.contains(&space(slot, owners))) {
        for (index, triangle) in (0_u16..).zip(&slot.mesh.triangles) {
            for (edge, to) in (0_u8..).zip(triangle.edges()) {
                if to == Edge::Border
                    && let Some(ends) = slot.mesh.edge_ends(index, edge)
                {
                    let list = borders.entry((space(slot, owners), square(ends, side))).or_default();
                    if list.len() < MOST_NEAR {
                        list.push((at, index, edge));
                    }
                }
            }
        }
    }
    for own in open {
        let Some((space, ends)) = seeking(editor, *own) else { continue };
        let (x, y) = square(ends, side);
        let mut found: Vec<(f32, Side)> = Vec::new();
        for key in
            (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x.saturating_add(dx), y.saturating_add(dy))))
        {
            for other in borders.get(&(space, key)).into_iter().flatten() {
                let Some(slot) = editor.slots.get(other.0 as usize).filter(|_| other.0 != own.0) else {
                    continue;
                };
                let is_open = slot.mesh.edge(other.1, other.2) == Some(Edge::Border);
                let apart = slot.mesh.apart(other.1, other.2, ends).filter(|_| is_open);
                found.extend(apart.map(|apart| (apart, *other)));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let other = match found.as_slice() {
            [(_, best)] => *best,
            [(best, other), (next, _), ..] if *next > best * 2.0 + scale => *other,
            _ => continue,
        };
        link(editor, *own, other)?;
        for (_, there) in rebuilt.iter_mut().filter(|(at, _)| [own.0, other.0].contains(at)) {
            there.bill.found = there.bill.found.saturating_add(1);
        }
    }
    Ok(())
}

/// Links two edges both ways.
fn link(editor: &mut SkyrimEditor, one: Side, other: Side) -> Result<()> {
    for ((at, triangle, edge), (there, to, back)) in [(one, other), (other, one)] {
        let Some(navmesh) = editor.slots.get(there as usize).map(|slot| slot.form) else { return Ok(()) };
        if let Some(slot) = editor.slots.get_mut(at as usize) {
            touch(slot);
            slot.mesh.set_link(triangle, edge, LinkBuf { kind: 0, navmesh, triangle: to, edge: back })?;
        }
    }
    Ok(())
}
