//! A tile that joins a map of 256 and leaves it, beside opening all of them.
//!
//! `cargo bench --bench join --features archive -- --warm-up-time 0.5 --measurement-time 1`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::query::{Policy, World};
use navmap_testkit::{detour, fox};
use std::path::PathBuf;

type Files = Vec<(PathBuf, Vec<u8>)>;

fn maps() -> [(&'static str, Files); 3] {
    let named = |(name, bytes): (String, Vec<u8>)| (PathBuf::from(name), bytes);
    let of_fox = |cells| {
        let map = fox::Map { cells, ..fox::Map::square(16) };
        map.tiles().flat_map(|tile| tile.files).map(named).collect()
    };
    [
        // As many faces a tile as the game's have, and a tenth of that.
        ("fox", of_fox(16)),
        ("fox", of_fox(5)),
        ("detour", detour::server_map(16, 16).into_iter().map(named).collect()),
    ]
}

fn join(c: &mut Criterion) {
    let policy = Policy::default().with_refuse(None);
    for (family, files) in maps() {
        let world = World::from_tiles(files.iter().cloned(), &policy).unwrap();
        let (name, bytes) = &files[files.len() / 2];
        let torn = world.without_tile(name, &policy).unwrap();
        let areas = world.index().len();
        assert!(torn.index().len() < areas);
        let mut group = c.benchmark_group(format!("join/{family}, {areas} areas in 256 tiles"));
        group.sample_size(10).throughput(Throughput::Elements(areas as u64));
        group.bench_function("all made anew", |b| {
            b.iter(|| World::from_tiles(files.iter().cloned(), &policy).unwrap().index().len());
        });
        group.bench_function("one joins", |b| {
            b.iter(|| torn.with_tile(name, bytes.clone(), &policy).unwrap().index().len());
        });
        group.bench_function("one leaves", |b| {
            b.iter(|| world.without_tile(name, &policy).unwrap().index().len());
        });
        group.finish();
    }
}

criterion_group!(benches, join);
criterion_main!(benches);
