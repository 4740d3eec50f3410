//! Real, made and bundled files against the true counts of their manifests.

use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::xray::{Cover, Node, XrayBuf, XrayNav};
use navmap::format::{AnyNav, Kind, ParseOptions};
use navmap::graph::{FlatGraph, LinkKind, NavGraph, Point};
use navmap::query::{BuildOptions, InPlace, NavIndex, Standing, ground_in_place};
use navmap::{Counts, Finding, NavFile, NavFormat, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{Row, bundled_path, bundled_rows, manifest, real};

fn check(bytes: &[u8]) -> Vec<Finding> {
    let nav = XrayNav::parse(bytes).unwrap();
    let (mut found, mut seen) = (Vec::new(), Vec::new());
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |finding| seen.push(finding)).unwrap();
    assert!(seen.iter().all(|finding| found.contains(finding)), "seen by survey and not by check: {seen:?}");
    found
}

fn bundled(name: &str) -> Vec<u8> {
    std::fs::read(bundled_path("xray", name)).unwrap()
}

fn rows() -> Vec<Row> {
    match real().map(|real| real.join("xray-ai")).filter(|folder| folder.is_dir()) {
        Some(folder) => manifest(&folder),
        None => {
            navmap_testkit::skipped("no real grids of X-Ray");
            Vec::new()
        }
    }
}

fn counted(row: &Row, bytes: &[u8]) {
    let nav = XrayNav::parse(bytes).unwrap_or_else(|error| panic!("{}: {error}", row.name()));
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    for (name, count) in counts.iter() {
        assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
    }
    assert_eq!(Some(nav.version().into()), row.number("version"), "{}", row.name());
}

#[test]
fn every_row_has_its_counts_and_is_written_again_byte_for_byte() {
    for row in rows() {
        let bytes = row.read();
        counted(&row, &bytes);
        assert_eq!(Kind::sniff(&bytes, None).map(Kind::name), Some("levelai"), "{}", row.name());
        let nav = XrayNav::parse(&bytes).unwrap();
        assert_eq!(nav.header().cell().to_string(), row.text("cell"), "{}", row.name());
        let guid: String = nav.header().guid().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(guid, row.text("guid"), "{}", row.name());
        assert_eq!(Some(nav.trailing().len() as u64), row.number("trailing"), "{}", row.name());
        assert!(exhaust(&bytes), "{}", row.name());
    }
}

#[test]
fn errors_are_those_that_were_made() {
    for row in rows() {
        let errors = check(&row.read()).into_iter().filter(|finding| finding.severity == Severity::Error);
        let made = row.name().contains("dangling");
        assert_eq!(errors.count() > 0, made, "{}", row.name());
    }
}

#[test]
fn bundled_files_have_the_counts_of_their_manifest() {
    for row in bundled_rows("xray").iter().filter(|row| row.number("nodes").is_some()) {
        let bytes = row.read();
        counted(row, &bytes);
        let worst = check(&bytes).iter().map(|finding| finding.severity).max();
        let status = match worst {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "ok",
        };
        assert_eq!(status, row.text("status"), "{}: {:?}", row.name(), check(&bytes));
    }
}

#[test]
fn every_version_says_the_same() {
    for version in 8..=13 {
        let bytes = bundled(&format!("v{version}.ai"));
        let nav = XrayNav::parse(&bytes).unwrap();
        let node = nav.nodes().get(8).unwrap();
        assert_eq!(nav.square(&node), [1, 1], "{version}");
        assert_eq!(node.links(), [Some(1), Some(9), Some(15), Some(7)], "{version}");
        assert_eq!(node.cover().values(), [1, 0, 0, 1], "{version}");
        assert_eq!(node.low_cover(), (version >= 10).then_some(Cover(0x8421)), "{version}");
        assert_eq!((node.light(), node.plane()), ((version < 13).then_some(5), 0xA3C5), "{version}");
        assert_eq!(node.height(), 1_200, "{version}");
    }
}

#[test]
fn cover_is_told_as_values() {
    for version in 8..=13 {
        let bytes = bundled(&format!("v{version}.ai"));
        let nav = XrayNav::parse(&bytes).unwrap();
        let graph = FlatGraph::of(&nav.graph()).whole().unwrap();
        let values: Vec<_> =
            (0..).zip(graph.value_names()).map(|(number, name)| (name, graph.value_of(number, 8))).collect();
        // Standing 1 0 0 1, crouching 1 2 4 8.
        let standing = [
            ("cover_standing", Some(0.5)),
            ("cover_standing_x_down", Some(1.0)),
            ("cover_standing_z_up", Some(0.0)),
            ("cover_standing_x_up", Some(0.0)),
            ("cover_standing_z_down", Some(1.0)),
        ];
        let crouching = [
            ("cover_crouching", Some(3.75)),
            ("cover_crouching_x_down", Some(1.0)),
            ("cover_crouching_z_up", Some(2.0)),
            ("cover_crouching_x_up", Some(4.0)),
            ("cover_crouching_z_down", Some(8.0)),
        ];
        let expected = match version {
            8 | 9 => [&[("cover", Some(0.5))][..], &standing].concat(),
            _ => [&[("cover", Some(2.125))][..], &standing, &crouching].concat(),
        };
        assert_eq!(values, expected, "{version}");
        for (index, node) in nav.nodes().iter().enumerate() {
            let all =
                node.cover().values().into_iter().chain(node.low_cover().into_iter().flat_map(Cover::values));
            let (sum, count) =
                all.fold((0.0, 0.0), |(sum, count), value| (sum + f32::from(value), count + 1.0));
            assert_eq!(graph.value_of(0, index as u32), Some(sum / count), "{version}: {index}");
        }
    }
}

#[test]
fn a_point_is_found_in_the_file_itself_and_of_two_floors_the_nearer_one() {
    let bytes = bundled("v10.ai");
    let nav = XrayNav::parse(&bytes).unwrap();
    for (index, node) in nav.nodes().iter().enumerate() {
        let [x, y, z] = nav.middle(&node);
        for [dx, dy, dz] in [[0.0, 0.0, 0.0], [0.3, 0.5, -0.3], [-0.3, -0.5, 0.3]] {
            assert_eq!(nav.node_at([x + dx, y + dy, z + dz]), Some(index));
        }
    }
    // In the wall, beside the grid, and nowhere.
    for point in [[2.1, 0.0, 0.0], [-0.4, 0.0, 0.0], [0.0, 0.0, 99.0], [f32::NAN, 0.0, 0.0], [f32::MAX; 3]] {
        assert_eq!(nav.node_at(point), None);
    }
    let (found, cost) = cost_of(|| XrayNav::parse(&bytes).unwrap().node_at([0.0, 3.0, 3.5]));
    assert_eq!((found, cost.calls), (Some(6), 0));
}

#[test]
fn the_ground_under_a_point_is_that_of_an_index_and_costs_nothing() {
    let real = real().map(|real| manifest(&real.join("xray-ai"))).unwrap_or_default();
    let small = |row: &Row| row.path.metadata().is_ok_and(|about| about.len() < 100_000);
    let mut rng = Rng(9);
    let (mut on, mut off) = (0, 0);
    for row in bundled_rows("xray").into_iter().chain(real.into_iter().filter(small)) {
        let bytes = row.read();
        let Ok(nav) = XrayNav::parse(&bytes) else { continue };
        if !nav.nodes().iter().is_sorted_by_key(|node| node.square()) {
            continue;
        }
        // By its kind: versions that no real file has are opened by name alone.
        let any = AnyNav::of_kind(Kind::LevelAi, &bytes, &ParseOptions::new()).unwrap();
        let index = NavIndex::of_with(&any, &BuildOptions::default()).whole().unwrap();
        let (min, max, cell) = (nav.header().min(), nav.header().max(), nav.header().cell());
        for _ in 0..300 {
            let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| {
                let share = rng.below(1_000_000) as f32 / 1_000_000.0;
                min[axis] - 1.0 + share * (max[axis] - min[axis] + 2.0)
            });
            // On the border of two squares the index has both.
            let beside = |at: f32, min: f32| ((at - min) / cell + 0.5).fract().abs().min(1.0);
            if [beside(x, min[0]), beside(z, min[2])].iter().any(|share| !(0.001..0.999).contains(share)) {
                continue;
            }
            let (p, reach) = (Point::new(x, y, z), Some(5.0).filter(|_| rng.below(2) == 0));
            let (found, cost) = cost_of(|| ground_in_place(&any, p, reach));
            assert_eq!(cost.calls, 0);
            let built = index.ground_at(p, reach).map(|(area, z)| (index.node(area), index.id(area), z));
            match found {
                InPlace::On(found) => {
                    let Standing { node, id, z } = found;
                    assert_eq!(built, Some((Some(node), Some(id), z)), "{}: {p:?}", row.name());
                    on += 1;
                }
                InPlace::Off => {
                    assert_eq!(built, None, "{}: {p:?}", row.name());
                    off += 1;
                }
                InPlace::NeedsIndex => panic!("{}", row.name()),
            }
        }
    }
    assert!(on > 100 && off > 100, "{on} {off}");
}

#[test]
fn points_are_found_as_by_looking_at_every_node() {
    let folder = real().map(|real| real.join("xray-ai")).filter(|folder| folder.is_dir());
    let real = folder.map(|folder| manifest(&folder)).unwrap_or_default();
    let mut rng = Rng(5);
    let mut inside = 0;
    for row in bundled_rows("xray").into_iter().chain(real) {
        let bytes = row.read();
        let Ok(nav) = XrayNav::parse(&bytes) else { continue };
        let nodes: Vec<_> = nav.nodes().iter().collect();
        // The search is for nodes in their order, which a check holds.
        if !nodes.is_sorted_by_key(|node| node.square()) {
            continue;
        }
        let (min, max) = (nav.header().min(), nav.header().max());
        for _ in 0..200 {
            let at: [f32; 3] = std::array::from_fn(|axis| {
                let share = rng.below(1_000_000) as f32 / 1_000_000.0;
                min[axis] - 1.0 + share * (max[axis] - min[axis] + 2.0)
            });
            let [column, line] = [0, 2].map(|axis| {
                (f64::from(at[axis] - min[axis]) / f64::from(nav.header().cell()) + 0.5).floor() as i64
            });
            let there = nodes
                .iter()
                .enumerate()
                .filter(|(_, node)| nav.square(node).map(i64::from) == [column, line]);
            let far = |node: &Node<'_>| (nav.middle(node)[1] - at[1]).abs();
            let brute = there.min_by(|(_, a), (_, b)| far(a).total_cmp(&far(b))).map(|(index, _)| index);
            // A point on the border of two squares may belong to either.
            let edge = [0, 2].into_iter().any(|axis| {
                let share = f64::from(at[axis] - min[axis]) / f64::from(nav.header().cell()) + 0.5;
                (share - share.round()).abs() < 1e-3
            });
            assert!(edge || nav.node_at(at) == brute, "{}: {at:?}", row.name());
            inside += usize::from(brute.is_some());
        }
    }
    assert!(inside > 100, "{inside}");
}

#[test]
fn steps_down_are_drops_and_steps_up_are_jumps() {
    let bytes = bundled("odd/drop.ai");
    let nav = XrayNav::parse(&bytes).unwrap();
    let (mut drops, mut jumps) = (0, 0);
    nav.graph()
        .for_each_link(|link| {
            drops += u32::from(link.kind == LinkKind::Drop);
            jumps += u32::from(link.kind == LinkKind::Jump);
        })
        .unwrap();
    assert_eq!((drops, jumps), (2, 1));
    let found = check(&bytes);
    let deep: Vec<_> = found.iter().filter(|finding| finding.code == "deep-drop").collect();
    assert_eq!((deep.len(), deep[0].at.offset), (2, Some(56 + 2 * 23)));
    let one_way = found.iter().find(|finding| finding.code == "one-way").unwrap();
    assert_eq!(one_way.message, "1 of 19 links have none back");
}

#[test]
fn findings_say_what_is_wrong() {
    let found = check(&bundled("odd/values.ai"));
    for code in ["shared-origin", "wrong-neighbour", "node-order", "outside-box", "height-range"] {
        assert!(found.iter().any(|finding| finding.code == code), "{code} in {found:?}");
    }
    let found = check(&bundled("hostile/targets.ai"));
    let dangling = found.iter().find(|finding| finding.code == "dangling-target").unwrap();
    assert_eq!(
        (dangling.message.as_str(), dangling.at.offset),
        ("link 0 leads to node 33 of 33", Some(56 + 2 * 23))
    );
}

/// A file of so many nodes, whose links are those of a list and whose other bytes are of any value.
fn of_links(version: u32, links: &[[Option<u32>; 4]], rng: &mut Rng) -> Vec<u8> {
    let (len, bits) = match version {
        ..=9 => (21, 23),
        10 => (23, 23),
        11 => (24, 25),
        12 => (25, 25),
        _ => (25, 26),
    };
    let mut bytes = bundled("v10.ai")[..56].to_vec();
    bytes[..4].copy_from_slice(&version.to_le_bytes());
    bytes[4..8].copy_from_slice(&(links.len() as u32).to_le_bytes());
    for links in links {
        let mut node: Vec<u8> = (0..len).map(|_| rng.u64() as u8).collect();
        let packed = u128::from_le_bytes(node[..16].try_into().unwrap());
        let packed = links.iter().enumerate().fold(packed, |packed, (at, link)| {
            let (all, shift) = ((1_u128 << bits) - 1, at * bits);
            packed & !(all << shift) | u128::from(link.unwrap_or(all as u32)) << shift
        });
        node[..16].copy_from_slice(&packed.to_le_bytes());
        bytes.extend_from_slice(&node);
    }
    bytes
}

#[test]
fn links_are_counted_two_at_a_time_as_one_by_one() {
    let mut rng = Rng(7);
    for version in 8..=13 {
        for len in [1_u32, 2, 255, 256, 257, 700] {
            for astray in
                [None, Some(len), Some(len + 1), Some((1 << 22) - 1), Some(1 << 22), Some((1 << 23) - 2)]
            {
                let mut links: Vec<[Option<u32>; 4]> = (0..len)
                    .map(|_| {
                        std::array::from_fn(|_| (rng.below(3) != 0).then(|| rng.below(len.into()) as u32))
                    })
                    .collect();
                let wrong = rng.below(len.into()) as usize;
                if let Some(target) = astray {
                    links[wrong][rng.below(4) as usize] = Some(target);
                }
                let bytes = of_links(version, &links, &mut rng);
                let nav = XrayNav::parse(&bytes).unwrap();
                let (mut counts, mut found) = (Counts::default(), Vec::new());
                nav.survey(&mut Scratch::new(), &mut counts, &mut |finding| found.push(finding)).unwrap();
                let there = links.iter().flatten().flatten().count() as u64;
                assert_eq!(
                    counts.iter().nth(1),
                    Some(("links", there)),
                    "version {version}, {len} nodes, {astray:?}"
                );
                found.retain(|finding| finding.code == "dangling-target");
                assert_eq!(
                    found.len(),
                    usize::from(astray.is_some()),
                    "version {version}, {len} nodes, {astray:?}"
                );
                let at = found.first().and_then(|finding| finding.at.record).map(|(_, index)| index);
                assert_eq!(at, astray.map(|_| wrong as u64));
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let bytes = bundled("v10.ai");
    let buf = XrayBuf::from(&XrayNav::parse(&bytes).unwrap());
    type Change = fn(&mut navmap::format::xray::NodeBuf);
    let changes: [Change; 3] =
        [|node| node.links[2] = Some(0x7F_FFFF), |node| node.square = 1 << 24, |node| node.light = 16];
    for change in changes {
        let mut changed = buf.clone();
        change(&mut changed.nodes[3]);
        assert!(changed.encode().is_err());
    }
}

#[test]
fn a_survey_allocates_nothing() {
    let bytes = bundled("v10.ai");
    let (_, cost) = cost_of(|| {
        let nav = XrayNav::parse(&bytes).unwrap();
        let mut counts = Counts::default();
        nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
        counts
    });
    assert_eq!(cost.calls, 0, "{cost:?}");
}
