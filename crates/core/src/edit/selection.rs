//! The selected set: an ordered list without duplicates, with undoable changes.

use super::key::AnyKey;
use std::cell::Cell;
use std::collections::HashSet;
use std::marker::PhantomData;

/// The selected set, as the commands of a family see it: items in the order in which they were added, each once.
#[derive(Debug)]
pub struct Selection<K> {
    chosen: Chosen,
    /// How many items were handed out in lists.
    listed: Cell<u64>,
    keys: PhantomData<fn() -> K>,
}

impl<K: Copy + From<AnyKey> + Into<AnyKey>> Selection<K> {
    pub(super) fn new(chosen: Chosen) -> Self {
        Self { chosen, listed: Cell::new(0), keys: PhantomData }
    }

    pub(super) fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// How many items a command had listed.
    pub(super) fn listed(&self) -> u64 {
        self.listed.get()
    }

    pub(super) fn into_chosen(self) -> Chosen {
        self.chosen
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.chosen.order.len()
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.chosen.order.is_empty()
    }

    /// The items in the order in which they were added.
    pub fn items(&self) -> Vec<K> {
        self.listed.set(self.listed.get().saturating_add(self.chosen.order.len() as u64));
        self.chosen.order.iter().copied().map(K::from).collect()
    }

    /// The item at a position of that order.
    pub fn get(&self, at: usize) -> Option<K> {
        self.chosen.order.get(at).copied().map(K::from)
    }

    /// Whether an item is selected.
    pub fn contains(&self, item: K) -> bool {
        self.chosen.members.contains(&item.into())
    }

    /// Adds an item at the end. Returns whether it is new.
    pub fn add(&mut self, item: K) -> bool {
        self.chosen.add(item.into())
    }

    /// Removes an item. Returns whether it was selected; if so, this searches the whole list.
    pub fn remove(&mut self, item: K) -> bool {
        self.remove_all([item]) > 0
    }

    /// Removes items, in one walk over the list. Returns how many of them were selected.
    pub fn remove_all(&mut self, items: impl IntoIterator<Item = K>) -> usize {
        self.chosen.remove(items.into_iter().map(Into::into))
    }

    /// Replaces the whole set. Of duplicates the first stays.
    pub fn set(&mut self, items: Vec<K>) {
        self.chosen.set(items.into_iter().map(Into::into).collect());
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        self.chosen.set(Vec::new());
    }
}

/// The selected set of an editor of any family.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    pub(super) order: Vec<AnyKey>,
    members: HashSet<AnyKey>,
    changes: Vec<Delta>,
}

/// One change. Its memory is proportional to the change, not to the set.
#[derive(Clone, Debug)]
pub(super) enum Delta {
    /// The whole list was replaced. Holds the list to swap in.
    Whole(Vec<AnyKey>),
    /// These items were added at the end.
    Added(Vec<AnyKey>),
    /// These items were removed together, each with the position that it had, ascending.
    Removed(Vec<(usize, AnyKey)>),
}

impl Delta {
    /// How many items it holds.
    pub(super) fn weight(&self) -> u64 {
        match self {
            Self::Whole(items) | Self::Added(items) => items.len() as u64,
            Self::Removed(items) => 2_u64.saturating_mul(items.len() as u64),
        }
    }
}

impl Chosen {
    fn add(&mut self, item: AnyKey) -> bool {
        let new = self.members.insert(item);
        if new {
            self.order.push(item);
            match self.changes.last_mut() {
                Some(Delta::Added(items)) => items.push(item),
                _ => self.changes.push(Delta::Added(vec![item])),
            }
        }
        new
    }

    fn remove(&mut self, items: impl Iterator<Item = AnyKey>) -> usize {
        let gone: HashSet<AnyKey> = items.filter(|item| self.members.remove(item)).collect();
        if gone.is_empty() {
            return 0;
        }
        // One is found without asking for each whether it goes.
        let only = gone.iter().next().filter(|_| gone.len() == 1);
        if let Some(at) = only.and_then(|only| self.order.iter().rposition(|item| item == only)) {
            let item = self.order.remove(at);
            self.changes.push(Delta::Removed(vec![(at, item)]));
            return 1;
        }
        let mut removed = Vec::with_capacity(gone.len());
        let mut at = 0_usize;
        self.order.retain(|item| {
            let goes = gone.contains(item);
            if goes {
                removed.push((at, *item));
            }
            at = at.saturating_add(1);
            !goes
        });
        self.changes.push(Delta::Removed(removed));
        gone.len()
    }

    /// Replaces the whole set. Of duplicates the first stays.
    pub(super) fn set(&mut self, items: Vec<AnyKey>) {
        if self.order.is_empty() && items.is_empty() {
            return;
        }
        let before = self.exchange(items);
        self.changes.push(Delta::Whole(before));
    }

    fn exchange(&mut self, mut items: Vec<AnyKey>) -> Vec<AnyKey> {
        self.members = HashSet::with_capacity(items.len());
        items.retain(|item| self.members.insert(*item));
        std::mem::replace(&mut self.order, items)
    }

    /// Takes the changes since the last call.
    pub(super) fn take_changes(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.changes)
    }

    pub(super) fn undo(&mut self, changes: &mut [Delta]) {
        for change in changes.iter_mut().rev() {
            match change {
                Delta::Whole(other) => *other = self.exchange(std::mem::take(other)),
                Delta::Added(items) => {
                    self.order.truncate(self.order.len().saturating_sub(items.len()));
                    items.iter().for_each(|item| _ = self.members.remove(item));
                }
                Delta::Removed(items) => {
                    self.members.extend(items.iter().map(|(_, item)| *item));
                    let mut left = std::mem::take(&mut self.order).into_iter();
                    let mut whole = Vec::with_capacity(left.len().saturating_add(items.len()));
                    for (at, item) in items.iter() {
                        whole.extend(left.by_ref().take(at.saturating_sub(whole.len())));
                        whole.push(*item);
                    }
                    whole.extend(left);
                    self.order = whole;
                }
            }
        }
    }

    pub(super) fn redo(&mut self, changes: &mut [Delta]) {
        for change in changes.iter_mut() {
            match change {
                Delta::Whole(other) => *other = self.exchange(std::mem::take(other)),
                Delta::Added(items) => {
                    self.order.extend_from_slice(items);
                    self.members.extend(items.iter().copied());
                }
                Delta::Removed(items) => {
                    items.iter().for_each(|(_, item)| _ = self.members.remove(item));
                    self.order.retain(|item| self.members.contains(item));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_can_be_taken_back_and_done_again() {
        let mut set = Selection::<u32>::new(Chosen::default());
        [5, 3, 9].into_iter().for_each(|item| assert!(set.add(item)));
        assert!(!set.add(3));
        let mut first = set.chosen.take_changes();
        assert!(set.remove(3) && !set.remove(4));
        set.add(7);
        set.set(vec![1, 2, 1]);
        set.remove(1);
        let mut second = set.chosen.take_changes();
        assert_eq!(set.items(), [2]);
        for _ in 0..2 {
            set.chosen.undo(&mut second);
            assert_eq!(set.items(), [5, 3, 9]);
            assert!(set.contains(3) && !set.contains(2));
            set.chosen.undo(&mut first);
            assert!(set.is_empty() && !set.contains(9));
            set.chosen.redo(&mut first);
            set.chosen.redo(&mut second);
            assert_eq!(set.items(), [2]);
            assert!(!set.contains(9));
        }
    }

    #[test]
    fn items_that_are_removed_together_are_put_back_where_they_were() {
        let mut set = Selection::<u32>::new(Chosen::default());
        set.set((0..8).collect());
        set.chosen.take_changes();
        assert_eq!(set.remove_all([6, 0, 9, 3, 6, 7]), 4);
        assert!(set.remove(4));
        let mut changes = set.chosen.take_changes();
        assert_eq!(changes.iter().map(Delta::weight).sum::<u64>(), 10);
        for _ in 0..2 {
            assert_eq!(set.items(), [1, 2, 5]);
            assert!(!set.contains(7) && set.contains(5));
            set.chosen.undo(&mut changes);
            assert_eq!(set.items(), [0, 1, 2, 3, 4, 5, 6, 7]);
            assert!(set.contains(7) && !set.contains(9));
            set.chosen.redo(&mut changes);
        }
    }
}
