//! Shapes: read by a reader of well-known binary that is written here anew, and compared with the other columns.

use navmap::scan::Scan;
use navmap::table::{Batch, Run, Sheets, TABLES, Table, Type, Value};
use navmap_testkit::corpus::bundled;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// The tables that have shapes.
fn tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().copied().filter(|table| table.columns.iter().any(|column| column.kind == Type::Geometry))
}

/// A shape: whether it is a polygon, and its points without the one that closes the ring.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    is_polygon: bool,
    points: Vec<[f64; 3]>,
}

/// Reads a shape as ISO 13249-3 says, and refuses what is no point and no polygon of one closed ring.
fn read_wkb(bytes: &[u8]) -> Shape {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let point = |at: usize| [number(at), number(at + 8), number(at + 16)];
    assert_eq!(bytes[0], 1, "little-endian");
    match word(1) {
        1001 => {
            assert_eq!(bytes.len(), 5 + 24);
            Shape { is_polygon: false, points: vec![point(5)] }
        }
        1003 => {
            let (rings, count) = (word(5), word(9) as usize);
            assert_eq!((rings, bytes.len()), (1, 13 + 24 * count));
            let mut points: Vec<[f64; 3]> = (0..count).map(|at| point(13 + 24 * at)).collect();
            assert!(count >= 4 && points[0] == points[count - 1], "a ring is closed: {points:?}");
            points.pop();
            Shape { is_polygon: true, points }
        }
        other => panic!("a shape of type {other}"),
    }
}

/// Well-known text as well-known binary, by the rules of the texts and nothing else.
pub(crate) fn of_wkt(text: &str) -> Vec<u8> {
    let (kind, list) = text.split_once(" Z (").expect(text);
    let list = list.strip_suffix(')').expect(text);
    let point = |text: &str| -> Vec<u8> {
        let axes = text.split(' ').map(|axis| f64::from(axis.parse::<f32>().unwrap()));
        axes.flat_map(f64::to_le_bytes).collect()
    };
    let mut bytes = vec![1];
    match kind {
        "POINT" => {
            bytes.extend(1001_u32.to_le_bytes());
            bytes.extend(point(list));
        }
        "POLYGON" => {
            let ring = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).expect(text);
            let points: Vec<&str> = ring.split(", ").collect();
            [1003, 1, points.len() as u32].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
            points.into_iter().for_each(|text| bytes.extend(point(text)));
        }
        other => panic!("a shape called {other}"),
    }
    bytes
}

/// The size of a polygon in space: half the length of the sum of the cross products.
fn area(points: &[[f64; 3]]) -> f64 {
    let from = |p: &[f64; 3]| [0, 1, 2].map(|axis| p[axis] - points[0][axis]);
    let normal = points.windows(2).fold([0.0; 3], |[x, y, z], pair| {
        let ([ax, ay, az], [bx, by, bz]) = (from(&pair[0]), from(&pair[1]));
        [x + ay * bz - az * by, y + az * bx - ax * bz, z + ax * by - ay * bx]
    });
    normal.iter().map(|axis| axis * axis).sum::<f64>().sqrt() / 2.0
}

fn value<'b>(batch: &'b Batch, column: &str, row: usize) -> Value<'b> {
    let at =
        batch.table().position(column).unwrap_or_else(|| panic!("no {column} in {}", batch.table().name));
    batch.columns()[at].get(row)
}

fn number(batch: &Batch, column: &str, row: usize) -> Option<f64> {
    match value(batch, column, row) {
        Value::F32(number) => Some(number.into()),
        Value::Int(number) => Some(number as f64),
        Value::Null => None,
        other => panic!("{column} is {other:?}"),
    }
}

fn shape(batch: &Batch, row: usize) -> Option<Shape> {
    match value(batch, "geometry", row) {
        Value::Geometry(bytes) => Some(read_wkb(bytes)),
        Value::Null => None,
        other => panic!("{other:?}"),
    }
}

/// All rows of these tables of the bundled meshes, with the axis that points up in each.
fn each_mesh(tables: &[&'static Table], mut each: impl FnMut(&str, bool, &[Batch]) + Send) {
    let files = Table::named("files").unwrap();
    let all = std::iter::once(files).chain(tables.iter().copied());
    Run::new(Scan::new(), all).run([bundled()], &mut |mesh, sheets| {
        let batches = sheets.batches();
        let y_up = value(&batches[0], "up_axis", 0) == Value::Text("y");
        each(mesh.path, y_up, &batches[1..]);
        ControlFlow::Continue(())
    });
}

/// A point of a file as seen from above.
fn plan([x, y, z]: [f64; 3], y_up: bool) -> [f64; 3] {
    if y_up { [x, -z, y] } else { [x, y, z] }
}

#[test]
fn the_shape_of_a_node_has_its_corners_box_and_size() {
    let (mut polygons, mut points) = (0, 0);
    each_mesh(&[Table::named("nodes").unwrap()], |path, y_up, batches| {
        let nodes = &batches[0];
        for row in 0..nodes.rows() {
            let axes = |names: [&str; 3]| names.map(|name| number(nodes, name, row).unwrap_or(f64::NAN));
            let at = format!("{path}, node {row}");
            let corners = number(nodes, "corners", row);
            let Some(shape) = shape(nodes, row) else {
                let finite = axes(["x", "y", "z"]).iter().all(|axis| axis.is_finite());
                assert!(!finite || corners.is_some_and(|corners| corners < 3.0), "{at} has no shape");
                continue;
            };
            assert_eq!(corners, shape.is_polygon.then_some(shape.points.len() as f64), "{at}");
            if !shape.is_polygon {
                assert_eq!(shape.points[0], plan(axes(["x", "y", "z"]), y_up), "{at}");
                points += 1;
                continue;
            }
            polygons += 1;
            // The box of the plan is that of the columns, whose ends change places where an axis is turned round.
            let ends = [axes(["min_x", "min_y", "min_z"]), axes(["max_x", "max_y", "max_z"])];
            let ends = ends.map(|end| plan(end, y_up));
            for axis in 0..3 {
                let along = || shape.points.iter().map(|point| point[axis]);
                let (low, high) =
                    (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max));
                let (a, b) = (ends[0][axis], ends[1][axis]);
                assert_eq!((low, high), (a.min(b), a.max(b)), "{at}, axis {axis}");
            }
            let (ours, theirs) = (area(&shape.points), number(nodes, "surface", row).unwrap());
            let [low, high] = ends;
            let span = low.iter().zip(high).map(|(low, high)| (high - low).abs()).fold(0.0, f64::max);
            // Differences are taken in 32 bits there, and a hostile mesh may be as wide as these go.
            let close = 1e-3 * theirs + 1e-5 * span * span;
            assert!(!theirs.is_finite() || (ours - theirs).abs() <= close, "{at}: {ours} and {theirs}");
        }
    });
    assert!(polygons > 1000 && points > 100, "{polygons} polygons, {points} points");
}

#[test]
fn an_area_of_source_is_its_four_corners_with_their_heights() {
    let mut compared = 0;
    each_mesh(&[Table::named("areas").unwrap()], |path, _, batches| {
        let areas = &batches[0];
        for row in 0..areas.rows() {
            let [nw_x, nw_y, nw_z, ne_z, se_x, se_y, se_z, sw_z] =
                ["nw_x", "nw_y", "nw_z", "ne_z", "se_x", "se_y", "se_z", "sw_z"]
                    .map(|name| number(areas, name, row));
            // Those of Source 2 have no such corners.
            let (Some(nw_z), Some(ne_z), Some(se_z), Some(sw_z)) = (nw_z, ne_z, se_z, sw_z) else { continue };
            let (nw_x, nw_y, se_x, se_y) = (nw_x.unwrap(), nw_y.unwrap(), se_x.unwrap(), se_y.unwrap());
            let corners = [[nw_x, nw_y, nw_z], [se_x, nw_y, ne_z], [se_x, se_y, se_z], [nw_x, se_y, sw_z]];
            let Some(shape) = shape(areas, row) else {
                assert!(
                    corners.iter().flatten().any(|axis| !axis.is_finite()),
                    "{path}, row {row} has no shape"
                );
                continue;
            };
            assert!(shape.is_polygon && shape.points == corners, "{path}, row {row}: {shape:?}");
            compared += 1;
        }
    });
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_table_of_a_family_has_the_shapes_of_its_nodes() {
    // Tables of other records, or with records that are no nodes.
    let aside = ["nodes", "fox_nav_nodes"];
    let own: Vec<&'static Table> = tables().filter(|table| !aside.contains(&table.name)).collect();
    assert!(own.len() >= 11, "{own:?}");
    let mut seen: HashMap<&str, (usize, usize)> = HashMap::new();
    let nodes = Table::named("nodes").unwrap();
    let wanted: Vec<&'static Table> = std::iter::once(nodes).chain(own).collect();
    each_mesh(&wanted, |_, _, batches| {
        // By their points alone: a table may have other rows, and its polygons may begin at another corner.
        let sorted = |batch: &Batch, row: usize| {
            shape(batch, row).map(|shape| {
                let mut points: Vec<[u64; 3]> =
                    shape.points.iter().map(|point| point.map(|axis| (axis + 0.0).to_bits())).collect();
                points.sort_unstable();
                points
            })
        };
        let of_nodes: HashSet<_> =
            (0..batches[0].rows()).filter_map(|row| sorted(&batches[0], row)).collect();
        for batch in &batches[1..] {
            let shapes: Vec<_> = (0..batch.rows()).filter_map(|row| sorted(batch, row)).collect();
            let found = shapes.iter().filter(|shape| of_nodes.contains(*shape)).count();
            let (all, known) = seen.entry(batch.table().name).or_default();
            (*all, *known) = (*all + shapes.len(), *known + found);
        }
    });
    for table in &wanted[1..] {
        // A third of the areas of Quake III are nodes; deleted records are none, nor are those of a mesh that is damaged.
        let (all, found) = seen.get(table.name).copied().unwrap_or_default();
        assert!(found > 0 && found >= all / 5, "{}: {found} of {all} shapes are those of nodes", table.name);
    }
}

#[test]
fn shapes_that_are_not_wanted_are_not_made() {
    for table in tables() {
        let without = Sheets::from_batches(vec![Batch::new(table, |name| name != "geometry")]);
        let mut rows = 0;
        Run::filling(Scan::new(), without).run([bundled()], &mut |_, sheets| {
            let batch = &sheets.batches()[0];
            let column = &batch.columns()[table.position("geometry").unwrap()];
            assert!(!column.is_wanted() && column.get(0) == Value::Null);
            match column.values() {
                navmap::table::Values::Geometry(shapes) => assert_eq!(shapes.iter().count(), 0),
                other => panic!("{other:?}"),
            }
            rows += batch.rows();
            ControlFlow::Continue(())
        });
        assert!(rows > 0, "{} has no rows", table.name);
    }
}

#[test]
#[cfg(feature = "parquet")]
fn a_file_of_shapes_says_that_it_is_one() {
    use navmap::table::Format;
    use navmap::table::parquet::library::file::reader::{FileReader, SerializedFileReader};
    let temp = navmap_testkit::temp::Temp::new("table-geo");
    for (name, root, kinds) in [
        ("areas", "source", &["Polygon Z"][..]),
        ("nodes", "", &["Point Z", "Polygon Z"][..]),
        ("quake_nodes", "quake", &["Point Z"][..]),
        ("links", "quake", &[][..]),
    ] {
        let table = Table::named(name).unwrap();
        let path = temp.join(name);
        let mut writer = Format::Parquet.begin(table, std::fs::File::create(&path).unwrap()).unwrap();
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        Run::new(Scan::new(), [table]).run([bundled().join(root)], &mut |mesh, sheets| {
            let batch = &mut sheets.batches_mut()[0];
            if table.position("geometry").is_some() {
                for point in
                    (0..batch.rows()).filter_map(|row| shape(batch, row)).flat_map(|shape| shape.points)
                {
                    for ((low, high), axis) in low.iter_mut().zip(&mut high).zip(point) {
                        (*low, *high) = (f64::min(*low, axis), f64::max(*high, axis));
                    }
                }
            }
            writer.write(mesh, batch).unwrap();
            ControlFlow::Continue(())
        });
        writer.finish().unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let entries = file.metadata().file_metadata().key_value_metadata().unwrap();
        let geo: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.key == "geo")
            .map(|entry| entry.value.as_deref().unwrap())
            .collect();
        if kinds.is_empty() {
            assert!(geo.is_empty(), "{name}");
            continue;
        }
        assert_eq!(geo.len(), 1, "{name}");
        let mut told: serde_json::Value = serde_json::from_str(geo[0]).unwrap();
        let bounds = told["columns"]["geometry"]["bbox"].take();
        let bounds: Vec<f64> = bounds.as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
        assert_eq!(bounds.len(), 6, "{name}");
        // The last digit of a number may be lost when a text is read.
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
        assert!(
            bounds.iter().zip(low.iter().chain(&high)).all(close),
            "{name}: {bounds:?}, {low:?}, {high:?}"
        );
        let column = serde_json::json!({
            "encoding": "WKB", "geometry_types": kinds, "crs": null, "edges": "planar", "bbox": null,
        });
        let want = serde_json::json!({
            "version": "1.1.0", "primary_column": "geometry", "columns": { "geometry": column },
        });
        assert_eq!(told, want, "{name}");
    }
}
