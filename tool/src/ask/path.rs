//! `navmap path`: prints the path from one spot to another, step by step.

use super::mesh::{Asked, Purpose};
use super::points::{Lines, joined};
use super::rows::{Cell, Column, Printer};
use super::step::{STEPS, Stop, cells};
use super::{avoid, game, misused, picture, table};
use crate::args::{Cost, Rows, Way};
use crate::out::{complain, say};
use crate::{Exit, Failure};
use navmap::error::{Error, Result};
use navmap::graph::Point;
use navmap::query::{Found, Outcome, Overlay, PathScratch, Query};
use navmap::text::{Grouped, counted, path_text};
use std::path::Path;

/// The keys of a corner.
const CORNERS: [Column; 3] = [("x", 10, false), ("y", 10, false), ("z", 10, false)];

pub(crate) fn run(typed: &Way) -> Result<Exit, Failure> {
    let spots = given(typed)?;
    let image = picture::Image::requested(&typed.picture, &typed.whole.open)?;
    if image.is_some() && typed.table {
        return Err(Error::invalid("--draw", "shows one way, --table asks for many").into());
    }
    let asked = Asked::open(&typed.path, &typed.whole, Purpose::of(image.is_some()))?;
    let overlay = avoid::overlay(&asked, &typed.avoid)?;
    let query = query(typed, overlay.as_ref());
    if typed.table {
        return table::run(typed, &asked, spots, &query);
    }
    let [from, to] = spots.as_slice() else { return Err(missing(spots.len()).into()) };
    let (start, goal) = (asked.find(from)?, asked.find(to)?);
    for (spot, found) in [(from, &start), (to, &goal)] {
        if !typed.whole.quiet {
            told_off(&asked, spot, found);
        }
    }
    if typed.as_game {
        return game::run(typed, &asked, [&start, &goal]);
    }
    let mut scratch = PathScratch::new(&asked.index);
    let outcome = scratch.path(&asked.index, start.area, (goal.area, goal.point), &query).map_err(misused)?;
    let found = matches!(outcome, Outcome::Found { .. });
    let format = typed.format.unwrap_or(Rows::Table);
    match typed.corners {
        true => corners(&asked, &scratch, format, [start.point, end(&asked, &goal, outcome)])?,
        false => steps(&asked, &scratch, format, [start.point, end(&asked, &goal, outcome)])?,
    }
    if found && !typed.whole.quiet {
        summary(&asked, &scratch, typed, outcome);
    }
    if !found {
        complain(format_args!(
            "navmap: {}: {}",
            path_text(&typed.path),
            why(&asked, typed, [from, to], [&start, &goal], outcome, overlay.as_ref())
        ));
        if !typed.whole.quiet {
            asked.remark_unstored();
        }
    }
    let exit = asked.finish(if found { Exit::Clean } else { Exit::Findings });
    if let Some(image) = image {
        let ends = [start.point, end(&asked, &goal, outcome)];
        picture::way(asked, scratch, overlay, [from, to], ends, [start.area, goal.area], &image)?;
    }
    Ok(exit)
}

/// The typed spots and those in a file.
fn given(typed: &Way) -> Result<Vec<String>, Failure> {
    let dash = Path::new("-");
    let mut spots = joined(&typed.spots);
    let listed = typed.table && spots.iter().any(|spot| spot == "-");
    if listed && typed.spots_from.is_some() {
        let why = "names a file, and - reads standard input: one of them is enough";
        return Err(Error::invalid("--spots-from", why).into());
    }
    spots.retain(|spot| !(listed && spot == "-"));
    let from = if listed { Some(dash) } else { typed.spots_from.as_deref() };
    if from == Some(dash) && typed.path == dash {
        return Err(Error::invalid("standard input", "cannot be the mesh and the spots").into());
    }
    if let Some(from) = from {
        let mut lines = Lines::open(from)?;
        while let Some(line) = lines.next() {
            spots.push(line?);
        }
    }
    if !typed.table && spots.len() != 2 {
        return Err(missing(spots.len()).into());
    }
    Ok(spots)
}

#[cold]
fn missing(given: usize) -> Error {
    let why = format!(
        "FROM and TO are needed, {given} given: each a point x,y,z, an id '#17' (in quotes: the shell takes # for a comment) or the \
         name of a place (in quotes if it has blanks)"
    );
    Error::invalid("a way", why)
}

fn query<'q>(typed: &Way, overlay: Option<&'q Overlay>) -> Query<'q> {
    let query = match typed.cost {
        Cost::Engine => Query::default(),
        Cost::Length => Query::shortest(),
    };
    query.with_overlay(overlay).with_gates(!typed.no_gates).with_partial(typed.partial)
}

/// Reports the area that replaces a point off the mesh.
fn told_off(asked: &Asked, spot: &str, found: &Found) {
    if let (Some(off), Some(id)) = (found.off, asked.index.id(found.area)) {
        let word = asked.word();
        say(format_args!(
            "{spot} is on no {word}; taken for {}, {off:.1} units away",
            asked.index.ids().name(id)
        ));
    }
}

/// The end of the path that was found: the goal, or the closest place.
fn end(asked: &Asked, goal: &Found, outcome: Outcome) -> Point {
    match outcome {
        Outcome::Partial { closest, .. } => asked.index.center(closest).unwrap_or(goal.point),
        _ => goal.point,
    }
}

fn steps(
    asked: &Asked,
    scratch: &PathScratch,
    format: Rows,
    [start, end]: [Point; 2],
) -> Result<(), Failure> {
    let index = &asked.index;
    let mut rows = Printer::for_areas(asked, format, &STEPS);
    let last = scratch.len().saturating_sub(1);
    for (at, step) in scratch.steps(index).enumerate() {
        // Costs are counted from center to center, but the ends are the requested points.
        let p = match at {
            0 => start,
            _ if at == last => end,
            _ => index.center(step.area).unwrap_or_default(),
        };
        let how = step.way.map_or("start", |way| way.kind.name());
        let gated = step.way.is_some_and(|way| way.gated);
        rows.row(&cells(asked, &Stop { area: step.area, how, cost: step.cost, at: p, gated }))?;
    }
    Ok(rows.finish()?)
}

fn corners(asked: &Asked, scratch: &PathScratch, format: Rows, ends: [Point; 2]) -> Result<(), Failure> {
    let mut rows = Printer::new(format, &CORNERS);
    for p in picture::corners(asked, scratch, ends) {
        rows.row(&[Cell::Float(p.x), Cell::Float(p.y), Cell::Float(p.z)])?;
    }
    Ok(rows.finish()?)
}

/// `29 steps, cost 3,451; 3,020 units (57.5 m), of which 2 jumps and 1 ladder`
fn summary(asked: &Asked, scratch: &PathScratch, typed: &Way, outcome: Outcome) {
    let index = &asked.index;
    let mut kinds = std::collections::BTreeMap::new();
    let mut length = 0f64;
    for way in scratch.steps(index).filter_map(|step| step.way) {
        length += f64::from(way.length);
        if !way.kind.on_foot() {
            *kinds.entry(way.kind).or_insert(0u64) += 1;
        }
    }
    let count = scratch.len().saturating_sub(1) as u64;
    let metres = length * f64::from(index.axes().metres_per_unit);
    let mut words = counted(count, "step", "steps");
    if let (Cost::Engine, Some(cost)) = (typed.cost, outcome.cost()) {
        words.push_str(&format!(", cost {}", Grouped(cost.round() as u64)));
    }
    words.push_str(&format!(
        ", {} units from center to center ({metres:.1} m)",
        Grouped(length.round() as u64)
    ));
    for (kind, count) in kinds {
        words.push_str(&format!(", {count} x {kind}"));
    }
    say(format_args!("{words}"));
}

/// The reason why there is no path.
fn why(
    asked: &Asked,
    typed: &Way,
    [from, to]: [&String; 2],
    [start, goal]: [&Found; 2],
    outcome: Outcome,
    overlay: Option<&Overlay>,
) -> String {
    let index = &asked.index;
    let id = |area| index.ids().name(index.id(area).unwrap_or_default());
    let mut words = format!("no way from {from} to {to}");
    for (spot, found) in [(from, start), (to, goal)] {
        if overlay.is_some_and(|overlay| overlay.is_blocked(found.area)) {
            words.push_str(&format!("; {spot} itself is avoided"));
        }
    }
    match outcome {
        Outcome::Partial { closest, distance, cost } => words.push_str(&format!(
            "; the closest is {} {}, {distance:.0} units from it, at a cost of {cost:.0}",
            asked.word(),
            id(closest)
        )),
        Outcome::LeavesLoadedTiles { tile, at } => {
            let beyond = tile.map_or_else(
                || "a door".to_owned(),
                |tile| format!("something that is not loaded ({tile:#x})"),
            );
            words.push_str(&format!(
                ", but a way leaves the mesh at {} {} through {beyond}",
                asked.word(),
                id(at)
            ));
        }
        _ => {
            let restricted = overlay.is_some() || typed.no_gates;
            if restricted && index.reachable(start.area, goal.area) {
                words.push_str("; there is one through what is avoided");
            } else if index.reachable(goal.area, start.area) {
                words.push_str("; there is one back");
            }
        }
    }
    words
}
