//! The index itself, and its answers about single areas and links.

use super::area::Area;
use super::grid::Grid;
use super::ground::{Geometry, Ground, Vec3, with_ground};
use super::labels::{Ids, Labels};
use super::landmarks::Landmarks;
use super::reach::Reach;
use super::rows::Rows;
use super::tactics::Known;
use navmap_core::graph::boxes::BoxTree;
use navmap_core::graph::{Aabb, Axes, LinkKind, PlaneTree, Point, Rules, Up};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A packed mesh for queries: where am I, what is near, how do I get there.
///
/// It owns its data and needs no file behind it. It is `Send + Sync` and never changes, so any number of threads may
/// use it at once. Points and results are in the file's axes and units. It takes about 150 bytes an area.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::graph::Point;
/// use navmap::open::Mesh;
/// use navmap::query::NavIndex;
///
/// let mesh = Mesh::open("corpus/source/town.nav")?;
/// let index = NavIndex::of(mesh.nav()).whole()?;
/// let player = Point::new(100.0, -250.0, 64.0);
/// let here = index.area_at(player, None).expect("somebody stands here");
/// assert!(index.contains(here, player) && index.links(here).count() > 0);
///
/// let mut around = 0;
/// index.within(player, 300.0, |near| around += usize::from(near.distance <= 300.0));
/// assert!(around > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct NavIndex {
    pub(super) parts: Parts,
    pub(super) landmarks: OnceLock<Box<Landmarks>>,
    /// Whether the first search that can use landmarks makes them.
    pub(super) late: bool,
    /// What the file knows of tactics, if it was asked for.
    pub(super) known: Option<Box<Known>>,
    /// Tells what belongs to one index from what belongs to another.
    pub(super) stamp: u64,
}

/// The parts of an index.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) axes: Axes,
    pub(super) rules: Rules,
    pub(super) node_word: &'static str,
    /// How ids are written.
    pub(super) written: navmap_core::graph::Ids,
    pub(super) geometry: Geometry,
    pub(super) grid: Grid,
    /// The game's own cells for its nearest-area search.
    pub(super) engine: Option<Grid>,
    pub(super) tree: BoxTree,
    /// The game's own tree for what holds a point; empty if it has none.
    pub(super) held: PlaneTree,
    pub(super) rows: Rows,
    pub(super) reach: Reach,
    pub(super) node_of: Vec<u32>,
    pub(super) of_node: Vec<u32>,
    pub(super) ids: Ids,
    pub(super) labels: Labels,
    pub(super) exits: Vec<Exit>,
    /// Smallest ratio of a link's cost to its straight distance.
    pub(super) scale: f32,
}

/// A link out of the loaded part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    pub(super) from: u32,
    pub(super) kind: LinkKind,
    pub(super) beyond: Option<u64>,
}

/// A link out of an area, or into one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Way {
    /// The source area.
    pub from: Area,
    /// The target area.
    pub to: Area,
    /// How it is passed.
    pub kind: LinkKind,
    /// Whether the game can open and close it.
    pub gated: bool,
    /// Its length in units: that of the ladder, else from center to center.
    pub length: f32,
    /// Its cost in the game's own search.
    pub charge: f32,
    /// The file's own number for it ([`Passage::number`](navmap_core::graph::Passage::number)), for finding its edict or edge
    /// link.
    pub number: Option<u32>,
}

/// An exit from the loaded part: into another tile, another plugin's mesh, through a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WayOut {
    /// The area it leaves.
    pub from: Area,
    /// How it is passed.
    pub kind: LinkKind,
    /// The target in the format's numbering: a tile, or the FormID of a mesh combined with the number of the triangle.
    pub beyond: Option<u64>,
}

impl NavIndex {
    pub(super) fn of_parts(parts: Parts) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let stamp = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { parts, landmarks: OnceLock::new(), late: false, known: None, stamp }
    }

    /// A number that no other index of this process has, a reload of the same file included. What is made for an index
    /// ([scratches](super::PathScratch), [overlays](super::Overlay), [tables](super::FirstMoves)) carries it, and is
    /// refused by any other. A clone is the same index.
    pub fn identity(&self) -> u64 {
        self.stamp
    }

    /// Adds eight landmarks, with which [shortest](super::Search::Shortest) paths look at a third of the areas or
    /// fewer. They take 64 bytes an area, and about 1 ms for 1,000 areas. They hold for every cost except a closure's,
    /// and with an overlay.
    #[must_use]
    pub fn with_landmarks(self) -> Self {
        if !self.is_empty() {
            self.landmarks.get_or_init(|| self.survey());
        }
        self
    }

    /// The same, but the first search that can use them makes them, while others that need them wait. An index that only
    /// says where points are never pays for them.
    #[must_use]
    pub fn with_late_landmarks(mut self) -> Self {
        self.late = !self.is_empty();
        self
    }

    fn survey(&self) -> Box<Landmarks> {
        Box::new(Landmarks::new(&self.parts.rows, &self.parts.reach))
    }

    /// The landmarks, made now if they were to be made late.
    #[inline]
    pub(super) fn guides(&self) -> Option<&Landmarks> {
        match self.landmarks.get() {
            None if self.late => Some(self.landmarks.get_or_init(|| self.survey())),
            landmarks => landmarks.map(|landmarks| &**landmarks),
        }
    }

    /// The areas that are landmarks; none before they are made.
    pub fn landmarks(&self) -> impl Iterator<Item = Area> + '_ {
        self.landmarks.get().into_iter().flat_map(|landmarks| landmarks.areas()).map(Area::new)
    }

    /// How many areas.
    pub fn len(&self) -> usize {
        self.parts.node_of.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of links between areas.
    pub fn link_count(&self) -> usize {
        self.parts.rows.links().len()
    }

    /// Every area, neighbors together.
    pub fn areas(&self) -> impl ExactSizeIterator<Item = Area> + Clone + use<> {
        (0..self.len() as u32).map(Area::new)
    }

    /// The format's word for an area.
    pub fn node_word(&self) -> &'static str {
        self.parts.node_word
    }

    /// Axes and unit of all points.
    pub fn axes(&self) -> Axes {
        self.parts.axes
    }

    /// The rules of the game's queries.
    pub fn rules(&self) -> Rules {
        self.parts.rules
    }

    /// The box of all areas.
    pub fn bounds(&self) -> Option<Aabb> {
        let [low, high] = self.parts.tree.bounds();
        let bounds: Aabb = [self.unplan(low), self.unplan(high)].into_iter().collect();
        Some(bounds).filter(|bounds| !bounds.is_empty())
    }

    /// Memory on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        let parts = &self.parts;
        parts.geometry.bytes()
            + parts.grid.bytes()
            + parts.engine.as_ref().map_or(0, Grid::bytes)
            + parts.tree.bytes()
            + parts.held.bytes()
            + parts.rows.bytes()
            + parts.reach.bytes()
            + parts.ids.bytes()
            + parts.labels.bytes()
            + size_of_val(&parts.node_of[..])
            + size_of_val(&parts.of_node[..])
            + size_of_val(&parts.exits[..])
            + self.landmarks.get().map_or(0, |landmarks| landmarks.bytes())
            + self.known.as_ref().map_or(0, |known| known.bytes())
    }

    /// The area's node in the file: its position among the file's areas.
    pub fn node(&self, area: Area) -> Option<u32> {
        self.parts.node_of.get(area.slot()).copied()
    }

    /// The area of a node of the file.
    pub fn of_node(&self, node: u32) -> Option<Area> {
        self.parts.of_node.get(node as usize).copied().map(Area::new)
    }

    /// The file's own name for an area: the id in a Source mesh, [`Node::id`](navmap_core::graph::Node::id) in other formats.
    pub fn id(&self, area: Area) -> Option<u64> {
        self.node(area).map(|node| self.parts.ids.of(node))
    }

    /// How ids are written, and so what people type for one: `#17`, `01000902#14`.
    pub fn ids(&self) -> navmap_core::graph::Ids {
        self.parts.written
    }

    /// The area with this id. If there are several, the first in the file. A binary search.
    pub fn by_id(&self, id: u64) -> Option<Area> {
        self.of_node(self.parts.ids.find(id)?)
    }

    /// Flags as stored, see [`Node::flags`](navmap_core::graph::Node::flags). 0 for an area that does not exist.
    pub fn flags(&self, area: Area) -> u64 {
        self.slot(area).map_or(0, |area| self.parts.labels.flags(area))
    }

    /// The bit of a named flag, ignoring case.
    pub fn flag(&self, name: &str) -> Option<u64> {
        let known = self.parts.labels.flag_names.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        known.map(|(bit, _)| 1 << bit)
    }

    /// Names of flags, with their bits.
    pub fn flag_names(&self) -> impl Iterator<Item = (u64, &'static str)> + '_ {
        self.parts.labels.flag_names.iter().map(|(bit, name)| (1 << bit, *name))
    }

    /// The name of an area's place.
    pub fn place(&self, area: Area) -> Option<&str> {
        let labels = &self.parts.labels;
        labels.place(self.slot(area)?).and_then(|place| labels.place_names.get(place)).map(String::as_str)
    }

    /// Names of all places that areas have.
    pub fn places(&self) -> &[String] {
        &self.parts.labels.place_names
    }

    /// The number of a place in [`places`](Self::places), by its name, ignoring case.
    pub fn place_number(&self, name: &str) -> Option<u32> {
        let known = self.parts.labels.place_names.iter().position(|known| known.eq_ignore_ascii_case(name));
        known.and_then(|place| u32::try_from(place).ok())
    }

    /// The number of an area's place in [`places`](Self::places).
    #[inline]
    pub fn place_of(&self, area: Area) -> Option<u32> {
        self.parts.labels.place(self.slot(area)?).and_then(|place| u32::try_from(place).ok())
    }

    /// The areas of a place, by its name, ignoring case. Searches all areas.
    pub fn in_place<'i>(&'i self, name: &str) -> impl Iterator<Item = Area> + use<'i> {
        let labels = &self.parts.labels;
        let place = labels.place_names.iter().position(|known| known.eq_ignore_ascii_case(name));
        self.areas().filter(move |area| place.is_some() && labels.place(area.slot()) == place)
    }

    /// The group of an area: a segment, a mesh, a hull.
    pub fn group(&self, area: Area) -> Option<u32> {
        self.parts.labels.group(self.slot(area)?)
    }

    /// The name of a group.
    pub fn group_name(&self, group: u32) -> Option<&str> {
        self.parts.labels.group_name(group)
    }

    /// The center, from which lengths are measured. In a Source mesh it is midway between the two stored corners, as in the
    /// engine, which may be off the ground. In other meshes it is the mean of the corners.
    pub fn center(&self, area: Area) -> Option<Point> {
        self.slot(area).map(|area| self.unplan(self.parts.geometry.center(area)))
    }

    /// Writes the corners in order, or the single point of a waypoint, to `out`, as many as fit. Returns their total number.
    pub fn corners(&self, area: Area, out: &mut [Point]) -> usize {
        let Some(area) = self.slot(area) else { return 0 };
        let mut put = |corners: &[Vec3]| {
            out.iter_mut().zip(corners).for_each(|(to, corner)| *to = self.unplan(*corner));
            corners.len()
        };
        match &self.parts.geometry {
            Geometry::Quads(quads) => put(&quads.0[area].corners()),
            Geometry::Polygons(polygons) => put(polygons.corners(area)),
            Geometry::Points(points) => put(&points.at[area..=area]),
        }
    }

    /// The smallest and the largest coordinates of an area.
    pub fn area_bounds(&self, area: Area) -> Option<Aabb> {
        let [low, high] = with_ground!(&self.parts.geometry, ground => ground.bounds(self.slot(area)?));
        Some([self.unplan(low), self.unplan(high)].into_iter().collect())
    }

    /// The radius of a waypoint.
    pub fn radius(&self, area: Area) -> Option<f32> {
        match &self.parts.geometry {
            Geometry::Points(points) => points.radius.get(area.slot()).copied(),
            _ => None,
        }
    }

    /// Links out of an area, in file order. Empty for an area that does not exist.
    pub fn links(&self, area: Area) -> impl ExactSizeIterator<Item = Way> + '_ {
        let row = self.slot(area).map_or(0..0, |area| self.parts.rows.row(area));
        row.map(move |link| self.way(area.slot(), link))
    }

    /// Links into an area.
    pub fn incoming(&self, area: Area) -> impl Iterator<Item = Way> + '_ {
        let rows = &self.parts.rows;
        self.slot(area)
            .into_iter()
            .flat_map(|area| rows.incoming(area))
            .map(|(from, link)| self.way(from, link))
    }

    /// The first link from one area to another.
    pub fn link(&self, from: Area, to: Area) -> Option<Way> {
        self.links(from).find(|way| way.to == to)
    }

    /// Links out of the loaded part.
    pub fn ways_out(&self) -> impl ExactSizeIterator<Item = WayOut> + '_ {
        self.parts.exits.iter().map(|exit| WayOut {
            from: Area::new(exit.from),
            kind: exit.kind,
            beyond: exit.beyond,
        })
    }

    /// Whether there is any path from one area to the other. `false` for areas that do not exist.
    ///
    /// This is a look-up in a table of bits. Only if hundreds of one-way links make so many components that their bits would
    /// outgrow the mesh, it runs a search, which allocates.
    pub fn reachable(&self, from: Area, to: Area) -> bool {
        match (self.slot(from), self.slot(to)) {
            (Some(from), Some(to)) => self.parts.reach.search(&self.parts.rows, from, to),
            _ => false,
        }
    }

    /// Whether two areas can reach each other by any path.
    pub fn mutual(&self, a: Area, b: Area) -> bool {
        match (self.slot(a), self.slot(b)) {
            (Some(a), Some(b)) => self.parts.reach.component(a) == self.parts.reach.component(b),
            _ => false,
        }
    }

    /// A number shared by areas connected in any direction. Numbers are not dense.
    pub fn island(&self, area: Area) -> Option<u32> {
        self.slot(area).map(|area| self.parts.reach.island(area))
    }

    /// A number shared by areas that can reach each other by any path. Numbers are dense.
    pub fn component(&self, area: Area) -> Option<u32> {
        self.slot(area).map(|area| self.parts.reach.component(area))
    }

    /// Its slot, if it exists.
    #[inline(always)]
    pub(super) fn slot(&self, area: Area) -> Option<usize> {
        Some(area.slot()).filter(|slot| *slot < self.parts.node_of.len())
    }

    pub(super) fn way(&self, from: usize, link: usize) -> Way {
        let rows = &self.parts.rows;
        let (packed, how) = (rows.links()[link], rows.how(link));
        Way {
            from: Area::new(from as u32),
            to: Area::new(packed.to() as u32),
            kind: how.kind(),
            gated: how.gated(),
            length: packed.length,
            charge: rows.charge(link),
            number: rows.extra(link).and_then(|extra| extra.number),
        }
    }

    /// Right, forward and height of a point, in units.
    #[doc(hidden)]
    #[inline(always)]
    pub fn plan(&self, p: Point) -> Vec3 {
        self.parts.axes.plan(p)
    }

    /// The point at this right, forward and height.
    #[doc(hidden)]
    #[inline(always)]
    pub fn unplan(&self, p: Vec3) -> Point {
        unplan(self.parts.axes, p)
    }
}

/// Converts right, forward and height to the file's axes.
#[inline(always)]
pub(super) fn unplan(axes: Axes, [right, forward, height]: Vec3) -> Point {
    match axes.up {
        Up::Z => Point::new(right, forward, height),
        Up::Y => Point::new(right, height, -forward),
    }
}
