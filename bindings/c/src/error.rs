//! Errors with record and byte.

use crate::guard::Answer;
use crate::status::Status;
use crate::text::{c_string, lasting};
use navmap::ErrorKind;
use navmap::query::{Misuse, Refused, Stale};
use std::ffi::{CString, c_char};

/// Why a call failed: its status, a message for a person, and the file, the record and the byte where they are known.
/// Free it with `navmap_error_free`.
#[derive(Debug)]
pub struct Error {
    status: Status,
    message: CString,
    file: Option<CString>,
    record: Option<(&'static str, u64)>,
    offset: Option<u64>,
}

/// A failure on its way out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A status, and the argument that it is about.
    Bare(Status, &'static str),
    /// All of it.
    Full(Box<Full>),
}

/// What is known of a failure.
#[derive(Debug)]
pub(crate) struct Full {
    status: Status,
    message: String,
    file: Option<String>,
    record: Option<(&'static str, u64)>,
    offset: Option<u64>,
}

impl Failure {
    pub(crate) fn status(&self) -> Status {
        match self {
            Self::Bare(status, _) => *status,
            Self::Full(full) => full.status,
        }
    }

    /// A status with words.
    #[cold]
    pub(crate) fn text(status: Status, message: &str) -> Self {
        let message = message.to_owned();
        Self::Full(Box::new(Full { status, message, file: None, record: None, offset: None }))
    }

    #[cold]
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Bare(status, argument) => {
                let what = match status {
                    Status::Null => "is NULL",
                    Status::BadHandle => "was freed, or is no handle of this kind",
                    Status::Panic => "is broken since a panic",
                    Status::Busy => "is being used by another thread",
                    Status::OtherWorld => "was made for another world",
                    Status::NoSuchArea => "does not exist in this world",
                    _ => "has a value that it cannot have",
                };
                let message = c_string(&format!("{argument} {what}"));
                Error { status, message, file: None, record: None, offset: None }
            }
            Self::Full(full) => Error {
                status: full.status,
                message: c_string(&full.message),
                file: full.file.as_deref().map(c_string),
                record: full.record,
                offset: full.offset,
            },
        }
    }
}

/// The status of an error of the library.
pub(crate) fn status_of(error: &navmap::Error) -> Status {
    match error.kind() {
        ErrorKind::NotMesh { .. } | ErrorKind::Instead { .. } => Status::NotMesh,
        ErrorKind::Version { .. } => Status::UnknownVersion,
        ErrorKind::Limit { .. } => Status::Limit,
        ErrorKind::Io(_) => Status::Io,
        // An argument that does not fit the mesh, or a mesh that does not take it.
        ErrorKind::Invalid { what: "hull" | "tile" | "world", .. } => Status::Invalid,
        _ => Status::Damaged,
    }
}

impl From<navmap::Error> for Failure {
    #[cold]
    fn from(error: navmap::Error) -> Self {
        let at = error.position();
        Self::Full(Box::new(Full {
            status: status_of(&error),
            message: error.to_string(),
            file: error.file().map(|file| navmap::scan::path_text(file).into_owned()),
            record: at.record,
            offset: at.offset,
        }))
    }
}

impl From<Refused> for Failure {
    #[cold]
    fn from(refused: Refused) -> Self {
        let message = refused.to_string();
        match refused {
            Refused::Unreadable(error) => error.into(),
            Refused::Findings { first, file, .. } => Self::Full(Box::new(Full {
                status: Status::Findings,
                message,
                file: file.map(|file| navmap::scan::path_text(&file).into_owned()),
                record: first.at.record,
                offset: first.at.offset,
            })),
            _ => Self::text(Status::Invalid, &message),
        }
    }
}

impl From<Misuse> for Failure {
    #[cold]
    fn from(misuse: Misuse) -> Self {
        match misuse {
            Misuse::OtherIndex => Self::Bare(Status::OtherWorld, "query"),
            Misuse::NoSuchArea(_) => Self::Bare(Status::NoSuchArea, "area"),
            Misuse::NothingToResume => Self::text(Status::NothingToResume, &misuse.to_string()),
            _ => Self::text(Status::Invalid, &misuse.to_string()),
        }
    }
}

impl From<Stale> for Failure {
    #[cold]
    fn from(stale: Stale) -> Self {
        Self::text(Status::Stale, &stale.to_string())
    }
}

entries! {
    /// The message, for a person: `maps/a.nav: area #18 (record 17), byte 0x4f02: connections: 4026531840 claimed, 11 bytes left`.
    /// It lasts as long as the error. Empty for NULL.
    fn navmap_error_message(error: *const Error) -> *const c_char {
        Ok(error.handle()?.message.as_ptr())
    }

    /// The status that the call answered with.
    fn navmap_error_status(error: *const Error) {
        Ok(error.handle()?.status)
    }

    /// The file, where one is known; `archive!member` for a member. Empty if none is known. It lasts as long as the error.
    fn navmap_error_file(error: *const Error) -> *const c_char {
        let error = error.handle()?;
        Ok(error.file.as_ref().map_or_else(|| <*const c_char>::failed(Status::Nothing), |file| file.as_ptr()))
    }

    /// Byte offset from the start of the file. `NAVMAP_NOTHING` if none is known.
    fn navmap_error_offset(error: *const Error, offset: *mut u64) {
        let (error, place) = (error.handle()?, offset.place()?);
        let Some(offset) = error.offset else { return Ok(Status::Nothing) };
        place.set(offset);
        Ok(Status::Ok)
    }

    /// The record: what it is (`area`; the text is never freed) and its index. `NAVMAP_NOTHING` if none is known.
    fn navmap_error_record(error: *const Error, kind: *mut *const c_char, index: *mut u64) {
        let error = error.handle()?;
        let Some((known, at)) = error.record else { return Ok(Status::Nothing) };
        kind.put(lasting(known))?;
        index.put(at)?;
        Ok(Status::Ok)
    }

    /// Frees an error. NULL is none.
    fn navmap_error_free(error: *mut Error) {
        error.free()
    }
}
