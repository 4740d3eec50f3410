//! Findings.

use navmap::bytes::Scratch;
use navmap::format::fox::FoxNav;
use navmap::NavFile;
use navmap_testkit::corpus::{manifest, real};

#[test]
fn look() {
    let Some(folder) = real() else { return };
    for row in manifest(&folder.join("fox")) {
        let bytes = row.read();
        let Ok(nav) = FoxNav::parse(&bytes) else { continue };
        nav.check(&mut Scratch::new(), &mut |finding| eprintln!("{}: {finding}", row.name())).unwrap();
    }
}
