//! Writes the files that `cargo bench --bench hostile` runs every verb on into a folder:
//! `cargo run -p navmap-testkit --bin make-heavy -- FOLDER`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).expect("the folder to write into"));
    std::fs::create_dir_all(&folder)?;
    for file in navmap_testkit::heavy::heavy() {
        std::fs::write(folder.join(&file.name), &file.bytes)?;
    }
    for bomb in navmap_testkit::bombs::bombs() {
        std::fs::write(folder.join(bomb.name), &bomb.bytes)?;
    }
    Ok(())
}
