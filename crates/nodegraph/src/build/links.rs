//! Nodes and links of the graph.

use super::super::buf::{LinkBuf, NodeBuf, NodeGraphBuf};
use super::super::flags::{Hull, Moves, NodeInfo, NodeKind};
use super::super::sets::Sets;
use super::super::view::ENGINE_LINKS;
use super::Bill;
use super::clusters::Clusters;
use super::passes::{self, Room};
use super::pieces::{Pieces, Way};
use navmap_core::graph::Point;
use std::collections::HashMap;

/// Half as wide as a person.
const PERSON: f32 = 13.0;

/// A way between two nodes.
struct Joint {
    ends: [u32; 2],
    way: Way,
    length: f32,
}

/// Puts nodes and links into a graph that has none.
pub(super) fn fill(
    graph: &mut NodeGraphBuf,
    pieces: &Pieces,
    clusters: &Clusters,
    most: usize,
    room: Option<&dyn Room>,
    bill: &mut Bill,
) {
    let hulls = graph.hulls;
    let seeds = clusters.seeds.iter().filter_map(|seed| pieces.all.get(*seed as usize));
    graph.nodes = seeds.map(|piece| NodeBuf::new(NodeKind::GROUND, piece.at.to_array(), hulls)).collect();
    let mut made = Made { sets: Sets::new(most), degrees: vec![0; most], most, room, bill, graph };
    let mut joints = joints(pieces, clusters);
    joints.sort_by(|a, b| {
        let rank = |joint: &Joint| (joint.way.low, joint.way.jump);
        rank(a).cmp(&rank(b)).then(a.length.total_cmp(&b.length)).then(a.ends.cmp(&b.ends))
    });
    made.ladders(pieces, clusters);
    // First what joins parts that are apart, so that all that was one part stays one.
    let rest: Vec<Joint> =
        joints.into_iter().filter(|joint| !made.sets_apart(joint) || !made.join(joint, true)).collect();
    for joint in rest {
        made.join(&joint, false);
    }
}

/// One way between each two nodes: on foot rather than with a jump, upright rather than crouched, then the widest.
fn joints(pieces: &Pieces, clusters: &Clusters) -> Vec<Joint> {
    let mut best: HashMap<[u32; 2], Way> = HashMap::new();
    for way in &pieces.ways {
        let node = |piece: u32| clusters.of.get(piece as usize).copied().flatten();
        let [Some(a), Some(b)] = way.ends.map(node) else { continue };
        if a == b {
            continue;
        }
        let key = [a.min(b), a.max(b)];
        let rank = |way: &Way| (way.low, way.jump, -way.width);
        let known = best.entry(key).or_insert(*way);
        if rank(way) < rank(known) {
            *known = *way;
        }
    }
    let at = |node: u32| pieces.all.get(*clusters.seeds.get(node as usize)? as usize).map(|piece| piece.at);
    let joints = best.into_iter().filter_map(|(ends, way)| {
        let [a, b] = ends.map(at);
        Some(Joint { ends, way, length: a?.distance(b?) })
    });
    joints.collect()
}

struct Made<'m, 'o> {
    graph: &'m mut NodeGraphBuf,
    bill: &'m mut Bill,
    sets: Sets,
    degrees: Vec<usize>,
    most: usize,
    room: Option<&'o dyn Room>,
}

impl Made<'_, '_> {
    fn at(&self, node: u32) -> Point {
        self.graph.nodes.get(node as usize).map_or(Point::default(), |node| node.origin.into())
    }

    fn sets_apart(&mut self, joint: &Joint) -> bool {
        let [a, b] = joint.ends.map(|end| self.sets.find(end as usize));
        a != b
    }

    /// Joins two nodes, over a node between them if they do not see each other over the way. Returns false if no hull gets
    /// through, or if it has to wait: it joins nothing that is apart, and a node has all its links.
    fn join(&mut self, joint: &Joint, apart: bool) -> bool {
        let crowded = |made: &Self, node: u32| {
            made.degrees.get(node as usize).is_none_or(|count| *count >= ENGINE_LINKS)
        };
        if joint.ends.iter().any(|end| crowded(self, *end)) {
            let count = &mut self.bill.crowded;
            *count = count.saturating_add((!apart).into());
            return false;
        }
        let [a, b] = joint.ends.map(|end| self.at(end));
        let straight = self.moves(&joint.way, [a, b]);
        let bent = !joint.way.jump && is_bent([a, b], &joint.way);
        // Without a map a bend alone tells that people may not get through on the straight line.
        let blocked = straight.first().is_none_or(|moves| *moves == 0);
        let detour = match self.room {
            Some(_) => blocked && !joint.way.jump,
            None => bent,
        };
        if detour && apart && self.graph.nodes.len() < self.most {
            let over = joint.way.over;
            let halves = [[a, over], [over, b]].map(|ends| self.moves(&joint.way, ends));
            let opens = halves.iter().all(|half| half.first().is_some_and(|moves| *moves != 0));
            if opens {
                let node = self.node(NodeKind::GROUND, over, 0);
                let [from, to] = joint.ends;
                for (ends, moves) in [[from, node], [node, to]].into_iter().zip(halves) {
                    self.link(ends, moves);
                }
                return true;
            }
        }
        if straight.iter().all(|moves| *moves == 0) {
            self.bill.closed = self.bill.closed.saturating_add((!apart).into());
            return false;
        }
        if blocked && apart {
            // Another way may be open to people.
            return false;
        }
        if blocked {
            self.bill.closed_to_people = self.bill.closed_to_people.saturating_add(1);
        }
        self.link(joint.ends, straight);
        true
    }

    fn moves(&self, way: &Way, ends: [Point; 2]) -> Vec<u8> {
        match self.room {
            Some(room) => passes::traced(room, self.graph.hulls, ends, way.jump),
            None => passes::guessed(self.graph.hulls, way),
        }
    }

    fn node(&mut self, kind: NodeKind, at: Point, info: u32) -> u32 {
        let number = self.graph.nodes.len() as u32;
        let node = NodeBuf { info, ..NodeBuf::new(kind, at.to_array(), self.graph.hulls) };
        self.graph.nodes.push(node);
        number
    }

    fn link(&mut self, ends: [u32; 2], moves: Vec<u8>) {
        let [Ok(source), Ok(target)] = ends.map(i16::try_from) else { return };
        for end in ends {
            self.degrees.get_mut(end as usize).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        let link = LinkBuf { source: source.min(target), target: source.max(target), moves };
        if !link.moves(Hull::HUMAN).is_empty() {
            self.sets.join(ends[0] as usize, ends[1] as usize);
        }
        self.graph.links.push(link);
    }

    /// Two climbing nodes for each ladder, each joined to the node of its end.
    fn ladders(&mut self, pieces: &Pieces, clusters: &Clusters) {
        let hulls = self.graph.hulls;
        for ladder in &pieces.ladders {
            let node = |piece: u32| clusters.of.get(piece as usize).copied().flatten();
            let [Some(low), Some(high)] = ladder.pieces.map(node) else { continue };
            if self.graph.nodes.len().saturating_add(2) > self.most {
                self.bill.crowded = self.bill.crowded.saturating_add(1);
                continue;
            }
            let info = [NodeInfo::ON_LADDER, NodeInfo::OFF_FORWARD];
            let [bottom, top] = [0, 1].map(|end: usize| {
                let at = ladder.ends.get(end).copied().unwrap_or_default();
                self.node(NodeKind::CLIMB, at, info.get(end).map_or(0, |info| info.0))
            });
            let climb = passes::climbing(hulls);
            let on_foot =
                climb.iter().map(|moves| if *moves == 0 { 0 } else { Moves::GROUND.0 }).collect::<Vec<u8>>();
            self.link([bottom, top], climb);
            self.link([low, bottom], on_foot.clone());
            self.link([high, top], on_foot);
        }
    }
}

/// Whether the straight line between two points misses the way between them.
fn is_bent([a, b]: [Point; 2], way: &Way) -> bool {
    let (x, y) = (b.x - a.x, b.y - a.y);
    let length = x.hypot(y);
    if length <= 1.0 {
        return false;
    }
    let aside = ((way.over.x - a.x) * y - (way.over.y - a.y) * x).abs() / length;
    aside > (way.width / 2.0).max(PERSON)
}
