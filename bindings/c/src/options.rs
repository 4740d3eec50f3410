//! Options for opening a mesh, and its limits.

use crate::door::{In, Text};
use crate::error::Failure;
use crate::status::Status;
use crate::text::utf8;
use navmap::format::{HullName, Kind};
use navmap::open;
use navmap::query::{BuildOptions, Policy};
use navmap::{Limits, Severity};

/// `navmap_options.flags`: bytes after the end of a mesh do not count as a finding.
pub const NAVMAP_LENIENT: u32 = 1;
/// `navmap_options.flags`: the index gets landmarks. They make the search for the cheapest way about three times as fast and
/// take 64 bytes an area.
pub const NAVMAP_LANDMARKS: u32 = 2;
/// `navmap_options.flags`: points are found only in areas of `navmap_options.group`. Areas of other groups are there, but have no
/// corners, and no way leads through them.
pub const NAVMAP_GROUP: u32 = 4;

/// `navmap_options.flags`: the world knows what the file knows of tactics: hiding spots, who sees whom, what to watch on the way.
/// In a mesh of Source that may take more memory than all the rest.
pub const NAVMAP_TACTICS: u32 = 8;

/// `navmap_options.refuse`: a mesh with an error is refused.
pub const NAVMAP_REFUSE_ERRORS: u32 = 0;
/// `navmap_options.refuse`: a mesh with a warning is refused as well.
pub const NAVMAP_REFUSE_WARNINGS: u32 = 1;
/// `navmap_options.refuse`: every readable mesh is accepted.
pub const NAVMAP_REFUSE_NOTHING: u32 = 2;

/// How a mesh is opened. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OpenOptions {
    /// `sizeof(navmap_options)`.
    pub size: u32,
    /// `NAVMAP_LENIENT`, `NAVMAP_LANDMARKS`, `NAVMAP_GROUP`, `NAVMAP_TACTICS`.
    pub flags: u32,
    /// `NAVMAP_REFUSE_ERRORS` and so on.
    pub refuse: u32,
    /// With `NAVMAP_GROUP`: the number of the group, such as a hull of Source 2.
    pub group: u32,
    /// Most bytes of a file. 0: 4 GiB.
    pub file_bytes: u64,
    /// Most inflated bytes at one time. 0: 1 GiB.
    pub inflated_bytes: u64,
    /// Takes the file for this kind whatever its bytes look like: `source`, `quake`, `navjson` and so on. NULL: by its
    /// bytes.
    pub kind: Text,
    /// Whose ways links are: a hull of a node graph by name or number (`large`, `7`), one of a Source 2 mesh by number. NULL: those
    /// of people.
    pub hull: Text,
}
// The struct was published without its last member.
sized32!(OpenOptions: std::mem::offset_of!(OpenOptions, hull));

/// The default, or what is set.
fn or(set: u64, default: u64) -> u64 {
    if set == 0 { default } else { set }
}

impl OpenOptions {
    /// The options of the library.
    pub(crate) fn open(&self) -> Result<open::OpenOptions, Failure> {
        let known = NAVMAP_LENIENT | NAVMAP_LANDMARKS | NAVMAP_GROUP | NAVMAP_TACTICS;
        if self.flags & !known != 0 {
            return Err(Failure::Bare(Status::Invalid, "options.flags"));
        }
        let usual = Limits::default();
        let limits = usual
            .with_file_bytes(or(self.file_bytes, usual.file_bytes))
            .with_inflated_bytes(or(self.inflated_bytes, usual.inflated_bytes));
        let kind = match self.kind.get("options.kind")? {
            None => None,
            Some(name) => {
                let name = utf8(name, "options.kind")?;
                let kind = Kind::ALL.iter().copied().find(|kind| kind.name() == name);
                Some(kind.ok_or(Failure::Bare(Status::Invalid, "options.kind"))?)
            }
        };
        let hull = match self.hull.get("options.hull")? {
            None => None,
            Some(name) => {
                let hull = utf8(name, "options.hull")?.parse::<HullName>();
                Some(hull.map_err(|_| Failure::Bare(Status::Invalid, "options.hull"))?)
            }
        };
        Ok(open::OpenOptions {
            kind,
            hull,
            lenient: self.flags & NAVMAP_LENIENT != 0,
            limits,
            ..open::OpenOptions::new()
        })
    }

    /// The policy of a world.
    pub(crate) fn policy(&self) -> Result<Policy, Failure> {
        let refuse = match self.refuse {
            NAVMAP_REFUSE_ERRORS => Some(Severity::Error),
            NAVMAP_REFUSE_WARNINGS => Some(Severity::Warning),
            NAVMAP_REFUSE_NOTHING => None,
            _ => return Err(Failure::Bare(Status::Invalid, "options.refuse")),
        };
        let group = (self.flags & NAVMAP_GROUP != 0).then_some(self.group);
        let tactics = self.flags & NAVMAP_TACTICS != 0;
        let build = BuildOptions::default().with_group(group).with_tactics(tactics);
        let policy = Policy::default().with_options(self.open()?).with_refuse(refuse).with_build(build);
        Ok(policy.with_landmarks(self.flags & NAVMAP_LANDMARKS != 0))
    }
}

impl In<'_, OpenOptions> {
    /// The policy that the options make.
    pub(crate) fn policy(self) -> Result<Policy, Failure> {
        self.options()?.policy()
    }
}
