//! Searches from one area to all around it: distances and floods.

use super::area::Area;
use super::ask::{Cost, Query};
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Charges, Lengths, Price, any, steps_up};
use super::scratch::{PathScratch, State, slot};
use std::ops::ControlFlow;

/// How far a [flood](PathScratch::flood) goes. The default goes everywhere; `with_…` changes it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Flood<'q> {
    /// The costs and permitted links. Its `search`, `max_length` and `max_pops` are ignored.
    pub query: Query<'q>,
    /// The highest cost it reaches.
    pub travel: f32,
    /// The highest step up, in units.
    pub up: f32,
    /// The deepest step down, in units.
    pub down: f32,
    /// Whether to follow links backwards too, to areas from which this one can be reached. Both ends of such a link have to be
    /// permitted by the query.
    pub incoming: bool,
}

impl Default for Flood<'_> {
    fn default() -> Self {
        Self {
            query: Query::shortest(),
            travel: f32::INFINITY,
            up: f32::INFINITY,
            down: f32::INFINITY,
            incoming: false,
        }
    }
}

impl<'q> Flood<'q> {
    navmap_core::with! {
        with_query = query: Query<'q>;
        with_travel = travel: f32;
        with_up = up: f32;
        with_down = down: f32;
        with_incoming = incoming: bool;
    }
}

impl PathScratch {
    /// Writes the cost of the path from an area to every other into `out`, by [position](Area::position). It is infinite if there
    /// is no path, or none with a cost of at most `query.max_length`. Returns the number of areas reached: none from a
    /// [blocked](super::Overlay::block) area.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::query::{PathScratch, Query};
    ///
    /// let from = index.areas().next().expect("an area");
    /// let mut costs = vec![0.0; index.len()];
    /// let reached = PathScratch::new(index).distance_map(index, from, &Query::shortest(), &mut costs)?;
    /// assert!(costs[from.position() as usize] == 0.0 && reached > 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the scratch, the overlay or the buffer belongs to another index, or the area does not exist.
    pub fn distance_map(
        &mut self,
        index: &NavIndex,
        from: Area,
        query: &Query<'_>,
        out: &mut [f32],
    ) -> Result<usize, Misuse> {
        self.map(index, from, query, out, false)
    }

    /// Writes the cost of the path from every other area to this one: a [`distance_map`](Self::distance_map) along reversed
    /// links. No path begins in a [blocked](super::Overlay::block) area. An area that the filter refuses is not asked for where a
    /// path begins in it.
    ///
    /// # Errors
    /// Those of [`distance_map`](Self::distance_map).
    pub fn distance_map_to(
        &mut self,
        index: &NavIndex,
        to: Area,
        query: &Query<'_>,
        out: &mut [f32],
    ) -> Result<usize, Misuse> {
        self.map(index, to, query, out, true)
    }

    fn map(
        &mut self,
        index: &NavIndex,
        start: Area,
        query: &Query<'_>,
        out: &mut [f32],
        backward: bool,
    ) -> Result<usize, Misuse> {
        self.begin(index)?;
        let start = slot(index, start)?;
        if out.len() != index.len() {
            return Err(Misuse::WrongLength { len: out.len(), areas: index.len() });
        }
        let (any, most) = (any(index, query)?, query.max_length);
        out.fill(f32::INFINITY);
        match (any, query.cost) {
            (Some(any), _) => Ok(self.dijkstra(index, start, &any, most, backward, out)),
            (None, Cost::Engine) if !index.parts.rows.free_of_tolls() => {
                Ok(self.dijkstra(index, start, &Charges, most, backward, out))
            }
            (None, _) => Ok(self.dijkstra(index, start, &Lengths, most, backward, out)),
        }
    }

    fn dijkstra(
        &mut self,
        index: &NavIndex,
        start: usize,
        price: &impl Price,
        most: f32,
        backward: bool,
        out: &mut [f32],
    ) -> usize {
        if !price.leaves(start) {
            return 0;
        }
        let rows = &index.parts.rows;
        let heap = &mut self.heap;
        let mut reached = 0;
        out[start] = 0.0;
        heap.push(0.0, start, |_, _| true);
        while let Some((cost, area)) = heap.pop() {
            if cost != out[area] {
                continue;
            }
            reached += 1;
            let mut relax = |to: usize, charge: f32| {
                let sum = cost + charge;
                if charge >= 0.0 && sum < out[to] && sum <= most {
                    out[to] = sum;
                    heap.push(sum, to, |cost, area| cost == out[area]);
                }
            };
            if backward {
                for (from, link) in rows.incoming(area) {
                    if price.leaves(from) {
                        relax(from, price.price(index, from, link));
                    }
                }
            } else {
                for link in rows.row(area) {
                    relax(rows.links()[link].to(), price.price(index, area, link));
                }
            }
        }
        reached
    }

    /// Calls `each` with every area reachable from one, nearest first, and with the cost of the path, until it breaks. The first
    /// is the area itself, unless it is [blocked](super::Overlay::block): then nothing is reached.
    ///
    /// # Errors
    /// Those of [`distance_map`](Self::distance_map).
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    /// # use navmap::query::{Policy, World};
    /// # let world = World::open("corpus/source/town.nav", &Policy::default())?;
    /// # let index = world.index();
    /// use navmap::query::{Flood, PathScratch};
    /// use std::ops::ControlFlow;
    ///
    /// let from = index.areas().next().expect("an area");
    /// let (mut scratch, mut heard) = (PathScratch::new(index), 0);
    /// scratch.flood(index, from, &Flood::default().with_travel(500.0), |_, cost| {
    ///     heard += usize::from(cost <= 500.0);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert!(heard > 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flood(
        &mut self,
        index: &NavIndex,
        from: Area,
        flood: &Flood<'_>,
        each: impl FnMut(Area, f32) -> ControlFlow<()>,
    ) -> Result<(), Misuse> {
        self.begin(index)?;
        let start = slot(index, from)?;
        match any(index, &flood.query)? {
            Some(any) => self.flow(index, start, flood, &any, each),
            None if matches!(flood.query.cost, Cost::Length) => {
                self.flow(index, start, flood, &Lengths, each)
            }
            None => self.flow(index, start, flood, &Charges, each),
        }
        Ok(())
    }

    fn flow(
        &mut self,
        index: &NavIndex,
        start: usize,
        flood: &Flood<'_>,
        price: &impl Price,
        mut each: impl FnMut(Area, f32) -> ControlFlow<()>,
    ) {
        if !price.leaves(start) {
            return;
        }
        let rows = &index.parts.rows;
        let run = self.run;
        let stepped = flood.up < f32::INFINITY || flood.down < f32::INFINITY;
        self.states[start] = State { run, cost: 0.0, rest: 0.0, parent: u32::MAX };
        self.heap.push(0.0, start, |_, _| true);
        while let Some((cost, area)) = self.heap.pop() {
            if cost != self.states[area].cost {
                continue;
            }
            if each(Area::new(area as u32), cost).is_break() {
                return;
            }
            let (states, heap) = (&mut self.states, &mut self.heap);
            let mut relax = |to: usize, from: usize, link: usize| {
                if stepped {
                    let up = steps_up(index, from, link);
                    if up > flood.up || up > f32::NEG_INFINITY && -up > flood.down {
                        return;
                    }
                }
                let charge = price.price(index, from, link);
                let sum = cost + charge;
                let known = states[to];
                if charge >= 0.0
                    && sum <= flood.travel
                    && sum < f32::INFINITY
                    && (known.run != run || sum < known.cost)
                {
                    states[to] = State { run, cost: sum, rest: 0.0, parent: area as u32 };
                    heap.push(sum, to, |cost, area| cost == states[area].cost);
                }
            };
            rows.row(area).for_each(|link| relax(rows.links()[link].to(), area, link));
            if flood.incoming {
                for (from, link) in rows.incoming(area) {
                    if price.enters(index, from) {
                        relax(from, from, link);
                    }
                }
            }
        }
    }
}
