//! Compares the navmesh info map with the meshes.

use super::report::Report;
use crate::derive::{center, preferred_share};
use crate::flags::{MapFlags, TriangleFlags};
use crate::form::FormId;
use crate::navi::{MapEntry, NavMap};
use crate::navm::NavmRecord;
use crate::owners::Owners;
use crate::plugin::Plugin;
use crate::record::Vertex;
use crate::survey::damage;
use crate::view::NavMesh;
use crate::walk::Record;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::text::{Grouped, counted};
use navmap_core::{Finding, Severity};
use std::collections::{BTreeSet, HashMap};

/// Reports what of the map of a plugin cannot be read.
pub(crate) fn unreadable(plugin: &Plugin<'_>, scratch: &mut Scratch, found: &mut dyn FnMut(Finding)) {
    Map::read(plugin, scratch, &mut |finding| {
        if finding.code == "damaged-navi" {
            found(finding);
        }
    });
}

/// The entries of a plugin's map, by [canonical](Owners::canonical) FormID.
#[derive(Debug)]
pub(super) struct Map<'a> {
    owners: Owners,
    entries: HashMap<FormId, (MapEntry<'a>, bool)>,
    exists: bool,
    /// Live meshes of the plugin's own, and those that override a mesh of a master.
    new: u64,
    overrides: u64,
}

impl<'a> Map<'a> {
    /// Reads the map of a plugin and reports its internal oddities.
    pub(super) fn read(
        plugin: &Plugin<'a>,
        scratch: &'a mut Scratch,
        found: &mut dyn FnMut(Finding),
    ) -> Self {
        let owners = plugin.owners();
        let mut map = Self { owners, entries: HashMap::new(), exists: false, new: 0, overrides: 0 };
        match plugin.navi() {
            Ok(Some(record)) => {
                map.exists = true;
                if let Err(error) = map.fill(plugin, &record, scratch, found) {
                    found(damage(&error.in_record("NAVI", 0).named(record.form_id()), "damaged-navi"));
                }
            }
            Ok(None) => {}
            // The walk over the meshes reports the damage itself.
            Err(_) => {}
        }
        map
    }

    fn fill(
        &mut self,
        plugin: &Plugin<'a>,
        record: &Record<'a>,
        scratch: &'a mut Scratch,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        let form = record.form_id();
        // A plugin that does not name the game's own file is compared as if its first master were that.
        let first = plugin.game().shared_map().map_or(form, |(_, object)| FormId::new(object));
        let wanted = plugin.shared_map().unwrap_or(first);
        let remark = |code, offset, why: std::fmt::Arguments<'_>| {
            let message = format!("{form}: {why}");
            Finding::new(Severity::Warning, code, message).in_record("NAVI", 0).at(offset)
        };
        if form != wanted {
            let why = format_args!("is not {wanted}, the one map that all plugins of the game share");
            found(remark("navi-form-id", record.offset(), why));
        }
        let map = NavMap::parse(record.fields(scratch)?)?;
        let version = plugin.game().nvnm_version();
        if version.is_some_and(|version| version != map.version()) {
            let why =
                format_args!("has version {}, the game's is {}", map.version(), version.unwrap_or_default());
            found(remark("navi-version", record.data_offset(), why));
        }
        for entry in map.entries() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    found(damage(&error.in_record("NAVI", 0).named(form), "damaged-navi"));
                    continue;
                }
            };
            let mesh = self.owners.canonical(entry.head.navmesh());
            let is_island = entry.head.flags().contains(MapFlags::ISLAND);
            if is_island != entry.island.is_some() {
                let why = format_args!("entry of {mesh}: island flag and island geometry disagree");
                found(remark("nvmi-island", entry.offset, why));
            }
            // The last stays.
            if self.entries.insert(mesh, (entry, false)).is_some() {
                let why = format_args!("second entry of {mesh}; the game uses the last");
                found(remark("nvmi-twice", entry.offset, why));
            }
        }
        map.preferred_paths()?;
        map.deleted()?;
        Ok(())
    }

    /// Compares one live mesh with its entry. If the mesh overrides that of a master, its entry is in the master, unless the
    /// plugin changes the entry too.
    pub(super) fn compare(
        &mut self,
        navm: &NavmRecord<'_>,
        is_new: bool,
        mesh: &NavMesh<'_>,
        report: &mut Report<'_>,
    ) {
        let count = if is_new { &mut self.new } else { &mut self.overrides };
        *count = count.saturating_add(1);
        if !self.exists || mesh.pathing_cell().is_none() {
            return;
        }
        let owners = self.owners;
        let own = owners.canonical(navm.form_id());
        let Some((entry, seen)) = self.entries.get_mut(&own) else {
            if is_new {
                let why = "NAVI has no entry for it: the game does not use the navmesh";
                report.say(Severity::Warning, "nvmi-missing", mesh.offset, why);
            }
            return;
        };
        *seen = true;
        let mut differ = |code, what: &str| {
            report.say(Severity::Warning, code, mesh.offset, format_args!("its NAVI entry {what}"));
        };
        if mesh.pathing_cell().is_none_or(|cell| !cell.same(*entry.pathing_cell, owners)) {
            differ("nvmi-owner", "names another cell, worldspace or grid square");
        }
        let canonical = |form: FormId| owners.canonical(form);
        let linked = mesh.edge_links().iter().map(|link| canonical(link.navmesh()));
        let linked: BTreeSet<_> = linked.filter(|form| *form != own).collect();
        let known = entry.links.iter().chain(entry.preferred_links);
        let known: BTreeSet<_> = known.copied().map(canonical).collect();
        if linked != known {
            let (more, less) = (known.difference(&linked).count(), linked.difference(&known).count());
            differ(
                "nvmi-links",
                &format!(
                    "has {} that the edge links lack, and lacks {less} that they have",
                    counted(more as u64, "linked mesh", "linked meshes")
                ),
            );
        }
        let doors: BTreeSet<_> = mesh.door_triangles().iter().map(|(_, door)| canonical(door)).collect();
        let known: BTreeSet<_> = entry.doors.iter().map(|door| canonical(door.reference())).collect();
        if doors != known {
            let (more, less) = (known.difference(&doors).count(), doors.difference(&known).count());
            differ(
                "nvmi-doors",
                &format!(
                    "has {} that the mesh lacks, and lacks {less} that it has",
                    counted(more as u64, "door", "doors")
                ),
            );
        }
        let roads: BTreeSet<_> = entry.preferred_links.iter().copied().map(canonical).collect();
        let both = entry.links.iter().filter(|form| roads.contains(&canonical(**form))).count();
        if both > 0 {
            let meshes = counted(both as u64, "mesh", "meshes");
            differ("nvmi-links", &format!("has {meshes} in both lists of linked meshes"));
        }
        let triangles = mesh.triangles();
        let preferred = triangles.iter().filter(|t| t.flags().contains(TriangleFlags::PREFERRED)).count();
        let share = preferred_share(preferred, triangles.len());
        let stored = entry.head.preferred_share();
        if (share - stored).abs().partial_cmp(&1e-4) != Some(std::cmp::Ordering::Less) {
            differ("nvmi-preferred", &format!("says {stored} of it is preferred, the flags give {share}"));
        }
        let stored = entry.head.center().to_array();
        let wanted = center(mesh.vertices().iter().map(Vertex::to_array));
        if stored != wanted && !mesh.vertices().is_empty() {
            // Different rounding is not an error: the editor's value is a running sum of floats.
            let severity = if near(wanted, stored) { Severity::Deviation } else { Severity::Warning };
            let why =
                format_args!("its NAVI entry says the center is {stored:?}, the vertices give {wanted:?}");
            report.say(severity, "nvmi-center", mesh.offset, why);
        }
    }

    /// Whether an entry's two lists of linked meshes are divided correctly by whether a link between two preferred triangles
    /// leads there. `joined` is the set derived from links, for meshes whose links all stay in the plugin. True for 203 of 204
    /// real entries.
    pub(super) fn preferred_links(&self, own: FormId, joined: &BTreeSet<FormId>, report: &mut Report<'_>) {
        let canonical = |form: &FormId| self.owners.canonical(*form);
        let Some((entry, _)) = self.entries.get(&canonical(&own)) else { return };
        let known: BTreeSet<_> = entry.preferred_links.iter().map(canonical).collect();
        let joined: BTreeSet<_> = joined.iter().map(canonical).collect();
        if known != joined {
            let (more, less) = (known.difference(&joined).count(), joined.difference(&known).count());
            let why = format_args!(
                "its NAVI entry has {} in the list of preferred ones to which no link between preferred triangles leads, and lacks {less}",
                counted(more as u64, "mesh", "meshes")
            );
            report.say(Severity::Deviation, "nvmi-preferred-links", None, why);
        }
    }

    /// Reports findings that need all meshes: a missing map, and entries of the plugin's own meshes without a record.
    pub(super) fn finish(&self, own: impl Fn(FormId) -> bool, found: &mut dyn FnMut(Finding)) {
        if !self.exists && self.new > 0 {
            let new = counted(self.new, "navmesh", "navmeshes");
            let overrides = match self.overrides {
                0 => String::new(),
                some => format!(" ({} override those of masters, which have the entries)", Grouped(some)),
            };
            let message = format!(
                "the plugin adds {new} and has no NAVI record: the game does not use them{overrides}"
            );
            found(Finding::new(Severity::Warning, "navi-missing", message));
        }
        let mut orphans: Vec<_> = self
            .entries
            .iter()
            .filter(|(form, (_, seen))| !seen && own(**form))
            .map(|(form, (entry, _))| (*form, entry))
            .collect();
        orphans.sort_unstable_by_key(|(_, entry)| entry.offset);
        for (form, entry) in orphans {
            let message = format!("entry of {form}, which the plugin does not have as a live navmesh");
            found(
                Finding::new(Severity::Info, "nvmi-without-navmesh", message)
                    .in_record("NAVI", 0)
                    .at(entry.offset),
            );
        }
    }
}

/// Whether both are equal, except for the rounding of a sum of floats.
fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    let close = |(a, b): (f32, f32)| (f64::from(a) - f64::from(b)).abs() <= 0.05 + f64::from(a).abs() * 1e-3;
    a.into_iter().zip(b).all(close)
}
