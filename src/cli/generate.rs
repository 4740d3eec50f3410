//! `navmap generate`: makes a mesh from a map alone.

#![forbid(unsafe_code)]

use super::out::{self, is_stdout};
use super::save::{save, vacant};
use super::{Exit, Failure, analyze, args, mapped, plan, progress};
use crate::bsp::{BspMap, Engine};
use crate::error::{Error, Result};
use crate::format::source::SourceBuf;
use crate::format::source::analyze as analysis;
use crate::format::source::generate::{Options, Progress, Report, Stage, generate};
use crate::open::Bytes;
use std::sync::atomic::Ordering::Relaxed;

pub(super) fn run(typed: &args::Generate) -> std::result::Result<Exit, Failure> {
    vacant(&typed.output, typed.force)?;
    let options = plan::options(&typed.open);
    let read = Bytes::open(&typed.path, &options).and_then(|bytes| {
        let map = BspMap::parse_with(&bytes, &options.limits)?;
        bytes.intact().map(|()| (map, bytes.len()))
    });
    let (map, size) = match read {
        Ok(read) => read,
        Err(error) if super::is_bad_file(&error) => return Ok(super::unreadable(error, &typed.path)),
        Err(error) => return Err(error.in_file(&typed.path).into()),
    };
    let made = make(&map, typed).map_err(|error| error.in_file(&typed.path))?;
    let (mut mesh, report) = made;
    mesh.head.bsp_size = u32::try_from(size).unwrap_or(u32::MAX);
    let mut lines: Vec<String> = report.to_string().lines().map(str::to_owned).collect();
    lines.extend(mapped::ignored(&map));
    if let Some(stage) = typed.stop_after {
        lines.push(format!("ended after {stage}: the mesh is not whole"));
    } else if typed.quick {
        lines.push("not analysed: `navmap analyze --bsp` computes hiding spots and what is seen".to_owned());
    } else {
        let report = analysed(&mut mesh, &map, typed).map_err(|error| error.in_file(&typed.path))?;
        lines.extend(report.to_string().lines().map(str::to_owned));
    }
    if let Some(error) = mapped::errors(&mesh).next() {
        return Err(Error::invalid("the game would not bear this", error).in_file(&typed.path).into());
    }
    let bytes = mesh.encode()?;
    out::report(&lines, is_stdout(&typed.output))?;
    save(&typed.output, typed.force, |out| out.write_all(&bytes))?;
    Ok(Exit::Clean)
}

fn make(map: &BspMap, typed: &args::Generate) -> Result<(SourceBuf, Report)> {
    let game = typed.game;
    if game.is_gold() != (map.engine() == Engine::GoldSrc) {
        let engine = if game.is_gold() { "Source" } else { "GoldSrc" };
        return Err(Error::invalid("map", format!("is one of {engine}: {game} does not play it")));
    }
    let progress = Progress::default();
    let mut options = Options::new(game);
    options.seeds = match &typed.within {
        _ if !typed.seed.is_empty() => typed.seed.iter().map(|seed| seed.0).collect(),
        Some(within) => map.seeds_within(within, game)?,
        None => map.seeds(game)?,
    };
    if options.seeds.is_empty() {
        let why = "has no place where players appear (info_player_...): --seed says where to begin";
        return Err(Error::invalid("map", why));
    }
    options.ladders = map.ladders();
    options.within = typed.within;
    options.stop_after = typed.stop_after;
    options.most_nodes = typed.max_nodes;
    options.progress = Some(&progress);
    let state = || {
        let stage = Stage::ALL.get(progress.stage.load(Relaxed) as usize).map_or("", |stage| stage.name());
        (format!("generating, {stage}"), progress.done.load(Relaxed), progress.total.load(Relaxed))
    };
    progress::watched(state, || generate(map, &options))
}

/// Computes what follows from the mesh and the map, as the game does by default.
fn analysed(mesh: &mut SourceBuf, map: &BspMap, typed: &args::Generate) -> Result<analysis::Report> {
    let progress = analysis::Progress::default();
    // Where a map has no teams, times stay as they are.
    let spawns = if typed.seed.is_empty() && typed.within.is_none() {
        mapped::spawns(map)?
    } else {
        mapped::spawns(map).unwrap_or_default()
    };
    let options = analysis::Options { spawns, progress: Some(&progress), ..analysis::Options::default() };
    analyze::watched(&progress, || analysis::analyze(mesh, &options, Some(map)))
}
