//! What other readers of these files got wrong, by name; and what walking costs.

use navmap::bytes::Scratch;
use navmap::format::quake::{self, EdictKey, LinkFlags, LinkType, QuakeNav, Traversals, Version};
use navmap::{Counts, Finding, NavFile, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::quake::{Graph, Link, Node, VERSIONS, grid, sample};

fn checked(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    QuakeNav::parse(bytes).unwrap().check(&mut Scratch::new(), &mut |f| found.push(f)).unwrap();
    found
}

fn code_of(bytes: &[u8], code: &str) -> Finding {
    let found = checked(bytes);
    found.iter().find(|f| f.code == code).unwrap_or_else(|| panic!("no {code} among {found:#?}")).clone()
}

#[test]
fn version_15_saved_with_heuristic_0_is_read_with_a_warning() {
    let mut graph = sample((2, 17));
    graph.heuristic = 0.0;
    let finding = code_of(&graph.encode((2, 17)), "heuristic");
    assert_eq!((finding.severity, finding.at.offset), (Severity::Warning, Some(20)));
}

#[test]
fn two_nodes_at_one_place_and_a_radius_of_0_are_warnings_in_every_version() {
    for version in VERSIONS {
        let mut graph = sample(version);
        graph.nodes[1].origin = [-0.0, 0.0, 8.0];
        graph.nodes[3].origin = [0.0, -0.0, 8.0];
        graph.nodes[2].radius = 0;
        let bytes = graph.encode(version);
        let found = checked(&bytes);
        let told = |code: &str| -> Vec<_> {
            found.iter().filter(|f| f.code == code).map(|f| (f.severity, f.at.record)).collect()
        };
        assert_eq!(told("shared-origin"), [(Severity::Warning, Some(("node", 3)))], "{version:?}");
        assert_eq!(told("zero-radius"), [(Severity::Warning, Some(("node", 2)))], "{version:?}");
        let twin = found.iter().find(|f| f.code == "shared-origin").unwrap();
        let at = usize::try_from(twin.at.offset.unwrap()).unwrap();
        assert_eq!(bytes[at + 8..at + 12], 8_f32.to_le_bytes(), "the byte is that of the origin");
        assert!(twin.message.contains("node #1") && twin.place.is_some());
    }
}

#[test]
fn thirteen_links_on_a_node_are_no_finding() {
    let row = navmap_testkit::corpus::bundled_path("quake", "odd/thirteen-links.nav");
    let bytes = std::fs::read(row).unwrap();
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert_eq!(nav.links_of(0).unwrap().len(), 13);
    assert!(checked(&bytes).iter().all(|f| f.severity == Severity::Info));
}

#[test]
fn more_than_32767_links_and_nodes_are_unsigned() {
    let graph = grid(40_000, 1);
    let bytes = graph.encode((2, 17));
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert_eq!(nav.links_of(39_998).unwrap()[0].target(), 39_999);
    assert_eq!(nav.nodes()[39_999].first_link(), 39_999);
    assert_eq!(nav.source_of(39_999), Some(39_999));
    assert!(checked(&bytes).iter().all(|f| f.severity < Severity::Warning));
}

#[test]
fn the_last_of_65536_links_is_in_reach() {
    let bytes = grid(65_536, 1).encode((2, 17));
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert_eq!((nav.nodes().len(), nav.links().len()), (65_536, 65_536));
    assert_eq!(nav.source_of(65_535), Some(65_535));
    assert_eq!(nav.links_of(65_535).unwrap().len(), 1);
    assert!(checked(&bytes).iter().all(|f| f.severity < Severity::Warning));
}

#[test]
fn traversals_are_36_bytes_before_nav3_4_and_48_from_it_on() {
    for version in VERSIONS {
        let bytes = sample(version).encode(version);
        let nav = QuakeNav::parse(&bytes).unwrap();
        let ladder = nav.links().iter().find(|link| nav.link_type(link) == LinkType::Ladder);
        let plane = ladder.and_then(|link| nav.traversals().plane(link.traversal().unwrap().into()));
        match nav.traversals() {
            Traversals::Plain(list) => assert_eq!((size_of_val(list), plane), (36 * list.len(), None)),
            Traversals::Ladder(list) => {
                assert_eq!((size_of_val(list), plane), (48 * list.len(), Some([0.0, 1.0, 0.0])));
                assert_eq!(nav.traversals().plane(0), None, "a ledge is no ladder");
            }
        }
        // What comes after them is where it should be.
        let first = nav.edicts().get(0).unwrap();
        assert_eq!(first.bounds().mins(), [55.5, 183.5, -112.5], "{version:?}");
    }
}

#[test]
fn arrays_are_read_at_any_address() {
    for version in VERSIONS {
        let bytes = sample(version).encode(version);
        let expected = format!("{:?}", QuakeNav::parse(&bytes).unwrap());
        for shift in 0..8 {
            let mut larger = vec![0xAA; shift];
            larger.extend_from_slice(&bytes);
            larger.extend_from_slice(&[0xAA; 9]);
            let nav = QuakeNav::parse(&larger[shift..shift + bytes.len()]).unwrap();
            assert_eq!(format!("{nav:?}"), expected, "{version:?} at {shift}");
        }
    }
}

#[test]
fn byte_3_never_leaks_into_the_type() {
    let bytes = sample((3, 6)).encode((3, 6));
    let nav = QuakeNav::parse(&bytes).unwrap();
    let second = &nav.links()[1];
    assert_eq!((second.kind(), second.flags()), (0, 0x0B));
    assert_eq!(nav.link_type(second), LinkType::Walk);
    assert_eq!(nav.link_flags(second), Some(LinkFlags(0x0B)));
    let bytes = sample((2, 18)).encode((2, 18));
    let nav = QuakeNav::parse(&bytes).unwrap();
    assert_eq!((nav.link_type(&nav.links()[0]), nav.links()[0].flags()), (LinkType::Walk, 1));
}

#[test]
fn both_spellings_of_no_funnel_are_none_and_kept() {
    for (version, stored) in [((2, 15), [0.0; 3]), ((3, 6), [1e30_f32; 3])] {
        let bytes = sample(version).encode(version);
        let nav = QuakeNav::parse(&bytes).unwrap();
        let ledge = nav.traversals().get(0).unwrap();
        assert_eq!((ledge.funnel(), ledge.stored_funnel()), (None, stored));
        assert!(nav.traversals().get(1).unwrap().funnel().is_some());
    }
}

#[test]
fn the_model_stands_before_the_box_and_the_entity_id_after_it() {
    let box_of = |version| {
        let bytes = sample(version).encode(version);
        let nav = QuakeNav::parse(&bytes).unwrap();
        let edict = nav.edicts().get(1).unwrap();
        (edict.bounds().mins(), edict.bounds().maxs(), edict.key())
    };
    let (mins, maxs) = ([31.0, 223.0, -9.0], [97.0, 289.0, 57.0]);
    assert_eq!(box_of((2, 15)), (mins, maxs, EdictKey::Entity(quake::EntityId(-17))));
    assert_eq!(box_of((3, 6)), (mins, maxs, EdictKey::Model(quake::ModelIndex(2))));
}

#[test]
fn versions_6_to_11_are_refused_with_the_reason() {
    for number in 6..=11 {
        let mut bytes = sample((2, 15)).encode((2, 15));
        bytes[4] = number;
        let error = QuakeNav::parse(&bytes).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("byte 0x4: NAV2 version {number}: a development revision")),
            "{error}"
        );
        assert!(quake::head(&bytes, bytes.len() as u64).is_err());
    }
}

#[test]
fn an_unknown_version_is_taken_only_if_a_known_layout_ends_exactly_at_its_end() {
    for layout in VERSIONS {
        for number in [0, 5, 19, 21, 7_000_000] {
            if layout.0 == 3 && number == 5 {
                continue;
            }
            let mut bytes = sample(layout).encode(layout);
            bytes[4..8].copy_from_slice(&u32::to_le_bytes(number));
            let nav = QuakeNav::parse(&bytes).unwrap();
            assert!(nav.is_experimental());
            assert_eq!(nav.version().number, number);
            assert_eq!(nav.traversals().get(0).unwrap().start(), [256.0, 280.5, 24.0], "{layout:?}");
            assert_eq!(nav.edicts().get(1).unwrap().bounds().mins(), [31.0, 223.0, -9.0], "{layout:?}");
            assert_eq!(code_of(&bytes, "experimental-layout").severity, Severity::Warning);
            bytes.push(0);
            let error = QuakeNav::parse(&bytes).unwrap_err().to_string();
            assert!(
                error.contains("unknown, and no layout of a known version ends where the file ends"),
                "{error}"
            );
        }
    }
}

#[test]
fn disputed_layouts_of_versions_13_and_16_are_experimental() {
    // Version 13 without handles, version 16 without the heuristic: each reported by one reader.
    for (layout, number) in [((2, 12), 13_u8), ((2, 15), 16)] {
        let mut bytes = sample(layout).encode(layout);
        bytes[4] = number;
        let nav = QuakeNav::parse(&bytes).unwrap();
        assert!(nav.is_experimental());
        assert_eq!(nav.version(), Version::nav2(number.into()));
        assert_eq!(nav.edicts().get(1).unwrap().bounds().mins(), [31.0, 223.0, -9.0]);
        assert!(quake::head(&bytes, bytes.len() as u64).is_ok());
    }
}

#[test]
fn each_broken_invariant_has_its_code_and_place() {
    let version = (3, 6);
    let broken = |change: &dyn Fn(&mut Graph)| {
        let mut graph = sample(version);
        change(&mut graph);
        graph.encode(version)
    };
    let link = |graph: &mut Graph, node: usize, link: Link| graph.nodes[node].links.push(link);
    let cases: [(&str, Severity, Vec<u8>); 10] = [
        ("self-link", Severity::Warning, broken(&|g| link(g, 4, Link::new(4, 0)))),
        ("repeated-link", Severity::Warning, broken(&|g| link(g, 4, Link::new(5, 0)))),
        ("dangling-target", Severity::Error, broken(&|g| link(g, 4, Link::new(400, 0)))),
        ("missing-traversal", Severity::Warning, broken(&|g| link(g, 4, Link::new(0, 7)))),
        (
            "unexpected-traversal",
            Severity::Warning,
            broken(&|g| {
                link(g, 4, Link::new(0, 0).by([1.0; 3], [2.0; 3], [3.0; 3]));
            }),
        ),
        ("not-finite", Severity::Error, broken(&|g| g.nodes[2].origin[1] = f32::INFINITY)),
        ("runtime-flag", Severity::Warning, broken(&|g| g.nodes[2].flags = 8192)),
        ("unknown-node-flag", Severity::Info, broken(&|g| g.nodes[2].flags = 0x8000)),
        (
            "ladder-plane",
            Severity::Warning,
            broken(&|g| {
                g.nodes[11].links[0].traversal.as_mut().unwrap()[3] = [0.0, 2.0, 0.0];
            }),
        ),
        ("heuristic", Severity::Warning, broken(&|g| g.heuristic = 0.5)),
    ];
    for (code, severity, bytes) in cases {
        let finding = code_of(&bytes, code);
        assert_eq!(finding.severity, severity, "{code}");
        let at = finding.at.offset.unwrap();
        assert!(at < bytes.len() as u64);
        assert!(finding.at.record.is_some() || code == "heuristic");
    }
    let edict = |change: &dyn Fn(&mut navmap_testkit::quake::Edict)| {
        broken(&|g| change(g.nodes[5].links[0].edict.as_mut().unwrap()))
    };
    assert_eq!(code_of(&edict(&|e| e.mins[2] = 500.0), "inverted-box").at.record, Some(("edict", 0)));
    assert_eq!(code_of(&edict(&|e| e.maxs = e.mins), "empty-box").at.record, Some(("edict", 0)));
    assert_eq!(code_of(&edict(&|e| e.model = 255), "no-model").severity, Severity::Info);
}

#[test]
fn broken_indices_and_ranges_are_errors_at_their_byte() {
    let good = sample((2, 15)).encode((2, 15));
    let at = QuakeNav::parse(&good).unwrap().offsets();
    let patched = |at: u64, value: u16| {
        let mut bytes = good.clone();
        bytes[at as usize..][..2].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    for (code, byte, value) in [
        ("link-tiling", at.nodes + 8 * 3 + 4, 1),
        ("link-range", at.nodes + 8 * 3 + 2, 500),
        ("dangling-traversal", at.links + 4, 300),
        ("dangling-edict", at.edicts, 300),
    ] {
        let finding = code_of(&patched(byte, value), code);
        assert_eq!(finding.severity, Severity::Error, "{code}");
        assert!((byte - 4..=byte).contains(&finding.at.offset.unwrap()), "{code}: {finding}");
    }
    for (code, byte, value) in [
        ("orphan-traversal", at.links + 6 * 5 + 4, 0xFFFF),
        ("shared-traversal", at.links + 6 * 6 + 4, 0),
        ("traversal-order", at.links + 6 * 5 + 4, 1),
        ("repeated-edict", at.edicts + 30, 8),
        ("edict-order", at.edicts + 30, 2),
    ] {
        assert_eq!(code_of(&patched(byte, value), code).severity, Severity::Warning, "{code}");
    }
    let mut bytes = good.clone();
    bytes[at.links as usize + 3] = 7;
    assert_eq!(code_of(&bytes, "link-byte").severity, Severity::Deviation);
}

#[test]
fn one_past_the_end_is_an_error_of_survey_too() {
    let good = sample((2, 15)).encode((2, 15));
    let nav = QuakeNav::parse(&good).unwrap();
    let at = nav.offsets();
    let past = |len: usize| u16::try_from(len).unwrap();
    for (code, byte, value) in [
        ("dangling-target", at.links, past(nav.nodes().len())),
        ("dangling-traversal", at.links + 4, past(nav.traversals().len())),
        ("dangling-edict", at.edicts, past(nav.links().len())),
        ("link-range", at.nodes + 8 * 11 + 2, 1),
    ] {
        let mut bytes = good.clone();
        bytes[byte as usize..][..2].copy_from_slice(&value.to_le_bytes());
        let mut survey = Vec::new();
        let nav = QuakeNav::parse(&bytes).unwrap();
        nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| survey.push(f)).unwrap();
        assert!(
            survey.iter().any(|f| f.code == code && f.severity == Severity::Error),
            "{code}: {survey:#?}"
        );
        // And the last one that is there is none.
        bytes[byte as usize..][..2].copy_from_slice(&(value - 1).to_le_bytes());
        let mut survey = Vec::new();
        let nav = QuakeNav::parse(&bytes).unwrap();
        nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| survey.push(f)).unwrap();
        assert_eq!(survey, [], "{code}");
    }
}

#[test]
fn a_link_that_lost_its_traversal_is_one_finding_for_the_order() {
    let mut bytes = sample((2, 15)).encode((2, 15));
    let at = QuakeNav::parse(&bytes).unwrap().offsets().links as usize + 6 * 5 + 4;
    bytes[at..at + 2].fill(0xFF);
    let codes: Vec<_> = checked(&bytes).into_iter().map(|f| f.code).collect();
    for code in ["traversal-order", "orphan-traversal"] {
        assert_eq!(codes.iter().filter(|c| **c == code).count(), 1, "{codes:?}");
    }
}

#[test]
fn survey_tells_every_error_that_check_tells() {
    let mut graph = sample((3, 6));
    graph.nodes[4].links.push(Link::new(400, 0));
    graph.nodes[2].origin[1] = f32::NAN;
    graph.nodes.push(Node { origin: [0.0; 3], flags: 0, radius: 1, links: vec![] });
    let bytes = graph.encode((3, 6));
    let nav = QuakeNav::parse(&bytes).unwrap();
    let mut survey = Vec::new();
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| survey.push(f)).unwrap();
    let errors: Vec<_> = checked(&bytes).into_iter().filter(|f| f.severity == Severity::Error).collect();
    assert_eq!(errors, survey);
    assert_eq!(errors.len(), 2);
}

#[test]
fn opening_and_walking_allocate_nothing() {
    let bytes = grid(20_000, 3).encode((3, 6));
    let mut scratch = Scratch::new();
    let ((), cost) = cost_of(|| {
        let nav = QuakeNav::parse(&bytes).unwrap();
        let mut counts = Counts::default();
        nav.survey(&mut scratch, &mut counts, &mut |f| panic!("{f}")).unwrap();
        let mut sum = 0_u64;
        for (index, node) in nav.nodes().iter().enumerate() {
            sum += u64::from(node.radius());
            for link in nav.links_of(index).unwrap() {
                sum += u64::from(link.target()) + u64::from(nav.link_type(link).stored());
            }
        }
        sum += nav.traversals().iter().filter(|t| t.funnel().is_none()).count() as u64;
        sum += nav.edicts().iter().map(|e| u64::from(e.link())).sum::<u64>();
        sum += (0..nav.links().len()).map(|link| nav.source_of(link).unwrap() as u64).sum::<u64>();
        assert!(sum > 0);
    });
    assert_eq!(cost.calls, 0);
}

/// Ranges in any order, and over each other, as damaged files and those of other writers may have them.
#[test]
fn a_link_belongs_to_the_first_node_that_has_it_in_any_order_of_ranges() {
    let good = sample((2, 15)).encode((2, 15));
    let at = QuakeNav::parse(&good).unwrap().offsets().nodes as usize;
    let held = |bytes: &[u8]| {
        let nav = QuakeNav::parse(bytes).unwrap();
        let has = |node: &quake::Node, link: usize| {
            (usize::from(node.first_link())..node.end_link() as usize).contains(&link)
        };
        let wanted: Vec<_> =
            (0..nav.links().len()).map(|link| nav.nodes().iter().position(|node| has(node, link))).collect();
        assert_eq!(nav.sources().collect::<Vec<_>>(), wanted);
        wanted
    };
    assert!(held(&good).is_sorted());
    // Nodes 0 and 1 have each other's links, and each had one to the other.
    let mut swapped = good.clone();
    let (first, second) = (at + 2..at + 6, at + 10..at + 14);
    swapped[first.clone()].copy_from_slice(&good[second.clone()]);
    swapped[second].copy_from_slice(&good[first]);
    let sources = held(&swapped);
    assert!(sources.iter().all(Option::is_some) && !sources.is_sorted());
    let nav = QuakeNav::parse(&swapped).unwrap();
    let selves =
        nav.links().iter().zip(sources).filter(|(link, from)| *from == Some(link.target().into())).count();
    assert_eq!(checked(&swapped).iter().filter(|f| f.code == "self-link").count(), selves);
    assert!(selves >= 2);
    let mut rng = navmap_testkit::bytes::Rng(9);
    for _ in 0..300 {
        let mut bytes = good.clone();
        for node in 0..nav.nodes().len() {
            bytes[at + node * 8 + 2] = rng.below(6) as u8;
            bytes[at + node * 8 + 4] = rng.below(40) as u8;
        }
        held(&bytes);
    }
}
