//! Everything that can be done with a file: what hostile tests and fuzz targets do with whatever parses.

use navmap::bytes::Scratch;
use navmap::format::NavFormat;
use navmap::format::detour::DetourNav;
use navmap::graph::{NavGraph, Visitor};
use navmap::{Counts, NavFile};
use std::io;

/// Does everything with a view that can be done with it.
pub(crate) fn exhaust(nav: &DetourNav<'_>) {
    struct All;
    impl Visitor for All {}
    let _ = nav.summary();
    let surveyed = nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| ()).is_ok();
    assert_eq!(nav.check(&mut Scratch::new(), &mut |_| ()).is_ok(), surveyed);
    assert_eq!(nav.info(&mut Scratch::new(), &mut io::sink()).is_ok(), surveyed);
    let _ = nav.graph().visit(&mut All);
    let _ = (nav.map_connections(), nav.unity(), nav.bounds(), nav.groups(), nav.metres_per_unit());
    for entry in nav.tiles().flatten() {
        let tile = entry.tile;
        for index in 0..=tile.polygons().len() {
            let Some(polygon) = tile.polygons().get(index) else { continue };
            for edge in 0..=polygon.corners().len() {
                let _ = (polygon.across(edge), tile.edge(&polygon, edge));
            }
            let _ = (0..u16::MAX).map_while(|number| tile.triangle(index, number)).count();
        }
    }
    assert!(nav.layers().flatten().all(|layer| layer.packed.len() < 1 << 30));
}
