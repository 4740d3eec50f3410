//! Fox Engine tiles: opening, visiting everything, whole maps.
//!
//! Every bench stands beside the limit (a loop that sums every byte of the same files) and an owned parser that copies
//! what it reads into vectors. The corpus is the real one where it is there, else generated tiles of the same shape.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::Scratch;
use navmap::format::fox::{FoxNav, TileSet};
use navmap::{Counts, NavFile};
use navmap_testkit::byte_sum;
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::Map;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use touch::visit;

#[path = "touch/fox.rs"]
mod touch;

/// Files of the game, or of our own.
fn tiles() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = real().map(|folder| folder.join("fox")) else {
        let files = Map::square(5).tiles().flat_map(|tile| tile.files).collect::<Vec<_>>();
        return files.into_iter().map(|(name, bytes)| (PathBuf::from(name), bytes)).collect();
    };
    let rows = manifest(&folder);
    let of_the_game =
        rows.iter().filter(|row| row.name().starts_with("ssav/") || row.name().starts_with("tpp/"));
    of_the_game.map(|row| (row.path.clone(), row.read())).collect()
}

/// What one writes at first: every array of a group in a vector of its own.
mod owned {
    /// A node's segment, its links inside as pairs of node and edge, and the words of its link across.
    pub(super) type Node = (u16, Vec<(u16, u16)>, Vec<u16>);

    #[derive(Default)]
    pub(super) struct Group {
        pub(super) positions: Vec<[u16; 3]>,
        pub(super) nodes: Vec<Node>,
        pub(super) edges: Vec<(u16, u16, u8, u8)>,
        pub(super) faces: Vec<(Vec<u16>, Vec<u8>, Vec<u16>)>,
        pub(super) vertices: Vec<[u16; 3]>,
        pub(super) segments: Vec<[u16; 12]>,
    }

    fn u16_at(bytes: &[u8], at: usize) -> u16 {
        u16::from_le_bytes([bytes[at], bytes[at + 1]])
    }

    fn u32_at(bytes: &[u8], at: usize) -> usize {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
    }

    fn three(bytes: &[u8], at: usize) -> [u16; 3] {
        [u16_at(bytes, at), u16_at(bytes, at + 2), u16_at(bytes, at + 4)]
    }

    pub(super) fn parse(bytes: &[u8]) -> Vec<Group> {
        let (mut at, count) = (u32_at(bytes, 8), u32_at(bytes, 12));
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for _ in 0..count {
            let (kind, next, id) = (u32_at(bytes, at), u32_at(bytes, at + 4), u32_at(bytes, at + 12));
            let payload = &bytes[at + 16..at + next];
            let index = groups.iter().position(|(own, _)| *own == id).unwrap_or_else(|| {
                groups.push((id, Group::default()));
                groups.len() - 1
            });
            let group = &mut groups[index].1;
            match kind {
                0 => world(payload, group),
                1 => mesh(payload, group),
                4 => {
                    let (base, n) = (u32_at(payload, 4), u32_at(payload, 12));
                    group.segments = (0..n)
                        .map(|i| std::array::from_fn(|k| u16::from(payload[base + i * 12 + k])))
                        .collect();
                }
                _ => {}
            }
            at += next;
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    fn world(p: &[u8], group: &mut Group) {
        let (n, m) = (u16_at(p, 36) as usize, u16_at(p, 38) as usize);
        let (positions, nodes, edges, links) = (u32_at(p, 0), u32_at(p, 4), u32_at(p, 8), u32_at(p, 12));
        group.positions = (0..n).map(|i| three(p, positions + i * 6)).collect();
        for i in 0..n {
            let node = nodes + i * 6;
            let (count, bits) = (p[node + 4] as usize, p[node + 5]);
            let at = links + u16_at(p, node) as usize * 2;
            let inside = (0..count).map(|k| (u16_at(p, at + k * 4), u16_at(p, at + k * 4 + 2))).collect();
            let rest = [0, 1, 2, 0, 3][usize::from(bits & 7).min(4)];
            let crossing = (0..rest).map(|k| u16_at(p, at + count * 4 + k * 2)).collect();
            group.nodes.push((u16_at(p, node + 2), inside, crossing));
        }
        let edge = |at: usize| (u16_at(p, at), u16_at(p, at + 2), p[at + 4], p[at + 5]);
        group.edges = (0..m).map(|i| edge(edges + i * 6)).collect();
    }

    fn mesh(p: &[u8], group: &mut Group) {
        let (vertices, descriptors, data) = (u32_at(p, 0), u32_at(p, 4), u32_at(p, 8));
        let (faces, n) = (u16_at(p, 24) as usize, u16_at(p, 26) as usize);
        group.vertices = (0..n).map(|i| three(p, vertices + i * 6)).collect();
        for i in 0..faces {
            let at = data + (u32_at(p, descriptors + i * 4) & 0x3_FFFF) * 2;
            let neighbours: Vec<u16> = (0..3).map(|k| u16_at(p, at + k * 2)).collect();
            let more = neighbours.iter().any(|n| *n != 0xFFFF && *n > 0x3FFF);
            let ids = if more { (0..6).map(|k| u16_at(p, at + 12 + k * 2)).collect() } else { vec![] };
            group.faces.push((neighbours, p[at + 6..at + 12].to_vec(), ids));
        }
    }
}

fn open(c: &mut Criterion) {
    let mut tiles = tiles();
    tiles.sort_by_key(|(_, bytes)| bytes.len());
    let mut group = c.benchmark_group("fox/open");
    let small = tiles.iter().find(|(_, bytes)| bytes.len() > 4096);
    for (name, tile) in [("smallest", small), ("largest", tiles.last())] {
        let bytes = &tile.expect("there are tiles").1;
        let id = BenchmarkId::new(name, format!("{} bytes", bytes.len()));
        group.bench_function(id, |b| b.iter(|| FoxNav::parse(black_box(bytes)).unwrap().entries_end()));
    }
    group.finish();
}

fn walk(c: &mut Criterion) {
    let tiles = tiles();
    let parsed = || tiles.iter().map(|(_, bytes)| FoxNav::parse(black_box(bytes)).unwrap());
    let faces: usize = parsed()
        .flat_map(|nav| {
            nav.groups().map(|group| group.unwrap().mesh().descriptors().len()).collect::<Vec<_>>()
        })
        .sum();
    let mut group = c.benchmark_group("fox/visit");
    group.throughput(Throughput::Bytes(tiles.iter().map(|(_, bytes)| bytes.len() as u64).sum()));
    group.bench_function("limit", |b| {
        b.iter(|| tiles.iter().map(|(_, bytes)| byte_sum(black_box(bytes))).sum::<u64>());
    });
    let sum: u64 = parsed().map(visit).sum();
    group.bench_function("everything", |b| {
        b.iter(|| assert_eq!(parsed().map(visit).sum::<u64>(), sum));
    });
    group.bench_function("survey", |b| {
        let mut scratch = Scratch::new();
        b.iter(|| {
            let counted: u64 = parsed()
                .map(|nav| {
                    let mut counts = Counts::default();
                    nav.survey(&mut scratch, &mut counts, &mut |finding| panic!("{finding}")).unwrap();
                    counts.get("faces").unwrap()
                })
                .sum();
            assert_eq!(counted, faces as u64);
        });
    });
    group.bench_function("owned", |b| {
        b.iter(|| {
            let read = tiles.iter().flat_map(|(_, bytes)| owned::parse(black_box(bytes)));
            assert_eq!(read.map(|group| group.faces.len()).sum::<usize>(), faces);
        });
    });
    group.finish();
}

fn sets(c: &mut Criterion) {
    let mut group = c.benchmark_group("fox/tileset");
    group.sample_size(10);

    // Tiles of the game where they are there: a set so small that waking the second thread counts.
    let few = folder("few");
    let paths: Vec<PathBuf> = if real().is_some() {
        tiles().into_iter().map(|(path, _)| path).collect()
    } else {
        write_map(&few, 5);
        vec![few.clone()]
    };
    open_set(&mut group, "corpus", &paths);

    let many = folder("many");
    write_map(&many, 64);
    open_set(&mut group, "64x64", std::slice::from_ref(&many));
    group.finish();
    for folder in [few, many].iter().filter(|folder| folder.exists()) {
        std::fs::remove_dir_all(folder).unwrap();
    }
}

/// Writes the tiles of a square map.
fn write_map(folder: &Path, side: u16) {
    use rayon::prelude::*;
    std::fs::create_dir_all(folder).unwrap();
    let map = Map::square(side);
    (0..side * side).into_par_iter().for_each(|nth| {
        for (name, bytes) in map.tile(nth % side, nth / side).files {
            std::fs::write(folder.join(name), &bytes).unwrap();
        }
    });
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("navmap-fox-bench-{}-{name}", std::process::id()))
}

/// Opens files, or those of folders, with one thread and with two.
fn open_set(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, paths: &[PathBuf]) {
    let (tiles, files) = {
        let set = TileSet::open(paths).unwrap();
        assert!(set.index_bytes() * 50 < set.file_bytes(), "{} bytes of index", set.index_bytes());
        assert!(set.failures().is_empty());
        (set.len(), set.layers().flat_map(|layer| layer.tiles()).flat_map(|tile| tile.files()).count())
    };
    group.throughput(Throughput::Elements(files as u64));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let once = || {
            let start = Instant::now();
            let set = TileSet::open(paths).unwrap();
            let taken = start.elapsed();
            assert_eq!(set.len(), tiles);
            // Giving the memory back is no part of opening.
            taken
        };
        group.bench_function(BenchmarkId::new(name, threads), |b| {
            b.iter_custom(|times| pool.install(|| (0..times).map(|_| once()).sum::<Duration>()));
        });
    }
}

criterion_group!(benches, open, walk, sets);
criterion_main!(benches);
