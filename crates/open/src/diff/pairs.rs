//! Which mesh is compared with which: by their names inside folders and archives, then by what is in them.

use crate::open::{
    Files, Mesh, OpenOptions, Place, counting_members, is_stdin, is_stream, may_be_archive, on_disk,
};
use crate::scan::{is_for_one, path_text};
use navmap_archive::Meter;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::threads::spread;
use navmap_diff::Sketch;
use navmap_formats::Kind;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Two meshes, or one without a partner.
#[derive(Debug)]
pub enum Pair {
    /// Two meshes that belong together.
    Both {
        /// The one before.
        before: PathBuf,
        /// The one after.
        after: PathBuf,
        /// What the pair is called.
        label: String,
    },
    /// A mesh without a partner.
    Only {
        /// The mesh.
        path: PathBuf,
        /// What it is called.
        label: String,
        /// Whether it is only after, not only before.
        added: bool,
    },
}

/// What is compared of two paths.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Pairs {
    /// Which mesh with which, by their names.
    pub pairs: Vec<Pair>,
    /// Errors of folders and archives that could not be read: nobody knows what is in them. Each names its path.
    pub unread: Vec<Error>,
}

/// The meshes at a path, by their names in it. A single mesh has the name "".
type Names = BTreeMap<String, PathBuf>;

/// What opening members of archives by name may cost together. Each opening alone is bounded, but a few kilobytes of archives
/// in archives may hold thousands of meshes, and for each of them all that lies around it is inflated again.
#[doc(hidden)]
#[derive(Debug)]
pub struct Budget {
    spent: AtomicU64,
    most: u64,
}

impl Budget {
    /// So many times what one walk over the archives may cost.
    const TIMES: u64 = 4;

    fn new<'p>(paths: impl Iterator<Item = &'p PathBuf>, options: &OpenOptions) -> Self {
        let archives: BTreeSet<&Path> = paths.map(|path| on_disk(path)).collect();
        let cost = |archive: &Path| options.limits.cost_of(archive.metadata().map_or(0, |data| data.len()));
        let most = archives.into_iter().map(cost).fold(0, u64::saturating_add);
        Self { spent: AtomicU64::new(0), most: most.saturating_mul(Self::TIMES) }
    }

    /// For the pairs of two paths.
    pub fn of_pairs(pairs: &[Pair], options: &OpenOptions) -> Self {
        let paths = pairs.iter().filter_map(|pair| match pair {
            Pair::Both { before, after, .. } => Some([before, after]),
            Pair::Only { .. } => None,
        });
        Self::new(paths.flatten(), options)
    }

    /// Does the work, and adds what it costs.
    ///
    /// # Errors
    /// [`Limit`](ErrorKind::Limit), and the work is not done, if more was spent before.
    pub fn charge<T>(&self, work: impl FnOnce() -> T) -> Result<T> {
        let (what, asked, allowed) =
            ("output of the archive by its ratio", self.spent.load(Relaxed), self.most);
        if asked > allowed {
            return Err(Error::new(ErrorKind::Limit { what, asked, allowed }));
        }
        let (done, cost) = counting_members(work);
        self.spent.fetch_add(cost, Relaxed);
        Ok(done)
    }
}

impl Pair {
    /// The archives of this pair, where they are small: those of the same two are compared one after another. A member may be a
    /// hundred times as large as what it is inflated from, and each thread would hold two.
    #[doc(hidden)]
    pub fn small_archives(&self) -> Option<[&Path; 2]> {
        let Self::Both { before, after, .. } = self else { return None };
        let archives = [on_disk(before), on_disk(after)];
        let are_members = archives[0] != before || archives[1] != after;
        (are_members && archives.into_iter().all(is_for_one)).then_some(archives)
    }

    /// The pairs of two files, folders or archives, by their names. A file and a folder are the file and the one of its name
    /// in the folder. What cannot be read inside a folder is [told](Pairs::unread) beside them.
    ///
    /// # Errors
    /// If nothing lies at a path, or it cannot be opened; if both are standard input.
    pub fn all(before: &Path, after: &Path, options: &OpenOptions) -> Result<Pairs> {
        if is_stdin(before) && is_stdin(after) {
            return Err(Error::invalid("paths", "standard input cannot be both meshes"));
        }
        let (before, after) = beside(before, after);
        let mut unread = Vec::new();
        let (left, right) = (names(&before, options, &mut unread)?, names(&after, options, &mut unread)?);
        Ok(Pairs { pairs: pair_up(left, right, [&before, &after], options), unread })
    }
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

fn names(path: &Path, options: &OpenOptions, unread: &mut Vec<Error>) -> Result<Names> {
    if path.is_dir() {
        let mut names = Names::new();
        for file in Files::new([path]) {
            let file = match file {
                Ok(file) => file.path,
                Err(error) if error.file() == Some(path) => return Err(error),
                Err(error) => {
                    unread.push(error);
                    continue;
                }
            };
            // Two names that are no text are two names.
            let name = || path_text(file.strip_prefix(path).unwrap_or(&file)).into_owned();
            if Kind::names(&file) {
                names.insert(name(), file);
            } else if may_be_archive(&file) {
                match in_archive(&file, options, unread) {
                    Ok(members) => {
                        let name = name();
                        let named = |(member, path)| (format!("{name}!{member}"), path);
                        names.extend(members.into_iter().map(named));
                    }
                    // Many files are called like archives, and are none.
                    Err(error) if error.is_not_mesh() => {}
                    Err(error) => unread.push(error.in_file(&file)),
                }
            }
        }
        return Ok(names);
    }
    // What can be read once is read by the comparison.
    if is_stream(path) {
        return Ok(Names::from([(String::new(), path.to_owned())]));
    }
    match Place::at(path, options)? {
        Place::Mesh(_) => Ok(Names::from([(String::new(), path.to_owned())])),
        _ => in_archive(path, options, unread),
    }
}

/// The meshes in an archive. Archives in it that cannot be read go to `unread`.
fn in_archive(path: &Path, options: &OpenOptions, unread: &mut Vec<Error>) -> Result<Names> {
    let mut names = Names::new();
    let place = match Place::at(path, options)? {
        Place::Tiles(tiles) => {
            // Tile by tile, since that is what files are.
            names.extend(tiles.files().map(|file| (member_of(path, file), file.to_owned())));
            unread.extend(tiles.into_failures());
            return Ok(names);
        }
        other => other,
    };
    // Each is opened again to be compared, with the archives around it.
    let meter = Meter::new(&options.limits, path.metadata().map_or(0, |data| data.len()));
    let mut met = Ok(());
    place.visit(options, &mut |mut item| {
        met = meter.file();
        if met.is_err() {
            return ControlFlow::Break(());
        }
        let is_archive = item.member.is_some_and(|member| may_be_archive(Path::new(member)));
        if is_archive && item.view.is_none() {
            unread.extend(item.error.take());
            return ControlFlow::Continue(());
        }
        let location = item.location();
        names.insert(member_of(path, &location), location);
        ControlFlow::Continue(())
    })?;
    met.map(|()| names).map_err(|error| error.in_file(path))
}

fn member_of(archive: &Path, location: &Path) -> String {
    let location = location.to_string_lossy();
    let rest = location.strip_prefix(&*archive.to_string_lossy()).unwrap_or(&location);
    rest.trim_start_matches(['!', '/']).to_owned()
}

/// Pairs by name; of what is left, meshes with the same content under another name.
fn pair_up(mut left: Names, mut right: Names, roots: [&Path; 2], options: &OpenOptions) -> Vec<Pair> {
    if let ([(old, before)], [(new, after)]) =
        (&left.iter().collect::<Vec<_>>()[..], &right.iter().collect::<Vec<_>>()[..])
        && old.is_empty()
        && new.is_empty()
    {
        let [old, new] = roots.map(path_text);
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
fn renamed(left: &Names, right: &Names, options: &OpenOptions) -> Vec<(String, String)> {
    if left.is_empty() || right.is_empty() {
        return Vec::new();
    }
    let budget = Budget::new(left.values().chain(right.values()), options);
    let sketches = |names: &Names| -> Vec<(String, Sketch)> {
        let all: Vec<(&String, &PathBuf)> = names.iter().collect();
        let sketch = |(name, path): &(&String, &PathBuf)| {
            let mesh = budget.charge(|| Mesh::open_with(path, options)).ok()?.ok()?;
            Some(((*name).clone(), Sketch::of(&mesh.nav().flat_graph().value)))
        };
        // The larger meshes in a small archive may take all memory that one thread may have.
        if all.iter().any(|(_, path)| on_disk(path) != path.as_path() && is_for_one(on_disk(path))) {
            return all.iter().filter_map(sketch).collect();
        }
        spread(|| all.par_iter().filter_map(sketch).collect())
    };
    let (left, right) = (sketches(left), sketches(right));
    navmap_diff::pair_sketches(&left, &right)
}
