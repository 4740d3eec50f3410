//! Edits in memory: the same commands and the same undo as on the command line.

use crate::draw::write;
use crate::fault::Fault;
use crate::nav::Nav;
use crate::take::Named;
use navmap::Result;
use navmap::edit::{AnySession, Files, Options, Refusal, Request};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
struct InMemory(HashMap<String, Vec<u8>>);

impl Files for InMemory {
    fn read(&self, name: &str, ending: &str) -> Result<(String, Vec<u8>), Refusal> {
        let whole = format!("{name}.{ending}");
        let found = [name, whole.as_str()].into_iter().find_map(|name| Some((name, self.0.get(name)?)));
        let found = found.map(|(name, bytes)| (name.to_owned(), bytes.clone()));
        found.ok_or_else(|| Refusal::new(format!("no file {name} was given")))
    }
}

fn begin(
    nav: &Nav,
    options: Options,
    files: Option<HashMap<String, Vec<u8>>>,
) -> Result<Box<dyn AnySession>> {
    let mut session = navmap::open::edit(&nav.mesh, options)?;
    if let Some(files) = files {
        session.read_through(Box::new(InMemory(files)));
    }
    Ok(session)
}

/// A mesh that is being edited, in memory. See `Nav.editor`.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct Editor {
    nav: Py<Nav>,
    session: Mutex<Box<dyn AnySession>>,
}

impl Editor {
    pub(crate) fn begin(
        nav: &Bound<'_, Nav>,
        game_exact: bool,
        files: Option<HashMap<String, Vec<u8>>>,
    ) -> PyResult<Self> {
        let options = Options { game_exact, journal: true };
        let mesh = nav.get();
        let session = nav.py().detach(|| begin(mesh, options, files));
        let session = session.map_err(Fault::from)?;
        Ok(Self { nav: nav.clone().unbind(), session: Mutex::new(session) })
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn AnySession>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The mesh as it is now.
    pub(crate) fn edited(&self, py: Python<'_>) -> PyResult<Nav> {
        let bytes = py.detach(|| self.lock().encode()).map_err(Fault::from)?;
        self.nav.get().again(py, &bytes)
    }
}

#[pymethods]
impl Editor {
    /// Runs a script: commands on lines or with semicolons between them. Gives what they answered, line by line. A command
    /// that is refused raises Refused and has changed nothing; those before it stay done.
    pub(crate) fn run(&self, py: Python<'_>, script: &str) -> PyResult<Vec<String>> {
        let (outcomes, refusal) = py.detach(|| self.lock().run(script));
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
                Some(Request::Save { .. }) => said.push("kept in memory: save() writes it".to_owned()),
                None => {}
            }
        }
        Ok(said)
    }

    /// Takes back so many steps, or as many as there are. Gives how many.
    #[pyo3(signature = (steps = 1))]
    fn undo(&self, steps: usize) -> usize {
        self.lock().undo(steps)
    }

    /// Does so many steps again that were taken back. Gives how many.
    #[pyo3(signature = (steps = 1))]
    fn redo(&self, steps: usize) -> usize {
        self.lock().redo(steps)
    }

    /// How many steps can be taken back.
    #[getter]
    fn steps(&self) -> usize {
        self.lock().steps()
    }

    /// What differs from the mesh that was opened.
    #[getter]
    fn report(&self) -> String {
        self.lock().report()
    }

    /// The commands: name, usage and help of each.
    #[getter]
    fn commands(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        self.lock().verbs().into_iter().map(|verb| (verb.name, verb.usage, verb.help)).collect()
    }

    /// What was done, as a script that can be replayed on another version of the mesh.
    fn journal(&self) -> String {
        self.lock().journal()
    }

    /// The file as it would be written now.
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.lock().encode()).map_err(Fault::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The mesh as it is now, to be asked, drawn and checked.
    fn nav(&self, py: Python<'_>) -> PyResult<Nav> {
        self.edited(py)
    }

    /// Writes the mesh: a temporary file, then a rename. A file that exists is an error without `force`.
    #[pyo3(signature = (path, *, force = false))]
    fn save(&self, py: Python<'_>, path: Named, force: bool) -> PyResult<()> {
        let bytes = py.detach(|| self.lock().encode()).map_err(Fault::from)?;
        write(py, &path, &bytes, force)
    }

    fn __repr__(&self) -> String {
        format!("<Editor: {} steps>", self.steps())
    }
}
