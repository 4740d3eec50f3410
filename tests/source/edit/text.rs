//! The text of selected areas: vectors 67 to 73, and the round trips of section 6.5.

use super::*;
use navmap::edit::{Editor, Files, Refusal, Request};
use navmap::format::source::edit::text::SelectedAreas;
use navmap_testkit::bytes::Rng;
use navmap_testkit::source::Spot;

/// One file, whatever its name.
#[derive(Debug)]
struct One(Vec<u8>);

impl Files for One {
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        Ok((format!("{name}.{ending}"), self.0.clone()))
    }
}

fn exported(session: &mut Editing, command: &str) -> Vec<u8> {
    let outcomes = session.line(command).unwrap_or_else(|refusal| panic!("{refusal}"));
    match outcomes.into_iter().last().unwrap().request {
        Some(Request::Export { text, .. }) => text,
        other => panic!("{other:?}"),
    }
}

fn text_of(level: &Mesh, command: &str) -> String {
    text_in(level, NAVMAP, command)
}

fn text_in(level: &Mesh, exact: bool, command: &str) -> String {
    String::from_utf8(exported(&mut open(level, exact), command)).unwrap()
}

/// Imports a text by a command.
fn imported(level: &Mesh, exact: bool, text: &[u8], command: &str) -> Result<Editing, String> {
    let mut session = open(level, exact);
    session.read_through(Box::new(One(text.to_vec())));
    session.line(command).map(|_| session).map_err(|refusal| refusal.to_string())
}

/// A mesh with one area far away from all others.
fn far() -> Mesh {
    mesh([flat(1, [9000.0, 9100.0], [9000.0, 9100.0])])
}

fn section(name: &str, body: &str) -> String {
    let corner =
        |key: &str, x: u32, y: u32| format!("\"{key}\" {{ \"x\" \"{x}\" \"y\" \"{y}\" \"z\" \"0\" }}\n");
    let corners = [("NorthWest", 0, 0), ("NorthEast", 50, 0), ("SouthWest", 0, 50), ("SouthEast", 50, 50)];
    let corners: String = corners.map(|(key, x, y)| corner(key, x, y)).concat();
    format!("\"{name}\" {{ {corners} {body} }}\n")
}

fn whole(areas: &str) -> String {
    format!("\"Selected Nav Areas\" {{ \"version\" \"1\"\n{areas} }}\n")
}

#[test]
fn what_is_written_is_what_the_game_writes() {
    let mut level =
        mesh([area(12, [0.0, 100.0], [0.0, 50.0], [5.25, 1225.0, -0.0, 7.5]), square(0x8000_0001)]);
    level.places = vec![b"OutsideLong\0".to_vec()];
    level.areas[0].place = 1;
    level.areas[0].attributes = 1032;
    level.areas[0].connections[0] = vec![99, 0x8000_0001];
    level.areas[0].connections[1] = vec![99];
    let expected = "\"Selected Nav Areas\"\n{\n\t\"version\"\t\t\"1\"\n\t\"12\"\n\t{\n\
        \t\t\"NorthWest\"\n\t\t{\n\t\t\t\"x\"\t\t\"0.000000\"\n\t\t\t\"y\"\t\t\"0.000000\"\n\t\t\t\"z\"\t\t\"5.250000\"\n\t\t}\n\
        \t\t\"NorthEast\"\n\t\t{\n\t\t\t\"x\"\t\t\"100.000000\"\n\t\t\t\"y\"\t\t\"0.000000\"\n\t\t\t\"z\"\t\t\"1225.000000\"\n\t\t}\n\
        \t\t\"SouthWest\"\n\t\t{\n\t\t\t\"x\"\t\t\"0.000000\"\n\t\t\t\"y\"\t\t\"50.000000\"\n\t\t\t\"z\"\t\t\"7.500000\"\n\t\t}\n\
        \t\t\"SouthEast\"\n\t\t{\n\t\t\t\"x\"\t\t\"100.000000\"\n\t\t\t\"y\"\t\t\"50.000000\"\n\t\t\t\"z\"\t\t\"-0.000000\"\n\t\t}\n\
        \t\t\"North\"\n\t\t{\n\t\t\t\"1\"\t\t\"-2147483647\"\n\t\t}\n\
        \t\t\"Place\"\t\t\"OutsideLong\"\n\t\t\"Attributes\"\t\t\"1032\"\n\t}\n";
    let text = text_of(&level, "nav_save_selected all");
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with("\t\t\"Attributes\"\t\t\"0\"\n\t}\n}\n"), "{text}");
    assert_eq!(text.matches("\"East\"").count(), 0, "a link that leaves the set");
}

#[test]
fn v67_attributes_are_signed_numbers() {
    for (bits, number) in [(0x8000_0000, "-2147483648"), (0x2000_0000, "536870912"), (u32::MAX, "-1")] {
        let level = mesh([Area { attributes: bits, ..square(1) }]);
        let text = text_of(&level, "nav_save_selected #1");
        assert!(text.contains(&format!("\t\t\"Attributes\"\t\t\"{number}\"\n")), "{text}");
        for exact in [GAME, NAVMAP] {
            let back = imported(&far(), exact, text.as_bytes(), "nav_merge_mesh x").unwrap();
            assert_eq!(written(&back).areas[1].attributes, bits);
        }
    }
    let unsigned = whole(&section("1", "\"Attributes\" \"4294967295\""));
    let back = imported(&far(), NAVMAP, unsigned.as_bytes(), "nav_merge_mesh x").unwrap();
    assert_eq!(written(&back).areas[1].attributes, u32::MAX);
}

#[test]
fn v68_numbers_have_six_decimals() {
    let level = mesh([area(1, [0.0, 9.0], [0.0, 9.0], [5.25, 1225.0, -0.0, 0.1])]);
    let text = text_of(&level, "nav_save_selected #1");
    assert_eq!(text, text_in(&level, GAME, "nav_save_selected #1"), "as with NAVMAP");
    for number in ["5.250000", "1225.000000", "-0.000000", "0.100000"] {
        assert!(text.contains(&format!("\"z\"\t\t\"{number}\"")), "{number}: {text}");
    }
}

#[test]
fn v69_what_is_empty_is_not_written() {
    let text = text_of(&mesh([square(1)]), "nav_save_selected #1");
    assert_eq!(text, text_in(&mesh([square(1)]), GAME, "nav_save_selected #1"), "as with NAVMAP");
    assert!(!text.contains("South\"") && !text.contains("Place"), "{text}");
}

#[test]
fn v70_the_version_is_no_area() {
    let text = whole(&section("1", ""));
    let game = written(&imported(&far(), GAME, text.as_bytes(), "nav_merge_mesh x").unwrap());
    assert_eq!(game.areas.len(), 3);
    assert!(game.areas.iter().any(|area| (area.nw, area.se) == ([0.0; 3], [0.0; 3])));
    let ours = written(&imported(&far(), NAVMAP, text.as_bytes(), "nav_merge_mesh x").unwrap());
    assert_eq!(ids(&ours), [1, 2]);
}

#[test]
fn v71_a_link_is_made_once_and_junk_is_passed_over() {
    let east = "\"East\" { \"0\" \"4641\" \"7\" \"4641\" \"9\" \"junk\" }";
    let text = whole(&format!("{}{}", section("1", east), section("4641", "").replace("\"50\"", "\"60\"")));
    for exact in [GAME, NAVMAP] {
        let back = imported(&far(), exact, text.as_bytes(), "nav_merge_mesh x").unwrap();
        assert_eq!(written(&back).areas[1].connections[E].len(), 1);
    }
}

#[test]
fn v72_of_two_sections_with_one_name_the_first_gets_all_links() {
    let link = |side: &str| format!("\"{side}\" {{ \"0\" \"7\" }}");
    let text =
        whole(&[section("12", &link("North")), section("12", &link("South")), section("7", "")].concat());
    for exact in [GAME, NAVMAP] {
        let back = written(&imported(&far(), exact, text.as_bytes(), "nav_merge_mesh x").unwrap());
        let made: Vec<&Area> = back.areas.iter().filter(|area| area.se[0] == 50.0).collect();
        assert_eq!(made.len(), 3);
        assert_eq!((made[0].connections[N].len(), made[0].connections[S].len()), (1, 1));
        assert_eq!(made[1].connections.concat(), [0_u32; 0]);
    }
}

#[test]
fn v73_a_missing_corner_is_refused_unless_forced() {
    let text =
        whole("\"1\" { \"NorthWest\" { \"x\" \"-50\" \"y\" \"-50\" } \"NorthEast\" { } \"SouthWest\" { } }");
    let back = written(&imported(&far(), GAME, text.as_bytes(), "nav_merge_mesh x").unwrap());
    assert!(back.areas.iter().any(|area| (area.nw, area.se) == ([-50.0, -50.0, 0.0], [0.0; 3])));
    let why = imported(&far(), NAVMAP, text.as_bytes(), "nav_merge_mesh x").unwrap_err();
    assert!(why.contains("x.txt: line 2, column 1: area 1 has no SouthEast"), "{why}");
    let forced = written(&imported(&far(), NAVMAP, text.as_bytes(), "nav_merge_mesh x --force").unwrap());
    assert_eq!((forced.areas[1].nw, forced.areas[1].se), ([-50.0, -50.0, 0.0], [0.0; 3]));
}

#[test]
fn new_areas_are_stitched_where_heights_allow_it() {
    // To the east the ground is level, to the south it lies 40 higher, to the west 100 lower.
    let level = mesh([
        flat(1, [50.0, 100.0], [0.0, 50.0]),
        area(2, [0.0, 50.0], [50.0, 100.0], [40.0; 4]),
        area(3, [-50.0, 0.0], [0.0, 50.0], [-100.0; 4]),
    ]);
    let text = whole(&section("9", ""));
    let stitched = |options: &str| {
        let back = imported(&level, NAVMAP, text.as_bytes(), &format!("nav_merge_mesh x {options}")).unwrap();
        let back = written(&back);
        let four = |id| by_id(&back, id).connections.clone();
        (four(4), four(1)[W].clone(), four(2)[N].clone(), four(3)[E].clone())
    };
    let none: Vec<u32> = Vec::new();
    assert_eq!(
        stitched(""),
        ([none.clone(), vec![1], none.clone(), none.clone()], vec![4], none.clone(), none.clone())
    );
    let jump = stitched("--allow-jump");
    assert_eq!((&jump.0[S], &jump.2), (&vec![2], &none), "40 up is a jump, 40 down is none");
    let drops = stitched("--drops");
    assert_eq!((&drops.0[W], &drops.3), (&vec![3], &none));
    assert_eq!(stitched("--no-stitch").0, [none.clone(), none.clone(), none.clone(), none]);
    let mut session = imported(&level, NAVMAP, text.as_bytes(), "status").unwrap();
    let said = session.line("nav_merge_mesh x").unwrap()[0].said.join("; ");
    assert!(said.contains("#4 east to #1; #1 west to #4; 2 links made"), "{said}");
    assert_eq!(session.selected(), ["#4"]);
    let before = write(&level);
    session.line("undo").unwrap();
    assert!(session.editor().encode().unwrap() == before);
}

#[test]
fn areas_on_top_of_others_are_refused_unless_forced() {
    let level = mesh([flat(1, [0.0, 100.0], [0.0, 100.0])]);
    let text = text_of(&level, "nav_save_selected all");
    let why = imported(&level, NAVMAP, text.as_bytes(), "nav_merge_mesh x").unwrap_err();
    assert!(why.contains("1 new areas lie on top of others"), "{why}");
    let forced = imported(&level, NAVMAP, text.as_bytes(), "nav_merge_mesh x --force").unwrap();
    assert_eq!(ids(&written(&forced)), [1, 2]);
    assert!(imported(&level, GAME, text.as_bytes(), "nav_merge_mesh x").is_ok());
}

#[test]
fn an_extended_text_brings_what_the_game_leaves_out() {
    let mut level = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]);
    level.subversion = Some(2);
    level.areas[0].game = 0x8000_0008;
    level.areas[0].spots.push(Spot { id: 7, position: [12.5, 12.5, 0.0], flags: 5 });
    level.areas[0].ladders_up.push(3);
    level.areas[1].ladders_down.push(3);
    level.ladders.push(ladder(3, [50.0, 0.0, 128.0], [50.0, 0.0, 0.0], 2));
    level.ladders[0].areas = [2, 0, 0, 0, 1];
    let text = text_of(&level, "nav_save_selected --extended all");
    let empty = Mesh { subversion: Some(2), ..far() };
    let back = written(&imported(&empty, NAVMAP, text.as_bytes(), "nav_merge_mesh x").unwrap());
    let made = &back.areas[1];
    assert_eq!((made.game, made.spots.len(), made.spots[0].id, made.spots[0].flags), (0x8000_0008, 1, 0, 5));
    assert_eq!((&made.ladders_up, &back.areas[2].ladders_down), (&vec![1], &vec![1]));
    assert_eq!((back.ladders[0].areas, back.ladders[0].direction), ([3, 0, 0, 0, 2], 2));
    // The game looks for none of this.
    let game = written(&imported(&empty, GAME, text.as_bytes(), "nav_merge_mesh x").unwrap());
    assert_eq!((game.areas.len(), game.ladders.len(), game.areas[1].game), (4, 0, 0));
}

#[test]
fn the_example_of_the_guide_is_read() {
    let text = "\"Selected Nav Areas\"\n{\n\t\"version\"\t\t\"1\"\n\t\"4641\"\n\t{\n\
        \"NorthWest\"{\"x\"\"50\"\"y\"\"25\"\"z\"\"1\"}NorthEast{x 75 y 25 z 1}\r\n// a comment\r\n\
        \"SouthWest\" { \"x\" \"50\" \"y\" \"50\" \"z\" \"1\" } \"SouthEast\" { \"x\" \"75\" \"y\" \"50\" \"z\" \"1\" }\
        \"North\" { \"0\" \"1\" \"1\" \"2\" } \"East\" { \"0\" \"3\" } \"West\" { \"0\" \"4\" \"1\" \"5\" }\
        \"Place\" \"OutsideLong\" \"Attributes\" \"1032\" }\n}\n";
    let read = SelectedAreas::parse(text.as_bytes()).unwrap();
    let [area] = read.areas.as_slice() else { panic!("{read:?}") };
    assert_eq!((area.attributes, area.place.as_deref()), (1032, Some(&b"OutsideLong"[..])));
    assert_eq!(area.links.each_ref().map(Vec::len), [2, 1, 0, 2]);
    assert_eq!(area.corners[3], Some([75.0, 50.0, 1.0]));
    let back = imported(&far(), NAVMAP, text.as_bytes(), "nav_merge_mesh x").unwrap();
    let back = written(&back);
    assert_eq!((back.places.clone(), back.areas[1].place), (vec![b"OutsideLong\0".to_vec()], 1));
    assert_eq!(back.areas[1].connections.concat(), [0_u32; 0]);
    let mut wide = vec![0xFF, 0xFE];
    wide.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(SelectedAreas::parse(&wide).unwrap().areas[0].links, area.links);
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    assert_eq!(SelectedAreas::parse(&marked).unwrap().areas, read.areas);
    assert!(imported(&far(), GAME, &marked, "nav_merge_mesh x").unwrap_err().contains("byte order mark"));
}

#[test]
fn what_cannot_be_read_is_named_with_line_column_and_byte() {
    let why = |text: &str| SelectedAreas::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(why("").contains("the text is empty"));
    assert!(why("#include \"/etc/passwd\"").contains("line 1, column 1: it includes another file"));
    assert!(
        why("a\n{\n 1 { NorthWest { x y1 } } }")
            .starts_with("byte 0x17: text: line 3, column 20: this is no finite")
    );
    assert!(why("a { 1 { NorthWest { x nan } } }").contains("no finite number"));
    assert!(why("a { 1 } }").contains("line 1, column 7: a value was expected"));
    assert!(why(&"a {".repeat(100_000)).contains("nested deeper than 100"));
    assert!(why("a { 1 { Attributes 4294967296 } }").contains("does not fit 32 bits"));
    let read = SelectedAreas::parse(b"a { 1 { NorthWest { x 5 [$X360] } Place A\0rest").unwrap();
    assert!(read.cut && read.areas.is_empty(), "{read:?}");
    assert_eq!(read.remarks.len(), 2, "{read:?}");
}

#[test]
fn every_cut_gives_the_areas_before_it() {
    let text = text_of(
        &mesh((1..5).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 50.0], [0.0, 50.0]))),
        "nav_save_selected all",
    );
    let all = SelectedAreas::parse(text.as_bytes()).unwrap();
    assert_eq!((all.areas.len(), all.cut), (4, false));
    for cut in 0..text.len() {
        let Ok(read) = SelectedAreas::parse(&text.as_bytes()[..cut]) else {
            assert!(cut < 24, "{cut}");
            continue;
        };
        assert_eq!(read.areas, all.areas[..read.areas.len()], "{cut}");
        assert!(read.cut || cut == text.len() - 1, "{cut}");
    }
    let why = imported(&far(), NAVMAP, &text.as_bytes()[..text.len() - 9], "nav_merge_mesh x").unwrap_err();
    assert!(why.contains("cut off after 3 whole areas (--force takes these)"), "{why}");
}

/// Corners, flags, place and links of an area, by position in the mesh.
type Plain = (Spread, u32, Vec<u8>, [Vec<usize>; 4]);

fn shape_of(level: &Mesh) -> Vec<Plain> {
    let at: std::collections::HashMap<u32, usize> =
        level.areas.iter().enumerate().rev().map(|(i, area)| (area.id, i)).collect();
    let each = |area: &Area| {
        let place =
            area.place.checked_sub(1).map(|i| level.places[usize::from(i)].clone()).unwrap_or_default();
        let links = area.connections.clone().map(|ids| {
            let mut seen = std::collections::HashSet::new();
            ids.iter().filter_map(|id| at.get(id).copied()).filter(|to| seen.insert(*to)).collect()
        });
        (spread(area), area.attributes, place, links)
    };
    level.areas.iter().map(each).collect()
}

/// Six decimals are within 5e-7; the number of 32 bits next to that can be another one below 16.
fn near(a: Spread, b: Spread) -> bool {
    let all = |s: Spread| s.0.into_iter().chain(s.1).chain(s.2).collect::<Vec<f32>>();
    all(a).into_iter().zip(all(b)).all(|(a, b)| a == b || (a.abs() < 16.0 && (a - b).abs() <= 1e-6))
}

fn there_and_back(name: &str, bytes: &[u8]) {
    let mut session = open_bytes(bytes, NAVMAP);
    let before = written(&session);
    if before.areas.is_empty() || before.version < 5 && before.areas.iter().any(|area| area.place != 0) {
        return;
    }
    let text = exported(&mut session, "nav_save_selected all");
    let empty = Mesh { version: before.version, subversion: before.subversion, ..Mesh::default() };
    let mut other = open(&empty, NAVMAP);
    other.read_through(Box::new(One(text.clone())));
    other.line("nav_merge_mesh x --force --no-stitch").unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    other.editor_mut().force_odd(true);
    let after = written(&other);
    let (a, b) = (shape_of(&before), shape_of(&after));
    assert_eq!(a.len(), b.len(), "{name}");
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        assert!(near(a.0, b.0), "{name} {i}: {a:?} {b:?}");
        // A link of an area to itself is not made.
        let links = a.3.clone().map(|mut to| {
            to.retain(|to| *to != i);
            to
        });
        assert_eq!((a.1, &a.2, &links), (b.1, &b.2, &b.3), "{name} {i}");
    }
    let again = exported(&mut other, "nav_save_selected all");
    let mut third = open(&empty, NAVMAP);
    third.read_through(Box::new(One(again.clone())));
    third.line("nav_merge_mesh x --force --no-stitch").unwrap();
    assert!(exported(&mut third, "nav_save_selected all") == again, "{name}: stable after the first pass");
}

#[test]
fn every_mesh_comes_back_from_its_text() {
    for (name, bytes) in super::meshes() {
        there_and_back(&name, &bytes);
    }
}

#[test]
fn a_damaged_text_never_panics() {
    let level = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]).both(1, E, 2);
    let text = text_of(&level, "nav_save_selected --extended all").into_bytes();
    let mut rng = Rng(5);
    for _ in 0..4000 {
        let mut hurt = text.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.below(hurt.len() as u64) as usize;
            match rng.below(3) {
                0 => hurt[at] = b"\"{}[]\0 /9-e\xFF"[rng.below(12) as usize],
                1 => drop(hurt.remove(at)),
                _ => hurt.insert(at, b"\"{}\n"[rng.below(4) as usize]),
            }
        }
        let _ = imported(&far(), rng.below(2) == 0, &hurt, "nav_merge_mesh x --force --drops --allow-jump");
    }
}

/// Each of thousands that are laid on as many lies near all of them.
#[test]
fn areas_laid_on_thousands_are_refused_by_the_limit_on_what_is_looked_at() {
    let stack = mesh((1..=2_000).map(square));
    let text = text_of(&stack, "nav_save_selected all");
    let limit = format!("over the limit of {}", (64 << 20) + 4096 * 2_000);
    for more in ["", " --force --no-stitch"] {
        let done = imported(&stack, NAVMAP, text.as_bytes(), &format!("nav_merge_mesh x{more}"));
        assert_eq!(
            done.is_err(),
            more.is_empty(),
            "without a look at what lies near there is nothing to refuse"
        );
    }
    for command in ["nav_merge_mesh x", "nav_merge_mesh x --force", "nav_merge_mesh x --force --drops"] {
        let why = imported(&stack, NAVMAP, text.as_bytes(), command).unwrap_err();
        assert!(why.contains("items that a script looks at: ") && why.ends_with(&limit), "{command}: {why}");
    }
}

#[test]
fn the_links_that_stitching_makes_are_counted_each_once() {
    let beside = mesh([flat(7, [100.0, 200.0], [0.0, 100.0])]);
    let text = text_of(&beside, "nav_save_selected all");
    let mut session = open(&mesh([square(1)]), NAVMAP);
    session.read_through(Box::new(One(text.into_bytes())));
    let said = session.line("nav_merge_mesh x").unwrap().remove(0).said;
    // Four probes along the edge find the same neighbour, there and back.
    assert_eq!(said.last().unwrap(), "2 links made by heights, without walks through the map", "{said:?}");
}
