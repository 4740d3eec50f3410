//! Path grids as a neutral graph.

use super::iter::{GridRecord, GridSpace};
use super::view::{GridGame, GridPlugin, PathGrid};
use crate::form::FormId;
use crate::graph::METRES_PER_UNIT;
use crate::text::shown;
use navmap_core::Space;
use navmap_core::bytes::Scratch;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{Axes, Axis, Ids, Link, LinkKind, NavGraph, Node, Passage, Rules, Shape, Visitor};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// How far from the stated position the point of another grid may be, units.
pub(super) const NEAR: f32 = 64.0;

/// The most points of a cube of 64 units that are looked at for a link from another grid. Real points are farther apart.
const MOST_NEAR: usize = 64;

/// The path grids of a plugin as one graph. Owns its points and links.
///
/// - Nodes are points; bit 0 of their flags is set if the editor has made them. In Oblivion the id is the FormID of the grid and
///   the number of the point (`form << 32 | point`), in Morrowind the number of the point in the file.
/// - A link is a `walk`, both ways, also if the file has but one of them. A link into the grid of another cell is a `border` to
///   the nearest point within 64 units of the place that it gives; if there is none, it leads outside.
/// - Groups are grids, which have the name of their cell.
///
/// A plugin has several [spaces](Self::spaces), each with coordinates of its own.
#[derive(Debug)]
pub struct GridGraph<'a> {
    plugin: GridPlugin<'a>,
    grids: Vec<Grid>,
    /// The first node of each grid.
    first: Vec<u32>,
    /// Of each link into another grid, in order: the node here, and the one there.
    borders: Vec<(u32, Option<u32>)>,
    damaged: bool,
}

/// One grid, decoded.
#[derive(Debug)]
struct Grid {
    space: GridSpace,
    space_name: Option<String>,
    form: FormId,
    name: String,
    /// The number of its first point in the file.
    number: u32,
    points: Vec<([f32; 3], bool)>,
    /// Both ways, sorted, each once.
    links: Vec<(u32, u32)>,
    foreign: Vec<(u32, [f32; 3])>,
}

impl Grid {
    fn new(record: &GridRecord<'_>, grid: &PathGrid<'_>, number: u32, scratch: &mut Scratch) -> Self {
        let corner = record.corner(grid);
        let links = grid.links().filter_map(|link| ends(link.from, link.to, grid.len()));
        let mut links: Vec<(u32, u32)> =
            links.filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        links.sort_unstable();
        links.dedup();
        let foreign = grid.foreign().iter().filter(|link| usize::from(link.point()) < grid.len());
        let name = match grid.game() {
            GridGame::Morrowind if record.is_exterior(grid) => {
                let [x, y] = grid.cell();
                format!("{} at {x}, {y}", shown(grid.name()))
            }
            GridGame::Morrowind => shown(grid.name()),
            GridGame::Oblivion => record.cell_name(scratch).map_or_else(
                || record.form_id().to_string(),
                |name| format!("{} in {name}", record.form_id()),
            ),
        };
        Self {
            space: record.space(grid),
            space_name: record.space_name(scratch),
            form: record.form_id(),
            name,
            number,
            points: grid.points().map(|point| (point.placed(corner), point.generated)).collect(),
            links,
            foreign: foreign.map(|link| (link.point().into(), link.position())).collect(),
        }
    }

    fn len(&self) -> u32 {
        u32::try_from(self.points.len()).unwrap_or(u32::MAX)
    }
}

/// How ids of points are made up.
pub(super) const IDS: Ids = Ids::InForms { own: u8::MAX, apart: false };

/// The id of a point: of its grid's FormID and its number there, or, without FormIDs, of the points of the file before that grid.
pub(super) fn point_id(form: FormId, before: u32, point: u32) -> u64 {
    match form.is_null() {
        true => u64::from(before).saturating_add(point.into()),
        false => u64::from(form.get()) << 32 | u64::from(point),
    }
}

/// Both ends of a link, if they are points.
pub(super) fn ends(from: i64, to: i64, len: usize) -> Option<(u32, u32)> {
    let end = |end: i64| u32::try_from(end).ok().filter(|end| (*end as usize) < len);
    end(from).zip(end(to))
}

/// A cube of 64 units of a space.
type Cube<'g> = (&'g GridSpace, [i64; 3]);

/// A point: its grid, its node, and where it is.
type Known = (usize, u32, [f32; 3]);

/// The cube of 64 units that a point lies in.
fn cube(at: [f32; 3]) -> [i64; 3] {
    at.map(|value| (value / NEAR).floor() as i64)
}

impl<'a> GridGraph<'a> {
    /// Every grid of a plugin. One that cannot be read is left out, and every [visit](NavGraph::visit) ends with its error.
    pub fn new(plugin: &GridPlugin<'a>) -> Self {
        let (mut grids, mut damaged, mut number) = (Vec::new(), false, 0_u32);
        let (mut scratch, mut names) = (Scratch::new(), Scratch::new());
        for record in plugin.grids() {
            match record.and_then(|record| {
                let grid = record.grid(&mut scratch)?;
                Ok(grid.map(|grid| Grid::new(&record, &grid, number, &mut names)))
            }) {
                Ok(Some(grid)) => {
                    number = number.saturating_add(grid.len());
                    grids.push(grid);
                }
                Ok(None) => {}
                Err(_) => damaged = true,
            }
        }
        Self::join(*plugin, grids, damaged)
    }

    fn join(plugin: GridPlugin<'a>, grids: Vec<Grid>, damaged: bool) -> Self {
        let mut first = Vec::with_capacity(grids.len());
        let mut next = 0_u32;
        for grid in &grids {
            first.push(next);
            next = next.saturating_add(grid.len());
        }
        let mut graph = Self { plugin, grids, first, borders: Vec::new(), damaged };
        graph.borders = graph.resolve();
        graph
    }

    /// The nodes that links into other grids lead to. Linear.
    fn resolve(&self) -> Vec<(u32, Option<u32>)> {
        if self.grids.iter().all(|grid| grid.foreign.is_empty()) {
            return Vec::new();
        }
        let mut near: HashMap<Cube<'_>, Vec<Known>> = HashMap::new();
        for (at, (grid, first)) in self.grids.iter().zip(&self.first).enumerate() {
            for ((point, _), number) in grid.points.iter().zip(*first..) {
                let bucket = near.entry((&grid.space, cube(*point))).or_default();
                if bucket.len() < MOST_NEAR {
                    bucket.push((at, number, *point));
                }
            }
        }
        let mut borders = Vec::new();
        for (at, (grid, first)) in self.grids.iter().zip(&self.first).enumerate() {
            for (point, to) in &grid.foreign {
                let [x, y, z] = cube(*to);
                let mut best: Option<(f32, u32)> = None;
                for shift in 0..27_i64 {
                    let around = |value: i64, by: i64| value.saturating_add(by % 3).saturating_sub(1);
                    let cube = [around(x, shift), around(y, shift / 3), around(z, shift / 9)];
                    for (other, node, place) in near.get(&(&grid.space, cube)).into_iter().flatten() {
                        let far: f32 = place.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum();
                        if *other != at && far <= NEAR * NEAR && best.is_none_or(|(least, _)| far < least) {
                            best = Some((far, *node));
                        }
                    }
                }
                borders.push((first.saturating_add(*point), best.map(|(_, node)| node)));
            }
        }
        borders.sort_by_key(|(from, _)| *from);
        borders
    }

    /// The spaces of the grids, with the number of points in each.
    pub fn spaces(&self) -> Vec<(GridSpace, u32)> {
        let mut spaces: BTreeMap<&GridSpace, u32> = BTreeMap::new();
        for grid in &self.grids {
            let count = spaces.entry(&grid.space).or_default();
            *count = count.saturating_add(grid.len());
        }
        spaces.into_iter().map(|(space, count)| (space.clone(), count)).collect()
    }

    /// The graph of each space, in the order of [`spaces`](Self::spaces). Nothing is read again.
    #[must_use]
    pub fn split(self) -> Vec<(GridSpace, Self)> {
        let mut spaces: BTreeMap<GridSpace, Vec<Grid>> = BTreeMap::new();
        for grid in self.grids {
            spaces.entry(grid.space.clone()).or_default().push(grid);
        }
        let part = |(space, grids)| (space, Self::join(self.plugin, grids, false));
        spaces.into_iter().map(part).collect()
    }

    /// The space of the first grid, with its name: that of all of them after a [`split`](Self::split). `None` without grids.
    pub fn space(&self) -> Option<Space> {
        self.grids.first().map(|grid| grid.space.named(grid.space_name.clone()))
    }

    /// How many points all grids have.
    pub fn point_count(&self) -> u32 {
        self.grids.iter().fold(0, |sum: u32, grid| sum.saturating_add(grid.len()))
    }

    /// The first error of a part that could not be read and is missing from the graph.
    pub fn damage(&self) -> Option<Error> {
        if !self.damaged {
            return None;
        }
        let mut scratch = Scratch::new();
        let mut records = self.plugin.grids();
        records.find_map(|record| record.and_then(|record| record.grid(&mut scratch).map(|_| ())).err())
    }

    /// Of each link into another grid, in file order of the points that they leave: whether it leads to a point of this plugin.
    pub(super) fn partners(&self) -> impl Iterator<Item = bool> + '_ {
        self.borders.iter().map(|(_, to)| to.is_some())
    }
}

impl NavGraph for GridGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(METRES_PER_UNIT).with_north(Axis::PlusY)
    }

    fn node_word(&self) -> &'static str {
        "point"
    }

    fn ids(&self) -> Ids {
        IDS
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("grid")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        self.grids.get(group as usize).map(|grid| Cow::from(grid.name.as_str()))
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        (bit == 0).then_some("generated")
    }

    /// No rule of the games is public. The reach of 128 units, two yards, is our choice, as for the later games.
    fn rules(&self) -> Rules {
        Rules { above: 128.0, reach: 128.0, ..Rules::of_axes(self.axes()) }
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut borders = self.borders.iter().peekable();
        for ((grid, first), group) in self.grids.iter().zip(&self.first).zip(0_u32..) {
            let mut links = grid.links.iter().peekable();
            for ((at, generated), number) in grid.points.iter().zip(0_u32..) {
                let index = first.saturating_add(number);
                let id = point_id(grid.form, grid.number, number);
                let point = Shape::Point { at: (*at).into(), radius: None };
                let shape = if V::WANTS.corners { point } else { Shape::NONE };
                let flags = u64::from(*generated);
                if visitor.node(&Node { index, id, shape, place: None, group: Some(group), flags }).is_break()
                {
                    return Ok(());
                }
                if !V::WANTS.links {
                    continue;
                }
                let mut link = |to, kind| {
                    visitor.link(&Link {
                        from: index,
                        to,
                        kind,
                        gated: false,
                        portal: None,
                        path: None,
                        passage: Passage::NONE,
                    });
                };
                while let Some((_, to)) = links.next_if(|(from, _)| *from == number) {
                    link(Some(first.saturating_add(*to)), LinkKind::Walk);
                }
                while let Some((_, to)) = borders.next_if(|(from, _)| *from == index) {
                    link(*to, LinkKind::Border);
                }
            }
        }
        self.damage().map_or(Ok(()), Err)
    }
}
