//! Column widths of a scan's table: fixed in a file, adapted to a terminal.

use super::graphrow::Shown;
use navmap::graph::Units;

/// Widths of the columns that can shrink.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Columns {
    pub(super) game: usize,
    /// Version and size, which are omitted beside a graph on a narrow terminal.
    pub(super) numbers: bool,
    pub(super) contents: usize,
    pub(super) graph: Option<Shown>,
    /// The shown length of a path. Without a terminal, the whole path.
    pub(super) path: Option<usize>,
}

/// The status, and the gaps before contents and path.
const FIXED: usize = 8 + 2 + 2;
/// Version and size.
const NUMBERS: usize = 10 + 10;
/// The least width of a path.
const LEAST_PATH: usize = 20;

impl Columns {
    pub(super) fn new(width: Option<usize>, graph: Option<Units>) -> Self {
        let full = Self { game: 26, numbers: true, contents: 40, graph: graph.map(Shown::all), path: None };
        let Some(width) = width else { return full };
        if let Some(units) = graph {
            let numbers = width >= 120;
            let game = if width >= 200 { 26 } else { 12 };
            let taken = FIXED - 2 + game + if numbers { NUMBERS } else { 0 };
            let shown = Shown::fitting(width.saturating_sub(taken + LEAST_PATH), units);
            let path = width.saturating_sub(taken + shown.width()).max(LEAST_PATH);
            return Self { game, numbers, graph: Some(shown), path: Some(path), ..full };
        }
        let room = width.saturating_sub(FIXED + NUMBERS);
        let game = (room / 5).clamp(10, 26);
        let contents = (room.saturating_sub(game) * 2 / 5).clamp(12, 72);
        let path = room.saturating_sub(game + contents).max(LEAST_PATH);
        Self { game, contents, path: Some(path), ..full }
    }
}

/// Cuts text that is longer than its column.
pub(super) fn fitted(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Cuts the beginning of a path that is longer than its column, since file names are more informative than folders.
pub(super) fn end_of(path: &str, width: usize) -> String {
    let long = path.chars().count();
    if long <= width {
        return path.to_owned();
    }
    ['…'].into_iter().chain(path.chars().skip(long - width.saturating_sub(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_the_terminal() {
        for width in [80, 100, 120, 160, 205, 300] {
            let plain = Columns::new(Some(width), None);
            let whole = FIXED + NUMBERS + plain.game + plain.contents + plain.path.unwrap();
            assert!(whole <= width && whole + 1 >= width, "{width}: {plain:?}");
            let graph = Columns::new(Some(width), Some(Units::Metres));
            let numbers = if graph.numbers { NUMBERS } else { 0 };
            let shown = graph.graph.unwrap().width();
            let whole = FIXED - 2 + graph.game + numbers + shown + graph.path.unwrap();
            assert_eq!(whole, width, "{graph:?}");
        }
        assert_eq!(Columns::new(Some(300), Some(Units::Game)).graph, Some(Shown::all(Units::Game)));
        assert_eq!(Columns::new(Some(10), None).path, Some(LEAST_PATH), "never nothing");
        assert_eq!(Columns::new(None, None).path, None);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(fitted("Counter-Strike: Global Offensive", 24), "Counter-Strike: Global …");
        assert_eq!(end_of("maps/custom/de_dust2.nav", 16), "…om/de_dust2.nav");
        assert_eq!(end_of("a.nav", 16), "a.nav");
    }
}
