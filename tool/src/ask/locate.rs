//! `navmap locate`: finds the area of each point, or the nearest one.

use super::mesh::{Asked, Purpose, Source};
use super::points::{Columns, Lines, joined};
use super::rows::{Cell, Column, Printer, home, id};
use crate::args::{Locate, Near};
use crate::looked::Looked;
use crate::out::{complain, say};
use crate::{Exit, Failure, progress};
use navmap::error::{Error, Result};
use navmap::graph::Point;
use navmap::open::{Mesh, Place};
use navmap::query::{InPlace, Spot, ground_in_place_counted};
use navmap::text::Grouped;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// The keys of a row. The names are a contract.
const COLUMNS: [Column; 11] = [
    ("x", 10, false),
    ("y", 10, false),
    ("z", 10, false),
    ("id", 8, false),
    ("index", 7, false),
    ("place", 16, true),
    ("height", 9, false),
    ("nearest", 8, false),
    ("distance", 9, false),
    ("group", 20, true),
    ("space", 1, true),
];

pub(crate) fn run(typed: &Locate) -> Result<Exit, Failure> {
    let (points, lines) = given(typed)?;
    let answers = Answers::open(typed)?;
    let mut rows = answers.printer(typed);
    let (mut total, mut inside, mut exit) = (0u64, 0u64, Exit::Clean);
    let mut looked = Looked::default();
    let mut answer = |point: Point| -> Result<(), Failure> {
        let found = looked
            .at(|looked| answers.row(typed, point, looked))
            .map_err(|error| error.in_file(&typed.path))??;
        total += 1;
        inside += u64::from(found[3] != Cell::None);
        Ok(rows.row(&found)?)
    };
    points.into_iter().try_for_each(&mut answer)?;
    if let Some(mut lines) = lines {
        let mut columns = Columns::default();
        let line = progress::line(None, "points");
        while let Some(next) = lines.next() {
            let point = next.and_then(|text| columns.point(&text).map_err(|why| lines.refused(why)));
            match point {
                Ok(Some(point)) => line.suspend(|| answer(point))?,
                Ok(None) => {}
                Err(error) if matches!(error.kind(), navmap::ErrorKind::Io(_)) => return Err(error.into()),
                Err(error) => {
                    line.suspend(|| complain(format_args!("navmap: {error}")));
                    exit = Exit::Failed;
                }
            }
            line.inc(1);
        }
    }
    rows.finish()?;
    if !typed.whole.quiet && total > 1 {
        let (inside, total) = (Grouped(inside), Grouped(total));
        say(format_args!("{inside} of {total} points are on the mesh"));
    }
    let off = if inside < total { Exit::Findings } else { Exit::Clean };
    answers.finish(exit.max(off))
}

/// What answers.
enum Answers {
    /// An index, and the space in which points are.
    Index(Asked, Option<usize>),
    /// A mesh that is sorted by place. An index is built for the first point that lies off it, to find the nearest node.
    Sorted(Mesh, OnceCell<(Asked, Option<usize>)>),
}

impl Answers {
    fn open(typed: &Locate) -> Result<Self, Failure> {
        let source = Source::at(&typed.path, &typed.whole)?;
        if let Some(mesh) = source.sorted(&typed.whole) {
            return Ok(Self::Sorted(mesh, OnceCell::new()));
        }
        let (asked, space) = index(source, typed)?;
        Ok(Self::Index(asked, space))
    }

    fn printer(&self, typed: &Locate) -> Printer {
        match self {
            Self::Index(asked, _) => Printer::for_areas(asked, typed.format, &COLUMNS),
            Self::Sorted(..) => Printer::without_home(typed.format, &COLUMNS),
        }
    }

    fn row(&self, typed: &Locate, p: Point, looked: &mut u64) -> Result<[Cell; 11], Failure> {
        let (mesh, built) = match self {
            Self::Index(asked, space) => return Ok(row(asked, typed, *space, p, looked)),
            Self::Sorted(mesh, built) => (mesh, built),
        };
        match ground_in_place_counted(mesh.nav(), p, typed.reach, looked) {
            InPlace::On(found) => {
                let (id, index) = (Cell::Int(found.id), Cell::Int(found.node.into()));
                return Ok(bare(p, [id, index, Cell::None, Cell::Float(found.z)]));
            }
            // Nothing is nearer than that.
            _ if typed.max.is_some_and(|max| max <= 0.0) => return Ok(bare(p, [const { Cell::None }; 4])),
            _ => {}
        }
        let (asked, space) = match built.get() {
            Some(built) => built,
            None => {
                let made = index(Source::Place(Place::Mesh(mesh.clone())), typed)?;
                built.get_or_init(|| made)
            }
        };
        Ok(row(asked, typed, *space, p, looked))
    }

    /// Reports unreadable parts, and returns the exit status.
    fn finish(&self, exit: Exit) -> Result<Exit, Failure> {
        match self {
            Self::Index(asked, _) => Ok(asked.finish(exit)),
            Self::Sorted(mesh, built) => {
                mesh.intact()?;
                Ok(built.get().map_or(exit, |(asked, _)| asked.finish(exit)))
            }
        }
    }
}

/// The index of what lies at the path, and the space in which points are.
fn index(source: Source, typed: &Locate) -> Result<(Asked, Option<usize>), Failure> {
    let asked = Asked::of(source, &typed.path, &typed.whole, Purpose::Points)?;
    let space = asked.space()?;
    Ok((asked, space))
}

/// A row of which only the area under the point is known: its id, index, place and height.
fn bare(p: Point, [id, index, place, height]: [Cell; 4]) -> [Cell; 11] {
    let [x, y, z] = p.to_array().map(Cell::Float);
    [x, y, z, id, index, place, height, Cell::None, Cell::None, Cell::None, Cell::None]
}

/// The typed points, and the lines with others.
fn given(typed: &Locate) -> Result<(Vec<Point>, Option<Lines>), Failure> {
    let dash = Path::new("-");
    let mut from: Option<PathBuf> = typed.points_from.clone();
    let mut points = Vec::new();
    for word in joined(&typed.points) {
        if word == "-" {
            if typed.points_from.is_some() {
                let why = "names a file, and - reads standard input: one of them is enough";
                return Err(Error::invalid("--points-from", why).into());
            }
            from = Some(dash.to_owned());
            continue;
        }
        match word.parse() {
            Ok(Spot::Point(point)) => points.push(point),
            _ => {
                let why = format!("{word} is no point: three numbers are needed, X Y Z or x,y,z");
                return Err(Error::invalid("point", why).into());
            }
        }
    }
    if from.as_deref() == Some(dash) && typed.path == dash {
        return Err(Error::invalid("standard input", "cannot be the mesh and the points").into());
    }
    if points.is_empty() && from.is_none() {
        let why = "is missing: X Y Z, or - to read points from standard input";
        return Err(Error::invalid("a point", why).into());
    }
    let lines = from.as_deref().map(Lines::open).transpose()?;
    Ok((points, lines))
}

fn row(asked: &Asked, typed: &Locate, space: Option<usize>, p: Point, looked: &mut u64) -> [Cell; 11] {
    let index = &asked.index;
    let keep = |area| asked.keeps(area, space);
    let area = index.area_at_counted(p, typed.reach, keep, looked);
    let max = typed.max.unwrap_or(f32::INFINITY);
    let near = match (area, typed.nearest) {
        (Some(_), _) => None,
        (None, Near::Exact) => index.nearest_counted(p, max, keep, looked),
        (None, Near::Engine) => index.nearest_as_engine_counted(p, max, keep, looked),
    };
    // Place, group and space are those of the matching area: under the point or near it.
    let meant = area.or(near.map(|near| near.area));
    let [group, space] = home(asked, meant);
    [
        Cell::Float(p.x),
        Cell::Float(p.y),
        Cell::Float(p.z),
        id(asked, area),
        area.and_then(|area| index.node(area)).map(u64::from).into(),
        area.and_then(|area| index.place(area)).into(),
        area.and_then(|area| index.z_at(area, p)).into(),
        id(asked, near.map(|near| near.area)),
        near.map(|near| near.distance).into(),
        group,
        space,
    ]
}
