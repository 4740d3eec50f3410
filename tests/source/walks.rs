//! Parts that are read on the way are those that are read afterwards.

use navmap::format::source::{Source2Nav, SourceNav};
use navmap_testkit::source as kit;

#[test]
fn paths_read_on_the_way_are_those_asked_for_later() {
    let files = [kit::csgo_shaped(), kit::tf2_shaped()].into_iter();
    let old = (1..=3).map(|version| kit::write(&kit::level(version, None, &kit::Shape::small(3))));
    let mut seen = 0;
    for bytes in files.chain(old) {
        let nav = SourceNav::parse(&bytes).unwrap();
        let (mut areas, mut paths) = (nav.areas(), Vec::new());
        while let Some(area) = areas.next_with_paths(|path| paths.push(format!("{path:?}"))) {
            let later: Vec<_> = area.unwrap().encounter_paths().map(|path| format!("{path:?}")).collect();
            assert!(paths == later);
            seen += paths.len();
            paths.clear();
        }
    }
    assert!(seen > 1000);
}

#[test]
fn edges_read_on_the_way_are_those_asked_for_later() {
    for version in 30..=36 {
        let bytes = kit::write2(&kit::level2(version, u32::from(version >= 35), 40));
        let nav = Source2Nav::parse(&bytes).unwrap();
        let (mut areas, mut edges, mut seen) = (nav.areas(), Vec::new(), 0);
        while let Some(area) = areas.next_with_edges(|edge| edges.push(edge)) {
            let area = area.unwrap();
            assert!(area.edges().eq(edges.iter().copied()));
            assert_eq!(area.connection_count(), edges.iter().map(|edge| edge.len()).sum::<usize>());
            seen += area.connection_count();
            edges.clear();
        }
        assert!(seen > 0);
    }
}
