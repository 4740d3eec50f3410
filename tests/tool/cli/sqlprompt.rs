//! The prompt of `navmap sql` in a pseudo-terminal, as a person sees it: golden screens.

use super::pty::Terminal;
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use std::fs;
use std::time::Duration;

fn folder(name: &str) -> Temp {
    let temp = Temp::new(name);
    for name in ["town.nav", "v9.nav"] {
        temp.file(name, &fs::read(bundled().join("source").join(name)).unwrap());
    }
    temp
}

#[test]
fn a_session_of_questions_looks_like_this() {
    let temp = folder("sql-prompt");
    let mut terminal = Terminal::start(&temp, "sql town.nav v9.nav", "navmap>");
    terminal.enter(".timer off", "navmap>");
    terminal.enter("SELECT map, count(*) AS areas", "   ...>");
    terminal.enter("FROM files JOIN areas USING (file) GROUP BY file;", "navmap>");
    // Names of tables and columns are completed.
    terminal.keys("SELECT count(*) FROM hidi\t", "navmap> SELECT count(*) FROM hiding_spot");
    terminal.go_on("s;\r", "navmap>");
    terminal.enter("SELECT plaze FROM areas;", "navmap>");
    terminal.enter("DELETE FROM areas;", "navmap>");
    terminal.enter(".tabels", "navmap>");
    terminal.enter(".mode jsonl", "navmap>");
    terminal.enter("SELECT NULL AS empty, 0.5 AS half;", "navmap>");
    terminal.enter(".explain SELECT * FROM areas WHERE file = 1 AND id = 2;", "navmap>");
    terminal.enter(".mode csv", "navmap>");
    terminal.enter(".output places.csv", "navmap>");
    terminal.enter("SELECT name, areas FROM places ORDER BY 1 LIMIT 2;", "navmap>");
    terminal.enter(".output", "navmap>");
    // Up: the line before the last.
    terminal.keys("\x1b[A\x1b[A", "navmap> SELECT name, areas FROM places ORDER BY 1 LIMIT 2;");
    terminal.go_on("\r", "navmap>");
    // A statement that was begun is thrown away.
    terminal.enter("SELECT 1", "   ...>");
    terminal.go_on("\x03", "navmap>");
    let seen = terminal.end(".exit\r");
    super::golden_text("sqlprompt.txt", &seen);
    let written = fs::read_to_string(temp.join("places.csv")).unwrap();
    assert!(written.starts_with("name,areas\n") && written.lines().count() == 3, "{written}");
    assert!(seen.contains(&written.replace("\r", "")), "{seen}");
    let history = fs::read_to_string(temp.join("history")).unwrap();
    assert!(history.contains(".mode csv") && history.contains("LIMIT 2;"), "{history}");
}

#[test]
fn control_c_ends_a_statement_and_not_the_prompt() {
    let temp = folder("sql-prompt-interrupted");
    let mut terminal = Terminal::start(&temp, "sql town.nav", "navmap>");
    // The first statement, though it runs nothing.
    terminal.enter(".explain SELECT 1;", "navmap>");
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c;";
    terminal.keys(endless, &format!("navmap> {endless}"));
    let (row, _) = terminal.line();
    terminal.press("\r");
    // It runs by now, or begins to: whenever the key comes, it ends.
    std::thread::sleep(Duration::from_millis(300));
    terminal.press("\x03");
    terminal.until(row + 2, "navmap>");
    terminal.enter(".timer off", "navmap>");
    terminal.enter("SELECT 2 AS two;", "navmap>");
    // A line that is typed is cleared.
    terminal.keys("SELECT 3", "navmap> SELECT 3");
    terminal.keys("\x03", "navmap>");
    // The shell was interrupted too, and says nothing at the end.
    let seen = terminal.last(".exit\r");
    assert!(seen.contains("\nnavmap: interrupted\n") && seen.contains("two\n  2\n"), "{seen}");
}

/// A text with commands is no prompt: a signal ends it, wherever it comes.
#[test]
fn a_signal_ends_a_text_of_statements_and_commands() {
    let temp = folder("sql-text-interrupted");
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    for (end, signal, status) in [(";\n", "-INT", 130), ("", "-INT", 130), (";\nSELECT 3;\n", "-TERM", 143)] {
        let script = ".mode csv\nSELECT 1 AS one;\n.output out.csv\nSELECT 2 AS two;\n.output\n";
        temp.file("script.sql", format!("{script}{endless}{end}").as_bytes());
        let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
        command.args(["sql", "--force", "-f", "script.sql", "town.nav"]).current_dir(temp.path());
        let output = std::process::Stdio::piped;
        let mut child = command.stdout(output()).stderr(output()).spawn().unwrap();
        // The statements before it have been answered by then.
        while !temp.join("out.csv").exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended before the signal");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(200));
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(status), "{signal} {end:?}: {said}");
        assert!(done.stdout.starts_with(b"one\n1\n"), "{said}");
        fs::remove_file(temp.join("out.csv")).unwrap();
    }
}

#[test]
fn a_statement_that_fails_leaves_nothing_in_the_file_of_the_others() {
    let temp = folder("sql-prompt-output");
    let mut terminal = Terminal::start(&temp, "sql town.nav", "navmap>");
    terminal.enter(".timer off", "navmap>");
    terminal.enter(".mode csv", "navmap>");
    terminal.enter(".output all.csv", "navmap>");
    terminal.enter("SELECT 1 AS one;", "navmap>");
    // It fails at its second row.
    let fails = "SELECT abs(-9223372036854775806 - n) FROM (SELECT 1 AS n UNION ALL SELECT 2);";
    terminal.enter(fails, "navmap>");
    terminal.enter("SELECT 2 AS two;", "navmap>");
    assert!(!temp.join("all.csv").exists(), "it is there at the end");
    let seen = terminal.last(".exit\r");
    assert!(seen.contains("integer overflow"), "{seen}");
    assert_eq!(fs::read_to_string(temp.join("all.csv")).unwrap(), "one\n1\ntwo\n2\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_sees_how_far_a_statement_has_read_and_a_pipe_does_not() {
    let temp = folder("sql-progress");
    let line = |rows: u32| {
        let slow = format!(
            "WITH RECURSIVE n(i) AS (SELECT count(*) FROM files UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) \
             SELECT count(*) FROM n"
        );
        format!("{} sql --format csv '{slow}' .", env!("CARGO_BIN_EXE_navmap"))
    };
    let mut shell = std::process::Command::new("sh");
    let piped = shell.args(["-c", &line(2_000_000)]).current_dir(temp.path()).output().unwrap();
    let said = String::from_utf8_lossy(&piped.stderr).into_owned();
    assert!(piped.status.success() && said.starts_with("1 row in ") && said.lines().count() == 1, "{said}");
    // When all is read, it counts for longer than a terminal waits for a line, on a machine as fast as this one.
    for rows in [2_000_000, 20_000_000, 200_000_000] {
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &line(rows), "/dev/null"]).env("TERM", "xterm");
        command.current_dir(temp.path()).stdin(std::process::Stdio::null());
        // `script` gives the program a terminal; without it there is nothing to see.
        let Ok(done) = command.output() else { return };
        let shown = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success() && shown.contains("1 row in "), "{shown:?}");
        if shown.contains("2 files, 2 meshes, ") {
            return;
        }
    }
    panic!("nothing is shown, however long it takes");
}
