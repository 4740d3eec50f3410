//! navmap for Python. `python/navmap/__init__.pyi` and `docs/python.md` describe the interface.
//!
//! | file | what |
//! |---|---|
//! | `fault` | errors as exceptions, with path, record, index and byte |
//! | `take`, `give` | what Python hands in: paths, points, ids; and what it gets: arrays |
//! | `opening`, `nav`, `reading`, `finding`, `parts`, `records` | an open mesh, what is odd in it; its areas, links and places as objects; its records as buffers |
//! | `index`, `asking`, `located`, `route` | questions: where am I, what is near, who sees it, how do I get there |
//! | `control` | who holds which area, from the positions of two teams |
//! | `polygons` | areas of Source 2 as scripts for awpy ask for them |
//! | `scan`, `outcome`, `table`, `store` | many files: outcomes, tables as Arrow streams, tables in a folder |
//! | `remote` | files of object stores and servers, brought for as long as they are read |
//! | `held` | the interpreter, for a stream that another extension reads: the only file with `unsafe` |
//! | `threads` | the threads that share in work, of each process its own |
//! | `edit`, `draw`, `view` | scripts, undo; pictures; pages |
//!
//! All classes are frozen, and their mutable state is behind a lock or atomic, so nothing relies on the interpreter's lock.

mod asking;
mod control;
mod draw;
mod edit;
mod fault;
mod finding;
mod give;
#[allow(unsafe_code)] // the one file that takes the interpreter itself
mod held;
mod index;
mod located;
mod nav;
mod opening;
mod outcome;
mod parts;
mod polygons;
mod reading;
mod records;
mod remote;
mod route;
mod scan;
mod store;
mod table;
mod take;
mod threads;
mod view;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _navmap(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    threads::watch(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NavError", py.get_type::<fault::NavError>())?;
    module.add("Refused", py.get_type::<edit::Refused>())?;
    module.add_class::<nav::Nav>()?;
    module.add_class::<finding::Finding>()?;
    module.add_class::<parts::Area>()?;
    module.add_class::<parts::Areas>()?;
    module.add_class::<parts::Link>()?;
    module.add_class::<parts::Links>()?;
    module.add_class::<parts::Place>()?;
    module.add_class::<index::Index>()?;
    module.add_class::<route::Route>()?;
    module.add_class::<route::Nearest>()?;
    module.add_class::<route::NearestMany>()?;
    module.add_class::<scan::Scan>()?;
    module.add_class::<scan::Outcomes>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<edit::Editor>()?;
    module.add_class::<draw::Picture>()?;
    module.add_class::<view::View>()?;
    module.add_class::<polygons::Polygons>()?;
    module.add("DamagedWarning", py.get_type::<table::DamagedWarning>())?;
    module.add_function(wrap_pyfunction!(opening::open, module)?)?;
    module.add_function(wrap_pyfunction!(opening::from_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(edit::merge, module)?)?;
    module.add_function(wrap_pyfunction!(scan::scan, module)?)
}
