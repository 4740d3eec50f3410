//! Which tables are meant.

use navmap::error::{Error, Result};
use navmap::format::Family;
use navmap::table::{TABLES, Table};

/// The tables that were named, in their own order; without names, all but the large ones.
///
/// # Errors
/// For a name that is none. Names the nearest.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Table>> {
    let mut chosen: Vec<&'static Table> = Vec::new();
    let all = ["all".to_owned()];
    for name in if names.is_empty() { &all } else { names } {
        if name == "all" {
            chosen.extend(TABLES.iter().copied().filter(|table| !table.is_large()));
        } else if let Some(table) = Table::named(name) {
            chosen.push(table);
        } else if let Some(family) = Family::ALL.iter().find(|family| family.name() == name) {
            let own = TABLES.iter().copied().filter(|table| table.family == Some(*family));
            chosen.extend(own.filter(|table| !table.is_large()));
        } else {
            return Err(unknown(name));
        }
    }
    let is_chosen = |table: &&'static Table| chosen.iter().any(|other| std::ptr::eq(*other, *table));
    Ok(TABLES.iter().copied().filter(is_chosen).collect())
}

/// The error for a name of no table.
pub(super) fn unknown(name: &str) -> Error {
    let names = TABLES.iter().flat_map(|table| [Some(table.name), table.short_name()]).flatten();
    let near = navmap::text::nearest(name, names);
    let why = match near.first() {
        Some(near) => format!("{name} is none; the nearest name is {near}"),
        None => format!("{name} is none; navmap tables --schema lists them"),
    };
    Error::invalid("table", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> Vec<&'static str> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        chosen(&asked).unwrap().into_iter().map(|table| table.name).collect()
    }

    #[test]
    fn tables_are_meant_by_name_by_family_or_all_together() {
        assert_eq!(names(&["connections", "files"]), ["files", "source_connections"]);
        assert_eq!(names(&["yapb"]), ["yapb_meshes", "yapb_nodes", "yapb_links"]);
        assert!(!names(&[]).contains(&"source_visibility"), "large");
        assert!(names(&["all", "visibility"]).contains(&"source_visibility"));
        let error = chosen(&["conections".to_owned()]).unwrap_err().to_string();
        assert!(error.ends_with("the nearest name is connections"), "{error}");
    }
}
