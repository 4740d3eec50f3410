//! Commands on many areas at once that the game lacks: for small, thin, overlapping or off-grid areas.

use super::editor::SourceEditor;
use super::geometry::{Axis, STEP, edges, half_portal, heights, snap};
use super::state::Item;
use super::world::Slot;
use crate::flags::Direction;
use crate::record::{AreaId, Shape};
use navmap_core::edit::{Command, Refusal, Scope, Word, as_number, number};
use navmap_core::text::counted;
use std::collections::HashSet;

type Fared = Result<(), Refusal>;

/// The engine squares up areas longer than this many times their width.
const ASPECT: f32 = 3.01;
/// The most pieces of one area: more than any map needs.
const MOST: usize = 100_000;

/// How much lower the ground is beyond a side, at the middle of the part that two areas share.
fn drop_over(from: &Shape, to: &Shape, side: Direction) -> f32 {
    let axis = Axis::along(side);
    let ([a0, a1], [b0, b1]) = (edges(from, axis), edges(to, axis));
    let middle = 0.5 * (a0.max(b0) + a1.min(b1));
    let ([x0, y0, _], [x1, y1, _]) = (from.north_west(), from.south_east());
    let (x, y) = match side {
        Direction::North => (middle, y0),
        Direction::South => (middle, y1),
        Direction::East => (x1, middle),
        Direction::West => (x0, middle),
    };
    let [.., below] = super::geometry::closest_point(to, [x, y, 0.0]);
    from.height_at(x, y) - below
}

impl SourceEditor {
    /// The named or selected areas, else all.
    fn areas_or_all(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<Vec<Slot>, Refusal> {
        match c.take() {
            Some(word) => self.areas_of(&word, s),
            None if !s.selection.is_empty() => Ok(self.selected(s)),
            None => Ok(self.world.slots()),
        }
    }

    pub(super) fn disconnect_drops(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let most = c.number("a height")?;
        let areas = self.areas_or_all(c, s)?;
        c.finish()?;
        let mut gone = 0_usize;
        for slot in areas {
            let Some(area) = self.world.area(slot) else { continue };
            let shape = area.shape;
            let links: Vec<_> = area.all_connections().collect();
            for (side, to) in links {
                let Some(other) = self.world.by_id(to).and_then(|to| self.world.area(to)) else { continue };
                if drop_over(&shape, &other.shape, side) > most {
                    gone = gone.saturating_add(self.world.unlink(slot, side, to).into());
                }
            }
        }
        if gone > 0 {
            self.stale(s);
        }
        s.say(format!("{} down more than {most} removed", counted(gone as u64, "link", "links")));
        Ok(())
    }

    /// Deletes areas with less surface than a number of square units.
    pub(super) fn delete_smaller(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let least = c.number("a surface in square units")?;
        self.delete_where(c, s, |shape| shape.square_units() < least)
    }

    /// Deletes areas whose shorter side is shorter than a number of units.
    pub(super) fn delete_thinner(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let least = c.number("a length")?;
        self.delete_where(c, s, |shape| thin(shape, least))
    }

    fn delete_where(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
        goes: impl Fn(&Shape) -> bool,
    ) -> Fared {
        let mut areas = self.areas_or_all(c, s)?;
        c.finish()?;
        areas.retain(|slot| self.world.area(*slot).is_some_and(|area| goes(&area.shape)));
        self.delete_all(areas, s);
        Ok(())
    }

    fn delete_all(&mut self, areas: Vec<Slot>, s: &mut Scope<Item>) {
        if areas.is_empty() {
            s.say("deleted 0 areas");
            return;
        }
        let items: Vec<Item> = areas.into_iter().map(Item::Area).collect();
        self.delete(&items, s);
    }

    /// Of areas on top of each other, deletes the smaller ones until none overlap.
    pub(super) fn delete_overlapping(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let among: HashSet<Slot> = self.areas_or_all(c, s)?.into_iter().collect();
        c.finish()?;
        let mut doomed = Vec::new();
        let mut gone: HashSet<Slot> = HashSet::new();
        let mut left: Vec<Slot> = self.world.slots();
        left.retain(|slot| among.contains(slot));
        // A round tests everything that overlapped again, because an area may hide another from the samples.
        loop {
            let pairs = self
                .overlaps(left.iter().copied(), |other| among.contains(&other) && !gone.contains(&other))?;
            let size = |slot: Slot| self.world.area(slot).map_or(0.0, |area| area.shape.square_units());
            let mut round = HashSet::new();
            for (a, b) in &pairs {
                if round.contains(a) || round.contains(b) {
                    continue;
                }
                // The later one of two equal areas.
                let goes = match size(*a).total_cmp(&size(*b)) {
                    std::cmp::Ordering::Less => *a,
                    std::cmp::Ordering::Greater => *b,
                    std::cmp::Ordering::Equal => *a.max(b),
                };
                round.insert(goes);
            }
            if round.is_empty() {
                break;
            }
            left = pairs.iter().flat_map(|(a, b)| [*a, *b]).filter(|slot| !round.contains(slot)).collect();
            left.sort_unstable();
            left.dedup();
            doomed.extend(round.iter().copied());
            gone.extend(round);
        }
        doomed.sort_unstable();
        self.delete_all(doomed, s);
        Ok(())
    }

    /// Rounds corners to multiples of a unit. `--z` rounds heights too.
    pub(super) fn snap_corners(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let z_too = c.flag("--z");
        let unit = c.number("a unit")?;
        if unit <= 0.0 {
            return Err(Refusal::new(format!("a unit of {unit}")));
        }
        let areas = self.areas_or_all(c, s)?;
        c.finish()?;
        let round = |value: f32| (value / unit).round() * unit;
        let (mut moved, mut kept) = (0_usize, 0_usize);
        for slot in areas {
            let Some(shape) = self.world.area(slot).map(|area| area.shape) else { continue };
            let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
            let z = heights(&shape);
            let z = if z_too { z.map(round) } else { z };
            let after = Shape::from_extent([round(x0), round(y0)], [round(x1), round(y1)], z);
            if after.is_degenerate() && !shape.is_degenerate() {
                kept = kept.saturating_add(1);
            } else {
                moved = moved.saturating_add(self.world.set_shape(slot, after).into());
            }
        }
        if moved > 0 {
            self.stale(s);
        }
        s.say(format!("{} moved to multiples of {unit}", counted(moved as u64, "area", "areas")));
        if kept > 0 {
            let (are, stay) = if kept == 1 { ("is", "stays as it is") } else { ("are", "stay as they are") };
            s.say(format!("{} {are} smaller than that and {stay}", counted(kept as u64, "area", "areas")));
        }
        Ok(())
    }

    /// Halves areas that are much longer than wide, on the grid, until none is.
    pub(super) fn square_up(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let aspect = match c.peek().copied() {
            Some(word) if number(word.text).is_some() => {
                c.take();
                as_number(&word, "a ratio")?
            }
            _ => ASPECT,
        };
        if aspect < 1.0 {
            return Err(Refusal::new(format!("a ratio of {aspect}: length to width is 1 at least")));
        }
        let areas = self.areas_or_all(c, s)?;
        c.finish()?;
        let unit = self.snap_unit().unwrap_or(STEP as i32);
        let (mut cuts, mut todo) = (0_usize, areas);
        todo.reverse();
        while let Some(slot) = todo.pop() {
            self.world.has_room()?;
            let Some(shape) = self.world.area(slot).map(|area| area.shape) else { continue };
            let [x, y] = shape.extent();
            let axis = match (x > aspect * y, y > aspect * x) {
                (true, _) => Axis::X,
                (_, true) => Axis::Y,
                _ => continue,
            };
            let [low, high] = edges(&shape, axis);
            let Ok([alpha, beta]) = self.split(slot, axis, snap(0.5 * (low + high), unit), s) else {
                continue;
            };
            cuts = cuts.saturating_add(1);
            if cuts > MOST {
                return Err(Refusal::new(format!("more than {MOST} cuts")));
            }
            todo.extend([beta, alpha]);
        }
        if cuts > 0 {
            self.world.strip();
        }
        s.say(format!("{cuts} cuts made"));
        Ok(())
    }

    /// Moves one side of an area: to a coordinate, or by a distance outwards.
    pub(super) fn resize(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let flat = c.flag("--keep-heights");
        let (area, side, to) = sides_asked(c)?;
        let slot = match area {
            Some(word) => self.one_area(&word, s)?,
            None => self.any_area(s)?,
        };
        let Some(area) = self.world.area(slot) else { return Ok(()) };
        let (shape, id) = (area.shape, area.id);
        let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
        let (at, outward) = match side {
            Direction::North => (y0, -1.0),
            Direction::South => (y1, 1.0),
            Direction::East => (x1, 1.0),
            Direction::West => (x0, -1.0),
        };
        let wrong = || Refusal::new(format!("{} where a coordinate or by= was expected", to.text)).at(to.at);
        let new = match to.text.strip_prefix("by=") {
            Some(by) => at + outward * number(by).ok_or_else(wrong)?,
            None => number(to.text).ok_or_else(wrong)?,
        };
        let after = with_side(&shape, side, new, flat);
        if after.is_degenerate() {
            let [x, y] = after.extent();
            return Err(Refusal::new(format!("#{id} would be {x} by {y}: no surface")));
        }
        let before = self.without_portal(slot);
        if !self.world.set_shape(slot, after) {
            s.say(format!("#{id} reaches {side} to {new} already"));
            return Ok(());
        }
        self.stale(s);
        let lost = self.without_portal(slot).into_iter().filter(|link| !before.contains(link)).count();
        s.say(format!("#{id} reaches {side} to {new}"));
        if lost > 0 {
            s.say(format!(
                "{lost} of its links now have no edge in common (clean_links --no-portal removes them)"
            ));
        }
        Ok(())
    }

    /// An area's links without a common edge with their target.
    fn without_portal(&self, slot: Slot) -> Vec<(Direction, AreaId)> {
        let Some(area) = self.world.area(slot) else { return Vec::new() };
        let links = area.all_connections();
        let lost = links.filter(|(side, to)| {
            let to = self.world.by_id(*to).and_then(|to| self.world.area(to));
            to.is_some_and(|to| half_portal(&area.shape, &to.shape, *side) <= 0.0)
        });
        lost.collect()
    }
}

/// The area if one is named, the side that moves, and where to.
fn sides_asked<'c>(c: &mut Command<'c>) -> Result<(Option<Word<'c>>, Direction, Word<'c>), Refusal> {
    let (mut area, mut side, mut to) = (None, None, None);
    while let Some(word) = c.take() {
        let named = Direction::ALL.into_iter().find(|d| d.name().eq_ignore_ascii_case(word.text));
        match (named, side) {
            (Some(direction), None) => side = Some(direction),
            (None, None) if area.is_none() => area = Some(word),
            (None, Some(_)) if to.is_none() => to = Some(word),
            _ => {
                return Err(Refusal::new(format!(
                    "{} where north, east, south or west, then a coordinate was expected",
                    word.text
                ))
                .at(word.at));
            }
        }
    }
    c.finish()?;
    let side = side.ok_or_else(|| Refusal::new("north, east, south or west is missing"))?;
    let to = to.ok_or_else(|| Refusal::new("a coordinate, or by= and a distance outwards is missing"))?;
    Ok((area, side, to))
}

/// A shape with one side at another coordinate: with the same heights of its corners, or along the slopes of its edges.
fn with_side(shape: &Shape, side: Direction, new: f32, flat: bool) -> Shape {
    let ([x0, y0, _], [x1, y1, _]) = (shape.north_west(), shape.south_east());
    let ([nx0, ny0], [nx1, ny1]) = match side {
        Direction::North => ([x0, new], [x1, y1]),
        Direction::South => ([x0, y0], [x1, new]),
        Direction::East => ([x0, y0], [new, y1]),
        Direction::West => ([new, y0], [x1, y1]),
    };
    let [nw, ne, se, sw] = heights(shape);
    // Along the slope of each edge, beyond the old corners too.
    let along = |from: f32, to: f32, low: f32, high: f32, at: f32| {
        // The side that stays keeps its heights to the bit.
        if at == high { to } else { from + (to - from) * ((at - low) / (high - low)) }
    };
    let z = match side {
        _ if flat || shape.is_degenerate() => [nw, ne, se, sw],
        Direction::North | Direction::South => {
            let z = |at| [along(nw, sw, y0, y1, at), along(ne, se, y0, y1, at)];
            let ([a, b], [d, c]) = (z(ny0), z(ny1));
            [a, b, c, d]
        }
        Direction::East | Direction::West => {
            let z = |at| [along(nw, ne, x0, x1, at), along(sw, se, x0, x1, at)];
            let ([a, d], [b, c]) = (z(nx0), z(nx1));
            [a, b, c, d]
        }
    };
    Shape::from_extent([nx0, ny0], [nx1, ny1], z)
}

/// Whether the shorter side is shorter than this.
pub(super) fn thin(shape: &Shape, least: f32) -> bool {
    let [x, y] = shape.extent();
    x.min(y) < least
}
