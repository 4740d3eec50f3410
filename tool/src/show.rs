//! `navmap show`: everything about chosen nodes of a mesh. An editor answers `show` with the same.

use super::args::{self, Lines};
use super::out::{Out, Tone, complain};
use super::{Exit, Failure, plan};
use navmap::Severity;
use navmap::bytes::Backing;
use navmap::edit::{Asked, Cause, Refusal, SessionOptions};
use navmap::error::{Error, Result};
use navmap::format::NavFile;
use navmap::graph::{FlatGraph, NavGraph, Partial};
use navmap::open::{Bytes, Mesh, OpenOptions, Part, Show, Told, edit, no_hulls, show_of};
use navmap::scan::path_text;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A row as scripts see it. The names are a contract.
#[derive(Serialize)]
struct Row<'r> {
    path: &'r str,
    member: Option<&'r str>,
    #[serde(flatten)]
    told: &'r Told,
}

pub(super) fn run(typed: &args::Show) -> std::result::Result<Exit, Failure> {
    let mesh = match Mesh::open_with(&typed.path, &plan::of_hull(&typed.open, typed.hull)) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let Partial { value: show, error } = Show::of(mesh.nav());
    let hull = hull(typed, &mesh, show.graph())?;
    let Some(selector) = &typed.selector else {
        let mut out = Out::new();
        selectors(&mesh, &mut out)?;
        out.flush()?;
        mesh.intact()?;
        return super::readable(error.map_or(Ok(()), Err), &typed.path);
    };
    let of_hull = |node: &u32| {
        let node = show.graph().nodes().get(*node as usize);
        node.is_none_or(|node| hull.is_none_or(|hull| node.group == Some(hull)))
    };
    let nodes = chosen(&mesh, &show, selector)
        .and_then(|nodes| some(nodes.into_iter().filter(of_hull).collect(), selector));
    let nodes = match nodes {
        Ok(nodes) => nodes,
        Err(refusal) => {
            complain(format_args!("navmap: {}: {refusal}", path_text(&typed.path)));
            return Ok(if refusal.cause() == Cause::Nothing { Exit::Findings } else { Exit::Failed });
        }
    };
    let mut out = Out::new().json(typed.format == Lines::Jsonl);
    let read = tell(&mesh, &show, &nodes, typed.format, &mut out)?;
    mesh.intact()?;
    super::readable(read.and(error.map_or(Ok(()), Err)), &typed.path)
}

/// The hull that is asked for, of a mesh that has every floor once for each.
fn hull(typed: &args::Show, mesh: &Mesh, graph: &FlatGraph) -> Result<Option<u32>> {
    let Some(hull) = typed.hull.filter(|_| mesh.nav().hulls().is_empty()) else { return Ok(None) };
    let is_there = |hull: &u32| graph.nodes().iter().any(|node| node.group == Some(*hull));
    let why = match graph.group_word() {
        Some("hull") => match hull.number().filter(is_there) {
            Some(hull) => return Ok(Some(hull)),
            None => format!("there is none of number {hull}"),
        },
        _ => no_hulls(hull),
    };
    Err(Error::invalid("--hull", why).in_file(&typed.path))
}

/// Prints everything about nodes. The inner result is that of reading the file.
fn tell(mesh: &Mesh, show: &Show<'_>, nodes: &[u32], lines: Lines, out: &mut Out) -> io::Result<Result<()>> {
    let painter = out.painter();
    let (path, member) = (path_text(mesh.bytes().path()), mesh.bytes().member());
    let mut first = true;
    let mut line = |told: &Told| {
        if lines == Lines::Jsonl {
            serde_json::to_writer(&mut *out, &Row { path: &path, member, told })?;
            return writeln!(out);
        }
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        told.write(out, &|part, word| painter.paint(tone(part), word))
    };
    let mut printed = Ok(());
    let read = show.each(nodes, &mut |told| {
        if printed.is_ok() {
            printed = line(&told);
        }
    });
    printed.and_then(|()| out.flush()).map(|()| read)
}

fn tone(part: Part) -> Tone {
    match part {
        Part::Head => Tone::Title,
        Part::Severity(Severity::Error) => Tone::Error,
        Part::Severity(Severity::Warning) => Tone::Warning,
        Part::Severity(_) => Tone::Plain,
    }
}

/// The nodes that a selector selects: one that the editor of the mesh knows, or one over the graph.
pub(super) fn chosen(mesh: &Mesh, show: &Show<'_>, selector: &str) -> std::result::Result<Vec<u32>, Refusal> {
    let named = show.named(selector.trim());
    if !named.is_empty() {
        return Ok(named);
    }
    let Ok(mut session) = edit(mesh, SessionOptions::default()) else {
        return some(show.select(selector)?, selector);
    };
    match session.items(selector) {
        Ok(items) => some(show.items(&items)?, selector),
        // What a check finds, and other names that only the graph knows.
        Err(refusal) if matches!(refusal.cause(), Cause::UnknownName | Cause::NeedsCheck) => {
            let nodes = show.select(selector).map_err(|own| match [own.cause(), refusal.cause()] {
                [Cause::UnknownName, Cause::UnknownName] => refusal,
                _ => own,
            });
            some(nodes?, selector)
        }
        Err(refusal) => Err(refusal),
    }
}

fn some(nodes: Vec<u32>, selector: &str) -> std::result::Result<Vec<u32>, Refusal> {
    match nodes.is_empty() {
        true => Err(Refusal::nothing(format!("{selector} selects nothing"))),
        false => Ok(nodes),
    }
}

/// Prints the names that selectors know.
fn selectors(mesh: &Mesh, out: &mut Out) -> io::Result<()> {
    writeln!(out, "SELECTOR says which ones to show:")?;
    if let Ok(mut session) = edit(mesh, SessionOptions::default()) {
        let (outcomes, _) = session.run("help selectors");
        for line in outcomes.iter().flat_map(|outcome| &outcome.said) {
            writeln!(out, "  {line}")?;
        }
        return writeln!(out, "  finding(code): those that a check says this about; finding() anything");
    }
    writeln!(out, "  #12: by id, as it is printed")?;
    writeln!(out, "  @x,y[,z]: the item at a point; ~@x,y,z is the nearest")?;
    Show::selectors().iter().try_for_each(|(usage, help)| writeln!(out, "  {usage}: {help}"))?;
    writeln!(out, "  a+b or a,b: both; a-b: without; a&b: what is in both; !a: all others")
}

/// Answers `show` of an editor, with the mesh in its current state.
///
/// # Errors
/// If the mesh cannot be read again, or an item is none of its nodes.
pub(super) fn answer(path: &Path, asked: &Asked, options: &OpenOptions) -> Result<()> {
    let bytes = Bytes::from_backing(path, Backing::owned(asked.bytes.clone()));
    let mesh = Mesh::parse(bytes, options)?;
    let show = show_of(mesh.nav(), asked)?;
    let nodes =
        show.items(asked.items.iter()).map_err(|refusal| Error::invalid("show", refusal.to_string()))?;
    tell(&mesh, &show, &nodes, Lines::Text, &mut Out::new()).map_err(Error::from)?
}
