//! Any mesh is analysed: no panic, no loop without end; analysing the result again changes nothing.
#![no_main]

use navmap::format::source::analyze::{AnalyzeOptions, Spawns, VisibleSets, analyze, flood_places, transfer_places};
use navmap::format::source::{SourceBuf, SourceNav};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_on(bytes));

fn run_on(bytes: &[u8]) {
    let Ok(mesh) = SourceNav::parse(bytes).and_then(|nav| SourceBuf::read(&nav)) else { return };
    let spawns = Spawns { terrorists: vec![[0.0; 3]], counter_terrorists: vec![[100.0, -50.0, 10.0]] };
    let options = AnalyzeOptions { full: Some(true), spawns, ..AnalyzeOptions::default() };
    let mut once = mesh.clone();
    if analyze(&mut once, &options, None).is_err() {
        return;
    }
    let mut twice = once.clone();
    let report = analyze(&mut twice, &options, None).expect("what was analysed can be analysed");
    assert!(report.done.iter().all(|done| done.changed == 0), "{report}");
    let (before, after) = (VisibleSets::decode(&mesh), VisibleSets::decode(&once));
    if let (Ok(before), Ok(after)) = (before, after) {
        assert!(before.iter().eq(after.iter()));
    }
    flood_places(&mut once);
    let _ = transfer_places(&mut twice, &mesh);
}
