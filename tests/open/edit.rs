//! The one opener of editors: parts of a split tile, what is said, what cannot be edited.

use navmap::edit::{Opening, SessionOptions};
use navmap::format::{Ability, Kind, not_edited};
use navmap::open::{Edited, Mesh, OpenOptions, edit, edit_with};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;

fn open(path: &Path) -> Edited {
    let mesh = Mesh::open(path).unwrap();
    edit_with(&mesh, SessionOptions::default(), &Opening::default(), &OpenOptions::new()).unwrap()
}

#[test]
fn the_parts_of_a_split_tile_are_opened_and_written_as_one() {
    let [first, second] = ["split_101_101_nav.nav2", "split_101_101_nav.1.nav2"]
        .map(|name| bundled().join("fox/split").join(name));
    let temp = Temp::new("open-parts");
    for (named, path) in [&first, &second].into_iter().enumerate() {
        let mut edited = open(path);
        assert_eq!((edited.parts.as_slice(), edited.named()), (&[first.clone(), second.clone()][..], named));
        assert!(edited.session.run("attribute 0x0060 island(0)").1.is_none());
        let places = ["new.nav2", "new.1.nav2"].map(|name| temp.join(name));
        assert_eq!(edited.beside(&places[named]), places);
        let files = edited.files(&places[named]).unwrap();
        assert_eq!(
            files.iter().map(|file| &file.0).collect::<Vec<_>>(),
            [&places[named], &places[1 - named]]
        );
        for (place, bytes) in files {
            let was = if place == places[0] { &first } else { &second };
            assert!(bytes != fs::read(was).unwrap(), "{}", place.display());
        }
        // A name that no part can stand beside.
        let error = edited.files(Path::new("-")).unwrap_err().to_string();
        assert!(error.contains("another part of the mesh changes as well"), "{error}");
        // What is taken back is written nowhere else.
        edited.session.undo(9);
        assert_eq!(edited.files(&places[named]).unwrap().len(), 1);
    }

    // What is no part of the tile is left alone, and that is said.
    for (part, why) in
        [(&b"no mesh at all"[..], "not a navigation mesh"), (&fs::read(&first).unwrap(), "part 0")]
    {
        let [one, two] = ["x_nav.nav2", "x_nav.1.nav2"].map(|name| temp.join(name));
        fs::copy(&first, &one).unwrap();
        fs::write(&two, part).unwrap();
        let edited = open(&one);
        assert!(edited.parts.is_empty() && edited.said.len() == 1, "{:?}", edited.said);
        let said = &edited.said[0];
        assert!(
            said.starts_with("is edited without the other parts beside it: ") && said.contains(why),
            "{said}"
        );
    }

    // A mesh in memory is alone, whatever it is called.
    let mesh = Mesh::from_vec(&first, fs::read(&first).unwrap()).unwrap();
    assert!(edit(&mesh, SessionOptions::default()).unwrap().further().unwrap().is_empty());
    let edited =
        edit_with(&mesh, SessionOptions::default(), &Opening::default(), &OpenOptions::new()).unwrap();
    assert!(edited.parts.is_empty() && edited.said.is_empty());
}

#[test]
fn what_cannot_be_edited_is_told_with_what_can() {
    let mesh = Mesh::open(bundled().join("xray/v10.ai")).unwrap();
    let error = edit(&mesh, SessionOptions::default()).err().unwrap().to_string();
    assert!(
        error.contains("xray/v10.ai: ") && error.contains("xray meshes cannot be edited yet; "),
        "{error}"
    );
    for kind in Kind::ALL {
        let merges = !kind.can(Ability::Merge) || kind.can(Ability::Script);
        assert!(merges && (!kind.can(Ability::Script) || kind.can(Ability::Edit)), "{kind}");
    }
    for (ability, told) in [
        (
            Ability::Edit,
            "cannot be edited yet; Source 2 meshes, Source meshes of version 1 to 16, Quake graphs, Fox tiles, plugins, tiles of Detour, areas of Quake III, waypoints of YaPB and POD-Bot, node graphs and waypoints of RCBot2 can",
        ),
        (
            Ability::Script,
            "have no scripts; Source 2 meshes, Source meshes of version 1 to 16, Quake graphs, Fox tiles, plugins, tiles of Detour, areas of Quake III, waypoints of YaPB and POD-Bot and waypoints of RCBot2 have",
        ),
        (
            Ability::Merge,
            "cannot be merged; Source 2 meshes, Source meshes of version 1 to 16, Quake graphs, tiles of Detour, areas of Quake III, waypoints of YaPB and POD-Bot and waypoints of RCBot2 can",
        ),
        (Ability::Map, "is for meshes of Source and GoldSrc, not of xray"),
    ] {
        let error = not_edited(mesh.family(), ability).to_string();
        assert!(error.ends_with(told), "{error}");
    }
}
