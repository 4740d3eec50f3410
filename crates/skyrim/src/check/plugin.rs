//! Checks a whole plugin: every navmesh record by itself, its place, its entry in the info map, its links and doors.

use super::links::{Key, Links, Unknown};
use super::map::Map;
use super::mesh::check as check_mesh;
use super::report::{Report, named};
use crate::fields::exactly;
use crate::form::{FormId, Tag};
use crate::navm::NavmRecord;
use crate::owners::Origin;
use crate::plugin::{Plugin, Scale};
use crate::record::Parent;
use crate::record::Xndp;
use crate::space::{SpaceId, Spaces};
use crate::survey::damage;
use crate::text::decode_text;
use crate::view::NavMesh;
use crate::walk::Wanted;
use navmap_core::bytes::Scratch;
use navmap_core::error::{ErrorKind, Result};
use navmap_core::{Finding, Severity};
use std::collections::HashMap;

/// Reports every finding of a plugin in file order, then those between meshes. Damage is a finding too, and the rest is still
/// checked. Findings about a mesh name its space.
pub(crate) fn check(plugin: &Plugin<'_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    let spaces = Spaces::new(plugin);
    all(plugin, &spaces, scratch, &mut |finding| found(spaces.place(finding, |form| plugin.canonical(form))));
}

fn all(plugin: &Plugin<'_>, spaces: &Spaces<'_, '_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    for field in plugin.header_fields() {
        if let Err(error) = field {
            found(damage(&error.in_record("TES4", 0), "damaged-header"));
        }
    }
    let mut map_scratch = Scratch::new();
    let mut map = Map::read(plugin, &mut map_scratch, found);
    let mut links = Links::default();
    let mut doors = Doors::default();
    let mut seen = HashMap::new();
    for navm in plugin.navmeshes() {
        let navm = match navm {
            Ok(navm) => navm,
            Err(error) => {
                found(damage(&error, "damaged-group"));
                continue;
            }
        };
        record(
            plugin,
            &navm,
            &mut seen,
            &mut Report::for_record(found, navm.index().into(), navm.form_id(), false),
        );
        let grid = navm.grid(scratch);
        let mesh = navm.mesh(scratch);
        let is_first = links.add(0, &navm, mesh.as_ref().map(Option::as_ref), |form| plugin.key(form));
        let mesh = match mesh {
            Ok(mesh) => mesh,
            Err(error) => {
                let is_whole = matches!(error.kind(), ErrorKind::Limit { .. });
                found(damage(&error, "damaged-navmesh"));
                if !is_whole {
                    missing_counts(&navm, scratch, found);
                }
                continue;
            }
        };
        let Some(mesh) = mesh else { continue };
        let form = plugin.canonical(navm.form_id());
        let mut report = Report::for_record(found, navm.index().into(), form, navm.is_compressed());
        place(plugin, spaces, &navm, &mesh, grid, &mut report);
        check_mesh(&mesh, &mut report);
        // Nothing else names another record with its FormID.
        if !is_first {
            continue;
        }
        map.compare(&navm, plugin.origin(navm.form_id()) == Origin::Own, &mesh, &mut report);
        let own = plugin.key(navm.form_id());
        doors.meshes.insert(own, navm);
        let listed = mesh.door_triangles().iter().map(|(triangle, door)| (plugin.key(door), own, triangle));
        doors.listed.extend(listed);
    }
    doors.listed.sort_unstable();
    for (form, index, joined) in links.preferred() {
        map.preferred_links(form, &joined, &mut Report::for_record(found, index.into(), form, false));
    }
    map.finish(|form| plugin.origin(form) == Origin::Own, found);
    let unknown = |key: Key| if key.file == OWN { Unknown::Nowhere } else { Unknown::Elsewhere };
    links.check(unknown, |_, form| plugin.canonical(form), |_| None, &mut |_, finding| found(finding));
    door_references(plugin, &doors, scratch, found);
    base_objects(plugin, scratch, found);
}

/// Checks the mesh of each base object by itself. The targets of its links exist only where the object is placed.
fn base_objects(plugin: &Plugin<'_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    for object in plugin.base_objects() {
        let object = match object {
            Ok(object) => object,
            Err(error) => {
                found(damage(&error, "damaged-group"));
                continue;
            }
        };
        match object.mesh(scratch) {
            Ok(Some(mesh)) => {
                let form = plugin.canonical(object.form_id());
                check_mesh(&mesh, &mut Report::of_object(found, &object, form));
            }
            Ok(None) => {}
            Err(error) => found(damage(&error, "damaged-navmesh")),
        }
    }
}

/// If an early editor wrote a damaged mesh, reports that and its contents.
fn missing_counts(navm: &NavmRecord<'_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    let Ok(mut fields) = navm.record().fields(scratch) else { return };
    let inflated = fields.is_inflated();
    let Ok(Some(field)) = fields.find_tag(Tag(*b"NVNM")) else { return };
    if let Ok(mesh) = NavMesh::parse_missing_counts(field.data, field.offset) {
        let why = format_args!(
            "an early editor left out the counts of empty lists; with them it reads to its end: {} triangles",
            mesh.triangles().len()
        );
        let mut report = Report::for_record(found, navm.index().into(), navm.form_id(), inflated);
        report.say(Severity::Info, "missing-counts", mesh.offset, why);
    }
}

/// Checks the record itself: flags, FormID, whether it is deleted.
fn record(plugin: &Plugin<'_>, navm: &NavmRecord<'_>, seen: &mut HashMap<Key, u32>, report: &mut Report<'_>) {
    let (form, at) = (navm.form_id(), navm.record().offset());
    let masters = plugin.master_count();
    if plugin.origin(form) == Origin::Own && usize::from(form.file_index()) > masters {
        let why = format_args!(
            "file index {:02X} is above the {masters} masters; games read it as the plugin's own",
            form.file_index()
        );
        report.say(Severity::Info, "form-id-index", at, why);
    }
    let first = *seen.entry(plugin.key(form)).or_insert(navm.index());
    if first != navm.index() {
        report.say(Severity::Error, "form-id-twice", at, format_args!("NAVM {first} has the same FormID"));
    }
    let object = form.object_id();
    if plugin.scale() == Scale::Light && plugin.origin(form) == Origin::Own {
        let has = plugin.object_ids();
        if !has.contains(&object) {
            let (lowest, most) = (has.start(), has.end());
            let why = format_args!(
                "object id {object:06X} is outside {lowest:03X} to {most:03X}, all that a light plugin has"
            );
            report.say(Severity::Error, "light-object-id", at, why);
        }
    }
    if navm.is_deleted() {
        match plugin.origin(form) {
            Origin::Master(index) => {
                let master = plugin.masters().nth(index.into()).map(decode_text).unwrap_or_default();
                let why =
                    format_args!("deletes a navmesh of {master}: paths that lead over it can crash the game");
                report.say(Severity::Warning, "deleted-navmesh", at, why);
            }
            Origin::Own => report.say(Severity::Info, "deleted-navmesh", at, "deleted"),
            Origin::Scaled => {
                let why = "deletes a navmesh of a light or medium master: paths that lead over it can crash the game";
                report.say(Severity::Warning, "deleted-navmesh", at, why);
            }
        }
        if !navm.record().stored().is_empty() {
            report.say(Severity::Deviation, "deleted-with-data", at, "deleted, and has data");
        }
    } else if !navm.is_compressed() {
        let why = "stored uncompressed, which the Creation Kit does not do";
        report.say(Severity::Deviation, "stored-navmesh", at, why);
    }
}

/// Checks that the mesh is where it claims to be: in the cell, worldspace and grid of the enclosing groups.
fn place(
    plugin: &Plugin<'_>,
    spaces: &Spaces<'_, '_>,
    navm: &NavmRecord<'_>,
    mesh: &NavMesh<'_>,
    grid: Option<(i32, i32)>,
    report: &mut Report<'_>,
) {
    use crate::flags::GroupKind;

    let at = mesh.offset;
    let place = navm.place();
    if place.group != Some(GroupKind::TemporaryChildren) {
        let why = "stands outside a cell's temporary children, where the game looks for it";
        report.say(Severity::Warning, "navmesh-place", navm.record().offset(), why);
    }
    let same = |a: FormId, b: Option<FormId>| b.is_some_and(|b| plugin.key(a) == plugin.key(b));
    let named = |space: Option<SpaceId>| match space {
        Some(space) => spaces.named(space).to_string(),
        None => "none".to_owned(),
    };
    match mesh.parent() {
        Parent::Interior { cell } | Parent::Cell { cell } if !same(cell, place.cell) => {
            let (says, stands) = (named(Some(SpaceId::Cell(cell))), named(place.cell.map(SpaceId::Cell)));
            let why = format_args!("says {says}, stands in {stands}");
            report.say(Severity::Warning, "cell-differs", at, why);
        }
        Parent::Interior { .. } | Parent::Cell { .. } => {}
        Parent::Exterior { world, x, y } => {
            if !same(world, place.world) {
                let (says, stands) =
                    (named(Some(SpaceId::World(world))), named(place.world.map(SpaceId::World)));
                let why = format_args!("says {says}, stands in {stands}");
                report.say(Severity::Warning, "world-differs", at, why);
            }
            if let Some((cell_x, cell_y)) = grid
                && (i32::from(x), i32::from(y)) != (cell_x, cell_y)
            {
                let why = format_args!("says grid square ({x}, {y}), its cell is at ({cell_x}, {cell_y})");
                report.say(Severity::Warning, "grid-square-differs", at, why);
            }
        }
    }
    if let Some(version) = plugin.game().nvnm_version()
        && version != mesh.version()
    {
        let why = format_args!("NVNM version {}, {} has {version}", mesh.version(), plugin.game());
        report.say(Severity::Warning, "nvnm-version", at, why);
    }
}

/// The meshes of a plugin that can be read, and the doors that they list.
#[derive(Default)]
struct Doors<'a> {
    meshes: HashMap<Key, NavmRecord<'a>>,
    /// Each with a mesh and the triangle there that lists it, ascending.
    listed: Vec<(Key, Key, u16)>,
}

impl<'a> Doors<'a> {
    fn lists(&self, door: Key, mesh: Key, triangle: i16) -> bool {
        let triangle = u16::try_from(triangle);
        triangle.is_ok_and(|triangle| self.listed.binary_search(&(door, mesh, triangle)).is_ok())
    }

    /// The last triangle that lists a door, and its mesh.
    fn last(&self, door: Key) -> Option<(&NavmRecord<'a>, u16)> {
        let end = self.listed.partition_point(|(other, ..)| *other <= door);
        let (_, mesh, triangle) = self.listed.get(..end)?.last().filter(|(other, ..)| *other == door)?;
        Some((self.meshes.get(mesh)?, *triangle))
    }
}

/// Checks that the doors of this plugin point back at a triangle that names them, and at no mesh that does not.
fn door_references(
    plugin: &Plugin<'_>,
    doors: &Doors<'_>,
    scratch: &mut Scratch,
    found: &mut dyn FnMut(Finding),
) {
    if doors.meshes.is_empty() {
        return;
    }
    let named = |form: FormId, triangle: usize| named(plugin.canonical(form), triangle);
    for record in plugin.walk(Wanted::DOORS).filter_map(Result::ok) {
        let xndp = record.fields(scratch).and_then(|mut fields| {
            fields.find_tag(Tag(*b"XNDP"))?.map(|field| exactly::<Xndp>(&field, "XNDP").copied()).transpose()
        });
        let door = plugin.canonical(record.form_id());
        let Some((navm, triangle)) = doors.last(plugin.key(door)) else {
            if let Ok(Some(to)) = xndp
                && let Some(navm) = doors.meshes.get(&plugin.key(to.navmesh()))
                && !record.is_deleted()
            {
                let mut report = Report::for_record(found, navm.index().into(), navm.form_id(), false);
                let triangle = named(to.navmesh(), to.triangle() as usize);
                let why =
                    format_args!("door {door} names triangle {triangle}, and the mesh does not list it");
                report.say(Severity::Warning, "door-unlisted", record.offset(), why);
            }
            continue;
        };
        let mut report = Report::for_record(found, navm.index().into(), navm.form_id(), false);
        let mut say = |why: std::fmt::Arguments<'_>| {
            let triangle = named(navm.form_id(), usize::from(triangle));
            let why = format_args!("door {door} on triangle {triangle} {why}");
            report.say(Severity::Warning, "door-reference", record.offset(), why);
        };
        match xndp {
            Ok(Some(back)) if doors.lists(plugin.key(door), plugin.key(back.navmesh()), back.triangle()) => {}
            Ok(Some(back)) => {
                say(format_args!("points back at {}", named(back.navmesh(), back.triangle() as usize)));
            }
            Ok(None) => say(format_args!("does not point back (no XNDP)")),
            Err(error) => say(format_args!("cannot be read: {}", error.kind())),
        }
    }
}

/// The file number of a plugin's own records.
const OWN: u32 = u32::MAX;
/// The file number of records of light and medium masters.
const SCALED: u32 = OWN - 1;

impl Plugin<'_> {
    /// The key of a record. Every file index above the masters means the plugin itself, so they all give the same key.
    fn key(&self, form: FormId) -> Key {
        match self.origin(form) {
            Origin::Master(index) => Key { file: index.into(), object: form.object_id() },
            Origin::Own => Key { file: OWN, object: form.object_id() },
            Origin::Scaled => Key { file: SCALED, object: form.get() },
        }
    }
}
