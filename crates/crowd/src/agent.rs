//! One agent: its body, and what it does.

use navmap_core::graph::{LinkKind, Point};
use navmap_query::{Area, NavIndex};

/// The handle of an agent. It is never given to another agent of the same crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(crate) slot: u32,
    pub(crate) life: u32,
}

impl AgentId {
    /// The handle as a number, for programs in other languages.
    pub fn to_bits(self) -> u64 {
        u64::from(self.life) << 32 | u64::from(self.slot)
    }

    /// The handle of a number. Any number may be asked for; one that was not given out is no agent's.
    pub fn from_bits(bits: u64) -> Self {
        Self { slot: bits as u32, life: (bits >> 32) as u32 }
    }
}

/// How an agent moves. Lengths are in units of the file, times in seconds. `with_…` changes it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Body {
    /// Radius as seen from above. The mesh already keeps away from walls, so it counts only between agents.
    pub radius: f32,
    /// Height. Agents of other storeys do not make room for each other.
    pub height: f32,
    /// Speed on foot, in units a second.
    pub speed: f32,
    /// How fast the speed changes, in units a second for each second.
    pub acceleration: f32,
    /// Speed on ladders, in jumps and over other legs; a teleporter takes no time.
    pub leg_speed: f32,
    /// How many seconds ahead it makes room for others.
    pub horizon: f32,
    /// How much it keeps away from others beyond what is needed, 0 for not at all.
    pub separation: f32,
}

impl Body {
    navmap_core::with! {
        with_radius = radius: f32;
        with_height = height: f32;
        with_speed = speed: f32;
        with_acceleration = acceleration: f32;
        with_leg_speed = leg_speed: f32;
        with_horizon = horizon: f32;
        with_separation = separation: f32;
    }

    /// A person, in the units of a mesh: radius 40 cm, 1.8 m high, 3.5 m a second.
    pub fn person(index: &NavIndex) -> Self {
        let metre = 1.0 / index.axes().metres_per_unit;
        Self {
            radius: 0.4 * metre,
            height: 1.8 * metre,
            speed: 3.5 * metre,
            acceleration: 12.0 * metre,
            leg_speed: 2.5 * metre,
            horizon: 1.5,
            separation: 0.3,
        }
    }

    /// Whether all of it can be computed with.
    pub(crate) fn is_sane(&self) -> bool {
        let positive =
            [self.radius, self.height, self.speed, self.acceleration, self.leg_speed, self.horizon];
        positive.into_iter().all(is_number) && (self.separation == 0.0 || is_number(self.separation))
    }
}

/// Whether a size or a time can be computed with: the square of a larger one may have no number.
pub(crate) fn is_number(v: f32) -> bool {
    v > 0.0 && v <= 1e9
}

/// What an agent does.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Doing {
    /// It has no goal, and makes room for others.
    Standing,
    /// It waits for its way to be searched.
    Searching,
    /// It follows its way.
    Walking,
    /// It waits at a ladder or another leg that somebody else is on, or has waited for longer.
    Waiting,
    /// It is on a leg.
    OnLeg {
        /// The kind of the leg.
        kind: LinkKind,
        /// How far, 0 to 1.
        share: f32,
    },
    /// It is at its goal, or next to others who are. If it is pushed away, it goes back.
    Arrived,
    /// There is no way to its goal, or it gets no nearer to it: not for half a minute and four times as long as what is left would
    /// take, time with others close by not counted. Where there is none and the query asks for [partial](navmap_query::Query::partial)
    /// ways, it has gone as near as one leads.
    NoWay,
}

/// An agent, as a caller sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Agent {
    /// Its handle.
    pub id: AgentId,
    /// Where it is: on the mesh, or on a leg.
    pub at: Point,
    /// Its velocity along the ground, in units a second.
    pub velocity: Point,
    /// The area that it is in; on a leg, the one to which the leg leads.
    pub area: Option<Area>,
    /// What it does.
    pub doing: Doing,
    /// Its goal.
    pub goal: Option<Point>,
}
