//! What a check of the output finds, for every damage that the kit makes.

use super::{File, findings, is_well_formed, order};
use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{CoverBuf, Edge, NavMesh, NavMeshBuf, Plugin};
use navmap::{Limits, NavFile, Severity};
use navmap_testkit::skyrim::damage::{self, Neighbour, WEST};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, field, record};
use navmap_testkit::skyrim::{SE, files, load_order};
use std::collections::{BTreeMap, BTreeSet};

/// The western mesh, broken by `how`, in a plugin over the sound master.
fn broken(how: impl FnOnce(&mut NavMeshBuf)) -> [File; 2] {
    let payload = damage::western();
    let mut mesh = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    how(&mut mesh);
    damage::western_as("Broken.esp", &mesh.encode().unwrap())
}

/// A triangle with a neighbour, over which edge, and the edge of the neighbour that leads back.
fn joined(mesh: &NavMeshBuf) -> (usize, usize, usize, usize) {
    let mut all = mesh.triangles.iter().enumerate().flat_map(|(triangle, each)| {
        each.edges().into_iter().enumerate().map(move |(edge, to)| (triangle, edge, to))
    });
    all.find_map(|(triangle, edge, to)| {
        let Edge::Neighbour(other) = to else { return None };
        let there = mesh.triangles[usize::from(other)].edges();
        let back = there.iter().position(|to| *to == Edge::Neighbour(triangle as u16))?;
        Some((triangle, edge, other.into(), back))
    })
    .unwrap()
}

/// Damage of single meshes that the editor's own checks leave in.
fn single() -> Vec<[File; 2]> {
    vec![
        // The other side does not point back, and its edge is free.
        broken(|mesh| {
            let (.., other, back) = joined(mesh);
            mesh.triangles[other].set_edge(back, Edge::Border);
        }),
        // An edge leads to a triangle that lies elsewhere.
        broken(|mesh| {
            let (triangle, edge, ..) = joined(mesh);
            let last = mesh.triangles.len() as u16 - 1;
            mesh.triangles[triangle].set_edge(edge, Edge::Neighbour(last));
        }),
        // Neighbours over edges that are not the same.
        broken(|mesh| {
            let (triangle, edge, other, back) = joined(mesh);
            let last = mesh.vertices.len() as u16 - 1;
            mesh.triangles[triangle].vertices[edge] = last;
            mesh.triangles[other].set_edge(back, Edge::Neighbour(triangle as u16));
        }),
        // One list of the grid is not ascending, and a triangle is in none.
        broken(|mesh| {
            mesh.grid.lists.iter_mut().for_each(|list| list.retain(|index| *index != 7));
            mesh.grid.lists.iter_mut().find(|list| list.len() > 3).unwrap().reverse();
        }),
        // A triangle is listed where it is not.
        broken(|mesh| {
            let at = mesh.grid.lists.iter().position(|list| !list.contains(&0)).unwrap();
            mesh.grid.lists[at].insert(0, 0);
        }),
        broken(|mesh| mesh.links.iter_mut().for_each(|link| link.kind = 77)),
        broken(|mesh| mesh.vertices[3][2] = f32::NAN),
        broken(|mesh| mesh.cover = CoverBuf::Triangles(vec![1, 0, 99])),
    ]
}

/// Every order and plugin of the kit, whole and with bytes turned over.
fn every_damage() -> Vec<Vec<File>> {
    let mut all: Vec<Vec<File>> = single().into_iter().map(Vec::from).collect();
    all.extend([damage::order().to_vec(), damage::order_of(false).to_vec(), damage::disputed().to_vec()]);
    for neighbour in [Neighbour::Absent, Neighbour::Empty, Neighbour::Held] {
        all.push(damage::renumbered(neighbour).to_vec());
    }
    all.push(load_order().into_iter().map(|(name, bytes, _)| File { name, bytes }).collect());
    let made = files().into_iter().chain(navmap_testkit::skyrim::hostile::files());
    let plugins = made.filter(|made| Plugin::parse(&made.bytes, &Limits::default()).is_ok());
    all.extend(plugins.map(|made| vec![File { name: "Alone.esp", bytes: made.bytes }]));
    let [base, _, linker, breaker] = damage::order_of(false);
    for (file, step) in [(linker, 211), (breaker, 127)] {
        let start = file.bytes.windows(4).position(|at| at == b"NVNM").unwrap();
        for at in (start..file.bytes.len()).step_by(step) {
            let mut flipped = file.clone();
            flipped.bytes[at] ^= [0x01, 0x80, 0x55, 0xFF][at / step % 4];
            if Plugin::parse(&flipped.bytes, &Limits::default()).is_ok() {
                all.push(vec![base.clone(), flipped]);
            }
        }
    }
    all
}

/// Warnings and errors of a file.
fn warned(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    let mut note = |finding: navmap::Finding| {
        if finding.severity >= Severity::Warning {
            codes.insert(finding.code);
        }
    };
    plugin(bytes).check(&mut Scratch::new(), &mut note).unwrap();
    codes
}

fn names(deeds: &[Deed], code: &str) -> bool {
    deeds.iter().filter(|deed| deed.left.is_some()).any(|deed| {
        deed.what == code
            || match deed.repair {
                Repair::Links => code.starts_with("edge-link-"),
                Repair::Doors => ["door-reference", "door-unlisted"].contains(&code),
                Repair::Entry => code.starts_with("nvmi-"),
                Repair::Undelete => code == "deleted-navmesh",
                Repair::Counts => code == "damaged-navmesh",
                _ => false,
            }
    })
}

#[test]
fn a_check_of_what_is_written_warns_of_nothing_that_is_not_told_as_left() {
    let (mut written, mut told) = (0, BTreeMap::new());
    for files in every_damage() {
        let order = order(&files);
        for patch in [true, false] {
            let mut plan = FixPlan::new(&order, &FixOptions { patch, ..FixOptions::default() });
            let outputs: Vec<Vec<u8>> = match plan.changed_plugins() {
                changed if changed.is_empty() => continue,
                _ if patch => plan.patch(false).into_iter().collect(),
                changed => changed.into_iter().filter_map(|index| plan.plugin(index).ok()).collect(),
            };
            let names_of: Vec<_> = files.iter().map(|file| file.name).collect();
            if plan.verify(false).is_err() {
                assert!(outputs.is_empty(), "{names_of:?}");
                continue;
            }
            for output in outputs {
                let codes = warned(&output);
                for code in &codes {
                    assert!(names(plan.deeds(), code), "{names_of:?}: {code}: {:#?}", plan.deeds());
                }
                // A mesh whose vertices are nowhere is left as it is, with all that is wrong with it.
                if !codes.iter().any(|code| code.starts_with("vertex-") || code.starts_with("damaged-")) {
                    let left = plan.deeds().iter().filter(|deed| deed.left.is_some());
                    let left: String = left.map(|deed| format!("{deed}\n")).collect();
                    told.extend(
                        codes.into_iter().map(|code| (code, format!("{names_of:?} {patch}\n{left}"))),
                    );
                }
                written += 1;
            }
        }
    }
    assert!(written > 100, "{written}");
    // What is mended is mended in all of them.
    for code in ["one-way-neighbour", "grid-missing", "grid-stray", "clockwise-triangle", "edge-link-shared"]
    {
        assert!(!told.contains_key(code), "{code}: {}", told[code]);
    }
}

#[test]
fn neighbours_point_back_and_an_unsorted_list_hides_no_triangle() {
    let found = |files: &[File]| {
        let all = findings(files);
        all.into_keys().filter(|(file, _)| *file == "Broken.esp").map(|(_, code)| code).collect::<Vec<_>>()
    };
    let all = single();
    for (at, before) in
        [(0, "one-way-neighbour"), (1, "one-way-neighbour"), (3, "grid-missing"), (4, "grid-stray")]
    {
        let files = &all[at];
        assert!(found(files).contains(&before), "{at}: {:?}", found(files));
        let fixed = {
            let order = order(files);
            let plan = FixPlan::new(&order, &FixOptions { patch: false, ..FixOptions::default() });
            assert_eq!(plan.left(), 0, "{at}: {:#?}", plan.deeds());
            plan.plugin(1).unwrap()
        };
        assert!(warned(&fixed).is_empty(), "{at}: {:?}", warned(&fixed));
    }
    // A free edge answers; where there is none, the edge becomes a border.
    let sound = NavMeshBuf::read(&NavMesh::parse(&damage::western()).unwrap()).unwrap();
    let order = order(&all[0]);
    let plan = FixPlan::new(&order, &FixOptions { patch: false, ..FixOptions::default() });
    assert_eq!(super::mesh(&plan.plugin(1).unwrap(), WEST), sound);
}

#[test]
fn a_mesh_whose_vertices_are_nowhere_is_left_as_it_is_with_all_that_is_wrong_with_it() {
    let files = broken(|mesh| {
        mesh.vertices[3][2] = f32::NAN;
        let (.., other, back) = joined(mesh);
        mesh.triangles[other].set_edge(back, Edge::Border);
        mesh.grid.lists.iter_mut().for_each(|list| list.retain(|index| *index != 7));
    });
    let order = order(&files);
    for patch in [true, false] {
        let plan = FixPlan::new(&order, &FixOptions { patch, ..FixOptions::default() });
        let of_mesh = plan.deeds().iter().filter(|deed| deed.repair == Repair::Mesh);
        let said: BTreeSet<_> = of_mesh.map(|deed| (&*deed.what, deed.left.is_some())).collect();
        let left = ["grid-missing", "one-way-neighbour", "vertex-not-finite"];
        assert_eq!(said, left.map(|code| (code, true)).into(), "{:#?}", plan.deeds());
        assert_eq!(plan.changed_plugins(), Vec::<usize>::new());
    }
}

#[test]
fn fields_that_need_no_change_are_carried_and_a_record_that_cannot_be_is_named_and_left_out() {
    // The plugin and the patch have the same numbers for all files, so what is in the field need not be known.
    let [base, western] = single().swap_remove(4);
    let odd = damage::with_world_field(&western, b"ZZZZ", &[1, 2, 3, 4]);
    let files = [base, odd];
    let alike = order(&files);
    let plan = FixPlan::new(&alike, &FixOptions::default());
    assert_eq!((plan.left(), plan.carried()), (0, 1), "{:#?}", plan.deeds());
    let patch = plan.patch(false).unwrap();
    is_well_formed(&patch);
    assert!(patch.windows(10).any(|bytes| bytes == b"ZZZZ\x04\0\x01\x02\x03\x04"));

    // Another plugin between them, and a number would mean another file.
    let sound = damage::order();
    let mut files = sound.to_vec();
    files[2] = damage::with_world_field(&files[2], b"ZZZZ", &[1, 2, 3, 4]);
    let (left_out, whole) = (order(&files), order(&sound));
    let plan = FixPlan::new(&left_out, &FixOptions::default());
    let done = FixPlan::new(&whole, &FixOptions::default()).done();
    assert!(plan.left() > 0 && plan.done() > 0 && plan.done() + plan.left() >= done);
    let why = "WRLD 00000900 of Linker.esp: field ZZZZ is not known, and may name records";
    let named = |deed: &&Deed| deed.left.as_deref().is_some_and(|left| left.contains(why));
    assert!(plan.deeds().iter().any(|deed| named(&deed)), "{:#?}", plan.deeds());
    let patch = plan.patch(false).unwrap();
    is_well_formed(&patch);
    assert!(!patch.windows(9).any(|bytes| bytes == b"TestWorld"), "its worldspace is left out");
    let interior = |navm: navmap::format::skyrim::NavmRecord<'_>| navm.world().is_none();
    assert!(plugin(&patch).navmeshes().map(Result::unwrap).all(interior));
    assert!(plugin(&patch).navmeshes().count() > 1);

    // A field of the game that holds no FormID is carried wherever it comes from.
    let mut files = sound.to_vec();
    files[2] = damage::with_world_field(&files[2], b"MODT", &[2, 0, 0, 0, 0, 0, 0, 0]);
    let known = order(&files);
    let plan = FixPlan::new(&known, &FixOptions::default());
    assert_eq!((plan.left(), plan.carried(), plan.done()), (0, 0, done));
    assert!(plan.patch(false).unwrap().windows(4).any(|bytes| bytes == b"MODT"));
}

#[test]
fn a_field_that_is_not_known_stays_in_the_plugin_that_has_it_and_keeps_a_record_from_others() {
    let payload = damage::western();
    let mut west = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    west.grid.lists[0].clear();
    let odd = |payload: &[u8]| [field(b"NVNM", payload), field(b"QQQQ", &[1, 2, 3, 4])].concat();
    let with = |name, masters: &[&str], flags, data: &[u8]| {
        let mut made = Made::new(SE.form, SE.hedr, masters);
        let navm = record(b"NAVM", made.head(WEST, flags), data);
        made.groups.push(made.worldspace(0x0900, &[(0x0901, 0, 0, vec![navm])]));
        File { name, bytes: made.encode() }
    };
    let base = with("Base.esm", &[], 0, &odd(&west.encode().unwrap()));
    let repairs = vec![Repair::Undelete, Repair::Mesh];
    let options = |patch| FixOptions { repairs: repairs.clone(), patch, ..FixOptions::default() };
    let alone = [base.clone()];
    let alone = order(&alone);
    let fixed = FixPlan::new(&alone, &options(false)).plugin(0).unwrap();
    assert!(fixed.windows(10).any(|bytes| bytes == b"QQQQ\x04\0\x01\x02\x03\x04"));
    assert_eq!(super::mesh(&fixed, WEST).triangles.len(), west.triangles.len());
    assert!(!warned(&fixed).contains("grid-missing"), "{:?}", warned(&fixed));

    let named = |plan: &FixPlan<'_, '_>| {
        let why = "field QQQQ is not known, and may name records";
        plan.deeds().iter().any(|deed| deed.left.as_deref().is_some_and(|left| left.contains(why)))
    };
    assert!(named(&FixPlan::new(&alone, &options(true))));
    // The record that would come back is another plugin's. Nothing else of that plugin is kept from its repair.
    let files = [base, with("Deleter.esp", &["Base.esm"], DELETED, b"")];
    let both = order(&files);
    let plan = FixPlan::new(&both, &options(false));
    assert!(named(&plan), "{:#?}", plan.deeds());
    assert!(plan.plugin(1).unwrap() == files[1].bytes);
}
