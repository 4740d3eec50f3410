//! The phases of an analysis, in the game's order. `docs/formats/source-analyze.md`, section 1.1.

use super::approaches::{Approaches, eye, far_areas, sees};
use super::carry::Near;
use super::cells::Cells;
use super::cover::{cover, sniping};
use super::encounters::{self, CoverSpot};
use super::look::visible;
use super::map::Map;
use super::phase::{Phase, Progress};
use super::report::{Done, Report};
use super::rules::Rules;
use super::search::Steps;
use super::spots::Spots;
use super::times::{Spawns, earliest};
use super::topology::Topology;
use super::visibility::VisibleSets;
use super::work::{PATHS, SEEN, Work};
use crate::buf::{AreaBuf, SourceBuf};
use crate::each::map_all;
use crate::encounters::EncounterList;
use crate::flags::HidingSpotFlags;
use crate::record::{Approach, HidingSpot, HidingSpotId};
use navmap_core::error::{Error, Result};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// What an analysis does.
#[derive(Clone, Debug, Default)]
pub struct AnalyzeOptions<'o> {
    /// The phases to run; all if empty.
    pub only: Vec<Phase>,
    /// Whether to analyse in full. If false, as with the game's `nav_quicksave 1`, there are no encounter paths, and snipers and
    /// times stay as they are. `None` is the game's default: full for Counter-Strike, quick for the others. Named phases always
    /// run in full.
    pub full: Option<bool>,
    /// The spawn points of the teams. Without them, times stay as they are.
    pub spawns: Spawns,
    /// Receives the progress of the analysis, and can stop it.
    pub progress: Option<&'o Progress>,
    /// The most steps that it may take; `None` is as many as the sizes of the map and of the mesh allow. A line through the map is 16
    /// steps, a pair of areas one.
    pub most_steps: Option<u64>,
}

/// Analyses a mesh like the game's `nav_analyze`. Without a map, results that need one are kept from the older analysis as far as
/// they still fit; the report says what is missing. The mesh counts as analysed if nothing is.
///
/// The result does not depend on the number of threads, and analysing again changes nothing. Without a map the time is linear in
/// areas, connections and visibility entries.
///
/// # Errors
/// If the paths or the visibility of the mesh are out of proportion to it, or if [`Progress::stop`] was set. The mesh is then
/// unchanged.
pub fn analyze(mesh: &mut SourceBuf, options: &AnalyzeOptions<'_>, map: Option<&dyn Map>) -> Result<Report> {
    let mut run = Run {
        rules: Rules::for_mesh(&mesh.head),
        full: options.full.unwrap_or(!options.only.is_empty() || Rules::for_mesh(&mesh.head).counter_strike),
        work: Work::of(mesh, map, options.most_steps),
        mesh: mesh.clone(),
        renamed: None,
        options,
        map,
        report: Report::default(),
    };
    map.into_iter().for_each(Map::analyzes);
    let ran = run.phases();
    // A map that is kept answers other questions afterwards.
    let answered = map.map_or(Ok(()), Map::finish);
    ran.and(answered)?;
    let Run { mesh: mut after, mut report, .. } = run;
    let whole = options.only.is_empty() && map.is_some();
    let complete = report.missing.is_empty() && (whole || mesh.head.analyzed != 0);
    report.analyzed = (mesh.head.version >= 14).then_some((mesh.head.analyzed != 0, complete));
    after.head.analyzed = if mesh.head.version >= 14 { complete.into() } else { mesh.head.analyzed };
    *mesh = after;
    Ok(report)
}

struct Run<'r> {
    work: Work,
    mesh: SourceBuf,
    rules: Rules,
    full: bool,
    /// The new id of each old spot that still exists in cover, if hiding spots were computed.
    renamed: Option<HashMap<HidingSpotId, HidingSpotId>>,
    options: &'r AnalyzeOptions<'r>,
    map: Option<&'r dyn Map>,
    report: Report,
}

impl Run<'_> {
    fn phases(&mut self) -> Result<()> {
        let only = &self.options.only;
        for phase in Phase::ALL.into_iter().filter(|phase| only.is_empty() || only.contains(phase)) {
            self.stopped()?;
            if let Some(progress) = self.options.progress {
                progress.begin(phase, self.mesh.areas.len());
            }
            match phase {
                Phase::Hiding => self.hiding(),
                Phase::Approach => self.approach()?,
                Phase::Encounters => self.encounters()?,
                Phase::Snipers => self.snipers()?,
                Phase::Visibility => self.visibility()?,
                Phase::Times => self.times(),
            }
            self.work.check()?;
        }
        Ok(())
    }

    /// Whether the analysis was stopped.
    fn stopped(&self) -> Result<()> {
        match self.options.progress.is_some_and(|progress| progress.stop.load(Relaxed)) {
            true => Err(Error::from(io::Error::from(io::ErrorKind::Interrupted))),
            false => Ok(()),
        }
    }

    /// Calls `make` for every area. Counts progress. Returns early, with an empty list, if the analysis is stopped.
    fn each<S, T: Send + Default>(
        &self,
        scratch: impl Fn() -> S + Sync + Send,
        make: impl Fn(&mut S, u32, &AreaBuf) -> T + Sync + Send,
    ) -> Result<Vec<T>> {
        let progress = self.options.progress;
        let made = map_all(self.mesh.areas.len(), scratch, |scratch, at| {
            if let Some(progress) = progress {
                if progress.stop.load(Relaxed) {
                    return T::default();
                }
                progress.done.fetch_add(1, Relaxed);
            }
            self.map.into_iter().for_each(|map| map.begin());
            let area = self.mesh.areas.get(at);
            area.map(|area| make(scratch, u32::try_from(at).unwrap_or(u32::MAX), area)).unwrap_or_default()
        });
        self.stopped().map(|()| made)
    }

    /// Stores new values in all areas. Counts the areas changed, and the records before and after.
    fn put<T: PartialEq>(
        &mut self,
        phase: Phase,
        what: &'static str,
        values: Vec<T>,
        field: impl Fn(&mut AreaBuf) -> &mut T,
        count: impl Fn(&T) -> usize,
    ) {
        let mut done = Done { phase, what, before: 0, after: 0, changed: 0 };
        let sum = |sum: u64, value: &T| sum.saturating_add(count(value) as u64);
        for (area, value) in self.mesh.areas.iter_mut().zip(values) {
            let slot = field(area);
            (done.before, done.after) = (sum(done.before, slot), sum(done.after, &value));
            if *slot != value {
                *slot = value;
                done.changed = done.changed.saturating_add(1);
            }
        }
        self.report.done.push(done);
    }

    fn hiding(&mut self) {
        let spots = Spots::within(&Topology::new(&self.mesh, &self.rules), &self.rules);
        let old: Vec<HidingSpot> =
            self.mesh.areas.iter().flat_map(|area| area.hiding_spots.iter().copied()).collect();
        let before = Near::new(old.iter().map(|spot| spot.position()).collect());
        let mut unknown = 0_u64;
        let known: Vec<Option<HidingSpotFlags>> = spots
            .positions()
            .iter()
            .map(|at| Some(HidingSpotFlags(old.get(before.find(*at)? as usize)?.flags().bits() & 0xF)))
            .collect();
        let flags: Vec<HidingSpotFlags> = match self.map {
            Some(map) => {
                let sniper = HidingSpotFlags::GOOD_SNIPER_SPOT | HidingSpotFlags::IDEAL_SNIPER_SPOT;
                let kept = |known: Option<HidingSpotFlags>| known.unwrap_or_default().bits() & sniper.bits();
                map_all(
                    known.len(),
                    || (),
                    |(), at| {
                        map.begin();
                        let spot = spots.positions().get(at).copied().unwrap_or_default();
                        let sniper = known.get(at).copied().map(kept).unwrap_or_default();
                        HidingSpotFlags(cover(spot, &self.rules, map).bits() | sniper)
                    },
                )
            }
            None => known
                .iter()
                .map(|known| {
                    unknown = unknown.saturating_add(known.is_none().into());
                    known.unwrap_or_else(|| self.rules.open_spot())
                })
                .collect(),
        };
        let made = |area: usize| -> Vec<HidingSpot> {
            let ids = spots.first_of(area)..;
            let flags = flags.get(spots.first_of(area) as usize..).unwrap_or_default();
            let each = spots.of_area(area).iter().zip(flags).zip(ids);
            each.map(|((at, flags), id)| HidingSpot::new(HidingSpotId::new(id), *at, *flags)).collect()
        };
        let lists: Vec<Vec<HidingSpot>> = (0..self.mesh.areas.len()).map(made).collect();
        self.rename(&old, &lists);
        self.put(Phase::Hiding, "hiding spots", lists, |area| &mut area.hiding_spots, Vec::len);
        if unknown > 0 {
            let all = spots.positions().len();
            self.report.missing.push(format!(
                "{unknown} of {all} hiding spots lie where there was none: whether they are in cover needs the map, and they count as open"
            ));
        }
    }

    /// Records the new spot that replaces each old one.
    fn rename(&mut self, old: &[HidingSpot], new: &[Vec<HidingSpot>]) {
        let new: Vec<&HidingSpot> = new.iter().flatten().collect();
        let near = Near::new(new.iter().map(|spot| spot.position()).collect());
        let mut renamed = HashMap::with_capacity(old.len());
        for spot in old {
            let now = near.find(spot.position()).and_then(|at| new.get(at as usize));
            if let Some(now) = now.filter(|now| now.flags().contains(HidingSpotFlags::IN_COVER)) {
                renamed.entry(spot.id()).or_insert(now.id());
            }
        }
        self.renamed = Some(renamed);
    }

    fn approach(&mut self) -> Result<()> {
        if !self.rules.counter_strike {
            self.none_of(Phase::Approach, "only games of Counter-Strike have approach areas");
            return Ok(());
        }
        let Some(map) = self.map else {
            return self.kept(Phase::Approach, "approach areas", |area| area.approaches.len());
        };
        let topology = Topology::new(&self.mesh, &self.rules);
        let steps = Steps::new(&self.mesh, &topology);
        let areas = &self.mesh.areas;
        let far = far_areas(areas);
        let lists = self.each(
            || Approaches::new(&steps),
            |search, position, area| -> Vec<Approach> {
                let tally = self.work.tally();
                let Some(eye) = eye(area, map).filter(|_| !tally.is_over()) else { return Vec::new() };
                let sees = |other: &AreaBuf| sees(eye, other, map, &tally);
                let seen = |other: u32| areas.get(other as usize).is_some_and(sees);
                search.find(position, &far, areas, &self.rules, &tally, seen)
            },
        )?;
        self.put(Phase::Approach, "approach areas", lists, |area| &mut area.approaches, Vec::len);
        Ok(())
    }

    /// Reports a phase that does nothing in such a mesh, if it was asked for by name.
    fn none_of(&mut self, phase: Phase, why: &str) {
        if !self.options.only.is_empty() {
            self.report.kept.push(format!("{phase}: nothing to do: {why}"));
        }
    }

    /// Reports that results which need the map stay as they are.
    fn kept(&mut self, phase: Phase, what: &'static str, count: impl Fn(&AreaBuf) -> usize) -> Result<()> {
        let sum = self.mesh.areas.iter().fold(0_u64, |sum, area| sum.saturating_add(count(area) as u64));
        if sum > 0 {
            self.report.kept.push(format!("{phase}: {sum} {what} kept as they are: they need the map"));
        } else {
            self.report.missing.push(format!("{phase}: there are no {what}, and they need the map"));
        }
        Ok(())
    }

    fn encounters(&mut self) -> Result<()> {
        let what = PATHS;
        if self.mesh.head.version <= 2 {
            self.report.kept.push(format!("{what}: those of version {} stay", self.mesh.head.version));
            return Ok(());
        }
        if !self.full {
            let none = self.mesh.areas.iter().map(|_| EncounterList::default()).collect();
            self.put(Phase::Encounters, what, none, |area| &mut area.encounters, EncounterList::len);
            return Ok(());
        }
        let topology = Topology::new(&self.mesh, &self.rules);
        encounters::charge(&topology)?;
        let lists = match self.map {
            Some(map) => self.seen(&topology, map)?,
            None => {
                let (mut lost, mut bare) = (0, 0);
                let lists = self.renewed(&topology, &mut lost, &mut bare)?;
                drop(topology);
                if lost > 0 {
                    let note = format!(
                        "{lost} spots of encounter paths are gone with their hiding spots or paths: which others are seen needs the map"
                    );
                    self.report.missing.push(note);
                }
                if bare > 0 {
                    let note = format!("{bare} encounter paths are new and have no spots: they need the map");
                    self.report.missing.push(note);
                }
                lists
            }
        };
        self.put(Phase::Encounters, what, lists, |area| &mut area.encounters, EncounterList::len);
        Ok(())
    }

    fn renewed(&self, topology: &Topology<'_>, lost: &mut u64, bare: &mut u64) -> Result<Vec<EncounterList>> {
        let covers = |spot: &&HidingSpot| spot.flags().contains(HidingSpotFlags::IN_COVER);
        let here = || {
            let spots = self.mesh.areas.iter().flat_map(|area| &area.hiding_spots);
            spots.filter(covers).map(|spot| (spot.id(), spot.id())).collect::<HashMap<_, _>>()
        };
        let own;
        let renamed = match &self.renamed {
            Some(renamed) => renamed,
            None => {
                own = here();
                &own
            }
        };
        (0_u32..)
            .zip(&self.mesh.areas)
            .map(|(position, area)| {
                let ways = encounters::ways(topology, position);
                encounters::renewed(&ways, &area.encounters, |spot| renamed.get(&spot).copied(), lost, bare)
            })
            .collect()
    }

    fn seen(&self, topology: &Topology<'_>, map: &dyn Map) -> Result<Vec<EncounterList>> {
        let spots = self.mesh.areas.iter().flat_map(|area| &area.hiding_spots);
        let covers = spots.filter(|spot| spot.flags().contains(HidingSpotFlags::IN_COVER));
        let mut cover: Vec<CoverSpot> = covers.map(|spot| (spot.id(), spot.position())).collect();
        cover.sort_by_key(|(id, _)| *id);
        let made = self.each(
            || (),
            |(), position, area| -> Option<Result<EncounterList>> {
                let mut list = EncounterList::default();
                let tally = self.work.tally();
                if tally.is_over() {
                    return None;
                }
                for way in encounters::ways(topology, position) {
                    let spots = encounters::passed(topology, area, way, &cover, &self.rules, (map, &tally));
                    if let Err(error) = list.push(way.0, way.1, &spots) {
                        return Some(Err(error));
                    }
                }
                list.shrink();
                Some(Ok(list))
            },
        )?;
        made.into_iter().map(|list| list.unwrap_or_else(|| Ok(EncounterList::default()))).collect()
    }

    fn snipers(&mut self) -> Result<()> {
        if !self.full {
            return Ok(());
        }
        let what = "sniper spots";
        let bits = (HidingSpotFlags::GOOD_SNIPER_SPOT | HidingSpotFlags::IDEAL_SNIPER_SPOT).bits();
        let snipes =
            |spots: &Vec<HidingSpot>| spots.iter().filter(|spot| spot.flags().bits() & bits != 0).count();
        let Some(map) = self.map else {
            let count = self.mesh.areas.iter().map(|area| snipes(&area.hiding_spots)).sum::<usize>();
            self.report.kept.push(format!("{}: {count} {what} kept: they need the map", Phase::Snipers));
            return Ok(());
        };
        let areas = &self.mesh.areas;
        let cells = Cells::new((0_u32..).zip(areas));
        let lists = self.each(
            || (),
            |(), _, area| -> Vec<HidingSpot> {
                let tally = self.work.tally();
                let judged = |spot: &HidingSpot| {
                    // The area at a spot may differ from the one that lists it.
                    let at = cells.ground(areas, spot.position()).and_then(|at| areas.get(at as usize));
                    let attributes = at.unwrap_or(area).attributes;
                    let through = (map, &tally);
                    let good = sniping(spot.position(), attributes, areas, &self.rules, through);
                    let flags = HidingSpotFlags(spot.flags().bits() & !bits | good.bits());
                    HidingSpot::new(spot.id(), spot.position(), flags)
                };
                area.hiding_spots.iter().map(judged).collect()
            },
        )?;
        self.put(Phase::Snipers, what, lists, |area| &mut area.hiding_spots, snipes);
        Ok(())
    }

    fn visibility(&mut self) -> Result<()> {
        if !self.mesh.head.layout().has_visibility() {
            self.none_of(Phase::Visibility, &format!("version {} stores none", self.mesh.head.version));
            return Ok(());
        }
        let sets = match self.map {
            Some(map) => {
                let rows = visible(&self.mesh.areas, map, self.options.progress, &self.work);
                self.stopped()?;
                self.work.check()?;
                VisibleSets::of_rows(rows)?
            }
            None => VisibleSets::within(&self.mesh, &Topology::new(&self.mesh, &self.rules))?,
        };
        let sum = |mesh: &SourceBuf| {
            mesh.areas.iter().fold(0_u64, |sum, area| sum.saturating_add(area.visible_areas.len() as u64))
        };
        let before = sum(&self.mesh);
        let changed = sets.encode(&mut self.mesh);
        let after = sum(&self.mesh);
        let what = SEEN;
        self.report.done.push(Done { phase: Phase::Visibility, what, before, after, changed });
        let phase = Phase::Visibility;
        if self.map.is_some() {
            return Ok(());
        }
        if sets.dangling() > 0 {
            self.report
                .kept
                .push(format!("{phase}: {} entries named no area, and are gone", sets.dangling()));
        }
        let blind = sets.iter().filter(|set| set.is_empty()).count();
        if blind > 0 {
            let all = self.mesh.areas.len();
            self.report
                .missing
                .push(format!("{phase}: {blind} of {all} areas see nothing: what they see needs the map"));
        } else {
            self.report
                .kept
                .push(format!("{phase}: what is seen is kept: it needs the map; the lists are folded anew"));
        }
        Ok(())
    }

    fn times(&mut self) {
        if !self.rules.counter_strike {
            return self.none_of(Phase::Times, "only games of Counter-Strike have occupy times");
        }
        if !self.mesh.head.layout().has_occupy_times() {
            return self.none_of(Phase::Times, &format!("version {} stores none", self.mesh.head.version));
        }
        if !self.full {
            return;
        }
        if self.options.spawns.is_empty() {
            let note = format!("{}: kept: where the teams begin is not known", Phase::Times);
            self.report.kept.push(note);
            return;
        }
        let topology = Topology::new(&self.mesh, &self.rules);
        let steps = Steps::new(&self.mesh, &topology);
        let times = earliest(&self.mesh.areas, &steps, &self.options.spawns, &self.work);
        let times = times.into_iter().map(|pair| pair.map(Into::into)).collect();
        self.put(Phase::Times, "occupy times", times, |area| &mut area.occupy_times, |_| 2);
    }
}
