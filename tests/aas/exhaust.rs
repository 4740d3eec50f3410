//! Reads all that a file has, and writes it again.

use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::aas::edit::AasEditor;
use navmap::format::aas::{AasGraph, AasNav, Floors};
use navmap::graph::{Csr, NavGraph, Point};
use navmap::{Counts, NavFile, NavFormat};

/// Whether the file could be opened.
pub(crate) fn exhaust(bytes: &[u8]) -> bool {
    let _ = (AasNav::recognise(bytes), AasNav::head(bytes, bytes.len() as u64));
    let Ok(nav) = AasNav::parse(bytes) else { return false };
    let mut counts = Counts::default();
    nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}).unwrap();
    assert_eq!(counts.get("areas"), Some(nav.areas().len().saturating_sub(1) as u64));
    assert_eq!(nav.settings().len(), nav.areas().len());
    nav.check(&mut Scratch::new(), &mut |_| {}).unwrap();
    nav.info(&mut Scratch::new(), &mut Vec::new()).unwrap();
    for area in nav.areas() {
        let _ = (nav.area_at(area.center()), nav.area_near(area.center()));
    }
    let floors = Floors::new(nav);
    for area in 0..nav.areas().len().min(64) + 1 {
        let _ = (floors.of(area), floors.rebuilt(area), floors.stored(area));
    }
    for graph in [AasGraph::new(nav), AasGraph::of_all(nav)] {
        assert_eq!(graph.areas().count(), graph.len());
        let csr = Csr::of(&graph);
        let mut nodes = 0;
        let whole = graph.for_each_node(|node| {
            assert_eq!(graph.node_of(node.id as usize), Some(node.index));
            nodes += 1;
        });
        assert!(whole.is_ok());
        assert_eq!((nodes, nodes), (graph.len(), csr.value.len().max(nodes)));
        let mut links = 0;
        let _ = graph.for_each_link(|_| links += 1);
        assert!(links <= nav.reachabilities().len());
        let tree = graph.plane_tree();
        for area in nav.areas() {
            let at = area.center();
            let held = nav.area_at(at).and_then(|area| graph.node_of(area as usize));
            assert_eq!(tree.node_at(Point::from(at)), held, "{at:?}");
        }
    }
    {
        let buf = navmap::format::aas::AasBuf::from(&nav);
        assert!(buf.encode().unwrap() == bytes, "an unchanged file is written as it was");
    }
    if let Ok(editor) = AasEditor::of_nav(&nav) {
        assert!(editor.encode().unwrap() == bytes, "an editor without a command as well");
        let mut session = Session::new(editor, SessionOptions::default());
        for text in [
            "flag disabled all",
            "connect #1 #2 Start=0,0,24 End=64,0,24",
            "set_links all Time=9",
            "clean_links",
            "remove_links #1+#2",
        ] {
            let _ = session.line(text);
            let written = session.editor().encode().unwrap();
            let nav = AasNav::parse(&written).unwrap();
            assert!(AasEditor::of_nav(&nav).is_ok(), "{text}: what is written can be edited again");
        }
        session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{}", session.editor().report());
    }
    true
}
