//! `navmap export` as it is typed.

use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::path::PathBuf;
use std::process::Command;

#[test]
fn the_command_writes_by_extension_and_refuses_what_is_several() {
    let temp = Temp::new("export-command");
    let run = |path: PathBuf, output: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.arg("export").arg(path).arg("-o").arg(temp.join(output)).args(more).output().unwrap()
    };
    for name in ["town.obj", "town.glb", "town.dot", "town.graphml", "town.geojson"] {
        let done = run(bundled().join("source/town.nav"), name, &[]);
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
        assert!(std::fs::metadata(temp.join(name)).unwrap().len() > 500, "{name}");
    }
    let refused = |path: PathBuf, output: &str, words: &str| {
        let done = run(path, output, &[]);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && said.contains(words), "{said}");
        assert!(!temp.join(output).exists());
    };
    refused(bundled().join("source/town.nav"), "town.fbx", "has to end in .obj");
    refused(bundled().join("skyrim/se/village.esp"), "village.glb", "name one with --space");
    refused(bundled().join("source"), "all.glb", "is a folder of meshes; name one of its files");
    let done = run(bundled().join("fox/set"), "set.obj", &["--y-up"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(temp.join("set.obj")).unwrap();
    assert!(text.contains("\no segment_") && text.contains("# y up, metres"));
}

/// Bot graphs and areas go out in every form, and as a mesh of Detour with its bill.
#[test]
fn areas_of_quake_3_and_waypoints_of_goldsrc_go_out_in_every_form() {
    let temp = Temp::new("export-bots");
    let run = |path: &str, output: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        let done = command
            .arg("export")
            .arg(bundled().join(path))
            .arg("-o")
            .arg(temp.join(output))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{path} {output}: {said}");
        (std::fs::read(temp.join(output)).unwrap(), said)
    };
    for (nth, path) in
        ["aas/v5.aas", "aas/v5-full.aas", "yapb/v2.graph", "yapb/v7.pwf"].into_iter().enumerate()
    {
        for form in ["obj", "glb", "dot", "graphml", "geojson", "tres"] {
            let (bytes, _) = run(path, &format!("{nth}.{form}"));
            assert!(bytes.len() > 300, "{path} {form}: {} bytes", bytes.len());
        }
        let (bytes, bill) = run(path, &format!("{nth}.navmesh"));
        let set = navmap::format::detour::DetourNav::parse(&bytes).unwrap();
        let tiles: Vec<_> = set.tiles().map(|entry| entry.unwrap().tile).collect();
        let polygons: usize = tiles.iter().map(|tile| tile.ground()).sum();
        let over: usize = tiles.iter().map(|tile| tile.off_mesh().len()).sum();
        let areas = path.starts_with("aas");
        assert!(polygons >= if areas { 7 } else { 12 } && over > 0, "{path}: {polygons}, {over}");
        assert_eq!(bill.contains("waypoints, as squares"), !areas, "{bill}");
    }
}
