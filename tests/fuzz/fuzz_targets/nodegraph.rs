//! Everything in an `.ain` or `.nod` file is read and checked, and what is written is the file as it was.
#![no_main]

use navmap::bytes::Scratch;
use navmap::format::nodegraph::{AinNav, NodBuf, NodNav, NodeGraphBuf, RespawnNav, TextNav};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, Limits, NavFormat};

fn walk<'a, V: NavFormat<'a>>(nav: &V) {
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    nav.check(&mut Scratch::new(), &mut |_| {}).unwrap();
    nav.info(&mut Scratch::new(), &mut Vec::new()).unwrap();
    let graph = nav.graph();
    let _ = graph.for_each_link(|_| {});
    let nodes = Csr::of(&graph);
    assert!(nodes.error.is_some() || counts.get("nodes") == Some(nodes.value.len() as u64));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let len = bytes.len() as u64;
    let page = bytes.get(..4096).unwrap_or(bytes);
    let _ = (AinNav::recognise(page), AinNav::may_be(page), AinNav::head(page, len));
    let _ = (RespawnNav::recognise(page), RespawnNav::may_be(page), RespawnNav::head(page, len));
    let _ = (TextNav::recognise(page), TextNav::may_be(page), TextNav::head(page, len));
    let _ = (NodNav::recognise(page), NodNav::may_be(page), <NodNav<'_> as NavFormat<'_>>::head(page, len));
    if let Ok(nav) = AinNav::parse(bytes) {
        walk(&nav);
        if let Ok(written) = NodeGraphBuf::from(&nav).encode() {
            assert!(written == bytes, "an unchanged file is written as it was");
        }
    }
    if let Ok(nav) = RespawnNav::parse(bytes) {
        walk(&nav);
    }
    if let Ok(nav) = TextNav::parse(bytes, &Limits::default()) {
        walk(&nav);
        let _ = NodeGraphBuf::from(&nav).encode();
    }
    if let Ok(nav) = NodNav::parse(bytes) {
        walk(&nav);
        assert!(NodBuf::from(&nav).encode() == bytes, "an unchanged file is written as it was");
    }
});
