//! Finds the target node of a link out of a tile: among the nodes of the named group that lead back to this group of this tile,
//! the one at the same position. `docs/formats/fox.md`, section 11.

use super::scan::{Out, Scan};
use super::{Border, LayerIndex, SetFinding, Slot, TileSet, UNRESOLVED, Unmatched};
use crate::record::{GroupId, TileId};
use crate::view::Frame;
use navmap_core::{Finding, Severity};
use std::path::Path;

/// Metres by which two files may disagree about a position. If their quanta are larger, more is allowed.
const TOLERANCE: f32 = 0.01;
/// The most nodes compared with one. A sound file has at most a handful near one position.
const MOST_COMPARED: usize = 64;

/// The resolved links of one file, and the findings about them.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    pub(super) slots: Box<[Slot]>,
    pub(super) borders: Box<[Border]>,
    pub(super) unmatched: Vec<Unmatched>,
    no_tile: u32,
    no_group: u32,
    /// Links to groups that no part of this tile has, or to nodes beyond the end of their group.
    dangling: u32,
}

impl Resolved {
    pub(super) fn findings(&self, path: &Path) -> impl Iterator<Item = SetFinding> {
        let of = |ambiguous: bool| self.unmatched.iter().filter(|u| (u.candidates > 1) == ambiguous).count();
        let counts = [
            (
                Severity::Info,
                "neighbour-absent",
                self.no_tile as usize,
                "lead to tiles that are not in the set",
            ),
            (
                Severity::Warning,
                "neighbour-group-absent",
                self.no_group as usize,
                "lead to groups that their tiles lack",
            ),
            (
                Severity::Warning,
                "border-unmatched",
                of(false),
                "meet no node that leads back from the same place",
            ),
            (
                Severity::Warning,
                "border-ambiguous",
                of(true),
                "meet several nodes that lead back from the same place",
            ),
            (
                Severity::Warning,
                "group-absent",
                self.dangling as usize,
                "lead to groups or nodes that no part of the tile has",
            ),
        ];
        counts.into_iter().filter(|(_, _, count, _)| *count > 0).map(move |(severity, code, count, what)| {
            let links = if count == 1 { "link" } else { "links" };
            let finding = Finding::new(severity, code, format!("{count} {links} {what}"));
            SetFinding { path: path.to_owned(), finding }
        })
    }
}

/// Resolves the links of file `index`.
pub(super) fn resolve(set: &TileSet<'_>, scans: &[Box<Scan<'_>>], index: usize) -> Resolved {
    let mut resolved = Resolved::default();
    // Layers are contiguous in the tiles, and tiles in the files, so the file is in the first layer that ends after it.
    let end = |layer: &LayerIndex| {
        let last = layer.tiles.end.checked_sub(1).and_then(|last| set.tiles.get(last));
        last.map_or(0, |tile| tile.parts.end as usize)
    };
    let layer = set.layers.get(set.layers.partition_point(|layer| end(layer) <= index));
    let (Some(scan), Some(layer)) = (scans.get(index), layer) else {
        return resolved;
    };
    let tiles = set.tiles.get(layer.tiles.clone()).unwrap_or_default();
    let parts_of = |id: TileId| -> &[Box<Scan<'_>>] {
        let tile = tiles.binary_search_by_key(&id, |tile| tile.id).ok().and_then(|at| tiles.get(at));
        tile.and_then(|tile| scans.get(tile.parts.start as usize..tile.parts.end as usize))
            .unwrap_or_default()
    };

    let mut reached: Vec<(GroupId, Border)> = Vec::with_capacity(scan.outs.len());
    for run in scan.outs.chunk_by(|a, b| a.run() == b.run()) {
        let Some(&Out { group, tile, to_group, .. }) = run.first() else { continue };
        let parts = parts_of(tile);
        let target = parts.iter().find(|part| part.slots.iter().any(|slot| slot.group == to_group));
        let facing = target.map_or(&[][..], |part| facing(part, (to_group, scan.tile, group)));
        for out in run {
            let found = target.map(|part| candidates(out, scan.frame, facing, part.frame));
            let reaches = match found {
                Some((1, node)) => node,
                Some((count, _)) => {
                    resolved.unmatched.push(Unmatched { group, node: out.node, candidates: count });
                    UNRESOLVED
                }
                None if parts.is_empty() => {
                    resolved.no_tile = resolved.no_tile.saturating_add(1);
                    UNRESOLVED
                }
                None => {
                    resolved.no_group = resolved.no_group.saturating_add(1);
                    UNRESOLVED
                }
            };
            reached.push((group, Border { node: out.node, reaches }));
        }
    }
    reached.sort_unstable_by_key(|(group, border)| (*group, border.node));
    resolved.unmatched.sort_unstable_by_key(|unmatched| (unmatched.group, unmatched.node));
    resolved.slots = scan.slots.as_slice().into();
    for slot in &mut resolved.slots {
        let start = reached.partition_point(|(group, _)| *group < slot.group);
        slot.borders = u32::try_from(start).unwrap_or(u32::MAX);
    }
    resolved.borders = reached.into_iter().map(|(_, border)| border).collect();

    let own = parts_of(scan.tile);
    for (group, (count, farthest)) in &scan.to_groups {
        let nodes = own.iter().find_map(|part| {
            let slot = part.slots.iter().position(|slot| slot.group == *group)?;
            part.nodes.get(slot)
        });
        if nodes.is_none_or(|nodes| farthest >= nodes) {
            resolved.dangling = resolved.dangling.saturating_add(*count);
        }
    }
    resolved
}

/// The links of `part` that lead back, from the target group to the source tile and group.
fn facing<'s>(part: &'s Scan<'_>, run: (GroupId, TileId, GroupId)) -> &'s [Out] {
    let start = part.outs.partition_point(|out| out.run() < run);
    let end = part.outs.partition_point(|out| out.run() <= run);
    part.outs.get(start..end).unwrap_or_default()
}

/// The number of nodes at the same position, and the last of them.
fn candidates(out: &Out, frame: Frame, facing: &[Out], other: Frame) -> (u16, u16) {
    let mut slack = [TOLERANCE; 3];
    for ((slack, own), other) in slack.iter_mut().zip(frame.divisors).zip(other.divisors) {
        *slack = slack.max(1.0 / f32::from(own) + 1.0 / f32::from(other));
    }
    let [x, _, z] = slack;
    let window = x + z + TOLERANCE;
    let (low, high) = (out.along() - window, out.along() + window);
    let start = facing.partition_point(|candidate| candidate.along() < low);
    let near = facing.get(start..).unwrap_or_default().iter().take(MOST_COMPARED);
    let mut found = (0_u16, UNRESOLVED);
    for candidate in near.take_while(|candidate| candidate.along() <= high) {
        let apart = candidate.at.iter().zip(out.at).map(|(a, b)| (a - b).abs());
        if apart.zip(slack).all(|(apart, slack)| apart <= slack) {
            found = (found.0.saturating_add(1), candidate.node);
        }
    }
    found
}
