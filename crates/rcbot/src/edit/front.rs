//! Waypoints as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{Change, RcbotEditor, Slot, values_differ};
use super::select::NAMES;
use super::values::{KEYS, flag_names};
use crate::buf::WaypointBuf;
use crate::flags::FileFlags;
use navmap_core::edit::{Apply, Atom, Editor, Fix, Place, Refusal, Report, ReportRow, Scope, Verb};
use navmap_core::error::Result as MeshResult;

impl Editor for RcbotEditor {
    type Key = Slot;
    type Change = Change;

    const SELECTORS: &'static [(&'static str, &'static str)] = super::select::SELECTORS;
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Change> {
        (!self.changes.is_empty()).then(|| Change(std::mem::take(&mut self.changes)))
    }

    fn swap(&mut self, change: &mut Change) {
        let points = &mut self.now.waypoints;
        for (slot, other) in change.0.iter_mut().rev() {
            let at = *slot as usize;
            match (other.take(), points.get_mut(at)) {
                (Some(mut was), Some(now)) => {
                    std::mem::swap(&mut was, now);
                    *other = Some(was);
                }
                // New ones come last, and go in the reverse order.
                (Some(was), None) => points.push(was),
                (None, _) => *other = points.pop(),
            }
        }
        change.0.reverse();
    }

    fn all(&self) -> Vec<Slot> {
        self.points().map(|(slot, _)| slot).collect()
    }

    fn find(&self, space: &str, id: &str) -> Option<Slot> {
        let slot = id.parse().ok().filter(|_| space.is_empty())?;
        self.point(slot).map(|_| slot)
    }

    fn name(&self, key: Slot) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: Slot) -> Option<String> {
        let [x, y, z] = self.point(key)?.origin;
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<Slot> {
        let same = |slot: &Slot| self.footprint(*slot).is_some_and(|other| other == footprint);
        self.points().map(|(slot, _)| slot).find(same)
    }

    fn select(&self, atom: &Atom<'_>, _: &Scope<Slot>) -> Result<Vec<Slot>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Place<'_>) -> Vec<String> {
        let own = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect();
        match place {
            Place::Operand if ["flag", "unflag"].contains(&verb) => own(flag_names(self.game)),
            Place::Operand if ["add", "set"].contains(&verb) => KEYS.map(|key| format!("{key}=")).to_vec(),
            Place::Selector("flag") => own(flag_names(self.game)),
            Place::Name => own(NAMES.to_vec()),
            Place::Operand | Place::Option(_) | Place::Selector(_) => Vec::new(),
        }
    }

    fn fixes() -> &'static [Fix] {
        &[
            Fix { code: "dangling-target", command: "clean_links" },
            Fix { code: "link-to-unused", command: "clean_links" },
            Fix { code: "self-link", command: "clean_links" },
            Fix { code: "repeated-link", command: "clean_links" },
            Fix { code: "unused-links", command: "clean_links" },
        ]
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.now.encode()
    }

    fn report(&self) -> Report {
        let (before, after) = (&self.opened.waypoints, &self.now.waypoints);
        let used = |list: &[WaypointBuf]| list.iter().filter(|point| point.used != 0).count() as u64;
        let mut nodes = ReportRow { what: "waypoints", before: used(before), ..ReportRow::default() };
        nodes.after = used(after);
        for (at, now) in after.iter().enumerate() {
            let was = before.get(at).filter(|was| was.used != 0);
            let count = match (was, now.used != 0) {
                (None, true) => &mut nodes.made,
                (Some(_), false) => &mut nodes.removed,
                (Some(was), true) if values_differ(was, now) => &mut nodes.changed,
                _ => continue,
            };
            *count = count.saturating_add(1);
        }
        let links = |list: &[WaypointBuf]| -> Vec<(usize, i32)> {
            let of = |(from, point): (usize, &WaypointBuf)| {
                point.targets.iter().map(move |to| (from, *to)).collect::<Vec<_>>()
            };
            list.iter().enumerate().flat_map(of).collect()
        };
        let links = ReportRow::of_lists("links", links(before), links(after));
        let mut notes = Vec::new();
        let visibility = self.now.flags.contains(FileFlags::VISIBILITY);
        if visibility && (nodes.made > 0 || nodes.removed > 0 || nodes.changed > 0) {
            notes.push(
                "visibility: the .rcv beside the file is of the old waypoints (the bot can make it anew)"
                    .to_owned(),
            );
        }
        Report { rows: vec![nodes, links], notes }
    }
}
