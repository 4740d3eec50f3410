//! Converts a graph to another version and reports every loss. `docs/formats/quake.md`, section 8.

use super::flags::{LinkFlags, LinkType, Nav2NodeFlags, Nav3NodeFlags};
use super::iter::EdictKey;
use super::layout::{Magic, Version};
use super::record::{LadderTraversal, Link, Node};
use super::write::{HEURISTIC, QuakeBuf};
use navmap_core::error::Result;
use navmap_core::{Finding, Severity};

/// Reports what a conversion loses (a warning) or supplies (information), once for each kind of thing.
pub(super) struct Losses<'f>(pub(super) &'f mut dyn FnMut(Finding));

impl Losses<'_> {
    pub(super) fn lost(&mut self, code: &'static str, count: usize, of: &str, what: &str) {
        self.say(Severity::Warning, code, count, of, what);
    }

    pub(super) fn noted(&mut self, code: &'static str, count: usize, of: &str, what: &str) {
        self.say(Severity::Info, code, count, of, what);
    }

    /// Reports a loss once, with the number of records concerned. Zero records are not reported.
    fn say(&mut self, severity: Severity, code: &'static str, count: usize, of: &str, what: &str) {
        let message = match (count, of) {
            (0, _) => return,
            (_, "") => what.to_string(),
            (count, of) => format!("{what} ({of}: {count})"),
        };
        (self.0)(Finding::new(severity, code, message));
    }
}

impl QuakeBuf {
    /// Converts the graph to another version. Reports each change to `losses` first: as a [`Warning`](Severity::Warning) if
    /// something is lost or left unknown, as [`Info`](Severity::Info) if a value is supplied that changes no meaning. The same
    /// version changes nothing.
    ///
    /// # Errors
    /// If the layout of the version is unknown, or from NAV3 to NAV2: NAV2 cannot express ladders, crouching and several jumps,
    /// and it distinguishes the two ends of an elevator.
    pub fn convert(&self, to: Version, losses: &mut dyn FnMut(Finding)) -> Result<Self> {
        let mut buf = self.clone();
        if to == self.version {
            return Ok(buf);
        }
        let layout = to.layout().ok_or_else(|| to.error("cannot be written: its layout is not known"))?;
        let mut losses = Losses(losses);
        match (self.version.magic, to.magic) {
            (Magic::Nav3, Magic::Nav2) => {
                return Err(to.error("cannot be made from NAV3: it has no word for its link types and flags"));
            }
            (Magic::Nav2, Magic::Nav3) => {
                buf.cross(&mut losses);
                buf.nav3_flags(Version::nav3(6), to, &mut losses);
            }
            (Magic::Nav2, Magic::Nav2) => buf.nav2_masks(to, &mut losses),
            (Magic::Nav3, Magic::Nav3) => buf.nav3_flags(self.version, to, &mut losses),
        }
        buf.heuristic(to, &mut losses);
        buf.planes(to, &mut losses);
        buf.keys(to, &mut losses);
        buf.version = to;
        buf.layout = layout;
        Ok(buf)
    }

    fn heuristic(&mut self, to: Version, losses: &mut Losses) {
        let to_has = to.layout().is_some_and(|layout| layout.heuristic);
        match (self.layout.heuristic, to_has) {
            (false, true) => {
                self.heuristic = HEURISTIC;
                losses.noted("heuristic-supplied", 1, "", "the heuristic is set to 0.8, the file has none");
            }
            (true, false) if self.heuristic != HEURISTIC => {
                let what = format!("the heuristic {} is lost", self.heuristic);
                losses.lost("heuristic-lost", 1, "", &what);
            }
            _ => {}
        }
    }

    /// Byte 3 of a link between versions of NAV2: a team mask in version 18, 0 before.
    fn nav2_masks(&mut self, to: Version, losses: &mut Losses) {
        if to.team_mask(0).is_some() {
            let set = self.links.iter().filter(|link| link.flags() != 0).count();
            losses.lost("link-byte-reread", set, "links", "byte 3 becomes a team mask");
            return;
        }
        if self.version.team_mask(0).is_none() {
            return;
        }
        let masked = self.links.iter().filter(|link| ![0, 0xFF].contains(&link.flags())).count();
        losses.lost("team-mask-lost", masked, "links", "team masks are lost");
        self.links.iter_mut().for_each(|link| *link = with_flags(link, 0));
    }

    /// Byte 3 of a link between versions of NAV3.
    fn nav3_flags(&mut self, from: Version, to: Version, losses: &mut Losses) {
        let group = |version: Version| match version.number {
            ..3 => 0,
            3..=5 => 1,
            _ => 2,
        };
        if group(from) == group(to) {
            return;
        }
        const LATE: u8 = LinkFlags::EXIT_AT_TARGET.0 | LinkFlags::WALK_ONLY.0;
        let (mut late, mut any, mut teams) = (0_usize, 0_usize, 0_usize);
        for link in &mut self.links {
            let stored = link.flags();
            let Some(LinkFlags(effective)) = from.link_flags(stored) else { continue };
            let flags = match group(to) {
                // The game ignores the byte; in every real file it has all bits set.
                0 => {
                    any = any.saturating_add((effective != LinkFlags::ALL_TEAMS.0).into());
                    0xFF
                }
                // Bits 2 and 3 are two more teams there. They are set, as in every link of real files.
                1 => {
                    late = late.saturating_add((effective & LATE != 0).into());
                    effective | LATE
                }
                _ => {
                    let partial = group(from) == 1 && stored & LATE != LATE;
                    teams = teams.saturating_add(partial.into());
                    effective
                }
            };
            *link = with_flags(link, flags);
        }
        losses.lost("link-flags-lost", any, "links", "flags are lost, every team may pass");
        losses.lost("link-flags-lost", late, "links", "the flags ExitAtTarget and WalkOnly are lost");
        losses.lost("teams-lost", teams, "links", "the yellow and green team bits are lost");
    }

    /// The fourth vector of a traversal.
    fn planes(&mut self, to: Version, losses: &mut Losses) {
        let to_has = to.layout().is_some_and(|layout| layout.plane);
        match (self.layout.plane, to_has) {
            (true, false) => {
                let planes = self.traversals.iter().filter(|t| t.plane() != [0.0; 3]).count();
                losses.lost("ladder-plane-lost", planes, "traversals", "the planes of ladders are lost");
                self.traversals.iter_mut().for_each(|t| *t = LadderTraversal::new(*t.traversal(), [0.0; 3]));
            }
            (false, true) => {
                let ladder = |link: &&Link| LinkType::new(to.magic, link.kind()) == LinkType::Ladder;
                let ladders = self.links.iter().filter(ladder).count();
                losses.lost("ladder-plane-missing", ladders, "links", "ladders are left without a plane");
            }
            _ => {}
        }
    }

    /// The key of an edict's entity.
    fn keys(&mut self, to: Version, losses: &mut Losses) {
        let Some(layout) = to.layout().filter(|layout| layout.edict != self.layout.edict) else { return };
        let unknown = layout.edict.unresolved();
        let named = self.edicts.iter().filter(|edict| edict.key != self.layout.edict.unresolved()).count();
        losses.lost("edict-key-lost", named, "edicts", "what names their entities is lost, the boxes stay");
        let (code, what) = match unknown {
            EdictKey::None => ("", ""),
            EdictKey::Handles { .. } => {
                ("edict-key-missing", "string handles are set to 0, only the game can make them")
            }
            EdictKey::Entity(_) => {
                ("edict-key-missing", "entity ids are set to 0 (unresolved), only the map has them")
            }
            EdictKey::Model(_) => ("edict-key-missing", "models are set to 0 (none), only the map has them"),
        };
        if !what.is_empty() {
            losses.lost(code, self.edicts.len(), "edicts", what);
        }
        self.edicts.iter_mut().for_each(|edict| edict.key = unknown);
    }

    /// From NAV2 to NAV3 6: node flags, link bytes and link types change their meaning.
    fn cross(&mut self, losses: &mut Losses) {
        const OLD_ENDS: u16 = Nav2NodeFlags::ELEVATOR_TOP.0 | Nav2NodeFlags::ELEVATOR_BOTTOM.0;
        const SHARED: u16 = 0x1FF & !OLD_ENDS;
        let (mut ends, mut unnamed) = (0_usize, 0_usize);
        for node in &mut self.nodes {
            let old = node.flags();
            let elevator = if old & OLD_ENDS == 0 { 0 } else { Nav3NodeFlags::ELEVATOR.0 };
            ends = ends.saturating_add((old & OLD_ENDS != 0).into());
            unnamed = unnamed.saturating_add((old & !(SHARED | OLD_ENDS) != 0).into());
            *node = Node::new(old & SHARED | elevator, node.first_link(), node.link_count(), node.radius());
        }
        losses.lost(
            "elevator-ends-lost",
            ends,
            "nodes",
            "top and bottom of elevators are no longer told apart",
        );
        losses.lost(
            "node-flags-lost",
            unnamed,
            "nodes",
            "flags without a name are lost, they mean other things in NAV3",
        );
        let masked = self.version.team_mask(0).is_some();
        let (mut masks, mut kinds) = (0_usize, 0_usize);
        for link in &mut self.links {
            let dropped = if masked { ![0, 0xFF].contains(&link.flags()) } else { link.flags() != 0 };
            masks = masks.saturating_add(dropped.into());
            let unknown = matches!(LinkType::new(Magic::Nav2, link.kind()), LinkType::Unknown(_));
            let renamed = unknown && !matches!(LinkType::new(Magic::Nav3, link.kind()), LinkType::Unknown(_));
            kinds = kinds.saturating_add(renamed.into());
            *link = with_flags(link, LinkFlags::ALL_TEAMS.0);
        }
        losses.lost("team-mask-lost", masks, "links", "byte 3 is lost, every team may pass");
        losses.lost("link-type-reread", kinds, "links", "a type without a name gets a meaning in NAV3");
    }
}

fn with_flags(link: &Link, flags: u8) -> Link {
    Link::new(link.target(), link.kind(), flags, link.traversal())
}
