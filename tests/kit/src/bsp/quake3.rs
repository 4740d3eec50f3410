//! Maps of Quake III.

use super::Brush;
use crate::bytes::Out;

/// A curved surface: rows of control points, and the normal they all have.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Control points, row by row.
    pub rows: Vec<Vec<[f32; 3]>>,
    /// The side from which it is seen.
    pub front: [f32; 3],
    /// Bits of Quake III.
    pub contents: u32,
    /// Flags of its shader.
    pub flags: u32,
}

/// A map of version 46 whose brushes and curves belong to the world, with a model of one brush for each in `moving`.
pub fn quake3_with(brushes: &[Brush], moving: &[Brush], curves: &[Curve], entities: &str) -> Vec<u8> {
    let mut shaders: Vec<(u32, u32)> = Vec::new();
    let mut shader = |contents: u32, flags: u32| -> i32 {
        let at = shaders.iter().position(|known| *known == (contents, flags)).unwrap_or_else(|| {
            shaders.push((contents, flags));
            shaders.len() - 1
        });
        at as i32
    };
    let mut lumps: Vec<Vec<u8>> = vec![Vec::new(); 17];
    let floats = |out: &mut Vec<u8>, values: &[f32]| values.iter().for_each(|v| out.extend(v.to_le_bytes()));
    let ints = |out: &mut Vec<u8>, values: &[i32]| values.iter().for_each(|v| out.extend(v.to_le_bytes()));
    lumps[0] = [entities.as_bytes(), b"\0"].concat();
    let (mut planes, mut sides) = (0, 0);
    for brush in brushes.iter().chain(moving) {
        let own = shader(brush.contents, 0);
        ints(&mut lumps[8], &[sides, brush.planes.len() as i32, own]);
        for (normal, distance) in &brush.planes {
            floats(&mut lumps[2], normal);
            floats(&mut lumps[2], &[*distance]);
            ints(&mut lumps[9], &[planes, own]);
            (planes, sides) = (planes + 1, sides + 1);
        }
    }
    let mut vertices = 0;
    for curve in curves {
        let (own, count) =
            (shader(curve.contents, curve.flags), curve.rows.iter().map(Vec::len).sum::<usize>() as i32);
        for point in curve.rows.iter().flatten() {
            floats(&mut lumps[10], point);
            floats(&mut lumps[10], &[0.0; 4]);
            floats(&mut lumps[10], &curve.front);
            ints(&mut lumps[10], &[-1]);
        }
        ints(&mut lumps[13], &[own, -1, 2, vertices, count, 0, 0, -1]);
        ints(&mut lumps[13], &[0; 16]);
        ints(&mut lumps[13], &[curve.rows[0].len() as i32, curve.rows.len() as i32]);
        vertices += count;
    }
    for model in 0..=moving.len() {
        floats(&mut lumps[7], &[0.0; 6]);
        let count = brushes.len() as i32;
        match model {
            0 => ints(&mut lumps[7], &[0, curves.len() as i32, 0, count]),
            nth => ints(&mut lumps[7], &[curves.len() as i32, 0, count + nth as i32 - 1, 1]),
        }
    }
    for (contents, flags) in shaders {
        let mut name = [0; 64];
        let text = match contents {
            1 => "textures/Made/solid".to_owned(),
            0x1_0000 => "textures/common/clip".to_owned(),
            other => format!("textures/made/{other:x}"),
        };
        name[..text.len()].copy_from_slice(text.as_bytes());
        lumps[1].extend(name);
        ints(&mut lumps[1], &[flags as i32, contents as i32]);
    }
    let mut out = Out::default();
    out.raw(b"IBSP").u32(46);
    let mut at = 8 + 17 * 8;
    for lump in &lumps {
        out.u32(at).u32(lump.len() as u32);
        at += lump.len() as u32;
    }
    for lump in &lumps {
        out.raw(lump);
    }
    out.0
}

/// A map of the world's brushes and curves alone.
pub fn quake3(brushes: &[Brush], curves: &[Curve], entities: &str) -> Vec<u8> {
    quake3_with(brushes, &[], curves, entities)
}
