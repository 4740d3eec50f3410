//! The meaning of findings' codes, over all families.

use super::{Family, Kind};
use navmap_core::{COMMON, Code};

/// Every code that a finding of `check` may have, with its family (`None`: all of them), in the order of `docs/findings.md`.
/// Families that are not compiled in are left out.
///
/// ```
/// let row = navmap::codes().find(|(_, code)| code.code == "unreadable").unwrap();
/// assert_eq!((row.0, row.1.severity), (None, navmap::Severity::Error));
/// ```
pub fn codes() -> impl Iterator<Item = (Option<Family>, &'static Code)> {
    let common = COMMON.iter().map(|code| (None, code));
    let own = Kind::ALL.iter().flat_map(|kind| {
        let family = kind.family();
        // Kinds of one family usually share a table, so a code is listed with the first kind that has it.
        let new = move |code: &Code| {
            rows(family).find(|(_, row)| row.code == code.code).is_none_or(|(k, _)| k == *kind)
        };
        kind.codes().iter().filter(move |code| new(code)).map(move |code| (Some(family), code))
    });
    common.chain(own)
}

/// The meaning of a code in a family: the family's own row, else the common row.
pub fn code(family: Option<Family>, name: &str) -> Option<&'static Code> {
    let own = family.and_then(|family| rows(family).map(|(_, code)| code).find(|code| code.code == name));
    own.or_else(|| COMMON.iter().find(|code| code.code == name))
}

/// The rows of all kinds of a family.
fn rows(family: Family) -> impl Iterator<Item = (Kind, &'static Code)> {
    let kinds = Kind::ALL.iter().copied().filter(move |kind| kind.family() == family);
    kinds.flat_map(|kind| kind.codes().iter().map(move |code| (kind, code)))
}
