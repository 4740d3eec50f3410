//! Everything that can be done with a graph: what hostile tests and fuzz targets do with whatever parses.

use navmap::bytes::Scratch;
use navmap::format::quake::{self, EdictKey, QuakeNav, Traversals};
use navmap::{Counts, NavFile};
use navmap_testkit::quake::{Naive, NaiveEdict, NaiveLink, NaiveNode};
use std::io;

/// Does everything with a view that can be done with it.
pub(crate) fn exhaust(nav: &QuakeNav) {
    let _ = nav.summary();
    let mut findings = 0;
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| findings += 1).unwrap();
    nav.check(&mut Scratch::new(), &mut |_| findings += 1).unwrap();
    nav.info(&mut Scratch::new(), &mut io::sink()).unwrap();
    for index in 0..=nav.nodes().len() {
        let _ = nav.links_of(index);
    }
    for index in 0..=nav.links().len() {
        if let Some(node) = nav.source_of(index) {
            assert!(
                (nav.nodes()[node].first_link() as usize..nav.nodes()[node].end_link() as usize)
                    .contains(&index)
            );
        }
        let _ = nav.edicts().of_link(index);
    }
    for index in 0..=nav.traversals().len() {
        let _ = (nav.traversals().get(index), nav.traversals().plane(index));
    }
    convert(nav);
}

/// An untouched copy is written back as it was read; converting it anywhere is a result or an error.
fn convert(nav: &QuakeNav) {
    let graph = quake::QuakeBuf::from(nav);
    let Ok(bytes) = graph.encode() else { return };
    let again = QuakeNav::parse(&bytes).unwrap();
    assert_eq!(again.nodes(), nav.nodes());
    for to in quake::Version::known() {
        if let Ok(converted) = graph.convert(to, &mut |_| ()) {
            let bytes = converted.encode().unwrap();
            assert_eq!(QuakeNav::parse(&bytes).unwrap().version(), to);
        }
    }
    if let Ok(json) = quake::NavJson::from_graph(&graph, quake::navjson::Head::of_map("x"), &mut |_| ()) {
        let mut text = Vec::new();
        json.write(&mut text).unwrap();
        let read = quake::NavJson::parse(&text).unwrap();
        assert_eq!(read.nodes().len(), nav.nodes().len());
        let _ = read.to_graph(&mut |_| ());
    }
}

/// Does everything with a navjson file that can be done with it.
pub(crate) fn exhaust_json(nav: &quake::NavJson) {
    nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| ()).unwrap();
    nav.check(&mut Scratch::new(), &mut |_| ()).unwrap();
    nav.info(&mut Scratch::new(), &mut io::sink()).unwrap();
    let mut text = Vec::new();
    nav.write(&mut text).unwrap();
    let again = quake::NavJson::parse(&text).unwrap();
    assert_eq!(again.nodes().len(), nav.nodes().len());
    if let Ok(graph) = nav.to_graph(&mut |_| ()) {
        graph.encode().unwrap();
    }
}

/// What the views say, in the shape of the eager decoder.
pub(crate) fn eager(nav: &QuakeNav) -> Naive {
    let link = |link: &quake::Link| NaiveLink {
        target: link.target(),
        kind: link.kind(),
        byte: link.flags(),
        traversal: link.traversal().unwrap_or(0xFFFF),
    };
    let traversal = |t: &quake::Traversal| [t.stored_funnel(), t.start(), t.end()].concat();
    let edict = |edict: quake::Edict| {
        let bounds = [edict.bounds().mins(), edict.bounds().maxs()].concat().try_into().unwrap();
        let keys = match edict.key() {
            EdictKey::None => vec![],
            EdictKey::Handles { targetname, classname } => vec![targetname.0, classname.0],
            EdictKey::Entity(id) => vec![id.0],
            EdictKey::Model(model) => vec![model.0],
        };
        NaiveEdict { link: edict.link(), bounds, keys }
    };
    Naive {
        heuristic: nav.heuristic(),
        nodes: nav
            .nodes()
            .iter()
            .zip(nav.origins())
            .enumerate()
            .map(|(index, (node, origin))| NaiveNode {
                flags: node.flags(),
                radius: node.radius(),
                origin: origin.to_array(),
                links: nav.links_of(index).unwrap().iter().map(link).collect(),
            })
            .collect(),
        traversals: match nav.traversals() {
            Traversals::Plain(list) => list.iter().map(traversal).collect(),
            Traversals::Ladder(list) => {
                list.iter().map(|t| [&traversal(t.traversal())[..], &t.plane()].concat()).collect()
            }
        },
        edicts: nav.edicts().iter().map(edict).collect(),
    }
}
