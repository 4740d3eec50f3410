//! Every family beside the true limit: what a walk and a visit of every field cost, against the fastest plain loop that takes
//! in every byte. One thread, real files where there are any.
//!
//! Nothing is in a cache: the files of a shape are laid out again and again, each on a page of its own, until they fill 200
//! MB. Runs take turns, what is taken is the time that the thread ran rather than what a clock on the wall shows, and what is
//! printed is made of medians: so that a machine with other things to do tells the truth all the same.
//!
//! ```text
//! cargo bench --bench limits [-- NAME...]
//! ```
//!
//! Instructions are counted by a program that runs it: `--once` reads the files of the named shapes, and visits each once by the
//! named runs. What a run costs is the difference to the same without it.
//!
//! ```text
//! valgrind --tool=callgrind target/release/deps/limits-* --once tf2 walk
//! ```

use cpu_time::ThreadTime;
use navmap::bytes::Scratch;
use navmap::format::aas::AasNav;
use navmap::format::detour::DetourNav;
use navmap::format::fox::FoxNav;
use navmap::format::quake::QuakeNav;
use navmap::format::skyrim::NavMesh;
use navmap::format::source::{AreaIndex, SourceNav};
use navmap::format::xray::XrayNav;
use navmap::format::yapb::PwfNav;
use navmap::{Counts, NavFile};
use navmap_testkit::limit::{WAYS, Way};
use navmap_testkit::{corpus, source as kit};
use std::hint::black_box;
use std::path::PathBuf;

#[path = "touch/aas.rs"]
mod aas;
#[path = "touch/detour.rs"]
mod detour;
#[path = "touch/fox.rs"]
mod fox;
#[path = "touch/quake.rs"]
mod quake;
#[path = "touch/skyrim.rs"]
mod skyrim;
#[path = "touch/source.rs"]
mod source;
#[path = "touch/source2.rs"]
mod source2;
#[path = "touch/words.rs"]
mod words;
#[path = "touch/xray.rs"]
mod xray;
#[path = "touch/yapb.rs"]
mod yapb;

const BYTES: usize = 200 << 20;
const PAGE: usize = 4096;
const ROUNDS: usize = 9;

/// A shape: its name, its family, how the paths of its files begin, what stands in where there are none, and what is run.
struct Shape {
    name: &'static str,
    family: &'static str,
    folders: &'static [&'static str],
    made: Option<fn() -> Vec<u8>>,
    runs: &'static [Run],
}

/// A run, and on which share of the files: a plain reader need not read them all.
type Run = (&'static str, Way, usize);

const SOURCE: &[Run] = &[
    ("walk", source::walk, 1),
    ("every field", source::visit, 1),
    ("index", index, 1),
    ("survey", survey, 1),
    ("plain reader, walk", source::walk_naive, 8),
];

const SHAPES: [Shape; 13] = [
    Shape { name: "tf2", family: "source", folders: &["tf2"], made: Some(kit::tf2_shaped), runs: SOURCE },
    Shape { name: "csgo", family: "source", folders: &["csgo"], made: Some(kit::csgo_shaped), runs: SOURCE },
    Shape { name: "gmod", family: "source", folders: &["gmod"], made: None, runs: SOURCE },
    Shape { name: "l4d2", family: "source", folders: &["l4d2"], made: None, runs: SOURCE },
    Shape { name: "v3-9", family: "source", folders: &["goldsrc", "css"], made: None, runs: SOURCE },
    Shape {
        name: "source2",
        family: "source",
        folders: &["cs2", "source2"],
        made: None,
        runs: &[("walk", source2::walk, 1), ("every field", source2::visit, 1)],
    },
    Shape {
        name: "quake",
        family: "quake",
        folders: &["nav2", "nav3"],
        made: None,
        runs: &[("every field", |bytes| quake::visit(&QuakeNav::parse(bytes).expect("a graph")), 1)],
    },
    Shape {
        name: "fox",
        family: "fox",
        folders: &["ssav", "tpp"],
        made: None,
        runs: &[("every field", |bytes| fox::visit(FoxNav::parse(bytes).expect("a tile")), 1)],
    },
    Shape {
        name: "detour",
        family: "detour",
        folders: &["client-derived/ffxi", "kbe"],
        made: None,
        runs: &[("every field", |bytes| detour::visit(&DetourNav::parse(bytes).expect("a set")), 1)],
    },
    Shape {
        name: "aas",
        family: "aas",
        folders: &["v5"],
        made: None,
        runs: &[("every field", |bytes| aas::visit(&AasNav::parse(bytes).expect("areas")), 1)],
    },
    Shape {
        name: "yapb",
        family: "yapb",
        folders: &["pwf"],
        made: None,
        runs: &[("every field", |bytes| yapb::visit(PwfNav::parse(bytes).expect("a graph").waypoints()), 1)],
    },
    // Real levels of this size are nobody's to give away, so there is no folder of them.
    Shape {
        name: "xray",
        family: "xray",
        folders: &[],
        made: Some(|| navmap_testkit::xray::Grid::large().bytes(10)),
        runs: &[
            ("survey", xray::survey, 1),
            ("every field", |bytes| xray::visit(&XrayNav::parse(bytes).expect("a level")), 1),
        ],
    },
    Shape {
        name: "bethesda",
        family: "skyrim",
        folders: &["nvnm"],
        made: None,
        runs: &[("every field", |bytes| skyrim::touch(&NavMesh::parse(bytes).expect("a mesh")), 1)],
    },
];

fn index(bytes: &[u8]) -> u64 {
    AreaIndex::build(&SourceNav::parse(bytes).expect("a mesh")).expect("an index").len() as u64
}

/// What a scan does with a mesh.
fn survey(bytes: &[u8]) -> u64 {
    let (mut counts, mut scratch) = (Counts::default(), Scratch::new());
    let nav = SourceNav::parse(bytes).expect("a mesh");
    nav.survey(&mut scratch, &mut counts, &mut |_| {}).expect("read to the end");
    counts.get("areas").expect("a count")
}

/// The files of a shape.
fn files(shape: &Shape) -> Vec<Vec<u8>> {
    let real = corpus::real().map(|folder| folder.join(shape.family)).filter(|_| !shape.folders.is_empty());
    let Some(real) = real else {
        return shape.made.iter().map(|make| make()).collect();
    };
    let begins = |name: &str| shape.folders.iter().any(|folder| name.starts_with(folder));
    let rows = corpus::manifest(&real).into_iter().filter(|row| begins(row.name()));
    let paths: Vec<PathBuf> = rows.map(|row| row.path).collect();
    let files = paths.iter().map(|path| std::fs::read(path).expect("a file of the manifest"));
    // Some of the bare meshes are of games whose layout only their plugin tells.
    files.filter(|bytes| shape.family != "skyrim" || NavMesh::parse(bytes).is_ok()).collect()
}

/// Files one after the other, each from a page on, over and over until they fill [`BYTES`].
struct Field {
    memory: Vec<u8>,
    files: Vec<(usize, usize)>,
}

impl Field {
    fn new(files: &[Vec<u8>]) -> Self {
        let mut field = Self { memory: Vec::with_capacity(BYTES + BYTES / 4), files: Vec::new() };
        while field.memory.len() < BYTES {
            for file in files {
                field.files.push((field.memory.len(), file.len()));
                field.memory.extend_from_slice(file);
                field.memory.resize(field.memory.len().next_multiple_of(PAGE), 0);
            }
        }
        field
    }

    /// The time a run takes for all files, in seconds, from a share of them; and bytes of all files.
    fn time(&self, run: Way, share: usize) -> f64 {
        let some = &self.files[..self.files.len().div_ceil(share)];
        let bytes = |files: &[(usize, usize)]| files.iter().map(|(_, len)| *len as f64).sum::<f64>();
        let start = ThreadTime::now();
        for (at, len) in some {
            black_box(run(black_box(&self.memory[*at..*at + *len])));
        }
        start.elapsed().as_secs_f64() * bytes(&self.files) / bytes(some)
    }

    fn bytes(&self) -> f64 {
        self.files.iter().map(|(_, len)| *len as f64).sum()
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure(shape: &Shape) {
    let files = files(shape);
    if files.is_empty() {
        println!("{}: no files", shape.name);
        return;
    }
    let field = Field::new(&files);
    // The answers are checked by the tests; here only that runs of different kinds agree.
    for file in files.iter().filter(|_| shape.runs.len() == SOURCE.len()) {
        assert_eq!(source::walk(file), source::walk_naive(file));
        assert_eq!(source::visit(file), source::visit_naive(file));
    }
    let mut limits = vec![Vec::new(); WAYS.len()];
    let mut times = vec![Vec::new(); shape.runs.len()];
    for _ in 0..ROUNDS {
        for (times, (_, way)) in limits.iter_mut().zip(WAYS) {
            times.push(field.time(way, 1));
        }
        for (times, (_, run, share)) in times.iter_mut().zip(shape.runs) {
            times.push(field.time(*run, *share));
        }
    }
    let rate = |time: f64| field.bytes() / time / 1e9;
    let ways = WAYS.iter().zip(limits).map(|((name, _), times)| (*name, median(times)));
    let (way, limit) = ways.min_by(|a, b| a.1.total_cmp(&b.1)).expect("there are ways");
    println!("{}: {} files, limit {:.1} GB/s ({way})", shape.name, files.len(), rate(limit));
    for ((name, ..), times) in shape.runs.iter().zip(times) {
        let time = median(times);
        println!("  {name}: {:.1} % of the limit, {:.2} GB/s", 100.0 * limit / time, rate(time));
    }
}

/// Each file once by each of the runs that are named.
fn once(shape: &Shape, wanted: &[String]) {
    let files = files(shape);
    for (name, run, _) in shape.runs.iter().filter(|(name, ..)| wanted.iter().any(|wanted| wanted == name)) {
        let sum = files.iter().fold(0, |sum: u64, file| sum.wrapping_add(black_box(run(black_box(file)))));
        println!("{}, {name}: {sum:x}", shape.name);
    }
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let named = |shape: &&Shape| wanted.iter().any(|name| name == shape.name);
    if std::env::args().any(|arg| arg == "--once") {
        return SHAPES.iter().filter(named).for_each(|shape| once(shape, &wanted));
    }
    SHAPES.iter().filter(|shape| wanted.is_empty() || named(shape)).for_each(measure);
}
