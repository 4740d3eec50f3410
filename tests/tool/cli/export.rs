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
