//! Every row of the manifest of real files.

use crate::agree::assert_agree;
use crate::{check, plugin, survey};
use navmap::bytes::Scratch;
use navmap::format::skyrim::{self, NavMesh};
use navmap_testkit::corpus;

const KEYS: [&str; 7] = [
    "navm_records",
    "vertices",
    "triangles",
    "edge_links",
    "door_triangles",
    "cover_triangles",
    "compressed_records",
];

fn rows() -> Vec<corpus::Row> {
    corpus::real().map_or_else(Vec::new, |folder| corpus::manifest(&folder.join("skyrim")))
}

fn is_negative(row: &corpus::Row) -> bool {
    row.text("note").contains("NEGATIVE")
}

#[test]
fn every_row_of_the_manifest_is_counted_as_it_says() {
    for row in rows() {
        let (read, counts, found) = survey(row.name(), &row.read());
        assert_eq!(read.is_err(), is_negative(&row), "{}: {read:?}", row.name());
        if is_negative(&row) {
            continue;
        }
        assert_eq!(found, [], "{}", row.name());
        assert_eq!(counts.get("navmeshes"), row.number("nvnm_exact"), "{}", row.name());
        for key in KEYS {
            if let Some(number) = row.number(key) {
                assert_eq!(counts.get(key), Some(number), "{} {key}", row.name());
            }
        }
    }
}

#[test]
fn a_test_without_its_files_says_so_where_a_person_sees_it() {
    let mut this = std::process::Command::new(std::env::current_exe().unwrap());
    let test = "real::grids_and_deleted_records_are_as_the_manifest_counts_them";
    let done = this.args(["--exact", test]).env("NAVMAP_CORPUS", "nowhere").output().unwrap();
    assert!(done.status.success());
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains(&format!("skipped: {test}: no corpus of real files")), "{said}");
}

#[test]
fn grids_and_deleted_records_are_as_the_manifest_counts_them() {
    for row in rows().iter().filter(|row| !is_negative(row)) {
        let bytes = row.read();
        let entries = |mesh: &NavMesh<'_>| mesh.grid().unwrap().lists().map(<[_]>::len).sum::<usize>() as u64;
        let mut total = 0;
        if row.name().ends_with(".nvnm") {
            total += entries(&NavMesh::parse(&bytes).unwrap());
        } else {
            let (plugin, mut scratch, mut deleted) = (plugin(&bytes), Scratch::new(), 0);
            for navm in plugin.navmeshes().map(Result::unwrap) {
                deleted += u64::from(navm.is_deleted());
                total += navm.mesh(&mut scratch).unwrap().as_ref().map_or(0, entries);
            }
            assert_eq!(Some(deleted), row.number("deleted_records"), "{}", row.name());
        }
        assert_eq!(Some(total), row.number("grid_entries"), "{}", row.name());
    }
}

#[test]
fn the_raw_fields_are_those_of_the_plugins_they_were_taken_from() {
    let rows = rows();
    for row in rows.iter().filter(|row| row.name().ends_with(".nvnm")) {
        let note = row.text("note");
        let from = note.strip_prefix("raw NVNM field of ").unwrap().split([',', ';']).next().unwrap();
        let form = u32::from_str_radix(&note.split("FormID ").nth(1).unwrap()[..8], 16).unwrap();
        let bytes = rows.iter().find(|row| row.name() == from).unwrap().read();
        let (field, mut scratch) = (row.read(), Scratch::new());
        let navm =
            plugin(&bytes).navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == form).unwrap();
        let mut fields = navm.record().fields(&mut scratch).unwrap();
        assert_eq!(fields.find_tag(skyrim::Tag(*b"NVNM")).unwrap().unwrap().data, field, "{}", row.name());
    }
}

#[test]
fn the_damaged_plugin_gives_five_errors_with_formid_and_byte() {
    for row in rows().iter().filter(|row| row.name() == "malformed/CCCC.esp") {
        let bytes = row.read();
        let (read, counts, found) = survey(row.name(), &bytes);
        let error = read.unwrap_err().to_string();
        assert!(
            error.starts_with("NAVM 0 (0005C069, compressed), byte 0x11d6: cover triangles: "),
            "{error}"
        );
        assert_eq!((counts.get("navm_records"), counts.get("navmeshes")), (Some(5), Some(0)));
        for found in [found, check(row.name(), &bytes)] {
            let damaged: Vec<_> = found.iter().filter(|f| f.code == "damaged-navmesh").collect();
            assert_eq!(damaged.len(), 5);
            assert!(damaged.iter().all(|f| f.at.offset.is_some() && f.at.record.is_some()));
            // A survey names the record alone, a check its cell too.
            let message = &damaged[1].message;
            assert!(message.contains("0007406B") && message.contains(", compressed: "), "{message}");
        }
    }
}

/// What the specification says of real files: nothing but this is ever found in them.
#[test]
fn real_files_show_only_findings_that_are_real() {
    let known: &[(&str, &[&str])] = &[
        ("le/DawnOfTheSilverHand.esp", &["cover-inside", "degenerate-triangle", "deleted-navmesh"]),
        ("se/DawnOfTheSilverHand.esp", &["cover-inside", "degenerate-triangle", "deleted-navmesh"]),
        ("le/DwemerSecrets.esp", &["deleted-navmesh"]),
        ("se/deleted-only.esp", &["deleted-navmesh"]),
        ("se/SeaofGhosts.esp", &["degenerate-triangle", "one-way-neighbour"]),
        (
            "se/DungeonsRevisited.esp",
            &["cover-inside", "degenerate-triangle", "deleted-navmesh", "grid-bounds", "one-way-neighbour"],
        ),
        ("esl/MorrowindUsesDrams-NoOffice.esp", &["cover-inside", "degenerate-triangle", "door-unlisted"]),
        ("esl/MorrowindUsesDrams.esp", &["cover-inside", "degenerate-triangle"]),
        ("esl/SentientChairs.esp", &["edge-not-shared"]),
        ("esl/Requiem-CreationClub.esp", &["degenerate-triangle"]),
        ("starfield/AkAutoSort.esp", &["waypoint-nowhere"]),
        ("starfield/VenpiDebugTools.esm", &["navi-missing"]),
        ("malformed/CCCC.esp", &["damaged-navmesh", "missing-counts"]),
        ("derived/Sandbox-uncompressed.esp", &["stored-navmesh"]),
        ("nvnm/MorrowindUsesDramsNoOffice_02038A48.nvnm", &["cover-inside", "degenerate-triangle"]),
        ("nvnm/SeaofGhosts_04000B8F.nvnm", &["one-way-neighbour"]),
        ("nvnm/DungeonsRevisited_00070468.nvnm", &["cover-inside"]),
        ("nvnm/DawnOfTheSilverHand_le_000FD769.nvnm", &["cover-inside"]),
        ("nvnm/DungeonsRevisited_000D2948.nvnm", &["cover-inside"]),
    ];
    for row in rows().iter().filter(|row| !(is_negative(row) && row.name().ends_with(".nvnm"))) {
        let mut codes: Vec<_> = check(row.name(), &row.read()).iter().map(|f| f.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let known = known.iter().find(|(name, _)| *name == row.name()).map_or(&[][..], |(_, codes)| codes);
        assert_eq!(codes, known, "{}", row.name());
    }
}

#[test]
fn the_damaged_fields_read_once_their_zero_counts_are_put_back() {
    for row in rows().iter().filter(|row| is_negative(row) && row.name().ends_with(".nvnm")) {
        let bytes = row.read();
        assert!(NavMesh::parse(&bytes).is_err());
        let mesh = NavMesh::parse_missing_counts(&bytes, 0).unwrap();
        assert!(mesh.triangles().len() > 50 && mesh.edge_links().is_empty());
        let mut codes = Vec::new();
        navmap::NavFile::check(&mesh, &mut Scratch::new(), &mut |f| codes.push(f.code)).unwrap();
        assert!(!codes.contains(&"vertex-out-of-range"), "{codes:?}");
    }
}

#[test]
fn a_plain_reader_agrees_on_every_field() {
    for row in rows() {
        let bytes = row.read();
        if row.name().ends_with(".nvnm") {
            assert_agree(&bytes, row.name());
            continue;
        }
        let mut scratch = Scratch::new();
        for navm in plugin(&bytes).navmeshes().map(Result::unwrap).filter(|navm| !navm.is_deleted()) {
            let mut fields = navm.record().fields(&mut scratch).unwrap();
            let field = fields.find_tag(skyrim::Tag(*b"NVNM")).unwrap().unwrap();
            assert_agree(field.data, &format!("{} {}", row.name(), navm.form_id()));
        }
    }
}

#[test]
fn stored_and_compressed_twins_hold_the_same_meshes() {
    let rows = rows();
    let bytes = |name: &str| rows.iter().find(|row| row.name() == name).map(corpus::Row::read);
    for (a, b) in [
        ("le/Sandbox.esp", "derived/Sandbox-uncompressed.esp"),
        ("le/DawnOfTheSilverHand.esp", "se/DawnOfTheSilverHand.esp"),
    ] {
        let (Some(a), Some(b)) = (bytes(a), bytes(b)) else { return };
        let (mut one, mut two) = (Scratch::new(), Scratch::new());
        let pairs = plugin(&a).navmeshes().zip(plugin(&b).navmeshes()).map(|(a, b)| (a.unwrap(), b.unwrap()));
        let mut meshes = 0;
        for (a, b) in pairs {
            assert_eq!(a.form_id(), b.form_id());
            let (a, b) = (a.mesh(&mut one).unwrap(), b.mesh(&mut two).unwrap());
            assert_eq!(a.map(|m| m.as_bytes().to_vec()), b.map(|m| m.as_bytes().to_vec()));
            meshes += usize::from(a.is_some());
        }
        assert!(meshes >= 15);
    }
}
