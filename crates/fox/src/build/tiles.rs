//! Cuts one mesh into the tiles of a map, with the strips that join them.
//!
//! Every line is cut once, before the pieces are assigned to tiles, so both tiles at a border get the same points. The game joins
//! tiles by position and finds each side's partner. `docs/formats/fox.md`, section 11.

use super::cut::{Lines, OF_MAP, Pieces};
use super::facet::{Facet, triangles};
use super::frame::{Plan, opaque};
use super::group::{Draft, across_groups};
use super::input::Input;
use super::sides::{Across, sides};
use super::{BuildOptions, BuildReport, finish, islands, space, verify};
use crate::buf::FoxBuf;
use crate::flags::{Side, TILE_SIDE};
use crate::record::{GroupId, PackedId, TileId};
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use navmap_core::threads::spread;
use std::collections::{BTreeMap, HashMap};

/// Width of a strip in metres: 52 quanta, as seen along the borders of the games' tiles.
const STRIP: f64 = 52.0 / 511.0;
/// The height difference within which two sides at a border are the same, in metres. The games' tolerance.
const APART: f64 = 0.01;

/// A tile of a map made by cutting.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuiltTile {
    /// The tile.
    pub tile: TileId,
    /// X and Z of its file name.
    pub name: [u16; 2],
    /// Its parts: one, unless its body was split.
    pub parts: Vec<FoxBuf>,
}

/// The assignment of a cell along an axis.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Column or row of the tile.
    tile: u16,
    /// The sector in it.
    sector: u32,
    /// −1 along the lower border of the tile, 1 along the upper one.
    edge: i8,
}

/// The lines along an axis, and the cells between them.
fn axis(low: f64, high: f64, columns: u16, sector: f64, name: &str) -> Result<(Vec<f64>, Vec<Cell>)> {
    let side = f64::from(TILE_SIDE);
    let half = f64::from(columns) / 2.0;
    let (first, last) = ((low / side + half).floor(), (high / side + half).ceil() - 1.0);
    if first < 0.0 || last >= f64::from(columns) {
        let (from, to) = (-half * side, (f64::from(columns) - half) * side);
        let why = format!(
            "the faces reach from {low} to {high} m on {name}, a map of {columns} tiles from {from} to {to}"
        );
        return Err(Error::invalid("extent", why));
    }
    let sectors = (side / sector).ceil().max(1.0);
    if sectors > 1_024.0 {
        return Err(Error::invalid(
            "sectors",
            format!("{sectors} along a tile, 1024 are enough: raise --sector"),
        ));
    }
    let (mut lines, mut cells) = (Vec::new(), vec![Cell::default()]);
    for tile in first as u16..=last.max(first) as u16 {
        let corner = (f64::from(tile) - half) * side;
        let mut cuts =
            vec![(0.0, Cell { tile, sector: 0, edge: -1 }), (STRIP, Cell { tile, sector: 0, edge: 0 })];
        for k in 1..sectors as u32 {
            cuts.push((f64::from(k) * sector, Cell { tile, sector: k, edge: 0 }));
        }
        cuts.push((side - STRIP, Cell { tile, sector: (sectors as u32).saturating_sub(1), edge: 1 }));
        for (at, cell) in cuts {
            lines.push(corner + at);
            cells.push(cell);
        }
    }
    lines.push((last.max(first) + 1.0 - half) * side);
    cells.push(Cell::default());
    Ok((lines, cells))
}

/// A tile under construction.
struct Draught {
    plan: Plan,
    id: TileId,
    cell: [u16; 2],
    /// Facets with the tile edges they lie along: of rows, then of columns.
    facets: Vec<(Facet, [i8; 2])>,
    drafts: Vec<Draft>,
    dropped: u64,
    report: BuildReport,
}

impl FoxBuf {
    /// Cuts a mesh into the tiles of a map with this number of columns, each 128 m on a side and centred on the origin. A tile
    /// gets a strip along each border with another tile. With a limit in KiB, the body of a larger tile continues in further
    /// parts.
    ///
    /// No game has been seen to run a map made this way.
    ///
    /// # Errors
    /// Those of [`build`](Self::build), and if faces lie outside the map.
    pub fn build_tiles(
        scene: &Scene,
        options: &BuildOptions<'_>,
        columns: u16,
        limit: Option<u32>,
    ) -> Result<(Vec<BuiltTile>, BuildReport)> {
        let mut report = BuildReport::default();
        if columns == 0 || options.like.is_some() || !(options.sector.is_finite() && options.sector > 0.0) {
            return Err(Error::invalid("tile set", "needs columns and a sector, and is like no other tile"));
        }
        let input = Input::read(scene, options, &mut report)?;
        let mut tiles = draughts(&input, options, columns)?;
        for tile in &mut tiles {
            report.dropped = report.dropped.saturating_add(tile.dropped);
        }
        let there: Vec<[u16; 2]> = tiles.iter().map(|tile| tile.cell).collect();
        each(&mut tiles, |tile| tile.number(&there, limit))?;
        let at: HashMap<[u16; 2], usize> =
            there.iter().enumerate().map(|(index, cell)| (*cell, index)).collect();
        for index in 0..tiles.len() {
            let Some([row, column]) = there.get(index).copied() else { continue };
            for (side, cell) in [
                (Side::PositiveX, [row, column.saturating_add(1)]),
                (Side::PositiveZ, [row.saturating_add(1), column]),
            ] {
                if let Some(other) = at.get(&cell) {
                    join(&mut tiles, index, *other, side);
                }
            }
        }
        let mut built = Vec::with_capacity(tiles.len());
        let options = BuildOptions { like: None, ..options.clone() };
        let made = map(&mut tiles, |tile| tile.finish(&options, limit.is_some()))?;
        for (tile, parts) in tiles.iter().zip(made) {
            report.crowded = report.crowded.saturating_add(tile.report.crowded);
            report.first_crowded = report.first_crowded.or(tile.report.first_crowded);
            report.folded = report.folded.saturating_add(tile.report.folded);
            report.alone = report.alone.saturating_add(tile.report.alone);
            report.findings.extend(tile.report.findings.iter().cloned());
            let [row, column] = tile.cell;
            built.push(BuiltTile {
                tile: tile.id,
                name: [column.saturating_add(101), row.saturating_add(101)],
                parts,
            });
        }
        Ok((built, report))
    }
}

fn map<T: Send>(
    tiles: &mut [Draught],
    f: impl Fn(&mut Draught) -> Result<T> + Sync + Send,
) -> Result<Vec<T>> {
    use rayon::prelude::*;
    spread(|| tiles.par_iter_mut().map(f).collect())
}

fn each(tiles: &mut [Draught], f: impl Fn(&mut Draught) -> Result<()> + Sync + Send) -> Result<()> {
    map(tiles, f).map(|_| ())
}

/// Cuts the mesh, and assigns the pieces to tiles.
fn draughts(input: &Input<'_>, options: &BuildOptions<'_>, columns: u16) -> Result<Vec<Draught>> {
    let corners = || input.triangles.iter().flat_map(|t| t.corners).map(|at| input.scene.position(at));
    let reach = |axis: usize| {
        let all = corners().filter_map(|at| at.get(axis).copied());
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((x0, x1), (z0, z1)) = (reach(0), reach(2));
    let (x, of_x) = axis(x0, x1, columns, options.sector, "x")?;
    let (z, of_z) = axis(z0, z1, columns, options.sector, "z")?;
    let pieces = Pieces::cut(input, &Lines { x, z }, OF_MAP)?;
    let cell = |cells: &[Cell], at: u32| cells.get(at as usize).copied().unwrap_or_default();
    // The lowest and the highest point of every tile, from which its frame is made.
    let mut boxes: BTreeMap<[u16; 2], ([f64; 3], [f64; 3])> = BTreeMap::new();
    for (piece, points) in pieces.each() {
        let [row, column] = piece.cell;
        let tile = [cell(&of_z, row).tile, cell(&of_x, column).tile];
        let (low, high) = boxes.entry(tile).or_insert(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]));
        for point in points {
            low.iter_mut().zip(point).for_each(|(to, v)| *to = to.min(*v));
            high.iter_mut().zip(point).for_each(|(to, v)| *to = to.max(*v));
        }
    }
    let mut tiles = Vec::with_capacity(boxes.len());
    for (place, (low, high)) in &boxes {
        let [row, column] = *place;
        let id = row.checked_mul(columns).and_then(|first| first.checked_add(column)).map(TileId);
        let id =
            id.ok_or_else(|| Error::invalid("columns", format!("{columns} of them, tile ids have 16 bits")))?;
        let own = BuildOptions { tile: Some((id, columns)), origin: None, ..options.clone() };
        let plan = Plan::new(*low, *high, &own)?;
        tiles.push(Draught {
            plan,
            id,
            cell: *place,
            facets: Vec::new(),
            drafts: Vec::new(),
            dropped: 0,
            report: BuildReport::default(),
        });
    }
    let at: HashMap<[u16; 2], usize> = boxes.keys().enumerate().map(|(index, cell)| (*cell, index)).collect();
    for (piece, points) in pieces.each() {
        let [row, column] = piece.cell;
        let (row, column) = (cell(&of_z, row), cell(&of_x, column));
        let tile = at.get(&[row.tile, column.tile]).and_then(|index| tiles.get_mut(*index));
        let (Some(tile), Some(from)) = (tile, input.triangles.get(piece.triangle as usize)) else { continue };
        let facets = &mut tile.facets;
        let made = triangles(points, &tile.plan.frame, false, &mut |corners| {
            let cell = [row.sector, column.sector];
            facets.push((
                Facet { corners, cell, attribute: from.attribute, group: from.group },
                [row.edge, column.edge],
            ));
        });
        tile.dropped = tile.dropped.saturating_add(u64::from(!made));
    }
    tiles.retain(|tile| !tile.facets.is_empty());
    Ok(tiles)
}

impl Draught {
    /// Assigns every facet to its group, and numbers the groups.
    fn number(&mut self, there: &[[u16; 2]], limit: Option<u32>) -> Result<()> {
        let [row, column] = self.cell;
        let exists = |cell: Option<[u16; 2]>| cell.is_some_and(|cell| there.binary_search(&cell).is_ok());
        let north = exists(row.checked_sub(1).map(|row| [row, column]));
        let west = exists(column.checked_sub(1).map(|column| [row, column]));
        let south = exists(row.checked_add(1).map(|row| [row, column]));
        let east = exists(column.checked_add(1).map(|column| [row, column]));
        let mut groups: BTreeMap<u16, Vec<Facet>> = BTreeMap::new();
        for (facet, [ez, ex]) in std::mem::take(&mut self.facets) {
            let ez = if (ez < 0 && north) || (ez > 0 && south) { ez } else { 0 };
            let ex = if (ex < 0 && west) || (ex > 0 && east) { ex } else { 0 };
            // A corner belongs to the strip that begins there.
            let group = match (ex, ez) {
                (-1, -1) | (0, -1) => 0,
                (1, -1 | 0) => 1,
                (1 | 0, 1) => 2,
                (-1, 1 | 0) => 3,
                _ => GroupId::BODY.0,
            };
            groups.entry(group).or_default().push(facet);
        }
        if let Some(limit) = limit
            && let Some(body) = groups.remove(&GroupId::BODY.0)
        {
            for (group, facets) in (GroupId::BODY.0..).zip(parts(body, limit)) {
                groups.insert(group, facets);
            }
        }
        for (group, facets) in groups {
            let id = PackedId::new(GroupId(group), self.id);
            let draft = Draft::number(id, facets, &self.plan.frame, &mut self.report);
            self.drafts.push(draft.map_err(|error| self.named(error))?);
        }
        across_groups(&mut self.drafts);
        Ok(())
    }

    fn named(&self, error: Error) -> Error {
        let [row, column] = self.cell;
        error.named(format_args!("tile {},{}", column.saturating_add(101), row.saturating_add(101)))
    }

    /// The parts of the tile.
    fn finish(&mut self, options: &BuildOptions<'_>, split: bool) -> Result<Vec<FoxBuf>> {
        let head = self.plan.head(options);
        let mut report = std::mem::take(&mut self.report);
        let tile = finish(head, &self.drafts, &self.plan, &mut report).and_then(|mut tile| {
            if options.islands {
                islands::add(&mut tile)?;
            }
            if options.opaque.is_none() {
                tile.head.opaque = opaque(&tile);
            }
            let parts = if split { divide(tile, &self.plan) } else { vec![tile] };
            parts.iter().try_for_each(|part| verify(part, &mut report))?;
            Ok(parts)
        });
        self.report = report;
        tile.map_err(|error| self.named(error))
    }
}

/// The approximate size of a face in a file: just over 130 bytes in the games' tiles.
const FACE_BYTES: usize = 140;

/// The facets of a body, divided into as many parts as a limit in KiB requires, in whole sectors.
fn parts(mut facets: Vec<Facet>, limit: u32) -> Vec<Vec<Facet>> {
    let most = ((limit as usize) << 10).checked_div(FACE_BYTES).unwrap_or(1).max(85);
    facets.sort_by_key(|facet| facet.cell);
    let mut parts: Vec<Vec<Facet>> = Vec::new();
    for sector in facets.chunk_by(|a, b| a.cell == b.cell) {
        match parts.last_mut() {
            Some(part) if part.len().saturating_add(sector.len()) <= most => part.extend_from_slice(sector),
            _ => parts.push(sector.to_vec()),
        }
    }
    parts
}

/// A file for the strips and the first part of the body, and one for each further part.
fn divide(tile: FoxBuf, plan: &Plan) -> Vec<FoxBuf> {
    let more = |group: &crate::buf::GroupBuf| group.id.group() > GroupId::BODY;
    if !tile.groups.iter().any(more) {
        return vec![tile];
    }
    let FoxBuf { mut head, groups, islands, .. } = tile;
    head.features |= 4;
    let (later, first): (Vec<_>, Vec<_>) = groups.into_iter().partition(more);
    let mut part = FoxBuf::new(head);
    part.groups = first;
    part.islands = islands;
    let mut parts = vec![part];
    for (number, group) in (1_u16..).zip(later) {
        head.id = PackedId::new(GroupId(number), head.tile());
        let mut part = FoxBuf::new(head);
        part.groups = vec![group];
        parts.push(part);
    }
    for part in &mut parts {
        part.search = Some(space::space(part, plan));
    }
    parts
}

/// A side at a border between tiles: its two ends along the border in quanta, and its location.
type Border = ([u16; 2], f64, usize, usize, usize);

/// The unconnected sides of a tile on a border.
fn border(tile: &Draught, side: Side) -> Vec<Border> {
    let end = (f64::from(TILE_SIDE) * f64::from(tile.plan.frame.divisors[0])) as u16;
    let (axis, along, line) = match side {
        Side::PositiveX => (0, 2, end),
        Side::NegativeX => (0, 2, 0),
        Side::PositiveZ => (2, 0, end),
        Side::NegativeZ => (2, 0, 0),
    };
    let [_, divisor, _] = tile.plan.frame.divisors.map(f64::from);
    let [_, origin, _] = tile.plan.frame.origin.map(f64::from);
    let mut found = Vec::new();
    for (group, draft) in tile.drafts.iter().enumerate() {
        for (face, (facet, across)) in draft.facets.iter().zip(&draft.across).enumerate() {
            for (side, ((a, b), across)) in sides(facet).into_iter().zip(across).enumerate() {
                let on = |at: &[u16; 3]| at.get(axis) == Some(&line);
                if *across == Across::Border && on(&a) && on(&b) {
                    let place = |at: &[u16; 3]| at.get(along).copied().unwrap_or(0);
                    let (p, q) = (place(&a), place(&b));
                    let height = (f64::from(a[1]) + f64::from(b[1])) / 2.0 / divisor + origin;
                    found.push(([p.min(q), p.max(q)], height, group, face, side));
                }
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found
}

/// Joins two tiles over their border: `b` is beyond this side of `a`.
fn join(tiles: &mut [Draught], a: usize, b: usize, side: Side) {
    let of = |index: usize, side: Side| tiles.get(index).map(|tile| border(tile, side)).unwrap_or_default();
    let (mine, theirs) = (of(a, side), of(b, side.opposite()));
    let mut pairs = Vec::new();
    let mut taken = vec![false; theirs.len()];
    for own in &mine {
        let from = theirs.partition_point(|other| other.0 < own.0);
        let run = theirs.iter().enumerate().skip(from).take_while(|(_, other)| other.0 == own.0);
        let free = run.filter(|(at, _)| taken.get(*at) == Some(&false));
        let near = free.min_by(|(_, p), (_, q)| (p.1 - own.1).abs().total_cmp(&(q.1 - own.1).abs()));
        if let Some((at, other)) = near.filter(|(_, other)| (other.1 - own.1).abs() <= APART) {
            taken.get_mut(at).into_iter().for_each(|taken| *taken = true);
            pairs.push((*own, *other));
        }
    }
    for (own, other) in pairs {
        let group = |tile: usize, at: &Border| {
            tiles.get(tile).and_then(|t| t.drafts.get(at.2)).map_or(0, |d| d.id.index())
        };
        let id = |tile: usize| tiles.get(tile).map_or(0, |tile| tile.id.0);
        let there = Across::Tile { tile: id(b), group: group(b, &other) };
        let here = Across::Tile { tile: id(a), group: group(a, &own) };
        for (tile, at, to) in [(a, own, there), (b, other, here)] {
            let draft = tiles.get_mut(tile).and_then(|tile| tile.drafts.get_mut(at.2));
            let slot = draft.and_then(|draft| draft.across.get_mut(at.3)).and_then(|face| face.get_mut(at.4));
            slot.into_iter().for_each(|slot| *slot = to);
        }
    }
}
