//! Floors that lie over one another within a step's height.
//!
//! Detour snaps each end of a connection to the polygon under or over it, and treats heights that differ by less than the climb
//! as equal. Among several such floors it picks the first, so an end is put where there is only one. If there is no such place,
//! the tile states a smaller climb. The same applies to floors that meet at the side of a tile.

use super::budget::Budget;
use super::plan::{height, inside};
use super::soup::Soup;
use navmap_core::error::Result;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The most cell entries per polygon; beyond it, cells are made larger.
const ENTRIES: u64 = 8;

/// So many polygons that are passed over by their boxes cost as much as one corner of one that is looked at.
const PASSED_AS_ONE: usize = 16;

/// Floors as close as this are one: the search ends.
const SAME: f32 = 1e-4;

/// The polygons over a cell, from low to high, and how far the tallest of them rises.
#[derive(Default)]
struct Cell {
    loops: Vec<Boxed>,
    tallest: f32,
}

/// A polygon with its box, which lies beside those that are passed over after it.
#[derive(Clone, Copy)]
struct Boxed {
    index: u32,
    /// The heights of its lowest and its highest corner.
    heights: [f32; 2],
    plan: [[f32; 2]; 2],
}

impl Boxed {
    fn new(soup: &Soup, index: usize) -> Self {
        let heights = rise(soup, index);
        Self { index: index as u32, heights, plan: plan(soup, index) }
    }

    /// Whether a place may be over the polygon.
    fn is_under(&self, [x, _, z]: [f32; 3]) -> bool {
        let [[x0, z0], [x1, z1]] = self.plan;
        (x0..=x1).contains(&x) && (z0..=z1).contains(&z)
    }
}

/// The polygons over each cell of a grid.
pub(super) struct Floors<'s> {
    soup: &'s Soup,
    budget: &'s Budget,
    cell: f32,
    climb: f32,
    over: HashMap<[i32; 2], Cell>,
}

impl<'s> Floors<'s> {
    /// Linear in the number of polygons, but for sorting those of a cell.
    pub(super) fn new(soup: &'s Soup, climb: f32, budget: &'s Budget) -> Self {
        let boxes: Vec<Boxed> = (0..soup.loops.len()).map(|index| Boxed::new(soup, index)).collect();
        let mut floors = Self { soup, budget, cell: 1.0, climb, over: HashMap::new() };
        while boxes.iter().map(|polygon| floors.count(&polygon.plan)).fold(0, u64::saturating_add)
            > ENTRIES * boxes.len() as u64
        {
            floors.cell *= 2.0;
        }
        for polygon in &boxes {
            let [low, high] = polygon.plan.map(|corner| floors.cell_of(corner));
            for x in low[0]..=high[0] {
                for z in low[1]..=high[1] {
                    floors.over.entry([x, z]).or_default().loops.push(*polygon);
                }
            }
        }
        for cell in floors.over.values_mut() {
            cell.loops.sort_by(|a, b| a.heights[0].total_cmp(&b.heights[0]));
            let rises = cell.loops.iter().map(|polygon| polygon.heights[1] - polygon.heights[0]);
            cell.tallest = rises.fold(0.0, f32::max);
        }
        floors
    }

    fn cell_of(&self, [x, z]: [f32; 2]) -> [i32; 2] {
        [x, z].map(|value| (value / self.cell).floor() as i32)
    }

    fn count(&self, bounds: &[[f32; 2]; 2]) -> u64 {
        let [low, high] = bounds.map(|corner| self.cell_of(corner));
        let cells = |axis: usize| high[axis].abs_diff(low[axis]) as u64 + 1;
        cells(0).saturating_mul(cells(1))
    }

    /// Fails if more was asked for than may be spent: then what was told is not all.
    pub(super) fn held(&self) -> Result<()> {
        self.budget.held()
    }

    /// Counts so many looks at polygons. Returns whether they may be looked at.
    pub(super) fn takes(&self, polygons: usize) -> bool {
        self.budget.takes(polygons)
    }

    /// The vertical distance to the nearest polygon of another node at this place; `None` if none is within the climb.
    pub(super) fn gap(&self, node: u32, at: [f32; 3]) -> Option<f32> {
        self.gap_within(self.climb, &[node], at)
    }

    /// Like [`gap`](Self::gap), ignoring the nodes of `but`, within twice the climb, which is Detour's tolerance between tiles.
    pub(super) fn gap_at_side(&self, but: &[u32], at: [f32; 3]) -> Option<f32> {
        self.gap_within(2.0 * self.climb, but, at)
    }

    /// Whether a polygon of another node lies within the climb of this place. Ends at the first.
    pub(super) fn cover(&self, node: u32, at: [f32; 3]) -> bool {
        self.least_gap(self.climb, self.climb, &[node], at).is_some()
    }

    fn gap_within(&self, most: f32, but: &[u32], at: [f32; 3]) -> Option<f32> {
        self.least_gap(most, SAME, but, at)
    }

    /// The distance to the nearest polygon within `most`, or to any that is within `enough`. Looks downwards first and then up, so
    /// that the nearest floor, which ends both, is met early.
    fn least_gap(&self, most: f32, enough: f32, but: &[u32], at: [f32; 3]) -> Option<f32> {
        if !self.budget.takes(1) {
            return None;
        }
        let cell = self.over.get(&self.cell_of([at[0], at[2]]))?;
        let middle = cell.loops.partition_point(|polygon| polygon.heights[0] <= at[1]);
        let (below, above) = cell.loops.split_at(middle);
        let mut search = Search { floors: self, but, at, reach: most, enough, least: None, passed: 0 };
        let _ = below.iter().rev().try_for_each(|polygon| search.look(polygon, cell.tallest));
        if search.least.is_none_or(|least| least > enough) {
            let _ = above.iter().try_for_each(|polygon| search.look(polygon, 0.0));
        }
        // The caller asks whether that was too much.
        self.budget.takes(search.passed / PASSED_AS_ONE);
        search.least
    }
}

/// A search for the floor nearest to a place.
struct Search<'f, 's> {
    floors: &'f Floors<'s>,
    but: &'f [u32],
    at: [f32; 3],
    /// How far a floor may be.
    reach: f32,
    enough: f32,
    least: Option<f32>,
    passed: usize,
}

impl Search<'_, '_> {
    /// Looks at one polygon, of which none further on rises higher above its lowest corner than `tallest`. Breaks if those further
    /// on need not be looked at.
    fn look(&mut self, of: &Boxed, tallest: f32) -> ControlFlow<()> {
        let [low, high] = of.heights;
        // Slack, because a height is computed anew from the corners.
        let reach = self.reach + SAME + low.abs().max(high.abs()) * 1e-6;
        self.passed += 1;
        if low - self.at[1] > reach || self.at[1] - low - tallest > reach {
            return ControlFlow::Break(());
        }
        if self.at[1] - high > reach || !of.is_under(self.at) {
            return ControlFlow::Continue(());
        }
        let polygon = self.floors.soup.loops.get(of.index);
        if self.but.contains(&polygon.node) {
            return ControlFlow::Continue(());
        }
        if !self.floors.budget.takes(polygon.len()) {
            return ControlFlow::Break(());
        }
        // Cutting has left six at most.
        let mut corners = [[0.0; 3]; 6];
        for (corner, place) in corners.iter_mut().zip(self.floors.soup.corners(polygon)) {
            *corner = place;
        }
        let corners = &corners[..polygon.len().min(6)];
        if !inside(corners, self.at) {
            return ControlFlow::Continue(());
        }
        let gap = (height(corners, self.at) - self.at[1]).abs();
        if gap <= self.reach && self.least.is_none_or(|least| gap < least) {
            (self.least, self.reach) = (Some(gap), gap);
            if gap <= self.enough {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The heights of the lowest and the highest corner.
fn rise(soup: &Soup, index: usize) -> [f32; 2] {
    let heights = soup.corners(soup.loops.get(index as u32)).map(|[_, y, _]| y);
    heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)])
}

/// The box of a polygon in plan.
fn plan(soup: &Soup, index: usize) -> [[f32; 2]; 2] {
    let none = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
    soup.corners(soup.loops.get(index as u32)).fold(none, |[low, high], [x, _, z]| {
        [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
    })
}
