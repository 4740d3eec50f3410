//! The files of a split tile, edited as one: their groups are in one list, and each file keeps its own head and search space.

use super::editor::{FoxEditor, World};
use crate::buf::{FoxBuf, GroupBuf, HeadBuf, SearchBuf};
use navmap_core::error::{Error, Result};
use std::ops::Range;

/// A further file of a split tile: everything but its groups, which are in the tile's list.
#[derive(Debug)]
pub(super) struct Later {
    pub(super) head: HeadBuf,
    pub(super) search: Option<SearchBuf>,
    /// The file as it was opened, without its groups.
    file: FoxBuf,
}

impl FoxEditor {
    /// Begins to edit a split tile, changing all of its parts together. `parts` are in order of their numbers.
    /// [`encode`](navmap_core::edit::Editor::encode) returns the one at `named`, [`further`](navmap_core::edit::Editor::further)
    /// the others that have changed. Group numbers distinguish the parts: 0 to 4 are in part 0, 5 is in part 1.
    ///
    /// # Errors
    /// If the parts are of different tiles or out of order, if two have a group with the same number, if a later one has island
    /// graphs, or if one does not fit its format.
    pub fn of_parts(parts: Vec<FoxBuf>, named: usize) -> Result<Self> {
        let wrong = |why: String| Error::invalid("parts of a tile", why);
        if named >= parts.len() {
            return Err(wrong(format!("part {named} of {}", parts.len())));
        }
        for pair in parts.windows(2) {
            let [a, b] = pair else { continue };
            let (one, other) = (&a.head, &b.head);
            let alike = (one.tile(), one.opaque, one.frame()) == (other.tile(), other.opaque, other.frame());
            if !alike {
                return Err(wrong(format!(
                    "part {} is of another tile: number, opaque id, origin or divisors differ",
                    other.part()
                )));
            }
            if one.part() >= other.part() {
                return Err(wrong(format!("part {} follows part {}", other.part(), one.part())));
            }
        }
        let mut ids: Vec<_> = parts.iter().flat_map(|part| &part.groups).map(|group| group.id).collect();
        ids.sort_unstable_by_key(|id| id.bits());
        if let Some([id, ..]) = ids.windows(2).find(|pair| matches!(pair, [a, b] if a == b)) {
            return Err(wrong(format!("group {} is in two of them", id.index())));
        }
        if let Some(part) = parts.iter().skip(1).find(|part| !part.islands.is_empty()) {
            return Err(wrong(format!("part {} has island graphs, which part 0 has", part.head.part())));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().ok_or_else(|| wrong("none".into()))?;
        Self::over(first, parts.collect(), named)
    }
}

impl World {
    /// The files of a tile as one: the groups of all, and the rest of the first one.
    pub(super) fn joined(mut tile: FoxBuf, rest: Vec<FoxBuf>) -> (FoxBuf, Vec<Later>, Vec<usize>) {
        let mut counts = vec![tile.groups.len()];
        let mut later = Vec::with_capacity(rest.len());
        for mut file in rest {
            counts.push(file.groups.len());
            tile.groups.append(&mut file.groups);
            later.push(Later { head: file.head, search: file.search.take(), file });
        }
        (tile, later, counts)
    }

    /// How many files the tile has.
    pub(super) fn files(&self) -> usize {
        self.counts.len()
    }

    /// The range of a file's groups among all.
    pub(super) fn range(&self, file: usize) -> Range<usize> {
        let start = self.counts.iter().take(file).fold(0, |sum: usize, count| sum.saturating_add(*count));
        start..start.saturating_add(self.counts.get(file).copied().unwrap_or(0))
    }

    /// The groups of a file.
    pub(super) fn groups_of(&self, file: usize) -> &[GroupBuf] {
        self.tile.groups.get(self.range(file)).unwrap_or_default()
    }

    pub(super) fn head_mut(&mut self, file: usize) -> Option<&mut HeadBuf> {
        match file.checked_sub(1) {
            None => Some(&mut self.tile.head),
            Some(later) => self.later.get_mut(later).map(|later| &mut later.head),
        }
    }

    pub(super) fn search_mut(&mut self, file: usize) -> Option<&mut Option<SearchBuf>> {
        match file.checked_sub(1) {
            None => Some(&mut self.tile.search),
            Some(later) => self.later.get_mut(later).map(|later| &mut later.search),
        }
    }

    pub(super) fn search(&self, file: usize) -> Option<&SearchBuf> {
        match file.checked_sub(1) {
            None => self.tile.search.as_ref(),
            Some(later) => self.later.get(later).and_then(|later| later.search.as_ref()),
        }
    }

    /// The heads of all files.
    pub(super) fn heads(&self) -> Vec<HeadBuf> {
        std::iter::once(self.tile.head).chain(self.later.iter().map(|later| later.head)).collect()
    }

    /// Runs `work` on a file by itself.
    pub(super) fn with_file<T>(&self, file: usize, work: impl FnOnce(&FoxBuf) -> T) -> T {
        if self.later.is_empty() {
            return work(&self.tile);
        }
        let groups = self.groups_of(file).to_vec();
        match file.checked_sub(1).and_then(|later| self.later.get(later)) {
            None => work(&self.tile.with_groups(groups)),
            Some(later) => {
                let mut part = later.file.with_groups(groups);
                (part.head, part.search) = (later.head, later.search.clone());
                work(&part)
            }
        }
    }
}
