//! The base of every crate of navmap. Programs depend on [navmap](https://docs.rs/navmap), which has all of this at the same
//! paths.
//!
//! | module | what |
//! |---|---|
//! | [`bytes`] | where bytes come from ([`Backing`](bytes::Backing)), how they are taken ([`Cursor`](bytes::Cursor)), how files are saved |
//! | [`edit`] | scripts, selectors, undo: editing that knows no format |
//! | [`format`](mod@format) | the contract of a family, and what families share |
//! | [`graph`] | nodes and links whatever the format, and algorithms over them |
//! | [`error`], [`text`] | errors that are places, text for people |
//!
//! `unsafe` is one file, `bytes/map.rs`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bytes;
#[doc(hidden)]
pub mod colour;
mod counts;
pub mod digits;
pub mod edit;
pub mod error;
mod finding;
pub mod format;
pub mod graph;
mod ids;
mod limits;
mod space;
#[doc(hidden)]
pub mod stream;
pub mod text;
#[doc(hidden)]
pub mod threads;
mod with;

pub use counts::Counts;
pub use error::{Error, ErrorKind, Result};
#[doc(hidden)]
pub use finding::COMMON;
pub use finding::{Code, Finding, Severity};
pub use limits::Limits;
pub use space::{Space, names};
