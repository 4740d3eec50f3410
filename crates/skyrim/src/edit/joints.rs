//! The targets of edges: links, neighbours, and the commands that change them.

use super::between::Work;
use super::slot::Slot;
use crate::buf::LinkBuf;
use crate::form::FormId;
use crate::record::Edge;

/// The target of a link, in old numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Triangle(u32, u32),
    /// In a mesh of another plugin.
    Elsewhere(FormId, u16),
    /// A triangle that no command can name.
    Nameless,
}

impl Work<'_> {
    /// The target of a link of the current mesh.
    pub(super) fn target_now(&self, link: &LinkBuf) -> Target {
        let editor = self.session.editor();
        let Some(mesh) = editor.named_by(link.navmesh) else {
            return Target::Elsewhere(editor.owners.canonical(link.navmesh), link.triangle);
        };
        let id = self.now(mesh).and_then(|slot| slot.ids.get(usize::from(link.triangle)));
        id.map_or(Target::Nameless, |id| Target::Triangle(mesh, *id))
    }

    /// The target of a link of the new mesh.
    pub(super) fn target_then(&self, link: &LinkBuf) -> Target {
        let Some(there) = self.after.named_by(link.navmesh) else {
            return Target::Elsewhere(self.after.owners.canonical(link.navmesh), link.triangle);
        };
        let pair = self.by_there.get(&there).and_then(|at| self.meshes.get(*at));
        let id = pair.and_then(|pair| Some((pair.here, *pair.back.get(&link.triangle.into())?)));
        id.map_or(Target::Nameless, |(mesh, id)| Target::Triangle(mesh, id))
    }

    /// The current and the intended link of an edge.
    pub(super) fn link_of(&self, at: usize, id: u32, place: u32, edge: u8) -> [Option<(LinkBuf, Target)>; 2] {
        let Some((_, now, is)) = self.slots(at) else { return [None, None] };
        let here = now.place(id).and_then(|place| now.mesh.link(place, edge));
        let there = u16::try_from(place).ok().and_then(|place| is.mesh.link(place, edge));
        [here.map(|link| (link, self.target_now(&link))), there.map(|link| (link, self.target_then(&link)))]
    }

    pub(super) fn unlink(&mut self, at: usize) {
        let Some(pairs) = self.meshes.get(at).map(|pair| pair.pairs.clone()) else { return };
        for (id, place) in pairs {
            for edge in 0..3 {
                let [Some((was, from)), is] = self.link_of(at, id, place, edge) else { continue };
                if is.is_some_and(|(is, to)| is.kind == was.kind && from == to) {
                    continue;
                }
                let Some((_, now, _)) = self.slots(at) else { continue };
                let name = Self::name(now, id);
                self.command(format!("unlink {name} {edge}"));
            }
        }
    }

    /// Adds new links, in the order in which the new mesh stores them.
    pub(super) fn link(&mut self, at: usize) {
        let Some((pair, _, is)) = self.slots(at) else { return };
        let mut edges: Vec<(u16, u32, u32, u8)> = Vec::new();
        for (id, place) in &pair.pairs {
            for edge in 0..3 {
                let stored = u16::try_from(*place).ok().and_then(|place| is.mesh.edge(place, edge));
                if let Some(Edge::Link(index)) = stored {
                    edges.push((index, *id, *place, edge));
                }
            }
        }
        edges.sort_unstable();
        for (_, id, place, edge) in edges {
            let [None, Some((link, Target::Triangle(mesh, other)))] = self.link_of(at, id, place, edge)
            else {
                continue;
            };
            let Some(((_, now, is), there)) = self.slots(at).zip(self.now(mesh)) else { continue };
            let Some(back) = self.edge_back(is, place, &link) else { continue };
            let Some(kind) = crate::flags::LINK_KINDS.get(link.kind as usize) else { continue };
            let (from, to) = (Self::name(now, id), Self::name(there, other));
            let kind = if link.kind == 0 { String::new() } else { format!(" --kind {kind}") };
            self.command(format!("link {from} {edge} {to} {back}{kind}"));
        }
    }

    /// The current and the intended neighbour of an edge in the same mesh, by number. `Err` is the index of one without a number.
    pub(super) fn beside(&self, at: usize, id: u32, place: u32, edge: u8) -> [Option<Result<u32, u16>>; 2] {
        let Some((pair, now, is)) = self.slots(at) else { return [None, None] };
        let neighbour = |edge: Option<Edge>| match edge {
            Some(Edge::Neighbour(index)) => Some(index),
            _ => None,
        };
        let here = now.place(id).and_then(|place| now.mesh.edge(place, edge));
        let there = u16::try_from(place).ok().and_then(|place| is.mesh.edge(place, edge));
        [
            neighbour(here).map(|index| now.ids.get(usize::from(index)).copied().ok_or(index)),
            neighbour(there).map(|index| pair.back.get(&index.into()).copied().ok_or(index)),
        ]
    }

    pub(super) fn part(&mut self, at: usize) {
        let Some(pairs) = self.meshes.get(at).map(|pair| pair.pairs.clone()) else { return };
        for (id, place) in pairs {
            for edge in 0..3 {
                let [now @ Some(_), then] = self.beside(at, id, place, edge) else { continue };
                if now != then
                    && let Some((_, slot, _)) = self.slots(at)
                {
                    let name = Self::name(slot, id);
                    self.command(format!("unlink {name} {edge}"));
                }
            }
        }
    }

    pub(super) fn join(&mut self, at: usize) {
        let Some(pairs) = self.meshes.get(at).map(|pair| pair.pairs.clone()) else { return };
        for (id, place) in pairs {
            for edge in 0..3 {
                let [None, Some(Ok(other))] = self.beside(at, id, place, edge) else { continue };
                let Some((_, slot, is)) = self.slots(at) else { continue };
                let there = u16::try_from(place).ok().and_then(|place| match is.mesh.edge(place, edge) {
                    Some(Edge::Neighbour(there)) => Some((place, there)),
                    _ => None,
                });
                let back = there.and_then(|(place, there)| {
                    (0..3).find(|edge| is.mesh.edge(there, *edge) == Some(Edge::Neighbour(place)))
                });
                let Some(back) = back else { continue };
                let (from, to) = (Self::name(slot, id), Self::name(slot, other));
                self.command(format!("join {from} {edge} {to} {back}"));
            }
        }
    }

    /// The edge of a link's target triangle that leads back.
    fn edge_back(&self, is: &Slot, place: u32, link: &LinkBuf) -> Option<u8> {
        if is.mesh.shape.named_edges {
            return Some(link.edge);
        }
        let other = self.after.slot(self.after.named_by(link.navmesh)?)?;
        (0..3).find(|edge| {
            let back = other.mesh.link(link.triangle, *edge);
            back.is_some_and(|back| {
                self.after.owners.same(back.navmesh, is.form) && u32::from(back.triangle) == place
            })
        })
    }
}
