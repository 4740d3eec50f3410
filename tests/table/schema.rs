//! The schema is a promise: names and types are never changed, and columns only added.

use navmap::Family;
use navmap::table::{COMMON, TABLES, Table, markdown};
use navmap_testkit::corpus::project;
use std::collections::HashSet;
use std::fmt::Write;

/// One line a column: `source_areas.id uint32`.
fn frozen() -> String {
    let mut text = String::new();
    for table in TABLES {
        for column in table.all_columns() {
            let null = if column.null { " null" } else { "" };
            let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
            writeln!(text, "{}.{} {}{null}{unit}", table.name, column.name, column.kind.name()).unwrap();
        }
    }
    text
}

fn compare(path: &str, ours: &str) {
    let path = project().join(path);
    if std::env::var_os("NAVMAP_GOLDEN").is_some() {
        std::fs::write(&path, ours).unwrap();
    }
    let theirs = std::fs::read_to_string(&path).unwrap_or_default();
    for (line, (ours, theirs)) in ours.lines().zip(theirs.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {} of {}", line + 1, path.display());
    }
    assert!(
        ours == theirs,
        "{} has other lines at its end: NAVMAP_GOLDEN=write makes it anew",
        path.display()
    );
}

#[test]
fn names_types_and_units_of_all_columns_are_frozen() {
    compare("tests/golden/tables.txt", &frozen());
}

#[test]
fn the_page_of_the_tables_is_made_of_the_schema() {
    let page = std::fs::read_to_string(project().join("docs/tables.md")).unwrap();
    let (head, _) = page.split_once("## The tables\n").expect("a section of tables");
    compare("docs/tables.md", &format!("{head}## The tables\n\n{}", markdown()));
}

/// Words that SQLite, DuckDB, Spark or PostgreSQL keep for themselves.
const RESERVED: &str = "all alter analyse analyze and any array as asc between both by case cast check collate column \
    commit constraint create cross current default deferrable delete desc distinct do drop else end escape except \
    exists fetch false for foreign from full glob grant group having in index inner insert intersect into is join \
    lateral leading left like limit match minus natural not null offset on only or order outer partition pivot primary \
    qualify references regexp returning right row rows select set some table then to trailing transaction true union \
    unique unpivot update user using values view when where window with";

/// An area's id is no position, and its size neither of them.
#[test]
fn one_word_has_one_meaning_in_all_tables() {
    for table in TABLES {
        // Areas of these have ids of their own; nodes of the others are called by their positions.
        let by_id = ["source", "aas"].iter().any(|family| table.name.starts_with(family));
        for column in table.all_columns() {
            let (name, about) = (column.name, column.about);
            assert!(
                !["area", "ladder", "index"].contains(&name),
                "{}.{name}: which of its numbers?",
                table.name
            );
            assert!(!by_id || !["src", "dst"].contains(&name), "{}.{name} is an id", table.name);
            let is_id = about.contains("area id") || about == "the area" || about.starts_with("the area ");
            assert!(!is_id || name.ends_with("_id"), "{}.{name}: {about}", table.name);
        }
    }
}

#[test]
fn names_are_unique_and_no_reserved_words() {
    let reserved: HashSet<&str> = RESERVED.split_ascii_whitespace().collect();
    let mut tables = HashSet::new();
    for table in TABLES {
        assert!(tables.insert(table.name), "{} twice", table.name);
        let mut columns = HashSet::new();
        for column in table.all_columns() {
            let name = column.name;
            assert!(columns.insert(name), "{}.{name} twice", table.name);
            assert!(!reserved.contains(name), "{}.{name} is reserved", table.name);
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
                "{name}"
            );
        }
        // SQLite tells which of the first 63 columns a statement needs.
        assert!(columns.len() < 63, "{}", table.name);
        assert!(!table.about.trim().is_empty() && table.about.trim().ends_with('.'), "{}", table.name);
        // Plugins before Skyrim have path grids, whose tables are called so.
        let grids = table.family == Some(Family::Skyrim) && table.name.starts_with("pathgrid_");
        let named = table.family.is_none_or(|family| table.name.starts_with(family.name()));
        assert!(named || grids, "{}", table.name);
    }
}

#[test]
fn a_table_is_found_by_its_name_and_those_of_source_by_a_short_one() {
    assert_eq!(Table::named("source_areas").map(|table| table.name), Some("source_areas"));
    assert_eq!(Table::named("areas").map(|table| table.name), Some("source_areas"));
    assert_eq!(Table::named("visibility").map(Table::is_large), Some(true));
    assert!(Table::named("meshes").is_some() && Table::named("nodes").is_some());
    assert!(Table::named("quake_areas").is_none() && Table::named("Areas").is_none());
    let files = Table::named("files").unwrap();
    assert_eq!(files.all_columns().take(3).copied().collect::<Vec<_>>(), COMMON);
    assert!(!Table::named("flag_names").unwrap().is_of_meshes());
}

#[test]
fn what_is_said_of_a_table_names_each_column_once() {
    let text = Table::named("source_connections").unwrap().describe();
    assert!(text.starts_with("source_connections: One row a connection"), "{text}");
    for column in ["path", "member", "file", "src_id", "direction", "dst_id", "one_way"] {
        let lines = text.lines().filter(|line| line.split_whitespace().next() == Some(column));
        assert_eq!(lines.count(), 1, "{column} in {text}");
    }
}
