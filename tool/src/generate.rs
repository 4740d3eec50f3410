//! `navmap generate`: makes a mesh from a map alone.

use super::out::{self, is_stdout, say};
use super::save::{save, vacant};
use super::{Exit, Failure, analyze, args, mapped, plan, progress};
use navmap::bsp::{ALL_TRACES, BspMap};
use navmap::error::{Error, ErrorKind, Result};
use navmap::format::source::analyze as analysis;
use navmap::format::source::generate::{
    Game, GenerateOptions, NODES, Progress, Report, Stage, extend, generate,
};
use navmap::format::source::{KnownErrors, SourceBuf};
use navmap::open::Bytes;
use std::sync::atomic::Ordering::Relaxed;

pub(super) fn run(typed: &args::Generate) -> std::result::Result<Exit, Failure> {
    vacant(&typed.output, typed.force)?;
    let old = match typed.into.as_deref().map(|path| analyze::read(path, &typed.open)).transpose() {
        Ok(old) => old,
        Err(error) => {
            let path = typed.into.as_deref().unwrap_or(&typed.path);
            return Ok(super::unreadable(error, path));
        }
    };
    let options = plan::options(&typed.open);
    let read = Bytes::open(&typed.path, &options).and_then(|bytes| {
        let mut map = BspMap::parse_with(&bytes, &options.limits)?;
        bytes.intact()?;
        mapped::shape(&mut map, &typed.path, &typed.models, &options)?;
        Ok((map, bytes.len()))
    });
    let (map, size) = match read {
        Ok(read) => read,
        Err(error) if super::is_bad_file(&error) => return Ok(super::unreadable(error, &typed.path)),
        Err(error) => return Err(error.in_file(&typed.path).into()),
    };
    let at = |error: Error| error.in_file(&typed.path);
    if let Some(old) = &old {
        mapped::belongs(&map, size as u64, &old.head, typed.any_map).map_err(at)?;
    }
    let known = old.as_ref().map(KnownErrors::of).unwrap_or_default();
    let full = old.as_ref().and_then(was_full);
    let (mut mesh, report) = make(&map, size as u64, old, typed).map_err(at)?;
    mesh.head.bsp_size = u32::try_from(size).unwrap_or(u32::MAX);
    let mut lines: Vec<String> = report.to_string().lines().map(str::to_owned).collect();
    lines.extend(map.passed_through());
    if let Some(stage) = typed.stop_after {
        lines.push(format!("ended after {stage}: the mesh is not whole"));
    } else if typed.quick {
        lines.push("not analysed: `navmap analyze --bsp` computes hiding spots and what is seen".to_owned());
    } else {
        let report = analysed(&mut mesh, &map, full, typed)
            .map_err(|error| at(analyze::shorter(error, "--quick leaves the mesh without one")))?;
        lines.extend(report.to_string().lines().map(str::to_owned));
    }
    if let Some(error) = known.first_new(&mesh) {
        return Err(at(Error::invalid("the game would not bear this", error)).into());
    }
    let bytes = mesh.encode()?;
    out::report(&lines, is_stdout(&typed.output))?;
    save(&typed.output, typed.force, |out| out.write_all(&bytes))?;
    Ok(Exit::Clean)
}

/// Whether a mesh was analysed in full, which its encounter paths show. A mesh has none if it was analysed quickly, but also
/// after an edit: `None`, the game's default.
fn was_full(mesh: &SourceBuf) -> Option<bool> {
    mesh.areas.iter().any(|area| !area.encounters.is_empty()).then_some(true)
}

/// The game whose rules to use.
fn game(map: &BspMap, old: Option<&SourceBuf>, typed: &args::Generate) -> Result<Game> {
    let game = match (typed.game, old) {
        (Some(game), _) => game,
        (None, Some(SourceBuf { head, .. })) => {
            Game::by_version(head.version, head.subversion).ok_or_else(|| {
                let (version, sub) = (head.version, head.subversion);
                let why =
                    format!("of version {version}/{sub} is of no game that is known here: --game names one");
                Error::invalid("mesh", why)
            })?
        }
        (None, None) => told(map)?,
    };
    map.check_game(game)?;
    Ok(game)
}

/// The game that a map tells.
///
/// # Errors
/// If no game is told, or more than one.
fn told(map: &BspMap) -> Result<Game> {
    match map.games()[..] {
        [game] => {
            say(format_args!("navmap: taken for a map of {}: --game {game}", game.title()));
            Ok(game)
        }
        [] => Err(Error::invalid("map", "does not tell its game: --game names it")),
        ref fits => {
            let names: Vec<&str> = fits.iter().map(|game| game.name()).collect();
            let why = format!("may be of several games, {}: --game names one", names.join(" and "));
            Err(Error::invalid("map", why))
        }
    }
}

/// Says what helps if a box has too many points.
fn smaller(error: Error) -> Error {
    if !matches!(error.kind(), ErrorKind::Limit { .. }) {
        return error;
    }
    Error::invalid("--box", format!("{error}: --seed says where to begin, or a smaller box has fewer"))
}

/// Nodes that the ground of any map may have, and the bytes of it for each more. Flat ground takes some 170 bytes of memory a node, the most
/// uneven 700, but that needs bytes of the map as well. Maps of games have one for each 70 bytes.
const OF_ANY: u32 = 262_144;
const OF_NODE: u64 = 16;

/// Says what helps if there is more ground than a map of this size has.
fn more(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Limit { what, .. } if [NODES, ALL_TRACES].contains(what) => {
            Error::invalid("ground", format!("{error}: --max-nodes allows more"))
        }
        _ => error,
    }
}

fn make(
    map: &BspMap,
    size: u64,
    old: Option<SourceBuf>,
    typed: &args::Generate,
) -> Result<(SourceBuf, Report)> {
    let game = game(map, old.as_ref(), typed)?;
    let progress = Progress::default();
    let mut options = GenerateOptions::new(game);
    let seeded = !typed.seed.is_empty();
    options.seeds = match &typed.within {
        _ if seeded => typed.seed.iter().map(|seed| seed.0).collect(),
        Some(within) => map.seeds_within(within, game).map_err(smaller)?,
        None => map.seeds(game)?,
    };
    if options.seeds.is_empty() {
        let why = "has no place where players appear (info_player_...): --seed says where to begin";
        return Err(Error::invalid("map", why));
    }
    options.ladders = map.ladders();
    options.within = typed.within;
    options.range = (old.is_some() && seeded && typed.range > 0.0).then_some(typed.range as f32);
    options.stop_after = typed.stop_after;
    let most = || OF_ANY.saturating_add(u32::try_from(size / OF_NODE).unwrap_or(u32::MAX));
    options.most_nodes = typed.max_nodes.unwrap_or_else(most);
    options.expected_nodes = if progress::shown() { map.expected_nodes(typed.within.as_ref()) } else { 0 };
    options.progress = Some(&progress);
    let state = || {
        let stage = Stage::ALL.get(progress.stage.load(Relaxed) as usize).map_or("", |stage| stage.name());
        (format!("generating, {stage}"), progress.done.load(Relaxed), progress.total.load(Relaxed))
    };
    let (mesh, mut report) = progress::watched(state, || match old {
        None => generate(map, &options),
        Some(mut mesh) => extend(map, &mut mesh, &options).map(|report| (mesh, report)),
    })
    .map_err(more)?;
    if !seeded && typed.within.is_some() {
        // A grid over a box has points in walls and in the void.
        report.lost_seeds = 0;
    }
    Ok((mesh, report))
}

/// Computes what follows from the mesh and the map, like the game by default.
fn analysed(
    mesh: &mut SourceBuf,
    map: &BspMap,
    full: Option<bool>,
    typed: &args::Generate,
) -> Result<analysis::Report> {
    let progress = analysis::Progress::default();
    // If a map has no teams, times stay as they are.
    let spawns = if typed.seed.is_empty() && typed.within.is_none() && typed.into.is_none() {
        map.spawns()?
    } else {
        map.spawns().unwrap_or_default()
    };
    let options = analysis::AnalyzeOptions {
        spawns,
        full,
        progress: Some(&progress),
        most_steps: typed.max_steps,
        ..analysis::AnalyzeOptions::default()
    };
    analyze::watched(&progress, || analysis::analyze(mesh, &options, Some(map)))
}
