//! Opens what is asked: a mesh, a map of tiles, a load order.

use crate::args::Whole;
use crate::{Exit, Failure, graphs, left_out, orders, plan, progress};
use navmap::error::{Error, Result};
use navmap::format::skyrim::{LoadOrder, OrderGraph};
use navmap::format::{AnyGraph, AnyNav, Kind};
use navmap::graph::FlatGraph;
use navmap::open::{Item, Place, Plugins, Space, choose, names, spaces};
use navmap::query::{Area, BuildOptions, Found, NavIndex, Spot};
use navmap::text::counted;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A mesh as an index, with what is needed to name and to draw it.
pub(super) struct Asked {
    path: PathBuf,
    pub(super) index: NavIndex,
    pub(super) title: String,
    subtitle: String,
    /// The graph for a picture.
    flat: Option<FlatGraph>,
    /// The spaces of a load order, with their groups.
    spaces: Vec<(Space, Vec<u32>)>,
    /// The space of each group.
    space_of: Vec<u32>,
    /// The space that was asked for.
    chosen: Option<usize>,
    /// The hull that is asked about.
    hull: Option<u32>,
    /// Where the file could not be read on.
    error: Option<Error>,
    /// How the run ends for what could not be read.
    exit: Exit,
}

/// What an index is built for.
#[derive(Clone, Copy)]
struct Build {
    hull: Option<u8>,
    /// Whether the graph is taken as well, for a picture.
    flat: bool,
}

impl Asked {
    /// Opens what lies at a path. `flat` says whether a picture is wanted.
    pub(super) fn open(path: &Path, typed: &Whole, flat: bool) -> Result<Self, Failure> {
        let options = plan::options(&typed.open);
        let build = Build { hull: typed.hull, flat };
        let line = progress::line(None, "meshes");
        let done = |asked: Result<Self>| {
            drop(line);
            asked?.checked(typed)
        };
        let (mut files, mut is_order) = (Vec::new(), !typed.load_order.is_empty());
        for path in typed.load_order.iter().map(PathBuf::as_path).chain([path]) {
            is_order |= orders::put(path, &typed.data, &mut files)?;
        }
        if is_order {
            let plugins = Plugins::open(files, &options, &|| {}).whole()?;
            return done(Self::of_plugins(&plugins, path, typed, build));
        }
        match Place::at(path, &options)? {
            Place::Mesh(mesh) => {
                let made = match mesh.nav() {
                    AnyNav::Plugin(plugin) => {
                        let mut order = LoadOrder::new();
                        order.push(mesh.bytes().name().to_string_lossy(), *plugin);
                        Self::of_order(&order, path, typed, build)
                    }
                    _ => {
                        let mut items = mesh.items();
                        typed.space.as_deref().map_or(Ok(()), |wanted| choose(&mut items, wanted))?;
                        let item = items.pop().ok_or_else(|| Place::nothing(path))?;
                        Self::of_item(&item, build)
                    }
                };
                mesh.intact()?;
                done(made)
            }
            Place::Tiles(tiles) => {
                let item = graphs::map_of(&tiles, typed.space.as_deref())?;
                let mut asked = Self::of_item(&item, build)?;
                asked.exit = left_out(tiles.failures());
                asked.error = asked.error.or_else(|| tiles.intact().err());
                done(Ok(asked))
            }
            Place::Folder(listing)
                if !listing.files.is_empty() && listing.files.iter().all(|file| Kind::Plugin.ends(file)) =>
            {
                let plugins = Plugins::open([path], &options, &|| {});
                let mut asked = Self::of_plugins(&plugins, path, typed, build)?;
                asked.exit = left_out(&plugins.beside().unread);
                done(Ok(asked))
            }
            several => {
                let asked = Self::only(several, path, &options, typed, flat);
                done(asked)
            }
        }
    }

    /// The only mesh of a folder or an archive.
    fn only(
        place: Place,
        path: &Path,
        options: &navmap::open::Options,
        typed: &Whole,
        flat: bool,
    ) -> Result<Self> {
        const MOST: usize = 12;
        let (mut made, mut found) = (None, Vec::new());
        let beside = place.visit(options, &mut |item| {
            if item.view.is_none() {
                made = made.take().or(item.error.map(Err));
                return ControlFlow::Continue(());
            }
            found.push(item.location().display().to_string());
            if found.len() == 1 {
                made = Some(Self::of_item(&item, Build { hull: typed.hull, flat }));
            }
            if found.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let exit = left_out(&beside.unread);
        if found.len() > 1 {
            let more = if found.len() > MOST { " and more" } else { "" };
            found.truncate(MOST);
            let why = format!("holds several meshes, and one is asked: {}{more}", found.join(", "));
            return Err(Error::invalid("path", why).in_file(path));
        }
        let mut asked = made.ok_or_else(|| Place::nothing(path))??;
        asked.exit = exit;
        Ok(asked)
    }

    fn of_item(item: &Item<'_>, build: Build) -> Result<Self> {
        let nothing = || Error::invalid("file", "could not be read").in_file(item.path);
        // Every floor is there once for each hull.
        let hulls = item.nav().and_then(|nav| nav.ground_group());
        let hull = hulls.map(|player| build.hull.map_or(player, u32::from));
        let options = hull.map_or_else(BuildOptions::default, |hull| BuildOptions::default().group(hull));
        let index = item.index(&options).ok_or_else(nothing)?;
        let flat = if build.flat { item.flat_graph().map(|flat| flat.value) } else { None };
        let located = |error: Error| error.in_file(item.location());
        Ok(Self {
            path: item.location(),
            index: index.value,
            title: item.title.clone(),
            subtitle: item.subtitle(),
            flat,
            spaces: Vec::new(),
            space_of: Vec::new(),
            chosen: None,
            hull,
            error: index.error.map(located),
            exit: Exit::Clean,
        })
    }

    fn of_plugins(plugins: &Plugins, path: &Path, typed: &Whole, build: Build) -> Result<Self> {
        let mut asked = Self::of_order(&plugins.order(), path, typed, build)?;
        asked.error = asked.error.or_else(|| plugins.intact().err());
        Ok(asked)
    }

    fn of_order(order: &LoadOrder<'_>, path: &Path, typed: &Whole, build: Build) -> Result<Self> {
        let graph = OrderGraph::new(order);
        let spaces = spaces(&graph);
        let chosen = match &typed.space {
            Some(wanted) => Some(
                Space::choose(spaces.iter().map(|(space, _)| space), wanted).map_err(|e| e.in_file(path))?,
            ),
            None => None,
        };
        let groups = spaces.iter().flat_map(|(_, groups)| groups).max().map_or(0, |last| *last as usize + 1);
        let mut space_of = vec![u32::MAX; groups];
        for ((_, groups), number) in spaces.iter().zip(0u32..) {
            groups.iter().for_each(|group| space_of[*group as usize] = number);
        }
        let index = NavIndex::build(&graph);
        let flat = build.flat.then(|| FlatGraph::of(&graph).value);
        let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let mut subtitle = match order.len() {
            0 | 1 => "plugin".to_owned(),
            many => format!("load order of {many} plugins"),
        };
        if let unresolved @ 1.. = graph.unresolved_doors() {
            subtitle.push_str(&format!(", {} unresolved", counted(unresolved as u64, "door", "doors")));
        }
        Ok(Self {
            path: path.to_owned(),
            index: index.value,
            title,
            subtitle,
            flat,
            spaces,
            space_of,
            chosen,
            hull: None,
            error: index.error.map(|error| error.in_file(path)),
            exit: Exit::Clean,
        })
    }

    /// Refuses what cannot be asked.
    fn checked(self, typed: &Whole) -> Result<Self, Failure> {
        if let (Some(hull), None) = (typed.hull, self.hull) {
            let why = format!("only meshes of Source 2 have hulls, this one has no hull {hull}");
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

    /// Says what could not be read, and how the run ends.
    pub(super) fn finish(&self, exit: Exit) -> Exit {
        let damaged = match &self.error {
            Some(error) => left_out([error]),
            None => Exit::Clean,
        };
        exit.max(self.exit).max(damaged)
    }

    /// The error for what cannot be asked of this mesh.
    #[cold]
    pub(super) fn refused(&self, what: &'static str, why: String) -> Error {
        Error::invalid(what, why).in_file(&self.path)
    }

    pub(super) fn word(&self) -> &'static str {
        self.index.node_word()
    }

    /// Whether coordinates alone do not say where a point is.
    pub(super) fn is_divided(&self) -> bool {
        self.spaces.len() > 1
    }

    /// The space of an area, by its number.
    pub(super) fn space_of(&self, area: Area) -> Option<usize> {
        let group = self.index.group(area)?;
        self.space_of.get(group as usize).filter(|space| **space != u32::MAX).map(|space| *space as usize)
    }

    pub(super) fn space_name(&self, space: usize) -> Option<String> {
        self.spaces.get(space).map(|(space, _)| space.to_string())
    }

    /// Whether an area lies in a space, and in the hull that is asked about.
    pub(super) fn keeps(&self, area: Area, space: Option<usize>) -> bool {
        let in_hull = self.hull.is_none_or(|hull| self.index.group(area) == Some(hull));
        in_hull && (space.is_none() || self.space_of(area) == space)
    }

    /// The space that was asked for, by its number.
    pub(super) fn chosen(&self) -> Option<usize> {
        self.chosen
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

    /// The area that a person means. In a load order, a point may end in `@SPACE`.
    pub(super) fn find(&self, text: &str) -> Result<Found> {
        let invalid = |lost: navmap::query::Lost| self.refused("spot", lost.to_string());
        let divided = text.rsplit_once('@').filter(|_| !self.spaces.is_empty());
        let (spot, space) = match divided {
            Some((spot, space)) => {
                let spaces = self.spaces.iter().map(|(space, _)| space);
                (spot, Some(Space::choose(spaces, space).map_err(|error| error.in_file(&self.path))?))
            }
            None => (text, self.chosen),
        };
        let spot: Spot = spot.parse().map_err(invalid)?;
        let space = if matches!(spot, Spot::Point(_)) && space.is_none() { self.space()? } else { space };
        spot.find(&self.index, f32::INFINITY, |area| self.keeps(area, space)).map_err(invalid)
    }

    /// The graph of a picture, with the node of the file that each of its nodes is: that of one space and one hull.
    pub(super) fn graph(&mut self, space: Option<usize>) -> Option<(FlatGraph, Vec<u32>)> {
        let mut flat = self.flat.take()?;
        let kept = |node: u32| self.index.of_node(node).is_some_and(|area| self.keeps(area, space));
        let nodes: Vec<u32> = (0..flat.nodes().len() as u32).filter(|node| kept(*node)).collect();
        let mut node = 0;
        flat.retain(|_| {
            node += 1;
            kept(node - 1)
        });
        Some((flat, nodes))
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
