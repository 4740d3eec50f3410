//! Makes a graph of points and lines.

#![forbid(unsafe_code)]

use super::flags::{Carries, LinkType};
use super::layout::Version;
use super::record::Link;
use super::write::QuakeBuf;
use crate::error::{Error, Result};
use crate::graph::{Line, Scene};
use std::collections::{HashMap, HashSet};

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
        None => (lower == PATH, lower.as_str()),
    };
    let word = word.replace('_', "");
    let kind = match word.as_str() {
        "" | "line" | "path" => LinkType::Walk,
        "jump" => LinkType::LongJump,
        word => TYPES.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word))?,
    };
    Some((one_way, kind))
}

/// The material of faces that are pictures of waypoints, in what navmap exports to GLB.
const DISC: &str = "waypoint";
/// The material of lines that lead from one waypoint to another over places that are none.
const PATH: &str = "path";

/// The lines between waypoints. An end at the place of a point is that point, and a path is one line.
fn lines(scene: &Scene) -> Vec<Line> {
    let key = |at: u32| scene.position(at).map(f64::to_bits);
    let mut points = HashMap::with_capacity(scene.points.len());
    for point in &scene.points {
        points.entry(key(*point)).or_insert(*point);
    }
    let named: HashSet<u32> = scene.points.iter().copied().collect();
    let point = |end: u32| if named.contains(&end) { Some(end) } else { points.get(&key(end)).copied() };
    let mut lines = Vec::with_capacity(scene.lines.len());
    // Where the path began that the lines so far are of, and where it ends now.
    let mut path: Option<(u32, u32)> = None;
    for line in &scene.lines {
        let [a, b] = line.ends;
        if scene.material(line.material) != PATH {
            lines.push(Line { ends: line.ends.map(|end| point(end).unwrap_or(end)), ..*line });
            continue;
        }
        let begun = path.filter(|(_, at)| *at == a).map(|(from, _)| from).or_else(|| point(a));
        match (begun, point(b)) {
            (Some(from), Some(to)) => {
                lines.push(Line { ends: [from, to], ..*line });
                path = None;
            }
            (begun, _) => path = begun.map(|from| (from, b)),
        }
    }
    lines
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
        let faces = scene.polygons.iter().filter(|face| scene.material(face.material) != DISC).count();
        if faces > 0 {
            let why = format!("{faces} faces; a graph has points and lines");
            return Err(Error::invalid("mesh", why));
        }
        let lines = lines(scene);
        let mut used = vec![false; scene.positions.len()];
        for at in scene.points.iter().chain(lines.iter().flat_map(|line| &line.ends)) {
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
        for line in &lines {
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
