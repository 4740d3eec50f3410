//! Commands that mark and select. `docs/formats/source-edit.md`, section 1.4.

use super::editor::SourceEditor;
use super::geometry::{Axis, HALF_HUMAN, closest_point, edges, length, minus, plus};
use super::select::{Flow, Half, larger};
use super::state::{Begun, Item};
use super::world::Slot;
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;
use std::collections::HashSet;
use std::sync::Arc;

type Fared = Result<(), Refusal>;

impl SourceEditor {
    pub(super) fn nav_mark(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let first = c.take();
        let ladder = first.is_some_and(|word| word.text.eq_ignore_ascii_case("ladder"));
        let word = if ladder { Some(c.need("the id of a ladder")?) } else { first };
        c.finish()?;
        if s.game_exact() && self.world.state().mark.is_some() {
            // If something is marked, the command only unmarks, with any operands.
            self.world.with_state(|state| (state.mark, state.corner) = (None, None));
            return Ok(());
        }
        let Some(word) = word else {
            if self.world.state().mark.is_none() {
                return Err(Refusal::new("an area or a ladder is missing"));
            }
            self.world.with_state(|state| (state.mark, state.corner) = (None, None));
            return Ok(());
        };
        let bare = word.text.chars().all(|c| c.is_ascii_digit());
        let item = match (bare, ladder) {
            (true, _) => s.find(self, if ladder { "L" } else { "" }, word.text).map_err(|r| r.at(word.at))?,
            (false, _) => s.one(self, &word)?,
        };
        if s.game_exact() && !s.selection.is_empty() {
            let _ = s.selection.remove(item) || s.selection.add(item);
            return Ok(());
        }
        self.world.with_state(|state| (state.mark, state.corner) = (Some(item), None));
        if let Item::Area(slot) = item {
            let count = self.world.area(slot).map_or(0, |area| area.all_connections().count());
            s.say(format!(
                "marked {}: {}",
                self.item(item),
                counted(count as u64, "connection", "connections")
            ));
        } else {
            s.say(format!("marked {}", self.item(item)));
        }
        Ok(())
    }

    pub(super) fn nav_unmark(&mut self, c: &mut Command<'_>, _: &mut Scope<Item>) -> Fared {
        c.finish()?;
        self.world.with_state(|state| (state.mark, state.corner) = (None, None));
        Ok(())
    }

    fn added(&mut self, areas: impl IntoIterator<Item = Slot>, s: &mut Scope<Item>) -> usize {
        areas.into_iter().filter(|slot| s.selection.add(Item::Area(*slot))).count()
    }

    pub(super) fn add_to_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("a selector")?;
        c.finish()?;
        let areas = self.areas_of(&word, s)?;
        let added = self.added(areas, s);
        s.say(format!("{} added", counted(added as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn remove_from_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("a selector")?;
        c.finish()?;
        let out: HashSet<Slot> = self.areas_of(&word, s)?.into_iter().collect();
        let (gone, left): (Vec<Slot>, Vec<Slot>) =
            self.selected(s).into_iter().partition(|slot| out.contains(slot));
        s.say(format!("{} removed", counted(gone.len() as u64, "area", "areas")));
        s.selection.set(left.into_iter().map(Item::Area).collect());
        Ok(())
    }

    pub(super) fn toggle_in_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("a selector")?;
        c.finish()?;
        let areas = self.areas_of(&word, s)?;
        self.flip(&areas, s);
        Ok(())
    }

    fn flip(&mut self, areas: &[Slot], s: &mut Scope<Item>) {
        let flipped: HashSet<Slot> = areas.iter().copied().collect();
        let before = self.selected(s);
        let had: HashSet<Slot> = before.iter().copied().collect();
        let stay = before.into_iter().filter(|slot| !flipped.contains(slot));
        let come = areas.iter().copied().filter(|slot| !had.contains(slot));
        s.selection.set(stay.chain(come).map(Item::Area).collect());
    }

    pub(super) fn add_by_id(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.need("the id of an area")?;
        c.finish()?;
        let id = word.text.strip_prefix('#').unwrap_or(word.text);
        let item = s.find(self, "", id).map_err(|refusal| refusal.at(word.at))?;
        s.selection.add(item);
        if let Some(area) = item.area().and_then(|slot| self.world.area(slot)) {
            let [x, y, z] = area.shape.center();
            s.say(format!("setpos {x} {y} {}", z + 5.0));
        }
        Ok(())
    }

    pub(super) fn clear_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        s.selection.clear();
        Ok(())
    }

    pub(super) fn toggle_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        self.invert(s);
        s.say(format!("selected {}", counted(s.selection.len() as u64, "area", "areas")));
        Ok(())
    }

    fn invert(&mut self, s: &mut Scope<Item>) {
        let others =
            self.world.slots().into_iter().map(Item::Area).filter(|item| !s.selection.contains(*item));
        s.selection.set(others.collect());
    }

    pub(super) fn store_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let stored = self.selected(s);
        s.say(format!("{} stored", counted(stored.len() as u64, "area", "areas")));
        let stored = stored.into_iter().filter_map(|slot| Some((slot, self.world.area(slot)?.id))).collect();
        self.world.with_state(|state| state.stored = Arc::new(stored));
        Ok(())
    }

    pub(super) fn recall_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let stored = Arc::clone(&self.world.state().stored);
        let alive = stored.iter().map(|(slot, _)| *slot).filter(|slot| self.world.area(*slot).is_some());
        s.selection.set(alive.map(Item::Area).collect());
        s.say(format!("selected {}", counted(s.selection.len() as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn flood_select(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let mut flow = Flow::Both;
        let mut start = None;
        while let Some(word) = c.take() {
            match Flow::parse(word.text) {
                Some(found) => flow = found,
                None => start = Some(self.one_area(&word, s)?),
            }
        }
        c.finish()?;
        let start = match start {
            Some(slot) => slot,
            None => self.any_area(s)?,
        };
        let found = self.flood(start, flow, |slot| s.selection.contains(Item::Area(slot)));
        let added = self.added(found, s);
        s.say(format!("selected {}", counted(added as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn select_orphans(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let start = self.an_area(c, s)?;
        c.finish()?;
        let found = self.flood(start, Flow::Both, |slot| s.selection.contains(Item::Area(slot)));
        self.added(found, s);
        self.invert(s);
        s.say(format!("selected {}", counted(s.selection.len() as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn select_radius(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let at = c.option("--at")?;
        let radius = c.number("a radius")?;
        let point = match (at, c.peek()) {
            (Some(word), _) => navmap_core::edit::points::point(word.text)
                .ok_or_else(|| Refusal::new("--at needs a point, x,y,z").at(word.at))?,
            (None, _) => c.numbers::<3>("the point in the middle")?,
        };
        c.finish()?;
        let near = self
            .world
            .areas()
            .filter(|(_, area)| length(minus(closest_point(&area.shape, point), point)) < radius.abs());
        let near: Vec<Slot> = near.map(|(slot, _)| slot).collect();
        let added = self.added(near, s);
        s.say(format!("{} added", counted(added as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn select_half_space(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let side = c.need("+x, -x, +y, -y, +z or -z")?;
        let at = c.number("a coordinate")?;
        c.finish()?;
        let half = Half::parse(side.text, at, s.game_exact()).map_err(|refusal| refusal.at(side.at))?;
        let areas: Vec<Slot> = self
            .world
            .areas()
            .filter(|(_, area)| half.reached_by(&area.shape))
            .map(|(slot, _)| slot)
            .collect();
        self.flip(&areas, s);
        s.say(format!("{} toggled", counted(areas.len() as u64, "area", "areas")));
        Ok(())
    }

    pub(super) fn select_larger_than(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let side = c.number("a length")?;
        c.finish()?;
        let found: Vec<Slot> =
            self.world.areas().filter(|(_, area)| larger(&area.shape, side)).map(|(slot, _)| slot).collect();
        let added = self.added(found, s);
        s.say(format!("{} added", counted(added as u64, "area", "areas")));
        Ok(())
    }

    fn select_exactly(&mut self, areas: Vec<Slot>, s: &mut Scope<Item>) {
        s.say(format!("selected {}", counted(areas.len() as u64, "area", "areas")));
        s.selection.set(areas.into_iter().map(Item::Area).collect());
    }

    pub(super) fn select_overlapping(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let found = self.overlapping()?;
        self.select_exactly(found, s);
        Ok(())
    }

    pub(super) fn select_invalid(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let found = self.invalid()?;
        self.select_exactly(found, s);
        Ok(())
    }

    pub(super) fn select_stairs(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        self.world.look_at(self.world.census().areas.saturating_mul(4));
        let stairs = self.world.areas().filter(|(_, area)| area.attributes.bits() & 0x1000 != 0);
        let stairs = stairs.map(|(slot, _)| slot).collect();
        self.select_exactly(stairs, s);
        Ok(())
    }

    // Dragging a box.

    pub(super) fn begin_drag(&mut self, select: bool, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let at = self.point(c, s)?;
        c.finish()?;
        self.world.with_state(|state| state.anchor = Some((Begun::Drag { select }, at)));
        Ok(())
    }

    pub(super) fn end_drag(&mut self, select: bool, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let to = self.point(c, s)?;
        c.finish()?;
        let anchor = self.world.state().anchor;
        let Some((_, from)) = anchor.filter(|(begun, _)| *begun == Begun::Drag { select }) else {
            return Err(Refusal::new("no drag was begun"));
        };
        // Every coordinate of the box is truncated to an integer.
        let ([fx, fy, fz], [tx, ty, _]) = (from.map(f32::trunc), to.map(f32::trunc));
        let [up, down] = self.world.state().drag.map(|reach| reach as f32);
        let (x, y) = ([fx.min(tx), fx.max(tx)], [fy.min(ty), fy.max(ty)]);
        let strict = |[a0, a1]: [f32; 2], [b0, b1]: [f32; 2]| a0 < b1 && a1 > b0;
        let within = |slot: &Slot| {
            self.world.area(*slot).is_some_and(|area| {
                let [.., z] = area.shape.center();
                let overlaps =
                    strict(edges(&area.shape, Axis::X), x) && strict(edges(&area.shape, Axis::Y), y);
                overlaps && fz - down - 1.0 <= z && z <= fz + up + 1.0
            })
        };
        let found: Vec<Slot> = self.world.slots().into_iter().filter(within).collect();
        if select {
            let added = self.added(found, s);
            s.say(format!("{} added", counted(added as u64, "area", "areas")));
        } else {
            let out: HashSet<Slot> = found.into_iter().collect();
            let left = self.selected(s).into_iter().filter(|slot| !out.contains(slot));
            s.selection.set(left.map(Item::Area).collect());
        }
        self.world.with_state(|state| state.anchor = None);
        Ok(())
    }

    pub(super) fn drag_reach(
        &mut self,
        up: bool,
        by: i32,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
    ) -> Fared {
        c.finish()?;
        self.world.with_state(|state| {
            let [above, below] = &mut state.drag;
            let reach = if up { above } else { below };
            *reach = reach.saturating_add(by).max(0);
        });
        let [up, down] = self.world.state().drag;
        s.say(format!("a drag reaches {up} up and {down} down"));
        Ok(())
    }

    // Answers.

    pub(super) fn dump_positions(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.world.look_at(areas.len().saturating_mul(48));
        for slot in areas {
            let Some(area) = self.world.area(slot) else { continue };
            let [x, y, z] = area.shape.center();
            s.say(format!("{x:.6} {y:.6} {z:.6}"));
        }
        Ok(())
    }

    pub(super) fn warp_to_mark(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let named = c.take();
        c.finish()?;
        let item = match named {
            Some(word) => s.one(self, &word)?,
            None => self.marked(s).ok_or_else(|| Refusal::new("nothing is marked"))?,
        };
        let at = match item {
            Item::Area(slot) => {
                self.world.area(slot).map(|area| plus(area.shape.center(), [0.0, 0.0, 1.5 * HALF_HUMAN]))
            }
            Item::Ladder(slot) => self.world.ladder(slot).map(|each| {
                let middle = plus(each.ladder.top(), each.ladder.bottom()).map(|value| 0.5 * value);
                let normal = each.ladder.direction().map_or([0.0; 3], super::ladders::normal);
                plus(middle, normal.map(|value| 25.0 * value))
            }),
        };
        if let Some([x, y, z]) = at {
            s.say(format!("setpos {x} {y} {z}"));
        }
        Ok(())
    }
}
