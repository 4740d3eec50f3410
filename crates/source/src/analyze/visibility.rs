//! Visibility: the areas seen from each area, and the compression of their lists. `docs/formats/source-analyze.md`, section 2.3.

use super::rules::Rules;
use super::topology::Topology;
use super::work::{SEEN, Work};
use crate::buf::SourceBuf;
use crate::flags::{Extension, Visibility};
use crate::record::{AreaId, VisibleArea};
use navmap_core::Limits;
use navmap_core::error::Result;
use std::cmp::Ordering;

/// The most entries by which a list may differ from the one it extends.
const MOST_DIFFERENCES: usize = 64;
/// The most neighbours to compare with. Real areas have some 20.
const MOST_CANDIDATES: usize = 256;
/// The most entries of all areas together: half a gigabyte.
const MOST_ENTRIES: u64 = 1 << 26;
/// The most entries for each area and each entry that is stored, beyond those that an analysis through a map may find. Real meshes have
/// two and a half.
const TIMES: u64 = 8;

/// A visible area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// Its position in the mesh.
    pub area: u32,
    /// How much of it.
    visibility: u8,
}

impl Seen {
    /// How much of it is visible.
    pub fn visibility(&self) -> Visibility {
        Visibility(self.visibility)
    }
}

/// Rows of entries, each sorted by area.
#[derive(Clone, Debug)]
struct Rows {
    starts: Vec<usize>,
    entries: Vec<Seen>,
}

impl Rows {
    fn new() -> Self {
        Self { starts: vec![0], entries: Vec::new() }
    }

    fn close(&mut self) {
        self.starts.push(self.entries.len());
    }

    fn row(&self, area: u32) -> &[Seen] {
        let bound = |at: usize| self.starts.get(at).copied().unwrap_or(self.entries.len());
        self.entries.get(bound(area as usize)..bound((area as usize).saturating_add(1))).unwrap_or_default()
    }
}

/// The areas seen from each area of a mesh, inherited entries included.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::format::source::{SourceBuf, SourceNav, analyze::VisibleSets};
///
/// let bytes = std::fs::read("corpus/source/town.nav")?;
/// let mut mesh = SourceBuf::read(&SourceNav::parse(&bytes)?)?;
/// let seen = VisibleSets::decode(&mesh)?;
/// seen.encode(&mut mesh);
/// assert!(VisibleSets::decode(&mesh)?.iter().eq(seen.iter()));
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct VisibleSets {
    sets: Rows,
    dangling: u64,
}

impl VisibleSets {
    /// Expands the lists of a mesh. Own entries override inherited ones, and entries with "not visible" are dropped. Memory grows
    /// with the visible areas, which are more than the stored entries.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`](navmap_core::ErrorKind::Limit) if all areas together see more than 2,097,152 areas (more in a mesh
    /// of more than 21,845, by the cube of how many) and eight for each area and each stored entry, or more than 67,108,864.
    pub fn decode(mesh: &SourceBuf) -> Result<Self> {
        let rules = Rules::for_mesh(&mesh.head);
        Self::within(mesh, &Topology::new(mesh, &rules))
    }

    pub(super) fn within(mesh: &SourceBuf, topology: &Topology<'_>) -> Result<Self> {
        let (own, dangling) = stored(mesh, topology);
        let given = (mesh.areas.len() as u64).saturating_add(own.entries.len() as u64);
        let allowed = Work::of(mesh, None, None).allowed_seen().saturating_add(given.saturating_mul(TIMES));
        let mut sets = Rows::new();
        for (position, area) in (0_u32..).zip(&mesh.areas) {
            let anchor = topology.position(area.inherits).filter(|_| area.inherits.get() != 0);
            let inherited = anchor.map(|anchor| own.row(anchor)).unwrap_or_default();
            let visible = |seen: &Seen| seen.visibility != 0;
            sets.entries.extend(
                Merge::new(own.row(position), inherited)
                    .filter_map(|(mine, other)| mine.or(other).filter(visible)),
            );
            sets.close();
            Limits::charge(SEEN, sets.entries.len() as u64, allowed.min(MOST_ENTRIES))?;
        }
        Ok(Self { sets, dangling })
    }

    /// The visible areas of each area: rows of positions, and how much of each is visible.
    ///
    /// # Errors
    /// Those of [`decode`](Self::decode).
    pub(super) fn of_rows(rows: Vec<Vec<(u32, u8)>>) -> Result<Self> {
        let mut sets = Rows::new();
        for mut row in rows {
            row.sort_unstable();
            sets.entries.extend(row.into_iter().map(|(area, visibility)| Seen { area, visibility }));
            sets.close();
            Limits::charge(SEEN, sets.entries.len() as u64, MOST_ENTRIES)?;
        }
        Ok(Self { sets, dangling: 0 })
    }

    /// The areas seen from the area at this position, by position.
    pub fn of_area(&self, area: u32) -> &[Seen] {
        self.sets.row(area)
    }

    /// The areas seen from each area, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Seen]> + '_ {
        (0..self.sets.starts.len().saturating_sub(1) as u32).map(|area| self.sets.row(area))
    }

    /// The number of stored entries with an unknown area, or a repeated one.
    pub fn dangling(&self) -> u64 {
        self.dangling
    }

    /// Compresses the lists into a mesh, as the game does: an area extends the list of the neighbour from which its own differs
    /// least, if that is by at most 64 entries. New lists are in mesh order; a list that is already equivalent is left as it is.
    /// Returns the number of areas changed.
    pub fn encode(&self, mesh: &mut SourceBuf) -> u64 {
        let rules = Rules::for_mesh(&mesh.head);
        let topology = Topology::new(mesh, &rules);
        let folded = self.fold(&topology);
        let (own, _) = stored(mesh, &topology);
        let ids: Vec<u32> = mesh.areas.iter().map(|area| area.id.get()).collect();
        let by_position = mesh.head.extension() == Extension::LeftForDead;
        let name = |position: u32| match by_position {
            true => position,
            false => ids.get(position as usize).copied().unwrap_or_default(),
        };
        let mut changed = 0_u64;
        for ((position, area), (anchor, list)) in (0_u32..).zip(&mut mesh.areas).zip(folded) {
            let id = |anchor: u32| AreaId::new(ids.get(anchor as usize).copied().unwrap_or_default());
            let inherits = anchor.map(id).unwrap_or_default();
            let mut sorted = list.clone();
            sorted.sort_unstable();
            let same = area.visible_areas.len() == sorted.len() && own.row(position) == sorted;
            if inherits == area.inherits && same {
                continue;
            }
            area.inherits = inherits;
            if !same {
                let entry = |seen: &Seen| VisibleArea::new(name(seen.area), Visibility(seen.visibility));
                area.visible_areas = list.iter().map(entry).collect();
            }
            changed = changed.saturating_add(1);
        }
        changed
    }

    /// The anchor and the stored list of each area.
    fn fold(&self, topology: &Topology<'_>) -> Vec<(Option<u32>, Vec<Seen>)> {
        let count = topology.count();
        let mut anchors: Vec<Option<u32>> = vec![None; count as usize];
        let mut anchored = vec![false; count as usize];
        let mut candidates = Vec::new();
        (0..count)
            .map(|area| {
                let own = self.sets.row(area);
                if anchored.get(area as usize) != Some(&false) {
                    return (None, own.to_vec());
                }
                let mut best: Option<(usize, u32)> = None;
                candidates.clear();
                for (_, neighbour) in topology.entries(area) {
                    let anchor = anchors.get(neighbour as usize).copied().flatten().unwrap_or(neighbour);
                    if anchor == area || candidates.len() >= MOST_CANDIDATES || candidates.contains(&anchor) {
                        continue;
                    }
                    candidates.push(anchor);
                    let limit = best.map_or(MOST_DIFFERENCES, |(least, _)| least.saturating_sub(1));
                    if let Some(size) = differences(own, self.sets.row(anchor), limit) {
                        best = Some((size, anchor));
                    }
                    if matches!(best, Some((0, _))) {
                        break;
                    }
                }
                let Some((_, anchor)) = best else { return (None, own.to_vec()) };
                if let Some(slot) = anchors.get_mut(area as usize) {
                    *slot = Some(anchor);
                }
                if let Some(slot) = anchored.get_mut(anchor as usize) {
                    *slot = true;
                }
                (Some(anchor), delta(own, self.sets.row(anchor)))
            })
            .collect()
    }
}

/// The stored lists by position, sorted, with the first of several entries for one area; and the number of dropped entries.
fn stored(mesh: &SourceBuf, topology: &Topology<'_>) -> (Rows, u64) {
    let by_position = mesh.head.extension() == Extension::LeftForDead;
    let mut rows = Rows::new();
    let (mut dangling, mut row) = (0_u64, Vec::new());
    for area in &mesh.areas {
        row.clear();
        row.extend(area.visible_areas.iter().filter_map(|entry| {
            let target = match by_position {
                true => Some(entry.target()).filter(|position| *position < topology.count()),
                false => topology.position(AreaId::new(entry.target())),
            };
            Some(Seen { area: target?, visibility: entry.visibility().bits() })
        }));
        // Stable, so that the first duplicate stays.
        row.sort_by_key(|seen: &Seen| seen.area);
        row.dedup_by_key(|seen| seen.area);
        dangling = dangling.saturating_add(area.visible_areas.len().saturating_sub(row.len()) as u64);
        rows.entries.append(&mut row);
        rows.close();
    }
    (rows, dangling)
}

/// The number of entries in which two sorted lists differ; `None` if it exceeds `limit`.
fn differences(own: &[Seen], other: &[Seen], limit: usize) -> Option<usize> {
    if own.len().abs_diff(other.len()) > limit {
        return None;
    }
    let mut size: usize = 0;
    for pair in Merge::new(own, other) {
        match pair {
            (Some(mine), Some(theirs)) if mine == theirs => continue,
            _ => size = size.saturating_add(1),
        }
        if size > limit {
            return None;
        }
    }
    Some(size)
}

/// The entries of a list beyond the one it extends: its own entries, then the areas that are not visible.
fn delta(own: &[Seen], other: &[Seen]) -> Vec<Seen> {
    let differs = |(mine, theirs): (Option<Seen>, Option<Seen>)| mine.filter(|_| mine != theirs);
    let surplus = |(mine, theirs): (Option<Seen>, Option<Seen>)| match mine {
        None => theirs.map(|seen| Seen { visibility: 0, ..seen }),
        Some(_) => None,
    };
    let mut list: Vec<Seen> = Merge::new(own, other).filter_map(differs).collect();
    list.extend(Merge::new(own, other).filter_map(surplus));
    list
}

/// Walks two sorted lists side by side, area by area.
struct Merge<'s> {
    own: std::iter::Peekable<std::iter::Copied<std::slice::Iter<'s, Seen>>>,
    other: std::iter::Peekable<std::iter::Copied<std::slice::Iter<'s, Seen>>>,
}

impl<'s> Merge<'s> {
    fn new(own: &'s [Seen], other: &'s [Seen]) -> Self {
        Self { own: own.iter().copied().peekable(), other: other.iter().copied().peekable() }
    }
}

impl Iterator for Merge<'_> {
    type Item = (Option<Seen>, Option<Seen>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let order = match (self.own.peek(), self.other.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(mine), Some(theirs)) => mine.area.cmp(&theirs.area),
        };
        Some(match order {
            Ordering::Less => (self.own.next(), None),
            Ordering::Equal => (self.own.next(), self.other.next()),
            Ordering::Greater => (None, self.other.next()),
        })
    }
}
