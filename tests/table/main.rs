//! Tables: their frozen schema, their rows against the counts of every file, and what each format keeps of them.
#![cfg(feature = "table")]

mod corpus;
mod formats;
mod schema;
#[cfg(feature = "sql")]
mod sql;
