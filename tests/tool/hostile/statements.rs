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
