//! One walk over a mesh of GoldSrc or Source: its counts, and the findings that cost nothing more.

use super::after::AfterAreas;
use super::area::Area;
use super::halves::{Gather, gather};
use super::layout::Trust;
use super::view::SourceNav;
use navmap_core::Counts;
use navmap_core::error::Result;
use navmap_core::{Finding, Severity};

/// The names of the counts, in the order of the tables.
pub(super) const COUNTS: [&str; 11] = [
    "areas",
    "ladders",
    "places",
    "connections",
    "hiding_spots",
    "approach_areas",
    "encounter_paths",
    "encounter_spots",
    "ladder_connections",
    "visible_areas",
    "stale_tail_bytes",
];

/// The counts of this family, in the order of their names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) areas: u64,
    pub(super) ladders: u64,
    pub(super) places: u64,
    pub(super) connections: u64,
    pub(super) hiding_spots: u64,
    pub(super) approach_areas: u64,
    pub(super) encounter_paths: u64,
    pub(super) encounter_spots: u64,
    pub(super) ladder_connections: u64,
    pub(super) visible_areas: u64,
    pub(super) stale_tail_bytes: u64,
}

impl Tally {
    /// Counts what one area holds.
    #[inline]
    pub(super) fn count(&mut self, area: &Area<'_>) {
        // Sums of 32-bit counts over at most 2^32 areas do not overflow.
        let add = |to: &mut u64, more: u32| *to = to.wrapping_add(u64::from(more));
        add(&mut self.areas, 1);
        add(&mut self.connections, area.connection_count());
        add(&mut self.hiding_spots, area.hiding_spot_count());
        add(&mut self.approach_areas, area.approaches().len() as u32);
        add(&mut self.encounter_paths, area.encounter_path_count());
        add(&mut self.encounter_spots, area.encounter_spot_count());
        add(&mut self.ladder_connections, area.ladders_up().len() as u32);
        add(&mut self.ladder_connections, area.ladders_down().len() as u32);
        add(&mut self.visible_areas, area.visible_areas().len() as u32);
    }

    pub(super) fn add_to(&self, counts: &mut Counts) {
        let all = [
            self.areas,
            self.ladders,
            self.places,
            self.connections,
            self.hiding_spots,
            self.approach_areas,
            self.encounter_paths,
            self.encounter_spots,
            self.ladder_connections,
            self.visible_areas,
            self.stale_tail_bytes,
        ];
        COUNTS.iter().zip(all).for_each(|(name, count)| counts.add(name, count));
    }
}

impl<'a> Gather<'a> for Tally {
    #[inline]
    fn add(&mut self, area: &Area<'a>) {
        self.count(area);
    }

    /// Adds what areas hold. The rest is the same for all areas.
    fn append(&mut self, later: Self) {
        let add = |to: &mut u64, more: u64| *to = to.wrapping_add(more);
        add(&mut self.areas, later.areas);
        add(&mut self.connections, later.connections);
        add(&mut self.hiding_spots, later.hiding_spots);
        add(&mut self.approach_areas, later.approach_areas);
        add(&mut self.encounter_paths, later.encounter_paths);
        add(&mut self.encounter_spots, later.encounter_spots);
        add(&mut self.ladder_connections, later.ladder_connections);
        add(&mut self.visible_areas, later.visible_areas);
    }
}

impl<'a> SourceNav<'a> {
    /// Counts everything in one walk. If it fails, `tally` holds what was read before the error.
    pub(super) fn tally(&self, tally: &mut Tally) -> Result<AfterAreas<'a>> {
        tally.places = self.places().len() as u64;
        let after = gather(self.areas(), tally, Tally::default)?;
        tally.ladders = after.ladder_count() as u64;
        tally.stale_tail_bytes = after.trailing().len() as u64;
        Ok(after)
    }

    /// Findings that cost nothing: those of the header and of what is left after the end.
    pub(super) fn remark(&self, after: &AfterAreas<'a>, found: &mut dyn FnMut(Finding)) {
        match self.trust() {
            Trust::Known => {}
            Trust::Inferred => found(Finding::new(
                Severity::Info,
                "experimental-layout",
                "read with an inferred layout, accepted because it ends where the file ends",
            )),
            Trust::Unknown => {
                // A sub-version belongs to the game, and mods make up their own. A version belongs to the engine.
                let (severity, code) = match self.version() {
                    ..17 => (Severity::Info, "unknown-subversion"),
                    17.. => (Severity::Warning, "experimental-layout"),
                };
                let what = "read as a stock mesh, accepted because it ends where the file ends";
                found(Finding::new(severity, code, what));
            }
        }
        if self.area_count() == 0 {
            let at = u64::from(self.areas_offset()).saturating_sub(4);
            let what = "no areas: the engine calls this an invalid file";
            found(Finding::new(Severity::Warning, "zero-areas", what).at(at));
        }
        let (left, at) = (after.trailing().len() as u64, u64::from(after.trailing_offset()));
        if left > 0 && self.version() <= 5 {
            let what = format!("stale tail, {left} bytes: the end of a longer file that was overwritten");
            found(Finding::new(Severity::Info, "stale-tail", what).at(at));
        } else if left > 0 {
            found(Finding::trailing(left, at));
        }
    }
}
