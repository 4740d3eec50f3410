//! Makes a graph of points and lines.

#![forbid(unsafe_code)]

use super::flags::{Carries, LinkType};
use super::layout::Version;
use super::record::Link;
use super::write::QuakeBuf;
use crate::error::{Error, Result};
use crate::graph::Scene;

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

/// How a line is travelled, by its material: one way or both, and the type.
fn kind(name: &str) -> Option<(bool, LinkType)> {
    let lower = name.to_ascii_lowercase();
    let (one_way, word) = match lower.strip_prefix("oneway") {
        Some(rest) => (true, rest.trim_start_matches('_')),
        None => (false, lower.as_str()),
    };
    let word = word.replace('_', "");
    let kind = match word.as_str() {
        "" | "line" => LinkType::Walk,
        "jump" => LinkType::LongJump,
        word => TYPES.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word))?,
    };
    Some((one_way, kind))
}

impl QuakeBuf {
    /// Makes a waypoint of each point of a scene and of each end of a line, which are in units with z up, and links of its
    /// lines: both ways, or one way under a material such as `oneway_walk_off_ledge`. All have one radius. Edicts and
    /// traversals there are none.
    ///
    /// # Errors
    /// If the scene has faces or nothing at all, if a material names no type of link or one that needs a traversal, or if
    /// there are more than the format holds.
    pub fn build(scene: &Scene, version: Version, radius: u16) -> Result<Self> {
        if !scene.polygons.is_empty() {
            let why = format!("{} faces; a graph has points and lines", scene.polygons.len());
            return Err(Error::invalid("mesh", why));
        }
        let mut used = vec![false; scene.positions.len()];
        for at in scene.points.iter().chain(scene.lines.iter().flat_map(|line| &line.ends)) {
            used.get_mut(*at as usize).into_iter().for_each(|used| *used = true);
        }
        let mut next = 0_u32;
        let numbers: Vec<Option<u32>> = used
            .iter()
            .map(|used| {
                let number = used.then_some(next);
                next = next.saturating_add(u32::from(*used));
                number
            })
            .collect();
        if next == 0 {
            return Err(Error::invalid("mesh", "no points and no lines"));
        }
        let mut links: Vec<(u16, u16, u8)> = Vec::new();
        for line in &scene.lines {
            let name = scene.material(line.material);
            let wrong = |why: String| Error::invalid("mesh", format!("{}: {why}", scene.place(line.line)));
            let (one_way, kind) =
                kind(name).ok_or_else(|| wrong(format!("material \"{name}\" names no type of link")))?;
            if kind.carries() == Carries::Always {
                return Err(wrong(format!("links of type {kind} need a traversal, which a line has not")));
            }
            let ends = line
                .ends
                .map(|at| numbers.get(at as usize).copied().flatten().and_then(|at| u16::try_from(at).ok()));
            let [Some(a), Some(b)] = ends else {
                return Err(wrong(format!("{next} waypoints, 65536 fit")));
            };
            if a == b {
                return Err(wrong("a line from a waypoint to itself".into()));
            }
            links.push((a, b, kind.stored()));
            if !one_way {
                links.push((b, a, kind.stored()));
            }
        }
        // What is exported has a line for each way.
        links.sort_unstable();
        links.dedup();
        let mut graph = Self::new(version);
        let mut rest = links.as_slice();
        for (at, number) in scene.positions.iter().zip(&numbers) {
            let Some(number) = number else { continue };
            graph.push_node(at.map(|v| v as f32), 0, radius)?;
            while let Some(((from, to, kind), later)) = rest.split_first()
                && u32::from(*from) == *number
            {
                graph.push_link(Link::new(*to, *kind, 0, None))?;
                rest = later;
            }
        }
        Ok(graph)
    }
}
