//! Points over a mesh as squares of the ground, for renderers other than those of this crate.

use super::heat::{Heat, HeatBy};
use super::heatmap::{COVER, MOST_CELLS, cover, least, spread};
use super::scale::{Span, ink};
use super::tables::Ramp;
use navmap_core::graph::Axes;

/// How far a density reaches, in standard deviations.
const REACH: f32 = 3.0;

/// Points over a mesh as squares of the ground: their sums by cell, or their density.
#[derive(Debug, Clone, PartialEq)]
pub struct Squares {
    /// The side of a square, in file units.
    pub side: f32,
    /// The lower left corner of each from above, right and up, in file units.
    pub corners: Vec<[f32; 2]>,
    /// The colour of each: red, green, blue, and how much it covers.
    pub inks: Vec<[u8; 4]>,
    /// The ramp of their sums, or of sums a square unit.
    pub ramp: Ramp,
}

impl Squares {
    /// The points as a picture shows them, if it shows them by cell or as density. Linear in the points; a density has a raster of at
    /// most a hundred thousand squares.
    pub fn of(heat: &Heat, axes: &Axes) -> Option<Self> {
        let usable = |length: &f32| length.is_finite() && *length > 0.0;
        match &heat.by {
            HeatBy::Cell(side) if usable(side) => Self::cells(heat, axes, *side),
            HeatBy::Density(sigma) if usable(sigma) => Self::density(heat, axes, *sigma),
            _ => None,
        }
    }

    fn cells(heat: &Heat, axes: &Axes, side: f32) -> Option<Self> {
        let sums = heat.sums(axes, side);
        let span = heat.scale.over(sums.values().copied())?;
        let all = sums.into_iter().map(|(at, sum)| (at.map(|at| at as f32 * side), sum));
        Some(Self::inked(side, span, all, |_| COVER))
    }

    fn density(heat: &Heat, axes: &Axes, sigma: f32) -> Option<Self> {
        let plan = |point| {
            let [u, v, _] = axes.plan(point);
            [u, v]
        };
        let points = || heat.each().map(|(_, point, value)| (plan(point), value));
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for (at, _) in points() {
            for axis in [0, 1] {
                low[axis] = low[axis].min(at[axis] - REACH * sigma);
                high[axis] = high[axis].max(at[axis] + REACH * sigma);
            }
        }
        let wide = [0, 1].map(|axis: usize| high[axis] - low[axis]);
        if !wide.iter().all(|side| side.is_finite()) {
            return None;
        }
        let side = (sigma / 3.0).max(wide[0].max(wide[1]) / MOST_CELLS);
        let size = wide.map(|wide| (wide / side).ceil() as usize + 1);
        let places = points()
            .map(|(at, value)| ([0, 1].map(|axis: usize| (at[axis] - low[axis]) / side), value as f32));
        let mut sums = spread(places, size, sigma / side);
        // From a sum in a cell to one in a square unit.
        sums.iter_mut().for_each(|sum| *sum /= side * side);
        let least = least(&sums);
        let shown = || {
            sums.iter().enumerate().filter(|(_, sum)| **sum > least).map(|(at, sum)| (at, f64::from(*sum)))
        };
        let span = heat.scale.over(shown().map(|(_, sum)| sum))?;
        let place = |at: usize| [at % size[0], at / size[0]];
        let corner = |at: usize| [0, 1].map(|axis: usize| low[axis] + place(at)[axis] as f32 * side);
        Some(Self::inked(side, span, shown().map(|(at, sum)| (corner(at), sum)), cover))
    }

    /// Those that have a colour.
    fn inked(
        side: f32,
        span: Span,
        all: impl Iterator<Item = ([f32; 2], f64)>,
        cover: impl Fn(u32) -> f32,
    ) -> Self {
        let (corners, inks) = all
            .filter_map(|(corner, sum)| {
                let step = span.step(sum)?;
                let colour = ink(step);
                Some((corner, [colour.r, colour.g, colour.b, (cover(step) * 255.0).round() as u8]))
            })
            .unzip();
        Self { side, corners, inks, ramp: Ramp { low: span.low, high: span.high } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;
    use navmap_core::graph::Point;

    fn heat(by: HeatBy) -> Heat {
        let points = [(1.0, 1.0), (2.0, 3.0), (15.0, 1.0)].map(|(x, y)| Point::new(x, y, 5.0)).to_vec();
        Heat { points, values: None, by, scale: Scale::default(), title: "kills".into() }
    }

    #[test]
    fn points_are_counted_by_squares() {
        let squares = Squares::of(&heat(HeatBy::Cell(10.0)), &Axes::z_up(1.0)).unwrap();
        assert_eq!(squares.corners, [[0.0, 0.0], [10.0, 0.0]]);
        assert_eq!((squares.ramp.low, squares.ramp.high), (0.0, 2.0));
        assert_ne!(squares.inks[0][..3], squares.inks[1][..3]);
        assert_eq!(squares.inks[0][3], 204);
        assert_eq!(Squares::of(&heat(HeatBy::Point), &Axes::z_up(1.0)), None);
        assert_eq!(Squares::of(&heat(HeatBy::Cell(f32::NAN)), &Axes::z_up(1.0)), None);
    }

    #[test]
    fn a_density_is_the_sum_of_its_points() {
        let squares = Squares::of(&heat(HeatBy::Density(2.0)), &Axes::z_up(1.0)).unwrap();
        assert!(squares.corners.len() > 100 && squares.corners.len() == squares.inks.len());
        // A point adds 1 / (2 pi sigma squared) at its place. Half way between two that lie the root of 5 apart each adds e to the
        // power of -5/32 of that.
        let one = (-5.0_f32 / 32.0).exp() / (std::f32::consts::TAU * 4.0);
        assert!((squares.ramp.high / f64::from(2.0 * one) - 1.0).abs() < 0.02, "{:?}", squares.ramp);
        let inside = |at: &[f32; 2]| (-6.0..=21.0).contains(&at[0]) && (-6.0..=9.0).contains(&at[1]);
        assert!(squares.corners.iter().all(inside));
    }
}
