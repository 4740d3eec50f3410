//! Checks SegmentChunk and NavmeshChunk: ranges, boxes, neighbours. `docs/formats/fox.md`, sections 4 and 5.

use super::prepared::{Groups, Prepared};
use super::report::{Place, Report, record};
use crate::record::{FaceDescriptor, FaceIndex, Position, Segment};
use crate::view::{Adjacent, Corners, Crossing, Face};
use navmap_core::Severity;
use navmap_core::error::Result;
use std::cmp::Ordering;

pub(super) fn check(group: &Prepared<'_>, groups: &Groups<'_>, report: &mut Report<'_>) -> Result<()> {
    segments(group, report);
    descriptors(group, report);
    let faces = group.group.mesh().descriptors();
    for (index, descriptor) in (0..=u16::MAX).zip(faces) {
        let index = FaceIndex(index);
        let place = record("face", index.index(), group.group.mesh().face_offset(descriptor))
            .around(group.face_point(index));
        match group.face(index) {
            Some((face, corners)) => {
                local_corners(group, index, &face, place, report);
                orientation(group, corners, place, report);
                for side in 0..corners.as_slice().len() {
                    neighbour(group, groups, index, (&face, corners), side, place, report);
                    midpoint(group, index, (&face, corners), side, place, report);
                }
                unused_ids(&face, place, report);
            }
            None => report.note(Severity::Error, "face-corner", place, || {
                "belongs to no segment, or has a corner outside the vertices".into()
            }),
        }
    }
    Ok(())
}

/// Checks that bases are running sums, that totals match the counts of the other chunks, and that boxes fit exactly.
fn segments(group: &Prepared<'_>, report: &mut Report<'_>) {
    let chunk = group.group.segment_chunk();
    let (mut vertices, mut faces, mut edges, mut nodes) = (0_usize, 0_usize, 0_usize, 0_usize);
    for (index, (segment, bounds)) in chunk.segments().iter().zip(chunk.bounds()).enumerate() {
        let place = record("segment", index, chunk.segment_offset(index)).around(group.segment_point(index));
        let starts = |segment: &Segment| {
            [segment.vertices().start, segment.faces().start, segment.edges().start, segment.nodes().start]
        };
        let sums = [vertices, faces, edges, nodes];
        if starts(segment) != sums {
            report.warning("segment-base", place, || {
                format!("bases {:?}, the segments before it amount to {sums:?}", starts(segment))
            });
        }
        vertices = vertices.saturating_add(segment.vertices().len());
        faces = faces.saturating_add(segment.faces().len());
        edges = edges.saturating_add(segment.edges().len());
        nodes = nodes.saturating_add(segment.nodes().len());
        let descriptors = group.group.mesh().descriptors().get(segment.faces()).unwrap_or_default();
        let expected = edges_of(descriptors);
        if segment.edges().len() != expected {
            report.warning("segment-edges", place, || {
                format!("{} edges, its {} faces have {expected}", segment.edges().len(), descriptors.len())
            });
        }
        let own = group.group.mesh().vertices().get(segment.vertices()).unwrap_or_default();
        if own.is_empty() {
            report.deviation("segment-empty", place, || "has no vertex".into());
        } else if !box_of(own)
            .is_some_and(|[min, max]| min == bounds.min().quantised() && max == bounds.max().quantised())
        {
            report.warning("segment-bounds", place, || "its box is not that of its vertices".into());
        }
    }
    let view = &group.group;
    let totals = [vertices, faces, edges, nodes];
    let counts = [
        view.mesh().vertices().len(),
        view.mesh().descriptors().len(),
        view.world().edges().len(),
        view.world().nodes().len(),
    ];
    if totals != counts {
        let place = record("segment", 0, chunk.segment_offset(0));
        report.warning("segment-totals", place, || {
            format!(
                "vertices, faces, edges and nodes of all segments are {totals:?}, the group has {counts:?}"
            )
        });
    }
    if chunk.segments().len() > 4_095 {
        let place = record("segment", 4_095, chunk.segment_offset(4_095));
        report.note(Severity::Error, "segment-count", place, || {
            format!("{} segments, numbers have 12 bits", chunk.segments().len())
        });
    }
}

/// The number of edges. The nodes of a face are linked pairwise: three edges for a triangle (and six for a quad, though none was
/// seen).
pub(super) fn edges_of(descriptors: &[FaceDescriptor]) -> usize {
    descriptors.iter().map(|d| if d.nodes() == 4 { 6 } else { 3 }).fold(0, usize::saturating_add)
}

fn box_of(positions: &[Position]) -> Option<[[u16; 3]; 2]> {
    let first = positions.first()?.quantised();
    Some(positions.iter().map(Position::quantised).fold([first, first], |[min, max], at| {
        let pick = |from: [u16; 3], best: fn(u16, u16) -> u16| {
            let mut picked = from;
            picked.iter_mut().zip(at).for_each(|(to, value)| *to = best(*to, value));
            picked
        };
        [pick(min, u16::min), pick(max, u16::max)]
    }))
}

/// Checks that face data ascends in steps of 16 without gaps, and that descriptors name their segment.
fn descriptors(group: &Prepared<'_>, report: &mut Report<'_>) {
    let mesh = group.group.mesh();
    let mut next = 0;
    for (index, descriptor) in (0..=u16::MAX).zip(mesh.descriptors()) {
        let place = record("face", usize::from(index), mesh.face_offset(descriptor))
            .around(group.face_point(FaceIndex(index)));
        if descriptor.corners() == 4 || descriptor.nodes() == 4 {
            report.note(Severity::Info, "quad", place, || {
                format!(
                    "{} corners and {} nodes; the game's files have triangles",
                    descriptor.corners(),
                    descriptor.nodes()
                )
            });
        }
        if descriptor.corners() != descriptor.nodes() {
            report.warning("face-nodes", place, || {
                format!("{} corners and {} nodes", descriptor.corners(), descriptor.nodes())
            });
        }
        if group.segment_of(FaceIndex(index)).is_some_and(|segment| segment != descriptor.segment()) {
            report.warning("face-segment", place, || {
                format!("says segment {}, its segment's range says otherwise", descriptor.segment())
            });
        }
        let len = mesh.face_at(descriptor).map_or(0, |face| face.byte_len());
        if descriptor.offset() != next {
            report.deviation("face-offset", place, || {
                format!("at {} of the face data, the one before it ends at {next}", descriptor.offset())
            });
        }
        next = descriptor.offset().saturating_add(len).checked_next_multiple_of(16).unwrap_or(usize::MAX);
    }
}

fn local_corners(
    group: &Prepared<'_>,
    index: FaceIndex,
    face: &Face<'_>,
    place: Place,
    report: &mut Report<'_>,
) {
    let segments = group.group.segment_chunk().segments();
    let segment = group.segment_of(index).and_then(|segment| segments.get(segment.index()));
    let vertices = segment.map_or(0, |segment| segment.vertices().len());
    if face.corners().iter().any(|corner| usize::from(*corner) >= vertices) {
        report.note(Severity::Error, "face-corner", place, || {
            format!("a corner of {:?} is outside the segment's {vertices} vertices", face.corners())
        });
    }
}

/// Checks that a face looks towards +Y; a few of the game's own faces do not. Computed on the file's integers: rounded to metres,
/// a sliver far from the origin could flip. The divisors of x and z scale the area and keep its sign.
fn orientation(group: &Prepared<'_>, corners: Corners, place: Place, report: &mut Report<'_>) {
    let vertices = group.group.mesh().vertices();
    let stored = |corner: usize| {
        let vertex = vertices.get(usize::from(*corners.as_slice().get(corner)?))?;
        Some(vertex.quantised().map(i64::from))
    };
    let (Some([ax, _, az]), Some([bx, _, bz]), Some([cx, _, cz])) = (stored(0), stored(1), stored(2)) else {
        return;
    };
    // These are differences of 16-bit numbers, so nothing here can overflow.
    let side = |a: i64, b: i64| a.saturating_sub(b);
    let up = side(bz, az).saturating_mul(side(cx, ax)).cmp(&side(bx, ax).saturating_mul(side(cz, az)));
    if up == Ordering::Equal {
        report.note(Severity::Info, "face-upright", place, || "seen from above it has no area".into());
    } else if up == Ordering::Less {
        report.note(Severity::Info, "face-reversed", place, || "its normal points down".into());
    }
}

/// Checks that a neighbour shares exactly this side, and points back.
fn neighbour(
    group: &Prepared<'_>,
    groups: &Groups<'_>,
    index: FaceIndex,
    (face, corners): (&Face<'_>, Corners),
    side: usize,
    place: Place,
    report: &mut Report<'_>,
) {
    let Some(adjacent) = face.across(side) else { return };
    let (other, to) = match adjacent {
        Adjacent::Border => {
            return crossing_agrees(group, index, (face, side), adjacent, None, place, report);
        }
        Adjacent::Tile { .. } => {
            if face.neighbours().get(side).is_some_and(|n| n.face() != FaceIndex(0x3FFF)) {
                report.deviation("neighbour-tile", place, || {
                    "a neighbour in another tile is resolved already".into()
                });
            }
            return crossing_agrees(group, index, (face, side), adjacent, None, place, report);
        }
        Adjacent::Dynamic { .. } => {
            return report.note(Severity::Info, "neighbour-dynamic", place, || {
                "a neighbour of kind 3, of which no file was ever seen".into()
            });
        }
        Adjacent::Face(to) => (Some(group), to),
        Adjacent::Group { group: id, face: to } => (groups.find(id), to),
    };
    // A group missing in this file is in another part of the tile.
    let Some(other) = other else { return };
    let other_segment = (other.id() == group.id()).then(|| group.segment_of(to)).flatten();
    crossing_agrees(group, index, (face, side), adjacent, other_segment, place, report);
    let Some((back, back_corners)) = other.face(to) else {
        return report.note(Severity::Error, "dangling-neighbour", place, || {
            format!("neighbour {to} of group {} is no face", other.id())
        });
    };
    let own = group.side(corners, side).map(|[a, b]| [b, a]);
    let returns = |adjacent: Option<Adjacent>| match adjacent {
        Some(Adjacent::Face(face)) => other.id() == group.id() && face == index,
        Some(Adjacent::Group { group: id, face }) => id == group.id() && face == index,
        _ => false,
    };
    let mut meets = false;
    let mut back_link = false;
    for other_side in 0..back_corners.as_slice().len() {
        if returns(back.across(other_side)) {
            back_link = true;
            meets |= other.side(back_corners, other_side) == own && own.is_some();
        }
    }
    if !back_link {
        report.warning("neighbour-one-way", place, || {
            format!("neighbour {to} of group {} does not point back", other.id())
        });
    } else if !meets {
        report.warning("neighbour-apart", place, || {
            format!("neighbour {to} of group {} does not share side {side}", other.id())
        });
    }
}

/// Checks that the kind of a neighbour agrees with the crossing link of the node at that side.
fn crossing_agrees(
    group: &Prepared<'_>,
    index: FaceIndex,
    (face, side): (&Face<'_>, usize),
    adjacent: Adjacent,
    other_segment: Option<crate::SegmentIndex>,
    place: Place,
    report: &mut Report<'_>,
) {
    let Some(segment) = group.segment_of(index) else { return };
    let Some(local) = face.nodes().get(side) else { return };
    let node = group.nodes_of(segment).start.saturating_add(usize::from(*local));
    let world = group.group.world();
    let Some(links) = world.nodes().get(node).and_then(|node| world.links(node).ok()) else {
        return report.warning("face-node", place, || format!("node {local} of the segment is none"));
    };
    let agrees = match (adjacent, links.crossing) {
        (Adjacent::Face(_), crossing) if other_segment != Some(segment) => {
            matches!(crossing, Some(Crossing::Segment { .. }))
        }
        (Adjacent::Border | Adjacent::Face(_), crossing) => crossing.is_none(),
        (Adjacent::Group { group: a, .. }, Some(Crossing::Group { group: b, .. })) => a == b,
        (Adjacent::Tile { tile: a, group: c }, Some(Crossing::Tile { tile: b, group: d, .. })) => {
            (a, c) == (b, d)
        }
        _ => false,
    };
    if !agrees {
        report.warning("side-node-disagree", place, || {
            format!(
                "side {side} leads to {}, its node {node} to {}",
                beyond(adjacent),
                across(links.crossing)
            )
        });
    }
}

fn beyond(adjacent: Adjacent) -> String {
    match adjacent {
        Adjacent::Border => "nothing".into(),
        Adjacent::Face(face) => format!("face {face} of its group"),
        Adjacent::Group { group, face } => format!("face F#{group}.{face}"),
        Adjacent::Tile { tile, group } => format!("group {group} of tile {tile}"),
        Adjacent::Dynamic { .. } => "a dynamic mesh".into(),
    }
}

fn across(crossing: Option<Crossing>) -> String {
    match crossing {
        None => "its own segment alone".into(),
        Some(Crossing::Segment { node }) => format!("node {node} of its group"),
        Some(Crossing::Group { group, node }) => format!("node {node} of group {group}"),
        Some(Crossing::Tile { tile, group, .. }) => format!("group {group} of tile {tile}"),
    }
}

/// Checks that the node of a side lies at its midpoint, within a quantum.
fn midpoint(
    group: &Prepared<'_>,
    index: FaceIndex,
    (face, corners): (&Face<'_>, Corners),
    side: usize,
    place: Place,
    report: &mut Report<'_>,
) {
    let (Some(segment), Some(local)) = (group.segment_of(index), face.nodes().get(side)) else { return };
    let node = group.nodes_of(segment).start.saturating_add(usize::from(*local));
    let (Some(position), Some([a, b])) =
        (group.group.world().positions().get(node), group.side(corners, side))
    else {
        return;
    };
    let twice =
        a.quantised().into_iter().zip(b.quantised()).map(|(a, b)| u32::from(a).saturating_add(u32::from(b)));
    let near =
        twice.zip(position.quantised()).all(|(sum, at)| u32::from(at).saturating_mul(2).abs_diff(sum) <= 2);
    if !near {
        report
            .warning("face-midpoint", place, || format!("node {node} is not at the midpoint of side {side}"));
    }
}

/// Checks that a record with ids marks the sides that stay in the group.
fn unused_ids(face: &Face<'_>, place: Place, report: &mut Report<'_>) {
    if face.groups().is_empty() {
        return;
    }
    let leaves_tile = face.neighbours().iter().any(|n| !n.is_border() && n.kind() == 2);
    let tile = if leaves_tile { 0xFFFF } else { 0 };
    let ids = face.neighbours().iter().zip(face.groups()).zip(face.tiles());
    let odd = ids.into_iter().any(|((neighbour, group), id)| {
        let inside = neighbour.is_border() || neighbour.kind() == 0;
        (inside && group.get() != 0xFFFF) || ((inside || neighbour.kind() == 1) && id.get() != tile)
    });
    if odd {
        report.deviation("neighbour-ids", place, || "group or tile ids where the side has none".into());
    }
}
