//! Takes what a graph knows of tactics, once, while its index is built.

use super::hiding::{Hidden, Places};
use super::known::Known;
use super::sight::Lists;
use super::ways::Ways;
use crate::area::Area;
use crate::index::NavIndex;
use navmap_core::graph::{HidingSpot, Sight, TacticsVisitor};

/// The most entries of a list, which are counted in 32 bits.
const MOST: usize = u32::MAX as usize / 2;

/// What was told, by areas of the index.
pub(crate) struct Gather<'i> {
    index: &'i NavIndex,
    sights: Vec<(u32, u32, Sight)>,
    anchors: Vec<(u32, u32)>,
    spots: Vec<Hidden>,
    /// Area, from, to, and where the watched spots of the way begin.
    ways: Vec<[u32; 4]>,
    /// Id of a spot and share of the way.
    watched: Vec<(u32, f32)>,
    /// Whether the latest way is kept.
    on_way: bool,
}

impl<'i> Gather<'i> {
    pub(crate) fn new(index: &'i NavIndex) -> Self {
        Self {
            index,
            sights: Vec::new(),
            anchors: Vec::new(),
            spots: Vec::new(),
            ways: Vec::new(),
            watched: Vec::new(),
            on_way: false,
        }
    }

    pub(crate) fn finish(self) -> Known {
        let areas = self.index.len();
        let places = Places::new(areas, self.spots);
        let ways = Ways::new(&self.ways, &self.watched, &places);
        Known { lists: Lists::new(areas, self.sights, &self.anchors), places, ways }
    }

    fn areas<const N: usize>(&self, nodes: [u32; N]) -> Option<[u32; N]> {
        let areas = nodes.map(|node| self.index.of_node(node).map(Area::position));
        areas.iter().all(Option::is_some).then(|| areas.map(Option::unwrap_or_default))
    }
}

impl TacticsVisitor for Gather<'_> {
    fn spot(&mut self, spot: &HidingSpot) {
        let area = match spot.node {
            Some(node) => self.index.of_node(node),
            None => self.index.area_at(spot.at, None),
        };
        if let Some(area) = area.filter(|_| spot.at.is_finite()) {
            self.spots.push(Hidden { id: spot.id, area: area.position(), at: spot.at, kinds: spot.kinds });
        }
    }

    fn sight(&mut self, from: u32, to: u32, sight: Sight) {
        if let Some([from, to]) = self.areas([from, to]).filter(|_| self.sights.len() < MOST) {
            self.sights.push((from, to, sight));
        }
    }

    fn inherits(&mut self, node: u32, anchor: u32) {
        if let Some([area, anchor]) = self.areas([node, anchor]) {
            self.anchors.push((area, anchor));
        }
    }

    fn way(&mut self, node: u32, from: u32, to: u32) {
        let way = self.areas([node, from, to]);
        self.on_way = way.is_some();
        self.ways.extend(way.map(|[area, from, to]| [area, from, to, self.watched.len() as u32]));
    }

    fn watch(&mut self, spot: u32, along: f32) {
        if self.on_way && self.watched.len() < MOST {
            self.watched.push((spot, along));
        }
    }
}
