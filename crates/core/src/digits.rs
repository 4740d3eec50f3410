//! Numbers as text, for writers of many: the text of [`std::fmt`], to the letter, without its formatter.

use std::fmt::{Debug, Display};
use std::io::Write;

/// A float that [`float`] and [`plain`] write: `f32` or `f64`.
pub trait Float: zmij::Float + Copy + Debug + Display + Into<f64> {}

impl Float for f32 {}
impl Float for f64 {}

/// Appends a whole number, as `{}` writes it.
#[inline]
pub fn whole(number: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a float with the fewest digits that read back as the same float, as `{:?}` writes it: `8.0`, `0.1`, `1e-5`, `NaN`.
///
/// ```
/// let mut text = Vec::new();
/// navmap::digits::float(0.1_f32, &mut text);
/// assert_eq!(text, b"0.1");
/// ```
#[inline]
pub fn float<F: Float>(number: F, out: &mut Vec<u8>) {
    let wide: f64 = number.into();
    if let Some(number) = integer(wide) {
        whole(number, out);
        out.extend_from_slice(b".0");
    } else if !fraction(number, wide, out) {
        // A vector takes every write.
        drop(write!(out, "{number:?}"));
    }
}

/// Appends a float like [`float`], but as `{}` writes it: a whole one without `.0`, none with an exponent.
#[inline]
pub fn plain<F: Float>(number: F, out: &mut Vec<u8>) {
    let wide: f64 = number.into();
    if let Some(number) = integer(wide) {
        whole(number, out);
    } else if !fraction(number, wide, out) {
        drop(write!(out, "{number}"));
    }
}

/// Below this each whole number is a float of either width, and has no shorter text than its own.
const DENSE: f64 = 16_777_216.0;

/// The whole number that a float is, as half of all coordinates are. The zero below 0 is none, and neither are large ones.
#[inline]
fn integer(wide: f64) -> Option<i32> {
    // Rounds towards zero, and stops at the ends of the range.
    let near = wide as i32;
    let is_whole = f64::from(near) == wide && (near != 0 || wide.is_sign_positive());
    (is_whole && wide.abs() < DENSE).then_some(near)
}

/// Appends a fraction of a size that is written without an exponent. Whether it was one.
#[inline]
fn fraction<F: Float>(number: F, wide: f64, out: &mut Vec<u8>) -> bool {
    if !(1e-4..DENSE).contains(&wide.abs()) {
        return false;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number).as_bytes();
    out.extend_from_slice(text);
    // Of two texts that are as short and as near, `zmij` takes the even one and `std` the greater. Then the float lies in the
    // middle between them: times ten to its decimals, or two to its decimals, it ends in exactly one half. What is in front of the
    // half is as even as the lesser text, since five to the decimals is one more than a multiple of four.
    let decimals =
        text.len() - text.iter().position(|byte| *byte == b'.').map_or(text.len(), |point| point + 1);
    let scaled = wide.abs() * (1_u64 << decimals.min(31)) as f64;
    let front = scaled as u64;
    if scaled - front as f64 == 0.5
        && front.is_multiple_of(2)
        && let Some(last) = out.last_mut()
    {
        // Even, so not a nine.
        *last += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = b"x".to_vec();
        write(&mut out);
        String::from_utf8(out).unwrap().split_off(1)
    }

    fn same<F: Float>(number: F) {
        assert_eq!(told(|out| float(number, out)), format!("{number:?}"));
        assert_eq!(told(|out| plain(number, out)), format!("{number}"));
    }

    /// Floats on both sides of each power of ten, where forms change.
    fn powers() -> impl Iterator<Item = f64> {
        (-60..60).flat_map(|power| {
            let ten = 10_f64.powi(power);
            [ten, ten.next_down(), ten.next_up(), -ten, ten / 3.0, ten * 9.999_999]
        })
    }

    #[test]
    fn floats_of_32_bits_are_written_as_by_std() {
        // A prime step meets each exponent, subnormals, infinities and NaN of both signs, with 260 mantissas each.
        (0..=u32::MAX).step_by(32_251).map(f32::from_bits).for_each(same);
        powers().map(|number| number as f32).flat_map(|n| [n, n.next_up(), n.next_down()]).for_each(same);
        let ends = [f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, -0.0, 0.0, f32::NAN, -f32::NAN];
        ends.into_iter().chain([f32::INFINITY, f32::NEG_INFINITY, f32::from_bits(1)]).for_each(same);
        (-70_000..70_000).map(|eighths| eighths as f32 / 8.0).for_each(same);
    }

    #[test]
    fn floats_of_64_bits_are_written_as_by_std() {
        (0..100_000_u64).map(|step| f64::from_bits(step.wrapping_mul(0x9E37_79B9_7F4A_7C15))).for_each(same);
        powers().for_each(same);
        let whole = [i32::MIN, i32::MAX].map(f64::from);
        whole.into_iter().flat_map(|n| [n, n - 1.0, n + 1.0, n.next_up(), n.next_down()]).for_each(same);
        [f64::MIN, f64::MAX, f64::MIN_POSITIVE, -0.0, f64::NAN, f64::NEG_INFINITY].into_iter().for_each(same);
    }

    #[test]
    fn whole_numbers_are_written_as_by_std() {
        for number in [i64::MIN, -1, 0, 9, 10, 4_294_967_295, i64::MAX] {
            assert_eq!(told(|out| whole(number, out)), number.to_string());
        }
        assert_eq!(told(|out| whole(u64::MAX, out)), u64::MAX.to_string());
    }
}
