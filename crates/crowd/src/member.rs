//! An agent, as the crowd keeps it.

use crate::agent::{Agent, AgentId, Body, Doing};
use crate::flat::{Flat, length, of, sub};
use crate::late::Late;
use crate::refused::Refused;
use crate::ride::{Ride, apart};
use navmap_core::graph::Point;
use navmap_query::{Area, Corridor, NavIndex};

/// The most neighbours that an agent makes room for: the nearest.
pub(crate) const NEIGHBOURS: usize = 8;
/// How many radii from a point one still is at it.
const BESIDE: f32 = 0.25;

/// An agent, as the crowd keeps it. Positions are right, forward and height.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) life: u32,
    pub(crate) alive: bool,
    pub(crate) body: Body,
    pub(crate) at: [f32; 3],
    /// Position and velocity in the axes of the file.
    pub(crate) point: Point,
    pub(crate) speed: Point,
    pub(crate) velocity: Flat,
    /// The velocity of the next move, and where that leads.
    pub(crate) next: Flat,
    pub(crate) to: Flat,
    /// How many seconds of the move it has walked already, to a corner.
    pub(crate) spent: f32,
    /// How far others push it.
    pub(crate) near_push: Flat,
    pub(crate) doing: Doing,
    pub(crate) corridor: Corridor,
    pub(crate) goal: Option<(Area, Point)>,
    /// Whether a way has to be searched.
    pub(crate) wants: bool,
    /// Whether its way ends before the goal.
    pub(crate) short: bool,
    pub(crate) ride: Option<Ride>,
    /// Ends of the leg that it waits for, and since which tick.
    pub(crate) waits: Option<([[f32; 3]; 2], u64)>,
    pub(crate) near: [u32; NEIGHBOURS],
    pub(crate) near_count: u8,
    /// The way to the nearest wall, if one is near, as it was when last looked for.
    pub(crate) wall: Option<Flat>,
    /// Where it was when it last got on, and how many seconds ago.
    pub(crate) mark: Flat,
    pub(crate) idle: f32,
    /// How long it makes less room, after it was stuck.
    pub(crate) pushes: f32,
    pub(crate) late: Late,
}

impl Member {
    /// One that is not there yet.
    pub(crate) fn new(index: &NavIndex, steps: usize, body: Body) -> Self {
        Self {
            life: 0,
            alive: false,
            body,
            at: [0.0; 3],
            point: Point::default(),
            speed: Point::default(),
            velocity: [0.0; 2],
            next: [0.0; 2],
            to: [0.0; 2],
            spent: 0.0,
            near_push: [0.0; 2],
            doing: Doing::Standing,
            corridor: Corridor::with_capacity(index, steps),
            goal: None,
            wants: false,
            short: false,
            ride: None,
            waits: None,
            near: [0; NEIGHBOURS],
            near_count: 0,
            wall: None,
            mark: [0.0; 2],
            idle: 0.0,
            pushes: 0.0,
            late: Late::NEW,
        }
    }

    /// Puts it on the ground, without a goal.
    pub(crate) fn put(&mut self, index: &NavIndex, area: Area, on: Point) -> Result<(), Refused> {
        self.corridor.stand(index, area, on)?;
        (self.velocity, self.next, self.ride, self.waits) = ([0.0; 2], [0.0; 2], None, None);
        (self.goal, self.wants, self.short, self.doing) = (None, false, false, Doing::Standing);
        (self.pushes, self.near_count) = (0.0, 0);
        self.settle(index);
        Ok(())
    }

    /// Stands where its corridor begins.
    pub(crate) fn settle(&mut self, index: &NavIndex) {
        self.at = index.plan(self.corridor.position());
        (self.mark, self.idle, self.wall) = ([self.at[0], self.at[1]], 0.0, None);
        self.show(index);
    }

    /// Whether it is on a leg, and a point is near enough to where it is there.
    pub(crate) fn is_on_its_leg(&self, index: &NavIndex, at: Point) -> bool {
        self.ride.is_some() && apart(index.plan(at), self.at) <= self.body.height
    }

    /// Goes on with its way from where the game has moved it. `false` if one does not get there by walking: it has to be put there.
    pub(crate) fn go_on(&mut self, index: &NavIndex, at: Point) -> Result<bool, Refused> {
        if self.ride.is_some() {
            return Ok(false);
        }
        let (asked, here) = (index.plan(at), index.plan(self.corridor.advance(index, at)?.point));
        let (beside, step) = (length(sub(of(asked), of(here))), index.rules().step);
        let level = |height: f32| (height - here[2]).abs() <= step;
        // Another hall is beside, another storey above or below. Who stays on a storey may have another one close above.
        let same = match index.area_at(at, None).map(|area| index.z_at(area, at)) {
            Some(ground) => {
                beside <= self.body.radius * BESIDE && (level(asked[2]) || ground.is_some_and(level))
            }
            None => beside <= self.body.radius && (-step..=self.body.height).contains(&(asked[2] - here[2])),
        };
        if same {
            // A wall is looked for only now and then.
            self.wall = self.wall.filter(|_| apart(self.at, here) <= self.body.radius);
            self.at = here;
            self.show(index);
        }
        Ok(same)
    }

    /// Goes back to where its corridor began before [`go_on`](Self::go_on). Whether it got there.
    pub(crate) fn go_back(&mut self, index: &NavIndex, before: Point) -> Result<bool, Refused> {
        let here = self.corridor.advance(index, before)?.point;
        Ok(apart(index.plan(here), index.plan(before)) <= self.body.radius * BESIDE)
    }

    /// Puts it elsewhere, on its way to the same goal.
    pub(crate) fn put_again(&mut self, index: &NavIndex, area: Area, on: Point) -> Result<(), Refused> {
        let goal = self.goal;
        self.put(index, area, on)?;
        self.goal = goal;
        if goal.is_some() {
            self.want();
        }
        Ok(())
    }

    /// Has its way searched.
    pub(crate) fn want(&mut self) {
        (self.wants, self.late) = (true, Late::NEW);
        if !matches!(self.doing, Doing::Walking | Doing::OnLeg { .. }) {
            (self.doing, self.waits) = (Doing::Searching, None);
        }
    }

    /// Stands where it is, and says that it cannot get to its goal.
    pub(crate) fn give_up(&mut self, index: &NavIndex) -> Result<(), Refused> {
        if let Some(area) = self.corridor.area() {
            self.corridor.stand(index, area, self.corridor.position())?;
        }
        (self.doing, self.wants, self.short, self.waits) = (Doing::NoWay, false, false, None);
        Ok(())
    }

    /// Keeps position and velocity as the caller reads them.
    pub(crate) fn show(&mut self, index: &NavIndex) {
        self.point = index.unplan(self.at);
        self.speed = index.unplan([self.velocity[0], self.velocity[1], 0.0]);
    }

    /// The agent, as a caller sees it.
    pub(crate) fn seen(&self, slot: u32) -> Agent {
        Agent {
            id: AgentId { slot, life: self.life },
            at: self.point,
            velocity: self.speed,
            area: self.corridor.area(),
            doing: self.doing,
            goal: self.goal.map(|(_, goal)| goal),
        }
    }

    /// Whether others see it on the ground.
    pub(crate) fn on_ground(&self) -> bool {
        self.alive && self.ride.is_none()
    }

    pub(crate) fn neighbours(&self) -> &[u32] {
        self.near.get(..usize::from(self.near_count)).unwrap_or_default()
    }
}
