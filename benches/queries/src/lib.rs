//! Queries beside those of other crates: `cargo bench -p navmap-bench-queries`.
