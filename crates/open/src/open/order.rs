//! Load orders in the files of games and mod managers: `plugins.txt`, `loadorder.txt`, and the profiles of Mod Organizer 2.

use navmap_core::error::{Error, Result};
use navmap_formats::Kind;
use navmap_skyrim::decode_text;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Masters that the games load even if no list names them.
const IMPLIED: [&str; 14] = [
    "skyrim.esm",
    "update.esm",
    "dawnguard.esm",
    "hearthfires.esm",
    "dragonborn.esm",
    "fallout4.esm",
    "dlcrobot.esm",
    "dlcworkshop01.esm",
    "dlccoast.esm",
    "dlcworkshop02.esm",
    "dlcworkshop03.esm",
    "dlcnukaworld.esm",
    "starfield.esm",
    "constellation.esm",
];

/// The plugins of a written load order, in order. `None` if the path is not one: a list (`plugins.txt`, `loadorder.txt` or any
/// other `.txt`), or the folder of a Mod Organizer 2 profile, which has a `modlist.txt`.
///
/// Plugins are searched by name, ignoring case: first in the `overwrite` folder and the enabled mods of a profile, from the top
/// of its list down, then in the folders of `data`, the last one first, then beside the list. If lines begin with `*`, as since
/// Skyrim Special Edition, only those are active; a `loadorder.txt` beside a `plugins.txt` gives the order. The game's own
/// masters load first if they exist, even if no list names them.
///
/// # Errors
/// If a list cannot be read, or a plugin in it is in none of the folders. The error names all missing ones.
pub fn load_order(path: &Path, data: &[PathBuf]) -> Result<Option<Vec<PathBuf>>> {
    let is_list = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let is_profile = !is_list && path.join("modlist.txt").is_file();
    if !(is_list && path.is_file() || is_profile) {
        return Ok(None);
    }
    let folder = if is_profile { path } else { path.parent().unwrap_or(Path::new("")) };
    let mut places = Vec::new();
    if folder.join("modlist.txt").is_file() {
        places.extend(mods(folder)?);
    }
    places.extend(data.iter().rev().cloned());
    places.push(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() });
    let known = listed(&places);
    let names = names(path, folder, is_profile)?;
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    let implied = IMPLIED.iter().map(|name| (*name).to_owned()).filter(|name| known.contains_key(name));
    let mut missing = Vec::new();
    for name in implied.chain(names) {
        let key = name.to_lowercase();
        if !seen.insert(key.clone()) {
            continue;
        }
        match known.get(&key) {
            Some(path) => order.push(path.clone()),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        return Ok(Some(order));
    }
    let why = format!(
        "names plugins that are in none of {} folders: {}",
        places.len(),
        navmap_core::text::printable(missing.join(", ").as_bytes())
    );
    Err(Error::invalid("load order", why).in_file(path))
}

/// The plugins that are active, in order.
fn names(path: &Path, folder: &Path, is_profile: bool) -> Result<Vec<String>> {
    let plugins = folder.join("plugins.txt");
    let loads = folder.join("loadorder.txt");
    let (list, order) = match is_profile {
        true if plugins.is_file() => (plugins, loads.is_file().then_some(loads)),
        true => (loads, None),
        false => {
            let is_plugins = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("plugins.txt"));
            (path.to_owned(), (is_plugins && loads.is_file()).then_some(loads))
        }
    };
    let lines = lines(&list)?;
    let starred = lines.iter().any(|line| line.starts_with('*'));
    let active: Vec<String> = lines
        .into_iter()
        .filter_map(|line| match line.strip_prefix('*') {
            Some(name) => Some(name.trim().to_owned()),
            None => (!starred).then_some(line),
        })
        .collect();
    let Some(order) = order else { return Ok(active) };
    let wanted: HashSet<String> = active.iter().map(|name| name.to_lowercase()).collect();
    let ordered = self::lines(&order)?.into_iter().map(|line| line.trim_start_matches('*').to_owned());
    let mut names: Vec<String> = ordered.filter(|name| wanted.contains(&name.to_lowercase())).collect();
    let placed: HashSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    names.extend(active.into_iter().filter(|name| !placed.contains(&name.to_lowercase())));
    Ok(names)
}

/// The lines of a list, without empty ones and comments. Lists are in the game's code page, or in UTF-8.
fn lines(path: &Path) -> Result<Vec<String>> {
    let bytes = fs::read(path).map_err(|error| Error::from(error).in_file(path))?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let lines = bytes.split(|byte| *byte == b'\n').map(|line| decode_text(line).trim().to_owned());
    Ok(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect())
}

/// The folders of a profile's mods, the winning one first.
fn mods(profile: &Path) -> Result<Vec<PathBuf>> {
    let lines = lines(&profile.join("modlist.txt"))?;
    let whole = fs::canonicalize(profile).map_err(|error| Error::from(error).in_file(profile))?;
    let base = whole.parent().and_then(Path::parent).unwrap_or(&whole).to_owned();
    let enabled = lines.iter().filter_map(|line| line.strip_prefix('+'));
    let mods = enabled.map(|name| base.join("mods").join(name)).filter(|folder| folder.is_dir());
    Ok(std::iter::once(base.join("overwrite")).chain(mods).collect())
}

/// The plugins in these folders by their names in lower case. Earlier folders win.
fn listed(places: &[PathBuf]) -> HashMap<String, PathBuf> {
    let mut known = HashMap::new();
    for place in places {
        let Ok(entries) = fs::read_dir(place) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| Kind::Plugin.ends(path)) {
            if let Some(name) = path.file_name() {
                known.entry(name.to_string_lossy().to_lowercase()).or_insert(path);
            }
        }
    }
    known
}
