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
    ("source_encode", &["source/*.nav"]),
    ("edit_script", &["*.navscript"]),
    ("edit_text", &["*_selected.txt"]),
    ("quake", &["quake/*.nav"]),
    ("quake_agree", &["quake/*.nav"]),
    ("navjson", &["*.navjson"]),
    ("detour", &["*.navmesh", "*.navtile", "*.nm", "*.mmtile", "*.mmap", "detour/*.bin", "*.asset"]),
    ("fox", &["*.nav2"]),
    ("fox_agree", &["*.nav2"]),
    ("aas", &["*.aas"]),
    ("fox_encode", &["*.nav2"]),
    ("yapb", &["*.graph", "*.pwf"]),
    ("skyrim_encode", &["*.esp", "*.esm", "*.nvnm"]),
    ("skyrim_payload", &["*.nvnm"]),
    ("skyrim_plugin", &["*.esp", "*.esm", "*.nvnm"]),
    (
        "graph",
        &[
            "*.nav",
            "*.nav2",
            "*.navjson",
            "*.esp",
            "*.nvnm",
            "*.navmesh",
            "*.nm",
            "*.graph",
            "*.pwf",
            "*.aas",
        ],
    ),
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

/// A script of most kinds of commands.
const SCRIPT: &str = "nav_split ~@0,0 x=0 // a cut\nbegin; nav_mark #1; nav_corner_select NE; nav_corner_raise 5; end\n\
    nav_connect #1 #2; nav_disconnect #1 #2; nav_merge #1 #2; nav_splice #1 #3; nav_delete #2\n\
    nav_mark_attribute CROUCH box(0,0,-64,512,512,64)&attr(JUMP)-#1+!all; tf_mark SNIPER_SPOT sel\n\
    nav_place_set --place \"A b\" --new all; nav_place_replace A B; select place(B); nav_flood_select in #1\n\
    nav_subdivide 2 #1; nav_chop_selected #3; nav_make_sniper_spots #4; square_up 2; snap_corners 25\n\
    nav_begin_area 0,0,0; nav_end_area 50,50,0 --like none --connect #1; resize #1 east by=5\n\
    ladder add 0,0,100 0,0,0 32 north --link; nav_ladder_flip L#1; move 1 2 3; nav_compress_id\n\
    clean_links; delete_overlapping; disconnect_drops 64; nav_save_selected --extended all; nav_load; undo 3; redo\n";

/// Two areas as the game writes them, more or less.
const TEXT: &str = "\"Selected Nav Areas\"\n{\n\t\"version\"\t\t\"1\"\n\
    \"1\" { \"NorthWest\" { \"x\" \"0.0\" \"y\" \"0.0\" \"z\" \"0.0\" } \"NorthEast\" { \"z\" \"1\" } \"SouthWest\" { } \
    \"SouthEast\" { \"x\" \"50\" \"y\" \"50\" } \"East\" { \"0\" \"2\" \"5\" \"junk\" } \"Place\" \"Mid\" \"Attributes\" \"-1\" \
    \"HidingSpots\" { \"0\" { \"x\" \"1\" \"flags\" \"3\" } } \"Ladders\" { \"4\" { \"Top\" { } \"Bottom\" { } \"TopLeft\" \"2\" } } }\n\
    2 { NorthWest { x 50 } SouthEast { x 99 y 50 } West { 0 1 } TFAttributes 8 }\n}\n";

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
        ("cuts.navscript", SCRIPT.as_bytes().to_vec()),
        (
            "odd.navscript",
            b"select (#1\n\"open\nnav_merge_mesh x; nav_use_place; undo -1; redo all; nav_split x=".to_vec(),
        ),
        ("two_selected.txt", TEXT.as_bytes().to_vec()),
        (
            "odd_selected.txt",
            b"a{1{NorthWest{x 1 [$X360]}Place b}2{Attributes -1 SouthEast{x 9 y 9 z 9}}//".to_vec(),
        ),
        ("odd.jsonl", b"{\"path\":\"\\u0000\\ud800\"}\n\n{\"path\":1}\n[[[[\n".to_vec()),
    ];
    let sound = sound.into_iter().map(|(name, bytes)| Seed { name: name.to_owned(), bytes });
    let hurt =
        bombs::of_scale(64).into_iter().map(|bomb| Seed { name: bomb.name.to_owned(), bytes: bomb.bytes });
    sound.chain(hurt).collect()
}
