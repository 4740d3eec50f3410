//! Ids, flags, places and groups of areas.

use super::flags::CornerFlags;
use navmap_core::graph::Names;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// Ids by node, and nodes by id.
#[derive(Debug, Clone)]
pub(super) enum Ids {
    /// Every id is the number of its node.
    Numbers(u32),
    /// `ids[node]`. If ids do not ascend, `order` lists nodes by id.
    Narrow { ids: Vec<u32>, order: Vec<u32> },
    /// The same for ids above 32 bits.
    Wide { ids: Vec<u64>, order: Vec<u32> },
}

impl Ids {
    pub(super) fn new(ids: &[u64]) -> Self {
        if ids.iter().zip(0u64..).all(|(id, number)| *id == number) {
            return Self::Numbers(ids.len() as u32);
        }
        let mut order = Vec::new();
        if !ids.is_sorted() {
            order = (0..ids.len() as u32).collect();
            // The sort is stable, so of two nodes with the same id the first is found.
            order.sort_by_key(|&node| ids[node as usize]);
        }
        let narrow: Result<Vec<u32>, _> = ids.iter().map(|&id| u32::try_from(id)).collect();
        match narrow {
            Ok(ids) => Self::Narrow { ids, order },
            Err(_) => Self::Wide { ids: ids.to_vec(), order },
        }
    }

    pub(super) fn of(&self, node: u32) -> u64 {
        match self {
            Self::Numbers(_) => node.into(),
            Self::Narrow { ids, .. } => ids[node as usize].into(),
            Self::Wide { ids, .. } => ids[node as usize],
        }
    }

    /// The node with this id. If there are several, the first in the file. A binary search.
    pub(super) fn find(&self, id: u64) -> Option<u32> {
        match self {
            Self::Numbers(count) => u32::try_from(id).ok().filter(|node| node < count),
            Self::Narrow { ids, order } => search(ids, order, u32::try_from(id).ok()?),
            Self::Wide { ids, order } => search(ids, order, id),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Numbers(_) => 0,
            Self::Narrow { ids, order } => size_of_val(&ids[..]) + size_of_val(&order[..]),
            Self::Wide { ids, order } => size_of_val(&ids[..]) + size_of_val(&order[..]),
        }
    }
}

fn search<T: Ord + Copy>(ids: &[T], order: &[u32], id: T) -> Option<u32> {
    let node = if order.is_empty() {
        ids.partition_point(|other| *other < id) as u32
    } else {
        *order.get(order.partition_point(|&node| ids[node as usize] < id))?
    };
    (ids.get(node as usize) == Some(&id)).then_some(node)
}

/// Flags, places and groups, by area.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    low: Vec<u32>,
    /// Empty if no area has any.
    high: Vec<u32>,
    pub(super) flag_names: Vec<(u32, &'static str)>,
    /// The flags that make one crouch, that are stairs, at which one jumps.
    manners: [u64; 3],
    /// Position in `place_names` + 1. Empty if no area has a place.
    places: Vec<u16>,
    pub(super) place_names: Vec<String>,
    /// Empty if no area has a group.
    groups: Vec<u32>,
    /// Names of groups, which are counted from the number before them.
    group_names: Vec<(u32, Arc<GroupNames>)>,
}

/// Names of groups by number.
pub(super) type GroupNames = BTreeMap<u32, String>;

/// The names of all groups that areas have.
pub(super) fn group_names(graph: &dyn Names, groups: &[u32]) -> Arc<GroupNames> {
    let mut names = GroupNames::new();
    for &group in groups.iter().filter(|group| **group != NO_GROUP) {
        if let Entry::Vacant(free) = names.entry(group)
            && let Some(name) = graph.group_name(group)
        {
            free.insert(name.into_owned());
        }
    }
    Arc::new(names)
}

/// What areas without a group or a place have.
pub(super) const NO_GROUP: u32 = u32::MAX;
pub(super) const NO_PLACE: u32 = u32::MAX;

impl Labels {
    /// Labels by area, and what names them.
    pub(super) fn new(
        names: &dyn Names,
        places: impl Iterator<Item = u32>,
        groups: Vec<u32>,
        group_names: Vec<(u32, Arc<GroupNames>)>,
        flags: &[u64],
    ) -> Self {
        let high: Vec<u32> = flags.iter().map(|flags| (flags >> 32) as u32).collect();
        let (places, place_names) = number_places(names, places);
        let flag_names: Vec<_> = (0..64).filter_map(|bit| Some((bit, names.flag_name(bit)?))).collect();
        let named = |name: &str| {
            let known = flag_names.iter().filter(|(_, known)| known.eq_ignore_ascii_case(name));
            known.fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        let manners = [named("crouch"), named("stairs"), named("jump")];
        Self {
            low: flags.iter().map(|flags| *flags as u32).collect(),
            high: if high.iter().any(|bits| *bits != 0) { high } else { Vec::new() },
            flag_names,
            manners,
            places: if place_names.is_empty() { Vec::new() } else { places },
            place_names,
            groups: if groups.iter().any(|group| *group != NO_GROUP) { groups } else { Vec::new() },
            group_names,
        }
    }

    pub(super) fn flags(&self, area: usize) -> u64 {
        u64::from(self.low[area]) | self.high.get(area).map_or(0, |high| u64::from(*high) << 32)
    }

    /// How one passes an area, as bits of [`CornerFlags`](super::CornerFlags).
    pub(super) fn manner(&self, area: usize) -> u16 {
        let flags = self.flags(area);
        let bits = [CornerFlags::CROUCH, CornerFlags::STAIRS, CornerFlags::JUMP];
        self.manners
            .iter()
            .zip(bits)
            .fold(0, |sum, (mask, bit)| if flags & mask != 0 { sum | bit.0 } else { sum })
    }

    /// Position in `place_names`.
    pub(super) fn place(&self, area: usize) -> Option<usize> {
        usize::from(*self.places.get(area)?).checked_sub(1)
    }

    pub(super) fn group(&self, area: usize) -> Option<u32> {
        self.groups.get(area).copied().filter(|group| *group != NO_GROUP)
    }

    pub(super) fn group_name(&self, group: u32) -> Option<&str> {
        let after = self.group_names.partition_point(|(first, _)| *first <= group);
        let (first, names) = self.group_names.get(after.checked_sub(1)?)?;
        names.get(&(group - first)).map(String::as_str)
    }

    pub(super) fn bytes(&self) -> usize {
        let names =
            self.place_names.iter().chain(self.group_names.iter().flat_map(|(_, names)| names.values()));
        size_of_val(&self.low[..])
            + size_of_val(&self.high[..])
            + size_of_val(&self.places[..])
            + size_of_val(&self.groups[..])
            + names.map(|name| name.len() + size_of::<String>()).sum::<usize>()
    }
}

/// Numbers the places from 1 in the order in which areas have them, 0 for none, and names them.
fn number_places(names: &dyn Names, places: impl Iterator<Item = u32>) -> (Vec<u16>, Vec<String>) {
    let mut numbers: BTreeMap<u32, u16> = BTreeMap::new();
    let mut place_names = Vec::new();
    let mut number = |place: u32| {
        if place == NO_PLACE {
            return 0;
        }
        *numbers.entry(place).or_insert_with(|| {
            let Some(name) = names.place_name(place).filter(|_| place_names.len() < u16::MAX.into()) else {
                return 0;
            };
            place_names.push(name.into_owned());
            place_names.len() as u16
        })
    };
    (places.map(&mut number).collect(), place_names)
}
