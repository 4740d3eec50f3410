//! The remaining differences of a mesh after the commands of a difference have run.

use super::between::Work;
use super::editor::SkyrimEditor;
use super::slot::Slot;
use crate::buf::{GridBuf, LinkBuf, NavMeshBuf, TriangleBuf};
use crate::renumber::rename_mesh;
use navmap_core::edit::Unreached;
use navmap_core::text::counted;
use std::collections::{BTreeMap, BTreeSet};

/// Records every remaining difference of a mesh from the intended one.
pub(super) fn compare(work: &Work<'_>, at: usize, slot: &Slot, is: &NavMeshBuf, unreached: &mut Unreached) {
    let (mut now, mut is) = (slot.settled(), is.clone());
    // One record may have two FormIDs.
    for (mesh, owners) in [(&mut now, work.session.editor().owners), (&mut is, work.after.owners)] {
        let _ = rename_mesh(mesh, |form| Some(owners.canonical(form)));
    }
    let is = &is;
    if now.same(is) {
        return;
    }
    let Some(pair) = work.meshes.get(at) else { return };
    unreached.note("version", now.version != is.version);
    unreached.note("owner", now.pathing_cell != is.pathing_cell);
    unreached.note("new triangles", pair.back.len() < is.triangles.len());
    unreached.note("triangles that cannot be deleted", pair.pairs.len() < now.triangles.len());
    let (mut shapes, mut flags, mut words, mut heights) = (false, false, false, false);
    let (mut edges, mut links, mut sorted) = (false, false, true);
    for (id, place) in &pair.pairs {
        let here = slot.place(*id);
        let (Some(a), Some(b)) =
            (here.and_then(|here| now.triangles.get(usize::from(here))), is.triangles.get(*place as usize))
        else {
            continue;
        };
        sorted &= here.map(u32::from) == Some(*place);
        let bits =
            |mesh: &NavMeshBuf, t: &TriangleBuf| mesh.corners(t).map(|corner| corner.map(f32::to_bits));
        shapes |= bits(&now, a) != bits(is, b);
        flags |= a.flags.0 & !crate::flags::BOUND != b.flags.0 & !crate::flags::BOUND;
        words |= a.cover != b.cover;
        heights |= (a.height.to_bits(), a.unknown_0x10) != (b.height.to_bits(), b.unknown_0x10);
        for edge in 0..3 {
            let [was, to] = work.beside(at, *id, *place, edge);
            edges |= was != to;
            let [a, b] = work.link_of(at, *id, *place, edge);
            let told = |(link, target): (LinkBuf, _)| (link.kind, link.edge, target);
            links |= a.map(told) != b.map(told);
        }
    }
    unreached.note("corners", shapes);
    unreached.note("flags", flags);
    unreached.note("cover words", words);
    unreached.note("heights of triangles", heights);
    unreached.note("neighbours of triangles", edges);
    unreached.note("links to other plugins, one-way or of unknown kind", links);
    unreached.note("order of triangles", !sorted);
    let doors = |mesh: &NavMeshBuf| {
        let mut doors: Vec<_> = mesh.doors.iter().map(|d| (d.triangle, d.type_hash, d.reference)).collect();
        doors.sort_unstable();
        doors
    };
    let whole = pair.pairs.len() == now.triangles.len() && pair.pairs.len() == is.triangles.len() && sorted;
    unreached.note("doors", doors(&now) != doors(is) && (whole || now.doors.len() != is.doors.len()));
    unreached.note(
        "waypoints",
        now.waypoints.len() != is.waypoints.len() || whole && now.waypoints != is.waypoints,
    );
    let pieces = (now.cover_edges.len(), discriminant(&now)) != (is.cover_edges.len(), discriminant(is));
    unreached.note(
        "pieces of cover",
        pieces || whole && (now.cover_edges != is.cover_edges || now.cover != is.cover),
    );
    unreached.note("bytes behind the grid", now.tail != is.tail || now.trailing != is.trailing);
    if !whole {
        return;
    }
    let ordered = |mesh: &NavMeshBuf| -> Vec<[u32; 3]> {
        mesh.vertices.iter().map(|vertex| vertex.map(f32::to_bits)).collect()
    };
    unreached.note("order of vertices", !shapes && ordered(&now) != ordered(is));
    unreached.note("marks of vertices", now.marks != is.marks);
    unreached.note("order of links", !links && now.links != is.links);
    unreached.note("order of doors", doors(&now) == doors(is) && now.doors != is.doors);
    let grid = |mesh: &NavMeshBuf| {
        let GridBuf { divisor, cell, min, max, ref lists } = mesh.grid;
        (divisor, cell.map(f32::to_bits), [min, max].map(|at| at.map(f32::to_bits)), lists.clone())
    };
    unreached.note("grid", grid(&now) != grid(is));
}

fn discriminant(mesh: &NavMeshBuf) -> std::mem::Discriminant<crate::buf::CoverBuf> {
    std::mem::discriminant(&mesh.cover)
}

/// Meshes that only one plugin has, and those that cannot be written.
pub(super) fn only_in_one(before: &SkyrimEditor, after: &SkyrimEditor) -> Vec<String> {
    let forms = |editor: &SkyrimEditor| editor.forms.keys().copied().collect::<BTreeSet<_>>();
    let (was, is) = (forms(before), forms(after));
    let repeated = |editor: &SkyrimEditor| editor.slots.len().saturating_sub(editor.forms.len());
    let kinds = BTreeMap::from([
        ("that are gone", was.difference(&is).count()),
        ("that are new", is.difference(&was).count()),
        ("that share a FormID", repeated(before).max(repeated(after))),
        ("that cannot be written", before.carried().len().max(after.carried().len())),
    ]);
    let kinds = kinds.into_iter().filter(|(_, count)| *count > 0);
    kinds.map(|(what, count)| format!("{} {what}", counted(count as u64, "navmesh", "navmeshes"))).collect()
}
