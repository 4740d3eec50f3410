//! Meshes of Source.

use super::fill;
use crate::source::{Area, Area2, Ladder, Mesh, Mesh2, Path, Spot, level2, write, write2};

/// A name, a number of items for a measurement of a second or so, and the mesh of so many.
pub type Shape = (&'static str, u32, fn(u32) -> Vec<u8>);

fn area(id: u32, at: f32, size: f32) -> Area {
    let (x, y) = (at.rem_euclid(1000.0) * 50.0, (at / 1000.0).floor() * 50.0);
    Area { id, nw: [x, y, 0.0], se: [x + size, y + size, 0.0], ..Area::default() }
}

fn model(areas: Vec<Area>) -> Mesh {
    Mesh { version: 16, subversion: Some(0), analyzed: 1, areas, ..Mesh::default() }
}

fn mesh(areas: Vec<Area>) -> Vec<u8> {
    write(&model(areas))
}

/// One polygon of `n` corners on a circle, each joined to the one so many steps on: with 1 a disc, else a star whose edges
/// cross each other.
fn polygon(n: u32, step: u32) -> Vec<u8> {
    polygons(1, n, step)
}

/// So many of them, on the same corners.
fn polygons(many: u32, n: u32, step: u32) -> Vec<u8> {
    let corner = |i: u32| {
        let angle = f64::from(i * step % n) / f64::from(n) * std::f64::consts::TAU;
        [(angle.cos() * 4000.0) as f32, (angle.sin() * 4000.0) as f32, 0.0]
    };
    let area =
        |i: u32| Area2 { id: i + 1, polygon: i, edges: vec![Vec::new(); n as usize], ..Area2::default() };
    let vertices = (0..n).map(corner).collect();
    let (polygons, ladders) = (vec![(0..n).collect(); many as usize], Vec::new());
    write2(&Mesh2 {
        vertices,
        polygons,
        ladders,
        areas: (0..many).map(area).collect(),
        ..level2(30, 0, many as usize)
    })
}

/// Each area linked to the next.
fn row(n: u32) -> Vec<Area> {
    let linked = |i: u32| {
        let mut area = area(i + 1, i as f32, 40.0);
        area.connections[1] = vec![(i + 1) % n + 1];
        area
    };
    (0..n).map(linked).collect()
}

/// Strips along x under strips along y: each of one half lies over each of the other.
fn strips(n: u32) -> Vec<u8> {
    let wide = 30.0 * n as f32;
    let strip = |i: u32| {
        let at = (i / 2) as f32 * 60.0;
        let se = if i.is_multiple_of(2) { [wide, at + 40.0, 0.0] } else { [at + 40.0, wide, 0.0] };
        let nw = if i.is_multiple_of(2) { [0.0, at, 0.0] } else { [at, 0.0, 0.0] };
        Area { id: i + 1, nw, se, ..Area::default() }
    };
    mesh((0..n).map(strip).collect())
}

/// Meshes of which every verb should take time in proportion to their size.
pub const SHAPES: &[Shape] = &[
    ("many areas", 60_000, |n| mesh(row(n))),
    ("a million areas", 500_000, |n| mesh(row(n))),
    ("a polygon of many corners", 40_000, |n| polygon(n, 1)),
    // Half way round each time, of an odd number: every corner is reached, and every edge crosses nearly all others.
    ("a star of many corners", 20_000, |n| polygon(n | 1, n / 2)),
    ("areas that share one id", 20_000, |n| {
        mesh(
            row(n)
                .into_iter()
                .map(|a| Area { id: 7, connections: [vec![7], vec![7], vec![], vec![]], ..a })
                .collect(),
        )
    }),
    ("areas at one place", 40_000, |n| {
        let areas = row(n).into_iter().map(|a| Area { place: 1, ..a }).collect();
        write(&Mesh { places: vec![b"Here\0".to_vec()], ..model(areas) })
    }),
    ("areas at one point", 40_000, |n| {
        mesh(row(n).into_iter().map(|a| Area { nw: [5.0; 3], se: [5.0; 3], ..a }).collect())
    }),
    ("areas on one rectangle", 20_000, |n| {
        mesh(row(n).into_iter().map(|a| Area { nw: [0.0; 3], se: [90.0, 70.0, 0.0], ..a }).collect())
    }),
    ("a hub with links both ways", 20_000, |n| {
        let mut areas = row(n);
        areas[0].connections[0] = (2..=n).collect();
        areas.iter_mut().skip(1).for_each(|a| a.connections = [vec![1], vec![], vec![], vec![]]);
        mesh(areas)
    }),
    ("a star of links one way", 20_000, |n| {
        let mut areas = row(n);
        areas.iter_mut().for_each(|a| a.connections = Default::default());
        areas[0].connections[0] = (2..=n).collect();
        mesh(areas)
    }),
    ("a table of places", 32_767, |n| {
        let areas =
            row(n).into_iter().enumerate().map(|(i, a)| Area { place: (i + 1) as u16, ..a }).collect();
        let places = (0..n).map(|i| format!("Place{i}\0").into_bytes()).collect();
        write(&Mesh { places, ..model(areas) })
    }),
    ("visible from everywhere", 300, |n| {
        let many: Vec<(u32, u8)> = (1..=300).map(|i| (i % n + 1, 1)).collect();
        mesh(row(n).into_iter().map(|a| Area { visible: many.clone(), ..a }).collect())
    }),
    ("a stack", 20_000, |n| {
        let storey = |i: u32| {
            let z = i as f32;
            Area { id: i + 1, nw: [0.0, 0.0, z], se: [500.0, 500.0, z], ne_z: z, sw_z: z, ..Area::default() }
        };
        mesh((0..n).map(storey).collect())
    }),
];

/// What makes a mesh of this shape.
///
/// # Panics
/// If there is no such shape.
pub fn shape(name: &str) -> fn(u32) -> Vec<u8> {
    let found = SHAPES.iter().chain(MORE).find(|(shape, ..)| *shape == name);
    found.unwrap_or_else(|| panic!("no shape is called {name}")).2
}

/// Shapes whose cost is not that of their size alone.
const MORE: &[Shape] = &[
    ("strips that cross", 0, strips),
    // As many corners as a polygon that is filled in a picture may have.
    ("stars over each other", 0, |n| polygons((n / 2_047).max(1), 2_047, 1_023)),
    ("one large area over all", 0, |n| {
        let mut areas = row(n);
        areas[0].se = [1e9, 1e9, 0.0];
        mesh(areas)
    }),
    ("far apart", 0, |n| {
        let far = |i: u32| {
            let at = 1.5_f32.powi((i % 200) as i32 - 20);
            Area { id: i + 1, nw: [-at, -at, 0.0], se: [at, at, at], ..Area::default() }
        };
        mesh((0..n).map(far).collect())
    }),
    ("linked to all", 0, |n| {
        // A square of the number is what fits.
        let n = (f64::from(n) * 16.0).sqrt() as u32;
        let all: Vec<u32> = (1..=n).collect();
        let areas = (1..=n)
            .map(|i| Area { connections: [all.clone(), vec![], vec![], vec![]], ..area(i, i as f32, 40.0) });
        mesh(areas.collect())
    }),
    ("linked to one many times", 0, |n| {
        let areas = (1..=2).map(|i| Area {
            connections: [vec![3 - i; 20 * n as usize], vec![], vec![], vec![]],
            ..area(i, i as f32, 40.0)
        });
        mesh(areas.collect())
    }),
    ("one list for all", 0, |n| {
        let all: Vec<(u32, u8)> = (1..=n).map(|i| (i, 1)).collect();
        let areas = row(n).into_iter().map(|a| match a.id {
            1 => Area { visible: all.clone(), ..a },
            _ => Area { inherit: 1, ..a },
        });
        mesh(areas.collect())
    }),
    ("linked to all around", 0, |n| {
        // Each in a group of so many, all of which are linked.
        const GROUP: u32 = 19;
        let linked = |i: u32| {
            let first = i / GROUP * GROUP;
            let all = (first..(first + GROUP).min(n)).filter(|other| *other != i).map(|other| other + 1);
            Area { connections: [all.collect(), vec![], vec![], vec![]], ..area(i + 1, i as f32, 40.0) }
        };
        mesh((0..n).map(linked).collect())
    }),
    ("hiding spots", 0, |n| {
        let spot = |id: u32| Spot { id, position: [1.0, 2.0, 3.0], flags: 1 };
        mesh(row(n).into_iter().map(|a| Area { spots: (0..255).map(spot).collect(), ..a }).collect())
    }),
    ("encounter paths", 0, |n| {
        let path = Path { from: 1, to: 2, spots: vec![(1, 9); 255], ..Path::default() };
        mesh(row(n).into_iter().map(|a| Area { paths: vec![path.clone(); 4], ..a }).collect())
    }),
    ("ladders at one place", 0, |n| {
        let ladder = |id| Ladder {
            id,
            width: 32.0,
            top: [9.0, 9.0, 99.0],
            bottom: [9.0, 9.0, 0.0],
            length: 99.0,
            areas: [1, 1, 1, 1, 1],
            ..Ladder::default()
        };
        let ids: Vec<u32> = (1..=n).collect();
        let one = Area { ladders_up: ids.clone(), ladders_down: ids, ..area(1, 0.0, 40.0) };
        write(&Mesh { ladders: (1..=n).map(ladder).collect(), ..model(vec![one]) })
    }),
];

/// The name of a file.
fn file(name: &str) -> String {
    format!("{}.nav", name.replace(' ', "-"))
}

pub(super) fn add(add: &mut super::Add<'_>) {
    for (name, _, make) in SHAPES.iter().filter(|(name, ..)| *name != "a million areas").chain(MORE) {
        // A place has a number of sixteen bits, an inheritance none.
        add(&file(name), &|| fill(make, 60_000));
    }
}
