//! Values that commands set, and how they are spelt.

use super::super::record::WideLadder;
use super::editor::{Ground, Source2Editor};
use crate::flags::{Direction, Source2Attributes};
use crate::record::{AreaId, LadderId, LadderSlot};
use navmap_core::edit::points::{named, point};
use navmap_core::edit::{Refusal, Scope, Word, nearest, number};

/// The values of an area.
pub(super) const AREA_KEYS: [&str; 3] = ["Attributes", "Up", "Down"];
/// The values of a corner.
pub(super) const CORNER_KEYS: [&str; 2] = ["At", "Own"];
/// The values of a ladder besides its areas.
pub(super) const LADDER_KEYS: [&str; 5] = ["Top", "Bottom", "Width", "Length", "Direction"];
/// The areas of a ladder in file order. The last two are stored from version 35 on.
pub(super) const END_KEYS: [&str; 7] =
    ["TopForward", "TopLeft", "TopRight", "TopBehind", "BottomArea", "BottomLeft", "BottomRight"];
/// All of them.
pub(super) const KEYS: [&str; 17] = [
    "Attributes",
    "Up",
    "Down",
    "At",
    "Own",
    "Top",
    "Bottom",
    "Width",
    "Length",
    "Direction",
    "TopForward",
    "TopLeft",
    "TopRight",
    "TopBehind",
    "BottomArea",
    "BottomLeft",
    "BottomRight",
];

/// The areas that a ladder leads to, in file order; 0 for none.
pub(super) fn areas_of(ladder: &WideLadder) -> [AreaId; 7] {
    let [a, b, c, d, e] = LadderSlot::ALL.map(|slot| ladder.ladder().area(slot));
    [a, b, c, d, e, ladder.bottom_left(), ladder.bottom_right()]
}

/// Sets one of [`areas_of`].
pub(super) fn set_area_of(ladder: &mut WideLadder, place: usize, area: AreaId) {
    match (LadderSlot::ALL.get(place), place) {
        (Some(slot), _) => ladder.ladder_mut().set_area(*slot, area),
        (None, 5) => ladder.set_bottom_sides(area, ladder.bottom_right()),
        (None, _) => ladder.set_bottom_sides(ladder.bottom_left(), area),
    }
}

/// Whether an area differs in something else than its links.
pub(super) fn differs_but_for_links(was: &Ground, is: &Ground) -> bool {
    was.attributes != is.attributes || was.ladders != is.ladders
}

/// Attributes by name or as numbers, decimal or hexadecimal: `CROUCH,0x80`.
pub(super) fn bits(typed: &str) -> Result<u64, Refusal> {
    typed.split(',').map(str::trim).try_fold(0, |all, name| {
        let hexadecimal = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
        let number = match hexadecimal {
            Some(rest) => u64::from_str_radix(rest, 16).ok(),
            None => name.parse().ok(),
        };
        match number {
            Some(bits) => Ok(all | bits),
            None => Ok(all | named(name, "attribute", Source2Attributes::NAMED)?.0),
        }
    })
}

/// Attributes as [`bits`] reads them: those without a name as one number.
pub(super) fn spelt_bits(attributes: Source2Attributes) -> String {
    let mut rest = attributes.bits();
    let mut words = Vec::new();
    for (name, bit) in Source2Attributes::NAMED.iter().map(|(name, bit)| (name, bit.bits())) {
        if rest & bit != 0 {
            words.push((*name).to_owned());
            rest &= !bit;
        }
    }
    if rest != 0 || words.is_empty() {
        words.push(rest.to_string());
    }
    words.join(",")
}

/// `X,Y,Z`
pub(super) fn spelt([x, y, z]: [f32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// A key of several, and its value.
pub(super) fn pair<'w>(word: &Word<'w>, keys: &[&'static str]) -> Result<(&'static str, &'w str), Refusal> {
    let (key, value) =
        word.setting().ok_or_else(|| expected(word, &format!("KEY=VALUE ({})", keys.join(", "))))?;
    let known = keys.iter().find(|known| known.eq_ignore_ascii_case(key));
    let known = known.ok_or_else(|| {
        Refusal::unknown("value here", key).or(nearest(key, keys.iter().copied())).at(word.at)
    })?;
    Ok((*known, value))
}

/// A refusal of a word in whose place something else was expected.
pub(super) fn expected(word: &Word<'_>, what: &str) -> Refusal {
    Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at)
}

/// A point of a value.
pub(super) fn place(word: &Word<'_>, value: &str) -> Result<[f32; 3], Refusal> {
    point(value).ok_or_else(|| expected(word, "X,Y,Z"))
}

impl Source2Editor {
    /// The id of `#12` or `L#3`, as far as there is such an item.
    fn id_of(
        &self,
        name: &str,
        space: &str,
        word: &Word<'_>,
        s: &mut Scope<super::Item>,
    ) -> Result<u32, Refusal> {
        let id = match name.split_once('#') {
            Some((letters, id)) if letters.eq_ignore_ascii_case(space) => id,
            _ => return Err(expected(word, &format!("{space}#ID"))),
        };
        match s.find(self, space, id).map_err(|refusal| refusal.at(word.at))? {
            super::Item::Area(slot) => Ok(self.id(slot).get()),
            super::Item::Ladder(slot) => {
                Ok(self.climb(slot).map_or(0, |climb| climb.record.ladder().id().get()))
            }
            super::Item::Corner(corner) => Ok(corner),
        }
    }

    /// Sets a value of an area.
    pub(super) fn set_area(
        &self,
        ground: &mut Ground,
        word: &Word<'_>,
        s: &mut Scope<super::Item>,
    ) -> Result<(), Refusal> {
        let (key, value) = pair(word, &AREA_KEYS)?;
        let [above, below] = &mut ground.ladders;
        let list = match key {
            "Up" => above,
            "Down" => below,
            _ => {
                let bits =
                    if value == "none" { 0 } else { bits(value).map_err(|refusal| refusal.at(word.at))? };
                ground.attributes = Source2Attributes(bits);
                return Ok(());
            }
        };
        let mut now = Vec::new();
        for name in value.split(',').filter(|name| *name != "none") {
            now.push(LadderId::new(self.id_of(name.trim(), "L", word, s)?));
        }
        *list = now;
        Ok(())
    }

    /// Sets a value of a ladder.
    pub(super) fn set_ladder(
        &self,
        ladder: &mut WideLadder,
        word: &Word<'_>,
        s: &mut Scope<super::Item>,
    ) -> Result<(), Refusal> {
        let (key, value) = pair(word, &[&LADDER_KEYS[..], &END_KEYS].concat())?;
        if let Some(place) = END_KEYS.iter().position(|end| *end == key) {
            if place >= 5 && self.opened.version < 35 {
                let why = format!("{key} is stored from version 35 on, and this is {}", self.opened.version);
                return Err(Refusal::new(why).at(word.at));
            }
            let id = if value == "none" { 0 } else { self.id_of(value, "", word, s)? };
            set_area_of(ladder, place, AreaId::new(id));
            return Ok(());
        }
        let (top, bottom) = (ladder.ladder().top(), ladder.ladder().bottom());
        let length =
            || number(value).filter(|length| *length >= 0.0).ok_or_else(|| expected(word, "a length"));
        match key {
            "Top" => ladder.ladder_mut().set_ends(place(word, value)?, bottom),
            "Bottom" => ladder.ladder_mut().set_ends(top, place(word, value)?),
            "Width" => ladder.ladder_mut().set_width(length()?),
            "Length" => ladder.ladder_mut().set_length(length()?),
            _ => {
                let ways = Direction::ALL.map(|way| (way.name(), way));
                let way = named(value, "direction", &ways).map_err(|refusal| refusal.at(word.at))?;
                ladder.ladder_mut().set_direction(way);
            }
        }
        Ok(())
    }
}
