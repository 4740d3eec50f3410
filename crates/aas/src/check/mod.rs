//! Finds what is odd but readable.

mod faces;
mod links;
mod tree;

use super::graph::AasGraph;
use super::layout::{HEAD, LUMPS};
use super::record::Reachability;
use super::view::{AasNav, run};
use navmap_core::Finding;
use navmap_core::Severity::{self, Deviation, Error, Info, Warning};

/// A record: its lump, its noun, and its number.
type Of = (&'static str, &'static str, usize);

/// Reports what concerns the file as a whole, and errors. One pass over areas, reachabilities and nodes; allocates nothing.
pub(super) fn in_passing(nav: &AasNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, found };
    report.file();
    report.areas(false);
    report.links(false, &mut []);
    report.tree();
}

/// All findings.
pub(super) fn check(nav: &AasNav<'_>, found: &mut dyn FnMut(Finding)) {
    let mut report = Report { nav, found };
    report.file();
    report.planes();
    report.faces();
    report.sides();
    report.areas(true);
    let mut owned = vec![false; nav.reachabilities().len()];
    report.links(true, &mut owned);
    report.orphan_links(&owned);
    report.tree();
    report.orphans();
    report.portals();
    if nav.reachabilities().len() > 1 {
        let graph = AasGraph::new(*nav);
        let areas: Vec<usize> = graph.areas().collect();
        let offset = |node: u32| areas.get(node as usize).map(|area| nav.offset("areas", *area));
        // The graph leaves out what is no area.
        navmap_core::graph::check(&graph, false, offset, &mut |finding| (report.found)(finding.numbered()));
    }
}

struct Report<'r, 'a> {
    nav: &'r AasNav<'a>,
    found: &'r mut dyn FnMut(Finding),
}

impl Report<'_, '_> {
    fn say(&mut self, severity: Severity, code: &'static str, of: Of, message: String) {
        let (lump, record, index) = of;
        let finding = Finding::new(severity, code, message).at(self.nav.offset(lump, index));
        let area = (lump == "areas" || lump == "settings").then(|| self.nav.areas().get(index)).flatten();
        let link = (lump == "reachabilities").then(|| self.nav.reachabilities().get(index)).flatten();
        let place = area.map(|area| area.center()).or(link.map(Reachability::start));
        let finding = finding.in_record(record, index as u64).placed(place);
        (self.found)(if record == "area" { finding.with_id(index as u32) } else { finding });
    }

    /// Reports a number that leads outside its list.
    fn range(&mut self, of: Of, what: &str, number: impl Into<i64>, len: usize) {
        let number = number.into();
        if usize::try_from(number).map_or(true, |number| number >= len) {
            self.say(Error, "range", of, format!("{what} {number} of {len}"));
        }
    }

    /// Reports a run that leads outside its list.
    fn run(&mut self, of: Of, what: &str, [first, count]: [i32; 2], len: usize) {
        // An empty run may begin anywhere.
        if count != 0 && run(first, count, len).is_none() {
            self.say(Error, "range", of, format!("{what}: {count} from {first}, the list has {len}"));
        }
    }

    /// Reports bits without a known name.
    fn bits(&mut self, of: Of, what: &str, unnamed: u32) {
        if unnamed != 0 {
            self.say(Info, "unknown-flag", of, format!("{what} {unnamed:#x}, meaning unknown"));
        }
    }

    fn file(&mut self) {
        let nav = self.nav;
        if nav.is_experimental() {
            let message = format!("version {} is read in the layout of another", nav.version());
            (self.found)(Finding::new(Warning, "experimental-layout", message).at(4));
        }
        self.lumps();
        if nav.is_stripped() && nav.areas().len() > 1 {
            let what = if nav.faces().len() < 2 { "no faces" } else { "no faces of floors" };
            let finding = Finding::new(Info, "stripped", format!("{what}: floors are made of the tree"));
            (self.found)(finding.at(nav.offset("faces", 0)));
        }
        if nav.reachabilities().len() < 2 && nav.areas().len() > 1 {
            let finding = Finding::new(Info, "no-links", "no reachabilities");
            (self.found)(finding.at(nav.offset("reachabilities", 0)));
        }
        if !nav.trailing().is_empty() {
            (self.found)(Finding::trailing(nav.trailing().len() as u64, nav.end() as u64));
        }
    }

    /// The engine finds each lump by its offset, so order, gaps and overlaps do no harm.
    fn lumps(&mut self) {
        let mut lumps = [(super::Lump::default(), "", 0_u64); LUMPS.len()];
        for (row, ((lump, name), index)) in
            lumps.iter_mut().zip(self.nav.header().lumps.iter().zip(LUMPS).zip(0..))
        {
            *row = (*lump, name, index);
        }
        let mut say = |code, at: usize, index: u64, message: String| {
            (self.found)(Finding::new(Deviation, code, message).at(at as u64).in_record("lump", index));
        };
        let mut steps = lumps.iter().zip(lumps.iter().skip(1));
        if let Some((_, (lump, name, index))) = steps.find(|((a, ..), (b, ..))| b.offset < a.offset) {
            say("lump-order", lump.offset, *index, format!("{name} stand before the lump that they follow"));
        }
        lumps.sort_unstable_by_key(|(lump, _, index)| (lump.offset, lump.end(), *index));
        let mut end = HEAD;
        for (lump, name, index) in lumps.into_iter().filter(|(lump, ..)| lump.len > 0) {
            if lump.offset > end {
                let message =
                    format!("{} bytes that are in no lump stand before {name}", lump.offset.abs_diff(end));
                say("lump-gap", end, index, message);
            } else if lump.offset < end {
                let message =
                    format!("{name} begin at {:#x}, what stands before ends at {end:#x}", lump.offset);
                say("lump-overlap", lump.offset, index, message);
            }
            end = end.max(lump.end());
        }
    }

    fn areas(&mut self, all: bool) {
        let nav = self.nav;
        let links = nav.reachabilities().len();
        for ((area, set), index) in nav.areas().iter().zip(nav.settings().iter()).zip(0..).skip(1) {
            let (of, its) = (("areas", "area", index), ("settings", "area", index));
            self.run(of, "faces", [area.first_face(), area.faces()], nav.face_index().len());
            self.run(its, "reachabilities", [set.first_link(), set.links()], links);
            match set.cluster() {
                0 => {}
                cluster if cluster < 0 => {
                    self.range(its, "portal", cluster.unsigned_abs(), nav.portals().len())
                }
                cluster => self.range(its, "cluster", cluster, nav.clusters().len()),
            }
            if !all {
                continue;
            }
            if usize::try_from(area.number()) != Ok(index) {
                self.say(Warning, "area-number", of, format!("its number is {}", area.number()));
            }
            let (mins, maxs, center) = (area.mins(), area.maxs(), area.center());
            if !mins.iter().chain(&maxs).chain(&center).all(|value| value.is_finite()) {
                self.say(Warning, "not-finite", of, "its box or center is no number".to_owned());
            } else if !mins
                .iter()
                .zip(&center)
                .zip(&maxs)
                .all(|((min, center), max)| min <= center && center <= max)
            {
                self.say(Warning, "loose-box", of, format!("its center {center:?} is outside of its box"));
            }
            let meaning = nav.meaning();
            self.bits(its, "flags", meaning.flags(set.flags()).1);
            self.bits(its, "contents", meaning.contents(set.contents()).1);
            self.bits(its, "presence", set.presence().unnamed());
        }
    }

    fn planes(&mut self) {
        let finite = |values: &[f32]| values.iter().all(|value| value.is_finite());
        for (plane, index) in self.nav.planes().iter().zip(0..) {
            let normal = plane.normal();
            if !finite(&normal) || !plane.distance().is_finite() {
                let message = format!("its normal is {normal:?}, its distance {}", plane.distance());
                self.say(Warning, "not-finite", ("planes", "plane", index), message);
            }
        }
        for (vertex, index) in self.nav.vertices().iter().zip(0..) {
            if !finite(&vertex.position()) {
                let message = format!("it lies at {:?}", vertex.position());
                self.say(Warning, "not-finite", ("vertices", "vertex", index), message);
            }
        }
        for (pair, index) in self.nav.planes().chunks_exact(2).zip(0_usize..) {
            if let [a, b] = pair
                && !(a.normal().iter().zip(b.normal()).all(|(a, b)| *a == -b)
                    && a.distance() == -b.distance())
                && finite(&a.normal())
                && finite(&b.normal())
            {
                let of = ("planes", "plane", index.saturating_mul(2).saturating_add(1));
                self.say(
                    Warning,
                    "plane-pair",
                    of,
                    "it is not the opposite of the plane before it".to_owned(),
                );
            }
        }
    }
}
