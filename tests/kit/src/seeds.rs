//! The seeds of the fuzz targets: the bundled corpus, and archives that are sound, damaged or hostile.

use crate::archive as make;
use crate::bombs;
use crate::bsp;
use crate::corpus::bundled;
use crate::found::found;
use crate::hostile;
use crate::props;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// An input of a fuzz target.
#[derive(Debug)]
pub struct Seed {
    /// Unique among the seeds of its target.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

/// A target, and the file name endings of its seeds.
type Target = (&'static str, &'static [&'static str]);

/// Meshes of every family.
const MESHES: &[&str] = &[
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
    "*.ain",
    "*.nod",
    "*.rcw",
    "*.ai",
];

/// Every target there is.
pub const TARGETS: &[Target] = &[
    ("source", &["source/*.nav"]),
    ("source_agree", &["source/*.nav"]),
    ("source_analyze", &["source/*.nav"]),
    ("source_generate", &["*_map.bsp", "bsp/*.bsp"]),
    ("bsp", &["bsp/*.bsp", "last_edge.bsp"]),
    ("bsp_analyze", &["bsp/*.bsp"]),
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
    ("fox_script", &["*.foxscript"]),
    ("import_obj", &["*.obj"]),
    ("import_glb", &["*.glb"]),
    ("yapb", &["*.graph", "*.pwf"]),
    ("nodegraph", &["*.ain", "*.nod"]),
    ("xray", &["*.ai"]),
    ("rcbot", &["*.rcw"]),
    ("skyrim_encode", &["*.esp", "*.esm", "*.nvnm"]),
    ("skyrim_fix", &["damage*.esp", "order/*.esp"]),
    ("skyrim_pathgrid", &["pathgrid/*.esp", "pathgrid/*.esm"]),
    ("skyrim_payload", &["*.nvnm"]),
    ("skyrim_plugin", &["*.esp", "*.esm", "*.nvnm"]),
    ("graph", MESHES),
    ("tables", MESHES),
    ("c_door", MESHES),
    (
        "c_made",
        &["source/*v5.nav", "source/*tf2.nav", "*.nav2", "*.mmtile", "*_map.bsp", "*.graph", "quake/*.nav"],
    ),
    ("edit_any", MESHES),
    ("draw", MESHES),
    ("model", &["*.phy", "*.mdl"]),
    ("lump", &["*.lump"]),
    ("slot", MESHES),
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

/// The longest input used as a seed: a fuzzer tries thousands of changes to each.
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

/// A script of every kind of command on a tile of the Fox Engine.
const FOX_SCRIPT: &str = "attribute 0x0001 island(0) // all of it\nattribute attr_0060 #4.1 --drop-islands; undo\n\
    attribute 1249 #4.2 --rebuild-islands; merge_islands I#0 I#1; rebuild_islands; drop_islands; undo all; redo 2\n\
    unlink #4.0 #4.1; link #4.0 #4.1; delete F#4.3+F#4.4; delete #4.2&box(-999,-999,999,999)-attr(0x8001)\n\
    begin; move 0 1.5 0; tile 101,102 --grid 2 --drop-links; end; select faces(0,0,0,9,9,9)+~@-60,-60+!group(4)\n\
    delete sel --alone; attribute 0xFFFF all; status; help delete\n\
    raise 0.1 V#4.3; height 2 F#4.9+~V@1,2 --alone; raise -700 vertices(-9,-9,9,9) --rescale --alone; undo 2\n";

/// Squares across two sectors, a fold, a sliver, and every spelling of a corner.
const OBJ: &str = "# a mesh\no group4\nv 0 0 0\nv 20 0 0\nv 20 2 12\nv 0 2 12\nv 20 5 -3\nv 10 0 6.0001\nusemtl attr_04E1\n\
    f 1 4 3\nusemtl attr_0001.001\nf 1/1 3/2/1 -5//2\ng group1\nf 1 2 5\nf 1 2 3 6 \\\n 4\nl 1 2 3\np 1\n";

/// Rectangles along x and y, whole and cut into two, a ramp, and a triangle of neither kind.
const ROOMS: &str = "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nv 200 0 50\nv 200 100 50\nv 300 0 50\nusemtl Hall\n\
    f 1 2 3\nf 1 3 4\nusemtl attr_CROUCH+JUMP\nf 2 5 6 3\nf 5 7 6\n";

/// Waypoints, links both ways and one way, and a path over places that are no waypoints.
const WAYS: &str = "v 0 0 24\nv 64 0 24\nv 64 64 24\nv 80 64 24\nv 96 64 24\np 1 2 3 5\nl 1 2\nusemtl oneway_walk_off_ledge\n\
    l 2 3\nusemtl path\nl 3 4 5\nl 5 4\n";

/// A square of two triangles, moved, scaled and turned, with extras; and a candidate for a line.
fn glb() -> Vec<u8> {
    let json = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"group3","children":[1],"scale":[2,1,2]},{"mesh":0,"rotation":[0,0.7071,0,0.7071],"translation":[4,1,0],"extras":{"nav2_attribute":"0x0060"}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0},{"attributes":{"POSITION":0},"mode":3}]}],"materials":[{"name":"floor"}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":60}]}"#;
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let corners = [[0.0_f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 1.0, 9.0], [9.0, 1.0, 0.0]];
    let mut binary: Vec<u8> = corners.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    binary.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|v| v.to_le_bytes()));
    let total = 12 + 8 + json.len() + 8 + binary.len();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((total as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &binary)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

/// A small yard with a step, a fence, and a board over it.
fn yard() -> Vec<bsp::Brush> {
    vec![
        bsp::Brush::solid([-150.0, -150.0, -32.0], [150.0, 150.0, 0.0]),
        bsp::Brush::solid([-150.0, -150.0, 0.0], [-100.0, 150.0, 16.0]),
        bsp::Brush::solid([8.0, -150.0, 0.0], [16.0, 150.0, 40.0]),
        bsp::Brush::solid([50.0, 50.0, 60.0], [150.0, 150.0, 64.0]),
        bsp::Brush::ramp([50.0, -100.0, 0.0], [150.0, -50.0, 60.0]),
    ]
}

/// Its spawns and a ladder.
const YARD: &str = "{ \"classname\" \"worldspawn\" }\n\
    { \"classname\" \"info_player_start\" \"origin\" \"-50 -50 40\" }\n\
    { \"classname\" \"info_player_terrorist\" \"origin\" \"75 0 40\" }\n\
    { \"classname\" \"info_ladder\" \"mins.x\" \"50\" \"mins.y\" \"60\" \"mins.z\" \"0\" \"maxs.x\" \"58\" \"maxs.y\" \"92\" \"maxs.z\" \"64\" }\n";

/// Two areas as the game writes them, more or less.
const TEXT: &str = "\"Selected Nav Areas\"\n{\n\t\"version\"\t\t\"1\"\n\
    \"1\" { \"NorthWest\" { \"x\" \"0.0\" \"y\" \"0.0\" \"z\" \"0.0\" } \"NorthEast\" { \"z\" \"1\" } \"SouthWest\" { } \
    \"SouthEast\" { \"x\" \"50\" \"y\" \"50\" } \"East\" { \"0\" \"2\" \"5\" \"junk\" } \"Place\" \"Mid\" \"Attributes\" \"-1\" \
    \"HidingSpots\" { \"0\" { \"x\" \"1\" \"flags\" \"3\" } } \"Ladders\" { \"4\" { \"Top\" { } \"Bottom\" { } \"TopLeft\" \"2\" } } }\n\
    2 { NorthWest { x 50 } SouthEast { x 99 y 50 } West { 0 1 } TFAttributes 8 }\n}\n";

/// Seeds that are generated, not stored.
fn made() -> Vec<Seed> {
    let long: Vec<u8> = (0..600u32).map(|i| (i % 7) as u8).collect();
    let members: [make::Member<'_>; 3] = [(b"a.nav", b"0123456789"), (b"x.txt", b"text"), (b"b.nav", &long)];
    let zip = make::deflated_zip(&members);
    let keep = [make::Keep::Preload(3, 0x7FFF), make::Keep::Here, make::Keep::Part(0)];
    let names = ["maps/a.nav", "x.txt", "b.nav"];
    let kept: Vec<_> = (0..3).map(|i| (names[i], members[i].1, keep[i])).collect();
    let nested = make::stored_zip(&[(b"in.zip", &zip), (b"in.bsp", &make::bsp(&zip, 4, true))]);
    let sound: Vec<(&str, Vec<u8>)> = vec![
        ("commands.foxscript", FOX_SCRIPT.as_bytes().to_vec()),
        ("mesh.obj", OBJ.as_bytes().to_vec()),
        ("rooms.obj", ROOMS.as_bytes().to_vec()),
        ("ways.obj", WAYS.as_bytes().to_vec()),
        ("mesh.glb", glb()),
        ("sound.pak", make::pak(&members)),
        ("sound.gma", make::gma(&members)),
        ("sound.fpk", make::fpk(&members)),
        ("sound.tar", make::tar(&members)),
        ("sound.vpk", make::vpk(2, &kept).0),
        ("old.vpk", make::vpk(1, &kept).0),
        ("sound.bsp", make::bsp(&zip, 4, false)),
        ("gold_map.bsp", bsp::gold(&[yard()], YARD)),
        ("source_map.bsp", bsp::source(20, &[yard()], YARD)),
        ("old_source_map.bsp", bsp::source(19, &[yard()], YARD)),
        // The fuzzer found it: behind the last number of an edge there is no other.
        ("last_edge.bsp", bsp::displaced(&[yard()], YARD, u32::MAX)),
        ("wedge.phy", props::phy(&[bsp::Brush::ramp([-32.0, -16.0, 0.0], [32.0, 16.0, 32.0])], false)),
        ("newer.phy", props::phy(&yard(), true)),
        ("box.mdl", props::mdl([-8.0, -8.0, 0.0], [8.0, 8.0, 64.0])),
        // The number of the lump, its size, and the packed bytes: properties, then those of no bytes.
        ("entities.lump", make::hex("00 0000 00000000 06000000 5d00008000 0083fffbffffc0000000")),
        ("planes.lump", make::hex("01 1400 14000000 20000000 5d00008000 0083fffbffffc0000000")),
        ("stored.zip", make::stored_zip(&members)),
        ("sound.zip", zip),
        ("nested.zip", nested),
        ("sound.7z", make::sevenz(&members)),
        ("empty.7z", make::sevenz(&[])),
        // xz's `--format=lzma` of 600 repeating bytes, and of no bytes.
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
    let damaged = [true, false].into_iter().flat_map(|compressed| {
        let name = move |file: &str| format!("damage-{}{file}", if compressed { "" } else { "stored-" });
        let files = crate::skyrim::damage::order_of(compressed);
        files.map(|file| Seed { name: name(file.name), bytes: file.bytes })
    });
    sound.chain(hurt).chain(damaged).collect()
}

/// Runs a target over its seeds, over a few hundred cuts and byte changes of each small one, and over what the fuzzer found, on every
/// core: a target with many seeds takes longer than all others together.
///
/// # Panics
/// If the target has no seeds, or panics itself.
pub fn over(target: &str, run: fn(&[u8])) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    let found = &found(target);
    let (seeds, next) = (&seeds, &AtomicUsize::new(0));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores.min(seeds.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if let Some(seed) = seeds.get(number) {
                        around(&Told { target, seed }, run);
                    } else if let Some(seed) = found.get(number - seeds.len()) {
                        let told = Told { target, seed };
                        run(&told.seed.bytes);
                    } else {
                        break;
                    }
                }
            });
        }
    });
}

/// Runs a target over a seed, its cuts and changes.
fn around(told: &Told<'_>, run: fn(&[u8])) {
    let bytes = &told.seed.bytes;
    run(bytes);
    if bytes.len() > 16 << 10 {
        return;
    }
    let step = (bytes.len() / 40).max(1);
    for cut in hostile::cuts(bytes).step_by(step) {
        run(cut);
    }
    let mut number = 0;
    hostile::flips(bytes, |_, bytes| {
        number += 1;
        if number % (8 * step) == 0 {
            run(bytes);
        }
    });
}

/// Says over which seed a target failed.
struct Told<'t> {
    target: &'t str,
    seed: &'t Seed,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: {}, or a cut or a change of it", self.target, self.seed.name);
        }
    }
}
