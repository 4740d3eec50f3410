//! Searches the ways of those who want one, within a budget for each tick.

use crate::agent::Doing;
use crate::go::AHEAD;
use crate::refused::Refused;
use crate::state::State;
use navmap_query::{NavIndex, Outcome, Query, Repair};

/// Searches in the order of slots, from the one after the last that was served, until the budget is spent.
pub(crate) fn search(state: &mut State, index: &NavIndex, query: &Query<'_>) -> Result<(), Refused> {
    let mut left = state.searches.pops;
    let count = state.members.len();
    for _ in 0..count {
        if left == 0 {
            break;
        }
        let found = match state.searches.running.take() {
            Some((slot, life)) if wants(state, slot, life) => {
                let before = state.searches.scratch.pops();
                let outcome = state.searches.scratch.resume(index, &query.with_max_pops(left))?;
                Some((slot, outcome, before))
            }
            _ => begin(state, index, &query.with_max_pops(left))?,
        };
        let Some((slot, outcome, before)) = found else { break };
        // A search that is known to be hopeless costs something too.
        let spent = state.searches.scratch.pops().saturating_sub(before).max(8);
        left = left.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX));
        if outcome == Outcome::Unfinished {
            state.searches.running = Some((slot, state.members[slot].life));
            break;
        }
        take(state, index, slot, outcome, query, before > 0)?;
    }
    Ok(())
}

fn wants(state: &State, slot: usize, life: u32) -> bool {
    state.members.get(slot).is_some_and(|member| {
        member.alive && member.life == life && member.wants && member.ride.is_none() && member.goal.is_some()
    })
}

/// Begins the search of the next who wants one.
fn begin(
    state: &mut State,
    index: &NavIndex,
    query: &Query<'_>,
) -> Result<Option<(usize, Outcome, u64)>, Refused> {
    let count = state.members.len();
    let next = (0..count).map(|at| (state.searches.next + at) % count);
    let Some(slot) = { next }.find(|&slot| wants(state, slot, state.members[slot].life)) else {
        return Ok(None);
    };
    state.searches.next = slot + 1;
    let member = &state.members[slot];
    let (Some((area, goal)), Some(from)) = (member.goal, member.corridor.area()) else { return Ok(None) };
    let outcome = state.searches.scratch.path(index, from, (area, goal), query)?;
    Ok(Some((slot, outcome, 0)))
}

/// Gives an agent what was found, in this tick or by a search that was `resumed`.
fn take(
    state: &mut State,
    index: &NavIndex,
    slot: usize,
    outcome: Outcome,
    query: &Query<'_>,
    resumed: bool,
) -> Result<(), Refused> {
    let member = &mut state.members[slot];
    member.wants = false;
    member.short = matches!(outcome, Outcome::Partial { .. });
    let Some((_, goal)) = member.goal else { return Ok(()) };
    if !matches!(outcome, Outcome::Found { .. } | Outcome::Partial { .. }) {
        return member.give_up(index);
    }
    let at = member.corridor.position();
    let from = member.corridor.area();
    member.corridor.follow(index, &state.searches.scratch, at, goal)?;
    // What closed while its way was searched is seen before it goes there.
    let closed = resumed && !member.corridor.is_valid(index, query, AHEAD)?;
    // It has gone on while its way was searched.
    if closed
        || from != member.corridor.area()
            && member.corridor.repair(index, &mut state.scratch, at, query)? == Repair::Lost
    {
        if let Some(area) = from {
            member.corridor.stand(index, area, at)?;
        }
        member.want();
        return Ok(());
    }
    // It may be longer than the one before.
    member.late.takes_other_way();
    (member.doing, member.waits) = (Doing::Walking, None);
    (member.mark, member.idle) = ([member.at[0], member.at[1]], 0.0);
    Ok(())
}
