//! The program in a pseudo-terminal, as a person sees it.

use navmap_testkit::temp::Temp;
use rexpect::session::{PtySession, spawn_command};
use std::time::{Duration, Instant};

/// So many lines that nothing scrolls.
const ROWS: u16 = 60;
const COLUMNS: u16 = 100;

/// The program in a pseudo-terminal.
pub(super) struct Terminal {
    session: PtySession,
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts the program in a folder, and waits for its prompt.
    pub(super) fn start(temp: &Temp, arguments: &str, prompt: &str) -> Self {
        let mut command = navmap_testkit::signals::heeding("sh");
        let program = env!("CARGO_BIN_EXE_navmap");
        command
            .arg("-c")
            .arg(format!("stty rows {ROWS} cols {COLUMNS}; {program} {arguments}; echo ended with $?"))
            .current_dir(temp.path())
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .env("NAVMAP_HISTORY", temp.join("history"));
        let session = spawn_command(command, Some(20_000)).unwrap();
        let mut terminal = Self { session, screen: vt100::Parser::new(ROWS, COLUMNS, 0) };
        terminal.until(0, prompt);
        terminal
    }

    pub(super) fn line(&self) -> (u16, String) {
        let (row, _) = self.screen.screen().cursor_position();
        let text = self.screen.screen().rows(0, COLUMNS).nth(usize::from(row)).unwrap_or_default();
        (row, text.trim_end().to_owned())
    }

    /// Waits until the cursor is on a line with this text, on this row or further down.
    pub(super) fn until(&mut self, from: u16, text: &str) {
        let begun = Instant::now();
        loop {
            while let Some(c) = self.session.try_read() {
                self.screen.process(c.to_string().as_bytes());
            }
            let (row, line) = self.line();
            if row >= from && line == text.trim_end() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "waiting for {text:?}:\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.session.send(keys).unwrap();
        self.session.flush().unwrap();
    }

    /// Types text, and waits until the line is as it should look then.
    pub(super) fn keys(&mut self, keys: &str, line: &str) {
        self.press(keys);
        let (row, _) = self.line();
        self.until(row, line);
    }

    /// Types a line, and waits for the next prompt.
    pub(super) fn enter(&mut self, line: &str, prompt: &str) {
        let (_, before) = self.line();
        let blank = if line.is_empty() { "" } else { " " };
        // The blank stands there: after the prompt, and after a word that was completed.
        self.keys(line, &format!("{before}{blank}{line}"));
        self.go_on("\r", prompt);
    }

    /// Presses keys that end the line, and waits for the next prompt below it.
    pub(super) fn go_on(&mut self, keys: &str, prompt: &str) {
        let (row, _) = self.line();
        self.press(keys);
        self.until(row + 1, prompt);
    }

    fn seen(&self) -> String {
        let rows: Vec<String> =
            self.screen.screen().rows(0, COLUMNS).map(|row| row.trim_end().to_owned()).collect();
        format!("{}\n", rows.join("\n").trim_end())
    }

    /// Types the last line, and gives what is to be seen at the end.
    pub(super) fn last(mut self, keys: &str) -> String {
        self.press(keys);
        let rest = self.session.exp_eof().unwrap();
        self.screen.process(rest.as_bytes());
        self.seen()
    }

    /// The same, of a program that ends well.
    pub(super) fn end(self, keys: &str) -> String {
        let seen = self.last(keys);
        assert!(seen.ends_with("\nended with 0\n"), "{seen}");
        seen
    }
}
