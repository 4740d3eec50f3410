//! Writes the bundled folder `corpus/`. Running it again changes no byte: `cargo run -p navmap-testkit --bin make-corpus`.

use navmap_testkit::{Made, corpus};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of a family's folder, and its files.
type Family = (&'static str, fn() -> Vec<Made>);

const FAMILIES: &[Family] = &[
    ("aas", navmap_testkit::aas::files),
    ("bsp", navmap_testkit::maps::files),
    ("detour", navmap_testkit::detour::files),
    ("fox", navmap_testkit::fox::files),
    ("nodegraph", navmap_testkit::nodegraph::files),
    ("pathgrid", navmap_testkit::skyrim::pathgrid::files),
    ("quake", navmap_testkit::quake::files),
    ("rcbot", navmap_testkit::rcbot::files),
    ("skyrim", navmap_testkit::skyrim::files),
    ("source", navmap_testkit::source::files),
    ("xray", navmap_testkit::xray::files),
    ("yapb", navmap_testkit::yapb::files),
];

fn main() -> io::Result<()> {
    if corpus::bundled().exists() {
        fs::remove_dir_all(corpus::bundled())?;
    }
    for (family, files) in FAMILIES.iter().copied() {
        let files = files();
        let mut folders: BTreeMap<PathBuf, Vec<Made>> = BTreeMap::new();
        for mut file in files {
            let path = corpus::bundled_path(family, &file.path);
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            fs::write(&path, &file.bytes)?;
            // Each folder of a family's files has its own manifest.
            let apart =
                file.path.split_once('/').filter(|_| path != corpus::bundled().join(family).join(&file.path));
            let (folder, rest) = match apart {
                Some((apart, rest)) => (corpus::bundled().join(apart).join(family), rest.to_owned()),
                None => (corpus::bundled().join(family), file.path.clone()),
            };
            file.path = rest;
            folders.entry(folder).or_default().push(file);
        }
        let (mut count, mut bytes) = (0, 0);
        for (folder, files) in folders {
            count += files.len();
            bytes += files.iter().map(|file| file.bytes.len()).sum::<usize>();
            fs::write(folder.join("MANIFEST.tsv"), manifest(&files))?;
        }
        println!("{family}: {count} files, {bytes} bytes");
    }
    Ok(())
}

/// A row per file, sorted by path: the columns that any file has, `note` last.
fn manifest(files: &[Made]) -> String {
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in files.iter().flat_map(|file| &file.row) {
        if *name != "note" && !columns.contains(name) {
            columns.push(name);
        }
    }
    columns.push("note");
    let mut text = ["path", "bytes"].iter().chain(&columns).copied().collect::<Vec<_>>().join("\t") + "\n";
    let mut paths = BTreeSet::new();
    let mut rows: Vec<String> = files
        .iter()
        .map(|file| {
            assert!(paths.insert(&file.path), "two files of the path {}", file.path);
            let mut cells = vec![file.path.clone(), file.bytes.len().to_string()];
            cells.extend(columns.iter().map(|column| {
                file.row
                    .iter()
                    .find(|(name, _)| name == column)
                    .map_or_else(String::new, |(_, value)| value.clone())
            }));
            cells.join("\t")
        })
        .collect();
    rows.sort();
    text.extend(rows.into_iter().map(|row| row + "\n"));
    text
}
