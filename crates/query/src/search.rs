//! Searches for the cheapest path.

use super::area::Area;
use super::ask::{Cost, Goal, Outcome, Query, Search};
use super::ground::distance;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Charges, Lengths, Permitted, Price, any};
use super::scratch::{Job, PathScratch, Phase, State, aim, slot};

/// The rules of a search, besides prices.
struct Rules<'q> {
    query: &'q Query<'q>,
    /// How many more areas to visit in this call.
    left: u32,
    /// The least increase in cost per link: this fraction of the cost so far, and as many units.
    growth: f32,
    /// Whether to track the closest area.
    track: bool,
    limited: bool,
}

/// How the loop of a search ended.
enum Ended {
    /// At the goal.
    Goal,
    /// Nothing is left to visit.
    Nowhere,
    /// As many areas as one call may visit were visited.
    Paused,
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
            ..Job::IDLE
        };
        self.start(start);
        if query.overlay.is_some_and(|overlay| overlay.is_blocked(from)) {
            self.heap.clear();
        }
        Ok(self.go_on(index, query, any))
    }

    /// Begins in an area.
    fn start(&mut self, start: usize) {
        self.states[start] = State { run: self.run, cost: 0.0, rest: 0.0, parent: u32::MAX };
        self.lengths[start] = 0.0;
        self.heap.push(0.0, start, |_, _| true);
    }

    /// Resumes a search that was [`Unfinished`](Outcome::Unfinished), for the same number of areas again. Pass the same query
    /// that it began with. If its overlay has changed meanwhile, areas that were visited before count as they were then:
    /// [`Corridor::is_valid`](super::Corridor::is_valid) tells whether the way is still open.
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
        if self.job.by_length {
            return self.by_length(index, query, price, query.max_pops);
        }
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
            left: query.max_pops,
            growth: growth(index, query),
            track: query.partial,
            limited: query.max_length < f32::INFINITY,
        };
        let before = self.job.pops;
        // Two loops, so that the usual one needs no tests.
        let ended = if rules.track || rules.limited || query.max_pops < u32::MAX {
            self.expand::<true>(index, &rules, price, estimate)
        } else {
            self.expand::<false>(index, &rules, price, estimate)
        };
        let goal = self.job.goal as usize;
        let outcome = match ended {
            Ended::Paused => return Outcome::Unfinished,
            Ended::Goal if self.trace(index, query, price, goal) => {
                Some(Outcome::Found { cost: self.states[goal].cost })
            }
            Ended::Nowhere if !self.job.cut => self.nothing(index, query, price),
            _ => None,
        };
        outcome.unwrap_or_else(|| {
            // Of each area the cheapest way was kept. A longer one may have kept out one that is short enough.
            let visited = u32::try_from(self.job.pops - before).unwrap_or(u32::MAX);
            let start = self.job.from as usize;
            (self.job.phase, self.job.by_length) = (Phase::Searching, true);
            (self.job.closest, self.job.distance) =
                (self.job.from, distance(index.parts.geometry.center(start), self.job.aim));
            self.next_run();
            self.start(start);
            self.by_length(index, query, price, query.max_pops.saturating_sub(visited))
        })
    }

    /// Searches the shortest of the ways that the query permits, after the cheapest one was too long. Its cost is that of the query
    /// again.
    #[cold]
    fn by_length(&mut self, index: &NavIndex, query: &Query<'_>, price: &dyn Price, left: u32) -> Outcome {
        let rules = Rules { query, left, growth: 0.0, track: query.partial, limited: true };
        let (goal, shortest) = (self.job.goal as usize, Permitted(price));
        // Without an estimate no area is visited twice, so its way is as long as was noted.
        match self.expand::<true>(index, &rules, &shortest, |_| 0.0) {
            Ended::Paused => Outcome::Unfinished,
            Ended::Goal if self.trace(index, query, &shortest, goal) => {
                Outcome::Found { cost: self.charge(index, query, price) }
            }
            _ => match self.nothing(index, query, &shortest) {
                Some(Outcome::Partial { closest, distance, .. }) => {
                    Outcome::Partial { closest, distance, cost: self.charge(index, query, price) }
                }
                Some(outcome) => outcome,
                // An overlay that changed while the search was unfinished has left only a longer link.
                None => self.no_way(index, self.job.from as usize, goal),
            },
        }
    }

    /// Gives the steps of a way that was searched by length the costs of the query, and returns the last one.
    fn charge(&mut self, index: &NavIndex, query: &Query<'_>, price: &dyn Price) -> f32 {
        let growth = growth(index, query);
        let (mut cost, mut before) = (0f32, None);
        for step in self.heap.reused() {
            let (area, link) = ((step >> 32) as usize, *step as u32 as usize);
            if let Some(before) = before {
                // Closed by now, if the overlay has changed while the search was unfinished.
                let charge = Some(price.price(index, before, link)).filter(|charge| *charge < f32::INFINITY);
                cost = (cost + charge.unwrap_or_default()).max(cost + (cost * growth + growth));
            }
            self.states[area].cost = cost;
            before = Some(area);
        }
        cost
    }

    #[inline]
    fn expand<const CAREFUL: bool>(
        &mut self,
        index: &NavIndex,
        rules: &Rules<'_>,
        price: &impl Price,
        estimate: impl Fn(usize) -> f32,
    ) -> Ended {
        let parts = &index.parts;
        let (run, goal) = (self.run, self.job.goal as usize);
        let mut left = rules.left;
        loop {
            if CAREFUL && left == 0 {
                return Ended::Paused;
            }
            let Some((total, area)) = self.heap.pop() else { return Ended::Nowhere };
            let State { cost, rest, .. } = self.states[area];
            if total != cost + rest {
                // A cheaper path was found after this entry was made.
                continue;
            }
            if area == goal {
                return Ended::Goal;
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
                        self.job.cut = true;
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
    }

    /// The outcome of a search that has not come to its goal. `None` if the way to the closest area is longer than allowed.
    fn nothing(&mut self, index: &NavIndex, query: &Query<'_>, price: &impl Price) -> Option<Outcome> {
        let Job { from, goal, closest, distance, .. } = self.job;
        if !query.partial {
            return Some(self.no_way(index, from as usize, goal as usize));
        }
        let cost = self.states[closest as usize].cost;
        let short = self.trace(index, query, price, closest as usize);
        short.then_some(Outcome::Partial { closest: Area::new(closest), distance, cost })
    }

    /// Writes the steps of the way to an area into the memory of the heap. Whether it is no longer than allowed: an area that was
    /// visited again may now have a longer way than the areas after it were given, also if those cost as much as before.
    fn trace(&mut self, index: &NavIndex, query: &Query<'_>, price: &impl Price, end: usize) -> bool {
        let rows = &index.parts.rows;
        self.job.phase = Phase::Idle;
        let steps = self.heap.reuse();
        let mut area = end;
        loop {
            let parent = self.states[area].parent;
            if parent == u32::MAX || steps.len() > self.states.len() {
                steps.push((area as u64) << 32);
                break;
            }
            let parent = parent as usize;
            // The first of the cheapest links, the one the search took. An overlay may have closed it while the search was
            // unfinished; the link is then still one that leads there.
            let mut best: (f32, Option<usize>) = (f32::INFINITY, None);
            for link in rows.row(parent).filter(|&link| rows.links()[link].to() == area) {
                let charge = price.price(index, parent, link);
                let charge = if charge >= 0.0 { charge } else { f32::INFINITY };
                if best.1.is_none() || charge < best.0 {
                    best = (charge, Some(link));
                }
            }
            steps.push((area as u64) << 32 | best.1.unwrap_or_default() as u64);
            area = parent;
        }
        steps.reverse();
        let lengths = steps.iter().skip(1).map(|step| rows.links()[*step as u32 as usize].length);
        if query.max_length < f32::INFINITY
            && lengths.fold(0.0, |sum, length| sum + length) > query.max_length
        {
            return false;
        }
        self.job.phase = Phase::Found;
        true
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

/// The least increase in cost per link: this fraction of the cost so far, and as many units.
fn growth(index: &NavIndex, query: &Query<'_>) -> f32 {
    if query.search == Search::Engine { index.parts.rules.least_growth } else { 0.0 }
}
