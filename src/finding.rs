//! What is odd but readable.

#![forbid(unsafe_code)]

use crate::error::At;
use std::fmt;

/// How bad a [`Finding`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, perfectly legal: a one-way link.
    Info,
    /// Readable, but not as the game's own tools write it. Files made by other tools pass with these.
    Deviation,
    /// Odd: the game may cope, a tool may not. `scan` calls the file `warning`.
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

    /// Whether it counts against the file: warnings and errors do, information and deviations do not.
    pub fn counts(self) -> bool {
        self >= Self::Warning
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One thing that is odd but readable: how bad, what (as a stable code and in words), which record, which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Stable, machine-readable name: `dangling-connection`.
    pub code: &'static str,
    /// Record and byte.
    pub at: At,
    /// What it is, for a person; no path, no place.
    pub message: String,
}

impl Finding {
    /// A finding, nowhere yet.
    #[cold]
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self { severity, code, at: At::default(), message: message.into() }
    }

    /// Bytes after the end of a mesh, from byte `offset` on.
    #[cold]
    pub fn trailing(left: u64, offset: u64) -> Self {
        let bytes = if left == 1 { "byte" } else { "bytes" };
        Self::new(Severity::Warning, Self::TRAILING, format!("{left} {bytes} after the end")).at(offset)
    }

    /// The code of bytes after the end, in every family.
    pub const TRAILING: &'static str = "trailing-bytes";

    /// Adds the byte.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.at.offset = Some(offset);
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
        match (self.at.record, self.at.offset) {
            (Some((record, index)), Some(offset)) => write!(f, "{record} {index}, byte {offset:#x}: ")?,
            (Some((record, index)), None) => write!(f, "{record} {index}: ")?,
            (None, Some(offset)) => write!(f, "byte {offset:#x}: ")?,
            (None, None) => {}
        }
        write!(f, "{} [{}]", self.message, self.code)
    }
}
