//! Numbers and names as a page has room for them.

use super::font;
use navmap_core::text::Grouped;
use std::collections::HashMap;

/// A number of any size in few letters, but in enough of them to tell it from others within `range` of it.
pub(super) fn quantity(value: f64, range: f64) -> String {
    let size = value.abs();
    // Two digits that say something.
    let decimals = |of: f64| 1.0 - of.log10().floor();
    let text = match size {
        _ if size == 0.0 => "0".to_owned(),
        // Times since 1970 differ in their last digits only.
        _ if (1e-5..1e15).contains(&size) && range > 0.0 && range < size / 50.0 => {
            decimal(size, decimals(range).clamp(0.0, 9.0))
        }
        _ if !(1e-5..1e7).contains(&size) => format!("{size:.1e}"),
        _ if value.fract() == 0.0 || size >= 100.0 => Grouped(size.round() as u64).to_string(),
        _ => decimal(size, decimals(size).clamp(1.0, 7.0)),
    };
    if value < 0.0 { format!("\u{2212}{text}") } else { text }
}

/// A size below 2^64 with at most so many decimals.
fn decimal(size: f64, decimals: f64) -> String {
    let text = format!("{size:.0$}", decimals as usize);
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), |whole| Grouped(whole).to_string());
    match part.trim_end_matches('0') {
        "" => whole,
        part => format!("{whole}.{part}"),
    }
}

/// A coordinate, with four decimals at most.
pub(super) fn number(value: f32) -> String {
    let text = format!("{value:.4}");
    signed(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A height, with as many decimals as tell it from others within `range` of it.
pub(super) fn height_number(value: f32, range: f32) -> String {
    let decimals = match range.abs() {
        range if range >= 20.0 => 0,
        range if range >= 1.0 || range == 0.0 => 1,
        range => (1.0 - range.log10().floor()).clamp(1.0, 5.0) as usize,
    };
    signed(&format!("{value:.decimals$}"))
}

/// With the sign that a minus is in print, which no zero has.
fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(size) if size.bytes().any(|digit| matches!(digit, b'1'..=b'9')) => format!("\u{2212}{size}"),
        Some(size) => size.to_owned(),
        None => text.to_owned(),
    }
}

pub(super) fn short(value: f64) -> String {
    if value >= 1.0 { Grouped(value.round() as u64).to_string() } else { value.to_string() }
}

/// Shortens words to fit. An ellipsis marks the cut.
pub(super) fn shortened(words: &str, size: f32, room: f32) -> String {
    if font::width(words, size) <= room {
        return words.to_owned();
    }
    let mut kept: String = words.chars().take(512).collect();
    while !kept.is_empty() && font::width(&kept, size) + size * 0.6 > room {
        kept.pop();
    }
    kept.push('\u{2026}');
    kept
}

/// Shortens words to fit by their middle, since what tells names apart is often at their end: an id, a suffix.
pub(super) fn shortened_within(words: &str, size: f32, room: f32) -> String {
    if font::width(words, size) <= room {
        return words.to_owned();
    }
    let letters: Vec<char> = words.chars().take(512).collect();
    let cut = |kept: usize| {
        let start = kept / 2;
        let (head, tail) = (&letters[..start], &letters[letters.len() - (kept - start)..]);
        head.iter().chain(['\u{2026}'].iter()).chain(tail).collect::<String>()
    };
    // The longest that fits. Letters differ in width, so that a shorter one need not be narrower, but nearly is.
    let fitting = (0..letters.len()).rev().map(cut).find(|cut| font::width(cut, size) <= room);
    fitting.unwrap_or_else(|| cut(0))
}

/// Breaks words at blanks into lines that fit, at most so many. The last one is shortened if more is left.
pub(super) fn wrapped(words: &str, size: f32, room: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut left = words;
    while !left.is_empty() {
        if lines.len() + 1 >= most {
            lines.push(shortened(left, size, room));
            break;
        }
        let ends = left.match_indices(' ').map(|(at, _)| at).chain([left.len()]).take(64);
        let fitting = ends.take_while(|end| font::width(&left[..*end], size) <= room).last();
        let first = left.find(' ').unwrap_or(left.len());
        let end = fitting.filter(|end| *end > 0).unwrap_or(first);
        lines.push(shortened(&left[..end], size, room));
        left = left[end..].trim_start();
    }
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Numbers names that were cut to the same lines.
pub(super) fn told_apart(names: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
    let number = |mut lines: Vec<String>| {
        let times = seen.entry(lines.clone()).or_default();
        *times += 1;
        if let (Some(last), true) = (lines.last_mut(), *times > 1) {
            last.truncate(last.trim_end_matches('\u{2026}').len());
            *last = format!("{} \u{2026} ({times})", last.chars().take(14).collect::<String>().trim_end());
        }
        lines
    };
    names.map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_heights_keep_their_sign_and_tell_apart_what_lies_close() {
        assert_eq!(
            [-0.5, 0.25, -0.0, -1500.0, 0.05, -1e-9].map(number),
            ["\u{2212}0.5", "0.25", "0", "\u{2212}1500", "0.05", "0"]
        );
        let heights = [(1.18, 0.12), (1.2, 0.12), (-79.6, 160.0), (-0.04, 5.0), (0.0, 0.0), (0.0304, 0.003)];
        assert_eq!(
            heights.map(|(value, range)| height_number(value, range)),
            ["1.18", "1.20", "\u{2212}80", "0.0", "0.0", "0.0304"]
        );
        assert_eq!(height_number(f32::NAN, f32::NAN), "NaN");
    }

    #[test]
    fn a_quantity_has_the_digits_that_tell_it_from_others() {
        assert_eq!(quantity(0.0, 10.0), "0");
        assert_eq!(quantity(12_345.6, 12_345.6), "12,346");
        assert_eq!(quantity(0.012_34, 0.012_34), "0.012");
        assert_eq!(quantity(-2.5, 10.0), "\u{2212}2.5");
        assert_eq!(quantity(3e9, 3e9), "3.0e9");
        assert_eq!(quantity(1_700_000_050.0, 100.0), "1,700,000,050");
        assert_eq!(quantity(1_700_000_000.5, 1.0), "1,700,000,000.5");
        assert_eq!(quantity(1000.0, 1.0), "1,000");
        assert_eq!(quantity(1e300, 1.0), "1.0e300");
        assert_eq!(quantity(5.0, f64::NAN), "5");
    }

    #[test]
    fn names_are_cut_in_their_middle_where_their_end_tells_them_apart() {
        assert_eq!(shortened_within("mesh", 10.0, 1000.0), "mesh");
        let cut = shortened_within("Ancestor Glade of the North (01035EB0)", 10.0, 110.0);
        assert!(
            cut.ends_with("035EB0)") && cut.starts_with("An") && font::width(&cut, 10.0) <= 110.0,
            "{cut}"
        );
        assert_eq!(shortened_within("mesh", 10.0, 0.0), "\u{2026}");
    }

    #[test]
    fn names_go_on_in_further_lines() {
        let lines = wrapped("crouch + jump + no hostages + avoid", 10.0, 80.0, 4);
        assert!(lines.len() > 1 && lines.join(" ") == "crouch + jump + no hostages + avoid", "{lines:?}");
        assert!(lines.iter().all(|line| font::width(line, 10.0) <= 80.0));
        let cut = wrapped("crouch + jump + no hostages + avoid", 10.0, 80.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('\u{2026}'), "{cut:?}");
        assert_eq!(wrapped("", 10.0, 80.0, 3), [""]);
        assert_eq!(wrapped("incomprehensibilities", 10.0, 30.0, 3).len(), 1);
    }

    #[test]
    fn two_names_never_read_the_same() {
        let cut = || vec!["crouch +".to_owned(), "jump + no\u{2026}".to_owned()];
        let told = told_apart([cut(), cut(), vec!["other".to_owned()]].into_iter());
        assert!(told[0] != told[1] && told[1][1].ends_with("(2)"), "{told:?}");
        assert_eq!(told[2], ["other"]);
    }

    #[test]
    fn words_that_do_not_fit_are_cut() {
        assert_eq!(shortened("mesh", 10.0, 1000.0), "mesh");
        let cut = shortened("a very long title of a map", 10.0, 60.0);
        assert!(cut.ends_with('\u{2026}') && font::width(&cut, 10.0) <= 60.0, "{cut}");
        assert_eq!(shortened("mesh", 10.0, 0.0), "\u{2026}");
    }
}
