//! `navmap convert`: converts between Quake's binary graphs and navjson, between the waypoints of YaPB and POD-Bot, and
//! between versions; makes node graphs of meshes. Polygons go to `build`.

use super::out::warn;
use super::save::{save, vacant};
use super::values::Target;
use super::{Exit, Failure, args, plan};
use navmap::error::{Error, Result};
use navmap::format::quake::navjson::{self, Head, LineEnd, NavJson};
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::format::rcbot::{RcbotBuf, RcbotNav};
use navmap::format::source::SourceBuf;
use navmap::format::yapb::{PwfNav, YapbBuf, YapbNav};
use navmap::format::{AnyNav, has_extension};
use navmap::graph::{INCH, NavGraph, Up};
use navmap::open::{Bytes, Mesh, OpenOptions};
use navmap::{Finding, Severity};
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
    let mut losses = Vec::new();
    let options = plan::options(&typed.open);
    let head = typed.head.as_deref().map(|file| read_head(file, &options)).transpose()?;
    let bytes = Bytes::open(path, &options)?;
    let made = match Mesh::parse(bytes, &options) {
        Ok(mesh) => {
            let made = make(typed, mesh.nav(), head, &mut losses);
            mesh.intact()?;
            made
        }
        Err(error) => Err(error),
    };
    for loss in &losses {
        warn(format_args!("{}: {loss}", path.display()));
    }
    let bytes = match made {
        Ok(bytes) => bytes,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    if typed.lossless && losses.iter().any(|loss| loss.severity >= Severity::Warning) {
        warn(format_args!("navmap: nothing is written: --lossless"));
        return Ok(Exit::Findings);
    }
    save(typed.output(), typed.force, |out| out.write_all(&bytes))?;
    Ok(Exit::Clean)
}

/// A Source mesh as another version.
fn source(mesh: &SourceBuf, typed: &args::Convert, lose: &mut dyn FnMut(Finding)) -> Result<Vec<u8>> {
    let Some(Target::Source(version, subversion)) = typed.to else {
        let output = typed.output();
        if output.extension().is_some() && !has_extension(output, &["nav"]) {
            let why = "is no form of a Source mesh: `convert` makes other versions of it (--to source-16/0, into a .nav), \
                       `navmap export` what other programs read";
            return Err(Error::invalid("output", format!("{} {why}", output.display())));
        }
        return Err(Error::invalid("version", "say which Source version is wanted: --to source-16/0"));
    };
    mesh.convert(version, subversion, lose)?.encode()
}

/// Waypoints in the other form, or in the requested one.
fn waypoints(graph: &YapbBuf, typed: &args::Convert, lose: &mut dyn FnMut(Finding)) -> Result<Vec<u8>> {
    let target = match typed.to {
        None if has_extension(typed.output(), &["graph"]) => Target::Graph(2),
        None if has_extension(typed.output(), &["pwf"]) => Target::Pwf,
        None => {
            let why = "ends neither in .graph nor in .pwf: say what is wanted with --to";
            return Err(Error::invalid("output", why));
        }
        Some(target) => target,
    };
    match target {
        Target::Graph(version) => graph.to_graph(version, lose)?.encode(),
        Target::Pwf => {
            let map = typed.path.file_stem().unwrap_or_default().to_string_lossy();
            graph.to_pwf(&map, typed.large, lose)?.encode()
        }
        _ => Err(Error::invalid("version", "waypoints become graph-1, graph-2 or pwf-7")),
    }
}

/// Any graph of Source or GoldSrc as waypoints of RCBot2, and these as waypoints of GoldSrc. `None` if nothing of RCBot2 is meant.
fn rcbot(typed: &args::Convert, nav: &AnyNav<'_>, lose: &mut dyn FnMut(Finding)) -> Option<Result<Vec<u8>>> {
    let from = nav.as_view::<RcbotNav<'_>>().is_some();
    let to = matches!(typed.to, Some(Target::Rcw))
        || typed.to.is_none() && has_extension(typed.output(), &["rcw"]);
    if !from && !to {
        return None;
    }
    let mut made = || {
        let graph = nav.flat_graph().whole()?;
        let axes = graph.axes();
        if from && to || (axes.up, axes.metres_per_unit.to_bits()) != (Up::Z, (INCH as f32).to_bits()) {
            let why =
                "waypoints of RCBot2 are made of meshes and waypoints of Source and GoldSrc, in their units";
            return Err(Error::invalid("output", why));
        }
        if from {
            return waypoints(&YapbBuf::from_graph(&graph, lose)?, typed, lose);
        }
        let map = typed.output().file_stem().unwrap_or_default().to_string_lossy();
        RcbotBuf::from_graph(&graph, map.as_bytes(), lose).encode()
    };
    Some(made())
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
    if let Some(made) = super::nodes::convert(typed, nav, &mut lose) {
        return made;
    }
    if let Some(bytes) = rcbot(typed, nav, &mut lose) {
        return bytes;
    }
    if let Some(nav) = nav.as_view() {
        return source(&SourceBuf::read(nav)?, typed, &mut lose);
    }
    let points = nav.as_view::<YapbNav<'_>>().map(YapbBuf::from);
    if let Some(points) = points.or_else(|| nav.as_view::<PwfNav<'_>>().map(YapbBuf::from)) {
        return waypoints(&points, typed, &mut lose);
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
        let why = format!(
            "{} meshes cannot be converted; graphs of Quake, YaPB and POD-Bot, .ain of Source and Source meshes can",
            nav.family()
        );
        return Err(Error::invalid("family", why));
    };
    match typed.to.map_or_else(|| nearest(typed.output(), &graph), Ok)? {
        Target::Nav(_) if head.is_some() || typed.crlf => {
            Err(Error::invalid("output", "a binary graph has neither a head nor line ends"))
        }
        Target::Source(..) => Err(Error::invalid("version", "a Quake graph does not become a Source mesh")),
        Target::Ain(_) => {
            Err(Error::invalid("version", "a Quake graph does not become a node graph of Source"))
        }
        Target::Graph(_) | Target::Pwf | Target::Rcw => {
            Err(Error::invalid("version", "a Quake graph does not become waypoints of GoldSrc"))
        }
        Target::Nav(version) => graph.convert(version, &mut lose)?.encode(),
        Target::NavJson(version) => {
            let binary = navjson::binary_version(version).unwrap_or(graph.version);
            let graph = graph.convert(binary, &mut lose)?;
            let name = typed.path.file_stem().unwrap_or_default().to_string_lossy();
            let head = head.or(own_head).unwrap_or_else(|| Head::of_map(&name));
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
            Error::invalid("navjson", format!("{} has no JSON form, only NAV2 has one", graph.version))
        });
    }
    if has_extension(output, &["nav"]) {
        return Ok(Target::Nav(graph.version));
    }
    Err(Error::invalid("output", "ends neither in .nav nor in .navjson: say what is wanted with --to"))
}
