//! Whether ways are still what they were.

use crate::agent::Doing;
use crate::late::Late;
use crate::refused::Refused;
use crate::state::State;
use navmap_query::{NavIndex, Query};

/// Each way is looked at once in so many ticks.
const TURNS: u64 = 8;
/// How many steps ahead.
pub(crate) const AHEAD: usize = 16;

/// Has ways searched again whose next steps are no longer permitted.
pub(crate) fn check(crowd: &mut State, index: &NavIndex, query: &Query<'_>) -> Result<(), Refused> {
    let turn = crowd.turns % TURNS;
    for (slot, member) in (0u64..).zip(&mut crowd.members) {
        let follows = member.alive && matches!(member.doing, Doing::Walking | Doing::Waiting);
        if follows
            && slot % TURNS == turn
            && !member.wants
            && !member.corridor.is_valid(index, query, AHEAD)?
        {
            (member.wants, member.late) = (true, Late::NEW);
        }
    }
    Ok(())
}
