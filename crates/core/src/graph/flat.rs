//! A whole graph in flat arrays.

use super::flatnode::{FlatNode, Ground};
use super::links::PackedLinks;
use super::{
    Aabb, Axes, Ids, Link, Links, Mark, MarkShape, Names, NavGraph, Node, Partial, Point, Rules, Shape,
    Visitor,
};
use crate::error::Result;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// An owned graph: everything that a [`visit`](NavGraph::visit) hands out, in flat arrays.
///
/// Pictures and exports are made from it, so that their code is compiled once instead of once per format. It can also be built by
/// hand.
#[derive(Debug, Clone)]
pub struct FlatGraph {
    axes: Axes,
    node_word: &'static str,
    ids: Ids,
    group_word: Option<&'static str>,
    nodes: Vec<FlatNode>,
    corners: Vec<Point>,
    links: PackedLinks,
    marks: Vec<Mark>,
    places: BTreeMap<u32, String>,
    groups: BTreeMap<u32, String>,
    flags: [Option<&'static str>; 64],
    rules: Rules,
    /// Tolls other than 1, by node.
    tolls: BTreeMap<u32, f32>,
    /// Values by their numbers: the name of each, and what it is for each node, NaN for none.
    values: Vec<(&'static str, Vec<f32>)>,
    /// The format's words for links, by the numbers of these.
    link_names: BTreeMap<u32, &'static str>,
}

impl FlatGraph {
    /// An empty graph.
    pub fn new(node_word: &'static str, axes: Axes) -> Self {
        Self {
            axes,
            node_word,
            ids: Ids::Numbers,
            group_word: None,
            nodes: Vec::new(),
            corners: Vec::new(),
            links: PackedLinks::default(),
            marks: Vec::new(),
            places: BTreeMap::new(),
            groups: BTreeMap::new(),
            flags: [None; 64],
            rules: Rules::of_axes(axes),
            tolls: BTreeMap::new(),
            values: Vec::new(),
            link_names: BTreeMap::new(),
        }
    }

    /// Copies all of `graph`, in one pass. From a damaged file, the part before the damage.
    pub fn of(graph: &impl NavGraph) -> Partial<Self> {
        let mut flat = Self::new(graph.node_word(), graph.axes());
        flat.ids = graph.ids();
        flat.group_word = graph.group_word();
        flat.rules = graph.rules();
        // Lists that grow leave holes behind. Most nodes have three corners and links or more.
        let known = graph.known_nodes().unwrap_or(0);
        flat.reserve(known, known.saturating_mul(3));
        flat.links.reserve(known.saturating_mul(3));
        let error = graph.visit(&mut flat).err();
        flat.take_by_node(graph);
        let name = |link: &Link| Some((link.passage.number?, graph.link_name(link)?));
        flat.link_names = flat.links().iter().filter_map(|link| name(&link)).collect();
        flat.take_names(graph);
        Partial { value: flat, error }
    }

    fn take_names(&mut self, names: &dyn Names) {
        for (bit, name) in self.flags.iter_mut().enumerate() {
            *name = names.flag_name(bit as u32);
        }
        for node in &self.nodes {
            if let Some(place) = node.place {
                self.places
                    .entry(place)
                    .or_insert_with(|| name_or_number(names.place_name(place), "place", place));
            }
            if let Some(group) = node.group {
                let word = self.group_word.unwrap_or("group");
                let name = || name_or_number(names.group_name(group), word, group);
                self.groups.entry(group).or_insert_with(name);
            }
        }
    }

    /// Makes room for so many nodes more, and corners of theirs.
    pub fn reserve(&mut self, nodes: usize, corners: usize) {
        self.nodes.reserve_exact(nodes);
        self.corners.reserve_exact(corners);
    }

    /// Adds a node and returns its index.
    pub fn add_node(&mut self, id: u64, shape: Shape<'_>) -> u32 {
        let radius = match shape {
            Shape::Polygon(_) => None,
            Shape::Point { radius, .. } => Some(radius),
        };
        let first = self.corners.len() as u32;
        self.corners.extend_from_slice(shape.corners());
        let len = self.corners.len() as u32 - first;
        self.nodes.push(FlatNode {
            id,
            place: None,
            group: None,
            flags: 0,
            first,
            len,
            radius,
            above_floor: 0.0,
        });
        self.nodes.len() as u32 - 1
    }

    /// Adds a link.
    pub fn add_link(&mut self, link: Link) {
        let ground = Ground { nodes: &self.nodes, corners: &self.corners };
        self.links.push(&link, ground.of(link.from));
    }

    /// Adds a mark.
    pub fn add_mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Nodes in order.
    #[inline]
    pub fn nodes(&self) -> &[FlatNode] {
        &self.nodes
    }

    /// Nodes in order, for setting places, groups and flags.
    pub fn nodes_mut(&mut self) -> &mut [FlatNode] {
        &mut self.nodes
    }

    /// Links, ordered by source.
    #[inline]
    pub fn links(&self) -> Links<'_> {
        Links::new(&self.links, Ground { nodes: &self.nodes, corners: &self.corners })
    }

    /// Replaces each link by what `with` makes of it, or drops it: before nodes are dropped.
    fn rewrite_links(&mut self, with: impl FnMut(&mut Link) -> bool) {
        self.links.rewrite(Ground { nodes: &self.nodes, corners: &self.corners }, with);
    }

    /// Marks.
    #[inline]
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Corners of a node, or its single point.
    #[inline]
    pub fn corners(&self, node: &FlatNode) -> &[Point] {
        node.corners(&self.corners)
    }

    /// Shape of a node.
    #[inline]
    pub fn shape(&self, node: &FlatNode) -> Shape<'_> {
        let corners = self.corners(node);
        match (node.radius, corners.first()) {
            (Some(radius), Some(&at)) => Shape::Point { at, radius },
            _ => Shape::Polygon(corners),
        }
    }

    /// The box of the corners of all nodes.
    pub fn bounds(&self) -> Aabb {
        self.nodes.iter().flat_map(|node| self.corners(node)).copied().collect()
    }

    /// Places that nodes have, with their names.
    pub fn places(&self) -> &BTreeMap<u32, String> {
        &self.places
    }

    /// Groups that nodes belong to, with their names.
    pub fn groups(&self) -> &BTreeMap<u32, String> {
        &self.groups
    }

    /// For each flag bit in use, the number of nodes with it.
    pub fn flag_counts(&self) -> Vec<(u32, u64)> {
        let mut counts = [0u64; 64];
        for node in &self.nodes {
            let mut left = node.flags;
            while left != 0 {
                counts[left.trailing_zeros() as usize] += 1;
                left &= left - 1;
            }
        }
        (0..).zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    /// Names a place.
    pub fn name_place(&mut self, place: u32, name: impl Into<String>) {
        self.places.insert(place, name.into());
    }

    /// Names a group.
    pub fn name_group(&mut self, group: u32, name: impl Into<String>) {
        self.groups.insert(group, name.into());
    }

    /// Forgets the names of all groups: for a graph whose nodes are put into other groups.
    pub fn forget_groups(&mut self) {
        self.groups.clear();
    }

    /// Names a flag.
    pub fn name_flag(&mut self, bit: u32, name: &'static str) {
        if let Some(flag) = self.flags.get_mut(bit as usize) {
            *flag = Some(name);
        }
    }

    /// Gives links of this [number](super::Passage::number) a [word](NavGraph::link_name) of the format.
    pub fn name_link(&mut self, number: u32, name: &'static str) {
        self.link_names.insert(number, name);
    }

    /// Sets the rules of the game's queries.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Sets the factor on the length of links into a node.
    pub fn set_toll(&mut self, node: u32, toll: f32) {
        self.tolls.insert(node, toll);
    }

    /// The names of values by their [numbers](NavGraph::value).
    pub fn value_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().map(|(name, _)| *name)
    }

    /// The [value](NavGraph::value) of this number of a node.
    pub fn value_of(&self, number: u32, node: u32) -> Option<f32> {
        let (_, values) = self.values.get(number as usize)?;
        values.get(node as usize).copied().filter(|value| !value.is_nan())
    }

    /// Adds a value of nodes, by node: a value that is no number, or that is missing at the end, is none. Returns its
    /// [number](NavGraph::value).
    pub fn add_value(&mut self, name: &'static str, of_nodes: Vec<f32>) -> u32 {
        self.values.push((name, of_nodes));
        self.values.len() as u32 - 1
    }

    fn take_by_node(&mut self, graph: &impl NavGraph) {
        let names = (0..).map_while(|number| graph.value_name(number));
        self.values = names.map(|name| (name, Vec::with_capacity(self.nodes.len()))).collect();
        for (index, node) in (0..).zip(&mut self.nodes) {
            let FlatNode { id, place, group, flags, .. } = *node;
            let asked = Node { index, id, shape: Shape::NONE, place, group, flags };
            for (number, (_, values)) in (0..).zip(&mut self.values) {
                values.push(graph.value(number, &asked).unwrap_or(f32::NAN));
            }
            let toll = graph.toll(&asked);
            if toll != 1.0 {
                self.tolls.insert(index, toll);
            }
            node.above_floor = graph.above_floor(&asked);
        }
    }

    /// Moves everything down onto the floor, if a file stores the heights of [players' origins](NavGraph::above_floor): the
    /// corners of nodes, the portals and paths of links, and the marks of nodes. Returns the smallest and the largest shift of
    /// all nodes, in file units; `None` if heights are those of floors already.
    pub fn put_on_floor(&mut self) -> Option<[f32; 2]> {
        let axes = self.axes;
        let by: Vec<f32> = self.nodes.iter().map(|node| node.above_floor).collect();
        let least = by.iter().copied().reduce(f32::min)?;
        let most = by.iter().copied().fold(0.0, f32::max);
        if by.iter().all(|by| *by == 0.0) {
            return None;
        }
        let of = |node: u32| by.get(node as usize).copied().unwrap_or(0.0);
        self.links.move_points(|node, at| axes.lower(at, of(node)));
        for node in &mut self.nodes {
            let first = node.first as usize;
            let corners = self.corners.get_mut(first..first.saturating_add(node.len as usize));
            corners.unwrap_or_default().iter_mut().for_each(|corner| axes.lower(corner, node.above_floor));
            node.above_floor = 0.0;
        }
        for mark in &mut self.marks {
            let by = mark.node.map_or(0.0, of);
            match &mut mark.shape {
                MarkShape::Point(at) => axes.lower(at, by),
                MarkShape::Segment(a, b) | MarkShape::Box(a, b) => {
                    axes.lower(a, by);
                    axes.lower(b, by);
                }
            }
        }
        Some([least, most])
    }

    /// Sets the word for a group.
    pub fn set_group_word(&mut self, word: &'static str) {
        self.group_word = Some(word);
    }

    /// Gives nodes other ids.
    pub fn rename(&mut self, with: &mut dyn FnMut(u64) -> u64) {
        self.nodes.iter_mut().for_each(|node| node.id = with(node.id));
    }

    /// Gives other names to what [links to the outside](super::Passage::beyond) lead to.
    pub fn rename_beyond(&mut self, with: &mut dyn FnMut(u64) -> u64) {
        self.rewrite_links(|link| {
            link.passage.beyond.iter_mut().for_each(|name| *name = with(*name));
            true
        });
    }

    /// Keeps the nodes that `keep` accepts, and the links between them. Links to dropped nodes become links to the outside. Marks
    /// of dropped nodes are removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&FlatNode) -> bool) {
        const GONE: u32 = u32::MAX;
        let mut kept = 0;
        let number: Vec<u32> = self
            .nodes
            .iter()
            .map(|node| {
                if !keep(node) {
                    return GONE;
                }
                kept += 1;
                kept - 1
            })
            .collect();
        let new = |old: u32| number.get(old as usize).copied().filter(|&n| n != GONE);
        let tolls = std::mem::take(&mut self.tolls);
        self.tolls = tolls.into_iter().filter_map(|(node, toll)| Some((new(node)?, toll))).collect();
        for (_, values) in &mut self.values {
            let known = values.iter().zip(&number).filter(|(_, number)| **number != GONE);
            *values = known.map(|(value, _)| *value).collect();
        }
        self.rewrite_links(|link| {
            let Some(from) = new(link.from) else { return false };
            (link.from, link.to) = (from, link.to.and_then(new));
            true
        });
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            number[index - 1] != GONE
        });
        self.marks.retain_mut(|mark| match mark.node.map(new) {
            None => true,
            Some(node) => {
                mark.node = node;
                node.is_some()
            }
        });
    }
}

fn name_or_number(name: Option<Cow<'_, str>>, word: &str, number: u32) -> String {
    name.map_or_else(|| format!("{word} {number}"), Cow::into_owned)
}

impl Visitor for FlatGraph {
    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if self.corners.len() + node.shape.corners().len() > u32::MAX as usize {
            return ControlFlow::Break(());
        }
        let index = self.add_node(node.id, node.shape);
        let Node { place, group, flags, .. } = *node;
        let kept = &mut self.nodes[index as usize];
        (kept.place, kept.group, kept.flags) = (place, group, flags);
        ControlFlow::Continue(())
    }

    fn link(&mut self, link: &Link) {
        self.add_link(*link);
    }

    fn mark(&mut self, mark: &Mark) {
        self.marks.push(*mark);
    }
}

impl NavGraph for FlatGraph {
    fn axes(&self) -> Axes {
        self.axes
    }
    fn node_word(&self) -> &'static str {
        self.node_word
    }
    fn ids(&self) -> Ids {
        self.ids
    }
    fn group_word(&self) -> Option<&'static str> {
        self.group_word
    }
    fn place(&self, place: u32) -> Option<Cow<'_, str>> {
        self.places.get(&place).map(Cow::from)
    }
    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        self.groups.get(&group).map(Cow::from)
    }
    fn flag(&self, bit: u32) -> Option<&'static str> {
        self.flags.get(bit as usize).copied().flatten()
    }

    fn rules(&self) -> Rules {
        self.rules
    }
    fn toll(&self, node: &Node<'_>) -> f32 {
        self.tolls.get(&node.index).copied().unwrap_or(1.0)
    }
    fn known_nodes(&self) -> Option<usize> {
        Some(self.nodes.len())
    }
    fn above_floor(&self, node: &Node<'_>) -> f32 {
        self.nodes.get(node.index as usize).map_or(0.0, |node| node.above_floor)
    }
    fn link_name(&self, link: &Link) -> Option<&'static str> {
        self.link_names.get(&link.passage.number?).copied()
    }
    fn value_name(&self, number: u32) -> Option<&'static str> {
        self.values.get(number as usize).map(|(name, _)| *name)
    }
    fn value(&self, number: u32, node: &Node<'_>) -> Option<f32> {
        self.value_of(number, node.index)
    }

    /// Visits the graph. Links added out of order come after the last node.
    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let mut links = self.links().iter().peekable();
        for (index, node) in self.nodes.iter().enumerate() {
            let shape = if V::WANTS.corners { self.shape(node) } else { Shape::NONE };
            let FlatNode { id, place, group, flags, .. } = *node;
            let index = index as u32;
            if visitor.node(&Node { index, id, shape, place, group, flags }).is_break() {
                return Ok(());
            }
            while V::WANTS.links
                && let Some(link) = links.next_if(|link| link.from == index)
            {
                visitor.link(&link);
            }
        }
        if V::WANTS.links {
            links.for_each(|link| visitor.link(&link));
        }
        if V::WANTS.marks {
            self.marks.iter().for_each(|mark| visitor.mark(mark));
        }
        Ok(())
    }
}
