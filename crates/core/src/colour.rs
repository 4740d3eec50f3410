//! Colours that colour-blind people can distinguish, shared by pictures and exports.

/// Red, green, blue, opacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(hidden)]
pub struct Colour {
    #[doc(hidden)]
    pub r: u8,
    #[doc(hidden)]
    pub g: u8,
    #[doc(hidden)]
    pub b: u8,
    #[doc(hidden)]
    pub a: u8,
}

impl Colour {
    #[doc(hidden)]
    pub const fn rgb(hex: u32) -> Self {
        Self { r: (hex >> 16) as u8, g: (hex >> 8) as u8, b: hex as u8, a: 255 }
    }

    /// This colour with `share` (0 to 1) of another.
    #[doc(hidden)]
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let mix = |a: u8, b: u8| {
            (f32::from(a) + (f32::from(b) - f32::from(a)) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self { r: mix(self.r, other.r), g: mix(self.g, other.g), b: mix(self.b, other.b), a: self.a }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn fade(self, opacity: f32) -> Self {
        Self { a: (f32::from(self.a) * opacity.clamp(0.0, 1.0)).round() as u8, ..self }
    }

    /// Lightened for a positive amount, darkened for a negative one.
    #[doc(hidden)]
    #[must_use]
    pub fn lit(self, amount: f32) -> Self {
        let towards = if amount < 0.0 { Self::rgb(0) } else { Self::rgb(0xFF_FF_FF) };
        self.mix(towards, amount.abs())
    }
}

/// A ramp of steadily increasing lightness, so that it works without any colour vision: 0 is low, 1 is high.
#[doc(hidden)]
pub fn ramp(at: f32) -> Colour {
    const STOPS: [u32; 11] = [
        0x44_01_54, 0x48_24_75, 0x41_44_87, 0x35_5F_8D, 0x2A_78_8E, 0x21_91_8C, 0x22_A8_84, 0x44_BF_70,
        0x7A_D1_51, 0xBD_DF_26, 0xFD_E7_25,
    ];
    let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) } * (STOPS.len() - 1) as f32;
    let low = (at as usize).min(STOPS.len() - 2);
    Colour::rgb(STOPS[low]).mix(Colour::rgb(STOPS[low + 1]), at - low as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(c: Colour) -> f32 {
        0.2126 * f32::from(c.r) + 0.7152 * f32::from(c.g) + 0.0722 * f32::from(c.b)
    }

    #[test]
    fn the_ramp_grows_lighter_all_the_way() {
        let steps: Vec<f32> = (0..=100).map(|i| lightness(ramp(i as f32 / 100.0))).collect();
        assert!(steps.windows(2).all(|pair| pair[1] >= pair[0] - 0.5), "{steps:?}");
        assert_eq!((ramp(f32::NAN), ramp(-3.0), ramp(9.0)), (ramp(0.0), ramp(0.0), ramp(1.0)));
    }
}
