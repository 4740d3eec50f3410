//! Checks triangles: their corners, neighbours, winding, and the edge links that they name.

use super::report::Report;
use crate::flags::LinkKind;
use crate::iter::TriangleRef;
use crate::record::{Edge, EdgeLink};
use crate::view::NavMesh;
use navmap_core::Severity;

/// The two vertices that edge `edge` joins, in the direction of the triangle's winding.
pub(crate) fn ends(triangle: TriangleRef<'_>, edge: usize) -> (u16, u16) {
    let [a, b, c] = triangle.vertices();
    match edge {
        0 => (a, b),
        1 => (b, c),
        _ => (c, a),
    }
}

pub(super) fn check(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let triangles = mesh.triangles();
    let links = mesh.edge_links();
    // The number of edges that name each link, and a triangle of one of them.
    let mut named = vec![(0u32, 0); links.len()];
    for (index, triangle) in triangles.iter().enumerate() {
        let at = triangles.byte(mesh.starts.triangles, index);
        winding(mesh, index, triangle, at, report);
        for (k, edge) in triangle.edges().into_iter().enumerate() {
            match edge {
                Edge::Border => {}
                Edge::Link(link) => match named.get_mut(usize::from(link)) {
                    Some((count, by)) => (*count, *by) = (count.saturating_add(1), index),
                    None => {
                        let own = report.name(index);
                        let why =
                            format_args!("triangle {own}, edge {k}: edge link {link} of {}", links.len());
                        report.on(mesh, index).say(Severity::Error, "edge-link-out-of-range", at, why);
                    }
                },
                Edge::Neighbour(other) => match triangles.get(other.into()) {
                    Some(neighbour) => meet(mesh, (index, triangle, k), (other, neighbour), at, report),
                    None => {
                        let own = report.name(index);
                        let why = format_args!(
                            "triangle {own}, edge {k}: neighbour {other} of {}",
                            triangles.len()
                        );
                        report.on(mesh, index).say(Severity::Error, "neighbour-out-of-range", at, why);
                    }
                },
            }
        }
    }
    for (index, (count, by)) in named.into_iter().enumerate() {
        let at = links.byte(mesh.starts.edge_links, index);
        if let Some(LinkKind::Unknown(kind)) = links.get(index).map(EdgeLink::kind) {
            let why = format_args!("edge link {index} has type {kind}, 0 to 3 are known");
            let report = if count > 0 { report.on(mesh, by) } else { &mut *report };
            report.say(Severity::Warning, "unknown-link-type", at, why);
        }
        match count {
            1 => {}
            0 => {
                let why = format_args!("edge link {index} is named by no edge");
                report.say(Severity::Warning, "edge-link-unused", at, why);
            }
            _ => {
                let why = format_args!("edge link {index} is named by {count} edges");
                report.say(Severity::Warning, "edge-link-shared", at, why);
            }
        }
    }
}

/// Checks two triangles, of which the first names the second as its neighbour across edge `k`.
fn meet(
    mesh: &NavMesh<'_>,
    (index, triangle, k): (usize, TriangleRef<'_>, usize),
    (other, neighbour): (u16, TriangleRef<'_>),
    at: u64,
    report: &mut Report<'_>,
) {
    let (a, b) = ends(triangle, k);
    let [own, beyond] = [index, usize::from(other)].map(|triangle| report.name(triangle));
    let mut back = neighbour
        .edges()
        .into_iter()
        .enumerate()
        .filter(|(_, edge)| matches!(edge, Edge::Neighbour(t) if usize::from(*t) == index));
    // Two triangles may share more than one edge, so any edge that points back across the same vertices will do.
    let Some((first, _)) = back.next() else {
        let why = format_args!("triangle {own}, edge {k}: neighbour {beyond} does not point back");
        report.on(mesh, index).say(Severity::Warning, "one-way-neighbour", at, why);
        return;
    };
    let candidates =
        std::iter::once(first).chain(back.map(|(edge, _)| edge)).map(|edge| ends(neighbour, edge));
    if candidates.clone().any(|(c, d)| (c, d) == (b, a)) {
        return;
    }
    if candidates.clone().any(|(c, d)| (c, d) == (a, b)) {
        let why =
            format_args!("triangle {own}, edge {k}: neighbour {beyond} runs along it in the same direction");
        report.on(mesh, index).say(Severity::Warning, "flipped-neighbour", at, why);
    } else {
        let answers: Vec<_> = candidates.map(|(c, d)| format!("{c} to {d}")).collect();
        let why = format_args!(
            "triangle {own}, edge {k} runs from vertex {a} to {b}; the edge of neighbour {beyond} that leads back runs from {}",
            answers.join(", and from ")
        );
        report.on(mesh, index).say(Severity::Warning, "edge-not-shared", at, why);
    }
}

fn winding(mesh: &NavMesh<'_>, index: usize, triangle: TriangleRef<'_>, at: u64, report: &mut Report<'_>) {
    let own = report.name(index);
    let corners = triangle.vertices();
    let [Some(a), Some(b), Some(c)] = corners.map(|v| mesh.vertices().get(v.into())) else {
        let len = mesh.vertices().len();
        let [a, b, c] = corners;
        let why = format_args!("triangle {own} has corners {a}, {b}, {c} of {len} vertices");
        report.on(mesh, index).say(Severity::Error, "vertex-out-of-range", at, why);
        return;
    };
    let flat = |v: &crate::record::Vertex| (f64::from(v.x()), f64::from(v.y()));
    let ((ax, ay), (bx, by), (cx, cy)) = (flat(a), flat(b), flat(c));
    let doubled = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    let [v0, v1, v2] = corners;
    if v0 == v1 || v1 == v2 || v2 == v0 {
        let why = format_args!("triangle {own} has corners {v0}, {v1}, {v2}");
        report.on(mesh, index).say(Severity::Warning, "degenerate-triangle", at, why);
    } else if doubled < 0.0 {
        let why = format_args!("triangle {own} runs clockwise seen from above: it faces down");
        report.on(mesh, index).say(Severity::Error, "clockwise-triangle", at, why);
    } else if doubled == 0.0 {
        let why = format_args!("triangle {own} has no area seen from above");
        report.on(mesh, index).say(Severity::Warning, "degenerate-triangle", at, why);
    }
}
