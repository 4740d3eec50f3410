//! NULL for every pointer of every function, one at a time, while all others are valid: a status, never a crash. The program is
//! generated from the declarations, so that no function is forgotten.

use crate::built::{HERE, Installed, Kind, Language, debug, folder, run, tools};
use crate::declared::entries;
use navmap_testkit::corpus::bundled;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Whether the header allows NULL for an argument. All others give `NAVMAP_NULL`.
fn may_be_null(function: &str, argument: &str, ty: &str) -> bool {
    match argument {
        _ if function.ends_with("_free") => true,
        // Options, the place of an error, and optional results.
        "options" | "open" | "reached" | "generation" | "counted" | "user" | "undone" | "redone"
        | "conflicts" | "standing" | "mended" | "gone" | "filter" | "hiding" | "how" | "body" | "tick" => {
            true
        }
        "each" | "map" => function == "navmap_analyze" || argument == "each" && function == "navmap_generate",
        "totals" => function == "navmap_scan",
        "slide" => function != "navmap_slide",
        "leg" => function == "navmap_corridor_take_leg",
        "error" => ty == "* mut * mut Error",
        "ground" => function == "navmap_area_at",
        "count" => ![
            "navmap_world_area_count",
            "navmap_slot_failures",
            "navmap_crowd_count",
            "navmap_world_tile_count",
        ]
        .contains(&function),
        "kind" | "index" => function == "navmap_error_record",
        "goal" => function != "navmap_corridor_follow",
        "overlay" => ty == "* const Overlay",
        "path" => ty == "* mut Path32",
        _ => false,
    }
}

/// A valid value for an argument. Never a freed handle.
fn valid(function: &str, at: usize, argument: &str, ty: &str) -> String {
    let value = match (ty, argument) {
        ("* const World", _) => "world",
        ("* mut World", _) => "world",
        ("* mut * mut World", _) => "&new_world",
        ("* const Query" | "* mut Query", _) => "query",
        ("* mut * mut Query", _) => "&new_query",
        ("* const Overlay" | "* mut Overlay", _) => "overlay",
        ("* mut * mut Overlay", _) => "&new_overlay",
        ("* const Slot" | "* mut Slot", _) => "slot",
        ("* mut * mut Slot", _) => "&new_slot",
        ("* const Mask" | "* mut Mask", _) => "mask",
        ("* mut * mut Mask", _) => "&new_mask",
        ("* const Map" | "* mut Map", _) => "map",
        ("* mut * mut Map", _) => "&new_map",
        ("* mut Corridor", _) => "corridor",
        ("* mut * mut Corridor", _) => "&new_corridor",
        ("* mut Crowd", _) => "crowd",
        ("* mut * mut Crowd", _) => "&new_crowd",
        ("* const Findings" | "* mut Findings", _) => "findings",
        ("* mut * mut Findings", _) => "&new_findings",
        ("* const Diff" | "* mut Diff", _) => "diff",
        ("* mut * mut Diff", _) => "&new_diff",
        ("* const Tile", _) => "tiles",
        ("* const CrowdOptions", _) => "&crowd_options",
        ("* const BodyOptions", _) => "&body",
        ("* const DrawOptions", _) => "&draw",
        ("* const AnalyzeOptions", _) => "&analyze",
        ("* const GenerateOptions", _) => "&generate",
        ("* mut FindingTotals", _) => "&finding_totals",
        ("* mut DiffTotals", _) => "&diff_totals",
        ("OnProgress", _) => "on_progress",
        ("* mut Editor", _) => "editor",
        ("* mut * mut Editor", _) => "&new_editor",
        ("* const c_char", "path") if function == "navmap_editor_save" => "saved",
        ("* const c_char", "script") => "\"status\"",
        ("* const Error" | "* mut Error", _) => "an_error",
        ("* mut * mut Error", _) => "NULL",
        ("* const c_char", "path" | "base" | "ours" | "theirs" | "before" | "after") => "mesh",
        ("* const c_char", "name") if function == "navmap_world_flag" => "\"crouch\"",
        ("* const c_char", _) => "\"x.nav\"",
        ("* const u8", _) => "bytes",
        ("u64", "len") => "byte_count",
        ("* const Point", _) => "points",
        ("* const u32", _) => "numbers",
        ("* const Held", _) => "&held",
        ("* const Text", _) => "paths",
        ("OnFinding", _) => "on_finding",
        ("OnOutcome", _) => "on_outcome",
        ("* mut c_void", _) => "NULL",
        ("* mut Info", _) => "&info",
        ("* mut Totals", _) => "&totals",
        ("* const OpenOptions", _) => "&options",
        ("* const Filter", _) => "&filter",
        ("* const HidingOptions", _) => "&hiding",
        ("* const QueryOptions", _) => "&query_options",
        ("* const ScanOptions", _) => "&scan_options",
        ("u32", "count")
            if ["navmap_scan", "navmap_world_open_order", "navmap_slot_new_order"].contains(&function) =>
        {
            "1"
        }
        ("u32", "capacity" | "count" | "starts" | "areas") => "ROOM",
        ("u32", "to" | "how" | "first" | "area" | "from" | "a" | "b" | "on" | "side" | "steps") => "0",
        ("u32", "least") => "NAVMAP_PARTLY",
        ("f32", _) => "1000",
        ("u64" | "u32" | "i32", _) => "0",
        (pointer, _) if pointer.starts_with("* mut ") => return format!("OUT({at})"),
        (other, _) => panic!("{function}: {argument} is a {other}: tell what is valid"),
    };
    value.to_owned()
}

fn program() -> String {
    let mut calls = String::new();
    let (mut functions, mut pointers) = (0, 0);
    for entry in entries() {
        if entry.name.starts_with("navmap_error_") && entry.name.ends_with("_free") {
            continue;
        }
        functions += 1;
        for (null, (argument, ty)) in entry.arguments.iter().enumerate() {
            if !ty.starts_with('*') && !ty.starts_with("On") {
                continue;
            }
            pointers += 1;
            let values: Vec<String> = entry
                .arguments
                .iter()
                .enumerate()
                .map(
                    |(at, (name, ty))| {
                        if at == null { "NULL".into() } else { valid(&entry.name, at, name, ty) }
                    },
                )
                .collect();
            let call = format!("{}({})", entry.name, values.join(", "));
            let text = ["navmap_error_message", "navmap_error_file"].contains(&entry.name.as_str());
            let expected = match may_be_null(&entry.name, argument, ty) {
                _ if text => format!("{call}[0] == 0"),
                true => format!("{call} != NAVMAP_NULL"),
                false => format!("{call} == NAVMAP_NULL"),
            };
            writeln!(calls, "    HOLDS({expected});").unwrap();
        }
    }
    assert!(functions > 40 && pointers > 120, "{functions} functions, {pointers} pointers");
    fs::read_to_string(Path::new(HERE).join("tests/c/nulls.c")).unwrap().replace("    /* CALLS */\n", &calls)
}

#[test]
fn null_for_every_pointer_is_a_status() {
    if !tools() {
        return;
    }
    let temp = folder("c-nulls");
    let source = temp.file("nulls.c", program().as_bytes());
    let installed = Installed::new(Kind::Static, &temp);
    let out = temp.join("nulls");
    installed.compile(Language::C99, &source, &[debug(), &["-fsanitize=address,undefined"]].concat(), &out);
    // Successful calls make handles, which are never freed.
    run(installed
        .command(&out)
        .arg(bundled().join("source/town.nav"))
        .arg(temp.join("saved.nav"))
        .arg(bundled().join("bsp/yard-source.bsp"))
        .env("ASAN_OPTIONS", "detect_leaks=0"));
}
