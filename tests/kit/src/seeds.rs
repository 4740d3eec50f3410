//! What the fuzz targets start from: the bundled corpus, and archives that are sound, damaged or made to hurt.

use crate::archive as make;
use crate::bombs;
use crate::corpus::bundled;
use std::fs;
use std::path::Path;

/// An input of a fuzz target.
#[derive(Debug)]
pub struct Seed {
    /// A name that no other seed of its target has.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

/// A target, and what the file names of the seeds that it takes end with.
type Target = (&'static str, &'static [&'static str]);

/// Every target there is.
pub const TARGETS: &[Target] = &[
    ("source", &["source/*.nav"]),
    ("source_agree", &["source/*.nav"]),
    ("source_analyze", &["source/*.nav"]),
    ("quake", &["quake/*.nav"]),
    ("quake_agree", &["quake/*.nav"]),
    ("navjson", &["*.navjson"]),
    ("detour", &["*.navmesh", "*.navtile", "*.nm", "*.mmtile", "*.mmap", "detour/*.bin", "*.asset"]),
    ("fox", &["*.nav2"]),
    ("fox_agree", &["*.nav2"]),
    ("yapb", &["*.graph", "*.pwf"]),
    ("skyrim_payload", &["*.nvnm"]),
    ("skyrim_plugin", &["*.esp", "*.esm", "*.nvnm"]),
    ("graph", &["*.nav", "*.nav2", "*.navjson", "*.esp", "*.nvnm", "*.navmesh", "*.nm", "*.graph", "*.pwf"]),
    ("archive_vpk", &["*.vpk"]),
    ("archive_bsp", &["*.bsp"]),
    ("archive_gma", &["*.gma"]),
    ("archive_pak", &["*.pak"]),
    ("archive_fpk", &["*.fpk"]),
    ("archive_zip", &["*.zip"]),
    ("archive_tar", &["*.tar"]),
    ("archive_gzip", &["*.gz"]),
    ("archive_bzip2", &["*.bz2"]),
    ("archive_xz", &["*.xz"]),
    ("archive_zstd", &["*.zst"]),
    ("archive_lzma", &["*.lzma"]),
    ("archive_sevenz", &["*.7z"]),
    ("resume", &["*.jsonl"]),
];

/// The longest input that is worth a seed: a fuzzer tries thousands of changes of each.
const MOST: usize = 128 << 10;

/// The seeds of a target.
pub fn seeds(target: &str) -> Vec<Seed> {
    let wanted = TARGETS.iter().find(|(name, _)| *name == target).map_or(&[][..], |(_, wanted)| wanted);
    let takes = |name: &str| {
        wanted.iter().any(|pattern| match pattern.split_once('*') {
            Some((folder, end)) => name.contains(folder) && name.ends_with(end),
            None => false,
        })
    };
    let mut seeds = Vec::new();
    walk(&bundled(), &mut |path, bytes| {
        let name = path.strip_prefix(bundled()).unwrap_or(path).to_string_lossy().replace('\\', "/");
        if takes(&name) && bytes.len() <= MOST {
            seeds.push(Seed { name: name.replace('/', "-"), bytes });
        }
    });
    seeds.extend(made().into_iter().filter(|seed| takes(&seed.name) && seed.bytes.len() <= MOST));
    seeds.sort_by(|a, b| a.name.cmp(&b.name));
    seeds
}

fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, Vec<u8>)) {
    for entry in fs::read_dir(folder).expect("the bundled corpus").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, visit);
        } else {
            visit(&path, fs::read(&path).expect("a file of the bundled corpus"));
        }
    }
}

/// Seeds that are made, not stored.
fn made() -> Vec<Seed> {
    let long: Vec<u8> = (0..600u32).map(|i| (i % 7) as u8).collect();
    let members: [make::Member<'_>; 3] = [(b"a.nav", b"0123456789"), (b"x.txt", b"text"), (b"b.nav", &long)];
    let zip = make::deflated_zip(&members);
    let keep = [make::Keep::Preload(3, 0x7FFF), make::Keep::Here, make::Keep::Part(0)];
    let names = ["maps/a.nav", "x.txt", "b.nav"];
    let kept: Vec<_> = (0..3).map(|i| (names[i], members[i].1, keep[i])).collect();
    let nested = make::stored_zip(&[(b"in.zip", &zip), (b"in.bsp", &make::bsp(&zip, 4, true))]);
    let sound: Vec<(&str, Vec<u8>)> = vec![
        ("sound.pak", make::pak(&members)),
        ("sound.gma", make::gma(&members)),
        ("sound.fpk", make::fpk(&members)),
        ("sound.tar", make::tar(&members)),
        ("sound.vpk", make::vpk(2, &kept).0),
        ("old.vpk", make::vpk(1, &kept).0),
        ("sound.bsp", make::bsp(&zip, 4, false)),
        ("stored.zip", make::stored_zip(&members)),
        ("sound.zip", zip),
        ("nested.zip", nested),
        ("sound.7z", make::sevenz(&members)),
        ("empty.7z", make::sevenz(&[])),
        // What `xz --format=lzma` makes of 600 bytes that repeat, and of nothing.
        ("empty.lzma", make::hex("5d00008000ffffffffffffffff0083fffbffffc0000000")),
        (
            "rows.jsonl",
            b"{\"path\":\"a.zip\",\"member\":\"x.nav\"}\n{\"path\":\"b.nav\",\"member\":null}\n{\"pa"
                .to_vec(),
        ),
        ("odd.jsonl", b"{\"path\":\"\\u0000\\ud800\"}\n\n{\"path\":1}\n[[[[\n".to_vec()),
    ];
    let sound = sound.into_iter().map(|(name, bytes)| Seed { name: name.to_owned(), bytes });
    let hurt =
        bombs::of_scale(64).into_iter().map(|bomb| Seed { name: bomb.name.to_owned(), bytes: bomb.bytes });
    sound.chain(hurt).collect()
}
