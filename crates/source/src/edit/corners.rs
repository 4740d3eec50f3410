//! Raises corners and moves areas. `docs/formats/source-edit.md`, sections 2.7 and 2.8.

use super::editor::SourceEditor;
use super::geometry::{heights, length, minus, plus, with_heights};
use super::state::{Begun, Item};
use super::world::Slot;
use crate::record::{HidingSpot, LadderId, Shape};
use navmap_core::edit::{Command, Refusal, Scope, as_number};
use navmap_core::text::counted;
use std::collections::HashSet;

type Fared = Result<(), Refusal>;

pub(super) const CORNERS: [&str; 4] = ["NW", "NE", "SE", "SW"];

impl SourceEditor {
    pub(super) fn nav_corner_select(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let word = c.take();
        c.finish()?;
        let marked = self.marked_area(s).ok_or_else(|| Refusal::new("no area is marked"))?;
        let corner = match word {
            None => match self.world.state().corner {
                None => Some(0),
                Some(corner) => Some(corner.saturating_add(1)).filter(|corner| *corner < 4),
            },
            Some(word) if word.text.eq_ignore_ascii_case("none") => None,
            Some(word) => {
                let found = CORNERS.iter().position(|name| name.eq_ignore_ascii_case(word.text));
                let wrong =
                    || Refusal::new(format!("{} where NW, NE, SE, SW or none was expected", word.text));
                Some(found.ok_or_else(|| wrong().at(word.at))?)
            }
        };
        self.world.with_state(|state| (state.mark, state.corner) = (Some(Item::Area(marked)), corner));
        let name = corner.and_then(|corner| CORNERS.get(corner)).copied().unwrap_or("all corners");
        s.say(format!("{name} of {}", self.item(Item::Area(marked))));
        Ok(())
    }

    /// `nav_corner_raise` and `nav_corner_lower`.
    pub(super) fn raise(&mut self, sign: f32, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let amount = match c.peek().copied() {
            Some(word) if navmap_core::edit::number(word.text).is_some() => {
                c.take();
                as_number(&word, "a height")?
            }
            _ => 1.0,
        };
        let by = sign * if s.game_exact() { amount.trunc() } else { amount };
        let named = c.peek().is_some();
        let set = if named || !s.selection.is_empty() { self.areas(c, s)? } else { Vec::new() };
        c.finish()?;
        if !set.is_empty() {
            for slot in &set {
                let Some(shape) = self.world.area(*slot).map(|area| area.shape) else { continue };
                self.world.set_shape(*slot, with_heights(&shape, heights(&shape).map(|z| z + by)));
            }
        } else {
            let slot = self.any_area(s)?;
            // The engine's order: north-west, north-east, south-west, south-east.
            let corners = match self.world.state().corner {
                Some(corner) => vec![corner],
                None => vec![0, 1, 3, 2],
            };
            for corner in corners {
                self.raise_corner(slot, corner, by, s.game_exact());
            }
        }
        self.stale(s);
        Ok(())
    }

    /// Moves a corner, and the corners of other areas that lay near it.
    fn raise_corner(&mut self, slot: Slot, corner: usize, by: f32, exact: bool) {
        let Some(shape) = self.world.area(slot).map(|area| area.shape) else { return };
        let Some(old) = shape.corners().get(corner).copied() else { return };
        let [x, y, z] = old;
        let new = z + by;
        self.world.set_shape(slot, with_height(&shape, corner, new));
        let adjacent = self.world.state().adjacent;
        if adjacent <= 0.0 || (exact && self.world.head.version <= 5) {
            return;
        }
        for other in self.world.near([x, y], adjacent) {
            if other == slot {
                continue;
            }
            let Some(before) = self.world.area(other).map(|area| area.shape) else { continue };
            let ([x0, y0, _], [x1, y1, _]) = (before.north_west(), before.south_east());
            let apart = |a: f32, b: f32, at: f32| (at - a).abs() >= adjacent && (at - b).abs() >= adjacent;
            if apart(x0, x1, x) || apart(y0, y1, y) {
                continue;
            }
            let mut after = before;
            for (corner, point) in before.corners().into_iter().enumerate() {
                if length(minus(point, old)) < adjacent {
                    let [.., height] = point;
                    // The engine passes the difference as an integer, so fractions of a mismatch stay.
                    let moved = if exact { height + (new - height).trunc() } else { new };
                    after = with_height(&after, corner, moved);
                }
            }
            self.world.set_shape(other, after);
        }
    }

    pub(super) fn nav_corner_place_on_ground(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let z = c.option_number("--z")?;
        let from = c.option("--from")?.map(|word| self.one_area(&word, s)).transpose()?;
        let site = match (z, from) {
            (None, None) => {
                Some(self.site("the ground, unless --z HEIGHT or --from AREA says where it is,")?)
            }
            _ => None,
        };
        let mut inset = 0.0;
        if let Some(word) = c.peek().copied().filter(|word| navmap_core::edit::number(word.text).is_some()) {
            // It only serves the search for the ground.
            c.take();
            inset = as_number(&word, "the inset")?;
        }
        let areas = self.areas(c, s)?;
        c.finish()?;
        let ground = from.and_then(|slot| self.world.area(slot)).map(|area| area.shape);
        let one = self.world.state().corner.filter(|_| areas.len() == 1 && s.selection.is_empty());
        for slot in areas {
            let Some(shape) = self.world.area(slot).map(|area| area.shape) else { continue };
            let mut after = shape;
            let found = site.as_deref().map(|site| self.on_ground(site, &shape, inset));
            for (corner, [x, y, height]) in shape.corners().into_iter().enumerate() {
                if one.is_some_and(|one| one != corner) {
                    continue;
                }
                let found = found.and_then(|found| found.get(corner).copied());
                let target = ground.map(|ground| ground.height_at(x, y)).or(z).or(found).unwrap_or(height);
                let moved = if s.game_exact() { height + (target - height).trunc() } else { target };
                after = with_height(&after, corner, moved);
            }
            self.world.set_shape(slot, after);
        }
        self.stale(s);
        Ok(())
    }

    pub(super) fn nav_begin_shift_xy(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let at = self.point(c, s)?;
        c.finish()?;
        self.world.with_state(|state| state.anchor = Some((Begun::Shift, at)));
        Ok(())
    }

    pub(super) fn nav_end_shift_xy(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let Some((Begun::Shift, [fx, fy, _])) = self.world.state().anchor else {
            return Err(Refusal::new("no shift was begun"));
        };
        let [tx, ty, _] = self.point(c, s)?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.shift(&areas, [tx - fx, ty - fy, 0.0], s);
        self.world.with_state(|state| state.anchor = None);
        Ok(())
    }

    pub(super) fn nav_shift(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let mut by = [0.0; 3];
        let mut given = 0_usize;
        for axis in &mut by {
            let Some(word) =
                c.peek().copied().filter(|word| given == 0 || navmap_core::edit::number(word.text).is_some())
            else {
                break;
            };
            c.take();
            *axis = as_number(&word, "a distance")?;
            given = given.saturating_add(1);
        }
        if given == 0 {
            return Err(Refusal::new("a distance is missing"));
        }
        if s.game_exact() {
            by = by.map(f32::trunc);
        }
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.shift(&areas, by, s);
        Ok(())
    }

    /// `move`, which every family has. Without operands everything moves, ladders too.
    pub(super) fn move_(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let by =
            [c.number("the distance in x")?, c.number("the distance in y")?, c.number("the distance in z")?];
        let named = c.take();
        c.finish()?;
        let items = match named {
            Some(word) => s.select(self, &word)?,
            None => {
                let ladders = self.world.ladders().map(|(slot, _)| Item::Ladder(slot));
                self.world.areas().map(|(slot, _)| Item::Area(slot)).chain(ladders).collect()
            }
        };
        let areas: Vec<Slot> = items.iter().filter_map(|item| item.area()).collect();
        let mut moved = self.shift_areas(&areas, by, false);
        for item in items {
            if let Item::Ladder(slot) = item {
                self.shift_ladder(slot, by, &mut moved);
            }
        }
        if areas.len() < self.world.census().areas {
            self.stale(s);
        }
        Ok(())
    }

    fn shift(&mut self, areas: &[Slot], by: [f32; 3], s: &mut Scope<Item>) {
        let exact = s.game_exact();
        self.shift_areas(areas, by, exact);
        // Moving the whole mesh keeps all proportions, so nothing becomes stale.
        if areas.len() < self.world.census().areas {
            self.stale(s);
        }
        s.say(format!("moved {}", counted(areas.len() as u64, "area", "areas")));
    }

    /// Moves areas, their hiding spots, and each ladder that they list, once.
    fn shift_areas(&mut self, areas: &[Slot], by: [f32; 3], exact: bool) -> HashSet<LadderId> {
        let mut moved = HashSet::new();
        for slot in areas {
            let Some(area) = self.world.area(*slot) else { continue };
            let shape = area.shape;
            let [.., dz] = by;
            let lift = if exact { 0.0 } else { dz };
            let after = Shape::new(
                plus(shape.north_west(), by),
                plus(shape.south_east(), by),
                shape.north_east_z() + lift,
                shape.south_west_z() + lift,
            );
            let spots: Vec<HidingSpot> = area
                .hiding_spots
                .iter()
                .map(|spot| HidingSpot::new(spot.id(), plus(spot.position(), by), spot.flags()))
                .collect();
            let ladders: Vec<LadderId> = area.ladders_up.iter().chain(&area.ladders_down).copied().collect();
            self.world.set_shape(*slot, after);
            if !exact {
                self.world.set_spots(*slot, spots);
            }
            for id in ladders {
                if let Some(ladder) = self.world.ladder_by_id(id) {
                    self.shift_ladder(ladder, by, &mut moved);
                }
            }
        }
        moved
    }

    fn shift_ladder(&mut self, slot: Slot, by: [f32; 3], moved: &mut HashSet<LadderId>) {
        let Some(mut each) = self.world.ladder(slot).copied() else { return };
        if moved.insert(each.ladder.id()) {
            each.ladder.set_ends(plus(each.ladder.top(), by), plus(each.ladder.bottom(), by));
            self.world.set_ladder(slot, each);
        }
    }

    pub(super) fn nav_world_center(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if c.peek().is_none() {
            let why = "the bounds of the world are in the map, not in the mesh: give them as two points, x,y,z x,y,z";
            return Err(Refusal::new(why));
        }
        let [ax, ay, _] = c.numbers::<3>("one corner of the world")?;
        let [bx, by, _] = c.numbers::<3>("the other corner of the world")?;
        c.finish()?;
        let all = self.world.slots();
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for (_, area) in self.world.areas() {
            for [x, y, _] in area.shape.corners() {
                low = [x, y].map_with(low, f32::min);
                high = [x, y].map_with(high, f32::max);
            }
        }
        if all.is_empty() {
            return Err(Refusal::new("there are no areas"));
        }
        let ([lx, ly], [hx, hy]) = (low, high);
        let shift = [0.5 * (ax + bx) - 0.5 * (lx + hx), 0.5 * (ay + by) - 0.5 * (ly + hy), 0.0];
        if s.game_exact() {
            for slot in &all {
                let Some(shape) = self.world.area(*slot).map(|area| area.shape) else { continue };
                let (nw, se) = (plus(shape.north_west(), shift), plus(shape.south_east(), shift));
                self.world.set_shape(*slot, Shape::new(nw, se, shape.north_east_z(), shape.south_west_z()));
            }
        } else {
            let mut moved = self.shift_areas(&all, shift, false);
            let ladders: Vec<Slot> = self.world.ladders().map(|(slot, _)| slot).collect();
            ladders.into_iter().for_each(|slot| self.shift_ladder(slot, shift, &mut moved));
        }
        let [x, y, _] = shift;
        s.say(format!("moved the mesh by {x}, {y}"));
        Ok(())
    }
}

/// Combines two pairs number by number.
trait Pairwise {
    fn map_with(self, other: Self, f: fn(f32, f32) -> f32) -> Self;
}

impl Pairwise for [f32; 2] {
    fn map_with(self, other: Self, f: fn(f32, f32) -> f32) -> Self {
        let ([a, b], [c, d]) = (self, other);
        [f(a, c), f(b, d)]
    }
}

/// The same rectangle with another height at one corner.
fn with_height(shape: &Shape, corner: usize, z: f32) -> Shape {
    let mut all = heights(shape);
    if let Some(height) = all.get_mut(corner) {
        *height = z;
    }
    with_heights(shape, all)
}
