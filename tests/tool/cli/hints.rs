//! What is typed for another family, or nearly right, is answered with what works.

const TOWN: &str = "corpus/source/town.nav";
const SOURCE2: &str = "corpus/source/v35-1.nav";

/// Status, and what was said.
fn told(arguments: &[&str]) -> (Option<i32>, String) {
    let done = super::navmap(arguments);
    (done.status.code(), super::text(&done.stdout) + &super::text(&done.stderr))
}

#[test]
fn commands_of_the_games_editor_are_answered_with_those_of_the_family() {
    for (command, meant) in [
        ("nav_delete #1", "no such command: nav_delete; did you mean delete?"),
        ("nav_crouch #1", "no such command: nav_crouch; did you mean flag CROUCH?"),
        ("nav_splice #1 #2", "no such command: nav_splice; help lists those that there are\n"),
    ] {
        let (code, said) = told(&["edit", SOURCE2, "--dry-run", "-c", command]);
        assert!(code == Some(1) && said.contains(meant), "{command}: {said}");
    }
    let (code, said) = told(&["edit", SOURCE2, "--dry-run", "-c", "flag CROUCH #1", "--recompute", "spots"]);
    assert!(
        code == Some(2) && said.contains("--recompute: is for Source meshes of version 1 to 16"),
        "{said}"
    );
}

#[test]
fn ids_without_their_sign_and_ranges_are_answered_with_what_is_meant() {
    let (code, said) = told(&["edit", TOWN, "--dry-run", "-c", "nav_delete 11"]);
    assert!(code == Some(1) && said.contains("11 where an id was expected; did you mean #11?"), "{said}");
    let (code, said) = told(&["edit", TOWN, "--dry-run", "-c", "nav_delete #1-#21"]);
    assert!(code == Some(0) && said.contains("#1-#21 is #1 without #21; the range is ids(1-21)"), "{said}");
    let (_, said) = told(&["edit", TOWN, "--dry-run", "-c", "nav_delete place(Middle)-#21"]);
    assert!(!said.contains("the range is"), "{said}");
}

#[test]
fn what_source_2_has_not_is_said_of_source_2() {
    let (code, said) = told(&["convert", SOURCE2, "-o", "never.nav", "--to", "source-16/0"]);
    assert!(code == Some(1) && said.contains("Source 2 meshes become waypoints alone"), "{said}");
    let (code, said) = told(&["convert", "corpus/aas/v5.aas", "-o", "never.obj"]);
    assert!(code == Some(1) && said.contains("`navmap export` writes what other programs read"), "{said}");
    let (code, said) = told(&["analyze", SOURCE2, "-o", "never.nav"]);
    assert!(code == Some(1) && said.contains("Source 2 meshes cannot be analysed"), "{said}");
}

#[test]
fn a_way_that_is_refused_names_the_space_and_the_flags_that_there_are() {
    let grids = "corpus/pathgrid/tes4.esp";
    let (code, said) = told(&["path", grids, "01000821#0", "01000821#3", "-q"]);
    let space = "; cell TestCellar (01000830) was asked, --space takes worldspace TestVale (01000800)";
    assert!(code == Some(2) && said.contains(space), "{said}");
    let (code, said) = told(&["path", grids, "01000821#0", "01000821#3", "-q", "--space", "TestVale"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = told(&["reach", "corpus/rcbot/v4.rcw", "--avoid", "zzz"]);
    assert!(code == Some(2) && said.contains("; its flags are jump, crouch, "), "{said}");
    let (_, said) = told(&["reach", "corpus/rcbot/v4.rcw", "--avoid", "snipre"]);
    assert!(said.contains("did you mean sniper?"), "{said}");
}
