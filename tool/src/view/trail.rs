//! What is left of a session whose server was killed: its commands, in a file of this user, on disk after every command.

use crate::history::state;
use navmap::bytes::Saver;
use navmap::error::{Error, Result};
use navmap::text::path_text;
use serde_json::{Value, json};
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The longest file that is read: no session writes a longer one.
const LONGEST: u64 = 64 << 20;
/// What stands before the facts in the second line.
const FACTS: &str = "// of ";

/// The commands of a session, in a file that no other program has.
#[derive(Debug)]
pub(super) struct Trail {
    path: PathBuf,
    file: File,
    /// What the file holds.
    text: String,
    facts: Facts,
}

/// What a session began with, and what of it was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    /// The mesh.
    pub(super) mesh: String,
    /// The file at its beginning.
    pub(super) base: u64,
    /// The file as the session saved it last.
    pub(super) saved: Option<u64>,
    /// The commands that were in effect then.
    pub(super) commands: u64,
    /// Where the file as it was at the beginning is since then.
    pub(super) copy: Option<PathBuf>,
}

/// What was found in the file.
#[derive(Debug, Clone)]
pub(super) struct Left {
    pub(super) facts: Facts,
    /// A script, which is a journal.
    pub(super) journal: String,
    pub(super) commands: usize,
}

/// A number that two different files do not have in common, unless somebody makes them so.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, lane: u64| {
        let hash = (hash ^ lane).wrapping_mul(ODD);
        hash ^ hash >> 32
    };
    let (lanes, rest) = bytes.as_chunks::<8>();
    let hash = lanes.iter().fold(bytes.len() as u64, |hash, lane| mix(hash, u64::from_le_bytes(*lane)));
    rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
}

/// How many commands a journal has.
pub(super) fn commands(journal: &str) -> usize {
    journal.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

impl Trail {
    /// The file for a mesh, and what an earlier session left in it; `None` where the system names no folder for such files.
    ///
    /// # Errors
    /// If another program has it, or the system reports an error.
    pub(super) fn open(mesh: &Path, facts: Facts) -> Result<Option<(Self, Option<Left>)>> {
        let whole = mesh.canonicalize().unwrap_or_else(|_| mesh.to_owned());
        let stem = crate::beside::map_name(mesh);
        let name = format!("{stem}-{:016x}.journal", fingerprint(whole.as_os_str().as_encoded_bytes()));
        let Some(path) = state(&Path::new("view").join(name)) else { return Ok(None) };
        let at = |error: io::Error| Error::from(error).in_file(&path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(at)?;
        let mut file = own(&path).map_err(at)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let why = "is being changed by another navmap view";
                return Err(Error::invalid("the mesh", why).in_file(mesh));
            }
            Err(TryLockError::Error(error)) => return Err(at(error)),
        }
        let mut text = String::new();
        // What is no text was not written by a session.
        let read = (&mut file).take(LONGEST).read_to_string(&mut text);
        let left = read.ok().and_then(|_| Left::read(&text)).filter(Left::is_unsaved);
        let mut trail = Self { path, file, text, facts };
        if left.is_none() {
            trail.begin()?;
        }
        Ok(Some((trail, left)))
    }

    /// Notes the commands that are in effect, and waits until they are on disk. Tells if the file had to be made anew.
    ///
    /// # Errors
    /// If something else lies in the place of the file, which is left alone, and those of the operating system.
    pub(super) fn note(&mut self, journal: &str) -> Result<Option<String>> {
        let said = self.there().map_err(|error| Error::from(error).in_file(&self.path))?;
        let text = self.facts.written(journal);
        let common = self.text.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
        let end = common.min(self.text.len());
        let noted = (|| {
            self.file.set_len(end as u64)?;
            self.file.seek(SeekFrom::Start(end as u64))?;
            self.file.write_all(&text.as_bytes()[end..])?;
            self.file.sync_data()
        })();
        noted.map_err(|error| Error::from(error).in_file(&self.path))?;
        self.text = text;
        Ok(said)
    }

    /// Makes the file anew if another program has removed it: what is written to a file without a name is lost with the program.
    fn there(&mut self) -> io::Result<Option<String>> {
        if is_at(&self.file, &self.path) {
            return Ok(None);
        }
        if self.path.symlink_metadata().is_ok() {
            let why = "another program has put something else there, and nothing is written over that";
            return Err(io::Error::other(why));
        }
        self.path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        let file = new(&self.path)?;
        file.try_lock()?;
        (self.file, self.text) = (file, String::new());
        let path = path_text(&self.path);
        Ok(Some(format!("{path}: another program has removed the journal, which was written anew")))
    }

    /// Notes that the mesh was saved, with the commands that are in effect.
    ///
    /// # Errors
    /// Those of [`note`](Self::note).
    pub(super) fn saved(&mut self, now: u64, copy: Option<&Path>, journal: &str) -> Result<Option<String>> {
        self.facts.saved = Some(now);
        self.facts.commands = fingerprint(journal.as_bytes());
        if let Some(copy) = copy {
            self.facts.copy = Some(copy.canonicalize().unwrap_or_else(|_| copy.to_owned()));
        }
        self.note(journal)
    }

    /// Begins anew with other facts.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(super) fn restart(&mut self, facts: Facts) -> Result<()> {
        self.facts = facts;
        self.begin()
    }

    fn begin(&mut self) -> Result<()> {
        self.note("").map(|_| ())
    }

    /// Puts what an earlier session left beside the file, so that a new one overwrites nothing.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(super) fn set_aside(&mut self) -> Result<PathBuf> {
        let aside = self.path.with_extension("journal.old");
        let mut saver = Saver::create_unlinked(&aside)?;
        saver.write_all(self.text.as_bytes()).map_err(|error| Error::from(error).in_file(&aside))?;
        saver.commit()?;
        Ok(aside)
    }
}

/// A new file at a path where nothing is, not even a link.
fn new(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// The file at a path, which is made if nothing is there. A link is not followed, and a file that has another name as well is not
/// written to: both may be a file that is no journal.
fn own(path: &Path) -> io::Result<File> {
    match new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let there = path.symlink_metadata()?;
    if there.is_file() && names(&there) == 1 {
        // What is opened to be written as well is not waited for, even if it has become a pipe.
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    let why = "is to hold the commands of the session, and is a link or no file: nothing is written there";
    Err(io::Error::other(why))
}

/// How many names a file has.
fn names(data: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(data);
    #[cfg(not(unix))]
    return u64::from(data.is_file());
}

/// Whether an open file lies at a path itself, and not where a link leads.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), path.symlink_metadata()) else { return false };
    #[cfg(unix)]
    let same = {
        use std::os::unix::fs::MetadataExt;
        (open.dev(), open.ino()) == (there.dev(), there.ino())
    };
    #[cfg(not(unix))]
    let same = open.is_file();
    same && there.is_file()
}

impl Facts {
    fn written(&self, journal: &str) -> String {
        let facts = json!({
            "mesh": self.mesh,
            "base": format!("{:016x}", self.base),
            "saved": self.saved.map(|saved| format!("{saved:016x}")),
            "commands": format!("{:016x}", self.commands),
            "copy": self.copy,
        });
        let (head, rest) = journal.split_once('\n').unwrap_or(("// navmap journal 1", ""));
        format!("{head}\n{FACTS}{facts}\n{rest}")
    }
}

impl Left {
    fn read(text: &str) -> Option<Self> {
        let (head, rest) = text.split_once('\n')?;
        let (facts, rest) = rest.split_once('\n')?;
        let facts: Value = serde_json::from_str(facts.strip_prefix(FACTS)?).ok()?;
        let number = |name: &str| u64::from_str_radix(facts.get(name)?.as_str()?, 16).ok();
        // A line that was not written to its end is no command.
        let whole = rest.rfind('\n').map_or("", |end| &rest[..=end]);
        let journal = format!("{head}\n{whole}");
        let facts = Facts {
            mesh: facts.get("mesh")?.as_str()?.to_owned(),
            base: number("base")?,
            saved: number("saved"),
            commands: number("commands")?,
            copy: facts.get("copy").and_then(Value::as_str).map(PathBuf::from),
        };
        Some(Self { commands: commands(&journal), facts, journal })
    }

    /// Whether there is something in it that the mesh has not.
    fn is_unsaved(&self) -> bool {
        match self.facts.saved {
            Some(_) => fingerprint(self.journal.as_bytes()) != self.facts.commands,
            None => self.commands > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_read_again_up_to_its_last_whole_line() {
        let facts = Facts { mesh: "a.nav".into(), base: 7, saved: None, commands: 0, copy: None };
        let journal = "// navmap journal 1\nnav_delete #1\nnav_delete #2\n";
        let text = facts.written(journal);
        let left = Left::read(&text).unwrap();
        assert_eq!((left.journal.as_str(), left.commands, &left.facts), (journal, 2, &facts));
        assert_eq!(Left::read(&text[..text.len() - 1]).unwrap().commands, 1);
        for cut in 0..text.len() {
            let _ = Left::read(&text[..cut]);
        }
        assert!(Left::read(&facts.written("")).is_some_and(|left| !left.is_unsaved()));
        let saved = Facts { saved: Some(9), commands: fingerprint(journal.as_bytes()), ..facts };
        assert!(!Left::read(&saved.written(journal)).unwrap().is_unsaved());
        assert!(Left::read(&saved.written("// navmap journal 1\nnav_delete #1\n")).unwrap().is_unsaved());
    }

    #[test]
    fn fingerprints_tell_files_apart() {
        let texts = ["", "\0", "\0\0\0\0\0\0\0\0", "a", "b", "aaaaaaaab", "aaaaaaaba", "baaaaaaaa"];
        let mut all: Vec<u64> = texts.iter().map(|text| fingerprint(text.as_bytes())).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), texts.len());
    }
}
