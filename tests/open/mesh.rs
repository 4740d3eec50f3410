//! A mesh that owns its bytes.

use navmap::open::{Mesh, OpenOptions};
use navmap::{Family, NavFile};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;

fn is_send_sync_and_static<T: Send + Sync + Clone + 'static>() {}

/// A mesh of whichever family is there.
fn any() -> &'static str {
    match () {
        #[cfg(feature = "quake")]
        () => "quake/nav3-v6.nav",
        #[cfg(all(feature = "source", not(feature = "quake")))]
        () => "source/town.nav",
        #[cfg(all(feature = "fox", not(any(feature = "quake", feature = "source"))))]
        () => "fox/set/plain_101_101_nav.nav2",
        #[cfg(not(any(feature = "quake", feature = "source", feature = "fox")))]
        () => "skyrim/se/village.esp",
    }
}

#[test]
fn a_mesh_goes_from_thread_to_thread_and_outlives_its_file() {
    is_send_sync_and_static::<Mesh>();
    let temp = Temp::new("open-mesh");
    let file = temp.file("a.nav", &std::fs::read(bundled().join(any())).unwrap());
    let mesh = Mesh::open(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let (nodes, bytes) = (mesh.nav().graph_stats().value.nodes, mesh.bytes().len());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let mesh = mesh.clone();
            std::thread::spawn(move || (mesh.nav().graph_stats().value.nodes, mesh.bytes().len()))
        })
        .collect();
    drop(mesh);
    for thread in threads {
        assert_eq!(thread.join().unwrap(), (nodes, bytes));
    }
    assert!(nodes > 0 && bytes > 0);
}

#[test]
fn a_clone_is_a_handle_on_the_same_bytes() {
    let mesh = Mesh::open(bundled().join(any())).unwrap();
    let again = mesh.clone();
    assert!(std::ptr::eq(mesh.nav(), again.nav()) && std::ptr::eq(&**mesh.bytes(), &**again.bytes()));
    drop(mesh);
    assert_eq!(again.summary(), again.nav().summary());
    assert!(again.intact().is_ok());
}

#[test]
fn a_mesh_in_memory_is_opened_by_its_bytes() {
    let bytes = std::fs::read(bundled().join(any())).unwrap();
    let mesh = Mesh::from_vec("from the network", bytes.clone()).unwrap();
    assert_eq!(**mesh.bytes(), *bytes);
    let error = Mesh::from_vec("from the network", b"no mesh".to_vec()).unwrap_err();
    assert!(error.is_not_mesh() && error.to_string().starts_with("from the network: "), "{error}");
}

#[test]
fn errors_name_the_path_and_limits_hold() {
    let temp = Temp::new("open-errors");
    let missing = temp.join("missing.nav");
    let error = Mesh::open(&missing).unwrap_err();
    assert_eq!(error.file(), Some(missing.as_path()));
    let cut = temp.file("cut.nav", &std::fs::read(bundled().join(any())).unwrap()[..6]);
    assert_eq!(Mesh::open(&cut).unwrap_err().file(), Some(cut.as_path()));
    let mut options = OpenOptions::new();
    options.limits.file_bytes = 100;
    let whole = bundled().join(any());
    let error = Mesh::open_with(&whole, &options).unwrap_err();
    assert_eq!(error.file(), Some(whole.as_path()));
    assert!(error.to_string().contains("limit of 100"), "{error}");
}

#[cfg(feature = "quake")]
#[test]
fn options_reach_the_parser() {
    let mut options = OpenOptions::new();
    let file = bundled().join("quake/nav3-v6.nav");
    assert_eq!(Mesh::open_with(&file, &options).unwrap().family(), Family::Quake);
    options.kind = Some(navmap::Kind::Fox);
    assert!(Mesh::open_with(&file, &options).is_err(), "taken for what it is not");
}

/// In a mesh of Source 2 every floor comes once for each hull, and points are located in those of the first.
#[cfg(feature = "source")]
#[test]
fn an_index_of_a_mesh_is_that_of_its_file() {
    use navmap::query::{BuildOptions, NavIndex};

    let mut of_a_hull = 0;
    for name in ["town.nav", "v16-2-tf2.nav", "v30.nav", "v35-1.nav"] {
        let mesh = Mesh::open(bundled().join("source").join(name)).unwrap();
        let (ours, wanted) = (mesh.index().whole().unwrap(), NavIndex::of(mesh.nav()).whole().unwrap());
        let all = mesh.index_with(&BuildOptions::default()).whole().unwrap();
        assert_eq!((ours.len(), all.len()), (wanted.len(), wanted.len()), "{name}");
        for area in wanted.areas() {
            let center = all.center(area).unwrap();
            assert_eq!(ours.column_at(center, None), wanted.column_at(center, None), "{name} {center:?}");
            of_a_hull += usize::from(all.column_at(center, None) != wanted.column_at(center, None));
        }
    }
    assert!(of_a_hull > 0);
}
