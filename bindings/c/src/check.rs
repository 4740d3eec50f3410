//! Findings: oddities of a mesh.

use crate::Point;
use crate::door::User;
use crate::error::Failure;
use crate::options::OpenOptions;
use crate::status::Status;
use crate::text::{c_string, lasting};
use navmap::bytes::Scratch;
use navmap::open::Mesh;
use navmap::{Finding, NavFile, Severity};
use std::ffi::{CString, c_char, c_void};

/// Legal, but worth knowing.
pub const NAVMAP_INFO: u32 = 0;
/// Readable, but not as the game's own tools write it.
pub const NAVMAP_DEVIATION: u32 = 1;
/// Odd. The game may cope with it, another tool may not.
pub const NAVMAP_WARNING: u32 = 2;
/// The game or a tool will act on wrong data.
pub const NAVMAP_ERROR: u32 = 3;

/// One thing that is odd but readable. Texts last as long as the callback, `code` and `record` as long as the program.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FindingView {
    /// `sizeof(navmap_finding)` of the library, which may be newer.
    pub size: u32,
    /// `NAVMAP_INFO` to `NAVMAP_ERROR`. From `NAVMAP_WARNING` on it counts against the mesh.
    pub severity: u32,
    /// Stable name: `dangling-connection`.
    pub code: *const c_char,
    /// What it is, for a person.
    pub message: *const c_char,
    /// What kind of record, `area`; NULL if it is about none.
    pub record: *const c_char,
    /// Position of the record.
    pub index: u64,
    /// Byte, if `has_offset`.
    pub offset: u64,
    /// 1 if `offset` is set.
    pub has_offset: u32,
    /// 1 if `place` is set.
    pub has_place: u32,
    /// Where in the world.
    pub place: Point,
    /// 1 if `id` is set.
    pub has_id: u32,
    /// What people type after `#`: the id of an area, or of a node in the record; in a Bethesda mesh with the FormID in the high half,
    /// in a Fox tile with the group there. `index` is the position in the file.
    pub id: u64,
}

/// Is called with each finding. The run ends if it answers with anything but 0. It must not throw.
pub type OnFinding = Option<extern "C" fn(finding: *const FindingView, user: *mut c_void) -> i32>;

/// The number of a severity.
pub(crate) fn severity(severity: Severity) -> u32 {
    match severity {
        Severity::Info => NAVMAP_INFO,
        Severity::Deviation => NAVMAP_DEVIATION,
        Severity::Warning => NAVMAP_WARNING,
        Severity::Error => NAVMAP_ERROR,
    }
}

/// A finding as C sees it. The message is kept by the caller.
pub(crate) fn view(finding: &Finding, message: &CString) -> FindingView {
    let (record, index) = finding.at.record.map_or((std::ptr::null(), 0), |(kind, at)| (lasting(kind), at));
    let [x, y, z] = finding.place.unwrap_or_default();
    FindingView {
        size: size_of::<FindingView>() as u32,
        severity: severity(finding.severity),
        code: lasting(finding.code),
        message: message.as_ptr(),
        record,
        index,
        offset: finding.at.offset.unwrap_or_default(),
        has_offset: u32::from(finding.at.offset.is_some()),
        has_place: u32::from(finding.place.is_some()),
        place: Point::new(x, y, z),
        has_id: u32::from(finding.at.typed().is_some()),
        id: finding.at.typed().unwrap_or_default(),
    }
}

/// Hands findings over until the callback stops.
fn tell(on: extern "C" fn(*const FindingView, *mut c_void) -> i32, user: &User, finding: &Finding) -> bool {
    let message = c_string(&finding.message);
    let view = view(finding, &message);
    on(&raw const view, user.pointer()) == 0
}

entries! {
    /// Reads all of a mesh and calls `each` with every finding, mostly in file order. `counted`, which may be NULL, gets
    /// how many of them count against it. `NAVMAP_STOPPED` if the callback has stopped it.
    ///
    /// Fails where the mesh cannot be read on; the findings before that have been told.
    fn navmap_check(
        path: *const c_char, options: *const OpenOptions, each: OnFinding, user: *mut c_void, counted: *mut u64; error
    ) {
        let (path, options, user) = (path.path()?, options.options()?.open()?, user.user());
        let each = each.ok_or(Failure::Bare(Status::Null, "each"))?;
        let mesh = Mesh::open_with(path, &options)?;
        let (mut going, mut count) = (true, 0u64);
        let checked = mesh.nav().check(&mut Scratch::new(), &mut |finding: Finding| {
            let finding = options.format().weigh(finding);
            count += u64::from(finding.severity.counts());
            going = going && tell(each, &user, &finding);
        });
        match checked {
            _ if !going => Ok(Status::Stopped),
            Ok(()) => {
                counted.put(count)?;
                Ok(Status::Ok)
            }
            Err(failed) => Err(failed.in_file(mesh.bytes().location()).into()),
        }
    }
}
