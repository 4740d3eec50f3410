//! `navmap analyze`: computes anew what follows from a mesh, and says what needs the map.

#![forbid(unsafe_code)]

use super::out::{Out, say};
use super::target::Target;
use super::{Exit, Failure, args, plan, progress};
use crate::error::Error;
use crate::finding::Severity;
use crate::format::AnyNav;
use crate::format::source::analyze::{
    Options, Phase, Progress, Report, Spawns, analyze, flood_places, transfer_places,
};
use crate::format::source::{SourceBuf, odd};
use crate::open::Mesh;
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

pub(super) fn run(typed: &args::Analyze) -> Result<Exit, Failure> {
    typed.goal.vacant()?;
    let mut mesh = match read(&typed.path, typed) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let before = mesh.encode()?;
    let known = errors(&mesh);
    let spawns = Spawns {
        terrorists: of_team(typed, super::values::Team::Terrorists),
        counter_terrorists: of_team(typed, super::values::Team::CounterTerrorists),
    };
    let progress = Progress::default();
    let options = Options {
        only: typed.only.clone(),
        full: (typed.full || typed.quick).then_some(typed.full),
        spawns,
        progress: Some(&progress),
    };
    let mut lines = Vec::new();
    if let Some(old) = &typed.places_from {
        let from = match read(old, typed) {
            Ok(from) => from,
            Err(error) => return Ok(super::unreadable(error, old)),
        };
        let count = transfer_places(&mut mesh, &from)?;
        lines.push(format!("places: {count} areas have theirs from {}", old.display()));
    }
    if typed.flood_places {
        let count = flood_places(&mut mesh);
        lines.push(format!("places: {count} areas have that of their neighbours"));
    }
    let report = match watched(&progress, || analyze(&mut mesh, &options, None)) {
        Ok(report) => report,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    if let Some(new) =
        errors(&mesh).into_iter().find(|(_, message)| !known.iter().any(|(_, old)| old == message))
    {
        return Err(Error::invalid("the game would not bear this", new.1).in_file(&typed.path).into());
    }
    lines.extend(report.to_string().lines().map(str::to_owned));
    let bytes = encoded(&mut mesh, &before, typed, &mut lines)?;
    tell(&lines, typed)?;
    write(&report, &before, &bytes, typed)
}

fn read(path: &Path, typed: &args::Analyze) -> Result<SourceBuf, Error> {
    let mesh = Mesh::open_with(path, &plan::options(&typed.open))?;
    let own = match mesh.nav() {
        AnyNav::Source(nav) => SourceBuf::read(nav)?,
        other => {
            let why =
                format!("{} meshes cannot be analysed, Source meshes of version 1 to 16 can", other.family());
            return Err(Error::invalid("family", why));
        }
    };
    mesh.intact().map(|()| own)
}

fn of_team(typed: &args::Analyze, team: super::values::Team) -> Vec<[f32; 3]> {
    typed.spawn.iter().filter(|spawn| spawn.team == team).map(|spawn| spawn.point).collect()
}

/// What a game would refuse or crash on.
fn errors(mesh: &SourceBuf) -> HashSet<(&'static str, String)> {
    let odd = odd(mesh).into_iter().filter(|found| found.severity == Severity::Error);
    odd.map(|found| (found.code, found.message)).collect()
}

/// Runs an analysis, and shows on a terminal how far it is.
fn watched<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    let bar = progress::line(None, "analysing");
    if bar.is_hidden() {
        return work();
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Relaxed) {
                let phase =
                    Phase::ALL.get(progress.phase.load(Relaxed) as usize).map_or("", |phase| phase.name());
                let total = progress.total.load(Relaxed);
                bar.set_message(format!("analysing {total} areas, {phase}"));
                bar.set_position(progress.done.load(Relaxed));
                thread::park_timeout(Duration::from_millis(100));
            }
        });
        let done = work();
        over.store(true, Relaxed);
        watcher.thread().unpark();
        done
    })
}

/// The bytes to write. A mesh that has not changed keeps what an older, longer file has left behind its end.
fn encoded(
    mesh: &mut SourceBuf,
    before: &[u8],
    typed: &args::Analyze,
    lines: &mut Vec<String>,
) -> Result<Vec<u8>, Error> {
    let bytes = mesh.encode()?;
    if mesh.tail.is_empty() || typed.keep_tail || bytes == before {
        return Ok(bytes);
    }
    lines.push(format!(
        "{} bytes behind the end, left of an older file, are dropped (--keep-tail keeps them)",
        mesh.tail.len()
    ));
    mesh.tail.clear();
    mesh.encode()
}

/// Prints the report; to stderr if standard output is for the mesh.
fn tell(lines: &[String], typed: &args::Analyze) -> Result<(), Failure> {
    if typed.goal.is_stdout() {
        lines.iter().for_each(|line| say(format_args!("{line}")));
        return Ok(());
    }
    let mut out = Out::new();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()?;
    Ok(())
}

fn write(report: &Report, before: &[u8], bytes: &[u8], typed: &args::Analyze) -> Result<Exit, Failure> {
    if !report.missing.is_empty() {
        say(format_args!("navmap: {}: only the game, or the map, can tell the rest", typed.path.display()));
    }
    if typed.goal.in_place && bytes == before {
        say(format_args!("navmap: {}: nothing has changed", typed.path.display()));
    } else {
        Target::of(&typed.path, &typed.goal).mesh(bytes)?;
    }
    Ok(Exit::Clean)
}
