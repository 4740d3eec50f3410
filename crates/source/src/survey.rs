//! One walk over a mesh of GoldSrc or Source: its counts, and the findings that cost nothing more.

use super::after::AfterAreas;
use super::area::Area;
use super::halves::{Gather, gather};
use super::layout::{Layout, Trust};
use super::record::{Approach, VisibleArea};
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

/// The bytes of the parts of areas. How many records those are is found at the end, in one division for all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    /// How many.
    areas: u64,
    connections: u64,
    hiding_spots: u64,
    approaches: u64,
    /// How many.
    encounter_paths: u64,
    paths: u64,
    ladders: u64,
    visible_areas: u64,
}

impl Parts {
    /// Adds the counts of these areas.
    pub(super) fn add_to(&self, layout: Layout, tally: &mut Tally) {
        // `heads` counts of `head` bytes, and records of `size` bytes each.
        let records = |bytes: u64, heads: u64, head: u64, size: u64| {
            bytes.saturating_sub(heads.saturating_mul(head)).checked_div(size).unwrap_or(0)
        };
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        let [head, spot] = layout.path_size().map(u64::from);
        let (approach, visible) = (size_of::<Approach>() as u64, size_of::<VisibleArea>() as u64);
        let paths = self.paths.saturating_sub(self.areas.saturating_mul(4));
        add(&mut tally.areas, self.areas);
        add(&mut tally.connections, records(self.connections, self.areas, 4 * 4, 4));
        add(&mut tally.hiding_spots, records(self.hiding_spots, self.areas, 1, layout.spot_size()));
        add(&mut tally.approach_areas, records(self.approaches, self.areas, 1, approach));
        add(&mut tally.encounter_paths, self.encounter_paths);
        add(&mut tally.encounter_spots, records(paths, self.encounter_paths, head, spot));
        add(&mut tally.ladder_connections, records(self.ladders, self.areas, 2 * 4, 4));
        add(&mut tally.visible_areas, records(self.visible_areas, self.areas, 4, visible));
    }

    fn sum(&mut self, more: &Self) {
        // Bytes of files that are shorter than 4 GiB.
        let add = |to: &mut u64, more: u64| *to = to.wrapping_add(more);
        add(&mut self.areas, more.areas);
        add(&mut self.connections, more.connections);
        add(&mut self.hiding_spots, more.hiding_spots);
        add(&mut self.approaches, more.approaches);
        add(&mut self.encounter_paths, more.encounter_paths);
        add(&mut self.paths, more.paths);
        add(&mut self.ladders, more.ladders);
        add(&mut self.visible_areas, more.visible_areas);
    }
}

impl<'a> Gather<'a> for Parts {
    #[inline(always)]
    fn add(&mut self, area: &Area<'a>) {
        let spans = area.spans();
        let between = |start: u32, end: u32| u64::from(end.wrapping_sub(start));
        let [connections, ..] = spans.connections;
        self.sum(&Self {
            areas: 1,
            connections: between(connections, spans.hiding_spots),
            hiding_spots: between(spans.hiding_spots, spans.middle_approaches),
            approaches: area.approaches_len().into(),
            encounter_paths: spans.path_count.into(),
            paths: between(spans.paths, spans.place),
            ladders: between(spans.ladders_up, spans.times),
            visible_areas: between(spans.visible, spans.inherit),
        });
    }

    fn append(&mut self, later: Self) {
        self.sum(&later);
    }
}

impl<'a> SourceNav<'a> {
    /// Counts everything in one walk. If it fails, `tally` holds what was read before the error.
    pub(super) fn tally(&self, tally: &mut Tally) -> Result<AfterAreas<'a>> {
        tally.places = self.places().len() as u64;
        let mut parts = Parts::default();
        let after = gather(self.areas(), &mut parts, Parts::default);
        parts.add_to(self.layout(), tally);
        let after = after?;
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
