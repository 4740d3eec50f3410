//! Makes, turns, moves and links ladders. `docs/formats/source-edit.md`, section 2.13.

use super::editor::SourceEditor;
use super::geometry::{length, minus, plus};
use super::state::Item;
use super::world::Slot;
use crate::buf::LadderBuf;
use crate::flags::Direction;
use crate::record::{AreaId, Ladder, LadderId, LadderSlot};
use navmap_core::edit::points::point;
use navmap_core::edit::{Command, Refusal, Scope, nearest};

type Fared = Result<(), Refusal>;

/// What `ladder` does.
pub(super) const VERBS: [&str; 7] = ["add", "set", "flip", "delete", "move", "resize", "link"];

/// The unit vector of a direction.
pub(super) fn normal(direction: Direction) -> [f32; 3] {
    match direction {
        Direction::North => [0.0, -1.0, 0.0],
        Direction::East => [1.0, 0.0, 0.0],
        Direction::South => [0.0, 1.0, 0.0],
        Direction::West => [-1.0, 0.0, 0.0],
    }
}

impl SourceEditor {
    fn a_ladder(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<Slot, Refusal> {
        let (item, at) = match c.take() {
            Some(word) => (s.one(self, &word)?, word.at),
            None => (self.marked(s).ok_or_else(|| Refusal::new("no ladder is named or marked"))?, c.at()),
        };
        match item {
            Item::Ladder(slot) => Ok(slot),
            Item::Area(_) => {
                Err(Refusal::new(format!("{} is an area where a ladder was expected", self.item(item)))
                    .at(at))
            }
        }
    }

    pub(super) fn nav_ladder_flip(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let slot = self.a_ladder(c, s)?;
        c.finish()?;
        let Some(mut each) = self.world.ladder(slot).copied() else { return Ok(()) };
        let Some(direction) = each.ladder.direction() else {
            return Err(Refusal::new(format!(
                "its direction is {}, which is none",
                each.ladder.direction_stored()
            )));
        };
        each.ladder.set_direction(direction.opposite());
        for (a, b) in
            [(LadderSlot::TopForward, LadderSlot::TopBehind), (LadderSlot::TopLeft, LadderSlot::TopRight)]
        {
            let (left, right) = (each.ladder.area(a), each.ladder.area(b));
            each.ladder.set_area(a, right);
            each.ladder.set_area(b, left);
        }
        if self.world.set_ladder(slot, each) {
            self.stale(s);
        }
        s.say(format!("{} faces {}", self.item(Item::Ladder(slot)), direction.opposite()));
        Ok(())
    }

    /// `ladder add TOP BOTTOM WIDTH DIRECTION [--link]`, `ladder set`, `flip`, `delete`, `move`, `resize`, `link`.
    pub(super) fn ladder(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("add, set, flip, delete, move, resize or link")?;
        match word.text.to_ascii_lowercase().as_str() {
            "add" if c.peek().is_some_and(|word| word.text.starts_with(['L', 'l'])) => {
                self.ladder_exactly(true, c, s)
            }
            "add" => self.ladder_add(c, s),
            "set" => self.ladder_exactly(false, c, s),
            "flip" => self.nav_ladder_flip(c, s),
            "delete" => {
                let slot = self.a_ladder(c, s)?;
                c.finish()?;
                self.delete(&[Item::Ladder(slot)], s);
                Ok(())
            }
            "move" => self.ladder_move(c, s),
            "resize" => self.ladder_resize(c, s),
            "link" => self.ladder_link(c, s),
            other => Err(Refusal::unknown("command", format_args!("ladder {other}"))
                .or(nearest(other, VERBS))
                .at(word.at)),
        }
    }

    pub(super) fn nav_build_ladder(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        // With at most one operand it concerns ladders of the map.
        if c.words_left() <= 1 {
            return self.ladders_of_map(c, s);
        }
        self.ladder_add(c, s)
    }

    fn ladder_add(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if self.world.head.version < 6 {
            let why = "a mesh of this version stores no ladders: the game finds them in the map";
            return Err(Refusal::new(why));
        }
        let link = c.flag("--link");
        let top = c.numbers::<3>("the upper end")?;
        let bottom = c.numbers::<3>("the lower end")?;
        let width = c.number("the width")?;
        let direction = self.direction(c)?;
        c.finish()?;
        let ([.., tz], [.., bz]) = (top, bottom);
        if tz <= bz {
            return Err(Refusal::new(format!(
                "the top is at height {tz}, the bottom at {bz}: {} too low",
                bz - tz
            )));
        }
        if width <= 0.0 {
            return Err(Refusal::new(format!("a width of {width}")));
        }
        let id = self.new_ladder_id()?;
        let ladder = Ladder::new(id, top, bottom, width, direction);
        let slot = self.world.push_ladder(LadderBuf::from(ladder));
        s.made(Item::Ladder(slot));
        s.say(format!("made L#{id}"));
        if link {
            self.link_new_ladder(slot, s);
        }
        self.stale(s);
        Ok(())
    }

    pub(super) fn new_ladder_id(&self) -> Result<LadderId, Refusal> {
        let id = self.world.last_ladder_id().checked_add(1).filter(|id| *id != u32::MAX);
        let id = id.ok_or_else(|| Refusal::new("no ladder id is left: nav_compress_id makes room"))?;
        Ok(LadderId::new(id))
    }

    fn direction(&self, c: &mut Command<'_>) -> Result<Direction, Refusal> {
        let word = c.need("the way that it faces")?;
        let lower = word.text.to_ascii_lowercase();
        let found = Direction::ALL
            .into_iter()
            .find(|d| d.name() == lower || d.name().get(..1) == Some(lower.as_str()));
        found.ok_or_else(|| {
            Refusal::new(format!("{} where north, east, south or west was expected", word.text)).at(word.at)
        })
    }

    /// The engine's rules without its traces.
    fn link_new_ladder(&mut self, slot: Slot, s: &mut Scope<Item>) {
        let Some(each) = self.world.ladder(slot).copied() else { return };
        let Some(direction) = each.ladder.direction() else { return };
        let ahead = normal(direction);
        let foot = plus(plus(each.ladder.bottom(), [0.0, 0.0, 25.0]), ahead.map(|value| 16.0 * value));
        let head = plus(plus(each.ladder.top(), [0.0, 0.0, 25.0]), ahead.map(|value| 16.0 * value));
        let ([.., tz], [.., bz]) = (each.ladder.top(), each.ladder.bottom());
        let reach = (tz - bz + 16.0).min(120.0);
        let bottom = self.nearest_by_engine(foot);
        let left = super::links::left_of(direction);
        let ways = [
            (LadderSlot::TopForward, direction.opposite(), 75.0),
            (LadderSlot::TopLeft, left, 75.0),
            (LadderSlot::TopRight, left.opposite(), 75.0),
        ];
        let mut after = each;
        let mut listed = Vec::new();
        if let Some(area) = bottom.and_then(|slot| self.world.area(slot)) {
            after.ladder.set_area(LadderSlot::Bottom, area.id);
        }
        for (place, way, far) in ways {
            let mut distance = 0.0;
            while distance <= far {
                let at = plus(head, normal(way).map(|value| distance * value));
                distance += 25.0;
                let [x, y, z] = at;
                let Some(found) = self.highest([x, y], z - reach, z + 5.0) else { continue };
                if Some(found) != bottom
                    && let Some(area) = self.world.area(found)
                {
                    after.ladder.set_area(place, area.id);
                    listed.push(found);
                }
                break;
            }
        }
        self.world.set_ladder(slot, after);
        let id = each.ladder.id();
        let mut list = |area: Slot, up: bool| {
            let Some(mut ladders) =
                self.world.area(area).map(|area| super::world::ladder_list(area, up).clone())
            else {
                return;
            };
            if !ladders.contains(&id) {
                ladders.push(id);
                self.world.set_ladders_of(area, up, ladders);
            }
        };
        bottom.into_iter().for_each(|area| list(area, true));
        listed.into_iter().for_each(|area| list(area, false));
        let names = after.ladder.areas().into_iter().filter(|(_, area)| area.get() != 0);
        let names: Vec<_> = names.map(|(name, area)| format!("{name} #{area}")).collect();
        s.say(format!("linked by the mesh alone, without traces through the map: {}", names.join(", ")));
    }

    fn ladder_move(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let slot = self.a_ladder(c, s)?;
        let by =
            [c.number("the distance in x")?, c.number("the distance in y")?, c.number("the distance in z")?];
        c.finish()?;
        let Some(mut each) = self.world.ladder(slot).copied() else { return Ok(()) };
        each.ladder.set_ends(plus(each.ladder.top(), by), plus(each.ladder.bottom(), by));
        if self.world.set_ladder(slot, each) {
            self.stale(s);
        }
        Ok(())
    }

    fn ladder_resize(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let end = |word: navmap_core::edit::Word<'_>| {
            point(word.text).ok_or_else(|| {
                Refusal::new(format!("{} where a point was expected, x,y,z", word.text)).at(word.at)
            })
        };
        let top = c.option("--top")?.map(end).transpose()?;
        let bottom = c.option("--bottom")?.map(end).transpose()?;
        let width = c.option_number("--width")?;
        let slot = self.a_ladder(c, s)?;
        c.finish()?;
        let Some(mut each) = self.world.ladder(slot).copied() else { return Ok(()) };
        if (top, bottom, width) == (None, None, None) {
            return Err(Refusal::new("--top, --bottom or --width is missing"));
        }
        let (top, bottom) = (top.unwrap_or(each.ladder.top()), bottom.unwrap_or(each.ladder.bottom()));
        each.ladder.set_ends(top, bottom);
        each.ladder.set_length(length(minus(top, bottom)));
        if let Some(width) = width {
            each.ladder.set_width(width);
        }
        if self.world.set_ladder(slot, each) {
            self.stale(s);
        }
        Ok(())
    }

    /// `ladder link L#1 top-forward #5`; `none` for no area.
    fn ladder_link(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let slot = self.a_ladder(c, s)?;
        let word = c.need("top-forward, top-left, top-right, top-behind or bottom")?;
        let place = LadderSlot::ALL.into_iter().find(|place| place.name().eq_ignore_ascii_case(word.text));
        let place = place.ok_or_else(|| {
            let near = nearest(word.text, LadderSlot::ALL.map(LadderSlot::name));
            Refusal::new(format!("{} where a place of a ladder was expected", word.text)).or(near).at(word.at)
        })?;
        let target = c.need("an area or none")?;
        c.finish()?;
        let id = match target.text.eq_ignore_ascii_case("none") {
            true => AreaId::default(),
            false => {
                let area = self.one_area(&target, s)?;
                self.world.area(area).map(|area| area.id).unwrap_or_default()
            }
        };
        let Some(mut each) = self.world.ladder(slot).copied() else { return Ok(()) };
        each.ladder.set_area(place, id);
        self.world.set_ladder(slot, each);
        self.stale(s);
        Ok(())
    }
}
