//! Makes of a mesh what the page shows.

use crate::graphs::{self, Named};
use navmap::bytes::Scratch;
use navmap::draw::{Caption, DrawOptions as Look, Picture};
use navmap::error::{Error, Result};
use navmap::format::HullName;
use navmap::graph::{FlatGraph, NavGraph};
use navmap::open::{self, Item, OpenOptions, Place};
use navmap::{Finding, NavFile, Space};
use navmap_view::{Scene, Words};
use std::path::{Path, PathBuf};

/// One mesh, and which part of it.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// A file, `archive!member`, or a folder or archive of tiles.
    pub(super) path: PathBuf,
    pub(super) space: Option<String>,
    pub(super) hull: Option<HullName>,
}

/// A mesh as the page shows it.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) scene: Scene,
    /// For browsers without WebGL 2.
    pub(super) svg: Vec<u8>,
    /// Where it could not be read on.
    pub(super) error: Option<Error>,
}

impl Shown {
    /// Reads a mesh.
    ///
    /// # Errors
    /// If nothing of it can be read, or if there are several meshes.
    pub(super) fn load(wanted: &Wanted, options: &OpenOptions) -> Result<Self> {
        let space = wanted.space.as_deref();
        match Place::at(&wanted.path, options)? {
            Place::Mesh(mesh) => {
                let mut items = mesh.items();
                match space {
                    Some(space) => open::choose(&mut items, space)?,
                    None => only(&items, &wanted.path)?,
                }
                let item = items.pop().ok_or_else(|| Place::nothing(&wanted.path))?;
                let shown = Self::of_item(item, Vec::new(), wanted)?;
                mesh.intact()?;
                Ok(shown)
            }
            Place::Tiles(tiles) => {
                let item = graphs::map_of(&tiles, space)?;
                let findings = tiles.findings().cloned().collect();
                let mut shown = Self::of_item(item, findings, wanted)?;
                shown.error = shown.error.or_else(|| tiles.intact().err());
                Ok(shown)
            }
            _ => {
                let why = "holds many meshes: one of them is shown in a file, all of them without --html";
                Err(Error::invalid("path", why).in_file(&wanted.path))
            }
        }
    }

    fn of_item(item: Item<'_>, mut findings: Vec<Finding>, wanted: &Wanted) -> Result<Self> {
        if let Some(nav) = item.nav() {
            let of_space = |finding: &Finding| match (&item.space, &finding.space) {
                (Some(own), Some(other)) => **other == *own,
                _ => true,
            };
            let mut keep = |finding: Finding| {
                if of_space(&finding) {
                    findings.push(finding);
                }
            };
            // What ends the reading is told by the graph.
            let _ = nav.check(&mut Scratch::new(), &mut keep);
            findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        }
        let Named { title, subtitle, mut graph, has_hulls, error } =
            graphs::load(item).map_err(|(_, error)| error)?;
        // The links of a graph that has hulls are those of the requested one already.
        if !has_hulls {
            keep_hull(&mut graph, wanted)?;
        }
        let words = error.as_ref().map(|error| error.without_file().to_string());
        let caption = Caption {
            title: title.clone(),
            subtitle: subtitle.clone(),
            error: words.clone(),
            ..Caption::default()
        };
        let mut svg = Vec::new();
        Picture::new(&graph, &caption, &Look::default()).write_svg(&mut svg)?;
        let scene = Scene::new(&graph, &Words { title, subtitle, error: words, findings });
        Ok(Self { scene, svg, error })
    }
}

/// Refuses to choose one of several spaces.
fn only(items: &[Item<'_>], path: &Path) -> Result<()> {
    if items.len() < 2 {
        return Ok(());
    }
    let spaces: Vec<&Space> = items.iter().filter_map(|item| item.space.as_ref()).collect();
    let list = open::names(spaces);
    let why = format!("has several, --space says which: {list}");
    Err(Error::invalid("space", why).in_file(path))
}

/// Keeps the hull that is shown: the same floor is there for each.
fn keep_hull(graph: &mut FlatGraph, wanted: &Wanted) -> Result<()> {
    if graph.group_word() != Some("hull") {
        return match wanted.hull {
            None => Ok(()),
            Some(hull) => Err(Error::invalid("--hull", open::no_hulls(hull)).in_file(&wanted.path)),
        };
    }
    let hull = wanted.hull.map_or(Some(0), |hull| hull.number());
    let had = !graph.nodes().is_empty();
    graph.retain(|node| node.group.is_some() && node.group == hull);
    if had && graph.nodes().is_empty() {
        return Err(Error::invalid(
            "--hull",
            format!(
                "there is no hull {}",
                wanted.hull.map_or_else(|| "0".to_owned(), |hull| hull.to_string())
            ),
        )
        .in_file(&wanted.path));
    }
    Ok(())
}
