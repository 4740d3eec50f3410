//! Everything a user can do with a file. Errors are fine; it must not panic or run away.

use navmap::NavFile;
use navmap::bytes::{Backing, Scratch};
use navmap::format::fox::{FaceIndex, FoxNav, Geometry, NodeIndex, TileSet, Weld, head, recognise};
use std::path::PathBuf;

pub(crate) fn exhaust(bytes: &[u8]) {
    let _ = (recognise(bytes), head(&bytes[..bytes.len().min(4096)], bytes.len() as u64));
    let Ok(nav) = FoxNav::parse(bytes) else { return };
    let _ = nav.check(&mut Scratch::new(), &mut |_| {});
    let _ = nav.info(&mut Scratch::new(), &mut std::io::sink());
    let _ = nav.columns();
    let [x, y, z] = nav.frame().origin;
    for step in 0..8 {
        let _ = nav.locate([x + step as f32 * 16.0, y, z + step as f32 * 15.0]);
    }
    let mut mesh = Geometry::new(Weld::Positions);
    let _ = mesh.add_file(&nav);
    if let Ok(Some(connect)) = nav.connect_tiles() {
        let _ = (connect.groups(), connect.infos(), connect.nodes());
    }
    let set = TileSet::from_backings([(PathBuf::from("a_101_101_nav.nav2"), Backing::borrowed(bytes))]);
    let _ = set.info(&mut std::io::sink());
    for tile in set.layers().flat_map(|layer| layer.tiles()) {
        for group in tile.groups().flatten() {
            for index in 0..64 {
                let _ = tile.links(group.id(), NodeIndex(index));
                for side in 0..4 {
                    let _ = tile.across(&group, FaceIndex(index), side);
                }
            }
        }
    }
}
