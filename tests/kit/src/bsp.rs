//! Maps of GoldSrc and Source, made of convex brushes, and a slow trace that shares no code with the quick one.

mod faces;
mod quake3;

use crate::bytes::Out;
use faces::{Edges, put_nets};
pub use faces::{Net, corners};
pub use quake3::{Curve, quake3, quake3_with};

/// A convex piece of the world: the space behind all its planes.
#[derive(Debug, Clone)]
pub struct Brush {
    /// Normals and distances, outwards.
    pub planes: Vec<([f32; 3], f32)>,
    /// The box around it.
    pub low: [f32; 3],
    /// The box around it.
    pub high: [f32; 3],
    /// Bits of Source; GoldSrc knows 1 and 0x20.
    pub contents: u32,
}

impl Brush {
    /// A solid box.
    pub fn solid(low: [f32; 3], high: [f32; 3]) -> Self {
        let side = |axis: usize, sign: f32| {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            (normal, if sign > 0.0 { high[axis] } else { -low[axis] })
        };
        let planes = (0..3).flat_map(|axis| [side(axis, 1.0), side(axis, -1.0)]).collect();
        Self { planes, low, high, contents: 1 }
    }

    /// A ramp in a box: full height at its east end, none at its west end.
    pub fn ramp(low: [f32; 3], high: [f32; 3]) -> Self {
        let mut brush = Self::solid(low, high);
        let (run, rise) = (high[0] - low[0], high[2] - low[2]);
        let length = (run * run + rise * rise).sqrt();
        let normal = [-rise / length, 0.0, run / length];
        brush.planes.push((normal, normal[0] * low[0] + normal[2] * low[2]));
        brush
    }

    /// The same brush with other contents.
    pub fn filled_with(self, contents: u32) -> Self {
        Self { contents, ..self }
    }
}

/// A room with a floor, walls, pillars, a ramp and water.
pub fn room() -> Vec<Brush> {
    let mut brushes = vec![
        Brush::solid([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0]),
        Brush::solid([-544.0, -512.0, 0.0], [-512.0, 512.0, 256.0]),
        Brush::solid([512.0, -512.0, 0.0], [544.0, 512.0, 256.0]),
        Brush::solid([-512.0, -544.0, 0.0], [512.0, -512.0, 256.0]),
        Brush::solid([-512.0, 512.0, 0.0], [512.0, 544.0, 256.0]),
        Brush::ramp([64.0, 64.0, 0.0], [256.0, 192.0, 96.0]),
        Brush::solid([300.0, -500.0, 0.0], [500.0, -300.0, 40.0]).filled_with(0x20),
    ];
    for at in 0..6 {
        let x = -400.0 + 130.0 * at as f32;
        brushes.push(Brush::solid([x, -100.0, 0.0], [x + 32.0, -68.0, 128.0]));
    }
    brushes
}

/// Where a brush is separated from others: cells of at most two.
struct Cut<'b> {
    brushes: &'b [Brush],
    planes: Vec<([f32; 3], f32)>,
    nodes: Vec<(u32, [i32; 2])>,
    /// Contents, and the brushes that reach into it.
    leaves: Vec<(i32, Vec<u16>)>,
}

impl Cut<'_> {
    fn plane(&mut self, plane: ([f32; 3], f32)) -> u32 {
        let at = self.planes.iter().position(|other| *other == plane).unwrap_or_else(|| {
            self.planes.push(plane);
            self.planes.len() - 1
        });
        at as u32
    }

    /// Cuts a box in two until few brushes are left, which `last` then stores.
    fn cut(
        &mut self,
        list: Vec<usize>,
        low: [f32; 3],
        high: [f32; 3],
        depth: usize,
        few: usize,
        last: &mut dyn FnMut(&mut Self, Vec<usize>) -> i32,
    ) -> i32 {
        if list.len() <= few || depth == 0 {
            return last(self, list);
        }
        let axis = depth % 3;
        let middle = 0.5 * (low[axis] + high[axis]);
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let plane = self.plane((normal, middle));
        let at = self.nodes.len();
        self.nodes.push((plane, [0; 2]));
        let (mut lower, mut upper) = (high, low);
        (lower[axis], upper[axis]) = (middle, middle);
        let brushes = self.brushes;
        let front = list.iter().copied().filter(|b| brushes[*b].high[axis] > middle).collect();
        let back = list.iter().copied().filter(|b| brushes[*b].low[axis] < middle).collect();
        let children = [
            self.cut(front, upper, high, depth - 1, few, last),
            self.cut(back, low, lower, depth - 1, few, last),
        ];
        self.nodes[at].1 = children;
        at as i32
    }
}

const WORLD: [[f32; 3]; 2] = [[-1024.0; 3], [1024.0; 3]];

fn lumps(head: &mut Out, at: usize, lumps: &[Vec<u8>], width: usize) -> Vec<u8> {
    let mut offset = at + lumps.len() * width;
    for lump in lumps {
        head.u32(offset as u32).u32(lump.len() as u32);
        if width == 16 {
            head.u32(0).u32(0);
        }
        offset += lump.len();
    }
    let mut bytes = head.0.clone();
    lumps.iter().for_each(|lump| bytes.extend_from_slice(lump));
    bytes
}

fn planes(cut: &Cut<'_>) -> Vec<u8> {
    let mut out = Out::new();
    for ([x, y, z], distance) in &cut.planes {
        out.f32(*x).f32(*y).f32(*z).f32(*distance).i32(3);
    }
    out.0
}

/// The box around brushes.
fn around(model: &[Brush]) -> [[f32; 3]; 2] {
    let of = |part: fn(&Brush) -> [f32; 3], of: fn(f32, f32) -> f32| {
        let parts = model.iter().map(part);
        parts.reduce(|a, b| [of(a[0], b[0]), of(a[1], b[1]), of(a[2], b[2])]).unwrap_or_default()
    };
    [of(|b| b.low, f32::min), of(|b| b.high, f32::max)]
}

/// A map of Source. The first model is the world; model `n` is `"*n"` to entities.
pub fn source(version: u32, models: &[Vec<Brush>], entities: &str) -> Vec<u8> {
    source_with(version, models, entities, &Extra::default())
}

/// A map of Source with one displacement, over a face whose edges are said to begin at `first`.
pub fn displaced(models: &[Vec<Brush>], entities: &str, first: u32) -> Vec<u8> {
    let hill = Net::hill([-500.0, 200.0, 0.0], [-300.0, 400.0], 2, 60.0);
    let mut map = source_with(20, models, entities, &Extra { nets: vec![hill], ..Extra::default() });
    let word = |at: usize| u32::from_le_bytes(map[at..at + 4].try_into().expect("four bytes")) as usize;
    let [faces, nets] = [7, 26].map(|lump| word(8 + 16 * lump));
    let face = word(nets + 36) & 0xFFFF;
    map[faces + 56 * face + 4..][..4].copy_from_slice(&first.to_le_bytes());
    map
}

/// Further parts of a Source map, besides brushes and entities.
#[derive(Debug, Clone, Default)]
pub struct Extra {
    /// Displacements.
    pub nets: Vec<Net>,
    /// The game lump; its offsets count from the beginning of the file.
    pub game: Vec<u8>,
    /// The archive inside: a ZIP of stored files.
    pub pak: Vec<u8>,
}

/// Like [`source`], with more in it.
pub fn source_with(version: u32, models: &[Vec<Brush>], entities: &str, extra: &Extra) -> Vec<u8> {
    let all: Vec<Brush> = models.iter().flatten().cloned().collect();
    let mut cut = Cut { brushes: &all, planes: Vec::new(), nodes: Vec::new(), leaves: Vec::new() };
    let mut heads = Vec::new();
    let mut first = 0;
    for model in models {
        let list = (first..first + model.len()).collect();
        first += model.len();
        heads.push(cut.cut(list, WORLD[0], WORLD[1], 12, 2, &mut |cut, list| {
            cut.leaves.push((0, list.into_iter().map(|brush| brush as u16).collect()));
            -(cut.leaves.len() as i32)
        }));
    }
    let (mut brushes, mut sides) = (Out::new(), Out::new());
    let mut count = 0;
    for brush in &all {
        brushes.u32(count).u32(brush.planes.len() as u32).u32(brush.contents);
        for plane in &brush.planes {
            let plane = cut.plane(*plane);
            sides.u16(plane as u16).u16(0).u16(0).u8(0).u8(0);
            count += 1;
        }
    }
    let (mut nodes, mut leaves, mut leaf_brushes, mut model_lump) =
        (Out::new(), Out::new(), Out::new(), Out::new());
    for (plane, [front, back]) in &cut.nodes {
        nodes.u32(*plane).i32(*front).i32(*back).raw(&[0; 20]);
    }
    let mut at = 0_u16;
    for (contents, list) in &cut.leaves {
        leaves.i32(*contents).u16(0).u16(0).raw(&[0; 16]).u16(at).u16(list.len() as u16).u32(0);
        if version < 20 {
            leaves.raw(&[0; 24]);
        }
        list.iter().for_each(|brush| {
            leaf_brushes.u16(*brush);
        });
        at += list.len() as u16;
    }
    for (head, model) in heads.iter().zip(models) {
        let [low, high] = around(model);
        for corner in [low, high, [0.0; 3]] {
            corner.iter().for_each(|part| {
                model_lump.f32(*part);
            });
        }
        model_lump.i32(*head).u32(0).u32(0);
    }
    let mut all_lumps = vec![Vec::new(); 64];
    all_lumps[0] = entities.as_bytes().to_vec();
    all_lumps[1] = planes(&cut);
    all_lumps[5] = nodes.0;
    all_lumps[10] = leaves.0;
    all_lumps[14] = model_lump.0;
    all_lumps[17] = leaf_brushes.0;
    all_lumps[18] = brushes.0;
    all_lumps[19] = sides.0;
    if !extra.nets.is_empty() {
        let mut edges = Edges::new();
        put_nets(&extra.nets, &mut edges, &mut all_lumps);
        edges.put(&mut all_lumps);
    }
    (all_lumps[35], all_lumps[40]) = (extra.game.clone(), extra.pak.clone());
    let mut head = Out::new();
    head.raw(b"VBSP").u32(version);
    lumps(&mut head, 8, &all_lumps, 16)
}

/// A map of Source made of solid boxes.
pub fn source_boxes(boxes: &[([f32; 3], [f32; 3])]) -> Vec<u8> {
    let brushes = boxes.iter().map(|(low, high)| Brush::solid(*low, *high)).collect();
    source(20, &[brushes], "{ \"classname\" \"worldspawn\" }")
}

/// A map of GoldSrc. Brushes of a model must not overlap.
pub fn gold(models: &[Vec<Brush>], entities: &str) -> Vec<u8> {
    let all: Vec<Brush> = models.iter().flatten().cloned().collect();
    let mut cut = Cut { brushes: &all, planes: Vec::new(), nodes: Vec::new(), leaves: Vec::new() };
    cut.leaves = vec![(-2, Vec::new()), (-1, Vec::new()), (-3, Vec::new())];
    let mut heads = Vec::new();
    let mut first = 0;
    for model in models {
        let list = (first..first + model.len()).collect();
        first += model.len();
        heads.push(cut.cut(list, WORLD[0], WORLD[1], 9, 1, &mut chain));
    }
    let (mut nodes, mut leaves, mut model_lump) = (Out::new(), Out::new(), Out::new());
    for (plane, children) in &cut.nodes {
        nodes.u32(*plane);
        children.iter().for_each(|child| {
            nodes.u16(*child as u16);
        });
        nodes.raw(&[0; 16]);
    }
    for (contents, _) in &cut.leaves {
        leaves.i32(*contents).i32(-1).raw(&[0; 20]);
    }
    let (mut faces, mut edges, mut face) = (Out::new(), Edges::new(), 0_u32);
    for (head, model) in heads.into_iter().zip(models) {
        for corner in around(model) {
            corner.iter().for_each(|part| {
                model_lump.f32(*part);
            });
        }
        let first = face;
        for brush in model {
            for (side, plane) in brush.planes.iter().enumerate() {
                let corners = corners(brush, side);
                if corners.len() > 2 {
                    // Every second one lies on the back of a reversed plane.
                    let [x, y, z] = plane.0;
                    let turned = face % 2 == 1;
                    let stored = if turned { ([-x, -y, -z], -plane.1) } else { *plane };
                    faces.u16(cut.plane(stored) as u16).u16(turned.into());
                    faces.u32(edges.polygon(&corners)).u16(corners.len() as u16).raw(&[0; 10]);
                    face += 1;
                }
            }
        }
        model_lump.raw(&[0; 12]).i32(head).raw(&[0; 12]).i32(2).u32(first).u32(face - first);
    }
    let mut all_lumps = vec![Vec::new(); 15];
    all_lumps[0] = entities.as_bytes().to_vec();
    all_lumps[1] = planes(&cut);
    all_lumps[5] = nodes.0;
    all_lumps[7] = faces.0;
    all_lumps[10] = leaves.0;
    all_lumps[14] = model_lump.0;
    edges.put(&mut all_lumps);
    let mut head = Out::new();
    head.u32(30);
    lumps(&mut head, 4, &all_lumps, 8)
}

/// A chain of planes of the first brush: behind all of them is the brush, in front of any of them are the others.
fn chain(cut: &mut Cut<'_>, list: Vec<usize>) -> i32 {
    let Some((brush, rest)) = list.split_first() else { return -2 };
    let brush = &cut.brushes[*brush];
    let mut child = if brush.contents & 1 != 0 { -1 } else { -3 };
    for plane in &brush.planes {
        // Only brushes that reach in front of the plane; otherwise a few brushes need more nodes than an i16 counts.
        let reaches = |other: &usize| {
            let (normal, distance) = *plane;
            let Brush { low, high, .. } = &cut.brushes[*other];
            let most = (0..3).map(|axis| (normal[axis] * low[axis]).max(normal[axis] * high[axis]));
            most.sum::<f32>() > distance
        };
        let ahead = rest.iter().copied().filter(reaches).collect();
        let outside = chain(cut, ahead);
        let plane = cut.plane(*plane);
        cut.nodes.push((plane, [outside, child]));
        child = cut.nodes.len() as i32 - 1;
    }
    child
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn real(bytes: &[u8], at: usize) -> f64 {
    f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
}

fn lump(bytes: &[u8], number: usize) -> &[u8] {
    let (offset, len) = match word(bytes, 0) {
        30 => (word(bytes, 4 + 8 * number), word(bytes, 8 + 8 * number)),
        _ => (word(bytes, 8 + 16 * number), word(bytes, 12 + 16 * number)),
    };
    &bytes[offset as usize..offset as usize + len as usize]
}

/// Normal, distance, and whether it is a bevel.
type PlainSide = ([f64; 3], f64, bool);

/// The brushes of the world of a Source map, read plainly: contents, and sides with normal, distance and bevel.
#[derive(Debug)]
pub struct Plain {
    brushes: Vec<(u32, Vec<PlainSide>)>,
}

impl Plain {
    /// Reads a sound map without packed lumps.
    pub fn read(bytes: &[u8]) -> Self {
        let (nodes, leaves) = (lump(bytes, 5), lump(bytes, 10));
        let wide = if word(bytes, 4) < 20 && word(bytes, 8 + 16 * 10 + 8) == 0 { 56 } else { 32 };
        let mut world = std::collections::BTreeSet::new();
        let mut stack = vec![word(lump(bytes, 14), 36) as i32];
        while let Some(child) = stack.pop() {
            if child < 0 {
                let leaf = &leaves[(-1 - child) as usize * wide..];
                let (first, count) = (usize::from(half(leaf, 24)), usize::from(half(leaf, 26)));
                world.extend((first..first + count).map(|at| half(lump(bytes, 17), 2 * at)));
            } else {
                stack.extend([4, 8].map(|at| word(nodes, child as usize * 32 + at) as i32));
            }
        }
        let (brushes, sides, planes) = (lump(bytes, 18), lump(bytes, 19), lump(bytes, 1));
        let side = |at: usize| {
            let plane = &planes[usize::from(half(sides, 8 * at)) * 20..];
            ([0, 4, 8].map(|part| real(plane, part)), real(plane, 12), sides[8 * at + 6] != 0)
        };
        let brush = |index: u16| {
            let record = &brushes[usize::from(index) * 12..];
            let (first, count) = (word(record, 0) as usize, word(record, 4) as usize);
            (word(record, 8), (first..first + count).map(side).collect())
        };
        Self { brushes: world.into_iter().map(brush).collect() }
    }

    /// How far a box gets, as a fraction, tested against every brush; `None` if it starts in one.
    pub fn fraction(
        &self,
        from: [f32; 3],
        to: [f32; 3],
        low: [f32; 3],
        high: [f32; 3],
        mask: u32,
    ) -> Option<f64> {
        let line = low == [0.0; 3] && high == [0.0; 3];
        let mut best = 1.0_f64;
        for (_, sides) in self.brushes.iter().filter(|(contents, _)| contents & mask != 0) {
            let (mut enter, mut leave, mut inside, mut missed) = (f64::NEG_INFINITY, 1.0_f64, true, false);
            let mut any = false;
            for (normal, distance, _) in sides.iter().filter(|(.., bevel)| !(line && *bevel)) {
                any = true;
                let corner =
                    [0, 1, 2].map(|axis| f64::from(if normal[axis] < 0.0 { high[axis] } else { low[axis] }));
                let ahead = |point: [f32; 3]| {
                    (0..3).map(|axis| normal[axis] * (f64::from(point[axis]) + corner[axis])).sum::<f64>()
                        - distance
                };
                let (start, end) = (ahead(from), ahead(to));
                inside &= start <= 0.0;
                missed |= start > 0.0 && end > 0.0;
                if start > end {
                    if start > 0.0 {
                        enter = enter.max((start - 0.03125).max(0.0) / (start - end));
                    }
                } else if end > 0.0 && start <= 0.0 {
                    leave = leave.min((start + 0.03125) / (start - end));
                }
            }
            if !any || missed {
                continue;
            }
            if inside {
                return None;
            }
            if enter < leave {
                best = best.min(enter.max(0.0));
            }
        }
        Some(best)
    }
}

/// Whether a point of a GoldSrc world is solid, by the tree stored in the file.
pub fn gold_is_solid(bytes: &[u8], point: [f64; 3]) -> bool {
    let (planes, nodes, leaves) = (lump(bytes, 1), lump(bytes, 5), lump(bytes, 10));
    let mut child = word(lump(bytes, 14), 36) as i32;
    while child >= 0 {
        let node = &nodes[child as usize * 24..];
        let plane = &planes[word(node, 0) as usize * 20..];
        let ahead = (0..3).map(|axis| real(plane, 4 * axis) * point[axis]).sum::<f64>() - real(plane, 12);
        child = i32::from(half(node, if ahead < 0.0 { 6 } else { 4 }) as i16);
    }
    word(leaves, (-1 - child) as usize * 28) as i32 == -2
}
