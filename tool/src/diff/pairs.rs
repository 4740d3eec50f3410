//! Which mesh is compared with which: by their names inside folders and archives, then by what is in them.

use crate::args::Inputs;
use navmap::diff::Sketch;
use navmap::error::Result;
use navmap::format::Kind;
use navmap::open::{Files, Mesh, Options, Place, may_be_archive};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Two meshes, or one without a partner.
#[derive(Debug)]
pub(super) enum Pair {
    Both { before: PathBuf, after: PathBuf, label: String },
    Only { path: PathBuf, label: String, added: bool },
}

/// The meshes at a path, by their names in it. A single mesh has the name "".
type Names = BTreeMap<String, PathBuf>;

/// # Errors
/// If nothing lies at a path, or it cannot be opened.
pub(super) fn of(inputs: &Inputs, options: &Options) -> Result<Vec<Pair>> {
    let (before, after) = match inputs {
        Inputs::Git { name, versions } => {
            let pair = match versions.clone() {
                [Some(before), Some(after)] => Pair::Both { before, after, label: name.clone() },
                [before, after] => {
                    let added = before.is_none();
                    let path = before.or(after).unwrap_or_default();
                    Pair::Only { path, label: name.clone(), added }
                }
            };
            return Ok(vec![pair]);
        }
        Inputs::Two(before, after) => (before, after),
    };
    let (before, after) = beside(before, after);
    let (left, right) = (names(&before, options)?, names(&after, options)?);
    Ok(pair_up(left, right, [&before, &after], options))
}

/// A file and a folder: the file of that name in the folder, as `diff` does.
fn beside(before: &Path, after: &Path) -> (PathBuf, PathBuf) {
    let inside = |folder: &Path, file: &Path| folder.join(file.file_name().unwrap_or_default());
    match (before.is_dir(), after.is_dir()) {
        (true, false) => (inside(before, after), after.to_owned()),
        (false, true) => (before.to_owned(), inside(after, before)),
        _ => (before.to_owned(), after.to_owned()),
    }
}

fn names(path: &Path, options: &Options) -> Result<Names> {
    if path.is_dir() {
        let mut names = Names::new();
        for file in Files::new([path]) {
            let file = file?.path;
            let name = || file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
            if Kind::names(&file) {
                names.insert(name(), file);
            } else if may_be_archive(&file)
                && let Ok(members) = in_archive(&file, options)
            {
                let name = name();
                names.extend(members.into_iter().map(|(member, path)| (format!("{name}!{member}"), path)));
            }
        }
        return Ok(names);
    }
    match Place::at(path, options)? {
        Place::Mesh(_) => Ok(Names::from([(String::new(), path.to_owned())])),
        _ => in_archive(path, options),
    }
}

/// The meshes in an archive.
fn in_archive(path: &Path, options: &Options) -> Result<Names> {
    let mut names = Names::new();
    let place = Place::at(path, options)?;
    if let Place::Tiles(tiles) = &place {
        // Tile by tile, since that is what files are.
        names.extend(tiles.files().map(|file| (member_of(path, file), file.to_owned())));
        return Ok(names);
    }
    place.visit(options, &mut |item| {
        let location = item.location();
        names.insert(member_of(path, &location), location);
        ControlFlow::Continue(())
    })?;
    Ok(names)
}

fn member_of(archive: &Path, location: &Path) -> String {
    let location = location.to_string_lossy();
    let rest = location.strip_prefix(&*archive.to_string_lossy()).unwrap_or(&location);
    rest.trim_start_matches(['!', '/']).to_owned()
}

/// Pairs by name; of what is left, meshes with the same content under another name.
fn pair_up(mut left: Names, mut right: Names, roots: [&Path; 2], options: &Options) -> Vec<Pair> {
    if let ([(old, before)], [(new, after)]) =
        (&left.iter().collect::<Vec<_>>()[..], &right.iter().collect::<Vec<_>>()[..])
        && old.is_empty()
        && new.is_empty()
    {
        let [old, new] = roots.map(|root| root.display());
        let label = format!("{old} → {new}");
        return vec![Pair::Both { before: (*before).clone(), after: (*after).clone(), label }];
    }
    let mut pairs: BTreeMap<String, Pair> = BTreeMap::new();
    let common: Vec<String> = left.keys().filter(|name| right.contains_key(*name)).cloned().collect();
    for name in common {
        if let (Some(before), Some(after)) = (left.remove(&name), right.remove(&name)) {
            pairs.insert(name.clone(), Pair::Both { before, after, label: name });
        }
    }
    for (old, new) in renamed(&left, &right, options) {
        if let (Some(before), Some(after)) = (left.remove(&old), right.remove(&new)) {
            let label = format!("{old} → {new}");
            pairs.insert(new, Pair::Both { before, after, label });
        }
    }
    for (names, added) in [(left, false), (right, true)] {
        for (name, path) in names {
            // A name may be on both sides only if it was paired with another.
            let key = if pairs.contains_key(&name) { format!("{name}\u{0}") } else { name.clone() };
            pairs.insert(key, Pair::Only { path, label: name, added });
        }
    }
    pairs.into_values().collect()
}

/// Meshes that share more than half of their nodes, most alike first.
fn renamed(left: &Names, right: &Names, options: &Options) -> Vec<(String, String)> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let sketches = |names: &Names| -> Vec<(String, Sketch)> {
        let all: Vec<(&String, &PathBuf)> = names.iter().collect();
        let sketch = |(name, path): &(&String, &PathBuf)| {
            let mesh = Mesh::open_with(path, options).ok()?;
            Some(((*name).clone(), Sketch::of(&mesh.nav().flat_graph().value)))
        };
        all.par_iter().filter_map(sketch).collect()
    };
    let (left, right) = (sketches(left), sketches(right));
    navmap::diff::pair_sketches(&left, &right)
}
