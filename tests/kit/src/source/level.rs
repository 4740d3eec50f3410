//! Generated levels: a grid of rectangles on rolling ground with holes, one-way drops, ladders and places.

use super::model::{Approach, Area, Ladder, Mesh, Path, Spot};
use crate::bytes::Rng;

/// The size of a level and the amount of each part.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Cells of the grid; one in nine is a hole.
    pub cells: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Entries of an area's own visibility list, on average; 0 for none.
    pub visible: usize,
    /// Whether neighbours are joined by encounter paths.
    pub paths: bool,
    /// Approach areas of an area, on average.
    pub approaches: usize,
    /// Ladders.
    pub ladders: usize,
}

impl Shape {
    /// A few areas with everything that the version can store.
    pub fn small(seed: u64) -> Self {
        Self { cells: 9, seed, visible: 3, paths: true, approaches: 2, ladders: 2 }
    }

    /// A level as played: [`level`] decides which of [`Self::visible`] and [`Self::paths`] a game has.
    pub fn play(cells: usize, seed: u64) -> Self {
        Self { cells, seed, visible: 120, paths: true, approaches: 4, ladders: 12 }
    }

    fn is_play(&self) -> bool {
        self.cells > 1000
    }
}

/// Names of places: engine tokens.
const PLACES: [&str; 6] = ["BombsiteA", "Middle", "TSpawn", "CTSpawn", "BackAlley", "BombsiteB"];

/// Spots per encounter path: the shares of 0, 1, 2 and so on in CS:GO meshes, in percent.
const SPOTS_ON_PATH: [u64; 8] = [52, 23, 11, 6, 4, 2, 1, 1];

/// A level for a version and sub-version. Large ones have the parts that dominate the game's own meshes: visibility lists in Team
/// Fortress 2, encounter paths and approach areas in CS:GO.
pub fn level(version: u32, subversion: Option<u32>, shape: &Shape) -> Mesh {
    let mut shape = shape.clone();
    if shape.is_play() {
        match subversion {
            Some(1) => shape.visible = 0,
            _ => (shape.paths, shape.approaches) = (false, 0),
        }
    }
    let l4d = matches!((version, subversion), (15, Some(13)) | (16, Some(14)));
    let mut rng = Rng(shape.seed ^ u64::from(version) << 32 ^ u64::from(subversion.unwrap_or(99)) << 40);
    let mut mesh = Mesh {
        version,
        subversion: subversion.filter(|_| version >= 10),
        bsp_size: if version >= 4 { 1_000_000 + rng.below(9_000_000) as u32 } else { 0 },
        analyzed: u8::from(version >= 14),
        unnamed: u8::from(version >= 12),
        ..Mesh::default()
    };
    if version >= 5 {
        mesh.places = PLACES.iter().map(|name| format!("{name}\0").into_bytes()).collect();
    }
    if l4d {
        (mesh.population, mesh.visibility_range) = (b"riverport".to_vec(), 1500.0);
    }
    ground(&mut mesh, &shape, &mut rng);
    let spots: Vec<u32> = mesh.areas.iter().flat_map(|area| area.spots.iter().map(|spot| spot.id)).collect();
    let ids: Vec<u32> = mesh.areas.iter().map(|area| area.id).collect();
    for i in 0..mesh.areas.len() {
        fill(&mut mesh.areas[i], i, version, &shape, &ids, &spots, l4d, &mut rng);
    }
    if version >= 6 {
        ladders(&mut mesh, &shape, &mut rng);
    }
    strip(&mut mesh, l4d);
    mesh
}

/// Rectangles, heights and connections.
fn ground(mesh: &mut Mesh, shape: &Shape, rng: &mut Rng) {
    let width = (shape.cells as f64).sqrt().ceil() as usize;
    let height = |x: f32, y: f32| ((x * 0.004).sin() + (y * 0.003).cos()) * 40.0;
    let hole = |i: usize, j: usize| shape.cells > 4 && (i * 7 + j * 5) % 9 == 4;
    let id = |i: usize, j: usize| (1 + (j * width + i) * 2 + (i * j) % 2) as u32;
    for j in 0..shape.cells / width {
        for i in (0..width).filter(|&i| !hole(i, j)) {
            let (x, y) = (i as f32 * 100.0 - 1000.0, j as f32 * 75.0 - 500.0);
            let (east, south) = (x + 100.0, y + 75.0);
            let mut area = Area {
                id: id(i, j),
                attributes: if rng.below(6) == 0 { 1 << rng.below(8) } else { 0 },
                nw: [x, y, height(x, y)],
                se: [east, south, height(east, south)],
                ne_z: height(east, y),
                sw_z: height(x, south),
                ..Area::default()
            };
            let beside = |di: isize, dj: isize| {
                let (i, j) = (i.checked_add_signed(di)?, j.checked_add_signed(dj)?);
                (i < width && j < shape.cells / width && !hole(i, j)).then(|| id(i, j))
            };
            for (side, (di, dj)) in [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().enumerate() {
                // Now and then a drop that leads south only.
                let drop = side == 0 && (i + j) % 11 == 0;
                area.connections[side].extend(beside(di, dj).filter(|_| !drop));
            }
            // Sometimes a second neighbour on a side, as where a rectangle ends halfway along another.
            if (i + 2 * j) % 3 == 0 {
                area.connections[1].extend(beside(1, 1));
            }
            if (i + 2 * j) % 3 == 0 && i > 0 && j > 0 {
                area.connections[3].extend(beside(-1, -1));
            }
            mesh.areas.push(area);
        }
    }
    for area in &mut mesh.areas {
        for n in 0..[1, 1, 2, 4, 0][rng.below(5) as usize] {
            let position = [area.nw[0] + 12.5 + n as f32 * 25.0, area.se[1] - 12.5, area.nw[2]];
            let id = area.id * 8 + n as u32;
            area.spots.push(Spot { id, position, flags: [1, 1, 4, 12, 5][rng.below(5) as usize] });
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn fill(
    area: &mut Area,
    index: usize,
    version: u32,
    shape: &Shape,
    ids: &[u32],
    spots: &[u32],
    l4d: bool,
    rng: &mut Rng,
) {
    let any = |rng: &mut Rng| ids[rng.below(ids.len() as u64) as usize];
    area.place = rng.below(PLACES.len() as u64 + 1) as u16;
    area.occupy = [rng.f32(0.0, 30.0), rng.f32(0.0, 30.0)];
    area.light = [1.0, rng.f32(0.0, 1.0), rng.f32(0.0, 1.0), 1.0];
    (area.spawn, area.game) = (2 << rng.below(20), 0x800 << rng.below(15));
    if shape.approaches > 0 {
        for _ in 0..rng.below(2 * shape.approaches as u64 + 1).min(16) {
            let (here, previous, next) = (any(rng), any(rng), any(rng));
            let (previous_how, next_how) = (rng.below(4) as u8, [0, 1, 2, 3, 4, 6][rng.below(6) as usize]);
            area.approaches.push(Approach { here, previous, previous_how, next, next_how });
        }
    }
    let neighbours: Vec<(u8, u32)> =
        (0..4u8).flat_map(|side| area.connections[side as usize].iter().map(move |id| (side, *id))).collect();
    if shape.paths && !l4d {
        for &(from_side, from) in &neighbours {
            for &(to_side, to) in neighbours.iter().filter(|(_, to)| *to != from) {
                let mut path = Path { from, from_side, to, to_side, ..Path::default() };
                path.ends = [area.nw, area.se];
                for k in 0..on_path(rng) {
                    path.old_spots.push((area.se, k as f32 / 8.0));
                    if !spots.is_empty() {
                        path.spots
                            .push((spots[rng.below(spots.len() as u64) as usize], rng.below(256) as u8));
                    }
                }
                area.paths.push(path);
            }
        }
    }
    if shape.visible > 0 {
        // Half of the areas inherit the list of the first area of their run of 16.
        let anchor = index / 16 * 16;
        let inherits = index != anchor && rng.below(2) == 0;
        let most = if inherits { shape.visible / 2 } else { shape.visible * 3 / 2 };
        area.inherit = if inherits { ids[anchor] } else { 0 };
        let count = (1 + rng.below(2 * most.max(1) as u64)).min(ids.len() as u64) as usize;
        let first = index.saturating_sub(count / 2).min(ids.len() - count);
        for (target, id) in ids.iter().enumerate().skip(first).take(count) {
            let bits = [1, 1, 3, 0][rng.below(4) as usize];
            area.visible.push((if l4d { target as u32 } else { *id }, bits));
        }
    }
    if version < 9 {
        area.attributes &= 0xFF;
    }
}

fn on_path(rng: &mut Rng) -> usize {
    let mut lot = rng.below(100);
    SPOTS_ON_PATH.iter().take_while(|share| lot.checked_sub(**share).map(|left| lot = left).is_some()).count()
}

fn ladders(mesh: &mut Mesh, shape: &Shape, rng: &mut Rng) {
    for k in 0..shape.ladders {
        let (low, high) =
            (rng.below(mesh.areas.len() as u64) as usize, rng.below(mesh.areas.len() as u64) as usize);
        let id = k as u32 + 1;
        let bottom = mesh.areas[low].nw;
        mesh.ladders.push(Ladder {
            id,
            width: 32.0,
            top: [bottom[0], bottom[1], bottom[2] + 160.0],
            bottom,
            length: 160.0,
            direction: k as u32 % 4,
            dangling: if mesh.version == 6 { k as u8 % 2 } else { 0 },
            areas: [mesh.areas[high].id, 0, 0, 0, mesh.areas[low].id],
        });
        mesh.areas[low].ladders_up.push(id);
        mesh.areas[high].ladders_down.push(id);
    }
}

/// Clears everything that the version cannot store, so that reading the mesh back gives an equal one.
fn strip(mesh: &mut Mesh, l4d: bool) {
    let (version, game) = (mesh.version, (mesh.version, mesh.subversion.unwrap_or(0)));
    if version == 16 && l4d {
        // Ids out of order, as in that game's files.
        let last = mesh.areas.len() - 1;
        mesh.areas.swap(0, last);
    }
    for area in &mut mesh.areas {
        if version == 1 {
            area.spots.iter_mut().for_each(|spot| (spot.id, spot.flags) = (0, 0));
        }
        for path in &mut area.paths {
            if version < 3 {
                (path.from_side, path.to_side) = (0, 0);
                path.spots.clear();
            } else {
                path.ends = Default::default();
                path.old_spots.clear();
            }
        }
        if version < 5 {
            area.place = 0;
        }
        if version < 7 {
            (area.ladders_up, area.ladders_down) = Default::default();
        }
        if version < 8 {
            area.occupy = [0.0; 2];
        }
        if version < 11 {
            area.light = [0.0; 4];
        }
        if version < 16 && !l4d {
            (area.visible, area.inherit) = Default::default();
        }
        if !l4d {
            area.spawn = 0;
        }
        if version >= 15 && game != (16, 1) {
            area.approaches.clear();
        }
        if !matches!(game, (16, 2 | 4)) {
            area.game = 0;
        }
    }
}
