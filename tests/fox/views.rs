//! Parts of a file that the corpus has none of, and ways between nodes, faces and segments.

use crate::survey;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::fox::{
    FaceIndex, FoxBuf, FoxNav, GroupId, NodeIndex, OLDER_VERSION, SegmentIndex, Side, recognise,
};
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::Map;

fn tile() -> Vec<u8> {
    Map { size: [2, 1], columns: 4, ..Map::standalone() }.tile(0, 0).files.remove(0).1
}

#[test]
fn the_older_version_is_read_with_the_same_layout_and_said_to_be() {
    let mut bytes = tile();
    bytes[..4].copy_from_slice(&OLDER_VERSION.to_le_bytes());
    assert!(recognise(&bytes));
    let nav = FoxNav::parse(&bytes).unwrap();
    assert_eq!((nav.summary().version, nav.summary().game), (Some(OLDER_VERSION), None));
    let mut codes = Vec::new();
    nav.check(&mut Scratch::new(), &mut |finding| codes.push(finding.code)).unwrap();
    assert_eq!(codes, ["older-version"]);
    bytes[0] ^= 0x40;
    assert!(!recognise(&bytes) && FoxNav::parse(&bytes).unwrap_err().is_not_mesh());
}

#[test]
fn connect_tile_info_is_handed_out_and_read_as_the_template_says() {
    let mut bytes = tile();
    let search = u32::from_le_bytes(bytes[0x10..0x14].try_into().unwrap()) as usize;
    // One group of one info of two nodes, between the island graphs and the search space.
    let section: Vec<u8> = [6_u16, 9, 11, 1, 1, 2, 0x5678, 0x1234, 1, 4, 2, 7, 0x4003, 8, 0xC004]
        .iter()
        .flat_map(|half| half.to_le_bytes())
        .chain([0; 2])
        .collect();
    assert!(section.len().is_multiple_of(16));
    bytes.splice(search..search, section.iter().copied());
    let moved = (search + section.len()) as u32;
    let size = bytes.len() as u32;
    for (at, value) in [(0x2C, search as u32), (0x10, moved), (0x04, size)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    let nav = FoxNav::parse(&bytes).unwrap();
    let connect = nav.connect_tiles().unwrap().unwrap();
    assert_eq!((connect.bytes(), connect.offset()), (&section[..], search as u64));
    let (groups, infos, nodes) =
        (connect.groups().unwrap(), connect.infos().unwrap(), connect.nodes().unwrap());
    assert_eq!((groups[0].name(), groups[0].infos()), (0x1234_5678, (0, 1)));
    assert_eq!((infos[0].group(), infos[0].nodes()), (4, (0, 2)));
    assert_eq!((nodes[0].node(), nodes[0].face(), nodes[0].side()), (NodeIndex(7), FaceIndex(3), 1));
    assert_eq!((nodes[1].face(), nodes[1].side()), (FaceIndex(4), 3));
    let (result, _, found) = survey(&bytes);
    result.unwrap();
    assert!(found.is_empty(), "{found:?}");

    // Its length is nowhere: what fills it up to the next part is none of it.
    let whole = FoxBuf::from_bytes(&bytes).unwrap();
    let mut short = whole.clone();
    short.connect.truncate(section.len() - 2);
    assert!(short.same_values(&whole) && whole.same_values(&short));
    assert!(FoxBuf::from_bytes(&short.encode_canonical().unwrap()).unwrap().same_values(&short));
    short.connect.pop();
    assert!(!short.same_values(&whole));
}

/// Node → face → node, face → segment → face, both ways, for every node and face.
fn ways_agree(nav: &FoxNav<'_>, name: &str) {
    for group in nav.groups() {
        let group = group.unwrap();
        let mut faces = 0;
        for segment in group.segments() {
            let segment = segment.unwrap();
            let nodes = group.segment_nodes(segment.index());
            assert!(
                group.world().nodes()[nodes].iter().all(|node| node.segment() == segment.index()),
                "{name}"
            );
            for face in segment.faces() {
                let face = face.unwrap();
                assert_eq!(group.segment_of(face.index), Some(segment.index()), "{name}");
                faces += 1;
            }
        }
        assert_eq!(faces, group.mesh().descriptors().len(), "{name}");
    }
}

#[test]
fn faces_know_their_segment_and_segments_their_nodes() {
    ways_agree(&FoxNav::parse(&tile()).unwrap(), "generated");
    let Some(folder) = real() else { return };
    for row in manifest(&folder.join("fox")).iter().filter(|row| row.number("groups").is_some()) {
        // Files of Obj2Nav2 say neither: bases and segment numbers are 0 there.
        ways_agree(&FoxNav::parse(&row.read()).unwrap(), row.name());
    }
}

#[test]
fn nodes_know_a_face_and_faces_their_nodes() {
    let bytes = tile();
    let nav = FoxNav::parse(&bytes).unwrap();
    for group in nav.groups() {
        let group = group.unwrap();
        for node in 0..group.world().nodes().len() as u16 {
            let face = group.world().face_of(NodeIndex(node)).unwrap();
            let sides = group.mesh().face(face).unwrap().nodes().len();
            let back = (0..sides).any(|side| group.node_of(face, side).unwrap() == Some(NodeIndex(node)));
            assert!(back, "node {node} of group {}", group.id());
        }
        assert_eq!(group.node_of(FaceIndex(0), 9).unwrap(), None);
        assert_eq!(group.segment_of(FaceIndex(u16::MAX)), None);
        assert!(group.mesh().face(FaceIndex(u16::MAX)).is_err());
        assert!(group.segment(SegmentIndex(999)).is_err());
        assert!(group.world().links_of(NodeIndex(u16::MAX)).is_err());
    }
    assert_eq!(nav.columns().unwrap(), None);
    assert!(nav.group(Side::PositiveX.group()).unwrap().is_some());
    assert!(nav.group(GroupId(17)).unwrap().is_none());
}

#[test]
fn positions_become_metres_and_back() {
    let bytes = tile();
    let nav = FoxNav::parse(&bytes).unwrap();
    let frame = nav.frame();
    let group = nav.group(GroupId::BODY).unwrap().unwrap();
    for vertex in group.mesh().vertices() {
        assert_eq!(frame.quantise(frame.world(vertex)), Some(vertex.quantised()));
    }
    let [x, y, z] = frame.origin;
    assert_eq!(frame.quantise([x - 1.0, y, z]), None);
    assert_eq!(frame.quantise([f32::NAN, y, z]), None);
    assert!((frame.metres(1270) - 10.0).abs() < 1e-6);
}

#[test]
fn walks_end_after_an_error_and_never_promise_too_much() {
    let mut bytes = tile();
    let nav = FoxNav::parse(&bytes).unwrap();
    let entries = nav.entries().map(|entry| entry.unwrap()).collect::<Vec<_>>();
    let mesh = entries.iter().find(|entry| entry.kind().code() == 1).unwrap();
    let descriptors = mesh.payload_offset() as usize
        + u32::from_le_bytes(mesh.payload()[4..8].try_into().unwrap()) as usize;
    bytes[descriptors + 4..descriptors + 8].copy_from_slice(&0x3_FFFF_u32.to_le_bytes());
    let nav = FoxNav::parse(&bytes).unwrap();
    let group = nav.groups().next().unwrap().unwrap();
    let mut faces = group.mesh().faces();
    assert!(faces.size_hint().1.unwrap() >= 2);
    assert!(faces.next().unwrap().is_ok());
    let error = faces.next().unwrap().unwrap_err();
    assert_eq!(error.position().record, Some(("face", 1)));
    assert!(faces.next().is_none() && faces.next().is_none());
    let mut faces = group.faces();
    assert!(faces.by_ref().any(|face| face.is_err()) && faces.next().is_none());
}
