use super::*;
use navmap_testkit::archive::{Member, pak};
use navmap_testkit::corpus::bundled_path;
use std::collections::BTreeMap;
use std::path::PathBuf;

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

#[test]
fn a_damaged_file_counts_at_each_update_though_it_is_read_once() {
    let temp = Temp::new("cli-tables-damaged");
    let town = fs::read(bundled_path("source", "town.nav")).unwrap();
    temp.file("maps/good.nav", &town);
    let cut = temp.file("maps/cut.nav", &town[..town.len() / 2]);
    let (maps, out) = (temp.join("maps"), temp.join("out"));
    let run = || tables(&out, &[maps.to_str().unwrap(), "--update", "--tables", "files"]);
    let (status, said) = run();
    assert!(status == Some(1) && said.contains("cut.nav: area "), "{said}");
    for _ in 0..2 {
        let (status, said) = run();
        assert!(status == Some(1) && said.contains("0 files changed"), "{said}");
        let known = "navmap: 1 mesh cannot be read, or not to the end, in files which have not changed since";
        assert!(said.contains(known), "{said}");
    }
    fs::remove_file(cut).unwrap();
    for changed in ["1 file changed", "0 files changed"] {
        let (status, said) = run();
        assert!(status == Some(0) && said.contains(changed) && !said.contains("cannot be read"), "{said}");
    }
}

#[test]
fn a_part_that_is_gone_or_cut_is_written_again() {
    let temp = Temp::new("cli-tables-parts");
    temp.file("maps/town.nav", &fs::read(bundled_path("source", "town.nav")).unwrap());
    update(&temp, &[]);
    let (folder, part) = (temp.join("out/files"), temp.join("out/files/part-0000.csv"));
    let rows = fs::read(&part).unwrap();
    let ledger = temp.join("out/navmap-tables.jsonl");
    let damages: [&dyn Fn(); 5] = [
        &|| fs::remove_file(&part).unwrap(),
        &|| fs::remove_dir_all(&folder).unwrap(),
        &|| fs::write(&part, &rows[..rows.len() / 2]).unwrap(),
        &|| fs::write(&part, [&rows[..], b"x"].concat()).unwrap(),
        // A ledger of the time before lengths were noted.
        &|| {
            let text = fs::read_to_string(&ledger).unwrap();
            let (head, files) = text.split_once('\n').unwrap();
            let mut head: serde_json::Value = serde_json::from_str(head).unwrap();
            assert_eq!(
                head.as_object_mut().unwrap().remove("lengths").unwrap()["files/part-0000.csv"],
                rows.len()
            );
            fs::write(&ledger, format!("{head}\n{files}")).unwrap();
        },
    ];
    for damage in damages {
        damage();
        let (said, _) = update(&temp, &[]);
        assert!(said.contains("0 files changed, 1 part written again"), "{said}");
        assert_eq!(fs::read(&part).unwrap(), rows);
        let (said, _) = update(&temp, &[]);
        assert!(said.contains("0 files changed, 0 parts written again"), "{said}");
    }
}

/// The bytes of all files below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in names(folder).into_iter().map(|name| folder.join(name)) {
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[test]
fn an_update_changes_nothing_while_a_path_cannot_be_listed() {
    let temp = Temp::new("cli-tables-unlisted");
    let town = fs::read(bundled_path("source", "town.nav")).unwrap();
    for name in ["maps/a.nav", "maps/b.nav", "drive/c.nav"] {
        temp.file(name, &town);
    }
    let [maps, drive, away, out] = ["maps", "drive", "away", "out"].map(|name| temp.join(name));
    let paths = [maps.to_str().unwrap(), drive.to_str().unwrap()];
    let run = || tables(&out, &[&paths[..], &["--update", "--tables", "files,areas"]].concat());
    let (status, said) = run();
    assert_eq!(status, Some(0), "{said}");
    let before = contents(&out);
    assert_eq!(before.len(), 3, "{:?}", before.keys());
    let refused = |path: &Path| {
        let (status, said) = run();
        let why = format!("navmap: {}: ", path.display());
        assert!(status == Some(2) && said.lines().count() == 1 && said.contains(&why), "{status:?} {said}");
        assert!(contents(&out) == before, "{said}");
    };
    fs::rename(&drive, &away).unwrap();
    refused(&drive);
    fs::rename(&away, &drive).unwrap();
    #[cfg(unix)]
    {
        let link = maps.join("link");
        std::os::unix::fs::symlink(&away, &link).unwrap();
        refused(&link);
        fs::remove_file(link).unwrap();
    }
    let (status, said) = run();
    assert!(status == Some(0) && said.contains("0 files changed, 0 parts written again"), "{said}");
    assert!(contents(&out) == before, "{said}");
}

/// What stands under a name of ours and leads elsewhere is of somebody else.
#[cfg(unix)]
#[test]
fn an_update_writes_through_no_link() {
    let temp = Temp::new("cli-tables-links");
    let mesh = |name: &str| fs::read(bundled_path("source", name)).unwrap();
    let (maps, out) = (temp.join("maps"), temp.join("out"));
    let run = || tables(&out, &[maps.to_str().unwrap(), "--update"]);
    temp.file("maps/a.nav", &mesh("town.nav"));
    assert_eq!(run().0, Some(0));
    let victim = temp.join("victim");
    for (name, inside, why) in [
        ("flag_names.csv", "", "holds flag_names.csv, which is no part of a table"),
        ("navmap-tables.jsonl", "", "navmap-tables.jsonl: is a link, or no file"),
        ("files/part-0000.csv", "", "part-0000.csv: is a symbolic link, which is not followed"),
        ("files", "part-0000.csv", "holds files, which is no part of a table"),
    ] {
        let ours = out.join(name);
        fs::rename(&ours, &victim).unwrap();
        std::os::unix::fs::symlink(&victim, &ours).unwrap();
        let before = fs::read(victim.join(inside)).or_else(|_| fs::read(&victim)).unwrap();
        temp.file("maps/b.nav", &mesh("v16.nav"));
        let (status, said) = run();
        assert!(status == Some(2) && said.contains(why), "{name}: {status:?} {said}");
        let after = fs::read(victim.join(inside)).or_else(|_| fs::read(&victim)).unwrap();
        assert!(before == after && ours.is_symlink(), "{name}");
        fs::remove_file(&ours).unwrap();
        fs::rename(&victim, &ours).unwrap();
        fs::remove_file(temp.join("maps/b.nav")).unwrap();
        let (status, said) = run();
        assert_eq!(status, Some(0), "{name}: {said}");
    }
}
