//! Floats as text, from a memory of those told last.

use navmap_core::digits;

/// The texts of the floats that were told last. Four of five are there: coordinates lie on a grid, heights and light repeat, and a
/// shape tells the corners again that columns have told. To copy one takes a tenth of making it.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    slots: Box<[Slot; 1 << BITS]>,
}

/// What is known of one float.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// Those of the float.
    bits: u32,
    /// The length of its text, and without the `.0` of a whole one.
    float: u8,
    plain: u8,
    text: [u8; 16],
}

/// A float has one slot, found by so many bits.
const BITS: u32 = 9;

/// Sizes at which no form has an exponent, so that a whole number differs by `.0` and a fraction by nothing.
const ALIKE: std::ops::Range<f64> = 1e-4..16_777_216.0;

impl Default for Told {
    fn default() -> Self {
        // A NaN, none of which is kept.
        let nothing = Slot { bits: u32::MAX, float: 0, plain: 0, text: [0; 16] };
        Self { slots: Box::new([nothing; 1 << BITS]) }
    }
}

impl Told {
    /// Appends a float as [`digits::float`] does.
    pub(crate) fn float(&mut self, number: f32, out: &mut Vec<u8>) {
        match self.slot(number, out) {
            Some(slot) => slot.copy(slot.float, out),
            None => digits::float(number, out),
        }
    }

    /// Appends a float as [`digits::plain`] does.
    pub(crate) fn plain(&mut self, number: f32, out: &mut Vec<u8>) {
        match self.slot(number, out) {
            Some(slot) => slot.copy(slot.plain, out),
            None => digits::plain(number, out),
        }
    }

    /// The slot with the text of a float, unless it is none that is kept. A text is made at the end of `out`.
    #[inline]
    fn slot(&mut self, number: f32, out: &mut Vec<u8>) -> Option<&Slot> {
        let bits = number.to_bits();
        if bits != 0 && !ALIKE.contains(&f64::from(number).abs()) {
            return None;
        }
        let slot = self.slots.get_mut((bits.wrapping_mul(0x9E37_79B1) >> (u32::BITS - BITS)) as usize)?;
        if slot.bits != bits {
            slot.learn(number, out)?;
        }
        Some(slot)
    }
}

impl Slot {
    /// Makes the text of another float.
    #[inline(never)]
    fn learn(&mut self, number: f32, out: &mut Vec<u8>) -> Option<()> {
        let start = out.len();
        digits::float(number, out);
        let text = &out[start..];
        // The longest is -0.000123456789.
        let kept = self.text.get_mut(..text.len()).map(|kept| {
            kept.copy_from_slice(text);
            let plain = text.strip_suffix(b".0").unwrap_or(text).len();
            (self.bits, self.float, self.plain) = (number.to_bits(), text.len() as u8, plain as u8);
        });
        out.truncate(start);
        kept
    }

    /// Appends so many bytes of the text. To append all of a known number and cut off what is too much takes no call.
    #[inline]
    fn copy(&self, len: u8, out: &mut Vec<u8>) {
        let end = out.len() + usize::from(len);
        out.extend_from_slice(&self.text);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_before_is_told_as_at_first() {
        let eighths = (-9_000..9_000).map(|eighths| eighths as f32 / 8.0);
        let others = (0..=u32::MAX).step_by(1_322_251).map(f32::from_bits);
        let ends =
            [0.0, -0.0, 1e-4, 0.000_123_456_79, -0.000_123_456_79, 16_777_215.0, 16_777_216.0, f32::NAN];
        let mut told = Told::default();
        for number in eighths.chain(others).chain(ends) {
            for _ in 0..2 {
                let [mut float, mut plain, mut made_float, mut made_plain] = [(); 4].map(|()| Vec::new());
                told.float(number, &mut float);
                told.plain(number, &mut plain);
                digits::float(number, &mut made_float);
                digits::plain(number, &mut made_plain);
                assert_eq!((float, plain), (made_float, made_plain), "{number:?}");
            }
        }
    }
}
