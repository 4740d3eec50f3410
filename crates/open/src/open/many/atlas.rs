//! What questions are asked of at a path: one index over a mesh, a map of tiles, or a load order.

use super::{Place, Plugins, Tiles, spaces};
use crate::open::{Item, OpenOptions, choose, hull_group};
use navmap_core::Space;
use navmap_core::error::{Error, Result};
use navmap_core::format::NavFile;
use navmap_core::graph::FlatGraph;
use navmap_core::text::{counted, path_text};
use navmap_formats::Kind;
use navmap_query::{Area, BuildOptions, NavIndex, Spot};
use navmap_skyrim::{LoadOrder, OrderGraph, Plugin};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The most meshes that an error names, where one is asked.
const MOST: usize = 12;

/// How an [`Atlas`] is opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct AtlasOptions<'o> {
    /// How files are opened.
    pub open: OpenOptions,
    /// The space or map that is asked about, where there are several.
    pub space: Option<&'o str>,
    /// Whether the graph is taken as well, for a picture.
    pub flat: bool,
    /// Whether nothing but points of the chosen space is asked about. What lies in others then has no ground, so that points are not
    /// tested against it, and there is no way through it.
    pub only_points: bool,
}

/// What questions are asked of: an index, with what is needed to name and to draw it. A plugin, and a load order, are one index
/// over all their spaces.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
/// use navmap::open::{Atlas, AtlasOptions};
///
/// let mut unread = Vec::new();
/// let atlas = Atlas::open("corpus/fox/set".as_ref(), &AtlasOptions::default(), &mut unread)?;
/// assert!(atlas.index.len() > 8 && unread.is_empty());
/// assert_eq!(atlas.title, "plain_nav");
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Atlas {
    /// The file or the folder; of a member, `archive!member`.
    pub path: PathBuf,
    /// What answers.
    pub index: NavIndex,
    /// The name of the map.
    pub title: String,
    /// Game and version, and the part of the file that this is.
    pub subtitle: String,
    /// The graph, if it was asked for.
    pub flat: Option<FlatGraph>,
    /// The spaces of a plugin or a load order, each with its groups, the one with the most meshes first.
    pub spaces: Vec<(Space, Vec<u32>)>,
    /// The space that was asked for, by its number.
    pub chosen: Option<usize>,
    /// The group of the hull that is asked about, where each floor is there once for each hull.
    pub hull: Option<u32>,
    /// Whether links depend on the hull: see [`NavFile::hulls`].
    pub has_hulls: bool,
    /// What the game knows of its ways from the map alone: see [`NavFile::unstored`].
    pub unstored: Option<&'static str>,
    /// Of several maps of tiles without a choice, the one with the most tiles, which was taken, and the others. Of several spaces of
    /// path grids, the one with the most points, and the others.
    pub maps: Vec<String>,
    /// Where the mesh could not be read on. The index has what comes before.
    pub error: Option<Error>,
    /// The space of each group.
    space_of: Vec<u32>,
}

impl Atlas {
    /// Opens what lies at a path: a mesh, a map of tiles, a folder of plugins, or a folder or an archive with one mesh. What could
    /// not be read beside it is added to `unread`.
    ///
    /// # Errors
    /// If nothing lies there, several meshes do, it cannot be read at all, or there is no such space.
    pub fn open(path: &Path, options: &AtlasOptions<'_>, unread: &mut Vec<Error>) -> Result<Self> {
        Self::of_place(Place::at(path, &options.open)?, path, options, unread)
    }

    /// The same of what was found at the path.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn of_place(
        place: Place,
        path: &Path,
        options: &AtlasOptions<'_>,
        unread: &mut Vec<Error>,
    ) -> Result<Self> {
        match place {
            Place::Mesh(mesh) => {
                let made = match mesh.nav().as_view::<Plugin<'_>>() {
                    Some(plugin) => {
                        let mut order = LoadOrder::new();
                        order.push(mesh.bytes().name().to_string_lossy(), *plugin);
                        Self::of_order(&order, path, options)
                    }
                    None => {
                        let mut items = mesh.items();
                        options.space.map_or(Ok(()), |wanted| choose(&mut items, wanted))?;
                        let names = items.iter().filter_map(|item| item.space.as_ref()).map(Space::to_string);
                        let names: Vec<String> = names.filter(|_| options.space.is_none()).collect();
                        let item = items.into_iter().next().ok_or_else(|| Place::nothing(path))?;
                        Self::of_item(&item, options).map(|atlas| Self { maps: names, ..atlas })
                    }
                };
                mesh.intact()?;
                made
            }
            Place::Tiles(tiles) => Self::of_tiles(*tiles, options, unread),
            Place::Folder(listing)
                if !listing.files.is_empty() && listing.files.iter().all(|file| Kind::Plugin.ends(file)) =>
            {
                let mut plugins = Plugins::open([path], &options.open, &|| {});
                let atlas = Self::of_plugins(&plugins, path, options)?;
                unread.append(&mut plugins.beside_mut().unread);
                Ok(atlas)
            }
            several => Self::only(several, path, options, unread),
        }
    }

    fn of_tiles(tiles: Tiles, options: &AtlasOptions<'_>, unread: &mut Vec<Error>) -> Result<Self> {
        let (item, maps) = tiles.choose(options.space)?;
        let mut atlas = Self::of_item(&item, options)?;
        atlas.maps = maps;
        atlas.error = atlas.error.or_else(|| tiles.intact().err());
        drop(item);
        unread.extend(tiles.into_failures());
        Ok(atlas)
    }

    /// The only mesh of a folder or an archive.
    fn only(place: Place, path: &Path, options: &AtlasOptions<'_>, unread: &mut Vec<Error>) -> Result<Self> {
        let (mut made, mut found) = (None, Vec::new());
        let mut beside = place.visit(&options.open, &mut |item| {
            if item.view.is_none() {
                made = made.take().or(item.error.map(Err));
                return ControlFlow::Continue(());
            }
            found.push(path_text(&item.location()).into_owned());
            if found.len() == 1 {
                made = Some(Self::of_item(&item, options));
            }
            if found.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        unread.append(&mut beside.unread);
        if found.len() > 1 {
            let more = if found.len() > MOST { " and more" } else { "" };
            found.truncate(MOST);
            let why = format!("holds several meshes, and one is asked: {}{more}", found.join(", "));
            return Err(Error::invalid("path", why).in_file(path));
        }
        made.ok_or_else(|| Place::nothing(path))?
    }

    /// One item of a place: a file, a member, a map of tiles.
    ///
    /// # Errors
    /// If it could not be read at all.
    pub fn of_item(item: &Item<'_>, options: &AtlasOptions<'_>) -> Result<Self> {
        let nothing = || Error::invalid("file", "could not be read").in_file(item.path);
        let hull = item.nav().map_or(Ok(None), |nav| hull_group(nav, options.open.hull));
        let hull = hull.map_err(|error| error.in_file(item.location()))?;
        let build = BuildOptions::default().with_group(hull);
        let index = item.index(&build).ok_or_else(nothing)?;
        let flat = if options.flat { item.flat_graph().map(|flat| flat.value) } else { None };
        Ok(Self {
            path: item.location(),
            index: index.value,
            title: item.title.clone(),
            subtitle: item.subtitle(),
            flat,
            spaces: Vec::new(),
            chosen: None,
            hull,
            has_hulls: item.nav().is_some_and(|nav| !nav.hulls().is_empty()),
            unstored: item.nav().and_then(NavFile::unstored),
            maps: Vec::new(),
            error: index.error.map(|error| error.in_file(item.location())),
            space_of: Vec::new(),
        })
    }

    /// A load order that is open. The path names it.
    ///
    /// # Errors
    /// If there is no such space.
    pub fn of_plugins(plugins: &Plugins, path: &Path, options: &AtlasOptions<'_>) -> Result<Self> {
        let mut atlas = Self::of_order(&plugins.order(), path, options)?;
        atlas.error = atlas.error.or_else(|| plugins.intact().err());
        Ok(atlas)
    }

    fn of_order(order: &LoadOrder<'_>, path: &Path, options: &AtlasOptions<'_>) -> Result<Self> {
        let graph = OrderGraph::new(order);
        let spaces = spaces(&graph);
        let choice = |wanted| Space::choose(spaces.iter().map(|(space, _)| space), wanted);
        let chosen = options.space.map(choice).transpose().map_err(|error| error.in_file(path))?;
        let groups = spaces.iter().flat_map(|(_, groups)| groups).max();
        let mut space_of = vec![u32::MAX; groups.map_or(0, |last| *last as usize + 1)];
        for ((_, groups), number) in spaces.iter().zip(0u32..) {
            groups.iter().for_each(|group| space_of[*group as usize] = number);
        }
        let index = match chosen.filter(|_| options.only_points).and_then(|chosen| spaces.get(chosen)) {
            Some((_, groups)) => NavIndex::build_in(&graph, groups),
            None => NavIndex::build(&graph),
        };
        let flat = options.flat.then(|| FlatGraph::of(&graph).value);
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
            chosen,
            hull: None,
            has_hulls: false,
            unstored: None,
            maps: Vec::new(),
            error: index.error.map(|error| error.in_file(path)),
            space_of,
        })
    }

    /// Whether coordinates alone do not say where a point is.
    pub fn is_divided(&self) -> bool {
        self.spaces.len() > 1
    }

    /// The space of an area, by its number.
    pub fn space_of(&self, area: Area) -> Option<usize> {
        let group = self.index.group(area)?;
        self.space_of.get(group as usize).filter(|space| **space != u32::MAX).map(|space| *space as usize)
    }

    /// The name of a space.
    pub fn space_name(&self, space: usize) -> Option<String> {
        self.spaces.get(space).map(|(space, _)| space.to_string())
    }

    /// Whether an area lies in a space, and in the hull that is asked about.
    pub fn keeps(&self, area: Area, space: Option<usize>) -> bool {
        let in_hull = self.hull.is_none_or(|hull| self.index.group(area) == Some(hull));
        in_hull && (space.is_none() || self.space_of(area) == space)
    }

    /// What a person means by a text, and in which space: where there are spaces, it may end in `@SPACE`, and is else in the one
    /// that was chosen.
    ///
    /// # Errors
    /// If it is no spot, or there is no such space.
    pub fn spot(&self, text: &str) -> Result<(Spot, Option<usize>)> {
        let divided = text.rsplit_once('@').filter(|_| !self.spaces.is_empty());
        let (spot, space) = match divided {
            Some((spot, space)) => {
                let spaces = self.spaces.iter().map(|(space, _)| space);
                (spot, Some(Space::choose(spaces, space).map_err(|error| error.in_file(&self.path))?))
            }
            None => (text, self.chosen),
        };
        let spot = spot.parse().map_err(|lost: navmap_query::Lost| {
            Error::invalid("spot", lost.to_string()).in_file(&self.path)
        })?;
        Ok((spot, space))
    }

    /// Takes the graph for a picture of one space and one hull, with the node of the file that each of its nodes is.
    pub fn take_graph(&mut self, space: Option<usize>) -> Option<(FlatGraph, Vec<u32>)> {
        let mut flat = self.flat.take()?;
        let kept = |node: u32| self.index.of_node(node).is_some_and(|area| self.keeps(area, space));
        let nodes: Vec<u32> = (0..flat.nodes().len() as u32).filter(|node| kept(*node)).collect();
        if nodes.len() < flat.nodes().len() {
            let mut node = 0;
            flat.retain(|_| {
                node += 1;
                kept(node - 1)
            });
        }
        Some((flat, nodes))
    }
}
