//! `navmap info`: describes one file to a person.

use super::out::Out;
use super::wrap::Wrap;
use super::{Exit, Failure, args, plan};
use navmap::bytes::Scratch;
use navmap::error::Error;
use navmap::format::NavFile;
use navmap::format::skyrim::{GridPlugin, Plugin, print_records};
use navmap::graph::{FlatGraph, NavGraph, Partial};
use navmap::open::{Bytes, Mesh};
use navmap::text::{Grouped, fact, path_text, printable};
use std::io::Write;

pub(super) fn run(typed: &args::Info) -> Result<Exit, Failure> {
    let (path, options) = (&typed.one.path, plan::options(&typed.one.open));
    if path.is_dir() {
        let why = "is a folder: `navmap scan` looks at its files, `navmap info --tiles` at a Fox map in it";
        return Err(Error::invalid("path", why).in_file(path).into());
    }
    let mesh = match Mesh::parse(Bytes::open(path, &options)?, &options) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let (nav, bytes) = (mesh.nav(), mesh.bytes());
    let plugin = nav.as_view::<Plugin<'_>>();
    if typed.records && plugin.is_none() {
        let why = match nav.as_view::<GridPlugin<'_>>() {
            Some(_) => "lists navmeshes, and this plugin has path grids: `navmap dump` shows all of them",
            None => "a plugin has records, this is one mesh: `navmap dump` shows all of it",
        };
        return Err(Error::invalid("--records", why).in_file(path).into());
    }
    if typed.flags {
        let mut out = Out::new();
        let Partial { value: graph, error } = nav.flat_graph();
        flags(&graph, &mut out)?;
        out.flush()?;
        mesh.intact()?;
        return super::readable(error.map_or(Ok(()), Err), path);
    }
    let out = Out::new();
    let width = out.width();
    let mut out = Wrap::new(out, width);
    fact(&mut out, "file", printable(path_text(path).as_bytes()))?;
    fact(&mut out, "bytes", Grouped(bytes.len() as u64))?;
    let mut scratch = Scratch::new();
    let mut read = nav.info(&mut scratch, &mut out);
    if let (true, Some(plugin)) = (typed.records, plugin) {
        writeln!(out)?;
        read = read.and(print_records(plugin, &mut scratch, &mut out));
    }
    // Errors have been printed before this.
    let graph = nav.graph_stats().value;
    if graph.nodes > 0 {
        writeln!(out)?;
        graph.write_in(typed.units.map(Into::into), &mut out)?;
    }
    out.flush()?;
    mesh.intact()?;
    super::readable(read, path)
}

/// Prints the flags that nodes have, the most common first: bit, count, share of all nodes, name.
fn flags(graph: &FlatGraph, out: &mut Out) -> std::io::Result<()> {
    let word = format!("{}S", graph.node_word().to_uppercase());
    writeln!(out, "{:>4}{word:>12}{:>9}  NAME", "BIT", "SHARE")?;
    let mut counts = graph.flag_counts();
    counts.sort_by_key(|&(bit, count)| (std::cmp::Reverse(count), bit));
    for (bit, count) in counts {
        let share = count as f64 / graph.nodes().len() as f64 * 100.0;
        let name = graph.flag(bit).map_or_else(|| "-".to_owned(), str::to_lowercase);
        writeln!(out, "{bit:>4}{:>12}{share:>7.1} %  {name}", Grouped(count))?;
    }
    Ok(())
}
