//! The velocity nearest to a wanted one that hits nobody: optimal reciprocal collision avoidance.
//!
//! Each neighbour allows a half of all velocities, as in van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision
//! Avoidance" (2011); the nearest velocity that all of them allow is found side by side. If there is none, that which is least
//! forbidden. It has its own code because the crate `dodgy_2d` allocates in every call and draws random numbers where two agents
//! have one velocity, so that a run could not be repeated.

use crate::flat::{Flat, add, at_most, det, dot, length, scale, sub, unit};

/// The most half-planes of one agent.
pub(crate) const MOST: usize = 12;

/// The velocities on the left of a line.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Half {
    point: Flat,
    /// Length 1.
    along: Flat,
}

/// What is known of an agent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Disc {
    pub(crate) at: Flat,
    pub(crate) velocity: Flat,
    pub(crate) radius: f32,
}

/// The half-planes of one agent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Halves {
    halves: [Half; MOST],
    count: usize,
    /// The first of them are walls, which give way to nobody.
    walls: usize,
}

impl Half {
    /// How far a velocity is beyond the line.
    fn beyond(&self, v: Flat) -> f32 {
        det(self.along, sub(self.point, v))
    }
}

impl Halves {
    fn push(&mut self, half: Half) {
        if let Some(to) = self.halves.get_mut(self.count) {
            *to = half;
            self.count += 1;
        }
    }

    /// Keeps away from a wall whose closest point is in this direction. Walls come before neighbours.
    pub(crate) fn wall(&mut self, toward: Flat, horizon: f32) {
        let far = length(toward);
        // Who stands at a wall slides along it anyway.
        if far > 1e-4 {
            let away = scale(toward, -1.0 / far);
            self.push(Half { point: scale(toward, 1.0 / horizon), along: [away[1], -away[0]] });
            self.walls = self.count;
        }
    }

    /// Makes room for a neighbour, as much as this share of what is needed, so that both do not meet within `horizon` seconds.
    pub(crate) fn neighbour(&mut self, me: &Disc, other: &Disc, share: f32, horizon: f32, tick: f32) {
        let way = sub(other.at, me.at);
        let speed = sub(me.velocity, other.velocity);
        let (apart2, touch) = (dot(way, way), me.radius + other.radius);
        let (along, change);
        if apart2 > touch * touch {
            let off = sub(speed, scale(way, 1.0 / horizon));
            let (off2, ahead) = (dot(off, off), dot(off, way));
            if ahead < 0.0 && ahead * ahead > touch * touch * off2 {
                // Nearest to the round end of the velocities that collide.
                let long = off2.sqrt();
                let out = unit(off);
                along = [out[1], -out[0]];
                change = scale(out, touch / horizon - long);
            } else {
                // Nearest to one of its sides.
                let side = (apart2 - touch * touch).sqrt();
                along = if det(way, off) > 0.0 {
                    scale([way[0] * side - way[1] * touch, way[0] * touch + way[1] * side], 1.0 / apart2)
                } else {
                    scale([way[0] * side + way[1] * touch, way[1] * side - way[0] * touch], -1.0 / apart2)
                };
                change = sub(scale(along, dot(speed, along)), speed);
            }
        } else {
            // They touch: apart within this tick.
            let off = sub(speed, scale(way, 1.0 / tick));
            let long = length(off);
            let out = if long > 1e-6 { scale(off, 1.0 / long) } else { [1.0, 0.0] };
            along = [out[1], -out[0]];
            change = scale(out, touch / tick - long);
        }
        self.push(Half { point: add(me.velocity, scale(change, share)), along });
    }

    /// The velocity nearest to the wanted one.
    pub(crate) fn nearest(&self, wanted: Flat, most: f32) -> Flat {
        let halves = self.halves.get(..self.count).unwrap_or_default();
        match solve(halves, most, wanted, false) {
            Ok(velocity) => velocity,
            Err((at, velocity)) => self.least_bad(at, most, velocity),
        }
    }

    /// Where no velocity is allowed by all: one that walls allow, and that is least far beyond the lines of neighbours.
    fn least_bad(&self, first: usize, most: f32, velocity: Flat) -> Flat {
        let halves = self.halves.get(..self.count).unwrap_or_default();
        let (mut best, mut worst) = (velocity, 0.0);
        for (at, half) in halves.iter().enumerate().skip(first) {
            if half.beyond(best) <= worst {
                continue;
            }
            // Lines on which one is as far beyond this one as beyond each before it.
            let mut lines = [Half::default(); MOST];
            let walls = self.walls.min(at);
            lines[..walls].copy_from_slice(&halves[..walls]);
            let mut count = walls;
            for other in halves.iter().take(at).skip(walls) {
                let across = det(half.along, other.along);
                let point = if across.abs() <= 1e-5 {
                    if dot(half.along, other.along) > 0.0 {
                        continue;
                    }
                    scale(add(half.point, other.point), 0.5)
                } else {
                    let share = det(other.along, sub(half.point, other.point)) / across;
                    add(half.point, scale(half.along, share))
                };
                lines[count] = Half { point, along: unit(sub(other.along, half.along)) };
                count += 1;
            }
            let inward = [-half.along[1], half.along[0]];
            if let Ok(found) = solve(&lines[..count], most, inward, true) {
                best = found;
            }
            worst = half.beyond(best);
        }
        best
    }
}

/// The velocity of at most this length that is allowed by all and nearest to the wanted one, or farthest in its direction. If there
/// is none, the number of the first half-plane that leaves nothing, and the velocity before it.
fn solve(halves: &[Half], most: f32, wanted: Flat, direction: bool) -> Result<Flat, (usize, Flat)> {
    let mut best = if direction { scale(wanted, most) } else { at_most(wanted, most) };
    for (at, half) in halves.iter().enumerate() {
        if half.beyond(best) > 0.0 {
            best = on_line(halves, at, most, wanted, direction).ok_or((at, best))?;
        }
    }
    Ok(best)
}

/// The same on the line of one half-plane, under all before it.
fn on_line(halves: &[Half], at: usize, most: f32, wanted: Flat, direction: bool) -> Option<Flat> {
    let line = halves.get(at)?;
    let middle = dot(line.point, line.along);
    let root = middle * middle + most * most - dot(line.point, line.point);
    if root < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-middle - root.sqrt(), -middle + root.sqrt());
    for other in halves.get(..at)? {
        let across = det(line.along, other.along);
        let beside = det(other.along, sub(line.point, other.point));
        if across.abs() <= 1e-5 {
            if beside < 0.0 {
                return None;
            }
            continue;
        }
        let meets = beside / across;
        if across >= 0.0 {
            high = high.min(meets);
        } else {
            low = low.max(meets);
        }
        if low > high {
            return None;
        }
    }
    let share = if direction {
        if dot(wanted, line.along) > 0.0 { high } else { low }
    } else {
        // Not `clamp`, which minds an end that is no number, as places of a damaged mesh make it.
        dot(line.along, sub(wanted, line.point)).max(low).min(high)
    };
    Some(add(line.point, scale(line.along, share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best of many velocities.
    fn by_brute_force(halves: &Halves, wanted: Flat, most: f32) -> Option<f32> {
        let mut best: Option<f32> = None;
        for ring in 0..=60 {
            for turn in 0..180 {
                let (sin, cos) = (turn as f32 * std::f32::consts::TAU / 180.0).sin_cos();
                let v = scale([cos, sin], most * ring as f32 / 60.0);
                if halves.halves[..halves.count].iter().all(|half| half.beyond(v) <= 1e-3) {
                    let off = length(sub(v, wanted));
                    best = Some(best.map_or(off, |best| best.min(off)));
                }
            }
        }
        best
    }

    #[test]
    fn no_velocity_of_many_is_nearer_to_the_wanted_one() {
        let mut seed = 9u64;
        let mut random = |low: f32, high: f32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            low + (high - low) * ((seed >> 40) as f32 / (1 << 24) as f32)
        };
        let (mut solved, mut hopeless) = (0, 0);
        for round in 0..400 {
            let mut halves = Halves::default();
            let me = Disc { at: [0.0; 2], velocity: [random(-3.0, 3.0), random(-3.0, 3.0)], radius: 0.5 };
            if round % 3 == 0 {
                halves.wall([random(-1.0, 1.0), random(-1.0, 1.0)], 0.5);
            }
            for _ in 0..round % 7 {
                let at = [random(-4.0, 4.0), random(-4.0, 4.0)];
                let velocity = [random(-3.0, 3.0), random(-3.0, 3.0)];
                halves.neighbour(&me, &Disc { at, velocity, radius: 0.5 }, 0.5, 2.0, 0.05);
            }
            let wanted = [random(-3.0, 3.0), random(-3.0, 3.0)];
            let found = halves.nearest(wanted, 3.5);
            assert!(length(found) <= 3.5 * 1.001, "{found:?}");
            match by_brute_force(&halves, wanted, 3.5) {
                Some(best) => {
                    let worst =
                        halves.halves[..halves.count].iter().map(|h| h.beyond(found)).fold(0.0, f32::max);
                    assert!(worst < 0.02, "round {round}: {worst} beyond");
                    assert!(length(sub(found, wanted)) <= best + 0.02, "round {round}");
                    solved += 1;
                }
                None => hopeless += 1,
            }
        }
        assert!(solved > 200 && hopeless > 5, "{solved} solved, {hopeless} hopeless");
    }

    #[test]
    fn two_who_walk_into_each_other_pass() {
        let mut discs = [
            Disc { at: [-5.0, 0.0], velocity: [0.0; 2], radius: 0.5 },
            Disc { at: [5.0, 0.05], velocity: [0.0; 2], radius: 0.5 },
        ];
        let mut least = f32::INFINITY;
        for _ in 0..400 {
            let new = [0, 1].map(|i| {
                let mut halves = Halves::default();
                halves.neighbour(&discs[i], &discs[1 - i], 0.5, 2.0, 0.05);
                halves.nearest([[2.0, 0.0], [-2.0, 0.0]][i], 2.0)
            });
            for (disc, velocity) in discs.iter_mut().zip(new) {
                disc.velocity = velocity;
                disc.at = add(disc.at, scale(velocity, 0.05));
            }
            least = least.min(length(sub(discs[0].at, discs[1].at)));
        }
        assert!(discs[0].at[0] > 5.0 && discs[1].at[0] < -5.0, "{discs:?}");
        assert!(least > 0.99, "{least}");
    }
}
