//! Containers, and scans of what is in them, each beside what it can at best cost in the same run: the bare decoder for
//! what is inflated, `cat` of the loose files for a scan of the whole program.
//!
//! `NAVMAP_BENCH_FILES` sets how many files of 400 KB the scans have (2,000 is what is quoted; 200 by default).

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flate2::{Decompress, FlushDecompress};
use navmap::Limits;
use navmap::archive::{Archive, Kind, Meter, Source, Unpacker};
use navmap_testkit::archive as make;
use navmap_testkit::archive::Keep;
use navmap_testkit::byte_sum;
use navmap_testkit::source::{Shape, level, write};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A mesh of about 400 KB, shaped like play in Team Fortress 2.
fn mesh() -> Vec<u8> {
    write(&level(16, Some(2), &Shape::play(860, 5)))
}

/// The members of an archive: read one after the other, as a scan does.
fn read_all(bytes: &[u8], kind: Kind, unpacker: &mut Unpacker) -> u64 {
    let limits = Limits::default();
    let source = Source::single(bytes);
    let archive = Archive::open(source, kind, b"x").expect("an archive");
    let meter = Meter::new(&limits, bytes.len() as u64);
    let mut sum = 0u64;
    for member in archive.members(&limits) {
        let read = member.and_then(|member| Ok(member.entry.read(source, &meter, unpacker)?.len()));
        sum += read.expect("a sound member") as u64;
    }
    sum
}

fn list(c: &mut Criterion) {
    let names: Vec<_> = (0..80).map(|i| format!("maps/{i:02}.nav").into_bytes()).collect();
    let members: Vec<_> = names.iter().map(|name| (&name[..], &b"mesh"[..])).collect();
    let kept: Vec<_> = names
        .iter()
        .map(|name| (std::str::from_utf8(name).expect("ascii"), &b"mesh"[..], Keep::Here))
        .collect();
    let mut group = c.benchmark_group("archive/list-80");
    for (kind, bytes) in [
        (Kind::Zip, make::stored_zip(&members)),
        (Kind::Pak, make::pak(&members)),
        (Kind::Vpk, make::vpk(2, &kept).0),
        (Kind::Gma, make::gma(&members)),
        (Kind::Fpk, make::fpk(&members)),
        (Kind::Tar, make::tar(&members)),
    ] {
        let limits = Limits::default();
        group.bench_function(kind.name(), |b| {
            b.iter(|| {
                let archive =
                    Archive::open(Source::single(black_box(&bytes)), kind, b"x").expect("an archive");
                assert_eq!(archive.members(&limits).filter_map(Result::ok).count(), 80);
            });
        });
    }
    group.finish();
}

fn inflate(c: &mut Criterion) {
    let mesh = mesh();
    let members: Vec<(&[u8], &[u8])> = vec![(b"a.nav", &mesh); 16];
    let zip = make::deflated_zip(&members);
    let packed = make::deflate(&mesh);
    let total = mesh.len() as u64 * 16;
    let mut group = c.benchmark_group("archive/inflate-deflate");
    group.throughput(Throughput::Bytes(total));
    let mut unpacker = Unpacker::new();
    group.bench_function("zip", |b| {
        b.iter(|| assert_eq!(read_all(black_box(&zip), Kind::Zip, &mut unpacker), total))
    });
    group.bench_function("bare-decoder", |b| {
        let (mut state, mut out) = (Decompress::new(false), vec![0; mesh.len() + 1]);
        b.iter(|| {
            for _ in 0..16 {
                state.reset(false);
                state.decompress(black_box(&packed), &mut out, FlushDecompress::Finish).expect("sound");
                assert_eq!(state.total_out(), mesh.len() as u64);
            }
        });
    });
    group.finish();

    let stored = make::stored_zip(&members);
    let mut group = c.benchmark_group("archive/stored");
    group.throughput(Throughput::Bytes(total));
    group.bench_function("zip", |b| {
        b.iter(|| assert_eq!(read_all(black_box(&stored), Kind::Zip, &mut unpacker), total))
    });
    group.bench_function("byte-sum", |b| b.iter(|| byte_sum(black_box(&stored))));
    group.finish();
}

/// Files of one mesh, loose and in archives.
struct Field(PathBuf);

impl Field {
    fn new(files: usize) -> Self {
        let folder = std::env::temp_dir().join(format!("navmap-bench-archive-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("loose")).expect("temporary folder");
        let mesh = mesh();
        let names: Vec<_> = (0..files).map(|i| format!("maps/{i:05}.nav")).collect();
        let put =
            |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("temporary file");
        (0..files).for_each(|i| put(&format!("loose/{i:05}.nav"), &mesh));
        let members: Vec<_> = names.iter().map(|name| (name.as_bytes(), &mesh[..])).collect();
        put("x.pak", &make::pak(&members));
        put("x.zip", &make::stored_zip(&members));
        put("deflated.zip", &make::deflated_zip(&members));
        let kept: Vec<_> = names.iter().map(|name| (&**name, &mesh[..], Keep::Part(0))).collect();
        let (directory, parts) = make::vpk(2, &kept);
        put("x_dir.vpk", &directory);
        put("x_000.vpk", &parts[0]);
        Self(folder)
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs the program, which says how many rows it printed by their bytes.
fn scan(path: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.args(["scan", "-q", "-j", "2", "--format", "jsonl"]).arg(path).stdout(Stdio::null());
    assert!(command.status().expect("the program").success());
}

fn whole_program(c: &mut Criterion) {
    let files = std::env::var("NAVMAP_BENCH_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let field = Field::new(files);
    let mut group = c.benchmark_group(format!("scan/{files}-files"));
    group.throughput(Throughput::Bytes(mesh().len() as u64 * files as u64)).sample_size(10);
    group.bench_function("cat", |b| {
        b.iter(|| {
            let cat = format!("cat {}/loose/*.nav > /dev/null", field.0.display());
            assert!(Command::new("sh").args(["-c", &cat]).status().expect("sh").success());
        });
    });
    for name in ["loose", "x.pak", "x.zip", "x_dir.vpk", "deflated.zip"] {
        group.bench_function(BenchmarkId::from_parameter(name), |b| b.iter(|| scan(&field.0.join(name))));
    }
    group.finish();
}

fn small_files(c: &mut Criterion) {
    let folder = std::env::temp_dir().join(format!("navmap-bench-small-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folder");
    let mesh = write(&level(16, Some(2), &Shape::small(3)));
    (0..10_000)
        .for_each(|i| std::fs::write(folder.join(format!("{i:05}.nav")), &mesh).expect("temporary file"));
    let mut group = c.benchmark_group("scan/10000-small");
    group.throughput(Throughput::Elements(10_000)).sample_size(10);
    group.bench_function("files", |b| b.iter(|| scan(&folder)));
    group.finish();
    let _ = std::fs::remove_dir_all(&folder);
}

criterion_group!(benches, list, inflate, whole_program, small_files);
criterion_main!(benches);
