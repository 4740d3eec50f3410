//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::quake::{self, QuakeNav};
use navmap::{Counts, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::quake::{VERSIONS, sample};

#[test]
fn every_cut_is_an_error_that_says_where() {
    for version in VERSIONS {
        let bytes = sample(version).encode(version);
        for cut in cuts(&bytes) {
            // A version 13 whose edicts all lost their handles is what one reader takes version 13 to be.
            if version == (2, 13) && cut.len() == bytes.len() - 4 * 8 {
                assert!(QuakeNav::parse(cut).unwrap().is_experimental());
                continue;
            }
            let error = QuakeNav::parse(cut).expect_err("a file that is too short");
            let at = error.position().offset.unwrap();
            assert!(at <= cut.len() as u64, "{error}");
        }
    }
}

#[test]
fn the_head_of_a_cut_file_is_an_error_wherever_the_length_shows_it() {
    // Versions 13 and 16 have a second layout to fit.
    for version in VERSIONS.into_iter().filter(|version| ![(2, 13), (2, 16)].contains(version)) {
        let bytes = sample(version).encode(version);
        let nav = QuakeNav::parse(&bytes).unwrap();
        for len in 0..bytes.len() as u64 {
            let head = quake::head(&bytes[..bytes.len().min(64)], len);
            if len < nav.offsets().edicts {
                assert!(head.is_err(), "{version:?}: {len}");
            } else if let Ok(summary) = head {
                assert!(summary.counts.get("edicts") <= Some(4), "{version:?}: {len}");
            }
        }
        assert!(quake::head(&bytes[..19], bytes.len() as u64).is_err());
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for version in VERSIONS {
        let bytes = sample(version).encode(version);
        flips(&bytes, |_, bytes| {
            if let Ok(nav) = QuakeNav::parse(bytes) {
                exhaust(&nav);
            }
            let _ = quake::head(bytes, bytes.len() as u64);
        });
    }
}

#[test]
fn inflated_counts_cost_no_memory() {
    let bytes = sample((3, 6)).encode((3, 6));
    inflated_counts(&bytes, |at, bytes| {
        let (_, cost) = cost_of(|| QuakeNav::parse(bytes).is_ok());
        assert!(cost.peak_bytes < 1024, "{} bytes for four at {at}", cost.peak_bytes);
    });
}

#[test]
fn a_product_that_overflows_32_bits_is_an_error() {
    let mut bytes = sample((2, 15)).encode((2, 15));
    // 0x1999_999A * 20 = 8 modulo 2^32.
    bytes[8..12].copy_from_slice(&0x1999_999A_u32.to_le_bytes());
    let error = QuakeNav::parse(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "byte 0x14: nodes: 429496730 claimed, 724 bytes left");
}

#[test]
fn one_byte_too_many_is_a_warning() {
    for version in VERSIONS {
        let mut bytes = sample(version).encode(version);
        let len = bytes.len() as u64;
        bytes.push(0);
        let nav = QuakeNav::parse(&bytes).unwrap();
        assert_eq!(nav.trailing(), [0]);
        let mut found = Vec::new();
        nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| found.push(f)).unwrap();
        assert_eq!((found[0].code, found[0].at.offset), ("trailing-bytes", Some(len)));
    }
}

#[test]
fn overlapping_ranges_are_checked_in_linear_time() {
    // Every node claims all links: a walk over each node's links would take 2^30 steps.
    let mut graph = sample((2, 15));
    graph.nodes.truncate(1);
    let link = navmap_testkit::quake::Link::new(0, 0);
    graph.nodes[0].links = vec![link; 32_768];
    graph.nodes.extend(std::iter::repeat_n(graph.nodes[0].clone(), 1));
    graph.nodes[1].links.clear();
    graph.nodes.extend(std::iter::repeat_n(graph.nodes[1].clone(), 32_766));
    let mut bytes = graph.encode((2, 15));
    for node in 0..32_768 {
        bytes[20 + 8 * node + 2..][..4].copy_from_slice(&[0x00, 0x80, 0, 0]);
    }
    let nav = QuakeNav::parse(&bytes).unwrap();
    let start = std::time::Instant::now();
    exhaust(&nav);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

mod json {
    use crate::exhaust::exhaust_json as exhaust;
    use navmap::format::quake::NavJson;
    use navmap::format::quake::navjson;
    use navmap_testkit::hostile::{cuts, flips};
    use navmap_testkit::quake::json_sample;

    #[test]
    fn every_cut_is_an_error_with_line_and_column() {
        for version in 1..=3 {
            let text = json_sample(version).navjson(version, "\n");
            for cut in cuts(text.as_bytes()) {
                let error = NavJson::parse(cut).expect_err("half a file").to_string();
                assert!(error.contains("line ") && error.contains("column "), "{error}");
                let _ = (navjson::recognise(cut), navjson::head(cut));
            }
        }
    }

    #[test]
    fn every_flip_is_an_error_or_a_sound_result() {
        let mut graph = json_sample(2);
        graph.nodes.truncate(8);
        graph.nodes.iter_mut().for_each(|node| node.links.retain(|link| link.target < 8));
        flips(graph.navjson(1, "\n").as_bytes(), |_, bytes| {
            let _ = (navjson::recognise(bytes), navjson::head(bytes));
            if let Ok(nav) = NavJson::parse(bytes) {
                exhaust(&nav);
            }
        });
    }
}
