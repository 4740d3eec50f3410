//! The file that is written: reachabilities one behind the other, and where the runs of areas begin.

use super::editor::{AasEditor, Slot, Way};
use crate::buf::AasBuf;
use crate::flags::{AreaFlags, Contents};
use crate::record::Reachability;
use std::collections::BTreeMap;

impl AasEditor {
    /// The file as it would be written. Reachabilities keep their order; those that were added come last among those of their area.
    pub fn to_buf(&self) -> AasBuf {
        let mut buf = self.frame.clone();
        for (marks, area) in self.marks.iter().zip(0..) {
            if let Some(of) = buf.settings.get_mut(area) {
                let [flags, contents] = halves(*marks);
                of.set_flags(AreaFlags(flags));
                of.set_contents(Contents(contents));
            }
        }
        if self.ways.len() == self.frame.reachabilities.len() && self.ways.iter().all(|way| way.used) {
            buf.reachabilities = self.ways.iter().map(|way| way.link).collect();
        } else {
            self.put_in_order(&mut buf);
        }
        buf
    }

    fn put_in_order(&self, buf: &mut AasBuf) {
        let opened = self.frame.reachabilities.len();
        let mut added: BTreeMap<Slot, Vec<&Way>> = BTreeMap::new();
        for way in self.ways.iter().skip(opened).filter(|way| way.used) {
            added.entry(way.from).or_default().push(way);
        }
        // Areas by where their runs began. An area without any stores where the next one begins.
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.runs.len());
        for (run, area) in self.runs.iter().zip(0..).skip(1) {
            let first = buf.settings.get(area).and_then(|of| usize::try_from(of.first_link()).ok());
            let first = first.filter(|first| (1..=opened).contains(first));
            match first {
                Some(first) => order.push((first, area)),
                None if !run.is_empty() || added.contains_key(&(area as Slot)) => order.push((opened, area)),
                None => {}
            }
        }
        order.sort_unstable();
        let mut list =
            Listing { list: Vec::with_capacity(self.ways.len()), places: Vec::with_capacity(opened) };
        for (start, area) in order {
            let run = self.runs.get(area).cloned().unwrap_or(0..0);
            let more = added.get(&(area as Slot));
            list.up_to(&self.ways, start);
            let place = match run.is_empty() && more.is_none() && list.places.len() > start {
                // It stores a number inside the run of another.
                true => list.places.get(start).copied().unwrap_or(0),
                false => list.list.len(),
            };
            if place == 0 && more.is_some() {
                list.list.push(Reachability::default());
            }
            let place = if more.is_some() { place.max(1) } else { place };
            if !run.is_empty() {
                list.up_to(&self.ways, run.end);
            }
            more.into_iter().flatten().for_each(|way| list.list.push(way.link));
            let count =
                if run.is_empty() && more.is_none() { 0 } else { list.list.len().saturating_sub(place) };
            if let Some(of) = buf.settings.get_mut(area) {
                of.set_run(
                    i32::try_from(place).unwrap_or(i32::MAX),
                    i32::try_from(count).unwrap_or(i32::MAX),
                );
            }
        }
        list.up_to(&self.ways, opened);
        buf.reachabilities = list.list;
    }
}

/// Flags and contents.
pub(super) fn halves(marks: u64) -> [u32; 2] {
    #[allow(clippy::cast_possible_truncation)] // the low half
    let flags = marks as u32;
    [flags, u32::try_from(marks >> 32).unwrap_or(0)]
}

/// Reachabilities in the order in which they are written.
struct Listing {
    list: Vec<Reachability>,
    /// Where those are now that were opened, as far as they were passed.
    places: Vec<usize>,
}

impl Listing {
    /// Passes over those that were opened, up to a place.
    fn up_to(&mut self, ways: &[Way], end: usize) {
        for way in ways.iter().take(end).skip(self.places.len()) {
            self.places.push(self.list.len());
            if way.used {
                self.list.push(way.link);
            }
        }
    }
}
