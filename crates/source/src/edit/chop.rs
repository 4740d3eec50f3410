//! Cuts areas into pieces, joins pieces, bridges jumps. `docs/formats/source-edit.md`, sections 2.11 and 2.12.

use super::editor::SourceEditor;
use super::geometry::{Axis, STEP, bridges, edges, snap};
use super::state::Item;
use super::world::Slot;
use crate::flags::{Attributes, Direction};
use crate::record::AreaId;
use navmap_core::edit::{Command, Refusal, Scope, as_number};
use navmap_core::text::counted;
use std::collections::HashSet;

type Fared = Result<(), Refusal>;

/// The most pieces of one command: more than any mesh can use, and few enough for memory.
const MOST: usize = 1 << 20;

/// An area from which one gets to a jump area, or over it, counts as so many that are looked at.
const BRIDGED: usize = 8;

impl SourceEditor {
    fn side(&self, slot: Slot, axis: Axis) -> Option<[f32; 2]> {
        Some(edges(&self.world.area(slot)?.shape, axis))
    }

    pub(super) fn nav_make_sniper_spots(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let slot = self.an_area(c, s)?;
        c.finish()?;
        self.within_bounds(&[slot])?;
        let mut pieces = 1_usize;
        let mut todo = vec![slot];
        while let Some(slot) = todo.pop() {
            self.world.has_room()?;
            let (Some([x0, x1]), Some([y0, y1])) = (self.side(slot, Axis::X), self.side(slot, Axis::Y))
            else {
                continue;
            };
            let (width, depth) = (x1 - x0, y1 - y0);
            let (axis, low) = match (width > STEP && width > depth, depth > STEP && depth > width) {
                (true, _) => (Axis::X, x0),
                (_, true) => (Axis::Y, y0),
                _ => continue,
            };
            let Ok([alpha, beta]) = self.split(slot, axis, first_cut(low), s) else { continue };
            self.world.disconnect(alpha, beta);
            pieces = pieces.saturating_add(1);
            // The engine finishes the first half before it turns to the second.
            todo.extend([beta, alpha]);
        }
        self.strip_after(pieces > 1, s);
        s.say(counted(pieces as u64, "area", "areas"));
        Ok(())
    }

    /// Drops what has become stale. The engine does so even if nothing was cut.
    fn strip_after(&mut self, changed: bool, s: &Scope<Item>) {
        if changed || s.game_exact() {
            self.world.strip();
        }
    }

    /// Refuses areas that would make more pieces than fit into memory.
    fn within_bounds(&self, slots: &[Slot]) -> Fared {
        let count = |slot: &Slot| {
            let sides = Axis::BOTH
                .map(|axis| self.side(*slot, axis).map_or(1.0, |[low, high]| (high - low) / STEP + 2.0));
            sides.iter().fold(1.0_f64, |product, side| product * f64::from(side.max(1.0)))
        };
        let pieces: f64 = slots.iter().map(count).sum();
        // Written so that NaN is refused.
        if pieces <= MOST as f64 {
            return Ok(());
        }
        Err(Refusal::new(format!("about {pieces:.0} pieces, {MOST} at a time are enough")))
    }

    pub(super) fn nav_chop_selected(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let areas = self.areas(c, s)?;
        c.finish()?;
        let pieces = self.chop(&areas, s)?;
        self.strip_after(pieces.len() != areas.len(), s);
        s.say(format!("{} chopped into {}", counted(areas.len() as u64, "area", "areas"), pieces.len()));
        Ok(())
    }

    fn chop(&mut self, areas: &[Slot], s: &mut Scope<Item>) -> Result<Vec<Slot>, Refusal> {
        self.within_bounds(areas)?;
        let mut pieces = Vec::new();
        for slot in areas {
            let mut todo = vec![*slot];
            while let Some(slot) = todo.pop() {
                self.world.has_room()?;
                match self.chop_once(slot, s) {
                    Cut::Whole(slot) => pieces.push(slot),
                    Cut::Done(parts) => pieces.extend(parts),
                    Cut::More(parts) => todo.extend(parts.into_iter().rev()),
                }
            }
        }
        for slot in &pieces {
            s.selection.add(Item::Area(*slot));
        }
        Ok(pieces)
    }

    /// One round of `ReduceToComponentAreas`: both axes at once, at multiples of 25.
    fn chop_once(&mut self, slot: Slot, s: &mut Scope<Item>) -> Cut {
        let cut = |editor: &Self, slot: Slot, axis: Axis| {
            let [low, high] = editor.side(slot, axis)?;
            (high - low > STEP).then(|| first_cut(low))
        };
        let Some(at) = cut(self, slot, Axis::X) else {
            let Some(at) = cut(self, slot, Axis::Y) else { return Cut::Whole(slot) };
            return match self.split(slot, Axis::Y, at, s) {
                Ok(parts) => Cut::More(parts.into()),
                Err(_) => Cut::Whole(slot),
            };
        };
        let second = cut(self, slot, Axis::Y);
        let Ok([west, east]) = self.split(slot, Axis::X, at, s) else {
            let Some(at) = second else { return Cut::Whole(slot) };
            return self
                .split(slot, Axis::Y, at, s)
                .map_or(Cut::Whole(slot), |parts| Cut::More(parts.into()));
        };
        let Some(at) = second else { return Cut::More(vec![west, east]) };
        let mut parts = Vec::new();
        for half in [west, east] {
            match self.split(half, Axis::Y, at, s) {
                Ok(quarters) => parts.extend(quarters),
                // The first cut stays, and the recursion ends here.
                Err(_) => parts.push(half),
            }
        }
        if parts.len() == 2 { Cut::Done(parts) } else { Cut::More(parts) }
    }

    pub(super) fn nav_subdivide(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let depth = match c.peek().copied() {
            Some(word) if navmap_core::edit::number(word.text).is_some() => {
                c.take();
                as_number(&word, "a depth")?
            }
            _ => 1.0,
        };
        if !(1.0..=10.0).contains(&depth) || depth.fract() != 0.0 {
            return Err(Refusal::new(format!("a depth of {depth}, it can be 1 to 10")));
        }
        let from_set = c.peek().is_none() && !s.selection.is_empty();
        let areas = self.areas(c, s)?;
        c.finish()?;
        let exact = s.game_exact();
        let (named, mut made) = (areas.len(), 0_usize);
        if exact && from_set {
            // The engine iterates over the set while it changes: halves are appended, and when an area dies, later ones move up.
            let mut at = 0_usize;
            while let Some(item) = s.selection.get(at) {
                at = at.saturating_add(1);
                let parts = item.area().map_or(0, |slot| self.subdivide(slot, depth as u32, s).len());
                made = made.saturating_add(parts);
                self.within_reason(made)?;
            }
        } else {
            for slot in areas {
                made = made.saturating_add(self.subdivide(slot, depth as u32, s).len());
                self.within_reason(made)?;
            }
        }
        // In the game paths stay, although they name dead areas.
        if !exact {
            self.strip_after(made != named, s);
        }
        let shown = if exact && from_set { self.selected(s).len() } else { made };
        s.say(counted(shown as u64, "area", "areas"));
        Ok(())
    }

    fn within_reason(&self, pieces: usize) -> Fared {
        self.world.has_room()?;
        if pieces > MOST { Err(Refusal::new(format!("more than {MOST} pieces"))) } else { Ok(()) }
    }

    /// Cuts an area at the middle of x, then both halves at the middle of y, `depth` times. Returns the pieces.
    fn subdivide(&mut self, slot: Slot, depth: u32, s: &mut Scope<Item>) -> Vec<Slot> {
        let mut parts = vec![slot];
        for _ in 0..depth {
            for axis in Axis::BOTH {
                let mut halves = Vec::with_capacity(parts.len().saturating_mul(2));
                for part in parts {
                    match self.middle(part, axis).map(|at| self.split(part, axis, at, s)) {
                        Some(Ok(both)) => halves.extend(both),
                        _ => halves.push(part),
                    }
                }
                parts = halves;
            }
        }
        parts
    }

    fn middle(&self, slot: Slot, axis: Axis) -> Option<f32> {
        let [low, high] = self.side(slot, axis)?;
        let middle = 0.5 * (low + high);
        let at = self.snap_unit().map_or(middle, |unit| snap(middle, unit));
        (at - low >= STEP && high - at >= STEP).then_some(at)
    }

    /// The part of `nav_simplify_selected` that needs no map: chop, then join coplanar areas. Nothing is resampled.
    pub(super) fn nav_simplify_selected(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        if !c.flag("--mesh-only") {
            let why = "to sample the ground anew needs the map; --mesh-only chops, and joins what lies in one plane";
            return Err(Refusal::new(why));
        }
        let areas = self.areas(c, s)?;
        c.finish()?;
        let mut parts = self.chop(&areas, s)?;
        let chopped = parts.len();
        let mut pending: HashSet<Slot> = parts.iter().copied().collect();
        parts.reverse();
        while let Some(slot) = parts.pop() {
            if !pending.contains(&slot) {
                continue;
            }
            while let Some(other) = self.joinable(slot, &pending) {
                self.world.has_room()?;
                self.merge(slot, other, s)?;
                pending.remove(&other);
            }
        }
        self.strip_after(chopped != areas.len() || pending.len() != chopped, s);
        s.say(format!(
            "{} chopped into {chopped}, joined into {}",
            counted(areas.len() as u64, "area", "areas"),
            pending.len()
        ));
        Ok(())
    }

    /// A neighbour with the same edge, attributes, place and plane, if both together stay below 1250.
    fn joinable(&self, slot: Slot, among: &HashSet<Slot>) -> Option<Slot> {
        let area = self.world.area(slot)?;
        let mut neighbours =
            area.all_connections().filter_map(|(direction, id)| Some((direction, self.world.by_id(id)?)));
        neighbours.find_map(|(direction, other)| {
            let b = self.world.area(other).filter(|_| other != slot && among.contains(&other))?;
            let axis = Axis::along(direction);
            let same = edges(&area.shape, axis) == edges(&b.shape, axis)
                && area.attributes == b.attributes
                && area.place == b.place
                && area.game_attributes == b.game_attributes;
            let across = if axis == Axis::X { Axis::Y } else { Axis::X };
            let ([a0, a1], [b0, b1]) = (edges(&area.shape, across), edges(&b.shape, across));
            let touch = a1 == b0 || b1 == a0;
            let short = a1.max(b1) - a0.min(b0) <= 1250.0;
            let [n, m] = [&area.shape, &b.shape].map(normal);
            let dot: f32 = n.iter().zip(m).map(|(a, b)| a * b).sum();
            (same && touch && short && dot > 0.99).then_some(other)
        })
    }

    // Jump areas.

    pub(super) fn nav_remove_jump_areas(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let jump = |slot: Slot, editor: &Self| {
            editor.world.area(slot).is_some_and(|area| area.attributes.contains(Attributes::JUMP))
        };
        let jumps: Vec<Slot> = self.world.slots().into_iter().filter(|slot| jump(*slot, self)).collect();
        let mut made = 0_usize;
        for slot in &jumps {
            for direction in Direction::ALL {
                let mut seen = HashSet::from([*slot]);
                let mut sources = Vec::new();
                let mut todo = vec![*slot];
                while let Some(area) = todo.pop() {
                    self.world.has_room()?;
                    let (onto, new) = (self.sources(area, direction), |from: &Slot| seen.insert(*from));
                    self.world.look_at(onto.len().saturating_add(1).saturating_mul(BRIDGED));
                    let (jumps, others) = onto.into_iter().filter(new).partition(|from| jump(*from, self));
                    todo.extend::<Vec<Slot>>(jumps);
                    sources.extend::<Vec<Slot>>(others);
                }
                sources.sort_unstable();
                let out = direction.opposite();
                let targets =
                    self.world.area(*slot).map(|area| area.connections(out).to_vec()).unwrap_or_default();
                for target in targets {
                    let Some(to) = self.world.by_id(target).filter(|to| !jump(*to, self)) else { continue };
                    self.world.has_room()?;
                    self.world.look_at(sources.len().saturating_mul(BRIDGED));
                    for source in &sources {
                        if *source != to && self.bridges(*source, to, out) {
                            made = made.saturating_add(self.world.link(*source, out, target).into());
                        }
                    }
                }
            }
        }
        let items: Vec<Item> = jumps.into_iter().map(Item::Area).collect();
        let count = items.len();
        if count > 0 {
            self.delete(&items, s);
        }
        s.say(format!(
            "removed {}, made {}",
            counted(count as u64, "jump area", "jump areas"),
            counted(made as u64, "link", "links")
        ));
        Ok(())
    }

    /// The areas with a link onto an area from this side.
    fn sources(&self, slot: Slot, direction: Direction) -> Vec<Slot> {
        let Some(id) = self.world.area(slot).map(|area| area.id) else { return Vec::new() };
        let onto = direction.opposite();
        self.world.incoming(id).into_iter().filter(|(_, way)| *way == onto).map(|(from, _)| from).collect()
    }

    fn bridges(&self, from: Slot, to: Slot, direction: Direction) -> bool {
        let (Some(a), Some(b)) = (self.world.area(from), self.world.area(to)) else { return false };
        bridges(&a.shape, &b.shape, direction, a.attributes.contains(Attributes::STAIRS))
    }

    // Ids.

    pub(super) fn nav_compress_id(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        self.world.look_at_everything(36);
        let areas: Vec<(Slot, AreaId)> = self.world.areas().map(|(slot, area)| (slot, area.id)).collect();
        let mut new = std::collections::HashMap::with_capacity(areas.len());
        for ((_, id), number) in areas.iter().zip(1_u32..) {
            new.entry(*id).or_insert(AreaId::new(number));
        }
        let ladders: Vec<(Slot, _)> =
            self.world.ladders().map(|(slot, each)| (slot, each.ladder.id())).collect();
        let mut new_ladders = std::collections::HashMap::with_capacity(ladders.len());
        for ((_, id), number) in ladders.iter().zip(1_u32..) {
            new_ladders.entry(*id).or_insert(crate::record::LadderId::new(number));
        }
        self.world.renumber(&areas, &new, &new_ladders);
        let next = (areas.len() as u64).saturating_add(1);
        self.world.with_state(|state| state.counter = next);
        s.say(format!(
            "{} and {} renumbered",
            counted(areas.len() as u64, "area", "areas"),
            counted(ladders.len() as u64, "ladder", "ladders")
        ));
        Ok(())
    }
}

/// The result of one round of chopping.
enum Cut {
    /// It could not be cut.
    Whole(Slot),
    /// These are cut no further.
    Done(Vec<Slot>),
    /// These are cut again.
    More(Vec<Slot>),
}

/// The first multiple of 25 that is at least 2 inside.
fn first_cut(low: f32) -> f32 {
    let at = snap(low, 25);
    if at < low + 2.0 { at + STEP } else { at }
}

/// The normal of a surface through three of its corners.
fn normal(shape: &crate::record::Shape) -> [f32; 3] {
    let [x, y] = shape.extent();
    let ([.., nw], [.., se]) = (shape.north_west(), shape.south_east());
    let (dx, dy) = (
        0.5 * ((shape.north_east_z() - nw) + (se - shape.south_west_z())),
        0.5 * ((shape.south_west_z() - nw) + (se - shape.north_east_z())),
    );
    let n = [-dx * y, -dy * x, x * y];
    let len = super::geometry::length(n);
    if len > 0.0 { n.map(|value| value / len) } else { [0.0, 0.0, 1.0] }
}
