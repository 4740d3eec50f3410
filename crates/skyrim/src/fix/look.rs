//! Surveys the version of a mesh that the game uses.

use super::rows::{Holds, Packed, Row, Version, Way};
use super::screen::Screen;
use crate::check::links::Key;
use crate::check::{Fit, Report, mesh as check_mesh};
use crate::flags::TriangleFlags;
use crate::form::{FormId, Tag};
use crate::loadorder::LoadOrder;
use crate::navi::MapEntry;
use crate::view::NavMesh;
use navmap_core::bytes::Scratch;
use navmap_core::error::ErrorKind;
use std::collections::BTreeSet;

/// A worker's buffers, reused from mesh to mesh.
#[derive(Debug, Default)]
pub(super) struct Worker {
    scratch: Scratch,
    screen: Screen,
    fit: Fit,
    ways: Vec<Packed>,
    strangers: Vec<(usize, Key)>,
    targets: Vec<Target>,
}

/// A mesh that links lead to: its FormID, the key, and its row.
type Target = (FormId, Key, Option<u32>);

/// The number of cached targets. Most meshes are linked to four or eight others.
const MOST_TARGETS: usize = 16;

/// The context of a survey in the order.
#[derive(Clone, Copy)]
pub(super) struct Around<'w, 'a> {
    pub(super) order: &'w LoadOrder<'a>,
    /// All meshes of the order, ascending.
    pub(super) keys: &'w [Key],
    /// Whether meshes are checked internally.
    pub(super) mends: bool,
}

impl Worker {
    /// Fills in the row of a mesh. `entry`: that in the info map which the game uses, and its plugin, if it matters.
    pub(super) fn look(
        &mut self,
        around: Around<'_, '_>,
        version: &Version<'_>,
        entry: Option<(usize, &MapEntry<'_>)>,
        row: &mut Row,
    ) {
        let Self { scratch, screen, fit, ways, strangers, targets } = self;
        let read = version.navm.mesh(scratch);
        row.holds = Some(Holds::Deleted);
        let mesh = match &read {
            Ok(Some(mesh)) => mesh,
            Ok(None) => return,
            Err(error) => {
                let is_whole = matches!(error.kind(), ErrorKind::Limit { .. });
                drop(read);
                row.holds = Some(Holds::Damage(!is_whole && reads_with_counts(version, scratch)));
                return;
            }
        };
        row.holds = Some(Holds::Triangles(mesh.triangles().len()));
        // A mesh may list one door a million times.
        row.doors = mesh.door_triangles().iter().collect::<BTreeSet<_>>().into_iter().collect();
        let owners = around.order.owners(version.plugin);
        row.stale = entry.is_some_and(|(plugin, entry)| match plugin == version.plugin {
            true => fit.is_stale(entry, mesh, owners, |form| form),
            false => fit.is_stale(entry, mesh, owners, |form| {
                let key = around.order.key(plugin, form).filter(|_| !form.is_null());
                key.and_then(|key| around.order.local(version.plugin, key)).unwrap_or(FormId::NULL)
            }),
        });
        targets.clear();
        let mut packing = Packing { around, plugin: version.plugin, ways, strangers, targets };
        let mut put = |triangle, edge, link| packing.put(mesh, triangle, edge, link);
        let sound = screen.look(mesh, around.mends, &mut put);
        row.ways = ways.as_slice().into();
        ways.clear();
        if sound && strangers.is_empty() {
            return;
        }
        let rest = row.rest.get_or_insert_default();
        rest.strangers.append(strangers);
        if !sound {
            check_mesh(mesh, &mut Report::new(&mut |finding| _ = rest.codes.insert(finding.code)));
        }
    }
}

fn reads_with_counts(version: &Version<'_>, scratch: &mut Scratch) -> bool {
    let fields = version.navm.record().fields(scratch);
    let field = fields.and_then(|mut fields| fields.find_tag(Tag(*b"NVNM")));
    let field = field.ok().flatten();
    field.is_some_and(|field| NavMesh::parse_missing_counts(field.data, field.offset).is_ok())
}

/// Packs the links of one mesh.
struct Packing<'p, 'w, 'a> {
    around: Around<'w, 'a>,
    plugin: usize,
    ways: &'p mut Vec<Packed>,
    strangers: &'p mut Vec<(usize, Key)>,
    targets: &'p mut Vec<Target>,
}

impl Packing<'_, '_, '_> {
    fn put(&mut self, mesh: &NavMesh<'_>, triangle: u16, edge: u8, index: u16) {
        let links = mesh.edge_links();
        let Some(link) = links.get(index.into()) else { return };
        let form = link.navmesh();
        let (target, number) = match self.targets.iter().find(|(known, ..)| *known == form) {
            Some((_, key, number)) => (*key, *number),
            None => {
                let Some(key) = self.around.order.key(self.plugin, form) else { return };
                let number = self.around.keys.binary_search(&key).ok();
                let number = number.and_then(|number| u32::try_from(number).ok());
                if self.targets.len() < MOST_TARGETS {
                    self.targets.push((form, key, number));
                }
                (key, number)
            }
        };
        let preferred = mesh
            .triangles()
            .get(triangle.into())
            .is_some_and(|triangle| triangle.flags().contains(TriangleFlags::PREFERRED));
        let way = Way {
            owner: target,
            triangle,
            edge,
            kind: link.stored_kind(),
            target,
            target_triangle: link.triangle(),
            target_edge: links.target_edge(index.into()),
            preferred,
        };
        if number.is_none() {
            self.strangers.push((self.ways.len(), target));
        }
        self.ways.push(Packed::new(&way, number.unwrap_or(u32::MAX)));
    }
}
