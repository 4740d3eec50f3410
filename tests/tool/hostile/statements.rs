//! Statements of SQL that would take any amount of memory, disk and time.

use super::{navmap, run};
use navmap_testkit::temp::Temp;
use std::process::Stdio;
use std::time::{Duration, Instant};

const ENDLESS: &str = "WITH RECURSIVE n(i, b) AS (SELECT 1, zeroblob(1000000) UNION SELECT i + 1, randomblob(1000000) FROM n) \
     SELECT count(*) FROM n";

fn said(sql: &str, more: &[&str]) -> (Option<i32>, String) {
    let mut command = navmap();
    let done = run(sql, command.args(["sql", "-q"]).args(more).args([sql, "corpus/source/town.nav"]));
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn a_value_and_what_a_statement_holds_are_bounded() {
    for sql in [
        "SELECT length(replace(hex(zeroblob(400000000)), '0', 'xx'))",
        "SELECT length(hex(zeroblob(12000000)))",
    ] {
        let (code, said) = said(sql, &[]);
        assert!(code == Some(2) && said.contains("a value may have 16777216 bytes"), "{code:?} {said}");
    }
    let (code, said) = said(ENDLESS, &["--max-memory", "64M"]);
    assert!(code == Some(2) && said.contains("holds more than it may (--max-memory)"), "{code:?} {said}");
}

/// A width of more than 65,535 letters is none.
#[test]
fn values_and_statements_of_any_length_are_shown() {
    let (code, said) = self::said("SELECT printf('%.*c', 70000, 'x') AS a, 1 AS b", &[]);
    assert_eq!((code, &*said), (Some(0), ""));
    let sql = format!("SELECT {}plce FROM areas", " ".repeat(70_000));
    let (code, said) = self::said(&sql, &[]);
    assert!(code == Some(2) && said.contains("no such column: plce") && said.len() < 2_000, "{said}");
    // A mesh whose place has a name that takes six letters for each of its bytes.
    let temp = Temp::new("wide-cells");
    let town = std::fs::read(navmap_testkit::corpus::project().join("corpus/source/town.nav")).unwrap();
    // After the head: how many places, then the length and the name of the first.
    let (head, rest) = town.split_at(19);
    let (len, rest) = rest.split_at(2);
    let rest = &rest[usize::from(u16::from_le_bytes([len[0], len[1]]))..];
    let mesh = [head, &65_001_u16.to_le_bytes(), &[1; 65_000], &[0], rest].concat();
    let path = temp.file("wide.nav", &mesh);
    for args in [&["sql", "-q", "SELECT * FROM areas"][..], &["sql", "-q", "SELECT * FROM places"]] {
        let done = run("wide cells", navmap().args(args).arg(&path));
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    }
    for args in [&["path", "--table"][..], &["locate", "--format", "table"]] {
        let mut command = navmap();
        command.args(args).arg(&path);
        let done = run("wide cells", if args[0] == "locate" { command.arg("0,0,0") } else { &mut command });
        assert!(matches!(done.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

#[cfg(unix)]
#[test]
fn a_statement_that_goes_on_for_ever_ends_soon_after_a_signal_and_puts_nothing_aside() {
    let temp = Temp::new("endless-sql");
    let spill = temp.join("tmp");
    std::fs::create_dir(&spill).unwrap();
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let mut command = navmap();
        command
            .args(["sql", "-q", ENDLESS, "corpus/source/town.nav"])
            .env("TMPDIR", &spill)
            .env("SQLITE_TMPDIR", &spill);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        assert_eq!(std::fs::read_dir(&spill).unwrap().count(), 0);
        let asked = Instant::now();
        let kill = std::process::Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let ended = child.wait().unwrap();
        assert_eq!(ended.code(), Some(status), "{ended:?}");
        // A second, and what a busy machine takes besides.
        assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
    }
}

/// Runs a statement: it answers, and takes less than 64 MiB.
#[cfg(target_os = "linux")]
fn takes_little(sql: &str, path: &std::path::Path, status: i32) {
    assert!(path.metadata().unwrap().len() < 1 << 20);
    let mut command = navmap();
    let (kib, ended) = super::memory::peak(command.args(["sql", "-q", "--format", "csv", sql]).arg(path));
    assert!(kib < 64 << 10 && ended == Some(status), "{sql}: {kib} KiB, {ended:?}");
}

/// A row of `files` took five kilobytes, as each mesh had columns of its own.
#[cfg(target_os = "linux")]
#[test]
fn the_rows_of_many_small_members_take_little() {
    use navmap_testkit::archive::{Zipped, zip};
    let temp = Temp::new("many-members");
    let names: Vec<String> = (0..10_400).map(|number| format!("{number:x}.nav")).collect();
    let members: Vec<Zipped> =
        names.iter().map(|name| Zipped::deflated(name.as_bytes(), &[0xCE, 0xFA, 0xED, 0xFE])).collect();
    let path = temp.file("many.zip", &zip(&members));
    for sql in [
        "SELECT * FROM files",
        "SELECT * FROM files ORDER BY map",
        "SELECT status, count(*) FROM files GROUP BY status",
        "SELECT * FROM files a JOIN files b USING (file)",
    ] {
        takes_little(sql, &path, 1);
    }
}

/// A file of Parquet holds rows until they are worth encoding, and one of few rows takes kilobytes.
#[cfg(all(target_os = "linux", feature = "parquet"))]
#[test]
fn the_rows_of_many_small_files_take_little() {
    let temp = Temp::new("many-small");
    for name in ["names.fpk", "self-thousands.pak"] {
        let path = temp.file(name, navmap_testkit::bombs::bomb(name));
        let mut command = navmap();
        command.args(["tables", "-q", "-j1", "--force", "--format", "parquet", "-o"]);
        let (kib, status) = super::memory::peak(command.arg(temp.join("out")).arg(path));
        assert!(kib < 64 << 10 && status == Some(1), "{name}: {kib} KiB, {status:?}");
    }
}

/// All findings of a mesh were in memory beside what is written of it.
#[cfg(all(target_os = "linux", feature = "parquet"))]
#[test]
fn the_rows_of_a_small_mesh_in_parquet_take_little() {
    let temp = Temp::new("small-parquet");
    let names = ["one-place.esp", "one-square.ai", "squares.ai"];
    for file in navmap_testkit::heavy::named(|name| names.contains(&name)) {
        let path = temp.file(&file.name, &file.bytes);
        let mut command = navmap();
        command.args(["tables", "-q", "--force", "--format", "parquet", "-o"]);
        let (kib, status) = super::memory::peak(command.arg(temp.join("out")).arg(path));
        assert!(kib < 64 << 10 && matches!(status, Some(0 | 1)), "{}: {kib} KiB, {status:?}", file.name);
    }
}
