//! Position and rotation of a brush entity.

use super::entity::Entity;
use super::lumps::Engine;
use super::trace::{Sweep, dot, minus};

type Vec3 = [f32; 3];

/// Transforms from the space of a model into the world and back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placed {
    origin: Vec3,
    /// The model's forward, left and up in the world; `None` without rotation.
    turn: Option<[Vec3; 3]>,
}

impl Placed {
    /// The placement of an entity when the map begins. `angles` (pitch, yaw and roll in degrees) apply only if the game keeps
    /// them: many classes read them as a direction of movement, or clear them.
    pub(super) fn from_entity(engine: Engine, class: &str, entity: &Entity) -> Self {
        let [pitch, yaw, roll] = match turns(engine, class) {
            true => entity.vector("angles").unwrap_or_default(),
            false => [0.0; 3],
        };
        Self::at(entity.origin(), [pitch, yaw, roll])
    }

    /// A placement by origin and by pitch, yaw and roll in degrees.
    pub(super) fn at(origin: Vec3, angles: Vec3) -> Self {
        if angles == [0.0; 3] {
            return Self { origin, turn: None };
        }
        let [(sp, cp), (sy, cy), (sr, cr)] = angles.map(|degrees| f64::from(degrees).to_radians().sin_cos());
        let forward = [cp * cy, cp * sy, -sp];
        let left = [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp];
        let up = [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp];
        Self { origin, turn: Some([forward, left, up].map(|axis| axis.map(|part| part as f32))) }
    }

    /// Transforms a point of the world to the model's space.
    pub(super) fn inside(&self, point: Vec3) -> Vec3 {
        let from = minus(point, self.origin);
        self.turn.map_or(from, |axes| axes.map(|axis| dot(axis, from)))
    }

    /// Transforms a direction of the model to the world.
    pub(super) fn turned_out(&self, direction: Vec3) -> Vec3 {
        let Some([forward, left, up]) = self.turn else { return direction };
        let [a, b, c] = direction;
        let each = forward.into_iter().zip(left).zip(up);
        let mut parts = each.map(|((forward, left), up)| a * forward + b * left + c * up);
        [(); 3].map(|()| parts.next().unwrap_or_default())
    }

    /// Transforms a point of the model to the world.
    pub(super) fn out(&self, point: Vec3) -> Vec3 {
        let [ox, oy, oz] = self.origin;
        let [x, y, z] = self.turned_out(point);
        [x + ox, y + oy, z + oz]
    }

    /// The same trace in the space of the model. As in the engines, a box rotates with the model, about its own middle.
    pub(super) fn sweep(&self, sweep: &Sweep) -> Sweep {
        if self.turn.is_none() {
            return sweep.shifted(self.origin);
        }
        let mut each = sweep.low.into_iter().zip(sweep.high).map(|(low, high)| 0.5 * (low + high));
        let middle = [(); 3].map(|()| each.next().unwrap_or_default());
        let plus = |point: Vec3| {
            let mut parts = point.into_iter().zip(middle).map(|(part, middle)| part + middle);
            [(); 3].map(|()| parts.next().unwrap_or_default())
        };
        let (from, to) = (self.inside(plus(sweep.from)), self.inside(plus(sweep.to)));
        Sweep { from, to, low: minus(sweep.low, middle), high: minus(sweep.high, middle), mask: sweep.mask }
    }

    /// The box in the world around a box of the model.
    pub(super) fn around(&self, [low, high]: [Vec3; 2]) -> [Vec3; 2] {
        let choose = |corner: usize| {
            let mut axis = 0_u32;
            let mut parts = low.into_iter().zip(high).map(|(low, high)| {
                let upper = corner >> axis & 1 == 1;
                axis = axis.saturating_add(1);
                if upper { high } else { low }
            });
            [(); 3].map(|()| parts.next().unwrap_or_default())
        };
        let corners = (0..8).map(|corner| self.out(choose(corner)));
        let none = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        corners.fold(none, |[low, high], corner| {
            let each = |pick: fn(f32, f32) -> f32, of: Vec3| {
                let mut parts = of.into_iter().zip(corner).map(|(a, b)| pick(a, b));
                [(); 3].map(|()| parts.next().unwrap_or_default())
            };
            [each(f32::min, low), each(f32::max, high)]
        })
    }
}

/// Whether a class keeps its angles as a rotation. The others move along them, and are not rotated.
fn turns(engine: Engine, class: &str) -> bool {
    match engine {
        Engine::GoldSrc => ["func_door_rotating", "func_rotating", "func_rot_button", "momentary_rot_button"]
            .contains(&class),
        Engine::Source => {
            !["func_wall", "func_wall_toggle", "func_conveyor", "func_breakable", "func_breakable_surf"]
                .contains(&class)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_there_and_back_is_none_and_yaw_turns_east_to_south() {
        let placed = Placed::at([10.0, 20.0, 30.0], [0.0, 90.0, 0.0]);
        let at = placed.out([1.0, 0.0, 0.0]);
        assert!((at[0] - 10.0).abs() < 1e-5 && (at[1] - 21.0).abs() < 1e-5 && at[2] == 30.0, "{at:?}");
        let pitched = Placed::at([0.0; 3], [90.0, 0.0, 0.0]).out([1.0, 0.0, 0.0]);
        assert!((pitched[2] + 1.0).abs() < 1e-5, "a positive pitch looks down: {pitched:?}");
        let odd = Placed::at([1.0, -2.0, 3.0], [20.0, 130.0, -45.0]);
        let back = odd.inside(odd.out([5.0, 6.0, 7.0]));
        for (part, whole) in back.into_iter().zip([5.0, 6.0, 7.0]) {
            assert!((part - whole).abs() < 1e-4, "{back:?}");
        }
        let [low, high] = Placed::at([0.0; 3], [0.0, 45.0, 0.0]).around([[-1.0; 3], [1.0; 3]]);
        assert!((high[0] - 2.0_f32.sqrt()).abs() < 1e-5 && (low[1] + 2.0_f32.sqrt()).abs() < 1e-5);
    }
}
