//! Which way is up in a model, and what its unit is.

use super::Format;
use navmap_core::graph::Scene;

/// The axes of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelAxes {
    /// Those of the game that it is for, in the units of that game.
    #[default]
    Game,
    /// Z up, as modelling programs have it that write no axes.
    ZUp,
    /// Metres with y up, as GLB always has.
    Metres,
}

impl ModelAxes {
    /// Turns a model to the axes of a game: units of so many metres with z up, or with `None` metres with y up, as in the Fox
    /// Engine. A model in GLB is in metres with y up, whatever is said.
    ///
    /// ```
    /// use navmap::graph::INCH;
    /// use navmap::import::{Format, ModelAxes, read};
    ///
    /// let mut scene = read(b"v 0 2.54 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", Format::Obj)?;
    /// ModelAxes::Metres.turn(&mut scene, Format::Obj, Some(INCH));
    /// assert_eq!(scene.position(0).map(f64::round), [0.0, 0.0, 100.0]);
    /// # Ok::<(), navmap::Error>(())
    /// ```
    pub fn turn(self, scene: &mut Scene, format: Format, metres_per_unit: Option<f64>) {
        let metres = self == Self::Metres || format != Format::Obj;
        match metres_per_unit {
            None if self == Self::ZUp => scene.turn_z_up(),
            Some(unit) if metres => scene.turn_metres_y_up(unit),
            _ => {}
        }
    }
}
