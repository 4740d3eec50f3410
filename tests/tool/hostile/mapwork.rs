//! Small maps in which each trace is long, or on whose ground very much can be explored.

use super::memory::ends_small;
use super::{navmap, run};
use navmap_testkit::bytes::Out;
use navmap_testkit::heavy::maps::{Gold, curves, displaced, field, ground, heads, propped};
use navmap_testkit::temp::Temp;

/// A map of Source: a floor, so many brushes that lie everywhere and that nothing ever touches, each with so many sides, and so many leaves one
/// over the other that all of them reach into.
fn comb(size: f32, leaves: u32, brushes: u16, sides: u32) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 64];
    let spawn = |team: &str| format!("{{ \"classname\" \"info_player_{team}\" \"origin\" \"0 0 40\" }}\n");
    let entities = format!(
        "{}{}{}",
        "{ \"classname\" \"worldspawn\" }\n",
        spawn("terrorist"),
        spawn("counterterrorist")
    );
    lumps[0] = entities.into_bytes();
    let (mut planes, mut all_sides, mut all) = (Out::new(), Out::new(), Out::new());
    let mut plane = |[x, y, z]: [f32; 3], distance: f32| _ = planes.f32(x).f32(y).f32(z).f32(distance).i32(3);
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            let far = if axis == 2 { [0.0, 32.0][usize::from(sign < 0.0)] } else { size };
            plane(normal, far);
        }
    }
    // Everything is behind the first, and in front of the second.
    plane([0.6, 0.8, 0.0], 1e7);
    plane([-0.6, -0.8, 0.0], -1e6);
    (0..leaves).for_each(|leaf| plane([0.0, 0.0, 1.0], 100.0 - 0.1 * leaf as f32));
    let mut side = |plane: u16| _ = all_sides.u16(plane).u16(0).u16(0).u16(0);
    (0..6).for_each(&mut side);
    all.u32(0).u32(6).u32(1);
    for brush in 0..u32::from(brushes) {
        all.u32(6 + brush * sides).u32(sides).u32(1);
        (1..sides).for_each(|_| side(6));
        side(7);
    }
    let (mut nodes, mut leaf, mut listed, mut model) = (Out::new(), Out::new(), Out::new(), Out::new());
    for node in 0..leaves as i32 {
        let next = if node + 1 < leaves as i32 { node + 1 } else { -(leaves as i32) - 1 };
        nodes.u32(8 + node as u32).i32(-1 - node).i32(next).raw(&[0; 20]);
    }
    (0..=leaves).for_each(|_| _ = leaf.raw(&[0; 24]).u16(0).u16(brushes + 1).u32(0));
    (0..=brushes).for_each(|brush| _ = listed.u16(brush));
    for end in [-size, size, 0.0] {
        model.f32(end).f32(end).f32(end);
    }
    model.i32(if leaves == 0 { -1 } else { 0 }).u32(0).u32(0);
    for (lump, bytes) in [
        (1, planes.0),
        (5, nodes.0),
        (10, leaf.0),
        (14, model.0),
        (17, listed.0),
        (18, all.0),
        (19, all_sides.0),
    ] {
        lumps[lump] = bytes;
    }
    let mut head = Out::new();
    head.raw(b"VBSP").u32(20);
    let mut offset = 8 + 16 * 64;
    for lump in &lumps {
        head.u32(offset).u32(lump.len() as u32).u32(0).u32(0);
        offset += lump.len() as u32;
    }
    let bytes = [head.0, lumps.concat()].concat();
    assert!(bytes.len() < 1 << 20);
    bytes
}

const STEPS: &str = "steps of all traces: ";

#[test]
fn generating_from_maps_of_long_traces_ends_soon_or_by_name() {
    let temp = Temp::new("map-work");
    let out = temp.join("out.nav");
    for (name, map, status, said) in [
        ("plain.bsp", comb(1_000.0, 0, 0, 0), 0, ""),
        ("deep.bsp", comb(1_000.0, 1_000, 0, 0), 2, "tree: deeper than 256 nodes"),
        ("comb.bsp", comb(1_500.0, 250, 17, 60), 2, STEPS),
        ("one-side.bsp", comb(1_500.0, 250, 1_000, 1), 2, STEPS),
        // Each leaf has the same brush.
        ("same.bsp", comb(3_000.0, 250, 0, 0), 2, STEPS),
        ("displaced.bsp", displaced(3_000.0, 160, 1.0), 2, STEPS),
        ("heads.bsp", heads(18_000, 200), 2, "tree: deeper than 256 nodes"),
        ("many-sides.bsp", comb(1_000.0, 0, 1, 1_015), 0, ""),
        (
            "too-many.bsp",
            comb(1_000.0, 0, 1, 1_100),
            1,
            "sides of the brushes of a leaf: 1106 is over the limit of",
        ),
        ("wide.bsp", comb(12_000.0, 0, 0, 0), 2, "nodes of the map: "),
    ] {
        let path = temp.file(name, &map);
        for quick in [&["--quick"][..], &[]] {
            let command = || {
                let mut command = navmap();
                command.args(["generate", "--game", "css", "--force", "-o"]).arg(&out).args(quick).arg(&path);
                command
            };
            ends_small(name, command, status, said);
        }
    }
}

/// All leaves of a map of GoldSrc are walked by ten lines for each step on the ground.
#[test]
fn generating_from_fine_and_deep_maps_of_goldsrc_ends_soon_or_by_name() {
    let temp = Temp::new("gold-work");
    let out = temp.join("out.nav");
    let gold = || Gold::new(1_000.0);
    let with = |text: &str, times: usize| {
        let mut map = gold();
        map.entities.push_str(&text.repeat(times));
        map.bytes()
    };
    for (name, map, status, said) in [
        ("plain.bsp", gold().bytes(), 0, ""),
        ("chain.bsp", gold().chain(240, 2, [100.0, 75.0]).bytes(), 2, STEPS),
        ("deep.bsp", gold().chain(20_000, 2, [100.0, 75.0]).bytes(), 2, "tree: deeper than 256 nodes"),
        ("heads.bsp", gold().chain(18_000, 0, [-900.0, 900.0]).heads(200).bytes(), 2, "tree: deeper than"),
        ("slices.bsp", gold().slices(20_000, 2, [0.0, 100.0], false).bytes(), 2, STEPS),
        ("rows.bsp", gold().slices(8_000, 2, [0.0, 200.0], true).seeing(&[0x80]).bytes(), 2, STEPS),
        ("empty.bsp", with("{}", 450_000), 0, ""),
        ("keys.bsp", with("{\"a\"\"b\"}", 100_000), 0, ""),
        ("places.bsp", with("{\"classname\"\"info_player_start\"\"origin\"\"0 0 40\"}", 17_000), 0, ""),
        ("nested.bsp", with("{", 900_000), 1, "an entity within an entity"),
    ] {
        assert!(map.len() < 1 << 20, "{name}: {}", map.len());
        let path = temp.file(name, &map);
        let command = || {
            let mut command = navmap();
            command.args(["generate", "--game", "cz", "--force", "-o"]).arg(&out).arg(&path);
            command
        };
        ends_small(name, command, status, said);
    }
}

#[test]
fn what_else_is_asked_of_such_maps_ends_soon_or_by_name() {
    let temp = Temp::new("map-verbs");
    let gold = || Gold::new(1_000.0);
    let file = |name: &str, map: &[u8]| {
        assert!(map.len() < 1 << 20, "{name}: {}", map.len());
        temp.file(name, map)
    };
    let rows = file("rows.bsp", &gold().slices(8_000, 2, [0.0, 200.0], true).seeing(&[0x80]).bytes());
    let faces = file("faces.bsp", &gold().faces(20_000, 5_000).bytes());
    let displaced = file("displaced.bsp", &displaced(1_000.0, 160, 200.0));
    let layers = file("layers.bsp", &navmap_testkit::heavy::maps::displaced(3_000.0, 160, 1.0));
    let curves = file("curves.bsp", &curves(65, 31));
    let (long, shorter) =
        ("steps of long traces: ", ": --quick leaves out encounter paths, --only whatever it does");
    let all = "sides and faces of all entities: ";
    let mesh = |engine: &str| format!("corpus/bsp/yard-{engine}.nav");
    let [gold, source] = ["goldsrc", "source"].map(mesh);
    for (map, words, status, said) in [
        (&rows, vec!["analyze", "--any-map", "--force", "-o", "OUT.nav", &gold, "--bsp"], 0, ""),
        (&displaced, vec!["analyze", "--any-map", "--force", "-o", "OUT.nav", &source, "--bsp"], 1, long),
        (&displaced, vec!["analyze", "--any-map", "--force", "-o", "OUT.nav", &source, "--bsp"], 1, shorter),
        (&faces, vec!["draw", "--force", "-o", "OUT.svg", &gold, "--bsp"], 2, all),
        (&curves, vec!["build", "--force", "-o", "OUT.navmesh"], 2, all),
        (
            &layers,
            vec!["build", "--force", "-o", "OUT.navmesh"],
            2,
            "cells that triangles cover over each other: ",
        ),
    ] {
        let command = || {
            let mut command = navmap();
            for word in &words {
                match word.strip_prefix("OUT") {
                    Some(end) => command.arg(temp.join(format!("out{end}"))),
                    None => command.arg(word),
                };
            }
            command.arg(map);
            command
        };
        ends_small(words[0], command, status, said);
    }
    for map in [&rows, &displaced, &faces] {
        let command = || {
            let mut command = navmap();
            command.arg("trace").arg(map).args(["--", "-900,0,200", "900,10,-500"]);
            command
        };
        ends_small("trace", command, 1, "");
    }
}

/// What is said of too many visible areas.
const OVER: &str =
    " is over the limit of 2097152: --quick leaves out encounter paths, --only whatever it does not name";

/// In the open each area sees all others.
#[test]
fn analyses_of_many_areas_in_the_open_end_by_name() {
    let temp = Temp::new("map-areas");
    let source = temp.file("source.bsp", &ground(6_000.0));
    let css = |count, side| field(16, Some(1), count, side);
    for (name, mesh, map, only, status, said) in [
        ("fewer", css(400, 20.0), &source, "", 0, ""),
        ("small", css(7_500, 20.0), &source, "visibility", 1, OVER),
    ] {
        assert!(mesh.len() < 1 << 20, "{name}: {}", mesh.len());
        let path = temp.file("a.nav", &mesh);
        let command = || {
            let mut command = navmap();
            command.args(["analyze", "--any-map", "--force", "-o"]).arg(temp.join("out.nav"));
            if !only.is_empty() {
                command.args(["--only", only]);
            }
            command.arg(&path).arg("--bsp").arg(map);
            command
        };
        ends_small(name, command, status, said);
    }
}

/// Few bytes of hills become thousands of areas. Once the steps are spent, nothing is looked for any more.
#[test]
fn an_analysis_of_small_hills_ends_soon_after_its_limit() {
    let temp = Temp::new("map-hills");
    for count in [1, 4] {
        let map = displaced(3_000.0, count, 200.0);
        let path = temp.file("hills.bsp", &map);
        let mut command = navmap();
        command.args(["generate", "--game", "css", "--force", "-o"]).arg(temp.join("out.nav")).arg(path);
        let said = String::from_utf8(run("hills", &mut command).stderr).unwrap();
        let (_, steps) = said.split_once("analysis: steps of an analysis: ").unwrap();
        let (steps, rest) = steps.split_once(" is over the limit of ").unwrap();
        let (limit, how) = rest.split_once(": ").unwrap();
        let [steps, limit] = [steps, limit].map(|number| number.parse::<u64>().unwrap());
        assert_eq!(limit, ((2 * map.len() as u64) >> 10).max(16) << 22, "{count}");
        assert!(steps < limit + (16 << 20), "{steps} of {limit}");
        assert_eq!(how, "--max-steps allows more, --quick leaves the mesh without one\n");
    }
}

/// A trace through a place meets the sides of all props there.
#[test]
fn props_in_one_place_are_counted_where_traces_are() {
    let temp = Temp::new("map-props");
    let (map, model) = propped(1_000.0, 20_000);
    assert!(map.len() < 1 << 20);
    let map = temp.file("props.bsp", &map);
    temp.file("game/models/flat.phy", &model);
    for (words, status, said) in [
        (vec!["generate", "--game", "css", "--force", "-o", "OUT.nav"], 2, STEPS),
        (vec!["build", "--force", "-o", "OUT.navmesh"], 2, ""),
    ] {
        let command = || {
            let mut command = navmap();
            for word in &words {
                match word.strip_prefix("OUT") {
                    Some(end) => command.arg(temp.join(format!("out{end}"))),
                    None => command.arg(word),
                };
            }
            command.arg("--models").arg(temp.join("game")).arg(&map);
            command
        };
        ends_small(words[0], command, status, said);
    }
}
