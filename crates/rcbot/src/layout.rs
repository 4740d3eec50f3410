//! Which version has which bytes.

/// The most waypoints that the bot loads.
pub const BOT_NODES: usize = 1_024;

/// What the records of a version have. `docs/formats/rcbot.md`, section 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Author and last editor behind the head.
    pub(super) authors: bool,
    /// The area of a waypoint.
    pub(super) area: bool,
    /// Its radius.
    pub(super) radius: bool,
}

impl Layout {
    /// That of a version; a later one is taken for the newest.
    pub(super) fn for_version(version: i32) -> Self {
        Self { authors: version >= 4, area: version >= 2, radius: version >= 3 }
    }
    /// The least bytes that a waypoint takes.
    pub(super) fn least(self) -> u64 {
        match (self.area, self.radius) {
            (false, _) => 25,
            (true, false) => 29,
            (true, true) => 33,
        }
    }
}

/// Whether real files have this version.
pub(super) fn is_known(version: i32) -> bool {
    (3..=4).contains(&version)
}
