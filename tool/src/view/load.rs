//! Makes of a mesh what the page shows.

use super::merging::{self, Sides};
use super::of::{Of, name};
use super::orders::Part;
use super::saved::Saved;
use super::stamp::Stamp;
use crate::graphs::{self, Named};
use navmap::bytes::Backing;
use navmap::diff::{Diff, on_one_map};
use navmap::draw::{Caption, Classes, ColourBy, DrawOptions as Look, Picture};
use navmap::edit::{Opening, SessionOptions};
use navmap::error::{Error, Result};
use navmap::format::{GraphTask, HullName};
use navmap::graph::{FlatGraph, NavGraph, Sight, TacticsVisitor};
use navmap::open::{self, Bytes, Item, Mesh, OpenOptions, Place, Renamed, edit_with};
use navmap::query::{BuildOptions, NavIndex};
use navmap::{Finding, Severity};
use navmap_view::{Scene, Unlisted, Words};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// One mesh, and which part of it.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// A file, `archive!member`, or a folder or archive of tiles.
    pub(super) path: PathBuf,
    /// What is shown of it.
    pub(super) of: Of,
    pub(super) space: Option<String>,
    pub(super) hull: Option<HullName>,
}

/// A mesh as the page shows it.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) scene: Scene,
    /// Counts the changes to the mesh that are in it.
    pub(super) revision: u64,
    /// The file as it was read.
    pub(super) stamp: Stamp,
    pub(super) graph: FlatGraph,
    /// The file, which has the records of the nodes. `None` for a map of tiles and for what changed between two meshes.
    pub(super) mesh: Option<Mesh>,
    caption: Caption,
    index: OnceLock<NavIndex>,
    /// The index that knows who sees whom, if the file does.
    sight: OnceLock<Option<NavIndex>>,
    /// What its nodes are called while it is being changed, if not as in the file that would be written.
    pub(super) names: Option<Renamed>,
    /// Where it could not be read on.
    pub(super) error: Option<Error>,
}

/// A mesh that is being changed.
pub(super) struct Now {
    pub(super) bytes: Arc<Vec<u8>>,
    /// The names of all that can be named in a script, in mesh order.
    pub(super) all: Vec<String>,
    /// Counts the changes.
    pub(super) revision: u64,
}

impl Shown {
    /// Reads a mesh.
    ///
    /// # Errors
    /// If nothing of it can be read, or if there are several meshes.
    pub(super) fn load(wanted: &Wanted, options: &OpenOptions) -> Result<Self> {
        match &wanted.of {
            Of::Order(order) => {
                let part = order.part(wanted.space.as_deref());
                return part.map(Self::of_order).map_err(|error| error.in_file(&wanted.path));
            }
            Of::Merge([ours, theirs]) => {
                let sides = merging::sides([&wanted.path, ours, theirs], options)?;
                return Ok(Self::of_merge(sides, name(ours)));
            }
            Of::Script(script) => return Self::of_script(wanted, script, options),
            Of::Saved(saved) => return Self::of_saved(saved, wanted.hull, options),
            Of::Mesh => {}
        }
        // A file that changes meanwhile is read again.
        let stamp = Stamp::of(&wanted.path);
        match Place::at(&wanted.path, options)? {
            Place::Mesh(mesh) => {
                let shown = Self::of_mesh(&mesh, wanted)?;
                mesh.intact()?;
                Ok(Self { stamp, ..shown })
            }
            Place::Tiles(tiles) => {
                let item = graphs::map_of(&tiles, wanted.space.as_deref())?;
                let findings = tiles.findings().cloned().collect();
                let mut shown = Self { stamp, ..Self::of_item(item, findings, wanted)? };
                shown.error = shown.error.or_else(|| tiles.intact().err());
                Ok(shown)
            }
            _ => Err(several(&wanted.path)),
        }
    }

    /// Makes it of a mesh that is being changed, after what was shown of it before, if that is known.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub(super) fn edited(
        now: &Now,
        wanted: &Wanted,
        options: &OpenOptions,
        before: Option<&Self>,
    ) -> Result<Self> {
        let bytes = Bytes::from_backing(&wanted.path, Backing::owned(now.bytes.to_vec()));
        let mesh = Mesh::parse(bytes, options)?;
        let item = item_of(&mesh, wanted)?;
        let (mut findings, mut unlisted) = found(&item);
        let mut named = named(item, wanted)?;
        let names = Renamed::of(mesh.nav(), mesh.bytes(), &named.graph, &now.all)?;
        if let Some(names) = &names {
            names.name(&mut named.graph);
            findings.iter_mut().for_each(|finding| names.find(finding));
            let worst = std::mem::take(&mut unlisted.worst).into_iter();
            unlisted.worst = worst.map(|((record, id), worst)| ((record, names.own(id)), worst)).collect();
        }
        let shown = Self::of_named(named, (findings, unlisted), before);
        Ok(Self { revision: now.revision, names, mesh: Some(mesh), ..shown })
    }

    fn of_mesh(mesh: &Mesh, wanted: &Wanted) -> Result<Self> {
        let shown = Self::of_item(item_of(mesh, wanted)?, Vec::new(), wanted)?;
        Ok(Self { mesh: Some(mesh.clone()), ..shown })
    }

    fn of_order(part: Part) -> Self {
        let Part { title, subtitle, graph, plugins, findings } = part;
        let colour = Some((plugins.title.clone(), ColourBy::Classes(plugins)));
        Self::of_graph(graph, Words { title, subtitle, findings, colour, ..Words::default() })
    }

    /// What each side of a merge changed.
    fn of_merge(sides: Sides, title: String) -> Self {
        let Sides { graph, subtitle, merging, findings } = sides;
        let (colour, merging) = (Some(by_group(&graph)), Some(merging));
        Self::of_graph(graph, Words { title, subtitle, findings, colour, merging, ..Words::default() })
    }

    /// What a script changes in a mesh. Lines of it that do not fit are findings.
    ///
    /// # Errors
    /// If the mesh or the script cannot be read, or the mesh cannot be edited.
    fn of_script(wanted: &Wanted, script: &Path, options: &OpenOptions) -> Result<Self> {
        let plain = Wanted { of: Of::Mesh, ..wanted.clone() };
        let before = Self::load(&plain, options)?;
        let Some(mesh) = &before.mesh else {
            return Err(
                Error::invalid("--script", "is for one mesh, not for a map of tiles").in_file(&wanted.path)
            );
        };
        let text = options.backing(script)?;
        let text =
            std::str::from_utf8(&text).map_err(|_| Error::invalid("script", "is no text").in_file(script))?;
        let mut edited = edit_with(mesh, SessionOptions::default(), &Opening::default(), options)?;
        let mut findings = Vec::new();
        edited.session.script(text, &mut |fared| {
            if let Err(refusal) = fared {
                findings.push(Finding::new(Severity::Warning, "refused", refusal.to_string()));
            }
            ControlFlow::Continue(())
        });
        let all = edited.session.items("all").unwrap_or_default();
        let now = Now { bytes: Arc::new(edited.session.encode()?), all, revision: 0 };
        let after = Self::edited(&now, &plain, options, Some(&before))?;
        Ok(Self::change(&before, &after, format!("what {} changes", name(script)), findings))
    }

    /// What a saved row says has changed.
    fn of_saved(saved: &Saved, hull: Option<HullName>, options: &OpenOptions) -> Result<Self> {
        let load = |path: &PathBuf| {
            let wanted = Wanted { path: path.clone(), of: Of::Mesh, space: saved.space(), hull };
            Self::load(&wanted, options)
        };
        let before = load(&saved.before)?;
        let after = saved.after.as_ref().map(load).transpose()?;
        let now = after.as_ref().unwrap_or(&before);
        let (graph, findings) = saved.on(&before.graph, &now.graph);
        let (title, said) = saved.words();
        let subtitle = format!("{}, {said}", now.caption.subtitle);
        let colour = Some(by_group(&graph));
        Ok(Self::of_graph(graph, Words { title, subtitle, findings, colour, ..Words::default() }))
    }

    /// What changed from one mesh to another, on one map: the nodes of the later one, and those that it has no more or elsewhere.
    pub(super) fn change(before: &Self, after: &Self, said: String, findings: Vec<Finding>) -> Self {
        let mut diff = Diff::between(&before.graph, &after.graph);
        diff.ignore_noise(&before.graph, &after.graph);
        let graph = on_one_map(&diff, &before.graph, after.graph.clone());
        let words = Words {
            title: after.caption.title.clone(),
            subtitle: format!("{}, {said}", after.caption.subtitle),
            colour: Some(by_group(&graph)),
            findings,
            ..Words::default()
        };
        Self { revision: after.revision, stamp: after.stamp.clone(), ..Self::of_graph(graph, words) }
    }

    /// Tells this state of the mesh from all others: its revision, or before the first change the file.
    pub(super) fn edition(&self) -> u64 {
        if self.revision > 0 { self.revision } else { self.stamp.number() }
    }

    /// The map that it shows.
    pub(super) fn title(&self) -> &str {
        &self.caption.title
    }

    /// The index for questions.
    pub(super) fn index(&self) -> &NavIndex {
        self.index.get_or_init(|| NavIndex::build(&self.graph).value)
    }

    /// The index with what the file knows of sight. `None` if the mesh is no whole file. Its nodes are those of the graph.
    pub(super) fn sight(&self) -> Option<&NavIndex> {
        let build = || {
            let mesh = self.mesh.as_ref().filter(|mesh| mesh.nav().with_graph(Sights(false)))?;
            let items = mesh.items();
            let [item] = &items[..] else { return None };
            let index = item.index(&BuildOptions::default().tactics(true))?.value;
            let knows = index.tactics().is_some_and(|tactics| tactics.knows_sight());
            // The nodes of one hull are not numbered as those of the file.
            (knows && self.graph.group_word() != Some("hull")).then_some(index)
        };
        self.sight.get_or_init(build).as_ref()
    }

    /// The picture for browsers without WebGL 2. It is asked for once, and may be larger than the mesh, so it is not kept.
    pub(super) fn picture(&self) -> Picture<'_> {
        picture(&self.graph, &self.caption)
    }

    /// What a file of it is made of: the page and its picture, and where the mesh could not be read on.
    pub(super) fn into_parts(self) -> (Scene, FlatGraph, Caption, Option<Error>) {
        (self.scene, self.graph, self.caption, self.error)
    }

    fn of_item(item: Item<'_>, mut findings: Vec<Finding>, wanted: &Wanted) -> Result<Self> {
        let (more, unlisted) = found(&item);
        findings.extend(more);
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Ok(Self::of_named(named(item, wanted)?, (findings, unlisted), None))
    }

    fn of_named(named: Named, (findings, unlisted): (Vec<Finding>, Unlisted), before: Option<&Self>) -> Self {
        let Named { title, subtitle, graph, error, .. } = named;
        let words = Words {
            title,
            subtitle,
            error: error.as_ref().map(|error| error.without_file().to_string()),
            findings,
            unlisted,
            ..Words::default()
        };
        let scene = match before {
            Some(before) => Scene::following(&graph, &words, (&before.graph, &before.scene)),
            None => Scene::new(&graph, &words),
        };
        Self { error, ..Self::of_scene(scene, graph, words) }
    }

    fn of_graph(graph: FlatGraph, words: Words) -> Self {
        Self::of_scene(Scene::new(&graph, &words), graph, words)
    }

    fn of_scene(scene: Scene, graph: FlatGraph, words: Words) -> Self {
        let Words { title, subtitle, error, .. } = words;
        Self {
            scene,
            revision: 0,
            stamp: Stamp::default(),
            graph,
            mesh: None,
            caption: Caption { title, subtitle, error, ..Caption::default() },
            index: OnceLock::new(),
            sight: OnceLock::new(),
            names: None,
            error: None,
        }
    }
}

/// Whether a file tells who sees whom: an index for that alone takes what any other does.
struct Sights(bool);

impl TacticsVisitor for Sights {
    fn sight(&mut self, _: u32, _: u32, _: Sight) {
        self.0 = true;
    }
    fn inherits(&mut self, _: u32, _: u32) {
        self.0 = true;
    }
}

impl GraphTask for Sights {
    type Out = bool;
    fn run(mut self, graph: &impl NavGraph) -> bool {
        // Of a damaged file what comes before the damage counts.
        let _ = graph.visit_tactics(&mut self);
        self.0
    }
}

/// The picture of a mesh.
pub(super) fn picture<'g>(graph: &'g FlatGraph, caption: &Caption) -> Picture<'g> {
    Picture::new(graph, caption, &Look::default())
}

/// The graph of a mesh alone, as far as it can be read.
///
/// # Errors
/// Those of [`Shown::load`].
pub(super) fn graph(wanted: &Wanted, options: &OpenOptions) -> Result<FlatGraph> {
    match &wanted.of {
        Of::Mesh => {}
        Of::Order(order) => return Ok(order.part(wanted.space.as_deref())?.graph),
        Of::Merge(_) | Of::Script(_) | Of::Saved(_) => return Ok(Shown::load(wanted, options)?.graph),
    }
    match Place::at(&wanted.path, options)? {
        Place::Mesh(mesh) => {
            let graph = named(item_of(&mesh, wanted)?, wanted)?.graph;
            mesh.intact()?;
            Ok(graph)
        }
        Place::Tiles(tiles) => Ok(named(graphs::map_of(&tiles, wanted.space.as_deref())?, wanted)?.graph),
        _ => Err(several(&wanted.path)),
    }
}

/// What changed in each node, as a meaning of colours.
fn by_group(graph: &FlatGraph) -> (String, ColourBy) {
    let classes = Classes::of_groups(graph);
    (classes.title.clone(), ColourBy::Classes(classes))
}

/// The part of a file that is wanted.
fn item_of<'m>(mesh: &'m Mesh, wanted: &Wanted) -> Result<Item<'m>> {
    let mut items = mesh.items();
    match wanted.space.as_deref() {
        Some(space) => open::choose(&mut items, space)?,
        None => graphs::only(&items, &wanted.path)?,
    }
    items.pop().ok_or_else(|| Place::nothing(&wanted.path))
}

/// What a check finds in a part of a file.
fn found(item: &Item<'_>) -> (Vec<Finding>, Unlisted) {
    item.nav().map_or_else(Default::default, |nav| Words::found(nav, item.space.as_ref()))
}

/// Its graph and names.
fn named(item: Item<'_>, wanted: &Wanted) -> Result<Named> {
    let mut named = graphs::load(item).map_err(|(_, error)| error)?;
    // The links of a graph that has hulls are those of the requested one already.
    if !named.has_hulls {
        graphs::keep_hull(&mut named.graph, wanted.hull, &wanted.path)?;
    }
    Ok(named)
}

fn several(path: &Path) -> Error {
    let why = "holds many meshes: one of them is shown in a file, all of them without --html";
    Error::invalid("path", why).in_file(path)
}
