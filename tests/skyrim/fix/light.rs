//! Patches that are light plugins, patches over light plugins, and what a patch names.

use super::order;
use crate::plugin;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Game, Scale, Tag};
use navmap_testkit::skyrim::damage::{self, File, WEST};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, record};
use navmap_testkit::skyrim::{LE, SE, STARFIELD, navm};

/// Flags and form version in a plugin's header.
fn head(bytes: &[u8]) -> (u32, u16) {
    let header = plugin(bytes).header();
    (header.flags().0, header.form_version())
}

/// The file with the form version of an older game.
fn older(file: &mut File) {
    file.bytes[20..22].copy_from_slice(&LE.form.to_le_bytes());
}

#[test]
fn a_light_patch_has_the_flag_of_the_game_that_loads_it() {
    let mut files = damage::order();
    older(&mut files[3]);
    let mixed = order(&files);
    assert_eq!(mixed.game(), Some(Game::SkyrimSe));
    let plan = FixPlan::new(&mixed, &FixOptions::default());
    let named = |name: &str, light| head(&plan.patch_named(name, light).unwrap());
    assert_eq!(head(&plan.patch(true).unwrap()), (0x200, 44));
    assert_eq!(head(&plan.patch(false).unwrap()), (0, 44));
    // Overridden temporary records are listed in the header of a master.
    let listed = |name: &str| {
        let bytes = plan.patch_named(name, false).unwrap();
        let list = plugin(&bytes).header_fields().find_tag(Tag(*b"ONAM")).unwrap();
        let list =
            list.map(|field| field.data.chunks_exact(4).map(|id| id.try_into().map(u32::from_le_bytes)));
        let mut meshes: Vec<_> =
            plugin(&bytes).navmeshes().map(|navm| navm.unwrap().form_id().get()).collect();
        meshes.sort_unstable();
        list.map(|list| list.collect::<Result<Vec<u32>, _>>().unwrap() == meshes)
    };
    assert_eq!(["Fixes.esp", "Fixes.esm", "Fixes.esl"].map(listed), [None, Some(true), Some(true)]);
    // Of a file with such a name a game believes the extension.
    assert_eq!(named("Fixes.esp", true), (0x200, 44));
    assert_eq!(named("Fixes.esm", false), (1, 44));
    assert_eq!(named("Fixes.ESL", false), (0x201, 44));

    let torn = [damage::torn(STARFIELD, 0.0)];
    let star = order(&torn);
    let plan = FixPlan::new(&star, &FixOptions { repairs: vec![Repair::Links], ..FixOptions::default() });
    assert_eq!(head(&plan.patch(true).unwrap()), (0x100, STARFIELD.form));

    let mut files = damage::order();
    files.iter_mut().for_each(older);
    let old = order(&files);
    let plan = FixPlan::new(&old, &FixOptions::default());
    assert_eq!(head(&plan.patch(false).unwrap()), (0, 43));
    for refused in [plan.patch(true), plan.patch_named("Fixes.esl", false)] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("cannot be light: Skyrim has no light plugins"), "{error}");
    }
}

#[test]
fn only_masters_of_the_patch_must_be_full_plugins_of_starfield() {
    let mut small = Made::new(STARFIELD.form, STARFIELD.hedr, &[]);
    small.flags = 0x101;
    let files = [File { name: "Small.esm", bytes: small.encode() }, damage::torn(STARFIELD, 0.0)];
    let links = FixOptions { repairs: vec![Repair::Links], ..FixOptions::default() };
    let with_small = order(&files);
    assert_eq!(with_small.scale(0), Some(Scale::Light));
    let patch = FixPlan::new(&with_small, &links).patch(false).unwrap();
    assert_eq!(plugin(&patch).masters().collect::<Vec<_>>(), [b"Torn.esp"]);

    let mut files = files;
    files[1].bytes[9] |= 1;
    let error = FixPlan::new(&order(&files), &links).patch(false).unwrap_err().to_string();
    assert!(error.contains("would need Torn.esp: light and medium masters"), "{error}");
}

/// A plugin with a navmesh of its own that has no entry, whose records and whose file header have these form versions.
fn without_entry(records: u16, header: u16) -> [File; 1] {
    let mut made = Made::new(records, SE.hedr, &[]);
    let (cell, own) = (made.own(), made.own() + 1);
    let mesh = navm(&made, own, &Mesh::sheet(12, Place::Interior(cell), 3, 3, 1), true);
    let cell = made.interior(cell, &[mesh]);
    made.groups.push(cell);
    let mut bytes = made.encode();
    bytes[20..22].copy_from_slice(&header.to_le_bytes());
    [File { name: "New.esp", bytes }]
}

#[test]
fn the_records_tell_the_game_where_the_header_does_not() {
    for (records, game) in [(LE.form, Game::SkyrimLe), (SE.form, Game::SkyrimSe)] {
        let files = without_entry(records, 0);
        let view = plugin(&files[0].bytes);
        assert_eq!((view.game(), view.form_version(), view.header().form_version()), (game, records, 0));
        let order = order(&files);
        let options = FixOptions { repairs: vec![Repair::Entry], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
        let made = plan.plugin(0).unwrap();
        let navi = plugin(&made).navi().unwrap().unwrap();
        assert_eq!((navi.form_id().get(), navi.header().form_version()), (0x0001_2FB4, records));
    }
    // A header that says the game is believed, and an older game has older records.
    assert_eq!(plugin(&without_entry(LE.form, SE.form)[0].bytes).game(), Game::SkyrimSe);
    assert_eq!(plugin(&without_entry(15, 0)[0].bytes).game(), Game::Fallout3);
}

#[test]
fn an_entry_that_cannot_be_written_is_left() {
    let files = without_entry(0, 0);
    let order = order(&files);
    for patch in [false, true] {
        let options = FixOptions { repairs: vec![Repair::Entry], patch, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
        let left = deed.left.as_deref().unwrap();
        assert!(left.contains("Fallout 3 or New Vegas, which has no such info map"), "{left}");
        assert!(plan.changed_plugins().is_empty());
    }
}

/// The sound master, and a plugin with these masters that deletes a mesh of its worldspace and has one more field in that record.
fn deleter(masters: &[&str], tag: &[u8; 4], data: &[u8]) -> [File; 2] {
    let [base, ..] = damage::order();
    let mut deleter = Made::new(SE.form, SE.hedr, masters);
    let deleted = record(b"NAVM", deleter.head(WEST, DELETED), b"");
    let world = deleter.worldspace(0x0900, &[(0x0901, 0, 0, vec![deleted])]);
    deleter.groups.push(world);
    let deleter = File { name: "Deleter.esp", bytes: deleter.encode() };
    [base, damage::with_world_field(&deleter, tag, data)]
}

#[test]
fn tables_that_hold_for_their_own_file_are_left_out_of_a_patch() {
    for table in [b"RNAM", b"OFST", b"CLSZ"] {
        let files = deleter(&["Base.esm"], table, &[0; 8]);
        let order = order(&files);
        let options = FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert!(plan.deeds().iter().all(|deed| deed.left.is_none()), "{:#?}", plan.deeds());
        let patch = plan.patch(false).unwrap();
        let records = plugin(&patch).records().map(Result::unwrap);
        let worlds: Vec<_> = records.filter(|record| record.tag() == Tag::WRLD).collect();
        let [world] = &worlds[..] else { panic!("{worlds:?}") };
        let tags: Vec<_> = world.fields_in_place().unwrap().map(|field| field.unwrap().tag.0).collect();
        assert_eq!(tags, [*b"EDID"], "{}", Tag(*table));
    }
}

#[test]
fn a_file_that_a_field_names_and_that_is_not_in_the_order_is_named() {
    let files = deleter(&["Base.esm", "Gone.esm"], b"LTMP", &[7, 8, 0, 1]);
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    let left: Vec<&str> = plan.deeds().iter().filter_map(|deed| deed.left.as_deref()).collect();
    let named = |left: &&str| left.contains("field LTMP names Gone.esm, which is not in the load order");
    assert!(left.iter().any(named), "{:#?}", plan.deeds());
}
