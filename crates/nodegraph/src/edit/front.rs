//! A graph of Source as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::NodeGraphEditor;
use super::select::NAMES;
use super::values::KEYS;
use super::world::{Change, End, Slot, differs};
use crate::buf::LinkBuf;
use crate::flags::{NodeInfo, NodeKind};
use navmap_core::edit::{Apply, Atom, Editor, Fix, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Result as MeshResult;

impl Editor for NodeGraphEditor {
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
        let [x, y, z] = self.world.node(key)?.origin;
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
        let own = |names: &mut dyn Iterator<Item = &'static str>| names.map(str::to_owned).collect();
        let mut bits = NodeInfo::NAMED.iter().map(|(name, _)| *name);
        match place {
            Role::Operand if ["flag", "unflag"].contains(&verb) => own(&mut bits),
            Role::Operand if ["add", "set"].contains(&verb) => KEYS.map(|key| format!("{key}=")).to_vec(),
            Role::Operand if ["connect", "moves"].contains(&verb) => {
                own(&mut crate::flags::Moves::NAMED.iter().map(|(name, _)| *name))
            }
            Role::Option("--hulls") => own(&mut crate::flags::SOURCE_HULLS.names().iter().copied()),
            Role::Selector("flag") => own(&mut bits),
            Role::Selector("kind") => own(&mut NodeKind::NAMED.iter().map(|(name, _)| *name)),
            Role::Name => own(&mut NAMES.into_iter()),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn fixes() -> &'static [Fix] {
        &[
            Fix { code: "dangling-target", command: "clean_links" },
            Fix { code: "self-link", command: "clean_links" },
            Fix { code: "repeated-link", command: "clean_links" },
            Fix { code: "no-move", command: "clean_links" },
            Fix { code: "wrong-zone", command: "number_zones" },
        ]
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.to_buf()?.encode()
    }

    fn report(&self) -> Report {
        let before = &self.opened.nodes;
        let both = (0..self.world.next_node()).map(|slot| (before.get(slot as usize), self.world.node(slot)));
        let nodes = ReportRow::of_numbered("nodes", both, differs);
        let ends = |link: &LinkBuf| [link.source, link.target].map(|end| End::of(end, before.len()));
        let was = self.opened.links.iter().map(|link| (ends(link), link.moves.clone()));
        let is = self.world.links().map(|(_, tie)| (tie.ends, tie.moves.clone()));
        let links = ReportRow::of_lists("links", was.collect(), is.collect());
        let rebuilt = self.world.to_graph(&self.like).is_ok_and(|graph| self.is_rebuilt(&graph));
        let notes = if rebuilt { vec!["zones: numbered again".to_owned()] } else { Vec::new() };
        Report { rows: vec![nodes, links], notes }
    }
}
