//! Drops, rebuilds and merges islands.

use super::editor::{FoxEditor, Item};
use crate::buf::{IslandBuf, IslandGraphBuf};
use crate::build::new_islands;
use crate::record::{IslandLink, SideInfo};
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;
use std::collections::HashMap;

impl FoxEditor {
    pub(super) fn drop_islands(&mut self, c: &mut Command<'_>, _: &mut Scope<Item>) -> Result<(), Refusal> {
        c.finish()?;
        self.without_islands();
        Ok(())
    }

    pub(super) fn rebuild_islands(
        &mut self,
        c: &mut Command<'_>,
        s: &mut Scope<Item>,
    ) -> Result<(), Refusal> {
        c.finish()?;
        self.with_new_islands()?;
        let count = self.world.tile.islands.first().map_or(0, |graph| graph.islands.len());
        s.say(counted(count as u64, "island", "islands"));
        Ok(())
    }

    /// Removes islands: no graph, and segments that name only island 0 of the first graph.
    pub(super) fn without_islands(&mut self) {
        for group in 0..self.world.tile.groups.len() {
            let mut nodes = self.nodes(group);
            nodes.iter_mut().for_each(|node| node.islands = [0, 0xFFFF, 0xFFFF]);
            self.world.set_nodes(group, nodes);
        }
        self.world.set_islands(Vec::new(), Vec::new());
    }

    fn nodes(&self, group: usize) -> Vec<crate::buf::SegmentNodeBuf> {
        self.world.tile.groups.get(group).map(|group| group.graph.nodes.clone()).unwrap_or_default()
    }

    /// Rebuilds the first island graph. Exits of the tile cannot be rebuilt from the tile alone.
    pub(super) fn with_new_islands(&mut self) -> Result<(), Refusal> {
        let tile = &self.world.tile;
        if tile.head.part() > 0 {
            return Err(Refusal::new("a later part of a tile has no island graphs"));
        }
        if tile.islands.iter().flat_map(|graph| &graph.sides).any(|side| side.count() > 0) {
            return Err(Refusal::new(
                "islands have ways out over sides of the tile, whose weights nobody knows how to make: --drop-islands, or drop_islands first",
            ));
        }
        let mut made = tile.clone();
        new_islands(&mut made)?;
        let mut graphs = made.islands;
        // The games' files have either three graphs, of which the last two are empty, or only the first.
        graphs.extend(tile.islands.iter().skip(1).map(|_| IslandGraphBuf::default()));
        let slots = (0..graphs.first().map_or(0, |graph| graph.islands.len() as u32)).collect();
        for (index, group) in made.groups.into_iter().enumerate() {
            self.world.set_nodes(index, group.graph.nodes);
        }
        self.world.set_islands(graphs, slots);
        Ok(())
    }

    pub(super) fn merge_islands(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let (a, b) = (c.need("an island")?, c.need("a second island")?);
        c.finish()?;
        let mut one = |word| match s.one(self, &word)? {
            Item::Island(slot) => {
                self.world.island(slot).ok_or_else(|| Refusal::new("there is no such island"))
            }
            other => {
                Err(Refusal::new(format!("{} is no island", navmap_core::edit::Editor::name(self, other)))
                    .at(word.at))
            }
        };
        let (a, b) = (one(a)?, one(b)?);
        let (keep, gone) = (a.min(b), a.max(b));
        if keep == gone {
            return Err(Refusal::new("that is one island"));
        }
        let Some(graph) = self.world.tile.islands.first() else {
            return Err(Refusal::new("there are no islands"));
        };
        let (Some(kept), Some(lost)) = (graph.islands.get(keep), graph.islands.get(gone)) else {
            return Err(Refusal::new("there is no such island"));
        };
        if kept.attribute != lost.attribute {
            return Err(Refusal::new(format!(
                "island {keep} has attribute {:#06x}, island {gone} has {:#06x}",
                kept.attribute, lost.attribute
            )));
        }
        let mut roots: Vec<usize> = (0..graph.islands.len()).collect();
        roots.get_mut(gone).into_iter().for_each(|root| *root = keep);
        self.merge(&roots)?;
        s.say(format!("island {gone} is part of island {keep}, those after it have moved up"));
        Ok(())
    }

    /// Makes one island of those that are linked and have the same attribute, as the games have it. If that cannot be done,
    /// says which they are.
    pub(super) fn merge_twins(&mut self, s: &mut Scope<Item>) {
        let Some(graph) = self.world.tile.islands.first() else { return };
        let mut roots: Vec<usize> = (0..graph.islands.len()).collect();
        let mut twins = Vec::new();
        for (index, island) in graph.islands.iter().enumerate() {
            for link in &island.inside {
                let other = usize::from(link.island());
                if other != index && graph.islands.get(other).is_some_and(|o| o.attribute == island.attribute)
                {
                    let (a, b) = (root(&mut roots, index), root(&mut roots, other));
                    roots.get_mut(a.max(b)).into_iter().for_each(|root| *root = a.min(b));
                    twins.push((index.min(other), index.max(other)));
                }
            }
        }
        for index in 0..roots.len() {
            let own = root(&mut roots, index);
            roots.get_mut(index).into_iter().for_each(|root| *root = own);
        }
        twins.sort_unstable();
        twins.dedup();
        if twins.is_empty() {
            return;
        }
        match self.merge(&roots) {
            Ok(gone) => s.say(format!(
                "islands that are linked and now have one attribute became one: {gone} are gone, those after them have moved up"
            )),
            Err(why) => {
                for (a, b) in twins {
                    s.say(format!("warning: the islands {a} and {b} are linked and have one attribute; they stay two: {why}"));
                }
            }
        }
    }

    /// Merges each island into its root, which is not after it. Returns how many islands are gone.
    fn merge(&mut self, roots: &[usize]) -> Result<usize, Refusal> {
        let mut graphs = self.world.tile.islands.clone();
        let Some(graph) = graphs.first_mut() else { return Err(Refusal::new("there are no islands")) };
        if graph.islands.iter().any(|island| !island.groups.is_empty()) {
            return Err(Refusal::new(
                "islands have links to other groups, which were never seen and may be numbered otherwise",
            ));
        }
        if let Some(island) = self.elsewhere(graph) {
            return Err(Refusal::new(format!(
                "segments of island {island} are in another part of the tile, which names islands by number"
            )));
        }
        let slots = &self.world.island_slots;
        let (mut kept, mut kept_slots, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (index, island) in std::mem::take(&mut graph.islands).into_iter().enumerate() {
            let root = roots.get(index).copied().unwrap_or(index);
            if root == index {
                numbers.push(kept.len() as u16);
                kept.push(island);
                kept_slots.extend(slots.get(index));
                continue;
            }
            let number = numbers.get(root).copied().unwrap_or(u16::MAX);
            numbers.push(number);
            let Some(into) = kept.get_mut(usize::from(number)) else { continue };
            into.segments = into.segments.saturating_add(island.segments);
            into.inside.extend(island.inside);
            for tile in island.tiles {
                if !into.tiles.contains(&tile) {
                    into.tiles.push(tile);
                }
            }
        }
        let gone = numbers.len().saturating_sub(kept.len());
        graph.islands = kept;
        renumber(graph, &numbers);
        for group in 0..self.world.tile.groups.len() {
            let mut nodes = self.nodes(group);
            for node in &mut nodes {
                let [first, ..] = &mut node.islands;
                *first = now(*first, &numbers);
            }
            self.world.set_nodes(group, nodes);
        }
        self.world.set_islands(graphs, kept_slots);
        Ok(gone)
    }

    /// The first island with segments in a part of the tile that is not open.
    fn elsewhere(&self, graph: &IslandGraphBuf) -> Option<usize> {
        let mut here = vec![0_u32; graph.islands.len()];
        for [first, ..] in
            self.world.tile.groups.iter().flat_map(|group| &group.graph.nodes).map(|node| node.islands)
        {
            here.get_mut(usize::from(first)).into_iter().for_each(|count| *count = count.saturating_add(1));
        }
        graph.islands.iter().zip(here).position(|(island, here)| u32::from(island.segments) > here)
    }
}

/// The first island of those that become one with this one.
fn root(roots: &mut [usize], mut of: usize) -> usize {
    loop {
        let up = roots.get(of).copied().unwrap_or(of);
        if up == of {
            return of;
        }
        let further = roots.get(up).copied().unwrap_or(up);
        roots.get_mut(of).into_iter().for_each(|slot| *slot = further);
        of = further;
    }
}

/// The new number of an island.
fn now(island: u16, numbers: &[u16]) -> u16 {
    numbers.get(usize::from(island)).copied().unwrap_or(island)
}

/// Renumbers the links of a graph that lost islands. Of several links to one island the cheapest stays; links of an island to
/// itself are removed.
fn renumber(graph: &mut IslandGraphBuf, numbers: &[u16]) {
    for (index, island) in graph.islands.iter_mut().enumerate() {
        let mut links: Vec<IslandLink> = Vec::with_capacity(island.inside.len());
        let mut places = HashMap::new();
        for link in &island.inside {
            let to = now(link.island(), numbers);
            if usize::from(to) == index {
                continue;
            }
            match places.get(&to).and_then(|at: &usize| links.get_mut(*at)) {
                Some(other) => *other = IslandLink::new(other.weight().min(link.weight()), to),
                None => {
                    places.insert(to, links.len());
                    links.push(IslandLink::new(link.weight(), to));
                }
            }
        }
        island.inside = links;
    }
    for info in &mut graph.infos {
        *info = SideInfo::new(info.weight(), info.island().map(|island| now(island, numbers)));
    }
}

/// Removes an island without segments.
pub(super) fn remove(graph: &mut IslandGraphBuf, gone: usize) -> IslandBuf {
    let numbers: Vec<u16> =
        (0..graph.islands.len()).map(|old| old.saturating_sub(usize::from(old > gone)) as u16).collect();
    let lost = graph.islands.remove(gone);
    for island in &mut graph.islands {
        island.inside.retain(|link| usize::from(link.island()) != gone);
    }
    for info in &mut graph.infos {
        if info.island().map(usize::from) == Some(gone) {
            *info = SideInfo::new(0, None);
        }
    }
    renumber(graph, &numbers);
    lost
}
