//! The tile of Detour of the polygons of one place.

use super::grid::Grid;
use super::heights::{Detail, Ground};
use super::options::{BuildOptions, Voxels};
use navmap_core::error::{Error, Result};
use navmap_detour::{
    DetailMesh, Leaf, Link, LinksBuf, Poly, PolygonsBuf, TileBuf, TileHead, Triangle, TrianglesBuf, Vector,
    tree,
};
use rerecast::{CompactHeightfield, PolygonNavmesh};

/// The most polygons that 15 bits number.
const MOST_POLYGONS: usize = 32_766;
/// The most heights of a tile, which Detour's builder counts in 16 bits.
const MOST_HEIGHTS: usize = 60_000;
/// The corners of a polygon.
const CORNERS: usize = 6;
/// The bit of a neighbour that is another tile; the port numbers sides from the west, against the clock.
const BEYOND: u16 = 0x8000;
const SIDES: [u16; 4] = [4, 2, 0, 6];

/// Builds the tile at a place from its polygons, with heights from the voxels.
///
/// # Errors
/// If it has more polygons than a reference can name.
pub(crate) fn tile(
    mesh: &PolygonNavmesh,
    open: &CompactHeightfield,
    grid: &Grid,
    voxels: &Voxels,
    at: [i32; 2],
    options: &BuildOptions<'_>,
) -> Result<TileBuf> {
    if mesh.polygon_count() > MOST_POLYGONS {
        return Err(Error::invalid("tile", "has more polygons than 15 bits count; make tiles smaller"));
    }
    let [low, high] = [grid.corner(at), grid.corner([at[0] + 1, at[1] + 1])];
    let metres = |[x, y, z]: [f32; 3]| {
        let along = |axis: usize, cells: f32| match cells {
            // Two tiles have the very same line between them.
            cells if cells == f32::from(grid.side) => high[axis] as f32,
            cells => (low[axis] + f64::from(cells) * voxels.cell) as f32,
        };
        [along(0, x), (low[1] + f64::from(y) * voxels.cell_height) as f32, along(2, z)]
    };
    let vertices: Vec<[f32; 3]> =
        mesh.vertices.iter().map(|v| [f32::from(v.x), f32::from(v.y), f32::from(v.z)]).collect();
    let ground = Ground::new(open, voxels.border);
    let mut made = TileBuf::new(TileHead::default());
    let (mut polygons, mut triangles, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
    let mut links = 0;
    let slots = mesh.polygons.chunks_exact(CORNERS).zip(mesh.polygon_neighbors.chunks_exact(CORNERS));
    for ((corners, neighbours), area) in slots.zip(&mesh.areas) {
        let polygon = polygon(corners, neighbours, area.0.saturating_sub(1));
        let shape: Vec<[f32; 3]> = corners_of(&polygon).map(|corner| vertices[corner]).collect();
        let step = if made.detail_vertices.len() < MOST_HEIGHTS { options.detail_step } else { 0.0 };
        let detail = Detail::new(&shape, &ground, step, options.detail_error);
        made.details.push(DetailMesh::new(
            made.detail_vertices.len() as u32,
            triangles.len() as u32,
            detail.added().len() as u8,
            detail.triangles.len() as u8,
        ));
        triangles.extend(detail.triangles.iter().map(|(corners, flags)| Triangle::new(*corners, *flags)));
        made.detail_vertices.extend(detail.added().iter().map(|point| Vector::from(metres(*point))));
        boxes.push(detail.points);
        let portal = |stored: &&u16| **stored & Poly::PORTAL != 0;
        links += shape.len() + 2 * neighbours_of(&polygon).iter().filter(portal).count();
        polygons.push(polygon);
    }
    let heights = boxes.iter().flatten().map(|point| metres(*point)[1]);
    let (least, most) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    let head = &mut made.head;
    head.at = at;
    head.off_mesh_base = polygons.len() as u32;
    let agent = options.agent;
    head.agent = Some([agent.height, agent.radius, agent.climb]);
    head.min = [low[0] as f32, least, low[2] as f32];
    head.max = [high[0] as f32, most, high[2] as f32];
    let longest = (0..3).map(|axis| head.max[axis] - head.min[axis]).fold(0.1, f32::max);
    head.factor = ((1.0 / voxels.cell) as f32).min(65_000.0 / longest);
    let (min, factor) = (head.min, head.factor);
    let leaf = |(points, index): (&Vec<[f32; 3]>, i32)| {
        Leaf::around(index, points.iter().map(|point| metres(*point)), min, factor)
    };
    let mut leaves: Vec<Leaf> = boxes.iter().zip(0..).map(leaf).collect();
    made.tree = tree(&mut leaves);
    made.vertices = vertices.into_iter().map(|point| Vector::from(metres(point))).collect();
    made.polygons = PolygonsBuf::Stock(polygons);
    made.triangles = TrianglesBuf::Stock(triangles);
    made.links = LinksBuf::Narrow(vec![Link::default(); links.max(1)]);
    Ok(made)
}

/// A polygon of the port as one of Detour.
fn polygon(corners: &[u16], neighbours: &[u16], area: u8) -> Poly {
    let (mut own, mut beside) = ([0_u16; CORNERS], [Poly::WALL; CORNERS]);
    let mut count = 0_u8;
    for (slot, (corner, neighbour)) in corners.iter().zip(neighbours).enumerate() {
        if *corner == PolygonNavmesh::NO_INDEX {
            break;
        }
        own[slot] = *corner;
        beside[slot] = match *neighbour {
            PolygonNavmesh::NO_CONNECTION => Poly::WALL,
            beyond if beyond & BEYOND != 0 => Poly::PORTAL | SIDES[usize::from(beyond & 3)],
            inner => inner + 1,
        };
        count += 1;
    }
    Poly::new(own, beside, count, 1, area, 0)
}

fn corners_of(polygon: &Poly) -> impl Iterator<Item = usize> {
    let polygon = navmap_detour::Polygon::from(polygon);
    let corners: Vec<usize> = polygon.corners().iter().map(|corner| usize::from(corner.get())).collect();
    corners.into_iter()
}

fn neighbours_of(polygon: &Poly) -> Vec<u16> {
    navmap_detour::Polygon::from(polygon).neighbours().iter().map(|stored| stored.get()).collect()
}

/// Makes walls of the portals over sides beyond which nothing is.
pub(crate) fn close(tile: &mut TileBuf, is_there: impl Fn(u16) -> bool) {
    let PolygonsBuf::Stock(polygons) = &mut tile.polygons else { return };
    for poly in polygons {
        let polygon = navmap_detour::Polygon::from(&*poly);
        let (count, flags, area) = (polygon.corner_count(), 1, polygon.area());
        let shut = |stored: u16| stored & Poly::PORTAL != 0 && !is_there(stored & 0xFF);
        let stored = neighbours_of(poly);
        if !stored.iter().any(|stored| shut(*stored)) {
            continue;
        }
        let (mut corners, mut neighbours) = ([0_u16; CORNERS], [Poly::WALL; CORNERS]);
        for (slot, (corner, beside)) in corners_of(poly).zip(stored).enumerate() {
            corners[slot] = corner as u16;
            neighbours[slot] = if shut(beside) { Poly::WALL } else { beside };
        }
        *poly = Poly::new(corners, neighbours, count, flags, area, 0);
    }
}
