//! Values that no game writes: NaN, impossible positions, repeated entries.

use super::super::flags::Direction;
use super::super::index::AreaIndex;
use super::super::record::{AreaId, Shape};
use super::super::view::SourceNav;
use super::{Checker, nth};
use Severity::{Deviation, Error, Info, Warning};
use navmap_core::{Finding, Severity};

/// The extent of the engine's world from its origin, in units.
const WORLD: f32 = 16_384.0;

/// How far a hiding spot may lie beside its area, in units: positions are rounded.
const BESIDE: f32 = 1.0;

/// Checks what the header says about the map.
pub(super) fn head(nav: &SourceNav<'_>, found: &mut dyn FnMut(Finding)) {
    if nav.bsp_size() == Some(0) {
        let at = if nav.version() < 10 { 8 } else { 12 };
        let what = "the map's size is 0, so that the mesh belongs to no map".to_owned();
        found(Finding::new(Warning, "zero-map-size", what).at(at));
    }
}

/// Calls `report` for impossible sizes and ends of a ladder.
pub(crate) fn ladder(
    [width, length]: [f32; 2],
    [top, bottom]: [[f32; 3]; 2],
    mut report: impl FnMut(Severity, &'static str, String),
) {
    for (name, size) in [("width", width), ("length", length)] {
        if !size.is_finite() {
            report(Error, "ladder-size", format!("the {name} is {size}"));
        } else if size < 0.0 {
            report(Warning, "ladder-size", format!("the {name} is {size}, below zero"));
        }
    }
    for (name, end) in [("top", top), ("bottom", bottom)] {
        if !end.iter().all(|value| value.is_finite()) {
            report(Error, "non-finite-coordinate", format!("the {name} of the ladder is not finite"));
        }
    }
    if [top, bottom].iter().flatten().any(beyond) {
        report(Deviation, "outside-world", "the ladder reaches beyond 16384 units".to_owned());
    }
}

/// Whether all coordinates of a rectangle are numbers within the engine's world, as in all but a few areas. Takes no branch for each.
pub(super) fn is_within_world(shape: &Shape) -> bool {
    let ([a, b, c], [d, e, f]) = (shape.north_west(), shape.south_east());
    let all = [a, b, c, d, e, f, shape.north_east_z(), shape.south_west_z()];
    all.into_iter().fold(true, |within, value| within & (value.abs() <= WORLD))
}

/// Whether a coordinate is a number beyond the engine's world.
pub(crate) fn beyond(value: &f32) -> bool {
    value.is_finite() && value.abs() > WORLD
}

/// Lists of so many entries are looked through for a repeated one before they are sorted: nearly all have none.
const SHORT: usize = 8;

/// Whether some entry is there twice.
fn has_alike<T: PartialEq>(mut list: &[(T, u32)]) -> bool {
    while let [(entry, _), later @ ..] = list {
        if later.iter().any(|(other, _)| other == entry) {
            return true;
        }
        list = later;
    }
    false
}

/// Repeated entries of a list, with the positions of all but the first.
#[derive(Default)]
pub(crate) struct Repeats<T>(Vec<(T, u32)>);

impl<T: Ord + Copy> Repeats<T> {
    /// Calls `each` with every repeated entry and its position. Sorts a copy of the list.
    pub(crate) fn visit(&mut self, list: impl ExactSizeIterator<Item = T>, mut each: impl FnMut(T, u32)) {
        if list.len() < 2 {
            return;
        }
        self.0.clear();
        self.0.extend(list.zip(0..));
        if self.0.len() <= SHORT && !has_alike(&self.0) {
            return;
        }
        self.0.sort_unstable();
        for pair in self.0.windows(2) {
            if let [(first, _), (entry, at)] = pair
                && first == entry
            {
                each(*entry, *at);
            }
        }
    }
}

/// Areas with the same two stored corners as an earlier one: the position, and the first area with this rectangle, in file order.
pub(super) fn twins(index: &AreaIndex<'_>) -> Vec<(u32, u32)> {
    let rectangle = |position: u32| {
        let shape = index.shape(position as usize)?;
        Some([shape.north_west(), shape.south_east()].map(|corner| corner.map(f32::to_bits)))
    };
    // Rectangles are long, and hardly two are the same: what is sorted is a number made of each, and its position.
    let numbered = |position: u32| Some(number(rectangle(position)?) << 32 | u64::from(position));
    let mut numbers: Vec<u64> = (0..index.len() as u32).filter_map(numbered).collect();
    numbers.sort_unstable();
    let mut twins = Vec::new();
    for alike in numbers.chunk_by(|a, b| a >> 32 == b >> 32).filter(|alike| alike.len() > 1) {
        let positions = alike.iter().map(|number| *number as u32);
        let mut rectangles: Vec<_> = positions.filter_map(|at| Some((rectangle(at)?, at))).collect();
        rectangles.sort_unstable();
        let mut first: Option<([[u32; 3]; 2], u32)> = None;
        for (rectangle, position) in rectangles {
            match first {
                Some((same, earlier)) if same == rectangle => twins.push((position, earlier)),
                _ => first = Some((rectangle, position)),
            }
        }
    }
    twins.sort_unstable();
    twins
}

/// A number of 32 bits, the same for the same rectangle, and nearly always another for another.
fn number([[a, b, c], [d, e, f]]: [[u32; 3]; 2]) -> u64 {
    let pairs = [(a, d), (b, e), (c, f)].map(|(low, high)| u64::from(high) << 32 | u64::from(low));
    let mix = |sum: u64, pair: u64| (sum.rotate_left(29) ^ pair).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    pairs.into_iter().fold(0, mix) >> 32
}

impl Checker<'_, '_, '_> {
    /// Checks numbers of the area that need no other area. `within` says that its coordinates need no look.
    pub(super) fn values(&mut self, within: bool) {
        let (area, layout) = (self.area, self.nav.layout());
        if !within && area.corners().iter().flatten().any(beyond) {
            let at = area.offset().saturating_add(layout.shape_at() as u32);
            self.report(Deviation, "outside-world", at, "the area reaches beyond 16384 units".to_owned());
        }
        let times = area.spans().times;
        let seconds = area.earliest_occupy_times().unwrap_or_default();
        if !seconds.iter().all(|value| value.is_finite()) {
            let what = format!("the earliest occupy times are {seconds:?}");
            self.report(Warning, "non-finite-value", times, what);
        }
        let light = area.light().unwrap_or_default();
        if !light.iter().all(|value| value.is_finite()) {
            let what = format!("the light at the corners is {light:?}");
            self.report(Warning, "non-finite-value", times.saturating_add(8), what);
        }
    }

    /// Lists are long, so there is one finding per area.
    pub(super) fn visible_bits(&mut self) {
        let list = self.area.visible_areas();
        let odd = || (0..).zip(list).filter(|(_, entry)| entry.visibility().unnamed() != 0);
        if let Some((first, entry)) = odd().next() {
            let (count, bits) = (odd().count(), entry.visibility().bits());
            let what = format!(
                "{count} of {} visibility bytes have unknown bits, the first is {bits:#x}",
                list.len()
            );
            let at = nth(self.area.spans().visible, 4, 5, first).saturating_add(4);
            self.report(Warning, "visibility-bits", at, what);
        }
    }

    pub(super) fn twin(&mut self, twins: &[(u32, u32)], index: &AreaIndex<'_>) {
        let mine = self.area.index();
        if let Ok(at) = twins.binary_search_by_key(&mine, |(position, _)| *position)
            && let Some((_, first)) = twins.get(at)
            && let Some(earlier) = index.id(*first as usize)
        {
            let at = self.area.offset().saturating_add(self.nav.layout().shape_at() as u32);
            let what = format!("lies where #{earlier} does (record {first})");
            self.report(Warning, "shared-rectangle", at, what);
        }
    }

    pub(super) fn repeats(&mut self, repeats: &mut Repeats<AreaId>) {
        let area = self.area;
        for (direction, start) in Direction::ALL.into_iter().zip(area.spans().connections) {
            repeats.visit(area.connections(direction).iter().copied(), |target, i| {
                let what = format!("connected {direction} to #{target} more than once");
                self.report(Warning, "duplicate-connection", nth(start, 4, 4, i as usize), what);
            });
        }
    }

    /// Reports a finite hiding spot outside its area.
    pub(super) fn inside(&mut self, [x, y, _]: [f32; 3], at: u32) {
        let shape = self.area.shape();
        let (nw, se) = (shape.north_west(), shape.south_east());
        let beside = [nw[0] - x, x - se[0], nw[1] - y, y - se[1]].into_iter().fold(0.0, f32::max);
        if beside > BESIDE && !shape.is_degenerate() {
            let what = format!("a hiding spot lies {beside} units beside its area");
            self.report(Info, "hiding-spot-outside", at, what);
        }
    }
}
