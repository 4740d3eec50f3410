//! Findings: none where the game wrote the file, deviations where a tool did, the right one where a byte is wrong.

use navmap::bytes::Scratch;
use navmap::format::fox::{EntryKind, FoxNav};
use navmap::{Finding, NavFile, Severity};
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::Map;

fn findings(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let nav = FoxNav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    found
}

#[test]
fn files_of_the_game_hold_every_verified_statement() {
    let Some(folder) = real() else { return };
    let mut files = 0;
    for row in manifest(&folder.join("fox")) {
        if row.name().starts_with("ssav/") || row.name().starts_with("tpp/") {
            // Upright and reversed faces are the game's own: 34 and 11 of 66,198 in all files seen.
            let mut found = findings(&row.read());
            found.retain(|finding| !matches!(finding.code, "face-upright" | "face-reversed"));
            assert!(found.is_empty(), "{}: {found:#?}", row.name());
            files += 1;
        }
    }
    assert_eq!(files, 32);
}

#[test]
fn files_of_obj2nav2_pass_as_what_they_are() {
    let Some(folder) = real() else { return };
    for row in manifest(&folder.join("fox")).iter().filter(|row| row.name().starts_with("obj2nav2/")) {
        let found = findings(&row.read());
        assert!(found.iter().any(|finding| finding.severity == Severity::Deviation), "{}", row.name());
        let bad: Vec<_> = found.iter().filter(|finding| finding.severity.counts()).collect();
        assert!(bad.is_empty(), "{}: {bad:#?}", row.name());
    }
}

/// Where things lie in a tile with a strip.
struct Places {
    bytes: Vec<u8>,
}

impl Places {
    fn new() -> Self {
        let map = Map { cells: 4, columns: 3, size: [2, 1], holes: 0, ..Map::standalone() };
        Self { bytes: map.tile(0, 0).files.remove(0).1 }
    }
    /// Payload of an entry of the body.
    fn payload(&self, kind: EntryKind) -> usize {
        let nav = FoxNav::parse(&self.bytes).unwrap();
        let entries = nav.entries().map(|entry| entry.unwrap());
        entries.into_iter().find(|e| e.kind() == kind && e.id().group().0 == 4).unwrap().payload_offset()
            as usize
    }
    fn word(&self, at: usize) -> usize {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap()) as usize
    }
    /// Start of an array whose offset lies at `field` of the payload.
    fn array(&self, kind: EntryKind, field: usize) -> usize {
        let payload = self.payload(kind);
        payload + self.word(payload + field)
    }
}

#[test]
fn every_wrong_byte_has_its_finding() {
    use EntryKind::{NavWorld, NavmeshChunk, SegmentChunk, SegmentGraph};
    let places = Places::new();
    assert!(findings(&places.bytes).is_empty());
    let nav = FoxNav::parse(&places.bytes).unwrap();
    let search = nav.header().search_offset() as usize;
    let islands = nav.header().islands_offset() as usize;
    let nodes = places.array(NavWorld, 4);
    let links = places.array(NavWorld, 12);
    let edges = places.array(NavWorld, 8);
    let segments = places.array(SegmentChunk, 4);
    let data = places.array(NavmeshChunk, 8);
    let coarse = places.array(SegmentGraph, 4);
    let coarse_links = places.array(SegmentGraph, 8);
    // Byte, what is added to it, what is found.
    let cases: &[(usize, u8, &str)] = &[
        (0x1C, 1, "reserved"),
        (0x38, 4, "manifest-size"),
        (0x4C, 1, "features"),
        (0x4D, 255, "islands-end"),
        (0x6C, 1, "manifest-short"),
        (0x6C, 9, "manifest-entry"),
        (0x6D, 16, "manifest-entry-size"),
        (0x68, 16, "manifest-offset-wrong"),
        (places.payload(SegmentChunk) + 16, 1, "segment-bounds"),
        (places.payload(SegmentChunk) + 8, 16, "segmentchunk-layout"),
        (segments + 12, 1, "segment-base"),
        (segments + 4, 1, "segment-base"),
        (segments + 10, 3, "segment-edges"),
        (segments + 11, 1, "segment-totals"),
        (places.payload(NavmeshChunk) + 32, 9, "face-midpoint"),
        (places.array(NavmeshChunk, 4) + 2, 16, "face-segment"),
        (data, 7, "neighbour-dynamic"),
        (data + 4, 2, "neighbour-one-way"),
        (data + 6, 1, "face-midpoint"),
        (data + 9, 1, "face-midpoint"),
        (nodes + 2, 1, "link-leaves-segment"),
        (nodes, 2, "links-packed"),
        (links, 1, "link-one-way"),
        (links + 2, 1, "link-one-way"),
        (edges, 9, "edge-weight"),
        (edges + 4, 9, "edge-order"),
        (edges + 4, 1, "link-edge"),
        (edges + 3, 0x10, "edge-kind"),
        (places.array(NavWorld, 0), 40, "face-midpoint"),
        (places.array(NavWorld, 24), 1, "island-attribute"),
        (places.array(NavWorld, 32), 9, "face-reference"),
        (places.payload(NavWorld) + 46, 255, "attribute-count"),
        (places.array(SegmentGraph, 0), 1, "segment-position"),
        (coarse + 4, 1, "dangling-island"),
        (coarse + 2, 0x10, "reserved"),
        (coarse_links, 3, "segment-weight"),
        (coarse_links + 1, 1, "segment-weight"),
        (coarse_links + 5, 1, "segment-back"),
        (coarse_links + 2, 1, "segment-crossing"),
        (places.payload(SegmentGraph) + 26, 1, "segment-index-count"),
        (search + 1, 1, "search-origin"),
        (search + 12, 9, "search-height"),
        (search + 44, 16, "search-size"),
        (search + 48 + 6, 1, "bucket-heights"),
        (search + 28, 1, "listing-missing"),
        (islands + 16, 1, "island-position"),
        (islands + 16 + 6, 1, "island-attribute"),
    ];
    let mut missed = Vec::new();
    for (at, add, code) in cases {
        let mut bytes = places.bytes.clone();
        bytes[*at] = bytes[*at].wrapping_add(*add);
        let mut found = Vec::new();
        let result = FoxNav::parse(&bytes)
            .and_then(|nav| nav.check(&mut Scratch::new(), &mut |finding: Finding| found.push(finding)));
        let codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
        if !codes.contains(code) {
            missed.push(format!("{at:#x} + {add}: {code} is not among {codes:?} ({result:?})"));
        }
        assert!(
            found.iter().all(|finding| finding.at.offset.is_some()),
            "{at:#x}: a finding without a place"
        );
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_weight_of_the_coarse_graph_may_be_two_off_the_mean_way_and_no_more() {
    let places = Places::new();
    let at = places.array(EntryKind::SegmentGraph, 8);
    let stored = u16::from_le_bytes([places.bytes[at], places.bytes[at + 1]]);
    for by in -3_i16..=3 {
        let mut bytes = places.bytes.clone();
        bytes[at..at + 2].copy_from_slice(&stored.wrapping_add_signed(by).to_le_bytes());
        let codes: Vec<_> = findings(&bytes).iter().map(|finding| finding.code).collect();
        let expected: &[&str] = if by.abs() > 2 { &["segment-weight"] } else { &[] };
        assert_eq!(codes, expected, "{by}");
    }
}

#[test]
fn padding_is_reported_at_its_first_byte_that_is_not_zero() {
    let mut bytes = Places::new().bytes;
    let nav = FoxNav::parse(&bytes).unwrap();
    let (end, first) = (nav.manifest().len() * 12 + 0x64, nav.header().first_entry() as usize);
    assert!(first - end >= 2, "the manifest is padded");
    bytes[end + 1] = 7;
    let found = findings(&bytes);
    let places: Vec<_> = found.iter().map(|finding| (finding.code, finding.at.offset)).collect();
    assert_eq!(places, [("padding", Some(end as u64 + 1))]);
}

#[test]
fn attributes_are_told_as_the_numbers_they_are() {
    let places = Places::new();
    let nav = FoxNav::parse(&places.bytes).unwrap();
    let islands = nav.header().islands_offset() as usize;
    let mut bytes = places.bytes.clone();
    bytes[islands + 16 + 6] = 0x40;
    let found = findings(&bytes);
    let message = &found.iter().find(|finding| finding.code == "island-attribute").unwrap().message;
    assert!(message.contains("0x0440") && !message.contains("Some"), "{message}");
}

#[test]
fn a_sliver_far_from_the_origin_is_judged_by_the_integers_of_the_file() {
    // Rounded to metres out there the ends of all sides lie at one place; they are stored apart.
    let places = Places::new();
    let mut bytes = places.bytes.clone();
    for axis in [0x20, 0x28] {
        bytes[axis..axis + 4].copy_from_slice(&1e9_f32.to_le_bytes());
    }
    let near = findings(&places.bytes);
    let far = findings(&bytes);
    let turned = |found: &[Finding]| {
        found.iter().filter(|finding| matches!(finding.code, "face-upright" | "face-reversed")).count()
    };
    assert_eq!((turned(&near), turned(&far)), (0, 0));
}
