//! `navmap info`: one file, for a person.

#![forbid(unsafe_code)]

use super::out::Out;
use super::{Exit, Failure, args, plan};
use crate::bytes::Scratch;
use crate::format::AnyNav;
use crate::mesh::NavFile;
use crate::text::{Grouped, fact, printable};
use std::io::Write;

pub(super) fn run(typed: &args::One) -> Result<Exit, Failure> {
    let opener = plan::opener(&typed.open);
    let bytes = opener.open(&typed.path)?;
    let nav = match AnyNav::parse(&bytes, Some(&typed.path), &plan::options(&typed.open)) {
        Ok(nav) => nav,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let mut out = Out::new();
    fact(&mut out, "file", printable(typed.path.to_string_lossy().as_bytes()))?;
    fact(&mut out, "bytes", Grouped(bytes.len() as u64))?;
    let read = nav.info(&mut Scratch::new(), &mut out).and_then(|()| bytes.intact());
    out.flush()?;
    super::readable(read, &typed.path)
}
