//! Who gets no nearer to its goal goes slowly, and in the end says so.

use crate::agent::Doing;
use crate::flat::{length, of, sub};
use crate::member::Member;
use crate::refused::Refused;
use crate::state::State;
use navmap_query::NavIndex;

/// What is left of its way is measured once in so many ticks.
const TURNS: u64 = 64;
/// After how many it gives up: these, and so many times those that what is left takes at its speed.
const LONG: f32 = 30.0;
const TIMES: f32 = 4.0;
/// How often a way to one goal may get longer.
const LONGER: u8 = 8;
/// How near others are who hold it up, as a share of what both take.
const CLOSE: f32 = 1.5;

/// Has those give up who do not get nearer to their goal, whatever the reason.
pub(crate) fn check(crowd: &mut State, index: &NavIndex) -> Result<(), Refused> {
    let turn = crowd.ticks % TURNS;
    for me in (turn as usize..crowd.members.len()).step_by(TURNS as usize) {
        let member = &crowd.members[me];
        if !member.on_ground() || member.doing != Doing::Walking {
            continue;
        }
        let (mut left, mut from) = (0.0, member.corridor.position());
        member.corridor.each_corner(index, usize::MAX, |corner| {
            left += corner.point.distance(from);
            from = corner.point;
        })?;
        let is_held_up = is_close_to_others(crowd, me);
        let member = &mut crowd.members[me];
        let late = &mut member.late;
        let since = std::mem::take(&mut late.since);
        let is_longer = left > late.least + member.body.radius;
        if std::mem::take(&mut late.other_way) && is_longer && late.longer < LONGER {
            (late.least, late.longer) = (left, late.longer + 1);
        }
        if left + member.body.radius < late.least {
            (late.least, late.seconds) = (left, 0.0);
        } else if !is_held_up {
            // Who takes long for its own radius has so much more time.
            late.seconds += since / (member.body.radius / member.body.speed).max(1.0);
        }
        if late.seconds > LONG + TIMES * left / member.body.speed {
            member.give_up(index)?;
        }
    }
    Ok(())
}

fn is_close_to_others(crowd: &State, me: usize) -> bool {
    let member = &crowd.members[me];
    let close = |other: &Member| {
        let room = (member.body.radius + other.body.radius) * CLOSE;
        length(sub(of(other.at), of(member.at))) <= room
    };
    member.neighbours().iter().any(|&slot| close(&crowd.members[slot as usize]))
}
