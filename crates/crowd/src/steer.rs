//! Where everybody wants to go, and the velocity that they choose.

use crate::agent::Doing;
use crate::flat::{Flat, add, at_most, dot, length, of, scale, sub, turned, unit};
use crate::legs;
use crate::member::{Member, NEIGHBOURS};
use crate::orca::{Disc, Halves};
use crate::refused::Refused;
use crate::state::State;
use crate::{turn, walls};
use navmap_query::{Corner, CornerFlags, NavIndex, Query};

/// A shortcut is looked for once in so many ticks.
const TURNS: u64 = 10;
/// Who has got on by less than a body in so many seconds is stuck.
const PATIENCE: f32 = 1.5;
/// How long it makes less room then, and how much.
const PUSHES: f32 = 1.0;
const PUSHING: f32 = 0.15;
/// How near to others at its goal an agent gets before it stops beside them, as a share of what both take.
const TOUCH: f32 = 1.25;
/// How many radii from its goal an agent goes back to it. Not if others are in between: those who stand make room for each other,
/// so they may be farther apart than when they stopped.
const AWAY: f32 = 2.0;
const ASIDE: f32 = 2.0;

/// Finds out who is near whom.
pub(crate) fn meet(crowd: &mut State) {
    let range = |member: &Member| reach(member);
    let most = crowd.members.iter().filter(|m| m.on_ground()).map(range).fold(1e-3f32, f32::max);
    let ground = (0u32..).zip(&crowd.members).filter(|(_, member)| member.on_ground());
    crowd.grid.fill(most, ground.map(|(slot, member)| (slot, of(member.at))));
    for me in 0..crowd.members.len() {
        let member = &crowd.members[me];
        let (mut near, mut far, mut count) = ([0u32; NEIGHBOURS], [f32::INFINITY; NEIGHBOURS], 0);
        if member.on_ground() {
            crowd.grid.around(of(member.at), |slot| {
                let other = &crowd.members[slot as usize];
                let (way, up) = (sub(of(other.at), of(member.at)), (other.at[2] - member.at[2]).abs());
                let apart = dot(way, way);
                if slot as usize == me
                    || up > member.body.height.min(other.body.height)
                    || apart > most * most
                {
                    return;
                }
                // Of two as near, the one with the smaller slot.
                let before = |at: &usize| (far[*at], near[*at]) <= (apart, slot);
                let to = (0..count).take_while(before).count();
                if to < NEIGHBOURS {
                    count = (count + 1).min(NEIGHBOURS);
                    near[to..count].rotate_right(1);
                    far[to..count].rotate_right(1);
                    (near[to], far[to]) = (slot, apart);
                }
            });
        }
        let member = &mut crowd.members[me];
        (member.near, member.near_count) = (near, count as u8);
    }
}

/// How far an agent looks for others.
fn reach(member: &Member) -> f32 {
    (member.body.speed * member.body.horizon).min(member.body.radius * 12.0) + member.body.radius
}

/// Chooses the next velocity of everybody, by the velocities that all have now; who gets to a corner without width in this move turns
/// before those behind it in the list look.
pub(crate) fn choose(
    crowd: &mut State,
    index: &NavIndex,
    seconds: f32,
    query: &Query<'_>,
) -> Result<(), Refused> {
    for me in 0..crowd.members.len() {
        if !crowd.members[me].on_ground() {
            continue;
        }
        let wanted = want(crowd, index, me, seconds, query)?;
        if crowd.members[me].ride.is_some() {
            continue;
        }
        let next = avoid(&crowd.members, me, wanted, seconds, crowd.seed);
        let member = &mut crowd.members[me];
        let change = at_most(sub(next, member.velocity), member.body.acceleration * seconds);
        member.next = add(member.velocity, change);
    }
    Ok(())
}

/// The velocity towards the next corner. Gets on legs on the way.
fn want(
    crowd: &mut State,
    index: &NavIndex,
    me: usize,
    seconds: f32,
    query: &Query<'_>,
) -> Result<Flat, Refused> {
    if crowd.members[me].doing == Doing::Arrived && is_pushed_away(crowd, index, me) {
        crowd.members[me].want();
    }
    let member = &mut crowd.members[me];
    if !matches!(member.doing, Doing::Walking | Doing::Waiting) {
        return Ok([0.0; 2]);
    }
    if (crowd.ticks + me as u64).is_multiple_of(TURNS)
        && member.doing == Doing::Walking
        && member.corridor.optimize(index, &mut crowd.scratch, query)?
    {
        member.late.takes_other_way();
    }
    let mut corners = [Corner::default(); 2];
    let mut count = member.corridor.corners(index, &mut corners)?;
    if count > 0 && turn::goes_through(member, index, &corners[0], seconds) {
        count = turn::go_through(member, index, &mut corners, seconds)?;
    }
    let Some(first) = corners.get(..count).and_then(|corners| corners.first()) else { return Ok([0.0; 2]) };
    let target = index.plan(first.point);
    let way = sub(of(target), of(member.at));
    let (far, radius) = (length(way), member.body.radius);
    if first.is(CornerFlags::LEG) && far <= radius * 2.25 {
        if legs::begin(crowd, index, me)? {
            return Ok([0.0; 2]);
        }
    } else if member.waits.take().is_some() {
        // Who was pushed away from a leg gives up its turn, or else nobody would get on.
        member.doing = Doing::Walking;
    }
    let member = &mut crowd.members[me];
    let speed = member.body.speed * member.late.pace();
    let body = member.body.with_speed(speed);
    if first.is(CornerFlags::END) {
        let slow = length(member.velocity) <= speed * 0.3;
        if far <= radius * 0.25
            || member.corridor.is_at_goal(radius * 0.25)
            || slow && is_crowded(crowd, me, far, TOUCH)
        {
            let member = &mut crowd.members[me];
            // The end of a way is the goal only if the way is that of this goal, and leads all the way.
            member.doing = match (member.wants, member.short) {
                (true, _) => Doing::Searching,
                (false, true) => Doing::NoWay,
                (false, false) => Doing::Arrived,
            };
            return Ok([0.0; 2]);
        }
        let brakes = (2.0 * body.acceleration * far).sqrt().min(far / seconds);
        return Ok(scale(unit(way), brakes.min(speed * (far / (radius * 2.0)).min(1.0))));
    }
    let inside = turn::aim(member, index, first);
    let second = corners.get(..count).and_then(|corners| corners.get(1));
    let after = second.map_or([0.0; 2], |second| sub(of(index.plan(second.point)), of(target)));
    let pace = turn::pace(&body, way, after, seconds);
    let way = sub(inside, of(member.at));
    Ok(scale(unit(if length(way) > 1e-3 { way } else { sub(of(target), of(member.at)) }), pace))
}

/// Whether somebody who had arrived is no longer at the goal, and there is room to go back.
fn is_pushed_away(crowd: &State, index: &NavIndex, me: usize) -> bool {
    let member = &crowd.members[me];
    let far = length(sub(of(index.plan(member.corridor.goal())), of(member.at)));
    far > member.body.radius * AWAY && !is_crowded(crowd, me, far, ASIDE)
}

/// Whether others who have come as far as they can to the same goal leave no room there: one of them is nearer to it, and within
/// `room` times what both bodies take.
fn is_crowded(crowd: &State, me: usize, far: f32, room: f32) -> bool {
    let member = &crowd.members[me];
    let Some((_, goal)) = member.goal else { return false };
    let end = member.corridor.goal();
    member.neighbours().iter().any(|&slot| {
        let other = &crowd.members[slot as usize];
        let touch = (member.body.radius + other.body.radius) * room;
        let same = other.goal.is_some_and(|(_, theirs)| theirs.distance(goal) <= member.body.radius);
        let nearer = other.corridor.position().distance(end) <= far;
        let there = other.doing == Doing::Arrived || other.doing == Doing::NoWay && other.short;
        there && same && nearer && length(sub(of(other.at), of(member.at))) <= touch
    })
}

/// The velocity nearest to the wanted one that hits nobody.
fn avoid(members: &[Member], me: usize, wanted: Flat, seconds: f32, seed: u64) -> Flat {
    let member = &members[me];
    let (body, mut wanted) = (member.body, wanted);
    let disc =
        |member: &Member| Disc { at: of(member.at), velocity: member.velocity, radius: member.body.radius };
    let mine = disc(member);
    let mut halves = Halves::default();
    if member.neighbours().is_empty() {
        return wanted;
    }
    if let Some(wall) = member.wall {
        halves.wall(walls::toward(wall, member.at), walls::HORIZON);
    }
    let (mut apart, mut against) = ([0.0; 2], false);
    for &slot in member.neighbours() {
        let other = &members[slot as usize];
        let theirs = disc(other);
        let way = sub(theirs.at, mine.at);
        against |= dot(way, wanted) > 0.0 && dot(theirs.velocity, wanted) < 0.0;
        // Who cannot make room leaves all of it to the others; who was stuck takes some.
        let share = match (other.doing, member.pushes > 0.0, other.pushes > 0.0) {
            (Doing::Waiting, ..) => 1.0,
            (_, true, false) => PUSHING,
            (_, false, true) => 1.0 - PUSHING,
            _ => 0.5,
        };
        let share = if member.doing == Doing::Waiting { 0.1 } else { share };
        halves.neighbour(&mine, &theirs, share, body.horizon, seconds);
        let (far, room) = (length(way), (body.radius + other.body.radius) * 1.5);
        if far < room {
            apart = sub(apart, scale(unit(way), (1.0 - far / room) * body.speed));
        }
    }
    let goes = length(wanted);
    if goes > 0.0 {
        // Everybody keeps to one side where others come, and nobody stands exactly in line.
        let aside = if against { -0.12 } else { 0.0 } + jitter(me as u64 ^ seed) * 0.01;
        wanted = turned(wanted, aside);
        wanted = at_most(add(wanted, scale(apart, body.separation)), goes.max(1e-3));
    } else if apart.iter().all(|v| v.is_finite()) {
        wanted = scale(apart, body.separation * 0.2);
    }
    halves.nearest(wanted, body.speed)
}

/// A number from -1 to 1 that is always the same for an agent.
fn jitter(of: u64) -> f32 {
    let mut mixed = of.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

/// Notes who does not get on.
pub(crate) fn note(member: &mut Member, seconds: f32) {
    member.pushes = (member.pushes - seconds).max(0.0);
    if member.doing != Doing::Walking {
        (member.mark, member.idle) = (of(member.at), 0.0);
        return;
    }
    member.idle += seconds;
    member.late.walks(seconds);
    if length(sub(of(member.at), member.mark)) > member.body.radius {
        (member.mark, member.idle) = (of(member.at), 0.0);
    } else if member.idle > PATIENCE {
        (member.mark, member.idle, member.pushes) = (of(member.at), 0.0, PUSHES);
        member.wants = true;
    }
}
