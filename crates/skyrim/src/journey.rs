//! The navmeshes of a load order as one graph, joined over edge links and doors.

use super::check::links::Key;
use super::form::{FormId, Tag};
use super::graph::SkyrimGraph;
use super::held::Mesh;
use super::loadorder::{GlobalId, LoadOrder};
use super::navm::NavmRecord;
use super::owners::Owners;
use super::space::SpaceId;
use super::walk::Wanted;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::graph::{Axes, Ids, Link, LinkKind, Mark, NavGraph, Node, Rules, Visitor, Wants};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

/// All navmeshes that the game uses with a load order, as one graph. If several plugins have a mesh, the last one wins; of several
/// records with one FormID in a plugin the first counts, as in [`LoadOrder::winners`].
///
/// - A node's id is the number of its triangle, with the FormID of its mesh above it (`form << 32 | triangle`), as plugin
///   editors number the records of the order. Masters that are not in the order count as full plugins after its last one.
///   A plugin by itself has its own FormIDs, as in its own [`SkyrimGraph`].
/// - Edge links reach meshes of other plugins. A door link leads to the triangle under the door's partner, which the
///   reference of the door names (`XTEL`). If the partner or its triangle is not in the order, the link leads outside.
///   Its length is 0, since the two sides lie in spaces with coordinates of their own.
/// - Groups are meshes, those of the first plugin first. They lie in many [spaces](Self::space), each with coordinates
///   of its own.
///
/// As in the graph of one plugin, compressed meshes are inflated once and kept.
#[derive(Debug)]
pub struct OrderGraph<'o, 'a> {
    order: &'o LoadOrder<'a>,
    parts: Vec<Part<'a>>,
    /// For each mesh, its part and its number there.
    meshes: HashMap<Key, (u32, FormId)>,
    /// For each node with doors, their targets.
    doors: HashMap<u32, Vec<Option<u32>>>,
    /// The other side of each door that a mesh names, as the game uses its reference.
    partners: HashMap<Key, Key>,
    unresolved: usize,
}

/// A space of a load order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderSpace {
    /// The space, as the order numbers it.
    pub space: SpaceId,
    /// Its name in the game's editor, from the last plugin that names it.
    pub editor_id: Option<String>,
    /// The groups (meshes) in it.
    pub groups: Vec<u32>,
}

/// A node, and the door on it if a file of the order may have it.
type DoorOver = (u32, Option<Key>);

/// The meshes of one plugin that are used.
#[derive(Debug)]
struct Part<'a> {
    plugin: usize,
    graph: SkyrimGraph<'a>,
    first_node: u32,
    first_group: u32,
}

impl<'o, 'a> OrderGraph<'o, 'a> {
    /// Reads every mesh that wins, and the references of doors. If one cannot be read it is left out, and every
    /// [visit](NavGraph::visit) ends with its error.
    pub fn new(order: &'o LoadOrder<'a>) -> Self {
        let winners = order.last_versions();
        let graphs = (0..order.len()).filter_map(|plugin| {
            let (_, view) = order.get(plugin)?;
            let wins = |mesh: &Mesh<'_>| {
                let winner = order.key(plugin, mesh.form).and_then(|key| winners.get(&key));
                winner.is_some_and(|(of, record)| *of == plugin && mesh.record == Some(*record))
            };
            Some((plugin, SkyrimGraph::new(view).retain(wins)))
        });
        let mut whole = Self::join(order, graphs);
        let (under, named) = whole.doors_under();
        whole.partners = whole.partners(&under);
        whole.join_doors(&under, &named);
        whole
    }

    fn join(order: &'o LoadOrder<'a>, graphs: impl Iterator<Item = (usize, SkyrimGraph<'a>)>) -> Self {
        let mut parts = Vec::with_capacity(order.len());
        let mut meshes = HashMap::new();
        let (mut first_node, mut first_group) = (0u32, 0u32);
        for (plugin, graph) in graphs {
            let part = u32::try_from(parts.len()).unwrap_or(u32::MAX);
            for mesh in graph.meshes() {
                if let Some(key) = order.key(plugin, mesh.form) {
                    meshes.insert(key, (part, mesh.form));
                }
            }
            let (nodes, groups) = (graph.triangle_count(), graph.mesh_count());
            parts.push(Part { plugin, graph, first_node, first_group });
            first_node = first_node.saturating_add(nodes);
            first_group = first_group.saturating_add(groups);
        }
        let (doors, partners) = (HashMap::new(), HashMap::new());
        Self { order, parts, meshes, doors, partners, unresolved: 0 }
    }

    /// The number of doors on a triangle whose partner has none here.
    pub fn unresolved_doors(&self) -> usize {
        self.unresolved
    }

    /// The number of doors that lead somewhere.
    pub fn resolved_doors(&self) -> usize {
        self.doors.values().flatten().flatten().count()
    }

    /// The space that a group (a mesh) lies in, with the FormID that the plugin of the mesh gives it.
    pub fn space(&self, group: u32) -> Option<SpaceId> {
        let (part, group) = self.part_of_group(group)?;
        part.graph.space_of(group)
    }

    /// The plugin whose version of a group (a mesh) is used, by its place in the order.
    pub fn plugin(&self, group: u32) -> Option<usize> {
        Some(self.part_of_group(group)?.0.plugin)
    }

    /// The node of a triangle of a mesh.
    pub fn node_of(&self, mesh: GlobalId, triangle: u16) -> Option<u32> {
        self.node(Key { file: u32::try_from(mesh.plugin).ok()?, object: mesh.object_id }, triangle)
    }

    fn node(&self, mesh: Key, triangle: u16) -> Option<u32> {
        let (part, form) = self.meshes.get(&mesh)?;
        let part = self.parts.get(*part as usize)?;
        part.graph.node_of(*form, triangle)?.checked_add(part.first_node)
    }

    /// The spaces in which meshes lie, each with its groups, the one with the most meshes first. FormIDs are those of the
    /// order, as plugin editors show them, so that a space has one number whatever plugin a mesh is from. In an order of
    /// one plugin they are the plugin's own.
    ///
    /// Walks over the headers of records once per plugin, for the editor IDs.
    pub fn spaces(&self) -> Vec<OrderSpace> {
        let mut spaces: BTreeMap<SpaceId, OrderSpace> = BTreeMap::new();
        for part in &self.parts {
            let Some((_, view)) = self.order.get(part.plugin) else { continue };
            let mut groups: BTreeMap<SpaceId, Vec<u32>> = BTreeMap::new();
            for group in 0..part.graph.mesh_count() {
                if let Some(space) = part.graph.space_of(group) {
                    groups.entry(space).or_default().push(group.saturating_add(part.first_group));
                }
            }
            let own: Vec<SpaceId> = groups.keys().copied().collect();
            for ((own, groups), editor_id) in groups.into_iter().zip(view.editor_ids(&own)) {
                let space = own.renamed(|form| self.order.number(part.plugin, form));
                let whole = spaces.entry(space).or_insert_with(|| OrderSpace {
                    space,
                    editor_id: self.editor_id_of(part.plugin, own),
                    groups: Vec::new(),
                });
                whole.groups.extend(groups);
                whole.editor_id = editor_id.or(whole.editor_id.take());
            }
        }
        let mut spaces: Vec<OrderSpace> = spaces.into_values().collect();
        spaces.sort_by_key(|space| std::cmp::Reverse(space.groups.len()));
        spaces
    }

    /// The editor ID of a plugin's space in the plugin that brings it, if that is another one.
    fn editor_id_of(&self, plugin: usize, space: SpaceId) -> Option<String> {
        let key = self.order.key(plugin, space.form())?;
        let file = usize::try_from(key.file).ok().filter(|file| *file != plugin)?;
        let (_, view) = self.order.get(file)?;
        let form = self.order.local(file, key)?;
        view.editor_ids(&[space.renamed(|_| form)]).pop().flatten()
    }

    fn part_of_group(&self, group: u32) -> Option<(&Part<'a>, u32)> {
        let after = self.parts.partition_point(|part| part.first_group <= group);
        let part = self.parts.get(after.checked_sub(1)?)?;
        Some((part, group.checked_sub(part.first_group)?))
    }

    /// The triangle under each door that a mesh names, and every door over a triangle; `None` for one that no file of the order
    /// has.
    fn doors_under(&self) -> (HashMap<Key, u32>, Vec<DoorOver>) {
        let mut under: HashMap<Key, u32> = HashMap::new();
        let mut named = Vec::new();
        for part in &self.parts {
            part.graph.each_door(|node, door| {
                let node = node.saturating_add(part.first_node);
                let door = self.order.key(part.plugin, door);
                if let Some(door) = door {
                    under.entry(door).or_insert(node);
                }
                named.push((node, door));
            });
        }
        (under, named)
    }

    fn join_doors(&mut self, under: &HashMap<Key, u32>, named: &[DoorOver]) {
        for (node, door) in named {
            let Some(door) = door else {
                self.unresolved = self.unresolved.saturating_add(1);
                continue;
            };
            let to = self.partners.get(door).and_then(|partner| under.get(partner)).copied();
            self.unresolved = self.unresolved.saturating_add(usize::from(to.is_none()));
            self.doors.entry(*node).or_default().push(to);
        }
    }

    /// The other side of each of these doors. The last plugin in the order that has its reference decides, also that it leads nowhere;
    /// of two references with one FormID in a plugin the first. A deleted one leads nowhere, and nothing leads to it.
    fn partners(&self, doors: &HashMap<Key, u32>) -> HashMap<Key, Key> {
        let mut partners = HashMap::new();
        let (mut decided, mut deleted) = (HashSet::new(), HashSet::new());
        let mut scratch = Scratch::new();
        for plugin in (0..self.order.len()).rev() {
            let Some((_, view)) = self.order.get(plugin) else { continue };
            for record in view.walk(Wanted::DOORS).filter_map(Result::ok) {
                let Some(door) = self.order.key(plugin, record.form_id()) else { continue };
                if !doors.contains_key(&door) || decided.contains(&door) {
                    continue;
                }
                if record.is_deleted() {
                    decided.insert(door);
                    deleted.insert(door);
                    continue;
                }
                // What cannot be read says nothing.
                let Ok(mut fields) = record.fields(&mut scratch) else { continue };
                let Ok(teleport) = fields.find_tag(Tag(*b"XTEL")) else { continue };
                decided.insert(door);
                let Some(form) = teleport.and_then(|field| field.data.first_chunk::<4>()) else { continue };
                if let Some(to) = self.order.key(plugin, FormId::new(u32::from_le_bytes(*form))) {
                    partners.insert(door, to);
                }
            }
        }
        partners.retain(|_, to| !deleted.contains(to));
        partners
    }
}

/// The meshes of an [`OrderGraph`], not inflated: the lower of two levels. A plan over the upper one (`query::Levels`) selects
/// the meshes that a path leads through, and [`some`](Self::some) reads only those.
///
/// Its groups and nodes are those of the whole graph. For each mesh it stores only the location of its record.
#[derive(Debug)]
pub struct OrderMeshes<'o, 'a> {
    order: &'o LoadOrder<'a>,
    /// By group.
    meshes: Vec<Stored<'a>>,
    by_key: HashMap<Key, u32>,
    partners: HashMap<Key, Key>,
    nodes: u32,
}

/// A mesh that is not read.
#[derive(Debug)]
struct Stored<'a> {
    key: Key,
    plugin: usize,
    record: NavmRecord<'a>,
    first_node: u32,
}

impl<'o, 'a> OrderMeshes<'o, 'a> {
    /// Remembers the locations of a graph's meshes, and frees the rest of it. Walks over the headers of records once more.
    pub fn new(graph: OrderGraph<'o, 'a>) -> Self {
        let OrderGraph { order, parts, partners, .. } = graph;
        let (mut meshes, mut by_key, mut nodes) = (Vec::new(), HashMap::new(), 0);
        for part in parts {
            let Some((_, view)) = order.get(part.plugin) else { continue };
            let mut records = view.navmeshes().flatten();
            for mesh in part.graph.meshes() {
                // Both are in file order.
                let record = records.find(|record| mesh.record == Some(record.index()));
                let (Some(key), Some(record)) = (order.key(part.plugin, mesh.form), record) else { continue };
                by_key.insert(key, u32::try_from(meshes.len()).unwrap_or(u32::MAX));
                let first_node = part.first_node.saturating_add(mesh.first_node);
                meshes.push(Stored { key, plugin: part.plugin, record, first_node });
            }
            nodes = part.first_node.saturating_add(part.graph.triangle_count());
        }
        Self { order, meshes, by_key, partners, nodes }
    }

    /// How many meshes.
    pub fn len(&self) -> usize {
        self.meshes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.meshes.is_empty()
    }

    /// The mesh of this group of the whole graph.
    pub fn mesh(&self, group: u32) -> Option<GlobalId> {
        let key = self.meshes.get(group as usize)?.key;
        Some(GlobalId { plugin: self.order.place_of(key), object_id: key.object })
    }

    /// The node number of a triangle in the whole graph.
    pub fn node_of(&self, mesh: GlobalId, triangle: u16) -> Option<u32> {
        let key = Key { file: u32::try_from(mesh.plugin).ok()?, object: mesh.object_id };
        let group = *self.by_key.get(&key)?;
        let node = self.meshes.get(group as usize)?.first_node.checked_add(u32::from(triangle))?;
        let next = self.meshes.get(group.saturating_add(1) as usize);
        (node < next.map_or(self.nodes, |next| next.first_node)).then_some(node)
    }

    /// The graph of some groups, which are read now. Links to others lead outside. Its groups and nodes are renumbered; the ids
    /// of nodes are those of the whole graph.
    pub fn some(&self, groups: &[u32]) -> OrderGraph<'o, 'a> {
        let mut wanted: Vec<u32> = groups.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let stored: Vec<&Stored<'a>> =
            wanted.iter().filter_map(|group| self.meshes.get(*group as usize)).collect();
        // Groups of one plugin lie together.
        let graphs = stored.chunk_by(|a, b| a.plugin == b.plugin).filter_map(|some| {
            let records: Vec<NavmRecord<'a>> = some.iter().map(|stored| stored.record).collect();
            let plugin = some.first()?.plugin;
            Some((plugin, SkyrimGraph::only_records(self.order.get(plugin)?.1.owners(), &records)))
        });
        let mut graph = OrderGraph::join(self.order, graphs);
        let (under, named) = graph.doors_under();
        let both = |door: &Key| Some((*door, *self.partners.get(door)?));
        graph.partners = named.iter().filter_map(|(_, door)| both(door.as_ref()?)).collect();
        graph.join_doors(&under, &named);
        graph
    }
}

impl NavGraph for OrderGraph<'_, '_> {
    fn axes(&self) -> Axes {
        self.parts.first().map_or(Axes::z_up(1.0), |part| part.graph.axes())
    }

    fn node_word(&self) -> &'static str {
        "triangle"
    }

    fn ids(&self) -> Ids {
        match self.parts.as_slice() {
            [only] if self.order.len() == 1 => only.graph.ids(),
            _ => Owners::UNKNOWN.ids(),
        }
    }

    fn group_word(&self) -> Option<&'static str> {
        Some("navmesh")
    }

    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        let (part, group) = self.part_of_group(group)?;
        part.graph.group(group)
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        self.parts.first()?.graph.flag(bit)
    }

    fn rules(&self) -> Rules {
        self.parts.first().map_or_else(|| Rules::of_axes(self.axes()), |part| part.graph.rules())
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        for part in &self.parts {
            let mut shifted = Shifted { whole: self, part, visitor, stopped: false };
            part.graph.visit(&mut shifted)?;
            if shifted.stopped {
                break;
            }
        }
        Ok(())
    }
}

/// Passes on the visit of a part, renumbered for the whole graph.
struct Shifted<'v, 'a, V> {
    whole: &'v OrderGraph<'v, 'a>,
    part: &'v Part<'a>,
    visitor: &'v mut V,
    stopped: bool,
}

impl<V> Shifted<'_, '_, V> {
    fn global(&self, form: u64) -> Option<Key> {
        self.whole.order.key(self.part.plugin, FormId::new(u32::try_from(form).ok()?))
    }
}

impl<V: Visitor> Visitor for Shifted<'_, '_, V> {
    const WANTS: Wants = V::WANTS;

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        let form = FormId::new(u32::try_from(node.id >> 32).unwrap_or_default());
        let mesh = self.whole.order.number(self.part.plugin, form).get();
        let handed = Node {
            index: node.index.saturating_add(self.part.first_node),
            id: u64::from(mesh) << 32 | node.id & u64::from(u32::MAX),
            group: node.group.map(|group| group.saturating_add(self.part.first_group)),
            ..*node
        };
        let flow = self.visitor.node(&handed);
        self.stopped = flow.is_break();
        flow
    }

    fn link(&mut self, link: &Link) {
        let first = self.part.first_node;
        let mut handed = Link { from: link.from.saturating_add(first), ..*link };
        if let Some(to) = link.to {
            handed.to = Some(to.saturating_add(first));
        } else if link.kind == LinkKind::Door {
            // A part has one link for all doors over a triangle, the whole graph has one for each.
            let doors = self.whole.doors.get(&handed.from).map(Vec::as_slice).unwrap_or_default();
            for to in doors {
                // Spaces have their own coordinates, so a line between both sides is meaningless.
                handed.passage.length = to.map(|_| 0.0);
                self.visitor.link(&Link { to: *to, ..handed });
            }
            if !doors.is_empty() {
                return;
            }
        } else if let Some(beyond) = link.passage.beyond {
            let triangle = u16::try_from(beyond & u64::from(u32::MAX)).ok();
            let mesh = self.global(beyond >> 32);
            handed.to = mesh.zip(triangle).and_then(|(mesh, triangle)| self.whole.node(mesh, triangle));
            if handed.to.is_some() {
                handed.passage.beyond = None;
            }
        }
        self.visitor.link(&handed);
    }

    fn mark(&mut self, mark: &Mark) {
        let node = mark.node.map(|node| node.saturating_add(self.part.first_node));
        self.visitor.mark(&Mark { node, ..*mark });
    }
}
