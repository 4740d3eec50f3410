//! Errors: one type, one pointer wide, that says what, which record, which byte and which file.
//!
//! An [`Error`] means that reading cannot continue. Anything odd but readable is a [`Finding`](crate::Finding).
//!
//! ```
//! use navmap::bytes::Cursor;
//!
//! let error = Cursor::new(&[1, 2], 0x80).bytes(12, "corners").unwrap_err().in_record("area", 1).in_file("maps/a.nav");
//! assert_eq!(error.to_string(), "maps/a.nav: area 1, byte 0x80: corners: 12 bytes needed, 2 left");
//! assert_eq!(size_of_val(&error), size_of::<usize>());
//! ```

use crate::ids::Ids;
use crate::text::path_text;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// `Result` with navmap's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a file, or a part of it, could not be read: what, which record, which byte, which file.
///
/// One pointer wide, so that `Result<u32>` stays small; built only in cold functions.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    at: At,
    name: Option<Box<str>>,
    file: Option<PathBuf>,
}

/// A place in a file: a byte, and the record it belongs to if known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct At {
    /// Byte offset from the start of the file (of the inflated bytes, for a compressed record).
    pub offset: Option<u64>,
    /// Kind of record and its index: `("area", 17)`.
    pub record: Option<(&'static str, u64)>,
    /// The id of the record, which people type after `#`; `ids` says how it is written. The index is its position.
    pub id: Option<u64>,
    /// How the id is written.
    pub ids: Ids,
    /// The id of the node that this is about, written in the same way, if the record holds nodes and is none itself: a polygon of a
    /// tile, a triangle of a navmesh of a plugin.
    pub node: Option<u64>,
}

impl At {
    /// What people type after `#`: the id of the node that this is about, else of the record.
    pub fn typed(self) -> Option<u64> {
        self.node.or(self.id)
    }

    /// The record as people call it: `area #2023 (record 629)`, `face F#4.31`, or `lump 9` if it has no id.
    #[doc(hidden)]
    pub fn name(self) -> Option<impl fmt::Display> {
        let (record, index) = self.record?;
        Some(fmt::from_fn(move |f| match self.id {
            Some(id) if id == index || self.ids != Ids::Numbers && u64::from(id as u32) == index => {
                write!(f, "{record} {}", self.ids.name(id))
            }
            Some(id) => write!(f, "{record} {} (record {index})", self.ids.name(id)),
            None => write!(f, "{record} {index}"),
        }))
    }
}

/// The facts behind an [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end too early.
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Bytes it needs.
        needed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// A count claims more records than the remaining bytes can hold.
    Count {
        /// What is counted.
        what: &'static str,
        /// The claimed number of records.
        claimed: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The first bytes match no format that navmap reads.
    NotMesh {
        /// The first four bytes, or as many as there are, padded with zeros.
        found: [u8; 4],
        /// How many of the four exist.
        len: u8,
    },
    /// The bytes are of another kind of file, one that is often taken for a mesh.
    Instead {
        /// What they are.
        what: &'static str,
    },
    /// The format is known, but navmap cannot read this version of it.
    Version {
        /// Name of the format.
        format: &'static str,
        /// Version found.
        found: u32,
        /// Sub-version found, if the format has one.
        subversion: Option<u32>,
        /// What is known about the version.
        why: &'static str,
    },
    /// An index or id points outside what it indexes.
    OutOfRange {
        /// What points.
        what: &'static str,
        /// Where it points.
        index: u64,
        /// Length of the list it points into.
        len: u64,
    },
    /// Bytes are left after the end that the format states.
    Trailing {
        /// How many.
        left: u64,
    },
    /// A value that the format does not allow.
    Invalid {
        /// What holds the value.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A [limit](crate::Limits) was reached.
    Limit {
        /// What was limited.
        what: &'static str,
        /// What the file asked for.
        asked: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// Text that does not parse (navjson).
    Text {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The operating system refused.
    Io(io::Error),
}

impl Error {
    /// An error of this kind without a place. The cursor adds the byte, the walk the record, the opener the file.
    #[cold]
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, at: At::default(), name: None, file: None }))
    }

    /// A value that the format does not allow.
    #[cold]
    pub fn invalid(what: &'static str, why: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid { what, why: why.into() })
    }

    /// Adds the byte. The first one set wins.
    #[cold]
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.at.offset.get_or_insert(offset);
        self
    }

    /// Adds the record. The first one set wins, so the innermost record is named.
    #[cold]
    #[must_use]
    pub fn in_record(mut self, record: &'static str, index: u64) -> Self {
        self.0.at.record.get_or_insert((record, index));
        self
    }

    /// Adds the id of the record; the first one set wins.
    #[cold]
    #[must_use]
    pub fn with_id(mut self, id: u32) -> Self {
        self.0.at.id.get_or_insert(id.into());
        self
    }

    /// Adds the name that people know the record by, such as its FormID; the first one set wins.
    #[cold]
    #[must_use]
    pub fn named(mut self, name: impl fmt::Display) -> Self {
        self.0.name.get_or_insert_with(|| name.to_string().into_boxed_str());
        self
    }

    /// Adds the file. The first one set wins. A file inside an archive is `archive.vpk!maps/a.nav`.
    #[cold]
    #[must_use]
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.file.get_or_insert_with(|| path.into());
        self
    }

    /// Names another file than the one that was read: a copy is called by its original.
    #[cold]
    #[must_use]
    pub fn in_original(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.file = Some(path.into());
        self
    }

    /// The facts.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Byte and record.
    pub fn position(&self) -> At {
        self.0.at
    }

    /// The name that people know the record by, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The file, once the opener has added it.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// The message without the file, for tables with a column for it.
    pub fn without_file(&self) -> impl fmt::Display + '_ {
        Located(&self.0)
    }

    /// Whether the bytes match no known format at all, so that a folder walk skips them silently.
    pub fn is_not_mesh(&self) -> bool {
        matches!(self.0.kind, ErrorKind::NotMesh { .. } | ErrorKind::Instead { .. })
    }
}

struct Located<'a>(&'a Inner);

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, at, name, .. } = self.0;
        match (at.name(), name) {
            (Some(record), Some(name)) => write!(f, "{record} ({name})")?,
            (Some(record), None) => write!(f, "{record}")?,
            (None, Some(name)) => f.write_str(name)?,
            (None, None) => {}
        }
        let named = at.record.is_some() || name.is_some();
        match at.offset {
            Some(offset) if named => write!(f, ", byte {offset:#x}: {kind}"),
            Some(offset) => write!(f, "byte {offset:#x}: {kind}"),
            None if named => write!(f, ": {kind}"),
            None => kind.fmt(f),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(file) = &self.0.file else { return self.without_file().fmt(f) };
        match self.of_whole_file() {
            Some(why) => write!(f, "{}: {why}", path_text(file)),
            None => write!(f, "{}: {}", path_text(file), self.without_file()),
        }
    }
}

impl Error {
    /// What is wrong with a file itself, if its name alone makes a sentence of that: `a.nav: is a folder`.
    fn of_whole_file(&self) -> Option<&str> {
        let Inner { kind: ErrorKind::Invalid { what, why }, at, name: None, .. } = &*self.0 else {
            return None;
        };
        let is_said = matches!(*what, "file" | "path" | "folder" | "mesh" | "the mesh");
        let is_placed = at.offset.is_some() || at.record.is_some();
        let verb = why.split(' ').next().unwrap_or_default();
        let is_sentence = matches!(verb, "is" | "has" | "holds" | "ends" | "does" | "could");
        (is_said && is_sentence && !is_placed).then_some(why)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, at, name, file } = &*self.0;
        let mut fields = f.debug_struct("Error");
        fields.field("kind", kind).field("at", at).field("name", name).field("file", file).finish()
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { what, needed, left } => {
                write!(f, "{what}: {} needed, {left} left", bytes(*needed))
            }
            Self::Count { what, claimed, left } => {
                write!(f, "{what}: {claimed} claimed, {} left", bytes(*left))
            }
            Self::Instead { what } => write!(f, "not a navigation mesh: {what}"),
            Self::NotMesh { found, len } => {
                f.write_str("not a navigation mesh (begins")?;
                found.iter().take((*len).into()).try_for_each(|byte| write!(f, " {byte:02x}"))?;
                f.write_str(")")
            }
            Self::Version { format, found, subversion: None, why } => {
                write!(f, "{format} version {found}: {why}")
            }
            Self::Version { format, found, subversion: Some(sub), why } => {
                write!(f, "{format} version {found}, sub-version {sub}: {why}")
            }
            Self::OutOfRange { what, index, len } => write!(f, "{what} {index} is outside 0..{len}"),
            Self::Trailing { left } => write!(f, "{} left over after the end", bytes(*left)),
            Self::Invalid { what, why } => write!(f, "{what}: {why}"),
            Self::Limit { what, asked, allowed } => {
                write!(f, "{what}: {asked} is over the limit of {allowed}")
            }
            Self::Text { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

fn bytes(count: u64) -> impl fmt::Display {
    fmt::from_fn(move |f| write!(f, "{count} {}", if count == 1 { "byte" } else { "bytes" }))
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            // Its message is in that of this error, so the chain goes on with what stands behind it.
            ErrorKind::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    #[cold]
    fn from(error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn innermost_record_and_offset_win() {
        let e = Error::invalid("flag", "9 is unknown").at(7).at(9).in_record("spot", 2).in_record("area", 1);
        assert_eq!(e.to_string(), "spot 2, byte 0x7: flag: 9 is unknown");
    }

    #[test]
    fn a_name_stands_behind_its_record() {
        let e = Error::invalid("count", "is odd").at(7).in_record("NAVM", 2).named("0005C069");
        assert_eq!(e.to_string(), "NAVM 2 (0005C069), byte 0x7: count: is odd");
        assert_eq!(Error::invalid("count", "is odd").named("x").to_string(), "x: count: is odd");
    }

    #[test]
    fn an_id_is_what_follows_the_sign_and_a_position_is_a_record() {
        let e = Error::invalid("count", "is odd").in_record("area", 629).with_id(2023);
        assert_eq!(e.to_string(), "area #2023 (record 629): count: is odd");
        let e = Error::invalid("count", "is odd").in_record("node", 7).with_id(7);
        assert_eq!(e.to_string(), "node #7: count: is odd");
    }

    #[test]
    fn a_file_is_the_subject_of_what_is_wrong_with_it() {
        let e = Error::invalid("path", "is a folder").in_file("maps");
        assert_eq!(
            (e.to_string(), e.without_file().to_string()),
            ("maps: is a folder".into(), "path: is a folder".into())
        );
        let e = Error::invalid("mesh", "no faces").in_file("a.obj");
        assert_eq!(e.to_string(), "a.obj: mesh: no faces");
        let e = Error::invalid("file", "is cut").at(7).in_file("a.nav");
        assert_eq!(e.to_string(), "a.nav: byte 0x7: file: is cut");
    }

    #[test]
    fn results_stay_small() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
        assert!(size_of::<Result<u32>>() <= 2 * size_of::<usize>());
    }
}
