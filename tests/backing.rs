//! What other programs do to a file while we hold its bytes.

#![allow(unsafe_code, reason = "the caller vouches for the files it makes")]

use navmap::bytes::{Backing, BackingPool, Mapping, Mode, Opener};
use navmap::{ErrorKind, Limits};
use navmap_testkit::temp::Temp;
use std::fs;
use std::io::Write;
use std::path::Path;

fn mapped(path: &Path) -> Backing<'static> {
    // SAFETY: the test replaces the file by renaming only, or says what it does to it.
    unsafe { Backing::map(path) }.unwrap()
}

#[test]
fn a_snapshot_does_not_see_what_happens_to_the_file_afterwards() {
    let temp = Temp::new("backing-snapshot");
    let path = temp.file("a.nav", &[1; 10_000]);
    let snapshot = Backing::snapshot(&path).unwrap();
    fs::write(&path, [2; 20]).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(*snapshot, [1; 10_000]);
    assert!(!snapshot.is_mapped() && snapshot.intact().is_ok());
}

#[test]
fn a_file_renamed_over_a_mapped_one_leaves_the_map_alone() {
    let temp = Temp::new("backing-rename");
    let path = temp.file("a.nav", &[1; 10_000]);
    let map = mapped(&path);
    assert!(map.is_mapped());
    fs::rename(temp.file("b.nav", &[2; 20]), &path).unwrap();
    assert_eq!(*map, [1; 10_000]);
    assert_eq!(*Backing::snapshot(&path).unwrap(), [2; 20]);
}

#[test]
fn a_file_that_grows_keeps_the_length_it_was_opened_with() {
    let temp = Temp::new("backing-grow");
    let path = temp.file("a.nav", &[1; 10_000]);
    let (map, snapshot) = (mapped(&path), Backing::snapshot(&path).unwrap());
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[3; 5_000]).unwrap();
    assert_eq!((map.len(), snapshot.len()), (10_000, 10_000));
    assert_eq!(Backing::snapshot(&path).unwrap().len(), 15_000);
}

#[test]
fn an_empty_file_is_read_where_it_cannot_be_mapped() {
    let temp = Temp::new("backing-empty");
    let map = mapped(&temp.file("a.nav", &[]));
    assert!(map.is_empty() && !map.is_mapped());
}

#[test]
fn auto_maps_from_the_crossover_on() {
    let temp = Temp::new("backing-auto");
    let crossover = usize::try_from(Mode::CROSSOVER).unwrap();
    // SAFETY: nobody knows the files of this test.
    let mapping = unsafe { Mapping::trusted() };
    let mut pool = BackingPool::new(Opener { mode: Mode::Auto, mapping }, Limits::default());
    assert!(!pool.open(temp.file("small", &vec![1; crossover - 1])).unwrap().is_mapped());
    assert!(pool.open(temp.file("large", &vec![1; crossover])).unwrap().is_mapped());
    let mut forbidden =
        BackingPool::new(Opener { mode: Mode::Always, ..Opener::default() }, Limits::default());
    assert!(!forbidden.open(temp.join("large")).unwrap().is_mapped(), "nobody vouched");
}

#[test]
fn a_pool_reuses_its_buffer_and_never_shows_bytes_of_the_file_before() {
    let temp = Temp::new("backing-pool");
    let mut pool = BackingPool::new(Opener::reading(), Limits::default());
    assert_eq!(*pool.open(temp.file("long", &[1; 9_000])).unwrap(), [1; 9_000]);
    assert_eq!(*pool.open(temp.file("short", &[2; 3])).unwrap(), [2; 3]);
    assert_eq!(pool.open_head(temp.join("long"), 4_096).unwrap(), (&[1; 4_096][..], 9_000));
    assert_eq!(pool.open_head(temp.join("short"), 4_096).unwrap(), (&[2; 3][..], 3));
    assert_eq!(pool.open_head(temp.file("empty", &[]), 4_096).unwrap(), (&[][..], 0));
    // A file whose length the system does not tell.
    #[cfg(target_os = "linux")]
    assert!(pool.open_head("/proc/self/status", 4_096).unwrap().0.starts_with(b"Name:"));
}

#[test]
fn errors_name_the_file() {
    let temp = Temp::new("backing-errors");
    for error in [
        Backing::snapshot(temp.join("nowhere.nav")).unwrap_err(),
        Backing::snapshot(temp.path()).unwrap_err(),
    ] {
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error:?}");
        assert!(error.file().is_some_and(|file| file.starts_with(temp.path())), "{error}");
    }
    let limits = {
        let mut limits = Limits::default();
        limits.file_bytes = 99;
        limits
    };
    let error = Opener::reading().open(temp.file("a.nav", &[0; 100]), &limits).unwrap_err();
    assert!(error.to_string().ends_with("a.nav: file size: 100 is over the limit of 99"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end() {
    let temp = Temp::new("backing-pipe");
    let pipe = temp.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, vec![5; 300_000]).unwrap()
    });
    assert_eq!(*mapped(&pipe), vec![5; 300_000]);
    writer.join().unwrap();
}
