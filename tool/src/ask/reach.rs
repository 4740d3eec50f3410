//! `navmap reach`: reports what can be reached, and from where there is no way back.

use super::mesh::{Asked, Purpose};
use super::points::joined;
use super::rows::{Cell, Column, Printer, home, id};
use super::{avoid, misused, picture};
use crate::args::Reach;
use crate::out::say;
use crate::{Exit, Failure};
use navmap::query::{Area, Joined, NavIndex, Query, Region};
use navmap::text::{Grouped, counted};

/// The keys of a row. The names are a contract.
const COLUMNS: [Column; 12] = [
    ("kind", 11, true),
    ("part", 5, false),
    ("areas", 7, false),
    ("square_m", 10, false),
    ("id", 8, false),
    ("index", 7, false),
    ("x", 10, false),
    ("y", 10, false),
    ("z", 10, false),
    ("place", 16, true),
    ("group", 20, true),
    ("space", 1, true),
];

pub(crate) fn run(typed: &Reach) -> Result<Exit, Failure> {
    let image = picture::Image::requested(&typed.picture, &typed.whole.open)?;
    let asked = Asked::open(&typed.path, &typed.whole, Purpose::of(image.is_some()))?;
    let overlay = avoid::overlay(&asked, &typed.avoid)?;
    let query = Query::default().with_overlay(overlay.as_ref()).with_gates(!typed.no_gates);
    let (from, whence) = starts(typed, &asked)?;
    let regions = asked.index.regions(&from, &query).map_err(misused)?;
    // Blocked areas are not reported, nor are those of another hull.
    let blocked = |area: Area| overlay.as_ref().is_some_and(|overlay| overlay.is_blocked(area));
    let told = |region: &&Region| {
        region.areas.first().is_some_and(|&area| asked.keeps(area, asked.chosen) && !blocked(area))
    };
    let regions: Vec<Region> = regions.iter().filter(told).cloned().collect();
    let mut rows = Printer::for_areas(&asked, typed.format, &COLUMNS);
    for (number, region) in (1u64..).zip(&regions) {
        match typed.each {
            true if region.joined == Joined::Both => {}
            true => {
                for &area in &region.areas {
                    let size = asked.index.area_size(area).unwrap_or_default();
                    rows.row(&row(&asked, region, number, 1, size, area))?;
                }
            }
            false => {
                let Some(area) = middle(&asked.index, region) else { continue };
                rows.row(&row(&asked, region, number, region.areas.len(), region.size, area))?;
            }
        }
    }
    rows.finish()?;
    let missed = regions.iter().any(|region| !region.joined.is_reached());
    if !typed.whole.quiet {
        summary(&asked, &whence, &regions);
        if missed {
            asked.remark_unstored();
        }
    }
    let exit = asked.finish(if missed { Exit::Findings } else { Exit::Clean });
    if let Some(image) = image {
        drop(overlay);
        picture::regions(asked, regions, &from, &whence, &image)?;
    }
    Ok(exit)
}

/// The starting areas, and their description in words.
fn starts(typed: &Reach, asked: &Asked) -> Result<(Vec<Area>, String), Failure> {
    let index = &asked.index;
    let spots = joined(&typed.from);
    if !spots.is_empty() {
        let mut from = Vec::new();
        for spot in &spots {
            let found = asked.find(spot)?;
            // A place means all of its areas.
            let all: Vec<Area> = index.in_place(spot).collect();
            from.extend(if all.is_empty() { vec![found.area] } else { all });
        }
        return Ok((from, spots.join(", ")));
    }
    let spawns: Vec<Area> = spawn_areas(index).filter(|area| asked.keeps(*area, asked.chosen)).collect();
    if !spawns.is_empty() {
        return Ok((spawns, "the spawns".to_owned()));
    }
    // Every area of the largest part reaches the others.
    let mut sizes = std::collections::HashMap::new();
    for area in index.areas().filter(|area| asked.keeps(*area, asked.chosen)) {
        let part = sizes.entry(index.component(area)).or_insert((0u64, area));
        part.0 += 1;
    }
    let largest = sizes.into_values().max_by_key(|(size, area)| (*size, std::cmp::Reverse(*area)));
    match largest {
        Some((_, area)) => Ok((vec![area], "the largest part, for the mesh tells no spawn".to_owned())),
        None => {
            let why = format!("the mesh has no {}", asked.word());
            Err(asked.refused("reach", why).into())
        }
    }
}

/// Areas that the mesh itself marks as spawns: by a flag (Team Fortress 2), or by the name of their place (Counter-Strike).
fn spawn_areas(index: &NavIndex) -> impl Iterator<Item = Area> + '_ {
    let bits = index
        .flag_names()
        .filter(|(_, name)| name.to_ascii_lowercase().starts_with("spawn_room_") && !name.ends_with("EXIT"))
        .fold(0, |all, (bit, _)| all | bit);
    index.areas().filter(move |area| {
        let named = index.place(*area).is_some_and(|place| place.to_ascii_lowercase().contains("spawn"));
        named || index.flags(*area) & bits != 0
    })
}

/// The area of a part that is closest to its middle.
fn middle(index: &NavIndex, region: &Region) -> Option<Area> {
    let center = |area: &Area| index.center(*area).filter(|at| at.is_finite()).unwrap_or_default();
    let bounds: navmap::graph::Aabb = region.areas.iter().map(center).collect();
    let middle = bounds.min.midway(bounds.max);
    let far = |area: &&Area| center(area).distance(middle);
    region.areas.iter().min_by(|a, b| far(a).total_cmp(&far(b))).copied()
}

fn row(asked: &Asked, region: &Region, part: u64, areas: usize, size: f64, area: Area) -> [Cell; 12] {
    let index = &asked.index;
    let [group, space] = home(asked, Some(area));
    let p = index.center(area).unwrap_or_default();
    let metres = f64::from(index.axes().metres_per_unit);
    // Waypoints are points, though some tell how far from them one may stray.
    let is_point = index.radius(area).is_some();
    [
        Cell::Text(region.joined.name().to_owned()),
        Cell::Int(part),
        Cell::Int(areas as u64),
        if is_point { Cell::None } else { Cell::Float((size * metres * metres) as f32) },
        id(asked, Some(area)),
        index.node(area).map(u64::from).into(),
        Cell::Float(p.x),
        Cell::Float(p.y),
        Cell::Float(p.z),
        index.place(area).into(),
        group,
        space,
    ]
}

/// `from the spawns: 1,402 of 1,472 areas are reached, 12 of them without a way back; 70 are not, in 8 parts`
fn summary(asked: &Asked, whence: &str, regions: &[Region]) {
    let count = |which: &dyn Fn(Joined) -> bool| {
        regions
            .iter()
            .filter(|region| which(region.joined))
            .map(|region| region.areas.len() as u64)
            .sum::<u64>()
    };
    let all = count(&|_| true);
    let reached = count(&Joined::is_reached);
    let trapped = count(&|joined| joined == Joined::NoWayBack);
    let parts = regions.iter().filter(|region| !region.joined.is_reached()).count() as u64;
    let words = navmap::graph::plural(asked.word(), 2);
    let mut text = format!("from {whence}: {} of {} {words} are reached", Grouped(reached), Grouped(all));
    if trapped > 0 {
        text.push_str(&format!(", {} of them without a way back", Grouped(trapped)));
    }
    if parts > 0 {
        let are = if all - reached == 1 { "is" } else { "are" };
        text.push_str(&format!(
            "; {} {are} not, in {}",
            Grouped(all - reached),
            counted(parts, "part", "parts")
        ));
    }
    say(format_args!("{text}"));
}
