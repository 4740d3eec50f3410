//! Determines what can be reached from where, part by part.

use super::area::Area;
use super::ask::Query;
use super::index::NavIndex;
use super::misuse::Misuse;
use super::price::{Price, any};
use super::scratch::slot;

/// The connection of a part of a mesh to the starting areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joined {
    /// It can be reached, and left again.
    Both,
    /// It can be reached, but not left again.
    NoWayBack,
    /// It cannot be reached, only left: a ledge to drop from.
    NoWayIn,
    /// There is no path there or back.
    CutOff,
}

impl Joined {
    /// `reached`, `no-way-back`, `no-way-in`, `cut-off`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "reached",
            Self::NoWayBack => "no-way-back",
            Self::NoWayIn => "no-way-in",
            Self::CutOff => "cut-off",
        }
    }

    /// Whether it can be reached.
    pub fn is_reached(self) -> bool {
        matches!(self, Self::Both | Self::NoWayBack)
    }
}

/// Calls a function with each area linked to one.
type Neighbours<'n> = dyn Fn(usize, &mut dyn FnMut(usize)) + 'n;

/// A part of a mesh: areas with the same [connection](Joined) to the start, and linked to each other.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Region {
    /// How one gets there.
    pub joined: Joined,
    /// Its areas, in file order.
    pub areas: Vec<Area>,
    /// Size of its ground from above, in square units.
    pub size: f64,
}

impl NavIndex {
    /// Divides the mesh by its connection to `from`: reachable parts first, and among equals the largest first.
    ///
    /// Links and areas forbidden by the query count as missing, and so do those of `from`: nothing is reached from an area that is
    /// blocked or that the filter refuses. Costs do not matter. Linear in areas and links.
    ///
    /// # Errors
    /// If an area does not exist, or the overlay belongs to another index.
    pub fn regions(&self, from: &[Area], query: &Query<'_>) -> Result<Vec<Region>, Misuse> {
        let any = any(self, query)?;
        let starts: Vec<usize> = from.iter().map(|&area| slot(self, area)).collect::<Result<_, _>>()?;
        let rows = &self.parts.rows;
        let there_is = |area: usize| any.as_ref().is_none_or(|price| price.enters(self, area));
        let open = |from: usize, link: usize| {
            let price = any.as_ref().map_or_else(
                || rows.links()[link].length,
                |price| if price.enters(self, from) { price.price(self, from, link) } else { f32::INFINITY },
            );
            (0.0..f32::INFINITY).contains(&price)
        };
        let flood = |next: &Neighbours<'_>| {
            let mut seen = vec![false; self.len()];
            let mut stack: Vec<usize> = Vec::new();
            let mut put = |area: usize, stack: &mut Vec<usize>| {
                if !std::mem::replace(&mut seen[area], true) {
                    stack.push(area);
                }
            };
            starts.iter().filter(|start| there_is(**start)).for_each(|&start| put(start, &mut stack));
            while let Some(area) = stack.pop() {
                next(area, &mut |to| put(to, &mut stack));
            }
            seen
        };
        let there = flood(&|area, put| {
            rows.row(area).filter(|&link| open(area, link)).for_each(|link| put(rows.links()[link].to()));
        });
        let back = flood(&|area, put| {
            rows.incoming(area).filter(|&(from, link)| open(from, link)).for_each(|(from, _)| put(from));
        });
        let joined = |area: usize| match (there[area], back[area]) {
            (true, true) => Joined::Both,
            (true, false) => Joined::NoWayBack,
            (false, true) => Joined::NoWayIn,
            (false, false) => Joined::CutOff,
        };
        let mut seen = vec![false; self.len()];
        let mut regions = Vec::new();
        let mut stack = Vec::new();
        for &start in &self.parts.of_node {
            let start = start as usize;
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let own = joined(start);
            let mut region = Region { joined: own, areas: Vec::new(), size: 0.0 };
            stack.push(start);
            while let Some(area) = stack.pop() {
                region.areas.push(Area::new(area as u32));
                region.size += self.size(area);
                let out = rows.row(area).filter(|&link| open(area, link)).map(|link| rows.links()[link].to());
                let into = rows.incoming(area).filter(|&(from, link)| open(from, link)).map(|(from, _)| from);
                for next in out.chain(into) {
                    if joined(next) == own && !std::mem::replace(&mut seen[next], true) {
                        stack.push(next);
                    }
                }
            }
            region.areas.sort_unstable_by_key(|area| self.parts.node_of[area.slot()]);
            regions.push(region);
        }
        regions.sort_by_key(|region| (region.joined, std::cmp::Reverse(region.areas.len())));
        Ok(regions)
    }
}
