//! Fox tiles.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::fox::*;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{Point, Shape, Up};
use navmap_fox::{Adjacent, Crossing, FoxNav, Frame, Group, GroupFace};

/// Fills the tables of one file. A group that cannot be read is skipped.
///
/// # Errors
/// The first thing that could not be read.
pub(super) fn fill(nav: &FoxNav<'_>, out: &mut Out<'_>) -> Result<()> {
    let mut pass = Pass {
        frame: nav.frame(),
        left: (nav.bytes().len() as u64).saturating_mul(4),
        counts: [0; 6],
        damage: None,
    };
    let tables = [
        &FOX_SEGMENTS,
        &FOX_SEGMENT_LINKS,
        &FOX_VERTICES,
        &FOX_FACES,
        &FOX_NAV_NODES,
        &FOX_NAV_EDGES,
        &FOX_ISLANDS,
    ];
    out.with(tables, |sheets| {
        for group in nav.groups() {
            let done = group.and_then(|group| {
                pass.group(&group, sheets).map_err(|error| error.in_record("group", group.id().0.into()))
            });
            pass.keep(done);
        }
        let [.., islands] = sheets;
        if islands.is_wanted() {
            for (graph, islands_of) in (0..=u8::MAX).zip(nav.island_graphs()) {
                let done = islands_of.and_then(|of| pass.islands(graph, &of, islands));
                pass.keep(done);
            }
        }
    });
    let search = nav.search();
    out.with([&FOX_TILES], |[tiles]| {
        let header = nav.header();
        let ([origin_x, origin_y, origin_z], [divisor_x, divisor_y, divisor_z]) =
            (header.origin(), header.divisors());
        let [group_count, segments, vertices, faces, nav_nodes, nav_edges] = pass.counts;
        let space = search.as_ref().ok().and_then(|space| space.as_ref()).map(|space| space.header());
        tiles.push(TileRow {
            version: header.version(),
            tile_id: nav.tile().0,
            part: header.part(),
            origin_x,
            origin_y,
            origin_z,
            divisor_x,
            divisor_y,
            divisor_z,
            weight_divisor: header.weight_divisor(),
            feature_flags: header.features(),
            island_graphs: header.island_graphs(),
            opaque_id: *header.opaque(),
            group_count,
            segments,
            vertices,
            faces,
            nav_nodes,
            nav_edges,
            buckets_x: space.map(|space| space.counts()[0]),
            buckets_z: space.map(|space| space.counts()[2]),
            bucket_side: space.map(|space| space.side()),
        });
    });
    pass.keep(search.map(drop));
    pass.damage.map_or(Ok(()), Err)
}

struct Pass {
    frame: Frame,
    /// Bytes of variable length that may still be visited: records of a sound file do not overlap.
    left: u64,
    counts: [u32; 6],
    damage: Option<Error>,
}

impl Pass {
    fn keep(&mut self, done: Result<()>) {
        if let Err(error) = done {
            self.damage.get_or_insert(error);
        }
    }

    fn charge(&mut self, bytes: usize) -> Result<()> {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::invalid("links", "overlap over and over")),
        }
    }

    fn group(&mut self, group: &Group<'_>, sheets: &mut [Sheet<'_>; 7]) -> Result<()> {
        let [segments, segment_links, vertices, faces, nodes, edges, _] = sheets;
        let (world, mesh) = (group.world(), group.mesh());
        let counts = [
            1,
            group.segment_chunk().segments().len(),
            mesh.vertices().len(),
            mesh.descriptors().len(),
            world.nodes().len(),
            world.edges().len(),
        ];
        for (sum, more) in self.counts.iter_mut().zip(counts) {
            *sum = sum.saturating_add(more as u32);
        }
        if segments.is_wanted() {
            self.segments(group, segments)?;
        }
        if segment_links.is_wanted() {
            self.segment_links(group, segment_links)?;
        }
        if vertices.is_wanted() {
            self.vertices(group, vertices)?;
        }
        if faces.is_wanted() {
            for face in group.faces() {
                push_face(group, &face?, self.frame, faces);
            }
        }
        if nodes.is_wanted() {
            self.nodes(group, nodes)?;
        }
        if edges.is_wanted() {
            self.edges(group, edges);
        }
        Ok(())
    }

    fn segments(&self, group: &Group<'_>, out: &mut Sheet<'_>) -> Result<()> {
        let graph = group.segment_graph();
        for view in group.segments() {
            let view = view?;
            let (record, at) = (view.record(), view.index().index());
            let (low, high) = (self.frame.world(view.bounds().min()), self.frame.world(view.bounds().max()));
            let node = graph.nodes().get(at);
            let point = graph.positions().get(at).map(|position| self.frame.world(position));
            out.push(SegmentRow {
                group_id: group.id().0,
                segment: view.index().0,
                attribute: view.attribute(),
                min_x: low[0],
                min_y: low[1],
                min_z: low[2],
                max_x: high[0],
                max_y: high[1],
                max_z: high[2],
                vertices: record.vertices().len() as u32,
                faces: record.faces().len() as u32,
                nav_nodes: record.nodes().len() as u32,
                nav_edges: record.edges().len() as u32,
                island: node.and_then(|node| node.islands()[0]),
                x: point.map(|point| point[0]),
                y: point.map(|point| point[1]),
                z: point.map(|point| point[2]),
                links_inside: node.map(|node| node.inside_links() as u8),
                links_group: node.map(|node| node.group_links() as u8),
                links_tile: node.map(|node| node.tile_links() as u8),
            });
        }
        Ok(())
    }

    fn segment_links(&mut self, group: &Group<'_>, out: &mut Sheet<'_>) -> Result<()> {
        let (graph, frame, group_id) = (group.segment_graph(), self.frame, group.id().0);
        for (src, node) in (0..=u16::MAX).zip(graph.nodes()) {
            let links = graph.links(node).map_err(|error| error.in_record("segment node", src.into()))?;
            self.charge(links.byte_len())?;
            let row = |kind, dst_tile, dst_group, dst, weight, crossings: usize| SegmentLinkRow {
                group_id,
                src,
                kind,
                dst_tile,
                dst_group,
                dst,
                weight: frame.metres(weight),
                crossings: crossings as u8,
            };
            for link in links.inside {
                out.push(row("inside", None, None, link.segment().0, link.weight(), link.crossings()));
            }
            for link in links.groups {
                let to = Some(link.group().0);
                out.push(row("group", None, to, link.segment().0, link.weight(), link.crossings()));
            }
            for link in links.tiles {
                let (tile, to) = (Some(link.tile().0), Some(link.group().0));
                out.push(row("tile", tile, to, link.segment().0, link.weight(), link.crossings()));
            }
        }
        Ok(())
    }

    fn vertices(&self, group: &Group<'_>, out: &mut Sheet<'_>) -> Result<()> {
        let stored = group.mesh().vertices();
        let mut of = vec![None; stored.len()];
        for view in group.segments() {
            let view = view?;
            for slot in of.get_mut(view.record().vertices()).into_iter().flatten() {
                *slot = Some(view.index().0);
            }
        }
        for ((vertex, position), segment) in (0..=u16::MAX).zip(stored).zip(of) {
            let ([x, y, z], [qx, qy, qz]) = (self.frame.world(position), position.quantised());
            out.push(VertexRow { group_id: group.id().0, vertex, segment, x, y, z, qx, qy, qz });
        }
        Ok(())
    }

    fn nodes(&mut self, group: &Group<'_>, out: &mut Sheet<'_>) -> Result<()> {
        let world = group.world();
        for (at, (node, position)) in world.nodes().iter().zip(world.positions()).enumerate() {
            let links = world.links(node).map_err(|error| error.in_record("node", at as u64))?;
            self.charge(links.byte_len())?;
            let (crossing, dst_tile, dst_group, dst_node) = match links.crossing {
                None => (None, None, None, None),
                Some(Crossing::Segment { node }) => (Some("segment"), None, None, Some(node.0)),
                Some(Crossing::Group { group, node }) => (Some("group"), None, Some(group.0), Some(node.0)),
                Some(Crossing::Tile { tile, group, node }) => {
                    (Some("tile"), Some(tile.0), Some(group.0), Some(node.0).filter(|n| *n != u16::MAX))
                }
            };
            let [x, y, z] = self.frame.world(position);
            out.push(NavNodeRow {
                group_id: group.id().0,
                node: at as u16,
                segment: node.segment().0,
                x,
                y,
                z,
                face: world.face_references().get(at).map(|face| face.get()),
                crossing,
                dst_tile,
                dst_group,
                dst_node,
                kind: node.crossing_bits(),
                geometry: Some(Geometry::point([x, y, z], Up::Y)),
            });
        }
        Ok(())
    }

    fn edges(&self, group: &Group<'_>, out: &mut Sheet<'_>) {
        let mut known = None;
        for (at, edge) in group.world().edges().iter().enumerate() {
            let segment = edge.segment();
            let base = match known {
                Some((of, base)) if of == segment => base,
                _ => group.segment_nodes(segment).start,
            };
            known = Some((segment, base));
            let [a, b] = edge.local_nodes().map(|node| base.saturating_add(node.into()));
            let node = |node: usize| u16::try_from(node).ok();
            out.push(NavEdgeRow {
                group_id: group.id().0,
                edge: at as u16,
                segment: segment.0,
                src: node(a.min(b)),
                dst: node(a.max(b)),
                weight: edge.weight(),
                length: self.frame.metres(edge.weight()),
                kind: edge.kind(),
            });
        }
    }

    fn islands(&mut self, graph: u8, of: &navmap_fox::IslandGraph<'_>, out: &mut Sheet<'_>) -> Result<()> {
        let rows = of.islands().iter().zip(of.segment_counts());
        for (island, (stored, segments)) in (0..=u16::MAX).zip(rows) {
            let links = of.links(stored).map_err(|error| error.in_record("island", island.into()))?;
            self.charge(links.byte_len())?;
            let count =
                links.groups.len().saturating_add(links.inside.len()).saturating_add(links.tiles.len());
            let [x, y, z] = self.frame.world(stored.position());
            out.push(IslandRow {
                graph,
                island,
                x,
                y,
                z,
                attribute: stored.attribute(),
                segments: segments.get(),
                links: count as u32,
            });
        }
        Ok(())
    }
}

/// What a side of a face adjoins: face, kind, group, tile, and the node of the side.
type Across = (Option<u16>, Option<u8>, Option<u16>, Option<u16>, Option<u16>);

fn push_face(group: &Group<'_>, whole: &GroupFace<'_>, frame: Frame, out: &mut Sheet<'_>) {
    let corners = whole.corners.as_slice();
    let positions = group.mesh().vertices();
    let point = |vertex: &u16| positions.get(usize::from(*vertex)).map(|at| Point::from(frame.world(at)));
    let mut points = [Point::default(); 4];
    let known = points.iter_mut().zip(corners.iter().filter_map(point)).map(|(to, from)| *to = from).count();
    let shape = Shape::Polygon(points.get(..known).unwrap_or_default());
    let surface = shape.area().unwrap_or_default();
    let base = group.segment_nodes(whole.segment).start;
    let side = |side: usize| -> Across {
        let node = whole.face.nodes().get(side).map(|node| base.saturating_add(usize::from(*node)));
        let node = node.and_then(|node| u16::try_from(node).ok());
        match whole.face.across(side) {
            None => (None, None, None, None, None),
            Some(Adjacent::Border) => (None, None, None, None, node),
            Some(Adjacent::Face(face)) => (Some(face.0), Some(0), None, None, node),
            Some(Adjacent::Group { group, face }) => (Some(face.0), Some(1), Some(group.0), None, node),
            Some(Adjacent::Tile { tile, group }) => (None, Some(2), Some(group.0), Some(tile.0), node),
            Some(Adjacent::Dynamic { tile, group, face }) => {
                (Some(face.0), Some(3), Some(group.0), Some(tile.0), node)
            }
        }
    };
    let corner = |at: usize| corners.get(at).copied();
    let (neighbour_0, kind_0, group_0, tile_0, node_0) = side(0);
    let (neighbour_1, kind_1, group_1, tile_1, node_1) = side(1);
    let (neighbour_2, kind_2, group_2, tile_2, node_2) = side(2);
    let (neighbour_3, kind_3, group_3, tile_3, node_3) = side(3);
    out.push(FaceRow {
        group_id: group.id().0,
        face: whole.index.0,
        segment: whole.segment.0,
        a: corner(0),
        b: corner(1),
        c: corner(2),
        d: corner(3),
        neighbour_0,
        kind_0,
        group_0,
        tile_0,
        node_0,
        neighbour_1,
        kind_1,
        group_1,
        tile_1,
        node_1,
        neighbour_2,
        kind_2,
        group_2,
        tile_2,
        node_2,
        neighbour_3,
        kind_3,
        group_3,
        tile_3,
        node_3,
        surface: surface as f32,
        geometry: (known == corners.len()).then(|| Geometry::new(shape, Up::Y)),
    });
}
