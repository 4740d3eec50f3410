//! Keeps visibility when areas die, if requested. `docs/formats/source-edit.md`, section 3.2.

use super::world::{Slot, World};
use crate::flags::{Extension, Visibility};
use crate::record::{AreaId, VisibleArea};
use std::collections::{HashMap, HashSet};

/// The areas that a command has removed, and their heirs.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// Whether visibility is kept.
    pub(super) kept: bool,
    /// The number of slots when the command began.
    first_new: Slot,
    dead: HashMap<Slot, Dead>,
    /// The halves of an area that was cut, or the area it was merged into.
    heirs: HashMap<Slot, Vec<Slot>>,
}

#[derive(Debug)]
struct Dead {
    id: AreaId,
    list: Vec<VisibleArea>,
    inherits: AreaId,
}

/// Targets with their bits, each once, in order.
#[derive(Default)]
struct List {
    entries: Vec<(Slot, u8)>,
    at: HashMap<Slot, usize>,
}

impl List {
    fn put(&mut self, target: Slot, bits: u8) {
        match self.at.get(&target).and_then(|at| self.entries.get_mut(*at)) {
            // For two parts of one area, full visibility requires both to be fully visible.
            Some((_, now)) if *now != bits => *now = u8::from((*now | bits) != 0),
            Some(_) => {}
            None => {
                self.at.insert(target, self.entries.len());
                self.entries.push((target, bits));
            }
        }
    }

    /// How much of an area is seen.
    fn bits(&self, target: Slot) -> Option<u8> {
        self.entries.get(*self.at.get(&target)?).map(|(_, bits)| *bits)
    }
}

/// Visibility of one part, given the whole's.
fn part(bits: u8) -> u8 {
    u8::from(bits != 0)
}

impl World {
    /// Begins a command.
    pub(super) fn watch_sight(&mut self) {
        let first_new = self.slot_count();
        let sight = self.sight_mut();
        (sight.first_new, sight.dead, sight.heirs) = (first_new, HashMap::new(), HashMap::new());
    }

    /// Records an area that is about to be removed.
    pub(super) fn note_death(&mut self, slot: Slot) {
        if !self.sight().kept {
            return;
        }
        if let Some(area) = self.area(slot) {
            let dead = Dead { id: area.id, list: area.visible_areas.clone(), inherits: area.inherits };
            self.sight_mut().dead.insert(slot, dead);
        }
    }

    /// Records the heirs of an area: its halves, or the area it was merged into.
    pub(super) fn note_heirs(&mut self, slot: Slot, heirs: &[Slot]) {
        if self.sight().kept {
            self.sight_mut().heirs.insert(slot, heirs.to_vec());
        }
    }

    /// The living heirs of an area: itself if it lives.
    fn living(&self, slot: Slot) -> Vec<Slot> {
        let (mut found, mut todo) = (Vec::new(), vec![slot]);
        while let Some(slot) = todo.pop() {
            if self.area(slot).is_some() {
                found.push(slot);
            } else if let Some(heirs) = self.sight().heirs.get(&slot) {
                todo.extend(heirs.iter().rev());
            }
        }
        found
    }

    /// Gives the living areas the visibility of the dead, at the end of a command. An entry of a dead area is replaced by its
    /// halves, potentially visible, or by the area it was merged into. Linear in all lists.
    pub(super) fn mend_sight(&mut self) {
        if self.sight().dead.is_empty() {
            return;
        }
        let changes = Past::new(self).changes();
        for (slot, list, inherits) in changes {
            self.set_visibility(slot, list, inherits);
        }
        self.watch_sight();
    }
}

/// What areas saw before a command, and who stands in now for those that it removed.
struct Past<'w> {
    world: &'w World,
    /// Whether lists name areas by their position in the file instead of their id.
    by_position: bool,
    /// The areas before the command, as lists named them.
    names: HashMap<u32, Slot>,
    by_id: HashMap<AreaId, Slot>,
    /// Who stands in for each area that was removed.
    stays: HashMap<Slot, Vec<Slot>>,
    /// Areas that others were merged into: who builds upon their lists must not change with them.
    grown: HashSet<Slot>,
}

/// A list that an area gets, and the area that it inherits from.
type Given = (Slot, List, AreaId);

impl<'w> Past<'w> {
    fn new(world: &'w World) -> Self {
        let sight = world.sight();
        let old = |slot: &Slot| *slot < sight.first_new;
        let by_position = world.head.extension() == Extension::LeftForDead;
        let living = world.areas().map(|(slot, area)| (slot, area.id));
        let dead = sight.dead.iter().map(|(slot, dead)| (*slot, dead.id));
        let mut before: Vec<(Slot, AreaId)> = living.chain(dead).filter(|(slot, _)| old(slot)).collect();
        before.sort_unstable_by_key(|(slot, _)| *slot);
        let mut names = HashMap::new();
        for (position, (slot, id)) in (0..).zip(&before) {
            names.entry(if by_position { position } else { id.get() }).or_insert(*slot);
        }
        let heirs = sight.heirs.keys().filter(|slot| old(slot)).flat_map(|slot| world.living(*slot));
        Self {
            world,
            by_position,
            names,
            by_id: before.iter().rev().map(|(slot, id)| (*id, *slot)).collect(),
            stays: sight.dead.keys().map(|slot| (*slot, world.living(*slot))).collect(),
            grown: heirs.filter(old).collect(),
        }
    }

    /// The list as it was, and what it inherited from.
    fn stored(&self, slot: Slot) -> Option<(&'w [VisibleArea], AreaId)> {
        match self.world.sight().dead.get(&slot) {
            Some(dead) => Some((&dead.list, dead.inherits)),
            None => self.world.area(slot).map(|area| (area.visible_areas.as_slice(), area.inherits)),
        }
    }

    fn own(&self, slot: Slot) -> List {
        let mut list = List::default();
        for entry in self.stored(slot).into_iter().flat_map(|(list, _)| list) {
            if let Some(target) = self.names.get(&entry.target()) {
                list.put(*target, entry.visibility().bits());
            }
        }
        list
    }

    /// With what is inherited, over one level as in the engine.
    fn whole(&self, slot: Slot) -> List {
        let mut list = self.own(slot);
        let anchor = self.stored(slot).and_then(|(_, inherits)| self.by_id.get(&inherits));
        if let Some(anchor) = anchor.filter(|anchor| **anchor != slot) {
            for (target, bits) in self.own(*anchor).entries {
                if !list.at.contains_key(&target) {
                    list.put(target, bits);
                }
            }
        }
        list.entries.retain(|(_, bits)| *bits != 0);
        list
    }

    /// A list of areas before the command as one of those that are there now.
    fn now(&self, list: List) -> List {
        let mut after = List::default();
        for (target, bits) in list.entries {
            match self.stays.get(&target) {
                None => after.put(target, bits),
                Some(heirs) => heirs.iter().for_each(|heir| match heirs.len() {
                    1 if self.grown.contains(heir) => after.put(*heir, bits),
                    _ => after.put(*heir, part(bits)),
                }),
            }
        }
        after
    }

    /// The areas that stand in for others, and for which, in order.
    fn parents(&self) -> HashMap<Slot, Vec<Slot>> {
        let first_new = self.world.sight().first_new;
        let mut parents: HashMap<Slot, Vec<Slot>> = HashMap::new();
        for (dead, heirs) in self.stays.iter().filter(|(dead, _)| **dead < first_new) {
            heirs.iter().for_each(|heir| parents.entry(*heir).or_default().push(*dead));
        }
        parents.values_mut().for_each(|dead| dead.sort_unstable());
        parents
    }

    /// The lists of areas that stand in for none, as far as they change.
    fn of_others(&self, parents: &HashMap<Slot, Vec<Slot>>) -> Vec<Given> {
        let mut given = Vec::new();
        for (slot, area) in self.world.areas().filter(|(slot, _)| !parents.contains_key(slot)) {
            let anchor = self.by_id.get(&area.inherits).filter(|_| area.inherits.get() != 0);
            let changed = |slot: &Slot| self.stays.contains_key(slot) || self.grown.contains(slot);
            let mut targets = area.visible_areas.iter().filter_map(|entry| self.names.get(&entry.target()));
            let touched = targets.any(changed);
            let expand =
                anchor.is_some_and(changed) || (touched && anchor.is_some() && !self.grown.is_empty());
            if expand {
                given.push((slot, self.now(self.whole(slot)), AreaId::default()));
            } else if touched || self.by_position {
                given.push((slot, self.now(self.own(slot)), area.inherits));
            }
        }
        given
    }

    /// The list of an area that stands in for others: all that they saw, and wholly itself. Of what one that has grown saw,
    /// what all saw alike stays as it was.
    fn of_heir(&self, heir: Slot, dead: &[Slot]) -> Given {
        let grew = self.grown.contains(&heir);
        let sources = grew.then_some(heir).into_iter().chain(dead.iter().copied());
        let lists: Vec<List> = sources.map(|slot| self.now(self.whole(slot))).collect();
        let mut list = List::default();
        for (target, bits) in lists.iter().flat_map(|each| &each.entries) {
            let by_all = || lists.iter().all(|other| other.bits(*target) == Some(*bits));
            list.put(*target, if grew && by_all() { *bits } else { part(*bits) });
        }
        if !list.entries.is_empty() {
            let wholly = (Visibility::POTENTIALLY | Visibility::COMPLETELY).bits();
            match list.at.get(&heir).and_then(|at| list.entries.get_mut(*at)) {
                Some((_, bits)) => *bits = wholly,
                None => list.put(heir, wholly),
            }
        }
        (heir, list, AreaId::default())
    }

    /// Every list that changes, as the file has it, in order.
    fn changes(&self) -> Vec<(Slot, Vec<VisibleArea>, AreaId)> {
        let parents = self.parents();
        let mut given = self.of_others(&parents);
        given.extend(parents.iter().map(|(heir, dead)| self.of_heir(*heir, dead)));
        given.sort_unstable_by_key(|(slot, ..)| *slot);
        let areas = (0..).zip(self.world.areas());
        let number: HashMap<Slot, u32> = areas
            .map(|(position, (slot, area))| (slot, if self.by_position { position } else { area.id.get() }))
            .collect();
        let stored = |(slot, list, inherits): Given| {
            let entries = list
                .entries
                .into_iter()
                .filter_map(|(target, bits)| Some(VisibleArea::new(*number.get(&target)?, Visibility(bits))));
            (slot, entries.collect(), inherits)
        };
        given.into_iter().map(stored).collect()
    }
}
