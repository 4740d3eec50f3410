//! A packed lump of a map, which may be anything: the first bytes say which one, and how large it claims to be.
#![no_main]

use navmap::bsp::{BspMap, Contents, FloorPlan};
use navmap::Limits;
use navmap_testkit::maps::source_yard;
use std::sync::LazyLock;

static MAP: LazyLock<Vec<u8>> = LazyLock::new(source_yard);
/// Bytes of the head of a map before its lumps, and of each.
const HEAD: usize = 8;
const LUMP: usize = 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

fn run_on(bytes: &[u8]) {
    let Some(([number, low, high], packed)) = bytes.split_first_chunk() else { return };
    let mut map = MAP.clone();
    let (at, len) = (map.len() as u32, packed.len() as u32 + 4);
    let size = u32::from(u16::from_le_bytes([*low, *high]));
    let entry = HEAD + LUMP * usize::from(number % 64);
    let version = map[entry + 8..entry + 12].to_vec();
    let head = [&at.to_le_bytes()[..], &len.to_le_bytes(), &version, &size.to_le_bytes()].concat();
    map[entry..entry + LUMP].copy_from_slice(&head);
    map.extend(b"LZMA");
    map.extend(packed);
    let Ok(map_read) = BspMap::parse(&map) else { return };
    map_read.line([0.0, 0.0, 64.0], [0.0, 0.0, -64.0], Contents::WALK);
    let _ = FloorPlan::read(&map_read, &map, &Limits::default());
    map_read.ladders();
}
