//! What a visit hands out, in order, before it is packed.

use super::super::ground::Vec3;
use super::super::index::Exit;
use super::super::labels::{NO_GROUP, NO_PLACE};
use super::super::rows::{Extra, How, MOST_AREAS};
use navmap_core::graph::{Axes, Link, LinkKind, Node, Shape};
use std::ops::{ControlFlow, Range};

/// The data handed out by a visit.
pub(super) struct Taken {
    pub(super) axes: Axes,
    /// Those whose areas have ground, ascending, if not all have.
    pub(super) groups: Option<Vec<u32>>,
    pub(super) nodes: Vec<Told>,
    /// Of each node, and once [closed](Self::close) of what would follow the last.
    pub(super) starts: Vec<Starts>,
    /// Z up.
    pub(super) corners: Vec<Vec3>,
    /// Radius of waypoints.
    pub(super) radius: Vec<f32>,
    pub(super) polygons: bool,
    pub(super) points: bool,
    pub(super) links: Vec<Taking>,
    /// The last node that a link leads to, whether there is one or not.
    pub(super) farthest: u32,
    /// Whether every link directly followed its node.
    pub(super) grouped: bool,
    pub(super) extras: Vec<Extra>,
    pub(super) exits: Vec<Exit>,
    pub(super) full: bool,
}

/// A node, without its corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    pub(super) id: u64,
    pub(super) flags: u64,
    pub(super) place: u32,
    pub(super) group: u32,
    pub(super) toll: f32,
}

/// Where the corners and the links of a node begin, each of which end where those of the next do.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Starts {
    pub(super) corner: u32,
    pub(super) link: u32,
}

/// A link, by nodes of the file. 20 bytes, since a mesh has many.
#[derive(Clone, Copy)]
pub(super) struct Taking {
    pub(super) from: u32,
    pub(super) to: u32,
    /// NaN if the format has none.
    pub(super) length: f32,
    /// NaN if the format has none.
    pub(super) cost: f32,
    pub(super) how: How,
}

impl Taken {
    /// Nothing yet, with room for so many nodes.
    pub(super) fn new(axes: Axes, groups: Option<Vec<u32>>, nodes: usize) -> Self {
        /// Corners of a usual node, and the links of one in a mesh that has many.
        const CORNERS: usize = 4;
        const LINKS: usize = 5;
        let nodes = nodes.min(MOST_AREAS);
        Self {
            axes,
            groups,
            nodes: Vec::with_capacity(nodes),
            starts: Vec::with_capacity(nodes + 1),
            corners: Vec::with_capacity(nodes * CORNERS),
            radius: Vec::new(),
            polygons: false,
            points: false,
            links: Vec::with_capacity(nodes * LINKS),
            farthest: 0,
            grouped: true,
            extras: Vec::new(),
            exits: Vec::new(),
            full: false,
        }
    }

    #[inline]
    pub(super) fn node(&mut self, node: &Node<'_>, toll: f32) -> ControlFlow<()> {
        if self.nodes.len() >= MOST_AREAS || self.corners.len() > u32::MAX as usize / 2 {
            self.full = true;
            return ControlFlow::Break(());
        }
        self.starts.push(self.ends());
        let kept = |groups: &Vec<u32>| node.group.is_some_and(|group| groups.binary_search(&group).is_ok());
        if self.groups.as_ref().is_none_or(kept) {
            self.corners.extend(node.shape.corners().iter().map(|&corner| self.axes.plan(corner)));
        }
        match node.shape {
            Shape::Polygon(_) => self.polygons = true,
            Shape::Point { radius, .. } => {
                self.points = true;
                self.radius.push(radius.filter(|r| *r > 0.0).unwrap_or(0.0));
            }
        }
        self.nodes.push(Told {
            id: node.id,
            flags: node.flags,
            place: node.place.unwrap_or(NO_PLACE),
            group: node.group.unwrap_or(NO_GROUP),
            toll: Some(toll).filter(|toll| toll.is_finite()).unwrap_or(1.0).max(0.0),
        });
        ControlFlow::Continue(())
    }

    #[inline(always)]
    pub(super) fn link(&mut self, link: &Link) {
        let passage = &link.passage;
        let Some(to) = link.to else {
            if passage.beyond.is_some() || matches!(link.kind, LinkKind::Border | LinkKind::Door) {
                self.exits.push(Exit { from: link.from, kind: link.kind, beyond: passage.beyond });
            }
            return;
        };
        if self.links.len() >= u32::MAX as usize {
            return;
        }
        if passage.number.is_some() || link.path.is_some() {
            let path = link.path.filter(|ends| ends.iter().all(|end| end.is_finite()));
            self.extras.push(Extra { link: self.links.len() as u32, number: passage.number, path });
        }
        let sane = |value: Option<f32>| value.filter(|v| v.is_finite() && *v >= 0.0).unwrap_or(f32::NAN);
        self.grouped &= link.from as usize + 1 == self.nodes.len();
        self.farthest = self.farthest.max(to);
        self.links.push(Taking {
            from: link.from,
            to,
            length: sane(passage.length),
            cost: sane(passage.cost),
            how: How::new(link.kind, passage.side, link.gated),
        });
    }

    fn ends(&self) -> Starts {
        Starts { corner: self.corners.len() as u32, link: self.links.len() as u32 }
    }

    /// Orders what a visit has handed out.
    pub(super) fn close(&mut self) {
        self.starts.push(self.ends());
        self.exits.sort_by_key(|exit| exit.from);
        if !self.grouped {
            self.group_links();
        }
    }

    /// The corners of a node.
    pub(super) fn corners(&self, node: usize) -> &[Vec3] {
        &self.corners[self.starts[node].corner as usize..self.starts[node + 1].corner as usize]
    }

    /// Where the links of a node are.
    pub(super) fn row(&self, node: usize) -> Range<usize> {
        self.starts[node].link as usize..self.starts[node + 1].link as usize
    }

    /// What nodes have, by area.
    pub(super) fn by_area<T>(&self, node_of: &[u32], value: impl Fn(&Told) -> T) -> Vec<T> {
        node_of.iter().map(|&node| value(&self.nodes[node as usize])).collect()
    }

    /// Groups links in any order by node. Those of one node keep their order.
    fn group_links(&mut self) {
        let nodes = self.nodes.len();
        let mut next = vec![0u32; nodes + 1];
        let exists = |link: &&Taking| (link.from as usize) < nodes;
        self.links.iter().filter(exists).for_each(|link| next[link.from as usize + 1] += 1);
        for node in 0..nodes {
            next[node + 1] += next[node];
        }
        self.starts.iter_mut().zip(&next).for_each(|(starts, link)| starts.link = *link);
        let mut links = Vec::new();
        if let Some(any) = self.links.first() {
            links.resize(next[nodes] as usize, *any);
        }
        let mut moved = vec![u32::MAX; self.links.len()];
        for (link, moved) in self.links.iter().zip(&mut moved).filter(|(link, _)| exists(link)) {
            let place = &mut next[link.from as usize];
            links[*place as usize] = *link;
            *moved = *place;
            *place += 1;
        }
        self.links = links;
        self.extras.iter_mut().for_each(|extra| extra.link = moved[extra.link as usize]);
        self.extras.retain(|extra| extra.link != u32::MAX);
        self.extras.sort_by_key(|extra| extra.link);
    }
}
