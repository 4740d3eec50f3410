//! `navmap check --load-order`: several plugins as the game loads them.

#![forbid(unsafe_code)]

use super::check::{Shown, print};
use super::out::Out;
use super::paths::Paths;
use super::{Exit, Failure, args, plan, progress};
use crate::bytes::Scratch;
use crate::finding::Finding;
use crate::format::skyrim::{LoadOrder, Plugin};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(super) fn run(typed: &args::Check) -> Result<Exit, Failure> {
    let options = plan::options(&typed.run.open);
    let least = plan::severity(typed.least);
    let mut paths = Paths::of(&typed.run.paths)?;
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
                line.suspend(|| print(&mut out, typed.format, (path, None), &Shown::from(&error)))?;
            }
        }
    }
    let mut printed = Ok(());
    order.check(&mut Scratch::new(), &mut |plugin, finding: Finding| {
        if finding.severity < least || printed.is_err() {
            return;
        }
        bad |= typed.strict || finding.severity.counts();
        let path = loaded.get(plugin).map_or(Path::new(""), |path| path.as_path());
        let shown = Shown::from(&finding);
        printed = line.suspend(|| print(&mut out, typed.format, (path, None), &shown));
    });
    drop(line);
    printed?;
    out.flush()?;
    for (path, bytes) in &files {
        bytes.intact().map_err(|error| error.in_file(path))?;
    }
    Ok(if bad { Exit::Findings } else { Exit::Clean })
}
