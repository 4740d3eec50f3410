//! Checks cover: recomputes the list of version 12, and compares the edge map of later versions with the triangles.

use super::report::Report;
use crate::iter::{Cover, Triangles, byte_of};
use crate::record::{CoverEdge, CoverEnd, Edge, TallTriangle, Triangle, TriangleIndex};
use crate::view::NavMesh;
use navmap_core::Severity;

pub(crate) fn check(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    match (mesh.cover(), mesh.triangles()) {
        (Cover::Triangles(list), Triangles::V12(triangles)) => listed(mesh, list, triangles, report),
        (Cover::Triangles(_), Triangles::V15(_)) => {}
        (Cover::V15(pieces), _) => {
            let pieces = pieces.iter().zip(0..).map(|(p, n)| (place(pieces, mesh, n), p.start(), p.end()));
            segments(mesh, pieces, report);
        }
        (Cover::V17(pieces), _) => {
            let pieces = pieces.iter().zip(0..).map(|(p, n)| (place(pieces, mesh, n), p.start(), p.end()));
            segments(mesh, pieces, report);
        }
    }
    edges(mesh, report);
}

/// The byte of a piece of cover.
fn place<T>(_: &[T], mesh: &NavMesh<'_>, index: usize) -> u64 {
    byte_of::<T>(mesh.starts.cover, index)
}

/// Checks that the list holds exactly the triangles with cover on edge 0 or 1, ascending. 131,331 real triangles show
/// no exception.
fn listed(mesh: &NavMesh<'_>, list: &[TriangleIndex], triangles: &[Triangle], report: &mut Report<'_>) {
    let should = || triangles.iter().enumerate().filter(|(_, t)| t.cover().any()).map(|(index, _)| index);
    let stored = || list.iter().map(|index| usize::from(index.get()));
    if !should().eq(stored()) {
        let first = should().zip(stored()).take_while(|(a, b)| a == b).count();
        let entry = list.get(first).map(|_| byte_of::<TriangleIndex>(mesh.starts.cover, first));
        let at = entry.unwrap_or(mesh.offset);
        let (has, wants) = (stored().nth(first), should().nth(first));
        let name = |index: Option<usize>| {
            index.map_or("nothing".to_owned(), |index| format!("triangle {}", report.name(index)))
        };
        let why = format_args!(
            "cover list has {} entries, the cover flags give {}; entry {first} is {} instead of {}",
            list.len(),
            should().count(),
            name(has),
            name(wants)
        );
        report.say(Severity::Warning, "cover-list", at, why);
    }
    let inside = triangles
        .iter()
        .flat_map(|t| {
            let edges = crate::TriangleRef::V12(t).edges();
            edges.into_iter().take(2).enumerate().map(move |(k, edge)| (t.cover().value(k), edge))
        })
        .filter(|(value, edge)| *value != 0 && matches!(edge, Edge::Neighbour(_)))
        .count();
    if inside > 0 {
        let why = format_args!("{inside} edges with a neighbour have cover, which only borders use");
        report.say(Severity::Info, "cover-inside", mesh.offset, why);
    }
}

fn segments(
    mesh: &NavMesh<'_>,
    pieces: impl Iterator<Item = (u64, CoverEnd, CoverEnd)>,
    report: &mut Report<'_>,
) {
    let len = mesh.vertices().len();
    for (index, (at, start, end)) in pieces.enumerate() {
        for vertex in [start, end] {
            if let CoverEnd::Vertex(vertex) = vertex
                && usize::from(vertex) >= len
            {
                let why = format_args!("cover segment {index} touches vertex {vertex} of {len}");
                report.say(Severity::Warning, "cover-segment", at, why);
            }
        }
    }
}

/// Checks that the edge map names exactly the edges whose cover bit is set, all of them borders. 5,008 real entries
/// show no exception.
fn edges(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let Triangles::V15(triangles) = mesh.triangles() else { return };
    let mut mapped = vec![0u16; triangles.len()];
    for (index, entry) in mesh.cover_edges().iter().enumerate() {
        let at = byte_of::<CoverEdge>(mesh.starts.cover_edges, index);
        let (triangle, edge) = (entry.triangle(), entry.edge());
        let mut say = |why: std::fmt::Arguments<'_>| {
            let own = report.name(triangle.into());
            let why = format_args!("cover edge {index} (triangle {own}, edge {edge}) {why}");
            report.on(mesh, triangle.into()).say(Severity::Warning, "cover-edge", at, why);
        };
        match mapped.get_mut(usize::from(triangle)) {
            Some(bits) if edge < 3 => *bits |= 1u16.checked_shl(edge.into()).unwrap_or_default(),
            _ => say(format_args!("does not exist among {} triangles", triangles.len())),
        }
        if usize::from(entry.segment()) >= mesh.cover().len() {
            say(format_args!("names segment {} of {}", entry.segment(), mesh.cover().len()));
        }
    }
    for (index, (triangle, mapped)) in triangles.iter().zip(mapped).enumerate() {
        let bits = triangle.edge_cover() & 7;
        if bits != mapped {
            let own = report.name(index);
            let why =
                format_args!("triangle {own} has cover bits {bits:03b}, the edge map gives {mapped:03b}");
            let at = byte_of::<TallTriangle>(mesh.starts.triangles, index);
            report.on(mesh, index).say(Severity::Warning, "cover-edge", at, why);
        }
    }
}
