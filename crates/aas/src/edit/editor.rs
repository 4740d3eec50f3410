//! A file that is edited, and how it was when it was opened.

use crate::buf::AasBuf;
use crate::flags::Meaning;
use crate::graph::AasGraph;
use crate::record::{Reachability, Settings};
use crate::view::{AasNav, run};
use navmap_core::edit::{Overwritten, Refusal, Weighed};
use navmap_core::error::{Error, Result};
use std::cell::Cell;
use std::ops::Range;

/// The number of an area, or the place of a reachability in the session.
pub(super) type Slot = u32;

/// How many reachabilities the engine has room for at one area. `docs/formats/aas.md`, section 3.3.
pub(super) const MOST_LINKS: usize = 128;

/// A file that is edited. One that is as it was opened is written to the byte as it was.
#[derive(Debug)]
pub struct AasEditor {
    /// The file as it was opened.
    pub(super) frame: AasBuf,
    /// What areas hold and what one can do there: [`marks`].
    pub(super) marks: Vec<u64>,
    pub(super) ways: Vec<Way>,
    /// Where the reachabilities of each area were when the file was opened.
    pub(super) runs: Vec<Range<usize>>,
    /// The areas that are nodes of the graph.
    pub(super) listed: Vec<Slot>,
    pub(super) noted: Noted,
    looked: Cell<u64>,
}

/// A reachability and the area that it leaves; 0 for none.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) from: Slot,
    pub(super) link: Reachability,
    pub(super) used: bool,
}

impl Way {
    fn differs(&self, other: &Self) -> bool {
        self.used != other.used || self.link != other.link
    }
}

/// A reachability has eleven values.
impl Weighed for Way {
    fn weight(&self) -> u64 {
        16
    }
}

/// What a command overwrote.
#[derive(Debug, Default)]
pub struct Noted {
    pub(super) marks: Overwritten<u64>,
    pub(super) ways: Overwritten<Way>,
}

/// Area flags, with the contents as the high half: the flags of a node of the graph.
pub(super) fn marks(of: &Settings) -> u64 {
    u64::from(of.flags().0) | u64::from(of.contents().0) << 32
}

/// The reachabilities of each area, by their places.
///
/// # Errors
/// If a run leads outside the list, has the placeholder, or shares a reachability with another.
pub(super) fn runs(buf: &AasBuf) -> Result<Vec<Range<usize>>> {
    let len = buf.reachabilities.len();
    let mut taken = vec![false; len];
    let mut runs = Vec::with_capacity(buf.areas.len());
    for area in 0..buf.areas.len() {
        let of = buf.settings.get(area).filter(|of| area > 0 && of.links() != 0);
        let Some(of) = of else {
            runs.push(0..0);
            continue;
        };
        let refused = |why: String| {
            Err(Error::invalid("reachabilities", format!("{why}, so they cannot be edited"))
                .in_record("area", area as u64))
        };
        let (first, links) = (of.first_link(), of.links());
        let Some(run) = run(first, links, len).filter(|run| run.start > 0) else {
            return refused(format!("{links} from {first}, of {len}"));
        };
        for taken in taken.get_mut(run.clone()).into_iter().flatten() {
            if std::mem::replace(taken, true) {
                return refused(format!("of the {links} from {first}, some are those of another area"));
            }
        }
        runs.push(run);
    }
    Ok(runs)
}

impl AasEditor {
    /// Starts editing a file in memory.
    ///
    /// # Errors
    /// If the reachabilities of an area lead outside the list, or are those of another as well.
    pub fn of_nav(nav: &AasNav<'_>) -> Result<Self> {
        let frame = AasBuf::from(nav);
        let runs = runs(&frame)?;
        let way = |link: &Reachability| Way { from: 0, link: *link, used: true };
        let mut ways: Vec<Way> = frame.reachabilities.iter().map(way).collect();
        for (run, area) in runs.iter().zip(0..) {
            ways.get_mut(run.clone()).into_iter().flatten().for_each(|way| way.from = area);
        }
        let marks = nav.settings().iter().map(marks).collect();
        let listed = AasGraph::new(*nav).areas().map(|area| area as Slot).collect();
        let (noted, looked) = (Noted::default(), Cell::new(0));
        Ok(Self { frame, marks, ways, runs, listed, noted, looked })
    }

    /// Whether an area has this number.
    pub(super) fn is_area(&self, area: Slot) -> bool {
        area > 0 && (area as usize) < self.frame.areas.len()
    }

    /// What flags and contents mean in this version.
    pub(super) fn meaning(&self) -> Meaning {
        self.frame.meaning()
    }

    /// Counts items that were looked at.
    pub(super) fn look(&self, items: usize) {
        self.looked.set(self.looked.get().saturating_add(items as u64));
    }

    pub(super) fn looked(&self) -> u64 {
        self.looked.get()
    }

    /// The reachabilities that leave an area, with their places.
    pub(super) fn links(&self, area: Slot) -> impl Iterator<Item = (Slot, &Reachability)> + '_ {
        let run = self.runs.get(area as usize).cloned().unwrap_or(0..0);
        // Those that were added stand behind all others.
        let added = self.frame.reachabilities.len()..self.ways.len();
        self.look(run.len().saturating_add(added.len()));
        run.chain(added).filter_map(move |place| {
            let way = self.ways.get(place).filter(|way| way.used && way.from == area)?;
            Some((place as Slot, &way.link))
        })
    }

    /// The places of the reachabilities from one area to another.
    pub(super) fn between(&self, from: Slot, to: Slot) -> Vec<Slot> {
        self.links(from)
            .filter(|(_, link)| Slot::try_from(link.area()) == Ok(to))
            .map(|(place, _)| place)
            .collect()
    }

    pub(super) fn link(&self, place: Slot) -> Option<&Reachability> {
        self.ways.get(place as usize).filter(|way| way.used).map(|way| &way.link)
    }

    /// Changes a reachability. Returns whether that made a difference.
    pub(super) fn change(&mut self, place: Slot, change: impl FnOnce(&mut Way)) -> bool {
        self.noted.ways.change(&mut self.ways, place, Way::differs, change)
    }

    /// Adds a reachability.
    pub(super) fn push(&mut self, from: Slot, link: Reachability) {
        self.noted.ways.push(&mut self.ways, Way { from, link, used: true });
    }

    /// Sets flags and contents of an area. Returns whether that made a difference.
    pub(super) fn mark(&mut self, area: Slot, marks: u64) -> bool {
        self.noted.marks.change(&mut self.marks, area, |a, b| a != b, |now| *now = marks)
    }

    /// Refuses a reachability that the engine could not route over, or has no room for.
    pub(super) fn may_join(&self, from: Slot, to: Slot) -> std::result::Result<(), Refusal> {
        self.frame.may_join(from, to).map_err(Refusal::new)?;
        let leaving = self.links(from).count();
        self.look(self.ways.len());
        let leads = |way: &&Way| way.used && Slot::try_from(way.link.area()) == Ok(to);
        let arriving = self.ways.iter().filter(leads).count();
        for (count, area, how) in [(leaving, from, "leave"), (arriving, to, "lead to")] {
            if count >= MOST_LINKS {
                let why = format!("{count} links {how} #{area}, and the engine has room for {MOST_LINKS}");
                return Err(Refusal::new(why));
            }
        }
        Ok(())
    }
}

impl AasBuf {
    /// What flags and contents mean in this version.
    pub(super) fn meaning(&self) -> Meaning {
        if self.layout.steep { Meaning::Wolfenstein } else { Meaning::Quake3 }
    }

    /// The clusters that an area is in: those on both sides, if it is a portal.
    fn clusters_of(&self, area: Slot) -> [i32; 2] {
        match self.settings.get(area as usize).map_or(0, Settings::cluster) {
            cluster if cluster < 0 => {
                let portal = self.portals.get(cluster.unsigned_abs() as usize);
                portal.map_or([0; 2], |portal| [portal.front(), portal.back()])
            }
            cluster => [cluster; 2],
        }
    }

    /// Says why the engine could not route over a reachability between two areas.
    pub(super) fn may_join(&self, from: Slot, to: Slot) -> std::result::Result<(), String> {
        let [left, entered] = [from, to].map(|area| self.clusters_of(area));
        for (area, clusters) in [(from, left), (to, entered)] {
            if clusters.iter().all(|cluster| *cluster <= 0) {
                return Err(format!("#{area} is in no cluster, and the engine routes within clusters alone"));
            }
        }
        if !left.iter().any(|cluster| *cluster > 0 && entered.contains(cluster)) {
            let [a, b] = [left, entered].map(|[front, _]| front);
            return Err(format!(
                "#{from} is in cluster {a} and #{to} in cluster {b}: only the compiler makes portals between clusters"
            ));
        }
        // Routes reach the first areas of a cluster alone: those that had reachabilities when the file was compiled.
        let of = self.settings.get(from as usize).filter(|of| of.cluster() > 0);
        let numbered = of.and_then(|of| {
            let cluster = self.clusters.get(usize::try_from(of.cluster()).ok()?)?;
            Some((of.cluster_area(), cluster.reachable()))
        });
        match numbered {
            Some((number, reachable)) if number >= reachable => Err(format!(
                "nothing left #{from} when the file was compiled, so the engine plans no routes over it: only the compiler numbers it anew"
            )),
            _ => Ok(()),
        }
    }
}
