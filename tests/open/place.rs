//! What lies at a path, and the walk over it.

use navmap::ErrorKind;
use navmap::open::{self, Bytes, Item, Mesh, OpenOptions, Place, Space};
use navmap_testkit::archive as make;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::io::ErrorKind::NotFound;
use std::ops::ControlFlow;
use std::path::Path;

/// A mesh of whichever family is there, and its name.
fn any() -> (&'static str, Vec<u8>) {
    let path = match () {
        #[cfg(feature = "quake")]
        () => "quake/nav3-v6.nav",
        #[cfg(all(feature = "source", not(feature = "quake")))]
        () => "source/town.nav",
        #[cfg(all(feature = "fox", not(any(feature = "quake", feature = "source"))))]
        () => "fox/set/plain_101_101_nav.nav2",
        #[cfg(not(any(feature = "quake", feature = "source", feature = "fox")))]
        () => "skyrim/se/stored.esp",
    };
    ("a.nav", std::fs::read(bundled().join(path)).unwrap_or_default())
}

/// Title, location below the folder, space, nodes, whether there is an error.
type Seen = (String, String, Option<String>, Option<usize>, bool);

fn seen(root: &Path, item: &Item<'_>) -> Seen {
    let location = item.location();
    let location = location.strip_prefix(root).unwrap_or(&location).to_str().unwrap().to_owned();
    let nodes = item.flat_graph().map(|graph| graph.value.nodes().len());
    (item.title.clone(), location, item.space.as_ref().map(Space::to_string), nodes, item.error.is_some())
}

fn walk(root: &Path, path: &Path) -> Vec<Seen> {
    let mut all = Vec::new();
    open::walk(path, &OpenOptions::new(), &mut |item| {
        all.push(seen(root, &item));
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

#[test]
fn a_walk_comes_by_files_members_and_what_is_broken() {
    let (_, mesh) = any();
    let temp = Temp::new("open-walk");
    temp.file("b.nav", &mesh);
    temp.file("a.zip", &make::deflated_zip(&[(b"maps/in.nav", &mesh), (b"maps/bad.nav", b"no mesh")]));
    temp.file("c.nav", &mesh[..6]);
    temp.file("d.txt", b"text");
    let inner = make::pak(&[(b"deep.nav", &mesh)]);
    temp.file("e.pak", &make::pak(&[(b"x.pak", &inner)]));
    let all = walk(temp.path(), temp.path());
    let names: Vec<_> = all.iter().map(|item| (item.0.as_str(), item.1.as_str(), item.4)).collect();
    assert_eq!(
        names,
        [
            ("in", "a.zip!maps/in.nav", false),
            ("bad", "a.zip!maps/bad.nav", true),
            ("b", "b.nav", false),
            ("c", "c.nav", true),
            ("deep", "e.pak!x.pak!deep.nav", false),
        ]
    );
    let nodes: Vec<_> = all.iter().filter(|item| !item.4).map(|item| item.3).collect();
    assert!(nodes[0].unwrap() > 0 && nodes.iter().all(|count| *count == nodes[0]), "{nodes:?}");
}

#[test]
fn a_walk_ends_when_it_is_told_to() {
    let (_, mesh) = any();
    let temp = Temp::new("open-walk-end");
    let members: Vec<_> = (0..9).map(|n| format!("{n}.nav").into_bytes()).collect();
    let members: Vec<_> = members.iter().map(|name| (&name[..], &mesh[..])).collect();
    temp.file("a.zip", &make::deflated_zip(&members));
    temp.file("b.nav", &mesh);
    let mut items = 0;
    open::walk(temp.path(), &OpenOptions::new(), &mut |_| {
        items += 1;
        if items == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(items, 3);
}

#[test]
fn a_stored_member_is_viewed_in_place_and_a_compressed_file_needs_no_name() {
    let (name, mesh) = any();
    let temp = Temp::new("open-member");
    let pak = temp.file("p.pak", &make::pak(&[(b"other.nav", b"x"), (name.as_bytes(), &mesh)]));
    let zip = temp.file("z.zip", &make::deflated_zip(&[(name.as_bytes(), &mesh)]));
    let gz = temp.file("a.nav.gz", &make::gzip(&mesh));
    for path in
        [format!("{}!a.nav", pak.display()), format!("{}!a.nav", zip.display()), gz.display().to_string()]
    {
        let opened = Mesh::open(&path).unwrap();
        assert_eq!((&**opened.bytes(), opened.bytes().member()), (&mesh[..], Some(name)), "{path}");
        assert_eq!(opened.items()[0].title, "a");
        assert!(opened.intact().is_ok());
    }
    let error = Mesh::open(&zip).unwrap_err().to_string();
    assert!(error.contains("is a container (zip)"), "{error}");
}

#[test]
fn a_member_that_is_not_there_is_not_found_and_the_nearest_are_named() {
    let temp = Temp::new("open-absent");
    let inner = make::deflated_zip(&[(b"deep.nav", b"x"), (b"readme.txt", b"x")]);
    let members: [(&[u8], &[u8]); 4] =
        [(b"maps/town.nav", b"x"), (b"maps/tower.nav", b"x"), (b"other/far.nav", b"x"), (b"in.zip", &inner)];
    temp.file("z.zip", &make::deflated_zip(&members));
    temp.file("p.pak", &make::pak(&members));
    temp.file("t.tar.gz", &make::gzip(&make::tar(&members)));
    for archive in ["z.zip", "p.pak", "t.tar.gz"] {
        for (member, near) in [
            ("maps/twon.nav", "; did you mean maps/town.nav, maps/tower.nav?"),
            ("far.nav", "; did you mean other/far.nav?"),
            ("in.zip!deeep.nav", "; did you mean deep.nav?"),
            ("nothing-of-the-kind", ""),
        ] {
            let path = temp.join(format!("{archive}!{member}"));
            let error = Bytes::open(&path, &OpenOptions::new()).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Io(io) if io.kind() == NotFound), "{error}");
            assert_eq!(error.file(), Some(&*path));
            let said = error.without_file().to_string();
            assert_eq!(said, format!("the archive holds no member of this name{near}"), "{}", path.display());
        }
    }
}

#[test]
fn a_member_is_opened_by_the_spelling_that_is_printed() {
    let temp = Temp::new("open-spelling");
    let names: [(&[u8], &str); 6] = [
        (b"a\xff.nav", "a\\xff.nav"),
        (b"a\\xff.nav", "a\\u{5c}xff.nav"),
        (b"b\x1b[31m\n.nav", "b\\u{1b}[31m\\u{a}.nav"),
        (b"b\\u{1b}.nav", "b\\u{5c}u{1b}.nav"),
        (b"in\\new\\town.nav", "in\\new\\town.nav"),
        (b"in\\xabc.nav", "in\\u{5c}xabc.nav"),
    ];
    // Each is as long as its place tells.
    let bytes: Vec<Vec<u8>> = (1..=names.len()).map(|len| vec![b'x'; len]).collect();
    let members: Vec<_> = names.iter().zip(&bytes).map(|((name, _), bytes)| (*name, &bytes[..])).collect();
    temp.file("d.zip", &make::deflated_zip(&members));
    temp.file("s.zip", &make::stored_zip(&members));
    temp.file("t.tar.gz", &make::gzip(&make::tar(&members)));
    temp.file("u.zip", &make::stored_zip(&[(b"in.zip", &make::deflated_zip(&members))]));
    for archive in ["d.zip", "s.zip", "t.tar.gz", "u.zip"] {
        let inside = if archive == "u.zip" { "in.zip!" } else { "" };
        let printed: Vec<_> = walk(temp.path(), &temp.join(archive)).into_iter().map(|item| item.1).collect();
        let spelled: Vec<_> = names.iter().map(|(_, name)| format!("{archive}!{inside}{name}")).collect();
        assert_eq!(printed, spelled);
        for (path, bytes) in spelled.iter().zip(&bytes) {
            let opened = Bytes::open(temp.join(path), &OpenOptions::new()).unwrap();
            assert_eq!((opened.len(), opened.location()), (bytes.len(), temp.join(path)));
        }
        // What looks like an escape, and stands for no member, is what was typed.
        let typed = temp.join(format!("{archive}!{inside}in\\xabc.nav"));
        assert_eq!(Bytes::open(typed, &OpenOptions::new()).unwrap().len(), 6);
    }
}

#[test]
fn a_compressed_tar_is_an_archive_and_what_wraps_no_mesh_is_none() {
    let (name, mesh) = any();
    let temp = Temp::new("open-tar");
    let tar = temp.file("a.tar.gz", &make::gzip(&make::tar(&[(name.as_bytes(), &mesh)])));
    assert!(matches!(Place::at(&tar, &OpenOptions::new()).unwrap(), Place::Archive(_)));
    assert_eq!(walk(temp.path(), &tar)[0].1, "a.tar.gz!a.nav");
    let text = temp.file("b.txt.gz", &make::gzip(b"text"));
    assert!(walk(temp.path(), &text).is_empty());
    let cut = temp.file("c.nav.gz", &make::gzip(&mesh)[..20]);
    let error = Place::at(&cut, &OpenOptions::new()).unwrap_err();
    assert_eq!(error.file(), Some(cut.as_path()), "{error}");
    let mut options = OpenOptions::new();
    options.limits.inflated_bytes = 10;
    let whole = temp.file("d.nav.gz", &make::gzip(&mesh));
    assert!(matches!(
        Mesh::open_with(&whole, &options).unwrap_err().kind(),
        ErrorKind::Limit { .. } | ErrorKind::Io(_)
    ));
}

#[test]
fn nothing_at_a_path_is_an_error_that_names_it() {
    let temp = Temp::new("open-nothing");
    let missing = temp.join("missing");
    assert_eq!(Place::at(&missing, &OpenOptions::new()).unwrap_err().file(), Some(missing.as_path()));
    assert!(walk(temp.path(), temp.path()).is_empty());
}

#[cfg(feature = "skyrim")]
#[test]
fn spaces_of_a_plugin_are_items_with_their_editor_ids() {
    let village = bundled().join("skyrim/se/village.esp");
    let mesh = Mesh::open(&village).unwrap();
    let mut items = mesh.items();
    let spaces: Vec<_> = items.iter().map(|item| item.space.clone().unwrap()).collect();
    assert_eq!(spaces[0], Space::World { form: 0x0100_0801, editor_id: Some("TestWorld".into()) });
    let sizes: Vec<_> = items.iter().map(|item| item.flat_graph().unwrap().value.nodes().len()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "the largest first: {sizes:?}");
    assert!(items[0].subtitle().ends_with(", worldspace TestWorld (01000801)"), "{}", items[0].subtitle());
    open::choose(&mut items, "01a26f").unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(items[0].space, Some(Space::Cell { form: 0x0001_A26F, editor_id: Some("TestCell".into()) }));
    let error = open::choose(&mut items, "moon").unwrap_err();
    assert_eq!(error.file(), Some(village.as_path()));
}

#[cfg(feature = "fox")]
#[test]
fn a_folder_of_tiles_is_its_maps() {
    let set = bundled().join("fox/set");
    let Place::Tiles(tiles) = Place::at(&set, &OpenOptions::new()).unwrap() else { panic!("a map") };
    let items = tiles.items();
    assert_eq!(items[0].space, Some(Space::Map("plain_nav".into())));
    assert!(items[0].nav().is_none() && items[0].summary().is_some());
    let all = walk(&set, &set);
    assert_eq!((all.len(), all[0].0.as_str()), (items.len(), "plain_nav"));
    assert!(all[0].3.unwrap() > 0);
}

#[cfg(all(feature = "fox", unix))]
#[test]
fn what_of_a_folder_cannot_be_looked_into_comes_back_as_data() {
    let temp = Temp::new("open-beside");
    temp.file("a.nav", &any().1);
    std::os::unix::fs::symlink("nowhere", temp.join("gone.nav")).unwrap();
    let beside = open::walk(temp.path(), &OpenOptions::new(), &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(beside.unread.len(), 1);
    assert_eq!(beside.unread[0].file(), Some(temp.join("gone.nav").as_path()));
}
