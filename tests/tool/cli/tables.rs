//! `navmap tables` and `navmap sql`: what is written, what is refused, and what is left behind.

use super::{navmap, text};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs `navmap tables` into a folder; returns status and stderr.
fn tables(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = folder.display().to_string();
    let done = navmap(&[&["tables", "-o", &output], args].concat());
    assert!(done.stdout.is_empty(), "rows go to files");
    (done.status.code(), text(&done.stderr))
}

#[test]
fn a_table_has_a_file_if_it_has_rows() {
    let temp = Temp::new("cli-tables");
    let folder = temp.path().join("out/deep");
    let (status, said) = tables(&folder, &["corpus/source/town.nav", "corpus/quake"]);
    assert_eq!(status, Some(0), "{said}");
    let written = names(&folder);
    for name in ["files.csv", "nodes.csv", "source_areas.csv", "quake_links.csv", "flag_names.csv"] {
        assert!(written.iter().any(|other| other == name), "{name} in {written:?}");
    }
    assert!(
        !written.iter().any(|name| name.starts_with("fox") || name.contains("visibility")),
        "{written:?}"
    );
    let areas = fs::read_to_string(folder.join("source_areas.csv")).unwrap();
    assert!(areas.starts_with("path,member,file,record_index,id,flags,"), "{areas}");
    assert!(areas.lines().nth(1).unwrap().starts_with("corpus/source/town.nav,,0,0,"), "{areas}");
    let rows: usize =
        written.iter().map(|name| fs::read_to_string(folder.join(name)).unwrap().lines().count() - 1).sum();
    assert!(
        said.lines().last().unwrap().starts_with(&format!("{} rows in ", grouped(rows))),
        "{rows}: {said}"
    );
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn tables_that_exist_are_replaced_only_by_force_and_then_all_of_them() {
    let temp = Temp::new("cli-tables-force");
    let folder = temp.path();
    assert_eq!(tables(folder, &["corpus/source/town.nav", "--tables", "areas,places"]).0, Some(0));
    let before = fs::read(folder.join("source_areas.csv")).unwrap();
    let (status, said) = tables(folder, &["corpus/quake", "--tables", "areas"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("source_areas.csv: is there already (--force replaces it)"), "{said}");
    assert_eq!(fs::read(folder.join("source_areas.csv")).unwrap(), before);
    // A table that was named has a file, even without rows.
    assert_eq!(tables(folder, &["corpus/quake", "--tables", "areas", "--force"]).0, Some(0));
    assert_eq!(fs::read_to_string(folder.join("source_areas.csv")).unwrap().lines().count(), 1);
    // One that was not, and has no rows any more, is gone.
    assert_eq!(tables(folder, &["corpus/quake", "--force"]).0, Some(0));
    assert!(!folder.join("source_areas.csv").exists() && folder.join("quake_nodes.csv").exists());
}

#[test]
fn a_folder_with_files_of_others_is_not_touched() {
    let temp = Temp::new("cli-tables-foreign");
    let folder = temp.path();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    for more in [&[][..], &["--force"]] {
        let (status, said) = tables(folder, &[&["corpus/source/town.nav"], more].concat());
        assert_eq!(status, Some(2));
        assert!(said.contains("holds notes.txt, which is no table"), "{said}");
        assert_eq!(names(folder), ["notes.txt"]);
    }
    let file = folder.join("notes.txt");
    assert_eq!(tables(&file, &["corpus/source/town.nav"]).0, Some(2), "a file is no folder");
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn what_is_asked_wrongly_is_told_with_the_nearest_name() {
    let temp = Temp::new("cli-tables-wrong");
    let out = temp.path().join("out");
    let (status, said) = tables(&out, &["corpus/source", "--tables", "conections"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("conections is none; the nearest name is connections"), "{said}");
    assert_eq!(tables(&out, &["corpus/source", "--unordered"]).0, Some(2));
    assert!(!out.exists(), "{:?}", names(&out));
    assert_eq!(tables(&out, &["corpus/no-such-folder"]).0, Some(2));
    let schema = navmap(&["tables", "--schema", "aeras"]);
    assert_eq!(schema.status.code(), Some(2));
    let schema = text(&navmap(&["tables", "--schema", "areas"]).stdout);
    assert!(
        schema.starts_with("source_areas: One row an area of GoldSrc, Source or Source 2. ")
            && schema.contains("\n  path "),
        "{schema}"
    );
}

#[test]
fn a_mesh_that_is_damaged_gives_its_rows_and_its_error() {
    let temp = Temp::new("cli-tables-damaged");
    let town = fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    let cut = temp.path().join("cut.nav");
    fs::write(&cut, &town[..town.len() / 2]).unwrap();
    let out = temp.path().join("out");
    let (status, said) = tables(&out, &[cut.to_str().unwrap(), "corpus/source/town.nav", "-q"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("cut.nav: area ") && said.lines().count() == 1, "{said}");
    let files = fs::read_to_string(out.join("files.csv")).unwrap();
    assert!(files.lines().nth(1).unwrap().contains(",error,"), "{files}");
    let areas = fs::read_to_string(out.join("source_areas.csv")).unwrap();
    assert!(areas.lines().any(|line| line.contains("cut.nav,,0,")), "{areas}");
}

#[test]
fn a_pattern_chooses_meshes_and_strict_drops_the_rows_of_damaged_ones() {
    let temp = Temp::new("cli-tables-where");
    let town = fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    temp.file("maps/cut.nav", &town[..town.len() / 2]);
    temp.file("maps/old/town.nav", &town);
    temp.file("maps/new/town.nav", &town);
    let maps = temp.join("maps");
    let run = |out: &str, args: &[&str]| {
        let out = temp.join(out);
        let (status, said) =
            tables(&out, &[&[maps.to_str().unwrap(), "-q", "--tables", "files,areas"], args].concat());
        let rows = |table: &str| {
            let text = fs::read_to_string(out.join(table)).unwrap_or_default();
            text.lines().skip(1).map(str::to_owned).collect::<Vec<String>>()
        };
        (status, said, rows("files.csv"), rows("source_areas.csv"))
    };
    let (status, said, files, all) = run("all", &[]);
    assert_eq!((status, files.len()), (Some(1), 3), "{said}");
    let cut = all.iter().filter(|row| row.contains("cut.nav")).count();
    assert!(cut > 0 && cut < all.len() / 2, "{cut} of {}", all.len());
    let (status, said, files, strict) = run("strict", &["--strict"]);
    assert_eq!((status, files.len(), strict.len()), (Some(1), 3, all.len() - cut), "{said}");
    assert!(said.contains("cut.nav: area "), "{said}");
    let (status, said, files, old) = run("old", &["--where", "*/old/*.nav"]);
    assert_eq!((status, files.len(), old.len()), (Some(0), 1, strict.len() / 2), "{said}");
    assert!(old.iter().all(|row| row.contains("old/town.nav,,0,")), "{}", old[0]);
    assert_eq!(run("parts", &["--update", "--where", "*"]).0, Some(2));
}

/// Rows of all parts of a table, without the header.
fn rows_of_parts(folder: &Path, table: &str) -> Vec<String> {
    let folder = folder.join(table);
    let mut rows = Vec::new();
    for name in names(&folder) {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        rows.extend(text.lines().skip(1).map(str::to_owned));
    }
    rows.sort();
    rows
}

#[test]
fn an_update_reads_only_what_has_changed_and_keeps_the_numbers_of_meshes() {
    let temp = Temp::new("cli-tables-update");
    let (maps, out) = (temp.path().join("maps"), temp.path().join("out"));
    fs::create_dir(&maps).unwrap();
    let bundled = navmap_testkit::corpus::bundled();
    for name in ["town.nav", "v9.nav", "v16.nav", "v5.nav"] {
        fs::copy(bundled.join("source").join(name), maps.join(name)).unwrap();
    }
    for number in 0..70 {
        fs::write(maps.join(format!("{number}.txt")), "no mesh").unwrap();
    }
    let update = || tables(&out, &[maps.to_str().unwrap(), "--update", "--tables", "files,areas"]);
    let numbers = || -> Vec<(String, String)> {
        let rows = rows_of_parts(&out, "files");
        let fields = |row: &String| {
            let fields: Vec<&str> = row.split(',').collect();
            (fields[3].to_owned(), fields[2].to_owned())
        };
        rows.iter().map(fields).collect()
    };
    let (status, said) = update();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("74 files changed, "), "{said}");
    let first = numbers();
    assert_eq!(first.iter().map(|(map, _)| map.as_str()).collect::<Vec<_>>(), ["town", "v16", "v5", "v9"]);
    let all = rows_of_parts(&out, "source_areas");
    assert!(names(&out.join("source_areas")).len() > 1, "more than one part");
    // Nothing has changed; a file that was only touched has the same bytes.
    fs::copy(bundled.join("source/v9.nav"), maps.join("v9.nav")).unwrap();
    let before: Vec<_> = names(&out.join("source_areas"))
        .into_iter()
        .map(|name| fs::metadata(out.join("source_areas").join(name)).unwrap().modified().unwrap())
        .collect();
    let (status, said) = update();
    assert_eq!(status, Some(0));
    assert!(said.contains("0 files changed, 0 parts written again"), "{said}");
    assert_eq!(rows_of_parts(&out, "source_areas"), all);
    // One has other bytes, one is gone, one is new.
    fs::copy(bundled.join("source/town.nav"), maps.join("v9.nav")).unwrap();
    fs::remove_file(maps.join("v5.nav")).unwrap();
    fs::copy(bundled.join("source/v5.nav"), maps.join("a-new.nav")).unwrap();
    let (status, said) = update();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("3 files changed, "), "{said}");
    let second = numbers();
    let number = |of: &[(String, String)], map: &str| {
        of.iter().find(|(known, _)| known == map).map(|(_, number)| number.clone())
    };
    for map in ["town", "v16", "v9"] {
        assert_eq!(number(&first, map), number(&second, map), "{map}");
    }
    assert_eq!((number(&second, "v5"), number(&second, "a-new")), (None, Some("4".to_owned())));
    // What was updated is what would be written anew, but for the numbers.
    let anew = temp.path().join("anew");
    assert_eq!(tables(&anew, &[maps.to_str().unwrap(), "--tables", "files,areas"]).0, Some(0));
    let without = |rows: Vec<String>| -> Vec<String> {
        let mut rows: Vec<String> = rows
            .iter()
            .map(|row| {
                let fields: Vec<&str> = row.splitn(4, ',').collect();
                format!("{} {}", fields[0], fields[3])
            })
            .collect();
        rows.sort();
        rows
    };
    let whole = fs::read_to_string(anew.join("source_areas.csv")).unwrap();
    let whole: Vec<String> = whole.lines().skip(1).map(str::to_owned).collect();
    assert_eq!(without(rows_of_parts(&out, "source_areas")), without(whole));
    assert!(!before.is_empty());
    // Other tables, or a folder with other files, are refused.
    let other = tables(&out, &[maps.to_str().unwrap(), "--update", "--tables", "files"]);
    assert_eq!(other.0, Some(2));
    assert!(other.1.contains("holds other tables"), "{}", other.1);
    assert_eq!(tables(&anew, &[maps.to_str().unwrap(), "--update"]).0, Some(2));
    fs::write(out.join("notes.txt"), "mine").unwrap();
    assert_eq!(update().0, Some(2));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_nothing_under_a_final_name() {
    let temp = Temp::new("cli-tables-killed");
    let folder = temp.path().join("out");
    // Standard input never ends, so the run has written the rows of one mesh and waits for the next.
    let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .args(["tables", "-q", "-o", folder.to_str().unwrap(), "corpus/source/town.nav", "-"])
        .current_dir(navmap_testkit::corpus::project())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = std::time::Instant::now();
    while names(&folder).len() < 5 {
        assert!(begun.elapsed().as_secs() < 60, "{:?}", names(&folder));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = names(&folder);
    assert!(!left.is_empty() && left.iter().all(|name| name.starts_with(".navmap-")), "{left:?}");
    // What it left stops no later run.
    assert_eq!(tables(&folder, &["-q", "corpus/source/town.nav"]).0, Some(0));
    assert!(folder.join("source_areas.csv").exists());
}

#[cfg(not(feature = "sql"))]
#[test]
fn what_is_not_built_in_says_so() {
    let done = navmap(&["sql", "SELECT 1", "corpus/source"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("--features full"), "{}", text(&done.stderr));
    let temp = Temp::new("cli-tables-sqlite");
    let (status, said) = tables(&temp.path().join("out"), &["corpus/source", "--format", "sqlite"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("is not built into this navmap") && said.contains("--features full"), "{said}");
    assert!(!temp.path().join("out").exists());
}

#[cfg(feature = "sql")]
mod sql;
mod update;
