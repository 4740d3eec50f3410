//! What was read can be written again, byte for byte.

use navmap::format::source::{
    AreaBuf, AreaId, Attributes, HidingSpot, HidingSpotFlags, HidingSpotId, Shape, SourceBuf, SourceNav,
    Visibility, VisibleArea,
};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{Row, bundled_rows, manifest, real};
use navmap_testkit::source::{Shape as Level, level, read, write};

/// Every row that holds a mesh of version 1 to 16, bundled and real.
fn rows() -> Vec<Row> {
    let mut rows = bundled_rows("source");
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("source")));
    }
    rows
}

fn own(bytes: &[u8]) -> navmap::Result<SourceBuf> {
    SourceBuf::read(&SourceNav::parse(bytes)?)
}

#[test]
fn every_mesh_that_can_be_read_is_written_again_byte_for_byte() {
    let mut written = 0;
    for row in rows() {
        let bytes = row.read();
        let Ok(mesh) = own(&bytes) else {
            let real = !row.text("source_repo").is_empty();
            assert!(!real || row.number("version") >= Some(30), "{}", row.name());
            continue;
        };
        written += 1;
        assert!(mesh.encode().unwrap() == bytes, "{}", row.name());
    }
    assert!(written >= 30, "{written}");
}

#[test]
fn made_up_meshes_of_every_version_come_back_byte_for_byte() {
    for seed in 0..20 {
        for version in 1..=16 {
            let subversions: &[u32] = if version < 10 { &[0] } else { &[0, 1, 2, 4, 13, 14] };
            for subversion in subversions {
                let mesh = level(version, Some(*subversion), &Level { cells: 16, ..Level::small(seed) });
                let bytes = write(&mesh);
                let own = own(&bytes).unwrap_or_else(|error| panic!("{version}/{subversion}: {error}"));
                assert!(own.encode().unwrap() == bytes, "{version}/{subversion}, seed {seed}");
            }
        }
    }
}

#[test]
fn the_tail_of_an_older_file_is_written_unless_it_is_cleared() {
    let mut mesh = level(5, None, &Level::small(3));
    let clean = write(&mesh);
    mesh.tail = vec![7; 99];
    let bytes = write(&mesh);
    let mut own = own(&bytes).unwrap();
    assert_eq!(own.tail.len(), 99);
    assert!(own.encode().unwrap() == bytes);
    own.tail.clear();
    assert!(own.encode().unwrap() == clean);
}

#[test]
fn what_is_changed_is_what_another_reader_reads() {
    let bytes = write(&level(16, Some(2), &Level::small(9)));
    let mut mesh = own(&bytes).unwrap();
    let id = mesh.next_area_id().unwrap();
    let mut area = AreaBuf::new(id, Shape::from_extent([0.0, 10.0], [30.0, 50.0], [1.0, 2.0, 3.0, 4.0]));
    area.attributes = Attributes(0x401);
    area.connections[1].push(mesh.areas[0].id);
    area.hiding_spots.push(HidingSpot::new(HidingSpotId::new(99), [5.0, 6.0, 7.0], HidingSpotFlags::EXPOSED));
    area.game_attributes = 0x200000;
    mesh.areas.push(area);

    let model = read(&mesh.encode().unwrap()).unwrap();
    let read = model.areas.last().unwrap();
    assert_eq!((read.id, read.attributes, read.game), (id.get(), 0x401, 0x200000));
    assert_eq!((read.nw, read.se, read.ne_z, read.sw_z), ([0.0, 10.0, 1.0], [30.0, 50.0, 3.0], 2.0, 4.0));
    assert_eq!(read.connections[1], [mesh.areas[0].id.get()]);
    assert_eq!((read.spots[0].id, read.spots[0].position, read.spots[0].flags), (99, [5.0, 6.0, 7.0], 8));
    assert_eq!((read.light, read.occupy, read.place, read.inherit), ([1.0; 4], [0.0; 2], 0, 0));
}

#[test]
fn what_does_not_fit_its_width_is_refused_with_the_area_that_has_it() {
    let mut mesh = SourceBuf::new(5, 0);
    mesh.areas.push(AreaBuf::new(AreaId::new(1), Shape::from_extent([0.0; 2], [9.0; 2], [0.0; 4])));
    mesh.areas.push(AreaBuf::new(AreaId::new(7), Shape::from_extent([9.0; 2], [18.0; 2], [0.0; 4])));
    mesh.areas[1].attributes = Attributes::STAND;
    let refused = |mesh: &SourceBuf| mesh.encode().unwrap_err().to_string();
    let why = "area #7 (record 1): attributes: 0x400 does not fit the 8 bits that the version stores";
    assert_eq!(refused(&mesh), why);
    mesh.head.version = 9;
    assert!(mesh.encode().is_ok());
    mesh.areas[1].attributes = Attributes::STAIRS;
    assert!(mesh.encode().is_ok());
    mesh.areas[1].attributes = Attributes(0x10000);
    assert!(refused(&mesh).ends_with("0x10000 does not fit the 16 bits that the version stores"));
    mesh.areas[1].attributes = Attributes(0);
    let spot = HidingSpot::new(HidingSpotId::new(1), [0.0; 3], HidingSpotFlags(0));
    mesh.areas[0].hiding_spots = vec![spot; 256];
    assert_eq!(refused(&mesh), "area #1 (record 0): hiding spots: 256, the file can count 255");
    mesh.head.version = 17;
    assert!(refused(&mesh).contains("version 17"));
}

#[test]
fn the_next_id_is_above_all_and_never_the_last() {
    let mut mesh = SourceBuf::new(16, 0);
    assert_eq!(mesh.next_area_id().map(|id| id.get()), Some(1));
    let shape = Shape::from_extent([0.0; 2], [9.0; 2], [0.0; 4]);
    mesh.areas = [10, 3].map(|id| AreaBuf::new(AreaId::new(id), shape)).into();
    assert_eq!(mesh.next_area_id().map(|id| id.get()), Some(11));
    mesh.areas[1].id = AreaId::new(u32::MAX - 1);
    assert_eq!(mesh.next_area_id(), None);
    mesh.areas[1].id = AreaId::new(u32::MAX);
    assert_eq!(mesh.next_area_id(), None);
}

#[test]
fn a_long_first_area_takes_no_room_for_others_as_long() {
    let mut mesh = SourceBuf::new(16, 0);
    let area = |id| AreaBuf::new(AreaId::new(id), Shape::from_extent([0.0; 2], [100.0; 2], [0.0; 4]));
    mesh.areas.extend((1..=64).map(area));
    mesh.areas[0].visible_areas = vec![VisibleArea::new(2, Visibility::POTENTIALLY); 2 << 20];
    let (bytes, cost) = cost_of(|| mesh.encode().unwrap());
    assert!(cost.peak_bytes < 16 * bytes.len() as u64, "{} for {} bytes", cost.peak_bytes, bytes.len());
}
