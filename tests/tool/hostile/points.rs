//! Questions about very many points, and tables of very many spots: two inputs, each of which is small.

use navmap_testkit::heavy;
use navmap_testkit::temp::Temp;
use std::path::Path;

/// What a run says, and how it ends.
fn ended(words: &[&str], mesh: &Path, points: &Path) -> (String, Option<i32>) {
    let done = super::run(words[0], super::navmap().args(words).arg(points).arg(mesh));
    (String::from_utf8(done.stderr).unwrap(), done.status.code())
}

/// Every point is tested against every area of them. In a plain mesh as many points are answered.
#[test]
fn points_in_a_mesh_whose_areas_all_lie_in_one_place_are_refused_by_name() {
    let temp = Temp::new("tests-at-points");
    let output = temp.join("out.svg");
    let locate = ["locate", "-q", "--points-from"];
    let engine = ["locate", "-q", "--nearest", "engine", "--points-from"];
    let draw = ["draw", "--force", "-o", output.to_str().unwrap(), "--by", "area", "--points"];
    let points = |name: &str, point: &str, count: usize| temp.file(name, point.repeat(count).as_bytes());
    let (on, off) = (points("on.csv", "5 5 0\n", 150_000), points("off.csv", "9999 -9999 3\n", 75_000));
    let limit = "tests of areas at all points: ";
    // Rectangles, corners of one polygon, nodes of a game's squares, triangles, and cells without areas.
    let names =
        ["a-stack.nav", "a-polygon-of-many-corners.nav", "one-square.ai", "one-place.esp", "far-apart.nav"];
    for file in heavy::named(|name| names.contains(&name)) {
        let mesh = temp.file(&file.name, &file.bytes);
        let far = file.name == "far-apart.nav";
        for points in [&on, &off].into_iter().filter(|points| !far || *points == &on) {
            let (said, status) = ended(if far { &engine[..] } else { &locate }, &mesh, points);
            let refused = said.contains(limit) && status == Some(2);
            assert!(refused, "{} {}: {said}", file.name, points.display());
        }
    }
    for file in heavy::named(|name| ["a-polygon-of-many-corners.nav", "one-place.esp"].contains(&name)) {
        let mesh = temp.file(&file.name, &file.bytes);
        let (said, status) = ended(&draw, &mesh, &on);
        assert!(said.contains(limit) && status == Some(2), "{}: {said}", file.name);
    }
    let town = navmap_testkit::corpus::bundled_path("source", "town.nav");
    let all = points("all.csv", "100 -250 64\n", 150_000);
    for words in [&locate[..], &engine, &draw] {
        let (said, status) = ended(words, &town, &all);
        assert_eq!((said.contains(limit), status), (false, Some(0)), "{words:?}: {said}");
    }
}

/// Each is a circle, whose outline has many points.
#[cfg(target_os = "linux")]
#[test]
fn very_many_points_are_drawn_in_little() {
    let temp = Temp::new("drawn-points");
    let point = |at: u32| format!("{} {} 64\n", 100 + at % 379, at % 283);
    let all = temp.file("all.csv", (0..80_000).map(point).collect::<String>().as_bytes());
    assert!(std::fs::metadata(&all).unwrap().len() < 1 << 20);
    for output in ["out.png", "out.svg"] {
        let mut command = super::navmap();
        command.args(["draw", "--force", "-o"]).arg(temp.join(output)).arg("--points").arg(&all);
        let town = navmap_testkit::corpus::bundled_path("source", "town.nav");
        let (kib, status) = super::memory::peak(command.arg(town));
        assert!(kib < 56 << 10 && status == Some(0), "{output}: {kib} KiB, {status:?}");
    }
}

/// A table is a search for each spot and a number for each pair.
#[test]
fn a_table_of_very_many_spots_is_refused_unless_they_are_asked_for() {
    let temp = Temp::new("many-spots");
    let town = navmap_testkit::corpus::bundled_path("source", "town.nav");
    let many = temp.file("many.csv", "#11\n".repeat(1_200).as_bytes());
    let table = ["path", "--table", "--format", "csv"];
    let words = [&table[..], &["--spots-from"]].concat();
    let (said, status) = ended(&words, &town, &many);
    assert!(
        said.contains("spots of a table: 1200 is over the limit of 1000: --max-spots allows more"),
        "{said}"
    );
    assert_eq!(status, Some(2));
    let (said, status) =
        ended(&[&table[..], &["--max-spots", "1200", "--spots-from"]].concat(), &town, &many);
    assert_eq!((&*said, status), ("", Some(0)));
}
