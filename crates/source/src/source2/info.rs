//! Describes the file to a person.

use super::after::AfterPolygonAreas;
use super::kv3::Kv3Block;
use super::view::{FORMAT, Source2Nav};
use crate::info::Bits;
use crate::survey::Tally;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, Size, counted, fact, printable};
use std::io::{self, Write};

/// Describes the file to a person. If it is damaged, describes what comes before the damage.
pub(super) fn info(nav: &Source2Nav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, out)?;
    let mut tally = Tally::default();
    let after = nav.tally(&mut tally);
    body(nav, &tally, out)?;
    foot(&after?, out)?;
    Ok(())
}

fn head(nav: &Source2Nav<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (version, subversion) = (nav.version(), nav.subversion());
    fact(out, "format", format_args!("{FORMAT}, version {version}, sub-version {subversion}"))?;
    fact(out, "game", nav.game().unwrap_or("unknown"))?;
    fact(out, "flags", format_args!("{:#x}", nav.flags()))?;
    writeln!(out)
}

fn body(nav: &Source2Nav<'_>, tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    let mut attributes = Bits::default();
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    let mut hulls = [0_u64; 256];
    for area in nav.areas().map_while(Result::ok) {
        attributes.add(area.attributes().bits() as u32);
        if let Some(areas) = hulls.get_mut(usize::from(area.hull())) {
            *areas = areas.saturating_add(1);
        }
        for corner in area.corners() {
            for ((low, high), value) in low.iter_mut().zip(&mut high).zip(corner) {
                *low = low.min(value);
                *high = high.max(value);
            }
        }
    }
    for (label, count) in [
        ("areas", tally.areas),
        ("connections", tally.connections),
        ("ladders", tally.ladders),
        ("ladder connections", tally.ladder_connections),
        ("vertices", nav.vertices().len() as u64),
        ("polygons", nav.polygon_count() as u64),
        ("movable meshes", nav.movable_meshes().count() as u64),
    ] {
        if count > 0 || label == "areas" {
            fact(out, label, Grouped(count))?;
        }
    }
    for (hull, areas) in hulls.iter().enumerate().filter(|(_, areas)| **areas > 0) {
        fact(out, "", format_args!("hull {hull}: {}", counted(*areas, "area", "areas")))?;
    }
    if tally.areas > 0 {
        writeln!(out)?;
        for ((axis, low), high) in ["x", "y", "z (up)"].into_iter().zip(low).zip(high) {
            fact(out, axis, format_args!("{low} to {high}"))?;
        }
        let name = |bit: u32| crate::Source2Attributes(u64::from(bit)).names().next();
        fact(out, "attributes", attributes.line(name))?;
    }
    for (label, block) in [("first KV3 block", nav.first_block()), ("second KV3 block", nav.second_block())] {
        kv3(out, label, block)?;
    }
    Ok(())
}

fn foot(after: &AfterPolygonAreas<'_>, out: &mut dyn Write) -> io::Result<()> {
    let parameters = after.parameters();
    writeln!(out)?;
    fact(out, "generator", format_args!("version {}", parameters.version))?;
    if let Some(preset) = parameters.hull_preset.filter(|preset| !preset.is_empty()) {
        fact(out, "hull preset", printable(preset))?;
    }
    for (i, hull) in parameters.hulls().enumerate() {
        let used = if i64::from(parameters.hull_count) > i as i64 { "" } else { " (not in use)" };
        fact(out, "", format_args!("hull {i}: radius {}, height {}{used}", hull.radius, hull.height))?;
    }
    kv3(out, "third KV3 block", after.third_block())?;
    kv3(out, "game data", after.game_data())?;
    if !after.unknown_boxes().is_empty() {
        fact(out, "unknown boxes", after.unknown_boxes().len())?;
    }
    if !after.trailing().is_empty() {
        let left = Size(after.trailing().len() as u64);
        fact(out, "trailing bytes", format_args!("{left} from byte {:#x}", after.trailing_offset()))?;
    }
    Ok(())
}

fn kv3(out: &mut dyn Write, label: &str, block: Option<Kv3Block<'_>>) -> io::Result<()> {
    let Some(block) = block else { return Ok(()) };
    let packed = match block.compression() {
        Some(1) => "LZ4",
        Some(2) => "zstd",
        _ => "unknown compression",
    };
    let (size, at) = (Size(block.bytes().len() as u64), block.offset());
    fact(out, label, format_args!("KV3 block of {size} ({packed}) at byte {at:#x}"))
}
