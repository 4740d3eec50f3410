//! A table of meshes: every one in files, folders and archives as a row of CSV, with what its graph is like.
//!
//! `cargo run --example table --features archive -- maps/ pak01_dir.vpk > meshes.csv`

use navmap::scan::{Outcome, Scan, Task, Totals, path_text};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// A cell, in quotes if it has to be.
fn cell(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// Writes one row. What a mesh does not tell is an empty cell, never 0.
fn row(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let path = path_text(&outcome.path);
    let name = outcome.member.as_ref().map_or(path.to_string(), |member| format!("{path}!{member}"));
    let game = outcome.summary.and_then(|summary| summary.game).unwrap_or_default();
    write!(out, "{},{},{}", cell(&name), outcome.status(), cell(game))?;
    match outcome.graph.as_deref() {
        Some(graph) => {
            let square_metres = graph.area_m2.map(|area| format!("{area:.1}")).unwrap_or_default();
            let numbers =
                [graph.nodes, graph.links, graph.components, graph.largest_component, graph.one_way_links];
            numbers.iter().try_for_each(|number| write!(out, ",{number}"))?;
            writeln!(out, ",{square_metres}")
        }
        None => writeln!(out, ",,,,,,"),
    }
}

/// Writes the table: meshes in path order, whatever is read first. One bad file is a row, and ends nothing.
///
/// # Errors
/// Only those of `out`.
pub(crate) fn table(paths: &[PathBuf], out: &mut (dyn Write + Send)) -> io::Result<Totals> {
    writeln!(out, "mesh,status,game,nodes,links,islands,largest_island,one_way_links,area_m2")?;
    let mut written = Ok(());
    let scan = Scan { task: Task::Graph, ..Scan::new() };
    let totals = scan.run(paths, &mut |outcome: Outcome| {
        written = row(&outcome, out);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written.map(|()| totals)
}

#[allow(dead_code, reason = "the tests take this file as a module")]
fn main() -> io::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let totals = table(&paths, &mut io::stdout())?;
    eprintln!(
        "{} meshes, {} with findings, {} that cannot be read",
        totals.meshes, totals.findings, totals.errors
    );
    Ok(())
}
