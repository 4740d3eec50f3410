//! Areas as an [`Editor`]: what a session drives.

use super::commands::VERBS;
use super::editor::{AasEditor, Noted, Slot, Way, marks};
use super::values::{self, KEYS, LINK_KEYS};
use crate::record::Area;
use crate::view::AasNav;
use navmap_core::edit::points::{Room, at_point};
use navmap_core::edit::{Apply, Atom, Editor, Fix, Refusal, Report, ReportRow, Role, Verb, nearest};
use navmap_core::error::Result as MeshResult;
use std::collections::BTreeSet;
use zerocopy::IntoBytes;

const NAMES: [&str; 6] = ["ball", "box", "cluster", "flag", "isolated", "kind"];

impl Editor for AasEditor {
    type Key = Slot;
    type Change = Noted;

    const SELECTORS: &'static [(&'static str, &'static str)] = &[
        ("ball(x,y,z,r)", "areas whose center is within a radius"),
        ("box(x0,y0,z0,x1,y1,z1)", "areas whose center is in a box between two corners"),
        ("cluster(2)", "areas of a cluster, without its portals"),
        ("flag(disabled)", "areas with a flag, or that hold something: flag(lava)"),
        ("isolated", "areas without any link"),
        ("kind(rocket_jump)", "areas that links of a kind leave"),
    ];
    const VERBS: &'static [(Verb, Apply<Self>)] = VERBS;

    fn take_change(&mut self) -> Option<Noted> {
        let (marks, ways) = (self.noted.marks.take(), self.noted.ways.take());
        let some = marks.is_some() || ways.is_some();
        some.then(|| Noted { marks: marks.unwrap_or_default(), ways: ways.unwrap_or_default() })
    }

    fn swap(&mut self, change: &mut Noted) {
        change.marks.swap(&mut self.marks);
        change.ways.swap(&mut self.ways);
    }

    fn weight(change: &Noted) -> u64 {
        change.ways.weight().saturating_add(change.marks.weight())
    }

    fn allow(&mut self, values: u64) {
        self.noted.marks.allow(values);
        self.noted.ways.allow(values);
    }

    fn is_full(&self) -> bool {
        self.noted.marks.is_full() || self.noted.ways.is_full()
    }

    fn looked_at(&self) -> Option<u64> {
        Some(self.looked())
    }

    fn all(&self) -> Vec<Slot> {
        self.listed.clone()
    }

    fn find(&self, space: &str, id: &str) -> Option<Slot> {
        id.parse().ok().filter(|area| space.is_empty() && self.is_area(*area))
    }

    fn name(&self, key: Slot) -> String {
        format!("#{key}")
    }

    fn footprint(&self, key: Slot) -> Option<String> {
        let [x, y, z] = self.area(key)?.center();
        Some(format!("{x} {y} {z}"))
    }

    fn find_footprint(&self, _: &str, footprint: &str) -> Option<Slot> {
        self.look(self.frame.areas.len());
        let same = |area: &Slot| self.footprint(*area).is_some_and(|other| other == footprint);
        (1..self.frame.areas.len() as Slot).find(same)
    }

    fn select(&self, atom: &Atom<'_>) -> Result<Vec<Slot>, Refusal> {
        self.look(self.listed.len());
        match atom {
            Atom::Id { space, id } => Err(Refusal::new(format!("there is no {space}#{id}"))),
            Atom::Point { space: "", nearest, at } => self.at(*nearest, at),
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.named(name, arguments),
        }
    }

    fn suggest(&self, verb: &str, place: Role<'_>) -> Vec<String> {
        let flags = || values::names(self.meaning()).into_iter().map(|(name, _)| name.to_owned()).collect();
        let kinds = || (1..20).map(|kind| values::kind_name(crate::flags::TravelKind(kind))).collect();
        match place {
            Role::Operand if ["flag", "unflag"].contains(&verb) => flags(),
            Role::Operand if verb == "set" => KEYS.map(|key| format!("{key}=")).to_vec(),
            Role::Operand if ["connect", "set_link", "set_links"].contains(&verb) => {
                LINK_KEYS.map(|key| format!("{key}=")).to_vec()
            }
            Role::Option("--kind") | Role::Selector("kind") => kinds(),
            Role::Selector("flag") => flags(),
            Role::Name => NAMES.map(str::to_owned).to_vec(),
            Role::Operand | Role::Option(_) | Role::Selector(_) => Vec::new(),
        }
    }

    fn fixes() -> &'static [Fix] {
        &[
            Fix { code: "dangling-target", command: "clean_links" },
            Fix { code: "orphan-link", command: "clean_links" },
            Fix { code: "deleted-link", command: "clean_links" },
        ]
    }

    fn encode(&self) -> MeshResult<Vec<u8>> {
        self.to_buf().encode()
    }

    fn report(&self) -> Report {
        let count = self.frame.areas.len().saturating_sub(1) as u64;
        let was = (0..self.frame.areas.len()).map(|area| self.frame.settings.get(area).map(marks));
        let changed = was.zip(&self.marks).filter(|(was, now)| *was != Some(**now)).count() as u64;
        let areas = ReportRow { what: "areas", before: count, after: count, changed, ..ReportRow::default() };
        let mut links = ReportRow { what: "links", ..ReportRow::default() };
        let tally = |count: &mut u64, more: bool| *count = count.saturating_add(more.into());
        // The first one is a placeholder.
        for (place, way) in self.ways.iter().enumerate().skip(1) {
            tally(&mut links.after, way.used);
            match self.frame.reachabilities.get(place) {
                None => tally(&mut links.made, way.used),
                Some(was) => {
                    tally(&mut links.before, true);
                    tally(&mut links.removed, !way.used);
                    tally(&mut links.changed, way.used && was.as_bytes() != way.link.as_bytes());
                }
            }
        }
        Report { rows: vec![areas, links], notes: Vec::new() }
    }
}

impl AasEditor {
    fn area(&self, area: Slot) -> Option<&Area> {
        self.frame.areas.get(area as usize).filter(|_| area > 0)
    }

    fn center(&self, area: Slot) -> Option<[f32; 3]> {
        self.area(area).map(Area::center)
    }

    /// The area that holds a point, as the engine would say, or the one whose center is nearest.
    fn at(&self, nearest: bool, at: &[f32]) -> Result<Vec<Slot>, Refusal> {
        let place = |area: Slot| Some((area, self.center(area)?, 0.0));
        let all = || self.listed.iter().copied().filter_map(place);
        match *at {
            _ if nearest => at_point(all(), true, at),
            [x, y, z] => {
                let nav = AasNav::parse(self.frame.bytes()).ok();
                match nav.and_then(|nav| nav.area_near([x, y, z])).filter(|area| self.is_area(*area)) {
                    Some(area) => Ok(vec![area]),
                    None => at_point(all(), false, at),
                }
            }
            [x, y] => {
                let holds = |area: &Slot| {
                    let Some(of) = self.area(*area) else { return false };
                    let ([x0, y0, _], [x1, y1, _]) = (of.mins(), of.maxs());
                    x0 <= x && x <= x1 && y0 <= y && y <= y1
                };
                let here: Vec<Slot> = self.listed.iter().copied().filter(holds).collect();
                match here.is_empty() {
                    true => at_point(all(), false, at),
                    false => at_point(here.into_iter().filter_map(place), true, at),
                }
            }
            _ => Err(Refusal::new("a point has two or three numbers")),
        }
    }

    fn named(&self, name: &str, arguments: &[&str]) -> Result<Vec<Slot>, Refusal> {
        let those = |wanted: &dyn Fn(Slot) -> bool| -> Result<Vec<Slot>, Refusal> {
            Ok(self.listed.iter().copied().filter(|area| wanted(*area)).collect())
        };
        if let Some(room) = Room::parse(name, arguments)? {
            return those(&|area| self.center(area).is_some_and(|at| room.holds(at)));
        }
        let used = || self.ways.iter().filter(|way| way.used);
        match name.to_ascii_lowercase().as_str() {
            "cluster" => {
                let typed = arguments.join(",");
                let number: i32 = typed.parse().map_err(|_| {
                    Refusal::new(format!("{typed} where the number of a cluster was expected"))
                })?;
                those(&|area| self.frame.settings.get(area as usize).is_some_and(|of| of.cluster() == number))
            }
            "flag" => {
                let bits = values::bits(&arguments.join(","), self.meaning())?;
                those(&|area| self.marks.get(area as usize).is_some_and(|marks| marks & bits != 0))
            }
            "isolated" => {
                self.look(self.ways.len());
                let ends = |way: &Way| [Some(way.from), Slot::try_from(way.link.area()).ok()];
                let linked: BTreeSet<Slot> = used().flat_map(ends).flatten().collect();
                those(&|area| !linked.contains(&area))
            }
            "kind" => {
                self.look(self.ways.len());
                let kind = values::kind(&arguments.join(","))?;
                let left = used().filter(|way| way.link.kind() == kind).map(|way| way.from);
                let left: BTreeSet<Slot> = left.collect();
                those(&|area| left.contains(&area))
            }
            _ => Err(Refusal::unknown("selector", name).or(nearest(name, NAMES))),
        }
    }
}
