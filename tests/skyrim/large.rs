//! Records that are too large to be held whole until all are written.

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::{Changes, NavMeshBuf};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::Plugin as Made;
use navmap_testkit::skyrim::{SE, navm};

/// What is large is compressed when it is set, everything else when all is written: both make the same records.
#[test]
fn a_large_mesh_is_written_as_if_it_were_set_as_data() {
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let own = made.own();
    let sheets = [160, 20].map(|side| Mesh::sheet(12, Place::Interior(own), side, side, 3));
    let records: Vec<_> =
        (0_u32..).zip(&sheets).map(|(at, mesh)| navm(&made, own + 0x100 + at, mesh, true)).collect();
    made.groups.push(made.interior(own, &records));
    let bytes = made.encode();
    let before = plugin(&bytes);
    let mut scratch = Scratch::new();
    let (mut same, mut meshes, mut plain) = (Changes::new(), Changes::new(), Changes::new());
    let mut set = Vec::new();
    for navm in before.navmeshes().map(Result::unwrap) {
        let mut mesh = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
        same.set_mesh(&navm, &mesh, &mut scratch).unwrap();
        let stored = mesh.clone();
        mesh.vertices.iter_mut().for_each(|[_, _, z]| *z += 128.0);
        mesh.settle(&stored);
        meshes.set_mesh(&navm, &mesh, &mut scratch).unwrap();
        let payload = mesh.encode().unwrap();
        let data = navm.record().fields(&mut scratch).unwrap().rest().to_vec();
        // The mesh is the last field, as long as it was.
        let data = [&data[..data.len() - payload.len()], &payload].concat();
        plain.set(navm.record(), navm.record().header().flags(), data);
        set.push((payload.len(), mesh));
    }
    assert!(set[0].0 > 1 << 20 && set[1].0 < 1 << 20, "{} {}", set[0].0, set[1].0);
    assert!(same.apply(&before).unwrap() == bytes);
    let after = meshes.apply(&before).unwrap();
    assert!(after == plain.apply(&before).unwrap() && after != bytes);
    let read = plugin(&after);
    for (navm, (_, mesh)) in read.navmeshes().map(Result::unwrap).zip(&set) {
        assert!(NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap() == *mesh);
    }
}
