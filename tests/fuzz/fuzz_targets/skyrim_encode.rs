#![no_main]
//! A mesh or plugin that can be read is written again to the byte, and with other meshes it can still be read.

use navmap::Limits;
use navmap::bytes::Scratch;
use navmap::format::skyrim::{Changes, NavMesh, NavMeshBuf, Plugin};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = NavMesh::parse(bytes)
        && let Ok(mut mesh) = NavMeshBuf::read(&mesh)
    {
        assert!(mesh.encode().expect("what was read fits") == bytes);
        mesh.settle_all();
        NavMesh::parse(&mesh.encode().expect("a grid that was made")).expect("what was written");
    }
    let mut limits = Limits::default();
    limits.inflated_bytes = 1 << 20;
    let Ok(plugin) = Plugin::parse(bytes, &limits) else { return };
    let Ok(same) = Changes::new().apply(&plugin) else { return };
    assert!(same == bytes);
    let (mut changes, mut scratch) = (Changes::new(), Scratch::new());
    for navm in plugin.navmeshes().flatten() {
        let read = navm.mesh(&mut scratch).ok().flatten().map(|mesh| NavMeshBuf::read(&mesh));
        if let Some(Ok(mut mesh)) = read {
            mesh.settle_all();
            let _ = changes.set_mesh(&navm, &mesh, &mut scratch);
        }
    }
    let Ok(changed) = changes.apply(&plugin) else { return };
    let again = Plugin::parse(&changed, &limits).expect("what was written");
    assert_eq!(again.navmeshes().count(), plugin.navmeshes().count());
});
