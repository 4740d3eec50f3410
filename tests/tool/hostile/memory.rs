//! An address space that is too small: an error, never an abort.

use navmap_testkit::archive::{Zipped, sevenz, zip};
use navmap_testkit::bombs::bomb;
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::Command;

/// Runs the program with so many kilobytes of address space: its status (`None` if a signal ended it) and its last words.
fn within(kilobytes: usize, verb: &str, path: &Path) -> (Option<i32>, String) {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" {verb} \"$1\"");
    let program = env!("CARGO_BIN_EXE_navmap");
    let done = Command::new("sh").args(["-c", &script, program]).arg(path).output().unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

/// What the program needs to begin at all, beyond what the loader needs: the first size at which it says itself that it
/// has too little.
fn least(path: &Path) -> usize {
    let says = |kilobytes: &usize| within(*kilobytes, "list", path).1.contains("do not fit into memory");
    (4_000..400_000).step_by(500).find(says).expect("a size at which it starts")
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn too_small_an_address_space_is_an_error_of_the_run_or_of_the_member() {
    let temp = Temp::new("address-space");
    let zeros = vec![0; 3_000_000];
    let deflated = zip(&[Zipped::deflated(b"a.nav", &zeros), Zipped::deflated(b"b.nav", &zeros)]);
    let files: [(&str, &[u8]); 8] = [
        ("zeros.nav.gz", bomb("zeros.nav.gz")),
        ("small-streams.nav.bz2", bomb("small-streams.nav.bz2")),
        ("small-streams.nav.xz", bomb("small-streams.nav.xz")),
        ("empty-streams.nav.zst", bomb("empty-streams.nav.zst")),
        ("empty-streams.nav.gz", bomb("empty-streams.nav.gz")),
        ("zeros.zip", &deflated),
        ("stored.7z", &sevenz(&[(b"a.nav", &zeros)])),
        ("zeros.nav", &zeros),
    ];
    let start = least(&temp.file("few.nav", b"few"));
    for (name, bytes) in files {
        let path = temp.file(name, bytes);
        let mut refused = 0;
        for step in 0..30 {
            let kilobytes = start + step * step * 16;
            for verb in ["list --meshes", "scan -q -j2"] {
                let (status, said) = within(kilobytes, verb, &path);
                assert!(matches!(status, Some(0..=2)), "{name}, {verb}, {kilobytes} kB: {status:?} {said}");
                refused += u32::from(said.contains("do not fit into memory"));
            }
        }
        assert!(refused > 0, "{name}: {refused}");
    }
}
