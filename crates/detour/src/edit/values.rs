//! Values that commands set, and how they are spelt.

use super::parts::{Ground, Jump};
use crate::layout::Layout;
use navmap_core::edit::points::point;
use navmap_core::edit::{Refusal, Value, Values, Word, nearest, number};

/// The values of a polygon.
pub(super) const KEYS: [&str; 2] = ["Area", "Flags"];
/// The values of a connection.
pub(super) const JUMP_KEYS: [&str; 7] = ["Area", "Flags", "Start", "End", "Radius", "Both", "UserId"];

/// The highest area and flags of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holds {
    area: u8,
    flags: u32,
}

impl Holds {
    pub(super) fn of(layout: Layout) -> Self {
        match layout {
            Layout::V16 => Self { area: u8::MAX, flags: u32::MAX },
            Layout::V6 | Layout::V7 | Layout::V13 => Self { area: 63, flags: 0xFFFF },
        }
    }

    /// Flags as a number, decimal or hexadecimal.
    pub(super) fn flags(self, text: &str) -> Result<u32, Refusal> {
        let found = match text.get(..2).filter(|start| start.eq_ignore_ascii_case("0x")) {
            Some(_) => text.get(2..).and_then(|rest| u32::from_str_radix(rest, 16).ok()),
            None => text.parse().ok(),
        };
        found.filter(|flags| *flags <= self.flags).ok_or_else(|| {
            Refusal::new(format!("{text} where flags were expected: a number up to {:#x}", self.flags))
        })
    }

    fn area(self, text: &str) -> Result<u8, Refusal> {
        text.parse().ok().filter(|area| *area <= self.area).ok_or_else(|| {
            Refusal::new(format!("{text} where an area was expected: a number up to {}", self.area))
        })
    }
}

fn split<'w>(word: &Word<'w>, keys: &[&'static str]) -> Result<(&'static str, &'w str), Refusal> {
    let (key, value) = word.setting().ok_or_else(|| {
        Refusal::new(format!("{} where KEY=VALUE was expected: {}", word.text, keys.join(", "))).at(word.at)
    })?;
    let known = keys.iter().find(|known| known.eq_ignore_ascii_case(key));
    let known = known
        .ok_or_else(|| Refusal::unknown("value", key).or(nearest(key, keys.iter().copied())).at(word.at))?;
    Ok((*known, value))
}

/// Sets a value of a polygon.
pub(super) fn set(ground: &mut Ground, word: &Word<'_>, holds: Holds) -> Result<(), Refusal> {
    let (key, value) = split(word, &KEYS)?;
    match key {
        "Area" => ground.area = holds.area(value).map_err(|refusal| refusal.at(word.at))?,
        _ => ground.flags = holds.flags(value).map_err(|refusal| refusal.at(word.at))?,
    }
    Ok(())
}

/// Sets a value of a connection.
pub(super) fn set_jump(jump: &mut Jump, word: &Word<'_>, holds: Holds) -> Result<(), Refusal> {
    let (key, value) = split(word, &JUMP_KEYS)?;
    let at = || {
        let why = format!("{value} where a point was expected: X,Y,Z");
        point(value).ok_or_else(|| Refusal::new(why).at(word.at))
    };
    let row = jump.record;
    jump.record = match key {
        "Area" => {
            jump.area = holds.area(value).map_err(|refusal| refusal.at(word.at))?;
            row
        }
        "Flags" => {
            jump.flags = holds.flags(value).map_err(|refusal| refusal.at(word.at))?;
            row
        }
        "Start" => row.between([at()?, row.end()]),
        "End" => row.between([row.start(), at()?]),
        "Radius" => {
            let radius = number(value).filter(|radius| *radius > 0.0).ok_or_else(|| {
                Refusal::new(format!("{value} where a radius was expected: a number over 0")).at(word.at)
            })?;
            row.within(radius)
        }
        "Both" => match value.to_ascii_lowercase().as_str() {
            "yes" => row.leading(true),
            "no" => row.leading(false),
            _ => return Err(Refusal::new(format!("{value} where yes or no was expected")).at(word.at)),
        },
        _ => row.of_user(value.parse().map_err(|_| {
            Refusal::new(format!("{value} where a number of 32 bits was expected")).at(word.at)
        })?),
    };
    Ok(())
}

/// The values in which one connection differs from another; all of them if there is no other.
pub(super) fn jump_values(was: Option<&Jump>, is: &Jump) -> Values {
    let list = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
    let spelt = |jump: &Jump| {
        let row = &jump.record;
        [
            ("Area", jump.area.to_string()),
            ("Flags", jump.flags.to_string()),
            ("Start", list(row.start())),
            ("End", list(row.end())),
            ("Radius", row.radius().to_string()),
            ("Both", if row.both_ways() { "yes" } else { "no" }.to_owned()),
            ("UserId", row.user_id().to_string()),
        ]
    };
    let old = was.map(spelt);
    let same = |key: &str, text: &str| {
        old.as_ref().is_some_and(|old| old.iter().any(|(other, value)| *other == key && value == text))
    };
    let new = spelt(is).into_iter().filter(|(key, text)| !same(key, text));
    new.map(|(key, text)| (key, Value::Text(text))).collect()
}
