//! The shared part of navmap's tests and benches. Nothing here uses a type of navmap: a wrong layout cannot pass its own test.

pub mod aas;
pub mod alloc;
pub mod archive;
pub mod bombs;
pub mod bsp;
pub mod bytes;
pub mod corpus;
pub mod detour;
pub mod digest;
pub mod found;
pub mod fox;
pub mod heavy;
pub mod hostile;
pub mod limit;
pub mod maps;
pub mod nodegraph;
pub mod props;
pub mod quake;
pub mod rcbot;
pub mod recast;
pub mod seeds;
pub mod served;
pub mod signals;
pub mod skyrim;
pub mod source;
pub mod sources;
pub mod temp;
pub mod work;
pub mod xray;
pub mod yapb;

/// A generated corpus file: its path below `corpus/<family>/`, its bytes, and its manifest row.
#[derive(Debug, Clone)]
pub struct Made {
    /// Path below the family's folder: `v16-tf2.nav`, `hostile/truncated.nav`.
    pub path: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Manifest columns after `path` and `bytes`, by name: true counts, and `note` for what the file exercises.
    pub row: Vec<(&'static str, String)>,
}

/// Reports that a test, or a part of it, is skipped. Bypasses the harness, which hides the output of passing tests.
pub fn skipped(why: &str) {
    use std::io::Write;
    let thread = std::thread::current();
    let line = format!("skipped: {}: {why}\n", thread.name().unwrap_or("test"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}

pub use limit::byte_sum;
