//! Everything there is to do with bytes that may be anything: no panic, no loop without end.

use navmap::bytes::Scratch;
use navmap::format::skyrim::{LoadOrder, NavMap, NavMesh, Plugin, print_records};
use navmap::{Counts, Limits, NavFile, Result};

/// Takes the bytes for a plugin and for a field.
pub(crate) fn exhaust(bytes: &[u8]) {
    let mut scratch = Scratch::new();
    everything(bytes, &mut scratch).ok();
    everything_of_a_mesh(bytes, &mut scratch).ok();
}

/// Does everything there is to do with a plugin.
pub(crate) fn everything(bytes: &[u8], scratch: &mut Scratch) -> Result<()> {
    let plugin = Plugin::parse(bytes, &Limits::default())?;
    let survey = plugin.survey(scratch, &mut Counts::default(), &mut |_| ());
    let check = plugin.check(scratch, &mut |f| assert!(!f.code.is_empty()));
    plugin.info(scratch, &mut std::io::sink()).ok();
    print_records(&plugin, scratch, &mut std::io::sink()).ok();
    assert!(plugin.records().count() <= bytes.len());
    if let Ok(Some(navi)) = plugin.navi() {
        let map = navi.fields(scratch).and_then(NavMap::parse);
        map.map(|map| (map.entries().count(), map.preferred_paths().map(|p| p.map(|p| p.paths().count()))).0)
            .ok();
    }
    let mut order = LoadOrder::new();
    order.push("a.esp", plugin);
    order.check(scratch, &mut |_, _| ());
    survey.and(check)
}

pub(crate) fn everything_of_a_mesh(bytes: &[u8], scratch: &mut Scratch) -> Result<()> {
    NavMesh::parse_missing_counts(bytes, 0).ok();
    let mesh = NavMesh::parse(bytes)?;
    mesh.check(scratch, &mut |f| assert!(f.at.offset.is_none_or(|at| at <= bytes.len() as u64), "{f}"))?;
    mesh.info(scratch, &mut std::io::sink())
}
