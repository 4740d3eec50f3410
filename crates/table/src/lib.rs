//! Thousands of files as tables: rows and columns of every family, for SQL, data frames and spreadsheets.
//!
//! One schema ([`TABLES`]), one fill per family, and thin layers over plain vectors:
//!
//! | type | what it is for |
//! |---|---|
//! | [`Table`], [`ColumnDef`] | the tables as data: names, types, units, meanings |
//! | [`Run`] | walks many files with many threads, and hands out the rows of each mesh |
//! | [`Batch`], [`Sheets`] | these rows: one batch a table and mesh, plain columns, reused |
//! | [`Format`], [`Writer`] | CSV and JSON lines; Arrow streams and Parquet with their features |
//! | [`FolderWriter`], [`update`] | tables in a folder, written whole or brought up to date |
//!
//! Values are those of the file: `f32` bit for bit, unsigned numbers unsigned. What a format lacks is null, never 0. Every table
//! begins with the [common columns](COMMON) `path`, `member` and `file`; join tables on `file`.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "arrow")]
pub mod arrow;
mod batch;
mod column;
mod describe;
mod fill;
mod format;
mod geometry;
mod lines;
mod mesh;
#[cfg(feature = "parquet")]
pub mod parquet;
mod rows;
mod run;
mod schema;
#[cfg(feature = "sql")]
pub mod sql;
#[cfg(feature = "sql")]
pub mod sqlite;
mod store;
mod text;
mod told;
mod writer;

pub use batch::{Batch, Sheets};
pub use column::{Column, Dictionary, Type, Value, Values};
pub use describe::markdown;
pub use fill::fill_tables;
pub use format::Format;
pub use geometry::Geometries;
#[doc(hidden)]
pub use lines::{csv_text, json_text, no_number};
pub use mesh::Mesh;
pub use rows::TABLES;
pub use run::Run;
pub use schema::{COMMON, ColumnDef, Table};
pub use store::{FolderWriter, Snapshot, Store, Updated, Written, check_folder, update};
pub use text::{CsvWriter, JsonlWriter};
pub use writer::{Writer, write_flag_names};
