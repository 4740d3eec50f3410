//! The crowd, and the order of things in a tick.

use crate::agent::{Agent, AgentId, Body, Doing, is_number};
use crate::member::Member;
use crate::refused::Refused;
use crate::state::State;
use crate::{go, lag, legs, motion, search, steer, walls};
use navmap_core::graph::Point;
use navmap_query::{Area, Misuse, NavIndex, Query, Remap};

/// How many seconds agents move at a time, and the most such moves in a tick.
const LONG: f32 = 0.1;
const MOST: f32 = 32.0;

/// How a crowd is made. `with_…` changes the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// The most agents.
    pub agents: usize,
    /// The steps of a way for which each agent has memory, 32 bytes a step. A way that is longer takes more when it is found.
    pub steps: usize,
    /// How many areas the searches of one tick visit, all together. A search that needs more goes on in the next tick.
    pub pops: u32,
    /// Breaks ties between agents that stand alike. The same crowd with the same seed moves alike, to the bit.
    pub seed: u64,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self { agents: 1_000, steps: 256, pops: 4_096, seed: 0 }
    }
}

impl CrowdOptions {
    navmap_core::with! {
        with_agents = agents: usize;
        with_steps = steps: usize;
        with_pops = pops: u32;
        with_seed = seed: u64;
    }
}

/// How many agents did what in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tick {
    /// Follow their way.
    pub walking: u32,
    /// Wait at a leg.
    pub waiting: u32,
    /// Are on a leg.
    pub on_legs: u32,
    /// Wait for their way to be searched.
    pub searching: u32,
    /// Are at their goal.
    pub arrived: u32,
}

/// Many agents on one index. Each follows a way of its own, and all make room for each other.
///
/// The caller tells agents where to go, calls [`tick`](Self::tick) as often as its game does, and reads where they are. A tick
/// searches ways, within a budget; finds out who is near whom; chooses for every agent the velocity nearest to the wanted one that
/// hits nobody (optimal reciprocal collision avoidance, and the nearest wall); and moves it along the surface, so that nobody
/// leaves the mesh. Ladders, jumps and other links that one does not walk are states ([`Doing::OnLeg`]): who comes to one that is
/// taken waits, first come first served. A tick allocates nothing unless it finds a way that is longer than
/// [`steps`](CrowdOptions::steps), and the same ticks give the same result to the bit.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::crowd::{Body, Crowd, CrowdOptions, Doing};
/// use navmap::query::{Policy, Query, World};
///
/// let world = World::open("corpus/source/town.nav", &Policy::default())?;
/// let index = world.index();
/// let place = |name: &str| index.center(index.in_place(name).next().expect("a place of this name")).unwrap();
///
/// let mut crowd = Crowd::new(index, &CrowdOptions::default().with_agents(2));
/// let there = crowd.add(index, place("CTSpawn"), Body::person(index))?;
/// let back = crowd.add(index, place("BombsiteB"), Body::person(index))?;
/// crowd.go(index, there, place("BombsiteB"))?;
/// crowd.go(index, back, place("CTSpawn"))?;
/// for _ in 0..20 * 120 {
///     crowd.tick(index, 0.05, &Query::default())?;
/// }
/// assert!(crowd.agents().all(|agent| agent.doing == Doing::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Crowd {
    state: State,
    /// Slots of agents that were removed.
    free: Vec<u32>,
    room: usize,
    steps: usize,
    identity: u64,
}

impl Crowd {
    /// An empty crowd on an index. All memory is taken here and in [`add`](Self::add).
    pub fn new(index: &NavIndex, options: &CrowdOptions) -> Self {
        let agents = options.agents.min(u32::MAX as usize / 2);
        Self {
            state: State::new(index, agents, options.pops, options.seed),
            free: Vec::new(),
            room: agents,
            steps: options.steps,
            identity: index.identity(),
        }
    }

    /// Adds an agent on the ground under a point, or else at the nearest ground within the [reach](NavIndex::rules) of the game.
    ///
    /// # Errors
    /// If the crowd is full, a number of the body is not positive or above a billion, the point is not finite, or no ground is near. If the index is
    /// another one than before ([`remap`](Self::remap)).
    pub fn add(&mut self, index: &NavIndex, at: Point, body: Body) -> Result<AgentId, Refused> {
        self.check(index)?;
        if !body.is_sane() {
            return Err(Refused::BadNumber);
        }
        let (area, on) = stand(index, at, index.rules().reach)?;
        let slot = self.free.pop().map_or(self.state.members.len(), |slot| slot as usize);
        if slot >= self.room {
            return Err(Refused::Full);
        }
        if slot == self.state.members.len() {
            self.state.members.push(Member::new(index, self.steps, body));
            // So that removing all of them takes no memory.
            self.free.reserve(self.state.members.len() - self.free.len());
        }
        let member = &mut self.state.members[slot];
        (member.alive, member.body) = (true, body);
        member.life = member.life.wrapping_add(1);
        member.put(index, area, on)?;
        Ok(AgentId { slot: slot as u32, life: member.life })
    }

    /// Removes an agent. Returns whether there was one.
    pub fn remove(&mut self, id: AgentId) -> bool {
        let Ok(member) = self.member(id) else { return false };
        (member.alive, member.ride, member.waits, member.wants) = (false, None, None, false);
        self.free.push(id.slot);
        true
    }

    /// Sends an agent to a point: to the ground under it, or the nearest ground. Its way is searched in the next ticks. Until it is
    /// found, one that walks or is on a leg goes on; any other stands, and one that waited at a leg gives up its turn.
    ///
    /// # Errors
    /// If there is no such agent, the point is not finite, or no ground is near it. If the index is another one than before
    /// ([`remap`](Self::remap)).
    pub fn go(&mut self, index: &NavIndex, id: AgentId, to: Point) -> Result<(), Refused> {
        self.check(index)?;
        let goal = stand(index, to, index.rules().reach)?;
        let member = self.member(id)?;
        member.goal = Some(goal);
        member.want();
        self.state.searches.give_up(id.slot as usize);
        Ok(())
    }

    /// Has an agent stop. One on a leg goes over it first.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn stop(&mut self, id: AgentId) -> Result<(), Refused> {
        let member = self.member(id)?;
        (member.goal, member.wants, member.waits) = (None, false, None);
        if member.ride.is_none() {
            member.doing = Doing::Standing;
        }
        Ok(())
    }

    /// Tells where an agent is whom the game has moved: its physics, a push, a fall. Call it for whoever is elsewhere than the crowd
    /// put it, each tick if need be. An agent keeps its speed and its goal, and its way is mended. If it is where that does not
    /// lead back from, such as on another floor, its way is searched again, as after [`place`](Self::place). One on a leg stays on
    /// it, unless it is farther than its height from where it should be. Beside the mesh counts as the nearest ground.
    ///
    /// Nothing is searched on its way, and nothing allocated unless that gets longer than [`steps`](CrowdOptions::steps).
    ///
    /// # Errors
    /// Those of [`place`](Self::place). The agent is then where it was.
    pub fn moved(&mut self, index: &NavIndex, id: AgentId, at: Point) -> Result<(), Refused> {
        self.check(index)?;
        if !at.is_finite() {
            return Err(Misuse::NotFinite.into());
        }
        if self.member(id)?.is_on_its_leg(index, at) {
            return Ok(());
        }
        let member = self.member(id)?;
        let (area, before) = (member.corridor.area(), member.corridor.position());
        if member.go_on(index, at)? {
            return Ok(());
        }
        let placed = self.place(index, id, at);
        if placed.is_err()
            && !self.member(id)?.go_back(index, before)?
            && let Some(area) = area
        {
            // A wall is on the way back.
            self.member(id)?.put_again(index, area, before)?;
            self.state.searches.give_up(id.slot as usize);
        }
        placed
    }

    /// Puts an agent elsewhere, as after a teleport. It stands there until its way is searched again. For whoever was only moved, see
    /// [`moved`](Self::moved).
    ///
    /// # Errors
    /// If there is no such agent, the point is not finite, or no ground is near it. If the index is another one than before
    /// ([`remap`](Self::remap)).
    pub fn place(&mut self, index: &NavIndex, id: AgentId, at: Point) -> Result<(), Refused> {
        self.check(index)?;
        let (area, on) = stand(index, at, index.rules().reach)?;
        self.member(id)?.put_again(index, area, on)?;
        self.state.searches.give_up(id.slot as usize);
        Ok(())
    }

    /// An agent.
    pub fn agent(&self, id: AgentId) -> Option<Agent> {
        let member = self.state.members.get(id.slot as usize)?;
        (member.alive && member.life == id.life).then(|| member.seen(id.slot))
    }

    /// All agents, in the order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        (0..)
            .zip(&self.state.members)
            .filter(|(_, member)| member.alive)
            .map(|(slot, member)| member.seen(slot))
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.state.members.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves everybody on by some seconds, 0.05 for 20 ticks a second. The query says which ways are permitted and what they cost;
    /// its `max_pops` is ignored. If its overlay changes, ways that are no longer permitted are searched again. In more than a tenth
    /// of a second everybody is moved several times, up to 32.
    ///
    /// # Errors
    /// If the index is another one than before ([`remap`](Self::remap)), the overlay or a mask belongs to another index, or the
    /// time is not positive or above a billion.
    pub fn tick(&mut self, index: &NavIndex, seconds: f32, query: &Query<'_>) -> Result<Tick, Refused> {
        self.check(index)?;
        // Prices are asked only by those who have a way, so this cannot wait for them.
        let overlay = query.overlay.is_none_or(|overlay| overlay.fits(index));
        if !(overlay && query.filter.mask.is_none_or(|mask| mask.fits(index))) {
            return Err(Misuse::OtherIndex.into());
        }
        if !is_number(seconds) {
            return Err(Refused::BadNumber);
        }
        let state = &mut self.state;
        go::check(state, index, query)?;
        search::search(state, index, query)?;
        // A long tick is several short ones, or else nobody would get round a corner.
        let steps = (seconds / LONG).ceil().clamp(1.0, MOST);
        for _ in 0..steps as u32 {
            let seconds = seconds / steps;
            legs::ride(state, index, seconds);
            steer::meet(state);
            walls::look(state, index);
            steer::choose(state, index, seconds, query)?;
            motion::step(state, index, seconds)?;
            lag::check(state, index)?;
            state.ticks += 1;
        }
        state.turns += 1;
        state.members.iter_mut().filter(|member| member.alive).for_each(|member| member.show(index));
        let mut tick = Tick::default();
        for member in state.members.iter().filter(|member| member.alive) {
            match member.doing {
                Doing::Walking => tick.walking += 1,
                Doing::Waiting => tick.waiting += 1,
                Doing::OnLeg { .. } => tick.on_legs += 1,
                Doing::Searching => tick.searching += 1,
                Doing::Arrived => tick.arrived += 1,
                Doing::Standing | Doing::NoWay => {}
            }
        }
        Ok(tick)
    }

    /// Brings everybody to another index, as after a reload. Ways are kept as far as they exist there ([`Corridor::remap`](navmap_query::Corridor::remap)) and
    /// searched again; who stands where there is no ground any more is put on the nearest, at any distance. This allocates.
    ///
    /// # Errors
    /// If there are agents, and the index has no ground at all. The crowd is then as before, and goes on in its own index.
    pub fn remap(&mut self, index: &NavIndex) -> Result<(), Refused> {
        if self.check(index).is_ok() {
            return Ok(());
        }
        // Everybody has a place before anything changes.
        let places = self.state.members.iter().filter(|member| member.alive);
        let places = places.map(|member| stand(index, member.point, f32::INFINITY));
        let places: Vec<(Area, Point)> = places.collect::<Result<_, _>>()?;
        self.state.scratch.fit(index);
        self.state.searches.fit(index);
        let alive = self.state.members.iter_mut().filter(|member| member.alive);
        for (member, (area, on)) in alive.zip(places) {
            let whole = member.corridor.remap(index);
            member.goal = member.goal.and_then(|(_, goal)| stand(index, goal, f32::INFINITY).ok());
            if whole == Remap::Lost || member.ride.is_some() {
                member.put_again(index, area, on)?;
                continue;
            }
            member.settle(index);
            if whole == Remap::Cut {
                member.short = true;
                member.want();
            }
        }
        self.identity = index.identity();
        Ok(())
    }

    fn check(&self, index: &NavIndex) -> Result<(), Refused> {
        if self.identity == index.identity() { Ok(()) } else { Err(Misuse::OtherIndex.into()) }
    }

    fn member(&mut self, id: AgentId) -> Result<&mut Member, Refused> {
        let member = self.state.members.get_mut(id.slot as usize);
        member.filter(|member| member.alive && member.life == id.life).ok_or(Refused::NoSuchAgent)
    }
}

/// The ground under a point, or the nearest, no farther away than `max`.
fn stand(index: &NavIndex, p: Point, max: f32) -> Result<(Area, Point), Refused> {
    if !p.is_finite() {
        return Err(Misuse::NotFinite.into());
    }
    let near = || index.nearest(p, max).map(|near| (near.area, near.point));
    index.stands_on(p).map(|area| (area, p)).or_else(near).ok_or(Refused::Nowhere(p))
}
