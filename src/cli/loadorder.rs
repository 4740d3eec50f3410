//! `navmap check --load-order`: checks several plugins as the game loads them.

#![forbid(unsafe_code)]

use super::check::exit;
use super::findings::{Filter, Mesh, Shown, Summary, print};
use super::out::Out;
use super::paths::Paths;
use super::{Exit, Failure, args, plan, progress};
use crate::bytes::Scratch;
use crate::finding::Finding;
use crate::format::Family;
use crate::format::skyrim::{LoadOrder, Plugin};
use crate::scan::path_text;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    let options = plan::options(&typed.run.open);
    let mut summary = Summary::new(Filter::of(typed));
    let mut paths = Paths::of(&typed.run.paths, &Arc::default())?;
    let mut out = Out::new();
    let mut bad = false;
    let mut files = Vec::new();
    let line = progress::line(None, "plugins");
    for path in &mut paths {
        line.inc(1);
        let bytes = options.backing(&path)?;
        files.push((path, bytes));
    }
    paths.finish()?;
    let mut order = LoadOrder::new();
    let mut loaded: Vec<&PathBuf> = Vec::new();
    for (path, bytes) in &files {
        match Plugin::parse(bytes, &options.limits) {
            Ok(plugin) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                order.push(name.to_string_lossy(), plugin);
                loaded.push(path);
            }
            Err(error) => {
                bad = true;
                line.suspend(|| print(&mut out, typed.format, mesh(&path_text(path)), &Shown::from(&error)))?;
            }
        }
    }
    let mut printed = Ok(());
    order.check(&mut Scratch::new(), &mut |plugin, finding: Finding| {
        if printed.is_err() {
            return;
        }
        let Some(finding) = summary.shown(Some(Family::Skyrim), std::slice::from_ref(&finding)).pop() else {
            return;
        };
        let path = loaded.get(plugin).map_or(Path::new(""), |path| path.as_path());
        let shown = Shown::from(finding);
        printed = line.suspend(|| print(&mut out, typed.format, mesh(&path_text(path)), &shown));
    });
    drop(line);
    printed?;
    out.flush()?;
    for (path, bytes) in &files {
        bytes.intact().map_err(|error| error.in_file(path))?;
    }
    if !typed.run.quiet {
        summary.say();
    }
    Ok(exit(&summary, typed.strict, bad))
}

fn mesh(path: &str) -> Mesh<'_> {
    Mesh { path, member: None, family: Some(Family::Skyrim) }
}
