//! `navmap check`: every finding, with its place.

use super::args::Lines;
use super::findings::{self, Filter, Form, Shown, Summary, print};
use super::out::{Out, say};
use super::paths::Paths;
use super::progress::Watch;
use super::{Exit, Failure, args, plan};
use navmap::error::Error;
use navmap::format::Kind;
use navmap::graph::Shape;
use navmap::open::{Mesh, OnMesh, Tiles};
use navmap::scan::{Outcome, Task, path_text};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    if let Some(code) = &typed.explain {
        let mut out = Out::new();
        findings::explain(code, &mut out)?;
        out.flush()?;
        return Ok(Exit::Clean);
    }
    if typed.fix {
        return super::fix::run(typed);
    }
    let scan = plan::scan(Task::Check, &typed.run);
    // Before the watch: a signal ends the program while it waits for a list that nobody writes.
    let mut paths = Paths::read(&typed.run.paths, &scan.stop)?;
    let watch = Watch::new(&scan, &typed.run);
    let filter = Filter::new(typed);
    let mut out = Out::new().json(typed.format == Lines::Jsonl);
    let (terminal, form) = (out.is_terminal(), Form { lines: typed.format, painter: out.painter() });
    // Lines are made on the thread that read the mesh: they take as long as the reading.
    let prepare = |outcome: Outcome| {
        let family = outcome.kind.map(Kind::family);
        let (shown, mut summary) = filter.choose(family, &outcome.findings);
        let more = filter.count(family, &outcome.more, &mut summary);
        let path = path_text(&outcome.path);
        let mesh = findings::Mesh { path: &path, member: outcome.member.as_deref(), family };
        let mut lines = Vec::new();
        let shown = shown.into_iter().map(Shown::from).chain(more.iter().map(Shown::from));
        let mut shown = shown.chain(outcome.error.as_ref().map(Shown::from));
        let made = shown.try_for_each(|shown| print(&mut lines, form, mesh, &shown));
        made.map(|()| (lines, summary))
    };
    let mut summary = Summary::default();
    let mut printed = Ok(());
    let mut folders = Vec::new();
    let named = paths.by_ref().inspect(|path| folders.extend(path.is_dir().then(|| path.clone())));
    let totals = scan.run_with(named, &prepare, &mut |made: io::Result<(Vec<u8>, Summary)>| {
        printed = made.and_then(|(lines, of_mesh)| {
            summary.add(&of_mesh);
            watch.while_hidden(terminal, || {
                out.write_all(&lines)?;
                out.end_row()
            })
        });
        if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    printed?;
    if !totals.stopped {
        let tiles = Tiles::folders(folders, &scan.options);
        let tiles = tiles.take_while(|_| !scan.stop.load(Relaxed));
        maps(tiles, &filter, form, &mut summary, &mut out)?;
        against(typed, &filter, form, &mut summary, &mut out)?;
    }
    out.flush()?;
    let named = paths.finish()?;
    watch.sum_up(&totals, Some(summary.words(totals.errors)));
    if !typed.run.quiet {
        summary.say();
    }
    Ok(match scan.stop.load(Relaxed) {
        true => Exit::Stopped,
        false if totals.missing > 0 => Exit::Failed,
        false => exit(&summary, typed.strict, totals.errors > 0).max(named),
    })
}

/// Reports findings about maps of tiles: no single tile shows that another is missing.
fn maps(
    maps: impl Iterator<Item = Tiles>,
    filter: &Filter<'_>,
    form: Form,
    summary: &mut Summary,
    out: &mut Out,
) -> Result<(), Failure> {
    for tiles in maps {
        let family = Some(tiles.family());
        let mut of_files: BTreeMap<&Path, Summary> = BTreeMap::new();
        for (path, finding) in tiles.findings_by_file() {
            let (shown, of_file) = filter.choose(family, std::slice::from_ref(finding));
            of_files.entry(path).or_default().more(&of_file);
            let path = path_text(path);
            let mesh = findings::Mesh { path: &path, member: None, family };
            for finding in shown {
                print(out, form, mesh, &Shown::from(finding))?;
            }
        }
        of_files.values().for_each(|of_file| summary.add(of_file));
        tiles.intact()?;
    }
    Ok(())
}

/// Reports how the points of a graph lie on the mesh of the same map, if one is named.
fn against(
    typed: &args::Check,
    filter: &Filter<'_>,
    form: Form,
    summary: &mut Summary,
    out: &mut Out,
) -> Result<(), Failure> {
    let Some(mesh) = &typed.mesh else { return Ok(()) };
    let [path] = typed.run.paths.paths.as_slice() else {
        return Err(Error::invalid("--mesh", "is for one graph").into());
    };
    let options = plan::options(&typed.run.open);
    let (points, areas) = (Mesh::open_with(path, &options)?, Mesh::open_with(mesh, &options)?);
    let graph = points.nav().flat_graph().whole().map_err(|error| error.in_file(path))?;
    if graph.nodes().iter().any(|node| matches!(graph.shape(node), Shape::Polygon(_))) {
        return Err(Error::invalid("--mesh", "is for graphs of points: this has areas of its own")
            .in_file(path)
            .into());
    }
    let index = areas.index().whole().map_err(|error| error.in_file(mesh))?;
    let mut found = Vec::new();
    let seen = OnMesh::of(&graph, &index, &mut |finding| found.push(finding));
    points.intact().and_then(|()| areas.intact())?;
    let family = Some(points.family());
    let (shown, of_graph) = filter.choose(family, &found);
    summary.add(&of_graph);
    let name = path_text(path);
    let row = findings::Mesh { path: &name, member: None, family };
    for finding in shown {
        print(out, form, row, &Shown::from(finding))?;
    }
    if !typed.run.quiet {
        let OnMesh { ground, over, same_floor, off, areas, without, .. } = seen;
        let floors = format!(
            "{over} of {ground} nodes over areas, {same_floor} with the same floor, {off} off the mesh"
        );
        say(format_args!("{}: {floors}; {without} of {areas} areas without a node", path_text(path)));
    }
    Ok(())
}

/// The exit status. Requested findings decide it, and unreadable meshes.
pub(super) fn exit(summary: &Summary, strict: bool, errors: bool) -> Exit {
    if errors || summary.counts || (strict && summary.any) { Exit::Findings } else { Exit::Clean }
}
