//! What lies at a path, as a library sees it: owned meshes, places, walks.
#![cfg(any(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]

#[cfg(feature = "archive")]
mod edit;
#[cfg(all(feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
mod kept;
mod mesh;
#[cfg(feature = "skyrim")]
mod orders;
#[cfg(feature = "archive")]
mod place;
#[cfg(all(feature = "archive", feature = "skyrim"))]
mod plugins;
#[cfg(feature = "archive")]
mod show;

#[cfg(feature = "quake")]
#[path = "../../examples/reload.rs"]
mod reload;

#[cfg(feature = "quake")]
#[test]
fn the_example_serves_while_its_mesh_is_swapped() {
    let at = |path: &str| navmap_testkit::corpus::bundled().join(path);
    let (first, other) = (at("quake/nav3-v6.nav"), at("quake/nav2-v14.nav"));
    let answers = reload::serve(&first, &[at("quake/MANIFEST.tsv"), other, first.clone()]).unwrap();
    assert!(answers >= 12, "{answers}");
}
