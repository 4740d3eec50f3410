//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::exhaust::exhaust;
use navmap::format::yapb::{PwfNav, YapbNav};
use navmap::{Limits, NavFormat};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{bundled_path, bundled_rows};
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::yapb::{Node, Waypoints, extension, pack, sample};

fn small() -> Vec<Vec<u8>> {
    let mut map = sample();
    map.nodes.truncate(4);
    map.nodes.iter_mut().flat_map(|node| &mut node.links).for_each(|link| link.target = link.target.min(3));
    vec![map.graph(*b"BPAY", 2, 0x48, &extension(68)), map.pwf(7, "a"), map.pwf(6, "a"), map.pwf(5, "a")]
}

#[test]
fn every_cut_before_the_end_of_the_nodes_is_an_error_that_says_where() {
    for (bytes, form) in small().into_iter().zip(["graph", "pwf", "pwf", "pwf"]) {
        let end = if form == "graph" { bytes.len() - 68 } else { bytes.len() };
        for cut in cuts(&bytes) {
            let opened = match form {
                "graph" => YapbNav::parse(cut, &Limits::default()).map(drop),
                _ => PwfNav::parse(cut).map(drop),
            };
            if cut.len() >= end {
                assert!(opened.is_ok(), "{}", cut.len());
                continue;
            }
            let error = opened.expect_err("a file that is too short");
            assert!(error.position().offset.unwrap() <= cut.len() as u64, "{error}");
        }
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for bytes in small() {
        flips(&bytes, |_, bytes| _ = exhaust(bytes));
        inflated_counts(&bytes, |_, bytes| _ = exhaust(bytes));
    }
}

#[test]
fn the_only_node_of_a_version_that_nobody_knows_is_deleted_and_comes_back() {
    let map = Waypoints { nodes: vec![Node::new([0.0; 3], 0, 1.0)] };
    assert!(exhaust(&map.pwf(59 << 16 | 5, "a")));
}

#[test]
fn a_claim_costs_no_memory() {
    for row in bundled_rows("yapb").iter().filter(|row| row.name().starts_with("hostile/most")) {
        let bytes = std::fs::read(bundled_path("yapb", row.name())).unwrap();
        let (opened, cost) = cost_of(|| match row.text("form") {
            "graph" => YapbNav::parse(&bytes, &Limits::default()).map(drop),
            _ => PwfNav::parse(&bytes).map(drop),
        });
        let error = opened.unwrap_err();
        assert!(cost.peak_bytes < 4_096, "{}: {cost:?}, {error}", row.name());
    }
}

#[test]
fn what_unpacks_to_more_than_it_says_is_one_clear_line_and_reserves_little() {
    let bytes = std::fs::read(bundled_path("yapb", "hostile/bomb.graph")).unwrap();
    let (opened, cost) = cost_of(|| YapbNav::parse(&bytes, &Limits::default()).map(drop));
    let error = opened.unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0x18: packed nodes: they unpack to more than the 7208960 bytes claimed"
    );
    assert!(cost.peak_bytes < 4_096, "{cost:?}");
    let mut limits = Limits::default();
    limits.inflated_bytes = 1_000;
    let sound = sample().graph(*b"BPAY", 2, 0x48, &extension(68));
    assert!(YapbNav::parse(&sound, &limits).is_err(), "the limit on inflated bytes holds here too");
}

#[test]
fn as_many_nodes_as_targets_reach_are_read_and_one_more_is_not() {
    let nodes = |count: usize| Waypoints { nodes: vec![Node::new([1.0; 3], 0, 0.0); count] };
    // Packing by brute force would take long; a block that repeats is one match.
    let graph = |count: usize| {
        let plain = nodes(2).unpacked();
        let mut packed = vec![0xEF];
        let number = |out: &mut Vec<u8>, n: usize| {
            let mut n = n;
            while n >= 128 {
                n -= 128;
                out.push(128 + (n % 128) as u8);
                n /= 128;
            }
            out.push(n as u8);
        };
        number(&mut packed, 440 - 7);
        packed.extend(&plain);
        number(&mut packed, count * 220 - 440 - 19);
        packed.extend(220_u16.to_le_bytes());
        let mut bytes = b"BPAY\x02\0\0\0\x08\0\0\0".to_vec();
        [count, packed.len(), count * 220].iter().for_each(|n| bytes.extend((*n as u32).to_le_bytes()));
        [bytes, packed].concat()
    };
    let most = graph(32_768);
    assert_eq!(YapbNav::parse(&most, &Limits::default()).unwrap().nodes().len(), 32_768);
    let error = YapbNav::parse(&graph(32_769), &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "byte 0xc: nodes: 32769 claimed, the targets of links reach 32768");
    assert!(!pack(&[0; 4]).is_empty());
}

#[test]
fn the_head_of_a_cut_file_is_an_error_wherever_the_length_shows_it() {
    for (bytes, form) in small().into_iter().zip(["graph", "pwf", "pwf", "pwf"]) {
        let end = if form == "graph" { bytes.len() - 68 } else { bytes.len() };
        for len in 0..=bytes.len() as u64 {
            let head = match form {
                "graph" => YapbNav::head(&bytes, len),
                _ => PwfNav::head(&bytes, len),
            };
            assert_eq!(head.is_ok(), len >= end as u64, "{form}: {len} of {}", bytes.len());
        }
    }
}

#[test]
fn containers_that_hold_no_graph_say_what_they_hold() {
    let said = |options: u8| {
        let mut bytes = sample().graph(*b"BPAY", 2, 0x48, &extension(68));
        bytes[8] = options;
        assert!(!YapbNav::recognise(&bytes));
        YapbNav::parse(&bytes, &Limits::default()).unwrap_err().to_string()
    };
    assert!(said(0x41).contains("practice"), "{}", said(0x41));
    assert!(said(0x42).contains("matrix"));
    assert!(said(0x44).contains("which nodes see which"));
    assert!(said(0x40).contains("holds no graph"));
}
