//! From one version to another: what is lost is named and counted; what nobody can tell is refused.

use navmap::format::source::{Ballast, SourceBuf, SourceNav, TARGETS};
use navmap::{Finding, Severity};
use navmap_testkit::corpus::{bundled_rows, manifest, real};
use navmap_testkit::source::{Mesh, Shape as Level, level, read, write};

fn own(mesh: &Mesh) -> SourceBuf {
    SourceBuf::read(&SourceNav::parse(&write(mesh)).unwrap()).unwrap()
}

fn convert(mesh: &Mesh, version: u32, subversion: Option<u32>) -> (Mesh, Vec<Finding>) {
    let mut losses = Vec::new();
    let made = own(mesh).convert(version, subversion, &mut |loss| losses.push(loss)).unwrap();
    (read(&made.encode().unwrap()).unwrap(), losses)
}

fn lost(losses: &[Finding], code: &str) -> Option<usize> {
    let found = losses.iter().find(|loss| loss.code == code && loss.severity == Severity::Warning)?;
    let count = found.message.rsplit_once('(')?.1.trim_end_matches(')');
    count.parse().ok()
}

#[test]
fn what_a_version_cannot_hold_is_counted_once_for_each_kind() {
    let from = level(16, Some(2), &Level::small(4));
    let (to, losses) = convert(&from, 5, None);
    let sum = |of: fn(&navmap_testkit::source::Area) -> usize| from.areas.iter().map(of).sum::<usize>();
    let some = |count: usize| (count > 0).then_some(count);
    assert_eq!(lost(&losses, "visibility-lost"), some(sum(|area| area.visible.len())));
    assert_eq!(lost(&losses, "ladders-lost"), some(from.ladders.len()));
    assert_eq!(
        lost(&losses, "ladder-connections-lost"),
        some(sum(|area| area.ladders_up.len() + area.ladders_down.len()))
    );
    assert_eq!(lost(&losses, "game-attributes-lost"), some(sum(|area| usize::from(area.game != 0))));
    assert_eq!(lost(&losses, "analyzed-lost"), Some(1));
    assert_eq!(lost(&losses, "encounters-lost"), None);
    let codes: std::collections::HashSet<_> = losses.iter().map(|loss| loss.code).collect();
    assert_eq!(codes.len(), losses.len(), "{losses:?}");
    for (before, after) in from.areas.iter().zip(&to.areas) {
        assert_eq!((before.id, before.nw, before.se), (after.id, after.nw, after.se));
        assert_eq!(
            (&before.connections, &before.spots, &before.paths),
            (&after.connections, &after.spots, &after.paths)
        );
        assert_eq!((before.place, before.attributes), (after.place, after.attributes));
    }
    assert_eq!(from.places, to.places);
}

#[test]
fn what_did_not_exist_is_made_up_and_said() {
    let from = level(3, None, &Level::small(4));
    let (to, losses) = convert(&from, 16, Some(0));
    assert!(
        losses.iter().any(|loss| loss.code == "light-made-up" && loss.severity == Severity::Info),
        "{losses:?}"
    );
    assert_eq!(
        lost(&losses, "approaches-lost"),
        Some(from.areas.iter().map(|area| area.approaches.len()).sum())
    );
    for (before, after) in from.areas.iter().zip(&to.areas) {
        assert_eq!((after.light, after.occupy, after.place, after.inherit), ([1.0; 4], [0.0; 2], 0, 0));
        assert_eq!((&before.connections, &before.paths), (&after.connections, &after.paths));
    }
    assert_eq!((to.analyzed, to.unnamed, to.bsp_size), (0, 1, 0));
}

#[test]
fn visibility_by_position_and_by_id_is_one() {
    let mut from = level(16, Some(0), &Level::small(8));
    from.areas[0].visible = vec![(from.areas[2].id, 3), (from.areas[1].id, 1), (999_999, 1)];
    let (to, losses) = convert(&from, 16, Some(14));
    assert_eq!(to.areas[0].visible, [(2, 3), (1, 1)]);
    assert!(lost(&losses, "dangling-visible-areas-lost").is_some_and(|count| count >= 1));
    let (back, losses) = convert(&to, 16, Some(0));
    assert_eq!(lost(&losses, "dangling-visible-areas-lost"), None);
    assert_eq!(back.areas[0].visible, from.areas[0].visible[..2]);
}

#[test]
fn attributes_without_room_are_lost_and_named() {
    let mut from = level(16, Some(0), &Level::small(8));
    from.areas.iter_mut().for_each(|area| area.attributes = 0);
    (from.areas[1].attributes, from.areas[2].attributes) = (0x401, 0x200);
    let (to, losses) = convert(&from, 5, None);
    assert_eq!([to.areas[1].attributes, to.areas[2].attributes], [1, 0]);
    assert_eq!(lost(&losses, "attributes-lost"), Some(2));
    let told = losses.iter().find(|loss| loss.code == "attributes-lost").unwrap().to_string();
    assert!(
        ["DONT_HIDE", "STAND"].iter().all(|name| told.contains(name)) && !told.contains("CROUCH"),
        "{told}"
    );
    let (to, losses) = convert(&from, 9, None);
    assert_eq!((to.areas[1].attributes, lost(&losses, "attributes-lost")), (0x401, None));
    let mut from = level(16, Some(14), &Level::small(8));
    from.areas.iter_mut().for_each(|area| area.attributes = 0);
    from.areas[1].attributes = 0x20001;
    let (to, losses) = convert(&from, 9, None);
    assert_eq!((to.areas[1].attributes, lost(&losses, "attributes-lost")), (1, Some(1)));
    assert_eq!(lost(&losses, "attributes-reread"), None, "no bit of them stays");
    assert!(losses.iter().any(|loss| loss.message.contains("MOB_ONLY")), "{losses:?}");
}

#[test]
fn what_means_something_else_in_left_4_dead_is_told_both_ways() {
    for (from, to, attributes) in [(14, 0, 0x2_0001), (0, 14, 0x6000_0000), (1, 14, 0x6000_0000)] {
        let mut level = level(16, Some(from), &Level::small(8));
        level.areas.iter_mut().for_each(|area| (area.attributes, area.place) = (0, 0));
        level.areas[1].attributes = attributes;
        (level.areas[1].place, level.areas[2].place) = (1, 1);
        let (after, losses) = convert(&level, 16, Some(to));
        assert_eq!((after.areas[1].attributes, after.areas[2].place), (attributes, 1));
        assert_eq!(lost(&losses, "attributes-reread"), Some(1), "{from} to {to}");
        assert_eq!(lost(&losses, "places-reread"), Some(2), "{from} to {to}");
    }
    // Two others mean one thing by them.
    let mut level = level(16, Some(0), &Level::small(8));
    (level.areas[1].attributes, level.areas[1].place) = (0x6000_0000, 1);
    let (_, losses) = convert(&level, 16, Some(1));
    assert!(losses.iter().all(|loss| !loss.code.ends_with("-reread")), "{losses:?}");
}

#[test]
fn a_version_that_nobody_can_tell_is_refused_and_nothing_is_said_to_be_lost() {
    let from = own(&level(16, Some(0), &Level::small(8)));
    for (version, subversion) in
        [(2, None), (12, Some(0)), (16, Some(4)), (16, Some(7)), (30, None), (17, Some(0))]
    {
        let refused = from.clone().convert(version, subversion, &mut |loss| panic!("{loss}")).unwrap_err();
        assert!(refused.to_string().contains("it is not written"), "{version}");
    }
}

#[test]
fn every_mesh_converts_to_every_version_or_says_why_not() {
    let mut rows = bundled_rows("source");
    let real = real();
    if let Some(corpus) = &real {
        rows.extend(manifest(&corpus.join("source")));
    }
    let mut done = 0;
    for row in rows {
        let bytes = row.read();
        let Ok(mesh) = SourceNav::parse(&bytes).and_then(|nav| SourceBuf::read(&nav)) else { continue };
        for (version, subversion) in TARGETS {
            let mut losses = 0;
            let made = match mesh.clone().convert(version, subversion, &mut |_| losses += 1) {
                Ok(made) => made,
                Err(error) => {
                    assert!(error.to_string().contains("GoldSrc keeps 16"), "{}: {error}", row.name());
                    continue;
                }
            };
            done += 1;
            let made = made.encode().unwrap_or_else(|error| panic!("{} to {version}: {error}", row.name()));
            let again = SourceNav::parse(&made).and_then(|nav| SourceBuf::read(&nav)).unwrap();
            assert_eq!(again.areas.len(), mesh.areas.len(), "{}", row.name());
            if (version, subversion) == (mesh.head.version, mesh.head.subversion()) {
                assert!(made == bytes && losses == 0, "{}: the same version changes nothing", row.name());
            }
        }
    }
    assert!(done > if real.is_some() { 100 } else { 50 }, "{done}");
}

#[test]
fn slimming_saves_what_it_says() {
    let from = level(16, Some(2), &Level::small(5));
    let mut mesh = own(&from);
    let whole = mesh.encode().unwrap().len();
    let weights = mesh.weigh();
    assert_eq!(Ballast::unused(&mesh.head), [Ballast::Encounters, Ballast::Tail]);
    let gone = mesh.slim(&Ballast::unused(&mesh.head));
    assert_eq!(gone, weights[..1], "there is no tail");
    assert_eq!(whole - mesh.encode().unwrap().len(), weights[0].bytes);
    assert_eq!(mesh.head.analyzed, from.analyzed, "the game does not miss them");
    mesh.slim(&[Ballast::Visibility]);
    assert_eq!(whole - mesh.encode().unwrap().len(), weights[0].bytes + weights[2].bytes);
    assert_eq!(mesh.head.analyzed, 0);
    assert!(mesh.weigh().iter().all(|weight| weight.bytes == 0 || weight.of == Ballast::Approaches));
}

#[test]
fn a_cut_mesh_is_read_leniently_up_to_the_cut() {
    let bytes = write(&level(16, Some(0), &Level::small(3)));
    let nav = SourceNav::parse(&bytes).unwrap();
    let whole = SourceBuf::read(&nav).unwrap();
    let third = nav.areas().nth(3).unwrap().unwrap().offset() as usize + 10;
    let cut = SourceNav::parse(&bytes[..third]).unwrap();
    assert!(SourceBuf::read(&cut).is_err());
    let (mesh, lost) = SourceBuf::read_lenient(&cut);
    assert_eq!((mesh.areas.len(), lost as usize), (3, whole.areas.len() - 3));
    assert_eq!(mesh.areas, whole.areas[..3]);
    assert!(mesh.encode().is_ok());
}
