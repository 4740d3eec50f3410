//! Who gets no nearer to its goal: it goes slowly, and in the end says so.

use crate::agent::Doing;
use crate::flat::{length, of, sub};
use crate::member::Member;
use crate::refused::Refused;
use crate::state::State;
use navmap_query::NavIndex;

/// What is left of its way is measured once in so many ticks.
const TURNS: u64 = 64;
/// After how many seconds of walking without getting nearer an agent goes slowly, as a share of its speed.
const CARE: f32 = 5.0;
const SLOW: f32 = 0.3;
/// After how many it gives up: these, and so many times those that what is left takes at its speed.
const LONG: f32 = 30.0;
const TIMES: f32 = 4.0;
/// How often a way to one goal may get longer.
const LONGER: u8 = 8;
/// How near others are who hold it up, as a share of what both take.
const CLOSE: f32 = 1.5;

/// How near to its goal an agent has come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Late {
    /// The least length that was left of its way.
    least: f32,
    /// How many seconds it has walked since then with nobody close, and since it was last measured.
    seconds: f32,
    since: f32,
    /// Whether its way is another one since, and how often that was longer. A cheaper way may be: that is no going back, unless it
    /// happens over and over.
    other_way: bool,
    longer: u8,
}

impl Late {
    /// Somebody with a new goal, or a way that may be longer than before.
    pub(crate) const NEW: Self =
        Self { least: f32::INFINITY, seconds: 0.0, since: 0.0, other_way: false, longer: 0 };

    pub(crate) fn walks(&mut self, seconds: f32) {
        self.since += seconds;
    }

    /// Notes that a cheaper way was found.
    pub(crate) fn takes_other_way(&mut self) {
        self.other_way = true;
    }

    /// The share of its speed at which an agent goes.
    pub(crate) fn pace(&self) -> f32 {
        if self.is_careful() { SLOW } else { 1.0 }
    }

    /// Whether it goes slowly. Who runs past the same corners over and over does not at a walk.
    pub(crate) fn is_careful(&self) -> bool {
        self.seconds > CARE
    }
}

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
        if std::mem::take(&mut late.other_way) && left > late.least && late.longer < LONGER {
            (late.least, late.longer) = (left, late.longer + 1);
        }
        if left + member.body.radius < late.least {
            (late.least, late.seconds) = (left, 0.0);
        } else if !is_held_up {
            late.seconds += since;
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
