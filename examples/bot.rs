//! A bot that walks a mesh of any game: it finds its way, walks the corners of it at a player's speed, climbs and jumps where the
//! way does, and finds another way when one is blocked or when it is pushed off.
//!
//! `cargo run --example bot -- cp_steel.nav`

use navmap::graph::{Point, Up};
use navmap::query::{
    Area, Corner, CornerFlags, Corridor, Flood, Leg, NavIndex, Outcome, Overlay, PathScratch, Policy, Query,
    Random, Repair, Spots, World,
};
use std::error::Error;

/// A body in file units, sized as that of a player: 300 inches a second, 16 inches around its middle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    /// What it walks in a tick, 20 of them a second.
    pub(crate) stride: f32,
    pub(crate) radius: f32,
}

impl Body {
    pub(crate) fn new(index: &NavIndex) -> Self {
        let inch = 0.0254 / index.axes().metres_per_unit;
        Self { stride: 300.0 / 20.0 * inch, radius: 16.0 * inch }
    }
}

/// A bot: where it is, where it goes, and memory of its own for searches.
pub(crate) struct Bot {
    body: Body,
    at: Point,
    goal: Point,
    scratch: PathScratch,
    corridor: Corridor,
    /// The ends of what it climbs or jumps, and how much of it is left.
    leg: Option<(Leg, f32)>,
}

/// What came of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tick {
    Walks,
    Climbs,
    Arrived,
    /// It has no way.
    Lost,
}

impl Bot {
    pub(crate) fn new(index: &NavIndex, at: Point, goal: Point) -> Self {
        // Room for any way, so that nothing is allocated later.
        let corridor = Corridor::with_capacity(index, index.len());
        Self { body: Body::new(index), at, goal, scratch: PathScratch::new(index), corridor, leg: None }
    }

    pub(crate) fn at(&self) -> Point {
        self.at
    }

    /// The area that a point stands on, or else the nearest.
    fn area(index: &NavIndex, p: Point) -> Option<Area> {
        index.stands_on(p).or_else(|| index.nearest(p, f32::INFINITY).map(|near| near.area))
    }

    /// Finds a way from where it stands. This allocates nothing.
    pub(crate) fn plan(&mut self, index: &NavIndex, query: &Query<'_>) -> Option<f32> {
        // What it follows knows its area better than a search by its point, where storeys lie above each other.
        let here =
            self.corridor.area().filter(|_| self.corridor.position().distance(self.at) < self.body.radius);
        let (here, there) = (here.or_else(|| Self::area(index, self.at))?, Self::area(index, self.goal)?);
        let outcome = self.scratch.path(index, here, (there, self.goal), query).ok()?;
        let Outcome::Found { cost } = outcome else { return None };
        self.corridor.follow(index, &self.scratch, self.at, self.goal).ok()?;
        Some(cost)
    }

    /// Moves for one tick.
    pub(crate) fn tick(&mut self, index: &NavIndex, query: &Query<'_>) -> Tick {
        if let Some((leg, left)) = self.leg {
            // A game would climb, fly or wait here. The bot lets the time pass that its length takes.
            self.leg = (left > self.body.stride).then_some((leg, left - self.body.stride));
            if self.leg.is_none() {
                self.at = leg.dismount;
            }
            return Tick::Climbs;
        }
        // What lies close ahead may have been blocked meanwhile.
        if !self.corridor.is_valid(index, query, 8).unwrap_or(false) && self.plan(index, query).is_none() {
            return Tick::Lost;
        }
        let mut left = self.body.stride;
        // Several corners may lie within a stride.
        for _ in 0..16 {
            let mut next = [Corner::default()];
            if self.corridor.corners(index, &mut next) != Ok(1) {
                return Tick::Lost;
            }
            let [corner] = next;
            let far = level(index, self.at, corner.point);
            let share = if far > left { left / far } else { 1.0 };
            let step = |a: f32, b: f32| a + (b - a) * share;
            let to = corner.point;
            self.at = match share {
                1.0 => to,
                _ => Point::new(step(self.at.x, to.x), step(self.at.y, to.y), step(self.at.z, to.z)),
            };
            let Ok(slide) = self.corridor.advance(index, self.at) else { return Tick::Lost };
            // Its feet are on the ground, where the surface says it is; left and right it stands where it walked.
            self.at = over(index, self.at, slide.point);
            if far > left {
                return Tick::Walks;
            }
            left -= far;
            if corner.is(CornerFlags::LEG)
                && let Ok(Some(leg)) = self.corridor.take_leg(index)
            {
                let far = leg.mount.distance(leg.begins) + leg.begins.distance(leg.ends);
                self.leg = Some((leg, far + leg.ends.distance(leg.dismount)));
                return Tick::Climbs;
            }
            if corner.is(CornerFlags::END) {
                return Tick::Arrived;
            }
        }
        Tick::Walks
    }

    /// Somebody runs into it: it is moved along the ground towards a point. Whether it can go on.
    pub(crate) fn push(&mut self, index: &NavIndex, to: Point, query: &Query<'_>) -> bool {
        let Some(area) = self.corridor.area().filter(|_| self.leg.is_none()) else { return true };
        let Some(slide) = index.slide(area, self.corridor.position(), to, |_| ()) else { return true };
        self.at = slide.point;
        match self.corridor.repair(index, &mut self.scratch, self.at, query) {
            Ok(Repair::Lost) | Err(_) => self.plan(index, query).is_some(),
            Ok(_) => true,
        }
    }
}

/// The distance as seen from above.
fn level(index: &NavIndex, a: Point, b: Point) -> f32 {
    match index.axes().up {
        Up::Z => (a.x - b.x).hypot(a.y - b.y),
        Up::Y => (a.x - b.x).hypot(a.z - b.z),
    }
}

/// A point at the height of another.
fn over(index: &NavIndex, p: Point, height: Point) -> Point {
    match index.axes().up {
        Up::Z => Point::new(p.x, p.y, height.z),
        Up::Y => Point::new(p.x, height.y, p.z),
    }
}

/// What walks came to.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) ways: usize,
    pub(crate) arrived: usize,
    pub(crate) ticks: usize,
    /// Ladders, jumps and all else that was not walked.
    pub(crate) legs: usize,
    pub(crate) pushes: usize,
    /// Farthest from the mesh that the bot ever was while it walked, in units.
    pub(crate) off: f32,
    /// What the way cost, before and after something was blocked.
    pub(crate) costs: Vec<f32>,
}

/// Walks to random goals, `ways` of them, each in walking distance of the one before, and is pushed now and then. `far` measures how
/// far a point is from the mesh.
pub(crate) fn wander(index: &NavIndex, ways: usize, seed: u64, far: impl Fn(Point) -> f32) -> Option<Walked> {
    let (query, mut random) = (Query::default(), Random::new(seed));
    let spots: Spots = index.spots();
    let body = Body::new(index);
    let flood = Flood::default().with_travel(body.stride * 150.0);
    let mut walked = Walked::default();
    let (_, start) = spot(index, &spots, &mut random)?;
    let mut bot = Bot::new(index, start, start);
    let mut scratch = PathScratch::new(index);
    for way in 0..ways {
        // Now and then it begins elsewhere, so that it sees all of the mesh.
        let here = Bot::area(index, bot.at).filter(|_| way % 8 != 0);
        let (here, at) = match here {
            Some(here) => (here, bot.at),
            None => spot(index, &spots, &mut random)?,
        };
        let near = scratch.random_within(index, here, &flood, || random.next_f64()).ok()?;
        // Waypoints without a radius have no ground: any that can be reached will do.
        let any = || {
            (0..32)
                .find_map(|_| spot(index, &spots, &mut random).filter(|(to, _)| index.reachable(here, *to)))
        };
        let goal = near.or_else(any).map_or(at, |(_, goal)| goal);
        bot.corridor.stand(index, here, at).ok()?;
        bot.at = bot.corridor.position();
        (bot.goal, bot.leg) = (goal, None);
        walked.ways += 1;
        if bot.plan(index, &query).is_none() {
            continue;
        }
        for tick in 1..4_000 {
            let did = bot.tick(index, &query);
            walked.ticks += 1;
            walked.legs += usize::from(did == Tick::Climbs && bot.leg.is_none());
            if did != Tick::Climbs {
                walked.off = walked.off.max(far(bot.at));
            }
            if matches!(did, Tick::Arrived | Tick::Lost) {
                walked.arrived += usize::from(did == Tick::Arrived);
                break;
            }
            if tick % 50 == 0 {
                let mut by = |v: f32| v + (random.next_f64() as f32 - 0.5) * 8.0 * body.radius;
                let to = Point::new(by(bot.at.x), by(bot.at.y), by(bot.at.z));
                walked.pushes += 1;
                if !bot.push(index, to, &query) {
                    break;
                }
            }
        }
    }
    Some(walked)
}

/// A random spot: on the ground, or where the areas are points, at one of them.
fn spot(index: &NavIndex, spots: &Spots, random: &mut Random) -> Option<(Area, Point)> {
    index.random_point(spots, || random.next_f64()).or_else(|| {
        let area = Area::at((random.next_f64() * index.len() as f64) as u32)?;
        Some((area, index.center(area)?))
    })
}

/// Walks from the first area of the mesh to the one that is farthest away. Soon, what lies ahead is blocked.
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
    let mut walked = Walked { ways: 1, ..Walked::default() };
    walked.costs.extend(bot.plan(index, &Query::default()));
    let middle = bot.corridor.len() / 2;
    let ahead = bot.corridor.areas().nth(middle).filter(|area| *area != start && Some(*area) != goal);
    for tick in 0..100_000 {
        // Somebody builds a dispenser in the way, once.
        if tick == 3
            && let Some(ahead) = ahead
        {
            overlay.block(ahead);
            let around = bot.plan(index, &Query::default().with_overlay(&overlay));
            if around.is_none() {
                // There is no way around: what was built is destroyed.
                overlay.clear(ahead);
            }
            walked.costs.extend(around.or_else(|| bot.plan(index, &Query::default())));
        }
        let did = bot.tick(index, &Query::default().with_overlay(&overlay));
        walked.ticks = tick + 1;
        walked.legs += usize::from(did == Tick::Climbs && bot.leg.is_none());
        if did != Tick::Climbs {
            walked.off = index
                .nearest(bot.at(), f32::INFINITY)
                .map_or(walked.off, |near| near.distance.max(walked.off));
        }
        if matches!(did, Tick::Arrived | Tick::Lost) {
            walked.arrived =
                usize::from(did == Tick::Arrived && bot.at().distance(bot.corridor.goal()) < 1.0);
            break;
        }
    }
    Ok(walked)
}

#[allow(dead_code)] // a test calls `walk` and `wander` instead
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "corpus/source/v16-2-tf2.nav".into());
    let Walked { ticks, costs, off, arrived, legs, .. } = walk(&path)?;
    let end = if arrived == 1 { "arrived" } else { "gave up" };
    println!(
        "{path}: {end} after {ticks} ticks and {legs} legs; the way cost {costs:?}; {off:.1} units off the mesh at most"
    );

    let world = World::open(&path, &Policy::default())?;
    let index = world.index();
    let far = |p| index.nearest(p, f32::INFINITY).map_or(f32::INFINITY, |near| near.distance);
    let Walked { ways, arrived, ticks, legs, pushes, off, .. } =
        wander(index, 1_000, 7, far).ok_or("the mesh has no ground")?;
    println!(
        "{arrived} of {ways} random ways arrived after {ticks} ticks, {legs} legs and {pushes} pushes; {off:.1} units off \
         the mesh at most, with a radius of {:.1}",
        Body::new(index).radius
    );
    Ok(())
}
