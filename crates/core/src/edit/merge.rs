//! Brings two lines of change together.

use super::changes::{Changes, Deed, Name, Step, Values, Way};
use std::collections::{BTreeMap, BTreeSet};

/// What has to be done to `ours` so that it has the changes of `theirs` too.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The commands for the mesh of ours, in its ids.
    pub changes: Changes,
    /// What both changed, each in another way. Ours stays.
    pub conflicts: Vec<Conflict>,
}

/// An item that both changed, each in another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The item, by its name in the mesh that both began from.
    pub item: Name,
    /// What ours did and what theirs did.
    pub what: String,
}

impl Merge {
    /// Merges `theirs` into ours: both are changes of one mesh. `names` gives what ours calls an item of that mesh, where
    /// it has another name; `taken` are the names that ours and that mesh have. Linear, but for sorting.
    pub fn of(
        ours: Changes,
        theirs: &Changes,
        names: BTreeMap<Name, Name>,
        taken: impl IntoIterator<Item = Name>,
    ) -> Self {
        let taken: BTreeSet<Name> = taken.into_iter().collect();
        let mut last: BTreeMap<&'static str, u32> = BTreeMap::new();
        taken.iter().for_each(|name| _ = last.insert(name.space, name.id));
        let mut weave = Weave { mine: Mine::of(ours), names, taken, last, conflicts: Vec::new() };
        let steps: Vec<Step> = theirs.steps.iter().filter_map(|step| weave.step(step)).collect();
        let changes = theirs.with_steps(steps);
        let changes = changes.renamed(|name| weave.names.get(&name).copied().unwrap_or(name));
        Self { changes, conflicts: weave.conflicts }
    }
}

/// Longer values are not spelled out in a conflict.
const LONG: usize = 60;

/// A link: from, way, to.
type Link = (Name, Way, Name);

/// What ours did, to be looked up.
#[derive(Default)]
struct Mine {
    deleted: BTreeSet<Name>,
    /// The items that were made, by their values.
    added: BTreeMap<(&'static str, Values), Name>,
    set: BTreeMap<Name, Values>,
    links: BTreeMap<Link, Values>,
    unlinks: BTreeSet<Link>,
    relinks: BTreeMap<Link, Values>,
    /// Items that a new or changed link leaves or reaches.
    linked: BTreeSet<Name>,
}

impl Mine {
    fn of(changes: Changes) -> Self {
        let mut mine = Self::default();
        for Step { item, deed } in changes.steps {
            match deed {
                Deed::Delete => _ = mine.deleted.insert(item),
                Deed::Add(values) => _ = mine.added.insert((item.space, values), item),
                Deed::Set(values) => _ = mine.set.insert(item, values),
                Deed::Unlink(way, to) => _ = mine.unlinks.insert((item, way, to)),
                Deed::Link(way, to, values) => {
                    mine.links.insert((item, way, to), values);
                    mine.linked.extend([item, to]);
                }
                Deed::Relink(way, to, values) => {
                    mine.relinks.insert((item, way, to), values);
                    mine.linked.extend([item, to]);
                }
                Deed::Command(_) => {}
            }
        }
        mine
    }

    fn touched(&self, item: Name) -> bool {
        self.set.contains_key(&item) || self.linked.contains(&item)
    }
}

struct Weave {
    mine: Mine,
    /// What ours calls the items of the base, and the items that theirs made.
    names: BTreeMap<Name, Name>,
    taken: BTreeSet<Name>,
    /// The highest id of each space.
    last: BTreeMap<&'static str, u32>,
    conflicts: Vec<Conflict>,
}

impl Weave {
    fn conflict(&mut self, item: Name, what: impl Into<String>) {
        self.conflicts.push(Conflict { item, what: what.into() });
    }

    /// The step if it still has to be done and can be.
    fn step(&mut self, step: &Step) -> Option<Step> {
        let item = step.item;
        let gone = self.mine.deleted.contains(&item);
        match &step.deed {
            Deed::Delete if gone => None,
            Deed::Delete if self.mine.touched(item) => {
                self.conflict(item, "ours changed it, theirs deleted it");
                None
            }
            Deed::Delete | Deed::Command(_) => Some(step.clone()),
            Deed::Add(values) => self.add(step, values),
            Deed::Unlink(..) if gone => None,
            Deed::Link(_, to, _) if gone => {
                self.conflict(item, format!("ours deleted it, theirs linked it to {to}"));
                None
            }
            Deed::Relink(_, to, _) if gone => {
                self.conflict(item, format!("ours deleted it, theirs changed its link to {to}"));
                None
            }
            Deed::Set(_) if gone => {
                self.conflict(item, "ours deleted it, theirs changed it");
                None
            }
            Deed::Set(values) => {
                let ours = self.mine.set.get(&item).cloned().unwrap_or_default();
                let left = self.left(item, "", &ours, values);
                (!left.is_empty()).then_some(Step { item, deed: Deed::Set(left) })
            }
            Deed::Link(way, to, values) => self.link(step, (item, *way, *to), values),
            Deed::Unlink(way, to) => {
                let link = (item, *way, *to);
                if self.mine.relinks.contains_key(&link) {
                    self.conflict(item, format!("ours changed its link to {to}, theirs removed it"));
                    return None;
                }
                let done = self.mine.unlinks.contains(&link) || self.mine.deleted.contains(to);
                (!done).then(|| step.clone())
            }
            Deed::Relink(way, to, values) => {
                let link = (item, *way, *to);
                if self.mine.unlinks.contains(&link) || self.mine.deleted.contains(to) {
                    self.conflict(item, format!("ours removed its link to {to}, theirs changed it"));
                    return None;
                }
                let ours = self.mine.relinks.get(&link).cloned().unwrap_or_default();
                let left = self.left(item, &format!("link to {to}: "), &ours, values);
                (!left.is_empty()).then_some(Step { item, deed: Deed::Relink(*way, *to, left) })
            }
        }
    }

    fn link(&mut self, step: &Step, link: Link, values: &Values) -> Option<Step> {
        let (item, way, to) = link;
        if self.mine.deleted.contains(&to) {
            self.conflict(to, format!("ours deleted it, theirs linked {item} to it"));
            return None;
        }
        let Some(ours) = self.mine.links.get(&link).cloned() else { return Some(step.clone()) };
        let left = self.left(item, &format!("link to {to}: "), &ours, values);
        (!left.is_empty()).then_some(Step { item, deed: Deed::Relink(way, to, left) })
    }

    fn add(&mut self, step: &Step, values: &Values) -> Option<Step> {
        let item = step.item;
        if let Some(same) = self.mine.added.get(&(item.space, values.clone())) {
            // Both made it.
            self.names.insert(item, *same);
            return None;
        }
        let mut name = item;
        let last = self.last.entry(item.space).or_default();
        if self.taken.contains(&item) {
            name.id = last.saturating_add(1);
        }
        *last = name.id.max(*last);
        self.taken.insert(name);
        self.names.insert(item, name);
        Some(step.clone())
    }

    /// The values that ours did not set. Where both set one, each to something else, that is a conflict.
    fn left(&mut self, item: Name, of: &str, ours: &Values, theirs: &Values) -> Values {
        let mut left = Values::new();
        for (key, value) in theirs {
            match ours.get(key) {
                Some(same) if same == value => {}
                Some(other) => {
                    let [ours, theirs] = [other, value].map(|value| value.to_string());
                    let what = match ours.len().max(theirs.len()) > LONG {
                        true => format!("{of}both changed its {key}"),
                        false => format!("{of}{key}: {ours} in ours, {theirs} in theirs"),
                    };
                    self.conflict(item, what);
                }
                None => _ = left.insert(*key, value.clone()),
            }
        }
        left
    }
}
