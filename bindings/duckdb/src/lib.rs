//! An extension of DuckDB: every table of navmap as a table function over the files themselves.
//!
//! ```sql
//! LOAD 'navmap.duckdb_extension';
//! SELECT place, count(*) FROM navmap_areas('maps/**') GROUP BY 1 ORDER BY 2 DESC;
//! ```
//!
//! The functions are made of [`navmap::table::TABLES`]: a table that is added there is here. What is unsafe lies in
//! `capi.rs` alone, behind a trait that is not. `docs/duckdb.md` is the manual.

#![warn(missing_docs)]

#[allow(unsafe_code)] // the one file that calls and is called by DuckDB
mod capi;
mod pattern;
mod rows;
mod scan;

pub use capi::navmap_init_c_api;
