//! What changed between two meshes of 20,000 areas, by ids and by where they lie, and between two folders of 2,000 meshes.
//!
//! Each time stands beside that of reading both files into graphs, which comes before any comparison. Times are those of
//! the thread, medians of several runs; folders are compared by the wall clock, with one thread and with all.
//!
//! ```text
//! cargo bench --bench diff
//! ```

use cpu_time::ThreadTime;
use navmap::diff::{Diff, Method, Places};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::FlatGraph;
use navmap_testkit::bytes::Rng;
use navmap_testkit::source::{Area, Mesh, Shape, level, write};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const AREAS: u32 = 20_000;

/// A field of rectangles on rolling ground, each linked to its neighbours both ways.
fn field() -> Mesh {
    let wide = 141;
    let area = |i: u32| {
        let (column, row) = (i % wide, i / wide);
        let (x, y) = (column as f32 * 100.0, row as f32 * 100.0);
        let z = ((column * 7 + row * 13) % 64) as f32 * 0.5;
        let near = |yes: bool, to: u32| if yes && to < AREAS { vec![to + 1] } else { vec![] };
        let connections = [
            near(row > 0, i.wrapping_sub(wide)),
            near(column + 1 < wide, i + 1),
            near(true, i + wide),
            near(column > 0, i.wrapping_sub(1)),
        ];
        let (nw, se) = ([x, y, z], [x + 100.0, y + 100.0, z]);
        let place = (row / 30 * 5 + column / 30 + 1) as u16;
        Area { id: i + 1, nw, se, ne_z: z, sw_z: z, connections, place, ..Area::default() }
    };
    let places = (1..=30).map(|place| format!("Place{place}\0").into_bytes()).collect();
    let areas = (0..AREAS).map(area).collect();
    Mesh { version: 16, subversion: Some(1), analyzed: 1, places, areas, ..Mesh::default() }
}

/// The field after many small changes: one area in fifty is gone, another is moved, another has other flags.
fn edited(mesh: &Mesh) -> Mesh {
    let mut mesh = mesh.clone();
    for area in &mut mesh.areas {
        match area.id % 50 {
            7 => {
                (area.nw[2], area.se[2], area.ne_z, area.sw_z) =
                    (area.nw[2] + 4.0, area.se[2] + 4.0, area.ne_z + 4.0, area.sw_z + 4.0);
            }
            19 => area.attributes ^= 1,
            31 => (area.nw[0], area.se[1]) = (area.nw[0] + 10.0, area.se[1] - 5.0),
            _ => {}
        }
        area.connections.iter_mut().for_each(|side| side.retain(|id| id % 50 != 3));
    }
    mesh.areas.retain(|area| area.id % 50 != 3);
    mesh
}

/// The same mesh as the game would make it again: other ids, in another order.
fn renumbered(mesh: &Mesh) -> Mesh {
    let mut mesh = mesh.clone();
    let mut order: Vec<u32> = (1..=AREAS).collect();
    let mut rng = Rng(5);
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at as u64 + 1) as usize);
    }
    for area in &mut mesh.areas {
        area.id = order[area.id as usize - 1];
        area.connections.iter_mut().flatten().for_each(|id| *id = order[*id as usize - 1]);
    }
    mesh.areas.sort_by_key(|area| area.id);
    mesh
}

fn flat(bytes: &[u8]) -> FlatGraph {
    AnyNav::parse(bytes, None, &ParseOptions::new()).unwrap().flat_graph().whole().unwrap()
}

fn median(runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn time<R>(runs: usize, mut run: impl FnMut() -> R) -> f64 {
    median(runs, || {
        let start = ThreadTime::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    })
}

fn compare(what: &str, before: &Mesh, after: &Mesh, method: Method) {
    let (before, after) = (write(before), write(after));
    let reading = time(5, || (flat(&before), flat(&after)));
    let (left, right) = (flat(&before), flat(&after));
    let diff = Diff::between(&left, &right);
    assert_eq!(diff.method, method, "{what}");
    let comparing = time(7, || Diff::between(&left, &right));
    let places = time(3, || Places::measure(&diff, &left, &right));
    println!(
        "{what:<34} {:>7.1} ms   reading both {:>6.1} ms   ways between places {:>7.1} ms   ({} gone, {} changed)",
        comparing * 1e3,
        reading * 1e3,
        places * 1e3,
        diff.removed.len(),
        diff.changed.len()
    );
}

/// Two folders of 2,000 meshes of 400 areas, in memory: what a folder costs beyond the reading of files.
fn folders() {
    let shape = |seed| Shape { cells: 450, seed, visible: 20, paths: true, approaches: 2, ladders: 2 };
    let pairs: Vec<(Vec<u8>, Vec<u8>)> = (0..2_000_u64)
        .into_par_iter()
        .map(|seed| {
            let mut mesh = level(16, Some(1), &shape(seed));
            let before = write(&mesh);
            mesh.areas[9].attributes ^= 1;
            mesh.areas.iter_mut().take(20).for_each(|area| area.ne_z += 2.0);
            (before, write(&mesh))
        })
        .collect();
    let bytes: usize = pairs.iter().map(|(a, b)| a.len() + b.len()).sum();
    let one = |(before, after): &(Vec<u8>, Vec<u8>)| Diff::between(&flat(before), &flat(after)).changed.len();
    let mut alone = 0.0;
    for threads in [1, rayon::current_num_threads()] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let took = median(3, || {
            let start = Instant::now();
            let changed: usize = pool.install(|| pairs.par_iter().map(one).sum());
            assert!(changed >= 20 * pairs.len(), "{changed}");
            start.elapsed().as_secs_f64()
        });
        alone = if threads == 1 { took } else { alone };
        println!(
            "2,000 pairs, {threads} threads: {:.2} s, {:.0} MB/s, {:.2} times one thread",
            took,
            bytes as f64 / took / 1e6,
            alone / took
        );
    }
}

fn main() {
    let mesh = field();
    compare("20,000 areas, edited, by ids", &mesh, &edited(&mesh), Method::Ids);
    compare("20,000 areas, renumbered", &mesh, &renumbered(&mesh), Method::Geometry);
    compare("20,000 areas, edited, renumbered", &mesh, &renumbered(&edited(&mesh)), Method::Geometry);
    folders();
}
