//! Waypoints as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{RcbotEditor, values_differ};
use super::values::{self, KEYS, flag_names};
use crate::buf::WaypointBuf;
use crate::flags::{FileFlags, NodeFlags};
use navmap_core::edit::points::numbers;
use navmap_core::edit::waypoints::{Slot, Waypoints};
use navmap_core::edit::{Apply, Atom, Editor, Fix, Overwritten, Refusal, Report, ReportRow, Role, Verb};
use navmap_core::error::Result as MeshResult;

impl Editor for RcbotEditor {
    type Key = Slot;
    type Change = Overwritten<WaypointBuf>;

    const SELECTORS: &'static [(&'static str, &'static str)] = &[
        ("ball(x,y,z,r)", "waypoints within a radius"),
        ("box(x0,y0,z0,x1,y1,z1)", "waypoints in a box between two corners"),
        ("flag(jump)", "waypoints with a flag"),
        ("area(3)", "waypoints of an area"),
        ("isolated", "waypoints without any link"),
    ];
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Overwritten<WaypointBuf>> {
        self.noted.take()
    }

    fn swap(&mut self, change: &mut Overwritten<WaypointBuf>) {
        change.swap(&mut self.now.waypoints);
    }

    fn weight(change: &Overwritten<WaypointBuf>) -> u64 {
        change.weight()
    }

    fn allow(&mut self, values: u64) {
        self.noted.allow(values);
    }

    fn is_full(&self) -> bool {
        self.noted.is_full()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.looked.get())
    }

    fn all(&self) -> Vec<Slot> {
        self.used().collect()
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
        self.look(self.slots() as usize);
        let same = |slot: &Slot| self.footprint(*slot).is_some_and(|other| other == footprint);
        self.used().find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        self.atom(atom)
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let own = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect();
        match place {
            Role::Operand if ["flag", "unflag"].contains(&verb) => own(flag_names(self.game)),
            Role::Operand if ["add", "set"].contains(&verb) => KEYS.map(|key| format!("{key}=")).to_vec(),
            Role::Selector("flag") => own(flag_names(self.game)),
            Role::Name => own(Self::NAMES.to_vec()),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
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
        let both = (0..before.len().max(after.len())).map(|at| {
            let [was, is] = [before, after].map(|list| list.get(at).filter(|point| point.used != 0));
            (was, is)
        });
        let nodes = ReportRow::of_numbered("waypoints", both, values_differ);
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

impl Waypoints for RcbotEditor {
    const NAMES: &'static [&'static str] = &["area", "ball", "box", "flag", "isolated"];

    fn slots(&self) -> Slot {
        self.now.waypoints.len() as Slot
    }

    fn origin(&self, slot: Slot) -> Option<[f32; 3]> {
        self.point(slot).map(|point| point.origin)
    }

    fn traits(&self, slot: Slot) -> (f32, u32) {
        self.point(slot).map_or((0.0, 0), |point| (point.radius, point.flags.0))
    }

    fn put(&mut self, slot: Slot, origin: [f32; 3]) -> bool {
        self.change(slot, |point| point.origin = origin)
    }

    fn mark(&mut self, slot: Slot, flags: u32) -> bool {
        self.change(slot, |point| point.flags = NodeFlags(flags))
    }

    fn remove(&mut self, slot: Slot) {
        self.change(slot, |point| {
            point.used = 0;
            point.targets.clear();
        });
    }

    fn targets(&self, slot: Slot) -> impl Iterator<Item = Option<Slot>> + '_ {
        let targets = self.point(slot).into_iter().flat_map(|point| &point.targets);
        targets.map(|to| Slot::try_from(*to).ok())
    }

    fn retain(&mut self, slot: Slot, keep: &mut dyn FnMut(Option<Slot>) -> bool) -> usize {
        let Some(point) = self.now.waypoints.get(slot as usize) else { return 0 };
        self.look(point.targets.len());
        // Most waypoints lose no link, and need no other list.
        let mut left: Option<Vec<i32>> = None;
        for (at, to) in point.targets.iter().enumerate() {
            match (keep(Slot::try_from(*to).ok()), &mut left) {
                (true, Some(left)) => left.push(*to),
                (false, None) => left = point.targets.get(..at).map(<[i32]>::to_vec),
                _ => {}
            }
        }
        let Some(left) = left else { return 0 };
        let gone = point.targets.len().saturating_sub(left.len());
        self.change(slot, |point| point.targets = left);
        gone
    }

    fn look(&self, items: usize) {
        self.looked.set(self.looked.get().saturating_add(items as u64));
    }

    fn bits(&self, names: &str) -> Result<u32, Refusal> {
        values::flags(names, self.game).map(|flags| flags.0)
    }

    fn own(&self, name: &str, arguments: &[&str]) -> Option<Result<Vec<Slot>, Refusal>> {
        let inside = |areas: Vec<f32>| {
            let lies =
                |slot: &Slot| self.point(*slot).is_some_and(|point| areas.contains(&(point.area as f32)));
            self.used().filter(lies).collect()
        };
        (name == "area").then(|| numbers(arguments).map(inside))
    }
}
