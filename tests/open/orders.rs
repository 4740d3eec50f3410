//! Load orders that games and mod managers write.

use navmap::open::{ListedPlugins, load_order};
use navmap_testkit::skyrim::plugin::Plugin;
use navmap_testkit::temp::Temp;
use std::path::PathBuf;

/// A plugin with these flags in its header.
fn flagged(version: u16, flags: u32, masters: &[&str]) -> Vec<u8> {
    let mut plugin = Plugin::new(version, 1.7, masters);
    plugin.flags = flags;
    plugin.encode()
}

fn plain(masters: &[&str]) -> Vec<u8> {
    flagged(44, 0, masters)
}

fn read(temp: &Temp, list: &str) -> ListedPlugins {
    temp.file("lists/plugins.txt", list.as_bytes());
    load_order(&temp.join("lists/plugins.txt"), &[temp.join("game/Data")]).unwrap().unwrap()
}

fn names(plugins: &[PathBuf]) -> Vec<&str> {
    plugins.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect()
}

#[test]
fn plugins_of_the_game_and_of_the_creation_club_load_though_no_list_names_them() {
    let temp = Temp::new("orders-club");
    for name in ["Skyrim.esm", "ccBig.esm", "ccSmall.esl", "Off.esl", "Mod.esp"] {
        temp.file(format!("game/Data/{name}"), &plain(&[]));
    }
    temp.file("game/Skyrim.ccc", b"ccSmall.esl\r\n# none\r\nccAbsent.esl\r\nCCBIG.ESM");
    let listed = read(&temp, "*Mod.esp\nOff.esl\n");
    assert_eq!(names(&listed.whole().unwrap()), ["Skyrim.esm", "ccSmall.esl", "ccBig.esm", "Mod.esp"]);
    // Beside the plugins it is found too, and what is no file is none.
    temp.file("game/Data/Fallout4.ccc", b"Off.esl");
    std::fs::create_dir(temp.join("game/Data/Starfield.ccc")).unwrap();
    let listed = read(&temp, "*Mod.esp\n").whole().unwrap();
    assert_eq!(names(&listed), ["Skyrim.esm", "Off.esl", "ccSmall.esl", "ccBig.esm", "Mod.esp"]);
}

#[test]
fn masters_load_before_other_plugins_whatever_the_list_says() {
    let temp = Temp::new("orders-masters");
    temp.file("game/Data/A.esp", &plain(&[]));
    temp.file("game/Data/B.esp", &flagged(44, 1, &[]));
    temp.file("game/Data/C.esl", &plain(&[]));
    temp.file("game/Data/D.esm", b"no plugin");
    let listed = read(&temp, "*A.esp\n*D.esm\n*B.esp\n*C.esl\n");
    assert_eq!(names(&listed.plugins), ["D.esm", "B.esp", "C.esl", "A.esp"]);
    // What a master needs loads before it.
    temp.file("game/Data/D.esm", &flagged(44, 1, &["a.ESP"]));
    let listed = read(&temp, "*A.esp\n*B.esp\n*C.esl\n*D.esm\n");
    assert_eq!(names(&listed.plugins), ["B.esp", "C.esl", "A.esp", "D.esm"]);
    // Blueprints of Starfield load last.
    temp.file("game/Data/BlueprintShips-Starfield.esm", &flagged(555, 0x801, &[]));
    let listed = read(&temp, "*A.esp\n*C.esl\n");
    assert_eq!(names(&listed.plugins), ["C.esl", "A.esp", "BlueprintShips-Starfield.esm"]);
}

#[test]
fn the_flag_alone_makes_a_master_in_the_skyrim_of_2011() {
    let temp = Temp::new("orders-flag");
    for (name, flags) in [("A.esp", 0), ("Campfire.esm", 0), ("C.esp", 1)] {
        temp.file(format!("game/Data/{name}"), &flagged(43, flags, &[]));
    }
    let listed = read(&temp, "*A.esp\n*Campfire.esm\n*C.esp\n").whole().unwrap();
    assert_eq!(names(&listed), ["C.esp", "A.esp", "Campfire.esm"]);
    // The same plugins in the game of a newer one.
    temp.file("game/Data/A.esp", &plain(&[]));
    let listed = read(&temp, "*A.esp\n*Campfire.esm\n*C.esp\n").whole().unwrap();
    assert_eq!(names(&listed), ["Campfire.esm", "C.esp", "A.esp"]);
}

#[test]
fn lines_without_a_plugin_are_an_error_that_comes_with_the_others() {
    let temp = Temp::new("orders-stale");
    temp.file("game/Data/A.esp", &plain(&[]));
    let gone: String = (0..20).map(|number| format!("*Gone{number}.esp\n")).collect();
    let listed = read(&temp, &format!("*A.esp\n{gone}"));
    assert_eq!(names(&listed.plugins), ["A.esp"]);
    let error = listed.missing.as_ref().unwrap().to_string();
    for told in ["plugins.txt: ", "Gone0.esp, ", "Gone7.esp and 12 more", "game/Data, ", "lists", "--data"] {
        assert!(error.contains(told), "{told}: {error}");
    }
    assert_eq!(listed.whole().unwrap_err().to_string(), error);
    assert!(read(&temp, "*A.esp\n").missing.is_none());
}
