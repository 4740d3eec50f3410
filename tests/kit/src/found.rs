//! What the fuzzer found: the fewest inputs that reach what no seed reaches, a `.tar.gz` for each target. They are run by the tests
//! over seeds, and the next run of the fuzzer goes on from them.

use crate::archive as make;
use crate::digest;
use crate::seeds::{Seed, seeds};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The most bytes of an input that is kept, and of all of a target.
const LONGEST: usize = 4 << 10;
const MOST: usize = 96 << 10;

fn path(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/found").join(format!("{target}.tar.gz"))
}

/// The inputs of a target that are kept; none if there is no file of them.
///
/// # Panics
/// If the file is damaged.
pub fn found(target: &str) -> Vec<Seed> {
    let Ok(packed) = fs::read(path(target)) else { return Vec::new() };
    let mut tar = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut tar).expect("a sound file of inputs");
    members(&tar)
}

/// The members of a tar that [`keep`] has made.
fn members(mut tar: &[u8]) -> Vec<Seed> {
    let mut found = Vec::new();
    while let Some((header, rest)) = tar.split_at_checked(512).filter(|(header, _)| header[0] != 0) {
        let text = |from: usize, to: usize| {
            let field = header[from..to].split(|byte| *byte == 0).next().unwrap_or_default();
            String::from_utf8(field.to_vec()).expect("a text")
        };
        let size = usize::from_str_radix(&text(124, 136), 8).expect("a size");
        found.push(Seed { name: text(0, 100), bytes: rest[..size].to_vec() });
        tar = &rest[size.next_multiple_of(512)..];
    }
    found
}

/// Adds the files of a folder to those that are kept of a target, but for seeds. The shortest are kept if all are too many. Returns how
/// many there are now.
///
/// # Errors
/// If the folder cannot be read, or nothing be written.
pub fn keep(target: &str, folder: &Path) -> io::Result<usize> {
    let mut all: Vec<Vec<u8>> = found(target).into_iter().map(|seed| seed.bytes).collect();
    for file in fs::read_dir(folder)? {
        all.push(fs::read(file?.path())?);
    }
    let kept = shortest(all, &seeds(target));
    let members: Vec<make::Member<'_>> =
        kept.iter().map(|seed| (seed.name.as_bytes(), &seed.bytes[..])).collect();
    let path = path(target);
    if members.is_empty() {
        return fs::remove_file(path).or(Ok(())).map(|()| 0);
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&make::tar(&members))?;
    fs::write(path, packed.finish()?)?;
    Ok(members.len())
}

/// The shortest inputs that are no seeds, each once, by their length and name.
fn shortest(mut all: Vec<Vec<u8>>, seeds: &[Seed]) -> Vec<Seed> {
    let known: HashSet<&[u8]> = seeds.iter().map(|seed| &seed.bytes[..]).collect();
    all.retain(|bytes| bytes.len() <= LONGEST && !known.contains(&bytes[..]));
    all.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    all.dedup();
    let mut sum = 0;
    let within = |bytes: &Vec<u8>| {
        sum += bytes.len();
        sum <= MOST
    };
    let kept = all.into_iter().take_while(within);
    kept.map(|bytes| Seed { name: format!("found-{}", digest::short(&bytes)), bytes }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(bytes: &[u8]) -> Seed {
        Seed { name: String::new(), bytes: bytes.to_vec() }
    }

    #[test]
    fn the_shortest_are_kept_and_read_again() {
        let long = vec![7; LONGEST];
        let many = (0..40u8).map(|number| [&long[1..], &[number]].concat());
        let mut all: Vec<Vec<u8>> = many.collect();
        all.extend([b"a seed".to_vec(), b"new".to_vec(), b"new".to_vec(), vec![7; LONGEST + 1], Vec::new()]);
        let kept = shortest(all, &[seed(b"a seed")]);
        assert_eq!(kept.len(), 2 + (MOST - 3) / LONGEST);
        assert!(kept[0].bytes.is_empty() && kept[1].bytes == b"new");
        let members_of: Vec<make::Member<'_>> =
            kept.iter().map(|seed| (seed.name.as_bytes(), &seed.bytes[..])).collect();
        let again = members(&make::tar(&members_of));
        assert_eq!(again.len(), kept.len());
        assert!(again.iter().zip(&kept).all(|(a, b)| a.name == b.name && a.bytes == b.bytes));
    }
}
