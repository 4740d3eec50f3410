//! The target of an edited mesh, and other files written on the way.

use super::args::Goal;
use super::beside::{folder, map_name};
use super::inputs;
use super::out::{is_stdout, say};
use super::row::contents;
use super::save::{exists, save, save_over, vacant, writable};
use navmap::Counts;
use navmap::bytes::{Scratch, save_new};
use navmap::edit::{AnySession, Request};
use navmap::error::Error;
use navmap::format::{AnyNav, NavFile, ParseOptions};
use navmap::text::{counted, path_text};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// One of the files that a mesh consists of.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    /// Its target, beside the output.
    pub(super) output: Option<PathBuf>,
}

/// The output of a run. An existing file is only replaced with `--force`, or if the run itself has written it.
#[derive(Debug)]
pub(super) struct Target<'t> {
    source: &'t Path,
    output: Option<&'t Path>,
    in_place: bool,
    force: bool,
    dry_run: bool,
    ours: HashSet<PathBuf>,
    /// Those of them that are texts and no meshes.
    texts: HashSet<PathBuf>,
    journal: Option<&'t Path>,
    backed_up: HashSet<PathBuf>,
    /// The files of the mesh, if there are several.
    parts: Vec<Part>,
}

/// A mesh ready to be written: the file itself, and those of its further files that have changed.
pub(super) type Written = (Vec<u8>, Vec<(usize, Vec<u8>)>);

/// What is to be written of a mesh.
pub(super) fn written(session: &dyn AnySession) -> Result<Written, Error> {
    Ok((session.encode()?, session.further()?))
}

impl<'t> Target<'t> {
    /// The target of a mesh read from `source`: a file, itself, or none.
    pub(super) fn new(source: &'t Path, output: Option<&'t Path>, in_place: bool) -> Self {
        let ours = HashSet::new();
        Self {
            source,
            output,
            in_place,
            force: false,
            dry_run: false,
            ours,
            texts: HashSet::new(),
            journal: None,
            backed_up: HashSet::new(),
            parts: Vec::new(),
        }
    }

    /// The typed target of a mesh read from `source`.
    pub(super) fn typed(source: &'t Path, goal: &'t Goal) -> Self {
        Self::new(source, goal.output.as_deref(), goal.in_place).force(goal.force)
    }

    pub(super) fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// Sets the files of a mesh that has several.
    pub(super) fn parts(self, parts: &[Part]) -> Self {
        parts.iter().for_each(|part| inputs::read(&part.path, true));
        Self { parts: parts.to_owned(), ..self }
    }

    /// Sets the file that the journal of the run goes to.
    pub(super) fn journal(self, journal: Option<&'t Path>) -> Self {
        Self { journal, ..self }
    }

    pub(super) fn dry_run(self, dry_run: bool) -> Self {
        Self { dry_run, ..self }
    }

    /// The file that the mesh is written to, if the command line names one.
    pub(super) fn path(&self) -> Option<&'t Path> {
        self.output.or(self.in_place.then_some(self.source))
    }

    /// Does what a command requested, and reports it. Returns whether the whole mesh was written.
    pub(super) fn grant(&mut self, request: &Request) -> Result<bool, Error> {
        match request {
            Request::Save { to: None, bytes } => {
                let done = self.mesh(bytes)?;
                if let (true, Some(path)) = (done, self.path()) {
                    self.tell(path, bytes);
                }
                Ok(done)
            }
            Request::Save { to: Some(name), bytes } => {
                let path = PathBuf::from(name);
                inputs::distinct(&path, self.texts.iter().map(PathBuf::as_path).chain(self.journal))?;
                if self.is_dry(&path)? {
                    return Ok(false);
                }
                self.file(&path, bytes)?;
                self.tell(&path, bytes);
                Ok(true)
            }
            Request::Export { stem, to, text } => {
                self.export(stem.as_deref(), to.as_deref(), text).map(|()| false)
            }
            // Answered where it was asked.
            Request::Show(_) => Ok(false),
        }
    }

    /// Says what was written: where, how much, and what is in it.
    pub(super) fn tell(&self, path: &Path, bytes: &[u8]) {
        let mut counts = Counts::default();
        let nav = AnyNav::parse(bytes, Some(self.source), &ParseOptions::default());
        // It was encoded just now; if it cannot be read, there is nothing to count.
        let _ = nav.and_then(|nav| nav.survey(&mut Scratch::new(), &mut counts, &mut |_| {}));
        let size = counted(bytes.len() as u64, "byte", "bytes");
        say(format_args!("navmap: written: {}, {size}, {}", path_text(path), contents(&counts, 60)));
    }

    /// Whether nothing is written. What would be refused is refused all the same.
    fn is_dry(&mut self, path: &Path) -> Result<bool, Error> {
        if self.dry_run {
            vacant(path, self.force || self.ours.contains(path))?;
            self.ours.insert(path.to_owned());
            say(format_args!("navmap: {} is not written: --dry-run", path_text(path)));
        }
        Ok(self.dry_run)
    }

    /// Writes the mesh to its target. Returns whether it did.
    pub(super) fn mesh(&mut self, bytes: &[u8]) -> Result<bool, Error> {
        if self.dry_run {
            if self.in_place {
                writable(self.source, self.force)?;
            }
            say(format_args!("navmap: nothing is written: --dry-run"));
            return Ok(false);
        }
        match self.output {
            Some(output) => self.file(output, bytes)?,
            None if self.in_place => self.over(self.source, bytes)?,
            None => {
                let what = if self.ours.is_empty() { "nothing is" } else { "the mesh itself is not" };
                say(format_args!("navmap: {what} written: -o FILE or --in-place says where"));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the mesh like [`mesh`](Self::mesh), and beside it those of its further files that have changed.
    pub(super) fn whole(&mut self, (mesh, further): &Written) -> Result<bool, Error> {
        let mut others = Vec::new();
        for (file, bytes) in further {
            let Some(part) = self.parts.get(*file).cloned() else { continue };
            let place = match (self.output, part.output) {
                (Some(output), Some(place)) if !is_stdout(output) && place != output => place,
                (Some(output), _) => {
                    let why = "is for one file, and another part of the mesh changes as well";
                    return Err(Error::invalid("output", why).in_file(output));
                }
                (None, _) => part.path.clone(),
            };
            if self.output.is_some() {
                vacant(&place, self.force || self.ours.contains(&place))?;
            }
            if self.output.is_none() && self.in_place {
                writable(&place, self.force)?;
            }
            others.push((place, bytes));
        }
        if self.output.is_none() && self.in_place && !self.dry_run {
            // All of them are asked before the first is written.
            for path in others.iter().map(|(place, _)| place.as_path()).chain([self.source]) {
                inputs::unchanged(path)?;
            }
        }
        let done = self.mesh(mesh)?;
        for (place, bytes) in others {
            if done && self.output.is_some() {
                self.file(&place, bytes)?;
            } else if done {
                self.over(&place, bytes)?;
            }
            let fared = if done { "is written" } else { "would be written" };
            say(format_args!("navmap: {} {fared} as well, a part of the same mesh", path_text(&place)));
        }
        Ok(done)
    }

    fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let force = self.force || self.ours.contains(path);
        save(path, force, |out| out.write_all(bytes))?;
        self.ours.insert(path.to_owned());
        Ok(())
    }

    fn over(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let keep = !self.backed_up.contains(path);
        let held = inputs::hold(path)?;
        if held.is_none() {
            path.metadata().map_err(|error| Error::from(error).in_file(path))?;
            let why = "is another file than the one that was read: a link leads elsewhere by now; nothing is written over it";
            return Err(Error::invalid("--in-place", why).in_file(path));
        }
        if let Some(copy) = save_over(path, held, self.force, bytes, keep)? {
            say(format_args!("navmap: the file as it was is {}", path_text(&copy)));
            self.backed_up.insert(path.to_owned());
        }
        Ok(())
    }

    /// Writes a text to a new file: the named one, or `town_selected_0000.txt` beside the mesh with the first unused number.
    fn export(&mut self, stem: Option<&str>, to: Option<&str>, text: &[u8]) -> Result<(), Error> {
        if let Some(to) = to {
            let path = PathBuf::from(to);
            // No text goes over a mesh, even one that may be written over.
            inputs::unread(&path)?;
            let meshes =
                self.ours.difference(&self.texts).chain(self.parts.iter().flat_map(|part| &part.output));
            inputs::distinct(&path, meshes.map(PathBuf::as_path).chain(self.path()).chain(self.journal))?;
            self.texts.insert(path.clone());
            if self.is_dry(&path)? {
                return Ok(());
            }
            self.file(&path, text)?;
            say(format_args!("navmap: written: {}", path_text(&path)));
            return Ok(());
        }
        let path = self.source;
        let stem = stem.map_or_else(|| map_name(path), str::to_owned);
        // The game truncates the name of the map here.
        let stem: String = stem.chars().take(31).collect();
        for number in 0..1000_u32 {
            let name = folder(path).join(format!("{stem}_selected_{number:04}.txt"));
            if self.dry_run {
                if name.symlink_metadata().is_ok() || self.texts.contains(&name) {
                    continue;
                }
                self.texts.insert(name.clone());
                return self.is_dry(&name).map(drop);
            }
            match save_new(&name, text) {
                Ok(()) => {
                    say(format_args!("navmap: written: {}", path_text(&name)));
                    self.texts.insert(name.clone());
                    self.ours.insert(name);
                    return Ok(());
                }
                Err(error) if exists(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::invalid("file", format!("{stem}_selected_0000.txt to _0999.txt are there already")))
    }
}
