//! The map queries of a mesh's generation.

use super::entity::Entity;
use super::lumps::Engine;
use super::map::BspMap;
use super::sight::answer;
use super::solids::Past;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_source::analyze::Purpose;
use navmap_source::generate::{Floor, Game, Terrain, Way, Within};
use std::cell::Cell;

/// The spacing of the points from which a box is explored, and the height of their storeys.
const NET: f32 = 100.0;
const STOREY: f32 = 64.0;
/// Columns along a side of the map in which floors are counted, and the most floors counted in one.
const COLUMNS: u16 = 32;
const MOST_FLOORS: u16 = 64;
/// No map extends beyond this.
const WORLD: f32 = 65_536.0;
const MOST_SEEDS: u64 = 1 << 16;
/// A grid that begins farther away than this has too many points before it comes to a map.
const FARTHEST: f32 = 64.0 * WORLD;

impl Terrain for BspMap {
    fn explores(&self, most_nodes: u32) {
        self.spent().explore(most_nodes);
    }

    fn floor(&self, point: [f32; 3]) -> Option<Floor> {
        match self.engine() {
            Engine::GoldSrc => self.gold_ground(point),
            Engine::Source => self.source_ground(point),
        }
    }

    fn slope(&self, point: [f32; 3]) -> Option<f32> {
        let quick = match self.engine() {
            Engine::GoldSrc => self.gold_slope(point),
            Engine::Source => None,
        };
        quick.or_else(|| self.floor(point).map(|floor| floor.normal[2]))
    }

    fn has_displacements(&self) -> bool {
        self.displacements() > 0
    }

    fn way(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> Way {
        let mask = self.mask(Purpose::Ground);
        let trace = match self.engine() {
            Engine::GoldSrc => self.line_past(from, to, mask, Past::None),
            Engine::Source => self.hull_past([from, to], [low, high], mask, Past::Opening),
        };
        Way {
            trace: answer(&trace),
            opens: trace.entity.is_some_and(|entity| self.opens(entity)),
            displacement: trace.displacement,
            sky: trace.sky,
        }
    }

    fn is_way_free(&self, from: [f32; 3], to: [f32; 3], low: [f32; 3], high: [f32; 3]) -> bool {
        self.is_walk_free(&Cell::new(0), [from, to], [low, high])
    }

    fn first_free(
        &self,
        [from, to]: [[f32; 3]; 2],
        low: [f32; 3],
        high: [f32; 3],
        mut heights: &mut dyn Iterator<Item = f32>,
    ) -> Option<f32> {
        let hint = Cell::new(0);
        let raised = |up: f32| [from, to].map(|[x, y, z]| [x, y, z + up]);
        Iterator::find(&mut heights, |up| self.is_walk_free(&hint, raised(*up), [low, high]))
    }
}

impl BspMap {
    /// Whether a walking box gets from one point to another. `hint` is a brush to test first, and then the one that stopped it.
    fn is_walk_free(&self, hint: &Cell<u16>, [from, to]: [[f32; 3]; 2], bounds: [[f32; 3]; 2]) -> bool {
        match self.engine() {
            Engine::GoldSrc => self.way(from, to, bounds[0], bounds[1]).is_free(),
            Engine::Source => {
                self.is_hull_free([from, to], bounds, self.mask(Purpose::Ground), Past::Opening, hint)
            }
        }
    }

    /// The spawn points of a game's players, best first for its generation. If the map has none of that game, all spawn points of
    /// any game. Empty if there are none.
    ///
    /// # Errors
    /// If one of them has no origin.
    pub fn seeds(&self, game: Game) -> Result<Vec<[f32; 3]>> {
        let of = |entity: &Entity| {
            let class = String::from_utf8_lossy(entity.class()).into_owned();
            let point = entity.vector("origin");
            point.ok_or_else(|| Error::invalid("map", format!("{class} without an origin")))
        };
        let classes = game.spawns().iter();
        let own: Result<Vec<_>> = classes.flat_map(|class| self.entities().of_class(class).map(of)).collect();
        let own = own?;
        if !own.is_empty() {
            return Ok(own);
        }
        let any = |entity: &&Entity| entity.class().to_ascii_lowercase().starts_with(b"info_player_");
        self.entities().iter().filter(any).map(of).collect()
    }

    /// Points from which all ground in a box is found: spawn points, then a grid of points outside of walls. The grid begins in the
    /// corner of the box and is cut off at the bounds of the map. At most 65,536.
    ///
    /// # Errors
    /// If so much of the map is in the box that more are needed.
    pub fn seeds_within(&self, [low, high]: &Within, game: Game) -> Result<Vec<[f32; 3]>> {
        let inside = |point: &[f32; 3]| {
            point.iter().zip(low.iter().zip(high)).all(|(v, (low, high))| low <= v && v <= high)
        };
        let mut seeds: Vec<[f32; 3]> =
            self.seeds(game).unwrap_or_default().into_iter().filter(inside).collect();
        let world = self.models().first().map(|world| [world.low, world.high]);
        let [least, mut most] = world.unwrap_or([*low, *high]);
        // The ground may be at the very top.
        most[2] += 2.0 * STOREY;
        let [low, high] = [low, high].map(|corner| corner.map(|v| v.clamp(-FARTHEST, FARTHEST)));
        let sides = low.into_iter().zip(high).zip(least.into_iter().zip(most)).zip([NET, NET, STOREY]);
        let along = sides.map(|(((low, high), (least, most)), step)| {
            let first = low + 0.5 * step;
            let points = std::iter::successors(Some(first), move |at| Some(at + step));
            let count = ((high - low) / step) as usize;
            // The last one is at the edge.
            let points = points.take(count.saturating_add(2)).map(|at| at.min(high));
            points.filter(|at| (least..=most).contains(at)).collect::<Vec<f32>>()
        });
        let along: Vec<Vec<f32>> = along.collect();
        let count = along.iter().map(|points| points.len() as u64).fold(1, u64::saturating_mul);
        if count > MOST_SEEDS {
            return Err(Error::new(ErrorKind::Limit {
                what: "points in the box",
                asked: count,
                allowed: MOST_SEEDS,
            }));
        }
        let [x, y, z] = <[Vec<f32>; 3]>::try_from(along).unwrap_or_default();
        for y in y {
            for x in &x {
                let column = z.iter().map(|z| [*x, y, *z]);
                seeds.extend(column.filter(|point| self.cluster(*point).is_some()));
            }
        }
        Ok(seeds)
    }

    /// An estimate of the number of nodes for the map's ground, or for its part in a box, from 1,024 columns. Unreachable ground
    /// is included.
    pub fn expected_nodes(&self, within: Option<&Within>) -> u64 {
        let Some([mut low, mut high]) = self.models().first().map(|world| [world.low, world.high]) else {
            return 0;
        };
        // The ground may be at the very top.
        high[2] += 2.0 * STOREY;
        let clamp = |at: &mut f32, [least, most]: [f32; 2]| *at = at.max(least).min(most);
        for axis in 0..3_usize {
            let part = |point: &[f32; 3]| point.get(axis).copied().unwrap_or_default();
            let [least, most] = within.map_or([-WORLD, WORLD], |[low, high]| {
                [part(low), part(high)].map(|v| v.clamp(-WORLD, WORLD))
            });
            low.get_mut(axis).into_iter().chain(high.get_mut(axis)).for_each(|at| clamp(at, [least, most]));
        }
        let [x, y] =
            [[low[0], high[0]], [low[1], high[1]]].map(|[low, high]| (low, (high - low) / COLUMNS as f32));
        let column = |at: u16| {
            let middle = |(low, step): (f32, f32), at: u16| low + step * (f32::from(at) + 0.5);
            self.floors([middle(x, at % COLUMNS), middle(y, at / COLUMNS)], [low[2], high[2]])
        };
        let floors: u64 = (0..COLUMNS.saturating_mul(COLUMNS)).map(column).sum();
        (floors as f64 * f64::from(x.1) * f64::from(y.1) / 625.0) as u64
    }

    /// The number of floors in a column of the map.
    fn floors(&self, [x, y]: [f32; 2], [low, high]: [f32; 2]) -> u64 {
        let mut count = 0_u64;
        let mut z = high;
        for _ in 0..MOST_FLOORS {
            if z <= low {
                break;
            }
            let way = self.way([x, y, z], [x, y, low - 1.0], [0.0; 3], [0.0; 3]).trace;
            if !way.start_solid && way.fraction >= 1.0 {
                break;
            }
            let [.., floor] = way.end;
            let inside =
                !way.start_solid && way.normal[2] >= 0.7 && self.cluster([x, y, floor + 1.0]).is_some();
            count = count.saturating_add(u64::from(inside && z - floor > STOREY));
            z = if way.start_solid { z - STOREY } else { floor - 1.0 };
        }
        count
    }

    /// The boxes of the ladders of a map: low and high corner.
    pub fn ladders(&self) -> Vec<Within> {
        let corners = |entity: &Entity| {
            let part = |key: &str| std::str::from_utf8(entity.get(key)?).ok()?.trim().parse::<f32>().ok();
            let low = [part("mins.x")?, part("mins.y")?, part("mins.z")?];
            Some([low, [part("maxs.x")?, part("maxs.y")?, part("maxs.z")?]])
        };
        let all = self.entities().iter().filter_map(|entity| {
            match entity.class().to_ascii_lowercase().as_slice() {
                b"func_ladder" | b"func_simpleladder" => self.bounds_of(entity),
                // What Source's compiler leaves of a ladder made of brushes.
                b"info_ladder" => corners(entity),
                _ => None,
            }
        });
        let finite = |[low, high]: &Within| {
            let ordered = low.iter().zip(high).all(|(low, high)| low <= high);
            ordered && low.iter().chain(high).all(|part| part.is_finite())
        };
        all.filter(finite).collect()
    }
}
