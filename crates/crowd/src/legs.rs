//! Ladders, jumps and other links that one does not walk.

use crate::agent::Doing;
use crate::member::Member;
use crate::refused::Refused;
use crate::ride::{Ride, apart};
use crate::state::State;
use navmap_query::NavIndex;

/// Moves those who are on a leg.
pub(crate) fn ride(crowd: &mut State, index: &NavIndex, seconds: f32) {
    for member in crowd.members.iter_mut().filter(|member| member.alive) {
        let Some(ride) = &mut member.ride else { continue };
        ride.done += member.body.leg_speed * seconds;
        if ride.share() < 1.0 {
            (member.at, member.velocity) = (ride.at(), [0.0; 2]);
            member.doing = Doing::OnLeg { kind: ride.kind, share: ride.share() };
            continue;
        }
        member.ride = None;
        member.at = index.plan(member.corridor.position());
        member.doing = if member.goal.is_some() { Doing::Walking } else { Doing::Standing };
        (member.mark, member.idle, member.wall) = ([member.at[0], member.at[1]], 0.0, None);
    }
}

/// Whether two legs are the same, in the same direction or in the other.
fn same(a: [[f32; 3]; 2], b: [[f32; 3]; 2], room: f32) -> Option<bool> {
    let near = |p, q| apart(p, q) <= room;
    if near(a[0], b[0]) && near(a[1], b[1]) {
        Some(true)
    } else if near(a[0], b[1]) && near(a[1], b[0]) {
        Some(false)
    } else {
        None
    }
}

/// Whether somebody else is on a leg, or has waited for it longer.
fn is_taken(members: &[Member], me: usize, ends: [[f32; 3]; 2], since: u64) -> bool {
    let room = members[me].body.radius;
    members.iter().enumerate().any(|(slot, other)| {
        if !other.alive || slot == me {
            return false;
        }
        if let Some(ride) = &other.ride {
            let far = 2.5 * (room + other.body.radius);
            return match same([ride.points[1], ride.points[2]], ends, room) {
                Some(true) => ride.done < far.min(ride.length),
                Some(false) => true,
                None => false,
            };
        }
        other.waits.is_some_and(|(theirs, theirs_since)| {
            same(theirs, ends, room).is_some() && (theirs_since, slot) < (since, me)
        })
    })
}

/// Has an agent that stands at a leg get on, or wait for it. Whether it does either.
pub(crate) fn begin(crowd: &mut State, index: &NavIndex, me: usize) -> Result<bool, Refused> {
    let Some(leg) = crowd.members[me].corridor.next_leg(index)? else {
        let member = &mut crowd.members[me];
        if member.waits.take().is_some() {
            member.doing = Doing::Walking;
        }
        return Ok(false);
    };
    let ends = [index.plan(leg.begins), index.plan(leg.ends)];
    let since = crowd.members[me].waits.map_or(crowd.ticks, |(_, since)| since);
    if is_taken(&crowd.members, me, ends, since) {
        let member = &mut crowd.members[me];
        (member.waits, member.doing) = (Some((ends, since)), Doing::Waiting);
        return Ok(true);
    }
    let member = &mut crowd.members[me];
    if let Some(leg) = member.corridor.take_leg(index)? {
        let ride = Ride::new(member.at, index, &leg);
        member.doing = Doing::OnLeg { kind: ride.kind, share: 0.0 };
        (member.ride, member.waits, member.velocity) = (Some(ride), None, [0.0; 2]);
    }
    Ok(true)
}
