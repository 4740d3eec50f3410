//! How an agent gets round a corner.

use crate::agent::Body;
use crate::flat::{Flat, add, det, dot, length, of, scale, sub, unit};
use crate::member::Member;
use crate::refused::Refused;
use navmap_query::{Corner, CornerFlags, NavIndex};

/// How many radii beyond a corner an agent may still brake.
const WIDE: f32 = 1.25;
/// How many radii wide a way is at most that counts as a line.
const LINE: f32 = 0.25;

/// Where an agent goes on its way to a corner: not straight to the end of the portal, where everybody else goes, but a body's breadth
/// inside.
pub(crate) fn aim(member: &mut Member, index: &NavIndex, next: &Corner) -> Flat {
    let [target, left, right] = [next.point, next.portal.left, next.portal.right].map(|p| of(index.plan(p)));
    let across = sub(if left == target { right } else { left }, target);
    let wide = length(across);
    // Where areas meet in a point, one gets through only along the wall.
    if wide == 0.0 {
        member.wall = None;
    }
    if wide == 0.0 || next.is(CornerFlags::LEG) || member.late.is_careful() {
        return target;
    }
    let most = (member.body.radius * 0.5 / wide).min(0.5);
    if !member.neighbours().is_empty() {
        return add(target, scale(across, most));
    }
    // Whoever is alone would do the same for ever. A wall may go back on the other side of its end, and the portal lie behind it: round
    // the end first. And who is nearer to the end than that does not turn back for it.
    let way = sub(target, of(member.at));
    let is_behind = if left == target { det(way, across) >= 0.0 } else { det(way, across) <= 0.0 };
    let aside = -dot(way, across) / (wide * wide);
    match aside {
        _ if is_behind => target,
        aside if aside > 0.0 => add(target, scale(across, aside.min(most))),
        _ => add(target, scale(across, most)),
    }
}

/// Whether an agent gets in this move to a corner between ways as narrow as a line, such as waypoints without a radius. It would
/// hardly ever hit the point from which one gets on, and run past it and back for ever.
pub(crate) fn goes_through(member: &Member, index: &NavIndex, next: &Corner, seconds: f32) -> bool {
    let [point, left, right] = [next.point, next.portal.left, next.portal.right].map(|p| of(index.plan(p)));
    let (body, far) = (&member.body, length(sub(point, of(member.at))));
    let ends = next.is(CornerFlags::END | CornerFlags::LEG);
    let walks = if is_wide(member, index, next, far) {
        (body.speed * seconds).max(body.radius * LINE)
    } else {
        length(member.velocity).max(body.acceleration * seconds) * seconds
    };
    !ends && length(sub(right, left)) <= body.radius * LINE && far <= walks
}

/// Whether an agent need not stand on a corner to go on from there: on the disc of a waypoint, and where others are near on any ground
/// that has sides, since they may stand there, and do not leave it where it is.
fn is_wide(member: &Member, index: &NavIndex, next: &Corner, far: f32) -> bool {
    index.radius(next.area).map_or(!member.neighbours().is_empty(), |radius| far <= radius)
}

/// Takes an agent past the next corner, and gives those behind it. Where the ways are too narrow to get on from beside it, the agent
/// walks to the corner itself and turns there, and what is left of the move leads on.
pub(crate) fn go_through(
    member: &mut Member,
    index: &NavIndex,
    corners: &mut [Corner; 2],
    seconds: f32,
) -> Result<usize, Refused> {
    let before = of(member.at);
    let here = index.plan(member.corridor.advance(index, corners[0].point)?.point);
    if is_wide(member, index, &corners[0], length(sub(of(here), before))) {
        return Ok(member.corridor.corners(index, corners)?);
    }
    // Over the edge of a gap that is walked over one gets to the other side.
    let lands = corners[1].kind.is_none() && corners[1].step == corners[0].step + 1;
    let lands = Some(corners[1]).filter(|next| lands && !next.is(CornerFlags::END));
    member.at = match lands {
        Some(next) => index.plan(member.corridor.advance(index, next.point)?.point),
        None => here,
    };
    let count = member.corridor.corners(index, corners)?;
    let far = length(sub(of(member.at), before));
    member.spent = if far > 0.0 { (far / length(member.velocity)).min(seconds) } else { 0.0 };
    if count > 0 {
        let on = unit(sub(of(index.plan(corners[0].point)), of(member.at)));
        member.velocity = scale(on, dot(member.velocity, on).max(0.0));
    }
    Ok(count)
}

/// How fast an agent goes on its way to a corner so that it gets round it, and then round the next one: who is faster than a person,
/// or is moved in long ticks, would run past it and back for ever.
pub(crate) fn pace(body: &Body, way: Flat, after: Flat, seconds: f32) -> f32 {
    let brakes =
        |speed: f32, far: f32| (speed * speed + 2.0 * body.acceleration * (far + body.radius * WIDE)).sqrt();
    let (far, next) = (length(way), length(after));
    let straight = body.speed * dot(unit(way), unit(after)).max(0.0);
    let turns = straight.min(brakes(0.0, next));
    body.speed.min(brakes(turns, far)).min((far + body.radius) / seconds)
}
