//! Load orders: folders, archives, what is given twice, what cannot be loaded.

use navmap::open::{Atlas, AtlasOptions, OpenOptions, Plugins};
use navmap_testkit::archive as make;
use navmap_testkit::bytes::Rng;
use navmap_testkit::skyrim::plugin::Plugin;
use navmap_testkit::temp::Temp;
use std::cell::Cell;
use std::path::Path;

fn bytes(masters: &[&str]) -> Vec<u8> {
    Plugin::new(44, 1.7, masters).encode()
}

fn open(paths: &[&Path]) -> Plugins {
    Plugins::open(paths.iter().map(|path| path.to_path_buf()), &OpenOptions::new(), &|| {})
}

/// Names in load order, and the errors of what was not loaded.
fn seen(root: &Path, paths: &[&str]) -> (Vec<String>, Vec<String>) {
    let paths: Vec<_> = paths.iter().map(|path| root.join(path)).collect();
    let plugins = open(&paths.iter().map(|path| path.as_path()).collect::<Vec<_>>());
    let order = plugins.order();
    let names = (0..plugins.len()).map(|index| order.get(index).unwrap().0.to_owned()).collect();
    assert_eq!(
        (order.len(), plugins.is_empty(), plugins.intact().is_ok()),
        (plugins.len(), order.is_empty(), true)
    );
    let root = format!("{}/", root.display());
    let errors = plugins.beside().unread.iter().map(|error| error.to_string().replace(&root, ""));
    (names, errors.collect())
}

#[test]
fn a_plugin_is_loaded_once_where_it_comes_first() {
    let temp = Temp::new("plugins-twice");
    for folder in ["Data", "Backup", "Mods"] {
        temp.file(format!("{folder}/Base.esm"), &bytes(&[]));
    }
    temp.file("Data/Patch.esp", &bytes(&["Base.esm"]));
    temp.file("Mods/PATCH.ESP", &bytes(&["Base.esm", "Other.esm"]));
    let both = ["Base.esm", "Patch.esp"];
    for paths in [
        &["Data/Base.esm", "Data/Patch.esp", "Data/Base.esm", "Data/../Data/Patch.esp"][..],
        &["Data/Base.esm", "Data"],
        &["Data", "Data", "Data/Patch.esp"],
        &["Data", "Backup", "Backup/Base.esm"],
    ] {
        assert_eq!(seen(temp.path(), paths), (both.map(String::from).to_vec(), vec![]), "{paths:?}");
    }
    let (names, errors) = seen(temp.path(), &["Data", "Mods"]);
    assert_eq!(names, both);
    let at = temp.join("Data/Patch.esp").display().to_string();
    assert_eq!(
        errors,
        [format!("Mods/PATCH.ESP: plugin of this name: is loaded from {at} already")
            .replace(&format!("{}/", temp.path().display()), "")]
    );
}

#[test]
fn plugins_of_a_folder_and_of_an_archive_load_after_their_masters() {
    let temp = Temp::new("plugins-order");
    let (a, b, z) = (bytes(&["z.esm"]), bytes(&["A.esp", "Z.esm", "Absent.esm"]), bytes(&[]));
    temp.file("Data/A.esp", &a);
    temp.file("Data/below/B.esp", &b);
    temp.file("Data/Z.esm", &z);
    temp.file("Data/readme.txt", b"no plugin");
    temp.file(
        "Mod.zip",
        &make::deflated_zip(&[(b"B.esp", &b), (b"A.esp", &a), (b"Z.esm", &z), (b"a.nav", b"")]),
    );
    for path in ["Data", "Mod.zip"] {
        let (names, errors) = seen(temp.path(), &[path]);
        assert_eq!(
            (names.as_slice(), errors),
            (&["Z.esm", "A.esp", "B.esp"].map(String::from)[..], vec![]),
            "{path}"
        );
    }
    // What is named keeps its place: B comes first, so its masters do not.
    assert_eq!(seen(temp.path(), &["Mod.zip!B.esp", "Data"]).0, ["B.esp", "Z.esm", "A.esp"]);
}

#[test]
fn masters_of_a_folder_load_before_other_plugins() {
    let temp = Temp::new("plugins-turns");
    let mut flagged = Plugin::new(44, 1.7, &[]);
    flagged.flags = 1;
    temp.file("Data/A.esp", &bytes(&["D.esp"]));
    temp.file("Data/B.esp", &flagged.encode());
    temp.file("Data/C.esl", &bytes(&[]));
    temp.file("Data/D.esp", &bytes(&[]));
    let (names, errors) = seen(temp.path(), &["Data"]);
    assert_eq!((names.join(" "), errors), ("B.esp C.esl D.esp A.esp".to_owned(), vec![]));
}

#[test]
fn what_cannot_be_loaded_comes_back_as_data_and_the_rest_is_loaded() {
    let temp = Temp::new("plugins-unread");
    temp.file("a.esp", &bytes(&[]));
    temp.file("broken.esm", b"TES4");
    let mesh = std::fs::read(navmap_testkit::corpus::bundled().join("skyrim/nvnm/v12.nvnm"));
    temp.file("mesh.nvnm", &mesh.unwrap());
    let (names, errors) = seen(temp.path(), &["missing.esm", "broken.esm", "mesh.nvnm", "a.esp!b", "a.esp"]);
    assert_eq!((names, errors.len()), (vec!["a.esp".to_owned()], 4));
    for (error, name) in errors.iter().zip(["missing.esm: ", "broken.esm: ", "mesh.nvnm: ", "a.esp"]) {
        assert!(error.starts_with(name), "{error}");
    }
}

#[test]
fn the_caller_is_told_of_each_file() {
    let temp = Temp::new("plugins-done");
    temp.file("Data/A.esp", &bytes(&[]));
    temp.file("Data/B.esp", &bytes(&[]));
    let done = Cell::new(0);
    let paths = [temp.join("Data"), temp.join("missing.esm")];
    Plugins::open(paths, &OpenOptions::new(), &|| done.set(done.get() + 1));
    assert_eq!(done.get(), 3);
}

/// Points of one space are tested against its areas alone, and the answer is that among all of them.
#[test]
fn points_in_a_chosen_space_are_where_they_are_among_all_spaces() {
    use navmap::graph::{Aabb, Point};
    let (mut found, mut looked) = (0, [0; 2]);
    for name in ["skyrim/se", "skyrim/fo4", "skyrim/order"] {
        let folder = navmap_testkit::corpus::project().join("corpus").join(name);
        let open = |space: Option<&str>, only_points: bool| {
            let options = AtlasOptions { space, only_points, ..AtlasOptions::default() };
            Atlas::open(&folder, &options, &mut Vec::new()).unwrap()
        };
        let mut rng = Rng(5);
        let all = open(None, true);
        assert!(all.is_divided(), "{name}");
        for (number, (space, _)) in all.spaces.iter().enumerate() {
            let own = open(Some(&space.to_string()), true);
            assert_eq!((own.chosen, own.index.len()), (Some(number), all.index.len()));
            let keep = |area| all.keeps(area, Some(number));
            let mut bounds = Aabb::EMPTY;
            let areas = all.index.areas().filter(|area| keep(*area));
            areas.filter_map(|area| all.index.center(area)).for_each(|center| bounds.add(center));
            for _ in 0..200 {
                let mut between = |low: f32, high: f32| {
                    low - 300.0 + (high - low + 600.0) * (rng.below(1_000) as f32 / 999.0)
                };
                let [[x0, y0, z0], [x1, y1, z1]] = [bounds.min, bounds.max].map(Point::to_array);
                let p = Point::new(between(x0, x1), between(y0, y1), between(z0, z1));
                let (mut of_all, mut of_own) = (0, 0);
                // Areas are numbered along a curve over those that have ground, nodes as in the file.
                let area = all.index.area_at_counted(p, None, keep, &mut of_all);
                let one = own.index.area_at_counted(p, None, |area| own.keeps(area, own.chosen), &mut of_own);
                assert_eq!(one.map(|area| own.index.node(area)), area.map(|area| all.index.node(area)));
                let near = all.index.nearest_counted(p, f32::INFINITY, keep, &mut of_all);
                let one = own.index.nearest_counted(p, f32::INFINITY, |_| true, &mut of_own);
                let [all_near, own_near] = [(near, &all), (one, &own)].map(|(near, atlas)| {
                    near.map(|near| (atlas.index.node(near.area), near.point, near.distance))
                });
                assert_eq!(own_near, all_near, "{name} {space} {p:?}");
                assert!(near.is_some());
                found += usize::from(area.is_some());
                looked = [looked[0] + of_own, looked[1] + of_all];
            }
        }
    }
    assert!(found > 50 && looked[0] * 2 < looked[1], "{found} {looked:?}");
}
