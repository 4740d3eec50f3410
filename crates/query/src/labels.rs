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
    pub(super) fn new(ids: Vec<u64>) -> Self {
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
            Err(_) => Self::Wide { ids, order },
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

    /// The lowest and the highest id.
    pub(super) fn ends(&self) -> Option<[u64; 2]> {
        let (count, order): (u32, &[u32]) = match self {
            Self::Numbers(count) => (*count, &[]),
            Self::Narrow { ids, order } => (ids.len() as u32, order.as_slice()),
            Self::Wide { ids, order } => (ids.len() as u32, order.as_slice()),
        };
        let last = count.checked_sub(1)?;
        Some([0, last].map(|at| self.of(order.get(at as usize).copied().unwrap_or(at))))
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

/// What areas of a part of a map have, without the names that the whole has for it.
#[derive(Debug)]
pub(super) struct PartLabels {
    low: Vec<u32>,
    high: Vec<u32>,
    /// Position in `place_keys` + 1.
    places: Vec<u16>,
    /// Its places in the order in which areas have them.
    place_keys: Vec<u32>,
    /// Counted from the part's first.
    groups: Vec<u32>,
    group_names: Arc<GroupNames>,
    /// How many groups it has, named or not.
    group_count: u32,
}

impl PartLabels {
    /// The labels of a part, by area. `None` if it has more places than can be numbered.
    pub(super) fn new(
        flags: &[u64],
        places: &[u32],
        groups: Vec<u32>,
        group_names: Arc<GroupNames>,
        group_count: u32,
    ) -> Option<Self> {
        let (mut known, mut place_keys) = (BTreeMap::new(), Vec::new());
        let mut numbers = Vec::with_capacity(places.len());
        for &place in places {
            let number = if place == NO_PLACE {
                0
            } else {
                *known.entry(place).or_insert_with(|| {
                    place_keys.push(place);
                    place_keys.len()
                })
            };
            numbers.push(u16::try_from(number).ok()?);
        }
        let (low, high) = halves(flags);
        Some(Self { low, high, places: numbers, place_keys, groups, group_names, group_count })
    }

    /// The places that its areas have.
    pub(super) fn place_keys(&self) -> &[u32] {
        &self.place_keys
    }
}

/// Both halves of flags. There is no upper one if all of it is 0.
fn halves(flags: &[u64]) -> (Vec<u32>, Vec<u32>) {
    let high = match flags.iter().any(|flags| flags >> 32 != 0) {
        true => flags.iter().map(|flags| (flags >> 32) as u32).collect(),
        false => Vec::new(),
    };
    (flags.iter().map(|flags| *flags as u32).collect(), high)
}

/// Names of flags by bit, and the flags that make one crouch, that are stairs, at which one jumps.
fn flag_names(names: &dyn Names) -> (Vec<(u32, &'static str)>, [u64; 3]) {
    let flag_names: Vec<_> = (0..64).filter_map(|bit| Some((bit, names.flag_name(bit)?))).collect();
    let named = |name: &str| {
        let known = flag_names.iter().filter(|(_, known)| known.eq_ignore_ascii_case(name));
        known.fold(0, |bits, (bit, _)| bits | 1 << bit)
    };
    let manners = [named("crouch"), named("stairs"), named("jump")];
    (flag_names, manners)
}

impl Labels {
    /// Labels by area, and what names them.
    pub(super) fn new(
        names: &dyn Names,
        places: impl Iterator<Item = u32>,
        groups: Vec<u32>,
        group_names: Arc<GroupNames>,
        flags: &[u64],
    ) -> Self {
        let mut numbering = Numbering::new(names);
        let places = places.map(|place| numbering.number(place)).collect();
        let (low, high) = halves(flags);
        Self::of(names, [low, high], places, numbering.names, groups, vec![(0, group_names)])
    }

    /// The labels of parts one behind the other.
    pub(super) fn side_by_side<'p>(
        names: &dyn Names,
        areas: usize,
        parts: impl Iterator<Item = &'p PartLabels> + Clone,
    ) -> Self {
        let mut numbering = Numbering::new(names);
        let (mut low, mut places) = (Vec::with_capacity(areas), Vec::with_capacity(areas));
        let (mut groups, mut group_names) = (Vec::with_capacity(areas), Vec::new());
        let mut high =
            Vec::with_capacity(if parts.clone().any(|part| !part.high.is_empty()) { areas } else { 0 });
        let has_high = high.capacity() > 0;
        let mut first = 0u32;
        for part in parts {
            low.extend_from_slice(&part.low);
            if has_high {
                high.extend_from_slice(&part.high);
                high.resize(low.len(), 0);
            }
            let mut table = vec![0];
            table.extend(part.place_keys.iter().map(|place| numbering.number(*place)));
            if table.iter().zip(0..).all(|(number, own)| *number == own) {
                places.extend_from_slice(&part.places);
            } else {
                places.extend(part.places.iter().map(|place| table[usize::from(*place)]));
            }
            let group = |group: &u32| if *group == NO_GROUP { NO_GROUP } else { group.wrapping_add(first) };
            groups.extend(part.groups.iter().map(group));
            group_names.push((first, Arc::clone(&part.group_names)));
            first = first.saturating_add(part.group_count);
        }
        Self::of(names, [low, high], places, numbering.names, groups, group_names)
    }

    fn of(
        names: &dyn Names,
        [low, high]: [Vec<u32>; 2],
        places: Vec<u16>,
        place_names: Vec<String>,
        groups: Vec<u32>,
        group_names: Vec<(u32, Arc<GroupNames>)>,
    ) -> Self {
        let (flag_names, manners) = flag_names(names);
        Self {
            low,
            high,
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

/// Numbers places from 1 in the order in which areas have them, 0 for none, and names them.
struct Numbering<'n> {
    of: &'n dyn Names,
    numbers: BTreeMap<u32, u16>,
    names: Vec<String>,
}

impl<'n> Numbering<'n> {
    fn new(of: &'n dyn Names) -> Self {
        Self { of, numbers: BTreeMap::new(), names: Vec::new() }
    }

    fn number(&mut self, place: u32) -> u16 {
        if place == NO_PLACE {
            return 0;
        }
        *self.numbers.entry(place).or_insert_with(|| {
            let Some(name) = self.of.place_name(place).filter(|_| self.names.len() < u16::MAX.into()) else {
                return 0;
            };
            self.names.push(name.into_owned());
            self.names.len() as u16
        })
    }
}
