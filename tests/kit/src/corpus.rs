//! The private corpus of real files beside the project, and its manifests of true counts.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of real files: `NAVMAP_CORPUS`, else `../shared/corpus` beside the project, else `None`
/// (said on stderr, so that a skipped test is seen). The test that asks is added to the file that `NAVMAP_ASKED` names: .ci/run
/// runs those again where there are no real files, since no other can tell the difference.
pub fn real() -> Option<PathBuf> {
    if let Some(list) = std::env::var_os("NAVMAP_ASKED") {
        let thread = std::thread::current();
        let mut list = OpenOptions::new().create(true).append(true).open(list).expect("the list of who asks");
        let line = format!("{}\n", thread.name().expect("a test asks, and no thread of its own"));
        list.write_all(line.as_bytes()).expect("the list of who asks");
    }
    let named = std::env::var_os("NAVMAP_CORPUS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let found = named.or(Some(beside)).filter(|folder| folder.is_dir());
    if found.is_none() {
        crate::skipped("no corpus of real files (set NAVMAP_CORPUS)");
    }
    found
}

/// The root of the project, from any of its packages.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("tests/kit lies two folders deep")
        .to_owned()
}

/// The bundled folder `corpus/` of the project.
pub fn bundled() -> PathBuf {
    project().join("corpus")
}

/// Folders of the bundled corpus with faulty files: `hostile/` is refused, or read with errors among its findings; `odd/` is
/// read, with findings.
const APART: [&str; 2] = ["hostile", "odd"];

/// The path of a generated file in the bundled corpus: `hostile/cut.nav` of Quake goes to `corpus/hostile/quake/cut.nav`.
pub fn bundled_path(family: &str, path: &str) -> PathBuf {
    match path.split_once('/') {
        Some((apart, rest)) if APART.contains(&apart) => bundled().join(apart).join(family).join(rest),
        _ => bundled().join(family).join(path),
    }
}

/// All rows of a family's bundled manifests, under the paths that the generator gives: `hostile/cut.nav`.
pub fn bundled_rows(family: &str) -> Vec<Row> {
    let mut rows = manifest(&bundled().join(family));
    for apart in APART {
        let folder = bundled().join(apart).join(family);
        if folder.exists() {
            rows.extend(manifest(&folder).into_iter().map(|mut row| {
                let name = format!("{apart}/{}", row.name());
                row.cells.insert("path".to_owned(), name);
                row
            }));
        }
    }
    rows
}

/// One row of a manifest, by column name.
#[derive(Debug, Clone)]
pub struct Row {
    /// The file on disk.
    pub path: PathBuf,
    cells: HashMap<String, String>,
}

impl Row {
    /// A column's text; empty if the manifest lacks the column.
    pub fn text(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
    /// A column's number; `None` if it is empty or not a number.
    pub fn number(&self, column: &str) -> Option<u64> {
        self.text(column).parse().ok()
    }
    /// The path as the manifest gives it.
    pub fn name(&self) -> &str {
        self.text("path")
    }
    /// The file's bytes.
    pub fn read(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_else(|e| panic!("{}: {e}", self.path.display()))
    }
}

/// All rows of `<folder>/MANIFEST.tsv`.
pub fn manifest(folder: &Path) -> Vec<Row> {
    let path = folder.join("MANIFEST.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let rows: Vec<Row> = lines
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let cells: HashMap<_, _> =
                head.iter().zip(line.split('\t')).map(|(k, v)| (k.to_string(), v.to_string())).collect();
            Row { path: folder.join(&cells["path"]), cells }
        })
        .collect();
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    rows
}
