//! What an earlier update has read: each file with its size, time and hash, and the numbers of its meshes.

use crate::schema::Table;
use navmap_core::bytes::Saver;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_open::scan::Scan;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Its name in the folder.
pub(super) const LEDGER: &str = "navmap-tables.jsonl";

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// Version of the ledger.
    navmap_tables: u32,
    /// The format of the parts.
    pub(super) format: String,
    /// The tables that are written.
    pub(super) tables: Vec<String>,
    /// Number of parts of each table.
    pub(super) parts: u32,
    /// The first number that no mesh has had.
    pub(super) next: u32,
    /// Lengths of the files of parts, by `TABLE/part-0000.csv`. Ledgers had none at first.
    #[serde(default)]
    pub(super) lengths: BTreeMap<String, u64>,
}

/// A line: a file, mesh or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) bytes: u64,
    /// Nanoseconds since 1970.
    pub(super) time: u64,
    /// Of its bytes, from before its meshes were read; 0 if they could not be, so that it is read again.
    pub(super) hash: u64,
    /// The [`schema`] of the tables that its rows are in; 0 before there was one.
    #[serde(default)]
    pub(super) schema: u64,
    /// Meshes in it that could not be read, or not to their end.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(super) failed: u64,
    /// Numbers of the meshes in it, in their order.
    pub(super) numbers: Vec<u32>,
    /// The paths of these meshes in the file, empty for the file itself. Ledgers had none at first.
    #[serde(default)]
    pub(super) members: Vec<String>,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Entry {
    /// Numbers and paths of the meshes in it, then those that have come: what is in a file keeps its number while it cannot be read.
    pub(super) fn numbers_with(&self, meshes: Vec<(u32, String)>) -> (Vec<u32>, Vec<String>) {
        let (mut numbers, mut members) = (self.numbers.clone(), self.members.clone());
        for (number, member) in meshes.into_iter().filter(|(number, _)| !self.numbers.contains(number)) {
            numbers.push(number);
            members.push(member);
        }
        (numbers, members)
    }
}

/// What was read.
#[derive(Debug, Clone)]
pub(super) struct Ledger {
    pub(super) head: Head,
    pub(super) files: BTreeMap<String, Entry>,
}

impl Ledger {
    /// An empty one.
    pub(super) fn new(format: &str, tables: Vec<String>, parts: u32) -> Self {
        let lengths = BTreeMap::new();
        let head = Head { navmap_tables: 1, format: format.to_owned(), tables, parts, next: 0, lengths };
        Self { head, files: BTreeMap::new() }
    }

    /// Reads that of a folder; `None` if it has none.
    ///
    /// # Errors
    /// For a line that is none, for what is no file, and those of the operating system.
    pub(super) fn open(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(LEDGER);
        let file = match fs::symlink_metadata(&path) {
            Ok(data) if !data.is_file() => {
                return Err(Error::invalid("file", "is a link, or no file").in_file(path));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.and_then(|_| File::open(&path)),
        };
        let file = file.map_err(|error| Error::from(error).in_file(&path))?;
        let odd = |line: usize, why: String| {
            Error::new(ErrorKind::Text { line, column: 1, message: why }).in_file(&path)
        };
        let mut lines = BufReader::new(file).lines().zip(1usize..);
        let mut read = || -> Result<Option<(String, usize)>> {
            let line = lines.next();
            line.map(|(line, at)| Ok((line.map_err(|error| Error::from(error).in_file(&path))?, at)))
                .transpose()
        };
        let Some((first, at)) = read()? else { return Err(odd(1, "is empty".to_owned())) };
        let head: Head = serde_json::from_str(&first).map_err(|error| odd(at, error.to_string()))?;
        if head.navmap_tables != 1 || head.parts == 0 {
            return Err(odd(at, "is of another navmap".to_owned()));
        }
        let mut files = BTreeMap::new();
        while let Some((line, at)) = read()? {
            let entry: Entry = serde_json::from_str(&line).map_err(|error| odd(at, error.to_string()))?;
            files.insert(entry.path.clone(), entry);
        }
        Ok(Some(Self { head, files }))
    }

    /// Writes it, wholly or not at all.
    ///
    /// # Errors
    /// Those of the operating system.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        let mut text = Vec::new();
        let path = folder.join(LEDGER);
        let mut line = |value: serde_json::Result<String>| {
            let value = value.map_err(|error| Error::from(io::Error::from(error)).in_file(&path))?;
            text.extend_from_slice(value.as_bytes());
            text.push(b'\n');
            Ok::<(), Error>(())
        };
        line(serde_json::to_string(&self.head))?;
        self.files.values().try_for_each(|entry| line(serde_json::to_string(entry)))?;
        let mut saver = Saver::create_unlinked(&path)?;
        saver.write_all(&text).map_err(|error| Error::from(error).in_file(&path))?;
        saver.commit()
    }

    /// The part that a file's rows are in. It depends on the path alone, so that a new file moves no other.
    pub(super) fn part(&self, path: &str) -> u32 {
        (hash(path.as_bytes()) % u64::from(self.head.parts)) as u32
    }
}

/// Raised when values in a column come to mean something else while its name and type stay.
const MEANING: u64 = 1;

/// What tells rows of these tables from rows of another version, or of another way to read meshes: a hash of their columns, of
/// the options of the scan, and of [`MEANING`]. Such rows are not mixed in a folder, not even if an update is stopped in between.
pub(super) fn schema(tables: &[&'static Table], scan: &Scan) -> u64 {
    let options = format!("{:?}\0{}", scan.options.format(), scan.deep);
    let start = more(more(hash(&[]), &MEANING.to_le_bytes()), options.as_bytes());
    let columns = tables.iter().flat_map(|table| table.all_columns().map(move |column| (table.name, column)));
    columns.fold(start, |sum, (table, column)| {
        let words = format!("{table}\0{}\0{:?}\0{}\0", column.name, column.kind, column.null);
        more(sum, words.as_bytes())
    })
}

/// FNV-1a, which is the same on every machine and in every version.
fn hash(bytes: &[u8]) -> u64 {
    more(0xcbf2_9ce4_8422_2325, bytes)
}

fn more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Size, time and hash of a file as it is now.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) time: u64,
}

impl Seen {
    pub(super) fn at(path: PathBuf) -> io::Result<Self> {
        let data = fs::metadata(&path)?;
        Ok(Self { path, bytes: data.len(), time: time(&data) })
    }

    /// The hash of its bytes.
    pub(super) fn hash(&self) -> io::Result<u64> {
        let mut file = File::open(&self.path)?;
        let mut buffer = vec![0; 1 << 16];
        let mut sum = hash(&[]);
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(sum),
                Ok(read) => sum = more(sum, buffer.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether it is as it was, with rows of the same tables. A file that was only touched, or copied, has the same bytes: then it is
    /// read, but not its meshes.
    pub(super) fn is_as(&self, entry: &Entry, schema: u64) -> bool {
        schema == entry.schema
            && entry.hash != 0
            && self.bytes == entry.bytes
            && (self.time == entry.time || self.hash().is_ok_and(|hash| hash == entry.hash))
    }
}

fn time(data: &Metadata) -> u64 {
    let since = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or(0)
}
