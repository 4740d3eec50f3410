//! Analysis of Source meshes without a map: hiding spots, encounter paths, visibility, times. Runs on real meshes where they
//! are, on a generated one of 500 areas otherwise, and says which.
//!
//! ```text
//! cargo bench --bench analyze
//! ```

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use navmap::format::source::analyze::{AnalyzeOptions, Phase, Spawns, Spots, VisibleSets, analyze};
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::{corpus, source as kit};
use std::hint::black_box;

/// Name, and a real file of this size.
const REAL: [(&str, &str); 4] = [
    ("tf2", "tf2-16.2/cp_steel.nav"),
    ("csgo", "csgo-16.1/de_dharma.nav"),
    ("csgo-dz", "csgo-16.1/dz_county.nav"),
    ("goldsrc", "goldsrc-v5/cs_assault.nav"),
];

fn own(bytes: &[u8]) -> SourceBuf {
    SourceBuf::read(&SourceNav::parse(bytes).expect("a mesh")).expect("read to the end")
}

fn meshes() -> Vec<(String, SourceBuf)> {
    let level = kit::level(16, Some(1), &kit::Shape::play(23, 5));
    let mut meshes = vec![("generated".to_owned(), own(&kit::write(&level)))];
    let real = corpus::real().map(|folder| folder.join("source"));
    for (name, file) in REAL {
        if let Some(bytes) = real.as_ref().and_then(|folder| std::fs::read(folder.join(file)).ok()) {
            meshes.push((name.to_owned(), own(&bytes)));
        }
    }
    for (name, mesh) in &meshes {
        eprintln!("{name}: {} areas", mesh.areas.len());
    }
    meshes
}

fn run(mesh: &mut SourceBuf, only: &[Phase]) -> u64 {
    let spawns = Spawns { terrorists: vec![[0.0; 3]; 16], counter_terrorists: vec![[500.0, 500.0, 0.0]; 16] };
    let options =
        AnalyzeOptions { only: only.to_vec(), full: Some(true), spawns, ..AnalyzeOptions::default() };
    let report = analyze(mesh, &options, None).expect("an analysis");
    report.done.iter().map(|done| done.after).sum()
}

fn phases(c: &mut Criterion) {
    for (name, mesh) in meshes() {
        let spots = Spots::compute(&mesh).positions().len();
        assert!(spots > 0, "{name}");
        let sets = VisibleSets::decode(&mesh).expect("lists");
        let mut group = c.benchmark_group("analyze");
        for (what, only) in [
            ("whole", &[][..]),
            ("hiding", &[Phase::Hiding]),
            ("encounters", &[Phase::Encounters]),
            ("visibility", &[Phase::Visibility]),
            ("times", &[Phase::Times]),
        ] {
            group.bench_function(BenchmarkId::new(what, &name), |b| {
                b.iter_batched(
                    || mesh.clone(),
                    |mut mesh| black_box(run(&mut mesh, only)),
                    BatchSize::LargeInput,
                );
            });
        }
        group.finish();
        assert_eq!(sets.iter().count(), mesh.areas.len());
    }
}

criterion_group!(benches, phases);
criterion_main!(benches);
