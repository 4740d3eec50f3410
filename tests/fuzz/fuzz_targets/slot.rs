//! A mesh in a slot, from a file that is cut short and written anew under it: every answer is that of a whole mesh, and a failed
//! reload leaves the old one.
#![no_main]

use navmap::graph::Point;
use navmap::query::{Policy, Slot};
use navmap_testkit::temp::Temp;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

thread_local! {
    /// Seeds are run on every core, so each thread has files of its own.
    static FOLDER: Temp = Temp::new("slot");
}

fn write(path: &PathBuf, bytes: &[u8]) {
    File::create(path).and_then(|mut file| file.write_all(bytes)).expect("the file is written");
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Files are slow: the fewer bytes, the more of them.
    let bytes = &bytes[..bytes.len().min(2048)];
    for name in ["mesh.nav", "mesh.nvnm"] {
        let path = FOLDER.with(|folder| folder.join(name));
        write(&path, bytes);
        let Ok(slot) = Slot::open(&path, Policy::default()) else { continue };
        let first = slot.load();
        let at = Point::new(1.0, 2.0, 3.0);
        let ask = || (first.index().len(), first.index().nearest(at, f32::INFINITY).map(|near| near.area));
        let answer = ask();
        let cut = bytes.len() as u64 * u64::from(bytes.last().copied().unwrap_or(0)) / 256;
        OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(cut)).expect("the file is cut");
        assert!(ask() == answer, "the world is whole");
        match slot.reload() {
            Ok(generation) => assert_eq!(generation, 2),
            Err(_) => assert!(slot.load().generation() == 1 && slot.failures() == 1),
        }
        write(&path, bytes);
        slot.reload().expect("the file is as it was");
        assert!(ask() == answer, "the first world lives as long as it is held");
        assert!(slot.load().index().len() == first.index().len());
    }
});
