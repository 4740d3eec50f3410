//! `navmap sql`: answers questions in SQL.

#[cfg(feature = "sql")]
mod run;

use super::{Exit, Failure, args, tables};
use navmap::table::TABLES;

pub(super) fn run(typed: &args::Sql) -> Result<Exit, Failure> {
    if let Some(table) = &typed.schema {
        return tables::schema(table.as_deref());
    }
    if typed.tables {
        return super::print(listed().as_bytes());
    }
    #[cfg(feature = "sql")]
    return run::run(typed);
    #[cfg(not(feature = "sql"))]
    Err(crate::built::missing("SQL").into())
}

/// The names of all tables and functions with their descriptions.
fn listed() -> String {
    let wide = TABLES.iter().map(|table| table.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for table in TABLES {
        let about = table.about.trim();
        // The first sentence.
        let about = about.split_once(". ").map_or(about, |(first, _)| first).trim_end_matches('.');
        text.push_str(&format!("{:<wide$}  {about}\n", table.name));
    }
    #[cfg(feature = "sql")]
    {
        text.push_str("\nfunctions beside those of SQLite:\n");
        for (name, about) in navmap::table::sql::FUNCTIONS {
            text.push_str(&format!("  {name}: {about}\n"));
        }
    }
    text
}
