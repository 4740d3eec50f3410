//! Meshes that several plugins override, and versions that somebody chooses.

use super::{findings, is_well_formed, mesh, order};
use crate::plugin;
use navmap::format::skyrim::fix::{Choice, Conflict, Differences, FixPlan, Outcome, Repair, merge};
use navmap::format::skyrim::{DoorBuf, Edge, FormId, NavMesh, NavMeshBuf};
use navmap_testkit::skyrim::damage::{self, EAST, File, RESTORED, WEST};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::Plugin as Made;
use navmap_testkit::skyrim::{FO4, Game, SE, STARFIELD, navm, village};

fn chosen(plugin: usize, form: u32) -> Choice {
    Choice { plugin, form: Some(FormId::new(form)) }
}

/// The patch that a choice makes.
fn patched(files: &[File], choices: &[Choice]) -> (Vec<Conflict>, Vec<u8>, usize) {
    let order = order(files);
    let (plan, conflicts) = FixPlan::conflicts(&order, choices).unwrap();
    assert!(plan.deeds().iter().all(|deed| deed.repair == Repair::Links));
    (conflicts, plan.patch(false).unwrap(), plan.done())
}

#[test]
fn versions_with_other_triangles_are_told_apart_by_place_area_and_links() {
    let files = damage::disputed();
    let order = order(&files);
    let (plan, conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:#?}") };
    assert_eq!(conflict.outcome, Outcome::Choice("the versions do not have the same triangles".to_owned()));
    assert!(plan.changed_plugins().is_empty() && plan.deeds().is_empty());
    let [cutter, renumber] = conflict.overriders.as_slice() else { panic!() };
    assert_eq!([&cutter.file, &renumber.file], ["Cutter.esp", "Renumber.esp"]);
    let cut = cutter.changes.as_ref().unwrap();
    assert_eq!((&cut.only, cut.triangles), (&[vec![59], vec![]], [60, 59]));
    // Half of a square of a sixth by a fifth of a cell.
    let half = 4096.0 / 6.0 * (4096.0 / 5.0) / 2.0;
    assert!((cut.area[0] - half).abs() < 1.0 && cut.area[1] == 0.0, "{:?}", cut.area);
    assert!(cut.to_string().contains("60 -> 59 (1 of 279,620 square units gone, 0 of 0 new)"), "{cut}");
    // Other numbers, the same places.
    assert!(renumber.changes.as_ref().unwrap().only.iter().all(Vec::is_empty));
    assert_eq!(cutter.dangling, [""; 0], "with the first all links arrive");
    assert_eq!(
        renumber.dangling.len(),
        10,
        "with the other five go astray, both ways: {:#?}",
        renumber.dangling
    );
    assert!(renumber.dangling.iter().any(|line| line.contains("of 00000A01 (Base.esm) to triangle")));
}

#[test]
fn a_version_that_is_chosen_becomes_an_override_and_the_links_around_it_arrive() {
    let files = damage::disputed();
    for (choice, form, repaired) in [
        (chosen(1, WEST), "Cutter.esp", 0),
        (chosen(2, WEST), "Renumber.esp", 5),
        (Choice { plugin: 1, form: None }, "Cutter.esp", 0),
    ] {
        let (conflicts, patch, done) = patched(&files, &[choice]);
        assert_eq!(conflicts[0].outcome, Outcome::Chosen(form.to_owned()));
        assert_eq!(done, repaired);
        is_well_formed(&patch);
        if form == "Cutter.esp" {
            assert_eq!(mesh(&patch, WEST), mesh(&files[1].bytes, WEST));
        } else {
            let of = |link: &navmap::format::skyrim::LinkBuf| (link.navmesh.get(), link.triangle);
            let back: Vec<_> = mesh(&patch, EAST).links.iter().map(of).collect();
            assert_eq!(back, [(WEST, 49), (WEST, 37), (WEST, 25), (WEST, 13), (WEST, 1)]);
        }
        let mut with = files.to_vec();
        let before = findings(&with);
        with.push(File { name: "Patch.esp", bytes: patch });
        let after = findings(&with);
        assert!(before.keys().any(|(_, code)| *code == "edge-link-one-way"), "{before:?}");
        assert!(!after.keys().any(|(_, code)| code.starts_with("edge-link")), "{form}: {after:?}");
    }
}

#[test]
fn a_choice_by_name_comes_before_a_merge_and_one_of_a_plugin_does_not() {
    let files = damage::order();
    let find = |conflicts: &[Conflict]| {
        conflicts.iter().find(|conflict| conflict.form.get() == RESTORED).unwrap().outcome.clone()
    };
    let (conflicts, patch, _) = patched(&files, &[]);
    assert_eq!(find(&conflicts), Outcome::Merged);
    let merged = mesh(&patch, RESTORED);
    assert_eq!(merged, mesh(&files[2].bytes, RESTORED), "one side changed nothing");
    let order = order(&files);
    let (plan, conflicts) = FixPlan::conflicts(&order, &[chosen(3, RESTORED)]).unwrap();
    assert_eq!(find(&conflicts), Outcome::Chosen("Breaker.esp".to_owned()));
    assert!(plan.changed_plugins().is_empty(), "it wins anyway, and nothing around it is broken");
    let (_, conflicts) = FixPlan::conflicts(&order, &[Choice { plugin: 3, form: None }]).unwrap();
    assert_eq!(find(&conflicts), Outcome::Merged);
}

#[test]
fn choices_of_what_is_not_disputed_or_deleted_are_refused() {
    let files = damage::disputed();
    let order = order(&files);
    for (choice, why) in [
        (chosen(1, EAST), "no other plugin disputes 00000A01 of Cutter.esp"),
        (chosen(0, WEST), "disputes 00000A00 of Base.esm"),
        (Choice { plugin: 0, form: None }, "disputes any navmesh of Base.esm"),
    ] {
        let error = FixPlan::conflicts(&order, &[choice]).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    // The version that deletes a mesh is told of, and no choice.
    let [base, deleter, ..] = damage::order();
    let other = damage::kept("Keeper.esp");
    let files = [base, other, deleter];
    let order = super::order(&files);
    let (_, conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
    assert_eq!(conflicts[0].outcome, Outcome::Choice("one of the plugins deletes it".to_owned()));
    assert!(conflicts[0].overriders[1].deletes && !conflicts[0].overriders[1].dangling.is_empty());
    let error = FixPlan::conflicts(&order, &[chosen(2, damage::GONE)]).unwrap_err().to_string();
    assert!(error.contains("00000A10 of Deleter.esp is deleted"), "{error}");
    let (_, patch, _) = patched(&files, &[chosen(1, damage::GONE)]);
    let back =
        plugin(&patch).navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == damage::GONE);
    assert!(!back.unwrap().is_deleted());
    assert_eq!(mesh(&patch, damage::GONE), mesh(&files[1].bytes, damage::GONE));
}

#[test]
fn versions_that_say_the_same_leave_nothing_to_choose() {
    // Without their master, of which they are all the same.
    let files = [damage::eastern("One.esp"), damage::eastern("Two.esp")];
    let order = super::order(&files);
    let (plan, conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
    let [conflict] = conflicts.as_slice() else { panic!("{conflicts:#?}") };
    assert_eq!((&conflict.outcome, conflict.base.as_str()), (&Outcome::Alike, "Base.esm"));
    assert!(plan.changed_plugins().is_empty());
    // With other triangles than the master, both alike.
    let [base, cutter, _] = damage::disputed();
    let again = File { name: "Again.esp", ..cutter.clone() };
    let files = [base, cutter, again];
    let order = super::order(&files);
    let (_, conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
    assert_eq!(conflicts[0].outcome, Outcome::Alike, "{conflicts:#?}");
}

#[test]
fn a_corner_that_moved_has_not_changed_the_links_of_its_edges() {
    let payload = damage::western();
    let before = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    let (triangle, edge, _) = before.linked_edges().next().unwrap();
    let vertex = before.triangles[usize::from(triangle)].vertices[usize::from(edge)];
    let mut after = before.clone();
    after.vertices[usize::from(vertex)][2] += 8.0;
    let changes = Differences::between(&before, &after);
    assert_eq!((changes.moved, changes.links), (1, [0, 0]));
    assert_eq!(changes.to_string(), "1 vertex moved");
    after.unlink(triangle, edge);
    assert_eq!(Differences::between(&before, &after).links, [1, 0]);
}

const HOUSE: u32 = 0x0100_08F0;

type Change = fn(&mut Mesh);

/// The house of a village, as two plugins change it.
fn houses(game: Game, changes: [Change; 2]) -> [File; 3] {
    let base = File { name: "Village.esm", bytes: village(game, 1, (4, 3), false).0.encode() };
    let [one, two] = [("A.esp", changes[0]), ("B.esp", changes[1])].map(|(name, change)| {
        let mut plugin = Made::new(game.form, game.hedr, &[game.master, "Village.esm"]);
        let mut house = Mesh::sheet(game.nvnm, Place::Interior(0x0100_0820), 7, 5, 99);
        house.door(3, 0x0100_08E0);
        change(&mut house);
        let record = navm(&plugin, HOUSE, &house, true);
        plugin.groups.push(plugin.interior(0x0100_0820, &[record]));
        File { name, bytes: plugin.encode() }
    });
    [base, one, two]
}

/// What becomes of the house, and what each of the two changes of it.
fn disputed_house(files: &[File]) -> (Outcome, [Differences; 2]) {
    let order = order(files);
    let (_, mut conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
    assert_eq!(conflicts.len(), 1, "{conflicts:#?}");
    let conflict = conflicts.remove(0);
    let [one, two] = [0, 1].map(|at: usize| conflict.overriders[at].changes.clone().unwrap());
    (conflict.outcome, [one, two])
}

#[test]
fn waypoints_are_merged_as_a_whole_and_what_no_merge_can_hold_is_a_choice() {
    let wet: Change = |mesh| mesh.triangles[9].flags ^= 0x200;
    let moved: Change = |mesh| mesh.waypoints[0].0[0] += 77.0;
    let gone: Change = |mesh| mesh.waypoints.clear();
    let bare: Change = |mesh| mesh.triangles[0].cover = 0;
    for game in [FO4, STARFIELD] {
        let files = houses(game, [moved, wet]);
        let (outcome, [one, _]) = disputed_house(&files);
        assert_eq!((outcome, one.waypoints), (Outcome::Merged, [1, 1]));
        assert_eq!(one.to_string(), "waypoints -1 +1");
        let (_, patch, _) = patched(&files, &[]);
        let [a, b] = [1, 2].map(|at: usize| mesh(&files[at].bytes, HOUSE));
        // A patch names no more files than it needs, so the first byte is another.
        let is_house = |form: &u32| form & 0xFF_FFFF == HOUSE & 0xFF_FFFF;
        let own = plugin(&patch).navmeshes().map(|navm| navm.unwrap().form_id().get()).find(is_house);
        let merged = mesh(&patch, own.unwrap());
        assert_eq!((&merged.waypoints, &merged.triangles), (&a.waypoints, &b.triangles));

        assert_eq!(disputed_house(&houses(game, [wet, moved])).0, Outcome::Merged);
        assert_eq!(disputed_house(&houses(game, [gone, gone])).0, Outcome::Alike);
        let Outcome::Clashes(clashes) = disputed_house(&houses(game, [gone, moved])).0 else { panic!() };
        assert_eq!((clashes.len(), clashes[0].what.as_str()), (1, "waypoints"));
        assert_eq!(clashes[0].at[0], b.waypoints[0].point().x() + 77.0);

        let (outcome, [one, _]) = disputed_house(&houses(game, [bare, wet]));
        let why = "a version changes pieces of cover, which cannot be merged";
        assert_eq!((outcome, one.pieces), (Outcome::Choice(why.to_owned()), [1, 0]));
        assert!(!one.is_empty() && one.to_string().contains("pieces of cover -1 +0"), "{one}");
        // The winner's own are not lost.
        assert_eq!(disputed_house(&houses(game, [wet, bare])).0, Outcome::Merged);
    }
}

#[test]
fn values_of_unknown_meaning_are_not_lost() {
    let bytes = village(STARFIELD, 1, (4, 3), false).0.encode();
    let base = mesh(&bytes, HOUSE);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours.triangles[3].unknown_0x10 ^= 2;
    theirs.triangles[4].unknown_0x10 ^= 2;
    theirs.triangles[5].height = 96.0;
    let (merged, clashes) = merge(&base, &ours, &theirs).unwrap();
    assert!(clashes.is_empty());
    let unknown = |mesh: &NavMeshBuf| [3, 4].map(|at: usize| mesh.triangles[at].unknown_0x10);
    assert_eq!(unknown(&merged), [ours.triangles[3].unknown_0x10, theirs.triangles[4].unknown_0x10]);
    assert_eq!(Differences::between(&base, &theirs).to_string(), "1 clearance, 1 unknown mark");
    theirs.triangles[3].unknown_0x10 ^= 4;
    let (_, clashes) = merge(&base, &ours, &theirs).unwrap();
    assert_eq!(clashes[0].what, "unknown byte of triangle 3");
    let mut marked = base.clone();
    marked.marks[0] ^= 1;
    assert!(merge(&base, &base, &marked).is_none() && merge(&base, &marked, &base).is_some());
    assert_eq!(Differences::between(&base, &marked).unknown, 1);
}

#[test]
fn a_neighbour_that_became_a_border_is_a_change() {
    let payload = damage::western();
    let before = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    let inner = |triangle: u16| {
        (0..3_u8).find(|edge| matches!(before.edge(triangle, *edge), Some(Edge::Neighbour(_))))
    };
    let (triangle, edge) = (0..60).find_map(|triangle| Some((triangle, inner(triangle)?))).unwrap();
    let cut = |mesh: &NavMeshBuf| {
        let mut mesh = mesh.clone();
        mesh.triangles[usize::from(triangle)].set_edge(edge.into(), Edge::Border);
        mesh
    };
    let changes = Differences::between(&before, &cut(&before));
    assert_eq!((changes.edges, changes.links, changes.is_empty()), (1, [0, 0], false));
    assert_eq!(changes.to_string(), "1 edge with another neighbour or none");
    // Vertices of other numbers, at the same places.
    let mut turned = before.clone();
    let last = turned.vertices.len() as u16 - 1;
    turned.vertices.reverse();
    turned.triangles.iter_mut().for_each(|of| of.vertices = of.vertices.map(|vertex| last - vertex));
    assert_eq!(Differences::between(&before, &turned).edges, 0);
    assert_eq!(Differences::between(&before, &cut(&turned)).edges, 1);
}

#[test]
fn a_door_that_two_versions_move_is_one_clash() {
    let base = mesh(&village(FO4, 1, (4, 3), false).0.encode(), HOUSE);
    let door = base.doors[0];
    let on = |triangle: u16| {
        let mut mesh = base.clone();
        mesh.doors[0].triangle = triangle;
        mesh
    };
    let (_, clashes) = merge(&base, &on(4), &on(5)).unwrap();
    let what: Vec<&str> = clashes.iter().map(|clash| clash.what.as_str()).collect();
    assert_eq!(what, [format!("door {}", door.reference)]);
    let (merged, clashes) = merge(&base, &base, &on(5)).unwrap();
    assert_eq!((merged.doors, clashes.len()), (on(5).doors, 0));
}

#[test]
fn a_door_on_two_triangles_stays_on_both() {
    let mut base = mesh(&village(FO4, 1, (4, 3), false).0.encode(), HOUSE);
    base.doors.push(DoorBuf { triangle: 4, ..base.doors[0] });
    let (mut flagged, mut moved) = (base.clone(), base.clone());
    flagged.triangles[9].flags.0 ^= 0x200;
    moved.doors[1].triangle = 5;
    for (ours, theirs) in [(&flagged, &moved), (&moved, &flagged)] {
        let (merged, clashes) = merge(&base, ours, theirs).unwrap();
        let mut stands: Vec<_> = merged.doors.iter().map(|door| door.triangle).collect();
        stands.sort_unstable();
        assert_eq!((stands, clashes.len()), (vec![3, 5], 0));
        assert_eq!(merged.triangles[9].flags, flagged.triangles[9].flags);
    }
    assert_eq!(Differences::between(&base, &moved).doors, [1, 1]);
    // One moves the first, the other the second.
    let mut other = base.clone();
    other.doors[0].triangle = 2;
    let (_, clashes) = merge(&base, &moved, &other).unwrap();
    assert_eq!(clashes.len(), 1);
}

/// The house of a village as a plugin with these masters changes it.
fn house(name: &'static str, masters: &[&str], change: impl FnOnce(&mut Mesh)) -> File {
    let mut plugin = Made::new(SE.form, SE.hedr, &[&[SE.master, "Village.esm"][..], masters].concat());
    let mut house = Mesh::sheet(SE.nvnm, Place::Interior(0x0100_0820), 7, 5, 99);
    house.door(3, 0x0100_08E0);
    change(&mut house);
    plugin.groups.push(plugin.interior(0x0100_0820, &[navm(&plugin, HOUSE, &house, true)]));
    File { name, bytes: plugin.encode() }
}

#[test]
fn what_a_plugin_changes_back_of_its_masters_stays_changed_back() {
    let water = |mesh: &mut Mesh| (10..14).for_each(|at: usize| mesh.triangles[at].flags |= 0x200);
    let village = File { name: "Village.esm", bytes: village(SE, 1, (4, 3), false).0.encode() };
    let a = house("A.esp", &[], water);
    // Of the four triangles under water one is left.
    let mended = |mesh: &mut Mesh| mesh.triangles[10].flags |= 0x200;
    let over_a = house("OverA.esp", &["A.esp"], mended);
    let outcome = |files: &[File]| {
        let order = order(files);
        let (_, mut conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
        assert_eq!(conflicts.len(), 1, "{conflicts:#?}");
        conflicts.remove(0).outcome
    };
    let wet = |files: &[File]| {
        let (_, patch, _) = patched(files, &[]);
        let is_house = |form: &u32| form & 0xFF_FFFF == HOUSE & 0xFF_FFFF;
        let form = plugin(&patch).navmeshes().map(|navm| navm.unwrap().form_id().get()).find(is_house);
        let merged = mesh(&patch, form.unwrap());
        [10, 11, 20].map(|at: usize| merged.triangles[at].flags.0 & 0x200 != 0)
    };
    assert_eq!(outcome(&[village.clone(), a.clone(), over_a.clone()]), Outcome::Harmless);
    // Without A among its masters it knew nothing of the water.
    let knows_not = house("OverA.esp", &[], mended);
    let files = [village.clone(), a.clone(), knows_not];
    assert_eq!((outcome(&files), wet(&files)), (Outcome::Merged, [true, true, false]));
    // A third one wins, and gets what the second made of the first.
    let third = house("Third.esp", &[], |mesh| mesh.triangles[20].flags |= 0x200);
    let files = [village.clone(), a.clone(), over_a.clone(), third.clone()];
    assert_eq!((outcome(&files), wet(&files)), (Outcome::Merged, [true, false, true]));
    // One that knows both leaves nothing to merge, though it has nothing of them.
    let knows = house("Knows.esp", &["A.esp", "Third.esp"], |mesh| mesh.triangles[30].flags |= 0x200);
    assert_eq!(outcome(&[village, a, third, knows]), Outcome::Harmless);
}
