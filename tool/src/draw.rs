//! `navmap draw`: draws a mesh from above, or a sheet of many.

use super::args::By;
use super::ask::{Events, Wanted};
use super::fits::{self, Fits, Whole};
use super::graphs::{self, Loaded, Named};
use super::looked::Looked;
use super::out::{say, warn};
use super::save::{save, vacant};
use super::values::Image;
use super::{Exit, Failure, args, floor, out, plan, progress};
use navmap::Limits;
use navmap::diff::{Diff, on_one_map};
use navmap::draw::{
    Caption, Classes, ColourBy, DrawOptions, Grid, Groups, Heat, HeatBy, Layers, Picture, Scale, Sheet,
    Theme, Thumbnail, Trail,
};
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::graph::{Aabb, FlatGraph, NavGraph, Stats};
use navmap::open::{self, Item, Place};
use navmap::query::NavIndex;
use navmap::text::{Grouped, counted, path_text, printable};
use std::collections::HashSet;
use std::fs::Metadata;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(typed: &args::Draw) -> Result<Exit, Failure> {
    let format = image(typed)?;
    vacant(&typed.output, typed.force)?;
    let (width, height) = typed.size.map_or((WIDTH, None), |size| (size.width, size.height));
    let mut options = DrawOptions { width, height, ..DrawOptions::default() };
    options.fit = typed.fit;
    options.theme = if typed.dark { Theme::Dark } else { Theme::Light };
    options.floor = typed.floor.map(|range| [range.low, range.high]);
    options.area = typed.area.map(|area| area.0);
    let opening = plan::of_hull(&typed.open, typed.hull);
    let many = || {
        let why = "is for one mesh: name a file or archive!member, and with --space one of several spaces";
        typed.around.as_ref().map_or(Ok(()), |_| Err(Error::invalid("--around", why).in_file(&typed.path)))
    };
    match Place::at(&typed.path, &opening)? {
        Place::Mesh(mesh) => {
            let mut items = mesh.items();
            typed.space.as_deref().map_or(Ok(()), |wanted| open::choose(&mut items, wanted))?;
            let marked = marked(typed, &mesh)?;
            if let Some((show, nodes)) = &marked {
                keep_around(&mut items, show, nodes);
            }
            if items.len() > 1 {
                many()?;
                fits::heeded(typed, Whole::Maps)?;
                charge_maps(typed, format, items.len())?;
                let of_space = |item| thumbnail(typed, &options, item, graphs::of_space);
                let made: Vec<Made> = items.into_iter().map(of_space).collect();
                mesh.intact()?;
                return sheet(typed, &options, format, made);
            }
            let item = items.pop().ok_or_else(|| Place::nothing(&typed.path))?;
            // What was read for the choice is gone before the graph that is drawn is read.
            let marked = match marked {
                Some((show, nodes)) => around(typed, &show, &nodes, &mut options)?,
                None => Vec::new(),
            };
            let named = graphs::load(item).map_err(|(_, error)| error)?;
            mesh.intact()?;
            one(typed, &options, format, named, &marked)
        }
        Place::Tiles(tiles) => {
            many()?;
            let map = graphs::of_tiles(&tiles, typed.space.as_deref())?;
            let exit = super::left_out(tiles.failures());
            Ok(one(typed, &options, format, map, &[])?.max(exit))
        }
        Place::Folder(listing) => {
            many()?;
            fits::heeded(typed, Whole::Maps)?;
            let exit = super::left_out(&listing.unread);
            let line = progress::line(Some(listing.files.len()), "files");
            let of_item = |item: Item<'_>| thumbnail(typed, &options, item, graphs::load);
            let made = listing.map(&opening, &|| line.inc(1), &of_item);
            drop(line);
            Ok(sheet(typed, &options, format, made)?.max(exit))
        }
        archive => {
            many()?;
            fits::heeded(typed, Whole::Maps)?;
            let line = progress::line(None, "meshes");
            let (mut made, mut charged) = (Vec::new(), Ok(()));
            archive.visit(&opening, &mut |item| {
                line.inc(1);
                charged = charge_maps(typed, format, made.len() + 1);
                if charged.is_err() {
                    return ControlFlow::Break(());
                }
                made.push(thumbnail(typed, &options, item, graphs::load));
                ControlFlow::Continue(())
            })?;
            drop(line);
            charged?;
            sheet(typed, &options, format, made)
        }
    }
}

/// The format to write: the requested one, else that of the output's extension.
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

/// The usual width of a page, and side of a thumbnail, in pixels.
const WIDTH: u32 = 1600;
const THUMBNAIL: u32 = 320;

/// The most nodes that are named on the picture.
const MOST_NAMED: usize = 40;

/// The nodes of `--around`, in the graph of the whole file.
fn marked<'m>(typed: &args::Draw, mesh: &'m open::Mesh) -> Result<Option<(open::Show<'m>, Vec<u32>)>> {
    let Some(selector) = &typed.around else { return Ok(None) };
    let show = open::Show::of(mesh.nav()).value;
    let nodes = super::show::chosen(mesh, &show, selector)
        .map_err(|refusal| Error::invalid("--around", refusal.to_string()).in_file(&typed.path))?;
    let nodes = show.ground(&nodes);
    Ok(Some((show, nodes)))
}

/// Keeps of several spaces the one that all these nodes lie in, if there is one.
fn keep_around(items: &mut Vec<Item<'_>>, show: &open::Show<'_>, nodes: &[u32]) {
    let nodes = nodes.iter().filter_map(|node| show.graph().nodes().get(*node as usize));
    let ids: HashSet<u64> = nodes.map(|node| node.id).collect();
    let holds = |item: &Item<'_>| {
        let graph = item.flat_graph().map(|flat| flat.value);
        let own = graph.iter().flat_map(|graph| graph.nodes()).filter(|node| ids.contains(&node.id));
        own.map(|node| node.id).collect::<HashSet<u64>>().len() == ids.len()
    };
    if items.len() > 1
        && !ids.is_empty()
        && let Some(at) = items.iter().position(holds)
    {
        let item = items.swap_remove(at);
        *items = vec![item];
    }
}

/// Marks the nodes of `--around`, and shows their surroundings: as much again on every side, and at least ten metres.
fn around(
    typed: &args::Draw,
    show: &open::Show<'_>,
    nodes: &[u32],
    options: &mut DrawOptions,
) -> Result<Vec<Trail>> {
    let graph = show.graph();
    let nodes: Vec<_> = nodes.iter().filter_map(|node| graph.nodes().get(*node as usize)).collect();
    let mut bounds = Aabb::EMPTY;
    nodes.iter().flat_map(|node| graph.corners(node)).for_each(|corner| bounds.add(*corner));
    if bounds.is_empty() {
        return Err(Error::invalid("--around", "names nothing that has a place").in_file(&typed.path));
    }
    let ends = [bounds.min, bounds.max].map(|corner| fits::flat(&graph.axes(), corner));
    let extent = (ends[1][0] - ends[0][0]).max(ends[1][1] - ends[0][1]);
    let margin = extent.max(10.0 / graph.axes().metres_per_unit.max(f32::MIN_POSITIVE));
    options.area = Some([ends[0][0] - margin, ends[0][1] - margin, ends[1][0] + margin, ends[1][1] + margin]);
    let named = nodes.iter().take(MOST_NAMED);
    let ends =
        named.filter_map(|node| Some((graph.shape(node).center()?, graph.ids().name(node.id).to_string())));
    let passed = nodes.iter().map(|node| graph.corners(node).to_vec());
    let ends_are = [String::new(), "chosen".to_owned()];
    Ok(vec![Trail { passed: passed.collect(), ends: ends.collect(), ends_are, ..Trail::default() }])
}

fn one(
    typed: &args::Draw,
    options: &DrawOptions,
    format: Image,
    named: Named,
    marked: &[Trail],
) -> Result<Exit, Failure> {
    fits::heeded(typed, Whole::Mesh)?;
    let Named { title, mut subtitle, mut graph, has_hulls, error } = named;
    let mut counted = None;
    if let Some(before) = &typed.before {
        let earlier = earlier(before, typed)?;
        let mut diff = Diff::between(&earlier, &graph);
        diff.ignore_noise(&earlier, &graph);
        counted = Some(Stats::of(&graph).value);
        graph = on_one_map(&diff, &earlier, graph);
        let name = before.file_name().unwrap_or(before.as_os_str());
        subtitle.push_str(&format!(", changed since {}", printable(name.as_encoded_bytes())));
    }
    Fits::examine(typed, &mut graph, has_hulls).judge(typed, Whole::Mesh)?;
    let mut options = options.clone();
    options.counted = counted;
    options.plan = match &typed.bsp {
        Some(folder) if folder.is_dir() => {
            let none = || Error::invalid("folder", "has no map of this mesh's name").in_file(folder);
            let opening = plan::of_hull(&typed.open, typed.hull);
            Some(
                floor::beside(folder, &typed.models, &name(&typed.path), &graph, &opening)?
                    .ok_or_else(none)?,
            )
        }
        map => floor::asked(map.as_deref(), &typed.models, &graph, &typed.open)?,
    };
    let (heat, panels) = heat(typed, &graph)?.unzip();
    options.heat = heat.map(Arc::new);
    let options = &options;
    let colour = match (&typed.before, &typed.color) {
        (Some(_), None) => Some(ColourBy::Classes(Classes::of_groups(&graph))),
        _ => fits::colour(typed, &graph, ColourBy::named)?,
    };
    let options = dress(typed, options, colour, &graph);
    let error_words = error.as_ref().map(|error| error.without_file().to_string());
    let caption = Caption { title, subtitle, error: error_words, ..Caption::default() };
    match panels.flatten().zip(options.heat.as_deref()) {
        Some((names, heat)) => {
            let panels = names.names.iter().cloned().zip(heat.split(&names.of, names.names.len()));
            let page = Sheet::panels(&graph, &caption, &options, typed.columns, panels.collect());
            warn_of_size(page.size());
            save(&typed.output, typed.force, |out| match format {
                Image::Svg => page.write_svg(out),
                Image::Png => page.write_png(out),
            })?;
        }
        None => {
            fits::hint_at_box(typed, &graph);
            let picture = Picture::with_trails(&graph, &caption, &options, marked);
            warn_of_size(picture.size());
            save(&typed.output, typed.force, |out| match format {
                Image::Svg => picture.write_svg(out),
                Image::Png => picture.write_png(out),
            })?;
        }
    }
    match error {
        None => Ok(Exit::Clean),
        Some(error) => Ok(super::unreadable(error, &typed.path)),
    }
}

/// The points to show over a mesh, and their panels.
fn heat(typed: &args::Draw, graph: &FlatGraph) -> Result<Option<(Heat, Option<Groups>)>> {
    let Some(path) = &typed.points else { return Ok(None) };
    if typed.track.is_some() && typed.by != By::Track {
        return Err(Error::invalid("--track", "is for --by track"));
    }
    if typed.cell.is_some() && !matches!(typed.by, By::Cell | By::Density) {
        return Err(Error::invalid("--cell", "is for --by cell and --by density"));
    }
    let wanted = Wanted {
        value: typed.value.as_deref(),
        track: typed.track.as_deref(),
        panels: typed.panels.as_deref(),
    };
    let Events { points, values, tracks, panels, .. } = Events::read(path, wanted)?;
    if let Some(names) = panels.as_ref().map(|panels| panels.names.len()).filter(|n| *n > Sheet::MOST_PANELS)
    {
        let why =
            format!("is a column with {names} names, and a page has at most {} panels", Sheet::MOST_PANELS);
        return Err(Error::invalid("--panels", why).in_file(path));
    }
    let length = typed.cell.unwrap_or_else(|| HeatBy::usual_length(&graph.axes()));
    if !(length.is_finite() && length > 0.0) {
        return Err(Error::invalid("--cell", "is a length above 0"));
    }
    let clip = typed.clip.map(|range| [range.low, range.high]);
    if clip.is_some_and(|[low, high]| !(low < high && (low > 0.0 || !typed.log))) {
        return Err(Error::invalid("--clip", "begins below its end, and above 0 with --log"));
    }
    let by = match typed.by {
        By::Point => HeatBy::Point,
        By::Area => {
            let index = NavIndex::build(graph).value;
            let mut looked = Looked::default();
            HeatBy::Area(points.iter().map(|p| looked.node_at(&index, *p)).collect::<Result<_>>()?)
        }
        By::Cell => HeatBy::Cell(length),
        By::Density => HeatBy::Density(length),
        By::Track => HeatBy::Track(tracks.map_or_else(|| vec![0; points.len()], |tracks| tracks.of)),
    };
    let counted = match typed.by {
        By::Density => "points a square unit",
        By::Track => "point of its track",
        _ => "points",
    };
    let title = typed.value.as_deref().unwrap_or(counted);
    let scale = Scale { log: typed.log, clip };
    let title = printable(title.as_bytes());
    let heat = Heat { points, values, by, scale, title };
    fits::unseen(graph, &heat).map_err(|error| error.in_file(path))?;
    Ok(Some((heat, panels)))
}

/// The earlier mesh.
fn earlier(path: &Path, typed: &args::Draw) -> Result<FlatGraph> {
    let mesh = open::Mesh::open_with(path, &plan::of_hull(&typed.open, typed.hull))?;
    let mut items = mesh.items();
    match typed.space.as_deref() {
        Some(wanted) => open::choose(&mut items, wanted)?,
        None => graphs::only(&items, path)?,
    }
    let item = items.pop().ok_or_else(|| Place::nothing(path))?;
    let named = graphs::load(item).map_err(|(_, error)| error)?;
    mesh.intact()?;
    named.error.map_or(Ok(named.graph), Err)
}

/// One map of a sheet.
struct Made {
    thumbnail: Thumbnail,
    /// The error of its file.
    error: Option<Error>,
    /// Its match with the options, if it could be read.
    fits: Fits,
}

/// Draws one map of a sheet.
fn thumbnail(
    typed: &args::Draw,
    options: &DrawOptions,
    item: Item<'_>,
    load: fn(Item<'_>) -> Loaded,
) -> Made {
    let origin = origin(&item, &typed.path);
    let side = typed.thumbnail.unwrap_or(THUMBNAIL);
    let file = item.member.map_or_else(|| name(item.path), str::to_owned);
    match load(item) {
        Ok(Named { title, subtitle, mut graph, has_hulls, error }) => {
            let mut fits = Fits::examine(typed, &mut graph, has_hulls);
            let colour = fits.colour(typed, &graph);
            let mut options = dress(typed, options, colour, &graph);
            let opening = plan::of_hull(&typed.open, typed.hull);
            let below =
                typed.bsp.as_deref().map(|maps| floor::beside(maps, &typed.models, &file, &graph, &opening));
            let error = match below.transpose() {
                Ok(plan) => {
                    options.plan = plan.flatten();
                    error
                }
                Err(unread) => error.or(Some(unread)),
            };
            let words = error.as_ref().map(|error| error.without_file().to_string());
            let caption = Caption { title, subtitle, error: words, origin };
            Made { thumbnail: Thumbnail::new(&graph, &caption, side, &options), error, fits }
        }
        Err((title, error)) => {
            let words = Some(error.without_file().to_string());
            let caption = Caption { title, error: words, origin, ..Caption::default() };
            let thumbnail = Thumbnail::failed(&caption, side, options);
            Made { thumbnail, error: Some(error), fits: Fits::default() }
        }
    }
}

/// The last part of a path, as words.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The path of a map below the typed path.
fn origin(item: &Item<'_>, typed: &Path) -> String {
    let path = item.path.strip_prefix(typed).unwrap_or(item.path);
    let parts: Vec<String> =
        path.components().map(|part| printable(part.as_os_str().as_encoded_bytes())).collect();
    let member = item.member.map(|member| printable(member.as_bytes()));
    let space = item.space.as_ref().map(|space| printable(space.to_string().as_bytes()));
    let parts = [Some(parts.join("/")), member, space].into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("!")
}

fn sheet(typed: &args::Draw, options: &DrawOptions, format: Image, made: Vec<Made>) -> Result<Exit, Failure> {
    if made.is_empty() {
        return Err(Place::nothing(&typed.path).into());
    }
    if let Some(points) = &typed.points {
        let why = "are drawn over one mesh, and these are several";
        return Err(Error::invalid("points", why).in_file(points).into());
    }
    if let Some(before) = &typed.before {
        let why = "is compared with one mesh, and these are several";
        return Err(Error::invalid("--before", why).in_file(before).into());
    }
    if let Some(map) = typed.bsp.as_deref().filter(|map| !map.is_dir()) {
        let why =
            "is no folder: a sheet shows many meshes, and each takes the map of its own name from a folder";
        return Err(Error::invalid("--bsp", why).in_file(map).into());
    }
    let maps = made.len();
    let (mut thumbnails, mut errors, mut fits) = (Vec::with_capacity(maps), Vec::new(), Fits::default());
    for one in made {
        thumbnails.push(one.thumbnail);
        errors.extend(one.error);
        fits = fits.and(one.fits);
    }
    fits.judge(typed, Whole::Maps)?;
    let name = printable(typed.path.file_name().unwrap_or(typed.path.as_os_str()).as_encoded_bytes());
    let title = format!("{name}: {}", counted(maps as u64, "map", "maps"));
    let grid = Grid { columns: typed.columns, rows: typed.rows };
    let pages = Sheet::pages(&title, grid, options, thumbnails);
    let outputs: Vec<PathBuf> = (1..=pages.len()).map(|nth| numbered(&typed.output, nth)).collect();
    if pages.len() > 1 && out::is_stdout(&typed.output) {
        let why =
            format!("takes one page, this sheet has {}: --rows and --thumbnail change that", pages.len());
        return Err(Error::invalid("standard output", why).into());
    }
    outputs.iter().try_for_each(|output| vacant(output, typed.force))?;
    if matches!(format, Image::Png) {
        let pixels =
            pages.iter().map(Sheet::size).map(|[width, height]| u64::from(width) * u64::from(height));
        charge(&typed.path, pixels.fold(0, u64::saturating_add))?;
    }
    for (page, output) in pages.iter().zip(&outputs) {
        warn_of_size(page.size());
        save(output, typed.force, |out| match format {
            Image::Svg => page.write_svg(out),
            Image::Png => page.write_png(out),
        })?;
    }
    if let [first, .., last] = &outputs[..] {
        let (first, last) = (path_text(first), path_text(last));
        say(format_args!("{} written, {first} to {last}", counted(outputs.len() as u64, "page", "pages")));
    }
    Ok(super::left_out(&errors))
}

/// Pixels that a sheet of one file may have, and as many more for each byte of it: 209 maps of the usual size, and one for each
/// ten kilobytes.
const SHEET_FREE: u64 = 32 << 20;
const SHEET_OF_BYTE: u64 = 16;

/// Refuses pages of pixels out of proportion to an archive or plugin. A folder has a file for each of its maps.
fn charge(path: &Path, pixels: u64) -> Result<()> {
    let file = open::on_disk(path).metadata().ok().filter(Metadata::is_file);
    let Some(file) = file else { return Ok(()) };
    let allowed = SHEET_FREE.saturating_add(SHEET_OF_BYTE.saturating_mul(file.len()));
    Limits::charge("pixels of a sheet", pixels, allowed).map_err(|error| error.in_file(path))
}

/// Refuses a sheet of so many maps before they are drawn, if they alone have too many pixels.
fn charge_maps(typed: &args::Draw, format: Image, maps: usize) -> Result<()> {
    // As thumbnails are clamped.
    let side = u64::from(typed.thumbnail.unwrap_or(THUMBNAIL).clamp(32, 4096));
    match format {
        Image::Svg => Ok(()),
        Image::Png => charge(&typed.path, (maps as u64).saturating_mul(side * side)),
    }
}

/// The name of a page. The first has the typed name; the second of `maps.png` is `maps-2.png`.
fn numbered(output: &Path, nth: usize) -> PathBuf {
    if nth == 1 {
        return output.to_owned();
    }
    let mut name = output.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{nth}."));
    name.push(output.extension().unwrap_or_default());
    output.with_file_name(name)
}

/// Warns before writing a picture too large for most programs.
fn warn_of_size([width, height]: [u32; 2]) {
    const MANY: u64 = 100_000_000;
    let pixels = u64::from(width) * u64::from(height);
    if pixels >= MANY {
        let (width, height) = (Grouped(width.into()), Grouped(height.into()));
        let million = Grouped(pixels / 1_000_000);
        warn(format_args!(
            "navmap: the picture is {width} x {height}, {million} million pixels: many programs cannot show it; \
             --thumbnail, --columns, --rows or --size make it smaller"
        ));
    }
}

/// Sets options that depend on the mesh.
fn dress(
    typed: &args::Draw,
    options: &DrawOptions,
    colour: Option<ColourBy>,
    graph: &FlatGraph,
) -> DrawOptions {
    let mut options = DrawOptions { colour, ..options.clone() };
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
