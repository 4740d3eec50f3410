//! The ramp of colours over values, evenly or by their ratios.

use super::heat::Scale;
use navmap_core::colour::{Colour, ramp};

/// Steps of a ramp: few enough that neighbours share a style, but too many to be visible.
pub(super) const STEPS: f32 = 96.0;

/// The ends of a scale over given values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) log: bool,
    /// Whether values lie below and above.
    pub(super) beyond: [bool; 2],
}

impl Scale {
    /// Its ends over these values. `None` if none of them has a colour.
    pub(super) fn over(self, values: impl Iterator<Item = f64>) -> Option<Span> {
        self.ending(values, |lowest| lowest.min(0.0))
    }

    /// Its ends over these times, of which 0 is none in particular.
    pub(super) fn between(self, times: impl Iterator<Item = f64>) -> Option<Span> {
        self.ending(times, |earliest| earliest)
    }

    fn ending(self, values: impl Iterator<Item = f64>, usual_low: fn(f64) -> f64) -> Option<Span> {
        let mut ends: Option<[f64; 2]> = None;
        for value in values.filter(|value| value.is_finite() && (!self.log || *value > 0.0)) {
            let [low, high] = ends.unwrap_or([value; 2]);
            ends = Some([low.min(value), high.max(value)]);
        }
        let [lowest, highest] = ends?;
        let usual = [if self.log { lowest } else { usual_low(lowest) }, highest];
        let clip = self.clip.filter(|[low, high]| low < high && (!self.log || *low > 0.0));
        // An end that is open is where it usually is.
        let [low, high] = clip.map_or(usual, |[low, high]| {
            let open = [usual[0].min(high), usual[1].max(low)];
            [if low.is_finite() { low } else { open[0] }, if high.is_finite() { high } else { open[1] }]
        });
        Some(Span { low, high, log: self.log, beyond: [lowest < low, highest > high] })
    }
}

impl Span {
    /// The step of the ramp that a value has. `None` if it has no colour.
    pub(super) fn step(&self, value: f64) -> Option<u32> {
        if !value.is_finite() || (self.log && value <= 0.0) {
            return None;
        }
        let [low, high] = self.even_ends();
        let share = if high > low { (self.even(value) - low) / (high - low) } else { 1.0 };
        Some((share.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u32)
    }

    /// How far below the top of the ramp a value is, of 1.
    pub(super) fn below_top(&self, value: f64) -> f32 {
        let [low, high] = self.even_ends();
        if high > low { ((high - self.even(value)) / (high - low)) as f32 } else { 0.0 }
    }

    /// Whether its ends differ, so that there may be values between.
    pub(super) fn is_wide(&self) -> bool {
        let [low, high] = self.even_ends();
        high > low
    }

    /// A value on an axis along which the ramp is even.
    fn even(&self, value: f64) -> f64 {
        // Half, so that the difference of any two is finite.
        if self.log { value.ln() } else { value / 2.0 }
    }

    fn even_ends(&self) -> [f64; 2] {
        [self.low, self.high].map(|end| self.even(end))
    }
}

/// The colour of a step.
pub(super) fn ink(step: u32) -> Colour {
    ramp(step as f32 / STEPS)
}
