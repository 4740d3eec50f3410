//! Reads a mesh for showing its nodes.

use super::compass::Compass;
use super::found::Found;
use super::ladders::Ladders;
use super::renamed::Renamed;
use super::told::{IdTold, LinkTold, MarkTold, Told};
use super::whole::is_whole;
use navmap_core::bytes::Scratch;
use navmap_core::edit::Refusal;
use navmap_core::error::Result;
use navmap_core::format::{NavFile, NodeRecords};
use navmap_core::graph::{FlatGraph, Ids, Link, LinkIter, Mark, NavGraph, Partial, Point};
use navmap_core::stream::{Reals, Stream};
use navmap_core::{Finding, Limits};
use navmap_formats::{AnyNav, Family};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The links of a node that is shown, and the bytes of its record as JSON: ten times those that any mesh of a game has.
const MOST_LINKS: u64 = 32_768;
const MOST_TEXT: u64 = 1 << 19;

/// A mesh of which nodes and ladders are shown. Made in time linear in the mesh: its graph, and a check.
///
/// What is shown has a number: that of a node is its position in the graph, and ladders are numbered after the nodes.
#[derive(Debug)]
pub struct Show<'n> {
    /// The file with the records, if it is one file.
    nav: Option<&'n AnyNav<'n>>,
    graph: Cow<'n, FlatGraph>,
    /// The nodes by their ids, those of one id in order.
    by_id: Vec<u32>,
    /// The lowest and the highest id.
    ends: [u64; 2],
    /// Positions of links, ordered by the node that they lead to.
    arrivals: Vec<u32>,
    /// Marks of nodes, ordered by node.
    marks: Vec<(u32, Mark)>,
    pub(super) findings: Found,
    ladders: Ladders,
}

impl<'n> Show<'n> {
    /// Reads the mesh. Of a damaged one, what comes before the damage.
    pub fn of(nav: &'n AnyNav<'n>) -> Partial<Self> {
        let Partial { value: graph, error } = nav.flat_graph();
        Partial { value: Self::checked(nav, Cow::Owned(graph), None), error }
    }

    /// The same for the node at a position of a graph of the mesh, or of a part of it, with the findings about that node alone. The others
    /// take memory that few nodes need. If it is the graph of the whole mesh, it is not made again.
    pub fn of_node(nav: &'n AnyNav<'n>, known: &'n FlatGraph, position: u32) -> Partial<Self> {
        if is_whole(nav, known) {
            let value = Self::checked(nav, Cow::Borrowed(known), Some((known, position)));
            return Partial { value, error: None };
        }
        let Partial { value: graph, error } = nav.flat_graph();
        Partial { value: Self::checked(nav, Cow::Owned(graph), Some((known, position))), error }
    }

    /// With what a check finds: all of it, or what it finds about one node of a graph.
    fn checked(nav: &'n AnyNav<'n>, graph: Cow<'n, FlatGraph>, only: Option<(&FlatGraph, u32)>) -> Self {
        let mut show = Self::over(graph);
        let only = only.map(|(known, position)| show.same(known, position));
        let mut findings = Found::of(show.graph.nodes().len(), only);
        let mut groups = None;
        let mut note = |finding: Finding| match (show.node_of(&finding), show.group_of(&finding)) {
            (Some(node), _) => findings.add(&[node], finding),
            (None, Some(name)) => {
                let groups = groups.get_or_insert_with(|| show.by_group());
                findings.add(groups.get(&name).map(Vec::as_slice).unwrap_or_default(), finding);
            }
            (None, None) => {}
        };
        // What cannot be read is the error of the graph.
        let _ = nav.check(&mut Scratch::new(), &mut note);
        findings.sort();
        (show.nav, show.findings, show.ladders) = (Some(nav), findings, Ladders::of(nav));
        show
    }

    /// The same under the names that an editor has for what is there.
    #[must_use]
    pub fn renamed(self, names: &Renamed) -> Self {
        let Self { nav, graph, findings, ladders, .. } = self;
        let mut graph = graph.into_owned();
        names.name(&mut graph);
        let mut show = Self { nav, findings, ladders, ..Self::of_graph(graph) };
        show.findings.change(|finding| names.find(finding));
        show
    }

    /// A graph alone, such as a map of tiles, which are many files: without records, bytes and findings. Made in time linear in the
    /// graph.
    pub fn of_graph(graph: FlatGraph) -> Self {
        Self::over(Cow::Owned(graph))
    }

    /// [`of_graph`](Self::of_graph) of one that is lent or handed over.
    pub fn over(graph: Cow<'n, FlatGraph>) -> Self {
        let mut by_id: Vec<u32> = (0_u32..).zip(graph.nodes()).map(|(at, _)| at).collect();
        by_id.sort_by_key(|at| graph.nodes().get(*at as usize).map(|node| node.id));
        let ids = graph.nodes().iter().map(|node| node.id);
        let ends = [ids.clone().min(), ids.max()].map(Option::unwrap_or_default);
        let mut arrivals: Vec<u32> =
            (0_u32..).zip(graph.links()).filter(|(_, link)| link.to.is_some()).map(|(at, _)| at).collect();
        let end = |at: &u32| graph.links().get(*at as usize).map(|link| (link.to, link.from));
        arrivals.sort_by_key(end);
        let mut marks: Vec<(u32, Mark)> =
            graph.marks().iter().filter_map(|mark| Some((mark.node?, *mark))).collect();
        marks.sort_by_key(|(node, _)| *node);
        let (findings, ladders) = (Found::default(), Ladders::default());
        Self { nav: None, graph, by_id, ends, arrivals, marks, findings, ladders }
    }

    /// The first node of an id, which may name no tile if the file has only one.
    fn at_id(&self, id: u64) -> Option<u32> {
        self.first_of(self.graph.ids().meant(id, self.ends))
    }

    /// The first node of exactly this id.
    fn first_of(&self, id: u64) -> Option<u32> {
        let of = |at: &u32| self.graph.nodes().get(*at as usize).map(|node| node.id);
        let first = self.by_id.partition_point(|at| of(at) < Some(id));
        self.by_id.get(first).copied().filter(|at| of(at) == Some(id))
    }

    /// The position of a node in the file. Graphs of these families leave out records that are no nodes, and number all of them.
    fn position(&self, id: u64, index: u32) -> u32 {
        let numbered = matches!(self.family(), Some(Family::Aas | Family::Rcbot));
        u32::try_from(id).ok().filter(|_| numbered).unwrap_or(index)
    }

    /// The node that a finding is about.
    fn node_of(&self, finding: &Finding) -> Option<u32> {
        if let Some(id) = finding.at.node {
            // FormIDs beyond those of the file are its own.
            let ids = self.graph.ids();
            return self.at_id(ids.read(&finding.at.ids.name(id).to_string()).unwrap_or(id));
        }
        let (record, index) = finding.at.record?;
        match finding.at.id {
            _ if record != self.graph.node_word() => None,
            Some(id) => self.at_id(id),
            None if self.graph.ids() == Ids::Numbers => u32::try_from(index).ok(),
            None => None,
        }
    }

    /// The name of the group that a finding is about, if groups have names with numbers.
    fn group_of(&self, finding: &Finding) -> Option<String> {
        let (record, _) = finding.at.record.filter(|(record, _)| Some(*record) == self.graph.group_word())?;
        let name = finding.at.ids.name(finding.at.id?).to_string();
        let (group, part) = name.strip_prefix('#')?.split_once('.')?;
        Some(format!("group {group} {record} {part}"))
    }

    /// The nodes of each group by its name. Linear.
    fn by_group(&self) -> HashMap<String, Vec<u32>> {
        let mut nodes: HashMap<u32, Vec<u32>> = HashMap::new();
        for (node, at) in self.graph.nodes().iter().zip(0_u32..) {
            node.group.into_iter().for_each(|group| nodes.entry(group).or_default().push(at));
        }
        let named = |(group, name): (&u32, &String)| Some((name.clone(), nodes.remove(group)?));
        self.graph.groups().iter().filter_map(named).collect()
    }

    /// The node of this mesh that another graph has at a position, if that is a graph of the same mesh, or of a part of it such as a
    /// space or a hull. It has the same id, and of several the same shape. Linear in the nodes if the positions differ.
    pub fn same(&self, other: &FlatGraph, position: u32) -> Option<u32> {
        let node = other.nodes().get(position as usize)?;
        let corners = other.corners(node);
        let is_same = |at: &u32| {
            let own = self.graph.nodes().get(*at as usize);
            own.is_some_and(|own| own.id == node.id && self.graph.corners(own) == corners)
        };
        let first = self.first_of(node.id);
        let own = Some(position).filter(is_same).or_else(|| first.filter(is_same));
        own.or_else(|| (0_u32..).zip(self.graph.nodes()).map(|(at, _)| at).find(is_same)).or(first)
    }

    /// The mesh as a graph.
    pub fn graph(&self) -> &FlatGraph {
        &self.graph
    }

    /// The nodes that a name means: one by its id, as it is printed; all nodes of a group, if groups have names with numbers
    /// (`#4.17`: segment 17 of group 4). Of a Source mesh also a ladder, `L#1`. Empty if there are none.
    pub fn named(&self, name: &str) -> Vec<u32> {
        let ids = self.graph.ids();
        if let Some(node) = ids.read(name).and_then(|id| self.at_id(id)) {
            return vec![node];
        }
        if let Some(ladder) = self.ladders.named(name) {
            return vec![self.first_ladder().saturating_add(ladder)];
        }
        let group = match (ids, name.strip_prefix('#').and_then(|name| name.split_once('.'))) {
            (Ids::InGroups(_), Some((group, part))) => {
                let word = self.graph.group_word().unwrap_or("group");
                let wanted = format!("group {group} {word} {part}");
                self.graph.groups().iter().find(|(_, name)| **name == wanted).map(|(group, _)| *group)
            }
            _ => None,
        };
        let Some(group) = group else { return Vec::new() };
        let of_group = self.graph.nodes().iter().zip(0..).filter(|(node, _)| node.group == Some(group));
        of_group.map(|(_, at)| at).collect()
    }

    /// The family of the file, if it is one file.
    pub(super) fn family(&self) -> Option<Family> {
        self.nav.map(AnyNav::family)
    }

    /// The number of the first ladder.
    fn first_ladder(&self) -> u32 {
        u32::try_from(self.graph.nodes().len()).unwrap_or(u32::MAX)
    }

    /// The nodes among these, and those at the ends of ladders among these: what a picture shows.
    pub fn ground(&self, shown: &[u32]) -> Vec<u32> {
        let first = self.first_ladder();
        let nodes = |number: &u32| match number.checked_sub(first) {
            None => vec![*number],
            Some(ladder) => self.ladders.ends(ladder).iter().filter_map(|id| self.first_of(*id)).collect(),
        };
        let mut seen = HashSet::new();
        shown.iter().flat_map(nodes).filter(|node| seen.insert(*node)).collect()
    }

    /// The nodes and ladders of items of an editor, by their names, each once. An item that has none, such as an empty segment, adds
    /// nothing.
    ///
    /// # Errors
    /// If that leaves nothing.
    pub fn items(
        &self,
        items: impl IntoIterator<Item: AsRef<str>>,
    ) -> std::result::Result<Vec<u32>, Refusal> {
        let mut seen = HashSet::new();
        let mut nodes = Vec::new();
        let (mut first, mut last) = (None, None);
        for item in items {
            let name = item.as_ref();
            if last.as_ref().map(AsRef::as_ref) != Some(name) {
                nodes.extend(self.named(name).into_iter().filter(|node| seen.insert(*node)));
                first.get_or_insert_with(|| name.to_owned());
            }
            last = Some(item);
        }
        match first {
            Some(item) if nodes.is_empty() => {
                let word = self.graph.node_word();
                Err(Refusal::new(format!("{item} is no {word}; `navmap dump` has everything")))
            }
            _ => Ok(nodes),
        }
    }

    /// Everything about these nodes and ladders, in this order.
    ///
    /// # Errors
    /// If the file is damaged before the record of one of them.
    pub fn told(&self, nodes: &[u32]) -> Result<Vec<Told>> {
        let mut told = Vec::with_capacity(nodes.len());
        self.each(nodes, &mut |one| told.push(one))?;
        Ok(told)
    }

    /// As [`told`](Self::told), one after the other. If the nodes are ascending, nothing is kept meanwhile, else their records are, as text.
    ///
    /// # Errors
    /// Those of [`told`](Self::told).
    pub fn each(&self, nodes: &[u32], each: &mut dyn FnMut(Told)) -> Result<()> {
        let first = self.first_ladder();
        let mut sorted = nodes.to_vec();
        sorted.retain(|node| *node < first);
        sorted.sort_unstable();
        sorted.dedup();
        let mut telling = Telling {
            show: self,
            compass: Compass::new(self.graph.axes()),
            is_ascending: nodes.is_sorted_by(|a, b| a < b),
            left: nodes,
            records: HashMap::new(),
            each,
            told: Ok(()),
        };
        let read = self.nav.map_or(Ok(()), |nav| nav.records(&sorted, &mut telling));
        telling.rest()?;
        read
    }

    /// # Errors
    /// If there is more to tell about a node than anybody reads.
    fn is_small(&self, node: u32, record: Option<&Stored>) -> Result<()> {
        let links = self.leaving(node).len().saturating_add(self.arriving(node).count());
        Limits::charge("links of a node that is shown", links as u64, MOST_LINKS)?;
        let bytes = record.map_or(0, |(_, text)| text.len() as u64);
        Limits::charge("text of a record that is shown", bytes, MOST_TEXT)
    }

    fn one(&self, index: u32, record: Option<&Stored>, compass: &Compass) -> Option<Told> {
        let graph = &self.graph;
        let node = graph.nodes().get(index as usize)?;
        let shape = graph.shape(node);
        let center = shape.center();
        let metres = f64::from(graph.axes().metres_per_unit);
        let (bytes, text) = record.map_or((None, None), |(bytes, text)| (bytes.clone(), Some(text)));
        // A node may have as many links as the file has bytes for: whether one leads back is not searched for each.
        let sources: HashSet<u32> = self.arriving(index).map(|link| link.from).collect();
        let targets: HashSet<u32> = self.leaving(index).filter_map(|link| link.to).collect();
        let leaving = |link: Link| {
            let back = link.to.is_some_and(|to| sources.contains(&to));
            self.link(&link, index, link.to, back, compass)
        };
        let arriving =
            |link: Link| self.link(&link, index, Some(link.from), targets.contains(&link.from), compass);
        let links = self.leaving(index).map(leaving).collect();
        let arrivals = self.arriving(index).map(arriving).collect();
        let marks = of(&self.marks, index).iter().map(|(_, mark)| MarkTold::new(mark)).collect();
        Some(Told {
            word: graph.node_word(),
            id: IdTold { number: node.id, ids: graph.ids() },
            index: self.position(node.id, index),
            byte: bytes.as_ref().map(|bytes| bytes.start),
            bytes: bytes.as_ref().map(|bytes| bytes.end.saturating_sub(bytes.start)),
            place: node.place.and_then(|place| graph.places().get(&place).cloned()),
            group_word: graph.group_word(),
            group: node.group.and_then(|group| graph.groups().get(&group).cloned()),
            flags: flags(graph, node.flags),
            toward: compass.corners(shape.corners()),
            corners: shape.corners().iter().map(|corner| corner.to_array()).collect(),
            is_point: shape.area().is_none(),
            radius: match shape {
                navmap_core::graph::Shape::Point { radius, .. } => radius,
                navmap_core::graph::Shape::Polygon(_) => None,
            },
            center: center.map(Point::to_array),
            area_m2: shape.area().map(|area| area * metres * metres).filter(|area| area.is_finite()),
            links,
            arrivals,
            marks,
            findings: self.findings.told(index),
            record: text.and_then(|text| serde_json::from_str(text).ok()),
        })
    }

    pub(super) fn leaving(&self, node: u32) -> LinkIter<'_> {
        let links = self.graph.links();
        links.range(links.leaving(node))
    }

    /// The links that lead to a node.
    pub(super) fn arriving(&self, node: u32) -> impl Iterator<Item = Link> {
        let links = self.graph.links();
        let end = move |at: &u32| links.get(*at as usize).and_then(|link| link.to);
        let start = self.arrivals.partition_point(|at| end(at) < Some(node));
        let rest = self.arrivals.get(start..).unwrap_or_default();
        let leading = rest.iter().take_while(move |at| end(at) == Some(node));
        leading.filter_map(move |at| links.get(*at as usize))
    }

    /// A link as it is seen from one of its ends, and whether one leads back.
    fn link(&self, link: &Link, from: u32, other: Option<u32>, back: bool, compass: &Compass) -> LinkTold {
        let graph = &self.graph;
        let corners =
            |node: u32| graph.nodes().get(node as usize).map_or(&[][..], |node| graph.corners(node));
        let id = other.and_then(|other| {
            Some(IdTold { number: graph.nodes().get(other as usize)?.id, ids: graph.ids() })
        });
        let ends = [link.from, link.to.unwrap_or(link.from)].map(corners);
        let leaves = from == link.from;
        let side = link.passage.side.filter(|_| leaves);
        let across = link.portal.map(|[a, b]| a.midway(b)).or(link.path.map(|[start, _]| start));
        // Areas that do not touch are connected over a side all the same.
        let across = across.or_else(|| middle_of_side(corners(from), side?));
        LinkTold {
            id,
            beyond: link.passage.beyond,
            kind: link.kind.name(),
            side,
            toward: across.and_then(|across| compass.toward(corners(from), across)),
            rise: link.to.and_then(|_| compass.rise(ends, link)),
            back,
            gated: link.gated,
            portal: link.portal.map(|ends| ends.map(Point::to_array)),
            path: link.path.map(|ends| ends.map(Point::to_array)),
            length: link.passage.length,
            cost: link.passage.cost,
            number: link.passage.number,
        }
    }
}

/// The middle of the side that runs from this corner to the next one.
fn middle_of_side(corners: &[Point], side: u8) -> Option<Point> {
    let first = corners.get(usize::from(side))?;
    let next = corners.iter().cycle().skip(usize::from(side)).nth(1)?;
    Some(first.midway(*next))
}

/// The rows of a node, in a list that is ordered by node.
fn of<T>(rows: &[(u32, T)], node: u32) -> &[(u32, T)] {
    let start = rows.partition_point(|(at, _)| *at < node);
    let len = rows.get(start..).unwrap_or_default().partition_point(|(at, _)| *at == node);
    rows.get(start..start.saturating_add(len)).unwrap_or_default()
}

/// The names of flags, and the bits that have none.
fn flags(graph: &FlatGraph, bits: u64) -> Vec<String> {
    let set = (0..64).filter(|bit| bits >> bit & 1 == 1);
    set.map(|bit| graph.flag(bit).map_or_else(|| format!("bit {bit}"), str::to_owned)).collect()
}

/// The bytes of a record, and its fields as JSON.
type Stored = (Option<Range<u64>>, String);

/// Tells of nodes as their records come.
struct Telling<'s, 'n> {
    show: &'s Show<'n>,
    compass: Compass,
    /// Whether nodes are told in the order in which their records come.
    is_ascending: bool,
    /// The nodes and ladders of which nothing is told yet.
    left: &'s [u32],
    /// The records that came before their turn.
    records: HashMap<u32, Stored>,
    each: &'s mut dyn FnMut(Told),
    /// What ended the telling.
    told: Result<()>,
}

impl Telling<'_, '_> {
    fn tell(&mut self, number: u32, record: Option<&Stored>) -> Result<()> {
        let show = self.show;
        let told = match number.checked_sub(show.first_ladder()) {
            None => {
                show.is_small(number, record)?;
                show.one(number, record, &self.compass)
            }
            Some(ladder) => show.ladders.told(ladder),
        };
        told.into_iter().for_each(&mut *self.each);
        Ok(())
    }

    /// Tells of all that are left.
    fn rest(mut self) -> Result<()> {
        std::mem::replace(&mut self.told, Ok(()))?;
        let records = std::mem::take(&mut self.records);
        self.left.iter().try_for_each(|number| self.tell(*number, records.get(number)))
    }
}

impl NodeRecords for Telling<'_, '_> {
    fn record(&mut self, node: u32, bytes: Option<Range<u64>>, fields: &dyn Stream) {
        // As text first: a number of 32 bits then has as many digits as it needs.
        let stored = (bytes, serde_json::to_string(&Reals(fields)).unwrap_or_default());
        if !self.is_ascending {
            self.records.insert(node, stored);
            return;
        }
        // Those before it have no record.
        while self.told.is_ok()
            && let Some((next, left)) = self.left.split_first()
            && *next <= node
        {
            self.left = left;
            self.told = self.tell(*next, Some(&stored).filter(|_| *next == node));
        }
    }
}
