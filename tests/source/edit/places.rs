//! The place directory: vectors 55 to 58.

use super::*;

fn placed(names: &[&str], places: &[u16]) -> Mesh {
    let each = |(i, place): (usize, &u16)| Area {
        place: *place,
        ..flat(i as u32 + 1, [i as f32 * 100.0, i as f32 * 100.0 + 100.0], [0.0, 100.0])
    };
    let names = names.iter().map(|name| format!("{name}\0").into_bytes()).collect();
    Mesh { places: names, ..mesh(places.iter().enumerate().map(each)) }
}

fn directory(mesh: &Mesh) -> Vec<String> {
    let name = |name: &Vec<u8>| String::from_utf8(name.clone()).unwrap().trim_end_matches('\0').to_owned();
    mesh.places.iter().map(name).collect()
}

#[test]
fn v55_the_directory_is_in_order_of_first_use() {
    let level = placed(&["B", "A"], &[1, 2, 1]);
    for exact in [GAME, NAVMAP] {
        assert_eq!(directory(&after(&level, exact, "nav_crouch #1")), ["B", "A"]);
        let first = after(&level, exact, "nav_delete #1");
        assert_eq!(
            (directory(&first), first.areas[0].place, first.areas[1].place),
            (vec!["A".into(), "B".into()], 1, 2)
        );
        let both = after(&level, exact, "nav_delete #1+#3");
        assert_eq!((directory(&both), both.areas[0].place), (vec!["A".into()], 1));
    }
    let cleared = after(&level, NAVMAP, "place_clear #2");
    assert_eq!((directory(&cleared), cleared.unnamed), (vec!["B".into()], 1));
}

#[test]
fn v56_a_name_that_the_game_does_not_know_shifts_all_after_it() {
    use navmap::edit::Editor;
    let level = placed(&["Foo", "BombsiteA"], &[1, 2, 0]);
    let mut game = open(&level, GAME);
    game.editor_mut().known_places(["BombsiteA", "BombsiteB"]);
    game.line("nav_load").unwrap();
    let out = written(&game);
    assert_eq!(directory(&out), ["BombsiteA"]);
    assert_eq!(out.areas.iter().map(|area| area.place).collect::<Vec<_>>(), [1, 0, 0]);
    for (script, thrown_away) in [
        ("nav_load", None),
        ("nav_crouch #3; nav_load", Some("the mesh was opened")),
        ("nav_load", None),
        ("nav_crouch #3; undo; nav_load", None),
        ("nav_save; nav_load", None),
        ("nav_crouch #3; nav_load", Some("nav_save")),
    ] {
        let told =
            thrown_away.map(|since| format!("what was changed since {since} is gone; undo brings it back"));
        let said = game.line(script).unwrap().pop().unwrap().said;
        assert_eq!(said.get(1), told.as_ref(), "{script}");
    }

    let mut ours = open(&level, NAVMAP);
    ours.editor_mut().known_places(["bombsitea"]);
    let told = "the game does not know the place Foo: it drops it, and shifts all after it";
    for command in ["nav_crouch #3; nav_load", "nav_save"] {
        let said = ours.line(command).unwrap().pop().unwrap().said.join("; ");
        assert!(said.contains(told), "{said}");
    }
    assert!(ours.editor().encode().unwrap() == write(&level), "and keeps the file as it is");
    ours.line("undo").unwrap();
    assert_eq!(written(&ours).areas[2].attributes, 1, "loading is taken back like anything else");
    assert_eq!(said(&level, NAVMAP, "nav_load"), "3 areas loaded", "without a list nothing is known");
}

#[test]
fn a_mesh_is_told_once_for_names_that_the_game_does_not_know_and_for_new_ones() {
    use navmap::edit::{Editor, Opening, SessionOptions};
    use navmap::open::{Mesh as Opened, OpenOptions, edit_with};
    let bytes = write(&placed(&["Foo", "BombsiteA"], &[1, 2, 0]));
    let told =
        |name: &str| format!("the game does not know the place {name}: it drops it, and shifts all after it");
    let opening = Opening { places: Some("bombsitea\n"), ..Opening::default() };
    let mesh = Opened::from_vec("a.nav", bytes).unwrap();
    let mut edited = edit_with(&mesh, SessionOptions::default(), &opening, &OpenOptions::default()).unwrap();
    assert_eq!(edited.said, [told("Foo")]);
    let mut notes = |script: &str| {
        edited.session.script(script, &mut |fared| {
            fared.unwrap();
            std::ops::ControlFlow::Continue(())
        });
        edited.session.report()
    };
    assert!(!notes("nav_crouch #3").contains("does not know"));
    let report = notes("nav_place_set --place Bar --new #3");
    assert!(report.contains(&told("Bar")) && !report.contains("Foo"), "{report}");
    let mut session = open(&placed(&["Foo"], &[1, 0]), NAVMAP);
    session.line("nav_place_set --place Bar --new #2").unwrap();
    assert!(
        !session.editor().report().to_string().contains("does not know"),
        "without a list nothing is known"
    );
}

#[test]
fn v57_two_names_that_are_one_to_the_game_are_not_newly_written() {
    use navmap::edit::Editor;
    let mut session = open(&placed(&["Middle"], &[1, 0]), NAVMAP);
    session.line("nav_place_set --place \"middle\" --new #2").unwrap();
    assert_eq!(directory(&written(&session)), ["Middle"], "a place that there is, whatever its case");
    let carried = placed(&["Middle", "middle"], &[1, 2, 0]);
    let loaded = after(
        &Mesh { places: [&carried.places[..], &[b"Top\0".to_vec()]].concat(), ..carried.clone() },
        GAME,
        "nav_load",
    );
    assert_eq!(directory(&loaded), ["Middle", "Top"], "the second is dropped");
    assert_eq!(
        loaded.areas.iter().map(|area| area.place).collect::<Vec<_>>(),
        [1, 2, 0],
        "and those after it shift"
    );
    assert_eq!(directory(&after(&carried, NAVMAP, "nav_crouch #3")), ["Middle", "middle"]);
    let found = navmap::format::source::odd(&session.editor().to_buf());
    assert_eq!(found.len(), 0, "{found:?}");
    let found = navmap::format::source::odd(&open(&carried, NAVMAP).editor().to_buf());
    assert!(found.iter().any(|found| found.code == "places-equal"), "{found:?}");
    assert!(session.editor().encode().is_ok());
}

#[test]
fn v58_a_place_is_named_exactly_or_by_its_only_beginning() {
    let level = placed(&["BombsiteA", "BombsiteB", "Middle", "MiddleTunnel"], &[1, 2, 3, 4, 0]);
    for exact in [GAME, NAVMAP] {
        assert!(
            refused(&level, exact, "nav_use_place Bomb")
                .contains("ambiguous: Bomb begins BombsiteA, BombsiteB")
        );
        let out = after(&level, exact, "nav_use_place middle; nav_place_set #5");
        assert_eq!(out.areas[4].place, 3);
        let out = after(&level, exact, "nav_use_place middlet; nav_place_set #5");
        assert_eq!(out.areas[4].place, 4);
    }
    assert!(refused(&level, NAVMAP, "nav_use_place Midle").contains("did you mean Middle?"));
}

#[test]
fn places_are_painted_replaced_picked_and_flooded() {
    let level = placed(&["A", "B"], &[1, 1, 2]).both(1, E, 2).both(2, E, 3);
    let places =
        |script| after(&level, NAVMAP, script).areas.iter().map(|area| area.place).collect::<Vec<_>>();
    assert_eq!(places("nav_place_pick #3; nav_place_floodfill #1"), [1, 1, 1]);
    assert_eq!(places("nav_place_replace B New --new"), [1, 1, 2]);
    assert_eq!(said(&level, NAVMAP, "nav_place_list"), "A (2 areas); B (1 area); 2 places");
    assert_eq!(said(&level, NAVMAP, "nav_use_place A; nav_use_place"), "--> A; B");
}

#[test]
fn a_name_with_any_blank_is_typed_so_that_it_is_read_again() {
    use navmap::diff::Version;
    let version = |mesh: &Mesh| {
        Version::from_mesh(&navmap::open::Mesh::from_vec("a.nav", write(mesh)).unwrap()).unwrap()
    };
    let before = placed(&["Top"], &[1, 1]);
    for name in ["Back\tlley", "Back lley", "Back\u{b}lley", "\t", "Back\u{a0}lley", "a;b", "a//b"] {
        let wanted = placed(&[name, "Top"], &[1, 2]);
        let script = version(&before).script(&version(&wanted)).unwrap();
        assert!(script.unreached.is_empty(), "{name:?}: {:?}", script.unreached);
        let made = after(&before, NAVMAP, &script.to_string());
        assert_eq!(directory(&made), [name, "Top"], "{script}");
    }
}
