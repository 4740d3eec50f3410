//! The rows of every file: as many as the file has records, and with the values that its view tells.

use navmap::format::AnyNav;
use navmap::open::Mesh;
use navmap::scan::{Outcome, Scan, Task};
use navmap::table::{Batch, Run, Sheets, TABLES, Table, Value};
use navmap_testkit::corpus::{bundled, manifest, real};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

fn roots() -> Vec<PathBuf> {
    [Some(bundled()), real()].into_iter().flatten().collect()
}

fn batch<'s>(sheets: &'s Sheets, table: &str) -> &'s Batch {
    sheets.batches().iter().find(|batch| batch.table().name == table).unwrap()
}

fn column<'b>(batch: &'b Batch, name: &str) -> &'b navmap::table::Column {
    let at = batch.table().columns.iter().position(|column| column.name == name).unwrap();
    &batch.columns()[at]
}

/// The count of a survey, and the table that has a row for each.
const COUNTED: [(&str, &str, &str); 40] = [
    ("source", "areas", "source_areas"),
    ("source", "ladders", "source_ladders"),
    ("source", "places", "source_places"),
    ("source", "connections", "source_connections"),
    ("source", "hiding_spots", "source_hiding_spots"),
    ("source", "approach_areas", "source_approaches"),
    ("source", "encounter_paths", "source_encounter_paths"),
    ("source", "encounter_spots", "source_encounter_spots"),
    ("source", "ladder_connections", "source_ladder_links"),
    ("source", "visible_areas", "source_visibility"),
    ("source2", "areas", "source2_areas"),
    ("source2", "connections", "source2_connections"),
    ("source2", "ladders", "source2_ladders"),
    ("quake", "nodes", "quake_nodes"),
    ("quake", "links", "quake_links"),
    ("quake", "traversals", "quake_traversals"),
    ("quake", "edicts", "quake_edicts"),
    ("fox", "segments", "fox_segments"),
    ("fox", "vertices", "fox_vertices"),
    ("fox", "faces", "fox_faces"),
    ("fox", "nav_nodes", "fox_nav_nodes"),
    ("fox", "nav_edges", "fox_nav_edges"),
    ("skyrim", "vertices", "skyrim_vertices"),
    ("skyrim", "edge_links", "skyrim_edge_links"),
    ("detour", "polygons", "detour_polygons"),
    ("detour", "off_mesh", "detour_off_mesh"),
    ("yapb", "links", "yapb_links"),
    ("aas", "areas", "aas_areas"),
    ("aas", "faces", "aas_faces"),
    ("aas", "reachabilities", "aas_reachabilities"),
    ("aas", "nodes", "aas_nodes"),
    ("aas", "portals", "aas_portals"),
    ("aas", "clusters", "aas_clusters"),
    ("nodegraph", "nodes", "nodegraph_nodes"),
    ("nodegraph", "links", "nodegraph_links"),
    ("nodegraph", "clusters", "nodegraph_clusters"),
    ("nodegraph", "script_nodes", "nodegraph_script_nodes"),
    ("rcbot", "nodes", "rcbot_waypoints"),
    ("rcbot", "links", "rcbot_links"),
    ("xray", "nodes", "xray_nodes"),
];

#[test]
fn every_readable_mesh_has_as_many_rows_as_a_survey_counts() {
    let mut compared = HashMap::<&str, u64>::new();
    for root in roots() {
        let mut surveyed = Vec::new();
        Scan::new().run([&root], &mut |outcome: Outcome| {
            surveyed.push(outcome);
            ControlFlow::Continue(())
        });
        let run = Run::new(Scan::new(), TABLES.iter().copied().filter(|table| table.name != "findings"));
        let mut at = 0;
        run.run([&root], &mut |mesh, sheets| {
            let outcome = &surveyed[at];
            assert_eq!(mesh.file as usize, at);
            assert_eq!(mesh.path, navmap::scan::path_text(&outcome.path));
            assert_eq!(mesh.member, outcome.member.as_deref());
            assert!(mesh.error.is_some() || outcome.error.is_none(), "{}", mesh.path);
            if mesh.error.is_some() && outcome.error.is_none() {
                // What a survey goes on behind, and tells as a finding, may end the rows of a table.
                assert!(
                    outcome.counted > 0 && mesh.path.contains("hostile"),
                    "{}: {:?}",
                    mesh.path,
                    mesh.error
                );
                at += 1;
                return ControlFlow::Continue(());
            }
            assert_eq!(batch(sheets, "files").rows(), 1);
            at += 1;
            let (Some(kind), Some(summary), None) = (outcome.kind, outcome.summary, &outcome.error) else {
                return ControlFlow::Continue(());
            };
            let group = match kind.name() {
                "source2" => "source2",
                // Points are nodes, and no table of the family's has them.
                "pathgrid" => "pathgrid",
                _ => kind.family().name(),
            };
            for (family, count, table) in COUNTED.into_iter().filter(|row| row.0 == group) {
                let Some(count) = summary.counts.get(count) else {
                    assert_eq!(group, "nodegraph", "no count {count} of {family}");
                    // One form of several has it.
                    assert_eq!(batch(sheets, table).rows(), 0);
                    continue;
                };
                let rows = batch(sheets, table).rows() as u64;
                assert_eq!(rows, count, "{table} of {} {:?}", mesh.path, mesh.member);
                *compared.entry(table).or_default() += rows;
            }
            if group == "skyrim" {
                let triangles = summary.counts.get("triangles").unwrap();
                assert_eq!(batch(sheets, "skyrim_triangles").rows() as u64, triangles, "{}", mesh.path);
                assert_eq!(batch(sheets, "nodes").rows() as u64, triangles, "{}", mesh.path);
                let doors = summary.counts.get("door_triangles").unwrap();
                assert_eq!(batch(sheets, "skyrim_doors").rows() as u64, doors, "{}", mesh.path);
            }
            if matches!(group, "source" | "source2") {
                let areas = summary.counts.get("areas").unwrap();
                assert_eq!(batch(sheets, "nodes").rows() as u64, areas, "{}", mesh.path);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(at, surveyed.len());
    }
    for (_, _, table) in COUNTED {
        assert!(compared.get(table).is_some_and(|rows| *rows > 0), "no file has rows of {table}");
    }
}

#[test]
fn totals_over_the_private_corpus_are_those_of_the_manifests() {
    let Some(root) = real() else { return };
    let columns = [
        ("source", "areas", "source_areas"),
        ("source", "total_connections", "source_connections"),
        ("source", "visible_areas", "source_visibility"),
        ("quake", "links", "quake_links"),
        ("fox", "faces", "fox_faces"),
        ("skyrim", "triangles", "skyrim_triangles"),
        ("yapb", "nodes", "yapb_nodes"),
        ("aas", "reachabilities", "aas_reachabilities"),
    ];
    for (family, name, table) in columns {
        let mut compared = 0;
        for row in manifest(&root.join(family)) {
            let (Some(expected), Ok(mesh)) = (row.number(name), Mesh::open(&row.path)) else { continue };
            if mesh.nav().kind().name() == "source2" {
                continue;
            }
            let mut rows = 0;
            let mut failed = false;
            Run::new(Scan { threads: 1, ..Scan::new() }, [Table::named(table).unwrap()]).run(
                [&row.path],
                &mut |mesh, sheets| {
                    rows += sheets.batches()[0].rows() as u64;
                    failed |= mesh.error.is_some();
                    ControlFlow::Continue(())
                },
            );
            // In a file of the Quake III line number 0 is none, and no row.
            let expected = if family == "aas" { expected.saturating_sub(1) } else { expected };
            if !failed {
                assert_eq!(rows, expected, "{table} of {}", row.name());
                compared += 1;
            }
        }
        assert!(compared > 3, "{table}: {compared} files");
    }
}

#[test]
fn areas_have_the_values_of_their_view() {
    let areas = Table::named("areas").unwrap();
    let mut compared = 0;
    for root in roots() {
        Run::new(Scan::new(), [areas]).run([root.join("source")], &mut |found, sheets| {
            if found.member.is_some() || found.error.is_some() {
                return ControlFlow::Continue(());
            }
            let mesh = Mesh::open(found.path).unwrap();
            let AnyNav::Source(nav) = mesh.nav() else { return ControlFlow::Continue(()) };
            let batch = &sheets.batches()[0];
            for (row, area) in nav.areas().enumerate() {
                let area = area.unwrap();
                let value = |name: &str| column(batch, name).get(row);
                assert_eq!(value("id"), Value::Int(area.id().get().into()));
                assert_eq!(value("flags"), Value::Int(area.attributes().bits().into()));
                let [nw, _, se, _] = area.corners();
                for (name, stored) in [("nw_x", nw[0]), ("nw_z", nw[2]), ("se_y", se[1])] {
                    let Value::F32(number) = value(name) else { panic!("{name} is no float") };
                    assert_eq!(number.to_bits(), stored.to_bits(), "{name} of {}", found.path);
                }
                let place = area.place().and_then(|place| nav.place(place)).map(|place| place.to_str());
                assert_eq!(value("place"), place.as_deref().map_or(Value::Null, Value::Text));
                let light = area.light().map_or(Value::Null, |light| Value::F32(light[2]));
                assert_eq!(value("light_se"), light, "light is null below version 11, never 0");
                assert_eq!(value("byte_offset"), Value::Wide(area.offset().into()));
                compared += 1;
            }
            ControlFlow::Continue(())
        });
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn areas_of_bots_have_the_values_of_their_view() {
    let tables = ["aas_areas", "aas_reachabilities", "aas_corners"].map(|name| Table::named(name).unwrap());
    let (mut areas, mut links, mut corners) = (0, 0, 0);
    for root in roots() {
        Run::new(Scan::new(), tables).run([root.join("aas")], &mut |found, sheets| {
            if found.member.is_some() || found.error.is_some() {
                return ControlFlow::Continue(());
            }
            let mesh = Mesh::open(found.path).unwrap();
            let AnyNav::Aas(nav) = mesh.nav() else { panic!("{}", found.path) };
            let table = batch(sheets, "aas_areas");
            for row in 0..table.rows() {
                let (area, of) = (&nav.areas()[row + 1], nav.settings().get(row + 1).unwrap());
                let value = |name: &str| column(table, name).get(row);
                assert_eq!(value("id"), Value::Int(row as i64 + 1));
                assert_eq!(value("flags"), Value::Int(of.flags().bits().into()));
                assert_eq!(value("contents"), Value::Int(of.contents().bits().into()));
                assert_eq!(value("center_z"), Value::F32(area.center()[2]), "as stored, {}", found.path);
                let cluster = (of.cluster() > 0).then_some(of.cluster());
                assert_eq!(value("cluster"), cluster.map_or(Value::Null, |c| Value::Int(c.into())));
                let portal = (of.cluster() < 0).then_some(-of.cluster());
                assert_eq!(value("portal"), portal.map_or(Value::Null, |p| Value::Int(p.into())));
                let at = nav.offset("areas", row + 1) as usize;
                assert_eq!(value("byte_offset"), Value::Wide(at as u64));
                assert_eq!(&nav.bytes()[at..at + 4], &area.number().to_le_bytes(), "{}", found.path);
                areas += 1;
            }
            let table = batch(sheets, "aas_reachabilities");
            for row in 0..table.rows() {
                let link = &nav.reachabilities()[row + 1];
                let value = |name: &str| column(table, name).get(row);
                assert_eq!(value("dst_id"), Value::Int(link.area().into()));
                assert_eq!(value("kind"), Value::Text(link.kind().name()));
                assert_eq!(value("time"), Value::Int(link.time().into()));
                assert_eq!(value("end_y"), Value::F32(link.end()[1]));
                match value("src_id") {
                    Value::Int(src) => {
                        let (first, run) = nav.links_of(src as usize);
                        assert!((first..first + run.len()).contains(&(row + 1)), "{}", found.path);
                    }
                    // Three of a file of the real ones are in no run.
                    other => assert_eq!(other, Value::Null),
                }
                links += 1;
            }
            corners += batch(sheets, "aas_corners").rows();
            ControlFlow::Continue(())
        });
    }
    assert!(areas > 20 && links > 20 && corners > 20, "{areas} {links} {corners}");
}

#[test]
fn a_connection_leads_one_way_if_none_leads_back() {
    let table = Table::named("connections").unwrap();
    let mut one_way = 0;
    for root in roots() {
        Run::new(Scan::new(), [table]).run([root.join("source")], &mut |_, sheets| {
            let batch = &sheets.batches()[0];
            let number = |name: &str, row: usize| match column(batch, name).get(row) {
                Value::Int(number) => number,
                other => panic!("{other:?}"),
            };
            let pairs: std::collections::HashSet<(i64, i64)> =
                (0..batch.rows()).map(|row| (number("src_id", row), number("dst_id", row))).collect();
            for row in 0..batch.rows() {
                let back = pairs.contains(&(number("dst_id", row), number("src_id", row)));
                assert_eq!(column(batch, "one_way").get(row), Value::Bool(!back));
                one_way += u32::from(!back);
            }
            ControlFlow::Continue(())
        });
    }
    assert!(one_way > 0);
}

#[test]
fn a_damaged_mesh_gives_the_rows_before_the_damage_and_its_error() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let temp = navmap_testkit::temp::Temp::new("table-damaged");
    let path = temp.path().join("cut.nav");
    std::fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let tables = ["files", "areas"].map(|name| Table::named(name).unwrap());
    let totals = Run::new(Scan::new(), tables).run([&path], &mut |mesh, sheets| {
        assert!(mesh.error.is_some());
        assert!(batch(sheets, "source_areas").rows() > 0);
        let files = batch(sheets, "files");
        assert_eq!(column(files, "status").get(0), Value::Text("error"));
        assert!(matches!(column(files, "error_offset").get(0), Value::Wide(_)));
        assert_eq!(column(files, "map").get(0), Value::Text("cut"));
        ControlFlow::Continue(())
    });
    assert_eq!(totals.errors, 1);
}

#[test]
fn only_the_columns_that_are_wanted_are_made() {
    let areas = Table::named("areas").unwrap();
    let sheets = Sheets::from_batches(vec![Batch::new(areas, |name| name == "id" || name == "place")]);
    Run::filling(Scan::new(), sheets).run([bundled().join("source/town.nav")], &mut |_, sheets| {
        let batch = &sheets.batches()[0];
        assert!(batch.rows() > 10);
        for (column, def) in batch.columns().iter().zip(areas.columns) {
            let wanted = def.name == "id" || def.name == "place";
            assert_eq!(column.is_wanted(), wanted);
            assert_eq!(column.get(0) != Value::Null, wanted, "{}", def.name);
        }
        ControlFlow::Continue(())
    });
}

#[test]
fn findings_are_those_of_a_check() {
    let mut checked = Vec::new();
    Scan { task: Task::Check, ..Scan::new() }.run([bundled()], &mut |outcome: Outcome| {
        checked.extend(outcome.findings.into_iter().map(|finding| (finding.code, finding.message)));
        ControlFlow::Continue(())
    });
    let mut rows = Vec::new();
    Run::new(Scan::new(), [Table::named("findings").unwrap()]).run([bundled()], &mut |_, sheets| {
        let batch = &sheets.batches()[0];
        for row in 0..batch.rows() {
            let (Value::Text(code), Value::Text(message)) =
                (column(batch, "code").get(row), column(batch, "message").get(row))
            else {
                panic!("null")
            };
            rows.push((code.to_owned(), message.to_owned()));
        }
        ControlFlow::Continue(())
    });
    assert!(checked.len() > 20);
    assert_eq!(rows.len(), checked.len());
    assert!(rows.iter().zip(&checked).all(|(ours, theirs)| (&*ours.0, &ours.1) == (theirs.0, &theirs.1)));
}

#[test]
fn meshes_of_base_objects_have_rows_as_a_survey_counts_them() {
    let temp = navmap_testkit::temp::Temp::new("table-objects");
    let (plugin, totals) = navmap_testkit::skyrim::objects(|mesh| mesh.encode());
    let path = temp.file("objects.esp", &plugin.encode());
    let tables = ["skyrim_meshes", "skyrim_triangles", "skyrim_vertices", "nodes"];
    let mut seen = 0;
    Run::new(Scan::new(), tables.map(|name| Table::named(name).unwrap())).run([&path], &mut |_, sheets| {
        let rows = tables.map(|name| batch(sheets, name).rows());
        assert_eq!(rows, [totals.meshes, totals.triangles, totals.vertices, totals.triangles]);
        let meshes = batch(sheets, "skyrim_meshes");
        let column = |name: &str| {
            let at = meshes.table().position(name).unwrap();
            (0..meshes.rows()).map(|row| format!("{:?}", meshes.columns()[at].get(row))).collect::<Vec<_>>()
        };
        assert_eq!(column("mesh"), ["Int(0)", "Int(1)"]);
        assert_eq!(column("record"), [r#"Text("FURN")"#, r#"Text("STAT")"#]);
        assert_eq!(column("cell"), ["Null", "Null"]);
        seen += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(seen, 1);
}

#[test]
fn a_table_has_the_same_rows_whatever_is_asked_for_beside_it() {
    for root in roots() {
        let rows = |tables: &[&'static Table]| {
            let mut rows = Vec::new();
            Run::new(Scan::new(), tables.iter().copied()).run([&root], &mut |mesh, sheets| {
                let files = batch(sheets, "files");
                let values: Vec<String> = files.columns().iter().map(|c| format!("{:?}", c.get(0))).collect();
                rows.push((mesh.path.to_owned(), mesh.member.map(str::to_owned), values));
                ControlFlow::Continue(())
            });
            rows
        };
        let named = |name| Table::named(name).unwrap();
        let alone = rows(&[named("files")]);
        for (alone, beside) in alone.iter().zip(rows(&[named("files"), named("findings")])) {
            assert_eq!(*alone, beside);
        }
        assert!(alone.iter().any(|row| row.2.iter().any(|value| value.contains("warning"))));
    }
}
