//! The state of a script, which the game's editor keeps beside the mesh.

use super::world::Slot;
use crate::record::AreaId;
use navmap_core::keys;
use std::sync::Arc;

/// An area or a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// An area, by its slot.
    Area(u32),
    /// A ladder, by its slot.
    Ladder(u32),
}

keys!(Item { Area, 1 => Ladder });

/// State that a command leaves for later ones. Undo restores it too.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) mark: Option<Item>,
    /// 0 to 3: north-west, north-east, south-east, south-west.
    pub(super) corner: Option<usize>,
    /// The current place, as a position in the directory from 1; 0 for none.
    pub(super) place: u16,
    /// The stored set, with the ids that the areas had.
    pub(super) stored: Arc<Vec<(Slot, AreaId)>>,
    /// The start point of an area, a ladder, a drag or a shift.
    pub(super) anchor: Option<(Begun, [f32; 3])>,
    /// How far a drag box reaches above and below its anchor.
    pub(super) drag: [i32; 2],
    /// `nav_snap_to_grid`.
    pub(super) snap: i32,
    /// `nav_corner_adjust_adjacent`.
    pub(super) adjacent: f32,
    /// Whether the bytes after the end are dropped, whatever else changes.
    pub(super) tail_dropped: bool,
    /// Whether `nav_analyze` has computed everything anew, and nothing has changed since.
    pub(super) fresh: bool,
    /// Where the engine's counter of area ids stands.
    pub(super) counter: u64,
}

/// What was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    Area,
    Shift,
    Drag { select: bool },
}

impl Default for State {
    fn default() -> Self {
        Self {
            mark: None,
            corner: None,
            place: 0,
            stored: Arc::new(Vec::new()),
            anchor: None,
            drag: [32, 32],
            snap: 0,
            adjacent: 18.0,
            tail_dropped: false,
            fresh: false,
            counter: 1,
        }
    }
}
