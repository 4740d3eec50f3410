//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::support::{KINDS, Kind, read, rows};
use navmap_core::bytes::Scratch;
use navmap_core::format::NavFormat;
use navmap_core::{Counts, Limits};
use navmap_nodegraph::{AinNav, NodNav, NodeGraphBuf, RespawnNav, TextNav};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::hostile::{cuts, flips};
use navmap_testkit::nodegraph::files;
use std::io::Read;

/// Made files that are read, by form, small ones.
fn sound() -> Vec<(Kind, String, Vec<u8>)> {
    let files = files().into_iter().filter(|file| !file.path.starts_with("hostile/"));
    let kind = |file: &navmap_testkit::Made| {
        let cell =
            |name: &str| file.row.iter().find(|(cell, _)| *cell == name).map(|(_, value)| value.as_str());
        match (cell("form"), cell("version")) {
            (Some("ain-text"), _) => Kind::Text,
            (Some("nod"), _) => Kind::Nod,
            (_, Some("57")) => Kind::Respawn,
            _ => Kind::Ain,
        }
    };
    files.map(|file| (kind(&file), file.path.clone(), file.bytes)).collect()
}

/// Reads bytes as every kind. Returns whether any took them.
fn exhaust(bytes: &[u8]) -> bool {
    let _ = Kind::recognising(bytes);
    let taken = KINDS.map(|kind| read(kind, bytes).is_ok());
    if let Ok(nav) = AinNav::parse(bytes) {
        assert!(
            NodeGraphBuf::from(&nav).encode().unwrap() == bytes,
            "an unchanged file is written as it was"
        );
    }
    taken.contains(&true)
}

fn has_tail(kind: Kind, bytes: &[u8]) -> bool {
    read(kind, bytes).unwrap().survey.iter().any(|finding| finding.code == navmap_core::Finding::TRAILING)
}

#[test]
fn every_cut_is_an_error_that_says_where() {
    for (kind, name, bytes) in sound() {
        // What follows the last record is a finding; the last number of a text cannot be known to be cut.
        let end = match kind {
            Kind::Text => bytes.trim_ascii_end().len() - 2,
            _ if has_tail(kind, &bytes) => continue,
            _ => bytes.len(),
        };
        // The four bytes of a checksum may be missing.
        let whole = |len: usize| kind == Kind::Respawn && name.contains("checksum") && len + 4 >= bytes.len();
        for cut in cuts(&bytes).filter(|cut| cut.len() < end && !whole(cut.len())) {
            let Err(error) = read(kind, cut) else { panic!("{name} cut to {}", cut.len()) };
            assert!(error.position().offset.is_some_and(|at| at <= cut.len() as u64), "{name}: {error}");
        }
    }
}

#[test]
fn every_cut_of_a_real_file_is_an_error() {
    for row in rows() {
        let (kind, bytes) = (Kind::of_row(&row), row.read());
        let step = (bytes.len() / 400).max(1);
        let end = if kind == Kind::Text { bytes.trim_ascii_end().len() - 4 } else { bytes.len() };
        for len in (0..end).step_by(step).chain(end.saturating_sub(64)..end) {
            assert!(read(kind, &bytes[..len]).is_err(), "{} cut to {len}", row.name());
        }
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for (_, name, bytes) in sound() {
        // The tables of a search in the head of a `.nod` are looked at by nobody: each of their bytes costs a check.
        if bytes.len() < 6_000 {
            flips(&bytes, |_, bytes| _ = exhaust(bytes));
            continue;
        }
        let mut flipped = bytes.clone();
        for at in (0..64).chain((64..8_300).step_by(97)).chain(8_300..bytes.len()) {
            for value in [!bytes[at], 0, 0xFF, bytes[at].wrapping_add(1)] {
                flipped[at] = value;
                let _ = read(Kind::Nod, &flipped);
            }
            flipped[at] = bytes[at];
        }
        assert!(exhaust(&bytes), "{name}");
    }
}

#[test]
fn counts_that_no_file_holds_cost_no_memory() {
    for (kind, name, bytes) in sound().into_iter().filter(|(_, _, bytes)| bytes.len() < 9_000) {
        let mut bytes = bytes.clone();
        for at in (0..bytes.len().saturating_sub(3)).filter(|at| at % 2 == 0 && !(64..8_300).contains(at)) {
            let original: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            for value in [u32::MAX, 0x7FFF_FFFF, 0x8000_0000, 0x0100_0000, 0xFFFF, 32_768] {
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let (_, cost) = cost_of(|| match kind {
                    Kind::Ain => AinNav::parse(&bytes).is_ok(),
                    Kind::Respawn => RespawnNav::parse(&bytes).is_ok(),
                    Kind::Nod => NodNav::parse(&bytes).is_ok(),
                    Kind::Text => false,
                });
                assert!(cost.peak_bytes < 2_048, "{name} at {at}: {cost:?}");
            }
            bytes[at..at + 4].copy_from_slice(&original);
        }
    }
}

#[test]
fn walking_allocates_nothing() {
    fn walked<'a, V: NavFormat<'a>>(bytes: &'a [u8], name: &str) {
        let nav = V::open(bytes, &Default::default()).unwrap();
        let (counts, cost) = cost_of(|| {
            let (mut counts, mut scratch) = (Counts::default(), Scratch::new());
            nav.survey(&mut scratch, &mut counts, &mut |_| {}).unwrap();
            counts
        });
        // Each finding has a text.
        let mut found = 0;
        nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| found += 1).unwrap();
        assert!(
            counts.get("nodes").is_some() && cost.calls <= 4 * found,
            "{name}: {cost:?}, {found} findings"
        );
    }
    let real = rows().into_iter().map(|row| (Kind::of_row(&row), row.name().to_owned(), row.read()));
    for (kind, name, bytes) in sound().into_iter().chain(real) {
        match kind {
            Kind::Ain => walked::<AinNav<'_>>(&bytes, &name),
            Kind::Respawn => walked::<RespawnNav<'_>>(&bytes, &name),
            Kind::Nod => walked::<NodNav<'_>>(&bytes, &name),
            Kind::Text => walked::<TextNav<'_>>(&bytes, &name),
        }
        if kind != Kind::Text {
            let (_, cost) = cost_of(|| match kind {
                Kind::Ain => AinNav::parse(&bytes).map(drop),
                Kind::Respawn => RespawnNav::parse(&bytes).map(drop),
                _ => NodNav::parse(&bytes).map(drop),
            });
            assert_eq!(cost.calls, 0, "{name}");
        }
    }
}

#[test]
fn what_is_refused_is_refused_by_name() {
    let error = |bytes: &[u8]| AinNav::parse(bytes).unwrap_err().to_string();
    assert_eq!(
        error(&[0, 0, 0, 37, 0, 0, 0, 1]),
        "byte 0x0: AI node graph of a console (big-endian) version 37: not read, take the file of the PC version"
    );
    assert!(error(b"version https://git-lfs.github.com/spec/v1").contains("Git LFS pointer"));
    assert!(error(&54_i32.to_le_bytes()).contains("Titanfall"));
    assert!(NodNav::parse(&160_i32.to_le_bytes()).unwrap_err().to_string().contains("Xash3D"));
    let text = |text: &[u8]| TextNav::parse(text, &Limits::default()).unwrap_err().to_string();
    assert!(
        text(b"Version\t  30\nNumHulls: 22\n")
            .contains("byte 0x7: AI node graph as text version 30: of Vampire")
    );
    assert_eq!(
        text(b"Version\t 27\nNumNodes: 1\n1,2,x 0"),
        "node 0, byte 0x18: line 3, column 1: no x,y,z where one was expected"
    );
    assert!(error(b"").contains("empty"));
    assert!(error(b"abc").contains("not a navigation mesh"));
    assert!(AinNav::may_be(&[0, 0, 0, 37]) && !AinNav::recognise(&[0, 0, 0, 37]));
}

/// Every file below a folder.
fn files_below(folder: &std::path::Path, each: &mut dyn FnMut(&std::path::Path)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, each) } else { each(&path) }
    }
}

#[test]
fn no_file_of_another_family_is_taken() {
    let mut looked = 0;
    let mut look = |path: &std::path::Path| {
        let own = ["ain", "nod"].iter().any(|own| path.extension().is_some_and(|other| other == *own));
        let mut page = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut page));
        if !own && read.is_ok() {
            assert_eq!(Kind::recognising(&page), [], "{}", path.display());
            looked += 1;
        }
    };
    files_below(&navmap_testkit::corpus::bundled(), &mut look);
    if let Some(real) = navmap_testkit::corpus::real() {
        files_below(&real, &mut look);
    }
    assert!(looked > 100, "{looked}");
}

/// A large file that claims what costs most: every link reaches one node, and every run is the whole pool.
fn crowded(nodes: usize, links: usize) -> Vec<u8> {
    let mut out = vec![0_u8; 8_400 + nodes * (88 + 16) + links * 24 + 2 * nodes];
    let mut put = |at: usize, value: u32| out[at..at + 4].copy_from_slice(&value.to_le_bytes());
    for (at, value) in [(0, 16), (4, 1), (8, 1), (12, 1), (28, nodes), (32, links), (36, 2 * nodes)] {
        put(at, value as u32);
    }
    for node in 0..nodes {
        let at = 8_400 + node * 88;
        put(at, (node as f32).to_bits());
        put(at + 28, 1);
        put(at + 32, links as u32);
        // A hint for each.
        put(at + 80, node as u32);
    }
    for link in 0..links {
        let at = 8_400 + nodes * 88 + link * 24;
        put(at, (link % nodes) as u32);
        put(at + 16, 15);
        put(at + 20, (link as f32).to_bits());
    }
    out
}

#[test]
fn time_is_in_proportion_to_the_file() {
    let time = |work: &dyn Fn()| {
        let start = std::time::Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let nods = [crowded(2_000, 20_000), crowded(8_000, 80_000)];
    let large = |nodes: usize, links: usize| {
        let mut map = navmap_testkit::nodegraph::Graph::default();
        (0..nodes).for_each(|n| _ = map.add([n as f32, 0.0, 0.0], (n % 5) as u8));
        (0..links).for_each(|n| map.join((n % nodes) as i16, 0, |_| 0xFF));
        map.ain(37, 1, 32)
    };
    let ains = [large(2_000, 20_000), large(8_000, 80_000)];
    for (kind, files) in [(Kind::Nod, nods), (Kind::Ain, ains)] {
        let [small, large] = files.each_ref().map(|bytes| time(&|| _ = read(kind, bytes).unwrap()));
        // Four times the file. Quadratic work would take sixteen times as long.
        assert!(large < small * 12.0 + 0.5, "{kind:?}: {small} s, {large} s");
    }
}
