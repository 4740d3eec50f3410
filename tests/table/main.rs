//! Tables: their frozen schema, their rows against the counts of every file, and what each format keeps of them.
#![cfg(feature = "table")]

mod corpus;
#[cfg(all(feature = "sql", feature = "parquet"))]
mod ecosystem;
mod formats;
mod geometry;
#[cfg(feature = "sql")]
mod joins;
#[cfg(feature = "sql")]
mod neutral;
#[cfg(feature = "sql")]
mod planned;
#[cfg(feature = "sql")]
mod random;
mod schema;
#[cfg(feature = "sql")]
mod sight;
#[cfg(feature = "sql")]
mod sql;
mod update;
