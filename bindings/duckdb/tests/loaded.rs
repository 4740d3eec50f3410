//! The extension in DuckDB: its functions and columns match the tables, and it answers, refuses and stops correctly.
//!
//! Runs if `NAVMAP_PYTHON` names a Python with `pip install duckdb`. Values are compared with other formats in a test of the
//! tables (`tests/table/ecosystem.rs`).

use navmap_table::{TABLES, Type};
use navmap_testkit::corpus::{bundled, project};
use navmap_testkit::temp::Temp;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::process::Command;

fn sql_type(kind: Type) -> &'static str {
    match kind {
        Type::Bool => "BOOLEAN",
        Type::U8 => "UTINYINT",
        Type::U16 => "USMALLINT",
        Type::I16 => "SMALLINT",
        Type::U32 => "UINTEGER",
        Type::I32 => "INTEGER",
        Type::U64 => "UBIGINT",
        Type::F32 => "FLOAT",
        Type::Text => "VARCHAR",
        Type::Bytes16 | Type::Geometry => "BLOB",
        other => panic!("DuckDB is not told of {other:?}"),
    }
}

#[test]
fn duckdb_loads_it_and_asks() {
    let Some(python) = std::env::var_os("NAVMAP_PYTHON") else {
        return navmap_testkit::skipped("NAVMAP_PYTHON names no Python with duckdb");
    };
    let temp = Temp::new("duckdb-loaded");
    let built =
        std::env::current_exe().unwrap().with_file_name(format!("{DLL_PREFIX}navmap_duckdb{DLL_SUFFIX}"));
    let extension = temp.join("navmap.duckdb_extension");
    let made =
        Command::new(env!("CARGO_BIN_EXE_duckdb-extension")).arg(built).arg(&extension).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut schema = String::new();
    for table in TABLES {
        for name in [Some(table.name), table.short_name()].into_iter().flatten() {
            for column in table.all_columns() {
                schema.push_str(&format!("navmap_{name}\t{}\t{}\n", column.name, sql_type(column.kind)));
            }
        }
    }
    temp.file("schema.tsv", schema.as_bytes());
    let script = project().join("bindings/duckdb/tests/loaded.py");
    let done = Command::new(&python).arg(script).arg(temp.path()).arg(bundled()).output().unwrap();
    let said = [&done.stdout, &done.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(done.status.success(), "{}{}", said[0], said[1]);
    assert!(said[0].ends_with("all is well\n"), "{}", said[0]);
}

#[test]
fn a_library_that_is_not_there_makes_no_extension() {
    let temp = Temp::new("duckdb-nothing");
    let made = Command::new(env!("CARGO_BIN_EXE_duckdb-extension"))
        .args([temp.join("no.so"), temp.join("out")])
        .output()
        .unwrap();
    assert_eq!(made.status.code(), Some(2));
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(said.starts_with("duckdb-extension: ") && said.contains("no.so"), "{said}");
    assert!(temp.names().is_empty(), "{:?}", temp.names());
}
