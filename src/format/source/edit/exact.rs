//! `area`: sets what an area is, value by value. Scripts that turn one version of a mesh into another are made of it.

#![forbid(unsafe_code)]

use super::editor::SourceEditor;
use super::state::Item;
use super::world::Slot;
use crate::edit::{Command, Refusal, Scope, Word, nearest, number};
use crate::format::source::buf::AreaBuf;
use crate::format::source::flags::{Attributes, Direction, HidingSpotFlags};
use crate::format::source::record::{AreaId, HidingSpot, HidingSpotId, Shape};

type Fared = Result<(), Refusal>;

/// What `area` does.
const DOES: [&str; 5] = ["add", "set", "link", "unlink", "spots"];

/// What can be set, as `KEY=VALUE`.
const KEYS: [&str; 7] = ["nw", "se", "ne", "sw", "attributes", "game", "place"];

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
                let refusal = Refusal::new(format!("no such command: area {other}"));
                Err(refusal.or(nearest(other, DOES)).at(word.at))
            }
        }
    }

    /// An id that no area has.
    fn free_id(&self, word: &Word<'_>) -> Result<AreaId, Refusal> {
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
            let (key, value) = word.text.split_once('=').ok_or_else(|| {
                Refusal::new(format!("{} where KEY=VALUE was expected", word.text)).at(word.at)
            })?;
            any = true;
            let wrong = |what: &str| Refusal::new(format!("{value} where {what} was expected")).at(word.at);
            let point = || point(value).ok_or_else(|| wrong("X,Y,Z"));
            let height = || number(value).ok_or_else(|| wrong("a height"));
            let bits = || bits(value).ok_or_else(|| wrong("a number of 32 bits"));
            match key.to_ascii_lowercase().as_str() {
                "nw" => nw = point()?,
                "se" => se = point()?,
                "ne" => heights[0] = height()?,
                "sw" => heights[1] = height()?,
                "attributes" => {
                    self.world.set_attributes(slot, Attributes(bits()?));
                }
                "game" => {
                    self.world.set_game(slot, bits()?);
                }
                "place" => {
                    let place = match value {
                        "" => 0,
                        name => self.place_exactly(name).map_err(|refusal| refusal.at(word.at))?,
                    };
                    self.world.set_place(slot, place);
                }
                other => {
                    let refusal = Refusal::new(format!("an area has no {other}"));
                    return Err(refusal.or(nearest(other, KEYS)).at(word.at));
                }
            }
        }
        c.finish()?;
        if !any {
            return Err(Refusal::new("nothing to set: nw, se, ne, sw, attributes, game or place").at(c.at()));
        }
        if self.world.set_shape(slot, Shape::new(nw, se, heights[0], heights[1])) {
            self.stale(s);
        }
        Ok(())
    }

    /// The number of a place by its whole name. A name that the directory lacks is added.
    fn place_exactly(&mut self, name: &str) -> Result<u16, Refusal> {
        let known = u16::try_from(self.world.head.places.len()).unwrap_or(u16::MAX);
        match (1..=known).find(|number| self.place_name(*number) == name) {
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
            (true, _) => Ok(()),
            (false, true) => {
                Err(Refusal::new(format!("there is a link {direction} to #{to} already")).at(word.at))
            }
            (false, false) => Err(Refusal::new(format!("there is no link {direction} to #{to}")).at(word.at)),
        }
    }

    fn area_spots(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let area = c.need("an area")?;
        let slot = self.one_area(&area, s)?;
        let mut spots = Vec::new();
        while let Some(word) = c.take() {
            let spot = spot(word.text).ok_or_else(|| {
                Refusal::new(format!("{} where a spot was expected: ID:FLAGS:X,Y,Z", word.text)).at(word.at)
            })?;
            spots.push(spot);
        }
        c.finish()?;
        if spots.len() > usize::from(u8::MAX) {
            return Err(Refusal::new(format!("{} spots, an area holds 255", spots.len())).at(c.at()));
        }
        self.world.set_spots(slot, spots);
        Ok(())
    }
}

fn point(text: &str) -> Option<[f32; 3]> {
    let mut numbers = text.split(',').map(number);
    let point = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(point)
}

/// A number of 32 bits, decimal or hexadecimal.
fn bits(text: &str) -> Option<u32> {
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
