//! Moves everybody along the surface.

use crate::flat::{Flat, add, at_most, length, of, scale, sub};
use crate::refused::Refused;
use crate::state::State;
use crate::steer;
use navmap_query::NavIndex;

/// How often those who overlap are pushed apart in a tick, and how much of the overlap each time.
const ROUNDS: usize = 2;
const SHARE: f32 = 0.35;

/// Moves everybody by its next velocity, pushes apart who overlaps, and keeps all on the mesh.
pub(crate) fn step(crowd: &mut State, index: &NavIndex, seconds: f32) -> Result<(), Refused> {
    for member in &mut crowd.members {
        // Who got on a leg has spent the rest of the move there.
        let left = seconds - std::mem::take(&mut member.spent);
        if member.on_ground() {
            member.to = add(of(member.at), scale(member.next, left));
        }
    }
    for _ in 0..ROUNDS {
        // All are pushed by where all were, so the order of agents plays no part.
        for me in 0..crowd.members.len() {
            let member = &crowd.members[me];
            if !member.on_ground() {
                continue;
            }
            let mut push: Flat = [0.0; 2];
            for &slot in member.neighbours() {
                let other = &crowd.members[slot as usize];
                if !other.on_ground() {
                    continue;
                }
                let way = sub(member.to, other.to);
                let (far, touch) = (length(way), member.body.radius + other.body.radius);
                if far >= touch {
                    continue;
                }
                // Two in one place go apart along a line that both know.
                let out = if far > 1e-4 {
                    scale(way, 1.0 / far)
                } else if me < slot as usize {
                    [1.0, 0.0]
                } else {
                    [-1.0, 0.0]
                };
                push = add(push, scale(out, (touch - far) * SHARE));
            }
            crowd.members[me].near_push = push;
        }
        for member in crowd.members.iter_mut().filter(|member| member.on_ground()) {
            member.to = add(member.to, at_most(member.near_push, member.body.radius));
        }
    }
    for member in crowd.members.iter_mut().filter(|member| member.on_ground()) {
        let before = member.at;
        let to = index.unplan([member.to[0], member.to[1], before[2]]);
        let moved = member.to != of(before);
        if moved {
            let slide = member.corridor.advance(index, to)?;
            member.at = index.plan(slide.point);
        }
        // A wall takes the part of the velocity that leads into it.
        let real = scale(sub(of(member.at), of(before)), 1.0 / seconds);
        member.velocity = if moved && length(sub(member.to, of(member.at))) > 1e-3 {
            at_most(real, member.body.speed)
        } else {
            member.next
        };
        steer::note(member, seconds);
    }
    Ok(())
}
