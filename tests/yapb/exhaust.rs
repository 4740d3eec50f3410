//! Reads all that a file of either form has, and writes it again.

use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::yapb::edit::YapbEditor;
use navmap::format::yapb::{Nodes, PwfNav, YapbBuf, YapbNav};
use navmap::graph::{Csr, NavGraph};
use navmap::{Counts, Limits, NavFormat};

/// Whether the file could be opened.
pub(crate) fn exhaust(bytes: &[u8]) -> bool {
    let _ = (YapbNav::recognise(bytes), YapbNav::head(bytes, bytes.len() as u64));
    let _ = (PwfNav::recognise(bytes), PwfNav::head(bytes, bytes.len() as u64));
    if let Ok(nav) = YapbNav::parse(bytes, &Limits::default()) {
        assert_eq!(nav.nodes().len() * 220, nav.header().unpacked() as usize);
        let extension = nav.extension();
        let _ = (extension.author(), extension.map_size(), extension.editor());
        walk(&nav, nav.waypoints());
        again(&YapbBuf::from(&nav), bytes);
        return true;
    }
    if let Ok(nav) = PwfNav::parse(bytes) {
        let _ = (nav.map(), nav.author());
        walk(&nav, nav.waypoints());
        again(&YapbBuf::from(&nav), bytes);
        return true;
    }
    false
}

fn walk<'a>(nav: &impl NavFormat<'a>, nodes: Nodes<'_>) {
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    assert_eq!(counts.get("nodes"), Some(nodes.len() as u64));
    nav.check(&mut Scratch::new(), &mut |_| {}).unwrap();
    nav.info(&mut Scratch::new(), &mut Vec::new()).unwrap();
    let graph = nav.graph();
    let csr = Csr::of(&graph).whole().unwrap();
    assert_eq!(csr.len(), nodes.len());
    let mut links = 0;
    graph.for_each_link(|_| links += 1).unwrap();
    assert_eq!(counts.get("links"), Some(links));
}

fn again(buf: &YapbBuf, bytes: &[u8]) {
    if buf.nodes.len() <= navmap::format::yapb::MOST_NODES {
        assert!(buf.encode().unwrap() == bytes, "an unchanged file is written as it was");
        edited(buf, bytes);
    }
}

/// Every command but for what was refused is taken back to the byte.
fn edited(buf: &YapbBuf, bytes: &[u8]) {
    let mut session = Session::new(YapbEditor::new(buf.clone()), SessionOptions::default());
    let script = "move 1 2 3 #0; delete #1; connect #0 #2 --both --jump; set_link #0 #2 Distance=9\nset #2 Radius=3; \
                  add 1,2,3 Flags=camp; delete isolated; measure; number; clean_links; unflag goal all";
    session.script(script, |_| std::ops::ControlFlow::Continue(()));
    let (written, _) = (session.editor().encode(), session.editor().report().to_string());
    // Of a version that nobody knows the nodes show how they are laid out: without one it could not be read.
    assert!(written.is_ok() || session.editor().to_buf().nodes.is_empty(), "{written:?}");
    session.undo(usize::MAX);
    assert!(session.editor().encode().unwrap() == bytes, "taken back");
}
