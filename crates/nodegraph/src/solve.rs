//! Finds the number of hulls, which `.ain` does not store, from the size of the file.

use super::iter::{AinLinks, AinNodes};
use super::layout::{Layout, MOST_HULLS, MOST_NODES};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};
use zerocopy::FromBytes;
use zerocopy::byteorder::little_endian::I32;

/// Farther from the origin than anything in a map.
const WORLD: f32 = 131_072.0;

/// The hull counts of public files, most frequent first, then every other.
fn candidates(version: i32) -> impl Iterator<Item = u8> {
    let known = if version == 41 { [12, 13, 10, 11] } else { [10, 11, 12, 13] };
    known.into_iter().chain((1..=MOST_HULLS).filter(|hulls| !(10..=13).contains(hulls)))
}

/// The layout of a file and its count of links.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solved {
    pub(super) layout: Layout,
    pub(super) links: usize,
}

/// Finds the hull count with which the nodes, links and ids end exactly at the end of the file. If there is none, finds one with
/// which they end earlier and are plausible. Linear.
///
/// # Errors
/// If no hull count fits. The error is that of the usual one.
pub(super) fn solve(after: &Cursor<'_>, version: i32, nodes: usize) -> Result<Solved> {
    let bytes = after.rest();
    let links = |layout: Layout| -> Option<usize> {
        let at = nodes.checked_mul(layout.node_len())?;
        let stored = bytes.get(at..)?.first_chunk().map(|stored| i32::from_le_bytes(*stored))?;
        usize::try_from(stored).ok().filter(|links| layout.len(nodes, *links) <= bytes.len())
    };
    if nodes == 0 {
        // Without nodes the file says nothing about hulls.
        let layout = Layout::for_version(version, 0);
        return match Cursor::u32(&mut after.clone(), "number of links")? {
            0 => Ok(Solved { layout, links: 0 }),
            claimed => {
                let why = format!("{claimed} claimed, and there are no nodes");
                Err(Error::invalid("links", why).at(after.offset()))
            }
        };
    }
    let fits = || {
        candidates(version).filter_map(|hulls| {
            let layout = Layout::for_version(version, hulls);
            Some(Solved { layout, links: links(layout)? })
        })
    };
    let ends = |solved: &Solved| solved.layout.len(nodes, solved.links) == bytes.len();
    let exact = |solved: &Solved| ends(solved) && is_plausible(bytes, solved.layout, nodes, 0);
    // Some nodes may be damaged. With a wrong number of hulls, hardly any node is plausible.
    let damaged = |solved: &Solved| {
        ends(solved)
            && sound_nodes(bytes, solved.layout, nodes, 0).saturating_mul(2) >= nodes.saturating_sub(1)
    };
    // All nodes may be damaged: one tool leaves heights unset. Then the links decide.
    let linked = |solved: &Solved| {
        let usual = (10..=13).contains(&solved.layout.hulls) && solved.links > 0;
        usual && ends(solved) && links_are_sound(bytes, solved.layout, nodes)
    };
    let tailed = |solved: &Solved| is_plausible(bytes, solved.layout, nodes, 1);
    let found = fits()
        .find(exact)
        .or_else(|| fits().find(damaged))
        .or_else(|| fits().find(linked))
        .or_else(|| fits().find(tailed));
    found.ok_or_else(|| misfit(after, version, nodes))
}

/// The error if no number of hulls fits.
#[cold]
fn misfit(after: &Cursor<'_>, version: i32, nodes: usize) -> Error {
    let layout = Layout::for_version(version, if version == 41 { 12 } else { 10 });
    let mut cursor = *after;
    let rest = || -> Result<()> {
        cursor.skip(nodes.saturating_mul(layout.node_len()), "nodes of the usual number of hulls")?;
        let at = cursor.offset();
        let links = cursor.u32("number of links")?;
        let links = usize::try_from(links).ok().filter(|links| i32::try_from(*links).is_ok());
        let links =
            links.ok_or_else(|| Error::invalid("links", "a negative number of them claimed").at(at))?;
        cursor.skip(links.saturating_mul(layout.link_len()), "links of the usual number of hulls")?;
        cursor.skip(nodes.saturating_mul(size_of::<I32>()), "Hammer ids")
    };
    match { rest }() {
        Err(error) => error,
        Ok(()) => {
            let why = format!(
                "no number from 1 to {MOST_HULLS} makes {nodes} nodes and their links end in the file"
            );
            Error::invalid("hulls", why).at(after.offset())
        }
    }
}

/// Whether all nodes, and all links, that lie in these bytes are plausible. `least` is the least kind of a node.
fn is_plausible(bytes: &[u8], layout: Layout, nodes: usize, least: u8) -> bool {
    let whole = whole_nodes(bytes, layout, nodes);
    let sound = sound_nodes(bytes, layout, nodes, least) == whole;
    if !sound || whole < nodes {
        return sound && whole > 0;
    }
    least == 0 || links_are_sound(bytes, layout, nodes)
}

/// Whether all links that lie in these bytes join nodes that exist.
fn links_are_sound(bytes: &[u8], layout: Layout, nodes: usize) -> bool {
    let after = bytes.get(nodes.saturating_mul(layout.node_len())..).unwrap_or_default();
    let Ok((count, links)) = I32::read_from_prefix(after) else { return true };
    let Ok(count) = usize::try_from(count.get()) else { return false };
    let known = |end: i16| usize::try_from(end).is_ok_and(|end| end < nodes);
    let whole = links.len().checked_div(layout.link_len()).unwrap_or(0).min(count);
    let links = AinLinks::new(links, whole, layout);
    links.into_iter().all(|link| known(link.source()) && known(link.target()))
}

/// How many nodes lie in these bytes.
fn whole_nodes(bytes: &[u8], layout: Layout, nodes: usize) -> usize {
    bytes.len().checked_div(layout.node_len()).unwrap_or(0).min(nodes)
}

/// How many of them are plausible.
fn sound_nodes(bytes: &[u8], layout: Layout, nodes: usize, least: u8) -> usize {
    let list = AinNodes::new(bytes, whole_nodes(bytes, layout, nodes), layout);
    let sane = |value: f32| value == 0.0 || (1e-30..=WORLD).contains(&value.abs());
    let sound = list.into_iter().filter(|node| {
        (least..=5).contains(&node.kind().0)
            && node.zone() >= 0
            && node.origin().into_iter().all(sane)
            && sane(node.yaw())
            && node.offsets().iter().all(|offset| sane(offset.get()))
    });
    sound.count()
}

/// Whether the page after the head may hold this many nodes of version 37 or 41.
pub(super) fn may_hold(page: &[u8], version: i32, nodes: usize, is_whole: bool) -> bool {
    if nodes == 0 || nodes > MOST_NODES {
        return false;
    }
    if is_whole {
        return solve(&Cursor::new(page, 0), version, nodes)
            .is_ok_and(|solved| is_plausible(page, solved.layout, nodes, 1));
    }
    candidates(version).any(|hulls| is_plausible(page, Layout::for_version(version, hulls), nodes, 1))
}
