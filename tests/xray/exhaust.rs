//! Reads all that a file has, and writes it again.

use navmap::bytes::Scratch;
use navmap::format::xray::{XrayBuf, XrayNav};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, NavFile, NavFormat};

/// Whether the file could be opened.
pub(crate) fn exhaust(bytes: &[u8]) -> bool {
    let _ = (XrayNav::recognise(bytes), XrayNav::may_be(bytes), XrayNav::head(bytes, bytes.len() as u64));
    let Ok(nav) = XrayNav::parse(bytes) else { return false };
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    nav.check(&mut Scratch::new(), &mut |_| {}).unwrap();
    nav.info(&mut Scratch::new(), &mut Vec::new()).unwrap();
    let count = |name| counts.get(name).unwrap();
    assert_eq!(count("nodes"), nav.nodes().len() as u64);
    for node in nav.nodes().iter().take(100) {
        let _ = (nav.square(&node), nav.node_at(nav.middle(&node)), node.light(), node.flags());
    }
    let graph = nav.graph();
    assert_eq!(Csr::of(&graph).whole().unwrap().len() as u64, count("nodes"));
    let mut links = 0;
    graph.for_each_link(|_| links += 1).unwrap();
    assert_eq!(count("links"), links);
    assert!(XrayBuf::from(&nav).encode().unwrap() == bytes, "an unchanged file is written as it was");
    true
}
