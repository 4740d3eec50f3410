//! Opens what is asked, and says what is wrong with it.

use crate::args::Whole;
use crate::{Exit, Failure, graphs, left_out, orders, plan, progress};
use navmap::error::{Error, Result};
use navmap::graph::{FlatGraph, Point};
use navmap::open::{Atlas, AtlasOptions, Plugins, names};
use navmap::query::{Found, Lost, Spot};
use std::ops::Deref;
use std::path::{Path, PathBuf};

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
    /// Opens a path. `flat` says whether a picture is wanted.
    pub(super) fn open(path: &Path, typed: &Whole, flat: bool) -> Result<Self, Failure> {
        let open = plan::of_hull(&typed.open, typed.hull);
        let options = AtlasOptions { open, space: typed.space.as_deref(), flat };
        let line = progress::line(None, "meshes");
        let (mut files, mut is_order) = (Vec::new(), !typed.load_order.is_empty());
        for path in typed.load_order.iter().map(PathBuf::as_path).chain([path]) {
            is_order |= orders::put(path, &typed.data, &mut files)?;
        }
        let mut unread = Vec::new();
        let atlas = if is_order {
            let plugins = Plugins::open(files, &options.open, &|| {}).whole()?;
            Atlas::of_plugins(&plugins, path, &options)
        } else {
            Atlas::open(path, &options, &mut unread)
        };
        let exit = left_out(&unread);
        drop(line);
        let atlas = atlas?;
        graphs::taken(path, &atlas.maps);
        Self { atlas, exit }.checked(typed)
    }

    /// Refuses queries that cannot be answered.
    fn checked(self, typed: &Whole) -> Result<Self, Failure> {
        if self.has_hulls {
            return Ok(self);
        }
        if let (Some(hull), None) = (typed.hull, self.hull) {
            let why =
                format!("only node graphs and meshes of Source 2 have hulls, this one has no hull {hull}");
            return Err(self.refused("--hull", why).into());
        }
        if let Some(hull) =
            self.hull.filter(|hull| !self.index.areas().any(|area| self.index.group(area) == Some(*hull)))
            && typed.hull.is_some()
        {
            return Err(self.refused("--hull", format!("there is none of number {hull}")).into());
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
        let lost = |lost: Lost| self.refused("spot", lost.to_string());
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
