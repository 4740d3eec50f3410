//! `navmap dump`: prints everything in one file as JSON.

use super::out::Out;
use super::{Exit, Failure, args, plan};
use navmap::Counts;
use navmap::bytes::Scratch;
use navmap::format::NavFile;
use navmap::open::{Bytes, Mesh};
use serde::Serialize;
use std::io::{self, Write};

pub(super) fn run(typed: &args::Dump) -> Result<Exit, Failure> {
    let (path, options) = (&typed.path, plan::options(&typed.open));
    let mesh = match Mesh::parse(Bytes::open(path, &options)?, &options) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let nav = mesh.nav();
    let mut out = Out::new().json(true);
    if typed.pretty {
        nav.serialize(&mut serde_json::Serializer::pretty(&mut out)).map_err(io::Error::from)?;
    } else {
        serde_json::to_writer(&mut out, nav).map_err(io::Error::from)?;
    }
    writeln!(out)?;
    out.flush()?;
    // The JSON has the error too. Exit status and stderr report it to programs and people that do not read the JSON.
    let survey = nav.survey(&mut Scratch::new(), &mut Counts::default(), &mut |_| {});
    mesh.intact()?;
    super::readable(survey, path)
}
