//! A walk by two cursors, for those who need not see the areas in order.
//!
//! The length of an encounter path is known only from the path. So the walk over a mesh of mostly paths is one chain of loads, each of
//! which waits for the one before, and a second chain beside it costs next to nothing. Where that begins is guessed. What it finds
//! counts only if the first cursor lands exactly there: it is then what the first would have found.

use super::after::AfterAreas;
use super::area::{Area, shape_at};
use super::iter::Areas;
use super::layout::{COUNTER_STRIKE_GO, Layout, Spans};
use super::ruler::{Ruler, path_end};
use navmap_core::error::Result;

/// What a walk gathers of every area.
pub(super) trait Gather<'a> {
    /// The next area. Its [`index`](Area::index) counts from the first area of the half that it lies in.
    fn add(&mut self, area: &Area<'a>);

    /// What was gathered of the areas that follow.
    fn append(&mut self, later: Self);
}

/// Bytes of areas from which on a second cursor pays.
const LEAST: u64 = 32 << 10;

/// Walks over all areas, and reads what follows them. `make` makes what the second cursor gathers in.
///
/// # Errors
/// Those of a plain walk. What was gathered is then what a plain walk would have gathered before the error.
pub(super) fn gather<'a, G: Gather<'a>>(
    mut areas: Areas<'a>,
    gathered: &mut G,
    make: impl FnOnce() -> G,
) -> Result<AfterAreas<'a>> {
    if let Some(guess) = guess(&areas) {
        let (mut second, mut later) = (areas.elsewhere(guess), make());
        both((&mut areas, gathered), guess, (&mut second, &mut later));
        while areas.at() < guess {
            match areas.next() {
                Some(area) => gathered.add(&area?),
                None => break,
            }
        }
        if areas.join(guess, &second) {
            gathered.append(later);
        }
    }
    for area in areas.by_ref() {
        gathered.add(&area?);
    }
    areas.finish()
}

/// A byte at which an area of the second half probably begins. A little before the middle, since the second cursor should not be
/// through before the first: behind the last area it would find none.
fn guess(areas: &Areas<'_>) -> Option<u64> {
    /// Bytes that are searched: many times the length of an area.
    const WINDOW: u64 = 16 << 10;
    /// Paths that are passed in all. Areas of games have some hundred; bytes that are made up may have millions at each place.
    const PATHS: u32 = 16 << 10;
    let mut paths = PATHS;
    let len = (areas.bytes().len() as u64).saturating_sub(areas.at());
    if len < LEAST || !areas.layout().is_mostly_paths() {
        return None;
    }
    let from = areas.at().saturating_add(len.saturating_mul(7).wrapping_div(16));
    (from..from.saturating_add(WINDOW)).find(|at| {
        // One may look like an area by chance, three in a row hardly.
        (0..3).try_fold(*at, |at, _| plausible(areas.layout(), areas.bytes(), at, &mut paths)).is_some()
    })
}

/// The end of what may be an area at this byte: with an id, a rectangle of a size that games make, and no more paths than may still be
/// passed.
fn plausible(layout: Layout, file: &[u8], at: u64, paths: &mut u32) -> Option<u64> {
    /// The extent of the engine's world from its origin, and the shortest side, in units.
    const WORLD: f32 = 16_384.0;
    const SIDE: f32 = 1.0;
    let shape = shape_at(file, at.wrapping_add(layout.shape_at()))?;
    let [x, y] = shape.extent();
    let within = |value: &f32| value.abs() <= WORLD;
    if !(x >= SIDE && y >= SIDE && shape.corners().iter().flatten().all(within)) {
        return None;
    }
    let id = file.get(at as usize..)?.first_chunk::<4>()?;
    if *id == [0; 4] {
        return None;
    }
    let mut leg = Leg::start(layout, file, at)?;
    *paths = paths.checked_sub(leg.paths)?;
    while leg.paths > 0 {
        leg.step(layout, file)?;
    }
    Some(u64::from(leg.end(layout, file)?.end))
}

/// The way over one area.
struct Leg {
    spans: Spans,
    at: u64,
    /// Paths that are left.
    paths: u32,
}

impl Leg {
    #[inline(always)]
    fn start(layout: Layout, file: &[u8], at: u64) -> Option<Self> {
        let mut ruler = Ruler::<()>::new(file, at);
        let mut spans = Spans::before_paths(layout, &mut ruler).ok()?;
        let paths = if layout.has_old_paths() { ruler.path_count::<33>() } else { ruler.path_count::<11>() };
        spans.path_count = paths.ok()?;
        Some(Self { paths: spans.path_count, at: ruler.at(), spans })
    }

    /// Passes one path.
    #[inline(always)]
    fn step(&mut self, layout: Layout, file: &[u8]) -> Option<()> {
        self.at = step(layout, file, self.at)?;
        self.paths = self.paths.saturating_sub(1);
        Some(())
    }

    /// Passes what follows the last path.
    #[inline(always)]
    fn end(&mut self, layout: Layout, file: &[u8]) -> Option<&Spans> {
        let mut ruler = Ruler::<()>::new(file, self.at);
        ruler.leave_paths(self.at).ok()?;
        self.spans.after_paths(layout, &mut ruler).ok()?;
        Some(&self.spans)
    }

    /// Ends one area and starts the next. Nothing more if there is none to start.
    #[inline(always)]
    fn turn<'a, G: Gather<'a>>(
        &mut self,
        layout: Layout,
        areas: &mut Areas<'a>,
        gathered: &mut G,
        till: u64,
    ) -> Option<()> {
        let spans = *self.end(layout, areas.bytes())?;
        let area = Area::new(layout, areas.bytes(), areas.index(), spans)?;
        areas.pass(&area);
        gathered.add(&area);
        if areas.at() >= till || areas.left() == 0 {
            return None;
        }
        *self = Self::start(layout, areas.bytes(), areas.at())?;
        Some(())
    }
}

#[inline(always)]
fn step(layout: Layout, file: &[u8], at: u64) -> Option<u64> {
    if layout.has_old_paths() { path_end::<33, 16>(file, at) } else { path_end::<11, 5>(file, at) }
}

/// Walks with both cursors in turn, until the first is at the guess or past it, or one of them cannot go on. Both then stand at the
/// start of an area that is not yet gathered.
fn both<'a, G: Gather<'a>>(first: (&mut Areas<'a>, &mut G), guess: u64, second: (&mut Areas<'a>, &mut G)) {
    // Each has its own copy of the walk, as in `Layout::measure`.
    let _ = match first.0.layout() {
        COUNTER_STRIKE_GO => walk(COUNTER_STRIKE_GO, first, guess, second),
        other => walk(other, first, guess, second),
    };
}

#[inline(always)]
fn walk<'a, G: Gather<'a>>(
    layout: Layout,
    (first, gathered): (&mut Areas<'a>, &mut G),
    guess: u64,
    (second, later): (&mut Areas<'a>, &mut G),
) -> Option<()> {
    let file = first.bytes();
    if first.left() == 0 {
        return None;
    }
    let mut a = Leg::start(layout, file, first.at())?;
    let mut b = Leg::start(layout, file, second.at())?;
    loop {
        let steps = a.paths.min(b.paths);
        let (mut at_a, mut at_b) = (a.at, b.at);
        for _ in 0..steps {
            at_a = step(layout, file, at_a)?;
            at_b = step(layout, file, at_b)?;
        }
        (a.at, b.at) = (at_a, at_b);
        a.paths = a.paths.wrapping_sub(steps);
        b.paths = b.paths.wrapping_sub(steps);
        if a.paths == 0 {
            a.turn(layout, first, gathered, guess)?;
        }
        if b.paths == 0 {
            b.turn(layout, second, later, u64::MAX)?;
            // No more than the first leaves to it.
            if second.index() >= first.left() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceNav;
    use navmap_testkit::source as kit;

    #[derive(Default)]
    struct Offsets(Vec<u32>);

    impl<'a> Gather<'a> for Offsets {
        fn add(&mut self, area: &Area<'a>) {
            self.0.push(area.offset());
        }

        fn append(&mut self, later: Self) {
            self.0.extend(later.0);
        }
    }

    #[test]
    fn a_guess_is_the_start_of_an_area_and_its_half_is_kept() {
        let games = (1..=14).map(|version| (version, None)).chain([(16, Some(1))]);
        for (version, subversion) in games {
            let shape =
                kit::Shape { cells: 900, seed: 5, visible: 3, paths: true, approaches: 2, ladders: 3 };
            let bytes = kit::write(&kit::level(version, subversion, &shape));
            let nav = SourceNav::parse(&bytes).unwrap();
            let plain: Vec<u32> = nav.areas().map(|area| area.unwrap().offset()).collect();
            let guess = guess(&nav.areas()).unwrap();
            let half = plain.binary_search(&(guess as u32)).unwrap();
            let (mut first, mut second) = (nav.areas(), nav.areas().elsewhere(guess));
            let (mut early, mut later) = (Offsets::default(), Offsets::default());
            both((&mut first, &mut early), guess, (&mut second, &mut later));
            assert!(later.0.len() > plain.len() / 3, "version {version}");
            assert!(early.0 == plain[..early.0.len()] && later.0 == plain[half..][..later.0.len()]);
            let mut whole = Offsets::default();
            gather(nav.areas(), &mut whole, Offsets::default).unwrap();
            assert_eq!(whole.0, plain);
        }
    }

    #[test]
    fn a_guess_costs_no_more_paths_than_it_may() {
        let shape = kit::Shape { cells: 100, seed: 5, visible: 0, paths: true, approaches: 0, ladders: 0 };
        let mut mesh = kit::level(5, None, &shape);
        let mut path = mesh.areas.iter().find_map(|area| area.paths.first()).unwrap().clone();
        path.spots.clear();
        for (paths, guessed) in [(100, true), (6_000, false)] {
            mesh.areas.iter_mut().for_each(|area| area.paths = vec![path.clone(); paths]);
            let bytes = kit::write(&mesh);
            let nav = SourceNav::parse(&bytes).unwrap();
            assert_eq!(guess(&nav.areas()).is_some(), guessed, "{paths} paths an area");
            let mut whole = Offsets::default();
            gather(nav.areas(), &mut whole, Offsets::default).unwrap();
            assert_eq!(whole.0.len(), mesh.areas.len());
        }
    }

    #[test]
    fn what_the_second_cursor_found_counts_only_if_the_first_lands_where_it_began() {
        let shape = kit::Shape { cells: 300, seed: 5, visible: 0, paths: true, approaches: 0, ladders: 0 };
        let bytes = kit::write(&kit::level(5, None, &shape));
        let nav = SourceNav::parse(&bytes).unwrap();
        let starts: Vec<u64> = nav.areas().map(|area| u64::from(area.unwrap().offset())).collect();
        for (at, joins) in [(starts[150], true), (starts[150] + 1, false), (starts[150] - 1, false)] {
            let (mut first, mut second) = (nav.areas(), nav.areas().elsewhere(at));
            while first.at() < at {
                first.next().unwrap().unwrap();
            }
            second.next();
            let before = first.index();
            assert_eq!(first.join(at, &second), joins, "{at}");
            assert_eq!(first.index() > before, joins);
        }
    }
}
