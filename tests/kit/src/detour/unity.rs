//! Serialized files of Unity.

use super::tile::Put;

/// A mesh of Unity: its tiles, position and rotation.
#[derive(Debug, Clone)]
pub struct UnityMesh {
    pub tiles: Vec<Vec<u8>>,
    pub position: [f32; 3],
    pub rotation: [f32; 4],
}

/// A node of a type tree: level, whether it is an array, whether alignment follows, size, name.
pub type UnityNode<'n> = (u8, bool, bool, i32, &'n str);

/// An object: its class, and its bytes in the data.
#[derive(Debug, Clone)]
pub struct UnityObject {
    pub class: u32,
    pub start: u32,
    pub len: u32,
}

/// A serialized file of format 17 (Unity 5.5 to 2018) or 22 (from 2020).
pub fn unity(meshes: &[UnityMesh], format: u32) -> Vec<u8> {
    unity_built(meshes, format, None)
}

/// The same with build settings: height, radius and climb of the agent.
pub fn unity_built(meshes: &[UnityMesh], format: u32, agent: Option<[f32; 3]>) -> Vec<u8> {
    let (mut data, mut objects) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let mut put = Put::new(false);
        let name = b"Mesh1";
        put.u32(name.len() as u32).raw(name).raw(&[0; 3]);
        put.u32(mesh.tiles.len() as u32);
        for tile in &mesh.tiles {
            put.u32(tile.len() as u32).raw(tile).raw(&[0xAB; 16]);
        }
        put.f32s(&mesh.rotation).f32s(&mesh.position);
        if let Some([height, radius, climb]) = agent {
            put.u32(0).f32s(&[radius, height, 45.0, climb]);
        }
        objects.push(UnityObject { class: 238, start: data.len() as u32, len: put.out.len() as u32 });
        data.extend(put.out);
    }
    unity_file(&[(238, &nodes(agent.is_some()))], &objects, &data, format)
}

fn nodes(built: bool) -> Vec<UnityNode<'static>> {
    let mut nodes = vec![
        (0, false, false, -1, "Base"),
        (1, false, true, -1, "m_Name"),
        (2, true, false, -1, "Array"),
        (3, false, false, 4, "size"),
        (3, false, false, 1, "data"),
        (1, false, false, -1, "m_NavMeshTiles"),
        (2, true, false, -1, "Array"),
        (3, false, false, 4, "size"),
        (3, false, false, -1, "data"),
        (4, false, false, -1, "m_MeshData"),
        (5, true, true, -1, "Array"),
        (6, false, false, 4, "size"),
        (6, false, false, 1, "data"),
        (4, false, false, 16, "m_Hash"),
        (1, false, false, 16, "m_Rotation"),
    ];
    nodes.extend(["x", "y", "z", "w"].map(|name| (2, false, false, 4, name)));
    nodes.push((1, false, false, 12, "m_Position"));
    nodes.extend(["x", "y", "z"].map(|name| (2, false, false, 4, name)));
    if built {
        nodes.push((1, false, true, -1, "m_NavMeshBuildSettings"));
        let fields = ["agentTypeID", "agentRadius", "agentHeight", "agentSlope", "agentClimb"];
        nodes.extend(fields.map(|name| (2, false, false, 4, name)));
    }
    nodes
}

/// A serialized file of formats 13 to 22 with these types, each with its class and the nodes of its tree, these objects, and the
/// data in which they lie. Every class of an object is that of a type.
pub fn unity_file(
    types: &[(u32, &[UnityNode<'_>])],
    objects: &[UnityObject],
    data: &[u8],
    format: u32,
) -> Vec<u8> {
    let mut meta = Put::new(false);
    meta.raw(b"2020.1.0f1\0").u32(19).u8(1).u32(types.len() as u32);
    for (class, nodes) in types {
        meta.u32(*class);
        if format >= 16 {
            meta.u8(0);
        }
        if format >= 17 {
            meta.u16(0xFFFF);
        }
        meta.raw(&[7; 16]);
        let (tree, names) = tree(nodes, format);
        meta.u32(nodes.len() as u32).u32(names.len() as u32).raw(&tree).raw(&names);
        if format >= 21 {
            meta.u32(0);
        }
    }
    meta.u32(objects.len() as u32);
    let head = if format >= 22 { 48 } else { 20 };
    for (index, object) in objects.iter().enumerate() {
        while !(head + meta.out.len()).is_multiple_of(4) {
            meta.u8(0);
        }
        meta.u64(23_800_000 + index as u64);
        if format >= 22 {
            meta.u64(object.start.into());
        } else {
            meta.u32(object.start);
        }
        meta.u32(object.len);
        if format >= 16 {
            let place = types.iter().position(|(class, _)| *class == object.class);
            meta.u32(place.expect("the class of a type") as u32);
        } else {
            meta.u32(object.class).u16(object.class as u16).u16(0);
        }
        if format == 15 || format == 16 {
            meta.u8(0);
        }
    }
    let from = (head + meta.out.len()).next_multiple_of(16);
    let whole = from + data.len();
    let mut put = Put::new(true);
    if format >= 22 {
        put.u32(0).u32(0).u32(format).u32(0).raw(&[0; 4]).u32(meta.out.len() as u32);
        put.u64(whole as u64).u64(from as u64).u64(0);
    } else {
        put.u32(meta.out.len() as u32).u32(whole as u32).u32(format).u32(from as u32).raw(&[0; 4]);
    }
    put.raw(&meta.out);
    put.out.resize(from, 0);
    put.raw(data);
    put.out
}

/// The nodes of a tree and their names.
fn tree(nodes: &[UnityNode<'_>], format: u32) -> (Vec<u8>, Vec<u8>) {
    let mut names = Vec::new();
    let mut tree = Put::new(false);
    for (index, (level, array, aligned, size, name)) in nodes.iter().enumerate() {
        let at = names.len() as u32;
        names.extend(name.bytes().chain([0]));
        tree.u16(1).u8(*level).u8((*array).into()).u32(0).u32(at).i32(*size).u32(index as u32);
        tree.u32(if *aligned { 0x4000 } else { 0 });
        if format >= 19 {
            tree.u64(0);
        }
    }
    (tree.out, names)
}
