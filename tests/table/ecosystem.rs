//! What we write, opened by pyarrow, polars and DuckDB: every value of every table, and five questions that all answer alike.
//!
//! Runs where `NAVMAP_PYTHON` names a Python that has them: `pip install duckdb polars pyarrow`; with geopandas, and where DuckDB
//! can fetch its extension for geometry, these read the shapes. Where `NAVMAP_DUCKDB` names our
//! extension of DuckDB, that reads the files as well, and so does the Python package if it is installed there.

use navmap::scan::Scan;
use navmap::table::sql::Database;
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap::table::{Format, Run, TABLES, Table, Writer};
use navmap_testkit::corpus::{bundled, project, real};
use navmap_testkit::temp::Temp;
use serde_json::{Value, json};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// Statements that SQLite, DuckDB and polars read alike. All numbers are whole, so that none is rounded.
const QUERIES: [&str; 5] = [
    "SELECT m.version AS version, count(*) AS n FROM source_meshes m JOIN source_areas a ON m.file = a.file \
     GROUP BY m.version ORDER BY version",
    "SELECT path, count(*) AS n FROM source_areas WHERE (flags & 1) = 1 GROUP BY path ORDER BY n DESC, path LIMIT 10",
    "SELECT a.place AS place, count(*) AS n, sum(c.direction) AS directions FROM source_areas a \
     JOIN source_connections c ON a.file = c.file AND a.id = c.src_id GROUP BY a.place ORDER BY n DESC, place LIMIT 20",
    "SELECT link_type, count(*) AS n, sum(dst) AS targets FROM quake_links GROUP BY link_type ORDER BY link_type",
    "SELECT f.family AS family, count(*) AS nodes, sum(n.degree) AS links FROM files f \
     JOIN nodes n ON f.file = n.file GROUP BY f.family ORDER BY family",
];

fn write(root: &Path, into: &Path, tables: &[&'static Table]) {
    let formats = [(Format::Parquet, "parquet"), (Format::Arrow, "arrow"), (Format::Csv, "csv")];
    let mut files: Vec<Vec<Box<dyn Writer<fs::File>>>> = Vec::new();
    for (format, folder) in formats {
        fs::create_dir_all(into.join(folder)).unwrap();
        let begin = |table: &&'static Table| {
            let name = format!("{folder}/{}.{}", table.name, format.extension());
            format.begin(table, fs::File::create(into.join(name)).unwrap()).unwrap()
        };
        files.push(tables.iter().map(begin).collect());
    }
    Run::new(Scan::new(), tables.iter().copied()).run([root], &mut |mesh, sheets| {
        for (at, batch) in sheets.batches_mut().iter_mut().enumerate() {
            for files in &mut files {
                // Arrow takes the values out.
                files[at].write(mesh, &mut batch.clone()).unwrap();
            }
        }
        ControlFlow::Continue(())
    });
    for writer in files.into_iter().flatten() {
        writer.finish().unwrap();
    }
}

fn ours(database: &Database, sql: &str) -> Value {
    let mut statement = database.connection().prepare(sql).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cells = (0..columns).map(|at| {
            Ok(match row.get(at)? {
                Cell::Null => Value::Null,
                Cell::Integer(number) => json!(number),
                Cell::Real(number) => json!(number),
                Cell::Text(text) => json!(text),
                Cell::Blob(_) => panic!("a blob"),
            })
        });
        cells.collect::<navmap::table::sql::rusqlite::Result<Vec<Value>>>()
    });
    json!(rows.unwrap().map(Result::unwrap).collect::<Vec<_>>())
}

#[test]
fn every_engine_reads_every_value_and_answers_alike() {
    let Some(python) = std::env::var_os("NAVMAP_PYTHON") else {
        return navmap_testkit::skipped("NAVMAP_PYTHON names no Python with duckdb, polars and pyarrow");
    };
    let tables: Vec<&'static Table> = TABLES.iter().copied().filter(|table| table.is_of_meshes()).collect();
    for root in [Some(bundled()), real()].into_iter().flatten() {
        // Large tables of real files take minutes in Python, and add nothing to what the others show.
        let few = |table: &&&'static Table| root == bundled() || !table.name.contains("encounter");
        let tables: Vec<&'static Table> = tables.iter().filter(few).copied().collect();
        let temp = Temp::new("table-ecosystem");
        write(&root, temp.path(), &tables);
        fs::write(temp.path().join("queries.sql"), QUERIES.join("---\n")).unwrap();
        let script = project().join("tests/table/ecosystem.py");
        let mut command = Command::new(&python);
        command.arg(script).arg(temp.path()).arg(&root);
        match std::env::var_os("NAVMAP_DUCKDB") {
            Some(extension) => _ = command.arg(extension),
            None => navmap_testkit::skipped("NAVMAP_DUCKDB names no extension of DuckDB"),
        }
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let told: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert!(told["values"].as_u64().unwrap() > 10_000, "{}", told["values"]);
        for reader in ["geopandas", "DuckDB spatial"] {
            if !told["shapes"].as_array().unwrap().contains(&json!(reader)) {
                navmap_testkit::skipped(&format!("{reader} is not there, and reads no shapes"));
            }
        }
        let database = Database::open(Scan::new(), vec![root]).unwrap();
        for (sql, answers) in QUERIES.iter().zip(told["answers"].as_array().unwrap()) {
            let ours = ours(&database, sql);
            assert!(ours.as_array().is_some_and(|rows| !rows.is_empty()), "{sql}");
            let answers = answers.as_object().unwrap();
            assert!(answers.len() >= 3, "{answers:?}");
            for (engine, theirs) in answers {
                assert_eq!(ours, *theirs, "{engine}: {sql}");
            }
            if !answers.contains_key("the Python stream") {
                navmap_testkit::skipped("the Python package is not installed for NAVMAP_PYTHON");
            }
        }
    }
}
