//! Patches that are light plugins, patches over light plugins, and what a patch names.

use super::order;
use crate::plugin;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Game, Scale, Tag};
use navmap_testkit::skyrim::damage::{self, File, WEST};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, record};
use navmap_testkit::skyrim::{LE, SE, STARFIELD};

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

#[test]
fn a_file_that_a_field_names_and_that_is_not_in_the_order_is_named() {
    let [base, ..] = damage::order();
    let mut deleter = Made::new(SE.form, SE.hedr, &["Base.esm", "Gone.esm"]);
    let deleted = record(b"NAVM", deleter.head(WEST, DELETED), b"");
    let world = deleter.worldspace(0x0900, &[(0x0901, 0, 0, vec![deleted])]);
    deleter.groups.push(world);
    let deleter = File { name: "Deleter.esp", bytes: deleter.encode() };
    let files = [base, damage::with_world_field(&deleter, b"LTMP", &[7, 8, 0, 1])];
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    let left: Vec<&str> = plan.deeds().iter().filter_map(|deed| deed.left.as_deref()).collect();
    let named = |left: &&str| left.contains("field LTMP names Gone.esm, which is not in the load order");
    assert!(left.iter().any(named), "{:#?}", plan.deeds());
}
