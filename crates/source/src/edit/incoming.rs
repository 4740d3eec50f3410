//! The links to each area.

use super::world::Slot;
use crate::buf::AreaBuf;
use crate::flags::Direction;
use std::collections::{BTreeMap, HashMap};

/// Where a link is: the slot of its area, and its side.
type Source = (Slot, Direction);

/// The links to each id. Those of the opened mesh are one flat table; the links to an id are moved out of it when one of them
/// changes.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    /// Ids that have links, in order.
    ids: Vec<u32>,
    /// The end of each id's links in `sources`.
    ends: Vec<u32>,
    /// Slot and side of each link, in mesh order.
    sources: Vec<u32>,
    /// For each id with changed links.
    changed: HashMap<u32, Links>,
}

/// Slot and side in one number. A file of 4 GiB holds less than 2³⁰ areas.
fn pack(slot: Slot, direction: Direction) -> u32 {
    slot << 2 | u32::from(direction as u8)
}

fn unpack(source: u32) -> Source {
    let direction = match source & 3 {
        0 => Direction::North,
        1 => Direction::East,
        2 => Direction::South,
        _ => Direction::West,
    };
    (source >> 2, direction)
}

impl Incoming {
    pub(super) fn collect<'a>(areas: impl Iterator<Item = (Slot, &'a AreaBuf)> + Clone) -> Self {
        let count = areas.clone().map(|(_, area)| area.connections.iter().map(Vec::len).sum::<usize>()).sum();
        let mut links: Vec<u64> = Vec::with_capacity(count);
        for (slot, area) in areas {
            let to = |(direction, id): (Direction, crate::record::AreaId)| {
                u64::from(id.get()) << 32 | u64::from(pack(slot, direction))
            };
            links.extend(area.all_connections().map(to));
        }
        links.sort_unstable();
        let mut incoming = Self { sources: Vec::with_capacity(links.len()), ..Self::default() };
        for link in links {
            let id = (link >> 32) as u32;
            if incoming.ids.last() != Some(&id) {
                incoming.ids.push(id);
                incoming.ends.push(0);
            }
            incoming.sources.push(link as u32);
            if let Some(end) = incoming.ends.last_mut() {
                *end = u32::try_from(incoming.sources.len()).unwrap_or(u32::MAX);
            }
        }
        incoming
    }

    /// The links to an id in the opened mesh.
    fn opened(&self, id: u32) -> &[u32] {
        let Ok(at) = self.ids.binary_search(&id) else { return &[] };
        let end = |at: usize| self.ends.get(at).map_or(0, |end| *end as usize);
        let start = at.checked_sub(1).map_or(0, end);
        self.sources.get(start..end(at)).unwrap_or_default()
    }

    /// The links to an id, in mesh order, once per list entry.
    pub(super) fn get(&self, id: u32) -> Vec<Source> {
        match self.changed.get(&id) {
            Some(Links::Few(links)) => repeated(links.iter().copied()),
            Some(Links::Many(links)) => repeated(links.iter().map(|(source, count)| (*source, *count))),
            None => self.opened(id).iter().copied().map(unpack).collect(),
        }
    }

    /// The links to an id, for changing.
    fn links(&mut self, id: u32) -> &mut Links {
        if !self.changed.contains_key(&id) {
            let mut links = Links::default();
            self.opened(id).iter().for_each(|source| links.add(*source));
            self.changed.insert(id, links);
        }
        self.changed.entry(id).or_default()
    }

    pub(super) fn add(&mut self, id: u32, slot: Slot, direction: Direction) {
        self.links(id).add(pack(slot, direction));
    }

    pub(super) fn remove(&mut self, id: u32, slot: Slot, direction: Direction) {
        // An area that a command made and cut again leaves nothing.
        if self.links(id).remove(pack(slot, direction)) && self.opened(id).is_empty() {
            self.changed.remove(&id);
        }
    }
}

/// The links to an id: the number of list entries by source, in mesh order.
#[derive(Debug)]
enum Links {
    /// Most areas have a few, and a tree takes five times as much for these.
    Few(Vec<(u32, u32)>),
    Many(BTreeMap<u32, u32>),
}

/// A longer list takes long to insert into.
const FEW: usize = 32;

impl Default for Links {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Links {
    fn add(&mut self, source: u32) {
        match self {
            Self::Few(links) => match links.binary_search_by_key(&source, |(other, _)| *other) {
                Ok(at) => {
                    if let Some((_, count)) = links.get_mut(at) {
                        *count = count.saturating_add(1);
                    }
                }
                Err(_) if links.len() >= FEW => {
                    let mut many: BTreeMap<u32, u32> = std::mem::take(links).into_iter().collect();
                    many.insert(source, 1);
                    *self = Self::Many(many);
                }
                Err(at) => links.insert(at, (source, 1)),
            },
            Self::Many(links) => {
                let count = links.entry(source).or_insert(0);
                *count = count.saturating_add(1);
            }
        }
    }

    /// Returns whether none is left.
    fn remove(&mut self, source: u32) -> bool {
        match self {
            Self::Few(links) => {
                if let Ok(at) = links.binary_search_by_key(&source, |(other, _)| *other) {
                    let left = links.get_mut(at).map_or(0, |(_, count)| {
                        *count = count.saturating_sub(1);
                        *count
                    });
                    if left == 0 {
                        links.remove(at);
                    }
                }
                links.is_empty()
            }
            Self::Many(links) => {
                if let Some(count) = links.get_mut(&source) {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        links.remove(&source);
                    }
                }
                links.is_empty()
            }
        }
    }
}

fn repeated(links: impl Iterator<Item = (u32, u32)>) -> Vec<Source> {
    links.flat_map(|(source, count)| std::iter::repeat_n(unpack(source), count as usize)).collect()
}
