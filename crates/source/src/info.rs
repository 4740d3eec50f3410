//! Describes a mesh to a person: its format, its counts, the size of its world, and the use of its bytes.

use super::area::Area;
use super::flags::{Attributes, Extension, L4dAttributes, SpawnAttributes, TfAttributes};
use super::halves::Gather;
use super::header::FORMAT;
use super::survey::{Parts, Tally};
use super::view::SourceNav;
use navmap_core::error::Result;
use navmap_core::graph::INCH;
use navmap_core::text::{Grouped, Size, counted, fact, printable};
use std::io::{self, Write};

/// What one walk gathers.
#[derive(Debug)]
struct Gathered {
    low: [f32; 3],
    high: [f32; 3],
    square_units: f64,
    degenerate: u64,
    inheriting: u64,
    attributes: Bits,
    game_attributes: Bits,
    areas_of_place: Vec<u64>,
    bytes: Bytes,
}

/// The number of times each of 32 bits is set.
#[derive(Debug, Default)]
pub(super) struct Bits([u64; 32]);

impl Bits {
    pub(super) fn add(&mut self, bits: u32) {
        for (bit, count) in self.0.iter_mut().enumerate() {
            *count = count.saturating_add(u64::from(bits.checked_shr(bit as u32).unwrap_or(0) & 1));
        }
    }

    /// `CROUCH 12, JUMP 3, 0x10000 1`
    pub(super) fn line(&self, name: impl Fn(u32) -> Option<&'static str>) -> String {
        let mut line = String::new();
        for (bit, count) in self.0.iter().enumerate().filter(|(_, count)| **count > 0) {
            let bit = 1_u32.checked_shl(bit as u32).unwrap_or(0);
            let comma = if line.is_empty() { "" } else { ", " };
            let count = Grouped(*count);
            match name(bit) {
                Some(name) => line.push_str(&format!("{comma}{name} {count}")),
                None => line.push_str(&format!("{comma}{bit:#x} {count}")),
            }
        }
        if line.is_empty() { "none".to_owned() } else { line }
    }
}

/// Bytes of the parts of all areas.
#[derive(Debug, Default)]
struct Bytes {
    areas: u64,
    connections: u64,
    hiding_spots: u64,
    approaches: u64,
    paths: u64,
    visibility: u64,
}

impl Gathered {
    fn new(places: usize) -> Self {
        Self {
            low: [f32::INFINITY; 3],
            high: [f32::NEG_INFINITY; 3],
            square_units: 0.0,
            degenerate: 0,
            inheriting: 0,
            attributes: Bits::default(),
            game_attributes: Bits::default(),
            areas_of_place: vec![0; places],
            bytes: Bytes::default(),
        }
    }

    fn add(&mut self, area: &Area<'_>) {
        for corner in area.corners() {
            for ((low, high), value) in self.low.iter_mut().zip(&mut self.high).zip(corner) {
                *low = low.min(value);
                *high = high.max(value);
            }
        }
        self.square_units += f64::from(area.shape().square_units());
        let count = |to: &mut u64, yes: bool| *to = to.saturating_add(u64::from(yes));
        count(&mut self.degenerate, area.shape().is_degenerate());
        count(&mut self.inheriting, area.inherits_visibility_from().is_some());
        self.attributes.add(area.attributes().bits());
        let game = area.tf_attributes().map(TfAttributes::bits);
        self.game_attributes.add(game.or(area.spawn_attributes().map(SpawnAttributes::bits)).unwrap_or(0));
        let place = area.place().and_then(|place| usize::from(place.get()).checked_sub(1));
        if let Some(areas) = place.and_then(|place| self.areas_of_place.get_mut(place)) {
            *areas = areas.saturating_add(1);
        }
        let bytes =
            |to: &mut u64, from: u32, till: u32| *to = to.saturating_add(till.saturating_sub(from).into());
        let spans = area.spans();
        let [connections, ..] = spans.connections;
        bytes(&mut self.bytes.areas, spans.start, spans.end);
        bytes(&mut self.bytes.connections, connections, spans.hiding_spots);
        bytes(&mut self.bytes.hiding_spots, spans.hiding_spots, spans.middle_approaches);
        bytes(&mut self.bytes.approaches, spans.middle_approaches, spans.paths);
        if !area.approaches().is_empty() && spans.middle_approaches == spans.paths {
            bytes(&mut self.bytes.approaches, spans.tail, spans.end);
        }
        bytes(&mut self.bytes.paths, spans.paths, spans.place);
        bytes(&mut self.bytes.visibility, spans.visible, spans.tail);
    }
}

pub(super) fn info(nav: &SourceNav<'_>, out: &mut dyn Write) -> Result<()> {
    head(nav, out)?;
    let mut parts = Parts::default();
    let mut gathered = Gathered::new(nav.places().len());
    let mut areas = nav.areas();
    let mut broken = None;
    for area in areas.by_ref() {
        match area {
            Ok(area) => {
                parts.add(&area);
                gathered.add(&area);
            }
            Err(error) => broken = Some(error),
        }
    }
    let after = match broken {
        Some(error) => Err(error),
        None => areas.finish(),
    };
    let mut tally = Tally::default();
    parts.add_to(nav.layout(), &mut tally);
    if let Ok(after) = &after {
        tally.ladders = after.ladder_count() as u64;
    }
    body(nav, &tally, &gathered, out)?;
    let after = after?;
    if let Some(range) = after.visibility_range() {
        fact(out, "visibility range", range)?;
    }
    let left = after.trailing().len() as u64;
    if left > 0 {
        let what = if nav.version() <= 5 { "stale tail" } else { "trailing bytes" };
        fact(out, what, format_args!("{} from byte {:#x}", Size(left), after.trailing_offset()))?;
    }
    Ok(())
}

fn head(nav: &SourceNav<'_>, out: &mut dyn Write) -> io::Result<()> {
    match nav.subversion() {
        Some(sub) => {
            fact(out, "format", format_args!("{FORMAT}, version {}, sub-version {sub}", nav.version()))?
        }
        None => fact(out, "format", format_args!("{FORMAT}, version {}", nav.version()))?,
    }
    if nav.is_experimental() {
        fact(out, "", "(layout by inference; it ends where the file ends)")?;
    }
    fact(out, "game", nav.game().unwrap_or("unknown"))?;
    if let Some(size) = nav.bsp_size() {
        fact(out, "made from", format_args!("a map of {} bytes", Grouped(size.into())))?;
    }
    if let Some(analyzed) = nav.analyzed() {
        fact(out, "analyzed", if analyzed == 0 { "no" } else { "yes" })?;
    }
    if let Some(population) = nav.default_population() {
        fact(out, "population", printable(population))?;
    }
    Ok(())
}

fn body(nav: &SourceNav<'_>, tally: &Tally, gathered: &Gathered, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    for (label, count) in [
        ("areas", tally.areas),
        ("connections", tally.connections),
        ("ladders", tally.ladders),
        ("ladder connections", tally.ladder_connections),
        ("hiding spots", tally.hiding_spots),
        ("approach areas", tally.approach_areas),
        ("encounter paths", tally.encounter_paths),
        ("encounter spots", tally.encounter_spots),
        ("visible areas", tally.visible_areas),
        ("inheriting areas", gathered.inheriting),
        ("degenerate areas", gathered.degenerate),
        ("places", nav.places().len() as u64),
    ] {
        if count > 0 || label == "areas" {
            fact(out, label, Grouped(count))?;
        }
    }
    for (place, areas) in nav.places().zip(&gathered.areas_of_place) {
        fact(out, "", format_args!("{} ({})", printable(place.name()), counted(*areas, "area", "areas")))?;
    }
    if tally.areas > 0 {
        writeln!(out)?;
        let [low, high] = [gathered.low, gathered.high];
        for ((axis, low), high) in ["x (east)", "y (south)", "z (up)"].into_iter().zip(low).zip(high) {
            fact(out, axis, format_args!("{low} to {high}"))?;
        }
        let units = Grouped(gathered.square_units.round() as u64);
        let metres = Grouped((gathered.square_units * INCH * INCH).round() as u64);
        fact(out, "surface", format_args!("{metres} m2, {units} square units, seen from above"))?;
        fact(out, "attributes", gathered.attributes.line(|bit| attribute(nav.extension(), bit)))?;
        match nav.extension() {
            Extension::TeamFortress => {
                fact(
                    out,
                    "TF attributes",
                    gathered.game_attributes.line(|bit| TfAttributes(bit).names().next()),
                )?;
            }
            Extension::LeftForDead => {
                let line = gathered.game_attributes.line(|bit| SpawnAttributes(bit).names().next());
                fact(out, "spawn attributes", line)?;
            }
            _ => {}
        }
        bytes(nav, &gathered.bytes, out)?;
    }
    Ok(())
}

fn attribute(extension: Extension, bit: u32) -> Option<&'static str> {
    match extension {
        Extension::LeftForDead => L4dAttributes(bit).names().next(),
        _ => Attributes(bit).names().next(),
    }
}

fn bytes(nav: &SourceNav<'_>, bytes: &Bytes, out: &mut dyn Write) -> io::Result<()> {
    let listed = [
        ("connections", bytes.connections),
        ("hiding spots", bytes.hiding_spots),
        ("approach areas", bytes.approaches),
        ("encounter paths", bytes.paths),
        ("visibility", bytes.visibility),
    ];
    let rest = listed.iter().fold(bytes.areas, |left, (_, bytes)| left.saturating_sub(*bytes));
    let whole = nav.bytes().len() as f64;
    let mut line = String::new();
    for (what, bytes) in listed.into_iter().chain([("rest of areas", rest)]) {
        let percent = 100.0 * bytes as f64 / whole;
        if percent >= 0.5 {
            let comma = if line.is_empty() { "" } else { ", " };
            line.push_str(&format!("{comma}{what} {percent:.0} %"));
        }
    }
    fact(out, "bytes by part", line)
}
