//! Checks the layout: header, manifest, order of entries, offsets of arrays. `docs/formats/fox.md`, sections 2 and 4 to 7.

use super::prepared::{Prepared, align16};
use super::report::{Report, at, record};
use crate::flags::EntryKind;
use crate::record::PackedId;
use crate::view::{FoxNav, OLDER_VERSION};
use navmap_core::Severity;
use navmap_core::error::Result;

pub(super) fn file(nav: FoxNav<'_>, report: &mut Report<'_>) -> Result<()> {
    header(nav, report);
    entries(nav, report)?;
    manifest(nav, report)?;
    report.flush();
    Ok(())
}

fn header(nav: FoxNav<'_>, report: &mut Report<'_>) {
    let header = nav.header();
    if header.version() == OLDER_VERSION {
        report.note(Severity::Info, "older-version", at(0), || {
            format!("version {OLDER_VERSION}, of which no file was ever seen; read as its successor")
        });
    }
    if header.unknown().iter().any(|value| *value != 0) {
        report.deviation("reserved", at(0x1C), || {
            format!("reserved header fields are {:x?}", header.unknown())
        });
    }
    let groups = u64::from(nav.group_count());
    let manifest_at = u64::from(header.manifest_offset());
    let manifest_size = groups.saturating_mul(36).saturating_add(4);
    if manifest_at != 0x60 {
        report.deviation("manifest-offset", at(0x34), || format!("manifest at {manifest_at:#x}, not 0x60"));
    }
    if u64::from(header.manifest_size()) != manifest_size {
        report.deviation("manifest-size", at(0x38), || {
            format!("manifest of {} bytes for {groups} groups, not {manifest_size}", header.manifest_size())
        });
    }
    let first = align16(manifest_at.saturating_add(manifest_size));
    if u64::from(header.first_entry()) != first {
        report.deviation("first-entry", at(8), || {
            format!("first entry at {:#x}, the manifest ends before {first:#x}", header.first_entry())
        });
    }
    if u64::from(header.entry_count()) != groups.saturating_mul(4) {
        report.warning("entry-count", at(0x0C), || {
            format!("{} entries for {groups} groups, each has four", header.entry_count())
        });
    }
    if !nav.bytes().len().is_multiple_of(16) {
        report
            .deviation("file-alignment", at(4), || format!("{} bytes, no multiple of 16", nav.bytes().len()));
    }
    let expected = if header.is_split() || header.part() > 0 { 5 } else { 1 };
    if header.features() != expected {
        report.note(Severity::Info, "features", at(0x4C), || {
            format!("feature flags {:#x}, files like this have {expected}", header.features())
        });
    }
    if header.origin().iter().any(|value| !value.is_finite()) {
        report.note(Severity::Error, "origin", at(0x20), || {
            format!("origin {:?} is no place", header.origin())
        });
    }
    if header.id().bits() >> 31 != 0 {
        report.deviation("id-bit-31", at(0x14), || format!("file id {:#x}", header.id().bits()));
    }
    if (header.islands_offset() == 0) != (header.island_graphs() == 0) {
        report.warning("island-count", at(0x4D), || {
            format!("{} island graphs at {:#x}", header.island_graphs(), header.islands_offset())
        });
    }
    // Only zeros are between the manifest and the first entry.
    let end = manifest_at.saturating_add(manifest_size);
    let gap = usize::try_from(end).ok();
    let gap = gap.and_then(|from| nav.bytes().get(from..header.first_entry() as usize)).unwrap_or_default();
    if let Some(first) = gap.iter().position(|byte| *byte != 0) {
        report.deviation("padding", at(end.saturating_add(first as u64)), || {
            "bytes between manifest and first entry are not 0".into()
        });
    }
}

fn entries(nav: FoxNav<'_>, report: &mut Report<'_>) -> Result<()> {
    let mut last = None;
    for (index, entry) in nav.entries().enumerate() {
        let entry = entry?;
        let place = record("entry", index, entry.offset());
        if entry.id().tile() != nav.tile() {
            report.warning("tile-id", place, || {
                format!("{} of tile {} in a file of tile {}", entry.kind(), entry.id().tile(), nav.tile())
            });
        }
        if entry.header().payload() != 16 {
            report.deviation("payload-offset", place, || {
                format!("payload at {}, not 16", entry.header().payload())
            });
        }
        if !entry.offset().is_multiple_of(16) || !entry.header().next().is_multiple_of(16) {
            report.deviation("entry-alignment", place, || {
                format!("{} bytes at {:#x}: not aligned to 16", entry.header().next(), entry.offset())
            });
        }
        let order = (entry.kind().slot(), entry.id().group());
        match last.filter(|last| *last >= order) {
            Some(last) if last == order => report.note(Severity::Error, "duplicate-entry", place, || {
                format!("a second {} of group {}", entry.kind(), order.1)
            }),
            Some(_) => report.deviation("entry-order", place, || {
                format!("{} of group {} stands behind what it should precede", entry.kind(), order.1)
            }),
            None => {}
        }
        last = Some(order);
    }
    Ok(())
}

/// Checks that manifest and entries agree.
fn manifest(nav: FoxNav<'_>, report: &mut Report<'_>) -> Result<()> {
    let mut entries = Vec::new();
    for entry in nav.entries() {
        entries.push((entry?, false));
    }
    let key = |kind: EntryKind, id: PackedId| (kind.code(), id.bits());
    entries.sort_by_key(|(entry, _)| key(entry.kind(), entry.id()));
    let place_of = |index: usize| {
        let offset = u64::from(nav.header().manifest_offset()).saturating_add(4);
        record("descriptor", index, offset.saturating_add((index as u64).saturating_mul(12)))
    };
    let mut last = None;
    for (index, descriptor) in nav.manifest().iter().enumerate() {
        let (kind, id) = (EntryKind::from(descriptor.kind()), descriptor.id());
        let found = entries.binary_search_by_key(&key(kind, id), |(entry, _)| key(entry.kind(), entry.id()));
        let Some((entry, listed)) = found.ok().and_then(|at| entries.get_mut(at)) else {
            report.note(Severity::Error, "manifest-entry", place_of(index), || {
                format!("lists {kind} of group {}, which the file does not have", id.group())
            });
            continue;
        };
        *listed = true;
        if u64::from(descriptor.payload()) != entry.payload_offset() {
            report.note(Severity::Error, "manifest-offset-wrong", place_of(index), || {
                let (says, is) = (descriptor.payload(), entry.payload_offset());
                format!("{kind} of group {} at {says:#x}, it is at {is:#x}", id.group())
            });
        }
        if descriptor.size() != entry.header().next() {
            report.warning("manifest-entry-size", place_of(index), || {
                let (says, is) = (descriptor.size(), entry.header().next());
                format!("{kind} of group {} has {says} bytes, it has {is}", id.group())
            });
        }
        let run = match kind {
            EntryKind::NavWorld => 0,
            EntryKind::SegmentGraph => 1,
            _ => 2,
        };
        let order = (run, id.group());
        if last.is_some_and(|last| last >= order) {
            report.deviation("manifest-order", place_of(index), || {
                format!("{kind} of group {} stands behind what it should precede", id.group())
            });
        }
        last = Some(order);
    }
    for (entry, listed) in entries {
        if !listed && entry.kind() != EntryKind::SegmentChunk {
            report.note(Severity::Error, "manifest-short", at(entry.offset()), || {
                format!("{} of group {} is not listed", entry.kind(), entry.id().group())
            });
        }
    }
    Ok(())
}

/// Checks the offsets inside the entries of a group: each array begins at the next multiple of 16, in a fixed order.
pub(super) fn group(nav: FoxNav<'_>, group: &Prepared<'_>, report: &mut Report<'_>) -> Result<()> {
    let view = &group.group;
    let mut expect = |kind: EntryKind, what: &'static str, found: u64, expected: u64| {
        if found != expected {
            let place = at(group.entry_offset(nav, kind));
            report.deviation(offset_code(kind), place, || {
                format!("{kind} of group {}: {what} {found:#x}, the game has {expected:#x}", group.id())
            });
        }
    };
    let end = |start: u64, count: usize, size: u64| start.saturating_add((count as u64).saturating_mul(size));
    let length = |kind: EntryKind| {
        let found = nav.entries().flatten().find(|e| e.kind() == kind && e.id().group() == group.id());
        found.map_or(0, |entry| u64::from(entry.header().next()).saturating_sub(16))
    };

    let chunk = view.segment_chunk().header();
    let n = view.segment_chunk().segments().len();
    let kind = EntryKind::SegmentChunk;
    let segments = align16(end(16, n, 12));
    expect(kind, "bounds at", u64::from(chunk.bounds_offset()), 16);
    expect(kind, "segments at", u64::from(chunk.segments_offset()), segments);
    expect(kind, "payload size", u64::from(chunk.size()), align16(end(segments, n, 12)));
    expect(kind, "entry size", length(kind), u64::from(chunk.size()));

    let mesh = view.mesh().header();
    let kind = EntryKind::NavmeshChunk;
    let descriptors = align16(end(32, usize::from(mesh.vertex_count()), 6));
    expect(kind, "vertices at", u64::from(mesh.vertices_offset()), 32);
    expect(kind, "descriptors at", u64::from(mesh.descriptors_offset()), descriptors);
    let data = end(descriptors, usize::from(mesh.face_count()), 4);
    expect(kind, "face data at", u64::from(mesh.data_offset()), data);

    let world = view.world().header();
    let kind = EntryKind::NavWorld;
    let nodes = usize::from(world.node_count());
    let at_nodes = align16(end(48, nodes, 6));
    let links = align16(end(at_nodes, nodes, 6));
    expect(kind, "positions at", u64::from(world.positions_offset()), 48);
    expect(kind, "nodes at", u64::from(world.nodes_offset()), at_nodes);
    expect(kind, "links at", u64::from(world.links_offset()), links);
    let attributes = align16(end(u64::from(world.edges_offset()), usize::from(world.edge_count()), 6));
    expect(kind, "attributes at", u64::from(world.attributes_offset()), attributes);
    let faces = align16(end(attributes, usize::from(world.attribute_count()), 2));
    expect(kind, "face references at", u64::from(world.faces_offset()), faces);
    expect(kind, "entry size", length(kind), align16(end(faces, nodes, 2)));

    let graph = view.segment_graph().header();
    let kind = EntryKind::SegmentGraph;
    let n = usize::from(graph.count());
    let nodes = align16(end(32, n, 6));
    expect(kind, "positions at", u64::from(graph.positions_offset()), 32);
    expect(kind, "nodes at", u64::from(graph.nodes_offset()), nodes);
    expect(kind, "links at", u64::from(graph.links_offset()), align16(end(nodes, n, 12)));
    expect(kind, "payload size", u64::from(graph.size()), length(kind));

    let reserved = mesh.unknown().iter().chain(&world.unknown()).chain(&graph.unknown()).any(|v| *v != 0);
    if reserved {
        let place = at(group.entry_offset(nav, EntryKind::NavWorld));
        report.deviation("reserved", place, || format!("reserved fields of group {} are not 0", group.id()));
    }
    Ok(())
}

fn offset_code(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::NavWorld => "navworld-layout",
        EntryKind::NavmeshChunk => "navmesh-layout",
        EntryKind::SegmentGraph => "segmentgraph-layout",
        EntryKind::SegmentChunk | EntryKind::Unknown(_) => "segmentchunk-layout",
    }
}
