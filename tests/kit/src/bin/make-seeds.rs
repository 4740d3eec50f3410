//! Writes the seeds of every fuzz target, and what the fuzzer found from them, to `tests/fuzz/corpus/TARGET/`:
//! `cargo run -p navmap-testkit --bin make-seeds`.
//! Prints the names of the targets, one per line.

use navmap_testkit::found::found;
use navmap_testkit::seeds::{TARGETS, seeds};
use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (target, _) in TARGETS {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for seed in seeds(target).into_iter().chain(found(target)) {
            fs::write(folder.join(seed.name), seed.bytes)?;
        }
        println!("{target}");
    }
    Ok(())
}
