//! Whatever can be read as polygons becomes a sound tile, or is refused.

use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::export::navmesh::{self, to_detour};
use navmap::format::detour::DetourNav;
use navmap::format::fox::{BuildOptions, FoxBuf, FoxNav};
use navmap::format::quake::{QuakeBuf, QuakeNav, Version};
use navmap::format::source::{self, SourceBuf, SourceNav};
use navmap::format::yapb::{YapbBuf, YapbNav};
use navmap::graph::{Axes, FlatGraph, Scene};
use navmap::import::{Format, read};

pub(crate) fn build(bytes: &[u8], format: Format) {
    let Ok(mut scene) = read(bytes, format) else { return };
    others(&scene);
    scene.turn_z_up();
    // Large meshes tell nothing more and cost time.
    if scene.polygons.len() > 200 {
        return;
    }
    let mut options = BuildOptions::default();
    options.islands = bytes.len().is_multiple_of(2);
    options.spawns = scene.positions.iter().take(2).copied().collect();
    let sound = |tile: &FoxBuf| {
        let bytes = tile.encode().expect("what was built fits");
        let nav = FoxNav::parse(&bytes).expect("what was built can be read");
        nav.check(&mut Scratch::new(), &mut |finding| {
            assert!(finding.severity < navmap::Severity::Error, "{finding}");
        })
        .expect("what was built can be walked");
    };
    if let Ok((tile, report)) = FoxBuf::build(&scene, &options) {
        let _ = report.to_string();
        sound(&tile);
        let mut like = BuildOptions::default();
        like.like = Some(&tile);
        if let Ok((again, _)) = FoxBuf::build(&scene, &like) {
            sound(&again);
        }
    }
    if let Ok((tiles, _)) = FoxBuf::build_tiles(&scene, &options, 4, Some(16)) {
        tiles.iter().flat_map(|tile| &tile.parts).for_each(sound);
    }
}

/// The games whose meshes are made of rectangles, and of points and lines.
fn others(scene: &Scene) {
    for rasterise in [None, Some(25.0)] {
        let mut options = source::BuildOptions::default();
        options.rasterise = rasterise;
        if let Ok(mesh) = SourceBuf::build(scene, 16, 1, &options) {
            let bytes = mesh.encode().expect("what was built fits");
            let nav = SourceNav::parse(&bytes).expect("what was built can be read");
            let areas: Result<Vec<_>, _> = nav.areas().collect();
            assert_eq!(areas.expect("areas").len(), mesh.areas.len());
        }
    }
    if let Ok(graph) = YapbBuf::build(scene, 0.0) {
        let bytes = graph.encode().expect("what was built fits");
        let nav = YapbNav::parse(&bytes, &navmap::Limits::default()).expect("what was built can be read");
        assert_eq!(nav.nodes().len(), graph.nodes.len());
    }
    let faces = FlatGraph::of_faces(scene, Axes::y_up(1.0));
    if scene.polygons.len() <= 200
        && let Ok((bytes, _)) = to_detour(&faces, &navmesh::NavmeshOptions::default())
    {
        DetourNav::parse(&bytes).expect("what was built can be read");
    }
    if let Ok(graph) = QuakeBuf::build(scene, Version::nav2(15), 36) {
        let bytes = graph.encode().expect("what was built fits");
        QuakeNav::parse(&bytes).expect("what was built can be read");
    }
}
