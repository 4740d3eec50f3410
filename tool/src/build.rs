//! `navmap convert` for polygons: makes a game's mesh from OBJ and GLB.

use super::alike;
use super::losses::Losses;
use super::out::say;
use super::save::{save, vacant};
use super::values::{PLUGINS, Spot, Target};
use super::{Exit, Failure, args, plan};
use navmap::edit::Editor as _;
use navmap::error::{Error, ErrorKind, Result};
use navmap::export::navmesh;
use navmap::format::fox::{BuildOptions, FoxBuf, TileId};
use navmap::format::has_extension;
use navmap::format::quake::QuakeBuf;
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::model::ModelBill;
use navmap::format::skyrim::{Game, NavMeshBuf, Plugin};
use navmap::format::source::{self, SourceBuf};
use navmap::format::yapb::YapbBuf;
use navmap::graph::{Axes, FlatGraph, INCH, SIXTY_FOURTH_YARD, Scene};
use navmap::import::{self, Format, ModelAxes};
use navmap::open::{Bytes, Mesh};
use navmap::text::{counted, path_text};
use navmap::{Finding, Severity};
use std::fmt::Display;
use std::path::Path;

/// The polygon format of a file, by its name.
pub(super) fn format(path: &Path) -> Option<Format> {
    path.extension().and_then(|extension| Format::of_extension(extension.to_str()?))
}

/// Builds the kind of mesh that the output's name implies.
pub(super) fn run(typed: &args::Convert, format: Format) -> Result<Exit, Failure> {
    let path = &typed.path;
    super::heeded::by_model(typed)?;
    if typed.build.grid.is_some() && typed.build.tile.is_none() && typed.build.tile_set.is_none() {
        let why =
            "is of the map of a tile: --tile X,Z says which tile it is, --tile-set DIR makes all of them";
        return Err(Error::invalid("--grid", why).into());
    }
    if typed.output.is_some() {
        vacant(typed.output(), typed.force)?;
    }
    let options = plan::options(&typed.open);
    let bytes = Bytes::open(path, &options)?;
    let mut scene = match import::read(&bytes, format).and_then(|scene| bytes.intact().map(|()| scene)) {
        Ok(scene) => scene,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let told = told(&bytes).filter(|_| format == Format::Obj && typed.build.axes == args::UpAxis::Game);
    drop(bytes);
    if let Some((up, unit)) = told {
        turn_told(&mut scene, typed, up, unit);
    }
    let built = match &typed.build.tile_set {
        Some(folder) => {
            turn(&mut scene, typed, None);
            tiles(typed, &scene, folder)
        }
        None => one(typed, &mut scene),
    };
    match built {
        Ok(exit) => Ok(exit),
        Err(error) if error.file().is_some() => Err(error.into()),
        Err(error) => Ok(super::unreadable(error, path)),
    }
}

/// What the second line of an OBJ says, if `navmap export` wrote it: which way is up, and the metres of a unit.
pub(super) fn told(obj: &[u8]) -> Option<(args::Up, f64)> {
    let line = std::str::from_utf8(obj.split(|byte| *byte == b'\n').nth(1)?).ok()?.trim_end();
    let (up, scale) = line.strip_prefix("# ")?.split_once(" up, ")?;
    let unit = match scale {
        "metres" => 1.0,
        _ => scale.strip_prefix("1 unit is ")?.strip_suffix(" m")?.parse::<f64>().ok()?,
    };
    let up = match up {
        "y" => args::Up::Y,
        "z" => args::Up::Z,
        _ => return None,
    };
    (unit.is_finite() && unit > 0.0).then_some((up, unit))
}

/// Turns a model of another game, whose axes and unit it tells, to those that [`turn`] takes for granted.
fn turn_told(scene: &mut Scene, typed: &args::Convert, up: args::Up, unit: f64) {
    let ends_in = |endings: &[&str]| {
        typed.to.is_none() && typed.output.as_deref().is_some_and(|path| has_extension(path, endings))
    };
    let is_of_points = matches!(typed.to, Some(Target::Nav(_) | Target::Graph(_) | Target::Pwf));
    let wanted = if typed.build.tile_set.is_some() || ends_in(&["nav2", "navmesh"]) {
        (args::Up::Y, 1.0)
    } else if is_of_points || matches!(typed.to, Some(Target::Source(..))) || ends_in(&["graph", "pwf"]) {
        (args::Up::Z, INCH)
    } else {
        return;
    };
    if (up, unit) == wanted {
        return;
    }
    if up == args::Up::Z {
        scene.turn_z_up();
    }
    scene.positions.iter_mut().flatten().for_each(|part| *part *= unit);
    if wanted.0 == args::Up::Z {
        scene.turn_metres_y_up(INCH);
    }
    let path = path_text(&typed.path);
    let [from, to] = [(up, unit), wanted]
        .map(|(up, unit)| format!("{} up and units of {unit} m", if up == args::Up::Z { "z" } else { "y" }));
    say(format_args!("{path}: turned from {from}, as it says, to {to}"));
}

/// Turns a model to the axes of the game that a mesh is for: metres with y up in the Fox Engine, units with z up elsewhere.
fn turn(scene: &mut Scene, typed: &args::Convert, metres_per_unit: Option<f64>) {
    let axes = match typed.build.axes {
        args::UpAxis::Game => ModelAxes::Game,
        args::UpAxis::Blender => ModelAxes::ZUp,
        args::UpAxis::Metres => ModelAxes::Metres,
    };
    axes.turn(scene, format(&typed.path).unwrap_or(Format::Obj), metres_per_unit);
}

/// One mesh, of the family given by the output's name or `--to`.
fn one(typed: &args::Convert, scene: &mut Scene) -> Result<Exit> {
    let output = typed.output();
    let mut losses = Losses::default();
    let bytes = match typed.to {
        None if has_extension(output, &["nav2"]) => {
            turn(scene, typed, None);
            fox(typed, scene, &mut losses)?
        }
        None if has_extension(output, &["nvnm"]) => {
            turn(scene, typed, Some(SIXTY_FOURTH_YARD));
            triangles(typed, scene, &mut losses)?
        }
        None if has_extension(output, PLUGINS) => {
            let (bytes, bill) = plugin(typed, scene)?;
            tell(typed, &bill);
            losses.of_faces(scene);
            losses.told = bill.lost() as u64;
            bytes
        }
        Some(Target::Source(version, subversion)) => {
            turn(scene, typed, Some(INCH));
            source(typed, scene, version, subversion, &mut losses)?
        }
        Some(Target::Nav(version)) => {
            turn(scene, typed, Some(INCH));
            let graph = QuakeBuf::build(scene, version, typed.build.radius.unwrap_or(36))?;
            losses.of_ways(scene, graph.traversals.len())?;
            graph.encode()?
        }
        Some(Target::Graph(version)) => {
            let graph = waypoints(typed, scene, &mut losses)?;
            graph.to_graph(version, &mut |loss| losses.found.push(loss))?.encode()?
        }
        None if has_extension(output, &["graph"]) => waypoints(typed, scene, &mut losses)?.encode()?,
        Some(Target::Pwf) => waypoint_file(typed, scene, &mut losses)?,
        Some(Target::Rcw) => {
            let why = "make graph-2 of points and lines, then rcw-4 of that";
            return Err(Error::invalid("--to", why).in_file(output));
        }
        None if has_extension(output, &["pwf"]) => waypoint_file(typed, scene, &mut losses)?,
        None if has_extension(output, &["navmesh"]) => {
            turn(scene, typed, None);
            let graph = FlatGraph::of_faces(scene, Axes::y_up(1.0));
            let (bytes, bill) = navmesh::to_detour(&graph, &navmesh::NavmeshOptions::default())?;
            tell(typed, &bill);
            losses.of_faces(scene);
            let named = graph.nodes().iter().filter(|node| node.place.is_some()).count();
            losses.lost("places-lost", named, "names of faces");
            losses.told = bill.dropped.values().chain(bill.approximated.values()).sum();
            bytes
        }
        Some(Target::Ain(_)) => {
            return Err(Error::invalid("--to", "make source-16/0 of the model, then a node graph of that"));
        }
        Some(Target::NavJson(_)) => {
            return Err(Error::invalid(
                "--to",
                "make nav2-15 or the like of points and lines, then navjson of that",
            ));
        }
        None if has_extension(output, &["aas"]) => {
            let why = "the areas of Quake III are made of all that is solid in a map, which a model of its floors does not tell";
            return Err(Error::invalid("output", why).in_file(output));
        }
        None if has_extension(output, &["nav"]) => {
            let why = "may be of Source or Quake: say which with --to source-16/1 or --to nav2-15";
            return Err(Error::invalid("output", why).in_file(output));
        }
        None => {
            let why = "has to end in .nav2, .nav, .nvnm, .esp, .esm, .esl, .navmesh, .graph or .pwf";
            return Err(Error::invalid("output", why).in_file(output));
        }
    };
    losses.say(&typed.path);
    if losses.refuse(typed.lossless) {
        return Ok(Exit::Findings);
    }
    save(output, typed.force, |out| out.write_all(&bytes)).map(|()| Exit::Clean)
}

/// Areas of Source, in cells of a grid where faces are no rectangles. What the version does not store is lost.
fn source(
    typed: &args::Convert,
    scene: &mut Scene,
    version: u32,
    subversion: Option<u32>,
    losses: &mut Losses,
) -> Result<Vec<u8>> {
    let mut options = source::BuildOptions::default();
    options.step = typed.build.step.map_or(options.step, |step| step as f32);
    options.fall = typed.build.fall.map_or(options.fall, |fall| fall as f32);
    // The newest version of no game in particular has room for all that a model says.
    let build = |options| SourceBuf::build(scene, 16, 0, &options);
    let exact = build(options);
    let (mesh, how) = match typed.build.rasterise.filter(|_| exact.is_err()) {
        None => (exact?, String::new()),
        Some(side) => {
            options.rasterise = Some(side);
            let mesh = build(options)?;
            let how = format!("faces that are no rectangles approximated by cells of {side} units");
            losses.found.push(Finding::new(Severity::Warning, "shapes-lost", format!("lost: shapes, {how}")));
            (mesh, format!(", {how}"))
        }
    };
    losses.of_faces(scene);
    let count = counted(mesh.areas.len() as u64, "area", "areas");
    say(format_args!("{}: {count}{how}, not analysed: navmap analyze makes spots", path_text(&typed.path)));
    // Whatever a version has beyond a model is made up, which goes without saying.
    let mut lost = |loss: Finding| {
        if loss.severity.counts() {
            losses.found.push(loss);
        }
    };
    // Areas take more than the faces that they were, and the bytes are made beside them.
    *scene = Scene::default();
    mesh.convert(version, subversion, &mut lost)?.encode()
}

/// A plugin with the triangles of a model in the navmeshes that its objects name.
fn plugin(typed: &args::Convert, scene: &mut Scene) -> Result<(Vec<u8>, ModelBill)> {
    let Some(path) = &typed.build.like else {
        return Err(Error::invalid("--like", "is missing: the plugin whose navmeshes the objects name")
            .in_file(typed.output()));
    };
    let mesh = Mesh::open_with(path, &plan::options(&typed.open))?;
    let Some(view) = mesh.nav().as_view::<Plugin<'_>>() else {
        return Err(Error::invalid("--like", "is no plugin with navmeshes").in_file(path));
    };
    // Starfield builds in metres.
    turn(scene, typed, Some(if view.game() == Game::Starfield { 1.0 } else { SIXTY_FOURTH_YARD }));
    let mut editor = SkyrimEditor::of_plugin(view).map_err(|error| error.in_file(path))?;
    mesh.intact()?;
    let bill = editor.put_model(scene)?;
    Ok((editor.encode()?, bill))
}

/// Points and lines as waypoints of bots.
fn waypoints(typed: &args::Convert, scene: &mut Scene, losses: &mut Losses) -> Result<YapbBuf> {
    turn(scene, typed, Some(INCH));
    let graph = YapbBuf::build(scene, typed.build.radius.map_or(0.0, f32::from))?;
    losses.of_ways(scene, 0)?;
    Ok(graph)
}

/// Like [`waypoints`], in the form of POD-Bot, for the map of the output's name.
fn waypoint_file(typed: &args::Convert, scene: &mut Scene, losses: &mut Losses) -> Result<Vec<u8>> {
    let map = typed.output().file_stem().unwrap_or_default().to_string_lossy();
    let graph = waypoints(typed, scene, losses)?;
    graph.to_pwf(&map, typed.large, &mut |loss| losses.found.push(loss))?.encode()
}

/// Triangles in an existing NVNM field, which supplies the owner of the mesh.
fn triangles(typed: &args::Convert, scene: &Scene, losses: &mut Losses) -> Result<Vec<u8>> {
    let Some(path) = &typed.build.like else {
        return Err(Error::invalid("--like", "is missing: an NVNM whose cell the triangles belong to")
            .in_file(typed.output()));
    };
    let mesh = Mesh::open_with(path, &plan::options(&typed.open))?;
    let Some(nav) = mesh.nav().as_view() else {
        return Err(Error::invalid("--like", "is no bare NVNM").in_file(path));
    };
    let own = NavMeshBuf::read(nav).map_err(|error| error.in_file(path))?;
    mesh.intact()?;
    let made = own.with_triangles(scene)?;
    losses.of_triangles(&own, &made);
    losses.of_faces(scene);
    made.encode()
}

/// The tiles of a map, in a folder: `mesh_101_101_nav.nav2`, and `.1.nav2` for further parts.
fn tiles(typed: &args::Convert, scene: &Scene, folder: &Path) -> Result<Exit> {
    let asked = &typed.build;
    let columns = asked.grid.unwrap_or(64);
    let (tiles, report) = FoxBuf::build_tiles(scene, &options(asked, None)?, columns, asked.limit)?;
    tell(typed, &report);
    let mut losses = Losses::default();
    losses.of_tile(&report);
    losses.of_faces(scene);
    losses.say(&typed.path);
    if losses.refuse(typed.lossless) {
        return Ok(Exit::Findings);
    }
    let stem = typed.path.file_stem().unwrap_or_default().to_string_lossy();
    let mut files = Vec::new();
    for tile in &tiles {
        let [x, z] = tile.name;
        for (number, part) in tile.parts.iter().enumerate() {
            let end = if number == 0 { String::new() } else { format!(".{number}") };
            files.push((folder.join(format!("{stem}_{x}_{z}_nav{end}.nav2")), part.encode()?));
        }
    }
    files.iter().try_for_each(|(path, _)| vacant(path, typed.force))?;
    for (path, bytes) in &files {
        save(path, typed.force, |out| out.write_all(bytes))?;
    }
    let [parts, tiles] =
        [counted(files.len() as u64, "file", "files"), counted(tiles.len() as u64, "tile", "tiles")];
    say(format_args!("navmap: {parts} of {tiles} in {}", path_text(folder)));
    Ok(Exit::Clean)
}

/// Says what a builder reports.
fn tell(typed: &args::Convert, report: &dyn Display) {
    report.to_string().lines().for_each(|line| say(format_args!("{}: {line}", path_text(&typed.path))));
}

fn fox(typed: &args::Convert, scene: &mut Scene, losses: &mut Losses) -> Result<Vec<u8>> {
    let asked = &typed.build;
    let like = asked.like.as_ref().map(|path| tile(path, typed, scene)).transpose()?;
    let options = options(asked, like.as_ref())?;
    let (tile, report) = FoxBuf::build(scene, &options).map_err(with_tile_set)?;
    tell(typed, &report);
    losses.of_tile(&report);
    losses.of_faces(scene);
    tile.encode()
}

/// An error that says what to do with a model that is more than one tile can hold.
fn with_tile_set(error: Error) -> Error {
    let ErrorKind::Invalid { what: what @ ("extent" | "faces" | "segments"), why } = error.kind() else {
        return error;
    };
    let better = Error::invalid(what, format!("{why}; --tile-set DIR cuts a model into the tiles of a map"));
    match error.position().record {
        Some((record, index)) => better.in_record(record, index),
        None => better,
    }
}

/// The tile to copy settings from, and the attributes of faces that have none of their own.
fn tile(path: &Path, typed: &args::Convert, scene: &mut Scene) -> Result<FoxBuf> {
    let mesh = Mesh::open_with(path, &plan::options(&typed.open))?;
    let Some(nav) = mesh.nav().as_view() else {
        return Err(Error::invalid("--like", "is no mesh of the Fox Engine").in_file(path));
    };
    let tile = FoxBuf::read(nav).map_err(|error| error.in_file(path))?;
    alike::attributes(scene, &mesh.nav().flat_graph().value);
    mesh.intact().map(|()| tile)
}

/// The typed options for building a tile of the Fox Engine.
fn options<'o>(asked: &args::Build, like: Option<&'o FoxBuf>) -> Result<BuildOptions<'o>> {
    let mut options = BuildOptions::default();
    options.sector = asked.sector.unwrap_or(options.sector);
    options.bucket = asked.bucket.unwrap_or(options.bucket);
    let columns = asked.grid.unwrap_or(64);
    if let Some(Spot([x, z])) = asked.tile {
        let tile = TileId::from_coordinates(x, z, columns).ok_or_else(|| {
            Error::invalid(
                "--tile",
                format!("{x},{z} is in no map of {columns} columns, whose tiles begin at 101,101"),
            )
        })?;
        options.tile = Some((tile, columns));
    }
    options.origin = asked.origin.map(|point| point.0);
    options.opaque = asked.opaque;
    options.islands = asked.islands;
    options.like = like;
    if let Some(path) = &asked.attributes {
        let text = super::beside::text(path)?;
        options.attributes = import::attributes(&text).map_err(|error| error.in_file(path))?;
    }
    options.spawns = asked.spawn.iter().map(|point| point.0.map(f64::from)).collect();
    Ok(options)
}
