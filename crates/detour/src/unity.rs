//! Finds the tiles in a serialized file of Unity by its type trees. Tiles are not copied.

use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use std::ops::Range;

/// The class of `NavMeshData`.
const NAV_MESH_DATA: u32 = 238;
/// The class of scripts, whose types carry an extra id.
const MONO_BEHAVIOUR: u32 = 114;
/// The deepest type tree. Real ones have 10 levels.
const DEEPEST: u8 = 64;
/// The most nodes to walk for each byte of the file, besides [`STEPS`]. Values without bytes cost nothing in the file.
const STEPS_A_BYTE: u64 = 16;
const STEPS: u64 = 1 << 16;

/// One `NavMeshData` of a serialized file: a mesh with axes of its own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnityMesh {
    /// Id of the object in its file.
    pub path_id: i64,
    /// Rotation to world space, a quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// The world position of its origin.
    pub position: [f32; 3],
    /// Height, radius and climb of the agent that it was built for; `None` if the file does not tell.
    pub agent: Option<[f32; 3]>,
    /// Bytes of its tiles in the file.
    pub tiles: Vec<Range<usize>>,
}

impl UnityMesh {
    /// Transforms a point of the mesh to world space.
    pub fn to_world(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let [qx, qy, qz, qw] = self.rotation;
        let [px, py, pz] = self.position;
        // v + 2 q × (q × v + w v)
        let (cx, cy, cz) = (qy * z - qz * y + qw * x, qz * x - qx * z + qw * y, qx * y - qy * x + qw * z);
        let (dx, dy, dz) = (qy * cz - qz * cy, qz * cx - qx * cz, qx * cy - qy * cx);
        [x + 2.0 * dx + px, y + 2.0 * dy + py, z + 2.0 * dz + pz]
    }
}

/// The head of a serialized file.
struct Head {
    format: u32,
    data: u64,
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|word| u32::from_be_bytes(*word))
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_be_bytes(*word))
}

/// Reads the head; `None` if the bytes are not a serialized file of formats 13 to 29.
fn head<'a>(bytes: &'a [u8]) -> Option<(Head, Cursor<'a>)> {
    let format = be32(bytes, 8).filter(|format| (13..=29).contains(format))?;
    let (data, at) = if format < 22 { (be32(bytes, 12)?.into(), 20usize) } else { (be64(bytes, 32)?, 48) };
    let little = bytes.get(16) == Some(&0) && bytes.get(17..20) == Some(&[0; 3]);
    let mut cursor = Cursor::new(bytes.get(at..)?, at as u64);
    let version = cursor.text(32, "Unity version").ok()?;
    let known = version.first()?.is_ascii_digit() && version.contains(&b'.');
    (little && known).then_some((Head { format, data }, cursor))
}

/// The length that a serialized file states; `None` if it is not one.
pub(super) fn file_len(bytes: &[u8]) -> Option<u64> {
    let (head, _) = head(bytes)?;
    if head.format < 22 { be32(bytes, 4).map(u64::from) } else { be64(bytes, 24) }
}

/// Whether a file that begins with these bytes is a serialized file with a `NavMeshData`, judging by its first types.
pub(super) fn recognise(page: &[u8]) -> bool {
    let Some((head, mut cursor)) = head(page) else { return false };
    let mut found = false;
    let _ = types(&head, &mut cursor, &mut |class, _| found |= class == NAV_MESH_DATA);
    found
}

/// The meaning of a node's name.
#[derive(Clone, Copy)]
enum Name {
    Other,
    Rotation,
    Position,
    Settings,
    /// Height, radius and climb, if it lies below the settings.
    Agent(usize),
    Tiles,
    MeshData,
}

const NAMES: [(&[u8], Name); 8] = [
    (b"m_Rotation", Name::Rotation),
    (b"m_Position", Name::Position),
    (b"m_NavMeshBuildSettings", Name::Settings),
    (b"agentHeight", Name::Agent(0)),
    (b"agentRadius", Name::Agent(1)),
    (b"agentClimb", Name::Agent(2)),
    (b"m_NavMeshTiles", Name::Tiles),
    (b"m_MeshData", Name::MeshData),
];

impl Name {
    /// The name that begins at a place of the names and ends with a zero. The names may be one long text, so no end is looked for.
    fn at(names: &[u8], at: u32) -> Self {
        let text = names.get(usize::try_from(at).unwrap_or(usize::MAX)..).unwrap_or_default();
        let ends = |rest: &[u8]| rest.first().is_none_or(|byte| *byte == 0);
        let known = NAMES.iter().find(|(name, _)| text.strip_prefix(*name).is_some_and(ends));
        known.map_or(Self::Other, |(_, name)| *name)
    }
}

/// The nodes of a type tree.
struct Tree {
    nodes: Vec<TreeNode>,
}

#[derive(Clone, Copy)]
struct TreeNode {
    level: u8,
    is_array: bool,
    aligned: bool,
    size: i32,
    name: Name,
    /// Index after its last descendant.
    end: usize,
}

/// Walks the types of the file and hands each class and its tree to `each`. The cursor ends after the last type.
fn types(head: &Head, cursor: &mut Cursor<'_>, each: &mut dyn FnMut(u32, Option<Tree>)) -> Result<()> {
    cursor.skip(4, "platform")?;
    let has_trees = cursor.u8("type tree flag")? != 0;
    let count = cursor.u32("types")?;
    for _ in 0..count {
        let class = cursor.u32("type")?;
        if head.format >= 16 {
            cursor.skip(1, "type")?;
        }
        if head.format >= 17 {
            cursor.skip(2, "type")?;
        }
        let has_id = if head.format >= 16 { class == MONO_BEHAVIOUR } else { class.cast_signed() < 0 };
        cursor.skip(if has_id { 32 } else { 16 }, "type hash")?;
        if !has_trees {
            each(class, None);
            continue;
        }
        // The tree may lie beyond the page, so the class is handed out before.
        each(class, None);
        let tree = tree(head, cursor)?;
        each(class, Some(tree));
        if head.format >= 21 {
            let dependencies = cursor.u32("type dependencies")?;
            cursor
                .slice::<[u8; 4]>(usize::try_from(dependencies).unwrap_or(usize::MAX), "type dependencies")?;
        }
    }
    Ok(())
}

fn tree(head: &Head, cursor: &mut Cursor<'_>) -> Result<Tree> {
    let count = usize::try_from(cursor.u32("type tree")?).unwrap_or(usize::MAX);
    let names = usize::try_from(cursor.u32("type tree names")?).unwrap_or(usize::MAX);
    let node_len = if head.format >= 19 { 32 } else { 24 };
    let raw = cursor.bytes(count.saturating_mul(node_len), "type tree")?;
    let names = cursor.bytes(names, "type tree names")?;
    let mut nodes: Vec<TreeNode> = raw
        .chunks_exact(node_len)
        .map(|node| {
            let word = |at: usize| {
                node.get(at..).and_then(<[u8]>::first_chunk::<4>).map_or(0, |word| u32::from_le_bytes(*word))
            };
            let byte = |at: usize| node.get(at).copied().unwrap_or(0);
            TreeNode {
                level: byte(2),
                is_array: byte(3) & 1 != 0,
                aligned: word(20) & 0x4000 != 0,
                size: word(12).cast_signed(),
                name: Name::at(names, word(8)),
                end: 0,
            }
        })
        .collect();
    // A node's descendants end where the next node of its level or above begins.
    let mut open: Vec<usize> = Vec::new();
    for index in 0..nodes.len() {
        let level = nodes.get(index).map_or(0, |node| node.level);
        while let Some(&last) = open.last() {
            match nodes.get_mut(last) {
                Some(node) if node.level >= level => node.end = index,
                _ => break,
            }
            open.pop();
        }
        open.push(index);
    }
    let end = nodes.len();
    for last in open {
        if let Some(node) = nodes.get_mut(last) {
            node.end = end;
        }
    }
    Ok(Tree { nodes })
}

/// The meshes of a serialized file, in the order of its objects.
///
/// # Errors
/// [`Invalid`](ErrorKind::Invalid) if it has no type trees, [`Truncated`](ErrorKind::Truncated) if it is too short.
pub(super) fn meshes(bytes: &[u8]) -> Result<Vec<UnityMesh>> {
    let Some((head, mut cursor)) = head(bytes) else {
        return Err(Error::invalid("serialized file", "of a format that is not read"));
    };
    let (needed, left) = (file_len(bytes).unwrap_or(0), bytes.len() as u64);
    if needed > left {
        let at = if head.format < 22 { 4 } else { 24 };
        return Err(Error::new(ErrorKind::Truncated { what: "serialized file", needed, left }).at(at));
    }
    let mut trees: Vec<(u32, Option<Tree>)> = Vec::new();
    types(&head, &mut cursor, &mut |class, tree| match tree {
        None => trees.push((class, None)),
        Some(tree) => {
            if let Some(last) = trees.last_mut() {
                last.1 = Some(tree);
            }
        }
    })?;
    // Up to format 15 an object names its class, not the place of its type.
    let of_class =
        trees.iter().find(|(class, _)| *class == NAV_MESH_DATA).and_then(|(_, tree)| tree.as_ref());
    let (mut room, mut left) = (left, left.saturating_mul(STEPS_A_BYTE).saturating_add(STEPS));
    let count = cursor.u32("objects")?;
    let mut meshes = Vec::new();
    for index in 0..count {
        let within = |error: Error| error.in_record("object", index.into());
        let Listed { path_id, start, size, kind } = Listed::read(&head, &mut cursor).map_err(within)?;
        let (class, tree) = if head.format >= 16 {
            let known = trees.get(usize::try_from(kind).unwrap_or(usize::MAX));
            known.map_or((0, None), |(class, tree)| (*class, tree.as_ref()))
        } else {
            (kind, of_class)
        };
        if class != NAV_MESH_DATA {
            continue;
        }
        let tree = tree.ok_or_else(|| {
            within(Error::invalid(
                "NavMeshData",
                "the file has no type trees, which tell where its tiles lie",
            ))
        })?;
        let at = head.data.saturating_add(start);
        let object = usize::try_from(at)
            .ok()
            .and_then(|at| bytes.get(at..at.checked_add(usize::try_from(size).ok()?)?));
        let Some(object) = object else {
            let left = (bytes.len() as u64).saturating_sub(at);
            let kind = ErrorKind::Truncated { what: "NavMeshData", needed: size.into(), left };
            return Err(within(Error::new(kind).at(at)));
        };
        // Objects over each other would make a large mesh of few bytes.
        room = room.checked_sub(size.into()).ok_or_else(|| {
            within(
                Error::invalid("NavMeshData", "the objects are longer than the file, so some overlap").at(at),
            )
        })?;
        let (rotation, position) = ([0.0, 0.0, 0.0, 1.0], [0.0; 3]);
        let mesh = UnityMesh { path_id, rotation, position, agent: None, tiles: Vec::new() };
        let agent = [None; 3];
        let mut walk = Walk { tree, cursor: Cursor::new(object, at), mesh, agent, tiles: false, left };
        walk.node(0, Field::Other).map_err(within)?;
        left = walk.left;
        if let [Some(height), Some(radius), Some(climb)] = walk.agent {
            walk.mesh.agent = Some([height, radius, climb]);
        }
        meshes.push(walk.mesh);
    }
    Ok(meshes)
}

/// An object in the list of a serialized file.
struct Listed {
    path_id: i64,
    /// Where it begins, behind the start of the data, and its length in bytes.
    start: u64,
    size: u32,
    /// The place of its type; up to format 15 its class.
    kind: u32,
}

impl Listed {
    fn read(head: &Head, cursor: &mut Cursor<'_>) -> Result<Self> {
        let padding = cursor.offset().wrapping_neg() & 3;
        cursor.skip(usize::try_from(padding).unwrap_or(0), "object")?;
        let path_id = cursor.u64("object")?.cast_signed();
        let start = if head.format >= 22 { cursor.u64("object")? } else { cursor.u32("object")?.into() };
        let (size, kind) = (cursor.u32("object")?, cursor.u32("object")?);
        if head.format < 16 {
            cursor.skip(4, "object")?;
        }
        if head.format == 15 || head.format == 16 {
            cursor.skip(1, "object")?;
        }
        Ok(Self { path_id, start, size, kind })
    }
}

/// The meaning of the numbers below a node.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Other,
    Rotation(usize),
    Position(usize),
    /// Below the build settings.
    Settings,
    /// Height, radius and climb of the agent.
    Agent(usize),
    MeshData,
}

struct Walk<'w, 'a> {
    tree: &'w Tree,
    cursor: Cursor<'a>,
    mesh: UnityMesh,
    agent: [Option<f32>; 3],
    /// Whether the walk is inside of the tiles.
    tiles: bool,
    /// Nodes that may still be walked.
    left: u64,
}

impl Walk<'_, '_> {
    /// Walks the value of a node.
    fn node(&mut self, index: usize, field: Field) -> Result<()> {
        let Some(node) = self.tree.nodes.get(index).copied() else { return Ok(()) };
        if node.level > DEEPEST {
            return Err(Error::invalid("type tree", "is nested too deep").at(self.cursor.offset()));
        }
        self.step()?;
        let inside = self.tiles;
        let field = match node.name {
            Name::Rotation => Field::Rotation(0),
            Name::Position => Field::Position(0),
            Name::Settings => Field::Settings,
            Name::Agent(at) if field == Field::Settings => Field::Agent(at),
            Name::MeshData if inside => Field::MeshData,
            Name::Tiles => {
                self.tiles = true;
                Field::Other
            }
            _ => field,
        };
        let first = index.saturating_add(1);
        if first >= node.end {
            self.leaf(&node, field)?;
        } else if node.is_array {
            self.array(index, field)?;
        } else {
            let mut child = first;
            let mut number = 0usize;
            while child < node.end {
                let field = match field {
                    Field::Rotation(_) => Field::Rotation(number),
                    Field::Position(_) => Field::Position(number),
                    other => other,
                };
                self.node(child, field)?;
                number = number.saturating_add(1);
                child = self.tree.nodes.get(child).map_or(node.end, |child| child.end);
            }
        }
        if node.aligned {
            self.align()?;
        }
        self.tiles = inside;
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            let why = format!("has more values than {STEPS_A_BYTE} for each byte of the file");
            Error::invalid("type tree", why).at(self.cursor.offset())
        })?;
        Ok(())
    }

    fn align(&mut self) -> Result<()> {
        let padding = usize::try_from(self.cursor.offset().wrapping_neg() & 3).unwrap_or(0);
        self.cursor.skip(padding.min(self.cursor.left()), "alignment")
    }

    fn leaf(&mut self, node: &TreeNode, field: Field) -> Result<()> {
        let size = usize::try_from(node.size).unwrap_or(0);
        let value =
            self.cursor.bytes(size, "value")?.first_chunk::<4>().map(|word| f32::from_le_bytes(*word));
        let slot = match field {
            Field::Rotation(at) => self.mesh.rotation.get_mut(at),
            Field::Position(at) => self.mesh.position.get_mut(at),
            _ => None,
        };
        if let (Field::Agent(at), Some(stored)) = (field, value)
            && let Some(slot) = self.agent.get_mut(at)
        {
            *slot = Some(stored).filter(|stored| stored.is_finite() && *stored >= 0.0);
        }
        if let (Some(slot), Some(value)) = (slot, value) {
            *slot = value;
        }
        Ok(())
    }

    /// An array: a node for its size, then one for its elements.
    fn array(&mut self, index: usize, field: Field) -> Result<()> {
        let at = self.cursor.offset();
        let count = self.cursor.u32("array")?;
        let element = index.saturating_add(2);
        // A node behind the array is no element of it: a row of such arrays would be walked as deep as it is long.
        let end = self.tree.nodes.get(index).map_or(0, |node| node.end);
        let inner = self.tree.nodes.get(element).copied().filter(|_| element < end);
        let Some(inner) = inner else { return Ok(()) };
        if element.saturating_add(1) >= inner.end && inner.size > 0 {
            let len = usize::try_from(count).unwrap_or(usize::MAX);
            let len = len.saturating_mul(usize::try_from(inner.size).unwrap_or(1));
            let start = usize::try_from(self.cursor.offset()).unwrap_or(usize::MAX);
            if self.cursor.bytes(len, "array").is_err() {
                return Err(Error::new(ErrorKind::Count {
                    what: "array",
                    claimed: count.into(),
                    left: self.cursor.left() as u64,
                })
                .at(at));
            }
            if field == Field::MeshData {
                self.mesh.tiles.push(start..start.saturating_add(len));
            }
            return Ok(());
        }
        for _ in 0..count {
            let before = self.cursor.left();
            self.node(element, field)?;
            // An element without bytes would be repeated as often as the count claims.
            if self.cursor.left() == before {
                break;
            }
        }
        Ok(())
    }
}
