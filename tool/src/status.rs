//! The end of a run, and messages about files that end it.

use super::out::{Out, complain};
use navmap::error::Error;
use std::io::{self, Write};

/// The result of a run, which becomes the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Exit {
    Clean,
    Findings,
    Failed,
    /// A signal ended it early.
    Stopped,
}

/// Why a run failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The reader of our output has closed it.
    ClosedPipe,
    Io(io::Error),
    Nav(Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Io(error) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error.kind() {
            navmap::ErrorKind::Io(io) if io.kind() == io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Nav(error),
        }
    }
}

/// The exit status of a run over many files.
pub(super) fn exit(totals: &navmap::scan::Totals) -> Exit {
    match totals {
        totals if totals.stopped => Exit::Stopped,
        totals if totals.missing > 0 => Exit::Failed,
        totals if totals.errors > 0 || totals.findings > 0 => Exit::Findings,
        _ => Exit::Clean,
    }
}

/// The same, where findings do not count.
pub(super) fn unread(totals: &navmap::scan::Totals) -> Exit {
    exit(&navmap::scan::Totals { findings: 0, ..*totals })
}

/// The failure of a single file that is not a mesh, or that cannot be read. If it could not even be opened, or the fault lies in what
/// was asked for, the run failed.
pub(super) fn unreadable(error: Error, path: &std::path::Path) -> Exit {
    let exit = fault(&error);
    complain(format_args!("navmap: {}", error.in_file(path)));
    exit
}

/// The exit status of an error of a single file.
fn fault(error: &Error) -> Exit {
    let asked = match error.kind() {
        navmap::ErrorKind::Io(_) => true,
        navmap::ErrorKind::Invalid { what, .. } => {
            error.position().offset.is_none() && matches!(*what, "path" | "output" | "version" | "hull")
        }
        _ => false,
    };
    if asked { Exit::Failed } else { Exit::Findings }
}

/// Reports what could not be read. Returns the status of a run that continues without it.
pub(super) fn left_out<'e>(errors: impl IntoIterator<Item = &'e navmap::Error>) -> Exit {
    let mut exit = Exit::Clean;
    for error in errors {
        complain(format_args!("navmap: {error}"));
        exit = Exit::Findings;
    }
    exit
}

/// The result of reading a single file, after everything readable has been printed.
pub(super) fn readable(read: navmap::Result<()>, path: &std::path::Path) -> Result<Exit, Failure> {
    match read {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => match Failure::from(error) {
            Failure::Nav(error) => Ok(unreadable(error, path)),
            closed => Err(closed),
        },
    }
}

/// Whether the fault lies in a file that was read: in its bytes, for which every verb has the same status, or in the request.
pub(super) fn is_bad_file(error: &Error) -> bool {
    use navmap::ErrorKind::{Count, OutOfRange, Text, Trailing, Truncated, Version};
    error.is_not_mesh()
        || error.position().offset.is_some()
        || matches!(
            error.kind(),
            Count { .. }
                | OutOfRange { .. }
                | Text { .. }
                | Trailing { .. }
                | Truncated { .. }
                | Version { .. }
        )
}

/// Prints a text.
pub(super) fn print(text: &[u8]) -> Result<Exit, Failure> {
    let mut out = Out::new();
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Clean)
}
