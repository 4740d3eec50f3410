//! `navmap info`: one file, for a person.

#![forbid(unsafe_code)]

use super::out::Out;
use super::{Exit, Failure, args, named, plan};
use crate::bytes::Scratch;
use crate::format::AnyNav;
use crate::mesh::NavFile;
use crate::text::{Grouped, fact, printable};
use std::io::Write;

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let path = &typed.path;
    named::with_bytes(path, &typed.open, |bytes| {
        let nav = match AnyNav::parse(bytes, Some(path), &plan::options(&typed.open)) {
            Ok(nav) => nav,
            Err(error) => return Ok(super::unreadable(error, path)),
        };
        let mut out = Out::new();
        fact(&mut out, "file", printable(path.to_string_lossy().as_bytes()))?;
        fact(&mut out, "bytes", Grouped(bytes.len() as u64))?;
        let read = nav.info(&mut Scratch::new(), &mut out);
        out.flush()?;
        super::readable(read, path)
    })?
}
