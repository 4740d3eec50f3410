//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory.

use super::exhaust::exhaust;
use navmap::format::xray::XrayNav;
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::{bundled_path, bundled_rows};
use navmap_testkit::hostile::{cuts, flips, inflated_counts};
use navmap_testkit::xray::sample;

#[test]
fn every_cut_is_an_error_not_a_panic() {
    for version in 8..=13 {
        let bytes = sample().bytes(version);
        for cut in cuts(&bytes).filter(|cut| cut.len() < bytes.len()) {
            let error = XrayNav::parse(cut).expect_err("a file that is too short");
            assert!(error.position().offset.unwrap() <= cut.len() as u64, "{error}");
            assert!(!exhaust(cut));
        }
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    for version in 8..=13 {
        let bytes = sample().bytes(version);
        flips(&bytes, |_, bytes| _ = exhaust(bytes));
        inflated_counts(&bytes, |_, bytes| _ = exhaust(bytes));
    }
}

#[test]
fn a_claim_costs_no_memory_and_says_its_byte() {
    for row in bundled_rows("xray").iter().filter(|row| row.number("nodes").is_none()) {
        let bytes = std::fs::read(bundled_path("xray", row.name())).unwrap();
        let (opened, cost) = cost_of(|| XrayNav::parse(&bytes).map(drop));
        let error = opened.unwrap_err();
        assert!(cost.peak_bytes < 1_024, "{}: {cost:?}", row.name());
        assert!(error.position().offset.is_some(), "{}: {error}", row.name());
    }
}
