//! Mends every mesh in folders, or writes a script for each.

use super::script::{findings, script};
use crate::findings::Filter;
use crate::out::{Out, complain, say};
use crate::paths::Paths;
use crate::save::save;
use crate::target::Target;
use crate::{Exit, Failure, args, common, inputs, plan, progress, signals, unreadable};
use navmap::edit::SessionOptions;
use navmap::error::{Error, Result};
use navmap::format::{Ability, AnyNav, Kind};
use navmap::open::{Files, Mesh, OpenOptions, edit, may_be_archive};
use navmap::text::{Grouped, counted, path_text};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// How many findings of a code were mended, and in how many meshes.
type Sums = BTreeMap<&'static str, (usize, usize)>;

/// What a run has done.
#[derive(Default)]
struct Done {
    meshes: u64,
    mended: Sums,
    /// Meshes for which there is a script or a mended file.
    changed: u64,
    /// Meshes of families without an editor.
    unedited: u64,
    /// Archives in folders, whose members are not mended.
    archives: u64,
    /// Whether a mesh could not be read, or a command was refused.
    failed: bool,
    /// The scripts that were written.
    scripts: BTreeSet<PathBuf>,
}

pub(super) fn run(typed: &args::Check) -> std::result::Result<Exit, Failure> {
    if let Some(folder) = typed.output.as_deref().filter(|output| output.exists() && !output.is_dir()) {
        let why = "is to be a folder: several meshes have a script each";
        return Err(Error::invalid("output", why).in_file(folder).into());
    }
    let stop = Arc::new(AtomicBool::new(false));
    signals::stop_by(&stop);
    let mut paths = Paths::read(&typed.run.paths, &stop)?;
    let roots: Vec<PathBuf> = paths.by_ref().collect();
    let named = paths.finish()?;
    common::begin_at(roots.iter().cloned());
    let files: Vec<_> = Files::new(roots.clone()).collect();
    let line = if typed.run.quiet { None } else { Some(progress::line(Some(files.len()), "files")) };
    let (mut done, mut out) = (Done::default(), Out::new());
    for found in files {
        if stop.load(SeqCst) {
            break;
        }
        if let Some(line) = &line {
            line.inc(1);
        }
        let candidate = match found {
            Ok(candidate) => candidate,
            Err(error) => {
                complain(format_args!("navmap: {error}"));
                done.failed = true;
                continue;
            }
        };
        if !candidate.named && !Kind::names(&candidate.path) {
            done.archives = done.archives.saturating_add(may_be_archive(&candidate.path).into());
            continue;
        }
        inputs::read(&candidate.path, true);
        one(typed, &candidate.path, &roots, &mut done, &mut out)?;
    }
    drop(line);
    out.flush()?;
    if !typed.run.quiet {
        sum_up(typed, &done);
    }
    Ok(match stop.load(SeqCst) {
        true => Exit::Stopped,
        // Something remains to be repaired.
        false if done.failed || (done.changed > 0 && !typed.in_place) => Exit::Findings.max(named),
        false => named,
    })
}

/// Mends one mesh, or writes its script.
fn one(
    typed: &args::Check,
    path: &Path,
    roots: &[PathBuf],
    done: &mut Done,
    out: &mut Out,
) -> std::result::Result<(), Failure> {
    let options = plan::options(&typed.run.open);
    let mesh = match Mesh::open_with(path, &options) {
        Ok(mesh) => mesh,
        // Many files end in .bin or .graph, and are no meshes.
        Err(error) if error.is_not_mesh() && !roots.iter().any(|root| root == path) => return Ok(()),
        Err(error) => {
            unreadable(error, path);
            done.failed = true;
            return Ok(());
        }
    };
    done.meshes = done.meshes.saturating_add(1);
    if !mesh.kind().can(Ability::Edit) {
        done.unedited = done.unedited.saturating_add(1);
        return Ok(());
    }
    let filter = Filter::new(typed);
    let found = findings(mesh.nav(), &filter);
    let opened = mesh.intact().and_then(|()| edit(&mesh, SessionOptions::default()));
    let mut session = match opened {
        Ok(session) => session,
        Err(error) => {
            unreadable(error, path);
            done.failed = true;
            return Ok(());
        }
    };
    let script = script(path, mesh.nav(), session.fixes(), &found);
    if let (_, Some(refusal)) = session.run(&script) {
        complain(format_args!("navmap: {}: {refusal}; nothing is written", path_text(path)));
        done.failed = true;
        return Ok(());
    }
    if session.steps() == 0 {
        return Ok(());
    }
    let fared = session.encode().and_then(|bytes| {
        done.count(&bytes, path, &options, &filter, &found)?;
        drop(mesh);
        write(typed, path, roots, &script, &bytes, done, out)
    });
    match fared {
        Ok(()) => done.changed = done.changed.saturating_add(1),
        Err(error) => {
            complain(format_args!("navmap: {}", error.in_file(path)));
            done.failed = true;
        }
    }
    Ok(())
}

/// Writes the mended mesh over the old one, or the script: to its file, or else to standard output.
fn write(
    typed: &args::Check,
    path: &Path,
    roots: &[PathBuf],
    script: &str,
    bytes: &[u8],
    done: &mut Done,
    out: &mut Out,
) -> Result<()> {
    match &typed.output {
        Some(folder) => {
            let name = script_name(folder, path, roots);
            if !done.scripts.insert(name.clone()) {
                let why = "is the script of another mesh of this run: name a folder that holds both meshes";
                return Err(Error::invalid("output", why).in_file(&name));
            }
            save(&name, typed.force, |out| out.write_all(script.as_bytes()))
        }
        None => {
            if typed.in_place {
                Target::new(path, None, true).force(typed.force).mesh(bytes)?;
            }
            out.write_all(script.as_bytes()).and_then(|()| out.end_row()).map_err(Error::from)
        }
    }
}

/// `scripts/mods/a.nav.txt` for `maps/mods/a.nav`, if `maps` was named.
fn script_name(folder: &Path, path: &Path, roots: &[PathBuf]) -> PathBuf {
    let mut name = folder.join(common::below(path, roots)).into_os_string();
    name.push(".txt");
    name.into()
}

impl Done {
    /// Counts what was found and is no longer there.
    fn count(
        &mut self,
        bytes: &[u8],
        path: &Path,
        options: &OpenOptions,
        filter: &Filter<'_>,
        before: &BTreeMap<&'static str, usize>,
    ) -> Result<()> {
        let mended = AnyNav::parse(bytes, Some(path), &options.format())?;
        let after = findings(&mended, filter);
        for (code, count) in before {
            let left = after.get(code).copied().unwrap_or(0);
            if let Some(fewer) = count.checked_sub(left).filter(|fewer| *fewer > 0) {
                let sum = self.mended.entry(*code).or_default();
                *sum = (sum.0.saturating_add(fewer), sum.1.saturating_add(1));
            }
        }
        Ok(())
    }
}

/// A line for each code, and one for the whole.
fn sum_up(typed: &args::Check, done: &Done) {
    let in_place = typed.in_place && !common::dry();
    let would = if in_place { "mended" } else { "would be mended" };
    for (code, (count, meshes)) in &done.mended {
        let meshes = counted(*meshes as u64, "mesh", "meshes");
        say(format_args!("{:>9}  {code} {would} in {meshes}", Grouped(*count as u64)));
    }
    let unedited = match done.unedited {
        0 => String::new(),
        count => format!(", {} of families that cannot be edited", counted(count, "mesh", "meshes")),
    };
    let what = match (&typed.output, in_place) {
        (Some(_), _) => counted(done.changed, "script", "scripts"),
        (None, true) => format!("{} mended", Grouped(done.changed)),
        (None, false) => format!("{} with something to mend", Grouped(done.changed)),
    };
    say(format_args!("{}: {what}{unedited}", counted(done.meshes, "mesh", "meshes")));
    if done.archives > 0 {
        let archives = counted(done.archives, "archive is", "archives are");
        say(format_args!("{archives} not looked into: name archive!member"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_lie_as_their_meshes_do() {
        let name = |path: &str, root: &str| script_name(Path::new("s"), Path::new(path), &[root.into()]);
        assert_eq!(name("maps/mods/a.nav", "maps"), Path::new("s/mods/a.nav.txt"));
        assert_eq!(name("maps/a.nav", "maps/a.nav"), Path::new("s/a.nav.txt"));
        assert_eq!(name("other/a.nav", "maps"), Path::new("s/a.nav.txt"));
    }
}
