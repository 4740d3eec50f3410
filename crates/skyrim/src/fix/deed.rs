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
    /// Lets doors and the meshes that they stand on name each other.
    Doors,
    /// Reports a mesh that nothing leads to, and never changes it.
    Unused,
    /// Repairs entries of the info map.
    Entry,
    /// Removes a record identical to its master's.
    Identical,
    /// Removes entries of the info map for meshes that their plugin neither contains nor links to, and those of which a later one is
    /// used.
    Prune,
}

impl Repair {
    /// All repairs, in order of execution.
    pub const ALL: [Self; 9] = [
        Self::Undelete,
        Self::Counts,
        Self::Mesh,
        Self::Links,
        Self::Doors,
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

    /// The repair that mends findings of this code where it can; `None` if only a person can.
    pub fn mending(code: &str) -> Option<Self> {
        match code {
            "deleted-navmesh" => Some(Self::Undelete),
            "damaged-navmesh" | "missing-counts" => Some(Self::Counts),
            _ if MENDED.contains(&code) => Some(Self::Mesh),
            _ if code.starts_with("edge-link-") => Some(Self::Links),
            "door-reference" | "door-unlisted" => Some(Self::Doors),
            "nvmi-missing" | "nvmi-owner" | "nvmi-links" | "nvmi-doors" | "nvmi-center"
            | "nvmi-preferred" => Some(Self::Entry),
            "nvmi-without-navmesh" | "nvmi-twice" => Some(Self::Prune),
            _ => None,
        }
    }

    /// The repair that mends findings of this code, or tells of them.
    pub(super) fn told_by(code: &str) -> Option<Self> {
        let tells = |repair: &Self| repair.findings().any(|known| known == code);
        Self::mending(code).or_else(|| Self::ALL.into_iter().find(tells))
    }

    /// What is wrong, and what comes instead: two sentences.
    pub fn meaning(self) -> [&'static str; 2] {
        match self {
            Self::Undelete => [
                "The plugin deletes a navmesh of its master, and paths that lead over it can crash the game.",
                "The latest version before it comes back, 30,000 units down, so that nobody walks there and every link to it still arrives.",
            ],
            Self::Counts => [
                "An early editor left out the counts of empty lists, so that the mesh cannot be read.",
                "The counts are written, if the mesh then reads to its end and agrees with itself.",
            ],
            Self::Mesh => [
                "Triangles face down or have no area, edges and doors lead nowhere, or a list of the mesh does not say what the mesh is.",
                "Triangles are turned over or deleted, edges become borders or find their neighbour, and lists are computed anew.",
            ],
            Self::Links => [
                "A link to another mesh does not arrive, or none leads back, so that followers stop at the border.",
                "The free edge of the other mesh that lies at the same place is linked both ways; without one the link is removed.",
            ],
            Self::Doors => [
                "A door and the mesh that it stands on do not name each other.",
                "The door points back at the triangle that lists it, or is listed on the triangle that it names; where the mesh says that no door is there, it names none.",
            ],
            Self::Unused => [
                "Nothing leads to this navmesh: it has no link and no door.",
                "Nothing is changed. It may be meant so.",
            ],
            Self::Entry => [
                "The info map (NAVI) has no entry for this navmesh, so that the game does not use it, or an entry that says something else.",
                "The entry is written as it follows from the mesh.",
            ],
            Self::Identical => [
                "The plugin overrides a navmesh and says what the last version among its masters says.",
                "The record is removed, and its entry if that says the same too.",
            ],
            Self::Prune => [
                "The info map has an entry for a navmesh that the plugin neither holds nor links to, or several for one navmesh, of which the game uses the last.",
                "The entry that nothing needs is removed.",
            ],
        }
    }

    /// What the repair is proven on: for which games real files, or made ones, hold it. What is not named is not proven.
    pub fn proven(self) -> &'static str {
        match self {
            Self::Undelete => {
                "Skyrim: made load orders; real plugins without their masters are refused, as they should be. \
                 Fallout 4, Starfield: nothing."
            }
            Self::Counts => "Skyrim: every damaged field of a real plugin. Other games have no such fields.",
            Self::Mesh => {
                "Grids, bounds and cover lists computed anew are those of the editor in 98 of 100 real meshes of Skyrim; grids in 65 of \
                 100 of Fallout 4 and 96 of 100 of Starfield. Triangles and neighbours: made meshes of Skyrim."
            }
            Self::Links => "Skyrim: made load orders. Fallout 4, Starfield: two made meshes that meet.",
            Self::Doors => {
                "Skyrim, Fallout 4, Starfield: made plugins. The one door of real plugins that no mesh lists, of Skyrim, is left: \
                 another stands on its triangle."
            }
            Self::Unused => "A remark that changes nothing, on any game.",
            Self::Entry => {
                "Skyrim: made load orders. Entries of real plugins of Skyrim, Fallout 4 and Starfield are read to their last byte."
            }
            Self::Identical => "Skyrim: made load orders. Fallout 4, Starfield: nothing.",
            Self::Prune => {
                "Skyrim and Fallout 4: real plugins, which keep every other entry. Starfield: nothing."
            }
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undelete => "undelete",
            Self::Counts => "counts",
            Self::Mesh => "meshes",
            Self::Links => "links",
            Self::Doors => "doors",
            Self::Unused => "unused",
            Self::Entry => "entries",
            Self::Identical => "itm",
            Self::Prune => "prune",
        }
    }
}

/// The finding of triangles without area.
pub(super) const FLAT: &str = "degenerate-triangle";

/// Findings of a mesh by itself that are repaired.
pub(super) const MENDED: [&str; 16] = [
    "neighbour-out-of-range",
    "edge-link-out-of-range",
    "clockwise-triangle",
    FLAT,
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
    /// The record, as plugin editors show it: with the place of its file in the load order.
    pub number: FormId,
    /// The cell as plugin editors write it, with its editor ID or its worldspace and square: `[CELL:00009BF1] (Tamriel -4,12)`.
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
    /// Whether this is only a remark about something possibly intended.
    pub remark: bool,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, number, repair, what, before, after, .. } = self;
        write!(f, "{file}: ")?;
        if !self.form.is_null() {
            write!(f, "[NAVM:{number}]")?;
            if let Some(place) = &self.place {
                write!(f, " in {place}")?;
            }
            f.write_str(": ")?;
        }
        write!(f, "{}: {what}: ", repair.name())?;
        match &self.left {
            None => write!(f, "{before} -> {after}"),
            Some(why) => write!(f, "{before}; left: {why}"),
        }
    }
}
