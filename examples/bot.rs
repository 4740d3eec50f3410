//! A bot that walks a mesh of Team Fortress 2: it finds its way, walks the corners of it at 300 units a second, and finds
//! another way when one is blocked.
//!
//! `cargo run --example bot -- cp_steel.nav`

use navmap::graph::Point;
use navmap::query::{Area, NavIndex, Outcome, Overlay, PathScratch, Policy, Query, World};
use std::error::Error;

/// Units that a bot walks in a tick: 300 a second, 66 ticks a second.
const STRIDE: f32 = 300.0 / 66.0;
/// The most corners that a bot keeps. If a way has more, it asks again from the last one.
const CORNERS: usize = 32;

/// A bot: where it is, where it goes, and memory of its own for searches.
struct Bot {
    at: Point,
    goal: Point,
    scratch: PathScratch,
    corners: [Point; CORNERS],
    left: std::ops::Range<usize>,
}

impl Bot {
    fn new(index: &NavIndex, at: Point, goal: Point) -> Self {
        Self { at, goal, scratch: PathScratch::new(index), corners: [Point::default(); CORNERS], left: 0..0 }
    }

    /// The area that a point stands on, or else the nearest.
    fn area(index: &NavIndex, p: Point) -> Option<Area> {
        index.area_at(p, None).or_else(|| index.nearest(p, 1000.0).map(|near| near.area))
    }

    /// Finds a way from where it stands. This allocates nothing.
    fn plan(&mut self, index: &NavIndex, overlay: &Overlay) -> Option<f32> {
        let (here, there) = (Self::area(index, self.at)?, Self::area(index, self.goal)?);
        let query = Query::default().with_overlay(overlay);
        let outcome = self.scratch.path(index, here, (there, self.goal), &query).ok()?;
        let Outcome::Found { cost } = outcome else {
            self.left = 0..0;
            return None;
        };
        let count = self.scratch.straighten(index, self.at, self.goal, &mut self.corners).ok()?;
        self.left = 1..count.min(CORNERS);
        Some(cost)
    }

    /// Walks one tick. Whether it has arrived at the last corner that it knows.
    fn walk(&mut self) -> bool {
        let mut stride = STRIDE;
        while let Some(&next) = self.corners.get(self.left.start).filter(|_| !self.left.is_empty()) {
            let far = self.at.distance(next);
            if far > stride {
                let share = stride / far;
                let step = |a: f32, b: f32| a + (b - a) * share;
                self.at =
                    Point::new(step(self.at.x, next.x), step(self.at.y, next.y), step(self.at.z, next.z));
                return false;
            }
            stride -= far;
            self.at = next;
            self.left.start += 1;
        }
        true
    }
}

/// What a walk came to.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) ticks: usize,
    /// What the way cost, before and after something was blocked.
    pub(crate) costs: Vec<f32>,
    /// Farthest from the mesh that the bot ever was, in units, as seen from the nearest area.
    pub(crate) off: f32,
    pub(crate) arrived: bool,
}

/// Walks from the first area of the mesh to the one that is farthest away. Halfway, what lies ahead is blocked.
pub(crate) fn walk(path: &str) -> Result<Walked, Box<dyn Error>> {
    let world = World::open(path, &Policy::default())?;
    let index = world.index();
    let mut scratch = PathScratch::new(index);
    let start = index.of_node(0).ok_or("the mesh has no area")?;
    let mut costs = vec![0.0; index.len()];
    scratch.distance_map(index, start, &Query::default(), &mut costs)?;
    let reached = index.areas().filter(|area| costs[area.position() as usize].is_finite());
    let goal = reached.max_by(|a, b| costs[a.position() as usize].total_cmp(&costs[b.position() as usize]));
    let center = |area: Area| index.center(area).unwrap_or_default();
    let mut bot = Bot::new(index, center(start), center(goal.unwrap_or(start)));

    let mut overlay = Overlay::new(index);
    let mut walked = Walked::default();
    walked.costs.extend(bot.plan(index, &overlay));
    let middle = bot.scratch.len() / 2;
    let ahead = bot.scratch.areas().nth(middle).filter(|area| *area != start && Some(*area) != goal);
    for tick in 0..100_000 {
        if bot.walk() {
            walked.ticks = tick;
            walked.arrived = bot.at.distance(bot.goal) < 1.0;
            // A long way has more corners than it keeps, so it asks for the rest of it.
            if walked.arrived || bot.plan(index, &overlay).is_none() {
                break;
            }
        }
        walked.off = index.nearest(bot.at, 1000.0).map_or(walked.off, |near| near.distance.max(walked.off));
        // Somebody builds a dispenser in the way, once.
        if tick == 10
            && let Some(ahead) = ahead
        {
            overlay.block(ahead);
            match bot.plan(index, &overlay) {
                Some(cost) => walked.costs.push(cost),
                None => {
                    // There is no way around: what was built is destroyed.
                    overlay.clear(ahead);
                    walked.costs.extend(bot.plan(index, &overlay));
                }
            }
        }
    }
    Ok(walked)
}

#[allow(dead_code)] // a test calls `walk` instead
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "corpus/source/v16-2-tf2.nav".into());
    let walked = walk(&path)?;
    let Walked { ticks, costs, off, arrived } = walked;
    let end = if arrived { "arrived" } else { "gave up" };
    println!(
        "{path}: {end} after {ticks} ticks; the way cost {costs:?}; {off:.1} units off the mesh at most"
    );
    Ok(())
}
