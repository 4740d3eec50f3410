//! The hints of a `.nod` file as an [`Editor`]. Nothing else of such a file can be changed.

use super::select::NEAR;
use super::world::Slot;
use crate::flags::{Hint, NodeType};
use crate::nod::NodNav;
use crate::nodbuf::{HintBuf, NodBuf};
use navmap_core::edit::points::{Room, at_point};
use navmap_core::edit::{
    Apply, Atom, Command, Deltas, Editor, Refusal, Report, ReportRow, Role, Scope, Verb, Weighed, Word,
    nearest, number, verb,
};
use navmap_core::error::Result as MeshResult;
use navmap_core::text::counted;

/// The keys of a node.
const KEYS: [&str; 3] = ["Hint", "Activity", "Yaw"];

/// Selectors as they are typed, and what they select.
const SELECTORS: &[(&str, &str)] = &[
    ("ball(x,y,z,r)", "nodes within a radius"),
    ("box(x0,y0,z0,x1,y1,z1)", "nodes in a box between two corners"),
    ("kind(land)", "nodes of a type"),
    ("hint(name)", "nodes with a hint; _ for blanks in its name"),
];

/// The names of selectors.
const NAMES: [&str; 4] = ["ball", "box", "hint", "kind"];

/// A `.nod` file whose hints are edited. An unchanged file is written byte for byte.
#[derive(Debug)]
pub struct NodEditor {
    graph: NodBuf,
    opened: NodBuf,
    nodes: Vec<([f32; 3], NodeType)>,
    changes: Deltas<Delta>,
}

/// The hints that one command has overwritten.
#[derive(Debug)]
pub struct HintChange(Deltas<Delta>);

/// The hint of a node.
#[derive(Debug)]
struct Delta(Slot, HintBuf);

impl Weighed for Delta {
    fn weight(&self) -> u64 {
        1
    }
}

impl NodEditor {
    /// Starts editing a graph. Linear.
    pub fn of_nav(nav: &NodNav<'_>) -> Self {
        let graph = NodBuf::from(nav);
        let nodes = nav.nodes().into_iter().map(|node| (node.origin(), node.kind())).collect();
        Self { opened: graph.clone(), graph, nodes, changes: Deltas::default() }
    }

    /// Nodes with their numbers.
    fn places(&self) -> impl Iterator<Item = (Slot, [f32; 3], NodeType)> + '_ {
        self.nodes.iter().zip(0..).map(|((origin, kind), slot)| (slot, *origin, *kind))
    }

    fn put(&mut self, slot: Slot, hint: HintBuf) -> Result<(), Refusal> {
        let before = self.graph.hint(slot as usize).unwrap_or_default();
        if before.yaw.to_bits() != hint.yaw.to_bits()
            || (before.hint, before.activity) != (hint.hint, hint.activity)
        {
            if self.changes.is_full() {
                return Err(Refusal::full());
            }
            self.graph.set_hint(slot as usize, hint)?;
            self.changes.push(Delta(slot, before));
        }
        Ok(())
    }

    /// `set SELECTOR KEY=VALUE...`.
    fn set(&mut self, c: &mut Command<'_>, s: &mut Scope<Slot>) -> Result<(), Refusal> {
        let word = c.need("a selector")?;
        let given = c.rest()?;
        if given.is_empty() {
            return Err(Refusal::new(format!("nothing to set: {}", KEYS.join(", "))).at(c.at()));
        }
        let slots = s.select(self, &word)?;
        for slot in &slots {
            let mut hint = self.graph.hint(*slot as usize).unwrap_or_default();
            given.iter().try_for_each(|word| set(&mut hint, word))?;
            self.put(*slot, hint)?;
        }
        s.say(format!("set {}", counted(slots.len() as u64, "node", "nodes")));
        Ok(())
    }
}

/// Sets a value of a hint.
fn set(hint: &mut HintBuf, word: &Word<'_>) -> Result<(), Refusal> {
    let wrong = |what: &str| Refusal::new(format!("{} where {what} was expected", word.text)).at(word.at);
    let (key, value) = word.setting().ok_or_else(|| wrong("KEY=VALUE"))?;
    match key.to_ascii_lowercase().as_str() {
        "hint" => hint.hint = named(value).map_err(|refusal| refusal.at(word.at))?,
        "activity" => hint.activity = value.parse().map_err(|_| wrong("Activity=NUMBER"))?,
        "yaw" => hint.yaw = number(value).ok_or_else(|| wrong("Yaw=DEGREES"))?,
        _ => return Err(Refusal::unknown("key", key).or(nearest(key, KEYS)).at(word.at)),
    }
    Ok(())
}

/// A hint by its name, with `_` for blanks, or by its number.
fn named(text: &str) -> Result<Hint, Refusal> {
    let found = Hint::named(&text.replace('_', " ")).or_else(|| text.parse().ok().map(Hint));
    found.ok_or_else(|| {
        let near = nearest(text, Hint::NAMED.iter().map(|(name, _)| *name));
        Refusal::unknown("hint", text).or(near)
    })
}

impl Editor for NodEditor {
    type Key = Slot;
    type Change = HintChange;

    const SELECTORS: &'static [(&'static str, &'static str)] = SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = &[(
        verb("set", "SELECTOR KEY=VALUE...", "set Hint=NAME|NUMBER Activity=N Yaw=N of nodes"),
        Self::set,
    )];

    fn take_change(&mut self) -> Option<HintChange> {
        self.changes.take().map(HintChange)
    }

    fn weight(change: &HintChange) -> u64 {
        change.0.weight()
    }

    fn allow(&mut self, values: u64) {
        self.changes.allow(values);
    }

    fn is_full(&self) -> bool {
        self.changes.is_full()
    }

    fn swap(&mut self, change: &mut HintChange) {
        change.0.swap(|Delta(slot, hint)| {
            let now = self.graph.hint(*slot as usize).unwrap_or_default();
            // The node existed when the change was noted, and nodes are never removed.
            let _ = self.graph.set_hint(*slot as usize, *hint);
            *hint = now;
        });
    }

    fn all(&self) -> Vec<Slot> {
        (0..self.nodes.len() as Slot).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Slot> {
        let slot: Slot = id.parse().ok().filter(|_| space.is_empty())?;
        ((slot as usize) < self.nodes.len()).then_some(slot)
    }

    fn name(&self, key: Slot) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: Slot) -> Option<String> {
        let ([x, y, z], _) = self.nodes.get(key as usize)?;
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<Slot> {
        let same = |slot: &Slot| self.footprint(*slot).is_some_and(|other| other == footprint);
        self.all().into_iter().find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        let (name, arguments) = match atom {
            Atom::Id { space, id } => return Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => {
                return at_point(self.places().map(|(slot, origin, _)| (slot, origin, NEAR)), *nearest, at);
            }
            Atom::Point { space, .. } => return Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => (*name, arguments.as_slice()),
        };
        if let Some(room) = Room::parse(name, arguments)? {
            let inside = self.places().filter(|(_, origin, _)| room.holds(*origin));
            return Ok(inside.map(|(slot, ..)| slot).collect());
        }
        match name.to_ascii_lowercase().as_str() {
            "hint" => {
                let hints = arguments.iter().map(|name| named(name)).collect::<Result<Vec<_>, _>>()?;
                let has =
                    |slot: &Slot| self.graph.hint(*slot as usize).is_some_and(|at| hints.contains(&at.hint));
                Ok(self.all().into_iter().filter(has).collect())
            }
            "kind" => {
                let kind =
                    |name: &&str| NodeType::named(name).ok_or_else(|| Refusal::unknown("kind of node", name));
                let kinds = arguments.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
                Ok(self.places().filter(|(.., kind)| kinds.contains(kind)).map(|(slot, ..)| slot).collect())
            }
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }

    fn suggest(&self, _: &str, place: Role<'_>) -> Vec<String> {
        match place {
            Role::Operand => KEYS.map(|key| format!("{key}=")).to_vec(),
            Role::Selector("hint") => Hint::NAMED.iter().map(|(name, _)| name.replace(' ', "_")).collect(),
            Role::Selector("kind") => NodeType::NAMED.iter().map(|(name, _)| (*name).to_owned()).collect(),
            Role::Name => NAMES.map(str::to_owned).to_vec(),
            Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        Ok(self.graph.encode())
    }

    fn report(&self) -> Report {
        let nodes = self.nodes.len();
        let differs = |node: &usize| {
            let bits = |graph: &NodBuf| graph.hint(*node).map(|at| (at.hint, at.activity, at.yaw.to_bits()));
            bits(&self.graph) != bits(&self.opened)
        };
        let changed = (0..nodes).filter(differs).count() as u64;
        let nodes = nodes as u64;
        let row = ReportRow { what: "hints", before: nodes, after: nodes, changed, ..ReportRow::default() };
        Report { rows: vec![row], notes: Vec::new() }
    }
}
