//! Items that gave way to others: what was cut, and what was joined.

use super::super::changes::{Deed, Name, Step, Values};
use super::{Side, Weave};
use std::collections::{BTreeMap, BTreeSet};

/// Items that one side deleted, and those that it made in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The ones that are gone, in order.
    pub gone: Vec<Name>,
    /// The ones that were made.
    pub made: Vec<Name>,
}

impl Weave {
    /// Finds what theirs replaced and ours changed, deleted or replaced by something else. There ours stays whole: neither
    /// are those items deleted, nor the ones in their place made.
    pub(super) fn replacements(&mut self, theirs: &Side) {
        let mut made: BTreeMap<Name, &Values> = BTreeMap::new();
        for Step { item, deed } in &theirs.changes.steps {
            if let Deed::Add(values) = deed {
                made.insert(*item, values);
            }
        }
        for one in &theirs.replaced {
            if self.refused(one, &made) {
                self.kept.extend(&one.gone);
                self.dropped.extend(&one.made);
            } else if let Some(item) = one.gone.first()
                && self.mine.replaced.contains_key(item)
            {
                self.kept.extend(&one.gone);
            }
        }
    }

    /// Whether ours did something else to what theirs replaced. Every such item is a conflict.
    fn refused(&mut self, one: &Replaced, made: &BTreeMap<Name, &Values>) -> bool {
        let before = self.conflicts.len();
        for item in &one.gone {
            let what = match self.mine.replaced.get(item) {
                Some(ours) if !self.alike(ours, one, made) => {
                    "both cut it or joined it with another, each in another way"
                }
                Some(_) => continue,
                None if self.mine.deleted.contains(item) => {
                    "ours deleted it, theirs cut it or joined it with another"
                }
                None if self.mine.touched(*item) || self.mine.unlinked.contains(item) => {
                    "ours changed it, theirs cut it or joined it with another"
                }
                None => continue,
            };
            self.conflict(*item, what);
        }
        self.conflicts.len() > before
    }

    /// Whether both replaced the same items by the same.
    fn alike(&self, ours: &Replaced, theirs: &Replaced, made: &BTreeMap<Name, &Values>) -> bool {
        let mine: BTreeSet<&Values> = ours.made.iter().filter_map(|item| self.mine.made.get(item)).collect();
        let wanted: BTreeSet<&Values> =
            theirs.made.iter().filter_map(|item| made.get(item).copied()).collect();
        ours.gone == theirs.gone && mine == wanted && ours.made.len() == theirs.made.len()
    }
}
