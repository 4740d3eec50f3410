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
    assert!(said.contains("source_areas.csv: file: is there already (--force replaces it)"), "{said}");
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
mod sql {
    use super::*;
    use std::io::Write;

    fn sql(args: &[&str]) -> (Option<i32>, String, String) {
        let done = navmap(&[&["sql"], args].concat());
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    }

    const FLAGS: &str = "SELECT map, count(*) AS areas, min(nw_x) AS least FROM files JOIN areas USING (file) \
        WHERE map = 'town' GROUP BY file";

    #[test]
    fn an_answer_has_every_format() {
        let (status, out, said) = sql(&[FLAGS, "corpus/source"]);
        assert_eq!(status, Some(0), "{said}");
        let mut lines = out.lines();
        assert_eq!(lines.next().unwrap().split_whitespace().collect::<Vec<_>>(), ["map", "areas", "least"]);
        assert!(lines.next().unwrap().starts_with("town "), "{out}");
        assert!(said.starts_with("1 row in "), "{said}");
        let csv = sql(&["-q", FLAGS, "corpus/source", "--format", "csv"]).1;
        assert!(csv.starts_with("map,areas,least\ntown,"), "{csv}");
        let json: serde_json::Value =
            serde_json::from_str(&sql(&["-q", FLAGS, "corpus/source", "--format", "json"]).1).unwrap();
        assert_eq!(json[0]["map"], "town");
        let line = sql(&["-q", FLAGS, "corpus/source", "--format", "jsonl"]).1;
        let row: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(row, json[0]);
        assert_eq!(sql(&["-q", "SELECT 1 WHERE 0", "corpus/source", "--format", "json"]).1, "[]\n");
    }

    #[test]
    fn a_float_of_the_file_has_its_shortest_text_and_others_all_of_theirs() {
        let town = "corpus/source/town.nav";
        let (_, bare, _) = sql(&["-q", "--format", "csv", "SELECT ne_z FROM areas", town]);
        let (_, made, _) = sql(&["-q", "--format", "csv", "SELECT ne_z + 0.0 FROM areas", town]);
        for (bare, made) in bare.lines().zip(made.lines()).skip(1) {
            assert_eq!(f64::from(bare.parse::<f32>().unwrap()), made.parse::<f64>().unwrap());
        }
        let (_, light, _) =
            sql(&["-q", "--format", "jsonl", "SELECT CAST(0.1 AS REAL) AS x, 1e999 AS y", town]);
        assert_eq!(light, "{\"x\":0.1,\"y\":\"Infinity\"}\n");
    }

    #[test]
    fn statements_come_from_a_file_or_from_standard_input_as_well() {
        let temp = Temp::new("cli-sql");
        let script = temp.path().join("report.sql");
        fs::write(&script, "SELECT count(*) FROM files;\n-- and\nSELECT 2;").unwrap();
        let (status, out, _) =
            sql(&["-q", "--format", "csv", "-f", script.to_str().unwrap(), "corpus/source/town.nav"]);
        assert_eq!((status, &*out), (Some(0), "count(*)\n1\n2\n2\n"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
            .args(["sql", "-q", "--format", "csv", "-", "corpus/source/town.nav"])
            .current_dir(navmap_testkit::corpus::project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"SELECT 3").unwrap();
        assert_eq!(text(&child.wait_with_output().unwrap().stdout), "3\n3\n");
        let output = temp.path().join("out.csv");
        let args = ["-q", "--format", "csv", "SELECT 4", "corpus/source", "-o", output.to_str().unwrap()];
        assert_eq!(sql(&args).0, Some(0));
        assert_eq!(fs::read_to_string(&output).unwrap(), "4\n4\n");
        assert_eq!(sql(&args).0, Some(2), "it exists");
        // An answer that fails leaves what was there.
        let args = ["-q", "SELECT x", "corpus/source", "--force", "-o", output.to_str().unwrap()];
        assert_eq!(sql(&args).0, Some(2));
        assert_eq!(fs::read_to_string(&output).unwrap(), "4\n4\n");
    }

    fn piped(text: &str, args: &[&str]) -> (Option<i32>, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_navmap"))
            .args(["sql"])
            .args(args)
            .current_dir(navmap_testkit::corpus::project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        (done.status.code(), text_of(&done.stdout), text_of(&done.stderr))
    }

    fn text_of(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn commands_of_the_prompt_work_from_a_pipe_and_events_are_joined() {
        let temp = Temp::new("cli-sql-import");
        let events = temp.path().join("kills.csv");
        fs::write(&events, "area,weapon,damage\n1,\"ak, gold\",27\n1,awp,\n2,007,115\n").unwrap();
        let written = temp.path().join("out.jsonl");
        let script = format!(
            ".mode csv\n.import {}\nSELECT typeof(damage) AS t, typeof(weapon) AS w, count(*) AS n FROM kills\n\
             GROUP BY 1 ORDER BY 1;\nSELECT a.id, count(*) AS kills FROM areas a JOIN kills k ON k.area = a.id\n\
             WHERE a.path LIKE '%town.nav' GROUP BY a.id ORDER BY 1;\n.mode jsonl\n.output {}\nSELECT 1 AS one;\n",
            events.display(),
            written.display()
        );
        let (status, out, said) = piped(&script, &["corpus/source/town.nav"]);
        assert_eq!((status, &*said), (Some(0), ""), "{out}");
        let ids = sql(&[
            "-q",
            "--format",
            "csv",
            "SELECT id FROM areas WHERE id IN (1, 2)",
            "corpus/source/town.nav",
        ])
        .1;
        let mut want = "t,w,n\ninteger,text,2\nnull,text,1\nid,kills\n".to_owned();
        ids.lines().skip(1).for_each(|id| want.push_str(if id == "1" { "1,2\n" } else { "2,1\n" }));
        assert_eq!(out, want);
        assert_eq!(fs::read_to_string(&written).unwrap(), "{\"one\":1}\n");
        // In a file, and as the query, too.
        let listed = sql(&[".tables", "corpus/source/town.nav"]);
        assert!(listed.0 == Some(0) && listed.1.contains("source_areas"), "{listed:?}");
        for (text, words) in [
            (".impart x.csv\nSELECT 1;", ".impart is no command; did you mean .import?"),
            (".import nothing.csv\nSELECT 1;", "nothing.csv"),
            (".import FILE areas\nSELECT 1;", "areas"),
            (".import FILE drop-it\nSELECT 1;", "a table is named by letters, digits and _"),
            (".mode csv\nSELECT plce FROM areas;\nSELECT 1;", "no such column: plce"),
            (".import FILE\nDELETE FROM kills;\nSELECT 1;", "meshes are only read"),
        ] {
            let text = text.replace("FILE", events.to_str().unwrap());
            let (status, out, said) = piped(&text, &["corpus/source/town.nav"]);
            assert!(
                status == Some(2) && out.is_empty() && said.contains(words),
                "{text}: {status:?} {out} {said}"
            );
        }
        let short = temp.path().join("short.csv");
        for (csv, words) in
            [("a,b\n1\n", "line 2: has 1 fields"), ("a,a\n", "two columns have one name"), ("", "is empty")]
        {
            fs::write(&short, csv).unwrap();
            let (status, _, said) =
                piped(&format!(".import {}\n", short.display()), &["corpus/source/town.nav"]);
            assert!(status == Some(2) && said.contains(words), "{csv}: {said}");
        }
        let output = temp.path().join("o.csv");
        let refused = sql(&[".tables", "corpus/source/town.nav", "-o", output.to_str().unwrap()]);
        assert!(refused.0 == Some(2) && refused.2.contains(".output names the file"), "{refused:?}");
    }

    #[test]
    fn wrong_sql_fails_with_its_place_and_a_bad_file_does_not() {
        let (status, out, said) = sql(&["SELECT plce FROM areas", "corpus/source"]);
        assert_eq!((status, &*out), (Some(2), ""));
        assert_eq!(
            said,
            "navmap: SQL: no such column: plce; the nearest name is place\n  SELECT plce FROM areas\n         ^\n"
        );
        let (status, _, said) = sql(&["DELETE FROM areas", "corpus/source"]);
        assert_eq!(status, Some(2));
        assert!(said.contains("may not be modified") || said.contains("not authorized"), "{said}");
        let (status, out, said) =
            sql(&["--format", "csv", "SELECT count(*) > 0 FROM areas", "corpus/source", "corpus/hostile"]);
        assert_eq!((status, &*out), (Some(1), "count(*) > 0\n1\n"), "{said}");
        assert!(said.contains("navmap: corpus/hostile/source/"), "{said}");
        assert_eq!(sql(&["SELECT 1", "corpus/no-such-folder"]).0, Some(2));
        assert_eq!(sql(&["SELECT 1"]).0, Some(2));
        assert_eq!(sql(&["", "corpus/source"]).0, Some(2));
    }

    #[test]
    fn strict_drops_the_rows_of_damaged_meshes_however_they_are_found() {
        let temp = Temp::new("cli-sql-strict");
        let town = fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
        temp.file("cut.nav", &town[..town.len() / 2]);
        temp.file("town.nav", &town);
        let folder = temp.path().to_str().unwrap();
        for query in [
            "SELECT map, count(*) FROM areas JOIN files USING (file) GROUP BY file",
            "SELECT map, count(*) \
            FROM files f LEFT JOIN areas a ON a.file = f.file AND a.id > 0 WHERE a.id IS NOT NULL GROUP BY f.file",
        ] {
            let (status, all, _) = sql(&["-q", "--format", "csv", query, folder]);
            assert_eq!((status, all.lines().count()), (Some(1), 3), "{all}");
            let (status, strict, said) = sql(&["-q", "--strict", "--format", "csv", query, folder]);
            assert_eq!((status, strict.lines().count()), (Some(1), 2), "{strict}");
            assert!(said.contains("cut.nav: area ") && strict.contains("\ntown,"), "{strict}{said}");
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn an_answer_is_a_parquet_file_or_an_arrow_stream() {
        let temp = Temp::new("cli-sql-bytes");
        let query = "SELECT path, id, nw_x, has_flag(flags, 'CROUCH') AS low, place FROM areas";
        for (format, begins) in [("parquet", &b"PAR1"[..]), ("arrow", &[0xFF, 0xFF, 0xFF, 0xFF])] {
            let out = temp.join(format);
            let args = ["-q", query, "corpus/source", "--format", format, "-o", out.to_str().unwrap()];
            assert_eq!(sql(&args).0, Some(0));
            let file = fs::read(&out).unwrap();
            assert!(file.starts_with(begins) && file.len() > 1000, "{format}: {} bytes", file.len());
            // The same bytes through a pipe.
            let done = navmap(&["sql", "-q", query, "corpus/source", "--format", format]);
            assert!(done.stdout == file, "{format}");
            let refused = |query: &str| {
                let done = navmap(&["sql", "-q", query, "corpus/source/town.nav", "--format", format]);
                assert_eq!(done.status.code(), Some(2));
                text(&done.stderr)
            };
            let said = refused("SELECT 1; SELECT 2");
            assert!(said.contains("one statement"), "{said}");
            // A column is what its first 1,024 rows show.
            let late = "SELECT CASE WHEN n < 2000 THEN 1 ELSE 'x' END AS odd FROM (WITH RECURSIVE c(n) AS \
                (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) SELECT n FROM c)";
            let said = refused(late);
            assert!(said.contains("column odd is Int64, and has a value of type Text"), "{said}");
        }
    }

    #[test]
    fn a_plan_and_the_tables_are_told() {
        let (status, out, _) =
            sql(&["-q", "--explain", "SELECT count(*) FROM areas WHERE file = 3", "corpus/source"]);
        assert_eq!(status, Some(0));
        assert!(out.starts_with("SCAN areas VIRTUAL TABLE INDEX 0:m0 f0"), "{out}");
        let (status, out, _) = sql(&["--tables"]);
        assert_eq!(status, Some(0));
        assert!(out.contains("\nsource_areas ") && out.contains("has_flag(flags"), "{out}");
        assert!(sql(&["--schema", "places"]).1.starts_with("source_places: "));
    }

    #[test]
    fn a_database_is_one_file() {
        let temp = Temp::new("cli-sqlite");
        let folder = temp.path().join("out");
        let (status, said) = tables(&folder, &["-q", "corpus", "--format", "sqlite"]);
        assert_eq!(status, Some(1), "{said}");
        assert_eq!(names(&folder), ["navmap.sqlite"]);
        assert!(fs::read(folder.join("navmap.sqlite")).unwrap().starts_with(b"SQLite format 3\0"));
        assert_eq!(tables(&folder, &["-q", "corpus", "--format", "sqlite"]).0, Some(2), "it exists");
        for (name, format) in [("t.sqlite", &[][..]), ("t.db", &["--format", "sqlite"][..])] {
            let file = temp.path().join(name);
            let args = [&["-q", "corpus/source"][..], format].concat();
            let (status, said) = tables(&file, &args);
            assert_eq!(status, Some(0), "{said}");
            assert!(fs::read(&file).unwrap().starts_with(b"SQLite format 3\0"), "{name}");
            assert_eq!(tables(&file, &args).0, Some(2), "{name} exists");
            assert_eq!(tables(&file, &[&args[..], &["--force"]].concat()).0, Some(0), "{name}");
        }
        // Another format that is asked for makes a folder, whatever its name.
        let folder = temp.path().join("csv.sqlite");
        assert_eq!(tables(&folder, &["-q", "corpus/source", "--format", "csv"]).0, Some(0));
        assert!(folder.join("source_areas.csv").exists());
    }
}
