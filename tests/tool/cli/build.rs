//! `navmap build`, as it is typed.
#![cfg(feature = "build")]

use crate::{navmap, text};
use navmap_testkit::bsp::{room, source};
use navmap_testkit::temp::Temp;

const FLOOR: &str = "v 0 0 0\nv 800 0 0\nv 800 800 0\nv 0 800 0\nusemtl Grass\nf 1 2 3 4\n";

#[test]
fn a_model_becomes_a_mesh_that_bears_its_check_and_a_bill() {
    let temp = Temp::new("build");
    let model = temp.file("floor.obj", FLOOR.as_bytes());
    let (model, mesh) = (model.to_str().unwrap().to_owned(), temp.join("floor.navmesh"));
    let mesh = mesh.to_str().unwrap();
    let done =
        navmap(&["build", &model, "--up", "z", "--unit", "0.01", "-o", mesh, "--area", "grass=5", "-j", "1"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let bill = text(&done.stdout);
    assert!(bill.contains("2 triangles, 2 of them walkable") && bill.contains("in 1 of 1 tiles"), "{bill}");
    let done = navmap(&["check", mesh]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stdout));
    // An output that is there is kept; y is up unless said otherwise, and then this is a wall.
    let again = navmap(&["build", &model, "-o", mesh]);
    assert_eq!(again.status.code(), Some(2), "{}", text(&again.stderr));
    let wall = navmap(&["build", &model, "--unit", "0.01", "-o", mesh, "--force"]);
    assert!(text(&wall.stderr).contains("no place where the agent can stand"), "{}", text(&wall.stderr));
}

#[test]
fn a_model_that_was_exported_says_which_way_is_up_and_how_long_a_unit_is() {
    let temp = Temp::new("build-exported");
    let (model, mesh) = (temp.join("town.obj"), temp.join("town.navmesh"));
    let (model, mesh) = (model.to_str().unwrap(), mesh.to_str().unwrap());
    for how in [&[][..], &["--y-up"]] {
        let done = navmap(&[&["export", "corpus/source/town.nav", "-o", model, "--force"], how].concat());
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        let done = navmap(&["build", model, "-o", mesh, "--force"]);
        assert_eq!(done.status.code(), Some(0), "{how:?}: {}", text(&done.stderr));
    }
    let said = navmap(&["build", model, "-o", mesh, "--force", "--up", "z"]);
    assert_ne!(said.status.code(), Some(0), "what is typed goes before what the file says");
}

#[test]
fn what_cannot_be_built_is_said_and_nothing_is_written() {
    let temp = Temp::new("build-refused");
    let model = temp.file("floor.obj", FLOOR.as_bytes());
    let model = model.to_str().unwrap();
    let out = temp.join("out.navmesh");
    let out = out.to_str().unwrap();
    for (more, why) in [
        (&["--agent", "0.4,1.8,0.5,45,7"][..], "more than radius, height, climb and slope"),
        (&["--agent", "wide"], "wide is no length"),
        (&["--area", "grass"], "a material, = and an area"),
        (&["--area", "grass=64"], "0 to 63"),
        (&["--up", "z", "--max-triangles", "1"], "triangles: 2"),
        (&["--up", "z", "--max-cells", "1"], "cells that triangles cover"),
    ] {
        let done = navmap(&[&["build", model, "-o", out], more].concat());
        assert_ne!(done.status.code(), Some(0));
        assert!(text(&done.stderr).contains(why), "{more:?}: {}", text(&done.stderr));
        assert!(!std::path::Path::new(out).exists());
    }
    let done = navmap(&["build", model, "-o", temp.join("out.nav").to_str().unwrap()]);
    assert!(text(&done.stderr).contains("has to end in .navmesh"), "{}", text(&done.stderr));
}

#[test]
fn a_map_becomes_a_mesh() {
    let temp = Temp::new("build-map");
    let map = temp.file("room.bsp", &source(20, &[room()], "{ \"classname\" \"worldspawn\" }\n"));
    let mesh = temp.join("room.navmesh");
    let done = navmap(&["build", map.to_str().unwrap(), "-o", mesh.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert_eq!(navmap(&["check", mesh.to_str().unwrap()]).status.code(), Some(0));
}
