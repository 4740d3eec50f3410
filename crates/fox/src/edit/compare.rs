//! The remaining differences of a tile after the commands of a difference have run.

use super::editor::{FoxEditor, corners_of};
use crate::buf::{FoxBuf, GroupBuf, IslandGraphBuf, SegmentNodeBuf};
use crate::view::Crossing;
use navmap_core::edit::{Editor, OTHERS, Unreached};
use navmap_core::error::Result;
use navmap_core::text::counted;

/// Kinds that concern the file as a whole.
const WHOLE: [&str; 6] = [
    "head",
    "which groups there are",
    "island graphs",
    "ways out of the tile",
    "search space",
    "how the file is laid out",
];

/// Every remaining difference from the intended tile, in words.
pub(super) fn compare(editor: &FoxEditor, is: &FoxBuf) -> Result<Vec<String>> {
    let now = editor.tile();
    let mut unreached = Unreached::default();
    let mut faces = 0_u64;
    if now.same_values(is) {
        unreached.note("how the file is laid out", editor.encode()? != is.encode()?);
        return Ok(unreached.words(["group", "groups"], &WHOLE));
    }
    unreached.note("head", now.head != is.head);
    let ids = |tile: &FoxBuf| tile.groups.iter().map(|group| group.id).collect::<Vec<_>>();
    unreached.note("which groups there are", ids(now) != ids(is));
    for (a, b) in now.groups.iter().zip(&is.groups).filter(|(a, b)| a.id == b.id && a != b) {
        faces = faces.saturating_add(other_faces(a, b));
        group(a, b, &mut unreached);
    }
    let inner = |tile: &FoxBuf| -> Vec<IslandGraphBuf> {
        let mut graphs = tile.islands.clone();
        for graph in &mut graphs {
            (graph.sides, graph.infos) = (Default::default(), Vec::new());
            graph.islands.iter_mut().for_each(|island| island.tiles.clear());
        }
        graphs
    };
    let islands = inner(now) != inner(is);
    unreached.note("island graphs", islands);
    let out = |tile: &FoxBuf| -> Vec<(u16, u16)> {
        let crossings = tile.groups.iter().flat_map(|group| group.world.crossings());
        crossings
            .filter_map(|crossing| match crossing {
                Some(Crossing::Tile { tile, group, .. }) => Some((tile.0, group.0)),
                _ => None,
            })
            .collect()
    };
    unreached.note("ways out of the tile", (!islands && now.islands != is.islands) || out(now) != out(is));
    unreached.note("search space", now.search != is.search);
    unreached.note("how the file is laid out", now.connect != is.connect);
    let mut words = unreached.words(["group", "groups"], &WHOLE);
    words.extend(
        (faces > 0)
            .then(|| format!("{} that are new, moved or in another order", counted(faces, "face", "faces"))),
    );
    if words.is_empty() && editor.encode()? != is.encode()? {
        words.push(OTHERS.to_owned());
    }
    Ok(words)
}

/// Counts the faces whose positions differ from those of the same number.
fn other_faces(a: &GroupBuf, b: &GroupBuf) -> u64 {
    let most = a.mesh.faces.len().max(b.mesh.faces.len());
    let quanta = |group: &GroupBuf, face: usize| {
        corners_of(group, face).map(|all| all.iter().map(|at| at.quantised()).collect::<Vec<_>>())
    };
    (0..most).filter(|face| quanta(a, *face) != quanta(b, *face)).count() as u64
}

fn group(a: &GroupBuf, b: &GroupBuf, unreached: &mut Unreached) {
    unreached.note("attributes", a.world.attributes != b.world.attributes);
    unreached.note("how faces are divided into segments", a.segments != b.segments || a.bounds != b.bounds);
    let sides = |group: &GroupBuf| {
        group.mesh.faces.iter().map(|f| (f.neighbours, f.groups, f.tiles)).collect::<Vec<_>>()
    };
    unreached.note("neighbours of faces", a.mesh.faces.len() == b.mesh.faces.len() && sides(a) != sides(b));
    let mut plain = (a.world.clone(), b.world.clone());
    plain.0.attributes.clone_from(&plain.1.attributes);
    unreached.note("graph of midpoints", plain.0 != plain.1);
    let islands = |group: &GroupBuf| {
        group.graph.nodes.iter().map(|node: &SegmentNodeBuf| node.islands).collect::<Vec<_>>()
    };
    unreached.note("islands of segments", islands(a) != islands(b));
    let links = |group: &GroupBuf| {
        let mut graph = group.graph.clone();
        graph.nodes.iter_mut().for_each(|node| node.islands = [0; 3]);
        graph
    };
    unreached.note("graph of segments", links(a) != links(b));
    let corners = |group: &GroupBuf| (group.mesh.vertices.clone(), group.mesh.unknown);
    let same = other_faces(a, b) == 0;
    unreached.note("order of vertices", same && corners(a) != corners(b));
}
