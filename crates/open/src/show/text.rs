//! What is told about a node, for a person.

use super::{LinkTold, Told};
use navmap_core::Severity;
use navmap_core::text::{Grouped, counted, printable};
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Fields of records that are told above them.
const TOLD: [&str; 9] =
    ["index", "id", "offset", "corners", "connections", "attributes", "place", "bottom", "top"];

/// The order in which links are told.
const SIDES: [&str; 6] = ["north", "east", "south", "west", "ladder", "link"];

/// What a word of the text is, for who colours it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What is told about.
    Head,
    /// The severity of a finding.
    Severity(Severity),
}

impl Told {
    /// Writes it as lines. `paint` colours a word, or gives it back.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write, paint: &dyn Fn(Part, &str) -> String) -> io::Result<()> {
        print(out, self, paint)
    }
}

fn print(out: &mut dyn Write, told: &Told, paint: &dyn Fn(Part, &str) -> String) -> io::Result<()> {
    let head = paint(Part::Head, &format!("{} {}", told.word, told.id));
    write!(out, "{head} (record {})", told.index)?;
    match (told.byte, told.bytes) {
        (Some(byte), Some(1)) => writeln!(out, ", byte {byte:#x}")?,
        (Some(byte), Some(bytes)) => writeln!(out, ", byte {byte:#x}, {}", counted(bytes, "byte", "bytes"))?,
        _ => writeln!(out)?,
    }
    if let Some(place) = &told.place {
        row(out, "place", place)?;
    }
    if let (Some(word), Some(group)) = (told.group_word, &told.group) {
        row(out, word, group)?;
    }
    if !told.flags.is_empty() {
        row(out, "flags", &told.flags.join(", "))?;
    }
    for (at, corner) in told.corners.iter().enumerate() {
        let label = told.toward.get(at).copied().unwrap_or(if told.is_point { "at" } else { "corner" });
        row(out, label, &point(corner))?;
    }
    if let Some(radius) = told.radius {
        row(out, "radius", &number(radius))?;
    }
    if let Some(center) = told.center.filter(|_| !told.is_point) {
        let area = told.area_m2.map_or_else(String::new, |area| format!(", {area:.2} m2"));
        row(out, "middle", &format!("{}{area}", point(&center)))?;
    }
    for side in SIDES {
        let of_side = told.links.iter().filter(|link| label(link) == side);
        many(out, side, of_side.map(|link| passage(link, true)))?;
    }
    many(out, "from", told.arrivals.iter().filter(|link| !link.back).map(|link| passage(link, false)))?;
    for mark in &told.marks {
        let at: Vec<String> = mark.at.iter().map(point).collect();
        row(out, mark.kind, &at.join(" to "))?;
    }
    for finding in &told.findings {
        let severity = paint(Part::Severity(finding.severity), finding.severity.name());
        let byte = finding.byte.map_or_else(String::new, |byte| format!(", byte {byte:#x}"));
        let message = printable(finding.message.as_bytes());
        writeln!(out, "  {:<12} {severity}{byte}: {message} [{}]", "finding", finding.code)?;
    }
    match &told.record {
        Some(Value::Object(fields)) => record(out, fields),
        _ => Ok(()),
    }
}

fn row(out: &mut dyn Write, label: &str, value: &str) -> io::Result<()> {
    writeln!(out, "  {label:<12} {}", printable(value.as_bytes()))
}

/// Rows of which only the first has the label.
fn many(out: &mut dyn Write, label: &str, mut values: impl Iterator<Item = String>) -> io::Result<()> {
    let Some(first) = values.next() else { return Ok(()) };
    row(out, label, &first)?;
    values.try_for_each(|value| row(out, "", &value))
}

fn label(link: &LinkTold) -> &'static str {
    if link.kind == "ladder" { "ladder" } else { link.toward.unwrap_or("link") }
}

/// `#13 walk, 12 up, one way`.
fn passage(link: &LinkTold, leaves: bool) -> String {
    let mut text = match (&link.id, link.beyond) {
        (Some(id), _) => id.to_string(),
        (None, Some(beyond)) => format!("outside ({beyond:#x})"),
        (None, None) => "outside".to_owned(),
    };
    text.push(' ');
    text.push_str(link.kind);
    match link.rise {
        Some(rise) if rise.abs() < 0.005 => text.push_str(", level"),
        Some(rise) if rise > 0.0 => text.push_str(&format!(", {} up", number(rise))),
        Some(rise) => text.push_str(&format!(", {} down", number(-rise))),
        None => {}
    }
    if leaves && !link.back && link.id.is_some() {
        text.push_str(", one way");
    }
    if link.gated {
        text.push_str(", can be closed");
    }
    if let (false, Some(toward)) = (leaves, link.toward) {
        text.push_str(&format!(", over the {toward}"));
    }
    text
}

fn point(at: &[f32; 3]) -> String {
    at.map(|value| value.to_string()).join(" ")
}

/// A measure, to the hundredth.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Prints what else is in the record.
fn record(out: &mut dyn Write, fields: &Map<String, Value>) -> io::Result<()> {
    for (key, value) in fields.iter().filter(|(key, value)| !TOLD.contains(&key.as_str()) && !is_empty(value))
    {
        match value {
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                row(out, key, &format!("{}:", Grouped(items.len() as u64)))?;
                for item in items {
                    let item = if is_empty(item) { "-".to_owned() } else { inline(item) };
                    row(out, "", &item)?;
                }
            }
            value => row(out, key, &inline(value))?,
        }
    }
    Ok(())
}

/// Whether there is nothing to say: no value, or no item.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let nested = |item: &Value| match item {
                Value::Object(_) | Value::Array(_) => format!("({})", inline(item)),
                item => inline(item),
            };
            items.iter().map(nested).collect::<Vec<_>>().join(", ")
        }
        Value::Object(fields) => match (fields.get("bits"), fields.get("names")) {
            (Some(bits), Some(Value::Array(names))) if fields.len() == 2 => match names.is_empty() {
                true => inline(bits),
                false => names.iter().map(inline).collect::<Vec<_>>().join(" | "),
            },
            _ => {
                let some = fields.iter().filter(|(_, value)| !is_empty(value));
                some.map(|(key, value)| format!("{key} {}", inline(value))).collect::<Vec<_>>().join(", ")
            }
        },
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_any_depth_are_one_line() {
        let value = json!({"a": {"bits": 5, "names": ["X", "Y"]}, "b": [1, [2, 3]], "c": null, "d": [], "e": {"f": "g"}});
        assert_eq!(inline(&value), "a X | Y, b 1, (2, 3), e f g");
        assert_eq!(inline(&json!({"bits": 4, "names": []})), "4");
        assert!(is_empty(&json!({"a": [], "b": {"c": null}})) && !is_empty(&json!({"a": 0})));
        assert_eq!([number(12.0), number(0.126), number(-3.5)], ["12", "0.13", "-3.5"]);
    }
}
