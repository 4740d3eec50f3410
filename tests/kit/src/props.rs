//! Static props and the collision of their models, as the games' tools write them.

use crate::bsp::{Brush, Extra, corners, source_with};
use crate::bytes::Out;

/// A static prop of a map.
#[derive(Debug, Clone)]
pub struct Prop {
    /// Its index in the list of models.
    pub model: u16,
    /// Where it stands.
    pub origin: [f32; 3],
    /// Pitch, yaw and roll in degrees.
    pub angles: [f32; 3],
    /// 0 not solid, 2 its box, 6 its model's shape.
    pub solid: u8,
}

/// The game lump of a map, to be placed at `at`: static props of `stride` bytes each (60, 64, 72).
pub fn game_lump(at: usize, models: &[&str], props: &[Prop], stride: usize) -> Vec<u8> {
    let mut list = Out::new();
    list.u32(models.len() as u32);
    for model in models {
        let mut name = model.as_bytes().to_vec();
        name.resize(128, 0);
        list.raw(&name);
    }
    list.u32(0).u32(props.len() as u32);
    for prop in props {
        let begin = list.len();
        list.f32s(&prop.origin).f32s(&prop.angles).u16(prop.model).u16(0).u16(0).u8(prop.solid).u8(0);
        let rest = stride - (list.len() - begin);
        list.raw(&vec![0; rest]);
    }
    let mut out = Out::new();
    out.u32(1).raw(b"prps").u16(0).u16(10).u32((at + 20) as u32).u32(list.len() as u32);
    out.raw(&list.0);
    out.0
}

/// The collision of a model of convex pieces. `newer` puts the head of later games before the surface.
pub fn phy(pieces: &[Brush], newer: bool) -> Vec<u8> {
    let count = pieces.len();
    // A tree that leans to the left: node, its left one, ..., then the leaves to the right.
    let nodes = 2 * count - 1;
    let tree = 48;
    let mut bodies: Vec<Vec<u8>> = Vec::new();
    for piece in pieces {
        let mut points: Vec<[f32; 3]> = Vec::new();
        let mut triangles: Vec<[u16; 3]> = Vec::new();
        for side in 0..piece.planes.len() {
            let ring: Vec<u16> = corners(piece, side)
                .into_iter()
                .map(|corner| {
                    let known = points.iter().position(|known| *known == corner);
                    known.unwrap_or_else(|| {
                        points.push(corner);
                        points.len() - 1
                    }) as u16
                })
                .collect();
            for at in 1..ring.len().saturating_sub(1) {
                triangles.push([ring[0], ring[at], ring[at + 1]]);
            }
        }
        let mut body = Out::new();
        body.u32(16 + 16 * triangles.len() as u32).u32(0).u32(0).u16(triangles.len() as u16).u16(0);
        for (number, triangle) in triangles.iter().enumerate() {
            body.u32(number as u32);
            triangle.iter().for_each(|point| {
                body.u32(u32::from(*point));
            });
        }
        for [x, y, z] in points {
            // Metres, and the library's y is down.
            body.f32s(&[x * 0.0254, -z * 0.0254, y * 0.0254, 0.0]);
        }
        bodies.push(body.0);
    }
    let mut surface = Out::new();
    surface.f32s(&[0.0; 7]).u32(0).u32(tree as u32).raw(&[0; 8]).raw(b"IVPS");
    let mut ledges = Vec::new();
    let mut at = tree + 28 * nodes;
    for body in &bodies {
        ledges.push(at);
        at += body.len();
    }
    // Node k of the first count - 1 has node k + 1 to its left and a leaf to its right.
    for node in 0..nodes {
        let here = tree + 28 * node;
        let (right, ledge) = match node {
            inner if inner + 1 < count => (28 * (nodes - 1 - inner - inner) as i32, 0),
            leaf => (0, ledges[leaf + 1 - count] as i32 - here as i32),
        };
        surface.i32(right).i32(ledge).f32s(&[0.0; 4]).raw(&[0; 4]);
    }
    bodies.iter().for_each(|body| {
        surface.raw(body);
    });
    let mut solid = Out::new();
    if newer {
        solid.raw(b"VPHY").u16(0x100).u16(0).u32(surface.len() as u32).f32s(&[1.0; 3]).u32(0);
    }
    solid.raw(&surface.0);
    let mut out = Out::new();
    out.u32(16).u32(0).u32(1).u32(0x1234).u32(solid.len() as u32).raw(&solid.0);
    out.raw(b"solid {\n\"index\" \"0\"\n}\n\0");
    out.0
}

/// The beginning of a model: its box.
pub fn mdl(low: [f32; 3], high: [f32; 3]) -> Vec<u8> {
    let mut out = Out::new();
    out.raw(b"IDST").u32(48).u32(0x1234).raw(&[0; 64]).u32(128).raw(&[0; 24]).f32s(&low).f32s(&high);
    out.0
}

/// A map of a floor with these props on it.
pub fn map_with(models: &[&str], props: &[Prop], stride: usize, entities: &str) -> Vec<u8> {
    let floor = [vec![Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0])]];
    // The lump lies where it does whatever is in it: its own offsets are found by a first try.
    let place = |at: usize| {
        let extra = Extra { game: game_lump(at, models, props, stride), ..Extra::default() };
        source_with(20, &floor, entities, &extra)
    };
    let tried = place(0);
    let entry = 8 + 16 * 35;
    let at: [u8; 4] = tried[entry..entry + 4].try_into().expect("four bytes");
    place(u32::from_le_bytes(at) as usize)
}

/// A map with a prop that has the shape of its model, and one that has its box.
pub fn prop_map() -> Vec<u8> {
    let prop = |model, x, solid| Prop { model, origin: [x, 0.0, 0.0], angles: [0.0, 30.0, 0.0], solid };
    map_with(&["models/a.mdl", "models/b.mdl"], &[prop(0, 100.0, 6), prop(1, -100.0, 2)], 60, "{ }\n")
}
