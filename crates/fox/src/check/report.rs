//! Collects findings: one for each code and group.

use crate::record::GroupId;
use navmap_core::graph::Ids;
use navmap_core::{Finding, Severity};

/// Findings of one group, collected into one per code until they are flushed.
pub(super) struct Report<'f> {
    found: &'f mut dyn FnMut(Finding),
    seen: Vec<(Finding, u64)>,
    tool: bool,
    /// The group that records are counted in.
    group: Option<GroupId>,
}

/// Where a finding is.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    record: Option<(&'static str, usize)>,
    at: u64,
    point: Option<[f32; 3]>,
}

impl Spot {
    /// The same place, with its position in the world: metres, y up.
    pub(super) fn around(self, point: Option<[f32; 3]>) -> Self {
        Self { point, ..self }
    }
}

pub(super) fn at(at: u64) -> Spot {
    Spot { record: None, at, point: None }
}

pub(super) fn record(kind: &'static str, index: usize, at: u64) -> Spot {
    Spot { record: Some((kind, index)), at, point: None }
}

impl<'f> Report<'f> {
    pub(super) fn new(tool: bool, found: &'f mut dyn FnMut(Finding)) -> Self {
        Self { found, seen: Vec::new(), tool, group: None }
    }

    /// From here on, records are those of this group.
    pub(super) fn within(&mut self, group: GroupId) {
        self.group = Some(group);
    }

    /// Reports a layout that differs from that of the game's tools.
    pub(super) fn deviation(&mut self, code: &'static str, place: Spot, message: impl FnOnce() -> String) {
        self.note(Severity::Deviation, code, place, message);
    }

    /// Reports that two parts of the file contradict each other. In a file of Obj2Nav2 this is a deviation, since that tool
    /// writes it this way.
    pub(super) fn warning(&mut self, code: &'static str, place: Spot, message: impl FnOnce() -> String) {
        let severity = if self.tool { Severity::Deviation } else { Severity::Warning };
        self.note(severity, code, place, message);
    }

    #[cold]
    pub(super) fn note(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: Spot,
        message: impl FnOnce() -> String,
    ) {
        if !self.is_seen(code) {
            self.add(Finding::new(severity, code, message()), place);
        }
    }

    /// Whether there is a finding with this code, which then counts one more.
    fn is_seen(&mut self, code: &str) -> bool {
        let first = self.seen.iter_mut().find(|(finding, _)| finding.code == code);
        first.map(|(_, more)| *more = more.saturating_add(1)).is_some()
    }

    fn add(&mut self, finding: Finding, place: Spot) {
        let mut finding = finding.at(place.at).placed(place.point);
        if let Some((kind, index)) = place.record {
            finding = finding.in_record(kind, index as u64);
            let in_group = |number: usize| Some(u64::from(self.group?.0) << 32 | number as u64);
            let ids = match kind {
                "face" => Some(Ids::InGroups("F")),
                "segment" | "segment node" => Some(Ids::InGroups("")),
                "island" => Some(Ids::Lettered("I")),
                _ => None,
            };
            finding = match (ids, in_group(index)) {
                (Some(ids @ Ids::Lettered(_)), _) => finding.identified(ids, index as u64),
                (Some(ids), Some(id)) => finding.identified(ids, id),
                _ => finding,
            };
        }
        self.seen.push((finding, 0));
    }

    pub(super) fn flush(&mut self) {
        for (mut finding, more) in self.seen.drain(..) {
            if more > 0 {
                finding.message.push_str(&format!(" (and {more} more)"));
            }
            (self.found)(finding);
        }
    }
}
