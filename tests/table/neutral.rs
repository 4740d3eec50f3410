//! What the tables that all families share say, against those of each.

use super::sql::{number, open, rows};
use navmap::format::{AnyNav, GraphTask, ParseOptions};
use navmap::graph::NavGraph;
use navmap::table::sql::rusqlite::types::Value as Cell;
use navmap_testkit::corpus::{bundled, real};

fn text(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

/// A plugin's mesh has the number of its record, also behind one that is deleted.
#[test]
fn a_part_of_a_file_has_the_number_that_its_own_table_has() {
    for folder in [Some(bundled()), real()].into_iter().flatten() {
        let database = open(folder.join("skyrim"));
        let differ = "SELECT count(*) FROM skyrim_meshes m LEFT JOIN (SELECT file, mesh, count(*) AS n FROM nodes GROUP BY file, mesh) \
            USING (file, mesh) WHERE coalesce(n, 0) <> coalesce(m.triangles, 0)";
        assert_eq!(number(&database, differ), 0);
        let behind = "SELECT count(*) FROM skyrim_meshes m JOIN skyrim_meshes d ON d.file = m.file AND d.deleted AND d.mesh < m.mesh \
            WHERE m.triangles > 0";
        assert!(number(&database, behind) > 0, "no mesh is behind a deleted one");
        let lost = "SELECT count(*) FROM skyrim_triangles t LEFT JOIN nodes n ON n.file = t.file AND n.mesh = t.mesh AND n.id & 0xFFFFFFFF = \
            t.triangle WHERE n.file IS NULL";
        assert_eq!(number(&database, lost), 0);
        let links = "SELECT count(*) FROM links l JOIN nodes n ON n.file = l.file AND n.node = l.dst WHERE n.mesh <> coalesce(l.dst_mesh, l.mesh)";
        assert_eq!(number(&database, links), 0);
    }
}

#[test]
fn a_link_has_the_number_that_the_format_gives_it() {
    let database = open(bundled());
    for family in ["aas", "yapb", "rcbot", "xray"] {
        let of = |what: &str| {
            number(
                &database,
                &format!("SELECT {what} FROM links JOIN files USING (file) WHERE family = '{family}'"),
            )
        };
        assert!(of("count(*)") > 0 && of("count(*)") == of("count(number)"), "{family}");
    }
}

#[test]
fn a_unit_is_as_long_as_that_of_the_graph() {
    struct Metres;
    impl GraphTask for Metres {
        type Out = f32;
        fn run(self, graph: &impl NavGraph) -> f32 {
            graph.axes().metres_per_unit
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for folder in [Some(bundled()), real()].into_iter().flatten() {
        let database = open(folder);
        for row in rows(&database, "SELECT path, unit FROM files WHERE member IS NULL AND unit IS NOT NULL") {
            let (path, unit) = (text(&row[0]).unwrap(), text(&row[1]).unwrap());
            let bytes = std::fs::read(path).unwrap();
            let Ok(nav) = AnyNav::parse(&bytes, Some(path.as_ref()), &ParseOptions::default()) else {
                continue;
            };
            let metres = nav.with_graph(Metres);
            let expected = match unit {
                "hammer" | "quake" => 0.0254,
                "yard" => 0.9144,
                "metre" => 1.0,
                "skyrim" => 0.9144 / 64.0,
                other => panic!("{path}: {other}"),
            };
            assert!((metres - expected).abs() < 1e-6, "{path}: {unit} of {metres} m");
            seen.insert(unit.to_owned());
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}
