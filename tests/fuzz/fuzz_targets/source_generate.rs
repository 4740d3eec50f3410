//! A mesh is generated of any map, analysed, and generated into from elsewhere: no panic, no loop without end, no more nodes
//! than were allowed; what is made can be written and read, and nothing is lost of what was there.
#![no_main]

use navmap::bsp::{BspMap, Engine};
use navmap::format::source::analyze::{self, analyze};
use navmap::format::source::generate::{Game, GenerateOptions, extend, generate};
use navmap::format::source::{SourceBuf, SourceNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

/// Damage may open a map to the void, which has no end.
const MOST: u32 = 400;

fn run_on(bytes: &[u8]) {
    let Ok(map) = BspMap::parse(bytes) else { return };
    let game = match map.engine() {
        Engine::GoldSrc => Game::ConditionZero,
        Engine::Source => Game::ALL[1 + bytes.len() % 4],
    };
    let mut seeds = map.seeds(game).unwrap_or_default();
    seeds.truncate(7);
    seeds.push([0.0, 0.0, 40.0]);
    let mut ladders = map.ladders();
    ladders.truncate(8);
    let range = Some(200.0);
    let options = GenerateOptions { seeds, ladders, range, most_nodes: MOST, ..GenerateOptions::new(game) };
    let Ok((mut mesh, report)) = generate(&map, &options) else { return };
    assert!(report.nodes <= u64::from(MOST) && report.areas as usize == mesh.areas.len(), "{report}");
    let written = mesh.encode().expect("what was made can be written");
    let read = SourceNav::parse(&written).and_then(|nav| SourceBuf::read(&nav)).expect("and read");
    assert_eq!(read.areas.len(), mesh.areas.len());
    let before = mesh.clone();
    let options = GenerateOptions { seeds: vec![[150.0, 150.0, 40.0], [-90.0, 0.0, 90.0]], ..options };
    if extend(&map, &mut mesh, &options).is_ok() {
        assert!(mesh.areas.len() > before.areas.len() && mesh.ladders == before.ladders);
        for (area, was) in mesh.areas.iter().zip(&before.areas) {
            assert_eq!((area.id, area.attributes, area.shape), (was.id, was.attributes, was.shape));
            assert!(was.connections.iter().zip(&area.connections).all(|(was, is)| is.starts_with(was)));
        }
    } else {
        assert!(mesh == before);
    }
    // Where a map is hostile, so may its mesh be: an error is one, a panic is not.
    let _ = analyze(&mut mesh, &analyze::AnalyzeOptions::default(), Some(&map));
    mesh.encode().expect("what was analysed can be written");
}
