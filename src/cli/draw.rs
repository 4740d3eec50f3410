//! `navmap draw`: a mesh from above, or a sheet of many.

#![forbid(unsafe_code)]

use super::graphs::{self, Item, Listing, Loaded, Place};
use super::{Exit, Failure, args, plan, progress};
use crate::bytes::Saver;
use crate::draw::{Caption, ColourBy, Layers, Options, Picture, Sheet, Theme, Thumbnail};
use crate::error::{Error, Result};
use crate::format::has_extension;
use crate::graph::FlatGraph;
use crate::text::printable;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn run(typed: &args::Draw) -> Result<Exit, Failure> {
    let format = Format::of(&typed.output)?;
    let mut options = Options { width: typed.size.width, height: typed.size.height, ..Options::default() };
    options.fit = typed.fit;
    options.theme = if typed.dark { Theme::Dark } else { Theme::Light };
    options.floor = typed.floor.map(|range| [range.low, range.high]);
    options.area = typed.area.map(|area| area.0);
    match graphs::place(&typed.path, &typed.open)? {
        Place::One(items) => {
            let items = graphs::pick(items, typed.space.as_deref())?;
            some(typed, &options, format, items)
        }
        Place::Tiles(set) => {
            let map = graphs::map_of(&set, typed.space.as_deref(), &typed.path)?;
            let exit = super::left_out(set.failures());
            Ok(one(typed, &options, format, map)?.max(exit))
        }
        Place::Files(Listing { files, unread }) => {
            let exit = super::left_out(&unread);
            let line = progress::line(Some(files.len()), "files");
            let make = |loaded| thumbnail(typed, &options, loaded);
            let made = graphs::of_files(&files, &typed.open, &line, &make);
            drop(line);
            Ok(sheet(typed, &options, format, made)?.max(exit))
        }
        Place::Members(path) => {
            let line = progress::line(None, "meshes");
            let make = |loaded: Loaded| {
                line.inc(1);
                thumbnail(typed, &options, loaded)
            };
            let made = graphs::of_members(&path, &plan::options(&typed.open), &make)?;
            drop(line);
            sheet(typed, &options, format, made)
        }
    }
}

/// Parses `spots`, `ladders`.
pub(super) fn layer(name: &str) -> Result<Layers, String> {
    Layers::named(name).ok_or_else(|| {
        let names: Vec<&str> = Layers::NAMED.iter().map(|(name, _)| *name).collect();
        format!("none of {}, all, none", names.join(", "))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn of(path: &Path) -> Result<Self> {
        match path {
            _ if has_extension(path, &["svg"]) => Ok(Self::Svg),
            _ if has_extension(path, &["png"]) => Ok(Self::Png),
            _ => Err(Error::invalid("output", "has to end in .svg or .png").in_file(path)),
        }
    }
}

fn some(
    typed: &args::Draw,
    options: &Options,
    format: Format,
    mut items: Vec<Item>,
) -> Result<Exit, Failure> {
    if items.len() == 1
        && let Some(item) = items.pop()
    {
        return one(typed, options, format, item);
    }
    // The spaces of a plugin: their own names tell more than the file's, which is the same for all.
    let made = items.into_iter().map(|item| {
        let (title, space) = (item.title, item.subtitle);
        let (subtitle, title) = match space.rsplit_once(", ") {
            Some((rest, space)) => (format!("{title}, {rest}"), space.to_owned()),
            None => (space, title),
        };
        thumbnail(typed, options, Ok(Item { title, subtitle, ..item }))
    });
    sheet(typed, options, format, made.collect())
}

fn one(typed: &args::Draw, options: &Options, format: Format, item: Item) -> Result<Exit, Failure> {
    let Item { title, subtitle, mut graph, error } = item;
    let hulls = hull(typed, &mut graph);
    if graph.nodes().is_empty() && hulls > 0 {
        let why = format!("there is none of number {}, the mesh has {hulls}", typed.hull);
        return Err(Error::invalid("--hull", why).in_file(&typed.path).into());
    }
    let options = dress(typed, options, colour(typed, &graph)?, &graph);
    let caption =
        Caption { title, subtitle, error: error.as_ref().map(|error| error.without_file().to_string()) };
    let picture = Picture::new(&graph, &caption, &options);
    save(&typed.output, |out| match format {
        Format::Svg => picture.write_svg(out),
        Format::Png => picture.write_png(out),
    })?;
    match error {
        None => Ok(Exit::Clean),
        Some(error) => Ok(super::unreadable(error, &typed.path)),
    }
}

/// One map of a sheet.
struct Made {
    thumbnail: Thumbnail,
    /// What was wrong with its file.
    error: Option<Error>,
    /// Whether it is coloured as was asked, if it could be read.
    coloured: Option<Result<()>>,
}

fn thumbnail(typed: &args::Draw, options: &Options, loaded: Loaded) -> Made {
    match loaded {
        Ok(Item { title, subtitle, mut graph, error }) => {
            hull(typed, &mut graph);
            // A flag that this mesh does not know may be one of the next.
            let (colour, coloured) = match colour(typed, &graph) {
                Ok(colour) => (colour, Ok(())),
                Err(error) => (None, Err(error)),
            };
            let options = dress(typed, options, colour, &graph);
            let words = error.as_ref().map(|error| error.without_file().to_string());
            let caption = Caption { title, subtitle, error: words };
            let thumbnail = Thumbnail::new(&graph, &caption, typed.thumbnail, &options);
            Made { thumbnail, error, coloured: Some(coloured) }
        }
        Err((title, error)) => {
            let words = Some(error.without_file().to_string());
            let caption = Caption { title, error: words, ..Caption::default() };
            let thumbnail = Thumbnail::failed(&caption, typed.thumbnail, options);
            Made { thumbnail, error: Some(error), coloured: None }
        }
    }
}

fn sheet(typed: &args::Draw, options: &Options, format: Format, made: Vec<Made>) -> Result<Exit, Failure> {
    if made.is_empty() {
        return Err(graphs::nothing(&typed.path).into());
    }
    let maps = made.len();
    let (mut thumbnails, mut errors, mut coloured) = (Vec::with_capacity(maps), Vec::new(), None);
    for one in made {
        thumbnails.push(one.thumbnail);
        errors.extend(one.error);
        // One map that knows what was asked for is enough.
        coloured = match (coloured, one.coloured) {
            (Some(Ok(())), _) | (_, Some(Ok(()))) => Some(Ok(())),
            (before, one) => before.or(one),
        };
    }
    coloured.unwrap_or(Ok(()))?;
    let name = printable(typed.path.file_name().unwrap_or(typed.path.as_os_str()).as_encoded_bytes());
    let title = format!("{name}: {maps} map{}", if maps == 1 { "" } else { "s" });
    let columns = typed.columns.map_or_else(|| (maps as f64 * 1.3).sqrt().ceil() as usize, usize::from);
    let sheet = Sheet::new(title, columns, options, thumbnails);
    save(&typed.output, |out| match format {
        Format::Svg => sheet.write_svg(out),
        Format::Png => sheet.write_png(out),
    })?;
    Ok(super::left_out(&errors))
}

/// Of the hulls of a Source 2 mesh one: the same floor is there for each. Returns how many there were.
fn hull(typed: &args::Draw, graph: &mut FlatGraph) -> u32 {
    use crate::graph::NavGraph;
    if graph.group_word() != Some("hull") {
        return 0;
    }
    let last = graph.nodes().iter().filter_map(|node| node.group).max();
    graph.retain(|node| node.group == Some(typed.hull.into()));
    last.map_or(0, |last| last.saturating_add(1))
}

/// What colours were asked to mean.
fn colour(typed: &args::Draw, graph: &FlatGraph) -> Result<Option<ColourBy>> {
    let Some(name) = &typed.color else { return Ok(None) };
    let why =
        || format!("{name} is neither height, place, island, flag, group, plain nor a flag of this mesh");
    ColourBy::named(name, graph).map(Some).ok_or_else(|| Error::invalid("--color", why()))
}

/// Options that depend on what the mesh has.
fn dress(typed: &args::Draw, options: &Options, colour: Option<ColourBy>, graph: &FlatGraph) -> Options {
    let mut options = Options { colour, ..options.clone() };
    if !typed.layer.is_empty() {
        let usual = Layers::usual(graph, colour.unwrap_or_default());
        let add = |layers: Layers, next: &Layers| match *next {
            Layers::NONE => Layers::NONE,
            next => layers.with(next),
        };
        options.layers = Some(typed.layer.iter().fold(usual, add));
    }
    options
}

/// Writes the output wholly or not at all.
fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut saver = Saver::create(path)?;
    write(&mut saver).map_err(|error| Error::from(error).in_file(path))?;
    saver.commit()
}
