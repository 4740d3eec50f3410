//! A mesh of a few areas is analysed with any map: no panic, no loop without end, and the same again.
#![no_main]

use navmap::bsp::BspMap;
use navmap::format::source::analyze::{AnalyzeOptions, analyze};
use navmap::format::source::generate::add_ladders;
use navmap::format::source::{AreaBuf, AreaId, Direction, Shape, SourceBuf};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

fn run_on(bytes: &[u8]) {
    let Ok(map) = BspMap::parse(bytes) else { return };
    let (version, subversion) = if bytes.starts_with(b"VBSP") { (16, 1) } else { (5, 0) };
    let mut mesh = SourceBuf::new(version, subversion);
    for id in 1..=4_u32 {
        let x = id as f32 * 200.0 - 600.0;
        let shape = Shape::new([x, -100.0, 0.0], [x + 200.0, 100.0, 0.0], 0.0, 0.0);
        let mut area = AreaBuf::new(AreaId::new(id), shape);
        if id > 1 {
            area.connections_mut(Direction::West).push(AreaId::new(id - 1));
        }
        if id < 4 {
            area.connections_mut(Direction::East).push(AreaId::new(id + 1));
        }
        mesh.areas.push(area);
    }
    let boxes = map.ladders();
    add_ladders(&map, boxes.get(..boxes.len().min(4)).unwrap_or_default(), &mut mesh);
    let options = AnalyzeOptions { full: Some(true), ..AnalyzeOptions::default() };
    let (mut once, mut again) = (mesh.clone(), mesh);
    analyze(&mut once, &options, Some(&map)).expect("a small mesh");
    analyze(&mut again, &options, Some(&map)).expect("a small mesh");
    assert!(once.encode().expect("bytes") == again.encode().expect("bytes"));
}
