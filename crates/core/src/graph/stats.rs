//! Counts and sizes of a graph.

use super::csr::Rows;
use super::reach::Reach;
use super::{Aabb, Axes, Csr, Islands, Link, LinkKind, NavGraph, Node, Partial, Visitor, Wants};
use crate::counts::Counts;
use crate::text::plural;
use crate::text::{Grouped, fact};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Counts and sizes of a graph. `info` prints them, and a `scan` row adds them with `--graph`.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    /// The format's word for a node.
    pub node_word: &'static str,
    /// Nodes.
    pub nodes: u64,
    /// Links between nodes.
    pub links: u64,
    /// Links to nodes that are not loaded or do not exist.
    pub outside: u64,
    /// For each kind that occurs, the number of its links, including those to the outside.
    pub kinds: Vec<(LinkKind, u64)>,
    /// Islands: components if link directions are ignored.
    pub components: u64,
    /// Nodes of the largest island.
    pub largest_component: u64,
    /// Components in which every node can reach every other.
    pub strong_components: u64,
    /// Links without a link back between the same two nodes.
    pub one_way_links: u64,
    /// Nodes without any link, in or out.
    pub isolated: u64,
    /// Nodes that no link reaches, but that have outgoing links.
    pub unreachable: u64,
    /// Nodes that links reach, but without outgoing links.
    pub dead_ends: u64,
    /// The most links that leave one node.
    pub max_out_degree: u64,
    /// Area of all polygons in square metres; `None` for a graph of points.
    pub area_m2: Option<f64>,
    /// The box of all corners, in the file's axes and units; `None` if there are none.
    pub bounds: Option<Aabb>,
    /// Axes and unit of `bounds`.
    pub axes: Axes,
}

impl Stats {
    /// Counts a graph, in one pass over the file, then linear in nodes and links. Of a damaged file, counts the part before the
    /// damage.
    pub fn of(graph: &impl NavGraph) -> Partial<Self> {
        let mut pass =
            Pass { rows: Rows::default(), kinds: [0; LinkKind::ALL.len()], area: None, bounds: Aabb::EMPTY };
        let error = graph.visit(&mut pass).err();
        Partial { value: Self::of_pass(pass, graph.node_word(), graph.axes()), error }
    }

    fn of_pass(pass: Pass, node_word: &'static str, axes: Axes) -> Self {
        let metres = f64::from(axes.metres_per_unit);
        let area_m2 = pass.area.map(|area| area * metres * metres);
        let kinds = LinkKind::ALL.into_iter().zip(pass.kinds).filter(|&(_, count)| count > 0).collect();
        let bounds = Some(pass.bounds).filter(|bounds| !bounds.is_empty());
        let csr = pass.rows.finish();
        let mut value = Self { node_word, area_m2, kinds, bounds, axes, ..Self::of_links(&csr) };
        value.outside = csr.outside();
        value
    }

    /// The counts that need only links.
    fn of_links(csr: &Csr) -> Self {
        let weak = Islands::weak(csr);
        let reached = csr.in_degrees();
        let (mut isolated, mut unreachable, mut dead_ends, mut max_out_degree) = (0, 0, 0, 0);
        for (node, &reached) in reached.iter().enumerate() {
            let leaving = csr.out_degree(node as u32) as u64;
            max_out_degree = leaving.max(max_out_degree);
            match Reach::classify(reached, leaving as usize) {
                Reach::Isolated => isolated += 1,
                Reach::Unreachable => unreachable += 1,
                Reach::DeadEnd => dead_ends += 1,
                Reach::Both => {}
            }
        }
        Self {
            node_word: "node",
            nodes: csr.len() as u64,
            links: csr.links() as u64,
            outside: csr.outside(),
            kinds: Vec::new(),
            components: weak.len() as u64,
            largest_component: weak.sizes().first().copied().unwrap_or(0).into(),
            strong_components: Islands::strong(csr).len() as u64,
            one_way_links: csr.one_way(),
            isolated,
            unreachable,
            dead_ends,
            max_out_degree,
            area_m2: None,
            bounds: None,
            axes: Axes::z_up(1.0),
        }
    }

    /// The names of the counts that [`count_into`](Self::count_into) adds.
    pub const COUNTS: [&'static str; 2] = ["components", "largest_component"];

    /// Adds the counts that a `scan` row shows.
    pub fn count_into(&self, counts: &mut Counts) {
        let [components, largest] = Self::COUNTS;
        counts.add(components, self.components);
        counts.add(largest, self.largest_component);
    }

    /// Area of all polygons in square units of the file; `None` for a graph of points.
    pub fn area_units(&self) -> Option<f64> {
        let metres = f64::from(self.axes.metres_per_unit);
        self.area_m2.map(|area| area / (metres * metres))
    }

    /// Writes the lines of an info sheet. Lengths are in metres and in game units.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_in(None, out)
    }

    /// Writes the lines of an info sheet, with lengths in these units; in both for `None`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_in(&self, units: Option<Units>, out: &mut dyn Write) -> io::Result<()> {
        let largest = match self.nodes {
            0 => String::new(),
            nodes => {
                let share = self.largest_component as f64 / nodes as f64 * 100.0;
                let word = plural(self.node_word, self.largest_component);
                format!(" (the largest has {} {word}, {share:.1} %)", Grouped(self.largest_component))
            }
        };
        fact(out, "islands", format_args!("{}{largest}", Grouped(self.components)))?;
        fact(out, "strong components", Grouped(self.strong_components))?;
        let kinds: Vec<_> =
            self.kinds.iter().map(|(kind, count)| format!("{kind} {}", Grouped(*count))).collect();
        fact(out, "links by kind", kinds.join(", "))?;
        fact(out, "links outside", Grouped(self.outside))?;
        fact(out, "one-way links", Grouped(self.one_way_links))?;
        let word = format!("{} {}", Grouped(self.isolated), plural(self.node_word, self.isolated));
        fact(out, "without any link", word)?;
        fact(out, "unreachable", Grouped(self.unreachable))?;
        fact(out, "dead ends", Grouped(self.dead_ends))?;
        fact(out, "most links", Grouped(self.max_out_degree))?;
        // If a unit is a metre, both are the same.
        let units = if self.axes.metres_per_unit == 1.0 { Some(Units::Metres) } else { units };
        let shown = |wanted: Units| units.is_none_or(|units| units == wanted);
        if let (Some(metres), Some(game)) = (self.area_m2, self.area_units()) {
            let [metres, game] = [metres, game].map(|area| Grouped(area.round() as u64));
            let words =
                [(Units::Metres, format!("{metres} m2")), (Units::Game, format!("{game} square units"))];
            fact(out, "area", those(&words, shown))?;
        }
        if let Some(Aabb { min, max }) = self.bounds {
            let metres = self.axes.metres_per_unit;
            let [x, y, z] = [max.x - min.x, max.y - min.y, max.z - min.z];
            let [a, b, c] = [x, y, z].map(|extent| extent * metres);
            fact(out, "bounds", format_args!("{:?} to {:?}", min.to_array(), max.to_array()))?;
            let words = [
                (Units::Metres, format!("{a:.1} x {b:.1} x {c:.1} m")),
                (Units::Game, format!("{x:.0} x {y:.0} x {z:.0} units")),
            ];
            fact(out, "size", those(&words, shown))?;
            if units != Some(Units::Game) && self.axes.metres_per_unit != 1.0 {
                fact(out, "scale", format_args!("1 unit is {metres} m"))?;
            }
        }
        Ok(())
    }
}

/// The unit of printed lengths and areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Units {
    /// The units of the file, as the game counts them.
    Game,
    /// Metres, by [`Axes::metres_per_unit`].
    Metres,
}

/// The words for the wanted units.
fn those(words: &[(Units, String)], shown: impl Fn(Units) -> bool) -> String {
    let words = words.iter().filter(|(units, _)| shown(*units)).map(|(_, words)| words.as_str());
    words.collect::<Vec<_>>().join(", ")
}

struct Pass {
    rows: Rows,
    kinds: [u64; LinkKind::ALL.len()],
    area: Option<f64>,
    bounds: Aabb,
}

impl Visitor for Pass {
    const WANTS: Wants = Wants { corners: true, links: true, ..Wants::NOTHING };

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if let Some(area) = node.shape.area().filter(|area| area.is_finite()) {
            *self.area.get_or_insert(0.0) += area;
        }
        node.shape.corners().iter().for_each(|&corner| self.bounds.add(corner));
        self.rows.add_node()
    }

    fn link(&mut self, link: &Link) {
        self.kinds[link.kind as usize] += 1;
        self.rows.add_link(link);
    }
}
