//! What plugins and payloads say of themselves: the contract of [`NavFile`], and recognition by the first bytes.

#![forbid(unsafe_code)]

use super::check::{self, Report};
use super::header::RecordHeader;
use super::info;
use super::navm::NavmRecord;
use super::plugin::{Game, Plugin, refuse_others};
use super::record::PATHING_CELL;
use super::view::NavMesh;
use crate::bytes::{Cursor, Scratch};
use crate::counts::Counts;
use crate::error::{Error, ErrorKind, Result};
use crate::finding::{Finding, Severity};
use crate::format::file::{Form, NavFile, Summary};
use std::io;

/// The names that counts go by, in the order of the tables.
const COUNTS: [&str; 8] = [
    "navm_records",
    "navmeshes",
    "vertices",
    "triangles",
    "edge_links",
    "door_triangles",
    "cover_triangles",
    "compressed_records",
];

/// Whether these are the first bytes of a plugin or of a raw NVNM field.
///
/// Plugins of Morrowind and Oblivion are recognised too, so that they are refused by name.
pub fn recognise(head: &[u8]) -> bool {
    is_plugin(head) || is_payload(head)
}

/// Whether these are the first bytes of a Bethesda plugin.
pub fn is_plugin(head: &[u8]) -> bool {
    match head.first_chunk() {
        Some(b"TES4") => head.get(24..28) == Some(b"HEDR") || head.get(20..24) == Some(b"HEDR"),
        Some(b"TES3") => head.get(16..20) == Some(b"HEDR"),
        _ => false,
    }
}

/// Whether these are the first bytes of a raw NVNM field: a small version and the hash of `PathingCell`.
pub fn is_payload(head: &[u8]) -> bool {
    let mut cursor = Cursor::new(head, 0);
    cursor.u32("version").is_ok_and(|v| (11..=64).contains(&v))
        && cursor.u32("hash").is_ok_and(|h| h == PATHING_CELL)
}

/// What the first page of a plugin or payload tells: nothing is counted, for a plugin has no table of contents.
///
/// # Errors
/// Where the page is neither, or is a plugin of a game without navmeshes.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    if is_plugin(page) {
        refuse_others(page)?;
        // The file header may be longer than the page (it lists overridden records): its own header is enough.
        let header: &RecordHeader = Cursor::new(page, 0).record("file header")?;
        let needed = u64::from(header.size()).saturating_add(size_of::<RecordHeader>() as u64);
        if needed > file_len {
            return Err(
                Error::new(ErrorKind::Truncated { what: "file header", needed, left: file_len }).at(0)
            );
        }
        return Ok(summary_of(header));
    }
    if !is_payload(page) {
        let found = page.first_chunk().copied().unwrap_or_default();
        return Err(Error::new(ErrorKind::NotMesh { found }).at(0));
    }
    let mut cursor = Cursor::new(page, 0);
    let version = cursor.u32("version")?;
    cursor.skip(12, "owner")?;
    let mut counts = Counts::default();
    counts.add("vertices", cursor.u32("vertices")?.into());
    Ok(Summary {
        form: Form::Payload,
        game: game_of(version),
        version: Some(version),
        subversion: None,
        counts,
    })
}

fn game_of(version: u32) -> Option<&'static str> {
    match version {
        12 => Some("Skyrim"),
        15 => Some("Fallout 4"),
        17 => Some("Starfield"),
        _ => None,
    }
}

fn summary_of(header: &RecordHeader) -> Summary {
    let version = header.form_version();
    Summary {
        form: Form::Plugin,
        game: Some(Game::from_form_version(version).name()),
        version: Some(version.into()),
        subversion: None,
        counts: Counts::default(),
    }
}

/// Adds what one mesh holds.
pub(super) fn count(mesh: &NavMesh<'_>, counts: &mut Counts) {
    counts.add("navmeshes", 1);
    counts.add("vertices", mesh.vertices().len() as u64);
    counts.add("triangles", mesh.triangles().len() as u64);
    counts.add("edge_links", mesh.edge_links().len() as u64);
    counts.add("door_triangles", mesh.door_triangles().len() as u64);
    counts.add("cover_triangles", mesh.cover_count() as u64);
}

impl NavFile for NavMesh<'_> {
    fn summary(&self) -> Summary {
        let mut counts = Counts::of(&COUNTS);
        count(self, &mut counts);
        let (game, version) = (self.game(), Some(self.version()));
        Summary { form: Form::Payload, game, version, subversion: None, counts }
    }

    fn survey(&self, _: &mut Scratch, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
        COUNTS.iter().for_each(|name| counts.add(name, 0));
        count(self, counts);
        if let Some(finding) = unconfirmed(self) {
            found(finding);
        }
        Ok(())
    }

    fn check(&self, _: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::mesh(self, &mut Report::new(found));
        Ok(())
    }

    fn info(&self, _: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::mesh(self, out)
    }
}

/// The remark that a layout was never seen in a real file.
pub(super) fn unconfirmed(mesh: &NavMesh<'_>) -> Option<Finding> {
    if mesh.is_confirmed() {
        return None;
    }
    let what = format!("layout of version {} is experimental: no real file confirms it", mesh.version());
    Some(Finding::new(Severity::Info, "experimental-layout", what).at(mesh.offset))
}

/// A plugin at least this large is surveyed on all cores, where the scratch allows it. Below, starting them costs more.
#[cfg(feature = "rayon")]
const SPREAD_FROM: usize = 8 << 20;

/// What a survey keeps of one record.
struct Seen {
    compressed: bool,
    counts: Result<Counts>,
    remark: Option<Finding>,
}

impl Seen {
    fn of(navm: &NavmRecord<'_>, mesh: Result<Option<NavMesh<'_>>>) -> Self {
        let (mut counts, mut remark) = (Counts::default(), None);
        let read = mesh.map(|mesh| {
            if let Some(mesh) = mesh {
                count(&mesh, &mut counts);
                remark = unconfirmed(&mesh).map(|finding| finding.in_record("NAVM", navm.index().into()));
            }
        });
        Self { compressed: navm.is_compressed(), counts: read.map(|()| counts), remark }
    }
}

/// The first error of a walk that goes on.
#[derive(Default)]
struct FirstError(Option<Error>);

impl FirstError {
    /// Keeps the error if it is the first; every one is a finding, so that none hides the others.
    fn report(&mut self, error: Error, code: &'static str, found: &mut dyn FnMut(Finding)) {
        found(damage(&error, code));
        self.0.get_or_insert(error);
    }

    fn into_result(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

fn tally(seen: Result<Seen>, counts: &mut Counts, damaged: &mut FirstError, found: &mut dyn FnMut(Finding)) {
    let seen = match seen {
        Ok(seen) => seen,
        Err(error) => return damaged.report(error, "damaged-group", found),
    };
    counts.add("navm_records", 1);
    counts.add("compressed_records", seen.compressed.into());
    seen.remark.into_iter().for_each(&mut *found);
    match seen.counts {
        Ok(more) => more.iter().for_each(|(name, number)| counts.add(name, number)),
        Err(error) => damaged.report(error, "damaged-navmesh", found),
    }
}

impl NavFile for Plugin<'_> {
    fn summary(&self) -> Summary {
        summary_of(self.header())
    }

    fn survey(
        &self,
        scratch: &mut Scratch,
        counts: &mut Counts,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        COUNTS.iter().for_each(|name| counts.add(name, 0));
        let mut damaged = FirstError::default();
        #[cfg(feature = "rayon")]
        if scratch.spread && self.as_bytes().len() >= SPREAD_FROM {
            let meshes = self.par_navmeshes(|navm, mesh| Seen::of(navm, mesh));
            meshes.into_iter().for_each(|seen| tally(seen, counts, &mut damaged, found));
            return damaged.into_result();
        }
        for navm in self.navmeshes() {
            let seen = navm.map(|navm| Seen::of(&navm, navm.mesh(scratch)));
            tally(seen, counts, &mut damaged, found);
        }
        damaged.into_result()
    }

    /// As the trait says, except that a damaged group or mesh is a finding (`damaged-group`, `damaged-navmesh`) and not
    /// the end: the rest is checked, and the result is `Ok`.
    fn check(&self, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) -> Result<()> {
        check::plugin(self, scratch, found);
        Ok(())
    }

    fn info(&self, scratch: &mut Scratch, out: &mut dyn io::Write) -> Result<()> {
        info::plugin(self, scratch, out)
    }
}

/// A part that could not be read, as a finding: so that one does not hide the others.
pub(super) fn damage(error: &Error, code: &'static str) -> Finding {
    let at = error.position();
    let message = match error.name() {
        Some(name) => format!("{name}: {}", error.kind()),
        None => error.kind().to_string(),
    };
    let mut finding = Finding::new(Severity::Error, code, message);
    finding.at = at;
    finding
}
