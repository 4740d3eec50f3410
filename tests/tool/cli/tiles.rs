//! Tiles of a map on the command line: `navmap info --tiles`, and `draw` and `export` of them, loose and packed.

use navmap_testkit::archive;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

fn navmap(args: &[&OsStr]) -> (Option<i32>, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap() + &String::from_utf8_lossy(&done.stderr))
}

fn tiles_at(path: &Path) -> (Option<i32>, String) {
    navmap(&["info".as_ref(), "--tiles".as_ref(), path.as_os_str()])
}

fn tiles(path: &str) -> (Option<i32>, String) {
    tiles_at(&bundled().join(path))
}

/// The bundled set as the game keeps it: packages of a few tiles each, deep in folders of their own.
fn packed(folder: &Temp) {
    let mut files: Vec<_> =
        std::fs::read_dir(bundled().join("fox/set")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for (nth, tiles) in files.chunks(2).enumerate() {
        let members: Vec<(Vec<u8>, Vec<u8>)> = tiles
            .iter()
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap();
                (format!("/Assets/level/{nth}/{name}").into_bytes(), std::fs::read(path).unwrap())
            })
            .collect();
        let members: Vec<_> = members.iter().map(|(name, bytes)| (&name[..], &bytes[..])).collect();
        folder.file(format!("{nth}/block.fpk"), &archive::fpk(&members));
    }
}

#[test]
fn a_packed_set_is_the_same_map() {
    let folder = Temp::new("fox-packed");
    packed(&folder);
    let ((code, text), (_, loose)) = (tiles_at(folder.path()), tiles("fox/set"));
    assert_eq!(code, Some(0), "{text}");
    let map = |text: &str| text.split_once("plain_nav").map(|(_, map)| map.to_owned()).unwrap();
    assert_eq!(map(&text), map(&loose));

    // One archive alone: two tiles of the nine.
    let (_, text) = tiles_at(&folder.join("0/block.fpk"));
    assert!(text.contains("plain_nav: 2 tiles"), "{text}");

    let picture = folder.join("map.svg");
    let draw = |path: &Path| {
        navmap(&["draw".as_ref(), "--force".as_ref(), path.as_ref(), "-o".as_ref(), picture.as_ref()])
    };
    assert_eq!(draw(folder.path()), (Some(0), String::new()));
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("plain_nav") && svg.contains("version 201403242, 9 tiles"), "one map, not a sheet");
    assert_eq!(draw(&folder.join("0/block.fpk")), (Some(0), String::new()));
    assert!(std::fs::read_to_string(&picture).unwrap().contains("version 201403242, 2 tiles"));
}

#[test]
fn the_other_maps_of_a_folder_are_named() {
    let folder = Temp::new("fox-maps");
    let (fox, picture) = (bundled().join("fox"), folder.join("map.svg"));
    let draw = |rest: &[&str]| {
        let rest = rest.iter().map(OsStr::new);
        let args = ["draw".as_ref(), "--force".as_ref(), fox.as_ref(), "-o".as_ref(), picture.as_ref()];
        navmap(&args.into_iter().chain(rest).collect::<Vec<_>>())
    };
    let (code, said) = draw(&[]);
    assert_eq!(code, Some(0));
    assert!(said.contains("took plain_nav, which is the largest; --space takes "), "{said}");
    assert!(said.contains("quads") && said.contains("split_nav"), "{said}");
    assert_eq!(draw(&["--space", "split_nav"]), (Some(0), String::new()));
    assert!(std::fs::read_to_string(&picture).unwrap().contains("version 201403242, 1 tile"));
}

#[test]
fn one_tile_is_a_picture_unless_something_beside_it_is_broken() {
    let folder = Temp::new("fox-one-tile");
    let picture = folder.join("out.svg");
    let read = |name: &str| std::fs::read(bundled().join("fox/set").join(name)).unwrap();
    let tile = read("plain_101_101_nav.nav2");
    folder.file("tiles/plain_101_101_nav.nav2", &tile);
    let draw = || {
        let tiles = folder.join("tiles");
        let (code, _) =
            navmap(&["draw".as_ref(), "--force".as_ref(), tiles.as_ref(), "-o".as_ref(), picture.as_ref()]);
        (code, std::fs::read_to_string(&picture).unwrap())
    };
    let (code, svg) = draw();
    assert_eq!(code, Some(0));
    assert!(svg.contains(">plain_nav<") && svg.contains("version 201403242, 1 tile<"));
    folder.file("tiles/plain_101_102_nav.nav2", &tile[..200]);
    let (code, svg) = draw();
    assert_eq!(code, Some(1));
    assert!(svg.contains(">tiles: 2 maps<"), "a sheet shows both");
}

#[test]
fn a_mod_file_of_packages_is_one_map_unless_it_holds_other_meshes() {
    let folder = Temp::new("fox-mod");
    packed(&folder);
    let read = |path: &Path| std::fs::read(path).unwrap();
    let mut members = vec![archive::Zipped::stored(b"metadata.xml", b"<ModEntry/>")];
    for nth in 0..5 {
        let package = read(&folder.join(format!("{nth}/block.fpk")));
        members.push(archive::Zipped::deflated(format!("Assets/{nth}.fpk").as_bytes(), &package));
    }
    let (archive, picture) = (folder.file("map.mgsv", &archive::zip(&members)), folder.join("map.svg"));
    let draw = || {
        let done =
            navmap(&["draw".as_ref(), "--force".as_ref(), archive.as_ref(), "-o".as_ref(), picture.as_ref()]);
        assert_eq!(done, (Some(0), String::new()));
        std::fs::read_to_string(&picture).unwrap()
    };
    let svg = draw();
    assert!(svg.contains("plain_nav") && svg.contains("version 201403242, 9 tiles"), "one map");
    let loose = bundled().join("fox/set");
    assert_eq!(
        navmap(&["draw".as_ref(), "--force".as_ref(), loose.as_ref(), "-o".as_ref(), picture.as_ref()]).0,
        Some(0)
    );
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), svg, "the picture of the loose files");

    members.push(archive::Zipped::stored(b"town.nav", &read(&bundled().join("source/town.nav"))));
    std::fs::write(&archive, archive::zip(&members)).unwrap();
    assert!(draw().contains("map.mgsv: 10 maps"), "a sheet");
}

#[test]
fn a_broken_package_is_named_and_the_rest_is_a_map() {
    let folder = Temp::new("fox-broken-package");
    packed(&folder);
    let broken = folder.join("3/block.fpk");
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 5_000]).unwrap();
    let (code, text) = tiles_at(folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("plain_nav: 8 tiles") && text.contains("not read:"), "{text}");
    assert!(text.contains("3/block.fpk"), "{text}");

    let of = |verb: &str, output: &str| {
        let output = folder.join(output);
        navmap(&[verb.as_ref(), folder.path().as_ref(), "-o".as_ref(), output.as_ref()])
    };
    for (verb, output) in [("draw", "map.svg"), ("export", "map.obj")] {
        let (code, text) = of(verb, output);
        assert_eq!(code, Some(1), "{verb}: {text}");
        assert!(text.contains("3/block.fpk"), "{verb}: {text}");
        assert!(folder.join(output).is_file(), "{verb}");
    }
    let svg = std::fs::read_to_string(folder.join("map.svg")).unwrap();
    assert!(svg.contains("version 201403242, 8 tiles, 1 file not readable"));
}

#[cfg(unix)]
#[test]
fn what_a_folder_names_and_does_not_hold_is_told_and_the_rest_is_a_map() {
    let folder = Temp::new("fox-dangling");
    packed(&folder);
    std::os::unix::fs::symlink("nowhere", folder.join("gone.nav2")).unwrap();
    let picture = folder.join("map.svg");
    let draw = navmap(&[
        "draw".as_ref(),
        "--force".as_ref(),
        folder.path().as_ref(),
        "-o".as_ref(),
        picture.as_ref(),
    ]);
    for (code, text) in [tiles_at(folder.path()), draw] {
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("gone.nav2: No such file"), "{text}");
    }
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("version 201403242, 9 tiles, 1 file not readable"));
}

#[test]
fn a_path_where_nothing_is_is_a_failed_run() {
    let (code, text) = tiles("fox/no-such-folder");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no-such-folder"), "{text}");
}

#[test]
fn a_sound_set_is_drawn_and_exits_clean() {
    let (code, text) = tiles("fox/set");
    assert!(text.contains("plain_nav: 9 tiles, map of 4 columns"), "{text}");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn broken_files_are_named_and_exit_with_findings() {
    let (code, text) = tiles("hostile/fox");
    assert!(text.contains("not read:") && text.contains("next entry: 0 bytes on"), "{text}");
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn a_folder_without_tiles_is_a_failed_run() {
    let (code, text) = tiles("quake");
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn a_check_of_a_folder_of_server_tiles_reports_what_is_odd_about_the_map() {
    let check = |folder: &Temp| {
        navmap(&["check".as_ref(), "--strict".as_ref(), "-q".as_ref(), folder.path().as_ref()])
    };
    let source = bundled().join("detour/map");
    let copy = |name: &str, names: &[(&str, &str)]| {
        let folder = Temp::new(name);
        for (from, to) in names {
            folder.file(to, &std::fs::read(source.join(from)).unwrap());
        }
        folder
    };
    let head = ("001.mmap", "deep/001.mmap");
    let (east, west) = ("0013231.mmtile", "0013131.mmtile");
    let whole = copy("map-whole", &[head, (east, "deep/0013231.mmtile"), (west, "deep/0013131.mmtile")]);
    let (_, said) = check(&whole);
    assert!(!said.contains("[name-place]") && !said.contains("[tile-place]"), "{said}");
    // Column and row of the name are those of another tile.
    let swapped = copy("map-swapped", &[head, (east, "deep/0013132.mmtile")]);
    let (code, said) = check(&swapped);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("0013132.mmtile: ") && said.contains("[name-place]"), "{said}");
    let (code, json) = navmap(&[
        "check".as_ref(),
        "-q".as_ref(),
        "--format".as_ref(),
        "jsonl".as_ref(),
        "--code".as_ref(),
        "name-place".as_ref(),
        swapped.path().as_ref(),
    ]);
    assert_eq!((code, json.lines().count()), (Some(1), 1), "{json}");
}

#[test]
fn a_check_finds_the_same_in_folders_of_a_list_and_in_folders_that_are_named_twice() {
    let folder = Temp::new("map-listed");
    for (from, to) in [("001.mmap", "maps/deep/001.mmap"), ("0013231.mmtile", "maps/deep/0013132.mmtile")] {
        folder.file(to, &std::fs::read(bundled().join("detour/map").join(from)).unwrap());
    }
    let list = folder.file("list", b"maps\n");
    let check = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        let done = command.arg("check").args(args).current_dir(folder.path()).output().unwrap();
        (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
    };
    let (code, found, said) = check(&["maps"]);
    assert!(
        code == Some(1) && found.contains("[name-place]") && said.contains("name-place in 1 mesh"),
        "{said}"
    );
    for args in
        [&["--files-from", "list"][..], &["maps", "maps/deep", "./maps"], &["maps", "--files-from", "list"]]
    {
        let again = check(args);
        assert_eq!((again.0, &again.1), (code, &found), "{args:?}");
    }
    // Once more from the innermost folder on: the same findings, under the path that came first.
    assert_eq!(check(&["maps/deep", "maps"]).1, found);
    std::fs::remove_file(list).unwrap();
}

/// Tiles of the bundled set as files below a folder.
fn fox(name: &str, tiles: &[(&str, &str)]) -> Temp {
    let folder = Temp::new(name);
    for (from, to) in tiles {
        folder.file(to, &std::fs::read(bundled().join("fox").join(from)).unwrap());
    }
    folder
}

fn check_at(folder: &Path) -> (Option<i32>, String) {
    navmap(&["check".as_ref(), "-q".as_ref(), folder.as_os_str()])
}

#[test]
fn a_check_of_a_folder_of_fox_tiles_reports_what_is_odd_about_each_map() {
    let west = ("set/plain_101_101_nav.nav2", "a/plain_101_101_nav.nav2");
    let other = [("split/split_101_101_nav.nav2", "split_101_101_nav.nav2"), ("quads.nav2", "quads.nav2")];
    let beside = ("set/plain_101_102_nav.nav2", "b/plain_101_102_nav.nav2");
    // A map lies in one folder or many, and other maps lie beside it.
    let sound = fox("fox-sound", &[west, beside, other[0], other[1]]);
    let (code, said) = check_at(sound.path());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("plain_101_101_nav.nav2: info: ") && said.contains("[neighbour-absent]"), "{said}");
    assert!(!said.contains("[mixed-maps]") && !said.contains("[split-part-absent]"), "{said}");
    // Named after another tile.
    let renamed = fox("fox-renamed", &[west, ("set/plain_101_102_nav.nav2", "b/plain_103_103_nav.nav2")]);
    let (code, said) = check_at(renamed.path());
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("plain_103_103_nav.nav2: warning: ") && said.contains("[tile-name]"), "{said}");
    // Two versions of a map: which tiles go together is not known.
    let twice = fox("fox-twice", &[west, (west.0, "c/plain_101_101_nav.nav2"), beside]);
    let (code, said) = check_at(twice.path());
    assert!(code == Some(0) && !said.contains("[duplicate-tile]"), "{said}");
}

#[test]
fn real_maps_of_fox_have_nothing_that_counts() {
    let Some(real) = navmap_testkit::corpus::real() else { return };
    let strict = |folder: &str| {
        let folder = real.join(folder);
        navmap(&["check".as_ref(), "-q".as_ref(), "--least".as_ref(), "warning".as_ref(), folder.as_os_str()])
    };
    assert_eq!(strict("fox/ssav"), (Some(0), String::new()));
    let (_, said) = strict("fox");
    assert!(!said.contains("[mixed-maps]") && !said.contains("[split-part-absent]"), "{said}");
}

#[test]
fn the_head_of_a_map_alone_says_where_the_mesh_is() {
    let head = bundled().join("detour/map/001.mmap");
    for (verb, more) in [("reach", &[][..]), ("locate", &["0", "0", "0"])] {
        let mut args = vec![OsStr::new(verb), head.as_os_str()];
        args.extend(more.iter().map(OsStr::new));
        let (_, said) = navmap(&args);
        assert!(said.contains("has no polygon of its own: the mesh is its folder"), "{verb}: {said}");
    }
}
