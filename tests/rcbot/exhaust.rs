//! Reads all that a file has, and writes it again.

use navmap::bytes::Scratch;
use navmap::format::rcbot::{RcbotBuf, RcbotNav};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, NavFile, NavFormat};

/// Whether the file could be opened.
pub(crate) fn exhaust(bytes: &[u8]) -> bool {
    let _ = (RcbotNav::recognise(bytes), RcbotNav::head(bytes, bytes.len() as u64));
    let Ok(nav) = RcbotNav::parse(bytes) else { return false };
    let _ = (nav.map(), nav.author(), nav.editor(), nav.game());
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    nav.check(&mut Scratch::new(), &mut |_| {}).unwrap();
    nav.info(&mut Scratch::new(), &mut Vec::new()).unwrap();
    let count = |name| counts.get(name).unwrap();
    assert_eq!(count("nodes"), nav.len() as u64);
    assert_eq!(count("links"), nav.waypoints().map(|point| point.targets().len() as u64).sum::<u64>());
    let graph = nav.graph();
    assert_eq!(Csr::of(&graph).whole().unwrap().len() as u64, count("nodes") - count("unused"));
    graph.for_each_link(|_| {}).unwrap();
    assert!(RcbotBuf::from(&nav).encode().unwrap() == bytes, "an unchanged file is written as it was");
    true
}
