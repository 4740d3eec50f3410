//! Sets attributes of segments, in every copy. `docs/fox-write.md`.

use super::change::Delta;
use super::editor::{FoxEditor, Item};
use super::select::attribute;
use navmap_core::edit::{Command, Refusal, Scope};
use navmap_core::text::counted;
use std::collections::BTreeMap;

impl FoxEditor {
    /// Sets the attribute of segments. The attribute of an island changes with all of its segments, or not at all.
    pub(super) fn attribute(&mut self, c: &mut Command<'_>, s: &mut Scope<Item>) -> Result<(), Refusal> {
        let (drop, rebuild, alone) =
            (c.flag("--drop-islands"), c.flag("--rebuild-islands"), c.flag("--alone"));
        let word = c.need("an attribute")?;
        let value = attribute(word.text).map_err(|refusal| refusal.at(word.at))?;
        let segments = self.segments(c, s)?;
        c.finish()?;
        if drop && rebuild {
            return Err(Refusal::new("--drop-islands and --rebuild-islands exclude each other"));
        }
        let whole = if drop || rebuild { Vec::new() } else { self.whole_islands(&segments, value, alone)? };
        let now = |(group, segment): &(usize, usize)| {
            self.world
                .tile
                .groups
                .get(*group)?
                .world
                .attributes
                .get(*segment)
                .map(|attribute| attribute.get())
        };
        let changed: Vec<_> = segments.iter().filter(|at| now(at).is_some_and(|now| now != value)).collect();
        let changed: Vec<_> = changed.into_iter().map(|(group, segment)| (*group, *segment, value)).collect();
        let count = changed.len();
        if count > 0 {
            self.world.record(Delta::Attributes(changed));
        }
        let graph = self.world.tile.islands.first();
        let of = |island: &usize| Some((*island, graph?.islands.get(*island)?.attribute));
        let islands: Vec<_> = whole.iter().filter_map(of).filter(|(_, now)| *now != value).collect();
        if !islands.is_empty() {
            let islands = islands.into_iter().map(|(island, _)| (island, value)).collect();
            self.world.record(Delta::IslandAttributes(islands));
        }
        let islands = counted(whole.len() as u64, "island", "islands");
        s.say(format!("{count} of {} segments changed, {islands}", segments.len()));
        if drop && count > 0 {
            self.without_islands();
            s.say("the island graphs are dropped");
        } else if rebuild && count > 0 {
            self.with_new_islands()?;
            s.say("the island graph is made anew, its link weights are a guess");
        } else if count > 0 {
            self.merge_twins(s);
        }
        Ok(())
    }

    /// The islands that these segments make up completely. Refuses partial ones.
    fn whole_islands(
        &self,
        segments: &[(usize, usize)],
        value: u16,
        alone: bool,
    ) -> Result<Vec<usize>, Refusal> {
        let tile = &self.world.tile;
        let node = |(group, segment): &(usize, usize)| tile.groups.get(*group)?.graph.nodes.get(*segment);
        let island = |at: &(usize, usize)| node(at).map(|node| node.islands).map(|[first, ..]| first);
        let attribute = |(group, segment): &(usize, usize)| {
            tile.groups.get(*group)?.world.attributes.get(*segment).map(|attribute| attribute.get())
        };
        let Some(graph) = tile.islands.first() else {
            let names = segments.iter().any(|at| island(at).is_some_and(|island| island != 0xFFFF));
            if tile.head.part() > 0 && names && !alone {
                return Err(Refusal::new(
                    "the islands of this tile are in its part 0, which is not changed along: --alone changes this part all the same",
                ));
            }
            return Ok(Vec::new());
        };
        let mut named: BTreeMap<u16, usize> = BTreeMap::new();
        for island in segments.iter().filter_map(island).filter(|island| *island != 0xFFFF) {
            let count = named.entry(island).or_insert(0);
            *count = count.saturating_add(1);
        }
        let mut here: BTreeMap<u16, usize> = BTreeMap::new();
        for [island, ..] in tile.groups.iter().flat_map(|group| &group.graph.nodes).map(|node| node.islands) {
            let count = here.entry(island).or_insert(0);
            *count = count.saturating_add(1);
        }
        let mut cut = Vec::new();
        let mut whole = Vec::new();
        for (number, count) in named {
            let all = here.get(&number).copied().unwrap_or(0);
            let Some(own) = graph.islands.get(usize::from(number)) else { continue };
            if count < all {
                // Segments that already have the value do not cut an island.
                let same = segments
                    .iter()
                    .filter(|at| island(at) == Some(number))
                    .all(|at| attribute(at) == Some(value));
                if !same {
                    cut.push(format!("island {number} ({count} of {all} segments)"));
                }
                continue;
            }
            if usize::from(own.segments) > all && !alone {
                let elsewhere = usize::from(own.segments).saturating_sub(all);
                return Err(Refusal::new(format!(
                    "{elsewhere} segments of island {number} are in another part of the tile, which is not changed along: --alone changes this part all the same"
                )));
            }
            whole.push(usize::from(number));
        }
        if cut.is_empty() {
            return Ok(whole);
        }
        Err(Refusal::new(format!(
            "this cuts {}: --drop-islands removes the island graphs, --rebuild-islands makes them anew with guessed weights",
            cut.join(", ")
        )))
    }
}
