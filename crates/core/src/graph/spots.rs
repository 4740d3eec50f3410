//! Any graph as points on the floor and links between them, for bots whose files hold no more.

use super::{FlatGraph, Link, LinkKind, NavGraph, Point, Shape};
use crate::text::counted;
use crate::{Finding, Severity};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A graph as points on the floor.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spots {
    /// The points. Those of nodes come in order, and before those that were put between them.
    pub spots: Vec<Spot>,
    /// Links: from, to, and how. Sorted, each once.
    pub links: Vec<(u32, u32, LinkKind)>,
    /// How many nodes had no place to stand, and were left out.
    pub without_place: u64,
    /// How many links lead out of the graph, and were left out.
    pub outside: u64,
    /// How many links lead from a node to itself, and were left out.
    pub to_self: u64,
    /// How many links lead from a node to another as one before them does.
    pub repeated: u64,
    /// How many points were asked for at most.
    pub most: usize,
    /// How many points became part of a neighbour, so that there are few enough; and how far apart points were for that.
    pub merged: (u64, f32),
}

/// A point on the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Where the floor is: file units.
    pub floor: Point,
    /// Its radius, where the graph has one.
    pub radius: Option<f32>,
    /// The node that it is; `None` for a point at a portal or at the end of a ladder.
    pub node: Option<u32>,
    /// Whether it is the end of a ladder.
    pub ladder: bool,
}

/// What nodes and links of a graph say and the waypoints cannot, with how many say so.
#[derive(Debug, Clone, Default)]
pub struct Unsaid {
    flags: BTreeMap<String, u64>,
    kinds: BTreeMap<[&'static str; 2], u64>,
}

impl Unsaid {
    /// Counts a flag of a node.
    pub fn flag(&mut self, word: String) {
        let count = self.flags.entry(word).or_default();
        *count = count.saturating_add(1);
    }

    /// Counts a link that becomes one of another kind. Borders are walks, and where one crouches waypoints say so.
    pub fn kind(&mut self, before: LinkKind, after: LinkKind) {
        let kinds = [before, after].map(|kind| match kind {
            LinkKind::Border | LinkKind::Crouch => LinkKind::Walk,
            kind => kind,
        });
        if kinds[0] != kinds[1] {
            let count = self.kinds.entry(kinds.map(LinkKind::name)).or_default();
            *count = count.saturating_add(1);
        }
    }
}

/// How near the end of a portal a straight way may pass it, as a share of its length.
const EDGE: f32 = 0.05;

impl Spots {
    /// Tells what of the graph is lost in points and in `unsaid`, a [`Warning`](Severity::Warning) for each kind of loss.
    pub fn bill(&self, graph: &FlatGraph, unsaid: &Unsaid, losses: &mut dyn FnMut(Finding)) {
        let mut lost = |code, what: String| losses(Finding::new(Severity::Warning, code, what));
        if self.without_place > 0 {
            let all = ["node without a place is", "nodes without a place are"];
            lost("nodes-lost", format!("{} lost", counted(self.without_place, all[0], all[1])));
        }
        if self.outside > 0 {
            let all = ["link that leads out of the mesh is", "links that lead out of the mesh are"];
            lost("links-lost", format!("{} lost", counted(self.outside, all[0], all[1])));
        }
        if self.to_self > 0 {
            let all = ["link from a node to itself is", "links from a node to itself are"];
            lost("links-lost", format!("{} lost", counted(self.to_self, all[0], all[1])));
        }
        if self.repeated > 0 {
            let all = ["link that repeats another is", "links that repeat another are"];
            lost("links-lost", format!("{} lost", counted(self.repeated, all[0], all[1])));
        }
        let (merged, side) = self.merged;
        if merged > 0 {
            let why = format!("the bot loads {} waypoints", self.most);
            lost("nodes-merged", format!("{merged} nodes are merged with others within {side} units, {why}"));
        }
        let count = self.spots.len();
        if count > self.most {
            lost("bot-refuses", format!("{count} waypoints, the bot loads {} at most", self.most));
        }
        for ([before, after], count) in &unsaid.kinds {
            let what = match *after {
                "walk" => format!("links of kind {before} are walks now ({count})"),
                _ => format!(
                    "links of kind {before} are of kind {after} now, since waypoints say it and not links ({count})"
                ),
            };
            lost("link-kind-lost", what);
        }
        for (word, count) in &unsaid.flags {
            lost("flags-lost", format!("the flag {word} is lost ({})", counted(*count, "node", "nodes")));
        }
        if graph.nodes().iter().any(|node| graph.corners(node).len() > 1) {
            lost("shapes-lost", "the shapes of areas are lost".to_owned());
        }
    }

    /// The points of a graph: the middles of its nodes; the middle of a portal where the straight way between two nodes misses the
    /// portal; the ends of ladders. If there are more than `most`, neighbours in small squares are merged, then those in
    /// larger ones, until there are few enough or nothing is left to merge. Linear, apart from sorting.
    pub fn of(graph: &FlatGraph, most: usize) -> Self {
        let mut flat = graph.clone();
        flat.put_on_floor();
        let mut made = Self { most, ..Self::default() };
        let mut numbers = Vec::with_capacity(flat.nodes().len());
        for (node, index) in flat.nodes().iter().zip(0_u32..) {
            let shape = flat.shape(node);
            let floor = shape.center().filter(|at| at.to_array().iter().all(|value| value.is_finite()));
            numbers.push(floor.map(|floor| {
                let radius = if let Shape::Point { radius, .. } = shape { radius } else { None };
                made.push(Spot { floor, radius, node: Some(index), ladder: false })
            }));
            made.without_place += u64::from(floor.is_none());
        }
        let mut portals = HashMap::new();
        let mut ladders = HashMap::new();
        let mut known = HashSet::new();
        for link in flat.links() {
            let end = |node: u32| numbers.get(node as usize).copied().flatten();
            let Some((from, to)) = end(link.from).zip(link.to.and_then(end)) else {
                made.outside += 1;
                continue;
            };
            let way = match (link.kind, link.path) {
                (LinkKind::Ladder, Some(path)) => {
                    let mut key = path.map(|point| point.to_array().map(f32::to_bits));
                    key.sort_unstable();
                    let [low, high] = *ladders.entry(key).or_insert_with(|| {
                        let mut ends = path;
                        ends.sort_by_key(|end| end.to_array().map(f32::to_bits));
                        ends.map(|floor| made.push(Spot { floor, radius: None, node: None, ladder: true }))
                    });
                    // Its ends, in the order of this way.
                    let first = path.first().map(|point| point.to_array());
                    let is_low = made.spots.get(low as usize).map(|spot| spot.floor.to_array()) == first;
                    let (a, b) = if is_low { (low, high) } else { (high, low) };
                    made.links.extend([(from, a, LinkKind::Walk), (a, b, LinkKind::Ladder)]);
                    (b, to, LinkKind::Walk)
                }
                _ if from == to => {
                    made.to_self += 1;
                    continue;
                }
                _ => {
                    made.repeated += u64::from(!known.insert([from, to]));
                    match made.detour(&link, [from, to], &mut portals) {
                        Some(portal) => {
                            made.links.push((from, portal, link.kind));
                            (portal, to, link.kind)
                        }
                        None => (from, to, link.kind),
                    }
                }
            };
            made.links.push(way);
        }
        made.tidy();
        made.thin(most);
        made
    }

    fn push(&mut self, spot: Spot) -> u32 {
        self.spots.push(spot);
        self.spots.len() as u32 - 1
    }

    /// The point at the portal of a link whose straight way misses it.
    fn detour(
        &mut self,
        link: &Link,
        [from, to]: [u32; 2],
        known: &mut HashMap<[u32; 2], u32>,
    ) -> Option<u32> {
        let [a, b] = link.portal?;
        let [start, end] = [from, to].map(|spot| self.spots.get(spot as usize).map(|spot| spot.floor));
        let (start, end) = start.zip(end)?;
        let side = |at: Point| (end.x - start.x) * (at.y - start.y) - (end.y - start.y) * (at.x - start.x);
        let (left, right) = (side(a), side(b));
        let share = left / (left - right);
        if (EDGE..=1.0 - EDGE).contains(&share) {
            return None;
        }
        let middle = Point::new((a.x + b.x) / 2.0, (a.y + b.y) / 2.0, (a.z + b.z) / 2.0);
        let spot = Spot { floor: middle, radius: None, node: None, ladder: false };
        Some(*known.entry([from.min(to), from.max(to)]).or_insert_with(|| self.push(spot)))
    }

    fn tidy(&mut self) {
        self.links.retain(|(from, to, _)| from != to);
        self.links.sort_unstable_by_key(|(from, to, kind)| (*from, *to, *kind as u8));
        self.links.dedup_by_key(|(from, to, _)| (*from, *to));
    }

    /// Merges points that lie in one square of a grid and are joined both ways on foot. The squares grow until few enough points
    /// are left, or until they are as large as a map.
    fn thin(&mut self, most: usize) {
        let mut side = 32.0_f32;
        while self.spots.len() > most && side < 65_536.0 {
            let before = self.spots.len();
            self.merge(side, self.spots.len() - most);
            if self.spots.len() < before {
                self.merged = (self.merged.0 + (before - self.spots.len()) as u64, side);
            }
            side *= 1.5;
        }
    }

    /// Merges at most `wanted` points into neighbours in the same square.
    fn merge(&mut self, side: f32, wanted: usize) {
        let square = |spot: &Spot| spot.floor.to_array().map(|value| (value / side).floor() as i64);
        let merges = |kind: &LinkKind| matches!(kind, LinkKind::Walk | LinkKind::Border | LinkKind::Crouch);
        let mut into: Vec<u32> = (0..self.spots.len() as u32).collect();
        // A point goes into one that stays, so that one step tells where it went.
        let mut kept = vec![false; self.spots.len()];
        let mut left = wanted;
        for (from, to, kind) in &self.links {
            let ends = [from, to].map(|end| self.spots.get(*end as usize));
            let [Some(a), Some(b)] = ends else { continue };
            let back = self.links.binary_search_by_key(&(*to, *from), |(from, to, _)| (*from, *to)).is_ok();
            // The point of a node stays rather than one between nodes.
            let (keep, gone) = if a.node.is_some() || b.node.is_none() { (*from, *to) } else { (*to, *from) };
            let stays = |at: u32| into.get(at as usize) == Some(&at);
            let free = stays(gone) && stays(keep) && kept.get(gone as usize) == Some(&false);
            if left > 0 && free && back && merges(kind) && !a.ladder && !b.ladder && square(a) == square(b) {
                into.get_mut(gone as usize).into_iter().for_each(|into| *into = keep);
                kept.get_mut(keep as usize).into_iter().for_each(|kept| *kept = true);
                left -= 1;
            }
        }
        let root = |at: u32| into.get(at as usize).copied().unwrap_or(at);
        let mut numbers = BTreeMap::new();
        let mut spots = Vec::new();
        for (spot, at) in self.spots.iter().zip(0_u32..) {
            if root(at) == at {
                numbers.insert(at, spots.len() as u32);
                spots.push(*spot);
            }
        }
        let number = |at: u32| numbers.get(&root(at)).copied().unwrap_or_default();
        self.links = self.links.iter().map(|(from, to, kind)| (number(*from), number(*to), *kind)).collect();
        self.spots = spots;
        self.tidy();
    }
}

impl FlatGraph {
    /// The names of the flags of a node, in small letters; those without one as `bit 9`.
    pub fn flag_words(&self, node: u32) -> impl Iterator<Item = String> + '_ {
        let flags = self.nodes().get(node as usize).map_or(0, |node| node.flags);
        (0..64_u32)
            .filter(move |bit| flags >> bit & 1 == 1)
            .map(|bit| self.flag(bit).map_or_else(|| format!("bit {bit}"), str::to_ascii_lowercase))
    }
}
