//! The verbs, and the function that applies each.

use super::editor::SourceEditor;
use super::misc;
use super::state::Item;
use crate::flags::Attributes;
use navmap_core::edit::{Command, Refusal, Scope, Verb};

/// What applies a verb.
pub(super) type Apply = fn(&mut SourceEditor, &mut Command<'_>, &mut Scope<Item>) -> Result<(), Refusal>;

const fn verb(name: &'static str, usage: &'static str, help: &'static str) -> Verb {
    Verb { name, usage, help }
}

/// Every verb with what applies it.
#[rustfmt::skip]
pub(super) const TABLE: &[(Verb, Apply)] = &[
    (verb("nav_mark", "[AREA | ladder ID]", "mark an area or a ladder; without one, unmark"), SourceEditor::nav_mark),
    (verb("nav_unmark", "", "forget the mark"), SourceEditor::nav_unmark),
    (verb("nav_mark_unnamed", "", "mark the first area without a place, and count them"), SourceEditor::nav_mark_unnamed),
    (verb("nav_begin_area", "X,Y,Z", "begin a new area at a corner"), SourceEditor::nav_begin_area),
    (verb("nav_end_area", "X,Y,Z [--like AREA|none] [--connect AREA]", "end it at the opposite corner"), SourceEditor::nav_end_area),
    (verb("nav_delete", "[SELECTOR]", "delete what is named, else selected, else marked"), SourceEditor::nav_delete),
    (verb("nav_delete_marked", "", "delete what is marked"), SourceEditor::nav_delete_marked),
    (verb("nav_split", "[AREA] x=X|y=Y [--as ID,ID]", "cut an area in two at a coordinate"), SourceEditor::nav_split),
    (verb("nav_merge", "[GONE] KEEP", "merge an area (or the marked one) into another"), SourceEditor::nav_merge),
    (verb("nav_splice", "[OTHER] AREA", "make an area in the gap between two"), SourceEditor::nav_splice),
    (verb("nav_connect", "FROM TO | SELECTOR", "connect one way, or the first of a set with each other both ways"), SourceEditor::nav_connect),
    (verb("nav_disconnect", "A B | SELECTOR", "remove the links between two, both ways"), SourceEditor::nav_disconnect),
    (verb("nav_disconnect_outgoing_oneways", "[SELECTOR]", "remove links that have no way back"), SourceEditor::nav_disconnect_outgoing_oneways),
    (verb("nav_make_sniper_spots", "[AREA]", "cut an area into squares without links between them"), SourceEditor::nav_make_sniper_spots),
    (verb("nav_subdivide", "[DEPTH] [SELECTOR]", "cut areas in half both ways, DEPTH times"), SourceEditor::nav_subdivide),
    (verb("nav_chop_selected", "[SELECTOR]", "cut areas along the grid of 25"), SourceEditor::nav_chop_selected),
    (verb("nav_simplify_selected", "--mesh-only [SELECTOR]", "chop, then join what lies in one plane"), SourceEditor::nav_simplify_selected),
    (verb("nav_remove_jump_areas", "", "link over jump areas and delete them"), SourceEditor::nav_remove_jump_areas),
    (verb("nav_corner_select", "[NW|NE|SE|SW|none]", "choose a corner of the marked area; without one, the next"), SourceEditor::nav_corner_select),
    (verb("nav_corner_raise", "[AMOUNT] [SELECTOR]", "raise the corner, or all of them"), |e, c, s| e.raise(1.0, c, s)),
    (verb("nav_corner_lower", "[AMOUNT] [SELECTOR]", "lower the corner, or all of them"), |e, c, s| e.raise(-1.0, c, s)),
    (verb("nav_corner_place_on_ground", "[INSET | --z Z | --from AREA] [SELECTOR]", "put corners on the ground of the map (--bsp), on a height or on the plane of an area"), SourceEditor::nav_corner_place_on_ground),
    (verb("nav_begin_shift_xy", "X,Y,Z", "begin a shift at a point"), SourceEditor::nav_begin_shift_xy),
    (verb("nav_end_shift_xy", "X,Y,Z [SELECTOR]", "shift by the way from there to here"), SourceEditor::nav_end_shift_xy),
    (verb("nav_shift", "DX [DY [DZ]] [SELECTOR]", "move areas and their ladders"), SourceEditor::nav_shift),
    (verb("move", "DX DY DZ [SELECTOR]", "move areas and ladders; everything when none is named"), SourceEditor::move_),
    (verb("nav_world_center", "X,Y,Z X,Y,Z", "move the mesh into the middle of the world between two corners"), SourceEditor::nav_world_center),
    (verb("nav_crouch", "[SELECTOR]", "flip CROUCH"), |e, c, s| e.toggle(Attributes::CROUCH, c, s)),
    (verb("nav_jump", "[SELECTOR]", "flip JUMP"), |e, c, s| e.toggle(Attributes::JUMP, c, s)),
    (verb("nav_precise", "[SELECTOR]", "flip PRECISE"), |e, c, s| e.toggle(Attributes::PRECISE, c, s)),
    (verb("nav_no_jump", "[SELECTOR]", "flip NO_JUMP"), |e, c, s| e.toggle(Attributes::NO_JUMP, c, s)),
    (verb("nav_stop", "[SELECTOR]", "flip STOP"), |e, c, s| e.toggle(Attributes::STOP, c, s)),
    (verb("nav_run", "[SELECTOR]", "flip RUN"), |e, c, s| e.toggle(Attributes::RUN, c, s)),
    (verb("nav_walk", "[SELECTOR]", "flip WALK"), |e, c, s| e.toggle(Attributes::WALK, c, s)),
    (verb("nav_avoid", "[SELECTOR]", "flip AVOID"), |e, c, s| e.toggle(Attributes::AVOID, c, s)),
    (verb("nav_transient", "[SELECTOR]", "flip TRANSIENT"), |e, c, s| e.toggle(Attributes::TRANSIENT, c, s)),
    (verb("nav_dont_hide", "[SELECTOR]", "flip DONT_HIDE"), |e, c, s| e.toggle(Attributes::DONT_HIDE, c, s)),
    (verb("nav_stand", "[SELECTOR]", "flip STAND"), |e, c, s| e.toggle(Attributes::STAND, c, s)),
    (verb("nav_no_hostages", "[SELECTOR]", "flip NO_HOSTAGES"), |e, c, s| e.toggle(Attributes::NO_HOSTAGES, c, s)),
    (verb("nav_mark_attribute", "NAME [SELECTOR]", "set an attribute"), SourceEditor::nav_mark_attribute),
    (verb("nav_clear_attribute", "NAME [SELECTOR]", "clear an attribute"), SourceEditor::nav_clear_attribute),
    (verb("wipe_nav_attributes", "[SELECTOR]", "clear the 16 attributes of the engine"), SourceEditor::wipe_nav_attributes),
    (verb("tf_mark", "NAME... [SELECTOR]", "set TF attributes; flip them on a single area"), SourceEditor::tf_mark),
    (verb("tf_clear_attribute", "NAME... [SELECTOR]", "clear TF attributes"), SourceEditor::tf_clear_attribute),
    (verb("tf_wipe_attributes", "[SELECTOR]", "clear all TF attributes"), SourceEditor::tf_wipe_attributes),
    (verb("tf_select_with_attribute", "NAME...", "select areas that have one of these"), SourceEditor::tf_select_with_attribute),
    (verb("nav_use_place", "[NAME [--new]]", "list the places, or choose the current one"), SourceEditor::nav_use_place),
    (verb("nav_place_set", "[SELECTOR] [--place NAME]", "give areas the current place"), SourceEditor::nav_place_set),
    (verb("nav_toggle_place_painting", "[SELECTOR] [--place NAME]", "give areas the current place"), SourceEditor::nav_place_set),
    (verb("nav_place_floodfill", "[AREA] [--place NAME]", "give the place to all that are connected and share the old one"), SourceEditor::nav_place_floodfill),
    (verb("nav_place_pick", "[AREA]", "take the current place from an area"), SourceEditor::nav_place_pick),
    (verb("nav_place_replace", "OLD NEW [--new]", "replace a place everywhere"), SourceEditor::nav_place_replace),
    (verb("nav_place_list", "", "places in order of first use, with counts"), SourceEditor::nav_place_list),
    (verb("place_clear", "[SELECTOR]", "take the place from areas"), SourceEditor::place_clear),
    (verb("nav_build_ladder", "[all | POINT] | TOP BOTTOM WIDTH DIRECTION [--link]", "make the ladders of the map that the mesh lacks (--bsp), or one between two points"), SourceEditor::nav_build_ladder),
    (verb("nav_ladder_flip", "[LADDER]", "turn a ladder round"), SourceEditor::nav_ladder_flip),
    (verb("ladder", "add TOP BOTTOM WIDTH DIRECTION [--link] | add L#ID KEY=VALUE... | set LADDER KEY=VALUE... | flip | delete | move | resize | link", "make and change ladders: top=X,Y,Z bottom=X,Y,Z width=N length=N direction=SIDE top-forward=AREA ..."), SourceEditor::ladder),
    (verb("area", "add ID KEY=VALUE... | set AREA KEY=VALUE... | link FROM SIDE TO | unlink FROM SIDE TO | spots AREA ID:FLAGS:X,Y,Z...", "set what an area is: nw=X,Y,Z se=X,Y,Z ne=Z sw=Z attributes=N game=N place=NAME spots=SPOTS ladders-up=L#1,L#2 ladders-down=L#3 times=A,B light=NW,NE,SE,SW spawn=N"), SourceEditor::area_verb),
    (verb("disconnect_drops", "HEIGHT [SELECTOR]", "remove links down more than HEIGHT"), SourceEditor::disconnect_drops),
    (verb("delete_smaller", "SURFACE [SELECTOR]", "delete areas of less than SURFACE square units"), SourceEditor::delete_smaller),
    (verb("delete_thinner", "LENGTH [SELECTOR]", "delete areas whose shorter side is shorter"), SourceEditor::delete_thinner),
    (verb("delete_overlapping", "[SELECTOR]", "of areas on top of each other, delete the smaller ones"), SourceEditor::delete_overlapping),
    (verb("snap_corners", "UNIT [SELECTOR] [--z]", "move corners to multiples of UNIT"), SourceEditor::snap_corners),
    (verb("square_up", "[RATIO] [SELECTOR]", "halve areas that are RATIO times longer than wide"), SourceEditor::square_up),
    (verb("resize", "[AREA] north|east|south|west TO|by=N [--keep-heights]", "move one side of an area, along its slope"), SourceEditor::resize),
    (verb("clean_links", "[--self] [--duplicate] [--dangling] [--no-portal] [SELECTOR]", "remove links that are none"), SourceEditor::clean_links),
    (verb("clean_ladders", "", "remove ladders and areas that do not exist from each other"), SourceEditor::clean_ladders),
    (verb("clean_approaches", "", "remove approach areas that do not exist"), SourceEditor::clean_approaches),
    (verb("clean_encounters", "", "remove encounter paths by what does not exist"), SourceEditor::clean_encounters),
    (verb("clean_visibility", "", "remove visible areas that do not exist"), SourceEditor::clean_visibility),
    (verb("drop_tail", "", "drop the bytes behind the end"), SourceEditor::drop_tail),
    (verb("nav_compress_id", "", "number areas from 1 in mesh order, ladders too"), SourceEditor::nav_compress_id),
    (verb("nav_analyze", "[--full|--quick] [--only PART,...]", "compute anew what follows from the mesh, and from the map if it is there (--bsp); say what needs it"), SourceEditor::nav_analyze),
    (verb("nav_strip", "", "drop encounter paths"), SourceEditor::nav_strip),
    (verb("nav_save", "[FILE]", "write the mesh as it is now, to where it is to go or to another file"), SourceEditor::nav_save),
    (verb("nav_load", "", "throw away what was changed, and read the mesh as the game would"), SourceEditor::nav_load),
    (verb("nav_save_selected", "[NAME] [SELECTOR] [--to FILE] [--extended]", "write areas as text, which nav_merge_mesh reads"), SourceEditor::nav_save_selected),
    (verb("nav_merge_mesh", "NAME [--force] [--allow-jump] [--drops] [--no-stitch]", "add the areas of a text, linked where heights allow it"), SourceEditor::nav_merge_mesh),
    (verb("nav_check_file_consistency", "BYTES", "whether the mesh was made from a map of this size"), SourceEditor::consistency),
    (verb("nav_check_stairs", "", "mark the areas that are stairs in the map (--bsp); without it, how many are marked"), SourceEditor::stairs),
    (verb("nav_test_stairs", "[SELECTOR]", "the same for the set or what is named"), SourceEditor::stairs),
    (verb("mark_player_clip", "[SELECTOR] [--as ATTRIBUTE]", "mark areas that lie in clip brushes of the map (--bsp): PLAYERCLIP in Left 4 Dead, else AVOID"), SourceEditor::mark_player_clip),
    (verb("nav_dump_selected_set_positions", "[SELECTOR]", "centres of areas, one a line"), SourceEditor::dump_positions),
    (verb("nav_warp_to_mark", "[SELECTOR]", "where one would be put"), SourceEditor::warp_to_mark),
    (verb("nav_add_to_selected_set", "SELECTOR", "add to the set"), SourceEditor::add_to_set),
    (verb("nav_remove_from_selected_set", "SELECTOR", "remove from the set"), SourceEditor::remove_from_set),
    (verb("nav_toggle_in_selected_set", "SELECTOR", "add what is not in the set, remove what is"), SourceEditor::toggle_in_set),
    (verb("nav_add_to_selected_set_by_id", "ID", "add an area by its id"), SourceEditor::add_by_id),
    (verb("nav_clear_selected_set", "", "select nothing"), SourceEditor::clear_set),
    (verb("nav_toggle_selected_set", "", "select all others"), SourceEditor::toggle_set),
    (verb("nav_store_selected_set", "", "remember the set"), SourceEditor::store_set),
    (verb("nav_recall_selected_set", "", "select what was remembered"), SourceEditor::recall_set),
    (verb("nav_flood_select", "[in|out] [AREA]", "select what can be reached"), SourceEditor::flood_select),
    (verb("nav_select_orphans", "[AREA]", "select what cannot be reached"), SourceEditor::select_orphans),
    (verb("nav_select_radius", "R X,Y,Z", "select what is nearer to a point than R"), SourceEditor::select_radius),
    (verb("nav_select_half_space", "+x|-x|+y|-y|+z|-z V", "toggle what reaches into a half of space"), SourceEditor::select_half_space),
    (verb("nav_select_larger_than", "SIDE", "select areas with both sides longer"), SourceEditor::select_larger_than),
    (verb("nav_select_overlapping", "", "select areas on top of each other"), SourceEditor::select_overlapping),
    (verb("nav_select_invalid_areas", "", "select areas with a bad corner"), SourceEditor::select_invalid),
    (verb("nav_select_stairs", "", "select stairs"), SourceEditor::select_stairs),
    (verb("nav_begin_drag_selecting", "X,Y,Z", "begin a box"), |e, c, s| e.begin_drag(true, c, s)),
    (verb("nav_end_drag_selecting", "X,Y,Z", "select what is in the box"), |e, c, s| e.end_drag(true, c, s)),
    (verb("nav_begin_drag_deselecting", "X,Y,Z", "begin a box"), |e, c, s| e.begin_drag(false, c, s)),
    (verb("nav_end_drag_deselecting", "X,Y,Z", "remove from the set what is in the box"), |e, c, s| e.end_drag(false, c, s)),
    (verb("nav_raise_drag_volume_max", "", "the box reaches 32 higher"), |e, c, s| e.drag_reach(true, 32, c, s)),
    (verb("nav_lower_drag_volume_max", "", "the box reaches 32 less high"), |e, c, s| e.drag_reach(true, -32, c, s)),
    (verb("nav_raise_drag_volume_min", "", "the box reaches 32 less deep"), |e, c, s| e.drag_reach(false, -32, c, s)),
    (verb("nav_lower_drag_volume_min", "", "the box reaches 32 deeper"), |e, c, s| e.drag_reach(false, 32, c, s)),
    (verb("nav_begin_selecting", "SELECTOR", "add to the set"), SourceEditor::add_to_set),
    (verb("nav_begin_deselecting", "SELECTOR", "remove from the set"), SourceEditor::remove_from_set),
    (verb("nav_toggle_selecting", "SELECTOR", "add to the set"), SourceEditor::add_to_set),
    (verb("nav_toggle_deselecting", "SELECTOR", "remove from the set"), SourceEditor::remove_from_set),
    (verb("nav_snap_to_grid", "[0|1|2|3]", "off, 25, 5 or 1"), SourceEditor::snap_to_grid),
    (verb("nav_corner_adjust_adjacent", "[DISTANCE]", "how near corners are that move along"), SourceEditor::adjust_adjacent),
    (verb("nav_end_selecting", "", "answers in a line"), misc::meaningless),
    (verb("nav_end_deselecting", "", "answers in a line"), misc::meaningless),
    (verb("nav_edit", "", "answers in a line"), misc::meaningless),
    (verb("nav_toggle_place_mode", "", "answers in a line"), misc::meaningless),
    (verb("nav_set_place_mode", "", "answers in a line"), misc::meaningless),
    (verb("nav_gui", "", "answers in a line"), misc::meaningless),
    (verb("nav_show_dumped_positions", "", "answers in a line"), misc::meaningless),
    (verb("nav_show_ladder_bounds", "", "answers in a line"), misc::meaningless),
    (verb("nav_draw_limit", "", "answers in a line"), misc::meaningless),
    (verb("nav_quicksave", "", "answers in a line"), misc::meaningless),
    (verb("nav_update_blocked", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_check_floor", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_update_lighting", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_select_blocked_areas", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_select_obstructed_areas", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_select_damaging_areas", "", "about a running game: answers in a line"), misc::run_time),
    (verb("tf_select_ambush_areas", "", "about a running game: answers in a line"), misc::run_time),
    (verb("tf_select_incursion_zone", "", "about a running game: answers in a line"), misc::run_time),
    (verb("tf_select_control_point_incursion_areas", "", "about a running game: answers in a line"), misc::run_time),
    (verb("tf_assign_territory", "", "about a running game: answers in a line"), misc::run_time),
    (verb("nav_generate", "", "needs the map: answers in a line"), misc::needs_map),
    (verb("nav_generate_incremental", "", "needs the map: answers in a line"), misc::needs_map),
    (verb("nav_mark_walkable", "", "needs the map: answers in a line"), misc::needs_map),
    (verb("nav_clear_walkable_marks", "", "needs the map: answers in a line"), misc::needs_map),
    (verb("nav_gen_cliffs_approx", "", "does nothing in the game either"), misc::no_op),
];

/// The verbs alone.
pub(super) const VERBS: &[Verb] = &{
    let mut verbs = [verb("", "", ""); TABLE.len()];
    let mut i = 0;
    while i < TABLE.len() {
        // Evaluated by the compiler.
        #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
        {
            verbs[i] = TABLE[i].0;
            i += 1;
        }
    }
    verbs
};
