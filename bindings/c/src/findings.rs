//! Findings as arrays: what is odd about a mesh, read once and kept.

use crate::Point;
use crate::check::severity;
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{lasting, put};
use navmap::bytes::Scratch;
use navmap::open::{Mesh, OpenOptions as Opening};
use navmap::{Finding, NavFile};
use std::ffi::c_char;
use std::path::PathBuf;

/// `navmap_found.flags`: `offset` is set.
pub const NAVMAP_HAS_OFFSET: u32 = 1;
/// `navmap_found.flags`: `place` is set.
pub const NAVMAP_HAS_PLACE: u32 = 2;
/// `navmap_found.flags`: `id` is set.
pub const NAVMAP_HAS_ID: u32 = 4;

/// What is odd about a mesh. It never changes, so any number of threads may use it at once.
#[derive(Debug)]
pub struct Findings {
    kept: Vec<Finding>,
    /// All of them by severity, and how many count.
    totals: FindingTotals,
}

/// One thing that is odd but readable. Its texts are never freed. It never changes; its size is that of the machine's pointers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Stable name: `dangling-connection`.
    pub code: *const c_char,
    /// What kind of record, `area`; NULL if it is about none.
    pub record: *const c_char,
    /// Position of the record.
    pub index: u64,
    /// Byte, with `NAVMAP_HAS_OFFSET`.
    pub offset: u64,
    /// The id of the record, with `NAVMAP_HAS_ID`, as in `navmap_finding`.
    pub id: u64,
    /// Where in the world, with `NAVMAP_HAS_PLACE`.
    pub place: Point,
    /// `NAVMAP_INFO` to `NAVMAP_ERROR`. From `NAVMAP_WARNING` on it counts against the mesh.
    pub severity: u32,
    /// `NAVMAP_HAS_OFFSET` and so on.
    pub flags: u32,
    /// 0.
    pub zero: u32,
}

/// How many findings there are. Set `size` before the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FindingTotals {
    /// `sizeof(navmap_finding_totals)`.
    pub size: u32,
    /// How many are kept, of all those below.
    pub kept: u32,
    /// By severity: `NAVMAP_INFO` to `NAVMAP_ERROR`.
    pub by_severity: [u64; 4],
}
sized32!(FindingTotals: size_of::<FindingTotals>());

/// How many findings are kept if nobody says.
const KEPT: u32 = 65_536;

impl Findings {
    fn read(path: PathBuf, options: &Opening, most: u32) -> Result<Self, Failure> {
        let mesh = Mesh::open_with(path, options)?;
        let size = size_of::<FindingTotals>() as u32;
        let mut all = Self { kept: Vec::new(), totals: FindingTotals { size, kept: 0, by_severity: [0; 4] } };
        let checked = mesh.nav().check(&mut Scratch::new(), &mut |finding: Finding| {
            all.take(options.format().weigh(finding), if most == 0 { KEPT } else { most });
        });
        checked.map_err(|failed| failed.in_file(mesh.bytes().location()))?;
        mesh.intact()?;
        Ok(all)
    }

    fn take(&mut self, finding: Finding, most: u32) {
        if let Some(count) = self.totals.by_severity.get_mut(severity(finding.severity) as usize) {
            *count += 1;
        }
        if self.totals.kept < most {
            self.totals.kept += 1;
            self.kept.push(finding);
        }
    }
}

fn found(finding: &Finding) -> Found {
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    let (record, index) = finding.at.record.map_or((std::ptr::null(), 0), |(kind, at)| (lasting(kind), at));
    Found {
        code: lasting(finding.code),
        record,
        index,
        offset: finding.at.offset.unwrap_or_default(),
        id: finding.at.typed().unwrap_or_default(),
        place: Point::from(finding.place.unwrap_or_default()),
        severity: severity(finding.severity),
        flags: flag(finding.at.offset.is_some(), NAVMAP_HAS_OFFSET)
            | flag(finding.place.is_some(), NAVMAP_HAS_PLACE)
            | flag(finding.at.typed().is_some(), NAVMAP_HAS_ID),
        zero: 0,
    }
}

entries! {
    /// Reads all of a mesh and keeps what is odd about it: `most` findings, mostly in file order, or 65,536 if it is 0; all are
    /// counted. `options` may be NULL. Fails where the mesh cannot be read on; `navmap_check` tells the findings before that.
    fn navmap_findings_open(
        path: *const c_char, options: *const OpenOptions, most: u32, findings: *mut *mut Findings; error
    ) {
        let (path, options, place) = (path.path()?, options.options()?.open()?, findings.handle_place()?);
        place.give(Findings::read(path, &options, most)?);
        Ok(Status::Ok)
    }

    /// Frees findings. NULL is none.
    fn navmap_findings_free(findings: *mut Findings) {
        findings.free()
    }

    /// How many there are.
    fn navmap_findings_count(findings: *const Findings, totals: *mut FindingTotals) {
        let findings = findings.handle()?;
        totals.put_sized(findings.totals)?;
        Ok(Status::Ok)
    }

    /// Those that are kept, from position `first` on. `count` is how many there are from there.
    fn navmap_findings_get(findings: *const Findings, first: u32, found[capacity]: *mut Found, count: *mut u32) {
        let (findings, mut room) = (findings.handle()?, found?);
        let rest = findings.kept.get(first as usize..).unwrap_or_default();
        rest.iter().take(room.left()).for_each(|finding| room.push(self::found(finding)));
        room.count(rest.len()).end(count)
    }

    /// What a finding is, for a person, by its position, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is
    /// no such finding.
    fn navmap_findings_text(findings: *const Findings, at: u32, text[capacity]: *mut c_char, count: *mut u32) {
        let (findings, room) = (findings.handle()?, text?);
        let Some(finding) = findings.kept.get(at as usize) else { return Ok(Status::Nothing) };
        put(room, &finding.message, count)
    }
}
