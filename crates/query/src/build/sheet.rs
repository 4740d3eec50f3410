//! One tile of a map, prepared for itself, so that a map is put together from its tiles without looking into them again.

use super::super::grid::Listed;
use super::super::ground::{Geometry, Ground, Polygons, Vec3, bounds_of, distance};
use super::super::index::Exit;
use super::super::labels::{NO_GROUP, PartLabels, group_names};
use super::super::reach::components;
use super::super::rows::{Extra, Inbound, Rows};
use super::taken::{Starts, Taken, Taking};
use super::{Facts, mean, middle};
use navmap_core::graph::MapTile;
use navmap_core::graph::boxes::along_curve;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A tile of a map, with areas, links and everything else numbered from 0.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) tile: MapTile,
    pub(super) node_of: Vec<u32>,
    pub(super) of_node: Vec<u32>,
    pub(super) ground: Polygons,
    pub(super) boxes: Vec<[Vec3; 2]>,
    /// The box of those that are finite, from above, and the last area with one.
    pub(super) flat: [[f32; 2]; 2],
    pub(super) last: Option<u32>,
    /// Links to other tiles lead back to where they begin, and into no area. Where they really lead, [`seams`](Self::seams) has.
    pub(super) rows: Rows,
    /// By tile, then by link.
    pub(super) seams: Vec<Seam>,
    /// The keys of the tiles that its links lead to, whether those are there or not, ascending.
    pub(super) leads: Vec<u64>,
    /// The strong component of each area inside the tile, their number, and the links between them.
    pub(super) components: (Vec<u32>, usize, Vec<[u32; 2]>),
    /// For each of the rows' extras, the tile that brings its number. Empty if the map has no numbers.
    pub(super) numbered: Vec<u64>,
    /// By node.
    pub(super) ids: Vec<u64>,
    pub(super) labels: PartLabels,
    pub(super) place_names: BTreeMap<u32, String>,
    pub(super) exits: Vec<Exit>,
    pub(super) scale: f32,
}

/// A link to another tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seam {
    /// The area that it leaves.
    pub(super) area: u32,
    pub(super) link: u32,
    /// The key of the tile.
    pub(super) tile: u64,
    /// The node of that tile.
    pub(super) node: u32,
}

/// Where the nodes, groups and numbers of each tile begin in the whole map, and where they end.
pub(super) struct Spans<'t> {
    tiles: &'t [MapTile],
    nodes: Vec<u32>,
    groups: Vec<u32>,
    numbers: Vec<u32>,
}

impl<'t> Spans<'t> {
    pub(super) fn new(tiles: &'t [MapTile]) -> Self {
        let sums = |count: fn(&MapTile) -> u32| {
            let mut sum = 0u32;
            let ends = tiles.iter().map(|tile| {
                sum = sum.saturating_add(count(tile));
                sum
            });
            std::iter::once(0).chain(ends).collect()
        };
        Self {
            tiles,
            nodes: sums(|tile| tile.nodes),
            groups: sums(|tile| tile.groups),
            numbers: sums(|tile| tile.numbers),
        }
    }

    /// The number of nodes of all tiles.
    pub(super) fn nodes(&self) -> usize {
        self.nodes[self.tiles.len()] as usize
    }

    fn of(&self, at: usize) -> Range<usize> {
        self.nodes[at] as usize..self.nodes[at + 1] as usize
    }

    /// The tile that has this node or number, and which one of its own it is.
    fn find(&self, firsts: &[u32], number: u32) -> Option<(u64, u32)> {
        let at = firsts.partition_point(|first| *first <= number).checked_sub(1)?;
        Some((self.tiles.get(at)?.key, number - firsts[at]))
    }
}

/// A link that leaves its tile: its position among the links of the tile, and where it leads.
struct Leaving {
    link: usize,
    tile: u64,
    node: u32,
}

impl Sheet {
    /// The tile at a position of the map. `None` if it has what sheets do not know of: tolls, areas of other shapes.
    pub(super) fn new(taken: &Taken, facts: &Facts<'_>, spans: &Spans<'_>, at: usize) -> Option<Self> {
        let tile = spans.tiles[at];
        let (part, leaving, numbered) = taken.apart(spans, at)?;
        let nodes = part.nodes.len();
        let (node_of, of_node) = along_curve(nodes, |node| middle(bounds_of(part.corners(node))));
        let geometry = part.geometry(facts.rules.surface, &node_of);
        let (mut rows, scale) = part.rows(&geometry, &of_node);
        let Geometry::Polygons(ground) = geometry else { return None };
        if !rows.free_of_tolls() {
            return None;
        }
        let seams = part.seams(&rows, &of_node, &leaving);
        let mut seamed: Vec<u32> = seams.iter().map(|seam| seam.link).collect();
        seamed.sort_unstable();
        let components = components(&rows);
        rows.turn_without(&seamed);
        let (first_group, first_id) = (spans.groups[at], if tile.counted { (at as u64) << 32 } else { 0 });
        let groups = part.by_area(&node_of, |told| told.group);
        let names = group_names(facts.names, &groups);
        let places = part.by_area(&node_of, |told| told.place);
        let mut exits = part.exits.clone();
        exits.iter_mut().for_each(|exit| exit.from = of_node[exit.from as usize]);
        let own = |group: u32| if group == NO_GROUP { group } else { group.wrapping_sub(first_group) };
        let group_names = names.iter().map(|(group, name)| (own(*group), name.clone())).collect();
        let labels = PartLabels::new(
            &part.by_area(&node_of, |told| told.flags),
            &places,
            groups.into_iter().map(own).collect(),
            Arc::new(group_names),
            tile.groups,
        )?;
        let named = |place: &u32| Some((*place, facts.names.place_name(*place)?.into_owned()));
        let mut leads: Vec<u64> =
            seams.iter().map(|seam| seam.tile).chain(exits.iter().filter_map(|exit| exit.beyond)).collect();
        leads.sort_unstable();
        leads.dedup();
        let boxes: Vec<[Vec3; 2]> = (0..nodes).map(|area| ground.bounds(area)).collect();
        let listed = Listed::of_all(boxes.iter().copied().zip(0..nodes as u32));
        Some(Self {
            tile,
            boxes,
            flat: Listed::bounds(&listed),
            last: listed.last().map(|listed| listed.number),
            ground,
            components,
            rows,
            seams,
            leads,
            numbered,
            ids: part.nodes.iter().map(|told| told.id.wrapping_sub(first_id)).collect(),
            place_names: labels.place_keys().iter().filter_map(named).collect(),
            labels,
            exits,
            scale,
            node_of,
            of_node,
        })
    }

    /// Whether what this tile links to depends on that one.
    pub(super) fn looks_at(&self, other: &MapTile) -> bool {
        self.is_near(other.at) || self.leads.binary_search(&other.key).is_ok()
    }

    /// Whether that one has the same areas, whatever their links.
    pub(super) fn has_areas_of(&self, other: &Self) -> bool {
        self.of_node == other.of_node && self.boxes == other.boxes
    }

    /// Its links to another tile.
    pub(super) fn seams_to(&self, tile: u64) -> &[Seam] {
        let start = self.seams.partition_point(|seam| seam.tile < tile);
        let run = &self.seams[start..];
        &run[..run.partition_point(|seam| seam.tile == tile)]
    }

    /// The same as links into the areas of that tile, if both are numbered from these areas and links on.
    pub(super) fn inbound<'s>(
        &'s self,
        [area, link]: [u32; 2],
        other: &'s Self,
        first: u32,
    ) -> impl Iterator<Item = Inbound> + 's {
        self.seams_to(other.tile.key).iter().map(move |seam| Inbound {
            to: first + other.of_node[seam.node as usize],
            from: area + seam.area,
            link: link + seam.link,
        })
    }

    /// The links to a tile as those into its areas are kept: from which area, where in its row, to which node.
    pub(super) fn seen_from(&self, tile: u64) -> impl Iterator<Item = [u32; 3]> + '_ {
        let place = |seam: &Seam| seam.link - self.rows.row(seam.area as usize).start as u32;
        self.seams_to(tile).iter().map(move |seam| [seam.area, place(seam), seam.node])
    }

    /// The boxes that a grid lists, in file order, if its areas are numbered from there on.
    pub(super) fn listed(&self, first: u32) -> impl ExactSizeIterator<Item = ([Vec3; 2], u32)> + '_ {
        self.of_node.iter().map(move |&area| (self.boxes[area as usize], first + area))
    }

    pub(super) fn is_near(&self, at: [i32; 2]) -> bool {
        self.tile.at.iter().zip(at).all(|(a, b)| a.abs_diff(b) <= 1)
    }
}

impl Taken {
    /// What was handed out of one tile, its links to others, and the tiles that bring the numbers of its extras.
    fn apart(&self, spans: &Spans<'_>, at: usize) -> Option<(Self, Vec<Leaving>, Vec<u64>)> {
        let nodes = spans.of(at);
        let [first, end] = [nodes.start, nodes.end].map(|node| self.starts[node]);
        let links = first.link as usize..end.link as usize;
        let corners = first.corner as usize..end.corner as usize;
        let from_first =
            |starts: &Starts| Starts { corner: starts.corner - first.corner, link: starts.link - first.link };
        let mut leaving = Vec::new();
        let mut own = Vec::with_capacity(links.len());
        for (position, link) in self.links[links.clone()].iter().enumerate() {
            let (own_from, to) = (link.from - nodes.start as u32, link.to as usize);
            if nodes.contains(&to) || to >= spans.nodes() {
                let to = if nodes.contains(&to) { link.to - nodes.start as u32 } else { u32::MAX };
                own.push(Taking { from: own_from, to, ..*link });
                continue;
            }
            if !(link.length.is_nan() && link.cost.is_nan()) {
                return None;
            }
            let (tile, node) = spans.find(&spans.nodes, link.to)?;
            leaving.push(Leaving { link: position, tile, node });
            let straight = distance(mean(self.corners(link.from as usize)), mean(self.corners(to)));
            let length = if straight.is_finite() { straight } else { f32::INFINITY };
            own.push(Taking { from: own_from, to: own_from, length, ..*link });
        }
        let begin = self.extras.partition_point(|extra| (extra.link as usize) < links.start);
        let end = self.extras.partition_point(|extra| (extra.link as usize) < links.end);
        let mut extras = self.extras[begin..end].to_vec();
        let mut numbered = Vec::new();
        for extra in &mut extras {
            extra.link -= links.start as u32;
            if spans.numbers[spans.tiles.len()] > 0 {
                let (tile, number) = extra.number.and_then(|number| spans.find(&spans.numbers, number))?;
                extra.number = Some(number);
                numbered.push(tile);
            }
        }
        let begin = self.exits.partition_point(|exit| (exit.from as usize) < nodes.start);
        let end = self.exits.partition_point(|exit| (exit.from as usize) < nodes.end);
        let exits = self.exits[begin..end].iter();
        let part = Self {
            axes: self.axes,
            groups: None,
            nodes: self.nodes[nodes.clone()].to_vec(),
            starts: self.starts[nodes.start..=nodes.end].iter().map(from_first).collect(),
            corners: self.corners[corners].to_vec(),
            radius: Vec::new(),
            polygons: self.polygons,
            points: self.points,
            farthest: own.iter().map(|link| link.to).max().unwrap_or(0),
            links: own,
            grouped: true,
            extras,
            exits: exits.map(|exit| Exit { from: exit.from - nodes.start as u32, ..*exit }).collect(),
            full: false,
        };
        Some((part, leaving, numbered))
    }

    /// Where the links that leave the tile are in its rows.
    fn seams(&self, rows: &Rows, of_node: &[u32], leaving: &[Leaving]) -> Vec<Seam> {
        let mut seams = Vec::with_capacity(leaving.len());
        let mut leaving = leaving.iter().peekable();
        for (node, &area) in of_node.iter().enumerate() {
            let kept = self.row(node).filter(|link| (self.links[*link].to as usize) < of_node.len());
            for (place, link) in rows.row(area as usize).zip(kept) {
                if let Some(&Leaving { tile, node, .. }) = leaving.next_if(|leaving| leaving.link == link) {
                    seams.push(Seam { area, link: place as u32, tile, node });
                }
            }
        }
        seams.sort_unstable_by_key(|seam| (seam.tile, seam.link));
        seams
    }
}

/// The extras of a sheet with their links and numbers in the whole map.
pub(super) fn extras_of(
    sheet: &Sheet,
    first_link: u32,
    first_number: impl Fn(u64) -> u32,
) -> impl Iterator<Item = Extra> {
    sheet.rows.extras().iter().enumerate().map(move |(at, extra)| Extra {
        link: extra.link + first_link,
        number: match sheet.numbered.get(at) {
            Some(tile) => extra.number.map(|number| number + first_number(*tile)),
            None => extra.number,
        },
        path: extra.path,
    })
}
