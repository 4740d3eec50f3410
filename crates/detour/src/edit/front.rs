//! Tiles as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{Change, DetourEditor, Item};
use super::parts::{ground, polygon};
use super::select::{NAMES, SELECTORS};
use super::values::JUMP_KEYS;
use navmap_core::edit::{Apply, Atom, Editor, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Result as MeshResult;

impl Editor for DetourEditor {
    type Key = Item;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Change> {
        let noted = std::mem::take(&mut self.noted);
        (!noted.grounds.is_empty() || !noted.jumps.is_empty()).then_some(noted)
    }

    fn swap(&mut self, change: &mut Change) {
        change.grounds.swap(&mut self.grounds);
        change.jumps.swap(&mut self.jumps);
    }

    fn weight(change: &Change) -> u64 {
        change.grounds.weight().saturating_add(change.jumps.weight())
    }

    fn allow(&mut self, values: u64) {
        self.noted.grounds.allow(values);
        self.noted.jumps.allow(values);
    }

    fn is_full(&self) -> bool {
        self.noted.grounds.is_full() || self.noted.jumps.is_full()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.looked.get())
    }

    fn all(&self) -> Vec<Item> {
        self.items().collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Item> {
        let id: u64 = id.parse().ok()?;
        if space.eq_ignore_ascii_case("C") {
            let slot = u32::try_from(id).ok()?;
            return self.jump(slot).map(|_| Item::Connection(slot));
        }
        let tile = u32::try_from(id >> 32).ok().filter(|_| space.is_empty())?;
        let range = self.range(tile);
        let slot = range.start.checked_add(usize::try_from(id & 0xFFFF_FFFF).ok()?)?;
        let slot = u32::try_from(slot).ok().filter(|_| range.contains(&slot))?;
        self.ground(slot).map(|_| Item::Polygon(slot))
    }

    fn name(&self, key: Item) -> String {
        match key {
            Item::Polygon(slot) => {
                let (tile, polygon) = self.place_of(slot);
                format!("#{}", u64::from(tile) << 32 | u64::from(polygon))
            }
            Item::Connection(slot) => format!("C#{slot}"),
        }
    }

    fn footprint(&self, key: Item) -> Option<String> {
        let spelt = |[x, y, z]: [f32; 3]| format!("{x} {y} {z}");
        match key {
            Item::Polygon(slot) => self.ground(slot).map(|_| spelt(self.center(slot))),
            Item::Connection(slot) => {
                let row = self.jump(slot)?.record;
                Some(format!("{} to {}", spelt(row.start()), spelt(row.end())))
            }
        }
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Item> {
        self.look(self.grounds.len().saturating_add(self.jumps.len()));
        let of_space = |item: &Item| matches!(item, Item::Connection(_)) != space.is_empty();
        let same = |item: &Item| self.footprint(*item).is_some_and(|other| other == footprint);
        self.items().filter(of_space).find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        match place {
            Role::Operand if ["set", "connect"].contains(&verb) => {
                JUMP_KEYS.map(|key| format!("{key}=")).to_vec()
            }
            Role::Name => NAMES.iter().map(|name| (*name).to_owned()).collect(),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.bytes()
    }

    fn report(&self) -> Report {
        let mut polygons = ReportRow { what: "polygons", ..ReportRow::default() };
        polygons.before = self.grounds.len() as u64;
        let opened = self
            .opened
            .tiles
            .iter()
            .flat_map(|tile| (0..ground(tile)).filter_map(|index| polygon(tile, index)));
        for (ground, was) in self.grounds.iter().zip(opened) {
            let count = match (ground.used, (ground.area, ground.flags) == (was.area(), was.flags())) {
                (false, _) => &mut polygons.removed,
                (true, false) => &mut polygons.changed,
                (true, true) => continue,
            };
            *count = count.saturating_add(1);
        }
        polygons.after = polygons.before.saturating_sub(polygons.removed);
        let mut jumps = ReportRow { what: "off-mesh connections", ..ReportRow::default() };
        jumps.before = self.opened_jumps.len() as u64;
        for (at, jump) in self.jumps.iter().enumerate() {
            let was = self.opened_jumps.get(at).map(|(was, _)| was);
            let count = match (was, jump.used) {
                (None, true) => &mut jumps.made,
                (Some(_), false) => &mut jumps.removed,
                (Some(was), true) if was != jump => &mut jumps.changed,
                _ => continue,
            };
            *count = count.saturating_add(1);
        }
        jumps.after = jumps.before.saturating_add(jumps.made).saturating_sub(jumps.removed);
        Report { rows: vec![polygons, jumps], notes: Vec::new() }
    }
}
