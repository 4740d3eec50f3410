//! `navmap analyze`: recomputes what follows from a mesh, and from its map if that is given.

use super::mapped::Asked;
use super::out::{self, complain, say};
use super::target::Target;
use super::{Exit, Failure, args, plan, progress};
use navmap::bsp::LONG_TRACES;
use navmap::error::{Error, ErrorKind};
use navmap::format::Kind;
use navmap::format::source::analyze::{
    AnalyzeOptions, LIMITS, Map, Phase, Progress, Report, STEPS, Spawns, analyze, flood_places,
    transfer_places,
};
use navmap::format::source::{KnownErrors, SourceBuf};
use navmap::open::{Bytes, Mesh};
use navmap::text::{counted, path_text};
use std::io::ErrorKind as ErrorOf;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

pub(super) fn run(typed: &args::Analyze) -> Result<Exit, Failure> {
    typed.goal.vacant()?;
    let path = match (&typed.path, &typed.bsp) {
        (Some(path), _) => path.clone(),
        (None, Some(map)) if typed.goal.in_place => {
            let why = "the mesh inside a map cannot be replaced: -o FILE says where it goes";
            return Err(Error::invalid("--in-place", why).in_file(map).into());
        }
        (None, map) => map.as_deref().map(inside).unwrap_or_default(),
    };
    let mut mesh = match read(&path, &typed.open) {
        Ok(mesh) => mesh,
        Err(error) => {
            return match without_mesh(typed, &error) {
                Some(refusal) => Err(refusal.into()),
                None => Ok(super::unreadable(error, &path)),
            };
        }
    };
    let opening = plan::options(&typed.open);
    let open = |bsp: &Path| Asked::open(bsp, &typed.models, &mesh.head, &opening, typed.any_map);
    let map = typed.bsp.as_deref().map(open).transpose();
    let map = match map {
        Ok(map) => map,
        // The mesh is sound: the unreadable file is the one to analyse it with.
        Err(error) => {
            complain(format_args!("navmap: {error}"));
            return Ok(Exit::Failed);
        }
    };
    let before = mesh.encode()?;
    let known = KnownErrors::of(&mesh);
    let mut spawns = Spawns {
        terrorists: of_team(typed, super::values::Team::Terrorists),
        counter_terrorists: of_team(typed, super::values::Team::CounterTerrorists),
    };
    if let Some(map) = map.as_ref().filter(|_| typed.spawn.is_empty()) {
        spawns = map.spawns.clone();
    }
    let progress = Progress::default();
    let options = AnalyzeOptions {
        only: typed.only.clone(),
        full: (typed.full || typed.quick).then_some(typed.full),
        spawns,
        progress: Some(&progress),
        most_steps: typed.max_steps,
    };
    let mut lines = Vec::new();
    if let Some(old) = &typed.places_from {
        let from = match read(old, &typed.open) {
            Ok(from) => from,
            Err(error) => return Ok(super::unreadable(error, old)),
        };
        let count =
            counted(transfer_places(&mut mesh, &from)?, "area has its place", "areas have their places");
        lines.push(format!("places: {count} from {}", path_text(old)));
    }
    if typed.flood_places {
        let count = counted(flood_places(&mut mesh), "area has that of its", "areas have that of their");
        lines.push(format!("places: {count} neighbours"));
    }
    let report = match watched(&progress, || {
        analyze(&mut mesh, &options, map.as_ref().map(|asked| &asked.map as &dyn Map))
    }) {
        Ok(report) => report,
        Err(error) => {
            let how = match typed.quick {
                true => "--only leaves out whatever it does not name",
                false => "--quick leaves out encounter paths, --only whatever it does not name",
            };
            return Ok(super::unreadable(shorter(error, how), &path));
        }
    };
    if let Some(new) = known.first_new(&mesh) {
        return Err(Error::invalid("the game would not bear this", new).in_file(&path).into());
    }
    lines.extend(map.iter().flat_map(|asked| asked.map.passed_through()));
    lines.extend(report.to_string().lines().map(str::to_owned));
    let bytes = encoded(&mut mesh, &before, typed, &mut lines)?;
    out::report(&lines, typed.goal.is_stdout())?;
    write(&report, &path, &before, &bytes, typed)
}

/// The mesh inside a map's own archive, under the map's name.
fn inside(map: &Path) -> PathBuf {
    let name = map.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{}!maps/{name}.nav", map.display()))
}

/// What is said instead of an error if no mesh was named, and the map can be read and holds none.
fn without_mesh(typed: &args::Analyze, error: &Error) -> Option<Error> {
    let map = typed.bsp.as_deref().filter(|_| typed.path.is_none())?;
    let absent = match error.kind() {
        ErrorKind::Io(io) => io.kind() == ErrorOf::NotFound,
        // Maps of GoldSrc have no archive at all.
        ErrorKind::Invalid { what, .. } => *what == "archive",
        _ => false,
    };
    let why = "holds no mesh: name the mesh to analyse, `navmap analyze MESH --bsp MAP`";
    let bare = absent && Bytes::open(map, &plan::options(&typed.open)).is_ok();
    bare.then(|| Error::invalid("map", why).in_file(map))
}

/// A mesh that can be analysed.
pub(super) fn read(path: &Path, open: &args::Open) -> Result<SourceBuf, Error> {
    let mesh = Mesh::open_with(path, &plan::options(open))?;
    let Some(nav) = mesh.nav().as_view() else {
        let what = match mesh.kind() {
            Kind::Source2 => "Source 2",
            kind => kind.family().name(),
        };
        let why = format!("{what} meshes cannot be analysed, Source meshes of version 1 to 16 can");
        return Err(Error::invalid("family", why));
    };
    let own = SourceBuf::read(nav)?;
    mesh.intact().map(|()| own)
}

fn of_team(typed: &args::Analyze, team: super::values::Team) -> Vec<[f32; 3]> {
    typed.spawn.iter().filter(|spawn| spawn.team == team).map(|spawn| spawn.point).collect()
}

/// Says what helps if an analysis would take too long.
pub(super) fn shorter(error: Error, how: &str) -> Error {
    match error.kind() {
        ErrorKind::Limit { what, .. } if *what == STEPS => {
            Error::invalid("analysis", format!("{error}: --max-steps allows more, {how}"))
        }
        ErrorKind::Limit { what, .. } if LIMITS.contains(what) || *what == LONG_TRACES => {
            Error::invalid("analysis", format!("{error}: {how}"))
        }
        _ => error,
    }
}

/// Runs an analysis, and shows its progress on a terminal.
pub(super) fn watched<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    progress::watched(
        || {
            let phase =
                Phase::ALL.get(progress.phase.load(Relaxed) as usize).map_or("", |phase| phase.name());
            let total = progress.total.load(Relaxed);
            let what = format!("analysing {total} areas, {phase}");
            (what, progress.done.load(Relaxed), total)
        },
        work,
    )
}

/// The bytes to write. An unchanged mesh keeps what an older, longer file has left after its end.
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

fn write(
    report: &Report,
    path: &Path,
    before: &[u8],
    bytes: &[u8],
    typed: &args::Analyze,
) -> Result<Exit, Failure> {
    if !report.missing.is_empty() {
        let who = if typed.bsp.is_some() { "the game" } else { "the game, or the map (--bsp)," };
        say(format_args!("navmap: {}: only {who} can tell the rest", path_text(path)));
    }
    if typed.goal.in_place && bytes == before {
        say(format_args!("navmap: {}: nothing has changed", path_text(path)));
    } else {
        Target::typed(path, &typed.goal).mesh(bytes)?;
    }
    Ok(Exit::Clean)
}
