//! Makes, removes and cuts areas. `docs/formats/source-edit.md`, sections 2.1 to 2.5.

use super::editor::{SourceEditor, snap_of};
use super::geometry::{Axis, distance_squared, edges, halves, overlap};
use super::state::{Begun, Item};
use super::world::Slot;
use crate::buf::AreaBuf;
use crate::flags::Direction;
use crate::record::{AreaId, LadderSlot, Shape};
use navmap_core::edit::{Command, Refusal, Scope, Word};
use navmap_core::text::counted;

type Fared = Result<(), Refusal>;

impl SourceEditor {
    // New areas.

    pub(super) fn nav_begin_area(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if matches!(self.world.state().anchor, Some((Begun::Area, _))) && c.peek().is_none() {
            self.world.with_state(|state| state.anchor = None);
            s.say("cancelled");
            return c.finish();
        }
        let at = self.point(c, s)?;
        c.finish()?;
        let gold = self.is_gold(s);
        self.world.with_state(|state| {
            state.anchor = Some((Begun::Area, at));
            if !gold {
                // The command clears the mark both when it begins and when it ends: `docs/formats/source-edit.md`,
                // section 1.1. In GoldSrc it stays.
                (state.mark, state.corner) = (None, None);
            }
        });
        Ok(())
    }

    pub(super) fn nav_end_area(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let Some((Begun::Area, from)) = self.world.state().anchor else {
            return Err(Refusal::new("no area was begun"));
        };
        let like = c.option("--like")?;
        let connect = c.option("--connect")?;
        let allowed = c.flag("--degenerate") || s.game_exact();
        let to = self.point(c, s)?;
        c.finish()?;
        let [fx, fy, z] = from;
        let [tx, ty, _] = to;
        let shape = Shape::from_extent([fx.min(tx), fy.min(ty)], [fx.max(tx), fy.max(ty)], [z; 4]);
        if shape.is_degenerate() && !allowed {
            let [x, y] = shape.extent();
            return Err(Refusal::new(format!(
                "an area of {x} by {y} has no surface (--degenerate makes it)"
            )));
        }
        let sole = if self.is_gold(s) { self.marked_area(s) } else { self.sole(s) };
        let donor = match like {
            Some(word) if word.text.eq_ignore_ascii_case("none") => None,
            Some(word) => Some(self.one_area(&word, s)?),
            None => sole.or_else(|| self.nearest(to)),
        };
        let connect = connect.map(|word| self.one_area(&word, s)).transpose()?;
        let id = self.new_id(s)?;
        let mut area = AreaBuf::new(id, shape);
        area.place = self.world.state().place;
        if let Some(donor) = donor.and_then(|slot| self.world.area(slot)) {
            area.attributes = donor.attributes;
            if area.place == 0 {
                area.place = donor.place;
            }
        }
        let slot = self.make(area, s);
        if let Some(other) = connect.or(sole) {
            self.connect_new(slot, other, [from, to], connect.is_some(), s)?;
        }
        self.world.with_state(|state| {
            state.anchor = None;
            if sole.is_some() {
                state.mark = Some(Item::Area(slot));
            }
        });
        self.stale(s);
        s.say(format!("made #{id}"));
        Ok(())
    }

    /// Links a new area both ways with one that is entirely on one side of both points.
    fn connect_new(
        &mut self,
        slot: Slot,
        other: Slot,
        points: [[f32; 3]; 2],
        asked: bool,
        s: &mut Scope<Item>,
    ) -> Fared {
        let Some((old, new)) = self.world.area(other).zip(self.world.area(slot)) else { return Ok(()) };
        let ([x0, x1], [y0, y1]) = (edges(&old.shape, Axis::X), edges(&old.shape, Axis::Y));
        let both = |test: &dyn Fn(f32, f32) -> bool| points.iter().all(|[x, y, _]| test(*x, *y));
        let sides = [
            (Direction::East, both(&|x, _| x > x1)),
            (Direction::West, both(&|x, _| x < x0)),
            (Direction::South, both(&|_, y| y > y1)),
            (Direction::North, both(&|_, y| y < y0)),
        ];
        let side = sides.iter().find(|(_, yes)| *yes).map(|(direction, _)| *direction);
        let (old_id, new_id) = (old.id, new.id);
        let direction = match side {
            Some(direction) => direction,
            None if asked => self.portal(other, slot)?,
            None => return Ok(()),
        };
        self.world.link(other, direction, new_id);
        self.world.link(slot, direction.opposite(), old_id);
        s.say(format!("#{old_id} {direction} to #{new_id} and back"));
        Ok(())
    }

    /// Appends an area that a command has made.
    pub(super) fn make(&mut self, area: AreaBuf, s: &mut Scope<Item>) -> Slot {
        let slot = self.world.push_area(area);
        s.made(Item::Area(slot));
        slot
    }

    // Delete.

    pub(super) fn nav_delete(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.take();
        let items = match &word {
            Some(word) => s.select(self, word)?,
            None if !s.selection.is_empty() => s.selection.items(),
            None => self.marked(s).into_iter().collect(),
        };
        c.finish()?;
        match (items.is_empty(), word) {
            (true, None) => return Err(Refusal::new("nothing is named, selected or marked")),
            (true, Some(_)) => s.say("deleted 0 areas"),
            _ => self.delete(&items, s),
        }
        Ok(())
    }

    pub(super) fn nav_delete_marked(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let marked = self.marked(s).ok_or_else(|| Refusal::new("nothing is marked"))?;
        self.delete(&[marked], s);
        s.selection.clear();
        Ok(())
    }

    pub(super) fn delete(&mut self, items: &[Item], s: &mut Scope<Item>) {
        s.selection.remove_all(items.iter().copied());
        let [mut areas, mut ladders] = [0_usize; 2];
        for item in items {
            match item {
                Item::Area(slot) => {
                    self.world.kill_area(*slot, s);
                    areas = areas.saturating_add(1);
                }
                Item::Ladder(slot) => {
                    self.world.kill_ladder(*slot, s);
                    ladders = ladders.saturating_add(1);
                }
            }
        }
        if !self.is_gold(s) {
            self.world.strip();
        }
        if areas > 0 {
            s.say(format!("deleted {}", counted(areas as u64, "area", "areas")));
        }
        if ladders > 0 {
            s.say(format!("deleted {}", counted(ladders as u64, "ladder", "ladders")));
        }
        if self.world.census().areas == 0 {
            s.say("no areas are left: the game refuses such a mesh");
        }
    }

    // Split.

    pub(super) fn nav_split(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let unit = snap_of(c)?;
        let ids = c.option("--as")?.map(|word| self.free_ids(&word)).transpose()?;
        let mut operands = [c.take(), c.take()];
        c.finish()?;
        operands.sort_by_key(|word| word.is_some_and(|word| word.text.contains('=')));
        let [mut area, mut cut] = operands;
        if cut.is_none() {
            std::mem::swap(&mut area, &mut cut);
        }
        let Some(word) = cut else {
            return Err(Refusal::new("x= or y= with the coordinate of the cut is missing"));
        };
        let wrong =
            || Refusal::new(format!("{} where x= or y= and a number was expected", word.text)).at(word.at);
        let (axis, at) = word.text.split_once('=').ok_or_else(wrong)?;
        let axis = match axis {
            "x" | "X" => Axis::X,
            "y" | "Y" => Axis::Y,
            _ => return Err(wrong()),
        };
        let mut at = navmap_core::edit::number(at).ok_or_else(wrong)?;
        let unit = match (unit, s.game_exact()) {
            (Some(unit), _) => Some(unit),
            (None, true) => Some(self.snap_unit().unwrap_or(25)),
            (None, false) => self.snap_unit(),
        };
        if let Some(unit) = unit {
            at = match self.is_gold(s) {
                true => (at / unit as f32).trunc() * unit as f32,
                false => super::geometry::snap(at, unit),
            };
        }
        let slot = match area {
            Some(word) => self.one_area(&word, s)?,
            None => self.any_area(s)?,
        };
        let whole = self.world.area(slot).map(|area| (area.id, area.hiding_spots.clone()));
        let made = self.split_as(ids, slot, axis, at, s);
        if s.game_exact() {
            // The game strips even though it refuses; our refusals change nothing.
            self.world.strip();
            if let Err(refusal) = &made {
                s.say(refusal.to_string());
                return Ok(());
            }
        }
        let [alpha, beta] = made?;
        match whole {
            Some((id, spots)) if !s.game_exact() => self.world.drop_encounters_by(id, &spots),
            _ => self.world.strip(),
        }
        let names = [alpha, beta].map(|slot| self.item(Item::Area(slot)));
        s.say(format!("made {} and {}", names[0], names[1]));
        Ok(())
    }

    /// The two unused ids of `#401,#402`.
    fn free_ids(&self, word: &Word<'_>) -> Result<[AreaId; 2], Refusal> {
        let wrong =
            || Refusal::new(format!("{} where two ids were expected, 401,402", word.text)).at(word.at);
        let (first, second) = word.text.split_once(',').ok_or_else(wrong)?;
        if first == second {
            return Err(wrong());
        }
        Ok([self.free_id(&Word { text: first, ..*word })?, self.free_id(&Word { text: second, ..*word })?])
    }

    /// Cuts an area at a coordinate. The halves are north and south, or west and east.
    pub(super) fn split(
        &mut self,
        slot: Slot,
        axis: Axis,
        cut: f32,
        s: &mut Scope<Item>,
    ) -> Result<[Slot; 2], Refusal> {
        self.split_as(None, slot, axis, cut, s)
    }

    /// Cuts an area, with these ids for the halves.
    fn split_as(
        &mut self,
        ids: Option<[AreaId; 2]>,
        slot: Slot,
        axis: Axis,
        cut: f32,
        s: &mut Scope<Item>,
    ) -> Result<[Slot; 2], Refusal> {
        self.world.has_room()?;
        let (exact, gold) = (s.game_exact(), self.is_gold(s));
        let Some(old) = self.world.area(slot).cloned() else { return Err(Refusal::new("the area is gone")) };
        let [low, high] = edges(&old.shape, axis);
        if !(cut > low + 1.0 && cut < high - 1.0) {
            let name = axis.name();
            let inside = (cut - low).min(high - cut);
            return Err(Refusal::new(format!(
                "#{} spans {name} {low} to {high}: a cut at {cut} is {inside} inside it, more than 1 is needed",
                old.id
            )));
        }
        let ids = match ids {
            Some(ids) => ids.to_vec(),
            None => self.new_ids(2, s)?,
        };
        let mut halves = halves(&old.shape, axis, cut, exact);
        let mut slots = [0; 2];
        let sides = match axis {
            Axis::Y => [Direction::South, Direction::North],
            Axis::X => [Direction::East, Direction::West],
        };
        for ((id, shape), slot) in ids.iter().zip(&mut halves).zip(&mut slots) {
            let mut half = AreaBuf::new(*id, *shape);
            half.attributes = old.attributes;
            half.place = match self.world.state().place {
                current if exact && current != 0 && !gold => current,
                _ => old.place,
            };
            if !exact {
                half.game_attributes = old.game_attributes;
                half.spawn_attributes = old.spawn_attributes;
                half.unknown_after_spawn_attributes = old.unknown_after_spawn_attributes;
                half.occupy_times = old.occupy_times;
                half.light = light_at(&old, shape);
            }
            *slot = self.make(half, s);
        }
        let [alpha, beta] = slots;
        let [alpha_to_beta, beta_to_alpha] = sides;
        if let [alpha_id, beta_id] = ids.as_slice() {
            self.world.link(alpha, alpha_to_beta, *beta_id);
            self.world.link(beta, beta_to_alpha, *alpha_id);
        }
        let inward = [(alpha, alpha_to_beta), (beta, beta_to_alpha)];
        self.relink_halves(&old, slot, inward, s);
        if !gold {
            self.move_ladders(&old, [alpha, beta]);
        }
        let selected = s.selection.contains(Item::Area(slot));
        self.world.note_heirs(slot, &slots);
        self.world.kill_area(slot, s);
        if selected {
            slots.iter().for_each(|half| _ = s.selection.add(Item::Area(*half)));
        }
        self.world.with_state(|state| (state.mark, state.corner) = (None, None));
        Ok(slots)
    }

    /// Gives each half the links of the whole that it overlaps, in both directions.
    fn relink_halves(
        &mut self,
        old: &AreaBuf,
        whole: Slot,
        halves: [(Slot, Direction); 2],
        s: &mut Scope<Item>,
    ) {
        let exact = s.game_exact();
        let incoming = self.world.incoming(old.id);
        let mut kept: Vec<(Slot, Direction)> = Vec::new();
        let mut game_drops = 0_usize;
        for (half, inward) in halves {
            let Some(now) = self.world.area(half) else { continue };
            let (id, shape) = (now.id, now.shape);
            for direction in Direction::ALL.into_iter().filter(|direction| *direction != inward) {
                let axis = Axis::along(direction);
                let faces = |other: &Shape| overlap(&shape, other, axis) > 0.0;
                let back = direction.opposite();
                let out = old.connections(direction);
                for to in out {
                    let Some(other) = self.world.by_id(*to).filter(|other| *other != whole) else { continue };
                    if !self.world.area(other).is_some_and(|other| faces(&other.shape)) {
                        continue;
                    }
                    self.world.link(half, direction, *to);
                    if incoming.contains(&(other, back)) {
                        self.world.link(other, back, id);
                        kept.push((other, back));
                    }
                }
                for (other, way) in &incoming {
                    let Some(from) = self.world.area(*other) else { continue };
                    let one_way = *way == back && !out.contains(&from.id);
                    if *other == whole || !one_way || !faces(&from.shape) {
                        continue;
                    }
                    // The engine looks for these inside its loop over the outgoing links of the side.
                    if (out.is_empty() && exact) || self.is_gold(s) {
                        continue;
                    }
                    game_drops = game_drops.saturating_add(out.is_empty().into());
                    self.world.link(*other, back, id);
                    kept.push((*other, back));
                }
            }
        }
        let lost = incoming.iter().filter(|link| link.0 != whole && !kept.contains(link)).count();
        if lost > 0 {
            let (links, which) = (counted(lost as u64, "link", "links"), old.id);
            let what =
                if lost == 1 { "faces neither half and is gone" } else { "face neither half and are gone" };
            s.say(format!("{links} into #{which} {what}"));
        }
        if game_drops > 0 {
            let links = counted(game_drops as u64, "one-way link", "one-way links");
            let [are, them] = if game_drops == 1 { ["is", "it"] } else { ["are", "them"] };
            s.say(format!("{links} into #{} {are} kept; the game would drop {them}", old.id));
        }
    }

    /// Gives each ladder of the whole to the half nearer to its top.
    fn move_ladders(&mut self, old: &AreaBuf, halves: [Slot; 2]) {
        let shapes = halves.map(|half| self.world.area(half).map(|area| (area.id, area.shape)));
        let [Some((alpha_id, alpha)), Some((beta_id, beta))] = shapes else { return };
        let nearer_alpha = |top: [f32; 3]| distance_squared(&alpha, top) < distance_squared(&beta, top);
        let [alpha_slot, beta_slot] = halves;
        for id in old.ladders_up.iter().chain(&old.ladders_down) {
            let Some(slot) = self.world.ladder_by_id(*id) else { continue };
            let Some(top) = self.world.ladder(slot).map(|each| each.ladder.top()) else { continue };
            self.world.list_ladder(if nearer_alpha(top) { alpha_slot } else { beta_slot }, slot);
        }
        self.world.change_ladders(|each| {
            for slot in LadderSlot::ALL {
                if each.ladder.area(slot) == old.id {
                    let id = if nearer_alpha(each.ladder.top()) { alpha_id } else { beta_id };
                    each.ladder.set_area(slot, id);
                }
            }
        });
    }
}

/// The light of the whole at the corners of a part.
fn light_at(old: &AreaBuf, part: &Shape) -> [zerocopy::byteorder::little_endian::F32; 4] {
    let ([x0, y0, _], [x1, y1, _]) = (old.shape.north_west(), old.shape.south_east());
    let lit = Shape::from_extent([x0, y0], [x1, y1], old.light.map(|light| light.get()));
    part.corners().map(|[x, y, _]| lit.height_at(x, y).into())
}

/// The id 0 means "none".
pub(super) fn area_id(id: u64) -> Option<AreaId> {
    u32::try_from(id).ok().map(AreaId::new)
}
