//! Kinds of repairs, and the repairs planned.

use crate::form::FormId;
use std::fmt;

/// What is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repair {
    /// Restores a deleted mesh, far below the ground.
    Undelete,
    /// Restores counts of empty lists, which an early editor left out.
    Counts,
    /// Repairs a mesh with internal errors.
    Mesh,
    /// Repairs links that do not arrive, or without a link back.
    Links,
    /// Reports a mesh that nothing leads to, and never changes it.
    Unused,
    /// Repairs entries of the info map.
    Entry,
    /// Removes a record identical to its master's.
    Identical,
    /// Removes entries of the info map for meshes that their plugin neither contains nor links to.
    Prune,
}

impl Repair {
    /// All repairs, in order of execution.
    pub const ALL: [Self; 8] = [
        Self::Undelete,
        Self::Counts,
        Self::Mesh,
        Self::Links,
        Self::Unused,
        Self::Entry,
        Self::Identical,
        Self::Prune,
    ];

    /// The codes of those findings of [`check`](navmap_core::format::NavFile::check) about a single mesh that a plan handles: it
    /// either repairs them, or reports that only a person can. Empty for repairs without such a finding.
    pub fn findings(self) -> impl Iterator<Item = &'static str> {
        let lists = if self == Self::Mesh { [&MENDED[..], &BEYOND] } else { [&[][..], &[]] };
        lists.into_iter().flatten().copied()
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undelete => "undelete",
            Self::Counts => "counts",
            Self::Mesh => "meshes",
            Self::Links => "links",
            Self::Unused => "unused",
            Self::Entry => "entries",
            Self::Identical => "itm",
            Self::Prune => "prune",
        }
    }
}

/// Findings of a mesh by itself that are repaired.
pub(super) const MENDED: [&str; 16] = [
    "neighbour-out-of-range",
    "edge-link-out-of-range",
    "clockwise-triangle",
    "degenerate-triangle",
    "edge-link-unused",
    "edge-link-shared",
    "door-triangle-out-of-range",
    "door-flag-missing",
    "cover-list",
    "grid-divisor",
    "grid-cell-size",
    "grid-bounds",
    "grid-triangle-out-of-range",
    "grid-missing",
    "grid-stray",
    "one-way-neighbour",
];

/// Findings that nobody but a person can repair.
pub(super) const BEYOND: [&str; 10] = [
    "vertex-out-of-range",
    "vertex-not-finite",
    "too-many-vertices",
    "too-many-triangles",
    "edge-not-shared",
    "flipped-neighbour",
    "unknown-link-type",
    "cover-edge",
    "cover-segment",
    "waypoint-out-of-range",
];

/// Those of them that make a mesh one that cannot be written anew.
pub(super) const UNWRITABLE: [&str; 4] =
    ["vertex-out-of-range", "vertex-not-finite", "too-many-vertices", "too-many-triangles"];

/// The repairs to plan. The default is all but [`Repair::Identical`] and [`Repair::Prune`], for a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// What is repaired.
    pub repairs: Vec<Repair>,
    /// Plugins whose records are repaired, as indices in the load order; empty for all.
    pub plugins: Vec<usize>,
    /// Whether the repairs go into a patch. A patch can override meshes and cells, but no doors, and cannot remove anything.
    pub patch: bool,
    /// Whether a mesh of another plugin that needs a link back becomes an override in the repaired plugin. This requires that the
    /// repaired plugin loads later, has all files named by the mesh as masters, and has records in the cell.
    pub write_overrides: bool,
    /// Whether a deleted mesh is restored as a single triangle, and everything that leads to it removed, instead of being
    /// restored whole. It stays deleted if something that leads to it cannot be removed.
    pub stub: bool,
    /// Whether recomputed grids omit the cells that the editors of versions 12 and 15 add because they test the wrong corner.
    pub geometric_grid: bool,
}

impl Default for FixOptions {
    fn default() -> Self {
        let asked_for = [Repair::Identical, Repair::Prune];
        let repairs = Repair::ALL.into_iter().filter(|repair| !asked_for.contains(repair)).collect();
        Self {
            repairs,
            plugins: Vec::new(),
            patch: true,
            write_overrides: false,
            stub: false,
            geometric_grid: false,
        }
    }
}

impl FixOptions {
    pub(super) fn wants(&self, repair: Repair) -> bool {
        self.repairs.contains(&repair)
    }

    pub(super) fn touches(&self, plugin: usize) -> bool {
        self.plugins.is_empty() || self.plugins.contains(&plugin)
    }
}

/// One repair of one record, or the reason why it cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The plugin whose version of the record the game uses, as an index in the load order.
    pub plugin: usize,
    /// Its file name.
    pub file: String,
    /// The record, as that plugin names it.
    pub form: FormId,
    /// The cell or worldspace, with its editor ID if it has one.
    pub place: Option<String>,
    /// What kind of repair it is.
    pub repair: Repair,
    /// What is wrong.
    pub what: String,
    /// What is there.
    pub before: String,
    /// What comes instead.
    pub after: String,
    /// The reason why it is left as it is; `None` if it is repaired.
    pub left: Option<String>,
}

impl Deed {
    /// Whether this is only a remark about something possibly intended.
    pub fn is_remark(&self) -> bool {
        self.repair == Repair::Unused
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, form, repair, what, before, after, .. } = self;
        write!(f, "{file}: {form}")?;
        if let Some(place) = &self.place {
            write!(f, " ({place})")?;
        }
        write!(f, ": {}: {what}: ", repair.name())?;
        match &self.left {
            None => write!(f, "{before} -> {after}"),
            Some(why) => write!(f, "{before}; left: {why}"),
        }
    }
}
