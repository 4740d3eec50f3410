//! Writers and converters: nothing changes by itself, every loss is named, nothing is wrapped.

use navmap::Severity;
use navmap::format::quake::{EdictKey, QuakeBuf, QuakeNav, Version};
use navmap_testkit::quake::{self as kit, VERSIONS, sample};

fn version((family, number): kit::Version) -> Version {
    if family == 2 { Version::nav2(number) } else { Version::nav3(number) }
}

fn graph(from: kit::Version) -> QuakeBuf {
    QuakeBuf::from(&QuakeNav::parse(&sample(from).encode(from)).unwrap())
}

/// The losses of a conversion, by severity and code, and what came of it.
fn convert(
    from: kit::Version,
    to: kit::Version,
) -> (Vec<(Severity, &'static str)>, navmap::Result<QuakeBuf>) {
    let mut losses = Vec::new();
    let made = graph(from).convert(version(to), &mut |loss| losses.push((loss.severity, loss.code)));
    (losses, made)
}

#[test]
fn an_untouched_file_is_written_back_byte_for_byte() {
    let mut files: Vec<_> = VERSIONS.iter().map(|v| (format!("{v:?}"), sample(*v).encode(*v))).collect();
    files.push(("grid".into(), kit::grid(65_536, 1).encode((2, 15))));
    for row in super::real::navs().iter().chain(&super::corpus::rows()) {
        files.push((row.name().to_string(), row.read()));
    }
    let mut written = 0;
    for (name, bytes) in files {
        let Ok(nav) = QuakeNav::parse(&bytes) else { continue };
        let encoded = QuakeBuf::from(&nav).encode().unwrap();
        assert!([&encoded, nav.trailing()].concat() == bytes, "{name}");
        written += 1;
    }
    assert!(written > 30);
}

#[test]
fn a_conversion_within_a_family_gives_what_the_generator_writes_for_that_version() {
    use Severity::{Info, Warning};
    let ids = vec![(Warning, "edict-key-lost"), (Warning, "edict-key-missing")];
    for (from, to, losses) in [
        ((2, 13), (2, 14), vec![]),
        ((2, 16), (2, 17), vec![]),
        ((2, 15), (2, 17), vec![(Info, "heuristic-supplied")]),
        ((2, 17), (2, 15), vec![]),
        ((2, 14), (2, 15), ids.clone()),
        ((2, 15), (2, 12), vec![(Warning, "edict-key-lost")]),
        ((2, 12), (2, 14), vec![(Warning, "edict-key-missing")]),
        ((3, 4), (3, 6), vec![]),
        ((3, 6), (3, 6), vec![]),
    ] {
        let (lost, made) = convert(from, to);
        assert_eq!(lost, losses, "{from:?} to {to:?}");
        let mut wanted = sample(to);
        if losses.iter().any(|(_, code)| *code == "edict-key-missing") {
            for edict in wanted.nodes.iter_mut().flat_map(|n| &mut n.links).filter_map(|l| l.edict.as_mut()) {
                (edict.handles, edict.entity) = ([0, 0], 0);
            }
        }
        let bytes = made.unwrap().encode().unwrap();
        let (ours, theirs) = (kit::decode(&bytes).unwrap(), kit::decode(&wanted.encode(to)).unwrap());
        assert_eq!(ours.traversals, theirs.traversals, "{from:?} to {to:?}");
        assert_eq!(ours.edicts, theirs.edicts, "{from:?} to {to:?}");
        if to != (3, 6) {
            assert!(bytes == wanted.encode(to), "{from:?} to {to:?}");
        }
    }
}

#[test]
fn the_heuristic_is_lost_with_a_word_and_never_made_0() {
    let mut graph = graph((2, 17));
    graph.heuristic = 0.95;
    let mut losses = Vec::new();
    graph.convert(Version::nav2(15), &mut |loss| losses.push(loss.to_string())).unwrap();
    assert_eq!(losses, ["warning: the heuristic 0.95 is lost [heuristic-lost]"]);
    let (_, made) = convert((2, 15), (2, 18));
    assert_eq!(made.unwrap().heuristic, 0.8);
}

#[test]
fn team_masks_of_version_18_are_cleared_with_a_word() {
    let mut losses = Vec::new();
    let made = graph((2, 18)).convert(Version::nav2(17), &mut |loss| losses.push(loss.to_string()));
    // 0 and 0xFF both mean every team: one link of the sample has another mask.
    assert_eq!(losses, ["warning: team masks are lost (links: 1) [team-mask-lost]"]);
    assert!(made.unwrap().links.iter().all(|link| link.flags() == 0));
}

#[test]
fn link_flags_of_nav3_follow_the_version() {
    let bytes_of = |from, to| {
        let (losses, made) = convert(from, to);
        let flags: Vec<_> = made.unwrap().links.iter().take(6).map(|link| link.flags()).collect();
        (losses.into_iter().map(|(_, code)| code).collect::<Vec<_>>(), flags)
    };
    assert_eq!(bytes_of((3, 2), (3, 6)), (vec!["ladder-plane-missing"], vec![3; 6]));
    assert_eq!(bytes_of((3, 5), (3, 6)), (vec![], vec![3; 6]));
    let (losses, flags) = bytes_of((3, 6), (3, 5));
    assert_eq!((losses, flags), (vec!["link-flags-lost"], vec![15, 15, 15, 15, 0x3F, 15]));
    let (losses, flags) = bytes_of((3, 6), (3, 2));
    assert_eq!((losses, flags), (vec!["link-flags-lost", "ladder-plane-lost"], vec![0xFF; 6]));
    let (losses, made) = convert((3, 2), (3, 1));
    assert_eq!(losses, [(Severity::Warning, "edict-key-lost")]);
    assert!(made.unwrap().edicts.iter().all(|edict| edict.key == EdictKey::None));
}

#[test]
fn nav2_to_nav3_maps_both_elevator_bits_and_never_copies_bit_3() {
    let (losses, made) = convert((2, 15), (3, 6));
    let codes: Vec<_> = losses.iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, ["elevator-ends-lost", "heuristic-supplied", "edict-key-lost", "edict-key-missing"]);
    let made = made.unwrap();
    assert_eq!([5, 6].map(|node| made.nodes[node].flags()), [4, 4]);
    assert!(made.nodes.iter().all(|node| node.flags() & 8 == 0));
    assert!(made.links.iter().all(|link| link.flags() == 3));
    assert!(made.traversals.iter().all(|traversal| traversal.plane() == [0.0; 3]));
    let bytes = made.encode().unwrap();
    assert_eq!(QuakeNav::parse(&bytes).unwrap().version(), Version::nav3(6));
}

#[test]
fn nav3_to_nav2_and_unknown_versions_are_refused() {
    let (_, made) = convert((3, 6), (2, 15));
    assert!(made.unwrap_err().to_string().contains("cannot be made from NAV3"));
    let error = graph((2, 15)).convert(Version::nav2(19), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("its layout is not known"), "{error}");
}

#[test]
fn what_16_bits_cannot_hold_is_refused_and_never_wrapped() {
    let full = kit::grid(65_536, 1).encode((2, 15));
    let full = QuakeBuf::from(&QuakeNav::parse(&full).unwrap());
    let refusal = |change: &dyn Fn(&mut QuakeBuf)| {
        let mut graph = full.clone();
        change(&mut graph);
        graph.encode().unwrap_err().to_string()
    };
    let reach = |what: &str, len: usize, reach: usize| {
        format!("{what}: {len} of them, the 16-bit fields of the format reach {reach}")
    };
    let link = full.links[0];
    assert_eq!(refusal(&|g| g.links.push(link)), reach("links", 65_537, 65_536));
    assert_eq!(
        refusal(&|g| {
            g.nodes.push(g.nodes[0]);
            g.origins.push(g.origins[0]);
        }),
        reach("nodes", 65_537, 65_536)
    );
    assert_eq!(
        refusal(&|g| g.traversals.resize(65_536, g.traversals[0])),
        reach("traversals", 65_536, 65_535)
    );
    assert_eq!(refusal(&|g| g.origins.truncate(9)), "origins: 9 of them for 65536 nodes");
    // The links of a node after link 65,535 have nowhere to begin, even if there are none.
    let mut graph = full.clone();
    let error = graph.push_node([0.0; 3], 0, 16).unwrap_err();
    assert_eq!(error.to_string(), "links: 65536 before this node, which may begin at 65535");
    // 65,536 links of one node cannot be counted.
    let mut graph = QuakeBuf::new(Version::nav2(17));
    graph.push_node([0.0; 3], 0, 16).unwrap();
    (0..65_535).for_each(|_| graph.push_link(link).unwrap());
    assert_eq!(graph.push_link(link).unwrap_err().to_string(), "links: more than 65535 of one node");
    // A key that is not of the version.
    let mut graph = self::graph((2, 15));
    graph.edicts[1].key = EdictKey::None;
    assert!(graph.encode().unwrap_err().to_string().starts_with("edict 1: edict: None"));
}

#[test]
fn files_are_written_wholly_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("navmap-quake-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let target = folder.join("sample.nav");
    let bytes = graph((2, 15)).encode().unwrap();
    navmap::bytes::save(&target, &bytes).unwrap();
    assert_eq!(std::fs::read(&target).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn points_and_lines_become_waypoints_and_links_with_their_direction() {
    use navmap::format::quake::LinkType;
    use navmap::graph::{Line, Scene};
    let mut scene = Scene::new();
    scene.materials = ["", "oneway_walk_off_ledge", "path", "waypoint"].map(str::to_owned).to_vec();
    let at = |x: f64| [x, 0.0, 24.0];
    // The last two lie where the second and the third waypoint do, as lines of GLB have ends of their own.
    scene.positions = vec![at(0.0), at(64.0), at(128.0), at(150.0), at(192.0), at(64.0), at(128.0)];
    scene.points = vec![0, 1, 2, 4];
    // A picture of a waypoint.
    scene.add_polygon(&[0, 1, 3], 1, 3, 0);
    let line = |a: u32, b: u32, material: u32| {
        let mut line = Line::default();
        (line.ends, line.material) = ([a, b], material);
        line
    };
    scene.lines = vec![line(0, 1, 0), line(5, 6, 1), line(2, 3, 2), line(3, 4, 2), line(4, 3, 2)];
    let bytes = QuakeBuf::build(&scene, Version::nav2(15), 36).unwrap().encode().unwrap();
    let nav = QuakeNav::parse(&bytes).unwrap();
    let links = |node: usize| {
        let links = nav.links_of(node).unwrap().iter();
        links.map(|link| (link.target(), link.kind())).collect::<Vec<_>>()
    };
    let (walk, ledge) = (LinkType::Walk.stored(), LinkType::WalkOffLedge.stored());
    assert_eq!(nav.nodes().len(), 4);
    assert_eq!((links(0), links(1)), (vec![(1, walk)], vec![(0, walk), (2, ledge)]));
    assert_eq!((links(2), links(3)), (vec![(3, walk)], vec![]));
    scene.add_polygon(&[0, 1, 2], 2, 0, 0);
    let error = QuakeBuf::build(&scene, Version::nav2(15), 36).unwrap_err().to_string();
    assert!(error.contains("1 face; a graph has points and lines"), "{error}");
}
