//! A mesh of any family is drawn: in every colour, as a difference to a part of itself, as SVG and PNG. Pictures come to an end,
//! and cost what the mesh has, not what it says.
#![no_main]

use navmap::diff::{Diff, on_one_map};
use navmap::draw::{Caption, Classes, ColourBy, Layers, Options as Drawing, Picture};
use navmap::format::{AnyNav, Options};
use std::path::Path;

fn draw(graph: &navmap::graph::FlatGraph, colour: Option<ColourBy>, pixels: bool) {
    let options = Drawing { width: 64, layers: Layers::named("all"), colour, ..Drawing::default() };
    let caption = Caption::default();
    let picture = Picture::new(graph, &caption, &options);
    picture.write_svg(&mut std::io::sink()).unwrap();
    if pixels {
        picture.write_png(&mut std::io::sink()).unwrap();
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for name in ["mesh", "mesh.nvnm", "mesh.navjson"] {
        let parse = |bytes| AnyNav::parse(bytes, Some(Path::new(name)), &Options::default()).ok();
        let Some(nav) = parse(bytes) else { continue };
        let graph = nav.flat_graph().value;
        if let Some(part) = parse(&bytes[..bytes.len() - bytes.len() / 8]).map(|nav| nav.flat_graph().value) {
            let both = on_one_map(&Diff::of(&part, &graph), &part, &graph);
            draw(&both, Some(ColourBy::Classes(Classes::of_groups(&both))), bytes.len().is_multiple_of(2));
        }
        draw(&graph, None, !bytes.len().is_multiple_of(2));
        draw(&graph, Some(ColourBy::Classes(Classes::of_groups(&graph))), false);
        for colour in [ColourBy::Group, ColourBy::Place, ColourBy::Flags] {
            draw(&graph, Some(colour), false);
        }
    }
});
