//! Tiles made from polygons.

use crate::agree::assert_agree;
use crate::real::meshes;
use navmap::bytes::Scratch;
use navmap::format::fox::{Adjacent, BuildOptions, BuildReport, FoxBuf, FoxNav, GroupId};
use navmap::import::{Format, read};
use navmap::{NavFile, Severity};
use navmap_testkit::corpus::real;
use std::collections::BTreeSet;

/// The opaque id that Obj2Nav2 gives to all of its files.
const OPAQUE: [u8; 16] =
    [0x45, 0x08, 0x2D, 0x1A, 0xA9, 0xC1, 0xD9, 0x46, 0x38, 0x38, 0x0A, 0xA5, 0xCD, 0x1C, 0xA7, 0xB7];

pub(super) fn build_with(
    text: &str,
    change: impl FnOnce(&mut BuildOptions<'_>),
) -> navmap::Result<(FoxBuf, BuildReport)> {
    let mut options = BuildOptions::default();
    options.opaque = Some(OPAQUE);
    change(&mut options);
    FoxBuf::build(&read(text.as_bytes(), Format::Obj)?, &options)
}

pub(super) fn build(text: &str) -> (FoxBuf, BuildReport) {
    build_with(text, |_| {}).unwrap()
}

/// A square grid of unit squares, two triangles each.
fn grid(side: usize) -> String {
    let mut text = String::new();
    for z in 0..=side {
        for x in 0..=side {
            text.push_str(&format!("v {x} {} {z}\n", (x * 7 + z * 3) % 5));
        }
    }
    for z in 0..side {
        for x in 0..side {
            let a = z * (side + 1) + x + 1;
            text.push_str(&format!("f {a} {} {} {}\n", a + side + 1, a + side + 2, a + 1));
        }
    }
    text
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) const QUAD: &str = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 4 3\nf 1 3 2\n";
pub(super) const TWO: &str =
    "v 0 0 0\nv 20 0 0\nv 20 2 12\nv 0 2 12\nusemtl attr_04E1\nf 1 4 3\nusemtl attr_0001\nf 1 3 2\n";

#[test]
fn a_square_becomes_exactly_these_bytes() {
    let (tile, report) = build(QUAD);
    assert_eq!(report.warnings(), Vec::<String>::new());
    let bytes = tile.encode().unwrap();
    assert_eq!(bytes.len(), 752);
    let at = |from: usize, len: usize| hex(&bytes[from..from + len]);
    assert_eq!(at(0, 32), "6a2b010cf00200009000000004000000a0020000000000000000000000000000");
    assert_eq!(at(0x34, 8), "6000000028000000");
    assert_eq!(at(0x44, 12), "ff3fffffff3fff0f01000000");
    assert_eq!(
        at(0x60, 40),
        "0100000004000000a00000000000010004000000600200000350000004000000a001000001800000"
    );
    let nav = FoxNav::parse(&bytes).unwrap();
    let group = nav.groups().next().unwrap().unwrap();
    let world = group.world();
    let positions: Vec<_> = world.positions().iter().map(|p| p.quantised()).collect();
    let expected = [[0, 0, 32766], [32766, 0, 65532], [32766, 0, 32766], [65532, 0, 32766], [32766, 0, 0]];
    assert_eq!(positions, expected);
    let edges: Vec<_> = world.edges().iter().map(|e| (e.weight(), e.local_nodes())).collect();
    let expected =
        [(11582, [0, 1]), (8190, [0, 2]), (8190, [1, 2]), (8190, [2, 3]), (8190, [2, 4]), (11582, [3, 4])];
    assert_eq!(edges, expected);
    let references: Vec<_> = world.face_references().iter().map(|face| face.get()).collect();
    assert_eq!(references, [0, 0, 1, 1, 1]);
    assert_eq!(
        at(0x190 + 16 + 72, 28),
        "ffffffff010000010200010200000000".to_owned() + "0000ffffffff000203020304"
    );
    let space = nav.search().unwrap().unwrap();
    let header = space.header();
    assert_eq!((header.origin(), header.y_range(), header.counts()), ([0.0, -32.0, 0.0], 0, [1, 1, 1]));
    assert_eq!((header.side(), header.height(), header.entries_offset(), header.size()), (10, 256, 56, 80));
    assert_eq!(sha256(&bytes), "68df9c960f1cb16a203df0a6e4201fcdafecc9fd2718eb0a69ce565a7695d9fa");
}

#[test]
fn two_attributes_over_two_sectors_become_four_segments() {
    let (tile, _) = build(TWO);
    let bytes = tile.encode().unwrap();
    let nav = FoxNav::parse(&bytes).unwrap();
    let header = nav.header();
    assert_eq!((header.divisors(), header.weight_divisor()), ([3276, 32767, 5461], 819));
    let group = nav.groups().next().unwrap().unwrap();
    let attributes: Vec<_> = group.world().attributes().iter().map(|a| a.get()).collect();
    assert_eq!(attributes, [1, 0x04E1, 1, 0x04E1]);
    let ranges: Vec<_> = group
        .segment_chunk()
        .segments()
        .iter()
        .map(|s| [s.faces(), s.vertices(), s.nodes(), s.edges()].map(|range| (range.start, range.end)))
        .collect();
    let expected = [
        [(0, 1), (0, 3), (0, 3), (0, 3)],
        [(1, 3), (3, 7), (3, 8), (3, 9)],
        [(3, 5), (7, 11), (8, 13), (9, 15)],
        [(5, 6), (11, 14), (13, 16), (15, 18)],
    ];
    assert_eq!(ranges, expected);
    let corners: Vec<_> = group.faces().map(|face| face.unwrap().corners.as_slice().to_vec()).collect();
    assert_eq!(corners, [[0, 1, 2], [3, 4, 5], [3, 5, 6], [7, 8, 9], [7, 9, 10], [11, 12, 13]]);
    let across: Vec<Vec<Option<u16>>> = group
        .faces()
        .map(|face| {
            let face = face.unwrap().face;
            let to = |side| match face.across(side) {
                Some(Adjacent::Face(face)) => Some(face.0),
                _ => None,
            };
            (0..3).map(to).collect()
        })
        .collect();
    let expected = [
        [Some(2), Some(4), None],
        [None, None, Some(2)],
        [Some(1), Some(5), Some(0)],
        [Some(5), None, Some(4)],
        [Some(3), None, Some(0)],
        [None, Some(3), Some(2)],
    ];
    assert_eq!(across, expected);
    let graph = group.segment_graph();
    let links: Vec<Vec<_>> = graph
        .nodes()
        .iter()
        .map(|node| {
            let links = graph.links(node).unwrap();
            let nodes = links.crossings().map(<[u8]>::to_vec);
            links.inside.iter().zip(nodes).map(|(l, n)| (l.segment().0, l.weight(), n, l.back())).collect()
        })
        .collect();
    let expected = [
        vec![(1, 0, vec![0], 0), (2, 6552, vec![1], 0)],
        vec![(0, 996, vec![4], 0), (3, 7668, vec![3], 0)],
        vec![(0, 1638, vec![4], 1), (3, 4981, vec![0], 1)],
        vec![(1, 1638, vec![2], 1), (2, 0, vec![1], 1)],
    ];
    assert_eq!(links, expected);
    let crossing = group.world().nodes().iter().filter(|node| node.crossing_bits() != 0).count();
    assert_eq!((crossing, nav.search().unwrap().unwrap().header().counts()), (8, [2, 1, 2]));
    assert_eq!(bytes.len(), 1456);
    assert_eq!(sha256(&bytes), "72b7279bb522810e5fce76fab69b11730c047264d358483790d30aff13d6cfee");
}

#[test]
fn inputs_of_the_tool_become_smaller_files_without_findings() {
    let Some(folder) = real() else { return };
    // Bytes, segments, faces, vertices, nodes, edges, turned, crossing nodes.
    let expected = [
        ("obj2nav2/gen_a_tri", [2_000, 5, 9, 19, 23, 27, 1, 10]),
        ("obj2nav2/gen_b_quad", [6_976, 16, 44, 76, 104, 132, 2, 60]),
        ("obj2nav2/gen_c_rand", [33_344, 25, 302, 331, 608, 906, 70, 264]),
        ("obj2nav2/gen_d_islands", [7_088, 14, 42, 70, 98, 126, 4, 48]),
        ("broken/obj2nav2_degenerate_plane", [1_648, 4, 8, 16, 20, 24, 2, 8]),
    ];
    for (name, counts) in expected {
        let text = std::fs::read_to_string(folder.join(format!("fox/{name}.input.obj"))).unwrap();
        let (tile, report) = build(&text);
        let bytes = tile.encode().unwrap();
        let group = &tile.groups[0];
        let crossing = group.world.crossings().flatten().count();
        let found = [
            bytes.len(),
            group.segments.len(),
            group.mesh.faces.len(),
            group.mesh.vertices.len(),
            group.world.nodes.len(),
            group.world.edges.len(),
            report.turned as usize,
            crossing,
        ];
        assert_eq!(found, counts, "{name}");
        assert_agree(&bytes, name);
        clean(&bytes, name);
    }
}

/// Nothing is found in a file, not even a deviation.
pub(super) fn clean(bytes: &[u8], name: &str) {
    let nav = FoxNav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| {
        assert!(finding.severity < Severity::Deviation, "{name}: {finding}");
    })
    .unwrap();
}

type Face = [[u16; 3]; 3];

/// The faces of a group that have an area seen from above, each from its least corner on, and the pairs that are
/// neighbours.
fn shape(bytes: &[u8], group: GroupId) -> (BTreeSet<Face>, BTreeSet<(Face, Face)>) {
    let nav = FoxNav::parse(bytes).unwrap();
    let Some(group) = nav.group(group).unwrap() else { return Default::default() };
    let vertices = group.mesh().vertices();
    let faces: Vec<Face> = group
        .faces()
        .map(|face| {
            let corners = face.unwrap().corners;
            let mut face: Face =
                std::array::from_fn(|i| vertices[usize::from(corners.as_slice()[i])].quantised());
            let least = (0..3).min_by_key(|i| face[*i]).unwrap();
            face.rotate_left(least);
            face
        })
        .collect();
    let area = |[a, b, c]: &Face| {
        let n = |v: u16| i64::from(v);
        (n(b[2]) - n(a[2])) * (n(c[0]) - n(a[0])) - (n(b[0]) - n(a[0])) * (n(c[2]) - n(a[2]))
    };
    let upright = |face: &Face| {
        let [a, b, c] = *face;
        if area(face) < 0 { [a, c, b] } else { *face }
    };
    let mut pairs = BTreeSet::new();
    for face in group.faces() {
        let face = face.unwrap();
        for side in 0..3 {
            if let Some(Adjacent::Face(to)) = face.face.across(side) {
                let (a, b) = (&faces[face.index.index()], &faces[to.index()]);
                if area(a) != 0 && area(b) != 0 {
                    pairs.insert((upright(a), upright(b)));
                }
            }
        }
    }
    (faces.iter().filter(|face| area(face) != 0).map(upright).collect(), pairs)
}

/// The body of a tile as text with as many digits as our own export gives.
fn text(bytes: &[u8], group: GroupId) -> String {
    let nav = FoxNav::parse(bytes).unwrap();
    let mut text = String::new();
    let Some(group) = nav.group(group).unwrap() else { return text };
    let mut next = 1;
    for face in group.faces() {
        let face = face.unwrap();
        for corner in face.corners.as_slice() {
            let [x, y, z] = nav.frame().world(&group.mesh().vertices()[usize::from(*corner)]);
            text.push_str(&format!("v {x} {y} {z}\n"));
        }
        text.push_str(&format!("f {} {} {}\n", next, next + 1, next + 2));
        next += 3;
    }
    text
}

#[test]
fn bodies_of_the_games_come_back_from_text_face_by_face() {
    let mut rebuilt = 0;
    for row in meshes().iter().filter(|row| !row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        let like = FoxBuf::from_bytes(&bytes).unwrap();
        for body in [GroupId::BODY, GroupId(5)] {
            let text = text(&bytes, body);
            if text.is_empty() {
                continue;
            }
            let scene = read(format!("o group{body}\n{text}").as_bytes(), Format::Obj).unwrap();
            let mut options = BuildOptions::default();
            options.like = Some(&like);
            let (tile, _) = FoxBuf::build(&scene, &options).unwrap_or_else(|e| panic!("{}: {e}", row.name()));
            let ours = tile.encode().unwrap();
            let ((theirs, sides), (faces, pairs)) = (shape(&bytes, body), shape(&ours, body));
            assert!(theirs == faces, "{}: {} faces, {} rebuilt", row.name(), theirs.len(), faces.len());
            assert!(
                sides.is_subset(&pairs),
                "{}: {} of {}",
                row.name(),
                sides.difference(&pairs).count(),
                sides.len()
            );
            rebuilt += 1;
        }
    }
    assert!(real().is_none() || rebuilt >= 26, "{rebuilt}");
}

#[test]
fn an_upright_face_with_a_corner_on_the_line_between_sectors_stays() {
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3\nf 1 3 4\n";
    let (like, _) = build(floor);
    // The decimals lie a little beyond the line at 16 m, and a little off the plane.
    for (x, z) in [("16", "4"), ("16.0000001", "4.0000001"), ("16.0000001", "3.9999999"), ("15.9999999", "4")]
    {
        let text = format!("{floor}v 14 0 4\nv {x} 0 {z}\nv 15 1 4\nf 5 6 7\n");
        let scene = read(text.as_bytes(), Format::Obj).unwrap();
        let mut options = BuildOptions::default();
        options.like = Some(&like);
        let (tile, report) = FoxBuf::build(&scene, &options).unwrap();
        let bytes = tile.encode().unwrap();
        let nav = FoxNav::parse(&bytes).unwrap();
        let group = nav.group(GroupId::BODY).unwrap().unwrap();
        let high = group.faces().filter(|face| {
            let corners = face.as_ref().unwrap().corners;
            let height = |v: &u16| nav.frame().world(&group.mesh().vertices()[usize::from(*v)])[1];
            corners.as_slice().iter().any(|v| height(v) > 0.5)
        });
        assert_eq!((high.count(), report.dropped), (1, 0), "{x} {z}");
    }
}

/// The games' tiles have faces between three corners on a line, which have no area at all.
#[test]
fn every_face_of_every_group_of_the_games_comes_back() {
    let mut rebuilt = 0;
    for row in meshes().iter().filter(|row| !row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        let like = FoxBuf::from_bytes(&bytes).unwrap();
        let groups: Vec<GroupId> = like.groups.iter().map(|group| GroupId(group.id.index())).collect();
        let mut all = String::new();
        let mut vertices = 0;
        for group in &groups {
            let own = text(&bytes, *group);
            // Each group counts its own vertices from 1.
            all.push_str(&format!("o group{group}\n"));
            for line in own.lines() {
                match line.strip_prefix("f ") {
                    Some(corners) => {
                        let corners =
                            corners.split(' ').map(|v| (v.parse::<usize>().unwrap() + vertices).to_string());
                        all.push_str(&format!("f {}\n", corners.collect::<Vec<_>>().join(" ")));
                    }
                    None => all.push_str(&format!("{line}\n")),
                }
            }
            vertices += own.lines().filter(|line| line.starts_with("v ")).count();
        }
        if vertices == 0 {
            continue;
        }
        let scene = read(all.as_bytes(), Format::Obj).unwrap();
        let mut options = BuildOptions::default();
        options.like = Some(&like);
        let (tile, report) =
            FoxBuf::build(&scene, &options).unwrap_or_else(|e| panic!("{}: {e}", row.name()));
        let ours = tile.encode().unwrap();
        for group in groups {
            let ((theirs, _), (faces, _)) = (shape(&bytes, group), shape(&ours, group));
            assert!(theirs == faces, "{} {group}: {} faces, {}", row.name(), theirs.len(), faces.len());
        }
        let counts =
            |tile: &FoxBuf| tile.groups.iter().map(|group| group.mesh.faces.len()).collect::<Vec<_>>();
        assert_eq!((report.dropped, report.flat), (0, 0), "{}", row.name());
        assert_eq!(counts(&tile), counts(&like), "{}", row.name());
        rebuilt += 1;
    }
    assert!(real().is_none() || rebuilt >= 26, "{rebuilt}");
}

#[test]
fn heights_beyond_the_frame_of_an_older_tile_are_refused_and_not_cut_off() {
    let floor = |y: f64| format!("v 0 {y} 0\nv 0 {y} 20\nv 20 {y} 20\nv 20 0 0\nf 1 2 3\nf 1 3 4\n");
    let (like, _) = build(&floor(2.0));
    let rebuilt = |text: &str| {
        let scene = read(text.as_bytes(), Format::Obj).unwrap();
        let mut options = BuildOptions::default();
        options.like = Some(&like);
        FoxBuf::build(&scene, &options).map(|(tile, _)| tile)
    };
    assert!(rebuilt(&floor(1.0)).is_ok());
    for (y, said) in [(3.0, "from 0 to 3 m on y"), (-1.0, "from -1 to 0 m on y")] {
        let why = rebuilt(&floor(y)).unwrap_err().to_string();
        assert!(why.contains(said) && why.contains("the frame of --like from 0 to 2"), "{why}");
    }
    let wide = floor(1.0).replace("20", "30");
    assert!(rebuilt(&wide).unwrap_err().to_string().contains("on x, the frame of --like"));
}

#[test]
fn several_groups_are_joined_over_their_sides() {
    let text =
        format!("{}v 8 0 0\nv 8 0 4\no group1\nf 2 3 6\nf 2 6 5\n", QUAD.replace("f 1 4", "o group4\nf 1 4"));
    let (tile, _) = build(&text);
    let bytes = tile.encode().unwrap();
    clean(&bytes, "two groups");
    assert_agree(&bytes, "two groups");
    let ids: Vec<_> = tile.groups.iter().map(|group| group.id.group().0).collect();
    assert_eq!(ids, [1, 4]);
    let nav = FoxNav::parse(&bytes).unwrap();
    let joined = |id: u16| {
        let group = nav.group(GroupId(id)).unwrap().unwrap();
        let across = group.faces().flat_map(|face| {
            let face = face.unwrap().face;
            (0..3).filter_map(move |side| face.across(side))
        });
        across.filter(|across| matches!(across, Adjacent::Group { group, .. } if group.0 == 5 - id)).count()
    };
    assert_eq!((joined(1), joined(4)), (1, 1));
}

#[test]
fn what_does_not_fit_is_told_with_line_number_and_limit() {
    let error = |text: &str| build_with(text, |_| {}).unwrap_err().to_string();
    assert_eq!(error("v 0 0 0\n"), "mesh: no faces");
    assert_eq!(
        error("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        "mesh: no faces: 1 triangles have no area seen from above"
    );
    let far = "v 0 0 0\nv 70000 0 0\nv 0 0 4\nf 1 3 2\n";
    assert_eq!(error(far), "extent: 70000 m on x, 65535 fit");
    let named = QUAD.replace("f 1 4", "usemtl road\nf 1 4");
    assert_eq!(error(&named), "mesh: line 6: material \"road\" has no attribute");
    let named = QUAD.replace("f 1 4", "usemtl attr_12345\nf 1 4");
    assert_eq!(error(&named), "mesh: line 6: attribute attr_12345 has more than 4 hex digits");
    let wide = "v 0 0 0\nv 4000 0 0\nv 4000 0 4000\nv 0 0 4000\nf 1 4 3 2\n";
    assert_eq!(error(wide), "group 4: faces: 125000, 16383 fit");
    let wider = wide.replace("4000", "10000");
    assert_eq!(error(&wider), "mesh: more than 262152 pieces of sectors: raise --sector");
    let many = grid(70);
    let error = build_with(&many, |options| options.sector = 1.0).unwrap_err().to_string();
    assert_eq!(error, "group 4: segments: 4900, 4095 fit: raise --sector");
    let error = build_with(QUAD, |options| options.origin = Some([1.0, 0.0, 0.0])).unwrap_err().to_string();
    assert_eq!(error, "extent: the faces reach from 0 to 4 m on x, the tile from 1 to 4");
    // A known name, and one that a modelling program has numbered.
    let named =
        QUAD.replace("f 1 4", "usemtl road.001\nf 1 4").replace("f 1 3", "usemtl attr_8001.002\nf 1 3");
    let (tile, _) = build_with(&named, |options| _ = options.attributes.insert("road".into(), 0x60)).unwrap();
    let attributes: Vec<_> = tile.groups[0].world.attributes.iter().map(|a| a.get()).collect();
    assert_eq!(attributes, [0x60, 0x8001]);
}

/// SHA-256, for the vectors: a plain one, checked against a known hash below.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let primes: Vec<u64> = (2_u64..).filter(|n| (2..*n).all(|d| n % d != 0)).take(64).collect();
    let fraction = |root: f64| ((root - root.floor()) * 4_294_967_296.0) as u32;
    let mut state: Vec<u32> = primes[..8].iter().map(|p| fraction((*p as f64).sqrt())).collect();
    let k: Vec<u32> = primes.iter().map(|p| fraction((*p as f64).cbrt())).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize(message.len().next_multiple_of(64) + if message.len() % 64 > 56 { 64 } else { 0 }, 0);
    let len = message.len();
    message[len - 8..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks(64) {
        let mut w: Vec<u32> = block.chunks(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
        }
        let mut v: [u32; 8] = state.clone().try_into().unwrap();
        for i in 0..64 {
            let [a, b, c, d, e, f, g, h] = v;
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 =
                h.wrapping_add(s1).wrapping_add((e & f) ^ (!e & g)).wrapping_add(k[i]).wrapping_add(w[i]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            v = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
        }
        state.iter_mut().zip(v).for_each(|(to, v)| *to = to.wrapping_add(v));
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn the_hash_of_the_vectors_is_sha256() {
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
