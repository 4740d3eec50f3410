//! What a graph knows besides where one can walk, packed.

use super::hiding::Places;
use super::sight::Lists;
use super::ways::Ways;

/// What a graph knows besides where one can walk.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(super) lists: Lists,
    pub(super) places: Places,
    pub(super) ways: Ways,
}

impl Known {
    pub(crate) fn bytes(&self) -> usize {
        self.lists.bytes() + self.places.bytes() + self.ways.bytes()
    }
}
