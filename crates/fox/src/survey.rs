//! Walks over everything once: counts, and findings at no extra cost.

use super::record::{FaceIndex, Neighbour, Position};
use super::view::{Adjacent, Crossing, Face, FoxNav, Group, IslandGraph, SearchSpace};
use navmap_core::Counts;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::{Finding, Severity};

/// Names of the counts, in order.
pub(super) const COUNTS: [&str; 6] = ["groups", "segments", "vertices", "faces", "nav_nodes", "nav_edges"];

/// Counts everything in one walk, and reports findings on the way.
pub(super) fn survey(nav: FoxNav<'_>, counts: &mut Counts, found: &mut dyn FnMut(Finding)) -> Result<()> {
    COUNTS.iter().for_each(|name| counts.add(name, 0));
    Survey::new(nav, found).run(counts)
}

/// One walk over a file. It visits every record, checks every index against the list it points into, and allocates nothing.
struct Survey<'a, 'f> {
    nav: FoxNav<'a>,
    found: &'f mut dyn FnMut(Finding),
    budget: Budget,
    tool: bool,
    /// Kinds of dangling indices that were reported in the current group.
    told: [&'static str; 8],
}

/// Bytes of variable length that a walk may still visit. Records of a sound file do not overlap, so their total is at most the
/// file's length. If records share bytes repeatedly, the walk stops before it becomes quadratic.
pub(super) struct Budget {
    left: u64,
    of: u64,
}

impl Budget {
    pub(super) fn new(nav: &FoxNav<'_>) -> Self {
        let of = (nav.bytes().len() as u64).saturating_mul(4);
        Self { left: of, of }
    }

    #[inline]
    pub(super) fn charge(&mut self, bytes: usize, at: u64) -> Result<()> {
        match self.left.checked_sub(bytes as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.spent(at)),
        }
    }

    #[cold]
    fn spent(&self, at: u64) -> Error {
        let (asked, allowed) = (self.of.saturating_add(1), self.of);
        Error::new(ErrorKind::Limit { what: "bytes of records that overlap", asked, allowed }).at(at)
    }
}

impl<'a, 'f> Survey<'a, 'f> {
    fn new(nav: FoxNav<'a>, found: &'f mut dyn FnMut(Finding)) -> Self {
        Self { nav, found, budget: Budget::new(&nav), tool: nav.is_obj2nav2(), told: [""; 8] }
    }

    fn run(&mut self, counts: &mut Counts) -> Result<()> {
        let per_kind = self.entries()?;
        for group in self.nav.groups() {
            let group = group?;
            counts.add("groups", 1);
            self.group(&group, counts).map_err(|error| error.in_record("group", u64::from(group.id().0)))?;
        }
        if per_kind.iter().any(|count| per_kind.first() != Some(count)) {
            let message = format!("{per_kind:?} entries of the four types, each group has one of each");
            self.report(
                Severity::Error,
                "entries-unpaired",
                message,
                u64::from(self.nav.header().first_entry()),
            );
        }
        for graph in self.nav.island_graphs() {
            self.islands(&graph?)?;
        }
        if let Some(space) = self.nav.search()? {
            self.search(&space)?;
        }
        if let Some(connect) = self.nav.connect_tiles()? {
            self.budget.charge(connect.bytes().len(), connect.offset())?;
        }
        let (stated, real) = (u64::from(self.nav.header().file_size()), self.nav.bytes().len() as u64);
        if real > stated && stated >= self.nav.entries_end() && !self.tool {
            (self.found)(Finding::trailing(real.saturating_sub(stated), stated));
        } else if stated != real {
            let (severity, message) = (
                if self.tool { Severity::Deviation } else { Severity::Warning },
                format!("the file states a size of {stated} bytes and has {real}"),
            );
            self.report(severity, "file-size", message, 4);
        }
        Ok(())
    }

    #[cold]
    fn report(&mut self, severity: Severity, code: &'static str, message: String, at: u64) {
        (self.found)(Finding::new(severity, code, message).at(at));
    }

    /// Reports a dangling index, only the first of each kind per group. An error in a file of the game's tools; Obj2Nav2 is known
    /// to write them.
    #[cold]
    fn dangling(&mut self, what: &'static str, record: (&'static str, usize), at: u64) {
        if self.told.contains(&what) {
            return;
        }
        if let Some(free) = self.told.iter_mut().find(|told| told.is_empty()) {
            *free = what;
        }
        let severity = if self.tool { Severity::Deviation } else { Severity::Error };
        (self.found)(
            Finding::new(severity, "dangling-index", format!("{what} points outside its table"))
                .at(at)
                .in_record(record.0, record.1 as u64),
        );
    }

    fn entries(&mut self) -> Result<[u32; 4]> {
        let mut per_kind = [0_u32; 4];
        for entry in self.nav.entries() {
            let entry = entry?;
            match entry.kind().slot().and_then(|slot| per_kind.get_mut(slot)) {
                Some(count) => *count = count.saturating_add(1),
                None => {
                    let message = format!("entry of {}, which nothing is known of", entry.kind());
                    self.report(Severity::Warning, "unknown-entry", message, entry.offset());
                }
            }
        }
        Ok(per_kind)
    }

    fn group(&mut self, group: &Group<'a>, counts: &mut Counts) -> Result<()> {
        self.told = [""; 8];
        counts.add("segments", group.segment_chunk().segments().len() as u64);
        counts.add("vertices", group.mesh().vertices().len() as u64);
        self.segments(group);
        self.mesh(group, counts)?;
        self.world(group, counts)?;
        self.segment_graph(group)
    }

    fn segments(&mut self, group: &Group<'a>) {
        let chunk = group.segment_chunk();
        let (vertices, faces) = (group.mesh().vertices().len(), group.mesh().descriptors().len());
        let (nodes, edges) = (group.world().nodes().len(), group.world().edges().len());
        for (index, segment) in chunk.segments().iter().enumerate() {
            let outside = segment.vertices().end > vertices || segment.faces().end > faces;
            // Obj2Nav2 guesses the counts of nodes and edges. Nothing is read through such a range.
            let guessed = !self.tool && (segment.nodes().end > nodes || segment.edges().end > edges);
            if outside || guessed {
                let message = format!(
                    "vertices {:?} of {vertices}, faces {:?} of {faces}, nodes {:?} of {nodes}, edges {:?} of {edges}",
                    segment.vertices(),
                    segment.faces(),
                    segment.nodes(),
                    segment.edges(),
                );
                (self.found)(
                    Finding::new(Severity::Error, "segment-range", message)
                        .at(chunk.segment_offset(index))
                        .in_record("segment", index as u64),
                );
            }
        }
        let disordered = |low: &Position, high: &Position| {
            low.quantised().into_iter().zip(high.quantised()).any(|(low, high)| low > high)
        };
        if let Some(index) = chunk.bounds().iter().position(|b| disordered(b.min(), b.max())) {
            (self.found)(
                Finding::new(Severity::Warning, "bounds-reversed", "a segment's box is inside out")
                    .at(chunk.segment_offset(index))
                    .in_record("segment", index as u64),
            );
        }
    }

    fn mesh(&mut self, group: &Group<'a>, counts: &mut Counts) -> Result<()> {
        let mesh = group.mesh();
        let faces = mesh.descriptors().len();
        for (index, face) in mesh.faces().enumerate() {
            let face = face.inspect_err(|_| counts.add("faces", index as u64))?;
            let descriptor = mesh.descriptors().get(index);
            let at = || descriptor.map_or(0, |d| mesh.face_offset(d));
            self.budget.charge(face.byte_len(), at())?;
            if Self::face_dangles(&face, faces) {
                self.dangling("a neighbour of the face", ("face", index), at());
            }
        }
        counts.add("faces", faces as u64);
        Ok(())
    }

    #[inline]
    fn face_dangles(face: &Face<'_>, faces: usize) -> bool {
        if face.groups().is_empty() {
            let inside = |n: &Neighbour| n.is_border() || n.face().index() < faces;
            return !face.neighbours().iter().all(inside);
        }
        (0..face.neighbours().len()).any(|side| {
            matches!(face.across(side), Some(Adjacent::Face(FaceIndex(to))) if usize::from(to) >= faces)
        })
    }

    fn world(&mut self, group: &Group<'a>, counts: &mut Counts) -> Result<()> {
        let world = group.world();
        let (nodes, edges, faces) =
            (world.nodes().len(), world.edges().len(), group.mesh().descriptors().len());
        let segments = group.segment_chunk().segments().len();
        for (index, node) in world.nodes().iter().enumerate() {
            let links = world.links(node).map_err(|error| {
                counts.add("nav_nodes", index as u64);
                error.in_record("node", index as u64)
            })?;
            self.budget.charge(links.byte_len(), world.node_offset(index))?;
            let inside = links.inside.iter().fold(true, |sound, link| {
                sound & (link.node().index() < nodes) & (usize::from(link.edge()) < edges)
            });
            let crossing = match links.crossing {
                Some(Crossing::Segment { node }) => node.index() < nodes,
                _ => true,
            };
            if !inside || !crossing {
                self.dangling("a link of the node", ("node", index), world.node_offset(index));
            }
            if node.segment().index() >= segments {
                self.dangling("the segment of the node", ("node", index), world.node_offset(index));
            }
        }
        let sound = world
            .face_references()
            .iter()
            .fold(true, |sound, face| sound & (usize::from(face.get()) < faces));
        if !sound {
            let bad = world.face_references().iter().position(|face| usize::from(face.get()) >= faces);
            let bad = bad.unwrap_or_default();
            self.dangling("the face reference of the node", ("node", bad), world.node_offset(bad));
        }
        counts.add("nav_nodes", nodes as u64);
        counts.add("nav_edges", edges as u64);
        let sound =
            world.edges().iter().fold(true, |sound, edge| sound & (edge.segment().index() < segments));
        if !sound {
            let bad = world.edges().iter().position(|edge| edge.segment().index() >= segments);
            self.dangling("the segment of the edge", ("edge", bad.unwrap_or_default()), world.node_offset(0));
        }
        Ok(())
    }

    fn segment_graph(&mut self, group: &Group<'a>) -> Result<()> {
        let graph = group.segment_graph();
        let nodes = graph.nodes().len();
        for (index, node) in graph.nodes().iter().enumerate() {
            let links = graph.links(node).map_err(|error| error.in_record("segment node", index as u64))?;
            let at = graph.node_offset(index);
            self.budget.charge(links.byte_len(), at)?;
            if !links.inside.iter().all(|link| link.segment().index() < nodes) {
                self.dangling("a link of the segment", ("segment node", index), at);
            }
        }
        Ok(())
    }

    fn islands(&mut self, graph: &IslandGraph<'a>) -> Result<()> {
        let islands = graph.islands().len();
        for (index, island) in graph.islands().iter().enumerate() {
            let at = graph.island_offset(index);
            let links = graph.links(island).map_err(|error| error.in_record("island", index as u64))?;
            self.budget.charge(links.byte_len(), at)?;
            if !links.inside.iter().all(|link| usize::from(link.island()) < islands)
                || !links.tiles.iter().all(|link| graph.side_info(link).is_some())
            {
                self.dangling("a link of the island", ("island", index), at);
            }
        }
        self.budget.charge(usize::from(graph.header().next()), graph.offset())
    }

    fn search(&mut self, space: &SearchSpace<'a>) -> Result<()> {
        for bucket in 0..space.buckets().len() {
            for listing in space.listings(bucket)? {
                let listing = listing.map_err(|error| error.in_record("bucket", bucket as u64))?;
                let bytes = size_of_val(listing.segments).saturating_add(8);
                self.budget.charge(bytes, space.bucket_offset(bucket))?;
                if !listing.segments.is_sorted_by(|a, b| a.get() < b.get()) {
                    (self.found)(
                        Finding::new(Severity::Warning, "listing-order", "listed segments do not ascend")
                            .at(space.bucket_offset(bucket))
                            .in_record("bucket", bucket as u64),
                    );
                }
            }
        }
        let end = space.offset().saturating_add(u64::from(space.header().size()));
        if end != self.nav.bytes().len() as u64 {
            let severity = if self.tool { Severity::Deviation } else { Severity::Warning };
            let message =
                format!("it states that it ends at {end:#x}, the file ends at {:#x}", self.nav.bytes().len());
            self.report(severity, "search-size", message, space.offset().saturating_add(44));
        }
        Ok(())
    }
}
