//! Plugins: listing navmesh records without inflating, inflating and visiting every mesh, and both on more threads.
//!
//! Beside each: the limit (a loop that sums every byte; the bare inflate of the same streams) and a plain reader that owns
//! what it reads.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use navmap::bytes::{Inflater, Scratch};
use navmap::format::skyrim::{NavMesh, Plugin};
use navmap::{Counts, Limits, NavFile};
use navmap_testkit::byte_sum;
use navmap_testkit::skyrim::{Totals, realistic};
use std::hint::black_box;
use touch::touch;

#[path = "touch/skyrim.rs"]
mod touch;

fn plugin(bytes: &[u8]) -> Plugin<'_> {
    Plugin::parse(bytes, &Limits::default()).unwrap()
}

/// What the records claim and hold: the compressed streams of all navmeshes.
fn streams(bytes: &[u8]) -> Vec<(&[u8], u64)> {
    plugin(bytes)
        .navmeshes()
        .map(|navm| {
            let record = *navm.unwrap().record();
            (&record.stored()[4..], u64::from(record.claimed_size().unwrap()))
        })
        .collect()
}

fn list(c: &mut Criterion) {
    let (bytes, totals) = realistic(60);
    let mut group = c.benchmark_group("skyrim/list");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("byte-sum", |b| b.iter(|| byte_sum(black_box(&bytes))));
    group.bench_function("navmeshes", |b| {
        b.iter(|| {
            let mut ids = 0u64;
            for navm in plugin(black_box(&bytes)).navmeshes() {
                ids = ids.wrapping_add(u64::from(navm.unwrap().form_id().get()) + 1);
            }
            assert!(ids > totals.records as u64);
            ids
        });
    });
    group.bench_function("all-records", |b| b.iter(|| plugin(black_box(&bytes)).records().flatten().count()));
    group.bench_function("open", |b| b.iter(|| plugin(black_box(&bytes)).master_count()));
    group.bench_function("naive", |b| {
        b.iter(|| assert_eq!(naive::records(black_box(&bytes)).len(), totals.records))
    });
    group.finish();
}

fn inflate(c: &mut Criterion) {
    let (bytes, totals) = realistic(24);
    let streams = streams(&bytes);
    let inflated: u64 = streams.iter().map(|(_, size)| size).sum();
    let limits = Limits::default();
    let mut group = c.benchmark_group("skyrim/inflate");
    group.throughput(Throughput::Bytes(inflated));
    let mut inflater = Inflater::default();
    group.bench_function("bare", |b| {
        b.iter(|| {
            let sizes = streams
                .iter()
                .map(|(stream, size)| inflater.zlib(stream, *size, &limits).unwrap().len() as u64);
            assert_eq!(sizes.sum::<u64>(), inflated);
        });
    });
    let mut scratch = Scratch::new();
    group.bench_function("visit", |b| {
        b.iter(|| {
            let mut sum = 0u64;
            for navm in plugin(black_box(&bytes)).navmeshes() {
                sum = sum.wrapping_add(touch(&navm.unwrap().mesh(&mut scratch).unwrap().unwrap()));
            }
            sum
        });
    });
    group.bench_function("survey", |b| {
        b.iter(|| {
            let mut counts = Counts::default();
            plugin(black_box(&bytes)).survey(&mut scratch, &mut counts, &mut |_| ()).unwrap();
            assert_eq!(counts.get("triangles"), Some(totals.triangles as u64));
        });
    });
    group.bench_function("check", |b| {
        b.iter(|| {
            let mut findings = 0;
            plugin(black_box(&bytes)).check(&mut scratch, &mut |_| findings += 1).unwrap();
            // The plugin has no info map: that is said, and nothing else.
            assert_eq!(findings, 1);
        });
    });
    group.bench_function("naive", |b| {
        b.iter(|| assert_eq!(naive::triangles(black_box(&bytes)), totals.triangles))
    });
    group.finish();
    stored(c, &bytes, totals);
}

/// The meshes alone, already inflated: what is left when the inflate is not counted.
fn stored(c: &mut Criterion, bytes: &[u8], totals: Totals) {
    let mut inflater = Inflater::default();
    let limits = Limits::default();
    let fields: Vec<Vec<u8>> = streams(bytes)
        .into_iter()
        .map(|(stream, size)| inflater.zlib(stream, size, &limits).unwrap()[6..].to_vec())
        .collect();
    let total: usize = fields.iter().map(Vec::len).sum();
    let mut group = c.benchmark_group("skyrim/payload");
    group.throughput(Throughput::Bytes(total as u64));
    group.bench_function("byte-sum", |b| {
        b.iter(|| fields.iter().fold(0u64, |sum, field| sum.wrapping_add(byte_sum(black_box(field)))));
    });
    group.bench_function("parse", |b| {
        b.iter(|| {
            let triangles =
                fields.iter().map(|field| NavMesh::parse(black_box(field)).unwrap().triangles().len());
            assert_eq!(triangles.sum::<usize>(), totals.triangles);
        });
    });
    group.bench_function("walk", |b| {
        b.iter(|| {
            fields
                .iter()
                .fold(0u64, |sum, field| sum.wrapping_add(touch(&NavMesh::parse(black_box(field)).unwrap())))
        });
    });
    group.finish();
}

fn threads(c: &mut Criterion) {
    let (bytes, totals) = realistic(40);
    let inflated: u64 = streams(&bytes).iter().map(|(_, size)| size).sum();
    let mut group = c.benchmark_group("skyrim/threads");
    group.throughput(Throughput::Bytes(inflated));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        group.bench_function(threads.to_string(), |b| {
            b.iter(|| {
                let meshes = pool.install(|| {
                    plugin(black_box(&bytes)).par_navmeshes(|_, mesh| touch(&mesh.unwrap().unwrap()))
                });
                assert_eq!(meshes.len(), totals.meshes);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, list, inflate, threads);
criterion_main!(benches);

/// A plain reader: recursion over groups, a vector for every array.
mod naive {
    use std::io::Read;

    fn u32_at(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    pub(super) struct Record {
        pub(super) data: Vec<u8>,
    }

    pub(super) fn records(bytes: &[u8]) -> Vec<Record> {
        let mut records = Vec::new();
        group(&bytes[24 + u32_at(bytes, 4) as usize..], &mut records);
        records
    }

    fn group(mut bytes: &[u8], records: &mut Vec<Record>) {
        while !bytes.is_empty() {
            let size = u32_at(bytes, 4) as usize;
            if &bytes[..4] == b"GRUP" {
                group(&bytes[24..size], records);
                bytes = &bytes[size..];
            } else {
                if &bytes[..4] == b"NAVM" {
                    records.push(Record { data: bytes[24..24 + size].to_vec() });
                }
                bytes = &bytes[24 + size..];
            }
        }
    }

    #[derive(Default)]
    pub(super) struct Mesh {
        vertices: Vec<[f32; 3]>,
        triangles: Vec<[u16; 8]>,
        links: Vec<(u32, u32, u16)>,
        doors: Vec<(u16, u32)>,
        cover: Vec<u16>,
        grid: Vec<Vec<u16>>,
    }

    pub(super) fn triangles(bytes: &[u8]) -> usize {
        let meshes: Vec<Mesh> = records(bytes).iter().map(|record| mesh(&record.data)).collect();
        let rest = meshes
            .iter()
            .map(|m| m.links.len() + m.doors.len() + m.cover.len() + m.grid.len())
            .sum::<usize>();
        assert!(rest > 0 && meshes.iter().all(|m| !m.vertices.is_empty()));
        meshes.iter().map(|mesh| mesh.triangles.len()).sum()
    }

    fn mesh(data: &[u8]) -> Mesh {
        let mut inflated = Vec::with_capacity(u32_at(data, 0) as usize);
        navmap_testkit::skyrim::zlib::reader(&data[4..]).read_to_end(&mut inflated).unwrap();
        let bytes = &inflated[6..];
        let mut at = 16;
        let u16_at = |at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
        let mut array = |stride: usize| {
            let n = u32_at(bytes, at) as usize;
            let start = at + 4;
            at = start + n * stride;
            (0..n).map(move |i| start + i * stride)
        };
        let vertices = array(12).map(|at| [0, 4, 8].map(|o| f32::from_bits(u32_at(bytes, at + o)))).collect();
        let triangles = array(16).map(|at| [0, 2, 4, 6, 8, 10, 12, 14].map(|o| u16_at(at + o))).collect();
        let links = array(10).map(|at| (u32_at(bytes, at), u32_at(bytes, at + 4), u16_at(at + 8))).collect();
        let doors = array(10).map(|at| (u16_at(at), u32_at(bytes, at + 6))).collect();
        let cover = array(2).map(u16_at).collect();
        let divisor = u32_at(bytes, at);
        at += 36;
        let mut grid = Vec::new();
        for _ in 0..divisor * divisor {
            let n = u32_at(bytes, at) as usize;
            grid.push((0..n).map(|i| u16_at(at + 4 + 2 * i)).collect());
            at += 4 + 2 * n;
        }
        assert_eq!(at, bytes.len());
        Mesh { vertices, triangles, links, doors, cover, grid }
    }
}
