//! Checks edge links between meshes: whether each arrives, and whether a link leads back.

use super::report::{Report, middle, named};
use crate::flags::{LinkKind, TriangleFlags};
use crate::form::FormId;
use crate::navm::NavmRecord;
use crate::record::Edge;
use crate::view::NavMesh;
use navmap_core::error::Error;
use navmap_core::{Finding, Severity};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A mesh under a name that is the same for every plugin: the number of its file, and its object id there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) file: u32,
    pub(crate) object: u32,
}

impl Key {
    /// Whether a plugin of the order is the file that the record comes from. Only the others change it, wherever that file loads.
    pub(crate) fn is_of(self, plugin: usize) -> bool {
        self.file as usize == plugin
    }
}

/// The data of one mesh in a table of links. If several plugins have the mesh, the one that the game uses.
#[derive(Debug, Clone, Copy)]
struct Mesh {
    /// The plugin whose record it is.
    plugin: usize,
    index: u32,
    form: FormId,
    inflated: bool,
    holds: Holds,
}

/// What a record holds.
#[derive(Debug, Clone, Copy)]
enum Holds {
    /// A mesh with this number of triangles.
    Triangles(usize),
    /// No mesh: the record is deleted or empty.
    Nothing,
    /// Unreadable, which is reported elsewhere.
    Damage,
}

/// One edge link, with the edge it starts from.
#[derive(Debug, Clone, Copy)]
struct Site {
    owner: Key,
    triangle: u16,
    edge: u8,
    link: u32,
    kind: LinkKind,
    target: Key,
    target_form: FormId,
    target_triangle: u16,
    target_edge: Option<u8>,
    offset: u64,
    /// Whether the triangle is preferred.
    preferred: bool,
    /// The middle of the triangle.
    place: [f32; 3],
}

impl Site {
    /// A search key for the link that must lead back.
    fn way(&self) -> (Key, u16, Key, u16) {
        (self.owner, self.triangle, self.target, self.target_triangle)
    }
}

/// All edge links of the meshes that the game uses. 72 bytes a link.
#[derive(Debug, Default)]
pub(crate) struct Links {
    meshes: HashMap<Key, Mesh>,
    sites: Vec<Site>,
}

/// The meaning of a key that is in no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The mesh may exist in a file that was not loaded.
    Elsewhere,
    /// The file that should hold the mesh was loaded, so the mesh does not exist.
    Nowhere,
}

impl Links {
    /// Adds a mesh, or the record that deletes it. `key_of` turns a FormID of its plugin into a key. Of several records with the
    /// same key, the first is kept. Returns whether this is the first.
    pub(crate) fn add(
        &mut self,
        plugin: usize,
        navm: &NavmRecord<'_>,
        mesh: Result<Option<&NavMesh<'_>>, &Error>,
        key_of: impl Fn(FormId) -> Key,
    ) -> bool {
        let key = key_of(navm.form_id());
        let Entry::Vacant(free) = self.meshes.entry(key) else { return false };
        free.insert(Mesh {
            plugin,
            index: navm.index(),
            form: navm.form_id(),
            inflated: navm.is_compressed(),
            holds: match mesh {
                Ok(Some(mesh)) => Holds::Triangles(mesh.triangles().len()),
                Ok(None) => Holds::Nothing,
                Err(_) => Holds::Damage,
            },
        });
        let Ok(Some(mesh)) = mesh else { return true };
        let links = mesh.edge_links();
        for (triangle, record) in (0u16..).zip(mesh.triangles().iter()) {
            for (edge, value) in (0u8..).zip(record.edges()) {
                let Edge::Link(index) = value else { continue };
                let Some(link) = links.get(index.into()) else { continue };
                self.sites.push(Site {
                    owner: key,
                    triangle,
                    edge,
                    link: index.into(),
                    kind: link.kind(),
                    target: key_of(link.navmesh()),
                    target_form: link.navmesh(),
                    target_triangle: link.triangle(),
                    target_edge: links.target_edge(index.into()),
                    offset: links.byte(mesh.starts.edge_links, index.into()),
                    preferred: record.flags().contains(TriangleFlags::PREFERRED),
                    place: middle(mesh, triangle.into()),
                });
            }
        }
        true
    }

    /// For each mesh whose links all arrive in the same plugin: the meshes that a link between two preferred triangles leads to.
    /// The flag of the other triangle is known from the links that lead back.
    pub(super) fn preferred(&self) -> Vec<(FormId, u32, BTreeSet<FormId>)> {
        let roads: HashSet<(Key, u16)> =
            self.sites.iter().filter(|site| site.preferred).map(|site| (site.owner, site.triangle)).collect();
        let ways: HashSet<_> = self.sites.iter().map(Site::way).collect();
        let mut joined: HashMap<Key, Option<BTreeSet<FormId>>> = HashMap::new();
        for site in &self.sites {
            let answer = (site.target, site.target_triangle, site.owner, site.triangle);
            let found = joined.entry(site.owner).or_insert_with(|| Some(BTreeSet::new()));
            if !ways.contains(&answer) {
                *found = None;
            } else if let Some(found) = found
                && site.preferred
                && site.owner != site.target
                && roads.contains(&(site.target, site.target_triangle))
            {
                found.insert(site.target_form);
            }
        }
        let named = joined.into_iter().filter_map(|(key, found)| {
            let mesh = self.meshes.get(&key)?;
            Some((mesh.form, mesh.index, found?))
        });
        let mut named: Vec<_> = named.collect();
        named.sort_unstable_by_key(|(_, index, _)| *index);
        named
    }

    /// Checks every link, and tells `found` the plugin of each finding. `shown` is the number by which messages name a mesh,
    /// and `file_of` names the file of a mesh that another file brings, where files are told apart.
    pub(crate) fn check(
        &self,
        unknown: impl Fn(Key) -> Unknown,
        shown: impl Fn(Key, FormId) -> FormId,
        file_of: impl Fn(u32) -> Option<String>,
        found: &mut dyn FnMut(usize, Finding),
    ) {
        let mut ways: Vec<_> = self.sites.iter().map(|site| (site.way(), site)).collect();
        ways.sort_unstable_by_key(|(way, _)| *way);
        for site in &self.sites {
            let Some(owner) = self.meshes.get(&site.owner) else { continue };
            let mut found = |finding| found(owner.plugin, finding);
            let mut report = Report::for_record(&mut found, owner.index.into(), owner.form, owner.inflated);
            let mut say = |severity, code, why: std::fmt::Arguments<'_>| {
                let Site { link, triangle, edge, target_form, .. } = site;
                let other = site.target.file != site.owner.file;
                let file = if other { file_of(site.target.file) } else { None };
                let why = format_args!(
                    "edge link {link} (triangle {}, edge {edge}) to {}{}: {why}",
                    named(shown(site.owner, owner.form), (*triangle).into()),
                    named(shown(site.target, *target_form), site.target_triangle.into()),
                    file.map_or_else(String::new, |file| format!(" ({file})")),
                );
                report.of(*triangle, site.place).say(severity, code, site.offset, why);
            };
            let Some(other) = self.meshes.get(&site.target) else {
                if unknown(site.target) == Unknown::Nowhere {
                    say(Severity::Error, "edge-link-dangling", format_args!("there is no such navmesh"));
                }
                continue;
            };
            let triangles = match other.holds {
                Holds::Triangles(triangles) => triangles,
                Holds::Damage => continue,
                Holds::Nothing => {
                    say(
                        Severity::Error,
                        "edge-link-to-deleted",
                        format_args!("that navmesh is deleted or empty"),
                    );
                    continue;
                }
            };
            if usize::from(site.target_triangle) >= triangles {
                let why = format_args!("that navmesh has {triangles} triangles");
                say(Severity::Error, "edge-link-target-out-of-range", why);
                continue;
            }
            let answer = (site.target, site.target_triangle, site.owner, site.triangle);
            let first = ways.partition_point(|(way, _)| *way < answer);
            let answers =
                || ways.iter().skip(first).take_while(|(way, _)| *way == answer).map(|(_, site)| site);
            if answers().next().is_none() {
                // Of 14 real switched portals only 4 have a link back.
                let severity =
                    if site.kind == LinkKind::EnableDisable { Severity::Info } else { Severity::Warning };
                say(severity, "edge-link-one-way", format_args!("no link leads back"));
            } else if !answers().any(|back| back.kind == site.kind.reverse()) {
                say(
                    Severity::Warning,
                    "edge-link-kind",
                    format_args!("{} here, the way back is another kind", site.kind),
                );
            } else if let Some(edge) = site.target_edge
                && !answers().any(|back| back.edge == edge)
            {
                let why = format_args!("says that edge {edge} links back, which does not");
                say(Severity::Warning, "edge-link-edge", why);
            }
        }
    }
}
