//! Keeps what the fuzzer found: `cargo run -p navmap-testkit --bin keep-found -- TARGET FOLDER` adds the inputs in a folder to those
//! of a target in `tests/fuzz/found`. They should be the fewest that reach as much: what `-merge=1` of the fuzzer leaves.

use navmap_testkit::found::keep;
use navmap_testkit::seeds::TARGETS;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let [target, folder] = &typed[..] else {
        eprintln!("usage: keep-found TARGET FOLDER");
        return ExitCode::from(2);
    };
    if !TARGETS.iter().any(|(known, _)| known == target) {
        eprintln!("{target} is no target");
        return ExitCode::from(2);
    }
    match keep(target, Path::new(folder)) {
        Ok(kept) => println!("{target}: {kept} inputs"),
        Err(error) => {
            eprintln!("{folder}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
