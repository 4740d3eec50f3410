//! Lazy views against a plain decoder that owns everything and shares no code with them.

use navmap::bytes::Scratch;
use navmap::format::fox::{Crossing, FoxNav, Group, IslandGraph};
use navmap::{Counts, NavFile};

/// Reads at any offset; nothing past the end.
#[derive(Clone, Copy)]
struct At<'a>(&'a [u8]);

impl<'a> At<'a> {
    fn u8(self, at: usize) -> Option<u64> {
        self.0.get(at).map(|byte| u64::from(*byte))
    }
    fn u16(self, at: usize) -> Option<u64> {
        Some(self.u8(at)? | self.u8(at.checked_add(1)?)? << 8)
    }
    fn u32(self, at: usize) -> Option<u64> {
        Some(self.u16(at)? | self.u16(at.checked_add(2)?)? << 16)
    }
    fn at(self, at: usize) -> Option<usize> {
        self.u32(at).map(|v| v as usize)
    }
    fn from(self, at: usize) -> Option<Self> {
        self.0.get(at..).map(Self)
    }
    fn u16s(self, at: usize, count: usize) -> Option<Vec<u64>> {
        (0..count).map(|i| self.u16(at.checked_add(i * 2)?)).collect()
    }
    fn u8s(self, at: usize, count: usize) -> Option<Vec<u64>> {
        (0..count).map(|i| self.u8(at.checked_add(i)?)).collect()
    }
}

/// One list of numbers for each thing in a group, in one order: comparing two says where they part.
#[derive(Debug, Default, PartialEq)]
struct Eager {
    id: u64,
    positions: Vec<u64>,
    nodes: Vec<Vec<u64>>,
    edges: Vec<u64>,
    attributes: Vec<u64>,
    references: Vec<u64>,
    vertices: Vec<u64>,
    faces: Vec<Vec<u64>>,
    segments: Vec<u64>,
    coarse: Vec<Vec<u64>>,
}

fn decode(bytes: &[u8]) -> Option<Vec<Eager>> {
    let file = At(bytes);
    let (mut at, count) = (file.at(8)?, file.at(12)?);
    let mut entries = Vec::new();
    for _ in 0..count {
        let (kind, next, head, id) = (file.u32(at)?, file.at(at + 4)?, file.at(at + 8)?, file.u32(at + 12)?);
        entries.push((kind, id, At(bytes.get(at + head..at + next)?)));
        at += next;
    }
    let find = |kind: u64, id: u64| entries.iter().find(|(k, i, _)| (*k, *i) == (kind, id)).map(|(.., p)| *p);
    let worlds = entries.iter().filter(|(kind, ..)| *kind == 0);
    worlds
        .map(|(_, id, world)| {
            let mut group = Eager { id: id & 0x7FFF, ..Eager::default() };
            group.world(*world)?;
            group.mesh(find(1, *id)?)?;
            group.chunk(find(4, *id)?)?;
            group.coarse(find(3, *id)?)?;
            Some(group)
        })
        .collect()
}

impl Eager {
    fn world(&mut self, p: At<'_>) -> Option<()> {
        let (n, m, k) = (p.u16(36)? as usize, p.u16(38)? as usize, p.u16(46)? as usize);
        if n > 0 {
            self.positions = p.u16s(p.at(0)?, n * 3)?;
            self.references = p.u16s(p.at(32)?, n)?;
        }
        for i in 0..n {
            let node = p.at(4)? + i * 6;
            let (segment, inside, bits) = (p.u16(node + 2)?, p.u8(node + 4)? as usize, p.u8(node + 5)?);
            let links = p.at(12)? + p.u16(node)? as usize * 2;
            let more = [0, 1, 2, 9, 3, 9, 9, 9][(bits & 7) as usize];
            let mut row = vec![segment & 0xFFF, bits];
            row.extend(p.u16s(links, inside * 2)?);
            row.extend(p.u16s(links + inside * 4, more)?);
            self.nodes.push(row);
        }
        for i in 0..m {
            let edge = p.at(8)? + i * 6;
            self.edges.extend([p.u16(edge)?, p.u16(edge + 2)?, p.u8(edge + 4)?, p.u8(edge + 5)?]);
        }
        self.attributes = if k > 0 { p.u16s(p.at(24)?, k)? } else { vec![] };
        Some(())
    }

    fn mesh(&mut self, p: At<'_>) -> Option<()> {
        let (faces, n) = (p.u16(24)? as usize, p.u16(26)? as usize);
        self.vertices = if n > 0 { p.u16s(p.at(0)?, n * 3)? } else { vec![] };
        for i in 0..faces {
            let bits = p.u32(p.at(4)? + i * 4)?;
            let at = p.at(8)? + (bits & 0x3_FFFF) as usize * 2;
            let (k, nodes) = (3 + (bits >> 18 & 1) as usize, 3 + (bits >> 19 & 1) as usize);
            let neighbours = p.u16s(at, k)?;
            let crossing = neighbours.iter().any(|n| *n != 0xFFFF && n >> 14 != 0);
            let mut row = vec![bits >> 20];
            row.extend(neighbours);
            row.extend(p.u8s(at + 2 * k, k + nodes)?);
            if crossing {
                row.extend(p.u16s(at + 3 * k + nodes, 2 * k)?);
            }
            self.faces.push(row);
        }
        Some(())
    }

    fn chunk(&mut self, p: At<'_>) -> Option<()> {
        for i in 0..p.at(12)? {
            self.segments.extend(p.u16s(p.at(0)? + i * 12, 6)?);
            let at = p.at(4)? + i * 12;
            self.segments.extend(p.u16s(at, 4)?);
            self.segments.extend(p.u8s(at + 8, 4)?);
        }
        Some(())
    }

    fn coarse(&mut self, p: At<'_>) -> Option<()> {
        for i in 0..p.u16(20)? as usize {
            let mut row = p.u16s(p.at(0)? + i * 6, 3)?;
            let node = p.at(4)? + i * 12;
            row.extend(p.u16s(node + 4, 3)?);
            let word = p.u32(node)?;
            let links = p.from(p.at(8)? + (word & 0xF_FFFF) as usize * 2)?;
            let counts = [(word >> 24) as usize, p.u8(node + 10)? as usize, p.u8(node + 11)? as usize];
            let (mut at, mut indices) = (0, 0);
            for (count, fields) in counts.into_iter().zip([2, 3, 4]) {
                for _ in 0..count {
                    row.extend(links.u16s(at, fields)?);
                    row.extend(links.u8s(at + fields * 2, 2)?);
                    indices += links.u8(at + fields * 2)? as usize;
                    at += fields * 2 + 2;
                }
            }
            row.extend(links.u8s(at, indices)?);
            self.coarse.push(row);
        }
        Some(())
    }
}

fn three([x, y, z]: [u16; 3]) -> [u64; 3] {
    [x, y, z].map(u64::from)
}

/// Stored halfwords as numbers.
macro_rules! numbers {
    ($values:expr) => {
        $values.iter().map(|value| u64::from(value.get())).collect::<Vec<u64>>()
    };
}

/// The same lists through the views.
fn lazy(group: &Group<'_>) -> Eager {
    let (world, mesh, graph) = (group.world(), group.mesh(), group.segment_graph());
    let mut all = Eager { id: group.id().0.into(), ..Eager::default() };
    all.positions = world.positions().iter().flat_map(|p| three(p.quantised())).collect();
    all.references = numbers!(world.face_references());
    all.attributes = numbers!(world.attributes());
    for node in world.nodes() {
        let links = world.links(node).unwrap();
        let mut row = vec![u64::from(node.segment().0), u64::from(node.crossing_bits())];
        row.extend(links.inside.iter().flat_map(|link| [u64::from(link.node().0), u64::from(link.edge())]));
        match links.crossing {
            None => {}
            Some(Crossing::Segment { node }) => row.push(node.0.into()),
            Some(Crossing::Group { group, node }) => row.extend([group.0, node.0].map(u64::from)),
            Some(Crossing::Tile { tile, group, node }) => {
                row.extend([tile.0, group.0, node.0].map(u64::from))
            }
        }
        all.nodes.push(row);
    }
    for edge in world.edges() {
        let segment = u64::from(edge.segment().0) | u64::from(edge.kind()) << 12;
        let [a, b] = edge.local_nodes().map(u64::from);
        all.edges.extend([u64::from(edge.weight()), segment, a, b]);
    }
    all.vertices = mesh.vertices().iter().flat_map(|p| three(p.quantised())).collect();
    for (face, descriptor) in mesh.faces().zip(mesh.descriptors()) {
        let face = face.unwrap();
        let mut row = vec![u64::from(descriptor.segment().0)];
        row.extend(face.neighbours().iter().map(|n| u64::from(n.bits())));
        row.extend(face.corners().iter().chain(face.nodes()).map(|v| u64::from(*v)));
        row.extend(numbers!(face.groups()));
        row.extend(numbers!(face.tiles()));
        all.faces.push(row);
    }
    let chunk = group.segment_chunk();
    for (segment, bounds) in chunk.segments().iter().zip(chunk.bounds()) {
        all.segments.extend(three(bounds.min().quantised()));
        all.segments.extend(three(bounds.max().quantised()));
        let ranges = [segment.vertices(), segment.faces(), segment.edges(), segment.nodes()];
        all.segments.extend(ranges.iter().map(|range| range.start as u64));
        all.segments.extend(ranges.iter().map(|range| range.len() as u64));
    }
    for (node, position) in graph.nodes().iter().zip(graph.positions()) {
        let links = graph.links(node).unwrap();
        let mut row: Vec<u64> = three(position.quantised()).into();
        row.extend(node.islands().map(|island| u64::from(island.unwrap_or(0xFFFF))));
        for l in links.inside {
            row.extend([l.weight(), l.segment().0, l.crossings() as u16, l.back().into()].map(u64::from));
        }
        for l in links.groups {
            let fields = [l.group().0, l.weight(), l.segment().0, l.crossings() as u16, l.back().into()];
            row.extend(fields.map(u64::from));
        }
        for l in links.tiles {
            let fields =
                [l.tile().0, l.group().0, l.weight(), l.segment().0, l.crossings() as u16, l.back().into()];
            row.extend(fields.map(u64::from));
        }
        row.extend(links.indices.iter().map(|i| u64::from(*i)));
        assert_eq!(links.crossings().map(<[u8]>::len).sum::<usize>(), links.indices.len());
        all.coarse.push(row);
    }
    all
}

/// The first island graph's nodes, and the search space's listings.
fn whole(nav: &FoxNav<'_>, bytes: &[u8]) -> Option<()> {
    let file = At(bytes);
    let mut at = file.at(0x18)?;
    let graphs: Vec<IslandGraph<'_>> = nav.island_graphs().map(|graph| graph.unwrap()).collect();
    assert_eq!(graphs.len() as u64, if at == 0 { 0 } else { file.u8(0x4D)? });
    for graph in graphs {
        let n = file.u16(at + 4)? as usize;
        assert_eq!(graph.islands().len(), n);
        for (i, island) in graph.islands().iter().enumerate() {
            let node = at + file.u16(at + 2)? as usize + i * 14;
            let counts = [file.u16(node + 10)?, file.u8(node + 12)?, file.u8(node + 13)?].map(|c| c as usize);
            let [tiles, inside, groups] = counts;
            let mut links = at + file.u16(at + 6)? as usize + file.u16(node + 8)? as usize;
            let read = graph.links(island).unwrap();
            assert_eq!([read.tiles.len(), read.inside.len(), read.groups.len()], counts);
            for link in read.groups {
                assert_eq!(u64::from(link.id().bits()), file.u32(links)?);
                assert_eq!([link.weight(), link.island()].map(u64::from).to_vec(), file.u16s(links + 4, 2)?);
                links += 8;
            }
            for link in read.inside {
                assert_eq!([link.weight(), link.island()].map(u64::from).to_vec(), file.u16s(links, 2)?);
                links += 4;
            }
            for link in read.tiles {
                assert_eq!(u64::from(link.info()) | u64::from(link.side()) << 14, file.u16(links)?);
                links += 2;
            }
            assert_eq!((tiles, inside, groups), (read.tiles.len(), read.inside.len(), read.groups.len()));
        }
        at += file.u16(at)? as usize;
    }
    let at = file.at(0x10)?;
    let Some(space) = nav.search().unwrap() else {
        assert_eq!(at, 0);
        return Some(());
    };
    for index in 0..space.buckets().len() {
        let record = at + file.at(at + 36)? + index * 8;
        let mut entry = record + file.at(record)?;
        assert_eq!(space.listings(index).unwrap().count() as u64, file.u16(record + 4)?);
        for listing in space.listings(index).unwrap() {
            let listing = listing.unwrap();
            assert_eq!(u64::from(listing.id.bits()), file.u32(entry)?);
            let count = file.at(entry + 4)?;
            let segments: Vec<u64> = listing.segments.iter().map(|s| u64::from(s.get())).collect();
            assert_eq!(segments, file.u16s(entry + 8, count)?);
            entry += 8 + 2 * count;
        }
    }
    Some(())
}

/// Whatever a survey reads to the end, the plain decoder reads too, and both read the same.
pub(crate) fn assert_agree(bytes: &[u8], name: &str) {
    let Ok(nav) = FoxNav::parse(bytes) else { return };
    if nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| {}).is_err() {
        return;
    }
    let eager = decode(bytes).unwrap_or_else(|| panic!("{name}: only the views read it"));
    let views: Vec<Eager> = nav.groups().map(|group| lazy(&group.unwrap())).collect();
    assert_eq!(views, eager, "{name}");
    whole(&nav, bytes).unwrap_or_else(|| panic!("{name}: only the views read what follows the groups"));
}
