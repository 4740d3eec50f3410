//! A mesh as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{Change, Ground, Item, Source2Editor};
use super::select::{NAMES, SELECTORS};
use super::values::{self, KEYS};
use crate::flags::Source2Attributes;
use navmap_core::edit::{Apply, Atom, Editor, Fix, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Result as MeshResult;

impl Editor for Source2Editor {
    type Key = Item;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Change> {
        let noted = std::mem::take(&mut self.noted);
        let none = noted.grounds.is_empty() && noted.corners.is_empty() && noted.climbs.is_empty();
        (!none).then_some(noted)
    }

    fn swap(&mut self, change: &mut Change) {
        change.grounds.swap(&mut self.grounds);
        change.corners.swap(&mut self.corners);
        change.climbs.swap(&mut self.climbs);
    }

    fn weight(change: &Change) -> u64 {
        let weights = [change.grounds.weight(), change.corners.weight(), change.climbs.weight()];
        weights.into_iter().fold(0, u64::saturating_add)
    }

    fn allow(&mut self, values: u64) {
        self.noted.grounds.allow(values);
        self.noted.corners.allow(values);
        self.noted.climbs.allow(values);
    }

    fn is_full(&self) -> bool {
        [self.noted.grounds.is_full(), self.noted.corners.is_full(), self.noted.climbs.is_full()]
            .contains(&true)
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.looked())
    }

    fn all(&self) -> Vec<Item> {
        self.areas().map(|(slot, _)| Item::Area(slot)).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Item> {
        let id = id.parse().ok()?;
        match space {
            "" => self.area_of(id).map(Item::Area),
            "V" | "v" => Some(id).filter(|corner| self.is_corner(*corner)).map(Item::Corner),
            "L" | "l" => self.ladder_of(id).map(Item::Ladder),
            _ => None,
        }
    }

    fn name(&self, key: Item) -> String {
        match key {
            Item::Area(slot) => format!("#{}", self.id(slot)),
            Item::Corner(corner) => format!("V#{corner}"),
            Item::Ladder(slot) => {
                let id = self.climbs.get(slot as usize).map(|climb| climb.record.ladder().id().get());
                format!("L#{}", id.unwrap_or(0))
            }
        }
    }

    fn footprint(&self, key: Item) -> Option<String> {
        let spelt = |[x, y, z]: [f32; 3]| format!("{x} {y} {z}");
        match key {
            Item::Area(slot) => {
                self.ground(slot).map(|_| format!("{} hull {}", spelt(self.center(slot)), self.hull(slot)))
            }
            Item::Corner(corner) => self.corner(corner).filter(|_| self.is_corner(corner)).map(spelt),
            Item::Ladder(slot) => {
                let ladder = self.climb(slot)?.record;
                Some(format!("{} to {}", spelt(ladder.ladder().bottom()), spelt(ladder.ladder().top())))
            }
        }
    }

    fn find_footprint(&self, space: &str, footprint: &str) -> Option<Item> {
        let same = |item: &Item| self.footprint(*item).is_some_and(|other| other == footprint);
        match space {
            "" => {
                self.look(self.grounds.len());
                self.areas().map(|(slot, _)| Item::Area(slot)).find(same)
            }
            "V" => {
                self.look(self.corners.len());
                (0..self.corners.len() as u32).map(Item::Corner).find(same)
            }
            _ => self.ladders().map(|(slot, _)| Item::Ladder(slot)).find(same),
        }
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Item>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let names = || Source2Attributes::NAMED.iter().map(|(name, _)| (*name).to_owned()).collect();
        match place {
            Role::Operand if verb == "set" => KEYS.iter().map(|key| format!("{key}=")).collect(),
            Role::Operand if ["flag", "unflag"].contains(&verb) => names(),
            Role::Selector("flag") => names(),
            Role::Name => NAMES.iter().map(|name| (*name).to_owned()).collect(),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn fixes() -> &'static [Fix] {
        const fn clean(code: &'static str) -> Fix {
            Fix { code, command: "clean" }
        }
        &const {
            [
                clean("dangling-connection"),
                clean("dangling-ladder"),
                clean("dangling-ladder-area"),
                clean("duplicate-connection"),
                clean("edge-out-of-range"),
                clean("self-connection"),
            ]
        }
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.bytes()
    }

    fn report(&self) -> Report {
        let opened: Vec<Ground> = self.opened.areas.iter().map(Ground::from).collect();
        let (mut areas, mut links) = (
            ReportRow { what: "areas", ..ReportRow::default() },
            ReportRow { what: "links", ..ReportRow::default() },
        );
        for (was, is) in opened.iter().zip(&self.grounds) {
            count(&mut areas, is.used, values::differs_but_for_links(was, is));
            let list = |ground: &Ground| -> Vec<(usize, u32, u32)> {
                let end =
                    |(edge, link): (usize, &super::super::EdgeLink)| (edge, link.area().get(), link.edge());
                ground.links().filter(|_| ground.used).map(end).collect()
            };
            let row = ReportRow::of_lists("links", list(was), list(is));
            links.before = links.before.saturating_add(row.before);
            links.after = links.after.saturating_add(row.after);
            links.made = links.made.saturating_add(row.made);
            links.removed = links.removed.saturating_add(row.removed);
        }
        let mut corners = ReportRow { what: "corners", ..ReportRow::default() };
        for (number, (was, is)) in (0..).zip(super::editor::corners(&self.opened).iter().zip(&self.corners)) {
            let alone = self.outlines.around(number).is_empty();
            count(&mut corners, alone || self.is_corner(number), was != is);
        }
        let mut ladders = ReportRow { what: "ladders", ..ReportRow::default() };
        for (was, is) in self.opened.ladders.iter().zip(&self.climbs) {
            count(&mut ladders, is.used, *was != is.record);
        }
        let mut report = Report { rows: vec![areas, links, corners, ladders], notes: Vec::new() };
        let bytes = self.game_bytes();
        if bytes > 0 && !report.is_empty() {
            let what = "hiding spots, encounters, approach areas and occupy times by area";
            report.notes.push(format!("the game's own data ({bytes} bytes: {what}) is carried as it was"));
        }
        report
    }
}

/// Counts a thing that there was.
fn count(row: &mut ReportRow, stays: bool, differs: bool) {
    let tally = |count: &mut u64, more: bool| *count = count.saturating_add(more.into());
    tally(&mut row.before, true);
    tally(&mut row.after, stays);
    tally(&mut row.removed, !stays);
    tally(&mut row.changed, stays && differs);
}
