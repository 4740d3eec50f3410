//! SQL over the files themselves: the same rows as the tables, whatever way they are found.

use navmap::scan::Scan;
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap::table::sql::{Database, Wrong};
use navmap::table::{Run, TABLES, Table, Value};
use navmap_testkit::corpus::{bundled, real};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(super) fn open(path: impl AsRef<Path>) -> Database {
    Database::open(Scan::new(), vec![path.as_ref().to_owned()]).unwrap()
}

pub(super) fn rows(database: &Database, sql: &str) -> Vec<Vec<Cell>> {
    let connection = database.connection();
    let mut statement =
        connection.prepare(sql).unwrap_or_else(|error| panic!("{}", Wrong::explain(&error, connection)));
    let columns = statement.column_count();
    let read = statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect()).unwrap();
    read.map(|row| row.unwrap_or_else(|error| panic!("{sql}: {error}"))).collect()
}

pub(super) fn number(database: &Database, sql: &str) -> i64 {
    match rows(database, sql)[..] {
        [ref row] => match row[..] {
            [Cell::Integer(number)] => number,
            ref other => panic!("{sql}: {other:?}"),
        },
        ref other => panic!("{sql}: {} rows", other.len()),
    }
}

pub(super) fn wrong(database: &Database, sql: &str) -> String {
    let connection = database.connection();
    let run = || -> navmap::table::sql::rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        Ok(())
    };
    Wrong::explain(&run().expect_err(sql), connection).to_string()
}

pub(super) fn plan(database: &Database, sql: &str) -> String {
    let rows = rows(database, &format!("EXPLAIN QUERY PLAN {sql}"));
    rows.into_iter().map(|row| format!("{:?}\n", row[3])).collect()
}

fn told(value: Value<'_>) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(yes) => Cell::Integer(yes.into()),
        Value::Int(number) => Cell::Integer(number),
        Value::Wide(number) => Cell::Integer(number.cast_signed()),
        // SQLite has no NaN.
        Value::F32(number) if number.is_nan() => Cell::Null,
        Value::F32(number) => Cell::Real(number.into()),
        Value::Text(text) => Cell::Text(text.to_owned()),
        Value::Bytes(bytes) => Cell::Blob(bytes.to_vec()),
        Value::Geometry(wkb) => Cell::Blob(wkb.to_vec()),
        other => panic!("{other:?}"),
    }
}

/// The rows of a table as a run makes them.
fn made(table: &'static Table, root: &Path) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    Run::new(Scan::new(), [table]).run([root], &mut |mesh, sheets| {
        let batch = &sheets.batches()[0];
        for row in 0..batch.rows() {
            let common = [
                Cell::Text(mesh.path.to_owned()),
                mesh.member.map_or(Cell::Null, |member| Cell::Text(member.to_owned())),
                Cell::Integer(mesh.file.into()),
            ];
            rows.push(common.into_iter().chain(batch.columns().iter().map(|c| told(c.get(row)))).collect());
        }
        ControlFlow::Continue(())
    });
    rows
}

#[test]
fn every_table_has_the_rows_of_a_run_value_by_value() {
    let mut compared = 0;
    for root in [Some(bundled()), real()].into_iter().flatten() {
        let database = open(&root);
        for table in TABLES.iter().filter(|table| table.is_of_meshes() && !table.is_large()) {
            // Of real files a few tables of each family are enough.
            let few = crate::formats::REAL.contains(&table.name) || table.name == "source_areas";
            if root != bundled() && !few {
                continue;
            }
            let ours = rows(&database, &format!("SELECT * FROM {}", table.name));
            let theirs = made(table, &root);
            assert_eq!(ours.len(), theirs.len(), "{}", table.name);
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours, theirs, "{}", table.name);
            }
            compared += ours.len();
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn meshes_have_the_same_numbers_whatever_is_read_of_them() {
    for root in [Some(bundled()), real()].into_iter().flatten() {
        let database = open(&root);
        let all = rows(&database, "SELECT file, path, member FROM files");
        for row in all.iter().step_by(7) {
            let Cell::Integer(file) = row[0] else { panic!("{row:?}") };
            let one = rows(
                &database,
                &format!("SELECT DISTINCT file, path, member FROM nodes WHERE file = {file}"),
            );
            assert!(one.is_empty() || one == [row.clone()], "{one:?} {row:?}");
        }
    }
}

/// Groups of a query, for comparison.
fn groups(database: &Database, sql: &str) -> BTreeMap<String, String> {
    rows(database, sql)
        .into_iter()
        .map(|row| (format!("{:?}", row[0]), row[1..].iter().map(|cell| format!("{cell:?} ")).collect()))
        .collect()
}

#[test]
fn rows_that_are_looked_up_are_those_that_a_walk_finds() {
    let database = open(bundled().join("source"));
    // The unary plus hides a column from the planner: then every row is looked at.
    for (found, walked) in [
        ("path = 'P'", "+path = 'P'"),
        ("file = 3", "+file = 3"),
        ("file = 3 AND id = 5", "+file = 3 AND +id = 5"),
        ("file = 3 AND id = 5.0", "+file = 3 AND +id = 5.0"),
        ("file = '3' AND id = 'x'", "+file = '3' AND +id = 'x'"),
        ("file = 3 AND id = NULL", "+file = 3 AND +id = NULL"),
        ("file = 3.5", "+file = 3.5"),
        ("file IN (1, 3, 99)", "+file IN (1, 3, 99)"),
        ("path GLOB '*town*'", "+path GLOB '*town*'"),
        ("path GLOB '*[st]own*'", "+path GLOB '*[st]own*'"),
        ("path LIKE '%TOWN.nav'", "+path LIKE '%TOWN.nav'"),
        ("path LIKE '%' AND id = 4", "+path LIKE '%' AND +id = 4"),
    ] {
        let town = bundled().join("source/town.nav");
        let of = |by: &str| {
            let by = by.replace("'P'", &format!("'{}'", town.display()));
            rows(&database, &format!("SELECT file, id, flags, nw_x FROM areas WHERE {by} ORDER BY 1, 2"))
        };
        assert_eq!(of(found), of(walked), "{found}");
    }
    let town = number(&database, "SELECT count(*) FROM areas WHERE path LIKE '%town.nav'");
    assert!(town > 10, "{town}");
}

#[test]
fn groups_that_are_not_sorted_are_those_that_are() {
    let database = open(bundled());
    for (ours, theirs) in [
        (
            "file, count(*), min(id) FROM areas GROUP BY file",
            "file, count(*), min(id) FROM areas GROUP BY +file",
        ),
        ("path, count(*) FROM links GROUP BY path", "path, count(*) FROM links GROUP BY +path"),
        (
            "file || '/' || id, count(*) FROM areas GROUP BY file, id",
            "file || '/' || id, count(*) FROM areas GROUP BY +file, +id",
        ),
        (
            "file || '/' || src_id, count(*), sum(dst_id) FROM connections GROUP BY file, src_id",
            "file || '/' || src_id, count(*), sum(dst_id) FROM connections GROUP BY +file, +src_id",
        ),
        (
            "path || '/' || mesh, count(*) FROM nodes GROUP BY path, file, mesh",
            "path || '/' || mesh, count(*) FROM nodes GROUP BY +path, +file, +mesh",
        ),
        (
            "file, 1 FROM (SELECT DISTINCT file FROM nodes)",
            "file, 1 FROM (SELECT DISTINCT +file AS file FROM nodes)",
        ),
        ("member, count(*) FROM nodes GROUP BY member", "member, count(*) FROM nodes GROUP BY +member"),
        (
            "place, count(*) || '/' || sum(surface) FROM areas GROUP BY place",
            "place, count(*) || '/' || sum(surface) FROM areas GROUP BY +place",
        ),
        (
            "hiding_spots, group_concat(id) FROM areas WHERE nw_z > 0 GROUP BY hiding_spots",
            "hiding_spots, group_concat(id) FROM areas WHERE nw_z > 0 GROUP BY +hiding_spots",
        ),
        (
            "version, count(*) FROM source_meshes JOIN areas USING (file) GROUP BY version",
            "version, count(*) FROM source_meshes JOIN areas USING (file) GROUP BY +version",
        ),
        (
            "version || '/' || subversion, count(*) FROM source_meshes GROUP BY subversion, version",
            "version || '/' || subversion, count(*) FROM source_meshes GROUP BY +subversion, +version",
        ),
        (
            "game, count(n.id) FROM files JOIN nodes n USING (file) GROUP BY game",
            "game, count(n.id) FROM files JOIN nodes n USING (file) GROUP BY +game",
        ),
        (
            "game, 1 FROM (SELECT DISTINCT game FROM files)",
            "game, 1 FROM (SELECT DISTINCT +game AS game FROM files)",
        ),
    ] {
        let (ours, theirs) = (format!("SELECT {ours}"), format!("SELECT {theirs}"));
        let (first, second) = (groups(&database, &ours), groups(&database, &theirs));
        assert!(!first.is_empty() && first == second, "{ours}");
    }
    let sorted = plan(&database, "SELECT file, count(*) FROM areas GROUP BY +file");
    let grouped = plan(&database, "SELECT file, id, count(*) FROM areas GROUP BY file, id");
    assert!(sorted.contains("TEMP B-TREE") && !grouped.contains("TEMP B-TREE"), "{sorted}{grouped}");
    let joined = plan(&database, "SELECT game, count(*) FROM files JOIN areas USING (file) GROUP BY game");
    assert!(!joined.contains("TEMP B-TREE"), "{joined}");
    let alone = plan(&database, "SELECT place, count(*), sum(surface) FROM areas GROUP BY place");
    assert!(!alone.contains("TEMP B-TREE"), "{alone}");
    let of_files = plan(&database, "SELECT place, count(DISTINCT path) FROM areas GROUP BY place");
    assert!(of_files.contains("TEMP B-TREE"), "{of_files}");
    // A float is sorted by SQLite, which has rules of its own for it.
    let floats = plan(&database, "SELECT min_x, count(*) FROM files GROUP BY min_x");
    assert!(floats.contains("TEMP B-TREE"), "{floats}");
    let ordered = plan(&database, "SELECT file, id FROM areas ORDER BY file, id");
    assert!(!ordered.contains("TEMP B-TREE"), "{ordered}");
    let ordered = rows(&database, "SELECT file, id FROM areas ORDER BY file, id");
    assert_eq!(ordered, rows(&database, "SELECT file, id FROM areas ORDER BY +file, +id"));
    let descending = rows(&database, "SELECT file, id FROM areas ORDER BY file DESC, id");
    assert_eq!(descending, rows(&database, "SELECT file, id FROM areas ORDER BY +file DESC, +id"));
}

#[test]
fn functions_that_sqlite_lacks_are_there() {
    let database = open(bundled().join("source"));
    let one = |sql: &str| rows(&database, &format!("SELECT {sql}"))[0][0].clone();
    assert_eq!(one("sqrt(9) + pow(2, 3) + floor(1.5)"), Cell::Real(12.0));
    assert_eq!(one("dist(0, 0, 0, 3, 4, 12)"), Cell::Real(13.0));
    assert_eq!(one("dist(0, 0, 0, 3, 4, NULL)"), Cell::Null);
    assert_eq!(one("map_name('maps/de_dust2.nav')"), Cell::Text("de_dust2".to_owned()));
    assert_eq!(one("'de_dust2' REGEXP '^de_[a-z]+\\d$'"), Cell::Integer(1));
    let of = "FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 4 UNION ALL SELECT NULL)";
    assert_eq!(one(&format!("median(x) {of}")), Cell::Real(2.0));
    assert_eq!(one(&format!("percentile(x, 75) {of}")), Cell::Real(3.0));
    assert_eq!(one(&format!("round(stddev(x), 6) {of}")), Cell::Real(1.527525));
    assert_eq!(one(&format!("round(var_pop(x), 6) {of}")), Cell::Real(1.555556));
    assert_eq!(one("median(NULL)"), Cell::Null);
    let infinite = "FROM (SELECT 9e999 AS x UNION ALL SELECT 9e999)";
    assert_eq!(one(&format!("median(x) {infinite}")), Cell::Real(f64::INFINITY));
    assert_eq!(one("stddev(1)"), Cell::Null, "one value has no spread of a sample");
    assert_eq!(one("has_flag(5, 'CROUCH')"), Cell::Integer(1));
    assert_eq!(one("has_flag(5, 'crouch', 'yapb')"), Cell::Integer(1), "as YaPB spells it: 4");
    let several = wrong(&database, "SELECT has_flag(5, 'crouch')");
    assert!(several.contains("rcbot_waypoints, ") && several.contains("source_areas, "), "{several}");
    assert_eq!(one("has_flag(5, 'Crouch', 'source')"), Cell::Integer(1));
    assert_eq!(one("has_flag(NULL, 'CROUCH')"), Cell::Null);
    assert!(wrong(&database, "SELECT has_flag(5, 'CROUHC')").contains("the nearest is "));
    assert!(wrong(&database, "SELECT has_flag(5, 'JUMP', 'doom')").contains("is a bit of"));
    assert!(wrong(&database, "SELECT sqrt('x')").contains("a number was expected"));
    assert!(wrong(&database, "SELECT 'a' REGEXP '('").contains("REGEXP: "));
    let crouch = number(&database, "SELECT count(*) FROM areas WHERE has_flag(flags, 'CROUCH')");
    let bits = "SELECT count(*) FROM areas, flag_names n WHERE n.name = 'CROUCH' AND n.table_name = 'source_areas' \
        AND n.game IS NULL AND flags & n.mask <> 0";
    assert_eq!(crouch, number(&database, bits));
}

#[test]
fn what_an_area_sees_is_its_own_list_over_that_which_it_inherits() {
    let Some(root) = real() else { return };
    let database = open(root.join("source"));
    let sql = "SELECT a.path, a.id, a.inherit_id FROM areas a WHERE a.inherit_id IS NOT NULL AND a.path LIKE '%tf2%' LIMIT 5";
    let areas = rows(&database, sql);
    assert!(!areas.is_empty());
    for row in areas {
        let (Cell::Text(path), Cell::Integer(id), Cell::Integer(from)) = (&row[0], &row[1], &row[2]) else {
            panic!("{row:?}")
        };
        let seen =
            number(&database, &format!("SELECT count(*) FROM json_each(visible_from('{path}', {id}))"));
        let lists = format!(
            "WITH own AS (SELECT dst_id, visible FROM visibility WHERE path = '{path}' AND src_id = {id}), \
             other AS (SELECT dst_id, visible FROM visibility WHERE path = '{path}' AND src_id = {from}) \
             SELECT count(*) FROM (SELECT dst_id FROM own WHERE visible <> 0 UNION \
             SELECT dst_id FROM other WHERE visible <> 0 AND dst_id NOT IN (SELECT dst_id FROM own))"
        );
        assert_eq!(seen, number(&database, &lists));
    }
}

#[test]
fn wrong_sql_is_told_with_its_place_and_the_nearest_name() {
    let database = open(bundled().join("source"));
    let column = wrong(&database, "SELECT plce FROM areas");
    assert_eq!(
        column,
        "no such column: plce; the nearest name is place\n  SELECT plce FROM areas\n         ^"
    );
    assert!(
        wrong(&database, "SELECT * FROM arreas")
            .starts_with("no such table: arreas; the nearest name is areas")
    );
    assert!(wrong(&database, "SELEC 1").contains("syntax error\n  SELEC 1\n  ^"));
    let column = wrong(&database, "SELECT a.heigth FROM skyrim_triangles a");
    assert!(column.contains("the nearest name is height"), "{column}");
}

#[test]
fn nothing_is_written_and_nothing_else_is_opened() {
    let database = open(bundled().join("source"));
    for sql in [
        "CREATE TABLE x (a)",
        "CREATE TEMP TABLE x AS SELECT 1",
        "INSERT INTO areas VALUES (1)",
        "UPDATE areas SET id = 1",
        "DELETE FROM areas",
        "DROP TABLE areas",
        "ATTACH '/tmp/navmap-attached.db' AS other",
        "VACUUM INTO '/tmp/navmap-vacuumed.db'",
        "PRAGMA journal_mode = DELETE",
        "SELECT load_extension('/tmp/x.so')",
        "BEGIN",
    ] {
        let told = wrong(&database, sql);
        assert!(
            told.contains("not authorized")
                || told.contains("authorization denied")
                || told.contains("may not be modified")
                || told.contains("prohibited")
                || told.contains("values were supplied"),
            "{sql}: {told}"
        );
    }
    assert!(!Path::new("/tmp/navmap-attached.db").exists() && !Path::new("/tmp/navmap-vacuumed.db").exists());
    assert_eq!(number(&database, "SELECT 1"), 1, "and it goes on");
}

#[test]
fn a_file_that_cannot_be_read_never_ends_a_query() {
    let temp = navmap_testkit::temp::Temp::new("table-bad");
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    std::fs::write(temp.path().join("a.nav"), &town).unwrap();
    std::fs::write(temp.path().join("b.nav"), &town[..town.len() / 2]).unwrap();
    std::fs::write(temp.path().join("c.nav"), b"nothing").unwrap();
    std::fs::write(temp.path().join("d.nav"), &town).unwrap();
    let database = open(temp.path());
    let whole = number(&database, "SELECT count(*) FROM areas WHERE path LIKE '%a.nav'");
    assert!(database.take_failures().is_empty());
    let all = number(&database, "SELECT count(*) FROM areas");
    assert!(2 * whole < all && all < 3 * whole, "{whole} {all}");
    let failures = database.take_failures();
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert!(failures[0].0.ends_with("b.nav") && failures[0].1.starts_with("area "), "{failures:?}");
    let status: HashMap<String, String> = rows(&database, "SELECT map, status FROM files")
        .into_iter()
        .map(|row| match &row[..] {
            [Cell::Text(map), Cell::Text(status)] => (map.clone(), status.clone()),
            other => panic!("{other:?}"),
        })
        .collect();
    let of = |map: &str| status[map].as_str();
    assert_eq!((of("a"), of("b"), of("c"), of("d")), ("ok", "error", "error", "ok"));
}

/// A generator of numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.roll(of.len())]
    }
}

#[test]
fn random_statements_have_one_answer_whichever_way_they_are_planned() {
    let roots = [bundled().join("source"), bundled().join("hostile")];
    let database = Database::open(Scan::new(), roots.map(PathBuf::from).to_vec()).unwrap();
    let tables =
        ["areas", "connections", "hiding_spots", "nodes", "links", "files", "quake_links", "findings"];
    let mut dice = Dice(7);
    for _ in 0..150 {
        let table = dice.one(&tables);
        let columns: Vec<&str> =
            Table::named(table).unwrap().all_columns().map(|column| column.name).collect();
        let mut conditions = Vec::new();
        for _ in 0..dice.roll(3) {
            let column = dice.one(&columns);
            let operator = dice.one(&["=", "=", "<>", "<", "IS", "GLOB", "LIKE", "IN"]);
            let value = match operator {
                "IN" => dice.one(&["(1, 2, 'x')", "(SELECT 3)", "(NULL, 0)"]),
                "GLOB" | "LIKE" => dice.one(&["'*town*'", "'%town%'", "'x'", "NULL", "'[a-'"]),
                _ => dice.one(&[
                    "0",
                    "1",
                    "2",
                    "3",
                    "7.0",
                    "1.5",
                    "'town'",
                    "NULL",
                    "-1",
                    "9223372036854775807",
                ]),
            };
            conditions.push((column, operator, value));
        }
        let by = [dice.one(&columns), dice.one(&["file", "path", "member"])];
        let said = |plus: &str| {
            let conditions: Vec<String> = conditions
                .iter()
                .map(|(column, operator, value)| format!("{plus}{column} {operator} {value}"))
                .collect();
            let conditions = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
            let by: Vec<String> = by.iter().map(|column| format!("{plus}{column}")).collect();
            format!(
                "SELECT {}, {}, count(*), min(file) FROM {table} WHERE {conditions} GROUP BY {}",
                by[0],
                by[1],
                by.join(", ")
            )
        };
        let answer = |sql: &str| {
            let mut rows: Vec<String> = rows(&database, sql).iter().map(|row| format!("{row:?}")).collect();
            rows.sort();
            rows
        };
        assert_eq!(answer(&said("")), answer(&said("+")), "{}", said(""));
    }
    database.take_failures();
}

#[test]
fn a_database_file_has_the_rows_that_sql_over_the_files_has() {
    let temp = navmap_testkit::temp::Temp::new("table-sqlite");
    let path = temp.path().join("all.sqlite");
    let tables = || TABLES.iter().copied().filter(|table| table.is_of_meshes() && table.name != "findings");
    let mut file = navmap::table::sqlite::SqliteFile::create(&path, tables()).unwrap();
    // What is read of a mesh ends at its first error, and where that is depends on the tables that are asked for.
    let mut whole = Vec::new();
    Run::new(Scan::new(), tables()).run([bundled()], &mut |mesh, sheets| {
        sheets.batches().iter().try_for_each(|batch| file.write(mesh, batch)).unwrap();
        if mesh.error.is_none() {
            whole.push(mesh.file.to_string());
        }
        ControlFlow::Continue(())
    });
    file.finish().unwrap();
    let whole = whole.join(", ");
    let stored = navmap::table::sql::rusqlite::Connection::open(&path).unwrap();
    let database = open(bundled());
    let mut compared = 0;
    for table in tables() {
        let all = format!("SELECT * FROM {} WHERE file IN ({whole})", table.name);
        // As written: an index has another order.
        let mut statement = stored.prepare(&format!("{all} ORDER BY rowid")).unwrap();
        let columns = statement.column_count();
        let read = statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect()).unwrap();
        let theirs: Vec<Vec<Cell>> = read.map(Result::unwrap).collect();
        let ours = rows(&database, &all);
        assert_eq!(ours.len(), theirs.len(), "{}", table.name);
        assert!(ours == theirs, "{}", table.name);
        compared += theirs.len();
    }
    assert!(compared > 1000);
    // Joins within a mesh look rows up, and so does a question for one mesh.
    for (sql, index) in [
        (
            "FROM source_areas a JOIN source_connections c ON c.file = a.file AND c.src_id = a.id WHERE a.id = 7",
            "source_connections_src_id",
        ),
        (
            "FROM links l JOIN nodes n ON n.file = l.file AND n.node = l.dst WHERE l.file = 3 AND l.src = 5",
            "nodes_node",
        ),
        (
            "FROM skyrim_triangles t JOIN skyrim_vertices v ON v.file = t.file AND v.mesh = t.mesh AND v.vertex = t.v0 \
             WHERE t.file = 3 AND t.mesh = 1 AND t.triangle = 2",
            "skyrim_vertices_vertex",
        ),
        (
            "FROM fox_faces f JOIN fox_segments s ON s.file = f.file AND s.group_id = f.group_id AND s.segment = f.segment \
             WHERE f.file = 3 AND f.group_id = 1 AND f.face = 2",
            "fox_segments_segment",
        ),
        ("FROM files f JOIN quake_meshes m ON m.file = f.file WHERE f.file = 2", "quake_meshes_file"),
    ] {
        let mut plan = stored.prepare(&format!("EXPLAIN QUERY PLAN SELECT count(*) {sql}")).unwrap();
        let lines = plan.query_map([], |row| row.get::<_, String>(3)).unwrap().map(Result::unwrap);
        let plan = lines.collect::<Vec<_>>().join("\n");
        assert!(plan.contains(&format!("INDEX {index} ")), "{sql}: {plan}");
    }
}
