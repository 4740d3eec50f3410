//! An extension of DuckDB: every table of navmap as a table function over the files themselves.
//!
//! ```sql
//! LOAD 'navmap.duckdb_extension';
//! SELECT place, count(*) FROM navmap_areas('maps/**') GROUP BY 1 ORDER BY 2 DESC;
//! ```
//!
//! The functions are generated from [`navmap_table::TABLES`], so a table added there appears here. All unsafe code is in
//! `capi.rs` and the folder `capi`, behind a safe trait. `docs/duckdb.md` is the manual.

#![warn(missing_docs)]

#[allow(unsafe_code)] // the one module that calls and is called by DuckDB
mod capi;
mod pattern;
mod rows;
mod scan;

pub use capi::navmap_init_c_api;
