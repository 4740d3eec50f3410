//! Spells numbers as the public files do.

use std::fmt::{self, Write};

/// The shortest decimals that parse to the same `f32`, as .NET prints them: `-0.125`, `36`, `1E+30`, `1E-05`.
///
/// If two shortest spellings are equally near, .NET prints the one with the even last digit (`382.39062` for 382.390625, as in
/// all 64 such numbers of the real files), and Rust the larger one. Numbers from 0.0001 up to nine digits before the point, which
/// cover every map, are in plain notation. Others have an exponent of at least two digits.
pub(super) struct Shortest(pub(super) f32);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        let mut spelled = Spelled::default();
        if value != 0.0 && !(1e-4..1e9).contains(&value.abs()) {
            write!(spelled, "{value:e}")?;
            let (digits, exponent) = spelled.text().split_once('e').ok_or(fmt::Error)?;
            let (sign, exponent) =
                exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
            return write!(f, "{digits}E{sign}{exponent:0>2}");
        }
        write!(spelled, "{value}")?;
        let decimals = spelled.text().split_once('.').map_or(0, |(_, decimals)| decimals.len());
        if decimals > 0 && is_longer_by_one(value, decimals) {
            let mut even = Spelled::default();
            write!(even, "{value:.decimals$}")?;
            if even.text().parse() == Ok(value) {
                spelled = even;
            }
        }
        f.write_str(spelled.text())
    }
}

/// Whether the value has exactly one more decimal than given. Only then can it lie halfway between two numbers with that many
/// decimals. A binary fraction has as many decimals as bits.
fn is_longer_by_one(value: f32, decimals: usize) -> bool {
    let scaled = i32::try_from(decimals).map_or(f64::NAN, |power| f64::from(value) * 2_f64.powi(power));
    scaled.fract() != 0.0 && (scaled * 2.0).fract() == 0.0
}

/// A number's text, on the stack. No number comes near 32 bytes, even with an exponent.
#[derive(Default)]
struct Spelled {
    bytes: [u8; 32],
    len: usize,
}

impl Spelled {
    fn text(&self) -> &str {
        self.bytes.get(..self.len).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
    }
}

impl Write for Spelled {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len.checked_add(text.len()).ok_or(fmt::Error)?;
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Shortest;

    #[test]
    fn numbers_are_spelled_as_in_the_public_files() {
        for (value, spelled) in [
            (0.53123474, "0.53123474"),
            (-290.55377, "-290.55377"),
            (36.0, "36"),
            (-0.0, "-0"),
            (0.8, "0.8"),
            (0.5, "0.5"),
            (-(382.0 + 25.0 / 64.0), "-382.39062"),
            (2048.0 + 17.0 / 32.0, "2048.5312"),
            (-(1535.0 + 31.0 / 32.0), "-1535.9688"),
            (16_777_216.0, "16777216"),
            (1e30, "1E+30"),
            (-1.5e-5, "-1.5E-05"),
            (0.0001, "0.0001"),
            (f32::MAX, "3.4028235E+38"),
            (f32::MIN_POSITIVE, "1.1754944E-38"),
        ] {
            assert_eq!(Shortest(value).to_string(), spelled);
            assert_eq!(spelled.parse::<f32>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn every_spelling_gives_the_same_float_and_none_is_longer_than_rusts() {
        // An odd step is coprime to 2^32, so it visits floats of every exponent.
        for bits in (0..200_000_u32).map(|n| n.wrapping_mul(2_654_435_761)) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let spelled = Shortest(value).to_string();
                assert_eq!(spelled.parse::<f32>().unwrap().to_bits(), bits, "{spelled}");
                assert!(spelled.len() <= format!("{value}").len().max(15), "{spelled}");
            }
        }
    }
}
