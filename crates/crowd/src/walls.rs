//! Where the nearest wall is.

use crate::flat::{of, sub};
use crate::state::State;
use navmap_query::NavIndex;

/// Each agent looks for walls once in so many ticks. Meanwhile it knows where the last one was.
const TURNS: u64 = 4;
/// How many seconds ahead walls matter.
pub(crate) const HORIZON: f32 = 0.4;

/// Looks for the nearest walls.
pub(crate) fn look(crowd: &mut State, index: &NavIndex) {
    let turn = crowd.ticks % TURNS;
    for (slot, member) in (0u64..).zip(&mut crowd.members) {
        // Who has room on all sides needs no wall.
        if !member.on_ground() || slot % TURNS != turn {
            continue;
        }
        let reach = member.body.speed * HORIZON;
        let at = member.corridor.position();
        let area = member.corridor.area().filter(|_| member.near_count > 0);
        let wall = area.and_then(|area| index.wall(area, at, reach));
        member.wall = wall.map(|wall| of(index.plan(wall.point)));
    }
}

/// The way from a point to a wall that was seen.
pub(crate) fn toward(wall: crate::flat::Flat, at: [f32; 3]) -> crate::flat::Flat {
    sub(wall, of(at))
}
