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
    let (_, light, _) = sql(&["-q", "--format", "jsonl", "SELECT CAST(0.1 AS REAL) AS x, 1e999 AS y", town]);
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
    let told = piped(
        &format!(".import {}\n.schema KILLS\n.tables\n", events.display()),
        &["corpus/source/town.nav"],
    );
    let columns = "kills: rows of an imported file.\n  area    number?\n  weapon  text?\n  damage  number?\n";
    assert!(
        told.0 == Some(0) && told.1.starts_with(columns) && told.1.ends_with("\nimported:\n  kills\n"),
        "{told:?}"
    );
    let ids =
        sql(&["-q", "--format", "csv", "SELECT id FROM areas WHERE id IN (1, 2)", "corpus/source/town.nav"])
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
    let (many, twice) = (",".repeat(900_000), "x,".repeat(400));
    for (csv, words) in [
        ("a,b\n1\n", "line 2: has 1 fields, and the columns are 2"),
        ("\n\na,a\n", "line 3: two columns have one name: a"),
        ("", "is empty"),
        ("a\0,b\n", "line 1: the name of a column has a NUL"),
        ("\n\"a\n\",b\n\"1\r\n2\r\",x\r3\r", "line 7: has 1 fields"),
        ("a,b\n\"1\n2\",\"3\n", "line 3: a quoted field has no end"),
        ("a,b\n1,\"2\n3\"x\n", "line 3: a quoted field goes on after its end"),
        (&*many, "line 1: there are 900001 columns, a table has 999 at most"),
        (&*format!("a,b\n1,2\n{many}\n"), "line 3: has 900001 fields, and the columns are 2"),
        (&*twice, "line 1: two columns have one name: x"),
    ] {
        fs::write(&short, csv).unwrap();
        let (status, _, said) = piped(&format!(".import {}\n", short.display()), &["corpus/source/town.nav"]);
        let csv = csv.get(..40).unwrap_or(csv);
        assert!(status == Some(2) && said.contains(words) && said.len() < 1_000, "{csv:?}: {said}");
    }
    fs::write(&short, b"a,b\n1,2\n3,\xff\n").unwrap();
    let (_, _, said) = piped(&format!(".import {}\n", short.display()), &["corpus/source/town.nav"]);
    assert!(said.contains("short.csv: line: 3 is no UTF-8"), "{said}");
    // A device has no end.
    if cfg!(target_os = "linux") {
        let (status, _, said) = piped(".import /dev/zero\n", &["corpus/source/town.nav"]);
        assert!(status == Some(2) && said.contains("/dev/zero: file size: "), "{said}");
    }
    fs::write(&short, "a,b\r1,2\r3,4\r").unwrap();
    let script =
        format!(".mode csv\n.import {}\nSELECT sum(a) AS a, sum(b) AS b FROM short;\n", short.display());
    assert_eq!(piped(&script, &["corpus/source/town.nav"]).1, "a,b\n4,6\n", "lines of old systems of Apple");
    // Twice the same one: the message is of a line, without our own statement.
    let (_, _, said) =
        piped(&format!(".import {0}\n.import {0}\n", events.display()), &["corpus/source/town.nav"]);
    assert!(said.contains("already exists") && !said.contains("CREATE"), "{said}");
    let output = temp.path().join("o.csv");
    let refused = sql(&[".tables", "corpus/source/town.nav", "-o", output.to_str().unwrap()]);
    assert!(refused.0 == Some(2) && refused.2.contains(".output names the file"), "{refused:?}");
}

/// What pandas, spreadsheets and navmap's own CSV write.
#[test]
fn imported_numbers_may_be_none_or_endless_and_fields_divided_by_semicolons() {
    let temp = Temp::new("cli-sql-written");
    let spaced = temp.file("my kills.csv", b",x\n0,NaN\n1,-inf\n2,10.5\n3,9\n");
    let semicolons = temp.file("semi.csv", b"a;b\n1;x,y\n");
    let script = format!(
        ".mode csv\n.import {0} k\n.import \"{0}\" q\n.import '{0}' r\nSELECT typeof(x) AS t, count(*) AS n, max(column_1) AS most\n\
         FROM k WHERE x IS NULL OR x < 10 GROUP BY 1 ORDER BY 1;\nSELECT count(*) AS n FROM q JOIN r USING (column_1);\n\
         .import {1}\nSELECT a + 1 AS a, b FROM semi;\n",
        spaced.display(),
        semicolons.display()
    );
    let (status, out, said) = piped(&script, &["corpus/source/town.nav"]);
    let want = "t,n,most\ninteger,1,3\nnull,1,0\nreal,1,1\nn\n4\na,b\n2,\"x,y\"\n";
    assert_eq!((status, &*out), (Some(0), want), "{said}");
    let (status, _, said) = piped(&format!(".import {}\n", spaced.display()), &["corpus/source/town.nav"]);
    assert!(status == Some(2) && said.contains("not my kills; .import FILE TABLE names the table"), "{said}");
}

#[test]
fn the_ending_of_the_output_names_its_format() {
    let temp = Temp::new("cli-sql-endings");
    let read = |name: &str| fs::read_to_string(temp.join(name)).unwrap();
    let to = |name: &str| temp.join(name).to_str().unwrap().to_owned();
    for (name, want) in [("a.csv", "one\n1\n"), ("a.jsonl", "{\"one\":1}\n"), ("a.txt", "one\n  1\n")] {
        let (status, _, said) = sql(&["-q", "SELECT 1 AS one", "corpus/source/town.nav", "-o", &to(name)]);
        assert_eq!((status, &*read(name)), (Some(0), want), "{name}: {said}");
    }
    let args = ["-q", "SELECT 1 AS one", "corpus/source/town.nav", "-o", &to("b.csv"), "--format", "jsonl"];
    assert_eq!((sql(&args).0, &*read("b.csv")), (Some(0), "{\"one\":1}\n"), "what was asked for");
    let script = format!(
        ".output {}\nSELECT 1 AS one;\n.output {}\nSELECT 2 AS two;\n.mode jsonl\n.output {}\nSELECT 3 AS three;\n",
        to("c.csv"),
        to("c.jsonl"),
        to("d.csv")
    );
    assert_eq!(piped(&script, &["corpus/source/town.nav"]).0, Some(0));
    let written = ["c.csv", "c.jsonl", "d.csv"].map(read);
    assert_eq!(written, ["one\n1\n", "{\"two\":2}\n", "{\"three\":3}\n"]);
}

/// A reader of JSON keeps the last of two values under one name.
#[test]
fn columns_with_one_name_are_numbered_where_they_are_found_by_name() {
    let query = "SELECT 1 AS x, 2 AS x, 3 AS X, 4 AS x_1";
    let answer = |format: &str| {
        let (status, out, said) = sql(&["-q", query, "corpus/source/town.nav", "--format", format]);
        assert_eq!(status, Some(0), "{said}");
        out
    };
    assert_eq!(answer("jsonl"), "{\"x\":1,\"x_1\":2,\"X_2\":3,\"x_1_1\":4}\n");
    assert!(answer("json").contains("{\"x\":1,\"x_1\":2,"));
    assert_eq!(answer("csv"), "x,x,X,x_1\n1,2,3,4\n");
    assert!(answer("table").starts_with("x  x  X  x_1\n"));
}

/// Hashes of 64 bits, of which half are above the highest integer of SQLite.
#[test]
fn imported_ids_keep_all_their_digits() {
    let temp = Temp::new("cli-sql-ids");
    let ids =
        temp.file("ids.csv", b"steam,hash\n76561198000000001,9223372036854775809\n76561198000000003,7\n");
    let script = format!(
        ".mode csv\n.import {}\nSELECT typeof(steam) AS s, typeof(hash) AS h, steam, hash FROM ids;\n",
        ids.display()
    );
    let (status, out, said) = piped(&script, &["corpus/source/town.nav"]);
    let want = "s,h,steam,hash\ninteger,text,76561198000000001,9223372036854775809\ninteger,text,76561198000000003,7\n";
    assert_eq!((status, &*out), (Some(0), want), "{said}");
}

#[test]
fn output_gathers_the_answers_of_all_statements_until_the_next_one() {
    let temp = Temp::new("cli-sql-output");
    let [a, b] = ["a.csv", "b.csv"].map(|name| temp.join(name));
    let run = |script: &str| {
        let script = script.replace("A.CSV", a.to_str().unwrap()).replace("B.CSV", b.to_str().unwrap());
        piped(&script, &["corpus/source/town.nav", "--force"])
    };
    let (status, out, said) =
        run(".mode csv\n.output A.CSV\nSELECT 1 AS one;\nSELECT 2 AS two; SELECT 3 AS three;\n\
         .output B.CSV\nSELECT 4 AS four;\n.output\nSELECT 5 AS five;\n");
    assert_eq!((status, &*out, &*said), (Some(0), "five\n5\n", ""));
    let written = || [&a, &b].map(|path| fs::read_to_string(path).unwrap());
    let want = ["one\n1\ntwo\n2\nthree\n3\n", "four\n4\n"];
    assert_eq!(written(), want);
    // A text that fails writes nothing, and neither does one without a statement.
    let (status, _, said) = run(".mode csv\n.output A.CSV\nSELECT 6 AS six;\nSELECT six;\n");
    assert!(
        status == Some(2) && said.contains("a.csv: nothing is written, since a statement failed"),
        "{said}"
    );
    assert_eq!(run(".output A.CSV\n.output\n").0, Some(0));
    assert_eq!(written(), want);
    let (status, _, said) = run(".output A.CSV/no.csv\nSELECT 1;\n");
    assert!(status == Some(2) && said.contains("a.csv: not a directory"), "{said}");
    assert_eq!(temp.names(), ["a.csv", "b.csv"], "no temporary file is left");
}

#[test]
fn output_replaces_no_file_of_others_without_force() {
    let temp = Temp::new("cli-sql-taken");
    let taken = temp.file("taken.csv", b"precious");
    let (taken, own) = (taken.to_str().unwrap(), temp.join("own.csv"));
    let own = own.to_str().unwrap();
    let script = format!(".mode csv\n.output {taken}\nSELECT 1 AS one;\n");
    let (status, out, said) = piped(&script, &["corpus/source/town.nav"]);
    assert!(status == Some(2) && out.is_empty(), "{said}");
    assert!(said.contains("taken.csv: is there already (--force replaces it)"), "{said}");
    assert_eq!(fs::read(taken).unwrap(), b"precious");
    // What the run itself has written it may write again.
    let script = format!(".mode csv\n.output {own}\nSELECT 1 AS one;\n.output {own}\nSELECT 2 AS two;\n");
    let (status, _, said) = piped(&script, &["corpus/source/town.nav"]);
    assert_eq!((status, fs::read_to_string(own).unwrap()), (Some(0), "two\n2\n".to_owned()), "{said}");
    let script = format!(".mode csv\n.output {taken}\nSELECT 3 AS three;\n");
    assert_eq!(piped(&script, &["corpus/source/town.nav", "--force"]).0, Some(0));
    assert_eq!(fs::read(taken).unwrap(), b"three\n3\n");
}

/// Nobody reads the first answer, and the second goes to a file.
#[cfg(unix)]
#[test]
fn output_is_written_though_standard_output_is_closed() {
    let temp = Temp::new("cli-sql-unread");
    let out = temp.join("out.csv");
    let script = format!(".mode csv\nSELECT 1 AS one;\n.output {}\nSELECT 2 AS two;\n", out.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.args(["sql", &script, "corpus/source/town.nav"]).current_dir(navmap_testkit::corpus::project());
    let status = command.stdout(crate::unread::closed()).status().unwrap();
    assert_eq!((status.code(), fs::read_to_string(out).unwrap()), (Some(0), "two\n2\n".to_owned()));
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
    let (status, _, said) = sql(&["corpus/source", "SELECT 1"]);
    assert_eq!((status, said.contains("a query stands before the paths")), (Some(2), true), "{said}");
    assert_eq!(sql(&["", "corpus/source"]).0, Some(2));
}

#[test]
fn a_dry_run_answers_and_writes_no_file() {
    let temp = Temp::new("cli-sql-dry");
    let output = temp.join("places.csv");
    let args =
        ["SELECT 1 AS one", "corpus/source/town.nav", "--format", "csv", "-o", output.to_str().unwrap()];
    let (status, out, said) = sql(&[&args[..], &["--dry-run"]].concat());
    assert_eq!((status, &*out), (Some(0), ""), "{said}");
    assert!(
        said.contains("places.csv is not written, 6 bytes: --dry-run") && said.contains("1 row in "),
        "{said}"
    );
    assert!(temp.names().is_empty());
    let quiet = sql(&[&args[..], &["--dry-run", "-q"]].concat());
    assert_eq!(quiet, (Some(0), String::new(), String::new()));
    let (status, _, said) = sql(&["SELECT 1", "corpus/source/town.nav", "--dry-run"]);
    assert!(status == Some(2) && said.contains("--output"), "{said}");
    let commands = [".mode csv", "corpus/source/town.nav", "-o", output.to_str().unwrap()];
    let (status, _, said) = sql(&commands);
    assert!(status == Some(2) && said.contains(".output names the file"), "{said}");
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
fn a_file_of_bytes_holds_one_answer_at_the_prompt_too() {
    let temp = Temp::new("cli-sql-one");
    let out = temp.join("a.parquet");
    let script = |more: &str| format!(".mode parquet\n.output {}\nSELECT 1 AS one;\n{more}", out.display());
    assert_eq!(piped(&script(""), &["corpus/source/town.nav"]).0, Some(0));
    assert!(fs::read(&out).unwrap().starts_with(b"PAR1"));
    // Its footer names columns, and two have not one name.
    let twice = format!(".mode parquet\n.output {}\nSELECT 1 AS one, 2 AS one;\n", out.display());
    // A file of an earlier run is replaced if that was asked for, as by every verb.
    let (status, _, said) = piped(&twice, &["corpus/source/town.nav"]);
    assert!(status == Some(2) && said.contains("--force"), "{said}");
    assert_eq!(piped(&twice, &["--force", "corpus/source/town.nav"]).0, Some(0));
    assert!(fs::read(&out).unwrap().windows(5).any(|name| name == b"one_1"));
    let (status, _, said) = piped(&script("SELECT 2 AS two;\n"), &["--force", "corpus/source/town.nav"]);
    assert!(status == Some(2) && said.contains("holds the answer of one statement"), "{said}");
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
        // A column of a table has its type.
        let of = ["SELECT hiding_spots FROM areas"; 4].join(" UNION ALL ");
        let said = refused(&format!("{of} UNION ALL SELECT 300"));
        let why =
            "column hiding_spots is UInt8, and has the value 300; CAST(hiding_spots AS INTEGER) holds it";
        assert!(said.contains(why), "{said}");
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
    assert_eq!(out, "SCAN areas: one mesh, by file\n");
    let query =
        "SELECT place, count(*) FROM areas a JOIN connections USING (file) WHERE src_id = a.id GROUP BY 1";
    let (_, out, _) = sql(&["-q", "--explain", query, "corpus/source"]);
    assert_eq!(
        out,
        "SCAN a: every mesh\nSCAN connections: one mesh, by file, rows looked up by src_id\nSORT FOR GROUP BY\n"
    );
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
