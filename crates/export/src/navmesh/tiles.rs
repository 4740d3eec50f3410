//! Tiles of Detour, version 7, from polygons that share their corners.

use super::cut::Grid;
use super::floors::Floors;
use super::links::Connection;
use super::soup::Soup;
use super::{Bill, NavmeshOptions};
use navmap_core::error::{Error, Result};
use navmap_core::graph::FlatGraph;
use navmap_detour::{
    BvNode, ConnectionsBuf, DetailMesh, DetourBuf, Leaf, Link, LinksBuf, OffMesh, Poly, PolygonsBuf, TileBuf,
    TileHead, Triangle, TrianglesBuf, Vector,
};
use std::collections::{BTreeMap, HashMap};

/// The most vertices and polygons of a tile that 16 bits can number.
const MOST_VERTICES: usize = 65_534;
const MOST_POLYGONS: usize = 32_766;
/// Cells of the tree per metre; fewer if the tile exceeds 16 bits of cells.
const CELLS: f32 = 10.0;

/// A tile under construction.
#[derive(Default)]
struct Part<'s> {
    /// The loops in it.
    loops: Vec<u32>,
    connections: Vec<(&'s Connection, u8)>,
    /// The climb that its head states.
    climb: f32,
}

/// What all tiles are made of.
struct Level<'a> {
    graph: &'a FlatGraph,
    soup: &'a Soup,
    grid: &'a Grid,
    options: &'a NavmeshOptions,
    edges: Edges,
    /// The tile of each loop, and its number in it.
    places: Vec<([u32; 2], u16)>,
}

/// The open edges of all loops by their vertices, in the direction of the loop: sorted, with the loop.
#[derive(Default)]
struct Edges(Vec<([u32; 2], u32)>);

impl Edges {
    /// The loop beyond an edge; of several the last.
    fn beyond(&self, [a, b]: [u32; 2]) -> Option<u32> {
        let end = self.0.partition_point(|(ends, _)| *ends <= [b, a]);
        let (ends, index) = self.0.get(end.checked_sub(1)?)?;
        (*ends == [b, a]).then_some(*index)
    }
}

pub(super) fn encode(
    graph: &FlatGraph,
    soup: &Soup,
    grid: &Grid,
    connections: &[Connection],
    floors: Floors<'_>,
    options: &NavmeshOptions,
    bill: &mut Bill,
) -> Result<Vec<u8>> {
    let mut parts: BTreeMap<[u32; 2], Part<'_>> = BTreeMap::new();
    let (mut edges, mut places) = (Edges::default(), Vec::with_capacity(soup.loops.len()));
    for (index, polygon) in (0u32..).zip(soup.loops.iter()) {
        let count = polygon.len() as f32;
        let middle = soup.corners(polygon).fold([0.0; 3], |sum: [f32; 3], [x, y, z]| {
            [sum[0] + x / count, sum[1] + y / count, sum[2] + z / count]
        });
        let tile = grid.tile(middle);
        let [.., climb] = options.agent;
        let part = parts.entry(tile).or_insert_with(|| Part { climb, ..Part::default() });
        places.push((tile, part.loops.len() as u16));
        part.loops.push(index);
        for edge in (0..polygon.len()).filter(|edge| polygon.is_open(*edge)) {
            edges.0.push((polygon.ends(edge), index));
        }
    }
    edges.0.sort_unstable();
    for connection in connections {
        let [from, to] = connection.ends.map(|end| grid.tile(end));
        match (side(from, to), parts.get_mut(&from)) {
            (Some(side), Some(part)) => part.connections.push((connection, side)),
            _ => Bill::add(&mut bill.dropped, "connections that end farther away than the next tile", 1),
        }
    }
    let level = Level { graph, soup, grid, options, edges, places };
    level.lower(connections, &floors, &mut parts);
    floors.held()?;
    drop(floors);
    let lowered = parts.values().filter(|part| part.climb < options.agent[2]).count();
    Bill::add(
        &mut bill.approximated,
        "tiles that state a smaller climb, so that floors within one are told apart",
        lowered as u64,
    );
    let origin = soup.vertices.iter().map(|v| v[1]).fold(f32::INFINITY, f32::min);
    let [width, depth] = grid.side;
    let tiles: Result<Vec<TileBuf>> = parts.iter().map(|(place, part)| level.tile(*place, part)).collect();
    let set = DetourBuf::of_tiles([grid.origin[0], origin, grid.origin[1]], [width, depth], tiles?)?;
    for (tile, part) in set.tiles.iter().zip(parts.values()) {
        let references = (tile.reference as u32..).zip(&part.loops);
        bill.references.extend(references.map(|(at, index)| (at, soup.loops.get(*index).node)));
        bill.polygons += part.loops.len() as u64;
        bill.connections += part.connections.len() as u64;
    }
    bill.tiles = parts.len() as u64;
    set.encode()
}

/// The direction of a tile from another; 0xFF for itself, `None` if they do not touch.
fn side(from: [u32; 2], to: [u32; 2]) -> Option<u8> {
    let step = |axis: usize| i64::from(to[axis]) - i64::from(from[axis]);
    Some(match (step(0), step(1)) {
        (0, 0) => 0xFF,
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => return None,
    })
}

impl Level<'_> {
    /// Lowers the climb of tiles to less than half the distance between two floors, where an end of a connection or a side of a tile
    /// lies over both.
    fn lower(
        &self,
        connections: &[Connection],
        floors: &Floors<'_>,
        parts: &mut BTreeMap<[u32; 2], Part<'_>>,
    ) {
        // No climb distinguishes floors at the same height.
        const LEAST: f32 = 0.001;
        let Self { soup, grid, places, .. } = self;
        let mut below = |tile: [u32; 2], gap: Option<f32>| {
            let part = gap.filter(|gap| *gap > LEAST).zip(parts.get_mut(&tile));
            if let Some((gap, part)) = part {
                part.climb = part.climb.min(gap * 0.4);
            }
        };
        for connection in connections {
            for (end, node) in connection.ends.into_iter().zip(connection.nodes) {
                below(grid.tile(end), floors.gap(node, end));
            }
        }
        for (index, polygon) in soup.loops.iter().enumerate() {
            for edge in (0..polygon.len()).filter(|edge| polygon.is_open(*edge)) {
                let beyond = self.edges.beyond(polygon.ends(edge));
                let Some(other) = beyond.filter(|to| places[*to as usize].0 != places[index].0) else {
                    continue;
                };
                let ends = polygon.ends(edge).map(|vertex| soup.vertices[vertex as usize]);
                let but = [polygon.node, soup.loops.get(other).node];
                for share in [0.02, 0.25, 0.5, 0.75, 0.98] {
                    let at = [0, 1, 2].map(|axis| ends[0][axis] + share * (ends[1][axis] - ends[0][axis]));
                    below(places[index].0, floors.gap_at_side(&but, at));
                }
            }
        }
    }

    fn tile(&self, place: [u32; 2], part: &Part<'_>) -> Result<TileBuf> {
        let mut body = Body::default();
        for index in &part.loops {
            self.polygon(place, *index, &mut body)?;
        }
        let ground = body.polygons.len();
        if ground + part.connections.len() > MOST_POLYGONS {
            return Err(Error::invalid("tile", "has more polygons than 15 bits count; make tiles smaller"));
        }
        let (min, max, factor) = bounds(&body.vertices, self.grid, place, part);
        let tree = tree(&body.vertices, &body.polygons, min, factor);
        let [height, radius, _] = self.options.agent;
        let off_mesh = body.connect(part, radius)?;
        let links = (body.corners + 2 * body.portals + 4 * off_mesh.len()).max(1);
        let mut head = TileHead::default();
        head.at = place.map(|at| at as i32);
        head.off_mesh_base = ground as u32;
        head.agent = Some([height, radius, part.climb]);
        (head.min, head.max, head.factor) = (min, max, factor);
        // Counts are recomputed from the lists when the tile is written.
        let mut tile = TileBuf::new(head);
        tile.vertices = body.vertices;
        tile.polygons = PolygonsBuf::Stock(body.polygons);
        tile.links = LinksBuf::Narrow(vec![Link::default(); links]);
        tile.details = body.details;
        tile.triangles = TrianglesBuf::Stock(body.triangles);
        tile.tree = tree;
        tile.off_mesh = ConnectionsBuf::Stock(off_mesh);
        Ok(tile)
    }

    /// Adds a loop to the tile at `place`: a polygon, and its triangles as a fan.
    fn polygon(&self, place: [u32; 2], index: u32, body: &mut Body) -> Result<()> {
        let polygon = self.soup.loops.get(index);
        let (mut corners, mut neighbours) = ([0u16; 6], [0u16; 6]);
        let n = polygon.len();
        for i in 0..n {
            let [a, b] = polygon.ends(i);
            corners[i] = body.vertex(a, self.soup)?;
            let beyond = polygon.is_open(i).then(|| self.edges.beyond([a, b])).flatten();
            neighbours[i] = self.neighbour(place, beyond);
            body.portals += usize::from(neighbours[i] & Poly::PORTAL != 0);
        }
        body.corners += n;
        let node = &self.graph.nodes()[polygon.node as usize];
        let (area, flags) = self.options.mapping.polygon(self.graph, node);
        body.polygons.push(Poly::new(corners, neighbours, n as u8, flags, area, 0));
        body.details.push(DetailMesh::new(0, body.triangles.len() as u32, 0, (n - 2) as u8));
        for j in 2..n as u8 {
            let flags = 1 << 2 | u8::from(j == 2) | u8::from(usize::from(j) == n - 1) << 4;
            body.triangles.push(Triangle::new([0, j - 1, j], flags));
        }
        Ok(())
    }

    /// What a polygon of the tile at `place` says of a side, beyond which lies another loop or none.
    fn neighbour(&self, place: [u32; 2], beyond: Option<u32>) -> u16 {
        match beyond.map(|to| self.places[to as usize]) {
            Some((tile, number)) if tile == place => number + 1,
            Some((tile, _)) => match side(place, tile) {
                Some(side @ (0 | 2 | 4 | 6)) => Poly::PORTAL | u16::from(side),
                _ => Poly::WALL,
            },
            None => Poly::WALL,
        }
    }
}

/// The lists of a tile.
#[derive(Default)]
struct Body {
    vertices: Vec<Vector>,
    /// The number of each vertex of the level that the tile has.
    numbers: HashMap<u32, u16>,
    polygons: Vec<Poly>,
    details: Vec<DetailMesh>,
    triangles: Vec<Triangle>,
    /// How many corners the polygons have in all, and how many sides at other tiles.
    corners: usize,
    portals: usize,
}

impl Body {
    /// The number of a vertex in the tile.
    fn vertex(&mut self, of: u32, soup: &Soup) -> Result<u16> {
        let Self { vertices, numbers, .. } = self;
        let number = *numbers.entry(of).or_insert_with(|| {
            vertices.push(soup.vertices[of as usize].into());
            (vertices.len() - 1) as u16
        });
        self.countable().map(|()| number)
    }

    fn countable(&self) -> Result<()> {
        match self.vertices.len() > MOST_VERTICES {
            true => Err(Error::invalid("tile", "has more vertices than 16 bits count; make tiles smaller")),
            false => Ok(()),
        }
    }

    /// Adds the polygons of connections, and returns the connections.
    fn connect(&mut self, part: &Part<'_>, radius: f32) -> Result<Vec<OffMesh>> {
        let mut off_mesh = Vec::new();
        for (connection, side) in &part.connections {
            let first = self.vertices.len() as u16;
            self.vertices.extend(connection.ends.map(Vector::from));
            self.countable()?;
            let polygon = self.polygons.len() as u16;
            let corners = [first, first + 1, 0, 0, 0, 0];
            self.polygons.push(Poly::new(corners, [0; 6], 2, connection.flags, connection.area, 1));
            let Connection { ends, both_ways, link, .. } = **connection;
            off_mesh.push(OffMesh::new(ends, radius, polygon, both_ways, *side, link));
        }
        Ok(off_mesh)
    }
}

/// The box of a tile, and the tree's cells per metre.
fn bounds(vertices: &[Vector], grid: &Grid, place: [u32; 2], part: &Part<'_>) -> ([f32; 3], [f32; 3], f32) {
    let starts = part.connections.iter().flat_map(|(connection, _)| connection.ends).map(|[_, y, _]| y);
    let heights = vertices.iter().map(|v| v.to_array()[1]).chain(starts);
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    let [x, z] = [0, 1].map(|axis| [grid.line(axis, place[axis]), grid.line(axis, place[axis] + 1)]);
    let (min, max) = ([x[0], low, z[0]], [x[1], high, z[1]]);
    let longest = (0..3).map(|axis| max[axis] - min[axis]).fold(0.1, f32::max);
    (min, max, CELLS.min(65_000.0 / longest))
}

/// The tree of boxes over the polygons.
fn tree(vertices: &[Vector], polygons: &[Poly], min: [f32; 3], factor: f32) -> Vec<BvNode> {
    let leaf = |(polygon, index): (&Poly, i32)| {
        let polygon = navmap_detour::Polygon::from(polygon);
        let corners = polygon.corners().iter().map(|corner| vertices[usize::from(corner.get())].to_array());
        Leaf::around(index, corners, min, factor)
    };
    let mut leaves: Vec<Leaf> = polygons.iter().zip(0..).map(leaf).collect();
    navmap_detour::tree(&mut leaves)
}
