//! What is written.

use super::editor::SourceEditor;
use super::world::Slot;
use crate::buf::{AreaBuf, SourceBuf};
use crate::odd::{loose_spots, odd_each, odd_parts};
use crate::view::SourceNav;
use crate::write::encode;
use navmap_core::error::{Error, Result};
use navmap_core::{Finding, Severity};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// A new place directory, and the new number for each old one.
type Directory = (Vec<Box<[u8]>>, HashMap<u16, u16>);

/// A code, and the record that has it.
type Oddity = (&'static str, Option<(&'static str, u64)>);

/// Tells all findings, each time that it is asked.
type Findings<'f> = dyn Fn(&mut dyn FnMut(Finding)) + 'f;

/// Warnings that an edit must not introduce: the game drops the first, and keeps the second without effect.
const REFUSED: [&str; 2] = ["self-connection", "duplicate-connection"];

/// What an edit must not introduce.
fn refused(found: &Finding) -> bool {
    found.severity == Severity::Error || REFUSED.contains(&found.code)
}

/// A mesh that was written. One that was opened or saved can always be read.
pub(super) fn read(bytes: &[u8]) -> Option<SourceBuf> {
    SourceNav::parse(bytes).and_then(|nav| SourceBuf::read(&nav)).ok()
}

impl SourceEditor {
    /// The directory that the game would write, with names in the order of their first use. `None` if neither places nor areas
    /// have changed: the original then stays.
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

    /// The file. If nothing has changed, these are the opened bytes, tail included.
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
        let dropped = self.world.state().tail_dropped && !self.tail().is_empty();
        if !dropped
            && self.original.starts_with(&bytes)
            && self.original.len() == bytes.len().saturating_add(self.tail().len())
        {
            return Ok(self.original.clone());
        }
        if !self.force_odd
            && let Some(new) =
                self.newly_odd(&|tell| odd_parts(&head, areas.clone(), ladders.clone(), place, tell))
        {
            let why = format!("{new} (--force-odd writes it all the same)");
            return Err(Error::invalid("the game would not bear this", why));
        }
        if self.keep_tail && !dropped {
            bytes.extend_from_slice(self.tail());
        }
        Ok(bytes)
    }

    /// The opened mesh, read again.
    pub(super) fn before(&self) -> Option<SourceBuf> {
        read(&self.original)
    }

    /// The file as the script has it: what the last `nav_save` wrote, else the opened one.
    pub(super) fn file(&self) -> &[u8] {
        self.world.saved().unwrap_or(&self.original)
    }

    fn original_directory(&self) -> usize {
        SourceNav::parse(&self.original).map_or(usize::MAX, |nav| nav.places().len())
    }

    /// The bytes that GoldSrc left after the end of the file.
    pub(super) fn tail(&self) -> &[u8] {
        self.original.get(self.original.len().saturating_sub(self.tail_len)..).unwrap_or_default()
    }

    /// The first finding that a game would refuse or crash on, and that the opened mesh did not have. `now` tells all. There may be very
    /// many, so their messages are not kept.
    fn newly_odd(&self, now: &Findings<'_>) -> Option<String> {
        let mut any = false;
        now(&mut |found| any |= refused(&found));
        if !any {
            return None;
        }
        let state = RandomState::new();
        let message = |found: &Finding| state.hash_one((found.code, &found.message));
        let mut told = HashSet::new();
        // A message names ids, and a run may give others: what an area had already it may keep, under whatever id.
        let mut had: HashMap<Oddity, usize> = HashMap::new();
        let mut before = |found: Finding| {
            if refused(&found) {
                told.insert(message(&found));
                let count = had.entry((found.code, found.at.record)).or_default();
                *count = count.saturating_add(1);
            }
        };
        self.before().into_iter().for_each(|mesh| odd_each(&mesh, &mut before));
        let areas: Vec<Slot> = self.world.areas().map(|(slot, _)| slot).collect();
        let ladders: Vec<Slot> = self.world.ladders().map(|(slot, _)| slot).collect();
        let mut new = None;
        now(&mut |found| {
            if new.is_some() || !refused(&found) {
                return;
            }
            let slot = found.at.record.map(|(kind, index)| {
                let slots = if kind == "area" { &areas } else { &ladders };
                let slot = usize::try_from(index).ok().and_then(|index| slots.get(index));
                (kind, slot.map_or(u64::MAX, |slot| u64::from(*slot)))
            });
            match had.get_mut(&(found.code, slot)).filter(|left| **left > 0) {
                Some(left) => *left = left.saturating_sub(1),
                None if told.contains(&message(&found)) => {}
                None => new = Some(found.message),
            }
        });
        new
    }

    /// Oddities of the opened mesh that are carried over unchanged, by their codes: how many, and the first.
    pub fn carried(&self) -> BTreeMap<&'static str, (usize, Finding)> {
        let mut carried: BTreeMap<&'static str, (usize, Finding)> = BTreeMap::new();
        let mut add = |found: Finding| {
            if found.severity == Severity::Error {
                let (count, _) = carried.entry(found.code).or_insert((0, found));
                *count = count.saturating_add(1);
            }
        };
        self.before().into_iter().for_each(|mesh| odd_each(&mesh, &mut add));
        carried
    }

    /// Hiding spots that are newly outside every area: the game warns about each.
    pub(super) fn loose_spots(&self) -> Option<String> {
        let now = loose_spots(self.world.areas().map(|(_, area)| area));
        if now.is_empty() {
            return None;
        }
        let before = self
            .loose_before
            .get_or_init(|| self.before().map_or_else(HashSet::new, |mesh| loose_spots(mesh.areas.iter())));
        let new = now.difference(before).count();
        (new > 0).then(|| format!("hiding spots: {new} newly lie off every area, the game warns of them"))
    }

    /// A remark about visibility that was kept.
    pub(super) fn kept_sight(&self) -> Option<String> {
        let kept = self.world.sight().kept && self.world.census().visibility > 0;
        let what = "visibility is kept: of cut and merged areas it is potential, which no trace has proven";
        kept.then(|| what.to_owned())
    }
}
