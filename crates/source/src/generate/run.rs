//! The stages of generation, in the game's order. `docs/formats/source-generate.md`.

use super::areas::cover;
use super::connect::connect;
use super::corners::{help_at_corners, mend_stairs};
use super::draft::Draft;
use super::fences::top_fences;
use super::join::{mark_steep, merge, square_up};
use super::ladders::Rungs;
use super::later::{cut_under_overhangs, drop_shortcuts, mark_jumps, mark_stairs, resolve_jumps};
use super::onto::put_ladders;
use super::options::{GenerateOptions, Stage, Within};
use super::report::Report;
use super::rules::Rules;
use super::sample::{End, Sampled, sample};
use super::terrain::Terrain;
use super::walk::Walker;
use crate::buf::{AreaBuf, SourceBuf};
use crate::flags::Direction;
use crate::record::AreaId;
use navmap_core::error::{Error, Result};
use navmap_core::text::counted;

/// The most ladders. No map of a game has a tenth as many.
const MOST_LADDERS: usize = 4096;

/// Generates a mesh of a map, like the game's `nav_generate`. It is not analysed.
///
/// The same map, seeds and options give the same mesh, on any number of threads. Time and memory grow with the reachable ground:
/// 190 to 300 bytes per node, and at most as many nodes as the options allow.
///
/// # Errors
/// If no seed has ground under it, if there are too many nodes or ladders, or if
/// [`Progress::stop`](super::Progress::stop) was set.
pub fn generate(map: &dyn Terrain, options: &GenerateOptions<'_>) -> Result<(SourceBuf, Report)> {
    if options.ladders.len() > MOST_LADDERS {
        let why = format!("{} ladders, at most {MOST_LADDERS} are searched", options.ladders.len());
        return Err(Error::invalid("map", why));
    }
    let Made { draft, ladders, mut report } = stages(map, Draft::default(), &options.ladders, options)?;
    let mesh = finish(&draft, &ladders, options);
    report.areas = mesh.areas.len() as u64;
    report.links = mesh.areas.iter().flat_map(|area| &area.connections).map(|list| list.len() as u64).sum();
    report.ladders = mesh.ladders.len() as u64;
    Ok((mesh, report))
}

/// What the stages make.
pub(super) struct Made {
    pub(super) draft: Draft,
    ladders: Vec<Rungs>,
    /// Without counts of the mesh's contents.
    pub(super) report: Report,
}

/// Runs all stages over a draft, which may already have areas.
pub(super) fn stages(
    map: &dyn Terrain,
    draft: Draft,
    ladders: &[Within],
    options: &GenerateOptions<'_>,
) -> Result<Made> {
    let made = explored(map, draft, ladders, options);
    if made.is_err() {
        // A map that is kept answers other questions afterwards.
        let _ = map.finish();
    }
    made
}

fn explored(
    map: &dyn Terrain,
    mut draft: Draft,
    ladders: &[Within],
    options: &GenerateOptions<'_>,
) -> Result<Made> {
    let walker = Walker { map, rules: Rules::for_game(options.game) };
    let runs = |stage: Stage| options.stop_after.is_none_or(|last| stage <= last);
    let begin = |stage: Stage, total: usize| {
        options.progress.into_iter().for_each(|progress| progress.begin(stage, total));
    };
    map.explores(options.most_nodes);
    begin(Stage::Sample, usize::try_from(options.expected_nodes).unwrap_or(0));
    let mut ladders: Vec<Rungs> = ladders.iter().map(|ladder| walker.rungs(ladder)).collect();
    let ends: Vec<End> = ladders
        .iter()
        .flat_map(|rungs| [(rungs.bottom, rungs.direction), (rungs.top, rungs.direction)])
        .collect();
    let Sampled { mut nodes, seeds, lost, cut_off } = sample(walker, &draft, &ends, options)?;
    map.finish()?;
    map.explores(options.most_nodes);
    if seeds.is_empty() && draft.old() == 0 {
        return Err(no_seed(options, lost));
    }
    begin(Stage::Areas, nodes.len());
    let largest = if runs(Stage::Areas) { LARGEST } else { 1 };
    cover(walker, &mut nodes, largest, &mut draft, options)?;
    if draft.fresh().next().is_none() {
        return Err(no_ground(&draft, options));
    }
    begin(Stage::Connect, draft.fresh_numbers().len());
    if runs(Stage::Connect) {
        connect(walker, &nodes, &mut draft, options)?;
    }
    let late = walker.rules.late;
    if late && runs(Stage::Merge) {
        mark_jumps(walker, &mut draft);
    }
    begin(Stage::Merge, 0);
    if runs(Stage::Merge) {
        merge(walker.rules, &nodes, &mut draft, options)?;
    }
    begin(Stage::Overhangs, 0);
    if late && runs(Stage::Overhangs) {
        cut_under_overhangs(&mut draft, options)?;
    }
    begin(Stage::Square, 0);
    if runs(Stage::Square) {
        square_up(walker.rules, &mut draft, options)?;
    }
    begin(Stage::Stairs, 0);
    if late && runs(Stage::Stairs) {
        mark_stairs(walker, &mut draft, options)?;
    }
    begin(Stage::Jumps, 0);
    match late {
        _ if !runs(Stage::Jumps) => {}
        true => resolve_jumps(&mut draft, options)?,
        false => mark_steep(&mut draft),
    }
    begin(Stage::Fences, 0);
    if late && runs(Stage::Fences) {
        top_fences(&nodes, &mut draft, options)?;
    }
    begin(Stage::Corners, 0);
    if late && runs(Stage::Corners) {
        help_at_corners(walker, &mut draft, options)?;
        mend_stairs(&nodes, &mut draft, options)?;
    }
    begin(Stage::Shortcuts, 0);
    if late && runs(Stage::Shortcuts) {
        drop_shortcuts(&mut draft, options)?;
    }
    begin(Stage::Ladders, ladders.len());
    match runs(Stage::Ladders) {
        true => ladders.iter_mut().for_each(|rungs| walker.link_rungs(&draft, rungs)),
        false => ladders.clear(),
    }
    map.finish()?;
    let report = Report { seeds, lost_seeds: lost, nodes: nodes.len() as u64, cut_off, ..Report::default() };
    Ok(Made { draft, ladders, report })
}

/// The error if no seed leads anywhere, of which so many have no ground.
#[cold]
fn no_seed(options: &GenerateOptions<'_>, lost: u64) -> Error {
    let why = match &options.seeds[..] {
        seeds if (lost as usize) < seeds.len() => "no ground under a seed lies within the bounds".to_owned(),
        [[x, y, z]] => format!("nobody can stand at {x},{y},{z}, where exploring begins"),
        [[x, y, z], rest @ ..] => {
            let rest = counted(rest.len() as u64, "other place", "other places");
            format!("nobody can stand at {x},{y},{z} and {rest}, where exploring begins")
        }
        [] => "there is no seed".to_owned(),
    };
    Error::invalid("map", why)
}

/// The error if no area can be made.
#[cold]
pub(super) fn no_ground(draft: &Draft, options: &GenerateOptions<'_>) -> Error {
    let why = match draft.old() {
        0 => "no ground at the seeds is as large as an area".to_owned(),
        _ => {
            let seeds = counted(options.seeds.len() as u64, "seed", "seeds");
            format!("no ground without an area, large enough for one, at {seeds}")
        }
    };
    Error::invalid("map", why)
}

/// The first size of areas to try, in cells.
const LARGEST: u32 = 50;

/// The mesh, its areas and ladders numbered from 1.
fn finish(draft: &Draft, ladders: &[Rungs], options: &GenerateOptions<'_>) -> SourceBuf {
    let (version, subversion) = options.game.version();
    let mut mesh = SourceBuf::new(version, subversion);
    mesh.head.has_unnamed_areas = 1;
    let mut ids = vec![AreaId::default(); draft.numbers() as usize];
    for ((at, _), id) in draft.iter().zip(1_u32..) {
        if let Some(slot) = ids.get_mut(at as usize) {
            *slot = AreaId::new(id);
        }
    }
    let id = |at: u32| ids.get(at as usize).copied().unwrap_or_default();
    for (at, piece) in draft.iter() {
        let mut area = AreaBuf::new(id(at), piece.shape);
        area.attributes = piece.attributes;
        for direction in Direction::ALL {
            *area.connections_mut(direction) = piece.links(direction).iter().map(|to| id(*to)).collect();
        }
        mesh.areas.push(area);
    }
    // Ids count from 1 in the order of the list.
    put_ladders(&mut mesh, ladders, |at| {
        let id = Some(id(at)).filter(|id| id.get() != 0)?;
        Some((id.get().checked_sub(1)? as usize, id))
    });
    mesh
}
