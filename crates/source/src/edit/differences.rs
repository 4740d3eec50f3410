//! The differences from the opened mesh.

use super::editor::SourceEditor;
use super::world::Slot;
use crate::area::Area;
use crate::buf::AreaBuf;
use crate::flags::Direction;
use crate::record::{AreaId, Ladder};
use crate::view::SourceNav;
use navmap_core::edit::{Report, ReportRow};
use navmap_core::error::Result;
use std::collections::{HashMap, HashSet};
use zerocopy::IntoBytes;

/// How many of each kind a mesh or an area has.
#[derive(Clone, Copy, Default)]
struct Sums {
    links: u64,
    encounters: u64,
    visibility: u64,
    spots: u64,
    approaches: u64,
}

impl Sums {
    fn of_view(area: &Area<'_>) -> Self {
        let links = Direction::ALL.map(|direction| area.connections(direction).len());
        Self {
            links: links.iter().fold(0, |sum, len| sum.saturating_add(*len as u64)),
            encounters: area.encounter_path_count().into(),
            visibility: area.visible_areas().len() as u64,
            spots: area.hiding_spots().len().saturating_add(area.old_hiding_spots().len()) as u64,
            approaches: area.approaches().len() as u64,
        }
    }

    fn new(area: &AreaBuf) -> Self {
        Self {
            links: area.connections.iter().fold(0, |sum, list| sum.saturating_add(list.len() as u64)),
            encounters: area.encounters.len() as u64,
            visibility: area.visible_areas.len() as u64,
            spots: area.hiding_spots.len() as u64,
            approaches: area.approaches.len() as u64,
        }
    }

    fn with(self, other: Self, f: fn(u64, u64) -> u64) -> Self {
        Self {
            links: f(self.links, other.links),
            encounters: f(self.encounters, other.encounters),
            visibility: f(self.visibility, other.visibility),
            spots: f(self.spots, other.spots),
            approaches: f(self.approaches, other.approaches),
        }
    }

    fn add(&mut self, other: Self) {
        *self = self.with(other, u64::saturating_add);
    }
}

/// The mesh as it was opened.
struct Before<'m> {
    count: u64,
    sums: Sums,
    /// The areas that may have changed, by slot.
    areas: Vec<(Slot, AreaBuf)>,
    ladders: Vec<Ladder>,
    places: Vec<&'m [u8]>,
}

impl SourceEditor {
    /// The differences from the opened mesh. One walk over the mesh; only what a command has touched is compared.
    pub(super) fn differences(&self) -> Report {
        let Ok(nav) = SourceNav::parse(&self.original) else { return Report::default() };
        let Ok(mut before) = self.opened(&nav) else { return Report::default() };
        let mut now = before.sums;
        let mut areas = ReportRow { what: "areas", before: before.count, ..ReportRow::default() };
        areas.after = self.world.census().areas as u64;
        let mut links = ReportRow { what: "links", before: before.sums.links, ..ReportRow::default() };
        before.areas.iter().for_each(|(_, area)| now = now.with(Sums::new(area), u64::saturating_sub));
        let by_id: HashMap<AreaId, usize> = before.areas.iter().map(|(_, area)| area.id).zip(0..).collect();
        let mut kept = vec![false; before.areas.len()];
        let mut moved = false;
        for (slot, area) in self.world.areas().filter(|(slot, _)| self.world.is_touched(*slot)) {
            now.add(Sums::new(area));
            let here = before.areas.binary_search_by_key(&slot, |(slot, _)| *slot).ok();
            let here = here.filter(|at| before.areas.get(*at).is_some_and(|(_, was)| was.id == area.id));
            moved |= here.is_none();
            let was = here.or_else(|| by_id.get(&area.id).copied());
            let Some((at, (_, was))) = was.and_then(|at| Some((at, before.areas.get_mut(at)?))) else {
                areas.made = areas.made.saturating_add(1);
                links.made = links.made.saturating_add(Sums::new(area).links);
                continue;
            };
            if let Some(kept) = kept.get_mut(at) {
                *kept = true;
            }
            moved |= was.shape != area.shape;
            let (made, removed) = changed_links(was, area);
            links.made = links.made.saturating_add(made);
            links.removed = links.removed.saturating_add(removed);
            let old = usize::from(was.place).checked_sub(1).and_then(|at| before.places.get(at).copied());
            let same_place = old.map(name) == self.world.head.place(area.place);
            was.place = area.place;
            if !same_place || was != area {
                areas.changed = areas.changed.saturating_add(1);
            }
        }
        for ((_, was), _) in before.areas.iter().zip(kept).filter(|(_, kept)| !*kept) {
            moved = true;
            areas.removed = areas.removed.saturating_add(1);
            links.removed = links.removed.saturating_add(Sums::new(was).links);
        }
        links.after = now.links;
        let now_ladders: Vec<&Ladder> = self.world.ladders().map(|(_, each)| &each.ladder).collect();
        let ladders = changed_ladders(&before.ladders, &now_ladders);
        let mut unknown = self.unknown_places();
        if !unknown.is_empty() {
            let known: HashSet<String> = self.unknown_of(before.places.iter().copied()).collect();
            unknown.retain(|line| !known.contains(line));
        }
        let directory = self.directory();
        let places = match &directory {
            Some((names, _)) => {
                ReportRow::of_lists("places", before.places, names.iter().map(|name| &**name).collect())
            }
            None => ReportRow::of_lists("places", before.places.clone(), before.places),
        };
        let linked = !links.is_empty();
        let analyzed = nav.analyzed().unwrap_or_default() != 0;
        let mut notes =
            self.remarks(before.sums, now, (moved || linked) && !self.world.state().fresh, analyzed);
        notes.extend(self.kept_sight());
        notes.extend(unknown);
        if moved && !self.world.state().fresh {
            notes.extend(self.loose_spots());
        }
        Report { rows: vec![areas, links, ladders, places], notes }
    }

    fn opened<'m>(&self, nav: &SourceNav<'m>) -> Result<Before<'m>> {
        let mut before = Before {
            count: 0,
            sums: Sums::default(),
            areas: Vec::new(),
            ladders: Vec::new(),
            places: nav.places().map(|place| place.stored()).collect(),
        };
        let mut walk = nav.areas();
        for (slot, area) in (0..).zip(walk.by_ref()) {
            let area = area?;
            before.count = before.count.saturating_add(1);
            before.sums.add(Sums::of_view(&area));
            if self.world.is_touched(slot) {
                before.areas.push((slot, AreaBuf::from(&area)));
            }
        }
        let after = walk.finish()?;
        let old = after.old_ladders().iter().map(|old| old.split().0);
        before.ladders = after.ladders().iter().copied().chain(old).collect();
        Ok(before)
    }

    /// Remarks: what became stale, was dropped, was kept.
    fn remarks(&self, was: Sums, now: Sums, moved: bool, analyzed: bool) -> Vec<String> {
        let mut notes = Vec::new();
        for (what, was, now) in [
            ("encounter paths", was.encounters, now.encounters),
            ("visibility", was.visibility, now.visibility),
            ("hiding spots", was.spots, now.spots),
            ("approach areas", was.approaches, now.approaches),
        ] {
            match (was, now) {
                (0, 0) => {}
                (was, 0) => notes.push(format!("{what}: all {was} dropped")),
                (was, now) if now < was => {
                    notes.push(format!("{what}: {} of {was} dropped", was.saturating_sub(now)))
                }
                (_, now) if moved => notes.push(format!("{what}: {now} kept, now stale")),
                _ => {}
            }
        }
        if analyzed && self.world.head.analyzed == 0 {
            notes.push("the mesh counts as not analysed: the game asks for nav_analyze".to_owned());
        }
        if self.tail_len > 0 {
            notes.push(format!(
                "{} bytes behind the end, left of an older file, are dropped (--keep-tail keeps them)",
                self.tail_len
            ));
        }
        notes
    }
}

/// The name of a place, up to its NUL.
fn name(stored: &[u8]) -> &[u8] {
    stored.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Ladders before and after. Those with the same id are the same.
fn changed_ladders(before: &[Ladder], now: &[&Ladder]) -> ReportRow {
    let bytes = ReportRow::of_lists(
        "ladders",
        before.iter().map(Ladder::as_bytes).collect(),
        now.iter().map(|ladder| ladder.as_bytes()).collect(),
    );
    let ids = ReportRow::of_lists(
        "ladders",
        before.iter().map(|ladder| ladder.id().get()).collect(),
        now.iter().map(|ladder| ladder.id().get()).collect(),
    );
    ReportRow { changed: bytes.made.saturating_sub(ids.made), ..ids }
}

/// How many links of an area are new, and how many are gone.
fn changed_links(was: &AreaBuf, area: &AreaBuf) -> (u64, u64) {
    if was.connections == area.connections {
        return (0, 0);
    }
    let row = ReportRow::of_lists("links", was.all_connections().collect(), area.all_connections().collect());
    (row.made, row.removed)
}
