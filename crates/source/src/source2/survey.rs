//! One walk over a Source 2 mesh: its counts, and the findings that cost nothing more.

use super::after::AfterPolygonAreas;
use super::view::Source2Nav;
use crate::survey::Tally;
use navmap_core::error::Result;
use navmap_core::{Finding, Severity};

impl<'a> Source2Nav<'a> {
    /// Counts everything in one walk. If it fails, `tally` holds what was read before the error.
    pub(super) fn tally(&self, tally: &mut Tally) -> Result<AfterPolygonAreas<'a>> {
        let mut areas = self.areas();
        for area in areas.by_ref() {
            let area = area?;
            tally.areas = tally.areas.saturating_add(1);
            tally.connections = tally.connections.saturating_add(area.connection_count() as u64);
            let ladders = area.ladders_above().len().saturating_add(area.ladders_below().len());
            tally.ladder_connections = tally.ladder_connections.saturating_add(ladders as u64);
        }
        let after = areas.finish()?;
        tally.ladders = after.all_ladders().count() as u64;
        tally.stale_tail_bytes = after.trailing().len() as u64;
        Ok(after)
    }

    /// Findings that cost nothing.
    pub(super) fn remark(&self, after: &AfterPolygonAreas<'a>, found: &mut dyn FnMut(Finding)) {
        if matches!(self.version(), 31..=34 | 36..) {
            let (severity, why) = match self.version() {
                ..37 => (Severity::Info, "by inference: no real file was seen"),
                37.. => (Severity::Warning, "with the layout of version 36: no known game writes it"),
            };
            let what = format!("version {} is read {why}", self.version());
            found(Finding::new(severity, "experimental-layout", what).at(4));
        }
        if self.area_count() == 0 {
            let at = u64::from(self.areas_offset()).saturating_sub(4);
            found(Finding::new(Severity::Warning, "zero-areas", "no areas").at(at));
        }
        let left = after.trailing().len() as u64;
        if left > 0 {
            found(Finding::trailing(left, after.trailing_offset().into()));
        }
    }
}
