//! Polygons one behind the other in one list of edges, since a mesh has many and each has few corners.

/// The bit of an edge that can be walked over. The others are its first vertex.
const OPEN: u32 = 1 << 31;

/// The most vertices that edges can name.
pub(crate) const MOST_VERTICES: usize = OPEN as usize;

/// A list of polygons. A soup keeps them ordered by node.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    nodes: Vec<u32>,
    /// Where the edges of each polygon end.
    ends: Vec<u32>,
    edges: Vec<u32>,
}

/// A polygon: its node, its vertices anticlockwise seen from above (the sum of x z' - x' z is negative), and for each edge whether
/// it can be walked over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loop<'l> {
    pub(crate) node: u32,
    edges: &'l [u32],
}

/// A polygon while it is cut.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) node: u32,
    edges: Vec<u32>,
}

impl Piece {
    /// A piece without corners.
    pub(crate) fn of(node: u32) -> Self {
        Self { node, edges: Vec::new() }
    }

    pub(crate) fn push(&mut self, corner: u32, open: bool) {
        self.edges.push(edge(corner, open));
    }

    pub(crate) fn as_loop(&self) -> Loop<'_> {
        Loop { node: self.node, edges: &self.edges }
    }

    /// Gives corners other numbers, and removes edges from a vertex to itself.
    pub(crate) fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        self.edges.iter_mut().for_each(|edge| *edge = *edge & OPEN | number(*edge & !OPEN));
        let mut at = 0;
        while at < self.edges.len() && self.edges.len() > 1 {
            let next = self.edges[(at + 1) % self.edges.len()];
            if (self.edges[at] ^ next) & !OPEN == 0 {
                self.edges.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Takes the place of a polygon.
    pub(crate) fn copy(&mut self, from: Loop<'_>) {
        self.node = from.node;
        self.edges.clear();
        self.edges.extend_from_slice(from.edges);
    }

    pub(crate) fn clear(&mut self, node: u32) {
        self.node = node;
        self.edges.clear();
    }
}

fn edge(corner: u32, open: bool) -> u32 {
    corner & !OPEN | if open { OPEN } else { 0 }
}

impl<'l> Loop<'l> {
    /// How many corners, and edges.
    pub(crate) fn len(self) -> usize {
        self.edges.len()
    }

    pub(crate) fn corners(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + Clone + 'l {
        self.edges.iter().map(|edge| edge & !OPEN)
    }

    /// The vertices of a corner and the one that follows it: the ends of an edge.
    pub(crate) fn ends(self, edge: usize) -> [u32; 2] {
        let next = if edge + 1 < self.edges.len() { edge + 1 } else { 0 };
        [self.edges[edge] & !OPEN, self.edges[next] & !OPEN]
    }

    /// Whether an edge can be walked over.
    pub(crate) fn is_open(self, edge: usize) -> bool {
        self.edges[edge] & OPEN != 0
    }
}

impl Loops {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of all edges.
    pub(crate) fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The number of the first edge of a polygon, among all of them.
    pub(crate) fn first_edge(&self, index: u32) -> usize {
        match (index as usize).checked_sub(1) {
            Some(before) => self.ends[before] as usize,
            None => 0,
        }
    }

    pub(crate) fn get(&self, index: u32) -> Loop<'_> {
        let edges = &self.edges[self.first_edge(index)..self.ends[index as usize] as usize];
        Loop { node: self.nodes[index as usize], edges }
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Loop<'_>> + ExactSizeIterator + Clone {
        (0..self.len()).map(|index| self.get(index as u32))
    }

    pub(crate) fn push(&mut self, polygon: Loop<'_>) {
        self.edges.extend_from_slice(polygon.edges);
        self.nodes.push(polygon.node);
        self.ends.push(self.edges.len() as u32);
    }

    /// Whether another polygon fits: their edges are numbered by 32 bits.
    pub(crate) fn has_room(&self, corners: usize) -> bool {
        self.edges.len() + corners < u32::MAX as usize
    }

    /// The polygons of a node.
    pub(crate) fn of_node(&self, node: u32) -> std::ops::Range<u32> {
        let first = self.nodes.partition_point(|of| *of < node);
        let count = self.nodes[first..].partition_point(|of| *of == node);
        first as u32..(first + count) as u32
    }

    /// Puts them into the order of nodes, those of each as they are.
    pub(crate) fn sorted(self) -> Self {
        if self.nodes.is_sorted() {
            return self;
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|index| self.nodes[*index as usize]);
        let mut sorted = Self::default();
        order.into_iter().for_each(|index| sorted.push(self.get(index)));
        sorted
    }
}

/// A list of items for each edge.
pub(crate) struct PerEdge<T> {
    heads: Vec<u32>,
    /// Each item, and the place of the next one of its edge.
    items: Vec<(T, u32)>,
}

const NONE: u32 = u32::MAX;

impl<T: Copy> PerEdge<T> {
    pub(crate) fn new(edges: usize) -> Self {
        Self { heads: vec![NONE; edges], items: Vec::new() }
    }

    /// The items of an edge, in the order in which they were added.
    pub(crate) fn of(&self, edge: usize) -> impl Iterator<Item = T> + Clone {
        let item = |at: u32| self.items.get(at as usize);
        let first = item(self.heads.get(edge).copied().unwrap_or(NONE));
        std::iter::successors(first, move |(_, next)| item(*next)).map(|(value, _)| *value)
    }

    /// Adds an item to an edge, behind the others: linear in these.
    pub(crate) fn push(&mut self, edge: usize, item: T) {
        let new = self.items.len() as u32;
        let mut at = self.heads[edge];
        if at == NONE {
            self.heads[edge] = new;
        }
        while let Some((_, next)) = self.items.get_mut(at as usize) {
            at = *next;
            if at == NONE {
                *next = new;
            }
        }
        self.items.push((item, NONE));
    }
}
