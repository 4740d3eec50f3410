//! Joins over the files themselves: rows are looked up within their mesh, and meshes are read ahead.

use super::sql::{number, open, plan, rows, wrong};
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap_testkit::archive::{self, Zipped};
use navmap_testkit::corpus::bundled;
use std::path::{Path, PathBuf};

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

#[test]
fn a_join_looks_rows_up_within_their_mesh() {
    let database = open(bundled().join("source"));
    let join = "FROM areas a JOIN connections c ON c.file = a.file AND c.src_id = a.id";
    let found = plan(&database, &format!("SELECT count(*) {join}"));
    // The inner table is looked up by file and key.
    assert!(found.contains("k") && found.contains("VIRTUAL TABLE INDEX"), "{found}");
    let joined = number(&database, &format!("SELECT count(*) {join}"));
    assert_eq!(joined, number(&database, "SELECT count(*) FROM connections"));
    let degrees = "SELECT a.file, a.id, count(c.dst_id) FROM areas a LEFT JOIN connections c \
        ON c.file = a.file AND c.src_id = a.id GROUP BY a.file, a.id";
    let differ = format!(
        "SELECT count(*) FROM ({degrees}) d JOIN areas USING (file, id) \
         WHERE d.\"count(c.dst_id)\" <> north + east + south + west"
    );
    assert_eq!(number(&database, &differ), 0);
}

/// Rows of a mesh are found by the constraint that selects the fewest, wherever it stands.
#[test]
fn a_join_goes_by_the_constraint_that_few_rows_meet() {
    let database = open(bundled().join("source"));
    for constraints in ["c.direction = 0 AND c.src_id = a.id", "c.src_id = a.id AND c.direction = 0"] {
        let join = format!("FROM areas a JOIN connections c ON c.file = a.file AND {constraints}");
        let found = plan(&database, &format!("SELECT count(*) {join}"));
        let column = |name: &str| {
            navmap::table::Table::named("connections").and_then(|table| table.position(name)).unwrap()
        };
        // The first key is that of the area.
        let [src, direction] =
            ["src_id", "direction"].map(|name| found.find(&format!(" k{}=", column(name))));
        assert!(src.is_some() && src < direction, "{found}");
        let joined = number(&database, &format!("SELECT count(*) {join}"));
        assert_eq!(joined, number(&database, "SELECT sum(north) FROM areas"));
    }
    let lists =
        "FROM connections c, files f WHERE c.file = f.file AND c.src_id IN (1, 2) AND c.direction IN (0, 1)";
    let walked = "FROM connections WHERE +src_id IN (1, 2) AND +direction IN (0, 1)";
    let count = |of: &str| number(&database, &format!("SELECT count(*) {of}"));
    assert_eq!(count(lists), count(walked));
}

#[test]
fn a_join_finds_the_rows_of_each_mesh_in_whatever_order_meshes_are_asked_for() {
    let temp = navmap_testkit::temp::Temp::new("table-order");
    let mut members: Vec<(String, Vec<u8>)> = files_in(&bundled())
        .into_iter()
        .filter_map(|path| Some((path.file_name()?.to_str()?.to_owned(), std::fs::read(&path).ok()?)))
        .collect();
    members.sort();
    let of = |members: &[(String, Vec<u8>)]| {
        let zipped = |(name, bytes): &(String, Vec<u8>)| Zipped::stored(name.as_bytes(), bytes);
        archive::zip(&members.iter().map(zipped).collect::<Vec<_>>())
    };
    let (few, many) = members.split_at(members.len() / 3);
    std::fs::write(temp.join("b.zip"), of(few)).unwrap();
    std::fs::write(temp.join("d.zip"), of(many)).unwrap();
    for (name, bytes) in members.iter().step_by(3) {
        let folder = if name.len() % 2 == 0 { "a" } else { "c" };
        std::fs::create_dir_all(temp.join(folder)).unwrap();
        std::fs::write(temp.join(folder).join(name), bytes).unwrap();
    }
    let database = open(temp.path());
    let meshes = number(&database, "SELECT count(*) FROM files");
    let of_archives = number(&database, "SELECT count(*) FROM files WHERE member IS NOT NULL");
    assert!(of_archives > 100 && meshes > of_archives + 30, "{meshes} {of_archives}");
    let mut with_rows = 0;
    for name in ["areas", "links", "skyrim_cover_segments", "fox_faces", "detour_tiles"] {
        // The unary plus keeps the planner from looking anything up.
        let walked = rows(&database, &format!("SELECT +file, count(*) FROM {name} GROUP BY 1 ORDER BY 1"));
        with_rows += walked.len();
        // In groups meshes come neither by number nor without those of an archive between them.
        for by in ["game", "bytes % 7, family"] {
            let grouped = |by: &str| {
                let joined = format!("files f JOIN {name} t USING (file)");
                let counts = "count(*), sum(t.rowid % 1000003), min(t.file), max(t.file)";
                let mut found = rows(&database, &format!("SELECT {counts} FROM {joined} GROUP BY {by}"));
                found.sort_by_key(|row| format!("{row:?}"));
                found
            };
            assert_eq!(grouped(by), grouped(&format!("+{}", by.replace(", ", ", +"))), "{name} {by}");
        }
        for wanted in ["1", "f.file % 2 = 1", "f.file % 5 < 2", "f.file BETWEEN 20 AND 60"] {
            for order in ["f.file", "f.file DESC", "f.bytes, f.file"] {
                let sql = format!(
                    "SELECT f.file, (SELECT count(*) FROM {name} t WHERE t.file = f.file) AS n FROM                      (SELECT * FROM files ORDER BY {} LIMIT -1) f WHERE {wanted}",
                    order.replace("f.", "")
                );
                let mut joined = rows(&database, &sql);
                joined.retain(|row| row[1] != Cell::Integer(0));
                let kept = |row: &&Vec<Cell>| joined.iter().any(|found| found == *row);
                let expected = rows(
                    &database,
                    &format!(
                        "SELECT count(*) FROM (SELECT DISTINCT +file AS file FROM {name}) f WHERE {wanted}"
                    ),
                );
                assert_eq!(expected[0][0], Cell::Integer(joined.len() as i64), "{sql}");
                assert_eq!(walked.iter().filter(kept).count(), joined.len(), "{sql}");
            }
        }
    }
    assert!(with_rows > 300, "{with_rows}");
}

/// Rows of small meshes are kept together, and each is still that of its own mesh.
#[test]
fn the_rows_of_many_small_meshes_are_found_as_any_others() {
    let temp = navmap_testkit::temp::Temp::new("table-many");
    let town = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let small =
        navmap_testkit::source::write(&navmap_testkit::source::Mesh { version: 9, ..Default::default() });
    // Of what is no mesh no bytes are told.
    let len = |bytes: &[u8]| if bytes == b"none" { 0 } else { bytes.len() as i64 };
    let names: Vec<String> = (0..5_000).map(|number| format!("{number:04}.nav")).collect();
    let of = |at: usize| match at % 1_000 {
        17 => &town[..],
        _ if at.is_multiple_of(3) => &b"none"[..],
        _ => &small[..],
    };
    let members = names.iter().enumerate().map(|(at, name)| Zipped::deflated(name.as_bytes(), of(at)));
    let path = temp.file("many.zip", &archive::zip(&members.collect::<Vec<_>>()));
    let database = open(path);
    let walked = rows(&database, "SELECT file, member, bytes, status FROM files");
    assert_eq!(walked.len(), 5_000);
    for (at, row) in walked.iter().enumerate() {
        let expected = [Cell::Integer(at as i64), Cell::Text(names[at].clone())];
        assert_eq!((&row[..2], &row[2]), (&expected[..], &Cell::Integer(len(of(at)))));
    }
    for at in [0, 17, 4_095, 4_096, 4_999] {
        let found =
            rows(&database, &format!("SELECT file, member, bytes, status FROM files WHERE file = {at}"));
        assert_eq!(found, [walked[at].clone()]);
        let bytes = len(of(at));
        let either = format!("SELECT count(*) FROM files WHERE file = {at} AND bytes = {bytes} OR file = 17");
        assert_eq!(number(&database, &either), if at == 17 { 1 } else { 2 });
    }
    assert_eq!(number(&database, "SELECT count(*) FROM files WHERE file = 5000"), 0);
    let in_order = rows(&database, "SELECT file, member, bytes, status FROM files ORDER BY file, bytes");
    assert_eq!(in_order, walked);
    assert_eq!(number(&database, "SELECT count(DISTINCT rowid + 0) FROM files"), 5_000);
    let counts = |by: &str| {
        let sql = format!("SELECT bytes, count(*), min(file), max(member) FROM files GROUP BY {by}");
        let mut found = rows(&database, &sql);
        found.sort_by_key(|row| format!("{row:?}"));
        found
    };
    assert_eq!(counts("bytes"), counts("+bytes"));
    let joined =
        "SELECT f.member, count(*), min(a.member) FROM files f JOIN areas a USING (file) GROUP BY f.file";
    let joined = rows(&database, joined);
    assert_eq!(joined.len(), 5);
    assert!(joined.iter().all(|row| row[0] == row[2] && row[1] == joined[0][1]), "{joined:?}");
    let areas = |by: &str| {
        rows(&database, &format!("SELECT north, count(*), sum(id) FROM areas GROUP BY {by} ORDER BY 1"))
    };
    assert_eq!(areas("north"), areas("+north"));
}

/// Where either of two conditions is met, rows that were found twice are known by their numbers.
#[test]
fn each_row_of_small_meshes_has_a_number_of_its_own() {
    let temp = navmap_testkit::temp::Temp::new("table-few");
    let areas = (1..=3).map(|id| navmap_testkit::source::Area { id, ..Default::default() }).collect();
    let mesh = navmap_testkit::source::Mesh { version: 9, areas, ..Default::default() };
    let mesh = navmap_testkit::source::write(&mesh);
    let names: Vec<String> = (0..200).map(|number| format!("{number:03}.nav")).collect();
    let members = names.iter().map(|name| Zipped::deflated(name.as_bytes(), &mesh));
    let database = open(temp.file("few.zip", &archive::zip(&members.collect::<Vec<_>>())));
    // As they are read, and put together in groups. That a number is there once SQLite would take for granted.
    for by in ["", " GROUP BY place"] {
        let sql = format!("SELECT count(DISTINCT rowid + 0) FROM areas{by}");
        assert_eq!(rows(&database, &sql), [[Cell::Integer(600)]], "{sql}");
    }
    for (either, expected) in [("file = 7 OR id = 2", 202), ("file = 7 OR file = 8 OR id > 1", 402)] {
        let sql = format!("SELECT count(*) FROM areas WHERE {either}");
        assert_eq!(number(&database, &sql), expected, "{sql}");
    }
}

#[test]
fn two_folders_are_compared_in_one_statement() {
    let temp = navmap_testkit::temp::Temp::new("table-two");
    for folder in ["old", "new"] {
        std::fs::create_dir(temp.path().join(folder)).unwrap();
    }
    let town = bundled().join("source/town.nav");
    std::fs::copy(&town, temp.path().join("old/a.nav")).unwrap();
    std::fs::copy(&town, temp.path().join("new/a.nav")).unwrap();
    std::fs::copy(&town, temp.path().join("new/b.nav")).unwrap();
    let database = open(&town);
    let all = number(&database, "SELECT count(*) FROM areas");
    let of = |folder: &str| temp.path().join(folder).display().to_string();
    let (old, new) = (of("old"), of("new"));
    assert_eq!(number(&database, &format!("SELECT count(*) FROM areas('{new}')")), 2 * all);
    let both = format!(
        "SELECT count(*) FROM areas('{old}') a JOIN areas('{new}') b \
         ON map_name(a.path) = map_name(b.path) AND a.id = b.id"
    );
    assert_eq!(number(&database, &both), all);
    let aside = format!(
        "WITH b AS MATERIALIZED (SELECT map_name(path) AS map, id FROM areas('{new}')) \
         SELECT count(*) FROM areas('{old}') a JOIN b ON b.map = map_name(a.path) AND b.id = a.id"
    );
    assert_eq!(number(&database, &aside), all);
    assert!(plan(&database, &aside).contains("AUTOMATIC"), "it is looked up");
    assert!(wrong(&database, "SELECT * FROM areas('/no/such/folder')").contains("nothing lies at"));
}
