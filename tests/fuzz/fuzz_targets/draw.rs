//! A mesh of any family is drawn: in a colour, or as a difference to a part of itself, as SVG, now and then as PNG. Pictures come to an end,
//! and cost what the mesh has, not what it says.
#![no_main]

use navmap::diff::{Diff, on_one_map};
use navmap::draw::{Caption, Classes, ColourBy, DrawOptions, Layers, Picture};
use navmap::format::{AnyNav, ParseOptions};
use std::path::Path;

fn draw(graph: &navmap::graph::FlatGraph, colour: Option<ColourBy>, pixels: bool) {
    let options = DrawOptions { width: 64, layers: Layers::named("all"), colour, ..DrawOptions::default() };
    let caption = Caption::default();
    let picture = Picture::new(graph, &caption, &options);
    picture.write_svg(&mut std::io::sink()).unwrap();
    if pixels {
        picture.write_png(&mut std::io::sink()).unwrap();
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Raw payloads of Bethesda meshes go by their name alone; everything else tells what it is.
    for name in ["mesh", "mesh.nvnm"] {
        let parse = |bytes| AnyNav::parse(bytes, Some(Path::new(name)), &ParseOptions::default()).ok();
        let Some(nav) = parse(bytes) else { continue };
        let graph = nav.flat_graph().value;
        // A picture of many takes long, so an input has one.
        let pixels = bytes.len().is_multiple_of(16);
        match bytes.len() % 5 {
            0 => draw(&graph, None, pixels),
            1 => draw(&graph, Some(ColourBy::Classes(Classes::of_groups(&graph))), pixels),
            2 => draw(&graph, Some(ColourBy::Place), pixels),
            3 => draw(&graph, Some(ColourBy::Flags), pixels),
            _ => {
                let Some(part) = parse(&bytes[..bytes.len() - bytes.len() / 8]) else { continue };
                let part = part.flat_graph().value;
                let both = on_one_map(&Diff::between(&part, &graph), &part, graph.clone());
                draw(&both, Some(ColourBy::Classes(Classes::of_groups(&both))), pixels);
            }
        }
    }
});
