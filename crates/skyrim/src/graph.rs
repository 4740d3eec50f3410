//! Navmeshes of a plugin as a neutral graph: one mesh, or all of a cell, a worldspace or a file, joined together.

use super::flags::{LinkKind as EdgeKind, TriangleFlags};
use super::form::FormId;
use super::held::{Body, Mesh, read_all};
use super::iter::TriangleRef;
use super::navm::NavmRecord;
use super::object::BaseObject;
use super::owners::Owners;
use super::plugin::Plugin;
use super::record::Edge;
use super::space::SpaceId;
use super::view::NavMesh;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{
    Axes, Axis, Ids, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Node, Passage, Point, Rules, Shape,
    Visitor,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Navmeshes as one graph: triangles are nodes, shared edges and edge links are links.
///
/// Uncompressed meshes stay in the file. Compressed ones are inflated once, on all cores, and kept, so the graph owns about as
/// many bytes as they inflate to.
///
/// - A node's id combines the FormID of the mesh, as plugin editors write it ([`Plugin::canonical`]), and the number of the
///   triangle (`form << 32 | triangle`).
/// - A shared edge is a `walk`. An edge link is a `border` (gated if scripts switch it), a `jump` for a ledge up, a
///   `drop` for a ledge down. It leads outside if its mesh is in another plugin or another space.
/// - A triangle under a door has a `door` link to the outside, since the mesh does not store the door's target.
/// - Groups are meshes. Marks are doors, edges with cover, ledges (Skyrim's own cover marks), and waypoints.
/// - Flags are the triangle's.
/// - The mesh of a base object is in its own space.
///
/// A plugin usually has many [spaces](Self::spaces), each with its own coordinates, so a picture shows only [one](Self::only).
#[derive(Debug)]
pub struct SkyrimGraph<'a> {
    owners: Owners,
    /// Their FormIDs are [canonical](Owners::canonical).
    meshes: Vec<Mesh<'a>>,
    /// FormID and position in `meshes`, sorted.
    by_form: Vec<(u32, u32)>,
    failed: Option<Failed<'a>>,
    metres_per_unit: f32,
}

/// An error of a part that could not be read. Every visit ends with it.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // one a graph
enum Failed<'a> {
    Walk(Plugin<'a>),
    Record(NavmRecord<'a>),
    Object(BaseObject<'a>),
}

/// In Skyrim, Fallout 3 and 4 a yard is 64 units.
pub(super) const METRES_PER_UNIT: f32 = navmap_core::graph::SIXTY_FOURTH_YARD as f32;

/// The same of a navmesh of any version: Starfield builds in metres.
pub(super) fn metres_per_unit(version: u32) -> f32 {
    if version >= 17 { 1.0 } else { METRES_PER_UNIT }
}

impl<'a> SkyrimGraph<'a> {
    /// Every mesh of a plugin. A mesh that cannot be read is left out, and every [visit](NavGraph::visit) ends with its
    /// error.
    pub fn new(plugin: &Plugin<'a>) -> Self {
        let mut failed = None;
        let mut records = Vec::new();
        for record in plugin.navmeshes() {
            match record {
                Ok(record) => records.push(record),
                Err(_) => failed = Some(Failed::Walk(*plugin)),
            }
        }
        let mut meshes = read_records(&records, &mut failed);
        let mut number = records.last().map_or(0, |record| record.index().saturating_add(1));
        let mut scratch = Scratch::new();
        for object in plugin.base_objects() {
            match object.as_ref().map(|object| Mesh::of_object(object, &mut scratch)) {
                Ok(Ok(Some(mesh))) => {
                    meshes.push(Mesh { number, ..mesh });
                    number = number.saturating_add(1);
                }
                Ok(Ok(None)) => {}
                Ok(Err(_)) => failed = failed.or_else(|| object.ok().map(Failed::Object)),
                Err(_) => failed = failed.or(Some(Failed::Walk(*plugin))),
            }
        }
        Self::join(plugin.owners(), meshes, failed)
    }

    /// The meshes of some records of one plugin.
    pub(super) fn only_records(owners: Owners, records: &[NavmRecord<'a>]) -> Self {
        let mut failed = None;
        let meshes = read_records(records, &mut failed);
        Self::join(owners, meshes, failed)
    }

    /// One mesh by itself: a raw NVNM field, or one record.
    pub fn of_mesh(mesh: &NavMesh<'a>) -> Self {
        let mesh = Mesh::new(FormId::NULL, mesh.parent(), None, Body::Here(Box::new(*mesh)));
        Self::join(Owners::UNKNOWN, vec![mesh], None)
    }

    fn join(owners: Owners, mut meshes: Vec<Mesh<'a>>, failed: Option<Failed<'a>>) -> Self {
        let mut first_node = 0u32;
        let mut metres_per_unit = METRES_PER_UNIT;
        for mesh in &mut meshes {
            mesh.first_node = first_node;
            mesh.form = owners.canonical(mesh.form);
            mesh.space = mesh.space.renamed(|form| owners.canonical(form));
            if let Some(view) = mesh.body.view() {
                let triangles = u32::try_from(view.triangles().len()).unwrap_or(u32::MAX);
                first_node = first_node.saturating_add(triangles);
                metres_per_unit = metres_per_unit.max(self::metres_per_unit(view.version()));
            }
        }
        let mut by_form: Vec<(u32, u32)> = meshes.iter().map(|mesh| mesh.form.get()).zip(0..).collect();
        by_form.sort_unstable();
        Self { owners, meshes, by_form, failed, metres_per_unit }
    }

    /// The spaces of the meshes, with the number of meshes in each. Worldspaces come first, ordered by FormID.
    pub fn spaces(&self) -> Vec<(SpaceId, usize)> {
        let mut spaces: BTreeMap<SpaceId, usize> = BTreeMap::new();
        for mesh in &self.meshes {
            let count = spaces.entry(mesh.space).or_default();
            *count = count.saturating_add(1);
        }
        spaces.into_iter().collect()
    }

    /// The number of triangles in all meshes. The graph has one node for each.
    pub fn triangle_count(&self) -> u32 {
        let last = self.meshes.last();
        let triangles = |mesh: &Mesh<'_>| mesh.body.view().map_or(0, |view| view.triangles().len());
        last.map_or(0, |mesh| {
            mesh.first_node.saturating_add(u32::try_from(triangles(mesh)).unwrap_or(u32::MAX))
        })
    }

    /// Hands the triangles of some nodes, which are ascending, to `each`: the mesh, the number in it, and the bytes of the file in
    /// which it lies, unless these are inflated.
    pub(super) fn records(
        &self,
        nodes: &[u32],
        each: &mut impl FnMut(u32, Option<Range<u64>>, FormId, TriangleRef<'_>),
    ) {
        let mut wanted = nodes;
        for mesh in &self.meshes {
            let Some(view) = mesh.body.view() else { continue };
            let count = u32::try_from(view.triangles().len()).unwrap_or(u32::MAX);
            let end = mesh.first_node.saturating_add(count);
            let (here, after) = wanted.split_at(wanted.partition_point(|node| *node < end));
            wanted = after;
            for node in here {
                let number = node.saturating_sub(mesh.first_node) as usize;
                let Some(triangle) = view.triangles().get(number) else { continue };
                let bytes = match mesh.body {
                    Body::Here(_) => view.triangle_bytes(number),
                    Body::Inflated(_) => None,
                };
                each(*node, bytes, mesh.form, triangle);
            }
        }
    }

    /// Keeps the meshes of one space. Links to others lead outside.
    #[must_use]
    pub fn only(mut self, space: SpaceId) -> Self {
        let space = space.renamed(|form| self.owners.canonical(form));
        self.meshes.retain(|mesh| mesh.space == space);
        Self::join(self.owners, self.meshes, self.failed)
    }

    /// Keeps the meshes that `keep` accepts. Links to others lead outside.
    pub(super) fn retain(mut self, keep: impl Fn(&Mesh<'a>) -> bool) -> Self {
        self.meshes.retain(keep);
        Self::join(self.owners, self.meshes, self.failed)
    }

    /// The meshes, in file order.
    pub(super) fn meshes(&self) -> &[Mesh<'a>] {
        &self.meshes
    }

    pub(super) fn mesh_count(&self) -> u32 {
        u32::try_from(self.meshes.len()).unwrap_or(u32::MAX)
    }

    /// The space of a mesh.
    pub(super) fn space_of(&self, mesh: u32) -> Option<SpaceId> {
        self.meshes.get(mesh as usize).map(|mesh| mesh.space)
    }

    /// Every door, with the node under it.
    pub(super) fn each_door(&self, mut each: impl FnMut(u32, FormId)) {
        for (mesh, position) in self.meshes.iter().zip(0usize..) {
            let Some(view) = mesh.body.view() else { continue };
            for (triangle, door) in view.door_triangles().iter() {
                if let Some(node) = self.node_in(position, triangle) {
                    each(node, door);
                }
            }
        }
    }

    /// The graph of each space, in the order of [`spaces`](Self::spaces). Nothing is read again.
    #[must_use]
    pub fn split(self) -> Vec<(SpaceId, Self)> {
        let mut spaces: BTreeMap<SpaceId, Vec<Mesh<'a>>> = BTreeMap::new();
        for mesh in self.meshes {
            spaces.entry(mesh.space).or_default().push(mesh);
        }
        let joined = |(space, meshes)| (space, Self::join(self.owners, meshes, None));
        spaces.into_iter().map(joined).collect()
    }

    /// The first error of a part that could not be read and is missing from the graph.
    pub fn damage(&self) -> Option<Error> {
        match &self.failed {
            None => None,
            Some(Failed::Walk(plugin)) => {
                let error = plugin.navmeshes().find_map(Result::err);
                error.or_else(|| plugin.base_objects().find_map(Result::err))
            }
            Some(Failed::Record(record)) => record.mesh(&mut Scratch::new()).err(),
            Some(Failed::Object(object)) => object.mesh(&mut Scratch::new()).err(),
        }
    }

    /// The node of a mesh's triangle. If several meshes share the FormID, the first counts.
    pub fn node_of(&self, form: FormId, triangle: u16) -> Option<u32> {
        let form = self.owners.canonical(form);
        let at = self.by_form.partition_point(|(other, _)| *other < form.get());
        let (_, mesh) = self.by_form.get(at).filter(|(other, _)| *other == form.get())?;
        self.node_in(*mesh as usize, triangle)
    }

    fn node_in(&self, mesh: usize, triangle: u16) -> Option<u32> {
        let node = self.meshes.get(mesh)?.first_node.checked_add(u32::from(triangle))?;
        // A mesh ends where the next one begins. For the last, its own length counts.
        match self.meshes.get(mesh.saturating_add(1)) {
            Some(next) => Some(node).filter(|node| *node < next.first_node),
            None => {
                let view = self.meshes.get(mesh)?.body.view()?;
                Some(node).filter(|_| usize::from(triangle) < view.triangles().len())
            }
        }
    }

    fn triangles<V: Visitor>(&self, position: usize, mesh: &Mesh<'a>, visitor: &mut V) -> ControlFlow<()> {
        let Some(view) = mesh.body.view() else { return ControlFlow::Continue(()) };
        let mut doors: Vec<u16> = view.door_triangles().iter().map(|(triangle, _)| triangle).collect();
        doors.sort_unstable();
        let vertex = |index: u16| view.vertices().get(index.into()).map(|v| Point::from(v.to_array()));
        for (triangle, number) in view.triangles().iter().zip(0u32..) {
            let mut corners = [Point::default(); 3];
            let mut whole = V::WANTS.corners || V::WANTS.portals || V::WANTS.marks;
            if whole {
                for (to, index) in corners.iter_mut().zip(triangle.vertices()) {
                    match vertex(index) {
                        Some(point) => *to = point,
                        None => whole = false,
                    }
                }
            }
            let corners = if whole { &corners[..] } else { &[] };
            let index = mesh.first_node.saturating_add(number);
            let node = Node {
                index,
                id: u64::from(mesh.form.get()) << 32 | u64::from(number),
                shape: if V::WANTS.corners { Shape::Polygon(corners) } else { Shape::NONE },
                place: None,
                group: u32::try_from(position).ok(),
                flags: triangle.flags().0.into(),
            };
            visitor.node(&node)?;
            let door = u16::try_from(number).is_ok_and(|number| doors.binary_search(&number).is_ok());
            if V::WANTS.links {
                let portals = if V::WANTS.portals { corners } else { &[] };
                self.edges((position, &view), triangle, index, portals, visitor);
                if door {
                    visitor.link(&Link::outside(index, LinkKind::Door));
                }
            }
            if V::WANTS.marks {
                marks(triangle, index, corners, door, visitor);
            }
        }
        if V::WANTS.marks {
            for waypoint in view.waypoints() {
                let node = self.node_in(position, waypoint.triangle());
                let shape = MarkShape::Point(waypoint.point().to_array().into());
                visitor.mark(&Mark { kind: MarkKind::Waypoint, node, shape });
            }
        }
        ControlFlow::Continue(())
    }

    fn edges(
        &self,
        (position, view): (usize, &NavMesh<'_>),
        triangle: TriangleRef<'_>,
        from: u32,
        corners: &[Point],
        visitor: &mut impl Visitor,
    ) {
        let Some(mesh) = self.meshes.get(position) else { return };
        for (edge, side) in triangle.edges().into_iter().zip(0usize..) {
            let (mut number, mut beyond) = (None, None);
            let (to, kind, gated) = match edge {
                Edge::Border => continue,
                Edge::Neighbour(to) => {
                    let there = usize::from(to) < view.triangles().len();
                    let to = there.then(|| mesh.first_node.saturating_add(u32::from(to)));
                    (to, LinkKind::Walk, false)
                }
                Edge::Link(link) => {
                    number = Some(u32::from(link));
                    let Some(link) = view.edge_links().get(link.into()) else {
                        visitor.link(&Link::outside(from, LinkKind::Other));
                        continue;
                    };
                    let to = if self.owners.same(link.navmesh(), mesh.form) {
                        self.node_in(position, link.triangle())
                    } else {
                        self.node_of(link.navmesh(), link.triangle())
                    };
                    if to.is_none() {
                        let form = u64::from(self.owners.canonical(link.navmesh()).get());
                        beyond = Some(form << 32 | u64::from(link.triangle()));
                    }
                    let (kind, gated) = match link.kind() {
                        EdgeKind::Portal => (LinkKind::Border, false),
                        EdgeKind::LedgeUp => (LinkKind::Jump, false),
                        EdgeKind::LedgeDown => (LinkKind::Drop, false),
                        EdgeKind::EnableDisable => (LinkKind::Border, true),
                        EdgeKind::Unknown(_) => (LinkKind::Other, false),
                    };
                    (to, kind, gated)
                }
            };
            let passage = Passage { side: u8::try_from(side).ok(), number, beyond, ..Passage::NONE };
            let portal = side_of(corners, side);
            visitor.link(&Link { from, to, kind, gated, portal, path: None, passage });
        }
    }
}

/// Edge `side` of a triangle: from its corner to the next one.
fn side_of(corners: &[Point], side: usize) -> Option<[Point; 2]> {
    let next = if side >= 2 { 0 } else { side.saturating_add(1) };
    corners.get(side).zip(corners.get(next)).map(|(a, b)| [*a, *b])
}

fn marks(triangle: TriangleRef<'_>, node: u32, corners: &[Point], door: bool, visitor: &mut impl Visitor) {
    let mut mark = |kind: MarkKind, shape: MarkShape| visitor.mark(&Mark { kind, node: Some(node), shape });
    if door && let Some(center) = Shape::Polygon(corners).center() {
        mark(MarkKind::Door, MarkShape::Point(center));
    }
    for side in 0usize..3 {
        let kind = match triangle {
            TriangleRef::V12(triangle) => match triangle.cover().value(side) {
                2 => MarkKind::Ledge,
                4.. => MarkKind::Cover,
                _ => continue,
            },
            TriangleRef::V15(_) if triangle.cover_word() >> side & 1 == 1 => MarkKind::Cover,
            TriangleRef::V15(_) => continue,
        };
        if let Some([a, b]) = side_of(corners, side) {
            mark(kind, MarkShape::Segment(a, b));
        }
    }
}

fn read_records<'a>(records: &[NavmRecord<'a>], failed: &mut Option<Failed<'a>>) -> Vec<Mesh<'a>> {
    let mut meshes = Vec::with_capacity(records.len());
    for (record, mesh) in records.iter().zip(read_all(records)) {
        match mesh {
            Ok(Some(mesh)) => meshes.push(mesh),
            Ok(None) => {}
            Err(_) => *failed = failed.take().or(Some(Failed::Record(*record))),
        }
    }
    meshes
}

impl NavGraph for SkyrimGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(self.metres_per_unit).with_north(Axis::PlusY)
    }

    fn node_word(&self) -> &'static str {
        "triangle"
    }

    fn ids(&self) -> Ids {
        self.owners.ids()
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("navmesh")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        let mesh = self.meshes.get(group as usize)?;
        Some(Cow::from(match mesh.grid {
            Some((x, y)) => format!("{} at {x}, {y}", mesh.form),
            None => mesh.form.to_string(),
        }))
    }

    fn group_number(&self, group: u32) -> u32 {
        self.meshes.get(group as usize).map_or(group, |mesh| mesh.number)
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        TriangleFlags(1u16.checked_shl(bit)?).names().next()
    }

    /// No rule of the game is public. The reach of 128 units, two yards, is our choice.
    fn rules(&self) -> Rules {
        let rules = Rules::of_axes(self.axes());
        if self.metres_per_unit < 1.0 { Rules { reach: 128.0, ..rules } } else { rules }
    }

    fn known_nodes(&self) -> Option<usize> {
        Some(self.triangle_count() as usize)
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for (position, mesh) in self.meshes.iter().enumerate() {
            if self.triangles(position, mesh, visitor).is_break() {
                return Ok(());
            }
        }
        self.damage().map_or(Ok(()), Err)
    }
}
