//! Steps of GoldSrc: lines of sight, and the ground under them. `docs/formats/source-generate.md`, section 2.

use super::super::geometry::{STEP, minus};
use super::nodes::{Node, Obstacle, corner, moved, snap};
use super::sample::Step;
use super::walk::Walker;
use crate::flags::Direction;

/// The spacing of ground tests along a step.
const INCREMENT: f32 = 2.0;
/// The z of the normal of the steepest walkable ground.
const SLOPE: f32 = 0.7;
/// The amount by which a rise may exceed a jump.
const SLACK: f32 = 0.1;
/// The lowest height, and the spacing, of the lines that test the room for a human up to a little below his height.
const FEET: f32 = 5.0;
const HALF_WIDTH: f32 = 16.0;

impl Walker<'_> {
    /// A step of GoldSrc.
    pub(super) fn gold_step(&self, node: &Node, direction: Direction) -> Option<Step> {
        let [fx, fy, fz] = node.at;
        let [x, y, _] = moved([snap(fx), snap(fy), fz], direction, STEP);
        let floor = self.map.floor([x, y, fz])?;
        let (from, to) = (node.at, [x, y, floor.z]);
        let raised = |[x, y, z]: [f32; 3]| [x, y, z + self.rules.half_human];
        let way = self.way(raised(from), raised(to));
        let walks = match way.is_free() {
            true => {
                let rise = floor.z - fz;
                rise <= self.rules.jump_crouch + SLACK
                    && -rise <= self.rules.death_drop
                    && self.is_gentle(from, to)
            }
            false => way.opens,
        };
        let step = Step { at: to, normal: floor.normal, obstacle: Obstacle::FREE, on_displacement: false };
        walks.then_some(step)
    }

    /// Whether the ground between two points is nowhere too steep.
    pub(super) fn is_gentle(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        let [dx, dy, dz] = minus(to, from);
        // One of the two is zero.
        let length = dx.abs().max(dy.abs());
        let [fx, fy, fz] = from;
        let between = (1..).map(|step: u16| INCREMENT * f32::from(step)).take_while(|along| *along < length);
        let points = between.map(|along| {
            let part = along / length;
            [fx + dx * part, fy + dy * part, fz + dz * part]
        });
        let gentle = |point| self.map.slope(point).is_some_and(|up| up >= SLOPE);
        points.chain([to]).all(gentle)
    }

    /// Whether one has to crouch at a point.
    pub(super) fn gold_crouch(&self, [x, y, z]: [f32; 3]) -> u8 {
        let offsets = [-HALF_WIDTH, 0.0, HALF_WIDTH];
        let line = |dx: f32, dy: f32| {
            let top = z + (self.rules.human - 0.1);
            self.way([x + dx, y + dy, z + FEET], [x + dx, y + dy, top]).trace.fraction < 1.0
        };
        let low = offsets.iter().any(|dy| offsets.iter().any(|dx| line(*dx, *dy)));
        if low { corner::ALL } else { 0 }
    }
}
