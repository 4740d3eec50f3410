//! Waypoints as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{Spot, YapbEditor};
use super::values::{self, KEYS};
use crate::flags::NodeFlags;
use crate::record::{Link, Node};
use navmap_core::edit::waypoints::{Slot, Waypoints};
use navmap_core::edit::{Apply, Atom, Editor, Fix, Overwritten, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Result as MeshResult;
use zerocopy::IntoBytes;

impl Editor for YapbEditor {
    type Key = Slot;
    type Change = Overwritten<Spot>;

    const SELECTORS: &'static [(&'static str, &'static str)] = &[
        ("ball(x,y,z,r)", "waypoints within a radius"),
        ("box(x0,y0,z0,x1,y1,z1)", "waypoints in a box between two corners"),
        ("flag(ladder)", "waypoints with a flag"),
        ("isolated", "waypoints without any link"),
    ];
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Overwritten<Spot>> {
        self.noted.take()
    }

    fn swap(&mut self, change: &mut Overwritten<Spot>) {
        change.swap(&mut self.spots);
    }

    fn weight(change: &Overwritten<Spot>) -> u64 {
        change.weight()
    }

    fn allow(&mut self, values: u64) {
        self.noted.allow(values);
    }

    fn is_full(&self) -> bool {
        self.noted.is_full()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.looked.get())
    }

    fn all(&self) -> Vec<Slot> {
        self.used().collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Slot> {
        let slot = id.parse().ok().filter(|_| space.is_empty())?;
        self.node(slot).map(|_| slot)
    }

    fn name(&self, key: Slot) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: Slot) -> Option<String> {
        let [x, y, z] = self.node(key)?.origin();
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<Slot> {
        self.look(self.slots() as usize);
        let same = |slot: &Slot| self.footprint(*slot).is_some_and(|other| other == footprint);
        self.used().find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let own = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect();
        let flags = || NodeFlags::NAMED.iter().map(|(name, _)| *name).collect();
        match place {
            Role::Operand if ["flag", "unflag"].contains(&verb) => own(flags()),
            Role::Operand if ["add", "set"].contains(&verb) => KEYS.map(|key| format!("{key}=")).to_vec(),
            Role::Selector("flag") => own(flags()),
            Role::Name => own(Self::NAMES.to_vec()),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn fixes() -> &'static [Fix] {
        &[
            Fix { code: "dangling-target", command: "clean_links" },
            Fix { code: "self-link", command: "clean_links" },
            Fix { code: "repeated-link", command: "clean_links" },
            Fix { code: "node-number", command: "number" },
            Fix { code: "stale-distance", command: "measure" },
        ]
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.to_buf().encode()
    }

    fn report(&self) -> Report {
        let after: Vec<(usize, &Node)> = self
            .spots
            .iter()
            .enumerate()
            .filter(|(_, spot)| spot.used)
            .map(|(at, spot)| (at, &spot.node))
            .collect();
        let before: Vec<(usize, &Node)> = self.opened.iter().enumerate().collect();
        let both = (0..self.slots()).map(|slot| (self.opened.get(slot as usize), self.node(slot)));
        let nodes = ReportRow::of_numbered("waypoints", both, |was, now| bare(was) != bare(now));
        let mut links = ReportRow::of_lists("links", ends(&before), ends(&after));
        // A link that leads there still, and is another one.
        let whole = ReportRow::of_lists("links", ties(&before), ties(&after));
        links.changed = whole.made.saturating_sub(links.made);
        Report { rows: vec![nodes, links], notes: Vec::new() }
    }
}

impl Waypoints for YapbEditor {
    const NAMES: &'static [&'static str] = &["ball", "box", "flag", "isolated"];

    fn slots(&self) -> Slot {
        self.spots.len() as Slot
    }

    fn origin(&self, slot: Slot) -> Option<[f32; 3]> {
        self.node(slot).map(Node::origin)
    }

    fn traits(&self, slot: Slot) -> (f32, u32) {
        self.node(slot).map_or((0.0, 0), |node| (node.radius().unwrap_or(0.0), node.flags().0))
    }

    fn put(&mut self, slot: Slot, origin: [f32; 3]) -> bool {
        self.change(slot, |spot| spot.node.set_origin(origin))
    }

    fn moved(&mut self, slots: &[Slot]) {
        self.measure_around(slots);
    }

    fn mark(&mut self, slot: Slot, flags: u32) -> bool {
        self.change(slot, |spot| spot.node.set_flags(NodeFlags(flags)))
    }

    fn remove(&mut self, slot: Slot) {
        self.change(slot, |spot| {
            spot.used = false;
            *spot.node.slots_mut() = [Link::FREE; 8];
        });
    }

    fn targets(&self, slot: Slot) -> impl Iterator<Item = Option<Slot>> + '_ {
        let links = self.node(slot).into_iter().flat_map(Node::links);
        links.map(|(_, link)| Slot::try_from(link.target()).ok())
    }

    fn retain(&mut self, slot: Slot, keep: &mut dyn FnMut(Option<Slot>) -> bool) -> usize {
        let Some(mut slots) = self.node(slot).map(|node| *node.slots()) else { return 0 };
        let mut gone = 0_usize;
        for link in slots.iter_mut().filter(|link| link.is_used()) {
            if !keep(Slot::try_from(link.target()).ok()) {
                *link = Link::FREE;
                gone = gone.saturating_add(1);
            }
        }
        if gone > 0 {
            self.change(slot, |spot| *spot.node.slots_mut() = slots);
        }
        gone
    }

    fn look(&self, items: usize) {
        self.looked.set(self.looked.get().saturating_add(items as u64));
    }

    fn bits(&self, names: &str) -> Result<u32, Refusal> {
        values::flags(names).map(|flags| flags.0)
    }
}

/// A node without its links.
fn bare(node: &Node) -> Vec<u8> {
    let mut node = *node;
    *node.slots_mut() = [Link::FREE; 8];
    node.as_bytes().to_vec()
}

/// The ends of all links.
fn ends(nodes: &[(usize, &Node)]) -> Vec<(usize, i16)> {
    nodes.iter().flat_map(|(from, node)| node.links().map(|(_, link)| (*from, link.target()))).collect()
}

/// All links, each with its node.
fn ties<'n>(nodes: &[(usize, &'n Node)]) -> Vec<(usize, &'n [u8])> {
    nodes.iter().flat_map(|(from, node)| node.links().map(|(_, link)| (*from, link.as_bytes()))).collect()
}
