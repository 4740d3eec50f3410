//! `navmap check --fix`: prints the commands that repair the findings, and runs them if an output is named. Of a folder or several
//! meshes, a script for each, or all of them are mended in place.

mod many;
mod script;

use super::findings::Filter;
use super::out::{Out, say};
use super::save::vacant;
use super::target::Target;
use super::{Exit, Failure, args, plan};
use navmap::edit::{AnySession, SessionOptions};
use navmap::open::{Mesh, edit};
use navmap::text::path_text;
use script::{findings, script};
use std::io::Write;
use std::path::Path;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    let path = match typed.run.paths.paths.as_slice() {
        [path] if !path.is_dir() && typed.run.paths.files_from.is_none() => path,
        _ => return many::run(typed),
    };
    let target = Target::new(path, typed.output.as_deref(), typed.in_place).force(typed.force);
    if let Some(output) = &typed.output {
        vacant(output, typed.force)?;
    }
    let mesh = match Mesh::open_with(path, &plan::options(&typed.run.open)) {
        Ok(mesh) => mesh,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let found = findings(mesh.nav(), &Filter::new(typed));
    mesh.intact()?;
    let session = match edit(&mesh, SessionOptions::default()) {
        Ok(session) => session,
        Err(error) => return Ok(super::unreadable(error, path)),
    };
    let script = script(path, mesh.nav(), session.fixes(), &found);
    match mend(session, target, path, &script) {
        Err(Failure::Nav(error)) => Ok(super::unreadable(error, path)),
        fared => fared,
    }
}

/// Runs the commands that mend what was found.
fn mend(
    mut session: Box<dyn AnySession>,
    mut target: Target<'_>,
    path: &Path,
    script: &str,
) -> Result<Exit, Failure> {
    let mut out = Out::new();
    write!(out, "{script}")?;
    out.flush()?;
    match session.run(script) {
        (outcomes, None) => {
            outcomes.iter().flat_map(|outcome| &outcome.said).for_each(|line| say(format_args!("{line}")))
        }
        (_, Some(refusal)) => {
            say(format_args!("navmap: {}: {refusal}; nothing is written", path_text(path)));
            return Ok(Exit::Findings);
        }
    }
    if session.steps() == 0 {
        return Ok(Exit::Clean);
    }
    match session.encode().and_then(|bytes| target.mesh(&bytes)) {
        Ok(true) => Ok(Exit::Clean),
        // Something remains to be repaired.
        Ok(false) => Ok(Exit::Findings),
        Err(error) => Ok(super::unreadable(error, path)),
    }
}
