//! Draws answers on the map.

use super::mesh::Asked;
use crate::args::{Open, Pictured};
use crate::save::{save, vacant};
use crate::{floor, plan};
use navmap::draw::{Caption, Classes, ColourBy, DrawOptions, Picture, Theme, Trail};
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::graph::{NavGraph, Point};
use navmap::query::{Area, Joined, NavIndex, Overlay, PathScratch, Region};
use std::path::PathBuf;

/// The most parts numbered on the map, and the most starts marked.
const MOST_NAMED: usize = 40;
const MOST_STARTS: usize = 200;

/// The file of a picture, and its options.
pub(super) struct Image {
    path: PathBuf,
    force: bool,
    png: bool,
    options: DrawOptions,
    /// The map whose floor plan is drawn below, its models, and how to open it.
    map: Option<PathBuf>,
    models: Vec<PathBuf>,
    opening: navmap::open::OpenOptions,
}

impl Image {
    /// The requested picture.
    ///
    /// # Errors
    /// If the name has no known extension, or the file exists.
    pub(super) fn requested(typed: &Pictured, open: &Open) -> Result<Option<Self>> {
        let Some(path) = typed.draw.clone() else { return Ok(None) };
        let png = has_extension(&path, &["png"]);
        if !png && !has_extension(&path, &["svg"]) {
            return Err(Error::invalid("--draw", "has to end in .svg or .png").in_file(path));
        }
        vacant(&path, typed.force)?;
        let theme = if typed.dark { Theme::Dark } else { Theme::Light };
        let options = DrawOptions { colour: Some(ColourBy::Plain), theme, ..DrawOptions::default() };
        let (map, models, opening) = (typed.bsp.clone(), typed.models.clone(), plan::options(open));
        Ok(Some(Self { path, force: typed.force, png, options, map, models, opening }))
    }

    fn draw(
        &self,
        graph: &navmap::graph::FlatGraph,
        caption: &Caption,
        options: &DrawOptions,
        trails: &[Trail],
    ) -> Result<()> {
        let map = self.map.as_deref();
        let plan = map.map(|map| floor::plan(map, &self.models, graph, &self.opening)).transpose()?;
        let options = DrawOptions { plan, ..options.clone() };
        let picture = Picture::with_trails(graph, caption, &options, trails);
        save(&self.path, self.force, |out| match self.png {
            true => picture.write_png(out),
            false => picture.write_svg(out),
        })
    }
}

/// The corners of the latest path.
pub(super) fn corners(asked: &Asked, scratch: &PathScratch, [start, end]: [Point; 2]) -> Vec<Point> {
    let straight = |out: &mut [Point]| scratch.straighten(&asked.index, start, end, out).unwrap_or(0);
    let mut corners = vec![Point::default(); straight(&mut [])];
    straight(&mut corners);
    corners
}

fn outline(index: &NavIndex, area: Area) -> Vec<Point> {
    let mut corners = vec![Point::default(); index.corners(area, &mut [])];
    index.corners(area, &mut corners);
    corners
}

/// Draws the latest path, if there is one, from its start to its end. What was asked is gone once there is nothing but the picture to
/// make.
pub(super) fn way(
    mut asked: Asked,
    scratch: PathScratch,
    overlay: Option<Overlay>,
    names: [&String; 2],
    ends: [Point; 2],
    areas: [Area; 2],
    image: &Image,
) -> Result<()> {
    // Draws only one space: that of the path's start.
    let space = if asked.is_divided() { asked.space_of(areas[0]) } else { None };
    let Some((graph, _)) = asked.graph(space) else { return Ok(()) };
    let index = &asked.index;
    let here = |area: &Area| asked.keeps(*area, space);
    let steps: Vec<Area> = scratch.areas().collect();
    let blocked = |area: &Area| overlay.as_ref().is_some_and(|overlay| overlay.is_blocked(*area));
    let lines = match steps.iter().all(here) {
        true => pieces(&asked, &scratch, ends),
        // Other spaces have their own coordinates.
        false => steps
            .chunk_by(|a, b| here(a) == here(b))
            .filter(|run| run.first().is_some_and(here))
            .map(|run| run.iter().filter_map(|area| index.center(*area)).collect())
            .collect(),
    };
    let ends = || ends.into_iter().zip(names).zip(&areas).filter(|(_, area)| here(area));
    // A height is no place on a map.
    let apart = |a: Point, b: Point| {
        let ([u, v, _], [x, y, _]) = (graph.axes().plan(a), graph.axes().plan(b));
        (u - x).hypot(v - y) > 1.0
    };
    let trail = Trail {
        lines,
        passed: steps.iter().filter(|area| here(area)).map(|area| outline(index, *area)).collect(),
        avoided: index
            .areas()
            .filter(|area| blocked(area) && here(area))
            .map(|area| outline(index, area))
            .collect(),
        ends: ends().map(|((point, name), _)| (point, name.clone())).collect(),
        begins: usize::from(here(&areas[0])),
        ends_are: ["start", "end"].map(str::to_owned),
        asked: ends()
            .map(|((point, name), _)| asked.asked_point(name).filter(|typed| apart(*typed, point)))
            .collect(),
        name: "way".to_owned(),
        steps: steps.len().saturating_sub(1),
    };
    let caption = Caption {
        title: asked.title.clone(),
        subtitle: format!("{}, from {} to {}", asked.subtitle(space), names[0], names[1]),
        error: asked.error_words(),
        ..Caption::default()
    };
    drop((asked, scratch, overlay));
    image.draw(&graph, &caption, &image.options, &[trail])
}

/// The corners of the latest path, cut at links that carry (teleporters, doors).
fn pieces(asked: &Asked, scratch: &PathScratch, ends: [Point; 2]) -> Vec<Vec<Point>> {
    let index = &asked.index;
    let corners = corners(asked, scratch, ends);
    // Both ends of a carrying link are adjacent in the list.
    let carries: Vec<[Point; 2]> = scratch
        .steps(index)
        .filter_map(|step| step.way)
        .filter(|way| carried(way.kind))
        .filter_map(|way| Some([index.center(way.from)?, index.center(way.to)?]))
        .collect();
    let cut = |a: &Point, b: &Point| !carries.iter().any(|[from, to]| from == a && to == b);
    corners.chunk_by(cut).map(<[Point]>::to_vec).collect()
}

fn carried(kind: navmap::graph::LinkKind) -> bool {
    use navmap::graph::LinkKind::{Door, Elevator, Teleport, Train};
    matches!(kind, Door | Elevator | Teleport | Train)
}

/// Draws the parts of a mesh. Each part that cannot be reached, or not left again, has its own colour. What was asked is gone once
/// there is nothing but the picture to make.
pub(super) fn regions(
    mut asked: Asked,
    regions: Vec<Region>,
    from: &[Area],
    whence: &str,
    image: &Image,
) -> Result<()> {
    let space = if asked.is_divided() { from.first().and_then(|area| asked.space_of(*area)) } else { None };
    let Some((graph, nodes)) = asked.graph(space) else { return Ok(()) };
    let index = &asked.index;
    let mut class = vec![None; index.len()];
    let mut names = Vec::new();
    let mut ends: Vec<(Point, String)> = Vec::new();
    for region in regions.iter().filter(|region| region.joined != Joined::Both) {
        let here: Vec<Area> = region.areas.iter().copied().filter(|area| asked.keeps(*area, space)).collect();
        let Some(first) = here.first() else { continue };
        for area in &here {
            if let Some(class) = class.get_mut(area.position() as usize) {
                *class = u32::try_from(names.len()).ok();
            }
        }
        let what = region.joined.name().replace('-', " ");
        let id = index.id(*first).map_or_else(String::new, |id| index.ids().name(id).to_string());
        names.push(format!("{what}, {id}"));
        // A part of a single area is hard to see.
        ends.extend(index.center(*first).filter(|_| ends.len() < MOST_NAMED).map(|at| (at, id)));
    }
    let of_node = |node: &u32| {
        index.of_node(*node).and_then(|area| class.get(area.position() as usize).copied().flatten())
    };
    let classes = Classes {
        title: "from the start".to_owned(),
        names,
        of: nodes.iter().map(of_node).collect(),
        without: "reached".to_owned(),
    };
    let start = |area: &Area| Some((index.center(*area)?, String::new()));
    let starts = from.iter().filter(|area| asked.keeps(**area, space)).take(MOST_STARTS).filter_map(start);
    let mut all: Vec<(Point, String)> = starts.collect();
    let begins = all.len();
    all.append(&mut ends);
    let ends_are = ["start", "part of its own"].map(str::to_owned);
    let trail = Trail { ends: all, begins, ends_are, ..Trail::default() };
    let caption = Caption {
        title: asked.title.clone(),
        subtitle: format!("{}, what is reached from {whence}", asked.subtitle(space)),
        error: asked.error_words(),
        ..Caption::default()
    };
    let options = DrawOptions { colour: Some(ColourBy::Classes(classes)), ..image.options.clone() };
    drop((asked, regions, class, nodes));
    image.draw(&graph, &caption, &options, &[trail])
}
