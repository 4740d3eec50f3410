//! What the codes of findings mean, over all families.

#![forbid(unsafe_code)]

use super::Family;
use crate::finding::{COMMON, Code};

/// A family and its table; `None` for the codes that findings of every family may have.
type Table = (Option<Family>, &'static [Code]);

const TABLES: &[Table] = &[
    (None, COMMON),
    #[cfg(feature = "source")]
    (Some(Family::Source), super::source::codes::CODES),
    #[cfg(feature = "quake")]
    (Some(Family::Quake), super::quake::codes::CODES),
    #[cfg(feature = "fox")]
    (Some(Family::Fox), super::fox::codes::CODES),
    #[cfg(feature = "skyrim")]
    (Some(Family::Skyrim), super::skyrim::codes::CODES),
];

/// Every code that a finding of `check` may have, with its family (`None`: all of them), as `docs/findings.md` lists
/// them. Families that are not compiled in are left out.
///
/// ```
/// let row = navmap::codes().find(|(_, code)| code.code == "unreadable").unwrap();
/// assert_eq!((row.0, row.1.severity), (None, navmap::Severity::Error));
/// ```
pub fn codes() -> impl Iterator<Item = (Option<Family>, &'static Code)> {
    TABLES.iter().flat_map(|(family, codes)| codes.iter().map(move |code| (*family, code)))
}

/// What a code means in a family: the family's own row, or else the row for all families.
pub fn code(family: Option<Family>, name: &str) -> Option<&'static Code> {
    let row = |of: Option<Family>| codes().find(move |(family, code)| *family == of && code.code == name);
    row(family).or_else(|| row(None)).map(|(_, code)| code)
}
