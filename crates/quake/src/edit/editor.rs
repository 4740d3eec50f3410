//! A Quake graph as an [`Editor`](navmap_core::edit::Editor): what a session drives.

use super::commands::VERBS;
use super::path::Terms;
use super::select::NAMES;
use super::world::{self, Astray, Change, Slot, World};
use crate::layout::Magic;
use crate::navjson::NavJson;
use crate::view::QuakeNav;
use crate::write::QuakeBuf;
use navmap_core::edit::{Apply, Atom, Editor, Fix, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Error;
use navmap_core::error::Result as MeshResult;
use navmap_core::text::counted;
use navmap_core::{Finding, Severity};

/// A graph of NAV2, NAV3 or navjson that is edited.
///
/// It holds the owned graph and the bytes that were opened. A graph that is as it was opened is written as these bytes.
/// A changed one has its links in the order of their nodes, and traversals and edicts in the order of their links, as
/// every real file has.
#[derive(Debug)]
pub struct QuakeEditor {
    pub(super) world: World,
    original: Vec<u8>,
    /// The graph that was opened, without its records: version and layout.
    like: QuakeBuf,
    json: bool,
    /// Whether nothing was dropped when it was opened.
    whole: bool,
    carried: Vec<Finding>,
}

impl QuakeEditor {
    /// Starts editing a binary graph, with the bytes that it is a view of. Linear.
    ///
    /// # Errors
    /// If a node has links, or a link a traversal, that are not in the file, and if a link belongs to two nodes. Links to nodes that
    /// are not there stay as they are until they are removed.
    pub fn of_nav(nav: &QuakeNav<'_>, bytes: &[u8]) -> MeshResult<Self> {
        let graph = QuakeBuf::from(nav);
        let (nodes, astray) = world::read(&graph, false)?;
        let mut carried = told(&astray);
        carried.extend((!nav.trailing().is_empty()).then(|| {
            let many = counted(nav.trailing().len() as u64, "byte", "bytes");
            lost(format!("{many} after the end are left out of a changed file"))
        }));
        Ok(Self::start(graph, nodes, bytes, false, carried))
    }

    /// The same for a graph of which links or traversals are not in the file: they are dropped, and the graph is not written as
    /// these bytes any more. Also returns how many.
    ///
    /// # Errors
    /// If links belong to two nodes.
    pub fn of_nav_lenient(nav: &QuakeNav<'_>, bytes: &[u8]) -> MeshResult<(Self, usize)> {
        let graph = QuakeBuf::from(nav);
        let (nodes, astray) = world::read(&graph, true)?;
        let carried = told(&astray);
        let whole = astray.missing == 0;
        Ok((Self { whole, ..Self::start(graph, nodes, bytes, false, carried) }, astray.missing))
    }

    /// Starts editing a graph in its JSON form, with the text that it was read from. Linear.
    ///
    /// # Errors
    /// If a link leads to coordinates that no node has.
    pub fn of_json(nav: &NavJson<'_>, text: &[u8]) -> MeshResult<Self> {
        let mut carried = Vec::new();
        let graph = nav.to_graph(&mut |loss| {
            // The head stays, as the text does.
            if loss.severity > Severity::Info && loss.code != "head-lost" {
                carried.push(loss);
            }
        })?;
        let (nodes, _) = world::read(&graph, false)?;
        Ok(Self::start(graph, nodes, text, true, carried))
    }

    fn start(
        graph: QuakeBuf,
        nodes: Vec<world::Waypoint>,
        bytes: &[u8],
        json: bool,
        carried: Vec<Finding>,
    ) -> Self {
        let mut like = QuakeBuf::new(graph.version);
        (like.layout, like.heuristic) = (graph.layout, graph.heuristic);
        let (world, original) = (World::new(nodes, graph.heuristic), bytes.to_vec());
        Self { world, original, like, json, whole: true, carried }
    }

    /// What a changed file will not have of the one that was opened.
    pub fn carried(&self) -> &[Finding] {
        &self.carried
    }

    /// The graph as it is now.
    ///
    /// # Errors
    /// If there is more of anything than the format can address.
    pub fn to_buf(&self) -> MeshResult<QuakeBuf> {
        self.world.to_graph(&self.like)
    }

    pub(super) fn terms(&self) -> Terms {
        Terms { magic: self.like.version.magic, layout: self.like.layout }
    }

    /// The byte that every real file has beside the type of a link: all teams in NAV3, nothing in NAV2.
    pub(super) fn usual_flags(&self) -> u8 {
        match (self.like.version.magic, self.like.version.number) {
            (Magic::Nav2, _) => 0,
            (Magic::Nav3, ..3) => 0xFF,
            (Magic::Nav3, 3..=5) => 0x0F,
            (Magic::Nav3, _) => 3,
        }
    }

    /// The nodes and the heuristic that were opened.
    fn opened(&self) -> Option<(Vec<world::Waypoint>, f32)> {
        if self.json {
            let graph = NavJson::parse(&self.original).ok()?.to_graph(&mut |_| {}).ok()?;
            return Some((world::read(&graph, true).ok()?.0, graph.heuristic));
        }
        let graph = QuakeBuf::from(&QuakeNav::parse(&self.original).ok()?);
        Some((world::read(&graph, true).ok()?.0, graph.heuristic))
    }

    fn is_as_opened(&self) -> bool {
        self.opened().is_some_and(|(nodes, heuristic)| {
            heuristic.to_bits() == self.world.heuristic.to_bits()
                && nodes.len() == self.world.len()
                && self
                    .world
                    .nodes()
                    .zip(0..)
                    .all(|((slot, node), at)| slot == at && nodes.get(at as usize) == Some(node))
        })
    }

    fn text(&self, graph: &QuakeBuf) -> MeshResult<Vec<u8>> {
        let opened = NavJson::parse(&self.original)?;
        let mut losses = Vec::new();
        let nav = NavJson::from_graph(graph, opened.head().clone(), &mut |loss| losses.push(loss))?;
        let mut known = Vec::new();
        let _ = opened.to_graph(&mut |loss| known.push(loss.code));
        // Two nodes in one place cannot be told apart in this form.
        let new = losses.iter().find(|loss| loss.severity > Severity::Info && !known.contains(&loss.code));
        if let Some(loss) = new {
            return Err(Error::invalid("navjson cannot say this", loss.message.to_string()));
        }
        let mut text = Vec::new();
        nav.with_line_end(opened.line_end()).write(&mut text)?;
        Ok(text)
    }
}

fn told(astray: &Astray) -> Vec<Finding> {
    let counts = [
        (astray.idle, "link", "links", "of no node"),
        (astray.orphans, "traversal", "traversals", "of no link"),
        (astray.edicts, "edict", "edicts", "of links that are not there"),
    ];
    let mut told: Vec<Finding> = counts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many, what)| {
            lost(format!("{} {what}: left out of a changed file", counted(count as u64, one, many)))
        })
        .collect();
    told.extend((astray.shared > 0).then(|| {
        let many = counted(astray.shared as u64, "traversal", "traversals");
        lost(format!("{many} of several links: a changed file has one for each link"))
    }));
    told
}

fn lost(what: String) -> Finding {
    Finding::new(Severity::Warning, "unordered", what)
}

impl Editor for QuakeEditor {
    type Key = Slot;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = super::select::SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Change> {
        self.world.take_change()
    }

    fn weight(change: &Change) -> u64 {
        change.weight()
    }

    fn allow(&mut self, values: u64) {
        self.world.allow(values);
    }

    fn is_full(&self) -> bool {
        self.world.is_full()
    }

    fn count(&self) -> usize {
        self.world.len()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.world.looked_at())
    }

    fn swap(&mut self, change: &mut Change) {
        self.world.swap(change);
    }

    fn all(&self) -> Vec<Slot> {
        self.world.nodes().map(|(slot, _)| slot).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Slot> {
        let slot = id.parse().ok().filter(|_| space.is_empty())?;
        self.world.node(slot).map(|_| slot)
    }

    fn name(&self, key: Slot) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: Slot) -> Option<String> {
        let [x, y, z] = self.world.node(key)?.origin.to_array();
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<Slot> {
        let same = |slot: &Slot| self.footprint(*slot).is_some_and(|other| other == footprint);
        self.world.nodes().map(|(slot, _)| slot).find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match place {
            Role::Operand if ["flag", "unflag"].contains(&verb) => own(&self.terms().flag_names()),
            Role::Operand if verb == "set" => own(&["Nodes[", "Settings"]),
            Role::Operand | Role::Option(_) => Vec::new(),
            Role::Selector("flag") => own(&self.terms().flag_names()),
            Role::Selector("type") => own(&self.terms().type_names()),
            Role::Selector(_) => Vec::new(),
            Role::Name => own(&NAMES),
        }
    }

    fn fixes() -> &'static [Fix] {
        &[
            Fix { code: "dangling-target", command: "clean_links" },
            Fix { code: "self-link", command: "clean_links" },
            Fix { code: "repeated-link", command: "clean_links" },
        ]
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        if self.whole && self.is_as_opened() {
            return Ok(self.original.clone());
        }
        let graph = self.to_buf()?;
        if self.json {
            return self.text(&graph);
        }
        graph.encode()
    }

    fn report(&self) -> Report {
        let Some((before, heuristic)) = self.opened() else { return Report::default() };
        let both = (0..self.world.next()).map(|slot| (before.get(slot as usize), self.world.node(slot)));
        let nodes = ReportRow::of_numbered("nodes", both, |was, now| was != now);
        let ways = |from: Slot, node: &world::Waypoint| -> Vec<(Slot, Slot)> {
            node.links.iter().map(|way| (from, way.to)).collect()
        };
        let was = (0..).zip(&before).flat_map(|(slot, node)| ways(slot, node)).collect();
        let is = self.world.nodes().flat_map(|(slot, node)| ways(slot, node)).collect();
        let changed = u64::from(heuristic.to_bits() != self.world.heuristic.to_bits());
        let settings = ReportRow { what: "settings", before: 1, after: 1, changed, ..ReportRow::default() };
        Report { rows: vec![nodes, ReportRow::of_lists("links", was, is), settings], notes: Vec::new() }
    }
}
