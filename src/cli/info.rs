//! `navmap info`: one file, for a person.

#![forbid(unsafe_code)]

use super::out::Out;
use super::{Exit, Failure, args, plan};
use crate::bytes::Scratch;
use crate::error::Error;
use crate::format::AnyNav;
use crate::format::NavFile;
use crate::format::skyrim::print_records;
use crate::open::{Bytes, Mesh};
use crate::text::{Grouped, fact, printable};
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
    let mut out = Out::new();
    fact(&mut out, "file", printable(path.to_string_lossy().as_bytes()))?;
    fact(&mut out, "bytes", Grouped(bytes.len() as u64))?;
    let mut scratch = Scratch::new();
    let mut read = nav.info(&mut scratch, &mut out);
    if let (true, AnyNav::Plugin(plugin)) = (typed.records, nav) {
        writeln!(out)?;
        read = read.and(print_records(plugin, &mut scratch, &mut out));
    }
    // What could not be read has been said by then.
    let graph = nav.graph_stats().value;
    if graph.nodes > 0 {
        writeln!(out)?;
        graph.write(&mut out)?;
    }
    out.flush()?;
    mesh.intact()?;
    super::readable(read, path)
}
