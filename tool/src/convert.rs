//! `navmap convert`: converts between Quake's binary graphs and navjson, between the waypoints of YaPB, POD-Bot and RCBot2, and
//! between versions; makes node graphs of meshes, and waypoints of any graph in their units. Polygons go to `build`.

use super::losses::Losses;
use super::out::is_stdout;
use super::save::{save, vacant};
use super::values::Target;
use super::{Exit, Failure, args, plan};
use navmap::error::{Error, ErrorKind, Result};
use navmap::format::quake::navjson::{self, Head, LineEnd, NavJson};
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::format::rcbot::{RcbotBuf, RcbotNav};
use navmap::format::source::{Source2Nav, SourceBuf};
use navmap::format::yapb::{GRAPH_NODES, MOST_NODES, PWF_NODES, PwfNav, YapbBuf, YapbNav};
use navmap::format::{AnyNav, has_extension};
use navmap::graph::{FlatGraph, INCH, NavGraph, Up};
use navmap::open::{Bytes, Mesh, OpenOptions};
use navmap::text::path_text;
use navmap::{Finding, Severity};
use std::borrow::Cow;
use std::path::Path;

pub(super) fn run(typed: &args::Convert) -> Result<Exit, Failure> {
    if let Some(format) = super::build::format(&typed.path) {
        return super::build::run(typed, format);
    }
    if typed.build.tile_set.is_some() {
        return Err(Error::invalid("--tile-set", "is for .obj and .glb").in_file(&typed.path).into());
    }
    vacant(typed.output(), typed.force)?;
    let path = &typed.path;
    let mut losses = Losses::default();
    let options = plan::options(&typed.open);
    let head = typed.head.as_deref().map(|file| read_head(file, &options)).transpose()?;
    let bytes = Bytes::open(path, &options)?;
    let made = match Mesh::parse(bytes, &options) {
        Ok(mesh) => {
            super::heeded::by_mesh(typed, mesh.nav())?;
            let made = make(typed, mesh.nav(), head, &mut losses.found).map_err(of_version);
            mesh.intact()?;
            made
        }
        Err(error) => Err(error),
    };
    losses.say(path);
    let bytes = match made {
        Ok(bytes) => bytes,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    if losses.refuse(typed.lossless) {
        return Ok(Exit::Findings);
    }
    save(typed.output(), typed.force, |out| out.write_all(&bytes))?;
    Ok(Exit::Clean)
}

/// A version that cannot be made is a fault of what was asked for: that of the file has been read.
fn of_version(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Version { .. } if error.position().offset.is_none() => {
            Error::invalid("version", error.without_file().to_string())
        }
        _ => error,
    }
}

/// A Source mesh as another version.
fn source(mesh: SourceBuf, typed: &args::Convert, lose: &mut dyn FnMut(Finding)) -> Result<Vec<u8>> {
    let Some(Target::Source(version, subversion)) = typed.to else {
        let output = typed.output();
        if output.extension().is_some() && !has_extension(output, &["nav"]) {
            let why = "is no form of a Source mesh: `convert` makes other versions of it (--to source-16/0, into a .nav), \
                       `navmap export` what other programs read";
            return Err(Error::invalid("output", format!("{} {why}", path_text(output))));
        }
        return Err(Error::invalid("version", "say which Source version is wanted: --to source-16/0"));
    };
    mesh.convert(version, subversion, lose)?.encode()
}

/// Waypoints of a bot in another form, as those of another bot, or of any graph in their units. `None` if none are there and none are
/// meant.
fn waypoints(
    typed: &args::Convert,
    nav: &AnyNav<'_>,
    lose: &mut dyn FnMut(Finding),
) -> Option<Result<Vec<u8>>> {
    let rcbot = nav.as_view::<RcbotNav<'_>>().map(RcbotBuf::from);
    let yapb = nav.as_view::<YapbNav<'_>>().map(YapbBuf::from);
    let yapb = yapb.or_else(|| nav.as_view::<PwfNav<'_>>().map(YapbBuf::from));
    let wanted = typed.waypoints();
    if rcbot.is_none() && yapb.is_none() && wanted.is_none() {
        return None;
    }
    let made = || {
        let wanted = wanted.ok_or_else(|| match typed.to {
            Some(_) => Error::invalid("version", "waypoints become graph-1, graph-2, pwf-7 or rcw-4"),
            None => Error::invalid(
                "output",
                "ends in none of .graph, .pwf and .rcw, which is all that waypoints become; `navmap export` writes what other programs \
                 read",
            ),
        })?;
        match (wanted, rcbot, yapb) {
            (Target::Rcw, Some(points), _) => points.to_newest(lose).encode(),
            (Target::Rcw, None, points) => {
                if let Some(points) = points {
                    points.beyond_graph(lose);
                }
                let mut made = RcbotBuf::from_graph(&graph_of_units(nav)?, &map(typed, nav), lose);
                made.set_authors(authors(nav, lose));
                made.encode()
            }
            (_, _, Some(points)) => goldsrc(&points, wanted, typed, nav, lose),
            (_, points, None) => {
                if let Some(points) = points {
                    points.beyond_graph(lose);
                }
                let most = match wanted {
                    Target::Pwf if typed.large => MOST_NODES,
                    Target::Pwf => PWF_NODES,
                    _ => GRAPH_NODES,
                };
                let mut made = YapbBuf::from_graph(&graph_of_units(nav)?, most, lose)?;
                made.set_authors(authors(nav, lose));
                goldsrc(&made, wanted, typed, nav, lose)
            }
        }
    };
    Some(made())
}

/// Waypoints of YaPB or POD-Bot as the one or the other writes them.
fn goldsrc(
    points: &YapbBuf,
    wanted: Target,
    typed: &args::Convert,
    nav: &AnyNav<'_>,
    lose: &mut dyn FnMut(Finding),
) -> Result<Vec<u8>> {
    match wanted {
        Target::Graph(version) => points.to_graph(version, lose)?.encode(),
        _ => points.to_pwf(&String::from_utf8_lossy(&map(typed, nav)), typed.large, lose)?.encode(),
    }
}

/// Whether a graph has the units of Source and GoldSrc.
fn has_units(graph: &FlatGraph) -> bool {
    let axes = graph.axes();
    (axes.up, axes.metres_per_unit.to_bits()) == (Up::Z, (INCH as f32).to_bits())
}

/// The graph that waypoints are made of, in the units of Source and GoldSrc.
fn graph_of_units(nav: &AnyNav<'_>) -> Result<FlatGraph> {
    let graph = nav.flat_graph().whole()?;
    if has_units(&graph) { Ok(graph) } else { Err(of_family(nav)) }
}

/// The error for a family that cannot become what is wanted.
fn of_family(nav: &AnyNav<'_>) -> Error {
    let what = if nav.as_view::<Source2Nav<'_>>().is_some() {
        "Source 2 meshes become waypoints alone (.graph, .pwf, .rcw); `navmap export` makes an .obj of one, and \
         `navmap convert a.obj --rasterise 25 --to source-16/1 -o a.nav` a Source mesh of that"
            .to_owned()
    } else if has_units(&nav.flat_graph().value) {
        "files of this kind become waypoints alone (.graph, .pwf, .rcw); `navmap export` writes what other programs read"
            .to_owned()
    } else {
        format!(
            "{} meshes cannot be converted; graphs of Quake, waypoints of YaPB, POD-Bot and RCBot2, node graphs and meshes of \
             Source can; `navmap export` writes what other programs read",
            nav.family()
        )
    };
    Error::invalid("family", what)
}

/// The name of the map: the one that the file has, else that of the output.
fn map(typed: &args::Convert, nav: &AnyNav<'_>) -> Vec<u8> {
    let own = match nav.as_view::<RcbotNav<'_>>() {
        Some(nav) => Some(nav.map()),
        None => nav.as_view::<PwfNav<'_>>().map(PwfNav::map),
    };
    match own.filter(|name| !name.is_empty()) {
        Some(name) => name.to_vec(),
        None => output_name(typed).into_owned().into_bytes(),
    }
}

/// The name of the output without its extension; that of the input if nothing has a name.
fn output_name(typed: &args::Convert) -> Cow<'_, str> {
    let named = if is_stdout(typed.output()) { &typed.path } else { typed.output() };
    named.file_stem().unwrap_or_default().to_string_lossy()
}

/// Who made a graph of bots, and who edited it last. A name that is not known is empty.
fn authors<'n>(nav: &'n AnyNav<'_>, lose: &mut dyn FnMut(Finding)) -> [&'n [u8]; 2] {
    let [author, editor] = if let Some(nav) = nav.as_view::<YapbNav<'_>>() {
        [nav.extension().author(), nav.extension().editor()]
    } else if let Some(nav) = nav.as_view::<RcbotNav<'_>>() {
        [nav.author(), nav.editor()]
    } else {
        [nav.as_view::<PwfNav<'_>>().map(|nav| nav.author()), None]
    };
    let names = [author, editor].map(Option::unwrap_or_default);
    if names.iter().any(|name| name.len() > 31) {
        let what = "of the name of an author, 31 bytes are kept";
        lose(Finding::new(Severity::Warning, "author-cut", what));
    }
    names
}

/// The head of another navjson file.
fn read_head(file: &Path, options: &OpenOptions) -> Result<Head<'static>> {
    let bytes = Bytes::open(file, options)?;
    let nav = NavJson::parse(&bytes).map_err(|error| error.in_file(file))?;
    let head = nav.head().clone().into_owned();
    bytes.intact().map(|()| head)
}

/// The bytes of the new file.
fn make(
    typed: &args::Convert,
    nav: &AnyNav<'_>,
    head: Option<Head<'static>>,
    losses: &mut Vec<Finding>,
) -> Result<Vec<u8>> {
    let mut lose = |loss| losses.push(loss);
    if let Some(bytes) = waypoints(typed, nav, &mut lose) {
        return bytes;
    }
    if let Some(made) = super::nodes::convert(typed, nav, &mut lose) {
        return made;
    }
    if let Some(nav) = nav.as_view() {
        return source(SourceBuf::read(nav)?, typed, &mut lose);
    }
    let (graph, own_head, line_end) = if let Some(nav) = nav.as_view::<QuakeNav<'_>>() {
        if !nav.trailing().is_empty() {
            let message = format!("{} bytes after the last edict are lost", nav.trailing().len());
            lose(Finding::new(Severity::Warning, "trailing-bytes-lost", message));
        }
        (QuakeBuf::from(nav), None, LineEnd::Lf)
    } else if let Some(nav) = nav.as_view::<NavJson<'_>>() {
        let graph = nav.to_graph(&mut lose)?;
        (graph, Some(nav.head().clone().into_owned()), nav.line_end())
    } else {
        return Err(of_family(nav));
    };
    match typed.to.map_or_else(|| nearest(typed.output(), &graph), Ok)? {
        Target::Source(..) => Err(Error::invalid("version", "a Quake graph does not become a Source mesh")),
        // Waypoints have been made above.
        Target::Ain(_) | Target::Graph(_) | Target::Pwf | Target::Rcw => {
            Err(Error::invalid("version", "a Quake graph does not become a node graph of Source"))
        }
        Target::Nav(version) => graph.convert(version, &mut lose)?.encode(),
        Target::NavJson(version) => {
            let binary = navjson::binary_version(version).unwrap_or(graph.version);
            let graph = graph.convert(binary, &mut lose)?;
            let head = head.or(own_head).unwrap_or_else(|| Head::of_map(&output_name(typed)));
            let nav = NavJson::from_graph(&graph, head, &mut lose)?;
            let line_end = if typed.crlf { LineEnd::CrLf } else { line_end };
            let mut text = Vec::new();
            nav.with_line_end(line_end).write(&mut text)?;
            // From JSON to JSON the head is kept.
            losses.retain(|loss| loss.code != "head-lost");
            Ok(text)
        }
    }
}

/// The version nearest to that of the graph, in the form given by the output's extension.
fn nearest(output: &Path, graph: &QuakeBuf) -> Result<Target> {
    if has_extension(output, &["navjson", "json"]) {
        return navjson::nearest(graph.version).map(Target::NavJson).ok_or_else(|| {
            let why = format!(
                "{} has no JSON form, only NAV2 has one; `navmap dump` prints it as JSON, `navmap export` writes what other \
                 programs read",
                graph.version
            );
            Error::invalid("output", why)
        });
    }
    if has_extension(output, &["nav"]) {
        return Ok(Target::Nav(graph.version));
    }
    let why = "ends in none of .nav, .navjson, .graph, .pwf and .rcw: say what is wanted with --to";
    Err(Error::invalid("output", why))
}
