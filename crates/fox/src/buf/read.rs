//! Copies a view into an owned tile.

use super::{
    BucketBuf, FaceBuf, FaceList, FoxBuf, GroupBuf, HeadBuf, IslandBuf, IslandGraphBuf, ListingBuf, MeshBuf,
    NodeBuf, SearchBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf,
};
use crate::flags::EntryKind;
use crate::record::{Header, PackedId};
use crate::survey::survey;
use crate::view::{Face, FoxNav, Group, IslandGraph, SearchSpace};
use navmap_core::Counts;
use navmap_core::error::{Error, Result};
use navmap_core::format::Store;

impl HeadBuf {
    fn read(header: &Header) -> Self {
        Self {
            version: header.version(),
            id: header.id(),
            origin: header.origin().store(),
            divisors: header.divisors(),
            weight_divisor: header.weight_divisor(),
            features: header.features(),
            opaque: *header.opaque(),
            unknown: header.unknown(),
        }
    }
}

impl FoxBuf {
    /// Copies a file in three walks: one checks whether its records overlap, one copies them, and one encodes the copy to compare
    /// the layout with the encoder's. If it differs, the file is kept too, so that an unchanged tile is written as it was.
    ///
    /// # Errors
    /// If a part of the file cannot be read, if records overlap repeatedly, or if the file has entries without a group.
    pub fn read(nav: &FoxNav<'_>) -> Result<Self> {
        survey(*nav, &mut Counts::default(), &mut |_| {})?;
        let mut file = Self::new(HeadBuf::read(nav.header()));
        if nav.bytes().len() == usize::try_from(nav.header().file_size()).unwrap_or(usize::MAX) {
            file.groups
                .reserve_exact(usize::try_from(nav.group_count()).unwrap_or(0).min(nav.bytes().len() >> 8));
        }
        let mut kept = 0_u32;
        for entry in nav.entries() {
            let entry = entry?;
            if entry.kind() != EntryKind::NavWorld {
                continue;
            }
            if file.groups.iter().any(|group: &GroupBuf| group.id == entry.id()) {
                let why = format!("a second NavWorld of group {}", entry.id().group());
                return Err(Error::invalid("entry", why).at(entry.offset()));
            }
            let group = Group::gather(nav.frame(), nav.entries(), entry)?;
            file.groups.push(GroupBuf::read(&group, entry.id())?);
            kept = kept.saturating_add(4);
        }
        if kept != nav.header().entry_count() {
            let why = format!("{} of them, {kept} belong to groups", nav.header().entry_count());
            return Err(Error::invalid("entries", why).at(0x0C));
        }
        for graph in nav.island_graphs() {
            file.islands.push(IslandGraphBuf::read(&graph?)?);
        }
        file.search = nav.search()?.map(|space| SearchBuf::read(&space)).transpose()?;
        if let Some(connect) = nav.connect_tiles()? {
            file.connect = connect.bytes().to_vec();
        }
        if !file.encode_canonical().is_ok_and(|bytes| bytes == nav.bytes()) {
            file.verbatim = Some(nav.bytes().into());
        }
        Ok(file)
    }

    /// Reads a file from its bytes.
    ///
    /// # Errors
    /// Those of [`FoxNav::parse`] and [`read`](Self::read).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(&FoxNav::parse(bytes)?)
    }

    /// The number of sections of the original file whose layout differs from the encoder's: entries, island graphs, search space,
    /// connect-tile info, and the head with its manifest. They are rewritten as soon as anything changes. 0 for files of the
    /// game.
    ///
    /// # Errors
    /// If the values do not fit the format.
    pub fn rewritten_sections(&self) -> Result<usize> {
        let Some(before) = self.verbatim() else { return Ok(0) };
        let kept = Self::from_bytes(before)?;
        let after = kept.encode_canonical()?;
        let (before, after) = (FoxNav::parse(before)?, FoxNav::parse(&after)?);
        let mut differ = 0_usize;
        let mut count = |differs: bool| differ = differ.saturating_add(usize::from(differs));
        let head = |nav: &FoxNav<'_>| nav.header().first_entry() as usize;
        count(before.bytes().get(..head(&before)) != after.bytes().get(..head(&after)));
        for entry in before.entries() {
            let entry = entry?;
            let same =
                |other: &crate::view::Entry<'_>| other.id() == entry.id() && other.kind() == entry.kind();
            let other = after.entries().flatten().find(same);
            count(other.is_none_or(|other| other.payload() != entry.payload()));
        }
        fn rest<'n>(nav: &FoxNav<'n>, at: u32) -> Option<&'n [u8]> {
            nav.bytes().get(usize::try_from(at).ok().filter(|at| *at != 0)?..)
        }
        let islands = |nav: &FoxNav<'_>| {
            let graphs = nav.island_graphs();
            graphs.flatten().map(|graph| usize::from(graph.header().next())).fold(0, usize::saturating_add)
        };
        let graphs = |nav: &FoxNav<'_>| {
            rest(nav, nav.header().islands_offset())
                .and_then(|all| all.get(..islands(nav)))
                .map(<[u8]>::to_vec)
        };
        if !kept.islands.is_empty() {
            count(graphs(&before) != graphs(&after));
        }
        count(rest(&before, before.header().search_offset()) != rest(&after, after.header().search_offset()));
        Ok(differ)
    }
}

impl GroupBuf {
    fn read(group: &Group<'_>, id: PackedId) -> Result<Self> {
        Ok(Self {
            id,
            world: WorldBuf::read(group)?,
            mesh: MeshBuf::read(group)?,
            bounds: group.segment_chunk().bounds().to_vec(),
            segments: group.segment_chunk().segments().to_vec(),
            graph: SegmentGraphBuf::read(group)?,
        })
    }
}

impl WorldBuf {
    fn read(group: &Group<'_>) -> Result<Self> {
        let world = group.world();
        let mut own = Self {
            positions: world.positions().to_vec(),
            nodes: Vec::with_capacity(world.nodes().len()),
            links: Vec::with_capacity(world.nodes().len().saturating_mul(7)),
            edges: world.edges().to_vec(),
            attributes: world.attributes().to_vec(),
            faces: world.face_references().to_vec(),
            unknown: world.header().unknown(),
        };
        for node in world.nodes() {
            let links = world.links(node)?;
            own.push_node(NodeBuf::read(node), links.inside, links.crossing);
        }
        Ok(own)
    }
}

impl MeshBuf {
    fn read(group: &Group<'_>) -> Result<Self> {
        let mesh = group.mesh();
        let mut faces = FaceList::default();
        faces.reserve(mesh.descriptors().len());
        for (face, descriptor) in mesh.faces().zip(mesh.descriptors()) {
            faces.push(FaceBuf {
                segment: descriptor.segment(),
                quad: descriptor.corners() == 4,
                four_nodes: descriptor.nodes() == 4,
                ..FaceBuf::read(&face?)
            });
        }
        Ok(Self { vertices: mesh.vertices().to_vec(), faces, unknown: mesh.header().unknown() })
    }
}

/// Up to four values, padded with zeros.
fn four<T: Copy + Default>(values: impl Iterator<Item = T>) -> [T; 4] {
    let mut all = [T::default(); 4];
    all.iter_mut().zip(values).for_each(|(to, value)| *to = value);
    all
}

impl FaceBuf {
    fn read(face: &Face<'_>) -> Self {
        Self {
            neighbours: four(face.neighbours().iter().map(|n| n.bits())),
            groups: four(face.groups().iter().map(|id| id.get())),
            tiles: four(face.tiles().iter().map(|id| id.get())),
            corners: four(face.corners().iter().copied()),
            nodes: four(face.nodes().iter().copied()),
            ..Self::default()
        }
    }
}

impl SegmentGraphBuf {
    fn read(group: &Group<'_>) -> Result<Self> {
        let graph = group.segment_graph();
        let mut own = Self {
            positions: graph.positions().to_vec(),
            nodes: Vec::with_capacity(graph.nodes().len()),
            unknown: graph.header().unknown(),
            ..Self::default()
        };
        for node in graph.nodes() {
            let links = graph.links(node)?;
            own.inside.extend_from_slice(links.inside);
            own.groups.extend_from_slice(links.groups);
            own.tiles.extend_from_slice(links.tiles);
            own.indices.extend_from_slice(links.indices);
            let count = |len: usize| u8::try_from(len).unwrap_or(u8::MAX);
            own.nodes.push(SegmentNodeBuf {
                islands: node.islands().map(|island| island.unwrap_or(0xFFFF)),
                inside: count(links.inside.len()),
                groups: count(links.groups.len()),
                tiles: count(links.tiles.len()),
                unknown_bits: (node.unknown_bits() & 0xF) as u8,
            });
        }
        Ok(own)
    }
}

impl IslandGraphBuf {
    fn read(graph: &IslandGraph<'_>) -> Result<Self> {
        let mut own = Self { islands: Vec::new(), sides: *graph.sides(), infos: graph.side_infos().to_vec() };
        let rest = graph.low_nodes().iter().zip(graph.segment_counts());
        for (island, (low, segments)) in graph.islands().iter().zip(rest) {
            let links = graph.links(island)?;
            own.islands.push(IslandBuf {
                position: *island.position(),
                attribute: island.attribute(),
                groups: links.groups.to_vec(),
                inside: links.inside.to_vec(),
                tiles: links.tiles.to_vec(),
                low: *low,
                segments: segments.get(),
            });
        }
        Ok(own)
    }
}

impl SearchBuf {
    fn read(space: &SearchSpace<'_>) -> Result<Self> {
        let header = space.header();
        let mut own = Self {
            origin: header.origin().store(),
            y_range: header.y_range(),
            unknown_0x0e: header.unknown_0x0e(),
            counts: header.counts(),
            side: header.side(),
            height: header.height(),
            buckets: Vec::with_capacity(space.buckets().len()),
            ..Self::default()
        };
        for (index, bucket) in space.buckets().iter().enumerate() {
            own.buckets.push(BucketBuf { listings: bucket.count(), heights: bucket.heights() });
            for listing in space.listings(index)? {
                let listing = listing?;
                let segments = u32::try_from(listing.segments.len()).unwrap_or(u32::MAX);
                own.listings.push(ListingBuf { id: listing.id, segments });
                own.segments.extend_from_slice(listing.segments);
            }
        }
        Ok(own)
    }
}
