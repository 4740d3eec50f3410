//! Describes plugins and meshes to a person.

use super::flags::RecordFlags;
use super::form::FormId;
use super::navi::NavMap;
use super::navm::NavmRecord;
use super::owners::Origin;
use super::plugin::{Plugin, Scale};
use super::record::Parent;
use super::space::{SpaceId, Spaces};
use super::survey::count;
use super::text::shown;
use super::view::NavMesh;
use navmap_core::Counts;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::text::{Grouped, Size, counted, fact};
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::Write;

/// Describes one mesh by itself.
pub(super) fn mesh(mesh: &NavMesh<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", format_args!("NVNM version {}", mesh.version()))?;
    if let Some(game) = mesh.game() {
        fact(out, "game", game)?;
    }
    if !mesh.is_confirmed() {
        fact(out, "layout", "experimental: no real file confirms it")?;
    }
    fact(out, "belongs to", Belongs(mesh.parent(), None))?;
    let mut counts = Counts::default();
    count(mesh, &mut counts);
    print_counts(&counts, out)?;
    if !mesh.waypoints().is_empty() {
        fact(out, "waypoints", Grouped(mesh.waypoints().len() as u64))?;
    }
    if let Some(grid) = mesh.grid() {
        let (header, divisor) = (grid.header(), grid.divisor());
        let [width, height] = header.cell_size();
        fact(out, "grid", format_args!("{divisor} x {divisor} cells of {width} x {height} units"))?;
        let (min, max) = (header.min().to_array(), header.max().to_array());
        fact(out, "bounds", format_args!("{min:?} to {max:?}"))?;
    }
    let mut flags = BTreeMap::new();
    for triangle in mesh.triangles().iter() {
        for name in triangle.flags().names() {
            tally(&mut flags, name);
        }
    }
    table(out, "triangle flags", &flags)?;
    let mut kinds = BTreeMap::new();
    mesh.edge_links().iter().for_each(|link| tally(&mut kinds, link.kind().to_string()));
    table(out, "edge link kinds", &kinds)?;
    let mut targets = BTreeMap::new();
    mesh.edge_links().iter().for_each(|link| tally(&mut targets, link.navmesh()));
    table(out, "linked navmeshes", &targets)
}

/// Describes a whole plugin. Continues after damage, and returns the first error.
pub(super) fn plugin(plugin: &Plugin<'_>, scratch: &mut Scratch, out: &mut dyn Write) -> Result<()> {
    header(plugin, out)?;
    let mut damage = None;
    let (mut counts, mut sheet) = (Counts::default(), Sheet::default());
    for navm in plugin.navmeshes() {
        let read = navm.and_then(|navm| {
            sheet.add_record(plugin, &navm);
            if let Some(mesh) = navm.mesh(scratch)? {
                count(&mesh, &mut counts);
                sheet.add_mesh(plugin, &mesh, navm.world());
            }
            Ok(())
        });
        if let Err(error) = read {
            sheet.damaged = sheet.damaged.saturating_add(1);
            damage = damage.or(Some(error));
        }
    }
    for object in plugin.base_objects() {
        let read = object.and_then(|object| {
            if let Some(mesh) = object.mesh(scratch)? {
                count(&mesh, &mut counts);
                tally(&mut sheet.versions, mesh.version());
                sheet.objects = sheet.objects.saturating_add(1);
            }
            Ok(())
        });
        if let Err(error) = read {
            sheet.damaged = sheet.damaged.saturating_add(1);
            damage = damage.or(Some(error));
        }
    }
    sheet.print(&counts, out)?;
    sheet.print_spaces(plugin, out)?;
    if let Some(record) = plugin.navi()? {
        let map = record.fields(scratch).and_then(NavMap::parse);
        let map = map.map_err(|error| error.in_record("NAVI", 0).named(record.form_id()))?;
        fact(out, "info map", format_args!("version {}, {} entries", map.version(), map.entries().count()))?;
        if let Some(paths) = map.preferred_paths()? {
            fact(out, "preferred paths", Grouped(paths.len() as u64))?;
        }
    } else {
        fact(out, "info map", "none")?;
    }
    damage.map_or(Ok(()), Err)
}

fn header(plugin: &Plugin<'_>, out: &mut dyn Write) -> Result<()> {
    fact(out, "format", "Bethesda plugin")?;
    let header = plugin.header();
    let version = format_args!(
        "{} (form version {}, header version {})",
        plugin.game(),
        header.form_version(),
        plugin.hedr().version()
    );
    fact(out, "game", version)?;
    let mut words = Vec::new();
    if plugin.is_master() {
        words.push("master");
    }
    match plugin.scale() {
        Scale::Full => {}
        Scale::Medium => words.push("medium"),
        Scale::Light => words.push("light"),
    }
    if plugin.is_localized() {
        words.push("localized");
    }
    if !words.is_empty() {
        fact(out, "flags", words.join(" "))?;
    }
    if let Some(author) = plugin.author().filter(|author| !author.is_empty()) {
        fact(out, "author", shown(author))?;
    }
    for (index, master) in plugin.masters().enumerate() {
        fact(out, if index == 0 { "masters" } else { "" }, format_args!("{index:02X} {}", shown(master)))?;
    }
    Ok(())
}

/// Totals over all records of a plugin.
#[derive(Debug, Default)]
struct Sheet {
    records: u64,
    compressed: u64,
    deleted: u64,
    overrides: u64,
    damaged: u64,
    interior: u64,
    exterior: u64,
    stored: u64,
    inflated: u64,
    links_elsewhere: u64,
    /// Base objects with a mesh.
    objects: u64,
    /// Meshes in each space.
    spaces: BTreeMap<SpaceId, u64>,
    versions: BTreeMap<u32, u64>,
}

impl Sheet {
    fn add_record(&mut self, plugin: &Plugin<'_>, navm: &NavmRecord<'_>) {
        let own = plugin.origin(navm.form_id()) == Origin::Own;
        for (count, holds) in [
            (&mut self.records, true),
            (&mut self.compressed, navm.is_compressed()),
            (&mut self.deleted, navm.is_deleted()),
            (&mut self.overrides, !own),
        ] {
            *count = count.saturating_add(holds.into());
        }
        self.stored = self.stored.saturating_add(navm.record().stored().len() as u64);
    }

    fn add_mesh(&mut self, plugin: &Plugin<'_>, mesh: &NavMesh<'_>, world: Option<FormId>) {
        let space = SpaceId::new(mesh.parent(), world);
        tally(&mut self.spaces, space.renamed(|form| plugin.canonical(form)));
        self.inflated = self.inflated.saturating_add(mesh.as_bytes().len() as u64);
        tally(&mut self.versions, mesh.version());
        let place = match mesh.parent() {
            Parent::Exterior { .. } => &mut self.exterior,
            Parent::Interior { .. } | Parent::Cell { .. } => &mut self.interior,
        };
        *place = place.saturating_add(1);
        let away = mesh.edge_links().iter().filter(|link| plugin.origin(link.navmesh()) != Origin::Own);
        self.links_elsewhere = self.links_elsewhere.saturating_add(away.count() as u64);
    }

    fn print(&self, counts: &Counts, out: &mut dyn Write) -> Result<()> {
        fact(out, "navmesh records", Grouped(self.records))?;
        for (label, count) in [
            ("  compressed", self.compressed),
            ("  deleted", self.deleted),
            ("  of a master", self.overrides),
            ("  damaged", self.damaged),
            ("  in interiors", self.interior),
            ("  in worldspaces", self.exterior),
        ] {
            if count > 0 {
                fact(out, label, Grouped(count))?;
            }
        }
        if self.records > 0 {
            let bytes = format_args!("{}, meshes of {}", Size(self.stored), Size(self.inflated));
            fact(out, "stored", bytes)?;
        }
        if self.objects > 0 {
            fact(out, "base objects", counted(self.objects, "mesh", "meshes"))?;
        }
        for (version, count) in &self.versions {
            fact(out, "NVNM version", format_args!("{version} ({})", Grouped(*count)))?;
        }
        print_counts(counts, out)?;
        if self.links_elsewhere > 0 {
            fact(out, "  into masters", Grouped(self.links_elsewhere))?;
        }
        Ok(())
    }
}

impl Sheet {
    /// Prints the spaces with the most meshes, by name.
    fn print_spaces(&self, plugin: &Plugin<'_>, out: &mut dyn Write) -> Result<()> {
        const MOST: usize = 12;
        let mut spaces: Vec<(SpaceId, u64)> =
            self.spaces.iter().map(|(space, count)| (*space, *count)).collect();
        spaces.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let more = spaces.len().saturating_sub(MOST);
        spaces.truncate(MOST);
        let ids: Vec<SpaceId> = spaces.iter().map(|(space, _)| *space).collect();
        for (index, ((space, count), name)) in spaces.iter().zip(plugin.editor_ids(&ids)).enumerate() {
            let line = format_args!("{} ({})", space.named(name), counted(*count, "mesh", "meshes"));
            fact(out, if index == 0 { "spaces" } else { "" }, line)?;
        }
        if more > 0 {
            fact(out, "", format_args!("and {} more", Grouped(more as u64)))?;
        }
        Ok(())
    }
}

/// Prints one line for every navmesh record of a plugin, then one for every base object with a mesh: FormID, place with its name,
/// counts, flags. A record that cannot be read gets a line with its error.
///
/// # Errors
/// Those of `out`. Otherwise that of the first unreadable group or record, after everything readable has been printed.
pub fn print_records(plugin: &Plugin<'_>, scratch: &mut Scratch, out: &mut dyn Write) -> Result<()> {
    const HEAD: [&str; 5] = ["vertices", "triangles", "links", "doors", "cover"];
    let spaces = Spaces::new(plugin);
    let width = place_width(plugin, &spaces);
    write!(out, "{:<9} {:<width$}", "FormID", "place")?;
    HEAD.iter().try_for_each(|name| write!(out, " {name:>9}"))?;
    writeln!(out, "  flags")?;
    let mut damage: Option<Error> = None;
    for navm in plugin.navmeshes() {
        let navm = match navm {
            Ok(navm) => navm,
            Err(error) => {
                writeln!(out, "{error}")?;
                damage = damage.or(Some(error));
                continue;
            }
        };
        write!(out, "{:<9} ", navm.form_id())?;
        let flags = Flags(plugin, &navm);
        match navm.mesh(scratch) {
            Ok(Some(mesh)) => {
                write!(out, "{:<width$}", Belongs(mesh.parent(), Some(&spaces)).to_string())?;
                print_columns(&mesh, out)?;
                writeln!(out, "  {flags}")?;
            }
            Ok(None) => {
                let cell = navm.cell().map(|cell| spaces.named(SpaceId::Cell(cell)).to_string());
                writeln!(out, "{:<width$} {:>49}  {flags}", cell.unwrap_or_default(), "no mesh")?;
            }
            Err(error) => {
                writeln!(out, "{}", error.without_file())?;
                damage = damage.or(Some(error));
            }
        }
    }
    for object in plugin.base_objects() {
        match object.as_ref().map(|object| (object.form_id(), object.mesh(scratch))) {
            Ok((_, Ok(None))) => {}
            Ok((form, Ok(Some(mesh)))) => {
                let place = spaces.named(SpaceId::Object(form)).to_string();
                write!(out, "{form:<9} {place:<width$}")?;
                print_columns(&mesh, out)?;
                writeln!(out)?;
            }
            Ok((form, Err(error))) => {
                writeln!(out, "{form:<9} {}", error.without_file())?;
                damage = damage.or(Some(error));
            }
            Err(error) => {
                writeln!(out, "{error}")?;
                damage = damage.or_else(|| object.err());
            }
        }
    }
    damage.map_or(Ok(()), Err)
}

fn print_columns(mesh: &NavMesh<'_>, out: &mut dyn Write) -> Result<()> {
    for count in [
        mesh.vertices().len(),
        mesh.triangles().len(),
        mesh.edge_links().len(),
        mesh.door_triangles().len(),
        mesh.cover_count(),
    ] {
        write!(out, " {:>9}", Grouped(count as u64))?;
    }
    Ok(())
}

/// The column width for the places of a plugin's meshes, within reason.
fn place_width(plugin: &Plugin<'_>, spaces: &Spaces<'_, '_>) -> usize {
    const COORDINATES: usize = 13;
    let names = plugin.navmeshes().flatten().filter_map(|navm| spaces.around(navm.index().into()));
    let longest = names.map(|space| space.to_string().chars().count()).max().unwrap_or_default();
    longest.saturating_add(COORDINATES).clamp(31, 60)
}

/// The place of a mesh, in words; with the name of the space, if names are available.
struct Belongs<'s>(Parent, Option<&'s Spaces<'s, 's>>);

impl Display for Belongs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = SpaceId::new(self.0, None);
        match self.1 {
            Some(spaces) => spaces.named(space).fmt(f)?,
            None => space.fmt(f)?,
        }
        match self.0 {
            Parent::Interior { .. } | Parent::Cell { .. } => Ok(()),
            Parent::Exterior { x, y, .. } => write!(f, " ({x}, {y})"),
        }
    }
}

/// The flags of a record, and the owner of the mesh.
struct Flags<'r, 'a>(&'r Plugin<'a>, &'r NavmRecord<'a>);

impl Display for Flags<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = self.1.header().flags();
        flags.fmt(f)?;
        let sep = if flags == RecordFlags::default() { "" } else { " " };
        match self.0.origin(self.1.form_id()) {
            Origin::Own => Ok(()),
            Origin::Scaled => write!(f, "{sep}(of a light or medium master)"),
            Origin::Master(index) => {
                let master = self.0.masters().nth(index.into()).map(shown).unwrap_or_default();
                write!(f, "{sep}(of {master})")
            }
        }
    }
}

fn print_counts(counts: &Counts, out: &mut dyn Write) -> Result<()> {
    for (name, count) in counts.iter() {
        fact(out, &name.replace('_', " "), Grouped(count))?;
    }
    Ok(())
}

fn tally<K: Ord>(table: &mut BTreeMap<K, u64>, key: K) {
    let count = table.entry(key).or_default();
    *count = count.saturating_add(1);
}

fn table<K: Display>(out: &mut dyn Write, title: &str, table: &BTreeMap<K, u64>) -> Result<()> {
    for (index, (key, count)) in table.iter().enumerate() {
        fact(out, if index == 0 { title } else { "" }, format_args!("{key} ({})", Grouped(*count)))?;
    }
    Ok(())
}
