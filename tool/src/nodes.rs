//! Node graphs of Source that `navmap convert` writes: of a mesh, of a graph with other hulls.

use super::args;
use super::values::Target;
use super::{mapped, plan};
use navmap::Finding;
use navmap::bsp::{BspMap, Contents, Engine, Lumps};
use navmap::error::{Error, Result};
use navmap::format::nodegraph::{AinNav, BuildOptions, NodeGraphBuf, Room, TextNav};
use navmap::format::source::SourceNav;
use navmap::format::{AnyNav, has_extension};
use navmap::open::Bytes;

const NO_REVISION: &str = "the revision of the map is 0: the game makes its own graph instead of this one";

/// The bytes of the new file, if a node graph becomes one or is wanted.
pub(super) fn convert(
    typed: &args::Convert,
    nav: &AnyNav<'_>,
    lose: &mut dyn FnMut(Finding),
) -> Option<Result<Vec<u8>>> {
    if let Some(nav) = nav.as_view::<AinNav<'_>>() {
        return Some(of_graph(&NodeGraphBuf::from(nav), Some(nav.version()), typed, lose));
    }
    if let Some(nav) = nav.as_view::<TextNav<'_>>() {
        return Some(of_graph(&NodeGraphBuf::from(nav), None, typed, lose));
    }
    let wanted = matches!(typed.to, Some(Target::Ain(_))) || has_extension(typed.output(), &["ain"]);
    let mesh = nav.as_view::<SourceNav<'_>>().filter(|_| wanted)?;
    Some(of_mesh(nav, mesh, typed, lose))
}

/// The version that was asked for, and how many hulls: those of the source in its own version, else as many as the version usually
/// has.
fn form(typed: &args::Convert, own: Option<i32>, version: i32, hulls: u8) -> Result<(i32, u8)> {
    let usual = |version: i32| if version == 41 { 12 } else { 10 };
    match typed.to {
        None => Ok((version, typed.hulls.unwrap_or(hulls))),
        Some(Target::Ain(wanted)) => {
            let hulls = if own == Some(wanted) { hulls } else { usual(wanted) };
            Ok((wanted, typed.hulls.unwrap_or(hulls)))
        }
        Some(_) => {
            let why = "a node graph becomes ain-37, ain-41, or waypoints: graph-1, graph-2, pwf-7, rcw-4";
            Err(Error::invalid("version", why))
        }
    }
}

/// A graph as another version, with another number of hulls. A text has no version of its own.
fn of_graph(
    graph: &NodeGraphBuf,
    own: Option<i32>,
    typed: &args::Convert,
    lose: &mut dyn FnMut(Finding),
) -> Result<Vec<u8>> {
    if typed.to.is_none() && typed.hulls.is_none() {
        let why = "say what is wanted: --to ain-37, --to ain-41, or --hulls with their number; an output that ends in .graph, .pwf or \
                   .rcw becomes waypoints";
        return Err(Error::invalid("version", why));
    }
    let (version, hulls) = form(typed, own, graph.version, graph.hulls)?;
    if own.is_none() {
        lose(Finding::new(navmap::Severity::Info, "no-revision", NO_REVISION));
    }
    graph.to_form(version, hulls, lose)?.encode()
}

/// A graph of a mesh, with its map if there is one.
fn of_mesh(
    nav: &AnyNav<'_>,
    mesh: &SourceNav<'_>,
    typed: &args::Convert,
    lose: &mut dyn FnMut(Finding),
) -> Result<Vec<u8>> {
    if mesh.version() <= 5 {
        let why = "this is a mesh of GoldSrc, whose games read .nod: only meshes of Source become .ain";
        return Err(Error::invalid("version", why));
    }
    let (version, hulls) = form(typed, None, 37, 10)?;
    let map = typed.bsp.as_deref().map(|path| {
        let options = plan::options(&typed.open);
        let bytes = Bytes::open(path, &options)?;
        let at = |error: Error| error.in_file(path);
        let revision = Lumps::parse(&bytes).map_err(at)?.revision();
        let mut map = BspMap::parse_with(&bytes, &options.limits).map_err(at)?;
        bytes.intact()?;
        if map.engine() != Engine::Source {
            return Err(at(Error::invalid("map", "is of GoldSrc, whose games read .nod")));
        }
        mapped::shape(&mut map, path, &typed.models, &options)?;
        Ok((map, revision))
    });
    let map = map.transpose()?;
    let sweep = |from, to, low, high| sweep(map.as_ref().map(|(map, _)| map), [from, to], [low, high]);
    let room = map.is_some().then_some(&sweep as &dyn Room);
    let map_version = map.as_ref().map_or(0, |(_, revision)| *revision);
    if map.is_none() {
        let what = format!("{NO_REVISION}, unless --bsp tells it");
        lose(Finding::new(navmap::Severity::Warning, "no-revision", what));
    }
    let options = BuildOptions { version, hulls, map_version, room, ..BuildOptions::default() };
    NodeGraphBuf::of_mesh(&nav.flat_graph().whole()?, &options, lose)?.encode()
}

/// What stops characters, but for doors and other things that move: the engine makes its links through them.
const STANDING: Contents = Contents(Contents::WALK.0 & !Contents::MOVEABLE.0);

/// How far a box gets through the map.
fn sweep(map: Option<&BspMap>, [from, to]: [[f32; 3]; 2], [low, high]: [[f32; 3]; 2]) -> f32 {
    let trace = map.and_then(|map| map.hull(from, to, low, high, STANDING));
    trace.map_or(0.0, |trace| if trace.start_solid { 0.0 } else { trace.fraction })
}
