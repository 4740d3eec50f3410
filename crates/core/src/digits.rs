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
    match form(number) {
        Form::Whole(number) => {
            whole(number, out);
            out.extend_from_slice(b".0");
        }
        Form::Plain => out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes()),
        // A vector takes every write.
        Form::Other => drop(write!(out, "{number:?}")),
    }
}

/// Appends a float like [`float`], but as `{}` writes it: a whole one without `.0`, none with an exponent.
#[inline]
pub fn plain<F: Float>(number: F, out: &mut Vec<u8>) {
    match form(number) {
        Form::Whole(number) => whole(number, out),
        Form::Plain => {
            out.extend_from_slice(without_point(zmij::Buffer::new().format_finite(number)).as_bytes())
        }
        Form::Other => drop(write!(out, "{number}")),
    }
}

fn without_point(text: &str) -> &str {
    text.strip_suffix(".0").unwrap_or(text)
}

/// How a float is written.
enum Form {
    /// As a whole number: half of all coordinates are some.
    Whole(i32),
    /// Zero, with its sign, on which `zmij` and `std` agree.
    Plain,
    /// As `std` does it: fractions too, of which `zmij` rounds an exact half to even and `std` up.
    Other,
}

#[inline]
fn form(number: impl Float) -> Form {
    let wide: f64 = number.into();
    // Rounds towards zero, and stops at the ends of the range.
    let near = wide as i32;
    if f64::from(near) == wide && (near != 0 || wide.is_sign_positive()) {
        Form::Whole(near)
    } else if wide == 0.0 {
        Form::Plain
    } else {
        Form::Other
    }
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
