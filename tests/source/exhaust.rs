//! Everything there is to read in some bytes: shared by the tests and the fuzz targets.

use navmap::bytes::Scratch;
use navmap::format::source::{AreaIndex, Direction, Source2Nav, SourceNav, is_source_2};
use navmap::{Counts, NavFile};

/// Reads everything there is to read; the answer does not matter.
pub(crate) fn exhaust(bytes: &[u8]) {
    let scratch = &mut Scratch::new();
    let counts = &mut Counts::default();
    let _ = navmap::format::source::head(&bytes[..bytes.len().min(4096)], bytes.len() as u64);
    if is_source_2(bytes) {
        let Ok(nav) = Source2Nav::parse(bytes) else { return };
        let _ = nav.survey(scratch, counts, &mut |_| {});
        let _ = nav.check(scratch, &mut |_| {});
        let _ = nav.info(scratch, &mut std::io::sink());
        for area in nav.areas().map_while(Result::ok) {
            assert_eq!(area.edges().count(), area.corner_count());
        }
        return;
    }
    let Ok(nav) = SourceNav::parse(bytes) else { return };
    let _ = nav.survey(scratch, counts, &mut |_| {});
    let _ = nav.check(scratch, &mut |_| {});
    let _ = nav.info(scratch, &mut std::io::sink());
    if let Ok(index) = AreaIndex::build(&nav) {
        let first = index.get(0).map(|area| area.id());
        assert_eq!(first.and_then(|id| index.position(id)), first.map(|_| 0));
    }
    for area in nav.areas().map_while(Result::ok) {
        let _ = area.shape().height_at(0.0, 0.0);
        assert_eq!(area.bytes().len() as u32, area.end() - area.offset());
        let sides: usize = Direction::ALL.iter().map(|side| area.connections(*side).len()).sum();
        assert_eq!(sides, area.connection_count() as usize);
        assert_eq!(area.encounter_paths().count(), area.encounter_path_count() as usize);
    }
}
