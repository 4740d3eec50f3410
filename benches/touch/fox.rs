//! What a visit to a Fox tile touches.

use navmap::format::fox::{Crossing, FoxNav, Group};

/// Adds up every field of every record, through the getters.
pub(crate) fn visit(nav: FoxNav<'_>) -> u64 {
    let mut sum = nav.manifest().iter().map(|d| u64::from(d.payload() ^ d.size() ^ d.kind())).sum::<u64>();
    for entry in nav.entries() {
        sum += entry.unwrap().offset();
    }
    for group in nav.groups() {
        sum += visit_group(&group.unwrap());
    }
    for graph in nav.island_graphs() {
        let graph = graph.unwrap();
        for (island, low) in graph.islands().iter().zip(graph.low_nodes()) {
            let links = graph.links(island).unwrap();
            sum += u64::from(low.node().0) + u64::from(island.attribute());
            sum += links
                .inside
                .iter()
                .map(|link| u64::from(link.weight()) + u64::from(link.island()))
                .sum::<u64>();
            sum += links.tiles.iter().map(|link| u64::from(link.info())).sum::<u64>();
        }
        sum += graph.side_infos().iter().map(|info| u64::from(info.weight())).sum::<u64>();
        sum += graph.segment_counts().iter().map(|count| u64::from(count.get())).sum::<u64>();
    }
    if let Some(space) = nav.search().unwrap() {
        for (index, bucket) in space.buckets().iter().enumerate() {
            sum += u64::from(bucket.heights()[0]) + u64::from(bucket.heights()[1]);
            for listing in space.listings(index).unwrap() {
                let listing = listing.unwrap();
                sum += listing.segments.iter().map(|s| u64::from(s.get())).sum::<u64>();
            }
        }
    }
    sum
}

fn visit_group(group: &Group<'_>) -> u64 {
    let mut sum = 0;
    let three = |[x, y, z]: [u16; 3]| u64::from(x) + u64::from(y) + u64::from(z);
    let world = group.world();
    sum += world.positions().iter().map(|p| three(p.quantised())).sum::<u64>();
    for node in world.nodes() {
        let links = world.links(node).unwrap();
        sum += u64::from(node.segment().0);
        for link in links.inside {
            sum += u64::from(link.node().0) + u64::from(link.edge());
        }
        sum += match links.crossing {
            None => 0,
            Some(Crossing::Segment { node }) => u64::from(node.0),
            Some(Crossing::Group { group, node }) => u64::from(group.0) + u64::from(node.0),
            Some(Crossing::Tile { tile, group, node }) => u64::from(tile.0 ^ group.0 ^ node.0),
        };
    }
    for edge in world.edges() {
        let [a, b] = edge.local_nodes();
        sum += u64::from(edge.weight()) + u64::from(edge.segment().0) + u64::from(a) + u64::from(b);
    }
    sum += world.attributes().iter().chain(world.face_references()).map(|v| u64::from(v.get())).sum::<u64>();

    let mesh = group.mesh();
    sum += mesh.vertices().iter().map(|p| three(p.quantised())).sum::<u64>();
    for face in mesh.faces() {
        let face = face.unwrap();
        sum += face.neighbours().iter().map(|n| u64::from(n.bits())).sum::<u64>();
        sum += face.corners().iter().chain(face.nodes()).map(|v| u64::from(*v)).sum::<u64>();
        sum += face.groups().iter().chain(face.tiles()).map(|v| u64::from(v.get())).sum::<u64>();
    }
    let chunk = group.segment_chunk();
    for (segment, bounds) in chunk.segments().iter().zip(chunk.bounds()) {
        sum += three(bounds.min().quantised()) + three(bounds.max().quantised());
        sum +=
            (segment.vertices().end + segment.faces().end + segment.edges().end + segment.nodes().end) as u64;
    }
    let graph = group.segment_graph();
    sum += graph.positions().iter().map(|p| three(p.quantised())).sum::<u64>();
    for node in graph.nodes() {
        let links = graph.links(node).unwrap();
        sum += links.inside.iter().map(|l| u64::from(l.weight()) + u64::from(l.segment().0)).sum::<u64>();
        sum += links.groups.iter().map(|l| u64::from(l.weight()) + u64::from(l.segment().0)).sum::<u64>();
        sum += links.tiles.iter().map(|l| u64::from(l.weight()) + u64::from(l.group().0)).sum::<u64>();
        sum += links.indices.iter().map(|i| u64::from(*i)).sum::<u64>();
    }
    sum
}
