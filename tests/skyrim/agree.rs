//! A plain reader of NVNM that owns everything and shares nothing with the library, and the comparison with it.

use navmap::format::skyrim::{Cover, CoverEnd, DoorTriangles, NavMesh, Parent, TriangleRef, Vertices};

/// A mesh as numbers.
#[derive(Debug, Default, PartialEq)]
struct Plain {
    owner: [u32; 3],
    vertices: Vec<[u32; 3]>,
    marks: Vec<u32>,
    /// Corners, edges, flags, cover.
    triangles: Vec<[u16; 8]>,
    /// Height (bits) and the byte behind it.
    tall: Vec<(u32, u8)>,
    links: Vec<(u32, u16, Option<u8>)>,
    doors: Vec<(u16, u32, u32)>,
    cover: Vec<Vec<u32>>,
    cover_edges: Vec<(u16, u8, u16)>,
    waypoints: Vec<([u32; 3], u16, u32)>,
    grid: [u32; 9],
    lists: Vec<Vec<u16>>,
    tail: Vec<u16>,
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }
    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }
    fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }
    fn u32(&mut self) -> Option<u32> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
    fn words<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut words = [0; N];
        for word in &mut words {
            *word = self.u32()?;
        }
        Some(words)
    }
    fn many<T>(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(one(self)?);
        }
        Some(all)
    }
    fn list<T>(&mut self, one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()?;
        self.many(count, one)
    }
}

/// Version 12, 15 or 17, to the last byte; `None` for anything else.
fn plain(bytes: &[u8]) -> Option<Plain> {
    let mut at = Reader(bytes);
    let version = at.u32()?;
    let (later, starfield) = match version {
        12 => (false, false),
        15 => (true, false),
        17 => (true, true),
        _ => return None,
    };
    let mut mesh = Plain { owner: at.words()?, ..Plain::default() };
    for _ in 0..at.u32()? {
        mesh.vertices.push(at.words()?);
        if starfield {
            mesh.marks.push(at.u32()?);
        }
    }
    for _ in 0..at.u32()? {
        let mut t = [0; 8];
        for word in &mut t[..6] {
            *word = at.u16()?;
        }
        if later {
            mesh.tall.push((at.u32()?, at.u8()?));
        }
        (t[6], t[7]) = (at.u16()?, at.u16()?);
        mesh.triangles.push(t);
    }
    mesh.links = at.list(|at| {
        at.u32()?;
        Some((at.u32()?, at.u16()?, if later { Some(at.u8()?) } else { None }))
    })?;
    mesh.doors = at.list(|at| Some((at.u16()?, at.u32()?, at.u32()?)))?;
    mesh.cover = at.list(|at| match (later, starfield) {
        (false, _) => Some(vec![at.u16()?.into()]),
        (true, false) => Some(vec![at.u32()?, at.u32()?]),
        (true, true) => Some(vec![at.u32()?, at.u32()?, at.u32()?]),
    })?;
    if later {
        mesh.cover_edges = at.list(|at| {
            let key = at.u16()?;
            Some((key / 4, (key % 4) as u8, at.u16()?))
        })?;
        mesh.waypoints = at.list(|at| Some((at.words()?, at.u16()?, at.u32()?)))?;
    }
    mesh.grid = at.words()?;
    if mesh.grid[0] > 64 {
        return None;
    }
    mesh.lists = at.many(mesh.grid[0] * mesh.grid[0], |at| at.list(Reader::u16))?;
    if starfield {
        mesh.tail = vec![at.u16()?, at.u16()?];
    }
    at.0.is_empty().then_some(mesh)
}

fn ours(mesh: &NavMesh<'_>) -> Plain {
    let owner = mesh.pathing_cell().unwrap();
    let place = match owner.parent() {
        Parent::Interior { cell } => cell.get(),
        Parent::Exterior { x, y, .. } => u32::from(y as u16) | u32::from(x as u16) << 16,
        other => panic!("{other:?}"),
    };
    let bits = |point: [f32; 3]| point.map(f32::to_bits);
    let links = mesh.edge_links();
    let header = mesh.grid().unwrap().header();
    let [width, height] = header.cell_size().map(f32::to_bits);
    let ([a, b, c], [d, e, f]) = (bits(header.min().to_array()), bits(header.max().to_array()));
    Plain {
        owner: [owner.type_hash(), owner.world().get(), place],
        vertices: mesh.vertices().iter().map(|v| bits(v.to_array())).collect(),
        marks: match mesh.vertices() {
            Vertices::Plain(_) => Vec::new(),
            Vertices::Marked(list) => list.iter().map(|v| v.unknown_0x0c()).collect(),
        },
        triangles: mesh
            .triangles()
            .iter()
            .map(|t| {
                let ([a, b, c], [d, e, f]) = (t.vertices(), t.corners().edge_values());
                [a, b, c, d, e, f, t.flags().0, t.cover_word()]
            })
            .collect(),
        tall: mesh
            .triangles()
            .iter()
            .filter_map(|t| match t {
                TriangleRef::V12(_) => None,
                TriangleRef::V15(t) => Some((t.height().to_bits(), t.unknown_0x10())),
            })
            .collect(),
        links: links
            .iter()
            .enumerate()
            .map(|(i, l)| (l.navmesh().get(), l.triangle(), links.target_edge(i)))
            .collect(),
        doors: match mesh.door_triangles() {
            DoorTriangles::V12(list) => {
                list.iter().map(|d| (d.triangle(), d.type_hash(), d.reference().get())).collect()
            }
            DoorTriangles::V11(_) => panic!("not in NVNM"),
        },
        cover: match mesh.cover() {
            Cover::Triangles(list) => list.iter().map(|t| vec![t.get().into()]).collect(),
            Cover::V15(list) => list.iter().map(|s| vec![ends(s.start(), s.end()), s.data()]).collect(),
            Cover::V17(list) => {
                list.iter().map(|s| vec![ends(s.start(), s.end()), s.data(), s.unknown_0x08()]).collect()
            }
        },
        cover_edges: mesh.cover_edges().iter().map(|e| (e.triangle(), e.edge(), e.segment())).collect(),
        waypoints: mesh
            .waypoints()
            .iter()
            .map(|w| (bits(w.point().to_array()), w.triangle(), w.flags()))
            .collect(),
        grid: [header.divisor(), width, height, a, b, c, d, e, f],
        lists: mesh.grid().unwrap().lists().map(|list| list.iter().map(|t| t.get()).collect()).collect(),
        tail: mesh.tail().map_or_else(Vec::new, |t| vec![t.unknown_0x00(), t.unknown_0x02()]),
    }
}

/// The first word of a piece of cover, put together again from what its ends mean.
fn ends(start: CoverEnd, end: CoverEnd) -> u32 {
    let stored = |end| match end {
        CoverEnd::Vertex(vertex) => u32::from(vertex),
        CoverEnd::Along(share) => (f64::from(share) * 65_535.0).round() as u32,
    };
    stored(start) | stored(end) << 16
}

/// Both refuse, or both read the same, number for number. Versions beyond the known ones are left out. The plain reader
/// takes an exact end, so it gets no bytes after it.
pub(crate) fn assert_agree(bytes: &[u8], name: &str) {
    let version = bytes.first_chunk().map(|v| u32::from_le_bytes(*v));
    let mesh = NavMesh::parse(bytes);
    let trailing = mesh.as_ref().map_or(0, |mesh| mesh.trailing().len());
    match (mesh, plain(&bytes[..bytes.len() - trailing])) {
        (Ok(mesh), Some(plain)) => assert_eq!(ours(&mesh), plain, "{name}"),
        (Ok(mesh), None) => assert!(!mesh.is_confirmed(), "{name}: only the library reads it"),
        (Err(error), Some(_)) => panic!("{name}: only the plain reader reads it, {version:?}: {error}"),
        (Err(_), None) => {}
    }
}
