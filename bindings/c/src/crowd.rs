//! Crowds: agents that follow ways of their own and make room for each other.

use crate::Point;
use crate::area::{NAVMAP_NONE, kind};
use crate::error::Failure;
use crate::filter::number;
use crate::overlay::Overlay;
use crate::query::QueryOptions;
use crate::status::Status;
use crate::turned::Turned;
use crate::world::{World, count as few};
use navmap::crowd::{self, AgentId, Doing, Refused};
use navmap::query::{Misuse, NavIndex};

/// Agents on one world. One thread may use it at a time. Memory is taken when it is made and when agents are added; a tick takes none.
pub type Crowd = Turned<crowd::Crowd>;

/// An agent has no goal, and makes room for others.
pub const NAVMAP_STANDING: u32 = 0;
/// An agent waits for its way to be searched.
pub const NAVMAP_SEARCHING: u32 = 1;
/// An agent follows its way.
pub const NAVMAP_WALKING: u32 = 2;
/// An agent waits at a ladder or another leg that somebody else is on, or has waited for longer.
pub const NAVMAP_WAITING: u32 = 3;
/// An agent is on a leg: `kind` and `share` say on which, and how far.
pub const NAVMAP_ON_LEG: u32 = 4;
/// An agent is at its goal, or next to others who are. If it is pushed away, it goes back.
pub const NAVMAP_ARRIVED: u32 = 5;
/// An agent has a goal to which there is no way, or it got no nearer to it for long. With `NAVMAP_PARTIAL_WAY` it has gone as near as a
/// way leads.
pub const NAVMAP_LOST: u32 = 6;

/// How a crowd is made. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CrowdOptions {
    /// `sizeof(navmap_crowd_options)`.
    pub size: u32,
    /// The most agents. 0: 1,000.
    pub agents: u32,
    /// The steps of a way for which each agent has memory, 32 bytes a step. A way that is longer takes more when it is found. 0: 256.
    pub steps: u32,
    /// How many areas the searches of one tick visit, all together; longer ones go on in the next. 0: 4,096.
    pub pops: u32,
    /// Breaks ties between agents that stand alike. The same crowd with the same seed moves alike, to the bit.
    pub seed: u64,
}
sized32!(CrowdOptions: size_of::<CrowdOptions>());

/// How an agent moves, in units of the file and seconds. Zeros are those of a person; `size` must be set, as `NAVMAP_INIT` does.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct BodyOptions {
    /// `sizeof(navmap_body_options)`.
    pub size: u32,
    /// Radius as seen from above. The mesh already keeps away from walls, so it counts only between agents. 0: 40 cm.
    pub radius: f32,
    /// Height. Agents of other storeys do not make room for each other. 0: 1.8 m.
    pub height: f32,
    /// Speed on foot, in units a second. 0: 3.5 m.
    pub speed: f32,
    /// How fast the speed changes, in units a second for each second. 0: 12 m.
    pub acceleration: f32,
    /// Speed on ladders, in jumps and over other legs. 0: 2.5 m.
    pub leg_speed: f32,
    /// How many seconds ahead it makes room for others. 0: 1.5.
    pub horizon: f32,
    /// How much it keeps away from others beyond what is needed. 0: 0.3; below 0: not at all.
    pub separation: f32,
}
sized32!(BodyOptions: size_of::<BodyOptions>());

/// An agent. 72 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agent72 {
    /// Its number, which no other agent of the crowd ever gets.
    pub agent: u64,
    /// Where it is: on the mesh, or on a leg.
    pub at: Point,
    /// Its velocity along the ground, in units a second.
    pub velocity: Point,
    /// Its goal, if `has_goal`.
    pub goal: Point,
    /// The area that it is in; on a leg, the one to which the leg leads. `NAVMAP_NONE` if it is in none.
    pub area: u32,
    /// `NAVMAP_STANDING` and so on.
    pub doing: u32,
    /// With `NAVMAP_ON_LEG` what the leg is, `NAVMAP_LADDER` and so on; else `NAVMAP_NONE`.
    pub kind: u32,
    /// With `NAVMAP_ON_LEG` how far, 0 to 1; else 0.
    pub share: f32,
    /// 1 if `goal` is set.
    pub has_goal: u32,
    /// 0.
    pub zero: u32,
}

/// How many agents did what in a tick. 20 bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tick20 {
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

impl From<Refused> for Failure {
    #[cold]
    fn from(refused: Refused) -> Self {
        let status = match refused {
            // What else may be of another world is looked at before.
            Refused::Misuse(Misuse::OtherIndex) => return Failure::Bare(Status::OtherWorld, "crowd"),
            Refused::Misuse(misuse) => return misuse.into(),
            Refused::Full => Status::Limit,
            Refused::NoSuchAgent => Status::Stale,
            _ => Status::Invalid,
        };
        Self::text(status, &refused.to_string())
    }
}

/// What is answered, or `NAVMAP_NOTHING` where no ground is near.
fn on_ground<T>(done: Result<T, Refused>) -> Result<Option<T>, Failure> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Refused::Nowhere(_)) => Ok(None),
        Err(refused) => Err(refused.into()),
    }
}

fn stood(done: Result<(), Refused>) -> Result<Status, Failure> {
    Ok(if on_ground(done)?.is_some() { Status::Ok } else { Status::Nothing })
}

/// What is set, or the default.
fn or(set: u32, default: usize) -> usize {
    if set == 0 { default } else { set as usize }
}

impl CrowdOptions {
    fn crowd(&self) -> crowd::CrowdOptions {
        let usual = crowd::CrowdOptions::default();
        usual
            .with_agents(or(self.agents, usual.agents))
            .with_steps(or(self.steps, usual.steps))
            .with_pops(if self.pops == 0 { usual.pops } else { self.pops })
            .with_seed(self.seed)
    }
}

impl BodyOptions {
    fn body(&self, index: &NavIndex) -> crowd::Body {
        let person = crowd::Body::person(index);
        let or = |set: f32, usual: f32| if set == 0.0 { usual } else { set };
        person
            .with_radius(or(self.radius, person.radius))
            .with_height(or(self.height, person.height))
            .with_speed(or(self.speed, person.speed))
            .with_acceleration(or(self.acceleration, person.acceleration))
            .with_leg_speed(or(self.leg_speed, person.leg_speed))
            .with_horizon(or(self.horizon, person.horizon))
            .with_separation(if self.separation < 0.0 { 0.0 } else { or(self.separation, person.separation) })
    }
}

fn agent(agent: crowd::Agent) -> Agent72 {
    let (doing, leg) = match agent.doing {
        Doing::Standing => (NAVMAP_STANDING, None),
        Doing::Searching => (NAVMAP_SEARCHING, None),
        Doing::Walking => (NAVMAP_WALKING, None),
        Doing::Waiting => (NAVMAP_WAITING, None),
        Doing::OnLeg { kind, share } => (NAVMAP_ON_LEG, Some((kind, share))),
        Doing::Arrived => (NAVMAP_ARRIVED, None),
        _ => (NAVMAP_LOST, None),
    };
    Agent72 {
        agent: agent.id.to_bits(),
        at: agent.at,
        velocity: agent.velocity,
        goal: agent.goal.unwrap_or_default(),
        area: number(agent.area),
        doing,
        kind: leg.map_or(NAVMAP_NONE, |(leg, _)| kind(leg)),
        share: leg.map_or(0.0, |(_, share)| share),
        has_goal: u32::from(agent.goal.is_some()),
        zero: 0,
    }
}

entries! {
    /// An empty crowd on a world. `options` may be NULL. 32 bytes for each step of each agent.
    fn navmap_crowd_new(world: *const World, options: *const CrowdOptions, crowd: *mut *mut Crowd; error) {
        let (index, options, place) = (world.handle()?.index(), options.options()?, crowd.handle_place()?);
        place.give(Turned::new(crowd::Crowd::new(index, &options.crowd())));
        Ok(Status::Ok)
    }

    /// Frees a crowd. NULL is none.
    fn navmap_crowd_free(crowd: *mut Crowd) {
        crowd.free()
    }

    /// Adds an agent on the ground under a point, or at the nearest ground within the reach of the game. `body`, which may be NULL,
    /// says how it moves; `agent` gets its number. `NAVMAP_NOTHING` if no ground is near, `NAVMAP_LIMIT` if the crowd is full,
    /// `NAVMAP_INVALID` if a number of the body is below 0 or above a billion.
    fn navmap_crowd_add(
        crowd: *mut Crowd, world: *const World, at: *const Point, body: *const BodyOptions, agent: *mut u64; error
    ) {
        let (crowd, index, at) = (crowd.handle()?, world.handle()?.index(), at.get()?);
        let (body, place) = (body.options()?, agent.place()?);
        let added = crowd.turn("crowd")?.add(index, at, body.body(index));
        let Some(id) = on_ground(added)? else { return Ok(Status::Nothing) };
        place.set(id.to_bits());
        Ok(Status::Ok)
    }

    /// Removes an agent. `NAVMAP_NOTHING` if there is no such agent.
    fn navmap_crowd_remove(crowd: *mut Crowd, agent: u64) {
        let there = crowd.handle()?.turn("crowd")?.remove(AgentId::from_bits(agent));
        Ok(if there { Status::Ok } else { Status::Nothing })
    }

    /// Sends an agent to a point: to the ground under it, or the nearest. Its way is searched in the next ticks. Until it is found, one
    /// that walks or is on a leg goes on; any other stands, and one that waited at a leg gives up its turn. `NAVMAP_NOTHING` if no
    /// ground is near, `NAVMAP_STALE` if there is no such agent.
    fn navmap_crowd_go(crowd: *mut Crowd, world: *const World, agent: u64, to: *const Point; error) {
        let (crowd, index, to) = (crowd.handle()?, world.handle()?.index(), to.get()?);
        stood(crowd.turn("crowd")?.go(index, AgentId::from_bits(agent), to))
    }

    /// Has an agent stop. One on a leg goes over it first. `NAVMAP_STALE` if there is no such agent.
    fn navmap_crowd_stop(crowd: *mut Crowd, agent: u64; error) {
        crowd.handle()?.turn("crowd")?.stop(AgentId::from_bits(agent))?;
        Ok(Status::Ok)
    }

    /// Tells where an agent is whom the game has moved: its physics, a push, a fall. For whoever is elsewhere than the crowd put it, each
    /// tick if need be. An agent keeps its speed and its goal, and its way is mended, or searched again if it does not lead back from
    /// there. One on a leg stays on it, unless it is farther than its height from where it should be. Beside the mesh counts as the
    /// nearest ground. Answers as `navmap_crowd_go` does; if that is not `NAVMAP_OK`, the agent is where it was.
    fn navmap_crowd_moved(crowd: *mut Crowd, world: *const World, agent: u64, at: *const Point; error) {
        let (crowd, index, at) = (crowd.handle()?, world.handle()?.index(), at.get()?);
        stood(crowd.turn("crowd")?.moved(index, AgentId::from_bits(agent), at))
    }

    /// Puts an agent elsewhere, as after a teleport. It stands there until its way is searched again; for whoever was only moved, see
    /// `navmap_crowd_moved`. Answers as `navmap_crowd_go` does.
    fn navmap_crowd_place(crowd: *mut Crowd, world: *const World, agent: u64, at: *const Point; error) {
        let (crowd, index, at) = (crowd.handle()?, world.handle()?.index(), at.get()?);
        stood(crowd.turn("crowd")?.place(index, AgentId::from_bits(agent), at))
    }

    /// Moves everybody on by some seconds, 0.05 for 20 ticks a second. `options` and `overlay`, which may be NULL, say which ways are
    /// permitted and what they cost; `max_pops` is ignored. Ways that are no longer permitted are searched again. `tick`, which may be
    /// NULL, gets how many do what. Nothing is allocated unless a way is longer than the `steps` of the crowd. The same ticks give the
    /// same result to the bit. In more than a tenth of a second everybody is moved several times, up to 32.
    fn navmap_crowd_tick(
        crowd: *mut Crowd, world: *const World, seconds: f32, options: *const QueryOptions,
        overlay: *const Overlay, tick: *mut Tick20; error
    ) {
        let (crowd, index, options) = (crowd.handle()?, world.handle()?.index(), options.options()?);
        let overlay = overlay.maybe()?.map(|overlay| overlay.look("overlay")).transpose()?;
        let mut crowd = crowd.turn("crowd")?;
        let done = options.ask(index, overlay.as_deref(), |asked| Ok(crowd.tick(index, seconds, &asked)?))?;
        tick.put(Tick20 {
            walking: done.walking,
            waiting: done.waiting,
            on_legs: done.on_legs,
            searching: done.searching,
            arrived: done.arrived,
        })?;
        Ok(Status::Ok)
    }

    /// An agent. `NAVMAP_NOTHING` if there is no such agent.
    fn navmap_crowd_agent(crowd: *mut Crowd, agent: u64, about: *mut Agent72) {
        let (crowd, place) = (crowd.handle()?.turn("crowd")?, about.place()?);
        let Some(found) = crowd.agent(AgentId::from_bits(agent)) else { return Ok(Status::Nothing) };
        place.set(self::agent(found));
        Ok(Status::Ok)
    }

    /// All agents, in an order that stays the same while none is added or removed. Nothing is allocated.
    fn navmap_crowd_agents(crowd: *mut Crowd, agents[capacity]: *mut Agent72, count: *mut u32) {
        let (crowd, mut room) = (crowd.handle()?.turn("crowd")?, agents?);
        crowd.agents().take(room.left()).for_each(|found| room.push(agent(found)));
        room.count(crowd.len()).end(count)
    }

    /// How many agents there are.
    fn navmap_crowd_count(crowd: *mut Crowd, count: *mut u32) {
        let (crowd, place) = (crowd.handle()?.turn("crowd")?, count.place()?);
        place.set(few(crowd.len()));
        Ok(Status::Ok)
    }

    /// Brings everybody to another world, as after a reload: ways are kept as far as they exist there, and who stands where there is no
    /// ground any more is put on the nearest. Costs nothing if it is the same world; else it allocates. `NAVMAP_NOTHING` if
    /// there are agents and the world has no ground at all: the crowd is then as before.
    fn navmap_crowd_remap(crowd: *mut Crowd, world: *const World; error) {
        let (crowd, index) = (crowd.handle()?, world.handle()?.index());
        stood(crowd.turn("crowd")?.remap(index))
    }
}
