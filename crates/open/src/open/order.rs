//! Load orders in the files of games and mod managers: `plugins.txt`, `loadorder.txt`, and the profiles of Mod Organizer 2.

mod turns;

use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use navmap_core::text::{path_text, printable};
use navmap_formats::Kind;
use navmap_skyrim::{Plugin, decode_text};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
pub(super) use turns::{Loads, in_turn};

/// Plugins that the games load even if no list names them, in order.
const IMPLIED: [&str; 24] = [
    "skyrim.esm",
    "update.esm",
    "dawnguard.esm",
    "hearthfires.esm",
    "dragonborn.esm",
    "skyrimvr.esm",
    "fallout4.esm",
    "dlcrobot.esm",
    "dlcworkshop01.esm",
    "dlccoast.esm",
    "dlcworkshop02.esm",
    "dlcworkshop03.esm",
    "dlcnukaworld.esm",
    "dlcultrahighresolution.esm",
    "starfield.esm",
    "constellation.esm",
    "oldmars.esm",
    "shatteredspace.esm",
    "sfbgs003.esm",
    "sfbgs004.esm",
    "sfbgs006.esm",
    "sfbgs007.esm",
    "sfbgs008.esm",
    "blueprintships-starfield.esm",
];

/// Whether a file of this name is one of the plugins that come with a game or its add-ons, as the games load them unasked.
pub fn comes_with_game(name: &str) -> bool {
    IMPLIED.contains(&name.to_lowercase().as_str())
}

/// Lists of the Creation Club, in the folder of the game. What they name loads too.
const CLUB: [&str; 3] = ["Skyrim.ccc", "Fallout4.ccc", "Starfield.ccc"];
/// The most bytes of such a list. Those of the games have less than 10 KB.
const MOST_CLUB: u64 = 1 << 20;
/// The most bytes of a plugin that are read in order to find its place. The header of a master can list all records that
/// it overrides.
const MOST_HEADER: u64 = 16 << 20;

/// The plugins of a written load order.
#[derive(Debug, Default)]
pub struct ListedPlugins {
    /// Those that exist, in the order in which the game loads them.
    pub plugins: Vec<PathBuf>,
    /// The error of the lines whose plugin does not exist. A game passes over them.
    pub missing: Option<Error>,
}

impl ListedPlugins {
    /// The plugins if nothing is missing.
    ///
    /// # Errors
    /// If a plugin of the list does not exist.
    pub fn whole(self) -> Result<Vec<PathBuf>> {
        self.missing.map_or(Ok(self.plugins), Err)
    }
}

/// The plugins of a written load order, in order. `None` if the path is not one: a list (`plugins.txt`, `loadorder.txt` or any
/// other `.txt`), or the folder of a Mod Organizer 2 profile, which has a `modlist.txt`.
///
/// Plugins are searched by name, ignoring case: first in the `overwrite` folder and the enabled mods of a profile, from the top
/// of its list down, then in the folders of `data`, the last one first, then beside the list. If lines begin with `*`, as since
/// Skyrim Special Edition, only those are active; a `loadorder.txt` beside a `plugins.txt` gives the order.
///
/// The game's own plugins load first if they exist, even if no list names them, and then those that a `Skyrim.ccc`,
/// `Fallout4.ccc` or `Starfield.ccc` names, if one lies in a folder of `data`, beside the list or one folder above. After
/// that the masters (by flag, or as `.esm` or `.esl`) come before all others, whatever the list says.
///
/// # Errors
/// If a list cannot be read.
pub fn load_order(path: &Path, data: &[PathBuf]) -> Result<Option<ListedPlugins>> {
    let is_list = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
    let is_profile = !is_list && path.join("modlist.txt").is_file();
    if !(is_list && path.is_file() || is_profile) {
        return Ok(None);
    }
    let folder = if is_profile { path } else { path.parent().unwrap_or(Path::new("")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut places = Vec::new();
    if folder.join("modlist.txt").is_file() {
        places.extend(mods(folder)?);
    }
    let of_game = places.len();
    places.extend(data.iter().rev().cloned());
    places.push(folder.to_owned());
    let known = listed(&places);
    let names = names(path, folder, is_profile)?;
    let club = places.iter().skip(of_game).flat_map(|place| club(place));
    let implied = IMPLIED.iter().map(|name| (*name).to_owned()).chain(club);
    let implied = implied.filter(|name| known.contains_key(&name.to_lowercase()));
    let (mut plugins, mut missing, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for name in implied.chain(names) {
        let key = name.to_lowercase();
        if !seen.insert(key.clone()) {
            continue;
        }
        match known.get(&key) {
            Some(path) => plugins.push(path.clone()),
            None => missing.push(name),
        }
    }
    let missing = (!missing.is_empty()).then(|| {
        let places: Vec<String> = places.iter().map(|place| path_text(place).into_owned()).collect();
        let (names, places) = (few(&missing, 255), few(&places, 4_096));
        let why = format!(
            "names plugins that are not there: {names}; searched in {places}, --data names more folders"
        );
        Error::invalid("load order", printable(why.as_bytes())).in_file(path)
    });
    Ok(Some(ListedPlugins { plugins: by_turn(plugins), missing }))
}

/// Plugins as the game loads them.
fn by_turn(plugins: Vec<PathBuf>) -> Vec<PathBuf> {
    let loads: Vec<Loads> = plugins.iter().map(|path| loads(path)).collect();
    let mut plugins: Vec<Option<PathBuf>> = plugins.into_iter().map(Some).collect();
    let order = in_turn(&loads, false).into_iter();
    order.filter_map(|place| plugins.get_mut(place)?.take()).collect()
}

/// What decides about the place of a plugin. Only its header is read.
fn loads(path: &Path) -> Loads {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut file| {
        file.by_ref().take(24).read_to_end(&mut bytes).ok()?;
        let size = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
        file.take(u64::from(size).min(MOST_HEADER)).read_to_end(&mut bytes).ok()
    });
    let plugin = read.and_then(|_| Plugin::parse(&bytes, &Limits::default()).ok());
    Loads::new(&name, plugin.as_ref())
}

/// The plugins that the lists of the Creation Club name in a folder of plugins, or the one above it.
fn club(place: &Path) -> Vec<String> {
    let folders = [place.to_owned(), place.join("..")];
    let lists = folders.iter().flat_map(|folder| CLUB.map(|name| folder.join(name)));
    let read = |path: PathBuf| {
        let mut bytes = Vec::new();
        open(&path)?.take(MOST_CLUB).read_to_end(&mut bytes).ok()?;
        Some(lines_of(&bytes))
    };
    lists.filter_map(read).flatten().collect()
}

/// Opens a regular file, which no reader has to wait for.
fn open(path: &Path) -> Option<File> {
    fs::metadata(path).ok()?.is_file().then(|| File::open(path).ok())?
}

/// The first names of a list, and how many follow. What has more letters than the longest may have is cut.
fn few(names: &[String], longest: usize) -> String {
    const SHOWN: usize = 8;
    let cut = |name: &String| {
        let start: String = name.chars().take(longest).collect();
        if start.len() < name.len() { start + "…" } else { start }
    };
    let mut text = names.iter().take(SHOWN).map(cut).collect::<Vec<_>>().join(", ");
    if let more @ 1.. = names.len().saturating_sub(SHOWN) {
        text.push_str(&format!(" and {more} more"));
    }
    text
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
    Ok(lines_of(&bytes))
}

fn lines_of(bytes: &[u8]) -> Vec<String> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n').map(|line| decode_text(line).trim().to_owned());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The folders of a profile's mods, the winning one first.
fn mods(profile: &Path) -> Result<Vec<PathBuf>> {
    let lines = lines(&profile.join("modlist.txt"))?;
    let whole = fs::canonicalize(profile).map_err(|error| Error::from(error).in_file(profile))?;
    let base = whole.parent().and_then(Path::parent).unwrap_or(&whole).to_owned();
    // A mod is one folder; one that the list names again is not read again.
    let mut seen = HashSet::new();
    let enabled = lines.iter().filter_map(|line| {
        let mut pieces = Path::new(line.strip_prefix('+')?).components();
        match (pieces.next(), pieces.next()) {
            (Some(Component::Normal(name)), None) => seen.insert(name).then_some(name),
            _ => None,
        }
    });
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
        // No pipe of such a name, whose reader would wait.
        for path in paths.into_iter().filter(|path| Kind::Plugin.ends(path) && path.is_file()) {
            if let Some(name) = path.file_name() {
                known.entry(name.to_string_lossy().to_lowercase()).or_insert(path);
            }
        }
    }
    known
}
