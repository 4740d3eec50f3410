//! Edits of tiles: attributes, islands, links, faces, places.

use crate::agree::assert_agree;
use crate::build::sha256;
use crate::real::meshes;
use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::fox::edit::FoxEditor;
use navmap::format::fox::{Adjacent, FoxBuf, FoxNav};
use navmap::{NavFile, Severity};
use navmap_testkit::corpus::real;
use navmap_testkit::fox::Map;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

pub(crate) fn open(bytes: &[u8]) -> Session<FoxEditor> {
    let editor = FoxEditor::new(FoxBuf::from_bytes(bytes).unwrap()).unwrap();
    Session::new(editor, SessionOptions { game_exact: false, journal: true, ..SessionOptions::default() })
}

fn corpus(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(real()?.join("fox").join(name)).unwrap())
}

/// The bytes after a line, and what was said.
pub(crate) fn after(bytes: &[u8], line: &str) -> (Vec<u8>, Vec<String>) {
    let mut session = open(bytes);
    let said = session.line(line).unwrap_or_else(|refusal| panic!("{refusal}"));
    let now = session.editor().encode().unwrap();
    session.undo(usize::MAX);
    assert!(session.editor().encode().unwrap() == bytes, "{line}: undone to the byte");
    (now, said.into_iter().flat_map(|outcome| outcome.said).collect())
}

pub(crate) fn refused(bytes: &[u8], line: &str) -> String {
    let mut session = open(bytes);
    let refusal = session.line(line).unwrap_err().to_string();
    assert!(session.editor().encode().unwrap() == bytes, "{line}: a refused command changes nothing");
    refusal
}

fn differ(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    (0..a.len()).filter(|at| a[*at] != b[*at]).collect()
}

/// What a check finds, by code; nothing may be worse than it was.
pub(crate) fn found(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    let nav = FoxNav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| {
        if finding.severity >= Severity::Warning {
            codes.insert(finding.code);
        }
    })
    .unwrap();
    codes
}

#[test]
fn the_attribute_of_an_island_changes_in_all_its_places_and_nowhere_else() {
    let Some(bytes) = corpus("ssav/ssav_139_130_nav.nav2") else { return };
    let (now, said) = after(&bytes, "attribute 0x0001 island(0)");
    let changed = differ(&bytes, &now);
    assert_eq!(changed.len(), 78);
    assert_eq!(changed[0], 0x4E0);
    assert!(changed.contains(&0x4396));
    assert!(sha256(&now).starts_with("9aabbe5090d7bd13"), "{}", sha256(&now));
    assert_eq!(said, ["38 of 38 segments changed, 1 island"]);
    assert_eq!(found(&now), found(&bytes));

    let bytes = corpus("ssav/ssav_140_130_nav.nav2").unwrap();
    // The islands that are linked to it have that attribute already, so all of them become one.
    let (now, said) = after(&bytes, "attribute attr_0001 I#0");
    let (before, tile) = (FoxBuf::from_bytes(&bytes).unwrap(), FoxBuf::from_bytes(&now).unwrap());
    let (islands, linked) = (&before.islands[0].islands, before.islands[0].islands[0].inside.len());
    assert!(
        linked > 0 && islands[0].inside.iter().all(|to| islands[usize::from(to.island())].attribute == 1)
    );
    assert_eq!(tile.islands[0].islands.len(), islands.len() - linked);
    let segments = |tile: &FoxBuf| tile.islands[0].islands.iter().map(|i| u32::from(i.segments)).sum::<u32>();
    assert_eq!(segments(&tile), segments(&before));
    assert!(
        said[1].starts_with("islands that are linked and now have one attribute became one: "),
        "{said:?}"
    );
    assert_eq!(found(&now), found(&bytes));

    let bytes = corpus("tpp/mbqf_102_102_nav.nav2").unwrap();
    assert!(after(&bytes, "attribute 0x0001 island(0)").0 == bytes);
    let tile = FoxBuf::from_bytes(&bytes).unwrap();
    let islands = &tile.islands[0].islands;
    let odd: Vec<_> = islands.iter().enumerate().filter(|(_, island)| island.attribute == 0x8001).collect();
    assert_eq!(
        odd.iter().map(|(n, island)| (*n, island.segments)).collect::<Vec<_>>(),
        [(4, 1), (7, 1), (8, 1)]
    );
    assert_eq!(islands.len(), 9);
}

#[test]
fn nothing_is_found_in_a_tile_of_the_games_whose_attributes_were_set() {
    let mut set = 0;
    for row in meshes().iter().filter(|row| !row.name().starts_with("obj2nav2")) {
        let bytes = row.read();
        for value in ["0x04E1", "0x0461"] {
            let mut session = open(&bytes);
            // A tile with segments in another part is refused.
            if session.line(&format!("attribute {value} all")).is_ok() {
                assert_eq!(
                    found(&session.editor().encode().unwrap()),
                    found(&bytes),
                    "{} {value}",
                    row.name()
                );
                set += 1;
            }
        }
    }
    assert!(meshes().is_empty() || set > 40, "{set}");
}

#[test]
fn a_part_of_an_island_is_refused_unless_islands_go_or_are_made_anew() {
    let Some(bytes) = corpus("ssav/ssav_140_130_nav.nav2") else { return };
    let why = refused(&bytes, "attribute 0x0001 #4.5");
    assert_eq!(
        why,
        "1:1: attribute: this cuts island 0 (1 of 163 segments): --drop-islands removes the island graphs, --rebuild-islands makes them anew with guessed weights"
    );
    let (now, said) = after(&bytes, "attribute 0x0001 #4.5 --drop-islands");
    assert!(said.iter().any(|line| line == "the island graphs are dropped"));
    let tile = FoxBuf::from_bytes(&now).unwrap();
    assert!(tile.islands.is_empty());
    assert_eq!(tile.groups.last().unwrap().world.attributes[5].get(), 1);
    assert_eq!(found(&now), found(&bytes));
    // Its ways out over the sides of the tile cannot be made anew.
    assert!(refused(&bytes, "attribute 0x0001 #4.5 --rebuild-islands").contains("ways out over sides"));
    let (_, alone) = Map::standalone().tile(0, 0).files.remove(0);
    let (now, _) = after(&alone, "attribute 0x0001 #4.5 --rebuild-islands");
    assert_eq!(found(&now), found(&alone));
    assert!(FoxBuf::from_bytes(&now).unwrap().islands[0].islands.len() >= 2);
}

#[test]
fn islands_can_be_dropped_to_the_byte_and_merged() {
    let Some(bytes) = corpus("ssav/ssav_139_130_nav.nav2") else { return };
    let (now, _) = after(&bytes, "drop_islands");
    assert_eq!((now.len(), &sha256(&now)[..16]), (19_600, "b28cc73647f1473d"));
    let bytes = corpus("tpp/mbqf_102_102_nav.nav2").unwrap();
    let (now, _) = after(&bytes, "drop_islands");
    assert_eq!((now.len(), &sha256(&now)[..16]), (24_416, "223b5c1a63ae0664"));
    assert!(refused(&bytes, "merge_islands I#0 I#4").contains("has attribute"));
    let (now, _) = after(&bytes, "merge_islands I#4 I#7");
    let (before, tile) = (FoxBuf::from_bytes(&bytes).unwrap(), FoxBuf::from_bytes(&now).unwrap());
    assert_eq!(tile.islands[0].islands.len(), 8);
    assert_eq!(tile.islands[0].islands[4].segments, 2);
    assert_eq!(tile.islands[0].islands[4].low, before.islands[0].islands[4].low);
    let links =
        |tile: &FoxBuf| tile.islands[0].islands.iter().flat_map(|i| i.inside.clone()).collect::<Vec<_>>();
    assert!(links(&tile).iter().all(|link| link.island() < 8));
    assert_eq!(found(&now), found(&bytes));
}

#[test]
fn a_tile_moves_as_a_whole_and_only_up_and_down_if_it_is_joined() {
    let (_, alone) = Map::standalone().tile(0, 0).files.remove(0);
    let (now, _) = after(&alone, "move 3 -1.5 8");
    let (a, b) = (FoxNav::parse(&alone).unwrap(), FoxNav::parse(&now).unwrap());
    let [x, y, z] = a.header().origin();
    assert_eq!(b.header().origin(), [x + 3.0, y - 1.5, z + 8.0]);
    let [x, y, z] = a.search().unwrap().unwrap().header().origin();
    assert_eq!(b.search().unwrap().unwrap().header().origin(), [x + 3.0, y - 1.5, z + 8.0]);
    assert!(differ(&alone, &now).len() <= 24);
    assert!(refused(&alone, "move 1 0 0 #4.0").contains("moves as a whole"));
    let (_, joined) = Map::square(3).tile(1, 1).files.remove(0);
    assert!(refused(&joined, "move 1 0 0").contains("joined to other tiles"));
    assert!(differ(&joined, &after(&joined, "move 0 2 0").0).len() <= 8);
    assert!(refused(&joined, "move 0 1e39 0").contains("where DY was expected"));
    assert!(refused(&joined, "tile 101,101 --grid 3").contains("--shift-links"));
    for line in
        ["tile 102.9,103.5 --drop-links", "tile 101,102 --grid 3.7 --drop-links", "tile -1,102 --drop-links"]
    {
        assert!(refused(&joined, line).contains("whole number"), "{line}");
    }
    let (now, _) = after(&joined, "tile 101,102 --grid 3 --shift-links");
    let nav = FoxNav::parse(&now).unwrap();
    assert_eq!(nav.tile().0, 3);
    assert!(nav.groups().all(|group| group.unwrap().tile().0 == 3));
    assert_eq!(found(&now), found(&joined));
    // What it leads to are the tiles around the new place.
    let of = |bytes: &[u8]| {
        let nav = FoxNav::parse(bytes).unwrap();
        let groups = nav.groups().map(|group| group.unwrap());
        groups
            .flat_map(|g| g.world().tile_crossings().map(|(_, tile, _)| tile.0).collect::<Vec<_>>())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(of(&now), of(&joined).into_iter().map(|tile| tile - 1).collect());
    let (now, _) = after(&joined, "tile 101,102 --grid 3 --drop-links");
    assert!(of(&now).is_empty());
    assert_eq!(found(&now), found(&joined));
}

#[test]
fn faces_are_deleted_and_everything_around_them_closes_up() {
    let (_, bytes) = Map { holes: 0, sector: 3, ..Map::standalone() }.tile(0, 0).files.remove(0);
    let before = FoxBuf::from_bytes(&bytes).unwrap();
    // A face inside a segment.
    let (now, said) = after(&bytes, "delete F#4.3");
    assert!(said[0].starts_with("1 face deleted"), "{said:?}");
    let tile = FoxBuf::from_bytes(&now).unwrap();
    assert_eq!(tile.groups[0].mesh.faces.len() + 1, before.groups[0].mesh.faces.len());
    assert_eq!(found(&now), BTreeSet::new());
    assert_agree(&now, "without a face");
    // A whole segment, by name, by place and by a box.
    for line in ["delete #4.1", "delete group(4)&#4.1", "select #4.1; delete sel"] {
        let (now, _) = after(&bytes, line);
        let tile = FoxBuf::from_bytes(&now).unwrap();
        assert_eq!(tile.groups[0].segments.len() + 1, before.groups[0].segments.len(), "{line}");
        assert_eq!(found(&now), BTreeSet::new(), "{line}");
    }
    // The middle row: a segment falls into pieces, each of which is one.
    let nav = FoxNav::parse(&bytes).unwrap();
    let group = nav.groups().next().unwrap().unwrap();
    let segment = group.segments().next().unwrap().unwrap();
    let (low, high) = (nav.frame().world(segment.bounds().min()), nav.frame().world(segment.bounds().max()));
    let third = (high[0] - low[0]) / 3.0;
    let line =
        format!("delete faces({},{},{},{})", low[0] + third - 0.1, low[2], high[0] - third + 0.1, high[2]);
    let (now, said) = after(&bytes, &line);
    let tile = FoxBuf::from_bytes(&now).unwrap();
    assert!(tile.groups[0].segments.len() > before.groups[0].segments.len(), "{said:?}");
    assert_eq!(found(&now), BTreeSet::new());
    assert!(refused(&bytes, "delete all").contains("these are all"));
}

#[test]
fn segments_are_cut_apart_and_joined_again() {
    let (meshes, mut joined) = (meshes(), 0);
    for row in meshes.iter().filter(|row| row.name().starts_with("ssav/ssav_140_13")) {
        let bytes = row.read();
        let tile = FoxBuf::from_bytes(&bytes).unwrap();
        let Some(group) = tile.groups.last() else { continue };
        let (id, to) = (group.id.index(), group.graph.inside.first().unwrap().segment());
        let (now, _) = after(&bytes, &format!("unlink #{id}.0 #{id}.{to}"));
        let cut = FoxBuf::from_bytes(&now).unwrap();
        assert_eq!(
            cut.groups.last().unwrap().graph.inside.len() + 2,
            group.graph.inside.len(),
            "{}",
            row.name()
        );
        assert_eq!(found(&now), found(&bytes), "{}", row.name());
        assert!(refused(&now, &format!("unlink #{id}.0 #{id}.{to}")).contains("nothing joins them"));
        let (back, _) = after(&now, &format!("link #{id}.0 #{id}.{to}"));
        assert_eq!(found(&back), found(&bytes), "{}", row.name());
        let back = FoxBuf::from_bytes(&back).unwrap();
        let words = |tile: &FoxBuf| {
            tile.groups.last().unwrap().mesh.faces.iter().map(|f| f.neighbours).collect::<Vec<_>>()
        };
        assert_eq!(words(&back), words(&tile), "{}", row.name());
        assert!(refused(&bytes, &format!("link #{id}.0 #{id}.{to}")).contains("joined already"));
        joined += 1;
    }
    // One of the ten has no group.
    assert!(joined == 9 || meshes.is_empty(), "{joined}");
}

#[test]
fn files_of_the_tool_say_how_much_an_edit_rewrites_and_keep_their_structure() {
    let Some(bytes) = corpus("obj2nav2/gen_b_quad.nav2") else { return };
    let mut session = open(&bytes);
    session.line("attribute 0x0001 all").unwrap();
    let report = session.editor().report().to_string();
    assert!(report.contains("layout rewritten: ") && report.contains("segments: 100 changed"), "{report}");
    assert!(refused(&bytes, "delete #4.0").contains("build it anew"));
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

pub(crate) fn command(dice: &mut Dice, tile: &FoxBuf) -> String {
    let group = &tile.groups[dice.roll(tile.groups.len())];
    let id = group.id.index();
    let (segment, other) = (dice.roll(group.segments.len()), dice.roll(group.segments.len()));
    let face = dice.roll(group.mesh.faces.len());
    let islands = tile.islands.first().map_or(1, |graph| graph.islands.len());
    match dice.roll(15) {
        0 => format!("attribute 0x{:04X} island({})", dice.roll(4) * 0x60 + 1, dice.roll(islands)),
        1 => format!("attribute 0x0481 #{id}.{segment} --drop-islands"),
        2 => format!("attribute 0x0481 #{id}.{segment} --rebuild-islands"),
        3 => format!("unlink #{id}.{segment} #{id}.{other}"),
        4 => format!("link #{id}.{segment} #{id}.{other}"),
        5 => format!("delete F#{id}.{face}"),
        6 => format!("delete #{id}.{segment}"),
        7 => format!("delete F#{id}.{face}+F#{id}.{} --alone", dice.roll(group.mesh.faces.len())),
        8 => format!("merge_islands I#{} I#{}", dice.roll(islands), dice.roll(islands)),
        9 => format!("move 0 {} 0", dice.roll(100)),
        10 => format!("select #{id}.{segment}+attr(0x04E1); attribute 0x00E1 sel"),
        11 => format!("raise {} V#{id}.{}", dice.roll(9), dice.roll(group.mesh.vertices.len())),
        12 => format!("raise -0.25 F#{id}.{face}+#{id}.{segment} --alone"),
        13 => format!("height {} #{id}.{segment} --rescale --alone", dice.roll(60)),
        _ => match group.graph.inside.get(dice.roll(group.graph.inside.len())) {
            Some(link) => format!("unlink #{id}.{segment} #{id}.{}", link.segment()),
            None => "undo".into(),
        },
    }
}

#[test]
fn random_scripts_leave_sound_tiles_undo_to_the_byte_and_replay() {
    let mut files: Vec<(String, Vec<u8>)> = Map::square(3).tile(1, 1).files;
    files.extend(Map { split: true, ..Map::square(2) }.tile(0, 0).files);
    for row in meshes().iter().filter(|row| {
        ["ssav/ssav_139_130_nav.nav2", "ssav/ssav_141_132_nav_boss.nav2", "tpp/mbqf_102_102_nav.nav2"]
            .contains(&row.name())
    }) {
        files.push((row.name().to_owned(), row.read()));
    }
    let mut done = 0;
    for (name, bytes) in files {
        let worst = found(&bytes);
        for seed in 0..6 {
            let mut dice = Dice(seed * 7919 + 1);
            let mut session = open(&bytes);
            let mut script = String::new();
            for _ in 0..12 {
                let line = command(&mut dice, session.editor().tile());
                let before = session.editor().encode().unwrap();
                match session.line(&line) {
                    Ok(_) => script.push_str(&format!("{line}\n")),
                    Err(_) if line.starts_with("select") => {}
                    Err(_) => {
                        assert!(session.editor().encode().unwrap() == before, "{name}: {line}");
                        continue;
                    }
                }
                done += 1;
                let now = session.editor().encode().unwrap();
                assert_agree(&now, &name);
                let new: Vec<_> = found(&now).difference(&worst).copied().collect();
                assert!(new.is_empty(), "{name}, seed {seed}: {new:?} after\n{script}");
            }
            let last = session.editor().encode().unwrap();
            let journal = session.journal().to_string();
            session.undo(usize::MAX);
            assert!(session.editor().encode().unwrap() == bytes, "{name}, seed {seed}");
            session.redo(usize::MAX);
            assert!(session.editor().encode().unwrap() == last, "{name}, seed {seed}");
            let mut again = open(&bytes);
            again.replay(&journal, |fared| {
                assert!(fared.is_ok(), "{name}, seed {seed}: {} in\n{journal}", fared.unwrap_err());
                ControlFlow::Continue(())
            });
            assert!(again.editor().encode().unwrap() == last, "{name}, seed {seed}:\n{journal}");
        }
    }
    assert!(done > 100, "{done}");
}

#[test]
fn selectors_find_segments_by_box_attribute_group_and_place() {
    let (_, bytes) = Map::standalone().tile(0, 0).files.remove(0);
    let mut session = open(&bytes);
    let mut count = |selector: &str| {
        session.line(&format!("select {selector}")).map(|_| session.chosen().len()).map_err(|r| r.to_string())
    };
    let all = count("all").unwrap();
    assert_eq!(count("attr(0x04E1)").unwrap() + count("!attr(0x04E1)").unwrap(), all);
    assert_eq!(count("group(4)").unwrap(), all);
    assert_eq!(count("box(-1000,-1000,1000,1000)").unwrap(), all);
    assert_eq!(count("box(-1000,-1000,-1000,1000,1000,1000)").unwrap(), all);
    let nav = FoxNav::parse(&bytes).unwrap();
    let group = nav.groups().next().unwrap().unwrap();
    let face = group.faces().next().unwrap().unwrap();
    let corners: Vec<_> = face
        .corners
        .as_slice()
        .iter()
        .map(|v| nav.frame().world(&group.mesh().vertices()[usize::from(*v)]))
        .collect();
    let middle = |axis: usize| corners.iter().map(|c| c[axis]).sum::<f32>() / corners.len() as f32;
    assert_eq!(count(&format!("@{},{}", middle(0), middle(2))), Ok(1));
    assert_eq!(count(&format!("F@{},{},{}", middle(0), middle(1), middle(2))), Ok(1));
    assert!(count("@9000,9000").unwrap_err().contains("~@ takes it"));
    assert_eq!(count("~@9000,9000"), Ok(1));
    assert!(count("#4.9999").unwrap_err().contains("there is no #4.9999"));
    assert!(count("isl(0)").unwrap_err().contains("did you mean island?"));
    assert!(
        face.face
            .across(0)
            .is_some_and(|across| across == Adjacent::Border || matches!(across, Adjacent::Face(_)))
    );
}
