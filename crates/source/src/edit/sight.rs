//! Keeps visibility over the death of areas, if that was asked for. `docs/formats/source-edit.md`, section 3.2.

use super::world::{Slot, World};
use crate::flags::{Extension, Visibility};
use crate::record::{AreaId, VisibleArea};
use std::collections::{HashMap, HashSet};

/// Which areas a command has removed, and which stand in for them.
#[derive(Debug, Default)]
pub(super) struct Sight {
    /// Whether visibility is kept.
    pub(super) kept: bool,
    /// How many slots there were when the command began.
    first_new: Slot,
    dead: HashMap<Slot, Dead>,
    /// The halves of an area that was cut, or the one that it was merged into.
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
            // Of two parts of one area, both must be seen wholly.
            Some((_, now)) if *now != bits => *now = u8::from((*now | bits) != 0),
            Some(_) => {}
            None => {
                self.at.insert(target, self.entries.len());
                self.entries.push((target, bits));
            }
        }
    }
}

/// What is seen of a part, of that much of the whole.
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

    /// Notes an area that is about to be removed.
    pub(super) fn note_death(&mut self, slot: Slot) {
        if !self.sight().kept {
            return;
        }
        if let Some(area) = self.area(slot) {
            let dead = Dead { id: area.id, list: area.visible_areas.clone(), inherits: area.inherits };
            self.sight_mut().dead.insert(slot, dead);
        }
    }

    /// Notes what stands in for an area: its halves, or the one that it was merged into.
    pub(super) fn note_heirs(&mut self, slot: Slot, heirs: &[Slot]) {
        if self.sight().kept {
            self.sight_mut().heirs.insert(slot, heirs.to_vec());
        }
    }

    /// The areas that stand in for one now: itself if it lives.
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

    /// Gives the living what was seen of the dead, at the end of a command. An entry of a dead area goes; in its place
    /// come its halves, potentially seen, or the area that it was merged into. Linear in all lists.
    pub(super) fn mend_sight(&mut self) {
        if self.sight().dead.is_empty() {
            return;
        }
        let by_position = self.head.extension() == Extension::LeftForDead;
        let mut names: HashMap<u32, Slot> = HashMap::new();
        let first_new = self.sight().first_new;
        let mut before: Vec<(Slot, AreaId)> =
            self.areas().filter(|(slot, _)| *slot < first_new).map(|(slot, area)| (slot, area.id)).collect();
        before.extend(
            self.sight()
                .dead
                .iter()
                .filter(|(slot, _)| **slot < first_new)
                .map(|(slot, dead)| (*slot, dead.id)),
        );
        before.sort_unstable_by_key(|(slot, _)| *slot);
        for (position, (slot, id)) in (0..).zip(&before) {
            names.entry(if by_position { position } else { id.get() }).or_insert(*slot);
        }
        let by_id: HashMap<AreaId, Slot> = before.iter().rev().map(|(slot, id)| (*id, *slot)).collect();
        let number: HashMap<Slot, u32> = (0..)
            .zip(self.areas())
            .map(|(position, (slot, area))| (slot, if by_position { position } else { area.id.get() }))
            .collect();
        // Those that were merged into: who builds upon their lists must not change with them.
        let grown: HashSet<Slot> = self
            .sight()
            .heirs
            .iter()
            .filter(|(slot, _)| **slot < first_new)
            .flat_map(|(slot, _)| self.living(*slot))
            .filter(|heir| *heir < first_new)
            .collect();
        let mut stays: HashMap<Slot, Vec<Slot>> = HashMap::new();
        for slot in self.sight().dead.keys() {
            stays.insert(*slot, self.living(*slot));
        }
        let old = |slot: Slot| -> Option<(&[VisibleArea], AreaId)> {
            match self.sight().dead.get(&slot) {
                Some(dead) => Some((&dead.list, dead.inherits)),
                None => self.area(slot).map(|area| (area.visible_areas.as_slice(), area.inherits)),
            }
        };
        let own = |slot: Slot| -> List {
            let mut list = List::default();
            for entry in old(slot).into_iter().flat_map(|(list, _)| list) {
                if let Some(target) = names.get(&entry.target()) {
                    list.put(*target, entry.visibility().bits());
                }
            }
            list
        };
        // With what is inherited, over one level as in the engine.
        let whole = |slot: Slot| -> List {
            let mut list = own(slot);
            let anchor = old(slot).and_then(|(_, inherits)| by_id.get(&inherits));
            if let Some(anchor) = anchor.filter(|anchor| **anchor != slot) {
                for (target, bits) in own(*anchor).entries {
                    if !list.at.contains_key(&target) {
                        list.put(target, bits);
                    }
                }
            }
            list.entries.retain(|(_, bits)| *bits != 0);
            list
        };
        let now = |list: List| -> List {
            let mut after = List::default();
            for (target, bits) in list.entries {
                match stays.get(&target) {
                    None => after.put(target, bits),
                    Some(heirs) => heirs.iter().for_each(|heir| match heirs.len() {
                        1 if grown.contains(heir) => after.put(*heir, bits),
                        _ => after.put(*heir, part(bits)),
                    }),
                }
            }
            after
        };
        let mut set: Vec<(Slot, List, AreaId)> = Vec::new();
        let mut parents: HashMap<Slot, Vec<Slot>> = HashMap::new();
        for (dead, heirs) in stays.iter().filter(|(dead, _)| **dead < first_new) {
            heirs.iter().for_each(|heir| parents.entry(*heir).or_default().push(*dead));
        }
        for (slot, area) in self.areas() {
            if parents.contains_key(&slot) {
                continue;
            }
            let anchor = by_id.get(&area.inherits).copied().filter(|_| area.inherits.get() != 0);
            let unsettled =
                anchor.is_some_and(|anchor| stays.contains_key(&anchor) || grown.contains(&anchor));
            let touched = area.visible_areas.iter().filter_map(|entry| names.get(&entry.target()));
            let touched = touched.clone().any(|to| stays.contains_key(to))
                || (!grown.is_empty() && touched.clone().any(|to| grown.contains(to)));
            let expand = unsettled || (touched && anchor.is_some() && !grown.is_empty());
            if expand {
                set.push((slot, now(whole(slot)), AreaId::default()));
            } else if touched || by_position {
                set.push((slot, now(own(slot)), area.inherits));
            }
        }
        for (heir, mut dead) in parents {
            dead.sort_unstable();
            let mut list = List::default();
            let grew = grown.contains(&heir);
            let sources: Vec<Slot> = grew.then_some(heir).into_iter().chain(dead).collect();
            let lists: Vec<List> = sources.iter().map(|slot| now(whole(*slot))).collect();
            for each in &lists {
                for (target, bits) in &each.entries {
                    let by_all = lists.iter().all(|other| {
                        other
                            .at
                            .get(target)
                            .and_then(|at| other.entries.get(*at))
                            .is_some_and(|(_, b)| b == bits)
                    });
                    list.put(*target, if grew && by_all { *bits } else { part(*bits) });
                }
            }
            if !list.entries.is_empty() {
                let wholly = (Visibility::POTENTIALLY | Visibility::COMPLETELY).bits();
                match list.at.get(&heir).and_then(|at| list.entries.get_mut(*at)) {
                    Some((_, bits)) => *bits = wholly,
                    None => list.put(heir, wholly),
                }
            }
            set.push((heir, list, AreaId::default()));
        }
        let set: Vec<(Slot, Vec<VisibleArea>, AreaId)> = set
            .into_iter()
            .map(|(slot, list, inherits)| {
                let entries = list.entries.into_iter();
                let stored = entries.filter_map(|(target, bits)| {
                    Some(VisibleArea::new(*number.get(&target)?, Visibility(bits)))
                });
                (slot, stored.collect(), inherits)
            })
            .collect();
        let mut set = set;
        set.sort_unstable_by_key(|(slot, ..)| *slot);
        for (slot, list, inherits) in set {
            self.set_visibility(slot, list, inherits);
        }
        self.watch_sight();
    }
}
