//! What a selector asks of an editor, whatever its family.

use super::key::AnyKey;
use super::refusal::Refusal;
use super::select::Atom;

/// The items of an editor without their type. Every [`Editor`](super::Editor) has them.
pub trait Items {
    /// As [`Editor::all`](super::Editor::all).
    fn all(&self) -> Vec<AnyKey>;

    /// How many these are.
    fn count(&self) -> u64;

    /// As [`Editor::find`](super::Editor::find).
    fn find(&self, space: &str, id: &str) -> Option<AnyKey>;

    /// As [`Editor::name`](super::Editor::name).
    fn name(&self, key: AnyKey) -> String;

    /// As [`Editor::footprint`](super::Editor::footprint).
    fn footprint(&self, key: AnyKey) -> Option<String>;

    /// As [`Editor::find_footprint`](super::Editor::find_footprint).
    fn find_footprint(&self, space: &str, footprint: &str) -> Option<AnyKey>;

    /// As [`Editor::select`](super::Editor::select).
    ///
    /// # Errors
    /// If there is no such name, its arguments are wrong, or there is nothing at the point.
    fn select(&self, atom: &Atom<'_>) -> Result<Vec<AnyKey>, Refusal>;

    /// As [`Editor::looked_at`](super::Editor::looked_at).
    fn looked_at(&self) -> Option<u64>;
}
