//! Parses a text of areas into plain values.

use super::keyvalues::{Node, Reader, decoded};
use crate::flags::Direction;
use navmap_core::error::Result;

/// The contents of a text of areas. It is parsed completely before it is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectedAreas {
    /// The areas in the order of the text.
    pub areas: Vec<TextArea>,
    /// Oddities that were skipped, with line and column.
    pub remarks: Vec<String>,
    /// Whether the text ends before its last section. The areas are those before that point.
    pub cut: bool,
    /// The number of values beside the areas, such as `version`. The game makes an area of each.
    pub values: usize,
}

/// An area in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextArea {
    /// Its name, by which others link to it: its old id.
    pub name: Vec<u8>,
    /// Line and column of the name.
    pub place_in_text: String,
    /// The corners north-west, north-east, south-west, south-east; `None` for one that is missing.
    pub corners: [Option<[f32; 3]>; 4],
    /// Attributes.
    pub attributes: u32,
    /// The name of its place, if it has one.
    pub place: Option<Vec<u8>>,
    /// Names of neighbours: north, east, south, west.
    pub links: [Vec<Vec<u8>>; 4],
    /// In an extended text: the number that the game stores at the end of an area.
    pub game_attributes: Option<u32>,
    /// In an extended text: hiding spots with their flags.
    pub hiding_spots: Vec<([f32; 3], u8)>,
    /// In an extended text: the ladders that the area lists.
    pub ladders: Vec<TextLadder>,
}

/// A ladder in an extended text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextLadder {
    /// Its old id.
    pub name: Vec<u8>,
    /// Whether the area lists it upwards.
    pub up: bool,
    /// Upper and lower end.
    pub ends: [[f32; 3]; 2],
    /// Width.
    pub width: f32,
    /// Stored number of the direction that it faces.
    pub direction: u32,
    /// Names of the areas that it leads to: forward, left, right, behind, bottom. Empty for none.
    pub areas: [Vec<u8>; 5],
}

/// The keys of the corners, in the order of the text.
pub(super) const CORNERS: [&str; 4] = ["NorthWest", "NorthEast", "SouthWest", "SouthEast"];
/// The keys of the sides, in the order of the text.
pub(super) const SIDES: [(&str, Direction); 4] = [
    ("North", Direction::North),
    ("South", Direction::South),
    ("East", Direction::East),
    ("West", Direction::West),
];
/// The keys of the places that a ladder leads to, in the order of a file.
pub(super) const LADDER_PLACES: [&str; 5] = ["TopForward", "TopLeft", "TopRight", "TopBehind", "BottomArea"];

impl SelectedAreas {
    /// Parses a text. Memory is proportional to it.
    ///
    /// Also accepts either kind of line end, comments, keys in any order, unquoted names, UTF-16 and byte order marks. Conditions
    /// are not evaluated, and no other file is opened.
    ///
    /// # Errors
    /// If it is not a text of sections, includes another file, nests deeper than 100, or has something else where a number is
    /// required. The error names line, column and byte.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let text = decoded(bytes);
        let mut reader = Reader::new(&text);
        let root = reader.root()?;
        let mut read = Self { cut: !root.closed(), ..Self::default() };
        for node in root.nodes() {
            if let Some((value, at)) = node.value() {
                read.values = read.values.saturating_add(1);
                let version = node.name.eq_ignore_ascii_case(b"version");
                if !version || value != b"1" {
                    let what = if version { "is another version than 1" } else { "is passed over" };
                    let place = reader.place(at);
                    reader.remarks.push(|| format!("{place}: {} {what}", printable(node.name)));
                }
                continue;
            }
            if !node.closed() {
                break;
            }
            if !node.name.iter().all(u8::is_ascii_digit) {
                let place = reader.place(node.at);
                let name = || printable(node.name);
                reader.remarks.push(|| format!("{place}: {} is no id, and is taken as a name", name()));
            }
            read.areas.push(area(&reader, node)?);
        }
        read.remarks = reader.remarks.finish();
        Ok(read)
    }
}

fn printable(name: &[u8]) -> String {
    navmap_core::text::printable(name.get(..64).unwrap_or(name))
}

fn area(reader: &Reader<'_>, node: &Node<'_>) -> Result<TextArea> {
    let mut area =
        TextArea { name: node.name.to_vec(), place_in_text: reader.place(node.at), ..TextArea::default() };
    for (corner, key) in area.corners.iter_mut().zip(CORNERS) {
        *corner = node.child(key).map(|node| point(reader, node)).transpose()?;
    }
    if let Some((value, at)) = node.child("Attributes").and_then(Node::value) {
        area.attributes = bits(reader, value, at)?;
    }
    if let Some((value, at)) = node.child("TFAttributes").and_then(Node::value) {
        area.game_attributes = Some(bits(reader, value, at)?);
    }
    area.place = node.child("Place").and_then(Node::value).map(|(value, _)| value.to_vec());
    for (key, direction) in SIDES {
        let side = node.child(key).map_or(&[][..], Node::nodes);
        let names = side.iter().filter_map(Node::value).map(|(value, _)| value.to_vec());
        if let Some(links) = area.links.get_mut(direction.stored() as usize) {
            links.extend(names);
        }
    }
    for spot in node.child("HidingSpots").map_or(&[][..], Node::nodes) {
        let flags = match spot.child("flags").and_then(Node::value) {
            Some((value, at)) => (bits(reader, value, at)? & 0xFF) as u8,
            None => 0,
        };
        area.hiding_spots.push((point(reader, spot)?, flags));
    }
    for each in node.child("Ladders").map_or(&[][..], Node::nodes) {
        area.ladders.push(ladder(reader, each)?);
    }
    Ok(area)
}

fn ladder(reader: &Reader<'_>, node: &Node<'_>) -> Result<TextLadder> {
    let end = |key: &str| match node.child(key) {
        Some(node) => point(reader, node),
        None => Err(reader.wrong(node.at, &format!("the ladder has no {key}"))),
    };
    let text = |key: &str| node.child(key).and_then(Node::value);
    let direction = match text("Direction") {
        Some((value, at)) => bits(reader, value, at)?,
        None => 0,
    };
    Ok(TextLadder {
        name: node.name.to_vec(),
        up: text("Way").is_none_or(|(way, _)| way.eq_ignore_ascii_case(b"up")),
        ends: [end("Top")?, end("Bottom")?],
        width: text("Width").map_or(Ok(0.0), |(value, at)| number(reader, value, at))?,
        direction,
        areas: LADDER_PLACES.map(|key| text(key).map(|(name, _)| name.to_vec()).unwrap_or_default()),
    })
}

/// A point. Missing coordinates are 0, as in the game.
fn point(reader: &Reader<'_>, node: &Node<'_>) -> Result<[f32; 3]> {
    let mut point = [0.0; 3];
    for (axis, key) in point.iter_mut().zip(["x", "y", "z"]) {
        if let Some((value, at)) = node.child(key).and_then(Node::value) {
            *axis = number(reader, value, at)?;
        }
    }
    Ok(point)
}

/// A number of any kind that the engine reads. It must be finite.
fn number(reader: &Reader<'_>, value: &[u8], at: usize) -> Result<f32> {
    let text = std::str::from_utf8(value).unwrap_or_default().trim();
    let hex = text.strip_prefix("0x").filter(|digits| digits.len() == 16);
    let number = match hex {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(|number| number as f32),
        None => text.parse::<f32>().ok(),
    };
    number.filter(|number| number.is_finite()).ok_or_else(|| reader.wrong(at, "this is no finite number"))
}

/// 32 bits as a signed number, as the game writes them, or as an unsigned one.
fn bits(reader: &Reader<'_>, value: &[u8], at: usize) -> Result<u32> {
    let text = std::str::from_utf8(value).unwrap_or_default().trim();
    if let Ok(number) = text.parse::<i64>() {
        let signed = i32::try_from(number).ok().map(|number| number as u32);
        let found = signed.or_else(|| u32::try_from(number).ok());
        return found.ok_or_else(|| reader.wrong(at, "this does not fit 32 bits"));
    }
    // The game truncates a fraction to an integer.
    let number = number(reader, value, at)?.trunc();
    if (-2_147_483_648.0..2_147_483_648.0).contains(&number) {
        Ok(number as i32 as u32)
    } else if (0.0..4_294_967_296.0).contains(&number) {
        Ok(number as u32)
    } else {
        Err(reader.wrong(at, "this does not fit 32 bits"))
    }
}
