//! The report of a generation.

use crate::record::AreaId;
use navmap_core::text::counted;
use std::fmt;

/// What was generated, and from where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The seeds that led to something new, on the ground.
    pub seeds: Vec<[f32; 3]>,
    /// Seeds without ground to stand on.
    pub lost_seeds: u64,
    /// Nodes of the map.
    pub nodes: u64,
    /// Areas that were made.
    pub areas: u64,
    /// Links from these, and to them.
    pub links: u64,
    /// The links among them that join existing areas.
    pub stitched: u64,
    /// The first and the last id given out, if the areas were added to an existing mesh.
    pub ids: Option<[AreaId; 2]>,
    /// Ladders.
    pub ladders: u64,
    /// Steps that lead out of the box onto ground without an area, if the areas were added to an existing mesh.
    pub cut_off: u64,
}

impl fmt::Display for Report {
    /// One line for the seeds, one for the results.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        let point = |at: &[f32; 3]| at.map(|part| (part + 0.0).to_string()).join(",");
        let seeds: Vec<String> = self.seeds.iter().map(point).collect();
        writeln!(f, "seeds: {}", seeds.join(" "))?;
        if self.lost_seeds > 0 {
            writeln!(f, "{}: nobody can stand there", counted(self.lost_seeds, "other seed", "other seeds"))?;
        }
        writeln!(
            f,
            "{}, {}, {}, {}",
            counted(self.nodes, "node", "nodes"),
            counted(self.areas, "area", "areas"),
            counted(self.links, "connection", "connections"),
            counted(self.ladders, "ladder", "ladders")
        )?;
        if let Some([first, last]) = self.ids {
            writeln!(
                f,
                "new: areas {first} to {last}, {} with areas that were there",
                counted(self.stitched, "connection", "connections")
            )?;
        }
        if self.cut_off > 0 {
            let steps = counted(self.cut_off, "step leads", "steps lead");
            writeln!(
                f,
                "cut off: {steps} out of the box onto ground without an area; a larger box takes it in"
            )?;
        }
        Ok(())
    }
}
