//! Standard output, line by line on a terminal and in blocks otherwise; and what is said beside it.

#![forbid(unsafe_code)]

use crate::text::printable;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;

pub(super) struct Out {
    buffer: BufWriter<Stdout>,
    terminal: bool,
}

impl Out {
    pub(super) fn new() -> Self {
        let stdout = io::stdout();
        Self { terminal: stdout.is_terminal(), buffer: BufWriter::with_capacity(64 << 10, stdout) }
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Call it where a person could read on: after a row.
    pub(super) fn end_row(&mut self) -> io::Result<()> {
        if self.terminal { self.buffer.flush() } else { Ok(()) }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

/// Whether an output is standard output.
pub(super) fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Says a line on standard error. Names in it come from files, and cannot drive the terminal; that nobody reads it ends
/// nothing.
pub(super) fn say(line: fmt::Arguments<'_>) {
    let mut line = printable(line.to_string().as_bytes());
    line.push('\n');
    let _ = io::stderr().write_all(line.as_bytes());
}
