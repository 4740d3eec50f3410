//! SQL over the files themselves: one answer, whichever way SQLite plans a statement and whatever ran before it.

use super::sql::{number, open, plan, rows, wrong};
use navmap::scan::Scan;
use navmap::table::sql::Database;
use navmap_testkit::archive::{self, Zipped};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::sync::atomic::Ordering::Relaxed;

fn town() -> String {
    bundled().join("source/town.nav").display().to_string()
}

#[test]
fn rows_that_several_conditions_find_are_each_counted_once() {
    let database = open(bundled().join("source"));
    for (looked_up, walked) in [
        ("file = 1 OR path = 'P'", "+file = 1 OR +path = 'P'"),
        ("path = 'P' OR file = 0", "+path = 'P' OR +file = 0"),
        ("path LIKE '%v16%' OR path GLOB '*town*'", "+path LIKE '%v16%' OR +path GLOB '*town*'"),
        ("(file = 3 AND id = 5) OR file = 1", "(+file = 3 AND +id = 5) OR +file = 1"),
        ("(path = 'P' AND id < 50) OR (file = 0 AND id = 5)", "+path = 'P' AND (+id < 50 OR +id = 5)"),
    ] {
        let of = |condition: &str| {
            let condition = condition.replace("'P'", &format!("'{}'", town()));
            rows(&database, &format!("SELECT file, id, nw_x FROM areas WHERE {condition} ORDER BY 1, 2"))
        };
        let found = of(looked_up);
        assert!(!found.is_empty() && found == of(walked), "{looked_up}");
    }
    let several = plan(&database, "SELECT * FROM areas WHERE file = 1 OR path = 'x'");
    assert!(several.contains("MULTI-INDEX OR"), "{several}");
    let all = number(&database, "SELECT count(*) FROM areas");
    for join in ["FULL", "RIGHT", "LEFT"] {
        let joined = format!("SELECT count(*) FROM areas a {join} JOIN areas b USING (file, id)");
        assert_eq!(number(&database, &joined), all, "{joined}");
    }
}

#[test]
fn a_row_has_one_number_under_every_plan() {
    let database = open(bundled().join("source"));
    let of = |rest: &str| {
        let rest = rest.replace("'P'", &format!("'{}'", town()));
        rows(&database, &format!("SELECT rowid, file, src_id, dst_id FROM {rest}"))
    };
    let walked = of("connections");
    assert!(walked.len() > 500, "{}", walked.len());
    for rest in [
        "connections WHERE file = 0",
        "connections WHERE path = 'P' AND src_id = 5",
        "connections WHERE path GLOB '*v1*'",
        "connections ORDER BY file, src_id",
        "connections ORDER BY file, dst_id",
    ] {
        let found = of(rest);
        assert!(!found.is_empty() && found.iter().all(|row| walked.contains(row)), "{rest}");
    }
}

#[test]
fn the_argument_of_a_table_is_the_value_of_its_hidden_column() {
    let temp = Temp::new("table-argument");
    for folder in ["old", "new"] {
        std::fs::create_dir(temp.join(folder)).unwrap();
        std::fs::copy(town(), temp.join(folder).join("a.nav")).unwrap();
    }
    let source = bundled().join("source").display().to_string();
    let database = open(temp.path());
    let of = |rest: &str| {
        let rest = rest.replace("'S'", &format!("'{source}'")).replace("'P'", &format!("'{}'", town()));
        number(&database, &format!("SELECT count(*) FROM {rest}"))
    };
    let all = of("areas('S')");
    assert_eq!(of("areas('S') WHERE paths = 'S'"), all);
    assert_eq!(of("areas('S') WHERE paths <> 'S'"), 0);
    assert_eq!(of("areas WHERE paths IS NULL"), of("areas"));
    assert_eq!(
        of("areas('S') WHERE path = 'P' OR file = 1"),
        of("areas('S') WHERE +path = 'P' OR +file = 1")
    );
    assert!(of("areas('S') WHERE path = 'P' OR file = 1") > of("areas('S') WHERE path = 'P'"));
    // The same mesh at two places has other rows at each.
    let (old, new) = (temp.join("old").display().to_string(), temp.join("new").display().to_string());
    assert_eq!(of(&format!("areas WHERE paths = '{old}' OR paths = '{new}'")), of("areas"));
}

#[test]
fn an_order_is_that_of_the_statement_and_not_of_the_one_before() {
    let database = open(bundled().join("source"));
    let of = |sql: &str| rows(&database, &sql.replace("'P'", &format!("'{}'", town())));
    let chosen = "FROM areas WHERE path = 'P' AND id >= 0 AND flags >= 0 AND north >= 0";
    for before in ["id", "flags", "north"] {
        for by in ["id", "flags", "north"] {
            of(&format!("SELECT count(*) {chosen} AND {before} = 5"));
            let grouped = |plus: &str| {
                let by = format!("{plus}file, {plus}{by}");
                of(&format!("SELECT {by}, count(*) {chosen} GROUP BY {by} ORDER BY 1, 2, 3"))
            };
            let found = grouped("");
            assert!(!found.is_empty() && found == grouped("+"), "{before} {by}");
        }
    }
}

#[test]
fn meshes_of_one_name_are_one_group() {
    let temp = Temp::new("table-one-name");
    let mesh = |name: &str| std::fs::read(bundled().join("source").join(name)).unwrap();
    let (town, other) = (mesh("town.nav"), mesh("v16.nav"));
    let members = [("a.nav", &town), ("b.nav", &other), ("a.nav", &other)];
    let zipped = members.map(|(name, bytes)| Zipped::stored(name.as_bytes(), bytes));
    std::fs::write(temp.join("maps.zip"), archive::zip(&zipped)).unwrap();
    let database = open(temp.path());
    let of = |by: &str| {
        let sql = format!("SELECT path, member, count(*) FROM areas GROUP BY {by} ORDER BY 2, 3");
        rows(&database, &sql)
    };
    assert_eq!(of("path, member").len(), 2);
    assert_eq!(of("path, member"), of("+path, +member"));
    assert_eq!(of("file, path, member").len(), 3);
    // A folder, and a file in it again.
    let folder = bundled().join("source");
    let database = Database::open(
        Scan::new(),
        vec![folder.join("v9.nav"), folder.join("town.nav"), folder.join("v9.nav")],
    )
    .unwrap();
    assert_eq!(rows(&database, "SELECT path, count(*) FROM areas GROUP BY path").len(), 2);
}

#[test]
fn a_statement_that_is_stopped_has_an_error_and_leaves_nothing_behind() {
    let whole = open(bundled().join("source"));
    let statements = [
        "SELECT count(*) FROM files".to_owned(),
        "SELECT count(*) FROM areas".to_owned(),
        format!("SELECT count(*) FROM areas WHERE path = '{}'", town()),
        "SELECT count(*) FROM areas WHERE file = 1 AND id > 0".to_owned(),
        "SELECT count(*) FROM findings WHERE file = 1".to_owned(),
        "SELECT count(*) FROM (SELECT game FROM files GROUP BY game)".to_owned(),
        "SELECT count(*) FROM areas WHERE path LIKE '%v1%'".to_owned(),
    ];
    let scan = Scan::new();
    let stop = scan.stop.clone();
    let database = Database::open(scan, vec![bundled().join("source")]).unwrap();
    for sql in &statements {
        stop.store(true, Relaxed);
        assert!(wrong(&database, sql).contains("interrupted"), "{sql}");
        stop.store(false, Relaxed);
        assert_eq!(number(&database, sql), number(&whole, sql), "{sql}");
    }
}

#[test]
fn a_statement_sees_the_files_as_they_are_when_it_begins() {
    let temp = Temp::new("table-changed");
    std::fs::create_dir(temp.join("maps")).unwrap();
    let put = |from: &str, to: &str| {
        std::fs::copy(bundled().join("source").join(from), temp.join("maps").join(to)).unwrap();
    };
    put("v9.nav", "b.nav");
    let database = open(temp.path());
    let of = |name: &str| {
        let path = temp.join("maps").join(name).display().to_string();
        let joined =
            format!("SELECT count(*) FROM files f JOIN areas a USING (file) WHERE f.path = '{path}'");
        let found = number(&database, &format!("SELECT count(*) FROM areas WHERE path = '{path}'"));
        assert_eq!(found, number(&database, &joined), "{name}");
        found
    };
    let small = of("b.nav");
    put("town.nav", "b.nav");
    let large = of("b.nav");
    assert!(large > small, "{large} {small}");
    put("v9.nav", "a.nav");
    assert_eq!((of("a.nav"), of("b.nav")), (small, large));
    std::fs::remove_file(temp.join("maps/a.nav")).unwrap();
    assert_eq!((of("a.nav"), of("b.nav")), (0, large));
}

#[test]
fn a_path_is_compared_as_the_statement_says() {
    let database = open(bundled().join("source"));
    let path = town().to_uppercase();
    let of = |rest: &str| number(&database, &format!("SELECT count(*) FROM areas WHERE {rest}"));
    let all = of(&format!("path = '{}'", town()));
    assert!(all > 0);
    assert_eq!(of(&format!("path = '{path}'")), 0);
    assert_eq!(of(&format!("path = '{path}' COLLATE NOCASE")), all);
    assert_eq!(of(&format!("path COLLATE NOCASE = '{path}' AND path = '{}'", town())), all);
    assert_eq!(of(&format!("path = '{}  ' COLLATE RTRIM", town())), all);
}

/// Families give the names of bits to others.
#[test]
fn flags_are_those_of_the_tables_that_a_statement_reads() {
    let database = open(bundled());
    for (table, name, mask) in [
        ("yapb_nodes", "CROUCH", 4),
        ("rcbot_waypoints", "crouch", 2),
        ("source_areas", "CROUCH", 1),
        ("source_areas", "crouch", 1),
        ("aas_faces", "BRIDGE", 64),
    ] {
        let count =
            |test: &str| number(&database, &format!("SELECT count(*) FILTER (WHERE {test}) FROM {table}"));
        let sorted = format!(
            "SELECT sum(n) FROM (SELECT sum(has_flag(flags, '{name}')) AS n FROM {table} GROUP BY flags % 7)"
        );
        let want = count(&format!("flags & {mask} = {mask}"));
        assert_eq!(count(&format!("has_flag(flags, '{name}')")), want, "{table}");
        assert_eq!(count(&format!("has_flag(flags, '{name}', '{table}')")), want, "{table}");
        assert_eq!(number(&database, &sorted), want, "{table}");
    }
    assert!(number(&database, "SELECT count(*) FROM yapb_nodes WHERE has_flag(flags, 'CROUCH')") > 0);
    let why = wrong(&database, "SELECT count(*) FROM nodes WHERE has_flag(flags, 'CROUCH')");
    assert!(
        why.contains("source_areas") && why.contains("yapb_nodes") && why.contains("third argument"),
        "{why}"
    );
    let of_yapb = "SELECT count(*) FROM nodes JOIN files USING (file) WHERE family = 'yapb' AND has_flag(flags, 'crouch', 'yapb')";
    let theirs = number(&database, "SELECT count(*) FROM yapb_nodes WHERE flags & 4");
    assert_eq!(number(&database, of_yapb), theirs);
}
