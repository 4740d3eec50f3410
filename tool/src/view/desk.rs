//! A mesh that is being changed by the pages that show it. What changes it is the session of `navmap edit`; here is what a
//! session is not: which state a request is about, what is on disk, and what is left if the program is killed.

mod disk;

use super::load::Now;
use super::stamp::Stamp;
use super::trail::{Facts, Left, Trail, commands, fingerprint};
use super::walk::walk_to;
use crate::edit::ground;
use crate::floor;
use navmap::bytes::Backing;
use navmap::edit::{AnySession, Attempt, OpenMap, Opening, Refusal, Request, SessionOptions};
use navmap::error::{Error, Result};
use navmap::format::{Ability, Kind};
use navmap::open::{Bytes, Edited, Mesh, OpenOptions, edit_with, shown};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most scripts that a page is told of which has missed them.
const MOST_MISSED: usize = 256;
/// The most steps of the journal in one answer.
const MOST_STEPS: usize = 500;

/// How meshes are opened for editing.
#[derive(Debug, Clone)]
pub(super) struct How {
    pub(super) options: OpenOptions,
    /// A map, or a folder of them.
    pub(super) bsp: Option<PathBuf>,
    pub(super) models: Vec<PathBuf>,
    /// Whether the map may have another size than the mesh says.
    pub(super) any_map: bool,
}

/// Why a request is not granted.
#[derive(Debug)]
pub(super) enum No {
    /// A command is refused.
    Refused(Refusal),
    /// The request was made for another state of the mesh than this one, by one that has missed these scripts.
    Missed(Vec<String>),
    /// The file is no longer what was opened.
    Changed,
    Failed(Error),
}

impl From<Error> for No {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Refusal> for No {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A mesh that is being changed.
pub(super) struct Desk {
    path: PathBuf,
    how: How,
    kind: Kind,
    session: Box<dyn AnySession>,
    has_map: bool,
    /// Counts the changes, from the first revision on.
    revision: u64,
    first: u64,
    /// The file as it was opened.
    stamp: Stamp,
    /// What was run, the last at the end.
    scripts: VecDeque<(u64, String)>,
    /// The mesh as it is now.
    now: Arc<Vec<u8>>,
    /// What is on disk: the file itself, and its parts.
    disk: Vec<(PathBuf, u64)>,
    parts: Vec<PathBuf>,
    backed_up: bool,
    lost: bool,
    said: Vec<String>,
    trail: Option<Trail>,
    left: Option<Left>,
}

/// A session on a mesh, and what was on disk for it.
struct Begun {
    edited: Edited,
    bytes: Vec<u8>,
    has_map: bool,
}

impl Desk {
    /// Opens a mesh for editing, and counts its changes from a revision on.
    ///
    /// # Errors
    /// If it cannot be read or edited, or another program is doing so.
    pub(super) fn open(path: &Path, how: &How, first: u64) -> Result<Self> {
        let stamp = Stamp::of(path);
        let begun = begin(path, how, None)?;
        let facts = facts(path, &begun.bytes);
        let (trail, left) =
            Trail::open(path, facts)?.map_or((None, None), |(trail, left)| (Some(trail), left));
        let mut desk = Self {
            path: path.to_owned(),
            how: how.clone(),
            kind: begun.edited.kind(),
            session: begun.edited.session,
            has_map: begun.has_map,
            revision: first,
            first,
            stamp,
            scripts: VecDeque::new(),
            disk: Vec::new(),
            now: Arc::new(begun.bytes),
            parts: begun.edited.parts,
            backed_up: false,
            lost: begun.edited.lost,
            said: begun.edited.said,
            trail,
            left,
        };
        desk.look()?;
        Ok(desk)
    }

    /// Counts the changes since the mesh was opened.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether nothing would be lost with it but what can be taken back.
    pub(super) fn is_untouched(&self) -> bool {
        self.revision == self.first
    }

    /// Whether nobody has changed it but another program, and that the file.
    pub(super) fn is_outdated(&self) -> bool {
        self.is_untouched() && self.stamp != Stamp::of(&self.path)
    }

    /// The mesh as it is now.
    pub(super) fn now(&mut self) -> Now {
        let all = self.session.items("all").unwrap_or_default();
        Now { bytes: Arc::clone(&self.now), all, revision: self.revision }
    }

    /// What a page has to know.
    pub(super) fn state(&self) -> Value {
        let history = self.session.history();
        let done = history.iter().filter(|entry| entry.done).count();
        let first = done.saturating_sub(MOST_STEPS);
        let steps: Vec<Value> = history
            .iter()
            .skip(first)
            .take(MOST_STEPS.saturating_mul(2))
            .map(|entry| json!([entry.text, entry.done]))
            .collect();
        let file = self.file().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let offered =
            self.left.as_ref().map(|left| json!({"commands": left.commands, "same": self.fits(left)}));
        json!({
            "revision": self.revision,
            "steps": steps,
            "earlier": first,
            "report": self.session.report(),
            "unsaved": self.is_unsaved(),
            "file": file,
            "map": self.has_map,
            "kept": self.trail.is_some(),
            "notes": self.said,
            "offered": offered,
        })
    }

    /// The verbs of the mesh: name, operands, what it does.
    pub(super) fn verbs(&self) -> Value {
        self.session.verbs().iter().map(|verb| json!([verb.name, verb.usage, verb.help])).collect()
    }

    /// The findings of a check that commands mend.
    pub(super) fn fixes(&self) -> Value {
        self.session.fixes().iter().map(|fix| json!([fix.code, fix.command])).collect()
    }

    /// What the last word of a line can become: where it begins, and the words.
    pub(super) fn complete(&self, line: &str) -> Value {
        let (start, words) = self.session.complete(line, &[]);
        json!({"start": line.get(..start).map_or(0, |before| before.encode_utf16().count()), "words": words})
    }

    fn is_unsaved(&self) -> bool {
        let own = self.disk.first().is_some_and(|(_, disk)| *disk == fingerprint(&self.now));
        !own || self.session.further().map_or(true, |further| {
            further.iter().any(|(part, bytes)| {
                let disk =
                    self.parts.get(*part).and_then(|part| self.disk.iter().find(|(path, _)| path == part));
                disk.is_none_or(|(_, disk)| *disk != fingerprint(bytes))
            })
        })
    }

    /// The file that is saved to; `None` for a member of an archive.
    fn file(&self) -> Option<&Path> {
        self.path.is_file().then_some(&*self.path)
    }

    fn is_current(&self, base: u64) -> std::result::Result<(), No> {
        if base == self.revision {
            return Ok(());
        }
        let missed = self.scripts.iter().filter(|(revision, _)| *revision > base);
        Err(No::Missed(missed.map(|(_, script)| script.clone()).collect()))
    }

    fn is_answered(&self) -> std::result::Result<(), No> {
        match &self.left {
            Some(_) => {
                Err(Refusal::new("an earlier run left commands: take them up or set them aside first").into())
            }
            None => Ok(()),
        }
    }

    /// Runs a script as a whole, or only tries it.
    ///
    /// # Errors
    /// Why it is not done. Nothing has changed then.
    pub(super) fn run(&mut self, base: u64, script: &str, dry: bool) -> std::result::Result<Attempt, No> {
        if !dry {
            self.is_current(base)?;
            self.is_answered()?;
        }
        let before = self.session.steps();
        let mut attempt = self.session.attempt(script, !dry)?;
        for outcome in &mut attempt.outcomes {
            // A page names no file: it saves by other requests.
            match outcome.request.take() {
                Some(Request::Save { .. }) => outcome.said.push("not written yet: Save writes it".to_owned()),
                Some(Request::Show(asked)) => {
                    outcome.said.extend(shown(self.kind, &asked).lines().map(str::to_owned));
                }
                Some(Request::Export { .. }) => {
                    outcome.said.push("not written: navmap edit writes such files".to_owned());
                }
                None => {}
            }
        }
        if !dry && attempt.changed() {
            match self.session.encode() {
                Ok(now) => self.now = Arc::new(now),
                Err(error) => {
                    walk_to(&mut *self.session, before);
                    return Err(error.into());
                }
            }
            self.count(script);
            let said = self.note();
            if let Some(last) = attempt.outcomes.last_mut() {
                last.said.extend(said);
            }
        }
        Ok(attempt)
    }

    fn count(&mut self, script: &str) {
        self.revision += 1;
        self.scripts.push_back((self.revision, script.to_owned()));
        if self.scripts.len() > MOST_MISSED {
            self.scripts.pop_front();
        }
    }

    /// Notes the commands that are in effect, and tells what went wrong with that.
    fn note(&mut self) -> Option<String> {
        let journal = self.session.journal();
        self.trail.as_mut().and_then(|trail| told(trail.note(&journal)))
    }

    /// Whether what was left fits the file as it is now, to the byte.
    fn fits(&self, left: &Left) -> bool {
        let now = self.disk.first().map(|(_, disk)| *disk);
        match left.facts.saved {
            None => now == Some(left.facts.base),
            Some(saved) => now == Some(saved) && self.original(left).is_some(),
        }
    }

    /// Takes up the commands that an earlier run left, or sets them aside. Returns the commands that no longer apply.
    ///
    /// # Errors
    /// If there are none, or the mesh cannot be opened.
    pub(super) fn resume(&mut self, base: u64, take: bool) -> std::result::Result<Vec<String>, No> {
        self.is_current(base)?;
        // It is offered until all of this is done: the next command is noted where it lies now.
        let Some(left) = self.left.clone() else {
            return Err(Error::invalid("commands", "were not left by an earlier run").into());
        };
        if !take {
            let own = facts(&self.path, &self.now);
            if let Some(trail) = &mut self.trail {
                trail.set_aside()?;
                trail.restart(own)?;
            }
            self.left = None;
            return Ok(Vec::new());
        }
        let before = left.facts.saved.and_then(|_| self.original(&left)).filter(|_| self.fits(&left));
        if let Some(before) = before {
            let begun = begin(&self.path, &self.how, Some(before))?;
            self.session = begun.edited.session;
            self.backed_up = true;
            if let Some(trail) = &mut self.trail {
                trail.restart(left.facts.clone())?;
            }
        }
        let refused = self.replay(&left.journal)?;
        self.left = None;
        Ok(refused)
    }

    /// Opens the file as it is now. With `replay` the commands that are in effect are run on it; those that no longer apply are
    /// returned.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(super) fn reload(&mut self, base: u64, replay: bool) -> std::result::Result<Vec<String>, No> {
        self.is_current(base)?;
        self.is_answered()?;
        let journal = self.session.journal();
        let begun = begin(&self.path, &self.how, None)?;
        if let Some(trail) = &mut self.trail {
            if !replay && commands(&journal) > 0 {
                trail.set_aside()?;
            }
            trail.restart(facts(&self.path, &begun.bytes))?;
        }
        self.session = begun.edited.session;
        (self.parts, self.lost, self.said) = (begun.edited.parts, begun.edited.lost, begun.edited.said);
        self.now = Arc::new(begun.bytes);
        self.look()?;
        self.backed_up = false;
        if replay {
            return Ok(self.replay(&journal)?);
        }
        self.count("// the file was opened again");
        Ok(Vec::new())
    }

    fn replay(&mut self, journal: &str) -> Result<Vec<String>> {
        let (mut refused, before) = (Vec::new(), self.session.steps());
        self.session.replay(journal, &mut |fared| {
            refused.extend(fared.err().map(|refusal| refusal.to_string()));
            ControlFlow::Continue(())
        });
        match self.session.encode() {
            Ok(now) => self.now = Arc::new(now),
            Err(error) => {
                walk_to(&mut *self.session, before);
                return Err(error);
            }
        }
        self.count("// commands were taken up");
        // They are in effect, whether they are noted or not.
        refused.extend(self.note());
        Ok(refused)
    }
}

/// What is said where the disk does not take a journal, or where it was taken away.
fn told(noted: Result<Option<String>>) -> Option<String> {
    noted.unwrap_or_else(|error| Some(format!("not noted for the case that the program is killed: {error}")))
}

fn facts(path: &Path, bytes: &[u8]) -> Facts {
    let mesh = path.to_string_lossy().into_owned();
    Facts { mesh, base: fingerprint(bytes), saved: None, commands: 0, copy: None }
}

/// Begins a session: on the file, or on these bytes in its place.
fn begin(path: &Path, how: &How, bytes: Option<Vec<u8>>) -> Result<Begun> {
    // A pipe that was put in the place of the mesh would be waited for.
    if bytes.is_none() && path.metadata().is_ok_and(|data| !data.is_file()) {
        return Err(Error::invalid("the mesh", "is no file, or no longer one").in_file(path));
    }
    let mesh = match bytes {
        Some(bytes) => Mesh::parse(Bytes::from_backing(path, Backing::owned(bytes)), &how.options)?,
        None => Mesh::open_with(path, &how.options)?,
    };
    let map = how.bsp.as_ref().filter(|_| mesh.kind().can(Ability::Map));
    let map = map.and_then(|map| match map.is_dir() {
        true => floor::map_beside(map, &path.to_string_lossy()),
        false => Some(map.clone()),
    });
    let open = map
        .as_ref()
        .map(|map| move |head: &dyn Any| ground::open(map, head, &how.models, how.any_map, &how.options));
    let opening = Opening { map: open.as_ref().map(|open| open as &OpenMap<'_>), ..Opening::default() };
    let edited = edit_with(
        &mesh,
        SessionOptions { journal: true, ..SessionOptions::default() },
        &opening,
        &how.options,
    )?;
    let bytes = mesh.bytes().to_vec();
    mesh.intact()?;
    Ok(Begun { edited, bytes, has_map: map.is_some() })
}
