use super::*;
use navmap_testkit::archive::{Member, pak};
use navmap_testkit::corpus::bundled_path;

/// Brings the table of files in `out` up to date: what was said, and the rows.
fn update(temp: &Temp, more: &[&str]) -> (String, Vec<String>) {
    let (maps, out) = (temp.join("maps"), temp.join("out"));
    let (status, said) =
        tables(&out, &[&[maps.to_str().unwrap(), "--update", "--tables", "files"], more].concat());
    assert_eq!(status, Some(0), "{said}");
    (said, rows_of_parts(&out, "files"))
}

/// The members of an archive, and the numbers of their meshes.
fn numbers(rows: &[String]) -> Vec<(String, u32)> {
    let fields = |row: &String| {
        let fields: Vec<&str> = row.split(',').collect();
        (fields[1].to_owned(), fields[2].parse().unwrap())
    };
    let mut numbers: Vec<(String, u32)> = rows.iter().map(fields).collect();
    numbers.sort();
    numbers
}

#[test]
fn a_member_keeps_its_number_whatever_comes_before_it() {
    let temp = Temp::new("cli-tables-members");
    let mesh = |name: &str| fs::read(bundled_path("source", name)).unwrap();
    let (town, old, new) = (mesh("town.nav"), mesh("v9.nav"), mesh("v16.nav"));
    let write = |members: &[Member<'_>]| temp.file("maps/pak0.pak", &pak(members));
    let named = |of: &[(&str, u32)]| -> Vec<(String, u32)> {
        of.iter().map(|(name, number)| (format!("maps/{name}.nav"), *number)).collect()
    };
    write(&[(b"maps/m.nav", &town), (b"maps/n.nav", &old)]);
    let (_, rows) = update(&temp, &[]);
    assert_eq!(numbers(&rows), named(&[("m", 0), ("n", 1)]));
    write(&[(b"maps/a.nav", &new), (b"maps/m.nav", &town), (b"maps/n.nav", &old)]);
    let (_, rows) = update(&temp, &[]);
    assert_eq!(numbers(&rows), named(&[("a", 2), ("m", 0), ("n", 1)]));
    write(&[(b"maps/a.nav", &new), (b"maps/n.nav", &old)]);
    let (_, rows) = update(&temp, &[]);
    assert_eq!(numbers(&rows), named(&[("a", 2), ("n", 1)]));
    // A ledger of the time before members were noted has the numbers in their order alone.
    let ledger = temp.join("out/navmap-tables.jsonl");
    let text = fs::read_to_string(&ledger).unwrap();
    let without = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("members");
        format!("{line}\n")
    };
    assert!(text.contains("\"members\":[\"maps/a.nav\",\"maps/n.nav\"]"), "{text}");
    fs::write(&ledger, text.lines().map(without).collect::<String>()).unwrap();
    write(&[(b"maps/a.nav", &new), (b"maps/n.nav", &old), (b"maps/z.nav", &town)]);
    let (_, rows) = update(&temp, &[]);
    assert_eq!(numbers(&rows), named(&[("a", 2), ("n", 1), ("z", 3)]));
}

#[test]
fn rows_that_were_read_with_other_options_are_written_again() {
    let temp = Temp::new("cli-tables-options");
    let mut longer = fs::read(bundled_path("quake", "nav2-v15.nav")).unwrap();
    longer.push(7);
    temp.file("maps/longer.nav", &longer);
    let town = fs::read(bundled_path("source", "town.nav")).unwrap();
    temp.file("maps/pak0.pak", &pak(&[(b"data/town.bin", &town)]));
    let with = |rows: &[String], word: &str| rows.iter().filter(|row| row.contains(word)).count();
    let (_, rows) = update(&temp, &[]);
    assert_eq!((rows.len(), with(&rows, ",warning,")), (1, 1), "{rows:?}");
    let (said, rows) = update(&temp, &["--lenient"]);
    assert!(said.contains("2 files changed"), "{said}");
    assert_eq!((rows.len(), with(&rows, ",warning,"), with(&rows, ",ok,")), (1, 0, 1), "{rows:?}");
    let (said, _) = update(&temp, &["--lenient"]);
    assert!(said.contains("0 files changed"), "{said}");
    let (_, rows) = update(&temp, &["--lenient", "--deep"]);
    assert_eq!((rows.len(), with(&rows, "data/town.bin")), (2, 1), "{rows:?}");
    let (_, rows) = update(&temp, &[]);
    assert_eq!((rows.len(), with(&rows, ",warning,")), (1, 1), "{rows:?}");
}
