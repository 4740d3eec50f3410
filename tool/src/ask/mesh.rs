//! Opens what is asked, and says what is wrong with it.

use crate::args::Whole;
use crate::out::say;
use crate::{Exit, Failure, graphs, left_out, orders, plan, progress};
use navmap::error::{Error, Result};
use navmap::format::SetKind;
use navmap::graph::{FlatGraph, Point};
use navmap::open::{Atlas, AtlasOptions, Mesh, OpenOptions, Place, Plugins, check_hull, names};
use navmap::query::{Found, InPlace, Lost, Spot, ground_in_place};
use navmap::text::path_text;
use std::ops::Deref;
use std::path::{Path, PathBuf};

fn open(typed: &Whole) -> OpenOptions {
    plan::of_hull(&typed.open, typed.hull)
}

/// What lies at a path, before anything is built of it.
pub(super) enum Source {
    /// The plugins of a load order.
    Order(Vec<PathBuf>),
    /// Anything else.
    Place(Place),
}

impl Source {
    /// Finds what lies at a path.
    pub(super) fn at(path: &Path, typed: &Whole) -> Result<Self, Failure> {
        let paths = typed.load_order.iter().map(PathBuf::as_path).chain([path]);
        let (files, lists) = orders::files(paths, &typed.data, orders::Stale::Told)?;
        match lists || !typed.load_order.is_empty() {
            true => Ok(Self::Order(files)),
            false => Ok(Self::Place(Place::at(path, &open(typed))?)),
        }
    }

    /// The mesh, if it is one that finds points without an index. A space or a hull that is typed is left to the index, which
    /// refuses what the mesh has not.
    pub(super) fn sorted(&self, typed: &Whole) -> Option<Mesh> {
        let Self::Place(Place::Mesh(mesh)) = self else { return None };
        let is_plain = typed.space.is_none() && typed.hull.is_none();
        let is_sorted = || ground_in_place(mesh.nav(), Point::default(), None) != InPlace::NeedsIndex;
        (is_plain && is_sorted()).then(|| mesh.clone())
    }
}

/// What is asked besides ways.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Where points are, and no ways.
    Points,
    Ways,
    /// Ways, and a picture of them.
    Picture,
}

impl Purpose {
    pub(super) fn of(is_drawn: bool) -> Self {
        if is_drawn { Self::Picture } else { Self::Ways }
    }
}

/// What questions are asked of.
pub(super) struct Asked {
    atlas: Atlas,
    /// How the run ends for what could not be read.
    exit: Exit,
}

impl Deref for Asked {
    type Target = Atlas;

    fn deref(&self) -> &Atlas {
        &self.atlas
    }
}

impl Asked {
    /// Opens a path.
    pub(super) fn open(path: &Path, typed: &Whole, purpose: Purpose) -> Result<Self, Failure> {
        Self::of(Source::at(path, typed)?, path, typed, purpose)
    }

    /// The same of what was found at the path.
    pub(super) fn of(source: Source, path: &Path, typed: &Whole, purpose: Purpose) -> Result<Self, Failure> {
        let (flat, only_points) = (purpose == Purpose::Picture, purpose == Purpose::Points);
        let options = AtlasOptions { open: open(typed), space: typed.space.as_deref(), flat, only_points };
        let line = progress::line(None, "meshes");
        let mut unread = Vec::new();
        let atlas = match source {
            Source::Order(files) => {
                let plugins = Plugins::open(files, &options.open, &|| {}).whole()?;
                Atlas::of_plugins(&plugins, path, &options)
            }
            Source::Place(place) => Atlas::of_place(place, path, &options, &mut unread),
        };
        let exit = left_out(&unread);
        drop(line);
        let atlas = atlas?;
        graphs::taken(path, &atlas.maps);
        Self { atlas, exit }.checked(typed)
    }

    /// Refuses queries that cannot be answered, and says where the mesh is if the file has nothing of it.
    fn checked(self, typed: &Whole) -> Result<Self, Failure> {
        let checked = check_hull("--hull", typed.hull, self.hull, self.has_hulls, &self.index);
        checked.map_err(|error| error.in_file(&self.path))?;
        let is_tile = || SetKind::ALL.iter().any(|set| set.is_tile(&self.path));
        if self.index.areas().next().is_none() && self.path.is_file() && is_tile() {
            let (path, word) = (path_text(&self.path), self.word());
            say(format_args!(
                "navmap: {path} has no {word} of its own: the mesh is its folder, with the tiles beside it"
            ));
        }
        Ok(self)
    }

    /// Reports unreadable parts, and returns the exit status.
    pub(super) fn finish(&self, exit: Exit) -> Exit {
        let damaged = match &self.error {
            Some(error) => left_out([error]),
            None => Exit::Clean,
        };
        exit.max(self.exit).max(damaged)
    }

    /// Says that the game may know of ways which this file does not have, where an answer is that there is none.
    pub(super) fn remark_unstored(&self) {
        if let Some(what) = self.unstored {
            let path = path_text(&self.path);
            say(format_args!("navmap: {path}: {what} are in the map, not in meshes of this version"));
        }
    }

    /// The error for a query that this mesh cannot answer.
    #[cold]
    pub(super) fn refused(&self, what: &'static str, why: String) -> Error {
        Error::invalid(what, why).in_file(&self.path)
    }

    pub(super) fn word(&self) -> &'static str {
        self.index.node_word()
    }

    /// The space in which points are asked for.
    pub(super) fn space(&self) -> Result<Option<usize>> {
        if self.is_divided() && self.chosen.is_none() {
            let list = names(self.spaces.iter().map(|(space, _)| space));
            let why = format!("points lie in one of several spaces, --space says in which: {list}");
            return Err(self.refused("space", why));
        }
        Ok(self.chosen)
    }

    /// The area that a person refers to. In a load order, a point may end in `@SPACE`.
    pub(super) fn find(&self, text: &str) -> Result<Found> {
        let (spot, space) = self.spot(text)?;
        let space = if matches!(spot, Spot::Point(_)) && space.is_none() { self.space()? } else { space };
        let lost = |lost: Lost| {
            let hull = match &lost {
                Lost::Apart { group: Some(group), .. } => group.strip_prefix("hull "),
                _ => None,
            };
            let hint = match (hull, self.maps.as_slice()) {
                (Some(hull), _) => format!("; --hull {hull} asks about it"),
                (None, [taken, others @ ..]) if !others.is_empty() => {
                    format!("; {taken} was asked, --space takes {}", others.join(", "))
                }
                _ => String::new(),
            };
            self.refused("spot", format!("{lost}{hint}"))
        };
        spot.find(&self.index, f32::INFINITY, |area| self.keeps(area, space)).map_err(lost)
    }

    /// The point that a person typed, if it is one.
    pub(super) fn asked_point(&self, text: &str) -> Option<Point> {
        match self.spot(text).ok()?.0 {
            Spot::Point(point) => Some(point),
            _ => None,
        }
    }

    /// The graph of a picture, limited to one space and one hull, with the file's node for each of its nodes.
    pub(super) fn graph(&mut self, space: Option<usize>) -> Option<(FlatGraph, Vec<u32>)> {
        self.atlas.take_graph(space)
    }

    /// The words under the title of a picture.
    pub(super) fn subtitle(&self, space: Option<usize>) -> String {
        match space.and_then(|space| self.space_name(space)) {
            Some(name) => format!("{}, {name}", self.subtitle),
            None => self.subtitle.clone(),
        }
    }

    pub(super) fn error_words(&self) -> Option<String> {
        self.error.as_ref().map(|error| error.without_file().to_string())
    }
}
