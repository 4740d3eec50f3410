//! `area`: sets the values of an area one by one. Scripts that turn one version of a mesh into another consist of it.

use super::editor::SourceEditor;
use super::state::Item;
use super::stored::{self, Stored};
use super::world::Slot;
use crate::buf::{AreaBuf, LadderBuf};
use crate::flags::{Attributes, Direction, HidingSpotFlags};
use crate::record::{AreaId, HidingSpot, HidingSpotId, Ladder, LadderId, LadderSlot, Shape};
use navmap_core::edit::points::point;
use navmap_core::edit::{Command, Refusal, Scope, Spot, Word, nearest, number};

type Fared = Result<(), Refusal>;

/// What `area` does.
const DOES: [&str; 5] = ["add", "set", "link", "unlink", "spots"];

/// The settable values, as `KEY=VALUE`.
const KEYS: [&str; 10] =
    ["nw", "se", "ne", "sw", "attributes", "game", "place", "spots", "ladders-up", "ladders-down"];

/// The settable values of a ladder, besides the areas it leads to.
const LADDER_KEYS: [&str; 6] = ["top", "bottom", "width", "length", "direction", "dangling"];

/// The key of the area that a ladder leads to.
pub(super) fn ladder_key(place: LadderSlot) -> &'static str {
    match place {
        LadderSlot::Bottom => "bottom-area",
        other => other.name(),
    }
}

/// `KEY=VALUE`.
struct Pair<'s> {
    key: String,
    value: &'s str,
    at: Spot,
}

impl<'s> Pair<'s> {
    fn parse(word: &Word<'s>) -> Result<Self, Refusal> {
        let wrong = || Refusal::new(format!("{} where KEY=VALUE was expected", word.text)).at(word.at);
        let (key, value) = word.setting().ok_or_else(wrong)?;
        Ok(Self { key: key.to_ascii_lowercase(), value, at: word.at })
    }

    fn read<T>(&self, what: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Refusal> {
        read(self.value)
            .ok_or_else(|| Refusal::new(format!("{} where {what} was expected", self.value)).at(self.at))
    }

    /// The words of the value; none for `none`.
    fn list(&self) -> impl Iterator<Item = &'s str> {
        let value = if self.value == "none" { "" } else { self.value };
        value.split([',', ' ']).filter(|part| !part.is_empty())
    }

    fn unknown(&self, what: &str, keys: impl IntoIterator<Item = &'static str>) -> Refusal {
        let refusal = Refusal::new(format!("{what} has no {}", self.key));
        refusal.or(nearest(&self.key, keys)).at(self.at)
    }
}

impl SourceEditor {
    /// `area add ID nw=X,Y,Z se=X,Y,Z ne=Z sw=Z …`, `area set AREA KEY=VALUE …`,
    /// `area link FROM SIDE TO`, `area unlink FROM SIDE TO`, `area spots AREA ID:FLAGS:X,Y,Z …`.
    pub(super) fn area_verb(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("add, set, link, unlink or spots")?;
        match word.text.to_ascii_lowercase().as_str() {
            "add" => self.area_add(c, s),
            "set" => {
                let area = c.need("an area")?;
                let slot = self.one_area(&area, s)?;
                self.area_set(slot, c, s)
            }
            "link" => self.area_link(true, c, s),
            "unlink" => self.area_link(false, c, s),
            "spots" => self.area_spots(c, s),
            other => {
                let refusal = Refusal::unknown("command", format_args!("area {other}"));
                Err(refusal.or(nearest(other, DOES)).at(word.at))
            }
        }
    }

    /// An id that no area has.
    pub(super) fn free_id(&self, word: &Word<'_>) -> Result<AreaId, Refusal> {
        let digits = word.text.strip_prefix('#').unwrap_or(word.text);
        let id = digits.parse::<u32>().ok().filter(|id| ![0, u32::MAX].contains(id)).map(AreaId::new);
        let id = id.ok_or_else(|| Refusal::new(format!("{} is no id of an area", word.text)).at(word.at))?;
        match self.world.by_id(id) {
            Some(_) => Err(Refusal::new(format!("there is a #{id} already")).at(word.at)),
            None => Ok(id),
        }
    }

    fn area_add(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let id = self.free_id(&c.need("an id")?)?;
        let shape = Shape::from_extent([0.0; 2], [0.0; 2], [0.0; 4]);
        let slot = self.make(AreaBuf::new(id, shape), s);
        self.area_set(slot, c, s)?;
        s.say(format!("made #{id}"));
        Ok(())
    }

    fn area_set(&mut self, slot: Slot, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let Some(area) = self.world.area(slot) else { return Ok(()) };
        let old = area.shape;
        let ([mut nw, mut se], mut heights) =
            ([old.north_west(), old.south_east()], [old.north_east_z(), old.south_west_z()]);
        let mut any = false;
        while let Some(word) = c.take() {
            let pair = Pair::parse(&word)?;
            any = true;
            match pair.key.as_str() {
                "nw" => nw = pair.read("X,Y,Z", point)?,
                "se" => se = pair.read("X,Y,Z", point)?,
                "ne" => heights[0] = pair.read("a height", number)?,
                "sw" => heights[1] = pair.read("a height", number)?,
                "attributes" => {
                    let bits = pair.read("a number of 32 bits", bits)?;
                    self.world.set_attributes(slot, Attributes(bits));
                }
                "game" => {
                    let bits = pair.read("a number of 32 bits", bits)?;
                    self.world.set_game(slot, bits);
                }
                "place" => {
                    let place = match pair.value {
                        "" => 0,
                        name => self.place_exactly(name).map_err(|refusal| refusal.at(word.at))?,
                    };
                    self.world.set_place(slot, place);
                }
                "spots" => {
                    let words = if pair.value == "none" { "" } else { pair.value };
                    self.set_spots(slot, words.split_ascii_whitespace(), word.at)?;
                }
                key if stored::KEYS.contains(&key) => {
                    let layout = self.world.head.layout();
                    let Some(mut stored) = self.world.area(slot).map(Stored::new) else { return Ok(()) };
                    stored.read(key, pair.value, layout).map_err(|why| Refusal::new(why).at(word.at))?;
                    self.world.set_stored(slot, stored);
                }
                "ladders-up" => self.set_ladder_list(slot, true, &pair, s)?,
                "ladders-down" => self.set_ladder_list(slot, false, &pair, s)?,
                _ => return Err(pair.unknown("an area", KEYS.into_iter().chain(stored::KEYS))),
            }
        }
        c.finish()?;
        if !any {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        if self.world.set_shape(slot, Shape::new(nw, se, heights[0], heights[1])) {
            self.stale(s);
        }
        Ok(())
    }

    /// The ladders that an area lists, in this order.
    fn set_ladder_list(&mut self, slot: Slot, up: bool, pair: &Pair<'_>, s: &mut Scope<Item>) -> Fared {
        let mut list = Vec::new();
        for text in pair.list() {
            let id = text.strip_prefix("L#").or(text.strip_prefix("l#"));
            let id = id.ok_or_else(|| {
                Refusal::new(format!("{text} where a ladder was expected, L#1")).at(pair.at)
            })?;
            let item = s.find(self, "L", id).map_err(|refusal| refusal.at(pair.at))?;
            if let Item::Ladder(ladder) = item {
                list.extend(self.world.ladder(ladder).map(|each| each.ladder.id()));
            }
        }
        if self.world.set_ladders_of(slot, up, list) {
            self.stale(s);
        }
        Ok(())
    }

    /// `ladder add L#ID KEY=VALUE …`, `ladder set L#ID KEY=VALUE …`.
    pub(super) fn ladder_exactly(&mut self, add: bool, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("a ladder")?;
        let slot = match add {
            false => match s.one(self, &word)? {
                Item::Ladder(slot) => slot,
                Item::Area(_) => {
                    return Err(Refusal::new(format!("{} is no ladder", word.text)).at(word.at));
                }
            },
            true => {
                let id = word.text.strip_prefix("L#").or_else(|| word.text.strip_prefix("l#"));
                let id = id.and_then(|id| id.parse::<u32>().ok()).filter(|id| *id != u32::MAX);
                let id = id
                    .ok_or_else(|| Refusal::new(format!("{} is no id of a ladder", word.text)).at(word.at))?;
                let id = LadderId::new(id);
                if self.world.ladder_by_id(id).is_some() {
                    return Err(Refusal::new(format!("there is a L#{id} already")).at(word.at));
                }
                let ladder = Ladder::new(id, [0.0; 3], [0.0; 3], 0.0, Direction::North);
                let slot = self.world.push_ladder(LadderBuf::from(ladder));
                s.made(Item::Ladder(slot));
                slot
            }
        };
        let Some(mut each) = self.world.ladder(slot).copied() else { return Ok(()) };
        let mut any = false;
        while let Some(word) = c.take() {
            any = true;
            self.set_of_ladder(&mut each, &Pair::parse(&word)?, s)?;
        }
        c.finish()?;
        if !any {
            return Err(Refusal::new(format!("nothing to set: {}", LADDER_KEYS.join(", "))).at(c.at()));
        }
        self.world.set_ladder(slot, each);
        self.stale(s);
        Ok(())
    }

    fn set_of_ladder(&mut self, each: &mut LadderBuf, pair: &Pair<'_>, s: &mut Scope<Item>) -> Fared {
        let ladder = &mut each.ladder;
        match pair.key.as_str() {
            "top" => ladder.set_ends(pair.read("X,Y,Z", point)?, ladder.bottom()),
            "bottom" => ladder.set_ends(ladder.top(), pair.read("X,Y,Z", point)?),
            "width" => ladder.set_width(pair.read("a width", number)?),
            "length" => ladder.set_length(pair.read("a length", number)?),
            "direction" => {
                let named = |text: &str| Direction::ALL.into_iter().find(|side| side.name() == text);
                ladder.set_direction(pair.read("north, east, south or west", named)?);
            }
            "dangling" => each.dangling = pair.read("a number of 8 bits", |text| text.parse().ok())?,
            key => {
                let place = LadderSlot::ALL.into_iter().find(|place| ladder_key(*place) == key);
                let keys = LADDER_KEYS.into_iter().chain(LadderSlot::ALL.map(ladder_key));
                let place = place.ok_or_else(|| pair.unknown("a ladder", keys))?;
                let area = match pair.list().next() {
                    None => AreaId::default(),
                    Some(text) => {
                        let word = Word { text, quoted: false, at: pair.at };
                        let slot = self.one_area(&word, s)?;
                        self.world.area(slot).map(|area| area.id).unwrap_or_default()
                    }
                };
                ladder.set_area(place, area);
            }
        }
        Ok(())
    }

    /// The number of a place by its whole name. A name that the directory lacks is added.
    fn place_exactly(&mut self, name: &str) -> Result<u16, Refusal> {
        match self.place_named(|other| other == name) {
            Some(number) => Ok(number),
            None => self.new_place(name.as_bytes()),
        }
    }

    fn area_link(&mut self, add: bool, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let from = c.need("the area that the link leaves")?;
        let from = self.one_area(&from, s)?;
        let side = c.need("a side")?;
        let lower = side.text.to_ascii_lowercase();
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == lower);
        let direction = direction.ok_or_else(|| {
            Refusal::new(format!("{} where north, east, south or west was expected", side.text)).at(side.at)
        })?;
        let word = c.need("the area that the link reaches")?;
        let to = self.one_area(&word, s)?;
        c.finish()?;
        let Some(to) = self.world.area(to).map(|area| area.id) else { return Ok(()) };
        let done = match add {
            true => self.world.link(from, direction, to),
            false => self.world.unlink(from, direction, to),
        };
        match (done, add) {
            (true, _) => {
                self.stale(s);
                Ok(())
            }
            (false, true) => {
                Err(Refusal::new(format!("there is a link {direction} to #{to} already")).at(word.at))
            }
            (false, false) => Err(Refusal::new(format!("there is no link {direction} to #{to}")).at(word.at)),
        }
    }

    fn area_spots(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let area = c.need("an area")?;
        let slot = self.one_area(&area, s)?;
        let mut words = Vec::new();
        while let Some(word) = c.take() {
            words.push(word.text);
        }
        c.finish()?;
        self.set_spots(slot, words.into_iter(), c.at())
    }

    fn set_spots<'t>(&mut self, slot: Slot, words: impl Iterator<Item = &'t str>, at: Spot) -> Fared {
        let mut spots = Vec::new();
        for text in words {
            let wrong = || Refusal::new(format!("{text} where a spot was expected: ID:FLAGS:X,Y,Z")).at(at);
            spots.push(spot(text).ok_or_else(wrong)?);
        }
        if spots.len() > usize::from(u8::MAX) {
            return Err(Refusal::new(format!("{} spots, an area holds 255", spots.len())).at(at));
        }
        self.world.set_spots(slot, spots);
        Ok(())
    }
}

/// A number of 32 bits, decimal or hexadecimal.
pub(super) fn bits(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn spot(text: &str) -> Option<HidingSpot> {
    let mut parts = text.split(':');
    let (id, flags, at) = (parts.next()?, parts.next()?, parts.next()?);
    let id = HidingSpotId::new(id.parse().ok()?);
    let flags = HidingSpotFlags(flags.parse().ok()?);
    parts.next().is_none().then_some(HidingSpot::new(id, point(at)?, flags))
}
