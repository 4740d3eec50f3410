//! Drops, rebuilds and merges islands.

use super::editor::{FoxEditor, Item};
use crate::buf::{IslandBuf, IslandGraphBuf};
use crate::build::new_islands;
use crate::record::{IslandLink, SideInfo};
use navmap_core::edit::{Command, Refusal, Scope};

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
        s.say(format!("{count} islands"));
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
        let mut graphs = self.world.tile.islands.clone();
        let Some(graph) = graphs.first_mut() else { return Err(Refusal::new("there are no islands")) };
        let (Some(kept), Some(lost)) = (graph.islands.get(keep), graph.islands.get(gone)) else {
            return Err(Refusal::new("there is no such island"));
        };
        if kept.attribute != lost.attribute {
            return Err(Refusal::new(format!(
                "island {keep} has attribute {:#06x}, island {gone} has {:#06x}",
                kept.attribute, lost.attribute
            )));
        }
        if graph.islands.iter().any(|island| !island.groups.is_empty()) {
            return Err(Refusal::new(
                "islands have links to other groups, which were never seen and may be numbered otherwise",
            ));
        }
        let lost = graph.islands.remove(gone);
        let Some(kept) = graph.islands.get_mut(keep) else { return Ok(()) };
        kept.segments = kept.segments.saturating_add(lost.segments);
        kept.inside.extend(lost.inside);
        for tile in lost.tiles {
            if !kept.tiles.contains(&tile) {
                kept.tiles.push(tile);
            }
        }
        renumber(graph, keep, gone);
        let mut slots = self.world.island_slots.clone();
        if gone < slots.len() {
            slots.remove(gone);
        }
        for group in 0..self.world.tile.groups.len() {
            let mut nodes = self.nodes(group);
            for node in &mut nodes {
                let [first, ..] = &mut node.islands;
                *first = now(*first, keep, gone);
            }
            self.world.set_nodes(group, nodes);
        }
        self.world.set_islands(graphs, slots);
        s.say(format!("island {gone} is part of island {keep}, those after it have moved up"));
        Ok(())
    }
}

/// The number of an island after `gone` was merged into `keep`.
fn now(island: u16, keep: usize, gone: usize) -> u16 {
    match usize::from(island) {
        0xFFFF => island,
        number if number == gone => keep as u16,
        number if number > gone => island.saturating_sub(1),
        _ => island,
    }
}

/// Renumbers the links of a graph that lost an island. Of several links to one island the cheapest stays; links of an island to
/// itself are removed.
pub(super) fn renumber(graph: &mut IslandGraphBuf, keep: usize, gone: usize) {
    for (index, island) in graph.islands.iter_mut().enumerate() {
        let mut links: Vec<IslandLink> = Vec::with_capacity(island.inside.len());
        for link in &island.inside {
            let to = now(link.island(), keep, gone);
            if usize::from(to) == index {
                continue;
            }
            match links.iter_mut().find(|other| other.island() == to) {
                Some(other) => *other = IslandLink::new(other.weight().min(link.weight()), to),
                None => links.push(IslandLink::new(link.weight(), to)),
            }
        }
        island.inside = links;
    }
    for info in &mut graph.infos {
        *info = SideInfo::new(info.weight(), info.island().map(|island| now(island, keep, gone)));
    }
}

/// Removes an island without segments.
pub(super) fn remove(graph: &mut IslandGraphBuf, gone: usize) -> IslandBuf {
    let lost = graph.islands.remove(gone);
    for island in &mut graph.islands {
        island.inside.retain(|link| usize::from(link.island()) != gone);
    }
    for info in &mut graph.infos {
        if info.island().map(usize::from) == Some(gone) {
            *info = SideInfo::new(0, None);
        }
    }
    renumber(graph, usize::MAX, gone);
    lost
}
