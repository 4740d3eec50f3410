//! Selectors over a graph: for meshes that have no editor of their own, and for damaged ones.

use super::read::Show;
use navmap_core::edit::{Atom, Refusal, Selector, Spot, Word, nearest, number};
use navmap_core::graph::{NavGraph, Point, inside};
use navmap_formats::{Family, codes};
use std::collections::HashSet;

/// What selectors know here besides ids and points, as it is typed, with what it selects.
pub(super) const SELECTORS: &[(&str, &str)] = &[
    ("all", "every node"),
    ("ids(1,2,5-9)", "these ids; of a range, those that exist"),
    ("ball(x,y,z,r)", "nodes with a corner within a radius"),
    ("box(x0,y0,z0,x1,y1,z1)", "nodes with a corner in a box"),
    ("place(Name)", "nodes of a place; place() those without one"),
    ("flag(Name)", "nodes with a flag"),
    ("group(Name)", "nodes of a group"),
    ("isolated", "nodes without any link"),
    ("deadends", "nodes that can be reached and that no link leaves"),
    ("finding(code)", "nodes that a check says this about; finding() anything"),
];

impl Show<'_> {
    /// The nodes that a selector selects, in its order: ids, points, `all`, `place(Name)` … joined by `+ , - & !`. An editor of a
    /// family may know further names: [`AnySession::items`](navmap_core::edit::AnySession::items) gives what
    /// [`named`](Self::named) takes.
    ///
    /// # Errors
    /// If the text is no selector, or names something that does not exist.
    pub fn select(&self, selector: &str) -> Result<Vec<u32>, Refusal> {
        let word = Word { text: selector.trim(), quoted: true, at: Spot { line: 1, column: 1 } };
        self.evaluate(&Selector::parse(&word)?)
    }

    /// The names that such selectors know: as they are typed, and what they select.
    pub fn selectors() -> &'static [(&'static str, &'static str)] {
        SELECTORS
    }

    fn evaluate(&self, selector: &Selector<'_>) -> Result<Vec<u32>, Refusal> {
        let set = |inner| self.evaluate(inner).map(|nodes| nodes.into_iter().collect::<HashSet<u32>>());
        let mut nodes = match selector {
            Selector::Atom(atom) => self.atom(atom)?,
            Selector::Union(left, right) => {
                let mut nodes = self.evaluate(left)?;
                nodes.extend(self.evaluate(right)?);
                nodes
            }
            Selector::Without(left, right) => {
                let (mut nodes, out) = (self.evaluate(left)?, set(right)?);
                nodes.retain(|node| !out.contains(node));
                nodes
            }
            Selector::Both(left, right) => {
                let (mut nodes, both) = (self.evaluate(left)?, set(right)?);
                nodes.retain(|node| both.contains(node));
                nodes
            }
            Selector::Not(inner) => {
                let out = set(inner)?;
                self.which(|node| !out.contains(&node))
            }
        };
        let mut seen = HashSet::with_capacity(nodes.len());
        nodes.retain(|node| seen.insert(*node));
        Ok(nodes)
    }

    fn which(&self, keep: impl Fn(u32) -> bool) -> Vec<u32> {
        (0..self.len()).filter(|node| keep(*node)).collect()
    }

    fn len(&self) -> u32 {
        u32::try_from(self.graph().nodes().len()).unwrap_or(u32::MAX)
    }

    fn corners(&self, node: u32) -> &[Point] {
        let graph = self.graph();
        graph.nodes().get(node as usize).map_or(&[], |node| graph.corners(node))
    }

    fn atom(&self, atom: &Atom<'_>) -> Result<Vec<u32>, Refusal> {
        match atom {
            Atom::Id { space, id } => {
                let name = format!("{space}#{id}");
                let nodes = self.named(&name);
                if nodes.is_empty() { Err(Refusal::new(format!("there is no {name}"))) } else { Ok(nodes) }
            }
            Atom::Point { space: "", nearest: true, at } => self.nearest(at),
            Atom::Point { space: "", at, .. } => self.holding(at),
            Atom::Point { space, .. } => Err(Refusal::new(format!("{space}@ where @ was expected"))),
            Atom::Name { name, arguments } => self.by_name(&name.to_ascii_lowercase(), arguments),
        }
    }

    /// The node over or under a point, as seen from above: of several the nearest in height, and without a height the highest. If
    /// no node has an outline, the nearest.
    fn holding(&self, at: &[f32]) -> Result<Vec<u32>, Refusal> {
        let axes = self.graph().axes();
        let (flat, height) = match *at {
            [x, y, z] => {
                let [right, up, height] = axes.plan(Point::new(x, y, z));
                ([right, up], Some(height))
            }
            [x, y] => ([x, y], None),
            _ => return Err(Refusal::new("a point has two or three numbers")),
        };
        let (mut outlined, mut best) = (false, None::<(f32, u32)>);
        for node in 0..self.len() {
            let corners: Vec<[f32; 3]> = self.corners(node).iter().map(|corner| axes.plan(*corner)).collect();
            let outline: Vec<[f32; 2]> = corners.iter().map(|[right, up, _]| [*right, *up]).collect();
            outlined |= outline.len() > 2;
            if outline.len() < 3 || !(inside(&outline, flat) || is_on_border(&outline, flat)) {
                continue;
            }
            let middle = corners.iter().map(|[_, _, height]| height).sum::<f32>() / corners.len() as f32;
            let far = height.map_or(-middle, |height| (middle - height).abs());
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, node));
            }
        }
        if let Some((_, node)) = best {
            return Ok(vec![node]);
        }
        let nearest = self.nearest(at)?;
        let near = nearest.first().and_then(|node| self.graph().nodes().get(*node as usize));
        match near.filter(|_| outlined) {
            Some(near) => {
                let (word, name) = (self.graph().node_word(), self.graph().ids().name(near.id));
                let why = format!("no {word} at {}: {name} is nearest (~@ takes it)", numbers(at));
                Err(Refusal::nothing(why))
            }
            None => Ok(nearest),
        }
    }

    /// The node whose middle is nearest to a point; seen from above if it has two numbers.
    fn nearest(&self, at: &[f32]) -> Result<Vec<u32>, Refusal> {
        let axes = self.graph().axes();
        let far = |node: u32| {
            let corners = self.corners(node);
            let sum = corners.iter().fold([0.0_f32; 3], |sum, corner| {
                let corner = corner.to_array();
                [sum[0] + corner[0], sum[1] + corner[1], sum[2] + corner[2]]
            });
            let middle = Point::from(sum.map(|value| value / corners.len() as f32));
            let far = match *at {
                [x, y, z] => middle.distance(Point::new(x, y, z)),
                [x, y] => {
                    let [right, up, _] = axes.plan(middle);
                    (right - x).hypot(up - y)
                }
                _ => f32::NAN,
            };
            Some((node, far)).filter(|(_, far)| far.is_finite())
        };
        let best = (0..self.len()).filter_map(far).min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(node, _)| vec![node]).ok_or_else(|| Refusal::new("nothing has a place"))
    }

    fn by_name(&self, name: &str, arguments: &[&str]) -> Result<Vec<u32>, Refusal> {
        let graph = self.graph();
        let node = |node: u32| graph.nodes().get(node as usize);
        let numbers = |count: usize| {
            let numbers: Option<Vec<f32>> = arguments.iter().map(|text| number(text)).collect();
            let usage =
                SELECTORS.iter().find(|(usage, _)| usage.starts_with(name)).map_or(name, |(usage, _)| usage);
            let fits = numbers.filter(|numbers| numbers.len() == count);
            fits.ok_or_else(|| Refusal::new(format!("{usage} was expected")))
        };
        match name {
            "all" => Ok(self.which(|_| true)),
            "ids" => self.ids(arguments),
            "ball" => {
                let numbers = numbers(4)?;
                let [x, y, z, radius] = numbers[..] else { return Ok(Vec::new()) };
                let near = |corner: &Point| corner.distance(Point::new(x, y, z)) <= radius;
                Ok(self.which(|node| self.corners(node).iter().any(near)))
            }
            "box" => {
                let numbers = numbers(6)?;
                let [low, high] = [numbers.get(..3), numbers.get(3..)].map(Option::unwrap_or_default);
                let within = |corner: &Point| {
                    let ranges = low.iter().zip(high);
                    ranges.zip(corner.to_array()).all(|((a, b), at)| a.min(*b) <= at && at <= a.max(*b))
                };
                Ok(self.which(|node| self.corners(node).iter().any(within)))
            }
            "place" => {
                let number = match arguments {
                    [] => None,
                    [name] => Some(find("place", name, graph.places())?),
                    _ => return Err(Refusal::new("place(Name) or place() was expected")),
                };
                Ok(self.which(|at| node(at).is_some_and(|node| node.place == number)))
            }
            "group" => {
                let [name] = arguments else { return Err(Refusal::new("group(Name) was expected")) };
                let number = find("group", name, graph.groups())?;
                Ok(self.which(|at| node(at).is_some_and(|node| node.group == Some(number))))
            }
            "flag" => {
                let mut bits = 0_u64;
                for name in arguments {
                    let bit = (0..64)
                        .find(|bit| graph.flag(*bit).is_some_and(|flag| flag.eq_ignore_ascii_case(name)));
                    let known = || (0..64).filter_map(|bit| graph.flag(bit));
                    let none = || Refusal::unknown("flag", name).among(name, known());
                    bits |= 1 << bit.ok_or_else(none)?;
                }
                Ok(self.which(|at| node(at).is_some_and(|node| node.flags & bits != 0)))
            }
            "isolated" => {
                Ok(self.which(|at| self.leaving(at).len() == 0 && self.arriving(at).next().is_none()))
            }
            "deadends" => {
                Ok(self.which(|at| self.leaving(at).len() == 0 && self.arriving(at).next().is_some()))
            }
            "finding" => {
                arguments.iter().try_for_each(|code| self.is_code(code))?;
                let wanted = |code: &str| arguments.is_empty() || arguments.contains(&code);
                Ok(self.findings.nodes(wanted))
            }
            _ => {
                let known = SELECTORS.iter().map(|(usage, _)| usage.split('(').next().unwrap_or(usage));
                Err(Refusal::unknown("selector", name).or(nearest(name, known)))
            }
        }
    }

    /// Refuses a code that no finding about such a mesh has.
    fn is_code(&self, code: &str) -> Result<(), Refusal> {
        let family = self.family();
        let is_ours = |of: Option<Family>| of.is_none() || family.is_none() || of == family;
        let known: Vec<&str> = codes().filter(|(of, _)| is_ours(*of)).map(|(_, known)| known.code).collect();
        if known.contains(&code) {
            return Ok(());
        }
        Err(Refusal::unknown("finding", code).or(nearest(code, known)))
    }

    fn ids(&self, arguments: &[&str]) -> Result<Vec<u32>, Refusal> {
        let mut nodes = Vec::new();
        for argument in arguments {
            let range = argument.split_once('-');
            match range
                .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse::<u64>().ok()?)))
            {
                Some((low, high)) => {
                    let ids = self.graph().nodes().iter().zip(0..);
                    nodes.extend(ids.filter(|(node, _)| (low..=high).contains(&node.id)).map(|(_, at)| at));
                }
                None => nodes.extend(self.atom(&Atom::Id { space: "", id: argument })?),
            }
        }
        Ok(nodes)
    }
}

/// The numbers of a point as they are typed.
fn numbers(at: &[f32]) -> String {
    at.iter().map(f32::to_string).collect::<Vec<_>>().join(",")
}

/// The number of a place or a group by its name, in any case.
fn find(what: &str, name: &str, names: &std::collections::BTreeMap<u32, String>) -> Result<u32, Refusal> {
    let found = names.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(number, _)| *number);
    let known = names.values().map(String::as_str);
    found.ok_or_else(|| Refusal::unknown(what, name).among(name, known))
}

/// Whether a point lies on a side of an outline.
fn is_on_border(outline: &[[f32; 2]], at: [f32; 2]) -> bool {
    let [x, y] = at.map(f64::from);
    outline.iter().zip(outline.iter().cycle().skip(1)).any(|(a, b)| {
        let ([ax, ay], [bx, by]) = (a.map(f64::from), b.map(f64::from));
        let between = |v: f64, a: f64, b: f64| a.min(b) <= v && v <= a.max(b);
        (bx - ax) * (y - ay) == (by - ay) * (x - ax) && between(x, ax, bx) && between(y, ay, by)
    })
}
