//! Three-way merges of changes.

mod replaced;

use super::changes::{Changes, Deed, Name, Step, Value, Values, Way};
pub use replaced::Replaced;
use std::collections::{BTreeMap, BTreeSet};

/// The commands that bring the changes of `theirs` into `ours`.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The commands for our mesh, in its ids.
    pub changes: Changes,
    /// Items that both sides changed differently. Our change stays.
    pub conflicts: Vec<Conflict>,
}

/// An item that both sides changed differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The item, by its name in the common ancestor.
    pub item: Name,
    /// Both changes, in words.
    pub what: String,
}

/// What one side did.
#[derive(Debug, Clone)]
pub struct Side {
    /// Its commands.
    pub changes: Changes,
    /// Which of the items that it deleted gave way to which of those that it made: an area that was cut, or joined with
    /// another.
    pub replaced: Vec<Replaced>,
    /// Whether links between two items are told apart by numbers, which those lose that come after one that is removed.
    pub numbered: bool,
}

impl From<Changes> for Side {
    fn from(changes: Changes) -> Self {
        Self { changes, replaced: Vec::new(), numbered: false }
    }
}

impl Merge {
    /// Merges `theirs` into ours: both are changes of one mesh. `names` gives what ours calls an item of that mesh, where
    /// it has another name; `taken` are the names that ours and that mesh have. Of the values that `together` names, all
    /// or none are taken over: half of a shape is none. Linear, but for sorting.
    pub fn new(
        ours: Side,
        theirs: Side,
        names: BTreeMap<Name, Name>,
        taken: impl IntoIterator<Item = Name>,
        together: &'static [&'static str],
    ) -> Self {
        let taken: BTreeSet<Name> = taken.into_iter().collect();
        let mut last: BTreeMap<&'static str, u64> = BTreeMap::new();
        taken.iter().for_each(|name| _ = last.insert(name.space, name.id));
        let mut weave = Weave {
            mine: Mine::new(ours),
            names,
            made: BTreeMap::new(),
            dropped: BTreeSet::new(),
            kept: BTreeSet::new(),
            taken,
            last,
            together,
            conflicts: Vec::new(),
        };
        weave.replacements(&theirs);
        let mut changes = theirs.changes;
        // Each goes once it was looked at: there may be very many.
        changes.steps = changes.steps.into_iter().filter_map(|step| weave.step(&step)).collect();
        Self { changes, conflicts: weave.conflicts }
    }
}

/// Longer values are not spelled out in a conflict.
const LONG: usize = 60;

/// A link: from, way, to.
type Link = (Name, Way, Name);

/// Our changes, indexed.
#[derive(Default)]
struct Mine {
    deleted: BTreeSet<Name>,
    /// Of those that were deleted, what took their places.
    replaced: BTreeMap<Name, Replaced>,
    /// The items that were made, by their values.
    added: BTreeMap<(&'static str, Values), Name>,
    made: BTreeMap<Name, Values>,
    set: BTreeMap<Name, Values>,
    links: BTreeMap<Link, Values>,
    unlinks: BTreeSet<Link>,
    /// The numbers of the links that were removed, if links have any, ascending.
    missing: BTreeMap<(Name, Name), BTreeSet<Way>>,
    relinks: BTreeMap<Link, Values>,
    /// Items at either end of a new or changed link.
    linked: BTreeSet<Name>,
    /// Items that a removed link left or reached.
    unlinked: BTreeSet<Name>,
    /// Items that a value names, by those that have it.
    named: BTreeMap<Name, Name>,
}

impl Mine {
    fn new(side: Side) -> Self {
        let mut mine = Self::default();
        for one in side.replaced {
            mine.replaced.extend(one.gone.iter().map(|item| (*item, one.clone())));
        }
        for Step { item, deed } in side.changes.steps {
            if let Deed::Add(values) | Deed::Set(values) = &deed {
                let named = values.values().flat_map(Value::items);
                named.for_each(|other| _ = mine.named.entry(*other).or_insert(item));
            }
            match deed {
                Deed::Delete => _ = mine.deleted.insert(item),
                Deed::Add(values) => {
                    mine.made.insert(item, values.clone());
                    mine.added.insert((item.space, values), item);
                }
                Deed::Set(values) => _ = mine.set.insert(item, values),
                Deed::Unlink(way, to) => {
                    mine.unlinks.insert((item, way, to));
                    if side.numbered {
                        mine.missing.entry((item, to)).or_default().insert(way);
                    }
                    mine.unlinked.extend([item, to]);
                }
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

/// Says that both sides gave a value.
fn both(of: &str, key: &str, [ours, theirs]: &[String; 2]) -> String {
    match ours.len().max(theirs.len()) > LONG {
        true => format!("{of}both changed its {key}"),
        false => format!("{of}{key}: {ours} in ours, {theirs} in theirs"),
    }
}

struct Weave {
    mine: Mine,
    /// What ours calls the items of the base.
    names: BTreeMap<Name, Name>,
    /// What ours calls the items that theirs made.
    made: BTreeMap<Name, Name>,
    /// What theirs made in place of something that is in conflict.
    dropped: BTreeSet<Name>,
    /// What theirs deleted, and stays because that is in conflict.
    kept: BTreeSet<Name>,
    taken: BTreeSet<Name>,
    /// The highest id of each space.
    last: BTreeMap<&'static str, u64>,
    together: &'static [&'static str],
    conflicts: Vec<Conflict>,
}

impl Weave {
    fn conflict(&mut self, item: Name, what: impl Into<String>) {
        self.conflicts.push(Conflict { item, what: what.into() });
    }

    /// The step in the names of ours, if it still has to be done and can be.
    fn step(&mut self, step: &Step) -> Option<Step> {
        let mut done = self.left_of(step)?;
        if let Deed::Unlink(way, to) | Deed::Relink(way, to, _) = &mut done.deed {
            *way = self.number(step.item, *way, *to);
        }
        if done.deed == Deed::Delete {
            return Some(done.renamed(&|name| self.names.get(&name).copied().unwrap_or(name)));
        }
        // An item that theirs made may have the id of one that it deleted.
        let name =
            |name: Name| self.made.get(&name).or_else(|| self.names.get(&name)).copied().unwrap_or(name);
        Some(done.renamed(&name))
    }

    /// Whether ours deleted it; not if it is one that theirs made under the same name.
    fn is_gone(&self, item: Name) -> bool {
        self.mine.deleted.contains(&item) && !self.made.contains_key(&item)
    }

    /// The name that an item has among the changes of ours. What theirs made may have the name of something else that ours made.
    fn mine_name(&self, name: Name) -> Name {
        self.made.get(&name).copied().unwrap_or(name)
    }

    /// The name of a link among the changes of ours.
    fn mine_link(&self, (item, way, to): Link) -> Link {
        (self.mine_name(item), way, self.mine_name(to))
    }

    /// The number that ours has for a link of the base.
    fn number(&self, item: Name, way: Way, to: Name) -> Way {
        let missing = self.mine.missing.get(&(self.mine_name(item), self.mine_name(to)));
        let before = missing.map_or(0, |missing| missing.range(..way).count());
        way.saturating_sub(Way::try_from(before).unwrap_or(Way::MAX))
    }

    fn left_of(&mut self, step: &Step) -> Option<Step> {
        let item = step.item;
        if step.deed == Deed::Delete {
            return self.delete(step);
        }
        if self.dropped.contains(&item) {
            return None;
        }
        let gone = self.is_gone(item);
        match &step.deed {
            Deed::Delete => None,
            Deed::Command(_) => Some(step.clone()),
            Deed::Add(values) => self.add(item, values),
            Deed::Unlink(way, to) => self.unlink(step, *way, *to),
            Deed::Link(_, to, _) | Deed::Relink(_, to, _) if self.dropped.contains(to) => None,
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
                let ours = self.mine.set.get(&self.mine_name(item)).cloned().unwrap_or_default();
                let mut left = self.left(item, "", &ours, values);
                left.retain(|key, value| self.has_all(item, key, value));
                (!left.is_empty()).then_some(Step { item, deed: Deed::Set(left) })
            }
            Deed::Link(way, to, values) => self.link(step, (item, *way, *to), values),
            Deed::Relink(way, to, values) => {
                let link = self.mine_link((item, *way, *to));
                if self.mine.unlinks.contains(&link) || self.is_gone(*to) {
                    self.conflict(item, format!("ours removed its link to {to}, theirs changed it"));
                    return None;
                }
                let ours = self.mine.relinks.get(&link).cloned().unwrap_or_default();
                let left = self.left(item, &format!("link to {to}: "), &ours, values);
                (!left.is_empty()).then_some(Step { item, deed: Deed::Relink(*way, *to, left) })
            }
        }
    }

    /// Whether what a value of theirs names is there. What ours deleted is a conflict.
    fn has_all(&mut self, item: Name, key: &str, value: &Value) -> bool {
        if let Some(gone) = value.items().iter().copied().find(|other| self.is_gone(*other)) {
            self.conflict(item, format!("{key}: ours deleted {gone}, which theirs names"));
            return false;
        }
        !value.items().iter().any(|other| self.dropped.contains(other))
    }

    fn delete(&mut self, step: &Step) -> Option<Step> {
        let item = step.item;
        if self.kept.contains(&item) {
            return None;
        }
        if self.mine.replaced.contains_key(&item) {
            // Where theirs cut or joined it too, that was compared before.
            self.conflict(item, "ours cut it or joined it with another, theirs deleted it");
            return None;
        }
        if self.mine.deleted.contains(&item) {
            return None;
        }
        if self.mine.touched(item) {
            self.conflict(item, "ours changed it, theirs deleted it");
            return None;
        }
        if let Some(by) = self.mine.named.get(&item).copied() {
            self.conflict(by, format!("ours names {item}, which theirs deleted"));
            return None;
        }
        Some(step.clone())
    }

    fn unlink(&mut self, step: &Step, way: Way, to: Name) -> Option<Step> {
        let item = step.item;
        // What ours made in the place of an end still has the link.
        if let Some(end) = [item, to].into_iter().find(|end| self.mine.replaced.contains_key(end)) {
            let other = if end == item { to } else { item };
            self.conflict(
                end,
                format!(
                    "ours cut it or joined it with another, theirs removed a link between it and {other}"
                ),
            );
            return None;
        }
        if self.is_gone(item) {
            return None;
        }
        let link = self.mine_link((item, way, to));
        if self.mine.relinks.contains_key(&link) {
            self.conflict(item, format!("ours changed its link to {to}, theirs removed it"));
            return None;
        }
        let done = self.mine.unlinks.contains(&link) || self.mine.deleted.contains(&to);
        (!done).then(|| step.clone())
    }

    fn link(&mut self, step: &Step, link: Link, values: &Values) -> Option<Step> {
        let (item, _, to) = link;
        if self.is_gone(to) {
            self.conflict(to, format!("ours deleted it, theirs linked {item} to it"));
            return None;
        }
        let Some(ours) = self.mine.links.get(&self.mine_link(link)).cloned() else {
            return Some(step.clone());
        };
        // Both made it. What one of them does not give is as usual, and as much meant as what the other gives.
        let given =
            |values: &Values, key: &str| values.get(key).map_or("not given".to_owned(), Value::to_string);
        let keys: BTreeSet<&'static str> = ours.keys().chain(values.keys()).copied().collect();
        for key in keys.into_iter().filter(|key| ours.get(key) != values.get(key)) {
            let sides = [&ours, values].map(|values| given(values, key));
            self.conflict(item, both(&format!("link to {to}: "), key, &sides));
        }
        None
    }

    fn add(&mut self, item: Name, values: &Values) -> Option<Step> {
        if let Some(same) = self.mine.added.get(&(item.space, values.clone())) {
            // Both made it.
            self.made.insert(item, *same);
            return None;
        }
        let mut all = values.clone();
        all.retain(|key, value| self.has_all(item, key, value));
        let mut name = item;
        let last = self.last.entry(item.space).or_default();
        if self.taken.contains(&item) {
            name.id = last.saturating_add(1);
        }
        *last = name.id.max(*last);
        self.taken.insert(name);
        self.made.insert(item, name);
        Some(Step { item, deed: Deed::Add(all) })
    }

    /// The values that ours did not set. A value that both set differently is a conflict.
    fn left(&mut self, item: Name, of: &str, ours: &Values, theirs: &Values) -> Values {
        let mut left = Values::new();
        let mut torn = false;
        for (key, value) in theirs {
            match ours.get(key) {
                Some(same) if same == value => {}
                Some(other) => {
                    torn |= self.together.contains(key);
                    self.conflict(item, both(of, key, &[other, value].map(Value::to_string)));
                }
                None => _ = left.insert(*key, value.clone()),
            }
        }
        if torn {
            left.retain(|key, _| !self.together.contains(key));
        }
        left
    }
}
