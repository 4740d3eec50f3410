//! The tables and functions that a question can name.

use navmap::table::TABLES;

/// The names of all tables and functions with their descriptions.
pub(crate) fn listed() -> String {
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
