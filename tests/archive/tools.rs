//! Archives that other people's tools make. A tool that is not there is said and skipped.

use super::{expected, meshes, samples, walk};
use navmap_testkit::archive as make;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a filter over bytes.
pub(crate) fn filter(tool: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new(tool).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        navmap_testkit::skipped(&format!("no {tool}"));
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert!(output.status.success(), "{tool}");
    Some(output.stdout)
}

/// A folder with the samples in it, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("navmap-tools-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        for (name, bytes) in samples() {
            let file = path.join("in").join(std::str::from_utf8(&name).unwrap());
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        Self(path)
    }

    /// Runs a tool inside the folder of the samples; the archive it makes.
    fn make(&self, archive: &str, tool: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let path = self.0.join(archive);
        let _ = std::fs::remove_file(&path);
        let arguments = arguments.iter().map(|argument| match *argument {
            "ARCHIVE" => path.as_os_str(),
            other => other.as_ref(),
        });
        let run = Command::new(tool).args(arguments).current_dir(self.0.join("in")).output();
        match run {
            Ok(run) if run.status.success() => Some(std::fs::read(&path).unwrap()),
            Ok(run) => panic!("{tool}: {}", String::from_utf8_lossy(&run.stderr)),
            Err(_) => {
                navmap_testkit::skipped(&format!("no {tool}"));
                None
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The samples, whatever order and prefix the tool has given them.
#[track_caller]
fn assert_samples(bytes: &[u8], name: &str) {
    let mut found: Vec<_> = meshes(bytes, name)
        .into_iter()
        .map(|(path, bytes)| (path.strip_prefix("./").unwrap_or(&path).to_owned(), bytes))
        .collect();
    found.sort();
    let mut expected = expected();
    expected.sort();
    assert!(found == expected, "{name}: {:?}", found.iter().map(|(path, _)| path).collect::<Vec<_>>());
}

const PYTHON: &str = r#"
import sys, zipfile
method, archive = sys.argv[1:3]
with open(archive, 'wb') as f:
    if 'prefix' in sys.argv: f.write(b'#!/bin/sh\n' * 100)
    z = zipfile.ZipFile(f, 'w', getattr(zipfile, 'ZIP_' + method))
    for name in ['maps/a.nav', 'maps/deep/b.nav', 'readme.txt', 'c.nav']:
        with z.open(name, 'w', force_zip64='zip64' in sys.argv) as out: out.write(open(name, 'rb').read())
    z.comment = b'of a comment' if 'comment' in sys.argv else b''
    z.close()
"#;

#[test]
fn zips_of_other_tools_yield_what_was_packed() {
    let folder = Folder::new("zip");
    let seven = |method: &'static str| ["a", "-bd", "-tzip", method, "ARCHIVE", "."];
    for (name, tool, arguments) in [
        ("zip-0.zip", "zip", &["-qr0", "ARCHIVE", "."][..]),
        ("zip-9.zip", "zip", &["-qr9", "ARCHIVE", "."]),
        ("7z-deflate.zip", "7z", &seven("-mm=Deflate")),
        ("7z-lzma.zip", "7z", &seven("-mm=LZMA")),
        ("7z-bzip2.zip", "7z", &seven("-mm=BZip2")),
        ("py-lzma.zip", "python3", &["-c", PYTHON, "LZMA", "ARCHIVE"]),
        ("py-zip64.zip", "python3", &["-c", PYTHON, "DEFLATED", "ARCHIVE", "zip64"]),
        ("py-stored.zip", "python3", &["-c", PYTHON, "STORED", "ARCHIVE", "zip64"]),
        ("py-comment.zip", "python3", &["-c", PYTHON, "DEFLATED", "ARCHIVE", "comment"]),
    ] {
        if let Some(bytes) = folder.make(name, tool, arguments) {
            assert_samples(&bytes, name);
        }
    }
}

#[test]
fn a_zip_behind_other_bytes_is_found_by_its_end() {
    let folder = Folder::new("prefix");
    if let Some(bytes) = folder.make("x.zip", "python3", &["-c", PYTHON, "DEFLATED", "ARCHIVE", "prefix"]) {
        // No magic at the head: whoever knows that it is a ZIP can open it all the same.
        let source = navmap::archive::Source::single(&bytes);
        let archive = navmap::archive::Archive::open(source, navmap::archive::Kind::Zip, b"x.zip").unwrap();
        let limits = navmap::Limits::default();
        let meter = navmap::archive::Meter::new(&limits, bytes.len() as u64);
        let member = archive.members(&limits).next().unwrap().unwrap();
        let mut unpacker = navmap::archive::Unpacker::new();
        assert_eq!(member.entry.read(source, &meter, &mut unpacker).unwrap(), samples()[0].1);
    }
}

#[test]
fn tars_of_every_dialect_yield_what_was_packed() {
    let folder = Folder::new("tar");
    for (name, arguments) in [
        ("gnu.tar", &["--format=gnu", "-cf", "ARCHIVE", "."][..]),
        ("pax.tar", &["--format=pax", "-cf", "ARCHIVE", "."]),
        ("ustar.tar", &["--format=ustar", "-cf", "ARCHIVE", "."]),
        ("v7.tar", &["--format=v7", "-cf", "ARCHIVE", "."]),
        ("x.tar.gz", &["-czf", "ARCHIVE", "."]),
        ("x.tar.bz2", &["-cjf", "ARCHIVE", "."]),
        ("x.txz", &["-cJf", "ARCHIVE", "."]),
        ("x.tar.zst", &["--zstd", "-cf", "ARCHIVE", "."]),
    ] {
        if let Some(bytes) = folder.make(name, "tar", arguments) {
            assert_samples(&bytes, name);
        }
    }
}

#[test]
fn names_longer_than_a_tar_header_are_read() {
    let folder = Folder::new("long");
    let deep: PathBuf = std::iter::repeat_n("a-folder-with-a-rather-long-name", 4).collect();
    let long = deep.join(format!("{}.nav", "n".repeat(120)));
    let input = folder.0.join("in");
    for (format, path) in [("gnu", &long), ("pax", &long), ("ustar", &deep.join("b.nav"))] {
        let _ = std::fs::remove_dir_all(&input);
        std::fs::create_dir_all(input.join(&deep)).unwrap();
        std::fs::write(input.join(path), b"mesh").unwrap();
        let format = format!("--format={format}");
        for (name, compress) in [("x.tar", "--no-auto-compress"), ("x.tar.gz", "-z")] {
            let Some(bytes) = folder.make(name, "tar", &[&format, compress, "-cf", "ARCHIVE", "."]) else {
                continue;
            };
            let found = meshes(&bytes, name);
            assert_eq!(found.len(), 1, "{format}");
            assert_eq!(Path::new(&found[0].0), Path::new("./").join(path), "{format}");
            assert_eq!(found[0].1, b"mesh");
        }
    }
}

#[test]
fn compressed_files_yield_the_file() {
    let mesh = &samples()[1].1;
    for (tool, arguments, extension) in [
        ("gzip", &["-c"][..], "gz"),
        ("bzip2", &["-c"], "bz2"),
        ("xz", &["-c"], "xz"),
        ("xz", &["-c", "--check=sha256", "--block-size=10000"], "xz"),
        ("xz", &["-c", "--format=lzma"], "lzma"),
        ("zstd", &["-c", "-q"], "zst"),
        ("zstd", &["-c", "-q", "-19", "--check"], "zst"),
    ] {
        let Some(packed) = filter(tool, arguments, mesh) else { continue };
        let name = format!("maps/b.nav.{extension}");
        assert_eq!(meshes(&packed, &name), [("maps/b.nav".to_owned(), mesh.clone())], "{tool} {arguments:?}");
        let nameless = format!("backup.{extension}");
        assert_eq!(meshes(&packed, &nameless), [("backup".to_owned(), mesh.clone())], "{tool}");
        assert!(meshes(&packed, &format!("b.txt.{extension}")).is_empty());
        // Two streams one behind the other are one file, in every format that says so.
        if extension != "lzma" {
            let twice = [&packed[..], &packed].concat();
            assert_eq!(meshes(&twice, &name)[0].1, [&mesh[..], mesh].concat(), "{tool}");
        }
        for cut in [packed.len() / 3, packed.len() - 1] {
            let found = walk(&packed[..cut], &name);
            assert!(found.len() == 1 && found[0].1.is_err(), "{tool} cut at {cut}");
        }
    }
}

#[test]
fn an_addon_or_a_lump_that_is_compressed_as_a_whole_is_opened() {
    let samples = samples();
    let members = super::borrowed(&samples);
    let Some(gma) = filter("xz", &["--format=lzma", "-c"], &make::gma(&members)) else { return };
    let paths = |inner: &str| {
        expected().into_iter().map(|(path, bytes)| (format!("{inner}!{path}"), bytes)).collect()
    };
    let wanted: Vec<_> = paths("x.gma");
    assert_eq!(meshes(&gma, "x.gma"), wanted);

    let zip = make::deflated_zip(&members);
    let alone = filter("xz", &["--format=lzma", "-c"], &zip).unwrap();
    let mut lump = navmap_testkit::bytes::Out::new();
    lump.raw(b"LZMA").u32(zip.len() as u32).u32(alone.len() as u32 - 13).raw(&alone[..5]).raw(&alone[13..]);
    let wanted: Vec<_> = paths("pak.zip");
    assert_eq!(meshes(&make::bsp(&lump.0, 100, false), "x.bsp"), wanted);
}

#[cfg(feature = "archive")]
#[test]
fn sevenz_archives_yield_what_was_packed() {
    let folder = Folder::new("7z");
    for (name, arguments) in [
        ("solid.7z", &["a", "-bd", "ARCHIVE", "."][..]),
        ("single.7z", &["a", "-bd", "-ms=off", "ARCHIVE", "."]),
        ("lzma.7z", &["a", "-bd", "-m0=LZMA", "ARCHIVE", "."]),
        ("deflate.7z", &["a", "-bd", "-m0=Deflate", "ARCHIVE", "."]),
        ("bzip2.7z", &["a", "-bd", "-m0=BZip2", "ARCHIVE", "."]),
        ("plain.7z", &["a", "-bd", "-m0=Copy", "ARCHIVE", "."]),
    ] {
        if let Some(bytes) = folder.make(name, "7z", arguments) {
            // Empty files have no place in a block of a 7z.
            let mut found = meshes(&bytes, name);
            found.sort();
            let mut expected = expected();
            expected.retain(|(_, bytes)| !bytes.is_empty());
            expected.sort();
            assert!(found == expected, "{name}");
        }
    }
}

#[cfg(not(feature = "archive"))]
#[test]
fn a_7z_that_is_not_read_says_so() {
    let found = walk(b"7z\xbc\xaf\x27\x1c\0\x04", "x.7z");
    assert!(found[0].1.as_ref().unwrap_err().to_string().contains("feature `sevenz`"));
}
