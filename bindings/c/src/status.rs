//! What every call answers.

/// The answer of a call. The numbers are stable, and none is reused.
///
/// Below 16, the question has been answered. From 16 on, the call has failed, and nothing was written but an error.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The answer is there.
    Ok = 0,
    /// The answer is "none": no area under the point, no area with this id, no such fact.
    Nothing = 1,
    /// The buffer was too small. It is full, and the count says how many there are.
    Truncated = 2,
    /// There is no way.
    NoWay = 3,
    /// There is no way. The steps lead to the closest place.
    Partial = 4,
    /// There is no way inside what is loaded, but links lead out of it.
    LeavesLoaded = 5,
    /// The search has looked at as many areas as were allowed. It can be resumed.
    Unfinished = 6,
    /// The callback has stopped the run.
    Stopped = 7,
    /// A pointer that must not be NULL is NULL.
    Null = 16,
    /// The handle was freed, or is none of this kind. Only a debug build of the library notices.
    BadHandle = 17,
    /// A bug in navmap. The handle that was being changed answers with this from now on.
    Panic = 18,
    /// Another thread is using the handle.
    Busy = 19,
    /// An argument has a value that it cannot have.
    Invalid = 20,
    /// There is no area with this number in the world.
    NoSuchArea = 21,
    /// The query or the overlay was made for another world.
    OtherWorld = 22,
    /// The area was held in an older world, or the agent was removed.
    Stale = 23,
    /// There is no unfinished search.
    NothingToResume = 24,
    /// The operating system refused: the file does not exist, or cannot be read.
    Io = 32,
    /// The bytes are no navigation mesh.
    NotMesh = 33,
    /// The format is known, but not this version of it.
    UnknownVersion = 34,
    /// The mesh is damaged. The error says at which record and byte.
    Damaged = 35,
    /// The file asks for more than a limit allows, or the crowd is full.
    Limit = 36,
    /// The mesh has findings of a severity that the options refuse.
    Findings = 37,
    /// A command of a script was refused. The error says why, at which line and column.
    Refused = 38,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 24] = [
        Self::Ok,
        Self::Nothing,
        Self::Truncated,
        Self::NoWay,
        Self::Partial,
        Self::LeavesLoaded,
        Self::Unfinished,
        Self::Stopped,
        Self::Null,
        Self::BadHandle,
        Self::Panic,
        Self::Busy,
        Self::Invalid,
        Self::NoSuchArea,
        Self::OtherWorld,
        Self::Stale,
        Self::NothingToResume,
        Self::Io,
        Self::NotMesh,
        Self::UnknownVersion,
        Self::Damaged,
        Self::Limit,
        Self::Findings,
        Self::Refused,
    ];

    /// Its name without the prefix, in small letters: `no-such-area`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Nothing => "nothing",
            Self::Truncated => "truncated",
            Self::NoWay => "no-way",
            Self::Partial => "partial",
            Self::LeavesLoaded => "leaves-loaded",
            Self::Unfinished => "unfinished",
            Self::Stopped => "stopped",
            Self::Null => "null",
            Self::BadHandle => "bad-handle",
            Self::Panic => "panic",
            Self::Busy => "busy",
            Self::Invalid => "invalid",
            Self::NoSuchArea => "no-such-area",
            Self::OtherWorld => "other-world",
            Self::Stale => "stale",
            Self::NothingToResume => "nothing-to-resume",
            Self::Io => "io",
            Self::NotMesh => "not-mesh",
            Self::UnknownVersion => "unknown-version",
            Self::Damaged => "damaged",
            Self::Limit => "limit",
            Self::Findings => "findings",
            Self::Refused => "refused",
        }
    }
}
