//! What may be made of the brushes or faces of a map and of all its entities together.

use super::patch::Patch;
use navmap_core::Limits;
use navmap_core::error::Result;

/// Polygons that any map may become, and the bytes of it for each more. Maps of games have one side for each 380 bytes and more.
const FREE: u64 = 131_072;
const BYTES: u64 = 16;

/// Sides of brushes and faces, of each entity anew. Those that name one model make one list many times as long as the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    asked: u64,
    allowed: u64,
}

impl Budget {
    /// That of a map of so many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Self { asked: 0, allowed: FREE.saturating_add(bytes / BYTES) }
    }

    /// Takes a brush. Each of its sides is cut by all others, so those of brushes with many sides count more than once.
    ///
    /// # Errors
    /// If all entities together have too many sides.
    pub(super) fn brush(&mut self, sides: usize) -> Result<()> {
        let sides = sides as u64;
        self.take(sides.saturating_mul((sides / 16).saturating_add(1)))
    }

    /// Takes a piece of a prop.
    ///
    /// # Errors
    /// If all props have too many sides.
    pub(super) fn piece(&mut self, sides: usize) -> Result<()> {
        self.take(sides as u64)
    }

    /// Takes a face with so many corners.
    ///
    /// # Errors
    /// If all entities together have too many faces.
    pub(super) fn face(&mut self, corners: usize) -> Result<()> {
        self.take((corners as u64 / 16).saturating_add(1))
    }

    /// Takes a curved surface, by its triangles.
    ///
    /// # Errors
    /// If all entities together have too many sides and triangles.
    pub(super) fn curve(&mut self, patch: &Patch) -> Result<()> {
        self.take(patch.count() as u64)
    }

    fn take(&mut self, more: u64) -> Result<()> {
        self.asked = self.asked.saturating_add(more);
        Limits::charge("sides and faces of all entities", self.asked, self.allowed)
    }
}
