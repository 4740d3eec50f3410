//! Compares the route table of a `.nod` file with the shortest ways.

use super::flags::{Hull, LinkFlags};
use super::nod::{HULLS, NodNav};
use super::record::NodLink;
use super::route::{Doors, Step};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The route table's answers, compared with the shortest ways along the links.
///
/// Whether a creature can pass a door depends on the door, which is not in the file. So a way counts as too long only if it is
/// longer than the shortest one without doors, and as missing only if there is one without doors.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RouteReport {
    /// How many answers were examined. Each is for a start, a target, a hull, with or without doors.
    pub asked: u64,
    /// How many rightly say that there is no way.
    pub none: u64,
    /// How many are missing: the bytes end, or name a node that does not exist.
    pub broken: u64,
    /// How many lead to a node that is not linked for the hull, or from which nothing leads on.
    pub astray: u64,
    /// How many wrongly say that there is no way, though there are ways in both directions.
    pub lost: u64,
    /// How many wrongly say that there is no way, where there is none back. The game makes its tables so: if it finds no way, it
    /// notes none for the way back either.
    pub one_sided: u64,
    /// How many lead along a way that is longer than the shortest one.
    pub longer: u64,
    /// The length of the worst of them, as a multiple of the shortest way.
    pub worst: f32,
}

/// The tolerance of lengths, as a factor: the game adds in 32 bits and ignores a thousandth.
const SLACK: f32 = 0.25;

impl NodNav<'_> {
    /// Compares the route table with the shortest ways, for as many targets as `work` allows. A link passed or a byte read costs 1;
    /// all targets of the largest public file cost 53 million.
    pub fn compare_routes(&self, work: u64) -> RouteReport {
        let mut report = RouteReport::default();
        let (nodes, mut left) = (self.nodes().len(), work);
        let links = (self.links().len() as u64).saturating_mul(8).saturating_add(nodes as u64);
        let each = links.saturating_add(nodes as u64).saturating_mul((HULLS as u64).saturating_mul(2));
        let targets =
            usize::try_from(work.checked_div(each).unwrap_or(1)).unwrap_or(usize::MAX).clamp(1, nodes.max(1));
        let stride = nodes.div_ceil(targets).max(1);
        for hull in (0_u8..).take(HULLS).map(Hull) {
            let ways = Ways::new(self, hull);
            for target in (0..nodes).step_by(stride) {
                let lengths = Lengths {
                    all: ways.lengths_to(target, true),
                    free: ways.lengths_to(target, false),
                    back: ways.reached_from(target),
                };
                for doors in Doors::ALL {
                    for source in (0..nodes).filter(|source| *source != target) {
                        let (step, read) = self.routes().next_counted(source, target, hull, doors);
                        report.add(step, source, &ways, &lengths);
                        // Finding a link examines all links that reach its end.
                        let searched = match step {
                            Step::To(next) => ways.reaching.get(next).len(),
                            _ => 0,
                        };
                        left = left.saturating_sub(read as u64).saturating_sub(searched as u64);
                        if left == 0 {
                            return report;
                        }
                    }
                }
                left = left.saturating_sub(links);
            }
        }
        report
    }
}

/// The ways to a target.
struct Lengths {
    /// How far each node is from it.
    all: Vec<f32>,
    /// How far each node is without doors.
    free: Vec<f32>,
    /// Whether a node can be reached from it without doors.
    back: Vec<bool>,
}

impl RouteReport {
    fn add(&mut self, step: Step, source: usize, ways: &Ways<'_>, of: &Lengths) {
        let at = |lengths: &[f32], node: usize| lengths.get(node).copied().unwrap_or(f32::INFINITY);
        self.asked = self.asked.saturating_add(1);
        let count = match step {
            Step::Broken => &mut self.broken,
            Step::NoWay if at(&of.free, source).is_finite() => match of.back.get(source) {
                Some(true) => &mut self.lost,
                _ => &mut self.one_sided,
            },
            Step::NoWay => &mut self.none,
            Step::To(next) => match ways.weight(source, next) {
                Some(weight) if at(&of.all, next).is_finite() => {
                    let (way, shortest) = (weight + at(&of.all, next), at(&of.free, source));
                    if way <= shortest + SLACK + shortest * 0.001 {
                        return;
                    }
                    self.worst = self.worst.max(way / shortest.max(1.0));
                    &mut self.longer
                }
                _ => &mut self.astray,
            },
        };
        *count = count.saturating_add(1);
    }
}

/// Numbers of links, by one of their ends.
struct Rows {
    firsts: Vec<u32>,
    links: Vec<u32>,
}

impl Rows {
    /// The links of which `end` gives a node.
    fn collect(nav: &NodNav<'_>, end: impl Fn(&NodLink<'_>) -> Option<usize>) -> Self {
        let mut firsts = vec![0_u32; nav.nodes().len().saturating_add(1)];
        for end in nav.links().iter().filter_map(|link| end(&link)) {
            let count = firsts.get_mut(end.saturating_add(1));
            count.into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        let mut sum = 0_u32;
        for first in &mut firsts {
            sum = sum.saturating_add(*first);
            *first = sum;
        }
        let (mut next, mut links) = (firsts.clone(), vec![0; sum as usize]);
        for (link, number) in nav.links().iter().zip(0_u32..) {
            let Some(place) = end(&link).and_then(|end| next.get_mut(end)) else { continue };
            links.get_mut(*place as usize).into_iter().for_each(|slot| *slot = number);
            *place = place.saturating_add(1);
        }
        Self { firsts, links }
    }

    fn get(&self, node: usize) -> &[u32] {
        let range = self.firsts.get(node).zip(self.firsts.get(node.saturating_add(1)));
        range.and_then(|(from, to)| self.links.get(*from as usize..*to as usize)).unwrap_or_default()
    }
}

/// The links that a hull fits through.
struct Ways<'n> {
    nav: &'n NodNav<'n>,
    reaching: Rows,
    leaving: Rows,
}

impl<'n> Ways<'n> {
    fn new(nav: &'n NodNav<'n>, hull: Hull) -> Self {
        let hull = LinkFlags(1_u32.checked_shl(hull.0.into()).unwrap_or(0));
        let known = |end: i32| usize::try_from(end).ok().filter(|end| *end < nav.nodes().len());
        let ends = |link: &NodLink<'_>| {
            let ends = known(link.source()).zip(known(link.target()));
            ends.filter(|_| link.flags().contains(hull))
        };
        let reaching = Rows::collect(nav, |link| Some(ends(link)?.1));
        let leaving = Rows::collect(nav, |link| Some(ends(link)?.0));
        Self { nav, reaching, leaving }
    }

    fn links<'w>(&'w self, rows: &'w Rows, node: usize) -> impl Iterator<Item = NodLink<'n>> + 'w {
        rows.get(node).iter().filter_map(|link| self.nav.links().get(*link as usize))
    }

    /// The weight of the shortest link from one node to another, if a link leads there.
    fn weight(&self, from: usize, to: usize) -> Option<f32> {
        let ours = self.links(&self.reaching, to).filter(|link| usize::try_from(link.source()) == Ok(from));
        ours.map(|link| link.weight()).min_by(f32::total_cmp)
    }

    /// The nodes that a node reaches without doors.
    fn reached_from(&self, start: usize) -> Vec<bool> {
        let mut reached = vec![false; self.nav.nodes().len()];
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for link in self.links(&self.leaving, node).filter(|link| !link.is_blocked()) {
                let Ok(to) = usize::try_from(link.target()) else { continue };
                if let Some(reached) = reached.get_mut(to).filter(|reached| !**reached) {
                    *reached = true;
                    open.push(to);
                }
            }
        }
        reached
    }

    /// How far each node is from the target, by links with doors or without.
    fn lengths_to(&self, target: usize, doors: bool) -> Vec<f32> {
        let mut lengths = vec![f32::INFINITY; self.nav.nodes().len()];
        let mut done = vec![false; lengths.len()];
        // Lengths are never negative, so their bits sort as they do.
        let mut open = BinaryHeap::from([Reverse((0.0_f32.to_bits(), target))]);
        lengths.get_mut(target).into_iter().for_each(|length| *length = 0.0);
        while let Some(Reverse((bits, node))) = open.pop() {
            match done.get_mut(node) {
                Some(done) if !*done => *done = true,
                _ => continue,
            }
            for link in self.links(&self.reaching, node).filter(|link| doors || !link.is_blocked()) {
                let (weight, from) = (link.weight(), usize::try_from(link.source()));
                let Some(length) = from.ok().and_then(|from| lengths.get_mut(from)) else { continue };
                let through = f32::from_bits(bits) + weight;
                if weight >= 0.0 && through < *length {
                    *length = through;
                    open.push(Reverse((through.to_bits(), from.unwrap_or_default())));
                }
            }
        }
        lengths
    }
}
