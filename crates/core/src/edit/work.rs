//! How much a script may look at, and the limit on it: a short script can look at every item thousands of times.

use super::items::Items;
use super::refusal::Refusal;

/// Items that the commands of any script may look at.
pub const MOST_LOOKED_AT: u64 = 64 << 20;
/// As many more for each item of the mesh.
const OF_ITEM: u64 = 4096;
/// An item of a selection is looked for among the others of it, and counts as so many.
pub(super) const CHOSEN: u64 = 16;

/// An item that an atom of a selector is compared with counts as so many.
pub(super) const ATOM: u64 = 3;

/// An item that a report compares with what it was counts as so many, and anything that it counted before or after, such as a link.
pub(super) const TOLD: u64 = 4;
pub(super) const COMPARED: u64 = 16;

/// A byte of a mesh that is shown counts as so many.
pub(super) const WRITTEN: u64 = 12;

/// An item that is shown is written as lines, and counts as so many.
const SHOWN: u64 = 3072;
/// For that the mesh is read and checked, and each item of it counts as so many.
const CHECKED: u64 = 192;

/// How many items a command looks at that shows so many, of a mesh of so many.
pub(super) fn shown(items: usize, all: u64) -> u64 {
    SHOWN.saturating_mul(items as u64).saturating_add(CHECKED.saturating_mul(all))
}

/// What the commands of a script have looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    spent: u64,
    /// What was spent before the statement that runs, if one does.
    before: Option<u64>,
    /// The items of the mesh, once a command has looked at all of them.
    items: Option<u64>,
    allowed: Option<u64>,
}

impl Work {
    /// The number of items of the mesh. Counts them the first time.
    pub(super) fn items(&mut self, editor: &dyn Items) -> u64 {
        *self.items.get_or_insert_with(|| editor.count())
    }

    /// Begins a statement.
    pub(super) fn begin(&mut self) {
        self.before = Some(self.spent);
    }

    /// Ends a statement: what is counted next, it may have left to count.
    pub(super) fn end(&mut self) {
        self.before = None;
    }

    /// Counts items that were looked at by a command that nothing could refuse meanwhile: the next one is.
    pub(super) fn owe(&mut self, items: u64) {
        self.spent = self.spent.saturating_add(items);
    }

    /// How many items the commands may still look at.
    pub(super) fn left(&mut self, editor: &dyn Items) -> u64 {
        self.allowed(editor).saturating_sub(self.spent)
    }

    fn allowed(&mut self, editor: &dyn Items) -> u64 {
        let more = || MOST_LOOKED_AT.saturating_add(OF_ITEM.saturating_mul(editor.count()));
        *self.allowed.get_or_insert_with(more)
    }

    /// Counts items that are looked at.
    ///
    /// # Errors
    /// If these are more than a script may look at.
    pub(super) fn spend(&mut self, items: u64, editor: &dyn Items) -> Result<(), Refusal> {
        self.spent = self.spent.saturating_add(items);
        if self.spent <= MOST_LOOKED_AT {
            return Ok(());
        }
        let allowed = self.allowed(editor);
        if self.spent <= allowed {
            return Ok(());
        }
        let why = format!("items that a script looks at: {} is over the limit of {allowed}", self.spent);
        // A statement that takes more than that by itself would do so in any other script.
        let is_one = self.before.is_some_and(|before| self.spent.saturating_sub(before) > allowed);
        Err(Refusal::new(if is_one { why } else { format!("{why}; run the rest as another script") }))
    }
}
