//! The file that `.output` names: the answers of all statements until the next `.output`.

use super::answer::Ended;
use super::print::Style;
use crate::out::is_stdout;
use crate::save;
use navmap::bytes::Saver;
use navmap::error::{Error, Result};
use navmap::table::sql::Wrong;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where answers go.
pub(super) enum Output {
    Screen,
    /// Standard output by name, which may be no terminal.
    Stdout,
    File(Gathered),
}

impl Output {
    /// The output that was typed; none is the screen.
    ///
    /// # Errors
    /// If a file cannot be written there, or one is there and `force` is not set.
    pub(super) fn named(typed: &str, force: bool) -> Result<Self> {
        let path = Path::new(typed);
        Ok(match typed {
            "" => Self::Screen,
            _ if is_stdout(path) => Self::Stdout,
            _ => Self::File(Gathered::begin(path, force)?),
        })
    }

    /// Ends it: a file is then at its place. Returns its path if it was written.
    ///
    /// # Errors
    /// Those of the operating system. What was at its place is then unchanged.
    pub(super) fn end(&mut self) -> Result<Option<PathBuf>> {
        match std::mem::replace(self, Self::Screen) {
            Self::File(file) => file.end(),
            Self::Screen | Self::Stdout => Ok(None),
        }
    }

    /// The file that would be written, if there is an answer in it.
    pub(super) fn unwritten(&self) -> Option<&Path> {
        match self {
            Self::File(file) if file.answers > 0 => Some(&file.path),
            _ => None,
        }
    }
}

/// A file under construction beside its place, so that nobody reads half of it there.
pub(super) struct Gathered {
    pub(super) path: PathBuf,
    saver: Saver,
    /// The same file, which is cut back if a statement fails.
    file: File,
    /// Whether it may replace one that is there.
    force: bool,
    answers: u64,
    is_binary: bool,
}

impl Gathered {
    fn begin(path: &Path, force: bool) -> Result<Self> {
        let saver = save::begin(path, force)?;
        let file = OpenOptions::new().append(true).open(saver.path());
        let file = file.map_err(|error| Error::from(error).in_file(path))?;
        Ok(Self { path: path.to_owned(), saver, file, force, answers: 0, is_binary: false })
    }

    /// Adds an answer. Nothing is added of one that fails.
    pub(super) fn add(
        &mut self,
        style: Style,
        answer: impl FnOnce(&mut dyn Write) -> std::result::Result<(), Ended>,
    ) -> std::result::Result<(), Ended> {
        if self.answers > 0 && (self.is_binary || style.is_binary()) {
            let why = "such a file holds the answer of one statement: .output names another file";
            return Err(Ended::Wrong(Wrong::new(why.to_owned())));
        }
        let begun = self.file.metadata()?.len();
        let mut out = BufWriter::with_capacity(1 << 16, &self.file);
        let ended = answer(&mut out).and_then(|()| Ok(out.flush()?));
        // What is left of an answer that failed is not written.
        drop(out.into_parts());
        match ended {
            Ok(()) => (self.answers, self.is_binary) = (self.answers.saturating_add(1), style.is_binary()),
            Err(_) => self.file.set_len(begun)?,
        }
        ended
    }

    /// Without any answer, what was at its place stays.
    fn end(self) -> Result<Option<PathBuf>> {
        let Self { path, saver, file, force, answers, .. } = self;
        drop(file);
        if answers == 0 {
            return Ok(None);
        }
        save::end(saver, &path, force).map(|()| Some(path))
    }
}
