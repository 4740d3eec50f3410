//! Every command of every editor, on small meshes that were made to hurt: an end within seconds, and little memory.

use super::memory::peak;
use super::navmap;
use navmap_testkit::heavy::named;
use navmap_testkit::temp::Temp;
use std::process::Command;

/// The seconds of processor that a command may take: ten times those of the dearest here.
const SECONDS: u32 = 20;

/// Runs scripts on a mesh, all of them and each for itself.
#[track_caller]
fn all_end(mesh: &str, scripts: &[&str]) {
    let temp = Temp::new(&format!("commands-{mesh}"));
    let made = named(|name| name == mesh);
    let [file] = &made[..] else { panic!("{} files are called {mesh}", made.len()) };
    let path = temp.file(mesh, &file.bytes);
    let run = |script: &str| {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -t {SECONDS}; exec \"$0\" \"$@\"");
        command.current_dir(temp.path()).args(["-c", &limited, env!("CARGO_BIN_EXE_navmap")]);
        command.arg("edit").arg(&path).args(["-c", script, "--force", "-o"]).arg(temp.join("out"));
        let (kib, status) = peak(&mut command);
        assert!(matches!(status, Some(0..=2)), "{mesh}: {script}: {status:?}");
        assert!(kib < 64 << 10, "{mesh}: {script}: {kib} KiB");
    };
    // What others below read.
    if scripts.contains(&MERGED) {
        run("nav_save_selected few #1-#2+ids(1-2000) --to few_selected.txt --extended");
    }
    for script in scripts {
        run(script);
    }
    // Every command that does something is among them.
    let help = navmap().arg("edit").arg(&path).args(["-c", "help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let words: Vec<&str> = scripts.iter().flat_map(|script| script.split([' ', ';'])).collect();
    let verbs = help
        .lines()
        .filter(|line| !line.ends_with("says why"))
        .filter_map(|line| line.split([' ', ':']).next());
    let missing: Vec<&str> =
        verbs.filter(|verb| !words.contains(verb) && !NOT_FOR_ALL.contains(verb)).collect();
    assert!(help.lines().count() > 12 && missing.is_empty(), "{mesh}: {missing:?}");
}

/// Commands that look at no mesh: two of every session, and one that does nothing in the game either.
const NOT_FOR_ALL: [&str; 3] = ["end", "help", "nav_gen_cliffs_approx"];

/// What every family has.
const COMMON: [&str; 2] = ["begin; select all; status; undo all; redo all", "show all"];

const MERGED: &str = "nav_merge_mesh few --force --allow-jump --drops";

const SOURCE: &[&str] = &[
    MERGED,
    "nav_merge_mesh few",
    "nav_jump all; nav_remove_jump_areas",
    "nav_mark #1; nav_unmark; nav_mark_unnamed; nav_delete_marked",
    "nav_begin_area 0,0,0; nav_end_area 99000,99000,0",
    "nav_delete all; undo; redo",
    "nav_split #1 x=12.5",
    "nav_merge #1 #2",
    "nav_splice #2 #1",
    "nav_connect all",
    "nav_disconnect all",
    "nav_disconnect_outgoing_oneways all",
    "nav_make_sniper_spots #1",
    "nav_subdivide 2 all",
    "nav_chop_selected all",
    "nav_simplify_selected --mesh-only all; undo; redo",
    "nav_mark #1; nav_corner_select NE; nav_corner_raise 10 all; nav_corner_lower all",
    "nav_corner_place_on_ground --from #1 all",
    "nav_begin_shift_xy 0,0,0; nav_end_shift_xy 10,20,30 all",
    "nav_shift 10 10 10 all; move 1 2 3",
    "nav_world_center -100,-100,-100 3000,3000,300",
    "nav_crouch all; nav_precise all; nav_no_jump all; nav_stop all; nav_run all; nav_walk all; nav_avoid all",
    "nav_transient all; nav_dont_hide all; nav_stand all; nav_no_hostages all; wipe_nav_attributes all",
    "nav_mark_attribute RUN all; nav_clear_attribute RUN all",
    "tf_mark BLUE_SPAWN_ROOM all; tf_clear_attribute BLUE_SPAWN_ROOM all",
    "tf_select_with_attribute BLUE_SPAWN_ROOM; tf_wipe_attributes all",
    "nav_use_place P --new; nav_place_set all; nav_toggle_place_painting all; nav_place_pick #1; nav_place_list",
    "nav_place_floodfill #1 --place P --new",
    "nav_place_set all --place P --new; nav_place_replace P Q --new; place_clear all",
    "nav_build_ladder 0,0,200 0,0,0 30 north --link; nav_ladder_flip L#1; ladder delete L#1",
    "area set #1 attributes=0; area spots #1 1:1:0,0,0",
    "disconnect_drops 10 all",
    "delete_smaller 2000 all",
    "delete_thinner 20 all",
    "delete_overlapping",
    "snap_corners 25 all --z",
    "square_up 1.01 all",
    "resize #1 east by=3000",
    "clean_links --self --duplicate --dangling --no-portal all",
    "clean_ladders; clean_approaches; clean_encounters; clean_visibility; drop_tail",
    "nav_compress_id",
    "nav_analyze --quick",
    "nav_analyze --full",
    "nav_strip --keep-paths; nav_strip",
    "nav_save; nav_crouch all; nav_load",
    "nav_check_file_consistency 100; nav_check_stairs; nav_test_stairs all",
    "mark_player_clip all",
    "nav_save_selected a all --to a.txt --extended",
    "nav_dump_selected_set_positions all",
    "nav_warp_to_mark all",
    "nav_add_to_selected_set all; nav_remove_from_selected_set #1; nav_toggle_in_selected_set all",
    "nav_add_to_selected_set_by_id 1; nav_toggle_selected_set; nav_store_selected_set; nav_recall_selected_set",
    "nav_clear_selected_set; nav_flood_select in #1",
    "nav_flood_select out #1; nav_select_orphans #1",
    "nav_select_radius 10000 0,0,0; nav_select_half_space +x 0; nav_select_larger_than 10",
    "nav_select_overlapping",
    "nav_select_invalid_areas; nav_select_stairs",
    "nav_begin_drag_selecting -9e3,-9e3,-9e3; nav_raise_drag_volume_max; nav_lower_drag_volume_max; nav_end_drag_selecting 9e3,9e3,9e3",
    "nav_begin_drag_deselecting -9e3,-9e3,-9e3; nav_raise_drag_volume_min; nav_lower_drag_volume_min; nav_end_drag_deselecting 9e3,9e3,9e3",
    "nav_begin_selecting all; nav_begin_deselecting all; nav_toggle_selecting all; nav_toggle_deselecting all",
    "nav_snap_to_grid 1; nav_corner_adjust_adjacent 500",
];

fn source(mesh: &str) {
    all_end(mesh, &[&COMMON[..], SOURCE].concat());
}

#[test]
fn of_a_source_mesh_whose_areas_lie_over_each_other() {
    source("a-stack.nav");
}

#[test]
fn of_a_source_mesh_whose_areas_share_one_id() {
    source("areas-that-share-one-id.nav");
}

#[test]
fn of_a_source_mesh_of_very_many_areas() {
    source("many-areas.nav");
}

#[test]
fn of_fox() {
    let own = [
        "attribute 3 all --rebuild-islands",
        "merge_islands #I1 #I2",
        "drop_islands",
        "rebuild_islands",
        "move 0 1 0",
        "tile 0,1 --drop-links",
        "link 0 1; unlink 0 1",
        "delete #1",
        "raise 1 all --rescale; height 3 all",
    ];
    for mesh in ["faces.nav2", "faces-over-each-other.nav2", "islands.nav2"] {
        all_end(mesh, &[&COMMON[..], &own].concat());
    }
}

#[test]
fn of_plugins() {
    let own = [
        "move 1 1 1",
        "set water all; clear water all",
        "delete all; undo; redo",
        "flip all",
        "corner 0 0 1,1,1",
        "unlink 0 0",
        "link 0 0 1 1",
        "join 0 0 1 1",
        "door add 0 00000014; door remove 00000014",
        "cover 1 all",
        "settle all",
        "settle all --geometric-grid",
    ];
    for mesh in ["one-place.esp", "linked-to-one.esp"] {
        all_end(mesh, &[&COMMON[..], &own].concat());
    }
}

#[test]
fn of_graphs() {
    let points = [
        "add 1,1,1",
        "delete all; undo; redo",
        "connect #0 #2",
        "disconnect #0 #1",
        "move 1 1 1",
        "clean_links all",
    ];
    let quake = ["set all Radius=5", "flag Jump all; unflag Jump all"];
    let yapb = [
        "set all Radius=5; set_link #0 #1 Flags=jump",
        "flag jump all; unflag jump all",
        "measure all",
        "number",
    ];
    let nodes = ["set all Yaw=5", "moves #0 #1 none", "flag small all; unflag small all", "number_zones"];
    let rcbot = ["set all Yaw=5", "flag jump all; unflag jump all"];
    let families: [(&[&str], &[&str]); 4] = [
        (&["q-one-point.nav", "q-one-point.navjson"], &quake),
        (&["one-point.pwf"], &yapb),
        (&["one-point.ain", "linked.ain"], &nodes),
        (&["one-point.rcw", "linked.rcw"], &rcbot),
    ];
    for (meshes, own) in families {
        for mesh in meshes {
            all_end(mesh, &[&COMMON[..], &points, own].concat());
        }
    }
}

#[test]
fn of_areas_of_quake_3_and_of_detour() {
    let aas = [
        "set all Flags=disabled; flag grounded all; unflag grounded all",
        "connect 1 2 Start=0,0,0 End=1,1,1; disconnect 1 2",
        "set_link 1 2 Time=3; set_links all Time=3",
        "remove_links all; undo; redo",
        "clean_links",
    ];
    for mesh in ["list.aas", "grid.aas"] {
        all_end(mesh, &[&COMMON[..], &aas].concat());
    }
    let detour = [
        "set all Area=3",
        "flag 0x10 all; unflag 0x1 all",
        "delete all; undo; redo",
        "connect 0,0,0 1,1,1 --both",
        "move 1 1 1 all",
    ];
    for mesh in ["pile.navtile", "storeys.navmesh", "tiles-one-place.navmesh"] {
        all_end(mesh, &[&COMMON[..], &detour].concat());
    }
}
