//! Builds a graph from points and lines.

use super::flags::{Carries, LinkType};
use super::layout::Version;
use super::record::{LadderTraversal, Link, Traversal};
use super::write::QuakeBuf;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{LinkKind, Scene, Way};

/// Every type that has a name.
const TYPES: [LinkType; 14] = [
    LinkType::Walk,
    LinkType::LongJump,
    LinkType::Teleport,
    LinkType::WalkOffLedge,
    LinkType::Pusher,
    LinkType::BarrierJump,
    LinkType::Elevator,
    LinkType::Train,
    LinkType::ManualLongJump,
    LinkType::Crouch,
    LinkType::Ladder,
    LinkType::ManualBarrierJump,
    LinkType::PivotAndJump,
    LinkType::RocketJump,
];

/// The link type of a line: the one its material names, else one that fits the kind its object names, else a walk.
fn kind(way: &Way<'_>) -> Option<LinkType> {
    let word = way.name.to_ascii_lowercase().replace('_', "");
    match word.as_str() {
        "" => match way.kind.unwrap_or(LinkKind::Walk) {
            LinkKind::Walk | LinkKind::Border => Some(LinkType::Walk),
            LinkKind::Crouch => Some(LinkType::Crouch),
            LinkKind::Jump => Some(LinkType::LongJump),
            LinkKind::Drop => Some(LinkType::WalkOffLedge),
            LinkKind::Ladder => Some(LinkType::Ladder),
            LinkKind::Elevator => Some(LinkType::Elevator),
            LinkKind::Train => Some(LinkType::Train),
            LinkKind::Push => Some(LinkType::Pusher),
            LinkKind::Teleport => Some(LinkType::Teleport),
            LinkKind::RocketJump => Some(LinkType::RocketJump),
            _ => None,
        },
        "jump" => Some(LinkType::LongJump),
        word => TYPES.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word)),
    }
}

impl QuakeBuf {
    /// Makes a waypoint of each point of a scene and of each end of a line, and links of its lines. Coordinates are units with z
    /// up. Lines lead both ways, or one way under a material such as `oneway_walk_off_ledge`. If the material names no type, the
    /// object does: `links: drop`. Two inner points of a line become its traversal. All waypoints have the same
    /// radius. There are no edicts.
    ///
    /// # Errors
    /// If the scene has faces or is empty, if a line names a link type that this version lacks or one that needs a traversal, or
    /// if the counts exceed the format's.
    pub fn build(scene: &Scene, version: Version, radius: u16) -> Result<Self> {
        scene.bounded()?;
        let made = scene.waypoints()?;
        let mut graph = Self::new(version);
        let mut links: Vec<(u16, u16, u8, Option<u16>)> = Vec::new();
        for way in &made.ways {
            let wrong = |why: String| Error::invalid("mesh", format!("{}: {why}", scene.place(way.line)));
            let kind = kind(way)
                .ok_or_else(|| wrong(format!("material \"{}\" names no type of link", way.word())))?;
            if LinkType::new(version.magic, kind.stored()) != kind {
                return Err(wrong(format!("{version} has no links of type {kind}")));
            }
            let path = way.path.filter(|_| kind.carries() != Carries::Never);
            if kind.carries() == Carries::Always && path.is_none() {
                return Err(wrong(format!("links of type {kind} need a traversal, which a line has not")));
            }
            let [Ok(a), Ok(b)] = way.ends.map(u16::try_from) else {
                return Err(wrong(format!("{} waypoints, 65536 fit", made.places.len())));
            };
            let traversal = path.map(|path| {
                let [start, end] = path.map(|at| at.map(|v| v as f32));
                graph.traversals.push(LadderTraversal::new(Traversal::new(None, start, end), [0.0; 3]));
                u16::try_from(graph.traversals.len().saturating_sub(1)).unwrap_or(u16::MAX)
            });
            links.push((a, b, kind.stored(), traversal));
            if !way.one_way {
                links.push((b, a, kind.stored(), None));
            }
        }
        // Exports have a line for each direction.
        links.sort_unstable();
        links.dedup();
        let mut rest = links.as_slice();
        for (at, number) in made.places.iter().zip(0_u32..) {
            graph.push_node(at.map(|v| v as f32), 0, radius)?;
            while let Some(((from, to, kind, traversal), later)) = rest.split_first()
                && u32::from(*from) == number
            {
                graph.push_link(Link::new(*to, *kind, 0, *traversal))?;
                rest = later;
            }
        }
        Ok(graph)
    }
}
