//! `navmap path --as-game`: the way that the game takes by the table of routes of a `.nod` file.

use super::mesh::Asked;
use super::misused;
use super::rows::Printer;
use super::step::{STEPS, Stop, cells};
use crate::args::{Rows, Way};
use crate::out::{complain, say};
use crate::{Exit, Failure, plan};
use navmap::error::Error;
use navmap::format::nodegraph::{Doors, NOD_HULLS, NodNav};
use navmap::open::Mesh;
use navmap::query::{Area, Found, NavIndex, Outcome, PathScratch, Query};
use navmap::text::{Grouped, counted, path_text};

/// A way as nodes, and how long it is. The length is none where a step follows no link.
struct Walked {
    areas: Vec<Area>,
    length: Option<f32>,
}

impl Walked {
    fn of(index: &NavIndex, areas: Vec<Area>) -> Self {
        let lengths = areas.windows(2).map(|pair| Some(index.link(*pair.first()?, *pair.last()?)?.length));
        Self { length: lengths.sum(), areas }
    }

    /// `12 steps, 2,340 units`
    fn words(&self) -> String {
        let steps = counted(self.areas.len().saturating_sub(1) as u64, "step", "steps");
        match self.length {
            Some(length) => format!("{steps}, {} units", Grouped(length.round() as u64)),
            None => format!("{steps}, not all along links"),
        }
    }
}

pub(super) fn run(typed: &Way, asked: &Asked, [start, goal]: [&Found; 2]) -> Result<Exit, Failure> {
    let index = &asked.index;
    let mesh = Mesh::open_with(&asked.path, &plan::of_hull(&typed.whole.open, typed.whole.hull))?;
    let Some(nav) = mesh.nav().as_view::<NodNav<'_>>() else {
        let why = "only .nod of Half-Life holds the ways that the game takes; with an .ain, as with a mesh, the game searches";
        return Err(Error::invalid("--as-game", why).in_file(&asked.path).into());
    };
    let hull = nav.hull().or_else(|| NOD_HULLS.named("human")).unwrap_or_default();
    let doors = if typed.no_gates { Doors::Shut } else { Doors::Open };
    let [Some(from), Some(to)] = [start, goal].map(|spot| index.node(spot.area)) else {
        return Err(asked.refused("--as-game", "the spots are no nodes of the file".to_owned()).into());
    };
    let way = nav.routes().way(from as usize, to as usize, hull, doors);
    let areas = way.filter_map(|node| index.of_node(u32::try_from(node).ok()?)).collect();
    mesh.intact()?;
    let game = Walked::of(index, areas);
    let found = game.areas.last() == Some(&goal.area);
    let mut rows = Printer::for_areas(asked, typed.format.unwrap_or(Rows::Table), &STEPS);
    let (mut last, mut cost) = (None, 0.0);
    for area in &game.areas {
        let link = last.map(|last| index.link(last, *area));
        cost += link.flatten().map_or(0.0, |link| link.charge);
        let how = match link {
            None => "start",
            Some(None) => "no-link",
            Some(Some(link)) => link.kind.name(),
        };
        let at = index.center(*area).unwrap_or_default();
        let gated = link.flatten().is_some_and(|link| link.gated);
        rows.row(&cells(asked, &Stop { area: *area, how, cost, at, gated }))?;
        last = Some(*area);
    }
    rows.finish()?;
    let query = Query::shortest().with_gates(!typed.no_gates);
    let mut scratch = PathScratch::new(index);
    let outcome = scratch.path(index, start.area, (goal.area, goal.point), &query).map_err(misused)?;
    let shortest = matches!(outcome, Outcome::Found { .. })
        .then(|| Walked::of(index, scratch.steps(index).map(|step| step.area).collect()));
    if !found {
        let id = |area: Option<&Area>| area.and_then(|area| index.id(*area)).unwrap_or_default();
        let ends = format!("the game's table leads to #{} and no further", id(game.areas.last()));
        let other = match &shortest {
            Some(way) => format!("; there is a way of {}", way.words()),
            None => ", and there is no other way".to_owned(),
        };
        complain(format_args!("navmap: {}: {ends}{other}", path_text(&typed.path)));
    } else if !typed.whole.quiet {
        say(format_args!("{}", compared(index, &game, shortest.as_ref())));
    }
    Ok(asked.finish(if found { Exit::Clean } else { Exit::Findings }))
}

/// How the way of the game differs from the shortest.
fn compared(index: &NavIndex, game: &Walked, shortest: Option<&Walked>) -> String {
    let words = game.words();
    let Some(shortest) = shortest else { return format!("{words}; along links there is no way") };
    let parting = game.areas.iter().zip(&shortest.areas).position(|(a, b)| a != b);
    let before = parting.and_then(|at| game.areas.get(at.checked_sub(1)?)).and_then(|area| index.id(*area));
    let as_long = game.length.zip(shortest.length).is_some_and(|(a, b)| (a - b).abs() <= 0.25 + b * 0.001);
    match before {
        None => format!("{words}: the shortest way"),
        Some(id) if as_long => format!("{words}: as short as the shortest way, which parts from it at #{id}"),
        Some(id) => format!("{words}; the shortest way parts from it at #{id}: {}", shortest.words()),
    }
}
