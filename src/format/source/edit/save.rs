//! What is written, and what is different from what was opened.

#![forbid(unsafe_code)]

use super::editor::SourceEditor;
use crate::edit::{Report, Tally};
use crate::error::{Error, Result};
use crate::finding::{Finding, Severity};
use crate::format::source::buf::{AreaBuf, SourceBuf};
use crate::format::source::odd::odd_parts;
use crate::format::source::record::AreaId;
use crate::format::source::view::SourceNav;
use crate::format::source::write::encode;
use std::collections::{HashMap, HashSet};

/// How many of something an area has.
type Count = fn(&AreaBuf) -> usize;

/// A new place directory, and the new number for each old one.
type Directory = (Vec<Box<[u8]>>, HashMap<u16, u16>);

impl SourceEditor {
    /// The directory that the game would write, with names in the order of their first use. `None` as long as no place
    /// and no area has changed: the one that was read then stays as it is.
    pub(super) fn directory(&self) -> Option<Directory> {
        let places = self.world.areas().map(|(_, area)| area.place);
        if places.clone().eq(self.original_places.iter().copied()) {
            return None;
        }
        let (mut directory, mut numbers): Directory = (Vec::new(), HashMap::new());
        for place in places.filter(|place| *place != 0) {
            let Some(stored) = self.world.head.places.get(usize::from(place).saturating_sub(1)) else {
                continue;
            };
            numbers.entry(place).or_insert_with(|| {
                directory.push(stored.clone());
                u16::try_from(directory.len()).unwrap_or(u16::MAX)
            });
        }
        Some((directory, numbers))
    }

    /// The file. If nothing has changed, these are the bytes that were opened, tail included.
    pub(super) fn written(&self) -> Result<Vec<u8>> {
        let mut head = self.world.head.clone();
        let mut number: Option<HashMap<u16, u16>> = None;
        match self.directory() {
            Some((directory, numbers)) => {
                head.places = directory;
                if head.version >= 12 {
                    let mut areas = self.world.areas();
                    head.has_unnamed_areas = areas.any(|(_, area)| !numbers.contains_key(&area.place)).into();
                }
                number = Some(numbers);
            }
            None => head.places.truncate(self.original_directory()),
        }
        let place = |area: &AreaBuf| match &number {
            Some(numbers) => numbers.get(&area.place).copied().unwrap_or(0),
            None => area.place,
        };
        let areas = self.world.areas().map(|(_, area)| area);
        let ladders = self.world.ladders().map(|(_, each)| each);
        let mut bytes = encode(&head, areas.clone(), ladders.clone(), &[], place)?;
        if self.original.starts_with(&bytes)
            && self.original.len() == bytes.len().saturating_add(self.tail().len())
        {
            return Ok(self.original.clone());
        }
        if !self.force_odd
            && let Some(new) = self.newly_odd(odd_parts(&head, areas, ladders, place)).first()
        {
            let why = format!("{} (--force-odd writes it all the same)", new.message);
            return Err(Error::invalid("the game would not bear this", why));
        }
        if self.keep_tail {
            bytes.extend_from_slice(self.tail());
        }
        Ok(bytes)
    }

    /// The mesh that was opened, read again.
    pub(super) fn before(&self) -> Option<SourceBuf> {
        SourceNav::parse(&self.original).and_then(|nav| SourceBuf::read(&nav)).ok()
    }

    fn original_directory(&self) -> usize {
        SourceNav::parse(&self.original).map_or(usize::MAX, |nav| nav.places().len())
    }

    /// What GoldSrc left behind the end of the file.
    pub(super) fn tail(&self) -> &[u8] {
        self.original.get(self.original.len().saturating_sub(self.tail_len)..).unwrap_or_default()
    }

    /// What a game would refuse or crash on now, and would not have before.
    fn newly_odd(&self, now: Vec<Finding>) -> Vec<Finding> {
        let mut now: Vec<Finding> =
            now.into_iter().filter(|found| found.severity == Severity::Error).collect();
        if now.is_empty() {
            return now;
        }
        let before = self.before().map(|mesh| super::super::odd(&mesh)).unwrap_or_default();
        let before: HashSet<(&str, &str)> =
            before.iter().map(|found| (found.code, found.message.as_str())).collect();
        now.retain(|found| !before.contains(&(found.code, found.message.as_str())));
        now
    }

    /// What was odd in the mesh that was opened and is carried on unchanged.
    pub fn carried(&self) -> Vec<Finding> {
        let mut odd = self.before().map(|mesh| super::super::odd(&mesh)).unwrap_or_default();
        odd.retain(|found| found.severity == Severity::Error);
        odd
    }

    /// What differs from what was opened. Linear.
    pub(super) fn differences(&self) -> Report {
        let Some(before) = self.before() else { return Report::default() };
        let after = self.to_buf();
        let mut report = Report::default();
        let old: HashMap<AreaId, &AreaBuf> = before.areas.iter().map(|area| (area.id, area)).collect();
        let new: HashMap<AreaId, &AreaBuf> = after.areas.iter().map(|area| (area.id, area)).collect();
        let count = |len: usize| len as u64;
        let named = |mesh: &SourceBuf, area: &AreaBuf| mesh.head.place(area.place).map(<[u8]>::to_vec);
        let changed = after.areas.iter().filter(|area| {
            old.get(&area.id).is_some_and(|was| {
                let place = named(&before, was) != named(&after, area);
                place || AreaBuf { place: 0, ..(*was).clone() } != AreaBuf { place: 0, ..(*area).clone() }
            })
        });
        let made = after.areas.iter().filter(|area| !old.contains_key(&area.id));
        let removed = before.areas.iter().filter(|area| !new.contains_key(&area.id));
        let areas = Tally {
            what: "areas",
            before: count(before.areas.len()),
            after: count(after.areas.len()),
            changed: count(changed.count()),
            made: count(made.count()),
            removed: count(removed.count()),
        };
        report.rows.push(areas);
        let links = |mesh: &SourceBuf| -> HashSet<(AreaId, u32, AreaId)> {
            let each = |area: &AreaBuf| {
                let id = area.id;
                area.all_connections().map(move |(way, to)| (id, way.stored(), to)).collect::<Vec<_>>()
            };
            mesh.areas.iter().flat_map(each).collect()
        };
        report.rows.push(sets("links", &links(&before), &links(&after)));
        let ladders = |mesh: &SourceBuf| -> HashSet<Vec<u8>> {
            mesh.ladders.iter().map(|each| zerocopy::IntoBytes::as_bytes(&each.ladder).to_vec()).collect()
        };
        report.rows.push(sets("ladders", &ladders(&before), &ladders(&after)));
        let places = |mesh: &SourceBuf| mesh.head.places.iter().cloned().collect::<HashSet<_>>();
        report.rows.push(sets("places", &places(&before), &places(&after)));
        report.notes = notes(&before, &after, &report);
        report
    }
}

fn sets<T: Eq + std::hash::Hash>(what: &'static str, before: &HashSet<T>, after: &HashSet<T>) -> Tally {
    let made = after.difference(before).count() as u64;
    let removed = before.difference(after).count() as u64;
    Tally { what, before: before.len() as u64, after: after.len() as u64, made, removed, changed: 0 }
}

/// What became stale, what was dropped, what was kept.
fn notes(before: &SourceBuf, after: &SourceBuf, report: &Report) -> Vec<String> {
    let mut notes = Vec::new();
    let sum = |mesh: &SourceBuf, of: Count| mesh.areas.iter().map(of).sum::<usize>();
    let kinds: [(&str, Count); 4] = [
        ("encounter paths", |area| area.encounters.len()),
        ("visibility", |area| area.visible_areas.len()),
        ("hiding spots", |area| area.hiding_spots.len()),
        ("approach areas", |area| area.approaches.len()),
    ];
    let shape = |mesh: &SourceBuf| mesh.areas.iter().map(|area| (area.id, area.shape)).collect::<Vec<_>>();
    let moved = shape(before) != shape(after);
    let linked = report.rows.iter().any(|row| row.what == "links" && !row.is_empty());
    for (what, of) in kinds {
        match (sum(before, of), sum(after, of)) {
            (0, 0) => {}
            (was, 0) => notes.push(format!("{what}: all {was} dropped")),
            (was, now) if now < was => {
                notes.push(format!("{what}: {} of {was} dropped", was.saturating_sub(now)))
            }
            (_, now) if moved || linked => notes.push(format!("{what}: {now} kept, now stale")),
            _ => {}
        }
    }
    if before.head.analyzed != 0 && after.head.analyzed == 0 {
        notes.push("the mesh counts as not analysed: the game asks for nav_analyze".to_owned());
    }
    if !before.tail.is_empty() {
        notes.push(format!(
            "{} bytes behind the end, left of an older file, are dropped (--keep-tail keeps them)",
            before.tail.len()
        ));
    }
    notes
}
