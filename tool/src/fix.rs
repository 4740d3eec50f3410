//! `navmap check --fix`: prints the commands that repair the findings, and runs them if an output is named.

use super::findings::Filter;
use super::out::{Out, say};
use super::save::vacant;
use super::target::Target;
use super::{Exit, Failure, args, plan};
use navmap::Finding;
use navmap::bytes::Scratch;
use navmap::edit::{AnySession, Fix, SessionOptions};
use navmap::error::Error;
use navmap::format::{AnyNav, NavFile};
use navmap::open::{Mesh, edit};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    let [path] = typed.run.paths.paths.as_slice() else {
        return Err(Error::invalid("--fix", "takes one mesh at a time").into());
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
    let script = script(path, session.fixes(), &found);
    match mend(session, target, path, &script) {
        Err(Failure::Nav(error)) => Ok(super::unreadable(error, path)),
        fared => fared,
    }
}

/// The number of findings of each code.
fn findings(nav: &AnyNav<'_>, filter: &Filter<'_>) -> BTreeMap<&'static str, usize> {
    let mut found = BTreeMap::new();
    let mut note = |finding: Finding| {
        if filter.wants(finding.code) {
            *found.entry(finding.code).or_insert(0) += 1;
        }
    };
    // A mesh that cannot be read to its end is refused later.
    let _ = NavFile::check(nav, &mut Scratch::default(), &mut note);
    found
}

/// The commands, each once, with the findings they repair.
fn script(path: &Path, fixes: &[Fix], found: &BTreeMap<&'static str, usize>) -> String {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for fix in fixes {
        let Some(count) = found.get(fix.code) else { continue };
        let what = format!("{} {count}", fix.code);
        match lines.iter_mut().find(|(command, _)| *command == fix.command) {
            Some((_, codes)) => codes.push(what),
            None => lines.push((fix.command, vec![what])),
        }
    }
    let name = navmap::text::printable(path.to_string_lossy().as_bytes());
    let mut script = match lines.is_empty() {
        true => format!("// {name}: nothing that a command would mend\n"),
        false => format!("// {name}: what was found and can be mended\n"),
    };
    for (command, codes) in lines {
        script.push_str(&format!("{command} // {}\n", codes.join(", ")));
    }
    script
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
            say(format_args!("navmap: {}: {refusal}; nothing is written", path.display()));
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
