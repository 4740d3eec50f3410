//! Tables and SQL over 800 MB of real meshes, each against a bare walk over the same files in the same run.
//!
//! `NAVMAP_CORPUS=… cargo bench --bench tables --features sql,parquet`. The meshes of Source are listed until they are 800 MB,
//! by links in a temporary folder; page cache warm, two threads. Prints a line each: seconds, ratio to the walk, and the bar. The
//! last column is the most memory that the process has held since the line before.

use navmap::scan::{Outcome, Scan, Task};
use navmap::table::sql::Database;
use navmap::table::{Format, Run, Table};
use navmap_testkit::corpus;
use navmap_testkit::temp::Temp;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

const WANTED: u64 = 800 << 20;

fn scan() -> Scan {
    Scan { threads: 2, ..Scan::new() }
}

/// Seconds of the quickest of three runs.
fn quickest<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..3 {
        let begun = Instant::now();
        last = Some(run());
        best = best.min(begun.elapsed().as_secs_f64());
    }
    (best, last.unwrap())
}

/// The most memory since the last call, in MiB, of which the kernel keeps account on Linux.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0);
    let _ = fs::write("/proc/self/clear_refs", "5");
    kib / 1024.0
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

/// Counts what is written, and keeps nothing.
struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() {
    let Some(root) = corpus::real() else { return };
    let temp = Temp::new("bench-tables");
    let meshes: Vec<_> = corpus::manifest(&root.join("source")).into_iter().map(|row| row.path).collect();
    let once: u64 = meshes.iter().map(|path| fs::metadata(path).map_or(0, |data| data.len())).sum();
    for time in 0..WANTED.div_ceil(once.max(1)) {
        let folder = temp.path().join(format!("{time:04}"));
        fs::create_dir(&folder).unwrap();
        for (at, mesh) in meshes.iter().enumerate() {
            let name = mesh.file_name().unwrap().to_string_lossy().into_owned();
            link(mesh, &folder.join(format!("{at:02}-{name}")));
        }
    }
    let all = temp.path();
    let walk = || {
        let mut files = 0u64;
        let scan = Scan { task: Task::Survey, ..scan() };
        let totals = scan.run([all], &mut |_: Outcome| {
            files += 1;
            ControlFlow::Continue(())
        });
        (files, totals.bytes)
    };
    walk();
    let _ = peak();
    let (walked, (files, bytes)) = quickest(walk);
    println!(
        "{files} meshes, {} MB; bare walk with two threads {walked:.3} s, {:.0} MiB",
        bytes >> 20,
        peak()
    );
    let line = |what: &str, seconds: f64, bar: &str| {
        println!(
            "{what:<34} {seconds:>7.3} s  {:>5.2} x the walk  (bar {bar})  {:.0} MiB",
            seconds / walked,
            peak()
        );
    };
    let database = Database::open(scan(), vec![all.to_owned()]).unwrap();
    let count = |sql: &str| -> u64 {
        let mut statement = database.connection().prepare(sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        let mut count = 0;
        while rows.next().unwrap().is_some() {
            count += 1;
        }
        count
    };
    for (what, bar, sql) in [
        ("sql: count of areas", "2 x", "SELECT count(*) FROM areas"),
        ("sql: areas by place", "4 x", "SELECT place, count(*), sum(surface) FROM areas GROUP BY place"),
        (
            "sql: areas by version",
            "5 x",
            "SELECT version, count(*) FROM source_meshes JOIN areas USING (file) GROUP BY version",
        ),
        (
            "sql: flag per file",
            "2.5 x",
            "SELECT path, count(*) AS n FROM areas WHERE flags & 1 GROUP BY path ORDER BY n DESC LIMIT 10",
        ),
        (
            "sql: out-degree by place (join)",
            "13 x",
            "SELECT place, avg(n) FROM (SELECT a.place, count(c.dst_id) AS n FROM areas a LEFT JOIN connections c \
             ON c.file = a.file AND c.src_id = a.id GROUP BY a.file, a.id) GROUP BY place",
        ),
    ] {
        let (seconds, rows) = quickest(|| count(sql));
        assert!(rows > 0);
        line(what, seconds, bar);
    }
    let path = all.join(format!("0001/00-{}", meshes[0].file_name().unwrap().to_string_lossy()));
    let sql = format!("SELECT count(*) FROM areas WHERE path = '{}'", path.display());
    count(&sql);
    let (seconds, _) = quickest(|| count(&sql));
    line("sql: one file by path", seconds, "5 ms");
    for (format, name, bar) in [
        (Format::Parquet, "areas", "7 x, 20 bytes a row"),
        (Format::Parquet, "connections", "6 x, 2.5 bytes a row"),
        (Format::Csv, "areas", "6 x"),
        (Format::Jsonl, "connections", "3 x"),
    ] {
        let table = Table::named(name).unwrap();
        let (seconds, (rows, bytes)) = quickest(|| {
            let mut writer = format.begin_on(table, Count(0), 2).unwrap();
            let mut rows = 0u64;
            Run::new(scan(), [table]).in_parts().written_as(format).run([all], &mut |mesh, sheets| {
                let batch = &mut sheets.batches_mut()[0];
                rows += batch.rows() as u64;
                writer.write(mesh, batch).unwrap();
                ControlFlow::Continue(())
            });
            (rows, writer.finish().unwrap().0)
        });
        line(&format!("{format:?} of all {name}"), seconds, bar);
        println!("{:<34} {rows} rows, {:.2} bytes a row", "", bytes as f64 / rows as f64);
    }
}
