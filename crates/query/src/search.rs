//! Searches for the cheapest path.

use super::area::Area;
use super::ask::{Cost, Goal, Outcome, Query, Search};
use super::ground::distance;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Charges, Lengths, Price, any};
use super::scratch::{Job, PathScratch, Phase, State, aim, slot};

/// The rules of a search, besides prices.
struct Rules<'q> {
    query: &'q Query<'q>,
    /// The least increase in cost per link: this fraction of the cost so far, and as many units.
    growth: f32,
    /// Whether to track the closest area.
    track: bool,
    limited: bool,
}

impl PathScratch {
    /// The path from one area to another, or to a point in one. The steps stay in the scratch until the next query.
    ///
    /// A table first shows whether there is any path, then A* runs. Nothing is allocated.
    ///
    /// ```
    /// # use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
    /// # use navmap::query::{NavIndex, Outcome, PathScratch, Query};
    /// # let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
    /// # for x in [0.0, 100.0, 200.0] {
    /// #     let square = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(u, v)| Point::new(x + u, v, 0.0));
    /// #     graph.add_node(1, Shape::Polygon(&square));
    /// # }
    /// # for (from, to) in [(0, 1), (1, 0), (1, 2)] {
    /// #     graph.add_link(Link::new(from, to, LinkKind::Walk));
    /// # }
    /// let index = NavIndex::build(&graph).whole()?;
    /// let mut scratch = PathScratch::new(&index);
    /// let here = index.area_at(Point::new(50.0, 50.0, 10.0), None).unwrap();
    /// let there = index.nearest(Point::new(290.0, 50.0, 300.0), 1000.0).unwrap().area;
    ///
    /// assert_eq!(scratch.path(&index, here, there, &Query::default())?, Outcome::Found { cost: 200.0 });
    /// assert_eq!(scratch.steps(&index).map(|step| step.cost).collect::<Vec<_>>(), [0.0, 100.0, 200.0]);
    /// assert_eq!(scratch.path(&index, there, here, &Query::default())?, Outcome::NoWay);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the scratch or the overlay belongs to another index, or an area does not exist.
    pub fn path(
        &mut self,
        index: &NavIndex,
        from: Area,
        to: impl Into<Goal>,
        query: &Query<'_>,
    ) -> Result<Outcome, Misuse> {
        let to = to.into();
        self.begin(index)?;
        let (start, goal) = (slot(index, from)?, slot(index, to.area)?);
        let any = any(index, query)?;
        let blocked =
            query.overlay.is_some_and(|overlay| overlay.is_blocked(from) || overlay.is_blocked(to.area));
        let hopeless = index.parts.reach.known(start, goal) == Some(false) || blocked;
        if hopeless && !query.partial {
            return Ok(self.no_way(index, start, goal));
        }
        let aim = aim(index, to);
        let distance = distance(index.parts.geometry.center(start), aim);
        self.job = Job {
            phase: Phase::Searching,
            from: start as u32,
            goal: goal as u32,
            aim,
            closest: start as u32,
            distance,
            pops: 0,
        };
        self.states[start] = State { run: self.run, cost: 0.0, rest: 0.0, parent: u32::MAX };
        self.lengths[start] = 0.0;
        if !query.overlay.is_some_and(|overlay| overlay.is_blocked(from)) {
            self.heap.push(0.0, start, |_, _| true);
        }
        Ok(self.go_on(index, query, any))
    }

    /// Resumes a search that was [`Unfinished`](Outcome::Unfinished), for the same number of areas again. Pass the same query
    /// that it began with.
    ///
    /// # Errors
    /// If there is no such search, and those of [`path`](Self::path).
    pub fn resume(&mut self, index: &NavIndex, query: &Query<'_>) -> Result<Outcome, Misuse> {
        if !self.fits(index) {
            return Err(Misuse::OtherIndex);
        }
        if self.job.phase != Phase::Searching {
            return Err(Misuse::NothingToResume);
        }
        let any = any(index, query)?;
        Ok(self.go_on(index, query, any))
    }

    /// Length of the shortest path in units. `None` if there is none, or if the scratch or an area belongs to another index.
    pub fn travel_distance(&mut self, index: &NavIndex, from: Area, to: Area) -> Option<f32> {
        self.path(index, from, to, &Query::shortest()).ok()?.cost()
    }

    fn go_on(&mut self, index: &NavIndex, query: &Query<'_>, any: Option<super::price::Any<'_>>) -> Outcome {
        match (any, query.cost) {
            (Some(any), _) => self.with_price(index, query, &any),
            (None, Cost::Engine) if !index.parts.rows.free_of_tolls() => {
                self.with_price(index, query, &Charges)
            }
            (None, _) => self.with_price(index, query, &Lengths),
        }
    }

    fn with_price(&mut self, index: &NavIndex, query: &Query<'_>, price: &impl Price) -> Outcome {
        let aim = self.job.aim;
        let straight = |area: usize| distance(index.parts.geometry.center(area), aim);
        let custom = matches!(query.cost, Cost::Custom(_));
        match query.search {
            Search::Engine => self.run(index, query, price, straight),
            Search::Shortest if custom => self.run(index, query, price, |_| 0.0),
            Search::Shortest => {
                let scale = index.parts.scale;
                let goal = self.job.goal as usize;
                match index.guides() {
                    // An aim off the center is not a node: distances to the center do not bound those to it. But the search ends
                    // at the area, so the estimates to its center are the right ones.
                    Some(landmarks) => {
                        let center = index.parts.geometry.center(goal);
                        let at_goal = landmarks.row(goal);
                        self.run(index, query, price, |area| {
                            let straight = distance(index.parts.geometry.center(area), center) * scale;
                            landmarks.estimate(area, at_goal).max(straight)
                        })
                    }
                    None => {
                        let center = index.parts.geometry.center(goal);
                        self.run(index, query, price, |area| {
                            distance(index.parts.geometry.center(area), center) * scale
                        })
                    }
                }
            }
        }
    }

    fn run(
        &mut self,
        index: &NavIndex,
        query: &Query<'_>,
        price: &impl Price,
        estimate: impl Fn(usize) -> f32,
    ) -> Outcome {
        let rules = Rules {
            query,
            growth: if query.search == Search::Engine { index.parts.rules.least_growth } else { 0.0 },
            track: query.partial,
            limited: query.max_length < f32::INFINITY,
        };
        // Two loops, so that the usual one needs no tests.
        if rules.track || rules.limited || query.max_pops < u32::MAX {
            self.expand::<true>(index, &rules, price, estimate)
        } else {
            self.expand::<false>(index, &rules, price, estimate)
        }
    }

    #[inline]
    fn expand<const CAREFUL: bool>(
        &mut self,
        index: &NavIndex,
        rules: &Rules<'_>,
        price: &impl Price,
        estimate: impl Fn(usize) -> f32,
    ) -> Outcome {
        let parts = &index.parts;
        let (run, goal) = (self.run, self.job.goal as usize);
        let mut left = rules.query.max_pops;
        loop {
            if CAREFUL && left == 0 {
                return Outcome::Unfinished;
            }
            let Some((total, area)) = self.heap.pop() else { break };
            let State { cost, rest, .. } = self.states[area];
            if total != cost + rest {
                // A cheaper path was found after this entry was made.
                continue;
            }
            if area == goal {
                return self.found(index, price, goal);
            }
            if CAREFUL {
                left -= 1;
            }
            self.job.pops += 1;
            // Each link increases the cost by at least this much, so costs always grow.
            let least = cost + (cost * rules.growth + rules.growth);
            for link in parts.rows.row(area) {
                let charge = price.price(index, area, link);
                if !(charge >= 0.0) {
                    continue;
                }
                let packed = parts.rows.links()[link];
                let to = packed.to();
                let sum = cost + charge;
                let sum = if sum < least { least } else { sum };
                let known = self.states[to];
                if !(sum < f32::INFINITY) || known.run == run && known.cost <= sum {
                    continue;
                }
                if CAREFUL && rules.limited {
                    let length = self.lengths[area] + packed.length;
                    if !(length <= rules.query.max_length) {
                        continue;
                    }
                    self.lengths[to] = length;
                }
                let rest = if known.run == run {
                    known.rest
                } else {
                    let rest = estimate(to);
                    if CAREFUL && rules.track {
                        let distance = distance(parts.geometry.center(to), self.job.aim);
                        if distance < self.job.distance {
                            (self.job.closest, self.job.distance) = (to as u32, distance);
                        }
                    }
                    if rest > 0.0 { rest } else { 0.0 }
                };
                self.states[to] = State { run, cost: sum, rest, parent: area as u32 };
                if sum + rest < f32::INFINITY {
                    let states = &self.states;
                    self.heap
                        .push(sum + rest, to, |total, area| total == states[area].cost + states[area].rest);
                }
            }
        }
        let Job { from, closest, distance, .. } = self.job;
        if rules.track {
            let cost = self.states[closest as usize].cost;
            let _ = self.found(index, price, closest as usize);
            return Outcome::Partial { closest: Area::new(closest), distance, cost };
        }
        self.no_way(index, from as usize, goal)
    }

    /// Writes the steps into the memory of the heap.
    fn found(&mut self, index: &NavIndex, price: &impl Price, end: usize) -> Outcome {
        let rows = &index.parts.rows;
        let steps = self.heap.reuse();
        let mut area = end;
        loop {
            let parent = self.states[area].parent;
            if parent == u32::MAX || steps.len() > self.states.len() {
                steps.push((area as u64) << 32);
                break;
            }
            // The first of the cheapest links, the one the search took.
            let mut best = (f32::INFINITY, 0);
            for link in rows.row(parent as usize) {
                if rows.links()[link].to() == area {
                    let charge = price.price(index, parent as usize, link);
                    if charge >= 0.0 && charge < best.0 {
                        best = (charge, link);
                    }
                }
            }
            steps.push((area as u64) << 32 | best.1 as u64);
            area = parent as usize;
        }
        steps.reverse();
        self.job.phase = Phase::Found;
        Outcome::Found { cost: self.states[end].cost }
    }

    #[cold]
    fn no_way(&mut self, index: &NavIndex, from: usize, goal: usize) -> Outcome {
        self.job.phase = Phase::Idle;
        let aim = index.parts.geometry.center(goal);
        let reach = &index.parts.reach;
        let out =
            index.parts.exits.iter().filter(|exit| reach.known(from, exit.from as usize) != Some(false));
        let far = |exit: &&super::index::Exit| distance(index.parts.geometry.center(exit.from as usize), aim);
        match out.min_by(|a, b| far(a).total_cmp(&far(b))) {
            Some(exit) => Outcome::LeavesLoadedTiles { tile: exit.beyond, at: Area::new(exit.from) },
            None => Outcome::NoWay,
        }
    }
}
