//! A summary of what a run has changed.

use std::cmp::Ordering;
use std::fmt;

/// The differences from the opened mesh: one row for each kind of thing, and remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One for each kind of thing that changed.
    pub rows: Vec<ReportRow>,
    /// Remarks: what became stale, was kept, recomputed or dropped, and where the game would have done otherwise.
    pub notes: Vec<String>,
}

/// Counts of one kind of thing before and after, and what happened to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportRow {
    /// `areas`, `links`.
    pub what: &'static str,
    /// How many there were.
    pub before: u64,
    /// How many there are.
    pub after: u64,
    /// How many are new.
    pub made: u64,
    /// How many are gone.
    pub removed: u64,
    /// The number that remain and differ.
    pub changed: u64,
}

impl ReportRow {
    /// Compares two lists as multisets.
    pub fn of_lists<T: Ord>(what: &'static str, before: Vec<T>, after: Vec<T>) -> Self {
        let (old, new) = (before.len() as u64, after.len() as u64);
        let (made, removed) = apart(before, after);
        Self { what, before: old, after: new, made, removed, changed: 0 }
    }

    /// Compares items that keep their numbers: of each number, the item that there was and the one that there is.
    pub fn of_numbered<'a, T: 'a>(
        what: &'static str,
        items: impl Iterator<Item = (Option<&'a T>, Option<&'a T>)>,
        differs: impl Fn(&T, &T) -> bool,
    ) -> Self {
        let mut row = Self { what, ..Self::default() };
        for (was, is) in items {
            row.before = row.before.saturating_add(was.is_some().into());
            row.after = row.after.saturating_add(is.is_some().into());
            let count = match (was, is) {
                (None, Some(_)) => &mut row.made,
                (Some(_), None) => &mut row.removed,
                (Some(was), Some(is)) if differs(was, is) => &mut row.changed,
                _ => continue,
            };
            *count = count.saturating_add(1);
        }
        row
    }

    /// Whether anything of this kind changed.
    pub fn is_empty(&self) -> bool {
        self.made == 0 && self.removed == 0 && self.changed == 0
    }
}

/// Sizes of both multiset differences of two lists: second without first, and first without second.
fn apart<T: Ord>(mut before: Vec<T>, mut after: Vec<T>) -> (u64, u64) {
    before.sort_unstable();
    after.sort_unstable();
    let (mut old, mut new) = (before.iter().peekable(), after.iter().peekable());
    let (mut made, mut removed) = (0_u64, 0_u64);
    while let (Some(was), Some(now)) = (old.peek(), new.peek()) {
        match was.cmp(now) {
            Ordering::Less => {
                removed = removed.saturating_add(1);
                old.next();
            }
            Ordering::Greater => {
                made = made.saturating_add(1);
                new.next();
            }
            Ordering::Equal => {
                old.next();
                new.next();
            }
        }
    }
    (made.saturating_add(new.count() as u64), removed.saturating_add(old.count() as u64))
}

impl Report {
    /// Whether the mesh is unchanged.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(ReportRow::is_empty)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing changed");
        }
        let mut first = true;
        let mut line = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let end = if first { "" } else { "\n" };
            first = false;
            write!(f, "{end}{text}")
        };
        for row in self.rows.iter().filter(|row| !row.is_empty()) {
            let ReportRow { what, before, after, made, removed, changed } = row;
            let fates = [(changed, "changed"), (made, "made"), (removed, "removed")];
            let fates: Vec<_> =
                fates.iter().filter(|(n, _)| **n > 0).map(|(n, fate)| format!("{n} {fate}")).collect();
            line(f, format_args!("{what}: {} ({before} before, {after} now)", fates.join(", ")))?;
        }
        for note in &self.notes {
            line(f, format_args!("{note}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_line_for_each_kind_that_changed() {
        let areas = ReportRow { what: "areas", before: 5, after: 6, made: 2, removed: 1, changed: 3 };
        let links = ReportRow { what: "links", before: 9, after: 9, ..ReportRow::default() };
        let mut report = Report { rows: vec![links], notes: vec!["visibility: dropped".into()] };
        assert_eq!(report.to_string(), "nothing changed");
        report.rows.push(areas);
        assert_eq!(
            report.to_string(),
            "areas: 3 changed, 2 made, 1 removed (5 before, 6 now)\nvisibility: dropped"
        );
    }
}
