//! What is asked for, and what is done about it.

use crate::form::FormId;
use std::fmt;

/// What is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repair {
    /// A deleted mesh comes back, far below the ground.
    Undelete,
    /// Counts of empty lists, which an early editor left out, are put back.
    Counts,
    /// A mesh that is broken by itself.
    Mesh,
    /// Links that do not arrive, or from which none leads back.
    Links,
    /// A mesh that nothing leads to. It is reported, and never changed.
    Unused,
    /// Entries of the info map.
    Entry,
    /// A record that says what its master says.
    Identical,
    /// Entries of the info map for meshes that their plugin neither holds nor links to.
    Prune,
}

impl Repair {
    /// All of them, in the order in which they are done.
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

    /// The codes of the findings of [`check`](navmap_core::format::NavFile::check) about a mesh by itself for which a plan has a line: either
    /// it mends them, or it says that only a person can. Empty for what is not told by a finding about one mesh.
    pub fn findings(self) -> impl Iterator<Item = &'static str> {
        let lists = if self == Self::Mesh { [&MENDED[..], &BEYOND] } else { [&[][..], &[]] };
        lists.into_iter().flatten().copied()
    }

    /// The name that is typed.
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
pub(super) const MENDED: [&str; 14] = [
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
];

/// Findings that nobody but a person can repair.
pub(super) const BEYOND: [&str; 4] =
    ["vertex-out-of-range", "vertex-not-finite", "too-many-vertices", "too-many-triangles"];

/// What a plan looks for. The default is all but [`Repair::Identical`] and [`Repair::Prune`], for a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// What is repaired.
    pub repairs: Vec<Repair>,
    /// Plugins whose records are repaired, as places in the load order; empty: all.
    pub plugins: Vec<usize>,
    /// Whether the repairs go into a patch. A patch can override meshes and cells, but no doors, and can remove nothing.
    pub patch: bool,
    /// Whether a mesh of another plugin, to which a link that leads back belongs, becomes an override in the plugin that is
    /// repaired. It does if that loads later, names all files that the mesh names, and has records in the cell.
    pub write_overrides: bool,
    /// Whether a deleted mesh comes back as one triangle, and what leads to it goes, instead of coming back whole. It stays
    /// deleted if something that leads to it cannot be removed.
    pub stub: bool,
    /// Whether grids that are computed anew leave out the cells that the editors of versions 12 and 15 add because they look
    /// at the wrong corner.
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

/// One repair of one record, or why it cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The plugin whose version of the record the game uses, as a place in the load order.
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
    /// Why it is left as it is; `None` if it is repaired.
    pub left: Option<String>,
}

impl Deed {
    /// Whether this only tells of something that may be meant: nothing is to be done about it.
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
