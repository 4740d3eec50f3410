//! Describes the tables to people: the page of the documentation, and the output of `--schema`.

use super::schema::{ColumnDef, Table};
use std::fmt::Write;

impl Table {
    /// A first line about the table, and a line for each column: name, type, unit, meaning.
    pub fn describe(&self) -> String {
        let wide = self.all_columns().map(|column| column.name.len()).max().unwrap_or(0);
        let mut text = format!("{}: {}\n", self.name, self.about.trim());
        for column in self.all_columns() {
            let kind = kind(column);
            let line = format!("  {:<wide$}  {kind:<14}  {:<5}  {}", column.name, column.unit, column.about);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Type, and whether it may be null: `uint32?`.
fn kind(column: &ColumnDef) -> String {
    format!("{}{}", column.kind.name(), if column.null { "?" } else { "" })
}

/// All tables as Markdown, one section each. A question mark after a type means that it may be null.
pub fn markdown() -> String {
    let mut text = String::new();
    for table in super::TABLES {
        let short = table.short_name().filter(|_| !table.name.contains("source2"));
        let short = short.map_or(String::new(), |short| format!(" In SQL also `{short}`."));
        let _ = writeln!(text, "### {}\n\n{}{short}\n", table.name, table.about.trim());
        text.push_str("| column | type | unit | |\n|---|---|---|---|\n");
        for column in table.columns {
            let unit = column.unit.replace("u2", "u²").replace("m2", "m²");
            let _ = writeln!(text, "| `{}` | {} | {unit} | {} |", column.name, kind(column), column.about);
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
