//! The item of a walk: one mesh with coordinates of its own, as a view and as a graph.

use super::Space;
use super::bytes::{location, stem};
use navmap_core::error::Error;
use navmap_core::format::GraphTask;
use navmap_core::format::{NavFile, Summary};
use navmap_core::graph::{FlatGraph, NavGraph, Partial};
#[cfg(feature = "archive")]
use navmap_detour as detour;
use navmap_formats::AnyNav;
#[cfg(feature = "archive")]
use navmap_fox as fox;
use navmap_query::{BuildOptions, NavIndex};
#[cfg(feature = "skyrim")]
use navmap_skyrim as skyrim;
use std::path::{Path, PathBuf};

/// One mesh with coordinates of its own: a file, a member of an archive, a space of a plugin, a map of tiles.
///
/// Everything borrows from the files that the walk has open. If a mesh cannot be read at all, its item has an
/// [`error`](Self::error) and no [`view`](Self::view).
#[derive(Debug)]
pub struct Item<'i> {
    /// The name of the map: that of the file without folder and extension, or of a map of tiles that of its files.
    pub title: String,
    /// The path of the file, the archive, or the folder of the tiles.
    pub path: &'i Path,
    /// The path inside the archive: `inner.bsp!maps/a.nav`.
    pub member: Option<&'i str>,
    /// The space of the file that it is, if the file is divided into spaces.
    pub space: Option<Space>,
    /// The mesh.
    pub view: Option<View<'i>>,
    /// Why the mesh could not be read, or where it is damaged, if that is known before the mesh is walked. Names path
    /// and member.
    pub error: Option<Error>,
}

/// What an [`Item`] shows.
#[derive(Debug)]
#[non_exhaustive]
pub enum View<'i> {
    /// A whole file.
    File(&'i AnyNav<'i>),
    /// One space of a plugin: its graph, and the whole plugin.
    #[cfg(feature = "skyrim")]
    Space(skyrim::Graph<'i>, &'i AnyNav<'i>),
    /// One map of a set of tiles.
    #[cfg(feature = "archive")]
    Tiles(fox::Layer<'i>),
    /// One map of a server of World of Warcraft.
    #[cfg(feature = "archive")]
    Map(detour::Map<'i>),
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

    /// The file that it is, or is a part of. `None` for a map of tiles.
    pub fn nav(&self) -> Option<&'i AnyNav<'i>> {
        match self.view.as_ref()? {
            View::File(nav) => Some(nav),
            #[cfg(feature = "skyrim")]
            View::Space(_, nav) => Some(nav),
            #[cfg(feature = "archive")]
            View::Tiles(_) => None,
            #[cfg(feature = "archive")]
            View::Map(_) => None,
        }
    }

    /// What the head of its file says. For a map of tiles, the head of the first tile that can be read.
    pub fn summary(&self) -> Option<Summary> {
        #[cfg(feature = "archive")]
        if let Some(View::Tiles(layer)) = &self.view {
            let first = layer.tiles().flat_map(|tile| tile.files()).find_map(|file| file.nav().ok());
            return first.map(|nav| nav.summary());
        }
        #[cfg(feature = "archive")]
        if let Some(View::Map(map)) = &self.view {
            return Some(map.summary());
        }
        self.nav().map(NavFile::summary)
    }

    /// Hands the graph to `task`. `None` if the mesh could not be read at all. This costs as much as
    /// [`AnyNav::with_graph`], but a space of a plugin is not inflated again.
    pub fn with_graph<T: GraphTask>(&self, task: T) -> Option<T::Out> {
        Some(match self.view.as_ref()? {
            View::File(nav) => nav.with_graph(task),
            #[cfg(feature = "skyrim")]
            View::Space(graph, _) => task.run(graph),
            #[cfg(feature = "archive")]
            View::Tiles(layer) => task.run(&fox::Graph::of_layer(layer)),
            #[cfg(feature = "archive")]
            View::Map(map) => task.run(&map.graph()),
        })
    }

    /// The graph in flat arrays, from which pictures and exports are made. Its error names path and member.
    pub fn flat_graph(&self) -> Option<Partial<FlatGraph>> {
        struct Flat;
        impl GraphTask for Flat {
            type Out = Partial<FlatGraph>;
            fn run(self, graph: &impl NavGraph) -> Self::Out {
                FlatGraph::of(graph)
            }
        }
        let flat = match self.view.as_ref()? {
            // Compiled once, where the families are.
            View::File(nav) => nav.flat_graph(),
            #[allow(unreachable_patterns)] // other views come with other families
            _ => self.with_graph(Flat)?,
        };
        Some(Partial { value: flat.value, error: flat.error.map(|error| error.in_file(self.location())) })
    }

    /// The index that questions are asked of. `None` if the mesh could not be read at all. If it is damaged, the index
    /// of what comes before the damage.
    pub fn index(&self, options: &BuildOptions) -> Option<Partial<NavIndex>> {
        Some(match self.view.as_ref()? {
            View::File(nav) => index_of(nav, options),
            #[allow(unreachable_patterns)] // other views come with other families
            _ => self.with_graph(Build(options))?,
        })
    }

    /// Game, version, and the part of the file that this is: `Skyrim, version 43, cell Cellar (01000820)`.
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
        match (self.summary(), &self.view) {
            (Some(summary), _) => describe(&summary),
            #[cfg(feature = "archive")]
            (None, Some(View::Tiles(_))) => "Fox Engine".to_owned(),
            (None, _) => String::new(),
        }
    }

    /// The part of the file that this is, if it is not the whole.
    fn part(&self) -> Option<String> {
        match (&self.view, &self.space) {
            #[cfg(feature = "archive")]
            (Some(View::Tiles(layer)), _) => {
                Some(navmap_core::text::counted(layer.tiles().len() as u64, "tile", "tiles"))
            }
            #[cfg(feature = "archive")]
            (Some(View::Map(map)), _) => Some(navmap_core::text::counted(map.len() as u64, "tile", "tiles")),
            (_, Some(space)) => Some(space.to_string()),
            #[cfg(feature = "skyrim")]
            (Some(View::File(AnyNav::Plugin(_))), None) => Some("no navmesh".to_owned()),
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
    match nav {
        #[cfg(feature = "skyrim")]
        AnyNav::Plugin(plugin) => {
            let whole = skyrim::Graph::new(plugin);
            let error = whole.damage().map(|error| error.in_file(location(path, member)));
            let mut parts = whole.split();
            parts.sort_by_key(|(_, graph)| std::cmp::Reverse(graph.triangle_count()));
            let spaces: Vec<skyrim::SpaceId> = parts.iter().map(|(space, _)| *space).collect();
            let names = plugin.editor_ids(&spaces);
            let items = parts.into_iter().zip(names).map(|((space, graph), editor_id)| {
                let view = Some(View::Space(graph, nav));
                let space = Some(space.named(editor_id));
                Item { title: title.clone(), path, member, space, view, error: None }
            });
            let mut items: Vec<Item<'i>> = items.collect();
            if items.is_empty() {
                items.push(file(title));
            }
            if let Some(first) = items.first_mut() {
                first.error = error;
            }
            items
        }
        _ => vec![file(title)],
    }
}

/// The maps of a set of tiles, the one with the most tiles first.
#[cfg(feature = "archive")]
pub(super) fn of_tiles<'i>(set: &'i fox::TileSet<'i>, path: &'i Path) -> Vec<Item<'i>> {
    let item = |layer: fox::Layer<'i>| Item {
        title: layer.name().to_owned(),
        path,
        member: None,
        space: Some(Space::Map(layer.name().to_owned())),
        view: Some(View::Tiles(layer)),
        error: None,
    };
    set.layers().map(item).collect()
}

/// The maps of a server of World of Warcraft, the one with the most tiles first.
#[cfg(feature = "archive")]
pub(super) fn of_maps<'i>(set: &'i detour::MapSet<'i>, path: &'i Path) -> Vec<Item<'i>> {
    let item = |map: detour::Map<'i>| Item {
        title: format!("map {}", map.name()),
        path,
        member: None,
        space: Some(Space::Map(map.name())),
        view: Some(View::Map(map)),
        error: None,
    };
    set.maps().map(item).collect()
}

/// Takes the item whose space has a certain name, and leaves the others.
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
