//! Findings: what is odd but readable.

use crate::error::At;
use crate::ids::Ids;
use crate::space::Space;
use std::fmt;
use std::sync::Arc;

/// The severity of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, perfectly legal: a one-way link.
    Info,
    /// Readable, but not as the game's own tools write it. Files with only these still pass.
    Deviation,
    /// Odd: the game may cope with it, but another tool may not. `scan` gives the file the status `warning`.
    Warning,
    /// The game or a tool will act on wrong data.
    Error,
}

impl Severity {
    /// `info`, `deviation`, `warning`, `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Deviation => "deviation",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Whether it counts against the file: warnings and errors do, the others do not.
    pub fn counts(self) -> bool {
        self >= Self::Warning
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thing that is odd but readable: severity, a stable code, a message, the record and the byte.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable, machine-readable name: `dangling-connection`.
    pub code: &'static str,
    /// Record and byte.
    pub at: At,
    /// The position in the world, in the file's axes and units, to go and look at. Always finite.
    pub place: Option<[f32; 3]>,
    /// The space that the position lies in, if the file is divided into spaces.
    pub space: Option<Arc<Space>>,
    /// A message for a person, without path and place.
    pub message: String,
}

impl Finding {
    /// A finding without a place.
    #[cold]
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self { severity, code, at: At::default(), place: None, space: None, message: message.into() }
    }

    /// Bytes after the end of a mesh, from byte `offset` on.
    #[cold]
    pub fn trailing(left: u64, offset: u64) -> Self {
        let bytes = if left == 1 { "byte" } else { "bytes" };
        Self::new(Severity::Warning, Self::TRAILING, format!("{left} {bytes} after the end")).at(offset)
    }

    /// The code for bytes after the end, the same in every family.
    pub const TRAILING: &'static str = "trailing-bytes";

    /// Adds the byte.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.at.offset = Some(offset);
        self
    }

    /// Adds the position in the world. A position with NaN or infinity is dropped.
    #[must_use]
    pub fn placed(mut self, place: impl Into<Option<[f32; 3]>>) -> Self {
        self.place = place.into().filter(|place| place.iter().all(|value| value.is_finite()));
        self
    }

    /// Adds the id of the record: what people type after `#`.
    #[must_use]
    pub fn with_id(mut self, id: u32) -> Self {
        self.at.id = Some(id.into());
        self
    }

    /// Adds the id of the record, and how it is written.
    #[must_use]
    pub fn identified(mut self, ids: Ids, id: u64) -> Self {
        (self.at.id, self.at.ids) = (Some(id), ids);
        self
    }

    /// Adds the id of the node inside the record that it is about, and how it is written.
    #[must_use]
    pub fn about(mut self, ids: Ids, node: u64) -> Self {
        (self.at.node, self.at.ids) = (Some(node), ids);
        self
    }

    /// In a file in which the id of a record is its position: takes that for the index, where it was the position in the graph,
    /// which leaves records out.
    #[doc(hidden)]
    #[must_use]
    pub fn numbered(mut self) -> Self {
        if let (Some((_, index)), Some(id)) = (&mut self.at.record, self.at.id) {
            *index = id;
        }
        self
    }

    /// Adds the record.
    #[must_use]
    pub fn in_record(mut self, record: &'static str, index: u64) -> Self {
        self.at.record = Some((record, index));
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.severity)?;
        match (self.at.name(), self.at.offset) {
            (Some(record), Some(offset)) => write!(f, "{record}, byte {offset:#x}: ")?,
            (Some(record), None) => write!(f, "{record}: ")?,
            (None, Some(offset)) => write!(f, "byte {offset:#x}: ")?,
            (None, None) => {}
        }
        write!(f, "{} [{}]", self.message, self.code)
    }
}

/// The meaning of a finding's code: a row of a family's table of codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The code, as findings carry it.
    pub code: &'static str,
    /// The highest severity of such a finding. Some are lower in files written by other tools.
    pub severity: Severity,
    /// Whether `check` shows it only on request, because it is common and harmless in real meshes.
    pub hidden: bool,
    /// What it means, in a sentence or two.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

impl Code {
    /// A row of `codes!`.
    #[doc(hidden)]
    pub const fn row(
        code: &'static str,
        severity: Severity,
        hidden: bool,
        meaning: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self { code, severity, hidden, meaning, remedy }
    }
}

/// Makes a table of codes: severity, code, meaning, remedy. `hidden` marks codes that are shown on request.
#[doc(hidden)]
#[macro_export]
macro_rules! codes {
    (@hidden) => { false };
    (@hidden hidden) => { true };
    ($($(@$hidden:ident)? $severity:ident $code:literal: $meaning:literal => $remedy:literal;)*) => {
        &[$($crate::Code::row(
            $code,
            $crate::Severity::$severity,
            $crate::codes!(@hidden $($hidden)?),
            $meaning,
            $remedy,
        )),*]
    };
}

/// Codes that findings of every family may have.
pub const COMMON: &[Code] = codes! {
    Error "unreadable":
        "The mesh could not be read, or not to its end. The message says what was expected at which byte." =>
        "Fetch the file again or take it from its source; a file that is cut short or is of another format cannot be mended.";
    Info "isolated":
        "A node (area, waypoint) without any link, in or out. Nothing can walk onto it or leave it. Not told of the Fox Engine and of Detour." =>
        "Connect it to its neighbours or delete it. `info` counts these as `without any link`.";
    Info "unreachable":
        "A node that no link leads to, although links lead away from it. Bots that are not put there never get there. Not told of the Fox Engine and of Detour." =>
        "If it is a ledge to drop from it may be meant; otherwise connect a neighbour to it. `info` counts these as `unreachable`.";
    Info "dead-end":
        "A node that can be reached and that no link leaves. Who walks onto it is stuck. Not told of the Fox Engine and of Detour." =>
        "Connect it back, or delete it if nobody should go there. `info` counts these as `dead ends`.";
    Info "island":
        "Nodes that are joined to each other and, in neither direction, to the largest part of the mesh. The message says how many. Not told of the Fox Engine." =>
        "Connect the island if players can get there; delete it if not (a sky box, the inside of a wall). `info` counts these under `islands`.";
    Warning "trailing-bytes":
        "Bytes are left over behind the end of the mesh." =>
        "Save the mesh again with the game's editor, which drops them; `--lenient` makes this information.";
    Warning "other-map":
        "The mesh was made for a map of another size than the one that it lies beside (or, as information, in)." =>
        "The game calls such a mesh out of date: analyze it again in the game, or put the map back that it was made for.";
};
