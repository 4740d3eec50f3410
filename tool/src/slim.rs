//! `navmap slim`: writes a mesh without the parts that its game does not use.

use super::out::{Out, say};
use super::target::Target;
use super::{Exit, Failure, args, plan};
use navmap::error::Error;
use navmap::format::source::{Ballast, SourceBuf};
use navmap::open::Mesh;
use navmap::text::path_text;
use std::io::Write;

pub(super) fn run(typed: &args::Slim) -> Result<Exit, Failure> {
    typed.goal.vacant()?;
    let mesh = match Mesh::open_with(&typed.path, &plan::options(&typed.open)) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    let nav = mesh.nav().as_view().ok_or_else(|| {
        let why = format!("{} meshes hold nothing that could be left out", mesh.family());
        Error::invalid("family", why)
    });
    let read = nav.and_then(SourceBuf::read);
    let mut buf = match read.and_then(|buf| mesh.intact().map(|()| buf)) {
        Ok(buf) => buf,
        Err(error) => return Ok(super::unreadable(error, &typed.path)),
    };
    drop(mesh);
    let whole = buf.encode()?.len();
    let unused = Ballast::unused(&buf.head);
    let drop = if typed.drop.is_empty() { unused.clone() } else { typed.drop.clone() };
    let mut table = format!("{:<12}{:>10}{:>12}\n", "kind", "records", "bytes");
    for weight in buf.weigh() {
        let goes = if drop.contains(&weight.of) && weight.records > 0 { "  dropped" } else { "" };
        table.push_str(&format!("{:<12}{:>10}{:>12}{goes}\n", weight.of, weight.records, weight.bytes));
    }
    let gone = buf.slim(&drop);
    let bytes = buf.encode()?;
    let saved = whole.saturating_sub(bytes.len());
    let share = 100.0 * saved as f64 / whole.max(1) as f64;
    table.push_str(&format!("{saved} of {whole} bytes saved ({share:.1} %)"));
    if typed.goal.is_stdout() {
        table.lines().for_each(|line| say(format_args!("{line}")));
    } else {
        let mut out = Out::new();
        writeln!(out, "{table}")?;
        out.flush()?;
    }
    for weight in gone.iter().filter(|weight| !unused.contains(&weight.of)) {
        say(format_args!(
            "{}: the game uses {}: the mesh no longer counts as analysed",
            path_text(&typed.path),
            weight.of
        ));
    }
    Target::typed(&typed.path, &typed.goal).mesh(&bytes)?;
    Ok(Exit::Clean)
}
