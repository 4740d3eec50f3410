//! What was read can be written again, byte for byte.

use crate::agree::assert_agree;
use crate::real::meshes;
use navmap::format::fox::{FaceBuf, FaceList, FoxBuf, FoxNav, LayoutKind, MOST_ENTRIES, SegmentIndex};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::bundled_rows;
use navmap_testkit::fox::Map;

fn own(bytes: &[u8]) -> FoxBuf {
    FoxBuf::from_bytes(bytes).unwrap()
}

#[test]
fn every_file_of_the_games_is_written_again_from_its_values_alone() {
    for row in meshes().iter().filter(|row| !row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        let tile = own(&bytes);
        assert_eq!(tile.layout(), LayoutKind::Canonical, "{}", row.name());
        assert!(tile.encode_canonical().unwrap() == bytes, "{}", row.name());
        assert_eq!(tile.rewritten_sections().unwrap(), 0);
    }
}

#[test]
fn files_of_the_tool_come_back_as_they_are_and_say_what_an_edit_rewrites() {
    let rows = meshes();
    for row in rows.iter().filter(|row| row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        let tile = own(&bytes);
        assert_eq!(tile.layout(), LayoutKind::Obj2Nav2, "{}", row.name());
        assert!(tile.encode().unwrap() == bytes, "{}", row.name());
        // Their layout is not that of the game. As soon as a value changes, the file is laid out anew.
        let rewritten = tile.rewritten_sections().unwrap();
        assert!((2..=6).contains(&rewritten), "{}: {rewritten}", row.name());
        let mut changed = tile.clone();
        changed.groups[0].world.attributes[0] = 1.into();
        let after = changed.encode().unwrap();
        assert!(after != bytes);
        assert_agree(&after, row.name());
        let again = own(&after);
        assert_eq!(again.layout(), LayoutKind::Canonical, "{}", row.name());
        assert!(again.same_values(&changed), "{}", row.name());
    }
}

#[test]
fn bundled_and_made_up_tiles_come_back_byte_for_byte() {
    let mut canonical = 0;
    for row in bundled_rows("fox") {
        let bytes = row.read();
        let Ok(tile) = FoxNav::parse(&bytes).and_then(|nav| FoxBuf::read(&nav)) else { continue };
        assert!(tile.encode().unwrap() == bytes, "{}", row.name());
        canonical += usize::from(tile.layout() == LayoutKind::Canonical);
    }
    assert!(canonical > 5, "{canonical}");
    let split = Map { split: true, quads: true, ..Map::square(2) };
    for map in [Map::standalone(), split, Map { holes: 0, ..Map::square(3) }] {
        for (name, bytes) in map.tiles().flat_map(|tile| tile.files) {
            assert!(own(&bytes).encode_canonical().unwrap() == bytes, "{name}");
        }
    }
}

#[test]
fn bytes_behind_the_end_and_cut_files_are_kept_or_refused() {
    let (_, mut bytes) = Map::standalone().tile(0, 0).files.remove(0);
    let whole = bytes.clone();
    bytes.extend([0xAA; 7]);
    let tile = own(&bytes);
    assert_eq!(tile.layout(), LayoutKind::Raw);
    assert!(tile.encode().unwrap() == bytes);
    assert!(tile.encode_canonical().unwrap() == whole);
    for cut in (0..whole.len()).step_by(97) {
        assert!(FoxBuf::from_bytes(&whole[..cut]).is_err());
    }
}

/// Every limit has its error, which names both numbers.
#[test]
fn what_does_not_fit_is_refused_before_a_byte_is_written() {
    let (_, bytes) = Map::standalone().tile(0, 0).files.remove(0);
    let tile = own(&bytes);
    let refused = |change: &dyn Fn(&mut FoxBuf)| {
        let mut tile = tile.clone();
        change(&mut tile);
        let mut out = vec![1, 2, 3];
        let error = tile.encode_into(&mut out).unwrap_err().to_string();
        assert!(out.is_empty());
        error
    };
    let error = refused(&|tile| {
        let faces = &mut tile.groups[0].mesh.faces;
        let face = faces.get(0).unwrap();
        faces.extend(std::iter::repeat_n(face, 16_384 - faces.len()));
    });
    assert_eq!(error, "group 4: faces: 16384, 16383 fit");
    let error = refused(&|tile| {
        let group = &mut tile.groups[0];
        group.segments.resize(4_096, group.segments[0]);
        group.bounds.resize(4_096, group.bounds[0]);
    });
    assert_eq!(error, "group 4: segments: 4096, 4095 fit");
    let error = refused(&|tile| {
        let world = &mut tile.groups[0].world;
        let inside = world.links().next().unwrap().inside.to_vec();
        while world.nodes.len() < 20_000 {
            world.push_node(world.nodes[0], &inside, None);
            world.positions.push(world.positions[0]);
            world.faces.push(world.faces[0]);
        }
    });
    assert!(
        error.starts_with("group 4: bytes of link records: 1") && error.ends_with(", 131072 fit"),
        "{error}"
    );
    let error = refused(&|tile| {
        let world = &mut tile.groups[0].world;
        world.edges.resize(65_536, world.edges[0]);
    });
    assert_eq!(error, "group 4: edges: 65536, 65535 fit");
    let error = refused(&|tile| tile.groups[0].mesh.vertices.resize(70_000, Default::default()));
    assert_eq!(error, "group 4: vertices: 70000, 65535 fit");
    let error = refused(&|tile| tile.groups[0].world.positions.truncate(3));
    assert!(error.starts_with("group 4: node positions: "), "{error}");
    let error = refused(&|tile| _ = tile.groups[0].world.links.pop());
    assert!(error.starts_with("group 4: halfwords of links: "), "{error}");
    let error = refused(&|tile| tile.groups[0].graph.indices.truncate(3));
    assert!(error.starts_with("group 4: node indices of links: "), "{error}");
    let error = refused(&|tile| {
        let graph = tile.islands[0].islands[0].clone();
        tile.islands[0].islands.resize(4_000, graph);
    });
    assert!(error.starts_with("island graph 0: bytes of an island graph: "), "{error}");
    let error = refused(&|tile| tile.search.as_mut().unwrap().counts = [u32::MAX; 3]);
    assert!(error.starts_with("buckets: "), "{error}");
    let error = refused(&|tile| {
        let group = tile.groups[0].clone();
        tile.groups.resize(MOST_ENTRIES as usize / 4 + 1, group);
    });
    assert_eq!(error, "groups: 1025, 1024 fit");
}

/// Lists are copied whole. So a tile costs as many allocations as it has lists, however long they are.
#[test]
fn writing_into_a_used_buffer_allocates_only_the_plan() {
    let (_, bytes) = Map::square(3).tile(1, 1).files.remove(0);
    let tile = own(&bytes);
    let mut out = Vec::with_capacity(bytes.len());
    let (written, cost) = cost_of(|| tile.encode_into(&mut out));
    written.unwrap();
    assert!(out == bytes);
    assert_eq!(cost.calls, 1, "the plan of the entries");
    let nav = FoxNav::parse(&bytes).unwrap();
    let (_, cost) = cost_of(|| FoxBuf::read(&nav));
    let groups = u64::from(nav.group_count());
    assert!(cost.calls < 60 * groups + 100, "{} for {groups} groups", cost.calls);
}

/// Triangles within their group are kept otherwise than the other faces.
#[test]
fn whatever_is_put_into_a_list_of_faces_comes_out() {
    let plain = FaceBuf::triangle(SegmentIndex(7), [1, 2, 3], [4, 5, 6]);
    let [mut across, mut quad, mut odd] = [plain; 3];
    (across.neighbours, across.groups) = ([0x4001, 0xFFFF, 5, 0], [2, 0xFFFF, 0xFFFF, 0]);
    (quad.quad, quad.corners) = (true, [1, 2, 3, 4]);
    (odd.segment, odd.nodes) = (SegmentIndex(0x1007), [1, 2, 3, 9]);
    let kinds = [plain, across, quad, odd];
    let mut own = FaceList::default();
    let mut plainly: Vec<FaceBuf> = Vec::new();
    for step in 0..64 {
        own.push(kinds[step % 3]);
        plainly.push(kinds[step % 3]);
    }
    for step in 0..2_000 {
        let (at, face) = (step * 37 % 64, kinds[step * 7 / 3 % 4]);
        own.set(at, face);
        plainly[at] = face;
        assert!(own.iter().eq(plainly.iter().copied()), "step {step}");
    }
    own.set(64, plain);
    assert_eq!((own.len(), own.get(64), own.get(63)), (64, None, Some(plainly[63])));
    let again: FaceList = plainly.iter().copied().collect();
    assert!(again == own);
    own.set(0, if plainly[0] == odd { plain } else { odd });
    assert!(again != own);
}
