//! `navmap check --strict` in front of a loader of tiles: what the engine must not load is refused with record and byte.

use navmap_testkit::corpus::{bundled, project};
use navmap_testkit::temp::Temp;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// The rows that the gate prints, and its exit status.
fn gate(path: &Path) -> (Vec<serde_json::Value>, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    let done =
        command.args(["check", "--strict", "--quiet", "--format", "jsonl"]).arg(path).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), done.status.code().unwrap())
}

#[test]
fn sound_tiles_pass_in_every_container() {
    for name in [
        "set.navmesh",
        "set-64.navmesh",
        "set-be.navmesh",
        "bounds.navmesh",
        "kbe.navmesh",
        "tile-v6.navtile",
    ] {
        let (rows, status) = gate(&bundled().join("detour").join(name));
        assert_eq!((rows.len(), status), (0, 0), "{name}: {rows:?}");
    }
}

#[test]
fn every_error_of_a_tile_is_refused_with_record_and_byte() {
    let temp = Temp::new("gate");
    let errors: Vec<&str> = navmap::codes()
        .filter(|(family, code)| {
            *family == Some(navmap::Family::Detour) && code.severity == navmap::Severity::Error
        })
        .map(|(_, code)| code.code)
        .collect();
    let listed = std::fs::read_to_string(project().join("tests/golden/codes.tsv")).unwrap();
    let mut wanted = BTreeMap::new();
    for line in listed.lines() {
        let [family, code, name, change] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if family != "detour" || !errors.contains(&code) {
            continue;
        }
        let mut bytes = std::fs::read(bundled().join(name)).unwrap();
        if let Some((at, by)) = change.strip_prefix("0x").and_then(|change| change.split_once('+')) {
            let byte = &mut bytes[usize::from_str_radix(at, 16).unwrap()];
            *byte = byte.wrapping_add(by.parse().unwrap());
        }
        let ending = Path::new(name).extension().unwrap().to_str().unwrap();
        let file = format!("{code}.{ending}");
        temp.file(file.clone(), &bytes);
        wanted.insert(code.to_owned(), file);
    }
    assert!(wanted.len() > 20, "{}", wanted.len());
    let (rows, status) = gate(temp.path());
    assert_eq!(status, 1);
    for (code, file) in wanted {
        let of = |row: &&serde_json::Value| row["path"].as_str().unwrap().ends_with(&file);
        let told = rows.iter().filter(of).find(|row| row["code"] == *code);
        let told = told.unwrap_or_else(|| panic!("{file} passes"));
        assert_eq!(told["severity"], "error", "{told}");
        assert!(told["byte"].is_u64(), "{told}");
        // What the head of a set says is no record.
        assert!(code == "reference-bits" || told["record"].is_string() && told["index"].is_u64(), "{told}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_byte_in_one_line() {
    for name in [
        "polygons-2-31.navtile",
        "polygons-minus-1.navtile",
        "cut.navtile",
        "tiles-2-31.navmesh",
        "record-over.navmesh",
    ] {
        let (rows, status) = gate(&bundled().join("hostile/detour").join(name));
        assert_eq!((rows.len(), status), (1, 1), "{name}: {rows:?}");
        assert!(rows[0]["byte"].is_u64() && rows[0]["severity"] == "error", "{name}: {}", rows[0]);
        assert!(!rows[0]["message"].as_str().unwrap().contains('\n'));
    }
}

/// What an engine loads and what is still wrong: seams without a partner, ends of connections in the air, islands.
#[test]
fn seams_without_partner_loose_ends_and_islands_stop_a_mesh_too() {
    let (rows, status) = gate(&bundled().join("odd/detour/open-seam.navmesh"));
    let codes: Vec<&str> = rows.iter().map(|row| row["code"].as_str().unwrap()).collect();
    assert_eq!(status, 1);
    for code in ["open-seam", "off-mesh-nowhere", "island"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
    assert!(rows.iter().all(|row| row["byte"].is_u64() && row["record"].is_string()), "{rows:?}");
}
