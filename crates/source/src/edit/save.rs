//! What is written.

use super::editor::SourceEditor;
use crate::buf::{AreaBuf, SourceBuf};
use crate::odd::odd_parts;
use crate::view::SourceNav;
use crate::write::encode;
use navmap_core::error::{Error, Result};
use navmap_core::{Finding, Severity};
use std::collections::{HashMap, HashSet};

/// A new place directory, and the new number for each old one.
type Directory = (Vec<Box<[u8]>>, HashMap<u16, u16>);

/// Warnings that no edit may newly make: the game drops the first, and keeps the second without use.
const REFUSED: [&str; 2] = ["self-connection", "duplicate-connection"];

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
        let dropped = self.world.state().tail_dropped && !self.tail().is_empty();
        if !dropped
            && self.original.starts_with(&bytes)
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
        if self.keep_tail && !dropped {
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
        let mut now: Vec<Finding> = now
            .into_iter()
            .filter(|found| found.severity == Severity::Error || REFUSED.contains(&found.code))
            .collect();
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

    /// Hiding spots that newly lie off every area: the game warns of each.
    pub(super) fn loose_spots(&self) -> Option<String> {
        let loose = |mesh: &SourceBuf| -> HashSet<String> {
            let odd = super::super::odd(mesh).into_iter().filter(|found| found.code == "hiding-spot-outside");
            odd.map(|found| found.message).collect()
        };
        let new = loose(&self.to_buf()).difference(&loose(&self.before()?)).count();
        (new > 0).then(|| format!("hiding spots: {new} newly lie off every area, the game warns of them"))
    }

    /// What is to be said of visibility that was kept.
    pub(super) fn kept_sight(&self) -> Option<String> {
        let kept = self.world.sight().kept && self.world.census().visibility > 0;
        let what = "visibility is kept: of cut and merged areas it is potential, which no trace has proven";
        kept.then(|| what.to_owned())
    }
}
