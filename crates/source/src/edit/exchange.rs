//! Copies areas out of a mesh and into another, as the game's text. `docs/formats/source-edit.md`, sections 2.14 and 6.

use super::editor::SourceEditor;
use super::select::NAMES;
use super::state::Item;
use super::text::{Exported, SelectedAreas, TextArea, TextLadder};
use super::world::{Slot, ladder_list};
use crate::buf::{AreaBuf, LadderBuf};
use crate::flags::{Attributes, Direction, Extension, HidingSpotFlags};
use crate::record::{AreaId, HidingSpot, HidingSpotId, Ladder, LadderId, LadderSlot, Shape};
use navmap_core::edit::{Command, Refusal, Request, Scope, Word};
use navmap_core::text::counted;
use std::collections::{HashMap, HashSet};

type Fared = Result<(), Refusal>;

/// A byte that is kept until all files are written counts as so many areas that are looked at.
pub(super) const EXPORTED: usize = 4;
/// A text becomes a file, which counts as so many bytes.
const FILE: usize = 16 << 10;

/// An area that may lie under a new one counts as so many, besides that it is near.
const SOUGHT: usize = 12;

/// Whether a word is a selector and not a name.
fn selects(word: &Word<'_>) -> bool {
    let name = NAMES.iter().any(|name| name.eq_ignore_ascii_case(word.text));
    !word.quoted && (name || word.text.contains(['#', '@', '~', '(', '!']))
}

impl SourceEditor {
    /// `nav_save_selected`: the areas as text, for the caller to write.
    pub(super) fn nav_save_selected(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let extended = c.flag("--extended");
        let to = c.option("--to")?.map(|word| word.text.to_owned());
        let mut stem = match c.peek().copied() {
            Some(word) if !selects(&word) => {
                c.take();
                Some(word.text.to_owned())
            }
            _ => None,
        };
        let areas = self.areas(c, s)?;
        c.finish()?;
        if s.game_exact() && stem.is_some() {
            // The game reads the wrong argument: the name of the command itself.
            stem = Some(c.verb().to_owned());
        }
        let areas: Vec<(&AreaBuf, &[u8])> = areas
            .iter()
            .filter_map(|slot| self.world.area(*slot))
            .map(|area| (area, self.world.head.place(area.place).unwrap_or_default()))
            .collect();
        let count = areas.len();
        let extended = extended.then(|| self.world.ladders().map(|(_, each)| each).collect());
        let text = Exported { areas, extended }.to_text();
        // A text is kept until it is written.
        self.world.look_at(text.len().saturating_add(FILE).saturating_mul(EXPORTED));
        s.say(format!(
            "{} as text, {}",
            counted(count as u64, "area", "areas"),
            counted(text.len() as u64, "byte", "bytes")
        ));
        s.request(Request::Export { stem, to, text });
        Ok(())
    }

    /// `nav_merge_mesh`: imports areas from a text, and links them with the mesh where one can walk across.
    pub(super) fn nav_merge_mesh(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let force = c.flag("--force") || s.game_exact();
        let stitching = !c.flag("--no-stitch");
        let ways = Ways { jump: c.flag("--allow-jump"), drops: c.flag("--drops"), exact: s.game_exact() };
        let name = c.need("the name of a text")?;
        c.finish()?;
        let (file, bytes) = s.read(name.text, "txt").map_err(|refusal| refusal.at(name.at))?;
        let text = SelectedAreas::parse(&bytes).map_err(|error| Refusal::new(format!("{file}: {error}")))?;
        text.remarks.iter().for_each(|remark| s.say(format!("{file}: {remark}")));
        if s.game_exact() && bytes.starts_with(b"\xEF\xBB\xBF") {
            return Err(Refusal::new(format!("{file}: the game takes the byte order mark for a name")));
        }
        if text.cut {
            let whole = counted(text.areas.len() as u64, "whole area", "whole areas");
            let why = format!("{file}: the text is cut off after {whole}");
            if !force {
                return Err(Refusal::new(format!("{why} (--force takes these)")));
            }
            s.say(why);
        }
        let made = self.import(&text, &file, force, s)?;
        if !force {
            self.refuse_overlap(&made)?;
        }
        if s.game_exact() {
            // `version` and other values become areas without surface.
            for _ in 0..text.values {
                let id = self.new_id(s)?;
                self.make(AreaBuf::new(id, Shape::from_extent([0.0; 2], [0.0; 2], [0.0; 4])), s);
            }
        }
        s.say(format!("made {}", counted(made.len() as u64, "area", "areas")));
        if stitching {
            self.stitch(&made, ways, s)?;
        }
        if !s.game_exact() {
            s.selection.set(made.into_iter().map(Item::Area).collect());
        }
        self.stale(s);
        Ok(())
    }

    /// Makes the areas of a text, then the links between them.
    fn import(
        &mut self,
        text: &SelectedAreas,
        file: &str,
        force: bool,
        s: &mut Scope<Item>,
    ) -> Result<Vec<Slot>, Refusal> {
        let count = u32::try_from(text.areas.len()).unwrap_or(u32::MAX);
        let ids = self.new_ids(count, s)?;
        let mut places = self.place_numbers();
        let mut by_name: HashMap<Vec<u8>, Slot> = HashMap::with_capacity(text.areas.len());
        let mut made = Vec::with_capacity(text.areas.len());
        let mut next_spot = self.next_spot();
        for (from, id) in text.areas.iter().zip(ids) {
            let shape = shape_of(from, file, force, s)?;
            let mut area = AreaBuf::new(id, shape);
            area.attributes = Attributes(from.attributes);
            if let Some(name) = from.place.as_deref().filter(|name| !name.is_empty()) {
                area.place = self.imported_place(name, &mut places, file, s)?;
            }
            if !s.game_exact() {
                area.game_attributes = from.game_attributes.unwrap_or(0);
                for (position, flags) in &from.hiding_spots {
                    let Some(id) = next_spot else { break };
                    area.hiding_spots.push(HidingSpot::new(
                        HidingSpotId::new(id),
                        *position,
                        HidingSpotFlags(*flags),
                    ));
                    next_spot = id.checked_add(1);
                }
            }
            let slot = self.make(area, s);
            by_name.entry(from.name.to_ascii_lowercase()).or_insert(slot);
            made.push(slot);
        }
        let named = |name: &[u8]| by_name.get(&name.to_ascii_lowercase()).copied();
        let mut outside = 0_usize;
        for from in &text.areas {
            let Some(slot) = named(&from.name) else { continue };
            let sides = [Direction::North, Direction::South, Direction::East, Direction::West];
            for (direction, names) in sides.map(|side| (side, from.links.get(side.stored() as usize))) {
                for name in names.into_iter().flatten() {
                    match named(name).and_then(|to| self.world.area(to)).map(|area| area.id) {
                        Some(to) => _ = self.world.link(slot, direction, to),
                        None => outside = outside.saturating_add(1),
                    }
                }
            }
        }
        if outside > 0 {
            let links = counted(outside as u64, "link leads", "links lead");
            let left = if outside == 1 { "is" } else { "are" };
            s.say(format!("{file}: {links} to areas that are not in it, and {left} left out"));
        }
        if !s.game_exact() {
            self.import_ladders(text, &named, s)?;
        }
        Ok(made)
    }

    /// Place numbers by name in lower case.
    fn place_numbers(&self) -> HashMap<Vec<u8>, u16> {
        let mut numbers = HashMap::new();
        for number in 1..=u16::try_from(self.world.head.places.len()).unwrap_or(u16::MAX) {
            if let Some(name) = self.world.head.place(number) {
                numbers.entry(name.to_ascii_lowercase()).or_insert(number);
            }
        }
        numbers
    }

    fn imported_place(
        &mut self,
        name: &[u8],
        places: &mut HashMap<Vec<u8>, u16>,
        file: &str,
        s: &mut Scope<Item>,
    ) -> Result<u16, Refusal> {
        let lower = name.to_ascii_lowercase();
        if let Some(number) = places.get(&lower) {
            return Ok(*number);
        }
        let shown = String::from_utf8_lossy(name).into_owned();
        let unknown = self.known_places.as_ref().is_some_and(|known| !known.contains(&lower));
        if self.world.head.version < 5 || (s.game_exact() && (unknown || self.known_places.is_none())) {
            s.say(format!("{file}: the place {shown} is not known here, and is left out"));
            places.insert(lower, 0);
            return Ok(0);
        }
        let number = self.new_place(name).map_err(|refusal| Refusal::new(format!("{file}: {refusal}")))?;
        let more = if unknown { ", which the game does not know" } else { "" };
        s.say(format!("{file}: the place {shown} is new here{more}"));
        places.insert(lower, number);
        Ok(number)
    }

    /// The id of the next hiding spot: above all others, and 0 in a mesh without any.
    fn next_spot(&self) -> Option<u32> {
        let ids =
            self.world.areas().flat_map(|(_, area)| area.hiding_spots.iter().map(|spot| spot.id().get()));
        ids.max().map_or(Some(0), |last| last.checked_add(1))
    }

    fn import_ladders(
        &mut self,
        text: &SelectedAreas,
        named: &dyn Fn(&[u8]) -> Option<Slot>,
        s: &mut Scope<Item>,
    ) -> Fared {
        let mut made: HashMap<Vec<u8>, LadderId> = HashMap::new();
        for from in &text.areas {
            let Some(slot) = named(&from.name) else { continue };
            for each in &from.ladders {
                if self.world.head.version < 7 {
                    s.say("ladders of the text are left out: a mesh of this version lists none");
                    return Ok(());
                }
                let id = match made.get(&each.name) {
                    Some(id) => *id,
                    None => {
                        let id = self.import_ladder(each, named, s)?;
                        made.insert(each.name.clone(), id);
                        id
                    }
                };
                let Some(mut list) = self.world.area(slot).map(|area| ladder_list(area, each.up).clone())
                else {
                    continue;
                };
                if !list.contains(&id) {
                    list.push(id);
                    self.world.set_ladders_of(slot, each.up, list);
                }
            }
        }
        if !made.is_empty() {
            s.say(format!("made {}", counted(made.len() as u64, "ladder", "ladders")));
        }
        Ok(())
    }

    fn import_ladder(
        &mut self,
        from: &TextLadder,
        named: &dyn Fn(&[u8]) -> Option<Slot>,
        s: &mut Scope<Item>,
    ) -> Result<LadderId, Refusal> {
        let id = self.new_ladder_id()?;
        let direction = Direction::from_stored(from.direction).unwrap_or(Direction::North);
        let [top, bottom] = from.ends;
        let mut ladder = Ladder::new(id, top, bottom, from.width, direction);
        for (place, name) in LadderSlot::ALL.into_iter().zip(&from.areas) {
            let area = named(name).and_then(|slot| self.world.area(slot));
            ladder.set_area(place, area.map_or(AreaId::default(), |area| area.id));
        }
        let slot = self.world.push_ladder(LadderBuf::from(ladder));
        s.made(Item::Ladder(slot));
        Ok(id)
    }

    /// Refuses new areas on top of others.
    fn refuse_overlap(&self, made: &[Slot]) -> Fared {
        let new: HashSet<Slot> = made.iter().copied().collect();
        let mut near = HashSet::new();
        for slot in made {
            self.world.has_room()?;
            let Some(area) = self.world.area(*slot) else { continue };
            let [x, y, _] = area.shape.center();
            let [w, h] = area.shape.extent();
            let around = self.world.near([x, y], 0.5 * w.max(h));
            self.world.look_at(around.len().saturating_mul(SOUGHT));
            near.extend(around.into_iter().filter(|slot| !new.contains(slot)));
        }
        let mut pairs = self.overlaps(made.iter().copied(), |other| !new.contains(&other))?;
        let mut near: Vec<Slot> = near.into_iter().collect();
        near.sort_unstable();
        pairs.extend(self.overlaps(near, |other| new.contains(&other))?);
        let Some((a, b)) = pairs.first() else { return Ok(()) };
        let names = [a, b].map(|slot| {
            let name = if new.contains(slot) { "a new area" } else { "" };
            if name.is_empty() { self.item(Item::Area(*slot)) } else { name.to_owned() }
        });
        let areas: HashSet<Slot> =
            pairs.iter().flat_map(|(a, b)| [*a, *b]).filter(|slot| new.contains(slot)).collect();
        Err(Refusal::new(format!(
            "{} new areas lie on top of others, {} and {} first (--force makes them all the same)",
            areas.len(),
            names[0],
            names[1]
        )))
    }
}

/// The rectangle of an area. Missing corners are 0 0 0 in the game.
fn shape_of(from: &TextArea, file: &str, force: bool, s: &mut Scope<Item>) -> Result<Shape, Refusal> {
    let missing: Vec<&str> = from
        .corners
        .iter()
        .zip(["NorthWest", "NorthEast", "SouthWest", "SouthEast"])
        .filter(|(corner, _)| corner.is_none())
        .map(|(_, key)| key)
        .collect();
    let [nw, ne, sw, se] = from.corners.map(Option::unwrap_or_default);
    let ([.., ne_z], [.., sw_z]) = (ne, sw);
    let shape = Shape::new(nw, se, ne_z, sw_z);
    let name = String::from_utf8_lossy(&from.name);
    let why = if !missing.is_empty() {
        format!("{file}: {}: area {name} has no {}", from.place_in_text, missing.join(", "))
    } else if shape.is_degenerate() {
        let [x, y] = shape.extent();
        format!("{file}: {}: area {name} is {x} by {y}: no surface", from.place_in_text)
    } else {
        return Ok(shape);
    };
    if !force {
        return Err(Refusal::new(format!("{why} (--force takes 0 0 0, as the game does)")));
    }
    s.say(why);
    Ok(shape)
}

/// The links that stitching makes.
#[derive(Clone, Copy, Debug)]
struct Ways {
    jump: bool,
    drops: bool,
    exact: bool,
}

impl SourceEditor {
    /// Links new areas with adjacent ones, by the engine's probes along each edge and by heights instead of its traces through
    /// the map.
    ///
    /// # Errors
    /// If that takes more than a script may.
    fn stitch(&mut self, made: &[Slot], ways: Ways, s: &mut Scope<Item>) -> Fared {
        let new: HashSet<Slot> = made.iter().copied().collect();
        let counter_strike =
            self.world.head.version <= 9 || self.world.head.extension() == Extension::CounterStrikeGo;
        let (jump, death) = if counter_strike { (58.0, 200.0) } else { (64.0, 400.0) };
        let mut links: Vec<(Slot, Direction, Slot)> = Vec::new();
        for slot in made {
            let Some(shape) = self.world.area(*slot).map(|area| area.shape) else { continue };
            for side in [Direction::North, Direction::South, Direction::East, Direction::West] {
                for (edge, first_z) in super::geometry::probes(&shape, side) {
                    self.world.has_room()?;
                    let [x, y] = edge;
                    let [ox, oy, _] = super::ladders::normal(side);
                    let out = |far: f32| [x + far * ox, y + far * oy];
                    let own = if ways.exact { first_z } else { shape.height_at(x, y) };
                    let beside = out(0.5 * super::geometry::STEP);
                    let found = self.area_at(beside, Some(first_z + super::geometry::HALF_HUMAN));
                    if let Some(other) = found.filter(|other| !new.contains(other)) {
                        let Some(area) = self.world.area(other) else { continue };
                        let [bx, by] = beside;
                        let rise = area.shape.height_at(bx, by) - own;
                        let walks = |rise: f32| {
                            (-18.0..=18.0).contains(&rise) || (ways.jump && rise > 0.0 && rise <= jump)
                        };
                        if walks(rise) {
                            links.push((*slot, side, other));
                        }
                        if walks(-rise) {
                            links.push((other, side.opposite(), *slot));
                        }
                    } else if ways.drops {
                        let below = [12.5, 37.5, 62.5, 87.5].into_iter().find_map(|far| {
                            self.highest(out(far), own + 1.0 - death, own + 1.0).map(|slot| (slot, out(far)))
                        });
                        let Some((other, [bx, by])) = below.filter(|(other, _)| !new.contains(other)) else {
                            continue;
                        };
                        let Some(area) = self.world.area(other) else { continue };
                        let drop = own - area.shape.height_at(bx, by);
                        if drop > jump && drop < death {
                            links.push((*slot, side, other));
                        }
                    }
                }
            }
        }
        let mut count = 0_usize;
        for (from, side, to) in links {
            let Some(id) = self.world.area(to).map(|area| area.id) else { continue };
            if self.world.link(from, side, id) {
                count = count.saturating_add(1);
                s.say(format!("{} {side} to #{id}", self.item(Item::Area(from))));
            }
        }
        let links = counted(count as u64, "link", "links");
        s.say(format!("{links} made by heights, without walks through the map"));
        Ok(())
    }
}
