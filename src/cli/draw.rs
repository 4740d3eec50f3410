//! `navmap draw`: a mesh from above, or a sheet of many.

#![forbid(unsafe_code)]

use super::graphs::{self, Loaded, Named};
use super::out::say;
use super::save::{save, vacant};
use super::values::Image;
use super::{Exit, Failure, args, out, plan, progress};
use crate::draw::{Caption, ColourBy, Layers, Options, Picture, Sheet, Theme, Thumbnail};
use crate::error::{Error, Result};
use crate::format::has_extension;
use crate::graph::FlatGraph;
use crate::open::{self, Place};
use crate::text::{Grouped, printable};
use std::ops::ControlFlow;

pub(super) fn run(typed: &args::Draw) -> Result<Exit, Failure> {
    let format = image(typed)?;
    vacant(&typed.output, typed.force)?;
    let mut options = Options { width: typed.size.width, height: typed.size.height, ..Options::default() };
    options.fit = typed.fit;
    options.theme = if typed.dark { Theme::Dark } else { Theme::Light };
    options.floor = typed.floor.map(|range| [range.low, range.high]);
    options.area = typed.area.map(|area| area.0);
    let opening = plan::options(&typed.open);
    match Place::at(&typed.path, &opening)? {
        Place::Mesh(mesh) => {
            let mut items = mesh.items();
            typed.space.as_deref().map_or(Ok(()), |wanted| open::choose(&mut items, wanted))?;
            if items.len() > 1 {
                let made: Vec<Made> = items
                    .into_iter()
                    .map(|item| thumbnail(typed, &options, graphs::of_space(item)))
                    .collect();
                mesh.intact()?;
                return sheet(typed, &options, format, made);
            }
            let item = items.pop().ok_or_else(|| Place::nothing(&typed.path))?;
            let named = graphs::of(item).map_err(|(_, error)| error)?;
            mesh.intact()?;
            one(typed, &options, format, named)
        }
        Place::Tiles(tiles) => {
            let map = graphs::of_tiles(&tiles, typed.space.as_deref())?;
            let exit = super::left_out(tiles.set().failures());
            Ok(one(typed, &options, format, map)?.max(exit))
        }
        Place::Folder(listing) => {
            let exit = super::left_out(&listing.unread);
            let line = progress::line(Some(listing.files.len()), "files");
            let made =
                listing.map(&opening, &|| line.inc(1), &|item| thumbnail(typed, &options, graphs::of(item)));
            drop(line);
            Ok(sheet(typed, &options, format, made)?.max(exit))
        }
        archive @ Place::Archive(_) => {
            let line = progress::line(None, "meshes");
            let mut made = Vec::new();
            archive.visit(&opening, &mut |item| {
                line.inc(1);
                made.push(thumbnail(typed, &options, graphs::of(item)));
                ControlFlow::Continue(())
            })?;
            drop(line);
            sheet(typed, &options, format, made)
        }
    }
}

/// What is written: as was said, or as the name of the output ends.
fn image(typed: &args::Draw) -> Result<Image> {
    let output = &typed.output;
    let named = match output {
        path if has_extension(path, &["svg"]) || out::is_stdout(path) => Some(Image::Svg),
        path if has_extension(path, &["png"]) => Some(Image::Png),
        _ => None,
    };
    let neither = || Error::invalid("output", "has to end in .svg or .png").in_file(output);
    typed.format.or(named).ok_or_else(neither)
}

fn one(typed: &args::Draw, options: &Options, format: Image, named: Named) -> Result<Exit, Failure> {
    let Named { title, subtitle, mut graph, error } = named;
    let hulls = hull(typed, &mut graph);
    let refused = |what, why: String| Error::invalid(what, why).in_file(&typed.path);
    if graph.nodes().is_empty() && hulls > 0 {
        let why = format!("there is none of number {}, the mesh has {hulls}", typed.hull.unwrap_or_default());
        return Err(refused("--hull", why).into());
    }
    if hulls == 0 && typed.hull.is_some() && !graph.nodes().is_empty() {
        return Err(
            refused("--hull", "only meshes of Source 2 have hulls, this one has none".to_owned()).into()
        );
    }
    on_floor(options.floor, &graph).map_err(|why| refused("--floor", why))?;
    let options = dress(typed, options, colour(typed, &graph)?, &graph);
    let caption =
        Caption { title, subtitle, error: error.as_ref().map(|error| error.without_file().to_string()) };
    let picture = Picture::new(&graph, &caption, &options);
    warn_of_size(picture.size());
    save(&typed.output, typed.force, |out| match format {
        Image::Svg => picture.write_svg(out),
        Image::Png => picture.write_png(out),
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
        Ok(Named { title, subtitle, mut graph, error }) => {
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

fn sheet(typed: &args::Draw, options: &Options, format: Image, made: Vec<Made>) -> Result<Exit, Failure> {
    if made.is_empty() {
        return Err(Place::nothing(&typed.path).into());
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
    warn_of_size(sheet.size());
    save(&typed.output, typed.force, |out| match format {
        Image::Svg => sheet.write_svg(out),
        Image::Png => sheet.write_png(out),
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
    let wanted = u32::from(typed.hull.unwrap_or_default());
    graph.retain(|node| node.group == Some(wanted));
    last.map_or(0, |last| last.saturating_add(1))
}

/// Whether anything lies between the heights that were asked for.
fn on_floor(floor: Option<[f32; 2]>, graph: &FlatGraph) -> Result<(), String> {
    use crate::graph::NavGraph;
    let Some([low, high]) = floor else { return Ok(()) };
    let axes = graph.axes();
    let centers = graph.nodes().iter().filter_map(|node| graph.shape(node).center());
    let mut reach: Option<[f32; 2]> = None;
    for height in centers.filter(|at| at.is_finite()).map(|at| axes.height(at)) {
        if (low..=high).contains(&height) {
            return Ok(());
        }
        let [lowest, highest] = reach.unwrap_or([height; 2]);
        reach = Some([lowest.min(height), highest.max(height)]);
    }
    reach.map_or(Ok(()), |[lowest, highest]| {
        Err(format!("nothing lies from {low} to {high}; the mesh reaches from {lowest} to {highest}"))
    })
}

/// Warns before a picture is written that few programs can show.
fn warn_of_size([width, height]: [u32; 2]) {
    const MANY: u64 = 100_000_000;
    let pixels = u64::from(width) * u64::from(height);
    if pixels >= MANY {
        let (width, height) = (Grouped(width.into()), Grouped(height.into()));
        let million = Grouped(pixels / 1_000_000);
        say(format_args!(
            "navmap: the picture is {width} x {height}, {million} million pixels: many programs cannot show it; \
             --thumbnail, --columns or --size make it smaller"
        ));
    }
}

/// What colours were asked to mean.
fn colour(typed: &args::Draw, graph: &FlatGraph) -> Result<Option<ColourBy>> {
    let Some(name) = &typed.color else { return Ok(None) };
    let refused = |why: String| Error::invalid("--color", why);
    let colour = ColourBy::named(name, graph).ok_or_else(|| {
        use crate::graph::NavGraph;
        let flags: Vec<String> = (0..64).filter_map(|bit| graph.flag(bit).map(str::to_lowercase)).collect();
        let flags = if flags.is_empty() { "it names none".to_owned() } else { flags.join(", ") };
        refused(format!(
            "{name} is neither height, place, island, flag, group, plain nor a flag of this mesh ({flags})"
        ))
    })?;
    match colour.tells(graph) || graph.nodes().is_empty() {
        true => Ok(Some(colour)),
        false => Err(refused(format!("the mesh has nothing to tell apart by {name}"))),
    }
}

/// Options that depend on what the mesh has.
fn dress(typed: &args::Draw, options: &Options, colour: Option<ColourBy>, graph: &FlatGraph) -> Options {
    let mut options = Options { colour, ..options.clone() };
    if !typed.layer.is_empty() {
        let usual = Layers::usual(graph, options.colour.as_ref().unwrap_or(&ColourBy::Height));
        let add = |layers: Layers, next: &Layers| match *next {
            Layers::NONE => Layers::NONE,
            next => layers.with(next),
        };
        options.layers = Some(typed.layer.iter().fold(usual, add));
    }
    options
}
