//! A table of the first move of every cheapest path.

use super::area::Area;
use super::ask::Outcome;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Charges, Lengths, Price};
use super::scratch::{PathScratch, Phase, State, slot};
use std::fmt;

/// For each pair of areas, the first link of the cheapest path. A path is then read from the table, at eight nanoseconds per
/// step.
///
/// It takes one byte a pair, so it is for small meshes only ([`FirstMoves::MOST_AREAS`]): 2 MB and about a tenth of a
/// second for 1,472 areas. It ignores overlays.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// # use navmap::query::{Policy, World};
/// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// # let index = world.index();
/// use navmap::query::FirstMoves;
///
/// let moves = FirstMoves::shortest(index)?;
/// let [from, to] = ["CTSpawn", "BombsiteB"].map(|place| index.in_place(place).next().expect("a place of this name"));
/// assert!(moves.next(index, from, to)?.is_some_and(|next| index.link(from, next).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FirstMoves {
    /// The index it belongs to.
    stamp: u64,
    areas: usize,
    /// The index of the link in the row of the start, by goal, then by start.
    moves: Vec<u8>,
    engine: bool,
}

/// There is no path, or the start is the goal.
const NONE: u8 = u8::MAX;

/// The error for a mesh whose table would be too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// Areas of the mesh.
    pub areas: usize,
    /// The most links out of one of them.
    pub links: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a table of first moves is for {} areas and 254 links out of one at most, here are {} and {}",
            FirstMoves::MOST_AREAS,
            self.areas,
            self.links
        )
    }
}

impl std::error::Error for TooLarge {}

impl FirstMoves {
    /// The most areas of a table: 16 MiB.
    pub const MOST_AREAS: usize = 4096;

    /// Makes the table of the shortest paths in units, with one backward search from each area.
    ///
    /// # Errors
    /// If the mesh is too large.
    pub fn shortest(index: &NavIndex) -> Result<Self, TooLarge> {
        Self::new(index, &Lengths, false)
    }

    /// Makes the table of the cheapest paths by the game's own costs.
    ///
    /// # Errors
    /// If the mesh is too large.
    pub fn cheapest(index: &NavIndex) -> Result<Self, TooLarge> {
        Self::new(index, &Charges, true)
    }

    fn new(index: &NavIndex, price: &impl Price, engine: bool) -> Result<Self, TooLarge> {
        let areas = index.len();
        let rows = &index.parts.rows;
        let links = (0..areas).map(|area| rows.row(area).len()).max().unwrap_or(0);
        if areas > Self::MOST_AREAS || links >= usize::from(NONE) {
            return Err(TooLarge { areas, links });
        }
        let mut moves = vec![NONE; areas * areas];
        let mut cost = vec![f32::INFINITY; areas];
        let mut heap = super::heap::Heap::with_areas(areas);
        for goal in 0..areas {
            let first = &mut moves[goal * areas..(goal + 1) * areas];
            cost.fill(f32::INFINITY);
            cost[goal] = 0.0;
            heap.push(0.0, goal, |_, _| true);
            while let Some((sum, area)) = heap.pop() {
                if sum != cost[area] {
                    continue;
                }
                for (from, link) in rows.incoming(area) {
                    let longer = sum + price.price(index, from, link);
                    if longer < cost[from] {
                        cost[from] = longer;
                        first[from] = (link - rows.row(from).start) as u8;
                        heap.push(longer, from, |sum, area| sum == cost[area]);
                    }
                }
            }
        }
        Ok(Self { stamp: index.stamp, areas, moves, engine })
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.moves.len()
    }

    /// The next area on the cheapest path. `None` if there is no path, or if the start is the goal.
    ///
    /// # Errors
    /// If the table belongs to another index, or an area does not exist.
    pub fn next(&self, index: &NavIndex, from: Area, to: Area) -> Result<Option<Area>, Misuse> {
        if self.stamp != index.stamp {
            return Err(Misuse::OtherIndex);
        }
        let link = self.link(index, slot(index, from)?, slot(index, to)?);
        Ok(link.map(|link| Area::new(index.parts.rows.links()[link].to() as u32)))
    }

    #[inline(always)]
    fn link(&self, index: &NavIndex, from: usize, to: usize) -> Option<usize> {
        let place = self.moves[to * self.areas + from];
        (place != NONE).then(|| index.parts.rows.row(from).start + usize::from(place))
    }
}

impl PathScratch {
    /// Reads the cheapest path from a table. The steps stay in the scratch, like those of [`path`](Self::path).
    ///
    /// # Errors
    /// If the scratch or the table belongs to another index, or an area does not exist.
    pub fn path_from(
        &mut self,
        moves: &FirstMoves,
        index: &NavIndex,
        from: Area,
        to: Area,
    ) -> Result<Outcome, Misuse> {
        self.begin(index)?;
        if moves.stamp != index.stamp {
            return Err(Misuse::OtherIndex);
        }
        let (mut area, goal) = (slot(index, from)?, slot(index, to)?);
        let rows = &index.parts.rows;
        let steps = self.heap.reuse();
        let mut cost = 0f32;
        steps.push((area as u64) << 32);
        self.states[area] = State { run: self.run, cost, ..State::default() };
        while area != goal {
            let Some(link) = moves.link(index, area, goal).filter(|_| steps.len() <= moves.areas) else {
                return Ok(Outcome::NoWay);
            };
            let next = rows.links()[link].to();
            cost += if moves.engine { rows.charge(link) } else { rows.links()[link].length };
            self.states[next] = State { run: self.run, cost, rest: 0.0, parent: area as u32 };
            steps.push((next as u64) << 32 | link as u64);
            area = next;
        }
        self.job.phase = Phase::Found;
        Ok(Outcome::Found { cost })
    }
}
