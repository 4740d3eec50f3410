//! The report of a build.

use crate::buf::FoxBuf;
use crate::view::FoxNav;
use navmap_core::error::Result;
use std::fmt;

/// What a build did with the polygons.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BuildReport {
    /// Triangles that faced down and were flipped.
    pub turned: u64,
    /// Faces whose triangles [cover more than them](navmap_core::graph::Triangles::is_exact).
    pub crossed: u64,
    /// The place of the first of them.
    pub first_crossed: Option<u32>,
    /// Triangles without area seen from above, which are left out.
    pub flat: u64,
    /// The place of the first triangle without area.
    pub first_flat: Option<u32>,
    /// Pieces that quantisation collapsed to a line or a point.
    pub dropped: u64,
    /// Sides that more than two faces share.
    pub crowded: u64,
    /// The first of them.
    pub first_crowded: Option<Crowded>,
    /// Sides whose faces overlap, so that they are not neighbours.
    pub folded: u64,
    /// Triangles that face down and were kept, because the tile is like another one.
    pub kept_down: u64,
    /// Faces without any neighbour.
    pub alone: u64,
    /// The findings of [`check`](navmap_core::format::NavFile::check) in the tile. Expected to be empty.
    pub findings: Vec<String>,
    /// Warnings about spawn points.
    pub spawns: Vec<String>,
    /// What `first_flat` and `first_crossed` count: `line`.
    pub unit: &'static str,
}

/// A side that more than two faces share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowded {
    /// How many faces.
    pub faces: u64,
    /// Its middle in metres.
    pub at: [f32; 3],
}

impl BuildReport {
    /// Checks a spawn point.
    pub(super) fn spawn(&mut self, tile: &FoxBuf, [x, y, z]: [f64; 3]) -> Result<()> {
        let bytes = tile.encode_canonical()?;
        let nav = FoxNav::parse(&bytes)?;
        let at = [x as f32, y as f32, z as f32];
        let tell = |what: String| format!("spawn {x},{y},{z}: {what}");
        match nav.locate(at)? {
            None => self
                .spawns
                .push(tell("there is no mesh below it; characters stand in T-pose at 0,0,0".into())),
            Some(face) if f64::from(face.y) > y + 0.1 => {
                let above = f64::from(face.y) - y;
                self.spawns.push(tell(format!(
                    "the mesh is {above:.2} m above it; characters stand in T-pose at 0,0,0"
                )));
            }
            Some(_) => {
                // Tests eight points a metre away: near a border or an obstacle, characters stand idle.
                let near = [
                    (1.0, 0.0),
                    (0.7, 0.7),
                    (0.0, 1.0),
                    (-0.7, 0.7),
                    (-1.0, 0.0),
                    (-0.7, -0.7),
                    (0.0, -1.0),
                    (0.7, -0.7),
                ];
                for (dx, dz) in near {
                    if nav.locate([(x + dx) as f32, y as f32, (z + dz) as f32])?.is_none() {
                        self.spawns.push(tell("the mesh ends less than 1 m from it".into()));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Warnings for a person, one per line.
    pub fn warnings(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |count: u64, what: String| {
            if count > 0 {
                said.push(format!("{count} {what}"));
            }
        };
        say(self.turned, "triangles had their front down and were turned over".into());
        let first = |line: Option<u32>| {
            line.map_or_else(String::new, |line| format!(" (the first at {} {line})", self.unit))
        };
        let at = first(self.first_crossed);
        say(
            self.crossed,
            format!("faces cross themselves or have too many corners, and were cut roughly{at}"),
        );
        let at = first(self.first_flat);
        say(self.flat, format!("triangles have no area seen from above and were left out{at}"));
        say(self.dropped, "pieces became lines or points when they were quantised and were left out".into());
        let first = self.first_crowded.map_or_else(String::new, |side| {
            let [x, y, z] = side.at;
            format!(" (the first, of {} faces, at {x},{y},{z})", side.faces)
        });
        say(
            self.crowded,
            format!("sides are shared by more than two faces, of which every other pair is joined{first}"),
        );
        say(
            self.folded,
            "sides belong to faces that lie over each other there; they are left as borders".into(),
        );
        say(
            self.kept_down,
            "triangles have their front down and were kept so, as in the tile they are like".into(),
        );
        say(self.alone, "faces have no neighbour at all".into());
        said.extend(self.findings.iter().chain(&self.spawns).cloned());
        said
    }
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.warnings().join("\n"))
    }
}
