//! The bundled corpus: every row of its manifest.

use super::common;
use navmap::format::Kind;
use navmap::format::detour::{self, DetourNav, Links, Order};
use navmap::{NavFile, Severity};
use navmap_testkit::corpus::{self, Row};
use navmap_testkit::detour as kit;

pub(crate) fn rows() -> Vec<Row> {
    corpus::bundled_rows("detour")
}

#[test]
fn the_generator_makes_every_file_again_byte_for_byte() {
    common::is_what_is_made("detour", kit::files().into_iter().map(|made| (made.path, made.bytes)));
}

#[test]
fn every_row_is_read_or_refused_as_its_manifest_says() {
    for row in rows() {
        let bytes = row.read();
        let page = &bytes[..bytes.len().min(4096)];
        assert_eq!(Kind::sniff(page, None), Some(Kind::Detour), "{}", row.name());
        let code = row.text("code");
        match DetourNav::parse(&bytes).and_then(|nav| common::read(&nav)) {
            Err(error) => {
                assert_eq!(row.text("status"), "error", "{}: {error}", row.name());
                assert!(error.position().offset.is_some(), "{}: {error}", row.name());
                assert!(error.to_string().contains(code), "{}: {error}", row.name());
            }
            Ok((counts, found)) => {
                let status = if found.iter().any(|f| f.severity.counts()) { "warning" } else { "ok" };
                assert_eq!(status, row.text("status"), "{}: {found:#?}", row.name());
                common::has_counts(&row, &counts);
                let told = found.iter().find(|finding| finding.code == code);
                assert!(code.is_empty() || told.is_some(), "{}: {code} in {found:#?}", row.name());
                // A gate says which record and which byte.
                if let Some(told) =
                    told.filter(|told| told.severity == Severity::Error && code != "reference-bits")
                {
                    assert!(told.at.record.is_some() && told.at.offset.is_some(), "{}: {told}", row.name());
                }
            }
        }
    }
}

#[test]
fn the_dialect_is_told_and_the_head_says_what_the_file_says() {
    for row in rows().iter().filter(|row| row.text("status") == "ok") {
        let bytes = row.read();
        let nav = DetourNav::parse(&bytes).unwrap();
        assert_eq!(nav.dialect_name(), row.text("dialect"), "{}", row.name());
        assert_eq!(u64::from(nav.version().unwrap_or(0)), row.number("version").unwrap(), "{}", row.name());
        let head = detour::head(&bytes[..bytes.len().min(4096)], bytes.len() as u64).unwrap();
        assert_eq!(head, nav.summary(), "{}", row.name());
        assert_eq!(nav.order() == Order::Big, row.name().contains("-be"), "{}", row.name());
    }
}

#[test]
fn a_swapped_set_has_the_records_of_the_little_endian_one() {
    let tiles = kit::land(7, 2, 2);
    let (little, big) = (kit::set(&tiles, 1, false), kit::set(&tiles, 1, true));
    let (little, big) = (DetourNav::parse(&little).unwrap(), DetourNav::parse(&big).unwrap());
    for (a, b) in little.tiles().zip(big.tiles()) {
        let (a, b) = (a.unwrap(), b.unwrap());
        assert_eq!((a.reference, a.offset()), (b.reference, b.offset()));
        assert_eq!(a.tile.head(), b.tile.head());
        assert_eq!((a.tile.vertices(), a.tile.tree()), (b.tile.vertices(), b.tile.tree()));
        assert_eq!(
            (a.tile.details(), a.tile.detail_vertices()),
            (b.tile.details(), b.tile.detail_vertices())
        );
        assert!(a.tile.off_mesh().iter().eq(b.tile.off_mesh().iter()));
        let corners = |tile: &detour::Tile<'_>| {
            let slots =
                tile.polygons().iter().map(|p| (p.slots().0.to_vec(), p.slots().1.to_vec(), p.flags()));
            slots.collect::<Vec<_>>()
        };
        assert_eq!(corners(&a.tile), corners(&b.tile));
    }
}

trait Offset {
    fn offset(&self) -> u64;
}

impl Offset for detour::TileEntry<'_> {
    fn offset(&self) -> u64 {
        self.tile.offset()
    }
}

#[test]
fn records_lie_in_place_whatever_address_the_file_begins_at() {
    let bytes = kit::set(&kit::land(7, 2, 1), 1, false);
    for shift in 0..4 {
        let mut moved = vec![0; shift];
        moved.extend_from_slice(&bytes);
        let file = &moved[shift..];
        let range = file.as_ptr_range();
        let nav = DetourNav::parse(file).unwrap();
        for entry in nav.tiles() {
            let tile = entry.unwrap().tile;
            assert!(range.contains(&tile.vertices().as_ptr().cast()));
            let at = tile.offset_of(detour::Section::Vertices, 1) as usize;
            assert_eq!(tile.vertices()[1].to_array()[0].to_le_bytes(), file[at..at + 4]);
        }
    }
}

#[test]
fn the_width_of_references_is_told_by_arithmetic_in_a_lone_tile() {
    for wide in [false, true] {
        let mut tile = kit::land(7, 1, 1).remove(0);
        tile.wide = wide;
        let bytes = tile.encode(false);
        let nav = DetourNav::parse(&bytes).unwrap();
        let read = nav.tiles().next().unwrap().unwrap().tile;
        assert_eq!(matches!(read.links(), Links::Wide(_)), wide);
        assert_eq!(read.links().len(), tile.max_links() as usize);
        // Behind the end other bytes are no reason to take it for something else.
        let longer = [&bytes[..], &[0x55; 40]].concat();
        let nav = DetourNav::parse(&longer).unwrap();
        let read = nav.tiles().next().unwrap().unwrap().tile;
        assert_eq!(matches!(read.links(), Links::Wide(_)), wide);
        assert_eq!(read.rest(), [0x55; 40]);
    }
}
