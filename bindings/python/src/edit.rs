//! Edits in memory: the same commands and the same undo as on the command line.

use crate::draw::write;
use crate::fault::Fault;
use crate::nav::Nav;
use crate::take::Named;
use crate::threads::{share, work};
use navmap::Result;
use navmap::diff::Version;
use navmap::edit::{Files, Opening, Refusal, Request, SessionOptions};
use navmap::error::Error;
use navmap::open::{Edited, OpenOptions, edit_with};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyTuple};
use std::collections::HashMap;
use std::sync::{Mutex, TryLockError};

create_exception!(
    navmap,
    Refused,
    PyValueError,
    "A command of a script was refused, and has changed nothing.\n\n\
     `line` and `column` are its place in the script, both from 1, `command` its verb, and `why` the reason alone."
);

fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let raised = Refused::new_err(refusal.to_string());
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("line", refusal.spot().map(|spot| spot.line))?;
        value.setattr("column", refusal.spot().map(|spot| spot.column))?;
        value.setattr("command", refusal.verb())?;
        value.setattr("why", refusal.why())
    };
    match set() {
        Ok(()) => raised,
        Err(other) => other,
    }
}

/// Files that commands may read, by name.
#[derive(Debug)]
pub(crate) struct InMemory(HashMap<String, Vec<u8>>);

impl<'py> FromPyObject<'_, 'py> for InMemory {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let files = object.cast::<PyMapping>().map_err(PyErr::from)?.items()?;
        files.iter().map(|file| file.extract()).collect::<PyResult<_>>().map(Self)
    }
}

impl Files for InMemory {
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        let whole = format!("{name}.{ending}");
        let found = [name, whole.as_str()].into_iter().find_map(|name| Some((name, self.0.get(name)?)));
        let found = found.map(|(name, bytes)| (name.to_owned(), bytes.clone()));
        found.ok_or_else(|| Refusal::new(format!("no file {name} was given")))
    }
}

fn begin(nav: &Nav, options: SessionOptions, files: Option<InMemory>) -> Result<Edited> {
    let mut edited = edit_with(&nav.mesh, options, &Opening::default(), &OpenOptions::new())?;
    if let Some(files) = files {
        edited.session.read_through(Box::new(files));
    }
    Ok(edited)
}

/// A mesh that is being edited, in memory. See `Nav.editor`.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Editor {
    nav: Py<Nav>,
    edited: Mutex<Edited>,
}

impl Editor {
    pub(crate) fn begin(nav: &Bound<'_, Nav>, game_exact: bool, files: Option<InMemory>) -> PyResult<Self> {
        let options = SessionOptions { game_exact, journal: true, ..SessionOptions::default() };
        let mesh = nav.get();
        let edited = work(nav.py(), || begin(mesh, options, files));
        let edited = edited.map_err(Fault::from)?;
        Ok(Self { nav: nav.clone().unbind(), edited: Mutex::new(edited) })
    }

    /// Asks what is edited, without the interpreter, since another thread may be at work with it for seconds. The lock is taken
    /// first: a thread that shares in work must not wait for it.
    ///
    /// # Errors
    /// If a panic broke off what was done before. The mesh may be half changed, so nobody gets it again.
    fn ask<T: Send>(&self, py: Python<'_>, ask: impl FnOnce(&mut Edited) -> T + Send) -> PyResult<T> {
        let asked = py.detach(|| {
            let mut edited = self.edited.lock().ok()?;
            let edited = &mut *edited;
            Some(share(|| ask(edited)))
        });
        asked.ok_or_else(|| {
            let why = "the editor is broken since a panic in a command, and nothing of it is saved: open the mesh again";
            PyRuntimeError::new_err(why)
        })
    }

    /// The file as it would be written now.
    fn encoded(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        Ok(self.ask(py, |edited| edited.session.encode())?.map_err(Fault::from)?)
    }

    /// The mesh as it is now.
    pub(crate) fn edited(&self, py: Python<'_>) -> PyResult<Nav> {
        let bytes = self.encoded(py)?;
        self.nav.get().again(py, &bytes)
    }
}

#[pymethods]
impl Editor {
    /// `with nav.editor() as editor:` works. What is not saved is forgotten.
    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) -> bool {
        false
    }

    /// Runs a script: commands on lines or with semicolons between them. Gives what they answered, line by line. A command
    /// that is refused raises Refused and has changed nothing; those before it stay done.
    pub(crate) fn run(&self, py: Python<'_>, script: &str) -> PyResult<Vec<String>> {
        let (outcomes, refusal) = self.ask(py, |edited| edited.session.run(script))?;
        if let Some(refusal) = refusal {
            return Err(refused(py, &refusal));
        }
        let mut said = Vec::new();
        for outcome in outcomes {
            said.extend(outcome.said);
            match outcome.request {
                Some(Request::Export { text, .. }) => {
                    said.extend(String::from_utf8_lossy(&text).lines().map(str::to_owned))
                }
                Some(Request::Show(asked)) => {
                    let shown = self.ask(py, |edited| edited.shown(&asked))?;
                    said.extend(shown.lines().map(str::to_owned));
                }
                Some(Request::Save { .. }) => said.push("kept in memory: save() writes it".to_owned()),
                None => {}
            }
        }
        Ok(said)
    }

    /// Takes back so many steps, or as many as there are. Gives how many.
    #[pyo3(signature = (steps = 1))]
    fn undo(&self, py: Python<'_>, steps: usize) -> PyResult<usize> {
        self.ask(py, |edited| edited.session.undo(steps))
    }

    /// Does so many steps again that were taken back. Gives how many.
    #[pyo3(signature = (steps = 1))]
    fn redo(&self, py: Python<'_>, steps: usize) -> PyResult<usize> {
        self.ask(py, |edited| edited.session.redo(steps))
    }

    /// How many steps can be taken back.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<usize> {
        self.ask(py, |edited| edited.session.steps())
    }

    /// What differs from the mesh that was opened.
    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |edited| edited.session.report())
    }

    /// The commands: name, usage and help of each.
    #[getter]
    fn commands(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, &'static str, &'static str)>> {
        let verbs = self.ask(py, |edited| edited.session.verbs())?;
        Ok(verbs.into_iter().map(|verb| (verb.name, verb.usage, verb.help)).collect())
    }

    /// What was done, as a script that can be replayed on another version of the mesh.
    fn journal(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |edited| edited.session.journal())
    }

    /// The file as it would be written now.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.encoded(py)?))
    }

    /// The mesh as it is now, to be asked, drawn and checked.
    fn nav(&self, py: Python<'_>) -> PyResult<Nav> {
        self.edited(py)
    }

    /// What had to be said about the mesh when it was opened for editing.
    #[getter]
    fn said(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |edited| edited.said.clone())
    }

    /// The files that are edited as one: the parts of a split Fox tile. Empty for any other mesh.
    #[getter]
    fn parts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |edited| {
            let parts = if edited.parts.len() > 1 { &edited.parts[..] } else { &[] };
            parts.iter().map(|part| part.to_string_lossy().into_owned()).collect()
        })
    }

    /// Writes the mesh: a temporary file, then a rename. Other parts of a split Fox tile that have changed are written beside
    /// it, under the names of parts. A file that exists is an error without `force`.
    #[pyo3(signature = (path, *, force = false))]
    fn save(&self, py: Python<'_>, path: Named, force: bool) -> PyResult<()> {
        let files = self.ask(py, |edited| edited.files(&path.0))?.map_err(Fault::from)?;
        if let Some((there, _)) = files.iter().skip(1).find(|(place, _)| !force && place.exists()) {
            let exists = Error::from(std::io::Error::from(std::io::ErrorKind::AlreadyExists));
            return Err(Fault::from(exists.in_file(there)).into());
        }
        files.iter().try_for_each(|(place, bytes)| write(py, &Named(place.clone()), bytes, force))
    }

    fn __repr__(&self) -> String {
        // A debugger that prints it does not wait for the thread that is at work with it.
        match self.edited.try_lock() {
            Ok(edited) => format!("<Editor: {} steps>", edited.session.steps()),
            Err(TryLockError::WouldBlock) => "<Editor: at work>".to_owned(),
            Err(TryLockError::Poisoned(_)) => "<Editor: broken>".to_owned(),
        }
    }
}

/// An item, and what both sides did to it.
type Told = (String, String);

/// A mesh as a version of a merge.
fn version(nav: &Nav) -> Result<Version> {
    Version::from_mesh(&nav.mesh)
}

/// Brings two lines of change together: the changes from `base` to `theirs` in `ours`. Gives the merged file, and what both
/// changed in different ways, where it is as in ours: (item, what) each. A change of theirs that does not fit ours is among
/// them, with the item "". Meshes of Source (not Source 2) and of Quake can be merged.
///
/// >>> base = navmap.open("corpus/quake/nav3-v6.nav")
/// >>> ours, theirs = base.edit("move 0 0 8 #1"), base.edit("delete #0")
/// >>> data, conflicts = navmap.merge(base, ours, theirs)
/// >>> len(data) < len(bytes(ours)), conflicts
/// (True, [])
#[pyfunction]
pub(crate) fn merge<'py>(
    py: Python<'py>,
    base: &Nav,
    ours: &Nav,
    theirs: &Nav,
) -> PyResult<(Bound<'py, PyBytes>, Vec<Told>)> {
    let merged = work(py, || -> Result<_> {
        let (base, ours, theirs) = (version(base)?, version(ours)?, version(theirs)?);
        let merged = ours.apply(base.merge(&ours, &theirs)?)?;
        let bytes = merged.encode()?;
        let mut conflicts: Vec<Told> =
            merged.merge.conflicts.iter().map(|found| (found.item.to_string(), found.what.clone())).collect();
        conflicts.extend(merged.refused.iter().map(|refusal| (String::new(), refusal.to_string())));
        Ok((bytes, conflicts))
    });
    let (bytes, conflicts) = merged.map_err(Fault::from)?;
    Ok((PyBytes::new(py, &bytes), conflicts))
}
