//! Brings two lines of change together.

#![forbid(unsafe_code)]

use super::between::{Deed, Difference, Step};
use crate::error::Result;
use crate::format::source::buf::SourceBuf;
use crate::format::source::record::AreaId;
use std::collections::{BTreeMap, BTreeSet};

/// What has to be done to `ours` so that it has the changes of `theirs` too.
#[derive(Debug, Clone, PartialEq)]
pub struct Merge {
    /// The commands for the mesh of ours, in its ids.
    pub changes: Difference,
    /// What both changed, each in another way. Ours stays.
    pub conflicts: Vec<Conflict>,
}

/// An area that both changed, each in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The area, by its id in the mesh that both began from.
    pub area: AreaId,
    /// Its position there, for its place on the map.
    pub position: Option<u32>,
    /// What ours did and what theirs did.
    pub what: String,
}

impl Merge {
    /// Merges the changes from `base` to `theirs` into `ours`. `to_ours` and `to_theirs` are positions of areas that are the
    /// same one, in `base` and in the other mesh. Linear, but for sorting.
    ///
    /// # Errors
    /// If areas of `base` or of `ours` share an id.
    pub fn of(
        base: &SourceBuf,
        [ours, theirs]: [&SourceBuf; 2],
        [to_ours, to_theirs]: [&[(u32, u32)]; 2],
    ) -> Result<Self> {
        let mine = Mine::of(Difference::of(base, ours, to_ours)?);
        let wanted = Difference::of(base, theirs, to_theirs)?;
        let mut names: BTreeMap<u32, AreaId> = BTreeMap::new();
        for &(a, b) in to_ours {
            if let (Some(was), Some(is)) = (base.areas.get(a as usize), ours.areas.get(b as usize)) {
                names.insert(was.id.get(), is.id);
            }
        }
        let positions: BTreeMap<u32, u32> = base.areas.iter().map(|area| area.id.get()).zip(0..).collect();
        let taken: BTreeSet<u32> = ours.areas.iter().map(|area| area.id.get()).collect();
        let highest = taken.iter().chain(positions.keys()).max().copied().unwrap_or(0);
        let mut weave = Weave { mine, names, positions, taken, next: highest, conflicts: Vec::new() };
        let steps: Vec<Step> = wanted.steps.iter().filter_map(|step| weave.step(step)).collect();
        let changes = Difference { steps, unreached: wanted.unreached };
        let changes = changes.renamed(|id| weave.names.get(&id.get()).copied().unwrap_or(id));
        Ok(Self { changes, conflicts: weave.conflicts })
    }
}

/// What ours did, to be looked up.
struct Mine {
    deleted: BTreeSet<u32>,
    /// The areas that were made, by their values.
    added: BTreeMap<BTreeMap<&'static str, String>, u32>,
    set: BTreeMap<u32, BTreeMap<&'static str, String>>,
    spots: BTreeMap<u32, String>,
    links: BTreeSet<(u32, &'static str, u32)>,
    unlinks: BTreeSet<(u32, &'static str, u32)>,
    /// Areas that a new link leaves or reaches.
    linked: BTreeSet<u32>,
}

impl Mine {
    fn of(difference: Difference) -> Self {
        let mut mine = Self {
            deleted: BTreeSet::new(),
            added: BTreeMap::new(),
            set: BTreeMap::new(),
            spots: BTreeMap::new(),
            links: BTreeSet::new(),
            unlinks: BTreeSet::new(),
            linked: BTreeSet::new(),
        };
        for Step { area, deed } in difference.steps {
            let area = area.get();
            match deed {
                Deed::Delete => _ = mine.deleted.insert(area),
                Deed::Add(values) => _ = mine.added.insert(values, area),
                Deed::Set(values) => _ = mine.set.insert(area, values),
                Deed::Spots(text) => _ = mine.spots.insert(area, text),
                Deed::Unlink(side, to) => _ = mine.unlinks.insert((area, side.name(), to.get())),
                Deed::Link(side, to) => {
                    mine.links.insert((area, side.name(), to.get()));
                    mine.linked.extend([area, to.get()]);
                }
            }
        }
        mine
    }

    fn touched(&self, area: u32) -> bool {
        self.set.contains_key(&area) || self.spots.contains_key(&area) || self.linked.contains(&area)
    }
}

struct Weave {
    mine: Mine,
    /// What ours calls the areas of the base, and the areas that theirs made.
    names: BTreeMap<u32, AreaId>,
    positions: BTreeMap<u32, u32>,
    taken: BTreeSet<u32>,
    next: u32,
    conflicts: Vec<Conflict>,
}

impl Weave {
    fn conflict(&mut self, area: AreaId, what: String) {
        let position = self.positions.get(&area.get()).copied();
        self.conflicts.push(Conflict { area, position, what });
    }

    /// The step if it still has to be done and can be.
    fn step(&mut self, step: &Step) -> Option<Step> {
        let id = step.area.get();
        let gone = self.mine.deleted.contains(&id);
        match &step.deed {
            Deed::Delete if gone => None,
            Deed::Delete if self.mine.touched(id) => {
                self.conflict(step.area, "ours changed it, theirs deleted it".into());
                None
            }
            Deed::Delete => Some(step.clone()),
            Deed::Add(values) => self.add(step, values),
            _ if gone => {
                let new_link = matches!(step.deed, Deed::Link(..) | Deed::Unlink(..));
                if !new_link {
                    self.conflict(step.area, "ours deleted it, theirs changed it".into());
                }
                None
            }
            Deed::Set(values) => self.set(step, values),
            Deed::Spots(text) => match self.mine.spots.get(&id) {
                Some(same) if same == text => None,
                Some(_) => {
                    self.conflict(step.area, "both changed its hiding spots".into());
                    None
                }
                None => Some(step.clone()),
            },
            Deed::Link(side, to) => {
                if self.mine.deleted.contains(&to.get()) {
                    self.conflict(*to, format!("ours deleted it, theirs linked #{} to it", step.area));
                    return None;
                }
                let done = self.mine.links.contains(&(id, side.name(), to.get()));
                (!done).then(|| step.clone())
            }
            Deed::Unlink(side, to) => {
                let done = self.mine.unlinks.contains(&(id, side.name(), to.get()))
                    || self.mine.deleted.contains(&to.get());
                (!done).then(|| step.clone())
            }
        }
    }

    fn add(&mut self, step: &Step, values: &BTreeMap<&'static str, String>) -> Option<Step> {
        let id = step.area.get();
        if let Some(same) = self.mine.added.get(values) {
            // Both made it.
            self.names.insert(id, AreaId::new(*same));
            return None;
        }
        let name = if self.taken.contains(&id) {
            self.next = self.next.saturating_add(1);
            AreaId::new(self.next)
        } else {
            step.area
        };
        self.taken.insert(name.get());
        self.next = self.next.max(name.get());
        self.names.insert(id, name);
        Some(step.clone())
    }

    fn set(&mut self, step: &Step, values: &BTreeMap<&'static str, String>) -> Option<Step> {
        let Some(ours) = self.mine.set.get(&step.area.get()).cloned() else { return Some(step.clone()) };
        let mut left = BTreeMap::new();
        for (key, value) in values {
            match ours.get(key) {
                Some(same) if same == value => {}
                Some(other) => {
                    self.conflict(step.area, format!("{key}: {other} in ours, {value} in theirs"));
                }
                None => _ = left.insert(*key, value.clone()),
            }
        }
        (!left.is_empty()).then_some(Step { area: step.area, deed: Deed::Set(left) })
    }
}
