//! The map queries of a mesh's analysis.

use super::contents::Contents;
use super::lumps::Engine;
use super::map::BspMap;
use super::solids::Past;
use super::trace::Trace;
use navmap_core::error::{Error, Result};
use navmap_core::text::counted;
use navmap_source::analyze::{self, Map, Purpose, Spawns};
use navmap_source::generate::Floor;
use std::collections::HashSet;

/// How far below and above a point ground is looked for.
const BELOW: f32 = 9999.9;
const ABOVE: f32 = 100.0;
/// Half a human: the required free height above ground.
const GOLD_HALF: f32 = 36.0;
const HALF: f32 = 35.5;

/// The steps to find the cluster of a point.
const OF_CLUSTER: u64 = 8;

impl BspMap {
    pub(super) fn mask(&self, purpose: Purpose) -> Contents {
        match (self.engine(), purpose) {
            // Glass is looked through.
            (Engine::GoldSrc, Purpose::Encounter | Purpose::Sniper) => Contents::SOLID,
            (Engine::GoldSrc, _) => Contents::SOLID | Contents::WINDOW,
            (Engine::Source, Purpose::Sniper) => Contents::SNIPER,
            (Engine::Source, Purpose::Visibility) => Contents(0x200_6041),
            (Engine::Source, _) => Contents::WALK,
        }
    }

    /// The ground of GoldSrc: the lowest floor with room for half a human, among those found from a human's height down to the
    /// feet. Doors and breakables are not floors.
    pub(super) fn gold_ground(&self, [x, y, z]: [f32; 3]) -> Option<Floor> {
        let mask = self.mask(Purpose::Ground);
        let mut floors: Vec<Floor> = Vec::with_capacity(16);
        let mut ignored = Past::None;
        let mut offset = 1.0;
        while offset < ABOVE && floors.len() < 16 {
            let trace = self.line_past([x, y, z + offset], [x, y, z - BELOW], mask, ignored);
            offset += 10.0;
            if let Some(entity) = trace.entity.filter(|entity| trace.fraction < 1.0 && self.opens(*entity)) {
                ignored = Past::One(entity);
                continue;
            }
            let [.., floor] = trace.end;
            if !trace.start_solid && floors.last().is_none_or(|last| floor > last.z) {
                floors.push(Floor { z: floor, normal: trace.normal });
            }
        }
        let above = floors.iter().skip(1);
        let roomy = floors.iter().zip(above).find(|(floor, next)| next.z - floor.z >= GOLD_HALF);
        roomy.map(|(floor, _)| *floor).or(floors.last().copied())
    }

    /// The z of the ground's normal in GoldSrc, if all lines of [`gold_ground`](Self::gold_ground) start in the open and so end
    /// on one surface. `None` if they may not.
    pub(super) fn gold_slope(&self, [x, y, z]: [f32; 3]) -> Option<f32> {
        let mask = self.mask(Purpose::Ground);
        let over = self.line_past([x, y, z + ABOVE], [x, y, z + 1.0], mask, Past::None);
        if over.start_solid || over.fraction < 1.0 {
            return None;
        }
        let down = self.line_past([x, y, z + 1.0], [x, y, z - BELOW], mask, Past::None);
        let opens = down.entity.is_some_and(|entity| self.opens(entity));
        (!opens && !down.start_solid && down.fraction < 1.0).then_some(down.normal[2])
    }

    /// The ground of Source: the first floor downwards with room for half a human, else the next one up.
    pub(super) fn source_ground(&self, [x, y, z]: [f32; 3]) -> Option<Floor> {
        let mask = self.mask(Purpose::Ground);
        let (mut from, mut to) = (z + HALF + 1e-3, z - 10_000.0);
        // Each round goes up by at least half a human.
        for _ in 0..600 {
            if to - z >= ABOVE {
                return None;
            }
            let trace = BspMap::line(self, [x, y, from], [x, y, to], mask);
            let [.., floor] = trace.end;
            if !trace.start_solid && (trace.fraction >= 1.0 || from - floor >= HALF) {
                return Some(Floor { z: floor, normal: trace.normal });
            }
            to = if trace.start_solid { from } else { floor };
            from = to + HALF + 1e-3;
        }
        None
    }
}

pub(super) fn answer(trace: &Trace) -> analyze::Trace {
    analyze::Trace {
        fraction: trace.fraction,
        start_solid: trace.start_solid,
        end: trace.end,
        normal: trace.normal,
    }
}

impl Map for BspMap {
    fn analyzes(&self) {
        self.spent().analyze();
    }

    fn bytes(&self) -> u64 {
        self.len()
    }

    fn finish(&self) -> Result<()> {
        self.check_traces()
    }

    fn line(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> analyze::Trace {
        answer(&BspMap::line(self, from, to, self.mask(purpose)))
    }

    fn begin(&self) {
        Self::forget();
    }

    fn is_free(&self, from: [f32; 3], to: [f32; 3], purpose: Purpose) -> bool {
        self.is_line_free(from, to, self.mask(purpose))
    }

    fn hull(
        &self,
        from: [f32; 3],
        to: [f32; 3],
        low: [f32; 3],
        high: [f32; 3],
        purpose: Purpose,
    ) -> analyze::Trace {
        let mask = self.mask(purpose);
        let trace = BspMap::hull(self, from, to, low, high, mask);
        answer(&trace.unwrap_or_else(|| BspMap::line(self, from, to, mask)))
    }

    fn apart(&self, points: &[[f32; 3]]) -> Vec<[f32; 3]> {
        if self.pvs().clusters() == 0 {
            return Vec::new();
        }
        let mut known = HashSet::new();
        let first = |point: &&[f32; 3]| self.cluster(**point).is_some_and(|cluster| known.insert(cluster));
        points.iter().filter(first).copied().collect()
    }

    fn may_see(&self, from: &[[f32; 3]], low: [f32; 3], high: [f32; 3]) -> bool {
        if self.pvs().clusters() == 0 {
            return true;
        }
        if self.spent().is_over() {
            return false;
        }
        let (goals, mut passed) = self.clusters_of(low, high);
        let mut known = None;
        let sees = from.iter().filter_map(|point| self.cluster(*point)).any(|cluster| {
            // Adjacent points are usually in the same cluster.
            passed = passed.saturating_add(OF_CLUSTER);
            known.replace(cluster) != Some(cluster) && self.pvs().sees_any(cluster, &goals, &mut passed)
        });
        self.spent().add(passed);
        sees
    }

    fn ground(&self, point: [f32; 3]) -> Option<f32> {
        match self.engine() {
            Engine::GoldSrc => self.gold_ground(point).map(|floor| floor.z),
            Engine::Source => self.source_ground(point).map(|floor| floor.z),
        }
    }
}

impl BspMap {
    /// Where the teams of Counter-Strike begin. In GoldSrc the places of deathmatch are those of terrorists.
    ///
    /// # Errors
    /// If a place has no origin, or players appear nowhere: then it is no map to play on, or its entities lie elsewhere.
    pub fn spawns(&self) -> Result<Spawns> {
        let of = |gold: &'static str, source: &'static str| {
            let class = if self.engine() == Engine::GoldSrc { gold } else { source };
            let missing = || Error::invalid("map", format!("{class} without an origin"));
            let found = self.entities().of_class(class);
            found.map(|entity| entity.vector("origin").ok_or_else(missing)).collect::<Result<Vec<_>>>()
        };
        let spawns = Spawns {
            terrorists: of("info_player_deathmatch", "info_player_terrorist")?,
            counter_terrorists: of("info_player_start", "info_player_counterterrorist")?,
        };
        let any = self.entities().iter().any(|entity| {
            let class = entity.class().to_ascii_lowercase();
            class.starts_with(b"info_player_") || class == b"info_deathmatch_spawn"
        });
        match any {
            true => Ok(spawns),
            false => Err(Error::invalid("map", "has no place where players appear (info_player_...)")),
        }
    }

    /// What traces pass through although players do not, as a line for a person; `None` if there is nothing.
    pub fn passed_through(&self) -> Option<String> {
        let (models, props) = self.solid_props().fold((0_u32, 0_u32), |(models, props), (_, count)| {
            (models.saturating_add(1), props.saturating_add(count))
        });
        let props = counted(props.into(), "solid static prop", "solid static props");
        let models = counted(models.into(), "model", "models");
        let line = format!("{props} of {models} stand in nobody's way: their shapes are not in the map");
        self.solid_props().next().is_some().then_some(line)
    }
}
