//! Kinds without a magic: their files are told without a name, and nothing else is taken for one.

use navmap::Family;
use navmap::format::{AnyNav, Kind, NavFormat, nodegraph, xray};
use navmap_testkit::corpus;
use std::fs;
use std::path::{Path, PathBuf};

/// Kinds without a magic, what takes a page for theirs, and folders of their files.
type Told = (Kind, fn(&[u8]) -> bool);

const WITHOUT_MAGIC: [Told; 4] = [
    (Kind::Ain, nodegraph::AinNav::recognise),
    (Kind::Respawn, nodegraph::RespawnNav::recognise),
    (Kind::Nod, <nodegraph::NodNav<'static> as NavFormat<'static>>::recognise),
    (Kind::LevelAi, xray::XrayNav::recognise),
];

/// Folders of real files that are named otherwise than their family.
const FOLDERS: [(&str, Family); 2] = [("valve-nodes", Family::NodeGraph), ("xray-ai", Family::Xray)];

/// Where a fuzzer leaves files of every family, which no folder names.
const FUZZED: [&str; 3] = ["tests/fuzz/corpus", "tests/fuzz/artifacts", "tests/fuzz/target"];

fn files(folder: &Path, to: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if FUZZED.iter().any(|folder| path.ends_with(folder)) {
            continue;
        }
        if path.is_dir() { files(&path, to) } else { to.push(path) }
    }
}

fn family_of(path: &Path) -> Option<Family> {
    let has = |name: &str| path.components().any(|part| part.as_os_str() == name);
    let named = Family::ALL.iter().copied().find(|family| has(family.name()));
    named.or_else(|| FOLDERS.iter().find(|(name, _)| has(name)).map(|(_, family)| *family))
}

#[test]
fn files_of_no_magic_are_told_without_their_name_and_nothing_else_is_taken_for_one() {
    let mut paths = Vec::new();
    // The sources are files of no family at all.
    for folder in ["corpus", "crates", "tests", "docs"] {
        files(&corpus::project().join(folder), &mut paths);
    }
    if let Some(real) = corpus::real() {
        files(&real, &mut paths);
    }
    let (mut told, mut others) = (0, 0);
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        let page = &bytes[..bytes.len().min(4096)];
        let damaged =
            path.components().any(|part| part.as_os_str() == "hostile" || part.as_os_str() == "odd");
        for (kind, recognise) in WITHOUT_MAGIC {
            let takes = recognise(page);
            if family_of(&path) != Some(kind.family()) {
                assert!(!takes, "{} is taken for {kind}", path.display());
                others += 1;
            } else if takes && !damaged {
                assert_eq!(Kind::sniff(&bytes, None), Some(kind), "{}", path.display());
                told += 1;
            }
        }
        let readable = !damaged && AnyNav::parse(&bytes, Some(&path), &Default::default()).is_ok();
        if readable && WITHOUT_MAGIC.iter().any(|(kind, _)| family_of(&path) == Some(kind.family())) {
            assert_eq!(Kind::sniff(&bytes, None), Kind::sniff(&bytes, Some(&path)), "{}", path.display());
        }
    }
    assert!(told > 10 && others > 2_000, "{told} {others}");
}
