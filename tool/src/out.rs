//! Standard output, written line by line on a terminal and in blocks otherwise, and messages on stderr.

use super::terminal::Terminal;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use navmap::text::printable;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;
use std::sync::OnceLock;

/// Standard output. What goes to a terminal is made safe for it, whoever writes it; what goes elsewhere is left as it is.
pub(super) struct Out {
    buffer: BufWriter<Stdout>,
    terminal: Option<Terminal>,
    /// Whether its reader has closed it, while the run has files to write.
    closed: bool,
}

/// The most letters to which the cells of a column are padded. What a file calls something may have 65,535, for each row.
pub(super) const PADDED: usize = 1_024;

/// The importance of a word or a line, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Warning,
    Error,
    /// The name of what follows.
    Title,
    Added,
    Removed,
    Changed,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Error => AnsiColor::Red.on_default().bold(),
            Self::Title => Style::new().bold(),
            Self::Added => AnsiColor::Green.on_default(),
            Self::Removed => AnsiColor::Red.on_default(),
            Self::Changed => AnsiColor::Yellow.on_default(),
        }
    }
}

/// Colours words, if the output is a terminal and neither `NO_COLOR` nor `TERM` forbids it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painter {
    coloured: bool,
}

impl Painter {
    fn for_stream(stream: &impl anstream::stream::RawStream) -> Self {
        Self { coloured: AutoStream::choice(stream) != ColorChoice::Never }
    }

    pub(super) fn paint(self, tone: Tone, word: &str) -> String {
        if !self.coloured || tone == Tone::Plain {
            return word.to_owned();
        }
        let style = tone.style();
        format!("{style}{word}{style:#}")
    }
}

impl Out {
    pub(super) fn new() -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal().then(Terminal::default);
        Self { terminal, buffer: BufWriter::with_capacity(64 << 10, stdout), closed: false }
    }

    /// Says that what is written is JSON, in which characters are escaped in its own way.
    pub(super) fn json(mut self, yes: bool) -> Self {
        if let Some(terminal) = &mut self.terminal {
            terminal.json = yes;
        }
        self
    }

    /// What colours words. From then on its colours pass, and nothing else that a terminal obeys.
    pub(super) fn painter(&mut self) -> Painter {
        let painter = Painter::for_stream(self.buffer.get_ref());
        if let Some(terminal) = &mut self.terminal {
            terminal.coloured = painter.coloured;
        }
        painter
    }

    /// The number of letters in a line of the terminal; `None` if standard output is not a terminal.
    pub(super) fn width(&self) -> Option<usize> {
        let size = self.terminal.as_ref().and_then(|_| terminal_size::terminal_size_of(io::stdout()));
        size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// Ends a row. Call this after each row, so that a person can read it at once.
    pub(super) fn end_row(&mut self) -> io::Result<()> {
        if self.is_terminal() { self.flush() } else { Ok(()) }
    }

    /// Does some of the writing. A reader that has gone ends a run that prints, but not one that has files to write.
    fn unless_closed<T>(
        &mut self,
        unread: T,
        write: impl FnOnce(&mut BufWriter<Stdout>, Option<&mut Terminal>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.closed {
            return Ok(unread);
        }
        match write(&mut self.buffer, self.terminal.as_mut()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && super::common::writes_files() => {
                self.closed = true;
                Ok(unread)
            }
            written => written,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |buffer, terminal| match terminal {
            Some(terminal) => buffer.write_all(terminal.safe(bytes)).map(|()| bytes.len()),
            None => buffer.write(bytes),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |buffer, terminal| {
            terminal.map_or(Ok(()), |terminal| buffer.write_all(terminal.rest()))?;
            buffer.flush()
        })
    }
}

/// Prints a report; to stderr if standard output is for the mesh.
pub(super) fn report(lines: &[String], taken: bool) -> io::Result<()> {
    if taken {
        lines.iter().for_each(|line| say(format_args!("{line}")));
        return Ok(());
    }
    let mut out = Out::new();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()
}

/// Whether an output is standard output: `-`, or what the system calls it.
pub(super) fn is_stdout(output: &Path) -> bool {
    let name = output.as_os_str();
    name == "-"
        || (cfg!(unix) && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|own| name == *own))
}

/// Prints a line on stderr. Names in it come from files, so characters that control a terminal are escaped. A closed
/// stderr does not stop the run.
pub(super) fn say(line: fmt::Arguments<'_>) {
    if !super::common::quiet() {
        tell(Tone::Plain, line);
    }
}

/// Prints a warning.
pub(super) fn warn(line: fmt::Arguments<'_>) {
    tell(Tone::Warning, line);
}

/// Prints an error.
pub(super) fn complain(line: fmt::Arguments<'_>) {
    tell(Tone::Error, line);
}

/// Looked up once: a run may say very many lines.
fn of_stderr() -> Painter {
    static PAINTER: OnceLock<Painter> = OnceLock::new();
    *PAINTER.get_or_init(|| Painter::for_stream(&io::stderr()))
}

/// The name of the program, at the start of the line, has the colour.
fn tell(tone: Tone, line: fmt::Arguments<'_>) {
    const NAME: &str = "navmap:";
    let mut line = printable(line.to_string().as_bytes());
    line.push('\n');
    let line = match line.strip_prefix(NAME) {
        Some(rest) => format!("{}{rest}", of_stderr().paint(tone, NAME)),
        None => line,
    };
    let _ = io::stderr().write_all(line.as_bytes());
}
