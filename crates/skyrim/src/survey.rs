//! Walks over everything once: counts, and findings at no extra cost.

use super::navm::NavmRecord;
use super::object::BaseObject;
use super::plugin::Plugin;
use super::view::NavMesh;
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::{Finding, Severity};

/// The names of the counts, in the order of the tables.
pub(super) const COUNTS: [&str; 8] = [
    "navm_records",
    "navmeshes",
    "vertices",
    "triangles",
    "edge_links",
    "door_triangles",
    "cover_triangles",
    "compressed_records",
];

/// Adds the counts of one mesh.
pub(super) fn count(mesh: &NavMesh<'_>, counts: &mut Counts) {
    counts.add("navmeshes", 1);
    counts.add("vertices", mesh.vertices().len() as u64);
    counts.add("triangles", mesh.triangles().len() as u64);
    counts.add("edge_links", mesh.edge_links().len() as u64);
    counts.add("door_triangles", mesh.door_triangles().len() as u64);
    counts.add("cover_triangles", mesh.cover_count() as u64);
}

/// Counts one mesh, and reports a layout that no real file confirms.
pub(super) fn mesh(mesh: &NavMesh<'_>, counts: &mut Counts, found: &mut dyn FnMut(Finding)) {
    COUNTS.iter().for_each(|name| counts.add(name, 0));
    count(mesh, counts);
    unconfirmed(mesh).into_iter().chain(left_over(mesh)).for_each(found);
}

/// The number of bytes after the end of a field that stands alone.
pub(super) fn left_over(mesh: &NavMesh<'_>) -> Option<Finding> {
    let (whole, left) = (mesh.bytes.len() as u64, mesh.trailing().len() as u64);
    let at = mesh.offset.saturating_add(whole.saturating_sub(left));
    (left > 0).then(|| Finding::trailing(left, at))
}

/// The finding that no real file confirms a layout.
pub(super) fn unconfirmed(mesh: &NavMesh<'_>) -> Option<Finding> {
    if mesh.is_confirmed() {
        return None;
    }
    let what = format!("layout of version {} is experimental: no real file confirms it", mesh.version());
    // The layout of Fallout 3 is known by inference. An unknown version may be anything.
    let severity = if mesh.pathing_cell.is_none() { Severity::Info } else { Severity::Warning };
    Some(Finding::new(severity, "experimental-layout", what).at(mesh.offset))
}

/// A plugin of at least this size is surveyed on all cores, if the scratch allows it. For a smaller one, starting the threads
/// costs more.
const SPREAD_FROM: usize = 8 << 20;

/// A survey's facts about one record.
struct Seen {
    /// For a record that is a navmesh, not a base object: whether it is compressed.
    compressed: Option<bool>,
    counts: Result<Counts>,
    remark: Option<Finding>,
}

impl Seen {
    fn of_record(navm: &NavmRecord<'_>, mesh: Result<Option<NavMesh<'_>>>) -> Self {
        Self::new(Some(navm.is_compressed()), ("NAVM", navm.index()), mesh)
    }

    fn of_object(object: &BaseObject<'_>, scratch: &mut Scratch) -> Self {
        Self::new(None, (object.kind(), object.index()), object.mesh(scratch))
    }

    fn new(
        compressed: Option<bool>,
        (kind, index): (&'static str, u32),
        mesh: Result<Option<NavMesh<'_>>>,
    ) -> Self {
        let (mut counts, mut remark) = (Counts::default(), None);
        let read = mesh.map(|mesh| {
            if let Some(mesh) = mesh {
                count(&mesh, &mut counts);
                remark = unconfirmed(&mesh).map(|finding| finding.in_record(kind, index.into()));
            }
        });
        Self { compressed, counts: read.map(|()| counts), remark }
    }
}

/// The first error of a walk that continues.
#[derive(Default)]
struct FirstError(Option<Error>);

impl FirstError {
    /// Reports the error as a finding, so that none hides another, and keeps the first.
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
    if let Some(compressed) = seen.compressed {
        counts.add("navm_records", 1);
        counts.add("compressed_records", compressed.into());
    }
    seen.remark.into_iter().for_each(&mut *found);
    match seen.counts {
        Ok(more) => more.iter().for_each(|(name, number)| counts.add(name, number)),
        Err(error) => damaged.report(error, "damaged-navmesh", found),
    }
}

/// Counts everything in a plugin. An unreadable part is a finding, and the first such error is the result.
pub(super) fn plugin(
    plugin: &Plugin<'_>,
    scratch: &mut Scratch,
    counts: &mut Counts,
    found: &mut dyn FnMut(Finding),
) -> Result<()> {
    COUNTS.iter().for_each(|name| counts.add(name, 0));
    let mut damaged = FirstError::default();
    if scratch.spread && plugin.as_bytes().len() >= SPREAD_FROM {
        let meshes = plugin.par_navmeshes(|navm, mesh| Seen::of_record(navm, mesh));
        meshes.into_iter().for_each(|seen| tally(seen, counts, &mut damaged, found));
    } else {
        navmeshes(plugin, scratch, counts, &mut damaged, found);
    }
    for object in plugin.base_objects() {
        let seen = object.map(|object| Seen::of_object(&object, scratch));
        tally(seen, counts, &mut damaged, found);
    }
    damaged.into_result()
}

/// Counts the navmesh records one after the other.
fn navmeshes(
    plugin: &Plugin<'_>,
    scratch: &mut Scratch,
    counts: &mut Counts,
    damaged: &mut FirstError,
    found: &mut dyn FnMut(Finding),
) {
    for navm in plugin.navmeshes() {
        let seen = navm.map(|navm| Seen::of_record(&navm, navm.mesh(scratch)));
        tally(seen, counts, damaged, found);
    }
}

/// Converts an error of an unreadable part into a finding, so that it does not hide others.
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
