//! The rows already written by an earlier run.

use navmap_core::error::{Error, Result};
use navmap_core::text::path_text;
use navmap_core::threads::locked;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::BufRead;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The rows of an earlier run. A scan with these as [`Scan::done`] skips each of them once.
///
/// Takes 29 to 57 bytes per row, for paths of any length: 25 for each place of a table that is at most seven eighths full.
///
/// [`Scan::done`]: super::Scan::done
#[derive(Debug, Default)]
pub struct Done {
    /// A hash of path and member, and the number of its rows, since names in an archive may repeat. Two 64-bit keys each, so that
    /// no two of a billion rows are confused.
    rows: Mutex<HashMap<(u64, u64), u32>>,
    hashers: (RandomState, RandomState),
    whole_bytes: u64,
}

#[derive(Deserialize)]
struct Row<'r> {
    #[serde(borrow)]
    path: Cow<'r, str>,
    #[serde(borrow, default)]
    member: Option<Cow<'r, str>>,
}

impl Done {
    /// Reads the JSON rows of an earlier run. A last line without an end is the row at which the run was killed: it is left out,
    /// so its mesh is read again.
    ///
    /// # Errors
    /// [`Text`](navmap_core::ErrorKind::Text) for a line that is not a row; [`Io`](navmap_core::ErrorKind::Io).
    pub fn from_jsonl(mut rows: impl BufRead) -> Result<Self> {
        let mut done = Self::default();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            rows.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            done.whole_bytes = done.whole_bytes.saturating_add(line.len() as u64);
            if line.trim_ascii().is_empty() {
                continue;
            }
            let row: Row<'_> = serde_json::from_slice(&line).map_err(|error| {
                let message = format!("no row of a scan: {error}");
                Error::new(navmap_core::ErrorKind::Text { line: number, column: error.column(), message })
            })?;
            let key = done.key(&row.path, row.member.as_deref());
            let rows = done.rows.get_mut().unwrap_or_else(PoisonError::into_inner);
            let count = rows.entry(key).or_insert(0u32);
            *count = count.saturating_add(1);
        }
        Ok(done)
    }

    /// The number of rows that have not skipped a mesh yet.
    pub fn len(&self) -> u64 {
        let rows = locked(&self.rows);
        rows.values().map(|count| u64::from(*count)).sum()
    }

    /// Whether no such row is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the rows that were read, without a truncated last line.
    pub fn whole_bytes(&self) -> u64 {
        self.whole_bytes
    }

    /// Whether there is a row for this mesh. Removes it.
    pub(super) fn take(&self, path: &Path, member: Option<&str>) -> bool {
        let key = self.key(&path_text(path), member);
        let mut rows = locked(&self.rows);
        match rows.get_mut(&key) {
            Some(count) if *count > 1 => {
                *count = count.saturating_sub(1);
                true
            }
            Some(_) => rows.remove(&key).is_some(),
            None => false,
        }
    }

    fn key(&self, path: &str, member: Option<&str>) -> (u64, u64) {
        (self.hashers.0.hash_one((path, member)), self.hashers.1.hash_one((path, member)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_skipped_once_and_a_cut_line_is_done_again() {
        let rows = concat!(
            r#"{"path":"a.zip","member":"x.nav","status":"ok"}"#,
            "\n",
            r#"{"path":"a.zip","member":"x.nav"}"#,
            "\n\n",
            r#"{"path":"b.nav","member":null,"counts":{"areas":1}}"#,
            "\n",
            r#"{"path":"c.nav","mem"#
        );
        let done = Done::from_jsonl(rows.as_bytes()).unwrap();
        assert_eq!((done.len(), done.whole_bytes()), (3, rows.rfind('\n').unwrap() as u64 + 1));
        let take = |path: &str, member| done.take(Path::new(path), member);
        assert!(take("a.zip", Some("x.nav")) && take("a.zip", Some("x.nav")));
        assert!(!take("a.zip", Some("x.nav")) && !take("a.zip", None) && !take("c.nav", None));
        assert!(take("b.nav", None) && done.is_empty());
    }

    #[test]
    fn what_is_no_row_is_an_error_with_its_line() {
        let error = Done::from_jsonl(&b"{\"path\":\"a\"}\nSTATUS  GAME\n"[..]).unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_stay_apart() {
        use std::os::unix::ffi::OsStrExt;
        let text = |bytes| path_text(Path::new(std::ffi::OsStr::from_bytes(bytes))).into_owned();
        assert_eq!(text(b"a\xff"), "a\\xff");
        assert_ne!(text(b"a\xff"), text(b"a\xfe"));
    }
}
