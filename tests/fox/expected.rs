//! Geometry and graphs against what Nav2Parser, an independent tool, exported from the same files.

use navmap::format::fox::{FoxNav, Geometry, Group, GroupId, Weld};
use navmap_testkit::corpus::real;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// An OBJ file as far as Nav2Parser writes one.
#[derive(Default)]
struct Obj {
    vertices: Vec<[f64; 3]>,
    /// Faces and lines, 0-based.
    items: Vec<Vec<u32>>,
    /// Items in each `g`.
    groups: Vec<usize>,
}

impl Obj {
    fn read(path: &Path) -> Self {
        let mut obj = Self::default();
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let v: Vec<f64> = words.map(|w| w.parse().unwrap()).collect();
                    obj.vertices.push(v.try_into().unwrap());
                }
                Some("f" | "l") => {
                    obj.items.push(words.map(|w| w.parse::<u32>().unwrap() - 1).collect());
                    if let Some(last) = obj.groups.last_mut() {
                        *last += 1;
                    }
                }
                Some("g") => obj.groups.push(0),
                other => panic!("{}: {other:?}", path.display()),
            }
        }
        obj
    }

    #[track_caller]
    fn assert_positions(&self, ours: impl IntoIterator<Item = [f32; 3]>, name: &str) {
        let ours: Vec<_> = ours.into_iter().collect();
        assert_eq!(ours.len(), self.vertices.len(), "{name}: vertices");
        for (index, (ours, theirs)) in ours.iter().zip(&self.vertices).enumerate() {
            for (a, b) in ours.iter().zip(theirs) {
                let close = (f64::from(*a) - b).abs() <= b.abs() * 2e-6 + 1e-3;
                assert!(close, "{name}: vertex {index}: {ours:?} is not {theirs:?}");
            }
        }
    }
}

/// Calls `each` with every OBJ of this suffix: the OBJ, its name, and the group of the real file that it shows.
fn each_obj(suffix: &str, mut each: impl FnMut(&Obj, &str, &FoxNav<'_>, Option<Group<'_>>)) -> usize {
    let Some(folder) = real().map(|folder| folder.join("fox")) else { return 0 };
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let mut seen = 0;
    for path in names.iter().filter(|path| path.extension().is_some_and(|e| e == "obj")) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let Some(stem) = name.strip_suffix(suffix) else { continue };
        let (file, group) = match stem.rsplit_once("_group") {
            Some((file, group)) => match group.parse() {
                Ok(group) => (file, Some(GroupId(group))),
                Err(_) => continue,
            },
            None if suffix.is_empty() => continue,
            None => (stem, None),
        };
        let (folder_name, file) = file.split_once('_').unwrap();
        let bytes = std::fs::read(folder.join(folder_name).join(format!("{file}.nav2"))).unwrap();
        let nav = FoxNav::parse(&bytes).unwrap();
        let group = group.map(|id| nav.group(id).unwrap().expect("the group is there"));
        each(&Obj::read(path), name, &nav, group);
        seen += 1;
    }
    seen
}

#[test]
fn every_group_is_nav2parsers_mesh() {
    let mut faces = 0;
    let seen = each_obj("", |obj, name, nav, group| {
        let Some(group) = group else { return };
        let mut mesh = Geometry::new(Weld::Keep);
        mesh.add_group(&group).unwrap();
        obj.assert_positions(mesh.positions().iter().copied(), name);
        assert!(mesh.faces().eq(obj.items.iter().map(Vec::as_slice)), "{name}: faces");
        let per_segment: Vec<usize> =
            group.segment_chunk().segments().iter().map(|segment| segment.faces().len()).collect();
        assert_eq!(per_segment, obj.groups, "{name}: faces of each segment");
        faces += mesh.len();

        let segment_by_segment = group.segments().map(|segment| {
            let mut one = Geometry::new(Weld::Keep);
            one.add_segment(nav.frame(), &segment.unwrap()).unwrap();
            one.len()
        });
        assert_eq!(segment_by_segment.sum::<usize>(), mesh.len(), "{name}");
    });
    eprintln!("{seen} groups, {faces} faces");
    assert!(seen == 0 || seen == 119, "{seen} groups, {faces} faces");
}

#[test]
fn welding_keeps_every_corner_where_it_was_and_no_place_twice() {
    each_obj("", |obj, name, nav, group| {
        let Some(group) = group else { return };
        let mut mesh = Geometry::new(Weld::Positions);
        mesh.add_group(&group).unwrap();
        let places: HashSet<_> = mesh.positions().iter().map(|p| p.map(f32::to_bits)).collect();
        assert_eq!(places.len(), mesh.positions().len(), "{name}: two vertices at one place");
        let mut kept = Geometry::new(Weld::Keep);
        kept.add_group(&group).unwrap();
        for (welded, kept_face) in mesh.faces().zip(kept.faces()) {
            let at = |mesh: &Geometry, face: &[u32]| -> Vec<[f32; 3]> {
                face.iter().map(|corner| mesh.positions()[*corner as usize]).collect()
            };
            assert_eq!(at(&mesh, welded), at(&kept, kept_face), "{name}");
        }
        assert_eq!(mesh.len(), obj.items.len());

        let mut whole = Geometry::new(Weld::Positions);
        whole.add_file(nav).unwrap();
        assert!(whole.len() >= mesh.len());
    });
}

#[test]
fn a_second_run_with_the_same_buffers_allocates_nothing() {
    let Some(folder) = real() else { return };
    let bytes = std::fs::read(folder.join("fox/ssav/ssav_140_130_nav.nav2")).unwrap();
    let nav = FoxNav::parse(&bytes).unwrap();
    for weld in [Weld::Keep, Weld::Positions] {
        let mut mesh = Geometry::new(weld);
        mesh.add_file(&nav).unwrap();
        let first = mesh.positions().len();
        mesh.clear();
        let ((), cost) = navmap_testkit::alloc::cost_of(|| mesh.add_file(&nav).unwrap());
        assert_eq!((cost.calls, mesh.positions().len()), (0, first), "{weld:?}");
    }
}

#[test]
fn links_inside_segments_are_nav2parsers_lines() {
    let seen = each_obj("_navworld", |obj, name, nav, group| {
        let group = group.unwrap();
        let world = group.world();
        obj.assert_positions(world.positions().iter().map(|p| nav.frame().world(p)), name);
        let mut lines = obj.items.iter();
        for (index, node) in world.nodes().iter().enumerate() {
            for link in world.links(node).unwrap().inside {
                let line = lines.next().unwrap_or_else(|| panic!("{name}: more links than lines"));
                assert_eq!(line[..], [index as u32, u32::from(link.node().0)], "{name}");
            }
        }
        assert_eq!(lines.next(), None, "{name}");
    });
    assert!(seen == 0 || seen >= 6, "{seen}");
}

#[test]
fn segment_positions_are_nav2parsers_markers() {
    let seen = each_obj("_segmentGraph", |obj, name, nav, group| {
        let positions = group.unwrap().segment_graph().positions();
        let markers: Vec<[f32; 3]> = obj
            .vertices
            .chunks_exact(4)
            .map(|quad| {
                let middle = |axis: usize| quad.iter().map(|v| v[axis]).sum::<f64>() as f32 / 4.0;
                [middle(0), middle(1), middle(2)]
            })
            .collect();
        assert_eq!(markers.len(), positions.len(), "{name}");
        for (position, marker) in positions.iter().zip(markers) {
            let [x, y, z] = nav.frame().world(position);
            // The markers hover half a metre up.
            let ours = [x, y + 0.5, z];
            assert!(
                ours.iter().zip(marker).all(|(a, b)| (a - b).abs() < 2e-3),
                "{name}: {ours:?} {marker:?}"
            );
        }
    });
    assert!(seen == 0 || seen >= 6, "{seen}");
}

#[test]
fn islands_are_nav2parsers_lines() {
    let seen = each_obj("_islands0", |obj, name, nav, _| {
        let graph = nav.island_graphs().next().unwrap().unwrap();
        obj.assert_positions(graph.islands().iter().map(|i| nav.frame().world(i.position())), name);
        let mut lines = obj.items.iter();
        for (index, island) in graph.islands().iter().enumerate() {
            for link in graph.links(island).unwrap().inside {
                let line = lines.next().expect("a line for every link");
                assert_eq!(line[..], [index as u32, u32::from(link.island())], "{name}");
            }
        }
    });
    assert!(seen == 0 || seen >= 1, "{seen}");
}
