//! The verbs, and what each does.

use super::editor::{DetourEditor, Item};
use super::parts::Jump;
use super::values::{self, Holds, JUMP_KEYS, KEYS};
use crate::layout::Layout;
use crate::record::OffMesh;
use navmap_core::edit::points::{moved as moved_by, point};
use navmap_core::edit::{Apply, Command, Refusal, Scope, Verb, Word, verb};
use navmap_core::text::counted;
use std::collections::BTreeMap;

type Fared = Result<(), Refusal>;
type S = Scope<Item>;

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const VERBS: &[(Verb, Apply<DetourEditor>)] = &[
    (verb("set", "SELECTOR KEY=VALUE...", "set Area=N Flags=N of polygons and connections, Start=X,Y,Z End=X,Y,Z Radius=N Both=yes|no UserId=N of connections"), DetourEditor::set),
    (verb("flag", "BITS [SELECTOR]", "set flags: a number such as 0x10"), |e, c, s| e.mark(true, c, s)),
    (verb("unflag", "BITS [SELECTOR]", "clear flags"), |e, c, s| e.mark(false, c, s)),
    (verb("delete", "[SELECTOR]", "delete polygons, whose neighbours get walls there, and connections; the file numbers the others anew, the session does not"), DetourEditor::delete),
    (verb("connect", "FROM TO [--both] [KEY=VALUE...]", "make an off-mesh connection from one point X,Y,Z or polygon to another: Radius=N Area=N Flags=N UserId=N"), DetourEditor::connect),
    (verb("move", "DX DY DZ [SELECTOR]", "move connections, both ends"), DetourEditor::shift),
];

fn polygons(count: usize) -> String {
    counted(count as u64, "polygon", "polygons")
}

fn connections(count: usize) -> String {
    counted(count as u64, "connection", "connections")
}

/// `2 polygons and 1 connection`
fn both(ground: usize, jumps: usize) -> String {
    match (ground, jumps) {
        (_, 0) => polygons(ground),
        (0, _) => connections(jumps),
        _ => format!("{} and {}", polygons(ground), connections(jumps)),
    }
}

impl DetourEditor {
    /// What the version of a tile stores of a polygon.
    fn holds(&self, tile: u32) -> Holds {
        let tile = self.opened.tiles.get(tile as usize);
        Holds::of(tile.map_or(Layout::V7, |tile| tile.layout))
    }

    fn set(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", JUMP_KEYS.join(", "))).at(c.at()));
        }
        let (mut ground, mut jumps) = (0_usize, 0_usize);
        for item in s.nodes(self, Some(word))? {
            match item {
                Item::Polygon(slot) => {
                    let Some(mut now) = self.ground(slot).copied() else { continue };
                    let holds = self.holds(self.place_of(slot).0);
                    for word in &given {
                        values::set(&mut now, word, holds).map_err(|refusal| of_polygon(refusal, word))?;
                    }
                    ground = ground.saturating_add(self.change_ground(slot, |ground| *ground = now).into());
                }
                Item::Connection(slot) => {
                    let Some(was) = self.jump(slot).copied() else { continue };
                    let (mut now, holds) = (was, self.holds(was.tile));
                    given.iter().try_for_each(|word| values::set_jump(&mut now, word, holds))?;
                    jumps = jumps.saturating_add(self.put(slot, &was, now, s)?.into());
                }
            }
        }
        s.say(format!("changed {}", both(ground, jumps)));
        Ok(())
    }

    /// Changes a connection, which goes to another tile if it starts there now. Returns whether that made a difference.
    fn put(&mut self, slot: u32, was: &Jump, mut now: Jump, s: &mut S) -> Result<bool, Refusal> {
        if now.record != was.record {
            self.mutable(was.tile)?;
        }
        let reach = |jump: &Jump| {
            let row = &jump.record;
            (row.start().map(f32::to_bits), row.end().map(f32::to_bits), row.radius().to_bits())
        };
        // An end that was nowhere before lies in no tile: the connection stays in its own.
        let astray = |jump: &Jump| {
            let [start, end] = [jump.record.start(), jump.record.end()];
            !start.iter().chain(&end).all(|value| value.is_finite())
        };
        if reach(&now) != reach(was) && !(astray(&now) && astray(was)) {
            let row = now.record;
            let placed = self.placed([row.start(), row.end()], row.radius())?;
            if placed.tile != was.tile {
                self.room(placed.tile)?;
            }
            (now.tile, now.record) = (placed.tile, row.over_side(placed.side));
            placed.said.into_iter().for_each(|line| s.say(format!("C#{slot}: {line}")));
        }
        Ok(self.change_jump(slot, |jump| *jump = now))
    }

    fn mark(&mut self, set: bool, c: &mut Command<'_>, s: &mut S) -> Fared {
        let bits = c.need("flags")?;
        let word = c.take();
        c.finish()?;
        let with = |flags: u32, holds: Holds| -> Result<u32, Refusal> {
            let bits = holds.flags(bits.text).map_err(|refusal| refusal.at(bits.at))?;
            Ok(if set { flags | bits } else { flags & !bits })
        };
        let (mut ground, mut jumps) = (0_usize, 0_usize);
        for item in s.nodes(self, word)? {
            match item {
                Item::Polygon(slot) => {
                    let Some(now) = self.ground(slot).copied() else { continue };
                    let flags = with(now.flags, self.holds(self.place_of(slot).0))?;
                    ground =
                        ground.saturating_add(self.change_ground(slot, |ground| ground.flags = flags).into());
                }
                Item::Connection(slot) => {
                    let Some(now) = self.jump(slot).copied() else { continue };
                    let flags = with(now.flags, self.holds(now.tile))?;
                    jumps = jumps.saturating_add(self.change_jump(slot, |jump| jump.flags = flags).into());
                }
            }
        }
        s.say(format!("changed {}", both(ground, jumps)));
        Ok(())
    }

    fn delete(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let word = c.take();
        c.finish()?;
        let (mut ground, mut jumps) = (0_usize, 0_usize);
        let mut torn: BTreeMap<u32, usize> = BTreeMap::new();
        for item in s.nodes(self, word)? {
            match item {
                Item::Polygon(slot) => {
                    let (tile, _) = self.place_of(slot);
                    self.mutable(tile)?;
                    if self.change_ground(slot, |ground| ground.used = false) {
                        let gone = torn.entry(tile).or_default();
                        *gone = gone.saturating_add(1);
                        ground = ground.saturating_add(1);
                    }
                }
                Item::Connection(slot) => {
                    let Some(tile) = self.jump(slot).map(|jump| jump.tile) else { continue };
                    self.mutable(tile)?;
                    jumps = jumps.saturating_add(self.change_jump(slot, |jump| jump.used = false).into());
                }
            }
        }
        for tile in torn.keys() {
            let left = self.grounds.get(self.range(*tile)).unwrap_or_default();
            if !left.iter().any(|ground| ground.used) {
                let why = "no polygon would be left, and Detour builds no tile without one";
                return Err(Refusal::new(format!("tile {tile}: {why}")));
            }
        }
        s.say(format!("deleted {}", both(ground, jumps)));
        Ok(())
    }

    fn connect(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let both = c.flag("--both");
        let (from, to) = (c.need("a point or a polygon")?, c.need("another point or polygon")?);
        let given = c.rest()?;
        let ends = [self.end(&from, s)?, self.end(&to, s)?];
        let record = OffMesh::new(ends, self.radius(), 0, both, 0xFF, 0);
        let mut jump = Jump { tile: 0, record, area: 0, flags: 0, used: true };
        let set = |jump: &mut Jump, holds: Holds| {
            given.iter().try_for_each(|word| values::set_jump(jump, word, holds))
        };
        set(&mut jump, self.holds(0))?;
        let row = jump.record;
        let placed = self.placed([row.start(), row.end()], row.radius())?;
        self.room(placed.tile)?;
        (jump.tile, jump.record) = (placed.tile, row.over_side(placed.side));
        (jump.area, jump.flags) = placed.under;
        set(&mut jump, self.holds(placed.tile))?;
        jump.record = jump.record.over_side(placed.side);
        let slot = self.push_jump(jump)?;
        s.made(Item::Connection(slot));
        s.say(format!("made C#{slot}"));
        placed.said.into_iter().for_each(|line| s.say(line));
        Ok(())
    }

    /// An end of a connection: a point, or the middle of a polygon.
    fn end(&self, word: &Word<'_>, s: &mut S) -> Result<[f32; 3], Refusal> {
        if let Some(at) = point(word.text) {
            return Ok(at);
        }
        match s.one(self, word)? {
            Item::Polygon(slot) => Ok(self.center(slot)),
            Item::Connection(_) => {
                Err(Refusal::new(format!("{} where a point or a polygon was expected", word.text))
                    .at(word.at))
            }
        }
    }

    fn shift(&mut self, c: &mut Command<'_>, s: &mut S) -> Fared {
        let (by, word) = c.shift()?;
        let mut moved = 0_usize;
        for item in s.nodes(self, word)? {
            let Item::Connection(slot) = item else {
                return Err(Refusal::new(
                    "a polygon shares its corners with others: only connections are moved",
                ));
            };
            let Some(was) = self.jump(slot).copied() else { continue };
            let row = was.record;
            let [start, end] = [row.start(), row.end()].map(|at| {
                let beyond = || Refusal::new(format!("C#{slot} would lie beyond the largest number"));
                moved_by(at, by).ok_or_else(beyond)
            });
            let record = row.between([start?, end?]);
            moved = moved.saturating_add(self.put(slot, &was, Jump { record, ..was }, s)?.into());
        }
        s.say(format!("moved {}", connections(moved)));
        Ok(())
    }
}

/// A refusal of a value that polygons do not have says what they have.
fn of_polygon(refusal: Refusal, word: &Word<'_>) -> Refusal {
    let key = word.text.split_once('=').map_or(word.text, |(key, _)| key);
    let of_jumps = JUMP_KEYS.iter().any(|known| known.eq_ignore_ascii_case(key));
    match of_jumps && !KEYS.iter().any(|known| known.eq_ignore_ascii_case(key)) {
        true => {
            Refusal::new(format!("{key} is of connections; a polygon has {}", KEYS.join(", "))).at(word.at)
        }
        false => refusal,
    }
}
