//! `navmap sql`: answers questions in SQL.

mod listing;
#[cfg(feature = "sql")]
mod run;

use super::{Exit, Failure, args, tables};

pub(super) fn run(typed: &args::Sql) -> Result<Exit, Failure> {
    if let Some(table) = &typed.schema {
        return tables::schema(table.as_deref());
    }
    if typed.tables {
        return super::print(listing::listed().as_bytes());
    }
    #[cfg(feature = "sql")]
    return run::run(typed);
    #[cfg(not(feature = "sql"))]
    Err(crate::built::missing("SQL").into())
}
