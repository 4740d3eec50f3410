//! The page of a mesh, for notebooks and browsers.

use crate::draw::{Looked, write};
use crate::nav::Nav;
use crate::parts::IndexedGraph;
use crate::take::Named;
use crate::threads::work;
use navmap::Space;
use navmap::draw::{Caption, ColourBy, DrawOptions, Heat, HeatBy, Picture, Trail};
use navmap::graph::FlatGraph;
use navmap_view::{Scene, Words, page};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A page that shows a mesh, in one file. A notebook shows it.
#[pyclass(frozen, module = "navmap")]
pub(crate) struct View {
    title: String,
    html: String,
    frame: Frame,
}

/// How a notebook shows a page.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// In pixels.
    pub(crate) height: u32,
    /// The most bytes of a page that a notebook takes in.
    pub(crate) limit: usize,
}

impl View {
    pub(crate) fn make(
        py: Python<'_>,
        nav: &Nav,
        graph: &Arc<IndexedGraph>,
        space: Option<&str>,
        looked: Looked,
        frame: Frame,
    ) -> PyResult<Self> {
        let Looked { colour, heat, panels: _, trails, caption } = looked;
        if heat.as_ref().is_some_and(|heat| matches!(heat.by, HeatBy::Track(_))) {
            let why =
                "a view shows points by 'point', 'area', 'cell' or 'density'; draw shows them by 'track' too";
            return Err(PyValueError::new_err(why));
        }
        let html = work(py, || {
            let space = space.and_then(|space| nav.space_named(space));
            html(&graph.flat, nav, space.as_ref(), colour, heat, trails, &caption)
        });
        Ok(Self { title: caption.title, html, frame })
    }
}

fn html(
    graph: &FlatGraph,
    nav: &Nav,
    space: Option<&Space>,
    colour: Option<(String, ColourBy)>,
    heat: Option<Heat>,
    trails: Vec<Trail>,
    caption: &Caption,
) -> String {
    let options = DrawOptions {
        colour: colour.as_ref().map(|(_, by)| by.clone()),
        heat: heat.clone().map(Arc::new),
        ..DrawOptions::default()
    };
    let (findings, unlisted) = Words::found(nav.mesh.nav(), space);
    let words = Words {
        title: caption.title.clone(),
        subtitle: caption.subtitle.clone(),
        error: caption.error.clone(),
        findings,
        unlisted,
        colour,
        trails,
        heat,
        ..Words::default()
    };
    page::html(Scene::new(graph, &words), &mut |svg| {
        Picture::with_trails(graph, caption, &options, &words.trails).write_svg(svg)
    })
}

#[pymethods]
impl View {
    /// The page: HTML that needs nothing else.
    #[getter]
    fn html(&self) -> &str {
        &self.html
    }

    /// Writes the page to a file that ends in .html. One that exists is an error without `force`.
    #[pyo3(signature = (path, *, force = false))]
    fn save(&self, py: Python<'_>, path: Named, force: bool) -> PyResult<()> {
        let extension = path.0.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if !matches!(extension.as_deref(), Some("html" | "htm")) {
            return Err(PyValueError::new_err("the name of a page ends in .html"));
        }
        write(py, &path, self.html.as_bytes(), force)
    }

    /// What a notebook shows: the page in a frame that can reach nothing of the notebook. A page of more bytes than the
    /// limit, which would make the notebook slow, is only told of.
    fn _repr_html_(&self) -> String {
        if self.html.len() > self.frame.limit {
            let (title, size) = (escaped(&self.title), self.html.len());
            return format!(
                "<p>The page of {title} has {size} bytes, more than its limit: view.save(\"mesh.html\") writes it to a file.</p>"
            );
        }
        let (page, height) = (escaped(&self.html), self.frame.height);
        format!(
            "<iframe title=\"{}\" sandbox=\"allow-scripts allow-forms allow-modals allow-downloads\" style=\"width: 100%; height: {height}px; border: 1px solid #b9b5a6\" srcdoc=\"{page}\"></iframe>",
            escaped(&self.title)
        )
    }

    fn __repr__(&self) -> String {
        format!("<View of {}, {} bytes>", self.title, self.html.len())
    }
}

/// Text as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
