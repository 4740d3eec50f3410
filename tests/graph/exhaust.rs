//! Everything that is made of a graph, whatever the bytes say.

use navmap::diff::{Diff, on_one_map};
use navmap::draw::{Caption, Classes, ColourBy, DrawOptions, Layers, Picture};
use navmap::export::{Export, Format};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Csr, FlatGraph, Islands, Stats};
use std::path::Path;

/// How much is made of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Made {
    Graph,
    /// And SVG, and all exports.
    Texts,
    /// And PNG, which takes ten times as long.
    Pixels,
}

/// Reads the bytes as the mesh that this name and they themselves say they are, as far as they go.
pub(crate) fn exhaust(bytes: &[u8], path: &Path, made: Made) {
    let Ok(nav) = AnyNav::parse(bytes, Some(path), &ParseOptions::default()) else { return };
    let graph = nav.flat_graph().value;
    consistent(&graph, &path.to_string_lossy());
    assert_eq!(nav.csr().value.len(), graph.nodes().len());
    if made < Made::Texts {
        return;
    }
    let caption = Caption::default();
    let options = DrawOptions { width: 64, layers: Layers::named("all"), ..DrawOptions::default() };
    let picture = Picture::new(&graph, &caption, &options);
    picture.write_svg(&mut std::io::sink()).unwrap();
    let both = on_one_map(&Diff::between(&graph, &graph), &graph, graph.clone());
    let given = |graph| ColourBy::Classes(Classes::of_groups(graph));
    for (graph, colour) in [
        (&both, given(&both)),
        (&graph, given(&graph)),
        (&graph, ColourBy::Group),
        (&graph, ColourBy::Place),
        (&graph, ColourBy::Flags),
    ] {
        let options = DrawOptions { colour: Some(colour), ..options.clone() };
        Picture::new(graph, &caption, &options).write_svg(&mut std::io::sink()).unwrap();
    }
    if made == Made::Pixels {
        picture.write_png(&mut std::io::sink()).unwrap();
    }
    for format in [Format::Obj, Format::Glb, Format::Dot, Format::GraphMl, Format::GeoJson] {
        Export::new(&graph, "odd").write(format, &mut std::io::sink()).unwrap();
    }
}

/// What holds for every graph: links in order, targets that exist, the same numbers by every way.
pub(crate) fn consistent(graph: &FlatGraph, name: &str) {
    let nodes = graph.nodes().len();
    assert!(graph.links().iter().is_sorted_by_key(|link| link.from), "{name}: links follow their nodes");
    assert!(graph.links().iter().all(|link| (link.from as usize) < nodes), "{name}");
    let csr = Csr::of(graph).whole().unwrap();
    let outside = graph.links().iter().filter(|l| l.to.is_none_or(|to| to as usize >= nodes)).count();
    assert_eq!((csr.len(), csr.links() + outside), (nodes, graph.links().len()), "{name}");
    let stats = Stats::of(graph).whole().unwrap();
    assert_eq!(stats.components, Islands::weak(&csr).len() as u64, "{name}");
    assert!(stats.strong_components >= stats.components, "{name}");
    assert!(graph.marks().iter().all(|mark| mark.node.is_none_or(|node| (node as usize) < nodes)), "{name}");
}
