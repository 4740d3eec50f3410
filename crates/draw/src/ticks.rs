//! Round numbers along a ramp, a frame or a scale bar.

/// The largest number that is 1, 2 or 5 times a power of ten and not above `value`.
pub(super) fn round_down(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let power = value.log10().floor();
    let digit = match value / 10f64.powf(power) {
        digit if digit >= 5.0 => 5,
        digit if digit >= 2.0 => 2,
        _ => 1,
    };
    // Read, not multiplied: 5 times 0.01 may be 0.049999997, which is what a scale bar would say.
    format!("{digit}e{power}").parse().unwrap_or(1.0)
}

pub(super) fn round_up(value: f64) -> f64 {
    let down = round_down(value);
    if down >= value { down } else { round_down(down * 2.6) }
}

/// Multiples of `step` between two numbers, limited to what a page can show. Ends that were rounded to a float count as what they
/// were.
pub(super) fn multiples(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    const ROUNDED: f64 = 1e-6;
    let first = (low / step - ROUNDED).ceil();
    let last = high + step * ROUNDED;
    (0..200u8).map(move |i| (first + f64::from(i)) * step).take_while(move |value| *value <= last)
}

/// Powers of ten between two positive numbers.
pub(super) fn decades(low: f64, high: f64) -> Vec<f64> {
    (-323..309).map(|power| 10f64.powi(power)).filter(|value| (low..=high).contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_are_round_numbers() {
        assert_eq!([0.7, 1.0, 3.9, 49.9, 50.0, 999.0].map(round_down), [0.5, 1.0, 2.0, 20.0, 50.0, 500.0]);
        assert_eq!([f64::NAN, 0.0, -3.0, f64::INFINITY].map(round_down), [1.0; 4]);
        assert_eq!(
            [0.07, 0.0023, 6e-5, 2.5e-7].map(round_down),
            [0.05, 0.002, 5e-5, 2e-7],
            "to the last bit"
        );
        assert!(round_up(2.1) >= 2.1 && round_up(6.0) >= 6.0);
    }

    #[test]
    fn numbers_along_the_frame_are_few_whatever_the_scale() {
        assert!(multiples(-1e30, 1e30, 1e-3).count() <= 200);
        assert_eq!(multiples(-10.0, 25.0, 10.0).collect::<Vec<_>>(), [-10.0, 0.0, 10.0, 20.0]);
        let rounded = multiples(0.1f32.into(), 0.7f32.into(), 0.1).map(|value| value as f32);
        assert_eq!(rounded.collect::<Vec<_>>(), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        assert_eq!(multiples(f64::NAN, 1.0, 1.0).count(), 0);
    }
}
