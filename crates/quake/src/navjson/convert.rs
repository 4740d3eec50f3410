//! Converts between the JSON form and the binary one, and reports every loss.

use super::{Head, JsonEdict, JsonLink, JsonNode, NONE, NavJson};
use crate::convert::Losses;
use crate::layout::Version;
use crate::record::{LadderTraversal, Link};
use crate::write::{EdictBuf, QuakeBuf, beyond};
use navmap_core::Finding;
use navmap_core::error::{Error, Result};

impl NavJson<'_> {
    /// Makes the graph in binary form, in the file's corresponding version: nodes in order, links in the order of their nodes, a
    /// traversal and an edict for each link that has one. Reports what the binary form cannot hold to `losses` first.
    ///
    /// # Errors
    /// If a link leads to coordinates that no node has, or if the 16-bit fields of the binary form cannot hold a value.
    /// The error gives line and column.
    pub fn to_graph(&self, losses: &mut dyn FnMut(Finding)) -> Result<QuakeBuf> {
        let mut losses = Losses(losses);
        let there =
            self.head.map.is_some() || self.head.contributors.is_some() || self.head.comments.is_some();
        let what = "map, contributors and comments have no place in a binary file";
        match self.head.says_more() {
            true => losses.lost("head-lost", 1, "", what),
            false => losses.noted("head-lost", there.into(), "", what),
        }
        losses.lost("members-lost", self.strangers, "members", "what navjson does not have is lost");
        losses.lost(
            "target-rebound",
            self.twins.len(),
            "nodes",
            "coordinates of an earlier node, whose links now lead to the last with them",
        );
        let graph = self.graph(|link| Err(self.unresolved(link)))?;
        // Refuses what 16 bits cannot address now, while line and column are still known.
        graph.encode().map(|_| graph)
    }

    /// Makes the graph. `missing` supplies the target of a link whose coordinates no node has.
    pub(super) fn graph(&self, missing: impl Fn(&JsonLink) -> Result<u16>) -> Result<QuakeBuf> {
        let mut graph = QuakeBuf::new(self.binary_version());
        graph.heuristic = self.heuristic.unwrap_or(graph.heuristic);
        for (index, node) in self.nodes.iter().enumerate() {
            graph
                .push_node(node.origin, node.flags, node.radius)
                .map_err(|error| self.error(node.offset, error.to_string()))?;
            for link in self.links_of(index).unwrap_or_default() {
                let target = match link.target() {
                    Some(target) => u16::try_from(target)
                        .map_err(|_| self.beyond("nodes", self.nodes.len(), link.offset))?,
                    None => missing(link)?,
                };
                let [kind, flags] = link.kind.to_le_bytes();
                let traversal = link.traversal().and_then(|index| self.traversals.get(index));
                let index = traversal.map(|_| graph.traversals.len());
                if index.is_some_and(|index| index >= usize::from(Link::NO_TRAVERSAL)) {
                    return Err(self.beyond("traversals", self.traversals.len(), link.offset));
                }
                graph.traversals.extend(traversal.map(|t| LadderTraversal::new(*t, [0.0; 3])));
                let at = graph.links.len();
                let traversal = index.and_then(|index| u16::try_from(index).ok());
                graph
                    .push_link(Link::new(target, kind, flags, traversal))
                    .map_err(|error| self.error(link.offset, error.to_string()))?;
                if let Some(edict) = link.edict().and_then(|index| self.edicts.get(index)) {
                    let link = u16::try_from(at).map_err(|_| self.beyond("links", at, link.offset))?;
                    graph.edicts.push(EdictBuf { link, bounds: edict.bounds, key: edict.key });
                }
            }
        }
        Ok(graph)
    }

    #[cold]
    fn unresolved(&self, link: &JsonLink) -> Error {
        let message = format!("no node has the coordinates {:?}", link.target_origin);
        self.error(link.offset, message)
    }

    #[cold]
    fn beyond(&self, what: &'static str, len: usize, offset: usize) -> Error {
        self.error(offset, beyond(what, len).to_string())
    }

    #[cold]
    fn error(&self, offset: usize, message: String) -> Error {
        let (line, column) = self.line_and_column(offset);
        Error::new(navmap_core::error::ErrorKind::Text { line, column, message })
    }

    /// Makes the JSON form of a graph of NAV2 14, 15 or 17, with this head. Reports losses to `losses` first: traversals and
    /// links that are shared, unused or in another order, a second edict of a link, coordinates that two nodes share.
    ///
    /// # Errors
    /// If the graph has another version (see [`QuakeBuf::convert`]), a link to a missing node, or a float that JSON cannot spell.
    pub fn from_graph(
        graph: &QuakeBuf,
        head: Head<'_>,
        losses: &mut dyn FnMut(Finding),
    ) -> Result<NavJson<'static>> {
        let mut losses = Losses(losses);
        let mut nav = NavJson { version: json_version(graph.version)?, ..NavJson::default() };
        nav.heuristic = graph.layout.heuristic.then_some(graph.heuristic);
        nav.head = head.into_owned();
        if nav.heuristic.is_some_and(|heuristic| !heuristic.is_finite()) {
            return Err(not_finite("heuristic"));
        }
        // The first edict of each link. Links shared by several nodes are written with each of them.
        let mut edict_of = vec![None; graph.links.len()];
        let mut crowded = 0_usize;
        for edict in &graph.edicts {
            match edict_of.get_mut(usize::from(edict.link)) {
                Some(slot @ None) => *slot = Some(edict),
                _ => crowded = crowded.saturating_add(1),
            }
        }
        let mut spread = Spread {
            link_used: vec![false; graph.links.len()],
            traversal_used: vec![false; graph.traversals.len()],
            ..Spread::default()
        };
        for (index, (node, origin)) in graph.nodes.iter().zip(&graph.origins).enumerate() {
            let in_node = |error: Error| error.in_record("node", index as u64);
            if !origin.is_finite() {
                return Err(in_node(not_finite("origin")));
            }
            let first = usize::from(node.first_link());
            let end = first.saturating_add(node.link_count().into());
            let links = graph.links.get(first..end).ok_or_else(|| {
                let why = format!("{first}..{end} are outside 0..{}", graph.links.len());
                in_node(Error::invalid("links", why))
            })?;
            spread.take(first, end).map_err(in_node)?;
            nav.nodes.push(JsonNode {
                origin: origin.to_array(),
                flags: node.flags(),
                radius: node.radius(),
                first_link: nav.links.len(),
                link_count: links.len(),
                offset: 0,
            });
            for (link, edict) in links.iter().zip(edict_of.get(first..end).unwrap_or_default()) {
                let at = nav.links.len() as u64;
                nav.push(graph, link, *edict, &mut spread).map_err(|error| error.in_record("link", at))?;
            }
        }
        losses.lost("edicts-lost", crowded, "edicts", "lost where the link has one already, or is not there");
        let descends = !graph.edicts.is_sorted_by_key(|edict| edict.link);
        losses.lost("edicts-moved", descends.into(), "", "edicts are put in the order of their links");
        spread.tell(&mut losses);
        nav.rebind(&mut losses);
        Ok(nav)
    }

    fn push(
        &mut self,
        graph: &QuakeBuf,
        link: &Link,
        edict: Option<&EdictBuf>,
        spread: &mut Spread,
    ) -> Result<()> {
        let target = graph.origins.get(usize::from(link.target())).ok_or_else(|| {
            Error::invalid("target", format!("{} is outside 0..{}", link.target(), graph.origins.len()))
        })?;
        let stored = link.traversal().map(usize::from);
        let traversal = stored.and_then(|index| graph.traversals.get(index)).map(LadderTraversal::traversal);
        if let Some(index) = stored {
            spread.travel(index, self.traversals.len());
        }
        if traversal.is_some_and(|traversal| !traversal.is_finite()) {
            return Err(not_finite("traversal"));
        }
        if edict.is_some_and(|edict| !edict.bounds.is_finite()) {
            return Err(not_finite("box"));
        }
        let index = |len: usize, some: bool| if some { u32::try_from(len).unwrap_or(NONE) } else { NONE };
        self.links.push(JsonLink {
            target_origin: target.to_array(),
            target: link.target().into(),
            kind: u16::from_le_bytes([link.kind(), link.flags()]),
            traversal: index(self.traversals.len(), traversal.is_some()),
            edict: index(self.edicts.len(), edict.is_some()),
            offset: 0,
        });
        self.traversals.extend(traversal);
        self.edicts.extend(edict.map(|edict| JsonEdict { bounds: edict.bounds, key: edict.key, offset: 0 }));
        Ok(())
    }

    /// Finds the targets of links by coordinates, as every reader will, and reports links that thereby lead elsewhere.
    fn rebind(&mut self, losses: &mut Losses) {
        let before: Vec<_> = self.links.iter().map(JsonLink::target).collect();
        self.resolve();
        let rebound = self.links.iter().zip(before).filter(|(link, before)| link.target() != *before).count();
        losses.lost(
            "target-rebound",
            rebound,
            "links",
            "the target becomes another node with the same coordinates",
        );
    }
}

/// Bookkeeping of a walk over a graph: which records are used, and whether in order.
#[derive(Default)]
struct Spread {
    link_used: Vec<bool>,
    traversal_used: Vec<bool>,
    end: usize,
    links_moved: bool,
    traversals_moved: bool,
    traversals_shared: usize,
    traversals_missing: usize,
}

impl Spread {
    /// Records the links of a node. No other node may have them.
    fn take(&mut self, first: usize, end: usize) -> Result<()> {
        for (link, used) in (first..end).zip(self.link_used.get_mut(first..end).unwrap_or_default()) {
            if std::mem::replace(used, true) {
                return Err(Error::invalid("links", format!("link {link} belongs to another node as well")));
            }
        }
        self.links_moved |= first < self.end;
        self.end = end;
        Ok(())
    }

    /// Records the traversal of a link, which is written as number `at`.
    fn travel(&mut self, index: usize, at: usize) {
        match self.traversal_used.get_mut(index) {
            None => self.traversals_missing = self.traversals_missing.saturating_add(1),
            Some(used) if *used => self.traversals_shared = self.traversals_shared.saturating_add(1),
            Some(used) => {
                *used = true;
                self.traversals_moved |= index < at.saturating_sub(self.traversals_shared);
            }
        }
    }

    fn tell(&self, losses: &mut Losses) {
        let unused = |list: &[bool]| list.iter().filter(|used| !**used).count();
        losses.lost("links-lost", unused(&self.link_used), "links", "lost where they belong to no node");
        losses.lost("links-moved", self.links_moved.into(), "", "links are put in the order of their nodes");
        let shared = "a traversal that links share becomes one for each";
        losses.lost("traversals-split", self.traversals_shared, "copies", shared);
        let orphans = unused(&self.traversal_used);
        losses.lost("traversals-lost", orphans, "traversals", "lost where no link has them");
        let moved = self.traversals_moved.into();
        losses.lost("traversals-moved", moved, "", "traversals are put in the order of their links");
        let missing = "a traversal that is not there is lost";
        losses.lost("traversal-missing", self.traversals_missing, "links", missing);
    }
}

impl Head<'_> {
    /// An owned copy.
    pub fn into_owned(self) -> Head<'static> {
        use super::{Map, Text};
        let all = |list: Vec<Text<'_>>| list.into_iter().map(Text::into_owned).collect();
        Head {
            map: self.map.map(|map| Map {
                name: map.name.map(Text::into_owned),
                author: map.author.map(Text::into_owned),
                filename: map.filename.map(Text::into_owned),
                urls: map.urls.map(all),
            }),
            contributors: self.contributors.map(all),
            comments: self.comments.map(Text::into_owned),
            singular_comment: self.singular_comment,
        }
    }
}

/// The version of navjson for a binary version.
pub(super) fn json_version(version: Version) -> Result<u32> {
    (1..=3).find(|json| super::binary_version(*json) == Some(version)).ok_or_else(|| {
        Error::invalid("navjson", format!("{version} has no JSON form, NAV2 14, 15 and 17 have"))
    })
}

#[cold]
fn not_finite(what: &'static str) -> Error {
    Error::invalid(what, "holds NaN or infinity, which JSON cannot spell")
}
