//! Load orders as they are typed.

use super::paths::Paths;
use super::{Exit, args, left_out, plan, progress};
use navmap::error::{Error, Result};
use navmap::format::skyrim::LoadOrder;
use navmap::open::{Plugins, load_order};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens the plugins of a load order. Reports unreadable ones, which also affect the exit status.
///
/// # Errors
/// If a list of plugins cannot be read, or none is left.
pub(super) fn open(typed: &args::Order) -> Result<(Plugins, Exit)> {
    let (plugins, missing) = listed(&typed.paths, &typed.data, &typed.open)?;
    let exit = left_out(&plugins.beside().unread).max(missing);
    if plugins.is_empty() {
        return Err(Error::invalid("load order", "has no plugin that can be read"));
    }
    Ok((plugins, exit))
}

/// Appends a path to `files`, or the plugins that it lists. Returns whether it is a list.
///
/// # Errors
/// If a list cannot be read, or names a plugin that does not exist.
pub(super) fn put(path: &Path, data: &[PathBuf], files: &mut Vec<PathBuf>) -> Result<bool> {
    match load_order(path, data)? {
        Some(order) => {
            files.extend(order);
            Ok(true)
        }
        None => {
            files.push(path.to_owned());
            Ok(false)
        }
    }
}

/// Opens plugins by their paths, and those in lists of plugins and profiles. Missing paths affect the exit status.
///
/// # Errors
/// If a list cannot be read, or names a plugin that does not exist.
pub(super) fn listed(paths: &args::Paths, data: &[PathBuf], open: &args::Open) -> Result<(Plugins, Exit)> {
    let mut paths = Paths::read(paths, &Arc::default())?;
    let mut files = Vec::new();
    for path in &mut paths {
        put(&path, data, &mut files)?;
    }
    let missing = paths.finish()?;
    files.iter().for_each(|file| super::inputs::read_all(file));
    let line = progress::line(None, "plugins");
    let plugins = Plugins::open(files, &plan::options(open), &|| line.inc(1));
    drop(line);
    Ok((plugins, missing))
}

/// The index of a plugin by its file name, given with `option`.
///
/// # Errors
/// If there is none.
pub(super) fn named(order: &LoadOrder<'_>, option: &'static str, name: &str) -> Result<usize> {
    let names = || (0..order.len()).filter_map(|index| Some(order.get(index)?.0));
    let file = std::path::Path::new(name).file_name().map(|file| file.to_string_lossy().to_lowercase());
    let found = names().position(|known| Some(known.to_lowercase()) == file);
    found.ok_or_else(|| {
        let near = navmap::text::nearest(name, names());
        let hint =
            if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
        Error::invalid(option, format!("{name} is not in the load order{hint}"))
    })
}
