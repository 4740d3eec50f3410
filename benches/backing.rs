//! From which size on does mapping a file beat reading it into a reused, page-aligned buffer? `Mode::CROSSOVER` is what
//! this bench answered. Files are warm in the page cache; every page is touched, as a walk would.

#![allow(unsafe_code, reason = "the caller vouches for the files it makes")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use navmap::Limits;
use navmap::bytes::{BackingPool, Mapping, Mode, Opener};
use std::hint::black_box;
use std::path::PathBuf;

/// One byte of each cache line: what bringing a file in costs, without the work on it.
fn touch(bytes: &[u8]) -> u64 {
    bytes.iter().step_by(64).map(|byte| u64::from(*byte)).sum()
}

fn pool(mode: Mode) -> BackingPool {
    // SAFETY: the files lie in a folder that this process made a moment ago and nobody else knows.
    let mapping = unsafe { Mapping::trusted() };
    BackingPool::new(Opener { mode, mapping }, Limits::default())
}

fn files(size: usize) -> Vec<PathBuf> {
    let folder = std::env::temp_dir().join(format!("navmap-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folder");
    // Several files, so that neither way finds everything in the processor's cache.
    (0..(16 << 20) / size.max(1 << 20) + 1)
        .map(|i| {
            let path = folder.join(format!("{size}-{i}"));
            std::fs::write(&path, vec![1; size]).expect("temporary file");
            path
        })
        .collect()
}

fn crossover(c: &mut Criterion) {
    let mut group = c.benchmark_group("backing");
    for shift in [14, 16, 18, 19, 20, 21, 22, 24] {
        let size = 1usize << shift;
        let paths = files(size);
        group.throughput(Throughput::Bytes((size * paths.len()) as u64));
        for (name, mode) in [("read", Mode::Never), ("map", Mode::Always)] {
            let mut pool = pool(mode);
            group.bench_with_input(BenchmarkId::new(name, size), &paths, |b, paths| {
                b.iter(|| {
                    for path in paths {
                        let backing = pool.open(path).expect("readable");
                        assert_eq!(backing.is_mapped(), mode == Mode::Always);
                        assert_eq!(touch(black_box(&backing)), (size as u64).div_ceil(64));
                    }
                });
            });
        }
        paths.iter().for_each(|path| std::fs::remove_file(path).expect("own file"));
    }
    group.finish();
}

criterion_group!(benches, crossover);
criterion_main!(benches);
