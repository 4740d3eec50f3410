//! Attributes and places. `docs/formats/source-edit.md`, section 1.3, 1.6, 2.10.

use super::editor::SourceEditor;
use super::select::NAMES;
use super::state::Item;
use super::world::Slot;
use crate::flags::{Attributes, Extension, L4dAttributes, TfAttributes};
use navmap_core::edit::{Command, Refusal, Scope, Word};
use navmap_core::text::counted;
use std::collections::{HashMap, VecDeque};

type Fared = Result<(), Refusal>;

/// The names that `tf_mark` takes.
pub(super) const TF_NAMES: [&str; 17] = [
    "BLUE_SETUP_GATE",
    "RED_SETUP_GATE",
    "BLOCKED_AFTER_POINT_CAPTURE",
    "BLOCKED_UNTIL_POINT_CAPTURE",
    "BLUE_ONE_WAY_DOOR",
    "RED_ONE_WAY_DOOR",
    "SNIPER_SPOT",
    "SENTRY_SPOT",
    "NO_SPAWNING",
    "RESCUE_CLOSET",
    "DOOR_ALWAYS_BLOCKS",
    "DOOR_NEVER_BLOCKS",
    "UNBLOCKABLE",
    "WITH_SECOND_POINT",
    "WITH_THIRD_POINT",
    "WITH_FOURTH_POINT",
    "WITH_FIFTH_POINT",
];

impl SourceEditor {
    /// An attribute by the name that the engine's commands accept; Left 4 Dead (2) has more.
    pub(super) fn attribute(&self, name: &str) -> Result<Attributes, Refusal> {
        let l4d = self.world.head.extension() == Extension::LeftForDead;
        let stock = Attributes::NAMED.iter().map(|(name, bit)| (*name, bit.bits()));
        let more = L4dAttributes::NAMED.iter().filter(|_| l4d).map(|(name, bit)| (*name, bit.bits()));
        let all = stock.chain(more);
        let found = all.clone().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, bit)| bit);
        found
            .map(Attributes)
            .ok_or_else(|| Refusal::unknown("attribute", name).among(name, all.map(|(name, _)| name)))
    }

    /// An attribute of Team Fortress 2 by the name that `tf_mark` takes.
    pub(super) fn tf_attribute(&self, name: &str) -> Result<TfAttributes, Refusal> {
        if self.world.head.extension() != Extension::TeamFortress {
            return Err(Refusal::new("the mesh is not one of Team Fortress 2"));
        }
        let known = TF_NAMES.iter().find(|other| other.eq_ignore_ascii_case(name));
        let bit = known.and_then(|name| TfAttributes::NAMED.iter().find(|(other, _)| other == name));
        bit.map(|(_, bit)| *bit).ok_or_else(|| Refusal::unknown("TF attribute", name).among(name, TF_NAMES))
    }

    fn each_attribute(&mut self, areas: &[Slot], s: &mut Scope<Item>, change: impl Fn(u32) -> u32) {
        let mut changed = 0_usize;
        for slot in areas {
            let Some(bits) = self.world.area(*slot).map(|area| area.attributes.bits()) else { continue };
            changed =
                changed.saturating_add(self.world.set_attributes(*slot, Attributes(change(bits))).into());
        }
        s.say(format!("changed attribute in {}", counted(changed as u64, "area", "areas")));
    }

    fn warn_of_stairs(&self, bit: Attributes, s: &mut Scope<Item>) {
        if bit == Attributes::STAIRS && self.world.head.version >= 13 {
            s.say("the game clears STAIRS when it loads a mesh, and finds stairs anew in the map");
        }
    }

    /// Refuses an attribute that the version cannot store.
    pub(super) fn fits(&self, bit: Attributes) -> Fared {
        let version = self.world.head.version;
        let bits = match version {
            0..=8 => 8,
            9..=12 => 16,
            _ => 32,
        };
        if u64::from(bit.bits()) >> bits == 0 {
            return Ok(());
        }
        Err(Refusal::new(format!("{bit} does not fit the {bits} bits that version {version} stores")))
    }

    /// `nav_crouch` and its like.
    pub(super) fn toggle(&mut self, bit: Attributes, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        self.fits(bit)?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.each_attribute(&areas, s, |bits| bits ^ bit.bits());
        self.let_go(s);
        Ok(())
    }

    pub(super) fn nav_mark_attribute(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let name = c.need("an attribute")?;
        let bit = self.attribute(name.text).map_err(|refusal| refusal.at(name.at))?;
        self.fits(bit).map_err(|refusal| refusal.at(name.at))?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.each_attribute(&areas, s, |bits| bits | bit.bits());
        self.warn_of_stairs(bit, s);
        s.selection.clear();
        Ok(())
    }

    pub(super) fn nav_clear_attribute(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let name = c.need("an attribute")?;
        let bit = self.attribute(name.text).map_err(|refusal| refusal.at(name.at))?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.each_attribute(&areas, s, |bits| bits & !bit.bits());
        s.selection.clear();
        Ok(())
    }

    pub(super) fn wipe_nav_attributes(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.each_attribute(&areas, s, |bits| bits & !0xFFFF);
        s.selection.clear();
        Ok(())
    }

    // Team Fortress 2.

    /// Takes names, up to an operand that is none: it selects the areas.
    fn names(&mut self, c: &mut Command<'_>) -> Result<(u32, u32), Refusal> {
        let (mut tf, mut base) = (0, 0);
        let mut any = false;
        while let Some(word) = c.peek().copied() {
            if !word.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                break;
            }
            match (self.tf_attribute(word.text), self.attribute(word.text)) {
                (Ok(bit), _) => tf |= bit.bits(),
                (_, Ok(bit)) if self.world.head.extension() == Extension::TeamFortress => base |= bit.bits(),
                _ if NAMES.iter().any(|name| name.eq_ignore_ascii_case(word.text)) => break,
                (Err(refusal), _) => return Err(refusal.at(word.at)),
            }
            c.take();
            any = true;
        }
        if any { Ok((tf, base)) } else { Err(Refusal::new("the name of an attribute is missing").at(c.at())) }
    }

    pub(super) fn tf_mark(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let (tf, base) = self.names(c)?;
        // If there is a set, the bits are set on it. If only one area is highlighted, they flip.
        let set = c.peek().is_none() && !s.selection.is_empty();
        let areas = self.areas(c, s)?;
        c.finish()?;
        let flip = !set && areas.len() == 1;
        for slot in areas {
            let Some((bits, game)) =
                self.world.area(slot).map(|area| (area.attributes.bits(), area.game_attributes))
            else {
                continue;
            };
            let put = |now: u32, bit: u32| if flip { now ^ bit } else { now | bit };
            self.world.set_game(slot, put(game, tf));
            self.world.set_attributes(slot, Attributes(put(bits, base)));
        }
        Ok(())
    }

    pub(super) fn tf_clear_attribute(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let (tf, base) = self.names(c)?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        for slot in areas {
            let Some((bits, game)) =
                self.world.area(slot).map(|area| (area.attributes.bits(), area.game_attributes))
            else {
                continue;
            };
            self.world.set_game(slot, game & !tf);
            self.world.set_attributes(slot, Attributes(bits & !base));
        }
        s.selection.clear();
        Ok(())
    }

    pub(super) fn tf_wipe_attributes(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        self.tf_attribute("UNBLOCKABLE")?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        areas.into_iter().for_each(|slot| _ = self.world.set_game(slot, 0));
        s.selection.clear();
        Ok(())
    }

    pub(super) fn tf_select_with_attribute(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let (tf, base) = self.names(c)?;
        c.finish()?;
        s.selection.clear();
        let has = self
            .world
            .areas()
            .filter(|(_, a)| a.game_attributes & tf != 0 || a.attributes.bits() & base != 0);
        let found: Vec<Slot> = has.map(|(slot, _)| slot).collect();
        s.say(format!("{} added to selection", counted(found.len() as u64, "area", "areas")));
        found.into_iter().for_each(|slot| _ = s.selection.add(Item::Area(slot)));
        Ok(())
    }

    // Places.

    /// The text of a place's name.
    pub(super) fn place_name(&self, place: u16) -> String {
        self.world
            .head
            .place(place)
            .map_or("none".to_owned(), |name| String::from_utf8_lossy(name).into_owned())
    }

    /// The numbers of all places.
    fn place_range(&self) -> impl Iterator<Item = u16> {
        self.world.look_at(self.world.head.places.len());
        1..=u16::try_from(self.world.head.places.len()).unwrap_or(u16::MAX)
    }

    /// The number of the place whose whole name this is.
    pub(super) fn place_named(&self, same: impl Fn(&str) -> bool) -> Option<u16> {
        let place = |number: &u16| self.world.head.place(*number).map(String::from_utf8_lossy);
        self.place_range().find(|number| place(number).is_some_and(|name| same(&name)))
    }

    /// The number of a place by its name, ignoring case. If no name matches, the only one with this prefix.
    pub(super) fn place(&self, name: &str) -> Result<u16, Refusal> {
        if let Some(number) = self.place_named(|other| other.eq_ignore_ascii_case(name)) {
            return Ok(number);
        }
        // Each name is compared with it letter by letter.
        self.world.look_at(self.world.head.places.len().saturating_mul(16));
        let all: Vec<(u16, String)> =
            self.place_range().map(|number| (number, self.place_name(number))).collect();
        let lower = name.to_ascii_lowercase();
        let begins: Vec<_> =
            all.iter().filter(|(_, other)| other.to_ascii_lowercase().starts_with(&lower)).collect();
        match begins.as_slice() {
            [(number, _)] => Ok(*number),
            [] => {
                Err(Refusal::unknown("place", name).among(name, all.iter().map(|(_, other)| other.as_str())))
            }
            several => {
                let names: Vec<_> = several.iter().map(|(_, name)| name.as_str()).collect();
                Err(Refusal::new(format!("ambiguous: {name} begins {}", names.join(", "))))
            }
        }
    }

    /// The number of a place. If the directory lacks it, `--new` adds it. Without `--new`, a misspelt name is an error instead of
    /// a new place.
    fn place_or_new(&mut self, word: &Word<'_>, new: bool) -> Result<u16, Refusal> {
        if !new {
            return self.place(word.text).map_err(|refusal| {
                Refusal::new(format!("{refusal} (--new adds a place to the directory)")).at(word.at)
            });
        }
        if let Some(number) = self.place_named(|other| other.eq_ignore_ascii_case(word.text)) {
            return Ok(number);
        }
        self.new_place(word.text.as_bytes()).map_err(|refusal| refusal.at(word.at))
    }

    /// Adds a place at the end of the directory.
    pub(super) fn new_place(&mut self, name: &[u8]) -> Result<u16, Refusal> {
        if self.world.head.version < 5 {
            return Err(Refusal::new("a mesh of this version has no places"));
        }
        if name.is_empty() || name.len() > 255 || name.contains(&0) {
            return Err(Refusal::new("a place has a name of 1 to 255 bytes"));
        }
        let number = u16::try_from(self.world.head.places.len().saturating_add(1));
        let number = number.map_err(|_| Refusal::new("the directory is full: 65535 places"))?;
        self.world.push_place([name, &[0]].concat().into());
        Ok(number)
    }

    pub(super) fn nav_use_place(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let new = c.flag("--new");
        let Some(word) = c.take() else {
            c.finish()?;
            let current = self.world.state().place;
            self.world.look_at(self.world.head.places.len().saturating_mul(16));
            let mut names: Vec<(String, bool)> =
                self.place_range().map(|n| (self.place_name(n), n == current)).collect();
            names.sort();
            for (name, current) in names {
                s.say(format!("{}{name}", if current { "--> " } else { "" }));
            }
            return Ok(());
        };
        c.finish()?;
        let none = word.text.eq_ignore_ascii_case("none") && !word.quoted;
        let place = if none { 0 } else { self.place_or_new(&word, new)? };
        self.world.with_state(|state| state.place = place);
        s.say(format!("current place is {}", self.place_name(place)));
        Ok(())
    }

    /// The place that a command gives: `--place`, else the current one.
    fn given_place(&mut self, c: &mut Command<'_>) -> Result<u16, Refusal> {
        let new = c.flag("--new");
        match c.option("--place")? {
            Some(word) => self.place_or_new(&word, new),
            None => Ok(self.world.state().place),
        }
    }

    fn paint(&mut self, areas: &[Slot], place: u16, s: &mut Scope<Item>) {
        let changed = areas.iter().filter(|slot| self.world.set_place(**slot, place)).count();
        let have = if changed == 1 { "has" } else { "have" };
        let areas = counted(changed as u64, "area", "areas");
        s.say(format!("{areas} now {have} place {}", self.place_name(place)));
    }

    pub(super) fn nav_place_set(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let place = self.given_place(c)?;
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.paint(&areas, place, s);
        Ok(())
    }

    pub(super) fn place_clear(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let areas = self.areas(c, s)?;
        c.finish()?;
        self.paint(&areas, 0, s);
        Ok(())
    }

    pub(super) fn nav_place_pick(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let slot = self.an_area(c, s)?;
        c.finish()?;
        let place = self.world.area(slot).map_or(0, |area| area.place);
        self.world.with_state(|state| state.place = place);
        s.say(format!("current place is {}", self.place_name(place)));
        Ok(())
    }

    pub(super) fn nav_place_floodfill(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let place = self.given_place(c)?;
        let start = self.an_area(c, s)?;
        c.finish()?;
        let Some(old) = self.world.area(start).map(|area| area.place) else { return Ok(()) };
        let mut seen = std::collections::HashSet::from([start]);
        let mut queue = VecDeque::from([start]);
        let mut areas = Vec::new();
        while let Some(slot) = queue.pop_front() {
            self.world.look_at(32);
            if self.world.area(slot).is_none_or(|area| area.place != old) {
                continue;
            }
            areas.push(slot);
            for next in self.ways_out(slot) {
                if seen.insert(next) {
                    queue.push_back(next);
                }
            }
        }
        self.paint(&areas, place, s);
        Ok(())
    }

    pub(super) fn nav_place_replace(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        let new = c.flag("--new");
        let (old, with) = (c.need("the place to be replaced")?, c.need("the place to replace it with")?);
        c.finish()?;
        let old = self.place(old.text).map_err(|refusal| refusal.at(old.at))?;
        let with = self.place_or_new(&with, new)?;
        let areas: Vec<Slot> =
            self.world.areas().filter(|(_, area)| area.place == old).map(|(slot, _)| slot).collect();
        self.paint(&areas, with, s);
        Ok(())
    }

    pub(super) fn nav_place_list(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        let mut order: Vec<(u16, usize)> = Vec::new();
        let mut at: HashMap<u16, usize> = HashMap::new();
        for (_, area) in self.world.areas().filter(|(_, area)| area.place != 0) {
            let index = *at.entry(area.place).or_insert_with(|| {
                order.push((area.place, 0));
                order.len().saturating_sub(1)
            });
            if let Some((_, count)) = order.get_mut(index) {
                *count = count.saturating_add(1);
            }
        }
        for (place, count) in &order {
            s.say(format!("{} ({})", self.place_name(*place), counted(*count as u64, "area", "areas")));
        }
        s.say(counted(order.len() as u64, "place", "places"));
        Ok(())
    }

    pub(super) fn nav_mark_unnamed(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Fared {
        c.finish()?;
        if self.world.state().mark.is_some() {
            self.world.with_state(|state| (state.mark, state.corner) = (None, None));
            return Ok(());
        }
        let mut unnamed = self.world.areas().filter(|(_, area)| area.place == 0);
        let first = unnamed.next().map(|(slot, area)| (slot, area.all_connections().count()));
        let others = unnamed.count();
        let Some((slot, connections)) = first else {
            s.say("every area has a place");
            return Ok(());
        };
        self.world.with_state(|state| (state.mark, state.corner) = (Some(Item::Area(slot)), None));
        let total = others.saturating_add(1);
        let connections = counted(connections as u64, "connection", "connections");
        let (areas, have) = (counted(total as u64, "area", "areas"), if total == 1 { "has" } else { "have" });
        s.say(format!("{} is marked: {connections}; {areas} {have} no place", self.item(Item::Area(slot))));
        Ok(())
    }
}
