//! `navmap check`: every finding, with its place.

use super::args::Lines;
use super::findings::{self, Filter, Form, Mesh, Shown, Summary, print};
use super::out::Out;
use super::paths::Paths;
use super::progress::Watch;
use super::{Exit, Failure, args, plan};
use navmap::format::Kind;
use navmap::open::Tiles;
use navmap::scan::{Outcome, Task, path_text};
use std::io::{self, Write};
use std::ops::ControlFlow;

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
        let mesh = Mesh { path: &path, member: outcome.member.as_deref(), family };
        let mut lines = Vec::new();
        let shown = shown.into_iter().map(Shown::from).chain(more.iter().map(Shown::from));
        let mut shown = shown.chain(outcome.error.as_ref().map(Shown::from));
        let made = shown.try_for_each(|shown| print(&mut lines, form, mesh, &shown));
        made.map(|()| (lines, summary))
    };
    let mut summary = Summary::default();
    let mut printed = Ok(());
    let mut paths = Paths::read(&typed.run.paths, &scan.stop)?;
    let totals = scan.run_with(&mut paths, &prepare, &mut |made: io::Result<(Vec<u8>, Summary)>| {
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
        maps(typed, &filter, form, &mut summary, &mut out)?;
    }
    out.flush()?;
    let named = paths.finish()?;
    watch.sum_up(&totals);
    if !typed.run.quiet {
        summary.say();
    }
    Ok(match totals.stopped {
        true => Exit::Stopped,
        false => exit(&summary, typed.strict, totals.errors > 0).max(named),
    })
}

/// Reports findings about the maps of tiles in named folders: no single tile shows that another is missing.
fn maps(
    typed: &args::Check,
    filter: &Filter<'_>,
    form: Form,
    summary: &mut Summary,
    out: &mut Out,
) -> Result<(), Failure> {
    let options = plan::options(&typed.run.open);
    for folder in typed.run.paths.paths.iter().filter(|path| path.is_dir()) {
        for tiles in Tiles::folders(folder, &options)? {
            let family = Some(tiles.family());
            for (path, finding) in tiles.findings_by_file() {
                let (shown, of_map) = filter.choose(family, std::slice::from_ref(finding));
                summary.add(&of_map);
                let path = path_text(path);
                let mesh = Mesh { path: &path, member: None, family };
                for finding in shown {
                    print(out, form, mesh, &Shown::from(finding))?;
                }
            }
            tiles.intact()?;
        }
    }
    Ok(())
}

/// The exit status. Requested findings decide it, and unreadable meshes.
pub(super) fn exit(summary: &Summary, strict: bool, errors: bool) -> Exit {
    if errors || summary.counts || (strict && summary.any) { Exit::Findings } else { Exit::Clean }
}
