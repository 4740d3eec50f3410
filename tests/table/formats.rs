//! What each format keeps of the rows: every value, bit for bit.

use navmap::scan::Scan;
use navmap::table::{Format, Run, TABLES, Table, Type, Value, write_flag_names};
use navmap_testkit::corpus::{bundled, real};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn roots() -> Vec<PathBuf> {
    [Some(bundled()), real()].into_iter().flatten().collect()
}

/// Tables that are read back for all real files.
pub(crate) const REAL: [&str; 14] = [
    "files",
    "source_ladders",
    "source_places",
    "source2_areas",
    "quake_edicts",
    "fox_islands",
    "skyrim_meshes",
    "pathgrid_grids",
    "detour_tiles",
    "yapb_meshes",
    "aas_meshes",
    "nodegraph_meshes",
    "rcbot_meshes",
    "xray_meshes",
];

/// A value as one text that tells values apart by bits and nulls from everything.
fn told(value: Value<'_>) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(yes) => yes.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Wide(number) => number.to_string(),
        // A NaN is any NaN in a text.
        Value::F32(number) if number.is_nan() => "NaN".to_owned(),
        Value::F32(number) => format!("{:08x}", number.to_bits()),
        Value::Text(text) => text.to_owned(),
        Value::Bytes(bytes) => hex(bytes),
        Value::Geometry(wkb) => hex(wkb),
        other => panic!("{other:?}"),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The rows of a table as texts, and the file of this format.
fn rows_and_file(
    table: &'static Table,
    format: Format,
    root: &PathBuf,
) -> (Vec<Vec<Option<String>>>, Vec<u8>) {
    let mut writer = format.begin(table, Vec::new()).unwrap();
    let mut rows = Vec::new();
    Run::new(Scan::new(), [table]).run([root], &mut |mesh, sheets| {
        let batch = &mut sheets.batches_mut()[0];
        for row in 0..batch.rows() {
            let common =
                [Some(mesh.path.to_owned()), mesh.member.map(str::to_owned), Some(mesh.file.to_string())];
            let own = batch.columns().iter().map(|column| told(column.get(row)));
            rows.push(common.into_iter().chain(own).collect());
        }
        writer.write(mesh, batch).unwrap();
        ControlFlow::Continue(())
    });
    (rows, writer.finish().unwrap())
}

/// Fields of CSV, by the rules of RFC 4180 and nothing else; a null is a field without quotes and text.
fn read_csv(text: &str) -> Vec<Vec<Option<String>>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' if inside && letters.peek() == Some(&'"') => field.push(letters.next().unwrap()),
            '"' => (inside, quoted) = (!inside, true),
            ',' | '\n' if !inside => {
                let text = std::mem::take(&mut field);
                row.push(Some(text).filter(|text| quoted || !text.is_empty()));
                quoted = false;
                if letter == '\n' {
                    rows.push(std::mem::take(&mut row));
                }
            }
            _ => field.push(letter),
        }
    }
    assert!(row.is_empty() && field.is_empty() && !inside, "the last line is whole");
    rows
}

/// What a text of a column stands for.
fn of_text(kind: Type, text: &str) -> String {
    match kind {
        Type::F32 if text == "NaN" => text.to_owned(),
        Type::F32 => {
            let text = text.replace("Infinity", "inf");
            format!("{:08x}", text.parse::<f32>().unwrap().to_bits())
        }
        Type::Geometry => hex(&super::geometry::of_wkt(text)),
        _ => text.to_owned(),
    }
}

fn small() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().filter(|table| table.is_of_meshes() && !table.is_large())
}

#[test]
fn csv_read_back_has_every_value_bit_for_bit() {
    let mut compared = 0;
    for root in roots() {
        for table in small() {
            // The formats know types and no tables: of real files a few tables of each family are enough.
            if root != bundled() && !REAL.contains(&table.name) {
                continue;
            }
            let (rows, file) = rows_and_file(table, Format::Csv, &root);
            let mut read = read_csv(std::str::from_utf8(&file).unwrap()).into_iter();
            let head: Vec<Option<String>> = read.next().unwrap();
            let names: Vec<Option<String>> =
                table.all_columns().map(|column| Some(column.name.to_owned())).collect();
            assert_eq!(head, names);
            for (ours, theirs) in rows.iter().zip(read.by_ref()) {
                for ((column, ours), theirs) in table.all_columns().zip(ours).zip(&theirs) {
                    let theirs = theirs.as_deref().map(|text| of_text(column.kind, text));
                    assert_eq!(*ours, theirs, "{}.{}", table.name, column.name);
                }
                assert_eq!(ours.len(), theirs.len());
                compared += 1;
            }
            assert!(read.next().is_none());
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn json_lines_read_back_have_every_value_bit_for_bit() {
    let mut compared = 0;
    for table in small() {
        let (rows, file) = rows_and_file(table, Format::Jsonl, &bundled());
        let text = std::str::from_utf8(&file).unwrap();
        assert_eq!(text.lines().count(), rows.len());
        for (ours, line) in rows.iter().zip(text.lines()) {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
            assert_eq!(object.len(), ours.len());
            for (column, ours) in table.all_columns().zip(ours) {
                let theirs = match &object[column.name] {
                    serde_json::Value::Null => None,
                    serde_json::Value::String(text) => Some(of_text(column.kind, text)),
                    other => Some(of_text(column.kind, &other.to_string())),
                };
                assert_eq!(*ours, theirs, "{}.{}", table.name, column.name);
            }
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn what_needs_quotes_has_them() {
    let temp = navmap_testkit::temp::Temp::new("table-quotes");
    let path = temp.path().join("a,\"b\"\nc.nav");
    std::fs::copy(bundled().join("source/town.nav"), &path).unwrap();
    let (rows, file) = rows_and_file(Table::named("files").unwrap(), Format::Csv, &path);
    let read = read_csv(std::str::from_utf8(&file).unwrap());
    assert_eq!(read[1][0], rows[0][0]);
    assert_eq!(read[1][0].as_deref(), path.to_str());
}

#[test]
fn names_of_flags_are_told_with_their_bits() {
    let table = Table::named("flag_names").unwrap();
    let mut writer = Format::Csv.begin(table, Vec::new()).unwrap();
    write_flag_names(&mut |mesh, batch| writer.write(mesh, batch)).unwrap();
    let file = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert!(file.starts_with("family,game,table_name,column_name,bit,mask,name\n"), "{file}");
    assert!(file.contains("\nsource,,source_areas,flags,0,1,CROUCH\n"), "{file}");
    let families = ["source", "quake", "skyrim", "yapb", "aas", "nodegraph", "rcbot"];
    assert!(families.iter().all(|family| file.contains(&format!("\n{family},"))), "{file}");
}

#[test]
#[cfg(feature = "parquet")]
fn parquet_has_the_same_bytes_and_groups_with_any_number_of_threads() {
    use navmap::table::parquet::library::file::reader::{FileReader, SerializedFileReader};
    let table = Table::named("areas").unwrap();
    let written = |threads: usize, times: usize| {
        let mut writer = Format::Parquet.begin_on(table, Vec::new(), threads).unwrap();
        let mut rows = 0;
        Run::new(Scan::new(), [table]).run([bundled().join("source")], &mut |mesh, sheets| {
            let batch = &mut sheets.batches_mut()[0];
            for _ in 0..times {
                rows += batch.rows();
                writer.write(mesh, &mut batch.clone()).unwrap();
            }
            ControlFlow::Continue(())
        });
        (rows, writer.finish().unwrap())
    };
    let (few, _) = written(1, 1);
    // Two groups and some rows, in batches of which none ends where a group does.
    let times = 2 * 131_072 / few + 2;
    let (rows, alone) = written(1, times);
    for threads in [2, 3, 200] {
        assert!(written(threads, times).1 == alone, "{threads} threads");
    }
    let temp = navmap_testkit::temp::Temp::new("table-groups");
    std::fs::write(temp.join("areas.parquet"), alone).unwrap();
    let file = std::fs::File::open(temp.join("areas.parquet")).unwrap();
    let file = SerializedFileReader::new(file).unwrap();
    let groups: Vec<usize> =
        file.metadata().row_groups().iter().map(|group| group.num_rows() as usize).collect();
    assert_eq!(groups, [131_072, 131_072, rows - 2 * 131_072]);
}

#[test]
fn floats_of_csv_are_written_as_std_writes_them() {
    let mut seen = 0;
    for name in ["source_areas", "aas_areas", "skyrim_vertices", "nodegraph_nodes"] {
        let table = Table::named(name).unwrap();
        let (rows, file) = rows_and_file(table, Format::Csv, &bundled());
        let fields = read_csv(&String::from_utf8(file).unwrap());
        assert_eq!(fields.len(), rows.len() + 1, "{name}");
        let columns = table.all_columns().enumerate();
        for (at, column) in columns.filter(|(_, column)| column.kind == Type::F32) {
            for (row, fields) in rows.iter().zip(&fields[1..]) {
                let Some(bits) = row[at].as_deref().filter(|bits| *bits != "NaN") else { continue };
                let number = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
                assert_eq!(fields[at], Some(format!("{number:?}")), "{} of {name}", column.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// Large plugins, of which one is cut and one lies in an archive.
fn large(name: &str) -> navmap_testkit::temp::Temp {
    use navmap_testkit::heavy::plugins;
    let temp = navmap_testkit::temp::Temp::new(name);
    let (sheets, one_place) = (plugins::sheets(), plugins::one_place());
    temp.file("a.esp", &sheets);
    temp.file("b.esp", &one_place);
    temp.file("c.esp", &sheets[..sheets.len() / 3 * 2]);
    temp.file("d.zip", &navmap_testkit::archive::stored_zip(&[(b"in.esp", &sheets)]));
    temp
}

/// A table of all that lies in a folder, how many batches did not end a mesh, and the rows of the largest.
fn written(folder: &Path, table: &'static Table, format: Format, in_parts: bool) -> (Vec<u8>, u32, usize) {
    let run = Run::new(Scan::new(), [table]);
    written_by(if in_parts { run.in_parts() } else { run }, folder, table, format)
}

fn written_by(run: Run, folder: &Path, table: &'static Table, format: Format) -> (Vec<u8>, u32, usize) {
    let mut writer = format.begin(table, Vec::new()).unwrap();
    let (mut parts, mut most) = (0, 0);
    run.run([folder], &mut |mesh, sheets| {
        let batch = &mut sheets.batches_mut()[0];
        parts += u32::from(mesh.continues);
        most = most.max(batch.rows());
        writer.write(mesh, batch).unwrap();
        ControlFlow::Continue(())
    });
    (writer.finish().unwrap(), parts, most)
}

#[test]
fn a_run_in_parts_makes_the_same_files() {
    let temp = large("table-parts");
    for table in ["nodes", "links", "skyrim_triangles", "findings"].map(|name| Table::named(name).unwrap()) {
        for format in [Format::Csv, Format::Jsonl] {
            let [(whole, none, all), (made, parts, most)] =
                [false, true].map(|in_parts| written(temp.path(), table, format, in_parts));
            assert!(none == 0 && parts > 2 && most < all, "{}: {parts} parts, {most} of {all}", table.name);
            assert!(whole == made, "{}: {format:?}", table.name);
        }
    }
}

/// Whoever reads the meshes tells their rows as text, and the writer puts in front what all rows of a mesh have in common.
#[test]
fn rows_that_were_told_as_text_beforehand_make_the_same_files() {
    let temp = large("table-told");
    let with_threads = |threads: usize| Scan { threads, ..Scan::new() };
    for table in ["nodes", "skyrim_triangles", "findings", "files"].map(|name| Table::named(name).unwrap()) {
        for format in [Format::Csv, Format::Jsonl] {
            let (whole, ..) = written(temp.path(), table, format, false);
            // Told as the other format they are of no use, and the writer tells them itself.
            for told in [Format::Csv, Format::Jsonl] {
                for threads in [1, 3] {
                    let run = Run::new(with_threads(threads), [table]).in_parts().written_as(told);
                    let (made, ..) = written_by(run, temp.path(), table, format);
                    assert!(whole == made, "{}: {format:?} told as {told:?}, {threads} threads", table.name);
                }
            }
        }
    }
}

/// An Arrow stream has a batch for each part, and Parquet its own pages, which is what the rows do not show.
#[test]
#[cfg(feature = "parquet")]
fn a_run_in_parts_makes_the_same_rows_of_parquet() {
    use navmap::table::parquet::library::file::reader::{FileReader, SerializedFileReader};
    let temp = large("table-parts-parquet");
    let out = navmap_testkit::temp::Temp::new("table-parts-parquet-out");
    for table in ["nodes", "skyrim_triangles"].map(|name| Table::named(name).unwrap()) {
        let [whole, made] = [false, true].map(|in_parts| {
            let (bytes, ..) = written(temp.path(), table, Format::Parquet, in_parts);
            let file = std::fs::File::open(out.file(format!("{in_parts}.parquet"), &bytes)).unwrap();
            SerializedFileReader::new(file).unwrap()
        });
        let rows = |file: &SerializedFileReader<_>| -> Vec<String> {
            file.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
        };
        let (whole, made) = (rows(&whole), rows(&made));
        assert!(whole.len() > 10_000 && whole == made, "{}: {} and {}", table.name, whole.len(), made.len());
    }
}
