//! Small maps of GoldSrc, Source and Quake III in which each question takes long: deep or fine trees, lists that are gone through anew for
//! each trace, rows of visibility that are.

use crate::bsp::Brush;
use crate::bytes::Out;
use crate::props::{Prop, game_lump, phy};
use crate::source::{Area, Mesh, write};

/// A normal and a distance.
type Plane = ([f32; 3], f32);

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";
/// Where players of both engines appear.
const PLAYERS: [&str; 4] =
    ["info_player_start", "info_player_deathmatch", "info_player_terrorist", "info_player_counterterrorist"];

fn players() -> String {
    let player = |class: &&str| format!("{{ \"classname\" \"{class}\" \"origin\" \"0 0 40\" }}\n");
    std::iter::once(WORLD.to_owned()).chain(PLAYERS.iter().map(player)).collect()
}

/// The sides of a slab of ground.
fn slab(size: f32) -> Vec<Plane> {
    let side = |axis: usize, sign: f32, distance: f32| {
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        (normal, distance)
    };
    vec![
        side(2, 1.0, 0.0),
        side(0, 1.0, -size),
        side(0, 1.0, size),
        side(1, 1.0, -size),
        side(1, 1.0, size),
        side(2, -1.0, 32.0),
        side(0, -1.0, size),
        side(1, -1.0, size),
    ]
}

fn put(planes: &[Plane]) -> Vec<u8> {
    let mut out = Out::new();
    for (normal, distance) in planes {
        out.f32s(normal).f32(*distance).i32(3);
    }
    out.0
}

fn file(head: &[u8], lumps: &[Vec<u8>], width: usize) -> Vec<u8> {
    let mut out = Out(head.to_vec());
    let mut offset = head.len() + width * lumps.len();
    for lump in lumps {
        out.u32(offset as u32).u32(lump.len() as u32).raw(&vec![0; width - 8]);
        offset += lump.len();
    }
    out.0.extend(lumps.concat());
    out.0
}

/// A map of GoldSrc under construction: ground in a box of solid walls, and what is in the air over it.
#[derive(Debug, Clone)]
pub struct Gold {
    /// Its entities.
    pub entities: String,
    size: f32,
    planes: Vec<Plane>,
    nodes: Vec<(u32, [i16; 2])>,
    /// Contents, and where the row of visibility begins.
    leaves: Vec<(i32, i32)>,
    heads: Vec<i32>,
    /// Faces of each model.
    faces: u32,
    lumps: Vec<Vec<u8>>,
}

const SOLID: i16 = -1;
const AIR: i16 = -2;

impl Gold {
    /// Ground from `-size` to `size`.
    pub fn new(size: f32) -> Self {
        let nodes =
            vec![(1, [1, SOLID]), (2, [SOLID, 2]), (3, [3, SOLID]), (4, [SOLID, 4]), (0, [AIR, SOLID])];
        Self {
            entities: players(),
            size,
            planes: slab(size),
            nodes,
            leaves: vec![(-2, -1), (-1, -1)],
            heads: vec![0],
            faces: 0,
            lumps: vec![Vec::new(); 15],
        }
    }

    /// The node that is added next is over the ground.
    fn over(&mut self) {
        self.nodes[4].1[0] = self.nodes.len() as i16;
    }

    fn node(&mut self, plane: Plane, children: [i16; 2]) {
        self.nodes.push((self.planes.len() as u32, children));
        self.planes.push(plane);
    }

    /// Planes through the air, along an axis from one end to the other, each behind the one before.
    #[must_use]
    pub fn chain(mut self, planes: u16, axis: usize, [from, to]: [f32; 2]) -> Self {
        self.over();
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        for plane in 0..planes {
            let next = if plane + 1 < planes { self.nodes.len() as i16 + 1 } else { AIR };
            let share = f32::from(plane) / f32::from(planes);
            self.node(
                (normal, from + (to - from) * share),
                if to > from { [next, AIR] } else { [AIR, next] },
            );
        }
        self
    }

    /// The air in thin slices along an axis, halved again and again. With a leaf for each, all have one row of visibility.
    #[must_use]
    pub fn slices(mut self, slices: u16, axis: usize, [from, to]: [f32; 2], leaves: bool) -> Self {
        self.over();
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        let mut open = vec![(0, slices, None)];
        while let Some((first, end, parent)) = open.pop() {
            let child = if first < end {
                let (node, middle) = (self.nodes.len() as i16, u16::midpoint(first, end));
                self.node((normal, from + (to - from) * f32::from(middle) / f32::from(slices)), [AIR; 2]);
                open.push((middle + 1, end, Some((node, 0))));
                open.push((first, middle, Some((node, 1))));
                node
            } else if leaves {
                self.leaves.push((-1, 0));
                -(self.leaves.len() as i16)
            } else {
                AIR
            };
            if let Some((node, side)) = parent {
                self.nodes[node as usize].1[side] = child;
            }
        }
        self
    }

    /// A row of visibility for all leaves, over and over.
    #[must_use]
    pub fn seeing(mut self, row: &[u8]) -> Self {
        self.lumps[4] = row.iter().copied().cycle().take(self.leaves.len().div_ceil(8) + 8).collect();
        self
    }

    /// A model for each so many nodes over the ground, the last first, and an entity of the one that has all of them.
    #[must_use]
    pub fn heads(mut self, apart: usize) -> Self {
        self.heads = (5..self.nodes.len() as i32).step_by(apart).rev().collect();
        self.entities.push_str(&format!(
            "{{ \"classname\" \"func_wall\" \"model\" \"*{}\" }}\n",
            self.heads.len() - 1
        ));
        self
    }

    /// So many faces without a corner, all of them faces of a second model, which so many entities name.
    #[must_use]
    pub fn faces(mut self, faces: u32, entities: u32) -> Self {
        self.faces = faces;
        self.lumps[7] = vec![0; 20 * faces as usize];
        self.heads.push(0);
        let wall = |at: u32| {
            let (x, y) = (at % 90 * 3_000, at / 90 * 3_000);
            format!("{{\"classname\"\"func_wall\"\"model\"\"*1\"\"origin\"\"{x} {y} 0\"}}")
        };
        self.entities.extend((0..entities).map(wall));
        self
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let (mut nodes, mut leaves, mut models) = (Out::new(), Out::new(), Out::new());
        for (plane, [front, back]) in &self.nodes {
            nodes.u32(*plane).u16(*front as u16).u16(*back as u16).raw(&[0; 16]);
        }
        for (contents, row) in &self.leaves {
            leaves.i32(*contents).i32(*row).raw(&[0; 20]);
        }
        for head in &self.heads {
            models.f32s(&[-self.size; 3]).f32s(&[self.size; 3]).f32s(&[0.0; 3]);
            models.i32(*head).raw(&[0; 12]).u32(self.leaves.len() as u32 - 1).u32(0).u32(self.faces);
        }
        let mut lumps = self.lumps.clone();
        for (number, bytes) in [
            (0, self.entities.clone().into_bytes()),
            (1, put(&self.planes)),
            (5, nodes.0),
            (10, leaves.0),
            (14, models.0),
        ] {
            lumps[number] = bytes;
        }
        file(&30_u32.to_le_bytes(), &lumps, 8)
    }
}

/// A map of Source: ground, and what else.
fn source(size: f32, nodes: &[(Plane, [i32; 2])], heads: &[i32], more: Vec<(usize, Vec<u8>)>) -> Vec<u8> {
    let mut lumps = vec![Vec::new(); 64];
    let mut planes = slab(size);
    let sides = [0, 5, 2, 6, 4, 7];
    let (mut tree, mut models, mut side) = (Out::new(), Out::new(), Out::new());
    for (plane, [front, back]) in nodes {
        tree.u32(planes.len() as u32).i32(*front).i32(*back).raw(&[0; 20]);
        planes.push(*plane);
    }
    sides.iter().for_each(|plane| _ = side.u16(*plane).raw(&[0; 6]));
    for head in heads {
        models.f32s(&[-size; 3]).f32s(&[size; 3]).f32s(&[0.0; 3]).i32(*head).raw(&[0; 8]);
    }
    let (mut leaf, mut brush) = (Out::new(), Out::new());
    leaf.raw(&[0; 26]).u16(1).raw(&[0; 4]);
    brush.u32(0).u32(6).u32(1);
    let own = [
        (0, players().into_bytes()),
        (1, put(&planes)),
        (5, tree.0),
        (10, leaf.0),
        (14, models.0),
        (17, vec![0; 2]),
        (18, brush.0),
        (19, side.0),
    ];
    for (number, bytes) in own.into_iter().chain(more) {
        lumps[number] = bytes;
    }
    file(&[&b"VBSP"[..], &20_u32.to_le_bytes()].concat(), &lumps, 16)
}

/// A map of Source with so many displacements in one place, all over the ground, whose points are up and down by turns.
pub fn displaced(size: f32, count: u32, height: f32) -> Vec<u8> {
    let (mut corners, mut edges, mut loops, mut face) = (Out::new(), Out::new(), Out::new(), Out::new());
    for [x, y] in [[-size, -size], [size, -size], [size, size], [-size, size]] {
        corners.f32s(&[x, y, 0.0]);
    }
    (0..4_u16).for_each(|at| _ = edges.u16(at).u16((at + 1) % 4));
    (0..4).for_each(|at| _ = loops.u32(at));
    face.u32(0).u32(0).u16(4).raw(&[0; 46]);
    let (mut net, mut moved) = (Out::new(), Out::new());
    for at in 0..count {
        net.f32s(&[-size, -size, 0.0]).u32(289 * at).u32(0).u32(4).raw(&[0; 8]).u32(1).u16(0).raw(&[0; 138]);
        (0..289_u32)
            .for_each(|at| _ = moved.f32s(&[0.0, 0.0, 1.0, if at % 2 == 0 { height } else { 0.0 }, 0.0]));
    }
    let more =
        [(3, corners.0), (12, edges.0), (13, loops.0), (7, face.0), (26, net.0), (33, moved.0)].to_vec();
    source(size, &[], &[-1], more)
}

/// A map of Source with ground and nothing else.
pub fn ground(size: f32) -> Vec<u8> {
    source(size, &[], &[-1], Vec::new())
}

/// A map of Source with so many static props in one place at the ground, and the shape of their model: a flat box all over it.
pub fn propped(size: f32, count: usize) -> (Vec<u8>, Vec<u8>) {
    let prop = Prop { model: 0, origin: [0.0, 0.0, -1.0], angles: [0.0, 30.0, 0.0], solid: 6 };
    let props = vec![prop; count];
    // The lump lies where it does whatever is in it: its own offsets are found by a first try.
    let place = |at: usize| {
        let lump = game_lump(at, &["models/flat.mdl"], &props, 32);
        source(size, &[], &[-1], vec![(35, lump)])
    };
    let entry = 8 + 16 * 35;
    let tried = place(0);
    let at: [u8; 4] = tried[entry..entry + 4].try_into().expect("four bytes");
    (
        place(u32::from_le_bytes(at) as usize),
        phy(&[Brush::solid([-2.0 * size, -2.0 * size, 0.0], [2.0 * size, 2.0 * size, 1.0])], true),
    )
}

/// A mesh of so many square areas of a side, row by row around the origin, each linked with the ones before and after it.
pub fn field(version: u32, subversion: Option<u32>, count: u32, side: f32) -> Vec<u8> {
    let wide = f64::from(count).sqrt().ceil() as u32;
    let area = |at: u32| {
        let [x, y] = [at % wide, at / wide].map(|at| (at as f32 - wide as f32 / 2.0) * side);
        let mut area = Area { id: at + 1, nw: [x, y, 0.0], se: [x + side, y + side, 0.0], ..Area::default() };
        if !at.is_multiple_of(wide) {
            area.connections[3].push(at);
        }
        if at % wide + 1 < wide && at + 1 < count {
            area.connections[1].push(at + 2);
        }
        area
    };
    write(&Mesh { version, subversion, areas: (0..count).map(area).collect(), ..Mesh::default() })
}

/// A map of Source whose nodes are one chain, and that has a model for each so many, the last first.
pub fn heads(nodes: u32, apart: usize) -> Vec<u8> {
    let node = |at: u32| {
        let next = if at + 1 < nodes { at as i32 + 1 } else { -1 };
        (([1.0, 0.0, 0.0], at as f32 * 1_000.0 / nodes as f32), [next, -1])
    };
    let nodes: Vec<_> = (0..nodes).map(node).collect();
    let heads: Vec<i32> = (0..nodes.len() as i32).step_by(apart).rev().collect();
    let entity =
        format!("{}{{ \"classname\" \"func_wall\" \"model\" \"*{}\" }}\n", players(), heads.len() - 1);
    source(1_000.0, &nodes, &heads, vec![(0, entity.into_bytes())])
}

/// A map of Quake III in which so many faces are curved surfaces of the same points, so many along each side.
pub fn curves(points: u32, faces: usize) -> Vec<u8> {
    let (mut shader, mut vertex, mut face, mut model) = (Out::new(), Out::new(), Out::new(), Out::new());
    shader.raw(&[b'x'; 8]).raw(&[0; 60]).u32(1);
    for at in 0..points * points {
        let (x, y) = ((at % points) as f32, (at / points) as f32);
        vertex.f32s(&[10.0 * x, 10.0 * y, x * y % 7.0]).raw(&[0; 16]).f32s(&[0.0, 0.0, 1.0]).raw(&[255; 4]);
    }
    face.raw(&[0; 8]).u32(2).u32(0).u32(points * points).raw(&[0; 76]).u32(points).u32(points);
    model.raw(&[0; 24]).u32(0).u32(faces as u32).raw(&[0; 8]);
    let mut lumps = vec![Vec::new(); 17];
    for (number, bytes) in
        [(0, players().into_bytes()), (1, shader.0), (7, model.0), (10, vertex.0), (13, face.0.repeat(faces))]
    {
        lumps[number] = bytes;
    }
    file(&[&b"IBSP"[..], &46_u32.to_le_bytes()].concat(), &lumps, 8)
}

pub(super) fn add(add: &mut super::Add<'_>) {
    for count in [1, 4, 16, 160] {
        add(&format!("displaced-{count}.bsp"), &|| displaced(3_000.0, count, 1.0));
        add(&format!("steep-{count}.bsp"), &|| displaced(3_000.0, count, 200.0));
    }
    add("ground.bsp", &|| ground(6_000.0));
    add("heads.bsp", &|| heads(18_000, 200));
    add("curves.bsp", &|| curves(65, 31));
    let gold = || Gold::new(1_000.0);
    add("gold-chain.bsp", &|| gold().chain(240, 2, [100.0, 75.0]).bytes());
    add("gold-slices.bsp", &|| gold().slices(20_000, 2, [0.0, 100.0], false).bytes());
    add("gold-rows.bsp", &|| gold().slices(8_000, 2, [0.0, 200.0], true).seeing(&[0x80]).bytes());
    add("gold-faces.bsp", &|| gold().faces(20_000, 5_000).bytes());
}
