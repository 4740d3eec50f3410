//! Every table of a mesh is filled, up to the damage, and written as texts that hold together.
#![no_main]

use navmap::bytes::Scratch;
use navmap::format::{AnyNav, ParseOptions};
use navmap::table::{Format, Mesh, Sheets, TABLES, Type, Value, fill_tables};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Raw payloads of Bethesda meshes go by their name alone; everything else tells what it is.
    for name in ["mesh", "mesh.nvnm", "mesh.navjson"] {
        let Ok(nav) = AnyNav::parse(bytes, Some(Path::new(name)), &ParseOptions::default()) else { continue };
        let mut sheets = Sheets::new(TABLES.iter().copied().filter(|table| table.is_of_meshes()));
        let _ = fill_tables(&nav, name, &mut Scratch::new(), &mut sheets);
        for batch in sheets.batches_mut() {
            let table = batch.table();
            for (column, def) in batch.columns().iter().zip(table.columns) {
                for row in 0..batch.rows() {
                    let value = column.get(row);
                    assert!(def.null || value != Value::Null, "{}.{} of row {row}", table.name, def.name);
                    let fits = match value {
                        Value::Null => true,
                        Value::Bool(_) => def.kind == Type::Bool,
                        Value::F32(_) => def.kind == Type::F32,
                        Value::Text(_) => def.kind == Type::Text,
                        Value::Bytes(_) => def.kind == Type::Bytes16,
                        Value::Geometry(_) => def.kind == Type::Geometry,
                        Value::Wide(_) => def.kind == Type::U64,
                        _ => true,
                    };
                    assert!(fits, "{}.{}: {value:?}", table.name, def.name);
                }
                assert!(column.get(batch.rows()) == Value::Null, "{}.{} has more rows", table.name, def.name);
            }
            let mesh = Mesh::named(name, None, 0);
            for format in [Format::Csv, Format::Jsonl] {
                let mut writer = format.begin(table, Vec::new()).unwrap();
                writer.write(&mesh, batch).unwrap();
                let text = String::from_utf8(writer.finish().unwrap()).unwrap();
                assert!(text.is_empty() || text.ends_with('\n'));
            }
        }
    }
});
