//! Source 2: what is understood can be changed, everything else is carried byte for byte.

use navmap::format::source::source2::{EdgeLink, Source2Buf, Source2Nav};
use navmap::format::source::{AreaId, Source2Attributes};
use navmap_testkit::corpus::{Row, bundled_rows, manifest, real};

fn rows() -> Vec<Row> {
    let mut rows = bundled_rows("source");
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("source")));
    }
    rows.retain(|row| row.number("version") >= Some(30) && Source2Nav::parse(&row.read()).is_ok());
    assert!(rows.len() >= 7, "{}", rows.len());
    rows
}

#[test]
fn every_mesh_is_written_again_byte_for_byte() {
    for row in rows() {
        let bytes = row.read();
        let nav = Source2Nav::parse(&bytes).unwrap();
        assert!(Source2Buf::read(&nav).unwrap().encode().unwrap() == bytes, "{}", row.name());
    }
}

#[test]
fn a_changed_area_leaves_all_others_as_they_were() {
    for row in rows() {
        let bytes = row.read();
        let nav = Source2Nav::parse(&bytes).unwrap();
        let mut mesh = Source2Buf::read(&nav).unwrap();
        mesh.areas[1].attributes = Source2Attributes(0x8000_0000_0000_0012);
        mesh.areas[1].edges[0].push(EdgeLink::new(AreaId::new(77), 3));
        let changed = mesh.encode().unwrap();
        let again = Source2Nav::parse(&changed).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
        for (before, after) in nav.areas().zip(again.areas()) {
            let (before, after) = (before.unwrap(), after.unwrap());
            if before.index() == 1 {
                assert_eq!(after.attributes().bits(), 0x8000_0000_0000_0012, "{}", row.name());
                assert_eq!(after.edges().next().unwrap().last().unwrap().area().get(), 77, "{}", row.name());
                continue;
            }
            let own = |area: &navmap::format::source::PolygonArea<'_>, bytes: &[u8]| {
                bytes[area.offset() as usize..area.end() as usize].to_vec()
            };
            assert!(own(&before, &bytes) == own(&after, &changed), "{}", row.name());
        }
        let (before, after) = (nav.after_areas().unwrap(), again.after_areas().unwrap());
        assert_eq!(
            before.game_data().map(|block| block.bytes()),
            after.game_data().map(|block| block.bytes())
        );
        assert!(after.game_data().is_none_or(|block| block.offset() % 8 == 0), "{}", row.name());
        assert!(after.trailing().is_empty(), "{}", row.name());
    }
}

#[test]
fn what_cannot_be_rewritten_is_refused_with_its_reason() {
    let mut refused = 0;
    for row in rows() {
        let bytes = row.read();
        let nav = Source2Nav::parse(&bytes).unwrap();
        let mut mesh = Source2Buf::read(&nav).unwrap();
        mesh.areas[0].edges.pop();
        let why = mesh.encode().unwrap_err().to_string();
        assert!(why.contains("lists of connections for"), "{}: {why}", row.name());
        mesh.areas.remove(0);
        if nav.after_areas().unwrap().game_data().is_some() {
            let why = mesh.encode().unwrap_err().to_string();
            assert!(
                why.contains("the game's own data about them cannot be rewritten"),
                "{}: {why}",
                row.name()
            );
            refused += 1;
        } else {
            let fewer = mesh.encode().unwrap();
            assert_eq!(Source2Nav::parse(&fewer).unwrap().area_count(), nav.area_count() - 1);
        }
    }
    assert!(refused > 0);
}
