//! Converts stored numbers to metres and back.

use crate::record::{Header, Position};
use navmap_core::error::{Error, Result};

/// The conversion of one file's numbers to metres. `docs/formats/fox.md`, section 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Minimum corner in metres.
    pub origin: [f32; 3],
    /// Quanta per metre, none of them 0.
    pub divisors: [u16; 3],
    /// Weight units per metre, not 0.
    pub weight_divisor: u16,
}

impl Frame {
    pub(super) fn from_header(header: &Header) -> Result<Self> {
        let frame = Self {
            origin: header.origin(),
            divisors: header.divisors(),
            weight_divisor: header.weight_divisor(),
        };
        if frame.divisors.contains(&0) {
            return Err(Error::invalid("position divisors", "one of them is 0").at(0x44));
        }
        if frame.weight_divisor == 0 {
            return Err(Error::invalid("weight divisor", "it is 0").at(0x4A));
        }
        Ok(frame)
    }

    /// World position in metres, y up: `q / divisor + origin` in single precision, as Nav2Parser computes it.
    #[inline]
    pub fn world(&self, position: &Position) -> [f32; 3] {
        let [x, y, z] = position.quantised();
        let ([dx, dy, dz], [ox, oy, oz]) = (self.divisors, self.origin);
        [
            f32::from(x) / f32::from(dx) + ox,
            f32::from(y) / f32::from(dy) + oy,
            f32::from(z) / f32::from(dz) + oz,
        ]
    }

    /// The nearest quantised position; `None` if 16 bits cannot express the point.
    pub fn quantise(&self, world: [f32; 3]) -> Option<[u16; 3]> {
        let mut quantised = [0; 3];
        for (q, ((w, o), d)) in
            quantised.iter_mut().zip(world.into_iter().zip(self.origin).zip(self.divisors))
        {
            let value = ((w - o) * f32::from(d)).round();
            if !(0.0..=65535.0).contains(&value) {
                return None;
            }
            *q = value as u16;
        }
        Some(quantised)
    }

    /// A weight in metres.
    #[inline]
    pub fn metres(&self, weight: u16) -> f32 {
        f32::from(weight) / f32::from(self.weight_divisor)
    }
}
