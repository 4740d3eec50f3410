//! Sizes and offsets of every struct: in Rust, in C, and as they were published.

use crate::built::{HERE, Installed, Kind, Language, folder, run, tools};
use navmap_c::*;
use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::{env, fs};

/// Lists structs with their members, under their names in C.
macro_rules! layout {
    ($($ty:ident as $name:literal { $($member:ident),* $(,)? })*) => {
        /// `name.member offset`, as Rust lays it out.
        fn rust() -> String {
            let mut out = String::new();
            $(
                writeln!(out, "{} {}", $name, size_of::<$ty>()).unwrap();
                $(writeln!(out, "{}.{} {}", $name, stringify!($member), offset_of!($ty, $member)).unwrap();)*
            )*
            out
        }

        /// Statements that print the same in C.
        fn c() -> String {
            let mut out = String::new();
            $(
                writeln!(out, "    printf(\"{0} %u\\n\", (unsigned)sizeof({0}));", $name).unwrap();
                $(writeln!(out, "    printf(\"{0}.{1} %u\\n\", (unsigned)offsetof({0}, {1}));", $name, stringify!($member)).unwrap();)*
            )*
            out
        }

        /// Names in C.
        const NAMES: &[&str] = &[$($name),*];
    };
}

layout! {
    Point as "navmap_point" { x, y, z }
    OpenOptions as "navmap_options" { size, flags, refuse, group, file_bytes, inflated_bytes, kind, hull }
    Info as "navmap_info" {
        size, areas, links, ways_out, generation, findings, unresolved_doors, bytes, min, max, up, metres_per_unit, above, reach,
        step, version, subversion, zero, family, kind, game, word
    }
    Held as "navmap_held" { generation, area, identity }
    Area32 as "navmap_area32" { min, max, id }
    Area64 as "navmap_area64" { id, flags, surface, center, node, group, island, component, corners, radius, zero }
    Link32 as "navmap_link32" { from, to, kind, gated, length, charge, number, zero }
    Link60 as "navmap_link60" { link, begins, ends, has_ends }
    Near20 as "navmap_near20" { area, point, distance }
    Portal24 as "navmap_portal24" { left, right }
    Walk24 as "navmap_walk24" { area, point, share, arrived }
    Walk36 as "navmap_walk36" { area, point, share, arrived, normal }
    Filter as "navmap_filter" {
        size, without, include, exclude, place_count, not_place_count, places, not_places, mask, test, user
    }
    QueryOptions as "navmap_query_options" {
        size, cost, search, flags, without, max_length, max_step, max_drop, max_pops, zero, filter, price,
        user
    }
    Path32 as "navmap_path32" { cost, distance, steps, area, beyond, has_beyond, zero }
    Step20 as "navmap_step20" { area, kind, gated, number, cost }
    Reached8 as "navmap_reached8" { area, cost }
    Slide20 as "navmap_slide20" { area, point, arrived }
    Wall32 as "navmap_wall32" { distance, point, normal, area }
    Line24 as "navmap_line24" { a, b }
    Ground16 as "navmap_ground16" { area, point }
    Corner52 as "navmap_corner52" { point, area, step, kind, flags, left, right }
    Leg60 as "navmap_leg60" { from, to, kind, mount, begins, ends, dismount }
    Corridor40 as "navmap_corridor40" { position, goal, area, goal_area, areas, reaches_goal }
    Seen8 as "navmap_seen8" { area, sight }
    Hiding24 as "navmap_hiding24" { id, area, point, kinds }
    Hideout32 as "navmap_hideout32" { spot, rank, walk }
    HidingOptions as "navmap_hiding_options" { size, best, second, third, travel, range, unseen }
    Exposure20 as "navmap_exposure20" { length, seen, longest, areas, first }
    Encounter44 as "navmap_encounter44" { area, along, from, spot }
    FindingView as "navmap_finding" {
        size, severity, code, message, record, index, offset, has_offset, has_place, place, has_id, id
    }
    Count as "navmap_count" { name, value }
    OutcomeView as "navmap_outcome" {
        size, verdict, status, count_len, finding_len, version, subversion, has_offset, path, member, family, kind, game, message,
        record, index, offset, bytes, counted, counts, findings
    }
    ScanOptions as "navmap_scan_options" { size, task, threads, unordered, deep, zero }
    Totals as "navmap_totals" { size, stopped, files, meshes, bytes, findings, errors }
    Region24 as "navmap_region24" { surface, joined, areas, first, zero }
    Trace40 as "navmap_trace40" { fraction, end, normal, contents, entity, flags }
    CrowdOptions as "navmap_crowd_options" { size, agents, steps, pops, seed }
    BodyOptions as "navmap_body_options" {
        size, radius, height, speed, acceleration, leg_speed, horizon, separation
    }
    Agent72 as "navmap_agent72" { agent, at, velocity, goal, area, doing, kind, share, has_goal, zero }
    Tick20 as "navmap_tick20" { walking, waiting, on_legs, searching, arrived }
    Tile as "navmap_tile" { name, bytes, len }
    Found as "navmap_found" { code, record, index, offset, id, place, severity, flags, zero }
    FindingTotals as "navmap_finding_totals" { size, kept, by_severity }
    Change88 as "navmap_change88" {
        before_id, after_id, set, cleared, what, flags, before, after, to, kind, parts, mesh, at, moved
    }
    DiffTotals as "navmap_diff_totals" {
        size, same, same_bytes, kept, changes, areas_before, areas_after, pairs, renumbered, links_gone,
        links_come, noise, damage
    }
    ProgressView as "navmap_progress" { size, zero, stage, done, total }
    AnalyzeOptions as "navmap_analyze_options" { size, extent, only, any_size, million_steps }
    GenerateOptions as "navmap_generate_options" { size, most_nodes, game, unanalysed, million_steps }
    DrawOptions as "navmap_draw_options" {
        size, flags, width, height, colour, layers, title, low, high, part
    }
}

#[test]
fn structs_lie_as_they_were_published() {
    let path = Path::new(HERE).join("tests/c/abi64.txt");
    let text = rust();
    if cfg!(target_pointer_width = "64") {
        if env::var_os("NAVMAP_BLESS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "the layout of a struct has changed");
    }
    // The number in a name is the struct's size, on every machine.
    for line in text.lines().filter(|line| !line.contains('.')) {
        let (name, size) = line.split_once(' ').unwrap();
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        assert!(digits.is_empty() || digits == size, "{line}");
    }
    // And every struct of the header is listed.
    let declared = crate::declared::header();
    let structs =
        declared.lines().filter_map(|line| line.strip_prefix("typedef struct ")?.strip_suffix(" {"));
    let structs: Vec<&str> = structs.collect();
    assert_eq!(structs.len(), NAMES.len(), "{structs:?}");
    assert!(structs.iter().all(|name| NAMES.contains(name)), "{structs:?}");
}

#[test]
fn c_and_cpp_lay_structs_out_as_rust_does() {
    if !tools() {
        return;
    }
    let temp = folder("c-abi");
    let text = format!(
        "#include <navmap.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{\n{}    return 0;\n}}\n",
        c()
    );
    let source = temp.file("abi.c", text.as_bytes());
    let installed = Installed::new(Kind::Shared, &temp);
    for language in [Language::C99, Language::Cpp17] {
        let out = temp.join(format!("abi-{language:?}"));
        installed.compile(language, &source, &[], &out);
        let done = run(&mut installed.command(&out));
        assert_eq!(String::from_utf8(done.stdout).unwrap(), rust(), "{language:?}");
    }
}

#[test]
fn kinds_of_links_have_the_numbers_of_the_header() {
    use navmap::graph::LinkKind;
    let named = [
        (NAVMAP_WALK, LinkKind::Walk),
        (NAVMAP_BORDER, LinkKind::Border),
        (NAVMAP_CROUCH, LinkKind::Crouch),
        (NAVMAP_JUMP, LinkKind::Jump),
        (NAVMAP_DROP, LinkKind::Drop),
        (NAVMAP_LADDER, LinkKind::Ladder),
        (NAVMAP_ELEVATOR, LinkKind::Elevator),
        (NAVMAP_TRAIN, LinkKind::Train),
        (NAVMAP_PUSH, LinkKind::Push),
        (NAVMAP_TELEPORT, LinkKind::Teleport),
        (NAVMAP_DOOR, LinkKind::Door),
        (NAVMAP_ROCKET_JUMP, LinkKind::RocketJump),
        (NAVMAP_OTHER, LinkKind::Other),
    ];
    for (at, kind) in LinkKind::ALL.into_iter().enumerate() {
        assert_eq!(
            named.iter().find(|(_, known)| *known == kind).map(|(number, _)| *number),
            Some(at as u32)
        );
    }
}
