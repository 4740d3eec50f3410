//! The report of an analysis.

use super::phase::Phase;
use std::fmt;

/// The changes of an analysis, and the parts that it kept or could not compute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The parts that were computed.
    pub done: Vec<Done>,
    /// Parts kept from the older analysis, and named ones that such a mesh does not have, one sentence each.
    pub kept: Vec<String>,
    /// Parts that are missing without the map, one sentence each.
    pub missing: Vec<String>,
    /// Whether the mesh counted as analysed before, and now. `None` if its version does not store it.
    pub analyzed: Option<(bool, bool)>,
}

/// A computed part of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The phase.
    pub phase: Phase,
    /// What: `hiding spots`.
    pub what: &'static str,
    /// How many there were.
    pub before: u64,
    /// How many there are.
    pub after: u64,
    /// How many areas have changed.
    pub changed: u64,
}

impl Report {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.done.iter().all(|done| done.changed == 0)
            && self.analyzed.is_none_or(|(before, after)| before == after)
    }
}

impl fmt::Display for Report {
    /// One line for each part, then one for each sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Done { phase, what, before, after, changed } in &self.done {
            match (before == after, changed) {
                (_, 0) => writeln!(f, "{phase}: {after} {what}, none changed")?,
                (true, _) => writeln!(f, "{phase}: {after} {what}, changed in {changed} areas")?,
                (false, _) => {
                    writeln!(f, "{phase}: {after} {what} (before: {before}), changed in {changed} areas")?
                }
            }
        }
        self.kept.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        self.missing.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        match self.analyzed {
            Some((true, false)) => writeln!(f, "the mesh no longer counts as analysed: something is missing"),
            Some((false, true)) => writeln!(f, "the mesh counts as analysed now"),
            Some((false, false)) => {
                writeln!(f, "the mesh does not count as analysed: the game asks for nav_analyze")
            }
            _ => Ok(()),
        }
    }
}
