//! The map queries of a mesh's editor. `docs/formats/source-edit.md`, sections 2.7 and 2.13; stairs are those of
//! `docs/formats/source-generate.md`, section 6.

use super::editor::SourceEditor;
use super::geometry::{STEP, minus};
use super::state::Item;
use super::world::Slot;
use crate::analyze::Spawns;
use crate::flags::{Attributes, Extension, L4dAttributes};
use crate::generate::{Terrain, Within, add_ladders, is_stairs};
use crate::record::Shape;
use navmap_core::edit::points::point;
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;
use std::fmt;
use std::sync::Arc;

type Fared = Result<(), Refusal>;

/// The highest rise without a jump. Answers from two sides that differ by more disagree.
const RISE: f32 = 18.0;
/// The most steps of a search for ground along an area. No area of a game is as long.
const MOST_STEPS: u16 = 4096;
/// A ladder of the mesh this close to the box of a map's ladder is the same.
const SAME: f32 = 20.0;
/// The largest distance of a map's ladder from a named point.
const NEAR: f32 = 200.0;
/// The lower and upper distance above the middle of an area at which clip brushes are searched.
const CLIPPED: [f32; 2] = [16.0, 32.0];
/// The most ids listed individually.
const MOST_TOLD: usize = 20;

/// The map of a mesh, with the queries of an editor.
pub trait Site: Terrain + Send + fmt::Debug {
    /// The boxes of the ladders of the map: low and high corner.
    fn ladders(&self) -> Vec<Within>;

    /// Whether a line hits a brush that stops only players.
    fn is_clipped(&self, from: [f32; 3], to: [f32; 3]) -> bool;
}

/// A map and where its teams begin: what an editor is [opened](navmap_core::edit::Opening::map) with.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The map.
    pub map: Arc<dyn Site>,
    /// Where the teams begin.
    pub spawns: Spawns,
}

impl SourceEditor {
    /// Gives the editor the map of the mesh, and the spawn points of its teams: ground, stairs, ladders and clip brushes are then
    /// found there, and `nav_analyze` uses it.
    pub fn set_map(&mut self, map: Arc<dyn Site>, spawns: Spawns) {
        self.ground = Some(Ground { map, spawns });
    }

    /// The map.
    ///
    /// # Errors
    /// If the editor has none.
    pub(super) fn site(&self, what: &str) -> Result<Arc<dyn Site>, Refusal> {
        let ground = self.ground.as_ref();
        ground.map(|ground| Arc::clone(&ground.map)).ok_or_else(|| {
            Refusal::new(format!("{what} needs the map, which the mesh does not hold (--bsp MAP)"))
        })
    }

    /// The ground height at each corner of an area, with corners moved inwards by `inset`.
    pub(super) fn on_ground(&self, site: &dyn Site, shape: &Shape, inset: f32) -> [f32; 4] {
        let [nw, ne, se, sw] = shape.corners();
        let pulled = |[x, y, z]: [f32; 3], east: f32, south: f32| [x - east * inset, y - south * inset, z];
        let (nw, ne) = (pulled(nw, -1.0, -1.0), pulled(ne, 1.0, -1.0));
        let (se, sw) = (pulled(se, 1.0, 1.0), pulled(sw, -1.0, 1.0));
        [found(site, nw, ne, sw), found(site, ne, nw, se), found(site, se, ne, sw), found(site, sw, nw, se)]
    }

    /// `nav_check_stairs` on the whole mesh, `nav_test_stairs` on areas.
    pub(super) fn mark_stairs(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let site = self.site("which areas are stairs")?;
        let named = c.peek().is_some();
        let set = if named { self.areas(c, s)? } else { self.selected(s) };
        c.finish()?;
        if self.world.head.version <= 5 {
            return Err(Refusal::new("in GoldSrc nothing is stairs"));
        }
        if self.world.head.version < 9 {
            let why = "a mesh of this version stores 8 bits of attributes, and STAIRS is none of them";
            return Err(Refusal::new(why));
        }
        let all = c.verb() == "nav_check_stairs" && !named || set.is_empty();
        let areas = if all { self.world.slots() } else { set };
        let (mut stairs, mut changed) = (0_u64, 0_u64);
        for slot in areas {
            let Some((shape, bits)) = self.world.area(slot).map(|area| (area.shape, area.attributes.bits()))
            else {
                continue;
            };
            let is = is_stairs(&*site, &self.world.head, &shape);
            let stair = Attributes::STAIRS.bits();
            let after = if is { bits | stair } else { bits & !stair };
            stairs = stairs.saturating_add(is.into());
            changed = changed.saturating_add(self.world.set_attributes(slot, Attributes(after)).into());
        }
        let (stairs, changed) = (counted(stairs, "area", "areas"), counted(changed, "area", "areas"));
        s.say(format!("marked {stairs} as stairs, changed {changed}"));
        Ok(())
    }

    /// `nav_build_ladder [POINT | all]`: ladders of the map that the mesh lacks.
    pub(super) fn ladders_of_map(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let site = self.site("to find what can be climbed")?;
        let point = match c.take() {
            None => None,
            Some(word) if word.text.eq_ignore_ascii_case("all") => None,
            Some(word) => {
                let at = point(word.text).ok_or_else(|| {
                    Refusal::new(format!("{} where a point x,y,z or all was expected", word.text)).at(word.at)
                })?;
                Some((at, word.at))
            }
        };
        c.finish()?;
        if self.world.head.version < 6 {
            let why = "a mesh of this version stores no ladders: the game finds them in the map";
            return Err(Refusal::new(why));
        }
        let mut boxes = site.ladders();
        if let Some((point, at)) = point {
            let far = |ladder: &Within| distance(ladder, point);
            let near = boxes.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            let near = near.filter(|ladder| far(ladder) <= NEAR);
            let none = || Refusal::new(format!("the map has no ladder within {NEAR} of that point"));
            boxes = vec![near.ok_or_else(|| none().at(at))?];
        }
        let known = |ladder: &Within| {
            self.world.ladders().any(|(_, each)| {
                let ([tx, ty, tz], [bx, by, bz]) = (each.ladder.top(), each.ladder.bottom());
                distance(ladder, [0.5 * (tx + bx), 0.5 * (ty + by), 0.5 * (tz + bz)]) <= SAME
            })
        };
        let all = boxes.len();
        boxes.retain(|ladder| !known(ladder));
        if boxes.is_empty() {
            s.say(format!("{} of the map: the mesh lacks none", counted(all as u64, "ladder", "ladders")));
            return Ok(());
        }
        self.new_ladder_id()?;
        let slots = self.world.slots();
        let mut mesh = self.world.to_buf();
        let old = mesh.ladders.len();
        let linked = add_ladders(&*site, &boxes, &mut mesh);
        for ladder in mesh.ladders.drain(old..) {
            let id = ladder.ladder.id();
            let slot = self.world.push_ladder(ladder);
            s.made(Item::Ladder(slot));
            let leads = ladder.ladder.areas().into_iter().filter(|(_, area)| area.get() != 0);
            let leads: Vec<String> = leads.map(|(name, area)| format!("{name} #{area}")).collect();
            let leads = if leads.is_empty() { "to no area".to_owned() } else { leads.join(", ") };
            s.say(format!("made L#{id}: {leads}"));
        }
        for (slot, area) in slots.into_iter().zip(mesh.areas) {
            self.world.set_ladders_of(slot, true, area.ladders_up);
            self.world.set_ladders_of(slot, false, area.ladders_down);
        }
        let (made, all) = (boxes.len() as u64, counted(all as u64, "ladder", "ladders"));
        s.say(format!("{made} of {all} of the map made, {linked} linked"));
        self.stale(s);
        Ok(())
    }

    /// `mark_player_clip [SELECTOR] [--as ATTRIBUTE]`: marks areas in a clip brush, which no player can enter.
    pub(super) fn mark_player_clip(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let site = self.site("what is blocked by clip brushes")?;
        let l4d = self.world.head.extension() == Extension::LeftForDead;
        let bit = match c.option("--as")? {
            Some(word) => self.attribute(word.text).map_err(|refusal| refusal.at(word.at))?,
            None if l4d => Attributes(L4dAttributes::PLAYERCLIP.bits()),
            None => Attributes::AVOID,
        };
        self.fits(bit)?;
        let areas = match c.peek() {
            Some(_) => self.areas(c, s)?,
            None => self.world.slots(),
        };
        c.finish()?;
        if self.world.head.version <= 5 {
            return Err(Refusal::new("maps of GoldSrc have no clip brushes that a line could meet"));
        }
        let [low, high] = CLIPPED;
        let clipped = |slot: &Slot| {
            let center = self.world.area(*slot).map(|area| area.shape.center());
            center.is_some_and(|[x, y, z]| site.is_clipped([x, y, z + low], [x, y, z + high]))
        };
        let found: Vec<Slot> = areas.into_iter().filter(clipped).collect();
        let mut changed = 0_u64;
        for slot in &found {
            let Some(bits) = self.world.area(*slot).map(|area| area.attributes.bits()) else { continue };
            let after = Attributes(bits | bit.bits());
            changed = changed.saturating_add(self.world.set_attributes(*slot, after).into());
        }
        let named = if l4d { L4dAttributes(bit.bits()).to_string() } else { bit.to_string() };
        let count = counted(found.len() as u64, "area lies", "areas lie");
        s.say(format!("{count} in clip brushes, {changed} newly marked {named}"));
        if !found.is_empty() {
            let told: Vec<String> =
                found.iter().take(MOST_TOLD).map(|slot| self.item(Item::Area(*slot))).collect();
            let more = if found.len() > MOST_TOLD { " …" } else { "" };
            s.say(format!("{}{more}", told.join(" ")));
        }
        Ok(())
    }
}

/// How far a point is from a box.
fn distance([low, high]: &Within, point: [f32; 3]) -> f32 {
    let each = point.into_iter().zip(low.iter().zip(high));
    let squares = each.map(|(at, (low, high))| (low - at).max(at - high).max(0.0).powi(2));
    squares.sum::<f32>().sqrt()
}

/// The ground height at a corner, searched from the two adjacent corners. If they disagree, the height nearer to the old one.
fn found(site: &dyn Site, corner: [f32; 3], first: [f32; 3], second: [f32; 3]) -> f32 {
    let [.., z] = corner;
    let (first, second) = (from_beside(site, corner, first), from_beside(site, corner, second));
    if (first - second).abs() > RISE && (z - first).abs() > (z - second).abs() { second } else { first }
}

/// The ground height at the end of a walk along an edge, in steps, each of which may rise.
fn from_beside(site: &dyn Site, end: [f32; 3], start: [f32; 3]) -> f32 {
    let [dx, dy, _] = minus(end, start);
    let step = match dx.abs() > dy.abs() {
        true => [STEP.copysign(dx), 0.0],
        false => [0.0, STEP.copysign(dy)],
    };
    let mut at = start;
    for _ in 0..MOST_STEPS {
        let [x, y, z] = at;
        let [left, down, _] = minus(end, at);
        let far = left.hypot(down);
        if far <= STEP || far.is_nan() {
            break;
        }
        let [sx, sy] = step;
        let next = [x + sx, y + sy, z + RISE];
        at = [x + sx, y + sy, site.ground(next).unwrap_or(z)];
    }
    let ([x, y, old], [.., z]) = (end, at);
    site.ground([x, y, z + RISE]).unwrap_or(old)
}
