//! Load orders as they are typed.

use super::out::warn;
use super::paths::{Paths, is_missing};
use super::{Exit, args, left_out, plan, progress};
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::format::skyrim::LoadOrder;
use navmap::open::{Plugins, load_order};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What happens to lines of a list whose plugin does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stale {
    /// They are told and passed over, as a game does it.
    Told,
    /// The run ends: what is written for a load order must not be made of a part of it.
    Refused,
}

impl Stale {
    /// What a run does that writes, or does not.
    pub(super) fn if_written(writes: bool) -> Self {
        if writes { Self::Refused } else { Self::Told }
    }
}

/// Opens the plugins of a load order. Reports unreadable ones, which also affect the exit status.
///
/// # Errors
/// If a list of plugins cannot be read, none is left, or a line is stale and refused.
pub(super) fn open(typed: &args::Order, stale: Stale) -> Result<(Plugins, Exit)> {
    let (plugins, missing) = listed(&typed.paths, &typed.data, &typed.open, stale)?;
    let exit = left_out(&plugins.beside().unread).max(missing);
    if plugins.is_empty() {
        return Err(none());
    }
    Ok((plugins, exit))
}

/// The error of a load order without plugins.
pub(super) fn none() -> Error {
    Error::invalid("load order", "has no plugin that can be read")
}

/// The paths, each list of plugins replaced by its plugins. Returns whether there was a list.
///
/// # Errors
/// If a list cannot be read, none of its plugins exists, a line is stale and refused, or `--data` is given without a list.
pub(super) fn files(
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
    data: &[PathBuf],
    stale: Stale,
) -> Result<(Vec<PathBuf>, bool)> {
    let (mut files, mut lists) = (Vec::new(), false);
    for path in paths {
        lists |= put(path.as_ref(), data, stale, &mut files)?;
    }
    // A list that is not there is an error of its own.
    if let Some(last) = files.last().filter(|_| !lists && !data.is_empty())
        && !files.iter().any(|file| is_missing(file))
    {
        let why = "is where the plugins of a list or a profile lie, and none is given";
        return Err(Error::invalid("--data", why).in_file(last));
    }
    Ok((files, lists))
}

/// Appends a path to `files`, or the plugins that it lists. Returns whether it is a list.
fn put(path: &Path, data: &[PathBuf], stale: Stale, files: &mut Vec<PathBuf>) -> Result<bool> {
    match load_order(path, data)? {
        Some(listed) => {
            let passes = stale == Stale::Told && !listed.plugins.is_empty();
            if let Some(error) = listed.missing.as_ref().filter(|_| passes) {
                warn(format_args!("navmap: {error}; passed over, as by the game"));
                files.extend(listed.plugins);
            } else {
                files.extend(listed.whole()?);
            }
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
/// Those of [`files`].
pub(super) fn listed(
    paths: &args::Paths,
    data: &[PathBuf],
    open: &args::Open,
    stale: Stale,
) -> Result<(Plugins, Exit)> {
    let mut paths = Paths::read(paths, &Arc::default())?;
    let (files, _) = files(&mut paths, data, stale)?;
    let missing = paths.finish()?;
    files.iter().for_each(|file| super::inputs::read_all(file));
    let line = progress::line(None, "plugins");
    let plugins = Plugins::open(files, &plan::options(open), &|| line.inc(1));
    drop(line);
    Ok((plugins, missing))
}

/// Whether a patch is light: by the option, or by the name of the file that it goes to.
///
/// # Errors
/// If the game of the load order has no light plugins.
pub(super) fn is_light(order: &LoadOrder<'_>, asked: bool, output: Option<&Path>) -> Result<bool> {
    let named = output.filter(|path| has_extension(path, &["esl"]));
    match order.game().filter(|game| game.light_flag().is_none()) {
        Some(game) if asked => Err(Error::invalid("--light", format!("{game} has no light plugins"))),
        Some(game) => named.map_or(Ok(false), |path| {
            Err(Error::invalid("output", format!("{game} has no light plugins (.esl)")).in_file(path))
        }),
        None => Ok(asked || named.is_some()),
    }
}

/// The name of the file that a patch goes to.
pub(super) fn file_name(output: &Path) -> String {
    output.file_name().unwrap_or_default().to_string_lossy().into_owned()
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
