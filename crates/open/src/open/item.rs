//! The item of a walk: one mesh with its own coordinates, as a view and as a graph.

use super::Space;
use super::bytes::{location, stem};
use navmap_core::error::Error;
use navmap_core::format::{GraphTask, NavFile, Summary};
use navmap_core::graph::{FlatGraph, NavGraph, Partial};
use navmap_core::text::counted;
use navmap_formats::{AnyMap, AnyNav, Kind};
use navmap_query::{BuildOptions, NavIndex};
use std::path::{Path, PathBuf};

/// One mesh with its own coordinates: a file, a member of an archive, a space of a plugin, a map of tiles.
///
/// Everything borrows from the files that the walk has open. The item of a mesh that cannot be read at all has an
/// [`error`](Self::error) and no [`view`](Self::view).
#[derive(Debug)]
pub struct Item<'i> {
    /// The name of the map: that of the file, without folder and extension; for a map of tiles that of its files.
    pub title: String,
    /// The path of the file, the archive, or the folder of the tiles.
    pub path: &'i Path,
    /// The path inside the archive: `inner.bsp!maps/a.nav`.
    pub member: Option<&'i str>,
    /// The item's space, if the file is divided into spaces.
    pub space: Option<Space>,
    /// The mesh.
    pub view: Option<View<'i>>,
    /// The reason why the mesh could not be read, or where it is damaged, if that is known before the mesh is walked. Names path
    /// and member.
    pub error: Option<Error>,
}

/// What an [`Item`] shows.
// There is one at a time; where tiles are compiled in, maps are as large.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
#[non_exhaustive]
pub enum View<'i> {
    /// A whole file.
    File(&'i AnyNav<'i>),
    /// One space of a plugin: its graph, and the whole plugin.
    #[cfg(feature = "skyrim")]
    Space(navmap_skyrim::PartGraph<'i>, &'i AnyNav<'i>),
    /// One map of a set of tiles.
    Map(AnyMap<'i>),
}

impl<'i> Item<'i> {
    /// An item that could not be read at all.
    #[cfg(feature = "archive")]
    pub(super) fn failed(path: &'i Path, member: Option<&'i str>, error: Error) -> Self {
        let title = title(path, member);
        let error = Some(error.in_file(location(path, member)));
        Self { title, path, member, space: None, view: None, error }
    }

    /// Path and member together: `archive!member`.
    pub fn location(&self) -> PathBuf {
        location(self.path, self.member)
    }

    /// The file that the item is, or is a part of. `None` for a map of tiles.
    pub fn nav(&self) -> Option<&'i AnyNav<'i>> {
        match self.view.as_ref()? {
            View::File(nav) => Some(nav),
            #[cfg(feature = "skyrim")]
            View::Space(_, nav) => Some(nav),
            View::Map(_) => None,
        }
    }

    /// The facts in the head of its file. For a map of tiles, those of the first tile that can be read.
    pub fn summary(&self) -> Option<Summary> {
        match &self.view {
            Some(View::Map(map)) => Some(map.map().summary()),
            _ => self.nav().map(NavFile::summary),
        }
    }

    /// Hands the graph to `task`. `None` if the mesh could not be read at all. The cost is that of [`AnyNav::with_graph`], but a
    /// space of a plugin is not inflated again.
    pub fn with_graph<T: GraphTask>(&self, task: T) -> Option<T::Out> {
        match self.view.as_ref()? {
            View::File(nav) => Some(nav.with_graph(task)),
            _ => self.with_part(task),
        }
    }

    /// The same for what is no file: a space of a plugin, a map of tiles. What is for these alone is not compiled for all families.
    pub(crate) fn with_part<T: GraphTask>(&self, task: T) -> Option<T::Out> {
        match self.view.as_ref()? {
            View::File(_) => None,
            #[cfg(feature = "skyrim")]
            View::Space(graph, _) => Some(navmap_core::format::AnyGraph::with_graph(graph, task)),
            View::Map(map) => Some(map.with_graph(task)),
        }
    }

    /// The graph in flat arrays, for pictures and exports. Its error names path and member.
    pub fn flat_graph(&self) -> Option<Partial<FlatGraph>> {
        struct Flat;
        impl GraphTask for Flat {
            type Out = Partial<FlatGraph>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                FlatGraph::of(graph)
            }
        }
        let flat = match self.view.as_ref()? {
            // Compiled once, in the crate of the table: here it would be for all families again.
            View::File(nav) => nav.flat_graph(),
            _ => self.with_part(Flat)?,
        };
        Some(Partial { value: flat.value, error: flat.error.map(|error| error.in_file(self.location())) })
    }

    /// The index for queries. `None` if the mesh could not be read at all. If it is damaged, the index of the part before the
    /// damage.
    pub fn index(&self, options: &BuildOptions) -> Option<Partial<NavIndex>> {
        Some(match self.view.as_ref()? {
            View::File(nav) => index_of(nav, options),
            _ => self.with_part(Build(options))?,
        })
    }

    /// Game, version, and the item's part of the file: `Skyrim, version 43, cell Cellar (01000820)`.
    pub fn subtitle(&self) -> String {
        let mut text = self.game();
        if let Some(part) = self.part() {
            text.push_str(", ");
            text.push_str(&part);
        }
        text
    }

    /// Game and version: `Team Fortress 2, version 16.2`. Empty if the mesh could not be read at all.
    pub fn game(&self) -> String {
        self.summary().map_or_else(String::new, |summary| describe(&summary))
    }

    /// The item's part of the file; `None` for the whole.
    fn part(&self) -> Option<String> {
        match (&self.view, &self.space) {
            (Some(View::Map(map)), _) => Some(counted(map.map().tiles() as u64, "tile", "tiles")),
            (_, Some(space)) => Some(space.to_string()),
            // Only a plugin without a mesh has no space.
            (Some(View::File(nav)), None) if nav.kind() == Kind::Plugin => Some("no navmesh".to_owned()),
            (Some(View::File(nav)), None) if nav.kind() == Kind::Grids => Some("no path grid".to_owned()),
            _ => None,
        }
    }
}

struct Build<'o>(&'o BuildOptions);

impl GraphTask for Build<'_> {
    type Out = Partial<NavIndex>;
    fn run(self, graph: &impl NavGraph) -> Self::Out {
        NavIndex::build_with(graph, self.0)
    }
}

/// [`NavIndex::of_with`], compiled once for all families.
pub(crate) fn index_of(nav: &AnyNav<'_>, options: &BuildOptions) -> Partial<NavIndex> {
    nav.with_graph(Build(options))
}

/// The name of a mesh: that of the file, or of the member in the innermost archive.
fn title(path: &Path, member: Option<&str>) -> String {
    let innermost = member.map(|member| member.rsplit_once('!').map_or(member, |(_, name)| name));
    stem(innermost.map_or(path, Path::new))
}

/// Game and version.
fn describe(summary: &Summary) -> String {
    let mut text = summary.game.unwrap_or("unknown game").to_owned();
    if let Some(version) = summary.version {
        text.push_str(&format!(", version {version}"));
        if let Some(subversion) = summary.subversion {
            text.push_str(&format!(".{subversion}"));
        }
    }
    text
}

/// The items in one file: the spaces of a plugin, the largest first, or the file itself.
pub(super) fn of_file<'i>(nav: &'i AnyNav<'i>, path: &'i Path, member: Option<&'i str>) -> Vec<Item<'i>> {
    let title = title(path, member);
    let file = |title| Item { title, path, member, space: None, view: Some(View::File(nav)), error: None };
    #[cfg(feature = "skyrim")]
    {
        let meshes = nav.as_view::<navmap_skyrim::Plugin<'_>>().map(navmap_skyrim::Plugin::parts);
        let grids = || nav.as_view::<navmap_skyrim::GridPlugin<'_>>().map(navmap_skyrim::GridPlugin::parts);
        if let Some(parts) = meshes.or_else(grids) {
            return of_spaces(file(title), parts, nav);
        }
    }
    vec![file(title)]
}

/// The spaces of a plugin; the whole of it if there is none. What is damaged is told with the first.
#[cfg(feature = "skyrim")]
fn of_spaces<'i>(whole: Item<'i>, parts: navmap_skyrim::Parts<'i>, nav: &'i AnyNav<'i>) -> Vec<Item<'i>> {
    let (title, path, member) = (whole.title.clone(), whole.path, whole.member);
    let error = parts.damage.map(|error| error.in_file(location(path, member)));
    let item = |(space, graph)| Item {
        title: title.clone(),
        path,
        member,
        space: Some(space),
        view: Some(View::Space(graph, nav)),
        error: None,
    };
    let mut items: Vec<Item<'i>> = parts.parts.into_iter().map(item).collect();
    if items.is_empty() {
        items.push(whole);
    }
    if let Some(first) = items.first_mut() {
        first.error = error;
    }
    items
}

/// The maps of a set of tiles, the one with the most tiles first.
#[cfg(feature = "archive")]
pub(super) fn of_set<'i>(set: &'i navmap_formats::AnySet, path: &'i Path) -> Vec<Item<'i>> {
    let item = |map: AnyMap<'i>| Item {
        title: map.map().title(),
        path,
        member: None,
        space: Some(Space::Map(map.map().name())),
        view: Some(View::Map(map)),
        error: None,
    };
    set.maps().into_iter().map(item).collect()
}

/// Keeps the item whose space has this name, and drops the others.
///
/// # Errors
/// Those of [`Space::choose`]. Names the path.
pub fn choose(items: &mut Vec<Item<'_>>, wanted: &str) -> navmap_core::Result<()> {
    let path = items.first().map(Item::location);
    let spaces = items.iter().filter_map(|item| item.space.as_ref());
    match Space::choose(spaces, wanted) {
        Ok(at) => {
            *items = items.drain(..).skip(at).take(1).collect();
            Ok(())
        }
        Err(error) => Err(match path {
            Some(path) => error.in_file(path),
            None => error,
        }),
    }
}
