//! glTF 2.0, binary: nodes with their transforms, meshes, names of materials, and the extras that name attributes and
//! groups of the Fox Engine.
//!
//! A reader of our own: existing crates read far more than this, and trust offsets that a hostile file may set.

use super::extras::Extras;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{Line, Scene};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::HashMap;

/// The most corners of a scene, ends of lines and points among them, and the most primitives that are visited. A mesh may be placed
/// many times, and its primitives may share their indices, so the file's length does not bound them.
const MOST_CORNERS: usize = 1 << 24;
/// The most of a small file: so many, and as many more for each of its bytes.
const FEW_CORNERS: usize = 1 << 20;
const CORNERS_OF_BYTE: usize = 4;

/// How the names of extensions begin that concern looks only. What they add is not read.
const LOOKS: [&str; 6] =
    ["KHR_texture_", "KHR_materials_", "KHR_lights_", "EXT_texture_", "EXT_lights_", "MSFT_texture_"];

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Root {
    scene: Option<usize>,
    scenes: Vec<Nodes>,
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
    materials: Vec<Named>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<View>,
    buffers: Vec<Buffer>,
    extensions_required: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Nodes {
    nodes: Vec<usize>,
}

/// A node as it is kept. It may take three bytes of the file.
#[derive(Deserialize)]
#[serde(from = "WrittenNode")]
struct Node {
    name: Box<str>,
    children: Box<[usize]>,
    mesh: Option<usize>,
    /// `None` if it stands where its parent does.
    transform: Option<Box<Matrix>>,
    extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WrittenNode {
    name: Box<str>,
    children: Box<[usize]>,
    mesh: Option<usize>,
    matrix: Option<[f64; 16]>,
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
    extras: Extras,
}

impl From<WrittenNode> for Node {
    fn from(node: WrittenNode) -> Self {
        let transform = transform(&node).map(Box::new);
        let WrittenNode { name, children, mesh, extras, .. } = node;
        Self { name, children, mesh, transform, extras }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Mesh {
    name: String,
    primitives: Vec<Primitive>,
    extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Primitive {
    attributes: Attributes,
    indices: Option<usize>,
    material: Option<usize>,
    mode: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "UPPERCASE", default)]
struct Attributes {
    position: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Named {
    name: String,
    extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Accessor {
    buffer_view: Option<usize>,
    byte_offset: usize,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    kind: String,
    sparse: Option<IgnoredAny>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct View {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Buffer {
    uri: Option<String>,
}

/// Rows of an affine transform.
type Matrix = [[f64; 4]; 3];

const SAME: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

#[cold]
fn wrong(why: impl Into<String>) -> Error {
    Error::invalid("glTF", why)
}

/// A word of the file as an error shows it, which may be a million letters.
#[cold]
fn shown(word: &str) -> String {
    const MOST: usize = 64;
    let first: String = word.chars().take(MOST).collect();
    if first.len() < word.len() { format!("{first}…") } else { first }
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<Scene> {
    let word = |at: usize| bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_le_bytes(*word));
    if !bytes.starts_with(b"glTF") {
        return Err(wrong("the file does not begin as a binary one, .glb").at(0));
    }
    if word(4) != Some(2) {
        return Err(wrong(format!("version {} is not known, 2 is", word(4).unwrap_or(0))).at(4));
    }
    let (mut json, mut binary) = (None, &[][..]);
    let mut at = 12_usize;
    while let (Some(len), Some(kind)) = (word(at), word(at.saturating_add(4))) {
        let from = at.saturating_add(8);
        let end = from.saturating_add(len as usize);
        let chunk = bytes
            .get(from..end)
            .ok_or_else(|| wrong(format!("a chunk of {len} bytes leaves the file")).at(at as u64))?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_empty() => binary = chunk,
            _ => {}
        }
        at = end;
    }
    let json = json.ok_or_else(|| wrong("there is no JSON chunk").at(12))?;
    let root: Root = serde_json::from_slice(json).map_err(|error| wrong(error.to_string()).at(20))?;
    let shapes = |name: &&String| !LOOKS.iter().any(|looks| name.starts_with(looks));
    if let Some(extension) = root.extensions_required.iter().find(shapes) {
        return Err(wrong(format!("needs the extension {}: export it without", shown(extension))));
    }
    let mut scene = Scene::new();
    scene.unit = "triangle";
    let mut reader = Reader {
        root: &root,
        binary,
        scene,
        materials: HashMap::new(),
        objects: HashMap::new(),
        of_materials: HashMap::new(),
        of_meshes: HashMap::new(),
        next: 1,
        primitives: 0,
        most: FEW_CORNERS.saturating_add(CORNERS_OF_BYTE.saturating_mul(bytes.len())).min(MOST_CORNERS),
    };
    reader.walk()?;
    Ok(reader.scene)
}

struct Reader<'f> {
    root: &'f Root,
    binary: &'f [u8],
    scene: Scene,
    materials: HashMap<String, u32>,
    objects: HashMap<String, u32>,
    /// The numbers of the names of materials and meshes, by their places in the file. A long name that many primitives share is
    /// read once.
    of_materials: HashMap<usize, u32>,
    of_meshes: HashMap<usize, u32>,
    /// The number of the next triangle or line.
    next: u32,
    /// The number of primitives visited so far.
    primitives: usize,
    /// The most of them, and of corners.
    most: usize,
}

impl Reader<'_> {
    /// Visits every node of the scene once.
    fn walk(&mut self) -> Result<()> {
        let root = self.root;
        let mut seen = vec![false; root.nodes.len()];
        let mut has_parent = vec![false; root.nodes.len()];
        for child in root.nodes.iter().flat_map(|node| &node.children) {
            has_parent.get_mut(*child).into_iter().for_each(|has| *has = true);
        }
        let roots = match root.scenes.get(root.scene.unwrap_or(0)) {
            Some(scene) => scene.nodes.clone(),
            None => (0..root.nodes.len()).filter(|node| has_parent.get(*node) == Some(&false)).collect(),
        };
        // A child is noted as seen with its parent: what is open is never more than there are nodes.
        let mut see = |index: usize| match seen.get_mut(index) {
            None => Err(wrong(format!("node {index} does not exist"))),
            Some(seen) if !*seen => {
                *seen = true;
                Ok(())
            }
            Some(_) => Err(wrong(format!("node {index} has two parents"))),
        };
        roots.iter().try_for_each(|index| see(*index))?;
        // Each with its group, if an extra of a parent names one.
        let mut open: Vec<(usize, Matrix, Option<u64>)> = Vec::new();
        let mut roots = roots.into_iter().map(|node| (node, SAME, None));
        while let Some((index, parent, group)) = open.pop().or_else(|| roots.next()) {
            let Some(node) = root.nodes.get(index) else { continue };
            let matrix = node.transform.as_deref().map_or(parent, |own| times(&parent, own));
            let group = node.extras.group().or(group);
            node.children.iter().try_for_each(|child| see(*child))?;
            open.extend(node.children.iter().rev().map(|child| (*child, matrix, group)));
            let Some(number) = node.mesh else { continue };
            let mesh =
                root.meshes.get(number).ok_or_else(|| wrong(format!("mesh {number} does not exist")))?;
            self.primitives = self.primitives.saturating_add(mesh.primitives.len());
            if self.primitives > self.most {
                return Err(wrong(format!("more than {} primitives", self.most)));
            }
            let (known, names) = (&mut self.objects, &mut self.scene.objects);
            let object = match group.or(mesh.extras.group()) {
                Some(group) => number_of(known, names, &format!("group{group}")),
                None if node.name.is_empty() => {
                    *self.of_meshes.entry(number).or_insert_with(|| number_of(known, names, &mesh.name))
                }
                None => number_of(known, names, &node.name),
            };
            let attribute = node.extras.attribute().or(mesh.extras.attribute());
            let mut placed = HashMap::new();
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                self.primitive(primitive, (&matrix, &mut placed), object, attribute).map_err(|error| {
                    error.in_record("node", index as u64).named(format_args!("primitive {number}"))
                })?;
            }
        }
        Ok(())
    }

    /// Adds a primitive of a node. Of the node there is the transform, and the positions that earlier primitives have read by the
    /// number of their accessor: the first, and how many.
    fn primitive(
        &mut self,
        primitive: &Primitive,
        (matrix, placed): (&Matrix, &mut HashMap<usize, (usize, usize)>),
        object: u32,
        attribute: Option<u64>,
    ) -> Result<()> {
        let Some(positions) = &primitive.attributes.position else { return Ok(()) };
        let (root, known, names) = (self.root, &mut self.materials, &mut self.scene.materials);
        let material = primitive.material.and_then(|number| Some((number, root.materials.get(number)?)));
        let own = material.and_then(|(_, material)| material.extras.attribute());
        let material = match (own.or(attribute), material) {
            (Some(value), _) => number_of(known, names, &format!("attr_{value:04X}")),
            (None, Some((number, material))) => {
                *self.of_materials.entry(number).or_insert_with(|| number_of(known, names, &material.name))
            }
            (None, None) => 0,
        };
        let (first, count) = match placed.get(positions) {
            Some(known) => *known,
            None => {
                let first = self.scene.positions.len();
                self.positions(*positions, matrix)?;
                *placed.entry(*positions).or_insert((first, self.scene.positions.len() - first))
            }
        };
        let indices: Vec<u32> = match primitive.indices {
            Some(accessor) => self.indices(accessor)?,
            None => (0..count as u32).collect(),
        };
        if let Some(bad) = indices.iter().find(|index| **index as usize >= count) {
            return Err(wrong(format!("vertex {bad} does not exist ({count} are there)")));
        }
        let scene = &self.scene;
        let so_far = scene.corners.len() + scene.positions.len() + 2 * scene.lines.len() + scene.points.len();
        if so_far.saturating_add(indices.len().saturating_mul(3)) > self.most {
            return Err(wrong(format!("more than {} corners", self.most)));
        }
        let placed: Vec<u32> = indices.iter().map(|index| first as u32 + *index).collect();
        match primitive.mode.unwrap_or(4) {
            0 => self.scene.points.extend(placed),
            mode @ 1..=3 => lines(mode, &placed, |ends| {
                self.scene.lines.push(Line { ends, line: self.next, material, object });
                self.next = self.next.saturating_add(1);
            }),
            mode @ 4..=6 => {
                let mirrored = mirrors(matrix);
                triangles(mode, &placed, |[a, b, c]| {
                    let [b, c] = if mirrored { [c, b] } else { [b, c] };
                    self.scene.add_polygon(&[a, b, c], self.next, material, object);
                    self.next = self.next.saturating_add(1);
                });
            }
            mode => return Err(wrong(format!("mode {mode} is none"))),
        }
        Ok(())
    }

    /// The bytes of an accessor: the start of each item, and the data.
    fn items(&self, index: usize, kind: &str, width: usize) -> Result<(usize, usize, &[u8])> {
        let accessor = self
            .root
            .accessors
            .get(index)
            .ok_or_else(|| wrong(format!("accessor {index} does not exist")))?;
        if accessor.kind != kind {
            let found = shown(&accessor.kind);
            return Err(wrong(format!("accessor {index} holds {found} where {kind} was expected")));
        }
        if accessor.sparse.is_some() {
            return Err(wrong(format!("accessor {index} is sparse, which is not read")));
        }
        let view = accessor.buffer_view.and_then(|view| self.root.buffer_views.get(view));
        let view = view.ok_or_else(|| wrong(format!("accessor {index} has no bytes")))?;
        let buffer = self.root.buffers.get(view.buffer);
        if view.buffer != 0 || buffer.is_some_and(|buffer| buffer.uri.is_some()) {
            return Err(wrong("bytes in another file are not read: export everything into one .glb"));
        }
        let stride = view.byte_stride.filter(|stride| *stride > 0).unwrap_or(width);
        if stride < width {
            return Err(wrong(format!("accessor {index}: items of {width} bytes every {stride}")));
        }
        let bytes = view
            .byte_offset
            .checked_add(view.byte_length)
            .and_then(|end| self.binary.get(view.byte_offset..end));
        let bytes = bytes.and_then(|bytes| bytes.get(accessor.byte_offset..));
        let needed = accessor
            .count
            .checked_sub(1)
            .map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(width));
        match (bytes, needed) {
            (Some(bytes), Some(needed)) if needed <= bytes.len() => Ok((accessor.count, stride, bytes)),
            _ => Err(wrong(format!("accessor {index}: {} items leave its bytes", accessor.count))),
        }
    }

    fn positions(&mut self, index: usize, matrix: &Matrix) -> Result<()> {
        if self.root.accessors.get(index).is_some_and(|accessor| accessor.component_type != 5126) {
            return Err(wrong("positions that are no floats are not read"));
        }
        let (count, stride, bytes) = self.items(index, "VEC3", 12)?;
        if self.scene.positions.len().saturating_add(count) > self.most {
            return Err(wrong(format!("more than {} positions", self.most)));
        }
        let mut positions = Vec::with_capacity(count);
        for item in bytes.chunks(stride).take(count) {
            let mut at = [0.0; 3];
            for (to, float) in at.iter_mut().zip(item.as_chunks::<4>().0) {
                *to = f64::from(f32::from_le_bytes(*float));
            }
            let [x, y, z] = at;
            let at = matrix.map(|[a, b, c, d]| a * x + b * y + c * z + d);
            if at.iter().any(|v| !v.is_finite()) {
                return Err(wrong(format!("vertex {} is no place", positions.len())));
            }
            positions.push(at);
        }
        self.scene.positions.extend(positions);
        Ok(())
    }

    fn indices(&self, index: usize) -> Result<Vec<u32>> {
        let component = self.root.accessors.get(index).map_or(0, |accessor| accessor.component_type);
        let width = match component {
            5121 => 1,
            5123 => 2,
            5125 => 4,
            other => return Err(wrong(format!("indices of type {other} are none"))),
        };
        let (count, stride, bytes) = self.items(index, "SCALAR", width)?;
        let read = |item: &[u8]| {
            let mut word = [0; 4];
            word.iter_mut().zip(item.iter().take(width)).for_each(|(to, byte)| *to = *byte);
            u32::from_le_bytes(word)
        };
        Ok(bytes.chunks(stride).take(count).map(read).collect())
    }
}

fn number_of(known: &mut HashMap<String, u32>, names: &mut Vec<String>, name: &str) -> u32 {
    if name.is_empty() {
        return 0;
    }
    if let Some(number) = known.get(name) {
        return *number;
    }
    let number = names.len() as u32;
    names.push(name.to_owned());
    known.insert(name.to_owned(), number);
    number
}

fn transform(node: &WrittenNode) -> Option<Matrix> {
    if let Some(m) = node.matrix {
        let [a, b, c, _, d, e, f, _, g, h, i, _, x, y, z, _] = m;
        return Some([[a, d, g, x], [b, e, h, y], [c, f, i, z]]);
    }
    if node.rotation.is_none() && node.scale.is_none() && node.translation.is_none() {
        return None;
    }
    let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let [sx, sy, sz] = node.scale.unwrap_or([1.0; 3]);
    let [tx, ty, tz] = node.translation.unwrap_or_default();
    Some([
        [(1.0 - 2.0 * (y * y + z * z)) * sx, 2.0 * (x * y - z * w) * sy, 2.0 * (x * z + y * w) * sz, tx],
        [2.0 * (x * y + z * w) * sx, (1.0 - 2.0 * (x * x + z * z)) * sy, 2.0 * (y * z - x * w) * sz, ty],
        [2.0 * (x * z - y * w) * sx, 2.0 * (y * z + x * w) * sy, (1.0 - 2.0 * (x * x + y * y)) * sz, tz],
    ])
}

/// The lines of vertices in one of the three modes of lines: pairs, a loop, a strip.
fn lines(mode: u32, vertices: &[u32], mut each: impl FnMut([u32; 2])) {
    match mode {
        1 => vertices.as_chunks::<2>().0.iter().copied().for_each(&mut each),
        _ => vertices.windows(2).filter_map(|two| <[u32; 2]>::try_from(two).ok()).for_each(&mut each),
    }
    if let (2, Some(first), Some(last)) = (mode, vertices.first(), vertices.last()) {
        each([*last, *first]);
    }
}

/// The triangles of vertices in one of the three modes of triangles: triples, a strip, a fan.
fn triangles(mode: u32, vertices: &[u32], mut each: impl FnMut([u32; 3])) {
    match mode {
        4 => vertices.as_chunks::<3>().0.iter().copied().for_each(each),
        5 => {
            for (number, three) in vertices.windows(3).enumerate() {
                match three {
                    [a, b, c] if number % 2 == 0 => each([*a, *b, *c]),
                    [a, b, c] => each([*b, *a, *c]),
                    _ => {}
                }
            }
        }
        _ => {
            let Some((hub, rim)) = vertices.split_first() else { return };
            for two in rim.windows(2) {
                if let [a, b] = two {
                    each([*hub, *a, *b]);
                }
            }
        }
    }
}

/// Whether a transform turns left into right. A face keeps its front then only if its corners run the other way round.
fn mirrors(&[[a, b, c, _], [d, e, f, _], [g, h, i, _]]: &Matrix) -> bool {
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let [r, s, t] = b;
    a.map(|[x, y, z, w]| {
        let mut row = [0.0; 4];
        for (to, ((p, q), u)) in row.iter_mut().zip(r.iter().zip(s).zip(t)) {
            *to = x * p + y * q + z * u;
        }
        let [_, _, _, last] = &mut row;
        *last += w;
        row
    })
}
