//! Writes areas as the game's text, byte for byte.

use super::read::{CORNERS, LADDER_PLACES, SIDES};
use crate::buf::{AreaBuf, LadderBuf};
use crate::record::{AreaId, LadderId, LadderSlot};
use std::collections::{HashMap, HashSet};

/// Areas to write as text, in this order. Only links between them are written.
#[derive(Debug)]
pub struct Exported<'m> {
    /// The areas, each with the name of its place: empty if it has none.
    pub areas: Vec<(&'m AreaBuf, &'m [u8])>,
    /// If set, the text also has data that the game ignores: its own attributes of areas, hiding spots, and these ladders.
    pub extended: Option<Vec<&'m LadderBuf>>,
}

impl Exported<'_> {
    /// The text. Linear.
    pub fn to_text(&self) -> Vec<u8> {
        let set: HashSet<AreaId> = self.areas.iter().map(|(area, _)| area.id).collect();
        let mut out = Text(Vec::with_capacity(self.areas.len().saturating_mul(700)));
        out.open(0, b"Selected Nav Areas");
        out.value(1, "version", b"1");
        let ladders = self.extended.as_ref();
        let ladders: Option<Ladders<'_>> =
            ladders.map(|all| all.iter().map(|each| (each.ladder.id(), *each)).collect());
        for (area, place) in &self.areas {
            write(area, place, &set, ladders.as_ref(), &mut out);
        }
        out.close(0);
        out.0
    }
}

type Ladders<'m> = HashMap<LadderId, &'m LadderBuf>;

fn write(area: &AreaBuf, place: &[u8], set: &HashSet<AreaId>, ladders: Option<&Ladders<'_>>, out: &mut Text) {
    out.open(1, signed(area.id.get()).as_bytes());
    let [nw, ne, se, sw] = area.shape.corners();
    for (key, corner) in CORNERS.into_iter().zip([nw, ne, sw, se]) {
        out.open(2, key.as_bytes());
        out.point(3, corner);
        out.close(2);
    }
    for (key, direction) in SIDES {
        let links = area.connections(direction).iter().enumerate().filter(|(_, id)| set.contains(id));
        let mut links = links.peekable();
        if links.peek().is_none() {
            // The game omits a section without entries.
            continue;
        }
        out.open(2, key.as_bytes());
        for (position, id) in links {
            out.value(3, &position.to_string(), signed(id.get()).as_bytes());
        }
        out.close(2);
    }
    if !place.is_empty() {
        out.value(2, "Place", place);
    }
    out.value(2, "Attributes", signed(area.attributes.bits()).as_bytes());
    if let Some(ladders) = ladders {
        more(area, ladders, out);
    }
    out.close(1);
}

/// Writes the data that the game ignores.
fn more(area: &AreaBuf, ladders: &Ladders<'_>, out: &mut Text) {
    if area.game_attributes != 0 {
        out.value(2, "TFAttributes", signed(area.game_attributes).as_bytes());
    }
    if !area.hiding_spots.is_empty() {
        out.open(2, b"HidingSpots");
        for (position, spot) in area.hiding_spots.iter().enumerate() {
            out.open(3, position.to_string().as_bytes());
            out.point(4, spot.position());
            out.value(4, "flags", spot.flags().bits().to_string().as_bytes());
            out.close(3);
        }
        out.close(2);
    }
    let up = area.ladders_up.iter().map(|id| (true, *id));
    let down = area.ladders_down.iter().map(|id| (false, *id));
    let mut listed = up.chain(down).filter_map(|(up, id)| Some((up, ladders.get(&id)?))).peekable();
    if listed.peek().is_none() {
        return;
    }
    out.open(2, b"Ladders");
    for (up, LadderBuf { ladder, .. }) in listed {
        out.open(3, signed(ladder.id().get()).as_bytes());
        out.value(4, "Way", if up { b"up" } else { b"down" });
        for (key, end) in [("Top", ladder.top()), ("Bottom", ladder.bottom())] {
            out.open(4, key.as_bytes());
            out.point(5, end);
            out.close(4);
        }
        out.value(4, "Width", float(ladder.width()).as_bytes());
        out.value(4, "Direction", ladder.direction_stored().to_string().as_bytes());
        for (key, slot) in LADDER_PLACES.into_iter().zip(LadderSlot::ALL) {
            let id = ladder.area(slot);
            if id.get() != 0 {
                out.value(4, key, signed(id.get()).as_bytes());
            }
        }
        out.close(3);
    }
    out.close(2);
}

/// `%d`: ids and attributes above 2^31 - 1 come out negative.
fn signed(bits: u32) -> String {
    (bits as i32).to_string()
}

/// `%f`.
fn float(value: f32) -> String {
    match value {
        value if value.is_nan() => if value.is_sign_negative() { "-nan" } else { "nan" }.to_owned(),
        value => format!("{:.6}", f64::from(value)),
    }
}

struct Text(Vec<u8>);

impl Text {
    fn indent(&mut self, depth: usize) {
        self.0.resize(self.0.len().saturating_add(depth), b'\t');
    }

    /// In quotes, with a backslash before each quote. Backslashes stay as they are.
    fn quoted(&mut self, text: &[u8]) {
        self.0.push(b'"');
        for byte in text {
            if *byte == b'"' {
                self.0.push(b'\\');
            }
            self.0.push(*byte);
        }
        self.0.push(b'"');
    }

    fn open(&mut self, depth: usize, name: &[u8]) {
        self.indent(depth);
        self.quoted(name);
        self.0.push(b'\n');
        self.indent(depth);
        self.0.extend_from_slice(b"{\n");
    }

    fn close(&mut self, depth: usize) {
        self.indent(depth);
        self.0.extend_from_slice(b"}\n");
    }

    fn value(&mut self, depth: usize, name: &str, value: &[u8]) {
        self.indent(depth);
        self.quoted(name.as_bytes());
        self.0.extend_from_slice(b"\t\t");
        self.quoted(value);
        self.0.push(b'\n');
    }

    fn point(&mut self, depth: usize, point: [f32; 3]) {
        for (key, value) in ["x", "y", "z"].into_iter().zip(point) {
            self.value(depth, key, float(value).as_bytes());
        }
    }
}
