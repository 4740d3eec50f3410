//! Searches from one area to all around it: distances and floods.

use super::area::Area;
use super::ask::{Cost, Misuse, Query};
use super::index::NavIndex;
use super::price::{Charges, Lengths, Price, any, steps_up};
use super::scratch::{PathScratch, State, slot};
use std::ops::ControlFlow;

/// How far a [flood](PathScratch::flood) goes. The default goes everywhere.
#[derive(Debug, Clone, Copy)]
pub struct Flood<'q> {
    /// What links cost and which may be taken. Its `search`, `max_length` and `max_pops` are ignored.
    pub query: Query<'q>,
    /// The highest cost to which it goes.
    pub travel: f32,
    /// The highest step up that it takes, in units.
    pub up: f32,
    /// The deepest step down that it takes, in units.
    pub down: f32,
    /// Whether links are followed backward too, to areas from which one can come here.
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

impl PathScratch {
    /// Writes the cost of the way from an area to each other one into `out`, by [position](Area::position). It is
    /// infinite if there is no way, or none of at most `query.max_length` in cost. Returns how many areas were reached.
    ///
    /// # Errors
    /// If the scratch, the overlay or the buffer is of another index, or the area does not exist.
    pub fn distance_map(
        &mut self,
        index: &NavIndex,
        from: Area,
        query: &Query<'_>,
        out: &mut [f32],
    ) -> Result<usize, Misuse> {
        self.map(index, from, query, out, false)
    }

    /// Writes the cost of the way from each other area to this one: a [`distance_map`](Self::distance_map) along
    /// reversed links.
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
        out.fill(f32::INFINITY);
        let most = query.max_length;
        match (any(index, query)?, query.cost) {
            (Some(any), _) => {
                let blocked =
                    query.overlay.is_some_and(|overlay| overlay.is_blocked(Area::new(start as u32)));
                if blocked {
                    return Ok(0);
                }
                Ok(self.dijkstra(index, start, &any, most, backward, out))
            }
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
                rows.incoming(area).for_each(|(from, link)| relax(from, price.price(index, from, link)));
            } else {
                for link in rows.row(area) {
                    relax(rows.links()[link].to(), price.price(index, area, link));
                }
            }
        }
        reached
    }

    /// Calls `each` with every area that can be reached from one, the nearest first, and with the cost of the way,
    /// until it breaks. The first is the area itself.
    ///
    /// # Errors
    /// Those of [`distance_map`](Self::distance_map).
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
                rows.incoming(area).for_each(|(from, link)| relax(from, from, link));
            }
        }
    }
}
