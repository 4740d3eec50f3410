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
    let refused_with = |path: PathBuf, output: &str, more: &[&str], words: &str| {
        let done = run(path, output, more);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && said.contains(words), "{said}");
        assert!(!temp.join(output).exists());
    };
    for (output, option, words) in [
        ("no.obj", &["--tile", "8"][..], "--tile: has no meaning for a .obj"),
        ("no.glb", &["--mapping", "areas.txt"], "--mapping: has no meaning for a .glb"),
        ("no.navmesh", &["--godot"], "--godot: has no meaning for a .navmesh"),
        ("no.dot", &["--y-up"], "--y-up: has no meaning for this format"),
    ] {
        refused_with(bundled().join("source/town.nav"), output, option, words);
    }
    let refused = |path: PathBuf, output: &str, words: &str| refused_with(path, output, &[], words);
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

/// What is stored for the origin of a player goes onto the floor where the mesh is for another engine.
#[test]
fn heights_of_bots_are_on_the_floor_or_as_stored() {
    let temp = Temp::new("export-heights");
    let run = |path: &str, output: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.arg("export").arg(bundled().join(path)).arg("-o").arg(temp.join(output)).args(more);
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{path} {output}: {said}");
        said
    };
    let lowest = |name: &str, column: usize| {
        let text = std::fs::read_to_string(temp.join(name)).unwrap();
        let heights = text
            .lines()
            .filter_map(|line| line.strip_prefix("v "))
            .map(|line| line.split(' ').nth(column).unwrap().parse::<f32>().unwrap());
        heights.reduce(f32::min).unwrap()
    };
    // The floor of the pool lies 80 below the origin of a player in it; that of the halls at 24.
    let said = run("aas/v5.aas", "stored.obj", &[]);
    assert!(!said.contains("lower"), "{said}");
    let said = run("aas/v5.aas", "floor.obj", &["--heights", "floor"]);
    assert!(said.contains("heights are 24 units lower than stored, on the floor"), "{said}");
    assert_eq!(lowest("stored.obj", 2) - lowest("floor.obj", 2), 24.0);
    let said = run("yapb/v2.graph", "bots.obj", &["--heights", "floor"]);
    assert!(said.contains("heights are 18 to 36 units lower"), "{said}");
    let tile = |name: &str| {
        let bytes = std::fs::read(temp.join(name)).unwrap();
        let set = navmap::format::detour::DetourNav::parse(&bytes).unwrap();
        let tile = set.tiles().next().unwrap().unwrap().tile;
        let heights = tile.vertices().iter().map(|vertex| vertex.to_array()[1]);
        (heights.reduce(f32::min).unwrap(), tile.off_mesh().get(0).unwrap().start()[1])
    };
    run("aas/v5.aas", "floor.navmesh", &[]);
    run("aas/v5.aas", "stored.navmesh", &["--heights", "stored"]);
    let ((floor, start), (stored, stored_start)) = (tile("floor.navmesh"), tile("stored.navmesh"));
    assert!((stored - floor - 24.0 * 0.0254).abs() < 1e-4, "{stored} {floor}");
    assert!((stored_start - start - 24.0 * 0.0254).abs() < 1e-4, "connections go along");
    // What is stored on the floor stays where it is.
    let said = run("source/town.nav", "town.navmesh", &[]);
    assert!(!said.contains("lower"), "{said}");
}

/// A mesh of Detour stays one: its polygons keep their areas and flags, unless a mapping says what they get.
#[test]
fn areas_and_flags_of_detour_are_kept_or_mapped() {
    let temp = Temp::new("export-detour");
    let mapping = temp.join("areas.txt");
    std::fs::write(&mapping, "place area 1 7 0x40\nflag CROUCH 2 1\n").unwrap();
    let run = |output: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.arg("export").arg(bundled().join("detour/set.navmesh")).arg("-o").arg(temp.join(output));
        let done = command.args(more).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{output}: {said}");
        let info = Command::new(env!("CARGO_BIN_EXE_navmap")).arg("info").arg(temp.join(output)).output();
        (String::from_utf8_lossy(&info.unwrap().stdout).into_owned(), said)
    };
    let (info, said) = run("kept.navmesh", &[]);
    assert!(info.contains("  0x0001 ") && info.contains("  0x0002 "), "{info}");
    assert!(said.contains("areas and flags of polygons are kept; connections have those of"), "{said}");
    let (info, said) = run("mapped.navmesh", &["--mapping", mapping.to_str().unwrap()]);
    assert!(info.contains("  0x0040 ") && !info.contains("  0x0002 "), "{info}");
    assert!(said.contains("flag CROUCH: fits no polygon") && !said.contains("place area 1:"), "{said}");
    let (_, said) = run("set.obj", &[]);
    assert!(said.contains("left out: links that are not walked"), "{said}");
}
