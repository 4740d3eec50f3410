//! What an edit has changed.

use super::editor::FoxEditor;
use crate::buf::{FoxBuf, GroupBuf};
use navmap_core::edit::{Report, ReportRow};

impl FoxEditor {
    /// The differences from the opened tile.
    pub(super) fn reported(&self) -> Report {
        let (before, now) = (&self.before, &self.world.tile);
        let count = |tile: &FoxBuf, of: fn(&GroupBuf) -> usize| {
            tile.groups.iter().map(of).fold(0_u64, |sum, n| sum.saturating_add(n as u64))
        };
        let mut report = Report::default();
        let row = |what, before: u64, after: u64, changed: u64| ReportRow {
            what,
            before,
            after,
            made: after.saturating_sub(before),
            removed: before.saturating_sub(after),
            changed,
        };
        let pairs = || before.groups.iter().zip(&now.groups);
        let attributes = pairs().flat_map(|(a, b)| a.world.attributes.iter().zip(&b.world.attributes));
        let same_shape = count(before, |g| g.segments.len()) == count(now, |g| g.segments.len());
        let changed = if same_shape { attributes.filter(|(a, b)| a != b).count() as u64 } else { 0 };
        report.rows.push(row(
            "segments",
            count(before, |g| g.segments.len()),
            count(now, |g| g.segments.len()),
            changed,
        ));
        report.rows.push(row(
            "faces",
            count(before, |g| g.mesh.faces.len()),
            count(now, |g| g.mesh.faces.len()),
            0,
        ));
        let vertices = pairs().flat_map(|(a, b)| a.mesh.vertices.iter().zip(&b.mesh.vertices));
        let same = count(before, |g| g.mesh.vertices.len()) == count(now, |g| g.mesh.vertices.len());
        report.rows.push(row(
            "vertices",
            count(before, |g| g.mesh.vertices.len()),
            count(now, |g| g.mesh.vertices.len()),
            if same { vertices.filter(|(a, b)| a != b).count() as u64 } else { 0 },
        ));
        report.rows.push(row(
            "nodes",
            count(before, |g| g.world.nodes.len()),
            count(now, |g| g.world.nodes.len()),
            0,
        ));
        let links =
            |tile: &FoxBuf| count(tile, |g| g.graph.inside.len().saturating_add(g.graph.groups.len()));
        report.rows.push(row("segment links", links(before), links(now), 0));
        let islands = |tile: &FoxBuf| tile.islands.first().map_or(0, |graph| graph.islands.len() as u64);
        let each =
            |tile: &FoxBuf| tile.islands.first().map(|graph| graph.islands.clone()).unwrap_or_default();
        let changed = if islands(before) == islands(now) {
            each(before).iter().zip(each(now)).filter(|(a, b)| **a != *b).count() as u64
        } else {
            0
        };
        report.rows.push(row("islands", islands(before), islands(now), changed));
        let heads = self.heads.iter().zip(self.world.heads());
        let changed = heads.filter(|(before, now)| *before != now).count() as u64;
        report.rows.push(row("head", 1, 1, changed));
        if !report.is_empty() && self.rewritten > 0 {
            report.notes.push(format!("layout rewritten: {} sections", self.rewritten));
        }
        report
    }
}
