//! `visible_from`: what an area of Source sees, of the file as it is when it is asked.

use super::sql::{open, rows, wrong};
use navmap::bytes::{Mapping, Mode, Opener};
use navmap::open::OpenOptions;
use navmap::scan::Scan;
use navmap::table::sql::Database;
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::collections::BTreeMap;
use std::fs::{self, File};

fn bytes(name: &str) -> Vec<u8> {
    fs::read(bundled().join("source").join(name)).unwrap()
}

fn one(database: &Database, sql: &str) -> Cell {
    rows(database, &format!("SELECT {sql}"))[0][0].clone()
}

#[test]
fn every_area_sees_its_own_list_over_that_which_it_inherits() {
    let database = open(bundled().join("source/town.nav"));
    let mut lists = BTreeMap::<i64, BTreeMap<i64, bool>>::new();
    for row in rows(&database, "SELECT src_id, dst_id, visible <> 0 FROM visibility") {
        let [Cell::Integer(from), Cell::Integer(to), Cell::Integer(visible)] = row[..] else {
            panic!("{row:?}")
        };
        lists.entry(from).or_default().insert(to, visible != 0);
    }
    let list = |id: &Cell| match id {
        Cell::Integer(id) => lists.get(id).cloned().unwrap_or_default(),
        _ => BTreeMap::new(),
    };
    let mut compared = 0;
    for row in rows(&database, "SELECT id, inherit_id, visible_from(path, id) FROM areas") {
        let mut seen = list(&row[1]);
        seen.extend(list(&row[0]));
        let ids: Vec<String> = seen.iter().filter(|(_, sees)| **sees).map(|(id, _)| id.to_string()).collect();
        assert_eq!(row[2], Cell::Text(format!("[{}]", ids.join(","))), "{row:?}");
        compared += ids.len();
    }
    assert!(compared > 3000, "{compared}");
}

#[test]
fn a_file_that_is_replaced_is_read_again() {
    let temp = Temp::new("table-sight-replaced");
    let path = temp.file("a.nav", &bytes("town.nav"));
    let database = open(&path);
    let first = format!("visible_from('{}', 1)", path.display());
    let before = one(&database, &first);
    temp.file("a.nav", &bytes("v16-2-tf2.nav"));
    let now = one(&database, &first);
    assert!(matches!(now, Cell::Text(_)) && now != before, "{now:?}");
    assert_eq!(now, one(&open(&path), &first));
    let all = "SELECT id, visible_from(path, id) FROM areas ORDER BY id";
    assert_eq!(rows(&database, all), rows(&open(&path), all));
    fs::remove_file(&path).unwrap();
    assert!(wrong(&database, &format!("SELECT {first}")).contains("a.nav"));
}

#[test]
fn a_mesh_that_is_cut_while_it_is_mapped_is_an_error_and_no_answer() {
    let temp = Temp::new("table-sight-cut");
    let path = temp.file("a.nav", &bytes("town.nav"));
    let opener = Opener { mode: Mode::Always, mapping: Mapping::guarded() };
    let scan = Scan { options: OpenOptions { opener, ..OpenOptions::new() }, ..Scan::new() };
    let database = Database::open(scan, vec![path.clone()]).unwrap();
    let mut statement = database.connection().prepare("SELECT visible_from(path, id) FROM areas").unwrap();
    let mut answer = statement.query([]).unwrap();
    let first: Option<String> = answer.next().unwrap().unwrap().get(0).unwrap();
    assert!(first.is_some_and(|seen| seen.starts_with("[1,")));
    let len = fs::metadata(&path).unwrap().len();
    File::options().write(true).open(&path).unwrap().set_len(len - 1).unwrap();
    let error = loop {
        match answer.next() {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
        }
    };
    assert!(error.is_some_and(|error| error.contains("a.nav")));
}

#[test]
fn a_number_that_is_no_id_is_refused_and_an_id_of_no_area_is_null() {
    let town = bundled().join("source/town.nav");
    let database = open(&town);
    let of = |id: &str| format!("visible_from('{}', {id})", town.display());
    for id in ["-1", "17.9", "1e12", "9e999", "4294967297", "-9223372036854775808"] {
        let told = wrong(&database, &format!("SELECT {}", of(id)));
        assert!(told.contains("0 to 4294967295"), "{id}: {told}");
    }
    assert!(wrong(&database, &format!("SELECT {}", of("'x'"))).contains("a number was expected"));
    assert!(matches!(one(&database, &of("1")), Cell::Text(_)));
    assert_eq!(one(&database, &of("1")), one(&database, &of("1.0")));
    for id in ["NULL", "0", "4294967295"] {
        assert_eq!(one(&database, &of(id)), Cell::Null, "{id}");
    }
    let quake = bundled().join("quake/nav3-v6.nav");
    assert_eq!(one(&database, &format!("visible_from('{}', 1)", quake.display())), Cell::Null);
}
